/* taco_sql.h - SQL over TACO datasets, views built step by step, and plans of what they will read.
   Optional: it needs taco.h and taco_parquet.h next to it.

   Do this in exactly one source file, before other includes:

       #define TACO_IMPLEMENTATION
       #include "taco_sql.h"

   and include the header without the macro everywhere else. Quick start:

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

   The result is a cursor like that of taco_select, for all functions of taco.h that take one.

   SQL. taco_sql takes one query, in DuckDB's dialect, with DuckDB's types and column names:
     [WITH name [(columns)] AS (query), ...]
     SELECT [DISTINCT [ON (expr, ...)]] expr [AS name], *, t.*, * EXCLUDE (...)
     [FROM table [alias [(columns)]] [[LEFT] JOIN table ON cond | USING (columns) | , table |
      CROSS JOIN table | [NATURAL] [LEFT | SEMI | ANTI] JOIN table ...]...]
     [WHERE cond] [GROUP BY expr, ... | ALL] [HAVING cond]
     [UNION [ALL] [BY NAME] | INTERSECT [ALL] | EXCEPT [ALL] SELECT ...]...
     [ORDER BY expr [ASC | DESC] [NULLS FIRST | LAST], ... | ALL] [LIMIT n] [OFFSET n]
   A table is data | level0..5 | l0..5 | (query) | a name of WITH | range(...) | unnest(list), whose
   list may come from a preceding table. VALUES (...), ... may replace a SELECT. unnest(list) as an
   expr makes a row of each element. A subquery in an expression is a value, or follows EXISTS, IN
   or = ANY; it runs once, when the outer query is opened, and cannot name columns of the outer
   query. Tables: data is level0, level1 the rows of the level below it and so on. l1 is the
   reference's view of level 1: all its rows that have ancestors, including FOLDERs, with the
   columns of level 1 as "l1:name" and those of ancestors as "l0:name", including
   "l1:internal:gdal_vsi" and other internal:* except current_id and parent_id. taco_query.flat and
   `--table l1` give only its FILEs, and of internal:* only internal:gdal_vsi, like the reference's
   flatten(). Expressions: + - * / // % ||, comparisons, IS [NOT] DISTINCT FROM | NULL | TRUE, IN,
   BETWEEN, [I]LIKE, SIMILAR TO, ~, GLOB, CASE, CAST, TRY_CAST, ::, ** & | << >>, lists [a, b],
   structs {'a': 1}, maps MAP {'a': 1}, value[i], [i:j], [i:j:step], fields of structs; functions of
   texts, numbers, dates, lists and maps, regular expressions (RE2's syntax, in linear time),
   printf, format, strftime, strptime, md5, sha256; ST_Intersects and ST_Within with
   ST_MakeEnvelope, ST_X, ST_Y, ST_AsText, ST_Area, ST_Centroid. docs/sql.md compares all of them
   with DuckDB's. Aggregates: count sum avg min max first last any_value stddev variance median
   quantile_cont quantile_disc list string_agg arg_max arg_min mode histogram corr regr_* bool_and
   bool_or and others, with DISTINCT, FILTER and ORDER BY. Not supported: correlated and recursive
   queries, window functions; the error names what it found. HUGEINT is returned as DECIMAL(38, 0).
   A join of internal:parent_id with internal:current_id stays within one archive. Only the columns
   that the query names are read. Conditions of WHERE that compare a column with literals prune row
   groups and pages before anything else is read, like those of taco_query.

   VIEWS. A view is a list of steps: filters, columns, order, limits, SELECTs. Each call makes a new
   view and leaves the previous one unchanged; nothing is read until rows are requested.
       taco_view *all = taco_view_open(ds, NULL, &err);
       taco_view *v = taco_view_sql(all, "SELECT id, v FROM data WHERE v > 0.5 ORDER BY v", &err);
       taco_view *w = taco_view_filter_bbox(v, box, NULL, 1, &err);
       rows = taco_view_rows(w, &err);
   Filters, conditions that a scan can test, plain columns, sort keys and limits become one
   taco_query, whatever their order; a limit before a filter is run first, for the numbers of its
   rows. Other SELECTs run over that query, each over the previous one, streaming if they neither
   group nor sort. Filters of levels are moved below SELECTs that keep the rows. id, type and
   internal:* can be named, and used to navigate, after any step that keeps rows.

   PLANS. taco_view_plan, and `taco query --explain`, show in advance what a view will read: row
   groups and pages that are pruned, byte ranges by round. Over a taco_feed, whose files are the
   ranges that a host has supplied, planning never waits for a read.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_sql.h:LINE
   prints where a line comes from. */
