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

   SQL. taco_sql takes one query, in DuckDB's dialect, with its types and names of columns:
     [WITH name [(columns)] AS (query), ...]
     SELECT [DISTINCT] expr [AS name], *, t.*, * EXCLUDE (...)
     [FROM table [alias [(columns)]] [[LEFT] JOIN table ON cond | USING (columns) | , table |
      CROSS JOIN table | [NATURAL] [LEFT | SEMI | ANTI] JOIN table ...]...]
     [WHERE cond] [GROUP BY expr, ... | ALL] [HAVING cond]
     [UNION [ALL] [BY NAME] | INTERSECT [ALL] | EXCEPT [ALL] SELECT ...]...
     [ORDER BY expr [ASC | DESC] [NULLS FIRST | LAST], ... | ALL] [LIMIT n] [OFFSET n]
   A table is data | level0..5 | l0..5 | (query) | a name of WITH | range(...). VALUES (...), ...
   may stand for a SELECT. A query in an expression is a value, or follows EXISTS, IN or = ANY; it
   is run once, when the query around it is opened, and cannot name that one's columns.
   Tables: data is level0, level1 the rows of the level below it and so on. l1 is the reference's
   view of level 1: all its rows that have ancestors, FOLDERs too, with the columns of level 1 as
   "l1:name" and of their ancestors as "l0:name", "l1:internal:gdal_vsi" and other internal:* among
   them, but for current_id and parent_id. taco_query.flat and `--table l1` are the FILEs of it,
   without internal:* columns but internal:gdal_vsi, as the reference's flatten() is.
   Expressions: + - * / // % ||, comparisons, IS [NOT] DISTINCT FROM | NULL | TRUE, IN, BETWEEN,
   [I]LIKE, SIMILAR TO, ~, GLOB, CASE, CAST, TRY_CAST, ::, ** & | << >>, lists [a, b], structs
   {'a': 1}, maps MAP {'a': 1}, value[i], [i:j], [i:j:step], fields of structs; functions of texts,
   numbers, dates, lists and maps, regular expressions (RE2's syntax, in linear time), printf,
   format, strftime, strptime, md5, sha256; ST_Intersects and ST_Within with ST_MakeEnvelope, ST_X,
   ST_Y, ST_AsText, ST_Area, ST_Centroid. docs/sql.md has all of them, beside DuckDB's.
   Aggregates: count sum avg min max first last any_value stddev variance median quantile_cont
   quantile_disc list string_agg arg_max arg_min mode histogram corr regr_* bool_and bool_or and
   others, with DISTINCT, FILTER and ORDER BY.
   Not taken: correlated and recursive queries, window functions, RIGHT and FULL joins; the error
   names what it found.
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

/* Rows of one query over data, level0 ... level5 (rows of a level) and l0 ... l5 (rows of a level
   with their ancestors' columns), see the manual. Columns are named as DuckDB names them; padding
   is hidden. sql is not kept. Errors of the text say at which column; failures of a value
   (overflow, a cast) come when its rows do. NULL on failure. */
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
/* taco:pit_schema of the dataset with the number of rows of the view, which are counted: see
   taco_pit_schema. Lives as long as the dataset. */
TACO_API taco_bytes taco_view_pit_schema(const taco_view *v, taco_error *err);
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

   sql/statement.h                      folder sql: a query as it was parsed, and its parsers
   sql/sql.h                            folder sql: SELECT over the tables of a dataset, views, and plans of what they read
   sql/functions.h                      functions and aggregates beyond the first ones, and what binds them
   sql/sql_type.c                       types of SQL: from and to Arrow fields, names, forms of values
   sql/vector.c                         vectors of typed values: made, filled, chosen from, compared, hashed
   sql/vector_arrow.c                   vectors of SQL from Arrow arrays, and Arrow arrays from vectors
   sql/sql_parse.c                      parser of a whole SELECT statement
   sql/sql_parse_query.c                parser of what may hold several SELECTs
   sql/sql_parse_expr.c                 dialect of SELECT: operands of expressions and operators of values
   sql/sql_parse_type.c                 parser of type names (CAST, ::) and of INTERVAL literals
   sql/cast.c                           CAST and TRY_CAST of vectors, and values as text
   sql/functions.c                      table of scalar functions, and the call of one over a batch
   sql/func_number.c                    arithmetic, rounding, signs: integers, DECIMAL and floating point
   sql/func_math.c                      elementary functions without libm: exp, log, sines, their kin and inverses
   sql/func_text.c                      functions of texts: case, parts, search, padding, LIKE, concatenation
   sql/func_string.c                    functions of texts beyond func_text.c: codes, distances, encodings, paths
   sql/func_bits.c                      functions of whole numbers: bits, shifts, divisors, factorials
   sql/func_hash.c                      md5, sha1 and sha256 (RFC 1321, RFC 3174, FIPS 180-4) of texts and blobs
   sql/regex.h                          regular expressions of SQL's functions: regex_parse.c compiles, regex_match.c runs
   sql/regex_parse.c                    the parser of regular expressions: pattern to tree, tree to program
   sql/regex_match.c                    the machine that runs compiled patterns over texts, in linear time
   sql/func_regex.c                     functions of patterns: regexp_*, SIMILAR TO, ~ and GLOB
   sql/func_format.c                    printf and format: values laid out as a text says
   sql/func_date.c                      functions of DATE and TIMESTAMP: parts, truncation, differences, sums
   sql/func_strftime.c                  strftime: instants to text by a format; the clock, and instants of numbers
   sql/func_strptime.c                  strptime and try_strptime: instants of texts by a format
   sql/func_list.c                      functions of lists: length, search, elements, slices
   sql/func_list_make.c                 functions that make lists, structs and maps of others
   sql/func_list_parts.c                functions that choose from lists and compare them: sorting, sets, maps
   sql/func_geometry.c                  ST_* functions on WKB geometries and boxes (OGC 06-103r4)
   sql/func_geo_measure.c               ST_AsText, ST_Area and ST_Centroid of WKB geometries
   sql/aggregates.c                     aggregates: one state for each group, updated by batches
   sql/aggregate_set.c                  aggregates that see all values of a group at once
   sql/bind.c                           binder: names of a SELECT's expressions become columns, every node gets a type
   sql/sql_keywords.c                   the words of DuckDB's grammar, which its printer puts in quotes
   sql/sql_expr_text.c                  expressions as text: names of columns, and equal trees
   sql/sql_query_text.c                 what DuckDB calls a query in an expression: (SELECT max(v) FROM data AS d)
   sql/bind_type.c                      type rules: which type operands are brought to, and what comes out
   sql/bind_list.c                      binder of lists, structs and maps: types of what is put together and taken apart
   sql/bind_aggregate.c                 binder of aggregates: constants among their arguments, rows of several
   sql/bind_call.c                      binder of calls: the function, its arguments' types, its result
   sql/evaluate.c                       bound expressions computed over batches of vectors
   sql/operators.c                      operators of a plan: scan, filter, group, project, limit
   sql/hash_join.c                      hash joins: [LEFT] JOIN ... ON, CROSS JOIN
   sql/group_table.c                    distinct rows, numbered: keys of GROUP BY and rows of DISTINCT
   sql/sort_operator.c                  ORDER BY: rows kept, sorted by index, handed out in batches
   sql/planner.c                        planner: a parsed SELECT becomes a plan over cursors of the dataset
   sql/pushdown.c                       pushdown: conditions of WHERE that a scan can test become its predicate
   sql/planner_output.c                 planner of what comes out: *, GROUP BY, select items, ORDER BY, fields
   sql/planner_join.c                   planner of conditions of joins that are not written with ON
   sql/subquery.c                       queries inside of others: tables of FROM, and values in expressions
   sql/set_operation.c                  UNION, INTERSECT, EXCEPT of two queries, and rows of VALUES
   sql/range_table.c                    range(...) and generate_series(...) in FROM: a table of whole numbers
   sql/view.c                           views: the public calls, each of which adds a step to a list
   sql/view_layers.c                    layers of a view: SELECTs that run over the query below
   sql/view_query.c                     plan of a view: its steps made one query, and layers over it
   sql/view_pushdown.c                  conditions, sort keys and limits of a layer moved into the query below
   sql/explain.c                        plans for people: what a view will read, computed before it reads
*/

/* ==== src/sql/statement.h ==== */
/* statement.h - folder sql: a query as it was parsed, and its parsers

   The result of sql_parse.c and the files beside it: selects with their clauses as trees of
   taco__sql_expr, whose names are not looked up yet. sql.h, which includes this, has what becomes
   of them. */
#ifndef TACO__STATEMENT_H
#define TACO__STATEMENT_H

/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* What messages about refused syntax end with. */
#define TACO__SQL_USE_DUCKDB "use DuckDB with the taco extension"
#define TACO__SQL_NO_LAMBDA  "lambdas are not supported, " TACO__SQL_USE_DUCKDB

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
    bool semi, anti;     /* rows of the tables before it that meet one, or none; left is set too */
    bool cross, natural; /* a comma or CROSS JOIN; NATURAL */
    bool keeps_names;    /* of the query: equal names stay so */
    uint32_t level;
    taco__sql_expr *on;             /* NULL for the first table, and of CROSS, USING and NATURAL */
    taco__sql_expr *merged;         /* COLUMNs of USING, or NULL */
    struct taco__sql_select *query; /* in place of a level, or NULL */
    taco__sql_expr *columns, *with_columns; /* names for them: of the alias, of WITH; or NULL */
} taco__sql_table_ref;

/* What a select is made of where it is more than one: rows of VALUES, or of two others. */
typedef enum taco__sql_set {
    TACO__SQL_SET_NONE = 0,
    TACO__SQL_SET_VALUES,
    TACO__SQL_SET_RANGE, /* numbers: items are first, end and step; set_all: with the end */
    TACO__SQL_SET_UNION,
    TACO__SQL_SET_INTERSECT,
    TACO__SQL_SET_EXCEPT
} taco__sql_set;

#define TACO__SQL_MAX_QUERIES 1000 /* SELECTs of a text, those of WITH each time it is named */

/* A table of WITH, and those it sees. */
typedef struct taco__sql_with {
    const struct taco__sql_with *outer;
    taco_bytes name;
    taco__sql_expr *columns; /* or NULL */
    taco__lexer lex;         /* at its query */
    bool open;               /* that is being parsed: it may not name itself */
} taco__sql_with;

/* Forms of a query in an expression: taco__sql_expr.op of a QUERY. */
typedef enum taco__sql_nested {
    TACO__SQL_NESTED_SCALAR = 0,
    TACO__SQL_NESTED_EXISTS,
    TACO__SQL_NESTED_IN
} taco__sql_nested;

/* Where its text is, and which tables of WITH it sees: taco__sql_expr.plan of a QUERY. */
typedef struct taco__sql_nested_query {
    taco__lexer lex;
    const taco__sql_with *scope;
} taco__sql_nested_query;

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
    taco__sql_expr *limit_expr, *offset_expr; /* in their place, or NULL */
    bool nested;                              /* the text has more SELECTs than this */
    /* else: the operands, and nothing above; of VALUES items has the rows */
    taco__sql_set set;
    bool set_all, by_name;
    size_t set_at; /* column in the text */
    struct taco__sql_select *left, *right;
} taco__sql_select;

/* ---- sql_parse.c ----
   Text to tree; filter/parser.c has the parser itself. p->err must be clean at the beginning. */

TACO__FN bool taco__sql_parse_is_reserved(taco_bytes b);
TACO__FN bool taco__sql_parse_name(taco__parser *p, bool reserved, taco_bytes *out);
TACO__FN bool taco__sql_parse_end(taco__parser *p, taco__sql_select *s);
TACO__FN bool taco__sql_parse_clauses(taco__parser *p, taco__sql_select *s);
TACO__FN void taco__sql_parse_init(taco__parser *p, taco__arena *arena, uint32_t max_depth,
                                   taco_error *err);
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *out, taco_error *err);

/* ---- sql_parse_query.c ----
   Several SELECTs in one text. */

TACO__FN taco__sql_select *taco__sql_parse_new_select(taco__parser *p);
TACO__FN taco__sql_expr *taco__sql_parse_names(taco__parser *p);
TACO__FN bool taco__sql_parse_find_with(taco__parser *p, taco__sql_table_ref *f);
TACO__FN bool taco__sql_parse_begins_query(const taco__parser *p);
TACO__FN taco__sql_select *taco__sql_parse_query(taco__parser *p);
TACO__FN taco__sql_select *taco__sql_parse_plain(taco__parser *p);
TACO__FN taco__sql_expr *taco__sql_parse_nested(taco__parser *p, taco__sql_nested kind, size_t at,
                                                taco__sql_expr *value);
TACO__FN taco__sql_expr *taco__sql_parse_member(taco__parser *p, taco__sql_expr *left, bool neg);
TACO__FN taco__sql_select *taco__sql_parse_again(taco__arena *arena,
                                                 const taco__sql_nested_query *q,
                                                 uint32_t max_depth, taco_error *err);

/* ---- sql_parse_expr.c ----
   What SELECT adds to the expressions of filter/parser.c. */

TACO__FN const taco__dialect *taco__sql_parse_expr_dialect(void);

/* ---- sql_parse_type.c ----
   Types after CAST and ::, and INTERVAL, which the parser of expressions meets. */

TACO__FN bool taco__sql_parse_type(taco__parser *p, taco__sql_type *t);
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__parser *p, size_t at);

#endif /* TACO__STATEMENT_H */
/* ==== src/sql/sql.h ==== */
/* sql.h - folder sql: SELECT over the tables of a dataset, views, and plans of what they read

   A SELECT runs in the steps of its files:

     text -> sql_parse.c, sql_parse_expr.c, sql_parse_type.c   a taco__sql_select; the parser of
                                                               expressions is filter/parser.c
     names -> bind.c, bind_call.c, bind_type.c                 types, columns, functions
              sql_expr_text.c, sql_keywords.c                  names of columns, equality of trees
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
/* #include "statement.h" */

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
    TACO__FUNC_DATE_SUB,
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
    TACO__FUNC_Y,
    TACO__FUNC_AS_TEXT,  /* ST_AsText: well-known text */
    TACO__FUNC_AREA,     /* ST_Area: planar, holes taken off */
    TACO__FUNC_CENTROID, /* ST_Centroid: of the parts of highest dimension */
    /* lists that are put together, and taken apart: bind_list.c has their types */
    TACO__FUNC_LIST_VALUE,       /* [a, b, ...] */
    TACO__FUNC_STRUCT_PACK,      /* {'a': 1}: the operands are the fields */
    TACO__FUNC_LIST_CONCAT,      /* null lists count as empty, but for || */
    TACO__FUNC_LIST_APPEND,      /* (list, value) */
    TACO__FUNC_LIST_PREPEND,     /* (value, list) */
    TACO__FUNC_LIST_SORT,        /* plan: sort_flags of taco__sql_expr */
    TACO__FUNC_LIST_GRADE,       /* numbers that would sort the list */
    TACO__FUNC_LIST_DISTINCT,    /* without nulls */
    TACO__FUNC_LIST_UNIQUE,      /* how many distinct values */
    TACO__FUNC_LIST_REVERSE,     /* last element first */
    TACO__FUNC_LIST_POSITION,    /* from 1; null where it is not there */
    TACO__FUNC_LIST_HAS_ALL,     /* @> and, operands swapped, <@ */
    TACO__FUNC_LIST_HAS_ANY,     /* && of lists */
    TACO__FUNC_LIST_INTERSECT,   /* distinct, in the order of the first list */
    TACO__FUNC_LIST_RESIZE,      /* (list, length[, value]) */
    TACO__FUNC_LIST_WHERE,       /* (list, conditions) */
    TACO__FUNC_LIST_SELECT,      /* (list, numbers) */
    TACO__FUNC_LIST_POP,         /* plan: back or front */
    TACO__FUNC_FLATTEN,          /* a list of lists as one */
    TACO__FUNC_RANGE,            /* plan: range or generate_series */
    TACO__FUNC_LIST_SLICE,       /* with a step */
    TACO__FUNC_LIST_REPEAT,      /* (list, times) */
    TACO__FUNC_LIST_AGGREGATE,   /* plan: a taco__aggregate, copied for each batch */
    TACO__FUNC_LIST_MEASURE,     /* plan: which product or distance */
    TACO__FUNC_MAP,              /* (keys, values) */
    TACO__FUNC_MAP_KEYS,         /* a list */
    TACO__FUNC_MAP_VALUES,       /* a list */
    TACO__FUNC_MAP_ENTRIES,      /* a list of structs */
    TACO__FUNC_MAP_EXTRACT,      /* a list of one value, or of none */
    TACO__FUNC_MAP_VALUE,        /* map[key] */
    TACO__FUNC_MAP_CONTAINS,     /* whether a key is there */
    TACO__FUNC_MAP_FROM_ENTRIES, /* of a list of structs */
    TACO__FUNC_CARDINALITY,      /* entries of a map */
    TACO__FUNC_SPLIT,            /* string_split */
    TACO__FUNC_LIST_TO_TEXT,     /* array_to_string */
    /* elementary functions */
    TACO__FUNC_MATH,       /* of one number; plan: the letter of func_math.c */
    TACO__FUNC_LOG_BASE,   /* log(base, x) */
    TACO__FUNC_POW,        /* ** too */
    TACO__FUNC_ATAN2,      /* (y, x) */
    TACO__FUNC_PI,         /* without operands */
    TACO__FUNC_NEXT_AFTER, /* the next double or float */
    /* whole numbers and bits */
    TACO__FUNC_BIT_AND,     /* & */
    TACO__FUNC_BIT_OR,      /* | */
    TACO__FUNC_XOR,         /* xor(a, b) */
    TACO__FUNC_BIT_NOT,     /* ~, in the width of the type */
    TACO__FUNC_SHIFT_LEFT,  /* an error where a bit is lost */
    TACO__FUNC_SHIFT_RIGHT, /* with the sign */
    TACO__FUNC_BIT_COUNT,   /* ones in the width of the type */
    TACO__FUNC_GCD,         /* BIGINT at least */
    TACO__FUNC_LCM,         /* BIGINT at least */
    TACO__FUNC_FACTORIAL,   /* HUGEINT */
    TACO__FUNC_SIGNBIT,     /* of -0.0 too */
    /* texts to texts and numbers */
    TACO__FUNC_CHR,          /* the character of a code point */
    TACO__FUNC_UNICODE,      /* -1 of an empty text */
    TACO__FUNC_BIT_LENGTH,   /* of the bytes */
    TACO__FUNC_TRANSLATE,    /* (text, from, to), character by character */
    TACO__FUNC_HEX,          /* bytes or a number */
    TACO__FUNC_UNHEX,        /* bytes */
    TACO__FUNC_BIN,          /* as HEX */
    TACO__FUNC_UNBIN,        /* as UNHEX */
    TACO__FUNC_BASE64,       /* RFC 4648, padded */
    TACO__FUNC_FROM_BASE64,  /* bytes */
    TACO__FUNC_ENCODE,       /* a text as bytes */
    TACO__FUNC_DECODE,       /* bytes as a text */
    TACO__FUNC_LEVENSHTEIN,  /* on bytes */
    TACO__FUNC_DAMERAU,      /* with swaps of neighbours */
    TACO__FUNC_HAMMING,      /* of texts of one length */
    TACO__FUNC_JACCARD,      /* of sets of bytes */
    TACO__FUNC_JARO,         /* (a, b[, cutoff]) */
    TACO__FUNC_JARO_WINKLER, /* as JARO */
    TACO__FUNC_MD5,          /* 32 digits */
    TACO__FUNC_SHA1,         /* 40 digits */
    TACO__FUNC_SHA256,       /* 64 digits */
    TACO__FUNC_URL_ENCODE,   /* RFC 3986 */
    TACO__FUNC_URL_DECODE,   /* what is no %XX stays */
    TACO__FUNC_PATH_PART,    /* plan: file, directory or path */
    TACO__FUNC_FORMAT_BYTES, /* plan: binary or decimal */
    TACO__FUNC_BAR,          /* (x, least, greatest[, width]) */
    TACO__FUNC_TO_BASE,      /* (number, base[, width]) */
    /* formatted output, and its reading */
    TACO__FUNC_PRINTF,       /* C's conversions */
    TACO__FUNC_FORMAT,       /* Python's braces */
    TACO__FUNC_STRFTIME,     /* (time, format) in either order */
    TACO__FUNC_STRPTIME,     /* (text, format or list of them) */
    TACO__FUNC_TRY_STRPTIME, /* null where none fits */
    /* patterns */
    TACO__FUNC_GLOB,              /* of bytes */
    TACO__FUNC_REGEX_FULL,        /* ~ and SIMILAR TO */
    TACO__FUNC_REGEX_MATCHES,     /* anywhere in the text */
    TACO__FUNC_REGEX_EXTRACT,     /* a group, or a struct of groups */
    TACO__FUNC_REGEX_EXTRACT_ALL, /* a list of a group */
    TACO__FUNC_REGEX_REPLACE,     /* (text, pattern, with[, options]) */
    TACO__FUNC_REGEX_SPLIT,       /* what is between matches */
    TACO__FUNC_REGEX_ESCAPE,      /* a text as a pattern of itself */
    /* instants that are made */
    TACO__FUNC_MAKE_TIMESTAMP, /* (year, month, day, hour, minute, second) */
    TACO__FUNC_MAKE_TIME,      /* (hour, minute, second) */
    TACO__FUNC_FROM_EPOCH,     /* plan: unit of the number */
    TACO__FUNC_JULIAN          /* days since 4713 BC */
} taco__func_id;

/* A function. Arguments, a letter each, the last of which holds for all that follow: t text,
   i BIGINT, d DOUBLE, b BOOL, w DATE or TIMESTAMP, f DOUBLE, DATE or TIMESTAMP, n number, l list,
   B blob, g geometry, * any.
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

/* Parts of a date. EPOCH_MS and EPOCH_US are those of functions of that name only. */
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
    TACO__DATE_PART_MILLENNIUM,
    TACO__DATE_PART_ISOYEAR,
    TACO__DATE_PART_YEARWEEK,
    TACO__DATE_PART_ERA,
    TACO__DATE_PART_ZONE,
    TACO__DATE_PART_JULIAN,
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
    TACO__AGGREGATE_LIST,
    /* computed of all values at the end: aggregate_set.c */
    TACO__AGGREGATE_STRING,         /* string_agg */
    TACO__AGGREGATE_ARG_MAX,        /* rows with a null in either argument are left out */
    TACO__AGGREGATE_ARG_MIN,        /* as ARG_MAX */
    TACO__AGGREGATE_ARG_MAX_NULL,   /* only those whose second argument is null are left out */
    TACO__AGGREGATE_ARG_MIN_NULL,   /* as ARG_MAX_NULL */
    TACO__AGGREGATE_MODE,           /* of several the one that came first */
    TACO__AGGREGATE_HISTOGRAM,      /* a map of values to counts */
    TACO__AGGREGATE_TOP,            /* max(x, n) */
    TACO__AGGREGATE_BOTTOM,         /* min(x, n) */
    TACO__AGGREGATE_COUNT_DISTINCT, /* approx_count_distinct, exact */
    TACO__AGGREGATE_PRODUCT,        /* in DOUBLE */
    TACO__AGGREGATE_BIT_AND,        /* of integers */
    TACO__AGGREGATE_BIT_OR,         /* of integers */
    TACO__AGGREGATE_BIT_XOR,        /* of integers */
    TACO__AGGREGATE_KAHAN,          /* fsum: compensated */
    TACO__AGGREGATE_KAHAN_AVG,      /* favg */
    TACO__AGGREGATE_SKEWNESS,       /* of a sample */
    TACO__AGGREGATE_KURTOSIS,       /* of a sample */
    TACO__AGGREGATE_KURTOSIS_POP,   /* of a population */
    TACO__AGGREGATE_ENTROPY,        /* in bits */
    TACO__AGGREGATE_MAD,            /* median of distances from the median */
    TACO__AGGREGATE_SEM,            /* standard error of the mean */
    /* of pairs (y, x) */
    TACO__AGGREGATE_CORR,           /* NaN where one of them does not vary */
    TACO__AGGREGATE_COVAR_POP,      /* by n */
    TACO__AGGREGATE_COVAR,          /* by n - 1 */
    TACO__AGGREGATE_REGR_AVGX,      /* of the second */
    TACO__AGGREGATE_REGR_AVGY,      /* of the first */
    TACO__AGGREGATE_REGR_COUNT,     /* pairs */
    TACO__AGGREGATE_REGR_SLOPE,     /* of the line through the pairs */
    TACO__AGGREGATE_REGR_INTERCEPT, /* of that line */
    TACO__AGGREGATE_REGR_R2,        /* squared correlation */
    TACO__AGGREGATE_REGR_SXX,       /* sum of squares around the mean */
    TACO__AGGREGATE_REGR_SXY,       /* sum of products */
    TACO__AGGREGATE_REGR_SYY        /* sum of squares */
} taco__aggregate_id;

/* An aggregate by its name. */
typedef struct taco__aggregate_name {
    const char *name;
    uint8_t id;
    uint8_t args;          /* values of a row that it takes: 1 or 2 */
    uint8_t options, most; /* constants after them: least and most */
} taco__aggregate_name;

#define TACO__AGGREGATE_MAX_SORTS 16 /* keys of ORDER BY among its arguments */

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
    double q;         /* of quantiles: 0 to 1 */
    const double *qs; /* quantiles of a list: q_n of them, else NULL */
    size_t q_n;
    taco_bytes text; /* string_agg: the separator */
    size_t top;      /* max(x, n): n */
    taco__sql_type arg, result;
    /* With a second argument or ORDER BY a row is a struct: args values, then sorts keys. */
    bool wide;
    uint8_t args, sorts;
    const uint8_t *sort_flags; /* as in taco__sql_expr */
    taco__sql_type row_type;
    taco__vec_builder rows;
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
    /* the columns in the order of their names, which equal ones have as in fields; NULL until a
       column is looked for */
    uint32_t *by_name;
    size_t *place;         /* of a column in the batch; TACO__NONE until it is asked for */
    /* columns that USING made one with a column before: found and shown where the table is named */
    bool *merged;
    bool hidden; /* of SEMI and ANTI: only ON names its columns */
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

/* What IN (query) looks in. */
typedef struct taco__member_set {
    taco__sql_type type, common; /* the query's; that of the comparison */
    taco__vec values;            /* of common */
    uint32_t *rows;              /* of those that are not null, in order */
    size_t count;
    bool has_null;
} taco__member_set;

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
    bool as_written;            /* names in texts keep their spelling: the text is a label */
    int64_t now;                /* seconds since 1970; 0 until a function asks */
    size_t aliases;             /* select items that may be named */
    taco__sql_expr **sources;   /* the select items as written */
    size_t source_count, nodes; /* nodes: of copies that aliases made */
    uint32_t alias_depth;
    struct taco__executor *x; /* whose it is */
    struct taco__bind *outer; /* of the query around it, while it is planned; or NULL */
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
    bool *nullsafe;                 /* of each pair: IS NOT DISTINCT FROM, which nulls meet */
    size_t keys;
    taco__sql_expr *rest; /* what else ON asks */
    bool outer;
    bool semi, anti; /* rows of the left side once, where they meet a row, or meet none */
    /* the columns of the table, all rows; indexed as the batch's are */
    taco__vec_builder *cols;
    size_t rows;
    taco__vec *key_cols;    /* keys of its rows */
    uint64_t *hashes;       /* of the keys of each row */
    uint32_t *heads, *next; /* chains of rows, row + 1: by slot, by row */
    size_t slots;           /* a power of two */
    /* the batch of the left side at hand, whose rows from input_at on are still to be joined */
    taco__vec *input, *input_keys;
    uint64_t *input_hashes;
    size_t input_n, input_at;
    taco__arena held; /* where that batch is, once it goes on in pieces */
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

/* What a set is made of: taco__executor.set. */
typedef struct taco__set_operation {
    size_t *from[2];          /* of each column, its place in the operand; TACO__NONE: it is null */
    taco__sql_type *types[2]; /* of the operands' columns */
    size_t side;              /* operand at hand */
    size_t right_groups;      /* rows of the right side, equal ones once */
    uint32_t *left_over; /* of each of them: how many rows INTERSECT and EXCEPT may still match */
} taco__set_operation;

/* A SELECT that is planned and run. */
typedef struct taco__executor {
    const taco__sql_source *base; /* what `data` means, or NULL; only while it is planned */
    const char *const *extras;    /* columns that go with the rows unseen */
    size_t extra_count;
    bool plan_only; /* cursors are opened for taco_view_plan: without rows */
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
    /* of each: the last table it needs, after whose join it is tested; and whether it needs no
       other, so that the table's rows are tested before they are joined */
    uint8_t *where_at;
    bool *where_alone;
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
    size_t worst;             /* of a LIMIT: the last of the kept rows that are needed */
    bool has_worst;           /* later rows are compared with it */
    uint64_t skip, left;      /* OFFSET and LIMIT; UINT64_MAX: none */
    bool *untyped;            /* results that are the word NULL, INTEGER for want of another type */
    taco__set_operation *set; /* of UNION and its kin */
    int64_t *range;           /* of a range: the next number, the end, the step; sorted: done */
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
    /* nothing is run: limits that would have to be leave every row */
    bool plan_only;
    taco__query_columns plan_order; /* then: columns that they would have been ordered by */
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

/* How values of the type are held; in every comparison of a sort. */
TACO__INLINE taco__physical_type taco__sql_type_physical(const taco__sql_type *t)
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

TACO__FN size_t taco__sql_type_physical_size(taco__physical_type p);
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b);
TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err);
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err);
TACO__FN void taco__sql_type_text(const taco__sql_type *t, char *text, size_t n);
TACO__FN bool taco__sql_type_has_interval(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_number(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_hugeint(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_datetime(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_infinite(const taco__sql_type *t, int64_t x);
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
TACO__FN void taco__func_arity(taco_bytes name, uint32_t *least, uint32_t *most);
TACO__FN const char *taco__func_nearest(taco_bytes name);
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i);
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n);

/* ---- func_number.c ----
   Called by functions.c, and by aggregates.c for sums. Rows that are null already are skipped. */

TACO__FN TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x);
TACO__FN bool taco__func_number_run(taco__func_call *x);

/* ---- aggregates.c ----
   An aggregate is used in this order: set_result_type when it is bound; then for every batch
   reserve (for all groups so far) and add; finish once. The arena holds states and values until
   then; the caller frees a->groups. */

TACO__FN const taco__aggregate_name *taco__aggregate_lookup(taco_bytes name);
TACO__FN uint8_t taco__aggregate_find(taco_bytes name);
TACO__FN int taco__aggregate_compare_keys(const void *ctx, const void *x, const void *y);
TACO__FN const taco__vec *taco__aggregate_values(const taco__aggregate *a);
TACO__FN void taco__aggregate_sort_rows(const taco__vec *v, uint32_t *idx, uint32_t *tmp, size_t n);
TACO__FN bool taco__aggregate_discrete(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err);
TACO__FN bool taco__aggregate_quantile(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err);
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

/* ---- sql_keywords.c ---- */

TACO__FN bool taco__sql_keywords_has(taco_bytes name);

/* ---- sql_expr_text.c ----
   Texts are in the binder's arena. A tree must not be bound yet: binding loses names. */

TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e);
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out);
TACO__FN const char *taco__sql_expr_text_label(taco__bind *b, const taco__sql_expr *e);

/* ---- sql_query_text.c ---- */

TACO__FN bool taco__sql_query_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

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
TACO__FN bool taco__operator_test(taco__executor *x, size_t t, bool alone, taco__vec *cols,
                                  size_t *n);
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n);
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out);
TACO__FN void taco__operator_close(taco__executor *x);

/* ---- hash_join.c ----
   Build once for each table after the first, before any batch is run through it. */

TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t);
TACO__FN size_t taco__hash_join_waiting(const taco__executor *x);
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

TACO__FN taco__executor *taco__planner_new(taco_cursor *c);
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t);
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t);
TACO__FN void taco__planner_qualify(taco__executor *x);
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql);
TACO__FN bool taco__planner_run(taco__executor *x);

/* ---- planner_join.c ----
   Conditions of joins that are written elsewhere; names must be qualified. */

TACO__FN bool taco__planner_join_merge(taco__executor *x, size_t t);
TACO__FN bool taco__planner_join_reorder(taco__executor *x);
TACO__FN bool taco__planner_join_take_where(taco__executor *x);

/* ---- subquery.c ----
   A cursor that is opened here lives until its plan is closed. */

TACO__FN taco_cursor *taco__subquery_open(taco__executor *outer, const taco__sql_select *s);
TACO__FN taco_field *taco__subquery_fields(taco__executor *x, size_t t, const taco_field *from,
                                           size_t n);
TACO__FN bool taco__subquery_is_outer(taco__bind *b, const taco__sql_expr *e);
TACO__FN bool taco__subquery_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__subquery_value(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);
TACO__FN bool taco__subquery_contains(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);

/* ---- range_table.c ---- */

TACO__FN bool taco__range_table_parse(taco__parser *p, taco__sql_table_ref *f);
TACO__FN bool taco__range_table_plan(taco__executor *x);

/* ---- set_operation.c ---- */

TACO__FN bool taco__set_operation_put(taco__executor *x, const taco__vec *v, size_t n,
                                      taco_batch *out);
TACO__FN bool taco__set_operation_set_fields(taco__executor *x, const taco__set_operation *o,
                                             size_t n);

TACO__FN bool taco__set_operation_plan(taco__executor *x);

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
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool plan_only,
                                    taco_error *err);
TACO__FN bool taco__view_query_open_plan(taco__view_query *z, const taco_view *v, taco_error *err,
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
/* ==== src/sql/functions.h ==== */
/* functions.h - functions and aggregates beyond the first ones, and what binds them

   What these files offer each other, the table of functions.c and the binder; types are those of
   sql.h. */
#ifndef TACO__SQL_FUNCTIONS_H
#define TACO__SQL_FUNCTIONS_H

/* #include "sql.h" */

/* ---- func_text.c ----
   taco__func_text_row is called for each row, the others for a whole batch. */

TACO__FN size_t taco__func_text_write_char(uint8_t *p, uint32_t c);
TACO__FN uint32_t taco__func_text_upper_char(uint32_t c);
TACO__FN size_t taco__func_text_length(taco_bytes s);
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to);
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_text_like(taco__func_call *x);
TACO__FN bool taco__func_text_to_number(taco__func_call *x);
TACO__FN bool taco__func_text_concat(taco__func_call *x);

/* ---- func_date.c ---- Parts are found by name once, when a call is bound; the result is kept
   in taco__func_call.plan. */

TACO__FN int64_t taco__func_date_iso_week(int64_t day, int64_t *year);
TACO__FN int taco__func_date_find_part(taco_bytes b);
TACO__FN int taco__func_date_boundary(int part);
TACO__FN const char *taco__func_day_name(int64_t day);
TACO__FN const char *taco__func_month_name(int64_t month);
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_date_add_days(taco__func_call *x);
TACO__FN bool taco__func_date_add(taco__func_call *x);

/* ---- func_list.c ----
   Lists of any type; the slice of a text is here too. */

TACO__FN bool taco__func_list_element(taco__func_call *x);
TACO__FN bool taco__func_list_slice(taco__func_call *x);
TACO__FN bool taco__func_list_run(taco__func_call *x);

TACO__FN bool taco__func_set_text(taco__func_call *x, size_t i, taco_bytes s);

/* ---- func_geometry.c ----
   taco__func_geo_parse_box is pushdown.c's way to see a constant box. */

TACO__FN bool taco__func_geo_parse_box(taco_bytes s, double box[4]);
TACO__FN bool taco__func_geo_run(taco__func_call *x);
TACO__FN bool taco__func_geo_measure(taco__func_call *x);

/* ---- func_math.c ---- */

TACO__FN double taco__func_math_log2(double x);
TACO__FN bool taco__func_math_run(taco__func_call *x);

/* ---- func_string.c, func_bits.c, func_hash.c ---- */

TACO__FN bool taco__func_string_run(taco__func_call *x);
TACO__FN bool taco__func_bits_run(taco__func_call *x);
TACO__FN bool taco__func_hash_row(taco__func_call *x, size_t i);

/* ---- func_format.c, func_strftime.c, func_strptime.c ----
   Bound: arguments have types that they lay out. */

TACO__FN bool taco__func_format_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_format_run(taco__func_call *x);
TACO__FN TACO__COLD bool taco__func_strftime_fail(taco_bytes format, taco_error *err);
TACO__FN bool taco__func_strptime_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_strptime_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_strftime_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_strftime_run(taco__func_call *x);
TACO__FN bool taco__func_clock_bind(taco__bind *b, taco__sql_expr *e, bool *done);
TACO__FN bool taco__func_instant_row(taco__func_call *x, size_t i);

/* ---- func_regex.c ---- Patterns are compiled when a call is bound, where they are constant. */

TACO__FN bool taco__func_regex_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_regex_run(taco__func_call *x);

/* ---- func_list_make.c, func_list_parts.c ----
   taco__func_list_make puts lists together, taco__func_list_part takes them apart; the others are
   how both make a list. */

/* Lists that a call makes, row by row, of elements of a pile. */
typedef struct taco__func_list_out {
    taco__func_call *x;
    taco__buf picks; /* uint32_t: elements of the pile */
    size_t n, begun; /* picks, and those of lists that are complete */
} taco__func_list_out;

TACO__FN void taco__func_list_begin(taco__func_call *x, taco__func_list_out *o);
TACO__FN bool taco__func_list_reserve(taco__func_list_out *o, uint64_t n);
TACO__FN bool taco__func_list_push(taco__func_list_out *o, uint32_t at);
TACO__FN bool taco__func_list_push_span(taco__func_list_out *o, uint32_t at, uint32_t len);
TACO__FN void taco__func_list_end(taco__func_list_out *o, size_t i);
TACO__FN bool taco__func_list_drop(taco__func_list_out *o);
TACO__FN bool taco__func_list_finish(taco__func_list_out *o, const taco__vec *pile);
TACO__FN bool taco__func_list_push_text(taco__arena *arena, taco__vec_builder *pile, taco_bytes s,
                                        taco_error *err);
TACO__FN int taco__vec_compare_sorted(const taco__vec *v, size_t i, size_t j, uint8_t flags);
TACO__FN bool taco__func_list_make(taco__func_call *x);
TACO__FN bool taco__func_list_part(taco__func_call *x);

/* ---- aggregate_set.c ----
   Aggregates of all values of a group, idx[0..n) of taco__aggregate_values(a), without nulls that
   the aggregate does not take; the result is appended to out. tmp has room for n. */

TACO__FN bool taco__aggregate_set_takes(taco__aggregate *a);
TACO__FN bool taco__aggregate_set_run(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                      uint32_t *tmp, size_t n, taco__vec_builder *out,
                                      taco_error *err);

/* ---- bind_aggregate.c ----
   What is told apart before an aggregate is computed: constants among its arguments, its result,
   the struct of several arguments. */

TACO__FN bool taco__bind_aggregate_options(taco__bind *b, const taco__sql_expr *e, uint32_t first,
                                           taco__aggregate *a);
TACO__FN bool taco__bind_aggregate_result(taco__bind *b, taco__aggregate *a);
TACO__FN bool taco__bind_aggregate_pack(taco__bind *b, taco__sql_expr *e, taco__aggregate *a,
                                        taco__sql_expr **arg);

/* ---- bind_list.c ----
   Types of lists, structs and maps, and calls of their functions, whose operands are bound. */

TACO__FN bool taco__bind_list_of(taco__bind *b, const taco__sql_type *element, taco__sql_type *out);
TACO__FN bool taco__bind_list_map(taco__bind *b, const taco__sql_type *key,
                                  const taco__sql_type *value, taco__sql_type *out);
TACO__FN bool taco__bind_list_settle(taco__bind *b, const taco__sql_type *t, taco__sql_type *out);
TACO__FN bool taco__bind_list_common(taco__bind *b, const taco__sql_type *x,
                                     const taco__sql_type *y, bool compare, taco__sql_type *out);
TACO__FN taco__sql_type taco__bind_list_float(const taco__sql_type *x, const taco__sql_type *y);
TACO__FN bool taco__bind_list_null(taco__bind *b, taco__sql_expr *e, taco__sql_type t);
TACO__FN bool taco__bind_list_step(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_list(taco__bind *b, taco__sql_expr *e, const taco__func *f);

#endif /* TACO__SQL_FUNCTIONS_H */
/* ==== src/sql/sql_type.c ==== */
/* sql_type.c - types of SQL: from and to Arrow fields, names, forms of values

   A taco__sql_type is a taco__scalar_type with what nests in it. Several types share one physical
   form (taco__sql_type_physical), so that each operation is written for five forms and not for
   twenty-five types. HUGEINT is a DECIMAL of precision 39, and a GEOMETRY a BINARY with `geo` set:
   Arrow has neither. Names are those of DuckDB's typeof. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

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
    /* a map whose keys may be null is a list of pairs to Arrow */
    out->null_keys = f->type == TACO_MAP && f->child_count && f->children[0].child_count &&
                     f->children[0].children[0].nullable;
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

/* What a field of a map is, as Arrow has it: its pairs and their keys are never null. */
typedef enum taco__sql_type_role {
    TACO__SQL_TYPE_ANY = 0,
    TACO__SQL_TYPE_PAIRS,
    TACO__SQL_TYPE_KEY
} taco__sql_type_role;

/* taco__sql_type_to_field, also for what is within a map. */
static bool taco__sql_type_fill_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco__sql_type_role role, taco_field *out, taco_error *err)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 16, 4, 8, 8};
    taco_field *kids;
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->name = name;
    out->type = t->t.id;
    out->unit = t->t.unit;
    out->utc = t->t.utc;
    out->nullable = role == TACO__SQL_TYPE_ANY;
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
        taco__sql_type_role kid = t->t.id == TACO_MAP && !t->null_keys     ? TACO__SQL_TYPE_PAIRS
                                  : role == TACO__SQL_TYPE_PAIRS && i == 0 ? TACO__SQL_TYPE_KEY
                                                                           : TACO__SQL_TYPE_ANY;
        if (!taco__sql_type_fill_field(arena, &t->kids[i], t->names ? t->names[i] : "item", kid,
                                       &kids[i], err)) {
            return false;
        }
    }
    return kids != NULL;
}

/* The Arrow field of a result of the type; HUGEINT is DECIMAL(38, 0) there. Children are in the
   arena, names are borrowed. */
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err)
{
    return taco__sql_type_fill_field(arena, t, name, TACO__SQL_TYPE_ANY, out, err);
}

/* The name of a field, in quotes where it needs them. */
static void taco__sql_type_format_name(taco__fmt *f, const char *name)
{
    const uint8_t *c = (const uint8_t *)name;
    bool plain = !taco__lex_is_digit(*c) && !taco__sql_keywords_has(taco__bytes_text(name));
    for (; plain && *c; c++) {
        plain = (taco__lex_is_letter(*c) && *c < 0x80) || taco__lex_is_digit(*c);
    }
    if (plain) {
        taco__fmt_text(f, name);
        return;
    }
    taco__fmt_char(f, '"');
    for (c = (const uint8_t *)name; *c; c++) {
        if (*c == '"') { taco__fmt_char(f, '"'); }
        taco__fmt_char(f, (char)*c);
    }
    taco__fmt_char(f, '"');
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
    } else if (t->t.id == TACO_MAP && t->kids[0].count == 2) {
        taco__fmt_text(f, "MAP(");
        taco__sql_type_format(&t->kids[0].kids[0], f);
        taco__fmt_text(f, ", ");
        taco__sql_type_format(&t->kids[0].kids[1], f);
        taco__fmt_char(f, ')');
    } else if (t->t.id == TACO_STRUCT) {
        taco__fmt_text(f, "STRUCT(");
        for (i = 0; i < t->count; i++) {
            taco__fmt_text(f, i ? ", " : "");
            if (t->names[i][0]) {
                taco__sql_type_format_name(f, t->names[i]);
                taco__fmt_char(f, ' ');
            }
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

/* Whether values of the type are or hold intervals, which columns may store and nothing here
   compares or hands out. */
TACO__FN bool taco__sql_type_has_interval(const taco__sql_type *t)
{
    uint32_t i;
    for (i = 0; i < t->count; i++) {
        if (taco__sql_type_has_interval(&t->kids[i])) { return true; }
    }
    return t->t.id == TACO_INTERVAL;
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

/* Whether x is one of the two infinities of DuckDB's DATE and TIMESTAMP, one later than every date
   and one earlier. They are the ends of the range of values, so that comparisons need not know of
   them; calendars and units must. */
TACO__FN bool taco__sql_type_is_infinite(const taco__sql_type *t, int64_t x)
{
    int64_t end = t->t.id == TACO_DATE ? INT32_MAX : INT64_MAX;
    return taco__sql_type_is_datetime(t) && (x >= end || x <= -end);
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

/* The level that the name of a table means: data, level0 ... level5 or l0 ... l5. Whether the
   dataset has it is the planner's to say. */
static bool taco__sql_parse_level(taco__parser *p, taco__sql_table_ref *f)
{
    /* l3: flat, with one letter before the digit; level3: plain */
    size_t digits = f->name.len ? f->name.len - 1 : 0;
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
    return true;
}

/* What FROM names: a query in parentheses, a table of WITH, or a level. */
static bool taco__sql_parse_source(taco__parser *p, taco__sql_table_ref *f)
{
    if (taco__lex_is_sign(&p->lex, "(")) {
        if (!taco__sql_parse_begins_query(p)) {
            taco__parse_fail(p, p->lex.at, "joins in parentheses are not supported");
            return false;
        }
        f->query = taco__parse_next(p) ? taco__sql_parse_query(p) : NULL;
        return f->query && taco__parse_expect(p, ")");
    }
    if (taco__lex_is_word(&p->lex, "lateral")) {
        taco__parse_fail(p, p->lex.at, "LATERAL is not supported, " TACO__SQL_USE_DUCKDB);
        return false;
    }
    if (!taco__sql_parse_name(p, false, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a table: data, level0 ... level5, l0 ... l5");
        return false;
    }
    if (taco__lex_is_sign(&p->lex, "(") && (taco__ascii_is_word(f->name, "range") ||
                                            taco__ascii_is_word(f->name, "generate_series"))) {
        return taco__range_table_parse(p, f);
    }
    /* read_parquet(...) and schema.table exist in DuckDB */
    if (taco__lex_is_sign(&p->lex, "(") || taco__lex_is_sign(&p->lex, ".")) {
        taco__parse_fail(p, p->lex.at, "table functions and schemas are not supported");
        return false;
    }
    return taco__sql_parse_find_with(p, f) && (f->query || taco__sql_parse_level(p, f));
}

/* Makes a level the query SELECT * FROM level, whose columns may be renamed. */
static bool taco__sql_parse_wrap_level(taco__parser *p, taco__sql_table_ref *f)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    if (!s) { return false; }
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at);
    s->from[s->from_count++] = *f;
    f->query = s;
    f->name = taco__bytes_of(NULL, 0);
    return taco__sql_expr_add_child(p, s->items, taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, f->at));
}

/* A table of FROM and its alias, which may name its columns. */
static bool taco__sql_parse_table(taco__parser *p, taco__sql_table_ref *f)
{
    f->at = p->lex.at;
    if (!taco__sql_parse_source(p, f)) { return false; }
    f->alias = f->name;
    if (f->query) { f->name = taco__bytes_of(NULL, 0); } /* it is no level of that name */
    if (taco__parse_accept_word(p, "as")) {
        if (!taco__sql_parse_name(p, false, &f->alias)) {
            taco__lex_fail_expected(&p->lex, "a name behind AS");
            return false;
        }
    } else {
        taco__sql_parse_name(p, false, &f->alias);
    }
    if (taco__parse_is_ok(p) && f->alias.len && taco__lex_is_sign(&p->lex, "(")) {
        if (!f->query && !taco__sql_parse_wrap_level(p, f)) { return false; }
        f->columns = taco__sql_parse_names(p);
    }
    return taco__parse_is_ok(p);
}

/* The words between two tables: *joined is whether there are any. CROSS and a comma have no
   ON. Joins that are not taken are refused by their word. */
static bool taco__sql_parse_join_words(taco__parser *p, taco__sql_table_ref *f, bool *joined)
{
    static const char *const refused[] = {"right", "full", "asof", "positional", "tablesample"};
    size_t i;
    for (i = 0; i < TACO__COUNT(refused); i++) {
        if (taco__lex_is_word(&p->lex, refused[i])) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at,
                       "%s joins are not supported, only [INNER], LEFT, SEMI, ANTI and CROSS",
                       refused[i]);
            return false;
        }
    }
    *joined = true;
    if (taco__parse_accept(p, ",")) {
        f->cross = true;
        return true;
    }
    if (taco__parse_accept_word(p, "cross")) {
        f->cross = true;
        return taco__parse_expect(p, "join");
    }
    f->natural = taco__parse_accept_word(p, "natural");
    f->left = taco__parse_accept_word(p, "left");
    f->semi = taco__parse_accept_word(p, "semi");
    f->anti = !f->semi && taco__parse_accept_word(p, "anti");
    if (f->semi || f->anti) {
        f->left = true; /* no row of its own table is needed */
    } else if (f->left) {
        taco__parse_accept_word(p, "outer");
    } else if (!taco__parse_accept_word(p, "inner") && !taco__lex_is_word(&p->lex, "join")) {
        *joined = f->natural;
        return !*joined || taco__parse_expect(p, "join");
    }
    return taco__parse_expect(p, "join");
}

/* FROM and its joins. */
static bool taco__sql_parse_from(taco__parser *p, taco__sql_select *s)
{
    bool joined;
    if (!taco__sql_parse_table(p, &s->from[s->from_count++])) { return false; }
    for (;;) {
        taco__sql_table_ref f;
        memset(&f, 0, sizeof f);
        if (!taco__sql_parse_join_words(p, &f, &joined)) { return false; }
        if (!joined) { return taco__parse_is_ok(p); }
        if (s->from_count == TACO__SQL_MAX_TABLES) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u tables",
                       TACO__U(TACO__SQL_MAX_TABLES));
            return false;
        }
        if (!taco__sql_parse_table(p, &f)) { return false; }
        if (taco__parse_accept_word(p, "using")) {
            f.merged = taco__sql_parse_names(p);
            if (!f.merged) { return false; }
        } else if (!f.cross && !f.natural) {
            f.on = taco__parse_expect(p, "on") ? taco__parse_expr(p, TACO__BINDS_OR) : NULL;
            if (!f.on) { return false; }
        }
        s->from[s->from_count++] = f;
    }
}

/* GROUP BY, after GROUP. */
static bool taco__sql_parse_groups(taco__parser *p, taco__sql_select *s)
{
    uint32_t i;
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
        taco__sql_expr *e = taco__parse_expr(p, TACO__BINDS_OR);
        /* GROUP BY (a, b) is GROUP BY a, b */
        bool row =
            e && e->kind == TACO__SQL_EXPR_CALL && e->tries && taco__ascii_is_word(e->name, "row");
        for (i = 0; row && i < e->n; i++) {
            if (!taco__sql_expr_add_child(p, s->groups, e->kid[i])) { return false; }
        }
        if (!row && !taco__sql_expr_add_child(p, s->groups, e)) { return false; }
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

/* A number of rows: a literal, or an expression, which is computed when the query is planned. */
static bool taco__sql_parse_rows(taco__parser *p, uint64_t *rows, taco__sql_expr **expr)
{
    taco__sql_expr *e;
    taco_bytes text = p->lex.text;
    if (p->lex.kind == TACO__TOK_NUMBER && p->lex.end < text.len && text.data[p->lex.end] == '%') {
        taco__parse_fail(p, p->lex.at, "a percentage of the rows is not supported");
        return false;
    }
    e = taco__parse_expr(p, TACO__BINDS_OR);
    if (!e) { return false; }
    if (e->kind == TACO__SQL_EXPR_CONST && e->literal == 1 && !e->neg &&
        taco__i256_is_i64(&e->value.d)) {
        *rows = e->value.d.w[0];
        *expr = NULL;
    } else {
        *expr = e;
    }
    return true;
}

/* LIMIT and OFFSET, in either order. */
static bool taco__sql_parse_limits(taco__parser *p, taco__sql_select *s)
{
    int i;
    for (i = 0; i < 2 && taco__parse_is_ok(p); i++) {
        if (taco__parse_accept_word(p, "limit")) {
            if (taco__parse_accept_word(p, "all")) { continue; }
            s->has_limit = true;
            if (!taco__sql_parse_rows(p, &s->limit, &s->limit_expr)) { return false; }
        } else if (taco__parse_accept_word(p, "offset")) {
            if (!taco__sql_parse_rows(p, &s->offset, &s->offset_expr)) { return false; }
            if (!taco__parse_accept_word(p, "rows")) { taco__parse_accept_word(p, "row"); }
        }
    }
    return taco__parse_is_ok(p);
}

/* ORDER BY, LIMIT and OFFSET: what may follow a SELECT or several. */
TACO__FN bool taco__sql_parse_end(taco__parser *p, taco__sql_select *s)
{
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "order") &&
        !taco__sql_parse_order(p, s)) {
        return false;
    }
    return taco__parse_is_ok(p) && taco__sql_parse_limits(p, s);
}

/* The end of the text, after a semicolon if there is one. Clauses that could follow in DuckDB are
   refused by name. */
static bool taco__sql_parse_end_of_text(taco__parser *p)
{
    static const char *const known[] = {"using", "select", "sample", "tablesample", "fetch", "for"};
    size_t k;
    taco__parse_accept(p, ";");
    if (!taco__parse_is_ok(p) || p->lex.kind == TACO__TOK_END) { return taco__parse_is_ok(p); }
    for (k = 0; k < TACO__COUNT(known); k++) {
        if (taco__lex_is_word(&p->lex, known[k])) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%s is not supported here", known[k]);
        }
    }
    taco__lex_fail_expected(&p->lex, "the end of the query");
    return false;
}

/* SELECT and its list; without one, as in FROM data, it is that of *. */
static bool taco__sql_parse_list(taco__parser *p, taco__sql_select *s)
{
    if (!taco__parse_accept_word(p, "select")) {
        s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
        return taco__sql_expr_add_child(p, s->items,
                                        taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, p->lex.at));
    }
    s->distinct = taco__parse_accept_word(p, "distinct");
    if (s->distinct && taco__lex_is_word(&p->lex, "on")) {
        taco__parse_fail(p, p->lex.at, "DISTINCT ON is not supported, " TACO__SQL_USE_DUCKDB);
        return false;
    }
    /* SELECT ALL is SELECT */
    if (!s->distinct) { taco__parse_accept_word(p, "all"); }
    return taco__sql_parse_items(p, s);
}

/* The clauses of one SELECT in their order, up to HAVING. FROM may come first, as in DuckDB. */
TACO__FN bool taco__sql_parse_clauses(taco__parser *p, taco__sql_select *s)
{
    bool first = taco__parse_accept_word(p, "from");
    if (!first && !taco__lex_is_word(&p->lex, "select")) {
        taco__parse_expect(p, "select");
        return false;
    }
    if ((first && !taco__sql_parse_from(p, s)) || !taco__sql_parse_list(p, s) ||
        (!first && taco__parse_accept_word(p, "from") && !taco__sql_parse_from(p, s))) {
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
    if (taco__parse_is_ok(p) &&
        (taco__lex_is_word(&p->lex, "window") || taco__lex_is_word(&p->lex, "qualify"))) {
        taco_bytes word = p->lex.raw;
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%q is not supported, " TACO__SQL_USE_DUCKDB,
                   &word);
    }
    return taco__parse_is_ok(p);
}

/* A parser whose nodes are in the arena; max_depth is that of limits, 0 for the default. */
TACO__FN void taco__sql_parse_init(taco__parser *p, taco__arena *arena, uint32_t max_depth,
                                   taco_error *err)
{
    memset(p, 0, sizeof *p);
    p->dialect = taco__sql_parse_expr_dialect();
    p->arena = arena;
    p->err = err;
    p->max_depth = max_depth ? max_depth : 200;
    p->max_depth = TACO__MIN(p->max_depth, 1000);
}

/* Parses a query into *out, which lives as long as the arena and the text: names are borrowed from
   both. False with SYNTAX and the column, LIMIT (max_depth is that of limits, 0 for the default) or
   MEMORY. */
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *out, taco_error *err)
{
    taco__parser p;
    taco__sql_select *s;
    taco__sql_parse_init(&p, arena, max_depth, err);
    if (len > TACO__SQL_MAX_TEXT) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a query of %u bytes, %u are the most",
                   TACO__U(len), TACO__U(TACO__SQL_MAX_TEXT));
        return false;
    }
    s = taco__lex_init(&p.lex, text, len, err) ? taco__sql_parse_plain(&p) : NULL;
    if (!s || !taco__sql_parse_end_of_text(&p)) { return false; }
    *out = *s;
    out->nested = p.queries > 1;
    return true;
}
/* ==== src/sql/sql_parse_query.c ==== */
/* sql_parse_query.c - parser of what may hold several SELECTs

   WITH, UNION, INTERSECT, EXCEPT, VALUES, and queries in parentheses, in FROM and in expressions.
   Start at taco__sql_parse_query; the clauses of one SELECT are sql_parse.c's.

   UNION and its kin become a select with `set` and two operands. An ORDER BY after one sorts the
   whole: the set becomes the table of SELECT * FROM (set) ORDER BY ..., so that sorting has one
   form. A table of WITH is parsed where FROM names it, each time anew from where its text begins,
   as trees are bound in place; of a query in an expression, which may be copied, only the place of
   its text is kept, and taco__sql_parse_nested reads it when it is bound.

   Example: WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION SELECT 2 ORDER BY x is SELECT * FROM
   (set of SELECT x FROM (SELECT 1 AS x) AS a and SELECT 2) ORDER BY x. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- selects ---- */

/* An empty select. They are counted: names of WITH that use each other twice would make a text of
   n lines 2^n of them. */
TACO__FN taco__sql_select *taco__sql_parse_new_select(taco__parser *p)
{
    if (++p->queries > TACO__SQL_MAX_QUERIES) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u SELECTs in a query",
                   TACO__U(TACO__SQL_MAX_QUERIES));
        return NULL;
    }
    return (taco__sql_select *)taco__arena_alloc(p->arena, sizeof(taco__sql_select), p->err);
}

/* SELECT * FROM (s), whose columns keep their names, equal ones too. */
static taco__sql_select *taco__sql_parse_wrap(taco__parser *p, taco__sql_select *s)
{
    taco__sql_select *out = taco__sql_parse_new_select(p);
    if (!out) { return NULL; }
    out->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
    out->from_count = 1;
    out->from[0].query = s;
    out->from[0].keeps_names = true;
    return taco__sql_expr_add_child(p, out->items, taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, 0))
               ? out
               : NULL;
}

/* (a, b), a list of names, as COLUMN operands of a node. */
TACO__FN taco__sql_expr *taco__sql_parse_names(taco__parser *p)
{
    taco__sql_expr *list = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at), *c;
    if (!list || !taco__parse_expect(p, "(")) { return NULL; }
    do {
        c = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, p->lex.at);
        if (!c || !taco__sql_parse_name(p, true, &c->name)) {
            return taco__parse_fail_expected(p, "the name of a column");
        }
        if (!taco__sql_expr_add_child(p, list, c)) { return NULL; }
    } while (taco__parse_accept(p, ","));
    return taco__parse_expect(p, ")") ? list : NULL;
}

/* VALUES (a, b), (c, d), after the word. */
static taco__sql_select *taco__sql_parse_values(taco__parser *p)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    if (!s) { return NULL; }
    s->set = TACO__SQL_SET_VALUES;
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
    do {
        taco__sql_expr *row = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
        if (!row || !taco__parse_expect(p, "(")) { return NULL; }
        do {
            if (!taco__sql_expr_add_child(p, row, taco__parse_expr(p, TACO__BINDS_OR))) {
                return NULL;
            }
        } while (taco__parse_accept(p, ","));
        if (!taco__parse_expect(p, ")") || !taco__sql_expr_add_child(p, s->items, row)) {
            return NULL;
        }
        if (row->n != s->items->kid[0]->n) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, row->at, "a row of %u VALUES, the first has %u",
                       TACO__U(row->n), TACO__U(s->items->kid[0]->n));
            return NULL;
        }
    } while (taco__parse_accept(p, ","));
    return s;
}

/* An operand of UNION: a SELECT, VALUES, TABLE name or a query in parentheses. */
static taco__sql_select *taco__sql_parse_operand(taco__parser *p)
{
    taco__sql_select *s;
    if (taco__parse_accept(p, "(")) {
        s = taco__sql_parse_query(p);
        return s && taco__parse_expect(p, ")") ? s : NULL;
    }
    if (taco__parse_accept_word(p, "values")) { return taco__sql_parse_values(p); }
    s = taco__sql_parse_new_select(p);
    return s && taco__sql_parse_clauses(p, s) ? s : NULL;
}

/* The operator between two SELECTs at the token, and how strongly it binds; 0 for none. */
static int taco__sql_parse_find_set(const taco__parser *p, taco__sql_set *set)
{
    *set = taco__lex_is_word(&p->lex, "union")       ? TACO__SQL_SET_UNION
           : taco__lex_is_word(&p->lex, "except")    ? TACO__SQL_SET_EXCEPT
           : taco__lex_is_word(&p->lex, "intersect") ? TACO__SQL_SET_INTERSECT
                                                     : TACO__SQL_SET_NONE;
    return *set == TACO__SQL_SET_INTERSECT ? 2 : *set != TACO__SQL_SET_NONE;
}

/* SELECTs with operators that bind at least as strongly as `least`. INTERSECT binds more strongly
   than the others; equal ones go from left to right. */
static taco__sql_select *taco__sql_parse_sets(taco__parser *p, int least)
{
    taco__sql_select *s = taco__sql_parse_operand(p), *out;
    taco__sql_set set;
    int strength;
    while (s && (strength = taco__sql_parse_find_set(p, &set)) >= least && strength > 0) {
        size_t at = p->lex.at;
        out = taco__sql_parse_new_select(p);
        if (!out || !taco__parse_next(p)) { return NULL; }
        out->set = set;
        out->set_at = at;
        out->set_all = taco__parse_accept_word(p, "all");
        if (!out->set_all) { taco__parse_accept_word(p, "distinct"); }
        if (taco__parse_accept_word(p, "by")) {
            if (!taco__parse_expect(p, "name")) { return NULL; }
            out->by_name = true;
        }
        out->left = s;
        out->right = taco__sql_parse_sets(p, strength + 1);
        s = out->right ? out : NULL;
    }
    return s;
}

/* ---- WITH ---- */

/* name [(columns)] AS [NOT MATERIALIZED] (query): the query is parsed for its mistakes, and again
   where it is named. It does not see its own name, which no other table of the same WITH has:
   those down to `first`. */
static bool taco__sql_parse_with_table(taco__parser *p, const void *first, bool recursive)
{
    const taco__sql_with *before = (const taco__sql_with *)p->scope, *other;
    taco__sql_with *w = (taco__sql_with *)taco__arena_alloc(p->arena, sizeof *w, p->err);
    if (!w) { return false; }
    if (!taco__sql_parse_name(p, false, &w->name)) {
        taco__lex_fail_expected(&p->lex, "a name behind WITH");
        return false;
    }
    for (other = before; other != first; other = other->outer) {
        if (taco__bind_names_equal(other->name, w->name)) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "WITH has two tables %q", &w->name);
            return false;
        }
    }
    if (taco__lex_is_sign(&p->lex, "(")) {
        w->columns = taco__sql_parse_names(p);
        if (!w->columns) { return false; }
    }
    if (!taco__parse_expect(p, "as")) { return false; }
    taco__parse_accept_word(p, "not");
    taco__parse_accept_word(p, "materialized");
    if (!taco__parse_expect(p, "(")) { return false; }
    w->outer = before;
    w->lex = p->lex;
    w->open = recursive;
    p->scope = recursive ? w : before;
    if (!taco__sql_parse_query(p) || !taco__parse_expect(p, ")")) { return false; }
    w->open = false;
    p->scope = w;
    return true;
}

/* The tables of WITH, after the word. */
static bool taco__sql_parse_with(taco__parser *p)
{
    bool recursive = taco__parse_accept_word(p, "recursive");
    const void *first = p->scope;
    do {
        if (!taco__sql_parse_with_table(p, first, recursive)) { return false; }
    } while (taco__parse_accept(p, ","));
    return true;
}

/* Gives a table of FROM the query that WITH has under its name, if it has one; false on an
   error. */
TACO__FN bool taco__sql_parse_find_with(taco__parser *p, taco__sql_table_ref *f)
{
    const taco__sql_with *w = (const taco__sql_with *)p->scope, *scope = w;
    taco__lexer after = p->lex;
    while (w && !taco__bind_names_equal(w->name, f->name)) {
        w = w->outer;
    }
    if (!w) { return true; }
    if (w->open) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at,
                   "%q names itself: recursive queries are not supported, " TACO__SQL_USE_DUCKDB,
                   &f->name);
        return false;
    }
    p->lex = w->lex;
    p->scope = w->outer;
    f->query = taco__sql_parse_query(p);
    f->with_columns = w->columns;
    p->scope = scope;
    p->lex = after;
    return f->query != NULL;
}

/* ---- queries ---- */

/* Whether the token begins a query, as after an opening parenthesis. */
TACO__FN bool taco__sql_parse_begins_query(const taco__parser *p)
{
    taco__lexer ahead = p->lex;
    while (taco__lex_is_sign(&ahead, "(") && taco__lex_next(&ahead)) {}
    return taco__lex_is_word(&ahead, "select") || taco__lex_is_word(&ahead, "with") ||
           taco__lex_is_word(&ahead, "from") ||
           (taco__lex_is_word(&ahead, "values") && taco__lex_next(&ahead) &&
            taco__lex_is_sign(&ahead, "("));
}

/* [WITH ...] SELECT ... [UNION ...] [ORDER BY ...] [LIMIT ...], up to the token after it; NULL on
   failure. The result may be a set, which taco__sql_parse_plain makes a SELECT. */
TACO__FN taco__sql_select *taco__sql_parse_query(taco__parser *p)
{
    const void *scope = p->scope;
    bool open;
    taco__sql_select *s;
    if (++p->depth > p->max_depth) {
        taco__parse_fail_depth(p);
        return NULL;
    }
    if (taco__parse_accept_word(p, "with") && !taco__sql_parse_with(p)) { return NULL; }
    open = taco__lex_is_sign(&p->lex, "(");
    s = taco__parse_is_ok(p) ? taco__sql_parse_sets(p, 1) : NULL;
    if (s && (open || s->set != TACO__SQL_SET_NONE) &&
        (taco__lex_is_word(&p->lex, "order") || taco__lex_is_word(&p->lex, "limit") ||
         taco__lex_is_word(&p->lex, "offset"))) {
        s = taco__sql_parse_wrap(p, s);
    }
    if (s && !taco__sql_parse_end(p, s)) { return NULL; }
    p->scope = scope;
    p->depth--;
    return s;
}

/* The same as a SELECT that is no set. */
TACO__FN taco__sql_select *taco__sql_parse_plain(taco__parser *p)
{
    taco__sql_select *s = taco__sql_parse_query(p);
    return s && s->set != TACO__SQL_SET_NONE ? taco__sql_parse_wrap(p, s) : s;
}

/* ---- queries in expressions ---- */

/* A query as an operand, after its parenthesis, up to behind the closing one: of IN with the value
   that is looked for. It is parsed for its mistakes here. */
TACO__FN taco__sql_expr *taco__sql_parse_nested(taco__parser *p, taco__sql_nested kind, size_t at,
                                                taco__sql_expr *value)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_QUERY, at);
    taco__sql_nested_query *q =
        (taco__sql_nested_query *)taco__arena_alloc(p->arena, sizeof *q, p->err);
    size_t begin = p->lex.at, end;
    if (!e || !q || (value && !taco__sql_expr_add_child(p, e, value))) { return NULL; }
    q->lex = p->lex;
    q->scope = (const taco__sql_with *)p->scope;
    e->op = (uint8_t)kind;
    e->plan = q;
    if (!taco__sql_parse_query(p)) { return NULL; }
    for (end = p->lex.at; end > begin && p->lex.text.data[end - 1] <= ' '; end--) {}
    e->name = taco__bytes_of(p->lex.text.data + begin, end - begin);
    return taco__parse_expect(p, ")") ? e : NULL;
}

/* taco__dialect.member: IN (query), after the parenthesis; NULL without an error where it is a
   list. */
TACO__FN taco__sql_expr *taco__sql_parse_member(taco__parser *p, taco__sql_expr *left, bool neg)
{
    taco__sql_expr *e;
    if (!taco__sql_parse_begins_query(p)) { return NULL; }
    e = taco__sql_parse_nested(p, TACO__SQL_NESTED_IN, left->at, left);
    if (e) { e->neg = neg; }
    return e;
}

/* Parses the text of a query in an expression again, in the arena of who plans it. */
TACO__FN taco__sql_select *taco__sql_parse_again(taco__arena *arena,
                                                 const taco__sql_nested_query *q,
                                                 uint32_t max_depth, taco_error *err)
{
    taco__parser p;
    memset(&p, 0, sizeof p);
    taco__sql_parse_init(&p, arena, max_depth, err);
    p.lex = q->lex;
    p.lex.err = err;
    p.scope = q->scope;
    return taco__sql_parse_plain(&p);
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

/* What DuckDB calls a type that was written from byte `from` on, into *out, where that is more than
   its name: DECIMAL without width or scale, VARCHAR with a length, which CHAR has even without
   one. False without memory. */
static bool taco__sql_parse_expr_type_name(taco__parser *p, size_t from, const taco__sql_type *t,
                                           taco_bytes *out)
{
    bool decimal = t->t.id == TACO_DECIMAL && t->t.precision != 39;
    size_t n = p->lex.at > from ? p->lex.at - from : 0, i, k;
    const uint8_t *text = p->lex.text.data + from;
    char name[48];
    taco__fmt f;
    for (i = 0; i < n && text[i] != '('; i++) {}
    if (i == n && n >= 4 && taco__ascii_is_word(taco__bytes_of(text, 4), "char") &&
        (n == 4 || !taco__lex_is_letter(text[4]))) {
        *out = taco__bytes_text("VARCHAR(1)");
        return true;
    }
    for (k = i; k < n && text[k] != ')' && text[k] != ','; k++) {}
    if ((!decimal && (t->t.id != TACO_TEXT || i == n)) || (k < n && text[k] == ',')) {
        return true;
    }
    f.at = name;
    f.end = name + sizeof name;
    *name = 0;
    taco__fmt_text(&f, decimal ? "DECIMAL" : "VARCHAR");
    for (; i < n && i <= k; i++) {
        if (text[i] > ' ') { taco__fmt_char(&f, (char)text[i]); }
    }
    *out = taco__bytes_text(taco__arena_text(p->arena, taco__bytes_text(name), p->err));
    return taco__parse_is_ok(p);
}

/* x AS type, at the type; `until` is the sign that ends it, NULL after ::. */
static taco__sql_expr *taco__sql_parse_expr_cast(taco__parser *p, size_t at, taco__sql_expr *x,
                                                 const char *until, bool tries)
{
    size_t from = p->lex.at;
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), x);
    if (!e || !taco__sql_parse_type(p, &e->to)) { return NULL; }
    if (!taco__sql_parse_expr_type_name(p, from, &e->to, &e->name) ||
        (until && !taco__parse_expect(p, until))) {
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
        if (e->n == 1) { e->neg = taco__lex_is_word(&p->lex, "for"); }
        return taco__parse_next(p);
    }
    return taco__parse_accept(p, ",");
}

/* substring(s FOR n [FROM k]), which e->neg tells, as substring(s, k, n). Without FROM it begins at
   the first character, and DuckDB casts the length. */
static taco__sql_expr *taco__sql_parse_expr_substring(taco__parser *p, taco__sql_expr *e)
{
    taco__sql_type integer = taco__sql_type_simple(TACO_INT32);
    taco__sql_expr *length = e->kid[1], *cast;
    e->neg = false;
    if (e->n == 2) {
        cast = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, length->at),
                                        length);
        if (!cast) { return NULL; }
        cast->to = integer;
        e->kid[1] = taco__sql_expr_new_const(p, length->at, taco__scalar_make_int(TACO_INT32, 1));
        if (!e->kid[1]) { return NULL; }
        e->kid[1]->literal = 1;
        return taco__sql_expr_add_child(p, e, cast);
    }
    e->kid[1] = e->kid[2];
    e->kid[2] = length;
    return e;
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

/* The directions of a sort key after it: see taco__sql_expr.sort_flags. */
static bool taco__sql_parse_expr_direction(taco__parser *p, uint8_t *flags)
{
    *flags = taco__parse_accept_word(p, "desc") ? 1 : 0;
    if (!*flags && taco__parse_accept_word(p, "asc")) { *flags = 8; }
    if (!taco__parse_accept_word(p, "nulls")) { return taco__parse_is_ok(p); }
    if (taco__parse_accept_word(p, "first")) {
        *flags |= 2;
        return true;
    }
    *flags |= 4;
    return taco__parse_expect(p, "last");
}

/* ORDER BY among the arguments of an aggregate, at ORDER: its keys become the last operands. */
static bool taco__sql_parse_expr_sorts(taco__parser *p, taco__sql_expr *e)
{
    if (!taco__parse_expect(p, "order") || !taco__parse_expect(p, "by")) { return false; }
    e->sort_flags = (uint8_t *)taco__arena_alloc(p->arena, TACO__AGGREGATE_MAX_SORTS, p->err);
    do {
        if (e->sorts == TACO__AGGREGATE_MAX_SORTS) {
            return taco__parse_fail(p, p->lex.at, "more than 16 keys of ORDER BY") != NULL;
        }
        if (!e->sort_flags ||
            !taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR)) ||
            !taco__sql_parse_expr_direction(p, &e->sort_flags[e->sorts])) {
            return false;
        }
        e->sorts++;
    } while (taco__parse_accept(p, ","));
    return taco__parse_is_ok(p);
}

/* name := value or name => value, at the sign: the argument just read was the name. */
static bool taco__sql_parse_expr_named(taco__parser *p, taco__sql_expr *e)
{
    taco__sql_expr *name = e->kid[e->n - 1], *value;
    if (name->kind != TACO__SQL_EXPR_COLUMN || name->table.len || !taco__parse_next(p)) {
        taco__parse_fail(p, name->at, "a named argument begins with its name");
        return false;
    }
    value = taco__parse_expr(p, TACO__BINDS_OR);
    if (!value) { return false; }
    value->alias = name->name;
    e->kid[e->n - 1] = value;
    e->depth = TACO__MAX(e->depth, value->depth + 1);
    return true;
}

/* [a, b, ...], after the bracket: a call of list_value, which its column is called too. */
static taco__sql_expr *taco__sql_parse_expr_list(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
    if (!e) { return NULL; }
    e->name = taco__bytes_text("list_value");
    e->tries = true; /* for its name */
    if (!taco__lex_is_sign(&p->lex, "]")) {
        do {
            if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) {
                return NULL;
            }
            if (taco__lex_is_word(&p->lex, "for")) {
                return taco__parse_fail(p, p->lex.at, TACO__SQL_NO_LAMBDA);
            }
        } while (taco__parse_accept(p, ","));
    }
    return taco__parse_expect(p, "]") ? e : NULL;
}

/* {'a': 1, b: 2}, after the bracket: a call of struct_pack. */
static taco__sql_expr *taco__sql_parse_expr_struct(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *value;
    if (!e) { return NULL; }
    e->name = taco__bytes_text("struct_pack");
    e->tries = true;
    do {
        taco_bytes key;
        if (p->lex.kind == TACO__TOK_STRING) {
            if (!taco__lex_unquote(&p->lex, p->arena, &key) || !taco__parse_next(p)) {
                return NULL;
            }
        } else if (!taco__sql_parse_name(p, true, &key)) {
            return taco__parse_fail_expected(p, "the name of a field");
        }
        if (!taco__parse_expect(p, ":")) { return NULL; }
        value = taco__parse_expr(p, TACO__BINDS_OR);
        if (!taco__sql_expr_add_child(p, e, value)) { return NULL; }
        value->alias = key;
    } while (taco__parse_accept(p, ","));
    return taco__parse_expect(p, "}") ? e : NULL;
}

/* (a, b, ...), after a: a row, which is a struct whose fields have no names. */
static taco__sql_expr *taco__sql_parse_expr_row(taco__parser *p, size_t at, taco__sql_expr *first)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), first);
    if (!e) { return NULL; }
    e->name = taco__bytes_text("row");
    e->tries = true;
    while (taco__parse_accept(p, ",")) {
        if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) { return NULL; }
    }
    return taco__parse_expect(p, ")") ? e : NULL;
}

/* MAP {key: value, ...}, after the bracket: map([key, ...], [value, ...]). */
static taco__sql_expr *taco__sql_parse_expr_map(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *side[2];
    size_t i;
    for (i = 0; e && i < 2; i++) {
        side[i] = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
        if (!side[i]) { return NULL; }
        side[i]->name = taco__bytes_text("list_value");
        side[i]->tries = true;
    }
    if (!e) { return NULL; }
    e->name = taco__bytes_text("map");
    e->tries = true;
    while (!taco__lex_is_sign(&p->lex, "}")) {
        if (!taco__sql_expr_add_child(p, side[0], taco__parse_expr(p, TACO__BINDS_OR)) ||
            !taco__parse_expect(p, ":") ||
            !taco__sql_expr_add_child(p, side[1], taco__parse_expr(p, TACO__BINDS_OR))) {
            return NULL;
        }
        if (!taco__parse_accept(p, ",")) { break; }
    }
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, side[0]), side[1]);
    return taco__parse_expect(p, "}") ? e : NULL;
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
            /* the IN of position(a IN b) is no operator */
            int least = !e->n && taco__ascii_is_word(e->name, "position") ? TACO__BINDS_IN + 1
                                                                          : TACO__BINDS_OR;
            if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, least))) { return NULL; }
            if (taco__lex_is_sign(&p->lex, "=>") || taco__lex_is_sign(&p->lex, ":=")) {
                if (!taco__sql_parse_expr_named(p, e)) { return NULL; }
            }
            if (taco__lex_is_sign(&p->lex, "->")) {
                return taco__parse_fail(p, p->lex.at, TACO__SQL_NO_LAMBDA);
            }
        } while (taco__sql_parse_expr_separator(p, e));
    }
    if (taco__lex_is_word(&p->lex, "order") && !taco__sql_parse_expr_sorts(p, e)) { return NULL; }
    if (!taco__parse_expect(p, ")") ||
        (taco__parse_accept_word(p, "filter") && !taco__sql_parse_expr_filter(p, e))) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "over")) {
        return taco__parse_fail(p, p->lex.at,
                                "window functions (OVER) are not supported, " TACO__SQL_USE_DUCKDB);
    }
    if (taco__lex_is_word(&p->lex, "within")) {
        return taco__parse_fail(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
}

/* The part of a date after EXTRACT: keywords of DuckDB in the singular, others as they were
   written. */
static taco_bytes taco__sql_parse_expr_unit(taco_bytes word)
{
    static const char *const units[][2] = {{"year", "years"},
                                           {"month", "months"},
                                           {"day", "days"},
                                           {"hour", "hours"},
                                           {"minute", "minutes"},
                                           {"second", "seconds"},
                                           {"millisecond", "milliseconds"},
                                           {"microsecond", "microseconds"},
                                           {"week", "weeks"},
                                           {"quarter", "quarters"},
                                           {"decade", "decades"},
                                           {"century", "centuries"},
                                           {"millennium", "millennia"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(units); i++) {
        if (taco__ascii_is_word(word, units[i][0]) || taco__ascii_is_word(word, units[i][1])) {
            return taco__bytes_text(units[i][0]);
        }
    }
    return word;
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
        bool quoted = p->lex.kind == TACO__TOK_STRING;
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__parse_next(p) || !taco__parse_expect(p, "from")) {
            taco__lex_fail_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__bytes_text("date_part");
        e->tries = true;
        unit = quoted ? unit : taco__sql_parse_expr_unit(unit);
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
    if (e && e->neg && e->n > 1) { return taco__sql_parse_expr_substring(p, e); }
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
    if (taco__lex_is_word(&p->lex, "select")) {
        return taco__parse_fail(p, at, "a query in an expression is written in parentheses");
    }
    if (!taco__parse_next(p)) { return NULL; }
    if (taco__ascii_is_word(word, "exists") && taco__lex_is_sign(&p->lex, "(")) {
        return taco__parse_next(p) ? taco__sql_parse_nested(p, TACO__SQL_NESTED_EXISTS, at, NULL)
                                   : NULL;
    }
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
    if (taco__ascii_is_word(word, "map") && taco__parse_accept(p, "{")) {
        return taco__sql_parse_expr_map(p, at);
    }
    e = taco__sql_parse_expr_typed_literal(p, word, at);
    if (e || !taco__parse_is_ok(p)) { return e; }
    if (taco__lex_is_sign(&p->lex, "(") &&
        (!taco__sql_parse_is_reserved(word) || taco__ascii_is_word(word, "left") ||
         taco__ascii_is_word(word, "right"))) {
        return taco__parse_next(p) ? taco__sql_parse_expr_call(p, word, at) : NULL;
    }
    if (taco__ascii_is_word(word, "current_date") ||
        taco__ascii_is_word(word, "current_timestamp") ||
        taco__ascii_is_word(word, "localtimestamp")) { /* calls without parentheses */
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
        if (e) {
            e->name = word;
            e->neg = true; /* for its name */
        }
        return e;
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
        if (!e || !taco__sql_parse_name(p, false, &e->name)) { return NULL; }
        return taco__parse_accept(p, "(") ? taco__sql_parse_expr_call(p, e->name, at) : e;
    case TACO__TOK_NAME: return taco__sql_parse_expr_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__parse_fail(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__parse_accept(p, "(")) {
        if (taco__sql_parse_begins_query(p) && !taco__lex_is_sign(&p->lex, "(")) {
            return taco__sql_parse_nested(p, TACO__SQL_NESTED_SCALAR, at, NULL);
        }
        e = taco__parse_expr(p, TACO__BINDS_OR);
        if (e && taco__lex_is_sign(&p->lex, ",")) { return taco__sql_parse_expr_row(p, at, e); }
        return e && taco__parse_expect(p, ")") ? e : NULL;
    }
    if (taco__parse_accept(p, "[")) { return taco__sql_parse_expr_list(p, at); }
    if (taco__parse_accept(p, "{")) { return taco__sql_parse_expr_struct(p, at); }
    if (taco__parse_accept(p, "*")) {
        return taco__sql_parse_expr_star(p, at, taco__bytes_of(NULL, 0));
    }
    if (taco__parse_is_ok(p)) { taco__lex_fail_expected(&p->lex, "a value"); }
    return NULL;
}

/* An end of a slice, at the sign that follows where it is open. */
static taco__sql_expr *taco__sql_parse_expr_bound(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__lexer before = p->lex;
    taco__sql_expr *e;
    bool minus = taco__parse_accept(p, "-"); /* a lone - is an open end, too */
    if (taco__lex_is_sign(&p->lex, ":") || taco__lex_is_sign(&p->lex, "]")) {
        e = taco__sql_expr_new_const(p, at, taco__scalar_make_null());
        if (e) {
            e->infix = true; /* nothing was written but the - */
            e->neg = minus;
        }
        return e;
    }
    if (!taco__parse_is_ok(p)) { return NULL; }
    p->lex = before;
    return taco__parse_expr(p, TACO__BINDS_OR);
}

/* value[index], value[from:to] or value[from:to:step], after the bracket. */
static taco__sql_expr *taco__sql_parse_expr_index(taco__parser *p, taco__sql_expr *value)
{
    taco__sql_expr *e, *from = taco__sql_parse_expr_bound(p);
    bool slice = from && taco__parse_accept(p, ":");
    e = taco__sql_expr_new(p, slice ? TACO__SQL_EXPR_SLICE : TACO__SQL_EXPR_INDEX, value->at);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, value), from);
    if (slice) { e = taco__sql_expr_add_child(p, e, taco__sql_parse_expr_bound(p)); }
    if (e && slice && taco__parse_accept(p, ":")) {
        e = taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR));
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
    bool parenthesis = taco__lex_is_sign(&p->lex, "(");
    taco__sql_expr *e = taco__sql_parse_expr_primary(p), *first = e, *value;
    while (e && taco__parse_is_ok(p)) {
        size_t at = p->lex.at;
        if (taco__parse_accept(p, ".")) {
            bool star = taco__lex_is_sign(&p->lex, "*");
            value = e;
            e = taco__sql_parse_expr_field(p, e, at);
            if (star) { return e; }
            /* (x).y is called that */
            if (e) { e->tries = parenthesis && value == first; }
        } else if (taco__parse_accept(p, "::")) {
            e = taco__sql_parse_expr_cast(p, e->at, e, NULL, false);
        } else if (taco__parse_accept(p, "[")) {
            e = taco__sql_parse_expr_index(p, e);
        } else if (taco__parse_accept(p, "!")) { /* a factorial */
            e = taco__sql_expr_new_call(p, "!", at, e, NULL);
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
                       : taco__lex_is_sign(&p->lex, "~") ? "~"
                       : taco__lex_is_sign(&p->lex, "@") ? "@"
                                                         : NULL;
    if (!sign) { return taco__sql_parse_expr_postfix(p); }
    if (++p->depth > p->max_depth) { return taco__parse_fail_depth(p); }
    /* signs nest: - - 5 */
    e = taco__parse_next(p) ? taco__sql_parse_expr_unary(p) : NULL;
    p->depth--;
    if (e && *sign == '-' && e->kind == TACO__SQL_EXPR_CONST && !e->infix &&
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
        {"**", TACO__BINDS_POWER},   {"^", TACO__BINDS_POWER},    {"&", TACO__BINDS_VALUE},
        {"|", TACO__BINDS_VALUE},    {"<<", TACO__BINDS_VALUE},   {">>", TACO__BINDS_VALUE},
        {"^@", TACO__BINDS_VALUE},   {"@>", TACO__BINDS_VALUE},   {"<@", TACO__BINDS_VALUE},
        {"&&", TACO__BINDS_VALUE},   {"<->", TACO__BINDS_VALUE},  {"<=>", TACO__BINDS_VALUE},
        {"~", TACO__BINDS_VALUE},    {"!~", TACO__BINDS_VALUE},   {"~~~", TACO__BINDS_VALUE},
        {"*", TACO__BINDS_MULTIPLY}, {"/", TACO__BINDS_MULTIPLY}, {"//", TACO__BINDS_MULTIPLY},
        {"%", TACO__BINDS_MULTIPLY}, {"~~", TACO__BINDS_VALUE},   {"!~~", TACO__BINDS_VALUE},
        {"~~*", TACO__BINDS_VALUE},  {"!~~*", TACO__BINDS_VALUE}};

    int strength = taco__parse_find_operator(p, name);
    if (!strength &&
        (taco__lex_is_word(&p->lex, "similar") || taco__lex_is_word(&p->lex, "glob"))) {
        strength = TACO__BINDS_IN;
    }
    size_t i;
    for (i = 0; !strength && p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(signs); i++) {
        if (taco__lex_is_sign(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            strength = signs[i].strength;
        }
    }
    return strength;
}

/* A call that was written as an operator and is named as a call, or its negation. */
static taco__sql_expr *taco__sql_parse_expr_negated(taco__parser *p, taco__sql_expr *e, bool neg,
                                                    size_t at)
{
    if (e) { e->infix = false; }
    return e && neg ? taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at), e)
                    : e;
}

/* taco__dialect.test: SIMILAR TO and GLOB, and IN before a list, which is contains(list, left). */
static taco__sql_expr *taco__sql_parse_expr_test(taco__parser *p, taco__sql_expr *left, bool neg,
                                                 size_t at)
{
    taco__sql_expr *right;
    bool similar = taco__lex_is_word(&p->lex, "similar"), glob = taco__lex_is_word(&p->lex, "glob");
    if (glob && neg) { return taco__parse_fail(p, p->lex.at, "write NOT (a GLOB b)"); }
    if (((similar || glob) && !taco__parse_next(p)) || (similar && !taco__parse_expect(p, "to"))) {
        return NULL;
    }
    right = taco__parse_expr(p, TACO__BINDS_VALUE);
    if (!right) { return NULL; }
    if (glob) { return taco__sql_expr_new_call(p, "~~~", at, left, right); }
    return taco__sql_parse_expr_negated(
        p,
        similar ? taco__sql_expr_new_call(p, "regexp_full_match", at, left, right)
                : taco__sql_expr_new_call(p, "contains", at, right, left),
        neg, at);
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
                                          taco__sql_parse_expr_find_operator,
                                          taco__sql_parse_member,
                                          taco__sql_parse_expr_test};
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
static bool taco__sql_parse_type_number(taco__parser *p, uint64_t *out)
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
    return taco__parse_is_ok(p);
}

/* A copy of a type in the arena, as the child of another; NULL without memory. */
static taco__sql_type *taco__sql_parse_type_keep(taco__parser *p, const taco__sql_type *t)
{
    taco__sql_type *kid = (taco__sql_type *)taco__arena_alloc(p->arena, sizeof *kid, p->err);
    if (kid) { *kid = *t; }
    return kid;
}

/* STRUCT(name type, ...), after the word. */
static bool taco__sql_parse_type_struct(taco__parser *p, taco__sql_type *t)
{
    size_t cap = 0;
    const char **all = NULL;
    taco__sql_type *types = NULL;
    memset(t, 0, sizeof *t);
    t->t = taco__scalar_simple_type(TACO_STRUCT);
    if (!taco__parse_expect(p, "(")) { return false; }
    do {
        taco_bytes name;
        if (t->count == cap) { /* twice the room */
            const char **names =
                (const char **)taco__arena_array(p->arena, cap * 2 + 8, sizeof *names, p->err);
            taco__sql_type *kids =
                (taco__sql_type *)taco__arena_array(p->arena, cap * 2 + 8, sizeof *kids, p->err);
            if (!names || !kids) { return false; }
            if (cap) {
                memcpy((void *)names, (const void *)all, cap * sizeof *names);
                memcpy(kids, types, cap * sizeof *kids);
            }
            t->names = all = names;
            t->kids = types = kids;
            cap = cap * 2 + 8;
        }
        if (!taco__sql_parse_name(p, true, &name)) { return false; }
        all[t->count] = taco__arena_text(p->arena, name, p->err);
        if (!all[t->count] || !taco__sql_parse_type(p, &types[t->count])) { return false; }
        t->count++;
    } while (taco__parse_accept(p, ","));
    return taco__parse_expect(p, ")");
}

/* MAP(key, value), after the word: a list of structs. */
static bool taco__sql_parse_type_map(taco__parser *p, taco__sql_type *t)
{
    static const char *const sides[] = {"key", "value"};
    static const char *const entries[] = {"entries"};
    taco__sql_type sort, *kids;
    memset(t, 0, sizeof *t);
    memset(&sort, 0, sizeof sort);
    kids = (taco__sql_type *)taco__arena_array(p->arena, 2, sizeof *kids, p->err);
    if (!kids || !taco__parse_expect(p, "(") || !taco__sql_parse_type(p, &kids[0]) ||
        !taco__parse_expect(p, ",") || !taco__sql_parse_type(p, &kids[1]) ||
        !taco__parse_expect(p, ")")) {
        return false;
    }
    sort.t = taco__scalar_simple_type(TACO_STRUCT);
    sort.count = 2;
    sort.kids = kids;
    sort.names = (const char **)(uintptr_t)sides;
    t->t = taco__scalar_simple_type(TACO_MAP);
    t->count = 1;
    t->names = (const char **)(uintptr_t)entries;
    t->kids = taco__sql_parse_type_keep(p, &sort);
    return t->kids != NULL;
}

/* The [] after a type, each of which makes it the element of a list. */
static bool taco__sql_parse_type_lists(taco__parser *p, taco__sql_type *t)
{
    uint32_t n = 0;
    while (taco__parse_accept(p, "[")) {
        taco__sql_type *kid = taco__sql_parse_type_keep(p, t);
        if (!kid) { return false; }
        if (p->lex.kind == TACO__TOK_NUMBER) {
            taco__parse_fail(p, p->lex.at, "lists of a fixed size are not supported");
            return false;
        }
        if (p->depth + ++n > p->max_depth) { return taco__parse_fail_depth(p) != NULL; }
        memset(t, 0, sizeof *t);
        t->t = taco__scalar_simple_type(TACO_LIST);
        t->count = 1;
        t->kids = kid;
        if (!taco__parse_expect(p, "]")) { return false; }
    }
    return taco__parse_is_ok(p);
}

/* A type name without [] after it. */
static bool taco__sql_parse_type_element(taco__parser *p, taco__sql_type *t)
{
    size_t at = p->lex.at;
    taco_bytes name = p->lex.raw;
    memset(t, 0, sizeof *t);
    if (p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_QUOTED) {
        taco__lex_fail_expected(&p->lex, "a type");
        return false;
    }
    if (!taco__parse_next(p)) { return false; }
    if (taco__ascii_is_word(name, "struct") || taco__ascii_is_word(name, "row")) {
        return taco__sql_parse_type_struct(p, t);
    }
    if (taco__ascii_is_word(name, "map")) { return taco__sql_parse_type_map(p, t); }
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

/* A type, of a CAST. The length of VARCHAR(10) is not looked at, as in DuckDB. */
TACO__FN bool taco__sql_parse_type(taco__parser *p, taco__sql_type *t)
{
    bool ok;
    if (++p->depth > p->max_depth) { return taco__parse_fail_depth(p) != NULL; }
    ok = taco__sql_parse_type_element(p, t) && taco__sql_parse_type_lists(p, t);
    p->depth--;
    return ok;
}

/* ---- intervals ---- */

/* A unit of intervals. `call` is what DuckDB makes of INTERVAL 3 UNIT, a function of a DOUBLE that
   is cut to `whole` first, where that is a type. */
typedef struct taco__interval_unit {
    const char *name;
    int32_t months, days;
    int64_t micros;
    const char *call, *whole;
} taco__interval_unit;

/* The unit of that name, in any case, which may end with s; NULL for none. */
static const taco__interval_unit *taco__sql_parse_type_find_unit(taco_bytes w)
{
    static const taco__interval_unit units[] = {
        {"year", 12, 0, 0, "to_years", "INTEGER"},
        {"month", 1, 0, 0, "to_months", "INTEGER"},
        {"mon", 1, 0, 0, "to_months", "INTEGER"},
        {"week", 0, 7, 0, "to_weeks", "INTEGER"},
        {"day", 0, 1, 0, "to_days", "INTEGER"},
        {"hour", 0, 0, 3600000000LL, "to_hours", "BIGINT"},
        {"minute", 0, 0, 60000000, "to_minutes", "BIGINT"},
        {"min", 0, 0, 60000000, "to_minutes", "BIGINT"},
        {"second", 0, 0, 1000000, "to_seconds", NULL},
        {"sec", 0, 0, 1000000, "to_seconds", NULL},
        {"millisecond", 0, 0, 1000, "to_milliseconds", NULL},
        {"microsecond", 0, 0, 1, "to_microseconds", "BIGINT"},
        {"quarter", 3, 0, 0, "to_quarters", "INTEGER"},
        {"decade", 120, 0, 0, "to_decades", "INTEGER"},
        {"century", 1200, 0, 0, "to_centuries", "INTEGER"},
        {"centuries", 1200, 0, 0, "to_centuries", "INTEGER"},
        {"millennium", 12000, 0, 0, "to_millennia", "INTEGER"},
        {"millennia", 12000, 0, 0, "to_millennia", "INTEGER"},
        {"h", 0, 0, 3600000000LL, "to_hours", "BIGINT"},
        {"m", 0, 0, 60000000, "to_minutes", "BIGINT"},
        {"s", 0, 0, 1000000, "to_seconds", NULL},
        {"d", 0, 1, 0, "to_days", "INTEGER"},
        {"y", 12, 0, 0, "to_years", "INTEGER"},
        {"w", 0, 7, 0, "to_weeks", "INTEGER"}};

    size_t i;
    for (i = 0; i < TACO__COUNT(units); i++) {
        size_t len = strlen(units[i].name);
        if (taco__ascii_is_word(w, units[i].name) ||
            (len > 2 && w.len == len + 1 && (w.data[len] | 0x20) == 's' &&
             taco__ascii_is_word(taco__bytes_of(w.data, len), units[i].name))) {
            return &units[i];
        }
    }
    return NULL;
}

/* Adds n units to an interval. False where n is out of range. */
static bool taco__sql_parse_type_interval_unit(const taco__interval_unit *u, int64_t n,
                                               taco__sql_interval *out)
{
    if (!u || n > 100000000 || n < -100000000 ||
        (u->micros && (n > INT64_MAX / 4 / u->micros || n < -(INT64_MAX / 4 / u->micros))) ||
        (u->months && (n > INT32_MAX / 16 / u->months || n < -(INT32_MAX / 16 / u->months)))) {
        return false;
    }
    out->months += (int32_t)(n * u->months);
    out->days += (int32_t)(n * u->days);
    out->micros += n * u->micros;
    return true;
}

/* The name of INTERVAL n UNIT in results, n as it was written, or of INTERVAL 'text' (u NULL), in
   the arena; empty without memory. */
static taco_bytes taco__sql_parse_type_interval_name(taco__parser *p, const taco__interval_unit *u,
                                                     taco_bytes text, bool quoted, bool neg)
{
    taco__buf b;
    taco_error *err = p->err;
    char *copy;
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = p->arena->mem;
    ok = (!u || (taco__buf_append_text(&b, u->call, err) &&
                 taco__buf_append_text(&b, u->whole ? "(CAST(trunc(" : "(", err))) &&
         taco__buf_append_text(&b, neg ? "CAST(-" : "CAST(", err) &&
         (quoted ? taco__lex_append_quoted(&b, text, '\'', err)
                 : taco__buf_append(&b, text.data, text.len, err)) &&
         taco__buf_append_text(&b, u ? " AS DOUBLE)" : " AS INTERVAL)", err);
    if (ok && u && u->whole) {
        ok = taco__buf_append_text(&b, ") AS ", err) && taco__buf_append_text(&b, u->whole, err) &&
             taco__buf_append_char(&b, ')', err);
    }
    ok = ok && (!u || taco__buf_append_char(&b, ')', err));
    copy = ok ? taco__arena_text(p->arena, taco__bytes_of(b.data, b.len), err) : NULL;
    text = taco__bytes_of(copy, copy ? b.len : 0);
    taco__buf_free(&b);
    return text;
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
        if (!taco__sql_parse_type_interval_unit(
                taco__sql_parse_type_find_unit(taco__bytes_of(b.data + from, i - from)), n, out) ||
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
    const taco__interval_unit *u = NULL;
    taco_bytes text;
    taco__sql_expr *e;
    int64_t n;
    bool neg, quoted, number = p->lex.kind == TACO__TOK_NUMBER || taco__lex_is_sign(&p->lex, "-");
    if (!v) { return NULL; }
    neg = taco__parse_accept(p, "-");
    quoted = p->lex.kind == TACO__TOK_STRING;
    if (!quoted && p->lex.kind != TACO__TOK_NUMBER) {
        taco__lex_fail_expected(&p->lex, "a text or a number behind INTERVAL");
        return NULL;
    }
    text = p->lex.raw;
    if (!taco__parse_next(p)) { return NULL; }
    if (number || (p->lex.kind == TACO__TOK_NAME && taco__num_parse_i64(text, &n))) {
        u = taco__sql_parse_type_find_unit(p->lex.raw);
        if (!taco__num_parse_i64(text, &n) || p->lex.kind != TACO__TOK_NAME ||
            !taco__sql_parse_type_interval_unit(u, neg ? -n : n, v)) {
            return taco__parse_fail(p, at, "INTERVAL takes a whole number and a unit, or a text");
        }
        if (!taco__parse_next(p)) { return NULL; }
    } else if (!taco__sql_parse_type_interval_text(text, v)) {
        return taco__parse_fail(p, at, "INTERVAL takes '[-]N unit ...' with whole numbers");
    }
    e = taco__sql_expr_new_const(
        p, at, taco__scalar_make_bytes(TACO_INTERVAL, taco__bytes_of(v, sizeof *v)));
    if (e) { e->name = taco__sql_parse_type_interval_name(p, u, text, quoted, neg); }
    return taco__parse_is_ok(p) ? e : NULL;
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

/* The field of a struct that becomes field k of another: that of its name, or in its place where
   one of them has no names. TACO__VEC_NONE where there is none. */
static uint32_t taco__cast_find_field(const taco__sql_type *from, const taco__sql_type *to,
                                      uint32_t k)
{
    uint32_t i;
    if (!from->names || !to->names || !from->names[0][0] || !to->names[k][0]) {
        return k < from->count ? k : TACO__VEC_NONE;
    }
    for (i = 0; i < from->count; i++) {
        if (taco__bind_names_equal(taco__bytes_text(from->names[i]),
                                   taco__bytes_text(to->names[k]))) {
            return i;
        }
    }
    return TACO__VEC_NONE;
}

/* Whether a struct can be another: fields are those of one name, and one at least is there. */
static bool taco__cast_struct_is_possible(const taco__sql_type *a, const taco__sql_type *b)
{
    bool named = a->names && b->names && a->names[0][0] && b->names[0][0];
    uint32_t k, found = 0;
    for (k = 0; k < b->count; k++) {
        uint32_t i = taco__cast_find_field(a, b, k);
        if (i == TACO__VEC_NONE) { continue; }
        if (!taco__cast_is_possible(&a->kids[i], &b->kids[k])) { return false; }
        found++;
    }
    return named ? found > 0 : a->count == b->count;
}

/* What can be cast at all. */
TACO__FN bool taco__cast_is_possible(const taco__sql_type *a, const taco__sql_type *b)
{
    bool na = taco__sql_type_is_number(a) || a->t.id == TACO_BOOL,
         nb = taco__sql_type_is_number(b) || b->t.id == TACO_BOOL;
    if (a->t.id == TACO_NULL || taco__sql_type_equal(a, b) || (na && nb)) { return true; }
    if (a->t.id == TACO_STRUCT && b->t.id == TACO_STRUCT) {
        return taco__cast_struct_is_possible(a, b);
    }
    if (a->t.id == TACO_MAP && b->t.id == TACO_MAP && a->kids[0].count == 2 &&
        b->kids[0].count == 2) { /* whatever keys and values are called */
        return taco__cast_is_possible(&a->kids[0].kids[0], &b->kids[0].kids[0]) &&
               taco__cast_is_possible(&a->kids[0].kids[1], &b->kids[0].kids[1]);
    }
    if (a->count && a->t.id == b->t.id && a->count == b->count) {
        uint32_t i;
        for (i = 0; i < a->count; i++) {
            if (!taco__cast_is_possible(&a->kids[i], &b->kids[i])) { return false; }
        }
        return true;
    }
    if (b->t.id == TACO_TEXT) { return !taco__sql_type_has_interval(a) && !a->geo; }
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
    if (taco__sql_type_is_infinite(v->type, x)) {
        return taco__buf_append_text(b, x < 0 ? "-infinity" : "infinity", err);
    }
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

/* A DECIMAL or UBIGINT. A DECIMAL without digits before the point has no zero there, as in DuckDB:
   .125 as DECIMAL(3,3). */
static bool taco__cast_format_big(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    const taco__scalar_type *t = &v->type->t;
    uint8_t le[32];
    size_t w, from = b->len;
    for (w = 0; w < 4; w++) {
        taco__put_le64(le + w * 8, v->v.d[i].w[w]);
    }
    if (!taco__decimal_append_le(b, le, 32, t->id == TACO_DECIMAL ? t->scale : 0, err)) {
        return false;
    }
    if (t->id == TACO_DECIMAL && t->scale && t->scale == t->precision) {
        from += b->data[from] == '-';
        memmove(b->data + from, b->data + from + 1, b->len - from - 1);
        b->len--;
    }
    return true;
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

/* Bytes with ' and \ escaped. */
static bool taco__cast_format_escaped(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        if (((s.data[i] == '\'' || s.data[i] == '\\') && !taco__buf_append_char(b, '\\', err)) ||
            !taco__buf_append_char(b, (char)s.data[i], err)) {
            return false;
        }
    }
    return true;
}

/* A text inside a list or struct: in single quotes where it could be taken for something else,
   such as [a, 'b, c', 'null'], with ' and \ escaped there: a \ alone needs no quotes. */
static bool taco__cast_format_nested_text(taco__buf *b, taco_bytes s, taco_error *err)
{
    bool quote = s.len == 0 || taco__ascii_is_space(s.data[0]) ||
                 taco__ascii_is_space(s.data[s.len - 1]) || taco__ascii_is_word(s, "null");
    size_t i;
    for (i = 0; !quote && i < s.len; i++) {
        quote = s.data[i] && strchr("'\"(),{}[]:=", s.data[i]) != NULL;
    }
    if (!quote) { return taco__buf_append(b, s.data, s.len, err); }
    return taco__buf_append_char(b, '\'', err) && taco__cast_format_escaped(b, s, err) &&
           taco__buf_append_char(b, '\'', err);
}

/* {'name': value, ...}, or (value, ...) where the fields have no names. */
static bool taco__cast_format_struct(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    bool named = !v->type->count || v->type->names[0][0];
    uint32_t k;
    bool ok = taco__buf_append_char(b, named ? '{' : '(', err);
    for (k = 0; ok && k < v->type->count; k++) {
        ok = !k || taco__buf_append_text(b, ", ", err);
        if (named) {
            ok = ok && taco__buf_append_char(b, '\'', err) &&
                 taco__cast_format_escaped(b, taco__bytes_text(v->type->names[k]), err) &&
                 taco__buf_append_text(b, "': ", err);
        }
        ok = ok && taco__cast_format(b, &v->kids[k], i, true, err);
    }
    return ok && taco__buf_append_char(b, named ? '}' : ')', err);
}

/* An instant, a time or a blob inside of a list or struct, whose text is quoted as any other. */
static bool taco__cast_format_nested_value(taco__buf *b, const taco__vec *v, size_t i,
                                           taco_error *err)
{
    taco__buf text;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = b->mem;
    ok = taco__cast_format(&text, v, i, false, err) &&
         taco__cast_format_nested_text(b, taco__bytes_of(text.data, text.len), err);
    taco__buf_free(&text);
    return ok;
}

/* One value, as CAST AS VARCHAR writes it. */
TACO__FN bool taco__cast_format(taco__buf *b, const taco__vec *v, size_t i, bool nested,
                                taco_error *err)
{
    char text[32];
    if (!taco__vec_is_valid(v, i)) { return taco__buf_append_text(b, "NULL", err); }
    if (nested && (v->type->t.id == TACO_DATE || v->type->t.id == TACO_TIME ||
                   v->type->t.id == TACO_TIMESTAMP || v->type->t.id == TACO_BINARY)) {
        return taco__cast_format_nested_value(b, v, i, err);
    }
    i *= v->step;
    switch (v->type->t.id) {
    case TACO_BOOL: return taco__buf_append_text(b, v->v.i[i] ? "true" : "false", err);
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__cast_format_float(b, v, v->v.f[i], err);
    case TACO_UINT64:
    case TACO_DECIMAL: return taco__cast_format_big(b, v, i, err);
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
    case TACO_STRUCT: return taco__cast_format_struct(b, v, i, err);
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

/* Microseconds in a unit of `per` of them, rounded to the nearest, away from 1970 at a half. */
static int64_t taco__cast_round_time(int64_t x, int64_t per)
{
    x /= per / 2;
    return (x < 0 ? x - 1 : x + 1) / 2;
}

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
            if (!taco__i256_is_i64(&x.d)) { return false; }
            if (up < 0) {
                out->v.i[i] = taco__cast_round_time((int64_t)x.d.w[0], up == -3 ? 1000 : 1000000);
                return true;
            }
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
    if (taco__sql_type_is_infinite(v->type, x)) {
        *out = to->id == TACO_DATE ? INT32_MAX : INT64_MAX;
        *out = x < 0 ? -*out : *out;
        return to->id != TACO_TIME;
    }
    if (from->id == TACO_DATE && to->id == TACO_TIMESTAMP) {
        /* a TIMESTAMP of any unit holds the days that one of microseconds does */
        if (x > INT64_MAX / TACO__TIME_DAY_MICROS ||
            x < TACO__TIME_FIRST_MICROS / TACO__TIME_DAY_MICROS) {
            return false;
        }
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
    if (from->unit == TACO_MICRO && to->id == TACO_TIMESTAMP) {
        *out = taco__cast_round_time(x, per);
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

/* A struct field by field; those that it has not are null. Entries of a map go by place. */
static bool taco__cast_struct(taco__cast *c, const taco__vec *v, const taco__sql_type *to,
                              bool entries, bool tries, taco__vec *out)
{
    uint32_t k;
    taco__vec *kids = (taco__vec *)taco__arena_array(c->arena, to->count, sizeof *kids, c->err);
    const taco__sql_type *from = v->type;
    size_t n = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    if (!kids) { return false; }
    *out = *v;
    out->type = to;
    out->kids = kids;
    for (k = 0; k < to->count; k++) {
        uint32_t i = entries ? k : taco__cast_find_field(from, to, k);
        if (i == TACO__VEC_NONE ? !taco__vec_init_null(c->arena, &to->kids[k], n, &kids[k], c->err)
                                : !taco__cast_vector(c->arena, &v->kids[i], &to->kids[k], tries,
                                                     &kids[k], c->err)) {
            return false;
        }
        if (!taco__vec_flatten(c->arena, &kids[k], c->err)) { return false; }
    }
    return true;
}

/* Lists, structs and maps child by child. Elements that no list has, as slices leave them, are not
   converted: they could fail. */
static bool taco__cast_nested(taco__cast *c, const taco__vec *v, bool tries, taco__vec *out)
{
    size_t i, k, n = 0, rows = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    taco__vec chosen;
    uint32_t *idx;
    bool map = c->to->t.id == TACO_MAP && v->type->t.id == TACO_MAP;
    taco__vec *kids = (taco__vec *)taco__arena_array(c->arena, 1, sizeof *kids, c->err);
    if (taco__sql_type_physical(c->to) == TACO__PHYS_STRUCT) {
        return taco__cast_struct(c, v, c->to, false, tries, out);
    }
    if (!kids) { return false; }
    *out = *v;
    out->type = c->to;
    out->kids = kids;
    out->v.l = (taco__sql_list_span *)taco__arena_array(c->arena, rows, sizeof *out->v.l, c->err);
    for (i = 0; out->v.l && i < rows; i++) {
        out->v.l[i].at = (uint32_t)n;
        out->v.l[i].len = taco__vec_is_valid(v, i) ? v->v.l[i].len : 0;
        n += out->v.l[i].len;
        if (n >= TACO__VEC_NONE) { return taco__vec_fail_too_long(c->err); }
    }
    idx = (uint32_t *)taco__arena_array(c->arena, n + 1, sizeof *idx, c->err);
    for (i = 0, n = 0; out->v.l && idx && i < rows; i++) {
        for (k = 0; k < out->v.l[i].len; k++) {
            idx[n++] = v->v.l[i].at + (uint32_t)k;
        }
    }
    if (!out->v.l || !idx || !taco__vec_take(c->arena, &v->kids[0], idx, n, &chosen, c->err)) {
        return false;
    }
    if (map && chosen.kids) { /* a key must be one: no TRY_CAST makes a null of it */
        taco__vec keys;
        return taco__cast_vector(c->arena, &chosen.kids[0], &c->to->kids[0].kids[0], false, &keys,
                                 c->err) &&
               taco__cast_struct(c, &chosen, &c->to->kids[0], true, tries, &kids[0]);
    }
    return taco__cast_vector(c->arena, &chosen, &c->to->kids[0], tries, &kids[0], c->err);
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
    if (to->count && v->type->count) { return taco__cast_nested(&c, &whole, tries, out); }
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
/* #include "functions.h" */
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
    {"char_length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"character_length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
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
    {"contains", TACO__FUNC_CONTAINS, 2, 2, "*", 'b', NULL},
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
    {"repeat", TACO__FUNC_REPEAT, 2, 2, "*", 't', NULL},
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
    {"isinf", TACO__FUNC_ISINF, 1, 1, "f", 'b', NULL},
    {"isfinite", TACO__FUNC_ISFINITE, 1, 1, "f", 'b', NULL},
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
    {"yearweek", TACO__FUNC_PART, 1, 1, "w", 'i', "yearweek"},
    {"decade", TACO__FUNC_PART, 1, 1, "w", 'i', "decade"},
    {"century", TACO__FUNC_PART, 1, 1, "w", 'i', "century"},
    {"millennium", TACO__FUNC_PART, 1, 1, "w", 'i', "millennium"},
    {"era", TACO__FUNC_PART, 1, 1, "w", 'i', "era"},
    {"julian", TACO__FUNC_PART, 1, 1, "w", 'd', "julian"},
    {"epoch", TACO__FUNC_EPOCH, 1, 1, "w", 'd', NULL},
    {"epoch_ms", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_ms"},
    {"epoch_us", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_us"},
    /* dates: boundaries of a part */
    {"date_trunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"datetrunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"date_diff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"datediff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"date_sub", TACO__FUNC_DATE_SUB, 3, 3, "tw", 'i', NULL},
    {"datesub", TACO__FUNC_DATE_SUB, 3, 3, "tw", 'i', NULL},
    {"last_day", TACO__FUNC_LAST_DAY, 1, 1, "w", 'D', NULL},
    {"dayname", TACO__FUNC_DAYNAME, 1, 1, "w", 't', NULL},
    {"monthname", TACO__FUNC_MONTHNAME, 1, 1, "w", 't', NULL},
    {"make_date", TACO__FUNC_MAKE_DATE, 3, 3, "i", 'D', NULL},
    /* lists */
    {"list_contains", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"array_contains", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"list_has", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
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
    {"st_y", TACO__FUNC_Y, 1, 1, "g", 'd', NULL},
    /* lists, structs and maps: bind_list.c. Elements meet in one type; array_ names are those of
       PostgreSQL for the same. list_concat takes nulls for empty lists; list_append(NULL, 1) is
       [1]. */
    {"list_value", TACO__FUNC_LIST_VALUE, 0, 255, "*", '?', NULL},
    {"list_pack", TACO__FUNC_LIST_VALUE, 0, 255, "*", '?', NULL},
    {"struct_pack", TACO__FUNC_STRUCT_PACK, 0, 255, "*", '?', NULL},
    {"row", TACO__FUNC_STRUCT_PACK, 0, 255, "*", '?', NULL},
    {"list_concat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"list_cat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"array_concat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"array_cat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"list_append", TACO__FUNC_LIST_APPEND, 2, 2, "*", '?', NULL},
    {"array_append", TACO__FUNC_LIST_APPEND, 2, 2, "*", '?', NULL},
    {"array_push_back", TACO__FUNC_LIST_APPEND, 2, 2, "*", '?', NULL},
    {"list_prepend", TACO__FUNC_LIST_PREPEND, 2, 2, "*", '?', NULL},
    {"array_prepend", TACO__FUNC_LIST_PREPEND, 2, 2, "*", '?', NULL},
    /* sorts: the order is a text constant, ASC or DESC, then NULLS FIRST or LAST; nulls are last
       unless it says otherwise */
    {"list_sort", TACO__FUNC_LIST_SORT, 1, 3, "*", '?', NULL},
    {"array_sort", TACO__FUNC_LIST_SORT, 1, 3, "*", '?', NULL},
    {"list_reverse_sort", TACO__FUNC_LIST_SORT, 1, 2, "*", '?', "reverse"},
    {"array_reverse_sort", TACO__FUNC_LIST_SORT, 1, 2, "*", '?', "reverse"},
    {"list_grade_up", TACO__FUNC_LIST_GRADE, 1, 3, "*", '?', NULL},
    {"array_grade_up", TACO__FUNC_LIST_GRADE, 1, 3, "*", '?', NULL},
    {"grade_up", TACO__FUNC_LIST_GRADE, 1, 3, "*", '?', NULL},
    /* sets: nulls belong to none, and what is left keeps the order of its first places */
    {"list_distinct", TACO__FUNC_LIST_DISTINCT, 1, 1, "*", '?', NULL},
    {"array_distinct", TACO__FUNC_LIST_DISTINCT, 1, 1, "*", '?', NULL},
    {"list_unique", TACO__FUNC_LIST_UNIQUE, 1, 1, "*", '?', NULL},
    {"array_unique", TACO__FUNC_LIST_UNIQUE, 1, 1, "*", '?', NULL},
    {"list_reverse", TACO__FUNC_LIST_REVERSE, 1, 1, "*", '?', NULL},
    {"array_reverse", TACO__FUNC_LIST_REVERSE, 1, 1, "*", '?', NULL},
    {"list_position", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"list_indexof", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"array_position", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"array_indexof", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"array_has", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"list_has_all", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"array_has_all", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"@>", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"<@", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"list_has_any", TACO__FUNC_LIST_HAS_ANY, 2, 2, "*", '?', NULL},
    {"array_has_any", TACO__FUNC_LIST_HAS_ANY, 2, 2, "*", '?', NULL},
    {"&&", TACO__FUNC_LIST_HAS_ANY, 2, 2, "*", '?', NULL},
    {"list_intersect", TACO__FUNC_LIST_INTERSECT, 2, 2, "*", '?', NULL},
    {"array_intersect", TACO__FUNC_LIST_INTERSECT, 2, 2, "*", '?', NULL},
    /* choices by number or condition: outside of the list there are nulls */
    {"list_resize", TACO__FUNC_LIST_RESIZE, 2, 3, "*", '?', NULL},
    {"array_resize", TACO__FUNC_LIST_RESIZE, 2, 3, "*", '?', NULL},
    {"list_where", TACO__FUNC_LIST_WHERE, 2, 2, "*", '?', NULL},
    {"array_where", TACO__FUNC_LIST_WHERE, 2, 2, "*", '?', NULL},
    {"list_select", TACO__FUNC_LIST_SELECT, 2, 2, "*", '?', NULL},
    {"array_select", TACO__FUNC_LIST_SELECT, 2, 2, "*", '?', NULL},
    {"array_pop_back", TACO__FUNC_LIST_POP, 1, 1, "*", '?', "back"},
    {"array_pop_front", TACO__FUNC_LIST_POP, 1, 1, "*", '?', "front"},
    {"flatten", TACO__FUNC_FLATTEN, 1, 1, "*", '?', NULL},
    /* a range ends before its end, a series with it; a step of 0 makes none */
    {"range", TACO__FUNC_RANGE, 1, 3, "*", '?', "range"},
    {"generate_series", TACO__FUNC_RANGE, 1, 3, "*", '?', "generate_series"},
    {"list_slice", TACO__FUNC_LIST_SLICE, 3, 4, "*", '?', NULL},
    {"array_slice", TACO__FUNC_LIST_SLICE, 3, 4, "*", '?', NULL},
    /* between texts and lists; array_to_string leaves nulls out */
    {"string_split", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"str_split", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"string_to_array", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"split", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"array_to_string", TACO__FUNC_LIST_TO_TEXT, 2, 2, "*", '?', NULL},
    /* aggregates over the elements of one list, by name; constants may follow, as the share
       of a quantile does */
    {"list_aggregate", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"list_aggr", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"array_aggregate", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"array_aggr", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"aggregate", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"list_avg", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "avg"},
    {"list_var_samp", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "var_samp"},
    {"list_var_pop", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "var_pop"},
    {"list_stddev_pop", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "stddev_pop"},
    {"list_stddev_samp", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "stddev_samp"},
    {"list_sem", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "sem"},
    {"list_approx_count_distinct", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?',
     "approx_count_distinct"},
    {"list_bit_xor", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bit_xor"},
    {"list_bit_or", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bit_or"},
    {"list_bit_and", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bit_and"},
    {"list_bool_and", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bool_and"},
    {"list_bool_or", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bool_or"},
    {"list_count", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "count"},
    {"list_entropy", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "entropy"},
    {"list_last", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "last"},
    {"list_first", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "first"},
    {"list_any_value", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "any_value"},
    {"list_kurtosis", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "kurtosis"},
    {"list_kurtosis_pop", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "kurtosis_pop"},
    {"list_min", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "min"},
    {"list_max", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "max"},
    {"list_product", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "product"},
    {"list_skewness", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "skewness"},
    {"list_sum", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "sum"},
    {"list_string_agg", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "string_agg"},
    {"list_mode", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "mode"},
    {"list_median", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "median"},
    {"list_mad", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "mad"},
    {"list_histogram", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "histogram"},
    /* of two lists of one length, without nulls, in the precision of their elements */
    {"list_dot_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "dot"},
    {"list_inner_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "dot"},
    {"list_negative_dot_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "negative dot"},
    {"list_negative_inner_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "negative dot"},
    {"list_distance", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "euclidean"},
    {"<->", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "euclidean"},
    {"list_cosine_similarity", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "cosine"},
    {"list_cosine_distance", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "one minus cosine"},
    {"<=>", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "one minus cosine"},
    /* maps are lists of structs whose keys are distinct; map_extract gives a list, map[key] a
       value */
    {"map", TACO__FUNC_MAP, 2, 2, "*", '?', NULL},
    {"map_keys", TACO__FUNC_MAP_KEYS, 1, 1, "*", '?', NULL},
    {"map_values", TACO__FUNC_MAP_VALUES, 1, 1, "*", '?', NULL},
    {"map_entries", TACO__FUNC_MAP_ENTRIES, 1, 1, "*", '?', NULL},
    {"map_extract", TACO__FUNC_MAP_EXTRACT, 2, 2, "*", '?', NULL},
    {"element_at", TACO__FUNC_MAP_EXTRACT, 2, 2, "*", '?', NULL},
    {"map_extract_value", TACO__FUNC_MAP_VALUE, 2, 2, "*", '?', NULL},
    {"map_contains", TACO__FUNC_MAP_CONTAINS, 2, 2, "*", '?', NULL},
    {"map_from_entries", TACO__FUNC_MAP_FROM_ENTRIES, 1, 1, "*", '?', NULL},
    {"cardinality", TACO__FUNC_CARDINALITY, 1, 1, "*", '?', NULL},
    /* elementary functions, by letters of func_math.c */
    {"sin", TACO__FUNC_MATH, 1, 1, "d", 'd', "s"},
    {"cos", TACO__FUNC_MATH, 1, 1, "d", 'd', "c"},
    {"tan", TACO__FUNC_MATH, 1, 1, "d", 'd', "t"},
    {"cot", TACO__FUNC_MATH, 1, 1, "d", 'd', "k"},
    {"asin", TACO__FUNC_MATH, 1, 1, "d", 'd', "a"},
    {"acos", TACO__FUNC_MATH, 1, 1, "d", 'd', "b"},
    {"atan", TACO__FUNC_MATH, 1, 1, "d", 'd', "A"},
    {"exp", TACO__FUNC_MATH, 1, 1, "d", 'd', "e"},
    {"ln", TACO__FUNC_MATH, 1, 1, "d", 'd', "l"},
    {"log10", TACO__FUNC_MATH, 1, 1, "d", 'd', "L"},
    {"log", TACO__FUNC_MATH, 1, 1, "d", 'd', "L"},
    {"log2", TACO__FUNC_MATH, 1, 1, "d", 'd', "2"},
    {"sinh", TACO__FUNC_MATH, 1, 1, "d", 'd', "S"},
    {"cosh", TACO__FUNC_MATH, 1, 1, "d", 'd', "C"},
    {"tanh", TACO__FUNC_MATH, 1, 1, "d", 'd', "T"},
    {"asinh", TACO__FUNC_MATH, 1, 1, "d", 'd', "h"},
    {"acosh", TACO__FUNC_MATH, 1, 1, "d", 'd', "j"},
    {"atanh", TACO__FUNC_MATH, 1, 1, "d", 'd', "H"},
    {"gamma", TACO__FUNC_MATH, 1, 1, "d", 'd', "g"},
    {"lgamma", TACO__FUNC_MATH, 1, 1, "d", 'd', "G"},
    {"cbrt", TACO__FUNC_MATH, 1, 1, "d", 'd', "3"},
    {"even", TACO__FUNC_MATH, 1, 1, "d", 'd', "E"},
    {"degrees", TACO__FUNC_MATH, 1, 1, "d", 'd', "d"},
    {"radians", TACO__FUNC_MATH, 1, 1, "d", 'd', "r"},
    /* log(base, x), but log(x) is to base 10 */
    {"log", TACO__FUNC_LOG_BASE, 2, 2, "d", 'd', NULL},
    {"pow", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"power", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"**", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"^", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"atan2", TACO__FUNC_ATAN2, 2, 2, "d", 'd', NULL},
    {"pi", TACO__FUNC_PI, 0, 0, "*", 'd', NULL},
    {"nextafter", TACO__FUNC_NEXT_AFTER, 2, 2, "*", '?', NULL},
    /* whole numbers and bits: types in bind_call.c */
    {"&", TACO__FUNC_BIT_AND, 2, 2, "*", '?', NULL},
    {"|", TACO__FUNC_BIT_OR, 2, 2, "*", '?', NULL},
    {"xor", TACO__FUNC_XOR, 2, 2, "*", '?', NULL},
    {"~", TACO__FUNC_BIT_NOT, 1, 1, "*", '?', NULL},
    {"<<", TACO__FUNC_SHIFT_LEFT, 2, 2, "*", '?', NULL},
    {">>", TACO__FUNC_SHIFT_RIGHT, 2, 2, "*", '?', NULL},
    /* the type of the operand says how many bits there are */
    {"bit_count", TACO__FUNC_BIT_COUNT, 1, 1, "n", '1', NULL},
    {"gcd", TACO__FUNC_GCD, 2, 2, "*", '?', NULL},
    {"greatest_common_divisor", TACO__FUNC_GCD, 2, 2, "*", '?', NULL},
    {"lcm", TACO__FUNC_LCM, 2, 2, "*", '?', NULL},
    {"least_common_multiple", TACO__FUNC_LCM, 2, 2, "*", '?', NULL},
    {"factorial", TACO__FUNC_FACTORIAL, 1, 1, "i", '?', NULL},
    {"!", TACO__FUNC_FACTORIAL, 1, 1, "i", '?', NULL},
    {"signbit", TACO__FUNC_SIGNBIT, 1, 1, "d", 'b', NULL},
    {"@", TACO__FUNC_ABS, 1, 1, "n", '=', NULL},
    /* operators by name; divide is //, not / */
    {"add", TACO__FUNC_PLUS, 1, 1, "n", '=', NULL},
    {"subtract", TACO__FUNC_NEG, 1, 1, "n", '=', NULL},
    {"add", TACO__FUNC_ADD, 2, 2, "*", '?', NULL},
    {"subtract", TACO__FUNC_SUB, 2, 2, "*", '?', NULL},
    {"multiply", TACO__FUNC_MUL, 2, 2, "*", '?', NULL},
    {"divide", TACO__FUNC_IDIV, 2, 2, "*", '?', NULL},
    /* texts: codes, encodings, distances; letters of func_string.c */
    {"chr", TACO__FUNC_CHR, 1, 1, "i", 't', NULL},
    {"unicode", TACO__FUNC_UNICODE, 1, 1, "t", 'I', NULL},
    {"ord", TACO__FUNC_UNICODE, 1, 1, "t", 'I', NULL},
    {"bit_length", TACO__FUNC_BIT_LENGTH, 1, 1, "t", 'i', NULL},
    {"translate", TACO__FUNC_TRANSLATE, 3, 3, "t", 't', NULL},
    /* digits of bytes, or of a number; unhex and unbin give bytes */
    {"hex", TACO__FUNC_HEX, 1, 1, "*", 't', NULL},
    {"to_hex", TACO__FUNC_HEX, 1, 1, "*", 't', NULL},
    {"unhex", TACO__FUNC_UNHEX, 1, 1, "t", 'B', NULL},
    {"from_hex", TACO__FUNC_UNHEX, 1, 1, "t", 'B', NULL},
    {"bin", TACO__FUNC_BIN, 1, 1, "*", 't', NULL},
    {"to_binary", TACO__FUNC_BIN, 1, 1, "*", 't', NULL},
    {"unbin", TACO__FUNC_UNBIN, 1, 1, "t", 'B', NULL},
    {"from_binary", TACO__FUNC_UNBIN, 1, 1, "t", 'B', NULL},
    {"base64", TACO__FUNC_BASE64, 1, 1, "B", 't', NULL},
    {"to_base64", TACO__FUNC_BASE64, 1, 1, "B", 't', NULL},
    {"from_base64", TACO__FUNC_FROM_BASE64, 1, 1, "t", 'B', NULL},
    {"encode", TACO__FUNC_ENCODE, 1, 1, "t", 'B', NULL},
    {"decode", TACO__FUNC_DECODE, 1, 1, "B", 't', NULL},
    /* distances and likenesses, on bytes as DuckDB has them */
    {"levenshtein", TACO__FUNC_LEVENSHTEIN, 2, 2, "t", 'i', NULL},
    {"editdist3", TACO__FUNC_LEVENSHTEIN, 2, 2, "t", 'i', NULL},
    {"damerau_levenshtein", TACO__FUNC_DAMERAU, 2, 2, "t", 'i', NULL},
    {"hamming", TACO__FUNC_HAMMING, 2, 2, "t", 'i', NULL},
    {"mismatches", TACO__FUNC_HAMMING, 2, 2, "t", 'i', NULL},
    {"jaccard", TACO__FUNC_JACCARD, 2, 2, "t", 'd', NULL},
    {"jaro_similarity", TACO__FUNC_JARO, 2, 3, "ttd", 'd', NULL},
    {"jaro_winkler_similarity", TACO__FUNC_JARO_WINKLER, 2, 3, "ttd", 'd', NULL},
    /* digests in hexadecimal digits, of texts and blobs */
    {"md5", TACO__FUNC_MD5, 1, 1, "*", 't', NULL},
    {"sha1", TACO__FUNC_SHA1, 1, 1, "*", 't', NULL},
    {"sha256", TACO__FUNC_SHA256, 1, 1, "*", 't', NULL},
    /* parts of addresses and paths */
    {"url_encode", TACO__FUNC_URL_ENCODE, 1, 1, "t", 't', NULL},
    {"url_decode", TACO__FUNC_URL_DECODE, 1, 1, "t", 't', NULL},
    {"parse_filename", TACO__FUNC_PATH_PART, 1, 2, "tb", 't', "file"},
    {"parse_dirname", TACO__FUNC_PATH_PART, 1, 1, "t", 't', "directory"},
    {"parse_dirpath", TACO__FUNC_PATH_PART, 1, 1, "t", 't', "path"},
    /* numbers as people read them */
    {"format_bytes", TACO__FUNC_FORMAT_BYTES, 1, 1, "i", 't', "binary"},
    {"formatreadablesize", TACO__FUNC_FORMAT_BYTES, 1, 1, "i", 't', "binary"},
    {"formatreadabledecimalsize", TACO__FUNC_FORMAT_BYTES, 1, 1, "i", 't', "decimal"},
    {"bar", TACO__FUNC_BAR, 3, 4, "d", 't', NULL},
    {"to_base", TACO__FUNC_TO_BASE, 2, 3, "i", 't', NULL},
    {"^@", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    /* patterns; ~ and SIMILAR TO are regexp_full_match */
    {"~~~", TACO__FUNC_GLOB, 2, 2, "t", 'b', NULL},
    {"~", TACO__FUNC_REGEX_FULL, 2, 2, "t", 'b', NULL},
    {"!~", TACO__FUNC_REGEX_FULL, 2, 2, "t", 'b', NULL},
    {"regexp_full_match", TACO__FUNC_REGEX_FULL, 2, 3, "t", 'b', NULL},
    {"regexp_matches", TACO__FUNC_REGEX_MATCHES, 2, 3, "t", 'b', NULL},
    /* of a pattern that matches nothing regexp_extract is empty, not null */
    {"regexp_extract", TACO__FUNC_REGEX_EXTRACT, 2, 4, "tt*t", 't', NULL},
    {"regexp_extract_all", TACO__FUNC_REGEX_EXTRACT_ALL, 2, 4, "tt*t", '?', NULL},
    {"regexp_replace", TACO__FUNC_REGEX_REPLACE, 3, 4, "t", 't', NULL},
    {"regexp_split_to_array", TACO__FUNC_REGEX_SPLIT, 2, 3, "t", '?', NULL},
    {"string_split_regex", TACO__FUNC_REGEX_SPLIT, 2, 3, "t", '?', NULL},
    {"str_split_regex", TACO__FUNC_REGEX_SPLIT, 2, 3, "t", '?', NULL},
    {"regexp_escape", TACO__FUNC_REGEX_ESCAPE, 1, 1, "t", 't', NULL},
    /* layouts; arguments in func_format.c and func_strftime.c */
    {"printf", TACO__FUNC_PRINTF, 1, 255, "*", 't', NULL},
    {"format", TACO__FUNC_FORMAT, 1, 255, "*", 't', NULL},
    /* either order of arguments for strftime; a list of formats for strptime */
    {"strftime", TACO__FUNC_STRFTIME, 2, 2, "*", 't', NULL},
    {"strptime", TACO__FUNC_STRPTIME, 2, 2, "*", 'W', NULL},
    {"try_strptime", TACO__FUNC_TRY_STRPTIME, 2, 2, "*", 'W', NULL},
    /* instants of numbers: letters of func_strftime.c */
    {"make_timestamp", TACO__FUNC_MAKE_TIMESTAMP, 6, 6, "iiiiid", 'W', NULL},
    {"make_timestamp", TACO__FUNC_FROM_EPOCH, 1, 1, "i", 'W', "u"},
    {"make_timestamp_ms", TACO__FUNC_FROM_EPOCH, 1, 1, "i", 'W', "m"},
    {"make_timestamp_ns", TACO__FUNC_FROM_EPOCH, 1, 1, "i", 'W', "n"},
    {"to_timestamp", TACO__FUNC_FROM_EPOCH, 1, 1, "d", 'W', "s"},
    {"make_time", TACO__FUNC_MAKE_TIME, 3, 3, "iid", 'T', NULL},
    {"julian", TACO__FUNC_JULIAN, 1, 1, "w", 'd', NULL},
    /* geometries: measures */
    {"st_astext", TACO__FUNC_AS_TEXT, 1, 1, "g", 't', NULL},
    {"st_area", TACO__FUNC_AREA, 1, 1, "g", 'd', NULL},
    {"st_centroid", TACO__FUNC_CENTROID, 1, 1, "g", 'g', NULL}};

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

/* The least and the most arguments of the functions of that name, which there is. */
TACO__FN void taco__func_arity(taco_bytes name, uint32_t *least, uint32_t *most)
{
    size_t i;
    *least = 255;
    *most = 0;
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        if (taco__ascii_is_word(name, taco__funcs[i].name)) {
            *least = TACO__MIN(*least, (uint32_t)taco__funcs[i].least);
            *most = TACO__MAX(*most, (uint32_t)taco__funcs[i].most);
        }
    }
}

/* The name of a function that differs in a third of its letters at most; NULL where none does. */
TACO__FN const char *taco__func_nearest(taco_bytes name)
{
    size_t i, least = name.len / 3 + 1;
    const char *near = NULL;
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        size_t d = taco__field_names_distance(name, taco__bytes_text(taco__funcs[i].name));
        if (d < least) {
            least = d;
            near = taco__funcs[i].name;
        }
    }
    return near;
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
    char name[1024];
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
    if (x->id >= TACO__FUNC_AS_TEXT && x->id <= TACO__FUNC_CENTROID) {
        return taco__func_geo_measure(x);
    }
    if (x->id >= TACO__FUNC_GEOM && x->id <= TACO__FUNC_Y) { return taco__func_geo_run(x); }
    if (x->id == TACO__FUNC_PRINTF || x->id == TACO__FUNC_FORMAT) {
        return taco__func_format_run(x);
    }
    if (x->id >= TACO__FUNC_STRFTIME && x->id <= TACO__FUNC_TRY_STRPTIME) {
        return taco__func_strftime_run(x);
    }
    if (x->id >= TACO__FUNC_MAKE_TIMESTAMP && x->id <= TACO__FUNC_JULIAN) {
        return taco__func_each_row(x, taco__func_instant_row);
    }
    if (x->id >= TACO__FUNC_GLOB && x->id <= TACO__FUNC_REGEX_ESCAPE) {
        return taco__func_regex_run(x);
    }
    if (x->id >= TACO__FUNC_BIT_AND && x->id <= TACO__FUNC_SIGNBIT) {
        return taco__func_bits_run(x);
    }
    if (x->id >= TACO__FUNC_CHR && x->id <= TACO__FUNC_TO_BASE) { return taco__func_string_run(x); }
    if (x->id >= TACO__FUNC_MATH && x->id <= TACO__FUNC_NEXT_AFTER) {
        return taco__func_math_run(x);
    }
    if (x->id >= TACO__FUNC_LIST_VALUE && x->id <= TACO__FUNC_LIST_TO_TEXT) {
        return x->id <= TACO__FUNC_LIST_PREPEND || x->id >= TACO__FUNC_SPLIT ||
                       x->id == TACO__FUNC_RANGE
                   ? taco__func_list_make(x)
                   : taco__func_list_part(x);
    }
    if ((x->id == TACO__FUNC_ADD || x->id == TACO__FUNC_SUB) &&
        x->a[1].type->t.id == TACO_INTERVAL) {
        return taco__func_date_add(x);
    }
    if (x->out->type->t.id == TACO_DATE) { return taco__func_date_add_days(x); }
    return taco__func_number_run(x);
}

/* Whether a function looks at nulls itself, rather than being null of them. */
static bool taco__func_takes_nulls(uint32_t id)
{
    switch (id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS:
    case TACO__FUNC_TYPEOF:
    case TACO__FUNC_LIST_VALUE:
    case TACO__FUNC_STRUCT_PACK:
    case TACO__FUNC_LIST_CONCAT:
    case TACO__FUNC_LIST_APPEND:
    case TACO__FUNC_LIST_PREPEND:
    case TACO__FUNC_LIST_POSITION:
    case TACO__FUNC_LIST_RESIZE:
    case TACO__FUNC_LIST_INTERSECT:
    case TACO__FUNC_MAP_EXTRACT:
    case TACO__FUNC_SPLIT:
    case TACO__FUNC_LIST_TO_TEXT: return true;
    default: return false;
    }
}

/* Runs a call over n rows: where an argument is null the result is, but for functions that say
   otherwise (coalesce, concat and others). A call of constants alone is computed once and is a
   constant. */
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n)
{
    bool keep = taco__func_takes_nulls(x->id);
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
        unsigned n = t >= TACO_INT8 && t <= TACO_INT64 ? bits[t] : 64;
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
            bool dates = taco__sql_type_is_datetime(x->a[0].type);
            double d = taco__vec_is_valid(x->out, i) && !dates ? TACO__FUNC_ARG_DOUBLE(0) : 0;
            bool finite = dates ? !taco__sql_type_is_infinite(x->a[0].type, TACO__FUNC_ARG_INT(0))
                                : d - d == 0;
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
/* ==== src/sql/func_math.c ==== */
/* func_math.c - elementary functions without libm: exp, log, sines, their kin and inverses

   The library links nothing but libc, and results must not depend on the machine. Everything is
   computed in pairs of doubles, hi + lo with |lo| at most half a unit of hi, which have some 106
   bits (T. J. Dekker, A floating-point technique for extending the available precision, 1971), and
   rounded once at the end: results are the nearest double but in very rare cases, and exact where
   the result is, such as log10(1000). Arguments outside of the domain are errors where DuckDB has
   one, and NaN elsewhere.

   Examples: sin(1e22) is -0.8522008497671888, though 1e22 has no digit after the point: 2/pi is
   multiplied out as far as it matters; pow(10, 2) is 100 and log10(1000) 3 without a rounding;
   ln(0), asin(2) and gamma(0) are errors, acosh(0.5) is NaN, exp(1000) infinite, as in DuckDB. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* A number as the sum of two doubles. */
typedef struct taco__pair {
    double hi, lo;
} taco__pair;

static const taco__pair taco__pair_ln2 = {0.6931471805599453, 2.3190468138462996e-17},
                        taco__pair_ln10 = {2.302585092994046, -2.1707562233822494e-16},
                        taco__pair_pi = {3.141592653589793, 1.2246467991473532e-16};

/* A quiet NaN without a sign. */
static double taco__math_nan(void)
{
    return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
}

/* The positive infinity, which C99 spells in a header of libm. */
static double taco__math_infinity(void)
{
    return taco__f64_from_bits((uint64_t)0x7FF0 << 48);
}

/* Neither NaN nor infinite. */
static bool taco__math_is_finite(double x)
{
    return x - x == 0;
}

/* ---- arithmetic ---- */

/* The pair of two doubles that do not overlap. */
static taco__pair taco__pair_of(double hi, double lo)
{
    taco__pair p;
    p.hi = hi;
    p.lo = lo;
    return p;
}

/* a + b exactly, where |a| >= |b| or a is 0. */
static taco__pair taco__pair_fast_sum(double a, double b)
{
    double s = a + b;
    return taco__pair_of(s, b - (s - a));
}

/* a + b exactly. */
static taco__pair taco__pair_sum(double a, double b)
{
    double s = a + b, part = s - a;
    return taco__pair_of(s, (a - (s - part)) + (b - part));
}

/* a * b exactly: the factors are split into halves of 26 bits, whose products are exact. */
static taco__pair taco__pair_product(double a, double b)
{
    double p = a * b, ca = 134217729.0 * a, cb = 134217729.0 * b;
    double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    return taco__pair_of(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl);
}

/* a + b to some 106 bits. */
static taco__pair taco__pair_add(taco__pair a, taco__pair b)
{
    taco__pair s = taco__pair_sum(a.hi, b.hi), t = taco__pair_sum(a.lo, b.lo);
    s = taco__pair_fast_sum(s.hi, s.lo + t.hi);
    return taco__pair_fast_sum(s.hi, s.lo + t.lo);
}

/* -a, exactly. */
static taco__pair taco__pair_negate(taco__pair a)
{
    return taco__pair_of(-a.hi, -a.lo);
}

/* a * b to some 104 bits: the product of the small halves is left out. */
static taco__pair taco__pair_multiply(taco__pair a, taco__pair b)
{
    taco__pair p = taco__pair_product(a.hi, b.hi);
    return taco__pair_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a / b by long division: three digits of 53 bits each. */
static taco__pair taco__pair_divide(taco__pair a, taco__pair b)
{
    double q1 = a.hi / b.hi, q2, q3;
    taco__pair r =
        taco__pair_add(a, taco__pair_negate(taco__pair_multiply(b, taco__pair_of(q1, 0))));
    q2 = r.hi / b.hi;
    r = taco__pair_add(r, taco__pair_negate(taco__pair_multiply(b, taco__pair_of(q2, 0))));
    q3 = r.hi / b.hi;
    r = taco__pair_fast_sum(q1, q2);
    return taco__pair_add(r, taco__pair_of(q3, 0));
}

/* The root of a number that is not negative: one step of Newton from that of hi. */
static taco__pair taco__pair_root(taco__pair a)
{
    double s = taco__math_sqrt(a.hi);
    taco__pair r;
    if (s == 0) { return taco__pair_of(0, 0); }
    r = taco__pair_add(a, taco__pair_negate(taco__pair_product(s, s)));
    return taco__pair_fast_sum(s, r.hi / (2 * s));
}

/* p * 2^k as a double; in two steps, as 2^k alone may be no double. */
static double taco__pair_scale(taco__pair p, int k)
{
    double x = p.hi + p.lo;
    int half = k / 2;
    if (k > 2100) { return x * taco__math_infinity(); }
    if (k < -2200) { return x * 0.0; }
    for (; half > 1000; half -= 1000, k -= 1000) {
        x *= taco__f64_from_bits((uint64_t)2023 << 52);
    }
    for (; half < -1000; half += 1000, k += 1000) {
        x *= taco__f64_from_bits((uint64_t)23 << 52);
    }
    half = k / 2;
    return x * taco__f64_from_bits((uint64_t)(1023 + half) << 52) *
           taco__f64_from_bits((uint64_t)(1023 + k - half) << 52);
}

/* ---- exponential and logarithm ---- */

/* e^x as a pair times 2^*k: x = k ln 2 + 64 r, a series for e^r, squared six times. */
static taco__pair taco__pair_exp(taco__pair x, int *k)
{
    double n = taco__math_round(x.hi / taco__pair_ln2.hi);
    taco__pair r = taco__pair_add(
                   x, taco__pair_negate(taco__pair_multiply(taco__pair_ln2, taco__pair_of(n, 0)))),
               sum = taco__pair_of(0, 0);
    int i;
    *k = (int)n;
    r = taco__pair_of(r.hi / 64, r.lo / 64);
    for (i = 14; i > 0; i--) { /* r + r^2/2 + ... without the 1, which would hide its digits */
        sum = taco__pair_multiply(taco__pair_divide(r, taco__pair_of(i, 0)),
                                  i == 14 ? taco__pair_of(1, 0)
                                          : taco__pair_add(sum, taco__pair_of(1, 0)));
    }
    for (i = 0; i < 6; i++) { /* (1 + s)^2 - 1 = 2 s + s^2 */
        taco__pair square = taco__pair_multiply(sum, sum);
        sum = taco__pair_add(taco__pair_of(2 * sum.hi, 2 * sum.lo), square);
    }
    return taco__pair_add(sum, taco__pair_of(1, 0));
}

/* e^x rounded to a double. */
static double taco__pair_exp_round(taco__pair x)
{
    int k;
    taco__pair p;
    if (x.hi > 800) { return taco__math_infinity(); }
    if (x.hi < -800) { return 0; }
    p = taco__pair_exp(x, &k);
    return taco__pair_scale(p, k);
}

/* The natural logarithm of a finite number above 0: x = m 2^e with m near 1, and
   ln m = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1). */
static taco__pair taco__pair_log(taco__pair x)
{
    uint64_t bits = taco__f64_to_bits(x.hi);
    int e, i;
    taco__pair s, t, sum = taco__pair_of(0, 0);
    double scale;
    if (!(bits >> 52)) { /* subnormal */
        x.hi *= 18014398509481984.0;
        x.lo *= 18014398509481984.0;
        t = taco__pair_log(x);
        return taco__pair_add(t, taco__pair_multiply(taco__pair_ln2, taco__pair_of(-54, 0)));
    }
    e = (int)(bits >> 52) - 1023;
    if ((bits & (((uint64_t)1 << 52) - 1)) > UINT64_C(0x6A09E667F3BCC)) { e++; }
    scale = taco__f64_from_bits((uint64_t)(1023 - (e > 1000 ? 1000 : e)) << 52);
    x = taco__pair_of(x.hi * scale, x.lo * scale);
    if (e > 1000) {
        scale = taco__f64_from_bits((uint64_t)(1023 - (e - 1000)) << 52);
        x = taco__pair_of(x.hi * scale, x.lo * scale);
    }
    s = taco__pair_divide(taco__pair_add(x, taco__pair_of(-1, 0)),
                          taco__pair_add(x, taco__pair_of(1, 0)));
    t = taco__pair_multiply(s, s);
    for (i = 45; i > 0; i -= 2) {
        sum = taco__pair_add(taco__pair_multiply(sum, t),
                             taco__pair_divide(taco__pair_of(1, 0), taco__pair_of(i, 0)));
    }
    sum = taco__pair_multiply(sum, s);
    return taco__pair_add(taco__pair_of(2 * sum.hi, 2 * sum.lo),
                          taco__pair_multiply(taco__pair_ln2, taco__pair_of(e, 0)));
}

/* ln x over the logarithm of a base, rounded; x is above 0, infinity included. */
static double taco__math_log_over(double x, taco__pair base)
{
    taco__pair p;
    if (!taco__math_is_finite(x)) { return x; }
    p = taco__pair_divide(taco__pair_log(taco__pair_of(x, 0)), base);
    return p.hi + p.lo;
}

/* The logarithm to base 2 of a number above 0. */
TACO__FN double taco__func_math_log2(double x)
{
    return taco__math_log_over(x, taco__pair_ln2);
}

/* Whether a finite number is whole, and odd. */
static bool taco__math_is_whole(double x, bool *odd)
{
    double h;
    *odd = false;
    if (taco__math_floor(x) != x) { return false; }
    if (x > 9007199254740992.0 || x < -9007199254740992.0) { return true; }
    h = x / 2;
    *odd = taco__math_floor(h) != h;
    return true;
}

/* x^y as C99 F.9.4.4 has it. */
static double taco__math_pow(double x, double y)
{
    bool odd, whole, big = x > 1 || x < -1;
    double r;
    taco__pair p;
    if (y == 0 || x == 1) { return 1; }
    if (x != x || y != y) { return taco__math_nan(); }
    if (!taco__math_is_finite(y)) {
        return x == -1 ? 1 : (y > 0) == big ? taco__math_infinity() : 0;
    }
    whole = taco__math_is_whole(y, &odd);
    if (x == 0 || !taco__math_is_finite(x)) {
        r = (x == 0) == (y > 0) ? 0 : taco__math_infinity();
        return odd && taco__f64_to_bits(x) >> 63 ? -r : r;
    }
    if (x < 0 && !whole) { return taco__math_nan(); }
    p = taco__pair_log(taco__pair_of(x < 0 ? -x : x, 0));
    if (y > 1e6 || y < -1e6) { /* the product of large ones decides by itself */
        double v = p.hi * y;
        if (v > 800 || v < -800) {
            r = v > 0 ? taco__math_infinity() : 0;
            return x < 0 && odd ? -r : r;
        }
    }
    r = taco__pair_exp_round(taco__pair_multiply(p, taco__pair_of(y, 0)));
    return x < 0 && odd ? -r : r;
}

/* ---- sines ---- */

/* r and the quarter turn with x = quarter * pi/2 + r, |r| <= pi/4: x times the digits of 2/pi
   that matter for it, as whole numbers (M. H. Payne, R. N. Hanek, Radian reduction for
   trigonometric functions, 1983). Digits of 2/pi that make whole turns of the product are left
   out, and those beyond 250 bits after its point. */
static taco__pair taco__math_reduce(double x, int *quarter)
{
    static const uint32_t two_over_pi[] = {
        0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB,
        0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E,
        0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B,
        0xBDF9283B, 0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7,
        0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1,
        0x1F8D5D08, 0x56033046, 0xFC7B6BAB, 0xF0CFBC20, 0x9AF4361D};
    uint32_t p[11];
    uint64_t bits = taco__f64_to_bits(x),
             m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int e = (int)(bits >> 52 & 0x7FF) - 1075, first = e > 1 ? e - 1 : 1, point, i, top;
    uint64_t carry = 0, low = m & 0xFFFFFFFF, high = m >> 32;
    bool negative = bits >> 63, back;
    taco__pair r = taco__pair_of(0, 0);
    if (x < 0.78 && x > -0.78) {
        *quarter = 0;
        return taco__pair_of(x, 0);
    }
    /* p = m * bits [first, first + 256) of 2/pi, bit 1 being the first after the point */
    memset(p, 0, sizeof p);
    for (i = 0; i < 8; i++) { /* from the lowest word on */
        int at = first - 1 + 32 * (7 - i), word = at / 32, shift = at % 32;
        uint64_t w = (((uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1]) << shift) >> 32;
        uint64_t v = w * low + p[i] + carry;
        uint64_t u;
        p[i] = (uint32_t)v;
        u = w * high + p[i + 1] + (v >> 32);
        p[i + 1] = (uint32_t)u;
        carry = 0;
        p[i + 2] += (uint32_t)(u >> 32);
    }
    /* the product is p * 2^-point */
    point = first + 255 - e;
    top = point / 32;
    *quarter =
        (int)(((uint64_t)p[top] | (uint64_t)(top < 10 ? p[top + 1] : 0) << 32) >> point % 32 & 3);
    p[top] &= ((uint32_t)1 << point % 32) - 1;
    for (i = top + 1; i < 11; i++) {
        p[i] = 0;
    }
    /* above a half: back from the next quarter */
    i = point - 1;
    back = p[i / 32] >> i % 32 & 1;
    if (back) {
        carry = 1;
        for (i = 0; i <= top; i++) {
            carry += (uint32_t)~p[i];
            p[i] = (uint32_t)carry;
            carry >>= 32;
        }
        p[top] &= ((uint32_t)1 << point % 32) - 1;
        *quarter = (*quarter + 1) & 3;
    }
    for (i = top; i >= 0; i--) {
        double w = taco__pair_scale(taco__pair_of(p[i], 0), 32 * i - point);
        r = taco__pair_add(r, taco__pair_of(w, 0));
    }
    r = taco__pair_multiply(r, taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2));
    if (back != negative) { r = taco__pair_negate(r); }
    if (negative) { *quarter = -*quarter & 3; }
    return r;
}

/* Sine (from 1) or cosine (from 0) of |r| <= pi/4: the series by powers of r^2. */
static taco__pair taco__pair_series(taco__pair r, int from)
{
    taco__pair square = taco__pair_multiply(r, r), sum = taco__pair_of(1, 0);
    int i;
    for (i = 26 + from; i > from; i -= 2) {
        sum = taco__pair_multiply(taco__pair_divide(square, taco__pair_of(-(double)i * (i - 1), 0)),
                                  sum);
        sum = taco__pair_add(sum, taco__pair_of(1, 0));
    }
    return from ? taco__pair_multiply(sum, r) : sum;
}

/* Sine and cosine of x, which is finite. */
static void taco__math_sine(double x, taco__pair *sine, taco__pair *cosine)
{
    int q;
    taco__pair r = taco__math_reduce(x, &q), s = taco__pair_series(r, 1),
               c = taco__pair_series(r, 0);
    *sine = q & 1 ? c : s;
    *cosine = q & 1 ? s : c;
    if (q & 2) { *sine = taco__pair_negate(*sine); }
    if (q == 1 || q == 2) { *cosine = taco__pair_negate(*cosine); }
}

/* The arc tangent: near a first guess t, atan x = t + atan((x - tan t) / (1 + x tan t)). */
static taco__pair taco__pair_atan(taco__pair x)
{
    bool negative = x.hi < 0, inverse;
    taco__pair t, d, square, sum = taco__pair_of(0, 0);
    double guess;
    int i;
    if (negative) { x = taco__pair_negate(x); }
    inverse = x.hi > 1;
    if (inverse) { x = taco__pair_divide(taco__pair_of(1, 0), x); }
    guess = x.hi * (0.7853981633974483 + 0.273 * (1 - x.hi));
    t = taco__pair_divide(taco__pair_series(taco__pair_of(guess, 0), 1),
                          taco__pair_series(taco__pair_of(guess, 0), 0));
    d = taco__pair_divide(taco__pair_add(x, taco__pair_negate(t)),
                          taco__pair_add(taco__pair_multiply(x, t), taco__pair_of(1, 0)));
    square = taco__pair_multiply(d, d);
    for (i = 13; i > 0; i -= 2) {
        sum = taco__pair_add(taco__pair_negate(taco__pair_multiply(sum, square)),
                             taco__pair_divide(taco__pair_of(1, 0), taco__pair_of(i, 0)));
    }
    t = taco__pair_add(taco__pair_multiply(sum, d), taco__pair_of(guess, 0));
    if (inverse) {
        t = taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                           taco__pair_negate(t));
    }
    return negative ? taco__pair_negate(t) : t;
}

/* The angle of the point (x, y), as C99 F.9.1.4 has it. */
static double taco__math_atan2(double y, double x)
{
    bool below = taco__f64_to_bits(y) >> 63, left = taco__f64_to_bits(x) >> 63;
    taco__pair r;
    double a = y < 0 ? -y : y, b = x < 0 ? -x : x;
    if (x != x || y != y) { return taco__math_nan(); }
    if (a == 0) {
        r = left ? taco__pair_pi : taco__pair_of(0, 0);
    } else if (b == 0) {
        r = taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2);
    } else if (!taco__math_is_finite(a) || !taco__math_is_finite(b)) {
        bool both = !taco__math_is_finite(a) && !taco__math_is_finite(b);
        double turn = both ? (left ? 0.75 : 0.25) : !taco__math_is_finite(a) ? 0.5 : left ? 1 : 0;
        r = taco__pair_multiply(taco__pair_pi, taco__pair_of(turn, 0));
    } else {
        /* the quotient of the smaller by the larger, which cannot overflow */
        bool steep = a > b;
        double down = steep ? a : b, k = down > 1e200 ? 1e-200 : down < 1e-200 ? 1e200 : 1;
        r = taco__pair_atan(
            taco__pair_divide(taco__pair_of((steep ? b : a) * k, 0), taco__pair_of(down * k, 0)));
        if (steep) {
            r = taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                               taco__pair_negate(r));
        }
        if (left) { r = taco__pair_add(taco__pair_pi, taco__pair_negate(r)); }
    }
    return below ? -(r.hi + r.lo) : r.hi + r.lo;
}

/* asin x (or acos x) for |x| <= 1: the angle of (sqrt(1 - x^2), x). */
static double taco__math_arc(double x, bool cosine)
{
    taco__pair root = taco__pair_root(
                   taco__pair_multiply(taco__pair_add(taco__pair_of(1, 0), taco__pair_of(-x, 0)),
                                       taco__pair_add(taco__pair_of(1, 0), taco__pair_of(x, 0)))),
               r;
    if (x == 1 || x == -1) {
        return cosine ? (x > 0 ? 0 : taco__pair_pi.hi) : x * (taco__pair_pi.hi / 2);
    }
    if (!cosine && x < 1e-9 && x > -1e-9) { return x; }
    r = taco__pair_atan(taco__pair_divide(taco__pair_of(x, 0), root));
    if (cosine) {
        r = taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                           taco__pair_negate(r));
    }
    return r.hi + r.lo;
}

/* ---- hyperbolic functions ---- */

/* sinh, cosh and tanh by e^x and e^-x. */
static double taco__math_hyperbolic(double x, char which)
{
    double a = x < 0 ? -x : x, r;
    taco__pair up, down, p;
    int k;
    if (x != x) { return x; }
    if (which != 'c' && a < 1e-9) { return x; }
    if (which == 't' && a > 40) { return x < 0 ? -1 : 1; }
    if (a > 40) { /* e^-x is nothing beside e^x */
        r = taco__pair_exp_round(taco__pair_add(taco__pair_of(TACO__MIN(a, 2000.0), 0),
                                                taco__pair_negate(taco__pair_ln2)));
        return which == 's' && x < 0 ? -r : r;
    }
    up = taco__pair_exp(taco__pair_of(a, 0), &k);
    r = taco__pair_scale(taco__pair_of(1, 0), k);
    up = taco__pair_of(up.hi * r, up.lo * r);
    down = taco__pair_divide(taco__pair_of(1, 0), up);
    p = taco__pair_add(up, which == 'c' ? down : taco__pair_negate(down));
    if (which == 't') {
        p = taco__pair_divide(p, taco__pair_add(up, down));
        p = taco__pair_of(2 * p.hi, 2 * p.lo);
    }
    r = (p.hi + p.lo) / 2;
    return which != 'c' && x < 0 ? -r : r;
}

/* asinh, acosh and atanh by logarithms; the argument is in the domain. */
static double taco__math_area(double x, char which)
{
    double a = x < 0 ? -x : x, r;
    taco__pair p = taco__pair_of(a, 0), square;
    if (which != 'c' && a < 1e-9) { return x; }
    if (!taco__math_is_finite(x)) { return x; }
    if (which == 't') {
        p = taco__pair_log(
            taco__pair_divide(taco__pair_add(taco__pair_of(1, 0), p),
                              taco__pair_add(taco__pair_of(1, 0), taco__pair_negate(p))));
        r = (p.hi + p.lo) / 2;
    } else if (a > 1e15) {
        p = taco__pair_add(taco__pair_log(p), taco__pair_ln2);
        r = p.hi + p.lo;
    } else {
        square = taco__pair_add(taco__pair_multiply(p, p), taco__pair_of(which == 's' ? 1 : -1, 0));
        p = taco__pair_log(taco__pair_add(p, taco__pair_root(square)));
        r = p.hi + p.lo;
    }
    return x < 0 ? -r : r;
}

/* ---- gamma ---- */

/* ln gamma(x) for x > 0 by Stirling's series (DLMF 5.11.1), moved up to where it converges:
   gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1)). */
static taco__pair taco__pair_log_gamma(double x)
{
    static const taco__pair half_log_two_pi = {0.9189385332046728, -3.8782941580672414e-17};
    static const taco__pair terms[] = {{0.08333333333333333, 4.625929269271485e-18},
                                       {-0.002777777777777778, 1.0601087908747154e-19},
                                       {0.0007936507936507937, 6.883823317368282e-22},
                                       {-0.0005952380952380953, 5.36938218754726e-20},
                                       {0.0008417508417508417, 3.6870174889237694e-20},
                                       {-0.0019175269175269176, 1.0675702776872475e-19},
                                       {0.00641025641025641, 2.2240044563805217e-19},
                                       {-0.029550653594771242, 4.861760957508855e-19},
                                       {0.17964437236883057, -6.401600482710946e-19},
                                       {-1.3924322169059011, 1.5837056989230303e-17},
                                       {13.402864044168393, -6.154114101993966e-16},
                                       {-156.84828462600203, 9.391823141715389e-15},
                                       {2193.1033333333335, -1.3339255626002948e-13}};
    taco__pair z = taco__pair_of(x, 0), under = taco__pair_of(1, 0), inverse, square, sum, l;
    int i;
    while (z.hi < 24) {
        under = taco__pair_multiply(under, z);
        z = taco__pair_add(z, taco__pair_of(1, 0));
    }
    inverse = taco__pair_divide(taco__pair_of(1, 0), z);
    square = taco__pair_multiply(inverse, inverse);
    sum = taco__pair_of(0, 0);
    for (i = (int)TACO__COUNT(terms) - 1; i >= 0; i--) {
        sum = taco__pair_add(taco__pair_multiply(sum, square), terms[i]);
    }
    sum = taco__pair_multiply(sum, inverse);
    l = taco__pair_log(z);
    sum = taco__pair_add(sum, half_log_two_pi);
    sum = taco__pair_add(sum, taco__pair_negate(z));
    sum = taco__pair_add(sum, taco__pair_multiply(l, taco__pair_add(z, taco__pair_of(-0.5, 0))));
    return taco__pair_add(sum, taco__pair_negate(taco__pair_log(under)));
}

/* gamma(x), or the logarithm of its magnitude; by reflection below 0. */
static double taco__math_gamma(double x, bool log)
{
    taco__pair p, sine, cosine;
    bool odd;
    double f;
    if (x != x) { return x; }
    if (!taco__math_is_finite(x)) {
        return x > 0 || log ? taco__math_infinity() : taco__math_nan();
    }
    if (x > 1e300) { return taco__math_infinity(); }
    if (x == 1 || x == 2) { return log ? 0 : 1; }
    if (x > 0) {
        p = taco__pair_log_gamma(x);
        if (log) { return p.hi + p.lo; }
        f = taco__pair_exp_round(p);
        return x < 20 && taco__math_floor(x) == x ? taco__math_round(f) : f;
    }
    if (taco__math_is_whole(x, &odd)) { return log ? taco__math_infinity() : taco__math_nan(); }
    /* gamma(x) gamma(1 - x) = pi / sin(pi x): the sine of what is left of x after whole turns */
    f = x - taco__math_floor(x);
    p = taco__pair_multiply(taco__pair_pi, taco__pair_of(f > 0.5 ? 1 - f : f, 0));
    if (p.hi > 0.78) {
        sine = taco__pair_series(
            taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                           taco__pair_negate(p)),
            0);
    } else {
        sine = taco__pair_series(p, 1);
    }
    cosine = taco__pair_add(taco__pair_log(taco__pair_divide(taco__pair_pi, sine)),
                            taco__pair_negate(taco__pair_log_gamma(1 - x)));
    if (log) { return cosine.hi + cosine.lo; }
    taco__math_is_whole(taco__math_floor(x), &odd);
    return odd ? -taco__pair_exp_round(cosine) : taco__pair_exp_round(cosine);
}

/* ---- calls ---- */

/* An error that names the function. */
static TACO__COLD bool taco__math_fail(taco__func_call *x, const char *what)
{
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s %s", x->name, what);
    return false;
}

/* Functions that the table names by a letter: what DuckDB refuses is refused. */
static bool taco__math_check(taco__func_call *x, char which, double v)
{
    switch (which) {
    case 's':
    case 'c':
    case 't':
    case 'k':
        return v != v || taco__math_is_finite(v) || taco__math_fail(x, "of an infinite number");
    case 'l':
    case 'L':
    case '2': return !(v <= 0) || taco__math_fail(x, v == 0 ? "of 0" : "of a negative number");
    case 'a':
    case 'b':
    case 'H': return !(v > 1 || v < -1) || taco__math_fail(x, "outside of -1 to 1");
    case 'g':
    case 'G': return v != 0 || taco__math_fail(x, "of 0");
    default: return true;
    }
}

/* sin, cos, tan, cot. */
static double taco__math_circular(double v, char which)
{
    taco__pair s, c;
    if (v != v) { return v; }
    if (v < 1e-9 && v > -1e-9 && which != 'k') { return which == 'c' ? 1 : v; }
    taco__math_sine(v, &s, &c);
    s = which == 's'   ? s
        : which == 'c' ? c
        : which == 't' ? taco__pair_divide(s, c)
                       : taco__pair_divide(c, s);
    return s.hi + s.lo;
}

/* The nearest even whole number away from 0. */
static double taco__math_even(double v)
{
    double a = v < 0 ? -v : v, up = -taco__math_floor(-a), half = up / 2;
    up = taco__math_floor(half) == half ? up : up + 1;
    return v < 0 ? -up : up;
}

/* The cube root: of the logarithm's third, put right by a step of Newton. */
static double taco__math_cube_root(double v)
{
    double a = v < 0 ? -v : v, r;
    taco__pair third, cube;
    if (v == 0 || !taco__math_is_finite(v)) { return v; }
    third = taco__pair_divide(taco__pair_log(taco__pair_of(a, 0)), taco__pair_of(3, 0));
    r = taco__pair_exp_round(third);
    cube = taco__pair_multiply(taco__pair_product(r, r), taco__pair_of(r, 0));
    r -= ((cube.hi - a) + cube.lo) / (3 * r * r);
    return v < 0 ? -r : r;
}

/* A function of one number, by its letter:
     s c t k   sin, cos, tan, cot
     a b A     asin, acos, atan
     e l L 2   exp, ln, log10, log2
     S C T     sinh, cosh, tanh
     h j H     asinh, acosh, atanh
     g G       gamma, and the logarithm of its magnitude
     3 E       the cube root, the next even number away from 0
     d r       degrees of radians, radians of degrees */
static double taco__math_one(double v, char which)
{
    taco__pair p;
    switch (which) {
    case 's':
    case 'c':
    case 't':
    case 'k': return taco__math_circular(v, which);
    case 'a':
    case 'b': return v != v ? v : taco__math_arc(v, which == 'b');
    case 'A':
        if (v != v || (v < 1e-9 && v > -1e-9)) { return v; }
        return taco__math_atan2(v, 1);
    case 'e': return v != v ? v : taco__pair_exp_round(taco__pair_of(v, 0));
    case 'l': return taco__math_log_over(v, taco__pair_of(1, 0));
    case 'L': return taco__math_log_over(v, taco__pair_ln10);
    case '2': return taco__math_log_over(v, taco__pair_ln2);
    case 'S': return taco__math_hyperbolic(v, 's');
    case 'C': return taco__math_hyperbolic(v, 'c');
    case 'T': return taco__math_hyperbolic(v, 't');
    case 'h': return taco__math_area(v, 's');
    case 'j': return v < 1 ? taco__math_nan() : taco__math_area(v, 'c');
    case 'H': return v == 1 || v == -1 ? taco__math_infinity() : taco__math_area(v, 't');
    case 'g': return taco__math_gamma(v, false);
    case 'G': return taco__math_gamma(v, true);
    case '3': return taco__math_cube_root(v);
    case 'E': return taco__math_even(v);
    case 'd': /* degrees */
        if (!taco__math_is_finite(v)) { return v; }
        return v * (180.0 / taco__pair_pi.hi);
    default: /* radians */ p = taco__pair_of(v * (taco__pair_pi.hi / 180.0), 0); return p.hi;
    }
}

/* The next double (or float) after a in the direction of b. */
static double taco__math_next(double a, double b, bool single)
{
    uint64_t u;
    uint32_t w;
    if (a != a || b != b) { return taco__math_nan(); }
    if (a == b) { return b; }
    if (a == 0) {
        double least = single ? (double)taco__f32_from_bits(1) : taco__f64_from_bits(1);
        return b < 0 ? -least : least;
    }
    if (single) {
        w = taco__f32_to_bits((float)a);
        w = (a < b) == (a > 0) ? w + 1 : w - 1;
        return (double)taco__f32_from_bits(w);
    }
    u = taco__f64_to_bits(a);
    u = (a < b) == (a > 0) ? u + 1 : u - 1;
    return taco__f64_from_bits(u);
}

/* One row of a function of numbers; the letter of the function is the plan. */
static bool taco__math_row(taco__func_call *x, size_t i)
{
    char which = x->plan ? *(const char *)x->plan : 0;
    double v = x->n ? TACO__FUNC_ARG_DOUBLE(0) : 0, w = x->n > 1 ? TACO__FUNC_ARG_DOUBLE(1) : 0;
    double *out = &x->out->v.f[i], base;
    switch (x->id) {
    case TACO__FUNC_PI: *out = taco__pair_pi.hi; return true;
    case TACO__FUNC_POW: *out = taco__math_pow(v, w); return true;
    case TACO__FUNC_ATAN2: *out = taco__math_atan2(v, w); return true;
    case TACO__FUNC_NEXT_AFTER:
        *out = taco__math_next(v, w, x->out->type->t.id == TACO_FLOAT);
        return true;
    case TACO__FUNC_LOG_BASE:
        if (!taco__math_check(x, 'l', v) || !taco__math_check(x, 'l', w)) { return false; }
        base = taco__math_log_over(v, taco__pair_ln10);
        if (base == 0) { return taco__math_fail(x, "to the base 1"); }
        *out = taco__math_log_over(w, taco__pair_ln10) / base;
        return true;
    default: break;
    }
    if (!taco__math_check(x, which, v)) { return false; }
    if (which == 'k' && v == 0) { return taco__math_fail(x, "of 0"); }
    *out = taco__math_one(v, which);
    return true;
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_math_run(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !taco__math_row(x, i)) { return false; }
    }
    return true;
}
/* ==== src/sql/func_text.c ==== */
/* func_text.c - functions of texts: case, parts, search, padding, LIKE, concatenation

   Texts are UTF-8. Positions and lengths count characters (code points), as DuckDB's do; bytes
   that are no UTF-8 count one by one and are kept as they are. Parts of a text share its bytes.
   What a function may make of one value is limited (TACO__FUNC_MAX_TEXT): repeat(s, 1000000000) is
   an error. */
/* #include "sql.h" */
/* #include "functions.h" */
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
TACO__FN size_t taco__func_text_write_char(uint8_t *p, uint32_t c)
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

/* The upper case is the character whose lower case it is, but for characters that share an upper
   case with another one: those of Unicode 14 (UnicodeData.txt), such as the final sigma. */
TACO__FN uint32_t taco__func_text_upper_char(uint32_t c)
{
    static const uint16_t shared[][2] = {
        {0xB5, 0x39C},    {0x131, 0x49},   {0x17F, 0x53},   {0x1C5, 0x1C4},  {0x1C8, 0x1C7},
        {0x1CB, 0x1CA},   {0x1F2, 0x1F1},  {0x345, 0x399},  {0x3C2, 0x3A3},  {0x3D0, 0x392},
        {0x3D1, 0x398},   {0x3D5, 0x3A6},  {0x3D6, 0x3A0},  {0x3F0, 0x39A},  {0x3F1, 0x3A1},
        {0x3F5, 0x395},   {0x1C80, 0x412}, {0x1C81, 0x414}, {0x1C82, 0x41E}, {0x1C83, 0x421},
        {0x1C84, 0x422},  {0x1C85, 0x422}, {0x1C86, 0x42A}, {0x1C87, 0x462}, {0x1C88, 0xA64A},
        {0x1E9B, 0x1E60}, {0x1FBE, 0x399}};
    size_t i;
    if (c < 0x80) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
    for (i = 0; i < TACO__COUNT(shared) && c <= 0x1FBE; i++) {
        if (shared[i][0] == c) { return shared[i][1]; }
    }
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
    for (i = 0; what.len && (at = taco__bytes_find(s, i, what, false)) != SIZE_MAX;
         i = at + what.len) {
        hits++;
    }
    if ((uint64_t)hits * with.len + s.len > TACO__FUNC_MAX_TEXT) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + hits * with.len, x->err);
    for (i = 0; p && i < s.len;) {
        at = hits ? taco__bytes_find(s, i, what, false) : SIZE_MAX;
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
   split_part('a-b-c', '-', 2) is b, with -1 it is c, with 5 it is empty. An empty separator stands
   between all characters. */
static taco_bytes taco__func_text_split_part(taco_bytes s, taco_bytes by, int64_t k)
{
    size_t i = 0, at;
    int64_t parts = 1;
    if (!by.len) {
        k = k < 0 ? (int64_t)taco__func_text_length(s) + TACO__MAX(k, -(INT64_C(1) << 40)) + 1 : k;
        return k > 0 ? taco__func_text_range(s, k - 1, k) : taco__bytes_of(s.data, 0);
    }
    for (; (at = taco__bytes_find(s, i, by, false)) != SIZE_MAX; i = at + by.len) {
        parts++;
    }
    k = k < 0 ? parts + TACO__MAX(k, -(INT64_C(1) << 40)) + 1 : k;
    for (i = 0; k > 0 && k <= parts; k--) {
        at = taco__bytes_find(s, i, by, false);
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
        for (k = 1; k < (int64_t)x->n; k++) { /* DuckDB's limits */
            if (TACO__FUNC_ARG_INT(k) > UINT32_MAX || TACO__FUNC_ARG_INT(k) < -4294967296) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: %d is out of range", x->name,
                           TACO__FUNC_ARG_INT(k));
                return false;
            }
        }
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
    taco_bytes esc;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (!ready) {
            memset(&k, 0, sizeof k);
            k.icase = icase;
            esc = x->n > 2 ? TACO__FUNC_ARG_TEXT(2) : taco__bytes_of(NULL, 0);
            if (esc.len > 1) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "ESCAPE takes one character, found %q", &esc);
                return false;
            }
            taco__like_set_escape(&k, x->n > 2 ? &esc : NULL);
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
            at = taco__bytes_find(s, 0, t, false);
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
/* ==== src/sql/func_string.c ==== */
/* func_string.c - functions of texts beyond func_text.c: codes, distances, encodings, paths

   A text that a function makes is built in a buffer and copied into the arena of the batch.
   Distances that work on bytes do so in DuckDB too: levenshtein('é', 'e') is 2.

   Examples: hex('é') is C3A9, unhex('C3A9') the two bytes; translate('abcb', 'bc', 'x') is axx
   without the c, which has no partner; levenshtein('kitten', 'sitting') is 3; bar(5, 0, 10, 4) is
   two full blocks and two blanks; format_bytes(16384) is 16.0 KiB. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* A longer result of one value is an error, as repeat has it. */
#define TACO__FUNC_STRING_MAX ((size_t)1 << 26)

/* An error of a value, after the name of the function. */
static TACO__COLD bool taco__func_string_fail(taco__func_call *x, const char *what)
{
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: %s", x->name, what);
    return false;
}

/* ---- codes ---- */

/* chr: the character of a code point. */
static bool taco__func_string_chr(taco__func_call *x, size_t i, taco__buf *b)
{
    int64_t c = TACO__FUNC_ARG_INT(0);
    uint8_t utf8[4];
    if (c < 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "chr: %d is no character", TACO__D(c));
        return false;
    }
    return taco__buf_append(b, utf8, taco__func_text_write_char(utf8, (uint32_t)c), x->err);
}

/* translate: each character of the second argument becomes the one at its place in the third, or
   goes where that is shorter. */
static bool taco__func_string_translate(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), from = TACO__FUNC_ARG_TEXT(1),
               to = TACO__FUNC_ARG_TEXT(2);
    size_t at, w;
    bool ok = true;
    for (at = 0; ok && at < s.len; at += w) {
        size_t f = 0, t = 0, fw = 0, tw = 0;
        bool found = false;
        w = taco__like_char_width(s, at);
        for (; f < from.len && !found; f += fw, t += tw) {
            fw = taco__like_char_width(from, f);
            tw = t < to.len ? taco__like_char_width(to, t) : 0;
            if (fw == w && memcmp(from.data + f, s.data + at, w) == 0) {
                found = true;
                ok = taco__buf_append(b, to.data + t, tw, x->err);
            }
        }
        if (!found) { ok = taco__buf_append(b, s.data + at, w, x->err); }
    }
    return ok;
}

/* Digits of a number to a base, at least `width` of them. */
static bool taco__func_string_digits(taco__func_call *x, taco__buf *b, const uint64_t *v,
                                     uint32_t base, size_t width)
{
    char text[130];
    size_t n = sizeof text;
    uint64_t high = v[1], low = v[0];
    while ((high || low) && n) { /* long division by the base, 32 bits at a time */
        uint64_t rest = high % base, part;
        high /= base;
        part = rest << 32 | low >> 32;
        rest = part % base;
        low = (part / base) << 32 | (low & 0xFFFFFFFF);
        part = rest << 32 | (low & 0xFFFFFFFF);
        rest = part % base;
        low = (low & ~UINT64_C(0xFFFFFFFF)) | part / base;
        text[--n] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest];
    }
    while (sizeof text - n < width && n) {
        text[--n] = '0';
    }
    return taco__buf_append(b, text + n, sizeof text - n, x->err);
}

/* hex and bin: of bytes all digits, of numbers those that count; negative ones as 64 bits. */
static bool taco__func_string_hex(taco__func_call *x, size_t i, taco__buf *b)
{
    uint32_t each = x->id == TACO__FUNC_HEX ? 4 : 1;
    const taco__vec *v = &x->a[0];
    uint64_t words[2] = {0, 0};
    size_t k, bit;
    if (taco__sql_type_physical(v->type) == TACO__PHYS_STR) {
        taco_bytes s = TACO__FUNC_ARG_TEXT(0);
        for (k = 0; k < s.len; k++) {
            for (bit = 8; bit > 0; bit -= each) {
                uint32_t d = (uint32_t)s.data[k] >> (bit - each) & ((1U << each) - 1);
                if (!taco__buf_append_char(b, "0123456789ABCDEF"[d], x -> err)) { return false; }
            }
        }
        return true;
    }
    if (taco__sql_type_physical(v->type) == TACO__PHYS_BIG) {
        words[0] = TACO__FUNC_ARG_BIG(0).w[0];
        words[1] = TACO__FUNC_ARG_BIG(0).w[1];
    } else {
        words[0] = (uint64_t)TACO__FUNC_ARG_INT(0);
    }
    return taco__func_string_digits(x, b, words, 1U << each, 1);
}

/* unhex and unbin: bytes of digits; the first byte may have fewer. */
static bool taco__func_string_unhex(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t per = x->id == TACO__FUNC_UNHEX ? 2 : 8, k, left = s.len % per;
    uint32_t v = 0;
    left = left ? left : per;
    for (k = 0; k < s.len; k++) {
        int d = taco__ascii_hex_value(s.data[k]);
        if (d < 0 || (per == 8 && d > 1)) {
            return taco__func_string_fail(x, "a character that is no digit");
        }
        v = v << (per == 2 ? 4 : 1) | (uint32_t)d;
        if (--left == 0) {
            if (!taco__buf_append_char(b, (char)(uint8_t)v, x->err)) { return false; }
            v = 0;
            left = per;
        }
    }
    return true;
}

/* ---- encodings ---- */

static const char taco__func_base64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* base64 (RFC 4648 section 4), with padding. */
static bool taco__func_string_base64(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k, m;
    for (k = 0; k < s.len; k += 3) {
        uint32_t v = 0;
        char four[4];
        for (m = 0; m < 3; m++) {
            v = v << 8 | (k + m < s.len ? s.data[k + m] : 0U);
        }
        for (m = 0; m < 4; m++) {
            four[m] = k + m <= s.len ? taco__func_base64[v >> (18 - 6 * m) & 63] : '=';
        }
        if (!taco__buf_append(b, four, 4, x->err)) { return false; }
    }
    return true;
}

/* The bytes of base64: whole groups of four characters, the last of which may be padded. */
static bool taco__func_string_from_base64(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k, m, pad = 0;
    if (s.len % 4) { return taco__func_string_fail(x, "the length is no multiple of 4"); }
    for (k = 0; k < s.len; k += 4) {
        uint32_t v = 0;
        for (m = 0; m < 4; m++) {
            uint8_t c = s.data[k + m];
            const char *at = c ? strchr(taco__func_base64, c) : NULL;
            bool padded = c == '=' && k + 4 == s.len && m >= 2;
            if ((!at && !padded) || (pad && !padded)) {
                return taco__func_string_fail(x, "a character that base64 has not");
            }
            pad += padded;
            v = v << 6 | (at ? (uint32_t)(at - taco__func_base64) : 0U);
        }
        for (m = 0; m < 3 - pad; m++) {
            if (!taco__buf_append_char(b, (char)(uint8_t)(v >> (16 - 8 * m)), x->err)) {
                return false;
            }
        }
    }
    return true;
}

/* url_encode (RFC 3986 section 2): all but unreserved characters as %XX; and back. */
static bool taco__func_string_url(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k;
    bool ok = true;
    for (k = 0; ok && k < s.len; k++) {
        uint8_t c = s.data[k];
        char hex[3] = {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
        bool plain = (c < 0x80 && c != '_' && taco__lex_is_letter(c)) || taco__lex_is_digit(c) ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        if (x->id == TACO__FUNC_URL_ENCODE) {
            ok = plain ? taco__buf_append_char(b, (char)c, x->err)
                       : taco__buf_append(b, hex, 3, x->err);
        } else if (c == '%' && k + 2 < s.len && taco__ascii_hex_value(s.data[k + 1]) >= 0 &&
                   taco__ascii_hex_value(s.data[k + 2]) >= 0) {
            ok = taco__buf_append_char(b,
                                       (char)(uint8_t)(taco__ascii_hex_value(s.data[k + 1]) * 16 +
                                                       taco__ascii_hex_value(s.data[k + 2])),
                                       x->err);
            k += 2;
        } else {
            ok = taco__buf_append_char(b, (char)c, x->err);
        }
    }
    if (ok && !taco__utf8_valid(taco__bytes_of(b->data, b->len))) {
        return taco__func_string_fail(x, "the result is no UTF-8");
    }
    return ok;
}

/* ---- distances ---- */

/* levenshtein and damerau_levenshtein (with neighbours swapped), on bytes: rows of the matrix of
   distances of prefixes. The unrestricted form of the latter remembers where each byte was last
   (R. Lowrance, R. A. Wagner, An extension of the string-to-string correction problem, 1975). */
static bool taco__func_string_edits(taco__func_call *x, size_t i, int64_t *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    bool swaps = x->id == TACO__FUNC_DAMERAU;
    size_t width = t.len + 2, rows = swaps ? s.len + 2 : 2, a, b, last[256], cells;
    uint32_t *m;
    if (!taco__checked_mul_size(width, rows, &cells) || cells > TACO__FUNC_STRING_MAX) {
        return taco__func_string_fail(x, "the texts are too long");
    }
    m = (uint32_t *)taco__arena_array(x->arena, cells, sizeof *m, x->err);
    if (!m) { return false; }
    memset(last, 0, sizeof last);
#define TACO__CELL(r, c) m[(swaps ? (r) : (r) % 2) * width + (c)]
    for (a = 0; a <= s.len; a++) {
        size_t seen = 0; /* column where s[a - 1] was last in t */
        for (b = 0; b <= t.len; b++) {
            uint32_t cost, best;
            if (!a || !b) {
                TACO__CELL(a, b) = (uint32_t)(a + b);
                continue;
            }
            cost = s.data[a - 1] != t.data[b - 1];
            best = TACO__CELL(a - 1, b - 1) + cost;
            best = TACO__MIN(best, TACO__CELL(a - 1, b) + 1);
            best = TACO__MIN(best, TACO__CELL(a, b - 1) + 1);
            if (swaps && last[t.data[b - 1]] && seen) {
                size_t r = last[t.data[b - 1]], c = seen;
                uint32_t with = TACO__CELL(r - 1, c - 1) + (uint32_t)(a - r + b - c - 1);
                best = TACO__MIN(best, with);
            }
            if (!cost) { seen = b; }
            TACO__CELL(a, b) = best;
        }
        if (a) { last[s.data[a - 1]] = a; }
    }
    *out = (int64_t)TACO__CELL(s.len, t.len);
#undef TACO__CELL
    return true;
}

/* hamming: bytes that differ in texts of one length. */
static bool taco__func_string_hamming(taco__func_call *x, size_t i, int64_t *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    size_t k;
    if (s.len != t.len) { return taco__func_string_fail(x, "the texts differ in length"); }
    if (!s.len) { return taco__func_string_fail(x, "an empty text"); }
    for (k = 0, *out = 0; k < s.len; k++) {
        *out += s.data[k] != t.data[k];
    }
    return true;
}

/* jaccard: the share of the bytes in either text that are in both. */
static bool taco__func_string_jaccard(taco__func_call *x, size_t i, double *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    uint8_t in[256];
    size_t k, both = 0, any = 0;
    if (!s.len || !t.len) { return taco__func_string_fail(x, "an empty text"); }
    memset(in, 0, sizeof in);
    for (k = 0; k < s.len; k++) {
        in[s.data[k]] |= 1;
    }
    for (k = 0; k < t.len; k++) {
        in[t.data[k]] |= 2;
    }
    for (k = 0; k < 256; k++) {
        both += in[k] == 3;
        any += in[k] != 0;
    }
    *out = (double)both / (double)any;
    return true;
}

/* jaro_similarity, and jaro_winkler_similarity, which likes a common beginning: bytes that match
   within half of the longer text, less those out of order (W. E. Winkler, String comparator
   metrics, 1990). */
static bool taco__func_string_jaro(taco__func_call *x, size_t i, double *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    size_t far = TACO__MAX(s.len, t.len) / 2, k, j, hits = 0, swapped = 0, same = 0;
    uint8_t *used = (uint8_t *)taco__arena_alloc(x->arena, s.len + t.len + 1, x->err);
    double h, r;
    if (!used) { return false; }
    *out = 0;
    far = far ? far - 1 : 0;
    /* each byte of s takes the first one of t that is equal, near enough and not taken */
    for (k = 0; k < s.len; k++) {
        for (j = k > far ? k - far : 0; j < t.len && j <= k + far; j++) {
            if (!used[s.len + j] && s.data[k] == t.data[j]) {
                used[k] = used[s.len + j] = 1;
                hits++;
                break;
            }
        }
    }
    if (!hits) { return true; }
    /* the taken ones in their orders: those that differ are swapped by twos */
    for (k = j = 0; k < s.len; k++) {
        if (!used[k]) { continue; }
        while (!used[s.len + j]) {
            j++;
        }
        swapped += s.data[k] != t.data[j++];
    }
    h = (double)hits;
    r = (h / (double)s.len + h / (double)t.len + (h - (double)(swapped / 2)) / h) / 3;
    while (same < 4 && same < s.len && same < t.len && s.data[same] == t.data[same]) {
        same++;
    }
    if (x->id == TACO__FUNC_JARO_WINKLER && r > 0.7) { r += (double)same * 0.1 * (1 - r); }
    *out = x->n > 2 && r < TACO__FUNC_ARG_DOUBLE(2) ? 0 : r;
    return true;
}

/* ---- others ---- */

/* parse_filename, parse_dirname (the first folder) and parse_dirpath (all of them): parts of a
   path, by the plan's letter. */
static bool taco__func_string_path(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    char part = *(const char *)x->plan;
    bool trim = x->n > 1 && TACO__FUNC_ARG_INT(1);
    size_t k, last = SIZE_MAX, first = SIZE_MAX, dot = SIZE_MAX;
    for (k = 0; k < s.len; k++) {
        if (s.data[k] == '/' || s.data[k] == '\\') {
            first = first == SIZE_MAX ? k : first;
            last = k;
        }
    }
    if (part == 'd') { /* the first component */
        size_t n = first == SIZE_MAX ? 0 : first == 0 ? 1 : first;
        return taco__buf_append(b, s.data, n, x->err);
    }
    if (part == 'p') {
        size_t n = last == SIZE_MAX ? 0 : last == 0 ? 1 : last;
        return taco__buf_append(b, s.data, n, x->err);
    }
    k = last == SIZE_MAX ? 0 : last + 1;
    for (first = k; trim && first < s.len; first++) {
        dot = s.data[first] == '.' ? first : dot;
    }
    return taco__buf_append(b, s.data + k, (dot != SIZE_MAX && dot > k ? dot : s.len) - k, x->err);
}

/* format_bytes: 16.0 KiB, by powers of 1024, or 16.0 kB by those of 1000. One digit after the
   point, cut off. */
static bool taco__func_string_size(taco__func_call *x, size_t i, taco__buf *b)
{
    static const char *const units[2][6] = {{"B", "KiB", "MiB", "GiB", "TiB", "PiB"},
                                            {"B", "kB", "MB", "GB", "TB", "PB"}};
    bool decimal = *(const char *)x->plan == 'd';
    uint64_t base = decimal ? 1000 : 1024, u, one = 1;
    int64_t v = TACO__FUNC_ARG_INT(0);
    size_t k = 0, n;
    char text[40];
    u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    while (k < 5 && u / one >= base) {
        one *= base;
        k++;
    }
    n = taco__num_format_u64(text, u / one);
    if (v < 0 && !taco__buf_append_char(b, '-', x->err)) { return false; }
    if (!taco__buf_append(b, text, n, x->err)) { return false; }
    if (!k) { return taco__buf_append_text(b, u == 1 ? " byte" : " bytes", x->err); }
    text[0] = '.';
    text[1] = (char)('0' + (u % one) / (one / 10 + (one % 10 != 0)));
    text[2] = ' ';
    return taco__buf_append(b, text, 3, x->err) &&
           taco__buf_append_text(b, units[decimal][k], x->err);
}

/* to_base(number, base[, width]). */
static bool taco__func_string_to_base(taco__func_call *x, size_t i, taco__buf *b)
{
    int64_t v = TACO__FUNC_ARG_INT(0), base = TACO__FUNC_ARG_INT(1),
            width = x->n > 2 ? TACO__FUNC_ARG_INT(2) : 0;
    uint64_t words[2];
    if (v < 0 || base < 2 || base > 36 || width < 0 || width > 64) {
        return taco__func_string_fail(
            x, "a number from 0, a base from 2 to 36, a width from 0 to 64 are allowed");
    }
    words[0] = (uint64_t)v;
    words[1] = 0;
    return taco__func_string_digits(x, b, words, (uint32_t)base,
                                    TACO__MAX((size_t)width, (size_t)1));
}

/* bar(x, min, max[, width]): a bar of eighths of blocks. */
static bool taco__func_string_bar(taco__func_call *x, size_t i, taco__buf *b)
{
    double v = TACO__FUNC_ARG_DOUBLE(0), lo = TACO__FUNC_ARG_DOUBLE(1),
           hi = TACO__FUNC_ARG_DOUBLE(2), width = x->n > 3 ? TACO__FUNC_ARG_DOUBLE(3) : 80, share;
    size_t eighths, cells, k;
    if (!(width >= 1 && width <= 1000)) {
        return taco__func_string_fail(x, "a width from 1 to 1000 is allowed");
    }
    if (v != v || lo != lo || hi != hi || lo >= hi) {
        return taco__func_string_fail(x, "the least value must be below the greatest");
    }
    share = v <= lo ? 0 : v >= hi ? 1 : (v - lo) / (hi - lo);
    eighths = (size_t)(width * share * 8);
    cells = TACO__MAX((size_t)width, (eighths + 7) / 8); /* a part of one counts */
    for (k = 0; k < cells; k++) {
        size_t part = eighths > k * 8 ? TACO__MIN(eighths - k * 8, (size_t)8) : 0;
        char block[3] = {'\xE2', '\x96', (char)(uint8_t)(0x90 - part)};
        if (!(part ? taco__buf_append(b, block, 3, x->err)
                   : taco__buf_append_char(b, ' ', x->err))) {
            return false;
        }
    }
    return true;
}

/* decode: bytes that are UTF-8 as a text. */
static bool taco__func_string_decode(taco__func_call *x, size_t i)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    if (!taco__utf8_valid(s)) { return taco__func_string_fail(x, "the bytes are no UTF-8"); }
    x->out->v.s[i] = s;
    return true;
}

/* Row i of a function whose result is a text or bytes, appended to b. */
static bool taco__func_string_text(taco__func_call *x, size_t i, taco__buf *b)
{
    switch (x->id) {
    case TACO__FUNC_CHR: return taco__func_string_chr(x, i, b);
    case TACO__FUNC_TRANSLATE: return taco__func_string_translate(x, i, b);
    case TACO__FUNC_HEX:
    case TACO__FUNC_BIN: return taco__func_string_hex(x, i, b);
    case TACO__FUNC_UNHEX:
    case TACO__FUNC_UNBIN: return taco__func_string_unhex(x, i, b);
    case TACO__FUNC_BASE64: return taco__func_string_base64(x, i, b);
    case TACO__FUNC_FROM_BASE64: return taco__func_string_from_base64(x, i, b);
    case TACO__FUNC_URL_ENCODE:
    case TACO__FUNC_URL_DECODE: return taco__func_string_url(x, i, b);
    case TACO__FUNC_PATH_PART: return taco__func_string_path(x, i, b);
    case TACO__FUNC_FORMAT_BYTES: return taco__func_string_size(x, i, b);
    case TACO__FUNC_BAR: return taco__func_string_bar(x, i, b);
    default: return taco__func_string_to_base(x, i, b);
    }
}

/* One row. */
static bool taco__func_string_row(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s;
    switch (x->id) {
    case TACO__FUNC_UNICODE:
        s = TACO__FUNC_ARG_TEXT(0);
        x->out->v.i[i] =
            s.len ? (int64_t)taco__like_char_at(s, 0, taco__like_char_width(s, 0)) : -1;
        return true;
    case TACO__FUNC_BIT_LENGTH:
        x->out->v.i[i] = (int64_t)TACO__FUNC_ARG_TEXT(0).len * 8;
        return true;
    case TACO__FUNC_LEVENSHTEIN:
    case TACO__FUNC_DAMERAU: return taco__func_string_edits(x, i, &x->out->v.i[i]);
    case TACO__FUNC_HAMMING: return taco__func_string_hamming(x, i, &x->out->v.i[i]);
    case TACO__FUNC_JACCARD: return taco__func_string_jaccard(x, i, &x->out->v.f[i]);
    case TACO__FUNC_JARO:
    case TACO__FUNC_JARO_WINKLER: return taco__func_string_jaro(x, i, &x->out->v.f[i]);
    case TACO__FUNC_MD5:
    case TACO__FUNC_SHA1:
    case TACO__FUNC_SHA256: return taco__func_hash_row(x, i);
    case TACO__FUNC_ENCODE: x->out->v.s[i] = TACO__FUNC_ARG_TEXT(0); return true;
    case TACO__FUNC_DECODE: return taco__func_string_decode(x, i);
    default:
        b->len = 0;
        return taco__func_string_text(x, i, b) &&
               taco__func_set_text(x, i, taco__bytes_of(b->data, b->len));
    }
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_string_run(taco__func_call *x)
{
    taco__buf b;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        ok = !taco__vec_is_valid(x->out, i) || taco__func_string_row(x, i, &b);
    }
    taco__buf_free(&b);
    return ok;
}
/* ==== src/sql/func_bits.c ==== */
/* func_bits.c - functions of whole numbers: bits, shifts, divisors, factorials

   Types are those of arithmetic (bind_type.c): both operands have the type of the result, which
   may be a HUGEINT or UBIGINT, so that everything is computed in 256 bits where 64 are too few.
   Shifts to the left are errors where a bit would be lost, as in DuckDB; to the right any number
   of places is allowed.

   Examples: 6 & 3 is 2, xor(6, 3) is 5, ~5::UTINYINT is 250, as the type has eight bits; 1 << 31 is
   an error and 1::BIGINT << 31 is not; gcd(12, 18) is 6, lcm(4, 6) is 12; bit_count(-1::TINYINT)
   is 8; 33! is the last factorial that a HUGEINT holds. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* Bits of an integer type. */
static uint32_t taco__func_bits_width(const taco__sql_type *t)
{
    switch (t->t.id) {
    case TACO_INT8:
    case TACO_UINT8: return 8;
    case TACO_INT16:
    case TACO_UINT16: return 16;
    case TACO_INT32:
    case TACO_UINT32: return 32;
    case TACO_INT64:
    case TACO_UINT64: return 64;
    default: return 128;
    }
}

/* Argument k in row i as 256 bits, whatever holds it. */
static taco__i256 taco__func_bits_get(const taco__vec *v, size_t i)
{
    i *= v->step;
    return taco__sql_type_physical(v->type) == TACO__PHYS_BIG ? v->v.d[i]
                                                              : taco__i256_from_i64(v->v.i[i]);
}

/* The result of row i, which must be in its type. */
static bool taco__func_bits_set(taco__func_call *x, size_t i, const taco__i256 *v)
{
    if (!taco__cast_fits(&x->out->type->t, v)) { return taco__func_number_fail_overflow(x); }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_BIG) {
        x->out->v.d[i] = *v;
    } else {
        x->out->v.i[i] = (int64_t)v->w[0];
    }
    return true;
}

/* v << by, or v >> by with the sign kept. */
static taco__i256 taco__func_bits_shift(taco__i256 v, uint32_t by, bool left)
{
    uint64_t sign = taco__i256_is_negative(&v) ? UINT64_MAX : 0;
    for (; by; by--) {
        uint32_t w;
        for (w = 0; w < 4; w++) {
            uint32_t at = left ? 3 - w : w;
            v.w[at] = left ? v.w[at] << 1 | (at ? v.w[at - 1] >> 63 : 0)
                           : v.w[at] >> 1 | (at < 3 ? v.w[at + 1] << 63 : sign << 63);
        }
    }
    return v;
}

/* << and >>: DuckDB shifts neither negative numbers nor by them to the left. */
static bool taco__func_bits_shift_row(taco__func_call *x, size_t i)
{
    taco__i256 v = taco__func_bits_get(&x->a[0], i), n = taco__func_bits_get(&x->a[1], i);
    uint32_t width = taco__func_bits_width(x->out->type);
    bool small = !n.w[1] && !n.w[2] && !n.w[3] && n.w[0] < width;
    if (x->id == TACO__FUNC_SHIFT_RIGHT) {
        v = small ? taco__func_bits_shift(v, (uint32_t)n.w[0], false) : taco__i256_from_i64(0);
        return taco__func_bits_set(x, i, &v);
    }
    if (taco__i256_is_negative(&v) || taco__i256_is_negative(&n)) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "a shift to the left of, or by, a negative number");
        return false;
    }
    if (!small) {
        if (!v.w[0] && !v.w[1]) { return taco__func_bits_set(x, i, &v); }
        return taco__func_number_fail_overflow(x);
    }
    v = taco__func_bits_shift(v, (uint32_t)n.w[0], true);
    return taco__func_bits_set(x, i, &v);
}

/* &, |, xor and ~, word by word; of unsigned numbers ~ leaves the bits above their width 0. */
static bool taco__func_bits_logic_row(taco__func_call *x, size_t i)
{
    taco__i256 v = taco__func_bits_get(&x->a[0], i), y = v;
    uint32_t w, width = taco__func_bits_width(x->out->type);
    taco_type id = x->out->type->t.id;
    bool plain = id == TACO_UINT8 || id == TACO_UINT16 || id == TACO_UINT32 || id == TACO_UINT64;
    if (x->n > 1) { y = taco__func_bits_get(&x->a[1], i); }
    for (w = 0; w < 4; w++) {
        switch (x->id) {
        case TACO__FUNC_BIT_AND: v.w[w] &= y.w[w]; break;
        case TACO__FUNC_BIT_OR: v.w[w] |= y.w[w]; break;
        case TACO__FUNC_XOR: v.w[w] ^= y.w[w]; break;
        default:
            v.w[w] = ~v.w[w];
            if (plain) { v.w[w] &= w ? 0 : width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX; }
            break;
        }
    }
    return taco__func_bits_set(x, i, &v);
}

/* The remainder of two numbers of up to 128 bits that are not negative, by shifts. */
static taco__i256 taco__func_bits_remainder(taco__i256 a, taco__i256 b)
{
    uint32_t k;
    for (k = 0; k < 128; k++) { /* the largest multiple of b by a power of two not above a */
        taco__i256 twice = taco__func_bits_shift(b, k + 1, true);
        if (taco__i256_compare(&twice, &a) > 0) { break; }
    }
    for (;; k--) {
        taco__i256 part = taco__func_bits_shift(b, k, true);
        if (taco__i256_compare(&part, &a) <= 0) { a = taco__i256_add(a, taco__i256_negate(part)); }
        if (!k) { return a; }
    }
}

/* Euclid's algorithm; gcd(0, 0) is 0. */
static taco__i256 taco__func_bits_gcd(taco__i256 a, taco__i256 b)
{
    taco__i256 zero = taco__i256_from_i64(0);
    if (taco__i256_is_negative(&a)) { a = taco__i256_negate(a); }
    if (taco__i256_is_negative(&b)) { b = taco__i256_negate(b); }
    while (taco__i256_compare(&b, &zero) != 0) {
        taco__i256 rest = taco__func_bits_remainder(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* a * b, false beyond 128 bits; neither is negative. */
static bool taco__func_bits_multiply(taco__i256 a, taco__i256 b, taco__i256 *out)
{
    taco__i256 sum = taco__i256_from_i64(0);
    uint32_t k;
    /* a doubled for each bit of b, and added where the bit is set */
    for (k = 0; k < 128; k++) {
        if (b.w[k / 64] >> k % 64 & 1) {
            if (a.w[2] || a.w[3]) { return false; }
            sum = taco__i256_add(sum, a);
        }
        if (a.w[3] >> 62) { return false; }
        a = taco__func_bits_shift(a, 1, true);
    }
    *out = sum;
    return true;
}

/* a / b without a remainder: the quotient of two numbers of which one divides the other. */
static taco__i256 taco__func_bits_quotient(taco__i256 a, taco__i256 b)
{
    taco__i256 q = taco__i256_from_i64(0);
    uint32_t k;
    for (k = 128; k-- > 0;) {
        taco__i256 part;
        part = taco__func_bits_shift(b, k, true);
        if (!taco__i256_is_negative(&part) && taco__i256_compare(&part, &a) <= 0) {
            a = taco__i256_add(a, taco__i256_negate(part));
            q.w[k / 64] |= (uint64_t)1 << k % 64;
        }
    }
    return q;
}

/* gcd and lcm of BIGINTs, for which 64 bits do. */
static bool taco__func_bits_divisor64(taco__func_call *x, size_t i)
{
    int64_t p = TACO__FUNC_ARG_INT(0), q = TACO__FUNC_ARG_INT(1);
    uint64_t a = p < 0 ? 0 - (uint64_t)p : (uint64_t)p, b = q < 0 ? 0 - (uint64_t)q : (uint64_t)q,
             u = a, v = b;
    taco__i256 r;
    while (v) {
        uint64_t rest = u % v;
        u = v;
        v = rest;
    }
    if (x->id == TACO__FUNC_LCM) {
        if (!u) { return true; }
        if (!taco__checked_mul64(a / u, b, &u)) { return taco__func_number_fail_overflow(x); }
    }
    r = taco__i256_from_u64(u);
    return taco__func_bits_set(x, i, &r);
}

/* gcd and lcm. */
static bool taco__func_bits_divisor_row(taco__func_call *x, size_t i)
{
    taco__i256 a, b, g, zero = taco__i256_from_i64(0);
    if (x->out->type->t.id == TACO_INT64) { return taco__func_bits_divisor64(x, i); }
    a = taco__func_bits_get(&x->a[0], i);
    b = taco__func_bits_get(&x->a[1], i);
    g = taco__func_bits_gcd(a, b);
    if (x->id == TACO__FUNC_GCD) { return taco__func_bits_set(x, i, &g); }
    if (taco__i256_compare(&g, &zero) == 0) { return taco__func_bits_set(x, i, &zero); }
    if (taco__i256_is_negative(&a)) { a = taco__i256_negate(a); }
    if (taco__i256_is_negative(&b)) { b = taco__i256_negate(b); }
    if (!taco__func_bits_multiply(taco__func_bits_quotient(a, g), b, &g)) {
        return taco__func_number_fail_overflow(x);
    }
    return taco__func_bits_set(x, i, &g);
}

/* n!, a HUGEINT, which ends at 33!. */
static bool taco__func_bits_factorial_row(taco__func_call *x, size_t i)
{
    int64_t n = TACO__FUNC_ARG_INT(0), k;
    taco__i256 v = taco__i256_from_i64(1);
    if (n < 0 || n > 33) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "the factorial of %d: 0 to 33 have one",
                   TACO__D(n));
        return false;
    }
    for (k = 2; k <= n; k++) {
        if (!taco__i256_multiply_add(&v, (uint32_t)k, 0)) { return false; }
    }
    return taco__func_bits_set(x, i, &v);
}

/* One row. bit_count counts the ones of the type's width, of -1::TINYINT eight. */
static bool taco__func_bits_row(taco__func_call *x, size_t i)
{
    taco__i256 v;
    uint32_t w, width;
    switch (x->id) {
    case TACO__FUNC_SHIFT_LEFT:
    case TACO__FUNC_SHIFT_RIGHT: return taco__func_bits_shift_row(x, i);
    case TACO__FUNC_GCD:
    case TACO__FUNC_LCM: return taco__func_bits_divisor_row(x, i);
    case TACO__FUNC_FACTORIAL: return taco__func_bits_factorial_row(x, i);
    case TACO__FUNC_SIGNBIT:
        x->out->v.i[i] = (int64_t)(taco__f64_to_bits(TACO__FUNC_ARG_DOUBLE(0)) >> 63);
        return true;
    case TACO__FUNC_BIT_COUNT:
        v = taco__func_bits_get(&x->a[0], i);
        width = taco__func_bits_width(x->a[0].type);
        x->out->v.i[i] = 0;
        for (w = 0; w < (width + 63) / 64; w++) {
            uint64_t u = width < 64 ? v.w[w] & (((uint64_t)1 << width) - 1) : v.w[w];
            x->out->v.i[i] += (int64_t)taco__bitmap_popcount(u);
        }
        return true;
    default: return taco__func_bits_logic_row(x, i);
    }
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_bits_run(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !taco__func_bits_row(x, i)) { return false; }
    }
    return true;
}
/* ==== src/sql/func_hash.c ==== */
/* func_hash.c - md5, sha1 and sha256 (RFC 1321, RFC 3174, FIPS 180-4) of texts and blobs

   All three pad the message alike: a one bit, zeros, its length in bits, to blocks of 64 bytes.
   They differ in the order of bytes, the size of the state and the mixing of a block. The result
   is the digest in lower case hexadecimal digits, as DuckDB has it.

   Example: md5('abc') is 900150983cd24fb0d6963f7d28e17f72, sha1('abc')
   a9993e364706816aba3e25717850c26c9cd0d89d, the first test vectors of the two documents. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */

typedef struct taco__digest {
    uint32_t state[8];
    uint32_t words; /* of the state: 4, 5 or 8 */
    bool big;       /* bytes of words from the greatest on */
    void (*mix)(uint32_t *state, const uint32_t *block);
} taco__digest;

/* x turned left by n bits. */
static uint32_t taco__digest_left(uint32_t x, uint32_t n)
{
    return x << n | x >> (32 - n);
}

/* RFC 1321 section 3.4: four rounds of sixteen steps; the constants are floor(2^32 |sin i|). */
static void taco__digest_md5(uint32_t *s, const uint32_t *m)
{
    static const uint32_t k[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
        0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
        0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
        0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
        0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
        0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
        0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
        0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
        0xeb86d391};
    static const uint8_t shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], i, f, g, t;
    for (i = 0; i < 64; i++) {
        switch (i / 16) {
        case 0:
            f = (b & c) | (~b & d);
            g = i;
            break;
        case 1:
            f = (d & b) | (~d & c);
            g = 5 * i + 1;
            break;
        case 2:
            f = b ^ c ^ d;
            g = 3 * i + 5;
            break;
        default:
            f = c ^ (b | ~d);
            g = 7 * i;
            break;
        }
        t = d;
        d = c;
        c = b;
        b += taco__digest_left(a + f + k[i] + m[g % 16], shifts[i / 16 * 4 + i % 4]);
        a = t;
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
}

/* RFC 3174 section 6.1. */
static void taco__digest_sha1(uint32_t *s, const uint32_t *m)
{
    static const uint32_t k[4] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    uint32_t w[80], a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], i, f, t;
    memcpy(w, m, 64);
    for (i = 16; i < 80; i++) {
        w[i] = taco__digest_left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (i = 0; i < 80; i++) {
        f = i < 20   ? (b & c) | (~b & d)
            : i < 40 ? b ^ c ^ d
            : i < 60 ? (b & c) | (b & d) | (c & d)
                     : b ^ c ^ d;
        t = taco__digest_left(a, 5) + f + e + k[i / 20] + w[i];
        e = d;
        d = c;
        c = taco__digest_left(b, 30);
        b = a;
        a = t;
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
    s[4] += e;
}

/* FIPS 180-4 section 6.2; the constants are bits of the cube roots of the first 64 primes. */
static void taco__digest_sha256(uint32_t *s, const uint32_t *m)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t w[64], v[8], i;
    memcpy(w, m, 64);
    memcpy(v, s, sizeof v);
    for (i = 16; i < 64; i++) {
        uint32_t p = w[i - 15], q = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] +
               (taco__digest_left(p, 25) ^ taco__digest_left(p, 14) ^ p >> 3) +
               (taco__digest_left(q, 15) ^ taco__digest_left(q, 13) ^ q >> 10);
    }
    for (i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t =
            v[7] + k[i] + w[i] + ((e & v[5]) ^ (~e & v[6])) +
            (taco__digest_left(e, 26) ^ taco__digest_left(e, 21) ^ taco__digest_left(e, 7));
        uint32_t u =
            ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2])) +
            (taco__digest_left(a, 30) ^ taco__digest_left(a, 19) ^ taco__digest_left(a, 10));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t;
        v[0] = t + u;
    }
    for (i = 0; i < 8; i++) {
        s[i] += v[i];
    }
}

/* Mixes one block of 64 bytes into the state. */
static void taco__digest_block(taco__digest *d, const uint8_t *p)
{
    uint32_t m[16], i;
    for (i = 0; i < 16; i++) {
        m[i] = d->big ? taco__load_be32(p + i * 4) : taco__load_le32(p + i * 4);
    }
    d->mix(d->state, m);
}

/* The initial state of a function: that of MD5 is the beginning of SHA-1's. */
static void taco__digest_init(taco__digest *d, uint32_t id)
{
    static const uint32_t first[8] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    static const uint32_t second[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(d->state, id == TACO__FUNC_SHA256 ? second : first, sizeof d->state);
    d->big = id != TACO__FUNC_MD5;
    d->words = id == TACO__FUNC_MD5 ? 4 : id == TACO__FUNC_SHA1 ? 5 : 8;
    d->mix = id == TACO__FUNC_MD5    ? taco__digest_md5
             : id == TACO__FUNC_SHA1 ? taco__digest_sha1
                                     : taco__digest_sha256;
}

/* The digest of s as hexadecimal digits, up to 64 of them; returns how many. */
static size_t taco__digest_text(uint32_t id, taco_bytes s, char *text)
{
    taco__digest d;
    uint8_t last[128], bytes[32];
    size_t i, rest = s.len % 64, blocks = rest < 56 ? 1 : 2;
    uint64_t bits = (uint64_t)s.len * 8;
    taco__digest_init(&d, id);
    for (i = 0; i + 64 <= s.len; i += 64) {
        taco__digest_block(&d, s.data + i);
    }
    memset(last, 0, sizeof last);
    if (rest) { memcpy(last, s.data + i, rest); }
    last[rest] = 0x80;
    for (i = 0; i < 8; i++) {
        last[blocks * 64 - 1 - i] = (uint8_t)(bits >> (d.big ? 8 * i : 56 - 8 * i));
    }
    for (i = 0; i < blocks; i++) {
        taco__digest_block(&d, last + i * 64);
    }
    for (i = 0; i < d.words * 4U; i++) {
        bytes[i] = (uint8_t)(d.state[i / 4] >> (d.big ? 24 - 8 * (i % 4) : 8 * (i % 4)));
    }
    for (i = 0; i < d.words * 8U; i++) {
        text[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    }
    return d.words * 8U;
}

/* Row i of md5, sha1 or sha256. */
TACO__FN bool taco__func_hash_row(taco__func_call *x, size_t i)
{
    char text[64];
    size_t n = taco__digest_text(x->id, TACO__FUNC_ARG_TEXT(0), text);
    return taco__func_set_text(x, i, taco__bytes_of(text, n));
}
/* ==== src/sql/regex.h ==== */
/* regex.h - regular expressions of SQL's functions: regex_parse.c compiles, regex_match.c runs

   The syntax is RE2's (https://github.com/google/re2/wiki/Syntax), as DuckDB's functions have it,
   without Unicode classes (\pL), which are refused by name. A pattern becomes a program for a
   machine with one thread for each place it could be at (K. Thompson, Regular expression search
   algorithm, 1968; R. Cox, Regular expression matching: the virtual machine approach, 2009): time
   is at most the length of the program times that of the text, whatever the pattern, and nothing
   backtracks. */
#ifndef TACO__SQL_REGEX_H
#define TACO__SQL_REGEX_H

/* #include "../base/base.h" */

#define TACO__REGEX_MAX_PROGRAM 20000 /* instructions: repetitions are written out */
#define TACO__REGEX_MAX_REPEAT  1000  /* of {n,m}, as in RE2 */
#define TACO__REGEX_MAX_DEPTH   200   /* of groups in groups */
#define TACO__REGEX_NONE        UINT32_MAX

typedef enum taco__regex_op {
    TACO__REGEX_MATCH = 0,
    TACO__REGEX_SET,   /* a character in the ranges [x, x + y) */
    TACO__REGEX_SPLIT, /* goes on at x, and with less right at y */
    TACO__REGEX_JUMP,  /* goes on at x */
    TACO__REGEX_SAVE,  /* notes the place in slot x */
    TACO__REGEX_ASSERT /* x: taco__regex_assertion */
} taco__regex_op;

typedef enum taco__regex_assertion {
    TACO__REGEX_TEXT_BEGIN = 0,
    TACO__REGEX_TEXT_END,
    TACO__REGEX_LINE_BEGIN,
    TACO__REGEX_LINE_END,
    TACO__REGEX_WORD,
    TACO__REGEX_NO_WORD
} taco__regex_assertion;

typedef struct taco__regex_instruction {
    uint32_t op, x, y;
} taco__regex_instruction;

/* Characters first to last, both included. Ranges of a set are sorted and do not touch. */
typedef struct taco__regex_range {
    uint32_t first, last;
} taco__regex_range;

/* A compiled pattern; in the arena it was compiled in. */
typedef struct taco__regex {
    const taco__regex_instruction *program;
    uint32_t length;
    const taco__regex_range *ranges;
    uint32_t groups; /* with 0, the whole match */
    int first_byte;  /* every match begins with this byte; -1: with any */
} taco__regex;

/* What options of a function say. */
typedef struct taco__regex_options {
    bool ignore_case, dot_newline, literal;
    bool global; /* of regexp_replace */
} taco__regex_options;

/* Room for running one pattern; see taco__regex_init_run. */
typedef struct taco__regex_run {
    const taco__regex *re;
    uint32_t slots;    /* of places: 2 for each group that is asked for */
    uint32_t *list[2]; /* threads: where they are in the program, by right */
    size_t *saved[2];  /* their slots */
    uint32_t count[2];
    uint32_t *mark; /* step at which an instruction was reached last */
    uint32_t step;
    uint32_t *stack; /* instructions to follow, and slots to restore */
    size_t *places;  /* of the thread being followed */
    size_t *match;   /* slots of the best match */
} taco__regex_run;

/* ---- regex_parse.c ---- Errors are SYNTAX, with what is wrong in the pattern. */

TACO__FN bool taco__regex_compile(taco__arena *arena, taco_bytes pattern,
                                  const taco__regex_options *o, taco__regex *out, taco_error *err);

/* ---- regex_match.c ----
   taco__regex_find looks for the leftmost match from byte `from` on, of those the one that a
   backtracking matcher would take. whole: the match must be the whole text. Slots of groups that
   took no part are SIZE_MAX. */

TACO__FN bool taco__regex_init_run(taco__arena *arena, const taco__regex *re, uint32_t groups,
                                   taco__regex_run *out, taco_error *err);
TACO__FN bool taco__regex_find(taco__regex_run *r, taco_bytes s, size_t from, bool whole);

#endif /* TACO__SQL_REGEX_H */
/* ==== src/sql/regex_parse.c ==== */
/* regex_parse.c - the parser of regular expressions: pattern to tree, tree to program

   In: a pattern in RE2's syntax. Out: instructions, see regex.h. The tree is made first, as a
   repetition writes its operand out several times: a{3} is aaa. Sets of characters are sorted
   ranges; with (?i) they hold both cases.

   Example: a(b|c)* is SET a, SPLIT, SAVE 2, SPLIT, SET b, JUMP, SET c, SAVE 3, JUMP, MATCH.

   Numbers of groups count from the left: (a(b))(c) has a(b) as 1, b as 2, c as 3. x{2,4} becomes
   xx(x(x)?)?, with SPLITs that all lead behind it; (?i)k holds K, k and the Kelvin sign. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "regex.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

#define TACO__REGEX_LAST_CHAR 0x10FFFFU

typedef enum taco__regex_kind {
    TACO__REGEX_EMPTY = 0,
    TACO__REGEX_CHARS,  /* ranges [x, x + y) */
    TACO__REGEX_PLACE,  /* an assertion, x */
    TACO__REGEX_GROUP,  /* a, as group x */
    TACO__REGEX_JOIN,   /* a, then b */
    TACO__REGEX_EITHER, /* a or b */
    TACO__REGEX_REPEAT  /* a, x to y times; y NONE: without end */
} taco__regex_kind;

typedef struct taco__regex_node {
    taco__regex_kind kind;
    bool lazy;
    uint32_t x, y;
    struct taco__regex_node *a, *b;
} taco__regex_node;

/* What ( ) may switch: (?i), (?s), (?m), (?U). */
typedef struct taco__regex_flags {
    bool ignore_case, dot_newline, lines, swap_lazy;
} taco__regex_flags;

typedef struct taco__regex_parser {
    taco__arena *arena;
    taco_error *err;
    taco_bytes s;
    size_t at;
    taco__regex_flags flags;
    taco__buf ranges; /* taco__regex_range */
    taco__regex_instruction *program;
    uint32_t length, groups, depth;
} taco__regex_parser;

static taco__regex_node *taco__regex_parse_either(taco__regex_parser *p);

/* A SYNTAX error that shows what of the pattern is left. */
static TACO__COLD taco__regex_node *taco__regex_fail(taco__regex_parser *p, const char *what)
{
    taco_bytes rest = taco__bytes_of(p->s.data + TACO__MIN(p->at, p->s.len),
                                     p->s.len - TACO__MIN(p->at, p->s.len));
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "a regular expression with %s at %q", what,
               &rest);
    return NULL;
}

/* A node in the arena; NULL without memory. */
static taco__regex_node *taco__regex_node_new(taco__regex_parser *p, taco__regex_kind kind,
                                              taco__regex_node *a, taco__regex_node *b)
{
    taco__regex_node *n = (taco__regex_node *)taco__arena_alloc(p->arena, sizeof *n, p->err);
    if (n) {
        n->kind = kind;
        n->a = a;
        n->b = b;
    }
    return n;
}

/* Whether the text at hand begins so; steps over it. */
static bool taco__regex_accept(taco__regex_parser *p, const char *text)
{
    taco_bytes rest = taco__bytes_of(p->s.data + p->at, p->s.len - p->at);
    if (!taco__bytes_starts_with(rest, text)) { return false; }
    p->at += strlen(text);
    return true;
}

/* Whether the pattern has been read. */
static bool taco__regex_at_end(const taco__regex_parser *p)
{
    return p->at >= p->s.len;
}

/* The next character; bytes that are no UTF-8 are beyond all characters. */
static uint32_t taco__regex_next_char(taco__regex_parser *p)
{
    size_t w = taco__like_char_width(p->s, p->at);
    uint32_t c = taco__like_char_at(p->s, p->at, w);
    p->at += w;
    return c;
}

/* ---- sets of characters ---- */

/* Appends a range as it is, whatever the case. */
static bool taco__regex_add(taco__regex_parser *p, uint32_t first, uint32_t last)
{
    taco__regex_range r;
    r.first = first;
    r.last = last;
    return taco__buf_append(&p->ranges, &r, sizeof r, p->err);
}

/* A range, with (?i) in both cases. Of long ranges only the ASCII letters are looked at one by
   one: they have all of the others' cases or none. */
static bool taco__regex_add_folded(taco__regex_parser *p, uint32_t first, uint32_t last)
{
    uint32_t c;
    if (!taco__regex_add(p, first, last)) { return false; }
    if (!p->flags.ignore_case || last - first > 1000) { return true; }
    for (c = first; c <= last; c++) {
        uint32_t low = taco__like_lower(c), up = taco__func_text_upper_char(c);
        if ((low != c && !taco__regex_add(p, low, low)) ||
            (up != c && !taco__regex_add(p, up, up))) {
            return false;
        }
    }
    return true;
}

/* taco__sort calls it: ranges by their first characters. */
static int taco__regex_compare_ranges(const void *ctx, const void *a, const void *b)
{
    uint32_t x = ((const taco__regex_range *)a)->first, y = ((const taco__regex_range *)b)->first;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Sorts and joins the ranges from number `from` on, and turns them round where they are what must
   not be. */
static bool taco__regex_finish_set(taco__regex_parser *p, size_t from, bool negate)
{
    taco__regex_range *all = (taco__regex_range *)(void *)p->ranges.data, *r;
    size_t n = p->ranges.len / sizeof *r - from, i, m = 0;
    uint32_t next = 0;
    if (n) {
        r = all + from;
        if (!taco__sort_in(p->arena->mem, r, n, sizeof *r, taco__regex_compare_ranges, NULL,
                           p->err)) {
            return false;
        }
        for (i = 0; i < n; i++) {
            if (m && r[i].first <= r[m - 1].last + 1) {
                r[m - 1].last = TACO__MAX(r[m - 1].last, r[i].last);
            } else {
                r[m++] = r[i];
            }
        }
        p->ranges.len = (from + m) * sizeof *r;
    }
    if (!negate) { return true; }
    /* the gaps, written behind the ranges and then over them */
    for (i = 0; i <= m; i++) {
        taco__regex_range now;
        bool end = i == m;
        if (!end) {
            memcpy(&now, p->ranges.data + (from + i) * sizeof now, sizeof now);
        } else {
            now.first = TACO__REGEX_LAST_CHAR + 1;
            now.last = now.first;
        }
        if (next < now.first && !taco__regex_add(p, next, now.first - 1)) { return false; }
        next = now.last + 1;
    }
    n = p->ranges.len / sizeof *r - from - m;
    memmove(p->ranges.data + from * sizeof *r, p->ranges.data + (from + m) * sizeof *r,
            n * sizeof *r);
    p->ranges.len = (from + n) * sizeof *r;
    return true;
}

/* Appends a class such as \d, in lower case, or its complement. */
static bool taco__regex_add_perl(taco__regex_parser *p, uint8_t which)
{
    static const char digits[] = "09", words[] = "09AZ__az", spaces[] = "\t\n\f\r  ";
    const char *set = (which | 0x20) == 'd' ? digits : (which | 0x20) == 'w' ? words : spaces;
    uint32_t next = 0;
    bool ok = true;
    for (; ok && set[0]; set += 2) {
        if (which & 0x20) {
            ok = taco__regex_add(p, (uint8_t)set[0], (uint8_t)set[1]);
        } else {
            ok = next >= (uint8_t)set[0] || taco__regex_add(p, next, (uint8_t)set[0] - 1U);
            next = (uint8_t)set[1] + 1U;
        }
    }
    return ok && ((which & 0x20) || taco__regex_add(p, next, TACO__REGEX_LAST_CHAR));
}

/* [:name:] or [:^name:] in a set, after "[:"; POSIX classes are those of ASCII. */
static bool taco__regex_add_posix(taco__regex_parser *p)
{
    static const struct {
        const char *name, *set;
    } classes[] = {{"alnum:]", "09AZaz"},
                   {"alpha:]", "AZaz"},
                   {"ascii:]", "\1\x7F"},
                   {"blank:]", "\t\t  "},
                   {"cntrl:]", "\1\x1F\x7F\x7F"},
                   {"digit:]", "09"},
                   {"graph:]", "!~"},
                   {"lower:]", "az"},
                   {"print:]", " ~"},
                   {"punct:]", "!/:@[`{~"},
                   {"space:]", "\t\r  "},
                   {"upper:]", "AZ"},
                   {"word:]", "09AZ__az"},
                   {"xdigit:]", "09AFaf"}};

    bool negate = taco__regex_accept(p, "^"), ok = true;
    size_t i, from = p->ranges.len / sizeof(taco__regex_range);
    for (i = 0; i < TACO__COUNT(classes); i++) {
        const char *set = classes[i].set;
        if (!taco__regex_accept(p, classes[i].name)) { continue; }
        for (; ok && set[0]; set += 2) {
            uint32_t first = (uint8_t)set[0] == 1 ? 0 : (uint8_t)set[0];
            ok = taco__regex_add_folded(p, first, (uint8_t)set[1]);
        }
        return ok && (!negate || taco__regex_finish_set(p, from, true));
    }
    taco__regex_fail(p, "an unknown class");
    return false;
}

/* The character of an escape that stands for one: \n, \x41, \x{41}, \., after the backslash. */
static bool taco__regex_escape(taco__regex_parser *p, uint32_t *out)
{
    static const char names[] = "afnrtv", codes[] = "\a\f\n\r\t\v";
    const char *at;
    uint8_t c = taco__regex_at_end(p) ? 0 : p->s.data[p->at];
    uint32_t v = 0, digits = 0;
    bool braces;
    at = c ? strchr(names, c) : NULL;
    if (at) {
        p->at++;
        *out = (uint8_t)codes[at - names];
        return true;
    }
    if (c == 'x') {
        p->at++;
        braces = taco__regex_accept(p, "{");
        while (!taco__regex_at_end(p) && taco__ascii_hex_value(p->s.data[p->at]) >= 0 &&
               digits < (braces ? 6U : 2U)) {
            v = v * 16 + (uint32_t)taco__ascii_hex_value(p->s.data[p->at++]);
            digits++;
        }
        if (!digits || (!braces && digits < 2) || v > TACO__REGEX_LAST_CHAR ||
            (braces && !taco__regex_accept(p, "}"))) {
            taco__regex_fail(p, "a broken \\x");
            return false;
        }
        *out = v;
        return true;
    }
    if (c == '0') { /* octal, up to three digits */
        while (!taco__regex_at_end(p) && p->s.data[p->at] >= '0' && p->s.data[p->at] <= '7' &&
               digits < 3) {
            v = v * 8 + (p->s.data[p->at++] - (uint32_t)'0');
            digits++;
        }
        *out = v;
        return true;
    }
    if (!c || c >= 0x80 || taco__lex_is_digit(c) || (taco__lex_is_letter(c) && c != '_')) {
        taco__regex_fail(p, (c | 0x20) == 'p' ? "a Unicode class, which is not supported,"
                                              : "an unknown escape");
        return false;
    }
    *out = c;
    p->at++;
    return true;
}

/* One end of a range in a set, or a class, for which *is_class is set. */
static bool taco__regex_set_item(taco__regex_parser *p, uint32_t *c, bool *is_class)
{
    *is_class = false;
    if (taco__regex_accept(p, "[:")) {
        *is_class = true;
        return taco__regex_add_posix(p);
    }
    if (!taco__regex_accept(p, "\\")) {
        *c = taco__regex_next_char(p);
        return true;
    }
    if (!taco__regex_at_end(p) && p->s.data[p->at] && strchr("dDsSwW", p->s.data[p->at])) {
        *is_class = true;
        return taco__regex_add_perl(p, p->s.data[p->at++]);
    }
    return taco__regex_escape(p, c);
}

/* A node of the ranges from `from` on. */
static taco__regex_node *taco__regex_set_node(taco__regex_parser *p, size_t from, bool negate)
{
    taco__regex_node *n = taco__regex_finish_set(p, from, negate)
                              ? taco__regex_node_new(p, TACO__REGEX_CHARS, NULL, NULL)
                              : NULL;
    if (n) {
        n->x = (uint32_t)from;
        n->y = (uint32_t)(p->ranges.len / sizeof(taco__regex_range) - from);
    }
    return n;
}

/* [...], after the bracket; a bracket that closes is a character where it is the first. */
static taco__regex_node *taco__regex_parse_set(taco__regex_parser *p)
{
    bool negate = taco__regex_accept(p, "^"), first = true, is_class;
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    uint32_t a = 0, b = 0;
    for (; first || !taco__regex_accept(p, "]"); first = false) {
        if (taco__regex_at_end(p)) { return taco__regex_fail(p, "a set that does not end"); }
        if (!taco__regex_set_item(p, &a, &is_class)) { return NULL; }
        if (is_class) { continue; }
        b = a;
        if (p->at + 1 < p->s.len && p->s.data[p->at] == '-' && p->s.data[p->at + 1] != ']') {
            p->at++;
            if (!taco__regex_set_item(p, &b, &is_class)) { return NULL; }
            if (is_class || b < a) { return taco__regex_fail(p, "a range of no characters"); }
        }
        if (!taco__regex_add_folded(p, a, b)) { return NULL; }
    }
    return taco__regex_set_node(p, from, negate);
}

/* One character as a set. */
static taco__regex_node *taco__regex_char_node(taco__regex_parser *p, uint32_t c)
{
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    return taco__regex_add_folded(p, c, c) ? taco__regex_set_node(p, from, false) : NULL;
}

/* A node that takes no character. */
static taco__regex_node *taco__regex_place_node(taco__regex_parser *p, taco__regex_assertion what)
{
    taco__regex_node *n = taco__regex_node_new(p, TACO__REGEX_PLACE, NULL, NULL);
    if (n) { n->x = what; }
    return n;
}

/* ---- the grammar ---- */

/* \Q...\E: characters that mean themselves. */
static taco__regex_node *taco__regex_parse_quote(taco__regex_parser *p)
{
    taco__regex_node *n = taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
    while (n && !taco__regex_at_end(p) && !taco__regex_accept(p, "\\E")) {
        taco__regex_node *c = taco__regex_char_node(p, taco__regex_next_char(p));
        n = c ? taco__regex_node_new(p, TACO__REGEX_JOIN, n, c) : NULL;
    }
    return n;
}

/* What a backslash begins. */
static taco__regex_node *taco__regex_parse_backslash(taco__regex_parser *p)
{
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    uint8_t c = taco__regex_at_end(p) ? 0 : p->s.data[p->at];
    uint32_t v;
    if (c && strchr("dDsSwW", c)) {
        p->at++;
        return taco__regex_add_perl(p, c) ? taco__regex_set_node(p, from, false) : NULL;
    }
    if (taco__regex_accept(p, "b")) { return taco__regex_place_node(p, TACO__REGEX_WORD); }
    if (taco__regex_accept(p, "B")) { return taco__regex_place_node(p, TACO__REGEX_NO_WORD); }
    if (taco__regex_accept(p, "A")) { return taco__regex_place_node(p, TACO__REGEX_TEXT_BEGIN); }
    if (taco__regex_accept(p, "z")) { return taco__regex_place_node(p, TACO__REGEX_TEXT_END); }
    if (taco__regex_accept(p, "Q")) { return taco__regex_parse_quote(p); }
    return taco__regex_escape(p, &v) ? taco__regex_char_node(p, v) : NULL;
}

/* The switches of (?ims-U), after the question mark, up to ) or :. */
static bool taco__regex_parse_flags(taco__regex_parser *p)
{
    bool on = true;
    size_t begin = p->at;
    while (!taco__regex_at_end(p)) {
        switch (p->s.data[p->at]) {
        case 'i': p->flags.ignore_case = on; break;
        case 's': p->flags.dot_newline = on; break;
        case 'm': p->flags.lines = on; break;
        case 'U': p->flags.swap_lazy = on; break;
        case '-':
            if (!on) { return false; }
            on = false;
            break;
        case ':':
        case ')': return on || p->at > begin + 1;
        default: return false;
        }
        p->at++;
    }
    return false;
}

/* (?P<name> or (?<name>, after the sign: the name is read and not kept. */
static bool taco__regex_skip_name(taco__regex_parser *p)
{
    size_t begin = p->at;
    while (!taco__regex_at_end(p) &&
           (taco__lex_is_letter(p->s.data[p->at]) || taco__lex_is_digit(p->s.data[p->at]))) {
        p->at++;
    }
    return p->at > begin && taco__regex_accept(p, ">");
}

/* A group, after its parenthesis. Switches hold until it ends. */
static taco__regex_node *taco__regex_parse_group(taco__regex_parser *p)
{
    taco__regex_flags before = p->flags;
    taco__regex_node *n, *inner;
    uint32_t number = 0;
    if (taco__regex_accept(p, "?P<") || taco__regex_accept(p, "?<")) {
        if (!taco__regex_skip_name(p)) { return taco__regex_fail(p, "a broken name"); }
        number = ++p->groups;
    } else if (taco__regex_accept(p, "?")) {
        if (!taco__regex_parse_flags(p)) { return taco__regex_fail(p, "an unknown group (?"); }
        if (taco__regex_accept(p, ")")) { /* for what follows in the group around it */
            return taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
        }
        p->at++;
    } else {
        number = ++p->groups;
    }
    if (++p->depth > TACO__REGEX_MAX_DEPTH) { return taco__regex_fail(p, "groups too deep"); }
    inner = taco__regex_parse_either(p);
    p->depth--;
    if (!inner) { return NULL; }
    if (!taco__regex_accept(p, ")")) { return taco__regex_fail(p, "a group that does not end"); }
    p->flags = before;
    /* (?:...) is what is in it */
    if (!number) { return inner; }
    n = taco__regex_node_new(p, TACO__REGEX_GROUP, inner, NULL);
    if (n) { n->x = number; }
    return n;
}

/* What can be repeated: a character, a set, a group, a place. */
static taco__regex_node *taco__regex_parse_atom(taco__regex_parser *p)
{
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    switch (p->s.data[p->at]) {
    case '(': p->at++; return taco__regex_parse_group(p);
    case '[': p->at++; return taco__regex_parse_set(p);
    case '\\': p->at++; return taco__regex_parse_backslash(p);
    case '^':
        p->at++;
        return taco__regex_place_node(p, p->flags.lines ? TACO__REGEX_LINE_BEGIN
                                                        : TACO__REGEX_TEXT_BEGIN);
    case '$':
        p->at++;
        return taco__regex_place_node(p,
                                      p->flags.lines ? TACO__REGEX_LINE_END : TACO__REGEX_TEXT_END);
    case '.':
        p->at++;
        if (!p->flags.dot_newline && !taco__regex_add(p, '\n', '\n')) { return NULL; }
        return taco__regex_set_node(p, from, true);
    case '*':
    case '+':
    case '?': return taco__regex_fail(p, "nothing to repeat");
    default: return taco__regex_char_node(p, taco__regex_next_char(p));
    }
}

/* The digits of a number up to the greatest repetition; false where there are none. */
static bool taco__regex_parse_number(taco__regex_parser *p, uint32_t *out)
{
    size_t begin = p->at;
    *out = 0;
    while (!taco__regex_at_end(p) && taco__lex_is_digit(p->s.data[p->at])) {
        *out = *out * 10 + (p->s.data[p->at++] - (uint32_t)'0');
        *out = TACO__MIN(*out, 100000U);
    }
    return p->at > begin;
}

/* *, +, ?, {n}, {n,}, {n,m}: how often; false where none of them follows. Braces that say nothing
   of the kind are characters. */
static bool taco__regex_parse_times(taco__regex_parser *p, uint32_t *least, uint32_t *most)
{
    size_t begin = p->at;
    *least = 0;
    *most = TACO__REGEX_NONE;
    if (taco__regex_accept(p, "*")) { return true; }
    if (taco__regex_accept(p, "+")) {
        *least = 1;
        return true;
    }
    if (taco__regex_accept(p, "?")) {
        *most = 1;
        return true;
    }
    if (taco__regex_accept(p, "{") && taco__regex_parse_number(p, least)) {
        *most = *least;
        if (taco__regex_accept(p, ",") && !taco__regex_parse_number(p, most)) {
            *most = TACO__REGEX_NONE;
        }
        if (taco__regex_accept(p, "}")) { return true; }
    }
    p->at = begin;
    return false;
}

/* An atom and how often it comes. */
static taco__regex_node *taco__regex_parse_repeat(taco__regex_parser *p)
{
    taco__regex_node *n = taco__regex_parse_atom(p), *r;
    uint32_t least, most;
    if (!n || !taco__regex_parse_times(p, &least, &most)) { return n; }
    if (least > TACO__REGEX_MAX_REPEAT ||
        (most != TACO__REGEX_NONE && (most > TACO__REGEX_MAX_REPEAT || most < least))) {
        return taco__regex_fail(p, "a repetition beyond 1000 times or backwards");
    }
    r = taco__regex_node_new(p, TACO__REGEX_REPEAT, n, NULL);
    if (!r) { return NULL; }
    r->x = least;
    r->y = most;
    r->lazy = taco__regex_accept(p, "?") != p->flags.swap_lazy;
    if (taco__regex_parse_times(p, &least, &most)) {
        return taco__regex_fail(p, "a repetition of a repetition");
    }
    return r;
}

/* Alternatives, up to the end or the parenthesis that closes the group. */
static taco__regex_node *taco__regex_parse_either(taco__regex_parser *p)
{
    taco__regex_node *all = NULL, *one;
    do {
        one = taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
        while (one && !taco__regex_at_end(p) && p->s.data[p->at] != '|' &&
               p->s.data[p->at] != ')') {
            taco__regex_node *next = taco__regex_parse_repeat(p);
            one = next ? taco__regex_node_new(p, TACO__REGEX_JOIN, one, next) : NULL;
        }
        if (!one) { return NULL; }
        all = all ? taco__regex_node_new(p, TACO__REGEX_EITHER, all, one) : one;
    } while (all && taco__regex_accept(p, "|"));
    return all;
}

/* ---- programs ---- */

/* Appends an instruction; the program has an end. */
static bool taco__regex_emit(taco__regex_parser *p, uint32_t op, uint32_t x, uint32_t y)
{
    if (p->length == TACO__REGEX_MAX_PROGRAM) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a regular expression of more than %u instructions",
                   TACO__U(TACO__REGEX_MAX_PROGRAM));
        return false;
    }
    p->program[p->length].op = op;
    p->program[p->length].x = x;
    p->program[p->length++].y = y;
    return true;
}

static bool taco__regex_generate(taco__regex_parser *p, const taco__regex_node *n);

/* Points the SPLIT at `at` to where its operand begins, and past its end: the operand first unless
   it is lazy. */
static void taco__regex_aim(taco__regex_parser *p, uint32_t at, bool lazy, uint32_t in,
                            uint32_t out)
{
    p->program[at].x = lazy ? out : in;
    p->program[at].y = lazy ? in : out;
}

/* A repetition: the operand x times, then up to y - x times more, or in a loop. */
static bool taco__regex_generate_repeat(taco__regex_parser *p, const taco__regex_node *n)
{
    uint32_t k, at, first;
    for (k = 0; k < n->x; k++) {
        if (!taco__regex_generate(p, n->a)) { return false; }
    }
    if (n->y == TACO__REGEX_NONE) {
        at = p->length;
        if (!taco__regex_emit(p, TACO__REGEX_SPLIT, 0, 0) || !taco__regex_generate(p, n->a) ||
            !taco__regex_emit(p, TACO__REGEX_JUMP, at, 0)) {
            return false;
        }
        taco__regex_aim(p, at, n->lazy, at + 1, p->length);
        return true;
    }
    first = p->length;
    for (k = n->x; k < n->y; k++) { /* every one of them may be the end */
        if (!taco__regex_emit(p, TACO__REGEX_SPLIT, TACO__REGEX_NONE, 0) ||
            !taco__regex_generate(p, n->a)) {
            return false;
        }
    }
    for (at = first; at < p->length; at++) {
        if (p->program[at].op == TACO__REGEX_SPLIT && p->program[at].x == TACO__REGEX_NONE) {
            taco__regex_aim(p, at, n->lazy, at + 1, p->length);
        }
    }
    return true;
}

/* Appends the instructions of a tree. Chains of JOIN and EITHER lean to the left: the recursion is
   as deep as groups are, and as long as the chain, which a loop walks. */
static bool taco__regex_generate(taco__regex_parser *p, const taco__regex_node *n)
{
    uint32_t at, jump;
    switch (n->kind) {
    case TACO__REGEX_CHARS: return taco__regex_emit(p, TACO__REGEX_SET, n->x, n->y);
    case TACO__REGEX_PLACE: return taco__regex_emit(p, TACO__REGEX_ASSERT, n->x, 0);
    case TACO__REGEX_GROUP:
        return taco__regex_emit(p, TACO__REGEX_SAVE, n->x * 2, 0) &&
               taco__regex_generate(p, n->a) &&
               taco__regex_emit(p, TACO__REGEX_SAVE, n->x * 2 + 1, 0);
    case TACO__REGEX_JOIN: {
        const taco__regex_node *chain = n;
        uint32_t length = 0, k;
        const taco__regex_node **parts;
        for (; chain->kind == TACO__REGEX_JOIN; chain = chain->a) {
            length++;
        }
        parts = (const taco__regex_node **)taco__arena_array(p->arena, (size_t)length + 1,
                                                             sizeof *parts, p->err);
        if (!parts) { return false; }
        for (chain = n, k = length; chain->kind == TACO__REGEX_JOIN; chain = chain->a) {
            parts[k--] = chain->b;
        }
        parts[0] = chain;
        for (k = 0; k <= length; k++) {
            if (!taco__regex_generate(p, parts[k])) { return false; }
        }
        return true;
    }
    case TACO__REGEX_EITHER:
        at = p->length;
        if (!taco__regex_emit(p, TACO__REGEX_SPLIT, at + 1, 0) || !taco__regex_generate(p, n->a)) {
            return false;
        }
        jump = p->length;
        if (!taco__regex_emit(p, TACO__REGEX_JUMP, 0, 0)) { return false; }
        p->program[at].y = p->length;
        if (!taco__regex_generate(p, n->b)) { return false; }
        p->program[jump].x = p->length;
        return true;
    case TACO__REGEX_REPEAT: return taco__regex_generate_repeat(p, n);
    default: return true;
    }
}

/* The byte that every match begins with, or -1: what searching skips by. */
static int taco__regex_first_byte(const taco__regex *re)
{
    uint32_t at = 0;
    while (re->program[at].op == TACO__REGEX_SAVE) {
        at++;
    }
    if (re->program[at].op == TACO__REGEX_SET && re->program[at].y == 1 &&
        re->ranges[re->program[at].x].first == re->ranges[re->program[at].x].last &&
        re->ranges[re->program[at].x].first < 0x80) {
        return (int)re->ranges[re->program[at].x].first;
    }
    return -1;
}

/* Parses into a tree; a pattern that is meant literally is a chain of its characters. */
static taco__regex_node *taco__regex_parse(taco__regex_parser *p, bool literal)
{
    taco__regex_node *n;
    if (!taco__utf8_valid(p->s)) { return taco__regex_fail(p, "bytes that are no UTF-8"); }
    if (!literal) {
        n = taco__regex_parse_either(p);
        return n && !taco__regex_at_end(p) ? taco__regex_fail(p, "a ) without (") : n;
    }
    n = taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
    while (n && !taco__regex_at_end(p)) {
        taco__regex_node *c = taco__regex_char_node(p, taco__regex_next_char(p));
        n = c ? taco__regex_node_new(p, TACO__REGEX_JOIN, n, c) : NULL;
    }
    return n;
}

/* Compiles a pattern; see regex.h. */
TACO__FN bool taco__regex_compile(taco__arena *arena, taco_bytes pattern,
                                  const taco__regex_options *o, taco__regex *out, taco_error *err)
{
    taco__regex_parser p;
    taco__regex_node *n;
    void *kept;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.s = pattern;
    p.flags.ignore_case = o->ignore_case;
    p.flags.dot_newline = o->dot_newline;
    p.ranges.mem = arena->mem;
    n = taco__regex_parse(&p, o->literal);
    /* the longest program at once: where it ends is not known before it is made */
    p.program = n ? (taco__regex_instruction *)taco__arena_array(arena, TACO__REGEX_MAX_PROGRAM,
                                                                 sizeof *p.program, err)
                  : NULL;
    kept = p.program ? taco__arena_alloc(arena, p.ranges.len + 1, err) : NULL;
    if (!kept || !taco__regex_emit(&p, TACO__REGEX_SAVE, 0, 0) || !taco__regex_generate(&p, n) ||
        !taco__regex_emit(&p, TACO__REGEX_SAVE, 1, 0) ||
        !taco__regex_emit(&p, TACO__REGEX_MATCH, 0, 0)) {
        taco__buf_free(&p.ranges);
        return false;
    }
    if (p.ranges.len) { memcpy(kept, p.ranges.data, p.ranges.len); }
    taco__buf_free(&p.ranges);
    out->program = p.program;
    out->length = p.length;
    out->ranges = (const taco__regex_range *)kept;
    out->groups = p.groups + 1;
    out->first_byte = taco__regex_first_byte(out);
    return true;
}
/* ==== src/sql/regex_match.c ==== */
/* regex_match.c - the machine that runs compiled patterns over texts, in linear time

   Threads stand at instructions that take a character; all of them step together. A thread that
   comes to an instruction where one was already in this step is dropped: the earlier one has more
   right, as a backtracking matcher would have tried it first. So no list is longer than the
   program.

   Example: a|ab over abc has after the first character two threads, one that matched and one that
   waits for b. The first has more right, so that the second is dropped and a is the match; with
   `whole` it would go on. */
/* #include "regex.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* Room in the arena for runs that keep the places of `groups` groups (0: only whether there is a
   match). It may be used for any number of texts. */
TACO__FN bool taco__regex_init_run(taco__arena *arena, const taco__regex *re, uint32_t groups,
                                   taco__regex_run *out, taco_error *err)
{
    size_t n = (size_t)re->length + 1, cells;
    int k;
    memset(out, 0, sizeof *out);
    out->re = re;
    out->slots = TACO__MIN(groups, re->groups) * 2;
    if (!taco__checked_mul_size(n, out->slots, &cells)) { return false; }
    for (k = 0; k < 2; k++) {
        out->list[k] = (uint32_t *)taco__arena_array(arena, n, sizeof **out->list, err);
        out->saved[k] = (size_t *)taco__arena_array(arena, cells + 1, sizeof **out->saved, err);
    }
    out->mark = (uint32_t *)taco__arena_array(arena, n, sizeof *out->mark, err);
    out->stack = (uint32_t *)taco__arena_array(arena, n * 4, sizeof *out->stack, err);
    out->places = (size_t *)taco__arena_array(arena, n * 2 + 2, sizeof *out->places, err);
    out->match =
        (size_t *)taco__arena_array(arena, (size_t)out->slots + 2, sizeof *out->match, err);
    return out->list[0] && out->list[1] && out->saved[0] && out->saved[1] && out->mark &&
           out->stack && out->places && out->match;
}

/* Whether byte `at` is of a word: letters, digits and _ of ASCII. */
static bool taco__regex_is_word(taco_bytes s, size_t at)
{
    uint8_t c = at < s.len ? s.data[at] : 0;
    return taco__lex_is_digit(c) || (c < 0x80 && taco__lex_is_letter(c));
}

/* Whether an assertion holds between bytes at - 1 and at. */
static bool taco__regex_holds(uint32_t what, taco_bytes s, size_t at)
{
    bool word = (at > 0 && taco__regex_is_word(s, at - 1)) != taco__regex_is_word(s, at);
    switch (what) {
    case TACO__REGEX_TEXT_BEGIN: return at == 0;
    case TACO__REGEX_TEXT_END: return at == s.len;
    case TACO__REGEX_LINE_BEGIN: return at == 0 || s.data[at - 1] == '\n';
    case TACO__REGEX_LINE_END: return at == s.len || s.data[at] == '\n';
    case TACO__REGEX_WORD: return word;
    default: return !word;
    }
}

/* Adds the threads that instruction `pc` leads to without a character, to list k, at byte `at`. The
   places of the thread are in r->places; a stack takes the place of recursion, and holds, where a
   slot was changed, what it was before (marked by the top bit). */
static void taco__regex_follow(taco__regex_run *r, int k, uint32_t pc, taco_bytes s, size_t at)
{
    const uint32_t undo = UINT32_C(1) << 31;
    uint32_t top = 0;
    size_t *before = r->places + r->slots; /* values to restore */
    size_t kept = 0;
    r->stack[top++] = pc;
    while (top) {
        const taco__regex_instruction *in;
        pc = r->stack[--top];
        if (pc & undo) {
            r->places[pc & ~undo] = before[--kept];
            continue;
        }
        if (r->mark[pc] == r->step) { continue; }
        r->mark[pc] = r->step;
        in = &r->re->program[pc];
        switch (in->op) {
        case TACO__REGEX_JUMP: r->stack[top++] = in->x; break;
        case TACO__REGEX_SPLIT:
            r->stack[top++] = in->y;
            r->stack[top++] = in->x;
            break;
        case TACO__REGEX_SAVE:
            if (in->x < r->slots) {
                before[kept++] = r->places[in->x];
                r->stack[top++] = in->x | undo;
                r->places[in->x] = at;
            }
            r->stack[top++] = pc + 1;
            break;
        case TACO__REGEX_ASSERT:
            if (taco__regex_holds(in->x, s, at)) { r->stack[top++] = pc + 1; }
            break;
        default: /* takes a character, or is the end */
            if (r->slots) {
                memcpy(r->saved[k] + (size_t)r->count[k] * r->slots, r->places,
                       r->slots * sizeof *r->places);
            }
            r->list[k][r->count[k]++] = pc;
            break;
        }
    }
}

/* Whether a character is in the ranges of an instruction, which are sorted. */
static bool taco__regex_has(const taco__regex *re, const taco__regex_instruction *in, uint32_t c)
{
    uint32_t lo = in->x, hi = in->x + in->y;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (re->ranges[mid].last < c) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < in->x + in->y && re->ranges[lo].first <= c;
}

/* A new step: marks of earlier ones are out of date. */
static void taco__regex_next_step(taco__regex_run *r)
{
    if (++r->step == 0) { /* after 2^32 steps */
        memset(r->mark, 0, (size_t)r->re->length * sizeof *r->mark);
        r->step = 1;
    }
}

/* Steps all threads of list k over the character c, which ends at byte `next`; those that have
   less right than one that matched are dropped. True where one matched. */
static bool taco__regex_advance(taco__regex_run *r, int k, taco_bytes s, size_t at, uint32_t c,
                                size_t next, bool whole)
{
    uint32_t i;
    for (i = 0; i < r->count[k]; i++) {
        uint32_t pc = r->list[k][i];
        const taco__regex_instruction *in = &r->re->program[pc];
        if (in->op == TACO__REGEX_MATCH) {
            if (whole && at < s.len) { continue; }
            if (r->slots) {
                memcpy(r->match, r->saved[k] + (size_t)i * r->slots, r->slots * sizeof *r->match);
            }
            return true;
        }
        if (at < s.len && taco__regex_has(r->re, in, c)) {
            if (r->slots) {
                memcpy(r->places, r->saved[k] + (size_t)i * r->slots, r->slots * sizeof *r->places);
            }
            taco__regex_follow(r, !k, pc + 1, s, next);
        }
    }
    return false;
}

/* Looks for a match; see regex.h. */
TACO__FN bool taco__regex_find(taco__regex_run *r, taco_bytes s, size_t from, bool whole)
{
    int k = 0, first = whole ? -1 : r->re->first_byte;
    size_t at = from, i;
    bool found = false;
    r->count[0] = r->count[1] = 0;
    taco__regex_next_step(r);
    for (;;) {
        size_t w = at < s.len ? taco__like_char_width(s, at) : 0;
        uint32_t c = w ? taco__like_char_at(s, at, w) : 0;
        if (!r->count[k] && !found && first >= 0 && at < s.len) {
            /* no thread lives: on to where one could begin */
            const uint8_t *hit = (const uint8_t *)memchr(s.data + at, first, s.len - at);
            if (!hit) { return false; }
            if ((size_t)(hit - s.data) != at) {
                at = (size_t)(hit - s.data);
                continue;
            }
        }
        /* a match may begin here, with less right than what runs already */
        if (!found && (!whole || at == from)) {
            for (i = 0; i < r->slots; i++) {
                r->places[i] = SIZE_MAX;
            }
            taco__regex_follow(r, k, 0, s, at);
        }
        if (!r->count[k] && (found || whole)) { return found; }
        taco__regex_next_step(r);
        r->count[!k] = 0;
        if (taco__regex_advance(r, k, s, at, c, at + w, whole)) {
            found = true;
            if (!r->slots) { return true; }
        }
        if (at >= s.len) { return found; }
        k = !k;
        at += w;
    }
}
/* ==== src/sql/func_regex.c ==== */
/* func_regex.c - functions of patterns: regexp_*, SIMILAR TO, ~ and GLOB

   Constant patterns are compiled once, when the call is bound; others for each row, unless the
   pattern is that of the row before. Options are constants: i and c (case), s and n, m, p (whether
   a point takes a line's end), l (the pattern is a plain text), g (regexp_replace: all matches).

   Examples: regexp_extract('2024-02', '(\\d+)-(\\d+)', 2) is 02; with ['y', 'm'] for the 2 it is
   the struct {'y': 2024, 'm': 02}; regexp_replace('hello', 'l+', '<\\0>') is he<ll>o;
   regexp_split_to_array('a1b22c', '[0-9]+') is [a, b, c]; 'tile_7' GLOB '*_[0-9]' is true. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "regex.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* What is known of a call before it runs. */
typedef struct taco__func_regex_plan {
    taco__regex_options options;
    const taco__regex *re; /* NULL: the pattern is none but the row's */
    bool negated;          /* !~ */
    int64_t group;         /* of regexp_extract */
    uint32_t fields;       /* regexp_extract into a struct: how many; else 0 */
} taco__func_regex_plan;

/* Reads options. */
static bool taco__func_regex_options(taco__bind *b, const taco__sql_expr *e, taco__regex_options *o)
{
    size_t i;
    if (e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_NULL) { return true; }
    if (e->kind != TACO__SQL_EXPR_CONST || e->value.type.id != TACO_TEXT) {
        return taco__bind_fail(b, e, "the options of a regular expression are a text constant");
    }
    for (i = 0; i < e->value.b.len; i++) {
        switch (e->value.b.data[i]) {
        case 'c': o->ignore_case = false; break;
        case 'i': o->ignore_case = true; break;
        case 'l': o->literal = true; break;
        case 'm':
        case 'n':
        case 'p': o->dot_newline = false; break;
        case 's': o->dot_newline = true; break;
        case 'g': o->global = true; break;
        default: return taco__bind_fail(b, e, "an unknown option of a regular expression");
        }
    }
    return true;
}

/* regexp_extract(s, pattern, ['a', 'b']): a struct of the first groups. */
static bool taco__func_regex_fields(taco__bind *b, taco__sql_expr *e, taco__func_regex_plan *plan)
{
    const taco__sql_expr *list = e->kid[2];
    const char **names =
        (const char **)taco__arena_array(b->arena, (size_t)list->n + 1, sizeof *names, b->err);
    taco__sql_type *kids =
        (taco__sql_type *)taco__arena_array(b->arena, (size_t)list->n + 1, sizeof *kids, b->err);
    uint32_t k;
    for (k = 0; names && kids && k < list->n; k++) {
        const taco__sql_expr *name =
            list->kid[k]->kind == TACO__SQL_EXPR_CAST ? list->kid[k]->kid[0] : list->kid[k];
        if (name->kind != TACO__SQL_EXPR_CONST || name->value.type.id != TACO_TEXT) {
            return taco__bind_fail(b, name, "names of groups are text constants");
        }
        names[k] = taco__arena_text(b->arena, name->value.b, b->err);
        kids[k] = taco__sql_type_simple(TACO_TEXT);
        if (!names[k]) { return false; }
    }
    if (!list->n) { return taco__bind_fail(b, e, "a struct has one field at least"); }
    plan->fields = list->n;
    e->type = taco__sql_type_simple(TACO_STRUCT);
    e->type.count = list->n;
    e->type.kids = kids;
    e->type.names = names;
    return names && kids;
}

/* Binds a call of these functions: compiles its pattern, reads its constants, which are no
   operands from then on. */
TACO__FN bool taco__func_regex_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__func_regex_plan *plan =
        (taco__func_regex_plan *)taco__arena_alloc(b->arena, sizeof *plan, b->err);
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    bool replaces = e->func == TACO__FUNC_REGEX_REPLACE;
    bool extracts = e->func == TACO__FUNC_REGEX_EXTRACT || e->func == TACO__FUNC_REGEX_EXTRACT_ALL;
    uint32_t options = replaces || extracts ? 3 : 2, operands = replaces ? 3 : 2;
    taco__regex *re;
    e->plan = plan;
    if (!plan) { return false; }
    plan->negated = taco__bytes_equal(e->name, taco__bytes_text("!~"));
    if (e->func == TACO__FUNC_REGEX_ESCAPE || e->func == TACO__FUNC_GLOB) { return true; }
    if (e->func == TACO__FUNC_REGEX_EXTRACT_ALL || e->func == TACO__FUNC_REGEX_SPLIT) {
        if (!taco__bind_list_of(b, &text, &e->type)) { return false; }
    }
    if (e->n > options && !taco__func_regex_options(b, e->kid[options], &plan->options)) {
        return false;
    }
    if (plan->options.global && !replaces) {
        return taco__bind_fail(b, e, "the option g belongs to regexp_replace");
    }
    if (extracts && e->n > 2) {
        const taco__sql_expr *g = e->kid[2];
        if (g->type.t.id == TACO_LIST && g->kind == TACO__SQL_EXPR_CALL &&
            e->func == TACO__FUNC_REGEX_EXTRACT) {
            if (!taco__func_regex_fields(b, e, plan)) { return false; }
        } else if (g->kind == TACO__SQL_EXPR_CONST && g->literal == 1) {
            plan->group = (int64_t)g->value.d.w[0];
            if (plan->group < 0 || plan->group > 9) {
                return taco__bind_fail(b, g, "the number of a group is 0 to 9");
            }
        } else {
            return taco__bind_fail(b, g, "the number of a group is a constant");
        }
    }
    e->n = TACO__MIN(e->n, operands);
    if (e->kid[1]->kind != TACO__SQL_EXPR_CONST || e->kid[1]->value.type.id != TACO_TEXT) {
        return true;
    }
    re = (taco__regex *)taco__arena_alloc(b->arena, sizeof *re, b->err);
    plan->re = re;
    if (!re || !taco__regex_compile(b->arena, e->kid[1]->value.b, &plan->options, re, b->err)) {
        return false;
    }
    return plan->fields < re->groups || plan->fields == 0 ||
           taco__bind_fail(b, e, "there are more names than groups");
}

/* ---- runs ---- */

/* The pattern of a batch of rows as it runs. */
typedef struct taco__func_regex {
    taco__func_call *x;
    const taco__func_regex_plan *plan;
    taco__regex own;   /* of the row, where it is not constant */
    taco_bytes source; /* what `own` was compiled of */
    taco__regex_run run;
    bool ready;
    taco__buf text;
} taco__func_regex;

/* Makes the run ready for the pattern of row i. */
static bool taco__func_regex_prepare(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    const taco__regex *re = m->plan->re;
    taco_bytes pattern = TACO__FUNC_ARG_TEXT(1);
    uint32_t groups;
    if (m->ready && (re || taco__bytes_equal(pattern, m->source))) { return true; }
    if (!re) {
        if (!taco__regex_compile(x->arena, pattern, &m->plan->options, &m->own, x->err)) {
            return false;
        }
        m->source = pattern;
        re = &m->own;
    }
    groups = x->id == TACO__FUNC_REGEX_MATCHES || x->id == TACO__FUNC_REGEX_FULL ? 0 : re->groups;
    m->ready = true;
    return taco__regex_init_run(x->arena, re, groups, &m->run, x->err);
}

/* What a group of the last match took; empty where it took no part or there is none. */
static taco_bytes taco__func_regex_group(const taco__func_regex *m, taco_bytes s, int64_t group)
{
    size_t from, to;
    if (group * 2 >= (int64_t)m->run.slots) { return taco__bytes_of(s.data, 0); }
    from = m->run.match[group * 2];
    to = m->run.match[group * 2 + 1];
    return from == SIZE_MAX || to == SIZE_MAX ? taco__bytes_of(s.data, 0)
                                              : taco__bytes_of(s.data + from, to - from);
}

/* Appends the replacement of a match: \1 is what group 1 took, \\ a backslash. False with *broken
   where it names a group that there is not. */
static bool taco__func_regex_rewrite(taco__func_regex *m, taco_bytes s, taco_bytes with,
                                     bool *broken)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < with.len; i++) {
        uint8_t c = with.data[i], d;
        if (c != '\\') {
            ok = taco__buf_append_char(&m->text, (char)c, m->x->err);
            continue;
        }
        d = ++i < with.len ? with.data[i] : 0;
        if (d == '\\') {
            ok = taco__buf_append_char(&m->text, '\\', m->x->err);
        } else if (taco__lex_is_digit(d) && d - '0' < (int)m->run.re->groups) {
            taco_bytes part = taco__func_regex_group(m, s, d - '0');
            ok = taco__buf_append(&m->text, part.data, part.len, m->x->err);
        } else {
            *broken = true;
            return false;
        }
    }
    return ok;
}

/* regexp_replace: the first match, or all of them. An empty match right after another one is
   none. */
static bool taco__func_regex_replace(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), with = TACO__FUNC_ARG_TEXT(2);
    size_t at = 0, done = 0, last = SIZE_MAX;
    bool broken = false;
    m->text.len = 0;
    while (at <= s.len && taco__regex_find(&m->run, s, at, false)) {
        size_t from = m->run.match[0], to = m->run.match[1];
        if (from == to && to == last) { /* a character further */
            at = to < s.len ? to + taco__like_char_width(s, to) : s.len + 1;
            last = SIZE_MAX;
            continue;
        }
        if (!taco__buf_append(&m->text, s.data + done, from - done, x->err) ||
            !taco__func_regex_rewrite(m, s, with, &broken)) {
            if (!broken) { return false; }
            x->out->v.s[i] = s; /* nothing is replaced by what cannot be */
            return true;
        }
        done = to;
        last = to;
        at = to;
        if (!m->plan->options.global) { break; }
    }
    return taco__buf_append(&m->text, s.data + done, s.len - done, x->err) &&
           taco__func_set_text(x, i, taco__bytes_of(m->text.data, m->text.len));
}

/* regexp_extract_all: the matches as a list. After an empty one the search goes on a character
   further than it began, as DuckDB's does, so that one at the end may come twice. */
static bool taco__func_regex_all(taco__func_regex *m, taco_bytes s, taco__vec_builder *pile)
{
    size_t at = 0;
    while (at <= s.len && taco__regex_find(&m->run, s, at, false)) {
        size_t from = m->run.match[0], to = m->run.match[1];
        if (!taco__func_list_push_text(m->x->arena, pile,
                                       taco__func_regex_group(m, s, m->plan->group), m->x->err)) {
            return false;
        }
        at += at < s.len ? taco__like_char_width(s, at) : 1;
        at = from != to ? to : TACO__MAX(at, to);
    }
    return true;
}

/* regexp_split_to_array: what lies between the matches. What is left is a text of its own, in
   which ^ matches again; an empty match parts two characters. */
static bool taco__func_regex_split(taco__func_regex *m, taco_bytes s, taco__vec_builder *pile)
{
    while (taco__regex_find(&m->run, s, 0, false)) {
        size_t from = m->run.match[0], to = m->run.match[1];
        if (from == to && from == 0) {
            from = to = s.len ? taco__like_char_width(s, 0) : 0;
            if (from >= s.len) { break; }
        }
        if (!taco__func_list_push_text(m->x->arena, pile, taco__bytes_of(s.data, from),
                                       m->x->err)) {
            return false;
        }
        s = taco__bytes_of(s.data + to, s.len - to);
    }
    return taco__func_list_push_text(m->x->arena, pile, s, m->x->err);
}

/* Row i of a function that makes a list. */
static bool taco__func_regex_list(taco__func_regex *m, size_t i, taco__vec_builder *pile)
{
    taco__func_call *x = m->x;
    bool split = x->id == TACO__FUNC_REGEX_SPLIT;
    x->out->v.l[i].at = (uint32_t)pile->v.n;
    if (!(split ? taco__func_regex_split(m, TACO__FUNC_ARG_TEXT(0), pile)
                : taco__func_regex_all(m, TACO__FUNC_ARG_TEXT(0), pile))) {
        return false;
    }
    x->out->v.l[i].len = (uint32_t)pile->v.n - x->out->v.l[i].at;
    return true;
}

/* regexp_escape: a backslash before every ASCII character that is no letter, digit or _. */
static bool taco__func_regex_escape_row(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k;
    m->text.len = 0;
    for (k = 0; k < s.len; k++) {
        uint8_t c = s.data[k];
        bool plain = taco__lex_is_letter(c) || taco__lex_is_digit(c);
        if ((!plain && !taco__buf_append_char(&m->text, '\\', x->err)) ||
            !taco__buf_append_char(&m->text, (char)c, x->err)) {
            return false;
        }
    }
    return taco__func_set_text(x, i, taco__bytes_of(m->text.data, m->text.len));
}

/* A set of GLOB at p[*at], after the bracket: whether c is in it; *at behind it, or past the end
   where it does not close. */
static bool taco__func_regex_glob_set(taco_bytes p, size_t *at, uint8_t c)
{
    bool negate = *at < p.len && p.data[*at] == '!', hit = false, first = true;
    size_t i = *at + negate;
    for (; i < p.len && (first || p.data[i] != ']'); first = false) {
        uint8_t lo = p.data[i++], hi = lo;
        if (i < p.len && p.data[i] == '-') {
            if (i + 1 >= p.len || p.data[i + 1] == ']') { /* no range: nothing matches */
                *at = p.len + 1;
                return false;
            }
            hi = p.data[i + 1];
            i += 2;
        }
        hit = hit || (c >= lo && c <= hi);
    }
    *at = i < p.len ? i + 1 : p.len + 1;
    return hit != negate;
}

/* The bytes from k on that stand for themselves, when a * or the end follows them. */
static taco_bytes taco__func_regex_glob_part(taco_bytes p, size_t k)
{
    size_t end = k;
    while (end < p.len && !memchr("*?[\\", p.data[end], 4)) {
        end++;
    }
    return taco__bytes_of(p.data + k, end == p.len || p.data[end] == '*' ? end - k : 0);
}

/* GLOB of bytes: * any, ? one, [a-z] one of a set, [!a] one that is not, \ takes meaning away. What
   stands between two stars is searched for; another part is tried one byte further when it fails,
   only the last one needs to be. */
static bool taco__func_regex_glob(taco_bytes s, taco_bytes p)
{
    size_t i = 0, k = 0, star = SIZE_MAX, mark = 0;
    while (i < s.len) {
        size_t next = k + 1;
        bool ok = false;
        if (k < p.len && p.data[k] == '*') {
            taco_bytes part = taco__func_regex_glob_part(p, ++k);
            if (k + part.len == p.len) { /* the end of the pattern is that of the text */
                return part.len <= s.len - i &&
                       (part.len == 0 ||
                        memcmp(s.data + (s.len - part.len), part.data, part.len) == 0);
            }
            mark = taco__bytes_find(s, i, part, false);
            if (mark == SIZE_MAX) { return false; }
            i = part.len ? mark + part.len : i;
            star = k += part.len;
            mark = i;
            continue;
        }
        if (k < p.len) {
            if (p.data[k] == '[') {
                ok = taco__func_regex_glob_set(p, &next, s.data[i]) && next <= p.len;
            } else if (p.data[k] == '\\' && k + 1 < p.len) {
                ok = p.data[k + 1] == s.data[i];
                next = k + 2;
            } else {
                ok = p.data[k] == '?' || p.data[k] == s.data[i];
            }
        }
        if (ok) {
            i++;
            k = next;
        } else if (star != SIZE_MAX) {
            k = star;
            i = ++mark;
        } else {
            return false;
        }
    }
    while (k < p.len && p.data[k] == '*') {
        k++;
    }
    return k == p.len;
}

/* regexp_extract of row i: a group of the first match, or the struct of all. */
static bool taco__func_regex_extract(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    bool hit = taco__regex_find(&m->run, s, 0, false);
    uint32_t k;
    for (k = 0; k < m->plan->fields; k++) {
        x->out->kids[k].v.s[i] =
            hit ? taco__func_regex_group(m, s, (int64_t)k + 1) : taco__bytes_of(s.data, 0);
    }
    if (!m->plan->fields) {
        x->out->v.s[i] =
            hit ? taco__func_regex_group(m, s, m->plan->group) : taco__bytes_of(s.data, 0);
    }
    return true;
}

/* One row. */
static bool taco__func_regex_row(taco__func_regex *m, size_t i, taco__vec_builder *pile)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    if (x->id == TACO__FUNC_GLOB) {
        x->out->v.i[i] = taco__func_regex_glob(s, TACO__FUNC_ARG_TEXT(1));
        return true;
    }
    if (x->id == TACO__FUNC_REGEX_ESCAPE) { return taco__func_regex_escape_row(m, i); }
    if (!taco__func_regex_prepare(m, i)) { return false; }
    switch (x->id) {
    case TACO__FUNC_REGEX_FULL:
    case TACO__FUNC_REGEX_MATCHES:
        x->out->v.i[i] =
            taco__regex_find(&m->run, s, 0, x->id == TACO__FUNC_REGEX_FULL) != m->plan->negated;
        return true;
    case TACO__FUNC_REGEX_EXTRACT: return taco__func_regex_extract(m, i);
    case TACO__FUNC_REGEX_REPLACE: return taco__func_regex_replace(m, i);
    default: return taco__func_regex_list(m, i, pile);
    }
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_regex_run(taco__func_call *x)
{
    taco__func_regex m;
    taco__vec_builder pile;
    bool lists = x->out->type->t.id == TACO_LIST, ok = true;
    size_t i;
    memset(&m, 0, sizeof m);
    m.x = x;
    m.plan = (const taco__func_regex_plan *)x->plan;
    m.text.mem = x->arena->mem;
    if (lists && !taco__vec_builder_init(x->arena, &x->out->type->kids[0], &pile, x->err)) {
        return false;
    }
    for (i = 0; ok && i < x->out->n; i++) {
        ok = !taco__vec_is_valid(x->out, i) || taco__func_regex_row(&m, i, &pile);
    }
    if (lists) { x->out->kids[0] = pile.v; }
    taco__buf_free(&m.text);
    return ok;
}
/* ==== src/sql/func_format.c ==== */
/* func_format.c - printf and format: values laid out as a text says

   printf has C's conversions, format those of Python ({:>8.2f}); both become a taco__format_spec,
   which one writer per kind of value takes. Whole numbers may be HUGEINT; DECIMALs are DOUBLE here,
   as in DuckDB, and every other type is its text. Doubles are written out exactly and rounded then,
   half to even, so that the digits are those of every C library.

   Examples: printf('%05.1f|%-4s|', 2.25, 'ab') is 002.2|ab  |, as 2.25 lies half way and 2 is even;
   printf('%,d', 1234567) is 1,234,567; format('{:>6}|{0:x}') is an error, as arguments are either
   counted or numbered; format('{1} {0:+d}', 5, 'x') is x +5. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

#define TACO__FORMAT_MAX_WIDTH  100000 /* of one value; more is an error */
#define TACO__FORMAT_MAX_DIGITS 1100   /* after the point */

/* How one value is laid out. */
typedef struct taco__format_spec {
    uint32_t arg;
    taco_bytes fill; /* a character */
    char align;      /* < > ^ =, or 0 */
    char sign;       /* + blank or 0 */
    bool alternate, zero;
    char group;               /* between thousands, or 0 */
    int64_t width, precision; /* -1: none */
    char type;                /* 0: that of the value */
} taco__format_spec;

/* A call being laid out. */
typedef struct taco__format {
    taco__func_call *x;
    size_t row;
    taco__buf out, number;
    taco_bytes s; /* the format */
    size_t at;
    uint32_t next; /* argument that {} and % take */
    bool numbered; /* arguments are named by number */
} taco__format;

/* An error that shows the format. */
static TACO__COLD bool taco__format_fail(taco__format *f, const char *what)
{
    TACO__FAIL(f->x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: %s in %q", f->x->name, what, &f->s);
    return false;
}

/* ---- digits ---- */

/* The digits of a double that is finite and not negative, all of them: those before the point,
   *whole of them, then those after it. Fixed point in words of 32 bits: 1024 bits before and 1088
   after the point hold every double. Returns how many digits. */
static size_t taco__format_expand(double v, char *digits, size_t *whole)
{
    uint32_t w[66], high = 32, low = 34; /* w[0 .. 33] after the point, w[34 ..] before it */
    uint64_t bits = taco__f64_to_bits(v), m = bits & (((uint64_t)1 << 52) - 1);
    int e = (int)(bits >> 52);
    uint32_t at, k;
    size_t n = 0, i;
    memset(w, 0, sizeof w);
    if (e) {
        m |= (uint64_t)1 << 52;
    } else {
        e = 1;
    }
    at = (uint32_t)((int)low * 32 + e - 1075); /* bit of the lowest digit of m */
    w[at / 32] |= (uint32_t)(m << at % 32);
    w[at / 32 + 1] |= (uint32_t)(m << at % 32 >> 32);
    if (at % 32) { w[at / 32 + 2 < 66 ? at / 32 + 2 : 65] |= (uint32_t)(m >> (64 - at % 32)); }
    /* before the point: divided by 10^9 again and again, from the last digits on */
    while (high) {
        uint64_t rest = 0;
        if (!w[low + high - 1]) {
            high--;
            continue;
        }
        for (k = high; k-- > 0;) {
            rest = rest << 32 | w[low + k];
            w[low + k] = (uint32_t)(rest / 1000000000U);
            rest %= 1000000000U;
        }
        for (k = 0; k < 9; k++) {
            digits[n++] = (char)('0' + rest % 10);
            rest /= 10;
        }
    }
    while (n && digits[n - 1] == '0') {
        n--;
    }
    for (i = 0; i < n / 2; i++) {
        char c = digits[i];
        digits[i] = digits[n - 1 - i];
        digits[n - 1 - i] = c;
    }
    *whole = n;
    for (k = 0; k < low && !w[k]; k++) {}
    while (k < low) { /* after it: times 10^9 */
        uint64_t carry = 0;
        for (i = k; i < low; i++) {
            carry += (uint64_t)w[i] * 1000000000U;
            w[i] = (uint32_t)carry;
            carry >>= 32;
        }
        for (i = 9; i-- > 0;) {
            digits[n + i] = (char)('0' + carry % 10);
            carry /= 10;
        }
        n += 9;
        while (k < low && !w[k]) {
            k++;
        }
    }
    return n;
}

/* Cuts digits to `keep` of them, half to even; digits that are not there are zeros. True where the
   rounding carried over into a further digit in front, which is put there. */
static bool taco__format_round(char *digits, size_t n, size_t keep)
{
    size_t i;
    bool up;
    if (keep >= n) {
        memset(digits + n, '0', keep - n);
        return false;
    }
    up = digits[keep] > '5';
    if (digits[keep] == '5') {
        for (i = keep + 1; i < n && digits[i] == '0'; i++) {}
        up = i < n || (keep && (digits[keep - 1] - '0') % 2);
    }
    for (i = keep; up && i-- > 0;) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) {
        memmove(digits + 1, digits, keep);
        digits[0] = '1';
    }
    return up;
}

/* Appends to the value that is being written, before it is padded. */
static bool taco__format_put(taco__format *f, const char *s, size_t n)
{
    return taco__buf_append(&f->number, s, n, f->x->err);
}

/* Trailing zeros of a fraction, and a lone point, are taken away. */
static void taco__format_trim(taco__format *f, size_t from)
{
    if (!memchr(f->number.data + from, '.', f->number.len - from)) { return; }
    while (f->number.data[f->number.len - 1] == '0') {
        f->number.len--;
    }
    f->number.len -= f->number.data[f->number.len - 1] == '.';
}

/* %f: digits after the point. */
static bool taco__format_fixed(taco__format *f, double v, size_t precision, bool point)
{
    char digits[1500 + TACO__FORMAT_MAX_DIGITS];
    size_t whole, n = taco__format_expand(v, digits + 1, &whole);
    digits[0] = '0';
    /* a zero in front takes what rounding carries over */
    if (taco__format_round(digits, n + 1, whole + 1 + precision)) { return false; }
    if (digits[0] == '0' && whole) {
        memmove(digits, digits + 1, whole + precision);
    } else {
        whole++;
    }
    return taco__format_put(f, digits, whole) &&
           ((!precision && !point) || taco__format_put(f, ".", 1)) &&
           taco__format_put(f, digits + whole, precision);
}

/* The decimal exponent of v once it is rounded to `significant` digits, which are left in
   digits. */
static int taco__format_significant(double v, size_t significant, char *digits)
{
    size_t whole, n = taco__format_expand(v, digits, &whole), zeros = 0;
    while (zeros < n && digits[zeros] == '0') {
        zeros++;
    }
    if (zeros == n) { /* 0 */
        memset(digits, '0', significant);
        return 0;
    }
    memmove(digits, digits + zeros, n - zeros);
    return (int)whole - (int)zeros - 1 + taco__format_round(digits, n - zeros, significant);
}

/* %e. */
static bool taco__format_exponent(taco__format *f, double v, size_t precision, bool upper,
                                  bool point, bool trim)
{
    char digits[1500 + TACO__FORMAT_MAX_DIGITS], text[8];
    int e = taco__format_significant(v, precision + 1, digits);
    size_t from = f->number.len, n = 0, size = (size_t)(e < 0 ? -e : e);
    if (!taco__format_put(f, digits, 1) || ((precision || point) && !taco__format_put(f, ".", 1)) ||
        !taco__format_put(f, digits + 1, precision)) {
        return false;
    }
    if (trim) { taco__format_trim(f, from); }
    text[n++] = upper ? 'E' : 'e';
    text[n++] = e < 0 ? '-' : '+';
    if (size < 10) { text[n++] = '0'; }
    n += taco__num_format_u64(text + n, size);
    return taco__format_put(f, text, n);
}

/* A double without its sign, by the type of the conversion. */
static bool taco__format_double(taco__format *f, const taco__format_spec *p, double v, char type,
                                bool single)
{
    bool upper = type == 'F' || type == 'E' || type == 'G';
    char low = upper ? (char)(type | 0x20) : type, text[32], digits[1500 + TACO__FORMAT_MAX_DIGITS];
    size_t precision = p->precision < 0 ? 6 : (size_t)p->precision, from = f->number.len;
    int e;
    bool keep, dot_zero;
    if (v != v) { return taco__format_put(f, upper ? "NAN" : "nan", 3); }
    if (v - v != 0) { return taco__format_put(f, upper ? "INF" : "inf", 3); }
    if (low == 'f') { return taco__format_fixed(f, v, precision, p->alternate); }
    if (low == 'e') { return taco__format_exponent(f, v, precision, upper, p->alternate, false); }
    if (!low && p->precision < 0) {
        return taco__format_put(
            f, text, single ? taco__num_format_f32(text, (float)v) : taco__num_format_f64(text, v));
    }
    /* %g: the shorter of both. Without a type format keeps the zeros at the end of what is 1 or
       more, and writes one of a whole number */
    keep = p->alternate || !low;
    dot_zero = !low && precision;
    precision = precision ? precision : 1;
    e = taco__format_significant(v, precision, digits);
    if (e < -4 || e >= (int)precision) {
        return taco__format_exponent(f, v, precision - 1, upper, p->alternate, !keep);
    }
    if (!taco__format_fixed(f, v, (size_t)((int)precision - 1 - e), p->alternate)) { return false; }
    if (!keep || (!p->alternate && e < 0)) { taco__format_trim(f, from); }
    return !dot_zero || (int)precision - 1 > e || taco__format_put(f, ".0", 2);
}

/* A whole number without its sign, to a base. */
static bool taco__format_integer(taco__format *f, taco__i256 v, uint32_t base, bool upper)
{
    char text[130];
    size_t n = sizeof text;
    uint32_t w[8];
    int k, top = 7;
    for (k = 0; k < 8; k++) {
        w[k] = (uint32_t)(v.w[k / 2] >> (k % 2 ? 32 : 0));
    }
    do {
        uint64_t rest = 0;
        while (top > 0 && !w[top]) {
            top--;
        }
        for (k = top; k >= 0; k--) {
            rest = rest << 32 | w[k];
            w[k] = (uint32_t)(rest / base);
            rest %= base;
        }
        text[--n] = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[rest];
    } while (n && (top || w[0]));
    return taco__format_put(f, text + n, sizeof text - n);
}

/* ---- layout ---- */

/* Puts a separator between thousands of the whole part in f->number. */
static bool taco__format_group(taco__format *f, char sign)
{
    taco__buf b = f->number;
    size_t whole = 0, i;
    bool ok = true;
    while (whole < b.len && taco__lex_is_digit((uint8_t)b.data[whole])) {
        whole++;
    }
    memset(&f->number, 0, sizeof f->number);
    f->number.mem = b.mem;
    for (i = 0; ok && i < b.len; i++) {
        ok = (!(i && i < whole && (whole - i) % 3 == 0) || taco__format_put(f, &sign, 1)) &&
             taco__format_put(f, (const char *)b.data + i, 1);
    }
    taco__buf_free(&b);
    return ok;
}

/* Appends n fill characters. */
static bool taco__format_fill(taco__format *f, taco_bytes fill, size_t n)
{
    bool ok = true;
    for (; ok && n; n--) {
        ok = taco__buf_append(&f->out, fill.data, fill.len, f->x->err);
    }
    return ok;
}

/* Appends what is in f->number, with `sign` in front, in the width of the spec. */
static bool taco__format_pad(taco__format *f, const taco__format_spec *p, const char *sign,
                             bool number)
{
    taco_bytes body = taco__bytes_of(f->number.data, f->number.len);
    size_t n = taco__func_text_length(body) + strlen(sign),
           width = p->width < 0 ? 0 : (size_t)p->width, pad = width > n ? width - n : 0, left;
    char align = p->align ? p->align : number ? '>' : '<';
    if (number && p->zero && !p->align) {
        return taco__buf_append_text(&f->out, sign, f->x->err) &&
               taco__format_fill(f, taco__bytes_text("0"), pad) &&
               taco__buf_append(&f->out, body.data, body.len, f->x->err);
    }
    if (align == '=') {
        return taco__buf_append_text(&f->out, sign, f->x->err) &&
               taco__format_fill(f, p->fill, pad) &&
               taco__buf_append(&f->out, body.data, body.len, f->x->err);
    }
    left = align == '>' ? pad : align == '^' ? pad / 2 : 0;
    return taco__format_fill(f, p->fill, left) && taco__buf_append_text(&f->out, sign, f->x->err) &&
           taco__buf_append(&f->out, body.data, body.len, f->x->err) &&
           taco__format_fill(f, p->fill, pad - left);
}

/* A whole number or BOOLEAN. */
static bool taco__format_whole(taco__format *f, const taco__format_spec *p, const taco__vec *v)
{
    size_t i = f->row * v->step;
    bool big = taco__sql_type_physical(v->type) == TACO__PHYS_BIG, negative;
    taco__i256 x = big ? v->v.d[i] : taco__i256_from_i64(v->v.i[i]);
    char type = p->type == 'i' || !p->type ? 'd' : p->type, sign[4];
    uint32_t base = type == 'x' || type == 'X'   ? 16
                    : type == 'b' || type == 'B' ? 2
                    : type == 'o'                ? 8
                                                 : 10;
    size_t n = 0;
    uint8_t utf8[4];
    f->number.len = 0;
    if (type == 'c' && f->x->id == TACO__FUNC_PRINTF) {
        size_t w = x.w[0] <= 0x10FFFF ? taco__func_text_write_char(utf8, (uint32_t)x.w[0]) : 0;
        return taco__format_put(f, (const char *)utf8, w) && taco__format_pad(f, p, "", false);
    }
    if (!strchr("dxXobBun", type)) {
        return taco__format_fail(f, "a conversion that whole numbers do not take");
    }
    negative = taco__i256_is_negative(&x);
    if (negative && base != 10 && f->x->id == TACO__FUNC_PRINTF && !big) {
        /* as C shows negative numbers: their 64 bits */
        x = taco__i256_from_u64(x.w[0]);
        negative = false;
    }
    if (negative) {
        x = taco__i256_negate(x);
        sign[n++] = '-';
    } else if (p->sign) {
        sign[n++] = p->sign;
    }
    if (p->alternate && base != 10) {
        sign[n++] = '0';
        if (base != 8) { sign[n++] = type; }
    }
    sign[n] = 0;
    return taco__format_integer(f, x, base, type == 'X') &&
           (!p->group || taco__format_group(f, p->group)) && taco__format_pad(f, p, sign, true);
}

/* One value by its spec. */
static bool taco__format_value(taco__format *f, const taco__format_spec *p)
{
    const taco__vec *v;
    taco_bytes s;
    char sign[2] = {0, 0};
    double d;
    if (p->arg + 1 >= f->x->n) { return taco__format_fail(f, "an argument that is not there"); }
    v = &f->x->a[p->arg + 1];
    f->number.len = 0;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_INT:
        if (v->type->t.id == TACO_BOOL && !p->type) {
            return taco__buf_append_text(&f->number, v->v.i[f->row * v->step] ? "true" : "false",
                                         f->x->err) &&
                   taco__format_pad(f, p, "", false);
        } /* fall through */
    case TACO__PHYS_BIG: return taco__format_whole(f, p, v);
    case TACO__PHYS_DBL:
        d = v->v.f[f->row * v->step];
        if (p->type && !strchr("fFeEgG", p->type)) {
            return taco__format_fail(f, "a conversion that floating point does not take");
        }
        sign[0] = taco__f64_to_bits(d) >> 63 ? '-' : p->sign;
        d = d < 0 || (d == 0 && sign[0] == '-') ? -d : d;
        return taco__format_double(f, p, d, p->type, v->type->t.id == TACO_FLOAT) &&
               (!p->group || taco__format_group(f, p->group)) && taco__format_pad(f, p, sign, true);
    default:
        if (p->type && p->type != 's') {
            return taco__format_fail(f, "a conversion that texts do not take");
        }
        s = v->v.s[f->row * v->step];
        if (p->precision >= 0) { s = taco__func_text_range(s, 0, p->precision); }
        return taco__buf_append(&f->number, s.data, s.len, f->x->err) &&
               taco__format_pad(f, p, "", false);
    }
}

/* ---- what the two texts say ---- */

/* The byte of the format at hand; 0 at its end. */
static char taco__format_peek(const taco__format *f)
{
    return f->at < f->s.len ? (char)f->s.data[f->at] : 0;
}

/* A number at hand; false where there is none, or with an error where it is too large. */
static bool taco__format_number(taco__format *f, int64_t *out)
{
    size_t begin = f->at;
    int64_t v = 0;
    while (taco__lex_is_digit((uint8_t)taco__format_peek(f)) && v <= TACO__FORMAT_MAX_WIDTH) {
        v = v * 10 + (f->s.data[f->at++] - '0');
    }
    if (f->at > begin) { *out = v; }
    return f->at > begin;
}

/* The argument that is a width or precision: the * of printf. */
static bool taco__format_star(taco__format *f, int64_t *out)
{
    const taco__vec *v = f->next + 1 < f->x->n ? &f->x->a[f->next + 1] : NULL;
    f->at++;
    f->next++;
    if (!v || taco__sql_type_physical(v->type) != TACO__PHYS_INT) {
        return taco__format_fail(f, "a width that is no number");
    }
    *out = v->v.i[f->row * v->step];
    return true;
}

/* Widths and precisions have a limit: a format may come from a column. */
static bool taco__format_check(taco__format *f, const taco__format_spec *p)
{
    if (p->width > TACO__FORMAT_MAX_WIDTH || p->precision > TACO__FORMAT_MAX_DIGITS - 100) {
        return taco__format_fail(f, "a width above 100000 or a precision above 1000");
    }
    return true;
}

/* %[n$][flags][width][.precision]type, after the sign. */
static bool taco__format_percent(taco__format *f)
{
    taco__format_spec p;
    int64_t number;
    size_t before = f->at;
    bool named = false;
    memset(&p, 0, sizeof p);
    p.width = p.precision = -1;
    p.fill = taco__bytes_text(" ");
    p.align = '>';
    if (taco__format_number(f, &number) && taco__format_peek(f) == '$' && number) {
        f->at++;
        p.arg = (uint32_t)number - 1;
        named = true;
    } else {
        f->at = before;
    }
    for (;; f->at++) {
        char c = taco__format_peek(f);
        if (c == '-') {
            p.align = '<';
        } else if (c == '+' || c == ' ') {
            p.sign = p.sign == '+' ? '+' : c;
        } else if (c == '#') {
            p.alternate = true;
        } else if (c == '0') {
            p.zero = true;
        } else if (c == ',' || c == '\'' || c == '_') {
            p.group = c;
        } else {
            break;
        }
    }
    /* zeros go between the sign and the digits, unless - says left */
    if (p.zero && p.align == '>') { p.align = 0; }
    if (taco__format_peek(f) == '*') {
        if (!taco__format_star(f, &p.width)) { return false; }
    } else {
        taco__format_number(f, &p.width);
    }
    if (taco__format_peek(f) == '.') {
        f->at++;
        p.precision = 0;
        if (taco__format_peek(f) == '*') {
            if (!taco__format_star(f, &p.precision)) { return false; }
        } else if (!taco__format_number(f, &p.precision) && taco__format_peek(f) == 'd') {
            p.group = '.'; /* %.d: DuckDB's point between thousands */
        }
    }
    /* sizes of C's integers mean nothing here */
    while (taco__format_peek(f) && strchr("hlLqjzt", taco__format_peek(f))) {
        f->at++;
    }
    p.type = taco__format_peek(f);
    if (!p.type) { return taco__format_fail(f, "a conversion that does not end"); }
    f->at++;
    if (!named) { p.arg = f->next++; }
    return taco__format_check(f, &p) && taco__format_value(f, &p);
}

/* {[n][:spec]}, after the brace. */
static bool taco__format_brace(taco__format *f)
{
    taco__format_spec p;
    int64_t number;
    memset(&p, 0, sizeof p);
    p.width = p.precision = -1;
    p.fill = taco__bytes_text(" ");
    if (taco__format_number(f, &number)) {
        p.arg = (uint32_t)number;
        f->numbered = true;
    } else {
        p.arg = f->next++;
    }
    if (f->numbered && f->next) {
        return taco__format_fail(f, "arguments with and without numbers");
    }
    if (taco__format_peek(f) == ':') {
        size_t w;
        char c;
        f->at++;
        /* a fill character is one only before an alignment */
        w = f->at < f->s.len ? taco__like_char_width(f->s, f->at) : 0;
        if (w && f->at + w < f->s.len && strchr("<>^=", f->s.data[f->at + w]) &&
            f->s.data[f->at + w] && f->s.data[f->at] != '}') {
            p.fill = taco__bytes_of(f->s.data + f->at, w);
            f->at += w;
        }
        c = taco__format_peek(f);
        if (c && strchr("<>^=", c)) {
            p.align = c;
            f->at++;
        }
        c = taco__format_peek(f);
        if (c == '+' || c == ' ' || c == '-') {
            p.sign = c == '-' ? 0 : c;
            f->at++;
        }
        if (taco__format_peek(f) == '#') {
            p.alternate = true;
            f->at++;
        }
        if (taco__format_peek(f) == '0') {
            p.zero = true;
            f->at++;
        }
        taco__format_number(f, &p.width);
        c = taco__format_peek(f);
        if (c == ',' || c == '_' || c == '\'') {
            p.group = c;
            f->at++;
        } else if (c == 't' && f->at + 1 < f->s.len) {
            p.group = (char)f->s.data[f->at + 1];
            f->at += 2;
        }
        if (taco__format_peek(f) == '.') {
            f->at++;
            if (!taco__format_number(f, &p.precision)) {
                return taco__format_fail(f, "a precision without digits");
            }
        }
        if (taco__format_peek(f) != '}') {
            p.type = taco__format_peek(f);
            f->at++;
        }
    }
    if (taco__format_peek(f) != '}') { return taco__format_fail(f, "a brace that does not close"); }
    f->at++;
    return taco__format_check(f, &p) && taco__format_value(f, &p);
}

/* Lays one row out. */
static bool taco__format_row(taco__format *f, taco_bytes s)
{
    bool percent = f->x->id == TACO__FUNC_PRINTF;
    f->s = s;
    f->at = 0;
    f->next = 0;
    f->numbered = false;
    f->out.len = 0;
    while (f->at < s.len) {
        uint8_t c = s.data[f->at++];
        bool twice = f->at < s.len && s.data[f->at] == c;
        if (percent ? c == '%' : c == '{' || c == '}') {
            if (!twice) {
                if (c == '}') { return taco__format_fail(f, "a brace that closes nothing"); }
                if (!(percent ? taco__format_percent(f) : taco__format_brace(f))) { return false; }
                continue;
            }
            f->at++;
        }
        if (!taco__buf_append_char(&f->out, (char)c, f->x->err)) { return false; }
    }
    return true;
}

/* Runs printf or format. */
TACO__FN bool taco__func_format_run(taco__func_call *x)
{
    taco__format f;
    size_t i;
    bool ok = true;
    memset(&f, 0, sizeof f);
    f.x = x;
    f.out.mem = f.number.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        f.row = i;
        ok = !taco__vec_is_valid(x->out, i) ||
             (taco__format_row(&f, TACO__FUNC_ARG_TEXT(0)) &&
              taco__func_set_text(x, i, taco__bytes_of(f.out.data, f.out.len)));
    }
    taco__buf_free(&f.out);
    taco__buf_free(&f.number);
    return ok;
}

/* Binds the arguments of printf and format: DECIMALs are DOUBLE, what is no number a text. */
TACO__FN bool taco__func_format_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT),
                   real = taco__sql_type_simple(TACO_DOUBLE);
    uint32_t k;
    for (k = 0; k < e->n; k++) {
        const taco__sql_type *t = &e->kid[k]->type;
        bool decimal = t->t.id == TACO_DECIMAL && !taco__sql_type_is_hugeint(t);
        bool keep = k && (taco__sql_type_is_number(t) || t->t.id == TACO_BOOL);
        if (decimal && k ? !taco__bind_type_add_cast(b, &e->kid[k], &real)
                         : !keep && !taco__bind_type_add_cast(b, &e->kid[k], &text)) {
            return false;
        }
    }
    return true;
}
/* ==== src/sql/func_date.c ==== */
/* func_date.c - functions of DATE and TIMESTAMP: parts, truncation, differences, sums

   Every value is split into days since 1970 and microseconds of the day, so that one code serves
   all units; the calendar is the proleptic Gregorian one (base/datetime.c). Instants are taken as
   UTC. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* The part of a date of that name (taco__date_part), or -1: DuckDB's names and short forms. */
TACO__FN int taco__func_date_find_part(taco_bytes b)
{
    static const struct {
        const char *names; /* with a blank after each */
        uint8_t part;
    } parts[] = {
        {"year y yr years yrs ", TACO__DATE_PART_YEAR},
        {"month mon months mons ", TACO__DATE_PART_MONTH},
        {"day d days dayofmonth ", TACO__DATE_PART_DAY},
        {"hour h hr hours hrs ", TACO__DATE_PART_HOUR},
        {"minute m min minutes mins ", TACO__DATE_PART_MINUTE},
        {"second s sec seconds secs ", TACO__DATE_PART_SECOND},
        {"millisecond ms msec milliseconds msecs ", TACO__DATE_PART_MILLI},
        {"microsecond us usec usecs usecond useconds microseconds ", TACO__DATE_PART_MICRO},
        {"dow dayofweek weekday ", TACO__DATE_PART_DOW},
        {"isodow ", TACO__DATE_PART_ISODOW},
        {"doy dayofyear ", TACO__DATE_PART_DOY},
        {"week w weeks weekofyear ", TACO__DATE_PART_WEEK},
        {"quarter quarters ", TACO__DATE_PART_QUARTER},
        {"decade dec decades decs ", TACO__DATE_PART_DECADE},
        {"century c cent centuries ", TACO__DATE_PART_CENTURY},
        {"millennium mil mils millennia millenniums millenium ", TACO__DATE_PART_MILLENNIUM},
        {"isoyear ", TACO__DATE_PART_ISOYEAR},
        {"yearweek ", TACO__DATE_PART_YEARWEEK},
        {"era ", TACO__DATE_PART_ERA},
        {"timezone timezone_hour timezone_minute ", TACO__DATE_PART_ZONE},
        {"julian jd ", TACO__DATE_PART_JULIAN},
        {"epoch ", TACO__DATE_PART_EPOCH},
        {"epoch_ms ", TACO__DATE_PART_EPOCH_MS},
        {"epoch_us ", TACO__DATE_PART_EPOCH_US}};

    size_t i, n;
    const char *at;
    for (i = 0; i < TACO__COUNT(parts); i++) {
        for (at = parts[i].names; *at; at += n + 1) {
            n = (size_t)(strchr(at, ' ') - at);
            if (b.len == n && taco__bind_names_equal(b, taco__bytes_of(at, n))) {
                return parts[i].part;
            }
        }
    }
    return -1;
}

/* What date_trunc, date_diff and date_sub take a part for: days of any count are days, the epoch
   counts seconds; -1 for parts that have no boundaries, such as the era. */
TACO__FN int taco__func_date_boundary(int part)
{
    switch (part) {
    case TACO__DATE_PART_DOW:
    case TACO__DATE_PART_ISODOW:
    case TACO__DATE_PART_DOY:
    case TACO__DATE_PART_JULIAN: return TACO__DATE_PART_DAY;
    case TACO__DATE_PART_YEARWEEK: return TACO__DATE_PART_WEEK;
    case TACO__DATE_PART_EPOCH: return TACO__DATE_PART_SECOND;
    case TACO__DATE_PART_ERA:
    case TACO__DATE_PART_ZONE:
    case TACO__DATE_PART_EPOCH_MS:
    case TACO__DATE_PART_EPOCH_US: return -1;
    default: return part;
    }
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
TACO__FN int64_t taco__func_date_iso_week(int64_t day, int64_t *year)
{
    int64_t thursday = day - taco__time_floor_mod(day + 3, 7) + 3;
    taco__time_civil c = taco__time_date_from_days(thursday);
    *year = c.year;
    return (thursday - taco__time_days_from_date(c.year, 1, 1)) / 7 + 1;
}

/* The year in which the n years of `year` begin, towards 0; with eras those before year 1 count as
   years BC, as DuckDB's calendar of instants has them: 44 BC is of the decade that ends 40 BC. */
static int64_t taco__func_date_round_year(int64_t year, int64_t n, bool era)
{
    return era && year <= 0 ? 1 - (1 - year) / n * n : year / n * n;
}

/* A part of an instant, given as day since 1970 and microsecond of the day. */
static int64_t taco__func_date_extract(int part, int64_t day, int64_t us, bool era)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t year;
    switch (part) {
    case TACO__DATE_PART_YEAR: return era && c.year <= 0 ? 1 - c.year : c.year;
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
    case TACO__DATE_PART_DECADE: return (era && c.year <= 0 ? 1 - c.year : c.year) / 10;
    case TACO__DATE_PART_CENTURY: return c.year > 0 ? (c.year - 1) / 100 + 1 : c.year / 100 - 1;
    case TACO__DATE_PART_MILLENNIUM:
        return c.year > 0 ? (c.year - 1) / 1000 + 1 : c.year / 1000 - 1;
    case TACO__DATE_PART_ISOYEAR: taco__func_date_iso_week(day, &year); return year;
    case TACO__DATE_PART_YEARWEEK: {
        int64_t week = taco__func_date_iso_week(day, &year);
        return year * 100 + (year > 0 ? week : -week);
    }
    case TACO__DATE_PART_ERA: return c.year > 0;
    case TACO__DATE_PART_ZONE: return 0; /* instants are in UTC */
    case TACO__DATE_PART_EPOCH_MS:       /* towards 1970 */
        return day * 86400000 + us / 1000 + (day < 0 && us % 1000);
    default: return day * 86400000000LL + us; /* the caller has checked the day */
    }
}

/* The microsecond since 1970 at which the part of the instant began: the first of the month,
   Monday, the first day of the quarter. False where that is before what 64 bits hold. */
static bool taco__func_date_trunc(int part, int64_t day, int64_t us, bool era, int64_t *out)
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
        day = taco__time_days_from_date(taco__func_date_round_year(c.year, 10, era), 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_CENTURY:
        day = taco__time_days_from_date(taco__func_date_round_year(c.year, 100, era), 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_MILLENNIUM:
        day = taco__time_days_from_date(taco__func_date_round_year(c.year, 1000, era), 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_ISOYEAR:
        day -= taco__time_floor_mod(day + 3, 7) + 7 * (taco__func_date_iso_week(day, &c.year) - 1);
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

/* Seconds since 1970. Of instants milliseconds and the rest are added, which is ICU's way and
   differs from DuckDB's own in the last digit: 2018-10-01 16:50:59.508203 is 1538412659.508203 as a
   TIMESTAMP, and ends with .5082028 as an instant. */
static double taco__func_date_epoch(bool utc, int64_t day, int64_t us)
{
    return utc ? (double)(day * 86400000 + us / 1000) / 1000 + (double)(us % 1000) / 1e6
               : (double)(day * 86400) + (double)us / 1e6;
}

/* Microseconds of hours and shorter parts; 0 for longer ones: days and weeks are added to the day,
   months have no length. */
static int64_t taco__func_date_micros(int part)
{
    switch (part) {
    case TACO__DATE_PART_HOUR: return 3600000000LL;
    case TACO__DATE_PART_MINUTE: return 60000000;
    case TACO__DATE_PART_SECOND: return 1000000;
    case TACO__DATE_PART_MILLI: return 1000;
    case TACO__DATE_PART_MICRO: return 1;
    default: return 0;
    }
}

/* Months of months and longer parts; 0 for shorter ones. A year of ISO 8601 counts as one of twelve
   months in date_sub, whatever its number of weeks. */
static int64_t taco__func_date_months(int part)
{
    switch (part) {
    case TACO__DATE_PART_MONTH: return 1;
    case TACO__DATE_PART_QUARTER: return 3;
    case TACO__DATE_PART_YEAR:
    case TACO__DATE_PART_ISOYEAR: return 12;
    case TACO__DATE_PART_DECADE: return 120;
    case TACO__DATE_PART_CENTURY: return 1200;
    case TACO__DATE_PART_MILLENNIUM: return 12000;
    default: return 0;
    }
}

/* How many boundaries of the part lie between two instants, day and microsecond each:
   date_diff('year', DATE '2020-12-31', DATE '2021-01-01') is 1. Negative where b is before a.
   Weeks are an exception of DuckDB's: full ones, whatever day they begin on; 'yearweek' of instants
   counts Mondays, and comes here as WEEK of other types. False where the number
   is beyond 64 bits. */
static bool taco__func_date_diff(int part, const int64_t a[2], const int64_t b[2], int64_t *out)
{
    taco__time_civil x = taco__time_date_from_days(a[0]), y = taco__time_date_from_days(b[0]);
    int64_t per = taco__func_date_micros(part);
    switch (part) {
    case TACO__DATE_PART_MONTH: *out = (y.year - x.year) * 12 + y.month - x.month; return true;
    case TACO__DATE_PART_QUARTER:
        *out = (y.year * 12 + y.month - 1) / 3 - (x.year * 12 + x.month - 1) / 3;
        return true;
    case TACO__DATE_PART_ISOYEAR:
        (void)taco__func_date_iso_week(a[0], &x.year);
        (void)taco__func_date_iso_week(b[0], &y.year);
        *out = y.year - x.year;
        return true;
    case TACO__DATE_PART_YEAR:
    case TACO__DATE_PART_DECADE:
    case TACO__DATE_PART_CENTURY:
    case TACO__DATE_PART_MILLENNIUM:
        per = taco__func_date_months(part) / 12;
        *out = y.year / per - x.year / per;
        return true;
    case TACO__DATE_PART_WEEK: *out = (b[0] - a[0]) / 7; return true;
    case TACO__DATE_PART_YEARWEEK:
        *out = taco__time_floor_div(b[0] + 3, 7) - taco__time_floor_div(a[0] + 3, 7);
        return true;
    case TACO__DATE_PART_DAY: *out = b[0] - a[0]; return true;
    default: break;
    }
    if (per == 1 && (b[0] - a[0] > 106751990 || a[0] - b[0] > 106751990)) { return false; }
    *out = (b[0] - a[0]) * (86400000000LL / per) + b[1] / per - a[1] / per;
    return true;
}

/* How many whole parts lie between two instants: date_sub('year', DATE '2020-12-31', DATE
   '2021-01-01') is 0, where date_diff counts the new year. A month is over at the time of day that
   it began at, on its last day where it lacks the day: from 31 January to 28 February is a month,
   and so is 30 January to 28 February. */
static bool taco__func_date_sub(int part, const int64_t a[2], const int64_t b[2], int64_t *out)
{
    int64_t per = taco__func_date_months(part), first, last;
    taco__time_civil x, y;
    bool back = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    if (!per) {
        /* days and weeks are multiples of 24 hours; the difference of two timestamps is checked */
        per = taco__func_date_micros(part);
        per = per ? per : part == TACO__DATE_PART_WEEK ? 7 * 86400000000LL : 86400000000LL;
        if (!taco__func_date_diff(TACO__DATE_PART_MICRO, a, b, out)) { return false; }
        *out /= per;
        return true;
    }
    if (back) {
        const int64_t *swap = a;
        a = b;
        b = swap;
    }
    x = taco__time_date_from_days(a[0]);
    y = taco__time_date_from_days(b[0]);
    last = taco__time_days_in_month(y.year, y.month);
    first = y.day == last && x.day > last ? last : x.day;
    *out = (y.year - x.year) * 12 + y.month - x.month;
    *out -= y.day < first || (y.day == first && b[1] < a[1]);
    *out = (back ? -*out : *out) / per;
    return true;
}

/* Whether argument k in row i is infinite: of such dates most functions are null, as in DuckDB. */
static bool taco__func_date_is_infinite(const taco__func_call *x, size_t k, size_t i)
{
    return taco__sql_type_is_infinite(x->a[k].type, TACO__FUNC_ARG_INT(k));
}

/* date_diff and date_sub of row i. */
static bool taco__func_date_between(taco__func_call *x, size_t i)
{
    int part = *(const int *)x->plan;
    int64_t a[2], b[2], *out = &x->out->v.i[i];
    if (taco__func_date_is_infinite(x, 1, i) || taco__func_date_is_infinite(x, 2, i)) {
        return taco__func_set_null(x, i);
    }
    taco__func_date_split(&x->a[1], i, &a[0], &a[1]);
    taco__func_date_split(&x->a[2], i, &b[0], &b[1]);
    return (x->id == TACO__FUNC_DATE_DIFF ? taco__func_date_diff(part, a, b, out)
                                          : taco__func_date_sub(part, a, b, out)) ||
           taco__func_number_fail_overflow(x);
}

/* make_date of row i: year, month and day that there are, within the range of DATE. Years count as
   astronomers do: 0 is 1 BC. */
static bool taco__func_date_make(taco__func_call *x, size_t i)
{
    int64_t y = TACO__FUNC_ARG_INT(0), m = TACO__FUNC_ARG_INT(1), d = TACO__FUNC_ARG_INT(2),
            *out = &x->out->v.i[i];
    bool ok = y > -6000000 && y < 6000000 && m >= 1 && m <= 12 && d >= 1 &&
              d <= taco__time_days_in_month(y, (int32_t)m);
    *out = ok ? taco__time_days_from_date(y, (int32_t)m, (int32_t)d) : 0;
    if (ok && *out > -INT32_MAX && *out < INT32_MAX) { return true; }
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "no such date: %d-%d-%d", y, m, d);
    return false;
}

/* Names of days, from Sunday, and of months, from 1. */
TACO__FN const char *taco__func_day_name(int64_t day)
{
    static const char *const names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
    return names[day];
}

TACO__FN const char *taco__func_month_name(int64_t month)
{
    static const char *const names[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
    return names[month - 1];
}

/* Row i of a call of a date function. The part that it takes was found when it was bound. */
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i)
{
    const int *part = (const int *)x->plan;
    int64_t day, us;
    taco__time_civil c;
    if (x->id == TACO__FUNC_MAKE_DATE) { return taco__func_date_make(x, i); }
    if (x->id == TACO__FUNC_DATE_DIFF || x->id == TACO__FUNC_DATE_SUB) {
        return taco__func_date_between(x, i);
    }
    if (taco__func_date_is_infinite(x, x->n - 1, i)) {
        if (x->id != TACO__FUNC_TRUNC_DATE) { return taco__func_set_null(x, i); }
        x->out->v.i[i] = TACO__FUNC_ARG_INT(1) < 0 ? -INT64_MAX : INT64_MAX;
        return true;
    }
    taco__func_date_split(&x->a[x->n - 1], i, &day, &us);
    switch (x->id) {
    case TACO__FUNC_PART:
        if (*part == TACO__DATE_PART_EPOCH) {
            x->out->v.f[i] = taco__func_date_epoch(x->a[1].type->t.utc, day, us);
        } else if (*part == TACO__DATE_PART_JULIAN) {
            x->out->v.f[i] = (double)us / 86400e6 + (double)(day + 2440588);
        } else if (*part == TACO__DATE_PART_EPOCH_US && (day < -106751991 || day > 106751990)) {
            return taco__func_number_fail_overflow(x);
        } else {
            x->out->v.i[i] = taco__func_date_extract(*part, day, us, x->a[x->n - 1].type->t.utc);
        }
        return true;
    case TACO__FUNC_EPOCH: /* divided once; days that are no timestamp would overflow */
        x->out->v.f[i] = !x->a[0].type->t.utc && day < 106751991 && day > -106751991
                             ? (double)(day * 86400000000LL + us) / 1e6
                             : taco__func_date_epoch(x->a[0].type->t.utc, day, us);
        return true;
    case TACO__FUNC_TRUNC_DATE:
        return taco__func_date_trunc(*part, day, us, x->a[x->n - 1].type->t.utc, &x->out->v.i[i]) ||
               taco__func_number_fail_overflow(x);
    case TACO__FUNC_LAST_DAY:
        c = taco__time_date_from_days(day);
        x->out->v.i[i] =
            taco__time_days_from_date(c.year, c.month, taco__time_days_in_month(c.year, c.month));
        return x->out->v.i[i] < INT32_MAX || taco__func_number_fail_overflow(x);
    case TACO__FUNC_DAYNAME:
        x->out->v.s[i] = taco__bytes_text(taco__func_day_name(taco__time_floor_mod(day + 4, 7)));
        return true;
    default: /* MONTHNAME */
        x->out->v.s[i] =
            taco__bytes_text(taco__func_month_name(taco__time_date_from_days(day).month));
        return true;
    }
}

/* DATE plus and minus days: an error where the sum is no DATE, or one of the ends that stand
   for infinity. An infinite date stays what it is. */
TACO__FN bool taco__func_date_add_days(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t day, more;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        day = TACO__FUNC_ARG_INT(0);
        more = TACO__FUNC_ARG_INT(1); /* an INTEGER: the sum cannot overflow */
        if (!taco__func_date_is_infinite(x, 0, i)) {
            day += x->id == TACO__FUNC_SUB ? -more : more;
            if (day <= -INT32_MAX || day >= INT32_MAX) {
                return taco__func_number_fail_overflow(x);
            }
        }
        x->out->v.i[i] = day;
    }
    return true;
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
        if (taco__func_date_is_infinite(x, 0, i)) {
            x->out->v.i[i] = TACO__FUNC_ARG_INT(0) < 0 ? -INT64_MAX : INT64_MAX;
            continue;
        }
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
        if (!taco__i256_is_i64(&big) || (int64_t)big.w[0] < TACO__TIME_FIRST_MICROS ||
            (int64_t)big.w[0] == INT64_MAX) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = (int64_t)big.w[0];
    }
    return true;
}
/* ==== src/sql/func_strftime.c ==== */
/* func_strftime.c - strftime: instants to text by a format; the clock, and instants of numbers

   The specifiers are DuckDB's: %Y %m %d %H %M %S and others, with %-d for numbers without leading
   zeros, %f microseconds, %g milliseconds, %n nanoseconds. func_strptime.c reads such texts.

   Example: strftime(DATE '2024-02-29', '%a %-d.%-m.%y') is Thu 29.2.24. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* An instant in its parts. */
typedef struct taco__strf_time {
    taco__time_civil date;
    int64_t day, nanos; /* since 1970; of the day */
    bool utc;
} taco__strf_time;

/* ---- to text ---- */

/* A number with `width` digits at least. */
static bool taco__strf_number(taco__buf *b, int64_t v, size_t width, taco_error *err)
{
    char text[32];
    size_t n = taco__num_format_i64(text, v), zeros = v >= 0 && width > n ? width - n : 0;
    for (; zeros; zeros--) {
        if (!taco__buf_append_char(b, '0', err)) { return false; }
    }
    return taco__buf_append(b, text, n, err);
}

/* Weeks of the year whose first day is `first` (0 Sunday, 1 Monday); days before it are week 0. */
static int64_t taco__strf_week(const taco__strf_time *t, int64_t first)
{
    int64_t yday = t->day - taco__time_days_from_date(t->date.year, 1, 1),
            wday = taco__time_floor_mod(t->day + 4 - first, 7);
    return (yday + 7 - wday) / 7;
}

static bool taco__strf_text(taco__buf *b, const taco__strf_time *t, const char *format,
                            taco_error *err);

/* One specifier; *known is set false for one that there is not:
     a A w u   name of the day, short and long; its number from Sunday 0, from Monday 1
     d j       day of the month, of the year
     b h B m   name of the month, short (both) and long; its number
     y Y G     year of the century, year, year of the ISO week
     U W V     week from the first Sunday, from the first Monday, of ISO 8601
     H I p     hour of the day, of the half day, AM or PM
     M S       minute, second
     g f n     milli-, micro- and nanoseconds
     z Z       offset and name of the zone: instants are shown in UTC
     c x X T %  date and time, date, time (twice), a percent sign
   plain: without zeros in front. */
static bool taco__strf_one(taco__buf *b, const taco__strf_time *t, char c, bool plain, bool *known,
                           taco_error *err)
{
    int64_t seconds = t->nanos / 1000000000, hour = seconds / 3600, h12 = (hour + 11) % 12 + 1,
            wday = taco__time_floor_mod(t->day + 4, 7), iso;
    size_t two = plain ? 0 : 2;
    if (plain && (!c || !strchr("dmyHIMSj", c))) {
        *known = false;
        return false;
    }
    switch (c) {
    case 'a': return taco__buf_append(b, taco__func_day_name(wday), 3, err);
    case 'A': return taco__buf_append_text(b, taco__func_day_name(wday), err);
    case 'w': return taco__strf_number(b, wday, 0, err);
    case 'u': return taco__strf_number(b, (wday + 6) % 7 + 1, 0, err);
    case 'd': return taco__strf_number(b, t->date.day, two, err);
    case 'b':
    case 'h': return taco__buf_append(b, taco__func_month_name(t->date.month), 3, err);
    case 'B': return taco__buf_append_text(b, taco__func_month_name(t->date.month), err);
    case 'm': return taco__strf_number(b, t->date.month, two, err);
    case 'y': /* of 44 BC, which is the year -43, 43 */
        return taco__strf_number(b, (t->date.year < 0 ? -t->date.year : t->date.year) % 100, two,
                                 err);
    case 'Y': return taco__strf_number(b, t->date.year, 4, err);
    case 'H': return taco__strf_number(b, hour, two, err);
    case 'I': return taco__strf_number(b, h12, two, err);
    case 'p': return taco__buf_append_text(b, hour < 12 ? "AM" : "PM", err);
    case 'M': return taco__strf_number(b, seconds / 60 % 60, two, err);
    case 'S': return taco__strf_number(b, seconds % 60, two, err);
    case 'f': return taco__strf_number(b, t->nanos % 1000000000 / 1000, 6, err);
    case 'g': return taco__strf_number(b, t->nanos % 1000000000 / 1000000, 3, err);
    case 'n': return taco__strf_number(b, t->nanos % 1000000000, 9, err);
    case 'z': return taco__buf_append_text(b, "+00", err);
    case 'Z': return taco__buf_append_text(b, t->utc ? "UTC" : "", err);
    case 'j':
        iso = t->day - taco__time_days_from_date(t->date.year, 1, 1) + 1;
        return taco__strf_number(b, iso, plain ? 0 : 3, err);
    case 'U': return taco__strf_number(b, taco__strf_week(t, 0), 2, err);
    case 'W': return taco__strf_number(b, taco__strf_week(t, 1), 2, err);
    case 'V': return taco__strf_number(b, taco__func_date_iso_week(t->day, &iso), 2, err);
    case 'G': taco__func_date_iso_week(t->day, &iso); return taco__strf_number(b, iso, 4, err);
    case 'c': return taco__strf_text(b, t, "%Y-%m-%d %H:%M:%S", err);
    case 'x': return taco__strf_text(b, t, "%Y-%m-%d", err);
    case 'T':
    case 'X': return taco__strf_text(b, t, "%H:%M:%S", err);
    case '%': return taco__buf_append_char(b, '%', err);
    default: *known = false; return false;
    }
}

/* A format of our own, without specifiers that could be unknown. */
static bool taco__strf_text(taco__buf *b, const taco__strf_time *t, const char *format,
                            taco_error *err)
{
    bool known = true, ok = true;
    for (; ok && *format; format++) {
        ok = *format == '%' ? taco__strf_one(b, t, *++format, false, &known, err)
                            : taco__buf_append_char(b, *format, err);
    }
    return ok;
}

/* A SYNTAX error: the format is the query's. */
TACO__FN TACO__COLD bool taco__func_strftime_fail(taco_bytes format, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "an unknown specifier in the format %q",
               &format);
    return false;
}

/* Row i of strftime, whose arguments DuckDB takes in either order. */
static bool taco__strf_row(taco__func_call *x, size_t i, taco__buf *b)
{
    bool swapped = x->a[0].type->t.id == TACO_TEXT;
    const taco__vec *v = &x->a[swapped ? 1 : 0];
    taco_bytes format = swapped ? TACO__FUNC_ARG_TEXT(0) : TACO__FUNC_ARG_TEXT(1);
    taco__strf_time t;
    int64_t value = v->v.i[i * v->step], per;
    size_t k;
    b->len = 0;
    if (taco__sql_type_is_infinite(v->type, value)) {
        return taco__buf_append_text(b, value < 0 ? "-infinity" : "infinity", x->err);
    }
    memset(&t, 0, sizeof t);
    t.utc = v->type->t.utc;
    if (v->type->t.id == TACO_DATE) {
        t.day = value;
    } else {
        per = (int64_t)taco__time_units_per_second(v->type->t.unit);
        t.day = taco__time_floor_div(value, per * 86400);
        t.nanos = taco__time_floor_mod(value, per * 86400) * (1000000000 / per);
    }
    t.date = taco__time_date_from_days(t.day);
    for (k = 0; k < format.len; k++) {
        bool known = true, plain;
        if (format.data[k] != '%') {
            if (!taco__buf_append_char(b, (char)format.data[k], x->err)) { return false; }
            continue;
        }
        plain = k + 1 < format.len && format.data[k + 1] == '-';
        k += plain ? 2U : 1U;
        if (!taco__strf_one(b, &t, k < format.len ? (char)format.data[k] : 0, plain, &known,
                            x->err)) {
            return known ? false : taco__func_strftime_fail(format, x->err);
        }
    }
    return true;
}

/* Runs strftime, strptime or try_strptime. */
TACO__FN bool taco__func_strftime_run(taco__func_call *x)
{
    taco__buf b;
    size_t i;
    bool ok = true, out = x->id == TACO__FUNC_STRFTIME;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        ok = out ? taco__strf_row(x, i, &b) &&
                       taco__func_set_text(x, i, taco__bytes_of(b.data, b.len))
                 : taco__func_strptime_row(x, i);
    }
    taco__buf_free(&b);
    return ok;
}

/* Binds strftime (an instant and a format, in either order), strptime and try_strptime. */
TACO__FN bool taco__func_strftime_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT),
                   when = taco__sql_type_simple(TACO_TIMESTAMP);
    uint32_t k, time = 0;
    if (e->func != TACO__FUNC_STRFTIME) { return taco__func_strptime_bind(b, e); }
    e->type = text;
    if (taco__sql_type_is_datetime(&e->kid[1]->type)) { time = 1; }
    for (k = 0; k < 2; k++) {
        taco__sql_type *t = &e->kid[k]->type;
        if (k == time ? !taco__sql_type_is_datetime(t) && t->t.id != TACO_NULL
                      : t->t.id != TACO_TEXT && t->t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, t, &when,
                                                 "strftime takes a time and a format, not");
        }
        if (t->t.id == TACO_NULL &&
            !taco__bind_type_add_cast(b, &e->kid[k], k == time ? &when : &text)) {
            return false;
        }
    }
    return true;
}

/* ---- the clock, and instants of numbers ---- */

/* now(), current_date and their kin become constants when a query is bound, so that all rows and
   all of them have one time: that of the system, in UTC, to the second. *done where e was one. */
TACO__FN bool taco__func_clock_bind(taco__bind *b, taco__sql_expr *e, bool *done)
{
    static const struct {
        const char *name;
        uint8_t type; /* 0 an instant, 1 a TIMESTAMP, 2 a DATE */
    } clocks[] = {{"now", 0},
                  {"current_timestamp", 0},
                  {"get_current_timestamp", 0},
                  {"transaction_timestamp", 0},
                  {"localtimestamp", 1},
                  {"current_localtimestamp", 1},
                  {"current_date", 2},
                  {"today", 2}};

    size_t i;
    *done = false;
    if (e->n || e->infix) { return true; }
    for (i = 0; i < TACO__COUNT(clocks) && !taco__ascii_is_word(e->name, clocks[i].name); i++) {}
    if (i == TACO__COUNT(clocks)) { return true; }
    if (!b->now) { b->now = taco__plat_now(); }
    *done = true;
    e->kind = TACO__SQL_EXPR_CONST;
    e->type = taco__sql_type_simple(clocks[i].type == 2 ? TACO_DATE : TACO_TIMESTAMP);
    e->type.t.utc = clocks[i].type == 0;
    e->value = taco__scalar_make_int(
        e->type.t.id, clocks[i].type == 2 ? taco__time_floor_div(b->now, 86400) : b->now * 1000000);
    e->value.type = e->type.t;
    return true;
}

/* The microsecond of a day of a clock's hands; false where there is no such time. 24:00:00 is the
   end of a day. */
static bool taco__strf_clock(int64_t hour, int64_t minute, double second, int64_t *out)
{
    int64_t us = second >= 0 && second < 61 ? (int64_t)(second * 1e6 + 0.5) : -1;
    *out = (hour * 60 + minute) * 60000000 + us;
    return hour >= 0 && hour <= 24 && minute >= 0 && minute < 60 && us >= 0 && us < 60000000 &&
           *out <= INT64_C(86400000000);
}

/* Row i of make_timestamp, make_time, the functions of an epoch, and julian. */
TACO__FN bool taco__func_instant_row(taco__func_call *x, size_t i)
{
    int64_t clock = 0, year, month, day, *out = &x->out->v.i[i], per;
    double seconds;
    char unit = x->plan ? *(const char *)x->plan : 0;
    bool ok;
    switch (x->id) {
    case TACO__FUNC_FROM_EPOCH:
        if (unit == 's') {
            seconds = TACO__FUNC_ARG_DOUBLE(0) * 1e6;
            ok = seconds > -9e18 && seconds < 9e18;
            *out = ok ? (int64_t)(seconds < 0 ? seconds - 0.5 : seconds + 0.5) : 0;
            return ok || taco__func_number_fail_overflow(x);
        }
        *out = TACO__FUNC_ARG_INT(0);
        if (unit != 'm') { return true; }
        ok = *out < INT64_MAX / 1000 && *out > INT64_MIN / 1000;
        *out = ok ? *out * 1000 : 0;
        return ok || taco__func_number_fail_overflow(x);
    case TACO__FUNC_JULIAN:
        day = TACO__FUNC_ARG_INT(0);
        if (x->a[0].type->t.id == TACO_DATE) {
            x->out->v.f[i] = (double)(day + 2440588);
            return true;
        }
        per = (int64_t)taco__time_units_per_second(x->a[0].type->t.unit) * 86400;
        x->out->v.f[i] = (double)(taco__time_floor_div(day, per) + 2440588) +
                         (double)taco__time_floor_mod(day, per) / (double)per;
        return true;
    case TACO__FUNC_MAKE_TIME:
        ok = taco__strf_clock(TACO__FUNC_ARG_INT(0), TACO__FUNC_ARG_INT(1),
                              TACO__FUNC_ARG_DOUBLE(2), out);
        break;
    default:
        year = TACO__FUNC_ARG_INT(0);
        month = TACO__FUNC_ARG_INT(1);
        day = TACO__FUNC_ARG_INT(2);
        ok = year > -290000 && year < 294000 && month >= 1 && month <= 12 && day >= 1 &&
             day <= taco__time_days_in_month(year, (int32_t)month) &&
             taco__strf_clock(TACO__FUNC_ARG_INT(3), TACO__FUNC_ARG_INT(4),
                              TACO__FUNC_ARG_DOUBLE(5), &clock);
        *out =
            ok ? taco__time_days_from_date(year, (int32_t)month, (int32_t)day) * 86400000000 + clock
               : 0;
        break;
    }
    if (!ok) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: there is no such time", x->name);
    }
    return ok;
}
/* ==== src/sql/func_strptime.c ==== */
/* func_strptime.c - strptime and try_strptime: instants of texts by a format

   The specifiers are those of func_strftime.c. A text may have spaces in front and at the end, and
   numbers with fewer digits than the format would write; it may be infinity, -infinity or epoch.

   Which specifiers decide on the day is DuckDB's: %d and %m before all others; else the first of
   the year's (%Y, %y), the week's (%U or %W with %w), the day of the year (%j) and those of ISO
   8601 (%G, %V, %u) that can; two that contradict each other are an error.

   Examples: strptime('29/Feb/2024', '%d/%b/%Y') is midnight of that day, strptime('30/Feb/2024',
   '%d/%b/%Y') an error, and null for try_strptime. A format with %z or %Z makes it a TIMESTAMP WITH
   TIME ZONE, %n a TIMESTAMP_NS. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* By which parts the day is found. */
typedef enum taco__strp_day {
    TACO__STRP_NONE = 0, /* 1900-01-01 */
    TACO__STRP_YEAR,
    TACO__STRP_DATE,
    TACO__STRP_SUNDAYS, /* week from the first Sunday */
    TACO__STRP_MONDAYS,
    TACO__STRP_DAY_OF_YEAR,
    TACO__STRP_ISO
} taco__strp_day;

/* What was read so far; -1: not there. */
typedef struct taco__strp {
    taco_bytes s;
    size_t at;
    taco__strp_day by;
    int64_t year, month, day, hour, minute, second, nanos, offset; /* offset in seconds */
    int64_t day_of_year, week, weekday;
    int64_t iso_year, iso_week, iso_weekday;
    uint8_t half;    /* 'a', 'p' or 0 */
    taco_bytes zone; /* its name */
    bool has_offset;
} taco__strp;

/* The next byte; 0 at the end. */
static uint8_t taco__strp_peek(const taco__strp *p)
{
    return p->at < p->s.len ? p->s.data[p->at] : 0;
}

/* Steps over white space. */
static void taco__strp_spaces(taco__strp *p)
{
    while (p->at < p->s.len && taco__ascii_is_space(p->s.data[p->at])) {
        p->at++;
    }
}

/* Up to `most` digits, a number from lo to hi. */
static bool taco__strp_number(taco__strp *p, size_t most, int64_t lo, int64_t hi, int64_t *out)
{
    size_t begin = p->at;
    *out = 0;
    while (p->at - begin < most && taco__lex_is_digit(taco__strp_peek(p))) {
        *out = *out * 10 + (p->s.data[p->at++] - '0');
    }
    return p->at > begin && *out >= lo && *out <= hi;
}

/* The name, or its first three letters, in any case. */
static bool taco__strp_word(taco__strp *p, const char *name, bool short_form)
{
    size_t len = short_form ? 3 : strlen(name), k;
    if (p->s.len - p->at < len) { return false; }
    for (k = 0; k < len; k++) {
        if (taco__ascii_lower(p->s.data[p->at + k]) != taco__ascii_lower((uint8_t)name[k])) {
            return false;
        }
    }
    p->at += len;
    return true;
}

/* The name of a day, which decides nothing. */
static bool taco__strp_day_name(taco__strp *p, bool short_form)
{
    int64_t i;
    for (i = 0; i < 7; i++) {
        if (taco__strp_word(p, taco__func_day_name(i), short_form)) { return true; }
    }
    return false;
}

/* The name of a month. */
static bool taco__strp_month_name(taco__strp *p, bool short_form)
{
    int64_t i;
    for (i = 1; i <= 12; i++) {
        if (taco__strp_word(p, taco__func_month_name(i), short_form)) {
            p->month = i;
            return true;
        }
    }
    return false;
}

/* A fraction of `digits` digits: fewer count as its first ones. */
static bool taco__strp_fraction(taco__strp *p, size_t digits)
{
    size_t begin = p->at, n;
    int64_t v;
    if (!taco__strp_number(p, digits, 0, INT64_MAX, &v)) { return false; }
    for (n = p->at - begin; n < 9; n++) {
        v *= 10;
    }
    p->nanos = v;
    return true;
}

/* Two digits, if they are next. */
static bool taco__strp_two(taco__strp *p, int64_t *out)
{
    if (p->s.len - p->at < 2 || !taco__lex_is_digit(p->s.data[p->at]) ||
        !taco__lex_is_digit(p->s.data[p->at + 1])) {
        return false;
    }
    return taco__strp_number(p, 2, 0, 99, out);
}

/* +HH, +HHMM, +HH:MM or +HH:MM:SS. */
static bool taco__strp_offset(taco__strp *p)
{
    int64_t hours, minutes = 0, seconds = 0;
    uint8_t sign = taco__strp_peek(p);
    bool colon;
    if (sign != '+' && sign != '-') { return false; }
    p->at++;
    if (!taco__strp_two(p, &hours)) { return false; }
    colon = taco__strp_peek(p) == ':';
    p->at += colon;
    if (taco__strp_two(p, &minutes) && colon && taco__strp_peek(p) == ':') {
        p->at++;
        if (!taco__strp_two(p, &seconds)) { seconds = 0; }
    }
    p->offset = ((hours * 60 + minutes) * 60 + seconds) * (sign == '-' ? -1 : 1);
    p->has_offset = true;
    return true;
}

/* A zone's name. */
static bool taco__strp_zone(taco__strp *p)
{
    size_t begin;
    uint8_t c;
    taco__strp_spaces(p);
    begin = p->at;
    for (c = taco__strp_peek(p); c; c = taco__strp_peek(p)) {
        if (!(taco__lex_is_letter(c) && c < 0x80) && !taco__lex_is_digit(c) && !strchr("/+-", c)) {
            break;
        }
        p->at++;
    }
    p->zone = taco__bytes_of(p->s.data + begin, p->at - begin);
    return p->at > begin;
}

/* AM or PM. */
static bool taco__strp_half(taco__strp *p)
{
    if (p->s.len - p->at < 2 || (p->s.data[p->at + 1] | 0x20) != 'm') { return false; }
    p->half = (uint8_t)(p->s.data[p->at] | 0x20);
    p->at += 2;
    return p->half == 'a' || p->half == 'p';
}

/* A week or the day of a year: after a month or a day it is only looked at, and one is enough. */
static bool taco__strp_claim(taco__strp *p, taco__strp_day by)
{
    if (p->by == TACO__STRP_DATE) { return true; }
    if (p->by != TACO__STRP_NONE && p->by != TACO__STRP_YEAR) { return false; }
    p->by = by;
    return true;
}

/* %G and %V: a year that is not of ISO 8601 goes before %G, and excludes %V. */
static bool taco__strp_claim_iso(taco__strp *p, bool week)
{
    if (p->by == TACO__STRP_DATE || (p->by == TACO__STRP_YEAR && !week)) { return true; }
    if (p->by == TACO__STRP_NONE) {
        p->by = TACO__STRP_ISO;
        return true;
    }
    return p->by == TACO__STRP_ISO && (week ? p->iso_week : p->iso_year) < 0;
}

/* A year: before those of ISO 8601. */
static bool taco__strp_year(taco__strp *p, bool century)
{
    int64_t v;
    if (!taco__strp_number(p, century ? 4 : 2, 0, 9999, &v)) { return false; }
    p->year = century ? v : v < 69 ? 2000 + v : 1900 + v;
    if (p->by == TACO__STRP_NONE || p->by == TACO__STRP_ISO) { p->by = TACO__STRP_YEAR; }
    return true;
}

static bool taco__strp_text(taco__strp *p, taco_bytes format);

/* One specifier. */
static bool taco__strp_one(taco__strp *p, char c)
{
    switch (c) {
    case 'a':
    case 'A': return taco__strp_day_name(p, c == 'a');
    case 'b':
    case 'h':
    case 'B': return taco__strp_month_name(p, c != 'B');
    case 'd': p->by = TACO__STRP_DATE; return taco__strp_number(p, 2, 1, 31, &p->day);
    case 'm': p->by = TACO__STRP_DATE; return taco__strp_number(p, 2, 1, 12, &p->month);
    case 'y':
    case 'Y': return taco__strp_year(p, c == 'Y');
    case 'H': return taco__strp_number(p, 2, 0, 23, &p->hour);
    case 'I': return taco__strp_number(p, 2, 1, 12, &p->hour);
    case 'p': return taco__strp_half(p);
    case 'M': return taco__strp_number(p, 2, 0, 59, &p->minute);
    case 'S': return taco__strp_number(p, 2, 0, 59, &p->second);
    case 'f': return taco__strp_fraction(p, 6);
    case 'g': return taco__strp_fraction(p, 3);
    case 'n': return taco__strp_fraction(p, 9);
    case 'j':
        return taco__strp_claim(p, TACO__STRP_DAY_OF_YEAR) &&
               taco__strp_number(p, 3, 1, 366, &p->day_of_year);
    case 'U':
    case 'W':
        return taco__strp_claim(p, c == 'U' ? TACO__STRP_SUNDAYS : TACO__STRP_MONDAYS) &&
               taco__strp_number(p, 2, 0, 53, &p->week);
    case 'w': return taco__strp_number(p, 1, 0, 6, &p->weekday);
    case 'G':
        return taco__strp_claim_iso(p, false) && taco__strp_number(p, 4, 0, 9999, &p->iso_year);
    case 'V': return taco__strp_claim_iso(p, true) && taco__strp_number(p, 2, 1, 53, &p->iso_week);
    case 'u': return p->iso_weekday < 0 && taco__strp_number(p, 1, 1, 7, &p->iso_weekday);
    case 'z': return taco__strp_offset(p);
    case 'Z': return taco__strp_zone(p);
    case 'c': return taco__strp_text(p, taco__bytes_text("%Y-%m-%d %H:%M:%S"));
    case 'x': return taco__strp_text(p, taco__bytes_text("%Y-%m-%d"));
    case 'X':
    case 'T': return taco__strp_text(p, taco__bytes_text("%H:%M:%S"));
    default: return c && taco__strp_peek(p) == (uint8_t)c && ++p->at; /* %% */
    }
}

/* The text of a format: a run of spaces meets one of any length. */
static bool taco__strp_text(taco__strp *p, taco_bytes format)
{
    size_t k;
    for (k = 0; k < format.len; k++) {
        uint8_t c = format.data[k];
        if (c == '%') {
            k += k + 1 < format.len && format.data[k + 1] == '-' ? 2U : 1U;
            if (!taco__strp_one(p, k < format.len ? (char)format.data[k] : 0)) { return false; }
        } else if (taco__ascii_is_space(c)) {
            if (k && taco__ascii_is_space(format.data[k - 1])) { continue; }
            if (!taco__ascii_is_space(taco__strp_peek(p))) { return false; }
            taco__strp_spaces(p);
        } else if (p->at >= p->s.len || p->s.data[p->at++] != c) {
            return false;
        }
    }
    return true;
}

/* Days since 1970 of what was read; false where there is no such day. */
static bool taco__strp_date(const taco__strp *p, int64_t *day)
{
    int64_t first;
    switch (p->by) {
    case TACO__STRP_ISO: /* Monday of the week that holds January 4th is that of week 1 */
        first = taco__time_days_from_date(p->iso_year < 0 ? 1900 : p->iso_year, 1, 4);
        first -= taco__time_floor_mod(first + 3, 7);
        *day = first + (TACO__MAX(p->iso_week, (int64_t)1) - 1) * 7 +
               TACO__MAX(p->iso_weekday, (int64_t)1) - 1;
        return true;
    case TACO__STRP_SUNDAYS:
    case TACO__STRP_MONDAYS: /* week 1 begins with the first Sunday or Monday */
        first = taco__time_days_from_date(p->year, 1, 1);
        first += taco__time_floor_mod((p->by == TACO__STRP_SUNDAYS ? 3 : 4) - first, 7);
        *day = first + (p->week - 1) * 7;
        if (p->weekday >= 0) {
            *day += p->by == TACO__STRP_SUNDAYS ? p->weekday : (p->weekday + 6) % 7;
        }
        return true;
    case TACO__STRP_DAY_OF_YEAR:
        *day = taco__time_days_from_date(p->year, 1, 1) + p->day_of_year - 1;
        return true;
    default:
        if (p->day > taco__time_days_in_month(p->year, (int32_t)p->month)) { return false; }
        *day = taco__time_days_from_date(p->year, (int32_t)p->month, (int32_t)p->day);
        return true;
    }
}

/* infinity, -infinity and epoch, in any case, in place of what the format asks; *bad where more
   than spaces follows. */
static bool taco__strp_special(taco__strp *p, int64_t *out, bool *bad)
{
    if (taco__strp_word(p, "infinity", false)) {
        *out = INT64_MAX;
    } else if (taco__strp_word(p, "-infinity", false)) {
        *out = -INT64_MAX;
    } else if (taco__strp_word(p, "epoch", false)) {
        *out = 0;
    } else {
        return false;
    }
    taco__strp_spaces(p);
    *bad = p->at < p->s.len;
    return true;
}

/* What was read as microseconds or nanoseconds since 1970; false where there is no such time. */
static bool taco__strp_instant(taco__strp *p, bool nanos, int64_t *out)
{
    int64_t day, seconds;
    if (p->half) { /* 12 AM is midnight, 12 PM noon */
        if (p->hour > 12) { return false; }
        p->hour = p->hour % 12 + (p->half == 'p' ? 12 : 0);
    }
    if (!taco__strp_date(p, &day)) { return false; }
    seconds = ((day * 24 + p->hour) * 60 + p->minute) * 60 + p->second - p->offset;
    if (!nanos) {
        *out = seconds * 1000000 + (p->nanos + 500) / 1000;
        return true;
    }
    if (seconds <= -INT64_C(9223372036) || seconds >= INT64_C(9223372036)) { return false; }
    *out = seconds * 1000000000 + p->nanos;
    return true;
}

/* Zones that are UTC by another name. */
static bool taco__strp_is_utc(taco_bytes zone)
{
    static const char *const names[] = {"utc", "gmt", "etc/utc", "etc/gmt", "uct", "zulu", "z"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names) && !taco__ascii_is_word(zone, names[i]); i++) {}
    return i < TACO__COUNT(names);
}

/* Reads a text by a format. False where it is not of it, with the error set only for a zone that
   is not known here. */
static bool taco__strp_parse(taco_bytes s, taco_bytes format, bool nanos, int64_t *out,
                             taco_error *err)
{
    taco__strp p;
    bool bad;
    memset(&p, 0, sizeof p);
    p.s = s;
    p.year = 1900;
    p.month = p.day = 1;
    p.weekday = p.iso_year = p.iso_week = p.iso_weekday = -1;
    taco__strp_spaces(&p);
    if (taco__strp_special(&p, out, &bad)) { return !bad; }
    if (!taco__strp_text(&p, format)) { return false; }
    taco__strp_spaces(&p);
    if (p.at < s.len || !taco__strp_instant(&p, nanos, out)) { return false; }
    if (!p.zone.len || p.has_offset || taco__strp_is_utc(p.zone)) { return true; }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "strptime: the time zone %q is not known here, but UTC is; " TACO__SQL_USE_DUCKDB,
               &p.zone);
    return false;
}

/* Whether all specifiers are known; else a SYNTAX error. */
static bool taco__strp_check(taco_bytes format, taco_error *err)
{
    size_t k;
    for (k = 0; k < format.len; k++) {
        bool plain;
        if (format.data[k] != '%') { continue; }
        plain = k + 1 < format.len && format.data[k + 1] == '-';
        k += plain ? 2U : 1U;
        if (k >= format.len || !format.data[k] ||
            !strchr(plain ? "dmyHIMSj" : "aAbhBdmyYHIpMSfgnjUWwGVuzZcxXT%", format.data[k])) {
            return taco__func_strftime_fail(format, err);
        }
    }
    return true;
}

/* Row i of strptime and try_strptime: the first of the formats that fits. */
TACO__FN bool taco__func_strptime_row(taco__func_call *x, size_t i)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    const taco__vec *v = &x->a[1];
    bool list = v->type->t.id == TACO_LIST, nanos = x->out->type->t.unit == TACO_NANO;
    taco__sql_list_span span;
    size_t k;
    span.at = 0;
    span.len = 1;
    if (list) { span = v->v.l[i * v->step]; }
    for (k = 0; k < span.len; k++) {
        taco_bytes format = list ? v->kids[0].v.s[span.at + k] : TACO__FUNC_ARG_TEXT(1);
        if (list && !taco__vec_is_valid(&v->kids[0], span.at + k)) { continue; }
        if (!taco__strp_check(format, x->err)) { return false; }
        if (taco__strp_parse(s, format, nanos, &x->out->v.i[i], x->err)) { return true; }
        if (x->err && x->err->code != TACO_OK) { return false; }
    }
    if (x->id == TACO__FUNC_TRY_STRPTIME) { return taco__func_set_null(x, i); }
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "strptime: %q is not of that format", &s);
    return false;
}

/* Whether the format, or one of a list of constants, has one of the specifiers. */
static bool taco__strp_has(const taco__sql_expr *e, const char *specifiers)
{
    size_t k;
    if (e->kind == TACO__SQL_EXPR_CALL || e->kind == TACO__SQL_EXPR_CAST) {
        for (k = 0; k < e->n; k++) {
            if (taco__strp_has(e->kid[k], specifiers)) { return true; }
        }
        return false;
    }
    if (e->kind != TACO__SQL_EXPR_CONST || e->value.type.id != TACO_TEXT) { return false; }
    for (k = 0; k + 1 < e->value.b.len; k++) {
        if (e->value.b.data[k] != '%') { continue; }
        if (e->value.b.data[++k] && strchr(specifiers, e->value.b.data[k])) { return true; }
    }
    return false;
}

/* Binds a text, and a format or a list of them, which say what kind of an instant comes out. */
TACO__FN bool taco__func_strptime_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT), texts;
    e->type = taco__sql_type_simple(TACO_TIMESTAMP);
    e->type.t.utc = taco__strp_has(e->kid[1], "zZ");
    if (!e->type.t.utc && taco__strp_has(e->kid[1], "n")) { e->type.t.unit = TACO_NANO; }
    if (!taco__bind_type_add_cast(b, &e->kid[0], &text)) { return false; }
    if (e->kid[1]->type.t.id != TACO_LIST) {
        return taco__bind_type_add_cast(b, &e->kid[1], &text);
    }
    return taco__bind_list_of(b, &text, &texts) && taco__bind_type_add_cast(b, &e->kid[1], &texts);
}
/* ==== src/sql/func_list.c ==== */
/* func_list.c - functions of lists: length, search, elements, slices

   Indices are SQL's: 1 is the first element, -1 the last. An element outside is null, a slice
   outside is empty. Elements and slices of texts (text[1:3]) are here too.

   Example: with l = [10, 20, 30], l[1] is 10, l[-1] is 30, l[4] is NULL, l[2:3] is [20, 30]. */
/* #include "sql.h" */
/* #include "functions.h" */
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
/* ==== src/sql/func_list_make.c ==== */
/* func_list_make.c - functions that make lists, structs and maps of others

   A new list is a choice of elements of a pile: taco__func_list_out collects, row by row, which of
   them a list has, and takes them out of the pile at the end. Where several operands give elements
   the pile holds those of all of them, one operand after the other.

   Example: list_concat([1, 2], [3]) has the pile 1, 2, 3 and chooses 0, 1, 2.

   Further: [1] || NULL is null and list_concat([1], NULL) is [1]; range(1, 7, 3) is [1, 4] and
   generate_series(1, 7, 3) is [1, 4, 7]; string_split('a,,b', ',') is [a, '', b], and with '' for
   the separator all characters. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* The most elements that one call makes of a batch: indices have 32 bits, memory is charged. */
#define TACO__FUNC_LIST_MAX ((size_t)1 << 30)

/* Starts the lists of a call; taco__func_list_finish or taco__func_list_drop ends it. */
TACO__FN void taco__func_list_begin(taco__func_call *x, taco__func_list_out *o)
{
    memset(o, 0, sizeof *o);
    o->x = x;
    o->picks.mem = x->arena->mem;
}

/* Appends element `at` of the pile, or a null for TACO__VEC_NONE, to the list at hand. */
TACO__FN bool taco__func_list_push(taco__func_list_out *o, uint32_t at)
{
    if (o->n == TACO__FUNC_LIST_MAX) { return taco__vec_fail_too_long(o->x->err); }
    o->n++;
    return taco__buf_append_inline(&o->picks, &at, sizeof at, o->x->err);
}

/* Room for n more elements, so that more than memory holds fail at once. */
TACO__FN bool taco__func_list_reserve(taco__func_list_out *o, uint64_t n)
{
    if (n > TACO__FUNC_LIST_MAX) { return taco__vec_fail_too_long(o->x->err); }
    return taco__buf_reserve(&o->picks, (size_t)n * sizeof(uint32_t), o->x->err);
}

/* Appends elements [at, at + len) of the pile. */
TACO__FN bool taco__func_list_push_span(taco__func_list_out *o, uint32_t at, uint32_t len)
{
    uint32_t k;
    for (k = 0; k < len; k++) {
        if (!taco__func_list_push(o, at + k)) { return false; }
    }
    return true;
}

/* What was pushed since the last list is the list of row i. */
TACO__FN void taco__func_list_end(taco__func_list_out *o, size_t i)
{
    taco__sql_list_span *s = &o->x->out->v.l[i];
    s->at = (uint32_t)o->begun;
    s->len = (uint32_t)(o->n - o->begun);
    o->begun = o->n;
}

/* Gives up. */
TACO__FN bool taco__func_list_drop(taco__func_list_out *o)
{
    taco__buf_free(&o->picks);
    return false;
}

/* Takes what was chosen out of the pile; the lists are complete then. */
TACO__FN bool taco__func_list_finish(taco__func_list_out *o, const taco__vec *pile)
{
    taco__func_call *x = o->x;
    uint32_t none = 0;
    const uint32_t *idx = o->n ? (const uint32_t *)(const void *)o->picks.data : &none;
    bool ok = taco__vec_take(x->arena, pile, idx, o->n, &x->out->kids[0], x->err);
    taco__buf_free(&o->picks);
    return ok;
}

/* A pile of the elements of all operands, lists and single values, of the element type t: *base
   gets, for each operand, where its elements begin. */
static bool taco__func_list_pile(taco__func_call *x, const taco__sql_type *t,
                                 taco__vec_builder *pile, uint32_t **base)
{
    uint32_t k;
    *base = (uint32_t *)taco__arena_array(x->arena, x->n + 1, sizeof **base, x->err);
    if (!*base || !taco__vec_builder_init(x->arena, t, pile, x->err)) { return false; }
    for (k = 0; k < x->n; k++) {
        taco__vec v = x->a[k];
        (*base)[k] = (uint32_t)pile->v.n;
        if (!taco__sql_type_equal(v.type, t) && v.type->t.id == TACO_LIST) { v = v.kids[0]; }
        if (!taco__sql_type_equal(v.type, t)) { continue; } /* a number of elements */
        if (!taco__vec_builder_append(x->arena, pile, &v, NULL,
                                      v.step ? v.n : TACO__MIN(v.n, (size_t)1), x->err)) {
            return false;
        }
    }
    return true;
}

/* [a, b, ...]: the values of each row, nulls too. */
static bool taco__func_list_value(taco__func_call *x)
{
    taco__vec_builder pile;
    taco__func_list_out o;
    uint32_t *base, k;
    size_t i;
    if (!taco__func_list_pile(x, &x->out->type->kids[0], &pile, &base)) { return false; }
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        for (k = 0; k < x->n; k++) {
            if (!taco__func_list_push(&o, base[k] + (uint32_t)(i * x->a[k].step))) {
                return taco__func_list_drop(&o);
            }
        }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, &pile.v);
}

/* list_concat, ||, list_append and list_prepend: a null list counts as an empty one, but for ||,
   which is null then. */
static bool taco__func_list_concat(taco__func_call *x)
{
    taco__vec_builder pile;
    taco__func_list_out o;
    uint32_t *base, k;
    size_t i;
    bool strict = x->name[0] == '|';
    if (!taco__func_list_pile(x, &x->out->type->kids[0], &pile, &base)) { return false; }
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        uint32_t nulls = 0;
        for (k = 0; k < x->n; k++) {
            const taco__vec *v = &x->a[k];
            bool single = (x->id == TACO__FUNC_LIST_APPEND && k == 1) ||
                          (x->id == TACO__FUNC_LIST_PREPEND && k == 0);
            bool ok = single ? taco__func_list_push(&o, base[k] + (uint32_t)(i * v->step)) : true;
            if (!single) {
                bool null = !taco__vec_is_valid(v, i);
                nulls += null;
                ok = null || taco__func_list_push_span(&o, base[k] + v->v.l[i * v->step].at,
                                                       v->v.l[i * v->step].len);
            }
            if (!ok) { return taco__func_list_drop(&o); }
        }
        if (strict && nulls && !taco__func_set_null(x, i)) { return taco__func_list_drop(&o); }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, &pile.v);
}

/* struct_pack: the operands are the fields. */
static bool taco__func_list_struct(taco__func_call *x)
{
    uint32_t k;
    for (k = 0; k < x->n; k++) {
        taco__vec v = x->a[k];
        v.n = x->out->n;
        if (!taco__vec_flatten(x->arena, &v, x->err)) { return false; }
        x->out->kids[k] = v;
    }
    return true;
}

/* How many numbers there are from `from` to `to`, which is not among them. */
static uint64_t taco__func_list_range_length(int64_t from, int64_t to, int64_t step)
{
    if (step > 0) {
        return to > from ? ((uint64_t)to - (uint64_t)from - 1) / (uint64_t)step + 1 : 0;
    }
    return step && to < from ? ((uint64_t)from - (uint64_t)to - 1) / (0 - (uint64_t)step) + 1 : 0;
}

/* range (without its end) and generate_series (with it): whole numbers, by a step; 0 makes none. */
static bool taco__func_list_range(taco__func_call *x)
{
    bool with_end = ((const char *)x->plan)[0] == 'g';
    taco__sql_type big = taco__sql_type_simple(TACO_INT64), *kept;
    taco__buf numbers;
    taco__vec pile;
    size_t i, n = 0;
    bool ok = true;
    memset(&numbers, 0, sizeof numbers);
    numbers.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        int64_t from, to, step, v;
        x->out->v.l[i].at = (uint32_t)n;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        from = x->n > 1 ? TACO__FUNC_ARG_INT(0) : 0;
        to = x->n > 1 ? TACO__FUNC_ARG_INT(1) : TACO__FUNC_ARG_INT(0);
        step = x->n > 2 ? TACO__FUNC_ARG_INT(2) : 1;
        v = from;
        ok = taco__func_list_range_length(from, to, step) <= TACO__FUNC_LIST_MAX
                 ? taco__buf_reserve(
                       &numbers, (size_t)taco__func_list_range_length(from, to, step) * sizeof v,
                       x->err)
                 : taco__vec_fail_too_long(x->err);
        while (ok && step && (step > 0 ? v < to : v > to)) {
            ok = (++n <= TACO__FUNC_LIST_MAX || taco__vec_fail_too_long(x->err)) &&
                 taco__buf_append_inline(&numbers, &v, sizeof v, x->err);
            if (!taco__func_number_add64(v, step, &v)) { break; }
        }
        if (ok && with_end && step && v == to) {
            ok = taco__buf_append_inline(&numbers, &v, sizeof v, x->err);
        }
        n = numbers.len / sizeof v;
        x->out->v.l[i].len = (uint32_t)n - x->out->v.l[i].at;
    }
    kept = ok ? (taco__sql_type *)taco__arena_alloc(x->arena, sizeof *kept, x->err) : NULL;
    if (kept) { *kept = big; }
    ok = kept && taco__vec_init(x->arena, kept, n, &pile, x->err);
    if (ok && n) { memcpy(pile.v.i, numbers.data, n * sizeof *pile.v.i); }
    if (ok) { x->out->kids[0] = pile; }
    taco__buf_free(&numbers);
    return ok;
}

/* string_split: the parts of a text between separators; an empty one separates all characters. */
static bool taco__func_list_split(taco__func_call *x)
{
    taco__vec_builder pile;
    size_t i;
    if (!taco__vec_builder_init(x->arena, &x->out->type->kids[0], &pile, x->err)) { return false; }
    for (i = 0; i < x->out->n; i++) {
        taco_bytes s, sep;
        size_t from = 0, to;
        x->out->v.l[i].at = (uint32_t)pile.v.n;
        if (!taco__vec_is_valid(&x->a[0], i)) {
            if (!taco__func_set_null(x, i)) { return false; }
            continue;
        }
        s = TACO__FUNC_ARG_TEXT(0);
        if (!taco__vec_is_valid(&x->a[1], i)) { /* nothing separates */
            if (!taco__func_list_push_text(x->arena, &pile, s, x->err)) { return false; }
            x->out->v.l[i].len = 1;
            continue;
        }
        sep = TACO__FUNC_ARG_TEXT(1);
        for (to = 0; to <= s.len; to++) {
            bool end = to == s.len, hit = false;
            size_t skip = sep.len;
            if (!end && sep.len) {
                to = taco__bytes_find(s, to, sep, false);
                hit = to != SIZE_MAX;
                to = hit ? to : s.len;
                end = !hit;
            } else if (!end) { /* after every character */
                to += taco__like_char_width(s, to) - 1;
                hit = to + 1 < s.len;
                skip = 0;
            }
            if (!end && !hit) { continue; }
            if (!taco__func_list_push_text(
                    x->arena, &pile,
                    taco__bytes_of(s.data + from, (end || skip ? to : to + 1) - from), x->err)) {
                return false;
            }
            from = skip ? to + skip : to + 1;
            to = skip ? from - 1 : to;
        }
        x->out->v.l[i].len = (uint32_t)pile.v.n - x->out->v.l[i].at;
    }
    x->out->kids[0] = pile.v;
    return true;
}

/* Appends a text to a column of texts. */
TACO__FN bool taco__func_list_push_text(taco__arena *arena, taco__vec_builder *pile, taco_bytes s,
                                        taco_error *err)
{
    taco__vec one;
    memset(&one, 0, sizeof one);
    one.type = pile->v.type;
    one.n = one.step = 1;
    one.v.s = &s;
    return taco__vec_builder_append(arena, pile, &one, NULL, 1, err);
}

/* array_to_string: the elements that are not null, with the separator between them, a comma for a
   null; null where there are elements and all are null. */
static bool taco__func_list_to_text(taco__func_call *x)
{
    taco__buf b;
    size_t i, k;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        taco__sql_list_span s = x->a[0].v.l[i * x->a[0].step];
        taco_bytes sep = TACO__FUNC_ARG_TEXT(1), one;
        bool any = false;
        if (!taco__vec_is_valid(&x->a[1], i)) { sep = taco__bytes_text(","); }
        b.len = 0;
        for (k = s.at; ok && taco__vec_is_valid(&x->a[0], i) && k < (size_t)s.at + s.len; k++) {
            if (!taco__vec_is_valid(&x->a[0].kids[0], k)) { continue; }
            one = x->a[0].kids[0].v.s[k];
            ok = (!any || taco__buf_append(&b, sep.data, sep.len, x->err)) &&
                 taco__buf_append(&b, one.data, one.len, x->err);
            any = true;
        }
        ok = ok && ((taco__vec_is_valid(&x->a[0], i) && (any || !s.len))
                        ? taco__func_set_text(x, i, taco__bytes_of(b.data, b.len))
                        : taco__func_set_null(x, i));
    }
    taco__buf_free(&b);
    return ok;
}

/* Copies a text into the arena, as the result of row i. */
TACO__FN bool taco__func_set_text(taco__func_call *x, size_t i, taco_bytes s)
{
    const char *copy = taco__arena_text(x->arena, s, x->err);
    x->out->v.s[i] = taco__bytes_of(copy, s.len);
    return copy != NULL;
}

/* Runs a function that puts lists together. */
TACO__FN bool taco__func_list_make(taco__func_call *x)
{
    switch (x->id) {
    case TACO__FUNC_LIST_VALUE: return taco__func_list_value(x);
    case TACO__FUNC_STRUCT_PACK: return taco__func_list_struct(x);
    case TACO__FUNC_RANGE: return taco__func_list_range(x);
    case TACO__FUNC_SPLIT: return taco__func_list_split(x);
    case TACO__FUNC_LIST_TO_TEXT: return taco__func_list_to_text(x);
    default: return taco__func_list_concat(x);
    }
}
/* ==== src/sql/func_list_parts.c ==== */
/* func_list_parts.c - functions that choose from lists and compare them: sorting, sets, maps

   Results are choices of the elements of the operand (func_list_make.c): nothing is copied before
   the end. Elements are compared as GROUP BY compares values; nulls belong to no set.

   Examples: list_sort([3, NULL, 1], 'DESC') is [3, 1, NULL]; list_grade_up([3, 1]) is [2, 1];
   list_where([1, 2, 3], [true, false, true]) is [1, 3]; list_resize([1], 3) is [1, NULL, NULL];
   MAP {'a': 1}['b'] is null, and map_extract(MAP {'a': 1}, 'b') the empty list. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* The span of a list operand in row i. */
static taco__sql_list_span taco__func_list_span(const taco__vec *v, size_t i)
{
    return v->v.l[i * v->step];
}

/* Whether a value, row j of w, is among the elements [at, at + len) of v; where it is in *found. */
static bool taco__func_list_find(const taco__vec *v, uint32_t at, uint32_t len, const taco__vec *w,
                                 size_t j, uint32_t *found)
{
    uint32_t k;
    bool null = !taco__vec_is_valid(w, j);
    for (k = at; k < at + len; k++) {
        bool valid = taco__vec_is_valid(v, k);
        if (null ? !valid : valid && taco__vec_compare(v, k, w, j) == 0) {
            *found = k - at;
            return true;
        }
    }
    return false;
}

/* How elements are sorted. */
typedef struct taco__func_list_order {
    const taco__vec *v;
    uint8_t flags;
} taco__func_list_order;

/* taco__sort calls it. */
static int taco__func_list_compare(const void *ctx, const void *a, const void *b)
{
    const taco__func_list_order *o = (const taco__func_list_order *)ctx;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return taco__vec_compare_sorted(o->v, i, j, o->flags);
}

/* Order of rows i and j of a vector under sort_flags of taco__sql_expr: nulls are last unless they
   are to be first, in both directions. */
TACO__FN int taco__vec_compare_sorted(const taco__vec *v, size_t i, size_t j, uint8_t flags)
{
    bool x = taco__vec_is_valid(v, i), y = taco__vec_is_valid(v, j);
    int c;
    if (!x || !y) { return flags & 2 ? (int)x - (int)y : (int)y - (int)x; }
    c = taco__vec_compare(v, i, v, j);
    return flags & 1 ? -c : c;
}

/* The elements of a list as sorted indices, in memory of the arena; NULL without memory. */
static uint32_t *taco__func_list_sorted(taco__func_call *x, const taco__vec *v,
                                        taco__sql_list_span s, uint8_t flags)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(x->arena, (size_t)s.len * 2 + 1, sizeof *idx,
                                                  x->err),
             k;
    taco__func_list_order o;
    o.v = v;
    o.flags = flags;
    for (k = 0; idx && k < s.len; k++) {
        idx[k] = s.at + k;
    }
    if (idx) { taco__sort(idx, idx + s.len, s.len, sizeof *idx, taco__func_list_compare, &o); }
    return idx;
}

/* One of each value of a list, without nulls, in the order of their first places: marks in
   keep[0..len), which is zeroed. Equal neighbours of a sorted list are found, so that long lists
   take no quadratic time. Returns how many. */
static uint32_t taco__func_list_mark_distinct(taco__func_call *x, const taco__vec *v,
                                              taco__sql_list_span s, uint8_t **keep)
{
    uint32_t *idx = taco__func_list_sorted(x, v, s, 0), k, n = 0;
    *keep = (uint8_t *)taco__arena_alloc(x->arena, (size_t)s.len + 1, x->err);
    if (!idx || !*keep) { return UINT32_MAX; }
    for (k = 0; k < s.len && taco__vec_is_valid(v, idx[k]); k++) {
        /* the sort is stable: the first of equal ones came first */
        bool first = !k || taco__vec_compare(v, idx[k - 1], v, idx[k]) != 0;
        (*keep)[idx[k] - s.at] = first;
        n += first;
    }
    return n;
}

/* Row i of list_sort, list_grade_up, list_distinct, list_reverse, list_intersect, the last of which
   is null of a null first list, and empty of a null second one. */
static bool taco__func_list_order_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    const taco__vec *v = &x->a[0].kids[0];
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    uint32_t *idx, k, found;
    uint8_t *keep;
    bool ok = true;
    if (x->id == TACO__FUNC_LIST_INTERSECT) {
        if (!taco__vec_is_valid(&x->a[0], i)) { return taco__func_set_null(x, i); }
        if (!taco__vec_is_valid(&x->a[1], i)) { return true; }
    }
    if (x->id == TACO__FUNC_LIST_REVERSE) {
        for (k = s.len; ok && k; k--) {
            ok = taco__func_list_push(o, s.at + k - 1);
        }
        return ok;
    }
    if (x->id == TACO__FUNC_LIST_SORT || x->id == TACO__FUNC_LIST_GRADE) {
        idx = taco__func_list_sorted(x, v, s, *(const uint8_t *)x->plan);
        for (k = 0; idx && ok && k < s.len; k++) {
            ok = taco__func_list_push(o, x->id == TACO__FUNC_LIST_SORT ? idx[k] : idx[k] - s.at);
        }
        return idx && ok;
    }
    if (taco__func_list_mark_distinct(x, v, s, &keep) == UINT32_MAX) { return false; }
    for (k = 0; ok && k < s.len; k++) {
        if (keep[k] && x->id == TACO__FUNC_LIST_INTERSECT) {
            taco__sql_list_span t = taco__func_list_span(&x->a[1], i);
            keep[k] = taco__func_list_find(&x->a[1].kids[0], t.at, t.len, v, s.at + k, &found);
        }
        ok = !keep[k] || taco__func_list_push(o, s.at + k);
    }
    return ok;
}

/* list_where(list, conditions), list_select(list, numbers): a null among them is an error. */
static bool taco__func_list_pick_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i),
                        t = taco__func_list_span(&x->a[1], i);
    const taco__vec *by = &x->a[1].kids[0];
    uint32_t k;
    for (k = 0; k < t.len; k++) {
        int64_t at = k;
        if (!taco__vec_is_valid(by, t.at + k)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: a null says which element",
                       x->name);
            return false;
        }
        if (x->id == TACO__FUNC_LIST_WHERE) {
            if (!by->v.i[t.at + k]) { continue; }
        } else {
            at = by->v.i[t.at + k];
            at = at > 0 ? at - 1 : -1; /* from 1, and not from the end */
        }
        if (!taco__func_list_push(o, at >= 0 && at < (int64_t)s.len ? s.at + (uint32_t)at
                                                                    : TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}

/* list_slice with a step: a negative one goes from the end to the beginning. */
static bool taco__func_list_step_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    int64_t n = s.len, from = TACO__FUNC_ARG_INT(1), to = TACO__FUNC_ARG_INT(2),
            step = x->n > 3 ? TACO__FUNC_ARG_INT(3) : 1;
    uint8_t open = x->plan ? *(const uint8_t *)x->plan : 0;
    if (!step) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "the step of a slice is 0");
        return false;
    }
    if (open & 1) { from = step < 0 ? n : 1; }
    if (open & 2) { to = step < 0 ? 1 : n; }
    if (step < 0) {
        int64_t swap = from;
        from = to;
        to = swap;
    }
    from = from < 0 ? TACO__MAX(n + from + 1, 1) : TACO__MAX(from, 1);
    to = TACO__MIN(to < 0 ? n + to + 1 : to, n);
    if (from > to) { return true; }
    if (step > 0) {
        for (; from <= to; from += TACO__MIN(step, n)) {
            if (!taco__func_list_push(o, s.at + (uint32_t)(from - 1))) { return false; }
        }
        return true;
    }
    for (; to >= from; to -= TACO__MIN(step < -n ? n : -step, n)) {
        if (!taco__func_list_push(o, s.at + (uint32_t)(to - 1))) { return false; }
    }
    return true;
}

/* flatten: the elements of the elements; nulls among the lists count as empty. */
static bool taco__func_list_flatten_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    const taco__vec *v = &x->a[0].kids[0];
    uint32_t k;
    for (k = s.at; k < s.at + s.len; k++) {
        taco__sql_list_span inner;
        if (!taco__vec_is_valid(v, k)) { continue; }
        inner = taco__func_list_span(v, k);
        if (!taco__func_list_push_span(o, inner.at, inner.len)) { return false; }
    }
    return true;
}

/* array_pop_back, array_pop_front, and repeat(list, n). */
static bool taco__func_list_copy_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    int64_t times;
    if (x->id == TACO__FUNC_LIST_POP) {
        bool back = ((const char *)x->plan)[0] == 'b';
        return !s.len || taco__func_list_push_span(o, s.at + (back ? 0U : 1U), s.len - 1);
    }
    times = s.len ? TACO__MAX(TACO__FUNC_ARG_INT(1), 0) : 0;
    if (!taco__func_list_reserve(o, times > UINT32_MAX ? UINT64_MAX : (uint64_t)times * s.len)) {
        return false;
    }
    for (; times > 0; times--) {
        if (!taco__func_list_push_span(o, s.at, s.len)) { return false; }
    }
    return true;
}

/* Row i of map_extract, map_keys, map_values, map_entries. */
static bool taco__func_list_map_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    uint32_t found;
    if (x->id != TACO__FUNC_MAP_EXTRACT) { return taco__func_list_push_span(o, s.at, s.len); }
    if (!taco__vec_is_valid(&x->a[0], i)) { return taco__func_set_null(x, i); }
    return !taco__vec_is_valid(&x->a[1], i) || /* no key is null */
           !taco__func_list_find(&x->a[0].kids[0].kids[0], s.at, s.len, &x->a[1], i, &found) ||
           taco__func_list_push(o, s.at + found);
}

/* Runs a function that chooses elements, row by row, and takes them out of the pile. */
static bool taco__func_list_choose(taco__func_call *x, const taco__vec *pile,
                                   bool (*row)(taco__func_call *, taco__func_list_out *, size_t))
{
    taco__func_list_out o;
    size_t i;
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !row(x, &o, i)) { return taco__func_list_drop(&o); }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, pile);
}

/* list_grade_up: the numbers that the sort gives, from 1, are the elements themselves. */
static bool taco__func_list_grade(taco__func_call *x)
{
    taco__vec numbers;
    size_t i, n = 0;
    for (i = 0; i < x->a[0].n; i++) {
        if (taco__vec_is_valid(&x->a[0], i)) {
            n = TACO__MAX(n, (size_t)taco__func_list_span(&x->a[0], i).len);
        }
    }
    if (!taco__vec_init(x->arena, &x->out->type->kids[0], n, &numbers, x->err)) { return false; }
    for (i = 0; i < n; i++) {
        numbers.v.i[i] = (int64_t)i + 1;
    }
    return taco__func_list_choose(x, &numbers, taco__func_list_order_row);
}

/* list_resize: the list cut, or filled up with a value. */
static bool taco__func_list_resize(taco__func_call *x)
{
    taco__vec_builder pile;
    taco__func_list_out o;
    size_t i;
    uint32_t fill;
    if (!taco__vec_builder_init(x->arena, &x->out->type->kids[0], &pile, x->err) ||
        !taco__vec_builder_append(x->arena, &pile, &x->a[0].kids[0], NULL, x->a[0].kids[0].n,
                                  x->err)) {
        return false;
    }
    fill = (uint32_t)pile.v.n;
    if (x->n > 2 && !taco__vec_builder_append(
                        x->arena, &pile, &x->a[2], NULL,
                        x->a[2].step ? x->a[2].n : TACO__MIN(x->a[2].n, (size_t)1), x->err)) {
        return false;
    }
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
        int64_t n = taco__vec_is_valid(&x->a[1], i) ? TACO__FUNC_ARG_INT(1) : 0, k;
        bool ok = true;
        if (!taco__vec_is_valid(&x->a[0], i)) {
            if (!taco__func_set_null(x, i)) { return taco__func_list_drop(&o); }
            n = 0;
        }
        if (n < 0) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a list of %d elements", TACO__D(n));
            return taco__func_list_drop(&o);
        }
        ok = taco__func_list_reserve(&o, (uint64_t)n);
        for (k = 0; ok && k < n; k++) {
            ok = taco__func_list_push(&o, k < (int64_t)s.len ? s.at + (uint32_t)k
                                          : x->n > 2         ? fill + (uint32_t)(i * x->a[2].step)
                                                             : TACO__VEC_NONE);
        }
        if (!ok) { return taco__func_list_drop(&o); }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, &pile.v);
}

/* Functions of lists whose result is one value: list_position, list_has_all, list_unique, ... */
static bool taco__func_list_value_row(taco__func_call *x, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i), t;
    const taco__vec *v = &x->a[0].kids[0];
    uint8_t *keep;
    uint32_t k, found, n;
    bool all = x->id == TACO__FUNC_LIST_HAS_ALL;
    switch (x->id) {
    case TACO__FUNC_LIST_UNIQUE:
        n = taco__func_list_mark_distinct(x, v, s, &keep);
        x->out->v.d[i] = taco__i256_from_u64(n);
        return n != UINT32_MAX;
    case TACO__FUNC_CARDINALITY: x->out->v.d[i] = taco__i256_from_u64(s.len); return true;
    case TACO__FUNC_LIST_POSITION:
        if (!taco__func_list_find(v, s.at, s.len, &x->a[1], i, &found)) {
            return taco__func_set_null(x, i);
        }
        x->out->v.i[i] = (int64_t)found + 1;
        return true;
    case TACO__FUNC_MAP_CONTAINS:
        x->out->v.i[i] = taco__func_list_find(&v->kids[0], s.at, s.len, &x->a[1], i, &found);
        return true;
    default: break;
    }
    t = taco__func_list_span(&x->a[1], i);
    x->out->v.i[i] = all;
    for (k = t.at; k < t.at + t.len; k++) {
        if (taco__vec_is_valid(&x->a[1].kids[0], k) &&
            taco__func_list_find(v, s.at, s.len, &x->a[1].kids[0], k, &found) != all) {
            x->out->v.i[i] = !all;
            return true;
        }
    }
    return true;
}

/* map[key], map_extract_value: the value of a key, or null. */
static bool taco__func_list_map_value(taco__func_call *x)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(x->arena, x->out->n, sizeof *idx, x->err), found;
    size_t i;
    for (i = 0; idx && i < x->out->n; i++) {
        taco__sql_list_span s;
        idx[i] = TACO__VEC_NONE;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = taco__func_list_span(&x->a[0], i);
        if (taco__func_list_find(&x->a[0].kids[0].kids[0], s.at, s.len, &x->a[1], i, &found)) {
            idx[i] = s.at + found;
        }
    }
    return idx &&
           taco__vec_take(x->arena, &x->a[0].kids[0].kids[1], idx, x->out->n, x->out, x->err);
}

/* Checks the keys of the new map in row i: none is null, none is there twice. */
static bool taco__func_list_check_keys(taco__func_call *x, const taco__vec *keys, uint32_t at,
                                       uint32_t len)
{
    taco__sql_list_span s;
    uint8_t *keep;
    uint32_t n, k;
    s.at = at;
    s.len = len;
    for (k = at; k < at + len; k++) {
        if (!taco__vec_is_valid(keys, k)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a key of a map is null");
            return false;
        }
    }
    /* as many distinct keys as there are keys */
    n = taco__func_list_mark_distinct(x, keys, s, &keep);
    if (n != UINT32_MAX && n != len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a map has a key twice");
    }
    return n == len;
}

/* map(keys, values) and map_from_entries(list of structs). */
static bool taco__func_list_map(taco__func_call *x)
{
    taco__vec *entries = &x->out->kids[0], sides[2];
    bool lists = x->id == TACO__FUNC_MAP;
    taco__buf idx[2];
    size_t i, k, n = 0;
    bool ok = true;
    memset(idx, 0, sizeof idx);
    idx[0].mem = idx[1].mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        taco__sql_list_span s, t;
        x->out->v.l[i].at = (uint32_t)n;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = taco__func_list_span(&x->a[0], i);
        t = lists ? taco__func_list_span(&x->a[1], i) : s;
        if (s.len != t.len) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a map of %u keys and %u values",
                       TACO__U(s.len), TACO__U(t.len));
            ok = false;
        }
        ok = ok && taco__func_list_check_keys(
                       x, lists ? &x->a[0].kids[0] : &x->a[0].kids[0].kids[0], s.at, s.len);
        for (k = 0; ok && k < s.len; k++, n++) {
            uint32_t a = s.at + (uint32_t)k, b = t.at + (uint32_t)k;
            ok = taco__buf_append(&idx[0], &a, sizeof a, x->err) &&
                 taco__buf_append(&idx[1], &b, sizeof b, x->err);
        }
        x->out->v.l[i].len = (uint32_t)n - x->out->v.l[i].at;
    }
    ok = ok && taco__vec_init(x->arena, &x->out->type->kids[0], n, entries, x->err);
    for (k = 0; ok && k < 2; k++) {
        const taco__vec *from = lists ? &x->a[k].kids[0] : &x->a[0].kids[0].kids[k];
        ok = !n || taco__vec_take(x->arena, from, (const uint32_t *)(const void *)idx[k].data, n,
                                  &sides[k], x->err);
        if (ok && n) { entries->kids[k] = sides[k]; }
    }
    taco__buf_free(&idx[0]);
    taco__buf_free(&idx[1]);
    return ok;
}

/* list_sum and the other aggregates over lists: the elements of row i are group i. */
static bool taco__func_list_aggregate(taco__func_call *x)
{
    /* vectors of the result point to types of the aggregate: it lives as long as they do */
    taco__aggregate *a = (taco__aggregate *)taco__arena_alloc(x->arena, sizeof *a, x->err);
    taco__func_list_out o;
    taco__buf groups;
    taco__vec pile;
    size_t i, n = x->out->n;
    uint32_t k, row;
    bool ok = true;
    if (!a) { return false; }
    *a = *(const taco__aggregate *)x->plan;
    memset(&groups, 0, sizeof groups);
    groups.mem = x->arena->mem;
    taco__func_list_begin(x, &o);
    for (i = 0; ok && i < n; i++) {
        taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
        row = (uint32_t)i;
        for (k = 0; ok && taco__vec_is_valid(x->out, i) && k < s.len; k++) {
            ok = taco__func_list_push(&o, s.at + k) &&
                 taco__buf_append_inline(&groups, &row, sizeof row, x->err);
        }
    }
    row = 0;
    ok = ok &&
         taco__vec_take(x->arena, &x->a[0].kids[0],
                        o.n ? (const uint32_t *)(const void *)o.picks.data : &row, o.n, &pile,
                        x->err) &&
         taco__aggregate_reserve(a, x->arena, n, x->err) &&
         taco__aggregate_add(a, x->arena, &pile, (const uint32_t *)(const void *)groups.data, NULL,
                             o.n, x->err);
    if (ok) {
        uint8_t *null = x->out->valid;
        ok = taco__aggregate_finish(a, x->arena, n, x->out, x->err);
        for (i = 0; ok && null && i < n; i++) {
            ok = null[i] || taco__func_set_null(x, i);
        }
    }
    taco__buf_free(&o.picks);
    taco__buf_free(&groups);
    taco__buf_free(&a->groups);
    return ok;
}

/* list_dot_product, list_distance, list_cosine_similarity and their negatives, in the precision of
   the elements. */
static bool taco__func_list_measure_row(taco__func_call *x, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i),
                        t = taco__func_list_span(&x->a[1], i);
    const taco__vec *u = &x->a[0].kids[0], *w = &x->a[1].kids[0];
    const char *what = (const char *)x->plan;
    bool single = x->out->type->t.id == TACO_FLOAT;
    double dot = 0, a2 = 0, b2 = 0, d2 = 0, r;
    uint32_t k;
    if (s.len != t.len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s of lists of %u and %u elements",
                   x->name, TACO__U(s.len), TACO__U(t.len));
        return false;
    }
    for (k = 0; k < s.len; k++) {
        double a, b, d;
        if (!taco__vec_is_valid(u, s.at + k) || !taco__vec_is_valid(w, t.at + k)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s of lists with nulls", x->name);
            return false;
        }
        a = u->v.f[s.at + k];
        b = w->v.f[t.at + k];
        d = single ? (double)(float)(a - b) : a - b;
        dot = single ? (double)(float)(dot + (double)(float)(a * b)) : dot + a * b;
        a2 = single ? (double)(float)(a2 + (double)(float)(a * a)) : a2 + a * a;
        b2 = single ? (double)(float)(b2 + (double)(float)(b * b)) : b2 + b * b;
        d2 = single ? (double)(float)(d2 + (double)(float)(d * d)) : d2 + d * d;
    }
    if (!s.len && what[0] != 'd' && what[0] != 'n' && what[0] != 'e') {
        return taco__func_set_null(x, i); /* nothing has no direction */
    }
    r = dot / taco__math_sqrt(a2 * b2);
    r = r > 1 ? 1 : r < -1 || r != r ? -1 : r;
    r = what[0] == 'd'   ? dot
        : what[0] == 'n' ? -dot
        : what[0] == 'e' ? taco__math_sqrt(d2)
        : what[0] == 'c' ? r
                         : 1 - r;
    x->out->v.f[i] = single ? (double)(float)r : r;
    return true;
}

/* Runs a function of lists other than those that put them together. */
TACO__FN bool taco__func_list_part(taco__func_call *x)
{
    const taco__vec *v = x->n ? &x->a[0].kids[0] : NULL;
    bool (*row)(taco__func_call *, size_t) = taco__func_list_value_row;
    size_t i;
    switch (x->id) {
    case TACO__FUNC_LIST_GRADE: return taco__func_list_grade(x);
    case TACO__FUNC_LIST_SORT:
    case TACO__FUNC_LIST_REVERSE:
    case TACO__FUNC_LIST_DISTINCT:
    case TACO__FUNC_LIST_INTERSECT: return taco__func_list_choose(x, v, taco__func_list_order_row);
    case TACO__FUNC_LIST_WHERE:
    case TACO__FUNC_LIST_SELECT: return taco__func_list_choose(x, v, taco__func_list_pick_row);
    case TACO__FUNC_LIST_SLICE: return taco__func_list_choose(x, v, taco__func_list_step_row);
    case TACO__FUNC_LIST_POP:
    case TACO__FUNC_LIST_REPEAT: return taco__func_list_choose(x, v, taco__func_list_copy_row);
    case TACO__FUNC_FLATTEN:
        return taco__func_list_choose(x, &v->kids[0], taco__func_list_flatten_row);
    case TACO__FUNC_MAP_KEYS:
        return taco__func_list_choose(x, &v->kids[0], taco__func_list_map_row);
    case TACO__FUNC_MAP_EXTRACT:
    case TACO__FUNC_MAP_VALUES:
        return taco__func_list_choose(x, &v->kids[1], taco__func_list_map_row);
    case TACO__FUNC_MAP_ENTRIES: return taco__func_list_choose(x, v, taco__func_list_map_row);
    case TACO__FUNC_MAP_VALUE: return taco__func_list_map_value(x);
    case TACO__FUNC_MAP:
    case TACO__FUNC_MAP_FROM_ENTRIES: return taco__func_list_map(x);
    case TACO__FUNC_LIST_RESIZE: return taco__func_list_resize(x);
    case TACO__FUNC_LIST_AGGREGATE: return taco__func_list_aggregate(x);
    case TACO__FUNC_LIST_MEASURE: row = taco__func_list_measure_row; break;
    default: break;
    }
    for (i = 0; i < x->out->n; i++) {
        bool null = !taco__vec_is_valid(x->out, i) ||
                    (x->id == TACO__FUNC_LIST_POSITION && !taco__vec_is_valid(&x->a[0], i));
        if (null ? !taco__func_set_null(x, i) : !row(x, i)) { return false; }
    }
    return true;
}
/* ==== src/sql/func_geometry.c ==== */
/* func_geometry.c - ST_* functions on WKB geometries and boxes (OGC 06-103r4)

   A geometry is WKB bytes. The tests, ST_Intersects and ST_Within, work with a box that
   ST_MakeEnvelope made; the geometry itself is tested exactly (geo/intersect.c). Where the
   geometry is a column and the box a constant, pushdown.c makes the test a filter of the scan. */
/* #include "sql.h" */
/* #include "functions.h" */
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
/* ==== src/sql/func_geo_measure.c ==== */
/* func_geo_measure.c - ST_AsText, ST_Area and ST_Centroid of WKB geometries

   All three walk the geometry once with the reader of geo/wkb.c. Areas are planar, in the units of
   the coordinates, holes taken off. A centroid is that of the parts of the highest dimension: of
   polygons by area, else of lines by length, else of points, as OGC 06-103r4 §6.1.10.2 has it.

   Examples: of the box (0 0, 2 3) ST_Area is 6, ST_Centroid POINT (1 1.5), ST_AsText
   POLYGON ((0 0, 0 3, 2 3, 2 0, 0 0)). The centroid of an empty geometry is POINT EMPTY. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../geo/geo.h" */

/* Sums of a walk: by dimension 0, 1 and 2 the weight and the weighted coordinates. */
typedef struct taco__geo_sums {
    double weight[3], x[3], y[3];
} taco__geo_sums;

/* x of position i of a run. */
static double taco__geo_x(const taco__wkb_item *r, size_t i)
{
    return taco__wkb_coordinate(r->xy + i * r->stride, r->big);
}

/* y of position i of a run. */
static double taco__geo_y(const taco__wkb_item *r, size_t i)
{
    return taco__wkb_coordinate(r->xy + i * r->stride + 8, r->big);
}

/* Adds a ring of a polygon: twice its signed area and moments, made positive for shells and
   negative for holes. Coordinates are taken from the first corner, which keeps digits. */
static void taco__geo_add_ring(taco__geo_sums *s, const taco__wkb_item *r)
{
    double ox = r->n ? taco__geo_x(r, 0) : 0, oy = r->n ? taco__geo_y(r, 0) : 0, area = 0, mx = 0,
           my = 0;
    size_t i;
    for (i = 0; i + 1 < r->n; i++) {
        double ax = taco__geo_x(r, i) - ox, ay = taco__geo_y(r, i) - oy,
               bx = taco__geo_x(r, i + 1) - ox, by = taco__geo_y(r, i + 1) - oy,
               cross = ax * by - bx * ay;
        area += cross;
        mx += (ax + bx) * cross;
        my += (ay + by) * cross;
    }
    if ((area < 0) != (r->index > 0)) {
        area = -area;
        mx = -mx;
        my = -my;
    }
    s->weight[2] += area / 2;
    s->x[2] += mx / 6 + ox * area / 2;
    s->y[2] += my / 6 + oy * area / 2;
}

/* Adds a run of coordinates: lines by their length, points by their number. */
static void taco__geo_add_run(taco__geo_sums *s, const taco__wkb_item *r)
{
    size_t i;
    if (r->type == TACO__WKB_POLYGON) { taco__geo_add_ring(s, r); }
    for (i = 0; i < r->n; i++) {
        double x = taco__geo_x(r, i), y = taco__geo_y(r, i), nx, ny, length;
        if (x != x || y != y) { continue; } /* POINT EMPTY */
        s->weight[0] += 1;
        s->x[0] += x;
        s->y[0] += y;
        if (r->type == TACO__WKB_POINT || i + 1 >= r->n) { continue; }
        nx = taco__geo_x(r, i + 1);
        ny = taco__geo_y(r, i + 1);
        length = taco__math_sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y));
        s->weight[1] += length;
        s->x[1] += (x + nx) / 2 * length;
        s->y[1] += (y + ny) / 2 * length;
    }
}

/* Row i of ST_Area and ST_Centroid. */
static bool taco__geo_sum_row(taco__func_call *x, size_t i)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__geo_sums s;
    double nan = taco__f64_from_bits((uint64_t)0x7FF8 << 48), at[2];
    uint8_t *p;
    int k = 2;
    memset(&s, 0, sizeof s);
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    do {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_RUN) { taco__geo_add_run(&s, &item); }
    } while (item.what != TACO__WKB_DONE);
    if (x->id == TACO__FUNC_AREA) {
        x->out->v.f[i] = s.weight[2];
        return true;
    }
    while (k > 0 && !(s.weight[k] > 0)) {
        k--;
    }
    at[0] = s.weight[k] > 0 ? s.x[k] / s.weight[k] : nan;
    at[1] = s.weight[k] > 0 ? s.y[k] / s.weight[k] : nan;
    p = (uint8_t *)taco__arena_alloc(x->arena, TACO__WKB_POINT_BYTES, x->err);
    if (!p) { return false; }
    taco__wkb_point_write(p, at[0], at[1]);
    x->out->v.s[i] = taco__bytes_of(p, TACO__WKB_POINT_BYTES);
    return true;
}

/* ---- text ---- */

/* Names of well-known text, with the blank before what follows. */
static const char *const taco__geo_names[] = {"",
                                              "POINT ",
                                              "LINESTRING ",
                                              "POLYGON ",
                                              "MULTIPOINT ",
                                              "MULTILINESTRING ",
                                              "MULTIPOLYGON ",
                                              "GEOMETRYCOLLECTION "};

/* A number without the .0 of whole ones. */
static bool taco__geo_text_number(taco__buf *b, double v, taco_error *err)
{
    char text[32];
    size_t n = taco__num_format_f64(text, v);
    if (n > 2 && text[n - 1] == '0' && text[n - 2] == '.') { n -= 2; }
    return taco__buf_append(b, text, n, err);
}

/* The positions of a run, in parentheses unless they are a point of a MULTIPOINT. */
static bool taco__geo_text_run(taco__buf *b, const taco__wkb_item *r, bool bare, taco_error *err)
{
    size_t i;
    bool ok;
    if (r->stride != 16) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "the text of a geometry with Z or M is not supported");
        return false;
    }
    if (!r->n || (r->type == TACO__WKB_POINT && taco__geo_x(r, 0) != taco__geo_x(r, 0))) {
        return taco__buf_append_text(b, "EMPTY", err);
    }
    ok = bare || taco__buf_append_char(b, '(', err);
    for (i = 0; ok && i < r->n; i++) {
        ok = (!i || taco__buf_append_text(b, ", ", err)) &&
             taco__geo_text_number(b, taco__geo_x(r, i), err) &&
             taco__buf_append_char(b, ' ', err) && taco__geo_text_number(b, taco__geo_y(r, i), err);
    }
    return ok && (bare || taco__buf_append_char(b, ')', err));
}

/* The beginning of a geometry: its name unless a MULTIX tells it, and a parenthesis where parts
   follow. */
static bool taco__geo_text_begin(taco__buf *b, const taco__wkb_item *g, uint32_t around,
                                 taco_error *err)
{
    bool parts = g->type >= TACO__WKB_POLYGON;
    if ((!around || around == TACO__WKB_COLLECTION) &&
        !taco__buf_append_text(b, taco__geo_names[g->type], err)) {
        return false;
    }
    return !parts || taco__buf_append_text(b, g->count ? "(" : "EMPTY", err);
}

/* Row i of ST_AsText. */
static bool taco__geo_text_row(taco__func_call *x, size_t i, taco__buf *b)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    uint32_t types[TACO__WKB_MAX_DEPTH + 1], counts[TACO__WKB_MAX_DEPTH + 1];
    size_t depth = 0;
    bool ok = true, more = false;
    types[0] = counts[0] = 0;
    b->len = 0;
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    while (ok) {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_END) {
            ok = types[depth] < TACO__WKB_POLYGON || !counts[depth] ||
                 taco__buf_append_char(b, ')', x->err);
            depth--;
            more = true;
            continue;
        }
        ok = !more || taco__buf_append_text(b, ", ", x->err);
        more = item.what == TACO__WKB_RUN;
        if (item.what == TACO__WKB_BEGIN) {
            ok = ok && taco__geo_text_begin(b, &item, types[depth], x->err);
            if (depth == TACO__WKB_MAX_DEPTH) { return false; }
            types[++depth] = item.type;
            counts[depth] = item.count;
        } else {
            ok = ok && taco__geo_text_run(
                           b, &item, depth > 1 && types[depth - 1] == TACO__WKB_MULTIPOINT, x->err);
        }
    }
    return ok && taco__func_set_text(x, i, taco__bytes_of(b->data, b->len));
}

/* Runs ST_AsText, ST_Area or ST_Centroid over a batch. */
TACO__FN bool taco__func_geo_measure(taco__func_call *x)
{
    taco__buf b;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        ok = !taco__vec_is_valid(x->out, i) ||
             (x->id == TACO__FUNC_AS_TEXT ? taco__geo_text_row(x, i, &b) : taco__geo_sum_row(x, i));
    }
    taco__buf_free(&b);
    return ok;
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
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../filter/filter.h" */

/* All aggregates: name, id, values that a row gives, and how many constants may follow, which are
   the share of a quantile, the separator of string_agg, or how many values of max(x, n). Searched
   from the top, ASCII case ignored. */
static const taco__aggregate_name taco__aggregate_names[] = {
    {"count", TACO__AGGREGATE_COUNT, 1, 0, 0},
    {"sum", TACO__AGGREGATE_SUM, 1, 0, 0},
    {"avg", TACO__AGGREGATE_AVG, 1, 0, 0},
    {"mean", TACO__AGGREGATE_AVG, 1, 0, 0},
    {"min", TACO__AGGREGATE_MIN, 1, 0, 1},
    {"max", TACO__AGGREGATE_MAX, 1, 0, 1},
    {"first", TACO__AGGREGATE_FIRST, 1, 0, 0},
    {"arbitrary", TACO__AGGREGATE_FIRST, 1, 0, 0},
    {"any_value", TACO__AGGREGATE_ANY, 1, 0, 0},
    {"last", TACO__AGGREGATE_LAST, 1, 0, 0},
    {"stddev", TACO__AGGREGATE_STDDEV, 1, 0, 0},
    {"stddev_samp", TACO__AGGREGATE_STDDEV, 1, 0, 0},
    {"stddev_pop", TACO__AGGREGATE_STDDEV_POP, 1, 0, 0},
    {"variance", TACO__AGGREGATE_VAR, 1, 0, 0},
    {"var_samp", TACO__AGGREGATE_VAR, 1, 0, 0},
    {"var_pop", TACO__AGGREGATE_VAR_POP, 1, 0, 0},
    {"bool_and", TACO__AGGREGATE_AND, 1, 0, 0},
    {"bool_or", TACO__AGGREGATE_OR, 1, 0, 0},
    {"count_if", TACO__AGGREGATE_COUNT_IF, 1, 0, 0},
    {"countif", TACO__AGGREGATE_COUNT_IF, 1, 0, 0},
    {"median", TACO__AGGREGATE_MEDIAN, 1, 0, 0},
    {"quantile_cont", TACO__AGGREGATE_CONT, 1, 1, 1},
    {"quantile_disc", TACO__AGGREGATE_DISC, 1, 1, 1},
    {"quantile", TACO__AGGREGATE_DISC, 1, 1, 1},
    {"list", TACO__AGGREGATE_LIST, 1, 0, 0},
    {"array_agg", TACO__AGGREGATE_LIST, 1, 0, 0},
    {"string_agg", TACO__AGGREGATE_STRING, 1, 0, 1},
    {"group_concat", TACO__AGGREGATE_STRING, 1, 0, 1},
    {"listagg", TACO__AGGREGATE_STRING, 1, 0, 1},
    {"arg_max", TACO__AGGREGATE_ARG_MAX, 2, 0, 1},
    {"argmax", TACO__AGGREGATE_ARG_MAX, 2, 0, 1},
    {"max_by", TACO__AGGREGATE_ARG_MAX, 2, 0, 1},
    {"arg_min", TACO__AGGREGATE_ARG_MIN, 2, 0, 1},
    {"argmin", TACO__AGGREGATE_ARG_MIN, 2, 0, 1},
    {"min_by", TACO__AGGREGATE_ARG_MIN, 2, 0, 1},
    {"arg_max_null", TACO__AGGREGATE_ARG_MAX_NULL, 2, 0, 0},
    {"arg_min_null", TACO__AGGREGATE_ARG_MIN_NULL, 2, 0, 0},
    {"mode", TACO__AGGREGATE_MODE, 1, 0, 0},
    {"histogram", TACO__AGGREGATE_HISTOGRAM, 1, 0, 0},
    {"approx_count_distinct", TACO__AGGREGATE_COUNT_DISTINCT, 1, 0, 0},
    {"product", TACO__AGGREGATE_PRODUCT, 1, 0, 0},
    {"bit_and", TACO__AGGREGATE_BIT_AND, 1, 0, 0},
    {"bit_or", TACO__AGGREGATE_BIT_OR, 1, 0, 0},
    {"bit_xor", TACO__AGGREGATE_BIT_XOR, 1, 0, 0},
    {"fsum", TACO__AGGREGATE_KAHAN, 1, 0, 0},
    {"kahan_sum", TACO__AGGREGATE_KAHAN, 1, 0, 0},
    {"sumkahan", TACO__AGGREGATE_KAHAN, 1, 0, 0},
    {"favg", TACO__AGGREGATE_KAHAN_AVG, 1, 0, 0},
    {"skewness", TACO__AGGREGATE_SKEWNESS, 1, 0, 0},
    {"kurtosis", TACO__AGGREGATE_KURTOSIS, 1, 0, 0},
    {"kurtosis_pop", TACO__AGGREGATE_KURTOSIS_POP, 1, 0, 0},
    {"entropy", TACO__AGGREGATE_ENTROPY, 1, 0, 0},
    {"mad", TACO__AGGREGATE_MAD, 1, 0, 0},
    {"sem", TACO__AGGREGATE_SEM, 1, 0, 0},
    {"corr", TACO__AGGREGATE_CORR, 2, 0, 0},
    {"covar_pop", TACO__AGGREGATE_COVAR_POP, 2, 0, 0},
    {"covar_samp", TACO__AGGREGATE_COVAR, 2, 0, 0},
    {"regr_avgx", TACO__AGGREGATE_REGR_AVGX, 2, 0, 0},
    {"regr_avgy", TACO__AGGREGATE_REGR_AVGY, 2, 0, 0},
    {"regr_count", TACO__AGGREGATE_REGR_COUNT, 2, 0, 0},
    {"regr_slope", TACO__AGGREGATE_REGR_SLOPE, 2, 0, 0},
    {"regr_intercept", TACO__AGGREGATE_REGR_INTERCEPT, 2, 0, 0},
    {"regr_r2", TACO__AGGREGATE_REGR_R2, 2, 0, 0},
    {"regr_sxx", TACO__AGGREGATE_REGR_SXX, 2, 0, 0},
    {"regr_sxy", TACO__AGGREGATE_REGR_SXY, 2, 0, 0},
    {"regr_syy", TACO__AGGREGATE_REGR_SYY, 2, 0, 0}};

/* The aggregate of that name, in any case; NULL for a name that is no aggregate. */
TACO__FN const taco__aggregate_name *taco__aggregate_lookup(taco_bytes name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__aggregate_names); i++) {
        if (taco__ascii_is_word(name, taco__aggregate_names[i].name)) {
            return &taco__aggregate_names[i];
        }
    }
    return NULL;
}

/* The id of the aggregate of that name; 0 for a name that is no aggregate. */
TACO__FN uint8_t taco__aggregate_find(taco_bytes name)
{
    const taco__aggregate_name *a = taco__aggregate_lookup(name);
    return a ? a->id : 0;
}

/* The values that a collector has of its first argument. */
TACO__FN const taco__vec *taco__aggregate_values(const taco__aggregate *a)
{
    return a->wide ? &a->rows.v.kids[0] : &a->pile.v;
}

/* Whether all values of a group are kept until the end: quantiles and LIST need them, DISTINCT
   sorts them first, ORDER BY too. */
static bool taco__aggregate_is_collector(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MEDIAN || a->distinct || a->wide;
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
        if (!taco__vec_builder_init(arena, &a->arg, &a->pile, err) ||
            (a->wide && !taco__vec_builder_init(arena, &a->row_type, &a->rows, err))) {
            return false;
        }
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
    bool second = a->wide && a->args > 1;
    if (a->wide) {
        if (second && !taco__vec_is_valid(&v->kids[1], i)) { return false; }
        v = &v->kids[0];
    }
    if (taco__vec_is_valid(v, i) || a->id == TACO__AGGREGATE_LIST ||
        a->id == TACO__AGGREGATE_ARG_MAX_NULL || a->id == TACO__AGGREGATE_ARG_MIN_NULL) {
        return true;
    }
    return !a->distinct && (a->id == TACO__AGGREGATE_FIRST || a->id == TACO__AGGREGATE_LAST);
}

/* Puts rows into the pile of a collector, and their groups beside it. */
static bool taco__aggregate_collect(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                    const uint32_t *group, const uint8_t *keep, size_t n,
                                    taco_error *err)
{
    taco__vec_builder *pile = a->wide ? &a->rows : &a->pile;
    taco__vec flat = *v;
    size_t i;
    if (a->wide && !taco__vec_flatten(arena, &flat, err)) { return false; }
    v = &flat;
    for (i = 0; i < n; i++) {
        uint32_t row = (uint32_t)i;
        if ((!keep || keep[i]) && taco__aggregate_collects(a, v, i) &&
            (!taco__vec_builder_append(arena, pile, v, &row, 1, err) ||
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

/* taco__sort calls it: rows of a vector by value. */
static int taco__aggregate_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__vec *v = (const taco__vec *)ctx;
    return taco__vec_compare_nulls(v, *(const uint32_t *)a, v, *(const uint32_t *)b);
}

/* Sorts rows of a vector by value, nulls last, equal ones in their order. */
TACO__FN void taco__aggregate_sort_rows(const taco__vec *v, uint32_t *idx, uint32_t *tmp, size_t n)
{
    taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_rows, v);
}

/* A point between two sorted values, in the result's type: with n values the quantile q is at (n -
   1) * q, between its two neighbours by the fraction. Texts take the lower one. */
TACO__FN bool taco__aggregate_quantile(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err)
{
    double at = (double)(n - 1) * a->q, floor = taco__math_floor(at), part = at - floor;
    uint32_t ends[2];
    taco__vec lo, hi;
    ends[0] = idx[(size_t)floor];
    ends[1] = idx[TACO__MIN((size_t)floor + (part > 0), n - 1)];
    if (!taco__vec_take(arena, taco__aggregate_values(a), &ends[0], 1, &lo, err) ||
        !taco__vec_take(arena, taco__aggregate_values(a), &ends[1], 1, &hi, err) ||
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
        /* weighted as doubles and rounded, which DuckDB's timestamps are */
        at = taco__math_round((double)lo.v.i[0] * (1.0 - part) + (double)hi.v.i[0] * part);
        out->v.i[g] = part > 0 && at > -9.2e18 && at < 9.2e18 ? (int64_t)at : lo.v.i[0];
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

/* Order of two rows of a collector by the values of its arguments. */
static int taco__aggregate_compare_arguments(const void *ctx, const void *x, const void *y)
{
    const taco__aggregate *a = (const taco__aggregate *)ctx;
    size_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int c = taco__vec_compare_nulls(taco__aggregate_values(a), i, taco__aggregate_values(a), j);
    return c || a->args < 2 ? c
                            : taco__vec_compare_nulls(&a->rows.v.kids[1], i, &a->rows.v.kids[1], j);
}

/* Order of two rows of a collector by its ORDER BY. */
TACO__FN int taco__aggregate_compare_keys(const void *ctx, const void *x, const void *y)
{
    const taco__aggregate *a = (const taco__aggregate *)ctx;
    size_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    uint32_t k;
    for (k = 0; k < a->sorts; k++) {
        int c = taco__vec_compare_sorted(&a->rows.v.kids[a->args + k], i, j, a->sort_flags[k]);
        if (c) { return c; }
    }
    return 0;
}

/* Leaves one of each equal values among the rows idx[0..n), in their order; returns how many. */
static size_t taco__aggregate_unique(const taco__aggregate *a, uint32_t *idx, uint32_t *tmp,
                                     size_t n)
{
    size_t i, m = 0;
    taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_arguments, a);
    for (i = 0; i < n; i++) {
        if (!i || taco__aggregate_compare_arguments(a, &idx[i], &idx[m - 1]) != 0) {
            idx[m++] = idx[i];
        }
    }
    return m;
}

/* quantile_disc: one of the sorted values idx[0..n), the first that at least the share q is not
   above. */
TACO__FN bool taco__aggregate_discrete(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err)
{
    double rest = taco__math_floor((double)n - (double)n * a->q);
    size_t at = n - (size_t)TACO__MAX(0.0, TACO__MIN(rest, (double)n));
    uint32_t row = idx[TACO__MAX(at, (size_t)1) - 1];
    taco__vec one;
    if (!taco__vec_take(arena, taco__aggregate_values(a), &row, 1, &one, err)) { return false; }
    switch (taco__sql_type_physical(&a->result)) {
    case TACO__PHYS_DBL: out->v.f[g] = one.v.f[0]; break;
    case TACO__PHYS_BIG: out->v.d[g] = one.v.d[0]; break;
    case TACO__PHYS_STR: out->v.s[g] = one.v.s[0]; break;
    default: out->v.i[g] = one.v.i[0]; break;
    }
    return true;
}

/* One group of a collector: the rows idx[0..n) of the pile, of which *left are left, in order. Of a
   running aggregate with DISTINCT or ORDER BY the values are added to its state. */
static bool taco__aggregate_group_result(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                         uint32_t *tmp, size_t n, size_t g, taco__vec *out,
                                         size_t *left, taco_error *err)
{
    size_t i;
    n = a->distinct ? taco__aggregate_unique(a, idx, tmp, n) : n;
    if (a->sorts) { taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_keys, a); }
    *left = n;
    switch (a->id) {
    case TACO__AGGREGATE_LIST:
        out->v.l[g].at = (uint32_t)out->kids[0].n;
        out->v.l[g].len = (uint32_t)n;
        return n ? true : taco__aggregate_set_null(arena, out, g, err);
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_CONT:
    case TACO__AGGREGATE_DISC:
        if (a->qs) { return true; }
        if (!n) { return taco__aggregate_set_null(arena, out, g, err); }
        taco__aggregate_sort_rows(taco__aggregate_values(a), idx, tmp, n);
        return a->id == TACO__AGGREGATE_DISC || taco__sql_type_physical(&a->arg) == TACO__PHYS_STR
                   ? taco__aggregate_discrete(a, arena, idx, n, out, g, err)
                   : taco__aggregate_quantile(a, arena, idx, n, out, g, err);
    default:
        for (i = 0; a->id < TACO__AGGREGATE_MEDIAN && i < n; i++) {
            if (!taco__aggregate_add_value(a, arena, &a->states[g], taco__aggregate_values(a),
                                           idx[i], err)) {
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
    size_t n = a->wide ? a->rows.v.n : a->pile.v.n, i, g, left;
    bool set = a->id > TACO__AGGREGATE_LIST || a->qs;
    taco__vec_builder results;
    const uint32_t *of = (const uint32_t *)(const void *)a->groups.data;
    uint32_t *starts = (uint32_t *)taco__arena_array(arena, groups + 2, sizeof *starts, err),
             *idx = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *idx, err),
             *tmp = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *tmp, err), *list;
    size_t listed = 0;
    list = a->id == TACO__AGGREGATE_LIST
               ? (uint32_t *)taco__arena_array(arena, n + 1, sizeof *list, err)
               : tmp;
    if (!starts || !idx || !tmp || !list ||
        (set && !taco__vec_builder_init(arena, &a->result, &results, err))) {
        return false;
    }
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
        if (!(set && !a->distinct && !a->sorts) &&
            !taco__aggregate_group_result(a, arena, idx + from, tmp, count, g, out, &left, err)) {
            return false;
        }
        if (set) {
            left = a->distinct ? left : count;
            if (!taco__aggregate_set_run(a, arena, idx + from, tmp, left, &results, err)) {
                return false;
            }
            continue;
        }
        if (a->id == TACO__AGGREGATE_LIST) {
            out->v.l[g].at = (uint32_t)listed;
            memcpy(list + listed, idx + from, out->v.l[g].len * sizeof *list);
            listed += out->v.l[g].len;
        }
    }
    if (set) { *out = results.v; }
    return a->id != TACO__AGGREGATE_LIST ||
           taco__vec_take(arena, taco__aggregate_values(a), list, listed, &out->kids[0], err);
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
    case TACO__AGGREGATE_LIST: return false; /* the binder makes the type */
    default:
        if (a->id > TACO__AGGREGATE_LIST) { return taco__aggregate_set_takes(a); }
        a->result = t;
        return t.t.id != TACO_NULL;
    }
}
/* ==== src/sql/aggregate_set.c ==== */
/* aggregate_set.c - aggregates that see all values of a group at once

   In: the rows of a group, in the order that ORDER BY or the scan gave them. Out: one value,
   appended to the results. Pairs are (y, x) as SQL has them: regr_slope(y, x). Sums of powers and
   their order are DuckDB's, so that the last digits agree as far as they can.

   Examples: of the rows (1, a), (3, b), (2, c) string_agg(t, '-' ORDER BY n DESC) is b-c-a,
   arg_max(t, n) is b, max(n, 2) is [3, 2], histogram(n) is {1=1, 2=1, 3=1}, mode(t) is a: all are
   there once, and a came first. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../filter/filter.h" */

/* Whether the aggregate takes pairs of numbers. */
static bool taco__aggregate_set_is_pair(uint8_t id)
{
    return id >= TACO__AGGREGATE_CORR;
}

/* Whether its one argument is cast to DOUBLE. */
static bool taco__aggregate_set_is_double(uint8_t id)
{
    return id == TACO__AGGREGATE_PRODUCT || id == TACO__AGGREGATE_KAHAN ||
           id == TACO__AGGREGATE_KAHAN_AVG || id == TACO__AGGREGATE_SKEWNESS ||
           id == TACO__AGGREGATE_KURTOSIS || id == TACO__AGGREGATE_KURTOSIS_POP ||
           id == TACO__AGGREGATE_SEM || taco__aggregate_set_is_pair(id);
}

/* taco__aggregate_set_result_type for these; false for a type that the aggregate does not take. */
TACO__FN bool taco__aggregate_set_takes(taco__aggregate *a)
{
    taco__sql_type t = a->arg;
    bool number = taco__sql_type_is_number(&t);
    bool integer = taco__scalar_is_int(t.t.id) || taco__sql_type_is_hugeint(&t);
    a->result = taco__sql_type_simple(TACO_DOUBLE);
    if (taco__aggregate_set_is_double(a->id)) {
        if (number) { a->arg = taco__sql_type_simple(TACO_DOUBLE); }
        if (a->id == TACO__AGGREGATE_REGR_COUNT) { a->result = taco__sql_type_simple(TACO_UINT32); }
        return number;
    }
    switch (a->id) {
    case TACO__AGGREGATE_STRING:
        a->arg = a->result = taco__sql_type_simple(TACO_TEXT);
        return t.t.id != TACO_INTERVAL && !t.geo;
    case TACO__AGGREGATE_COUNT_DISTINCT: a->result = taco__sql_type_simple(TACO_INT64); return true;
    case TACO__AGGREGATE_ENTROPY: return true;
    case TACO__AGGREGATE_BIT_AND:
    case TACO__AGGREGATE_BIT_OR:
    case TACO__AGGREGATE_BIT_XOR: a->result = t; return integer;
    case TACO__AGGREGATE_MAD:
        if (t.t.id == TACO_FLOAT) {
            a->result = t;
        } else if (integer || t.t.id == TACO_DOUBLE) {
            a->arg = taco__sql_type_simple(TACO_DOUBLE);
        }
        return integer || taco__scalar_is_float(t.t.id);
    default: a->result = t; return true; /* of the kind of the argument */
    }
}

/* ---- results ---- */

/* Appends a number, or a null where it has none. */
static bool taco__aggregate_set_number(taco__arena *arena, taco__vec_builder *out, double f,
                                       bool null, taco_error *err)
{
    taco__vec one;
    uint8_t valid = !null;
    int64_t i = f < 9e18 && f > -9e18 ? (int64_t)f : 0;
    memset(&one, 0, sizeof one);
    one.type = out->v.type;
    one.n = one.step = 1;
    one.valid = &valid;
    if (taco__sql_type_physical(out->v.type) == TACO__PHYS_INT) {
        one.v.i = &i;
    } else {
        one.v.f = &f;
    }
    return taco__vec_builder_append(arena, out, &one, NULL, 1, err);
}

/* Appends row `at` of the values v, or a null for TACO__VEC_NONE. */
static bool taco__aggregate_set_value(taco__arena *arena, taco__vec_builder *out,
                                      const taco__vec *v, uint32_t at, taco_error *err)
{
    taco__vec one;
    return taco__vec_take(arena, v, &at, 1, &one, err) &&
           taco__vec_builder_append(arena, out, &one, NULL, 1, err);
}

/* A list of n rows of v as one value; or a null. */
static bool taco__aggregate_set_list(taco__arena *arena, taco__vec_builder *out, const taco__vec *v,
                                     const uint32_t *idx, size_t n, bool null, taco_error *err)
{
    taco__vec list, kid;
    taco__sql_list_span span;
    uint8_t valid = !null;
    memset(&list, 0, sizeof list);
    if (!taco__vec_take(arena, v, idx, n, &kid, err)) { return false; }
    span.at = 0;
    span.len = (uint32_t)n;
    list.type = out->v.type;
    list.n = list.step = 1;
    list.valid = &valid;
    list.v.l = &span;
    list.kids = &kid;
    return taco__vec_builder_append(arena, out, &list, NULL, 1, err);
}

/* ---- one argument ---- */

/* string_agg: the texts with the separator between them; null of none. */
static bool taco__aggregate_set_string(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec_builder *out,
                                       taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    taco__buf b;
    taco__vec one;
    taco_bytes text;
    uint8_t valid = n > 0;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < n; i++) {
        taco_bytes s = v->v.s[idx[i]];
        ok = (!i || taco__buf_append(&b, a->text.data, a->text.len, err)) &&
             taco__buf_append(&b, s.data, s.len, err);
    }
    memset(&one, 0, sizeof one);
    text = taco__bytes_of(b.data, b.len);
    one.type = out->v.type;
    one.n = one.step = 1;
    one.valid = &valid;
    one.v.s = &text;
    ok = ok && taco__vec_builder_append(arena, out, &one, NULL, 1, err);
    taco__buf_free(&b);
    return ok;
}

/* arg_max and arg_min: the first argument of the row with the greatest or least second one, the
   first of such rows. */
static bool taco__aggregate_set_arg(const taco__aggregate *a, taco__arena *arena,
                                    const uint32_t *idx, size_t n, taco__vec_builder *out,
                                    taco_error *err)
{
    const taco__vec *by = &a->rows.v.kids[1];
    bool most = a->id == TACO__AGGREGATE_ARG_MAX || a->id == TACO__AGGREGATE_ARG_MAX_NULL;
    size_t i, best = 0;
    for (i = 1; i < n; i++) {
        int c = taco__vec_compare(by, idx[i], by, idx[best]);
        if (most ? c > 0 : c < 0) { best = i; }
    }
    return taco__aggregate_set_value(arena, out, taco__aggregate_values(a),
                                     n ? idx[best] : TACO__VEC_NONE, err);
}

/* max(x, n), min(x, n), and arg_max(x, y, n): the n first of a sort, as a list. */
static bool taco__aggregate_set_top(const taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                    uint32_t *tmp, size_t n, taco__vec_builder *out,
                                    taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a), *by = a->args > 1 ? &a->rows.v.kids[1] : v;
    size_t i, many = TACO__MIN(n, a->top);
    bool most = a->id == TACO__AGGREGATE_TOP || a->id == TACO__AGGREGATE_ARG_MAX;
    taco__aggregate_sort_rows(by, idx, tmp, n);
    for (i = 0; i < many; i++) {
        tmp[i] = idx[most ? n - 1 - i : i];
    }
    return taco__aggregate_set_list(arena, out, v, tmp, many, !many, err);
}

/* Sorts the rows, and finds where each run of equal values begins: starts[0..*runs], the last being
   n. NULL without memory. */
static uint32_t *taco__aggregate_set_runs(const taco__aggregate *a, taco__arena *arena,
                                          uint32_t *idx, uint32_t *tmp, size_t n, size_t *runs,
                                          taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    uint32_t *starts = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *starts, err);
    size_t i;
    *runs = 0;
    if (!starts) { return NULL; }
    taco__aggregate_sort_rows(v, idx, tmp, n);
    for (i = 0; i < n; i++) {
        if (!i || taco__vec_compare(v, idx[i], v, idx[i - 1]) != 0) {
            starts[(*runs)++] = (uint32_t)i;
        }
    }
    starts[*runs] = (uint32_t)n;
    return starts;
}

/* histogram: a map of each value to how often it is there. */
static bool taco__aggregate_set_histogram(const taco__aggregate *a, taco__arena *arena,
                                          const uint32_t *idx, const uint32_t *starts, size_t runs,
                                          taco__vec_builder *out, taco_error *err)
{
    uint32_t *keys = (uint32_t *)taco__arena_array(arena, runs + 1, sizeof *keys, err);
    taco__vec map, entries, kids[2];
    taco__sql_list_span span;
    uint8_t valid = runs > 0;
    size_t i;
    const taco__sql_type *entry = &a->result.kids[0];
    memset(&map, 0, sizeof map);
    memset(&entries, 0, sizeof entries);
    for (i = 0; keys && i < runs; i++) {
        keys[i] = idx[starts[i]];
    }
    if (!keys || !taco__vec_take(arena, taco__aggregate_values(a), keys, runs, &kids[0], err) ||
        !taco__vec_init(arena, &entry->kids[1], runs, &kids[1], err)) {
        return false;
    }
    for (i = 0; i < runs; i++) {
        kids[1].v.d[i] = taco__i256_from_u64(starts[i + 1] - starts[i]);
    }
    entries.type = entry;
    entries.n = runs;
    entries.step = 1;
    entries.kids = kids;
    span.at = 0;
    span.len = (uint32_t)runs;
    map.type = &a->result;
    map.n = map.step = 1;
    map.valid = &valid;
    map.v.l = &span;
    map.kids = &entries;
    return taco__vec_builder_append(arena, out, &map, NULL, 1, err);
}

/* The aggregates that count equal values: mode, histogram, approx_count_distinct, entropy. */
static bool taco__aggregate_set_counts(const taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                       uint32_t *tmp, size_t n, taco__vec_builder *out,
                                       taco_error *err)
{
    size_t runs, i, best = 0;
    uint32_t *starts = taco__aggregate_set_runs(a, arena, idx, tmp, n, &runs, err);
    double sum = 0;
    if (!starts) { return false; }
    switch (a->id) {
    case TACO__AGGREGATE_HISTOGRAM:
        return taco__aggregate_set_histogram(a, arena, idx, starts, runs, out, err);
    case TACO__AGGREGATE_COUNT_DISTINCT:
        return taco__aggregate_set_number(arena, out, (double)runs, false, err);
    case TACO__AGGREGATE_ENTROPY:
        for (i = 0; i < runs; i++) {
            double c = (double)(starts[i + 1] - starts[i]);
            sum += c / (double)n * taco__func_math_log2((double)n / c);
        }
        return taco__aggregate_set_number(arena, out, sum, false, err);
    default:
        /* the value that is most frequent, of several the one that came first, in ORDER BY if
           there is one: the sort is stable, so that each run begins with its first row */
        for (i = 1; i < runs; i++) {
            uint32_t c = starts[i + 1] - starts[i], m = starts[best + 1] - starts[best];
            const uint32_t *one = &idx[starts[i]], *two = &idx[starts[best]];
            int order = a->sorts ? taco__aggregate_compare_keys(a, one, two) : 0;
            if (c > m || (c == m && (order < 0 || (!order && *one < *two)))) { best = i; }
        }
        return taco__aggregate_set_value(arena, out, taco__aggregate_values(a),
                                         n ? idx[starts[best]] : TACO__VEC_NONE, err);
    }
}

/* bit_and, bit_or and bit_xor of integers of any width. */
static bool taco__aggregate_set_bits(const taco__aggregate *a, taco__arena *arena,
                                     const uint32_t *idx, size_t n, taco__vec_builder *out,
                                     taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    taco__vec one;
    size_t i, w;
    bool big = taco__sql_type_physical(v->type) == TACO__PHYS_BIG;
    if (!n) { return taco__aggregate_set_value(arena, out, v, TACO__VEC_NONE, err); }
    if (!taco__vec_take(arena, v, idx, 1, &one, err)) { return false; }
    for (i = 1; i < n; i++) {
        for (w = 0; w < (big ? 4U : 1U); w++) {
            uint64_t x = big ? one.v.d[0].w[w] : (uint64_t)one.v.i[0],
                     y = big ? v->v.d[idx[i]].w[w] : (uint64_t)v->v.i[idx[i]];
            x = a->id == TACO__AGGREGATE_BIT_AND  ? x & y
                : a->id == TACO__AGGREGATE_BIT_OR ? x | y
                                                  : x ^ y;
            if (big) {
                one.v.d[0].w[w] = x;
            } else {
                one.v.i[0] = (int64_t)x;
            }
        }
    }
    return taco__vec_builder_append(arena, out, &one, NULL, 1, err);
}

/* mad: the median of the distances from the median. */
static bool taco__aggregate_set_mad(const taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                    uint32_t *tmp, size_t n, taco__vec_builder *out,
                                    taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    taco__aggregate one = *a;
    taco__vec mid, far;
    size_t i;
    if (!n) { return taco__aggregate_set_number(arena, out, 0, true, err); }
    taco__aggregate_sort_rows(v, idx, tmp, n);
    if (!taco__vec_init(arena, &a->result, 1, &mid, err) ||
        !taco__vec_init(arena, v->type, n, &far, err) ||
        !taco__aggregate_quantile(a, arena, idx, n, &mid, 0, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        double d = v->v.f[idx[i]] - mid.v.f[0];
        far.v.f[i] = d < 0 ? -d : d;
    }
    for (i = 0; i < n; i++) {
        idx[i] = (uint32_t)i;
    }
    one.wide = false;
    one.pile.v = far;
    taco__aggregate_sort_rows(&far, idx, tmp, n);
    return taco__aggregate_quantile(&one, arena, idx, n, &mid, 0, err) &&
           taco__aggregate_set_number(arena, out, mid.v.f[0], false, err);
}

/* skewness and kurtosis of the sums of powers s[1..4] of n values; false where there is none. */
static bool taco__aggregate_set_shape(uint8_t id, double n, const double *s, double *out)
{
    double t = 1 / n, m2 = t * (s[2] - s[1] * s[1] * t), m4;
    bool pop = id == TACO__AGGREGATE_KURTOSIS_POP;
    if (id == TACO__AGGREGATE_SKEWNESS) {
        double p = m2 * m2 * m2;
        if (n <= 2) { return false; }
        *out = !(p > 0) ? taco__f64_from_bits((uint64_t)0x7FF8 << 48)
                        : taco__math_sqrt(n * (n - 1)) / (n - 2) *
                              (t * (s[3] - 3 * s[2] * s[1] * t + 2 * s[1] * s[1] * s[1] * t * t)) /
                              taco__math_sqrt(p);
        return true;
    }
    if (n <= (pop ? 1 : 3) || !(m2 > 0)) { return false; }
    m4 = t * (s[4] - 4 * s[3] * s[1] * t + 6 * s[2] * s[1] * s[1] * t * t -
              3 * s[1] * s[1] * s[1] * s[1] * t * t * t);
    *out = pop ? m4 / (m2 * m2) - 3
               : (n - 1) * ((n + 1) * m4 / (m2 * m2) - 3 * (n - 1)) / ((n - 2) * (n - 3));
    return true;
}

/* product, fsum, favg, skewness, kurtosis, sem: of numbers as DOUBLE. */
static bool taco__aggregate_set_doubles(const taco__aggregate *a, taco__arena *arena,
                                        const uint32_t *idx, size_t n, taco__vec_builder *out,
                                        taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    double product = 1, sum = 0, lost = 0, mean = 0, square = 0, s[5] = {0, 0, 0, 0, 0}, r = 0;
    bool null = n == 0;
    size_t i;
    for (i = 0; i < n; i++) {
        double x = v->v.f[idx[i]], y = x - lost, t = sum + y, step = (x - mean) / (double)(i + 1);
        product *= x;
        lost = t - sum - y; /* Kahan's sum: what the addition lost */
        sum = t;
        square += (x - mean - step) * (x - mean); /* Welford's sum of squares */
        mean += step;
        s[1] += x;
        s[2] += x * x;
        s[3] += x * x * x;
        s[4] += x * x * x * x;
    }
    switch (a->id) {
    case TACO__AGGREGATE_PRODUCT: r = product; break;
    case TACO__AGGREGATE_KAHAN: r = sum; break;
    case TACO__AGGREGATE_KAHAN_AVG: r = sum / (double)n; break;
    case TACO__AGGREGATE_SEM:
        r = n ? taco__math_sqrt(square / (double)n) / taco__math_sqrt((double)n) : 0;
        break;
    default: null = null || !taco__aggregate_set_shape(a->id, (double)n, s, &r); break;
    }
    return taco__aggregate_set_number(arena, out, r, null, err);
}

/* ---- pairs ---- */

/* covar, corr and regr: means and sums of products around them, by Welford's updates. */
static bool taco__aggregate_set_pairs(const taco__aggregate *a, taco__arena *arena,
                                      const uint32_t *idx, size_t n, taco__vec_builder *out,
                                      taco_error *err)
{
    const taco__vec *vy = &a->rows.v.kids[0], *vx = &a->rows.v.kids[1];
    double my = 0, mx = 0, xy = 0, xx = 0, yy = 0, r = 0, m = (double)n;
    bool null = n == 0;
    size_t i;
    for (i = 0; i < n; i++) {
        double y = vy->v.f[idx[i]], x = vx->v.f[idx[i]], dx = x - mx, dy = y - my,
               k = (double)(i + 1);
        mx += dx / k;
        my += dy / k;
        xy += dx * (y - my);
        xx += dx * (x - mx);
        yy += dy * (y - my);
    }
    switch (a->id) {
    case TACO__AGGREGATE_CORR:
        r = taco__math_sqrt(xx / m) * taco__math_sqrt(yy / m);
        r = xy / m / r;
        break;
    case TACO__AGGREGATE_COVAR_POP: r = xy / m; break;
    case TACO__AGGREGATE_COVAR:
        null = n < 2;
        r = xy / (m - 1);
        break;
    case TACO__AGGREGATE_REGR_AVGX: r = mx; break;
    case TACO__AGGREGATE_REGR_AVGY: r = my; break;
    case TACO__AGGREGATE_REGR_COUNT:
        null = false;
        r = m;
        break;
    case TACO__AGGREGATE_REGR_SLOPE: r = xy / xx; break; /* NaN of one x */
    case TACO__AGGREGATE_REGR_INTERCEPT:                 /* null where the slope is NaN */
        r = my - xy / xx * mx;
        null = null || xy / xx != xy / xx;
        break;
    case TACO__AGGREGATE_REGR_R2:
        null = null || xx == 0;
        r = yy == 0 ? 1 : xy / xx * (xy / yy);
        break;
    case TACO__AGGREGATE_REGR_SXX: r = xx; break;
    case TACO__AGGREGATE_REGR_SXY: r = xy; break;
    default: r = yy; break;
    }
    return taco__aggregate_set_number(arena, out, r, null, err);
}

/* quantile_cont(x, [0.25, 0.75]): a list of quantiles. */
static bool taco__aggregate_set_quantiles(const taco__aggregate *a, taco__arena *arena,
                                          uint32_t *idx, uint32_t *tmp, size_t n,
                                          taco__vec_builder *out, taco_error *err)
{
    taco__aggregate one = *a;
    taco__vec all;
    uint32_t *order = (uint32_t *)taco__arena_array(arena, a->q_n + 1, sizeof *order, err);
    size_t i;
    one.result = a->result.kids[0];
    one.qs = NULL;
    if (!order || !taco__vec_init(arena, &a->result.kids[0], a->q_n, &all, err)) { return false; }
    taco__aggregate_sort_rows(taco__aggregate_values(a), idx, tmp, n);
    for (i = 0; n && i < a->q_n; i++) {
        order[i] = (uint32_t)i;
        one.q = a->qs[i];
        if (!(a->id == TACO__AGGREGATE_DISC
                  ? taco__aggregate_discrete(&one, arena, idx, n, &all, i, err)
                  : taco__aggregate_quantile(&one, arena, idx, n, &all, i, err))) {
            return false;
        }
    }
    return taco__aggregate_set_list(arena, out, &all, order, n ? a->q_n : 0, !n, err);
}

/* The result of one group; see sql.h. */
TACO__FN bool taco__aggregate_set_run(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                      uint32_t *tmp, size_t n, taco__vec_builder *out,
                                      taco_error *err)
{
    if (a->qs) { return taco__aggregate_set_quantiles(a, arena, idx, tmp, n, out, err); }
    if (taco__aggregate_set_is_pair(a->id)) {
        return taco__aggregate_set_pairs(a, arena, idx, n, out, err);
    }
    if (a->top) { return taco__aggregate_set_top(a, arena, idx, tmp, n, out, err); }
    switch (a->id) {
    case TACO__AGGREGATE_STRING: return taco__aggregate_set_string(a, arena, idx, n, out, err);
    case TACO__AGGREGATE_ARG_MAX:
    case TACO__AGGREGATE_ARG_MIN:
    case TACO__AGGREGATE_ARG_MAX_NULL:
    case TACO__AGGREGATE_ARG_MIN_NULL: return taco__aggregate_set_arg(a, arena, idx, n, out, err);
    case TACO__AGGREGATE_MODE:
    case TACO__AGGREGATE_HISTOGRAM:
    case TACO__AGGREGATE_COUNT_DISTINCT:
    case TACO__AGGREGATE_ENTROPY:
        return taco__aggregate_set_counts(a, arena, idx, tmp, n, out, err);
    case TACO__AGGREGATE_BIT_AND:
    case TACO__AGGREGATE_BIT_OR:
    case TACO__AGGREGATE_BIT_XOR: return taco__aggregate_set_bits(a, arena, idx, n, out, err);
    case TACO__AGGREGATE_MAD: return taco__aggregate_set_mad(a, arena, idx, tmp, n, out, err);
    default: return taco__aggregate_set_doubles(a, arena, idx, n, out, err);
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
/* #include "functions.h" */
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

/* Which of two names is first, case being ignored in ASCII. */
static int taco__bind_compare_names(taco_bytes a, taco_bytes b)
{
    size_t i, n = TACO__MIN(a.len, b.len);
    for (i = 0; i < n; i++) {
        int x = taco__ascii_lower(a.data[i]), y = taco__ascii_lower(b.data[i]);
        if (x != y) { return x < y ? -1 : 1; }
    }
    return (a.len > b.len) - (a.len < b.len);
}

/* taco__sort_compare of taco__bind_table.by_name; ctx is the table. */
static int taco__bind_compare_columns(const void *ctx, const void *a, const void *b)
{
    const taco_field *f = ((const taco__bind_table *)ctx)->fields;
    return taco__bind_compare_names(taco__bytes_text(f[*(const uint32_t *)a].name),
                                    taco__bytes_text(f[*(const uint32_t *)b].name));
}

/* Makes by_name, so that a query which names all columns of a wide table takes time n log n.
   Columns fit into 32 bits: limits.max_columns does. */
static bool taco__bind_sort_columns(taco__bind *b, taco__bind_table *t)
{
    uint32_t *list, *scratch;
    size_t i;
    if (t->by_name) { return true; }
    list = (uint32_t *)taco__arena_array(b->arena, t->count + 1, sizeof *list, b->err);
    scratch = (uint32_t *)taco__arena_array(b->arena, t->count / 2 + 1, sizeof *scratch, b->err);
    if (!list || !scratch) { return false; }
    for (i = 0; i < t->count; i++) {
        list[i] = (uint32_t)i;
    }
    taco__sort(list, scratch, t->count, sizeof *list, taco__bind_compare_columns, t);
    t->by_name = list;
    return true;
}

/* The first column of that name; TACO__NONE where there is none. With unmerged, columns that USING
   made one with a column before are passed over. */
static size_t taco__bind_table_column(const taco__bind_table *t, taco_bytes name, bool unmerged)
{
    size_t at = 0;
    TACO__LOWER_BOUND(
        at, t->count, i,
        taco__bind_compare_names(taco__bytes_text(t->fields[t->by_name[i]].name), name) < 0);
    for (; at < t->count && taco__bind_name_is(name, t->fields[t->by_name[at]].name); at++) {
        if (!unmerged || !t->merged || !t->merged[t->by_name[at]]) { return t->by_name[at]; }
    }
    return TACO__NONE;
}

/* Finds a column by its name, and its table if one is named: false without an error when there is
   none, with one when several tables have it or without memory. Names that only case tells apart
   give the first. */
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column)
{
    size_t t, c, hits = 0;
    if (e->index) { /* nobody wrote it: table e->func */
        *table = e->func;
        *column = e->index - 1;
        return true;
    }
    for (t = 0; t < b->table_count; t++) {
        if (b->tables[t].hidden) { continue; }
        if (e->table.len && !taco__bind_names_equal(e->table, b->tables[t].alias)) { continue; }
        if (!taco__bind_sort_columns(b, &b->tables[t])) { return false; }
        c = taco__bind_table_column(&b->tables[t], e->name, !e->table.len && hits);
        if (c != TACO__NONE) {
            *table = t;
            *column = c;
            hits++;
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
            if (b->inside) {
                return taco__bind_fail(b, e,
                                       "an aggregate takes columns, no name of a select item");
            }
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
        if (taco__subquery_is_outer(b, e)) { return false; }
        if (b->table_count == 1 && !e->table.len) {
            taco__field_names_not_found(b->tables[0].fields, b->tables[0].count, e->name,
                                        TACO__FIELD_NAMES_QUOTES, e->at, b->err);
        } else {
            TACO__FAIL(b->err, TACO_ERR_NOT_FOUND, e->at, "there is no column %q", &e->name);
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
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q: columns of type INTERVAL are not supported", &e->name);
        return false;
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
    if (x->type.count && y->type.count ? !taco__bind_list_common(b, &x->type, &y->type, true, &t)
                                       : !taco__bind_type_common(x, &x->type, y, true, &t)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.geo || taco__sql_type_has_interval(&t)) {
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
    if (e->kid[0]->type.t.id == TACO_MAP && e->kind == TACO__SQL_EXPR_INDEX) {
        e->func = TACO__FUNC_MAP_VALUE;
        e->type = e->kid[0]->type.kids[0].kids[1];
        return taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type.kids[0].kids[0]);
    }
    if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &big,
                                             "only lists and texts have elements, not");
    }
    for (i = 1; i < e->n; i++) {
        /* an open end is a NULL that makes no row null */
        if (e->kind == TACO__SQL_EXPR_SLICE && e->kid[i]->kind == TACO__SQL_EXPR_CONST &&
            e->kid[i]->infix) {
            continue;
        }
        if (!taco__scalar_is_int(e->kid[i]->type.t.id) && e->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[i]->type, &big,
                                                 "an index is a whole number, not");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &big)) { return false; }
    }
    e->type = e->kid[0]->type;
    if (e->n == 4) { return taco__bind_list_step(b, e); }
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
               ((!t.geo && !taco__sql_type_has_interval(&t)) ||
                taco__bind_fail(b, e, "no comparison of that type"));
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__bind_index(b, e);
    default: return true;
    }
}

/* The type of a constant. A whole number below those of HUGEINT is DOUBLE; above them are those of
   UHUGEINT, which there is not here. */
static bool taco__bind_constant(taco__bind *b, taco__sql_expr *e)
{
    e->type.t = e->value.type;
    if (e->type.t.id != TACO_DECIMAL || taco__cast_fits(&e->type.t, &e->value.d)) { return true; }
    if (!taco__i256_is_negative(&e->value.d)) {
        return taco__bind_fail(b, e, "a number of 2^127 or more: UHUGEINT is not supported");
    }
    e->value.f = taco__scalar_i256_to_double(&e->value.d, false);
    e->value.type = e->type.t = taco__scalar_simple_type(TACO_DOUBLE);
    return true;
}

/* Gives a tree types and places, in place; *at may become another node. */
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    if (taco__bind_group_key(b, e)) { return true; }
    if (b->err->code != TACO_OK) { return false; }
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__bind_constant(b, e);
    case TACO__SQL_EXPR_COLUMN: return taco__bind_column_ref(b, at);
    case TACO__SQL_EXPR_STAR: return taco__bind_fail(b, e, "* has no place here");
    case TACO__SQL_EXPR_CALL:
        if (!taco__bind_call(b, e)) { return false; }
        return e->kind == TACO__SQL_EXPR_CASE ? taco__bind_expr(b, at) : true;
    case TACO__SQL_EXPR_REF: return true;
    case TACO__SQL_EXPR_QUERY: return taco__subquery_bind(b, e);
    case TACO__SQL_EXPR_FIELD:
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->name);
    default: return taco__bind_children(b, e) && taco__bind_operator(b, e);
    }
}
/* ==== src/sql/sql_keywords.c ==== */
/* sql_keywords.c - the words of DuckDB's grammar, which its printer puts in quotes

   In: a name. Out: whether it is one of the keywords of DuckDB 1.5, of any kind: those that
   duckdb_keywords() lists. A name of a column, function or alias that is one has quotes in the name
   of a result's column, whether it needed them in the query or not: lower("type"), "left"(id, 1).
   Which words may be no name at all is another question: taco__sql_parse_is_reserved. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* Whether the name is a keyword of DuckDB, in any case. */
TACO__FN bool taco__sql_keywords_has(taco_bytes name)
{
    /* with a blank after each, in pieces shorter than compilers need take */
    static const char *const words[] = {
        "abort absolute access action add admin after aggregate all also alter always analyse ",
        "analyze and anti any array as asc asof assertion assignment asymmetric at attach ",
        "attribute authorization backward before begin between bigint binary bit boolean both ",
        "by cache call called cascade cascaded case cast catalog centuries century chain char ",
        "character characteristics check checkpoint class close cluster coalesce collate ",
        "collation column columns comment comments commit committed compression concurrently ",
        "configuration conflict connection constraint constraints content continue conversion ",
        "copy cost create cross csv cube current cursor cycle data database day days ",
        "deallocate dec decade decades decimal declare default defaults deferrable deferred ",
        "definer delete delimiter delimiters depends desc describe detach dictionary disable ",
        "discard distinct do document domain double drop each else enable encoding encrypted ",
        "end enum error escape event except exclude excluding exclusive execute exists ",
        "explain export export_state extension extensions external extract false family fetch ",
        "filter first float following for force foreign forward freeze from full function ",
        "functions generated glob global grant granted group grouping grouping_id groups ",
        "handler having header hold hour hours identity if ignore ilike immediate immutable ",
        "implicit import in include including increment index indexes inherit inherits ",
        "initially inline inner inout input insensitive insert install instead int integer ",
        "intersect interval into invoker is isnull isolation join json key label lambda ",
        "language large last lateral leading leakproof left level like limit listen load ",
        "local location lock locked logged macro map mapping match matched materialized ",
        "maxvalue merge method microsecond microseconds millennia millennium millisecond ",
        "milliseconds minute minutes minvalue mode month months move name names national ",
        "natural nchar new next no none not nothing notify notnull nowait null nullif nulls ",
        "numeric object of off offset oids old on only operator option options or order ",
        "ordinality others out outer over overlaps overlay overriding owned owner parallel ",
        "parser partial partition partitioned passing password percent persistent pivot ",
        "pivot_longer pivot_wider placing plans policy position positional pragma preceding ",
        "precision prepare prepared preserve primary prior privileges procedural procedure ",
        "program publication qualify quarter quarters quote range read real reassign recheck ",
        "recursive ref references referencing refresh reindex relative release rename ",
        "repeatable replace replica reset respect restart restrict returning returns revoke ",
        "right role rollback rollup row rows rule sample savepoint schema schemas scope ",
        "scroll search second seconds secret security select semi sequence sequences ",
        "serializable server session set setof sets share show similar simple skip smallint ",
        "snapshot some sorted source sql stable standalone start statement statistics stdin ",
        "stdout storage stored strict strip struct subscription substring summarize symmetric ",
        "sysid system table tables tablesample tablespace target temp template temporary text ",
        "then ties time timestamp to trailing transaction transform treat trigger trim true ",
        "truncate trusted try_cast type types unbounded uncommitted unencrypted union unique ",
        "unknown unlisten unlogged unpack unpivot until update use user using vacuum valid ",
        "validate validator value values varchar variable variadic varying verbose version ",
        "view views virtual volatile week weeks when where whitespace window with within ",
        "without work wrapper write xml xmlattributes xmlconcat xmlelement xmlexists ",
        "xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable year years yes ",
        "zone "};
    size_t i, n;
    const char *at;
    for (i = 0; i < TACO__COUNT(words); i++) {
        for (at = words[i]; *at; at += n + 1) {
            n = (size_t)(strchr(at, ' ') - at);
            if (n == name.len && taco__bind_names_equal(name, taco__bytes_of(at, n))) {
                return true;
            }
        }
    }
    return false;
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

/* Whether DuckDB's printer shows a function with its schema: those that have a syntax of their
   own. */
static bool taco__sql_expr_text_has_schema(const taco__sql_expr *e)
{
    static const char *const names[] = {"trim", "position", "substring", "overlay", "row"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (taco__ascii_is_word(e->name, names[i])) { return true; }
    }
    return e->tries;
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
    bool plain = s.len && !taco__lex_is_digit(s.data[0]) && !taco__sql_keywords_has(s);
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
static bool taco__sql_expr_text_case(taco__bind *b, taco__buf *out, const taco__sql_expr *e);
static bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

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

/* A type in a CAST: in quotes but for those that DuckDB's grammar knows by name. */
static bool taco__sql_expr_text_type(taco__bind *b, taco__buf *out, const taco__sql_type *t)
{
    char name[96], *p;
    taco_type id = t->t.id;
    bool bare = id == TACO_BOOL || (id >= TACO_INT16 && id <= TACO_INT64) || id == TACO_FLOAT ||
                (id == TACO_DECIMAL && t->t.precision != 39) || id == TACO_TIME ||
                id == TACO_TEXT || id == TACO_INTERVAL || id == TACO_NULL || t->count ||
                (id == TACO_TIMESTAMP && t->t.unit == TACO_MICRO && !t->t.utc);
    if (id == TACO_LIST) {
        return taco__sql_expr_text_type(b, out, &t->kids[0]) &&
               taco__sql_expr_text_append(b, out, "[]");
    }
    if (id == TACO_MAP && t->kids[0].count == 2) {
        return taco__sql_expr_text_append(b, out, "MAP(") &&
               taco__sql_expr_text_type(b, out, &t->kids[0].kids[0]) &&
               taco__sql_expr_text_append(b, out, ", ") &&
               taco__sql_expr_text_type(b, out, &t->kids[0].kids[1]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (id == TACO_STRUCT) {
        bool ok = taco__sql_expr_text_append(b, out, "STRUCT(");
        uint32_t i;
        for (i = 0; ok && i < t->count; i++) {
            ok = (!i || taco__sql_expr_text_append(b, out, ", ")) &&
                 taco__sql_expr_text_identifier(b, out, taco__bytes_text(t->names[i])) &&
                 taco__sql_expr_text_append(b, out, " ") &&
                 taco__sql_expr_text_type(b, out, &t->kids[i]);
        }
        return ok && taco__sql_expr_text_append(b, out, ")");
    }
    taco__sql_type_text(t, name, sizeof name);
    if (!bare) { return taco__lex_append_quoted(out, taco__bytes_text(name), '"', b->err); }
    p = id == TACO_DECIMAL ? strchr(name, ',') : NULL;
    if (p) {
        *p = 0;
        return taco__sql_expr_text_append(b, out, name) &&
               taco__sql_expr_text_append(b, out, ", ") &&
               taco__sql_expr_text_append(b, out, p + 1);
    }
    return taco__sql_expr_text_append(b, out, name);
}

/* Arguments of a call: named ones as name := value, keys of ORDER BY with their directions. */
static bool taco__sql_expr_text_args(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t i, args = e->n - e->sorts;
    bool ok = true;
    for (i = 0; ok && i < e->n; i++) {
        uint8_t flags = i < args ? 0 : e->sort_flags[i - args];
        ok = (!i && args) || taco__sql_expr_text_append(
                                 b, out, i == args ? (i ? " ORDER BY " : "ORDER BY ") : ", ");
        if (ok && e->kid[i]->alias.len) {
            ok = taco__sql_expr_text_identifier(b, out, e->kid[i]->alias) &&
                 taco__sql_expr_text_append(b, out, " := ");
        }
        ok = ok && taco__sql_expr_text(b, out, e->kid[i]) &&
             taco__sql_expr_text_append(b, out,
                                        flags & 1   ? " DESC"
                                        : flags & 8 ? " ASC"
                                                    : "") &&
             taco__sql_expr_text_append(b, out,
                                        flags & 2   ? " NULLS FIRST"
                                        : flags & 4 ? " NULLS LAST"
                                                    : "");
    }
    return ok;
}

/* list(x ORDER BY x), which DuckDB calls list_sort(list(x), 'ORDER_DEFAULT', 'ORDER_DEFAULT');
   *done false where e is another call. */
static bool taco__sql_expr_text_sorted_list(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                            bool *done)
{
    taco__sql_expr plain = *e;
    taco_bytes value, key;
    uint8_t flags;
    *done = false;
    if (e->n != 2 || e->sorts != 1 || !taco__ascii_is_word(e->name, "list")) { return true; }
    if (!taco__sql_expr_text_copy(b, e->kid[0], &value) ||
        !taco__sql_expr_text_copy(b, e->kid[1], &key)) {
        return false;
    }
    if (!taco__bind_names_equal(value, key)) { return true; }
    *done = true;
    plain.n = 1;
    plain.sorts = 0;
    flags = e->sort_flags[0];
    return taco__sql_expr_text_append(b, out, "list_sort(") &&
           taco__sql_expr_text_call(b, out, &plain) &&
           taco__sql_expr_text_append(b, out,
                                      flags & 1   ? ", 'DESCENDING', "
                                      : flags & 8 ? ", 'ASCENDING', "
                                                  : ", 'ORDER_DEFAULT', ") &&
           taco__sql_expr_text_append(b, out,
                                      flags & 2   ? "'NULLS FIRST')"
                                      : flags & 4 ? "'NULLS LAST')"
                                                  : "'ORDER_DEFAULT')");
}

/* Operators in parentheses, functions in lower case, some of them with their schema:
   main."trim"(x). */
static bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t i;
    const char *quote;
    bool count = e->n == 0 && taco__ascii_is_word(e->name, "count"), ok, done;
    if (e->neg) { return taco__sql_expr_text_append_bytes(b, out, e->name); } /* current_date */
    if (!taco__sql_expr_text_sorted_list(b, out, e, &done) || done) { return done; }
    /* a sign: -(a) */
    if (e->infix && e->n == 1 && e->name.data[0] == '!') { /* a factorial */
        return taco__sql_expr_text_append(b, out, "((") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")!)");
    }
    if (e->infix && e->n == 1) {
        return taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* ~ and !~ are called what they are short for */
    if (e->infix && e->n == 2 && e->name.data[e->name.len - 1] == '~' &&
        (e->name.len == 1 || taco__bytes_equal(e->name, taco__bytes_text("!~")))) {
        bool negated = e->name.len == 2;
        return taco__sql_expr_text_append(b, out, negated ? "(NOT " : "") &&
               taco__sql_expr_text_append(b, out, "regexp_full_match(") &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, negated ? "))" : ")");
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
    if (e->n == 3 && taco__ascii_is_word(e->name, "if")) {
        return taco__sql_expr_text_case(b, out, e);
    }
    if (taco__ascii_is_word(e->name, "coalesce") || taco__ascii_is_word(e->name, "ifnull")) {
        return taco__sql_expr_text_append(b, out, "COALESCE(") &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* functions: keywords in quotes, some with their schema, aggregates as they are */
    quote = taco__sql_keywords_has(e->name) ? "\"" : "";
    ok = !taco__sql_expr_text_has_schema(e) || taco__sql_expr_text_append(b, out, "main.");
    ok = ok && taco__sql_expr_text_append(b, out, quote);
    for (i = 0; ok && i < e->name.len; i++) {
        ok = taco__buf_append_char(out, (char)taco__ascii_lower(e->name.data[i]), b->err);
    }
    ok = ok && (!count || taco__sql_expr_text_append(b, out, "_star"));
    ok = ok && taco__sql_expr_text_append(b, out, quote);
    ok = ok && taco__sql_expr_text_append(b, out, e->distinct ? "(DISTINCT " : "(") &&
         taco__sql_expr_text_args(b, out, e) && taco__sql_expr_text_append(b, out, ")");
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

/* table.column: in a label as it was written, else as the tables spell both, so that x.ID and id
   are one column. */
static bool taco__sql_expr_text_column(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t table, column;
    taco_bytes name = e->name, from = e->table;
    if (!b->as_written && taco__bind_find_column(b, e, &table, &column)) {
        name = taco__bytes_text(b->tables[table].fields[column].name);
        from = b->tables[table].alias;
    }
    return (!from.len || (taco__sql_expr_text_identifier(b, out, from) &&
                          taco__sql_expr_text_append(b, out, "."))) &&
           taco__sql_expr_text_identifier(b, out, name);
}

/* CAST(x AS type); e->name is the type as it was written, where that differs from its name. */
static bool taco__sql_expr_text_cast(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    return taco__sql_expr_text_append(b, out, e->tries ? "TRY_CAST(" : "CAST(") &&
           taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, " AS ") &&
           (b->as_written && e->name.len ? taco__sql_expr_text_append_bytes(b, out, e->name)
                                         : taco__sql_expr_text_type(b, out, &e->to)) &&
           taco__sql_expr_text_append(b, out, ")");
}

/* The operands of AND or OR and of those within it, as DuckDB's parser joins them. */
static bool taco__sql_expr_text_operands(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                         bool *first)
{
    uint32_t k;
    const char *between = e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ";
    for (k = 0; k < e->n; k++) {
        if (e->kid[k]->kind == e->kind) {
            if (!taco__sql_expr_text_operands(b, out, e->kid[k], first)) { return false; }
            continue;
        }
        if ((!*first && !taco__sql_expr_text_append(b, out, between)) ||
            !taco__sql_expr_text(b, out, e->kid[k])) {
            return false;
        }
        *first = false;
    }
    return true;
}

/* (a AND b AND c) */
static bool taco__sql_expr_text_junction(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    bool first = true;
    return taco__sql_expr_text_append(b, out, "(") &&
           taco__sql_expr_text_operands(b, out, e, &first) &&
           taco__sql_expr_text_append(b, out, ")");
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

/* (a < b); neg: the opposite, which DuckDB's parser makes of NOT a < b. */
static bool taco__sql_expr_text_comparison(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                           bool neg)
{
    static const char *const ops[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    static const char *const opposites[] = {" != ", " = ", " >= ", " > ", " <= ", " < "};
    const char *sign = !e->nullsafe                    ? (neg ? opposites : ops)[e->op]
                       : (e->op == TACO__OP_EQ) != neg ? " IS NOT DISTINCT FROM "
                                                       : " IS DISTINCT FROM ";
    return taco__sql_expr_text_infix(b, out, e, sign, "", ")");
}

static bool taco__sql_expr_text_in(taco__bind *b, taco__buf *out, const taco__sql_expr *e, bool neg)
{
    return taco__sql_expr_text_infix(b, out, e, e->neg != neg ? " NOT IN (" : " IN (", ", ", "))");
}

/* (NOT a), but for what has an opposite. */
static bool taco__sql_expr_text_not(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    const taco__sql_expr *kid = e->kid[0], *last = kid;
    bool neg = true;
    for (; last->kind == TACO__SQL_EXPR_NOT; last = last->kid[0]) {
        neg = !neg;
    }
    if (last->kind == TACO__SQL_EXPR_CMP) {
        return taco__sql_expr_text_comparison(b, out, last, neg);
    }
    if (kid->kind == TACO__SQL_EXPR_IN && !kid->neg) {
        return taco__sql_expr_text_in(b, out, kid, true);
    }
    return taco__sql_expr_text_append(b, out, "(NOT ") && taco__sql_expr_text(b, out, kid) &&
           taco__sql_expr_text_append(b, out, ")");
}

/* value[index] or value[from:to]; an open end is empty. */
static bool taco__sql_expr_text_index(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t k;
    bool ok = taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[");
    for (k = 1; ok && k < e->n; k++) {
        bool open = e->kind == TACO__SQL_EXPR_SLICE && e->kid[k]->kind == TACO__SQL_EXPR_CONST &&
                    e->kid[k]->infix;
        ok = (k == 1 || taco__sql_expr_text_append(b, out, ":")) &&
             (open ? !e->kid[k]->neg || taco__sql_expr_text_append(b, out, "-")
                   : taco__sql_expr_text(b, out, e->kid[k]));
    }
    return ok && taco__sql_expr_text_append(b, out, "]");
}

/* struct.field; in a label with the parentheses that were written around the struct. */
static bool taco__sql_expr_text_field(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    bool around = b->as_written && e->tries;
    return (!around || taco__sql_expr_text_append(b, out, "(")) &&
           taco__sql_expr_text(b, out, e->kid[0]) &&
           taco__sql_expr_text_append(b, out, around ? ")." : ".") &&
           taco__sql_expr_text_identifier(b, out, e->name);
}

/* A query in an expression, as it was written. */
static bool taco__sql_expr_text_query(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const any[] = {" = ANY(",  " != ANY(", " < ANY(",
                                      " <= ANY(", " > ANY(",  " >= ANY("};
    bool member = e->op == TACO__SQL_NESTED_IN;
    const char *open = e->op == TACO__SQL_NESTED_EXISTS ? "EXISTS(" : member ? any[e->index] : "(";
    return (!member || (taco__sql_expr_text_append(b, out, e->neg ? "(NOT (" : "(") &&
                        taco__sql_expr_text(b, out, e->kid[0]))) &&
           taco__sql_expr_text_append(b, out, open) && taco__sql_query_text(b, out, e) &&
           taco__sql_expr_text_append(b, out,
                                      !member  ? ")"
                                      : e->neg ? ")))"
                                               : "))");
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
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR: return taco__sql_expr_text_junction(b, out, e);
    case TACO__SQL_EXPR_NOT: return taco__sql_expr_text_not(b, out, e);
    case TACO__SQL_EXPR_CMP: return taco__sql_expr_text_comparison(b, out, e, false);
    case TACO__SQL_EXPR_BETWEEN:
        return taco__sql_expr_text_infix(b, out, e, " BETWEEN ", " AND ", ")");
    case TACO__SQL_EXPR_IN: return taco__sql_expr_text_in(b, out, e, false);
    case TACO__SQL_EXPR_ISNULL:
        return taco__sql_expr_text_infix(b, out, e, e->neg ? " IS NOT NULL" : " IS NULL", "", ")");
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__sql_expr_text_index(b, out, e);
    case TACO__SQL_EXPR_FIELD: return taco__sql_expr_text_field(b, out, e);
    case TACO__SQL_EXPR_QUERY: return taco__sql_expr_text_query(b, out, e);
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

/* The name of a column that has no alias and is no column of a table. */
static bool taco__sql_expr_text_written(taco__bind *b, const taco__sql_expr *e, taco_bytes *out)
{
    bool ok;
    b->as_written = true;
    ok = taco__sql_expr_text_copy(b, e, out);
    b->as_written = false;
    return ok;
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
    } else if (!name.len && e->kind == TACO__SQL_EXPR_FIELD && !e->tries) {
        name = e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_TEXT) {
        if (!taco__sql_expr_text_written(b, e, &name)) { return NULL; }
    } else if (!name.len && !taco__sql_expr_text_written(b, e, &name)) {
        return NULL;
    }
    return taco__arena_text(b->arena, name, b->err);
}
/* ==== src/sql/sql_query_text.c ==== */
/* sql_query_text.c - what DuckDB calls a query in an expression: (SELECT max(v) FROM data AS d)

   The text is parsed again and written in DuckDB's form, where aliases have AS and operators
   parentheses. Queries that are more than one SELECT over tables without joins stay as they were
   written: their columns have other names than DuckDB's then, and nothing else differs. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

static bool taco__sql_query_text_append(taco__bind *b, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, b->err);
}

/* A tree, after a word. */
static bool taco__sql_query_text_tree(taco__bind *b, taco__buf *out, const char *word,
                                      const taco__sql_expr *e)
{
    taco_bytes text;
    if (e->kind == TACO__SQL_EXPR_STAR) {
        return taco__sql_query_text_append(b, out, word) && taco__buf_append_char(out, '*', b->err);
    }
    return taco__sql_query_text_append(b, out, word) && taco__sql_expr_text_copy(b, e, &text) &&
           taco__buf_append(out, text.data, text.len, b->err);
}

/* The operands of a node with their aliases, after a word. */
static bool taco__sql_query_text_list(taco__bind *b, taco__buf *out, const char *word,
                                      const taco__sql_expr *list)
{
    uint32_t i;
    bool ok = true;
    for (i = 0; ok && i < list->n; i++) {
        const taco__sql_expr *e = list->kid[i];
        ok = taco__sql_query_text_tree(b, out, i ? ", " : word, e) &&
             (!e->alias.len || (taco__sql_query_text_append(b, out, " AS ") &&
                                taco__buf_append(out, e->alias.data, e->alias.len, b->err)));
    }
    return ok;
}

/* The sort keys. */
static bool taco__sql_query_text_order(taco__bind *b, taco__buf *out, const taco__sql_select *s)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__sql_query_text_tree(b, out, i ? ", " : " ORDER BY ", s->order[i].e) &&
             (!s->order[i].desc || taco__sql_query_text_append(b, out, " DESC"));
    }
    return ok;
}

/* Whether a query is one that this file can write. */
static bool taco__sql_query_text_is_plain(const taco__sql_select *s)
{
    uint32_t i;
    for (i = 0; i < s->items->n; i++) {
        const taco__sql_expr *e = s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_STAR && (e->n || e->table.len)) { return false; }
    }
    for (i = 0; i < s->order_count; i++) {
        if (s->order[i].nulls_first) { return false; }
    }
    return s->set == TACO__SQL_SET_NONE && s->from_count < 2 && !s->from[0].query &&
           !s->group_all && !s->order_all && !s->limit_expr && !s->offset_expr;
}

/* Appends the query of e, without parentheses; false with an error. */
TACO__FN bool taco__sql_query_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    const taco__sql_nested_query *q = (const taco__sql_nested_query *)e->plan;
    const taco__sql_table_ref *f;
    char digits[24], skip[24];
    const taco__sql_select *s =
        taco__sql_parse_again(b->arena, q, b->x->c->ds->options.limits.max_depth, b->err);
    if (!s) { return false; }
    if (!taco__sql_query_text_is_plain(s)) {
        return taco__buf_append(out, e->name.data, e->name.len, b->err);
    }
    f = &s->from[0];
    digits[taco__num_format_u64(digits, s->limit)] = 0;
    skip[taco__num_format_u64(skip, s->offset)] = 0;
    return taco__sql_query_text_list(b, out, s->distinct ? "SELECT DISTINCT " : "SELECT ",
                                     s->items) &&
           (!s->from_count || (taco__sql_query_text_append(b, out, " FROM ") &&
                               taco__buf_append(out, f->name.data, f->name.len, b->err))) &&
           (!s->from_count || f->alias.data == f->name.data ||
            (taco__sql_query_text_append(b, out, " AS ") &&
             taco__buf_append(out, f->alias.data, f->alias.len, b->err))) &&
           (!s->where || taco__sql_query_text_tree(b, out, " WHERE ", s->where)) &&
           (!s->groups || taco__sql_query_text_list(b, out, " GROUP BY ", s->groups)) &&
           (!s->having || taco__sql_query_text_tree(b, out, " HAVING ", s->having)) &&
           taco__sql_query_text_order(b, out, s) &&
           (!s->has_limit || (taco__sql_query_text_append(b, out, " LIMIT ") &&
                              taco__sql_query_text_append(b, out, digits))) &&
           (!s->offset || (taco__sql_query_text_append(b, out, " OFFSET ") &&
                           taco__sql_query_text_append(b, out, skip)));
}
/* ==== src/sql/bind_type.c ==== */
/* bind_type.c - type rules: which type operands are brought to, and what comes out

   The rules are DuckDB's: a literal takes the type of what it meets, an integer that fits does not
   widen, DECIMALs get as many digits as a sum or product needs, up to 38. Each function puts the
   casts into the tree. */
/* #include "sql.h" */
/* #include "functions.h" */
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
        if (before.count && e->kid[i]->type.count
                ? !taco__bind_list_common(b, &before, &e->kid[i]->type, compare, out)
                : !taco__bind_type_common(i > first ? &held : NULL, &before, e->kid[i], compare,
                                          out)) {
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

/* NULL as an operand takes the type of the other one; two of them are BIGINTs. */
static bool taco__bind_type_null_operands(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type null = taco__sql_type_simple(TACO_INT64), t;
    uint32_t k;
    for (k = 0; k < 2; k++) {
        if (e->kid[k]->type.t.id == TACO_NULL) {
            t = e->kid[1 - k]->type.t.id == TACO_NULL ? null : e->kid[1 - k]->type;
            if (!taco__bind_type_add_cast(b, &e->kid[k], &t)) { return false; }
        }
    }
    return true;
}

/* Whole numbers, HUGEINT among them. */
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
/* ==== src/sql/bind_list.c ==== */
/* bind_list.c - binder of lists, structs and maps: types of what is put together and taken apart

   Elements of lists meet as operands of comparisons do: list_append([1], 2.5) makes a
   DECIMAL(11,1)[] of both. A list without elements, [], is one of NULL until it meets another;
   what leaves a query so is INTEGER[] (taco__bind_list_settle). Start at taco__bind_list.

   Examples: [1, 2.5] is a DECIMAL(11,1)[], as 1 + 2.5 would be a DECIMAL of so many digits;
   [1, 'x'] is an error, since the text takes the type of the number; coalesce([1], [2.5]) casts
   whole lists; {'a': 1} = {'a': 1.0} compares field by field in the common types. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* A type with one child, named "item" where it leaves a query. */
TACO__FN bool taco__bind_list_of(taco__bind *b, const taco__sql_type *element, taco__sql_type *out)
{
    taco__sql_type t = *element,
                   *kid = (taco__sql_type *)taco__arena_alloc(b->arena, sizeof *kid, b->err);
    if (!kid) { return false; }
    *kid = t;
    *out = taco__sql_type_simple(TACO_LIST);
    out->count = 1;
    out->kids = kid;
    return true;
}

/* MAP(key, value): a list of structs. */
TACO__FN bool taco__bind_list_map(taco__bind *b, const taco__sql_type *key,
                                  const taco__sql_type *value, taco__sql_type *out)
{
    static const char *const sides[] = {"key", "value"};
    static const char *const entries[] = {"entries"};
    taco__sql_type *kids = (taco__sql_type *)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    taco__sql_type k = *key, v = *value;
    if (!kids) { return false; }
    kids[0] = taco__sql_type_simple(TACO_STRUCT);
    kids[0].count = 2;
    kids[0].kids = kids + 1;
    kids[0].names = (const char **)(uintptr_t)sides;
    kids[1] = k;
    kids[2] = v;
    *out = taco__sql_type_simple(TACO_MAP);
    out->count = 1;
    out->kids = kids;
    out->names = (const char **)(uintptr_t)entries;
    return true;
}

/* *out = t with INTEGER where it has NULL. */
TACO__FN bool taco__bind_list_settle(taco__bind *b, const taco__sql_type *t, taco__sql_type *out)
{
    taco__sql_type *kids;
    uint32_t i;
    *out = t->t.id == TACO_NULL ? taco__sql_type_simple(TACO_INT32) : *t;
    if (!t->count) { return true; }
    kids = (taco__sql_type *)taco__arena_array(b->arena, t->count, sizeof *kids, b->err);
    for (i = 0; kids && i < t->count; i++) {
        if (!taco__bind_list_settle(b, &t->kids[i], &kids[i])) { return false; }
    }
    out->kids = kids;
    return kids != NULL;
}

/* Whether two struct types have the same fields by name, in the same order. */
static bool taco__bind_list_same_fields(const taco__sql_type *x, const taco__sql_type *y)
{
    uint32_t i;
    for (i = 0; i < x->count && i < y->count; i++) {
        if (x->names && y->names &&
            !taco__bind_name_is(taco__bytes_text(x->names[i]), y->names[i])) {
            return false;
        }
    }
    return x->count == y->count;
}

/* The type in which two nested types meet, child by child; false where they do not. */
TACO__FN bool taco__bind_list_common(taco__bind *b, const taco__sql_type *x,
                                     const taco__sql_type *y, bool compare, taco__sql_type *out)
{
    taco__sql_type *kids;
    uint32_t i;
    if (x->t.id != y->t.id || !x->count || !taco__bind_list_same_fields(x, y)) { return false; }
    kids = (taco__sql_type *)taco__arena_array(b->arena, x->count, sizeof *kids, b->err);
    *out = *x;
    out->kids = kids;
    for (i = 0; kids && i < x->count; i++) {
        taco__sql_expr right;
        memset(&right, 0, sizeof right);
        right.type = y->kids[i];
        if (x->kids[i].count && y->kids[i].count) {
            if (!taco__bind_list_common(b, &x->kids[i], &y->kids[i], compare, &kids[i])) {
                return false;
            }
        } else if (!taco__bind_type_common(NULL, &x->kids[i], &right, compare, &kids[i])) {
            return false;
        }
    }
    return kids != NULL;
}

/* Brings elements of lists and single values to one type, *element: operand k is a list where
   `lists` has bit k, a value where `values` has it. Operands that are NULL become typed ones. */
static bool taco__bind_list_unify(taco__bind *b, taco__sql_expr *e, uint32_t lists, uint32_t values,
                                  taco__sql_type *element)
{
    taco__sql_type t = taco__sql_type_simple(TACO_NULL), whole;
    uint32_t k;
    bool literal = true;
    taco__sql_expr *first = NULL;
    for (k = 0; k < e->n; k++) {
        taco__sql_expr item, held;
        taco__sql_type before = t;
        uint32_t bit = TACO__MIN(k, 31U);
        if (!((lists | values) >> bit & 1)) { continue; }
        item = *e->kid[k];
        if (lists >> bit & 1) {
            if (item.type.t.id == TACO_NULL) { continue; }
            if (item.type.t.id != TACO_LIST) {
                return taco__bind_type_fail_mismatch(b, e->kid[k], &item.type, &t,
                                                     "a list is expected, not");
            }
            item.type = item.type.kids[0];
            item.literal = 0;
        }
        memset(&held, 0, sizeof held);
        if (first && literal) {
            held.literal = first->literal;
            held.value = first->value;
        }
        if (before.count && item.type.count
                ? !taco__bind_list_common(b, &before, &item.type, false, &t)
                : !taco__bind_type_common(first ? &held : NULL, &before, &item, false, &t)) {
            return taco__bind_type_fail_mismatch(b, e->kid[k], &before, &item.type,
                                                 "no type for both");
        }
        if (!first) { first = e->kid[k]; }
        literal = literal && item.literal && item.literal == first->literal;
    }
    *element = t;
    if (!taco__bind_list_of(b, &t, &whole)) { return false; }
    for (k = 0; k < e->n; k++) {
        uint32_t bit = TACO__MIN(k, 31U);
        if (((lists >> bit & 1) && !taco__bind_type_add_cast(b, &e->kid[k], &whole)) ||
            ((values >> bit & 1) && !taco__bind_type_add_cast(b, &e->kid[k], &t))) {
            return false;
        }
    }
    return true;
}

/* Casts operand k to BIGINT where it is a whole number; other types are an error. */
static bool taco__bind_list_integer(taco__bind *b, taco__sql_expr *e, uint32_t k)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    const taco__sql_type *t = &e->kid[k]->type;
    if (!taco__scalar_is_int(t->t.id) && t->t.id != TACO_NULL) {
        return taco__bind_type_fail_mismatch(b, e->kid[k], t, &big,
                                             "a whole number is expected, not");
    }
    return taco__bind_type_add_cast(b, &e->kid[k], &big);
}

/* Casts operand k to text where it is one. */
static bool taco__bind_list_text(taco__bind *b, taco__sql_expr *e, uint32_t k)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    const taco__sql_type *t = &e->kid[k]->type;
    if (t->t.id != TACO_TEXT && t->t.id != TACO_NULL) {
        return taco__bind_type_fail_mismatch(b, e->kid[k], t, &text, "a text is expected, not");
    }
    return taco__bind_type_add_cast(b, &e->kid[k], &text);
}

/* A struct of the operands, named by their aliases; a row's fields have no names. */
static bool taco__bind_list_struct(taco__bind *b, taco__sql_expr *e)
{
    const char **names =
        (const char **)taco__arena_array(b->arena, e->n + 1, sizeof *names, b->err);
    taco__sql_type *kids =
        (taco__sql_type *)taco__arena_array(b->arena, e->n + 1, sizeof *kids, b->err);
    bool named = !taco__ascii_is_word(e->name, "row");
    uint32_t i, k;
    e->type = taco__sql_type_simple(TACO_STRUCT);
    e->type.count = e->n;
    e->type.kids = kids;
    e->type.names = names;
    if (!e->n) { return taco__bind_fail(b, e, "a struct has one field at least"); }
    for (i = 0; names && kids && i < e->n; i++) {
        if (named && !e->kid[i]->alias.len) {
            return taco__bind_fail(b, e->kid[i], "a field of a struct has a name: name := value");
        }
        for (k = 0; named && k < i; k++) {
            if (taco__bind_names_equal(e->kid[i]->alias, e->kid[k]->alias)) {
                return taco__bind_fail(b, e->kid[i], "two fields of a struct have one name");
            }
        }
        names[i] = taco__arena_text(b->arena, e->kid[i]->alias, b->err);
        if (!names[i]) { return false; }
        kids[i] = e->kid[i]->type;
    }
    return names && kids;
}

/* The direction of a sort that texts say, as in list_sort(l, 'DESC', 'NULLS FIRST'): constants,
   kept as the plan (sort_flags of taco__sql_expr). */
static bool taco__bind_list_order(taco__bind *b, taco__sql_expr *e, bool reverse)
{
    uint8_t *flags = (uint8_t *)taco__arena_alloc(b->arena, 1, b->err);
    uint32_t k;
    if (!flags) { return false; }
    *flags = reverse ? 1 : 0;
    for (k = 1; k < e->n; k++) {
        taco_bytes word = e->kid[k]->value.b;
        if (e->kid[k]->kind != TACO__SQL_EXPR_CONST || e->kid[k]->value.type.id != TACO_TEXT) {
            return taco__bind_fail(b, e->kid[k], "the order of a sort is a text constant");
        }
        if (k == 1 && !reverse && taco__ascii_is_word(word, "desc")) {
            *flags |= 1;
        } else if (k == 1 && !reverse && taco__ascii_is_word(word, "asc")) {
            continue;
        } else if ((k == 2 || reverse) && taco__ascii_is_word(word, "nulls first")) {
            *flags |= 2;
        } else if (!((k == 2 || reverse) && taco__ascii_is_word(word, "nulls last"))) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[k]->at, "no order of a sort: %q", &word);
            return false;
        }
    }
    e->plan = flags;
    e->n = 1; /* constants are no operands from here on */
    return true;
}

/* list_sum(list), list_aggregate(list, 'sum'): the aggregate of that name over the elements, made
   ready as the plan. */
static bool taco__bind_list_aggregate(taco__bind *b, taco__sql_expr *e, const char *name)
{
    taco__aggregate *a = (taco__aggregate *)taco__arena_alloc(b->arena, sizeof *a, b->err);
    taco_bytes what;
    uint32_t more = name ? 1 : 2;
    const taco__aggregate_name *known;
    taco__sql_type t, list;
    char shown[96];
    if (!a) { return false; }
    if (name) {
        what = taco__bytes_text(name);
    } else if (e->kid[1]->kind == TACO__SQL_EXPR_CONST && e->kid[1]->literal == 2) {
        what = e->kid[1]->value.b;
    } else {
        return taco__bind_fail(b, e->kid[1], "the name of an aggregate is a text constant");
    }
    if (e->kid[0]->type.t.id != TACO_LIST) {
        return taco__bind_type_fail_mismatch(b, e->kid[0], &e->kid[0]->type, &e->type,
                                             "a list is expected, not");
    }
    known = taco__aggregate_lookup(what);
    a->id = known ? known->id : 0;
    a->q = 0.5;
    a->args = 1;
    if (!known || known->args > 1 || e->n > more + known->most) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "no aggregate of one list is called %q", &what);
        return false;
    }
    if (!taco__bind_list_settle(b, &e->kid[0]->type, &list)) { return false; }
    a->arg = list.kids[0];
    if (e->kid[0]->type.kids[0].t.id == TACO_NULL && a->id >= TACO__AGGREGATE_BIT_AND &&
        a->id <= TACO__AGGREGATE_BIT_XOR) {
        a->arg = taco__sql_type_simple(TACO_INT64);
    }
    if (!taco__bind_aggregate_options(b, e, more, a)) { return false; }
    if (!taco__bind_aggregate_result(b, a)) {
        taco__sql_type_text(&a->arg, shown, sizeof shown);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &what, shown);
        return false;
    }
    t = a->arg;
    e->type = a->result;
    e->plan = a;
    e->n = 1;
    return taco__bind_list_of(b, &t, &list) && taco__bind_type_add_cast(b, &e->kid[0], &list);
}

/* FLOAT where one of two numbers is and none is DOUBLE; else DOUBLE. */
TACO__FN taco__sql_type taco__bind_list_float(const taco__sql_type *x, const taco__sql_type *y)
{
    bool single = (x->t.id == TACO_FLOAT && y->t.id != TACO_DOUBLE) ||
                  (y->t.id == TACO_FLOAT && x->t.id != TACO_DOUBLE);
    return taco__sql_type_simple(single ? TACO_FLOAT : TACO_DOUBLE);
}

/* Makes a call a NULL of a type, which is not evaluated. */
TACO__FN bool taco__bind_list_null(taco__bind *b, taco__sql_expr *e, taco__sql_type t)
{
    taco__sql_expr *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err);
    taco__sql_expr **at = &null;
    if (!null) { return false; }
    null->kind = TACO__SQL_EXPR_CONST;
    null->at = e->at;
    null->value = taco__scalar_make_null();
    null->type = taco__sql_type_simple(TACO_NULL);
    if (t.t.id != TACO_NULL && !taco__bind_type_add_cast(b, at, &t)) { return false; }
    *e = *null;
    return true;
}

/* list_dot_product and its kin, of two lists of numbers. */
static bool taco__bind_list_measure(taco__bind *b, taco__sql_expr *e, const char *name)
{
    taco__sql_type t = taco__sql_type_simple(TACO_FLOAT), list;
    uint32_t k;
    for (k = 0; k < 2; k++) {
        const taco__sql_type *have = &e->kid[k]->type;
        if (have->t.id != TACO_LIST ||
            (!taco__sql_type_is_number(&have->kids[0]) && have->kids[0].t.id != TACO_NULL)) {
            return taco__bind_type_fail_mismatch(b, e->kid[k], have, &t,
                                                 "a list of numbers is expected, not");
        }
    }
    t = taco__bind_list_float(&e->kid[0]->type.kids[0], &e->kid[1]->type.kids[0]);
    e->type = t;
    e->plan = name;
    return taco__bind_list_of(b, &t, &list) && taco__bind_type_add_cast(b, &e->kid[0], &list) &&
           taco__bind_type_add_cast(b, &e->kid[1], &list);
}

/* Operand 0 must be a map. */
static bool taco__bind_list_is_map(taco__bind *b, taco__sql_expr *e)
{
    return e->kid[0]->type.t.id == TACO_MAP ||
           taco__bind_type_fail_mismatch(b, e->kid[0], &e->kid[0]->type, &e->type,
                                         "a map is expected, not");
}

/* The functions of maps. */
static bool taco__bind_list_map_call(taco__bind *b, taco__sql_expr *e)
{
    const taco__sql_type *t = &e->kid[0]->type, *entry;
    if (e->func == TACO__FUNC_MAP) {
        if (e->n != 2 || t->t.id != TACO_LIST || e->kid[1]->type.t.id != TACO_LIST) {
            return taco__bind_fail(b, e, "a map is made of two lists: keys and values");
        }
        return taco__bind_list_map(b, &t->kids[0], &e->kid[1]->type.kids[0], &e->type);
    }
    if (e->func == TACO__FUNC_MAP_FROM_ENTRIES) {
        if (t->t.id != TACO_LIST || t->kids[0].t.id != TACO_STRUCT || t->kids[0].count != 2) {
            return taco__bind_fail(b, e, "a list of structs of a key and a value is expected");
        }
        entry = &t->kids[0];
        return taco__bind_list_map(b, &entry->kids[0], &entry->kids[1], &e->type);
    }
    if (!taco__bind_list_is_map(b, e)) { return false; }
    entry = &t->kids[0];
    switch (e->func) {
    case TACO__FUNC_MAP_KEYS: return taco__bind_list_of(b, &entry->kids[0], &e->type);
    case TACO__FUNC_MAP_VALUES: return taco__bind_list_of(b, &entry->kids[1], &e->type);
    case TACO__FUNC_MAP_ENTRIES: return taco__bind_list_of(b, entry, &e->type);
    case TACO__FUNC_CARDINALITY: e->type = taco__sql_type_simple(TACO_UINT64); return true;
    default: break;
    }
    /* a key that is looked up */
    if (e->func == TACO__FUNC_MAP_CONTAINS) {
        e->type = taco__sql_type_simple(TACO_BOOL);
    } else if (e->func == TACO__FUNC_MAP_VALUE) {
        e->type = entry->kids[1];
    } else if (!taco__bind_list_of(b, &entry->kids[1], &e->type)) {
        return false;
    }
    return taco__bind_type_add_cast(b, &e->kid[1], &entry->kids[0]);
}

/* range and generate_series: one to three whole numbers. */
static bool taco__bind_list_range(taco__bind *b, taco__sql_expr *e, const char *name)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    uint32_t k;
    for (k = 0; k < e->n; k++) {
        if (!taco__bind_list_integer(b, e, k)) { return false; }
    }
    e->plan = name;
    return taco__bind_list_of(b, &big, &e->type);
}

/* Functions whose lists and values meet in one element type. */
static bool taco__bind_list_elements(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t;
    switch (e->func) {
    case TACO__FUNC_LIST_VALUE:
        return taco__bind_list_unify(b, e, 0, UINT32_MAX, &t) &&
               taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_CONCAT:
    case TACO__FUNC_LIST_INTERSECT:
        return taco__bind_list_unify(b, e, UINT32_MAX, 0, &t) &&
               taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_APPEND:
        return taco__bind_list_unify(b, e, 1, 2, &t) && taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_PREPEND:
        return taco__bind_list_unify(b, e, 2, 1, &t) && taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_RESIZE:
        return taco__bind_list_integer(b, e, 1) && taco__bind_list_unify(b, e, 1, 4, &t) &&
               taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_POSITION:
        e->type = taco__sql_type_simple(TACO_INT32);
        return taco__bind_list_unify(b, e, 1, 2, &t);
    case TACO__FUNC_HAS: return taco__bind_list_unify(b, e, 1, 2, &t);
    default:                                                      /* list_has_all, list_has_any */
        if (taco__bytes_equal(e->name, taco__bytes_text("<@"))) { /* is within */
            taco__sql_expr *x = e->kid[0];
            e->kid[0] = e->kid[1];
            e->kid[1] = x;
        }
        e->type = taco__sql_type_simple(TACO_BOOL);
        return taco__bind_list_unify(b, e, 3, 0, &t);
    }
}

/* What a function takes out of its first operand, a list of any type, by whole numbers. */
static bool taco__bind_list_parts(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t, bit = taco__sql_type_simple(TACO_BOOL);
    uint32_t k;
    if (!taco__bind_list_unify(b, e, 1, 0, &t) || !taco__bind_list_of(b, &t, &e->type)) {
        return false;
    }
    if (e->func == TACO__FUNC_LIST_WHERE || e->func == TACO__FUNC_LIST_SELECT) {
        taco__sql_type which =
            e->func == TACO__FUNC_LIST_WHERE ? bit : taco__sql_type_simple(TACO_INT64);
        return taco__bind_list_of(b, &which, &t) && taco__bind_type_add_cast(b, &e->kid[1], &t);
    }
    for (k = 1; k < e->n; k++) {
        if (!taco__bind_list_integer(b, e, k)) { return false; }
    }
    return true;
}

/* Whether the lists of a call are NULLs without a type, of which it makes one. */
static bool taco__bind_list_is_null(const taco__sql_expr *e)
{
    uint32_t k;
    if (e->func == TACO__FUNC_LIST_VALUE || e->func == TACO__FUNC_STRUCT_PACK ||
        e->func == TACO__FUNC_LIST_APPEND || e->func == TACO__FUNC_LIST_PREPEND ||
        e->func == TACO__FUNC_RANGE || e->func == TACO__FUNC_SPLIT || !e->n) {
        return false;
    }
    if (e->func == TACO__FUNC_LIST_WHERE || e->func == TACO__FUNC_LIST_SELECT ||
        e->func == TACO__FUNC_MAP) {
        for (k = 0; k < e->n && e->kid[k]->type.t.id != TACO_NULL; k++) {}
        return k < e->n;
    }
    for (k = 0; k < (e->func == TACO__FUNC_LIST_CONCAT ? e->n : 1); k++) {
        if (e->kid[k]->type.t.id != TACO_NULL) { return false; }
    }
    return true;
}

/* The type of a call that is null of a NULL without a type. */
static bool taco__bind_list_null_type(taco__bind *b, const taco__sql_expr *e, taco__sql_type *out)
{
    taco__sql_type number = taco__sql_type_simple(TACO_INT32),
                   null = taco__sql_type_simple(TACO_NULL), map;
    *out = null;
    switch (e->func) {
    case TACO__FUNC_LIST_TO_TEXT: *out = taco__sql_type_simple(TACO_TEXT); return true;
    case TACO__FUNC_HAS:
    case TACO__FUNC_LIST_HAS_ALL:
    case TACO__FUNC_LIST_HAS_ANY: *out = taco__sql_type_simple(TACO_BOOL); return true;
    case TACO__FUNC_LIST_UNIQUE:
    case TACO__FUNC_CARDINALITY: *out = taco__sql_type_simple(TACO_UINT64); return true;
    case TACO__FUNC_MAP_KEYS:
    case TACO__FUNC_MAP_VALUES:
    case TACO__FUNC_MAP_EXTRACT:
    case TACO__FUNC_LIST_INTERSECT: return taco__bind_list_of(b, &null, out);
    case TACO__FUNC_MAP: return taco__bind_list_map(b, &number, &number, out);
    case TACO__FUNC_MAP_ENTRIES:
        return taco__bind_list_map(b, &null, &null, &map) &&
               taco__bind_list_of(b, &map.kids[0], out);
    default: return true;
    }
}

/* value[from:to:step] becomes list_slice(value, from, to, step). Open ends, which the plan says (1
   the first, 2 the second), are those of the list in the direction of the step. */
TACO__FN bool taco__bind_list_step(taco__bind *b, taco__sql_expr *e)
{
    uint8_t *open = (uint8_t *)taco__arena_alloc(b->arena, 1, b->err);
    uint32_t k;
    if (!open) { return false; }
    if (e->type.t.id != TACO_LIST) {
        return taco__bind_fail(b, e, "a slice with a step is one of a list");
    }
    for (k = 1; k < 3; k++) {
        taco__sql_expr *end = e->kid[k];
        if (end->kind != TACO__SQL_EXPR_CONST || end->value.type.id != TACO_NULL) { continue; }
        end->value = taco__scalar_make_int(TACO_INT64, 1);
        *open |= (uint8_t)k;
        end->type = taco__sql_type_simple(TACO_INT64);
    }
    e->kind = TACO__SQL_EXPR_CALL;
    e->func = TACO__FUNC_LIST_SLICE;
    e->name = taco__bytes_text("list_slice");
    e->plan = open;
    return taco__bind_list_parts(b, e);
}

/* Types a call of a function of lists, whose operands are bound. */
TACO__FN bool taco__bind_list(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type t, text = taco__sql_type_simple(TACO_TEXT);
    if (taco__bind_list_is_null(e)) { /* of a NULL without a type nothing else is known */
        return taco__bind_list_null_type(b, e, &t) && taco__bind_list_null(b, e, t);
    }
    switch (e->func) {
    case TACO__FUNC_STRUCT_PACK: return taco__bind_list_struct(b, e);
    case TACO__FUNC_LIST_SORT:
    case TACO__FUNC_LIST_GRADE:
        if (!taco__bind_list_order(b, e, f->part != NULL) ||
            !taco__bind_list_unify(b, e, 1, 0, &t)) {
            return false;
        }
        if (e->func == TACO__FUNC_LIST_GRADE) { t = taco__sql_type_simple(TACO_INT64); }
        return taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_AGGREGATE: return taco__bind_list_aggregate(b, e, f->part);
    case TACO__FUNC_LIST_MEASURE: return taco__bind_list_measure(b, e, f->part);
    case TACO__FUNC_LIST_UNIQUE:
        e->type = taco__sql_type_simple(TACO_UINT64);
        return taco__bind_list_unify(b, e, 1, 0, &t);
    case TACO__FUNC_LIST_POP: e->plan = f->part; /* fall through */
    case TACO__FUNC_LIST_DISTINCT:
    case TACO__FUNC_LIST_REVERSE:
    case TACO__FUNC_LIST_WHERE:
    case TACO__FUNC_LIST_SELECT:
    case TACO__FUNC_LIST_SLICE:
    case TACO__FUNC_LIST_REPEAT: return taco__bind_list_parts(b, e);
    case TACO__FUNC_FLATTEN:
        if (e->kid[0]->type.t.id != TACO_LIST || e->kid[0]->type.kids[0].t.id != TACO_LIST) {
            return taco__bind_fail(b, e, "flatten takes a list of lists");
        }
        e->type = e->kid[0]->type.kids[0];
        return true;
    case TACO__FUNC_RANGE: return taco__bind_list_range(b, e, f->part);
    case TACO__FUNC_SPLIT:
        return taco__bind_list_text(b, e, 0) && taco__bind_list_text(b, e, 1) &&
               taco__bind_list_of(b, &text, &e->type);
    case TACO__FUNC_LIST_TO_TEXT:
        e->type = text;
        return taco__bind_list_of(b, &text, &t) && taco__bind_type_add_cast(b, &e->kid[0], &t) &&
               taco__bind_list_text(b, e, 1);
    default:
        return e->func >= TACO__FUNC_MAP && e->func <= TACO__FUNC_CARDINALITY
                   ? taco__bind_list_map_call(b, e)
                   : taco__bind_list_elements(b, e);
    }
}
/* ==== src/sql/bind_aggregate.c ==== */
/* bind_aggregate.c - binder of aggregates: constants among their arguments, rows of several

   quantile_cont(x, 0.5), string_agg(x, ', ') and max(x, 3) have a constant after the value, which
   must not depend on the row. Where an aggregate takes a second value, or has an ORDER BY, the
   values and keys of a row travel as one struct, so that the rest of the query sees one column.

   Example: arg_max(id, w ORDER BY v DESC) has rows {id, w, v}, args 2 and sorts 1; list(id) has
   rows of id alone. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* The constant in casts, as 0.5::DOUBLE has it: a number stays that number. */
static const taco__sql_expr *taco__bind_aggregate_bare(const taco__sql_expr *e)
{
    while (e->kind == TACO__SQL_EXPR_CAST && taco__sql_type_is_number(&e->to)) {
        e = e->kid[0];
    }
    return e;
}

/* A constant number between 0 and 1. */
static bool taco__bind_aggregate_share(taco__bind *b, const taco__sql_expr *q, double *out)
{
    q = taco__bind_aggregate_bare(q);
    if (q->kind == TACO__SQL_EXPR_CONST && taco__scalar_is_number(q->value.type.id)) {
        *out = taco__scalar_to_double(&q->value, false);
        if (*out >= 0 && *out <= 1) { return true; }
    }
    return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
}

/* The constant argument of a quantile: a number, or a list of numbers. */
static bool taco__bind_aggregate_quantiles(taco__bind *b, const taco__sql_expr *q,
                                           taco__aggregate *a)
{
    double *qs;
    uint32_t k;
    if (q->kind != TACO__SQL_EXPR_CALL || !taco__ascii_is_word(q->name, "list_value")) {
        return taco__bind_aggregate_share(b, q, &a->q);
    }
    qs = (double *)taco__arena_array(b->arena, q->n + 1, sizeof *qs, b->err);
    for (k = 0; qs && k < q->n; k++) {
        if (!taco__bind_aggregate_share(b, q->kid[k], &qs[k])) { return false; }
    }
    a->qs = qs;
    a->q_n = q->n;
    return qs != NULL;
}

/* Reads the constants that follow the values, from operand `first` on. */
TACO__FN bool taco__bind_aggregate_options(taco__bind *b, const taco__sql_expr *e, uint32_t first,
                                           taco__aggregate *a)
{
    uint32_t last = e->n - e->sorts;
    const taco__sql_expr *c = first < last ? e->kid[first] : NULL;
    a->text = taco__bytes_text(",");
    if (a->id == TACO__AGGREGATE_CONT || a->id == TACO__AGGREGATE_DISC) {
        if (!c) { return taco__bind_fail(b, e, "a quantile takes a constant between 0 and 1"); }
        return taco__bind_aggregate_quantiles(b, c, a);
    }
    if (!c) { return true; }
    c = taco__bind_aggregate_bare(c);
    if (a->id == TACO__AGGREGATE_STRING) {
        if (c->kind != TACO__SQL_EXPR_CONST || c->value.type.id != TACO_TEXT) {
            return taco__bind_fail(b, c, "the separator is a text constant");
        }
        a->text = c->value.b;
        return true;
    }
    if (c->kind != TACO__SQL_EXPR_CONST || c->literal != 1 || (int64_t)c->value.d.w[0] < 1 ||
        (int64_t)c->value.d.w[0] >= 1000000) {
        return taco__bind_fail(b, c, "how many values: a constant from 1 to 999999");
    }
    a->top = (size_t)c->value.d.w[0];
    a->id = a->id == TACO__AGGREGATE_MAX   ? (uint8_t)TACO__AGGREGATE_TOP
            : a->id == TACO__AGGREGATE_MIN ? (uint8_t)TACO__AGGREGATE_BOTTOM
                                           : a->id;
    return true;
}

/* The type of the result, of a->arg, which may become another that the argument is cast to. False
   where the aggregate does not take it. */
TACO__FN bool taco__bind_aggregate_result(taco__bind *b, taco__aggregate *a)
{
    taco__sql_type many = taco__sql_type_simple(TACO_UINT64), t;
    if (a->arg.geo && a->id != TACO__AGGREGATE_COUNT && a->id != TACO__AGGREGATE_LIST &&
        a->id != TACO__AGGREGATE_FIRST && a->id != TACO__AGGREGATE_LAST &&
        a->id != TACO__AGGREGATE_ANY) {
        return false;
    }
    if (a->id == TACO__AGGREGATE_LIST) { return taco__bind_list_of(b, &a->arg, &a->result); }
    if (a->id == TACO__AGGREGATE_HISTOGRAM) {
        return taco__bind_list_map(b, &a->arg, &many, &a->result);
    }
    if (!taco__aggregate_set_result_type(a)) { return false; }
    t = a->result;
    return !(a->top || a->qs) || taco__bind_list_of(b, &t, &a->result);
}

/* *arg = what a row of the aggregate is: its first operand, or a struct of all values and keys,
   which are bound. Values of pairs get the type of the first one. */
TACO__FN bool taco__bind_aggregate_pack(taco__bind *b, taco__sql_expr *e, taco__aggregate *a,
                                        taco__sql_expr **arg)
{
    taco__sql_expr *pack;
    taco__sql_type *kids;
    uint32_t k, n = (uint32_t)a->args + a->sorts, last = e->n - e->sorts;
    if (!taco__bind_type_add_cast(b, &e->kid[0], &a->arg)) { return false; }
    *arg = e->kid[0];
    a->wide = n > 1;
    if (!a->wide) { return true; }
    pack = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *pack, b->err);
    kids = (taco__sql_type *)taco__arena_array(b->arena, n, sizeof *kids, b->err);
    if (!pack || !kids) { return false; }
    pack->kind = TACO__SQL_EXPR_CALL;
    pack->func = TACO__FUNC_STRUCT_PACK;
    pack->name = taco__bytes_text("struct_pack");
    pack->at = e->at;
    pack->n = n;
    pack->kid = (taco__sql_expr **)taco__arena_array(b->arena, n, sizeof *pack->kid, b->err);
    for (k = 0; pack->kid && k < n; k++) {
        taco__sql_expr **at = &e->kid[k < a->args ? k : last + k - a->args];
        taco__sql_type t;
        if (!taco__bind_list_settle(b, &(*at)->type, &t)) { return false; }
        if (k == 1 && a->args > 1 && a->id >= TACO__AGGREGATE_CORR) {
            if (!taco__sql_type_is_number(&t)) {
                return taco__bind_type_fail_mismatch(b, *at, &t, &a->arg,
                                                     "a number is expected, not");
            }
            t = a->arg;
        }
        if (t.geo || t.t.id == TACO_INTERVAL || (k && t.t.id == TACO_MAP)) {
            return taco__bind_fail(b, *at, "values of that type have no order here");
        }
        if (!taco__bind_type_add_cast(b, at, &t)) { return false; }
        pack->kid[k] = *at;
        kids[k] = t;
    }
    if (!pack->kid) { return false; }
    pack->type = taco__sql_type_simple(TACO_STRUCT);
    pack->type.count = n;
    pack->type.kids = kids;
    a->row_type = pack->type;
    *arg = pack;
    return true;
}
/* ==== src/sql/bind_call.c ==== */
/* bind_call.c - binder of calls: the function, its arguments' types, its result

   Signatures are codes in the table of functions.c ("ti" takes a text and an integer). An
   aggregate is taken out of its expression: it is computed once a group, and the expression refers
   to its column, after those of the groups. Calls that are other syntax (IF, NULLIF) become CASE
   here. */
/* #include "sql.h" */
/* #include "functions.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- calls ---- */

/* What the code of a signature (see taco__func) asks for, in words. */
static const char *taco__bind_call_wanted(char code)
{
    switch (code) {
    case 't': return "VARCHAR";
    case 'i': return "BIGINT";
    case 'f': return "a number, DATE or TIMESTAMP";
    case 'w': return "DATE or TIMESTAMP";
    case 'l': return "a list";
    case 'B': return "BLOB";
    case 'b': return "BOOLEAN";
    case 'g': return "a geometry";
    default: return "a number";
    }
}

/* A function of that name has other numbers of arguments. */
static TACO__COLD bool taco__bind_call_fail_arity(taco__bind *b, const taco__sql_expr *e)
{
    uint32_t least, most;
    taco__func_arity(e->name, &least, &most);
    if (least == most) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q takes %u argument%s, got %u", &e->name,
                   TACO__U(least), least == 1 ? "" : "s", TACO__U(e->n));
    } else if (most == 255) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q takes at least %u argument%s, got %u",
                   &e->name, TACO__U(least), least == 1 ? "" : "s", TACO__U(e->n));
    } else {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q takes %u to %u arguments, got %u", &e->name,
                   TACO__U(least), TACO__U(most), TACO__U(e->n));
    }
    return false;
}

/* Casts argument i to what the code of the function's signature asks (see taco__func), or fails
   where the type is another kind. */
static bool taco__bind_call_argument(taco__bind *b, taco__sql_expr *e, uint32_t i, char code)
{
    taco__sql_type want, *have = &e->kid[i]->type;
    bool null = have->t.id == TACO_NULL, ok;
    uint32_t k;
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
    case 'f':
        want = taco__sql_type_is_datetime(have) ? *have : taco__sql_type_simple(TACO_DOUBLE);
        ok = taco__sql_type_is_datetime(have) || taco__sql_type_is_number(have);
        break;
    case 'w':
        want = null ? taco__sql_type_simple(TACO_TIMESTAMP) : *have;
        ok = taco__sql_type_is_datetime(have);
        /* a text beside a date is one: date_diff('day', '2020-01-01', d) */
        for (k = 0; !ok && e->kid[i]->literal == 2 && k < e->n; k++) {
            if (k != i && taco__sql_type_is_datetime(&e->kid[k]->type)) {
                want = e->kid[k]->type;
                ok = true;
            }
        }
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
    case 'b':
        want = taco__sql_type_simple(TACO_BOOL);
        ok = have->t.id == TACO_BOOL;
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
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[i]->at, "%q takes %s as argument %u, got %s",
                   &e->name, taco__bind_call_wanted(code), TACO__U(i) + 1, name);
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
    bool mondays;
    if (!part) { return false; }
    if (f->part) {
        name = taco__bytes_text(f->part);
    } else if (e->kid[0]->kind == TACO__SQL_EXPR_CONST && e->kid[0]->value.type.id == TACO_TEXT) {
        name = e->kid[0]->value.b;
    } else {
        return taco__bind_fail(b, e, "the part of a date must be a text constant");
    }
    *part = taco__func_date_find_part(name);
    mondays = f->id == TACO__FUNC_DATE_DIFF && *part == TACO__DATE_PART_YEARWEEK &&
              (e->kid[1]->type.t.utc || e->kid[2]->type.t.utc);
    if (f->id != TACO__FUNC_PART && !mondays) { *part = taco__func_date_boundary(*part); }
    if (*part < 0 || (!f->part && *part >= TACO__DATE_PART_EPOCH_MS) ||
        (*part == TACO__DATE_PART_ZONE && e->kid[1]->type.t.id == TACO_DATE)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "no such part of a date here: %q", &name);
        return false;
    }
    e->plan = part;
    if (f->id == TACO__FUNC_PART) {
        bool real = *part == TACO__DATE_PART_EPOCH || *part == TACO__DATE_PART_JULIAN;
        e->type = taco__sql_type_simple(real ? TACO_DOUBLE : TACO_INT64);
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
    const taco__sql_expr *escape = e->n > 2 ? e->kid[2] : NULL;
    if (e->kid[1]->literal != 2 || (escape && (escape->literal != 2 || escape->value.b.len > 1))) {
        return true;
    }
    k = (taco__like_pattern *)taco__arena_alloc(b->arena, sizeof *k, b->err);
    if (!k) { return false; }
    k->icase = e->name.data[e->name.len - 1] == '*';
    taco__like_set_escape(k, escape ? &escape->value.b : NULL);
    e->plan = k;
    return taco__like_compile(k, b->arena, e->kid[1]->value.b, b->err);
}

/* The type of bits and divisors: that of both operands' sum, whole numbers only. gcd and lcm count
   in BIGINT at least. */
static bool taco__bind_call_integers(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t = taco__sql_type_simple(TACO_NULL), big = taco__sql_type_simple(TACO_INT64);
    uint32_t k;
    if (!taco__bind_type_unify(b, e, 0, 1, false, false, &t)) { return false; }
    if (!taco__scalar_is_int(t.t.id) && !taco__sql_type_is_hugeint(&t)) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &big,
                                             "whole numbers are expected, not");
    }
    if (e->func == TACO__FUNC_GCD || e->func == TACO__FUNC_LCM) {
        t = t.t.id == TACO_UINT64 || taco__sql_type_is_hugeint(&t) ? taco__sql_type_hugeint() : big;
    }
    e->type = t;
    for (k = 0; k < e->n; k++) {
        if (!taco__bind_type_add_cast(b, &e->kid[k], &t)) { return false; }
    }
    return true;
}

/* Functions of the bytes of a text or blob, and of whole numbers where they take them. */
static bool taco__bind_call_bytes(taco__bind *b, taco__sql_expr *e, bool numbers)
{
    taco__sql_type *t = &e->kid[0]->type, text = taco__sql_type_simple(TACO_TEXT),
                   big = taco__sql_type_simple(TACO_INT64);
    if (t->t.id == TACO_NULL) { return taco__bind_type_add_cast(b, &e->kid[0], &text); }
    if (t->t.id == TACO_TEXT || (t->t.id == TACO_BINARY && !t->geo)) { return true; }
    if (numbers && (t->t.id == TACO_UINT64 || taco__sql_type_is_hugeint(t))) { return true; }
    if (numbers && taco__scalar_is_int(t->t.id)) {
        return taco__bind_type_add_cast(b, &e->kid[0], &big);
    }
    return taco__bind_type_fail_mismatch(b, e, t, &text, "bytes are expected, not");
}

/* Whether || or concat has lists, and nothing else but NULL, as operands. */
static bool taco__bind_call_joins_lists(const taco__sql_expr *e)
{
    uint32_t i, lists = 0, nulls = 0;
    for (i = 0; i < e->n; i++) {
        lists += e->kid[i]->type.t.id == TACO_LIST;
        nulls += e->kid[i]->type.t.id == TACO_NULL;
    }
    return lists && lists + nulls == e->n;
}

/* Types concat, concat_ws and ||: texts of all arguments. || of two lists joins them, and with a
   NULL that has no type neither has the result. */
static bool taco__bind_call_concat(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    bool op = f->id == TACO__FUNC_CONCAT_OP;
    uint32_t i;
    bool lists = f->id != TACO__FUNC_CONCAT_WS && taco__bind_call_joins_lists(e);
    for (i = 0; op && i < e->n; i++) { /* a NULL without a type makes one of all */
        if (e->kid[i]->type.t.id == TACO_NULL) {
            return taco__bind_list_null(b, e, taco__sql_type_simple(TACO_NULL));
        }
    }
    if (lists) {
        e->func = TACO__FUNC_LIST_CONCAT;
        return taco__bind_list(b, e, f);
    }
    for (i = 0; i < e->n; i++) {
        if (taco__scalar_is_nested(e->kid[i]->type.t.id)) {
            return taco__bind_fail(b, e->kid[i], "lists are not put together here");
        }
        if (op && e->kid[i]->type.t.id == TACO_BINARY) {
            return taco__bind_fail(b, e->kid[i], "blobs are not put together here");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &text)) { return false; }
    }
    e->type = text;
    return true;
}

/* Functions from TACO__FUNC_LIST_VALUE on: those of a file have their ids next to each other, and
   their types are that file's; of the others the table of functions names a variant (`part`), which
   is the plan. */
static bool taco__bind_call_by_file(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    if (f->id <= TACO__FUNC_LIST_TO_TEXT) { return taco__bind_list(b, e, f); }
    if (f->id == TACO__FUNC_PRINTF || f->id == TACO__FUNC_FORMAT) {
        return taco__func_format_bind(b, e);
    }
    if (f->id >= TACO__FUNC_STRFTIME && f->id <= TACO__FUNC_TRY_STRPTIME) {
        return taco__func_strftime_bind(b, e);
    }
    if (f->id >= TACO__FUNC_GLOB && f->id <= TACO__FUNC_REGEX_ESCAPE) {
        return taco__func_regex_bind(b, e);
    }
    e->plan = f->part;
    if (f->id == TACO__FUNC_PATH_PART && e->n > 1 && e->kid[1]->kind == TACO__SQL_EXPR_CAST &&
        e->kid[1]->kid[0]->type.t.id == TACO_NULL) {
        e->n = 1; /* NULL is as if it was not there */
    }
    /* nanoseconds are a type of their own, seconds of an epoch are those of UTC */
    if (f->id == TACO__FUNC_FROM_EPOCH && f->part[0] == 'n') { e->type.t.unit = TACO_NANO; }
    if (f->id == TACO__FUNC_FROM_EPOCH && f->part[0] == 's') { e->type.t.utc = true; }
    switch (f->id) {
    case TACO__FUNC_BIT_AND:
    case TACO__FUNC_BIT_OR:
    case TACO__FUNC_XOR:
    case TACO__FUNC_BIT_NOT:
    case TACO__FUNC_SHIFT_LEFT:
    case TACO__FUNC_SHIFT_RIGHT:
    case TACO__FUNC_GCD:
    case TACO__FUNC_LCM: return taco__bind_call_integers(b, e);
    case TACO__FUNC_FACTORIAL: e->type = taco__sql_type_hugeint(); return true;
    case TACO__FUNC_BIT_COUNT:
        return taco__scalar_is_int(e->kid[0]->type.t.id) ||
               taco__sql_type_is_hugeint(&e->kid[0]->type) ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                             "whole numbers have bits, not");
    case TACO__FUNC_HEX:
    case TACO__FUNC_BIN: return taco__bind_call_bytes(b, e, true);
    case TACO__FUNC_MD5:
    case TACO__FUNC_SHA1:
    case TACO__FUNC_SHA256: return taco__bind_call_bytes(b, e, false);
    case TACO__FUNC_NEXT_AFTER:
        e->type = taco__bind_list_float(&e->kid[0]->type, &e->kid[1]->type);
        return taco__bind_type_add_cast(b, &e->kid[0], &e->type) &&
               taco__bind_type_add_cast(b, &e->kid[1], &e->type);
    default: return true;
    }
}

/* Types of functions that their signature does not say: operands of one type, results that depend
   on them. Called after the arguments were cast by the signature. */
static bool taco__bind_call_special(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    if (f->id >= TACO__FUNC_LIST_VALUE) { return taco__bind_call_by_file(b, e, f); }
    switch (f->id) {
    case TACO__FUNC_CONTAINS:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->func = TACO__FUNC_HAS;
            return taco__bind_list(b, e, f);
        }
        if (e->kid[0]->type.t.id == TACO_MAP) {
            e->func = TACO__FUNC_MAP_CONTAINS;
            return taco__bind_list(b, e, f);
        }
        return taco__bind_call_argument(b, e, 0, 't') && taco__bind_call_argument(b, e, 1, 't');
    case TACO__FUNC_REPEAT:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->func = TACO__FUNC_LIST_REPEAT;
            return taco__bind_list(b, e, f);
        }
        if (e->kid[0]->type.t.id == TACO_NULL) { /* DuckDB takes it for a blob */
            return taco__bind_list_null(b, e, taco__sql_type_simple(TACO_BINARY));
        }
        return taco__bind_call_argument(b, e, 0, 't') && taco__bind_call_argument(b, e, 1, 'i');
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__bind_type_unify(b, e, 0, 1, false, false, &e->type);
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS: return taco__bind_call_concat(b, e, f);
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
    case TACO__FUNC_HAS: return taco__bind_list(b, e, f);
    case TACO__FUNC_LIKE: return taco__bind_call_like(b, e);
    case TACO__FUNC_PART:
    case TACO__FUNC_TRUNC_DATE:
    case TACO__FUNC_DATE_DIFF:
    case TACO__FUNC_DATE_SUB: return taco__bind_call_date(b, e, f);
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
    if (e->distinct || e->filter || e->sorts) {
        return taco__bind_fail(b, e, "DISTINCT, FILTER and ORDER BY belong to aggregates");
    }
    if (!f) {
        const char *near = known ? NULL : taco__func_nearest(e->name);
        if (known) { return taco__bind_call_fail_arity(b, e); }
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "the function %q is not supported%s%s", &e->name,
                   near ? ", the nearest is " : "", near ? near : "");
        return false;
    }
    for (i = 0; f->id != TACO__FUNC_STRUCT_PACK && i < e->n; i++) {
        if (e->kid[i]->alias.len) {
            return taco__bind_fail(b, e->kid[i], "this function takes no named arguments");
        }
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
    case 'W': e->type = taco__sql_type_simple(TACO_TIMESTAMP); break;
    case 'U': e->type = taco__sql_type_simple(TACO_UINT64); break;
    case 'B': e->type = taco__sql_type_simple(TACO_BINARY); break;
    case 'T':
        e->type = taco__sql_type_simple(TACO_TIME);
        e->type.t.unit = TACO_MICRO;
        break;
    default: e->type = e->n ? e->kid[0]->type : taco__sql_type_simple(TACO_NULL); break;
    }
    return taco__bind_call_special(b, e, f);
}

/* Binds the argument and FILTER of an aggregate, to columns of rows rather than of groups
   (b->inside), and casts them to types that aggregates take: a condition to BOOLEAN, NULL to
   INTEGER. */
static bool taco__bind_call_aggregate_operands(taco__bind *b, taco__sql_expr *e, uint8_t id,
                                               uint32_t args)
{
    taco__sql_type bit = taco__sql_type_simple(TACO_BOOL), null = taco__sql_type_simple(TACO_INT32),
                   when = taco__sql_type_simple(TACO_TIMESTAMP),
                   big = taco__sql_type_simple(TACO_INT64);
    const taco__sql_type *t;
    uint32_t k;
    b->inside = true;
    for (k = 0; k < e->n; k++) { /* constants after the values are read as they are */
        if ((k < args || k >= e->n - e->sorts) && !taco__bind_expr(b, &e->kid[k])) { return false; }
    }
    if (e->filter && !taco__bind_expr(b, &e->filter)) { return false; }
    b->inside = false;
    if (e->filter && !taco__bind_type_add_cast(b, &e->filter, &bit)) { return false; }
    t = e->n ? &e->kid[0]->type : NULL;
    if (t && t->t.id == TACO_NULL) {
        if (id >= TACO__AGGREGATE_BIT_AND && id <= TACO__AGGREGATE_BIT_XOR) { null = big; }
        return taco__bind_type_add_cast(
            b, &e->kid[0], id == TACO__AGGREGATE_AND || id == TACO__AGGREGATE_OR ? &bit : &null);
    }
    if (t && taco__sql_type_has_interval(t) && (id != TACO__AGGREGATE_COUNT || e->distinct)) {
        return taco__bind_fail(b, e, "aggregates of INTERVAL are not supported");
    }
    /* DuckDB interpolates timestamps of microseconds only */
    return !(t && id == TACO__AGGREGATE_CONT && t->t.id == TACO_TIMESTAMP &&
             t->t.unit != TACO_MICRO) ||
           taco__bind_type_add_cast(b, &e->kid[0], &when);
}

/* A new aggregate, with that text, at the end of b->aggrs. */
static bool taco__bind_call_add_aggregate(taco__bind *b, taco__sql_expr *e,
                                          const taco__aggregate_name *name, taco_bytes text)
{
    taco__bind_aggregation *g;
    char shown[96];
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
    g->a.id = e->n ? name->id : (uint8_t)TACO__AGGREGATE_COUNT_STAR;
    g->a.q = 0.5;
    g->a.distinct = e->distinct;
    g->a.args = name->args;
    g->a.sorts = (uint8_t)e->sorts;
    g->a.sort_flags = e->sort_flags;
    if (!taco__bind_call_aggregate_operands(b, e, g->a.id, name->args) ||
        !taco__bind_aggregate_options(b, e, name->args, &g->a)) {
        return false;
    }
    g->filter = e->filter;
    g->a.arg = taco__sql_type_simple(TACO_DOUBLE);
    if (e->n && !taco__bind_list_settle(b, &e->kid[0]->type, &g->a.arg)) { return false; }
    if (!taco__bind_aggregate_result(b, &g->a)) {
        taco__sql_type_text(&g->a.arg, shown, sizeof shown);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &e->name, shown);
        return false;
    }
    if (e->n && !taco__bind_aggregate_pack(b, e, &g->a, &g->arg)) { return false; }
    b->aggr_count++;
    return true;
}

/* Makes e the column of an aggregate, after those of the groups. Equal aggregates, which have the
   same text, are computed once. */
static bool taco__bind_call_aggregate(taco__bind *b, taco__sql_expr *e,
                                      const taco__aggregate_name *name)
{
    taco_bytes text;
    uint32_t args = e->n - e->sorts;
    size_t i;
    if (b->inside) { return taco__bind_fail(b, e, "an aggregate inside an aggregate"); }
    if (b->no_aggr) {
        return taco__bind_fail(b, e, "an aggregate has no place in WHERE, ON or GROUP BY");
    }
    if ((args < (uint32_t)name->args + name->options || args > (uint32_t)name->args + name->most) &&
        !(name->id == TACO__AGGREGATE_COUNT && e->n == 0)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                   TACO__U(args));
        return false;
    }
    /* before it is bound: binding changes the text */
    if (!taco__sql_expr_text_copy(b, e, &text)) { return false; }
    for (i = 0; i < b->aggr_count && !taco__bytes_equal(b->aggrs[i].text, text); i++) {}
    if (i == b->aggr_count && !taco__bind_call_add_aggregate(b, e, name, text)) { return false; }
    e->kind = TACO__SQL_EXPR_REF;
    e->index = b->group_count + i;
    e->type = b->aggrs[i].a.result;
    e->n = e->sorts = 0;
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
    bool done = false;
    const taco__aggregate_name *aggr = e->infix ? NULL : taco__aggregate_lookup(e->name);
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
    if (!taco__func_clock_bind(b, e, &done) || done) { return done; }
    return taco__bind_children(b, e) && taco__bind_call_scalar(b, e);
}
/* ==== src/sql/evaluate.c ==== */
/* evaluate.c - bound expressions computed over batches of vectors

   In: a bound tree and a batch. Out: a vector with a value for each row. Operands are computed for
   all rows, but for those of CASE, COALESCE, AND and OR: a branch, or a further condition that may
   fail, is computed for the rows that need it, so that a failing cast elsewhere does no harm.
   Conditions are three-valued: a null is neither
   true nor false. Start at taco__evaluate_expr.

   Example: in CASE WHEN b <> 0 THEN a // b ELSE 0 END the condition is computed for all rows,
   a // b for those where it is true, and the results are put together in the rows' order. */
/* #include "sql.h" */
/* #include "functions.h" */
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

static bool taco__evaluate_condition(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);

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
            (!last && !(cases ? taco__evaluate_condition(&part, e->kid[k], &v)
                              : taco__evaluate_expr(&part, e->kid[k], &v)))) {
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
    static const taco__sql_type bit = {
        {TACO_BOOL, TACO_SECOND, false, 0, 0}, false, 0, NULL, NULL, false};
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
   Row i of v is row idx[i] of out, NULL for the same. One operand that decides (false for AND, true
   for OR) wins over null, which wins over the other value: NULL AND false is false, NULL AND true
   is null. */
static void taco__evaluate_merge_and_or(taco__vec *out, const taco__vec *v, const uint32_t *idx,
                                        bool any)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        size_t k = idx ? idx[i] : i;
        bool ok = taco__vec_is_valid(v, i), x = ok && v->v.i[i * v->step];
        bool was_ok = out->valid[k], was = was_ok && out->v.i[k];
        if ((was_ok && was == any) || (ok && x == any)) {
            out->v.i[k] = any;
            out->valid[k] = 1;
        } else if (!ok || !was_ok) {
            out->valid[k] = 0;
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

/* Whether computing a tree may end the query for some value: casts and most functions. What may not
   is computed for all rows of a batch, which costs less than choosing rows. */
static bool taco__evaluate_may_fail(const taco__sql_expr *e)
{
    uint32_t k;
    const taco__sql_type *from = e->n ? &e->kid[0]->type : NULL;
    if (e->kind == TACO__SQL_EXPR_CAST && !e->tries && e->to.t.id != TACO_TEXT &&
        !(e->to.t.id == TACO_DOUBLE && taco__sql_type_is_number(from))) {
        return true;
    }
    if (e->kind == TACO__SQL_EXPR_CALL && e->func != TACO__FUNC_LENGTH &&
        e->func != TACO__FUNC_STRLEN && e->func != TACO__FUNC_STARTS &&
        e->func != TACO__FUNC_ENDS && e->func != TACO__FUNC_CONTAINS &&
        !(e->func == TACO__FUNC_LIKE && e->plan)) {
        return true;
    }
    for (k = 0; k < e->n; k++) {
        if (taco__evaluate_may_fail(e->kid[k])) { return true; }
    }
    return false;
}

/* The rows that an AND (any = false) or OR has not decided yet, in idx; returns their number.
   tested: only the rows that are true in the end matter, so that a null decides an AND as false
   does. */
static size_t taco__evaluate_undecided(const taco__vec *v, bool any, bool tested, uint32_t *idx)
{
    size_t i, m = 0;
    for (i = 0; i < v->n; i++) {
        bool decided = v->valid[i] ? (v->v.i[i] != 0) == any : tested && !any;
        if (!decided) { idx[m++] = (uint32_t)i; }
    }
    return m;
}

/* AND and OR of any number of conditions. One that may fail is computed for the rows alone that
   those before it have not decided: in n LIKE '1%' AND CAST(n AS INTEGER) > 9 no other n is cast.
   tested: as taco__evaluate_condition. */
static bool taco__evaluate_and_or(taco__sql_batch *c, const taco__sql_expr *e, bool tested,
                                  taco__vec *out)
{
    bool any = e->kind == TACO__SQL_EXPR_OR;
    uint32_t k, *idx = NULL;
    size_t m;
    if (!taco__evaluate_init_flags(c, e, !any, out)) { return false; }
    for (k = 0; k < e->n; k++) {
        taco__sql_batch part = *c;
        taco__vec v;
        m = c->n;
        if (k && taco__evaluate_may_fail(e->kid[k])) {
            idx =
                idx ? idx : (uint32_t *)taco__arena_array(c->arena, c->n + 1, sizeof *idx, c->err);
            if (!idx) { return false; }
            m = taco__evaluate_undecided(out, any, tested, idx);
            if (!m) { continue; }
            if (m < c->n && !taco__evaluate_subset(c, idx, m, &part)) { return false; }
        }
        if (!(tested ? taco__evaluate_condition(&part, e->kid[k], &v)
                     : taco__evaluate_expr(&part, e->kid[k], &v))) {
            return false;
        }
        v.n = m;
        taco__evaluate_merge_and_or(out, &v, m < c->n ? idx : NULL, any);
    }
    return true;
}

/* A condition of which only the rows where it is true matter, as in WHERE and CASE: false and null
   may be taken for each other. */
static bool taco__evaluate_condition(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    return e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR
               ? taco__evaluate_and_or(c, e, true, out)
               : taco__evaluate_expr(c, e, out);
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
        one.n = c->n;
        taco__evaluate_merge_and_or(out, &one, NULL, in);
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
    case TACO__SQL_EXPR_OR: return taco__evaluate_and_or(c, e, false, out);
    case TACO__SQL_EXPR_NOT:
    case TACO__SQL_EXPR_ISNULL: return taco__evaluate_is_null(c, e, out);
    case TACO__SQL_EXPR_CMP:
        return taco__evaluate_expr(c, e->kid[0], &a) && taco__evaluate_expr(c, e->kid[1], &b) &&
               taco__evaluate_comparison(c, &a, &b, e->op, e->nullsafe, out);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN: return taco__evaluate_in_or_between(c, e, out);
    case TACO__SQL_EXPR_FIELD: return taco__evaluate_field(c, e, out);
    case TACO__SQL_EXPR_VALUE: return taco__subquery_value(c, e, out);
    case TACO__SQL_EXPR_MEMBER: return taco__subquery_contains(c, e, out);
    default: return false;
    }
}

/* The rows for which a condition is true, ascending; their number into *n. NULL on failure. */
TACO__FN uint32_t *taco__evaluate_filter(taco__sql_batch *c, const taco__sql_expr *e, size_t *n)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *idx, c->err);
    taco__vec v;
    size_t i, m = 0;
    if (!idx || !taco__evaluate_condition(c, e, &v)) { return NULL; }
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

/* Leaves the rows of a batch that pass the conditions of WHERE which are tested at table t: those
   that need no other (alone), or the rest. One by one, each on the rows that those before left. */
TACO__FN bool taco__operator_test(taco__executor *x, size_t t, bool alone, taco__vec *cols,
                                  size_t *n)
{
    taco__sql_batch calc, part;
    size_t i, m;
    for (i = 0; *n && i < x->where_count; i++) {
        uint32_t *idx;
        if (x->where_at[i] != t || x->where_alone[i] != alone) { continue; }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, *n);
        idx = taco__evaluate_filter(&calc, x->where[i], &m);
        if (!idx) { return false; }
        if (m < *n) {
            if (!taco__evaluate_subset(&calc, idx, m, &part)) { return false; }
            memcpy(cols, part.cols, x->b.column_count * sizeof *cols);
            *n = m;
        }
    }
    return true;
}

/* A batch of joined rows that pass WHERE; *n 0 with *end at the end, and without when none of a
   batch passed. */
static bool taco__operator_filter(taco__executor *x, taco__vec **out, size_t *n, bool *end)
{
    taco_error *err = taco__operator_err(x);
    size_t t = taco__hash_join_waiting(x);
    taco__vec *cols =
        (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
    if (!cols) { return false; }
    *n = 1; /* rows that wait go on first */
    *end = false;
    if (!t) {
        if (!taco__operator_scan(x, 0, cols, n)) { return false; }
        *end = *n == 0;
        if (!taco__operator_test(x, 0, false, cols, n)) { return false; }
        t = 1;
    }
    /* each table joins its rows to those of the tables before it */
    for (; *n && t < x->b.table_count; t++) {
        if (!taco__hash_join_run(x, t, &cols, n) || !taco__operator_test(x, t, false, cols, n)) {
            return false;
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
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        taco__arena_free(&x->joins[i].held);
    }
    taco__arena_free(&x->batch);
    taco__arena_free(&x->hold[0]);
    taco__arena_free(&x->hold[1]);
}
/* ==== src/sql/hash_join.c ==== */
/* hash_join.c - hash joins: [LEFT] JOIN ... ON, CROSS JOIN

   The right table is read whole and hashed by its keys before the first row comes out; each batch
   of the left side then looks its rows up. Pairs of row numbers are made first, conditions of ON
   other than equalities thin them out, and the columns are gathered last. NULL keys match
   nothing, but for IS NOT DISTINCT FROM. SEMI and ANTI JOIN only ask whether a row has a pair.
   Without an equality all rows are in one chain, and every
   pair is made. Where the rows of a batch meet many, the batch goes through in pieces, so that
   memory does not grow with the product: the join keeps it (taco__hash_join.held) until all its
   rows are joined, before another is read.

   Example: of ON a.id = b.id AND a.v < b.v the equality is the key of the hash table, and a.v < b.v
   is computed for the pairs that it finds. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* Pairs that are made at once: a batch of the left side with more goes through in pieces. */
#define TACO__HASH_JOIN_PAIRS ((size_t)1 << 18)

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
        if (!taco__operator_test(x, t, true, cols, &n)) { return false; }
        if (!taco__hash_join_add_batch(x, t, keys, cols, n)) { return false; }
    }
    for (i = 0; i < j->keys; i++) {
        j->key_cols[i] = keys[i].v;
    }
    return taco__hash_join_index(x, j);
}

/* Whether a key of row i is null, so that it meets no row; nulls of nullsafe keys meet nulls. */
static bool taco__hash_join_has_null_key(const taco__hash_join *j, const taco__vec *keys, size_t i)
{
    size_t k;
    for (k = 0; k < j->keys; k++) {
        if (!j->nullsafe[k] && !taco__vec_is_valid(&keys[k], i)) { return true; }
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

/* Pairs of the rows [from, to) that pass the rest of ON; rows of the left side that lose all theirs
   come with none, when outer. */
static bool taco__hash_join_filter_pairs(taco__executor *x, size_t t, size_t from, size_t to,
                                         taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    uint32_t *left = (uint32_t *)(void *)l->data, *right = (uint32_t *)(void *)r->data, *idx;
    size_t n = l->len / sizeof *left, m = 0, i, k;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    taco__sql_batch calc;
    uint8_t *hit = (uint8_t *)taco__arena_alloc(&x->batch, to - from + 1, taco__operator_err(x));
    if (!out || !hit || !taco__hash_join_combine(x, t, j->input, left, right, n, out)) {
        return false;
    }
    taco__operator_init_batch(x, &calc, out, x->b.column_count, n);
    idx = taco__evaluate_filter(&calc, j->rest, &m);
    if (!idx) { return false; }
    /* pairs that pass the rest of ON; rows of the left side that lost all of theirs come back with
       nulls where the join is LEFT */
    for (i = k = 0; i < m; i++) {
        if (right[idx[i]] != TACO__VEC_NONE) {
            left[k] = left[idx[i]];
            right[k++] = right[idx[i]];
            hit[left[k - 1] - from] = 1;
        }
    }
    l->len = r->len = k * sizeof *left;
    for (i = from; j->outer && i < to; i++) {
        if (!hit[i - from] && !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}

/* Takes a batch of the left side: its keys and their hashes. */
static bool taco__hash_join_begin(taco__executor *x, size_t t, taco__vec *cols, size_t n)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__sql_batch calc;
    size_t k;
    j->input_keys = (taco__vec *)taco__arena_array(&x->batch, j->keys, sizeof(taco__vec), err);
    j->input_hashes = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof(uint64_t), err);
    if (!j->input_keys || !j->input_hashes) { return false; }
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    for (k = 0; k < j->keys; k++) {
        if (!taco__evaluate_expr(&calc, j->left[k], &j->input_keys[k])) { return false; }
        taco__vec_hash(&j->input_keys[k], j->input_hashes);
    }
    j->input = cols;
    j->input_n = n;
    j->input_at = 0;
    return true;
}

/* The pairs of a row of the left side: rows of the right table that have its keys, one of them
   where it is enough that there is one, or none where LEFT keeps the row. */
static bool taco__hash_join_probe_row(taco__executor *x, taco__hash_join *j, size_t i, taco__buf *l,
                                      taco__buf *r)
{
    uint64_t h = j->input_hashes[i];
    uint32_t row = j->heads[(size_t)h & (j->slots - 1)];
    bool any = false, one = (j->semi || j->anti) && !j->rest;
    if (taco__hash_join_has_null_key(j, j->input_keys, i)) { row = 0; }
    /* hashes say where to look, keys whether it is a match */
    for (; row && !(any && one); row = j->next[row - 1]) {
        if (j->hashes[row - 1] == h &&
            taco__vec_equal(j->key_cols, row - 1, j->input_keys, i, j->keys)) {
            any = true;
            if (!taco__hash_join_add_pair(x, l, r, (uint32_t)i, row - 1)) { return false; }
        }
    }
    return any || !j->outer || taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE);
}

/* SEMI and ANTI: makes the pairs of the rows [from, to) those of them that have a pair, or that
   have none. */
static bool taco__hash_join_find_rows(taco__executor *x, size_t t, size_t from, size_t to,
                                      taco__buf *l, taco__buf *r)
{
    const taco__hash_join *j = &x->joins[t];
    const uint32_t *left = (const uint32_t *)(const void *)l->data,
                   *right = (const uint32_t *)(const void *)r->data;
    uint8_t *hit = (uint8_t *)taco__arena_alloc(&x->batch, to - from + 1, taco__operator_err(x));
    size_t i, pairs = l->len / sizeof *left;
    if (!hit) { return false; }
    for (i = 0; i < pairs; i++) {
        if (right[i] != TACO__VEC_NONE) { hit[left[i] - from] = 1; }
    }
    l->len = r->len = 0;
    for (i = from; i < to; i++) {
        if ((hit[i - from] != 0) == j->semi &&
            !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}

/* The pairs of the rows that are left of the batch, as many rows as have TACO__HASH_JOIN_PAIRS; at
   least one. */
static bool taco__hash_join_find_pairs(taco__executor *x, size_t t, taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    size_t from = j->input_at, to = from;
    while (to < j->input_n && l->len / sizeof(uint32_t) < TACO__HASH_JOIN_PAIRS) {
        if (!taco__hash_join_probe_row(x, j, to++, l, r)) { return false; }
    }
    j->input_at = to;
    /* the batch stays for what is left of it, and what comes out is emptied before the next */
    if (from == 0 && to < j->input_n) {
        taco__arena batch = j->held;
        j->held = x->batch;
        x->batch = batch;
        taco__arena_reset(&x->batch);
    }
    if (j->rest && !taco__hash_join_filter_pairs(x, t, from, to, l, r)) { return false; }
    return (!j->semi && !j->anti) || taco__hash_join_find_rows(x, t, from, to, l, r);
}

/* The last join that has rows left of its batch, so that it goes on before any row is read; 0 where
   none has. */
TACO__FN size_t taco__hash_join_waiting(const taco__executor *x)
{
    size_t t = x->b.table_count;
    while (t-- > 1) {
        if (x->joins[t].input_at < x->joins[t].input_n) { return t; }
    }
    return 0;
}

/* Joins table t to a batch, or to what is left of the one before; *n may come out 0. */
TACO__FN bool taco__hash_join_run(taco__executor *x, size_t t, taco__vec **cols, size_t *n)
{
    taco__hash_join *j = &x->joins[t];
    taco__buf l, r;
    taco__vec *out = NULL;
    bool ok = j->input_at < j->input_n || taco__hash_join_begin(x, t, *cols, *n);
    memset(&l, 0, sizeof l);
    memset(&r, 0, sizeof r);
    l.mem = r.mem = x->c->mem;
    ok = ok && taco__hash_join_find_pairs(x, t, &l, &r);
    if (ok) {
        out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                             taco__operator_err(x));
    }
    ok = out && taco__hash_join_combine(x, t, j->input, (const uint32_t *)(const void *)l.data,
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
/* #include "../arrow/arrow.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* ---- tables ---- */

/* Whether FROM names the view. */
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t)
{
    return x->base && !x->s.from[t].query && taco__ascii_is_word(x->s.from[t].name, "data");
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
    out->merged = (bool *)taco__arena_alloc(arena, count + 1, err);
    out->by_name = NULL;
    out->count = count;
    out->visible = visible;
    out->fields = fields;
    out->types = types;
    return out->merged && fields && types && out->place;
}

/* Makes the columns of the table in FROM known: those of the view, or those that a cursor on the
   level would have. Such a cursor is opened without containers: nothing but schemas is read. */
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t)
{
    taco__sql_table_ref *f = &x->s.from[t];
    taco__bind_table *out = &x->b.tables[t];
    taco_error *err = taco__operator_err(x);
    taco__select_options opt;
    taco_cursor *probe;
    const taco_field *fields;
    size_t i;
    bool ok;
    if (f->level && f->level >= taco_levels(x->c->ds)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "there is no table %q: the deepest level is %u",
                   &f->name, TACO__U(taco_levels(x->c->ds) - 1));
        return false;
    }
    for (i = 0; i < t; i++) {
        if (f->alias.len && taco__bind_names_equal(f->alias, x->s.from[i].alias)) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "two tables are called %q: give one an alias",
                       &f->alias);
            return false;
        }
    }
    out->alias = f->alias;
    if (f->query) {
        x->scans[t] = taco__subquery_open(x, f->query);
        fields = x->scans[t] ? taco__subquery_fields(x, t, x->scans[t]->columns.fields,
                                                     x->scans[t]->columns.count)
                             : NULL;
        return fields && taco__planner_bind_columns(x, out, fields, x->scans[t]->columns.count,
                                                    x->scans[t]->columns.count);
    }
    if (taco__planner_is_source(x, t)) {
        f->level = x->base->level;
        f->flat = x->base->flat;
        return taco__planner_bind_columns(x, out, x->base->fields, x->base->count,
                                          x->base->visible);
    }
    memset(&opt, 0, sizeof opt);
    opt.shows_hidden = opt.whole = true;
    probe = taco__select_columns(x->c->ds, f->level, f->flat, &opt, err);
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
    up = taco__bind_name_is(e->kid[0]->name, TACO__PARENT_ID) &&
         taco__bind_name_is(e->kid[1]->name, "internal:current_id");
    down = taco__bind_name_is(e->kid[1]->name, TACO__PARENT_ID) &&
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
    bool several = on && on->kind == TACO__SQL_EXPR_AND;
    size_t i, count = several ? on->n : on != NULL;
    taco__sql_expr **list = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, count * 3 + 1, sizeof *list, taco__operator_err(x));
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
    j->nullsafe[j->keys] = e->nullsafe;
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
    j->nullsafe = (bool *)taco__arena_array(arena, n, sizeof *j->nullsafe, err);
    if (!rest || !j->left || !j->right || !j->nullsafe) { return NULL; }
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
    j->semi = x->s.from[t].semi;
    j->anti = x->s.from[t].anti;
    j->outer = x->s.from[t].left && !j->semi && !j->anti;
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
    x->b.tables[t].hidden = j->semi || j->anti;
    j->rest = rest->n ? rest : NULL;
    return true;
}

/* Says where in the joins each condition of WHERE is tested: as soon as its tables are there. */
static bool taco__planner_place_where(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t i;
    x->where_at = (uint8_t *)taco__arena_alloc(&x->c->arena, x->where_count + 1, err);
    x->where_alone = (bool *)taco__arena_alloc(&x->c->arena, x->where_count + 1, err);
    if (!x->where_at || !x->where_alone) { return false; }
    for (i = 0; i < x->where_count; i++) {
        uint32_t bits = taco__planner_tables_of(x, x->where[i]);
        while (bits >> x->where_at[i] > 1) {
            x->where_at[i]++;
        }
        x->where_alone[i] = x->where_at[i] && bits == (uint32_t)1 << x->where_at[i] &&
                            !x->s.from[x->where_at[i]].left;
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
    opt.whole = true;
    opt.plan_only = x->plan_only;
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
    if (!n && table->count) { items[n++].name = table->fields[table->count - 1].name; }
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
    if (x->plan_only) { return true; }
    /* it may have limits of its own */
    if (taco__planner_is_source(x, 0) || x->s.from[0].query) {
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
    taco__field_index names;
    size_t i, n, count;
    taco_error *err = taco__operator_err(x);
    taco__planner_list_filters(pushed, t, filters, &count);
    if (!taco__planner_list_columns(x, t, &select)) { return false; }
    n = x->scan_count[t];
    if (!x->scans[t]) { x->scans[t] = taco__planner_open_rows(x, t, &select, filters, count); }
    c = x->scans[t];
    x->scan_from[t] = (size_t *)taco__arena_array(&x->c->arena, n + 1, sizeof **x->scan_from, err);
    if (!c || !x->scan_from[t]) { return false; }
    /* a view's cursor may have more of them */
    taco__field_index_init(&names, c->columns.fields, c->columns.count + c->columns.hidden, c->mem);
    for (i = 0; i < n; i++) {
        const taco__bind_column *want = &x->b.columns[x->scan_cols[t][i]];
        if (x->s.from[t].query) { /* its columns may have other names here */
            x->scan_from[t][i] = want->column;
            continue;
        }
        x->scan_from[t][i] =
            taco__field_index_find(&names, x->b.tables[t].fields[want->column].name);
    }
    taco__field_index_free(&names);
    return n || t || taco__planner_count_rows(x);
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
        if (x->s.from[i].on) { taco__bind_qualify(&x->b, x->s.from[i].on); }
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
                 !x->where_count && !x->base && !x->extra_count && !x->plan_only &&
                 !x->s.from[0].query && !taco__planner_has_mixed_types(x);
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
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_join_merge(x, i)) { return false; }
    }
    if (!taco__planner_output_expand_stars(x)) { return false; }
    if (!taco__planner_join_reorder(x) || !taco__planner_join_take_where(x)) { return false; }
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_plan_join(x, i)) { return false; }
    }
    /* WHERE, GROUP BY and HAVING see the aliases of all items */
    x->b.aliases = x->b.source_count;
    if (!taco__pushdown_split_where(x, pushed) || !taco__planner_place_where(x) ||
        !taco__planner_output_bind_groups(x)) {
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

/* Makes an empty plan for a cursor, which is a SELECT's from here on: closing it closes the plan.
   NULL without memory. */
TACO__FN taco__executor *taco__planner_new(taco_cursor *c)
{
    taco__executor *x = (taco__executor *)taco__arena_alloc(&c->arena, sizeof *x, &c->err);
    size_t i;
    if (!x) { return NULL; }
    x->c = c;
    x->batch.mem = x->hold[0].mem = x->hold[1].mem = c->mem;
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        x->joins[i].held.mem = c->mem;
    }
    x->b.arena = &c->arena;
    x->b.err = &c->err;
    x->b.s = &x->s;
    x->b.x = x;
    c->producer.state = x;
    c->producer.next = taco__planner_cursor_next;
    c->producer.end = taco__planner_cursor_end;
    return x;
}

/* Makes the plan of a cursor and parses the text into it; NULL on failure. The text is copied:
   trees borrow from it. */
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql)
{
    size_t len = TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1);
    char *text = taco__arena_text(&c->arena, taco__bytes_of(sql, len), &c->err);
    taco__executor *x = text ? taco__planner_new(c) : NULL;
    return x && taco__sql_parse(&c->arena, text, len, c->ds->options.limits.max_depth, &x->s,
                                &c->err)
               ? x
               : NULL;
}

/* Computes a LIMIT or OFFSET that is an expression: NULL leaves *rows as it is and *given false. */
static bool taco__planner_count_limit(taco__executor *x, taco__sql_expr *e, uint64_t *rows,
                                      bool *given)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    taco__sql_batch one;
    taco__vec v;
    taco__bind alone = x->b; /* sees no column, no alias and no group */
    bool ok;
    alone.table_count = alone.aliases = alone.group_count = 0;
    alone.grouped = false;
    alone.no_aggr = true;
    ok = taco__bind_expr(&alone, &e) && taco__bind_type_add_cast(&alone, &e, &big);
    taco__operator_init_batch(x, &one, NULL, 0, 1);
    if (!ok || !taco__evaluate_expr(&one, e, &v)) { return false; }
    *given = taco__vec_is_valid(&v, 0);
    if (*given && v.v.i[0] < 0) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
                   "a number of rows is not negative: %d", TACO__D(v.v.i[0]));
        return false;
    }
    *rows = *given ? (uint64_t)v.v.i[0] : *rows;
    return true;
}

/* Plans the SELECT that taco__planner_init parsed, and opens it. OFFSET and LIMIT are the scan's
   where rows come out as they are stored. */
TACO__FN bool taco__planner_run(taco__executor *x)
{
    taco__pushdown *pushed = taco__pushdown_new(x);
    bool given, ok = pushed && taco__planner_plan(x, pushed);
    ok = ok && (!x->s.limit_expr ||
                taco__planner_count_limit(x, x->s.limit_expr, &x->s.limit, &x->s.has_limit));
    ok = ok && (!x->s.offset_expr ||
                taco__planner_count_limit(x, x->s.offset_expr, &x->s.offset, &given));
    /* without FROM there is one row of no columns */
    if (!x->s.from_count) {
        x->is_bare = true;
        x->bare = 1;
    }
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
/* #include "functions.h" */
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
    if (f->left || f->query || (taco__planner_is_source(x, table) && !x->base->pushes)) {
        return TACO__NONE;
    }
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

/* Whether an operator is one of LIKE's; ~, !~ and ~~~ are those of other patterns. */
static bool taco__pushdown_is_like(taco_bytes name)
{
    static const char *const names[] = {"~~", "!~~", "~~*", "!~~*"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(names[i]))) { return true; }
    }
    return false;
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
        return e->infix && e->n == 2 && taco__pushdown_is_like(e->name) && f->type == TACO_TEXT &&
                       e->kid[1]->kind == TACO__SQL_EXPR_CONST &&
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
/* #include "functions.h" */
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

/* Whether EXCLUDE of a star names the column, with its table or without; notes that it was
   found. */
static bool taco__planner_output_is_excluded(const taco__sql_expr *star, taco_bytes table,
                                             const char *name)
{
    uint32_t k;
    for (k = 0; k < star->n; k++) {
        const taco__sql_expr *e = star->kid[k];
        if (taco__bind_name_is(e->name, name) &&
            (!e->table.len || taco__bind_names_equal(e->table, table))) {
            break;
        }
    }
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
    if (!x->b.table_count) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, star->at, "* needs a FROM");
        return false;
    }
    for (t = 0; t < x->b.table_count; t++) {
        const taco__bind_table *table = &x->b.tables[t];
        if (x->s.from[t].semi || x->s.from[t].anti) { continue; }
        if (star->table.len && !taco__bind_names_equal(star->table, table->alias)) { continue; }
        any = true;
        for (c = 0; c < table->visible; c++) {
            const char *name = table->fields[c].name;
            taco__sql_expr *col;
            if (!star->table.len && table->merged && table->merged[c]) { continue; }
            if (taco__planner_output_is_excluded(star, table->alias, name)) { continue; }
            col = taco__planner_output_new_column(x, star->at, table->alias, name);
            if (!col) { return false; }
            col->func = (uint32_t)t;
            col->index = c + 1;
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

/* Whether groups and results may have the type: a SYNTAX error that names it where they may not. */
static bool taco__planner_output_check_type(taco__executor *x, const taco__sql_expr *e)
{
    char name[96];
    if (!taco__sql_type_has_interval(&e->type)) { return true; }
    taco__sql_type_text(&e->type, name, sizeof name);
    TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
               "results of type %s are not supported", name);
    return false;
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
        taco__sql_type settled;
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
        if (!taco__bind_list_settle(b, &copy->type, &settled) ||
            !taco__bind_type_add_cast(b, &copy, &settled)) {
            return false;
        }
        if (!taco__planner_output_check_type(x, copy)) { return false; }
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
        if (!at && o->e->kind == TACO__SQL_EXPR_CONST) {
            if (o->e->value.type.id == TACO_BOOL) { continue; }
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, o->e->at,
                       "ORDER BY a literal orders nothing: write a column or its number");
            return false;
        }
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
        if (t->geo || taco__sql_type_has_interval(t)) {
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
    x->untyped = (bool *)taco__arena_alloc(&x->c->arena, b->source_count + 1, err);
    for (i = 0; x->items && x->untyped && i < b->source_count; i++) {
        taco__sql_expr *copy = taco__planner_output_copy(x, b->sources[i]);
        taco__sql_type settled;
        b->aliases = i;
        if (!copy || !taco__bind_expr(b, &copy)) { return false; }
        x->untyped[i] = copy->type.t.id == TACO_NULL;
        if (!taco__bind_list_settle(b, &copy->type, &settled) ||
            !taco__bind_type_add_cast(b, &copy, &settled)) {
            return false;
        }
        if (!taco__planner_output_check_type(x, copy)) { return false; }
        x->items[i] = copy;
    }
    x->item_count = x->width = b->source_count;
    b->aliases = b->source_count;
    return x->items && x->untyped;
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
/* ==== src/sql/planner_join.c ==== */
/* planner_join.c - planner of conditions of joins that are not written with ON

   USING and NATURAL become equalities of the columns of one name, of which `*` then shows the
   first. Equalities of WHERE between tables that a comma or CROSS JOIN put together become keys of
   that join, as FROM a, b WHERE a.x = b.x is the older way to write JOIN ... ON: the product of the
   tables is not made then. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* ---- USING and NATURAL ---- */

/* A column by its place, which no name has to find. */
static taco__sql_expr *taco__planner_join_column(taco__executor *x, size_t t, size_t c, size_t at)
{
    taco__sql_expr *e =
        (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *e, taco__operator_err(x));
    if (e) {
        e->kind = TACO__SQL_EXPR_COLUMN;
        e->at = at;
        e->table = x->b.tables[t].alias;
        e->name = taco__bytes_text(x->b.tables[t].fields[c].name);
        e->func = (uint32_t)t;
        e->index = c + 1;
        e->depth = 1;
    }
    return e;
}

/* Adds a condition to ON of table t. */
static bool taco__planner_join_add(taco__executor *x, size_t t, taco__sql_expr *e)
{
    taco__sql_expr **on = &x->s.from[t].on, *all = *on;
    taco_error *err = taco__operator_err(x);
    if (!all) {
        *on = e;
        return true;
    }
    all = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *all, err);
    if (!all) { return false; }
    all->kind = TACO__SQL_EXPR_AND;
    all->at = e->at;
    all->n = (*on)->kind == TACO__SQL_EXPR_AND ? (*on)->n : 1;
    all->kid = (taco__sql_expr **)taco__arena_array(&x->c->arena, (size_t)all->n + 1,
                                                    sizeof *all->kid, err);
    if (!all->kid) { return false; }
    memcpy(all->kid, (*on)->kind == TACO__SQL_EXPR_AND ? (*on)->kid : on,
           all->n * sizeof *all->kid);
    all->kid[all->n++] = e;
    *on = all;
    return true;
}

/* Makes column c of table t one with the column of its name in the tables before it. False with an
   error; *found tells whether there is such a column. */
static bool taco__planner_join_merge_column(taco__executor *x, size_t t, size_t c, size_t at,
                                            bool *found)
{
    taco__sql_expr name, *e, *a, *b;
    size_t table = 0, column = 0, tables = x->b.table_count;
    memset(&name, 0, sizeof name);
    name.name = taco__bytes_text(x->b.tables[t].fields[c].name);
    name.at = at;
    x->b.table_count = t; /* the tables before it */
    *found = taco__bind_find_column(&x->b, &name, &table, &column);
    x->b.table_count = tables;
    if (!*found) { return taco__operator_err(x)->code == TACO_OK; }
    e = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *e, taco__operator_err(x));
    a = taco__planner_join_column(x, table, column, at);
    b = taco__planner_join_column(x, t, c, at);
    if (!e || !a || !b) { return false; }
    e->kind = TACO__SQL_EXPR_CMP;
    e->op = TACO__OP_EQ;
    e->at = at;
    e->kid = (taco__sql_expr **)taco__arena_array(&x->c->arena, 2, sizeof *e->kid,
                                                  taco__operator_err(x));
    if (!e->kid) { return false; }
    e->kid[0] = a;
    e->kid[1] = b;
    e->n = 2;
    x->b.tables[t].merged[c] = true;
    return taco__planner_join_add(x, t, e);
}

/* Gives table t the conditions that USING or NATURAL means. */
TACO__FN bool taco__planner_join_merge(taco__executor *x, size_t t)
{
    const taco__sql_table_ref *f = &x->s.from[t];
    const taco__bind_table *table = &x->b.tables[t];
    size_t c, any = 0;
    uint32_t i;
    bool found = false;
    for (c = 0; f->natural && c < table->visible; c++) {
        if (!taco__planner_join_merge_column(x, t, c, f->at, &found)) { return false; }
        any += found;
    }
    if (f->natural && !any) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, f->at,
                   "NATURAL JOIN: no column has a name that the tables before it have");
        return false;
    }
    for (i = 0; f->merged && i < f->merged->n; i++) {
        const taco__sql_expr *name = f->merged->kid[i];
        for (c = 0; c < table->count && !taco__bind_name_is(name->name, table->fields[c].name);
             c++) {}
        found = false;
        if (c < table->count && !taco__planner_join_merge_column(x, t, c, name->at, &found)) {
            return false;
        }
        if (!found) {
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, name->at,
                       "USING: column %q is not on both sides", &name->name);
            return false;
        }
    }
    return true;
}

/* ---- WHERE ---- */

/* The tables that a tree names, a bit each; false where something in it is not a column, a constant
   or computed of them, or is not known to any table. */
static bool taco__planner_join_tables(taco__executor *x, const taco__sql_expr *e, uint32_t *bits)
{
    size_t table = 0, column = 0;
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_COLUMN) {
        if (!taco__bind_find_column(&x->b, e, &table, &column)) { return false; }
        *bits |= (uint32_t)1 << table;
        return true;
    }
    if (e->kind == TACO__SQL_EXPR_QUERY || e->filter) { return false; }
    for (i = 0; i < e->n; i++) {
        if (!taco__planner_join_tables(x, e->kid[i], bits)) { return false; }
    }
    return true;
}

/* The conditions of WHERE, each on its own. */
static taco__sql_expr **taco__planner_join_conditions(taco__executor *x, size_t *n)
{
    bool several = x->s.where && x->s.where->kind == TACO__SQL_EXPR_AND;
    *n = several ? x->s.where->n : x->s.where != NULL;
    return several ? x->s.where->kid : &x->s.where;
}

/* Whether a condition is an equality between columns of tables; *bits has them. */
static bool taco__planner_join_is_key(taco__executor *x, const taco__sql_expr *e, uint32_t *bits)
{
    *bits = 0;
    return e->kind == TACO__SQL_EXPR_CMP && e->op == TACO__OP_EQ && !e->nullsafe &&
           taco__planner_join_tables(x, e, bits) && (*bits & (*bits - 1)) != 0;
}

/* The next table to join to those in `done`: the first that an equality of WHERE ties to them, or
   the first there is. */
static size_t taco__planner_join_next(taco__executor *x, const uint32_t *keys, size_t n,
                                      uint32_t done)
{
    size_t t, i, first = 0;
    for (t = x->b.table_count; t-- > 0;) {
        uint32_t self = (uint32_t)1 << t;
        for (i = 0; !(done & self) && i < n; i++) {
            if ((keys[i] & self) && !(keys[i] & ~(done | self))) { first = t; }
        }
    }
    for (t = 0; !first && t < x->b.table_count; t++) {
        first = done >> t & 1 ? first : t;
    }
    return first;
}

/* Puts the tables of FROM a, b, c in an order in which equalities of WHERE tie each to those before
   it, as far as they do: the product of tables that have nothing to do with each other may be
   large. Columns of `*` stay in the order of FROM. */
TACO__FN bool taco__planner_join_reorder(taco__executor *x)
{
    taco__sql_expr **list;
    size_t i, t, n, count = x->b.table_count;
    uint32_t *keys, done = 1, place[TACO__SQL_MAX_TABLES];
    taco__bind_table *tables = NULL;
    taco__sql_table_ref *from = NULL;
    taco_cursor *scans[TACO__SQL_MAX_TABLES];
    for (t = 1; t < count && x->s.from[t].cross; t++) {}
    if (count < 3 || t < count || !x->s.where) { return true; }
    list = taco__planner_join_conditions(x, &n);
    keys = (uint32_t *)taco__arena_array(&x->c->arena, n, sizeof *keys, taco__operator_err(x));
    tables = (taco__bind_table *)taco__arena_array(&x->c->arena, count, sizeof *tables,
                                                   taco__operator_err(x));
    from = (taco__sql_table_ref *)taco__arena_array(&x->c->arena, count, sizeof *from,
                                                    taco__operator_err(x));
    if (!keys || !tables || !from) { return false; }
    for (i = 0; i < n; i++) {
        if (!taco__planner_join_is_key(x, list[i], &keys[i])) { keys[i] = 0; }
        if (taco__operator_err(x)->code != TACO_OK) { return false; }
    }
    memcpy(tables, x->b.tables, count * sizeof *tables);
    memcpy(from, x->s.from, count * sizeof *from);
    memcpy(scans, x->scans, sizeof scans);
    memset(place, 0, sizeof place);
    for (i = 1; i < count; i++) {
        t = taco__planner_join_next(x, keys, n, done);
        done |= (uint32_t)1 << t;
        place[t] = (uint32_t)i;
    }
    for (t = 0; t < count; t++) {
        x->b.tables[place[t]] = tables[t];
        x->s.from[place[t]] = from[t];
        x->scans[place[t]] = scans[t];
    }
    /* columns of stars are found by their table */
    for (i = 0; i < x->b.source_count; i++) {
        taco__sql_expr *e = x->b.sources[i];
        if (e->kind == TACO__SQL_EXPR_COLUMN && e->index) { e->func = place[e->func]; }
    }
    return true;
}

/* The last table that a condition of WHERE needs, where that is joined without a condition and the
   condition is an equality with a table before it; 0 for none. */
static size_t taco__planner_join_find(taco__executor *x, const taco__sql_expr *e)
{
    uint32_t bits = 0;
    size_t t;
    if (!taco__planner_join_is_key(x, e, &bits)) { return 0; }
    for (t = x->b.table_count; !(bits >> --t & 1);) {}
    return x->s.from[t].cross ? t : 0;
}

/* Moves the conditions of WHERE that are keys of joins to these joins. */
TACO__FN bool taco__planner_join_take_where(taco__executor *x)
{
    taco__sql_expr **list;
    size_t i, k = 0, n, t;
    for (t = 1; t < x->s.from_count && !x->s.from[t].cross; t++) {}
    if (!x->s.where || t >= x->s.from_count) { return true; }
    list = taco__planner_join_conditions(x, &n);
    for (i = 0; i < n; i++) {
        t = taco__planner_join_find(x, list[i]);
        if (taco__operator_err(x)->code != TACO_OK) { return false; }
        if (!t) {
            list[k++] = list[i];
        } else if (!taco__planner_join_add(x, t, list[i])) {
            return false;
        }
    }
    if (!k) {
        x->s.where = NULL;
    } else if (x->s.where->kind == TACO__SQL_EXPR_AND) {
        x->s.where->n = (uint32_t)k;
    }
    return true;
}
/* ==== src/sql/subquery.c ==== */
/* subquery.c - queries inside of others: tables of FROM, and values in expressions

   A query in FROM is a cursor of its own, opened when its table is bound, whose batches are scanned
   like those of a level. A query in an expression is run while the expression is bound: its value,
   or the set that IN looks in, is a constant of the tree from then on. So it must not depend on the
   row: a name that only the outer query knows is an error that says so (taco__subquery_is_outer).
   Start at taco__subquery_open and taco__subquery_bind.

   Example: in SELECT id FROM data WHERE v > (SELECT avg(v) FROM data) the average is computed
   first, and WHERE compares with it. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* ---- cursors ---- */

/* The rows of a parsed query, for the plan `outer`; NULL on failure, with outer's error. What
   `data` means there it means here. */
TACO__FN taco_cursor *taco__subquery_open(taco__executor *outer, const taco__sql_select *s)
{
    taco_error *err = taco__operator_err(outer);
    taco_cursor *c = taco__cursor_alloc(outer->c->ds, 0, err);
    taco__executor *x = c ? taco__planner_new(c) : NULL;
    bool ok = x != NULL;
    if (ok) {
        x->s = *s;
        x->base = outer->base;
        x->plan_only = outer->plan_only;
        x->b.outer = &outer->b;
        ok = s->set != TACO__SQL_SET_NONE ? taco__set_operation_plan(x) : taco__planner_run(x);
        x->base = NULL;
        x->b.outer = NULL;
    }
    if (ok) { return c; }
    taco_cursor_close(c, err);
    return NULL;
}

/* A name for a column of a table in FROM that no column before it has: a, a_1, a_2 as in
   DuckDB. */
static const char *taco__subquery_unique_name(taco__executor *x, const taco_field *before, size_t n,
                                              const char *name)
{
    taco_error *err = taco__operator_err(x);
    size_t i, len = strlen(name), k;
    char *text = (char *)taco__arena_alloc(&x->c->arena, len + 24, err);
    if (!text) { return NULL; }
    memcpy(text, name, len + 1);
    for (k = 1;; k++) {
        for (i = 0; i < n && !taco__bind_name_is(taco__bytes_text(text), before[i].name); i++) {}
        if (i == n) { return text; }
        text[len] = '_';
        text[len + 1 + taco__num_format_u64(text + len + 1, k)] = 0;
    }
}

/* Puts the names of a list over those of the fields, from the first on. */
static bool taco__subquery_rename(taco__executor *x, const taco__sql_table_ref *f,
                                  const taco__sql_expr *names, taco_field *fields, size_t n)
{
    uint32_t i;
    if (names && names->n > n) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, f->at,
                   "table %q has %u columns, %u names are given", &f->alias, TACO__U(n),
                   TACO__U(names->n));
        return false;
    }
    for (i = 0; names && i < names->n; i++) {
        fields[i].name = taco__arena_text(&x->c->arena, names->kid[i]->name, taco__operator_err(x));
        if (!fields[i].name) { return false; }
    }
    return true;
}

/* The fields of a table in FROM under the names that it gives them: a copy of `from`. NULL on
   failure. */
TACO__FN taco_field *taco__subquery_fields(taco__executor *x, size_t t, const taco_field *from,
                                           size_t n)
{
    const taco__sql_table_ref *f = &x->s.from[t];
    taco_field *out =
        (taco_field *)taco__arena_array(&x->c->arena, n + 1, sizeof *out, taco__operator_err(x));
    size_t i;
    if (!out) { return NULL; }
    if (n) { memcpy(out, from, n * sizeof *out); }
    if (!taco__subquery_rename(x, f, f->with_columns, out, n) ||
        !taco__subquery_rename(x, f, f->columns, out, n)) {
        return NULL;
    }
    for (i = 0; i < n && f->query && !f->keeps_names; i++) {
        out[i].name = taco__subquery_unique_name(x, out, i, out[i].name);
        if (!out[i].name) { return NULL; }
    }
    return out;
}

/* ---- names of the outer query ---- */

/* Whether a name that the query does not know is one of a query around it: a column, or a table
   before a point. Fails then, as such a query has no one value. */
TACO__FN bool taco__subquery_is_outer(taco__bind *b, const taco__sql_expr *e)
{
    taco__bind *o;
    size_t table, column;
    for (o = b->outer; o; o = o->outer) {
        bool known = taco__bind_find_column(o, e, &table, &column);
        for (table = 0; !known && !e->table.len && table < o->table_count; table++) {
            known = taco__bind_names_equal(e->name, o->tables[table].alias);
        }
        if (o->err->code != TACO_OK && o->err != b->err) {
            memset(o->err, 0, sizeof *o->err); /* it is in several tables there */
            known = true;
        }
        if (known) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                       "%q is of the outer query: correlated queries are not "
                       "supported, " TACO__SQL_USE_DUCKDB,
                       &e->name);
            return true;
        }
    }
    return false;
}

/* ---- values ---- */

/* Collects at most `most` rows of the first column of a query; *n is how many there are, most + 1
   for more. */
static bool taco__subquery_collect(taco__executor *x, taco_cursor *c, taco__vec_builder *out,
                                   const taco__sql_type *type, size_t most, size_t *n)
{
    taco_error *err = taco__operator_err(x);
    taco__arena scratch;
    taco_batch batch;
    bool ok = taco__vec_builder_init(&x->c->arena, type, out, err);
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = x->c->mem;
    *n = 0;
    while (ok && *n <= most && taco_cursor_batch(c, &batch)) {
        taco__vec v;
        size_t take = TACO__MIN(batch.length, most - *n);
        ok = taco__vec_arrow_load(&scratch, &batch.columns[0], type, &v, err) &&
             taco__vec_builder_append(&x->c->arena, out, &v, NULL, take, err);
        *n += take < batch.length ? take + 1 : take;
        taco__arena_reset(&scratch);
    }
    taco__arena_free(&scratch);
    return ok;
}

/* Makes e the value of a query: NULL of its type where it has no row. */
static bool taco__subquery_scalar(taco__executor *x, taco__sql_expr *e, taco_cursor *c)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *arena = &x->c->arena;
    taco__vec_builder *values = (taco__vec_builder *)taco__arena_alloc(arena, sizeof *values, err);
    size_t n = 0;
    if (!values || (!x->plan_only && !taco__subquery_collect(x, c, values, &e->type, 1, &n))) {
        return false;
    }
    if (n > 1) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, e->at, "a query as a value has more than one row");
        return false;
    }
    if (!n && !taco__vec_init_null(arena, &e->type, 1, &values->v, err)) { return false; }
    e->kind = TACO__SQL_EXPR_VALUE;
    e->plan = &values->v;
    return true;
}

/* Makes e whether a query has rows. */
static bool taco__subquery_exists(taco__executor *x, taco__sql_expr *e, taco_cursor *c)
{
    taco_batch batch;
    bool any = !x->plan_only && taco_cursor_batch(c, &batch);
    e->kind = TACO__SQL_EXPR_CONST;
    e->value = taco__scalar_make_int(TACO_BOOL, any);
    e->type = taco__sql_type_simple(TACO_BOOL);
    return true;
}

/* Orders the rows of a set by value; those without one are not among them. */
static int taco__subquery_compare(const void *ctx, const void *a, const void *b)
{
    const taco__vec *v = (const taco__vec *)ctx;
    return taco__vec_compare(v, *(const uint32_t *)a, v, *(const uint32_t *)b);
}

/* Makes e whether its operand is among the values of a query: both sides become one type, and the
   values are sorted. */
static bool taco__subquery_member(taco__bind *b, taco__sql_expr *e, taco_cursor *c)
{
    taco__executor *x = b->x;
    taco__arena *arena = &x->c->arena;
    taco__sql_expr values;
    taco__vec_builder list;
    taco__member_set *set = (taco__member_set *)taco__arena_alloc(arena, sizeof *set, b->err);
    size_t n = 0, i;
    memset(&values, 0, sizeof values);
    memset(&list, 0, sizeof list);
    values.kind = TACO__SQL_EXPR_REF;
    values.type = e->type;
    if (!set || !taco__bind_expr(b, &e->kid[0])) { return false; }
    set->type = e->type;
    if (!taco__bind_type_common(e->kid[0], &e->kid[0]->type, &values, true, &set->common) ||
        set->common.geo || set->common.t.id == TACO_MAP) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &values.type,
                                             "no comparison of");
    }
    if (set->common.t.id == TACO_NULL) { set->common = taco__sql_type_simple(TACO_INT32); }
    if (!taco__bind_type_add_cast(b, &e->kid[0], &set->common)) { return false; }
    if (x->plan_only ? !taco__vec_builder_init(arena, &set->type, &list, b->err)
                     : !taco__subquery_collect(x, c, &list, &set->type, UINT32_MAX - 1, &n)) {
        return false;
    }
    if (!taco__cast_vector(arena, &list.v, &set->common, false, &set->values, b->err) ||
        !taco__vec_flatten(arena, &set->values, b->err)) {
        return false;
    }
    set->rows = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *set->rows, b->err);
    for (i = 0; set->rows && i < n; i++) {
        if (taco__vec_is_valid(&set->values, i)) { set->rows[set->count++] = (uint32_t)i; }
    }
    set->has_null = set->count < n;
    e->kind = TACO__SQL_EXPR_MEMBER;
    e->plan = set;
    e->type = taco__sql_type_simple(TACO_BOOL);
    return set->rows && taco__sort_in(x->c->mem, set->rows, set->count, sizeof *set->rows,
                                      taco__subquery_compare, &set->values, b->err);
}

/* Binds a query in an expression: runs it, and makes e what came out. */
TACO__FN bool taco__subquery_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__executor *x = b->x;
    const taco__sql_select *s =
        taco__sql_parse_again(&x->c->arena, (const taco__sql_nested_query *)e->plan,
                              x->c->ds->options.limits.max_depth, b->err);
    taco_cursor *c = s ? taco__subquery_open(x, s) : NULL;
    bool ok = c != NULL;
    if (ok && e->op != TACO__SQL_NESTED_EXISTS && c->columns.count != 1) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "a query as a value has one column, not %u",
                   TACO__U(c->columns.count));
        ok = false;
    }
    /* fields that its type names are the cursor's, which is closed below: they are copied */
    if (ok) {
        taco_field *copy = (taco_field *)taco__arena_alloc(&x->c->arena, sizeof *copy, b->err);
        ok = copy && taco__field_copy(&x->c->arena, c->columns.fields, copy, b->err) &&
             taco__sql_type_from_field(&x->c->arena, copy, &e->type, b->err);
    }
    ok = ok && (e->op == TACO__SQL_NESTED_EXISTS ? taco__subquery_exists(x, e, c)
                : e->op == TACO__SQL_NESTED_IN   ? taco__subquery_member(b, e, c)
                                                 : taco__subquery_scalar(x, e, c));
    return taco_cursor_close(c, b->err) == TACO_OK && ok;
}

/* ---- evaluation ---- */

/* A value that is the same in every row. */
TACO__FN bool taco__subquery_value(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    const taco__vec *v = (const taco__vec *)e->plan;
    uint32_t *idx;
    taco__physical_type p = taco__sql_type_physical(&e->type);
    if (!taco__vec_is_valid(v, 0)) {
        return taco__vec_init_null(c->arena, &e->type, c->n, out, c->err);
    }
    if (p == TACO__PHYS_LIST || p == TACO__PHYS_STRUCT) {
        idx = (uint32_t *)taco__arena_array(c->arena, c->n + 1, sizeof *idx, c->err);
        return idx && taco__vec_take(c->arena, v, idx, c->n, out, c->err);
    }
    *out = *v;
    out->type = &e->type;
    out->valid = NULL;
    out->n = c->n;
    out->step = 0;
    return true;
}

/* Whether value i of v compares so with one of the values of a set: with the least or the greatest
   of them, as they are in order. */
static bool taco__subquery_meets(const taco__member_set *set, size_t op, const taco__vec *v,
                                 size_t i)
{
    const taco__vec *values = &set->values;
    size_t at = 0, last = set->count - 1;
    if (!set->count) { return false; }
    switch (op) {
    case TACO__OP_EQ:
        TACO__LOWER_BOUND(at, set->count, k, taco__vec_compare(values, set->rows[k], v, i) < 0);
        return at < set->count && taco__vec_compare(values, set->rows[at], v, i) == 0;
    case TACO__OP_NE:
        return taco__vec_compare(values, set->rows[0], v, i) != 0 ||
               taco__vec_compare(values, set->rows[last], v, i) != 0;
    case TACO__OP_LT: return taco__vec_compare(v, i, values, set->rows[last]) < 0;
    case TACO__OP_LE: return taco__vec_compare(v, i, values, set->rows[last]) <= 0;
    case TACO__OP_GT: return taco__vec_compare(v, i, values, set->rows[0]) > 0;
    default: return taco__vec_compare(v, i, values, set->rows[0]) >= 0;
    }
}

/* value [NOT] IN (query), or another comparison with any of its values: false for an empty set,
   null where the value is, or where it meets none of values of which one is null. neg turns it
   round. */
TACO__FN bool taco__subquery_contains(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    const taco__member_set *set = (const taco__member_set *)e->plan;
    bool empty = !set->count && !set->has_null;
    taco__vec v;
    size_t i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) ||
        !taco__vec_init(c->arena, &e->type, c->n, out, c->err) ||
        !taco__vec_init_validity(c->arena, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        bool valid = taco__vec_is_valid(&v, i);
        bool found = valid && taco__subquery_meets(set, e->index, &v, i);
        out->v.i[i] = found != e->neg;
        out->valid[i] = found || (valid && !set->has_null) || empty;
    }
    return true;
}
/* ==== src/sql/set_operation.c ==== */
/* set_operation.c - UNION, INTERSECT, EXCEPT of two queries, and rows of VALUES

   A set is a taco__executor whose two scans are its operands; its batches are made here and not by
   operators.c. UNION ALL hands on the batches of the one and then of the other. The others number
   rows with a group table, equal rows having one number: UNION lets the first row of a number
   through; INTERSECT and EXCEPT number the right side first and count what it has of each.

   Columns become the types that CASE would give them; their names are those of the left side.
   Start at taco__set_operation_plan; rows come out of taco__set_operation_next.

   Example: of (VALUES (1), (1), (2)) EXCEPT ALL (VALUES (1)) the right side has one row of number
   0. The rows of the left side get the numbers 0, 0, 1: the first 0 is matched, and what comes out
   is the second 0 and the 1. Without ALL only the 1 does, as number 0 is on the right side. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* ---- columns ---- */

/* The types of an operand's columns: NULL where every row is the word NULL. */
static taco__sql_type *taco__set_operation_types(taco__executor *x, const taco_cursor *c)
{
    const taco__executor *of = (const taco__executor *)c->producer.state;
    taco__sql_type *t = (taco__sql_type *)taco__arena_array(&x->c->arena, c->columns.count + 1,
                                                            sizeof *t, taco__operator_err(x));
    size_t i;
    for (i = 0; t && i < c->columns.count; i++) {
        if (!taco__sql_type_from_field(&x->c->arena, &c->columns.fields[i], &t[i],
                                       taco__operator_err(x))) {
            return NULL;
        }
        if (of->untyped && of->untyped[i]) { t[i] = taco__sql_type_simple(TACO_NULL); }
    }
    return t;
}

/* Which column of an operand a name is; TACO__NONE for none. */
static size_t taco__set_operation_find(const taco_cursor *c, const char *name)
{
    size_t i;
    for (i = 0; i < c->columns.count &&
                !taco__bind_name_is(taco__bytes_text(name), c->columns.fields[i].name);
         i++) {}
    return i < c->columns.count ? i : TACO__NONE;
}

/* Says which columns of the operands are column i of the set: by position, or BY NAME, where those
   of the left side come first. Returns how many columns there are; 0 with an error. */
static size_t taco__set_operation_pair(taco__executor *x, taco__set_operation *o)
{
    const taco_cursor *a = x->scans[0], *b = x->scans[1];
    /* BY NAME there may be as many columns as both have */
    size_t i, n = a->columns.count, all = n + b->columns.count;
    for (i = 0; i < 2; i++) {
        o->from[i] = (size_t *)taco__arena_array(&x->c->arena, all + 1, sizeof *o->from[i],
                                                 taco__operator_err(x));
        if (!o->from[i]) { return 0; }
    }
    if (!x->s.by_name && n != b->columns.count) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, x->s.set_at,
                   "the SELECTs have %u and %u columns, they must have as many", TACO__U(n),
                   TACO__U(b->columns.count));
        return 0;
    }
    for (i = 0; i < n; i++) {
        o->from[0][i] = i;
        o->from[1][i] = x->s.by_name ? taco__set_operation_find(b, a->columns.fields[i].name) : i;
    }
    for (i = 0; x->s.by_name && i < b->columns.count; i++) {
        if (taco__set_operation_find(a, b->columns.fields[i].name) == TACO__NONE) {
            o->from[0][n] = TACO__NONE;
            o->from[1][n++] = i;
        }
    }
    return n;
}

/* The expressions that stand for the set's n columns: their common types. */
static bool taco__set_operation_unify(taco__executor *x, taco__set_operation *o, size_t n)
{
    size_t i, side;
    x->items = (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->items,
                                                    taco__operator_err(x));
    for (i = 0; x->items && i < n; i++) {
        taco__sql_expr *e =
            (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *e, taco__operator_err(x));
        taco__sql_expr other;
        if (!e) { return false; }
        memset(&other, 0, sizeof other);
        e->kind = other.kind = TACO__SQL_EXPR_REF;
        e->at = x->s.set_at;
        /* NULL and the left type, then that and the right one */
        for (side = 0; side < 2; side++) {
            taco__sql_type before = side ? e->type : taco__sql_type_simple(TACO_NULL);
            other.type = taco__sql_type_simple(TACO_NULL);
            if (o->from[side][i] != TACO__NONE) { other.type = o->types[side][o->from[side][i]]; }
            if (!taco__bind_type_common(NULL, &before, &other, false, &e->type)) {
                return taco__bind_type_fail_mismatch(&x->b, e, &before, &other.type,
                                                     "no type for both");
            }
        }
        x->items[i] = e;
    }
    return x->items != NULL;
}

/* The fields and batches of the result; names are those of the side that has the column first. */
TACO__FN bool taco__set_operation_set_fields(taco__executor *x, const taco__set_operation *o,
                                             size_t n)
{
    taco_cursor *c = x->c;
    size_t i;
    x->item_count = x->width = n;
    c->columns.fields =
        (taco_field *)taco__arena_array(&c->arena, n + 1, sizeof *c->columns.fields, &c->err);
    c->batch.arrays =
        (taco_array *)taco__arena_array(&c->arena, n + 1, sizeof *c->batch.arrays, &c->err);
    x->untyped = (bool *)taco__arena_alloc(&c->arena, n + 1, &c->err);
    if (!c->columns.fields || !c->batch.arrays || !x->untyped) { return false; }
    for (i = 0; i < n; i++) {
        char digits[32];
        const char *name;
        memcpy(digits, "col", 4);
        digits[3 + taco__num_format_u64(digits + 3, i)] = 0;
        name = !o                            ? digits
               : o->from[0][i] != TACO__NONE ? x->scans[0]->columns.fields[o->from[0][i]].name
                                             : x->scans[1]->columns.fields[o->from[1][i]].name;
        /* operands are closed before the cursor's fields are gone */
        name = taco__arena_text(&c->arena, taco__bytes_text(name), &c->err);
        /* NULL in every operand: a set around this one may still give it another type */
        if (x->items[i]->type.t.id == TACO_NULL) {
            x->untyped[i] = true;
            x->items[i]->type = taco__sql_type_simple(TACO_INT32);
        }
        if (!name || !taco__sql_type_to_field(&c->arena, &x->items[i]->type, name,
                                              &c->columns.fields[i], &c->err)) {
            return false;
        }
    }
    c->columns.count = n;
    return true;
}

/* ---- batches ---- */

/* The next batch of an operand as vectors of the set's types; *n 0 at its end. */
static bool taco__set_operation_scan(taco__executor *x, size_t side, taco__vec **out, size_t *n)
{
    taco__set_operation *o = x->set;
    taco_error *err = taco__operator_err(x);
    taco_batch batch;
    size_t i;
    taco__vec *v;
    taco__arena_reset(&x->batch);
    *n = 0;
    *out = v = (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, err);
    if (!v || !taco_cursor_batch(x->scans[side], &batch)) {
        if (x->scans[side]->err.code != TACO_OK) { *err = x->scans[side]->err; }
        return err->code == TACO_OK;
    }
    *n = batch.length;
    for (i = 0; i < x->width; i++) {
        size_t from = o->from[side][i];
        const taco__sql_type *to = &x->items[i]->type;
        taco__vec raw;
        if (from == TACO__NONE || o->types[side][from].t.id == TACO_NULL) {
            if (!taco__vec_init_null(&x->batch, to, *n, &v[i], err)) { return false; }
        } else if (!taco__vec_arrow_load(&x->batch, &batch.columns[from], &o->types[side][from],
                                         &raw, err) ||
                   !taco__cast_vector(&x->batch, &raw, to, false, &v[i], err) ||
                   !taco__vec_flatten(&x->batch, &v[i], err)) {
            return false;
        }
    }
    return true;
}

/* Hands out the rows of a batch. */
TACO__FN bool taco__set_operation_put(taco__executor *x, const taco__vec *v, size_t n,
                                      taco_batch *out)
{
    taco_cursor *c = x->c;
    size_t i;
    for (i = 0; i < x->width; i++) {
        if (!taco__vec_arrow_store(&x->batch, &v[i], &c->columns.fields[i], &c->batch.arrays[i],
                                   &c->err)) {
            return false;
        }
    }
    out->length = n;
    out->columns = c->batch.arrays;
    out->column_count = c->columns.count;
    out->first_row = -1;
    return true;
}

/* Numbers the rows of the right side, and counts those of each number. */
static bool taco__set_operation_read_right(taco__executor *x)
{
    taco__set_operation *o = x->set;
    taco_error *err = taco__operator_err(x);
    taco__buf counts;
    taco__vec *v;
    size_t i, n;
    bool ok = true;
    memset(&counts, 0, sizeof counts);
    counts.mem = x->c->mem;
    while (ok && (ok = taco__set_operation_scan(x, 1, &v, &n)) && n) {
        uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *id, err), zero = 0;
        ok = id && taco__group_table_number_rows(x, &x->seen, v, n, id);
        /* numbers that the batch brought start at no row */
        while (ok && counts.len / sizeof zero < x->seen.count) {
            ok = taco__buf_append(&counts, &zero, sizeof zero, err);
        }
        for (i = 0; ok && i < n; i++) {
            ((uint32_t *)(void *)counts.data)[id[i]]++;
        }
    }
    o->right_groups = x->seen.count;
    o->left_over =
        (uint32_t *)taco__arena_array(&x->hold[0], o->right_groups + 1, sizeof *o->left_over, err);
    ok = ok && o->left_over;
    if (ok && counts.len) { memcpy(o->left_over, counts.data, counts.len); }
    taco__buf_free(&counts);
    return ok;
}

/* Whether row number `id` comes out; fresh: no row of the left side had the number before. */
static bool taco__set_operation_keeps(taco__executor *x, uint32_t id, bool fresh)
{
    taco__set_operation *o = x->set;
    bool there = id < o->right_groups, matched = there && o->left_over[id];
    if (x->s.set == TACO__SQL_SET_UNION) { return fresh; }
    /* each row of the right side matches one of the left */
    if (matched && x->s.set_all) { o->left_over[id]--; }
    if (x->s.set_all) { return matched == (x->s.set == TACO__SQL_SET_INTERSECT); }
    if (x->s.set == TACO__SQL_SET_EXCEPT) { return !there && fresh; }
    /* INTERSECT: the first of its number alone */
    if (matched) { o->left_over[id] = 0; }
    return matched;
}

/* Leaves the rows of a batch that come out. */
static bool taco__set_operation_filter(taco__executor *x, taco__vec *v, size_t *n)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *id, err), *idx;
    size_t i, m = 0, known = x->seen.count;
    idx = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *idx, err);
    if (!id || !idx || !taco__group_table_number_rows(x, &x->seen, v, *n, id)) { return false; }
    for (i = 0; i < *n; i++) {
        /* numbers are given in the order rows come */
        bool fresh = id[i] == known;
        known += fresh;
        if (taco__set_operation_keeps(x, id[i], fresh)) { idx[m++] = (uint32_t)i; }
    }
    for (i = 0; i < x->width; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, m, &part, err)) { return false; }
        v[i] = part;
    }
    *n = m;
    return true;
}

/* taco_cursor.next of a set. */
static bool taco__set_operation_next(taco_cursor *c, taco_batch *out)
{
    taco__executor *x = (taco__executor *)c->producer.state;
    taco__set_operation *o = x->set;
    bool all = x->s.set == TACO__SQL_SET_UNION && x->s.set_all;
    size_t sides = x->s.set == TACO__SQL_SET_UNION ? 2 : 1;
    if (!x->begun) {
        x->begun = true;
        /* INTERSECT and EXCEPT look at the whole right side first */
        if (!all && (!taco__group_table_init(x, &x->seen, x->items, x->width) ||
                     (sides == 1 && !taco__set_operation_read_right(x)))) {
            return false;
        }
    }
    while (o->side < sides) {
        taco__vec *v;
        size_t n;
        if (!taco__set_operation_scan(x, o->side, &v, &n)) { return false; }
        if (!n) {
            o->side++;
            continue;
        }
        if (!all && !taco__set_operation_filter(x, v, &n)) { return false; }
        if (n) { return taco__set_operation_put(x, v, n, out); }
    }
    return false;
}

/* ---- VALUES ---- */

/* taco_cursor.next of VALUES: one batch of all rows. */
static bool taco__set_operation_next_values(taco_cursor *c, taco_batch *out)
{
    taco__executor *x = (taco__executor *)c->producer.state;
    const taco__sql_expr *rows = x->s.items;
    taco__vec *v;
    uint32_t i;
    size_t k;
    if (x->begun) { return false; }
    x->begun = true;
    v = (taco__vec *)taco__arena_array(&x->hold[0], x->width + 1, sizeof *v, &c->err);
    for (k = 0; v && k < x->width; k++) {
        taco__vec_builder list;
        if (!taco__vec_builder_init(&x->hold[0], &x->items[k]->type, &list, &c->err)) {
            return false;
        }
        /* values are computed one by one, over one row without columns, and copied */
        for (i = 0; i < rows->n; i++) {
            taco__sql_batch one;
            taco__vec value;
            taco__arena_reset(&x->batch);
            taco__operator_init_batch(x, &one, NULL, 0, 1);
            if (!taco__evaluate_expr(&one, x->items[k]->kid[i], &value) ||
                !taco__vec_builder_append(&x->hold[0], &list, &value, NULL, 1, &c->err)) {
                return false;
            }
        }
        v[k] = list.v;
    }
    taco__arena_reset(&x->batch);
    return v && taco__set_operation_put(x, v, rows->n, out);
}

/* Binds the values of each column to one type: x->items has a node for each column, whose operands
   are its values. */
static bool taco__set_operation_plan_values(taco__executor *x)
{
    taco__sql_expr *rows = x->s.items;
    taco__arena *arena = &x->c->arena;
    taco_error *err = taco__operator_err(x);
    size_t k, n = rows->kid[0]->n;
    uint32_t i;
    x->items = (taco__sql_expr **)taco__arena_array(arena, n + 1, sizeof *x->items, err);
    for (k = 0; x->items && k < n; k++) {
        taco__sql_expr *column = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *column, err);
        bool null = true;
        if (!column) { return false; }
        column->kid =
            (taco__sql_expr **)taco__arena_array(arena, rows->n, sizeof *column->kid, err);
        if (!column->kid) { return false; }
        column->n = rows->n;
        x->b.no_aggr = true;
        for (i = 0; i < rows->n; i++) {
            column->kid[i] = rows->kid[i]->kid[k];
            if (!taco__bind_expr(&x->b, &column->kid[i])) { return false; }
            null = null && column->kid[i]->type.t.id == TACO_NULL;
        }
        if (!taco__bind_type_unify(&x->b, column, 0, 1, false, false, &column->type)) {
            return false;
        }
        if (null) { column->type = taco__sql_type_simple(TACO_NULL); }
        x->items[k] = column;
    }
    x->c->producer.next = taco__set_operation_next_values;
    return x->items && taco__set_operation_set_fields(x, NULL, n);
}

/* ---- planning ---- */

/* Plans x->s, which is a set, as far as its columns: opens the operands. */
TACO__FN bool taco__set_operation_plan(taco__executor *x)
{
    taco__set_operation *o;
    size_t i, n;
    if (x->s.set == TACO__SQL_SET_VALUES) { return taco__set_operation_plan_values(x); }
    if (x->s.set == TACO__SQL_SET_RANGE) { return taco__range_table_plan(x); }
    o = (taco__set_operation *)taco__arena_alloc(&x->c->arena, sizeof *o, taco__operator_err(x));
    if (!o) { return false; }
    x->set = o;
    x->c->producer.next = taco__set_operation_next;
    for (i = 0; i < 2; i++) {
        x->scans[i] = taco__subquery_open(x, i ? x->s.right : x->s.left);
        o->types[i] = x->scans[i] ? taco__set_operation_types(x, x->scans[i]) : NULL;
        if (!o->types[i]) { return false; }
    }
    n = taco__set_operation_pair(x, o);
    return n && taco__set_operation_unify(x, o, n) && taco__set_operation_set_fields(x, o, n);
}
/* ==== src/sql/range_table.c ==== */
/* range_table.c - range(...) and generate_series(...) in FROM: a table of whole numbers

   The arguments are [first,] end [, step], constants; range leaves the end out, generate_series
   has it. The table is a set (set_operation.c) whose rows are counted and not stored.

   Example: range(1, 8, 3) has the rows 1, 4, 7, generate_series(3, 1, -1) the rows 3, 2, 1, both in
   a column that is called as the function. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* The table of a call, at its parenthesis; f has its name. */
TACO__FN bool taco__range_table_parse(taco__parser *p, taco__sql_table_ref *f)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    taco__sql_expr *column = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, f->at);
    if (!s || !column || !taco__parse_next(p)) { return false; }
    s->set = TACO__SQL_SET_RANGE;
    s->set_at = f->at;
    s->set_all = taco__ascii_is_word(f->name, "generate_series");
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at);
    do {
        if (!taco__sql_expr_add_child(p, s->items, taco__parse_expr(p, TACO__BINDS_OR))) {
            return false;
        }
    } while (taco__parse_accept(p, ","));
    if (s->items->n > 3) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at, "%q takes [first,] end [, step]", &f->name);
        return false;
    }
    /* an alias in FROM may name it otherwise */
    column->name = taco__bytes_text(s->set_all ? "generate_series" : "range");
    f->query = s;
    f->with_columns =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at), column);
    return f->with_columns && taco__parse_expect(p, ")");
}

/* taco_cursor.next: the next numbers. */
static bool taco__range_table_next(taco_cursor *c, taco_batch *out)
{
    taco__executor *x = (taco__executor *)c->producer.state;
    int64_t *at = x->range, end = x->range[1], step = x->range[2];
    taco__vec v;
    size_t n = 0;
    taco__arena_reset(&x->batch);
    if (!taco__vec_init(&x->batch, &x->items[0]->type, TACO__SQL_BATCH_ROWS, &v, &c->err)) {
        return false;
    }
    while (!x->sorted && n < TACO__SQL_BATCH_ROWS &&
           (step > 0 ? at[0] < end || (x->s.set_all && at[0] == end)
                     : at[0] > end || (x->s.set_all && at[0] == end))) {
        v.v.i[n++] = at[0];
        /* the last number that there is */
        x->sorted = !taco__func_number_add64(at[0], step, &at[0]);
    }
    v.n = n;
    return n && taco__set_operation_put(x, &v, n, out);
}

/* Computes the arguments, and plans the only column. An argument that is NULL leaves no row. */
TACO__FN bool taco__range_table_plan(taco__executor *x)
{
    taco__sql_expr *args = x->s.items, *column;
    taco_error *err = taco__operator_err(x);
    int64_t given[3] = {0, 0, 1};
    uint32_t i;
    x->items = (taco__sql_expr **)taco__arena_array(&x->c->arena, 1, sizeof *x->items, err);
    column = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *column, err);
    x->range = (int64_t *)taco__arena_array(&x->c->arena, 3, sizeof *x->range, err);
    if (!x->items || !column || !x->range) { return false; }
    column->kind = TACO__SQL_EXPR_REF;
    column->type = taco__sql_type_simple(TACO_INT64);
    x->items[0] = column;
    x->b.no_aggr = true;
    for (i = 0; i < args->n; i++) {
        taco__sql_batch one;
        taco__vec v;
        taco__operator_init_batch(x, &one, NULL, 0, 1);
        if (!taco__bind_expr(&x->b, &args->kid[i])) { return false; }
        if (!taco__scalar_is_int(args->kid[i]->type.t.id) && args->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(&x->b, args->kid[i], &args->kid[i]->type,
                                                 &column->type, "ranges are of BIGINT, not");
        }
        if (!taco__bind_type_add_cast(&x->b, &args->kid[i], &column->type) ||
            !taco__evaluate_expr(&one, args->kid[i], &v)) {
            return false;
        }
        x->sorted = x->sorted || !taco__vec_is_valid(&v, 0);
        /* one argument is the end */
        given[args->n == 1 ? 1 : i] = x->sorted ? 1 : v.v.i[0];
    }
    if (!given[2]) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, x->s.set_at, "the step of a range is not 0");
        return false;
    }
    memcpy(x->range, given, sizeof given);
    x->c->producer.next = taco__range_table_next;
    return taco__set_operation_set_fields(x, NULL, 1);
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
    if (q.row_to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a view has all rows: row_to is for taco_select");
        return NULL;
    }
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

TACO_API taco_bytes taco_view_pit_schema(const taco_view *v, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_cursor *c = taco_view_rows(v, &own);
    taco_bytes text = taco__bytes_of(NULL, 0);
    taco_batch batch;
    uint64_t n = 0;
    while (c && taco_cursor_batch(c, &batch)) {
        n += batch.length;
    }
    if (c) { taco_cursor_close(c, &own); }
    if (own.code == TACO_OK) { text = taco_pit_schema(v->ds, n, &own); }
    if (err && err->code == TACO_OK) { *err = own; }
    return text;
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
    l->limits = s->has_limit || s->offset || s->offset_expr;
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
    taco__field_index names;
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
    taco__field_index_init(&names, p->fields, p->count, b->probe->mem);
    for (; n < all && n < z->q.select.count; n++) {
        const char *name = z->q.select.items[n].name;
        size_t k = taco__field_index_find(&names, name);
        if (k == TACO__NONE) {
            taco__field_index_free(&names);
            taco__field_names_no_column(p->fields, p->count, taco__bytes_text(name), err);
            return false;
        }
        out[n] = p->fields[k];
    }
    taco__field_index_free(&names);
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
    taco__select_options opt;
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
    memset(&opt, 0, sizeof opt);
    opt.shows_hidden = true;
    b->probe = taco__select_columns(z->ds, z->q.table, z->q.flat, &opt, err);
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
    /* names in queries inside of it are not listed: any column may be one of them */
    for (i = 0, *star = s->nested; i < s->items->n; i++) {
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
        /* queries inside of it open the rows below more than once: those that were opened for their
           columns stay for them */
        if (l->s->nested && b.ready) {
            b.probe = b.ready;
            b.ready = NULL;
        }
        if (ok) { taco__view_layer_remove_pushed(l, &x->s); }
        if (ok) {
            x->base = &b.base;
            x->plan_only = z->plan_only;
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
    bool sorted = order.given || z->plan_order.count;
    if (sorted) { q->limit = q->offset = 0; /* any row may be the first */ }
    memset(&q->order, 0, sizeof q->order);
    if (!q->select.given || !sorted) { return true; }
    if (!taco__query_parse_ends(&order, err) ||
        !taco__view_query_join_columns(z, &q->select, &z->plan_order, err)) {
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
    opt.plan_only = z->plan_only;
    if (z->plan_only && !taco__view_query_all_columns(z, &q, err)) { return NULL; }
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
static bool taco__view_query_mask_limit_plan(taco__view_query *z)
{
    size_t i, n = z->plan_order.count;
    bool ok = taco__view_query_join_columns(z, &z->plan_order, &z->q.order, z->err) &&
              taco__query_parse_ends(&z->q.order, z->err);
    for (; ok && n < z->plan_order.count; n++) {
        ((taco__query_column *)z->plan_order.items)[n].rest.len = 0;
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
    return z->plan_only ? taco__view_query_mask_limit_plan(z) : taco__view_query_mask_limit_run(z);
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
    if (s->nested || s->from_count != 1 || !taco__ascii_is_word(s->from[0].name, "data")) {
        return true;
    }
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
    return x->where_count == 0 && !x->s.limit_expr && !x->s.offset_expr && !x->s.from[0].columns;
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
    if (ok && !x->s.nested && taco__view_keeps_rows(&x->s)) {
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
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool plan_only,
                                    taco_error *err)
{
    size_t i;
    memset(z, 0, sizeof *z);
    z->ds = v->ds;
    z->plan_only = plan_only;
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
TACO__FN bool taco__view_query_open_plan(taco__view_query *z, const taco_view *v, taco_error *err,
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
    return !l->s->nested && l->s->from_count == 1 &&
           taco__ascii_is_word(l->s->from[0].name, "data") && (!l->limits || l->unlimited) &&
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
                   (!z->plan_only || taco__view_pushdown_record(z, x, copy));
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
   round. The view is planned as for its rows, and its cursors are opened with everything but rows
   (plan_only). For each scan the row groups and pages that may match are found as the scan itself
   finds them, from footers and page indexes, which are read; their byte ranges are joined as a
   vectored source would be asked. Round 0 is indexes, 1 what conditions test, 2 what comes out.
   Start at taco_view_plan, at the end. */
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

/* The view is opened for its plan, looked at and closed. A plan that could not read an index yet is
   no failure: it ends with the ranges of that. */
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
    ok = taco__view_query_open_plan(&z, v, &own, &c) && taco__explain_cursor(p, c, 0);
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
