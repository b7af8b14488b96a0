/* taco.h - open TACO datasets from C: filter them, navigate them, hand GDAL their paths.

   Do this in exactly one source file, before other includes, with taco_parquet.h beside it:

       #define TACO_IMPLEMENTATION
       #include "taco.h"

   and include the header plainly wherever else it is used. C99 or C++11; nothing but libc.

   Quick start: the paths of all samples in a box, a time and a predicate.

       taco_query    query = {0};
       taco_error    err = {0};
       const double  box[4] = {-77.3, -12.3, -76.7, -11.7};      (west south east north)
       taco_dataset *ds = taco_open("s2.tacozip", NULL, &err);
       taco_cursor  *row;

       query.bbox = box;
       query.time = "2023-01-01/2023-03-31";
       query.where = "\"stac:cloud_cover\" < 10 AND split = 'train'";
       row = taco_select(ds, &query, &err);
       while (taco_cursor_next(row))
           printf("%s\t%s\n", taco_cursor_text(row, "id"), taco_cursor_vsi(row));
       taco_cursor_close(row, &err);
       taco_close(ds);
       if (err.code) fprintf(stderr, "%s\n", taco_error_text(&err));

   THE MODEL (spec 5): a dataset is a tree of samples. A FILE holds bytes, a FOLDER holds samples. Level 0
   is the top; all samples of a level are the rows of one table, METADATA/levelN.parquet. The children of
   one FOLDER stand in its own __meta__ as well. internal:gdal_vsi is not stored: it is made for the rows
   that leave, for ZIP archives /vsisubfile/{offset}_{size},{path}. URLs become GDAL's: s3:// /vsis3/,
   gs:// /vsigs/, az:// /vsiaz/, oss:// /vsioss/, swift:// /vsiswift/, http(s):// /vsicurl/.

   READS: .tacozip by its TACO_HEADER, or by its central directory when that is damaged; FOLDERs; the
   `__TACOCAT__` file and the .tacocat directory; lists of datasets; every generation of the writer since
   2025-10, with Avro metadata and without internal:current_id. Tortilla and TACO 0.x are for taco_legacy.h,
   through taco_options.openers; without it they are refused by name, as is TACO 3. Predicates, limits and switches are those of taco_parquet.h.

   WHERE WE DIFFER from the Python reference, on purpose:
   1. Joins go by dataset, source file and parent id: flat views and cascades over several archives have
      no cross products.
   2. Filters of one level hold for the same row, filters of several levels along one path; a later
      filter forgets none before it. Level-0 rows are distinct, in storage order.
   3. Padding (__TACOPAD__N) is hidden everywhere unless asked for.
   4. __meta__ decides for navigation. Consolidated offsets are wrong in files whose FOLDER ids were not
      in byte order when they were written; taco_read and taco_payload are right for them.
   5. Time filters are whole UTC days as there, on every machine; exact_time gives instants.
   6. NaN is greater than every number. A row without an id is shown. A type other than FILE or FOLDER is
      refused when the sample is read.
   7. A path never leaves the dataset: an id, internal:relative_path or internal:source_file that would is
      an error.
   istac:geometry is compared as it stands with the box: its coordinates are those of istac:crs.

   READS OF A REMOTE SOURCE: two to open (the header; COLLECTION.json with the footer in front of it, or
   all metadata when it is under 1 MiB). Where taco_source.read_many is set, a filter takes two rounds
   more: the predicate's columns, then the other columns of the row groups that still have rows.

   VIEWS: steps that are kept, and run when rows are asked for.
       taco_view *all = taco_view_open(ds, NULL, &err);
       taco_view *v = taco_view_sql(all, "SELECT id, v FROM data WHERE v > 0.5 ORDER BY v", &err);
       taco_view *w = taco_view_filter_bbox(v, box, NULL, 1, &err);
       rows = taco_view_rows(w, &err);
   Filters, conditions that a scan can test, plain columns, sort keys and limits become one taco_query, in
   whatever order they come; a limit in front of a filter is run for the numbers of its rows. Other SELECTs
   run over that query, each over the one before, streaming where they do not group or sort. Filters of
   levels go below SELECTs that keep the rows. id, type and internal:* can be named and navigated by
   behind any step that keeps rows. `query --explain` and taco_view_plan tell what will be read; over a
   taco_feed, whose files are the ranges that a host handed in, that works without a read that waits.

   SEVERAL DATASETS: their pit schemas must name the same children. Columns that not all have are dropped
   (with a warning that says from where), filled with nulls, or refused; other types become the type that
   DuckDB's UNION gives: the wider number, DOUBLE, text of numbers and dates, the finer time; none for
   UINT64 with signed numbers, nested and decimal types: an error. internal:source_file is the archive a
   row is from. where tests what is stored, SQL's conditions on columns of several types what comes out.

   SQL: taco_sql takes one SELECT, in DuckDB's dialect, types and result names:
     SELECT [DISTINCT] expr [AS name], *, t.*, * EXCLUDE (...)
     FROM data | level0..5 | l0..5 [alias] [[LEFT] JOIN table [alias] ON a = b [AND ...]]...
     [WHERE cond] [GROUP BY expr, ... | ALL] [HAVING cond]
     [ORDER BY expr [ASC | DESC] [NULLS FIRST | LAST], ... | ALL] [LIMIT n] [OFFSET n]
   with + - * / // % ||, comparisons, IS [NOT] DISTINCT FROM | NULL | TRUE, IN, BETWEEN, [I]LIKE, CASE, CAST,
   TRY_CAST, ::, lists[i], [i:j], structs, functions of text, numbers, dates and lists, ST_Intersects and
   ST_Within with ST_MakeEnvelope, and count sum avg min max first last any_value stddev variance median
   quantile_cont quantile_disc list bool_and bool_or, with DISTINCT and FILTER. No subqueries, set
   operations or window functions: what is not taken is an error that names it. HUGEINT comes out as
   DECIMAL(38, 0). A join of internal:parent_id with internal:current_id stays within one archive.

   SORTED results and joins hold what they need in memory: `order` the rows that match, filters of deeper
   levels a bit and a parent number per row. All else streams.

   ROOMS, in order of dependency; those of taco_parquet.h stand before them.

   json      - strict JSON into an arena, and back to text
   geom      - walk WKB, its bounds, and its exact intersection with a box
   coll      - COLLECTION.json: what a dataset is, and its PIT schema
   zip       - ZIP records, from the end record to the bytes of an entry
   index     - where the metadata of an archive or a TACOCAT lies: TACO_HEADER, central
               directory, 128-byte header. A gate: ranges that leave it lie inside the file and
               apart from each other
   vsi       - GDAL paths of samples, made of roots, offsets and names that never leave the
               dataset
   avro      - object container files into Arrow columns
   store     - one interface over archives, folders and catalogues: collection, levels as
               tables, files
   join      - parents of rows, and the rows that filters of several levels leave
   unify     - columns of several datasets under one type
   view      - a query bound to the tables of a dataset, and the cursor over its rows
   cursor    - rows of a query, batch by batch or one at a time
   dataset   - the calls of the public API
   nav       - from keys to samples, through the local metadata: read, locate, payload
   aggr      - statistics of many rows put together
   foot      - rows as footprints: GeoJSON, and GDAL's raster tile index around it
   vec       - vectors of typed values that SQL computes with: from and to Arrow, choose, order
   sqlp      - parse a SELECT into a tree
   cast      - values of one SQL type as another
   func      - scalar functions and operators over vectors
   fold      - SQL's aggregates over numbered groups
   bind      - names, types and functions of a SELECT made definite
   calc      - bound trees evaluated over batches
   exec      - scans, joins, conditions, groups, DISTINCT, order, limits
   sql       - a SELECT planned over the tables of a dataset
   lazy      - views: steps that are kept until rows are asked for, then one query or SELECTs over it
   fed       - files of ranges that were handed in, for hosts whose reads cannot wait
   plan      - what a view will read, told before it does: tables, row groups, pages, ranges */