#ifndef TACO_SQL_H
#define TACO_SQL_H

#include "taco.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- SQL ------------------------------------------------------------------------------------- */

/* Runs one query over data, level0 ... level5 (rows of a level) and l0 ... l5 (rows of a level with
   their ancestors' columns), see the manual, and returns a cursor over its rows. Columns are named
   as in DuckDB; padding is hidden. sql is not kept. Errors in the text give its column; failures of
   a value (overflow, a cast) are reported when its row is reached. The caller closes the cursor,
   before the dataset. NULL on failure. */
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err);

/* ---- views ----------------------------------------------------------------------------------- */

/* A query that is built step by step. Every call below returns a new view and leaves its argument
   unchanged. No level is read until rows are requested: mistakes in a text are reported at once,
   unknown columns only then. The dataset is borrowed: it must outlive its views and what they
   return. NULL on failure; a NULL view is an ARGUMENT error. Free each view, in any order. */
typedef struct taco_view taco_view;

/* Makes a view of the samples of a query, which is not kept; NULL: those of level 0. */
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *q, taco_error *err);
/* Adds a filter on rows of a level, as in taco_query: all filters must hold, those of several
   levels along one path. After a limit, filters apply to the rows within that limit. Not for rows
   made by GROUP BY, DISTINCT or JOIN. */
TACO_API taco_view *taco_view_filter(const taco_view *v, const taco_filter *f, taco_error *err);
/* As taco_view_filter, with only a predicate.

       v      not changed
       where  a predicate, see the manual of taco_parquet.h; copied
       level  level whose rows it tests */
TACO_API taco_view *taco_view_where(const taco_view *v, const char *where, uint32_t level,
                                    taco_error *err);
/* As taco_view_filter, with only a box.

       v                not changed
       box              west, south, east, north, as in taco_filter; copied
       geometry_column  NULL: the first that exists, as in taco_filter
       level            level whose rows it tests */
TACO_API taco_view *taco_view_filter_bbox(const taco_view *v, const double box[4],
                                          const char *geometry_column, uint32_t level,
                                          taco_error *err);
/* As taco_view_filter, with only a time.

       v            not changed
       time         "A" or "A/B", ISO 8601, as in taco_filter; copied
       time_column  NULL: the first that exists, as in taco_filter
       level        level whose rows it tests */
TACO_API taco_view *taco_view_filter_datetime(const taco_view *v, const char *time,
                                              const char *time_column, uint32_t level,
                                              taco_error *err);
/* Switches to the rows of another level, below or above those of the view, or to its flat view.

       v      not changed
       level  level whose rows to return
       flat   only FILE rows, with the columns of their ancestors */
TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err);
/* Chooses columns, "a, b"; or an order, "a desc, b", which replaces any earlier one. */
TACO_API taco_view *taco_view_select(const taco_view *v, const char *columns, taco_error *err);
TACO_API taco_view *taco_view_order(const taco_view *v, const char *columns, taco_error *err);
/* Keeps some of the rows, in their order.

       v       not changed
       limit   most rows to keep, within earlier limits; 0: all
       offset  rows to skip first */
TACO_API taco_view *taco_view_limit(const taco_view *v, uint64_t limit, uint64_t offset,
                                    taco_error *err);
/* Adds a SELECT as in taco_sql, where `data` is this view; other tables are the dataset's. If the
   rows of the result are rows of the view (no GROUP BY, DISTINCT, aggregate, UNNEST, JOIN), id,
   type and internal:* can be named by later steps and used to navigate, selected or not (spec
   7.2.3); giving one of these names to something else is an ARGUMENT error. */
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err);
/* Runs the view. The caller closes the cursor, before the dataset. */
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err);
/* Runs it and passes the batches to an Arrow consumer, as taco_cursor_export. */
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err);
/* Returns taco:pit_schema of the dataset with the number of rows of the view, which is run to count
   them: see taco_pit_schema. Lives as long as the dataset. */
