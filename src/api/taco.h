/* taco.h - open TACO datasets from C: filter them, navigate them, hand GDAL their paths.

   Includes taco_parquet.h, which must be next to it. This file is generated from src/ by `make
   headers`: edit src/, not this file. src/where.sh taco.h:LINE prints where a line comes from, and
   the implementation begins with a table of its files. SQL, views and query plans are in
   taco_sql.h, creating and validating in taco_write.h.

   Do this in exactly one source file, before other includes:

       #define TACO_IMPLEMENTATION
       #include "taco.h"

   and include the header without the macro everywhere else. C99 or C++11; only libc is needed.

   Quick start: print the paths of all samples in a box and a time range that meet a condition.

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

   CALLS follow the rules of taco_parquet.h (failures, NULL, ownership, threads); so do predicates,
   limits and switches. A dataset, its cursors and their rows belong to one thread at a time.

   THE MODEL (spec 5): a dataset is a tree of samples. A FILE holds bytes, a FOLDER holds samples.
   Level 0 is the top; all samples of a level are the rows of one table, METADATA/levelN.parquet.
   The children of one FOLDER are listed in its own __meta__ as well. internal:gdal_vsi is not
   stored: it is computed for the rows that are returned, for ZIP archives as
   /vsisubfile/{offset}_{size},{path}. URLs take GDAL's form: s3:// /vsis3/, gs:// /vsigs/,
   az:// /vsiaz/, oss:// /vsioss/, swift:// /vsiswift/, http(s):// /vsicurl/.

   READS: .tacozip by its TACO_HEADER, or by its central directory if that is damaged; FOLDERs;
   the `__TACOCAT__` file and the .tacocat directory; lists of datasets; every generation of the
   writer since 2025-10, including Avro metadata and files without internal:current_id. Tortilla,
   TACO 0.x (taco_legacy.h) and Rasteret (taco_rasteret.h) open through taco_options.openers;
   without openers, an error names the format, as it does for TACO 3.

   WHERE WE DIFFER from the Python reference, on purpose:
   1. Joins go by dataset, source file and parent id: flat views and cascades over several archives
      have no cross products.
   2. Filters of one level must hold for the same row, filters of several levels along one path; a
      later filter never undoes an earlier one. Level-0 rows are distinct, in storage order.
   3. Padding (__TACOPAD__N) is hidden everywhere unless it is requested.
   4. __meta__ decides for navigation. Consolidated offsets are wrong in files whose FOLDER ids were
      not in byte order when they were written; taco_read and taco_payload are right for them.
   5. Time filters are whole UTC days as in the reference, but on every machine; exact_time gives
      instants.
   6. NaN is greater than every number. A row without an id is shown. A type other than FILE or
      FOLDER is refused when the sample is read.
   7. A path never leaves the dataset: an id, internal:relative_path or internal:source_file that
      would lead outside is an error.
   8. A box in degrees (all bounds in -180..180, -90..90) is compared with istac:geometry in
      degrees: rows whose istac:crs is UTM or web mercator are converted, vertex by vertex; the
      reference compares their metres with the box. Rows in other projected CRSs are compared as
      stored, with a warning if statistics show that there may be some.
   9. What a dataset says of its version (taco_version) does not decide how it is read: its content
      does, so that files of every writer can be read. A taco_version that is not a version number
      is a warning.
   10. Many ranges are passed to a source at once (read_many), which may request them in parallel.
      The draft merges all ranges less than 4 MB apart; Tortilla 0.5.0 puts several ranges into one
      HTTP request, which object stores do not support. Here ranges are merged where that costs
      little.
   11. Band statistics are written as geotiff:stats, the reference's name for them; internal:stats,
      the name in the June draft (8.3), is read.

   READS OF A REMOTE SOURCE: two to open (the header; then COLLECTION.json with the footer before
   it, or all metadata if it is under 1 MiB). If taco_source.read_many is set, a filter takes two
   more rounds: the predicate's columns, then the other columns of the row groups that still have
   rows.

   SEVERAL DATASETS: their pit schemas must name the same children. Columns that some of them lack
   are dropped (with a warning that names the datasets), filled with nulls, or refused. Differing
   types become the type that DuckDB's UNION gives, with its values: the wider number, FLOAT or
   DOUBLE if one of them is, DECIMAL(38, 0) for UINT64 with signed integers, a DECIMAL for decimals
   with each other and with integers; text for numbers, dates and times with text, binary for text
   with binary; the finer time; lists, maps and structs by what they consist of. Without a common
   type (DATE with numbers, a list with anything else) it is an error, and so is a value that does
   not fit. internal:source_file is the archive that a row comes from. Conditions test the values
   that are returned: those of the common type.

   MEMORY: results stream, except that `order` holds the matching rows, and filters of deeper levels
   one bit and a parent number per row. */