#ifndef TACO_H
#define TACO_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taco_dataset taco_dataset;
typedef struct taco_cursor  taco_cursor;

typedef enum taco_kind {
    TACO_KIND_ZIP =
        1, /* .tacozip: one archive with a TACO_HEADER                        (spec 6.3) */
    TACO_KIND_FOLDER, /* a directory with DATA, METADATA and COLLECTION.json              (spec 6.4) */
    TACO_KIND_TACOCAT, /* a catalogue of archives: `__TACOCAT__` or a `.tacocat` directory (spec 6.5) */
    TACO_KIND_OTHER /* of one of taco_options.openers: taco_info_json names it */
} taco_kind;

/* A kind of dataset that another header reads, for taco_options.openers; that header has a function that returns it. */
typedef struct taco_opener taco_opener;

typedef enum taco_column_mode { /* columns of several datasets opened together (spec 7.2.4) */
                                TACO_COLUMNS_INTERSECTION = 0, /* only those all of them have */
                                TACO_COLUMNS_FILL_MISSING, /* all; null where a dataset lacks one */
                                TACO_COLUMNS_STRICT /* the same in all of them, or an error */
} taco_column_mode;

/* ---- open ------------------------------------------------------------------------------------ */

/* Opens a .tacozip/.zip, a FOLDER, a `__TACOCAT__` file, or a `.tacocat` directory or its parent. The kind is decided
   by content. opt may be NULL; what it points to (not itself) must outlive the dataset. NULL on failure. A dataset
   belongs to one thread at a time; different datasets share nothing. Reads the header and COLLECTION.json (at most two
   reads); levels are read when they are first asked for. */
TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err);
/* Opens n datasets as one: their rows one after the other, `internal:source_path` and `internal:source_file` telling
   which (n > 1). Their pit schemas must name the same children (ARGUMENT otherwise). */
TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err);
/* Opens an archive or a `__TACOCAT__` from a source of the caller's. name is what paths and messages call it: a local
   path, a URL (s3://, https://, ...) or a /vsi path. src is copied and is closed with the dataset, on failure too. */
TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err);
/* Releases everything; NULL is accepted. Cursors of the dataset must be closed before. */
TACO_API void taco_close(taco_dataset *ds);
/* TACOCAT only, other kinds ignore it: where the archives are, instead of beside the catalogue (spec 7.2.1). A missing
   '/' is added; base is copied. Whether it is there is seen when a payload is asked for. */
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err);

/* ---- what it is ------------------------------------------------------------------------------ */

/* Of COLLECTION.json (spec 5.6; of the first of several). "" where the document has none. Live as long as ds. */
TACO_API const char *taco_id(const taco_dataset *ds);
TACO_API const char *taco_dataset_version(const taco_dataset *ds);
TACO_API const char *taco_description(const taco_dataset *ds);
TACO_API const char *taco_title(const taco_dataset *ds);
/* The text of one top-level value ("extent", "providers", "taco:pit_schema", ...) as it stands in the document, or of
   the whole document for NULL; {NULL, 0} when it is missing. Lives as long as ds. */
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key);
TACO_API taco_kind  taco_dataset_kind(const taco_dataset *ds);
/* Of TACO_KIND_OTHER: the name of the format ("tortilla", "rasteret"); "" of TACO 2. Lives for ever. */
TACO_API const char *taco_dataset_format(const taco_dataset *ds);
/* Number of levels: the deepest level is taco_levels(ds) - 1. */
TACO_API uint32_t taco_levels(const taco_dataset *ds);
/* Rows stored in a level, padding included; -1 on failure. */
TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err);
/* Columns of a level as stored, *n of them; NULL on failure. Live as long as ds. */
TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err);
/* What `taco info --json` prints, one JSON object. Lives as long as ds. {NULL, 0} on failure. */
TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err);

/* ---- query ----------------------------------------------------------------------------------- */

