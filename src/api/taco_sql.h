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
     SELECT [DISTINCT [ON (expr, ...)]] expr [AS name], *, t.*, * EXCLUDE (...)
     [FROM table [alias [(columns)]] [[LEFT] JOIN table ON cond | USING (columns) | , table |
      CROSS JOIN table | [NATURAL] [LEFT | SEMI | ANTI] JOIN table ...]...]
     [WHERE cond] [GROUP BY expr, ... | ALL] [HAVING cond]
     [UNION [ALL] [BY NAME] | INTERSECT [ALL] | EXCEPT [ALL] SELECT ...]...
     [ORDER BY expr [ASC | DESC] [NULLS FIRST | LAST], ... | ALL] [LIMIT n] [OFFSET n]
   A table is data | level0..5 | l0..5 | (query) | a name of WITH | range(...) | unnest(list), whose
   list may be of tables before it. VALUES (...), ... may stand for a SELECT. unnest(list) as an
   expr makes a row of each element. A query in an expression is a value, or follows EXISTS, IN or
   = ANY; it is run once, when the query around it is opened, and cannot name that one's columns.
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
   Not taken: correlated and recursive queries, window functions; the error names what it found.
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
/* As taco_view_filter, with a predicate alone.

       v      stays as it was
       where  a predicate, see the manual of taco_parquet.h; copied
       level  whose rows it tests */
TACO_API taco_view *taco_view_where(const taco_view *v, const char *where, uint32_t level,
                                    taco_error *err);
/* As taco_view_filter, with a box alone.

       v                stays as it was
       box              west, south, east, north, as in taco_filter; copied
       geometry_column  NULL: the first there is, as in taco_filter
       level            whose rows it tests */
TACO_API taco_view *taco_view_filter_bbox(const taco_view *v, const double box[4],
                                          const char *geometry_column, uint32_t level,
                                          taco_error *err);
/* As taco_view_filter, with a time alone.

       v            stays as it was
       time         "A" or "A/B", ISO 8601, as in taco_filter; copied
       time_column  NULL: the first there is, as in taco_filter
       level        whose rows it tests */
TACO_API taco_view *taco_view_filter_datetime(const taco_view *v, const char *time,
                                              const char *time_column, uint32_t level,
                                              taco_error *err);
/* The rows of another level below or above those that are left, or its flat view.

       v      stays as it was
       level  whose rows come out
       flat   its FILE rows with the columns of their ancestors */
TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err);
/* "a, b"; "a desc, b" (the last order holds); limit 0 = none, of what is left by limits before. */
TACO_API taco_view *taco_view_select(const taco_view *v, const char *columns, taco_error *err);
TACO_API taco_view *taco_view_order(const taco_view *v, const char *columns, taco_error *err);
/* Some of the rows, in their order.

       v       stays as it was
       limit   rows at most, of what limits before left; 0: all
       offset  rows to skip first */
TACO_API taco_view *taco_view_limit(const taco_view *v, uint64_t limit, uint64_t offset,
                                    taco_error *err);
/* One SELECT as in taco_sql, where `data` is this view; other tables are the dataset's. As long as
   rows of the view stay rows (no GROUP BY, DISTINCT, aggregate, UNNEST, JOIN), id, type and
   internal:* can be named by later steps and navigated by, selected or not (spec 7.2.3); giving one
   of these names to something else is an ARGUMENT error. */
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
   rows.

       v        the view; must outlive the cursor
       path     ids and @positions, as taco_read takes it; not kept
       padding  also __TACOPAD__N rows */
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err);
/* NULL is accepted. */
TACO_API void taco_view_free(taco_view *v);

/* ---- several views and sources as one dataset ------------------------------------------------ */

/* A part of a dataset: a view, a source or a path, the members of the other kinds being NULL. All
   zero otherwise. */
typedef struct taco_part {
    const taco_view *view;
    const taco_source *source; /* an archive or a `__TACOCAT__`, as for taco_open_source */
    const char *path;          /* what is to be opened; of a source its name, which may be NULL */
} taco_part;

/* Opens n parts as one dataset (spec 7.2.4), as taco_open_many does paths: the samples of one part
   after those of the other, told apart by internal:source_path and internal:source_file. Of a view
   that are the samples of level 0 that its rows are or are below, each once, whole, in storage
   order, as taco_export_rows takes them; two views of one dataset may have the same sample twice.
   The views are run here and may be freed then; their datasets stay open as long as this one, and
   are used by the same thread. Other samples of theirs are in no query, table, path or count of
   this dataset; places (taco_cursor_positions, row_from, "@@2") count them on. Sources are copied,
   and are closed with the dataset, or at once on failure. opt is for it and for the parts that are
   opened here; NULL: that of the dataset of the first part, where that is a view. UNSUPPORTED for
   other formats than TACO 2, ARGUMENT for rows that are no samples. The caller closes the dataset
   with taco_close. NULL on failure.

       parts  n of them, in the order of their samples; not kept
       n      how many, at least 1
       mode   what becomes of columns that not all of them have
       opt    options of the dataset and of parts that are opened here; NULL: see above */
TACO_API taco_dataset *taco_open_parts(const taco_part *parts, size_t n, taco_column_mode mode,
                                       const taco_options *opt, taco_error *err);

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