#ifndef TACO_H
#define TACO_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taco_dataset taco_dataset;
typedef struct taco_cursor taco_cursor;

typedef enum taco_kind {
    TACO_KIND_ZIP = 1, /* .tacozip: one archive with a TACO_HEADER (spec 6.3) */
    TACO_KIND_FOLDER,  /* a directory with DATA, METADATA and COLLECTION.json (spec 6.4) */
    /* a catalogue of archives: `__TACOCAT__` or a `.tacocat` directory (spec 6.5) */
    TACO_KIND_TACOCAT,
    TACO_KIND_OTHER /* opened by one of taco_options.openers: taco_dataset_format names it */
} taco_kind;

/* A format that another header reads, for taco_options.openers; that header has a function that
   returns it. */
typedef struct taco_opener taco_opener;

/* Which columns several datasets have when they are opened as one (spec 7.2.4). */
typedef enum taco_column_mode {
    TACO_COLUMNS_INTERSECTION = 0, /* only those that all of them have */
    TACO_COLUMNS_FILL_MISSING,     /* all; null where a dataset lacks one */
    /* columns and types must be the same in all of them. If not, the first use of a level fails
       (TYPE, ARGUMENT); the message names the differences of all levels and datasets, as many as
       fit, and taco_options.warn is called for each */
    TACO_COLUMNS_STRICT
} taco_column_mode;

/* ---- open ------------------------------------------------------------------------------------ */

/* Opens a .tacozip/.zip, a FOLDER, a `__TACOCAT__` file, or a `.tacocat` directory or its parent;
   content decides which it is. A file named TACOLLECTION.json opens as all its sources. opt may
   be NULL. Reads the header and COLLECTION.json (at most two reads); levels are read when they
   are first needed. The caller closes the dataset with taco_close. NULL on failure. */
TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err);
/* Opens n datasets as one: their rows are concatenated; if n > 1, internal:source_path and
   internal:source_file tell them apart. ARGUMENT when their pit schemas do not name the same
   children. Otherwise as taco_open.

       paths  n paths, each as taco_open takes it; not kept. None may be NULL
       n      number of paths, at least 1
       mode   what to do with columns that some datasets lack
       opt    options of every dataset; NULL: defaults */
TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err);
/* Opens an archive or a `__TACOCAT__` from a source of the caller. src is copied, and is closed
   with the dataset, or at once on failure. name is used in paths and messages: a local path, a URL
   (s3://, https://, ...) or a /vsi path; it may be NULL. Otherwise as taco_open.

       src   bytes of an archive or a `__TACOCAT__`; read and size must be set
       name  name in paths and messages; copied. NULL: paths are empty
       opt   options; NULL: defaults */
TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err);
/* Opens n sources as one dataset, as taco_open_many does with paths. names may be NULL, and so may
   each of them. All sources are copied; they are closed with the dataset, or at once on failure.

       sources  n sources, each as taco_open_source takes it
       names    n names, or NULL; each may be NULL; copied
       n        number of sources, at least 1
       mode     what to do with columns that some datasets lack
       opt      options of every dataset; NULL: defaults */
TACO_API taco_dataset *taco_open_sources(const taco_source *sources, const char *const *names,
                                         size_t n, taco_column_mode mode, const taco_options *opt,
                                         taco_error *err);
/* Closes a dataset. Its cursors, statistics and payload sources must be closed before. */
TACO_API void taco_close(taco_dataset *ds);
/* Sets where the archives of a TACOCAT are, if not next to the catalogue (spec 7.2.1); other kinds
   ignore it. A missing '/' is added; base is copied, in GDAL paths as an absolute path. A base
   that does not exist is an error only when a payload is read. */
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err);

/* ---- what it is ------------------------------------------------------------------------------ */

/* Return texts of COLLECTION.json (spec 5.6), of the first of several datasets; "" where it has
   none. They live as long as ds. */