/* A filter on the rows of one level. What is NULL or 0 does not filter; all parts must hold for the same row. The box is in
   the units of the column (degrees for stac:centroid), edges included. Corners may be swapped, infinities leave a side
   open, NaN is an ARGUMENT error; no box goes over 180 degrees: that takes two queries. */
typedef struct taco_filter {
    const char *where; /* predicate, see the manual */
    const double
        *bbox; /* west, south, east, north: rows whose geometry intersects the box, exactly */
    const char *time; /* "A" or "A/B", ISO 8601: whole UTC days, closed */
    const char *
        geometry_column; /* NULL: istac:geometry, stac:centroid, istac:centroid, the first there is */
    const char *time_column; /* NULL: istac:time_start, stac:time_start */
    uint32_t    level;
    bool        exact_time; /* instants, half open [A, B), instead of days */
} taco_filter;

/* {0} selects every level-0 sample. Filters of several levels hold along one path: a row, its parent and so on. */
typedef struct taco_query {
    const char        *where; /* these seven are a taco_filter on `level` */
    const double      *bbox;
    const char        *time;
    const char        *geometry_column;
    const char        *time_column;
    uint32_t           level;
    bool               exact_time;
    const taco_filter *filters; /* further ones */
    size_t             filter_count;
    uint32_t           table; /* the level whose rows come out */
    bool        flat;   /* its FILE rows with the columns of their ancestors, named lN:column */
    const char *select; /* "a, b": these columns; NULL = all, and internal:gdal_vsi */
    const char *order;  /* "a desc, b": nulls last in both directions; NULL = storage order */
    uint64_t    limit;  /* 0 = no limit */
    uint64_t    offset;
    bool        padding; /* also show the __TACOPAD__N rows */
} taco_query;

/* Rows of a query. NULL on failure: SYNTAX of a text, NOT_FOUND and TYPE for its columns, ARGUMENT for levels. q may be
   NULL; it is not kept. A cursor belongs to the thread of its dataset, and is closed before it; several may be open. */
TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *q, taco_error *err);
/* Rows of one SELECT over data, level0 ... level5 (rows of a level) and l0 ... l5 (FILE rows with their ancestors'
   columns), see the manual. Columns are named as DuckDB names them; padding is hidden. sql is not kept. Errors of the
   text say at which column; failures of a value (overflow, a cast) come when its rows do. NULL on failure. */
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err);
/* The children of a FOLDER, by a path of ids and @positions ("tile_07/@2"; "@@2" counts padding); "" = the level-0 samples.
   Ids of old formats may hold '/' and begin with '@': "a\/b" is one key, "\@2" an id; "a/b" is found, too, where there is no
   sample "a" with a "b". For the path of
   a FILE the cursor has that one row. padding counts and shows __TACOPAD__N rows. NULL on failure. */
TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err);
/* The children of the current row, whatever columns it shows: a FOLDER of any level, of a query, a view whose rows are
   samples, or a cursor made by this or taco_read. */
TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err);

/* Steps to the next row; false at the end and on failure, taco_cursor_close tells which. NULL is accepted. */
TACO_API bool taco_cursor_next(taco_cursor *row);
/* Steps to the next batch of rows instead; arrays live until the next call. The two kinds of stepping do not mix. */
TACO_API bool taco_cursor_batch(taco_cursor *row, taco_batch *out);
/* Where the rows of the batch made last stand in their level, all datasets in a row and padding counted: a number for each
   row, which stays the same whatever is asked for. NULL where rows have no such place: sorted ones, those of taco_sql, of
   taco_read and of taco_cursor_children; and without memory, which ends the cursor. Not for taco_cursor_next. Lives until
   the next batch. */
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *row);
/* Columns of the cursor, *n of them, in order. Live as long as the cursor. */
TACO_API const taco_field *taco_cursor_fields(const taco_cursor *row, size_t *n);
/* Values of the current row. Pointers live until the next step. A column that is not there, null, or for _double and _int
   of another type than taco_array_double and taco_array_int know gives NULL or false, and *out stays as it was; text that holds a zero byte ends there (use taco_cursor_bytes). */