TACO_API taco_bytes taco_view_pit_schema(const taco_view *v, taco_error *err);
/* As taco_read, from the view: the first key is an id or an @position among its rows; "" or NULL
   returns the rows.

       v        the view; must outlive the cursor
       path     ids and @positions, as taco_read takes it; not kept
       padding  whether to include __TACOPAD__N rows */
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err);
/* Frees a view; NULL is accepted. */
TACO_API void taco_view_free(taco_view *v);

/* ---- several views and sources as one dataset ------------------------------------------------ */

/* A part of a dataset: a view, a source or a path; the other members are NULL. */
typedef struct taco_part {
    const taco_view *view;
    const taco_source *source; /* an archive or a `__TACOCAT__`, as for taco_open_source */
    const char *path;          /* what to open; for a source its name, which may be NULL */
} taco_part;

/* Opens n parts as one dataset (spec 7.2.4), as taco_open_many does with paths: the samples of the
   parts are concatenated, and told apart by internal:source_path and internal:source_file. A view
   contributes the samples of level 0 that its rows are or belong to, as taco_export_rows does: each
   once, whole, in storage order; two views of one dataset may contribute the same sample twice. The
   views are run during the call and may be freed afterwards; their datasets must stay open as long
   as this one, and are used by the same thread. Their other samples are in no query, table, path or
   count of this dataset, but positions (taco_cursor_positions, row_from, "@@2") count them. Sources
   are copied, and are closed with the dataset, or at once on failure. opt applies to the dataset
   and to the parts that are opened here; NULL: the options of the first part's dataset if that part
   is a view. UNSUPPORTED for formats other than TACO 2, ARGUMENT for rows that are not samples. The
   caller closes the dataset with taco_close. NULL on failure.

       parts  n parts, in the order of their samples; not kept
       n      number of parts, at least 1
       mode   what to do with columns that some parts lack
       opt    options of the dataset and of parts that are opened here; NULL: see above */
TACO_API taco_dataset *taco_open_parts(const taco_part *parts, size_t n, taco_column_mode mode,
                                       const taco_options *opt, taco_error *err);

/* ---- plans ----------------------------------------------------------------------------------- */

/* A level of a dataset that is tested or whose rows are returned. */
typedef struct taco_plan_table {
    const char *dataset;
    uint32_t level;
    bool at_most; /* rows_left is an upper bound: conditions may leave fewer */
    uint64_t rows, rows_left;
    uint64_t groups, groups_pruned;           /* row groups, by statistics and bloom filters */
    uint64_t pages, pages_pruned;             /* ranges between page boundaries, by page indexes */
    const char *const *tested, *const *shown; /* columns in conditions; columns returned */
    size_t tested_count, shown_count;
} taco_plan_table;

typedef struct taco_plan {
    const taco_range *ranges; /* by round; bytes not in memory yet, with nearby ranges merged */
    size_t range_count;
    uint32_t rounds;
    uint64_t bytes, held; /* bytes of the ranges; bytes already in memory */
    uint64_t index_bytes; /* page indexes and bloom filters that were read for the plan */
    const taco_plan_table *tables;
    size_t table_count;
    const char *const *selects; /* SELECTs that run over the query, innermost first */
    size_t select_count;
    /* conditions of those SELECTs that the query tests instead */
    const char *const *pushed_down;
    size_t pushed_down_count;
    /* false: round 0 must be in memory before planning can go further; then plan again */
    bool complete;
} taco_plan;

/* Plans what the view will read, as it will be requested from a vectored source (read_many). Reads
   only footers and page indexes, if they have not been read yet. Which rows meet conditions is not
   known, so later rounds are upper bounds. NULL on failure. The caller frees the plan, before the
   dataset is closed. */
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err);
/* Return what `taco query --explain` prints, without and with --json. They live as long as the
   plan. {NULL, 0} on failure. */
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err);
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err);
/* Frees a plan; NULL is accepted. */
TACO_API void taco_plan_free(taco_plan *plan);

#ifdef __cplusplus
}
#endif
#endif /* TACO_SQL_H */