TACO_API const char *taco_id(const taco_dataset *ds);
TACO_API const char *taco_dataset_version(const taco_dataset *ds);
TACO_API const char *taco_description(const taco_dataset *ds);
TACO_API const char *taco_title(const taco_dataset *ds);
/* Returns the JSON text of one top-level value ("extent", "providers", "taco:pit_schema", ...) as
   it is in the document, or the whole document for key NULL; {NULL, 0} when there is none. Lives as
   long as ds. */
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key);
/* Returns taco:pit_schema with root.n = n, the schema of a subset of n samples (spec 8.2 of the
   draft of June 2025; the counts below are unchanged). Lives as long as ds. {NULL, 0} on failure:
   NOT_FOUND when the collection has none. */
TACO_API taco_bytes taco_pit_schema(taco_dataset *ds, uint64_t n, taco_error *err);
/* Returns the kind of the first dataset, 0 for NULL. */
TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds);
/* Returns the format of a TACO_KIND_OTHER ("tortilla", "rasteret"), "" for TACO 2. A constant. */
TACO_API const char *taco_dataset_format(const taco_dataset *ds);
/* Returns the number of levels: the deepest is taco_levels(ds) - 1. 0 for NULL. */
TACO_API uint32_t taco_levels(const taco_dataset *ds);
/* Returns the rows of a level, padding included; -1 on failure. */
TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err);
/* Returns the columns of a level as stored, *n of them, which live as long as ds; NULL on failure.

       ds     the dataset; opens the level's table if necessary
       level  from 0 to taco_levels(ds) - 1
       n      gets the number of columns, 0 on failure; not NULL */
TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err);
/* Returns what `taco info --json` prints: one JSON object; {NULL, 0} on failure. Lives until the
   next call, at most as long as ds. */
TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err);

/* ---- query ----------------------------------------------------------------------------------- */

/* A filter on the rows of one level. Members that are NULL or 0 do not filter; a row must meet all
   others. */
typedef struct taco_filter {
    /* a predicate, see the manual of taco_parquet.h. lN:NAME is a column of another level: parts
       joined by AND may test several levels, which must hold along one path */
    const char *where;
    /* west, south, east, north: rows whose exact geometry intersects the box, edges included, in
       the units of the column (degrees for stac:centroid; istac:geometry: degrees, or the units of
       istac:crs if the box is not in degrees). A box in degrees whose west is greater than its
       east crosses 180 degrees; otherwise corners may be swapped. Infinities leave a side open, NaN
       is an ARGUMENT error. */
    const double *bbox;
    /* "A" or "A/B", ISO 8601: whole UTC days, both included; also months ("2024-03") and years */
    const char *time;
    /* NULL: the first that exists of istac:geometry, stac:centroid, istac:centroid */
    const char *geometry_column;
    const char *time_column; /* NULL: the first that exists of istac:time_start, stac:time_start */
    uint32_t level;
    bool exact_time; /* instants, half open [A, B), instead of days */
} taco_filter;

/* {0} selects every level-0 sample. Filters of several levels must hold along one path: for a row,
   its parent, and so on. */
typedef struct taco_query {
    const char *where; /* the first seven members are a taco_filter on `level` */
    const double *bbox;
    const char *time;
    const char *geometry_column;
    const char *time_column;
    uint32_t level;
    bool exact_time;
    const taco_filter *filters; /* further ones */
    size_t filter_count;
    uint32_t table; /* the level whose rows are returned */
    /* only FILE rows, with the columns of their ancestors, named lN:column; in SQL lN has all
       rows */
    bool flat;
    const char *select; /* "a, b": these columns; NULL = all, and internal:gdal_vsi */
    const char *order;  /* "a desc, b": nulls last in both directions; NULL = storage order */
    uint64_t limit;     /* 0 = no limit */
    uint64_t offset;    /* rows to skip first */
    bool padding;       /* also return the __TACOPAD__N rows */
    /* Only rows whose position in the table (taco_cursor_positions) is in [row_from, row_to);
       row_to 0: all rows. Other rows are not read. For taco_select, taco_export and
       taco_aggregate; taco_view_open refuses it. */
    uint64_t row_from, row_to;
} taco_query;

/* Starts a query and returns a cursor over its rows. q may be NULL and is not kept. NULL on
   failure: SYNTAX of a text, NOT_FOUND and TYPE for its columns, ARGUMENT for levels. The caller
   closes the cursor, before the dataset; several may be open. */
TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *q, taco_error *err);
/* Opens the sources of a merged collection (spec 6.6) as one dataset: the archives and FOLDERs
   named in taco:sources of a TACOLLECTION.json, next to it. Unless route is NULL, sources are left
   out that cannot have rows of that query, by the box (in degrees) or the days of one of its
   filters: those that lie outside by taco:bounds of taco_create_tacollection, if their size and
   last bytes are those that it noted (remote sources are not asked). Extents leave out none:
   writers make them of centroids. The query itself is not run. Otherwise as taco_open_many.

       path   the TACOLLECTION.json; its sources are next to it
       route  boxes and times of the sources to open; NULL: all. Not kept
       mode   what to do with columns that some datasets lack
       opt    options of every dataset; NULL: defaults */
TACO_API taco_dataset *taco_open_tacollection(const char *path, const taco_query *route,
                                              taco_column_mode mode, const taco_options *opt,
                                              taco_error *err);
/* Returns a cursor over the children of a FOLDER, named by a path of ids and @positions
   ("tile_07/@2"; "@@2" counts padding); "" = the level-0 samples; for the path of a FILE the cursor
   has that one row. Ids in old formats may contain '/' and begin with '@': "a\/b" is one key, "\@2"
   an id; "a/b" is found as well if there is no sample "a" with a "b". With padding, positions count
   and rows include __TACOPAD__N. NULL on failure, NOT_FOUND when there is no such sample. The
   caller closes the cursor, before the dataset.

       ds       the dataset; must outlive the cursor
       path     ids and @positions with '/' between them, "" or NULL for level 0; not kept
       padding  whether to include __TACOPAD__N rows */
TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err);
/* Returns a cursor over the children of the current row, whatever columns it has: a FOLDER at any
   level, in a cursor of taco_select, of a view whose rows are samples, of taco_read or of this
   function. NULL on failure, STATE before the first row. The caller closes the cursor, before the
   dataset. */
TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err);

/* Steps to the next row. False at the end and on failure: taco_cursor_close says which. */
TACO_API bool taco_cursor_next(taco_cursor *row);
/* Fills *out with the next batch of rows; its arrays live until the next call. False at the end and
   on failure. A cursor is stepped by rows or by batches, not both. */
TACO_API bool taco_cursor_batch(taco_cursor *row, taco_batch *out);
/* Returns, for each row of the last batch, its position in its level, counted over all rows that
   the datasets store, including padding: a number that does not depend on the query. NULL for rows
   without such a position (sorted ones, those of taco_sql, taco_read and taco_cursor_children,
   those of taco_cursor_next), and when out of memory, which is a failure of the cursor. Lives until
   the next batch. */
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *row);
/* Returns the columns of the cursor, *n of them, in order. They live as long as the cursor. */
TACO_API const taco_field *taco_cursor_fields(const taco_cursor *row, size_t *n);
/* Values of the current row. _text returns any type as text, NULL where the value is null or there
   is no such column; text that contains a zero byte ends there (use _bytes). The others fill *out
   and return true; false, with *out unchanged (_bytes: {NULL, 0}), where the value is null, there
   is no such column, or it is of a type that taco_array_bytes, _double or _int does not read.
   Pointers live until the next step. If rows are samples, id, type and internal:* are available
   even if not selected; they are then read, for a batch of rows, on first use. */
TACO_API const char *taco_cursor_text(taco_cursor *row, const char *column);
TACO_API bool taco_cursor_bytes(taco_cursor *row, const char *column, taco_bytes *out);
TACO_API bool taco_cursor_double(taco_cursor *row, const char *column, double *out);
TACO_API bool taco_cursor_int(taco_cursor *row, const char *column, int64_t *out);
/* Returns the row's internal:gdal_vsi, selected or not; "" when it has none. For rows that are not
   samples (of GROUP BY, JOIN, ...), and rows of taco_sql that do not include it (unlike those of
   taco_view_sql), taco_cursor_close returns STATE. Lives until the next step. */
TACO_API const char *taco_cursor_vsi(taco_cursor *row);
/* Returns the row as a JSON object, NUL-terminated; "" before the first row and on failure. Lives
   until the next call with the cursor. */
TACO_API const char *taco_cursor_json(taco_cursor *row);
/* Releases the cursor. Returns its failure, if it had one, which is copied to err unless err holds
   another. Never OK for NULL, as after a taco_select that failed: returns the code in err, or
   ARGUMENT. */
