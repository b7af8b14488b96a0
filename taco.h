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
/* ==== ROOM json: strict JSON into an arena, and back to text. Uses: base error mem num. Spec: RFC 8259 ==== */

#define TACO__JSON_NO_CONTAINER UINT32_MAX /* no container is open */
#define TACO__JSON_MAX_DEPTH    64         /* what limits of 0 stand for */
#define TACO__JSON_MAX_BYTES    ((uint64_t)256 << 20)

typedef enum taco__json_type {
    TACO__JSON_NULL = 0,
    TACO__JSON_FALSE,
    TACO__JSON_TRUE,
    TACO__JSON_NUMBER,
    TACO__JSON_STRING,
    TACO__JSON_ARRAY,
    TACO__JSON_OBJECT
} taco__json_type;

/* One value, or one key of an object. The nodes of a document lie in one array in the order of the text, so the first
   child of a container is the node behind it, the next sibling is span nodes on, and a member's value follows its key.
   There is no pointer to chase and no stack to keep, neither for walking nor for printing. */
typedef struct taco__json {
    const char *
        text; /* STRING: unescaped, NUL-terminated, in the arena; else where the value starts in the text */
    uint32_t count; /* elements, members; bytes of a STRING or NUMBER */
    uint32_t
        span; /* nodes of this value with all below it; while a container is open, the one around it */
    uint32_t begin; /* [begin, end) of the text, quotes and brackets included */
    uint32_t end;
    uint8_t  type; /* taco__json_type */
} taco__json;

/* What a parse hands out. There is nothing to free: nodes and strings are the arena's. */
typedef struct taco__json_doc {
    taco_bytes        text; /* borrowed from the caller, who keeps it as long as the nodes */
    const taco__json *root; /* also the first of node_count nodes in a row */
    size_t            node_count;
} taco__json_doc;

/* A parser is a cursor and the innermost open container. It fails by returning false, and err then says where. */
typedef struct taco__json_parser {
    const uint8_t *begin, *at, *end;
    uint64_t       base; /* where in the file begin is */
    taco__json    *nodes;
    uint32_t       node_count, node_cap;
    char          *pool, *pool_end; /* where unescaped strings go */
    uint32_t       open; /* index of the innermost open container, or TACO__JSON_NO_CONTAINER */
    uint32_t       depth, max_depth;
    taco_error    *err;
} taco__json_parser;

/* ---- reading ---- */

/* Length of the well-formed UTF-8 character at p, 0 when it is broken or nothing is left. */
TACO__INLINE size_t taco__json_utf8_length(const uint8_t *p, const uint8_t *end)
{
    size_t broken;
    return p < end ? taco__utf8_char(p, (size_t)(end - p), &broken) : 0;
}
/* "expected WHAT, found ..." at the byte that is read next. Always false. */
TACO__COLD bool taco__json_fail(taco__json_parser *p, const char *what)
{
    uint64_t   at = p->base + (uint64_t)(p->at - p->begin);
    taco_bytes found;
    if (p->at == p->end) {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found the end of the text", what);
        return false;
    }
    found = taco__bytes_of(p->at, taco__json_utf8_length(p->at, p->end));
    if (found.len) {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found %q", what, &found);
    } else {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found byte 0x%x", what,
                   TACO__U(*p->at));
    }
    return false;
}
/* RFC 8259 §2: these four and no other kind of white space. */
TACO__FN void taco__json_skip_space(taco__json_parser *p)
{
    while (p->at < p->end &&
           (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')) {
        p->at++;
    }
}
/* Adds a node that starts at the current byte and counts it in the container around it, unless it is a key. */
TACO__FN taco__json *taco__json_add_node(taco__json_parser *p, taco__json_type type, bool is_key)
{
    taco__json *n = &p->nodes[p->node_count];
    if (p->node_count ==
        p->node_cap) { /* cannot be: the sizing pass counted what may start a value */
        taco__json_fail(p, "the end of the text");
        return NULL;
    }
    if (p->open != TACO__JSON_NO_CONTAINER && !is_key) {
        p->nodes[p->open].count++;
    }
    n->type = (uint8_t)type;
    n->text = (const char *)p->at;
    n->begin = (uint32_t)(p->at - p->begin);
    n->end = n->begin;
    n->count = 0;
    n->span = 1;
    p->node_count++;
    return n;
}
/* Four digits of either case; the cursor stops at the one that is none. */
TACO__FN bool taco__json_read_hex4(taco__json_parser *p, uint32_t *out)
{
    uint32_t x = 0;
    int      i;
    for (i = 0; i < 4; i++, p->at++) {
        uint8_t c = (uint8_t)(p->at < p->end ? *p->at : 0);
        if (c >= '0' && c <= '9') {
            x = x << 4 | (uint32_t)(c - '0');
        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            x = x << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
        } else {
            return taco__json_fail(p, "four hexadecimal digits behind '\\u'");
        }
    }
    *out = x;
    return true;
}
/* Writes a code point, at most U+10FFFF and no surrogate, and returns where the next one goes. */
TACO__FN char *taco__json_encode_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}
/* Behind "\u": one code point of one or two escapes. RFC 8259 §8.2 leaves lone surrogates to the reader. They become
   U+FFFD, so that every string that leaves this room is UTF-8. */
TACO__FN bool taco__json_read_unicode_escape(taco__json_parser *p, uint32_t *out)
{
    uint32_t hi, lo;
    if (!taco__json_read_hex4(p, &hi)) {
        return false;
    }
    *out = hi;
    if (hi < 0xD800 || hi > 0xDFFF) {
        return true;
    }
    *out = 0xFFFD;
    if (hi < 0xDC00 && p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u') {
        const uint8_t *back = p->at;
        p->at += 2;
        if (!taco__json_read_hex4(p, &lo)) {
            return false;
        }
        if (lo >= 0xDC00 && lo <= 0xDFFF) {
            *out = 0x10000 + ((hi - 0xD800) << 10) + (lo - 0xDC00);
        } else {
            p->at = back; /* the second escape stands for itself */
        }
    }
    return true;
}
/* At a backslash. No escape is shorter than the bytes it stands for, which keeps the pool within its size. */
TACO__FN bool taco__json_read_escape(taco__json_parser *p, char **out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char       *found;
    uint32_t          c;
    p->at++;
    if (p->at < p->end && *p->at == 'u') {
        p->at++;
        if (!taco__json_read_unicode_escape(p, &c)) {
            return false;
        }
        *out = taco__json_encode_utf8(*out, c);
        return true;
    }
    found = p->at < p->end && *p->at ? strchr(names, *p->at) : NULL;
    if (!found) {
        return taco__json_fail(p, "one of \"\\/bfnrtu behind a backslash");
    }
    *(*out)++ = values[found - names];
    p->at++;
    return true;
}
/* Steps over bytes that stand for themselves, eight at a time while none of them is a quote, a backslash, a control
   character or above 0x7F: each of these leaves its top bit in one of the four terms. */
TACO__FN const uint8_t *taco__json_skip_plain(const uint8_t *s, const uint8_t *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    while (end - s >= 8) {
        uint64_t x, quote, slash;
        memcpy(&x, s, 8);
        quote = x ^ ones * '"';
        slash = x ^ ones * '\\';
        if ((x | (x - ones * 0x20) | (quote - ones) | (slash - ones)) & tops) {
            break;
        }
        s += 8;
    }
    while (s < end && *s >= 0x20 && *s < 0x80 && *s != '"' && *s != '\\') {
        s++;
    }
    return s;
}
/* At a quote. The string is copied even when nothing in it is escaped: then it can be handed out as a C string. */
TACO__FN bool taco__json_read_string(taco__json_parser *p, bool is_key)
{
    taco__json *n = taco__json_add_node(p, TACO__JSON_STRING, is_key);
    char       *out = p->pool;
    size_t      len;
    if (!n) {
        return false;
    }
    for (p->at++;;) {
        const uint8_t *s = p->at;
        /* a run of bytes that are copied: ASCII, then what is not, which in most texts is a character or two */
        p->at = taco__json_skip_plain(s, p->end);
        while (p->at < p->end && *p->at >= 0x80 &&
               (len = taco__json_utf8_length(p->at, p->end)) != 0) {
            p->at += len;
        }
        len = (size_t)(p->at - s);
        if (len >=
            (size_t)(p->pool_end - out)) { /* cannot be: the sizing pass measured the strings */
            return taco__json_fail(p, "a shorter string");
        }
        memcpy(out, s, len);
        out += len;
        if (p->at == p->end) {
            return taco__json_fail(p, "'\"' at the end of a string");
        }
        if (*p->at == '"') {
            break;
        }
        /* what stopped the run: an escape, or one of the two things that may not be in a string */
        if (*p->at == '\\') {
            if (p->pool_end - out < 5) {
                return taco__json_fail(p, "'\"' at the end of a string");
            }
            if (!taco__json_read_escape(p, &out)) {
                return false;
            }
        } else if (*p->at < 0x20) {
            return taco__json_fail(p, "control characters in a string to be escaped");
        } else if (*p->at >= 0x80 && !taco__json_utf8_length(p->at, p->end)) {
            return taco__json_fail(p, "UTF-8 in a string");
        }
    }
    p->at++;
    *out++ = 0;
    n->text = p->pool;
    n->count = (uint32_t)(out - p->pool - 1);
    n->end = (uint32_t)(p->at - p->begin);
    p->pool = out;
    return true;
}
/* One digit or more. */
TACO__FN bool taco__json_read_digits(taco__json_parser *p)
{
    const uint8_t *from = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
        p->at++;
    }
    return p->at > from || taco__json_fail(p, "a digit");
}
/* RFC 8259 §6. Only the form is checked; nothing is converted before somebody asks for the value. */
TACO__FN bool taco__json_read_number(taco__json_parser *p)
{
    taco__json *n = taco__json_add_node(p, TACO__JSON_NUMBER, false);
    if (!n) {
        return false;
    }
    p->at += *p->at == '-';
    if (p->at < p->end && *p->at == '0') {
        p->at++; /* a digit behind it is reported by whatever should follow */
    } else if (!taco__json_read_digits(p)) {
        return false;
    }
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!taco__json_read_digits(p)) {
            return false;
        }
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        p->at += p->at < p->end && (*p->at == '+' || *p->at == '-');
        if (!taco__json_read_digits(p)) {
            return false;
        }
    }
    n->end = (uint32_t)(p->at - p->begin);
    n->count = n->end - n->begin;
    return true;
}
/* null, true or false, in lower case only. A word cut short is reported at its begin. */
TACO__FN bool taco__json_read_literal(taco__json_parser *p, const char *word, taco__json_type type)
{
    size_t      len = strlen(word);
    taco__json *n;
    if ((size_t)(p->end - p->at) < len || memcmp(p->at, word, len) != 0) {
        return taco__json_fail(p, "a value");
    }
    n = taco__json_add_node(p, type, false);
    if (n) {
        p->at += len;
        n->end = (uint32_t)(p->at - p->begin);
    }
    return n != NULL;
}
/* At an opening bracket. Nesting costs no stack here, but whoever walks the tree may recurse, hence the limit. */
TACO__FN bool taco__json_open_container(taco__json_parser *p, taco__json_type type)
{
    taco__json *n;
    if (p->depth == p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, p->base + TACO__U(p->at - p->begin),
                   "nesting of more than %u, limits.max_depth is %u", TACO__U(p->depth),
                   TACO__U(p->max_depth));
        return false;
    }
    n = taco__json_add_node(p, type, false);
    if (!n) {
        return false;
    }
    n->span = p->open;
    p->open = p->node_count - 1;
    p->depth++;
    p->at++;
    return true;
}
/* At the bracket that closes the innermost container. Its span held the index of the one around it until now. */
TACO__FN void taco__json_close_container(taco__json_parser *p)
{
    taco__json *n = &p->nodes[p->open];
    uint32_t    around = n->span;
    n->span = p->node_count - p->open;
    p->at++;
    n->end = (uint32_t)(p->at - p->begin);
    p->open = around;
    p->depth--;
}
/* One scalar, or the opening bracket of a container. */
TACO__FN bool taco__json_read_value(taco__json_parser *p)
{
    switch (p->at < p->end ? *p->at : 0) {
    case '{': return taco__json_open_container(p, TACO__JSON_OBJECT);
    case '[': return taco__json_open_container(p, TACO__JSON_ARRAY);
    case '"': return taco__json_read_string(p, false);
    case 't': return taco__json_read_literal(p, "true", TACO__JSON_TRUE);
    case 'f': return taco__json_read_literal(p, "false", TACO__JSON_FALSE);
    case 'n': return taco__json_read_literal(p, "null", TACO__JSON_NULL);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return taco__json_read_number(p);
    default: return taco__json_fail(p, "a value");
    }
}
/* A key and its colon: the node of the key, and behind it the value is to come. */
TACO__FN bool taco__json_read_key(taco__json_parser *p)
{
    taco__json_skip_space(p);
    if (p->at == p->end || *p->at != '"') {
        return taco__json_fail(p, "a key in quotes");
    }
    if (!taco__json_read_string(p, true)) {
        return false;
    }
    taco__json_skip_space(p);
    if (p->at == p->end || *p->at != ':') {
        return taco__json_fail(p, "':' behind a key");
    }
    p->at++;
    return true;
}
/* Behind a value: closes what ends here. True with *more set when another value follows, true without at the end. */
TACO__FN bool taco__json_read_separator(taco__json_parser *p, bool *more)
{
    *more = false;
    for (;;) {
        bool is_object;
        taco__json_skip_space(p);
        if (p->open == TACO__JSON_NO_CONTAINER) {
            return p->at == p->end || taco__json_fail(p, "the end of the text");
        }
        is_object = p->nodes[p->open].type == TACO__JSON_OBJECT;
        if (p->at < p->end && *p->at == (is_object ? '}' : ']')) {
            taco__json_close_container(p);
        } else if (p->at < p->end && *p->at == ',') {
            p->at++;
            *more = true;
            return !is_object || taco__json_read_key(p);
        } else {
            return taco__json_fail(p, is_object ? "',' or '}'" : "',' or ']'");
        }
    }
}
/* The whole grammar as one loop: a value or an opening bracket, then whatever may stand behind it. */
TACO__FN bool taco__json_read_document(taco__json_parser *p)
{
    bool more = true;
    while (more) {
        uint32_t before = p->open;
        taco__json_skip_space(p);
        if (!taco__json_read_value(p)) {
            return false;
        }
        if (p->open != before) { /* a container has been opened */
            bool is_object = p->nodes[p->open].type == TACO__JSON_OBJECT;
            taco__json_skip_space(p);
            if (p->at == p->end || *p->at != (is_object ? '}' : ']')) {
                if (is_object && !taco__json_read_key(p)) {
                    return false;
                }
                continue; /* its first value; an empty one is closed below */
            }
        }
        if (!taco__json_read_separator(p, &more)) {
            return false;
        }
    }
    return true;
}
/* Counts the bytes that a value or key may follow, and the bytes of the strings. Until the first error the parser sees
   the same quotes, so both are upper bounds, and exact but for empty containers and escapes. */
TACO__FN void taco__json_measure(taco_bytes text, size_t *nodes, size_t *chars)
{
    const uint8_t *s = text.data, *end = text.data + text.len;
    size_t         n = 1, strings = 0;
    while (s < end) {
        uint8_t c = *s++;
        n += c == ',' || c == ':' || c == '[' || c == '{';
        if (c == '"') {
            const uint8_t *from = s;
            while (s < end && *s != '"') {
                s += *s == '\\' && end - s > 1 ? 2 : 1;
            }
            strings += (size_t)(s - from) + 1;
            s += s < end;
        }
    }
    *nodes = n;
    *chars = strings + 8; /* an escape is written in one step of up to four bytes */
}
/* Parses all of text, which stays the caller's and starts at byte base of some file. limits may be NULL. */
TACO__FN taco_status taco__json_parse_at(taco__arena *arena, taco_bytes text, uint64_t base,
                                         const taco_limits *limits, taco__json_doc *out,
                                         taco_error *err)
{
    uint64_t   max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco__json_parser p;
    size_t            nodes, chars;
    memset(out, 0, sizeof *out);
    memset(&p, 0, sizeof p);
    memset(&local, 0, sizeof local);
    max = TACO__MIN(max, (uint64_t)INT32_MAX); /* nodes hold 32-bit offsets */
    p.err = err ? err : &local;
    if (text.len > max) {
        return TACO__FAIL(p.err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "%u bytes of JSON, limits.max_metadata is %u", TACO__U(text.len), max);
    }
    text.data = text.data ? text.data : (const uint8_t *)"";
    taco__json_measure(text, &nodes, &chars);
    p.base = base;
    p.begin = p.at = text.data;
    p.end = text.data + text.len;
    p.open = TACO__JSON_NO_CONTAINER;
    p.max_depth = limits && limits->max_depth ? limits->max_depth : TACO__JSON_MAX_DEPTH;
    p.node_cap = (uint32_t)nodes; /* at most one more than the text has bytes */
    p.nodes = (taco__json *)taco__arena_array(arena, nodes, sizeof(taco__json), p.err);
    p.pool = p.nodes ? (char *)taco__arena_alloc(arena, chars, p.err) : NULL;
    if (!p.pool) {
        return p.err->code;
    }
    p.pool_end = p.pool + chars;
    if (text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) {
        p.at += 3; /* RFC 8259 §8.1: a reader may ignore a byte order mark */
    }
    if (!taco__json_read_document(&p)) {
        return p.err->code;
    }
    out->text = text;
    out->root = p.nodes;
    out->node_count = p.node_count;
    return TACO_OK;
}
/* The same for a text that is a file of its own. */
TACO__FN taco_status taco__json_parse(taco__arena *arena, taco_bytes text,
                                      const taco_limits *limits, taco__json_doc *out,
                                      taco_error *err)
{
    return taco__json_parse_at(arena, text, 0, limits, out, err);
}

/* ---- looking at values; every one of these takes NULL for a value that is not there ---- */

TACO__FN bool taco__json_is(const taco__json *n, taco__json_type type)
{
    return n && n->type == (uint8_t)type;
}
/* What a value is, for messages. */
TACO__FN const char *taco__json_type_name(const taco__json *n)
{
    static const char *const names[] = {"null",     "false",    "true",     "a number",
                                        "a string", "an array", "an object"};
    return n ? names[n->type] : "nothing";
}
/* The elements of an array, or the keys of an object, are first .. and count of them: for an array step by
   taco__json_next(value), for an object by taco__json_next(key + 1). */
TACO__FN const taco__json *taco__json_first(const taco__json *n)
{
    return n ? n + 1 : NULL;
}
TACO__FN const taco__json *taco__json_next(const taco__json *value)
{
    return value + value->span;
}
/* Elements of an array, 0 for everything else. */
TACO__FN size_t taco__json_length(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_ARRAY) ? n->count : 0;
}
/* The bytes of a string, {NULL, 0} for everything else. A string may hold zero bytes. */
TACO__FN taco_bytes taco__json_bytes(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_STRING) ? taco__bytes_of(n->text, n->count)
                                               : taco__bytes_of(NULL, 0);
}
/* The NUL-terminated string, NULL for everything else. */
TACO__FN const char *taco__json_text(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_STRING) ? n->text : NULL;
}
/* True for a string of exactly these characters. */
TACO__FN bool taco__json_equals(const taco__json *n, const char *text)
{
    return taco__json_is(n, TACO__JSON_STRING) &&
           taco__bytes_equal(taco__json_bytes(n), taco__bytes_text(text));
}
/* The bytes of a value as they stand in the text, quotes and brackets included. */
TACO__FN taco_bytes taco__json_raw(const taco__json_doc *doc, const taco__json *n)
{
    return taco__bytes_of(doc->text.data + n->begin, n->end - n->begin);
}
/* The value of a key of an object, NULL when there is none. Of equal keys the last counts: RFC 8259 §4 leaves that open,
   and it is what most readers, the reference among them, do. */
TACO__FN const taco__json *taco__json_get_bytes(const taco__json *object, taco_bytes name)
{
    const taco__json *found = NULL, *key;
    uint32_t          i;
    if (!taco__json_is(object, TACO__JSON_OBJECT)) {
        return NULL;
    }
    for (i = 0, key = taco__json_first(object); i < object->count;
         i++, key = taco__json_next(key + 1)) {
        if (taco__bytes_equal(taco__json_bytes(key), name)) {
            found = key + 1;
        }
    }
    return found;
}
TACO__FN const taco__json *taco__json_get(const taco__json *object, const char *name)
{
    return taco__json_get_bytes(object, taco__bytes_text(name));
}
/* Element i of an array, NULL when there is none. */
TACO__FN const taco__json *taco__json_at(const taco__json *array, size_t i)
{
    const taco__json *n;
    if (i >= taco__json_length(array)) {
        return NULL;
    }
    for (n = taco__json_first(array); i; i--) {
        n = taco__json_next(n);
    }
    return n;
}

/* ---- numbers ---- */

/* The number, correctly rounded; infinite where it is larger than any double. False when it is no number. */
TACO__FN bool taco__json_double(const taco__json *n, double *out)
{
    return taco__json_is(n, TACO__JSON_NUMBER) &&
           taco__num_parse_f64(taco__bytes_of(n->text, n->count), out);
}
/* The number as an exact integer, also from 1.0 and 1e3. False when it is no number, has a fraction or does not fit. */
TACO__FN bool taco__json_int(const taco__json *n, int64_t *out)
{
    double d;
    if (taco__json_is(n, TACO__JSON_NUMBER) &&
        taco__num_parse_i64(taco__bytes_of(n->text, n->count), out)) {
        return true;
    }
    /* with a fraction or an exponent: whole numbers up to 2^53 are exact as doubles. Longer digits do not pass either */
    if (!taco__json_double(n, &d) || !(d >= -9007199254740992.0 && d <= 9007199254740992.0) ||
        (double)(int64_t)d < d || (double)(int64_t)d > d) {
        return false;
    }
    *out = (int64_t)d;
    return true;
}

/* ---- writing ---- */

/* A JSON string of bytes that are UTF-8. What must be escaped is; everything else stays, non-ASCII included. */
TACO__FN bool taco__json_write_utf8(taco__buf *out, taco_bytes s, taco_error *err)
{
    static const char hex[] = "0123456789abcdef", names[] = "btn?fr"; /* 8, 9, 10, 12, 13 */
    const uint8_t    *at = s.data, *end = s.data ? s.data + s.len : s.data;
    bool              ok = taco__buf_append_char(out, '"', err);
    while (ok && at < end) {
        const uint8_t *from = at;
        char           esc[6] = {'\\', 'u', '0', '0', 0, 0};
        size_t         len = 2;
        while (at < end && *at >= 0x20 && *at != '"' && *at != '\\') {
            at++;
        }
        ok = taco__buf_append(out, from, (size_t)(at - from), err);
        if (!ok || at == end) {
            break;
        }
        if (*at == '"' || *at == '\\') {
            esc[1] = (char)*at;
        } else if (*at >= 8 && *at <= 13 && *at != 11) {
            esc[1] = names[*at - 8];
        } else {
            esc[4] = hex[*at >> 4];
            esc[5] = hex[*at & 15];
            len = 6;
        }
        ok = taco__buf_append(out, esc, len, err);
        at++;
    }
    return ok && taco__buf_append_char(out, '"', err);
}
/* A new line with depth steps of indent blanks; nothing at all for indent 0. */
TACO__FN bool taco__json_write_newline(taco__buf *out, size_t indent, size_t depth, taco_error *err)
{
    bool ok = indent == 0 || taco__buf_append_char(out, '\n', err);
    for (depth *= indent; ok && depth; depth--) {
        ok = taco__buf_append_char(out, ' ', err);
    }
    return ok;
}
/* Numbers and literals are copied: no digit that was written is lost. */
TACO__FN bool taco__json_write_scalar(taco__buf *out, const taco__json *n, taco_error *err)
{
    return n->type == TACO__JSON_STRING ? taco__json_write_utf8(out, taco__json_bytes(n), err)
                                        : taco__buf_append(out, n->text, n->end - n->begin, err);
}
/* Prints a value, on one line without blanks for indent 0, else a line per element. Numbers stay as they were written,
   strings are escaped anew. The brackets are found in the text between the nodes, so depth costs nothing. */
TACO__FN bool taco__json_write_value(taco__buf *out, const taco__json *value, size_t indent,
                                     taco_error *err)
{
    const char       *at, *end;
    const taco__json *n = value;
    size_t            depth = 0;
    bool              ok = true;
    if (!n) {
        return taco__buf_append_text(out, "null", err);
    }
    if (n->type < TACO__JSON_ARRAY) {
        return taco__json_write_scalar(out, n, err);
    }
    for (at = n->text, end = at + (n->end - n->begin); ok && at < end;) {
        switch (*at) {
        case ' ':
        case '\n':
        case '\r':
        case '\t': at++; break;
        case '[':
        case '{':
            ok = taco__buf_append_char(out, *at, err);
            if (n->count == 0) { /* the closing bracket is skipped with the blanks before it */
                ok = ok && taco__buf_append_char(out, *at == '[' ? ']' : '}', err);
                at = value->text + (n->end - value->begin);
            } else {
                ok = ok && taco__json_write_newline(out, indent, ++depth, err);
                at++;
            }
            n++;
            break;
        case ']':
        case '}':
            ok = taco__json_write_newline(out, indent, --depth, err) &&
                 taco__buf_append_char(out, *at++, err);
            break;
        case ',':
            ok = taco__buf_append_char(out, *at++, err) &&
                 taco__json_write_newline(out, indent, depth, err);
            break;
        case ':':
            ok = taco__buf_append_text(out, indent ? ": " : ":", err);
            at++;
            break;
        default:
            ok = taco__json_write_scalar(out, n, err);
            at = value->text + (n->end - value->begin);
            n++;
            break;
        }
    }
    return ok;
}
/* ==== ROOM geom: walk WKB, its bounds, and its exact intersection with a box. Uses: pq:base error.
   Spec: OGC 06-103r4 §8.2, ISO 13249-3 (Z, M, ZM codes), EWKB flags ==== */

/* Geometries below geometries: each level costs a hostile blob nine bytes only, so the depth needs a bound. */
#define TACO__WKB_MAX_DEPTH 64

/* What the walker meets. A geometry is BEGIN, then its runs of coordinates or its parts, then END. */
typedef enum taco__wkb_event {
    TACO__WKB_BEGIN, /* type and count are set                                        */
    TACO__WKB_RUN,   /* a Point, a LineString or one ring: n positions at xy          */
    TACO__WKB_END,   /* type is set                                                   */
    TACO__WKB_DONE   /* the outermost geometry has ended, and no byte is left         */
} taco__wkb_event;

enum { /* OGC type codes; 0 is none of them */
       TACO__WKB_POINT = 1,
       TACO__WKB_LINESTRING,
       TACO__WKB_POLYGON,
       TACO__WKB_MULTIPOINT,
       TACO__WKB_MULTILINESTRING,
       TACO__WKB_MULTIPOLYGON,
       TACO__WKB_COLLECTION
};

typedef struct taco__wkb_frame {
    uint32_t type;
    uint32_t left, index; /* parts or rings to come, and those that were */
    uint32_t stride;      /* bytes of one position                       */
    bool     big;         /* byte order of this geometry                 */
    bool     hollow;      /* its first ring is empty                     */
} taco__wkb_frame;

typedef struct taco__wkb_item {
    taco__wkb_event what;
    uint32_t        type;  /* of the geometry that begins, ends or owns the run        */
    uint32_t        count; /* BEGIN: parts or rings announced; 1 for Point, LineString */
    uint32_t        index; /* RUN: 0 is the shell of a polygon, the others are holes   */
    uint32_t        stride;
    bool            big;
    const uint8_t  *xy;
    size_t          n; /* RUN: proven to lie inside the blob */
} taco__wkb_item;

typedef struct taco__wkb_reader {
    taco__byte_reader cur;
    size_t            depth;
    bool              started;
    taco__wkb_frame   frame[TACO__WKB_MAX_DEPTH];
} taco__wkb_reader;

TACO__FN const char *taco__wkb_type_name(uint32_t type)
{
    static const char *const names[] = {
        "geometry",   "Point",           "LineString",   "Polygon",
        "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"};
    return names[type < TACO__COUNT(names) ? type : 0];
}
TACO__INLINE double taco__wkb_coordinate(const uint8_t *p, bool big)
{
    return taco__f64_from_bits(big ? taco__load_be64(p) : taco__load_le64(p));
}
TACO__FN void taco__wkb_reader_init(taco__wkb_reader *w, taco_bytes wkb)
{
    w->cur = taco__byte_reader_init(wkb);
    w->depth = 0;
    w->started = false;
}

/* ---- headers ---- */

TACO__COLD taco_status taco__wkb_fail_truncated(const taco__wkb_reader *w, size_t need,
                                                const char *what, taco_error *err)
{
    return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&w->cur),
                      "WKB: %s needs %u bytes, %u are left", what, TACO__U(need),
                      TACO__U(taco__byte_reader_left(&w->cur)));
}
/* A count of things of at least `each` bytes. Checked against the bytes that are left, so that no loop runs longer
   than the blob is. */
TACO__FN taco_status taco__wkb_read_count(taco__wkb_reader *w, bool big, size_t each,
                                          const char *what, uint32_t *out, taco_error *err)
{
    const uint8_t *p = taco__byte_reader_take(&w->cur, 4);
    if (!p) {
        return taco__wkb_fail_truncated(w, 4, "a count", err);
    }
    *out = big ? taco__load_be32(p) : taco__load_le32(p);
    if (*out > taco__byte_reader_left(&w->cur) / each) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&w->cur) - 4,
                          "WKB: %u %s of %u bytes or more, %u bytes are left", TACO__U(*out), what,
                          TACO__U(each), TACO__U(taco__byte_reader_left(&w->cur)));
    }
    return TACO_OK;
}
/* Splits a type code into the plain type and the bytes of a position. ISO adds 1000 for Z, 2000 for M, 3000 for both;
   EWKB sets bit 31 for Z, bit 30 for M, bit 29 for an SRID. Writers that do both exist. */
TACO__FN taco_status taco__wkb_split_type(taco__wkb_reader *w, uint32_t code, taco__wkb_frame *f,
                                          taco_error *err)
{
    uint32_t iso = code & 0x1FFFFFFFU, set = iso / 1000;
    bool     z = (code >> 31) != 0 || set == 1 || set == 3,
         m = ((code >> 30) & 1) != 0 || set == 2 || set == 3;
    f->type = iso % 1000;
    f->stride = 16U + (z ? 8U : 0U) + (m ? 8U : 0U);
    if (set > 3 || f->type == 0 || f->type > TACO__WKB_COLLECTION) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, taco__byte_reader_position(&w->cur) - 4,
                          "WKB: geometry type %u, 1 (Point) to 7 (%s) are read", TACO__U(code),
                          taco__wkb_type_name(TACO__WKB_COLLECTION));
    }
    if ((code >> 29) & 1 && !taco__byte_reader_take(&w->cur, 4)) {
        return taco__wkb_fail_truncated(w, 4, "an SRID", err);
    }
    return TACO_OK;
}
/* Reads the header of a geometry and enters it. */
TACO__FN taco_status taco__wkb_read_header(taco__wkb_reader *w, taco__wkb_item *out,
                                           taco_error *err)
{
    size_t         start = taco__byte_reader_position(&w->cur);
    const uint8_t *p = taco__byte_reader_take(&w->cur, 5);
    uint32_t       parent = w->depth ? w->frame[w->depth - 1].type : (uint32_t)TACO__WKB_COLLECTION;
    taco__wkb_frame *f = &w->frame[w->depth];
    taco_status      st;
    if (!p) {
        return taco__wkb_fail_truncated(w, 5, "a geometry", err);
    }
    if (p[0] > 1) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, start, "WKB: byte order %u, must be 0 or 1",
                          TACO__U(p[0]));
    }
    if (w->depth == TACO__WKB_MAX_DEPTH) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, start, "WKB: geometries nest deeper than %u",
                          TACO__U(TACO__WKB_MAX_DEPTH));
    }
    f->big = p[0] == 0;
    f->index = 0;
    f->hollow = false;
    st = taco__wkb_split_type(w, f->big ? taco__load_be32(p + 1) : taco__load_le32(p + 1), f, err);
    if (st != TACO_OK) {
        return st;
    }
    if (parent != TACO__WKB_COLLECTION && f->type != parent - 3) { /* MultiX holds X */
        return TACO__FAIL(err, TACO_ERR_CORRUPT, start, "WKB: a %s inside a %s",
                          taco__wkb_type_name(f->type), taco__wkb_type_name(parent));
    }
    f->left = 1;
    if (f->type == TACO__WKB_POLYGON) {
        st = taco__wkb_read_count(w, f->big, 4, "rings", &f->left, err);
    } else if (f->type >= TACO__WKB_MULTIPOINT) {
        st = taco__wkb_read_count(w, f->big, 9, "parts", &f->left, err);
    }
    w->depth++;
    out->what = TACO__WKB_BEGIN;
    out->type = f->type;
    out->count = f->left;
    return st;
}

/* ---- coordinates ---- */

/* Rings are closed in x and y; Z and M may differ, as in GEOS. Three positions, there and back, are the least it takes. */
TACO__FN taco_status taco__wkb_check_ring(const taco__wkb_reader *w, taco__wkb_frame *f,
                                          const taco__wkb_item *run, taco_error *err)
{
    size_t         at = taco__byte_reader_position(&w->cur) - run->n * run->stride;
    const uint8_t *last = run->xy + (run->n ? run->n - 1 : 0) * run->stride;
    if (run->n == 0) {
        f->hollow = f->hollow || run->index == 0;
        return TACO_OK;
    }
    if (f->hollow) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at - 4,
                          "WKB: ring %u has %u points, but the first ring is empty",
                          TACO__U(run->index), TACO__U(run->n));
    }
    if (run->n < 3) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at - 4,
                          "WKB: a ring of %u points, needs 3 or more", TACO__U(run->n));
    }
    if (!(taco__wkb_coordinate(run->xy, run->big) == taco__wkb_coordinate(last, run->big) &&
          taco__wkb_coordinate(run->xy + 8, run->big) ==
              taco__wkb_coordinate(last + 8, run->big))) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at + (run->n - 1) * run->stride,
                          "WKB: ring %u is not closed, its last point is not its first",
                          TACO__U(run->index));
    }
    return TACO_OK;
}
TACO__FN taco_status taco__wkb_read_run(taco__wkb_reader *w, taco__wkb_frame *f,
                                        taco__wkb_item *out, taco_error *err)
{
    uint32_t    n = 1;
    taco_status st = TACO_OK;
    if (f->type != TACO__WKB_POINT) {
        st = taco__wkb_read_count(w, f->big, f->stride, "points", &n, err);
    } else if (taco__byte_reader_left(&w->cur) < f->stride) {
        st = taco__wkb_fail_truncated(w, f->stride, "a Point", err);
    }
    if (st != TACO_OK) {
        return st;
    }
    out->what = TACO__WKB_RUN;
    out->type = f->type;
    out->index = f->index++;
    out->stride = f->stride;
    out->big = f->big;
    out->n = n;
    out->xy = taco__byte_reader_take(&w->cur, (size_t)n * f->stride); /* proven above */
    f->left--;
    if (f->type == TACO__WKB_LINESTRING && n == 1) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT,
                          taco__byte_reader_position(&w->cur) - f->stride - 4,
                          "WKB: a LineString of 1 point, needs 0 or 2");
    }
    return f->type == TACO__WKB_POLYGON ? taco__wkb_check_ring(w, f, out, err) : TACO_OK;
}
/* One step. After a failure the walk must not go on. */
TACO__FN taco_status taco__wkb_next(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    taco__wkb_frame *f;
    if (w->depth == 0) {
        if (!w->started) {
            w->started = true;
            return taco__wkb_read_header(w, out, err);
        }
        if (taco__byte_reader_left(&w->cur)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__byte_reader_position(&w->cur),
                              "WKB: %u bytes behind the end of the geometry",
                              TACO__U(taco__byte_reader_left(&w->cur)));
        }
        out->what = TACO__WKB_DONE;
        return TACO_OK;
    }
    f = &w->frame[w->depth - 1];
    if (f->left == 0) {
        out->what = TACO__WKB_END;
        out->type = f->type;
        w->depth--;
        return TACO_OK;
    }
    if (f->type <= TACO__WKB_POLYGON) {
        return taco__wkb_read_run(w, f, out, err);
    }
    f->left--;
    f->index++;
    return taco__wkb_read_header(w, out, err);
}

/* ---- boxes and bounds ---- */

/* Orders the corners of a west, south, east, north box; NaN is refused. Longitudes are not wrapped: west > east means
   swapped corners. */
TACO__FN taco_status taco__intersect_normalize_box(const double in[4], double box[4],
                                                   taco_error *err)
{
    static const char *const names[] = {"west", "south", "east", "north"};
    const double             most = 1.7976931348623157e308;
    size_t                   i;
    for (i = 0; i < 4; i++) {
        if (in[i] != in[i]) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "bounding box: %s is not a number", names[i]);
        }
    }
    box[0] = TACO__MIN(in[0], in[2]);
    box[1] = TACO__MIN(in[1], in[3]);
    box[2] = TACO__MAX(in[0], in[2]);
    box[3] = TACO__MAX(in[1], in[3]);
    for (i = 0; i < 4; i++) { /* infinity stands for "no bound"; corners must be points, though */
        box[i] = TACO__MAX(-most, TACO__MIN(box[i], most));
    }
    return TACO_OK;
}
/* Smallest box around every position that has both coordinates; *empty where there is none. */
TACO__FN taco_status taco__wkb_bounds(taco_bytes wkb, double out[4], bool *empty, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item   item;
    taco_status      st;
    *empty = true;
    out[0] = out[1] = out[2] = out[3] = 0;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        size_t i;
        st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK || item.what == TACO__WKB_DONE) {
            return st;
        }
        for (i = 0; item.what == TACO__WKB_RUN && i < item.n; i++) {
            double x = taco__wkb_coordinate(item.xy + i * item.stride, item.big);
            double y = taco__wkb_coordinate(item.xy + i * item.stride + 8, item.big);
            if (x != x || y != y) {
                continue;
            }
            out[0] = *empty || x < out[0] ? x : out[0];
            out[1] = *empty || y < out[1] ? y : out[1];
            out[2] = *empty || x > out[2] ? x : out[2];
            out[3] = *empty || y > out[3] ? y : out[3];
            *empty = false;
        }
    }
}

/* ---- exact orientation ----
   The sign of a 2x2 determinant of differences decides every slanted case. Doubles are sums of powers of two, so where
   rounding could matter the determinant is summed in a fixed-point number wide enough for any product of two doubles
   (2^-2148 to 2^2048); no rounding mode, fused multiply or extended precision of the machine changes the answer. */

#define TACO__INTERSECT_LIMBS                                                                      \
    136                       /* of 32 bits: 4300 bits of products, and room for their carries */
#define TACO__INTERSECT_NAN 2 /* an infinite or missing coordinate: there is no line */

typedef struct taco__intersect_sum {
    int64_t limb
        [TACO__INTERSECT_LIMBS]; /* signed digits, carried only at the end: 36 addends of 32 bits at most */
    size_t low, high;            /* limbs in use: [low, high) */
} taco__intersect_sum;

/* x = mantissa * 2^(exponent - 1074), exponent 0 to 2045. */
TACO__FN uint64_t taco__intersect_split_double(double x, uint32_t *exponent)
{
    uint64_t bits = taco__f64_to_bits(x), mantissa = bits & 0xFFFFFFFFFFFFFU;
    uint32_t e = (uint32_t)(bits >> 52) & 0x7FF;
    *exponent = e ? e - 1 : 0;
    return e ? mantissa | (uint64_t)1 << 52 : mantissa;
}
TACO__FN void taco__intersect_sum_add(taco__intersect_sum *s, size_t at, uint64_t value, int sign)
{
    s->limb[at] += sign * (int64_t)(value & 0xFFFFFFFFU);
    s->limb[at + 1] += sign * (int64_t)(value >> 32);
}
/* s += sign * x * y */
TACO__FN void taco__intersect_sum_add_product(taco__intersect_sum *s, double x, double y, int sign)
{
    uint32_t ex, ey, shift;
    uint64_t a = taco__intersect_split_double(x, &ex), b = taco__intersect_split_double(y, &ey), a0,
             a1, a2;
    size_t at;
    if (a == 0 || b == 0) {
        return;
    }
    if ((taco__f64_to_bits(x) ^ taco__f64_to_bits(y)) >> 63) {
        sign = -sign;
    }
    at = (ex + ey) / 32;
    shift = (ex + ey) % 32;
    a0 = (a << shift) & 0xFFFFFFFFU; /* a << shift, 84 bits at most, in three digits */
    a1 = (a << shift) >> 32;
    a2 = (a >> 32) >> (32 - shift);
    taco__intersect_sum_add(s, at, a0 * (b & 0xFFFFFFFFU), sign);
    taco__intersect_sum_add(s, at + 1, a1 * (b & 0xFFFFFFFFU), sign);
    taco__intersect_sum_add(s, at + 2, a2 * (b & 0xFFFFFFFFU), sign);
    taco__intersect_sum_add(s, at + 1, a0 * (b >> 32), sign);
    taco__intersect_sum_add(s, at + 2, a1 * (b >> 32), sign);
    taco__intersect_sum_add(s, at + 3, a2 * (b >> 32), sign);
    s->low = TACO__MIN(s->low, at);
    s->high = TACO__MAX(s->high, at + 5);
}
TACO__FN int taco__intersect_sum_sign(const taco__intersect_sum *s)
{
    int64_t carry = 0;
    bool    any = false;
    size_t  i;
    for (i = s->low; i < s->high; i++) {
        int64_t v = s->limb[i] + carry, digit = v & (int64_t)0xFFFFFFFF;
        any = any || digit != 0;
        carry = (v - digit) / 4294967296; /* exact, also below zero */
    }
    return carry < 0 ? -1 : carry > 0 || any;
}
TACO__FN bool taco__intersect_is_finite(double x)
{
    return ((taco__f64_to_bits(x) >> 52) & 0x7FF) != 0x7FF;
}

TACO__NOINLINE int taco__intersect_orient_exact(double ax, double ay, double bx, double by,
                                                double cx, double cy)
{
    taco__intersect_sum s;
    if (!taco__intersect_is_finite(ax) || !taco__intersect_is_finite(ay) ||
        !taco__intersect_is_finite(bx) || !taco__intersect_is_finite(by) ||
        !taco__intersect_is_finite(cx) || !taco__intersect_is_finite(cy)) {
        return TACO__INTERSECT_NAN;
    }
    memset(s.limb, 0, sizeof s.limb);
    s.low = TACO__INTERSECT_LIMBS;
    s.high = 0;
    /* (ax - cx)(by - cy) - (ay - cy)(bx - cx), where cx * cy cancels */
    taco__intersect_sum_add_product(&s, ax, by, 1);
    taco__intersect_sum_add_product(&s, ax, cy, -1);
    taco__intersect_sum_add_product(&s, cx, by, -1);
    taco__intersect_sum_add_product(&s, ay, bx, -1);
    taco__intersect_sum_add_product(&s, ay, cx, 1);
    taco__intersect_sum_add_product(&s, cy, bx, 1);
    return taco__intersect_sum_sign(&s);
}
/* 1 where c lies left of the line from a to b, -1 right of it, 0 on it, TACO__INTERSECT_NAN without a line. */
TACO__INLINE int taco__intersect_orient(double ax, double ay, double bx, double by, double cx,
                                        double cy)
{
    double l = (ax - cx) * (by - cy), r = (ay - cy) * (bx - cx), det = l - r;
    double size = (l < 0 ? -l : l) + (r < 0 ? -r : r);
    /* Four roundings of the differences, two of the products and one here: 3.33e-16 * size covers them. Below 1e-280
       underflow may have eaten a product, and NaN fails both comparisons. */
    double bound = size * 3.4e-16 + 1e-280;
    if (det > bound) {
        return 1;
    }
    if (det < -bound) {
        return -1;
    }
    return taco__intersect_orient_exact(ax, ay, bx, by, cx, cy);
}

/* ---- intersection ---- */

/* The closed segment p-q and the closed box share a point. A NaN in p or q leaves only the other end to match. */
TACO__INLINE bool taco__intersect_segment_box(double px, double py, double qx, double qy,
                                              const double b[4])
{
    int one, two;
    if (!((px <= b[2] || qx <= b[2]) && (px >= b[0] || qx >= b[0]) && (py <= b[3] || qy <= b[3]) &&
          (py >= b[1] || qy >= b[1]))) {
        return false;
    }
    /* An end inside, or a segment that stays between two sides of the box and reaches from one outer side to the other. */
    if ((px >= b[0] && px <= b[2] && py >= b[1] && py <= b[3]) ||
        (qx >= b[0] && qx <= b[2] && qy >= b[1] && qy <= b[3]) ||
        (px >= b[0] && px <= b[2] && qx >= b[0] && qx <= b[2]) ||
        (py >= b[1] && py <= b[3] && qy >= b[1] && qy <= b[3])) {
        return true;
    }
    /* It passes the box by exactly when the two corners farthest from its line lie on the same side of that. */
    if ((px < qx) == (py < qy)) {
        one = taco__intersect_orient(px, py, qx, qy, b[0], b[3]);
        two = taco__intersect_orient(px, py, qx, qy, b[2], b[1]);
    } else {
        one = taco__intersect_orient(px, py, qx, qy, b[0], b[1]);
        two = taco__intersect_orient(px, py, qx, qy, b[2], b[3]);
    }
    return one != TACO__INTERSECT_NAN && two != TACO__INTERSECT_NAN && one * two <= 0;
}
/* True where the ray from the corner (x, y) eastward crosses the segment. Only called for segments that do not touch
   the box, so the corner is never on them. */
TACO__INLINE bool taco__intersect_ray_crosses(double px, double py, double qx, double qy, double x,
                                              double y)
{
    int side;
    if ((py > y) == (qy > y) || (px < x && qx < x)) {
        return false;
    }
    if (px > x && qx > x) {
        return true;
    }
    side = taco__intersect_orient(px, py, qx, qy, x, y);
    return side != TACO__INTERSECT_NAN && (side > 0) == (qy > py);
}

typedef struct taco__intersect_ring { /* of one run against the box */
    bool hit;                         /* its line work touches the box                         */
    bool inside;                      /* the south-west corner is inside the ring, if !hit     */
    bool near;                        /* its bounds meet the box                               */
} taco__intersect_ring;

TACO__FN taco__intersect_ring taco__intersect_scan_ring(const taco__wkb_item *run,
                                                        const double          b[4])
{
    taco__intersect_ring s = {false, false, false};
    const uint8_t       *p = run->xy;
    double               px = 0, py = 0, west = 0, south = 0, east = 0, north = 0;
    bool   whole = true; /* a ring with a missing or infinite coordinate has no inside */
    size_t i;
    for (i = 0; i < run->n; i++, p += run->stride) {
        double qx = taco__wkb_coordinate(p, run->big), qy = taco__wkb_coordinate(p + 8, run->big);
        if (i == 0) {
            west = east = qx;
            south = north = qy;
        } else if (taco__intersect_segment_box(px, py, qx, qy, b)) {
            s.hit = s.near = true;
            return s;
        } else {
            s.inside ^= taco__intersect_ray_crosses(px, py, qx, qy, b[0], b[1]);
            west = qx < west ? qx : west;
            east = qx > east ? qx : east;
            south = qy < south ? qy : south;
            north = qy > north ? qy : north;
        }
        whole &= (qx - qx) + (qy - qy) == 0;
        px = qx;
        py = qy;
    }
    s.inside = s.inside && whole;
    s.near = run->n != 0 && west <= b[2] && east >= b[0] && south <= b[3] && north >= b[1];
    return s;
}
TACO__INLINE bool taco__intersect_point_box(double x, double y, const double b[4])
{
    return (x >= b[0]) & (x <= b[2]) & (y >= b[1]) & (y <= b[3]); /* false for NaN */
}
/* A polygon that touches the box with no ring holds all of the box or nothing of it: one corner decides. As in GEOS,
   a hole reaches no farther than the shell's bounds, whatever its coordinates say. */
TACO__FN taco_status taco__intersect_wkb_box(taco_bytes wkb, const double box[4], bool *hit,
                                             taco_error *err)
{
    taco__wkb_reader     w;
    taco__wkb_item       item;
    taco__intersect_ring ring = {false, false, false};
    bool                 found = false, inside = false, near = false;
    taco_status          st;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) { /* to the end even when found: a broken blob is an error whatever the box is */
        st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK) {
            return st;
        }
        if (item.what == TACO__WKB_DONE) {
            *hit = found;
            return TACO_OK;
        }
        if (item.what == TACO__WKB_END && item.type == TACO__WKB_POLYGON) {
            found = found || inside;
        }
        if (item.what == TACO__WKB_BEGIN) {
            inside = near = false;
        }
        if (item.what != TACO__WKB_RUN || found) {
            continue;
        }
        if (item.type == TACO__WKB_POINT) {
            found = taco__intersect_point_box(taco__wkb_coordinate(item.xy, item.big),
                                              taco__wkb_coordinate(item.xy + 8, item.big), box);
        } else if (item.type == TACO__WKB_LINESTRING) {
            found = taco__intersect_scan_ring(&item, box).hit;
        } else if (item.index == 0) {
            ring = taco__intersect_scan_ring(&item, box);
            found = ring.hit;
            near = ring.near;
            inside = ring.inside;
        } else if (near) {
            ring = taco__intersect_scan_ring(&item, box);
            found = ring.hit;
            inside = inside && !ring.inside;
        }
    }
}

/* ---- whole columns ---- */

/* Points as every TACO writer makes them, without Z and little-endian, in two loads; all else by the walk. */
TACO__INLINE taco_status taco__intersect_value(const uint8_t *p, size_t len, const double box[4],
                                               bool *hit, taco_error *err)
{
    if (TACO__LIKELY(len == 21 && p[0] == 1 && taco__load_le32(p + 1) == TACO__WKB_POINT)) {
        *hit = taco__intersect_point_box(taco__f64_from_bits(taco__load_le64(p + 5)),
                                         taco__f64_from_bits(taco__load_le64(p + 13)), box);
        return TACO_OK;
    }
    return taco__intersect_wkb_box(taco__bytes_of(p, len), box, hit, err);
}
TACO__COLD taco_status taco__intersect_fail_row(taco_status st, size_t row, taco_error *err)
{
    taco__error_prefix(err, "row %u", TACO__U(row));
    return st;
}
/* Entries of a dictionary are tested when a row first asks for them: one that no row uses may hold anything. Answers of
   the first entries are kept, since a column of few distinct boxes repeats them. */
TACO__FN taco_status taco__intersect_filter_dictionary(const taco_array *a, const double box[4],
                                                       uint8_t *true_bits, taco_error *err)
{
    uint8_t           known[4096]; /* 0 not asked yet, 1 no, 2 yes */
    const taco_array *d = a->dictionary;
    size_t            i;
    memset(known, 0, TACO__MIN(d->length, sizeof known));
    for (i = 0; i < a->length; i++) {
        size_t at = (size_t)(uint32_t)a->v.i32[i];
        bool   hit = false;
        if (a->validity && !taco__bitmap_get(a->validity, i)) {
            continue;
        }
        if (at >= d->length) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                              "row %u: dictionary index %d, dictionary has %u entries", TACO__U(i),
                              TACO__D(a->v.i32[i]), TACO__U(d->length));
        }
        if (at < sizeof known && known[at]) {
            hit = known[at] == 2;
        } else if (!d->validity || taco__bitmap_get(d->validity, at)) {
            size_t from = d->offsets ? (size_t)d->offsets[at] : at * (size_t)d->field->width;
            size_t len = d->offsets ? (size_t)d->offsets[at + 1] - from : (size_t)d->field->width;
            taco_status st = taco__intersect_value(d->v.u8 + from, len, box, &hit, err);
            if (st != TACO_OK) {
                return taco__intersect_fail_row(st, i, err);
            }
            if (at < sizeof known) {
                known[at] = (uint8_t)(hit ? 2 : 1);
            }
        }
        true_bits[i >> 3] = (uint8_t)(true_bits[i >> 3] | (unsigned)hit << (i & 7));
    }
    return TACO_OK;
}
/* Sets bit i of true_bits, which has TACO__BITMAP_BYTES(a->length) bytes, where row i of a BINARY or FIXED array of WKB
   intersects the box; null rows do not. An error names the row of the batch. */
TACO__FN taco_status taco__intersect_filter(const taco_array *a, const double box[4],
                                            uint8_t *true_bits, taco_error *err)
{
    const taco_array *values = a->dictionary ? a->dictionary : a;
    taco_type         type = values->field->type;
    size_t            i;
    memset(true_bits, 0, TACO__BITMAP_BYTES(a->length));
    if (type == TACO_NULL) {
        return TACO_OK;
    }
    if (type != TACO_BINARY && type != TACO_FIXED) {
        return TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                          "a geometry column must be binary (WKB)");
    }
    if (a->dictionary) {
        return taco__intersect_filter_dictionary(a, box, true_bits, err);
    }
    for (i = 0; i < a->length; i++) {
        size_t      from = a->offsets ? (size_t)a->offsets[i] : i * (size_t)a->field->width;
        size_t      len = a->offsets ? (size_t)a->offsets[i + 1] - from : (size_t)a->field->width;
        bool        hit = false;
        taco_status st;
        if (a->validity && !taco__bitmap_get(a->validity, i)) {
            continue;
        }
        st = taco__intersect_value(a->v.u8 + from, len, box, &hit, err);
        if (st != TACO_OK) {
            return taco__intersect_fail_row(st, i, err);
        }
        true_bits[i >> 3] = (uint8_t)(true_bits[i >> 3] | (unsigned)hit << (i & 7));
    }
    return TACO_OK;
}
/* ==== ROOM coll: COLLECTION.json: what a dataset is, and its PIT schema. Uses: json. Spec: TACO 2.0.0 §5.5.2, §6 ====
   Two things in this document decide whether a dataset can be read: `id` and `taco:pit_schema`, and these are refused
   unless they are well formed. Everything else is told as it is and has a default; whether it is right is for
   validation. Counts (n, shape) go stale in catalogues and exports, so nobody may size or index anything by them. */

#define TACO__PIT_MAX_DEPTH                                                                        \
    5 /* levels below the root: the header index of an archive has no room for more */

/* tasks, licenses, keywords. */
typedef struct taco__collection_texts {
    const char *const *items; /* NUL-terminated */
    size_t             count;
} taco__collection_texts;

/* The children that every folder of one kind has, in order. */
typedef struct taco__pit_pattern {
    const uint8_t    *folders; /* count of them: 1 for a FOLDER, 0 for a FILE */
    const taco_bytes *ids;     /* count of them, each with a NUL behind it */
    size_t            count;
    int64_t           n; /* rows, as the document says; -1 where it does not. Never to be trusted */
    const taco__json *node; /* the object in the document */
} taco__pit_pattern;
/* The patterns of one level: one for every kind of folder in the level above, in its order. */
typedef struct taco__pit_level {
    const taco__pit_pattern *patterns;
    size_t                   count;
    bool                     present; /* the document has this key, even with no pattern */
} taco__pit_level;
/* The Position-Invariant Tree: what is at which place below any sample. */
typedef struct taco__pit {
    bool            folders;                     /* the samples of level 0 are FOLDERs */
    uint32_t        depth;                       /* the deepest level that is described */
    int64_t         n;                           /* root.n; -1 where there is none */
    taco__pit_level levels[TACO__PIT_MAX_DEPTH]; /* [d - 1] is what the document calls "d" */
    const int64_t  *shape; /* NULL where the document has none, or no integers */
    size_t          shape_count;
} taco__pit;

/* All of it lives in the arena. A json value is NULL where the document has no such key. */
typedef struct taco__collection {
    const char            *id;
    const char            *dataset_version; /* "unknown" */
    const char            *description;     /* "" */
    const char            *taco_version;    /* "" */
    const char            *title;           /* NULL */
    taco__collection_texts tasks, licenses, keywords;
    const taco__json      *providers, *curators, *extent, *pit_schema, *field_schema, *sources;
    bool                   has_spatial, has_temporal;
    double                 spatial[4];  /* west, south, east, north */
    const char            *temporal[2]; /* start, end */
    taco__pit              pit;
    taco__json_doc         doc; /* all of it, extensions included */
} taco__collection;

/* ---- reading ---- */

/* The word for a type of sample. */
TACO__FN const char *taco__collection_type_name(bool folder)
{
    return folder ? "FOLDER" : "FILE";
}

/* FILE or FOLDER into *folder; false for everything else. */
TACO__FN bool taco__collection_read_type(const taco__json *n, bool *folder)
{
    *folder = taco__json_equals(n, "FOLDER");
    return *folder || taco__json_equals(n, "FILE");
}
/* The strings of an array; what is no string is left out. A lone string is read as an array of it. */
TACO__FN bool taco__collection_read_texts(taco__arena *arena, const taco__json *n,
                                          taco__collection_texts *out, taco_error *err)
{
    bool              lone = taco__json_is(n, TACO__JSON_STRING);
    size_t            count = lone ? 1 : taco__json_length(n), i;
    const taco__json *item;
    const char      **items;
    if (!count) {
        return true;
    }
    items = (const char **)taco__arena_array(arena, count, sizeof *items, err);
    if (!items) {
        return false;
    }
    for (i = 0, item = lone ? n : taco__json_first(n); i < count;
         i++, item = taco__json_next(item)) {
        if (taco__json_text(item)) {
            items[out->count++] = item->text;
        }
    }
    out->items = items;
    return true;
}
/* Four numbers and two strings, or nothing: a dataset opens without them, and validation says what is wrong. */
TACO__FN void taco__collection_read_extent(taco__collection *c)
{
    const taco__json *spatial = taco__json_get(c->extent, "spatial"),
                     *temporal = taco__json_get(c->extent, "temporal");
    size_t i;
    c->has_spatial = taco__json_length(spatial) == 4;
    for (i = 0; i < 4; i++) {
        if (!taco__json_double(taco__json_at(spatial, i), &c->spatial[i])) {
            c->has_spatial = false;
        }
    }
    c->temporal[0] = taco__json_text(taco__json_at(temporal, 0));
    c->temporal[1] = taco__json_text(taco__json_at(temporal, 1));
    c->has_temporal = taco__json_length(temporal) == 2 && c->temporal[0] && c->temporal[1];
}
/* An array of one pattern: there, an array and not empty. path is "taco:pit_schema.hierarchy.1". */
TACO__FN const taco__json *taco__collection_get_list(const taco__json *pattern, const char *path,
                                                     size_t index, const char *key, taco_error *err)
{
    const taco__json *list = taco__json_get(pattern, key);
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (list ? list : pattern)->begin,
                   "%s[%u].%s must be an array with an entry for each child, found %s", path,
                   TACO__U(index), key, taco__json_type_name(list));
        return NULL;
    }
    if (!list->count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, list->begin,
                   "%s[%u].%s is empty, a folder has at least one child", path, TACO__U(index),
                   key);
        return NULL;
    }
    return list;
}
/* One pattern: type and id are arrays of the same length, not empty, and every type is one of the two. */
TACO__FN taco_status taco__collection_read_pattern(taco__arena *arena, const taco__json *node,
                                                   const char *path, size_t index,
                                                   taco__pit_pattern *out, taco_error *err)
{
    const taco__json *types, *ids, *type, *id;
    uint8_t          *folders;
    taco_bytes       *names;
    size_t            i;
    if (!taco__json_is(node, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                          "%s[%u] must be an object with type and id, found %s", path,
                          TACO__U(index), taco__json_type_name(node));
    }
    types = taco__collection_get_list(node, path, index, "type", err);
    ids = types ? taco__collection_get_list(node, path, index, "id", err) : NULL;
    if (!ids) {
        return TACO_ERR_CORRUPT;
    }
    if (types->count != ids->count) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                          "%s[%u]: type has %u entries, id has %u, they must be as many", path,
                          TACO__U(index), TACO__U(types->count), TACO__U(ids->count));
    }
    folders = (uint8_t *)taco__arena_alloc(arena, types->count, err);
    names = folders ? (taco_bytes *)taco__arena_array(arena, ids->count, sizeof *names, err) : NULL;
    if (!names) {
        return err ? err->code : TACO_ERR_MEMORY;
    }
    /* both arrays side by side */
    type = taco__json_first(types);
    id = taco__json_first(ids);
    for (i = 0; i < types->count; i++, type = taco__json_next(type), id = taco__json_next(id)) {
        bool       folder;
        taco_bytes word = taco__json_bytes(type);
        if (!taco__json_is(type, TACO__JSON_STRING) || !taco__json_is(id, TACO__JSON_STRING)) {
            bool which = !taco__json_is(type, TACO__JSON_STRING);
            return TACO__FAIL(err, TACO_ERR_CORRUPT, (which ? type : id)->begin,
                              "%s[%u].%s[%u] must be a string, found %s", path, TACO__U(index),
                              which ? "type" : "id", TACO__U(i),
                              taco__json_type_name(which ? type : id));
        }
        if (!taco__collection_read_type(type, &folder)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, type->begin,
                              "%s[%u].type[%u] is %q, must be FILE or FOLDER", path, TACO__U(index),
                              TACO__U(i), &word);
        }
        folders[i] = folder;
        names[i] = taco__json_bytes(id);
    }
    /* n is left out by some, and nobody relies on it: anything odd is the same as nothing */
    out->node = node;
    out->folders = folders;
    out->ids = names;
    out->count = types->count;
    if (!taco__json_int(taco__json_get(node, "n"), &out->n) || out->n < 0) {
        out->n = -1;
    }
    return TACO_OK;
}
/* The patterns of hierarchy.depth. */
TACO__FN taco_status taco__collection_read_level(taco__arena *arena, const taco__json *list,
                                                 uint32_t depth, taco__pit_level *out,
                                                 taco_error *err)
{
    char               path[] = "taco:pit_schema.hierarchy.?";
    taco__pit_pattern *patterns;
    const taco__json  *node;
    size_t             i;
    path[sizeof path - 2] = (char)('0' + depth);
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, list->begin,
                          "%s must be an array of patterns, found %s", path,
                          taco__json_type_name(list));
    }
    patterns = (taco__pit_pattern *)taco__arena_array(arena, list->count, sizeof *patterns, err);
    if (!patterns) {
        return err ? err->code : TACO_ERR_MEMORY;
    }
    for (i = 0, node = taco__json_first(list); i < list->count; i++, node = taco__json_next(node)) {
        taco_status s = taco__collection_read_pattern(arena, node, path, i, &patterns[i], err);
        if (s != TACO_OK) {
            return s;
        }
    }
    out->patterns = patterns;
    out->count = list->count;
    out->present = true;
    return TACO_OK;
}
/* The keys are depths, "1" to "5"; a deeper level could not be stored. Of equal keys the last counts, as everywhere. */
TACO__FN taco_status taco__collection_read_hierarchy(taco__arena      *arena,
                                                     const taco__json *hierarchy, taco__pit *pit,
                                                     taco_error *err)
{
    const taco__json *found[TACO__PIT_MAX_DEPTH], *key;
    uint32_t          i;
    memset((void *)found, 0, sizeof found);
    for (i = 0, key = taco__json_first(hierarchy); i < hierarchy->count;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (name.len != 1 || name.data[0] < '1' || name.data[0] > '0' + TACO__PIT_MAX_DEPTH) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, key->begin,
                "taco:pit_schema.hierarchy has the key %q, must be a depth from 1 to %u", &name,
                TACO__U(TACO__PIT_MAX_DEPTH));
        }
        found[name.data[0] - '1'] = key + 1;
    }
    for (i = 0; i < TACO__PIT_MAX_DEPTH; i++) {
        if (found[i]) {
            taco_status s =
                taco__collection_read_level(arena, found[i], i + 1, &pit->levels[i], err);
            if (s != TACO_OK) {
                return s;
            }
            pit->depth = i + 1;
        }
    }
    return TACO_OK;
}
/* An optional hint of later writers: a shape that is no array of integers is taken for none. */
TACO__FN bool taco__collection_read_shape(taco__arena *arena, const taco__json *shape,
                                          taco__pit *pit, taco_error *err)
{
    size_t            count = taco__json_length(shape), i;
    const taco__json *n;
    int64_t          *items;
    if (!count) {
        return true;
    }
    items = (int64_t *)taco__arena_array(arena, count, sizeof *items, err);
    if (!items) {
        return false;
    }
    for (i = 0, n = taco__json_first(shape); i < count; i++, n = taco__json_next(n)) {
        if (!taco__json_int(n, &items[i])) {
            return true;
        }
    }
    pit->shape = items;
    pit->shape_count = count;
    return true;
}
/* root.type and hierarchy are required; around is what the schema should be in, for the offset when it is not. */
TACO__FN taco_status taco__collection_read_pit(taco__arena *arena, const taco__json *schema,
                                               const taco__json *around, taco__pit *pit,
                                               taco_error *err)
{
    const taco__json *root, *type, *hierarchy;
    taco_bytes        word;
    if (!taco__json_is(schema, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (schema ? schema : around)->begin,
                          "taco:pit_schema must be an object with root and hierarchy, found %s",
                          taco__json_type_name(schema));
    }
    root = taco__json_get(schema, "root");
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (root ? root : schema)->begin,
                          "taco:pit_schema.root must be an object with type, found %s",
                          taco__json_type_name(root));
    }
    type = taco__json_get(root, "type");
    if (!taco__collection_read_type(type,
                                    &pit->folders)) { /* either another word, or no word at all */
        word = taco__json_bytes(type);
        if (taco__json_is(type, TACO__JSON_STRING)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, type->begin,
                              "taco:pit_schema.root.type is %q, must be FILE or FOLDER", &word);
        }
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (type ? type : root)->begin,
                          "taco:pit_schema.root.type must be FILE or FOLDER, found %s",
                          taco__json_type_name(type));
    }
    if (!taco__json_int(taco__json_get(root, "n"), &pit->n) || pit->n < 0) {
        pit->n = -1;
    }
    hierarchy = taco__json_get(schema, "hierarchy");
    if (!taco__json_is(hierarchy, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (hierarchy ? hierarchy : schema)->begin,
                          "taco:pit_schema.hierarchy must be an object with a key for each level "
                          "below the root, found %s",
                          taco__json_type_name(hierarchy));
    }
    if (!taco__collection_read_shape(arena, taco__json_get(schema, "shape"), pit, err)) {
        return err ? err->code : TACO_ERR_MEMORY;
    }
    return taco__collection_read_hierarchy(arena, hierarchy, pit, err);
}
/* A string of the document, or what stands for it when it is missing, null or something else. */
TACO__FN const char *taco__collection_text_or(const taco__json *root, const char *key,
                                              const char *otherwise)
{
    const char *text = taco__json_text(taco__json_get(root, key));
    return text ? text : otherwise;
}
/* Reads a document, of which the arena keeps a copy. Offsets of errors count from its first byte. Only `id` and
   `taco:pit_schema` are needed to read a dataset; the rest has defaults. limits may be NULL. */
TACO__FN taco_status taco__collection_parse(taco__arena *arena, taco_bytes text,
                                            const taco_limits *limits, taco__collection *out,
                                            taco_error *err)
{
    taco_error        local;
    taco_status       s;
    const taco__json *root, *id;
    char             *copy;
    memset(out, 0, sizeof *out);
    memset(&local, 0, sizeof local);
    err = err ? err : &local;
    if (text.len > (limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES)) {
        return taco__json_parse(arena, text, limits, &out->doc,
                                err); /* says so, before anything is copied */
    }
    /* what was read into a buffer may be gone tomorrow, and the nodes point into the text */
    copy = taco__arena_text(arena, text, err);
    if (!copy) {
        return err->code;
    }
    s = taco__json_parse(arena, taco__bytes_of(copy, text.len), limits, &out->doc, err);
    if (s != TACO_OK) {
        return s;
    }
    root = out->doc.root;
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, root->begin,
                          "a collection must be a JSON object, found %s",
                          taco__json_type_name(root));
    }
    id = taco__json_get(root, "id");
    out->id = taco__json_text(id);
    if (!out->id) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (id ? id : root)->begin,
                          "id must be a string, found %s", taco__json_type_name(id));
    }
    out->dataset_version = taco__collection_text_or(root, "dataset_version", "unknown");
    out->description = taco__collection_text_or(root, "description", "");
    out->taco_version = taco__collection_text_or(root, "taco_version", "");
    out->title = taco__collection_text_or(root, "title", NULL);
    out->providers = taco__json_get(root, "providers");
    out->curators = taco__json_get(root, "curators");
    out->extent = taco__json_get(root, "extent");
    out->pit_schema = taco__json_get(root, "taco:pit_schema");
    out->field_schema = taco__json_get(root, "taco:field_schema");
    out->sources = taco__json_get(root, "taco:sources");
    if (!taco__collection_read_texts(arena, taco__json_get(root, "tasks"), &out->tasks, err) ||
        !taco__collection_read_texts(arena, taco__json_get(root, "licenses"), &out->licenses,
                                     err) ||
        !taco__collection_read_texts(arena, taco__json_get(root, "keywords"), &out->keywords,
                                     err)) {
        return err->code;
    }
    taco__collection_read_extent(out);
    return taco__collection_read_pit(arena, out->pit_schema, root, &out->pit, err);
}

/* ---- comparing and checking ---- */

/* True when two patterns have the same children; otherwise err says which one is not. */
TACO__FN bool taco__collection_check_same_pattern(const taco__pit_pattern *a,
                                                  const taco__pit_pattern *b, uint32_t depth,
                                                  size_t index, taco_error *err)
{
    size_t i;
    if (a->count != b->count) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "taco:pit_schema differs at hierarchy.%u[%u]: %u children in the first dataset, "
                   "%u in the second",
                   TACO__U(depth), TACO__U(index), TACO__U(a->count), TACO__U(b->count));
        return false;
    }
    for (i = 0; i < a->count; i++) {
        if (a->folders[i] != b->folders[i] || !taco__bytes_equal(a->ids[i], b->ids[i])) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "taco:pit_schema differs at hierarchy.%u[%u]: child %u is %s %q in the "
                       "first dataset, %s %q in the second",
                       TACO__U(depth), TACO__U(index), TACO__U(i),
                       taco__collection_type_name(a->folders[i] != 0), &a->ids[i],
                       taco__collection_type_name(b->folders[i] != 0), &b->ids[i]);
            return false;
        }
    }
    return true;
}
/* Datasets are concatenated only when their trees are alike: type of the samples, levels, and the types and ids of every
   pattern. Counts and shape do not matter. ARGUMENT, with the place of the first difference, when they are not. */
TACO__FN taco_status taco__collection_check_same_pit(const taco__collection *a,
                                                     const taco__collection *b, taco_error *err)
{
    uint32_t d;
    size_t   i;
    if (a->pit.folders != b->pit.folders) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "taco:pit_schema differs at root: samples are %s in the first dataset, "
                          "%s in the second",
                          taco__collection_type_name(a->pit.folders),
                          taco__collection_type_name(b->pit.folders));
    }
    /* the order of the keys in the document means nothing, that of patterns and children does */
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        const taco__pit_level *x = &a->pit.levels[d], *y = &b->pit.levels[d];
        if (x->present != y->present) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "taco:pit_schema differs: only the %s dataset has hierarchy.%u",
                              x->present ? "first" : "second", TACO__U(d + 1));
        }
        if (x->count != y->count) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "taco:pit_schema differs at hierarchy.%u: %u patterns in the first "
                              "dataset, %u in the second",
                              TACO__U(d + 1), TACO__U(x->count), TACO__U(y->count));
        }
        for (i = 0; i < x->count; i++) {
            if (!taco__collection_check_same_pattern(&x->patterns[i], &y->patterns[i], d + 1, i,
                                                     err)) {
                return TACO_ERR_ARGUMENT;
            }
        }
    }
    return TACO_OK;
}
/* What is wrong with the extent (TACO 2.0.0 §5.5.2), for validation; a dataset without one is right. The order of the
   two times is not looked at here. A box with west > east crosses the antimeridian. */
TACO__FN taco_status taco__collection_check_extent(const taco__collection *c, taco_error *err)
{
    static const char *const names[] = {"west", "south", "east", "north"};
    const taco__json        *e = c->extent, *spatial = taco__json_get(e, "spatial"),
                     *temporal = taco__json_get(e, "temporal");
    size_t i;
    if (!e || e->type == TACO__JSON_NULL) {
        return TACO_OK; /* nothing is said */
    }
    if (e->type != TACO__JSON_OBJECT) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->begin, "extent must be an object, found %s",
                          taco__json_type_name(e));
    }
    if (spatial && spatial->type != TACO__JSON_NULL) {
        if (!c->has_spatial) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, spatial->begin,
                "extent.spatial must be four numbers: west, south, east, north; found %s of %u",
                taco__json_type_name(spatial), TACO__U(spatial->count));
        }
        for (i = 0; i < 4; i++) {
            double bound = i % 2 ? 90.0 : 180.0;
            if (!(c->spatial[i] >= -bound && c->spatial[i] <= bound)) {
                taco_bytes raw = taco__json_raw(&c->doc, taco__json_at(spatial, i));
                return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__json_at(spatial, i)->begin,
                                  "extent.spatial: %s is %q, must lie between -%u and %u", names[i],
                                  &raw, TACO__U(i % 2 ? 90 : 180), TACO__U(i % 2 ? 90 : 180));
            }
        }
        if (c->spatial[1] > c->spatial[3]) {
            taco_bytes south = taco__json_raw(&c->doc, taco__json_at(spatial, 1));
            taco_bytes north = taco__json_raw(&c->doc, taco__json_at(spatial, 3));
            return TACO__FAIL(err, TACO_ERR_CORRUPT, spatial->begin,
                              "extent.spatial: south is %q, above north, %q", &south, &north);
        }
    }
    if (temporal && temporal->type != TACO__JSON_NULL && !c->has_temporal) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, temporal->begin,
                          "extent.temporal must be two strings: start, end; found %s of %u",
                          taco__json_type_name(temporal), TACO__U(temporal->count));
    }
    return TACO_OK;
}

/* ---- printing ---- */

/* The members of `info --json` that come from the document, values as they stand there, without the braces around and
   without a comma behind. What is missing gets the value that the Python reader gives it. */
TACO__FN bool taco__collection_write_info(taco__buf *out, const taco__collection *c,
                                          taco_error *err)
{
    static const char *const keys[][3] = {
        /* printed as, in the document, otherwise */
        {"id", "id", "null"},
        {"version", "dataset_version", "\"unknown\""},
        {"description", "description", "\"\""},
        {"tasks", "tasks", "[]"},
        {"extent", "extent", "{}"},
        {"providers", "providers", "[]"},
        {"licenses", "licenses", "[]"},
        {"title", "title", "null"},
        {"curators", "curators", "null"},
        {"keywords", "keywords", "null"},
        {"taco_version", "taco_version", "null"},
        {"pit_schema", "taco:pit_schema", "null"},
        {"field_schema", "taco:field_schema", "{}"},
    };
    size_t i;
    bool   ok = true;
    for (i = 0; ok && i < TACO__COUNT(keys); i++) {
        const taco__json *value = taco__json_get(c->doc.root, keys[i][1]);
        ok = taco__buf_append_text(out, i ? ",\"" : "\"", err) &&
             taco__buf_append_text(out, keys[i][0], err) &&
             taco__buf_append_text(out, "\":", err) &&
             (value ? taco__json_write_value(out, value, 0, err)
                    : taco__buf_append_text(out, keys[i][2], err));
    }
    return ok && taco__buf_append_text(out, ",\"collection\":", err) &&
           taco__json_write_value(out, c->doc.root, 0, err);
}
/* ==== ROOM zip: ZIP records, from the end record to the bytes of an entry. Uses: pq:base error mem io.
   Spec: PKWARE APPNOTE 6.3.10 §4.3, §4.4, §4.5.3 (ZIP64); TACO 2.0 §6.3 (entries are stored) ==== */

#define TACO__ZIP_LOCAL_BYTES 30 /* bytes of a local header without name and extra (§4.3.7)       */
#define TACO__ZIP_CENTRAL_BYTES                                                                    \
    46                          /* of a central directory header (§4.3.12)                       */
#define TACO__ZIP_EOCD_BYTES 22 /* of the end of central directory record (§4.3.16)              */
#define TACO__ZIP_EOCD64_BYTES                                                                     \
    56 /* of its ZIP64 form (§4.3.14)                                   */
#define TACO__ZIP_LOCATOR_BYTES                                                                    \
    20 /* of the record that says where that is (§4.3.15)               */
#define TACO__ZIP_TAIL_BYTES                                                                       \
    65633U /* EOCD64 + locator + EOCD + the longest comment: what to read   */

#define TACO__ZIP_SIG_LOCAL   0x04034B50U
#define TACO__ZIP_SIG_CENTRAL 0x02014B50U
#define TACO__ZIP_SIG_EOCD    0x06054B50U
#define TACO__ZIP_SIG_EOCD64  0x06064B50U
#define TACO__ZIP_SIG_LOCATOR 0x07064B50U

#define TACO__ZIP_ENCRYPTED                                                                        \
    0x2041U /* flag bits 0, 6 and 13: some form of encryption (§4.4.4)        */
#define TACO__ZIP_DESCRIPTOR                                                                       \
    0x0008U /* bit 3: sizes and CRC of the local header are behind the bytes */

typedef struct taco__zip_dir { /* what the records at the end say; offset and size are proven */
    uint64_t file_size;
    uint64_t offset, size, entries; /* the central directory                                  */
    uint64_t end;                   /* first byte of the end records (EOCD64 or EOCD)         */
    uint64_t gap;                   /* bytes between directory and end records; 0 as a rule   */
    uint64_t eocd;                  /* where the EOCD is                                      */
    uint64_t trailing;              /* bytes behind the EOCD and its comment; 0 as a rule     */
    uint64_t eocd64;                /* where the EOCD64 is; 0 without one                     */
    bool     odd64;                 /* its length does not reach to its locator               */
    bool     pending; /* the EOCD64 lies before the tail: taco__zip_read_eocd64 next */
    uint32_t comment; /* bytes of the archive comment                           */
} taco__zip_dir;

typedef struct taco__zip_entry { /* one central directory header; slices point into the directory */
    taco_bytes name, extra, comment;
    uint64_t   at;    /* of the header, in the file */
    uint64_t   index; /* 0 for the first            */
    uint64_t   size, csize, local;
    uint32_t   crc, external;
    uint16_t   made, needed, flags, method, time, date;
    bool       zip64;
} taco__zip_entry;

typedef struct taco__zip_local_header {
    taco_bytes name, extra; /* {NULL, 0} while partial                     */
    uint64_t   size, csize;
    uint64_t   length, data; /* of the header; where the bytes begin        */
    uint32_t   crc;
    uint16_t   needed, flags, method;
    bool       partial; /* fewer than length bytes were given: the sizes may be those of ZIP64 */
} taco__zip_local_header;

typedef struct taco__zip_iter {
    taco__byte_reader    cur;
    const taco__zip_dir *dir;
    uint64_t             index;
    bool                 bad;
} taco__zip_iter;

/* ---- the records at the end ---- */

TACO__FN taco_status taco__zip_check_dir_range(taco__zip_dir *d, taco_error *err)
{
    uint64_t end;
    if (!taco__checked_add64(d->offset, d->size, &end) || end > d->end) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, d->end,
            "ZIP: central directory of %u bytes at %u runs past the end records at %u", d->size,
            d->offset, d->end);
    }
    if (d->entries > d->size / TACO__ZIP_CENTRAL_BYTES) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, d->end,
                          "ZIP: %u entries in a central directory of %u bytes", d->entries,
                          d->size);
    }
    d->gap = d->end - end;
    return TACO_OK;
}
/* The last end record whose comment ends where the file does; failing that, the last whose comment lies inside, so that
   bytes behind the archive do not hide it. SIZE_MAX when there is none. */
TACO__FN size_t taco__zip_find_eocd(taco_bytes tail)
{
    size_t i, loose = SIZE_MAX;
    if (tail.len < TACO__ZIP_EOCD_BYTES) {
        return SIZE_MAX;
    }
    for (i = tail.len - TACO__ZIP_EOCD_BYTES + 1; i-- > 0;) {
        size_t after, comment;
        if (tail.data[i] != 'P' || taco__load_le32(tail.data + i) != TACO__ZIP_SIG_EOCD) {
            continue;
        }
        comment = taco__load_le16(tail.data + i + 20);
        after = tail.len - i - TACO__ZIP_EOCD_BYTES;
        if (comment == after) {
            return i;
        }
        if (comment < after && loose == SIZE_MAX) {
            loose = i;
        }
    }
    return loose;
}
/* Reads the EOCD64; record begins at d->eocd64 and has at least 56 bytes. */
TACO__FN taco_status taco__zip_read_eocd64(taco_bytes record, taco__zip_dir *d, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(record);
    uint64_t          length, here, all, size, offset;
    uint32_t          sig = taco__byte_reader_le32(&c), disk, start;
    length = taco__byte_reader_le64(&c);
    taco__byte_reader_take(&c, 4); /* versions */
    disk = taco__byte_reader_le32(&c);
    start = taco__byte_reader_le32(&c);
    here = taco__byte_reader_le64(&c);
    all = taco__byte_reader_le64(&c);
    size = taco__byte_reader_le64(&c);
    offset = taco__byte_reader_le64(&c);
    if (c.bad || sig != TACO__ZIP_SIG_EOCD64 || length < TACO__ZIP_EOCD64_BYTES - 12) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, d->eocd64,
                          "ZIP64: the locator points here, but no end record (EOCD64) begins");
    }
    if (disk || start || here != all) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, d->eocd64,
                          "ZIP64: an archive of several disks");
    }
    /* The 32-bit record must agree wherever it does not hold its "see ZIP64" value (§4.4.1.4). */
    if ((d->entries != 0xFFFF && d->entries != all) ||
        (d->size != 0xFFFFFFFFU && d->size != size) ||
        (d->offset != 0xFFFFFFFFU && d->offset != offset)) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, d->eocd64,
            "ZIP64: %u entries, directory of %u bytes at %u; the EOCD says %u, %u, %u", all, size,
            offset, d->entries, d->size, d->offset);
    }
    d->entries = all;
    d->size = size;
    d->offset = offset;
    d->end = d->eocd64;
    d->odd64 = length != d->eocd - TACO__ZIP_LOCATOR_BYTES - d->eocd64 - 12;
    d->pending = false;
    return taco__zip_check_dir_range(d, err);
}
/* Reads the end records from the last bytes of a file: tail begins at tail_offset and reaches to file_size; it should
   have TACO__ZIP_TAIL_BYTES bytes, or all of the file. */
TACO__FN taco_status taco__zip_read_eocd(taco_bytes tail, uint64_t tail_offset, uint64_t file_size,
                                         taco__zip_dir *out, taco_error *err)
{
    size_t         at = taco__zip_find_eocd(tail);
    const uint8_t *p;
    memset(out, 0, sizeof *out);
    out->file_size = file_size;
    if (at == SIZE_MAX) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "ZIP: no end of central directory record (EOCD) in the last %u bytes",
                          TACO__U(tail.len));
    }
    p = tail.data + at;
    out->eocd = out->end = tail_offset + at;
    out->comment = taco__load_le16(p + 20);
    out->trailing = tail.len - at - TACO__ZIP_EOCD_BYTES - out->comment;
    out->entries = taco__load_le16(p + 10);
    out->size = taco__load_le32(p + 12);
    out->offset = taco__load_le32(p + 16);
    if (at >= TACO__ZIP_LOCATOR_BYTES &&
        taco__load_le32(p - TACO__ZIP_LOCATOR_BYTES) == TACO__ZIP_SIG_LOCATOR) {
        uint64_t locator = out->eocd - TACO__ZIP_LOCATOR_BYTES;
        out->eocd64 = taco__load_le64(p - 12);
        if (taco__load_le32(p - 16) || taco__load_le32(p - 4) > 1) {
            return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, locator,
                              "ZIP64: an archive of several disks");
        }
        if (out->eocd64 == 0 ||
            !taco__checked_range(out->eocd64, TACO__ZIP_EOCD64_BYTES, locator)) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, locator,
                "ZIP64: the locator points to %u, the end record (EOCD64) must lie before %u",
                out->eocd64, locator);
        }
        out->pending = out->eocd64 < tail_offset;
        at = out->pending ? 0 : (size_t)(out->eocd64 - tail_offset);
        return out->pending
                   ? TACO_OK
                   : taco__zip_read_eocd64(taco__bytes_of(tail.data + at, tail.len - at), out, err);
    }
    if (taco__load_le16(p + 4) || taco__load_le16(p + 6) ||
        taco__load_le16(p + 8) != out->entries) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, out->eocd, "ZIP: an archive of several disks");
    }
    return taco__zip_check_dir_range(out, err);
}

/* ---- ZIP64 extra field ---- */

/* Replaces those of the values that are 2^32-1 by the 64-bit ones of extra field 1, which holds only these, in this
   order (§4.5.3). Without such a field 2^32-1 is meant: it is a size like any other, and writers have taken it so. */
TACO__FN taco_status taco__zip_read_extra64(taco_bytes extra, uint64_t at, uint64_t *const values[],
                                            size_t n, bool *found, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(extra);
    size_t            i, need = 0;
    for (i = 0; i < n; i++) {
        need += *values[i] == 0xFFFFFFFFU ? 8U : 0U;
    }
    *found = false;
    while (taco__byte_reader_left(&c) >= 4) {
        uint16_t       id = taco__byte_reader_le16(&c), len = taco__byte_reader_le16(&c);
        const uint8_t *p = taco__byte_reader_take(&c, len);
        if (!p && id == 1) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "ZIP64: extra field of %u bytes, %u are left", TACO__U(len),
                              TACO__U(taco__byte_reader_left(&c)));
        }
        if (!p) {
            break; /* other fields are other people's; a broken one ends the list */
        }
        if (id != 1) {
            continue;
        }
        *found = true;
        if (len && len < need) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "ZIP64: extra field of %u bytes, needs %u",
                              TACO__U(len), TACO__U(need));
        }
        for (i = 0; len && i < n; i++) {
            if (*values[i] == 0xFFFFFFFFU) {
                *values[i] = taco__load_le64(p);
                p += 8;
            }
        }
        break;
    }
    return TACO_OK;
}

/* ---- the central directory ---- */

/* Iterates over the entries. directory holds the dir->size bytes at dir->offset. */
TACO__FN taco__zip_iter taco__zip_iter_init(taco_bytes directory, const taco__zip_dir *dir)
{
    taco__zip_iter it;
    it.cur = taco__byte_reader_init(directory);
    it.dir = dir;
    it.index = 0;
    it.bad = false;
    return it;
}
/* A local header, a name of this length and the bytes fit before the directory. */
TACO__FN bool taco__zip_entry_fits(const taco__zip_dir *dir, const taco__zip_entry *e)
{
    uint64_t head = TACO__ZIP_LOCAL_BYTES + (uint64_t)e->name.len;
    return taco__checked_range(e->local, head, dir->offset) &&
           e->csize <= dir->offset - e->local - head;
}
TACO__FN taco_status taco__zip_read_entry(taco__zip_iter *it, taco__zip_entry *e, taco_error *err)
{
    taco__byte_reader *c = &it->cur;
    uint64_t          *values[3];
    uint32_t           sig, disk;
    size_t             name, extra, comment;
    taco_status        st;
    values[0] = &e->size;
    values[1] = &e->csize;
    values[2] = &e->local;
    e->index = it->index;
    e->at = it->dir->offset + taco__byte_reader_position(c);
    sig = taco__byte_reader_le32(c);
    e->made = taco__byte_reader_le16(c);
    e->needed = taco__byte_reader_le16(c);
    e->flags = taco__byte_reader_le16(c);
    e->method = taco__byte_reader_le16(c);
    e->time = taco__byte_reader_le16(c);
    e->date = taco__byte_reader_le16(c);
    e->crc = taco__byte_reader_le32(c);
    e->csize = taco__byte_reader_le32(c);
    e->size = taco__byte_reader_le32(c);
    name = taco__byte_reader_le16(c);
    extra = taco__byte_reader_le16(c);
    comment = taco__byte_reader_le16(c);
    disk = taco__byte_reader_le16(c);
    taco__byte_reader_take(c, 2); /* internal attributes */
    e->external = taco__byte_reader_le32(c);
    e->local = taco__byte_reader_le32(c);
    e->name = taco__bytes_of(taco__byte_reader_take(c, name), name);
    e->extra = taco__bytes_of(taco__byte_reader_take(c, extra), extra);
    e->comment = taco__bytes_of(taco__byte_reader_take(c, comment), comment);
    if (c->bad || sig != TACO__ZIP_SIG_CENTRAL) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, e->at,
            "ZIP: entry %u of %u is no central directory header, or does not end in the directory",
            e->index, it->dir->entries);
    }
    st = taco__zip_read_extra64(e->extra, e->at, values, 3, &e->zip64, err);
    if (st != TACO_OK) {
        taco__error_prefix(err, "entry %q", &e->name);
        return st;
    }
    if (disk && disk != 0xFFFF) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, e->at, "ZIP: entry %q is on disk %u", &e->name,
                          TACO__U(disk));
    }
    if (!taco__zip_entry_fits(it->dir, e)) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, e->at,
            "ZIP: entry %q has %u bytes behind a local header at %u, the directory begins at %u",
            &e->name, e->csize, e->local, it->dir->offset);
    }
    return TACO_OK;
}
/* Returns false at the end and on failure; it->bad tells which. */
TACO__FN bool taco__zip_next(taco__zip_iter *it, taco__zip_entry *out, taco_error *err)
{
    if (it->bad || it->index == it->dir->entries) {
        return false;
    }
    memset(out, 0, sizeof *out);
    it->bad = taco__zip_read_entry(it, out, err) != TACO_OK;
    it->index++;
    return !it->bad;
}
/* What a TACO archive's entry must be for its bytes to be read where they lie (TACO 2.0 §6.3). */
TACO__FN taco_status taco__zip_check_stored(const taco__zip_entry *e, taco_error *err)
{
    if (e->method) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, e->at,
            "entry %q is compressed (method %u), a TACO archive stores its entries (STORE, 0)",
            &e->name, TACO__U(e->method));
    }
    if (e->flags & TACO__ZIP_ENCRYPTED) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, e->at, "entry %q is encrypted (flags 0x%x)",
                          &e->name, TACO__U(e->flags));
    }
    if (e->size != e->csize) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->at,
                          "entry %q is stored, but has %u bytes in %u", &e->name, e->size,
                          e->csize);
    }
    return TACO_OK;
}

/* ---- local headers ---- */

/* b begins at offset in the file. With fewer bytes than the header has, out->partial is set and out->length says how
   many it takes; 30 must be there. */
TACO__FN taco_status taco__zip_read_local_header(taco_bytes b, uint64_t offset,
                                                 taco__zip_local_header *out, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(b);
    uint64_t         *values[2];
    uint32_t          sig = taco__byte_reader_le32(&c);
    size_t            name, extra;
    bool              zip64;
    taco_status       st;
    memset(out, 0, sizeof *out);
    values[0] = &out->size;
    values[1] = &out->csize;
    out->needed = taco__byte_reader_le16(&c);
    out->flags = taco__byte_reader_le16(&c);
    out->method = taco__byte_reader_le16(&c);
    taco__byte_reader_take(&c, 4); /* time, date */
    out->crc = taco__byte_reader_le32(&c);
    out->csize = taco__byte_reader_le32(&c);
    out->size = taco__byte_reader_le32(&c);
    name = taco__byte_reader_le16(&c);
    extra = taco__byte_reader_le16(&c);
    if (c.bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, offset,
                          "ZIP: a local header needs 30 bytes, %u are left", TACO__U(b.len));
    }
    if (sig != TACO__ZIP_SIG_LOCAL) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, offset,
                          "ZIP: no local header, its signature is 0x%x", TACO__U(sig));
    }
    out->length = TACO__ZIP_LOCAL_BYTES + (uint64_t)name + extra;
    out->partial = out->length > b.len;
    if (!taco__checked_add64(offset, out->length, &out->data)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, offset,
                          "ZIP: a local header of %u bytes ends past 2^64", out->length);
    }
    if (out->partial) {
        return TACO_OK;
    }
    out->name = taco__bytes_of(taco__byte_reader_take(&c, name), name);
    out->extra = taco__bytes_of(taco__byte_reader_take(&c, extra), extra);
    st = taco__zip_read_extra64(out->extra, offset, values, 2, &zip64, err);
    if (st != TACO_OK) {
        taco__error_prefix(err, "local header of %q", &out->name);
    }
    return st;
}
/* Proves that the local header of an entry names the same entry, and that the bytes behind it end before the
   directory. The CRC is not compared: libzip leaves it 0 here for a file of 2^32-1 bytes. */
TACO__FN taco_status taco__zip_check_local_header(const taco__zip_dir          *dir,
                                                  const taco__zip_entry        *e,
                                                  const taco__zip_local_header *l, taco_error *err)
{
    bool sized = !(l->flags & TACO__ZIP_DESCRIPTOR);
    if (l->partial || !taco__bytes_equal(l->name, e->name)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->local,
                          "ZIP: the local header of entry %q names %q", &e->name, &l->name);
    }
    if (l->method != e->method) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->local,
                          "ZIP: the local header of entry %q says method %u, the directory %u",
                          &e->name, TACO__U(l->method), TACO__U(e->method));
    }
    if (sized && (l->size != e->size || l->csize != e->csize)) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, e->local,
            "ZIP: the local header of entry %q says %u bytes in %u, the directory %u in %u",
            &e->name, l->size, l->csize, e->size, e->csize);
    }
    if (!taco__checked_range(l->data, e->csize, dir->offset)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->local,
                          "ZIP: entry %q has %u bytes at %u, the directory begins at %u", &e->name,
                          e->csize, l->data, dir->offset);
    }
    return TACO_OK;
}

/* ---- over a file ---- */

/* Reads and proves the end records. scratch is overwritten. */
TACO__FN taco_status taco__zip_open(taco__file *f, taco__zip_dir *out, taco__buf *scratch,
                                    taco_error *err)
{
    size_t len = f->src.size < TACO__ZIP_TAIL_BYTES ? (size_t)f->src.size : TACO__ZIP_TAIL_BYTES;
    const uint8_t *p = taco__file_view(f, f->src.size - len, len, scratch, err);
    taco_status    st;
    memset(out, 0, sizeof *out);
    if (!p) {
        return err ? err->code : TACO_ERR_IO;
    }
    st = taco__zip_read_eocd(taco__bytes_of(p, len), f->src.size - len, f->src.size, out, err);
    if (st != TACO_OK || !out->pending) {
        return st;
    }
    p = taco__file_view(f, out->eocd64, TACO__ZIP_EOCD64_BYTES, scratch, err);
    return p     ? taco__zip_read_eocd64(taco__bytes_of(p, TACO__ZIP_EOCD64_BYTES), out, err)
           : err ? err->code
                 : TACO_ERR_IO;
}
/* Reads the directory; *out lives in scratch (or the file's memory) until that is used again. limit is
   limits.max_metadata. */
TACO__FN taco_status taco__zip_read_directory(taco__file *f, const taco__zip_dir *dir,
                                              uint64_t limit, taco__buf *scratch, taco_bytes *out,
                                              taco_error *err)
{
    size_t         len;
    const uint8_t *p;
    *out = taco__bytes_of(NULL, 0);
    if (dir->size > limit || !taco__checked_to_size(dir->size, &len)) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, dir->offset,
                          "ZIP: central directory of %u bytes, limits.max_metadata is %u",
                          dir->size, limit);
    }
    p = taco__file_view(f, dir->offset, len, scratch, err);
    if (!p) {
        return err ? err->code : TACO_ERR_IO;
    }
    *out = taco__bytes_of(p, len);
    return TACO_OK;
}
/* Reads the local header of an entry and proves it against the directory: out->data is where its bytes are. The name
   of *out lives in scratch, which must not hold the directory. */
TACO__FN taco_status taco__zip_locate_entry(taco__file *f, const taco__zip_dir *dir,
                                            const taco__zip_entry *e, taco__zip_local_header *out,
                                            taco__buf *scratch, taco_error *err)
{
    size_t len = TACO__ZIP_LOCAL_BYTES + e->name.len; /* inside the file: taco__zip_entry_fits */
    const uint8_t *p = taco__file_view(f, e->local, len, scratch, err);
    taco_status    st = p ? taco__zip_read_local_header(taco__bytes_of(p, len), e->local, out, err)
                        : err ? err->code
                              : TACO_ERR_IO;
    if (st == TACO_OK && out->partial) { /* an extra field: at most 64 KiB */
        len = (size_t)out->length;
        p = taco__file_view(f, e->local, len, scratch, err);
        st = p     ? taco__zip_read_local_header(taco__bytes_of(p, len), e->local, out, err)
             : err ? err->code
                   : TACO_ERR_IO;
    }
    if (st != TACO_OK) {
        taco__error_prefix(err, "entry %q", &e->name);
        return st;
    }
    return taco__zip_check_local_header(dir, e, out, err);
}
/* ==== ROOM index: where the metadata of an archive or a TACOCAT lies: TACO_HEADER, central directory, 128-byte header.
   A gate: ranges that leave it lie inside the file and apart from each other. Uses: pq:hash zip. Spec: TACO 2.0 §6.3, §6.5 ==== */

#define TACO__INDEX_LEVELS 6 /* METADATA/level0.parquet to level5.parquet */
#define TACO__INDEX_HEADER_BYTES                                                                   \
    157 /* bytes of a TACO_HEADER with its local header: read at least so many */
#define TACO__INDEX_PAYLOAD_BYTES 116 /* count, 3 bytes of padding, 7 pairs of offset and length */
#define TACO__INDEX_TACOCAT_BYTES 128 /* bytes of the header of a TACOCAT */

/* What is odd in a TACO_HEADER but was read; `validate` tells. */
#define TACO__INDEX_ODD_NAME    1U  /* the name of tacozip 0.5 and before                    */
#define TACO__INDEX_ODD_LENGTH  2U  /* the local header gives another length than 116        */
#define TACO__INDEX_ODD_PADDING 4U  /* the bytes behind the count are not zero               */
#define TACO__INDEX_ODD_GAP     8U  /* a level of length 0 before the last one               */
#define TACO__INDEX_ODD_CRC     16U /* the payload is not the one the local header's CRC is of */

typedef struct taco__index {
    taco__range level[TACO__INDEX_LEVELS]; /* len 0: there is no such level            */
    taco__range collection;
    uint32_t    levels;  /* the deepest level that is there, plus one                   */
    uint32_t    count;   /* entries the header announces                                */
    uint32_t    table;   /* where the pairs of offset and length begin in the file, or 0 */
    uint32_t    last;    /* which of the pairs is that of the collection                */
    unsigned    odd;     /* TACO__INDEX_ODD_NAME ...                                       */
    bool        recover; /* refused, but it is a TACO archive: its central directory may do */
} taco__index;

/* ---- proofs shared by the three ---- */

/* Name of range i in messages: the levels, then the collection. */
TACO__FN const char *taco__index_range_name(size_t i)
{
    static const char *const names[] = {"level0", "level1", "level2",         "level3",
                                        "level4", "level5", "COLLECTION.json"};
    return names[TACO__MIN(i, TACO__COUNT(names) - 1)];
}
TACO__FN const taco__range *taco__index_get_range(const taco__index *x, size_t i)
{
    return i < TACO__INDEX_LEVELS ? &x->level[i] : &x->collection;
}
/* Where range i is written, for messages. */
TACO__FN uint64_t taco__index_pair_offset(const taco__index *x, size_t i)
{
    return x->table ? x->table + 16 * (i < TACO__INDEX_LEVELS ? (uint64_t)i : x->last)
                    : TACO_NO_OFFSET;
}
/* Every range that is there lies between the header, which ends at first, and the end of the file, and none shares a
   byte with another. */
TACO__FN taco_status taco__index_check_ranges(const taco__index *x, uint64_t first,
                                              uint64_t file_size, const char *who, taco_error *err)
{
    size_t i, k;
    for (i = 0; i <= TACO__INDEX_LEVELS; i++) {
        const taco__range *a = taco__index_get_range(x, i);
        if (a->len == 0) {
            continue;
        }
        if (a->len > UINT64_MAX - a->offset) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, i),
                              "%s: %s has %u bytes at %u, past 2^64", who,
                              taco__index_range_name(i), a->len, a->offset);
        }
        if (a->offset + a->len > file_size) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__index_pair_offset(x, i),
                              "%s: %s has %u bytes at %u, past the end of the file at %u", who,
                              taco__index_range_name(i), a->len, a->offset, file_size);
        }
        if (a->offset < first) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, i),
                              "%s: %s at %u overlaps the header, which ends at %u", who,
                              taco__index_range_name(i), a->offset, first);
        }
        for (k = 0; k < i; k++) {
            const taco__range *b = taco__index_get_range(x, k);
            if (b->len && a->offset < b->offset + b->len && b->offset < a->offset + a->len) {
                return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, i),
                                  "%s: %s (%u bytes at %u) overlaps %s (%u bytes at %u)", who,
                                  taco__index_range_name(i), a->len, a->offset,
                                  taco__index_range_name(k), b->len, b->offset);
            }
        }
    }
    return TACO_OK;
}
/* level0 and the collection are required; deeper levels may be missing. */
TACO__FN taco_status taco__index_check_required(taco__index *x, const char *who, taco_error *err)
{
    size_t i;
    if (x->level[0].len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, 0),
                          "%s: level0 is missing or empty", who);
    }
    if (x->collection.len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, TACO__INDEX_LEVELS),
                          "%s: COLLECTION.json is missing or empty", who);
    }
    x->levels = 0;
    for (i = 0; i < TACO__INDEX_LEVELS; i++) {
        if (x->level[i].len) {
            x->odd |= x->levels < i ? TACO__INDEX_ODD_GAP : 0;
            x->levels = (uint32_t)i + 1;
        }
    }
    return TACO_OK;
}

/* ---- TACO_HEADER ---- */

/* Names what the first bytes are, when they are not those of an archive of this format. */
TACO__FN taco_status taco__index_check_magic(taco_bytes first, uint64_t file_size, taco_error *err)
{
    taco_bytes magic = taco__bytes_of(first.data, TACO__MIN(first.len, (size_t)4));
    if (file_size == 0) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "the file is empty");
    }
    if (taco__bytes_starts_with(magic, "#y")) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, 0,
            "a Tortilla 0.x file (magic '#y'), not a TACO 2 archive: taco convert makes one");
    }
    if (taco__bytes_starts_with(magic, "WX")) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, 0,
            "a TACO 0.x file (magic 'WX'), not a TACO 2 archive: taco convert makes one");
    }
    if (!taco__bytes_starts_with(magic, "PK\3\4")) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                          "not a ZIP archive, which begins with 'PK\\x03\\x04': %q", &magic);
    }
    if (first.len < TACO__ZIP_LOCAL_BYTES) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "a local header needs 30 bytes, the file has %u", file_size);
    }
    return TACO_OK;
}
/* The name of the first entry, at byte 30, says whether it is a TACO archive, and which. */
TACO__FN taco_status taco__index_check_first_entry(taco_bytes first, uint64_t file_size,
                                                   taco__index *out, taco_error *err)
{
    size_t len = taco__load_le16(first.data + 26), have = first.len - TACO__ZIP_LOCAL_BYTES,
           payload = TACO__ZIP_LOCAL_BYTES + len;
    taco_bytes name = taco__bytes_of(first.data + TACO__ZIP_LOCAL_BYTES, TACO__MIN(len, have));
    if (taco__bytes_equal(name, taco__bytes_text("__cozip__"))) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO__ZIP_LOCAL_BYTES,
                          "a TACO 3 archive (first entry '__cozip__'), TACO 2 is read");
    }
    if (taco__bytes_equal(name, taco__bytes_text("TACO_GHOST"))) {
        out->odd |= TACO__INDEX_ODD_NAME;
    } else if (!taco__bytes_equal(name, taco__bytes_text("TACO_HEADER"))) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO__ZIP_LOCAL_BYTES,
                          "the first entry is %q, a TACO archive begins with TACO_HEADER", &name);
    }
    out->recover = true;
    out->table = (uint32_t)payload + 4;
    if (first.len < payload + TACO__INDEX_PAYLOAD_BYTES) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "TACO_HEADER: needs %u bytes, the file has %u",
                          TACO__U(payload + TACO__INDEX_PAYLOAD_BYTES), file_size);
    }
    if (taco__load_le16(first.data + 28) || taco__load_le16(first.data + 8)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 8,
                          "TACO_HEADER: method %u and %u bytes of extra field, both must be 0",
                          TACO__U(taco__load_le16(first.data + 8)),
                          TACO__U(taco__load_le16(first.data + 28)));
    }
    if (taco__load_le32(first.data + 18) != TACO__INDEX_PAYLOAD_BYTES ||
        taco__load_le32(first.data + 22) != TACO__INDEX_PAYLOAD_BYTES) {
        out->odd |= TACO__INDEX_ODD_LENGTH;
    }
    if (taco__load_le32(first.data + 14) !=
        taco__crc32(0, first.data + payload, TACO__INDEX_PAYLOAD_BYTES)) {
        out->odd |= TACO__INDEX_ODD_CRC;
    }
    return TACO_OK;
}
/* Reads the header of an archive from its first bytes, TACO__INDEX_HEADER_BYTES of them or the whole of a shorter file. On
   failure out->recover tells whether the central directory is worth a try. */
TACO__FN taco_status taco__index_read_header(taco_bytes first, uint64_t file_size, taco__index *out,
                                             taco_error *err)
{
    const uint8_t *p;
    size_t         i;
    taco_status    st;
    memset(out, 0, sizeof *out);
    st = taco__index_check_magic(first, file_size, err);
    st = st == TACO_OK ? taco__index_check_first_entry(first, file_size, out, err) : st;
    if (st != TACO_OK) {
        return st;
    }
    p = first.data + out->table - 4;
    out->count = p[0];
    out->last = out->count - 1U;
    out->odd |= p[1] | p[2] | p[3] ? TACO__INDEX_ODD_PADDING : 0;
    if (out->count == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, out->table - 4U,
                          "Empty TACO_HEADER: its count of entries is 0");
    }
    if (out->count == 1 || out->count > TACO__INDEX_LEVELS + 1) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, out->table - 4U,
            "TACO_HEADER: a count of %u entries, needs 2 (level0, COLLECTION.json) to 7",
            TACO__U(out->count));
    }
    for (i = 0; i < out->count; i++) {
        taco__range r;
        r.offset = taco__load_le64(p + 4 + 16 * i);
        r.len = taco__load_le64(p + 12 + 16 * i);
        if (i + 1 == out->count) {
            out->collection = r;
        } else {
            out->level[i] = r;
        }
    }
    st = taco__index_check_required(out, "TACO_HEADER", err);
    st = st == TACO_OK ? taco__index_check_ranges(out, out->table - 4U + TACO__INDEX_PAYLOAD_BYTES,
                                                  file_size, "TACO_HEADER", err)
                       : st;
    out->recover = st != TACO_OK;
    return st;
}

/* ---- central directory ---- */

/* The slot of METADATA/level{0-5}.parquet or COLLECTION.json; NULL for every other name. */
TACO__FN taco__range *taco__index_find_slot(taco__index *x, taco_bytes name)
{
    if (taco__bytes_equal(name, taco__bytes_text("COLLECTION.json"))) {
        return &x->collection;
    }
    if (name.len == 23 && taco__bytes_starts_with(name, "METADATA/level") &&
        memcmp(name.data + 15, ".parquet", 8) == 0 && name.data[14] >= '0' &&
        name.data[14] < '0' + TACO__INDEX_LEVELS) {
        return &x->level[name.data[14] - '0'];
    }
    return NULL;
}
/* Builds the index from the entries of the central directory, for archives whose TACO_HEADER is damaged. Offsets come
   from the local headers, which are read and must agree. */
TACO__FN taco_status taco__index_from_directory(taco__file *f, const taco__zip_dir *dir,
                                                taco_bytes directory, taco__index *out,
                                                taco__buf *scratch, taco_error *err)
{
    taco__zip_iter  it = taco__zip_iter_init(directory, dir);
    taco__zip_entry e;
    taco_status     st;
    memset(out, 0, sizeof *out);
    while (taco__zip_next(&it, &e, err)) {
        taco__zip_local_header local;
        taco__range           *slot = taco__index_find_slot(out, e.name);
        if (!slot) {
            continue;
        }
        if (slot->len) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, e.at, "central directory: two entries %q",
                              &e.name);
        }
        st = taco__zip_check_stored(&e, err);
        st = st == TACO_OK ? taco__zip_locate_entry(f, dir, &e, &local, scratch, err) : st;
        if (st != TACO_OK) {
            return st;
        }
        slot->offset = local.data;
        slot->len = e.csize;
        out->count++;
    }
    if (it.bad) {
        return err ? err->code : TACO_ERR_CORRUPT;
    }
    st = taco__index_check_required(out, "central directory", err);
    return st == TACO_OK ? taco__index_check_ranges(out, 0, dir->offset, "central directory", err)
                         : st;
}
/* The same from the file alone: reads end records and directory. limit is limits.max_metadata. */
TACO__FN taco_status taco__index_recover(taco__file *f, uint64_t limit, taco__index *out,
                                         taco_error *err)
{
    taco__buf     whole, scratch;
    taco__zip_dir dir;
    taco_bytes    directory;
    taco_status   st;
    memset(out, 0, sizeof *out);
    memset(&whole, 0, sizeof whole);
    whole.mem = f->mem;
    scratch = whole;
    st = taco__zip_open(f, &dir, &whole, err);
    st = st == TACO_OK ? taco__zip_read_directory(f, &dir, limit, &whole, &directory, err) : st;
    st = st == TACO_OK ? taco__index_from_directory(f, &dir, directory, out, &scratch, err) : st;
    taco__buf_free(&whole);
    taco__buf_free(&scratch);
    return st;
}
/* A TACO_HEADER against the directory of the same archive: every range must be the entry of that name. */
TACO__FN taco_status taco__index_compare(const taco__index *header, const taco__index *directory,
                                         taco_error *err)
{
    size_t i;
    for (i = 0; i <= TACO__INDEX_LEVELS; i++) {
        const taco__range *a = taco__index_get_range(header, i),
                          *b = taco__index_get_range(directory, i);
        if (a->len != b->len || (a->len && a->offset != b->offset)) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                "TACO_HEADER: %s has %u bytes at %u, the central directory says %u at %u",
                taco__index_range_name(i), a->len, a->offset, b->len, b->offset);
        }
    }
    return TACO_OK;
}

/* ---- TACOCAT ---- */

/* True when the first bytes are those of a `__TACOCAT__` file. */
TACO__FN bool taco__index_is_tacocat(taco_bytes first)
{
    return first.len >= 7 && memcmp(first.data, "TACOCAT", 7) == 0;
}
/* Reads the binary header of a TACOCAT: magic, version, depth, six levels and the collection, all little-endian. */
TACO__FN taco_status taco__index_read_tacocat(taco_bytes first, uint64_t file_size,
                                              taco__index *out, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(first);
    taco_bytes        magic = taco__bytes_of(first.data, TACO__MIN(first.len, (size_t)8));
    uint32_t          version, depth;
    size_t            i;
    taco_status       st;
    memset(out, 0, sizeof *out);
    out->table = 16;
    out->last = TACO__INDEX_LEVELS;
    if (first.len < TACO__INDEX_TACOCAT_BYTES) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "TACOCAT: a header needs %u bytes, the file has %u",
                          TACO__U(TACO__INDEX_TACOCAT_BYTES), file_size);
    }
    if (memcmp(magic.data, "TACOCAT\0", 8) != 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                          "TACOCAT: begins with %q, must be 'TACOCAT\\x00'", &magic);
    }
    taco__byte_reader_take(&c, 8);
    version = taco__byte_reader_le32(&c);
    depth = taco__byte_reader_le32(&c);
    if (version != 1) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 8, "TACOCAT: version %u, 1 is read",
                          TACO__U(version));
    }
    if (depth >= TACO__INDEX_LEVELS) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 12, "TACOCAT: depth %u, at most 5",
                          TACO__U(depth));
    }
    for (i = 0; i < TACO__INDEX_LEVELS; i++) {
        out->level[i].offset = taco__byte_reader_le64(&c);
        out->level[i].len = taco__byte_reader_le64(&c);
        out->count += out->level[i].len != 0;
    }
    out->collection.offset = taco__byte_reader_le64(&c);
    out->collection.len = taco__byte_reader_le64(&c);
    out->count += out->collection.len != 0;
    st = taco__index_check_required(out, "TACOCAT", err);
    if (st == TACO_OK && out->levels > depth + 1) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 12, "TACOCAT: depth %u, but %s is there",
                          TACO__U(depth), taco__index_range_name(out->levels - 1));
    }
    return st == TACO_OK
               ? taco__index_check_ranges(out, TACO__INDEX_TACOCAT_BYTES, file_size, "TACOCAT", err)
               : st;
}
/* ==== ROOM vsi: GDAL paths of samples, made of roots, offsets and names that never leave the dataset. Uses: pq:base
   error mem. Spec: TACO 2.0 §6.5, §7.2; GDAL "Virtual File Systems" ==== */

/* ---- roots ---- */

typedef struct taco__vsi_scheme {
    const char *url, *vsi;
} taco__vsi_scheme;

static const taco__vsi_scheme taco__vsi_schemes[] = {
    {"s3://", "/vsis3/"},       {"gs://", "/vsigs/"},
    {"az://", "/vsiaz/"},       {"oss://", "/vsioss/"},
    {"swift://", "/vsiswift/"}, {"azure://", "/vsiaz/"} /* behind az://: the way back finds that */
};

/* True for what GDAL or an open_file of the caller's fetches from elsewhere: such a path is not made absolute. */
TACO__FN bool taco__vsi_is_remote(taco_bytes path)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        if (taco__bytes_starts_with(path, taco__vsi_schemes[i].url)) {
            return true;
        }
    }
    if (taco__bytes_starts_with(path, "http://") || taco__bytes_starts_with(path, "https://")) {
        return true;
    }
    return taco__bytes_starts_with(path, "/vsi") && !taco__bytes_starts_with(path, "/vsimem/");
}
/* Appends a path as GDAL names it: URLs become /vsi paths, all else stays. Local paths come absolute and resolved. */
TACO__FN bool taco__vsi_append_root(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        const taco__vsi_scheme *s = &taco__vsi_schemes[i];
        if (taco__bytes_starts_with(path, s->url)) {
            size_t n = strlen(s->url);
            return taco__buf_append_text(out, s->vsi, err) &&
                   taco__buf_append(out, path.data + n, path.len - n, err);
        }
    }
    if ((taco__bytes_starts_with(path, "http://") || taco__bytes_starts_with(path, "https://")) &&
        !taco__buf_append_text(out, "/vsicurl/", err)) {
        return false;
    }
    return taco__buf_append(out, path.data, path.len, err);
}
/* The way back, for an open_file that knows URLs: /vsicurl/ is removed, /vsis3/ becomes s3://, ... */
TACO__FN bool taco__vsi_append_url(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t i, n = 9;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        const taco__vsi_scheme *s = &taco__vsi_schemes[i];
        if (taco__bytes_starts_with(path, s->vsi)) {
            n = strlen(s->vsi);
            return taco__buf_append_text(out, s->url, err) &&
                   taco__buf_append(out, path.data + n, path.len - n, err);
        }
    }
    n = taco__bytes_starts_with(path, "/vsicurl/") ? n : 0;
    return taco__buf_append(out, path.data + n, path.len - n, err);
}
TACO__FN bool taco__vsi_append_slash(taco__buf *out, size_t start, taco_error *err)
{
    return (out->len > start && out->data[out->len - 1] == '/') ||
           taco__buf_append_char(out, '/', err);
}
/* A directory that file names are appended to: the root with a '/' at the end. */
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t start = out->len;
    return taco__vsi_append_root(out, path, err) && taco__vsi_append_slash(out, start, err);
}
/* ---- names that come from tables ---- */

/* Refuses a relative path that could lead out of the directory it is appended to: absolute, with an empty, '.' or '..'
   component, a backslash (a separator elsewhere) or a zero byte (the end, for C). A FOLDER's may end with a '/'. */
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err)
{
    size_t      i, from = 0, len = value.len;
    const char *what = NULL;
    if (folder && len > 1 && value.data[len - 1] == '/') {
        len--;
    }
    if (len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "%s is null or empty, no path can be made of it", column);
    }
    for (i = 0; i <= len && !what; i++) {
        uint8_t c = i < len ? value.data[i] : (uint8_t)'/';
        size_t  n = i - from;
        if (c == 0 || c == '\\') {
            what = c ? "a backslash" : "a zero byte";
        } else if (c == '/') {
            if (n == 0) {
                what = i ? "an empty component" : "a '/' at the start";
            } else if (n <= 2 && value.data[from] == '.' && value.data[i - 1] == '.') {
                what = n == 1 ? "a '.' component" : "a '..' component";
            }
            from = i + 1;
        }
    }
    return what ? TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                             "%s %q has %s, the path could leave the dataset", column, &value, what)
                : TACO_OK;
}
/* internal:source_file names a file beside the catalogue: as above, and one component only. */
TACO__FN taco_status taco__vsi_check_name(taco_bytes value, const char *column, taco_error *err)
{
    taco_status st;
    if (value.len > 2 && !memchr(value.data, '/', value.len) &&
        !memchr(value.data, '\\', value.len) && !memchr(value.data, 0, value.len)) {
        return TACO_OK;
    }
    st = taco__vsi_check_path(value, false, column, err);
    if (st == TACO_OK && memchr(value.data, '/', value.len)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "%s %q has a '/', must be a bare file name", column, &value);
    }
    return st;
}

/* ---- paths of samples ---- */

/* The eight decimal digits of x < 10^8, one a byte, the first in the lowest: all of them at once, by multiplication
   with rounded reciprocals that are exact in these ranges. */
TACO__INLINE uint64_t taco__vsi_eight_digits(uint32_t x)
{
    uint64_t four = x / 10000U | (uint64_t)(x % 10000U) << 32, two, one;
    two = ((four * 10486U) >> 20) & 0x0000007F0000007FU; /* / 100, below 10^4 */
    two |= (four - two * 100U) << 16;
    one = ((two * 103U) >> 10) & 0x000F000F000F000FU; /* / 10, below 10^2 */
    return one | (two - one * 10U) << 8;
}
/* Writes x in decimal and returns the end. At most 20 digits; up to 8 bytes behind them are overwritten. */
TACO__INLINE uint8_t *taco__vsi_write_digits(uint8_t *p, uint64_t x)
{
    const uint64_t zeros = 0x3030303030303030U, base = 100000000U;
    uint64_t       parts[3], d;
    unsigned       skip;
    size_t         n = 0;
    if (x < 100) { /* offsets are long, the sizes of small samples are not */
        unsigned y = (unsigned)x, tens = (y * 205U) >> 11, one = y < 10;
        unsigned two = (tens | (y - tens * 10U) << 8 | 0x3030U) >> (8 * one);
        p[0] = (uint8_t)two;
        p[1] = (uint8_t)(two >> 8);
        return p + 2 - one;
    }
    while (x >= base) {
        parts[n++] = x % base;
        x /= base;
    }
    d = taco__vsi_eight_digits((uint32_t)x);
    skip = taco__plat_ctz64(d | (uint64_t)1 << 56) / 8; /* leading zeros, but for the last digit */
    taco__put_le64(p, (d + zeros) >> (8 * skip));
    p += 8 - skip;
    while (n) {
        taco__put_le64(p, taco__vsi_eight_digits((uint32_t)parts[--n]) + zeros);
        p += 8;
    }
    return p;
}
/* Appends /vsisubfile/{offset}_{size},{root}{name}. root is that of an archive and name empty, or root is the base of
   a TACOCAT and name a checked source file. */
TACO__INLINE bool taco__vsi_append_subfile(taco__buf *out, uint64_t offset, uint64_t size,
                                           taco_bytes root, taco_bytes name, taco_error *err)
{
    size_t   tail;
    uint8_t *p;
    if (!taco__checked_add_size(root.len, name.len, &tail) || tail > SIZE_MAX - 62) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a path");
        return false;
    }
    tail += 62; /* "/vsisubfile/" + 20 + "_" + 20 + "," + 8 */
    if (TACO__UNLIKELY(!out->data || tail > out->cap - out->len) &&
        !taco__buf_reserve(out, tail, err)) {
        return false;
    }
    tail -= 62;
    p = out->data + out->len;
    memcpy(p, "/vsisubfile/", 12);
    p = taco__vsi_write_digits(p + 12, offset);
    *p++ = '_';
    p = taco__vsi_write_digits(p, size);
    *p++ = ',';
    if (root.len) {
        memcpy(p, root.data, root.len);
    }
    if (name.len) {
        memcpy(p + root.len, name.data, name.len);
    }
    out->len = (size_t)(p - out->data) + tail;
    return true;
}
/* Proves the values of a row's internal:offset and internal:size. */
TACO__INLINE bool taco__vsi_check_range(int64_t offset, int64_t size, taco_error *err)
{
    if (TACO__UNLIKELY(offset < 0 || size < 0)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%s is %d, must not be negative",
                   offset < 0 ? "internal:offset" : "internal:size",
                   TACO__D(offset < 0 ? offset : size));
        return false;
    }
    return true;
}
/* A sample of an archive, at any level, FILE and FOLDER (its __meta__) alike. */
TACO__INLINE bool taco__vsi_append_zip(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes root, taco_error *err)
{
    return taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, root,
                                    taco__bytes_of(NULL, 0), err);
}
/* A sample of a TACOCAT; base ends with '/'. */
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err)
{
    return taco__vsi_check_name(source_file, "internal:source_file", err) == TACO_OK &&
           taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, base, source_file, err);
}
/* A sample of a FOLDER dataset: {root}/DATA/{relative}, and /__meta__ behind a FOLDER. relative is the id at level 0,
   internal:relative_path below; column names which in messages. */
TACO__FN bool taco__vsi_append_folder(taco__buf *out, taco_bytes root, taco_bytes relative,
                                      bool folder, const char *column, taco_error *err)
{
    size_t start = out->len;
    if (taco__vsi_check_path(relative, folder, column, err) != TACO_OK ||
        !taco__buf_append(out, root.data, root.len, err) ||
        !taco__vsi_append_slash(out, start, err) || !taco__buf_append_text(out, "DATA/", err) ||
        !taco__buf_append(out, relative.data, relative.len, err)) {
        out->len = start;
        return false;
    }
    return !folder ||
           (taco__vsi_append_slash(out, start, err) && taco__buf_append_text(out, "__meta__", err));
}
/* A child in a FOLDER dataset, as its parent's __meta__ lists it: {folder}/{id}, for FILE and FOLDER alike. */
TACO__FN bool taco__vsi_append_child(taco__buf *out, taco_bytes folder, taco_bytes id,
                                     taco_error *err)
{
    size_t start = out->len;
    return taco__vsi_check_path(id, false, "id", err) == TACO_OK &&
           taco__buf_append(out, folder.data, folder.len, err) &&
           taco__vsi_append_slash(out, start, err) && taco__buf_append(out, id.data, id.len, err);
}

/* ---- parsing ---- */

/* Digits only: no sign, no blank, no '_'. False on overflow. */
TACO__FN bool taco__vsi_parse_number(taco_bytes text, uint64_t *out)
{
    size_t i;
    *out = 0;
    for (i = 0; i < text.len; i++) {
        uint8_t c = text.data[i];
        if (c < '0' || c > '9' || !taco__checked_mul64(*out, 10, out) ||
            !taco__checked_add64(*out, c - '0', out)) {
            return false;
        }
    }
    return text.len != 0;
}
/* Takes /vsisubfile/{offset}_{size},{root} apart: at the first ',', then at the first '_' before it. */
TACO__FN taco_status taco__vsi_parse_subfile(taco_bytes path, uint64_t *offset, uint64_t *size,
                                             taco_bytes *root, taco_error *err)
{
    const uint8_t *begin, *comma, *bar;
    if (!taco__bytes_starts_with(path, "/vsisubfile/")) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, 0, "%q does not begin with /vsisubfile/", &path);
    }
    begin = path.data + 12;
    comma = path.len > 12 ? (const uint8_t *)memchr(begin, ',', path.len - 12) : NULL;
    if (!comma) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, path.len, "%q has no ',' behind offset and size",
                          &path);
    }
    bar = (const uint8_t *)memchr(begin, '_', (size_t)(comma - begin));
    if (!bar) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, (size_t)(comma - path.data),
                          "%q has no '_' between offset and size", &path);
    }
    if (!taco__vsi_parse_number(taco__bytes_of(begin, (size_t)(bar - begin)), offset) ||
        !taco__vsi_parse_number(taco__bytes_of(bar + 1, (size_t)(comma - bar) - 1), size)) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, 12, "%q: offset and size must be digits below 2^64",
                          &path);
    }
    *root = taco__bytes_of(comma + 1, path.len - (size_t)(comma - path.data) - 1);
    return TACO_OK;
}
/* ==== ROOM avro: object container files into Arrow columns. Uses: base error mem flate json. Spec: Apache Avro 1.11 ====
   The metadata of the first FOLDER datasets. A schema becomes a tree of nodes, one per Arrow column or child. A node
   appends to its own buffers while rows are decoded, and these move to the arena when all is read.

   Nothing in a row is free: every value that can differ takes a byte of the file. What takes none (null, and records of
   nothing else) is never visited, only given its length at the end; and children of a null record are filled up in one
   step when the next one that is not null comes. So time goes with bytes read plus bytes made, and those have limits. */

/* What a file becomes. All of it is the arena's. */
typedef struct taco__avro_table {
    const taco_field *fields; /* field_count of them */
    size_t            field_count;
    const taco_array *columns; /* as many, of rows values each */
    size_t            rows;
} taco__avro_table;

/* How a value is encoded; the Arrow type it becomes also depends on its logical type. From ARRAY on there are children. */
typedef enum taco__avro_kind {
    TACO__AVRO_NULL = 0,
    TACO__AVRO_BOOLEAN,
    TACO__AVRO_INT,
    TACO__AVRO_LONG,
    TACO__AVRO_FLOAT,
    TACO__AVRO_DOUBLE,
    TACO__AVRO_BYTES,
    TACO__AVRO_STRING,
    TACO__AVRO_FIXED,
    TACO__AVRO_ENUM,
    TACO__AVRO_ARRAY,
    TACO__AVRO_MAP,
    TACO__AVRO_RECORD
} taco__avro_kind;

typedef struct taco__avro_node {
    taco_field             *field;
    struct taco__avro_node *children; /* child_count of them; their fields lie in the same order */
    uint32_t                child_count;
    const uint32_t         *live; /* RECORD: which children are not empty, live_count of them */
    uint32_t                live_count;
    uint32_t                branches;    /* of its union, 0 when there is none */
    uint32_t                null_branch; /* which of them is null */
    uint32_t                symbol_count;
    const taco_bytes       *symbols; /* ENUM */
    int32_t                 fixed;   /* FIXED: bytes in the file */
    uint8_t                 kind;    /* taco__avro_kind */
    bool                    empty;   /* takes no byte in any row, and is never visited */
    size_t                  length;  /* entries so far; below a null record this may be behind */
    size_t                  null_count;
    taco__buf               validity, offsets,
        values; /* as taco_array wants them; each empty where it has no such part */
} taco__avro_node;

/* A named type. They are a list, and few enough for that; the hash saves comparing names. */
#define TACO__AVRO_MAX_NAMES 1024
#define TACO__AVRO_MAX_EXPANDED                                                                    \
    ((uint32_t)1 << 24) /* values of JSON read for all uses of named types */
typedef struct taco__avro_name {
    const struct taco__avro_name *next;
    taco_bytes                    space, name;
    uint32_t                      hash;
    bool                          open; /* its own definition is being read */
    const taco__json             *schema;
} taco__avro_name;

/* One file that is being read. */
typedef struct taco__avro {
    taco__arena      *arena;
    taco__byte_reader c;    /* over the file, or over one block of it */
    uint64_t          base; /* where in the file the cursor's bytes begin */
    bool     packed; /* they are unpacked from a block at base, and have no offsets of their own */
    uint64_t empty_left; /* values of no bytes that may still be claimed */
    uint32_t node_count, max_nodes, max_depth;
    uint32_t leaf_count, name_count, expanded;
    taco__avro_name *names; /* the latest first */
    taco_error      *err;   /* never NULL in here */
} taco__avro;

/* ---- schema ---- */

/* Where in the file the next byte is, as far as it has a place there. */
TACO__FN uint64_t taco__avro_offset(const taco__avro *a)
{
    return a->base + (a->packed ? 0 : taco__byte_reader_position(&a->c));
}
/* Splits "space.name" at its last point; a name without one is in the space around it. */
TACO__FN void taco__avro_schema_split_name(taco_bytes full, taco_bytes around, taco_bytes *space,
                                           taco_bytes *name)
{
    size_t i = full.len;
    while (i && full.data[i - 1] != '.') {
        i--;
    }
    *name = taco__bytes_of(full.data + i, full.len - i);
    *space = i ? taco__bytes_of(full.data, i - 1) : around;
}
/* FNV-1a. */
TACO__FN uint32_t taco__avro_schema_hash_name(taco_bytes b)
{
    uint32_t h = 2166136261U;
    size_t   i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * 16777619U;
    }
    return h;
}
/* The latest definition of a full name, NULL when there is none. */
TACO__FN taco__avro_name *taco__avro_schema_find_name(const taco__avro *a, taco_bytes space,
                                                      taco_bytes name)
{
    uint32_t         hash = taco__avro_schema_hash_name(name);
    taco__avro_name *d;
    for (d = a->names; d; d = (taco__avro_name *)d->next) {
        if (d->hash == hash && taco__bytes_equal(d->name, name) &&
            taco__bytes_equal(d->space, space)) {
            return d;
        }
    }
    return NULL;
}
/* The entry of a definition, a new one the first time it is read. */
TACO__FN taco__avro_name *taco__avro_schema_define_name(taco__avro *a, const taco__json *schema,
                                                        taco_bytes around)
{
    const taco__json *name = taco__json_get(schema, "name"),
                     *space = taco__json_get(schema, "namespace");
    taco_bytes       s, n;
    taco__avro_name *d;
    if (!taco__json_text(name)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a named type must have a name, found %s", taco__json_type_name(name));
        return NULL;
    }
    taco__avro_schema_split_name(taco__json_bytes(name),
                                 taco__json_text(space) ? taco__json_bytes(space) : around, &s, &n);
    d = taco__avro_schema_find_name(a, s, n);
    if (d && d->schema == schema) {
        return d; /* read again on behalf of a reference to the record around it */
    }
    if (a->name_count == TACO__AVRO_MAX_NAMES) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + schema->begin,
                   "more than %u named types", TACO__U(a->name_count));
        return NULL;
    }
    a->name_count++;
    d = (taco__avro_name *)taco__arena_alloc(a->arena, sizeof *d, a->err);
    if (d) {
        d->space = s;
        d->name = n;
        d->hash = taco__avro_schema_hash_name(n);
        d->schema = schema;
        d->next = a->names;
        a->names = d;
    }
    return d;
}
/* A type of values that are all width bytes long; 0 for the others. */
TACO__FN void taco__avro_schema_set_fixed_width(taco_field *f, taco_type type, int32_t width)
{
    f->type = type;
    f->width = width;
}
/* precision and scale of a decimal; false when they are out of range, and the logical type is then ignored, as the
   specification wants it of everything a reader does not understand ("Logical Types"). */
TACO__FN bool taco__avro_schema_decimal(const taco__json *schema, taco_field *f)
{
    const taco__json *node = taco__json_get(schema, "scale");
    int64_t           precision, scale = 0;
    if (!taco__json_int(taco__json_get(schema, "precision"), &precision) ||
        (node && !taco__json_int(node, &scale)) || precision < 1 || precision > 76 || scale < 0 ||
        scale > precision) {
        return false;
    }
    f->type = TACO_DECIMAL;
    f->width = 0; /* big-endian bytes of any length: what Avro stores */
    f->precision = (int32_t)precision;
    f->scale = (int32_t)scale;
    return true;
}
/* Logical types of integers. A timestamp is an instant, a local one is what a clock on the wall shows. On a primitive that
   it does not belong to a logical type means nothing. */
TACO__FN void taco__avro_schema_time(const taco__json *logical, taco__avro_kind kind, taco_field *f)
{
    static const struct {
        const char *name;
        uint8_t     kind, type, unit, utc;
    } known[] = {
        {"date", TACO__AVRO_INT, TACO_DATE, TACO_SECOND, 0},
        {"time-millis", TACO__AVRO_INT, TACO_TIME, TACO_MILLI, 0},
        {"time-micros", TACO__AVRO_LONG, TACO_TIME, TACO_MICRO, 0},
        {"timestamp-millis", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MILLI, 1},
        {"timestamp-micros", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MICRO, 1},
        {"timestamp-nanos", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_NANO, 1},
        {"local-timestamp-millis", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MILLI, 0},
        {"local-timestamp-micros", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MICRO, 0},
        {"local-timestamp-nanos", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_NANO, 0},
    };
    size_t i;
    for (i = 0; i < TACO__COUNT(known); i++) {
        if (known[i].kind == (uint8_t)kind && taco__json_equals(logical, known[i].name)) {
            f->type = (taco_type)known[i].type;
            f->unit = (taco_unit)known[i].unit;
            f->utc = known[i].utc != 0;
        }
    }
}
/* A primitive type by name; schema is NULL where it has no attributes. False when the name is of no primitive. */
TACO__FN bool taco__avro_schema_primitive(taco_bytes name, const taco__json *schema,
                                          taco__avro_node *n)
{
    static const struct {
        const char *name;
        uint8_t     kind, type, width;
    } known[] = {
        {"null", TACO__AVRO_NULL, TACO_NULL, 0},     {"boolean", TACO__AVRO_BOOLEAN, TACO_BOOL, 0},
        {"int", TACO__AVRO_INT, TACO_INT32, 4},      {"long", TACO__AVRO_LONG, TACO_INT64, 8},
        {"float", TACO__AVRO_FLOAT, TACO_FLOAT, 4},  {"double", TACO__AVRO_DOUBLE, TACO_DOUBLE, 8},
        {"bytes", TACO__AVRO_BYTES, TACO_BINARY, 0}, {"string", TACO__AVRO_STRING, TACO_TEXT, 0},
    };
    const taco__json *logical = taco__json_get(schema, "logicalType");
    size_t            i;
    for (i = 0; i < TACO__COUNT(known); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(known[i].name))) {
            n->kind = known[i].kind;
            taco__avro_schema_set_fixed_width(n->field, (taco_type)known[i].type, known[i].width);
            taco__avro_schema_time(logical, (taco__avro_kind)n->kind, n->field);
            if (n->kind == TACO__AVRO_BYTES && taco__json_equals(logical, "decimal")) {
                taco__avro_schema_decimal(schema, n->field);
            }
            n->empty = n->kind == TACO__AVRO_NULL;
            n->field->nullable = n->field->nullable || n->empty;
            return true;
        }
    }
    return false;
}
/* {"type": "fixed", "size": n}. */
TACO__FN bool taco__avro_schema_fixed(taco__avro *a, const taco__json *schema, taco__avro_node *n)
{
    const taco__json *logical = taco__json_get(schema, "logicalType"),
                     *node = taco__json_get(schema, "size");
    int64_t size;
    if (!taco__json_int(node, &size) || size < 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + (node ? node : schema)->begin,
                   "a fixed type must have a size, found %s", taco__json_type_name(node));
        return false;
    }
    if (size < 1 || size > INT32_MAX) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + node->begin,
                   "a fixed type of %u bytes, 1 to %u are read", TACO__U(size), TACO__U(INT32_MAX));
        return false;
    }
    n->kind = TACO__AVRO_FIXED;
    n->fixed = (int32_t)size;
    if (taco__json_equals(logical, "decimal") && taco__avro_schema_decimal(schema, n->field)) {
        return true;
    }
    taco__avro_schema_set_fixed_width(n->field, TACO_FIXED, n->fixed);
    if (size == 16 && taco__json_equals(logical, "uuid")) {
        n->field->type = TACO_UUID;
    } else if (size == 12 && taco__json_equals(logical, "duration")) {
        n->field->type = TACO_INTERVAL; /* the same three little-endian integers */
    }
    return true;
}
/* {"type": "enum", "symbols": [...]}: an index in the file, a text in the column. */
TACO__FN bool taco__avro_schema_enum(taco__avro *a, const taco__json *schema, taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "symbols"), *item;
    taco_bytes       *symbols;
    uint32_t          i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "an enum must have an array of symbols, found %s", taco__json_type_name(list));
        return false;
    }
    symbols = (taco_bytes *)taco__arena_array(a->arena, list->count, sizeof *symbols, a->err);
    if (!symbols) {
        return false;
    }
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        symbols[i] = taco__json_bytes(item);
    }
    n->kind = TACO__AVRO_ENUM;
    n->symbols = symbols;
    n->symbol_count = list->count;
    n->field->type = TACO_TEXT;
    return true;
}
/* Gives n count children with fields of their own. The only place where nodes come from: a named type is expanded
   wherever it is used, so a few lines of schema can ask for 2^60 of them, and the limit stands here. */
TACO__FN bool taco__avro_schema_add_children(taco__avro *a, taco__avro_node *n, uint32_t count)
{
    taco_field *fields;
    uint32_t    i;
    if (count > a->max_nodes - a->node_count) {
        TACO__FAIL(a->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a schema of more than %u fields, limits.max_columns is %u",
                   TACO__U(a->max_nodes), TACO__U(a->max_nodes));
        return false;
    }
    a->node_count += count;
    n->children =
        (taco__avro_node *)taco__arena_array(a->arena, count, sizeof *n->children, a->err);
    fields = n->children ? (taco_field *)taco__arena_array(a->arena, count, sizeof *fields, a->err)
                         : NULL;
    if (!fields) {
        return false;
    }
    for (i = 0; i < count; i++) {
        n->children[i].field = &fields[i];
        n->children[i].validity.mem = n->children[i].offsets.mem = n->children[i].values.mem =
            a->arena->mem;
    }
    n->child_count = count;
    n->field->children = fields;
    n->field->child_count = count;
    return true;
}
/* Names of columns: Avro wants no ':' in names, so some releases of the reference writer spelled it out. */
TACO__FN const char *taco__avro_schema_column_name(taco__avro *a, taco_bytes name)
{
    static const char colon[] = "_COLON_";
    char             *copy = taco__arena_text(a->arena, name, a->err), *from = copy, *to = copy;
    while (copy && *from) {
        bool found = strncmp(from, colon, sizeof colon - 1) == 0;
        *to++ = found ? ':' : *from;
        from += found ? sizeof colon - 1 : 1;
    }
    if (copy) {
        *to = 0;
    }
    return copy;
}
TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n);

/* {"type": "record", "fields": [{"name", "type"}...]}. Aliases and defaults are for readers with a schema of their own. */
TACO__FN bool taco__avro_schema_record(taco__avro *a, const taco__json *schema, taco_bytes space,
                                       uint32_t depth, taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "fields"), *item;
    uint32_t         *live;
    uint32_t          i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a record must have an array of fields, found %s", taco__json_type_name(list));
        return false;
    }
    n->kind = TACO__AVRO_RECORD;
    n->field->type = TACO_STRUCT;
    if (!taco__avro_schema_add_children(a, n, list->count)) {
        return false;
    }
    live = (uint32_t *)taco__arena_array(a->arena, list->count, sizeof *live, a->err);
    if (!live) {
        return false;
    }
    n->live = live;
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        const taco__json *name = taco__json_get(item, "name"), *type = taco__json_get(item, "type");
        taco__avro_node  *child = &n->children[i];
        taco_bytes        text = taco__json_bytes(name);
        if (!taco__json_text(name) || !type) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + item->begin,
                       "a field must have a name and a type, found %s and %s",
                       taco__json_type_name(name), taco__json_type_name(type));
            return false;
        }
        child->field->name = depth == 0 ? taco__avro_schema_column_name(a, text)
                                        : taco__arena_text(a->arena, text, a->err);
        if (!child->field->name) {
            return false;
        }
        if (!taco__avro_schema_any(a, type, space, depth + 1, child)) {
            taco__error_prefix(a->err, "field %q", &text);
            return false;
        }
        if (!child->empty) {
            live[n->live_count++] = i;
        }
    }
    n->empty = n->live_count == 0;
    return true;
}
/* A list has its items as only child; a map has a struct of key and value, and these as that struct's. */
TACO__FN bool taco__avro_schema_list_or_map(taco__avro *a, const taco__json *schema, bool is_map,
                                            taco_bytes space, uint32_t depth, taco__avro_node *n)
{
    const char       *key = is_map ? "values" : "items";
    const taco__json *of = taco__json_get(schema, key);
    taco__avro_node  *item;
    if (!of) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin, "%s must have %s",
                   is_map ? "a map" : "an array", key);
        return false;
    }
    n->kind = is_map ? TACO__AVRO_MAP : TACO__AVRO_ARRAY;
    n->field->type = is_map ? TACO_MAP : TACO_LIST;
    if (!taco__avro_schema_add_children(a, n, 1)) {
        return false;
    }
    item = n->children;
    item->field->name = is_map ? "entries" : "item";
    if (is_map) { /* keys are strings and never null */
        item->kind = TACO__AVRO_RECORD;
        item->field->type = TACO_STRUCT;
        if (!taco__avro_schema_add_children(a, item, 2)) {
            return false;
        }
        item->children[0].field->name = "key";
        item->children[0].field->leaf = a->leaf_count++;
        item->children[0].field->leaf_count = 1;
        taco__avro_schema_primitive(taco__bytes_text("string"), NULL, &item->children[0]);
        item->field->leaf = a->leaf_count - 1;
        item = &item->children[1];
        item->field->name = "value";
    }
    if (!taco__avro_schema_any(a, of, space, depth + 1, item)) {
        return false;
    }
    n->children->field->leaf_count = a->leaf_count - n->children->field->leaf;
    return true;
}
/* [null, T] in either order is a nullable T. Others have no column type of their own. */
TACO__FN bool taco__avro_schema_union(taco__avro *a, const taco__json *s, taco_bytes space,
                                      uint32_t depth, taco__avro_node *n)
{
    const taco__json *x = taco__json_at(s, 0), *y = taco__json_at(s, 1);
    bool              first = taco__json_equals(x, "null"), second = taco__json_equals(y, "null");
    n->branches = s->count;
    if (n->branches == 1) {
        n->null_branch = first ? 0 : UINT32_MAX; /* read as if it were one of two */
    } else if (n->branches == 2 && first != second) {
        n->null_branch = first ? 0 : 1;
        n->field->nullable = true;
        x = first ? y : x;
    } else {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + s->begin,
                   "a union of %u types, one type with or without null is read", TACO__U(s->count));
        return false;
    }
    if (taco__json_is(x, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + x->begin, "a union directly in a union");
        return false;
    }
    if (!taco__avro_schema_any(a, x, space, depth, n)) {
        return false;
    }
    n->empty = false; /* the branch takes a byte */
    return true;
}
/* A named type, defined here or before. While it is open it cannot be used: that would be a column without end. */
TACO__FN bool taco__avro_schema_named(taco__avro *a, taco__avro_name *d, uint32_t depth,
                                      taco__avro_node *n)
{
    const taco__json *type = taco__json_get(d->schema, "type");
    bool              ok;
    if (d->open) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "type %q contains itself", &d->name);
        return false;
    }
    if (d->schema->span > TACO__AVRO_MAX_EXPANDED -
                              a->expanded) { /* a definition is read again for each of its uses */
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "named types that expand to more than %u values of JSON",
                   TACO__U(TACO__AVRO_MAX_EXPANDED));
        return false;
    }
    a->expanded += d->schema->span;
    d->open = true;
    if (taco__json_equals(type, "fixed")) {
        ok = taco__avro_schema_fixed(a, d->schema, n);
    } else if (taco__json_equals(type, "enum")) {
        ok = taco__avro_schema_enum(a, d->schema, n);
    } else {
        ok = taco__avro_schema_record(a, d->schema, d->space, depth, n);
    }
    d->open = false;
    return ok;
}
/* The name of a type that was defined further up in the schema, in the space around or with its own. */
TACO__FN bool taco__avro_schema_reference(taco__avro *a, const taco__json *s, taco_bytes space,
                                          uint32_t depth, taco__avro_node *n)
{
    taco_bytes       full = taco__json_bytes(s), in, name;
    taco__avro_name *d;
    taco__avro_schema_split_name(full, space, &in, &name);
    d = taco__avro_schema_find_name(a, in, name);
    d = d ? d : taco__avro_schema_find_name(a, taco__bytes_of(NULL, 0), full);
    if (!d) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "type %q is neither primitive nor defined before", &full);
        return false;
    }
    return taco__avro_schema_named(a, d, depth, n);
}
/* A schema with attributes: a complex type, or a primitive one with or without a logical type. */
TACO__FN bool taco__avro_schema_object(taco__avro *a, const taco__json *s, taco_bytes space,
                                       uint32_t depth, taco__avro_node *n)
{
    const taco__json *type = taco__json_get(s, "type");
    taco__avro_name  *d;
    if (taco__json_is(type, TACO__JSON_OBJECT) || taco__json_is(type, TACO__JSON_ARRAY)) {
        return taco__avro_schema_any(a, type, space, depth, n); /* {"type": {"type": ...}} */
    }
    if (taco__json_equals(type, "record") || taco__json_equals(type, "error") ||
        taco__json_equals(type, "enum") || taco__json_equals(type, "fixed")) {
        d = taco__avro_schema_define_name(a, s, space);
        return d && taco__avro_schema_named(a, d, depth, n);
    }
    if (taco__json_equals(type, "array") || taco__json_equals(type, "map")) {
        return taco__avro_schema_list_or_map(a, s, taco__json_equals(type, "map"), space, depth, n);
    }
    if (!taco__json_text(type)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "a schema must have a type, found %s", taco__json_type_name(type));
        return false;
    }
    return taco__avro_schema_primitive(taco__json_bytes(type), s, n) ||
           taco__avro_schema_reference(a, type, space, depth, n);
}
/* Any schema. The caller has named the field; all else of n and of its field is set here. */
TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n)
{
    uint32_t leaf = a->leaf_count;
    bool     ok;
    if (depth > a->max_depth) {
        TACO__FAIL(a->err, TACO_ERR_LIMIT, a->base + s->begin,
                   "types nested deeper than %u, limits.max_depth is %u", TACO__U(a->max_depth),
                   TACO__U(a->max_depth));
        return false;
    }
    if (s->type == TACO__JSON_STRING) {
        ok = taco__avro_schema_primitive(taco__json_bytes(s), NULL, n) ||
             taco__avro_schema_reference(a, s, space, depth, n);
    } else if (s->type == TACO__JSON_ARRAY) {
        ok = taco__avro_schema_union(a, s, space, depth, n);
    } else if (s->type == TACO__JSON_OBJECT) {
        ok = taco__avro_schema_object(a, s, space, depth, n);
    } else {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "a schema must be a name, an object or a union, found %s",
                   taco__json_type_name(s));
        ok = false;
    }
    /* a union counts what it wraps, which has counted itself already */
    a->leaf_count += ok && !n->child_count && a->leaf_count == leaf;
    n->field->leaf = leaf;
    n->field->leaf_count = a->leaf_count - leaf;
    return ok;
}

/* ---- rows ---- */

/* int and long alike: zigzag in groups of seven bits ("Binary Encoding"). */
TACO__FN int64_t taco__avro_read_long(taco__byte_reader *c)
{
    return taco__zigzag_decode(taco__byte_reader_varint(c));
}
/* Rows are decoded within their block, so this is a lie of the block and not an end of the file. Always false. */
TACO__FN bool taco__avro_fail_short(taco__avro *a)
{
    TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
               "a value does not end before its block does, %u bytes are left in it",
               TACO__U(taco__byte_reader_left(&a->c)));
    return false;
}
/* Appends k bytes that are all zero. */
TACO__FN bool taco__avro_append_zeros(taco__buf *b, size_t k, taco_error *err)
{
    if (!taco__buf_reserve(b, k, err)) {
        return false;
    }
    memset(b->data + b->len, 0, k);
    b->len += k;
    return true;
}
/* Whether a column is laid out as offsets and what they point into. */
TACO__FN bool taco__avro_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || (f->type == TACO_DECIMAL && f->width == 0);
}
/* Appends k entries to n: null where it can be, else zero, empty or, for a struct, only counted. */
TACO__FN bool taco__avro_append_default(taco__avro *a, taco__avro_node *n, size_t k)
{
    size_t   bitmap, bytes, i;
    int32_t  last = 0;
    uint8_t *p;
    if (k > (size_t)INT32_MAX - TACO__MIN(n->length, (size_t)INT32_MAX)) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "more than %u values in a column", TACO__U(INT32_MAX));
        return false;
    }
    bitmap = TACO__BITMAP_BYTES(n->length + k); /* bits beyond length are always clear */
    if (n->field->nullable) {
        if (!taco__avro_append_zeros(&n->validity, bitmap - n->validity.len, a->err)) {
            return false;
        }
        n->null_count += k;
    }
    if (n->field->type == TACO_BOOL) {
        if (!taco__avro_append_zeros(&n->values, bitmap - n->values.len, a->err)) {
            return false;
        }
    } else if (n->field->width) {
        if (!taco__checked_mul_size(k, (size_t)n->field->width, &bytes) ||
            !taco__avro_append_zeros(&n->values, bytes, a->err)) {
            TACO__FAIL(a->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values",
                       TACO__U(k));
            return false;
        }
    } else if (taco__avro_has_offsets(n->field)) {
        if ((!n->offsets.len && !taco__avro_append_zeros(&n->offsets, 4, a->err)) ||
            !taco__checked_mul_size(k, 4, &bytes) ||
            !taco__buf_reserve(&n->offsets, bytes, a->err)) {
            return false;
        }
        p = n->offsets.data + n->offsets.len; /* each new entry ends where the last one does */
        memcpy(&last, p - 4, 4);
        for (i = 0; i < k; i++) {
            memcpy(p + 4 * i, &last, 4);
        }
        n->offsets.len += bytes;
    }
    n->length += k;
    return true;
}
/* Moves the end of the last entry on by len bytes or items. */
TACO__FN bool taco__avro_extend_last(taco__avro *a, taco__avro_node *n, uint64_t len)
{
    int32_t  last;
    uint8_t *p = n->offsets.data + n->offsets.len - 4;
    memcpy(&last, p, 4);
    if (len > (uint64_t)(INT32_MAX - last)) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "more than %u bytes or items in a column", TACO__U(INT32_MAX));
        return false;
    }
    last += (int32_t)len;
    memcpy(p, &last, 4);
    return true;
}
/* Makes the last entry, which grew empty, these bytes. */
TACO__FN bool taco__avro_set_last(taco__avro *a, taco__avro_node *n, const uint8_t *p, size_t len)
{
    return taco__avro_extend_last(a, n, len) && taco__buf_append(&n->values, p, len, a->err);
}
/* bytes and string: a length and as many bytes. Whether a string is UTF-8 is for whoever prints it. */
TACO__FN bool taco__avro_read_bytes(taco__avro *a, taco__avro_node *n)
{
    uint64_t       at = taco__avro_offset(a);
    int64_t        len = taco__avro_read_long(&a->c);
    const uint8_t *p;
    if (a->c.bad) {
        return taco__avro_fail_short(a);
    }
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(&a->c)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%s of %d bytes, %u are left in its block",
                   n->kind == TACO__AVRO_STRING ? "a string" : "a value", len,
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    p = taco__byte_reader_take(&a->c, (size_t)len);
    return taco__avro_set_last(a, n, p, (size_t)len);
}
/* int and long, into the last entry. */
TACO__FN bool taco__avro_read_integer(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t  x = taco__avro_read_long(&a->c);
    int32_t  narrow = (int32_t)x;
    if (a->c.bad) {
        return taco__avro_fail_short(a);
    }
    if (n->kind == TACO__AVRO_LONG) {
        memcpy(n->values.data + n->values.len - 8, &x, 8);
        return true;
    }
    if (x != narrow) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "an int of %d, it has 32 bits", x);
        return false;
    }
    memcpy(n->values.data + n->values.len - 4, &narrow, 4);
    return true;
}
/* An enum: the index of one of the symbols of the schema. */
TACO__FN bool taco__avro_read_symbol(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t  x = taco__avro_read_long(&a->c);
    if (a->c.bad) {
        return taco__avro_fail_short(a);
    }
    if (x < 0 || x >= (int64_t)n->symbol_count) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "symbol %d, the enum has %u", x,
                   TACO__U(n->symbol_count));
        return false;
    }
    return taco__avro_set_last(a, n, n->symbols[x].data, n->symbols[x].len);
}
/* What does not depend on other values: one byte, four, eight, or as many as the schema says. Little-endian in the file. */
TACO__FN bool taco__avro_read_plain(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    size_t   width = (size_t)n->field->width, len = n->kind == TACO__AVRO_FIXED ? (size_t)n->fixed
                                                    : width                     ? width
                                                                                : 1;
    const uint8_t *p = taco__byte_reader_take(&a->c, len);
    uint64_t       x8;
    uint32_t       x4;
    if (!p) {
        return taco__avro_fail_short(a);
    }
    switch (n->kind) {
    case TACO__AVRO_BOOLEAN:
        if (p[0] > 1) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a boolean of 0x%x, it is 0 or 1",
                       TACO__U(p[0]));
            return false;
        }
        if (p[0]) {
            taco__bitmap_set(n->values.data, n->length - 1);
        }
        return true;
    case TACO__AVRO_FLOAT:
        x4 = taco__load_le32(p);
        memcpy(n->values.data + n->values.len - 4, &x4, 4);
        return true;
    case TACO__AVRO_DOUBLE:
        x8 = taco__load_le64(p);
        memcpy(n->values.data + n->values.len - 8, &x8, 8);
        return true;
    default:
        if (!width) {
            return taco__avro_set_last(a, n, p, len); /* a decimal */
        }
        memcpy(n->values.data + n->values.len - width, p, len);
        return true;
    }
}
/* One count of an array, a map or the file's metadata. A negative one is followed by the bytes its items take ("Arrays").
   *end is where they must end, NULL when it was not said. */
TACO__FN bool taco__avro_read_count(taco__avro *a, uint64_t *count, const uint8_t **end)
{
    uint64_t at = taco__avro_offset(a);
    int64_t  n = taco__avro_read_long(&a->c), bytes = 0;
    *end = NULL;
    *count = (uint64_t)n;
    if (!a->c.bad && n < 0) {
        *count = 0 - (uint64_t)n;
        bytes = taco__avro_read_long(&a->c);
        if (!a->c.bad && (bytes < 0 || (uint64_t)bytes > taco__byte_reader_left(&a->c))) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items of %d bytes, %u are left", bytes,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        *end = a->c.bad ? NULL : a->c.at + bytes;
    }
    return !a->c.bad || taco__avro_fail_short(a);
}
/* Values that take no bytes could be claimed by the billion; a file gets as many as it has bytes. */
TACO__FN bool taco__avro_count_empty(taco__avro *a, uint64_t count)
{
    if (count > a->empty_left) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "%u values of no bytes, more than the file has bytes", count);
        return false;
    }
    a->empty_left -= count;
    return true;
}
TACO__FN bool taco__avro_read_value(taco__avro *a, taco__avro_node *n);

/* One item of an array, or key and value of a map. Structs of a map are never null, so its children are never behind. */
TACO__FN bool taco__avro_read_item(taco__avro *a, taco__avro_node *list)
{
    taco__avro_node *item = list->children;
    if (list->kind == TACO__AVRO_ARRAY) {
        return taco__avro_read_value(a, item);
    }
    item->length++;
    return taco__avro_read_value(a, &item->children[0]) &&
           (item->children[1].empty || taco__avro_read_value(a, &item->children[1]));
}
/* Blocks of items until one is empty ("Arrays", "Maps"). */
TACO__FN bool taco__avro_read_items(taco__avro *a, taco__avro_node *n)
{
    for (;;) {
        uint64_t       count, i, at = taco__avro_offset(a);
        const uint8_t *end;
        if (!taco__avro_read_count(a, &count, &end)) {
            return false;
        }
        if (!count) {
            return true;
        }
        if (n->children->empty) {
            if (!taco__avro_count_empty(a, count)) {
                return false;
            }
        } else if (count > taco__byte_reader_left(&a->c)) { /* no item is shorter than a byte */
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%u items in %u bytes", count,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        if (!taco__avro_extend_last(a, n, count)) {
            return false;
        }
        for (i = 0; !n->children->empty && i < count; i++) {
            if (!taco__avro_read_item(a, n)) {
                return false;
            }
        }
        if (end && a->c.at != end) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items that end %s the bytes they claim",
                       a->c.at < end ? "before" : "behind");
            return false;
        }
    }
}
/* Fields of a record. After null records its children are behind and catch up first. */
TACO__FN bool taco__avro_read_fields(taco__avro *a, taco__avro_node *n, size_t row)
{
    uint32_t i;
    for (i = 0; i < n->live_count; i++) {
        taco__avro_node *child = &n->children[n->live[i]];
        if ((child->length < row && !taco__avro_append_default(a, child, row - child->length)) ||
            !taco__avro_read_value(a, child)) {
            return false;
        }
    }
    return true;
}
/* One value of any node that is not empty: the branch of its union, then itself. Recursion ends with the schema, whose
   depth is limited. */
TACO__FN bool taco__avro_read_value(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    if (n->branches) {
        int64_t branch = taco__avro_read_long(&a->c);
        if (a->c.bad) {
            return taco__avro_fail_short(a);
        }
        if (branch < 0 || branch >= (int64_t)n->branches) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "branch %d of a union of %u", branch,
                       TACO__U(n->branches));
            return false;
        }
        if (branch == (int64_t)n->null_branch) {
            return taco__avro_append_default(a, n, 1);
        }
    }
    /* the new entry is null and zero; below it becomes what it is */
    if (!taco__avro_append_default(a, n, 1)) {
        return false;
    }
    if (n->field->nullable && n->kind != TACO__AVRO_NULL) {
        taco__bitmap_set(n->validity.data, n->length - 1);
        n->null_count--;
    }
    switch (n->kind) {
    case TACO__AVRO_NULL: return true;
    case TACO__AVRO_INT:
    case TACO__AVRO_LONG: return taco__avro_read_integer(a, n);
    case TACO__AVRO_BYTES:
    case TACO__AVRO_STRING: return taco__avro_read_bytes(a, n);
    case TACO__AVRO_ENUM: return taco__avro_read_symbol(a, n);
    case TACO__AVRO_ARRAY:
    case TACO__AVRO_MAP: return taco__avro_read_items(a, n);
    case TACO__AVRO_RECORD: return taco__avro_read_fields(a, n, n->length - 1);
    default: return taco__avro_read_plain(a, n);
    }
}

/* ---- columns ---- */

/* Frees all buffers below n. Those that were kept are free already. */
TACO__FN void taco__avro_node_free(taco__avro_node *n)
{
    uint32_t i;
    taco__buf_free(&n->validity);
    taco__buf_free(&n->offsets);
    taco__buf_free(&n->values);
    for (i = 0; i < n->child_count; i++) {
        taco__avro_node_free(&n->children[i]);
    }
}
/* Moves a buffer to the arena, at its exact size. */
TACO__FN bool taco__avro_buffer_to_arena(taco__avro *a, taco__buf *b, const void **out)
{
    void *p = taco__arena_alloc(a->arena, b->len, a->err);
    if (!p) {
        return false;
    }
    if (b->len) {
        memcpy(p, b->data, b->len);
    }
    taco__buf_free(b);
    *out = p;
    return true;
}
/* Brings n to length entries, and makes it an array. A struct's children are as long as it is, those of a list or map as
   its last offset says. */
TACO__FN bool taco__avro_make_array(taco__avro *a, taco__avro_node *n, size_t length,
                                    taco_array *out)
{
    const void *p;
    taco_array *children;
    size_t      inner = length;
    uint32_t    i;
    if (n->empty) {
        n->length = length;
        n->null_count = n->kind == TACO__AVRO_NULL ? length : 0;
    } else if (n->length < length && !taco__avro_append_default(a, n, length - n->length)) {
        return false;
    }
    out->field = n->field;
    out->length = length;
    out->null_count = n->null_count;
    if (n->null_count && n->field->type != TACO_NULL) {
        if (!taco__avro_buffer_to_arena(a, &n->validity, &p)) {
            return false;
        }
        out->validity = (const uint8_t *)p;
    }
    if (taco__avro_has_offsets(n->field)) {
        if ((!n->offsets.len && !taco__avro_append_zeros(&n->offsets, 4, a->err)) ||
            !taco__avro_buffer_to_arena(a, &n->offsets, &p)) {
            return false;
        }
        out->offsets = (const int32_t *)p;
        inner = (size_t)out->offsets[length];
    }
    if (n->kind < TACO__AVRO_ARRAY && n->kind != TACO__AVRO_NULL &&
        !taco__avro_buffer_to_arena(a, &n->values, &out->v.any)) {
        return false;
    }
    children = (taco_array *)taco__arena_array(a->arena, n->child_count, sizeof *children, a->err);
    if (!children) {
        return false;
    }
    out->children = n->child_count ? children : NULL;
    for (i = 0; i < n->child_count; i++) {
        if (!taco__avro_make_array(a, &n->children[i], inner, &children[i])) {
            return false;
        }
    }
    taco__buf_free(&n->validity); /* nothing was null */
    return true;
}

/* ---- the file ---- */

/* The header: slices of the file, and the marker. */
typedef struct taco__avro_file_header {
    taco_bytes schema, codec;
    uint64_t   schema_at;
    uint8_t    sync[16];
} taco__avro_file_header;

/* A length and as many bytes; the cursor is bad when they are not there. */
TACO__FN taco_bytes taco__avro_read_slice(taco__byte_reader *c)
{
    int64_t        len = taco__avro_read_long(c);
    const uint8_t *p;
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(c)) {
        c->bad = true;
        return taco__bytes_of(NULL, 0);
    }
    p = taco__byte_reader_take(c, (size_t)len);
    return taco__bytes_of(p, p ? (size_t)len : 0);
}
/* "Obj", 1, a map of metadata, 16 bytes that end every block ("Object Container Files"). */
TACO__FN bool taco__avro_read_header(taco__avro *a, taco__avro_file_header *h)
{
    const uint8_t *p = taco__byte_reader_take(&a->c, 4), *end;
    uint64_t       count = 1;
    if (!p || memcmp(p, "Obj\x01", 4) != 0) {
        taco_bytes found =
            taco__bytes_of(a->c.begin, TACO__MIN((size_t)(a->c.end - a->c.begin), (size_t)4));
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, 0, "an Avro file must begin with 'Obj\\x01', found %q",
                   &found);
        return false;
    }
    h->codec = taco__bytes_text("null"); /* unless another one is named */
    while (count) {
        int64_t n = taco__avro_read_long(&a->c);
        count = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
        if (n < 0) {
            (void)taco__avro_read_long(&a->c); /* their size, which only helps to skip them */
        }
        for (; count && !a->c.bad; count--) {
            taco_bytes key = taco__avro_read_slice(&a->c), value = taco__avro_read_slice(&a->c);
            if (taco__bytes_equal(key, taco__bytes_text("avro.schema"))) {
                h->schema = value;
                h->schema_at = taco__byte_reader_position(&a->c) - value.len;
            } else if (taco__bytes_equal(key, taco__bytes_text("avro.codec"))) {
                h->codec = value;
            }
        }
        count = !a->c.bad && n != 0;
    }
    end = taco__byte_reader_take(&a->c, sizeof h->sync);
    if (!end) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&a->c),
                   "the header does not end in the %u bytes of the file",
                   TACO__U(a->c.end - a->c.begin));
        return false;
    }
    memcpy(h->sync, end, sizeof h->sync);
    return true;
}
/* The schema's text stands in the file as it is, so errors in it have places in the file. */
TACO__FN bool taco__avro_parse_schema(taco__avro *a, const taco__avro_file_header *h,
                                      const taco_limits *limits, taco__avro_node *root)
{
    taco__json_doc doc;
    taco_bytes     none = taco__bytes_of(NULL, 0);
    bool           ok;
    if (!h->schema.data) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, 0, "the header has no avro.schema");
        return false;
    }
    a->base = h->schema_at;
    ok = taco__json_parse_at(a->arena, h->schema, h->schema_at, limits, &doc, a->err) == TACO_OK;
    if (ok && !taco__json_equals(taco__json_get(doc.root, "type"), "record")) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, h->schema_at, "rows must be records");
        ok = false;
    }
    ok = ok && taco__avro_schema_any(a, doc.root, none, 0, root);
    if (!ok) {
        taco__error_prefix(a->err, "avro.schema");
    }
    a->base = 0;
    return ok;
}
/* All rows of a block, which must fill it. The root record itself is no column: its children are. */
TACO__FN bool taco__avro_read_rows(taco__avro *a, taco__avro_node *root, uint64_t rows)
{
    uint64_t i;
    uint32_t k;
    for (i = 0; i < rows; i++) {
        for (k = 0; k < root->live_count; k++) {
            taco__avro_node *column = &root->children[root->live[k]];
            if (!taco__avro_read_value(a, column)) {
                taco__error_prefix(a->err, "row %u, column '%s'", TACO__U(root->length),
                                   column->field->name);
                return false;
            }
        }
        root->length++;
    }
    if (taco__byte_reader_left(&a->c)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
                   "%u bytes are left in a block behind its last row",
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    return true;
}
/* Unpacks a block. All blocks together may not be larger than a file without compression may be; room is what is left. */
TACO__FN bool taco__avro_unpack_block(taco__avro *a, taco__buf *out, taco_bytes data,
                                      uint64_t *room, uint64_t max)
{
    if (taco__inflate(data, out, (size_t)TACO__MIN(*room, (uint64_t)SIZE_MAX / 4), a->err) !=
        TACO_OK) {
        if (a->err->code ==
            TACO_ERR_LIMIT) { /* the room is what earlier blocks left of another limit than its own */
            memset(a->err, 0, sizeof *a->err);
            TACO__FAIL(a->err, TACO_ERR_LIMIT, a->base,
                       "blocks of more than %u bytes unpacked, limits.max_metadata is %u", max,
                       max);
        } else {
            taco__error_prefix(a->err, "deflate block at byte %u", a->base);
        }
        return false;
    }
    *room -= out->len;
    return true;
}
/* The rows of one block; the cursor of a stands behind it afterwards. */
TACO__FN bool taco__avro_read_block(taco__avro *a, taco__avro_node *root, taco_bytes data,
                                    uint64_t rows, uint64_t at)
{
    taco__byte_reader file = a->c;
    uint64_t          base = a->base;
    bool              ok;
    if (!root->empty && rows > data.len) { /* no row is shorter than a byte */
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a block claims %u rows in %u bytes", rows,
                   TACO__U(data.len));
        return false;
    }
    a->c = taco__byte_reader_init(data);
    a->base = at;
    if (root->empty) {
        ok = taco__avro_count_empty(a, rows);
        root->length += ok ? (size_t)rows : 0;
        ok = ok && taco__avro_read_rows(a, root, 0);
    } else {
        ok = taco__avro_read_rows(a, root, rows);
    }
    a->c = file;
    a->base = base;
    return ok;
}
/* Blocks to the end of the file: the number of rows, of bytes, these bytes, the sync marker. The marker is looked at
   first: a length that is wrong shows there, before its bytes are taken for rows. */
TACO__FN bool taco__avro_read_blocks(taco__avro *a, const taco__avro_file_header *h,
                                     taco__avro_node *root, uint64_t max)
{
    bool      deflate = taco__bytes_equal(h->codec, taco__bytes_text("deflate")), ok = true;
    uint64_t  room = max;
    taco__buf plain;
    if (!deflate && h->codec.len && !taco__bytes_equal(h->codec, taco__bytes_text("null"))) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "avro.codec %q, null and deflate are read", &h->codec);
        return false;
    }
    memset(&plain, 0, sizeof plain);
    plain.mem = a->arena->mem;
    while (ok && taco__byte_reader_left(&a->c)) {
        uint64_t   at = taco__byte_reader_position(&a->c), left;
        int64_t    rows = taco__avro_read_long(&a->c), bytes = taco__avro_read_long(&a->c);
        taco_bytes data;
        left = taco__byte_reader_left(&a->c);
        if (a->c.bad) {
            TACO__FAIL(a->err, TACO_ERR_TRUNCATED, at,
                       "a block begins in the last %u bytes of the file",
                       TACO__U(a->c.end - a->c.begin) - at);
            ok = false;
        } else if (rows < 0 || bytes < 0) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a block of %d rows and %d bytes", rows,
                       bytes);
            ok = false;
        } else if (left < 16 || (uint64_t)bytes > left - 16) {
            TACO__FAIL(a->err, TACO_ERR_TRUNCATED, at,
                       "a block of %d bytes and 16 of its sync marker, %u are left", bytes, left);
            ok = false;
        } else if (memcmp(a->c.at + bytes, h->sync, 16) != 0) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT,
                       taco__byte_reader_position(&a->c) + (uint64_t)bytes,
                       "the sync marker behind the block at byte %u is not that of the header", at);
            ok = false;
        } else {
            uint64_t from = taco__byte_reader_position(&a->c);
            data = taco__bytes_of(taco__byte_reader_take(&a->c, (size_t)bytes), (size_t)bytes);
            if (deflate) {
                plain.len = 0;
                a->base = from;
                ok = taco__avro_unpack_block(a, &plain, data, &room, max);
                data = taco__bytes_of(plain.data, plain.len);
                a->packed = true;
            }
            ok = ok && taco__avro_read_block(a, root, data, (uint64_t)rows, from);
            a->base = 0;
            a->packed = false;
            (void)taco__byte_reader_take(&a->c, 16);
        }
    }
    taco__buf_free(&plain);
    return ok;
}
/* The columns of what has been decoded. */
TACO__FN bool taco__avro_make_columns(taco__avro *a, taco__avro_node *root, taco__avro_table *out)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(a->arena, root->child_count, sizeof *columns, a->err);
    uint32_t i;
    for (i = 0; columns && i < root->child_count; i++) {
        if (!taco__avro_make_array(a, &root->children[i], root->length, &columns[i])) {
            return false;
        }
    }
    out->fields = root->field->children;
    out->field_count = root->child_count;
    out->columns = columns;
    out->rows = root->length;
    return columns != NULL;
}
/* Reads a whole object container file. The table lives in the arena and borrows nothing of the file. limits may be NULL. */
TACO__FN taco_status taco__avro_read(taco__arena *arena, taco_bytes file, const taco_limits *limits,
                                     taco__avro_table *out, taco_error *err)
{
    uint64_t   max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco_field row;
    taco__avro a;
    taco__avro_file_header head;
    taco__avro_node        root;
    bool                   ok;
    memset(&local, 0, sizeof local);
    memset(&row, 0, sizeof row);
    memset(&a, 0, sizeof a);
    memset(&head, 0, sizeof head);
    memset(&root, 0, sizeof root);
    memset(out, 0, sizeof *out);
    err = err ? err : &local;
    if (file.len > max) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "%u bytes of Avro, limits.max_metadata is %u", TACO__U(file.len), max);
    }
    file.data = file.data ? file.data : (const uint8_t *)"";
    a.arena = arena;
    a.c = taco__byte_reader_init(file);
    a.empty_left = file.len;
    a.max_nodes = limits && limits->max_columns ? limits->max_columns : 65536;
    a.max_depth = limits && limits->max_depth ? limits->max_depth : TACO__JSON_MAX_DEPTH;
    a.err = err;
    root.field = &row;
    ok = taco__avro_read_header(&a, &head) && taco__avro_parse_schema(&a, &head, limits, &root) &&
         taco__avro_read_blocks(&a, &head, &root, max) && taco__avro_make_columns(&a, &root, out);
    taco__avro_node_free(&root);
    if (!ok) {
        memset(out, 0, sizeof *out);
    }
    return ok ? TACO_OK : err->code;
}
/* ==== ROOM store: one interface over archives, folders and catalogues: collection, levels as tables, files.
   Uses: pq:read index zip vsi coll avro. Spec: TACO 2.0 §6 ==== */

#define TACO__MAX_LEVELS       TACO__INDEX_LEVELS
#define TACO__OPEN_FIRST_BYTES 256     /* bytes of the first read: the header */
#define TACO__OPEN_WHOLE_BYTES 1048576 /* metadata up to this is taken in one read */
#define TACO__PADDING_PREFIX                                                                       \
    "__TACOPAD" /* begins the id of rows that only keep the tree regular (spec 5.5) */
#define TACO__NONE SIZE_MAX

/* Columns that readers need, by place in the table; TACO__NONE where it has none (facts of §7.2.3). */
typedef struct taco__column_roles {
    size_t id, type, parent, current, offset, size, relative, source;
    size_t subfile; /* formats only: the path as the table holds it */
} taco__column_roles;

typedef struct taco__level {
    const char  *name; /* METADATA/level0.parquet: in messages, and of the file for directories */
    const char  *path; /* of its own file; NULL: a range of the container's file */
    taco__range  range;
    bool         present, opened, avro;
    taco__file   file; /* its own */
    bool         file_open;
    taco_pq_file pq;
    taco__table  table;
    taco__column_roles role;
    taco_field        *arrays_fields;
    int32_t
           *parents; /* row of the parent in the level above, -1 for an orphan; made by room join */
    int8_t  padded;  /* may hold padding rows: -1 not known yet */
    uint8_t alone;   /* rows whose parents were looked up one by one */
} taco__level;

typedef struct taco__cached_range { /* bytes of a file that a result keeps until it ends */
    taco__file *file;
    taco__range range;
} taco__cached_range;

/* An archive of a catalogue. */
typedef struct taco__archive {
    taco__file            file; /* first: a file of one of them is one of them */
    struct taco__archive *next;
    const char           *name;
    bool                  open;
    size_t                users; /* cursors over its rows */
} taco__archive;

typedef struct taco__container {
    taco__mem          *mem;
    taco__arena        *arena;
    const taco_options *options;
    const char         *name; /* as the caller gave it: in messages */
    const char *dir;   /* FOLDER, TACOCAT: what file names are appended to, with a '/' at the end */
    const char *vsi;   /* root of paths: archive, directory, or base of the archives with a '/' */
    const char *parts; /* TACOCAT: where the archives are, for open_file, with a '/' at the end */
    taco_kind   kind;
    taco__file  file; /* archive or __TACOCAT__ */
    bool        file_open;
    taco__index index;
    taco__collection coll;
    uint32_t         level_count;
    taco__level      levels[TACO__MAX_LEVELS];
    taco__archive
        *archives; /* TACOCAT: the archive that was read last, and those that cursors use */
    const taco_opener *format; /* NULL: one of ours */
    void              *own;    /* the format's, in the arena */
    bool               more;   /* the format has not counted its levels */
    bool               any;    /* formats are asked, too */
} taco__container;

/* A FOLDER that a format finds the children of. */
typedef struct taco__format_folder {
    taco__file *file; /* that holds it */
    int64_t     offset, size;
    int64_t     row; /* its internal:current_id, -1 when its table has none */
    uint32_t    level;
    const char *source; /* its internal:source_file; NULL for kind ZIP */
    bool        folder;
} taco__format_folder;

/* What another header adds to taco_open. Its stores say ZIP where all rows are of one file, TACOCAT where
   internal:source_file is the path of each; the other columns that levels and navigation go by are those of TACO 2.
   Paths are not made: internal:subfile holds them, where there are any. A member may be NULL unless it says otherwise. */
struct taco_opener {
    const char *name; /* what taco_info_json calls the kind; never NULL */
    /* Whether it is the format of what stands at path: head holds the first bytes of s->file, at most TACO__OPEN_FIRST_BYTES,
       or {NULL, 0}: no file could be opened there. Reads nothing that is large, reports nothing. Never NULL. */
    bool (*detect)(taco__container *s, const char *path, taco_bytes head);
    /* Opens all n paths as the stores of ds (taco__dataset_reserve), of which stores[0] has been detected; of the others
       nothing is known. Fills name, kind, vsi, coll, level_count and the levels: ranges of files, or, with `level`,
       nothing but name and present. Never NULL. */
    bool (*open)(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err);
    /* Fills the table of a level when it is first asked for; NULL: its file or range is opened. */
    bool (*level)(taco__container *s, uint32_t n, taco_error *err);
    /* Counts the levels of a store that said `more`: more than one may have been too dear to count. On failure
       level_count includes the level that `level` then fails for. */
    bool (*deepen)(taco__container *s, taco_error *err);
    /* Columns under other names than those of TACO 2; called after taco__container_find_roles. */
    void (*roles)(const taco__table *t, taco__column_roles *r);
    /* The children of a FOLDER, arrays in the arena. */
    bool (*children)(taco__container *s, const taco__format_folder *of, taco__arena *arena,
                     taco__table *out, taco_error *err);
    /* taco_filter.bbox and .time as conditions on a table; NULL: as in TACO 2. */
    taco__expr *(*bbox)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    taco__expr *(*time)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    void (*close)(taco__container *s);
    /* Completes the collection of stores[0] with what is dear to know, for taco_info_json. */
    bool (*info)(taco_dataset *ds, taco_error *err);
};

/* ---- names and files ---------------------------------------------------------------------------- */

TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err)
{
    size_t n = strlen(a), m = strlen(b);
    char  *p = (char *)taco__arena_alloc(s->arena, n + m + 1, err);
    if (p) {
        memcpy(p, a, n);
        memcpy(p + n, b, m);
    }
    return p;
}
TACO__FN bool taco__container_ends_with(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}
/* A path made absolute where that is the caller's file system; URLs and /vsi paths stay. */
TACO__FN const char *taco__container_absolute_path(taco__container *s, const char *path,
                                                   taco_error *err)
{
    char *buffer;
    if (taco__vsi_is_remote(taco__bytes_text(path)) || s->options->open_file) {
        return taco__arena_text(s->arena, taco__bytes_text(path), err);
    }
    buffer = (char *)taco__arena_alloc(s->arena, TACO__PATH_MAX + 1, err);
    if (!buffer) {
        return NULL;
    }
    return TACO__REALPATH(path, buffer) ? buffer
                                        : taco__arena_text(s->arena, taco__bytes_text(path), err);
}
TACO__FN const char *taco__container_copy_text(taco__container *s, taco__buf *b, taco_error *err)
{
    const char *text = taco__arena_text(s->arena, taco__bytes_of(b->data, b->len), err);
    taco__buf_free(b);
    return text;
}
/* The directory that holds a file or directory, with a '/' at the end; "./" for a bare name. */
TACO__FN const char *taco__container_open_parent_dir(taco__container *s, const char *path,
                                                     taco_error *err)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    while (n && path[n - 1] != '/') {
        n--;
    }
    return n ? taco__arena_text(s->arena, taco__bytes_of(path, n), err) : "./";
}
/* The root of paths: how GDAL calls what stands at `path`. */
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err)
{
    taco__buf   b;
    const char *absolute = taco__container_absolute_path(s, path, err);
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    if (!absolute || !(directory ? taco__vsi_append_base(&b, taco__bytes_text(absolute), err)
                                 : taco__vsi_append_root(&b, taco__bytes_text(absolute), err))) {
        taco__buf_free(&b);
        return false;
    }
    s->vsi = taco__container_copy_text(s, &b, err);
    return s->vsi != NULL;
}
/* Opens a file quietly: false when there is none. */
TACO__FN bool taco__container_open_try_file(taco__container *s, const char *path, taco__file *out)
{
    taco_source src;
    if (!path || !taco__source_open_path(s->options, path, &src, NULL)) {
        return false;
    }
    taco__file_init(out, &src, "", s->mem);
    return true;
}
TACO__FN bool taco__container_open_try_name(taco__container *s, const char *dir, const char *name,
                                            taco__file *out)
{
    const char *path = taco__container_join_path(s, dir, name, NULL);
    return taco__container_open_try_file(s, path, out);
}
TACO__FN void taco__container_close(taco__container *s)
{
    uint32_t i;
    if (s->format && s->format->close) {
        s->format->close(s);
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        if (l->table.pq) {
            taco__pq_file_close(&l->pq);
        }
        if (l->file_open) {
            taco__file_close(&l->file);
        }
        if (l->parents) {
            taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
        }
    }
    if (s->file_open) {
        taco__file_close(&s->file);
    }
    for (; s->archives; s->archives = s->archives->next) {
        if (s->archives->open) {
            taco__file_close(&s->archives->file);
        }
    }
    memset(s, 0, sizeof *s);
}
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what)
{
    if (s->options->warn) {
        taco__error_prefix(why, "%s: %s", s->name, what);
        s->options->warn(s->options->warn_ctx, why);
    }
}

/* ---- collection --------------------------------------------------------------------------------- */

TACO__FN bool taco__container_open_read_collection(taco__container *s, taco__file *file,
                                                   taco__range range, const char *name,
                                                   taco_error *err)
{
    taco__buf      scratch;
    const uint8_t *text;
    bool           ok = false;
    size_t         len;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = s->mem;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset, "%u bytes, limits.max_metadata is %u",
                   range.len, s->options->limits.max_metadata);
    } else {
        text = taco__file_view(file, range.offset, len, &scratch, err);
        ok = text && taco__collection_parse(s->arena, taco__bytes_of(text, len),
                                            &s->options->limits, &s->coll, err) == TACO_OK;
    }
    taco__buf_free(&scratch);
    if (!ok) {
        taco__error_prefix(err, "%s", name);
    }
    return ok;
}

/* ---- archives ----------------------------------------------------------------------------------- */

TACO__FN bool taco__container_open_name_levels(taco__container *s, const char *prefix,
                                               taco_error *err)
{
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    uint32_t                 i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = taco__container_join_path(s, prefix, names[i], err);
        s->levels[i].padded = -1;
        if (!s->levels[i].name) {
            return false;
        }
    }
    return true;
}
/* Takes over an index: the ranges become levels, and the metadata is read: whole when it is small, else COLLECTION.json
   together with what stands in front of it, the footer of the last level, and of a vectored source all footers. */
TACO__FN bool taco__container_open_read_index(taco__container *s, taco_error *err)
{
    taco__range want[1 + TACO__MAX_LEVELS];
    uint64_t    begin = s->index.collection.offset, end = begin + s->index.collection.len;
    uint32_t    i, n = 1;
    s->level_count = s->index.levels;
    for (i = 0; i < s->level_count; i++) {
        const taco__range *r = &s->index.level[i];
        s->levels[i].present = r->len != 0;
        s->levels[i].range = *r;
        if (r->len) {
            begin = TACO__MIN(begin, r->offset);
            end = TACO__MAX(end, r->offset + r->len);
        }
    }
    if (end - begin > TACO__OPEN_WHOLE_BYTES) {
        begin = s->index.collection.offset;
        for (i = 0; i < s->level_count;
             i++) { /* the level that ends right in front, past a local file header */
            uint64_t last = s->index.level[i].offset + s->index.level[i].len;
            uint64_t tail = TACO__MIN(s->index.level[i].len, (uint64_t)TACO__PQ_FILE_TAIL);
            if (tail && last <= s->index.collection.offset &&
                s->index.collection.offset - last < 1024) {
                begin = last - tail;
            } else if (tail && s->file.src.read_many) {
                want[n].offset = last - tail;
                want[n++].len = tail;
            }
        }
        end = s->index.collection.offset + s->index.collection.len;
    }
    want[0].offset = begin;
    want[0].len = end - begin;
    return taco__file_fetch(&s->file, want, n, err) &&
           taco__container_open_read_collection(s, &s->file, s->index.collection, "COLLECTION.json",
                                                err);
}
/* The format of the caller's that what stands at path is of; NULL: none. */
TACO__FN const taco_opener *taco__container_open_detect_format(taco__container *s, const char *path,
                                                               taco_bytes head)
{
    const taco_opener *const *f = s->any ? s->options->openers : NULL;
    for (; f && *f; f++) {
        if ((*f)->detect(s, path, head)) {
            return *f;
        }
    }
    return NULL;
}
/* An archive or a __TACOCAT__ file, by its first bytes. s->file is open. */
TACO__FN bool taco__container_open_open_file(taco__container *s, const char *path, taco_error *err)
{
    taco__range    head;
    taco_error     why;
    const uint8_t *p;
    uint8_t        none = 0;
    size_t         n;
    head.offset = 0;
    head.len = TACO__MIN(s->file.src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    n = (size_t)head.len;
    if (!taco__file_fetch(&s->file, &head, 1, err)) {
        return false;
    }
    p = n ? taco__file_cached(&s->file, 0, n) : &none;
    if (!p) {
        TACO__FAIL(err, TACO_ERR_IO, 0, "reading %u bytes failed", TACO__U(n));
        return false;
    }
    if (taco__index_is_tacocat(taco__bytes_of(p, n))) {
        s->kind = TACO_KIND_TACOCAT;
        if (taco__index_read_tacocat(taco__bytes_of(p, n), s->file.src.size, &s->index, err) !=
                TACO_OK ||
            !taco__container_open_name_levels(s, "", err)) {
            return false;
        }
        s->dir = s->parts = taco__container_open_parent_dir(s, path, err);
        return s->dir && taco__container_set_vsi_root(s, s->dir, true, err) &&
               taco__container_open_read_index(s, err);
    }
    s->format = taco__container_open_detect_format(s, path, taco__bytes_of(p, n));
    if (s->format) {
        return true;
    }
    s->kind = TACO_KIND_ZIP;
    memset(&why, 0, sizeof why);
    if (taco__index_read_header(taco__bytes_of(p, n), s->file.src.size, &s->index, &why) !=
        TACO_OK) {
        taco_error second;
        bool       worth = s->index.recover;
        memset(&second, 0, sizeof second);
        if (!worth || taco__index_recover(&s->file, s->options->limits.max_metadata, &s->index,
                                          &second) != TACO_OK) {
            if (err && err->code == TACO_OK) {
                *err = why;
            }
            return false;
        }
        taco__container_warn(s, &why,
                             "the TACO_HEADER is damaged, the central directory is used instead");
    }
    return taco__container_set_vsi_root(s, path, false, err) &&
           taco__container_open_name_levels(s, "METADATA/", err) &&
           taco__container_open_read_index(s, err);
}

/* ---- directories -------------------------------------------------------------------------------- */

/* Levels of a directory are files of their own, which are only opened here: as many as follow each other. */
TACO__FN bool taco__container_open_find_levels(taco__container *s, const char *metadata,
                                               taco_error *err)
{
    uint32_t i;
    if (!taco__container_open_name_levels(s, metadata, err)) {
        return false;
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        const char  *path = taco__container_join_path(s, s->dir, l->name, err);
        if (!path) {
            return false;
        }
        if (!taco__container_open_try_file(s, path,
                                           &l->file)) { /* the first writers' FOLDERs hold Avro */
            char *name = taco__arena_text(s->arena, taco__bytes_text(l->name), err);
            char *dot = name ? strstr(name, ".parquet") : NULL;
            if (!dot) {
                return false;
            }
            memcpy(dot, ".avro\0\0", 8);
            path = taco__container_join_path(s, s->dir, name, err);
            if (!path || !taco__container_open_try_file(s, path, &l->file)) {
                break;
            }
            l->name = name;
            l->avro = true;
        }
        l->path = path;
        l->file_open = l->present = true;
        l->range.len = l->file.src.size;
    }
    s->level_count = i;
    if (i == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s is missing", s->levels[0].name);
        return false;
    }
    return true;
}
TACO__FN bool taco__container_open_read_directory(taco__container *s, taco_kind kind,
                                                  const char *dir, taco__file *collection,
                                                  taco_error *err)
{
    taco__range whole;
    bool        ok;
    s->kind = kind;
    s->dir = dir;
    whole.offset = 0;
    whole.len = collection->src.size;
    ok = taco__container_open_read_collection(s, collection, whole, "COLLECTION.json", err);
    taco__file_close(collection);
    return ok &&
           taco__container_open_find_levels(s, kind == TACO_KIND_FOLDER ? "METADATA/" : "", err);
}
/* Tries path as a directory. *found tells whether it is one of ours; then the result counts. */
TACO__FN bool taco__container_open_try_directory(taco__container *s, const char *path, bool *found,
                                                 taco_error *err)
{
    const char *dir = taco__container_ends_with(path, "/")
                          ? path
                          : taco__container_join_path(s, path, "/", err),
               *inner, *parent;
    taco__file file, level;
    *found = false;
    if (!dir) {
        return false;
    }
    inner = taco__container_ends_with(dir, "/.tacocat/") || strcmp(dir, ".tacocat/") == 0
                ? dir
                : taco__container_join_path(s, dir, ".tacocat/", err);
    if (!inner) {
        return false;
    }
    if (taco__container_open_try_name(s, inner, "COLLECTION.json",
                                      &file)) { /* the catalogue wins, as in the reference */
        *found = true;
        parent = inner != dir ? dir : taco__container_open_parent_dir(s, dir, err);
        s->parts = parent;
        if (!parent || !taco__container_set_vsi_root(s, parent, true, err)) {
            taco__file_close(&file);
            return false;
        }
        return taco__container_open_read_directory(s, TACO_KIND_TACOCAT, inner, &file, err);
    }
    if (taco__container_open_try_name(s, inner, "level0.parquet", &level)) {
        *found = true;
        taco__file_close(&level);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the catalogue's COLLECTION.json is missing");
        return false;
    }
    if (taco__container_open_try_name(s, dir, "COLLECTION.json", &file)) {
        *found = true;
        if (!taco__container_set_vsi_root(s, path, false, err)) {
            taco__file_close(&file);
            return false;
        }
        return taco__container_open_read_directory(s, TACO_KIND_FOLDER, dir, &file, err);
    }
    if (taco__container_open_try_name(s, dir, "METADATA/level0.parquet", &level)) {
        *found = true;
        taco__file_close(&level);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "COLLECTION.json is missing");
        return false;
    }
    if (taco__container_open_try_name(s, dir, "__TACOCAT__", &s->file)) {
        *found = true;
        s->file_open = true;
        path = taco__container_join_path(s, dir, "__TACOCAT__", err);
        return path && taco__container_open_open_file(s, path, err);
    }
    return false;
}

/* Nothing at `path` opened. A second look at the disk says more, but only where it is the disk that was asked. */
TACO__COLD void taco__container_open_fail_missing(const taco__container *s, const char *path,
                                                  taco_error *err)
{
    uint64_t        size;
    taco__path_kind kind =
        s->options->open_file ? TACO__PATH_MISSING : taco__plat_stat(path, &size);
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s",
               strstr(path, "://") || strncmp(path, "/vsi", 4) == 0
                   ? "not a local file: a program opens others with taco_options.open_file or "
                     "taco_open_source"
               : kind == TACO__PATH_DIRECTORY ? "a directory without COLLECTION.json"
               : kind == TACO__PATH_SPECIAL   ? "a pipe or a device: a dataset is read out of order"
               : kind == TACO__PATH_MISSING
                   ? "no archive of that name, and no directory with COLLECTION.json"
                   : "the file is not readable");
}
TACO__FN bool taco__container_open_path(taco__container *s, const char *path, taco_error *err)
{
    bool found = false, file_first = taco__container_ends_with(path, ".tacozip") ||
                                     taco__container_ends_with(path, ".zip") ||
                                     taco__container_ends_with(path, "__TACOCAT__");
    taco_source src;
    if (!file_first) {
        bool ok = taco__container_open_try_directory(s, path, &found, err);
        if (found) {
            return ok;
        }
    }
    if (!taco__source_open_path(s->options, path, &src, NULL)) {
        if (file_first && taco__container_open_try_directory(s, path, &found, err)) {
            return true;
        }
        s->format =
            found ? NULL : taco__container_open_detect_format(s, path, taco__bytes_of(NULL, 0));
        if (s->format) {
            return true;
        }
        if (!found) {
            taco__container_open_fail_missing(s, path, err);
        }
        return false;
    }
    taco__file_init(&s->file, &src, "", s->mem);
    s->file_open = true;
    return taco__container_open_open_file(s, path, err);
}
/* Opens what stands at path, or, when src is given, the file src under that name; src is taken over in any case. mem,
   arena and options outlive the store. any: what is of one of the caller's formats is taken,
   and nothing but that is found out of it. */
TACO__FN bool taco__container_open_any(taco__container *s, const char *path, const taco_source *src,
                                       taco__mem *mem, taco__arena *arena,
                                       const taco_options *options, bool any, taco_error *err)
{
    bool ok;
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->arena = arena;
    s->options = options;
    s->any = any;
    if (src) {
        taco__file_init(&s->file, src, "", mem);
        s->file_open = true;
    }
    s->name = taco__arena_text(arena, taco__bytes_text(path), err);
    ok = s->name && (src ? taco__container_open_open_file(s, s->name, err)
                         : taco__container_open_path(s, s->name, err));
    if (!ok) {
        taco__error_prefix(err, "%s", path);
        taco__container_close(s);
    }
    return ok;
}
/* The same for what is TACO 2 alone. */
TACO__FN bool taco__container_open(taco__container *s, const char *path, const taco_source *src,
                                   taco__mem *mem, taco__arena *arena, const taco_options *options,
                                   taco_error *err)
{
    return taco__container_open_any(s, path, src, mem, arena, options, false, err);
}

/* ---- levels as tables --------------------------------------------------------------------------- */

TACO__FN int taco__container_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
/* A name must mean one column. */
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err)
{
    size_t       i, bytes = t->field_count * sizeof(const char *);
    const char **names = (const char **)taco__mem_alloc(s->mem, bytes, err);
    bool         ok = names != NULL;
    for (i = 0; ok && i < t->field_count; i++) {
        names[i] = t->fields[i].name;
    }
    if (ok) {
        qsort((void *)names, t->field_count, sizeof *names, taco__container_compare_names);
    }
    for (i = 1; ok && i < t->field_count; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            taco_bytes name = taco__bytes_text(names[i]);
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "column %q occurs twice", &name);
            ok = false;
        }
    }
    taco__mem_free(s->mem, (void *)names, bytes);
    return ok;
}
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r)
{
    r->subfile = s->format ? taco__table_find_column(t, "internal:subfile") : TACO__NONE;
    r->id = taco__table_find_column(t, "id");
    r->type = taco__table_find_column(t, "type");
    r->parent = taco__table_find_column(t, "internal:parent_id");
    r->current = taco__table_find_column(t, "internal:current_id");
    r->offset = taco__table_find_column(t, "internal:offset");
    r->size = taco__table_find_column(t, "internal:size");
    r->relative = taco__table_find_column(t, "internal:relative_path");
    r->source = taco__table_find_column(t, "internal:source_file");
    if (s->format && s->format->roles) {
        s->format->roles(t, r);
    }
}
/* Opens Parquet or Avro bytes at a range of a file as a table. pq lives as long as the table; avro goes to the arena. */
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err)
{
    memset(pq, 0, sizeof *pq);
    memset(table, 0, sizeof *table);
    if (avro) {
        taco__buf        scratch;
        taco__avro_table t;
        const uint8_t   *p = NULL;
        size_t           len;
        taco_status      st = TACO_ERR_LIMIT;
        memset(&scratch, 0, sizeof scratch);
        scratch.mem = s->mem;
        if (range.len > s->options->limits.max_metadata ||
            !taco__checked_to_size(range.len, &len)) {
            TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                       "%u bytes of Avro, limits.max_metadata is %u", range.len,
                       s->options->limits.max_metadata);
        } else {
            p = taco__file_view(file, range.offset, len, &scratch, err);
            st = p ? taco__avro_read(arena, taco__bytes_of(p, len), &s->options->limits, &t, err)
                   : TACO_ERR_IO;
        }
        taco__buf_free(&scratch);
        if (st != TACO_OK) {
            taco__error_prefix(err, "%s", name);
            return false;
        }
        table->fields = t.fields;
        table->field_count = table->stored = t.field_count;
        table->arrays = t.columns;
        table->rows = t.rows;
        return true;
    }
    pq->mem = s->mem;
    pq->name = name;
    pq->options = *s->options;
    pq->part.file = file;
    pq->part.base = range.offset;
    pq->part.size = range.len;
    if (!taco__pq_file_open(pq, err)) {
        taco__pq_file_close(pq);
        taco__error_prefix(err, "%s", name);
        return false;
    }
    taco__table_from_file(table, pq);
    return true;
}
/* Number of levels, which formats count when it is first asked for. */
TACO__FN uint32_t taco__container_level_count(taco__container *s)
{
    taco_error none; /* the level that is missing then reports it */
    if (s->more) {
        memset(&none, 0, sizeof none);
        s->more = false;
        s->format->deepen(s, &none);
    }
    return s->level_count;
}
/* The table of a level, opened when it is first asked for. */
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *l = &s->levels[n];
    bool         ok;
    if (n) {
        taco__container_level_count(s);
    }
    if (n >= s->level_count || !l->present) {
        TACO__FAIL(err, n < s->level_count ? TACO_ERR_CORRUPT : TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(n),
                   TACO__U(s->level_count - 1));
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    if (l->opened) {
        return l;
    }
    ok = s->format && s->format->level
             ? s->format->level(s, n, err)
             : taco__container_open_table(s, l->path ? &l->file : &s->file, l->range, l->name,
                                          l->avro, s->arena, &l->pq, &l->table, err);
    if (!ok) {
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    if (l->table.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows in a level, at most %u are read",
                   l->table.rows, TACO__U(INT32_MAX));
    } else if (taco__container_check_unique_names(s, &l->table, err)) {
        taco__container_find_roles(s, &l->table, &l->role);
        l->opened = true;
        return l;
    }
    taco__error_prefix(err, "%s: %s", s->name, l->name);
    if (l->table.pq) {
        taco__pq_file_close(&l->pq);
    }
    memset(&l->table, 0, sizeof l->table);
    return NULL;
}
/* Puts dataset and level in front of a message. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err)
{
    if (what) {
        taco__error_prefix(err, "%s: %s", s->name, what);
    } else {
        taco__error_prefix(err, "%s", s->name);
    }
    return false;
}
/* Counts a cursor over the rows of an archive of a catalogue; other files are not counted. */
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins)
{
    taco__archive *a;
    for (a = s->archives; a; a = a->next) {
        if (&a->file == file) {
            a->users += begins ? 1 : SIZE_MAX;
        }
    }
}
/* The archive of a row of a catalogue, opened; the last one is kept. name was checked to be a bare file name. */
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err)
{
    taco_source    src;
    taco__archive *a, *idle = NULL;
    const char    *text = taco__arena_text(s->arena, name, err),
               *path = text ? taco__container_join_path(s, s->parts, text, err) : NULL;
    if (!path) {
        return NULL;
    }
    for (a = s->archives; a; a = a->next) {
        if (a->open && strcmp(a->name, path) == 0) {
            return &a->file;
        }
        idle = a->users ? idle : a;
    }
    if (!idle) {
        idle = (taco__archive *)taco__arena_alloc(s->arena, sizeof *idle, err);
        if (!idle) {
            return NULL;
        }
        idle->next = s->archives;
        s->archives = idle;
    }
    if (idle->open) {
        taco__file_close(&idle->file);
        idle->open = false;
    }
    if (!taco__source_open_path(s->options, path, &src, err)) {
        return NULL;
    }
    taco__file_init(&idle->file, &src, "", s->mem);
    idle->open = true;
    idle->name = path;
    return &idle->file;
}
/* ==== ROOM join: parents of rows, and the rows that filters of several levels leave. Uses: pq:scan store.
   Spec: TACO 2.0 §7.2.2 "Cascading Joins" ==== */

/* A row's key in its level is its internal:current_id, in a catalogue together with its internal:source_file: ids start
   again in every archive (facts: disagreements 5, 18b). Files of before 2025-12 have no current_id: the row's number
   within its archive counts. */
typedef struct taco__join_archive {
    taco_bytes name;
    int64_t    first, count; /* rows of the level above */
} taco__join_archive;
typedef struct taco__join_row_key {
    uint32_t source;
    int32_t  row;
    int64_t  id;
} taco__join_row_key;
typedef struct taco__join {
    taco__container    *store;
    taco__arena         arena;
    taco__join_archive *sources;
    size_t              source_count, source_cap;
    uint32_t           *slots; /* hash table of source numbers + 1 */
    size_t              slot_count;
    taco__join_row_key *keys; /* of the level above, sorted; NULL while ids are plain row numbers */
    size_t              key_count;
    bool                plain;
} taco__join;

TACO__FN bool taco__join_grow_archives(taco__join *j, taco_error *err)
{
    size_t              i, cap = j->source_cap ? j->source_cap * 2 : 16, slots = cap * 4;
    taco__join_archive *s = (taco__join_archive *)taco__arena_array(&j->arena, cap, sizeof *s, err);
    uint32_t           *t = (uint32_t *)taco__arena_array(&j->arena, slots, sizeof *t, err);
    if (!s || !t) {
        return false;
    }
    if (j->source_count) {
        memcpy(s, j->sources, j->source_count * sizeof *s);
    }
    for (i = 0; i < j->source_count; i++) {
        size_t at = (size_t)taco__xxh64_hash(0, s[i].name.data, s[i].name.len) & (slots - 1);
        while (t[at]) {
            at = (at + 1) & (slots - 1);
        }
        t[at] = (uint32_t)i + 1;
    }
    j->sources = s;
    j->source_cap = cap;
    j->slots = t;
    j->slot_count = slots;
    return true;
}
/* Number of a source, SIZE_MAX when it is new and `add` is not set, or on failure. */
TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err)
{
    size_t at;
    char  *copy;
    if (j->source_count == j->source_cap && !taco__join_grow_archives(j, err)) {
        return SIZE_MAX;
    }
    at = (size_t)taco__xxh64_hash(0, name.data, name.len) & (j->slot_count - 1);
    for (; j->slots[at]; at = (at + 1) & (j->slot_count - 1)) {
        if (taco__bytes_equal(j->sources[j->slots[at] - 1].name, name)) {
            return j->slots[at] - 1;
        }
    }
    copy = add ? taco__arena_text(&j->arena, name, err) : NULL;
    if (!copy) {
        return SIZE_MAX;
    }
    j->sources[j->source_count].name = taco__bytes_of(copy, name.len);
    j->sources[j->source_count].first = -1;
    j->slots[at] = (uint32_t)++j->source_count;
    return j->source_count - 1;
}
TACO__FN int taco__join_compare_keys(const void *a, const void *b)
{
    const taco__join_row_key *x = (const taco__join_row_key *)a, *y = (const taco__join_row_key *)b;
    if (x->source != y->source) {
        return x->source < y->source ? -1 : 1;
    }
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->row > y->row) - (x->row < y->row);
}
TACO__FN bool taco__join_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}
/* Calls of one pass over the two columns that a join needs; id may be missing in the level above. */
typedef bool (*taco__join_row_fn)(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                                  int32_t *out, taco_error *err);

TACO__FN bool taco__join_for_each_row(taco__join *j, taco__level *l, size_t id_column, bool add,
                                      taco__join_row_fn each, int32_t *out, taco_error *err)
{
    size_t           which[2], n = 0, at_id = TACO__NONE, at_source = TACO__NONE, last = SIZE_MAX;
    taco_bytes       last_name = {NULL, 0};
    taco__row_reader r;
    uint64_t         first;
    bool             ok;
    if (id_column != TACO__NONE) {
        at_id = n;
        which[n++] = id_column;
    }
    if (j->store->kind == TACO_KIND_TACOCAT && l->role.source != TACO__NONE) {
        at_source = n;
        which[n++] = l->role.source;
    }
    ok = taco__row_reader_open(&r, &l->table, which, n, j->store->mem, err);
    for (first = 0; ok && first < l->table.rows;) {
        size_t i, m = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__SCAN_SLICE);
        ok = taco__row_reader_read_range(&r, first, m, err);
        last = SIZE_MAX;
        for (i = 0; ok && i < m; i++) {
            bool    has = at_id != TACO__NONE && taco_array_valid(&r.arrays[at_id], i);
            int64_t id = has ? taco_array_int(&r.arrays[at_id], i) : 0;
            size_t  source = 0;
            if (at_source != TACO__NONE) {
                taco_bytes name = taco_array_bytes(&r.arrays[at_source], i);
                if (last == SIZE_MAX || name.data != last_name.data || name.len != last_name.len) {
                    last = taco__join_find_archive(j, name, add, err);
                    last_name = name;
                    ok = last != SIZE_MAX || (!add && (!err || err->code == TACO_OK));
                }
                source = last;
            }
            ok = ok && each(j, (size_t)first + i, source, has, id, out, err);
        }
        first += m;
    }
    taco__row_reader_close(&r);
    return ok;
}
/* The level above: rows of a source follow each other and their ids count from 0, as all writers do it, or not. */
TACO__FN bool taco__join_add_archive_row(taco__join *j, size_t row, size_t source, bool has_id,
                                         int64_t id, int32_t *out, taco_error *err)
{
    taco__join_archive *s = &j->sources[source];
    (void)out;
    (void)err;
    if (s->first < 0) {
        s->first = (int64_t)row;
    }
    j->plain = j->plain && s->first + s->count == (int64_t)row && (!has_id || id == s->count);
    s->count++;
    return true;
}
TACO__FN bool taco__join_add_row_key(taco__join *j, size_t row, size_t source, bool has_id,
                                     int64_t id, int32_t *out, taco_error *err)
{
    taco__join_row_key *k = &j->keys[j->key_count];
    (void)out;
    (void)err;
    k->source = (uint32_t)source;
    k->row = (int32_t)row;
    k->id = has_id ? id : (int64_t)row - j->sources[source].first;
    j->key_count++;
    return true;
}
/* Number of a row within its archive: what stands for internal:current_id where there is none. */
TACO__FN bool taco__join_number_row(taco__join *j, size_t row, size_t source, bool has_id,
                                    int64_t id, int32_t *out, taco_error *err)
{
    taco__join_archive *s = &j->sources[source];
    (void)has_id;
    (void)id;
    (void)err;
    s->first = s->first < 0 ? (int64_t)row : s->first;
    out[row] = (int32_t)((int64_t)row - s->first);
    return true;
}
TACO__FN bool taco__join_find_parent(taco__join *j, size_t row, size_t source, bool has_id,
                                     int64_t id, int32_t *out, taco_error *err)
{
    (void)err;
    out[row] = -1;
    if (!has_id || source == SIZE_MAX || source >= j->source_count) {
        return true;
    }
    if (j->plain) {
        const taco__join_archive *s = &j->sources[source];
        if (id >= 0 && id < s->count) {
            out[row] = (int32_t)(s->first + id);
        }
    } else {
        size_t lo = 0, hi = j->key_count;
        while (lo < hi) {
            size_t                    mid = lo + (hi - lo) / 2;
            const taco__join_row_key *k = &j->keys[mid];
            if (k->source < source || (k->source == source && k->id < id)) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        if (lo < j->key_count && j->keys[lo].source == source && j->keys[lo].id == id) {
            out[row] = j->keys[lo].row;
        }
    }
    return true;
}
TACO__FN bool taco__join_run(taco__join *j, taco__level *above, taco__level *l, taco_error *err)
{
    size_t id = above->role.current;
    if (id != TACO__NONE && !taco__join_is_integer(above->table.fields[id].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:current_id must be an integer");
        return false;
    }
    j->plain = true;
    if ((j->store->kind != TACO_KIND_TACOCAT || above->role.source == TACO__NONE) &&
        taco__join_find_archive(j, taco__bytes_of(NULL, 0), true, err) == SIZE_MAX) {
        return false;
    }
    if (!taco__join_for_each_row(j, above, id, true, taco__join_add_archive_row, NULL, err)) {
        return false;
    }
    if (!j->plain) {
        j->keys = (taco__join_row_key *)taco__arena_array(&j->arena, (size_t)above->table.rows + 1,
                                                          sizeof *j->keys, err);
        if (!j->keys ||
            !taco__join_for_each_row(j, above, id, true, taco__join_add_row_key, NULL, err)) {
            return false;
        }
        qsort(j->keys, j->key_count, sizeof *j->keys, taco__join_compare_keys);
    }
    return taco__join_for_each_row(j, l, l->role.parent, false, taco__join_find_parent, l->parents,
                                   err);
}
/* The numbers of all rows of a level of a catalogue within their archives; out has room for them. */
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err)
{
    taco__join j;
    bool       ok;
    memset(&j, 0, sizeof j);
    j.store = s;
    j.arena.mem = s->mem;
    ok = taco__join_for_each_row(&j, l, TACO__NONE, true, taco__join_number_row, out, err);
    taco__arena_free(&j.arena);
    return ok;
}
/* Row of the parent of every row of level n >= 1, made once. */
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    taco__join j;
    bool       ok;
    if (!l) {
        return false;
    }
    if (l->parents || l->table.rows == 0) {
        return true;
    }
    if (l->role.parent == TACO__NONE ||
        !taco__join_is_integer(l->table.fields[l->role.parent].type)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   l->role.parent == TACO__NONE
                       ? "there is no internal:parent_id, the level cannot be joined"
                       : "internal:parent_id must be an integer");
        return taco__container_fail(s, l->name, err);
    }
    l->parents =
        (int32_t *)taco__mem_alloc(s->mem, (size_t)l->table.rows * sizeof *l->parents, err);
    if (!l->parents) {
        return taco__container_fail(s, l->name, err);
    }
    memset(&j, 0, sizeof j);
    j.store = s;
    j.arena.mem = s->mem;
    ok = taco__join_run(&j, above, l, err);
    taco__arena_free(&j.arena);
    if (!ok) {
        taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
        l->parents = NULL;
        return taco__container_fail(s, NULL, err);
    }
    return true;
}

/* ---- padding ------------------------------------------------------------------------------------ */

/* Matches rows that are no padding, those without an id among them. */
TACO__FN bool taco__query_padding_test(void *ctx, const taco_array *a, size_t rows,
                                       uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    size_t i;
    (void)ctx;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco_array_valid(a, i) ||
            !taco__bytes_starts_with(taco_array_bytes(a, i), TACO__PADDING_PREFIX)) {
            taco__bitmap_set(true_bits, i);
        }
        taco__bitmap_set(valid_bits, i);
    }
    return true;
}
/* Ids between two bounds hold no padding when both lie on one side of it. */
TACO__FN unsigned taco__query_padding_prune(void *ctx, const taco__column_stats *r)
{
    taco_bytes first = taco__bytes_text(TACO__PADDING_PREFIX),
               behind = taco__bytes_text("__TACOPAE");
    (void)ctx;
    if ((r->has_max && taco__bytes_compare(r->max.b, first) < 0) ||
        (r->has_min && taco__bytes_compare(r->min.b, behind) >= 0)) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}
/* Whether a level may hold padding at all: where the statistics say no, ids are not even read. */
TACO__FN bool taco__query_may_have_padding(taco__level *l)
{
    uint32_t g;
    if (l->padded < 0 && l->role.id != TACO__NONE &&
        l->table.fields[l->role.id].type == TACO_TEXT) {
        l->padded = l->table.pq == NULL && l->table.rows;
        for (g = 0; l->table.pq && g < taco__table_group_count(&l->table) && !l->padded; g++) {
            taco__column_stats r;
            taco__scan_prune_group_bounds(&l->table, g, l->role.id, &r);
            l->padded = taco__query_padding_prune(NULL, &r) != TACO__MAY_TRUE;
        }
    }
    return l->padded > 0;
}
/* e AND (the row is no padding); e alone where the level has none. */
TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err)
{
    taco__custom_predicate c;
    taco__expr            *real;
    if (!taco__query_may_have_padding(l)) {
        return true;
    }
    memset(&c, 0, sizeof c);
    c.eval = taco__query_padding_test;
    c.prune = taco__query_padding_prune;
    real = taco__expr_custom(arena, l->role.id, &c, err);
    *e = real ? taco__expr_and(arena, *e, real, err) : NULL;
    return *e != NULL;
}

/* ---- few parents -------------------------------------------------------------------------------- */

/* A PIT stores the children of row i behind those of row i - 1, so that the children of few rows lie on few pages (June
   2025 §"O(1)"; facts: june2025 1). Which pages these are is asked of the statistics of internal:parent_id, and the rows
   there are tested: where the order is another one more is read, and the rows are as right, whatever pit_schema says. */
#define TACO__LOOKUP_MIN_ROWS 8192 /* levels of fewer rows are joined whole */
#define TACO__LOOKUP_ROUND_BYTES                                                                   \
    ((uint64_t)1 << 20) /* bytes that are worth another round of reading */
#define TACO__LOOKUP_MAX_SINGLE                                                                    \
    64 /* rows whose parents are looked up one by one; then those of all */

typedef struct taco__lookup_set { /* rows of a level, that a column has the numbers of */
    const uint8_t *bits;
    uint64_t       rows;
} taco__lookup_set;

TACO__FN bool taco__lookup_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                uint8_t *valid_bits, taco_error *err)
{
    const taco__lookup_set *f = (const taco__lookup_set *)ctx;
    size_t                  i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t v = taco_array_valid(a, i) ? taco_array_int(a, i) : -1;
        if (v >= 0 && (uint64_t)v < f->rows && taco__bitmap_get(f->bits, (size_t)v)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}
TACO__FN unsigned taco__lookup_prune(void *ctx, const taco__column_stats *r)
{
    const taco__lookup_set *f = (const taco__lookup_set *)ctx;
    taco__i256 zero = taco__i256_from_i64(0), last = taco__i256_from_i64((int64_t)f->rows - 1);
    uint64_t   lo, hi;
    if (!r->has_min || !r->has_max) {
        return TACO__MAY_ANY;
    }
    lo = taco__i256_compare(&r->min.d, &zero) < 0 ? 0 : r->min.d.w[0];
    hi = taco__i256_compare(&r->max.d, &last) > 0 ? f->rows - 1 : r->max.d.w[0];
    if (taco__i256_compare(&r->min.d, &last) > 0 || taco__i256_compare(&r->max.d, &zero) < 0 ||
        lo > hi || taco__bitmap_count(f->bits, (size_t)lo, (size_t)(hi - lo) + 1) == 0) {
        return TACO__MAY_FALSE | TACO__MAY_NULL;
    }
    return TACO__MAY_ANY;
}
/* Whether the children of few rows of level n - 1 may be looked for like this. In a catalogue, where numbers start again
   in every archive, they are not; nor where all that joins the levels comes in the first round anyway. */
TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n)
{
    const taco__level *l = &s->levels[n], *above = &s->levels[n - 1];
    uint64_t           bytes = 0;
    uint32_t           g;
    if (l->parents || l->alone >= TACO__LOOKUP_MAX_SINGLE || s->kind == TACO_KIND_TACOCAT ||
        !l->table.pq || l->table.rows < TACO__LOOKUP_MIN_ROWS || l->role.parent == TACO__NONE ||
        !above->table.rows || !taco__join_is_integer(l->table.fields[l->role.parent].type) ||
        taco__scan_prune_flat_leaf(&l->table, l->role.parent) == UINT32_MAX) {
        return false;
    }
    if (above->role.current != TACO__NONE &&
        (!above->table.pq ||
         !taco__join_is_integer(above->table.fields[above->role.current].type))) {
        return false;
    }
    for (g = 0; g < taco__table_group_count(&l->table) && bytes < TACO__LOOKUP_ROUND_BYTES; g++) {
        bytes += taco__scan_fetch_chunk_bytes(&l->table, &l->role.parent, 1, g, false);
    }
    return !l->table.pq->part.file->src.read_many || bytes >= TACO__LOOKUP_ROUND_BYTES;
}
/* Whether statistics leave at most half of the rows, or there are those of pages. */
TACO__FN bool taco__lookup_is_worthwhile(taco__scan *scan, const taco__table *t, size_t column)
{
    uint64_t left = 0;
    uint32_t g, leaf = taco__scan_prune_flat_leaf(t, column);
    for (g = 0; g < taco__table_group_count(t); g++) {
        const taco__pq_column_chunk *c = &t->pq->meta.groups[g].chunks[leaf];
        if ((taco__scan_prune_group(scan, g) & TACO__MAY_TRUE) &&
            !(c->column_index.size && taco__page_index_is_useful(c))) {
            left += taco__table_group_rows(t, g);
        }
    }
    return left <= t->rows / 2;
}
/* Rows of a level whose column has one of the numbers: their bits are set in out, or, where that is NULL, they must be the
   rows of just these numbers. *found: how many, UINT64_MAX when it does not pay, or they are not. */
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *few, uint8_t *out, uint64_t *found,
                                     taco_error *err)
{
    taco__custom_predicate c;
    taco__arena            arena;
    taco__expr            *e;
    taco__scan             scan;
    const uint32_t        *rows;
    uint64_t               base;
    size_t                 i, n;
    bool                   ok;
    memset(&c, 0, sizeof c);
    c.ctx = (void *)few;
    c.eval = taco__lookup_test;
    c.prune = taco__lookup_prune;
    arena.mem = s->mem;
    arena.head = NULL;
    *found = 0;
    e = taco__expr_custom(&arena, column, &c, err);
    ok = e && taco__pred_bind(e, l->table.fields, l->table.field_count, &arena, err) &&
         taco__scan_open(&scan, &l->table, e, NULL, &column, out ? 0 : 1, TACO__SCAN_SLICE, s->mem,
                         err);
    if (ok) {
        if (out && !taco__lookup_is_worthwhile(&scan, &l->table, column)) {
            *found = UINT64_MAX;
        }
        while (*found != UINT64_MAX &&
               (n = taco__scan_next(&scan, TACO__SCAN_SLICE, !out, &rows, &base, err)) != 0) {
            for (i = 0, *found += n; i < n && *found != UINT64_MAX; i++) {
                if (out) {
                    taco__bitmap_set(out, (size_t)base + rows[i]);
                } else if (taco_array_int(&scan.out.arrays[0], i) != (int64_t)(base + rows[i])) {
                    *found = UINT64_MAX;
                }
            }
        }
        if (out && scan.counts.pages_pruned < scan.counts.pages / 2) { /* in no order: not again */
            l->alone = TACO__LOOKUP_MAX_SINGLE;
        }
        taco__scan_close(&scan);
        ok = !err || err->code == TACO_OK;
    }
    taco__arena_free(&arena);
    return ok || taco__container_fail(s, l->name, err);
}
/* Whether the numbers are internal:current_id of the rows of these numbers, and of no others. */
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *few, uint64_t count,
                                               bool *own, taco_error *err)
{
    uint64_t found = count;
    bool     ok = l->role.current == TACO__NONE ||
              taco__lookup_find_rows(s, l, l->role.current, few, NULL, &found, err);
    *own = found == count;
    return ok;
}
/* Row of the parent of one row of level n >= 1; -1: none. */
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    if (!l) {
        return false;
    }
    if (row < l->table.rows && taco__lookup_is_possible(s, n)) {
        size_t           bytes = TACO__BITMAP_BYTES((size_t)above->table.rows) + 8;
        uint8_t         *bits = (uint8_t *)taco__mem_alloc(s->mem, bytes, err);
        taco__lookup_set few;
        taco__row_reader one;
        bool             own = false,
             ok = bits && taco__row_reader_open(&one, &l->table, &l->role.parent, 1, s->mem, err);
        l->alone++;
        few.bits = bits;
        few.rows = above->table.rows;
        *out = -1;
        if (ok) {
            ok = taco__row_reader_read_range(&one, row, 1, err);
            own = ok && !taco_array_valid(&one.arrays[0], 0);
            *out = ok && !own ? taco_array_int(&one.arrays[0], 0) : -1;
            taco__row_reader_close(&one);
        }
        if (ok && *out >= 0 && (uint64_t)*out < few.rows) {
            taco__bitmap_set(bits, (size_t)*out);
            ok = taco__lookup_ids_are_row_numbers(s, above, &few, 1, &own, err);
        }
        taco__mem_free(s->mem, bits, bytes);
        if (!ok || own) {
            return ok || taco__container_fail(s, l->name, err);
        }
    }
    if (!taco__join_make_parents(s, n, err)) {
        return false;
    }
    *out = l->parents[row];
    return true;
}

/* ---- cascades ----------------------------------------------------------------------------------- */

/* Rows of each level that survive; NULL = all of them. */
typedef struct taco__cascade {
    uint8_t  *bits[TACO__MAX_LEVELS];
    taco__buf held; /* taco__cached_range: what was read ahead */
} taco__cascade;

TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level)
{
    return TACO__BITMAP_BYTES((size_t)s->levels[level].table.rows) + 8;
}
TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p)
{
    const taco__cached_range *h;
    uint32_t                  i;
    size_t                    k;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (p->bits[i]) {
            taco__mem_free(s->mem, p->bits[i], taco__cascade_bitmap_bytes(s, i));
            p->bits[i] = NULL;
        }
    }
    h = (const taco__cached_range *)(const void *)p->held.data;
    for (k = 0; k < p->held.len / sizeof *h; k++) {
        taco__file_release(h[k].file, h[k].range.offset, h[k].range.len);
    }
    taco__buf_free(&p->held);
}
TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err)
{
    p->bits[level] = (uint8_t *)taco__mem_alloc(s->mem, taco__cascade_bitmap_bytes(s, level), err);
    return p->bits[level] != NULL;
}
/* Replaces the bits of a level by those of its rows that also match `where`. */
TACO__FN bool taco__cascade_filter(taco__container *s, taco__cascade *p, uint32_t level,
                                   const taco__expr *where, taco_error *err)
{
    taco__level    *l = &s->levels[level];
    uint8_t        *before = p->bits[level];
    const uint32_t *rows;
    uint64_t        base;
    taco__scan      scan;
    bool            ok;
    if (!where) {
        return true;
    }
    ok = taco__cascade_alloc_bitmap(s, p, level, err) &&
         taco__scan_open(&scan, &l->table, where, before, NULL, 0, TACO__SCAN_SLICE, s->mem, err);
    if (ok) {
        size_t i, n;
        while ((n = taco__scan_next(&scan, TACO__SCAN_SLICE, false, &rows, &base, err)) != 0) {
            for (i = 0; i < n; i++) {
                taco__bitmap_set(p->bits[level], (size_t)base + rows[i]);
            }
        }
        taco__scan_close(&scan);
        ok = !err || err->code == TACO_OK;
    }
    if (before) {
        taco__mem_free(s->mem, before, taco__cascade_bitmap_bytes(s, level));
    }
    return ok || taco__container_fail(s, l->name, err);
}
/* Up: the parents of the rows picked in level n. */
TACO__FN bool taco__cascade_to_parents(taco__container *s, taco__cascade *p, uint32_t n,
                                       taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t             i;
    if (!taco__join_make_parents(s, n, err) || !taco__cascade_alloc_bitmap(s, p, n - 1, err)) {
        return false;
    }
    for (i = 0; i < (size_t)l->table.rows; i++) {
        if (l->parents[i] >= 0 && (!p->bits[n] || taco__bitmap_get(p->bits[n], i))) {
            taco__bitmap_set(p->bits[n - 1], (size_t)l->parents[i]);
        }
    }
    return true;
}
/* Down: of the rows of level n only those whose parent is picked. */
TACO__FN bool taco__cascade_to_children(taco__container *s, taco__cascade *p, uint32_t n,
                                        taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t             i;
    if (!taco__join_make_parents(s, n, err)) {
        return false;
    }
    if (!p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) {
            return false;
        }
        memset(p->bits[n], 0xFF, taco__cascade_bitmap_bytes(s, n));
    }
    for (i = 0; i < (size_t)l->table.rows; i++) {
        if (l->parents[i] < 0 ||
            (p->bits[n - 1] && !taco__bitmap_get(p->bits[n - 1], (size_t)l->parents[i]))) {
            taco__bitmap_clear(p->bits[n], i);
        }
    }
    return true;
}
/* Down to the children of few picked rows, without the columns that join all rows. *done: whether it was possible. */
TACO__FN bool taco__cascade_lookup_children(taco__container *s, taco__cascade *p, uint32_t n,
                                            bool *done, taco_error *err)
{
    taco__level     *above = &s->levels[n - 1], *l = &s->levels[n];
    uint64_t         count, found = 0;
    taco__lookup_set few;
    bool             ok;
    *done = false;
    if (!p->bits[n - 1] || p->bits[n] || !taco__lookup_is_possible(s, n)) {
        return true;
    }
    few.bits = p->bits[n - 1];
    few.rows = above->table.rows;
    count = taco__bitmap_count(few.bits, 0, (size_t)few.rows);
    if (count > few.rows / 16 + 1) {
        return true;
    }
    ok = taco__cascade_alloc_bitmap(s, p, n, err) &&
         (!count || (taco__lookup_find_rows(s, l, l->role.parent, &few, p->bits[n], &found, err) &&
                     (found == UINT64_MAX ||
                      taco__lookup_ids_are_row_numbers(s, above, &few, count, done, err))));
    *done = *done || (ok && !count);
    if (ok && !*done) {
        taco__mem_free(s->mem, p->bits[n], taco__cascade_bitmap_bytes(s, n));
        p->bits[n] = NULL;
    }
    return ok;
}
/* What a cascade reads of level l: the columns that join it, and those of the predicate in row groups that statistics do
   not decide. Below level `certain` few rows may be enough: what joins them is left then. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err)
{
    taco__level      *level = &s->levels[l];
    taco_pq_file     *pq = level->table.pq;
    taco__wanted_rows w;
    taco__scan_span   span;
    taco__scan        scan;
    size_t            which[3], n = 0;
    uint32_t          g;
    bool              ok = true;
    if (l && !level->parents && level->role.parent != TACO__NONE &&
        (l <= certain || !taco__lookup_is_possible(s, l))) {
        which[n++] = level->role.parent;
    }
    if (l < last && !s->levels[l + 1].parents && level->role.current != TACO__NONE &&
        (l + 1 <= certain || !taco__lookup_is_possible(s, l + 1))) {
        which[n++] = level->role.current;
    }
    if (n && s->kind == TACO_KIND_TACOCAT && level->role.source != TACO__NONE) {
        which[n++] = level->role.source;
    }
    if (!pq || !taco__scan_open(&scan, &level->table, where, NULL, NULL, 0, 0, s->mem, err)) {
        return !pq;
    }
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    for (g = 0; ok && g < taco__table_group_count(&level->table); g++) {
        unsigned may = where ? taco__scan_prune_group(&scan, g) : (unsigned)TACO__MAY_TRUE;
        span.first = taco__table_group_first_row(&level->table, g);
        span.n = taco__table_group_rows(&level->table, g);
        span.whole = true;
        ok = taco__scan_fetch_add_chunks(pq, which, n, level->table.stored, g, &w, ranges, err) &&
             (!(may & TACO__MAY_TRUE) || may == TACO__MAY_TRUE ||
              taco__scan_fetch_add_chunks(pq, scan.used, scan.used_count, level->table.stored, g,
                                          &w, ranges, err));
    }
    taco__scan_close(&scan);
    return ok;
}
/* The indexes that finding few rows reads beside: of the numbers in level l and of those that the level below has. */
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err)
{
    taco__level *level = &s->levels[l];
    size_t       which[2], n = 0, i;
    uint32_t     g, leaf;
    if (l && taco__lookup_is_possible(s, l)) {
        which[n++] = level->role.parent;
    }
    if (l < last && level->role.current != TACO__NONE && taco__lookup_is_possible(s, l + 1)) {
        which[n++] = level->role.current;
    }
    for (i = 0; i < n; i++) {
        leaf = taco__scan_prune_flat_leaf(&level->table, which[i]);
        for (g = 0; leaf != UINT32_MAX && g < taco__table_group_count(&level->table); g++) {
            const taco__pq_column_chunk *c = &level->table.pq->meta.groups[g].chunks[leaf];
            if (taco__page_index_is_useful(c) &&
                (!taco__scan_fetch_add_range(ranges, level->table.pq, c->offset_index.offset,
                                             c->offset_index.size, err) ||
                 (c->column_index.size && c->column_index.size < c->pages.size &&
                  !taco__scan_fetch_add_range(ranges, level->table.pq, c->column_index.offset,
                                              c->column_index.size, err)))) {
                return false;
            }
        }
    }
    return true;
}
/* Reads the ranges in one round and holds them until the picks are let go of, unless they are too much for that. */
TACO__FN bool taco__cascade_cache_ranges(taco__cascade *p, taco__file *file, taco__buf *ranges,
                                         taco_error *err)
{
    taco__cached_range held;
    size_t             i, n = ranges->len / sizeof held.range;
    bool               ok = true;
    if (taco__scan_fetch_range_bytes(ranges) <= TACO__SCAN_AHEAD) {
        held.file = file;
        ok = taco__buf_reserve(&p->held, n * sizeof held, err) &&
             taco__file_fetch(file, (const taco__range *)(const void *)ranges->data, n, err);
        for (i = 0; ok && i < n; i++) {
            memcpy(&held.range, ranges->data + i * sizeof held.range, sizeof held.range);
            ok = taco__buf_append(&p->held, &held, sizeof held, err);
        }
    }
    ranges->len = 0;
    return ok;
}
/* From a vectored source all of that comes in one round. where may be NULL. */
TACO__FN bool taco__cascade_read_ahead(taco__container *s, taco__cascade *p,
                                       taco__expr *const *where, uint32_t last, uint32_t certain,
                                       taco_error *err)
{
    taco__buf ranges;
    uint32_t  l;
    bool      ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->held.mem = s->mem;
    for (l = 0; ok && l <= last; l++) {
        taco__file *file = s->levels[l].table.pq ? s->levels[l].table.pq->part.file : NULL;
        if (!file || !file->src.read_many) {
            continue;
        }
        ok = taco__cascade_need_level(s, l, where ? where[l] : NULL, last, certain, &ranges, err);
        if (l == last || !s->levels[l + 1].table.pq ||
            s->levels[l + 1].table.pq->part.file != file) { /* else together with the next level */
            ok = ok && taco__cascade_cache_ranges(p, file, &ranges, err);
        }
    }
    taco__buf_free(&ranges);
    return ok || taco__container_fail(s, NULL, err);
}
/* Of the rows of level n only those of a mask. */
TACO__FN bool taco__cascade_apply_mask(taco__container *s, taco__cascade *p, uint32_t n,
                                       const uint8_t *mask, taco_error *err)
{
    size_t i, bytes = taco__cascade_bitmap_bytes(s, n);
    if (mask && !p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) {
            return false;
        }
        memcpy(p->bits[n], mask, bytes);
    }
    for (i = 0; mask && i < bytes; i++) {
        p->bits[n][i] &= mask[i];
    }
    return true;
}
/* Rows of level `table` that the filters leave: where[l] (NULL = no filter) tests the rows of level l, and all filters
   hold along one path from level 0 down. masks, where it is not NULL, has bitmaps of rows by level that may stay (NULL =
   all). deepest is the deepest level with a filter or a mask. */
TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err)
{
    uint32_t l;
    bool     done = false;
    memset(p, 0, sizeof *p);
    if (!taco__cascade_read_ahead(s, p, where, TACO__MAX(deepest, table), deepest, err)) {
        return false;
    }
    for (l = deepest + 1; l-- > 0;) {
        if ((masks && !taco__cascade_apply_mask(s, p, l, masks[l], err)) ||
            !taco__cascade_filter(s, p, l, where[l], err) ||
            (l && !taco__cascade_to_parents(s, p, l, err))) {
            return false;
        }
    }
    for (l = 1; l <= table; l++) {
        bool left = l > deepest && taco__lookup_is_possible(s, l);
        if (!taco__cascade_lookup_children(s, p, l, &done, err) ||
            (!done && ((left && !taco__cascade_read_ahead(s, p, NULL, l, l, err)) ||
                       !taco__cascade_to_children(s, p, l, err)))) {
            return false;
        }
    }
    return true;
}
/* ==== ROOM unify: columns of several datasets under one type. Uses: pq:text pq:value pq:expr pq:base mem. Spec: DuckDB's
   UNION ALL, which the reference relies on in every column mode ==== */

TACO__FN bool taco__unify_same_type(const taco_field *a, const taco_field *b)
{
    uint32_t i;
    if (a->type != b->type || a->child_count != b->child_count || a->width != b->width ||
        a->scale != b->scale || a->precision != b->precision ||
        (a->utc != b->utc && a->type == TACO_TIMESTAMP) ||
        (a->unit != b->unit && (a->type == TACO_TIME || a->type == TACO_TIMESTAMP))) {
        return false;
    }
    if (a->type == TACO_MAP) { /* its key and value may be called anything */
        a = a->children;
        b = b->children;
        for (i = 0; a->child_count == b->child_count && i < a->child_count &&
                    taco__unify_same_type(&a->children[i], &b->children[i]);
             i++) {
        }
        return a->child_count == b->child_count && i == a->child_count;
    }
    for (i = 0; i < a->child_count; i++) {
        if ((a->type == TACO_STRUCT && strcmp(a->children[i].name, b->children[i].name) != 0) ||
            !taco__unify_same_type(&a->children[i], &b->children[i])) {
            return false;
        }
    }
    return true;
}
/* BOOL, integers, floats in the order in which the later takes the earlier up; 0 for others. */
TACO__FN int taco__unify_numeric_rank(taco_type t)
{
    return t == TACO_BOOL                       ? 1
           : t >= TACO_INT8 && t <= TACO_UINT64 ? 2
           : t == TACO_HALF || t == TACO_FLOAT  ? 3
           : t == TACO_DOUBLE                   ? 4
                                                : 0;
}
TACO__FN bool taco__unify_is_signed(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_INT64;
}
/* The common type of two integers: as wide as both, signed with one more step where only one of them is. TACO_DECIMAL for
   UINT64 with a signed one, which takes more than 64 bits: DuckDB's HUGEINT, in Arrow DECIMAL(38, 0). */
TACO__FN taco_type taco__unify_integer_type(taco_type a, taco_type b)
{
    int x = taco__unify_is_signed(a) ? (int)a - TACO_INT8 : (int)a - TACO_UINT8,
        y = taco__unify_is_signed(b) ? (int)b - TACO_INT8 : (int)b - TACO_UINT8, wide;
    if (taco__unify_is_signed(a) == taco__unify_is_signed(b)) {
        return TACO__MAX(a, b);
    }
    wide = taco__unify_is_signed(a) ? TACO__MAX(x, y + 1) : TACO__MAX(y, x + 1);
    return wide > 3 ? TACO_DECIMAL : (taco_type)(TACO_INT8 + wide);
}
TACO__FN int32_t taco__unify_type_width(taco_type t)
{
    switch (t) {
    case TACO_INT8:
    case TACO_UINT8: return 1;
    case TACO_INT16:
    case TACO_UINT16: return 2;
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_FLOAT:
    case TACO_DATE: return 4;
    default: return 8;
    }
}
TACO__FN void taco__unify_set_type(taco_field *out, taco_type t)
{
    out->type = t;
    out->unit = TACO_SECOND;
    out->utc = false;
    out->width = taco__unify_type_width(t);
    out->precision = out->scale = 0;
}
/* DECIMALs keep all digits in front of the point, and of those behind it as many as 38 leave (76 where one of them has
   more than 38; the reference cannot read those). With an integer the scale stays and a value that does not fit is an
   error, as it is in DuckDB. */
TACO__FN bool taco__unify_decimal_type(const taco_field *a, const taco_field *b, taco_field *out)
{
    taco__scalar_type x = taco__scalar_type_of_field(a), y = taco__scalar_type_of_field(b);
    int32_t           most = TACO__MAX(a->precision, b->precision) > 38 ? 76 : 38, whole;
    if (TACO__MAX(a->precision, b->precision) > 76) {
        return false;
    }
    out->type = TACO_DECIMAL;
    out->unit = TACO_SECOND;
    out->utc = false;
    out->width = most == 38 ? 16 : 32;
    out->scale = TACO__MAX(x.scale, y.scale); /* 0 of an integer */
    if (x.id == TACO_DECIMAL && y.id == TACO_DECIMAL) {
        whole = TACO__MAX(x.precision - x.scale, y.precision - y.scale);
        out->scale = TACO__MIN(out->scale, most - whole);
    } else {
        const taco__scalar_type *d = x.id == TACO_DECIMAL ? &x : &y, *other = d == &x ? &y : &x;
        whole = TACO__MAX(d->precision - d->scale,
                          other->id == TACO_BOOL ? 0 : taco__scalar_decimal_digits(other));
    }
    out->precision = TACO__MIN(whole + out->scale, most);
    return true;
}
TACO__FN bool taco__unify_is_named(const taco_field *a, const char *name) /* ASCII case ignored */
{
    size_t i, n = strlen(name);
    for (i = 0;
         i < n && taco__ascii_lower((uint8_t)a->name[i]) == taco__ascii_lower((uint8_t)name[i]);
         i++) {
    }
    return i == n && !a->name[n];
}
/* The field of a STRUCT that is called so; its number of fields when there is none. */
TACO__FN uint32_t taco__unify_find_child(const taco_field *f, const char *name)
{
    uint32_t i;
    for (i = 0; i < f->child_count && !taco__unify_is_named(&f->children[i], name); i++) {
    }
    return i;
}
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err);

/* A STRUCT of the fields of both by name: those of a, then those that b has more. Entries of a MAP go by place. */
TACO__FN bool taco__unify_struct_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                      bool places, taco_field *out, taco_error *err)
{
    taco_field *f = (taco_field *)taco__arena_array(
        arena, (size_t)a->child_count + b->child_count + 1, sizeof *f, err);
    uint32_t i, n = a->child_count;
    out->children = f;
    if (!f || (places && a->child_count != b->child_count)) {
        return false;
    }
    for (i = 0; i < a->child_count; i++) {
        uint32_t k = places ? i : taco__unify_find_child(b, a->children[i].name);
        f[i] = a->children[i];
        f[i].nullable = !places || i > 0;
        if (k < b->child_count &&
            !taco__unify_type(arena, &a->children[i], &b->children[k], &f[i], err)) {
            return false;
        }
    }
    for (i = 0; !places && i < b->child_count; i++) {
        if (taco__unify_find_child(a, b->children[i].name) == a->child_count) {
            f[n] = b->children[i];
            f[n++].nullable = true;
        }
    }
    out->child_count = n;
    return true;
}
/* LIST, MAP and STRUCT of one kind each. */
TACO__FN bool taco__unify_nested_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                      taco_field *out, taco_error *err)
{
    taco_field *child;
    if (a->type == TACO_STRUCT) {
        return taco__unify_struct_type(arena, a, b, false, out, err);
    }
    if (a->child_count != 1 || b->child_count != 1) {
        return false;
    }
    child = (taco_field *)taco__arena_alloc(arena, sizeof *child, err);
    out->children = child;
    if (child && a->type == TACO_MAP) {
        *child = *a->children;
        return taco__unify_struct_type(arena, a->children, b->children, true, child, err);
    }
    return child && taco__unify_type(arena, a->children, b->children, child, err);
}
/* Types that DuckDB makes text when they meet text; BINARY takes text up, nested types do not. */
TACO__FN bool taco__unify_becomes_text(taco_type t)
{
    return taco__unify_numeric_rank(t) || t == TACO_DECIMAL || t == TACO_DATE || t == TACO_TIME ||
           t == TACO_TIMESTAMP;
}
/* *out: what takes up both a and b; its name is a's. False when there is no such type, or memory ended: there too where
   DuckDB names one to which it then cannot cast (DATE with a number, LIST or STRUCT with something else). */
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err)
{
    int         x = taco__unify_numeric_rank(a->type), y = taco__unify_numeric_rank(b->type);
    bool        text = a->type == TACO_TEXT || b->type == TACO_TEXT;
    bool        decimal = a->type == TACO_DECIMAL || b->type == TACO_DECIMAL;
    const char *name = a->name;
    *out = *a;
    out->nullable = a->nullable || b->nullable || a->type == TACO_NULL || b->type == TACO_NULL;
    if (taco__unify_same_type(a, b) || b->type == TACO_NULL) {
        return true;
    }
    if (a->type == TACO_NULL || (a->type == TACO_TEXT && b->type == TACO_BINARY)) {
        *out = *b;
        out->name = name;
        out->nullable = a->nullable || b->nullable || a->type == TACO_NULL;
        return true;
    }
    if (decimal && (x > 2 || y > 2)) {
        taco__unify_set_type(out, x == 4 || y == 4 ? TACO_DOUBLE : TACO_FLOAT);
        return true;
    }
    if (decimal && (x || a->type == TACO_DECIMAL) && (y || b->type == TACO_DECIMAL)) {
        return taco__unify_decimal_type(a, b, out);
    }
    if (x && y) {
        taco_type t = x == 2 && y == 2 ? taco__unify_integer_type(a->type, b->type)
                      : x >= y         ? a->type
                                       : b->type;
        taco__unify_set_type(out, x == 3 && y <= 3   ? TACO_FLOAT
                                  : y == 3 && x <= 3 ? TACO_FLOAT
                                                     : t);
        out->width = t == TACO_DECIMAL ? 16 : out->width;
        out->precision = t == TACO_DECIMAL ? 38 : 0;
        return true;
    }
    if (text && taco__unify_becomes_text(a->type == TACO_TEXT ? b->type : a->type)) {
        taco__unify_set_type(out, TACO_TEXT);
        out->width = 0;
        return true;
    }
    if (text && b->type == TACO_TEXT && a->type == TACO_BINARY) {
        return true;
    }
    if (a->type == TACO_DATE && b->type == TACO_TIMESTAMP) {
        *out = *b;
        out->name = name;
        out->nullable = a->nullable || b->nullable;
        return true;
    }
    if (a->type == TACO_TIMESTAMP && b->type == TACO_DATE) {
        return true;
    }
    if (a->type == b->type && (a->type == TACO_TIMESTAMP || a->type == TACO_TIME)) {
        out->unit = TACO__MAX(a->unit, b->unit); /* TIME of nanoseconds fails in DuckDB */
        out->utc = (a->type == TACO_TIME || out->unit != TACO_NANO) && (a->utc || b->utc);
        out->width = TACO__MAX(a->width, b->width);
        return true;
    }
    return a->type == b->type &&
           (a->type == TACO_LIST || a->type == TACO_STRUCT || a->type == TACO_MAP) &&
           taco__unify_nested_type(arena, a, b, out, err);
}

/* ---- values ---------------------------------------------------------------------------------------- */

/* n rows without a value. */
TACO__FN bool taco__unify_null_array(const taco_field *f, size_t n, taco_array *a,
                                     taco__arena *arena, taco_error *err)
{
    size_t      width = TACO__MAX((size_t)(f->width > 0 ? f->width : 8), (size_t)8), bytes;
    uint32_t    i;
    void       *zeros;
    taco_array *children;
    memset(a, 0, sizeof *a);
    if (!taco__checked_mul_size(n + 1, width, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    zeros = taco__arena_alloc(arena, bytes + 8, err);
    children = (taco_array *)taco__arena_array(arena, f->child_count + 1, sizeof *children, err);
    if (!zeros || !children) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__unify_null_array(&f->children[i], f->type == TACO_STRUCT ? n : 0, &children[i],
                                    arena, err)) {
            return false;
        }
    }
    a->field = f;
    a->length = a->null_count = n;
    a->validity = (const uint8_t *)zeros;
    a->offsets = (const int32_t *)zeros;
    a->v.any = zeros;
    a->children = children;
    return true;
}
TACO__FN int64_t taco__unify_per_second(taco_unit u)
{
    return u == TACO_SECOND ? 1 : u == TACO_MILLI ? 1000 : u == TACO_MICRO ? 1000000 : 1000000000;
}
/* An integer, BOOL or DECIMAL as it is stored. */
TACO__FN taco__i256 taco__unify_exact_value(const taco_array *in, size_t i)
{
    if (in->field->type == TACO_DECIMAL) {
        size_t width = (size_t)in->field->width;
        return taco__i256_from_le(in->v.u8 + i * width, width);
    }
    return in->field->type == TACO_UINT64 ? taco__i256_from_u64(in->v.u64[i])
                                          : taco__i256_from_i64(taco_array_int(in, i));
}
/* DECIMALs of the scale of `to`, digits that are cut off rounded. */
TACO__FN bool taco__unify_cast_decimals(const taco_field *to, const taco_array *in, uint8_t *out,
                                        taco_error *err)
{
    taco__scalar_type t = taco__scalar_type_of_field(to);
    int32_t           less = (in->field->type == TACO_DECIMAL ? in->field->scale : 0) - to->scale;
    size_t            i, k, width = (size_t)to->width;
    for (i = 0; i < in->length; i++) {
        taco__i256 d = taco__i256_from_i64(0);
        bool       fits = true;
        if (taco_array_valid(in, i)) {
            d = taco__unify_exact_value(in, i);
            if (less > 0) {
                d = taco__i256_div10(d, less, true);
            } else {
                fits = taco__i256_mul10(&d, -less);
            }
        }
        if (!fits || !taco__scalar_fits(&t, &d)) {
            taco_bytes name = taco__bytes_text(to->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q: value %u of a batch does not fit the DECIMAL(%d, %d) of all "
                       "datasets",
                       &name, TACO__U(i), TACO__D(to->precision), TACO__D(to->scale));
            return false;
        }
        for (k = 0; k < width / 8; k++) {
            taco__put_le64(out + i * width + k * 8, d.w[k]);
        }
    }
    return true;
}
TACO__FN void taco__unify_cast_number(const taco_field *to, const taco_array *in, size_t i,
                                      uint8_t *at)
{
    switch (to->type) {
    case TACO_FLOAT:
    case TACO_DOUBLE: {
        bool   single = to->type == TACO_FLOAT;
        double d = taco_array_double(in, i);
        float  f;
        if (in->field->type == TACO_DECIMAL) {
            taco__i256 x = taco__unify_exact_value(in, i);
            d = taco__scalar_decimal_to_double(&x, in->field->scale, single);
        }
        f = in->field->type == TACO_INT64    ? (float)in->v.i64[i] /* rounded once */
            : in->field->type == TACO_UINT64 ? (float)in->v.u64[i]
                                             : (float)d;
        memcpy(at, single ? (const void *)&f : (const void *)&d, single ? sizeof f : sizeof d);
        break;
    }
    default: { /* integers, in the order of the machine */
        int64_t     x = taco_array_int(in, i);
        int8_t      a = (int8_t)x;
        int16_t     b = (int16_t)x;
        int32_t     c = (int32_t)x;
        const void *from = to->width == 1   ? (const void *)&a
                           : to->width == 2 ? (const void *)&b
                           : to->width == 4 ? (const void *)&c
                                            : (const void *)&x;
        memcpy(at, from, (size_t)to->width);
    }
    }
}
/* Times in the unit of `to`. */
TACO__FN bool taco__unify_cast_times(const taco_field *to, const taco_array *in, int64_t *out,
                                     taco_error *err)
{
    int64_t by = in->field->type == TACO_DATE
                     ? taco__unify_per_second(to->unit) * 86400
                     : taco__unify_per_second(to->unit) / taco__unify_per_second(in->field->unit);
    size_t  i;
    for (i = 0; i < in->length; i++) {
        int64_t x = taco_array_valid(in, i) ? taco_array_int(in, i) : 0;
        if (by > 1 && (x > INT64_MAX / by || x < INT64_MIN / by)) {
            taco_bytes name = taco__bytes_text(to->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q: the time %d does not fit the unit of the other datasets", &name,
                       TACO__D(x));
            return false;
        }
        out[i] = x * (by ? by : 1);
    }
    return true;
}
/* A number or time, written from `begin` on, as DuckDB spells it: 2020-01-31 10:59:58.5+00, nan, -inf. */
TACO__FN bool taco__unify_fix_text(taco__buf *b, size_t begin, taco_type type, taco_error *err)
{
    char  *p = (char *)b->data + begin, *end = (char *)b->data + b->len, *dot;
    bool   zone;
    size_t n = b->len - begin;
    if (type == TACO_TIMESTAMP || type == TACO_TIME) {
        zone = n && end[-1] == 'Z';
        dot = (char *)memchr(p, '.', n);
        end -= zone;
        while (dot && (end[-1] == '0' || end[-1] == '.') && end > dot) {
            end--;
        }
        dot = (char *)memchr(p, 'T', n);
        if (dot) {
            *dot = ' ';
        }
        b->len = (size_t)(end - (char *)b->data);
        return !zone || taco__buf_append_text(b, "+00", err);
    }
    if (taco__unify_numeric_rank(type) > 2 && n && end[-1] > '9') { /* NaN, Infinity */
        const char *word = *p == 'N' ? "nan" : *p == '-' ? "-inf" : "inf";
        b->len = begin;
        return taco__buf_append_text(b, word, err);
    }
    return true;
}
TACO__FN bool taco__unify_cast_to_text(taco__arena *arena, const taco_array *in, taco_array *out,
                                       taco_error *err)
{
    int32_t  *offsets = (int32_t *)taco__arena_array(arena, in->length + 1, sizeof *offsets, err);
    taco__buf b;
    size_t    i;
    bool      ok = offsets != NULL, null;
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < in->length; i++) {
        offsets[i] = (int32_t)b.len;
        if (!taco_array_valid(in, i)) {
            continue;
        }
        if (in->field->type == TACO_TEXT || in->field->type == TACO_BINARY) {
            taco_bytes x = taco_array_bytes(in, i);
            ok = taco__buf_append(&b, x.data, x.len, err);
        } else {
            size_t begin = b.len;
            ok = taco__cell_bare(&b, in, i, &null, err) &&
                 taco__unify_fix_text(&b, begin, in->field->type, err);
        }
        if (ok && b.len > INT32_MAX) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than 2 GiB of text in a batch");
            ok = false;
        }
    }
    if (ok) {
        offsets[in->length] = (int32_t)b.len;
        out->offsets = offsets;
        out->v.any = taco__arena_text(arena, taco__bytes_of(b.data, b.len), err);
        ok = out->v.any != NULL;
    }
    taco__buf_free(&b);
    return ok;
}
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err);

/* The fields of a STRUCT, or of the entries of a MAP by place. */
TACO__FN bool taco__unify_cast_children(taco__arena *arena, const taco_field *to,
                                        const taco_array *in, bool places, taco_array *out,
                                        taco_error *err)
{
    taco_array *c =
        (taco_array *)taco__arena_array(arena, (size_t)to->child_count + 1, sizeof *c, err);
    uint32_t i, k;
    bool     ok = c != NULL;
    out->children = c;
    for (i = 0; ok && i < to->child_count; i++) {
        k = places ? i : taco__unify_find_child(in->field, to->children[i].name);
        ok = k < in->field->child_count
                 ? taco__unify_cast_array(arena, &to->children[i], &in->children[k], &c[i], err)
                 : taco__unify_null_array(&to->children[i], in->length, &c[i], arena, err);
    }
    return ok;
}
/* in as an array of the field `to`, which is its unified type; what is made lives in the arena. */
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err)
{
    uint8_t *values;
    size_t   i, width;
    *out = *in;
    out->field = to;
    if (taco__unify_same_type(to, in->field)) {
        return true;
    }
    if (in->field->type == TACO_NULL) {
        return taco__unify_null_array(to, in->length, out, arena, err);
    }
    out->dictionary = NULL;
    if (to->type == TACO_TEXT || to->type == TACO_BINARY) {
        return taco__unify_cast_to_text(arena, in, out, err);
    }
    if (to->type == TACO_STRUCT) {
        return taco__unify_cast_children(arena, to, in, false, out, err);
    }
    if (to->type == TACO_LIST || to->type == TACO_MAP) {
        taco_array *child = (taco_array *)taco__arena_alloc(arena, sizeof *child, err);
        out->children = child;
        if (child && to->type == TACO_MAP) {
            *child = *in->children;
            child->field = to->children;
            return taco__unify_cast_children(arena, to->children, in->children, true, child, err);
        }
        return child && taco__unify_cast_array(arena, to->children, in->children, child, err);
    }
    width = (size_t)(to->type == TACO_DECIMAL ? to->width : taco__unify_type_width(to->type));
    values = (uint8_t *)taco__arena_array(arena, in->length + 1, width, err);
    if (!values) {
        return false;
    }
    out->v.any = values;
    if (to->type == TACO_DECIMAL) {
        return taco__unify_cast_decimals(to, in, values, err);
    }
    if (to->type == TACO_TIMESTAMP || to->type == TACO_TIME) {
        return taco__unify_cast_times(to, in, (int64_t *)(void *)values, err);
    }
    for (i = 0; i < in->length; i++) {
        if (taco_array_valid(in, i)) {
            taco__unify_cast_number(to, in, i, values + i * width);
        }
    }
    return true;
}
/* ==== ROOM view: a query bound to the tables of a dataset, and the cursor over its rows. Uses: join geom pq:text vsi.
   Spec: TACO 2.0 §7.2.2, §7.2.3 ==== */

#define TACO__GDAL_VSI    "internal:gdal_vsi"
#define TACO__SOURCE_PATH "internal:source_path"
#define TACO__SOURCE_FILE "internal:source_file"

struct taco_dataset {
    taco__mem        mem;
    taco__arena      arena;
    taco_options     options;
    taco__container *stores;
    size_t           container_count;
    taco_column_mode mode;
    taco_field
             *fields[TACO__MAX_LEVELS]; /* of a level, over all stores; made when first asked for */
    size_t    field_count[TACO__MAX_LEVELS];
    bool     *mixed[TACO__MAX_LEVELS]; /* of each: stored under several types */
    taco__buf info, locate_vsi, locate_file;
};

/* ---- the columns of a level over all stores ------------------------------------------------------ */

/* In how many stores a level has the column, and the type that takes all of them up; *clash: they are not all the same. */
TACO__FN bool taco__schema_union_find_column(taco_dataset *ds, uint32_t level, taco_field *f,
                                             size_t *have, size_t *all, bool *clash,
                                             taco_error *err)
{
    size_t i, c;
    *have = *all = 0;
    *clash = false;
    for (i = 0; i < ds->container_count; i++) {
        taco__level *l = taco__container_level(&ds->stores[i], level, err);
        taco_field   both;
        if (!l) {
            return false;
        }
        ++*all;
        c = taco__table_find_column(&l->table, f->name);
        if (c == TACO__NONE) {
            continue;
        }
        ++*have;
        if (taco__unify_same_type(f, &l->table.fields[c])) {
            continue;
        }
        *clash = true;
        if (!taco__unify_type(&ds->arena, f, &l->table.fields[c], &both, err)) {
            taco_bytes name = taco__bytes_text(f->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q of level %u has another type than in %s, and there is none for "
                       "both",
                       &name, TACO__U(level), ds->stores[0].name);
            return taco__container_fail(&ds->stores[i], NULL, err);
        }
        *f = both;
    }
    return true;
}
/* The datasets whose level has a column, or lacks it, by name; as many as a message holds. */
TACO__FN bool taco__schema_union_list_datasets(taco_dataset *ds, uint32_t level, const char *column,
                                               bool has, taco__buf *out, taco_error *err)
{
    size_t i, left = 0;
    bool   ok = true;
    out->len = 0;
    for (i = 0; ok && i < ds->container_count; i++) {
        const taco__container *s = &ds->stores[i];
        size_t                 n = strlen(s->name);
        if ((taco__table_find_column(&s->levels[level].table, column) != TACO__NONE) != has) {
            continue;
        }
        if (out->len && out->len + n > 160) {
            left++;
            continue;
        }
        ok = (!out->len || taco__buf_append_text(out, ", ", err)) &&
             taco__buf_append_text(out, s->name, err);
    }
    if (ok && left) {
        char digits[24];
        ok = taco__buf_append_text(out, " and ", err) &&
             taco__buf_append(out, digits, taco__num_format_u64(digits, left), err) &&
             taco__buf_append_text(out, " more", err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}
/* Tells that not all datasets have a column: a failure in strict mode, else a warning that says where. */
TACO__FN bool taco__schema_union_report_missing(taco_dataset *ds, uint32_t level,
                                                const char *column, size_t have, size_t all,
                                                taco_error *err)
{
    bool       fill = ds->mode == TACO_COLUMNS_FILL_MISSING;
    taco_bytes name = taco__bytes_text(column);
    taco__buf  where;
    taco_error w;
    bool       ok;
    memset(&where, 0, sizeof where);
    memset(&w, 0, sizeof w);
    where.mem = &ds->mem;
    ok = taco__schema_union_list_datasets(ds, level, column, !fill, &where, err);
    if (ok && ds->mode == TACO_COLUMNS_STRICT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets (%s), --column-mode strict wants "
                   "it in all",
                   &name, TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
        ok = false;
    } else if (ok && ds->options.warn && fill) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: filled with nulls in %s", &name,
                   TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
    } else if (ok && ds->options.warn) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: dropped from %s", &name,
                   TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
    }
    if (w.code != TACO_OK) {
        ds->options.warn(ds->options.warn_ctx, &w);
    }
    taco__buf_free(&where);
    return ok;
}
/* Gives the table of a level a column of nulls for each that only other stores have: predicates may name them. */
TACO__FN bool taco__schema_union_add_null_columns(taco_dataset *ds, taco__table *t,
                                                  const taco_field *all, size_t count,
                                                  taco_error *err)
{
    taco_field *fields =
        (taco_field *)taco__arena_array(&ds->arena, t->field_count + count, sizeof *fields, err);
    size_t i, n = t->field_count;
    if (!fields) {
        return false;
    }
    memcpy(fields, t->fields, n * sizeof *fields);
    for (i = 0; i < count; i++) {
        if (taco__table_find_column(t, all[i].name) == TACO__NONE) {
            fields[n].name = all[i].name;
            fields[n].type = TACO_NULL;
            fields[n++].nullable = true;
        }
    }
    t->fields = fields;
    t->field_count = n;
    return true;
}
TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err)
{
    size_t      s, c, n = 0, max = 0, have, all;
    taco_field *out, f;
    bool       *mixed, clash;
    if (ds->fields[level]) {
        return true;
    }
    for (s = 0; s < ds->container_count; s++) {
        taco__level *l = taco__container_level(&ds->stores[s], level, err);
        if (!l) {
            return false;
        }
        max += l->table.field_count;
    }
    out = (taco_field *)taco__arena_array(&ds->arena, max + 1, sizeof *out, err);
    mixed = (bool *)taco__arena_array(&ds->arena, max + 1, sizeof *mixed, err);
    if (!out || !mixed) {
        return false;
    }
    for (s = 0; s < ds->container_count; s++) {
        const taco__table *t = &ds->stores[s].levels[level].table;
        for (c = 0; c < t->field_count; c++) {
            size_t k;
            for (k = 0; s && k < n && strcmp(out[k].name, t->fields[c].name) != 0; k++) {
            }
            if (s && k < n) {
                continue;
            }
            f = t->fields[c];
            have = all = 0;
            clash = false;
            if (ds->container_count > 1 &&
                !taco__schema_union_find_column(ds, level, &f, &have, &all, &clash, err)) {
                return false;
            }
            if (have < all && strcmp(f.name, TACO__SOURCE_FILE) == 0) {
                continue; /* all rows get one */
            }
            if (have < all) {
                if (!taco__schema_union_report_missing(ds, level, f.name, have, all, err)) {
                    return false;
                }
                if (ds->mode == TACO_COLUMNS_INTERSECTION) {
                    continue;
                }
            }
            mixed[n] = clash;
            out[n++] = f;
        }
    }
    for (s = 0; ds->mode == TACO_COLUMNS_FILL_MISSING && s < ds->container_count; s++) {
        if (!taco__schema_union_add_null_columns(ds, &ds->stores[s].levels[level].table, out, n,
                                                 err)) {
            return false;
        }
    }
    ds->fields[level] = out;
    ds->mixed[level] = mixed;
    ds->field_count[level] = n;
    return true;
}
/* Whether a column is stored under several types: what tests it must test the values that come out. */
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name)
{
    size_t i;
    for (i = 0; ds->mixed[level] && i < ds->field_count[level]; i++) {
        if (strcmp(ds->fields[level][i].name, name) == 0) {
            return ds->mixed[level][i];
        }
    }
    return false;
}

/* ---- filters as expressions ----------------------------------------------------------------------- */

typedef struct taco__query_box {
    double edge[4]; /* west, south, east, north */
} taco__query_box;

TACO__FN bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                   uint8_t *valid_bits, taco_error *err)
{
    taco_array part = *a;
    (void)valid_bits;
    part.length = rows;
    return taco__intersect_filter(&part, ((const taco__query_box *)ctx)->edge, true_bits, err) ==
           TACO_OK;
}
typedef struct taco__query_period { /* of microseconds, half open */
    int64_t from, to;
    bool    days;
} taco__query_period;

/* Times that are stored as text, in the way of TRY_CAST: what does not parse does not match. */
TACO__FN bool taco__query_text_time_test(void *ctx, const taco_array *a, size_t rows,
                                         uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t                    i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        taco_bytes b = taco_array_bytes(a, i);
        int32_t    day;
        int64_t    us;
        bool       date, zone;
        if (!taco_array_valid(a, i)) {
            continue;
        }
        if (s->days ? taco__time_cast_date(b, &day)
                    : taco__time_cast_timestamp(b, &us, &date, &zone)) {
            us = s->days ? (int64_t)day * 86400000000LL : us;
            if (us >= s->from && us < s->to) {
                taco__bitmap_set(true_bits, i);
            }
        }
    }
    return true;
}
TACO__FN bool taco__query_int96_time_test(void *ctx, const taco_array *a, size_t rows,
                                          uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t                    i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t ns;
        if (taco_array_valid(a, i) && taco__time_int96_to_nanos(a->v.u8 + i * 12, &ns)) {
            int64_t us = ns / 1000 - (ns % 1000 < 0);
            if (us >= s->from && us < s->to) {
                taco__bitmap_set(true_bits, i);
            }
        }
    }
    return true;
}
/* The first of the names that the table has; NOT_FOUND, naming them all, when it has none. */
TACO__FN size_t taco__query_find_column(const taco__table *t, const char *asked,
                                        const char *const *names, size_t n, const char *what,
                                        taco_error *err)
{
    size_t i, c;
    if (asked) {
        c = taco__table_find_column(t, asked);
        if (c == TACO__NONE) {
            taco__field_names_no_column(t->fields, t->field_count, taco__bytes_text(asked), err);
        }
        return c;
    }
    for (i = 0; i < n; i++) {
        c = taco__table_find_column(t, names[i]);
        if (c != TACO__NONE) {
            return c;
        }
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "no column to filter by %s: none of %s, %s%s%s", what, names[0], names[1],
               n > 2 ? ", " : "", n > 2 ? names[2] : "");
    return TACO__NONE;
}
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid",
                                        "istac:centroid"}; /* spec 7.2.2 */
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box       *box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (c == TACO__NONE || !box ||
        taco__intersect_normalize_box(f->bbox, box->edge, err) != TACO_OK) {
        return NULL;
    }
    if (t->fields[c].type != TACO_BINARY) {
        taco_bytes name = taco__bytes_text(t->fields[c].name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is no geometry: WKB is binary",
                   &name);
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__query_box_test;
    return taco__expr_custom(arena, c, &custom, err);
}
/* us in the unit of a column; beyond its reach, the end of it. */
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit)
{
    if (unit == TACO_NANO) {
        return us > INT64_MAX / 1000 ? INT64_MAX : us < INT64_MIN / 1000 ? INT64_MIN : us * 1000;
    }
    if (unit == TACO_MILLI ||
        unit == TACO_SECOND) { /* the first whole unit that is not before us */
        int64_t per = unit == TACO_MILLI ? 1000 : 1000000;
        return us / per + (us % per > 0);
    }
    return us;
}
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"}; /* spec 7.2.2 */
    size_t                   c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    int64_t                  first = 0, last = 0, from = 0, to = 0;
    taco__custom_predicate   custom;
    taco__query_period *span = (taco__query_period *)taco__arena_alloc(arena, sizeof *span, err);
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK ||
        c == TACO__NONE || !span) {
        return NULL;
    }
    span->days = !f->exact_time;
    span->from = f->exact_time ? from : first * 86400000000LL;
    span->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * 86400000000LL;
    memset(&custom, 0, sizeof custom);
    custom.ctx = span;
    switch (t->fields[c].type) {
    case TACO_TIMESTAMP:
        return taco__expr_range_i64(
            arena, c, taco__query_time_in_unit(span->from, t->fields[c].unit), true,
            taco__query_time_in_unit(span->to, t->fields[c].unit), true, err);
    case TACO_DATE: /* a date is its midnight */
        return taco__expr_range_i64(
            arena, c,
            taco__query_time_in_unit(span->from, TACO_MICRO) / 86400000000LL +
                (span->from % 86400000000LL > 0),
            true, span->to / 86400000000LL + (span->to % 86400000000LL > 0), true, err);
    case TACO_TEXT: custom.eval = taco__query_text_time_test; break;
    case TACO_INT96: custom.eval = taco__query_int96_time_test; break;
    default: /* TRY_CAST of any other type gives no date: no row matches */
        span->from = span->to = 0;
        return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    return taco__expr_custom(arena, c, &custom, err);
}
/* One filter on one level of one store, AND *e. */
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f,
                                     const taco_limits *limits, taco__expr **e, taco_error *err)
{
    taco__expr *x;
    if (f->where) {
        char *text = taco__arena_text(arena, taco__bytes_text(f->where), err);
        x = text ? taco__pred_parse(arena, text, strlen(text), limits, err) : NULL;
        if (!x) {
            taco_bytes w = taco__bytes_text(f->where);
            taco__error_prefix(err, "where: %q", &w);
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->time) {
        x = s && s->format && s->format->time ? s->format->time(arena, t, f, err)
                                              : taco__query_add_time(arena, t, f, err);
        if (!x) {
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->bbox) {
        x = s && s->format && s->format->bbox ? s->format->bbox(arena, t, f, err)
                                              : taco__query_add_bbox(arena, t, f, err);
        if (!x) {
            taco__error_prefix(err, "bbox");
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    return !err || err->code == TACO_OK;
}

/* ---- paths ---------------------------------------------------------------------------------------- */

typedef enum taco__sample_path_mode {
    TACO__SAMPLE_PATH_NONE = 0,
    TACO__SAMPLE_PATH_ZIP,
    TACO__SAMPLE_PATH_TACOCAT,
    TACO__SAMPLE_PATH_TOP,      /* FOLDER, level 0: by id */
    TACO__SAMPLE_PATH_RELATIVE, /* FOLDER, below: by internal:relative_path */
    TACO__SAMPLE_PATH_CHILD,    /* FOLDER, rows of a __meta__: parent directory and id */
    TACO__SAMPLE_PATH_STORED    /* formats: a column holds them */
} taco__sample_path_mode;

/* How the paths of a table's rows are made, and of which columns: places in the arrays that were read. */
typedef struct taco__sample_path_maker {
    taco__sample_path_mode mode;
    taco_bytes             root; /* archive, base of the archives, dataset or parent directory */
    size_t    a, b, name;        /* offset and size, or type; source_file, id or relative_path */
    taco__buf offsets, bytes, validity, padded;
} taco__sample_path_maker;

TACO__FN void taco__sample_path_maker_free(taco__sample_path_maker *m)
{
    taco__buf_free(&m->offsets);
    taco__buf_free(&m->bytes);
    taco__buf_free(&m->validity);
    taco__buf_free(&m->padded);
}
/* Chooses the mode for a level of a store; the columns it needs go to which[0..3). Returns their number. */
TACO__FN size_t taco__sample_path_maker_init(taco__sample_path_maker *m, const taco__container *s,
                                             const taco__table *t, const taco__column_roles *r,
                                             uint32_t level, size_t which[3], taco_error *err)
{
    const char *missing = NULL;
    m->root = taco__bytes_text(s->vsi);
    if (s->format) {
        which[0] = r->subfile;
        m->a = m->b = m->name = 0;
        m->mode = r->subfile == TACO__NONE || t->fields[r->subfile].type != TACO_TEXT
                      ? TACO__SAMPLE_PATH_NONE
                      : TACO__SAMPLE_PATH_STORED;
        return m->mode == TACO__SAMPLE_PATH_NONE ? 0 : 1;
    }
    if (s->kind == TACO_KIND_FOLDER) {
        m->mode = level ? TACO__SAMPLE_PATH_RELATIVE : TACO__SAMPLE_PATH_TOP;
        which[0] = level ? r->relative : r->id;
        which[1] = r->type;
        m->name = 0;
        m->a = 1;
        missing = which[0] == TACO__NONE   ? (level ? "internal:relative_path" : "id")
                  : which[1] == TACO__NONE ? "type"
                                           : NULL;
        if (!missing &&
            (t->fields[which[0]].type != TACO_TEXT || t->fields[which[1]].type != TACO_TEXT)) {
            missing = "id, type or internal:relative_path as text";
        }
        if (missing) {
            m->mode = TACO__SAMPLE_PATH_NONE;
            return 0;
        }
        return 2;
    }
    which[0] = r->offset;
    which[1] = r->size;
    which[2] = r->source;
    m->a = 0;
    m->b = 1;
    m->name = 2;
    m->mode = s->kind == TACO_KIND_ZIP ? TACO__SAMPLE_PATH_ZIP : TACO__SAMPLE_PATH_TACOCAT;
    missing = r->offset == TACO__NONE ? "internal:offset"
              : r->size == TACO__NONE ? "internal:size"
                                      : NULL;
    if (!missing && m->mode == TACO__SAMPLE_PATH_TACOCAT && r->source == TACO__NONE) {
        missing = "internal:source_file";
    }
    if (missing) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no %s, no path can be made",
                   missing);
        return 0;
    }
    if (!taco__join_is_integer(t->fields[r->offset].type) ||
        !taco__join_is_integer(t->fields[r->size].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return 0;
    }
    if (m->mode == TACO__SAMPLE_PATH_TACOCAT && t->fields[r->source].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:source_file must be text");
        return 0;
    }
    return m->mode == TACO__SAMPLE_PATH_ZIP ? 2 : 3;
}
TACO__FN int taco__sample_path_parse_type(taco_bytes type) /* 1 FOLDER, 0 FILE, -1 neither */
{
    return taco__bytes_equal(type, taco__bytes_text("FILE"))     ? 0
           : taco__bytes_equal(type, taco__bytes_text("FOLDER")) ? 1
                                                                 : -1;
}
/* Appends the path of row i; *null when it has none. */
TACO__FN bool taco__sample_path_append_row(const taco__sample_path_maker *m, taco__buf *out,
                                           const taco_array *in, size_t i, bool *null,
                                           taco_error *err)
{
    const taco_array *a = &in[m->a];
    taco_bytes        name;
    int               folder;
    *null = false;
    if (m->mode == TACO__SAMPLE_PATH_STORED) {
        *null = !taco_array_valid(a, i);
        name = taco_array_bytes(a, i);
        return *null || taco__buf_append(out, name.data, name.len, err);
    }
    if (m->mode == TACO__SAMPLE_PATH_ZIP || m->mode == TACO__SAMPLE_PATH_TACOCAT) {
        const taco_array *b = &in[m->b];
        if (!taco_array_valid(a, i) || !taco_array_valid(b, i)) {
            *null = true;
            return true;
        }
        if (m->mode == TACO__SAMPLE_PATH_ZIP) {
            return taco__vsi_append_zip(out, taco_array_int(a, i), taco_array_int(b, i), m->root,
                                        err);
        }
        return taco__vsi_append_tacocat(out, taco_array_int(a, i), taco_array_int(b, i), m->root,
                                        taco_array_bytes(&in[m->name], i), err);
    }
    folder = taco__sample_path_parse_type(taco_array_bytes(a, i));
    name = taco_array_bytes(&in[m->name], i);
    if (folder < 0 || !taco_array_valid(&in[m->name], i)) {
        *null = true;
        return true;
    }
    if (m->mode == TACO__SAMPLE_PATH_CHILD) {
        return taco__vsi_append_child(out, m->root, name, err);
    }
    return taco__vsi_append_folder(
        out, m->root, name, folder > 0,
        m->mode == TACO__SAMPLE_PATH_TOP ? "id" : "internal:relative_path", err);
}
/* The common case without a test per row: an archive, int64 columns without nulls. The root is copied in steps of 32
   bytes, from a copy that is padded as the output is. */
TACO__FN bool taco__sample_path_make_zip_column(taco__sample_path_maker *m, taco__mem *mem,
                                                const taco_array *in, size_t n, int32_t *offsets,
                                                taco_error *err)
{
    const int64_t *at = in[m->a].v.i64, *size = in[m->b].v.i64;
    const uint8_t *root;
    uint8_t       *p, *begin;
    size_t         i, k, len = m->root.len;
    m->padded.mem = mem;
    if (m->padded.len != len && (!taco__buf_reset(&m->padded, len, err) ||
                                 !taco__buf_append(&m->padded, m->root.data, len, err))) {
        return false;
    }
    root = m->padded.data;
    begin = p = m->bytes.data;
    for (i = 0; i < n; i++) {
        offsets[i] = (int32_t)(p - begin);
        if (!taco__vsi_check_range(at[i], size[i], err)) {
            taco__error_prefix(err, "row %u of the batch", TACO__U(i));
            return false;
        }
        memcpy(p, "/vsisubfile/", 12);
        p = taco__vsi_write_digits(p + 12, (uint64_t)at[i]);
        *p++ = '_';
        p = taco__vsi_write_digits(p, (uint64_t)size[i]);
        *p++ = ',';
        for (k = 0; k < len; k += 32) {
            memcpy(p + k, root + k, 32);
        }
        p += len;
    }
    m->bytes.len = (size_t)(p - begin);
    return true;
}
TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err)
{
    int32_t *offsets;
    size_t   i, bytes;
    memset(out, 0, sizeof *out);
    out->field = field;
    out->length = n;
    m->offsets.mem = m->bytes.mem = m->validity.mem = mem;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&m->offsets, bytes, err) ||
        !taco__buf_reset(&m->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)m->offsets.data;
    m->bytes.len = 0;
    if (!taco__buf_reserve(&m->bytes, n * (m->root.len + 54), err)) {
        return false;
    }
    if (m->mode == TACO__SAMPLE_PATH_ZIP && in[m->a].field->type == TACO_INT64 &&
        in[m->b].field->type == TACO_INT64 && !in[m->a].validity && !in[m->b].validity) {
        if (!taco__sample_path_make_zip_column(m, mem, in, n, offsets, err)) {
            return false;
        }
    } else {
        memset(m->validity.data, 0xFF, TACO__BITMAP_BYTES(n));
        for (i = 0; i < n; i++) {
            bool null = true;
            offsets[i] = (int32_t)m->bytes.len;
            if (m->mode != TACO__SAMPLE_PATH_NONE &&
                !taco__sample_path_append_row(m, &m->bytes, in, i, &null, err)) {
                return false;
            }
            if (null) {
                taco__bitmap_clear(m->validity.data, i);
                out->null_count++;
            }
        }
    }
    offsets[n] = (int32_t)m->bytes.len;
    out->offsets = offsets;
    out->v.any = m->bytes.data;
    out->validity = out->null_count ? m->validity.data : NULL;
    return true;
}
/* ==== ROOM cursor: rows of a query, batch by batch or one at a time. Uses: view join pq:scan pq:text ==== */

#define TACO__ROW_ID     "\1row" /* no column of a file: store << 32 | row of the level */
#define TACO__CURRENT_ID "internal:current_id"

typedef enum taco__cursor_column_kind {
    TACO__CURSOR_COLUMN_STORED = 0,
    TACO__CURSOR_COLUMN_VSI,
    TACO__CURSOR_COLUMN_SOURCE_PATH,
    TACO__CURSOR_COLUMN_SOURCE_FILE, /* a column where the table has it, else the name of the dataset's file */
    TACO__CURSOR_COLUMN_CURRENT_ID, /* a column where the table has it, else the row's number in its archive */
    TACO__CURSOR_COLUMN_ROW_ID
} taco__cursor_column_kind;

typedef struct taco__cursor_column { /* a column that comes out */
    taco__cursor_column_kind kind;
    uint32_t                 level; /* COLUMN: the level it is of */
    const char              *name;  /* there */
} taco__cursor_column;

TACO__FN bool taco__cursor_column_is_stored(
    const taco__cursor_column *o) /* a column of the table, where that has it */
{
    return o->kind == TACO__CURSOR_COLUMN_STORED || o->kind == TACO__CURSOR_COLUMN_SOURCE_FILE ||
           o->kind == TACO__CURSOR_COLUMN_CURRENT_ID;
}
/* Paths of a piece of the rows that a task of the scan read, made by a task too. */
typedef struct taco__sample_path_task {
    taco__mem                own;
    taco__sample_path_maker  vsi;
    taco_array              *in, out;
    const taco__scan_reader *lane;
    size_t                   from, n; /* its rows */
    uint64_t                 wave;    /* of the scan */
    bool                     ok;
} taco__sample_path_task;

#define TACO__SAMPLE_PATH_TASK_ROWS                                                                \
    ((size_t)8192) /* rows: their paths stay in the cache until they go out */

/* Rows of one store (or of one __meta__ table) on their way out. */
typedef struct taco__table_reader {
    const taco__table *table;
    taco__container   *store; /* NULL for children */
    taco__scan         scan;
    taco__cascade      picks;
    taco__expr        *where;                  /* what is left to test while rows come out */
    taco__row_reader   rows[TACO__MAX_LEVELS]; /* ancestors, flat views only */
    size_t *place; /* of an output column in the arrays of its level; TACO__NONE = null there */
    taco__sample_path_maker vsi;
    taco__sample_path_task *pieces; /* as many as the scan has lanes */
    size_t                  piece_count;
    taco__mem              *mem; /* of the pieces */
    taco_bytes              source_path;
    taco_bytes              source_file;
    int32_t                *current; /* OUT_CURRENT_ID of a catalogue; NULL: the row's number */
    taco__expr **tested;  /* of a dry cursor: conditions by level, where several levels are asked */
    uint32_t     deepest; /* of them */
    bool         open, has_cascade;
    uint32_t    *numbers; /* sorted results: all row numbers that were found */
    size_t       row_number_count;
} taco__table_reader;

typedef struct taco__cursor_sorted_row { /* a row of a sorted result */
    uint32_t feed, at;
} taco__cursor_sorted_row;

struct taco_cursor {
    taco_dataset        *ds;
    taco__mem           *mem;
    taco__arena          arena;
    taco_error           err;
    taco_field          *fields;
    taco__cursor_column *outs;
    size_t               count;
    size_t               hidden; /* fields behind those: to be asked for by name, not by '*' */
    bool                 shows_hidden;
    bool                 dry; /* opened to be looked at: nothing is tested or sorted */
    size_t row_id; /* of SQL: the hidden column that tells whose row it is, or TACO__NONE */
    taco__table_reader *readers;
    size_t              reader_count, feed;
    uint32_t            level; /* of the rows */
    bool                flat, padding, children;
    uint64_t            skip, left;
    taco_array         *arrays; /* of the batch */
    taco__buf           text_bits, null_bits;
    taco__buf           source_offsets, file_bits, file_offsets, current_bits, row_bits;
    taco__arena         unified; /* columns of the batch that were made another type */
    uint8_t **masks; /* rows that may come out, by store and level; borrowed while it is opened */
    const uint32_t *now; /* rows of the batch, counted from now_base; NULL: see `order` */
    uint64_t        now_base;
    size_t          now_order;
    taco_array     *nulls;
    /* sorted results */
    bool                     sorted;
    taco__cursor_sorted_row *order;
    size_t                   order_count, order_at;
    taco__row_reader       **kept; /* per feed and level: readers of the rows that come out */
    size_t                ***output_places; /* where their columns stand in the feed's arrays */
    taco__buf held; /* taco__cached_range: what was read for the keys or for rows before */
    /* the row cursor */
    taco_batch batch;
    size_t     row;
    bool       begun, rowwise;
    /* of the batch made last, where it came from one table in its order: the scan's row numbers, which it lends */
    const uint32_t *found;
    uint64_t        found_base;
    size_t          found_count;
    taco__buf       positions;
    taco__buf      *texts; /* of the current row, one per column; NULL until asked for */
    taco__buf       json;
    /* of children: for taco_cursor_children */
    const char      *folder; /* path of keys */
    taco__container *parent;
    taco_pq_file     child_pq;
    taco__table      child_table;
    taco__file       child_file;
    taco__file      *child_held; /* holds child_range for them */
    taco__range      child_range;
    bool             child_open, child_file_open;
    bool             owns_dataset; /* exported with it */
    /* of taco_sql: what makes its batches, and what ends it */
    void *plan;
    bool (*next)(taco_cursor *c, taco_batch *out);
    void (*end)(taco_cursor *c);
    bool alone; /* conditions ask nothing of ancestors: rows without a parent stay */
};

/* ---- which columns come out ----------------------------------------------------------------------- */

TACO__FN bool taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f)
{
    taco__cursor_column *o = &c->outs[c->count];
    o->kind = kind;
    o->level = level;
    o->name = name;
    c->fields[c->count] = *f;
    c->fields[c->count].name = label;
    c->fields[c->count].nullable = true;
    c->count++;
    return true;
}
TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n)
{
    c->fields = (taco_field *)taco__arena_array(&c->arena, n, sizeof *c->fields, &c->err);
    c->outs = (taco__cursor_column *)taco__arena_array(&c->arena, n, sizeof *c->outs, &c->err);
    return c->fields && c->outs;
}
TACO__FN void taco__cursor_column_init_text(taco_field *f)
{
    memset(f, 0, sizeof *f);
    f->type = TACO_TEXT;
    f->nullable = true;
}
/* "lN:name" */
TACO__FN const char *taco__cursor_column_label(taco_cursor *c, uint32_t level, const char *name)
{
    size_t n = strlen(name);
    char  *p = (char *)taco__arena_alloc(&c->arena, n + 4, &c->err);
    if (p) {
        p[0] = 'l';
        p[1] = (char)('0' + (int)level);
        p[2] = ':';
        memcpy(p + 3, name, n);
    }
    return p;
}
/* Every column that a query on this level can show. */
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level)
{
    taco_dataset *ds = c->ds;
    taco_field    text, whole;
    size_t        i, n = 5;
    uint32_t      l, lowest = c->flat ? 0 : level;
    bool          file = false, current = false;
    for (l = lowest; l <= level; l++) {
        if (!taco__schema_union_level_fields(ds, l, &c->err)) {
            return false;
        }
        n += ds->field_count[l];
    }
    if (!taco__cursor_column_reserve(c, n)) {
        return false;
    }
    for (l = level + 1; l-- > lowest;) {
        for (i = 0; i < ds->field_count[l]; i++) {
            const taco_field *f = &ds->fields[l][i];
            const char       *label = c->flat ? taco__cursor_column_label(c, l, f->name) : f->name;
            if (!label) {
                return false;
            }
            if (!c->flat || !taco__bytes_starts_with(taco__bytes_text(f->name), "internal:")) {
                bool                     is_file = strcmp(f->name, TACO__SOURCE_FILE) == 0;
                bool                     is_id = strcmp(f->name, TACO__CURRENT_ID) == 0;
                taco__cursor_column_kind kind = is_file ? TACO__CURSOR_COLUMN_SOURCE_FILE
                                                : is_id ? TACO__CURSOR_COLUMN_CURRENT_ID
                                                        : TACO__CURSOR_COLUMN_STORED;
                file = file || is_file;
                current = current || is_id;
                taco__cursor_column_add(c, kind, l, f->name, label, f);
            }
        }
    }
    taco__cursor_column_init_text(&text);
    if (ds->container_count > 1) {
        const char *label =
            c->flat ? taco__cursor_column_label(c, level, TACO__SOURCE_PATH) : TACO__SOURCE_PATH;
        if (!label) {
            return false;
        }
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_SOURCE_PATH, level, TACO__SOURCE_PATH, label,
                                &text);
        if (!file && !c->flat) {
            taco__cursor_column_add(c, TACO__CURSOR_COLUMN_SOURCE_FILE, level, TACO__SOURCE_FILE,
                                    TACO__SOURCE_FILE, &text);
        }
    }
    taco__cursor_column_add(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, TACO__GDAL_VSI,
                            &text);
    if (c->shows_hidden) {
        n = c->count;
        memset(&whole, 0, sizeof whole);
        whole.type = TACO_INT64;
        if (!c->flat && !current) {
            taco__cursor_column_add(c, TACO__CURSOR_COLUMN_CURRENT_ID, level, TACO__CURRENT_ID,
                                    TACO__CURRENT_ID, &whole);
        }
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_ROW_ID, level, TACO__ROW_ID, TACO__ROW_ID,
                                &whole);
        c->hidden = c->count - n;
        c->count = n;
    }
    return true;
}
/* Takes the next name of a list "a, \"b c\" desc" apart; *rest is what follows it up to the comma. False at the end, and
   with err where a name is missing. */
TACO__FN bool taco__cursor_column_parse_name(taco__arena *arena, const char **at, const char **name,
                                             taco_bytes *rest, taco_error *err)
{
    const char *p = *at + strspn(*at, " "), *begin;
    bool        quoted = *p == '"', closed = false;
    char       *to;
    if (!*p) {
        return false;
    }
    to = (char *)taco__arena_alloc(arena, strlen(p) + 1, err);
    if (!to) {
        return false;
    }
    *name = to;
    p += quoted;
    while (*p && !(closed = quoted ? *p == '"' && p[1] != '"' : *p == ',' || *p == ' ')) {
        p += quoted && *p == '"';
        *to++ = *p++;
    }
    *to = 0;
    p += quoted && closed;
    p += strspn(p, " ");
    begin = p;
    p += strcspn(p, ",");
    *at = *p ? p + 1 + strspn(p + 1, " ") : p;
    if (quoted ? !closed : !**name) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                   quoted ? "a quote is not closed" : "expected a column, found a comma");
        return false;
    }
    if (*p && !**at) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "expected a column after the last comma");
        return false;
    }
    while (p > begin && p[-1] == ' ') {
        p--;
    }
    *rest = taco__bytes_of(begin, (size_t)(p - begin));
    return true;
}
/* The place of a field of that name, TACO__NONE where there is none. */
TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return i;
        }
    }
    return TACO__NONE;
}
TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name)
{
    return taco__cursor_column_find_field(c->fields, c->count, name);
}
/* Keeps the columns of a list, in its order. */
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const char *list)
{
    taco_field          *fields = c->fields;
    taco__cursor_column *outs = c->outs;
    size_t               n = 0, all = c->count + c->hidden, max = 1;
    const char          *p, *name;
    taco_bytes           rest;
    for (p = list; *p; p++) {
        max += *p == ',';
    }
    if (!taco__cursor_column_reserve(c, max)) {
        return false;
    }
    for (p = list; taco__cursor_column_parse_name(&c->arena, &p, &name, &rest, &c->err);) {
        size_t i;
        for (i = 0; i < all && strcmp(fields[i].name, name) != 0; i++) {
        }
        if (i == all) {
            taco__field_names_no_column(fields, c->count, taco__bytes_text(name), &c->err);
        } else if (rest.len) {
            TACO__FAIL(&c->err, TACO_ERR_SYNTAX, (size_t)((const char *)rest.data - list),
                       "expected a comma, found %q", &rest);
        }
        if (c->err.code != TACO_OK) {
            break;
        }
        c->fields[n] = fields[i];
        c->outs[n++] = outs[i];
    }
    c->count = n;
    c->hidden = 0;
    if (n == 0 && c->err.code == TACO_OK) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    if (c->err.code != TACO_OK) {
        taco__error_prefix(&c->err, "select");
        return false;
    }
    return true;
}

/* ---- readers ---------------------------------------------------------------------------------------- */

/* Place of a table column in the list, added when it is not there: a column has one reader. */
TACO__FN size_t taco__table_reader_add_column(size_t *which, size_t *n, size_t column)
{
    size_t i;
    for (i = 0; i < *n && which[i] != column; i++) {
    }
    if (i == *n) {
        which[(*n)++] = column;
    }
    return i;
}
/* What picked rows need of the columns that go out. */
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err)
{
    const taco__table *t = r->table;
    taco__wanted_rows  w;
    taco__scan_span    span;
    uint32_t           g;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    w.select = picked;
    for (g = 0; g < taco__table_group_count(t); g++) {
        span.first = taco__table_group_first_row(t, g);
        span.n = taco__table_group_rows(t, g);
        span.whole = !picked;
        if ((!picked || taco__bitmap_count(picked, (size_t)span.first, (size_t)span.n)) &&
            !taco__scan_fetch_add_chunks(t->pq, r->which, r->count, t->stored, g, &w, ranges,
                                         err)) {
            return false;
        }
    }
    return true;
}
/* A flat view from a vectored source: ancestors would be read row group by row group, and come in one round instead. */
TACO__FN bool taco__table_reader_read_ahead(taco__table_reader *f, uint32_t level, taco_error *err)
{
    taco__buf   ranges;
    taco__file *file = f->table->pq ? f->table->pq->part.file : NULL;
    uint32_t    l;
    bool        ok = true;
    if (!f->has_cascade || !file || !file->src.read_many) {
        return true;
    }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = f->store->mem;
    for (l = 0; ok && l <= level; l++) {
        const taco__row_reader *r = l == level ? &f->scan.out : &f->rows[l];
        ok = !r->table->pq || r->table->pq->part.file != file ||
             taco__table_reader_need_columns(r, f->picks.bits[l], &ranges, err);
    }
    ok = ok && taco__cascade_cache_ranges(&f->picks, file, &ranges, err);
    taco__buf_free(&ranges);
    return ok;
}
/* Makes the numbers that stand for internal:current_id where they are not the rows'. */
TACO__FN bool taco__table_reader_make_current_ids(taco_cursor *c, taco__table_reader *f,
                                                  taco_error *err)
{
    taco__level *l = &f->store->levels[c->level];
    if (f->current || f->store->kind != TACO_KIND_TACOCAT || l->role.source == TACO__NONE) {
        return true;
    }
    f->current =
        (int32_t *)taco__arena_array(&c->arena, (size_t)l->table.rows + 1, sizeof *f->current, err);
    return f->current && taco__join_number_rows(f->store, l, f->current, err);
}
/* Opens the scan of a feed over the columns of its own level, and readers for those of ancestors. */
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f,
                                      const taco__column_roles  *roles,
                                      const taco__cursor_column *outs, size_t count,
                                      taco_error *err)
{
    size_t  *which, n = 0, i;
    uint32_t l;
    bool     vsi = false;
    size_t   inputs[3];
    which = (size_t *)taco__arena_array(&c->arena, count + 4, sizeof *which, err);
    f->place = (size_t *)taco__arena_array(&c->arena, count + 1, sizeof *f->place, err);
    if (!which || !f->place) {
        return false;
    }
    for (i = 0; i < count; i++) {
        f->place[i] = TACO__NONE;
        vsi = vsi || outs[i].kind == TACO__CURSOR_COLUMN_VSI;
        if (taco__cursor_column_is_stored(&outs[i]) && outs[i].level == c->level) {
            size_t at = taco__table_find_column(f->table, outs[i].name);
            if (at < f->table->stored + f->table->constant_count) {
                f->place[i] = taco__table_reader_add_column(which, &n, at);
            } else if (outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID && f->store &&
                       !taco__table_reader_make_current_ids(c, f, err)) {
                return false;
            }
        }
    }
    if (vsi && !c->children) {
        size_t places[3] = {0, 0, 0}, j,
               k = taco__sample_path_maker_init(&f->vsi, f->store, f->table, roles, c->level,
                                                inputs, err);
        if (err->code != TACO_OK) {
            return taco__container_fail(f->store, f->store->levels[c->level].name, err);
        }
        for (j = 0; j < k; j++) {
            places[j] = taco__table_reader_add_column(which, &n, inputs[j]);
        }
        if (k) {
            f->vsi.a = places[f->vsi.a];
            f->vsi.b = places[TACO__MIN(f->vsi.b, (size_t)2)];
            f->vsi.name = places[TACO__MIN(f->vsi.name, (size_t)2)];
        }
    } else if (
        vsi) { /* the plan was made where the children were found; a, b and name are table columns */
        f->vsi.a = taco__table_reader_add_column(which, &n, f->vsi.a);
        f->vsi.b = f->vsi.name = taco__table_reader_add_column(which, &n, f->vsi.b);
    }
    if (!taco__scan_open(&f->scan, f->table, f->where,
                         f->has_cascade ? f->picks.bits[c->level] : NULL, which, n,
                         TACO__BATCH_ROWS, c->mem, err)) {
        return false;
    }
    f->open = true;
    for (l = 0; c->flat && l < c->level; l++) {
        for (i = n = 0; i < count; i++) {
            if (taco__cursor_column_is_stored(&outs[i]) && outs[i].level == l) {
                size_t at = taco__table_find_column(&f->store->levels[l].table, outs[i].name);
                if (at <
                    f->store->levels[l].table.stored + f->store->levels[l].table.constant_count) {
                    f->place[i] = n;
                    which[n++] = at;
                }
            }
        }
        if (!taco__row_reader_open(&f->rows[l], &f->store->levels[l].table, which, n, c->mem,
                                   err)) {
            return false;
        }
    }
    return !c->flat || c->left != UINT64_MAX || taco__table_reader_read_ahead(f, c->level, err);
}
TACO__FN void taco__table_reader_close(taco__table_reader *f)
{
    uint32_t l;
    size_t   i;
    for (i = 0; i < f->piece_count; i++) {
        taco__sample_path_maker_free(&f->pieces[i].vsi);
        taco__mem_task_merge(f->mem, &f->pieces[i].own);
        taco__mem_task_return_spares(f->mem, &f->pieces[i].own);
    }
    f->piece_count = 0;
    if (f->open) {
        taco__scan_close(&f->scan);
        f->open = false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        taco__row_reader_close(&f->rows[l]);
    }
    if (f->has_cascade) {
        taco__cascade_free(f->store, &f->picks);
        f->has_cascade = false;
    }
    taco__sample_path_maker_free(&f->vsi);
}
/* What the filters of a query leave of one store. */
TACO__FN bool taco__table_reader_filter(taco_cursor *c, taco__table_reader *f,
                                        const taco_filter *filters, size_t n, taco_error *err)
{
    taco__container *s = f->store;
    taco__expr      *where[TACO__MAX_LEVELS] = {NULL};
    uint8_t **masks = c->masks ? c->masks + (size_t)(f - c->readers) * TACO__MAX_LEVELS : NULL;
    uint32_t  l, deepest = 0;
    bool      any = false, masked = false;
    size_t    i;
    for (i = 0; i < n; i++) {
        taco__level *level = taco__container_level(s, filters[i].level, err);
        if (!level || (c->ds->container_count > 1 &&
                       !taco__schema_union_level_fields(c->ds, filters[i].level, err))) {
            return false;
        }
        if (!filters[i].where && !filters[i].bbox && !filters[i].time) {
            continue;
        }
        if (!taco__query_add_filter(f->store, &c->arena, &level->table, &filters[i],
                                    &c->ds->options.limits, &where[filters[i].level], err)) {
            return taco__container_fail(s, NULL, err);
        }
        deepest = TACO__MAX(deepest, filters[i].level);
        any = true;
    }
    for (l = 0; masks && l < TACO__MAX_LEVELS; l++) {
        masked = masked || masks[l];
        deepest = masks[l] ? TACO__MAX(deepest, l) : deepest;
    }
    any = any || masked;
    for (l = 0; l <= TACO__MAX(deepest, c->level); l++) {
        taco__level *level = taco__container_level(s, l, err);
        if (!level) {
            return false;
        }
        if (!c->padding && (any || c->flat || l == c->level) &&
            !taco__query_hide_padding(level, &c->arena, &where[l], err)) {
            return false;
        }
        if (where[l] && !taco__pred_bind(where[l], level->table.fields, level->table.field_count,
                                         &c->arena, err)) {
            taco__error_prefix(err, "where");
            return taco__container_fail(s, NULL, err);
        }
    }
    if ((any && (masked || (!c->alone && (deepest > 0 || c->level > 0)))) ||
        (c->flat && c->level > 0)) {
        deepest = TACO__MAX(deepest, c->flat ? c->level : 0);
        f->deepest = deepest;
        f->tested = (taco__expr **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                     sizeof(taco__expr *), err);
        if (!f->tested) {
            return false;
        }
        memcpy(f->tested, where, sizeof where);
        f->has_cascade = !c->dry;
        if (!c->dry && !taco__cascade_run(s, &f->picks, where, masks, deepest, c->level, err)) {
            return false;
        }
        f->where = c->level > deepest ? where[c->level] : NULL;
    } else {
        f->where = where[c->level];
    }
    if (c->flat) {
        taco__expr *file = s->levels[c->level].role.type == TACO__NONE
                               ? NULL
                               : taco__expr_equals(&c->arena, s->levels[c->level].role.type,
                                                   taco__bytes_text("FILE"), err);
        if (!file ||
            !taco__pred_bind(file, f->table->fields, f->table->field_count, &c->arena, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no type column of text");
            return taco__container_fail(s, s->levels[c->level].name, err);
        }
        f->where = f->where ? taco__expr_and(&c->arena, f->where, file, err) : file;
        if (f->where) {
            f->where->bound = true;
        }
    }
    return err->code == TACO_OK;
}

/* Puts dataset, and level or folder, in front of a message of a cursor. */
TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level)
{
    if (c->children) {
        taco_bytes path = taco__bytes_text(c->folder);
        taco__error_prefix(&c->err, "%s: %q", c->parent->name, &path);
        return false;
    }
    return taco__container_fail(f->store, level ? f->store->levels[c->level].name : NULL, &c->err);
}

/* ---- batches -------------------------------------------------------------------------------------- */

TACO__FN bool taco__compose_null_column(taco_cursor *c, size_t i, size_t n)
{
    taco_array *a = &c->arrays[i];
    if (c->fields[i].child_count) { /* whoever descends finds the children */
        return taco__unify_null_array(&c->fields[i], n, a, &c->unified, &c->err);
    }
    memset(a, 0, sizeof *a);
    a->field = &c->fields[i];
    a->length = a->null_count = n;
    a->validity = c->null_bits.data; /* zeroed */
    return true;
}
/* The same text in every row; places and bytes hold it. */
TACO__FN bool taco__compose_constant_column(taco_cursor *c, size_t i, taco_bytes text, size_t n,
                                            taco__buf *places, taco__buf *held)
{
    int32_t *offsets;
    size_t   k, bytes;
    if (!taco__checked_mul_size(n, text.len, &bytes) || bytes > INT32_MAX ||
        !taco__buf_reset(places, (n + 1) * sizeof(int32_t), &c->err) ||
        !taco__buf_reset(held, bytes, &c->err)) {
        return false;
    }
    offsets = (int32_t *)(void *)places->data;
    for (k = 0; k < n; k++) {
        offsets[k] = (int32_t)(k * text.len);
        memcpy(held->data + k * text.len, text.data, text.len);
    }
    offsets[n] = (int32_t)bytes;
    memset(&c->arrays[i], 0, sizeof c->arrays[i]);
    c->arrays[i].field = &c->fields[i];
    c->arrays[i].length = n;
    c->arrays[i].offsets = offsets;
    c->arrays[i].v.any = held->data;
    return true;
}
/* Row i of the batch in its level, and the store it is of. */
TACO__FN uint64_t taco__compose_row_number(const taco_cursor *c, size_t i, size_t *feed)
{
    if (c->now) {
        *feed = c->feed;
        return c->now_base + c->now[i];
    }
    *feed = c->order[c->now_order + i].feed;
    return c->readers[*feed].numbers[c->order[c->now_order + i].at];
}
/* The same behind the batch, for SQL too, as long as its rows are rows of the dataset. */
TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store, uint64_t *row)
{
    if (c->children || (c->next && c->row_id == TACO__NONE)) {
        return false;
    }
    if (c->next) {
        uint64_t x = (uint64_t)taco_array_int(&c->arrays[c->row_id], i);
        *store = (size_t)(x >> 32);
        *row = x & UINT32_MAX;
    } else {
        *row = taco__compose_row_number(c, i, store);
    }
    return true;
}
/* Numbers made of the rows: where they are, or what stands for internal:current_id. */
TACO__FN bool taco__compose_number_column(taco_cursor *c, taco__table_reader *f, size_t i, size_t n)
{
    bool       id = c->outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID;
    taco__buf *held = id ? &c->current_bits : &c->row_bits;
    int64_t   *out;
    size_t     k, feed;
    if (!f->store || (id && c->fields[i].type != TACO_INT64)) {
        return taco__compose_null_column(c, i, n);
    }
    if (!taco__buf_reset(held, (n + 1) * sizeof *out, &c->err)) {
        return false;
    }
    out = (int64_t *)(void *)held->data;
    for (k = 0; k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &feed);
        out[k] = !id          ? (int64_t)((uint64_t)feed << 32 | row)
                 : f->current ? f->current[row]
                              : (int64_t)row;
    }
    memset(&c->arrays[i], 0, sizeof c->arrays[i]);
    c->arrays[i].field = &c->fields[i];
    c->arrays[i].length = n;
    c->arrays[i].v.any = out;
    return true;
}
/* Whether an output column may come under another type than it is stored. */
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i)
{
    return c->ds->container_count > 1 && !c->children &&
           taco__cursor_column_is_stored(&c->outs[i]) &&
           taco__schema_union_is_mixed(c->ds, c->outs[i].level, c->outs[i].name);
}
TACO__FN void taco__sample_path_task_run(void *arg, size_t i)
{
    taco__sample_path_task *p = &((taco__table_reader *)arg)->pieces[i];
    taco_error              err;
    memset(&err, 0, sizeof err);
    p->ok = taco__sample_path_make_column(&p->vsi, &p->own, p->in, p->n, NULL, &p->out, &err);
}
/* Says which rows a piece is of: up to n of a lane, from at on. */
TACO__FN void taco__sample_path_task_set_rows(const taco__table_reader *f,
                                              taco__sample_path_task *p, const taco__scan_reader *l,
                                              size_t at, size_t n)
{
    const size_t use[3] = {p->vsi.a, p->vsi.b, p->vsi.name};
    size_t       k;
    p->lane = l;
    p->from = at;
    p->n = TACO__MIN(n, l->n - at);
    p->wave = f->scan.task_batches;
    for (k = 0; k < 3; k++) {
        if (use[k] < f->scan.out.count) {
            p->in[use[k]] = taco__array_buf_slice(NULL, &l->rows.arrays[use[k]], at, p->n);
        }
    }
}
/* Paths of a short lane, in the task that has just read its rows; their memory is of the lane's share. */
TACO__FN void taco__sample_path_chunk_done(void *ctx, size_t i)
{
    taco__table_reader     *f = (taco__table_reader *)ctx;
    taco__scan_reader      *l = &f->scan.lanes[i];
    taco__sample_path_task *p = &f->pieces[i];
    if (l->n <= TACO__SAMPLE_PATH_TASK_ROWS) {
        taco__sample_path_task_set_rows(f, p, l, 0, l->n);
        taco__mem_task_begin(&l->own, &p->own, 1);
        taco__sample_path_task_run(f, i);
        taco__mem_task_merge(&l->own, &p->own);
    }
}
/* Has tasks make the paths, where any go out: before the first rows are read. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f)
{
    taco_error e;
    size_t     i, n = taco__scan_task_max_readers(&f->scan);
    memset(&e, 0, sizeof e);
    for (i = 0; i < c->count && c->outs[i].kind != TACO__CURSOR_COLUMN_VSI; i++) {
    }
    if (i == c->count || c->sorted || c->children || c->dry) {
        return;
    }
    f->mem = c->mem;
    f->pieces = (taco__sample_path_task *)taco__arena_array(&c->arena, n, sizeof *f->pieces, &e);
    for (i = 0; f->pieces && i < n; i++) {
        taco__sample_path_task *p = &f->pieces[i];
        p->in =
            (taco_array *)taco__arena_array(&c->arena, f->scan.out.count + 1, sizeof *p->in, &e);
        p->vsi.mode = f->vsi.mode;
        p->vsi.root = f->vsi.root;
        p->vsi.a = f->vsi.a;
        p->vsi.b = f->vsi.b;
        p->vsi.name = f->vsi.name;
    }
    f->piece_count = e.code == TACO_OK ? n : 0;
    for (i = 0; i < f->piece_count; i++) {
        taco__mem_task_begin(c->mem, &f->pieces[i].own, 1);
        taco__mem_task_take_spares(c->mem, &f->pieces[i].own, TACO__SCAN_SPARES + (unsigned)i,
                                   n * 3);
    }
    f->scan.also = f->piece_count ? taco__sample_path_chunk_done : NULL;
    f->scan.reader_done_ctx = f;
}
/* Makes paths of the rows of a long lane from at on: a piece a task, in whole batches. */
TACO__FN void taco__sample_path_tasks_run(taco_cursor *c, taco__table_reader *f,
                                          const taco__scan_reader *l, size_t at)
{
    const taco_options *host = f->scan.parallel;
    size_t              i, n, rows = l->n - at, each = (rows + f->scan.width - 1) / f->scan.width;
    if (rows <= TACO__BATCH_ROWS) {
        return;
    }
    each = TACO__MIN((each + TACO__BATCH_ROWS - 1) / TACO__BATCH_ROWS * TACO__BATCH_ROWS,
                     TACO__SAMPLE_PATH_TASK_ROWS);
    for (n = 0; n < f->scan.width && at < l->n; n++, at += each) {
        taco__sample_path_task_set_rows(f, &f->pieces[n], l, at, each);
        taco__mem_task_begin(c->mem, &f->pieces[n].own, f->scan.width);
    }
    host->parallel_for(host->parallel_ctx, n, taco__sample_path_task_run, f);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(c->mem, &f->pieces[i].own);
    }
}
/* The paths of the n rows that the scan gave last, where tasks can make them: of columns that tasks have read. */
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out)
{
    const taco__scan        *s = &f->scan;
    const taco__scan_reader *l = s->lanes;
    size_t                   i, at = s->found_at - n, turn;
    if (!s->parallel || !l || !s->read_by_tasks || !f->piece_count) {
        return false;
    }
    for (; at >= l->first + l->n; l++) {
    }
    at -= l->first;
    for (turn = 0; at % 8 == 0 && turn < 2; turn++) {
        for (i = 0; i < f->piece_count; i++) {
            const taco__sample_path_task *p = &f->pieces[i];
            if (p->ok && p->wave == s->task_batches && p->lane == l && at >= p->from &&
                at + n <= p->from + p->n) {
                *out = p->out;
                out->offsets += at - p->from;
                out->validity = out->validity ? out->validity + (at - p->from) / 8 : NULL;
                out->null_count = out->validity ? n - taco__bitmap_count(out->validity, 0, n) : 0;
                out->length = n;
                return true;
            }
        }
        if (turn == 0) {
            taco__sample_path_tasks_run(c, f, l, at);
        }
    }
    return false;
}
/* Lays out a batch of n rows from the arrays of each level. */
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n)
{
    size_t i, bits = TACO__BITMAP_BYTES(n) + 8;
    if (!taco__buf_reset(&c->null_bits, bits, &c->err)) {
        return false;
    }
    memset(c->null_bits.data, 0, bits);
    taco__arena_free(&c->unified); /* of the batch before */
    for (i = 0; i < c->count; i++) {
        if (c->outs[i].kind == TACO__CURSOR_COLUMN_VSI) {
            if (taco__sample_path_take_from_tasks(c, f, n, &c->arrays[i])) {
                c->arrays[i].field = &c->fields[i];
            } else if (!taco__sample_path_make_column(&f->vsi, c->mem, by_level[c->level], n,
                                                      &c->fields[i], &c->arrays[i], &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_SOURCE_PATH) {
            if (!taco__compose_constant_column(c, i, f->source_path, n, &c->source_offsets,
                                               &c->text_bits)) {
                return false;
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_SOURCE_FILE &&
                   f->place[i] == TACO__NONE) {
            if (!taco__compose_constant_column(c, i, f->source_file, n, &c->file_offsets,
                                               &c->file_bits)) {
                return false;
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_ROW_ID ||
                   (c->outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID &&
                    f->place[i] == TACO__NONE)) {
            if (!taco__compose_number_column(c, f, i, n)) {
                return false;
            }
        } else if (f->place[i] == TACO__NONE) {
            if (!taco__compose_null_column(c, i, n)) {
                return false;
            }
        } else {
            c->arrays[i] = by_level[c->outs[i].level][f->place[i]];
            if (taco__compose_is_mixed(c, i) &&
                !taco__unify_cast_array(&c->unified, &c->fields[i],
                                        &by_level[c->outs[i].level][f->place[i]], &c->arrays[i],
                                        &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
            c->arrays[i].field = &c->fields[i];
        }
    }
    return true;
}
/* Reads rows of an ancestor level, in any order, repeated ones too. */
TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n)
{
    size_t   i;
    uint32_t sorted = 1;
    for (i = 1; i < n; i++) {
        sorted &= rows[i - 1] <= rows[i];
    }
    if (sorted) {
        return taco__row_reader_read(r, 0, rows, n, &c->err);
    } else { /* parents that do not ascend: the whole span, then a selection */
        uint32_t low = rows[0], high = rows[0];
        int32_t *idx;
        bool     ok;
        for (i = 1; i < n; i++) {
            low = TACO__MIN(low, rows[i]);
            high = TACO__MAX(high, rows[i]);
        }
        if (!taco__row_reader_read_range(r, low, (size_t)(high - low) + 1, &c->err)) {
            return false;
        }
        idx = (int32_t *)taco__mem_alloc(c->mem, n * sizeof *idx, &c->err);
        for (i = 0; idx && i < n; i++) {
            idx[i] = (int32_t)(rows[i] - low);
        }
        ok = idx && taco__row_reader_take(r, idx, n, false, &c->err);
        taco__mem_free(c->mem, idx, n * sizeof *idx);
        return ok;
    }
}
/* Ancestors of the rows base + found[0..n) of the feed's level. */
TACO__FN bool taco__compose_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                           const uint32_t *found, uint64_t base, size_t n,
                                           const taco_array **by_level)
{
    size_t    i, bytes = n * sizeof(uint32_t);
    uint32_t *up = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    uint32_t  l;
    bool      ok = up != NULL;
    for (i = 0; ok && i < n; i++) {
        up[i] = (uint32_t)(base + found[i]);
    }
    for (l = c->level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n;
             i++) { /* picked rows have parents: taco__cascade_to_children saw to it */
            up[i] = (uint32_t)parents[up[i]];
        }
        ok = taco__compose_read_level(c, &f->rows[l], up, n);
        by_level[l] = f->rows[l].arrays;
    }
    taco__mem_free(c->mem, up, bytes);
    return ok || taco__cursor_fail(c, f, false);
}
TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out)
{
    while (c->feed < c->reader_count && c->left) {
        taco__table_reader *f = &c->readers[c->feed];
        const taco_array   *by_level[TACO__MAX_LEVELS] = {NULL};
        const uint32_t     *found;
        uint64_t            base;
        size_t              n;
        bool read = c->skip == 0; /* of rows in front of the first one only the numbers are made */
        uint64_t want = read ? c->left : c->skip;
        if (f->scan.parallel && !f->scan.task_batches && !f->piece_count) {
            taco__sample_path_tasks_init(c, f);
        }
        n = taco__scan_next(&f->scan, (size_t)TACO__MIN(want, (uint64_t)SIZE_MAX), read, &found,
                            &base, &c->err);
        if (c->err.code != TACO_OK) {
            return taco__cursor_fail(c, f, false);
        }
        if (n == 0) {
            c->feed++;
            continue;
        }
        if (!read) {
            c->skip -= n;
            continue;
        }
        by_level[c->level] = f->scan.out.arrays;
        c->now = found;
        c->now_base = base;
        if ((c->flat && !taco__compose_read_ancestors(c, f, found, base, n, by_level)) ||
            !taco__compose_batch(c, f, by_level, n)) {
            return false;
        }
        c->left -= n;
        out->length = n;
        out->columns = c->arrays;
        out->column_count = c->count;
        out->first_row = found[n - 1] - found[0] == n - 1 ? (int64_t)(base + found[0]) : -1;
        c->found = c->children ? NULL : found;
        c->found_base = base;
        c->found_count = n;
        return true;
    }
    return false;
}

/* ---- sorted results ------------------------------------------------------------------------------- */

TACO__FN void taco__cursor_sorted_release_cached(taco_cursor *c)
{
    const taco__cached_range *h = (const taco__cached_range *)(const void *)c->held.data;
    size_t                    i;
    for (i = 0; i < c->held.len / sizeof *h; i++) {
        taco__file_release(h[i].file, h[i].range.offset, h[i].range.len);
    }
    c->held.len = 0;
}
/* Reads what the columns of r need for ascending rows in one round, and keeps it: a column that is sorted by and also
   comes out, or rows of one page that come out far apart, are read once. Too much of it is not kept but read as it
   comes. */
TACO__FN bool taco__cursor_sorted_cache_rows(taco_cursor *c, const taco__row_reader *r,
                                             const uint32_t *rows, size_t n)
{
    taco_pq_file             *pq = r->table->pq;
    taco__buf                 ranges;
    taco__wanted_rows         w;
    const taco__cached_range *h = (const taco__cached_range *)(const void *)c->held.data;
    uint64_t                  total = 0;
    size_t                    i, k;
    bool                      ok = true;
    if (!pq || !r->count) {
        return true;
    }
    memset(&ranges, 0, sizeof ranges);
    memset(&w, 0, sizeof w);
    ranges.mem = c->mem;
    for (i = 0; ok && i < n; i = k) {
        uint32_t g = taco__footer_find_row_group(&pq->meta, rows[i]);
        uint64_t end =
            taco__table_group_first_row(r->table, g) + taco__table_group_rows(r->table, g);
        for (k = i; k < n && rows[k] < end; k++) {
        }
        w.rows = rows + i;
        w.row_count = k - i;
        ok = taco__scan_fetch_add_chunks(pq, r->which, r->count, r->table->stored, g, &w, &ranges,
                                         &c->err);
    }
    for (i = 0; i < c->held.len / sizeof *h; i++) {
        total += h[i].range.len;
    }
    if (total > TACO__SCAN_AHEAD) {
        taco__cursor_sorted_release_cached(c);
    }
    if (ok && taco__scan_fetch_range_bytes(&ranges) <= TACO__SCAN_AHEAD) {
        const taco__range *x = (const taco__range *)(const void *)ranges.data;
        taco__cached_range one;
        n = ranges.len / sizeof *x;
        one.file = pq->part.file;
        ok = taco__buf_reserve(&c->held, n * sizeof one, &c->err) &&
             taco__file_fetch(one.file, x, n, &c->err);
        for (i = 0; ok && i < n; i++) {
            one.range = x[i];
            ok = taco__buf_append(&c->held, &one, sizeof one, &c->err);
        }
    }
    taco__buf_free(&ranges);
    return ok;
}
/* The numbers of all rows that a feed finds. */
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f)
{
    taco__buf       list;
    const uint32_t *found;
    uint64_t        base;
    size_t          i, n;
    memset(&list, 0, sizeof list);
    list.mem = c->mem;
    f->scan.keep = true;
    while ((n = taco__scan_next(&f->scan, TACO__SCAN_SLICE, false, &found, &base, &c->err)) != 0) {
        uint32_t *to;
        if (!taco__buf_reserve(&list, n * sizeof *to, &c->err)) {
            break;
        }
        to = (uint32_t *)(void *)(list.data + list.len);
        for (i = 0; i < n; i++) {
            to[i] = (uint32_t)(base + found[i]);
        }
        list.len += n * sizeof *to;
    }
    f->row_number_count = list.len / sizeof(uint32_t);
    f->numbers = (uint32_t *)taco__arena_array(&c->arena, f->row_number_count + 1, sizeof(uint32_t),
                                               &c->err);
    if (f->numbers && list.len) {
        memcpy(f->numbers, list.data, list.len);
    }
    taco__buf_free(&list);
    return c->err.code == TACO_OK;
}
/* Reads columns of the rows numbers[0..n) of a feed, one array per output column, in `rows` (one reader per level). */
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level)
{
    uint32_t *up, l;
    size_t    i;
    bool      ok;
    if (!taco__cursor_sorted_cache_rows(c, &rows[c->level], numbers, n) ||
        !taco__compose_read_level(c, &rows[c->level], numbers, n)) {
        return false;
    }
    by_level[c->level] = rows[c->level].arrays;
    if (!c->flat) {
        return true;
    }
    up = (uint32_t *)taco__mem_alloc(c->mem, n * sizeof *up, &c->err);
    ok = up != NULL;
    if (ok) {
        memcpy(up, numbers, n * sizeof *up);
    }
    for (l = c->level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        for (i = 1; i < n && up[i - 1] <= up[i]; i++) {
        }
        ok = (i < n || taco__cursor_sorted_cache_rows(c, &rows[l], up, n)) &&
             taco__compose_read_level(c, &rows[l], up, n);
        by_level[l] = rows[l].arrays;
    }
    taco__mem_free(c->mem, up, n * sizeof *up);
    return ok;
}
/* A sort key in 64 bits that order as the values do; text gives its first 8 bytes, ties are accounted by the text. */
typedef struct taco__cursor_order_key {
    uint64_t   rank;
    taco_bytes text;
    bool       null;
} taco__cursor_order_key;
typedef struct taco__cursor_order_row {
    taco__cursor_order_key *keys;
    uint32_t                feed, at;
} taco__cursor_order_row;
typedef struct taco__cursor_order_spec {
    size_t column;
    bool   descending;
} taco__cursor_order_spec;
/* qsort has no context: rows point to it. */
typedef struct taco__cursor_order_item {
    const taco__cursor_order_key  *keys;
    const taco__cursor_order_spec *specs;
    size_t                         count;
    uint32_t                       feed, at;
} taco__cursor_order_item;

TACO__FN uint64_t taco__cursor_order_rank_float(double d)
{
    uint64_t x = taco__f64_to_bits(d == 0.0 ? 0.0 : d);
    if (d != d) {
        return UINT64_MAX; /* NaN is greater than every number, as in DuckDB */
    }
    return x >> 63 ? ~x : x | (uint64_t)1 << 63;
}
/* A decimal as big-endian bytes whose order is that of the numbers. */
TACO__FN bool taco__cursor_order_make_decimal_key(const taco_array *a, size_t i, taco__arena *arena,
                                                  taco__cursor_order_key *k, taco_error *err)
{
    size_t   n = (size_t)a->field->width, j;
    uint8_t *p = n ? (uint8_t *)taco__arena_alloc(arena, n, err) : NULL;
    if (!p) {
        return false;
    }
    for (j = 0; j < n; j++) {
        p[j] = a->v.u8[i * n + n - 1 - j];
    }
    p[0] ^= 0x80;
    k->text = taco__bytes_of(p, n);
    k->rank = taco__load_be64(p);
    return true;
}
/* False when the type has no order here, or memory ended. */
TACO__FN bool taco__cursor_order_make_key(const taco_array *a, size_t i, taco__arena *arena,
                                          taco__cursor_order_key *k, taco_error *err)
{
    memset(k, 0, sizeof *k);
    k->null = !taco_array_valid(a, i);
    if (k->null) {
        return true;
    }
    switch (a->field->type) {
    case TACO_UINT64: k->rank = a->v.u64[i]; return true;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: k->rank = taco__cursor_order_rank_float(taco_array_double(a, i)); return true;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID: {
        uint8_t head[8] = {0};
        k->text = taco_array_bytes(a, i);
        if (k->text.len) {
            memcpy(head, k->text.data, TACO__MIN(k->text.len, (size_t)8));
        }
        k->rank = taco__load_be64(head);
        return true;
    }
    case TACO_DECIMAL: return taco__cursor_order_make_decimal_key(a, i, arena, k, err);
    case TACO_INT96: { /* Julian day, then the signed nanoseconds of the day: both big-endian with the sign flipped */
        const uint8_t *p = a->v.u8 + i * 12;
        uint8_t       *q = (uint8_t *)taco__arena_alloc(arena, 12, err);
        size_t         j;
        for (j = 0; q && j < 12; j++) {
            q[j] = p[11 - j];
        }
        if (q) {
            q[0] ^= 0x80;
            q[4] ^= 0x80;
            k->text = taco__bytes_of(q, 12);
            k->rank = taco__load_be64(q);
        }
        return q != NULL;
    }
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return false;
    default: k->rank = (uint64_t)taco_array_int(a, i) ^ (uint64_t)1 << 63; return true;
    }
}
TACO__FN int taco__cursor_order_compare(const void *a, const void *b)
{
    const taco__cursor_order_item *x = (const taco__cursor_order_item *)a,
                                  *y = (const taco__cursor_order_item *)b;
    size_t i;
    for (i = 0; i < x->count; i++) {
        const taco__cursor_order_key *p = &x->keys[i], *q = &y->keys[i];
        int                           order;
        if (p->null || q->null) { /* nulls last in both directions */
            if (p->null != q->null) {
                return p->null ? 1 : -1;
            }
            continue;
        }
        order = p->rank < q->rank   ? -1
                : p->rank > q->rank ? 1
                                    : taco__bytes_compare(p->text, q->text);
        if (order) {
            return x->specs[i].descending ? -order : order;
        }
    }
    if (x->feed != y->feed) {
        return x->feed < y->feed ? -1 : 1;
    }
    return (x->at > y->at) - (x->at < y->at);
}
TACO__FN bool taco__cursor_order_parse(taco_cursor *c, const char *list,
                                       taco__cursor_order_spec *specs, size_t *count)
{
    const char *p = list, *name;
    taco_bytes  rest;
    *count = 0;
    while (taco__cursor_column_parse_name(&c->arena, &p, &name, &rest, &c->err)) {
        taco__cursor_order_spec *s = &specs[*count];
        char                     word[8] = {0};
        size_t                   i;
        for (i = 0; i < rest.len && i < 7; i++) {
            word[i] = (char)taco__ascii_lower(rest.data[i]);
        }
        s->column = taco__cursor_column_find(c, name);
        s->descending = strcmp(word, "desc") == 0;
        if (s->column == TACO__NONE) {
            taco__field_names_no_column(c->fields, c->count, taco__bytes_text(name), &c->err);
        } else if (rest.len && strcmp(word, "asc") != 0 && !s->descending) {
            TACO__FAIL(&c->err, TACO_ERR_SYNTAX, (size_t)((const char *)rest.data - list),
                       "expected asc, desc or a comma, found %q", &rest);
        }
        if (c->err.code != TACO_OK) {
            break;
        }
        ++*count;
    }
    if (c->err.code == TACO_OK && *count == 0) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    return c->err.code == TACO_OK;
}
/* Opens readers, one per level, of the columns to sort by. places[k]: where those of key k stand; TACO__NONE where the
   feed has no such column. */
TACO__FN bool taco__cursor_order_open_columns(taco_cursor *c, taco__table_reader *f,
                                              const taco__cursor_order_spec *specs, size_t count,
                                              taco__row_reader *rows, size_t *places)
{
    size_t   k, n, *which = (size_t *)taco__arena_array(&c->arena, count, sizeof *which, &c->err);
    uint32_t l;
    for (k = 0; k < count; k++) {
        places[k] = TACO__NONE;
    }
    for (l = c->flat ? 0 : c->level; which && l <= c->level; l++) {
        const taco__row_reader *like = l == c->level ? &f->scan.out : &f->rows[l];
        for (k = n = 0; k < count; k++) {
            const taco__cursor_column *o = &c->outs[specs[k].column];
            size_t                     at = f->place[specs[k].column];
            if (taco__cursor_column_is_stored(o) && o->level == l && at != TACO__NONE) {
                places[k] = n;
                which[n++] = like->which[at];
            }
        }
        if (!taco__row_reader_open(&rows[l], like->table, which, n, c->mem, &c->err)) {
            return false;
        }
    }
    return which != NULL;
}
/* Keys of all rows that a feed found, appended to items. rows, places: of taco__cursor_order_open_columns. */
TACO__FN bool taco__cursor_order_read_keys(taco_cursor *c, uint32_t number,
                                           const taco__cursor_order_spec *specs, size_t count,
                                           taco__row_reader *rows, const size_t *places,
                                           taco__cursor_order_item *items)
{
    taco__table_reader     *f = &c->readers[number];
    const taco_array       *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__cursor_order_key *keys = (taco__cursor_order_key *)taco__arena_array(
        &c->arena, f->row_number_count * count + 1, sizeof *keys, &c->err);
    size_t i, k;
    if (!keys || f->row_number_count == 0) {
        return keys != NULL;
    }
    if (!taco__cursor_sorted_read_rows(c, f, rows, f->numbers, f->row_number_count, by_level)) {
        return false;
    }
    for (k = 0; k < count; k++) {
        const taco__cursor_column *o = &c->outs[specs[k].column];
        const taco_array *a = places[k] != TACO__NONE ? &by_level[o->level][places[k]] : NULL;
        taco_array        made;
        if (a && taco__compose_is_mixed(c, specs[k].column)) {
            if (!taco__unify_cast_array(&c->arena, &c->fields[specs[k].column], a, &made,
                                        &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
            a = &made;
        }
        for (i = 0; i < f->row_number_count; i++) {
            taco__cursor_order_key *key = &keys[i * count + k];
            key->null = true;
            if (a && !taco__cursor_order_make_key(a, i, &c->arena, key, &c->err)) {
                taco_bytes name = taco__bytes_text(c->fields[specs[k].column].name);
                TACO__FAIL(&c->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "column %q is of a type that has no order here", &name);
                return false;
            }
        }
    }
    for (i = 0; i < f->row_number_count; i++) {
        items[i].keys = keys + i * count;
        items[i].specs = specs;
        items[i].count = count;
        items[i].feed = number;
        items[i].at = (uint32_t)i;
    }
    return true;
}
/* Lets items[at] sink in a heap of n whose first item is the last in order. */
TACO__FN void taco__cursor_order_heap_sift_down(taco__cursor_order_item *items, size_t n, size_t at)
{
    taco__cursor_order_item x = items[at];
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= n) {
            break;
        }
        child += child + 1 < n && taco__cursor_order_compare(&items[child], &items[child + 1]) < 0;
        if (taco__cursor_order_compare(&x, &items[child]) >= 0) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    items[at] = x;
}
/* Puts the first `most` of n items in order at the front. Few of many are picked before they are sorted. */
TACO__FN void taco__cursor_order_select_first(taco__cursor_order_item *items, size_t n,
                                              uint64_t most)
{
    size_t i, m = (size_t)TACO__MIN((uint64_t)n, most);
    if (m < n / 4) {
        for (i = m / 2; i-- > 0;) {
            taco__cursor_order_heap_sift_down(items, m, i);
        }
        for (i = m; m && i < n; i++) {
            if (taco__cursor_order_compare(&items[i], &items[0]) < 0) {
                items[0] = items[i];
                taco__cursor_order_heap_sift_down(items, m, 0);
            }
        }
        n = m;
    }
    qsort(items, n, sizeof *items, taco__cursor_order_compare);
}
/* Whether an output column of a feed, or the paths it makes, need the column at a place of a level's arrays. */
TACO__FN bool taco__cursor_sorted_needs_column(const taco_cursor *c, const taco__table_reader *f,
                                               uint32_t level, size_t place)
{
    size_t i;
    for (i = 0; i < c->count; i++) {
        if (c->outs[i].kind == TACO__CURSOR_COLUMN_VSI) {
            if (level == c->level &&
                (place == f->vsi.a || place == f->vsi.b || place == f->vsi.name)) {
                return true;
            }
        } else if (taco__cursor_column_is_stored(&c->outs[i]) && c->outs[i].level == level &&
                   f->place[i] == place) {
            return true;
        }
    }
    return false;
}
/* Opens readers of the columns that come out, once it is known which. */
TACO__FN bool taco__cursor_sorted_open_columns(taco_cursor *c)
{
    size_t i, k, n, *which;
    c->kept = (taco__row_reader **)taco__arena_array(&c->arena, c->reader_count, sizeof *c->kept,
                                                     &c->err);
    c->output_places = (size_t ***)taco__arena_array(&c->arena, c->reader_count,
                                                     sizeof *c->output_places, &c->err);
    for (i = 0; c->kept && c->output_places && i < c->reader_count; i++) {
        taco__table_reader *f = &c->readers[i];
        uint32_t            l;
        c->kept[i] = (taco__row_reader *)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                           sizeof **c->kept, &c->err);
        c->output_places[i] = (size_t **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                           sizeof **c->output_places, &c->err);
        if (!c->kept[i] || !c->output_places[i]) {
            return false;
        }
        for (l = c->flat ? 0 : c->level; l <= c->level; l++) {
            const taco__row_reader *like = l == c->level ? &f->scan.out : &f->rows[l];
            which = (size_t *)taco__arena_array(&c->arena, like->count + 1, sizeof *which, &c->err);
            c->output_places[i][l] =
                (size_t *)taco__arena_array(&c->arena, like->count + 1, sizeof *which, &c->err);
            for (k = n = 0; which && c->output_places[i][l] && k < like->count; k++) {
                if (taco__cursor_sorted_needs_column(c, f, l, k)) {
                    c->output_places[i][l][n] = k;
                    which[n++] = like->which[k];
                }
            }
            if (!which || !c->output_places[i][l] ||
                !taco__row_reader_open(&c->kept[i][l], like->table, which, n, c->mem, &c->err)) {
                return false;
            }
        }
    }
    return c->kept && c->output_places;
}
/* Keys of what all readers found, put in order as far as rows leave. */
TACO__FN bool taco__cursor_order_run(taco_cursor *c, const taco__cursor_order_spec *specs,
                                     size_t count, taco__cursor_order_item *items, size_t total)
{
    size_t i, n = 0, end,
              *places = (size_t *)taco__arena_array(&c->arena, count, sizeof *places, &c->err);
    taco__row_reader *rows = (taco__row_reader *)taco__arena_array(
        &c->arena, c->reader_count * TACO__MAX_LEVELS, sizeof *rows, &c->err);
    bool ok = places && rows;
    for (i = 0; ok && i < c->reader_count; i++) {
        ok = taco__cursor_order_open_columns(c, &c->readers[i], specs, count,
                                             rows + i * TACO__MAX_LEVELS, places) &&
             taco__cursor_order_read_keys(c, (uint32_t)i, specs, count, rows + i * TACO__MAX_LEVELS,
                                          places, items + n);
        n += c->readers[i].row_number_count;
    }
    if (ok) { /* keys borrow the texts of `rows` */
        size_t first = (size_t)TACO__MIN((uint64_t)total, c->skip);
        end = (size_t)TACO__MIN((uint64_t)(total - first), c->left) + first;
        taco__cursor_order_select_first(items, total, end);
        c->order_count = end - first;
        c->order = (taco__cursor_sorted_row *)taco__arena_array(&c->arena, c->order_count + 1,
                                                                sizeof *c->order, &c->err);
        for (n = first; c->order && n < end; n++) {
            c->order[n - first].feed = items[n].feed;
            c->order[n - first].at = items[n].at;
        }
        ok = c->order != NULL;
    }
    for (i = 0; rows && i < c->reader_count * TACO__MAX_LEVELS; i++) {
        taco__row_reader_close(&rows[i]);
    }
    return ok;
}
/* Sorts the result by the columns of a list: they are read first, the others for the rows that leave. */
TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const char *list)
{
    taco__cursor_order_spec *specs;
    taco__cursor_order_item *items;
    size_t                   i, count = 1, total = 0;
    const char              *p;
    bool                     ok;
    for (p = list; *p; p++) {
        count += *p == ',';
    }
    specs = (taco__cursor_order_spec *)taco__arena_array(&c->arena, count, sizeof *specs, &c->err);
    if (!specs || !taco__cursor_order_parse(c, list, specs, &count)) {
        taco__error_prefix(&c->err, "order");
        return false;
    }
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_sorted_collect_rows(c, &c->readers[i])) {
            return false;
        }
        total += c->readers[i].row_number_count;
    }
    items =
        (taco__cursor_order_item *)taco__mem_alloc(c->mem, (total + 1) * sizeof *items, &c->err);
    ok = items && taco__cursor_order_run(c, specs, count, items, total);
    taco__mem_free(c->mem, items, (total + 1) * sizeof *items);
    c->sorted = true;
    return ok && c->err.code == TACO_OK;
}
TACO__FN int taco__cursor_sorted_compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
/* A batch of a sorted result: rows of one feed that follow each other in the order. They are read in file order and
   then put into theirs. */
TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out)
{
    const taco_array   *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__table_reader *f;
    uint32_t           *numbers, feed, l;
    int32_t            *idx;
    size_t              i, k, n = 0, bytes;
    bool                ok;
    if (c->order_at == c->order_count || (!c->kept && !taco__cursor_sorted_open_columns(c))) {
        return false;
    }
    feed = c->order[c->order_at].feed;
    f = &c->readers[feed];
    while (n < TACO__SCAN_SLICE && c->order_at + n < c->order_count &&
           c->order[c->order_at + n].feed == feed) {
        n++;
    }
    bytes = n * (sizeof *numbers + sizeof *idx);
    numbers = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    if (!numbers) {
        return false;
    }
    idx = (int32_t *)(void *)(numbers + n);
    for (i = 0; i < n; i++) {
        numbers[i] = f->numbers[c->order[c->order_at + i].at];
    }
    qsort(numbers, n, sizeof *numbers, taco__cursor_sorted_compare_numbers);
    for (i = 0; i < n; i++) {
        uint32_t        want = f->numbers[c->order[c->order_at + i].at];
        const uint32_t *hit = (const uint32_t *)bsearch(&want, numbers, n, sizeof *numbers,
                                                        taco__cursor_sorted_compare_numbers);
        idx[i] = (int32_t)(hit - numbers);
    }
    ok = taco__cursor_sorted_read_rows(c, f, c->kept[feed], numbers, n, by_level);
    for (l = c->flat ? 0 : c->level; ok && l <= c->level; l++) {
        taco__row_reader *r = &c->kept[feed][l];
        for (k = 0; ok && k < r->count;
             k++) { /* into the scan's selection buffers, which are idle now */
            taco__row_reader *to = l == c->level ? &f->scan.out : &f->rows[l];
            size_t            at = c->output_places[feed][l][k];
            ok = taco__take_array(&to->taken[at], &r->arrays[k], idx, n, &c->err);
            to->arrays[at] = to->taken[at].array;
            by_level[l] = to->arrays;
        }
    }
    taco__mem_free(c->mem, numbers, bytes);
    c->now = NULL;
    c->now_order = c->order_at;
    if (!ok || !taco__compose_batch(c, f, by_level, n)) {
        return false;
    }
    c->order_at += n;
    out->length = n;
    out->columns = c->arrays;
    out->column_count = c->count;
    out->first_row = -1;
    return true;
}
/* Keeps the columns of a list after all of them were sorted by: places of the readers follow. */
TACO__FN bool taco__select_columns_after_sort(taco_cursor *c, const char *list)
{
    taco_field *before = c->fields;
    size_t      i, k, n = c->count;
    if (!taco__cursor_column_select(c, list)) {
        return false;
    }
    for (i = 0; i < c->reader_count; i++) {
        size_t *place =
            (size_t *)taco__arena_array(&c->arena, c->count + 1, sizeof *place, &c->err);
        size_t j;
        if (!place) {
            return false;
        }
        for (j = 0; j < c->count; j++) {
            for (k = 0; k < n && strcmp(before[k].name, c->fields[j].name) != 0; k++) {
            }
            place[j] = k < n ? c->readers[i].place[k] : TACO__NONE;
        }
        c->readers[i].place = place;
    }
    return true;
}
/* Replaces what a cursor with one feed tests, before its first row. */
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where)
{
    taco__table_reader *f = &c->readers[0];
    size_t              n = f->scan.out.count,
           *which = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *which, &c->err);
    if (!which) {
        return false;
    }
    memcpy(which, f->scan.out.which, n * sizeof *which);
    taco__scan_close(&f->scan);
    f->where = where;
    f->open = taco__scan_open(&f->scan, f->table, where, NULL, which, n, TACO__BATCH_ROWS, c->mem,
                              &c->err);
    return f->open;
}
/* ==== ROOM dataset: the calls of the public API. Uses: cursor view store coll. Spec: TACO 2.0 §7.2 ==== */

/* ---- open and close ------------------------------------------------------------------------------- */

TACO__FN taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores, taco_error *err)
{
    taco__mem     mem;
    taco_dataset *ds;
    taco__mem_init(&mem, opt);
    ds = (taco_dataset *)taco__mem_alloc(&mem, sizeof *ds, err);
    if (!ds) {
        return NULL;
    }
    ds->mem = mem;
    ds->arena.mem = ds->info.mem = ds->locate_vsi.mem = ds->locate_file.mem = &ds->mem;
    taco__options_init(&ds->options, opt);
    ds->stores = (taco__container *)taco__arena_array(&ds->arena, stores, sizeof *ds->stores, err);
    if (!ds->stores) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}
TACO_API void taco_close(taco_dataset *ds)
{
    taco__mem mem;
    size_t    i;
    if (!ds) {
        return;
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container_close(&ds->stores[i]);
    }
    taco__buf_free(&ds->info);
    taco__buf_free(&ds->locate_vsi);
    taco__buf_free(&ds->locate_file);
    taco__arena_free(&ds->arena);
    taco__mem_free_spares(&ds->mem);
    mem = ds->mem;
    taco__mem_free(&mem, ds, sizeof *ds);
}
/* Room for n stores, for formats; those there are keep their places. */
TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err)
{
    taco__container *more = (taco__container *)taco__arena_array(&ds->arena, n, sizeof *more, err);
    if (more) {
        memcpy(more, ds->stores, TACO__MIN(n, ds->container_count) * sizeof *more);
        ds->stores = more;
    }
    return more != NULL;
}
/* A dataset whose first store was found to be of a format is the format's to open. NULL on failure. */
TACO__FN taco_dataset *taco__dataset_open_format(taco_dataset *ds, const char *const *paths,
                                                 size_t n, taco_error *err)
{
    ds->container_count = 1;
    if (!ds->stores[0].format->open(ds, paths, n, err)) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}
TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err)
{
    taco_error    own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    err = err ? err : &own;
    if (!paths || n == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    ds = taco__dataset_alloc(opt, n, err);
    if (!ds) {
        return NULL;
    }
    ds->mode = mode;
    for (; ds->container_count < n; ds->container_count++) {
        taco__container *s = &ds->stores[ds->container_count];
        if (!paths[ds->container_count]) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        }
        if (err->code != TACO_OK ||
            !taco__container_open_any(s, paths[ds->container_count], NULL, &ds->mem, &ds->arena,
                                      &ds->options, true, err)) {
            taco_close(ds);
            return NULL;
        }
        if (s->format && ds->container_count == 0) {
            return taco__dataset_open_format(ds, paths, n, err);
        }
        if (s->format) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: a %s cannot be read together with %s, which is none",
                       paths[ds->container_count], s->format->name, paths[0]);
            ds->container_count++;
            taco_close(ds);
            return NULL;
        }
        if (ds->container_count &&
            (s->level_count != ds->stores[0].level_count ||
             taco__collection_check_same_pit(&ds->stores[0].coll, &s->coll, err) != TACO_OK)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%u levels, the first dataset has %u", TACO__U(s->level_count),
                       TACO__U(ds->stores[0].level_count));
            taco__error_prefix(err, "%s: cannot be read together with %s",
                               paths[ds->container_count], paths[0]);
            ds->container_count++;
            taco_close(ds);
            return NULL;
        }
    }
    return ds;
}
TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err)
{
    return taco_open_many(&path, 1, TACO_COLUMNS_INTERSECTION, opt, err);
}
TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err)
{
    taco_dataset *ds;
    if (!taco__source_check(src, err)) {
        return NULL;
    }
    ds = taco__dataset_alloc(opt, 1, err);
    if (!ds) {
        if (src->close) {
            src->close(src->ctx);
        }
        return NULL;
    }
    if (!taco__container_open_any(&ds->stores[0], name ? name : "", src, &ds->mem, &ds->arena,
                                  &ds->options, true, err)) {
        taco_close(ds);
        return NULL;
    }
    ds->container_count = 1;
    return ds->stores[0].format ? taco__dataset_open_format(ds, &ds->stores[0].name, 1, err) : ds;
}
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err)
{
    size_t i;
    if (!ds || !base) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "base path" : "dataset");
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        if (s->kind == TACO_KIND_TACOCAT &&
            !s->format) { /* other kinds ignore it, as in the reference */
            s->parts = taco__container_join_path(
                s, base, taco__container_ends_with(base, "/") ? "" : "/", err);
            if (!s->parts || !taco__container_set_vsi_root(s, base, true, err)) {
                return err ? err->code : TACO_ERR_MEMORY;
            }
        }
    }
    return TACO_OK;
}

/* ---- what it is ----------------------------------------------------------------------------------- */

TACO__FN const char *taco__dataset_text_or_empty(const taco_dataset *ds, const char *text)
{
    return ds && text ? text : "";
}
TACO_API const char *taco_id(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.id : NULL);
}
TACO_API const char *taco_dataset_version(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.dataset_version : NULL);
}
TACO_API const char *taco_description(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.description : NULL);
}
TACO_API const char *taco_title(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.title : NULL);
}
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key)
{
    const taco__json_doc *doc = ds ? &ds->stores[0].coll.doc : NULL;
    const taco__json     *node = doc ? key ? taco__json_get(doc->root, key) : doc->root : NULL;
    return node ? taco__json_raw(doc, node) : taco__bytes_of(NULL, 0);
}
TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds)
{
    return !ds ? (taco_kind)0 : ds->stores[0].format ? TACO_KIND_OTHER : ds->stores[0].kind;
}
TACO_API const char *taco_dataset_format(const taco_dataset *ds)
{
    return ds && ds->stores[0].format ? ds->stores[0].format->name : "";
}
TACO_API uint32_t taco_levels(const taco_dataset *ds)
{
    return ds ? taco__container_level_count(&ds->stores[0]) : 0;
}
/* A level that no dataset can have is refused here, one that this one has not where it is looked for. */
TACO__FN bool taco__dataset_has_level(const taco_dataset *ds, uint32_t level, taco_error *err)
{
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return false;
    }
    if (level >= TACO__MAX_LEVELS) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: there is no level %u, the deepest is %u", ds->stores[0].name,
                   TACO__U(level), TACO__U(taco_levels(ds) - 1));
        return false;
    }
    return true;
}
TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    int64_t rows = 0;
    size_t  i;
    if (!taco__dataset_has_level(ds, level, err)) {
        return -1;
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__level *l = taco__container_level(&ds->stores[i], level, err);
        if (!l) {
            return -1;
        }
        rows += (int64_t)l->table.rows;
    }
    return rows;
}
TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err)
{
    *n = 0;
    if (!taco__dataset_has_level(ds, level, err)) {
        return NULL;
    }
    if (!taco__schema_union_level_fields(ds, level, err)) {
        return NULL;
    }
    *n = ds->field_count[level];
    return ds->fields[level];
}
TACO__FN bool taco__dataset_write_levels(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    uint32_t l;
    size_t   i;
    bool     ok = taco__buf_append_text(b, ",\"levels\":[", err);
    for (l = 0; ok && l < taco_levels(ds); l++) {
        char number[24];
        if (taco_level_rows(ds, l, err) < 0 || !taco__schema_union_level_fields(ds, l, err)) {
            return false;
        }
        ok = taco__buf_append_text(b, l ? ",{\"rows\":" : "{\"rows\":", err) &&
             taco__buf_append(b, number, taco__num_format_i64(number, taco_level_rows(ds, l, err)),
                              err) &&
             taco__buf_append_text(b, ",\"columns\":[", err);
        for (i = 0; ok && i < ds->field_count[l]; i++) {
            size_t at;
            ok = taco__buf_append_text(b, i ? ",{\"name\":" : "{\"name\":", err) &&
                 taco__json_write_name(b, taco__bytes_text(ds->fields[l][i].name), err) &&
                 taco__buf_append_text(b, ",\"type\":\"", err);
            at = b->len;
            ok = ok && taco__type_name_append(&ds->fields[l][i], b, err);
            if (ok && (memchr(b->data + at, '"', b->len - at) ||
                       memchr(b->data + at, '\\', b->len - at))) { /* a nested field's name */
                taco__buf copy;
                memset(&copy, 0, sizeof copy);
                copy.mem = b->mem;
                ok = taco__buf_append(&copy, b->data + at, b->len - at, err);
                b->len = at - 1;
                ok = ok && taco__json_write_string(b, taco__bytes_of(copy.data, copy.len), err) &&
                     taco__buf_append_text(b, "}", err);
                taco__buf_free(&copy);
                continue;
            }
            ok = ok && taco__buf_append_text(b, "\"}", err);
        }
        ok = ok && taco__buf_append_text(b, "]}", err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}
TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    const taco_opener       *f = ds ? ds->stores[0].format : NULL;
    taco__buf               *b = ds ? &ds->info : NULL;
    char                     number[24];
    bool                     ok;
    int64_t                  rows = taco_level_rows(ds, 0, err);
    if (rows < 0 || (f && f->info && !f->info(ds, err))) {
        return taco__bytes_of(NULL, 0);
    }
    b->len = 0;
    ok = taco__buf_append_char(b, '{', err) &&
         taco__collection_write_info(b, &ds->stores[0].coll, err) &&
         taco__buf_append_text(b, ",\"kind\":\"", err) &&
         taco__buf_append_text(b, f ? f->name : kinds[ds->stores[0].kind], err) &&
         taco__buf_append_text(b, "\",\"n\":", err) &&
         taco__buf_append(b, number, taco__num_format_i64(number, rows), err) &&
         taco__buf_append_text(b, ",\"max_depth\":", err) &&
         taco__buf_append(b, number, taco__num_format_i64(number, (int64_t)taco_levels(ds) - 1),
                          err) &&
         taco__dataset_write_levels(ds, b, err);
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}

/* ---- cursors -------------------------------------------------------------------------------------- */

TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err)
{
    taco_cursor *c = (taco_cursor *)taco__mem_alloc(&ds->mem, sizeof *c, err);
    if (!c) {
        return NULL;
    }
    c->ds = ds;
    c->mem = &ds->mem;
    c->arena.mem = c->held.mem = c->text_bits.mem = c->null_bits.mem = c->source_offsets.mem =
        c->json.mem = c->positions.mem = c->mem;
    c->unified.mem = c->file_bits.mem = c->file_offsets.mem = c->current_bits.mem =
        c->row_bits.mem = c->mem;
    c->left = UINT64_MAX;
    c->row_id = TACO__NONE;
    c->readers =
        (taco__table_reader *)taco__arena_array(&c->arena, readers, sizeof *c->readers, err);
    if (!c->readers) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->reader_count = readers;
    return c;
}
TACO_API taco_status taco_cursor_close(taco_cursor *c, taco_error *err)
{
    taco_status code;
    taco__mem  *mem;
    size_t      i;
    uint32_t    l;
    if (!c) {
        return TACO_OK;
    }
    code = c->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) {
        *err = c->err;
    }
    if (c->end) {
        c->end(c);
    }
    for (i = 0; i < c->reader_count; i++) {
        taco__table_reader_close(&c->readers[i]);
        for (l = 0; c->kept && c->kept[i] && l < TACO__MAX_LEVELS; l++) {
            taco__row_reader_close(&c->kept[i][l]);
        }
    }
    taco__cursor_sorted_release_cached(c);
    taco__buf_free(&c->held);
    taco__buf_free(&c->text_bits);
    taco__buf_free(&c->null_bits);
    taco__buf_free(&c->source_offsets);
    taco__buf_free(&c->file_offsets);
    taco__buf_free(&c->file_bits);
    taco__buf_free(&c->current_bits);
    taco__buf_free(&c->row_bits);
    taco__arena_free(&c->unified);
    for (i = 0; c->texts && i < c->count; i++) {
        taco__buf_free(&c->texts[i]);
    }
    taco__buf_free(&c->json);
    taco__buf_free(&c->positions);
    if (c->child_open) {
        taco__container_count_archive_user(c->parent, c->child_pq.part.file, false);
        taco__pq_file_close(&c->child_pq);
    }
    if (c->child_held) {
        taco__file_release(c->child_held, c->child_range.offset, c->child_range.len);
    }
    if (c->child_file_open) {
        taco__file_close(&c->child_file);
    }
    mem = c->mem;
    taco__arena_free(&c->arena);
    taco__mem_free(mem, c, sizeof *c);
    return code;
}
TACO__FN bool taco__select_open(taco_cursor *c, const taco_query *q)
{
    taco_dataset *ds = c->ds;
    taco_filter  *filters =
        (taco_filter *)taco__arena_array(&c->arena, q->filter_count + 1, sizeof *filters, &c->err);
    size_t i, k;
    if (!filters) {
        return false;
    }
    for (i = 0; i < q->filter_count; i++) {
        filters[i] = q->filters[i];
    }
    filters[i].where = q->where;
    filters[i].bbox = q->bbox;
    filters[i].time = q->time;
    filters[i].geometry_column = q->geometry_column;
    filters[i].time_column = q->time_column;
    filters[i].level = q->level;
    filters[i].exact_time = q->exact_time;
    for (i = 0; i <= q->filter_count; i++) {
        if (filters[i].level && filters[i].level >= taco_levels(ds)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "there is no level %u to filter, the deepest is %u",
                       TACO__U(filters[i].level), TACO__U(taco_levels(ds) - 1));
            return taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
    }
    if (q->table && q->table >= taco_levels(ds)) {
        TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q->table),
                   TACO__U(taco_levels(ds) - 1));
        return taco__container_fail(&ds->stores[0], NULL, &c->err);
    }
    c->level = q->table;
    c->flat = q->flat;
    c->padding = q->padding;
    c->skip = q->offset;
    c->left = q->limit ? q->limit : UINT64_MAX;
    if (!taco__cursor_column_add_all(c, c->level)) {
        return false;
    }
    if (q->select && !q->order && !taco__cursor_column_select(c, q->select)) {
        return taco__container_fail(&ds->stores[0], NULL, &c->err);
    }
    if (q->order) { /* keys may be any of them, those asked for come later */
        c->count += c->hidden;
        c->hidden = 0;
    }
    c->arrays =
        (taco_array *)taco__arena_array(&c->arena, c->count + 1, sizeof *c->arrays, &c->err);
    if (!c->arrays) {
        return false;
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__table_reader *f = &c->readers[i];
        taco__container    *s = &ds->stores[i];
        taco__level        *l = taco__container_level(s, c->level, &c->err);
        if (!l) {
            return false;
        }
        f->store = s;
        f->table = &l->table;
        f->source_path = taco__bytes_text(s->vsi);
        while (f->source_path.len > 1 && f->source_path.data[f->source_path.len - 1] == '/') {
            f->source_path.len--;
        }
        f->source_file = f->source_path;
        for (k = f->source_path.len; k > 0 && f->source_path.data[k - 1] != '/'; k--) {
        }
        f->source_file.data += k;
        f->source_file.len -= k;
        if (!taco__table_reader_filter(c, f, filters, q->filter_count + 1, &c->err) ||
            !taco__table_reader_open(c, f, &l->role, c->outs, c->count, &c->err)) {
            return false;
        }
    }
    if (q->order && !c->dry) {
        if (!taco__cursor_order_sort(c, q->order)) {
            return taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
        if (q->select) {
            return taco__select_columns_after_sort(c, q->select) ||
                   taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
    }
    return true;
}
TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco_query   q;
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, ds->container_count, err);
    if (c && !taco__select_open(c, &q)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
TACO_API const taco_field *taco_cursor_fields(const taco_cursor *c, size_t *n)
{
    *n = c ? c->count : 0;
    return c ? c->fields : NULL;
}
TACO_API bool taco_cursor_batch(taco_cursor *c, taco_batch *out)
{
    memset(out, 0, sizeof *out);
    if (!c || c->err.code != TACO_OK) {
        return false;
    }
    if (c->rowwise) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_batch");
        return false;
    }
    c->found = NULL;
    return c->next     ? c->next(c, out)
           : c->sorted ? taco__cursor_sorted_next(c, out)
                       : taco__compose_next(c, out);
}
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *c)
{
    uint64_t *to, before = 0;
    size_t    i, bytes;
    if (!c || !c->found || c->rowwise) {
        return NULL;
    }
    for (i = 0; i < c->feed; i++) {
        before += c->readers[i].table->rows;
    }
    if (!taco__checked_mul_size(c->found_count, sizeof *to, &bytes) ||
        !taco__buf_reset(&c->positions, bytes, &c->err)) {
        return NULL;
    }
    to = (uint64_t *)(void *)c->positions.data;
    for (i = 0; i < c->found_count; i++) {
        to[i] = before + c->found_base + c->found[i];
    }
    return to;
}
TACO__FN bool taco__cursor_stream_next(void *ctx, taco_batch *out)
{
    return taco_cursor_batch((taco_cursor *)ctx, out);
}
/* What the batch that was made last is of. */
TACO__FN taco__table_reader *taco__cursor_last_reader(taco_cursor *c)
{
    return &c->readers[c->sorted ? c->order[c->order_at - 1].feed : c->feed];
}
TACO__FN void taco__cursor_stream_prefix_error(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    if (c->next) {
        taco__container_fail(&c->ds->stores[0], NULL, &c->err);
    } else {
        taco__cursor_fail(c, taco__cursor_last_reader(c), true);
    }
}
/* Where a column of that batch was read or gathered. */
TACO__FN bool taco__cursor_stream_owner(void *ctx, size_t i, taco__buffer_owner *out)
{
    taco_cursor               *c = (taco_cursor *)ctx;
    taco__table_reader        *f = taco__cursor_last_reader(c);
    const taco__cursor_column *o = &c->outs[i];
    const taco__row_reader    *r = o->level == c->level ? &f->scan.out : &f->rows[o->level];
    return taco__cursor_column_is_stored(o) && f->place[i] != TACO__NONE &&
           !taco__compose_is_mixed(c, i) && taco__row_reader_buffer_owner(r, f->place[i], out);
}
TACO__FN void taco__cursor_stream_close(void *ctx)
{
    taco_cursor  *c = (taco_cursor *)ctx;
    taco_dataset *ds = c->owns_dataset ? c->ds : NULL;
    taco_cursor_close(c, NULL);
    taco_close(ds);
}
TACO_API taco_status taco_cursor_export(taco_cursor *c, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err)
{
    taco__arrow_source src;
    memset(&src, 0, sizeof src);
    if (c) {
        c->owns_dataset = close_dataset;
        src.ctx = c;
        src.fields = c->fields;
        src.count = c->count;
        src.all_nullable = c->ds->container_count > 1;
        src.mem = c->mem;
        src.err = &c->err;
        src.next = taco__cursor_stream_next;
        src.holder = c->next ? NULL : taco__cursor_stream_owner; /* SQL makes what it hands out */
        src.name = taco__cursor_stream_prefix_error;
        src.close = taco__cursor_stream_close;
    }
    if (c && c->rowwise) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_export");
        taco__cursor_stream_close(c);
        if (out) {
            memset(out, 0, sizeof *out);
        }
        return TACO_ERR_STATE;
    }
    return taco__arrow_stream_open(&src, out, err);
}
TACO_API bool taco_cursor_next(taco_cursor *c)
{
    if (!c || c->err.code != TACO_OK) {
        return false;
    }
    if (c->begun && c->row + 1 < c->batch.length) {
        c->row++;
        return true;
    }
    c->rowwise = false;
    c->begun = taco_cursor_batch(c, &c->batch);
    c->rowwise = true;
    c->row = 0;
    return c->begun;
}
TACO__FN const taco_array *taco__cursor_cell(taco_cursor *c, const char *column)
{
    size_t i = c && c->begun && column ? taco__cursor_column_find(c, column) : TACO__NONE;
    return i == TACO__NONE || !taco_array_valid(&c->batch.columns[i], c->row)
               ? NULL
               : &c->batch.columns[i];
}
TACO_API bool taco_cursor_bytes(taco_cursor *c, const char *column, taco_bytes *out)
{
    static const uint8_t nothing = 0;
    const taco_array    *a = taco__cursor_cell(c, column);
    *out = a ? taco_array_bytes(a, c->row) : taco__bytes_of(NULL, 0);
    if (a && !out->data && taco__array_is_var_length(a->field)) { /* "" is a value */
        *out = taco__bytes_of(&nothing, 0);
    }
    return out->data != NULL;
}
TACO_API const char *taco_cursor_text(taco_cursor *c, const char *column)
{
    const taco_array *a = taco__cursor_cell(c, column);
    taco__buf        *b;
    if (!a) {
        return NULL;
    }
    if (!c->texts) {
        c->texts = (taco__buf *)taco__arena_array(&c->arena, c->count, sizeof *c->texts, &c->err);
        if (!c->texts) {
            return NULL;
        }
    }
    b = &c->texts[a - c->batch.columns];
    b->mem = c->mem;
    b->len = 0;
    if (!taco__cell_plain(b, a, c->row, &c->err) || !taco__buf_append_char(b, 0, &c->err)) {
        return NULL;
    }
    return (const char *)b->data;
}
/* What taco_array_int has a value for; taco_array_double also for floats and decimals of known width. */
TACO__FN bool taco__cursor_is_integer_like(const taco_array *a)
{
    return a->field->type == TACO_BOOL ||
           (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64) ||
           a->field->type == TACO_DATE || a->field->type == TACO_TIME ||
           a->field->type == TACO_TIMESTAMP;
}
TACO_API bool taco_cursor_double(taco_cursor *c, const char *column, double *out)
{
    const taco_array *a = taco__cursor_cell(c, column);
    bool              ok = a && (taco__cursor_is_integer_like(a) || a->field->type == TACO_HALF ||
                    a->field->type == TACO_FLOAT || a->field->type == TACO_DOUBLE ||
                    (a->field->type == TACO_DECIMAL && a->field->width > 0));
    if (ok) {
        *out = taco_array_double(a, c->row);
    }
    return ok;
}
TACO_API bool taco_cursor_int(taco_cursor *c, const char *column, int64_t *out)
{
    const taco_array *a = taco__cursor_cell(c, column);
    bool              ok = a && taco__cursor_is_integer_like(a);
    if (ok) {
        *out = taco_array_int(a, c->row);
    }
    return ok;
}
TACO_API const char *taco_cursor_vsi(taco_cursor *c)
{
    const char *text = taco_cursor_text(c, TACO__GDAL_VSI);
    return text ? text : "";
}
TACO_API const char *taco_cursor_json(taco_cursor *c)
{
    if (!c || !c->begun) {
        return "";
    }
    c->json.len = 0;
    if (!taco__cell_json_row(&c->json, &c->batch, c->row, NULL, &c->err) ||
        !taco__buf_append_char(&c->json, 0, &c->err)) {
        return "";
    }
    return (const char *)c->json.data;
}
/* ==== ROOM nav: from keys to samples, through the local metadata: read, locate, payload. Uses: dataset cursor store vsi.
   Spec: TACO 2.0 §6.2 "Local Metadata", §7.2.3 ==== */

/* A sample that was found by its key; what it points to lives in an arena. `__meta__` is what the children are read
   from: where it disagrees with the consolidated level (facts: disagreements 1), it is right. */
typedef struct taco__nav_node {
    taco__container *store;
    bool             root, folder;
    bool             has_range; /* archives */
    int64_t          offset, size;
    const char      *path;   /* FOLDER: below DATA/ */
    const char      *source; /* TACOCAT: the archive */
    uint32_t         level;  /* formats: where it stands */
    int64_t          row;
    const char      *walked; /* the keys that led here, which lead nowhere else; NULL: none */
    size_t           last;   /* where the last of them begins */
} taco__nav_node;

/* A __meta__ that is open. */
typedef struct taco__local_meta {
    taco_pq_file       pq;
    taco__table        table;
    taco__column_roles role;
    taco__file         file; /* FOLDER datasets: its own */
    bool               file_open, open;
    taco__file        *held; /* archives: where `range` is held until it is closed */
    taco__range        range;
} taco__local_meta;

TACO__FN void taco__local_meta_close(taco__local_meta *m)
{
    if (m->open && m->table.pq) {
        taco__pq_file_close(&m->pq);
    }
    if (m->held) {
        taco__file_release(m->held, m->range.offset, m->range.len);
    }
    if (m->file_open) {
        taco__file_close(&m->file);
    }
    memset(m, 0, sizeof *m);
}
/* id and type are what navigation goes by: they must be there, and text. */
TACO__FN bool taco__local_meta_find_roles(const taco__container *s, const taco__table *t,
                                          taco__column_roles *r, taco_error *err)
{
    taco__container_find_roles(s, t, r);
    if (r->id == TACO__NONE || r->type == TACO__NONE || t->fields[r->id].type != TACO_TEXT ||
        t->fields[r->type].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id and type must be columns of text");
        return false;
    }
    return true;
}
/* Where the file with the bytes of a node is, in this dataset's sources. */
TACO__FN taco__file *taco__local_meta_archive_file(const taco__nav_node *n, taco_error *err)
{
    if (n->store->kind == TACO_KIND_ZIP) {
        return &n->store->file;
    }
    return taco__container_open_archive(n->store, taco__bytes_text(n->source), err);
}
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err)
{
    const char *path = taco__container_join_path(n->store, n->store->dir, "DATA/", err);
    path = path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
    return path ? taco__container_join_path(n->store, path, suffix, err) : NULL;
}
/* The children of a FOLDER of one of the caller's formats. */
TACO__FN bool taco__local_meta_open_format(const taco__nav_node *n, taco__arena *arena,
                                           taco__local_meta *m, taco_error *err)
{
    taco__format_folder of;
    memset(m, 0, sizeof *m);
    of.file = taco__local_meta_archive_file(n, err);
    of.offset = n->offset;
    of.size = n->size;
    of.row = n->row;
    of.level = n->level;
    of.source = n->source;
    of.folder = n->folder;
    m->open = of.file && n->store->format->children(n->store, &of, arena, &m->table, err);
    return m->open && taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}
/* Opens the __meta__ of a FOLDER, Parquet or Avro by its first bytes. */
TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err)
{
    taco__file *file;
    taco__range range;
    uint8_t     magic[4] = {0};
    taco_source src;
    memset(m, 0, sizeof *m);
    if (n->store->format && n->store->format->children) {
        return taco__local_meta_open_format(n, arena, m, err);
    }
    if (n->store->kind == TACO_KIND_FOLDER) {
        const char *path = taco__local_meta_folder_path(n, "/__meta__", err);
        if (!path || !taco__source_open_path(n->store->options, path, &src, err)) {
            return false;
        }
        taco__file_init(&m->file, &src, "", n->store->mem);
        m->file_open = true;
        file = &m->file;
        range.offset = 0;
        range.len = src.size;
    } else {
        file = taco__local_meta_archive_file(n, err);
        if (!file) {
            return false;
        }
        if (!n->has_range) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "internal:offset or internal:size is null");
            return false;
        }
        range.offset = (uint64_t)n->offset;
        range.len = (uint64_t)n->size;
        if (!taco__checked_range(range.offset, range.len, file->src.size)) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, range.offset,
                       "%u bytes of __meta__, the archive ends at %u", range.len, file->src.size);
            return false;
        }
    }
    if (range.len < sizeof magic ||
        !taco__file_fetch(file, &range, range.len <= TACO__PQ_FILE_TAIL ? 1 : 0, err) ||
        !taco__file_read(file, range.offset, magic, sizeof magic, err)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset, "__meta__ of %u bytes", range.len);
        return false;
    }
    m->held = m->file_open || range.len > TACO__PQ_FILE_TAIL ? NULL : file;
    m->range = range;
    if (!taco__container_open_table(n->store, file, range, "__meta__",
                                    memcmp(magic, "Obj\1", 4) == 0, arena, &m->pq, &m->table,
                                    err)) {
        return false;
    }
    m->open = true;
    return taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}

/* ---- one key -------------------------------------------------------------------------------------- */

/* "@@12" is a position, padding counted. */
TACO__FN bool taco__nav_is_stored_position(taco_bytes key)
{
    return key.len > 2 && key.data[0] == '@' && key.data[1] == '@';
}
/* Ids of old formats may hold what paths are made of: '/', '\\' and '@' stand behind a '\\' there. */
TACO__FN bool taco__nav_is_special(uint8_t c)
{
    return c == '/' || c == '\\' || c == '@';
}
/* The key of an id. */
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err)
{
    bool   ok = true;
    size_t i;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t c = id.data[i];
        ok = (!taco__nav_is_special(c) || (c == '@' && i) || taco__buf_append_char(b, '\\', err)) &&
             taco__buf_append_char(b, (char)c, err);
    }
    return ok;
}
/* The id of a key; itself where it has no '\\'. data is NULL when memory ends. */
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err)
{
    uint8_t *to;
    size_t   i, n = 0;
    if (!key.len || !memchr(key.data, '\\', key.len)) {
        return key;
    }
    to = (uint8_t *)taco__arena_alloc(arena, key.len, err);
    for (i = 0; to && i < key.len; i++) {
        i += key.data[i] == '\\' && i + 1 < key.len && taco__nav_is_special(key.data[i + 1]);
        to[n++] = key.data[i];
    }
    return taco__bytes_of(to, n);
}
/* "@12" is a position; everything else is an id. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out)
{
    size_t skip = taco__nav_is_stored_position(key) ? 2 : 1;
    return key.len > 1 && key.data[0] == '@' &&
           taco__vsi_parse_number(taco__bytes_of(key.data + skip, key.len - skip), out);
}
/* A scan that only shows rows which are no padding, or have the id; expressions live in the arena. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err)
{
    *out = NULL;
    if (id) {
        *out = taco__expr_equals(arena, r->id, *id, err);
    } else if (!padding) {
        taco__level l; /* asks the statistics */
        memset(&l, 0, sizeof l);
        l.table = *t;
        l.role = *r;
        l.padded = -1;
        if (!taco__query_hide_padding(&l, arena, out, err)) {
            return false;
        }
    }
    return (!id || *out) && (!*out || taco__pred_bind(*out, t->fields, t->field_count, arena, err));
}
/* Copies the row that the reader holds into *out. */
TACO__FN bool taco__nav_read_node(const taco_array *a, const size_t *at, taco__nav_node *out,
                                  const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes       type = taco_array_bytes(&a[at[1]], 0), id = taco_array_bytes(&a[at[0]], 0);
    int              folder = taco__sample_path_parse_type(type);
    taco__container *s = out->store;
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   taco_array_valid(&a[at[1]], 0) ? "type is %q, must be FILE or FOLDER"
                                                  : "type is null, must be FILE or FOLDER",
                   &type);
        return false;
    }
    out->root = false;
    out->folder = folder > 0;
    if (s->kind == TACO_KIND_FOLDER) {
        const char *own;
        if (taco__vsi_check_path(id, false, "id", err) != TACO_OK) {
            return false;
        }
        own = taco__arena_text(arena, id, err);
        if (own && parent->path) {
            own = taco__container_join_path(s, "/", own, err);
            own = own ? taco__container_join_path(s, parent->path, own, err) : NULL;
        }
        out->path = own;
        return own != NULL;
    }
    if (at[2] == TACO__NONE || at[3] == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:%s",
                   at[2] == TACO__NONE ? "offset" : "size");
        return false;
    }
    if (!taco__join_is_integer(a[at[2]].field->type) ||
        !taco__join_is_integer(a[at[3]].field->type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return false;
    }
    out->has_range = taco_array_valid(&a[at[2]], 0) && taco_array_valid(&a[at[3]], 0);
    out->offset = taco_array_int(&a[at[2]], 0);
    out->size = taco_array_int(&a[at[3]], 0);
    if (!out->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return false;
    }
    if (!taco__vsi_check_range(out->offset, out->size, err)) {
        return false;
    }
    out->level = parent->root ? 0 : parent->level + 1;
    out->row =
        at[5] != TACO__NONE && taco_array_valid(&a[at[5]], 0) ? taco_array_int(&a[at[5]], 0) : -1;
    if (s->kind == TACO_KIND_TACOCAT && parent->root) {
        taco_bytes source =
            at[4] == TACO__NONE ? taco__bytes_of(NULL, 0) : taco_array_bytes(&a[at[4]], 0);
        if (!s->format && taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
            return false;
        }
        out->source = taco__arena_text(arena, source, err);
        return out->source != NULL;
    }
    out->source = parent->source;
    return true;
}
/* Finds a key among the rows of a table. *left counts a position down, over several tables. False with err untouched
   when it is not there. */
TACO__FN bool taco__nav_find_key(const taco__table *t, const taco__column_roles *r, taco_bytes key,
                                 uint64_t *left, bool padding, const taco__nav_node *parent,
                                 taco__nav_node *out, taco__arena *arena, taco_error *err)
{
    taco__expr     *where;
    taco__scan      scan;
    const uint32_t *rows;
    uint64_t        base, position;
    bool            by_position = taco__nav_parse_position(key, &position), found = false;
    size_t          which[6], at[6], i, n = 0;
    const size_t    roles[6] = {r->id, r->type, r->offset, r->size, r->source, r->current};
    taco_bytes      id = by_position ? key : taco__nav_key_to_id(key, arena, err);
    if (!id.data ||
        !taco__nav_make_filter(t, r, by_position ? NULL : &id, padding, arena, &where, err)) {
        return false;
    }
    for (i = 0; i < 6; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) {
            which[n++] = roles[i];
        }
    }
    if (by_position && !where && *left < t->rows) { /* without padding the position is the row */
        taco__row_reader one;
        if (!taco__row_reader_open(&one, t, which, n, parent->store->mem, err)) {
            return false;
        }
        found = taco__row_reader_read_range(&one, *left, 1, err) &&
                taco__nav_read_node(one.arrays, at, out, parent, arena, err);
        taco__row_reader_close(&one);
        return found;
    }
    if (by_position && !where) {
        *left -= t->rows;
        return false;
    }
    if (!taco__scan_open(&scan, t, where, NULL, which, n, 0, parent->store->mem, err)) {
        return false;
    }
    while (by_position && *left) {
        n = taco__scan_next(&scan, (size_t)TACO__MIN(*left, (uint64_t)TACO__BATCH_ROWS), false,
                            &rows, &base, err);
        *left -= n;
        if (n == 0) {
            break;
        }
    }
    if ((!by_position || *left == 0) && taco__scan_next(&scan, 1, true, &rows, &base, err)) {
        found = taco__nav_read_node(scan.out.arrays, at, out, parent, arena, err);
    }
    taco__scan_close(&scan);
    return found;
}
/* One step down: the child of *node with that key; *node becomes it. */
TACO__FN bool taco__nav_step(taco_dataset *ds, taco__nav_node *node, taco_bytes key, bool padding,
                             taco__arena *arena, taco_error *err)
{
    taco__nav_node parent = *node;
    uint64_t       left = 0;
    size_t         i;
    bool           found = false;
    if (taco__nav_parse_position(key, &left)) {
        padding = padding || taco__nav_is_stored_position(key);
    }
    if (parent.root) {
        for (i = 0; i < ds->container_count && !found && err->code == TACO_OK; i++) {
            taco__level       *l = taco__container_level(&ds->stores[i], 0, err);
            taco__column_roles r;
            if (!l) {
                return false;
            }
            parent.store = node->store = &ds->stores[i];
            found =
                taco__local_meta_find_roles(&ds->stores[i], &l->table, &r, err) &&
                taco__nav_find_key(&l->table, &r, key, &left, padding, &parent, node, arena, err);
            if (!found && err->code != TACO_OK) {
                taco__error_prefix(err, "sample %q", &key);
                return taco__container_fail(&ds->stores[i], l->name, err);
            }
        }
    } else {
        taco__local_meta m;
        if (!parent.folder && !parent.store->format) { /* a format may have parts of a FILE */
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no %q: its parent is a FILE, which has no children", &key);
            return false;
        }
        found =
            taco__local_meta_open(&parent, arena, &m, err) &&
            taco__nav_find_key(&m.table, &m.role, key, &left, padding, &parent, node, arena, err);
        taco__local_meta_close(&m);
    }
    if (!found) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &key);
    }
    return found;
}
/* Notes the key that led to a node; a '/' in it, which an id was found to hold, gets its '\\'. */
TACO__FN bool taco__nav_append_walked(taco__nav_node *node, const taco__nav_node *parent,
                                      taco_bytes key, taco__arena *arena, taco_error *err)
{
    size_t n = parent->walked ? strlen(parent->walked) + 1 : 0, i;
    char  *to = (char *)taco__arena_alloc(arena, n + 2 * key.len + 1, err);
    if (!to) {
        return false;
    }
    if (n) {
        memcpy(to, parent->walked, n - 1);
        to[n - 1] = '/';
    }
    node->walked = to;
    node->last = n;
    for (to += n, i = 0; i < key.len; i++) {
        if (key.data[i] == '/') {
            *to++ = '\\';
        } else if (key.data[i] == '\\' && i + 1 < key.len &&
                   taco__nav_is_special(key.data[i + 1])) {
            *to++ = (char)key.data[i++];
        }
        *to++ = (char)key.data[i];
    }
    return true;
}
/* The end of the key at p: a '/' without '\\' in front, or the end of the path. */
TACO__FN const char *taco__nav_key_end(const char *p)
{
    for (; *p && *p != '/'; p++) {
        p += *p == '\\' && p[1] && taco__nav_is_special((uint8_t)p[1]);
    }
    return p;
}
#define TACO__NAV_MAX_DEPTH 256 /* keys of a path */

/* Walks the keys from p on, in `path`, down from *node. Ids of old formats may hold a '/': where there is no sample of a
   key, the next one is taken as a part of it. */
TACO__FN bool taco__nav_walk_keys(taco_dataset *ds, const char *path, const char *p, unsigned depth,
                                  bool padding, taco__nav_node *node, taco__arena *arena,
                                  taco_error *err)
{
    const char *end = taco__nav_key_end(p);
    taco_error  first;
    if (depth == TACO__NAV_MAX_DEPTH) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a path of more than %u keys",
                   TACO__U(TACO__NAV_MAX_DEPTH));
        return false;
    }
    for (memset(&first, 0, sizeof first);; end = taco__nav_key_end(end + 1)) {
        taco_bytes     key = taco__bytes_of(p, (size_t)(end - p));
        taco_bytes     done = taco__bytes_of(path, p != path ? (size_t)(p - path) - 1 : 0);
        taco__nav_node child = *node;
        bool           here = taco__nav_step(ds, &child, key, padding, arena, err);
        if (here && taco__nav_append_walked(&child, node, key, arena, err) &&
            (!*end ||
             taco__nav_walk_keys(ds, path, end + 1, depth + 1, padding, &child, arena, err))) {
            *node = child;
            return true;
        }
        if (!here && p != path) {
            taco__error_prefix(err, "%s: %q", node->store->name, &done);
        } else if (strncmp(err->text, node->store->name, strlen(node->store->name)) != 0) {
            taco__error_prefix(err, "%s", node->store->name);
        }
        first = first.code == TACO_OK ? *err : first;
        if (err->code != TACO_ERR_NOT_FOUND || !*end || !node->store->format) {
            *err = err->code == TACO_ERR_NOT_FOUND ? first : *err;
            return false;
        }
        memset(err, 0, sizeof *err);
    }
}
/* Walks a path of keys; "" is the root. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err)
{
    memset(node, 0, sizeof *node);
    node->store = &ds->stores[0];
    node->root = node->folder = true;
    return !path[0] || taco__nav_walk_keys(ds, path, path, 0, padding, node, arena, err);
}

/* ---- public --------------------------------------------------------------------------------------- */

/* Directory of a FOLDER sample in a FOLDER dataset, as GDAL calls it. */
TACO__FN const char *taco__children_directory(const taco__nav_node *n, taco_error *err)
{
    const char *path = taco__container_join_path(
        n->store, n->store->vsi, taco__container_ends_with(n->store->vsi, "/") ? "DATA/" : "/DATA/",
        err);
    return path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
}
/* Rows of a FOLDER's __meta__, or, for a FILE, its own row in the parent's. */
TACO__FN bool taco__children_open_rows(taco_cursor *c, const taco__nav_node *node, bool padding,
                                       taco_error *err)
{
    taco__table_reader *f = &c->readers[0];
    taco__local_meta    m;
    taco__column_roles  r;
    taco_field          text;
    taco_bytes          where;
    size_t              i;
    c->children = true;
    c->parent = node->store;
    if (!taco__local_meta_open(node, &c->arena, &m, err)) {
        taco__local_meta_close(&m);
        return false;
    }
    c->child_pq = m.pq; /* the cursor takes it over */
    c->child_open = m.table.pq != NULL;
    c->child_file = m.file;
    c->child_file_open = m.file_open;
    c->child_held = m.held;
    c->child_range = m.range;
    if (!m.file_open && c->child_open) {
        taco__container_count_archive_user(c->parent, m.pq.part.file, true);
    }
    c->child_table = m.table;
    if (c->child_open) {
        c->child_table.pq = &c->child_pq;
        c->child_pq.part.file = m.file_open ? &c->child_file : c->child_pq.part.file;
    }
    r = m.role;
    f->table = &c->child_table;
    if (!taco__nav_make_filter(f->table, &r, NULL, padding, &c->arena, &f->where, err) ||
        !taco__cursor_column_reserve(c, f->table->field_count + 1)) {
        return false;
    }
    for (i = 0; i < f->table->field_count; i++) {
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_STORED, 0, f->table->fields[i].name,
                                f->table->fields[i].name, &f->table->fields[i]);
    }
    taco__cursor_column_init_text(&text);
    taco__cursor_column_add(c, TACO__CURSOR_COLUMN_VSI, 0, TACO__GDAL_VSI, TACO__GDAL_VSI, &text);
    c->arrays = (taco_array *)taco__arena_array(&c->arena, c->count + 1, sizeof *c->arrays, err);
    if (!c->arrays) {
        return false;
    }
    if (node->store->format) {
        f->vsi.mode = r.subfile == TACO__NONE || f->table->fields[r.subfile].type != TACO_TEXT
                          ? TACO__SAMPLE_PATH_NONE
                          : TACO__SAMPLE_PATH_STORED;
        f->vsi.a = f->vsi.b = r.subfile == TACO__NONE ? r.id : r.subfile;
    } else if (node->store->kind == TACO_KIND_FOLDER) {
        const char *dir = taco__children_directory(node, err);
        f->vsi.mode = TACO__SAMPLE_PATH_CHILD;
        f->vsi.root = taco__bytes_text(dir);
        f->vsi.a = r.type;
        f->vsi.b = r.id;
        if (!dir) {
            return false;
        }
    } else {
        const char *root = node->source ? taco__container_join_path(node->store, node->store->vsi,
                                                                    node->source, err)
                                        : node->store->vsi;
        f->vsi.mode = TACO__SAMPLE_PATH_ZIP;
        f->vsi.root = taco__bytes_text(root);
        f->vsi.a = r.offset;
        f->vsi.b = r.size;
        if (r.offset == TACO__NONE || r.size == TACO__NONE ||
            !taco__join_is_integer(f->table->fields[r.offset].type) ||
            !taco__join_is_integer(f->table->fields[r.size].type)) {
            where = taco__bytes_text(r.offset == TACO__NONE ? "internal:offset" : "internal:size");
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "__meta__ has no %q of integers, no path can be made", &where);
            return false;
        }
    }
    return taco__table_reader_open(c, f, &r, c->outs, c->count, err);
}
/* id = 'key', as a predicate. */
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err)
{
    size_t n = strlen(id);
    char  *text = (char *)taco__arena_alloc(arena, n + key.len * 2 + 16, err), *p = text;
    size_t i;
    if (!text) {
        return NULL;
    }
    *p++ = '"';
    memcpy(p, id, n);
    memcpy(p + n, "\" = '", 5);
    for (p += n + 5, i = 0; i < key.len; i++) {
        *p++ = (char)key.data[i];
        if (key.data[i] == '\'') {
            *p++ = '\'';
        }
    }
    *p++ = '\'';
    *p = 0;
    return text;
}
/* What the ids of a level are called: Tortilla has a name of its own. */
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level)
{
    const taco__level *l = &s->levels[level];
    return level < s->level_count && l->opened && l->role.id != TACO__NONE &&
                   l->table.field_count > l->role.id
               ? l->table.fields[l->role.id].name
               : "id";
}
TACO__FN taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                          bool padding, taco_error *err);

/* A cursor over the one row of a FILE, in the table of its parent. */
TACO__FN taco_cursor *taco__children_open_own_row(taco_cursor *c, const taco__nav_node *node,
                                                  bool padding)
{
    const taco__container *s = node->store;
    taco_bytes             key = taco__bytes_text(node->walked + node->last), stored = key,
               parent = taco__bytes_of(node->walked, node->last ? node->last - 1 : 0);
    uint64_t     position = 0;
    bool         by_position = taco__nav_parse_position(key, &position);
    taco_cursor *rows;
    if (!by_position) {
        key = taco__nav_key_to_id(key, &c->arena, &c->err);
        if (!key.data) {
            return NULL;
        }
    }
    if (!node->last) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.limit = 1;
        q.offset = position;
        q.padding = padding || !by_position || taco__nav_is_stored_position(stored);
        q.where = by_position
                      ? NULL
                      : taco__nav_id_predicate(&c->arena, taco__nav_id_column(s, 0), key, &c->err);
        return c->err.code == TACO_OK ? taco_select(c->ds, &q, &c->err) : NULL;
    } else {
        char *text = taco__arena_text(&c->arena, parent, &c->err);
        rows = text ? taco__children_read(
                          c->ds, text, true,
                          padding || !by_position || taco__nav_is_stored_position(stored), &c->err)
                    : NULL;
    }
    if (rows) {
        const taco__table *t = rows->readers[0].table;
        taco__column_roles r;
        char              *id = taco__arena_text(&rows->arena, key,
                                                 &c->err); /* the path is the caller's, the condition stays */
        taco__expr        *e =
            by_position || !id
                       ? NULL
                       : (taco__container_find_roles(s, t, &r),
                   taco__expr_equals(&rows->arena, r.id, taco__bytes_text(id), &c->err));
        rows->left = 1;
        rows->skip = position;
        if (c->err.code == TACO_OK &&
            (by_position ||
             (e && taco__pred_bind(e, t->fields, t->field_count, &rows->arena, &c->err) &&
              taco__table_reader_set_filter(rows, e)))) {
            return rows;
        }
        taco_cursor_close(rows, &c->err);
    }
    return NULL;
}
/* The rows below a sample; for a FILE its own row, or, `inside`, its parts. */
TACO__FN taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                          bool padding, taco_error *err)
{
    taco_cursor   *c;
    taco__nav_node node;
    if (!ds || !path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", ds ? "path" : "dataset");
        return NULL;
    }
    if (!path[0]) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.padding = padding;
        return taco_select(ds, &q, err);
    }
    c = taco__cursor_alloc(ds, 1, err);
    if (!c) {
        return NULL;
    }
    if (!taco__nav_walk(ds, path, padding, &node, &c->arena, &c->err)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (!node.folder && !inside) {
        taco_cursor *rows = taco__children_open_own_row(c, &node, padding);
        taco_cursor_close(c, err);
        return rows;
    }
    c->folder = node.walked;
    if (!c->folder || !taco__children_open_rows(c, &node, padding, &c->err)) {
        taco_bytes where = taco__bytes_text(path);
        taco__error_prefix(&c->err, "%s: %q", node.store->name, &where);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err)
{
    return taco__children_read(ds, path, false, padding, err);
}
/* The id of one row of a level, appended to a path. */
TACO__FN bool taco__nav_append_row_id(taco__level *l, uint64_t row, taco__buf *path,
                                      taco_error *err)
{
    taco__row_reader one;
    bool             ok;
    if (l->role.id == TACO__NONE || l->table.fields[l->role.id].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id must be a column of text");
        return false;
    }
    ok = taco__row_reader_open(&one, &l->table, &l->role.id, 1, path->mem, err) &&
         taco__row_reader_read_range(&one, row, 1, err);
    if (ok) {
        taco_bytes id = taco_array_bytes(&one.arrays[0], 0);
        ok = taco__buf_append_char(path, '/', err) && taco__nav_append_key(path, id, err);
    }
    taco__row_reader_close(&one);
    return ok;
}
/* The path of a row of a level: its ancestor's place at the top, then ids. */
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err)
{
    taco__container *s = &ds->stores[store];
    uint64_t         up[TACO__MAX_LEVELS], at = 0;
    char             digits[24];
    uint32_t         l;
    size_t           i;
    up[level] = row;
    for (l = level; l > 0; l--) {
        int64_t parent;
        if (!taco__lookup_parent(s, l, up[l], &parent, err)) {
            return false;
        }
        if (parent < 0) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "row %u has no parent", up[l]);
            return taco__container_fail(s, s->levels[l].name, err);
        }
        up[l - 1] = (uint64_t)parent;
    }
    for (i = 0; i < store; i++) {
        at += ds->stores[i].levels[0].table.rows;
    }
    if (!taco__buf_append_text(path, "@@", err) ||
        !taco__buf_append(path, digits, taco__num_format_u64(digits, at + up[0]), err)) {
        return false;
    }
    for (l = 1; l <= level; l++) {
        if (!taco__nav_append_row_id(&s->levels[l], up[l], path, err)) {
            return taco__container_fail(s, s->levels[l].name, err);
        }
    }
    return true;
}
TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err)
{
    taco_bytes   id, relative;
    uint64_t     number;
    size_t       store;
    taco__buf    path;
    taco_cursor *c = NULL;
    if (!row || !row->begun) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is not on a row");
        return NULL;
    }
    memset(&path, 0, sizeof path);
    path.mem = row->mem;
    if (taco__compose_sample_row(row, row->row, &store, &number)) {
        relative = taco__bytes_of(NULL, 0);
        if (!taco__nav_path_of_row(row->ds, store, row->level, number, &path, err)) {
            taco__buf_free(&path);
            return NULL;
        }
    } else if (taco_cursor_bytes(row, "internal:relative_path", &relative) && relative.len) {
        relative.len -= relative.data[relative.len - 1] == '/';
    } else if (row->level == 0 && taco_cursor_bytes(row, "id", &id)) {
        relative = taco__bytes_of(NULL, 0);
        if ((row->folder && (!taco__buf_append_text(&path, row->folder, err) ||
                             !taco__buf_append_char(&path, '/', err))) ||
            !taco__nav_append_key(&path, id, err)) {
            taco__buf_free(&path);
            return NULL;
        }
    } else {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "the row has neither id nor internal:relative_path");
        return NULL;
    }
    if (taco__buf_append(&path, relative.data, relative.len, err) &&
        taco__buf_append_char(&path, 0, err)) {
        c = taco_read(row->ds, (const char *)path.data, row->padding, err);
    }
    taco__buf_free(&path);
    return c;
}
TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err)
{
    taco_error     own = {0, TACO_OK, 0, {0}};
    taco__nav_node n;
    taco__arena    arena;
    bool           ok;
    memset(out, 0, sizeof *out);
    err = err ? err : &own;
    if (!ds || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "path" : "dataset");
    }
    arena.mem = &ds->mem;
    arena.head = NULL;
    ds->locate_vsi.len = ds->locate_file.len = 0;
    ok = taco__nav_walk(ds, path, false, &n, &arena, err);
    if (ok && n.root) {
        out->folder = out->whole = true;
        out->vsi = out->file = "";
    } else if (ok && n.store->kind == TACO_KIND_FOLDER) {
        const char *file = taco__local_meta_folder_path(&n, n.folder ? "/__meta__" : "", err);
        const char *dir = file ? taco__children_directory(&n, err) : NULL;
        out->folder = n.folder;
        out->whole = true;
        ok = dir && taco__buf_append_text(&ds->locate_file, file, err) &&
             taco__buf_append_char(&ds->locate_file, 0, err) &&
             taco__buf_append_text(&ds->locate_vsi, dir, err) &&
             (!n.folder || taco__buf_append_text(&ds->locate_vsi, "/__meta__", err)) &&
             taco__buf_append_char(&ds->locate_vsi, 0, err);
    } else if (ok) {
        taco_bytes source = taco__bytes_text(n.source ? n.source : "");
        out->folder = n.folder;
        out->offset = (uint64_t)n.offset;
        out->size = (uint64_t)n.size;
        ok = taco__buf_append_text(&ds->locate_file, n.source ? n.store->parts : n.store->name,
                                   err) &&
             taco__buf_append(&ds->locate_file, source.data, source.len, err) &&
             taco__buf_append_char(&ds->locate_file, 0, err) &&
             taco__vsi_append_subfile(&ds->locate_vsi, out->offset, out->size,
                                      taco__bytes_text(n.store->vsi), source, err) &&
             taco__buf_append_char(&ds->locate_vsi, 0, err);
    }
    if (ok && !n.root) {
        out->vsi = (const char *)ds->locate_vsi.data;
        out->file = (const char *)ds->locate_file.data;
    }
    taco__arena_free(&arena);
    return ok ? TACO_OK : err->code;
}

/* ---- payload -------------------------------------------------------------------------------------- */

typedef struct taco__payload {
    taco_source base;
    uint64_t    offset;
    taco__mem  *mem;
    bool        own; /* closes base */
} taco__payload;

TACO__FN bool taco__payload_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__payload *p = (taco__payload *)ctx;
    return p->base.read(p->base.ctx, p->offset + offset, dst, len);
}
TACO__FN void taco__payload_close(void *ctx)
{
    taco__payload *p = (taco__payload *)ctx;
    if (p->own && p->base.close) {
        p->base.close(p->base.ctx);
    }
    taco__mem_free(p->mem, p, sizeof *p);
}
TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err)
{
    taco_error     own = {0, TACO_OK, 0, {0}};
    taco_sample    s;
    taco__payload *p;
    taco_bytes     name = taco__bytes_text(path);
    memset(out, 0, sizeof *out);
    err = err ? err : &own;
    if (taco_locate(ds, path, &s, err) != TACO_OK) {
        return err->code;
    }
    if (s.folder) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s: sample %q is a FOLDER, only a FILE has bytes", ds->stores[0].name,
                          &name);
    }
    p = (taco__payload *)taco__mem_alloc(&ds->mem, sizeof *p, err);
    if (!p) {
        return err->code;
    }
    p->mem = &ds->mem;
    p->offset = s.offset;
    p->own = true;
    if (ds->container_count == 1 &&
        ds->stores[0].kind == TACO_KIND_ZIP) { /* the archive is open already */
        p->base = ds->stores[0].file.src;
        p->own = false;
    } else if (!taco__source_open_path(&ds->options, s.file, &p->base, err)) {
        taco__mem_free(&ds->mem, p, sizeof *p);
        taco__error_prefix(err, "%s: sample %q", ds->stores[0].name, &name);
        return err->code;
    }
    if (!s.whole && !taco__checked_range(s.offset, s.size, p->base.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s.offset, "payload of %u bytes, the archive ends at %u",
                   s.size, p->base.size);
        taco__error_prefix(err, "%s: sample %q", s.file, &name);
        taco__payload_close(p);
        return err->code;
    }
    out->ctx = p;
    out->size = s.whole ? p->base.size : s.size;
    out->read = taco__payload_read;
    out->close = taco__payload_close;
    return TACO_OK;
}
/* ==== ROOM aggr: statistics of many rows put together. Uses: dataset cursor pq:text pq:num. Spec: TACO draft of June 2025 §8.3 ==== */

#define TACO__PIXEL_STATS_VALUES                                                                   \
    9 /* of a continuous band: min max mean std valid% p25 p50 p75 p95 */
#define TACO__PIXEL_STATS_SHAPE "stac:tensor_shape"
#define TACO__PIXEL_STATS_NAN   taco__f64_from_bits(UINT64_C(0x7FF8000000000000))

typedef struct taco__pixel_stats_band { /* sums of one band so far */
    double min, max, sum;               /* sum of w m */
    double mean, spread;                /* a running mean, and sum of w (m - mean)^2 around it */
    double inner;                       /* sum of (w - 1) s^2 */
    double percentile[4];               /* p25 p50 p75 p95, by weight or by row */
} taco__pixel_stats_band;

typedef struct taco__pixel_stats {
    taco_stats              out; /* first: the caller's pointer is ours */
    taco_stats_options      opt;
    taco__mem              *mem;
    taco__arena             arena;
    taco__buf               json;
    size_t                  stats, shape; /* columns of the view; shape may be TACO__NONE */
    size_t                  values;       /* of a band; 0 until a row had some */
    taco__pixel_stats_band *band;
    double                 *share; /* sums of w p */
} taco__pixel_stats;

/* The square root to a rounding of the last place or so: libm is not asked for it. */
TACO__FN double taco__pixel_stats_sqrt(double x)
{
    double   scale = 1, y;
    unsigned i;
    if (!(x > 0)) {
        return x == 0 ? x : TACO__PIXEL_STATS_NAN;
    }
    if (x > 1.7976931348623157e308) {
        return x;
    }
    for (; x >= 4294967296.0; x /= 4294967296.0) { /* 2^32: exact */
        scale *= 65536.0;
    }
    for (; x < 1 / 4294967296.0; x *= 4294967296.0) {
        scale /= 65536.0;
    }
    /* halves the exponent, which is good to 4 %; five steps of Newton's double the digits each time */
    y = taco__f64_from_bits((taco__f64_to_bits(x) >> 1) + ((uint64_t)1023 << 51));
    for (i = 0; i < 5; i++) {
        y = (y + x / y) / 2;
    }
    return y * scale;
}

/* ---- which columns -------------------------------------------------------------------------------- */

TACO__FN bool taco__cursor_column_is_number(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_DECIMAL;
}
/* A flat view puts "lN:" in front of the names of a level. */
TACO__FN size_t taco__cursor_column_prefix_length(const char *label)
{
    return label[0] == 'l' && label[1] >= '0' && label[1] <= '9' && label[2] == ':' ? 3 : 0;
}
TACO__FN size_t taco__cursor_column_find_unprefixed(const taco_field *fields, size_t n,
                                                    const char *name, bool exact)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const char *l = fields[i].name;
        if (strcmp(exact ? l : l + taco__cursor_column_prefix_length(l), name) == 0) {
            return i;
        }
    }
    return TACO__NONE;
}
/* The column of that name at the level of another one. */
TACO__FN size_t taco__cursor_column_find_same_level(const taco_field *fields, size_t n,
                                                    const char *of, const char *name)
{
    size_t i, k = taco__cursor_column_prefix_length(of);
    for (i = 0; i < n; i++) {
        const char *l = fields[i].name;
        if (strncmp(l, of, k) == 0 && strcmp(l + k, name) == 0) {
            return i;
        }
    }
    return TACO__NONE;
}
/* Finds the column of statistics and, at the same level of a flat view, that of the weights. */
TACO__FN bool taco__pixel_stats_find_columns(const taco_field *fields, size_t n, const char *asked,
                                             size_t *stats, size_t *shape, taco_error *err)
{
    static const char *const names[] = {"internal:stats", "geotiff:stats"};
    const taco_field        *f;
    size_t                   i;
    taco_bytes               name = taco__bytes_text(asked);
    *stats = asked ? taco__cursor_column_find_unprefixed(fields, n, asked, true) : TACO__NONE;
    for (i = 0; !asked && *stats == TACO__NONE && i < TACO__COUNT(names); i++) {
        *stats = taco__cursor_column_find_unprefixed(fields, n, names[i], false);
    }
    if (*stats == TACO__NONE) {
        if (asked) {
            taco__field_names_no_column(fields, n, name, err);
        } else {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no statistics: there is no column %s or %s", names[0], names[1]);
        }
        return false;
    }
    f = &fields[*stats];
    name = taco__bytes_text(f->name);
    if (f->type != TACO_LIST || f->children[0].type != TACO_LIST ||
        !taco__cursor_column_is_number(&f->children[0].children[0])) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q holds no statistics: they are a list of numbers for each band",
                   &name);
        return false;
    }
    *shape = taco__cursor_column_find_same_level(fields, n, f->name, TACO__PIXEL_STATS_SHAPE);
    f = *shape == TACO__NONE ? NULL : &fields[*shape];
    if (f && (f->type != TACO_LIST || f->children[0].type < TACO_INT8 ||
              f->children[0].type > TACO_UINT64)) {
        name = taco__bytes_text(f->name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is no shape: that is a list of integers", &name);
        return false;
    }
    return true;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

/* Pixels of a row: its last two sizes multiplied, 1 where it has fewer. */
TACO__FN bool taco__pixel_stats_row_weight(const taco_array *a, size_t i, double *out,
                                           taco_error *err)
{
    const taco_array *items;
    size_t            end, k;
    int64_t           size[2];
    uint64_t          pixels;
    *out = 1;
    if (!a || !taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] < 2) {
        return true;
    }
    items = a->children;
    end = (size_t)a->offsets[i + 1];
    for (k = 0; k < 2; k++) {
        size[k] = taco_array_int(items, end - 2 + k);
        if (!taco_array_valid(items, end - 2 + k) || size[k] < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "stac:tensor_shape has a size that is null, negative or above %d",
                       TACO__D(INT64_MAX));
            return false;
        }
    }
    if (!taco__checked_mul64((uint64_t)size[0], (uint64_t)size[1], &pixels)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "stac:tensor_shape ends in %d, %d: more pixels than 64 bits can count", size[0],
                   size[1]);
        return false;
    }
    *out = (double)pixels;
    return true;
}
/* The first row with statistics says what they are. */
TACO__FN bool taco__pixel_stats_begin(taco__pixel_stats *g, size_t bands, size_t values,
                                      taco_error *err)
{
    static const char *const names[] = {"", "continuous", "categorical"};
    taco_stats_family        family =
        values == TACO__PIXEL_STATS_VALUES ? TACO_STATS_CONTINUOUS : TACO_STATS_CATEGORICAL;
    size_t n;
    if (values == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "a band has no values");
        return false;
    }
    if (g->opt.family != TACO_STATS_ANY && g->opt.family != family) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the statistics are %s (%u values a band, continuous ones have %u), %s ones "
                   "were asked for",
                   names[family], TACO__U(values), TACO__U(TACO__PIXEL_STATS_VALUES),
                   names[g->opt.family]);
        return false;
    }
    if (!taco__checked_mul_size(bands, values, &n)) {
        n = SIZE_MAX; /* refused below */
    }
    if (family == TACO_STATS_CONTINUOUS) {
        g->band =
            (taco__pixel_stats_band *)taco__arena_array(&g->arena, bands, sizeof *g->band, err);
    } else {
        g->share = (double *)taco__arena_array(&g->arena, n, sizeof *g->share, err);
        g->out.classes = values;
    }
    g->values = values;
    g->out.family = family;
    g->out.bands = bands;
    return g->band || g->share;
}
/* Value k of a list of numbers; null is NaN. */
TACO__FN double taco__pixel_stats_list_value(const taco_array *a, size_t k)
{
    return taco_array_valid(a, k) ? taco_array_double(a, k) : TACO__PIXEL_STATS_NAN;
}
/* NaN stays, as in NumPy. */
TACO__FN void taco__pixel_stats_update_extreme(double *to, double v, bool first, bool less)
{
    if (first || v != v || (less ? v < *to : v > *to)) {
        *to = *to != *to && !first ? *to : v;
    }
}
/* Adds the nine values at a[at] and behind it of a row of w pixels. */
TACO__FN void taco__pixel_stats_add_band(taco__pixel_stats *g, taco__pixel_stats_band *b,
                                         const taco_array *a, size_t at, double w)
{
    double m = taco__pixel_stats_list_value(a, at + 2), s = taco__pixel_stats_list_value(a, at + 3);
    double after = g->out.pixels + w, away = m - b->mean;
    size_t k;
    taco__pixel_stats_update_extreme(&b->min, taco__pixel_stats_list_value(a, at), g->out.used == 0,
                                     true);
    taco__pixel_stats_update_extreme(&b->max, taco__pixel_stats_list_value(a, at + 1),
                                     g->out.used == 0, false);
    b->sum += w * m;
    b->inner += (w - 1) * (s * s);
    if (after > 0) {
        b->mean += away * (w / after);
        b->spread += w * (away * (m - b->mean));
    }
    for (k = 0; k < 4; k++) {
        double p = taco__pixel_stats_list_value(a, at + 5 + k);
        b->percentile[k] += g->opt.weighted_percentiles ? w * p : p;
    }
}
TACO__FN bool taco__pixel_stats_add_row(taco__pixel_stats *g, const taco_array *a, size_t first,
                                        size_t bands, double w, taco_error *err)
{
    const taco_array *items = a->children;
    size_t            i, k;
    for (i = 0; i < bands; i++) {
        size_t at = (size_t)a->offsets[first + i],
               n = (size_t)(a->offsets[first + i + 1] - a->offsets[first + i]);
        if (!taco_array_valid(a, first + i)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "band %u is null", TACO__U(i));
            return false;
        }
        if (!g->values && !taco__pixel_stats_begin(g, bands, n, err)) {
            return false;
        }
        if (n != g->values || bands != g->out.bands) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u bands, %u values in band %u; before there were %u bands of %u",
                       TACO__U(bands), TACO__U(n), TACO__U(i), TACO__U(g->out.bands),
                       TACO__U(g->values));
            return false;
        }
        if (g->band) {
            taco__pixel_stats_add_band(g, &g->band[i], items, at, w);
        }
        for (k = 0; g->share && k < n; k++) {
            g->share[i * n + k] += w * taco__pixel_stats_list_value(items, at + k);
        }
    }
    g->out.pixels += w;
    g->out.used++;
    return true;
}
TACO__FN bool taco__pixel_stats_add_batch(taco__pixel_stats *g, const taco_batch *b,
                                          taco_error *err)
{
    const taco_array *a = &b->columns[g->stats],
                     *shape = g->shape == TACO__NONE ? NULL : &b->columns[g->shape];
    size_t i;
    for (i = 0; i < b->length; i++, g->out.rows++) {
        double w;
        if (!taco_array_valid(a, i) || a->offsets[i] == a->offsets[i + 1]) {
            continue;
        }
        if (!taco__pixel_stats_row_weight(shape, i, &w, err) ||
            !taco__pixel_stats_add_row(g, a->children, (size_t)a->offsets[i],
                                       (size_t)(a->offsets[i + 1] - a->offsets[i]), w, err)) {
            taco__error_prefix(err, "row %u of the view", g->out.rows);
            return false;
        }
    }
    return true;
}
/* Sums become averages. */
TACO__FN bool taco__pixel_stats_finish(taco__pixel_stats *g, taco_error *err)
{
    taco_stats      *s = &g->out;
    taco_band_stats *out;
    double           by = g->opt.weighted_percentiles ? s->pixels : (double)s->used;
    size_t           i;
    if (s->used == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "none of the %u rows has statistics",
                   s->rows);
        return false;
    }
    for (i = 0; g->share && i < s->bands * s->classes; i++) {
        g->share[i] = s->pixels > 0 ? g->share[i] / s->pixels : TACO__PIXEL_STATS_NAN;
    }
    s->share = g->share;
    if (!g->band) {
        return true;
    }
    out = (taco_band_stats *)taco__arena_array(&g->arena, s->bands, sizeof *out, err);
    s->band = out;
    for (i = 0; out && i < s->bands; i++) {
        const taco__pixel_stats_band *b = &g->band[i];
        out[i].min = b->min;
        out[i].max = b->max;
        out[i].mean = s->pixels > 0 ? b->sum / s->pixels : TACO__PIXEL_STATS_NAN;
        out[i].std = s->pixels > 1
                         ? taco__pixel_stats_sqrt((b->inner + b->spread) / (s->pixels - 1))
                         : TACO__PIXEL_STATS_NAN; /* of one pixel: 0 / 0 */
        out[i].p25 = by > 0 ? b->percentile[0] / by : TACO__PIXEL_STATS_NAN;
        out[i].p50 = by > 0 ? b->percentile[1] / by : TACO__PIXEL_STATS_NAN;
        out[i].p75 = by > 0 ? b->percentile[2] / by : TACO__PIXEL_STATS_NAN;
        out[i].p95 = by > 0 ? b->percentile[3] / by : TACO__PIXEL_STATS_NAN;
    }
    return out != NULL;
}

/* ---- public --------------------------------------------------------------------------------------- */

TACO_API void taco_stats_free(taco_stats *s)
{
    taco__pixel_stats *g = (taco__pixel_stats *)(void *)s;
    if (g) {
        taco__buf_free(&g->json);
        taco__arena_free(&g->arena);
        taco__mem_free(g->mem, g, sizeof *g);
    }
}
TACO_API taco_stats *taco_aggregate_rows(taco_cursor *rows, const taco_stats_options *opt,
                                         taco_error *err)
{
    taco_error         own = {0, TACO_OK, 0, {0}};
    taco__pixel_stats *g;
    taco_batch         batch;
    bool               ok;
    err = err ? err : &own;
    if (!rows) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no cursor given");
        return NULL;
    }
    g = (taco__pixel_stats *)taco__mem_alloc(rows->mem, sizeof *g, err);
    if (!g) {
        return NULL;
    }
    g->mem = g->arena.mem = g->json.mem = rows->mem;
    if (opt) {
        g->opt = *opt;
    }
    ok = taco__pixel_stats_find_columns(rows->fields, rows->count, g->opt.column, &g->stats,
                                        &g->shape, err);
    if (ok) {
        taco_bytes name = taco__bytes_text(rows->fields[g->stats].name);
        g->out.column = taco__arena_text(&g->arena, name, err);
        g->opt.column = NULL;
        ok = g->out.column != NULL;
        while (ok && taco_cursor_batch(rows, &batch)) {
            ok = taco__pixel_stats_add_batch(g, &batch, err);
        }
        if (ok && rows->err.code != TACO_OK) {
            *err = rows->err;
            taco_stats_free(&g->out);
            return NULL;
        }
        ok = ok && taco__pixel_stats_finish(g, err);
        taco__error_prefix(err, "column %q", &name);
    }
    if (!ok) {
        taco__container_fail(&rows->ds->stores[0], NULL, err);
        taco_stats_free(&g->out);
        return NULL;
    }
    return &g->out;
}
/* Appends a name to a list of columns, quoted. */
TACO__FN bool taco__cursor_column_append_quoted(taco__buf *list, const char *name, taco_error *err)
{
    bool ok = (list->len == 0 || taco__buf_append_text(list, ", ", err)) &&
              taco__buf_append_char(list, '"', err);
    for (; ok && *name; name++) {
        ok = (*name != '"' || taco__buf_append_char(list, '"', err)) &&
             taco__buf_append_char(list, *name, err);
    }
    return ok && taco__buf_append_char(list, '"', err);
}
/* A cursor without rows that has every column of a view: its list of names. */
TACO__FN taco_cursor *taco__select_columns_only(taco_dataset *ds, const taco_query *q,
                                                taco_error *err)
{
    taco_cursor *c;
    if (q->table && q->table >= taco_levels(ds)) {
        c = taco_select(ds, q, err); /* says what there is */
        taco_cursor_close(c, err);
        return NULL;
    }
    c = taco__cursor_alloc(ds, 1, err);
    if (c) {
        c->flat = q->flat;
        c->level = q->table;
        if (!taco__cursor_column_add_all(c, q->table)) {
            taco_cursor_close(c, err);
            return NULL;
        }
    }
    return c;
}
TACO_API taco_stats *taco_aggregate(taco_dataset *ds, const taco_query *query,
                                    const taco_stats_options *opt, taco_error *err)
{
    taco_error   own = {0, TACO_OK, 0, {0}};
    taco_cursor *probe, *c = NULL;
    taco_stats  *s;
    taco_query   q;
    taco__buf    list;
    size_t       stats, shape;
    err = err ? err : &own;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    probe = taco__select_columns_only(ds, &q, err);
    if (!probe) {
        return NULL;
    }
    memset(&list, 0, sizeof list);
    list.mem = &ds->mem;
    if (!taco__pixel_stats_find_columns(probe->fields, probe->count, opt ? opt->column : NULL,
                                        &stats, &shape, err)) {
        taco__container_fail(&ds->stores[0], NULL, err);
    } else if (taco__cursor_column_append_quoted(&list, probe->fields[stats].name, err) &&
               (shape == TACO__NONE ||
                taco__cursor_column_append_quoted(&list, probe->fields[shape].name, err)) &&
               taco__buf_append_char(&list, 0, err)) {
        q.select = (const char *)list.data;
        c = taco_select(ds, &q, err);
    }
    taco__buf_free(&list);
    taco_cursor_close(probe, err);
    s = c ? taco_aggregate_rows(c, opt, err) : NULL;
    taco_cursor_close(c, err);
    return s;
}

/* ---- as JSON -------------------------------------------------------------------------------------- */

TACO__STATIC_ASSERT(aggr_band, sizeof(taco_band_stats) == 8 * sizeof(double));

/* The reference's results are float32; words for what JSON has no number for, as in every row. */
TACO__FN bool taco__pixel_stats_write_number(taco__buf *b, double x, taco_error *err)
{
    const double most =
        3.4028235677973362e38; /* halfway from the largest float up: beyond, infinity */
    uint32_t inf = 0x7F800000U | (x < 0 ? 0x80000000U : 0);
    float    f = x >= most || x <= -most ? taco__f32_from_bits(inf) : (float)x;
    bool     word = f != f || x >= most || x <= -most;
    if (!taco__buf_reserve(b, TACO__CELL_SIZE, err)) {
        return false;
    }
    if (word) {
        b->data[b->len++] = '"';
    }
    b->len += taco__num_format_f32((char *)b->data + b->len, f);
    if (word) {
        b->data[b->len++] = '"';
    }
    return true;
}
TACO__FN bool taco__pixel_stats_write_count(taco__buf *b, const char *key, uint64_t x,
                                            taco_error *err)
{
    char number[24];
    return taco__buf_append_text(b, key, err) &&
           taco__buf_append(b, number, taco__num_format_u64(number, x), err);
}
/* n numbers, `step` apart. */
TACO__FN bool taco__pixel_stats_write_list(taco__buf *b, const char *key, const double *x, size_t n,
                                           size_t step, taco_error *err)
{
    size_t i;
    bool   ok = taco__buf_append_text(b, key, err) && taco__buf_append_char(b, '[', err);
    for (i = 0; ok && i < n; i++) {
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__pixel_stats_write_number(b, x[i * step], err);
    }
    return ok && taco__buf_append_char(b, ']', err);
}
TACO_API taco_bytes taco_stats_json(taco_stats *s, taco_error *err)
{
    static const char *const keys[] = {",\"min\":", ",\"max\":", ",\"mean\":", ",\"std\":",
                                       ",\"p25\":", ",\"p50\":", ",\"p75\":",  ",\"p95\":"};
    const size_t             step = TACO__COUNT(keys); /* a band's values lie in their order */
    taco__pixel_stats       *g = (taco__pixel_stats *)(void *)s;
    taco__buf               *b = g ? &g->json : NULL;
    size_t                   i;
    bool                     ok;
    if (!s) {
        return taco__bytes_of(NULL, 0);
    }
    b->len = 0;
    ok = taco__buf_append_text(b, "{\"column\":", err) &&
         taco__json_write_name(b, taco__bytes_text(s->column), err) &&
         taco__buf_append_text(
             b, s->band ? ",\"family\":\"continuous\"" : ",\"family\":\"categorical\"", err) &&
         taco__pixel_stats_write_count(b, ",\"rows\":", s->rows, err) &&
         taco__pixel_stats_write_count(b, ",\"used\":", s->used, err) &&
         taco__buf_append_text(b, ",\"pixels\":", err) &&
         taco__buf_reserve(b, TACO__CELL_SIZE, err);
    if (ok) {
        b->len += taco__num_format_f64((char *)b->data + b->len, s->pixels);
        ok = taco__pixel_stats_write_count(b, ",\"bands\":", s->bands, err);
    }
    for (i = 0; ok && s->band && i < TACO__COUNT(keys); i++) {
        ok = taco__pixel_stats_write_list(b, keys[i], (const double *)(const void *)s->band + i,
                                          s->bands, step, err);
    }
    if (s->share) {
        ok = ok && taco__pixel_stats_write_count(b, ",\"classes\":", s->classes, err);
        for (i = 0; ok && i < s->bands; i++) {
            ok = taco__pixel_stats_write_list(b, i ? "," : ",\"categorical\":[",
                                              s->share + i * s->classes, s->classes, 1, err);
        }
        ok = ok && taco__buf_append_char(b, ']', err);
    }
    return ok && taco__buf_append_char(b, '}', err) ? taco__bytes_of(b->data, b->len)
                                                    : taco__bytes_of(NULL, 0);
}
/* ==== ROOM foot: rows as footprints: GeoJSON, and GDAL's raster tile index around it. Uses: aggr geom dataset cursor
   pq:text pq:num. Spec: RFC 7946; GDAL "GTI -- GDAL Raster Tile Index" ==== */

typedef enum taco__footprints_role { /* columns that are read for the footprints */
                                     TACO__FOOTPRINTS_VSI = 0,
                                     TACO__FOOTPRINTS_TYPE,
                                     TACO__FOOTPRINTS_TRANSFORM,
                                     TACO__FOOTPRINTS_SHAPE,
                                     TACO__FOOTPRINTS_CRS,
                                     TACO__FOOTPRINTS_GEOMETRY,
                                     TACO__FOOTPRINTS_GEOMETRY_CRS,
                                     TACO__FOOTPRINTS_ROLES
} taco__footprints_role;

struct taco_footprints {
    taco_dataset         *ds;
    taco__mem            *mem;
    taco__arena           arena;
    taco_cursor          *rows;
    taco_footprint_format format;
    taco_error            err;
    const char           *name[TACO__FOOTPRINTS_ROLES]; /* NULL: the view has none */
    size_t                at[TACO__FOOTPRINTS_ROLES];   /* in the rows */
    bool                 *hidden;                       /* of the columns that are no properties */
    size_t                shown;
    taco__cell_names      names;
    bool                  begun, ended, first, clash;
    taco__buf             text, feature, geometry;
    uint64_t              row, written, folders, empty, infinite, foreign;
    /* of the mosaic */
    const char *crs;
    double      box[4], pixel[2]; /* pixel: the smallest; 0 until there was one */
};

/* ---- which columns -------------------------------------------------------------------------------- */

TACO__FN bool taco__footprints_is_crs(const taco_field *f)
{
    return f->type == TACO_TEXT;
}
TACO__FN bool taco__footprints_is_number_list(const taco_field *f)
{
    return f->type == TACO_LIST && taco__cursor_column_is_number(&f->children[0]);
}
/* The name of a column at the level of another one, where it is of a type that fits. */
TACO__FN const char *taco__footprints_find_same_level(const taco_cursor *p, const char *of,
                                                      const char *name,
                                                      bool (*fits)(const taco_field *f))
{
    size_t i = taco__cursor_column_find_same_level(p->fields, p->count, of, name);
    return i != TACO__NONE && fits(&p->fields[i]) ? p->fields[i].name : NULL;
}
/* Finds the three columns of the tile grid at one level, the deepest that has them. */
TACO__FN void taco__footprints_find_grid(taco_footprints *f, const taco_cursor *p)
{
    size_t i;
    for (i = 0; i < p->count; i++) {
        const char *l = p->fields[i].name, *shape, *crs;
        if (strcmp(l + taco__cursor_column_prefix_length(l), "stac:geotransform") != 0 ||
            !taco__footprints_is_number_list(&p->fields[i])) {
            continue;
        }
        shape = taco__footprints_find_same_level(p, l, TACO__PIXEL_STATS_SHAPE,
                                                 taco__footprints_is_number_list);
        crs = taco__footprints_find_same_level(p, l, "stac:crs", taco__footprints_is_crs);
        if (shape && crs) {
            f->name[TACO__FOOTPRINTS_TRANSFORM] = l;
            f->name[TACO__FOOTPRINTS_SHAPE] = shape;
            f->name[TACO__FOOTPRINTS_CRS] = crs;
            return;
        }
    }
}
TACO__FN bool taco__footprints_find_geometry(taco_footprints *f, const taco_cursor *p,
                                             const char *asked)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid",
                                        "istac:centroid"}; /* spec 7.2.2 */
    size_t                   i, k, found = TACO__NONE;
    taco_bytes               name = taco__bytes_text(asked);
    const char              *l;
    if (asked) {
        found = taco__cursor_column_find_unprefixed(p->fields, p->count, asked, true);
        found = found == TACO__NONE
                    ? taco__cursor_column_find_unprefixed(p->fields, p->count, asked, false)
                    : found;
        if (found == TACO__NONE) {
            taco__field_names_no_column(p->fields, p->count, name, &f->err);
            return false;
        }
        if (p->fields[found].type != TACO_BINARY) {
            TACO__FAIL(&f->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is no geometry: WKB is binary", &name);
            return false;
        }
    }
    for (k = 0; k < TACO__COUNT(names) && found == TACO__NONE; k++) {
        for (i = 0; i < p->count && found == TACO__NONE; i++) {
            l = p->fields[i].name;
            if (p->fields[i].type == TACO_BINARY &&
                strcmp(l + taco__cursor_column_prefix_length(l), names[k]) == 0) {
                found = i;
            }
        }
    }
    if (found != TACO__NONE) {
        l = f->name[TACO__FOOTPRINTS_GEOMETRY] = p->fields[found].name;
        if (strncmp(l + taco__cursor_column_prefix_length(l), "istac:", 6) == 0) {
            f->name[TACO__FOOTPRINTS_GEOMETRY_CRS] =
                taco__footprints_find_same_level(p, l, "istac:crs", taco__footprints_is_crs);
        }
    }
    return true;
}
/* Names what is read, copied: the cursor they are of ends. Who asks for a geometry column gets that and no other. */
TACO__FN bool taco__footprints_find_roles(taco_footprints *f, const taco_cursor *p,
                                          const char *asked)
{
    size_t i;
    f->name[TACO__FOOTPRINTS_VSI] = TACO__GDAL_VSI;
    i = taco__cursor_column_find_unprefixed(p->fields, p->count, "type", false);
    f->name[TACO__FOOTPRINTS_TYPE] = i == TACO__NONE ? NULL : p->fields[i].name;
    if (!asked) {
        taco__footprints_find_grid(f, p);
    }
    if (!taco__footprints_find_geometry(f, p, asked)) {
        return false;
    }
    for (i = 0; i < TACO__FOOTPRINTS_ROLES; i++) {
        if (f->name[i]) {
            f->name[i] = taco__arena_text(&f->arena, taco__bytes_text(f->name[i]), &f->err);
            if (!f->name[i]) {
                return false;
            }
        }
    }
    return true;
}
/* What is read: the columns that were asked for, then those of the roles. NULL reads all of them. */
TACO__FN bool taco__footprints_list_columns(taco_footprints *f, const taco_cursor *p,
                                            const char *select, taco__buf *list)
{
    size_t i = taco__cursor_column_find_unprefixed(p->fields, p->count, "id", false);
    bool   ok = true;
    if (select) {
        ok = taco__buf_append_text(list, select, &f->err);
    } else if (i != TACO__NONE) {
        ok = taco__cursor_column_append_quoted(list, p->fields[i].name, &f->err);
    }
    for (i = 0; ok && i < TACO__FOOTPRINTS_ROLES; i++) {
        ok = !f->name[i] || taco__cursor_column_append_quoted(list, f->name[i], &f->err);
    }
    return ok && taco__buf_append_char(list, 0, &f->err);
}
/* Places of the roles in the rows, and which columns become properties. */
TACO__FN bool taco__footprints_place_columns(taco_footprints *f, bool all)
{
    taco_batch none;
    size_t     i, helpers = 0;
    for (i = 0; i < TACO__FOOTPRINTS_ROLES; i++) {
        f->at[i] = f->name[i] ? taco__cursor_column_find(f->rows, f->name[i]) : TACO__NONE;
        helpers += f->name[i] != NULL;
    }
    f->shown = all ? f->rows->count : f->rows->count - helpers;
    f->hidden =
        (bool *)taco__arena_array(&f->arena, f->rows->count + 1, sizeof *f->hidden, &f->err);
    if (!f->hidden) {
        return false;
    }
    for (i = 0; i < f->shown; i++) {
        const char *l = f->rows->fields[i].name;
        bool        clash = strcmp(l, "location") == 0;
        f->clash = f->clash || clash;
        f->hidden[i] =
            clash ||
            (all && (i == f->at[TACO__FOOTPRINTS_VSI] || i == f->at[TACO__FOOTPRINTS_GEOMETRY]));
    }
    memset(&none, 0, sizeof none);
    for (i = 0; i < f->shown; i++) { /* as a row without values would have them */
        f->rows->arrays[i].field = &f->rows->fields[i];
    }
    none.columns = f->rows->arrays;
    none.column_count = f->shown;
    return taco__cell_names_init(&f->names, f->mem, &none, &f->err);
}

/* ---- geometries as JSON --------------------------------------------------------------------------- */

TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err)
{
    if (!taco__buf_reserve(b, TACO__CELL_SIZE, err)) {
        return false;
    }
    b->len += taco__num_format_f64((char *)b->data + b->len, x);
    return true;
}
TACO__FN bool taco__geojson_write_point(taco__buf *b, double x, double y, taco_error *err)
{
    return taco__buf_append_char(b, '[', err) && taco__geojson_write_number(b, x, err) &&
           taco__buf_append_char(b, ',', err) && taco__geojson_write_number(b, y, err) &&
           taco__buf_append_char(b, ']', err);
}
TACO__FN bool taco__geojson_is_finite(double x)
{
    return x - x == 0;
}
TACO__FN double taco__geojson_x_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride, run->big);
}
TACO__FN double taco__geojson_y_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
}
/* RFC 7946 §3.1.6: shells go counterclockwise, holes clockwise. The area is taken relative to the first corner. */
TACO__FN bool taco__geojson_is_backwards(const taco__wkb_item *ring)
{
    double x0 = taco__geojson_x_of(ring, 0), y0 = taco__geojson_y_of(ring, 0), area = 0;
    size_t i;
    for (i = 1; i + 1 < ring->n; i++) {
        area += (taco__geojson_x_of(ring, i) - x0) * (taco__geojson_y_of(ring, i + 1) - y0) -
                (taco__geojson_x_of(ring, i + 1) - x0) * (taco__geojson_y_of(ring, i) - y0);
    }
    return ring->index == 0 ? area < 0 : area > 0;
}
/* The positions of a run: of a Point one, of all others a list. *finite is cleared where one cannot be written. */
TACO__FN bool taco__geojson_write_run(taco__buf *b, const taco__wkb_item *run, bool *finite,
                                      taco_error *err)
{
    bool   back = run->type == TACO__WKB_POLYGON && taco__geojson_is_backwards(run);
    bool   ok = run->type == TACO__WKB_POINT || taco__buf_append_char(b, '[', err);
    size_t i;
    for (i = 0; ok && i < run->n; i++) {
        size_t k = back ? run->n - 1 - i : i;
        double x = taco__geojson_x_of(run, k), y = taco__geojson_y_of(run, k);
        *finite = *finite && taco__geojson_is_finite(x) && taco__geojson_is_finite(y);
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__geojson_write_point(b, x, y, err);
    }
    return ok && (run->type == TACO__WKB_POINT || taco__buf_append_char(b, ']', err));
}
/* A Point of two NaN is how WKB says that it is empty. */
TACO__FN bool taco__geojson_is_empty_point(const taco__wkb_item *run)
{
    double x = run->n ? taco__geojson_x_of(run, 0) : 0, y = run->n ? taco__geojson_y_of(run, 0) : 0;
    return run->n == 0 || (run->type == TACO__WKB_POINT && x != x && y != y);
}
typedef struct taco__geojson_level { /* of a geometry that is being written */
    size_t mark;                     /* of the text, in front of it */
    size_t parts;                    /* that were written */
} taco__geojson_level;

/* Members of a MultiX are bare coordinates; all others are objects. */
TACO__FN bool taco__geojson_is_bare(const taco__wkb_reader *w, size_t depth)
{
    return depth > 1 && w->frame[depth - 2].type != TACO__WKB_COLLECTION;
}
TACO__FN bool taco__geojson_begin(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                  taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth;
    bool   ok = true;
    levels[d - 1].mark = b->len;
    levels[d - 1].parts = 0;
    if (d > 1 && levels[d - 2].parts++ > 0) {
        ok = taco__buf_append_char(b, ',', err);
    }
    if (ok && !taco__geojson_is_bare(w, d)) {
        ok = taco__buf_append_text(b, "{\"type\":\"", err) &&
             taco__buf_append_text(b, taco__wkb_type_name(type), err) &&
             taco__buf_append_text(
                 b,
                 type == TACO__WKB_COLLECTION ? "\",\"geometries\":" : "\",\"coordinates\":", err);
    }
    return ok && (type == TACO__WKB_POINT || type == TACO__WKB_LINESTRING ||
                  taco__buf_append_char(b, '[', err));
}
/* Empty members of a MultiX are left out: a position or a line of no numbers is none. */
TACO__FN bool taco__geojson_end(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth + 1; /* the walk has left it */
    bool   bare = d > 1 && w->frame[d - 2].type != TACO__WKB_COLLECTION, ok = true;
    if (bare && levels[d - 1].parts == 0) {
        b->len = levels[d - 1].mark;
        levels[d - 2].parts--;
        return true;
    }
    if (type != TACO__WKB_POINT && type != TACO__WKB_LINESTRING) {
        ok = taco__buf_append_char(b, ']', err);
    } else if (levels[d - 1].parts == 0) {
        ok = taco__buf_append_text(b, "[]", err);
    }
    return ok && (bare || taco__buf_append_char(b, '}', err));
}
/* Writes WKB as a GeoJSON geometry in x and y; null where it is empty or, *finite false, cannot be written. */
TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err)
{
    taco__wkb_reader    w;
    taco__wkb_item      item;
    taco__geojson_level levels[TACO__WKB_MAX_DEPTH];
    size_t              begin = b->len;
    bool                ok = true;
    *finite = *empty = true;
    memset(&item, 0, sizeof item);
    taco__wkb_reader_init(&w, wkb);
    while (ok && taco__wkb_next(&w, &item, err) == TACO_OK && item.what != TACO__WKB_DONE) {
        if (item.what == TACO__WKB_BEGIN) {
            ok = taco__geojson_begin(b, &w, item.type, levels, err);
        } else if (item.what == TACO__WKB_END) {
            ok = taco__geojson_end(b, &w, item.type, levels, err);
        } else if (!taco__geojson_is_empty_point(&item)) {
            *empty = false;
            if (levels[w.depth - 1].parts++ > 0) {
                ok = taco__buf_append_char(b, ',', err);
            }
            ok = ok && taco__geojson_write_run(b, &item, finite, err);
        }
    }
    if (!ok || item.what != TACO__WKB_DONE) {
        return false;
    }
    if (*empty || !*finite) {
        b->len = begin;
        return taco__buf_append_text(b, "null", err);
    }
    return true;
}
/* A ring around corners, counterclockwise, as it stands in the coordinates of a Polygon. */
TACO__FN bool taco__geojson_write_polygon(taco__buf *b, const double xy[8], taco_error *err)
{
    double area = (xy[4] - xy[0]) * (xy[7] - xy[3]) - (xy[6] - xy[2]) * (xy[5] - xy[1]);
    size_t i;
    bool   ok = taco__buf_append_text(b, "[[", err);
    for (i = 0; ok && i < 5; i++) {
        size_t k = 2 * (i % 4 == 0 ? 0 : area < 0 ? 4 - i : i);
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__geojson_write_point(b, xy[k], xy[k + 1], err);
    }
    return ok && taco__buf_append_text(b, "]]", err);
}
TACO__FN bool taco__geojson_write_box(taco__buf *b, double west, double south, double east,
                                      double north, taco_error *err)
{
    double xy[8];
    xy[0] = xy[6] = west;
    xy[1] = xy[3] = south;
    xy[2] = xy[4] = east;
    xy[5] = xy[7] = north;
    return taco__geojson_write_polygon(b, xy, err);
}

/* ---- tiles ---------------------------------------------------------------------------------------- */

typedef struct taco__footprints_tile {
    double     xy[8];    /* corners, around */
    double     pixel[2]; /* size of one */
    bool       rotated;
    taco_bytes crs;
} taco__footprints_tile;

/* The four corners of a row's tile, from GDAL's geotransform and the last two sizes of the shape. False where it has none. */
TACO__FN bool taco__footprints_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                           taco__footprints_tile *t)
{
    const taco_array *gt, *shape, *crs;
    double            g[6], size[2];
    size_t            k, first;
    if (f->at[TACO__FOOTPRINTS_TRANSFORM] == TACO__NONE) {
        return false;
    }
    gt = &b->columns[f->at[TACO__FOOTPRINTS_TRANSFORM]];
    shape = &b->columns[f->at[TACO__FOOTPRINTS_SHAPE]];
    crs = &b->columns[f->at[TACO__FOOTPRINTS_CRS]];
    if (!taco_array_valid(gt, i) || !taco_array_valid(shape, i) || !taco_array_valid(crs, i) ||
        gt->offsets[i + 1] - gt->offsets[i] != 6 || shape->offsets[i + 1] - shape->offsets[i] < 2) {
        return false;
    }
    for (k = 0; k < 6; k++) {
        first = (size_t)gt->offsets[i];
        g[k] = taco_array_double(gt->children, first + k);
        if (!taco_array_valid(gt->children, first + k) || !taco__geojson_is_finite(g[k])) {
            return false;
        }
    }
    for (k = 0; k < 2; k++) {
        first = (size_t)shape->offsets[i + 1] - 2;
        size[k] = taco_array_double(shape->children, first + k);
        if (!taco_array_valid(shape->children, first + k) || !(size[k] > 0)) {
            return false;
        }
    }
    for (k = 0; k < 4; k++) {
        double column = k == 1 || k == 2 ? size[1] : 0, row = k >= 2 ? size[0] : 0;
        t->xy[2 * k] = g[0] + column * g[1] + row * g[2];
        t->xy[2 * k + 1] = g[3] + column * g[4] + row * g[5];
        if (!taco__geojson_is_finite(t->xy[2 * k]) || !taco__geojson_is_finite(t->xy[2 * k + 1])) {
            return false;
        }
    }
    t->rotated = g[2] != 0 || g[4] != 0;
    t->pixel[0] = g[1] < 0 ? -g[1] : g[1];
    t->pixel[1] = g[5] < 0 ? -g[5] : g[5];
    t->crs = taco_array_bytes(crs, i);
    return t->crs.len && (t->rotated || (t->pixel[0] > 0 && t->pixel[1] > 0));
}
/* Same text but for the case of ASCII letters. */
TACO__FN bool taco__footprints_same_crs(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; a.len == b.len && i < a.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) {
            return false;
        }
    }
    return a.len == b.len;
}
TACO__FN bool taco__footprints_is_degrees(taco_bytes crs)
{
    return taco__footprints_same_crs(crs, taco__bytes_text("EPSG:4326")) ||
           taco__footprints_same_crs(crs, taco__bytes_text("OGC:CRS84"));
}
/* A tile in degrees. Longitudes are brought to -180..180; what crosses the antimeridian becomes two polygons, one on
   either side (RFC 7946 §3.1.9). Rotated tiles stay as they are. */
TACO__FN bool taco__geojson_write_tile(taco__buf *b, const taco__footprints_tile *t,
                                       taco_error *err)
{
    double west = TACO__MIN(t->xy[0], t->xy[2]), east = TACO__MAX(t->xy[0], t->xy[2]);
    double south = TACO__MIN(t->xy[1], t->xy[5]), north = TACO__MAX(t->xy[1], t->xy[5]);
    double turn = west >= 180 ? -360 : east <= -180 ? 360 : 0, cut;
    if (t->rotated) {
        return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
               taco__geojson_write_polygon(b, t->xy, err) && taco__buf_append_char(b, '}', err);
    }
    west += turn;
    east += turn;
    if (east - west >= 360) {
        west = -180;
        east = 180;
    }
    cut = west < -180 ? -180 : east > 180 ? 180 : west;
    if (cut == west || west < -540 || east > 540) {
        return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
               taco__geojson_write_box(b, west, south, east, north, err) &&
               taco__buf_append_char(b, '}', err);
    }
    return taco__buf_append_text(b, "{\"type\":\"MultiPolygon\",\"coordinates\":[", err) &&
           taco__geojson_write_box(b, cut < 0 ? west + 360 : west, south, 180, north, err) &&
           taco__buf_append_char(b, ',', err) &&
           taco__geojson_write_box(b, -180, south, cut < 0 ? east : east - 360, north, err) &&
           taco__buf_append_text(b, "]}", err);
}

/* ---- features ------------------------------------------------------------------------------------- */

TACO__FN bool taco__footprints_fail(taco_footprints *f)
{
    taco__error_prefix(&f->err, "row %u of the view", f->row);
    return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
}
/* The bytes of a row in a column; {NULL, 0} where the view has none. */
TACO__FN taco_bytes taco__footprints_cell(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_role role)
{
    return f->at[role] == TACO__NONE ? taco__bytes_of(NULL, 0)
                                     : taco_array_bytes(&b->columns[f->at[role]], i);
}
TACO__FN bool taco__footprints_add_geometry(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco__footprints_tile t;
    taco_bytes            wkb, crs;
    bool                  finite, empty;
    if (taco__footprints_tile_of_row(f, b, i, &t) && taco__footprints_is_degrees(t.crs)) {
        return taco__geojson_write_tile(&f->geometry, &t, &f->err);
    }
    wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY);
    crs = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY_CRS);
    if (!wkb.len) {
        return taco__buf_append_text(&f->geometry, "null", &f->err);
    }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err)) {
        return taco__footprints_fail(f);
    }
    f->infinite += !finite;
    f->foreign += crs.len && !taco__footprints_is_degrees(crs);
    return true;
}
/* A mosaic has one CRS, that of its first tile. */
TACO__FN bool taco__gti_check_crs(taco_footprints *f, taco_bytes crs, const char *column)
{
    taco_bytes before = taco__bytes_text(f->crs), name = taco__bytes_text(column);
    if (!f->crs) {
        f->crs = taco__arena_text(&f->arena, crs, &f->err);
        return f->crs != NULL;
    }
    if (taco__footprints_same_crs(before, crs)) {
        return true;
    }
    TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "a tile in %q, the tiles before are in %q: a tile index has one CRS, filter by %q, "
               "or name a geometry column of polygons in one CRS",
               &crs, &before, &name);
    return taco__footprints_fail(f);
}
TACO__FN void taco__gti_extend(taco_footprints *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        bool more = k < 2 ? box[k] < f->box[k] : box[k] > f->box[k];
        f->box[k] = f->written == 0 || more ? box[k] : f->box[k];
    }
}
/* GDAL 3.10 leaves a window empty when a tile that only touches its edge comes before the tile that fills it. So in an
   index the tiles lie apart, by a part of a pixel on each side. The extent of the mosaic is told as it is. */
#define TACO__GTI_INSET 1024

/* The footprint of a tile in the CRS of the mosaic; *none where the row has none. */
TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco__footprints_tile t;
    taco_bytes            wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY), crs;
    double                box[4];
    size_t                k;
    bool                  finite, empty;
    *none = false;
    if (taco__footprints_tile_of_row(f, b, i, &t)) {
        if (t.rotated) {
            TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the tile's stac:geotransform is rotated: a tile index wants tiles whose "
                       "rows run east");
            return taco__footprints_fail(f);
        }
        for (k = 0; k < 2; k++) {
            box[k] = TACO__MIN(t.xy[k], t.xy[4 + k]);
            box[2 + k] = TACO__MAX(t.xy[k], t.xy[4 + k]);
            f->pixel[k] = f->pixel[k] > 0 && f->pixel[k] < t.pixel[k] ? f->pixel[k] : t.pixel[k];
        }
        taco__gti_extend(f, box);
        return taco__gti_check_crs(f, t.crs, f->name[TACO__FOOTPRINTS_CRS]) &&
               taco__buf_append_text(&f->geometry,
                                     "{\"type\":\"Polygon\",\"coordinates\":", &f->err) &&
               taco__geojson_write_box(&f->geometry, box[0] + t.pixel[0] / TACO__GTI_INSET,
                                       box[1] + t.pixel[1] / TACO__GTI_INSET,
                                       box[2] - t.pixel[0] / TACO__GTI_INSET,
                                       box[3] - t.pixel[1] / TACO__GTI_INSET, &f->err) &&
               taco__buf_append_char(&f->geometry, '}', &f->err);
    }
    *none = true;
    if (!wkb.len) {
        return true;
    }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err) ||
        taco__wkb_bounds(wkb, box, &empty, &f->err) != TACO_OK) {
        return f->err.code == TACO_OK || taco__footprints_fail(f);
    }
    if (empty || !finite || !(box[0] < box[2]) || !(box[1] < box[3])) {
        return true; /* a point is no tile */
    }
    *none = false;
    taco__gti_extend(f, box);
    crs = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY_CRS);
    return taco__gti_check_crs(
        f, crs.len ? crs : taco__bytes_text("EPSG:4326"),
        f->name[f->name[TACO__FOOTPRINTS_GEOMETRY_CRS] ? TACO__FOOTPRINTS_GEOMETRY_CRS
                                                       : TACO__FOOTPRINTS_GEOMETRY]);
}
/* "location" comes first: GDAL takes the type of a column from what it sees first. */
TACO__FN bool taco__footprints_add_properties(taco_footprints *f, const taco_batch *b, size_t row)
{
    taco__buf *out = &f->feature;
    taco_bytes vsi = taco__footprints_cell(f, b, row, TACO__FOOTPRINTS_VSI);
    size_t     i;
    bool       ok = taco__buf_append_text(
                        out, "{\"type\":\"Feature\",\"properties\":{\"location\":", &f->err) &&
              (vsi.data ? taco__json_write_name(out, vsi, &f->err)
                        : taco__buf_append_text(out, "null", &f->err));
    for (i = 0; ok && i < f->shown; i++) {
        size_t from = i ? f->names.ends[i - 1] : 0;
        if (!f->hidden[i]) {
            ok = taco__buf_append_char(out, ',', &f->err) &&
                 taco__buf_append(out, f->names.text.data + from, f->names.ends[i] - from,
                                  &f->err) &&
                 taco__cell_json(out, &b->columns[i], row, &f->err);
        }
    }
    return ok && taco__buf_append_text(out, "},\"geometry\":", &f->err);
}
/* Appends text with what XML would take for markup escaped. */
TACO__FN bool taco__gti_append_escaped(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i, from = 0;
    for (i = 0; i <= b.len; i++) {
        const char *e = i == b.len         ? ""
                        : b.data[i] == '&' ? "&amp;"
                        : b.data[i] == '<' ? "&lt;"
                        : b.data[i] == '>' ? "&gt;"
                                           : NULL;
        if (e) {
            if (!taco__buf_append(out, b.data + from, i - from, err) ||
                !taco__buf_append_text(out, e, err)) {
                return false;
            }
            from = i + 1;
        }
    }
    return true;
}
TACO__FN bool taco__footprints_add_row(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco_bytes type = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_TYPE);
    bool       gti = f->format == TACO_FOOTPRINTS_GTI, none = false, ok;
    f->feature.len = f->geometry.len = 0;
    if (gti && taco__bytes_equal(type, taco__bytes_text("FOLDER"))) {
        f->folders++;
        return true;
    }
    ok = gti ? taco__gti_add_tile(f, b, i, &none) : taco__footprints_add_geometry(f, b, i);
    if (none) {
        f->empty++;
        return ok;
    }
    ok = ok && taco__footprints_add_properties(f, b, i) &&
         taco__buf_append(&f->feature, f->geometry.data, f->geometry.len, &f->err) &&
         taco__buf_append_char(&f->feature, '}', &f->err) &&
         taco__buf_append_text(&f->text, f->written ? ",\n" : "\n", &f->err);
    if (ok && gti) {
        ok = taco__gti_append_escaped(&f->text, taco__bytes_of(f->feature.data, f->feature.len),
                                      &f->err);
    } else {
        ok = ok && taco__buf_append(&f->text, f->feature.data, f->feature.len, &f->err);
    }
    f->written++;
    return ok;
}

/* ---- the document --------------------------------------------------------------------------------- */

TACO__FN bool taco__gti_begin(taco_footprints *f)
{
    f->begun = true;
    /* GDAL takes an index that begins like GeoJSON for the text itself, not for a file name */
    return (f->format == TACO_FOOTPRINTS_GEOJSON ||
            taco__buf_append_text(&f->text, "<GDALTileIndexDataset>\n<IndexDataset>", &f->err)) &&
           taco__buf_append_text(&f->text, "{\"type\":\"FeatureCollection\",\"features\":[",
                                 &f->err);
}
TACO__FN bool taco__gti_write_element(taco_footprints *f, const char *name, double x)
{
    return taco__buf_append_char(&f->text, '<', &f->err) &&
           taco__buf_append_text(&f->text, name, &f->err) &&
           taco__buf_append_char(&f->text, '>', &f->err) &&
           taco__geojson_write_number(&f->text, x, &f->err) &&
           taco__buf_append_text(&f->text, "</", &f->err) &&
           taco__buf_append_text(&f->text, name, &f->err) &&
           taco__buf_append_text(&f->text, ">\n", &f->err);
}
/* Resolution and extent are told where every tile said its own: GDAL would open a tile for them. */
TACO__FN bool taco__gti_end(taco_footprints *f)
{
    static const char *const names[] = {"MinX", "MinY", "MaxX", "MaxY"};
    size_t                   k;
    bool                     ok = taco__buf_append_text(&f->text, "\n]}", &f->err);
    if (f->format == TACO_FOOTPRINTS_GEOJSON) {
        return ok && taco__buf_append_char(&f->text, '\n', &f->err);
    }
    if (f->written == 0) {
        TACO__FAIL(&f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no tiles: %u of %u rows are FOLDERs, %u have no footprint (stac:geotransform, "
                   "stac:tensor_shape and stac:crs, or a polygon)",
                   f->folders, f->row, f->empty);
        return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
    }
    ok = ok &&
         taco__buf_append_text(&f->text,
                               "</IndexDataset>\n<LocationField>location</LocationField>\n<SRS>",
                               &f->err) &&
         taco__gti_append_escaped(&f->text, taco__bytes_text(f->crs), &f->err) &&
         taco__buf_append_text(&f->text, "</SRS>\n", &f->err);
    if (ok && f->pixel[0] > 0) {
        ok = taco__gti_write_element(f, "ResX", f->pixel[0]) &&
             taco__gti_write_element(f, "ResY", f->pixel[1]);
        for (k = 0; ok && k < 4; k++) {
            ok = taco__gti_write_element(f, names[k], f->box[k]);
        }
    }
    return ok && taco__buf_append_text(&f->text, "</GDALTileIndexDataset>\n", &f->err);
}
TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text)
{
    taco_batch batch;
    size_t     i;
    *text = taco__bytes_of(NULL, 0);
    if (!f || f->ended || f->err.code != TACO_OK) {
        return false;
    }
    f->text.len = 0;
    if (!f->begun && !taco__gti_begin(f)) {
        return false;
    }
    if (taco_cursor_batch(f->rows, &batch)) {
        for (i = 0; i < batch.length; i++, f->row++) {
            if (!taco__footprints_add_row(f, &batch, i)) {
                return false;
            }
        }
    } else if (f->rows->err.code != TACO_OK) {
        f->err = f->rows->err;
        return false;
    } else {
        f->ended = true;
        if (!taco__gti_end(f)) {
            return false;
        }
    }
    *text = taco__bytes_of(f->text.data, f->text.len);
    return true;
}

/* ---- open and close ------------------------------------------------------------------------------- */

TACO__FN void taco__footprints_warn(taco_footprints *f, uint64_t n, const char *what)
{
    taco_error w;
    if (n && f->ds->options.warn) {
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: %u of %u rows %s",
                   f->ds->stores[0].name, n, f->row, what);
        f->ds->options.warn(f->ds->options.warn_ctx, &w);
    }
}
TACO_API taco_status taco_footprints_close(taco_footprints *f, taco_error *err)
{
    taco_status code;
    taco__mem  *mem;
    if (!f) {
        return TACO_OK;
    }
    code = f->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) {
        *err = f->err;
    }
    if (code == TACO_OK && f->ended) {
        taco__footprints_warn(f, f->folders, "are FOLDERs, left out of the tile index");
        taco__footprints_warn(f, f->empty, "have no footprint, left out of the tile index");
        taco__footprints_warn(f, f->infinite,
                              "have coordinates that are no numbers; geometry null");
        taco__footprints_warn(f, f->foreign,
                              "have a geometry that is not in EPSG:4326; not reprojected");
        taco__footprints_warn(f, f->clash ? f->row : 0,
                              "have a column 'location', left out: the path is called so");
    }
    taco_cursor_close(f->rows, NULL);
    taco__cell_names_free(&f->names);
    taco__buf_free(&f->text);
    taco__buf_free(&f->feature);
    taco__buf_free(&f->geometry);
    taco__arena_free(&f->arena);
    mem = f->mem;
    taco__mem_free(mem, f, sizeof *f);
    return code;
}
TACO__FN bool taco__footprints_open(taco_footprints *f, const taco_query *query)
{
    bool         all = !query->select && f->format == TACO_FOOTPRINTS_GEOJSON, ok;
    taco_query   q = *query;
    taco_cursor *probe = taco__select_columns_only(f->ds, &q, &f->err);
    taco__buf    list;
    memset(&list, 0, sizeof list);
    list.mem = f->mem;
    ok = probe && taco__footprints_find_roles(f, probe, q.geometry_column);
    if (probe && !ok) {
        taco__container_fail(&f->ds->stores[0], NULL, &f->err);
    }
    ok = ok && (all || taco__footprints_list_columns(f, probe, q.select, &list));
    taco_cursor_close(probe, &f->err);
    if (ok) {
        q.select = all ? NULL : (const char *)list.data;
        f->rows = taco_select(f->ds, &q, &f->err);
    }
    taco__buf_free(&list);
    return f->rows && taco__footprints_place_columns(f, all);
}
TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *query,
                                               taco_footprint_format format, taco_error *err)
{
    taco_footprints *f;
    taco_query       q;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds || (format != TACO_FOOTPRINTS_GEOJSON && format != TACO_FOOTPRINTS_GTI)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                   ds ? "format" : "dataset");
        return NULL;
    }
    f = (taco_footprints *)taco__mem_alloc(&ds->mem, sizeof *f, err);
    if (!f) {
        return NULL;
    }
    f->ds = ds;
    f->mem = f->arena.mem = f->text.mem = f->feature.mem = f->geometry.mem = &ds->mem;
    f->format = format;
    if (!taco__footprints_open(f, &q)) {
        taco_footprints_close(f, err);
        return NULL;
    }
    return f;
}
/* ==== ROOM vec: vectors of typed values that SQL computes with: from Arrow, to Arrow, choose, append, hash, order.
   Uses: pq:value pq:time pq:hash mem. Spec: Arrow columnar format ==== */

/* A type of SQL. LIST and MAP have one child, STRUCT its fields. DECIMAL of precision 39 is HUGEINT, a BINARY with
   `geo` set is a GEOMETRY. */
typedef struct taco__sql_type {
    taco__scalar_type            t;
    bool                         geo;
    uint32_t                     count;
    const struct taco__sql_type *kids;
    const char *const           *names; /* STRUCT */
} taco__sql_type;

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

typedef struct taco__sql_list_span { /* elements of a list in its child */
    uint32_t at, len;
} taco__sql_list_span;
typedef struct taco__sql_interval {
    int32_t months, days;
    int64_t micros;
} taco__sql_interval;

/* n values; value i stands at i * step, step 0 being a constant. valid NULL: no nulls. */
typedef struct taco__vec {
    const taco__sql_type *type;
    size_t                n, step;
    uint8_t              *valid;
    const int32_t        *codes;  /* STR as it was loaded: entries of a dictionary, or NULL */
    size_t                code_n; /* of the dictionary; codes of nulls may be any */
    const taco_array     *source; /* in place of values: an array that goes out as it is, or whose
                                  dictionary has the texts of the codes */
    union {
        void                *any;
        int64_t             *i;
        double              *f;
        taco__i256          *d;
        taco_bytes          *s;
        taco__sql_list_span *l;
    } v;
    struct taco__vec *kids;
} taco__vec;

#define TACO__VEC_NONE UINT32_MAX /* in an index: no row, all values null */

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
TACO__INLINE bool taco__vec_is_valid(const taco__vec *v, size_t i)
{
    return !v->valid || v->valid[i * v->step];
}
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b)
{
    uint32_t i;
    if (a->t.id != b->t.id || a->geo != b->geo || a->count != b->count) {
        return false;
    }
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
/* n zeroed values, not null. */
TACO__FN bool taco__vec_init(taco__arena *arena, const taco__sql_type *type, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(type);
    uint32_t            i;
    memset(out, 0, sizeof *out);
    out->type = type;
    out->n = n;
    out->step = 1;
    if (taco__sql_type_physical_size(p)) {
        out->v.any = taco__arena_array(arena, n, taco__sql_type_physical_size(p), err);
        if (!out->v.any) {
            return false;
        }
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
        if (!v->valid) {
            return false;
        }
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

/* ---- types from fields, fields from types --------------------------------------------------------- */

TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err)
{
    uint32_t        i;
    taco__sql_type *kids;
    const char    **names;
    memset(out, 0, sizeof *out);
    out->t = taco__scalar_type_of_field(f);
    out->t.id = f->type == TACO_HALF ? TACO_FLOAT : f->type == TACO_NULL ? TACO_INT32 : out->t.id;
    if (out->t.id == TACO_TIME && out->t.unit == TACO_MILLI) {
        out->t.unit = TACO_MICRO; /* DuckDB's only TIME */
    }
    if (f->type != TACO_DECIMAL) {
        out->t.precision = out->t.scale = 0;
    }
    if (!f->child_count) {
        return true;
    }
    out->count = f->child_count;
    out->kids = kids =
        (taco__sql_type *)taco__arena_array(arena, f->child_count, sizeof *kids, err);
    names = (const char **)taco__arena_array(arena, f->child_count, sizeof *names, err);
    out->names = names;
    for (i = 0; kids && names && i < f->child_count; i++) {
        names[i] = f->children[i].name;
        if (!taco__sql_type_from_field(arena, &f->children[i], &kids[i], err)) {
            return false;
        }
    }
    return kids && names;
}
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 16, 4, 8, 8};
    taco_field          *kids;
    uint32_t             i;
    memset(out, 0, sizeof *out);
    out->name = name;
    out->type = t->t.id;
    out->unit = t->t.unit;
    out->utc = t->t.utc;
    out->nullable = true;
    out->width = (size_t)t->t.id < sizeof widths ? widths[t->t.id] : t->t.id == TACO_UUID ? 16 : 0;
    out->precision = TACO__MIN(t->t.precision, t->t.precision == 39 ? 38 : t->t.precision);
    out->scale = t->t.scale;
    if (t->t.id == TACO_DECIMAL && t->t.precision > 39) {
        out->width = 32;
    }
    if (t->t.id == TACO_TIME && t->t.unit == TACO_MILLI) {
        out->width = 4;
    }
    if (!t->count) {
        return true;
    }
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

/* ---- from Arrow ------------------------------------------------------------------------------------ */

TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err);

TACO__FN bool taco__vec_arrow_load_decimal(const taco_array *a, taco__vec *out)
{
    size_t i;
    for (i = 0; i < out->n; i++) {
        if (!taco__vec_is_valid(out, i)) {
            continue;
        }
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
TACO__FN void taco__vec_arrow_load_text(const taco_array *a, taco__vec *out)
{
    const taco_array *d = a->dictionary ? a->dictionary : a;
    size_t            i;
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
/* Nulls and codes of a text with a dictionary; a value is there once taco__vec_arrow_load_code_text has made it. */
TACO__FN bool taco__vec_arrow_load_codes(taco__arena *arena, const taco_array *a,
                                         const taco__sql_type *type, taco__vec *out,
                                         taco_error *err)
{
    size_t i;
    if (!taco__vec_init(arena, type, a->length, out, err)) {
        return false;
    }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) {
            return false;
        }
        for (i = 0; i < a->length; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    out->codes = a->v.i32;
    out->code_n = a->dictionary->length;
    out->source = a;
    return true;
}
TACO__FN void taco__vec_arrow_load_code_text(const taco__vec *v, size_t i)
{
    if (v->source) {
        v->v.s[i] = taco_array_bytes(v->source, i);
    }
}
TACO__FN bool taco__vec_arrow_load_nested(taco__arena *arena, const taco_array *a, taco__vec *out,
                                          taco_error *err)
{
    uint32_t k;
    size_t   i;
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
TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err)
{
    size_t              i, n = a->length;
    taco__physical_type p = taco__sql_type_physical(type);
    bool                nothing = a->null_count == n && !a->v.any && !a->offsets && !a->children;
    if ((a->field->type == TACO_NULL || nothing) && type->t.id != TACO_NULL) {
        return taco__vec_init_null(arena, type, n, out, err);
    }
    if (!taco__vec_init(arena, type, n, out, err)) {
        return false;
    }
    if (p == TACO__PHYS_NULL) {
        return true;
    }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) {
            return false;
        }
        for (i = 0; i < n; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    switch (p) {
    case TACO__PHYS_INT:
        if (a->field->type == TACO_INT64 && !a->dictionary && n) {
            memcpy(out->v.i, a->v.i64, n * sizeof(int64_t));
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

/* ---- to Arrow -------------------------------------------------------------------------------------- */

TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err);

TACO__FN bool taco__vec_arrow_store_int(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                        taco_array *out, taco_error *err)
{
    size_t   i, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)(f->type == TACO_BOOL
                                 ? taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err)
                                 : taco__arena_array(arena, v->n + 1, w, err));
    if (!p) {
        return false;
    }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        int64_t x = v->v.i[i * v->step];
        if (f->type == TACO_BOOL) {
            if (x && taco__vec_is_valid(v, i)) {
                taco__bitmap_set(p, i);
            }
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
TACO__FN bool taco__vec_arrow_store_fixed(taco__arena *arena, const taco__vec *v,
                                          const taco_field *f, taco_array *out, taco_error *err)
{
    size_t   i, k, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)taco__arena_array(arena, v->n + 1, w, err);
    if (!p) {
        return false;
    }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        if (!taco__vec_is_valid(v, i)) {
            continue;
        }
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
TACO__FN bool taco__vec_fail_too_long(taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "the values of a batch take more than 2147483647 bytes or elements");
    return false;
}
TACO__FN bool taco__vec_arrow_store_text(taco__arena *arena, const taco__vec *v, taco_array *out,
                                         taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    uint64_t total = 0;
    size_t   i;
    uint8_t *p;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.s[i * v->step].len : 0;
    }
    if (total > INT32_MAX) {
        return taco__vec_fail_too_long(err);
    }
    p = (uint8_t *)taco__arena_alloc(arena, (size_t)total, err);
    if (!offsets || !p) {
        return false;
    }
    out->offsets = offsets;
    out->v.any = p;
    for (i = 0, total = 0; i < v->n; i++) {
        taco_bytes b = taco__vec_is_valid(v, i) ? v->v.s[i * v->step] : taco__bytes_of(NULL, 0);
        if (b.len) {
            memcpy(p + total, b.data, b.len);
        }
        total += b.len;
        offsets[i + 1] = (int32_t)total;
    }
    return true;
}

/* ---- choosing rows --------------------------------------------------------------------------------- */

/* out = the rows idx[0..n) of v; TACO__VEC_NONE gives null. Bytes are shared with v. */
TACO__FN bool taco__vec_take(taco__arena *arena, const taco__vec *v, const uint32_t *idx, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    size_t              i, gone = 0;
    uint32_t            k;
    for (i = 0; i < n; i++) {
        gone += idx[i] == TACO__VEC_NONE;
    }
    if (p == TACO__PHYS_STRUCT || p == TACO__PHYS_LIST) {
        memset(out, 0, sizeof *out);
        out->type = v->type;
        out->n = n;
        out->step = 1;
        out->kids = v->kids; /* lists keep their child */
    } else if (!taco__vec_init(arena, v->type, n, out, err)) {
        return false;
    }
    if (p == TACO__PHYS_LIST) {
        out->v.l = (taco__sql_list_span *)taco__arena_array(arena, n, sizeof *out->v.l, err);
        if (!out->v.l) {
            return false;
        }
    }
    if ((v->valid || gone) && p != TACO__PHYS_NULL) {
        if (!taco__vec_init_validity(arena, out, err)) {
            return false;
        }
        for (i = 0; i < n; i++) {
            out->valid[i] = idx[i] != TACO__VEC_NONE && taco__vec_is_valid(v, idx[i]);
        }
    }
#define TACO__VEC_COPY(m)                                                                          \
    for (i = 0; i < n; i++) {                                                                      \
        if (idx[i] != TACO__VEC_NONE) {                                                            \
            out->v.m[i] = v->v.m[idx[i] * v->step];                                                \
        }                                                                                          \
    }                                                                                              \
    break
    switch (p) {
    case TACO__PHYS_INT: TACO__VEC_COPY(i);
    case TACO__PHYS_DBL: TACO__VEC_COPY(f);
    case TACO__PHYS_BIG: TACO__VEC_COPY(d);
    case TACO__PHYS_STR: TACO__VEC_COPY(s);
    case TACO__PHYS_LIST: TACO__VEC_COPY(l);
    case TACO__PHYS_STRUCT:
        out->kids = (taco__vec *)taco__arena_array(arena, v->type->count, sizeof *out->kids, err);
        for (k = 0; out->kids && k < v->type->count; k++) {
            uint32_t       *at = NULL;
            const uint32_t *use = idx;
            if (!v->step) { /* a constant: its child has one row */
                at = (uint32_t *)taco__arena_array(arena, n, sizeof *at, err);
                for (i = 0; at && i < n; i++) {
                    at[i] = idx[i] == TACO__VEC_NONE ? idx[i] : 0;
                }
                use = at;
            }
            if (!use || !taco__vec_take(arena, &v->kids[k], use, n, &out->kids[k], err)) {
                return false;
            }
        }
        return out->kids != NULL;
    default: break;
    }
#undef TACO__VEC_COPY
    return true;
}
/* A vector whose value i stands at i; v itself unless it is a constant. */
TACO__FN bool taco__vec_flatten(taco__arena *arena, taco__vec *v, taco_error *err)
{
    uint32_t *idx;
    taco__vec out;
    if (v->step) {
        return true;
    }
    idx = (uint32_t *)taco__arena_array(arena, v->n, sizeof *idx, err); /* zeros */
    if (!idx || !taco__vec_take(arena, v, idx, v->n, &out, err)) {
        return false;
    }
    *v = out;
    return true;
}
TACO__FN bool taco__vec_arrow_store_list(taco__arena *arena, const taco__vec *v,
                                         const taco_field *f, taco_array *out, taco_error *err)
{
    int32_t    *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    taco_array *kid = (taco_array *)taco__arena_alloc(arena, sizeof *kid, err);
    uint64_t    total = 0;
    uint32_t   *idx;
    size_t      i, k;
    taco__vec   chosen;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.l[i * v->step].len : 0;
    }
    if (total > INT32_MAX) {
        return taco__vec_fail_too_long(err);
    }
    idx = (uint32_t *)taco__arena_array(arena, (size_t)total, sizeof *idx, err);
    if (!offsets || !kid || !idx) {
        return false;
    }
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
TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err)
{
    size_t   i;
    uint8_t *bits;
    memset(out, 0, sizeof *out);
    out->field = f;
    out->length = v->n;
    if (v->valid) {
        bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err);
        if (!bits) {
            return false;
        }
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

/* ---- columns that grow ----------------------------------------------------------------------------- */

/* A column of a result that is held: rows are appended, bytes are copied into the arena. */
typedef struct taco__vec_builder {
    taco__vec                 v;
    size_t                    cap;
    struct taco__vec_builder *kids;
} taco__vec_builder;

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
            if (!taco__vec_builder_init(arena, &type->kids[k], &p->kids[k], err)) {
                return false;
            }
            p->v.kids[k] = p->kids[k].v;
        }
        return p->kids && p->v.kids;
    }
    return true;
}
TACO__FN bool taco__vec_builder_reserve(taco__arena *arena, taco__vec_builder *p, size_t extra,
                                        taco_error *err)
{
    size_t   size = taco__sql_type_physical_size(taco__sql_type_physical(p->v.type)), cap;
    uint8_t *valid;
    void    *data = NULL;
    if (extra <= p->cap - p->v.n) {
        return true;
    }
    if (extra > UINT32_MAX - 1 - p->v.n) {
        return taco__vec_fail_too_long(err);
    }
    cap = TACO__MAX(p->v.n + extra, p->cap ? p->cap * 2 : (size_t)64);
    valid = (uint8_t *)taco__arena_alloc(arena, cap, err);
    data = size ? taco__arena_array(arena, cap, size, err) : NULL;
    if (!valid || (size && !data)) {
        return false;
    }
    if (p->v.n) {
        memcpy(valid, p->v.valid, p->v.n);
        if (size) {
            memcpy(data, p->v.v.any, p->v.n * size);
        }
    }
    p->v.valid = valid;
    p->v.v.any = data;
    p->cap = cap;
    return true;
}
/* Appends the rows idx[0..n) of v, or for NULL its first n. */
TACO__FN bool taco__vec_builder_append(taco__arena *arena, taco__vec_builder *p, const taco__vec *v,
                                       const uint32_t *idx, size_t n, taco_error *err)
{
    taco__physical_type ph = taco__sql_type_physical(v->type);
    size_t              i, k, from = p->v.n;
    if (!taco__vec_builder_reserve(arena, p, n, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t row = idx ? idx[i] : i, to = from + i;
        bool   ok = taco__vec_is_valid(v, row) && ph != TACO__PHYS_NULL;
        p->v.valid[to] = ok;
        row *= v->step;
        if (!ok && ph != TACO__PHYS_STRUCT) {
            continue;
        }
        switch (ph) {
        case TACO__PHYS_INT: p->v.v.i[to] = v->v.i[row]; break;
        case TACO__PHYS_DBL: p->v.v.f[to] = v->v.f[row]; break;
        case TACO__PHYS_BIG: p->v.v.d[to] = v->v.d[row]; break;
        case TACO__PHYS_STR: {
            char *copy = taco__arena_text(arena, v->v.s[row], err);
            if (!copy) {
                return false;
            }
            p->v.v.s[to] = taco__bytes_of(copy, v->v.s[row].len);
            break;
        }
        case TACO__PHYS_LIST: {
            uint32_t *at = (uint32_t *)taco__arena_array(arena, v->v.l[row].len, 4, err);
            for (k = 0; at && k < v->v.l[row].len; k++) {
                at[k] = v->v.l[row].at + (uint32_t)k;
            }
            p->v.v.l[to].at = (uint32_t)p->kids[0].v.n;
            p->v.v.l[to].len = v->v.l[row].len;
            if (!at || !taco__vec_builder_append(arena, &p->kids[0], &v->kids[0], at,
                                                 v->v.l[row].len, err)) {
                return false;
            }
            break;
        }
        case TACO__PHYS_STRUCT: {
            uint32_t at = (uint32_t)row;
            for (k = 0; k < v->type->count; k++) {
                if (!taco__vec_builder_append(arena, &p->kids[k], &v->kids[k], &at, 1, err)) {
                    return false;
                }
            }
            break;
        }
        default: break;
        }
    }
    p->v.n += n;
    for (k = 0; k < v->type->count; k++) {
        p->v.kids[k] = p->kids[k].v;
    }
    return true;
}

/* ---- order and hashes ------------------------------------------------------------------------------ */

TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j);

/* Nulls inside lists and structs are last, as values of a sort are. */
TACO__FN int taco__vec_compare_nulls(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    bool x = taco__vec_is_valid(a, i), y = taco__vec_is_valid(b, j);
    if (!x || !y) {
        return (int)y - (int)x;
    }
    return taco__vec_compare(a, i, b, j);
}
/* Order of two values of one type that are not null. */
TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    size_t k;
    int    c;
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
            if (c) {
                return c;
            }
        }
        return (x.len > y.len) - (x.len < y.len);
    }
    case TACO__PHYS_STRUCT:
        for (k = 0; k < a->type->count; k++) {
            c = taco__vec_compare_nulls(&a->kids[k], i, &b->kids[k], j);
            if (c) {
                return c;
            }
        }
        return 0;
    default: return 0;
    }
}
TACO__INLINE uint64_t taco__vec_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}
TACO__FN uint64_t taco__vec_hash_one(const taco__vec *v, size_t i)
{
    uint64_t h = 0;
    size_t   k;
    if (!taco__vec_is_valid(v, i)) {
        return 0x9E3779B9;
    }
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_INT: return taco__vec_hash_mix((uint64_t)v->v.i[i]);
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
/* Mixes the hash of every row into out[0..n). */
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
        if (taco__vec_compare_nulls(&a[k], i, &b[k], j) != 0) {
            return false;
        }
    }
    return true;
}
/* ==== ROOM sqlp: parse a SELECT into a tree, and write trees as DuckDB names columns. Uses: pq:lex pq:expr vec.
   Spec: the grammar in the manual ==== */

typedef enum taco__sql_expr_kind {
    TACO__SQL_EXPR_CONST = 0,
    TACO__SQL_EXPR_COLUMN, /* table (may be empty), name */
    TACO__SQL_EXPR_STAR,   /* table (may be empty); kids: COLUMNs left out */
    TACO__SQL_EXPR_CALL,   /* name(kids...), operators too; filter of an aggregate */
    TACO__SQL_EXPR_CASE,   /* when, then, ..., else */
    TACO__SQL_EXPR_CAST,   /* one kid, to */
    TACO__SQL_EXPR_AND,
    TACO__SQL_EXPR_OR,
    TACO__SQL_EXPR_NOT,
    TACO__SQL_EXPR_CMP, /* op; nullsafe */
    TACO__SQL_EXPR_BETWEEN,
    TACO__SQL_EXPR_IN,
    TACO__SQL_EXPR_ISNULL,
    TACO__SQL_EXPR_INDEX, /* value, index */
    TACO__SQL_EXPR_SLICE, /* value, from, to (a NULL constant where open) */
    TACO__SQL_EXPR_FIELD, /* value, name */
    TACO__SQL_EXPR_REF    /* bound: column `index` of the batch */
} taco__sql_expr_kind;

typedef struct taco__sql_expr {
    taco__sql_expr_kind     kind;
    uint8_t                 op;      /* CMP: taco__compare_op */
    uint8_t                 literal; /* 1 integer, 2 text: takes the type of what it meets */
    bool                    neg, nullsafe, tries, distinct, infix;
    size_t                  at; /* column in the text */
    uint32_t                depth, n, cap;
    uint32_t                func; /* bound CALL: what to run */
    size_t                  index;
    taco_bytes              table, name, alias;
    struct taco__sql_expr **kid;
    struct taco__sql_expr  *filter;
    taco__sql_type          to;   /* CAST */
    taco__sql_type          type; /* bound */
    taco__scalar            value;
    const void             *plan; /* bound: what the function prepared */
} taco__sql_expr;

typedef struct taco__sql_sort_key {
    taco__sql_expr *e;
    bool            desc, nulls_first;
} taco__sql_sort_key;
typedef struct taco__sql_table_ref {
    taco_bytes      name, alias;
    size_t          at;
    bool            left, flat;
    uint32_t        level;
    taco__sql_expr *on; /* NULL for the first table */
} taco__sql_table_ref;

#define TACO__SQL_MAX_TABLES 8
#define TACO__SQL_MAX_TEXT   ((size_t)1 << 20) /* bytes of a query */
#define TACO__SQL_MAX_ITEMS  4096              /* of any list in it */

typedef struct taco__sql_select {
    bool                distinct, group_all, order_all, has_limit;
    taco__sql_expr     *items, *groups; /* lists: kids */
    taco__sql_table_ref from[TACO__SQL_MAX_TABLES];
    size_t              from_count;
    taco__sql_expr     *where, *having;
    taco__sql_sort_key  order[64];
    size_t              order_count;
    uint64_t            limit, offset;
} taco__sql_select;

typedef struct taco__sql_parser {
    taco__lexer  lex;
    taco__arena *arena;
    taco_error  *err;
    uint32_t     depth, max_depth;
} taco__sql_parser;

TACO__FN taco__sql_expr *taco__sql_parse_expr(taco__sql_parser *p, int least);

/* ---- nodes ----------------------------------------------------------------------------------------- */

TACO__FN taco__sql_expr *taco__sql_expr_new(taco__sql_parser *p, taco__sql_expr_kind kind,
                                            size_t at)
{
    taco__sql_expr *e = (taco__sql_expr *)taco__arena_alloc(p->arena, sizeof *e, p->err);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}
/* Appends a kid; NULL, and so the whole, when the kid failed. */
TACO__FN taco__sql_expr *taco__sql_expr_add_child(taco__sql_parser *p, taco__sql_expr *e,
                                                  taco__sql_expr *kid)
{
    if (!e || !kid) {
        return NULL;
    }
    if (e->n == e->cap) {
        uint32_t         cap = e->cap ? e->cap * 2 : 2;
        taco__sql_expr **k = (taco__sql_expr **)taco__arena_array(p->arena, cap, sizeof *k, p->err);
        if (!k) {
            return NULL;
        }
        if (e->n) {
            memcpy(k, e->kid, e->n * sizeof *k);
        }
        e->kid = k;
        e->cap = cap;
    }
    if (e->n >= TACO__SQL_MAX_ITEMS) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a list of more than %u items",
                   TACO__U(TACO__SQL_MAX_ITEMS));
        return NULL;
    }
    e->kid[e->n++] = kid;
    e->depth = TACO__MAX(e->depth, kid->depth + 1);
    if (e->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_expr_new_call(taco__sql_parser *p, const char *name, size_t at,
                                                 taco__sql_expr *a, taco__sql_expr *b)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
    if (e) {
        e->name = taco__bytes_text(name);
        e->infix = true;
        e = taco__sql_expr_add_child(p, e, a);
    }
    return b ? taco__sql_expr_add_child(p, e, b) : e;
}
TACO__FN taco__sql_expr *taco__sql_expr_new_const(taco__sql_parser *p, size_t at, taco__scalar v)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CONST, at);
    if (e) {
        e->value = v;
        e->literal = v.type.id == TACO_TEXT                               ? 2
                     : v.type.id == TACO_INT32 || v.type.id == TACO_INT64 ? 1
                                                                          : 0;
    }
    return e;
}
TACO__FN bool taco__sql_parse_next(taco__sql_parser *p)
{
    return taco__lex_next(&p->lex);
}
TACO__FN bool taco__sql_parse_accept(taco__sql_parser *p,
                                     const char       *sign) /* steps over it when it is there */
{
    return taco__lex_is_sign(&p->lex, sign) && taco__sql_parse_next(p);
}
TACO__FN bool taco__sql_parse_is_word(taco__sql_parser *p, const char *word)
{
    return taco__lex_is_word(&p->lex, word) && taco__sql_parse_next(p);
}
TACO__FN bool taco__sql_parse_is_ok(const taco__sql_parser *p)
{
    return p->err->code == TACO_OK;
}
TACO__FN bool taco__sql_parse_expect(taco__sql_parser *p, const char *sign)
{
    if (!taco__sql_parse_is_ok(p)) {
        return false;
    }
    if (!taco__lex_is_sign(&p->lex, sign) && !taco__lex_is_word(&p->lex, sign)) {
        taco__lex_fail_expected(&p->lex, sign);
        return false;
    }
    return taco__sql_parse_next(p);
}
TACO__COLD taco__sql_expr *taco__sql_parse_fail(taco__sql_parser *p, size_t at, const char *what)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s", what);
    return NULL;
}
/* Words that are no column and no alias unless quoted. */
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
        if (taco__ascii_is_word(b, words[i])) {
            return true;
        }
    }
    return false;
}
/* A name, bare or quoted, into *out; false when the token is none. */
TACO__FN bool taco__sql_parse_name(taco__sql_parser *p, bool reserved, taco_bytes *out)
{
    if (p->lex.kind == TACO__TOK_QUOTED) {
        return taco__lex_unquote(&p->lex, p->arena, out) && taco__sql_parse_next(p);
    }
    if (p->lex.kind == TACO__TOK_NAME && (reserved || !taco__sql_parse_is_reserved(p->lex.raw))) {
        *out = p->lex.raw;
        return taco__sql_parse_next(p);
    }
    return false;
}

/* ---- types ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__sql_parse_type_number(taco__sql_parser *p, uint64_t *out)
{
    if (p->lex.kind != TACO__TOK_NUMBER || !p->lex.integral ||
        !taco__num_parse_u64(p->lex.raw, out)) {
        taco__lex_fail_expected(&p->lex, "a whole number");
        return false;
    }
    return taco__sql_parse_next(p);
}
TACO__FN bool taco__sql_parse_type_decimal(taco__sql_parser *p, taco__sql_type *t)
{
    uint64_t width = 18, scale = 3;
    size_t   at = p->lex.at;
    t->t = taco__scalar_simple_type(TACO_DECIMAL);
    if (taco__sql_parse_accept(p, "(")) {
        scale = 0;
        if (!taco__sql_parse_type_number(p, &width) ||
            (taco__sql_parse_accept(p, ",") && !taco__sql_parse_type_number(p, &scale)) ||
            !taco__sql_parse_expect(p, ")")) {
            return false;
        }
    }
    if (width < 1 || width > 38 || scale > width) {
        taco__sql_parse_fail(p, at, "DECIMAL takes 1 to 38 digits and a scale of at most as many");
        return false;
    }
    t->t.precision = (int32_t)width;
    t->t.scale = (int32_t)scale;
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_type(taco__sql_parser *p, taco__sql_type *t)
{
    static const struct {
        const char *name;
        taco_type   id;
        taco_unit   unit;
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
    size_t     i, at = p->lex.at;
    taco_bytes name = p->lex.raw;
    memset(t, 0, sizeof *t);
    if (p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_QUOTED) {
        taco__lex_fail_expected(&p->lex, "a type");
        return false;
    }
    if (!taco__sql_parse_next(p)) {
        return false;
    }
    if (taco__ascii_is_word(name, "decimal") || taco__ascii_is_word(name, "numeric") ||
        taco__ascii_is_word(name, "dec")) {
        return taco__sql_parse_type_decimal(p, t);
    }
    if (!taco__pred_parse_type_name(name, &t->t)) {
        for (i = 0; i < TACO__COUNT(more) && !taco__ascii_is_word(name, more[i].name); i++) {
        }
        if (i == TACO__COUNT(more)) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "no such type here: %q", &name);
            return false;
        }
        t->t = taco__scalar_simple_type(more[i].id);
        t->t.unit = more[i].unit;
        t->t.precision = more[i].id == TACO_DECIMAL ? 39 : 0;
    }
    if (t->t.id != TACO_TIME && t->t.id != TACO_TIMESTAMP) {
        t->t.unit = TACO_SECOND;
    }
    if (taco__sql_parse_accept(p, "(")) { /* VARCHAR(10): the length is not looked at */
        uint64_t n;
        if (t->t.id != TACO_TEXT || !taco__sql_parse_type_number(p, &n) ||
            !taco__sql_parse_expect(p, ")")) {
            taco__sql_parse_fail(p, at, "the type takes no length");
            return false;
        }
    }
    if (t->t.id == TACO_TIMESTAMP && taco__lex_is_word(&p->lex, "with")) {
        taco__sql_parse_next(p);
        if (!taco__sql_parse_expect(p, "time") || !taco__sql_parse_expect(p, "zone")) {
            return false;
        }
        t->t.utc = true;
    }
    if (taco__lex_is_sign(&p->lex, "[")) {
        taco__sql_parse_fail(p, p->lex.at, "casts to lists are not supported");
        return false;
    }
    return taco__sql_parse_is_ok(p);
}

/* ---- intervals ------------------------------------------------------------------------------------- */

TACO__FN bool taco__sql_parse_type_interval_unit(taco_bytes w, int64_t n, taco__sql_interval *out)
{
    static const struct {
        const char *name;
        int32_t     months, days;
        int64_t     micros;
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
/* '1 year 2 days -3 hours' */
TACO__FN bool taco__sql_parse_type_interval_text(taco_bytes b, taco__sql_interval *out)
{
    size_t i = 0, parts = 0;
    while (i < b.len) {
        size_t  from;
        int64_t n;
        while (i < b.len && b.data[i] == ' ') {
            i++;
        }
        if (i == b.len) {
            break;
        }
        from = i;
        i += b.data[i] == '-' || b.data[i] == '+';
        while (i < b.len && taco__lex_is_digit(b.data[i])) {
            i++;
        }
        if (!taco__num_parse_i64(taco__bytes_of(b.data + from + (b.data[from] == '+'),
                                                i - from - (b.data[from] == '+')),
                                 &n)) {
            return false;
        }
        while (i < b.len && b.data[i] == ' ') {
            i++;
        }
        from = i;
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
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__sql_parser *p, size_t at)
{
    taco__sql_interval *v = (taco__sql_interval *)taco__arena_alloc(p->arena, sizeof *v, p->err);
    taco_bytes          text;
    taco__sql_expr     *e;
    int64_t             n;
    bool neg, number = p->lex.kind == TACO__TOK_NUMBER || taco__lex_is_sign(&p->lex, "-");
    if (!v) {
        return NULL;
    }
    neg = taco__sql_parse_accept(p, "-");
    if (p->lex.kind != TACO__TOK_STRING && p->lex.kind != TACO__TOK_NUMBER) {
        taco__lex_fail_expected(&p->lex, "a text or a number behind INTERVAL");
        return NULL;
    }
    text = p->lex.raw;
    if (!taco__sql_parse_next(p)) {
        return NULL;
    }
    if (number || (p->lex.kind == TACO__TOK_NAME && taco__num_parse_i64(text, &n))) {
        if (!taco__num_parse_i64(text, &n) || p->lex.kind != TACO__TOK_NAME ||
            !taco__sql_parse_type_interval_unit(p->lex.raw, neg ? -n : n, v)) {
            return taco__sql_parse_fail(p, at,
                                        "INTERVAL takes a whole number and a unit, or a text");
        }
        text = taco__bytes_of(p->lex.text.data + at, p->lex.end - at);
        if (!taco__sql_parse_next(p)) {
            return NULL;
        }
    } else if (!taco__sql_parse_type_interval_text(text, v)) {
        return taco__sql_parse_fail(p, at, "INTERVAL takes '[-]N unit ...' with whole numbers");
    }
    e = taco__sql_expr_new_const(
        p, at, taco__scalar_make_bytes(TACO_INTERVAL, taco__bytes_of(v, sizeof *v)));
    if (e) {
        e->name = text;
    }
    return e;
}

/* ---- primaries ------------------------------------------------------------------------------------- */

TACO__FN taco__sql_expr *taco__sql_parse_expr_case(taco__sql_parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CASE, at), *base = NULL, *x;
    if (e && !taco__lex_is_word(&p->lex, "when")) {
        base = taco__sql_parse_expr(p, 1);
        if (!base) {
            return NULL;
        }
    }
    do {
        if (!taco__sql_parse_expect(p, "when")) {
            return NULL;
        }
        x = taco__sql_parse_expr(p, 1);
        if (base && x) {
            taco__sql_expr *cmp = taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, x->at);
            x = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, cmp, base), x);
        }
        e = taco__sql_expr_add_child(p, e, x);
        if (!e || !taco__sql_parse_expect(p, "then") ||
            !taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 1))) {
            return NULL;
        }
    } while (taco__lex_is_word(&p->lex, "when"));
    x = taco__sql_parse_is_word(p, "else")
            ? taco__sql_parse_expr(p, 1)
            : taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    e = taco__sql_expr_add_child(p, e, x);
    return e && taco__sql_parse_expect(p, "end") ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_cast(taco__sql_parser *p, size_t at,
                                                   taco__sql_expr *x, const char *until, bool tries)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), x);
    if (!e || !taco__sql_parse_type(p, &e->to) || (until && !taco__sql_parse_expect(p, until))) {
        return NULL;
    }
    e->tries = tries;
    return e;
}
/* Arguments up to the closing parenthesis, DISTINCT and FILTER. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_args(taco__sql_parser *p, taco__sql_expr *e)
{
    bool star = taco__lex_is_sign(&p->lex, "*");
    if (star) {
        if (!taco__sql_parse_next(p)) {
            return NULL;
        }
        if (!taco__ascii_is_word(e->name, "count")) {
            return taco__sql_parse_fail(p, e->at, "only COUNT takes *");
        }
    } else if (!taco__lex_is_sign(&p->lex, ")")) {
        e->distinct = taco__sql_parse_is_word(p, "distinct");
        do {
            if (!taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 1))) {
                return NULL;
            }
            if (taco__lex_is_sign(&p->lex, "=>") || taco__lex_is_sign(&p->lex, ":=")) {
                return taco__sql_parse_fail(p, p->lex.at, "named arguments are not supported");
            }
            if (e->n == 1 && taco__ascii_is_word(e->name, "position") &&
                taco__lex_is_word(&p->lex, "in")) {
                if (!taco__sql_parse_next(p)) {
                    return NULL;
                }
                continue;
            }
            if (e->n < 3 && taco__ascii_is_word(e->name, "substring") &&
                (taco__lex_is_word(&p->lex, "from") || taco__lex_is_word(&p->lex, "for"))) {
                e->tries = true; /* for its name */
                if (!taco__sql_parse_next(p)) {
                    return NULL;
                }
                continue;
            }
            if (!taco__sql_parse_accept(p, ",")) {
                break;
            }
        } while (taco__sql_parse_is_ok(p));
    }
    if (taco__lex_is_word(&p->lex, "order")) {
        return taco__sql_parse_fail(p, p->lex.at, "ORDER BY inside an aggregate is not supported");
    }
    if (!taco__sql_parse_expect(p, ")")) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "filter")) {
        taco__sql_parse_next(p);
        if (!taco__sql_parse_expect(p, "(")) {
            return NULL;
        }
        taco__sql_parse_is_word(p, "where");
        e->filter = taco__sql_parse_expr(p, 1);
        if (!e->filter || !taco__sql_parse_expect(p, ")")) {
            return NULL;
        }
        e->depth = TACO__MAX(e->depth, e->filter->depth + 1);
    }
    if (taco__lex_is_word(&p->lex, "over")) {
        return taco__sql_parse_fail(p, p->lex.at, "window functions (OVER) are not supported");
    }
    if (taco__lex_is_word(&p->lex, "within")) {
        return taco__sql_parse_fail(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_call(taco__sql_parser *p, taco_bytes name, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *part;
    if (!e) {
        return NULL;
    }
    e->name = name;
    if (taco__ascii_is_word(name, "extract")) { /* (part FROM value) */
        taco_bytes unit = p->lex.raw;
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__sql_parse_next(p) || !taco__sql_parse_expect(p, "from")) {
            taco__lex_fail_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__bytes_text("date_part");
        e->tries = true;
        part = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, unit));
        e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, part),
                                     taco__sql_parse_expr(p, 1));
        return e && taco__sql_parse_expect(p, ")") ? e : NULL;
    }
    if (taco__ascii_is_word(name, "trim") &&
        (taco__lex_is_word(&p->lex, "both") || taco__lex_is_word(&p->lex, "leading") ||
         taco__lex_is_word(&p->lex, "trailing"))) {
        return taco__sql_parse_fail(p, p->lex.at, "write trim, ltrim or rtrim with two arguments");
    }
    e = taco__sql_parse_expr_args(p, e);
    if (e && e->n == 2 && taco__ascii_is_word(name, "position")) { /* (what IN text) */
        taco__sql_expr *x = e->kid[0];
        e->kid[0] = e->kid[1];
        e->kid[1] = x;
    }
    return e;
}
/* A literal with its type in front: DATE '2020-01-01'. NULL without an error when it is none. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_typed_literal(taco__sql_parser *p, taco_bytes word,
                                                            size_t at)
{
    taco__sql_type  t;
    taco__sql_expr *e;
    taco_bytes      text;
    memset(&t, 0, sizeof t);
    if (p->lex.kind != TACO__TOK_STRING || !taco__pred_parse_type_name(word, &t.t)) {
        return NULL;
    }
    if (t.t.id != TACO_TIME && t.t.id != TACO_TIMESTAMP) {
        t.t.unit = TACO_SECOND;
    }
    if (!taco__lex_unquote(&p->lex, p->arena, &text)) {
        return NULL;
    }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at),
        taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_bytes(TACO_TEXT, text)));
    if (e) {
        e->to = t;
    }
    return taco__sql_parse_next(p) ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_word_primary(taco__sql_parser *p)
{
    taco_bytes      word = p->lex.raw;
    size_t          at = p->lex.at;
    taco__sql_expr *e;
    if (taco__lex_is_word(&p->lex, "exists") || taco__lex_is_word(&p->lex, "select")) {
        return taco__sql_parse_fail(p, at, "subqueries are not supported");
    }
    if (!taco__sql_parse_next(p)) {
        return NULL;
    }
    if (taco__ascii_is_word(word, "null")) {
        return taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    }
    if (taco__ascii_is_word(word, "true") || taco__ascii_is_word(word, "false")) {
        return taco__sql_expr_new_const(
            p, at, taco__scalar_make_int(TACO_BOOL, (word.data[0] | 0x20) == 't'));
    }
    if (taco__ascii_is_word(word, "case")) {
        return taco__sql_parse_expr_case(p, at);
    }
    if (taco__ascii_is_word(word, "interval") && !taco__lex_is_sign(&p->lex, "(")) {
        return taco__sql_parse_type_interval(p, at);
    }
    if ((taco__ascii_is_word(word, "cast") || taco__ascii_is_word(word, "try_cast")) &&
        taco__lex_is_sign(&p->lex, "(")) {
        e = taco__sql_parse_next(p) ? taco__sql_parse_expr(p, 1) : NULL;
        return e && taco__sql_parse_expect(p, "as")
                   ? taco__sql_parse_expr_cast(p, at, e, ")", (word.data[0] | 0x20) == 't')
                   : NULL;
    }
    e = taco__sql_parse_expr_typed_literal(p, word, at);
    if (e || !taco__sql_parse_is_ok(p)) {
        return e;
    }
    if (taco__lex_is_sign(&p->lex, "(") &&
        (!taco__sql_parse_is_reserved(word) || taco__ascii_is_word(word, "left") ||
         taco__ascii_is_word(word, "right"))) {
        return taco__sql_parse_next(p) ? taco__sql_parse_expr_call(p, word, at) : NULL;
    }
    if (taco__sql_parse_is_reserved(word)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "expected a value, found %q", &word);
        return NULL;
    }
    e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
    if (e) {
        e->name = word;
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_star(taco__sql_parser *p, size_t at, taco_bytes table)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, at);
    bool            many;
    if (!e) {
        return NULL;
    }
    e->table = table;
    if (taco__lex_is_word(&p->lex, "replace") || taco__lex_is_word(&p->lex, "rename") ||
        taco__lex_is_word(&p->lex, "like")) {
        return taco__sql_parse_fail(p, p->lex.at,
                                    "of the forms behind *, only EXCLUDE is supported");
    }
    if (!taco__lex_is_word(&p->lex, "exclude")) {
        return e;
    }
    taco__sql_parse_next(p);
    many = taco__sql_parse_accept(p, "(");
    do {
        taco__sql_expr *c = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, p->lex.at);
        if (!c || !taco__sql_parse_name(p, false, &c->name)) {
            taco__lex_fail_expected(&p->lex, "a column");
            return NULL;
        }
        if (taco__sql_parse_accept(p, ".")) {
            c->table = c->name;
            if (!taco__sql_parse_name(p, true, &c->name)) {
                taco__lex_fail_expected(&p->lex, "a column");
                return NULL;
            }
        }
        if (!taco__sql_expr_add_child(p, e, c)) {
            return NULL;
        }
    } while (many && taco__sql_parse_accept(p, ","));
    return !many || taco__sql_parse_expect(p, ")") ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_primary(taco__sql_parser *p)
{
    size_t          at = p->lex.at;
    taco__sql_expr *e = NULL;
    switch (p->lex.kind) {
    case TACO__TOK_NUMBER:
        e = taco__sql_expr_new_const(p, at,
                                     taco__pred_parse_number(p->lex.raw, p->lex.integral, false));
        return taco__sql_parse_next(p) ? e : NULL;
    case TACO__TOK_STRING: {
        taco_bytes text;
        if (!taco__lex_unquote(&p->lex, p->arena, &text)) {
            return NULL;
        }
        e = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
        return taco__sql_parse_next(p) ? e : NULL;
    }
    case TACO__TOK_QUOTED:
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
        return e && taco__sql_parse_name(p, false, &e->name) ? e : NULL;
    case TACO__TOK_NAME: return taco__sql_parse_expr_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__sql_parse_fail(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__sql_parse_accept(p, "(")) {
        if (taco__lex_is_word(&p->lex, "select") || taco__lex_is_word(&p->lex, "with")) {
            return taco__sql_parse_fail(p, p->lex.at, "subqueries are not supported");
        }
        e = taco__sql_parse_expr(p, 1);
        if (e && taco__lex_is_sign(&p->lex, ",")) {
            return taco__sql_parse_fail(p, p->lex.at, "rows in parentheses are not supported");
        }
        return e && taco__sql_parse_expect(p, ")") ? e : NULL;
    }
    if (taco__lex_is_sign(&p->lex, "[") || taco__lex_is_sign(&p->lex, "{")) {
        return taco__sql_parse_fail(p, at, "lists and structs cannot be written here");
    }
    if (taco__sql_parse_accept(p, "*")) {
        return taco__sql_parse_expr_star(p, at, taco__bytes_of(NULL, 0));
    }
    if (taco__sql_parse_is_ok(p)) {
        taco__lex_fail_expected(&p->lex, "a value");
    }
    return NULL;
}
/* Behind a value: .field, [index], [from:to], ::type. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_postfix(taco__sql_parser *p)
{
    taco__sql_expr *e = taco__sql_parse_expr_primary(p);
    while (e && taco__sql_parse_is_ok(p)) {
        size_t at = p->lex.at;
        if (taco__sql_parse_accept(p, ".")) {
            taco__sql_expr *f;
            if (taco__lex_is_sign(&p->lex, "*") && e->kind == TACO__SQL_EXPR_COLUMN &&
                !e->table.len) {
                return taco__sql_parse_next(p) ? taco__sql_parse_expr_star(p, e->at, e->name)
                                               : NULL;
            }
            f = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_FIELD, e->at), e);
            if (!f || !taco__sql_parse_name(p, true, &f->name)) {
                taco__lex_fail_expected(&p->lex, "a name behind the point");
                return NULL;
            }
            if (taco__lex_is_sign(&p->lex, "(")) {
                return taco__sql_parse_fail(p, at, "calls behind a point are not supported");
            }
            f->infix = true; /* table.column, until it is bound */
            e = f;
        } else if (taco__sql_parse_accept(p, "::")) {
            e = taco__sql_parse_expr_cast(p, e->at, e, NULL, false);
        } else if (taco__sql_parse_accept(p, "[")) {
            taco__sql_expr *from =
                taco__lex_is_sign(&p->lex, ":")
                    ? taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_null())
                    : taco__sql_parse_expr(p, 1);
            bool slice = from && taco__sql_parse_accept(p, ":");
            e = taco__sql_expr_add_child(
                p,
                taco__sql_expr_add_child(
                    p,
                    taco__sql_expr_new(p, slice ? TACO__SQL_EXPR_SLICE : TACO__SQL_EXPR_INDEX,
                                       e->at),
                    e),
                from);
            if (slice) {
                e = taco__sql_expr_add_child(
                    p, e,
                    taco__lex_is_sign(&p->lex, "]")
                        ? taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_null())
                        : taco__sql_parse_expr(p, 1));
            }
            if (e && taco__lex_is_sign(&p->lex, ":")) {
                return taco__sql_parse_fail(p, p->lex.at, "slices with a step are not supported");
            }
            if (!e || !taco__sql_parse_expect(p, "]")) {
                return NULL;
            }
        } else {
            break;
        }
    }
    return taco__sql_parse_is_ok(p) ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_unary(taco__sql_parser *p)
{
    size_t          at = p->lex.at;
    taco__sql_expr *e;
    const char     *sign = taco__lex_is_sign(&p->lex, "-")   ? "-"
                           : taco__lex_is_sign(&p->lex, "+") ? "+"
                                                             : NULL;
    if (!sign) {
        return taco__sql_parse_expr_postfix(p);
    }
    if (++p->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    e = taco__sql_parse_next(p) ? taco__sql_parse_expr_unary(p) : NULL;
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

/* ---- operators ------------------------------------------------------------------------------------- */

/* Binding strength of the operator at the token, 0 when it is none: 1 OR, 2 AND, 3 NOT, 4 IS, 5 comparison, 6 LIKE,
   BETWEEN, IN, 7 others, 8 + -, 9 * / // %. */
TACO__FN int taco__sql_parse_expr_precedence(const taco__sql_parser *p, const char **name)
{
    static const struct {
        const char *sign;
        int         strength;
    } signs[] = {{"=", 5},  {"==", 5}, {"<>", 5},  {"!=", 5},  {"<", 5},   {"<=", 5}, {">", 5},
                 {">=", 5}, {"||", 7}, {"+", 8},   {"-", 8},   {"*", 9},   {"/", 9},  {"//", 9},
                 {"%", 9},  {"~~", 7}, {"!~~", 7}, {"~~*", 7}, {"!~~*", 7}};
    static const struct {
        const char *word;
        int         strength;
    } words[] = {{"or", 1},      {"and", 2}, {"is", 4},   {"isnull", 4}, {"notnull", 4},
                 {"between", 6}, {"in", 6},  {"like", 6}, {"ilike", 6},  {"not", 6}};
    size_t i;
    for (i = 0; p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(signs); i++) {
        if (taco__lex_is_sign(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            return signs[i].strength;
        }
    }
    for (i = 0; p->lex.kind == TACO__TOK_NAME && i < TACO__COUNT(words); i++) {
        if (taco__lex_is_word(&p->lex, words[i].word)) {
            *name = words[i].word;
            return words[i].strength;
        }
    }
    return 0;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_is(taco__sql_parser *p, taco__sql_expr *left)
{
    taco__sql_expr *e, *right;
    size_t          at = left->at;
    bool            neg = taco__sql_parse_is_word(p, "not"), value;
    if (taco__sql_parse_is_word(p, "null")) {
        e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_ISNULL, at), left);
        if (e) {
            e->neg = neg;
        }
        return e;
    }
    if (taco__sql_parse_is_word(p, "distinct")) {
        if (!taco__sql_parse_expect(p, "from")) {
            return NULL;
        }
        right = taco__sql_parse_expr(p, 5);
        neg = !neg;
    } else {
        value = taco__lex_is_word(&p->lex, "true");
        if (!value && !taco__lex_is_word(&p->lex, "false")) {
            taco__lex_fail_expected(&p->lex, "NULL, TRUE, FALSE or DISTINCT FROM behind IS");
            return NULL;
        }
        right = taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_int(TACO_BOOL, value));
        left = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), left);
        if (!right || !left || !taco__sql_parse_next(p)) {
            return NULL;
        }
        right->tries = true; /* for its name */
        left->to.t = taco__scalar_simple_type(TACO_BOOL);
    }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, at), left), right);
    if (e) {
        e->nullsafe = true;
        e->op = neg ? TACO__OP_NE : TACO__OP_EQ;
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_in(taco__sql_parser *p, taco__sql_expr *left,
                                                 bool neg)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_IN, left->at), left);
    if (!e || !taco__sql_parse_expect(p, "(")) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "select")) {
        return taco__sql_parse_fail(p, p->lex.at, "subqueries are not supported");
    }
    do {
        if (!taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 1))) {
            return NULL;
        }
    } while (taco__sql_parse_accept(p, ","));
    e->neg = neg;
    return taco__sql_parse_expect(p, ")") ? e : NULL;
}
/* LIKE, ILIKE, IN, BETWEEN, with or without NOT in front. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_test(taco__sql_parser *p, taco__sql_expr *left)
{
    size_t          at = p->lex.at;
    bool            neg = taco__sql_parse_is_word(p, "not");
    taco__sql_expr *e, *low, *high;
    if (taco__sql_parse_is_word(p, "in")) {
        return taco__sql_parse_expr_in(p, left, neg);
    }
    if (taco__lex_is_word(&p->lex, "like") || taco__lex_is_word(&p->lex, "ilike")) {
        bool icase = taco__lex_is_word(&p->lex, "ilike");
        low = taco__sql_parse_next(p) ? taco__sql_parse_expr(p, 7) : NULL;
        e = low ? taco__sql_expr_new_call(p, icase ? (neg ? "!~~*" : "~~*") : (neg ? "!~~" : "~~"),
                                          at, left, low)
                : NULL;
        return e && taco__sql_parse_is_word(p, "escape")
                   ? taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 7))
                   : e;
    }
    if (!taco__sql_parse_expect(p, "between")) {
        return NULL;
    }
    low = taco__sql_parse_expr(p, 7);
    high = low && taco__sql_parse_expect(p, "and") ? taco__sql_parse_expr(p, 7) : NULL;
    e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_BETWEEN, left->at), left);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, low), high);
    return e && neg ? taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at), e)
                    : e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_and_or(taco__sql_parser *p, taco__sql_expr *left,
                                                     bool any)
{
    taco__sql_expr_kind kind = any ? TACO__SQL_EXPR_OR : TACO__SQL_EXPR_AND;
    taco__sql_expr     *right;
    if (left->kind != kind || left->infix) {
        left = taco__sql_expr_add_child(p, taco__sql_expr_new(p, kind, left->at), left);
    }
    right = taco__sql_parse_expr(p, any ? 2 : 3);
    return taco__sql_expr_add_child(p, left, right);
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_operator(taco__sql_parser *p, taco__sql_expr *left,
                                                       const char *name, int strength)
{
    size_t          at = p->lex.at;
    taco__sql_expr *right, *e;
    if (strength == 6) {
        return taco__sql_parse_expr_test(p, left);
    }
    if (!taco__sql_parse_next(p)) {
        return NULL;
    }
    if (strength < 3) {
        return taco__sql_parse_expr_and_or(p, left, strength == 1);
    }
    if (strength == 4 && strcmp(name, "is") == 0) {
        return taco__sql_parse_expr_is(p, left);
    }
    if (strength == 4) {
        e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_ISNULL, left->at),
                                     left);
        if (e) {
            e->neg = name[0] == 'n';
        }
        return e;
    }
    if (taco__lex_is_word(&p->lex, "any") || taco__lex_is_word(&p->lex, "all")) {
        return taco__sql_parse_fail(p, p->lex.at, "ANY and ALL are not supported");
    }
    right = taco__sql_parse_expr(p, strength + 1);
    if (strength != 5) {
        return right ? taco__sql_expr_new_call(p, name, at, left, right) : NULL;
    }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, left->at), left),
        right);
    if (e) {
        e->op = (uint8_t)(name[0] == '='   ? TACO__OP_EQ
                          : name[0] == '!' ? TACO__OP_NE
                          : name[0] == '<' ? (name[1] == '='   ? TACO__OP_LE
                                              : name[1] == '>' ? TACO__OP_NE
                                                               : TACO__OP_LT)
                          : name[1] == '=' ? TACO__OP_GE
                                           : TACO__OP_GT);
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr(taco__sql_parser *p, int least)
{
    size_t          at = p->lex.at;
    taco__sql_expr *e;
    const char     *name = NULL;
    int             strength;
    if (++p->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    if (least <= 3 && taco__sql_parse_is_word(p, "not")) {
        e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at),
                                     taco__sql_parse_expr(p, 3));
    } else {
        bool open = taco__lex_is_sign(&p->lex, "(");
        e = taco__sql_parse_is_ok(p) ? taco__sql_parse_expr_unary(p) : NULL;
        if (e && open && (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR)) {
            e->infix = true; /* in parentheses: not to be merged */
        }
    }
    while (e && taco__sql_parse_is_ok(p) &&
           (strength = taco__sql_parse_expr_precedence(p, &name)) != 0 && strength >= least) {
        e = taco__sql_parse_expr_operator(p, e, name, strength);
    }
    p->depth--;
    return taco__sql_parse_is_ok(p) ? e : NULL;
}

/* ---- the statement --------------------------------------------------------------------------------- */

TACO__FN bool taco__sql_parse_items(taco__sql_parser *p, taco__sql_select *s)
{
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
    do {
        taco__sql_expr *e = taco__lex_is_word(&p->lex, "from") ? NULL : taco__sql_parse_expr(p, 1);
        if (!e) {
            if (taco__sql_parse_is_ok(p)) {
                taco__lex_fail_expected(&p->lex, "a value");
            }
            return false;
        }
        if (taco__sql_parse_is_word(p, "as")) {
            if (!taco__sql_parse_name(p, true, &e->alias)) {
                taco__lex_fail_expected(&p->lex, "a name behind AS");
                return false;
            }
        } else if (e->kind != TACO__SQL_EXPR_STAR) {
            taco__sql_parse_name(p, false, &e->alias);
        }
        if (!taco__sql_expr_add_child(p, s->items, e)) {
            return false;
        }
    } while (taco__sql_parse_accept(p, ",") && !taco__lex_is_word(&p->lex, "from"));
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_table(taco__sql_parser *p, taco__sql_table_ref *f)
{
    size_t digits;
    f->at = p->lex.at;
    if (taco__lex_is_sign(&p->lex, "(")) {
        taco__sql_parse_fail(p, p->lex.at, "subqueries are not supported");
        return false;
    }
    if (!taco__sql_parse_name(p, false, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a table: data, level0 ... level5, l0 ... l5");
        return false;
    }
    if (taco__lex_is_sign(&p->lex, "(") || taco__lex_is_sign(&p->lex, ".")) {
        taco__sql_parse_fail(p, p->lex.at, "table functions and schemas are not supported");
        return false;
    }
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
    if (taco__sql_parse_is_word(p, "as")) {
        if (!taco__sql_parse_name(p, false, &f->alias)) {
            taco__lex_fail_expected(&p->lex, "a name behind AS");
            return false;
        }
    } else {
        taco__sql_parse_name(p, false, &f->alias);
    }
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_from(taco__sql_parser *p, taco__sql_select *s)
{
    static const char *const refused[] = {"right", "full", "cross",      "natural",    "semi",
                                          "anti",  "asof", "positional", "tablesample"};
    size_t                   i;
    if (!taco__sql_parse_table(p, &s->from[s->from_count++])) {
        return false;
    }
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
            taco__sql_parse_fail(p, p->lex.at,
                                 "write JOIN ... ON instead of a comma between tables");
            return false;
        }
        if (!taco__lex_is_word(&p->lex, "left") && !taco__lex_is_word(&p->lex, "inner") &&
            !taco__lex_is_word(&p->lex, "join")) {
            return taco__sql_parse_is_ok(p);
        }
        if (s->from_count == TACO__SQL_MAX_TABLES) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u tables",
                       TACO__U(TACO__SQL_MAX_TABLES));
            return false;
        }
        memset(f, 0, sizeof *f);
        f->left = taco__sql_parse_is_word(p, "left");
        if (!f->left) {
            taco__sql_parse_is_word(p, "inner");
        } else {
            taco__sql_parse_is_word(p, "outer");
        }
        s->from_count++;
        if (!taco__sql_parse_expect(p, "join") || !taco__sql_parse_table(p, f)) {
            return false;
        }
        if (taco__lex_is_word(&p->lex, "using")) {
            taco__sql_parse_fail(p, p->lex.at, "USING is not supported: write ON a.x = b.x");
            return false;
        }
        if (!taco__sql_parse_expect(p, "on")) {
            return false;
        }
        f->on = taco__sql_parse_expr(p, 1);
        if (!f->on) {
            return false;
        }
    }
}
TACO__FN bool taco__sql_parse_groups(taco__sql_parser *p, taco__sql_select *s)
{
    s->groups = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
    if (!s->groups || !taco__sql_parse_expect(p, "by")) {
        return false;
    }
    if (taco__sql_parse_is_word(p, "all")) {
        s->group_all = true;
        return true;
    }
    do {
        if (taco__lex_is_word(&p->lex, "grouping") || taco__lex_is_word(&p->lex, "rollup") ||
            taco__lex_is_word(&p->lex, "cube")) {
            taco__sql_parse_fail(p, p->lex.at, "grouping sets are not supported");
            return false;
        }
        if (!taco__sql_expr_add_child(p, s->groups, taco__sql_parse_expr(p, 1))) {
            return false;
        }
    } while (taco__sql_parse_accept(p, ","));
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_order(taco__sql_parser *p, taco__sql_select *s)
{
    if (!taco__sql_parse_expect(p, "by")) {
        return false;
    }
    do {
        taco__sql_sort_key *o = &s->order[s->order_count];
        if (s->order_count == TACO__COUNT(s->order)) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                       TACO__U(TACO__COUNT(s->order)));
            return false;
        }
        if (!s->order_count && taco__lex_is_word(&p->lex, "all")) {
            s->order_all = true;
            taco__sql_parse_next(p);
        } else {
            o->e = taco__sql_parse_expr(p, 1);
            if (!o->e) {
                return false;
            }
        }
        s->order_count++;
        o->desc = taco__sql_parse_is_word(p, "desc");
        if (!o->desc) {
            taco__sql_parse_is_word(p, "asc");
        }
        if (taco__sql_parse_is_word(p, "nulls")) {
            o->nulls_first = taco__sql_parse_is_word(p, "first");
            if (!o->nulls_first && !taco__sql_parse_expect(p, "last")) {
                return false;
            }
        }
    } while (!s->order_all && taco__sql_parse_accept(p, ","));
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_limits(taco__sql_parser *p, taco__sql_select *s)
{
    int i;
    for (i = 0; i < 2; i++) {
        if (taco__sql_parse_is_word(p, "limit")) {
            s->has_limit = true;
            if (!taco__sql_parse_type_number(p, &s->limit)) {
                return false;
            }
        } else if (taco__sql_parse_is_word(p, "offset")) {
            if (!taco__sql_parse_type_number(p, &s->offset)) {
                return false;
            }
        }
    }
    taco__sql_parse_accept(p, ";");
    if (taco__sql_parse_is_ok(p) && p->lex.kind != TACO__TOK_END) {
        static const char *const known[] = {"union",   "intersect", "except", "window",
                                            "qualify", "using",     "select"};
        size_t                   k;
        for (k = 0; k < TACO__COUNT(known); k++) {
            if (taco__lex_is_word(&p->lex, known[k])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%s is not supported here",
                           known[k]);
            }
        }
        taco__lex_fail_expected(&p->lex, "the end of the query");
    }
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_select(taco__sql_parser *p, taco__sql_select *s)
{
    if (taco__lex_is_word(&p->lex, "with")) {
        taco__sql_parse_fail(p, p->lex.at, "WITH is not supported");
        return false;
    }
    if (!taco__sql_parse_expect(p, "select")) {
        return false;
    }
    s->distinct = taco__sql_parse_is_word(p, "distinct");
    if (s->distinct && taco__lex_is_word(&p->lex, "on")) {
        taco__sql_parse_fail(p, p->lex.at, "DISTINCT ON is not supported");
        return false;
    }
    if (!s->distinct) {
        taco__sql_parse_is_word(p, "all");
    }
    if (!taco__sql_parse_items(p, s) || !taco__sql_parse_expect(p, "from") ||
        !taco__sql_parse_from(p, s)) {
        return false;
    }
    if (taco__sql_parse_is_word(p, "where")) {
        s->where = taco__sql_parse_expr(p, 1);
    }
    if (taco__sql_parse_is_ok(p) && taco__sql_parse_is_word(p, "group") &&
        !taco__sql_parse_groups(p, s)) {
        return false;
    }
    if (taco__sql_parse_is_ok(p) && taco__sql_parse_is_word(p, "having")) {
        s->having = taco__sql_parse_expr(p, 1);
    }
    if (taco__sql_parse_is_ok(p) && taco__sql_parse_is_word(p, "order") &&
        !taco__sql_parse_order(p, s)) {
        return false;
    }
    return taco__sql_parse_is_ok(p) && taco__sql_parse_limits(p, s);
}
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *s, taco_error *err)
{
    taco__sql_parser p;
    memset(&p, 0, sizeof p);
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
/* A deep copy of a tree that is not bound: binding changes what it works on. */
TACO__FN taco__sql_expr *taco__sql_expr_copy(taco__arena *arena, const taco__sql_expr *e,
                                             taco_error *err)
{
    taco__sql_expr *c = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, err);
    uint32_t        i;
    if (!c) {
        return NULL;
    }
    *c = *e;
    if (e->filter) {
        c->filter = taco__sql_expr_copy(arena, e->filter, err);
        if (!c->filter) {
            return NULL;
        }
    }
    if (e->n) {
        c->kid = (taco__sql_expr **)taco__arena_array(arena, e->n, sizeof *c->kid, err);
        c->cap = e->n;
        for (i = 0; c->kid && i < e->n; i++) {
            c->kid[i] = taco__sql_expr_copy(arena, e->kid[i], err);
            if (!c->kid[i]) {
                return NULL;
            }
        }
        return c->kid ? c : NULL;
    }
    return c;
}
/* ==== ROOM cast: values of one SQL type as another, as DuckDB converts them. Uses: vec pq:value pq:num pq:time ==== */

typedef struct taco__cast { /* one conversion of a vector */
    taco__arena          *arena;
    const taco__sql_type *to;
    taco_error           *err;
    bool                  memory; /* the arena failed: no NULL of TRY_CAST hides that */
} taco__cast;

/* Names as DuckDB's typeof has them. */
TACO__FN void taco__sql_type_format(const taco__sql_type *t, taco__fmt *f)
{
    static const char *const names[] = {
        "\"NULL\"",  "BOOLEAN",  "TINYINT",   "SMALLINT",  "INTEGER",  "BIGINT",  "UTINYINT",
        "USMALLINT", "UINTEGER", "UBIGINT",   "FLOAT",     "FLOAT",    "DOUBLE",  "DECIMAL",
        "DATE",      "TIME",     "TIMESTAMP", "TIMESTAMP", "INTERVAL", "VARCHAR", "BLOB",
        "BLOB",      "UUID",     "LIST",      "MAP",       "STRUCT"};
    static const char *const stamps[] = {"TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP",
                                         "TIMESTAMP_NS"};
    uint32_t                 i;
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
TACO__FN void taco__sql_type_text(const taco__sql_type *t, char *text, size_t n)
{
    taco__fmt f;
    f.at = text;
    f.end = text + n;
    *text = 0;
    taco__sql_type_format(t, &f);
}
TACO__FN bool taco__sql_type_is_number(const taco__sql_type *t)
{
    return taco__scalar_is_number(t->t.id);
}
TACO__FN bool taco__sql_type_is_hugeint(const taco__sql_type *t)
{
    return t->t.id == TACO_DECIMAL && t->t.precision == 39;
}
TACO__FN bool taco__sql_type_is_datetime(const taco__sql_type *t)
{
    return t->t.id == TACO_DATE || t->t.id == TACO_TIMESTAMP;
}
/* What can be cast at all. */
TACO__FN bool taco__cast_is_possible(const taco__sql_type *a, const taco__sql_type *b)
{
    bool na = taco__sql_type_is_number(a) || a->t.id == TACO_BOOL,
         nb = taco__sql_type_is_number(b) || b->t.id == TACO_BOOL;
    if (a->t.id == TACO_NULL || taco__sql_type_equal(a, b) || (na && nb)) {
        return true;
    }
    if (b->t.id == TACO_TEXT) {
        return a->t.id != TACO_INTERVAL && !a->geo;
    }
    if (a->t.id == TACO_TEXT) {
        return !taco__scalar_is_nested(b->t.id) && b->t.id != TACO_INTERVAL;
    }
    return (taco__sql_type_is_datetime(a) && taco__sql_type_is_datetime(b)) ||
           (a->t.id == TACO_TIMESTAMP && b->t.id == TACO_TIME) ||
           (a->t.id == TACO_TIME && b->t.id == TACO_TIME);
}
/* True when x lies in the type; HUGEINT has 128 bits. */
TACO__FN bool taco__cast_fits(const taco__scalar_type *t, const taco__i256 *x)
{
    if (t->id == TACO_DECIMAL && t->precision == 39) {
        uint64_t sign = x->w[1] >> 63 ? UINT64_MAX : 0;
        return x->w[2] == sign && x->w[3] == sign;
    }
    return taco__scalar_fits(t, x);
}
/* The nearest whole number, ties to even, without the rounding mode of the machine. */
TACO__FN double taco__math_round_even(double d)
{
    double a = d < 0 ? -d : d, r, rest;
    if (!(a < 4503599627370496.0)) {
        return d;
    }
    r = (double)(int64_t)a;
    rest = a - r;
    if (rest > 0.5 || (rest == 0.5 && (int64_t)r % 2)) {
        r += 1;
    }
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}
TACO__FN double taco__math_round(double d) /* ties away from zero */
{
    double a = d < 0 ? -d : d, r;
    if (!(a < 4503599627370496.0)) {
        return d;
    }
    r = (double)(int64_t)a;
    r += a - r >= 0.5;
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}
/* A whole double as an integer; false beyond 255 bits and for NaN. */
TACO__FN bool taco__cast_double_to_int(double d, taco__i256 *out)
{
    uint64_t bits = taco__f64_to_bits(d),
             m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int    e = (int)(bits >> 52 & 0x7FF) - 1075;
    size_t i;
    if (d == 0) {
        *out = taco__i256_from_i64(0);
        return true;
    }
    if (d != d || e > 200) {
        return false;
    }
    if (e <= 0) {
        *out = taco__i256_from_i64(e <= -64 ? 0 : (int64_t)(m >> -e));
    } else {
        *out = taco__i256_from_i64((int64_t)m);
        for (i = 0; i < (size_t)e; i++) {
            taco__i256_multiply_add(out, 2, 0);
        }
    }
    if (bits >> 63) {
        *out = taco__i256_negate(*out);
    }
    return true;
}
/* Value i of a numeric vector as an exact number of scale *scale; doubles are rounded to whole ones. */
TACO__FN bool taco__cast_to_exact(const taco__vec *v, size_t i, int32_t to_scale, taco__i256 *out)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    int32_t             have = v->type->t.id == TACO_DECIMAL ? v->type->t.scale : 0;
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_DBL: {
        bool   narrow = v->type->t.id != TACO_DOUBLE;
        double d = to_scale ? v->v.f[i] * ten[to_scale] : v->v.f[i];
        d = narrow ? (double)(float)d : d;
        return taco__cast_double_to_int(to_scale ? taco__math_round(d) : taco__math_round_even(d),
                                        out);
    }
    case TACO__PHYS_INT: *out = taco__i256_from_i64(v->v.i[i]); break;
    default: *out = v->v.d[i]; break;
    }
    if (to_scale >= have) {
        return taco__i256_mul10(out, to_scale - have);
    }
    *out = taco__i256_div10(*out, have - to_scale, true);
    return true;
}
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

/* ---- to text --------------------------------------------------------------------------------------- */

TACO__FN bool taco__cast_format(taco__buf *b, const taco__vec *v, size_t i, bool nested,
                                taco_error *err);

/* Years before 1 count backwards: year 0 is `0001 ... (BC)`. */
TACO__FN bool taco__cast_format_date(taco__buf *b, int64_t day, taco_error *err)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t          year = c.year > 0 ? c.year : 1 - c.year;
    char             text[32], *p = text;
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
TACO__FN bool taco__cast_format_datetime(taco__buf *b, const taco__vec *v, size_t i,
                                         taco_error *err)
{
    char    text[TACO__TIME_CHARS];
    size_t  n;
    int64_t x = v->v.i[i], day;
    if (v->type->t.id == TACO_DATE) {
        return taco__cast_format_date(b, x, err);
    }
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
TACO__FN bool taco__cast_format_blob(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        uint8_t c = s.data[i];
        char    hex[4] = {'\\', 'x', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
        if (c >= 0x20 && c < 0x7F && c != '\\' && c != '\'' && c != '"') {
            hex[0] = (char)c;
            if (!taco__buf_append_char(b, hex[0], err)) {
                return false;
            }
        } else if (!taco__buf_append(b, hex, 4, err)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__cast_format_uuid(taco__buf *b, taco_bytes s, taco_error *err)
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
TACO__FN bool taco__cast_format_float(taco__buf *b, const taco__vec *v, double d, taco_error *err)
{
    char   text[32];
    size_t n = v->type->t.id == TACO_DOUBLE ? taco__num_format_f64(text, d)
                                            : taco__num_format_f32(text, (float)d);
    if (d != d) {
        return taco__buf_append_text(b, "nan", err);
    }
    if (d - d != 0) {
        return taco__buf_append_text(b, d < 0 ? "-inf" : "inf", err);
    }
    return taco__buf_append(b, text, n, err);
}
TACO__FN bool taco__cast_format_list(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    taco__sql_list_span s = v->v.l[i];
    uint32_t            k;
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
/* A text inside a list or struct: in quotes where it could be taken for something else. */
TACO__FN bool taco__cast_format_nested_text(taco__buf *b, taco_bytes s, taco_error *err)
{
    bool quote = s.len == 0 || s.data[0] == ' ' || s.data[s.len - 1] == ' ' ||
                 taco__ascii_is_word(s, "null");
    size_t i;
    for (i = 0; !quote && i < s.len; i++) {
        quote = s.data[i] && strchr("'\"(),\\{}[]:=", s.data[i]) != NULL;
    }
    if (!quote) {
        return taco__buf_append(b, s.data, s.len, err);
    }
    if (!taco__buf_append_char(b, '\'', err)) {
        return false;
    }
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
    char     text[32];
    uint32_t k;
    if (!taco__vec_is_valid(v, i)) {
        return taco__buf_append_text(b, "NULL", err);
    }
    i *= v->step;
    switch (v->type->t.id) {
    case TACO_BOOL: return taco__buf_append_text(b, v->v.i[i] ? "true" : "false", err);
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__cast_format_float(b, v, v->v.f[i], err);
    case TACO_UINT64:
    case TACO_DECIMAL: {
        uint8_t  le[32];
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
        if (!taco__buf_append_char(b, '{', err)) {
            return false;
        }
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
TACO__FN bool taco__cast_to_text(taco__cast *c, const taco__vec *v, taco__vec *out)
{
    taco__buf b;
    size_t    i;
    bool      ok = true;
    memset(&b, 0, sizeof b);
    b.mem = c->arena->mem;
    for (i = 0; ok && i < v->n; i++) {
        char *copy;
        if (!taco__vec_is_valid(v, i)) {
            continue;
        }
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

/* ---- one value ------------------------------------------------------------------------------------- */

TACO__FN bool taco__cast_from_text(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    taco__scalar      x;
    taco__scalar_type t = c->to->t;
    bool              huge = taco__sql_type_is_hugeint(c->to);
    taco_bytes        s = v->v.s[i * v->step];
    int32_t           up;
    if (t.id == TACO_BINARY && c->to->geo) {
        return false;
    }
    if (!taco__scalar_parse(c->arena, s, &t, &x, c->err)) {
        c->memory = c->err && c->err->code != TACO_OK;
        return false;
    }
    if (huge && !taco__cast_fits(&t, &x.d)) {
        return false;
    }
    switch (taco__sql_type_physical(c->to)) {
    case TACO__PHYS_DBL: out->v.f[i] = x.f; return true;
    case TACO__PHYS_BIG: out->v.d[i] = x.d; return true;
    case TACO__PHYS_STR: out->v.s[i] = x.b; return true;
    default:
        if (t.id == TACO_TIMESTAMP || t.id == TACO_TIME) {
            up = 3 * ((int32_t)t.unit - (int32_t)x.type.unit);
            if (up > 0 && !taco__i256_mul10(&x.d, up)) {
                return false;
            }
            x.d = up < 0 ? taco__i256_from_i64(
                               taco__time_floor_div((int64_t)x.d.w[0], up == -3 ? 1000 : 1000000))
                         : x.d;
            if (!taco__i256_is_i64(&x.d)) {
                return false;
            }
        }
        out->v.i[i] = (int64_t)x.d.w[0];
        return true;
    }
}
/* Between DATE, TIME and TIMESTAMP of any unit. */
TACO__FN bool taco__cast_datetime(const taco__vec *v, size_t i, const taco__scalar_type *to,
                                  int64_t *out)
{
    const taco__scalar_type *from = &v->type->t;
    int64_t                  x = v->v.i[i * v->step], day, per;
    taco__i256               big;
    int32_t                  up;
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
        if (!taco__i256_mul10(&big, up) || !taco__i256_is_i64(&big)) {
            return false;
        }
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
/* Whether a float is not below the least value of an integer type: DuckDB asks that before it rounds. */
TACO__FN bool taco__cast_is_above_min(const taco__vec *v, size_t i, taco_type to)
{
    double least = to == TACO_INT8    ? INT8_MIN
                   : to == TACO_INT16 ? INT16_MIN
                   : to == TACO_INT32 ? INT32_MIN
                                      : 0;
    bool   asks = taco__scalar_is_int(to) && to != TACO_INT64;
    return !asks || taco__sql_type_physical(v->type) != TACO__PHYS_DBL ||
           v->v.f[i * v->step] >= least;
}
TACO__FN bool taco__cast_number(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    const taco__scalar_type *t = &c->to->t;
    taco__i256               x;
    double                   d;
    switch (taco__sql_type_physical(c->to)) {
    case TACO__PHYS_DBL:
        out->v.f[i] = taco__cast_to_double(v, i, t->id != TACO_DOUBLE);
        d = taco__sql_type_physical(v->type) == TACO__PHYS_DBL ? v->v.f[i * v->step] : 0;
        return !(out->v.f[i] - out->v.f[i] != 0 && d == d && d - d == 0); /* finite to infinite */
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
TACO__FN bool taco__cast_value(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    if (v->type->t.id == TACO_TEXT) {
        return taco__cast_from_text(c, v, i, out);
    }
    if (taco__sql_type_is_datetime(v->type) || v->type->t.id == TACO_TIME) {
        return taco__cast_datetime(v, i, &c->to->t, &out->v.i[i]);
    }
    return taco__cast_number(c, v, i, out);
}
TACO__COLD bool taco__cast_fail(taco__cast *c, const taco__vec *v, size_t i)
{
    char       name[96];
    taco__buf  b;
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
/* INTs of which all values fit, FLOAT from DOUBLE and their kind, without a call per value. False: not one of them. */
TACO__FN bool taco__cast_fast(const taco__vec *v, const taco__sql_type *to, taco__vec *out)
{
    size_t              i;
    taco__physical_type from = taco__sql_type_physical(v->type);
    taco_type           a = v->type->t.id, b = to->t.id;
    if (from != TACO__PHYS_INT || !(taco__scalar_is_int(a) || a == TACO_BOOL)) {
        return false;
    }
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
/* out = v as type `to`. Where a value cannot be: null (tries), or a failure. */
TACO__FN bool taco__cast_vector(taco__arena *arena, const taco__vec *src, const taco__sql_type *to,
                                bool tries, taco__vec *out, taco_error *err)
{
    taco__cast      c;
    const taco__vec whole = *src, *v = &whole; /* out may be src */
    taco__vec       one = whole;
    size_t          i, n = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    if (taco__sql_type_equal(v->type, to)) {
        *out = *v;
        out->type = to;
        return true;
    }
    c.arena = arena;
    c.to = to;
    c.err = err;
    c.memory = false;
    if (v->type->t.id == TACO_NULL) {
        return taco__vec_init_null(arena, to, v->n, out, err);
    }
    one.n = n;
    if (!taco__vec_init(arena, to, n, out, err) ||
        (v->valid && !taco__vec_init_validity(arena, out, err))) {
        return false;
    }
    for (i = 0; v->valid && i < n; i++) {
        out->valid[i] = taco__vec_is_valid(v, i);
    }
    if (to->t.id == TACO_TEXT) {
        if (!taco__cast_to_text(&c, &one, out)) {
            return false;
        }
    } else if (!taco__cast_fast(&one, to, out)) {
        for (i = 0; i < n; i++) {
            if (!taco__vec_is_valid(v, i) || taco__cast_value(&c, v, i, out)) {
                continue;
            }
            if (c.memory || !tries) {
                return c.memory ? false : taco__cast_fail(&c, v, i);
            }
            if (!taco__vec_init_validity(arena, out, err)) {
                return false;
            }
            out->valid[i] = 0;
        }
    }
    if (!v->step) {
        out->n = v->n;
        out->step = 0;
    }
    return true;
}
/* ==== ROOM func: scalar functions and operators of SQL over vectors. Uses: cast pq:like pq:time geom. Spec: DuckDB's
   semantics, OGC 06-103r4 for ST_* ==== */

typedef enum taco__func_id {
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
    TACO__FUNC_COALESCE,
    TACO__FUNC_NULLIF,
    TACO__FUNC_GREATEST,
    TACO__FUNC_LEAST,
    TACO__FUNC_TYPEOF,
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
    TACO__FUNC_PART,
    TACO__FUNC_TRUNC_DATE,
    TACO__FUNC_DATE_DIFF,
    TACO__FUNC_LAST_DAY,
    TACO__FUNC_DAYNAME,
    TACO__FUNC_MONTHNAME,
    TACO__FUNC_MAKE_DATE,
    TACO__FUNC_EPOCH,
    TACO__FUNC_LEN_LIST,
    TACO__FUNC_HAS,
    TACO__FUNC_ELEMENT,
    TACO__FUNC_GEOM,
    TACO__FUNC_ENVELOPE,
    TACO__FUNC_POINT,
    TACO__FUNC_INTERSECTS,
    TACO__FUNC_WITHIN,
    TACO__FUNC_X,
    TACO__FUNC_Y
} taco__func_id;

/* Arguments: t text, i BIGINT, d DOUBLE, b BOOL, w DATE or TIMESTAMP, n number, l list, B blob, g geometry, * any; the
   last holds for all that follow. Result: t text, i BIGINT, I INTEGER, d DOUBLE, b BOOL, D DATE, g geometry, = the first
   argument's, ? what room bind works out. `part` is what PART takes out. */
typedef struct taco__func {
    const char *name;
    uint8_t     id, least, most;
    const char *args;
    char        result;
    const char *part;
} taco__func;

static const taco__func taco__funcs[] = {
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
    {"~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~"},
    {"!~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~"},
    {"~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~*"},
    {"!~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~*"},
    {"coalesce", TACO__FUNC_COALESCE, 1, 255, "*", '?', NULL},
    {"ifnull", TACO__FUNC_COALESCE, 2, 2, "*", '?', NULL},
    {"nullif", TACO__FUNC_NULLIF, 2, 2, "*", '?', NULL},
    {"greatest", TACO__FUNC_GREATEST, 1, 255, "*", '?', NULL},
    {"least", TACO__FUNC_LEAST, 1, 255, "*", '?', NULL},
    {"typeof", TACO__FUNC_TYPEOF, 1, 1, "*", 't', NULL},
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
    {"date_trunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"datetrunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"date_diff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"datediff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"last_day", TACO__FUNC_LAST_DAY, 1, 1, "w", 'D', NULL},
    {"dayname", TACO__FUNC_DAYNAME, 1, 1, "w", 't', NULL},
    {"monthname", TACO__FUNC_MONTHNAME, 1, 1, "w", 't', NULL},
    {"make_date", TACO__FUNC_MAKE_DATE, 3, 3, "i", 'D', NULL},
    {"list_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"array_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_has", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"list_element", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"array_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"st_geomfromwkb", TACO__FUNC_GEOM, 1, 1, "B", 'g', NULL},
    {"st_makeenvelope", TACO__FUNC_ENVELOPE, 4, 4, "d", 'g', NULL},
    {"st_point", TACO__FUNC_POINT, 2, 2, "d", 'g', NULL},
    {"st_intersects", TACO__FUNC_INTERSECTS, 2, 2, "g", 'b', NULL},
    {"st_within", TACO__FUNC_WITHIN, 2, 2, "g", 'b', NULL},
    {"st_x", TACO__FUNC_X, 1, 1, "g", 'd', NULL},
    {"st_y", TACO__FUNC_Y, 1, 1, "g", 'd', NULL}};

/* One call over a batch. `plan` is the part of a date, or a prepared LIKE. */
typedef struct taco__func_call {
    taco__arena     *arena;
    taco_error      *err;
    uint32_t         id;
    const taco__vec *a;
    uint32_t         n;
    const void      *plan;
    const char      *name;
    taco__vec       *out;
} taco__func_call;

#define TACO__FUNC_ARG_INT(k)    (x->a[k].v.i[i * x->a[k].step])
#define TACO__FUNC_ARG_DOUBLE(k) (x->a[k].v.f[i * x->a[k].step])
#define TACO__FUNC_ARG_TEXT(k)   (x->a[k].v.s[i * x->a[k].step])
#define TACO__FUNC_ARG_BIG(k)    (x->a[k].v.d[i * x->a[k].step])

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
    if (!taco__vec_init_validity(x->arena, x->out, x->err)) {
        return false;
    }
    x->out->valid[i] = 0;
    return true;
}

/* ---- arithmetic ------------------------------------------------------------------------------------ */

TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x)
{
    char type[64];
    taco__sql_type_text(x->out->type, type, sizeof type);
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow of %s in %s", type, x->name);
    return false;
}
TACO__INLINE bool taco__func_number_add64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a + (uint64_t)b);
    return ((a ^ *out) & (b ^ *out)) >= 0;
}
TACO__INLINE bool taco__func_number_sub64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a - (uint64_t)b);
    return ((a ^ b) & (a ^ *out)) >= 0;
}
TACO__FN bool taco__func_number_mul64(int64_t a, int64_t b, int64_t *out)
{
    if (a >= INT32_MIN && a <= INT32_MAX && b >= INT32_MIN && b <= INT32_MAX) {
        *out = a * b;
        return true;
    }
    if (a == 0 || b == 0) {
        *out = 0;
        return true;
    }
    if (a == -1 || b == -1) {
        return taco__func_number_sub64(0, a == -1 ? b : a, out);
    }
    if (b > 0 ? (a > INT64_MAX / b || a < INT64_MIN / b)
              : (a < INT64_MAX / b || a > INT64_MIN / b)) {
        return false;
    }
    *out = a * b;
    return true;
}
TACO__FN void taco__func_number_limits(taco_type t, int64_t *lo, int64_t *hi)
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
TACO__FN bool taco__func_number_int(taco__func_call *x)
{
    int64_t lo, hi, r = 0;
    size_t  i;
    bool    narrow = x->out->type->t.id != TACO_INT64;
    taco__func_number_limits(x->out->type->t.id, &lo, &hi);
    for (i = 0; i < x->out->n; i++) {
        int64_t a, b;
        bool    ok = true;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
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
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            }
            if (b == -1) { /* the quotient may not fit, which is an error of the remainder too */
                ok = taco__func_number_sub64(0, a, &r) && (!narrow || r <= hi);
                r = x->id == TACO__FUNC_MOD ? 0 : r;
            } else {
                r = x->id == TACO__FUNC_MOD ? a % b : a / b;
            }
            break;
        }
        if (!ok || (narrow && (r < lo || r > hi))) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = r;
    }
    return true;
}
/* a % b exactly, without the C library's: b is subtracted in powers of two. */
TACO__FN double taco__math_fmod(double a, double b)
{
    double x = a < 0 ? -a : a, y = b < 0 ? -b : b, z;
    if (!(x - x == 0) || !(y == y) || y == 0) {
        return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
    }
    if (!(y - y == 0) || x < y) {
        return a;
    }
    for (z = y; z <= x / 2; z *= 2) {
    }
    for (;; z /= 2) {
        if (x >= z) {
            x -= z;
        }
        if (z == y) {
            break;
        }
    }
    return a < 0 ? -x : x;
}
/* The nearest square root, digit by digit: one more bit than a double has decides the rounding. */
TACO__FN double taco__math_sqrt(double d)
{
    uint64_t bits = taco__f64_to_bits(d), m, root = 0, rem = 0;
    int      e, i;
    double   r;
    if (!(d > 0) || d - d != 0) {
        return d;
    }
    e = (int)(bits >> 52 & 0x7FF);
    m = bits & (((uint64_t)1 << 52) - 1);
    if (e == 0) {                                                      /* subnormal */
        return taco__math_sqrt(d * 18014398509481984.0) / 134217728.0; /* 2^54, 2^27 */
    }
    m |= (uint64_t)1 << 52;
    e -= 1075;
    if (e & 1) {
        m <<= 1;
        e--;
    }
    m <<= 10; /* 64 bits at most: pairs from the top */
    for (i = 0; i < 55; i++) {
        uint64_t pair = i < 32 ? m >> (62 - 2 * i) & 3 : 0, trial;
        rem = rem << 2 | pair;
        trial = root << 2 | 1;
        root <<= 1;
        if (rem >= trial) {
            rem -= trial;
            root |= 1;
        }
    }
    /* root = floor(sqrt(m * 2^46)), m of 64 bits: value = root * 2^((e - 10 - 46) / 2) */
    while (root >> 54) {
        rem |= root & 1;
        root >>= 1;
        e += 2;
    }
    if ((root & 1) && (rem || (root & 2))) {
        root++;
    }
    r = (double)(root >> 1) * 2;
    e = (e - 56) / 2;
    for (; e > 0; e--) {
        r *= 2;
    }
    for (; e < -60; e += 60) {
        r /= 1152921504606846976.0;
    }
    for (; e < 0; e++) {
        r /= 2;
    }
    return r;
}
TACO__FN double taco__math_floor(double d)
{
    double r;
    if (!(d > -4503599627370496.0 && d < 4503599627370496.0)) {
        return d;
    }
    r = (double)(int64_t)d;
    r -= r > d;
    return r == 0 && taco__f64_to_bits(d) >> 63 ? -0.0 : r;
}
TACO__FN double taco__func_number_round_double(double d, int64_t digits)
{
    double  m = 1, r;
    int64_t k;
    if (digits == 0) {
        return taco__math_round(d);
    }
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
TACO__FN bool taco__func_number_double(taco__func_call *x)
{
    bool   single = x->out->type->t.id == TACO_FLOAT;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double a, b, r;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        a = TACO__FUNC_ARG_DOUBLE(0);
        b = x->n > 1 && x->id != TACO__FUNC_ROUND ? TACO__FUNC_ARG_DOUBLE(1) : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: r = a + b; break;
        case TACO__FUNC_SUB: r = a - b; break;
        case TACO__FUNC_MUL: r = a * b; break;
        case TACO__FUNC_IDIV:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
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
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
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
TACO__FN taco__i256 taco__func_number_mul_big(taco__i256 a, taco__i256 b)
{
    bool       neg = taco__i256_is_negative(&a) != taco__i256_is_negative(&b);
    taco__i256 r = taco__i256_from_i64(0);
    size_t     i, j;
    a = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a;
    b = taco__i256_is_negative(&b) ? taco__i256_negate(b) : b;
    for (i = 0; i < 4; i++) {
        uint64_t carry = 0, m = b.w[i / 2] >> (i % 2 * 32) & UINT32_MAX;
        for (j = 0; i + j < 8; j++) {
            size_t   at = i + j;
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
TACO__FN taco__i256 taco__func_number_div_big(taco__i256 a, taco__i256 b, taco__i256 *rest)
{
    bool       na = taco__i256_is_negative(&a), nb = taco__i256_is_negative(&b);
    taco__i256 q = taco__i256_from_i64(0), r = q;
    int        i;
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
/* Rounds a decimal to fewer digits behind the point: floor, ceil, trunc, round. */
TACO__FN taco__i256 taco__func_number_round_decimal(taco__i256 a, int32_t digits, uint32_t id)
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
TACO__FN bool taco__func_number_decimal(taco__func_call *x)
{
    const taco__scalar_type *t = &x->out->type->t;
    taco__i256               zero = taco__i256_from_i64(0), rest;
    size_t                   i;
    for (i = 0; i < x->out->n; i++) {
        taco__i256 a, b = zero, r;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
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
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            }
            r = taco__func_number_div_big(a, b, &rest);
            r = x->id == TACO__FUNC_MOD ? rest : r;
            break;
        default:
            r = taco__func_number_round_decimal(a, x->a[0].type->t.scale - t->scale, x->id);
            break;
        }
        if (!taco__cast_fits(t, &r)) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.d[i] = r;
    }
    return true;
}
/* round(BIGINT, -n) */
TACO__FN bool taco__func_number_round_int(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t    digits = x->n > 1 && taco__vec_is_valid(x->out, i) ? TACO__FUNC_ARG_INT(1) : 0;
        taco__i256 r;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        r = taco__i256_from_i64(TACO__FUNC_ARG_INT(0));
        if (digits < 0) {
            r = digits < -30 ? taco__i256_from_i64(0) : taco__i256_div10(r, (int32_t)-digits, true);
            if (digits >= -30) {
                taco__i256_mul10(&r, (int32_t)-digits);
            }
        }
        if (!taco__cast_fits(&x->out->type->t, &r)) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = (int64_t)r.w[0];
    }
    return true;
}
TACO__FN bool taco__func_number_sign(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double d = taco__vec_is_valid(x->out, i) ? taco__cast_to_double(&x->a[0], i, false) : 0;
        x->out->v.i[i] = (d > 0) - (d < 0);
    }
    return true;
}
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
            bool   finite = d - d == 0;
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

/* ---- text ------------------------------------------------------------------------------------------ */

TACO__FN size_t taco__func_text_length(taco_bytes s)
{
    size_t i, n = 0;
    for (i = 0; i < s.len; i++) {
        n += (s.data[i] & 0xC0) != 0x80;
    }
    return n;
}
/* Where character k begins; the end when there are fewer. */
TACO__FN size_t taco__func_text_skip(taco_bytes s, size_t at, size_t k)
{
    for (; k && at < s.len; k--) {
        at += taco__like_char_width(s, at);
    }
    return at;
}
TACO__FN taco_bytes taco__func_text_slice(taco_bytes s, size_t from, size_t to)
{
    return from < to ? taco__bytes_of(s.data + from, to - from) : taco__bytes_of(s.data, 0);
}
/* Characters [from, to) counted from 0. */
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to)
{
    size_t a, b;
    from = TACO__MAX(from, 0);
    if (to <= from) {
        return taco__bytes_of(s.data, 0);
    }
    a = taco__func_text_skip(s, 0, (size_t)TACO__MIN(from, (int64_t)s.len));
    b = taco__func_text_skip(s, a, (size_t)TACO__MIN(to - from, (int64_t)s.len));
    return taco__func_text_slice(s, a, b);
}
/* substr: 1 is the first, negative ones count from the end; a negative length goes left. */
TACO__FN taco_bytes taco__func_text_substr(taco_bytes s, int64_t at, int64_t len, bool has_len)
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
/* The upper case is the character whose lower case it is. */
TACO__FN uint32_t taco__func_text_upper_char(uint32_t c)
{
    size_t i;
    if (c < 0x80) {
        return c >= 'a' && c <= 'z' ? c - 32 : c;
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
TACO__FN bool taco__func_text_change_case(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    size_t   i, n = 0, room;
    uint8_t *p;
    if (!taco__checked_mul_size(s.len, 2, &room)) {
        return false;
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, room + 4, x->err);
    for (i = 0; p && i < s.len;) {
        size_t   w = taco__like_char_width(s, i);
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
TACO__FN bool taco__func_text_is_in_set(taco_bytes set, taco_bytes s, size_t at, size_t w)
{
    size_t i;
    for (i = 0; i < set.len; i += taco__like_char_width(set, i)) {
        if (taco__like_char_width(set, i) == w && memcmp(set.data + i, s.data + at, w) == 0) {
            return true;
        }
    }
    return false;
}
TACO__FN taco_bytes taco__func_text_trim(taco_bytes s, taco_bytes set, bool left, bool right)
{
    size_t from = 0, to = s.len;
    while (left && from < to &&
           taco__func_text_is_in_set(set, s, from, taco__like_char_width(s, from))) {
        from += taco__like_char_width(s, from);
    }
    while (right && from < to) {
        size_t at = to - 1;
        while (at > from && (s.data[at] & 0xC0) == 0x80) {
            at--;
        }
        if (!taco__func_text_is_in_set(set, s, at, to - at)) {
            break;
        }
        to = at;
    }
    return taco__func_text_slice(s, from, to);
}
TACO__FN size_t taco__func_text_find(taco_bytes s, size_t from,
                                     taco_bytes what) /* SIZE_MAX: not there */
{
    size_t i;
    for (i = from; what.len <= s.len && i <= s.len - what.len; i++) {
        if (what.len == 0 || memcmp(s.data + i, what.data, what.len) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
#define TACO__FUNC_MAX_TEXT ((uint64_t)1 << 28) /* bytes of one text a function may make */

TACO__COLD bool taco__func_text_fail_too_long(taco__func_call *x)
{
    TACO__FAIL(x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%s would make a text of more than %u bytes",
               x->name, TACO__FUNC_MAX_TEXT);
    return false;
}
TACO__FN bool taco__func_text_replace(taco__func_call *x, taco_bytes s, taco_bytes what,
                                      taco_bytes with, taco_bytes *out)
{
    size_t   i, at, hits = 0, n = 0;
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
            if (with.len) {
                memcpy(p + n, with.data, with.len);
            }
            n += with.len;
            i += what.len;
        }
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}
TACO__FN bool taco__func_text_pad(taco__func_call *x, taco_bytes s, int64_t want, taco_bytes pad,
                                  taco_bytes *out)
{
    int64_t  have = (int64_t)taco__func_text_length(s), more, k;
    size_t   at = 0, n = 0;
    uint8_t *p;
    bool     left = x->id == TACO__FUNC_LPAD;
    if (want <= have) {
        *out = taco__func_text_range(s, 0, want);
        return true;
    }
    if (!pad.len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "nothing to pad with");
        return false;
    }
    more = want - have;
    if ((uint64_t)more > TACO__FUNC_MAX_TEXT / 4) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + (size_t)more * 4, x->err);
    if (!p) {
        return false;
    }
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
TACO__FN bool taco__func_text_repeat(taco__func_call *x, taco_bytes s, int64_t times,
                                     taco_bytes *out)
{
    uint8_t *p;
    size_t   k;
    *out = taco__bytes_of(s.data, 0);
    if (times <= 0 || s.len == 0) {
        return true;
    }
    if ((uint64_t)times > TACO__FUNC_MAX_TEXT / s.len) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len * (size_t)times, x->err);
    for (k = 0; p && k < (size_t)times; k++) {
        memcpy(p + k * s.len, s.data, s.len);
    }
    *out = taco__bytes_of(p, s.len * (size_t)times);
    return p != NULL;
}
/* Characters that belong to the one before: combining marks, variation selectors, joiners. */
TACO__FN bool taco__func_text_is_combining(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0x200D ||
           (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0x20D0 && c <= 0x20FF);
}
TACO__FN bool taco__func_text_reverse(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, s.len, x->err);
    size_t   i, w;
    for (i = 0; p && i < s.len; i += w) {
        uint32_t c;
        w = taco__like_char_width(s, i);
        while (i + w < s.len) {
            size_t next = taco__like_char_width(s, i + w);
            c = taco__like_char_at(s, i + w, next);
            if (!taco__func_text_is_combining(c)) {
                break;
            }
            w += next;
            if (c == 0x200D && i + w < s.len) {
                w += taco__like_char_width(s, i + w);
            }
        }
        memcpy(p + s.len - i - w, s.data + i, w);
    }
    *out = taco__bytes_of(p, s.len);
    return p != NULL;
}
TACO__FN taco_bytes taco__func_text_split_part(taco_bytes s, taco_bytes by, int64_t k)
{
    size_t  i = 0, at;
    int64_t parts = 1;
    if (!by.len) {
        return k == 1 || k == -1 ? s : taco__bytes_of(s.data, 0);
    }
    for (; (at = taco__func_text_find(s, i, by)) != SIZE_MAX; i = at + by.len) {
        parts++;
    }
    k = k < 0 ? parts + k + 1 : k;
    for (i = 0; k > 0 && k <= parts; k--) {
        at = taco__func_text_find(s, i, by);
        at = at == SIZE_MAX ? s.len : at;
        if (k == 1) {
            return taco__func_text_slice(s, i, at);
        }
        i = at + by.len;
    }
    return taco__bytes_of(s.data, 0);
}
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i)
{
    static const uint8_t space[] = {' '};
    taco_bytes           s = TACO__FUNC_ARG_TEXT(0), *out = &x->out->v.s[i];
    int64_t              k;
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
TACO__FN bool taco__func_text_like(taco__func_call *x)
{
    const taco__like_pattern *ready = (const taco__like_pattern *)x->plan;
    bool                      neg = x->name[0] == '!', icase = x->name[strlen(x->name) - 1] == '*';
    taco__like_pattern        k;
    size_t                    i;
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
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
            if (!taco__like_compile(&k, x->arena, TACO__FUNC_ARG_TEXT(1), x->err)) {
                return false;
            }
        }
        x->out->v.i[i] = taco__like_match(ready ? ready : &k, TACO__FUNC_ARG_TEXT(0)) != neg;
    }
    return true;
}
/* Integers and booleans of texts. */
TACO__FN bool taco__func_text_to_number(taco__func_call *x)
{
    size_t i, at;
    for (i = 0; i < x->out->n; i++) {
        taco_bytes s, t = taco__bytes_of(NULL, 0);
        int64_t    r = 0;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
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
/* concat, concat_ws and ||: nulls are left out by the first two. All arguments are text by now. */
TACO__FN bool taco__func_text_concat(taco__func_call *x)
{
    bool   ws = x->id == TACO__FUNC_CONCAT_WS;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        uint64_t   total = 0;
        uint32_t   k, any = 0;
        taco_bytes sep = taco__bytes_of(NULL, 0);
        uint8_t   *p;
        size_t     n = 0;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        if (ws) {
            if (!taco__vec_is_valid(&x->a[0], i)) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            }
            sep = TACO__FUNC_ARG_TEXT(0);
        }
        for (k = ws; k < x->n; k++) {
            total += taco__vec_is_valid(&x->a[k], i) ? TACO__FUNC_ARG_TEXT(k).len + sep.len : 0;
        }
        if (total > TACO__FUNC_MAX_TEXT) {
            return taco__func_text_fail_too_long(x);
        }
        p = (uint8_t *)taco__arena_alloc(x->arena, (size_t)total, x->err);
        for (k = ws; p && k < x->n; k++) {
            taco_bytes s;
            if (!taco__vec_is_valid(&x->a[k], i)) {
                continue;
            }
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
        if (!p) {
            return false;
        }
    }
    return true;
}

/* ---- dates ----------------------------------------------------------------------------------------- */

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

TACO__FN int taco__func_date_find_part(taco_bytes b) /* -1: none */
{
    static const char *const names[] = {
        "year",        "month",   "day",    "hour",     "minute",  "second",  "millisecond",
        "microsecond", "dow",     "isodow", "doy",      "week",    "quarter", "decade",
        "century",     "isoyear", "epoch",  "epoch_ms", "epoch_us"};
    static const struct {
        const char *name;
        uint8_t     part;
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
        if (taco__ascii_is_word(b, names[i])) {
            return (int)i;
        }
    }
    for (i = 0; i < TACO__COUNT(more); i++) {
        if (taco__ascii_is_word(b, more[i].name)) {
            return more[i].part;
        }
    }
    return -1;
}
/* Day and microsecond of the day of a DATE or TIMESTAMP. */
TACO__FN void taco__func_date_split(const taco__vec *v, size_t i, int64_t *day, int64_t *micros)
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
/* ISO 8601: the week that holds the year's first Thursday is the first. */
TACO__FN int64_t taco__func_date_iso_week(int64_t day, int64_t *year)
{
    int64_t          thursday = day - taco__time_floor_mod(day + 3, 7) + 3;
    taco__time_civil c = taco__time_date_from_days(thursday);
    *year = c.year;
    return (thursday - taco__time_days_from_date(c.year, 1, 1)) / 7 + 1;
}
TACO__FN int64_t taco__func_date_extract(int part, int64_t day, int64_t us)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t          year;
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
/* The microsecond since 1970 at which the part of the instant began. */
TACO__FN bool taco__func_date_trunc(int part, int64_t day, int64_t us, int64_t *out)
{
    taco__time_civil c = taco__time_date_from_days(day);
    taco__i256       big;
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
TACO__FN int64_t taco__func_date_diff(int part, const int64_t a[2], const int64_t b[2])
{
    taco__time_civil x = taco__time_date_from_days(a[0]), y = taco__time_date_from_days(b[0]);
    int64_t          per;
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
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i)
{
    static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const int               *part = (const int *)x->plan;
    int64_t                  a[2] = {0, 0}, b[2];
    taco__time_civil         c;
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
/* DATE and TIMESTAMP plus and minus days and intervals; the result is TIMESTAMP of microseconds, or DATE for days. */
TACO__FN bool taco__func_date_add(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t            day, us, months;
        taco__sql_interval v;
        taco__time_civil   c;
        taco__i256         big;
        bool               minus = x->id == TACO__FUNC_SUB;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        memcpy(&v, TACO__FUNC_ARG_TEXT(1).data, sizeof v);
        taco__func_date_split(&x->a[0], i, &day, &us);
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
        if (!taco__i256_is_i64(&big)) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = (int64_t)big.w[0];
    }
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------------- */

/* Where an index of SQL points to in n elements: SIZE_MAX when outside. 1 is the first, -1 the last. */
TACO__FN size_t taco__func_list_position(int64_t k, size_t n)
{
    if (k > 0 && (uint64_t)k <= n) {
        return (size_t)k - 1;
    }
    if (k < 0 && k >= -(int64_t)n) {
        return (size_t)((int64_t)n + k);
    }
    return SIZE_MAX;
}
TACO__FN bool taco__func_list_element(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    uint32_t        *idx;
    size_t           i;
    if (v->type->t.id == TACO_TEXT) {
        for (i = 0; i < x->out->n; i++) {
            if (taco__vec_is_valid(x->out, i)) {
                taco_bytes s = TACO__FUNC_ARG_TEXT(0);
                size_t     at =
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
            size_t              at = taco__func_list_position(TACO__FUNC_ARG_INT(1), s.len);
            idx[i] = at == SIZE_MAX ? TACO__VEC_NONE : s.at + (uint32_t)at;
        }
    }
    return idx && taco__vec_take(x->arena, &v->kids[0], idx, x->out->n, x->out, x->err);
}
/* value[from:to], both ends included, each may be NULL for open. */
TACO__FN bool taco__func_list_slice_bounds(taco__func_call *x, size_t i, int64_t n, int64_t *from,
                                           int64_t *to)
{
    bool    open_from = x->a[1].type->t.id == TACO_NULL, open_to = x->a[2].type->t.id == TACO_NULL;
    int64_t a = open_from ? 1 : TACO__FUNC_ARG_INT(1), b = open_to ? n : TACO__FUNC_ARG_INT(2);
    a = a < 0 ? TACO__MAX(n + a + 1, 1) : a == 0 ? 1 : a;
    b = b < 0 ? n + b + 1 : b;
    *from = a - 1;
    *to = TACO__MIN(b, n);
    return *from < *to;
}
TACO__FN bool taco__func_list_slice(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t           i;
    int64_t          from, to;
    if (v->type->t.id != TACO_TEXT) {
        x->out->kids = v->kids;
    }
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        if (v->type->t.id == TACO_TEXT) {
            taco_bytes s = TACO__FUNC_ARG_TEXT(0);
            x->out->v.s[i] =
                taco__func_list_slice_bounds(x, i, (int64_t)taco__func_text_length(s), &from, &to)
                    ? taco__func_text_range(s, from, to)
                    : taco__bytes_of(s.data, 0);
        } else {
            taco__sql_list_span s = v->v.l[i * v->step];
            bool                some = taco__func_list_slice_bounds(x, i, s.len, &from, &to);
            x->out->v.l[i].at = some ? s.at + (uint32_t)from : s.at;
            x->out->v.l[i].len = some ? (uint32_t)(to - from) : 0;
        }
    }
    return true;
}
TACO__FN bool taco__func_list_run(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t           i, k;
    for (i = 0; i < x->out->n; i++) {
        taco__sql_list_span s;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
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

/* ---- geometry -------------------------------------------------------------------------------------- */

/* True when a WKB is a box: one ring of five corners along the axes, as ST_MakeEnvelope makes it. */
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
TACO__FN bool taco__func_geo_make_point(taco__func_call *x, double a, double b, taco_bytes *out)
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
TACO__FN bool taco__func_geo_make_envelope(taco__func_call *x, const double b[4], taco_bytes *out)
{
    static const uint8_t corner[10] = {0, 1, 0, 3, 2, 3, 2, 1, 0, 1};
    uint8_t             *p = (uint8_t *)taco__arena_alloc(x->arena, 93, x->err);
    size_t               i;
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
/* Within a box: no position outside, and some of the inside reached, not only the edge. */
TACO__FN bool taco__func_geo_within(taco_bytes wkb, const double b[4], bool *hit, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item   item;
    bool             all = true, inner = false, any = false;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        size_t i;
        double px = 0, py = 0;
        if (taco__wkb_next(&w, &item, err) != TACO_OK) {
            return false;
        }
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
            if (i &&
                item.type == TACO__WKB_LINESTRING) { /* between two edges it crosses the inside */
                inner = inner || !((px == gx && (gx == b[0] || gx == b[2])) ||
                                   (py == gy && (gy == b[1] || gy == b[3])));
            }
            px = gx;
            py = gy;
        }
    }
}
TACO__FN bool taco__func_geo_coordinate(taco__func_call *x, size_t i)
{
    taco__wkb_reader w;
    taco__wkb_item   item;
    bool             found = false;
    double           d = 0;
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    for (;;) {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) {
            return false;
        }
        if (item.what == TACO__WKB_DONE) {
            break;
        }
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
TACO__FN bool taco__func_geo_run(taco__func_call *x)
{
    size_t i, k;
    for (i = 0; i < x->out->n; i++) {
        double b[4];
        bool   hit = false, ok, first;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        switch (x->id) {
        case TACO__FUNC_GEOM: x->out->v.s[i] = TACO__FUNC_ARG_TEXT(0); continue;
        case TACO__FUNC_X:
        case TACO__FUNC_Y:
            if (!taco__func_geo_coordinate(x, i)) {
                return false;
            }
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
        first = !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(1), b);
        if (first &&
            (x->id == TACO__FUNC_WITHIN || !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(0), b))) {
            TACO__FAIL(x->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "%s works with a box of ST_MakeEnvelope only", x->name);
            return false;
        }
        {
            double     box[4];
            taco_bytes g = first ? TACO__FUNC_ARG_TEXT(1) : TACO__FUNC_ARG_TEXT(0);
            ok = taco__intersect_normalize_box(b, box, x->err) == TACO_OK &&
                 (x->id == TACO__FUNC_WITHIN
                      ? taco__func_geo_within(g, box, &hit, x->err)
                      : taco__intersect_wkb_box(g, box, &hit, x->err) == TACO_OK);
        }
        if (!ok) {
            return false;
        }
        x->out->v.i[i] = hit;
    }
    return true;
}

/* ---- the rest -------------------------------------------------------------------------------------- */

/* coalesce, greatest, least, nullif over arguments of one type: which argument each row takes. */
TACO__FN bool taco__func_choose(taco__func_call *x)
{
    taco__vec_builder p;
    size_t            i, n = x->out->n;
    uint32_t          k;
    if (!taco__vec_builder_init(x->arena, x->out->type, &p, x->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        uint32_t pick = UINT32_MAX, row = (uint32_t)i;
        for (k = 0; k < (x->id == TACO__FUNC_NULLIF ? 1 : x->n); k++) {
            int c;
            if (!taco__vec_is_valid(&x->a[k], i)) {
                continue;
            }
            if (pick == UINT32_MAX) {
                pick = k;
                if (x->id == TACO__FUNC_COALESCE) {
                    break;
                }
                continue;
            }
            c = taco__vec_compare(&x->a[k], i, &x->a[pick], i);
            pick = (x->id == TACO__FUNC_GREATEST ? c > 0 : c < 0) ? k : pick;
        }
        k = pick == UINT32_MAX ? 0 : pick;
        if (!taco__vec_builder_append(x->arena, &p, &x->a[k], &row, 1, x->err)) {
            return false;
        }
    }
    *x->out = p.v;
    return true;
}
TACO__FN bool taco__func_each_row(taco__func_call *x, bool (*row)(taco__func_call *x, size_t i))
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !row(x, i)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__func_dispatch(taco__func_call *x)
{
    char   name[128];
    char  *copy;
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
    if (x->id >= TACO__FUNC_LOWER && x->id <= TACO__FUNC_SPLIT_PART) {
        return taco__func_each_row(x, taco__func_text_row);
    }
    if (x->id >= TACO__FUNC_PART && x->id <= TACO__FUNC_EPOCH) {
        return taco__func_each_row(x, taco__func_date_row);
    }
    if (x->id >= TACO__FUNC_GEOM) {
        return taco__func_geo_run(x);
    }
    if ((x->id == TACO__FUNC_ADD || x->id == TACO__FUNC_SUB) &&
        x->a[1].type->t.id == TACO_INTERVAL) {
        return taco__func_date_add(x);
    }
    return taco__func_number_run(x);
}
/* Runs a call: where an argument is null the result is, but for those that say otherwise. */
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n)
{
    bool keep = x->id == TACO__FUNC_COALESCE || x->id == TACO__FUNC_GREATEST ||
                x->id == TACO__FUNC_LEAST || x->id == TACO__FUNC_CONCAT ||
                x->id == TACO__FUNC_CONCAT_WS || x->id == TACO__FUNC_TYPEOF;
    bool     constant = x->n > 0;
    uint32_t k;
    size_t   i;
    for (k = 0; k < x->n; k++) {
        constant = constant && !x->a[k].step;
    }
    if (!taco__vec_init(x->arena, type, constant ? TACO__MIN(n, (size_t)1) : n, x->out, x->err)) {
        return false;
    }
    for (k = 0; !keep && k < x->n; k++) {
        const taco__vec *a = &x->a[k];
        if (!a->valid) {
            continue;
        }
        if (!taco__vec_init_validity(x->arena, x->out, x->err)) {
            return false;
        }
        for (i = 0; i < x->out->n; i++) {
            x->out->valid[i] = x->out->valid[i] && taco__vec_is_valid(a, i);
        }
    }
    if (!taco__func_dispatch(x)) {
        return false;
    }
    if (constant) {
        x->out->step = 0;
        x->out->n = n;
    }
    return true;
}
/* ==== ROOM fold: aggregates of SQL over numbered groups. Uses: func cast vec. Spec: DuckDB's semantics ==== */

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

static const struct {
    const char *name;
    uint8_t     id;
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

typedef struct taco__aggregate_state {
    int64_t    n, i; /* values seen; a count, or the row of the pile */
    double     f, g; /* sum, or mean and squares */
    taco__i256 d;
} taco__aggregate_state;

/* One aggregate of a query with the states of all groups. */
typedef struct taco__aggregate {
    uint8_t                id;
    bool                   distinct;
    double                 q;
    taco__sql_type         arg, result;
    taco__aggregate_state *states;
    size_t                 cap;
    taco__vec_builder      pile;   /* MIN, MAX, ...: the values kept; collectors: all of them */
    taco__buf              groups; /* collectors: the group of each row of the pile */
    bool                   piled;
} taco__aggregate;

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
TACO__FN bool taco__aggregate_is_collector(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MEDIAN || a->distinct;
}
TACO__FN bool taco__aggregate_stores_value(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MIN && a->id <= TACO__AGGREGATE_LAST;
}
/* Room for the states of n groups. */
TACO__FN bool taco__aggregate_reserve(taco__aggregate *a, taco__arena *arena, size_t n,
                                      taco_error *err)
{
    taco__aggregate_state *s;
    size_t                 cap;
    if (!a->piled && (taco__aggregate_is_collector(a) || taco__aggregate_stores_value(a))) {
        if (!taco__vec_builder_init(arena, &a->arg, &a->pile, err)) {
            return false;
        }
        a->groups.mem = arena->mem;
        a->piled = true;
    }
    if (n <= a->cap) {
        return true;
    }
    cap = TACO__MAX(n, a->cap * 2);
    s = (taco__aggregate_state *)taco__arena_array(arena, cap, sizeof *s, err);
    if (!s) {
        return false;
    }
    if (a->cap) {
        memcpy(s, a->states, a->cap * sizeof *s);
    }
    a->states = s;
    a->cap = cap;
    return true;
}
/* Puts row i of v into the pile, for a group that has a value already over that one where the size allows. */
TACO__FN bool taco__aggregate_store(taco__aggregate *a, taco__arena *arena,
                                    taco__aggregate_state *s, const taco__vec *v, size_t i,
                                    taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    uint32_t            row = (uint32_t)i;
    bool                ok = taco__vec_is_valid(v, i);
    if (s->n++ && (p == TACO__PHYS_INT || p == TACO__PHYS_DBL || p == TACO__PHYS_BIG)) {
        size_t at = (size_t)s->i;
        a->pile.v.valid[at] = ok;
        i *= v->step;
        if (!ok) {
            return true;
        }
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
TACO__FN bool taco__aggregate_offer(taco__aggregate *a, taco__arena *arena,
                                    taco__aggregate_state *s, const taco__vec *v, size_t i,
                                    taco_error *err)
{
    int c;
    if (a->id == TACO__AGGREGATE_FIRST) {
        return s->n ? true : taco__aggregate_store(a, arena, s, v, i, err);
    }
    if (a->id == TACO__AGGREGATE_LAST) {
        return taco__aggregate_store(a, arena, s, v, i, err);
    }
    if (!taco__vec_is_valid(v, i) || (a->id == TACO__AGGREGATE_ANY && s->n)) {
        return true;
    }
    c = s->n ? taco__vec_compare(v, i, &a->pile.v, (size_t)s->i) : 0;
    if (!s->n || (a->id == TACO__AGGREGATE_MIN ? c < 0 : c > 0)) {
        return taco__aggregate_store(a, arena, s, v, i, err);
    }
    return true;
}
TACO__FN void taco__aggregate_add_moment(taco__aggregate_state *s, double x)
{
    double step, mean;
    s->n++;
    step = (x - s->f) / (double)s->n;
    mean = s->f + step;
    s->g += (x - mean) * (x - s->f);
    s->f = mean;
}
TACO__FN void taco__aggregate_add_sum(taco__aggregate_state *s, const taco__vec *v, size_t i)
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
TACO__FN bool taco__aggregate_add_value(taco__aggregate *a, taco__arena *arena,
                                        taco__aggregate_state *s, const taco__vec *v, size_t i,
                                        taco_error *err)
{
    if (taco__aggregate_stores_value(a)) {
        return taco__aggregate_offer(a, arena, s, v, i, err);
    }
    if (!taco__vec_is_valid(v, i)) {
        return true;
    }
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
/* n rows: row i belongs to group[i]; keep (may be NULL) tells which rows count. v is not there for COUNT(*). */
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
        for (i = 0; i < n; i++) {
            uint32_t row = (uint32_t)i;
            if ((keep && !keep[i]) ||
                (!taco__vec_is_valid(v, i) && a->id != TACO__AGGREGATE_LIST &&
                 a->id != TACO__AGGREGATE_FIRST && a->id != TACO__AGGREGATE_LAST)) {
                continue;
            }
            if ((a->distinct && !taco__vec_is_valid(v, i) && a->id != TACO__AGGREGATE_LIST)) {
                continue;
            }
            if (!taco__vec_builder_append(arena, &a->pile, v, &row, 1, err) ||
                !taco__buf_append(&a->groups, &group[i], sizeof group[i], err)) {
                return false;
            }
        }
        return true;
    }
    for (i = 0; i < n; i++) {
        if ((!keep || keep[i]) &&
            !taco__aggregate_add_value(a, arena, &a->states[group[i]], v, i, err)) {
            return false;
        }
    }
    return true;
}

/* ---- results --------------------------------------------------------------------------------------- */

/* Sorts rows of a vector by value, nulls last: bottom-up merges, stable. */
TACO__FN void taco__aggregate_sort_rows(const taco__vec *v, uint32_t *idx, uint32_t *tmp, size_t n)
{
    size_t width, at;
    for (width = 1; width < n; width *= 2) {
        for (at = 0; at < n; at += 2 * width) {
            size_t i = at, mid = TACO__MIN(at + width, n), j = mid,
                   end = TACO__MIN(at + 2 * width, n), k;
            for (k = at; k < end; k++) {
                bool left =
                    i < mid && (j >= end || taco__vec_compare_nulls(v, idx[i], v, idx[j]) <= 0);
                tmp[k] = left ? idx[i++] : idx[j++];
            }
        }
        memcpy(idx, tmp, n * sizeof *idx);
    }
}
/* A point between two sorted values, in the result's type. */
TACO__FN bool taco__aggregate_quantile(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err)
{
    double    at = (double)(n - 1) * a->q, floor = taco__math_floor(at), part = at - floor;
    uint32_t  ends[2];
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
        bool       wide = a->result.t.precision > 18;
        double     d = taco__scalar_i256_to_double(&delta, false) * part;
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
TACO__FN bool taco__aggregate_set_null(taco__arena *arena, taco__vec *out, size_t g,
                                       taco_error *err)
{
    if (!taco__vec_init_validity(arena, out, err)) {
        return false;
    }
    out->valid[g] = 0;
    return true;
}
/* One group of a collector: the rows idx[0..n) of the pile. */
TACO__FN bool taco__aggregate_group_result(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                           uint32_t *tmp, size_t n, size_t g, taco__vec *out,
                                           taco_error *err)
{
    size_t i, m = 0;
    if (a->distinct) {
        taco__aggregate_sort_rows(&a->pile.v, idx, tmp, n);
        for (i = 0; i < n; i++) {
            if (!i || taco__vec_compare_nulls(&a->pile.v, idx[i], &a->pile.v, idx[m - 1]) != 0) {
                idx[m++] = idx[i];
            }
        }
        n = m;
    }
    switch (a->id) {
    case TACO__AGGREGATE_LIST:
        out->v.l[g].at = (uint32_t)out->kids[0].n;
        out->v.l[g].len = (uint32_t)n;
        return n ? true : taco__aggregate_set_null(arena, out, g, err);
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_CONT:
    case TACO__AGGREGATE_DISC:
        if (!n) {
            return taco__aggregate_set_null(arena, out, g, err);
        }
        taco__aggregate_sort_rows(&a->pile.v, idx, tmp, n);
        if (a->id == TACO__AGGREGATE_DISC || taco__sql_type_physical(&a->arg) == TACO__PHYS_STR) {
            double rest = taco__math_floor((double)n - (double)n * a->q);
            size_t at = n - (size_t)TACO__MAX(0.0, TACO__MIN(rest, (double)n));
            tmp[0] = idx[TACO__MAX(at, (size_t)1) - 1];
            {
                taco__vec one;
                if (!taco__vec_take(arena, &a->pile.v, tmp, 1, &one, err)) {
                    return false;
                }
                switch (taco__sql_type_physical(&a->result)) {
                case TACO__PHYS_DBL: out->v.f[g] = one.v.f[0]; break;
                case TACO__PHYS_BIG: out->v.d[g] = one.v.d[0]; break;
                case TACO__PHYS_STR: out->v.s[g] = one.v.s[0]; break;
                default: out->v.i[g] = one.v.i[0]; break;
                }
            }
            return true;
        }
        return taco__aggregate_quantile(a, arena, idx, n, out, g, err);
    default: /* DISTINCT of a running aggregate */
        for (i = 0; i < n; i++) {
            if (!taco__aggregate_add_value(a, arena, &a->states[g], &a->pile.v, idx[i], err)) {
                return false;
            }
        }
        return true;
    }
}
TACO__FN bool taco__aggregate_result(taco__aggregate *a, taco__arena *arena, size_t g,
                                     taco__vec *out, taco_error *err)
{
    taco__aggregate_state *s = &a->states[g];
    taco__i256             total;
    switch (a->id) {
    case TACO__AGGREGATE_COUNT:
    case TACO__AGGREGATE_COUNT_STAR: out->v.i[g] = s->n; return true;
    case TACO__AGGREGATE_COUNT_IF: out->v.d[g] = taco__i256_from_i64(s->n); return true;
    case TACO__AGGREGATE_VAR_POP:
    case TACO__AGGREGATE_STDDEV_POP:
    case TACO__AGGREGATE_VAR:
    case TACO__AGGREGATE_STDDEV: {
        bool   pop = a->id == TACO__AGGREGATE_VAR_POP || a->id == TACO__AGGREGATE_STDDEV_POP;
        double v;
        if (s->n < (pop ? 1 : 2)) {
            return taco__aggregate_set_null(arena, out, g, err);
        }
        v = s->n > 1 ? s->g / (double)(pop ? s->n : s->n - 1) : 0;
        if (v - v != 0) {
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a variance is out of range");
            return false;
        }
        out->v.f[g] = a->id == TACO__AGGREGATE_VAR || a->id == TACO__AGGREGATE_VAR_POP
                          ? v
                          : taco__math_sqrt(v);
        return true;
    }
    default: break;
    }
    if (!s->n) {
        return taco__aggregate_set_null(arena, out, g, err);
    }
    total = taco__i256_add(
        s->d, taco__i256_from_i64(
                  a->id == TACO__AGGREGATE_SUM || a->id == TACO__AGGREGATE_AVG ? s->i : 0));
    switch (a->id) {
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR: out->v.i[g] = s->i; return true;
    case TACO__AGGREGATE_AVG:
        if (taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL) {
            out->v.f[g] = s->f / (double)s->n;
        } else {
            out->v.f[g] = taco__scalar_i256_to_double(&total, false) / (double)s->n;
            if (a->arg.t.id == TACO_DECIMAL && a->arg.t.scale) {
                int32_t k;
                double  ten = 1;
                for (k = 0; k < a->arg.t.scale; k++) {
                    ten *= 10;
                }
                out->v.f[g] /= ten;
            }
        }
        return true;
    case TACO__AGGREGATE_SUM:
        if (taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL) {
            out->v.f[g] = s->f;
        } else {
            out->v.d[g] = total;
            if (!taco__cast_fits(&a->result.t, &total)) {
                TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow in sum");
                return false;
            }
        }
        return true;
    default: return true; /* MIN, MAX, ...: chosen from the pile below */
    }
}
TACO__FN bool taco__aggregate_finish_collector(taco__aggregate *a, taco__arena *arena,
                                               size_t groups, taco__vec *out, taco_error *err)
{
    size_t          n = a->pile.v.n, i, g;
    const uint32_t *of = (const uint32_t *)(const void *)a->groups.data;
    uint32_t       *starts = (uint32_t *)taco__arena_array(arena, groups + 2, sizeof *starts, err),
             *idx = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *idx, err),
             *tmp = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *tmp, err), *list;
    size_t listed = 0;
    list = a->id == TACO__AGGREGATE_LIST
               ? (uint32_t *)taco__arena_array(arena, n + 1, sizeof *list, err)
               : tmp;
    if (!starts || !idx || !tmp || !list) {
        return false;
    }
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
/* The column of results, a value a group. */
TACO__FN bool taco__aggregate_finish(taco__aggregate *a, taco__arena *arena, size_t groups,
                                     taco__vec *out, taco_error *err)
{
    size_t    g;
    uint32_t *idx;
    if (!taco__aggregate_reserve(a, arena, groups, err) ||
        !taco__vec_init(arena, &a->result, groups, out, err)) {
        return false;
    }
    if (taco__aggregate_is_collector(a)) {
        taco__aggregate before = *a;
        (void)before;
        if (!taco__aggregate_finish_collector(a, arena, groups, out, err)) {
            return false;
        }
        if (a->id >= TACO__AGGREGATE_MEDIAN) {
            return true;
        }
    }
    for (g = 0; g < groups; g++) {
        if (!taco__aggregate_result(a, arena, g, out, err)) {
            return false;
        }
    }
    if (!taco__aggregate_stores_value(a)) {
        return true;
    }
    idx = (uint32_t *)taco__arena_array(arena, groups, sizeof *idx, err);
    for (g = 0; idx && g < groups; g++) {
        idx[g] = a->states[g].n ? (uint32_t)a->states[g].i : TACO__VEC_NONE;
    }
    return idx && taco__vec_take(arena, &a->pile.v, idx, groups, out, err);
}
/* The type of the result; false when the aggregate does not take the argument. */
TACO__FN bool taco__aggregate_set_result_type(taco__aggregate *a)
{
    taco__sql_type t = a->arg;
    bool           number = taco__sql_type_is_number(&t), date = taco__sql_type_is_datetime(&t);
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
/* ==== ROOM bind: names, types and functions of a SELECT made definite. Uses: sqlp func fold cast ==== */

typedef struct taco__bind_table {
    taco_bytes            alias;
    const taco_field     *fields;
    const taco__sql_type *types;
    size_t  count, visible; /* '*' means the visible ones, the others have to be named */
    size_t *place;          /* of a column in the batch; TACO__NONE until it is asked for */
} taco__bind_table;
typedef struct taco__bind_column { /* of the batch */
    uint32_t table;
    size_t   column;
} taco__bind_column;
typedef struct taco__bind_aggregation {
    taco__aggregate a;
    taco__sql_expr *arg, *filter;
    taco_bytes      text;
} taco__bind_aggregation;

#define TACO__BIND_MAX_AGGREGATES 256
#define TACO__BIND_MAX_NODES      100000 /* nodes that aliases may multiply to */

typedef struct taco__bind {
    taco__arena            *arena;
    taco_error             *err;
    taco__sql_select       *s;
    taco__bind_table        tables[TACO__SQL_MAX_TABLES];
    size_t                  table_count;
    taco__bind_column      *columns;
    size_t                  column_count, column_cap;
    taco__bind_aggregation *aggrs;
    size_t                  aggr_count;
    taco__sql_expr        **groups; /* bound */
    taco_bytes             *group_texts;
    size_t                  group_count;
    bool                    grouped, inside, no_aggr; /* inside an aggregate's argument */
    size_t                  aliases;                  /* select items that may be named */
    taco__sql_expr        **sources;                  /* the select items as written */
    size_t                  source_count, nodes;
    uint32_t                alias_depth;
} taco__bind;

TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at);

TACO__COLD bool taco__bind_fail(taco__bind *b, const taco__sql_expr *e, const char *what)
{
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s", what);
    return false;
}
TACO__FN bool taco__bind_name_is(taco_bytes a, const char *name) /* ASCII case ignored */
{
    size_t i, n = strlen(name);
    for (i = 0; i < a.len && i < n; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower((uint8_t)name[i])) {
            return false;
        }
    }
    return a.len == n;
}
TACO__FN bool taco__bind_names_equal(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; i < a.len && i < b.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) {
            return false;
        }
    }
    return a.len == b.len;
}

/* ---- columns --------------------------------------------------------------------------------------- */

/* Finds a column: false without an error when there is none. */
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column)
{
    size_t t, c, hits = 0;
    for (t = 0; t < b->table_count; t++) {
        if (e->table.len && !taco__bind_names_equal(e->table, b->tables[t].alias)) {
            continue;
        }
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
TACO__FN size_t taco__bind_column_index(taco__bind *b, size_t table, size_t column)
{
    size_t *place = &b->tables[table].place[column];
    if (*place == TACO__NONE) {
        if (b->column_count == b->column_cap) {
            size_t             cap = b->column_cap ? b->column_cap * 2 : 16;
            taco__bind_column *c =
                (taco__bind_column *)taco__arena_array(b->arena, cap, sizeof *c, b->err);
            if (!c) {
                return TACO__NONE;
            }
            if (b->column_count) {
                memcpy(c, b->columns, b->column_count * sizeof *c);
            }
            b->columns = c;
            b->column_cap = cap;
        }
        b->columns[b->column_count].table = (uint32_t)table;
        b->columns[b->column_count].column = column;
        *place = b->column_count++;
    }
    return *place;
}
/* a.b is column b of table a where there is such a table, otherwise field b of a. */
TACO__FN void taco__bind_qualify_node(taco__bind *b, taco__sql_expr *e)
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
TACO__FN void taco__bind_qualify(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    taco__bind_qualify_node(b, e);
    for (i = 0; i < e->n; i++) {
        taco__bind_qualify(b, e->kid[i]);
    }
    if (e->filter) {
        taco__bind_qualify(b, e->filter);
    }
}

/* ---- names ----------------------------------------------------------------------------------------- */

/* Function names that DuckDB's printer puts in quotes, and those it shows with their schema. */
TACO__FN int taco__sql_expr_text_name_style(taco_bytes n)
{
    static const char *const quoted[] = {
        "left",   "right",  "replace",     "year",        "month",    "day",    "hour",
        "minute", "second", "millisecond", "microsecond", "quarter",  "week",   "first",
        "last",   "mode",   "substring",   "trim",        "position", "nullif", "map",
        "date",   "blob",   "double",      "overlay"};
    size_t i;
    if (taco__ascii_is_word(n, "trim") || taco__ascii_is_word(n, "position")) {
        return 2;
    }
    for (i = 0; i < TACO__COUNT(quoted); i++) {
        if (taco__ascii_is_word(n, quoted[i])) {
            return 1;
        }
    }
    return 0;
}
TACO__FN bool taco__sql_expr_text_append(taco__bind *b, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, b->err);
}
TACO__FN bool taco__sql_expr_text_append_bytes(taco__bind *b, taco__buf *out, taco_bytes s)
{
    return taco__buf_append(out, s.data, s.len, b->err);
}
/* A name, in quotes where it needs them. */
TACO__FN bool taco__sql_expr_text_identifier(taco__bind *b, taco__buf *out, taco_bytes s)
{
    size_t i;
    bool   plain = s.len && !taco__lex_is_digit(s.data[0]) && !taco__sql_parse_is_reserved(s);
    for (i = 0; plain && i < s.len; i++) {
        plain =
            (taco__lex_is_letter(s.data[i]) && s.data[i] < 0x80) || taco__lex_is_digit(s.data[i]);
    }
    if (plain) {
        return taco__sql_expr_text_append_bytes(b, out, s);
    }
    if (!taco__sql_expr_text_append(b, out, "\"")) {
        return false;
    }
    for (i = 0; i < s.len; i++) {
        if ((s.data[i] == '"' && !taco__sql_expr_text_append(b, out, "\"")) ||
            !taco__buf_append_char(out, (char)s.data[i], b->err)) {
            return false;
        }
    }
    return taco__sql_expr_text_append(b, out, "\"");
}
TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    taco__vec v;
    size_t    i;
    memset(&v, 0, sizeof v);
    switch (e->value.type.id) {
    case TACO_NULL: return taco__sql_expr_text_append(b, out, "NULL");
    case TACO_BOOL:
        if (e->tries) {
            return taco__sql_expr_text_append(b, out, e->value.d.w[0] ? "true" : "false");
        }
        return taco__sql_expr_text_append(
            b, out, e->value.d.w[0] ? "CAST('t' AS BOOLEAN)" : "CAST('f' AS BOOLEAN)");
    case TACO_TEXT:
        if (!taco__sql_expr_text_append(b, out, "'")) {
            return false;
        }
        for (i = 0; i < e->value.b.len; i++) {
            if ((e->value.b.data[i] == '\'' && !taco__sql_expr_text_append(b, out, "'")) ||
                !taco__buf_append_char(out, (char)e->value.b.data[i], b->err)) {
                return false;
            }
        }
        return taco__sql_expr_text_append(b, out, "'");
    case TACO_INTERVAL: return taco__sql_expr_text_append_bytes(b, out, e->name);
    default: {
        int64_t        small = (int64_t)e->value.d.w[0];
        taco__i256     big = e->value.d;
        double         dbl = e->value.f;
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
TACO__FN bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

TACO__FN bool taco__sql_expr_text_list(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
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
TACO__FN bool taco__sql_expr_text_type(taco__bind *b, taco__buf *out, const taco__sql_type *t)
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
TACO__FN bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t i;
    int    style;
    bool   count = e->n == 0 && taco__ascii_is_word(e->name, "count"), ok;
    if (e->infix && e->n == 1) {
        return taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
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
        size_t                   which =
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
TACO__FN bool taco__sql_expr_text_case(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t i;
    bool     ok = taco__sql_expr_text_append(b, out, "CASE ");
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
/* What DuckDB calls the expression. Trees are told apart by it too. */
TACO__FN bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    size_t                   table, column;
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__sql_expr_text_constant(b, out, e);
    case TACO__SQL_EXPR_COLUMN:
        if (e->table.len && (!taco__sql_expr_text_identifier(b, out, e->table) ||
                             !taco__sql_expr_text_append(b, out, "."))) {
            return false;
        }
        if (taco__bind_find_column(b, e, &table, &column)) {
            return taco__sql_expr_text_identifier(
                b, out, taco__bytes_text(b->tables[table].fields[column].name));
        }
        return taco__sql_expr_text_identifier(b, out, e->name);
    case TACO__SQL_EXPR_CALL: return taco__sql_expr_text_call(b, out, e);
    case TACO__SQL_EXPR_CASE: return taco__sql_expr_text_case(b, out, e);
    case TACO__SQL_EXPR_CAST:
        return taco__sql_expr_text_append(b, out, e->tries ? "TRY_CAST(" : "CAST(") &&
               taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, " AS ") &&
               taco__sql_expr_text_type(b, out, &e->to) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR:
        return taco__sql_expr_text_append(b, out, "(") &&
               taco__sql_expr_text_list(b, out, e, 0,
                                        e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ") &&
               taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_NOT:
        return taco__sql_expr_text_append(b, out, "(NOT ") &&
               taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_CMP:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out,
                                          !e->nullsafe           ? ops[e->op]
                                          : e->op == TACO__OP_EQ ? " IS NOT DISTINCT FROM "
                                                                 : " IS DISTINCT FROM ") &&
               taco__sql_expr_text(b, out, e->kid[1]) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_BETWEEN:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, " BETWEEN ") &&
               taco__sql_expr_text_list(b, out, e, 1, " AND ") &&
               taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_IN:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, e->neg ? " NOT IN (" : " IN (") &&
               taco__sql_expr_text_list(b, out, e, 1, ", ") &&
               taco__sql_expr_text_append(b, out, "))");
    case TACO__SQL_EXPR_ISNULL:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, e->neg ? " IS NOT NULL)" : " IS NULL)");
    case TACO__SQL_EXPR_INDEX:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[") &&
               taco__sql_expr_text(b, out, e->kid[1]) && taco__sql_expr_text_append(b, out, "]");
    case TACO__SQL_EXPR_SLICE:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[") &&
               (e->kid[1]->value.type.id == TACO_NULL || taco__sql_expr_text(b, out, e->kid[1])) &&
               taco__sql_expr_text_append(b, out, ":") &&
               (e->kid[2]->value.type.id == TACO_NULL || taco__sql_expr_text(b, out, e->kid[2])) &&
               taco__sql_expr_text_append(b, out, "]");
    case TACO__SQL_EXPR_FIELD:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ".") &&
               taco__sql_expr_text_identifier(b, out, e->name);
    default: return taco__sql_expr_text_append(b, out, "?");
    }
}
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out)
{
    taco__buf buf;
    char     *copy;
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
    size_t     table, column;
    if (!name.len && e->kind == TACO__SQL_EXPR_COLUMN) {
        name = taco__bind_find_column(b, e, &table, &column)
                   ? taco__bytes_text(b->tables[table].fields[column].name)
                   : e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_FIELD) {
        name = e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_TEXT) {
        if (!taco__sql_expr_text_copy(b, e, &name)) {
            return NULL;
        }
    } else if (!name.len && !taco__sql_expr_text_copy(b, e, &name)) {
        return NULL;
    }
    return taco__arena_text(b->arena, name, b->err);
}

/* ---- types ----------------------------------------------------------------------------------------- */

TACO__FN taco__sql_type taco__sql_type_simple(taco_type id)
{
    taco__sql_type t;
    memset(&t, 0, sizeof t);
    t.t = taco__scalar_simple_type(id);
    if (id == TACO_TIMESTAMP) {
        t.t.unit = TACO_MICRO;
    }
    return t;
}
TACO__FN taco__sql_type taco__sql_type_hugeint(void)
{
    taco__sql_type t = taco__sql_type_simple(TACO_DECIMAL);
    t.t.precision = 39;
    return t;
}
/* Puts a cast round *at unless it has the type already. */
TACO__FN bool taco__bind_type_add_cast(taco__bind *b, taco__sql_expr **at, const taco__sql_type *t)
{
    taco__sql_expr *e = *at, *c;
    char            from[96], to[96];
    if (taco__sql_type_equal(&e->type, t)) {
        return true;
    }
    if (!taco__cast_is_possible(&e->type, t)) {
        taco__sql_type_text(&e->type, from, sizeof from);
        taco__sql_type_text(t, to, sizeof to);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "a %s cannot be a %s", from, to);
        return false;
    }
    c = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *c, b->err);
    if (!c) {
        return false;
    }
    c->kind = TACO__SQL_EXPR_CAST;
    c->at = e->at;
    c->kid = (taco__sql_expr **)taco__arena_alloc(b->arena, sizeof *c->kid, b->err);
    if (!c->kid) {
        return false;
    }
    c->kid[0] = e;
    c->n = c->cap = 1;
    c->type = c->to = *t;
    c->depth = e->depth + 1;
    *at = c;
    return true;
}
TACO__FN bool taco__bind_type_fits_literal(const taco__sql_expr *e, const taco__sql_type *t)
{
    return e->literal == 1 && taco__scalar_is_int(t->t.id) && taco__scalar_fits(&t->t, &e->value.d);
}
/* The type of a value that is one of the two. A literal takes the other's. */
TACO__FN bool taco__bind_type_common(const taco__sql_expr *a, const taco__sql_type *ta,
                                     const taco__sql_expr *c, bool compare, taco__sql_type *out)
{
    const taco__sql_type *tc = &c->type;
    if (ta->t.id == TACO_NULL || tc->t.id == TACO_NULL) {
        *out = ta->t.id == TACO_NULL ? *tc : *ta;
        return true;
    }
    if (taco__sql_type_equal(ta, tc)) {
        *out = *ta;
        return true;
    }
    if (c->literal == 2 && tc->t.id == TACO_TEXT) {
        *out = *ta;
        return taco__cast_is_possible(tc, ta);
    }
    if (a && a->literal == 2 && ta->t.id == TACO_TEXT) {
        *out = *tc;
        return taco__cast_is_possible(ta, tc);
    }
    if (taco__bind_type_fits_literal(c, ta)) {
        *out = *ta;
        return true;
    }
    if (a && taco__bind_type_fits_literal(a, tc)) {
        *out = *tc;
        return true;
    }
    if (ta->geo || tc->geo || ta->count || tc->count) {
        return false;
    }
    memset(out, 0, sizeof *out);
    if ((ta->t.id == TACO_TEXT) != (tc->t.id == TACO_TEXT)) {
        const taco__sql_type *other = ta->t.id == TACO_TEXT ? tc : ta;
        bool                  number = taco__sql_type_is_number(other) || other->t.id == TACO_BOOL;
        *out = compare ? *other : ta->t.id == TACO_TEXT ? *ta : *tc;
        return compare ? number : taco__cast_is_possible(other, out);
    }
    if (!taco__scalar_common_type(&ta->t, &tc->t, true, &out->t)) {
        return false;
    }
    if (out->t.id == TACO_HALF) {
        out->t.id = TACO_FLOAT;
    }
    if (!compare && out->t.id == TACO_DECIMAL && out->t.precision > 38 &&
        !(out->t.precision == 39 && out->t.scale == 0 &&
          (taco__sql_type_is_hugeint(ta) || taco__sql_type_is_hugeint(tc) ||
           ta->t.id == TACO_UINT64 ||
           tc->t.id == TACO_UINT64))) { /* digits in front of the point come first */
        int32_t whole = TACO__MIN(out->t.precision - out->t.scale, 38);
        out->t.precision = 38;
        if (!taco__sql_type_is_hugeint(ta) && !taco__sql_type_is_hugeint(tc)) {
            out->t.scale = TACO__MIN(out->t.scale, 38 - whole);
        }
    }
    return true;
}
TACO__COLD bool taco__bind_type_fail_mismatch(taco__bind *b, const taco__sql_expr *e,
                                              const taco__sql_type *x, const taco__sql_type *y,
                                              const char *what)
{
    char from[96], to[96];
    taco__sql_type_text(x, from, sizeof from);
    taco__sql_type_text(y, to, sizeof to);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s %s and %s", what, from, to);
    return false;
}
/* Gives kids first, first + step, ... one type. */
TACO__FN bool taco__bind_type_unify(taco__bind *b, taco__sql_expr *e, uint32_t first, uint32_t step,
                                    bool odd_last, bool compare, taco__sql_type *out)
{
    uint32_t i;
    bool     literal = true;
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
    if (out->t.id == TACO_NULL) {
        *out = taco__sql_type_simple(TACO_INT32);
    }
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        if (!taco__bind_type_add_cast(b, &e->kid[i], out)) {
            return false;
        }
    }
    return true;
}

/* ---- operators ------------------------------------------------------------------------------------- */

/* The integer type of an operation, by DuckDB's costs: the wider one, or BIGINT where neither holds the other. */
TACO__FN taco__sql_type taco__sql_type_common_int(const taco__sql_type *a, const taco__sql_type *c)
{
    bool      ua = a->t.id >= TACO_UINT8, uc = c->t.id >= TACO_UINT8;
    taco_type u = ua ? a->t.id : c->t.id, s = ua ? c->t.id : a->t.id;
    if (ua == uc) {
        return a->t.id > c->t.id ? *a : *c;
    }
    if (u == TACO_UINT64) {
        return taco__sql_type_hugeint();
    }
    return taco__sql_type_simple(s - TACO_INT8 > u - TACO_UINT8 ? s : TACO_INT64);
}
/* DECIMAL of a sum or product, as DuckDB sizes it. */
TACO__FN bool taco__bind_type_decimal_result(taco__bind *b, taco__sql_expr *e, uint32_t id)
{
    taco__sql_type t[2], r = taco__sql_type_simple(TACO_DECIMAL);
    int32_t        i, whole = 0, scale = 0, width = 0;
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
    if (id == TACO__FUNC_MOD && TACO__MAX(scale + whole, width) > 38) {
        e->type = t[0] = t[1] = taco__sql_type_simple(TACO_DOUBLE);
        e->func = TACO__FUNC_MOD_NULL;
        return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
               taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
    }
    if (id == TACO__FUNC_MUL) {
        r.t.precision = t[0].t.precision + t[1].t.precision;
        r.t.scale = t[0].t.scale + t[1].t.scale;
        if (r.t.scale > 38) {
            return taco__bind_fail(b, e, "the product has more than 38 digits behind the point");
        }
        if (r.t.precision > 18 && width <= 18 && r.t.scale < 18) {
            r.t.precision = 18;
        }
    } else {
        r.t.scale = scale;
        r.t.precision = TACO__MAX(scale + whole, width) + (id != TACO__FUNC_MOD);
        if (r.t.precision > 18 && width <= 18 && id != TACO__FUNC_MOD) {
            r.t.precision = 18;
        }
        t[0].t.scale = t[1].t.scale = scale; /* both get the scale of the result */
        t[0].t.precision = t[1].t.precision = r.t.precision = TACO__MIN(r.t.precision, 38);
    }
    r.t.precision = TACO__MIN(r.t.precision, 38);
    e->type = r;
    return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
}
/* DATE and TIMESTAMP with days and intervals. False without an error: not one of these. */
TACO__FN bool taco__bind_type_datetime_result(taco__bind *b, taco__sql_expr *e, bool *done)
{
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    taco__sql_type  day = taco__sql_type_simple(TACO_INT32);
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
TACO__FN bool taco__bind_type_arithmetic(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *x, *y;
    taco__sql_type  t, null = taco__sql_type_simple(TACO_INT32);
    uint32_t        id = e->func;
    bool            done = false;
    if (id == TACO__FUNC_ADD || id == TACO__FUNC_SUB) {
        if (!taco__bind_type_datetime_result(b, e, &done) || done) {
            return done && b->err->code == TACO_OK;
        }
    }
    if (e->kid[0]->type.t.id == TACO_NULL &&
        !taco__bind_type_add_cast(b, &e->kid[0],
                                  e->kid[1]->type.t.id == TACO_NULL ? &null : &e->kid[1]->type)) {
        return false;
    }
    if (e->kid[1]->type.t.id == TACO_NULL &&
        !taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type)) {
        return false;
    }
    x = e->kid[0];
    y = e->kid[1];
    if (!taco__sql_type_is_number(&x->type) || !taco__sql_type_is_number(&y->type)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no arithmetic with");
    }
    if (taco__bind_type_fits_literal(y, &x->type)) {
        t = x->type;
    } else if (taco__bind_type_fits_literal(x, &y->type)) {
        t = y->type;
    } else if (taco__scalar_is_int(x->type.t.id) && taco__scalar_is_int(y->type.t.id)) {
        t = taco__sql_type_common_int(&x->type, &y->type);
    } else if (taco__scalar_is_float(x->type.t.id) || taco__scalar_is_float(y->type.t.id)) {
        t = taco__sql_type_simple(
            x->type.t.id == TACO_DOUBLE || y->type.t.id == TACO_DOUBLE ? TACO_DOUBLE : TACO_FLOAT);
    } else if ((taco__sql_type_is_hugeint(&x->type) || taco__scalar_is_int(x->type.t.id)) &&
               (taco__sql_type_is_hugeint(&y->type) || taco__scalar_is_int(y->type.t.id))) {
        t = taco__sql_type_hugeint();
    } else if (id == TACO__FUNC_DIV || id == TACO__FUNC_IDIV) {
        t = taco__sql_type_simple(TACO_DOUBLE);
    } else {
        return taco__bind_type_decimal_result(b, e, id);
    }
    if (id == TACO__FUNC_DIV && t.t.id != TACO_FLOAT) {
        t = taco__sql_type_simple(TACO_DOUBLE);
    }
    e->type = t;
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}
TACO__FN bool taco__bind_type_round(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type *t = &e->kid[0]->type;
    int64_t         digits = 0;
    bool            up = e->func == TACO__FUNC_FLOOR || e->func == TACO__FUNC_CEIL;
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
    if (t->t.id != TACO_DECIMAL || t->t.precision == 39) {
        return true;
    }
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
    if (digits < t->t.scale) {
        e->type.t.scale = (int32_t)digits;
    }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__bind_call_argument(taco__bind *b, taco__sql_expr *e, uint32_t i, char code)
{
    taco__sql_type want, *have = &e->kid[i]->type;
    bool           null = have->t.id == TACO_NULL, ok;
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
TACO__FN bool taco__bind_call_date(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    int       *part = (int *)taco__arena_alloc(b->arena, sizeof *part, b->err);
    taco_bytes name;
    if (!part) {
        return false;
    }
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
/* A LIKE with a constant pattern is prepared once. */
TACO__FN bool taco__bind_call_like(taco__bind *b, taco__sql_expr *e)
{
    taco__like_pattern *k;
    if (e->kid[1]->kind != TACO__SQL_EXPR_CONST || e->n > 2 ||
        e->kid[1]->value.type.id != TACO_TEXT) {
        return true;
    }
    k = (taco__like_pattern *)taco__arena_alloc(b->arena, sizeof *k, b->err);
    if (!k) {
        return false;
    }
    k->icase = e->name.data[e->name.len - 1] == '*';
    e->plan = k;
    return taco__like_compile(k, b->arena, e->kid[1]->value.b, b->err);
}
TACO__FN bool taco__bind_call_special(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    uint32_t       i;
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
            if (!taco__bind_type_add_cast(b, &e->kid[i], &text)) {
                return false;
            }
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
TACO__FN bool taco__bind_call_scalar(taco__bind *b, taco__sql_expr *e)
{
    bool              known;
    const taco__func *f = taco__func_find(e->name, e->n, &known);
    uint32_t          i;
    size_t            codes;
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
    codes = strlen(f->args);
    if (f->id == TACO__FUNC_NEG && e->kid[0]->type.t.id == TACO_NULL) {
        e->kid[0]->type = taco__sql_type_simple(TACO_NULL);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_call_argument(b, e, i, f->args[TACO__MIN((size_t)i, codes - 1)])) {
            return false;
        }
    }
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
/* An aggregate becomes a column behind the groups. */
TACO__FN bool taco__bind_call_aggregate(taco__bind *b, taco__sql_expr *e, uint8_t id)
{
    taco__bind_aggregation *g;
    taco_bytes              text;
    size_t                  i;
    bool                    two = id == TACO__AGGREGATE_CONT || id == TACO__AGGREGATE_DISC;
    taco__sql_type          dbl = taco__sql_type_simple(TACO_DOUBLE), *kid;
    if (b->inside) {
        return taco__bind_fail(b, e, "an aggregate inside an aggregate");
    }
    if (b->no_aggr) {
        return taco__bind_fail(b, e, "an aggregate has no place in WHERE, ON or GROUP BY");
    }
    if (e->n != (two ? 2U : 1U) && !(id == TACO__AGGREGATE_COUNT && e->n == 0)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                   TACO__U(e->n));
        return false;
    }
    if (!taco__sql_expr_text_copy(b, e, &text)) {
        return false;
    }
    for (i = 0; i < b->aggr_count && !taco__bytes_equal(b->aggrs[i].text, text); i++) {
    }
    if (i == TACO__BIND_MAX_AGGREGATES) {
        return taco__bind_fail(b, e, "more than 256 aggregates");
    }
    if (i == b->aggr_count) {
        if (!b->aggrs) {
            b->aggrs = (taco__bind_aggregation *)taco__arena_array(
                b->arena, TACO__BIND_MAX_AGGREGATES, sizeof *b->aggrs, b->err);
        }
        if (!b->aggrs) {
            return false;
        }
        g = &b->aggrs[i];
        g->text = text;
        g->a.id = e->n ? id : (uint8_t)TACO__AGGREGATE_COUNT_STAR;
        g->a.q = 0.5;
        g->a.distinct = e->distinct;
        b->inside = true;
        if ((e->n && !taco__bind_expr(b, &e->kid[0])) ||
            (e->filter && !taco__bind_expr(b, &e->filter))) {
            return false;
        }
        b->inside = false;
        if (two) {
            taco__sql_expr *q = e->kid[1];
            if (q->kind != TACO__SQL_EXPR_CONST || !taco__scalar_is_number(q->value.type.id)) {
                return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
            }
            g->a.q = taco__scalar_to_double(&q->value, false);
            if (!(g->a.q >= 0 && g->a.q <= 1)) {
                return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
            }
        }
        if (e->filter) {
            taco__sql_type bit = taco__sql_type_simple(TACO_BOOL);
            if (!taco__bind_type_add_cast(b, &e->filter, &bit)) {
                return false;
            }
        }
        if (e->n && e->kid[0]->type.t.id == TACO_NULL) {
            taco__sql_type null = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &e->kid[0], &null)) {
                return false;
            }
        }
        if (two && id == TACO__AGGREGATE_CONT && e->kid[0]->type.t.id == TACO_TIMESTAMP &&
            e->kid[0]->type.t.unit != TACO_MICRO) { /* DuckDB has it of microseconds only */
            taco__sql_type when = taco__sql_type_simple(TACO_TIMESTAMP);
            when.t.unit = TACO_MICRO;
            if (!taco__bind_type_add_cast(b, &e->kid[0], &when)) {
                return false;
            }
        }
        g->arg = e->n ? e->kid[0] : NULL;
        g->filter = e->filter;
        g->a.arg = e->n ? e->kid[0]->type : dbl;
        if (id == TACO__AGGREGATE_LIST) {
            kid = (taco__sql_type *)taco__arena_alloc(b->arena, sizeof *kid, b->err);
            if (!kid) {
                return false;
            }
            *kid = g->a.arg;
            g->a.result = taco__sql_type_simple(TACO_LIST);
            g->a.result.count = 1;
            g->a.result.kids = kid;
        } else if (!taco__aggregate_set_result_type(&g->a)) {
            char name[96];
            taco__sql_type_text(&g->a.arg, name, sizeof name);
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &e->name, name);
            return false;
        }
        if (g->arg && !taco__bind_type_add_cast(b, &g->arg, &g->a.arg)) {
            return false;
        }
        b->aggr_count++;
    }
    e->kind = TACO__SQL_EXPR_REF;
    e->index = b->group_count + i;
    e->type = b->aggrs[i].a.result;
    e->n = 0;
    e->filter = NULL;
    return true;
}

/* ---- trees ----------------------------------------------------------------------------------------- */

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
        if (!taco__bind_count_nodes(b, e->kid[i])) {
            return false;
        }
    }
    return true;
}
/* A select item that has the alias; replaces *at by a copy of it. */
TACO__FN bool taco__bind_replace_alias(taco__bind *b, taco__sql_expr **at, bool *found)
{
    taco__sql_expr *e = *at;
    size_t          i;
    *found = false;
    for (i = 0; !e->table.len && i < b->aliases; i++) {
        taco__sql_expr *item = b->sources[i];
        if (item->alias.len && taco__bind_names_equal(item->alias, e->name)) {
            taco__sql_expr *copy = taco__bind_count_nodes(b, item)
                                       ? taco__sql_expr_copy(b->arena, item, b->err)
                                       : NULL;
            size_t          before = b->aliases;
            bool            ok;
            if (!copy) {
                return false;
            }
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
TACO__FN bool taco__bind_column_ref(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    size_t          table = 0, column = 0;
    bool            found;
    if (!taco__bind_find_column(b, e, &table, &column)) {
        if (b->err->code != TACO_OK || !taco__bind_replace_alias(b, at, &found)) {
            return false;
        }
        if (found) {
            return true;
        }
        if (b->table_count == 1 && !e->table.len) {
            taco__field_names_not_found(b->tables[0].fields, b->tables[0].count, e->name,
                                        TACO__FIELD_NAMES_QUOTES, b->err);
        } else {
            TACO__FAIL(b->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no column %q",
                       &e->name);
        }
        return false;
    }
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
TACO__FN bool taco__bind_require_bool(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_type  t = taco__sql_type_simple(TACO_BOOL);
    taco__sql_type *have = &(*at)->type;
    if (have->t.id != TACO_BOOL && have->t.id != TACO_NULL && !taco__sql_type_is_number(have) &&
        (*at)->literal != 2 && have->t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, *at, have, &t, "a condition is expected, not");
    }
    return taco__bind_type_add_cast(b, at, &t);
}
TACO__FN bool taco__bind_children(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_expr(b, &e->kid[i])) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__bind_struct_field(taco__bind *b, taco__sql_expr *e, taco_bytes name)
{
    const taco__sql_type *t = &e->kid[0]->type;
    uint32_t              i;
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
/* nullif(a, c) is CASE WHEN a = c THEN NULL ELSE a END. */
TACO__FN bool taco__bind_call_nullif(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *cmp = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *cmp, b->err),
                   *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err),
                   *a = e->kid[0],
                   *again = taco__bind_count_nodes(b, a) ? taco__sql_expr_copy(b->arena, a, b->err)
                                                         : NULL;
    taco__sql_expr **kids = (taco__sql_expr **)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    if (!cmp || !null || !again || !kids) {
        return false;
    }
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
TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e)
{
    uint8_t aggr = e->infix ? 0 : taco__aggregate_find(e->name);
    if (aggr) {
        return taco__bind_call_aggregate(b, e, aggr);
    }
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
TACO__FN bool taco__bind_compare(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type  t;
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    if (!taco__bind_type_common(x, &x->type, y, true, &t)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.geo || t.t.id == TACO_INTERVAL || t.t.id == TACO_MAP) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.t.id == TACO_NULL) {
        t = taco__sql_type_simple(TACO_INT32);
    }
    e->type = taco__sql_type_simple(TACO_BOOL);
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}
TACO__FN bool taco__bind_index(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    uint32_t       i;
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
        if (e->kid[i]->type.t.id == TACO_NULL && e->kind == TACO__SQL_EXPR_SLICE) {
            continue;
        }
        if (!taco__scalar_is_int(e->kid[i]->type.t.id) && e->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[i]->type, &big,
                                                 "an index is a whole number, not");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &big)) {
            return false;
        }
    }
    e->type = e->kid[0]->type;
    if (e->kind == TACO__SQL_EXPR_INDEX) {
        e->func = TACO__FUNC_ELEMENT;
        e->type = e->type.t.id == TACO_LIST ? e->type.kids[0] : e->type;
    }
    return true;
}
TACO__FN bool taco__bind_case(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i + 1 < e->n; i += 2) {
        if (!taco__bind_require_bool(b, &e->kid[i])) {
            return false;
        }
    }
    return taco__bind_type_unify(b, e, 1, 2, true, false, &e->type);
}
/* Gives a tree types and places, in place. */
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    taco_bytes      text;
    size_t          i;
    uint32_t        k;
    taco__sql_type  t;
    if (b->grouped && !b->inside && b->group_count && e->kind != TACO__SQL_EXPR_CONST) {
        if (!taco__sql_expr_text_copy(b, e, &text)) {
            return false;
        }
        for (i = 0; i < b->group_count; i++) {
            if (taco__bytes_equal(text, b->group_texts[i])) {
                e->kind = TACO__SQL_EXPR_REF;
                e->index = i;
                e->type = b->groups[i]->type;
                e->n = 0;
                return true;
            }
        }
    }
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: e->type.t = e->value.type; return true;
    case TACO__SQL_EXPR_COLUMN: return taco__bind_column_ref(b, at);
    case TACO__SQL_EXPR_STAR: return taco__bind_fail(b, e, "* has no place here");
    case TACO__SQL_EXPR_CALL:
        if (!taco__bind_call(b, e)) {
            return false;
        }
        return e->kind == TACO__SQL_EXPR_CASE ? taco__bind_expr(b, at) : true;
    case TACO__SQL_EXPR_REF: return true;
    case TACO__SQL_EXPR_FIELD:
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->name);
    default: break;
    }
    if (!taco__bind_children(b, e)) {
        return false;
    }
    e->type = taco__sql_type_simple(TACO_BOOL);
    switch (e->kind) {
    case TACO__SQL_EXPR_CASE: return taco__bind_case(b, e);
    case TACO__SQL_EXPR_CAST:
        e->type = e->to;
        if (!taco__cast_is_possible(&e->kid[0]->type, &e->to)) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &e->to, "no cast between");
        }
        return true;
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR:
    case TACO__SQL_EXPR_NOT:
        for (k = 0; k < e->n; k++) {
            if (!taco__bind_require_bool(b, &e->kid[k])) {
                return false;
            }
        }
        return true;
    case TACO__SQL_EXPR_CMP: return taco__bind_compare(b, e);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN:
        if (!taco__bind_type_unify(b, e, 0, 1, false, true, &t)) {
            return false;
        }
        return !t.geo && t.t.id != TACO_MAP ? true
                                            : taco__bind_fail(b, e, "no comparison of that type");
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__bind_index(b, e);
    default: return true;
    }
}
/* ==== ROOM calc: bound trees evaluated over batches of vectors. Uses: bind func cast ==== */

typedef struct taco__sql_batch {
    taco__arena     *arena;
    taco_error      *err;
    const taco__vec *cols;
    size_t           count, n;
} taco__sql_batch;

TACO__FN bool taco__evaluate_expr(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);

TACO__FN bool taco__evaluate_const(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    if (!taco__vec_init(c->arena, &e->type, 1, out, c->err)) {
        return false;
    }
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
/* The rows idx[0..n) of all columns. */
TACO__FN bool taco__evaluate_subset(const taco__sql_batch *c, const uint32_t *idx, size_t n,
                                    taco__sql_batch *out)
{
    taco__vec *cols = (taco__vec *)taco__arena_array(c->arena, c->count + 1, sizeof *cols, c->err);
    size_t     i;
    if (!cols) {
        return false;
    }
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
/* CASE and COALESCE: a branch is computed for the rows that take it alone, an argument for those that are null so far, so
   that no other row can fail in it. */
TACO__FN bool taco__evaluate_branches(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    uint32_t *left = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *left, c->err),
             *from = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *from, c->err);
    bool              cases = e->kind == TACO__SQL_EXPR_CASE; /* when, then, ..., else */
    taco__vec_builder pile;
    uint32_t          k;
    size_t            i, m = c->n;
    if (!left || !from || !taco__vec_builder_init(c->arena, &e->type, &pile, c->err)) {
        return false;
    }
    for (i = 0; i < m; i++) {
        left[i] = (uint32_t)i;
        from[i] = TACO__VEC_NONE;
    }
    for (k = 0; m && k < e->n; k += cases ? 2 : 1) {
        bool      last = cases && k + 1 == e->n;
        uint32_t *take = (uint32_t *)taco__arena_array(c->arena, m, sizeof *take, c->err),
                 *at = (uint32_t *)taco__arena_array(c->arena, m, sizeof *at, c->err);
        size_t          taken = 0, rest = 0;
        taco__sql_batch part = *c;
        taco__vec       v;
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
        if (!taken) {
            continue;
        }
        part = *c;
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
TACO__FN bool taco__evaluate_order_matches(int op, int order)
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
/* out[i] = a[i] op b[i], where both are there. */
TACO__FN void taco__evaluate_compare_rows(const taco__vec *a, const taco__vec *b, int op,
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
TACO__FN bool taco__evaluate_comparison(taco__sql_batch *c, const taco__vec *a, const taco__vec *b,
                                        int op, bool nullsafe, taco__vec *out)
{
    static const taco__sql_type bit = {{TACO_BOOL, TACO_SECOND, false, 0, 0}, false, 0, NULL, NULL};
    size_t                      i;
    bool                        nulls = a->valid || b->valid;
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
/* The three-valued AND (any = false) or OR of out and v, into out, which is flat and has a mask. */
TACO__FN void taco__evaluate_merge_and_or(taco__vec *out, const taco__vec *v, bool any)
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
TACO__FN bool taco__evaluate_init_flags(taco__sql_batch *c, const taco__sql_expr *e, bool value,
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
TACO__FN bool taco__evaluate_and_or(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    bool     any = e->kind == TACO__SQL_EXPR_OR;
    uint32_t k;
    if (!taco__evaluate_init_flags(c, e, !any, out)) {
        return false;
    }
    for (k = 0; k < e->n; k++) {
        taco__vec v;
        if (!taco__evaluate_expr(c, e->kid[k], &v)) {
            return false;
        }
        taco__evaluate_merge_and_or(out, &v, any);
    }
    return true;
}
/* value IN (...) and value BETWEEN low AND high. */
TACO__FN bool taco__evaluate_in_or_between(taco__sql_batch *c, const taco__sql_expr *e,
                                           taco__vec *out)
{
    bool      in = e->kind == TACO__SQL_EXPR_IN;
    uint32_t  k;
    size_t    i;
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
TACO__FN bool taco__evaluate_is_null(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec v;
    size_t    i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) ||
        !taco__vec_init(c->arena, &e->type, c->n, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        bool null = v.type->t.id == TACO_NULL || !taco__vec_is_valid(&v, i);
        if (e->kind == TACO__SQL_EXPR_NOT) {
            out->v.i[i] = null ? 0 : !v.v.i[i * v.step];
            if (null) {
                if (!taco__vec_init_validity(c->arena, out, c->err)) {
                    return false;
                }
                out->valid[i] = 0;
            }
        } else {
            out->v.i[i] = null != e->neg;
        }
    }
    return true;
}
TACO__FN bool taco__evaluate_call(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__func_call x;
    taco__vec      *args = (taco__vec *)taco__arena_array(c->arena, e->n + 1, sizeof *args, c->err);
    char            name[32];
    uint32_t        k;
    for (k = 0; args && k < e->n; k++) {
        if (!taco__evaluate_expr(c, e->kid[k], &args[k])) {
            return false;
        }
    }
    if (!args) {
        return false;
    }
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
    if (e->kind != TACO__SQL_EXPR_SLICE) {
        return taco__func_run(&x, &e->type, c->n);
    }
    for (k = 0; k < e->n; k++) { /* an open end is NULL and no null */
        if (!taco__vec_flatten(c->arena, &args[k], c->err)) {
            return false;
        }
    }
    if (!taco__vec_init(c->arena, &e->type, c->n, out, c->err)) {
        return false;
    }
    for (k = 0; k < e->n; k++) {
        size_t i;
        if (!args[k].valid || args[k].type->t.id == TACO_NULL) {
            continue;
        }
        if (!taco__vec_init_validity(c->arena, out, c->err)) {
            return false;
        }
        for (i = 0; i < c->n; i++) {
            out->valid[i] = out->valid[i] && taco__vec_is_valid(&args[k], i);
        }
    }
    return taco__func_list_slice(&x);
}
TACO__FN bool taco__evaluate_field(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec v;
    size_t    i;
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
/* out = the tree's value for each row of the batch. It may share memory with the columns. */
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
/* The rows for which a condition is true; their number into *n. */
TACO__FN uint32_t *taco__evaluate_filter(taco__sql_batch *c, const taco__sql_expr *e, size_t *n)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *idx, c->err);
    taco__vec v;
    size_t    i, m = 0;
    if (!idx || !taco__evaluate_expr(c, e, &v)) {
        return NULL;
    }
    for (i = 0; i < c->n; i++) {
        if (taco__vec_is_valid(&v, i) && v.v.i[i * v.step]) {
            idx[m++] = (uint32_t)i;
        }
    }
    *n = m;
    return idx;
}
/* ==== ROOM exec: batches from scans through joins, conditions, groups, DISTINCT, order and limits.
   Uses: calc bind fold cursor dataset. Spec: DuckDB's semantics ==== */

#define TACO__SQL_BATCH_ROWS ((size_t)4096)

typedef enum taco__column_use {
    TACO__COLUMN_USE_VALUES = 0,   /* computed with */
    TACO__COLUMN_USE_PASS_THROUGH, /* goes out only */
    TACO__COLUMN_USE_CODES /* the only key of groups, and nothing else: texts of codes will do */
} taco__column_use;

typedef struct taco__hash_join {
    taco__sql_expr   **left, **right; /* pairs of keys */
    size_t             keys;
    taco__sql_expr    *rest; /* what else ON asks */
    bool               outer;
    taco__vec_builder *cols; /* the columns of the table, all rows; indexed as the batch's are */
    size_t             rows;
    taco__vec         *key_cols;
    uint64_t          *hashes;
    uint32_t          *heads, *next; /* row + 1 */
    size_t             slots;
} taco__hash_join;

typedef struct taco__group_table { /* distinct rows, numbered */
    taco__vec_builder *cols;
    taco__vec         *vecs; /* the same, for comparing */
    size_t             width, count, cap, slots;
    uint64_t          *hashes;
    uint32_t          *table; /* group + 1 */
} taco__group_table;

/* What FROM data means where that is not level 0: the rows of a view. */
typedef struct taco__sql_source {
    void             *ctx;
    const taco_field *fields; /* the first `visible` of them are those of '*' */
    size_t            count, visible;
    bool pushes; /* conditions may become filters of rows of `level`, or of its ancestors if flat */
    bool flat;
    uint32_t level;
    taco_cursor *(*open)(void *ctx, const char *select, const taco_filter *filters, size_t n,
                         taco_error *err);
} taco__sql_source;

typedef struct taco__executor {
    const taco__sql_source *base;   /* or NULL */
    const char *const      *extras; /* columns that go with the rows unseen */
    size_t                  extra_count;
    bool                    dry; /* to be looked at */
    taco_cursor            *c;   /* the result's; its arena holds the plan */
    taco__sql_select        s;
    taco__bind              b;
    taco__arena             batch;   /* of the batch at hand */
    taco__arena             hold[2]; /* rows that are kept; the second while they are sorted out */
    taco_cursor            *scans[TACO__SQL_MAX_TABLES];
    size_t          *scan_cols[TACO__SQL_MAX_TABLES]; /* places in the batch of a scan's columns */
    size_t           scan_count[TACO__SQL_MAX_TABLES];
    size_t          *scan_from[TACO__SQL_MAX_TABLES]; /* of each, its place in the scan's batches */
    uint8_t         *use;             /* of the batch's columns, by place: taco__column_use */
    uint64_t         bare;            /* rows of a first table that no column is read of */
    bool             is_bare, limits; /* limits: OFFSET and LIMIT are those of the scan */
    taco__hash_join  joins[TACO__SQL_MAX_TABLES];
    taco__sql_expr **where; /* conjuncts */
    size_t           where_count;
    taco__sql_expr **items; /* results, and behind them sort keys */
    size_t           item_count, width;
    taco__sql_sort_key order[64];
    size_t             order_at[64], order_count;
    taco__group_table  groups, seen;
    bool               grouped, begun, sorted;
    taco__vec         *input; /* of groups: their columns, done */
    size_t             input_n, input_at;
    taco__vec_builder *kept; /* sorted results */
    taco__vec         *kept_vecs;
    uint32_t          *sequence;
    size_t             sequence_n, sequence_at, worst;
    bool               has_worst;
    uint64_t           skip, left;
} taco__executor;

/* Empties an arena and keeps its largest block. */
TACO__FN void taco__arena_reset(taco__arena *a)
{
    taco__arena_block *b = a->head;
    if (b) {
        taco__arena rest;
        rest.mem = a->mem;
        rest.head = b->next;
        taco__arena_free(&rest);
        b->next = NULL;
        b->used = 0;
    }
}
TACO__FN taco_error *taco__operator_err(taco__executor *x)
{
    return &x->c->err;
}

/* ---- numbered rows --------------------------------------------------------------------------------- */

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
TACO__FN bool taco__group_table_grow(taco__executor *x, taco__group_table *g)
{
    size_t    cap = g->cap ? g->cap * 2 : 1024, slots = cap * 2, i;
    uint64_t *hashes =
        (uint64_t *)taco__arena_array(&x->hold[0], cap, sizeof *hashes, taco__operator_err(x));
    uint32_t *table =
        (uint32_t *)taco__arena_array(&x->hold[0], slots, sizeof *table, taco__operator_err(x));
    if (!hashes || !table) {
        return false;
    }
    if (g->count) {
        memcpy(hashes, g->hashes, g->count * sizeof *hashes);
    }
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
/* The number of the group of row i of v, whose hash is h, a new one if need be; UINT32_MAX without memory. */
TACO__FN uint32_t taco__group_table_find_or_add(taco__executor *x, taco__group_table *g,
                                                const taco__vec *v, size_t i, uint64_t h)
{
    size_t   at, k;
    uint32_t row = (uint32_t)i;
    if (g->count == g->cap && !taco__group_table_grow(x, g)) {
        return UINT32_MAX;
    }
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
/* By one text with a short dictionary: each of its entries is looked up once. */
TACO__FN bool taco__group_table_number_codes(taco__executor *x, taco__group_table *g,
                                             const taco__vec *v, size_t n, uint32_t *out)
{
    uint32_t *known = (uint32_t *)taco__arena_array(&x->batch, v->code_n + 1, sizeof *known,
                                                    taco__operator_err(x)); /* group + 1 */
    size_t    i;
    if (!known) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t code = taco__vec_is_valid(v, i) ? (size_t)(uint32_t)v->codes[i] : v->code_n;
        if (TACO__UNLIKELY(!known[code])) {
            uint64_t h;
            taco__vec_arrow_load_code_text(v, i);
            h = taco__vec_hash_mix(taco__vec_hash_one(v, i));
            known[code] = taco__group_table_find_or_add(x, g, v, i, h) + 1;
            if (!known[code]) {
                return false;
            }
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
    size_t    i, k;
    if (g->width == 1 && v->codes && v->step && v->code_n <= n) {
        return taco__group_table_number_codes(x, g, v, n, out);
    }
    h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, taco__operator_err(x));
    if (!h) {
        return false;
    }
    for (k = 0; k < g->width; k++) {
        taco__vec_hash(&v[k], h);
    }
    for (i = 0; i < n; i++) {
        out[i] = taco__group_table_find_or_add(x, g, v, i, h[i]);
        if (out[i] == UINT32_MAX) {
            return false;
        }
    }
    return true;
}

/* ---- scans and joins ------------------------------------------------------------------------------- */

/* The next batch of a table's columns into cols; *n 0 at the end. */
TACO__FN bool taco__operator_scan(taco__executor *x, size_t t, taco__vec *cols, size_t *n)
{
    taco_batch batch;
    size_t     i;
    *n = 0;
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
        size_t            place = x->scan_cols[t][i];
        size_t            column = x->b.columns[place].column;
        const taco_array *a = &batch.columns[x->scan_from[t][i]];
        if (x->use[place] == TACO__COLUMN_USE_PASS_THROUGH) {
            cols[place].type = &x->b.tables[t].types[column];
            cols[place].n = batch.length;
            cols[place].step = 1;
            cols[place].source = a;
            continue;
        }
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
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n)
{
    c->arena = &x->batch;
    c->err = taco__operator_err(x);
    c->cols = cols;
    c->count = count;
    c->n = n;
}
/* Holds all of table t, and its keys in a hash table. */
TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t)
{
    taco__hash_join   *j = &x->joins[t];
    taco_error        *err = taco__operator_err(x);
    taco__arena       *hold = &x->hold[0];
    taco__vec_builder *keys =
        (taco__vec_builder *)taco__arena_array(hold, j->keys, sizeof *keys, err);
    size_t i, n;
    j->cols =
        (taco__vec_builder *)taco__arena_array(hold, x->b.column_count + 1, sizeof *j->cols, err);
    j->key_cols = (taco__vec *)taco__arena_array(hold, j->keys, sizeof *j->key_cols, err);
    if (!j->cols || !j->key_cols || !keys) {
        return false;
    }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        if (!taco__vec_builder_init(hold, &x->b.tables[t].types[x->b.columns[place].column],
                                    &j->cols[place], err)) {
            return false;
        }
    }
    for (i = 0; i < j->keys; i++) {
        if (!taco__vec_builder_init(hold, &j->right[i]->type, &keys[i], err)) {
            return false;
        }
    }
    for (;;) {
        taco__vec      *cols;
        taco__sql_batch calc;
        taco__arena_reset(&x->batch);
        cols = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
        if (!cols || !taco__operator_scan(x, t, cols, &n)) {
            return false;
        }
        if (!n) {
            break;
        }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
        for (i = 0; i < x->scan_count[t]; i++) {
            size_t place = x->scan_cols[t][i];
            if (!taco__vec_builder_append(hold, &j->cols[place], &cols[place], NULL, n, err)) {
                return false;
            }
        }
        for (i = 0; i < j->keys; i++) {
            taco__vec v;
            if (!taco__evaluate_expr(&calc, j->right[i], &v) ||
                !taco__vec_builder_append(hold, &keys[i], &v, NULL, n, err)) {
                return false;
            }
        }
        j->rows += n;
    }
    for (i = 0; i < j->keys; i++) {
        j->key_cols[i] = keys[i].v;
    }
    for (j->slots = 16; j->slots < j->rows * 2; j->slots *= 2) {
    }
    j->hashes = (uint64_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->hashes, err);
    j->heads = (uint32_t *)taco__arena_array(hold, j->slots, sizeof *j->heads, err);
    j->next = (uint32_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->next, err);
    if (!j->hashes || !j->heads || !j->next) {
        return false;
    }
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
TACO__FN bool taco__hash_join_has_null_key(const taco__vec *keys, size_t n, size_t i)
{
    size_t k;
    for (k = 0; k < n; k++) {
        if (!taco__vec_is_valid(&keys[k], i)) {
            return true;
        }
    }
    return false;
}
typedef struct taco__hash_join_pairs { /* rows of both sides that meet */
    uint32_t *left, *right;
    size_t    n;
} taco__hash_join_pairs;

TACO__FN bool taco__hash_join_add_pair(taco__executor *x, taco__buf *l, taco__buf *r, uint32_t left,
                                       uint32_t right)
{
    return taco__buf_append(l, &left, sizeof left, taco__operator_err(x)) &&
           taco__buf_append(r, &right, sizeof right, taco__operator_err(x));
}
/* The batch that a list of pairs makes. */
TACO__FN bool taco__hash_join_combine(taco__executor *x, size_t t, const taco__vec *cols,
                                      const uint32_t *l, const uint32_t *r, size_t n,
                                      taco__vec *out)
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
/* Pairs that pass the rest of ON; rows of the left side that lose all theirs come with none, when outer. */
TACO__FN bool taco__hash_join_filter_pairs(taco__executor *x, size_t t, const taco__vec *cols,
                                           size_t rows, taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    uint32_t        *left = (uint32_t *)(void *)l->data, *right = (uint32_t *)(void *)r->data, *idx;
    size_t           n = l->len / sizeof *left, m = 0, i, k;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    taco__sql_batch calc;
    uint8_t        *hit = (uint8_t *)taco__arena_alloc(&x->batch, rows, taco__operator_err(x));
    if (!out || !hit || !taco__hash_join_combine(x, t, cols, left, right, n, out)) {
        return false;
    }
    taco__operator_init_batch(x, &calc, out, x->b.column_count, n);
    idx = taco__evaluate_filter(&calc, j->rest, &m);
    if (!idx) {
        return false;
    }
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
TACO__FN bool taco__hash_join_probe(taco__executor *x, size_t t, const taco__vec *cols, size_t n,
                                    taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    taco_error      *err = taco__operator_err(x);
    taco__vec       *keys = (taco__vec *)taco__arena_array(&x->batch, j->keys, sizeof *keys, err);
    uint64_t        *h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, err);
    taco__sql_batch  calc;
    size_t           i, k;
    if (!keys || !h) {
        return false;
    }
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    for (k = 0; k < j->keys; k++) {
        if (!taco__evaluate_expr(&calc, j->left[k], &keys[k])) {
            return false;
        }
        taco__vec_hash(&keys[k], h);
    }
    for (i = 0; i < n; i++) {
        uint32_t row = j->heads[(size_t)h[i] & (j->slots - 1)];
        bool     any = false;
        for (; row && !taco__hash_join_has_null_key(keys, j->keys, i); row = j->next[row - 1]) {
            if (j->hashes[row - 1] == h[i] &&
                taco__vec_equal(j->key_cols, row - 1, keys, i, j->keys)) {
                any = true;
                if (!taco__hash_join_add_pair(x, l, r, (uint32_t)i, row - 1)) {
                    return false;
                }
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
    taco__buf  l, r;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    bool       ok = out != NULL;
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
/* A batch of joined rows that pass WHERE; *n 0 with *end at the end, and without when none of a batch passed. */
TACO__FN bool taco__operator_filter(taco__executor *x, taco__vec **out, size_t *n, bool *end)
{
    taco_error *err = taco__operator_err(x);
    size_t      t, i, m;
    taco__vec  *cols =
        (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
    if (!cols || !taco__operator_scan(x, 0, cols, n)) {
        return false;
    }
    *end = *n == 0;
    for (t = 1; *n && t < x->b.table_count; t++) {
        if (!taco__hash_join_run(x, t, &cols, n)) {
            return false;
        }
    }
    for (i = 0; *n && i < x->where_count; i++) {
        taco__sql_batch calc, part;
        uint32_t       *idx;
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, *n);
        idx = taco__evaluate_filter(&calc, x->where[i], &m);
        if (!idx) {
            return false;
        }
        if (m < *n) {
            if (!taco__evaluate_subset(&calc, idx, m, &part)) {
                return false;
            }
            memcpy(cols, part.cols, x->b.column_count * sizeof *cols);
            *n = m;
        }
    }
    *out = cols;
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------------- */

TACO__FN bool taco__operator_aggregate(taco__executor *x, taco__sql_batch *calc,
                                       const uint32_t *group)
{
    size_t i, k;
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__bind_aggregation *g = &x->b.aggrs[i];
        taco__vec               v, f;
        uint8_t                *keep = NULL;
        if (g->filter) {
            keep = (uint8_t *)taco__arena_alloc(&x->batch, calc->n, calc->err);
            if (!keep || !taco__evaluate_expr(calc, g->filter, &f)) {
                return false;
            }
            for (k = 0; k < calc->n; k++) {
                keep[k] = taco__vec_is_valid(&f, k) && f.v.i[k * f.step];
            }
        }
        if (!taco__aggregate_reserve(&g->a, &x->hold[0], TACO__MAX(x->groups.count, (size_t)1),
                                     calc->err)) {
            return false;
        }
        if (g->arg) {
            if (!taco__evaluate_expr(calc, g->arg, &v)) {
                return false;
            }
        }
        if (!taco__aggregate_add(&g->a, &x->hold[0], g->arg ? &v : NULL, group, keep, calc->n,
                                 calc->err)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__operator_group(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t      i, n;
    bool        end = false;
    if (!taco__group_table_init(x, &x->groups, x->b.groups, x->b.group_count)) {
        return false;
    }
    while (!end) {
        taco__vec      *cols, *keys;
        uint32_t       *group;
        taco__sql_batch calc;
        taco__arena_reset(&x->batch);
        if (!taco__operator_filter(x, &cols, &n, &end)) {
            return false;
        }
        if (!n) {
            continue;
        }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
        keys = (taco__vec *)taco__arena_array(&x->batch, x->b.group_count + 1, sizeof *keys, err);
        group = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *group, err);
        for (i = 0; keys && i < x->b.group_count; i++) {
            if (!taco__evaluate_expr(&calc, x->b.groups[i], &keys[i])) {
                return false;
            }
        }
        if (!keys || !group ||
            (x->b.group_count && !taco__group_table_number_rows(x, &x->groups, keys, n, group)) ||
            !taco__operator_aggregate(x, &calc, group)) {
            return false;
        }
    }
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
/* The next batch in front of the projection: groups, or rows. */
TACO__FN bool taco__operator_input(taco__executor *x, taco__sql_batch *calc, bool *end)
{
    taco__vec *cols;
    size_t     i, n, m, count = x->b.group_count + x->b.aggr_count;
    uint32_t  *idx;
    if (!x->grouped) {
        if (!taco__operator_filter(x, &cols, &n, end)) {
            return false;
        }
        taco__operator_init_batch(x, calc, cols, x->b.column_count, n);
        return true;
    }
    n = TACO__MIN(x->input_n - x->input_at, TACO__SQL_BATCH_ROWS);
    *end = n == 0;
    cols =
        (taco__vec *)taco__arena_array(&x->batch, count + 1, sizeof *cols, taco__operator_err(x));
    idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
    if (!cols || !idx) {
        return false;
    }
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

/* ---- order ----------------------------------------------------------------------------------------- */

TACO__FN int taco__sort_operator_compare(const taco__executor *x, const taco__vec *a, size_t i,
                                         const taco__vec *b, size_t j)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        const taco__vec *p = &a[x->order_at[k]], *q = &b[x->order_at[k]];
        bool             u = taco__vec_is_valid(p, i), v = taco__vec_is_valid(q, j);
        int              c;
        if (!u || !v) {
            if (u != v) {
                return u == x->order[k].nulls_first ? 1 : -1;
            }
            continue;
        }
        c = taco__vec_compare(p, i, q, j);
        if (c) {
            return x->order[k].desc ? -c : c;
        }
    }
    return 0;
}
TACO__FN bool taco__sort_operator_sort(taco__executor *x, size_t n)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(&x->hold[0], n + 1, sizeof *idx,
                                                  taco__operator_err(x)),
             *tmp = (uint32_t *)taco__arena_array(&x->hold[0], n + 1, sizeof *tmp,
                                                  taco__operator_err(x));
    const taco__vec *v = x->kept_vecs;
    size_t           width, at;
    if (!idx || !tmp) {
        return false;
    }
    for (at = 0; at < n; at++) {
        idx[at] = (uint32_t)at;
    }
    for (width = 1; width < n; width *= 2) {
        uint32_t *swap;
        for (at = 0; at < n; at += 2 * width) {
            size_t i = at, mid = TACO__MIN(at + width, n), j = mid,
                   end = TACO__MIN(at + 2 * width, n), k;
            for (k = at; k < end; k++) {
                bool left = i < mid &&
                            (j >= end || taco__sort_operator_compare(x, v, idx[i], v, idx[j]) <= 0);
                tmp[k] = left ? idx[i++] : idx[j++];
            }
        }
        swap = idx;
        idx = tmp;
        tmp = swap;
    }
    x->sequence = idx;
    x->sequence_n = n;
    return true;
}
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
TACO__FN void taco__sort_operator_set_vectors(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->width; i++) {
        x->kept_vecs[i] = x->kept[i].v;
    }
}
/* Of many rows only the first `want` are needed: the others are dropped, with the memory they took. */
TACO__FN bool taco__sort_operator_prune(taco__executor *x, size_t want)
{
    taco__vec_builder *next;
    taco__arena        swap;
    size_t             i;
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
/* Rows of v that may come before the worst one that is kept, by their first key alone. */
TACO__FN size_t taco__sort_operator_candidates(const taco__executor *x, const taco__vec *v,
                                               size_t n, uint32_t *idx)
{
    const taco__vec    *p = &v[x->order_at[0]], *q = &x->kept_vecs[x->order_at[0]];
    taco__physical_type ph = taco__sql_type_physical(p->type);
    bool                desc = x->order[0].desc, first = x->order[0].nulls_first;
    size_t              i, m = 0;
    if ((ph != TACO__PHYS_DBL && ph != TACO__PHYS_INT) || !taco__vec_is_valid(q, x->worst)) {
        for (; m < n; m++) {
            idx[m] = (uint32_t)m;
        }
    } else if (ph == TACO__PHYS_DBL) {
        double w = q->v.f[x->worst];
        for (i = 0; i < n; i++) { /* NaN is greater than all numbers: it is looked at in any case */
            double d = p->v.f[i * p->step];
            bool   out = desc ? d < w : d > w;
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
TACO__FN bool taco__sort_operator_add(taco__executor *x, const taco__vec *v, size_t n)
{
    uint64_t  want = x->skip > UINT64_MAX - x->left ? UINT64_MAX : x->skip + x->left;
    bool      few = want && want < 100000 && !x->grouped && !x->s.distinct && x->b.table_count == 1;
    uint32_t *idx = NULL;
    size_t    i, m = n;
    if (x->has_worst) {
        idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
        if (!idx) {
            return false;
        }
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

/* ---- the result ------------------------------------------------------------------------------------ */

TACO__FN bool taco__operator_project(taco__executor *x, taco__sql_batch *calc, taco__vec **out)
{
    taco__vec *v =
        (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, taco__operator_err(x));
    size_t i;
    for (i = 0; v && i < x->width; i++) {
        if (!taco__evaluate_expr(calc, x->items[i], &v[i])) {
            return false;
        }
        if (v[i].n != calc->n) {
            v[i].n = calc->n;
        }
    }
    *out = v;
    return v != NULL;
}
/* Drops rows that were seen before. */
TACO__FN bool taco__operator_distinct(taco__executor *x, taco__vec *v, size_t *n)
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
/* Projected rows, DISTINCT applied. *n may be 0 before the end. */
TACO__FN bool taco__operator_rows(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    taco__sql_batch calc;
    taco__arena_reset(&x->batch);
    if (!taco__operator_input(x, &calc, end)) {
        return false;
    }
    *n = calc.n;
    if (!*n) {
        return true;
    }
    return taco__operator_project(x, &calc, v) &&
           (!x->s.distinct || taco__operator_distinct(x, *v, n));
}
TACO__FN bool taco__operator_begin(taco__executor *x)
{
    size_t t;
    x->begun = true;
    for (t = 1; t < x->b.table_count; t++) {
        if (!taco__hash_join_build(x, t)) {
            return false;
        }
    }
    if (x->grouped && !taco__operator_group(x)) {
        return false;
    }
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
            size_t     n;
            if (!taco__operator_rows(x, &v, &n, &end) || (n && !taco__sort_operator_add(x, v, n))) {
                return false;
            }
        }
        x->sorted = true;
        return taco__sort_operator_sort(x, x->kept_vecs[0].n);
    }
    return true;
}
/* Takes OFFSET and LIMIT off rows. */
TACO__FN bool taco__operator_limit(taco__executor *x, taco__vec *v, size_t *n)
{
    size_t    skip = (size_t)TACO__MIN(x->skip, (uint64_t)*n), i;
    size_t    take = (size_t)TACO__MIN((uint64_t)(*n - skip), x->left);
    uint32_t *idx;
    x->skip -= skip;
    x->left -= x->left == UINT64_MAX ? 0 : take;
    if (take == *n) {
        return true;
    }
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
/* The next batch of the result; false at the end and on failure. */
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out)
{
    taco_cursor *c = x->c;
    taco__vec   *v = NULL;
    size_t       i, n = 0;
    bool         end = false;
    if (!x->left || (!x->begun && !taco__operator_begin(x))) {
        return false;
    }
    while (!end && !n) {
        if (!x->left) {
            return false;
        }
        if (!(x->sorted ? taco__sort_operator_next(x, &v, &n, &end)
                        : taco__operator_rows(x, &v, &n, &end)) ||
            (n && !taco__operator_limit(x, v, &n))) {
            return false;
        }
    }
    for (i = 0; n && i < x->item_count; i++) {
        if (v[i].source) {
            c->arrays[i] = *v[i].source;
            c->arrays[i].field = &c->fields[i];
            continue;
        }
        if (!taco__vec_flatten(&x->batch, &v[i], &c->err) ||
            !taco__vec_arrow_store(&x->batch, &v[i], &c->fields[i], &c->arrays[i], &c->err)) {
            return false;
        }
    }
    out->length = n;
    out->columns = c->arrays;
    out->column_count = c->count;
    out->first_row = -1;
    return n != 0;
}
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
/* ==== ROOM sql: a SELECT planned over the tables of a dataset: what scans prune, what joins match, what comes out.
   Uses: exec bind sqlp cursor dataset. Spec: the grammar in the manual ==== */

/* ---- tables ---------------------------------------------------------------------------------------- */

/* Whether FROM names the view. */
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t)
{
    return x->base && taco__ascii_is_word(x->s.from[t].name, "data");
}
TACO__FN bool taco__planner_bind_columns(taco__executor *x, taco__bind_table *out,
                                         const taco_field *from, size_t count, size_t visible)
{
    taco_error     *err = taco__operator_err(x);
    taco__arena    *arena = &x->c->arena;
    taco_field     *fields = (taco_field *)taco__arena_array(arena, count + 1, sizeof *fields, err);
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
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t)
{
    taco__sql_table_ref *f = &x->s.from[t];
    taco__bind_table    *out = &x->b.tables[t];
    taco_error          *err = taco__operator_err(x);
    taco_cursor         *probe;
    size_t               i;
    bool                 ok;
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
    probe = taco__cursor_alloc(x->c->ds, 0, err);
    if (!probe) {
        return false;
    }
    probe->flat = f->flat;
    probe->level = f->level;
    probe->shows_hidden = true;
    ok = taco__cursor_column_add_all(probe, f->level) &&
         taco__planner_bind_columns(x, out, probe->fields, probe->count + probe->hidden,
                                    probe->count);
    taco_cursor_close(probe, err);
    return ok && err->code == TACO_OK;
}

/* ---- conditions for the scans ---------------------------------------------------------------------- */

/* Conditions of a scan: one for each level of each table, rows of a flat view being paths. */
#define TACO__PUSHDOWN_SLOTS ((size_t)TACO__SQL_MAX_TABLES * TACO__MAX_LEVELS)

typedef struct taco__pushdown {
    taco__buf   where[TACO__PUSHDOWN_SLOTS];
    double      box[TACO__PUSHDOWN_SLOTS][4];
    const char *geometry[TACO__PUSHDOWN_SLOTS]; /* the column that must meet the box; NULL: none */
} taco__pushdown;

TACO__FN taco__pushdown *taco__pushdown_new(taco__executor *x)
{
    taco__pushdown *p =
        (taco__pushdown *)taco__arena_alloc(&x->c->arena, sizeof *p, taco__operator_err(x));
    size_t i;
    for (i = 0; p && i < TACO__PUSHDOWN_SLOTS; i++) {
        p->where[i].mem = x->c->mem;
    }
    return p;
}
TACO__FN void taco__pushdown_free(taco__pushdown *p)
{
    size_t i;
    for (i = 0; p && i < TACO__PUSHDOWN_SLOTS; i++) {
        taco__buf_free(&p->where[i]);
    }
}

/* Where a column is stored: the level of a flat view's column is in its name. Returns table * TACO__MAX_LEVELS + level, or
   TACO__NONE when it is stored nowhere. *name is what it is called there. */
TACO__FN size_t taco__pushdown_slot(const taco__executor *x, size_t table, size_t column,
                                    const char **name)
{
    const taco__sql_table_ref *f = &x->s.from[table];
    size_t                     level = f->level;
    *name = x->b.tables[table].fields[column].name;
    if (f->left || (taco__planner_is_source(x, table) && !x->base->pushes)) {
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
TACO__FN bool taco__pushdown_is_literal(const taco__sql_expr *e, const taco_field *f)
{
    const taco__sql_expr *k = e->kind == TACO__SQL_EXPR_CAST ? e->kid[0] : e;
    if (k->kind != TACO__SQL_EXPR_CONST) {
        return false;
    }
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
/* The slot that all columns of a condition are of, when a scan's predicate can say it: room expr's language, where both
   mean the same. TACO__NONE otherwise. */
TACO__FN size_t taco__pushdown_find_slot(taco__executor *x, const taco__sql_expr *e)
{
    size_t            table, column, slot, all = TACO__NONE;
    uint32_t          i;
    const taco_field *f;
    const char       *name;
    if (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR ||
        e->kind == TACO__SQL_EXPR_NOT) {
        for (i = 0; i < e->n; i++) {
            size_t one = taco__pushdown_find_slot(x, e->kid[i]);
            all = i && all != one ? TACO__NONE : one;
            if (all == TACO__NONE) {
                return all;
            }
        }
        return all;
    }
    if (!e->n || e->kid[0]->kind != TACO__SQL_EXPR_COLUMN ||
        !taco__bind_find_column(&x->b, e->kid[0], &table, &column)) {
        return TACO__NONE;
    }
    f = &x->b.tables[table].fields[column];
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE) {
        return TACO__NONE;
    }
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL: return slot;
    case TACO__SQL_EXPR_CMP:
        if (e->nullsafe) {
            return TACO__NONE;
        } /* fall through */
    case TACO__SQL_EXPR_IN:
    case TACO__SQL_EXPR_BETWEEN:
        for (i = 1; i < e->n; i++) {
            if (!taco__pushdown_is_literal(e->kid[i], f)) {
                return TACO__NONE;
            }
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
TACO__FN bool taco__pushdown_append(taco__executor *x, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, taco__operator_err(x));
}
TACO__FN bool taco__pushdown_append_quoted(taco__executor *x, taco__buf *out, taco_bytes s,
                                           char quote)
{
    size_t i;
    bool   ok = taco__buf_append_char(out, quote, taco__operator_err(x));
    for (i = 0; ok && i < s.len; i++) {
        ok = (s.data[i] != (uint8_t)quote ||
              taco__buf_append_char(out, quote, taco__operator_err(x))) &&
             taco__buf_append_char(out, (char)s.data[i], taco__operator_err(x));
    }
    return ok && taco__buf_append_char(out, quote, taco__operator_err(x));
}
TACO__FN bool taco__pushdown_append_column(taco__executor *x, taco__buf *out,
                                           const taco__sql_expr *e)
{
    size_t      table = 0, column = 0;
    const char *name = NULL;
    return taco__bind_find_column(&x->b, e, &table, &column) &&
           taco__pushdown_slot(x, table, column, &name) != TACO__NONE &&
           taco__pushdown_append_quoted(x, out, taco__bytes_text(name), '"');
}
TACO__FN bool taco__pushdown_append_value(taco__executor *x, taco__buf *out,
                                          const taco__sql_expr *e)
{
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return taco__pushdown_append(x, out,
                                     e->to.t.id == TACO_DATE ? "DATE "
                                     : e->to.t.utc           ? "TIMESTAMPTZ "
                                                             : "TIMESTAMP ") &&
               taco__pushdown_append_quoted(x, out, e->kid[0]->value.b, '\'');
    }
    if (e->value.type.id == TACO_TEXT) {
        return taco__pushdown_append_quoted(x, out, e->value.b, '\'');
    }
    if (e->value.type.id == TACO_DOUBLE) { /* an exponent keeps it a DOUBLE */
        size_t at = out->len;
        return taco__sql_expr_text_constant(&x->b, out, e) &&
               (memchr(out->data + at, 'e', out->len - at) != NULL ||
                taco__pushdown_append(x, out, "e0"));
    }
    return taco__sql_expr_text_constant(&x->b, out, e);
}
/* The condition in the words of room expr. */
TACO__FN bool taco__pushdown_format(taco__executor *x, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    uint32_t                 i;
    bool                     ok = taco__pushdown_append(x, out, "(");
    if (e->kind == TACO__SQL_EXPR_NOT) {
        return ok && taco__pushdown_append(x, out, "NOT ") &&
               taco__pushdown_format(x, out, e->kid[0]) && taco__pushdown_append(x, out, ")");
    }
    if (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR) {
        for (i = 0; ok && i < e->n; i++) {
            ok = (!i || taco__pushdown_append(x, out,
                                              e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ")) &&
                 taco__pushdown_format(x, out, e->kid[i]);
        }
        return ok && taco__pushdown_append(x, out, ")");
    }
    ok = ok && taco__pushdown_append_column(x, out, e->kid[0]);
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL:
        ok = ok && taco__pushdown_append(x, out, e->neg ? " IS NOT NULL" : " IS NULL");
        break;
    case TACO__SQL_EXPR_CMP:
        ok = ok && taco__pushdown_append(x, out, ops[e->op]) &&
             taco__pushdown_append_value(x, out, e->kid[1]);
        break;
    case TACO__SQL_EXPR_CALL:
        ok = ok && taco__pushdown_append(x, out, e->name.data[0] == '!' ? " NOT" : "") &&
             taco__pushdown_append(x, out,
                                   e->name.data[e->name.len - 1] == '*' ? " ILIKE " : " LIKE ") &&
             taco__pushdown_append_value(x, out, e->kid[1]);
        break;
    case TACO__SQL_EXPR_IN:
        ok = ok && taco__pushdown_append(x, out, e->neg ? " NOT IN (" : " IN (");
        for (i = 1; ok && i < e->n; i++) {
            ok = (i == 1 || taco__pushdown_append(x, out, ", ")) &&
                 taco__pushdown_append_value(x, out, e->kid[i]);
        }
        ok = ok && taco__pushdown_append(x, out, ")");
        break;
    default:
        ok = ok && taco__pushdown_append(x, out, " BETWEEN ") &&
             taco__pushdown_append_value(x, out, e->kid[1]) &&
             taco__pushdown_append(x, out, " AND ") &&
             taco__pushdown_append_value(x, out, e->kid[2]);
        break;
    }
    return ok && taco__pushdown_append(x, out, ")");
}
/* Whether a bound tree has the same value in every row. */
TACO__FN bool taco__pushdown_is_constant(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__pushdown_is_constant(e->kid[i])) {
            return false;
        }
    }
    return e->kind == TACO__SQL_EXPR_CONST || e->kind == TACO__SQL_EXPR_CAST ||
           (e->kind == TACO__SQL_EXPR_CALL && e->n);
}
/* ST_Intersects of the geometry in a column with a constant box is a filter of its scan. Where it is the first one there,
   it is taken, and the columns that were bound for it alone, those from `before` on, are not read. */
TACO__FN bool taco__pushdown_take_box(taco__executor *x, const taco__sql_expr *e, size_t before,
                                      taco__pushdown *pushed, bool *taken)
{
    const taco__sql_expr *g, *box;
    taco__sql_batch       calc;
    taco__vec             v;
    double                edge[4];
    size_t                slot, place, column, table;
    const char           *name;
    *taken = false;
    if (e->kind != TACO__SQL_EXPR_CALL || e->func != TACO__FUNC_INTERSECTS) {
        return true;
    }
    box = e->kid[taco__pushdown_is_constant(e->kid[1])];
    g = box == e->kid[0] ? e->kid[1] : e->kid[0];
    if (g->kind != TACO__SQL_EXPR_CALL || g->func != TACO__FUNC_GEOM ||
        g->kid[0]->kind != TACO__SQL_EXPR_REF || !taco__pushdown_is_constant(box)) {
        return true;
    }
    place = g->kid[0]->index;
    table = x->b.columns[place].table;
    column = x->b.columns[place].column;
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE || pushed->geometry[slot] || x->s.from[table].left ||
        x->b.tables[table].fields[column].type != TACO_BINARY ||
        x->c->ds->mode == TACO_COLUMNS_FILL_MISSING) {
        return true;
    }
    taco__arena_reset(&x->batch);
    taco__operator_init_batch(x, &calc, NULL, 0, 1);
    if (!taco__evaluate_expr(&calc, box, &v)) {
        return false;
    }
    if (!taco__vec_is_valid(&v, 0) || !taco__func_geo_parse_box(v.v.s[0], edge)) {
        return true;
    }
    memcpy(pushed->box[slot], edge, sizeof edge);
    pushed->geometry[slot] = name;
    while (x->b.column_count > before) {
        const taco__bind_column *c = &x->b.columns[--x->b.column_count];
        x->b.tables[c->table].place[c->column] = TACO__NONE;
    }
    *taken = true;
    return true;
}
/* Takes the conjuncts of WHERE apart: each goes to a scan or is bound. */
TACO__FN bool taco__pushdown_split_where(taco__executor *x, taco__pushdown *pushed)
{
    taco__sql_expr  *w = x->s.where, *one = w;
    taco__sql_expr **list = &one;
    size_t           i, n = w ? 1 : 0;
    bool             taken;
    if (w && w->kind == TACO__SQL_EXPR_AND) {
        list = w->kid;
        n = w->n;
    }
    x->where = (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->where,
                                                    taco__operator_err(x));
    if (!x->where) {
        return false;
    }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        size_t before = x->b.column_count, slot = taco__pushdown_find_slot(x, list[i]);
        if (taco__operator_err(x)->code != TACO_OK) {
            return false;
        }
        if (slot != TACO__NONE) {
            taco__buf *where = &pushed->where[slot];
            if ((where->len && !taco__pushdown_append(x, where, " AND ")) ||
                !taco__pushdown_format(x, where, list[i])) {
                return false;
            }
            continue;
        }
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i]) ||
            !taco__pushdown_take_box(x, list[i], before, pushed, &taken)) {
            return false;
        }
        if (!taken) {
            x->where[x->where_count++] = list[i];
        }
    }
    x->b.no_aggr = false;
    return true;
}

/* ---- joins ----------------------------------------------------------------------------------------- */

/* Tables that a bound tree asks for, a bit each. */
TACO__FN uint32_t taco__planner_tables_of(const taco__executor *x, const taco__sql_expr *e)
{
    uint32_t bits = e->kind == TACO__SQL_EXPR_REF ? (uint32_t)1 << x->b.columns[e->index].table : 0,
             i;
    for (i = 0; i < e->n; i++) {
        bits |= taco__planner_tables_of(x, e->kid[i]);
    }
    return bits;
}
TACO__FN taco__sql_expr *taco__planner_new_equality(taco__executor *x, const taco__sql_expr *like,
                                                    const char *name)
{
    taco__arena    *arena = &x->c->arena;
    taco__sql_expr *e =
        (taco__sql_expr *)taco__arena_alloc(arena, sizeof *e, taco__operator_err(x));
    size_t i, table, column;
    if (!e) {
        return NULL;
    }
    e->kind = TACO__SQL_EXPR_CMP;
    e->op = TACO__OP_EQ;
    e->at = like->at;
    e->nullsafe = true;
    e->kid = (taco__sql_expr **)taco__arena_array(arena, 2, sizeof *e->kid, taco__operator_err(x));
    for (i = 0; e->kid && i < 2; i++) {
        taco__sql_expr *c =
            (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, taco__operator_err(x));
        if (!c || !taco__bind_find_column(&x->b, like->kid[i], &table, &column)) {
            return NULL;
        }
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
/* parent_id = current_id: ids start again in every archive and dataset, so these are equal too (facts:
   disagreements 5). Appends such conditions to list. */
TACO__FN bool taco__planner_split_parent_join(taco__executor *x, const taco__sql_expr *e,
                                              taco__sql_expr **list, size_t *n)
{
    static const char *const names[] = {TACO__SOURCE_PATH, "internal:source_file"};
    size_t                   i;
    bool                     up, down;
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
        if (more) {
            list[(*n)++] = more;
        }
    }
    return taco__operator_err(x)->code == TACO_OK;
}
TACO__FN bool taco__planner_plan_join(taco__executor *x, size_t t)
{
    taco__sql_expr  *on = x->s.from[t].on, *rest;
    taco__hash_join *j = &x->joins[t];
    taco__arena     *arena = &x->c->arena;
    taco_error      *err = taco__operator_err(x);
    size_t           i, n = on->kind == TACO__SQL_EXPR_AND ? on->n : 1, tables = x->b.table_count;
    size_t           cap = n * 3;
    taco__sql_expr **list = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *list, err);
    j->left = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *j->left, err);
    j->right = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *j->right, err);
    rest = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *rest, err);
    j->outer = x->s.from[t].left;
    if (!list || !j->left || !j->right || !rest) {
        return false;
    }
    rest->kind = TACO__SQL_EXPR_AND;
    rest->type = taco__sql_type_simple(TACO_BOOL);
    rest->kid = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *rest->kid, err);
    for (i = 0; i < n; i++) {
        list[i] = on->kind == TACO__SQL_EXPR_AND ? on->kid[i] : on;
    }
    x->b.table_count = t + 1; /* ON sees the tables so far */
    for (i = 0; i < (on->kind == TACO__SQL_EXPR_AND ? on->n : 1); i++) {
        if (!taco__planner_split_parent_join(x, list[i], list, &n)) {
            return false;
        }
    }
    x->b.no_aggr = true;
    for (i = 0; rest->kid && i < n; i++) {
        uint32_t self = (uint32_t)1 << t, a, b;
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i])) {
            return false;
        }
        if (list[i]->kind == TACO__SQL_EXPR_CMP && list[i]->op == TACO__OP_EQ) {
            a = taco__planner_tables_of(x, list[i]->kid[0]);
            b = taco__planner_tables_of(x, list[i]->kid[1]);
            if ((a == self && b && !(b & self)) || (b == self && a && !(a & self))) {
                j->left[j->keys] = list[i]->kid[a == self];
                j->right[j->keys++] = list[i]->kid[a != self];
                continue;
            }
        }
        rest->kid[rest->n++] = list[i];
    }
    x->b.no_aggr = false;
    x->b.table_count = tables;
    j->rest = rest->n ? rest : NULL;
    if (!j->keys) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, on->at,
                   "JOIN ... ON wants an equality between columns of the two tables");
        return false;
    }
    return rest->kid != NULL;
}

/* ---- what comes out -------------------------------------------------------------------------------- */

/* The select items, stars made columns. */
TACO__FN bool taco__planner_output_expand_stars(taco__executor *x)
{
    taco__sql_expr *items = x->s.items, *e;
    taco_error     *err = taco__operator_err(x);
    size_t          i, t, c, k, n = 0, cap = items->n + x->extra_count;
    for (t = 0; t < x->b.table_count; t++) {
        for (i = 0; i < items->n; i++) {
            cap += items->kid[i]->kind == TACO__SQL_EXPR_STAR ? x->b.tables[t].count : 0;
        }
    }
    x->b.sources =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, cap + 1, sizeof *x->b.sources, err);
    for (i = 0; x->b.sources && i < items->n; i++) {
        bool any = false;
        e = items->kid[i];
        if (e->kind != TACO__SQL_EXPR_STAR) {
            x->b.sources[n++] = e;
            continue;
        }
        for (t = 0; t < x->b.table_count; t++) {
            if (e->table.len && !taco__bind_names_equal(e->table, x->b.tables[t].alias)) {
                continue;
            }
            any = true;
            for (c = 0; c < x->b.tables[t].visible; c++) {
                taco__sql_expr *col;
                for (k = 0; k < e->n &&
                            !taco__bind_name_is(e->kid[k]->name, x->b.tables[t].fields[c].name);
                     k++) {
                }
                if (k < e->n) {
                    e->kid[k]->neg = true; /* found */
                    continue;
                }
                col = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *col, err);
                if (!col) {
                    return false;
                }
                col->kind = TACO__SQL_EXPR_COLUMN;
                col->at = e->at;
                col->depth = 1;
                col->table = x->b.tables[t].alias;
                col->name = taco__bytes_text(x->b.tables[t].fields[c].name);
                x->b.sources[n++] = col;
            }
        }
        for (k = 0; any && k < e->n && e->kid[k]->neg; k++) {
        }
        if (!any || k < e->n) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, any ? e->kid[k]->at : e->at,
                       any ? "EXCLUDE names %q, which is not among the columns"
                           : "there is no table %q",
                       any ? &e->kid[k]->name : &e->table);
            return false;
        }
    }
    if (!n) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, items->at, "no column is left to select");
    }
    for (i = 0; x->b.sources && i < x->extra_count; i++) {
        taco__sql_expr *col = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *col, err);
        if (!col) {
            return false;
        }
        col->kind = TACO__SQL_EXPR_COLUMN;
        col->depth = 1;
        col->name = taco__bytes_text(x->extras[i]);
        x->b.sources[n + i] = col;
    }
    x->b.source_count = n + x->extra_count;
    return x->b.sources && n > 0;
}
TACO__FN bool taco__planner_output_has_aggregate(const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_CALL && !e->infix && taco__aggregate_find(e->name)) {
        return true;
    }
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_aggregate(e->kid[i])) {
            return true;
        }
    }
    return false;
}
TACO__FN bool taco__planner_output_has_column(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_column(e->kid[i])) {
            return true;
        }
    }
    return e->kind == TACO__SQL_EXPR_COLUMN;
}
/* A whole number in ORDER BY or GROUP BY is a select item; -1 with an error when there is none such. */
TACO__FN int64_t taco__planner_output_position(taco__executor *x, const taco__sql_expr *e)
{
    int64_t k;
    if (e->kind != TACO__SQL_EXPR_CONST || e->literal != 1) {
        return 0;
    }
    k = (int64_t)e->value.d.w[0];
    if (k < 1 || k > (int64_t)(x->b.source_count - x->extra_count)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
                   "there are %u select items, not %d", TACO__U(x->b.source_count - x->extra_count),
                   TACO__D(k));
        return -1;
    }
    return k;
}
TACO__FN taco__sql_expr *taco__planner_output_copy(taco__executor *x, const taco__sql_expr *e)
{
    return taco__bind_count_nodes(&x->b, e)
               ? taco__sql_expr_copy(&x->c->arena, e, taco__operator_err(x))
               : NULL;
}
/* A name that is an alias and no column. */
TACO__FN const taco__sql_expr *taco__planner_output_find_alias(taco__executor       *x,
                                                               const taco__sql_expr *e, bool first)
{
    size_t i, table, column;
    if (e->kind != TACO__SQL_EXPR_COLUMN || e->table.len) {
        return NULL;
    }
    if (!first && taco__bind_find_column(&x->b, e, &table, &column)) {
        return NULL;
    }
    for (i = 0; i < x->b.source_count; i++) {
        if (x->b.sources[i]->alias.len && taco__bind_names_equal(x->b.sources[i]->alias, e->name)) {
            return x->b.sources[i];
        }
    }
    return NULL;
}
TACO__FN bool taco__planner_output_bind_groups(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t i, n = x->s.group_all ? b->source_count : x->s.groups ? x->s.groups->n : 0, count = 0;
    taco__sql_expr **groups =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *groups, err);
    taco_bytes *texts = (taco_bytes *)taco__arena_array(&x->c->arena, n + 1, sizeof *texts, err);
    if (!groups || !texts) {
        return false;
    }
    b->no_aggr = true;
    for (i = 0; i < n; i++) {
        const taco__sql_expr *e = x->s.group_all ? b->sources[i] : x->s.groups->kid[i], *alias;
        int64_t               k = x->s.group_all ? 0 : taco__planner_output_position(x, e);
        taco__sql_expr       *copy;
        if (k < 0 || (x->s.group_all && (taco__planner_output_has_aggregate(e) ||
                                         !taco__planner_output_has_column(e)))) {
            if (k < 0) {
                return false;
            }
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
            if (!taco__bind_type_add_cast(b, &copy, &t)) {
                return false;
            }
        }
        groups[count++] = copy;
    }
    b->no_aggr = false;
    b->groups = groups;
    b->group_texts = texts;
    b->group_count = count;
    return true;
}
TACO__FN bool taco__planner_output_add_sort_key(taco__executor *x, size_t at,
                                                const taco__sql_sort_key *o)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        if (x->order_at[k] == at) {
            return true; /* sorted by already */
        }
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
TACO__FN bool taco__planner_output_bind_order(taco__executor *x)
{
    size_t     i, k;
    taco_bytes text, other;
    for (i = 0; i < x->s.order_count; i++) {
        taco__sql_sort_key   *o = &x->s.order[i];
        const taco__sql_expr *alias;
        taco__sql_expr       *copy;
        int64_t               at = o->e ? taco__planner_output_position(x, o->e) : 0;
        if (at < 0) {
            return false;
        }
        if (!o->e) {
            for (k = 0; k < x->item_count - x->extra_count; k++) {
                if (!taco__planner_output_add_sort_key(x, k, o)) {
                    return false;
                }
            }
            continue;
        }
        if (!at && o->e->kind == TACO__SQL_EXPR_CONST) {
            continue; /* constants order nothing */
        }
        alias = at ? x->b.sources[at - 1] : taco__planner_output_find_alias(x, o->e, true);
        if (!taco__sql_expr_text_copy(&x->b, alias ? alias : o->e, &text)) {
            return false;
        }
        for (k = 0; k < x->item_count; k++) {
            if (alias ? x->b.sources[k] == alias
                      : taco__sql_expr_text_copy(&x->b, x->b.sources[k], &other) &&
                            taco__bytes_equal(text, other)) {
                break;
            }
        }
        if (k == x->item_count) {
            if (x->s.distinct) {
                TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, o->e->at,
                           "with DISTINCT, ORDER BY takes select items only");
                return false;
            }
            copy = taco__planner_output_copy(x, o->e);
            if (!copy || !taco__bind_expr(&x->b, &copy)) {
                return false;
            }
            k = x->width;
            x->items[x->width++] = copy;
        }
        if (!taco__planner_output_add_sort_key(x, k, o)) {
            return false;
        }
    }
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
TACO__FN bool taco__planner_output_bind_items(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t      i;
    x->items = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, b->source_count + TACO__COUNT(x->order), sizeof *x->items, err);
    for (i = 0; x->items && i < b->source_count; i++) {
        taco__sql_expr *copy = taco__planner_output_copy(x, b->sources[i]);
        b->aliases = i;
        if (!copy || !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (copy->type.t.id == TACO_NULL) {
            taco__sql_type t = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &copy, &t)) {
                return false;
            }
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
TACO__FN bool taco__planner_output_set_fields(taco__executor *x)
{
    taco_cursor *c = x->c;
    size_t       i;
    c->fields =
        (taco_field *)taco__arena_array(&c->arena, x->item_count, sizeof *c->fields, &c->err);
    c->arrays =
        (taco_array *)taco__arena_array(&c->arena, x->item_count, sizeof *c->arrays, &c->err);
    for (i = 0; c->fields && c->arrays && i < x->item_count; i++) {
        const char *name = taco__sql_expr_text_label(&x->b, x->b.sources[i]);
        if (!name ||
            !taco__sql_type_to_field(&c->arena, &x->items[i]->type, name, &c->fields[i], &c->err)) {
            return false;
        }
    }
    c->count = x->item_count - x->extra_count;
    c->hidden = x->extra_count;
    for (i = c->count; c->fields && i < x->item_count; i++) {
        c->row_id = strcmp(c->fields[i].name, TACO__ROW_ID) == 0 ? i : c->row_id;
    }
    return c->fields && c->arrays;
}

/* ---- opening --------------------------------------------------------------------------------------- */

/* Opens the cursor that a table's rows come from. */
TACO__FN taco_cursor *taco__planner_open_rows(taco__executor *x, size_t t, const char *select,
                                              const taco_filter *filters, size_t n)
{
    taco_error  *err = taco__operator_err(x);
    taco_query   q;
    taco_cursor *c;
    if (taco__planner_is_source(x, t)) {
        return x->base->open(x->base->ctx, select, filters, n, err);
    }
    memset(&q, 0, sizeof q);
    q.table = x->s.from[t].level;
    q.flat = x->s.from[t].flat;
    q.select = select;
    q.filters = filters;
    q.filter_count = n;
    c = taco__cursor_alloc(x->c->ds, x->c->ds->container_count, err);
    if (c) {
        c->alone = true;
        c->shows_hidden = true;
        c->dry = x->dry;
        if (!taco__select_open(c, &q)) {
            taco_cursor_close(c, err);
            return NULL;
        }
    }
    return c;
}
/* Names of the columns that the query asks of a table; one in any case. *n of them. */
TACO__FN bool taco__planner_list_columns(taco__executor *x, size_t t, taco__buf *select, size_t *n)
{
    const taco__bind_table *table = &x->b.tables[t];
    taco_error             *err = taco__operator_err(x);
    size_t                  i;
    bool                    ok = true;
    *n = 0;
    x->scan_cols[t] = (size_t *)taco__arena_array(&x->c->arena, x->b.column_count + 1,
                                                  sizeof **x->scan_cols, err);
    for (i = 0; x->scan_cols[t] && ok && i < x->b.column_count; i++) {
        if (x->b.columns[i].table == t) {
            x->scan_cols[t][*n] = i;
            ok = (!(*n)++ || taco__pushdown_append(x, select, ",")) &&
                 taco__pushdown_append_quoted(
                     x, select, taco__bytes_text(table->fields[x->b.columns[i].column].name), '"');
        }
    }
    if (ok &&
        !*n) { /* the last one is the row itself, where there is such a column: nothing to read */
        ok = taco__pushdown_append_quoted(
            x, select, taco__bytes_text(table->fields[table->count - 1].name), '"');
    }
    return ok && x->scan_cols[t] && taco__buf_append_char(select, 0, err);
}
/* Counts the rows of a first table that no column is read of. */
TACO__FN bool taco__planner_count_rows(taco__executor *x)
{
    taco_cursor *c = x->scans[0];
    taco_batch   batch;
    if (x->dry) {
        return true;
    }
    if (taco__planner_is_source(x, 0)) { /* it may have limits of its own */
        while (taco_cursor_batch(c, &batch)) {
            x->bare += batch.length;
        }
    } else {
        c->skip = UINT64_MAX;
        taco_cursor_batch(c, &batch);
        x->bare = UINT64_MAX - c->skip;
    }
    x->is_bare = true;
    if (c->err.code != TACO_OK) {
        *taco__operator_err(x) = c->err;
    }
    return c->err.code == TACO_OK;
}
/* Opens the scan of a table over the columns the query asks for. */
TACO__FN bool taco__planner_open_scan(taco__executor *x, size_t t, const taco__pushdown *pushed)
{
    taco_filter  filters[TACO__MAX_LEVELS];
    taco_cursor *c;
    taco__buf    select;
    size_t       i, k, n = 0, count = 0;
    taco_error  *err = taco__operator_err(x);
    memset(&select, 0, sizeof select);
    memset(filters, 0, sizeof filters);
    select.mem = x->c->mem;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        size_t       slot = t * TACO__MAX_LEVELS + i;
        taco_filter *f = &filters[count];
        f->level = (uint32_t)i;
        f->where = pushed->where[slot].len ? (const char *)pushed->where[slot].data : NULL;
        f->geometry_column = pushed->geometry[slot];
        f->bbox = f->geometry_column ? pushed->box[slot] : NULL;
        count += f->where || f->bbox;
    }
    if (taco__planner_list_columns(x, t, &select, &n)) {
        x->scans[t] = taco__planner_open_rows(x, t, (const char *)select.data, filters, count);
    }
    taco__buf_free(&select);
    c = x->scans[t];
    x->scan_count[t] = n;
    x->scan_from[t] = (size_t *)taco__arena_array(&x->c->arena, n + 1, sizeof **x->scan_from, err);
    for (i = 0; c && x->scan_from[t] && i < n; i++) { /* a view's cursor may have more of them */
        const taco__bind_column *want = &x->b.columns[x->scan_cols[t][i]];
        for (k = 0; k < c->count + c->hidden &&
                    strcmp(c->fields[k].name, x->b.tables[t].fields[want->column].name) != 0;
             k++) {
        }
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
        if (x->s.order[i].e) {
            taco__bind_qualify(&x->b, x->s.order[i].e);
        }
    }
    for (i = 1; i < x->s.from_count; i++) {
        taco__bind_qualify(&x->b, x->s.from[i].on);
    }
    if (x->s.where) {
        taco__bind_qualify(&x->b, x->s.where);
    }
    if (x->s.having) {
        taco__bind_qualify(&x->b, x->s.having);
    }
}
TACO__FN void taco__planner_mark_computed(taco__executor *x, const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_REF) {
        x->use[e->index] = TACO__COLUMN_USE_VALUES;
    }
    for (i = 0; i < e->n; i++) {
        taco__planner_mark_computed(x, e->kid[i]);
    }
}
/* Whether a column comes out of several datasets, stored as several types. */
TACO__FN bool taco__planner_has_mixed_types(const taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->scan_count[0]; i++) {
        if (taco__compose_is_mixed(x->scans[0], x->scan_from[0][i])) {
            return true;
        }
    }
    return false;
}
/* What becomes of the columns of a query over one table: those that only go out are not looked into. */
TACO__FN bool taco__planner_set_column_uses(taco__executor *x)
{
    size_t i;
    bool   plain = x->b.table_count == 1 && !x->grouped && !x->order_count && !x->s.distinct &&
                 !x->where_count && !x->base && !x->extra_count && !x->dry &&
                 !taco__planner_has_mixed_types(x);
    x->use =
        (uint8_t *)taco__arena_alloc(&x->c->arena, x->b.column_count + 1, taco__operator_err(x));
    if (!x->use) {
        return false;
    }
    memset(x->use, plain ? TACO__COLUMN_USE_PASS_THROUGH : TACO__COLUMN_USE_VALUES,
           x->b.column_count);
    for (i = 0; plain && i < x->width; i++) {
        const taco__sql_expr *e = x->items[i];
        size_t column = e->kind == TACO__SQL_EXPR_REF ? x->b.columns[e->index].column : 0;
        const taco_field *f = &x->b.tables[0].fields[column];
        if (e->kind != TACO__SQL_EXPR_REF || f->child_count || f->utc != x->c->fields[i].utc ||
            !taco__unify_same_type(f, &x->c->fields[i])) {
            taco__planner_mark_computed(x, e);
        }
    }
    if (plain && x->b.column_count) { /* rows come out as they come in */
        x->limits = true;
    }
    if (x->b.table_count == 1 && x->b.group_count == 1 && !x->where_count &&
        x->b.groups[0]->kind == TACO__SQL_EXPR_REF && x->b.groups[0]->type.t.id == TACO_TEXT) {
        size_t place = x->b.groups[0]->index;
        x->use[place] = TACO__COLUMN_USE_CODES;
        for (i = 0; i < x->b.aggr_count; i++) {
            const taco__bind_aggregation *a = &x->b.aggrs[i];
            if (a->arg) {
                taco__planner_mark_computed(x, a->arg);
            }
            if (a->filter) {
                taco__planner_mark_computed(x, a->filter);
            }
        }
    }
    return true;
}
TACO__FN bool taco__planner_plan(taco__executor *x, taco__pushdown *pushed)
{
    size_t i;
    for (i = 0; i < x->s.from_count; i++) {
        if (!taco__planner_bind_table(x, i)) {
            return false;
        }
        x->b.table_count++;
    }
    taco__planner_qualify(x);
    if (!taco__planner_output_expand_stars(x)) {
        return false;
    }
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_plan_join(x, i)) {
            return false;
        }
    }
    x->b.aliases = x->b.source_count;
    if (!taco__pushdown_split_where(x, pushed) || !taco__planner_output_bind_groups(x)) {
        return false;
    }
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
    for (i = 0; i < TACO__PUSHDOWN_SLOTS; i++) {
        if (pushed->where[i].len &&
            !taco__buf_append_char(&pushed->where[i], 0, taco__operator_err(x))) {
            return false;
        }
    }
    for (i = 0; i < x->b.table_count; i++) {
        if (!taco__planner_open_scan(x, i, pushed)) {
            return false;
        }
    }
    return taco__planner_set_column_uses(x);
}
TACO__FN bool taco__planner_cursor_next(taco_cursor *c, taco_batch *out)
{
    return taco__operator_next((taco__executor *)c->plan, out);
}
TACO__FN void taco__planner_cursor_end(taco_cursor *c)
{
    taco__operator_close((taco__executor *)c->plan);
}
/* Makes the plan of a cursor and parses the text into it; NULL on failure. */
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql)
{
    taco__executor *x = (taco__executor *)taco__arena_alloc(&c->arena, sizeof *x, &c->err);
    size_t          len = TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1);
    char           *text = taco__arena_text(&c->arena, taco__bytes_of(sql, len), &c->err);
    if (!x || !text) {
        return NULL;
    }
    x->c = c;
    x->batch.mem = x->hold[0].mem = x->hold[1].mem = c->mem;
    x->b.arena = &c->arena;
    x->b.err = &c->err;
    x->b.s = &x->s;
    c->plan = x;
    c->next = taco__planner_cursor_next;
    c->end = taco__planner_cursor_end;
    return taco__sql_parse(&c->arena, text, len, c->ds->options.limits.max_depth, &x->s, &c->err)
               ? x
               : NULL;
}
TACO__FN bool taco__planner_run(taco__executor *x)
{
    taco__pushdown *pushed = taco__pushdown_new(x);
    bool            ok = pushed && taco__planner_plan(x, pushed);
    taco__pushdown_free(pushed);
    x->skip = x->s.offset;
    x->left = x->s.has_limit ? x->s.limit : UINT64_MAX;
    if (ok && x->limits && x->left) {
        x->scans[0]->skip = x->skip;
        x->scans[0]->left = x->left;
        x->skip = 0;
        x->left = UINT64_MAX;
    }
    return ok;
}
TACO__FN bool taco__planner_open(taco_cursor *c, const char *sql)
{
    taco__executor *x = taco__planner_init(c, sql);
    return x && taco__planner_run(x);
}
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err)
{
    taco_cursor *c;
    taco_bytes   text;
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
/* ==== ROOM lazy: views: steps that are kept, made into one query or a chain of SELECTs when rows are asked for.
   Uses: sql exec nav cursor dataset. Spec: TACO 2.0 §7.2.2, §7.2.3 ==== */

typedef enum taco__view_step_kind {
    TACO__VIEW_STEP_FILTER = 0,
    TACO__VIEW_STEP_TABLE,
    TACO__VIEW_STEP_SELECT,
    TACO__VIEW_STEP_ORDER,
    TACO__VIEW_STEP_LIMIT,
    TACO__VIEW_STEP_SQL
} taco__view_step_kind;

typedef struct taco__view_step {
    taco__view_step_kind kind;
    taco_filter          f;
    double               box[4];
    const char          *text; /* SELECT, ORDER, SQL */
    uint64_t             limit, offset;
    uint32_t             level; /* TABLE */
    bool                 flat, padding;
} taco__view_step;

struct taco_view {
    taco_dataset    *ds;
    taco__arena      arena;
    taco__view_step *steps;
    size_t           count;
};

/* A SELECT over what stands below it. */
typedef struct taco__view_layer {
    const char       *sql;
    taco__sql_select *s;
    bool              keeps;       /* its rows are rows of what stands below, one for one */
    bool              limits;      /* it has LIMIT or OFFSET... */
    bool              unlimited;   /* ...that the query below or a mask has by now */
    bool              unordered;   /* the query below has its order */
    bool             *pushed_down; /* conjuncts of WHERE that the query below has */
    taco_bytes       *names;       /* protected columns that it names */
    size_t            name_count;
} taco__view_layer;

/* The plan of a view: one query, and layers over it. */
typedef struct taco__view_query {
    taco_dataset     *ds;
    taco__arena       arena;
    taco_error       *err;
    taco_query        q;
    taco_filter      *filters;
    size_t            filter_count, filter_cap;
    bool              dry;  /* nothing is run: limits that would have to be leave every row */
    taco__buf         also; /* then: columns that they would have been ordered by */
    bool              limited;
    uint64_t          limit, offset; /* UINT64_MAX: no limit */
    uint8_t         **masks;         /* by store and level */
    taco__view_layer *layers;
    size_t            layer_count;
    const char      **pushed_down; /* conditions that went below layers */
    size_t            pushed_down_count, pushed_down_cap;
} taco__view_query;

/* ---- steps ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__view_copy_text(taco_view *v, const char **text, taco_error *err)
{
    *text = *text ? taco__arena_text(&v->arena, taco__bytes_text(*text), err) : NULL;
    return !err || err->code == TACO_OK;
}
TACO_API void taco_view_free(taco_view *v)
{
    taco__mem *mem = v ? &v->ds->mem : NULL;
    if (v) {
        taco__arena_free(&v->arena);
        taco__mem_free(mem, v, sizeof *v);
    }
}
/* A view with the steps of `from`, which may be NULL, and those of more. */
TACO__FN taco_view *taco__view_make(taco_dataset *ds, const taco_view *from,
                                    const taco__view_step *more, size_t n, taco_error *err)
{
    taco_view *v = (taco_view *)taco__mem_alloc(&ds->mem, sizeof *v, err);
    size_t     i, before = from ? from->count : 0;
    bool       ok = v != NULL;
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
TACO__FN taco_view *taco__view_add_step(const taco_view *v, const taco__view_step *s,
                                        taco_error *err)
{
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    return taco__view_make(v->ds, v, s, 1, err);
}
/* What can be said of a filter before anything is read. */
TACO__FN bool taco__view_check_filter(taco_dataset *ds, const taco_filter *f, taco_error *err)
{
    taco__arena arena;
    taco_error  own;
    int64_t     day[2], at[2];
    double      edge[4];
    bool        ok = true;
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
    if (!ok && err && err->code == TACO_OK) {
        *err = own;
    }
    return ok || taco__container_fail(&ds->stores[0], NULL, err);
}
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco__view_step *steps;
    taco_query       q;
    taco_view       *v = NULL;
    size_t           i, n = 0, bytes;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    if (q.table >= taco_levels(ds)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q.table),
                   TACO__U(taco_levels(ds) - 1));
        taco__container_fail(&ds->stores[0], NULL, err);
        return NULL;
    }
    if (!taco__checked_mul_size(q.filter_count + 5, sizeof *steps, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for filters");
        return NULL;
    }
    steps = (taco__view_step *)taco__mem_alloc(&ds->mem, bytes, err);
    if (!steps) {
        return NULL;
    }
    steps[n].kind = TACO__VIEW_STEP_TABLE;
    steps[n].level = q.table;
    steps[n].flat = q.flat;
    steps[n++].padding = q.padding;
    for (i = 0; i < q.filter_count; i++) {
        steps[n++].f = q.filters[i];
    }
    steps[n].f.where = q.where;
    steps[n].f.bbox = q.bbox;
    steps[n].f.time = q.time;
    steps[n].f.geometry_column = q.geometry_column;
    steps[n].f.time_column = q.time_column;
    steps[n].f.level = q.level;
    steps[n++].f.exact_time = q.exact_time;
    if (q.order) {
        steps[n].kind = TACO__VIEW_STEP_ORDER;
        steps[n++].text = q.order;
    }
    if (q.select) {
        steps[n].kind = TACO__VIEW_STEP_SELECT;
        steps[n++].text = q.select;
    }
    steps[n].kind = TACO__VIEW_STEP_LIMIT;
    steps[n].limit = q.limit;
    steps[n++].offset = q.offset;
    for (i = 0; i <= q.filter_count && taco__view_check_filter(ds, &steps[1 + i].f, err); i++) {
    }
    if (i > q.filter_count) {
        v = taco__view_make(ds, NULL, steps, n, err);
    }
    taco__mem_free(&ds->mem, steps, bytes);
    return v;
}
TACO_API taco_view *taco_view_filter(const taco_view *v, const taco_filter *f, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    if (f) {
        s.f = *f;
    }
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

/* ---- SELECTs --------------------------------------------------------------------------------------- */

/* Columns that navigation goes by (spec 7.2.3): no step takes them away, and none may put something else in their place. */
TACO__FN bool taco__view_is_protected(taco_bytes name)
{
    return taco__bind_name_is(name, "id") || taco__bind_name_is(name, "type") ||
           (name.len > 9 && taco__bind_name_is(taco__bytes_of(name.data, 9), "internal:"));
}
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
/* A SELECT whose rows stay samples must leave the protected columns what they are. */
TACO__FN bool taco__view_check_protected(const taco__sql_select *s, taco_error *err)
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
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err)
{
    taco__view_step   s;
    taco__arena       arena;
    taco__sql_select *parsed;
    taco_error        own;
    bool              ok = false;
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
        if (err && err->code == TACO_OK) {
            *err = own;
        }
        return NULL;
    }
    return taco__view_add_step(v, &s, err);
}
/* Protected columns that a tree names, appended to the layer's. */
TACO__FN bool taco__view_layer_list_protected(taco__view_query *z, taco__view_layer *l,
                                              taco__buf *list, const taco__sql_expr *e)
{
    uint32_t i;
    if (!e) {
        return true;
    }
    if ((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
        taco__view_is_protected(e->name) &&
        !taco__buf_append(list, &e->name, sizeof e->name, z->err)) {
        return false;
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_layer_list_protected(z, l, list, e->kid[i])) {
            return false;
        }
    }
    return taco__view_layer_list_protected(z, l, list, e->filter);
}
/* data.a in the items of a SELECT is column a. */
TACO__FN void taco__view_layer_unqualify(taco__sql_select *s)
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
TACO__FN bool taco__view_layer_init(taco__view_query *z, const char *sql)
{
    taco__view_layer *l = &z->layers[z->layer_count++];
    taco__sql_select *s = (taco__sql_select *)taco__arena_alloc(&z->arena, sizeof *s, z->err);
    taco__buf         list;
    size_t            i;
    bool              ok;
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
    if (l->names && list.len) {
        memcpy(l->names, list.data, list.len);
    }
    taco__buf_free(&list);
    return ok && l->names;
}
TACO__FN bool taco__view_layer_append_quoted(taco__buf *out, const char *name, taco_error *err)
{
    bool ok = taco__buf_append_char(out, '"', err);
    for (; ok && *name; name++) {
        ok = (*name != '"' || taco__buf_append_char(out, '"', err)) &&
             taco__buf_append_char(out, *name, err);
    }
    return ok && taco__buf_append_char(out, '"', err);
}
/* A list of taco_query's select or order in the words of SQL. */
TACO__FN bool taco__view_layer_append_list(taco__view_query *z, const char *list, taco__buf *out)
{
    const char *p = list, *name;
    taco_bytes  rest;
    bool        ok = true, first = true;
    while (ok && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        ok = (first || taco__buf_append_text(out, ", ", z->err)) &&
             taco__view_layer_append_quoted(out, name, z->err) &&
             taco__buf_append_char(out, ' ', z->err) &&
             taco__buf_append(out, rest.data, rest.len, z->err);
        first = false;
    }
    return ok && z->err->code == TACO_OK;
}
/* ---- cursors of a plan ----------------------------------------------------------------------------- */

/* For a cursor that is only looked at: all columns that come out or are sorted by, to be read in storage order. */
TACO__FN bool taco__view_query_all_columns(taco__view_query *z, taco_query *q, taco_error *err)
{
    taco__buf list;
    bool      ok = true;
    if (q->order || z->also.len) {
        q->limit = q->offset = 0; /* any row may be the first */
    }
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    if (q->select && (q->order || z->also.len)) {
        const char *p, *name;
        taco_bytes  rest;
        ok = taco__buf_append_text(&list, q->select, err) &&
             taco__buf_append(&list, z->also.data, z->also.len, err);
        for (p = q->order;
             ok && p && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, err);) {
            ok = taco__buf_append_text(&list, ", ", err) &&
                 taco__view_layer_append_quoted(&list, name, err);
        }
        ok = ok && err->code == TACO_OK;
        q->select =
            ok ? taco__arena_text(&z->arena, taco__bytes_of(list.data, list.len), err) : NULL;
        ok = ok && q->select;
    }
    taco__buf_free(&list);
    q->order = NULL;
    return ok;
}
/* Rows of the query below the layers. select NULL: what the view selects. */
TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z, const char *select,
                                                 const taco_filter *more, size_t n, taco_error *err)
{
    taco_query   q = z->q;
    taco_filter *all =
        (taco_filter *)taco__arena_array(&z->arena, z->filter_count + n + 1, sizeof *all, err);
    taco_cursor *c;
    if (!all) {
        return NULL;
    }
    if (z->filter_count) {
        memcpy(all, z->filters, z->filter_count * sizeof *all);
    }
    if (n) {
        memcpy(all + z->filter_count, more, n * sizeof *all);
    }
    q.filters = all;
    q.filter_count = z->filter_count + n;
    q.select = select ? select : q.select;
    if (z->limited) {
        q.limit = z->limit == UINT64_MAX ? 0 : TACO__MAX(z->limit, (uint64_t)1);
        q.offset = z->limit ? z->offset : UINT64_MAX;
    }
    c = taco__cursor_alloc(z->ds, z->ds->container_count, err);
    if (!c) {
        return NULL;
    }
    c->masks = z->masks;
    c->shows_hidden = select != NULL;
    c->dry = z->dry;
    if (z->dry && !taco__view_query_all_columns(z, &q, err)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (!taco__select_open(c, &q)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->masks = NULL;
    return c;
}
typedef struct taco__view_source {
    taco__sql_source  base;
    taco__view_query *z;
    size_t            layers; /* below */
    bool              ids;
    taco_cursor      *ready; /* opened to see its columns; the first to be handed out */
    taco_cursor      *probe; /* holds the columns */
} taco__view_source;

TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t layers, bool ids,
                                            taco_error *err);

TACO__FN taco_cursor *taco__view_layer_source_open(void *ctx, const char *select,
                                                   const taco_filter *filters, size_t n,
                                                   taco_error *err)
{
    taco__view_source *b = (taco__view_source *)ctx;
    taco_cursor       *c = b->ready;
    b->ready = NULL;
    if (c) {
        return c;
    }
    return b->layers ? taco__view_layer_open(b->z, b->layers, b->ids, err)
                     : taco__view_query_open_base(b->z, select, filters, n, err);
}
/* Puts the columns that the view selects in front; the others that stay are the protected ones. */
TACO__FN bool taco__view_layer_source_columns(taco__view_query *z, taco__view_source *b,
                                              taco_error *err)
{
    taco_cursor *p = b->probe;
    size_t       i, n = 0, all = p->count + p->hidden;
    taco_field  *out = (taco_field *)taco__arena_array(&z->arena, all * 2 + 1, sizeof *out, err);
    const char  *at = z->q.select, *name;
    taco_bytes   rest;
    b->base.fields = out ? out : p->fields;
    if (!out) {
        return false;
    }
    if (!z->q.select) {
        memcpy(out, p->fields, all * sizeof *out);
        b->base.count = all;
        b->base.visible = p->count;
        return true;
    }
    while (n < all && taco__cursor_column_parse_name(&z->arena, &at, &name, &rest, err)) {
        size_t k = taco__cursor_column_find(p, name);
        if (k == TACO__NONE) {
            taco__field_names_no_column(p->fields, p->count, taco__bytes_text(name), err);
            return false;
        }
        out[n++] = p->fields[k];
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
/* Makes what FROM data means behind so many layers. */
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
            b->base.fields = b->ready->fields;
            b->base.visible = b->ready->count;
            b->base.count = b->ready->count + b->ready->hidden;
        }
        return b->ready != NULL;
    }
    b->base.pushes = !z->limited;
    b->probe = taco__cursor_alloc(z->ds, 0, err);
    if (!b->probe) {
        return false;
    }
    b->probe->flat = z->q.flat;
    b->probe->level = z->q.table;
    b->probe->shows_hidden = true;
    if (!taco__cursor_column_add_all(b->probe, z->q.table)) {
        if (err->code == TACO_OK) {
            *err = b->probe->err;
        }
        return false;
    }
    return taco__view_layer_source_columns(z, b, err);
}
TACO__FN void taco__view_layer_source_free(taco__view_source *b)
{
    taco_cursor_close(b->ready, NULL);
    taco_cursor_close(b->probe, NULL);
}
/* Protected columns that layers above the n-th name, and the row itself: they go along with its rows. */
TACO__FN const char **taco__view_layer_hidden_columns(taco__view_query *z, size_t n,
                                                      const taco__sql_source *base, bool ids,
                                                      size_t *count, taco_error *err)
{
    size_t       i, k, f, m = 1;
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
                 f++) {
            }
            if (f < base->count) {
                out[(*count)++] = base->fields[f].name;
            }
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
/* Takes out of a layer's SELECT what the query below has. */
TACO__FN void taco__view_layer_remove_pushed(const taco__view_layer *l, taco__sql_select *s)
{
    taco__sql_expr **list;
    size_t           i, k = 0, n = taco__view_layer_conjuncts(s, &list);
    for (i = 0; l->pushed_down && i < n; i++) {
        if (!l->pushed_down[i]) {
            list[k++] = list[i];
        }
    }
    if (l->pushed_down && k < n) {
        s->where->n = k > 1 ? (uint32_t)k : s->where->n;
        s->where = k > 1 ? s->where : k ? list[0] : NULL;
    }
    if (l->unlimited) {
        s->has_limit = false;
        s->offset = 0;
    }
    if (l->unordered) {
        s->order_count = 0;
    }
}
/* Names that a tree has, appended to a list of taco_bytes; of a plain name that is all it asks for. */
TACO__FN bool taco__view_layer_list_names(taco__buf *list, const taco__sql_expr *e, taco_error *err)
{
    uint32_t i;
    bool     ok = true;
    if (e && (e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD)) {
        ok = taco__buf_append(list, &e->name, sizeof e->name, err);
    }
    for (i = 0; ok && e && i < e->n; i++) {
        ok = taco__view_layer_list_names(list, e->kid[i], err);
    }
    return ok && (!e || !e->filter || taco__view_layer_list_names(list, e->filter, err));
}
TACO__FN bool taco__view_layer_has_name(const taco__buf *list, taco_bytes name)
{
    const taco_bytes *have = (const taco_bytes *)(const void *)list->data;
    size_t            i, n = list->len / sizeof *have;
    for (i = 0; i < n && !taco__bind_names_equal(have[i], name); i++) {
    }
    return i < n;
}
/* Names that a SELECT has, and whether all columns of what stands below it may come out of it. */
TACO__FN bool taco__view_layer_list_select_names(taco__buf *list, const taco__sql_select *s,
                                                 bool *star, taco_error *err)
{
    size_t i;
    bool   ok = taco__view_layer_list_names(list, s->items, err) &&
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
/* Leaves away what no layer above the n-th asks of its SELECT, where that changes nothing else. */
TACO__FN bool taco__view_layer_narrow(taco__view_query *z, size_t layers,
                                      const taco__sql_source *base, taco__sql_select *s,
                                      taco_error *err)
{
    taco__sql_expr **kids;
    taco__buf        list;
    size_t           i, k, n = 0;
    bool             ok = true, all = true, star = false;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    for (i = z->layer_count; ok && i-- > layers;) {
        ok = taco__view_layer_list_select_names(&list, z->layers[i].s, &star, err);
        all = all && star;
    }
    for (i = 0; i < s->order_count; i++) { /* ALL, or an item's number */
        all = all || !s->order[i].e || s->order[i].e->kind == TACO__SQL_EXPR_CONST;
    }
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
/* Rows of the first n >= 1 layers. ids: they say whose rows they are, as long as they are rows of the dataset. */
TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t n, bool ids,
                                            taco_error *err)
{
    const taco__view_layer *l = &z->layers[n - 1];
    taco__view_source       b;
    taco__executor         *x;
    taco_cursor            *c = NULL;
    bool                    ok = taco__view_layer_source_init(z, &b, n - 1, ids, err);
    c = ok ? taco__cursor_alloc(z->ds, 0, err) : NULL;
    if (c) {
        taco_bytes text = taco__bytes_text(l->sql);
        x = taco__planner_init(c, l->sql);
        ok = x != NULL;
        if (ok) {
            taco__view_layer_remove_pushed(l, &x->s);
        }
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
        c->level = z->q.table;
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
/* Rows of the whole plan; ids: the row itself as the only column there is to read, hidden or not. */
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids)
{
    if (z->layer_count) {
        return taco__view_layer_open(z, z->layer_count, true, z->err);
    }
    return taco__view_query_open_base(z, ids ? "\"" TACO__ROW_ID "\"" : NULL, NULL, 0, z->err);
}
/* ---- from steps to a plan -------------------------------------------------------------------------- */

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
    taco__buf_free(&z->also);
    taco__arena_free(&z->arena);
}
TACO__FN bool taco__view_query_mask_limit_dry(taco__view_query *z)
{
    const char *p = z->q.order, *name;
    taco_bytes  rest;
    size_t      i;
    bool        ok = true;
    while (ok && p && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        ok = taco__buf_append_text(&z->also, ", ", z->err) &&
             taco__view_layer_append_quoted(&z->also, name, z->err);
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok && z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_mask_limit_run(taco__view_query *z)
{
    taco_cursor   *c = taco__view_query_open(z, true);
    taco_batch     batch;
    size_t         i, store = 0;
    uint64_t       row;
    uint8_t       *fresh;
    uint32_t       level = z->q.table;
    taco__cascade *made;
    bool           ok = c != NULL;
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
/* Makes the rows that a limit leaves a mask, so that what comes after them may be part of the one query. */
TACO__FN bool taco__view_query_mask_limit(taco__view_query *z)
{
    return z->dry ? taco__view_query_mask_limit_dry(z) : taco__view_query_mask_limit_run(z);
}
TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco_filter *f)
{
    if (z->filter_count == z->filter_cap) {
        size_t       cap = z->filter_cap ? z->filter_cap * 2 : 8;
        taco_filter *p = (taco_filter *)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) {
            return false;
        }
        if (z->filter_count) {
            memcpy(p, z->filters, z->filter_count * sizeof *p);
        }
        z->filters = p;
        z->filter_cap = cap;
    }
    z->filters[z->filter_count++] = *f;
    return true;
}
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

/* ---- what sinks through layers --------------------------------------------------------------------- */

/* Whether a condition on plain columns of a layer may be tested below it: the rows that it leaves are the same ones then.
   Not those of LIMIT, nor the one row of an aggregate without groups; rows of DISTINCT and groups are kept or dropped
   whole. */
TACO__FN bool taco__view_pushdown_is_allowed(const taco__view_layer *l)
{
    return l->s->from_count == 1 && taco__ascii_is_word(l->s->from[0].name, "data") &&
           (!l->limits || l->unlimited) &&
           (l->keeps || l->s->groups || l->s->group_all || (l->s->distinct && !l->s->having));
}
/* Makes the name of a column of a layer that of the one below that it is. False where it is computed, or not one. */
TACO__FN bool taco__view_pushdown_name_below(const taco__view_layer *l, taco_bytes *name)
{
    const taco__sql_expr *found = NULL;
    size_t                i, k, hits = 0;
    for (i = 0; i < l->s->items->n; i++) {
        const taco__sql_expr *e = l->s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_STAR) {
            for (k = 0; k < e->n && !taco__bind_names_equal(e->kid[k]->name, *name); k++) {
            }
            hits += k == e->n;
        } else if (taco__bind_names_equal(e->alias.len ? e->alias : e->name, *name)) {
            found = e;
            hits++;
        }
    }
    if (hits != 1) {
        return !hits && l->keeps && taco__view_is_protected(*name);
    }
    if (found && found->kind != TACO__SQL_EXPR_COLUMN) {
        return false;
    }
    *name = found ? found->name : *name;
    return true;
}
/* The same down to the query, from what stands on the first n layers. s: the SELECT that has the name; where one of its
   own items is called like that, it is not looked into. */
TACO__FN bool taco__view_pushdown_base_name(const taco__view_query *z, size_t n,
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
TACO__FN bool taco__view_pushdown_rename(const taco__view_query *z, size_t n,
                                         const taco__sql_select *s, taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_COLUMN) {
        e->table.len = 0; /* there is one table */
        return taco__view_pushdown_base_name(z, n, s, &e->name);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_pushdown_rename(z, n, s, e->kid[i])) {
            return false;
        }
    }
    return !e->filter;
}
TACO__FN bool taco__view_pushdown_record(taco__view_query *z, const char *where)
{
    if (z->pushed_down_count == z->pushed_down_cap) {
        size_t       cap = z->pushed_down_cap ? z->pushed_down_cap * 2 : 8;
        const char **p = (const char **)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) {
            return false;
        }
        if (z->pushed_down_count) {
            memcpy(p, z->pushed_down, z->pushed_down_count * sizeof *p);
        }
        z->pushed_down = p;
        z->pushed_down_cap = cap;
    }
    z->pushed_down[z->pushed_down_count++] = where;
    return true;
}
/* Makes a condition of the topmost layer, in the names of the query, one of its filters. */
TACO__FN bool taco__view_pushdown_condition(taco__view_query *z, taco__executor *x,
                                            const taco__sql_expr *e, bool *pushed_down)
{
    taco__sql_expr *copy = taco__sql_expr_copy(&z->arena, e, z->err);
    taco__buf       text;
    taco_filter     f;
    size_t          slot;
    bool            ok;
    if (!copy || !taco__view_pushdown_rename(z, z->layer_count - 1, &x->s, copy)) {
        return copy != NULL;
    }
    slot = taco__pushdown_find_slot(x, copy);
    if (slot == TACO__NONE) {
        return x->c->err.code == TACO_OK;
    }
    memset(&text, 0, sizeof text);
    memset(&f, 0, sizeof f);
    text.mem = &z->ds->mem;
    f.level = (uint32_t)(slot % TACO__MAX_LEVELS);
    ok = taco__pushdown_format(x, &text, copy);
    f.where = ok ? taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err) : NULL;
    taco__buf_free(&text);
    *pushed_down =
        f.where && taco__view_query_add_filter(z, &f) && taco__view_pushdown_record(z, f.where);
    return *pushed_down;
}
/* The sort keys of the topmost layer as those of the query; NULL where they are none. */
TACO__FN const char *taco__view_pushdown_sort_order(taco__view_query *z, taco__executor *x)
{
    taco__buf   text;
    const char *out = NULL;
    size_t      i, k, table, column;
    bool        ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    for (i = 0; ok && i < x->s.order_count; i++) {
        const taco__sql_sort_key *o = &x->s.order[i];
        taco__sql_expr            e;
        ok = o->e && !o->nulls_first && o->e->kind == TACO__SQL_EXPR_COLUMN;
        if (!ok) {
            break;
        }
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
        ok = ok && e.kind == TACO__SQL_EXPR_COLUMN &&
             taco__bind_find_column(&x->b, &e, &table, &column) &&
             !x->b.tables[0].types[column].geo &&
             (!i || taco__buf_append_text(&text, ", ", z->err)) &&
             taco__view_layer_append_quoted(&text, x->b.tables[0].fields[column].name, z->err) &&
             (!o->desc || taco__buf_append_text(&text, " desc", z->err));
    }
    if (ok) {
        out = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return out;
}
/* Whether a layer only computes: its rows are those below it, in their order. */
TACO__FN bool taco__view_pushdown_is_projection(const taco__view_layer *l)
{
    taco__sql_expr **list;
    size_t           k, n = taco__view_layer_conjuncts(l->s, &list);
    for (k = 0; k < n && l->pushed_down && l->pushed_down[k]; k++) {
    }
    return l->keeps && k == n && (!l->s->order_count || l->unordered) &&
           (!l->limits || l->unlimited);
}
/* Moves conditions, order and limit of the topmost layer into the query, as far as the layers between let them. */
TACO__FN bool taco__view_pushdown_run(taco__view_query *z, taco__executor *x)
{
    size_t            top = z->layer_count - 1, i, k, n;
    taco__view_layer *l = &z->layers[top];
    taco__sql_select *s = l->s;
    taco__sql_expr  **list;
    const char       *order;
    bool              ok = true;
    n = taco__view_layer_conjuncts(&x->s, &list);
    l->pushed_down = (bool *)taco__arena_array(&z->arena, n + 1, sizeof *l->pushed_down, z->err);
    for (i = 0; i < top && taco__view_pushdown_is_allowed(&z->layers[i]); i++) {
    }
    n = i == top && !z->limited ? n : 0;
    for (i = 0; ok && l->pushed_down && i < n; i++) {
        ok = taco__view_pushdown_condition(z, x, list[i], &l->pushed_down[i]);
    }
    if (!ok || !l->pushed_down || !l->keeps) {
        return ok && l->pushed_down;
    }
    n = taco__view_layer_conjuncts(s, &list);
    for (k = 0; k < n && l->pushed_down[k]; k++) {
    }
    for (i = 0; i < top && taco__view_pushdown_is_projection(&z->layers[i]); i++) {
    }
    if (i == top && k == n && s->order_count && !z->limited) {
        order = taco__view_pushdown_sort_order(z, x);
        l->unordered = order != NULL;
        z->q.order = order ? order : z->q.order;
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
TACO__FN bool taco__view_query_add_layer(taco__view_query *z, const char *sql)
{
    taco__view_source b;
    taco_cursor      *c;
    taco__executor   *x;
    taco__sql_select *s;
    bool              ok;
    if (!taco__view_layer_init(z, sql)) {
        return false;
    }
    s = z->layers[z->layer_count - 1].s;
    if (s->from_count != 1 || !taco__ascii_is_word(s->from[0].name, "data")) {
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
TACO__FN bool taco__view_query_add_layer_text(taco__view_query *z, const char *a, taco_bytes b,
                                              const char *c)
{
    taco__buf   text;
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
TACO__FN bool taco__view_query_add_layer_list(taco__view_query *z, const char *before,
                                              const char *list, const char *behind)
{
    taco__buf text;
    bool      ok;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    ok = taco__view_layer_append_list(z, list, &text) &&
         taco__view_query_add_layer_text(z, before, taco__bytes_of(text.data, text.len), behind);
    taco__buf_free(&text);
    return ok;
}

TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f)
{
    bool   limited = z->limited;
    size_t i;
    if (!f->where && !f->bbox && !f->time) {
        return true;
    }
    if (z->layer_count && f->where && !f->bbox && !f->time && f->level == z->q.table) {
        return taco__view_query_add_layer_text(z, "SELECT * FROM data WHERE (",
                                               taco__bytes_text(f->where), ")");
    }
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
    return (!limited || taco__view_query_mask_limit(z)) && taco__view_query_add_filter(z, f);
}
TACO__FN bool taco__view_query_apply_select(taco__view_query *z, const char *list)
{
    const char *p = list, *q, *name, *old;
    taco_bytes  rest;
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT ", list, " FROM data");
    }
    while (z->q.select && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        bool found = taco__view_is_protected(taco__bytes_text(name));
        for (q = z->q.select;
             !found && taco__cursor_column_parse_name(&z->arena, &q, &old, &rest, z->err);) {
            found = strcmp(old, name) == 0;
        }
        if (!found) {
            taco_bytes n = taco__bytes_text(name);
            TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "select: the view has no column %q any more", &n);
            return false;
        }
    }
    z->q.select = list;
    return z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_apply_limit(taco__view_query *z, const taco__view_step *s)
{
    char digits[2][24];
    char text[96];
    if (!s->limit && !s->offset) {
        return true;
    }
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
/* Whether a planned SELECT is nothing but columns, conditions that scans test, plain sort keys and limits. */
TACO__FN bool taco__view_query_is_simple(taco__executor *x)
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
            if (taco__bind_names_equal(x->b.sources[k]->name, e->name)) {
                return false;
            }
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
/* "a", "b" desc: the select items, or the sort keys, of a simple SELECT. */
TACO__FN const char *taco__view_query_format_items(taco__view_query *z, taco__executor *x,
                                                   bool order)
{
    taco__buf   text;
    const char *out = NULL;
    size_t      i, table, column, n = order ? x->s.order_count : x->b.source_count;
    bool        ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    for (i = 0; ok && i < n; i++) {
        ok = taco__bind_find_column(&x->b, order ? x->s.order[i].e : x->b.sources[i], &table,
                                    &column) &&
             (!i || taco__buf_append_text(&text, ", ", z->err)) &&
             taco__view_layer_append_quoted(&text, x->b.tables[0].fields[column].name, z->err) &&
             (!order || !x->s.order[i].desc || taco__buf_append_text(&text, " desc", z->err));
    }
    if (ok) {
        out = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return out;
}
/* What a SELECT asks of rows of a level, as a filter that stays as long as the plan. */
TACO__FN bool taco__view_query_pushed_filter(taco__view_query *z, const taco__pushdown *pushed,
                                             uint32_t level, taco_filter *f)
{
    const taco__buf *where = &pushed->where[level];
    memset(f, 0, sizeof *f);
    f->level = level;
    if (where->len) {
        f->where = taco__arena_text(&z->arena, taco__bytes_of(where->data, where->len), z->err);
    }
    if (pushed->geometry[level]) {
        double *box = (double *)taco__arena_alloc(&z->arena, sizeof *pushed->box, z->err);
        f->geometry_column =
            taco__arena_text(&z->arena, taco__bytes_text(pushed->geometry[level]), z->err);
        if (box) {
            memcpy(box, pushed->box[level], sizeof *pushed->box);
        }
        f->bbox = box;
    }
    return z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_take_select(taco__view_query *z, taco__executor *x,
                                           const taco__pushdown *pushed)
{
    taco_filter           f;
    uint32_t              l;
    const taco__sql_expr *only = x->s.items->n == 1 ? x->s.items->kid[0] : NULL;
    if (z->limited && (x->s.where || x->s.order_count) && !taco__view_query_mask_limit(z)) {
        return false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!taco__view_query_pushed_filter(z, pushed, l, &f) ||
            ((f.where || f.bbox) && !taco__view_query_add_filter(z, &f))) {
            return false;
        }
    }
    if (x->s.order_count) {
        z->q.order = taco__view_query_format_items(z, x, true);
    }
    if (!only || only->kind != TACO__SQL_EXPR_STAR || only->n) {
        z->q.select = taco__view_query_format_items(z, x, false);
    }
    if (x->s.has_limit || x->s.offset) {
        taco__view_query_add_limit(z, x->s.has_limit ? x->s.limit : UINT64_MAX, x->s.offset);
    }
    return z->err->code == TACO_OK;
}
/* Makes a SELECT part of the query below, where that can say it; *taken tells. */
TACO__FN bool taco__view_query_absorb_select(taco__view_query *z, const char *sql, bool *taken)
{
    taco__view_source b;
    taco__pushdown   *pushed;
    taco_cursor      *c = taco__cursor_alloc(z->ds, 0, z->err);
    taco__executor   *x = c ? taco__planner_init(c, sql) : NULL;
    bool              ok = x != NULL;
    *taken = false;
    if (ok && taco__view_keeps_rows(&x->s)) {
        pushed = taco__pushdown_new(x);
        ok = taco__view_layer_source_init(z, &b, 0, false, z->err);
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
        taco__pushdown_free(pushed);
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
TACO__FN bool taco__view_query_apply(taco__view_query *z, const taco__view_step *s)
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
        if (z->limited && !taco__view_query_mask_limit(z)) {
            return false;
        }
        z->q.table = s->level;
        z->q.flat = s->flat;
        z->q.padding = z->q.padding || s->padding;
        return true;
    case TACO__VIEW_STEP_ORDER:
        if (z->layer_count) {
            return taco__view_query_add_layer_list(z, "SELECT * FROM data ORDER BY ", s->text, "");
        }
        if (z->limited && !taco__view_query_mask_limit(z)) {
            return false;
        }
        z->q.order = s->text;
        return true;
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
    z->arena.mem = z->also.mem = &v->ds->mem;
    z->err = err;
    z->layers =
        (taco__view_layer *)taco__arena_array(&z->arena, v->count + 2, sizeof *z->layers, err);
    z->masks = (uint8_t **)taco__arena_array(&z->arena, z->ds->container_count * TACO__MAX_LEVELS,
                                             sizeof *z->masks, err);
    for (i = 0; z->layers && z->masks && i < v->count; i++) {
        if (!taco__view_query_apply(z, &v->steps[i])) {
            return false;
        }
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

/* ---- public ---------------------------------------------------------------------------------------- */

TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_TABLE;
    s.level = level;
    s.flat = flat;
    if (v && level >= taco_levels(v->ds)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(level),
                   TACO__U(taco_levels(v->ds) - 1));
        taco__container_fail(&v->ds->stores[0], NULL, err);
        return NULL;
    }
    return taco__view_add_step(v, &s, err);
}
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err)
{
    taco_error       own;
    taco__view_query z;
    taco_cursor     *c = NULL;
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    if (taco__view_query_init(&z, v, false, &own)) {
        c = taco__view_query_open(&z, false);
    }
    taco__view_query_free(&z);
    if (!c && err && err->code == TACO_OK) {
        *err = own;
    }
    return c;
}
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err)
{
    taco_error   own;
    taco_cursor *c;
    memset(&own, 0, sizeof own);
    c = taco_view_rows(v, &own);
    if (!c) {
        if (out) {
            memset(out, 0, sizeof *out);
        }
        if (err && err->code == TACO_OK) {
            *err = own;
        }
        return own.code;
    }
    return taco_cursor_export(c, false, out, err);
}
/* The row that the first key of a path names among those of a view, as a path from the root. */
TACO__FN bool taco__view_find_row(taco__view_query *z, taco_bytes key, taco__buf *path)
{
    taco_filter  f;
    taco_batch   batch;
    taco_cursor *c;
    uint64_t     left = 0, row;
    size_t       store = 0;
    bool         found = false;
    if (!taco__nav_parse_position(key, &left)) {
        memset(&f, 0, sizeof f);
        f.level = z->q.table;
        f.where = taco__nav_id_predicate(
            &z->arena, taco__nav_id_column(&z->ds->stores[0], z->q.table), key, z->err);
        if (!f.where || !taco__view_query_apply_filter(z, &f)) {
            return false;
        }
    }
    c = taco__view_query_open(z, true);
    while (c && !found && taco_cursor_batch(c, &batch)) {
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
    if (!c || taco_cursor_close(c, z->err) != TACO_OK) {
        return false;
    }
    if (!found) {
        TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: the view has no sample %q",
                   z->ds->stores[0].name, &key);
    }
    return found;
}
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err)
{
    taco_error       own;
    taco__view_query z;
    taco__buf        full;
    taco_cursor     *c = NULL;
    const char      *rest;
    if (!v || !path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", v ? "path" : "view");
        return NULL;
    }
    if (!path[0]) {
        return taco_view_rows(v, err);
    }
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
    if (!c && err && err->code == TACO_OK) {
        *err = own;
    }
    return c;
}
/* ==== ROOM fed: files of ranges that were handed in, for hosts whose reads cannot wait. Uses: pq:io mem ==== */

typedef struct taco__range_source_file {
    struct taco__range_source_file *next;
    struct taco_feed               *feed;
    const char                     *path;
    bool                            missing; /* there is no such file */
    taco__file                      file;    /* its segments are what was handed in */
} taco__range_source_file;

struct taco_feed {
    taco__mem                mem;
    taco__arena              arena; /* files and names */
    taco__range_source_file *files;
    taco__buf                wanted; /* taco_range */
    bool                     stale;  /* wanted is of before the last piece */
};

TACO__FN bool taco__range_source_note_missing(taco_feed *f, const char *path, uint64_t offset,
                                              uint64_t len)
{
    taco_range *have = (taco_range *)(void *)f->wanted.data, r;
    size_t      i, n;
    f->wanted.len = f->stale ? 0 : f->wanted.len;
    f->stale = false;
    n = f->wanted.len / sizeof r;
    for (i = 0; i < n; i++) {
        if (strcmp(have[i].file, path) == 0 && have[i].offset == offset && have[i].len == len) {
            return true;
        }
    }
    memset(&r, 0, sizeof r);
    r.file = path;
    r.offset = offset;
    r.len = len;
    return taco__buf_append(&f->wanted, &r, sizeof r, NULL);
}
/* Notes what of the pieces is not there; true when all of it is. */
TACO__FN bool taco__range_source_has_ranges(taco__range_source_file *f, const taco_piece *reads,
                                            size_t n)
{
    taco__buf    list;
    taco__range *r;
    size_t       i, missing = 0, bytes;
    bool         ok;
    memset(&list, 0, sizeof list);
    list.mem = &f->feed->mem;
    ok = taco__checked_mul_size(n + f->file.segment_count, sizeof *r, &bytes) &&
         taco__buf_reserve(&list, bytes, NULL);
    if (ok) {
        r = (taco__range *)(void *)list.data;
        for (i = 0; i < n; i++) {
            r[i].offset = reads[i].offset;
            r[i].len = reads[i].len;
        }
        missing = taco__file_plan_reads(&f->file, r, n, 0);
        for (i = 0; i < missing; i++) {
            ok = taco__range_source_note_missing(f->feed, f->path, r[i].offset, r[i].len) && ok;
        }
    }
    taco__buf_free(&list);
    return ok && !missing;
}
TACO__FN bool taco__range_source_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    taco__range_source_file *f = (taco__range_source_file *)ctx;
    size_t                   i;
    bool                     ok = taco__range_source_has_ranges(f, reads, n);
    for (i = 0; ok && i < n; i++) {
        ok = taco__file_read(&f->file, reads[i].offset, reads[i].dst, reads[i].len, NULL);
    }
    return ok;
}
TACO__FN bool taco__range_source_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco_piece one;
    one.offset = offset;
    one.dst = dst;
    one.len = len;
    return taco__range_source_read_many(ctx, &one, 1);
}
TACO__FN bool taco__range_source_read_nothing(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    (void)dst;
    return len == 0;
}
/* The file of a name, made when it is new. */
TACO__FN taco__range_source_file *taco__range_source_find_file(taco_feed *f, const char *path,
                                                               bool add, taco_error *err)
{
    taco__range_source_file *x;
    for (x = f->files; x; x = x->next) {
        if (strcmp(x->path, path) == 0) {
            return x;
        }
    }
    x = add ? (taco__range_source_file *)taco__arena_alloc(&f->arena, sizeof *x, err) : NULL;
    if (x) {
        x->path = taco__arena_text(&f->arena, taco__bytes_text(path), err);
        if (!x->path) {
            return NULL;
        }
        x->feed = f;
        x->file.mem = &f->mem;
        x->file.src.read = taco__range_source_read_nothing;
        x->next = f->files;
        f->files = x;
    }
    return x;
}

/* ---- public ---------------------------------------------------------------------------------------- */

TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err)
{
    taco__mem  mem;
    taco_feed *f;
    taco__mem_init(&mem, opt);
    f = (taco_feed *)taco__mem_alloc(&mem, sizeof *f, err);
    if (f) {
        f->mem = mem;
        f->arena.mem = f->wanted.mem = &f->mem;
    }
    return f;
}
TACO_API void taco_feed_free(taco_feed *f)
{
    taco__mem                mem;
    taco__range_source_file *x;
    if (!f) {
        return;
    }
    for (x = f->files; x; x = x->next) {
        taco__file_close(&x->file);
    }
    taco__buf_free(&f->wanted);
    taco__arena_free(&f->arena);
    mem = f->mem;
    taco__mem_free(&mem, f, sizeof *f);
}
TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err)
{
    taco__range_source_file *x;
    if (!f || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          f ? "path" : "feed");
    }
    f->stale = true;
    x = taco__range_source_find_file(f, path, true, err);
    if (!x) {
        return TACO_ERR_MEMORY;
    }
    if (x->file.segment_count && x->file.src.size != size) {
        taco_bytes name = taco__bytes_text(path);
        return TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "the size of %q is %u, and it has been fed", &name, x->file.src.size);
    }
    x->missing = size == TACO_FEED_NO_FILE;
    x->file.src.size = x->missing ? 0 : size;
    return TACO_OK;
}
TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err)
{
    taco__range_source_file *x =
        f && path ? taco__range_source_find_file(f, path, false, err) : NULL;
    taco__range       *r;
    taco__file_segment s;
    size_t             i, n, bytes, room;
    if (!x || x->missing || (!data && len)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          x && !x->missing ? "no bytes given"
                                           : "no such file, taco_feed_file tells of it");
    }
    if (!taco__file_check_range(&x->file, offset, len, err)) {
        return TACO_ERR_TRUNCATED;
    }
    f->stale = true;
    room = 1 + x->file.segment_count;
    if (!taco__checked_mul_size(room, sizeof *r, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    r = (taco__range *)taco__mem_alloc(&f->mem, bytes, err);
    if (!r) {
        return TACO_ERR_MEMORY;
    }
    r[0].offset = offset;
    r[0].len = len;
    n = taco__file_plan_reads(&x->file, r, 1, 0);
    for (i = 0; i < n; i++) { /* what is there already stays: sources may be reading it */
        s.offset = r[i].offset;
        s.len = (size_t)r[i].len;
        s.pins = 0;
        s.data = (uint8_t *)taco__mem_resize(&f->mem, NULL, 0, s.len, err);
        if (!s.data) {
            break;
        }
        memcpy(s.data, (const uint8_t *)data + (size_t)(s.offset - offset), s.len);
        if (!taco__file_add_segment(&x->file, s, err)) {
            taco__mem_free(&f->mem, s.data, s.len);
            break;
        }
    }
    taco__mem_free(&f->mem, r, bytes);
    return i == n ? TACO_OK : TACO_ERR_MEMORY;
}
TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n)
{
    *n = f && !f->stale ? f->wanted.len / sizeof(taco_range) : 0;
    return *n ? (const taco_range *)(const void *)f->wanted.data : NULL;
}
TACO_API bool taco_feed_open_file(void *feed, const char *path, taco_source *out)
{
    taco_feed               *f = (taco_feed *)feed;
    taco__range_source_file *x;
    memset(out, 0, sizeof *out);
    if (!f || !path) {
        return false;
    }
    x = taco__range_source_find_file(f, path, false, NULL);
    if (!x) {
        const char *name = taco__arena_text(&f->arena, taco__bytes_text(path), NULL);
        if (name) {
            taco__range_source_note_missing(f, name, 0, 0);
        }
        return false;
    }
    out->ctx = x;
    out->size = x->file.src.size;
    out->read = taco__range_source_read;
    out->read_many = taco__range_source_read_many;
    return !x->missing;
}
/* ==== ROOM plan: what a view will read, told before it does: tables, row groups, pages, ranges. Uses: lazy sql cursor pq:scan pq:text ==== */

typedef struct taco__explain_range { /* a range of a file, of a round; not yet put in order */
    taco__file *file;
    taco__range range;
    uint32_t    round; /* 0 indexes, 1 what is tested, 2 what comes out */
    bool        at_most;
} taco__explain_range;
typedef struct taco__explain_file {
    taco__file *file;
    const char *name;
} taco__explain_file;

typedef struct taco__explain { /* behind the public part */
    taco_plan   plan;
    taco__mem  *mem;
    taco__arena arena;
    taco__buf   needs, tables, files, ranges; /* need, taco_plan_table, file, taco_range */
    taco__buf   text, json;
    uint64_t    skip, left; /* of rows that come out one by one */
    bool        waits;      /* for indexes */
    taco_error *err;
} taco__explain;

TACO__FN bool taco__explain_add_file(taco__explain *p, taco__file *file, const char *name)
{
    const taco__explain_file *have = (const taco__explain_file *)(const void *)p->files.data;
    taco__explain_file        f;
    size_t                    i;
    for (i = 0; i < p->files.len / sizeof f; i++) {
        if (have[i].file == file) {
            return true;
        }
    }
    f.file = file;
    f.name = taco__arena_text(&p->arena, taco__bytes_text(name), p->err);
    return f.name && taco__buf_append(&p->files, &f, sizeof f, p->err);
}
/* Takes ranges over as needs of a round, and empties them. */
TACO__FN bool taco__explain_add_ranges(taco__explain *p, taco__file *file, taco__buf *ranges,
                                       uint32_t round, bool at_most)
{
    taco__explain_range n;
    size_t              i;
    bool                ok = true;
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

/* ---- one table ------------------------------------------------------------------------------------- */

TACO__FN const char *const *taco__explain_column_names(taco__explain *p, const taco__table *t,
                                                       const size_t *which, size_t n)
{
    const char **out = (const char **)taco__arena_array(&p->arena, n + 1, sizeof *out, p->err);
    size_t       i;
    for (i = 0; out && i < n; i++) {
        out[i] = taco__arena_text(&p->arena, taco__bytes_text(t->fields[which[i]].name), p->err);
        if (!out[i]) {
            return NULL;
        }
    }
    return out;
}
/* Reads the indexes of a table's row groups: what follows depends on them. Where that fails they are what is needed
   first. */
TACO__FN bool taco__explain_read_indexes(taco__explain *p, taco__scan *s, const uint32_t *groups,
                                         const uint8_t *may, size_t n)
{
    taco__file *file = s->table->pq->part.file;
    taco__buf   asked;
    size_t      i;
    bool        ok = true;
    for (i = 0; i < n; i++) {
        if ((s->where && may[i] != TACO__MAY_TRUE &&
             !taco__scan_fetch_add_filter_index(s, groups[i], p->err)) ||
            !taco__scan_fetch_add_output_index(s, groups[i], p->err)) {
            return false;
        }
    }
    memset(&asked, 0, sizeof asked);
    asked.mem = p->mem;
    ok = taco__buf_append(&asked, s->fetch.data, s->fetch.len, p->err);
    p->plan.index_bytes += taco__scan_fetch_range_bytes(&s->fetch);
    if (ok && !taco__scan_fetch_ranges(s, &s->held, p->err)) {
        ok = false;
        if (p->err->code == TACO_ERR_IO) {
            p->waits = taco__explain_add_ranges(p, file, &asked, 0, false);
        }
    }
    taco__buf_free(&asked);
    return ok;
}
/* The needs of a scan: its predicate, and its columns for rows that may be left. depends: on more than this. */
TACO__FN bool taco__explain_scan(taco__explain *p, taco__scan *s, taco_plan_table *t, bool depends)
{
    uint32_t     *all;
    uint8_t      *may;
    size_t        i, n = 0, k = 0, end, count = taco__table_group_count(s->table);
    unsigned      m;
    taco_pq_file *pq = s->table->pq;
    taco__buf     ranges;
    bool          ok = true;
    all = (uint32_t *)taco__arena_array(&p->arena, count + 1, sizeof *all, p->err);
    may = (uint8_t *)taco__arena_array(&p->arena, count + 1, sizeof *may, p->err);
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    while (all && may && taco__scan_next_candidate(s, &all[n], &m)) {
        may[n++] = (uint8_t)m;
    }
    ok = all && may && taco__explain_read_indexes(p, s, all, may, n);
    for (i = 0; ok && i < n; i++) {
        m = may[i];
        ok = (m == TACO__MAY_TRUE || taco__scan_prune_by_bloom(s, all[i], &m, p->err)) &&
             (!(m & TACO__MAY_TRUE) || taco__scan_prune_by_page_index(s, all[i], m, p->err));
    }
    for (i = 0; ok && i < n; i++) {
        const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
        uint64_t               stop = taco__table_group_first_row(s->table, all[i]) +
                        taco__table_group_rows(s->table, all[i]);
        size_t            spans = s->spans.len / sizeof *x;
        bool              test = false;
        taco__wanted_rows w;
        memset(&w, 0, sizeof w);
        for (end = k; end < spans && x[end].first < stop; end++) {
            test = test || (s->where && !x[end].whole);
        }
        w.spans = x + k;
        w.span_count = end - k;
        if (end > k) {
            ok =
                (!test || (taco__scan_fetch_add_chunks(pq, s->used, s->used_count, s->table->stored,
                                                       all[i], &w, &ranges, p->err) &&
                           taco__explain_add_ranges(p, pq->part.file, &ranges, 1, depends))) &&
                taco__scan_fetch_add_chunks(pq, s->out.which, s->out.count, s->table->stored,
                                            all[i], &w, &ranges, p->err) &&
                taco__explain_add_ranges(p, pq->part.file, &ranges, 2, test || depends);
            t->at_most = t->at_most || test || depends;
        }
        for (; k < end && x[k].first + x[k].n <= stop; k++) {
            t->rows_left += x[k].n;
        }
    }
    taco__buf_free(&ranges);
    t->groups += s->counts.groups;
    t->groups_pruned += s->counts.groups_pruned + s->counts.bloom_pruned;
    t->pages += s->counts.pages;
    t->pages_pruned += s->counts.pages_pruned;
    return ok;
}
/* A level that is tested or joined, not shown. */
TACO__FN bool taco__explain_level(taco__explain *p, taco__table_reader *f, uint32_t l,
                                  uint32_t last)
{
    taco__level    *level = &f->store->levels[l];
    taco__scan      s;
    taco_plan_table t;
    taco__buf       ranges;
    bool            ok, few = (l && taco__lookup_is_possible(f->store, l)) ||
                   (l < last && taco__lookup_is_possible(f->store, l + 1));
    memset(&t, 0, sizeof t);
    if (!level->table.pq) {
        return true;
    }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    ok = taco__cascade_need_level(f->store, l, f->tested[l], last, f->deepest, &ranges, p->err) &&
         taco__explain_add_ranges(p, level->table.pq->part.file, &ranges, 1, false) &&
         (!few || (taco__cascade_need_level(f->store, l, NULL, last, last, &ranges, p->err) &&
                   taco__cascade_need_indexes(f->store, l, last, &ranges, p->err) &&
                   taco__explain_add_ranges(p, level->table.pq->part.file, &ranges, 1, true)));
    taco__buf_free(&ranges);
    if (!ok || !f->tested[l] ||
        !taco__scan_open(&s, &level->table, f->tested[l], NULL, NULL, 0, 0, p->mem, p->err)) {
        return ok && !f->tested[l];
    }
    t.dataset = f->store->name;
    t.level = l;
    t.rows = level->table.rows;
    t.tested = taco__explain_column_names(p, &level->table, s.used, s.used_count);
    t.tested_count = s.used_count;
    ok = t.tested && taco__explain_scan(p, &s, &t, false) &&
         taco__buf_append(&p->tables, &t, sizeof t, p->err);
    taco__scan_close(&s);
    return ok;
}

/* ---- cursors --------------------------------------------------------------------------------------- */

/* Ancestors that a flat view shows. */
TACO__FN bool taco__explain_ancestors(taco__explain *p, const taco_cursor *c, taco__table_reader *f)
{
    uint32_t  l;
    taco__buf ranges;
    bool      ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    for (l = 0; ok && c->flat && l < c->level; l++) {
        const taco__row_reader *r = &f->rows[l];
        taco_plan_table         t;
        if (!r->table->pq || !r->count) {
            continue;
        }
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
TACO__FN bool taco__explain_store(taco__explain *p, const taco_cursor *c, taco__table_reader *f)
{
    taco_pq_file   *pq = f->table->pq;
    taco__scan     *s = &f->scan;
    taco_plan_table t;
    uint32_t        l, last = TACO__MAX(f->deepest, c->level);
    bool            ok = true, plain = !s->where && !f->tested;
    for (l = 0; ok && l < TACO__MAX_LEVELS; l++) { /* names of the files that may be asked for */
        const taco__level *level = &f->store->levels[l];
        ok = !level->table.pq || taco__explain_add_file(p, level->table.pq->part.file,
                                                        level->path ? level->path : f->store->name);
    }
    for (l = 0; ok && f->tested && l <= last; l++) {
        ok = taco__explain_level(p, f, l, last);
    }
    if (!ok || !pq) {
        return ok;
    }
    memset(&t, 0, sizeof t);
    t.dataset = f->store->name;
    t.level = c->level;
    t.rows = f->table->rows;
    t.tested = taco__explain_column_names(p, f->table, s->used, s->used_count);
    t.tested_count = s->used_count;
    t.shown = taco__explain_column_names(p, f->table, s->out.which, s->out.count);
    t.shown_count = s->out.count;
    if (plain) { /* rows leave as they are stored */
        s->from = TACO__MIN(p->skip, f->table->rows);
        s->to = f->table->rows - s->from > p->left ? s->from + p->left : f->table->rows;
        p->skip -= s->from;
        p->left -= s->to - s->from;
    }
    return t.tested && t.shown && taco__explain_scan(p, s, &t, f->tested != NULL) &&
           taco__buf_append(&p->tables, &t, sizeof t, p->err) && taco__explain_ancestors(p, c, f);
}
TACO__FN bool taco__explain_cursor(taco__explain *p, taco_cursor *c, uint32_t depth)
{
    size_t i;
    if (c->next) {
        taco__executor *x = (taco__executor *)c->plan;
        for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
            if (x->scans[i] && depth < 64 && !taco__explain_cursor(p, x->scans[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    p->skip = c->skip;
    p->left = c->left;
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__explain_store(p, c, &c->readers[i])) {
            return false;
        }
    }
    return true;
}

/* ---- ranges ---------------------------------------------------------------------------------------- */

/* The needs of one file and round as ranges: joined as a vectored source is asked for them, without what is held and what
   rounds before brought. seen: a file whose segments are those. */
TACO__FN bool taco__explain_add_round(taco__explain *p, const taco__explain_file *file,
                                      taco__file *seen, uint32_t round, bool at_most,
                                      uint32_t number, bool *any)
{
    const taco__explain_range *need = (const taco__explain_range *)(const void *)p->needs.data;
    size_t                     i, n = 0, count = p->needs.len / sizeof *need, bytes;
    taco__range               *r;
    uint64_t                   asked = 0, left = 0;
    bool                       ok = true;
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
        taco_range         out;
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
/* Puts the needs of all files in order. */
TACO__FN bool taco__explain_order_rounds(taco__explain *p)
{
    const taco__explain_file *files = (const taco__explain_file *)(const void *)p->files.data;
    size_t                    i, k, n = p->files.len / sizeof *files;
    taco__file *seen = (taco__file *)taco__arena_array(&p->arena, n + 1, sizeof *seen, p->err);
    uint32_t    round, number = 0;
    bool        ok = seen != NULL;
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

/* ---- as text --------------------------------------------------------------------------------------- */

TACO__FN bool taco__explain_append(taco__explain *p, taco__buf *b, const char *text)
{
    return taco__buf_append_text(b, text, p->err);
}
TACO__FN bool taco__explain_append_number(taco__explain *p, taco__buf *b, const char *before,
                                          uint64_t n, const char *behind)
{
    char digits[24];
    return taco__explain_append(p, b, before) &&
           taco__buf_append(b, digits, taco__num_format_u64(digits, n), p->err) &&
           taco__explain_append(p, b, behind);
}
TACO__FN bool taco__explain_append_list(taco__explain *p, taco__buf *b, const char *label,
                                        const char *const *names, size_t n)
{
    size_t i;
    bool   ok = !n || taco__explain_append(p, b, label);
    for (i = 0; ok && i < n; i++) {
        ok = taco__explain_append(p, b, i ? ", " : " ") && taco__explain_append(p, b, names[i]);
    }
    return ok && (!n || taco__explain_append(p, b, "\n"));
}
TACO__FN bool taco__explain_append_table(taco__explain *p, taco__buf *b, const taco_plan_table *t)
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
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    taco__buf     *b = p ? &p->text : NULL;
    size_t         i;
    bool           ok = p != NULL;
    if (!p) {
        return taco__bytes_of(NULL, 0);
    }
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
TACO__FN bool taco__explain_json_list(taco__explain *p, taco__buf *b, const char *key,
                                      const char *const *names, size_t n)
{
    size_t i;
    bool   ok = taco__explain_append(p, b, key);
    for (i = 0; ok && i < n; i++) {
        ok = (!i || taco__explain_append(p, b, ",")) &&
             taco__json_write_string(b, taco__bytes_text(names[i]), p->err);
    }
    return ok && taco__explain_append(p, b, "]");
}
TACO__FN bool taco__explain_json_table(taco__explain *p, taco__buf *b, const taco_plan_table *t)
{
    return taco__explain_append(p, b, "{\"dataset\":") &&
           taco__json_write_string(b, taco__bytes_text(t->dataset), p->err) &&
           taco__explain_append_number(p, b, ",\"level\":", t->level, "") &&
           taco__explain_append_number(p, b, ",\"rows\":", t->rows, "") &&
           taco__explain_append_number(p, b, ",\"row_groups\":", t->groups, "") &&
           taco__explain_append_number(p, b, ",\"row_groups_pruned\":", t->groups_pruned, "") &&
           taco__explain_append_number(p, b, ",\"pages\":", t->pages, "") &&
           taco__explain_append_number(p, b, ",\"pages_pruned\":", t->pages_pruned, "") &&
           taco__explain_append_number(p, b, ",\"rows_left\":", t->rows_left, "") &&
           taco__explain_append(p, b, t->at_most ? ",\"at_most\":true" : ",\"at_most\":false") &&
           taco__explain_json_list(p, b, ",\"tests\":[", t->tested, t->tested_count) &&
           taco__explain_json_list(p, b, ",\"reads\":[", t->shown, t->shown_count) &&
           taco__explain_append(p, b, "}");
}
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    taco__buf     *b = p ? &p->json : NULL;
    size_t         i;
    bool           ok = p != NULL;
    if (!p) {
        return taco__bytes_of(NULL, 0);
    }
    p->err = err;
    b->len = 0;
    ok = taco__explain_json_list(p, b, "{\"selects\":[", plan->selects, plan->select_count) &&
         taco__explain_append(p, b, ",\"tables\":[");
    for (i = 0; ok && i < plan->table_count; i++) {
        ok = (!i || taco__explain_append(p, b, ",")) &&
             taco__explain_json_table(p, b, &plan->tables[i]);
    }
    ok =
        ok && taco__explain_append(p, b, "]") &&
        taco__explain_json_list(p, b, ",\"pushed_down\":[", plan->pushed_down,
                                plan->pushed_down_count) &&
        taco__explain_append_number(p, b, ",\"rounds\":", plan->rounds, "") &&
        taco__explain_append_number(p, b, ",\"requests\":", plan->range_count, "") &&
        taco__explain_append_number(p, b, ",\"bytes\":", plan->bytes, "") &&
        taco__explain_append_number(p, b, ",\"held\":", plan->held, "") &&
        taco__explain_append_number(p, b, ",\"index_bytes\":", plan->index_bytes, "") &&
        taco__explain_append(p, b, plan->complete ? ",\"complete\":true" : ",\"complete\":false") &&
        taco__explain_append(p, b, ",\"ranges\":[");
    for (i = 0; ok && i < plan->range_count; i++) {
        const taco_range *r = &plan->ranges[i];
        ok = taco__explain_append(p, b, i ? ",{\"file\":" : "{\"file\":") &&
             taco__json_write_string(b, taco__bytes_text(r->file), p->err) &&
             taco__explain_append_number(p, b, ",\"round\":", r->round + 1, "") &&
             taco__explain_append_number(p, b, ",\"offset\":", r->offset, "") &&
             taco__explain_append_number(p, b, ",\"bytes\":", r->len, "") &&
             taco__explain_append(p, b, r->at_most ? ",\"at_most\":true}" : ",\"at_most\":false}");
    }
    ok = ok && taco__explain_append(p, b, "]}");
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}

/* ---- public ---------------------------------------------------------------------------------------- */

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
/* Lays the public part over what was gathered. */
TACO__FN bool taco__explain_finish(taco__explain *p, const taco__view_query *z)
{
    const char **texts =
        (const char **)taco__arena_array(&p->arena, z->layer_count + 1, sizeof *texts, p->err);
    size_t i;
    if (!texts || !taco__explain_order_rounds(p)) {
        return false;
    }
    for (i = 0; i < z->layer_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__bytes_text(z->layers[i].sql), p->err);
        if (!texts[i]) {
            return false;
        }
    }
    p->plan.selects = texts;
    p->plan.select_count = z->layer_count;
    texts = (const char **)taco__arena_array(&p->arena, z->pushed_down_count + 1, sizeof *texts,
                                             p->err);
    for (i = 0; texts && i < z->pushed_down_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__bytes_text(z->pushed_down[i]), p->err);
    }
    if (!texts || p->err->code != TACO_OK) {
        return false;
    }
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
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err)
{
    taco__explain   *p;
    taco__view_query z;
    taco_cursor     *c = NULL;
    taco_error       own;
    bool             ok;
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    p = (taco__explain *)taco__mem_alloc(&v->ds->mem, sizeof *p, err);
    if (!p) {
        return NULL;
    }
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
        if (err && err->code == TACO_OK) {
            *err = own;
        }
        taco_plan_free(&p->plan);
        return NULL;
    }
    return &p->plan;
}
#endif /* TACO_IMPLEMENTATION */