TACO_API const char *taco_cursor_text(taco_cursor *row, const char *column);
TACO_API bool        taco_cursor_bytes(taco_cursor *row, const char *column, taco_bytes *out);
TACO_API bool        taco_cursor_double(taco_cursor *row, const char *column, double *out);
TACO_API bool        taco_cursor_int(taco_cursor *row, const char *column, int64_t *out);
/* The row's internal:gdal_vsi, "" when it has none. Lives until the next step. */
TACO_API const char *taco_cursor_vsi(taco_cursor *row);
/* The row as a JSON object, NUL-terminated; "" before the first row and on failure. Lives until the next call for the
   cursor. */
TACO_API const char *taco_cursor_json(taco_cursor *row);
/* Releases the cursor and reports its failure, if it had one, into err. */
TACO_API taco_status taco_cursor_close(taco_cursor *row, taco_error *err);
/* Hands the batches that are still to come to an Arrow consumer, internal:gdal_vsi included; all as in
   taco_pq_reader_export. *out takes the cursor over, on failure too, and its release closes it, with close_dataset the
   dataset as well (otherwise that must outlive the stream, not its arrays). Not behind taco_cursor_next: STATE. */
TACO_API taco_status taco_cursor_export(taco_cursor *row, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err);

/* ---- views ----------------------------------------------------------------------------------- */

/* A query that is put together step by step. Every call below returns a new view and leaves its argument as it was; no
   level is read until rows are asked for, so that unknown columns are found then, and mistakes of the text at once. The
   dataset is borrowed: it must outlive its views, and what they hand out. NULL on failure; a NULL view is an ARGUMENT
   error. Views are freed one by one, in any order. */
typedef struct taco_view taco_view;

/* The samples of a query, which is not kept; NULL: those of level 0. */
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *q, taco_error *err);
/* Filters of rows of a level, as those of taco_query: all of them hold together, those of several levels along one path.
   Behind a limit they hold for the rows that it leaves. Not for rows that GROUP BY, DISTINCT or JOIN made. */
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
/* One SELECT as in taco_sql, where `data` is this view; other tables are the dataset's. As long as rows of the view stay
   rows (no GROUP BY, DISTINCT, aggregate, JOIN), id, type and internal:* can be named by later steps and navigated by,
   selected or not (spec 7.2.3); giving one of these names to something else is an ARGUMENT error. */
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err);
/* Runs the view. */
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err);
/* Runs it and hands the batches to an Arrow consumer, as taco_cursor_export. */
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err);
/* taco_read from the view: the first key is an id or an @position among its rows; "" gives the rows. */
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err);
/* NULL is accepted. */
TACO_API void taco_view_free(taco_view *v);

/* ---- plans and fed bytes --------------------------------------------------------------------- */

typedef struct taco_range { /* of a file, as taco_options.open_file is asked for it */
    const char *file;
    uint64_t    offset, len;
    uint32_t round; /* what a round asks for depends on what the rounds before brought; from 0 on */
    bool     at_most; /* parts of it may turn out not to be needed */
} taco_range;

typedef struct taco_plan_table { /* a level of a dataset that is tested or comes out */
    const char        *dataset;
    uint32_t           level;
    bool               at_most; /* of rows_left: what is tested may leave less */
    uint64_t           rows, rows_left;
    uint64_t           groups, groups_pruned; /* row groups, by statistics and bloom filters */
    uint64_t           pages, pages_pruned; /* stretches between page boundaries, by page indexes */
    const char *const *tested, *const *shown; /* columns */
    size_t tested_count, shown_count;
} taco_plan_table;

typedef struct taco_plan {
    const taco_range *ranges; /* by round: what is not held already, near ones joined */
    size_t            range_count;
    uint32_t          rounds;
    uint64_t          bytes, held; /* of the ranges; of those that are held already */
    uint64_t          index_bytes; /* page indexes and bloom filters that were read for the plan */
    const taco_plan_table *tables;
    size_t                 table_count;
    const char *const     *selects; /* those over the query, the lowest first */
    size_t                 select_count;
    const char *const
          *pushed_down; /* conditions of those SELECTs that the query tests in their place */
    size_t pushed_down_count;
    bool
        complete; /* else: round 0 has to be there before the plan can look further; plan again then */
} taco_plan;