TACO_API taco_status taco_cursor_close(taco_cursor *row, taco_error *err);
/* Passes the remaining batches, internal:gdal_vsi included, to an Arrow consumer, under the rules
   of taco_pq_reader_export. *out takes over the cursor, also on failure, and its release closes it;
   with close_dataset it closes the dataset as well, otherwise the dataset must outlive the stream,
   but not its arrays. STATE after taco_cursor_next.

       row            the cursor, which *out owns afterwards
       close_dataset  whether the release of *out closes the dataset as well
       out            gets the stream; the caller releases it. Not NULL */
TACO_API taco_status taco_cursor_export(taco_cursor *row, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err);

/* ---- ranges that a host supplies ------------------------------------------------------------ */

/* A range of a file that a call needs, or that a plan (taco_sql.h) will read. */
typedef struct taco_range {
    const char *file; /* as taco_options.open_file gets it */
    uint64_t offset, len;
    uint32_t round; /* from 0 on; what a round reads depends on the content of earlier ones */
    bool at_most;   /* parts of it may turn out not to be needed */
} taco_range;

/* Files made of ranges that the host supplies, for hosts that cannot wait inside a read (a
   browser). Reads of other bytes fail with IO, and are recorded. Set taco_options.open_file =
   taco_feed_open_file and open_ctx = the feed. Then make a call; if it fails, fetch the ranges that
   taco_feed_wanted returns (or, before the call, those of a plan), supply them, and repeat it:

       while (!(ds = taco_open(url, &opt, &err))) {
           fetch(taco_feed_wanted(feed, &n), n);        (with taco_feed_file, taco_feed_give)
           err.code = TACO_OK;
       }
*/
typedef struct taco_feed taco_feed;
#define TACO_FEED_NO_FILE UINT64_MAX
/* Makes an empty feed. opt gives allocator and limits, and may be NULL. NULL when out of memory.
   The caller frees it, after the datasets that use it; one thread at a time. */
TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err);
/* Declares a file of `size` bytes, or with TACO_FEED_NO_FILE that there is none. path is copied.
   STATE when bytes of it were already supplied and the size differs.

       f     the feed
       path  as taco_options.open_file gets it; copied
       size  bytes of the file, or TACO_FEED_NO_FILE */
TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err);
/* Supplies len bytes from offset on, which are copied; bytes supplied before are kept. ARGUMENT for
   a file that was not declared, TRUNCATED for bytes past its end.

       f       the feed
       path    of a file that taco_feed_file declared
       offset  of the first byte in the file
       data    len bytes, copied; may be NULL with len 0
       len     bytes */
TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err);
/* Returns the *n ranges that reads have needed and not found since bytes or files were last
   supplied; len 0 means a file that was not declared. They live until the next call. */
TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n);
/* For taco_options.open_file, with open_ctx = the feed. */
TACO_API bool taco_feed_open_file(void *feed, const char *path, taco_source *out);
/* Frees the feed. */
TACO_API void taco_feed_free(taco_feed *f);

/* ---- payload --------------------------------------------------------------------------------- */

/* Where the bytes of a FILE are. */
typedef struct taco_sample {
    const char *vsi;  /* for GDAL */
    const char *file; /* for taco_options.open_file */
    uint64_t offset;  /* of the payload in that file */
    uint64_t size;
    bool folder; /* a FOLDER: the range is its __meta__ */
    /* the payload is a whole file (FOLDER datasets): offset 0, size unknown until it is opened */
    bool whole;
} taco_sample;

/* Finds out where a sample is. Reads local metadata (__meta__) on the way, but no payload.
   NOT_FOUND when there is no such sample. The strings in *out live until the next call of
   taco_locate or taco_payload, at most as long as ds.

       ds    the dataset, which owns the strings in *out
       path  of one sample, as taco_read takes it
       out   gets the place, offsets and sizes in bytes; not NULL */
TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err);
/* Fills *out with a source for the payload of a FILE, which begins at byte 0 of it. ARGUMENT for a
   FOLDER, TRUNCATED when the archive ends before the payload does. The caller calls its close,
   before taco_close; it uses the dataset's open archive, and belongs to the same thread.

       ds    the dataset; must outlive the source
       path  of a FILE, as taco_read takes it
       out   gets the source, whose close the caller calls; not NULL */
TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err);
/* Compares the CRC-32 of all bytes of a payload, which the caller computed (taco_crc32 of
   taco_write.h, or crc32 of zlib), with that in its archive. CHECKSUM, with the sample's name, if
   they differ: the payload is damaged; with taco_options.keep_damaged a warning instead. OK also if
   no CRC is known: in a FOLDER dataset, for padding, or where a ZIP has it after the bytes.
       ds    the dataset
       path  of the FILE, as for taco_payload
       crc   of all of its bytes */
TACO_API taco_status taco_payload_check(taco_dataset *ds, const char *path, uint32_t crc,
                                        taco_error *err);

/* ---- shards, order, batches ----------------------------------------------------------------- */

typedef enum taco_shard_by {
    TACO_SHARD_ROWS = 0, /* the same number of stored rows; reads only the footer */
    /* about the same sum of internal:size over the rows that the query selects; reads that
       column */
    TACO_SHARD_BYTES
} taco_shard_by;

/* Fills *part with the query for one of `size` ranks: *q with row_from and row_to set. The parts of
   all ranks, concatenated, are the rows of q in storage order, each in exactly one part; every rank
   computes the same parts. A part can be empty. q may be NULL; what it points to must outlive
   *part. ARGUMENT for order, limit or offset, for rank >= size, and if q has row_to; NOT_FOUND if
   rows have no internal:size (as in a FOLDER dataset).

       ds    the dataset
       q     rows to divide; NULL: all of level 0
       by    what to make equal for all ranks: rows, or bytes of payload
       rank  rank whose part to return, from 0 to size - 1
       size  number of ranks, at least 1
       part  gets the query, which borrows what q points to; not NULL */
TACO_API taco_status taco_shard(taco_dataset *ds, const taco_query *q, taco_shard_by by,
                                uint32_t rank, uint32_t size, taco_query *part, taco_error *err);

/* Returns the i-th number of a permutation of [0, n), which is the same for the same seed on every
   machine. Each number is computed on its own, so that an order needs no memory and can be resumed
   at any i. UINT64_MAX for i >= n. Not cryptographically secure. Any thread. */
TACO_API uint64_t taco_shuffle(uint64_t n, uint64_t seed, uint64_t i);

/* One sample of a batch. */
typedef struct taco_loader_item {
    uint64_t at;      /* its position in the order of all ranks, from 0 on */
    uint64_t row;     /* its position among the rows of the query */
    taco_bytes bytes; /* the payload, {data, 0} if it is empty; lives as long as the batch */
} taco_loader_item;

/* {0} is the whole payload of every row, in storage order, 32 at a time. */
typedef struct taco_loader_options {
    bool shuffle;         /* the order is taco_shuffle(rows, seed, i) */
    uint64_t seed;        /* use a different one for each epoch */
    uint32_t rank, ranks; /* takes positions rank, rank + ranks, ... of the order; ranks 0: 1 */
    uint64_t first;       /* samples of this rank to skip, to resume where another loader ended */
    size_t batch;         /* samples per batch; 0: 32. The last batch may have fewer */
    /* batches that are loaded at a time, at most 64; 0: 2. Twice as many are in memory */
    size_t ahead;
    /* Called for each sample, from the threads of taco_options.parallel_for if that is set: decodes
       item->bytes into item_bytes at out, which are zeroed. False, with err set, makes the loader
       fail. NULL: payloads only. */
    bool (*decode)(void *ctx, const taco_loader_item *item, void *out, taco_error *err);
    void *ctx;
    size_t item_bytes;
} taco_loader_options;

typedef struct taco_loader_batch {
    uint64_t next; /* `first` for a loader that resumes after this batch */
    size_t count;
    const taco_loader_item *items; /* [count] */
    void *decoded;                 /* [count][item_bytes], aligned to 64 bytes; NULL without them */
} taco_loader_batch;

typedef struct taco_loader taco_loader;
/* Prepares batches of the payloads of a query's rows, which must be FILEs. Keeps 24 bytes per row,
   and for FOLDER datasets and catalogues the names of the files. q may be NULL; its select is
   ignored. The payloads of a round are read in order of their offsets, with read_many if the source
   has it, compared with the CRC-32 in their archive (CHECKSUM, or a warning with
   taco_options.keep_damaged), then decoded with the dataset's parallel_for. NULL on failure:
   ARGUMENT for rank >= ranks; otherwise as taco_select. The caller closes it, before the dataset.
   Belongs to one thread at a time; no other thread may use ds in the meantime.

       ds   the dataset; must outlive the loader
       q    rows whose payloads to load; not kept. NULL: all of level 0
       how  order, batches, decoder; NULL: defaults. Its ctx must outlive the loader */
TACO_API taco_loader *taco_loader_open(taco_dataset *ds, const taco_query *q,
                                       const taco_loader_options *how, taco_error *err);
/* Returns the number of samples in this rank's order, including those before `first`. */
TACO_API uint64_t taco_loader_count(const taco_loader *l);
/* Fills *out with the next batch, which lives until `ahead` more calls have returned, so that as
   many batches can wait in a queue. False at the end and on failure; taco_loader_close says
   which. */
TACO_API bool taco_loader_next(taco_loader *l, taco_loader_batch *out);
/* Moves to sample `first` of this rank's order, as if the loader had been opened there. Batches
   returned before are no longer valid. STATE after a failure. */
TACO_API taco_status taco_loader_seek(taco_loader *l, uint64_t first, taco_error *err);
/* Releases the loader. Returns its failure, if it had one, which is copied to err unless err holds
   another. */
TACO_API taco_status taco_loader_close(taco_loader *l, taco_error *err);

/* ---- statistics ------------------------------------------------------------------------------ */

typedef enum taco_stats_family {
    TACO_STATS_ANY = 0,
    /* nine values per band: min, max, mean, std, valid%, p25, p50, p75, p95 */
    TACO_STATS_CONTINUOUS,
    TACO_STATS_CATEGORICAL /* any other number of values: the share of each class */
} taco_stats_family;

/* {0} takes the first column of statistics, of either family. */
typedef struct taco_stats_options {
    const char *column;       /* NULL: the first that exists of internal:stats, geotiff:stats */
    taco_stats_family family; /* TYPE error when the column has the other one; ANY accepts both */
    /* by pixels; otherwise plain averages over rows, as in the reference */
    bool weighted_percentiles;
} taco_stats_options;

/* Statistics over all rows. A percentile is the average of the rows' percentiles, not the
   percentile of all pixels. */
typedef struct taco_band_stats {
    double min, max, mean, std, p25, p50, p75, p95;
} taco_band_stats;

/* Computed in doubles; the reference rounds to float32. std pools the rows' (n - 1) deviations and
   is NaN for a single pixel. A NaN in a row makes that value of its band NaN, as in NumPy. */
typedef struct taco_stats {
    const char *column; /* the column that was read */
    taco_stats_family family;
    uint64_t rows; /* rows of the query */
    uint64_t used; /* rows with statistics; the others count nowhere */
    double pixels; /* sum of the weights: H x W of stac:tensor_shape, 1 without it */
    size_t bands, classes;
    const taco_band_stats *band; /* CONTINUOUS: one for each band */
    const double *share;         /* CATEGORICAL: `classes` for each band, band after band */
} taco_stats;

/* Combines the statistics of the rows of a query, reading only their column and stac:tensor_shape,
   in memory that does not grow with the rows. q as in taco_select (its select is ignored); q and
   opt may be NULL. NULL on failure: NOT_FOUND when no row has statistics, TYPE when the column is
   not of the requested family, CORRUPT when rows differ in bands or classes. The caller frees the
   result with taco_stats_free, before the dataset is closed.

       ds   the dataset; must outlive the result
       q    rows that count; NULL: all of level 0
       opt  the column and how to combine it; NULL: defaults */
TACO_API taco_stats *taco_aggregate(taco_dataset *ds, const taco_query *q,
                                    const taco_stats_options *opt, taco_error *err);
/* The same over the remaining rows of a cursor, which the caller still closes. STATE after
   taco_cursor_next. */
TACO_API taco_stats *taco_aggregate_rows(taco_cursor *rows, const taco_stats_options *opt,
                                         taco_error *err);
/* Returns what `taco stats --json` prints: one object, numbers as float32; {NULL, 0} on failure.
   Lives until the next call, at most as long as s. */
TACO_API taco_bytes taco_stats_json(taco_stats *s, taco_error *err);
/* Frees statistics. */
TACO_API void taco_stats_free(taco_stats *s);

#ifdef __cplusplus
}
#endif
#endif /* TACO_H */