/* What the view will read, as a vectored source (read_many) will be asked for it. Reads footers and page indexes where
   they were not read yet, and nothing else; rows that conditions leave are not known, so that later rounds are bounds.
   NULL on failure. The caller frees it, before the dataset is closed. */
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err);
/* What `taco query --explain` prints, and with --json. Live as long as the plan. {NULL, 0} on failure. */
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err);
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err);
/* NULL is accepted. */
TACO_API void taco_plan_free(taco_plan *plan);

/* Files made of the ranges that a host hands in, for one that cannot wait inside a read (a browser): reads of other
   bytes fail with IO, and are noted. Set taco_options.open_file = taco_feed_open_file, open_ctx = the feed; then call,
   fetch what taco_feed_wanted tells or a plan lists, give it, and call again, until it works:

       while (!(ds = taco_open(url, &opt, &err))) { fetch(taco_feed_wanted(feed, &n), n); err.code = TACO_OK; }

   One thread at a time; the feed must outlive the datasets. Of opt the allocator and the limits count; it may be NULL.
   NULL without memory. */
typedef struct taco_feed taco_feed;
#define TACO_FEED_NO_FILE UINT64_MAX
TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err);
/* Tells that there is a file, and its size in bytes, or TACO_FEED_NO_FILE that there is none. */
TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err);
/* Copies len bytes that stand at offset of the file. Bytes that were given before stay. */
TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err);
/* What was asked for in vain since the last call that told or gave something; len 0: a file of which nothing was told.
   Live until the next call. */
TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n);
/* For taco_options. */
TACO_API bool taco_feed_open_file(void *feed, const char *path, taco_source *out);
/* NULL is accepted. */
TACO_API void taco_feed_free(taco_feed *f);

/* ---- payload --------------------------------------------------------------------------------- */

/* Where the bytes of a FILE are. Strings live until the next call of taco_locate, taco_payload or taco_close. */
typedef struct taco_sample {
    const char *vsi;    /* for GDAL */
    const char *file;   /* for taco_options.open_file */
    uint64_t    offset; /* of the payload in that file */
    uint64_t    size;
    bool        folder; /* a FOLDER: the range is its __meta__ */
    bool
        whole; /* the payload is the whole file (FOLDER datasets); offset 0, size unknown until opened */
} taco_sample;
/* path as in taco_read. NOT_FOUND when there is no such sample. Reads the local metadata on the way (__meta__), no
   payload. */
TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err);
/* Opens the payload of a FILE (ARGUMENT for a FOLDER) as a source of its size, from byte 0 on. The caller closes it, before
   the dataset, whose open archive and thread it shares. TRUNCATED when the archive ends before the payload. */
TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err);

/* ---- statistics ------------------------------------------------------------------------------ */

typedef enum taco_stats_family {
    TACO_STATS_ANY = 0,
    TACO_STATS_CONTINUOUS, /* 9 values a band: min, max, mean, std, valid%, p25, p50, p75, p95 */
    TACO_STATS_CATEGORICAL /* any other number of values: the share of each class */
} taco_stats_family;

typedef struct taco_stats_options {
    const char *column; /* NULL: internal:stats, geotiff:stats, the first there is */
    taco_stats_family
        family; /* what is asked for; the other one is a TYPE error. ANY takes what there is */
    bool
        weighted_percentiles; /* by pixels; else the plain average over rows, as the reference has it */
} taco_stats_options;

/* A percentile of many rows is an average of theirs, not the percentile of their pixels. */
typedef struct taco_band_stats {
    double min, max, mean, std, p25, p50, p75, p95;
} taco_band_stats;

/* Computed in doubles; the reference rounds to float32. std pools the rows' (n - 1) deviations and is NaN for one pixel
   in all. A NaN in a row makes its band's value NaN, as in NumPy. */
typedef struct taco_stats {
    const char       *column; /* that was read, as the view calls it */
    taco_stats_family family;
    uint64_t          rows;   /* of the view */
    uint64_t          used;   /* those with statistics; the others are left out with their weight */
    double            pixels; /* the weights together: H x W of stac:tensor_shape, 1 without it */
    size_t            bands, classes;
    const taco_band_stats *band;  /* CONTINUOUS: `bands` of them */
    const double          *share; /* CATEGORICAL: `classes` of each band, band after band */
} taco_stats;

/* Puts the statistics of the rows of a query together, reading their column and stac:tensor_shape alone, in memory that
   does not grow with the rows. q as in taco_select (its select is not used), opt may be NULL. NULL on failure:
   NOT_FOUND when no row has statistics, TYPE for the family that was not asked for, CORRUPT where rows differ in bands
   or classes. The caller frees it, before the dataset is closed. */
TACO_API taco_stats *taco_aggregate(taco_dataset *ds, const taco_query *q,
                                    const taco_stats_options *opt, taco_error *err);
/* The same over the rows a cursor has left; it stays the caller's to close. Not after taco_cursor_next. */
TACO_API taco_stats *taco_aggregate_rows(taco_cursor *rows, const taco_stats_options *opt,
                                         taco_error *err);
/* What `taco stats --json` prints: one object, numbers as float32. Lives as long as s. {NULL, 0} on failure. */
TACO_API taco_bytes taco_stats_json(taco_stats *s, taco_error *err);
/* NULL is accepted. */
TACO_API void taco_stats_free(taco_stats *s);

/* ---- footprints ------------------------------------------------------------------------------ */

typedef enum taco_footprint_format {
    TACO_FOOTPRINTS_GEOJSON = 1, /* a FeatureCollection, longitudes and latitudes   (RFC 7946) */
    TACO_FOOTPRINTS_GTI          /* a GDAL Raster Tile Index, a mosaic for GDAL 3.9 and later */
} taco_footprint_format;

typedef struct taco_footprints taco_footprints;

/* The rows of a query as footprints with their path, a piece of text at a time. q as in taco_select.

   GEOJSON: the properties of a feature are the row's columns (canonical JSON; not internal:gdal_vsi, nor the geometry
   column) and `location`, the path. The geometry is the exact one of the tile where stac:geotransform and
   stac:tensor_shape are in degrees (stac:crs EPSG:4326 or OGC:CRS84), cut in two where it crosses the antimeridian;
   else that of q->geometry_column, or istac:geometry, stac:centroid, istac:centroid, the first there is, in x and y as
   stored. Nothing is reprojected: where istac:crs is another one, a warning says so. Null where there is none.

   GTI: one XML document with the index inside. The footprints are those of stac:geotransform, stac:tensor_shape and
   stac:crs (drawn in by 1/1024 of a pixel, so that tiles do not touch: GDAL 3.10 reads holes where they do), or, where q->geometry_column names it or a row has none, polygons of a geometry column, in istac:crs (or
   EPSG:4326 for other columns). A mosaic has one CRS: rows of another one are an ARGUMENT error, to be filtered away.
   GDAL warps what it opens: with polygons in one CRS the tiles may be in any. Coordinates are not cut at the
   antimeridian. Properties are `location` and the columns of q->select, id alone without. FOLDERs and rows without a
   footprint are left out, with a warning; NOT_FOUND when nothing is left. Rotated tiles are an ARGUMENT error.

   NULL on failure. To be closed before the dataset. */
TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *q,
                                               taco_footprint_format format, taco_error *err);
/* The next piece of text, not NUL-terminated, which lives until the next call. False at the end and on failure. */
TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text);
/* Releases it (NULL is accepted), tells the warnings, and reports its failure, if it had one, into err. */
TACO_API taco_status taco_footprints_close(taco_footprints *f, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__IMPLEMENTED)
#define TACO__IMPLEMENTED
#include "taco_parquet.h" /* its implementation too, where only its declarations were seen before */
