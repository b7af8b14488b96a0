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

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__IMPLEMENTED)
#define TACO__IMPLEMENTED
#include "taco_parquet.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   base/json.h                          parsed JSON values, and arithmetic without libm
   base/json_read.c                     strict JSON (RFC 8259) into nodes in an arena, and looking at values
   base/json_print.c                    parsed JSON values back to text, on one line or indented
   base/sha256.h                        what sha256.c offers
   base/sha256.c                        SHA-256, for SQL and for the digests of files in Croissant. Spec: FIPS 180-4
   base/math.c                          rounding, remainders and square roots without libm
   geo/geo.h                            well-known binary geometries: a checked walk, bounds, intersection with a box.
   geo/wkb.c                            walks a WKB geometry event by event, checking every byte; its bounds
   geo/wkb_point.c                      points: WKB of two numbers, and the text "POINT (x y)" of older formats
   geo/projection.c                     longitude and latitude of projected points, without libm
   geo/intersect.c                      whether a geometry and a box share a point, exactly
   dataset/dataset.h                    TACO datasets: containers, levels as tables, queries, cursors, single samples
   dataset/collection.h                 COLLECTION.json: identity, texts, extent, the PIT schema
   dataset/archive.h                    ZIP records, and where the metadata of an archive or a catalogue is
   dataset/gdal_path.h                  GDAL paths of samples; those in archives are made inline, a million at a time
   dataset/avro.h                       Avro object container files, as a tree of nodes that fill Arrow columns.
   dataset/container.h                  one interface to archives, folders, catalogues and the formats of other headers
   dataset/cascade.h                    how rows of different levels are related, and which rows conditions leave
   dataset/navigation.h                 single samples: paths of keys, and the __meta__ that lists a FOLDER's children.
   dataset/cursor.h                     the parts of a cursor: columns, table readers, the batch, sorted rows, single rows
   dataset/collection.c                 COLLECTION.json: what a dataset is, and its PIT schema
   dataset/zip_read.c                   ZIP records, from the end record to the bytes of an entry
   dataset/container_index.c            where the metadata of an archive or a TACOCAT is
   dataset/gdal_path.c                  GDAL paths of samples, made from roots, offsets and names that cannot leave the
   dataset/avro_schema.c                Avro schemas as a tree of nodes with Arrow fields
   dataset/avro_read.c                  reads Avro object container files into Arrow columns
   dataset/container_open.c             finds out what is at a path, and opens it: archive, directory, catalogue,
   dataset/container.c                  an open container: levels as tables, names, messages, archives of a catalogue
   dataset/range_cache.c                byte ranges of files, read ahead in one round and kept until released
   dataset/dataset.c                    one or several containers as a dataset: open, close, describe, taco_info_json
   dataset/schema_differences.c         how the columns of datasets differ, all in one message
   dataset/schema_union.c               the columns of a level over all containers of a dataset
   dataset/type_union.c                 a common type for a column that datasets store with several types, and casts to it
   dataset/level_join.c                 the parent of every row of a level, computed once
   dataset/parent_lookup.c              the parents or children of a few rows, without joining the whole level
   dataset/child_places.c               internal:offset and internal:size of children that a writer has mixed up
   dataset/box_in_crs.c                 a box in degrees against geometries in the CRS of their row
   dataset/source_routing.c             a merged collection (TACOLLECTION.json) as a dataset of its sources
   dataset/query_filter.c               taco_filter as conditions on a table: bbox, time, and no padding
   dataset/cascade.c                    the rows of a level that conditions on several levels leave
   dataset/local_metadata.c             the __meta__ of a FOLDER: a table of its children
   dataset/navigation.c                 from a path of keys to a sample, and from a row back to its path
   dataset/payload.c                    where the bytes of a sample are, and a source that reads them
   dataset/query_parse.c                parses a taco_query: lists of columns into arrays, conditions into trees
   dataset/condition_levels.c           names of other levels in a condition: l0:split = 'train' AND l1:id =
   dataset/cursor_columns.c             which columns a query shows: all of a level, or those named in a list
   dataset/sample_path.c                the column internal:gdal_vsi: GDAL paths of rows, made here or by tasks
   dataset/table_reader.c               the rows and columns that a query takes from one table
   dataset/select.c                     binds a query to a dataset: taco_select, also used by SQL to open its tables
   dataset/cursor_lookup.c              columns of the current row that its query does not show: id, type, internal:*
   dataset/cursor.c                     life of a cursor: batches, rows one at a time, export as an Arrow stream
   dataset/batch_compose.c              the next batch of a cursor, in storage order
   dataset/cursor_order.c               ORDER BY: sorts the rows that a query finds by their keys
   dataset/cursor_sorted.c              batches of a sorted result: reads columns for rows in that order
   dataset/task_handle.c                further handles on an open dataset, one for each task
   dataset/order_tasks.c                the first rows of a sorted result, found part by part
   dataset/children.c                   the rows below a sample: taco_read, taco_cursor_children
   dataset/pixel_stats.c                taco_aggregate: combines the statistics of many samples into those of all pixels
   dataset/range_source.c               taco_feed: files made of ranges that the host provides, for hosts that cannot
   dataset/shard.c                      rows for many ranks: even parts of a query, and an order that each rank computes
   dataset/loader.c                     payloads in batches: rows in some order, read a round at a time and decoded by tasks
*/

/* ==== src/base/json.h ==== */
/* json.h - parsed JSON values, and arithmetic without libm

   What taco.h needs beyond base.h. taco__json_parse turns a text into an array of nodes in an
   arena; the functions below it walk these. Values are accessed by type: a value of another type,
   or NULL for a missing one, yields NULL, 0 or false, so that a path of keys is looked up without a
   check at each step:
       taco__json_text(taco__json_get(taco__json_get(root, "extent"), "crs"))
   json_write.c, declared in base.h, writes new JSON; this header has the functions that print
   parsed values again. */
#ifndef TACO__BASE_JSON_H
#define TACO__BASE_JSON_H

/* #include "base.h" */

/* ---- values ---- */

/* Defaults of limits. */
#define TACO__JSON_MAX_DEPTH TACO__DEFAULT_MAX_DEPTH
#define TACO__JSON_MAX_BYTES TACO__DEFAULT_MAX_BYTES

typedef enum taco__json_type {
    TACO__JSON_NULL = 0,
    TACO__JSON_FALSE,
    TACO__JSON_TRUE,
    TACO__JSON_NUMBER,
    TACO__JSON_STRING,
    TACO__JSON_ARRAY,
    TACO__JSON_OBJECT
} taco__json_type;

/* One value, or one key of an object. The nodes of a document lie in one array in the order of the
   text: the first child of a container is the node after it, the next sibling is span nodes on, and
   a member's value follows its key. {"a":[1,2],"b":3} is
       object, count 2, span 7 | "a" | array, count 2, span 3 | 1 | 2 | "b" | 3
   Neither walking nor printing needs pointers or a stack. */
typedef struct taco__json {
    /* STRING: unescaped, NUL-terminated, in the arena; else where the value starts in the text */
    const char *text;
    uint32_t count; /* elements, members; bytes of a STRING or NUMBER */
    /* nodes of this value and everything below it; while a container is open, the enclosing one */
    uint32_t span;
    uint32_t begin; /* [begin, end) of the text, quotes and brackets included */
    uint32_t end;
    uint8_t type; /* taco__json_type */
} taco__json;

/* A parsed text. There is nothing to free: nodes and strings are in the arena. */
typedef struct taco__json_doc {
    taco_bytes text;        /* borrowed; must live as long as the nodes */
    const taco__json *root; /* also the first of node_count nodes in a row */
    size_t node_count;
} taco__json_doc;

/* ---- json_read.c ---- */

TACO__FN taco_status taco__json_parse_at(taco__arena *arena, taco_bytes text, uint64_t base,
                                         const taco_limits *limits, taco__json_doc *out,
                                         taco_error *err);
TACO__FN taco_status taco__json_parse(taco__arena *arena, taco_bytes text,
                                      const taco_limits *limits, taco__json_doc *out,
                                      taco_error *err);
/* For any value, or NULL. */
TACO__FN bool taco__json_is(const taco__json *n, taco__json_type type);
TACO__FN const char *taco__json_type_name(const taco__json *n);
/* Walking an array, or an object key by key. */
TACO__FN const taco__json *taco__json_first(const taco__json *n);
TACO__FN const taco__json *taco__json_next(const taco__json *value);
TACO__FN size_t taco__json_length(const taco__json *n);
/* Strings. */
TACO__FN TACO__NOINLINE taco_bytes taco__json_bytes(const taco__json *n);
TACO__FN const char *taco__json_text(const taco__json *n);
TACO__FN bool taco__json_equals(const taco__json *n, const char *text);
/* The text of any value. */
TACO__FN taco_bytes taco__json_raw(const taco__json_doc *doc, const taco__json *n);
/* Members and elements. */
TACO__FN const taco__json *taco__json_get_bytes(const taco__json *object, taco_bytes name);
TACO__FN bool taco__json_index_members(const taco__json *object, taco__hash_map *m,
                                       taco_error *err);
TACO__FN bool taco__json_member_counts(const taco__hash_map *m, const taco__json *object,
                                       const taco__json *key);
TACO__FN const taco__json *taco__json_get(const taco__json *object, const char *name);
TACO__FN const taco__json *taco__json_at(const taco__json *array, size_t i);
/* Numbers; false, with *out unchanged, if the value is not one. */
TACO__FN bool taco__json_double(const taco__json *n, double *out);
TACO__FN bool taco__json_int(const taco__json *n, int64_t *out);

/* ---- json_print.c ---- */

TACO__FN bool taco__json_print(taco__buf *out, const taco__json *value, size_t indent,
                               taco_error *err);
/* A parsed value, where NULL is null, as a member or an element of a document being written. */
TACO__FN void taco__json_print_value(taco__json_writer *w, const char *key, const taco__json *n);

/* ---- math.c ---- */

TACO__FN double taco__math_round_even(double d);
TACO__FN double taco__math_round(double d);
TACO__FN double taco__math_fmod(double a, double b);
TACO__FN double taco__math_sqrt(double d);
TACO__FN double taco__math_floor(double d);

#endif /* TACO__BASE_JSON_H */
/* ==== src/base/json_read.c ==== */
/* json_read.c - strict JSON (RFC 8259) into nodes in an arena, and looking at values

   Documents come from archives and are hostile: depth, size and memory are bounded, duplicate keys,
   lone surrogates and huge numbers have a defined meaning, and everything the grammar does not
   allow is an error with its byte and what was expected there. Two passes: taco__json_measure
   counts what may start a value, so that nodes and strings get one allocation each; then one loop,
   taco__json_read_document, parses without recursion. An open container's `span` holds the index of
   the container round it. Numbers stay text until their value is needed. Start with
   taco__json_parse_at. */
/* #include "json.h" */
/* #include "base.h" */

#define TACO__JSON_NO_CONTAINER UINT32_MAX /* no container is open */

/* A cursor, the nodes so far, and the innermost open container. Its functions fail by returning
   false, and err then says where. */
typedef struct taco__json_parser {
    const uint8_t *begin, *at, *end;
    uint64_t base; /* where `begin` is in the file */
    taco__json *nodes;
    uint32_t node_count, node_cap;
    char *pool, *pool_end; /* where unescaped strings go */
    uint32_t open;         /* index of the innermost open container, or TACO__JSON_NO_CONTAINER */
    uint32_t depth, max_depth;
    taco_error *err;
} taco__json_parser;

/* "expected WHAT, found ..." at the next byte. Always false. */
static TACO__COLD bool taco__json_fail(taco__json_parser *p, const char *what)
{
    uint64_t at = p->base + (uint64_t)(p->at - p->begin);
    taco_bytes found;
    if (p->at == p->end) {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found the end of the text", what);
        return false;
    }
    found = taco__bytes_of(p->at, taco__utf8_length(p->at, p->end));
    if (found.len) {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found %q", what, &found);
    } else {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found byte 0x%x", what,
                   TACO__U(*p->at));
    }
    return false;
}

/* RFC 8259 §2: these four and no other kind of white space. */
static void taco__json_skip_space(taco__json_parser *p)
{
    while (p->at < p->end &&
           (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')) {
        p->at++;
    }
}

/* Adds a node that begins at the current byte and counts it in the enclosing container, unless it
   is a key. */
static taco__json *taco__json_add_node(taco__json_parser *p, taco__json_type type, bool is_key)
{
    taco__json *n = &p->nodes[p->node_count];
    if (p->node_count ==
        /* cannot happen: taco__json_measure counted everything that may begin a value */
        p->node_cap) {
        taco__json_fail(p, "the end of the text");
        return NULL;
    }
    if (p->open != TACO__JSON_NO_CONTAINER && !is_key) { p->nodes[p->open].count++; }
    n->type = (uint8_t)type;
    n->text = (const char *)p->at;
    n->begin = (uint32_t)(p->at - p->begin);
    n->end = n->begin;
    n->count = 0;
    n->span = 1;
    p->node_count++;
    return n;
}

/* Four hex digits in either case; on failure the cursor is at the wrong one. */
static bool taco__json_read_hex4(taco__json_parser *p, uint32_t *out)
{
    uint32_t x = 0;
    int i, digit;
    for (i = 0; i < 4; i++, p->at++) {
        digit = p->at < p->end ? taco__ascii_hex_value(*p->at) : -1;
        if (digit < 0) { return taco__json_fail(p, "four hexadecimal digits after '\\u'"); }
        x = x << 4 | (uint32_t)digit;
    }
    *out = x;
    return true;
}

/* Writes a code point, at most U+10FFFF and no surrogate, and returns where the next one goes. */
static char *taco__json_encode_utf8(char *out, uint32_t c)
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

/* After "\u": one code point of one or two escapes. RFC 8259 §8.2 leaves lone surrogates to the
   reader: they become U+FFFD, so that every string that was parsed is UTF-8. */
static bool taco__json_read_unicode_escape(taco__json_parser *p, uint32_t *out)
{
    uint32_t hi, lo;
    if (!taco__json_read_hex4(p, &hi)) { return false; }
    *out = hi;
    if (hi < 0xD800 || hi > 0xDFFF) { return true; }
    *out = 0xFFFD;
    if (hi < 0xDC00 && p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u') {
        const uint8_t *back = p->at;
        p->at += 2;
        if (!taco__json_read_hex4(p, &lo)) { return false; }
        if (lo >= 0xDC00 && lo <= 0xDFFF) {
            *out = 0x10000 + ((hi - 0xD800) << 10) + (lo - 0xDC00);
        } else {
            p->at = back; /* the second escape is a character of its own */
        }
    }
    return true;
}

/* At a backslash. No escape is shorter than its decoded bytes, which keeps the pool within its
   size. */
static bool taco__json_read_escape(taco__json_parser *p, char **out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *found;
    uint32_t c;
    p->at++;
    if (p->at < p->end && *p->at == 'u') {
        p->at++;
        if (!taco__json_read_unicode_escape(p, &c)) { return false; }
        *out = taco__json_encode_utf8(*out, c);
        return true;
    }
    found = p->at < p->end && *p->at ? strchr(names, *p->at) : NULL;
    if (!found) { return taco__json_fail(p, "one of \"\\/bfnrtu after a backslash"); }
    *(*out)++ = values[found - names];
    p->at++;
    return true;
}

/* Skips ASCII characters that are not special, eight at a time while none of them is a quote, a
   backslash, a control character or above 0x7F: each of these sets its top bit in one of the four
   terms. */
static const uint8_t *taco__json_skip_plain(const uint8_t *s, const uint8_t *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    while (end - s >= 8) {
        uint64_t x, quote, slash;
        memcpy(&x, s, 8);
        quote = x ^ ones * '"';
        slash = x ^ ones * '\\';
        if ((x | (x - ones * 0x20) | (quote - ones) | (slash - ones)) & tops) { break; }
        s += 8;
    }
    while (s < end && *s >= 0x20 && *s < 0x80 && *s != '"' && *s != '\\') {
        s++;
    }
    return s;
}

/* Copies characters that need no decoding: ASCII, then what is not, which in most texts is a
   character or two. */
static bool taco__json_copy_run(taco__json_parser *p, char **out)
{
    const uint8_t *s = p->at;
    size_t len;
    p->at = taco__json_skip_plain(s, p->end);
    while (p->at < p->end && *p->at >= 0x80 && (len = taco__utf8_length(p->at, p->end)) != 0) {
        p->at += len;
    }
    len = (size_t)(p->at - s);
    if (len >= (size_t)(p->pool_end - *out)) { /* cannot be: taco__json_measure counted it */
        return taco__json_fail(p, "a shorter string");
    }
    memcpy(*out, s, len);
    *out += len;
    return true;
}

/* At a quote. The string is copied even if nothing in it is escaped, so that it can be returned as
   a C string. */
static bool taco__json_read_string(taco__json_parser *p, bool is_key)
{
    taco__json *n = taco__json_add_node(p, TACO__JSON_STRING, is_key);
    char *out = p->pool;
    if (!n) { return false; }
    for (p->at++;;) {
        if (!taco__json_copy_run(p, &out)) { return false; }
        if (p->at == p->end) { return taco__json_fail(p, "'\"' at the end of a string"); }
        if (*p->at == '"') { break; }
        /* what stopped the run: an escape, or one of the two things that may not be in a string */
        if (*p->at == '\\') {
            if (p->pool_end - out < 5) { return taco__json_fail(p, "'\"' at the end of a string"); }
            if (!taco__json_read_escape(p, &out)) { return false; }
        } else if (*p->at < 0x20) {
            return taco__json_fail(p, "control characters in a string to be escaped");
        } else if (*p->at >= 0x80) { /* a character would be part of the run */
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
static bool taco__json_read_digits(taco__json_parser *p)
{
    const uint8_t *from = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
        p->at++;
    }
    if (p->at == from) { return taco__json_fail(p, "a digit"); }
    return true;
}

/* RFC 8259 §6. Only the syntax is checked, digit by digit, so that an error has a position. */
static bool taco__json_read_number(taco__json_parser *p)
{
    taco__json *n = taco__json_add_node(p, TACO__JSON_NUMBER, false);
    if (!n) { return false; }
    p->at += *p->at == '-';
    if (p->at < p->end && *p->at == '0') {
        p->at++; /* a digit after it is reported by whatever should follow */
    } else if (!taco__json_read_digits(p)) {
        return false;
    }
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!taco__json_read_digits(p)) { return false; }
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        p->at += p->at < p->end && (*p->at == '+' || *p->at == '-');
        if (!taco__json_read_digits(p)) { return false; }
    }
    n->end = (uint32_t)(p->at - p->begin);
    n->count = n->end - n->begin;
    return true;
}

/* null, true or false, in lower case only. A word cut short is reported where it begins. */
static bool taco__json_read_literal(taco__json_parser *p, const char *word, taco__json_type type)
{
    size_t len = strlen(word);
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

/* At an opening bracket. Nesting needs no stack here, but callers that walk the tree may recurse,
   hence the limit. */
static bool taco__json_open_container(taco__json_parser *p, taco__json_type type)
{
    taco__json *n;
    if (p->depth == p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, p->base + TACO__U(p->at - p->begin),
                   "nesting of more than %u, limits.max_depth is %u", TACO__U(p->depth),
                   TACO__U(p->max_depth));
        return false;
    }
    n = taco__json_add_node(p, type, false);
    if (!n) { return false; }
    n->span = p->open;
    p->open = p->node_count - 1;
    p->depth++;
    p->at++;
    return true;
}

/* At the bracket that closes the innermost container. Its span held the index of the enclosing one
   until now. */
static void taco__json_close_container(taco__json_parser *p)
{
    taco__json *n = &p->nodes[p->open];
    uint32_t around = n->span;
    n->span = p->node_count - p->open;
    p->at++;
    n->end = (uint32_t)(p->at - p->begin);
    p->open = around;
    p->depth--;
}

/* One scalar, or the opening bracket of a container. */
static bool taco__json_read_value(taco__json_parser *p)
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

/* A key and its colon: adds the node of the key, which that of its value must follow. */
static bool taco__json_read_key(taco__json_parser *p)
{
    taco__json_skip_space(p);
    if (p->at == p->end || *p->at != '"') { return taco__json_fail(p, "a key in quotes"); }
    if (!taco__json_read_string(p, true)) { return false; }
    taco__json_skip_space(p);
    if (p->at == p->end || *p->at != ':') { return taco__json_fail(p, "':' after a key"); }
    p->at++;
    return true;
}

/* After a value: closes the containers that end here. *more is set if another value follows, but
   not at the end of the text. */
static bool taco__json_read_separator(taco__json_parser *p, bool *more)
{
    *more = false;
    for (;;) {
        bool is_object;
        taco__json_skip_space(p);
        if (p->open == TACO__JSON_NO_CONTAINER) {
            if (p->at != p->end) { return taco__json_fail(p, "the end of the text"); }
            return true;
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

/* The whole grammar as one loop: a value or an opening bracket, then whatever may come after it. */
static bool taco__json_read_document(taco__json_parser *p)
{
    bool more = true;
    while (more) {
        uint32_t before = p->open;
        taco__json_skip_space(p);
        if (!taco__json_read_value(p)) { return false; }
        if (p->open != before) { /* a container has been opened */
            bool is_object = p->nodes[p->open].type == TACO__JSON_OBJECT;
            taco__json_skip_space(p);
            if (p->at == p->end || *p->at != (is_object ? '}' : ']')) {
                if (is_object && !taco__json_read_key(p)) { return false; }
                continue; /* its first value; an empty one is closed below */
            }
        }
        if (!taco__json_read_separator(p, &more)) { return false; }
    }
    return true;
}

/* Counts the bytes that a value or key may follow, and the bytes of the strings. Until the first
   error the parser sees the same quotes, so both are upper bounds, and exact but for empty
   containers and escapes. */
static void taco__json_measure(taco_bytes text, size_t *nodes, size_t *chars)
{
    const uint8_t *s = text.data, *end = text.data + text.len;
    size_t n = 1, strings = 0;
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

/* Allocates the nodes and the strings, and sets the cursor to the first value. */
static bool taco__json_parser_init(taco__json_parser *p, taco__arena *arena, taco_bytes text,
                                   const taco_limits *limits)
{
    size_t nodes, chars;
    taco__json_measure(text, &nodes, &chars);
    p->begin = p->at = text.data;
    p->end = text.data + text.len;
    p->open = TACO__JSON_NO_CONTAINER;
    p->max_depth = limits && limits->max_depth ? limits->max_depth : TACO__JSON_MAX_DEPTH;
    p->node_cap = (uint32_t)nodes; /* at most one more than the text has bytes */
    p->nodes = (taco__json *)taco__arena_array(arena, nodes, sizeof(taco__json), p->err);
    p->pool = p->nodes ? (char *)taco__arena_alloc(arena, chars, p->err) : NULL;
    if (!p->pool) { return false; }
    p->pool_end = p->pool + chars;
    if (text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) {
        p->at += 3; /* RFC 8259 §8.1: a reader may ignore a byte order mark */
    }
    return true;
}

/* Parses all of text, which the caller keeps and which begins at byte `base` of some file. limits
   may be NULL; their max_metadata bounds the text, which is at most 2 GiB in any case. */
TACO__FN taco_status taco__json_parse_at(taco__arena *arena, taco_bytes text, uint64_t base,
                                         const taco_limits *limits, taco__json_doc *out,
                                         taco_error *err)
{
    uint64_t max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco__json_parser p;
    memset(out, 0, sizeof *out);
    memset(&p, 0, sizeof p);
    memset(&local, 0, sizeof local);
    max = TACO__MIN(max, (uint64_t)INT32_MAX); /* nodes hold 32-bit offsets */
    p.err = taco__error_fresh(err, &local);
    if (text.len > max) {
        return TACO__FAIL(p.err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "%u bytes of JSON, limits.max_metadata is %u", TACO__U(text.len), max);
    }
    text.data = text.data ? text.data : (const uint8_t *)"";
    p.base = base;
    if (!taco__json_parser_init(&p, arena, text, limits) || !taco__json_read_document(&p)) {
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

/* ---- looking at values ---- */

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

/* The first element of an array, or the first key of an object, if n->count > 0. The next one of an
   array is taco__json_next(value), of an object taco__json_next(key + 1). */
TACO__FN const taco__json *taco__json_first(const taco__json *n)
{
    return n ? n + 1 : NULL;
}

/* The value after `value` and all below it. */
TACO__FN const taco__json *taco__json_next(const taco__json *value)
{
    return value + value->span;
}

/* Number of elements of an array, 0 for anything else. */
TACO__FN size_t taco__json_length(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_ARRAY) ? n->count : 0;
}

/* The bytes of a string, {NULL, 0} for anything else. A string may contain zero bytes. */
TACO__FN TACO__NOINLINE taco_bytes taco__json_bytes(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_STRING) ? taco__bytes_of(n->text, n->count)
                                               : taco__bytes_of(NULL, 0);
}

/* The NUL-terminated string, NULL for anything else. */
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

/* The bytes of a value as they are in the text, quotes and brackets included. */
TACO__FN taco_bytes taco__json_raw(const taco__json_doc *doc, const taco__json *n)
{
    return taco__bytes_of(doc->text.data + n->begin, n->end - n->begin);
}

/* The value of a key of an object, NULL if there is none. The last of equal keys counts: RFC 8259
   §4 leaves that open, and most readers, including the reference, do it. */
TACO__FN const taco__json *taco__json_get_bytes(const taco__json *object, taco_bytes name)
{
    const taco__json *found = NULL, *key;
    uint32_t i;
    if (!taco__json_is(object, TACO__JSON_OBJECT)) { return NULL; }
    for (i = 0, key = taco__json_first(object); i < object->count;
         i++, key = taco__json_next(key + 1)) {
        if (taco__bytes_equal(taco__json_bytes(key), name)) { found = key + 1; }
    }
    return found;
}

/* Makes a map, zeroed but for mem, from the keys of an object to their values: those that count
   among equal keys. To be freed also after a failure. */
TACO__FN bool taco__json_index_members(const taco__json *object, taco__hash_map *m, taco_error *err)
{
    const taco__json *key;
    uint32_t i;
    if (!taco__json_is(object, TACO__JSON_OBJECT)) { return true; }
    for (i = 0, key = taco__json_first(object); i < object->count;
         i++, key = taco__json_next(key + 1)) {
        bool added;
        taco__hash_slot *s = taco__hash_map_add(m, taco__json_bytes(key), &added, err);
        if (!s) { return false; }
        s->value = (uint64_t)(key + 1 - object);
    }
    return true;
}

/* Whether the value of a key is the one that counts, by the map of the object's members. */
TACO__FN bool taco__json_member_counts(const taco__hash_map *m, const taco__json *object,
                                       const taco__json *key)
{
    const taco__hash_slot *s = taco__hash_map_find(m, taco__json_bytes(key));
    return s && s->value == (uint64_t)(key + 1 - object);
}

TACO__FN const taco__json *taco__json_get(const taco__json *object, const char *name)
{
    return taco__json_get_bytes(object, taco__bytes_text(name));
}

/* Element i of an array, NULL when there is none. Takes time in proportion to i. */
TACO__FN const taco__json *taco__json_at(const taco__json *array, size_t i)
{
    const taco__json *n;
    if (i >= taco__json_length(array)) { return NULL; }
    for (n = taco__json_first(array); i; i--) {
        n = taco__json_next(n);
    }
    return n;
}

/* ---- numbers ---- */

/* The number, correctly rounded; infinite if it is larger than any double. False if it is not a
   number. */
TACO__FN bool taco__json_double(const taco__json *n, double *out)
{
    return taco__json_is(n, TACO__JSON_NUMBER) &&
           taco__num_parse_f64(taco__bytes_of(n->text, n->count), out);
}

/* The number as an exact integer, also from 1.0 and 1e3. False if it is not a number, has a
   fraction or does not fit. */
TACO__FN bool taco__json_int(const taco__json *n, int64_t *out)
{
    double d;
    if (taco__json_is(n, TACO__JSON_NUMBER) &&
        taco__num_parse_i64(taco__bytes_of(n->text, n->count), out)) {
        return true;
    }
    /* With a fraction or an exponent: whole numbers up to 2^53 are exact as doubles. Larger ones do
       not pass, as they may not be. */
    if (!taco__json_double(n, &d) || !(d >= -9007199254740992.0 && d <= 9007199254740992.0) ||
        (double)(int64_t)d < d || (double)(int64_t)d > d) {
        return false;
    }
    *out = (int64_t)d;
    return true;
}
/* ==== src/base/json_print.c ==== */
/* json_print.c - parsed JSON values back to text, on one line or indented

   For collection documents that are read, partly changed and written again: unchanged values must
   stay as they were. So numbers and literals are copied from their text, and strings are escaped
   again, with only the escapes that JSON requires. taco__json_print walks over the text and the
   nodes together: the text gives the brackets, the nodes the scalars, and no stack is needed. */
/* #include "json.h" */
/* #include "base.h" */

/* A new line and depth times `indent` blanks; nothing for an indent of 0. */
static bool taco__json_print_newline(taco__buf *out, size_t indent, size_t depth, taco_error *err)
{
    bool ok = indent == 0 || taco__buf_append_char(out, '\n', err);
    for (depth *= indent; ok && depth; depth--) {
        ok = taco__buf_append_char(out, ' ', err);
    }
    return ok;
}

/* A value that is not a container. */
static bool taco__json_print_scalar(taco__buf *out, const taco__json *n, taco_error *err)
{
    return n->type == TACO__JSON_STRING ? taco__json_write_quoted(out, taco__json_bytes(n), err)
                                        : taco__buf_append(out, n->text, n->end - n->begin, err);
}

/* An opening bracket at *at, the text of container n, and, if it is empty, the closing one. *at
   moves to what comes next; `value` is the whole that is printed. */
static bool taco__json_print_open(taco__buf *out, const taco__json *value, const taco__json *n,
                                  const char **at, size_t indent, size_t *depth, taco_error *err)
{
    if (n->count) {
        return taco__buf_append_char(out, *(*at)++, err) &&
               taco__json_print_newline(out, indent, ++*depth, err);
    }
    *at = value->text + (n->end - value->begin);
    return taco__buf_append_text(out, n->type == TACO__JSON_ARRAY ? "[]" : "{}", err);
}

/* Prints a value, on one line without blanks if indent is 0, else with a line for each element.
   NULL is null. */
TACO__FN bool taco__json_print(taco__buf *out, const taco__json *value, size_t indent,
                               taco_error *err)
{
    const char *at, *end;
    const taco__json *n = value;
    size_t depth = 0;
    bool ok = true;
    if (!n) { return taco__buf_append_text(out, "null", err); }
    if (n->type < TACO__JSON_ARRAY) { return taco__json_print_scalar(out, n, err); }
    for (at = n->text, end = at + (n->end - n->begin); ok && at < end;) {
        switch (*at) {
        case ' ':
        case '\n':
        case '\r':
        case '\t': at++; break;
        case '[':
        case '{': ok = taco__json_print_open(out, value, n++, &at, indent, &depth, err); break;
        case ']':
        case '}':
            ok = taco__json_print_newline(out, indent, --depth, err) &&
                 taco__buf_append_char(out, *at++, err);
            break;
        case ',':
            ok = taco__buf_append_char(out, *at++, err) &&
                 taco__json_print_newline(out, indent, depth, err);
            break;
        case ':':
            ok = taco__buf_append_text(out, indent ? ": " : ":", err);
            at++;
            break;
        default:
            ok = taco__json_print_scalar(out, n, err);
            at = value->text + (n->end - value->begin);
            n++;
            break;
        }
    }
    return ok;
}

TACO__FN void taco__json_print_value(taco__json_writer *w, const char *key, const taco__json *n)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}
/* ==== src/base/sha256.h ==== */
/* sha256.h - what sha256.c offers */
#ifndef TACO__SHA256_H
#define TACO__SHA256_H

/* #include "base.h" */

typedef struct taco__sha256 {
    uint32_t h[8];
    uint8_t block[64]; /* bytes of an incomplete block: total % 64 of them */
    uint64_t total;
} taco__sha256;

/* Begins the hash of an empty input; adds bytes; writes 64 digits and a zero byte. */
TACO__FN void taco__sha256_init(taco__sha256 *s);
TACO__FN void taco__sha256_update(taco__sha256 *s, const uint8_t *p, size_t len);
TACO__FN void taco__sha256_finish(taco__sha256 *s, char hex[65]);

#endif
/* ==== src/base/sha256.c ==== */
/* sha256.c - SHA-256, for SQL and for the digests of files in Croissant. Spec: FIPS 180-4

   In: bytes, in pieces of any length; out: 64 hexadecimal digits. Names are those of the
   standard if it has any: h the hash so far, w the schedule of a block, k the constants. */
/* #include "sha256.h" */

/* ROTR. */
TACO__INLINE uint32_t taco__sha256_rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

TACO__FN void taco__sha256_init(taco__sha256 *s)
{
    static const uint32_t first[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
    memset(s, 0, sizeof *s);
    memcpy(s->h, first, sizeof first);
}

static const uint32_t taco__sha256_k[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

/* Expands the 16 words of a block to the schedule of 64. */
static void taco__sha256_schedule(uint32_t w[64], const uint8_t *p)
{
    unsigned i;
    for (i = 0; i < 16; i++) {
        w[i] = taco__load_be32(p + (size_t)4 * i);
    }
    for (; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (taco__sha256_rotate(a, 7) ^ taco__sha256_rotate(a, 18) ^ a >> 3) +
               w[i - 7] + (taco__sha256_rotate(b, 17) ^ taco__sha256_rotate(b, 19) ^ b >> 10);
    }
}

/* One round with word `in`: h[0..8) are a to h of the standard. */
TACO__INLINE void taco__sha256_round(uint32_t h[8], uint32_t in)
{
    uint32_t a = h[0], e = h[4], x, y;
    x = h[7] +
        (taco__sha256_rotate(e, 6) ^ taco__sha256_rotate(e, 11) ^ taco__sha256_rotate(e, 25)) +
        ((e & h[5]) ^ (~e & h[6])) + in;
    y = (taco__sha256_rotate(a, 2) ^ taco__sha256_rotate(a, 13) ^ taco__sha256_rotate(a, 22)) +
        ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
    memmove(h + 1, h, 7 * sizeof *h);
    h[4] += x;
    h[0] = x + y;
}

/* Adds a block of 64 bytes to the hash. */
static void taco__sha256_block(taco__sha256 *s, const uint8_t *p)
{
    uint32_t w[64], h[8];
    unsigned i;
    taco__sha256_schedule(w, p);
    memcpy(h, s->h, sizeof h);
    for (i = 0; i < 64; i++) {
        taco__sha256_round(h, taco__sha256_k[i] + w[i]);
    }
    for (i = 0; i < 8; i++) {
        s->h[i] += h[i];
    }
}

TACO__FN void taco__sha256_update(taco__sha256 *s, const uint8_t *p, size_t len)
{
    while (len) {
        size_t at = (size_t)(s->total % 64), n = TACO__MIN(len, 64 - at);
        memcpy(s->block + at, p, n);
        s->total += n;
        p += n;
        len -= n;
        if (at + n == 64) { taco__sha256_block(s, s->block); }
    }
}

/* Padded as in the standard. */
TACO__FN void taco__sha256_finish(taco__sha256 *s, char hex[65])
{
    static const uint8_t pad[64] = {0x80};
    uint64_t bits = s->total * 8;
    uint8_t len[8], digest[32];
    unsigned i;
    for (i = 0; i < 8; i++) {
        len[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    taco__sha256_update(s, pad, (size_t)(64 - (s->total + 8) % 64));
    taco__sha256_update(s, len, 8);
    for (i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
    }
    *taco__ascii_put_hex(hex, digest, sizeof digest) = 0;
}
/* ==== src/base/math.c ==== */
/* math.c - rounding, remainders and square roots without libm

   The library links nothing but libc, and results must not depend on the machine: these are exact
   or correctly rounded everywhere, whatever the rounding mode. For SQL's functions and casts, and
   band statistics. Doubles from 2^52 up have no fraction, so that rounding leaves them alone, as
   NaN and the infinities. */
/* #include "json.h" */
/* #include "base.h" */

/* The nearest whole number, ties to even; -0.0 stays negative. */
TACO__FN double taco__math_round_even(double d)
{
    double a = d < 0 ? -d : d, r, rest;
    if (!(a < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)a;
    rest = a - r;
    if (rest > 0.5 || (rest == 0.5 && (int64_t)r % 2)) { r += 1; }
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}

/* The nearest whole number, ties away from zero. */
TACO__FN double taco__math_round(double d)
{
    double a = d < 0 ? -d : d, r;
    if (!(a < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)a;
    r += a - r >= 0.5;
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}

/* C's fmod: a - b * trunc(a / b) exactly, with a's sign; b is subtracted in powers of two. NaN
   where a is infinite or b is 0. */
TACO__FN double taco__math_fmod(double a, double b)
{
    double x = a < 0 ? -a : a, y = b < 0 ? -b : b, z;
    if (!taco__f64_is_finite(x) || taco__f64_is_nan(y) || y == 0) {
        return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
    }
    if (!taco__f64_is_finite(y) || x < y) { return a; }
    z = y;
    while (z <= x / 2) {
        z *= 2;
    }
    for (;;) {
        if (x >= z) { x -= z; }
        if (z == y) { break; }
        z /= 2;
    }
    return a < 0 ? -x : x;
}

/* floor(sqrt(m * 2^46)), binary digit by digit: each step takes two bits of the number and gives
   one of its root. */
static uint64_t taco__math_integer_root(uint64_t m)
{
    uint64_t root = 0, rem = 0;
    int i;
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
    return root;
}

/* x * 2^e, exactly where the result is normal. */
static double taco__math_scale(double x, int e)
{
    for (; e > 0; e--) {
        x *= 2;
    }
    for (; e < -60; e += 60) {
        x /= 1152921504606846976.0; /* 2^60 */
    }
    for (; e < 0; e++) {
        x /= 2;
    }
    return x;
}

/* The nearest square root: one more bit than a double has decides the rounding. No root lies in the
   middle between two doubles, since the square of an odd number of 54 bits has more than 53. d
   itself where it has none: zeros, negative numbers, infinity, NaN. */
TACO__FN double taco__math_sqrt(double d)
{
    uint64_t bits = taco__f64_to_bits(d), m, root;
    int e;
    if (!(d > 0) || !taco__f64_is_finite(d)) { return d; }
    e = (int)(bits >> 52 & 0x7FF);
    m = bits & (((uint64_t)1 << 52) - 1);
    if (e == 0) {                                                      /* subnormal */
        return taco__math_sqrt(d * 18014398509481984.0) / 134217728.0; /* 2^54, 2^27 */
    }
    m |= (uint64_t)1 << 52;
    e -= 1075; /* d = m * 2^e */
    if (e & 1) {
        m <<= 1;
        e--;
    }
    m <<= 10; /* 64 bits at most: pairs from the top */
    root = taco__math_integer_root(m);
    /* m of 64 bits: the root of d is root * 2^((e - 10 - 46) / 2) */
    while (root >> 54) {
        root >>= 1;
        e += 2;
    }
    root += root & 1;
    return taco__math_scale((double)(root >> 1) * 2, (e - 56) / 2);
}

/* The largest whole number that is not above d; -0.0 stays. */
TACO__FN double taco__math_floor(double d)
{
    double r;
    if (!(d > -4503599627370496.0 && d < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)d;
    r -= r > d;
    return r == 0 && taco__f64_to_bits(d) >> 63 ? -0.0 : r;
}
/* ==== src/geo/geo.h ==== */
/* geo.h - well-known binary geometries: a checked walk, bounds, intersection with a box. */
#ifndef TACO__GEO_H
#define TACO__GEO_H

/* #include "../base/base.h" */

/* The folder for geometries, which TACO stores as WKB in binary columns. It depends on base alone.

   wkb.c         a reader that walks a blob event by event and checks every byte it returns; the
                 bounds of a geometry on top of it. Start here.
   wkb_point.c   points: to WKB, and from the text of older formats
   projection.c  longitude and latitude of points in UTM, web mercator and geographic CRSs
   intersect.c   whether a geometry and a box share a point, exactly; for one blob and for a column

   Used by the bbox filter of a query (dataset/query_filter.c), the ST_ functions of SQL, the
   footprints and GeoJSON of publish, and the writers that compute extents and centroids.

   Blobs come from files and may hold anything. Nothing here allocates, recurses or loops longer
   than the blob is long; a walk that fails reports an offset inside the blob. */

/* Most nested collections: a level costs a hostile blob only nine bytes, so the depth must be
   limited. */
#define TACO__WKB_MAX_DEPTH 64

/* The result of a step of the reader. A geometry is BEGIN, then its runs of coordinates or its
   parts, then END. POLYGON((0 0, 1 0, 0 1, 0 0)) for example is BEGIN, RUN of 4, END, DONE. */
typedef enum taco__wkb_event {
    /* type and count are set */
    TACO__WKB_BEGIN,
    /* a Point, a LineString or one ring: n positions at xy */
    TACO__WKB_RUN,
    /* type is set */
    TACO__WKB_END,
    /* the outermost geometry has ended, and no byte is left */
    TACO__WKB_DONE
} taco__wkb_event;

/* OGC type codes (OGC 06-103r4 §8.2.8); 0 is not one. A MultiX is X + 3. */
enum {
    TACO__WKB_POINT = 1,
    TACO__WKB_LINESTRING,
    TACO__WKB_POLYGON,
    TACO__WKB_MULTIPOINT,
    TACO__WKB_MULTILINESTRING,
    TACO__WKB_MULTIPOLYGON,
    TACO__WKB_COLLECTION
};

/* A geometry that has begun and not ended. */
typedef struct taco__wkb_frame {
    uint32_t type;
    /* parts or rings still to come, and those read so far */
    uint32_t left, index;
    /* bytes of one position: 16, plus 8 for each of Z and M */
    uint32_t stride;
    /* byte order of this geometry; its parts have their own */
    bool big;
    /* its first ring is empty, so the others must be, too */
    bool hollow;
} taco__wkb_frame;

/* One step of the reader; which members are set depends on `what`. */
typedef struct taco__wkb_item {
    taco__wkb_event what;
    /* type of the geometry that begins, ends or owns the run */
    uint32_t type;
    /* BEGIN: number of parts or rings; 1 for Point and LineString */
    uint32_t count;
    /* RUN: 0 is the shell of a polygon, others are holes */
    uint32_t index;
    /* RUN: distance between positions, and their byte order */
    uint32_t stride;
    bool big;
    /* RUN: n positions, known to lie inside the blob. Each begins with x and y */
    const uint8_t *xy;
    size_t n;
} taco__wkb_item;

/* A walk over one blob, which it borrows. */
typedef struct taco__wkb_reader {
    taco__byte_reader cur;
    /* frames in use; 0 before the first geometry and after the last */
    size_t depth;
    bool started;
    taco__wkb_frame frame[TACO__WKB_MAX_DEPTH];
} taco__wkb_reader;

/* ---- wkb.c ---- */

TACO__FN const char *taco__wkb_type_name(uint32_t type);
TACO__FN void taco__wkb_reader_init(taco__wkb_reader *w, taco_bytes wkb);
TACO__FN taco_status taco__wkb_next(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err);
TACO__FN taco_status taco__wkb_bounds(taco_bytes wkb, double out[4], bool *empty, taco_error *err);

/* One coordinate of a run: p is xy for the first x, xy + 8 for the first y. */
TACO__INLINE double taco__wkb_coordinate(const uint8_t *p, bool big)
{
    return taco__f64_from_bits(big ? taco__load_be64(p) : taco__load_le64(p));
}

/* Sets a coordinate, in a copy of the blob. */
TACO__INLINE void taco__wkb_put_coordinate(uint8_t *p, double x, bool big)
{
    uint64_t bits = taco__f64_to_bits(x);
    size_t i;
    for (i = 0; i < 8; i++) {
        p[i] = (uint8_t)(bits >> 8 * (big ? 7 - i : i));
    }
}

/* ---- wkb_point.c ---- */

#define TACO__WKB_POINT_BYTES 21

TACO__FN void taco__wkb_point_write(uint8_t out[TACO__WKB_POINT_BYTES], double x, double y);
/* The two numbers after the first parenthesis of "POINT (x y)"; what is before and after them is
   ignored. */
TACO__FN bool taco__wkb_point_from_text(taco_bytes text, double xy[2]);

/* ---- projection.c ---- */

#define TACO__PROJECTION_PI 3.14159265358979323846

TACO__FN void taco__projection_sincos(double x, double *s, double *c);
TACO__FN int32_t taco__projection_epsg_code(const char *crs);
TACO__FN bool taco__projection_is_geographic(int32_t code);
TACO__FN bool taco__projection_is_utm(int32_t code);
TACO__FN bool taco__projection_inverse_unwrapped(int32_t code, double x, double y, double out[2]);
TACO__FN bool taco__projection_inverse(int32_t code, double x, double y, double out[2]);
TACO__FN bool taco__projection_clamp(double lonlat[2]);

/* ---- intersect.c ---- Boxes are west, south, east, north, closed, and normalized first. */

TACO__FN taco_status taco__intersect_normalize_box(const double in[4], double box[4],
                                                   taco_error *err);
TACO__FN bool taco__intersect_box_crosses(const double in[4]);
TACO__FN taco_status taco__intersect_split_box(const double in[4], double box[2][4], size_t *n,
                                               taco_error *err);
TACO__FN taco_status taco__intersect_wkb_box(taco_bytes wkb, const double box[4], bool *hit,
                                             taco_error *err);
TACO__FN taco_status taco__intersect_filter_add(const taco_array *a, const double box[4],
                                                uint8_t *true_bits, taco_error *err);
TACO__FN taco_status taco__intersect_filter(const taco_array *a, const double box[4],
                                            uint8_t *true_bits, taco_error *err);

#endif /* TACO__GEO_H */
/* ==== src/geo/wkb.c ==== */
/* wkb.c - walks a WKB geometry event by event, checking every byte; its bounds

   In: a blob that may hold anything. Out: events (taco__wkb_item) whose runs of coordinates lie
   inside the blob, so that callers loop over them without a check. Format: OGC 06-103r4 §8.2; the
   type codes for Z, M and ZM of ISO 13249-3; the flags of EWKB.

   taco__wkb_next does one step: it reads the header of a geometry, one run of coordinates, or
   closes a geometry. Open geometries are a stack of frames in the reader, so there is no recursion.
   Counts are compared with the bytes that are left before anything is read (taco__wkb_read_count).
   Read taco__wkb_next first, then taco__wkb_read_header and taco__wkb_read_run. */
/* #include "geo.h" */
/* #include "../base/base.h" */

/* "Point" to "GeometryCollection"; "geometry" for any other code. */
TACO__FN const char *taco__wkb_type_name(uint32_t type)
{
    static const char *const names[] = {
        "geometry",   "Point",           "LineString",   "Polygon",
        "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"};
    return names[type < TACO__COUNT(names) ? type : 0];
}

/* Frames are initialised when entered: there is nothing else to clear. */
TACO__FN void taco__wkb_reader_init(taco__wkb_reader *w, taco_bytes wkb)
{
    w->cur = taco__byte_reader_init(wkb);
    w->depth = 0;
    w->started = false;
}

/* ---- headers ---- */

static TACO__COLD taco_status taco__wkb_fail_truncated(const taco__wkb_reader *w, size_t need,
                                                       const char *what, taco_error *err)
{
    return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&w->cur),
                      "WKB: %s needs %u bytes, %u are left", what, TACO__U(need),
                      TACO__U(taco__byte_reader_left(&w->cur)));
}

/* Reads a count of items of at least `each` bytes. It is checked against the bytes that are left,
   so that no loop runs longer than the blob is. */
static taco_status taco__wkb_read_count(taco__wkb_reader *w, bool big, size_t each,
                                        const char *what, uint32_t *out, taco_error *err)
{
    const uint8_t *p = taco__byte_reader_take(&w->cur, 4);
    if (!p) { return taco__wkb_fail_truncated(w, 4, "a count", err); }
    *out = big ? taco__load_be32(p) : taco__load_le32(p);
    if (*out > taco__byte_reader_left(&w->cur) / each) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&w->cur) - 4,
                          "WKB: %u %s of %u bytes or more, %u bytes are left", TACO__U(*out), what,
                          TACO__U(each), TACO__U(taco__byte_reader_left(&w->cur)));
    }
    return TACO_OK;
}

/* Splits a type code into the plain type and the bytes of a position. ISO adds 1000 for Z, 2000 for
   M, 3000 for both; EWKB sets bit 31 for Z, bit 30 for M, bit 29 for an SRID, which is skipped.
   Some writers do both. For example, 1001 and 0x80000001 are both a Point of 24 bytes. */
static taco_status taco__wkb_split_type(taco__wkb_reader *w, uint32_t code, taco__wkb_frame *f,
                                        taco_error *err)
{
    uint32_t iso = code & 0x1FFFFFFFU, set = iso / 1000;
    bool z = (code >> 31) != 0 || set == 1 || set == 3,
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

/* A MultiPoint contains Points, and so on; a collection, and the blob itself, may contain
   anything. */
static taco_status taco__wkb_check_parent(const taco__wkb_reader *w, const taco__wkb_frame *f,
                                          size_t start, taco_error *err)
{
    uint32_t parent = w->depth ? w->frame[w->depth - 1].type : (uint32_t)TACO__WKB_COLLECTION;
    if (parent != TACO__WKB_COLLECTION && f->type != parent - 3) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, start, "WKB: a %s inside a %s",
                          taco__wkb_type_name(f->type), taco__wkb_type_name(parent));
    }
    return TACO_OK;
}

/* Sets f->left: 1 run for Point and LineString, else the count that follows the type. A ring is at
   least its count of 4 bytes, a part at least a header with a count, 9. */
static taco_status taco__wkb_read_parts(taco__wkb_reader *w, taco__wkb_frame *f, taco_error *err)
{
    f->left = 1;
    if (f->type == TACO__WKB_POLYGON) {
        return taco__wkb_read_count(w, f->big, 4, "rings", &f->left, err);
    }
    return f->type >= TACO__WKB_MULTIPOINT
               ? taco__wkb_read_count(w, f->big, 9, "parts", &f->left, err)
               : TACO_OK;
}

/* Reads the header of a geometry and enters it: byte order, type code, SRID, number of parts. */
static taco_status taco__wkb_read_header(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    size_t start = taco__byte_reader_position(&w->cur);
    const uint8_t *p = taco__byte_reader_take(&w->cur, 5);
    taco__wkb_frame *f = &w->frame[w->depth];
    taco_status st;
    if (!p) { return taco__wkb_fail_truncated(w, 5, "a geometry", err); }
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
    st = st == TACO_OK ? taco__wkb_check_parent(w, f, start, err) : st;
    if (st != TACO_OK) { return st; }
    st = taco__wkb_read_parts(w, f, err);
    w->depth++;
    out->what = TACO__WKB_BEGIN;
    out->type = f->type;
    out->count = f->left;
    return st;
}

/* ---- coordinates ---- */

/* A ring must be closed in x and y; Z and M may differ, as in GEOS. Three positions, there and
   back, are the fewest it can have. */
static taco_status taco__wkb_check_ring(const taco__wkb_reader *w, taco__wkb_frame *f,
                                        const taco__wkb_item *run, taco_error *err)
{
    size_t at = taco__byte_reader_position(&w->cur) - run->n * run->stride;
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

/* Reads the next run of the innermost geometry: its only one, or the next ring of a polygon. */
static taco_status taco__wkb_read_run(taco__wkb_reader *w, taco__wkb_frame *f, taco__wkb_item *out,
                                      taco_error *err)
{
    uint32_t n = 1;
    taco_status st = TACO_OK;
    if (f->type != TACO__WKB_POINT) {
        st = taco__wkb_read_count(w, f->big, f->stride, "points", &n, err);
    } else if (taco__byte_reader_left(&w->cur) < f->stride) {
        st = taco__wkb_fail_truncated(w, f->stride, "a Point", err);
    }
    if (st != TACO_OK) { return st; }
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

/* The step before the outermost geometry, or after it, where the blob must end. */
static taco_status taco__wkb_next_outside(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    if (!w->started) {
        w->started = true;
        return taco__wkb_read_header(w, out, err);
    }
    if (taco__byte_reader_left(&w->cur)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__byte_reader_position(&w->cur),
                          "WKB: %u bytes after the end of the geometry",
                          TACO__U(taco__byte_reader_left(&w->cur)));
    }
    out->what = TACO__WKB_DONE;
    return TACO_OK;
}

/* Does one step and describes it in *out. Must not be called again after a failure, or after
   DONE. */
TACO__FN taco_status taco__wkb_next(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    taco__wkb_frame *f;
    if (w->depth == 0) { return taco__wkb_next_outside(w, out, err); }
    f = &w->frame[w->depth - 1];
    if (f->left == 0) {
        out->what = TACO__WKB_END;
        out->type = f->type;
        w->depth--;
        return TACO_OK;
    }
    if (f->type <= TACO__WKB_POLYGON) { return taco__wkb_read_run(w, f, out, err); }
    f->left--;
    f->index++;
    return taco__wkb_read_header(w, out, err);
}

/* Extends a box, empty at first, by the positions of a run. A NaN in x or y is an empty Point, or
   an unknown position. */
static void taco__wkb_extend_bounds(const taco__wkb_item *run, double out[4], bool *empty)
{
    size_t i;
    for (i = 0; i < run->n; i++) {
        double x = taco__wkb_coordinate(run->xy + i * run->stride, run->big);
        double y = taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
        if (taco__f64_is_nan(x) || taco__f64_is_nan(y)) { continue; }
        out[0] = *empty || x < out[0] ? x : out[0];
        out[1] = *empty || y < out[1] ? y : out[1];
        out[2] = *empty || x > out[2] ? x : out[2];
        out[3] = *empty || y > out[3] ? y : out[3];
        *empty = false;
    }
}

/* The smallest box around all positions with both coordinates; *empty if there are none, with out
   all zeros. */
TACO__FN taco_status taco__wkb_bounds(taco_bytes wkb, double out[4], bool *empty, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco_status st;
    *empty = true;
    out[0] = out[1] = out[2] = out[3] = 0;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK || item.what == TACO__WKB_DONE) { return st; }
        if (item.what == TACO__WKB_RUN) { taco__wkb_extend_bounds(&item, out, empty); }
    }
}
/* ==== src/geo/wkb_point.c ==== */
/* wkb_point.c - points: WKB of two numbers, and the text "POINT (x y)" of older formats

   TACO stores centroids as WKB; Tortilla and TACO 0.x have them as well-known text. Only a point's
   two numbers are read from that text, because nothing else was ever written (OGC 06-103r4 7.2,
   8.2). */
/* #include "geo.h" */
/* #include "../base/base.h" */

/* Byte order 1 (little-endian), type 1 (Point), x, y. */
TACO__FN void taco__wkb_point_write(uint8_t out[TACO__WKB_POINT_BYTES], double x, double y)
{
    out[0] = 1;
    taco__put_le32(out + 1, TACO__WKB_POINT);
    taco__put_le64(out + 5, taco__f64_to_bits(x));
    taco__put_le64(out + 13, taco__f64_to_bits(y));
}

TACO__FN bool taco__wkb_point_from_text(taco_bytes text, double xy[2])
{
    const uint8_t *p = text.len ? (const uint8_t *)memchr(text.data, '(', text.len) : NULL;
    const uint8_t *end = text.data + text.len, *from;
    size_t i;
    if (!p) { return false; }
    for (p++, i = 0; i < 2; i++) {
        while (p < end && *p == ' ') {
            p++;
        }
        from = p;
        while (p < end && *p != ' ' && *p != ')') {
            p++;
        }
        if (!taco__num_parse_f64(taco__bytes_of(from, (size_t)(p - from)), &xy[i])) {
            return false;
        }
    }
    return true;
}
/* ==== src/geo/projection.c ==== */
/* projection.c - longitude and latitude of projected points, without libm

   In: a CRS as text and x, y in it; out: longitude and latitude in degrees, within about a
   nanometre of PROJ. Computed: geographic CRSs, UTM (WGS 84, ETRS89, NAD83), web mercator. OGC
   19-008r4; Karney 2011, Transverse Mercator with an accuracy of a few nanometers.

   The library does not link libm, so sin, cos, exp, sinh, cosh and atan2 are series here, each
   exact to the last bits for the arguments that occur (angles of a few turns, |x| below 10 for
   exp). Start reading at taco__projection_inverse. */
/* #include "geo.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* Taylor series on [-pi/4, pi/4]; quarter turns are removed in two steps, with pi/2 in two parts,
   so that small multiples lose no bits. NaN of what has no angle: NaN, infinity, and numbers whose
   last digit is more than a turn. */
TACO__FN void taco__projection_sincos(double x, double *s, double *c)
{
    double turns = x * (2 / TACO__PROJECTION_PI), y, y2, term, sine, cosine;
    int64_t k;
    unsigned i;
    if (!(turns > -1e15 && turns < 1e15)) {
        *s = *c = taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
        return;
    }
    k = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    y = (x - (double)k * 1.5707963267948966) - (double)k * 6.123233995736766e-17;
    y2 = y * y;
    sine = cosine = 0;
    for (i = 11; i > 0; i--) { /* Horner, from the smallest term */
        term = 1.0 / ((2.0 * i) * (2.0 * i + 1));
        sine = -y2 * term * (1 + sine);
        term = 1.0 / ((2.0 * i) * (2.0 * i - 1));
        cosine = -y2 * term * (1 + cosine);
    }
    sine = y + y * sine;
    cosine = 1 + cosine;
    switch ((unsigned)(k & 3)) {
    case 0: *s = sine, *c = cosine; break;
    case 1: *s = cosine, *c = -sine; break;
    case 2: *s = -sine, *c = -cosine; break;
    default: *s = -cosine, *c = sine; break;
    }
}

/* e^x; 0 or infinity beyond about 700, where a double has no room for it, and NaN of NaN. */
static double taco__projection_exp(double x)
{
    double y, sum = 0;
    int64_t k;
    unsigned i;
    if (!(x > -700)) { return x < 0 ? 0 : x; }
    if (x > 700) { return taco__f64_from_bits(UINT64_C(0x7FF0000000000000)); }
    k = (int64_t)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    y = (x - (double)k * 0.6931471803691238) - (double)k * 1.9082149292705877e-10;
    for (i = 18; i > 0; i--) {
        sum = y / i * (1 + sum);
    }
    return (1 + sum) * taco__f64_from_bits((uint64_t)(k + 1023) << 52);
}

/* A series near 0, where the difference of exponentials would cancel. */
static double taco__projection_sinh(double x)
{
    double x2 = x * x, sum = 0, e;
    unsigned i;
    if (x2 < 1) {
        for (i = 10; i > 0; i--) {
            sum = x2 / ((2.0 * i) * (2.0 * i + 1)) * (1 + sum);
        }
        return x + x * sum;
    }
    e = taco__projection_exp(x);
    return (e - 1 / e) / 2;
}

static double taco__projection_cosh(double x)
{
    double e = taco__projection_exp(x);
    return (e + 1 / e) / 2;
}

/* The angle of the direction (x, y), in radians, -pi to pi: a series of the tangent after two
   halvings of the angle. */
static double taco__projection_atan2(double y, double x)
{
    double ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, t, t2, sum = 0, angle;
    unsigned i;
    bool steep = ay > ax;
    if (ax + ay <= 0) { return 0; }
    t = steep ? ax / ay : ay / ax;
    t = t / (1 + taco__math_sqrt(1 + t * t));
    t = t / (1 + taco__math_sqrt(1 + t * t));
    t2 = t * t;
    for (i = 20; i > 0; i--) {
        sum = -t2 * (1.0 / (2.0 * i + 1) + sum);
    }
    angle = 4 * (t + t * sum);
    angle = steep ? TACO__PROJECTION_PI / 2 - angle : angle;
    angle = x < 0 ? TACO__PROJECTION_PI - angle : angle;
    return y < 0 ? -angle : angle;
}

/* ---- projections
   ---------------------------------------------------------------------------------- */

/* Longitude and latitude in radians of a point of a transverse Mercator projection, by Krueger's
   series to the sixth order of the third flattening n (Karney, Transverse Mercator with an accuracy
   of a few nanometers, 2011, (36), (19) to (21)). x and y are over the scale and the rectifying
   radius. */
static void taco__projection_inverse_mercator(double n, double xi, double eta, double *lon,
                                              double *lat)
{
    const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
    const double beta[6] = {
        n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360 - n5 * 81 / 512 + n6 * 96199 / 604800,
        n2 / 48 + n3 / 15 - n4 * 437 / 1440 + n5 * 46 / 105 - n6 * 1118711 / 3870720,
        n3 * 17 / 480 - n4 * 37 / 840 - n5 * 209 / 4480 + n6 * 5569 / 90720,
        n4 * 4397 / 161280 - n5 * 11 / 504 - n6 * 830251 / 7257600,
        n5 * 4583 / 161280 - n6 * 108847 / 3991680,
        n6 * 20648693 / 638668800};
    const double f = 2 * n / (1 + n), e2 = f * (2 - f), e = taco__math_sqrt(e2);
    double x = xi, h = eta, s, c, sh, tau, target, u, v;
    unsigned j;
    for (j = 1; j <= 6; j++) {
        taco__projection_sincos(2 * j * xi, &s, &c);
        x -= beta[j - 1] * s * taco__projection_cosh(2 * j * eta);
        h -= beta[j - 1] * c * taco__projection_sinh(2 * j * eta);
    }
    taco__projection_sincos(x, &s, &c);
    sh = taco__projection_sinh(h);
    *lon = taco__projection_atan2(sh, c);
    target = s / taco__math_sqrt(sh * sh + c * c); /* tangent of the conformal latitude */
    tau = target / (1 - e2);
    for (j = 0; j < 6; j++) { /* Newton: three steps are enough except near the poles */
        double root = taco__math_sqrt(1 + tau * tau), k = e * tau / root, k2 = k * k, at = 0, sigma,
               got;
        unsigned i;
        for (i = 12; i > 0; i--) {
            at = k2 * (1.0 / (2.0 * i + 1) + at);
        }
        sigma = taco__projection_sinh(e * (k + k * at));
        got = tau * taco__math_sqrt(1 + sigma * sigma) - sigma * root;
        u = (target - got) / taco__math_sqrt(1 + got * got);
        v = (1 + (1 - e2) * tau * tau) / ((1 - e2) * root);
        tau += u * v;
    }
    *lat = taco__projection_atan2(tau, 1);
}

/* A point of a UTM zone (scale 0.9996, false easting 500 km, northing 10000 km in the south).
   Longitudes are within 180 degrees of the central meridian. */
static void taco__projection_inverse_utm(int32_t zone, bool south, double flattening, double x,
                                         double y, double out[2])
{
    const double a = 6378137, n = flattening / (2 - flattening), n2 = n * n;
    const double radius = a / (1 + n) * (1 + n2 / 4 + n2 * n2 / 64 + n2 * n2 * n2 / 256);
    double lon, lat;
    taco__projection_inverse_mercator(n, (y - (south ? 10000000 : 0)) / (0.9996 * radius),
                                      (x - 500000) / (0.9996 * radius), &lon, &lat);
    out[0] = lon * (180 / TACO__PROJECTION_PI) + (zone * 6 - 183);
    out[1] = lat * (180 / TACO__PROJECTION_PI);
}

/* The number after the last `mark` in text, with `end` right after its digits (0: the end of the
   text); 0 if there is none. */
static int32_t taco__projection_number_after(const char *text, const char *mark, char end)
{
    const char *at = text, *last = NULL;
    uint64_t x = 0;
    size_t n = strlen(mark), k;
    while ((at = strstr(at, mark)) != NULL) {
        last = at + n;
        at++;
    }
    for (k = 0; last && taco__ascii_is_digit((uint8_t)last[k]); k++) {}
    return last && (end == 0 ? last[k] == 0 : last[k] == end) &&
                   taco__num_parse_u64(taco__bytes_of(last, k), &x) && x <= INT32_MAX
               ? (int32_t)x
               : 0;
}

/* EPSG code of a CRS, 0 for none: EPSG:n, urn:...:EPSG:...:n, WKT's last ID or AUTHORITY. CRS84
   counts as 4326: x is longitude. */
TACO__FN int32_t taco__projection_epsg_code(const char *crs)
{
    int32_t code;
    if (strncmp(crs, "EPSG:", 5) == 0 || strncmp(crs, "epsg:", 5) == 0) {
        return taco__projection_number_after(crs, ":", 0);
    }
    if (strcmp(crs, "OGC:CRS84") == 0 || strcmp(crs, "CRS84") == 0 ||
        strcmp(crs, "urn:ogc:def:crs:OGC:1.3:CRS84") == 0) {
        return 4326;
    }
    if (strncmp(crs, "urn:ogc:def:crs:EPSG:", 21) == 0) {
        return taco__projection_number_after(crs, ":", 0);
    }
    if (strchr(crs, '[')) {
        code = taco__projection_number_after(crs, "ID[\"EPSG\",", ']');
        return code ? code : taco__projection_number_after(crs, "AUTHORITY[\"EPSG\",\"", '"');
    }
    return 0;
}

/* Whether x and y of a CRS are already degrees. */
TACO__FN bool taco__projection_is_geographic(int32_t code)
{
    return code == 4326 || code == 4979 || code == 4258 || code == 4269;
}

/* Longitude and latitude from an EPSG code; false for codes that are not supported. Longitudes are
   continuous: those of a shape that crosses the antimeridian go on beyond 180 or -180. */
TACO__FN bool taco__projection_inverse_unwrapped(int32_t code, double x, double y, double out[2])
{
    const double wgs = 1 / 298.257223563, grs = 1 / 298.257222101;
    if (taco__projection_is_geographic(code)) {
        out[0] = x;
        out[1] = y;
    } else if (code == 3857 || code == 900913) {
        out[0] = x / 6378137 * (180 / TACO__PROJECTION_PI);
        out[1] = taco__projection_atan2(taco__projection_sinh(y / 6378137), 1) *
                 (180 / TACO__PROJECTION_PI);
    } else if (code > 32600 && code <= 32660) {
        taco__projection_inverse_utm(code - 32600, false, wgs, x, y, out);
    } else if (code > 32700 && code <= 32760) {
        taco__projection_inverse_utm(code - 32700, true, wgs, x, y, out);
    } else if (code >= 25828 && code <= 25838) {
        taco__projection_inverse_utm(code - 25800, false, grs, x, y, out);
    } else if (code > 26900 && code <= 26923) {
        taco__projection_inverse_utm(code - 26900, false, grs, x, y, out);
    } else {
        return false;
    }
    return true;
}

/* Whether points of a CRS that is computed may lie across the antimeridian from most of it. */
TACO__FN bool taco__projection_is_utm(int32_t code)
{
    return !taco__projection_is_geographic(code) && code != 3857 && code != 900913;
}

/* The same with longitudes of UTM between -180 and 180. */
TACO__FN bool taco__projection_inverse(int32_t code, double x, double y, double out[2])
{
    if (!taco__projection_inverse_unwrapped(code, x, y, out)) { return false; }
    if (taco__projection_is_utm(code)) { out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0; }
    return true;
}

/* Moves a longitude and latitude that rounding put off the globe, by a tenth of a millimetre at
   most, back to its edge. False if they are farther off, or not numbers. */
TACO__FN bool taco__projection_clamp(double lonlat[2])
{
    size_t i;
    for (i = 0; i < 2; i++) {
        const double most = i ? 90 : 180, slack = 1e-9;
        if (!(lonlat[i] >= -most - slack && lonlat[i] <= most + slack)) { return false; }
        lonlat[i] = TACO__MAX(-most, TACO__MIN(most, lonlat[i]));
    }
    return true;
}
/* ==== src/geo/intersect.c ==== */
/* intersect.c - whether a geometry and a box share a point, exactly

   In: WKB, one blob or a column of them, and a box. Out: a bool, or a bit per row. The result is
   that of ST_Intersects in GEOS.

   taco__intersect_filter tests a column; Points in the usual form take two loads, everything else
   goes to taco__intersect_wkb_box, which walks the blob and tests each run of coordinates
   (taco__intersect_scan_ring): a segment that touches the box decides, otherwise a ray from one
   corner of the box shows whether a ring surrounds it. Both only need the side of a line that a
   point lies on (taco__intersect_orient): computed in doubles with an error bound, and if that is
   not enough in a sum without rounding. */
/* #include "geo.h" */
/* #include "../base/base.h" */

/* ---- boxes and bounds ---- */

/* Orders the corners of a west, south, east, north box; NaN is ARGUMENT. Longitudes are not
   wrapped: for boxes of queries, see taco__intersect_split_box. */
TACO__FN taco_status taco__intersect_normalize_box(const double in[4], double box[4],
                                                   taco_error *err)
{
    static const char *const names[] = {"west", "south", "east", "north"};
    const double most = 1.7976931348623157e308;
    size_t i;
    for (i = 0; i < 4; i++) {
        if (taco__f64_is_nan(in[i])) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "bounding box: %s is not a number", names[i]);
        }
    }
    box[0] = TACO__MIN(in[0], in[2]);
    box[1] = TACO__MIN(in[1], in[3]);
    box[2] = TACO__MAX(in[0], in[2]);
    box[3] = TACO__MAX(in[1], in[3]);
    /* infinity means "no bound", but corners must be points */
    for (i = 0; i < 4; i++) {
        box[i] = TACO__MAX(-most, TACO__MIN(box[i], most));
    }
    return TACO_OK;
}

/* True if a box crosses 180 degrees: its sides are longitudes and latitudes, and its west is
   greater than its east (RFC 7946 §5.2). In another unit, or if its south is greater than its
   north as well, the corners are swapped. */
TACO__FN bool taco__intersect_box_crosses(const double in[4])
{
    size_t i;
    for (i = 0; i < 4; i++) {
        double most = i % 2 ? 90 : 180;
        bool open = i % 2 && (!taco__f64_is_finite(in[i])); /* infinity, or NaN */
        if (!open && !(in[i] >= -most && in[i] <= most)) { return false; }
    }
    return in[0] > in[2] && in[1] <= in[3];
}

/* Makes n = 1 or 2 normalized boxes of one: a box that crosses 180 degrees is two, as longitudes
   beyond it may be written from either side, 181 or -179. NaN is ARGUMENT. */
TACO__FN taco_status taco__intersect_split_box(const double in[4], double box[2][4], size_t *n,
                                               taco_error *err)
{
    bool crosses = taco__intersect_box_crosses(in);
    taco_status st = taco__intersect_normalize_box(in, box[0], err);
    *n = crosses ? 2 : 1;
    if (st != TACO_OK || !crosses) { return st; }
    memcpy(box[1], box[0], sizeof box[1]);
    box[0][0] = in[0];
    box[0][2] = in[2] + 360;
    box[1][0] = in[0] - 360;
    box[1][2] = in[2];
    return TACO_OK;
}

/* ---- exact orientation ---- The sign of a 2x2 determinant of differences decides every slanted
   case. Doubles are sums of powers of two, so if rounding could matter the determinant is summed in
   a fixed-point number wide enough for any product of two doubles (2^-2148 to 2^2048); no rounding
   mode, fused multiply or extended precision of the machine changes the answer. */

/* digits of 32 bits: 4300 bits of products, and room for their carries */
#define TACO__INTERSECT_LIMBS 136
/* not a sign: with an infinite or missing coordinate there is no line */
#define TACO__INTERSECT_NAN 2

/* A sum of products of doubles: limb[i] counts 2^(32 i - 2148). */
typedef struct taco__intersect_sum {
    /* signed digits, carried only at the end: 36 addends of 32 bits at most */
    int64_t limb[TACO__INTERSECT_LIMBS];
    /* limbs in use: [low, high) */
    size_t low, high;
} taco__intersect_sum;

/* x = mantissa * 2^(exponent - 1074), exponent 0 to 2045. */
static uint64_t taco__intersect_split_double(double x, uint32_t *exponent)
{
    uint64_t bits = taco__f64_to_bits(x), mantissa = bits & 0xFFFFFFFFFFFFFU;
    uint32_t e = (uint32_t)(bits >> 52) & 0x7FF;
    *exponent = e ? e - 1 : 0;
    return e ? mantissa | (uint64_t)1 << 52 : mantissa;
}

/* Adds sign * value * 2^(32 at), its halves to two limbs. */
static void taco__intersect_sum_add(taco__intersect_sum *s, size_t at, uint64_t value, int sign)
{
    s->limb[at] += sign * (int64_t)(value & 0xFFFFFFFFU);
    s->limb[at + 1] += sign * (int64_t)(value >> 32);
}

/* s += sign * x * y. The product of two 53-bit mantissas, shifted to a limb, is three digits times
   two. */
static void taco__intersect_sum_add_product(taco__intersect_sum *s, double x, double y, int sign)
{
    uint32_t ex, ey, shift;
    uint64_t a = taco__intersect_split_double(x, &ex), b = taco__intersect_split_double(y, &ey), a0,
             a1, a2;
    size_t at;
    if (a == 0 || b == 0) { return; }
    if ((taco__f64_to_bits(x) ^ taco__f64_to_bits(y)) >> 63) { sign = -sign; }
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

/* Propagates carries; returns -1, 0 or 1. */
static int taco__intersect_sum_sign(const taco__intersect_sum *s)
{
    int64_t carry = 0;
    bool any = false;
    size_t i;
    for (i = s->low; i < s->high; i++) {
        int64_t v = s->limb[i] + carry, digit = v & (int64_t)0xFFFFFFFF;
        any = any || digit != 0;
        carry = (v - digit) / 4294967296; /* exact, also below zero */
    }
    return carry < 0 ? -1 : carry > 0 || any;
}

static bool taco__intersect_is_finite(double x)
{
    return ((taco__f64_to_bits(x) >> 52) & 0x7FF) != 0x7FF;
}

static bool taco__intersect_are_finite(double x, double y)
{
    return taco__intersect_is_finite(x) && taco__intersect_is_finite(y);
}

/* taco__intersect_orient without rounding: rare, so it is kept out of the loops. */
static TACO__NOINLINE int taco__intersect_orient_exact(double ax, double ay, double bx, double by,
                                                       double cx, double cy)
{
    taco__intersect_sum s;
    if (!taco__intersect_are_finite(ax, ay) || !taco__intersect_are_finite(bx, by) ||
        !taco__intersect_are_finite(cx, cy)) {
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

/* 1 if c is to the left of the line from a to b, -1 to the right, 0 on it, TACO__INTERSECT_NAN
   without a line. */
TACO__INLINE int taco__intersect_orient(double ax, double ay, double bx, double by, double cx,
                                        double cy)
{
    double l = (ax - cx) * (by - cy), r = (ay - cy) * (bx - cx), det = l - r;
    double size = (l < 0 ? -l : l) + (r < 0 ? -r : r);
    /* Four roundings of the differences, two of the products and one here: 3.33e-16 * size covers
       them. Below 1e-280 a product may have underflowed, and NaN fails both comparisons. */
    double bound = size * 3.4e-16 + 1e-280;
    if (det > bound) { return 1; }
    if (det < -bound) { return -1; }
    return taco__intersect_orient_exact(ax, ay, bx, by, cx, cy);
}

/* ---- intersection ---- */

/* The line through p and q passes the box by exactly when the two corners farthest from it lie on
   the same side of it: for a line that rises from left to right north-west and south-east. */
TACO__INLINE bool taco__intersect_line_box(double px, double py, double qx, double qy,
                                           const double b[4])
{
    int one, two;
    if ((px < qx) == (py < qy)) {
        one = taco__intersect_orient(px, py, qx, qy, b[0], b[3]);
        two = taco__intersect_orient(px, py, qx, qy, b[2], b[1]);
    } else {
        one = taco__intersect_orient(px, py, qx, qy, b[0], b[1]);
        two = taco__intersect_orient(px, py, qx, qy, b[2], b[3]);
    }
    return one != TACO__INTERSECT_NAN && two != TACO__INTERSECT_NAN && one * two <= 0;
}

/* Whether the closed segment p-q and the closed box share a point. With a NaN in p or q only the
   other end can match. */
TACO__INLINE bool taco__intersect_segment_box(double px, double py, double qx, double qy,
                                              const double b[4])
{
    if (!((px <= b[2] || qx <= b[2]) && (px >= b[0] || qx >= b[0]) && (py <= b[3] || qy <= b[3]) &&
          (py >= b[1] || qy >= b[1]))) {
        return false;
    }
    /* an end inside, or a segment that stays between two sides of the box and reaches from one
       outer side to the other */
    if ((px >= b[0] && px <= b[2] && py >= b[1] && py <= b[3]) ||
        (qx >= b[0] && qx <= b[2] && qy >= b[1] && qy <= b[3]) ||
        (px >= b[0] && px <= b[2] && qx >= b[0] && qx <= b[2]) ||
        (py >= b[1] && py <= b[3] && qy >= b[1] && qy <= b[3])) {
        return true;
    }
    return taco__intersect_line_box(px, py, qx, qy, b);
}

/* True if the ray from the corner (x, y) eastward crosses the segment. Only called for segments
   that do not touch the box, so the corner is never on them. */
TACO__INLINE bool taco__intersect_ray_crosses(double px, double py, double qx, double qy, double x,
                                              double y)
{
    int side;
    if ((py > y) == (qy > y) || (px < x && qx < x)) { return false; }
    if (px > x && qx > x) { return true; }
    side = taco__intersect_orient(px, py, qx, qy, x, y);
    return side != TACO__INTERSECT_NAN && (side > 0) == (qy > py);
}

/* The relation of a run of coordinates to the box. */
typedef struct taco__intersect_ring {
    /* it touches the box; the others are only set if not */
    bool hit;
    /* the box's south-west corner is inside the ring */
    bool inside;
    /* its bounds intersect the box */
    bool near;
} taco__intersect_ring;

/* One pass over a run: segments against the box, the ray from its corner, the bounds. */
static taco__intersect_ring taco__intersect_scan_ring(const taco__wkb_item *run, const double b[4])
{
    taco__intersect_ring s = {false, false, false};
    const uint8_t *p = run->xy;
    double px = 0, py = 0, west = 0, south = 0, east = 0, north = 0;
    bool whole = true; /* a ring with a missing or infinite coordinate has no inside */
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
    s.near = west <= b[2] && east >= b[0] && south <= b[3] && north >= b[1];
    return s;
}

/* False for NaN. */
TACO__INLINE bool taco__intersect_point_box(double x, double y, const double b[4])
{
    return (x >= b[0]) & (x <= b[2]) & (y >= b[1]) & (y <= b[3]);
}

/* Tests one run; true when its points or lines touch the box. For the rings of a polygon *shell
   carries the state from ring to ring: if no ring touches the box, the polygon contains all of the
   box or nothing of it, so one corner decides: inside the shell and in no hole. As in GEOS, a hole
   ends at the shell's bounds, whatever its coordinates. */
static bool taco__intersect_test_run(const taco__wkb_item *run, const double box[4],
                                     taco__intersect_ring *shell)
{
    taco__intersect_ring hole;
    if (run->type == TACO__WKB_POINT) {
        return taco__intersect_point_box(taco__wkb_coordinate(run->xy, run->big),
                                         taco__wkb_coordinate(run->xy + 8, run->big), box);
    }
    if (run->type == TACO__WKB_LINESTRING) { return taco__intersect_scan_ring(run, box).hit; }
    if (run->index == 0) {
        *shell = taco__intersect_scan_ring(run, box);
        return shell->hit;
    }
    if (!shell->near) { return false; }
    hole = taco__intersect_scan_ring(run, box);
    shell->inside = shell->inside && !hole.inside;
    return hole.hit;
}

/* Whether the geometry and the box share a point. The walk continues to the end even after that is
   known, so that an invalid blob is an error for any box. */
TACO__FN taco_status taco__intersect_wkb_box(taco_bytes wkb, const double box[4], bool *hit,
                                             taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    const taco__intersect_ring none = {false, false, false};
    taco__intersect_ring shell = {false, false, false};
    bool found = false;
    taco_status st;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK) { return st; }
        if (item.what == TACO__WKB_DONE) {
            *hit = found;
            return TACO_OK;
        }
        if (item.what == TACO__WKB_END && item.type == TACO__WKB_POLYGON) {
            found = found || shell.inside;
        }
        if (item.what == TACO__WKB_BEGIN) { shell = none; }
        if (item.what == TACO__WKB_RUN && !found) {
            found = taco__intersect_test_run(&item, box, &shell);
        }
    }
}

/* ---- whole columns ---- */

/* One value. A Point as all TACO writers make it, without Z and little-endian, takes two loads;
   anything else takes the walk. */
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

/* The same for entry i of a BINARY or FIXED array without a dictionary. */
TACO__INLINE taco_status taco__intersect_entry(const taco_array *a, size_t i, const double box[4],
                                               bool *hit, taco_error *err)
{
    size_t from = a->offsets ? (size_t)a->offsets[i] : i * (size_t)a->field->width;
    size_t len = a->offsets ? (size_t)a->offsets[i + 1] - from : (size_t)a->field->width;
    return taco__intersect_value(a->v.u8 + from, len, box, hit, err);
}

TACO__INLINE void taco__intersect_put_bit(uint8_t *bits, size_t i, bool hit)
{
    bits[i >> 3] = (uint8_t)(bits[i >> 3] | (unsigned)hit << (i & 7));
}

static TACO__COLD taco_status taco__intersect_fail_row(taco_status st, size_t row, taco_error *err)
{
    taco__error_prefix(err, "row %u", TACO__U(row));
    return st;
}

/* Entries of a dictionary are tested when a row first refers to them, since unused ones may contain
   anything. Results for the first 4096 entries are remembered, because a column with few distinct
   geometries repeats them. */
static taco_status taco__intersect_filter_dictionary(const taco_array *a, const double box[4],
                                                     uint8_t *true_bits, taco_error *err)
{
    /* 0 not tested yet, 1 no, 2 yes */
    uint8_t known[4096];
    const taco_array *d = a->dictionary;
    size_t i;
    memset(known, 0, TACO__MIN(d->length, sizeof known));
    for (i = 0; i < a->length; i++) {
        size_t at = (size_t)(uint32_t)a->v.i32[i];
        bool hit = false;
        if (a->validity && !taco__bitmap_get(a->validity, i)) { continue; }
        if (at >= d->length) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                              "row %u: dictionary index %d, dictionary has %u entries", TACO__U(i),
                              TACO__D(a->v.i32[i]), TACO__U(d->length));
        }
        if (at < sizeof known && known[at]) {
            hit = known[at] == 2;
        } else if (!d->validity || taco__bitmap_get(d->validity, at)) {
            taco_status st = taco__intersect_entry(d, at, box, &hit, err);
            if (st != TACO_OK) { return taco__intersect_fail_row(st, i, err); }
            if (at < sizeof known) { known[at] = (uint8_t)(hit ? 2 : 1); }
        }
        taco__intersect_put_bit(true_bits, i, hit);
    }
    return TACO_OK;
}

/* Sets bit i of true_bits, which has TACO__BITMAP_BYTES(a->length) bytes, if row i of a BINARY or
   FIXED array of WKB intersects the box; null rows do not, and leave it as it is. An error names
   the row of the batch. */
TACO__FN taco_status taco__intersect_filter_add(const taco_array *a, const double box[4],
                                                uint8_t *true_bits, taco_error *err)
{
    const taco_array *values = a->dictionary ? a->dictionary : a;
    taco_type type = values->field->type;
    size_t i;
    if (type == TACO_NULL) { return TACO_OK; }
    if (type != TACO_BINARY && type != TACO_FIXED) {
        return TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                          "a geometry column must be binary (WKB)");
    }
    if (a->dictionary) { return taco__intersect_filter_dictionary(a, box, true_bits, err); }
    for (i = 0; i < a->length; i++) {
        bool hit = false;
        taco_status st;
        if (a->validity && !taco__bitmap_get(a->validity, i)) { continue; }
        st = taco__intersect_entry(a, i, box, &hit, err);
        if (st != TACO_OK) { return taco__intersect_fail_row(st, i, err); }
        taco__intersect_put_bit(true_bits, i, hit);
    }
    return TACO_OK;
}

/* The same for one box: clears all other bits. */
TACO__FN taco_status taco__intersect_filter(const taco_array *a, const double box[4],
                                            uint8_t *true_bits, taco_error *err)
{
    memset(true_bits, 0, TACO__BITMAP_BYTES(a->length));
    return taco__intersect_filter_add(a, box, true_bits, err);
}
/* ==== src/dataset/dataset.h ==== */
/* dataset.h - TACO datasets: containers, levels as tables, queries, cursors, single samples */
#ifndef TACO__DATASET_H
#define TACO__DATASET_H

#if defined(TACO_NO_FILTERS) || defined(TACO_NO_PREDICATES)
#error "TACO_NO_FILTERS and _PREDICATES are for taco_parquet.h alone: datasets are read by both"
#endif

/* The folder reads TACO 2 datasets; taco.h is its public side. Its files, in reading order:

   collection.h   collection.c      COLLECTION.json and the PIT schema
   archive.h      zip_read.c        ZIP records: end of central directory, directory, local headers
                  container_index.c where the metadata of an archive or a catalogue is
   gdal_path.h    gdal_path.c       GDAL paths of samples, and checks of the names in them
   avro.h         avro_schema.c     Avro schemas as Arrow fields, for the first FOLDER datasets
                  avro_read.c       Avro files as Arrow columns
   container.h    container_open.c  what is at a path, and opening it
                  container.c       an open container: levels as tables, archives of a catalogue
                  range_cache.c     ranges of files, read ahead and kept until released
                  dataset.c         one or several containers as a dataset: taco_open
                  schema_differences.c  how the columns of datasets differ, in one message
                  schema_union.c    the columns of a level over all containers of a dataset
                  type_union.c      one type for columns of several types, and casts to it
                  source_routing.c  a TACOLLECTION.json as a dataset of its sources
   cascade.h      level_join.c      the parent of every row of a level
                  parent_lookup.c   the parents or children of a few rows, without joining the level
                  child_places.c    places of children that a writer has mixed up
                  box_in_crs.c      a box in degrees against geometries of other CRSs
                  query_filter.c    taco_filter as conditions on a table
                  cascade.c         the rows that conditions on several levels leave
   navigation.h   local_metadata.c  the __meta__ of a FOLDER: its children
                  navigation.c      from a path of ids to a sample, and back
                  payload.c         taco_locate, taco_payload
   cursor.h       query_parse.c     parses a taco_query: lists of columns, conditions as trees
                  condition_levels.c names of other levels in a condition
                  cursor_columns.c  which columns a query shows, by name
                  sample_path.c     the column of GDAL paths
                  table_reader.c    the rows and columns that a query takes from one table
                  select.c          a query bound to a dataset: taco_select
                  cursor_lookup.c   columns of the current row that are not shown
                  cursor.c          a cursor's life; rows one at a time; export as an Arrow stream
                  batch_compose.c   the next batch, in the order of storage
                  cursor_order.c    ORDER BY: keys, and the order of all rows
                  cursor_sorted.c   batches of a sorted result
                  task_handle.c     further handles on an open dataset, for tasks
                  order_tasks.c     the first rows of a sorted result, found by tasks
                  children.c        taco_read, taco_cursor_children
                  pixel_stats.c     taco_aggregate: statistics of many rows combined
                  shard.c           taco_shard, taco_shuffle: parts and orders of rows
                  loader.c          taco_loader: payloads in batches, decoded by tasks
   (taco.h)       range_source.c    taco_feed: files made of ranges that the host provides

   It depends on base, arrow, parquet, filter and geo. sql, write, validate, legacy, rasteret and
   publish use it; the two formats that are not TACO 2 are added as a taco_opener (container.h).

   Ownership: a dataset owns its containers, a container its files and the tables of its levels, a
   cursor its readers, its batch and its arena. What a cursor returns is valid until the next batch.
   Members in an arena are freed with it and never one by one.

   Errors: functions that take an error return false, NULL or a status, and have then set it; the
   deepest layer says what is wrong, the layers above prefix file, level and dataset
   (taco__container_fail). A cursor holds its own error and does nothing after it.

   Trust: every number from a file is validated where it is read. The counts in a document (n,
   shape) go stale in catalogues and exports, and never size or index anything. */

/* #include "collection.h" */
/* #include "archive.h" */
/* #include "gdal_path.h" */
/* #include "avro.h" */
/* #include "container.h" */
/* #include "cascade.h" */
/* #include "navigation.h" */
/* #include "cursor.h" */

#endif /* TACO__DATASET_H */
/* ==== src/dataset/collection.h ==== */
/* collection.h - COLLECTION.json: identity, texts, extent, the PIT schema */
#ifndef TACO__COLLECTION_H
#define TACO__COLLECTION_H

/* #include "../api/taco.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* Two members of the document decide whether a dataset can be read: `id` and `taco:pit_schema`;
   these are refused unless well formed. Everything else is returned as it is, or has a default;
   whether it is right is for validation to decide. */

/* Levels below the root: the header index of an archive has no room for more. */
#define TACO__PIT_MAX_DEPTH 5

/* tasks, licenses, keywords */
typedef struct taco__collection_texts {
    /* count items, NUL-terminated */
    const char *const *items;
    size_t count;
} taco__collection_texts;

/* The children, in order, that every folder of one kind has. */
typedef struct taco__pit_pattern {
    /* for each child: 1 for a FOLDER, 0 for a FILE */
    const uint8_t *folders;
    /* for each child, with a NUL after the bytes */
    const taco_bytes *ids;
    size_t count;
    /* rows according to the document, -1 if not given; not to be trusted */
    int64_t n;
    /* the object in the document */
    const taco__json *node;
} taco__pit_pattern;

/* The patterns of one level: one for each kind of folder in the level above, in its order. */
typedef struct taco__pit_level {
    const taco__pit_pattern *patterns;
    size_t count;
    /* the document has this key, even without patterns */
    bool present;
} taco__pit_level;

/* The Position-Invariant Tree: what is at each position below any sample (TACO 2.0 §5.5). */
typedef struct taco__pit {
    /* the samples of level 0 are FOLDERs */
    bool folders;
    /* deepest level described */
    uint32_t depth;
    /* root.n; -1 if not given */
    int64_t n;
    /* levels[d - 1] is the document's key "d" */
    taco__pit_level levels[TACO__PIT_MAX_DEPTH];
    /* NULL if not given, or not integers */
    const int64_t *shape;
    size_t shape_count;
} taco__pit;

/* A collection, all in the arena. A json value is NULL if the document has no such key. The default
   of each text is in the comment. */
typedef struct taco__collection {
    const char *id;
    /* "unknown" */
    const char *dataset_version;
    /* "" */
    const char *description;
    /* "" */
    const char *taco_version;
    /* NULL */
    const char *title;
    taco__collection_texts tasks, licenses, keywords;
    const taco__json *providers, *curators, *extent, *pit_schema, *field_schema, *sources;
    bool has_spatial, has_temporal;
    /* west, south, east, north */
    double spatial[4];
    /* start, end */
    const char *temporal[2];
    taco__pit pit;
    /* the whole document, extensions included */
    taco__json_doc doc;
} taco__collection;

/* ---- collection.c ---- */

/* taco__collection_parse reads a document; the others query, check and print one. */
TACO__FN const char *taco__collection_type_name(bool folder);
TACO__FN void taco__collection_read_extent(taco__collection *c);
/* Whether a text is a version: at least two numbers with dots between them, and an optional suffix
   ("2.0.0", "0.26.1rc1"). */
TACO__FN bool taco__collection_is_version(taco_bytes text);
TACO__FN taco_status taco__collection_parse(taco__arena *arena, taco_bytes text,
                                            const taco_limits *limits, taco__collection *out,
                                            taco_error *err);
TACO__FN taco_status taco__collection_check_same_pit(const taco__collection *a,
                                                     const taco__collection *b, taco_error *err);
TACO__FN taco_status taco__collection_check_extent(const taco__collection *c, taco_error *err);
TACO__FN bool taco__collection_write_info(taco__buf *out, const taco__collection *c,
                                          taco_error *err);

#endif /* TACO__COLLECTION_H */
/* ==== src/dataset/archive.h ==== */
/* archive.h - ZIP records, and where the metadata of an archive or a catalogue is */
#ifndef TACO__ARCHIVE_H
#define TACO__ARCHIVE_H

/* #include "../api/taco.h" */
/* #include "../base/base.h" */

/* Paragraphs are those of PKWARE APPNOTE 6.3.10. Numbers in the records below are validated: ranges
   lie inside the file, and either before the directory or inside it, as they should. */

/* bytes of a local header without name and extra (§4.3.7) */
#define TACO__ZIP_LOCAL_BYTES 30
/* bytes before a payload that have its local header, unless its name is very long */
#define TACO__ZIP_LEAD 256
/* bytes of a central directory header without name, extra and comment (§4.3.12) */
#define TACO__ZIP_CENTRAL_BYTES 46
/* bytes of the end of central directory record without its comment (§4.3.16) */
#define TACO__ZIP_EOCD_BYTES 22
/* bytes of its ZIP64 form (§4.3.14) */
#define TACO__ZIP_EOCD64_BYTES 56
/* bytes of the record that locates it (§4.3.15) */
#define TACO__ZIP_LOCATOR_BYTES 20

/* first four bytes of each record, little-endian: "PK" and two more */
#define TACO__ZIP_SIG_LOCAL   0x04034B50U
#define TACO__ZIP_SIG_CENTRAL 0x02014B50U
#define TACO__ZIP_SIG_EOCD    0x06054B50U
#define TACO__ZIP_SIG_EOCD64  0x06064B50U
#define TACO__ZIP_SIG_LOCATOR 0x07064B50U

/* flag bits 0, 6 and 13: some form of encryption (§4.4.4) */
#define TACO__ZIP_ENCRYPTED 0x2041U
/* flag bit 3: sizes and CRC of the local header come after the bytes */
#define TACO__ZIP_DESCRIPTOR 0x0008U

/* Contents of the records at the end of an archive. */
typedef struct taco__zip_dir {
    uint64_t file_size;
    /* the central directory, and how many entries it has */
    uint64_t offset, size, entries;
    /* first byte of the end records (EOCD64 or EOCD) */
    uint64_t end;
    /* bytes between the directory and the end records; normally 0 */
    uint64_t gap;
    /* where the EOCD is */
    uint64_t eocd;
    /* bytes after the EOCD and its comment; normally 0 */
    uint64_t trailing;
    /* where the EOCD64 is; 0 without one */
    uint64_t eocd64;
    /* the EOCD64 does not end where its locator begins */
    bool odd64;
    /* the EOCD64 lies before the bytes read so far: taco__zip_open reads it next */
    bool pending;
    /* bytes of the archive comment */
    uint32_t comment;
} taco__zip_dir;

/* One central directory header; slices point into the directory. */
typedef struct taco__zip_entry {
    taco_bytes name, extra, comment;
    /* offset of the header itself in the file */
    uint64_t at;
    /* 0 for the first entry */
    uint64_t index;
    /* uncompressed and stored size; offset of the local header */
    uint64_t size, csize, local;
    uint32_t crc, external;
    uint16_t made, needed, flags, method, time, date;
    /* it has a ZIP64 extra field */
    bool zip64;
} taco__zip_entry;

/* One local header. */
typedef struct taco__zip_local_header {
    /* {NULL, 0} while partial */
    taco_bytes name, extra;
    uint64_t size, csize;
    /* bytes of the header; where the bytes of the entry begin */
    uint64_t length, data;
    uint32_t crc;
    uint16_t needed, flags, method;
    /* fewer than length bytes were given: the sizes may not yet be their ZIP64 values */
    bool partial;
} taco__zip_local_header;

/* A walk over the entries of a directory that is in memory. */
typedef struct taco__zip_iter {
    taco__byte_reader cur;
    const taco__zip_dir *dir;
    /* index of the next entry */
    uint64_t index;
    /* an entry failed, and the walk has ended */
    bool bad;
} taco__zip_iter;

/* METADATA/level0.parquet to level5.parquet */
#define TACO__INDEX_LEVELS 6
/* bytes of a TACO_HEADER with its local header: the least to read */
#define TACO__INDEX_HEADER_BYTES 157
/* bytes of its payload: a count, 3 bytes of padding, 7 pairs of offset and length */
#define TACO__INDEX_PAYLOAD_BYTES 116
/* bytes of the header of a TACOCAT */
#define TACO__INDEX_TACOCAT_BYTES 128

/* Oddities of a TACO_HEADER that was accepted nevertheless; validation reports them. */
/* the name of tacozip 0.5 and before */
#define TACO__INDEX_ODD_NAME 1U
/* the local header gives another length than 116 */
#define TACO__INDEX_ODD_LENGTH 2U
/* the bytes after the count are not zero */
#define TACO__INDEX_ODD_PADDING 4U
/* a level of length 0 before the last one */
#define TACO__INDEX_ODD_GAP 8U
/* the payload does not have the CRC in the local header */
#define TACO__INDEX_ODD_CRC 16U

/* Where the metadata of an archive or a catalogue is. Ranges returned by container_index.c lie
   inside the file and do not overlap. */
typedef struct taco__index {
    /* len 0: the level does not exist */
    taco__range level[TACO__INDEX_LEVELS];
    taco__range collection;
    /* deepest existing level, plus one */
    uint32_t levels;
    /* number of entries in the header */
    uint32_t count;
    /* offset of the pairs of offset and length in the file, for messages; or 0 */
    uint32_t table;
    /* index of the collection's pair */
    uint32_t last;
    /* TACO__INDEX_ODD_NAME ... */
    unsigned odd;
    /* refused, but it is a TACO archive: its central directory may be usable */
    bool recover;
} taco__index;

/* ---- zip_read.c ---- */

/* The usual order: taco__zip_open, taco__zip_read_directory, then taco__zip_next for each entry and
   taco__zip_locate_entry for those whose bytes are needed. */
TACO__FN taco_status taco__zip_open_until(taco__file *f, uint64_t size, taco__zip_dir *out,
                                          taco__buf *scratch, taco_error *err);
/* The end of an archive whose central directory begins at `at`: the byte after its end record. 0 if
   none is there. Follows the records, as the file may have been extended since. */
TACO__FN uint64_t taco__zip_find_end(taco__file *f, uint64_t at, taco__buf *scratch);
TACO__FN taco_status taco__zip_open(taco__file *f, taco__zip_dir *out, taco__buf *scratch,
                                    taco_error *err);
TACO__FN taco_status taco__zip_read_directory(taco__file *f, const taco__zip_dir *dir,
                                              uint64_t limit, taco__buf *scratch, taco_bytes *out,
                                              taco_error *err);
TACO__FN taco__zip_iter taco__zip_iter_init(taco_bytes directory, const taco__zip_dir *dir);
TACO__FN bool taco__zip_next(taco__zip_iter *it, taco__zip_entry *out, taco_error *err);
TACO__FN taco_status taco__zip_check_stored(const taco__zip_entry *e, taco_error *err);
TACO__FN taco_status taco__zip_read_local_header(taco_bytes b, uint64_t offset,
                                                 taco__zip_local_header *out, taco_error *err);
TACO__FN bool taco__zip_lead_crc(taco_bytes lead, uint64_t size, bool *known, uint32_t *crc,
                                 taco_bytes *name);
TACO__FN bool taco__zip_stored_crc(const taco_source *src, uint64_t offset, uint64_t size,
                                   uint32_t *crc);
TACO__FN bool taco__zip_check_copied(const taco_options *o, bool known, uint32_t wanted,
                                     uint32_t found, taco_bytes id, taco_error *err);
TACO__FN taco_status taco__zip_locate_entry(taco__file *f, const taco__zip_dir *dir,
                                            const taco__zip_entry *e, taco__zip_local_header *out,
                                            taco__buf *scratch, taco_error *err);

/* ---- container_index.c ---- */

/* Three ways to a taco__index: the TACO_HEADER of an archive, its central directory where that is
   damaged, the binary header of a TACOCAT. */
TACO__FN taco_status taco__index_read_header(taco_bytes first, uint64_t file_size, taco__index *out,
                                             taco_error *err);
TACO__FN taco_status taco__index_recover(taco__file *f, uint64_t limit, taco__index *out,
                                         taco_error *err);
TACO__FN bool taco__index_is_tacocat(taco_bytes first);
TACO__FN taco_status taco__index_read_tacocat(taco_bytes first, uint64_t file_size,
                                              taco__index *out, taco_error *err);

/* For validation, which compares header and directory. */
TACO__FN taco__range *taco__index_find_slot(taco__index *x, taco_bytes name);
TACO__FN taco_status taco__index_from_directory(taco__file *f, const taco__zip_dir *dir,
                                                taco_bytes directory, taco__index *out,
                                                taco__buf *scratch, taco_error *err);
TACO__FN taco_status taco__index_compare(const taco__index *header, const taco__index *directory,
                                         taco_error *err);

#endif /* TACO__ARCHIVE_H */
/* ==== src/dataset/gdal_path.h ==== */
/* gdal_path.h - GDAL paths of samples; those in archives are made inline, a million at a time */
#ifndef TACO__GDAL_PATH_H
#define TACO__GDAL_PATH_H

/* #include "../api/taco.h" */
/* #include "../base/base.h" */

/* ---- gdal_path.c ---- */

/* Roots: what paths begin with. */
TACO__FN bool taco__vsi_is_remote(taco_bytes path);
TACO__FN bool taco__vsi_append_root(taco__buf *out, taco_bytes path, taco_error *err);
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err);

/* Names from tables must pass one of these checks before a path is made from them. */
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err);
TACO__FN taco_status taco__vsi_check_name(taco_bytes value, const char *column, taco_error *err);

/* The path of one sample. On failure nothing, or part of a path, has been appended. */
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err);
TACO__FN bool taco__vsi_append_folder(taco__buf *out, taco_bytes root, taco_bytes relative,
                                      bool folder, const char *column, taco_error *err);
TACO__FN bool taco__vsi_append_child(taco__buf *out, taco_bytes folder, taco_bytes id,
                                     taco_error *err);

/* The number in a path or a key. */
TACO__FN bool taco__vsi_parse_number(taco_bytes text, uint64_t *out);

/* ---- paths in archives: /vsisubfile/{offset}_{size},{root} ---- */

/* The eight decimal digits of x < 10^8, one per byte, the first in the lowest byte: computed all at
   once, by multiplication with rounded reciprocals that are exact in these ranges. 12345678 becomes
   0x0807060504030201. */
TACO__INLINE uint64_t taco__vsi_eight_digits(uint32_t x)
{
    uint64_t four = x / 10000U | (uint64_t)(x % 10000U) << 32, two, one;
    two = ((four * 10486U) >> 20) & 0x0000007F0000007FU; /* / 100, below 10^4 */
    two |= (four - two * 100U) << 16;
    one = ((two * 103U) >> 10) & 0x000F000F000F000FU; /* / 10, below 10^2 */
    return one | (two - one * 10U) << 8;
}

/* A shortcut for x < 100: offsets are long, but the sizes of small samples are not. */
TACO__INLINE uint8_t *taco__vsi_write_two_digits(uint8_t *p, unsigned x)
{
    unsigned tens = (x * 205U) >> 11, one = x < 10;
    unsigned two = (tens | (x - tens * 10U) << 8 | 0x3030U) >> (8 * one);
    p[0] = (uint8_t)two;
    p[1] = (uint8_t)(two >> 8);
    return p + 2 - one;
}

/* Writes x in decimal and returns the end. At most 20 digits; up to 8 bytes after them are
   overwritten. */
TACO__INLINE uint8_t *taco__vsi_write_digits(uint8_t *p, uint64_t x)
{
    const uint64_t zeros = 0x3030303030303030U, base = 100000000U;
    uint64_t parts[3], d;
    unsigned skip;
    size_t n = 0;
    if (x < 100) { return taco__vsi_write_two_digits(p, (unsigned)x); }
    while (x >= base) {
        parts[n++] = x % base;
        x /= base;
    }
    d = taco__vsi_eight_digits((uint32_t)x);
    /* leading zeros, except for the last digit */
    skip = taco__plat_ctz64(d | (uint64_t)1 << 56) / 8;
    taco__put_le64(p, (d + zeros) >> (8 * skip));
    p += 8 - skip;
    while (n) {
        taco__put_le64(p, taco__vsi_eight_digits((uint32_t)parts[--n]) + zeros);
        p += 8;
    }
    return p;
}

/* The most bytes that taco__vsi_write_range writes: "/vsisubfile/" + 20 + "_" + 20 + ",". It
   overwrites TACO__VSI_OVERRUN bytes after them. */
#define TACO__VSI_RANGE_BYTES 54
#define TACO__VSI_OVERRUN     8

/* Writes /vsisubfile/{offset}_{size}, and returns the end. */
TACO__INLINE uint8_t *taco__vsi_write_range(uint8_t *p, uint64_t offset, uint64_t size)
{
    memcpy(p, "/vsisubfile/", 12);
    p = taco__vsi_write_digits(p + 12, offset);
    *p++ = '_';
    p = taco__vsi_write_digits(p, size);
    *p++ = ',';
    return p;
}

/* Appends /vsisubfile/{offset}_{size},{root}{name}. Either root is an archive and name is empty, or
   root is the base of a TACOCAT and name a checked source file. */
TACO__INLINE bool taco__vsi_append_subfile(taco__buf *out, uint64_t offset, uint64_t size,
                                           taco_bytes root, taco_bytes name, taco_error *err)
{
    const size_t more = TACO__VSI_RANGE_BYTES + TACO__VSI_OVERRUN;
    size_t tail;
    uint8_t *p;
    if (!taco__checked_add_size(root.len, name.len, &tail) || tail > SIZE_MAX - more) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a path");
        return false;
    }
    if (TACO__UNLIKELY(!out->data || tail + more > out->cap - out->len) &&
        !taco__buf_reserve(out, tail + more, err)) {
        return false;
    }
    p = taco__vsi_write_range(out->data + out->len, offset, size);
    if (root.len) { memcpy(p, root.data, root.len); }
    if (name.len) { memcpy(p + root.len, name.data, name.len); }
    out->len = (size_t)(p - out->data) + tail;
    return true;
}

/* Checks the values of a row's internal:offset and internal:size. */
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

/* A sample of an archive, at any level; FILE and FOLDER (its __meta__) alike. */
TACO__INLINE bool taco__vsi_append_zip(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes root, taco_error *err)
{
    return taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, root,
                                    taco__bytes_of(NULL, 0), err);
}

#endif /* TACO__GDAL_PATH_H */
/* ==== src/dataset/avro.h ==== */
/* avro.h - Avro object container files, as a tree of nodes that fill Arrow columns. */
#ifndef TACO__AVRO_H
#define TACO__AVRO_H

/* #include "../api/taco.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* The metadata of the first FOLDER datasets is Avro. A schema becomes a tree of nodes, one per
   Arrow column or child (avro_schema.c). A node appends to its own buffers while rows are decoded,
   and these move to the arena when everything has been read (avro_read.c).

   A hostile file cannot claim values for free: every value that can differ takes a byte of the
   file. Values that take none (null, and records of only nulls) are never visited, only given a
   length at the end; and the children of null records are filled up in one step at the next
   non-null record. So time is proportional to bytes read plus bytes made, and both have limits. */

/* The result of reading a file, in the arena. */
typedef struct taco__avro_table {
    /* field_count of them */
    const taco_field *fields;
    size_t field_count;
    /* as many, of rows values each */
    const taco_array *columns;
    size_t rows;
} taco__avro_table;

/* How a value is encoded; the Arrow type it becomes also depends on its logical type. From ARRAY on
   there are children. */
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

/* One column, or child of one. {"type": ["null", "string"]} for example is a node of kind STRING
   with 2 branches, null_branch 0 and a nullable field. */
typedef struct taco__avro_node {
    taco_field *field;
    /* child_count of them; their fields lie in the same order */
    struct taco__avro_node *children;
    uint32_t child_count;
    /* RECORD: children that take bytes in the file, stored_count of them */
    const uint32_t *stored;
    uint32_t stored_count;
    /* branches of its union, 0 if there is none; which of them is null */
    uint32_t branches;
    uint32_t null_branch;
    /* ENUM */
    uint32_t symbol_count;
    const taco_bytes *symbols;
    /* FIXED: bytes in the file */
    int32_t fixed;
    /* taco__avro_kind */
    uint8_t kind;
    /* takes no byte in any row, and is never visited */
    bool empty;
    /* entries so far; below null records fewer than the parent has, until they are filled up */
    size_t length;
    size_t null_count;
    /* as in taco_array; empty if the type has no such part */
    taco__buf validity, offsets, values;
} taco__avro_node;

/* A named type, as far as the schema has been parsed. Kept in a list, since there are few. */
typedef struct taco__avro_name {
    const struct taco__avro_name *next;
    taco_bytes space, name;
    /* hash of the name: avoids most comparisons */
    uint32_t hash;
    /* its definition is still being parsed */
    bool open;
    const taco__json *schema;
} taco__avro_name;

/* State of reading one file. */
typedef struct taco__avro {
    taco__arena *arena;
    /* over the file, or over one block of it */
    taco__byte_reader c;
    /* offset of the cursor's bytes in the file */
    uint64_t base;
    /* the bytes are unpacked from a block at base, and have no offsets of their own */
    bool packed;
    /* values of 0 bytes that may still be claimed */
    uint64_t empty_left;
    uint32_t node_count, max_nodes, max_depth;
    /* leaves of the schema, named types, and JSON values parsed for named types so far */
    uint32_t leaf_count, name_count, expanded;
    /* latest first */
    taco__avro_name *names;
    /* never NULL here */
    taco_error *err;
} taco__avro;

/* ---- avro_schema.c ---- */

TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n);

/* ---- avro_read.c ---- */

TACO__FN taco_status taco__avro_read(taco__arena *arena, taco_bytes file, const taco_limits *limits,
                                     taco__avro_table *out, taco_error *err);

#endif /* TACO__AVRO_H */
/* ==== src/dataset/container.h ==== */
/* container.h - one interface to archives, folders, catalogues and the formats of other headers */
#ifndef TACO__CONTAINER_H
#define TACO__CONTAINER_H

/* #include "../api/taco.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "archive.h" */
/* #include "collection.h" */

#define TACO__MAX_LEVELS TACO__INDEX_LEVELS
/* bytes of the first read of a file: the header, or what identifies a format */
#define TACO__OPEN_FIRST_BYTES 256
/* begins the id of rows that only pad the tree to a regular shape (TACO 2.0 §5.5) */
#define TACO__PADDING_PREFIX "__TACOPAD"
/* no such column, row or index */
#define TACO__NONE SIZE_MAX

/* Columns that readers make, in addition to stored ones. */
#define TACO__GDAL_VSI    "internal:gdal_vsi"
#define TACO__SOURCE_PATH "internal:source_path"
#define TACO__SOURCE_FILE "internal:source_file"
#define TACO__CURRENT_ID  "internal:current_id"
#define TACO__PARENT_ID   "internal:parent_id"

/* ---- levels ---- */

/* Columns that readers need, by number in the table; TACO__NONE if absent (TACO 2.0 §7.2.3). */
typedef struct taco__column_roles {
    size_t id, type, parent, current, offset, size, relative, source;
    /* formats only: the path as stored in the table */
    size_t subfile;
} taco__column_roles;

/* One level of a container. Its table is opened on first use. */
typedef struct taco__level {
    /* METADATA/level0.parquet: for messages, and as the file name in directories */
    const char *name;
    /* path of its own file; NULL: a range of the container's file */
    const char *path;
    taco__range range;
    bool present, opened, avro;
    /* the level's own file */
    taco__file file;
    bool file_open;
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    /* for formats: the fields of arrays, if they are kept here */
    taco_field *arrays_fields;
    /* for each row, its parent's row in the level above, -1 for an orphan; NULL until
       taco__join_make_parents */
    int32_t *parents;
    /* places of samples: 0 not compared yet, 1 as stored, 2 `replaced`; see child_places.c */
    uint8_t places;
    taco__replaced_columns replaced;
    /* may contain padding rows: 1, 0, or -1 if not known yet */
    int8_t padded;
    /* rows whose parents were looked up individually; see parent_lookup.c */
    uint8_t single_lookups;
    /* formats: the columns of the table that a query shows, in this order; NULL: all */
    const size_t *shown;
    size_t shown_count;
    /* formats: a row is several files, so that it has no path, and it says itself where it is
       from */
    bool wide;
} taco__level;

/* ---- ranges that stay in memory ---- */

/* Byte ranges of files, read ahead in one round and kept in memory until released. */
typedef struct taco__range_cache {
    /* taco__cached_range */
    taco__buf ranges;
} taco__range_cache;

typedef struct taco__cached_range {
    taco__file *file;
    taco__range range;
} taco__cached_range;

/* ---- containers ---- */

/* An archive of a catalogue. */
typedef struct taco__archive {
    /* must be first: the address of the file is that of the archive */
    taco__file file;
    struct taco__archive *next;
    const char *name;
    bool open;
    /* number of cursors on its rows, which keep it open */
    size_t users;
} taco__archive;

/* A file of another format, as it was opened and as GDAL names it. */
typedef struct taco__format_file {
    const char *path, *vsi;
} taco__format_file;

/* What is at one path: an archive, a directory, a catalogue, or a file of another format. Texts and
   tables are in the dataset's arena. */
typedef struct taco__container {
    taco__mem *mem;
    taco__arena *arena;
    const taco_options *options;
    /* as the caller gave it, for messages */
    const char *name;
    /* FOLDER, TACOCAT: prefix of file names, ending in '/' */
    const char *dir;
    /* root of GDAL paths: the archive, the directory, or the base of the archives with a '/' */
    const char *vsi;
    /* TACOCAT: directory of the archives, for open_file, ending in '/' */
    const char *archive_dir;
    taco_kind kind;
    /* archive or __TACOCAT__ */
    taco__file file;
    bool file_open;
    taco__index index;
    taco__collection coll;
    uint32_t level_count;
    taco__level levels[TACO__MAX_LEVELS];
    /* TACOCAT: the archive read last, and those in use by cursors */
    taco__archive *archives;
    /* its format; NULL: TACO 2 */
    const taco_opener *format;
    /* private to the format, in the arena */
    void *format_state;
    /* the files with the bytes of its samples, if it has any */
    const taco__format_file *format_files;
    size_t format_file_count;
    /* the format has not counted its levels yet: taco__container_level_count makes it do so */
    bool levels_uncounted;
    /* bitmap of the rows of level 0 that belong to the dataset, as in a cascade; NULL: all. Set by
       taco_open_parts. */
    uint8_t *kept;
    /* why an existing file could not be opened, in the arena */
    const char *refused;
    /* try the formats of taco_options.openers */
    bool try_formats;
    /* it was told that places are replaced */
    bool told_places;
} taco__container;

/* A FOLDER whose children a format finds. */
typedef struct taco__format_folder {
    /* the file that contains it */
    taco__file *file;
    int64_t offset, size;
    /* its internal:current_id, -1 if its table has none */
    int64_t row;
    uint32_t level;
    /* its internal:source_file; NULL for kind ZIP */
    const char *source;
    bool folder;
} taco__format_folder;

struct taco__findings; /* validate.h */
struct taco__nav_node; /* navigation.h */

/* What another header adds to taco_open. Its containers have kind ZIP if all rows are in one file,
   TACOCAT if internal:source_file is the path of each; the other columns that levels and navigation
   use are those of TACO 2. Paths are not made but taken from internal:subfile, if present. A member
   may be NULL unless stated otherwise. */
struct taco_opener {
    /* the kind in taco_info_json; never NULL */
    const char *name;
    /* Whether what is at path has this format: head is the first bytes of s->file, at most
       TACO__OPEN_FIRST_BYTES, or {NULL, 0} if no file could be opened there. Must not read much,
       and reports nothing. Never NULL. */
    bool (*detect)(taco__container *s, const char *path, taco_bytes head);
    /* Opens all n paths as the containers of ds (taco__dataset_reserve); stores[0] has been
       detected, nothing is known of the others. Fills name, kind, vsi, coll, level_count and the
       levels: ranges of files, or, with `level`, only name and present. Never NULL. */
    bool (*open)(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err);
    /* Fills the table of a level on first use; NULL: its file or range is opened. */
    bool (*level)(taco__container *s, uint32_t n, taco_error *err);
    /* Counts the levels of a container with levels_uncounted, because counting more than one was
       too expensive on open. On failure level_count includes the level that `level` then fails
       for. */
    bool (*deepen)(taco__container *s, taco_error *err);
    /* Sets the roles of columns with other names than in TACO 2; called after
       taco__container_find_roles. */
    void (*roles)(const taco__table *t, taco__column_roles *r);
    /* The children of a FOLDER, as arrays in the arena. */
    bool (*children)(taco__container *s, const taco__format_folder *of, taco__arena *arena,
                     taco__table *out, taco_error *err);
    /* taco_filter.bbox and .time as conditions on a table; NULL: as in TACO 2. */
    taco__expr *(*bbox)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    taco__expr *(*time)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    void (*close)(taco__container *s);
    /* Adds what is expensive to compute to the collection of stores[0], for taco_info_json. */
    bool (*info)(taco_dataset *ds, taco_error *err);
    /* Checks a dataset that `open` opened against the rules of the format, for taco_validate;
       findings go to f. False if the check itself failed. */
    bool (*check)(taco_dataset *ds, struct taco__findings *f, taco_error *err);
    /* For formats whose level 0 is made of a tree of named tables. Whether the COLLECTION.json of a
       directory is of this format. */
    bool (*is_collection)(taco_bytes json);
    /* A table as a dataset of one level, which is closed with ds; NULL with NOT_FOUND: there is
       none of that name. */
    taco_dataset *(*table)(taco_dataset *ds, taco_bytes name, taco_error *err);
    /* Finds the sample of a path; *out is in the arena. What has no bytes is a root. */
    bool (*walk)(taco_dataset *ds, const char *path, struct taco__nav_node *out, taco__arena *arena,
                 taco_error *err);
    /* The rows below what `walk` found, or its own row. */
    taco_cursor *(*read)(taco_dataset *ds, const struct taco__nav_node *n, taco_error *err);
    /* All of taco_info_json. */
    bool (*describe)(taco_dataset *ds, taco__buf *out, taco_error *err);
    /* The paths of all files of the set of which ds is one, in the arena; NULL: it is none of a
       set, or not all of them are there. taco_validate checks them together. */
    const char *const *(*set)(taco_dataset *ds, taco__arena *arena, size_t *n, taco_error *err);
};

/* ---- datasets ---- */

/* The columns of a level over all containers of a dataset. */
typedef struct taco__level_schema {
    /* NULL until first used */
    taco_field *fields;
    size_t count;
    /* for each field: stored under several types */
    bool *mixed;
    /* several containers: index of each name; SIZE_MAX if it is left out */
    taco__hash_map names;
} taco__level_schema;

/* One container, or several with their rows concatenated. */
struct taco_dataset {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__container *stores;
    size_t container_count;
    taco_column_mode mode;
    taco__level_schema schema[TACO__MAX_LEVELS];
    /* texts last returned by taco_info_json and taco_locate */
    taco__buf info, locate_vsi, locate_file;
};

/* ---- container_open.c ---- */

TACO__FN bool taco__container_open_any(taco__container *s, const char *path, const taco_source *src,
                                       taco__mem *mem, taco__arena *arena,
                                       const taco_options *options, bool any, taco_error *err);
TACO__FN bool taco__container_open(taco__container *s, const char *path, const taco_source *src,
                                   taco__mem *mem, taco__arena *arena, const taco_options *options,
                                   taco_error *err);

/* ---- container.c ---- */

TACO__FN void taco__container_close(taco__container *s);

/* Names. Text is returned in the container's arena, NULL if there is no memory. */
TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err);
TACO__FN const char *taco__container_full_path(taco__container *s, const char *path,
                                               taco_error *err);
TACO__FN bool taco__container_ends_with(const char *path, const char *suffix);
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err);

/* Messages. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err);
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what);
/* Warns about a taco_version that is not a version. */
TACO__FN void taco__container_warn_version(const taco__container *s);

/* Tables. */
TACO__FN int taco__container_compare_names(const void *ctx, const void *a, const void *b);
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err);
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r);
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err);
TACO__FN uint32_t taco__container_level_count(taco__container *s);
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err);

/* Archives of a catalogue. */
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err);
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins);

/* ---- range_cache.c ---- */

TACO__FN void taco__range_cache_init(taco__range_cache *c, taco__mem *mem);
TACO__FN bool taco__range_cache_fetch(taco__range_cache *c, taco__file *file,
                                      const taco__buf *ranges, taco_error *err);
TACO__FN uint64_t taco__range_cache_bytes(const taco__range_cache *c);
TACO__FN void taco__range_cache_release(taco__range_cache *c);
TACO__FN void taco__range_cache_free(taco__range_cache *c);

/* ---- source_routing.c ---- */

/* What a file is told from another one by. */
typedef struct taco__routing_mark {
    uint64_t bytes;
    uint32_t crc;
} taco__routing_mark;

TACO__FN bool taco__routing_is_collection(const char *path);
TACO__FN bool taco__routing_mark_read(const taco_options *options, const char *path,
                                      taco__routing_mark *out, taco_error *err);

/* ---- dataset.c ---- */

TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err);
/* Opens a dataset container by container: _alloc, then for each taco__container_open_any into
   stores[container_count] and _add, finally _tell. */
TACO__FN taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores, taco_error *err);
TACO__FN bool taco__dataset_add(taco_dataset *ds, const char *name, taco_error *err);
TACO__FN taco_dataset *taco__dataset_tell(taco_dataset *ds);
TACO__FN int64_t taco__dataset_stored_rows(taco_dataset *ds, uint32_t level, taco_error *err);

TACO__FN void taco__dataset_write_level(taco_dataset *ds, uint32_t l, const char *name,
                                        taco__json_writer *w);

/* ---- schema_differences.c: _init, _compare for each pair, _none at the end ---- */

/* The columns of one level of a dataset. */
typedef struct taco__differing {
    const char *name; /* name of the dataset */
    uint32_t level;
    const taco_field *fields;
    size_t count;
} taco__differing;

/* The differences found so far. */
typedef struct taco__differences {
    const taco_options *options; /* its warn is called for each */
    size_t count, named;         /* all, and those named in text */
    taco_status code;            /* TYPE if types differ, else ARGUMENT */
    size_t len;
    char text[320];
} taco__differences;

TACO__FN void taco__differences_init(taco__differences *d, const taco_options *options);
TACO__FN bool taco__differences_compare(taco__differences *d, const taco__differing *first,
                                        const taco__differing *b, const char *without,
                                        bool only_types, taco__mem *mem, taco_error *err);
TACO__FN bool taco__differences_none(const taco__differences *d, taco_error *err);

/* ---- schema_union.c ---- */

TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err);
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name);

/* ---- type_union.c ---- */

TACO__FN bool taco__unify_same_type(const taco_field *a, const taco_field *b);
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err);
TACO__FN bool taco__unify_null_array(const taco_field *f, size_t n, taco_array *a,
                                     taco__arena *arena, taco_error *err);
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err);

#endif /* TACO__CONTAINER_H */
/* ==== src/dataset/cascade.h ==== */
/* cascade.h - how rows of different levels are related, and which rows conditions leave */
#ifndef TACO__CASCADE_H
#define TACO__CASCADE_H

/* #include "container.h" */

/* TACO 2.0 §7.2.2, "Cascading Joins": a condition on a level holds for a row of another level when
   it holds along the path between the two. Each row of level n >= 1 has one parent in level n - 1:
   the row whose internal:current_id is its internal:parent_id, in a catalogue of the same archive,
   as ids restart in every archive. Files from before 2025-12 have no current_id; a row's number
   within its archive is used instead. */

/* ---- parents of all rows ---- */

/* An archive of a catalogue, in a join; other containers have a single one, with an empty name. */
typedef struct taco__join_archive {
    taco_bytes name;
    /* its rows in the level above: the first (-1 if there is none) and their number */
    int64_t first, count;
} taco__join_archive;

/* A row of the level above, with the id that its children refer to. */
typedef struct taco__join_row_key {
    uint32_t source;
    int32_t row;
    int64_t id;
} taco__join_row_key;

/* State of a join of two levels. The archives are also used alone, to number names. */
typedef struct taco__join {
    taco__container *store;
    taco__arena arena;
    taco__join_archive *sources;
    size_t source_count, source_cap;
    /* numbers of archives; its keys are the names in `sources` */
    taco__hash_map by_name;
    /* rows of the level above, sorted; NULL while ids are plain row numbers */
    taco__join_row_key *keys;
    size_t key_count;
    /* rows of an archive are consecutive, and their ids count from 0 */
    bool plain;
} taco__join;

/* ---- rows that conditions leave ---- */

/* Row numbers of a level that another column contains. */
typedef struct taco__lookup_set {
    const uint8_t *bits;
    uint64_t rows;
} taco__lookup_set;

/* The rows that conditions on several levels leave. The bitmaps are in the container's memory. */
typedef struct taco__cascade {
    /* rows of each level that are left; NULL = all of them */
    uint8_t *bits[TACO__MAX_LEVELS];
    /* ranges read ahead */
    taco__range_cache cache;
} taco__cascade;

/* A taco_filter.bbox as normalized boxes, west, south, east, north: two if it crosses 180
   degrees. */
typedef struct taco__query_box {
    double edge[2][4];
    size_t n;
} taco__query_box;

/* A taco_filter.time in microseconds, half open. */
typedef struct taco__query_period {
    int64_t from, to;
    /* whole days: a time stored as text is compared as a date */
    bool days;
} taco__query_period;

/* ---- level_join.c ---- */

TACO__FN void taco__join_init(taco__join *j, taco__container *s);
TACO__FN void taco__join_free(taco__join *j);
TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err);
TACO__FN bool taco__join_is_integer(taco_type t);
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err);
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err);
TACO__FN bool taco__join_top_row(taco__container *s, uint32_t level, uint64_t *row,
                                 taco_error *err);

/* ---- parent_lookup.c ---- */

TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n);
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *set, uint8_t *out, uint64_t *found,
                                     taco_error *err);
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *set, uint64_t count,
                                               bool *own, taco_error *err);
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err);

/* ---- child_places.c ---- */

/* Makes sure that internal:offset and internal:size of a level lead to its samples, before they are
   read: the central directory replaces them where they do not. */
TACO__FN bool taco__places_check(taco__container *s, uint32_t level, taco_error *err);

/* ---- box_in_crs.c ---- */

TACO__FN bool taco__box_is_degrees(const double edge[4]);
TACO__FN bool taco__box_in_crs_test(void *ctx, const taco_array *a, const taco_array *crs,
                                    size_t rows, taco__mem *mem, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err);
TACO__FN bool taco__box_crs_to_degrees(taco_bytes crs, int32_t *code);
TACO__FN bool taco__box_bounds_in_degrees(int32_t code, taco_bytes wkb, taco__buf *scratch,
                                          double out[4], bool *empty);
TACO__FN unsigned taco__box_in_crs_prune(void *ctx, const taco__column_stats *r,
                                         const taco__column_stats *crs);
TACO__FN void taco__box_in_crs_warn(const taco__table *t, size_t crs, const taco_options *options);

/* ---- query_filter.c ---- */

/* Conditions are allocated in the arena and not yet bound; NULL on failure. */
TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err);
TACO__FN size_t taco__query_find_column(const taco__table *t, const char *asked,
                                        const char *const *names, size_t n, const char *what,
                                        taco_error *err);
TACO__FN bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                   uint8_t *valid_bits, taco_error *err);
TACO__FN unsigned taco__query_box_prune(void *ctx, const taco__column_stats *r);
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, const taco_options *options,
                                          taco_error *err);
TACO__FN taco__query_period *taco__query_parse_period(taco__arena *arena, const taco_filter *f,
                                                      taco_error *err);
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit);
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err);
TACO__FN bool taco__query_level_hint(taco__container *s, uint32_t own, const char *const *names,
                                     size_t n, const char *option, taco_error *err);
TACO__FN bool taco__query_place_hint(taco__container *s, uint32_t own, taco_error *err);
TACO__FN void taco__query_hint(taco__container *s, const taco_filter *f, taco_error *err);
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f, taco__expr **e,
                                     taco_error *err);

/* ---- cascade.c ---- */

TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err);
TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p);

/* A bitmap over the rows of a level, all zero. */
TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level);
TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err);

/* What a cascade reads, to read it ahead or to explain it: ranges of the level's file. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err);
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err);

#endif /* TACO__CASCADE_H */
/* ==== src/dataset/navigation.h ==== */
/* navigation.h - single samples: paths of keys, and the __meta__ that lists a FOLDER's children. */
#ifndef TACO__NAVIGATION_H
#define TACO__NAVIGATION_H

/* #include "container.h" */

/* A path is keys separated by '/', one for each level: an id, "@12" for the row at position 12
   without padding, "@@12" with padding. "" is the root, whose children are the rows of level 0. Ids
   in old formats may contain '/', '\\' and '@'; these are escaped with a '\\' in a key. */

/* A sample found by its path; the members point into an arena. Its children are read from its
   __meta__: where that disagrees with the consolidated level (facts: disagreements 1), __meta__ is
   right. */
typedef struct taco__nav_node {
    taco__container *store;
    bool root, folder;
    /* archives: has the range of its bytes, or its __meta__ */
    bool has_range;
    int64_t offset, size;
    /* FOLDER datasets: below DATA/ */
    const char *path;
    /* TACOCAT: the archive */
    const char *source;
    /* formats: its level and row */
    uint32_t level;
    int64_t row;
    /* the keys that led here, which identify only this sample; NULL: none */
    const char *key_path;
    /* offset of the last of them */
    size_t last_key;
} taco__nav_node;

/* An open __meta__. Must not be moved: the table points into it. All zeros is closed. */
typedef struct taco__local_meta {
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    /* FOLDER datasets: its own file */
    taco__file file;
    bool file_open, open;
    /* archives: the file whose `range` is kept in memory while this is open */
    taco__file *cached;
    taco__range range;
} taco__local_meta;

/* ---- local_metadata.c ---- */

TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err);
TACO__FN void taco__local_meta_close(taco__local_meta *m);
TACO__FN bool taco__local_meta_find_roles(const taco__container *s, const taco__table *t,
                                          taco__column_roles *r, taco_error *err);
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err);
TACO__FN const char *taco__local_meta_folder_vsi(const taco__nav_node *n, taco_error *err);

/* ---- navigation.c ---- */

/* Keys. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out);
TACO__FN bool taco__nav_is_stored_position(taco_bytes key);
TACO__FN const char *taco__nav_key_end(const char *p);
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err);
TACO__FN bool taco__nav_append_keys(taco__buf *b, taco_bytes relative, taco_error *err);
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err);

/* From a path to a sample, and from a row to its path. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err);
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err);

/* Conditions on the rows of a table. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err);
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err);
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level);

#endif /* TACO__NAVIGATION_H */
/* ==== src/dataset/cursor.h ==== */
/* cursor.h - the parts of a cursor: columns, table readers, the batch, sorted rows, single rows */
#ifndef TACO__CURSOR_H
#define TACO__CURSOR_H

/* #include "../filter/scan.h" */
/* #include "cascade.h" */
/* #include "navigation.h" */

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
/* ==== src/dataset/collection.c ==== */
/* collection.c - COLLECTION.json: what a dataset is, and its PIT schema

   In: the bytes of the document. Out: a taco__collection in an arena, every text and number of it
   checked or defaulted. TACO 2.0 §5.5, §5.5.2, §6.

   taco__collection_parse copies the text, parses it with base/json_read.c, and extracts the
   members. Only two of them can make it fail: `id`, and `taco:pit_schema`, which
   taco__collection_read_pit parses level by level and pattern by pattern. An error has the offset
   of the value it is about. The second half compares trees (taco_open_many), checks the extent for
   validation, and prints the parts of the document that `taco info --json` shows. */
/* #include "collection.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* ---- reading ---- */

/* The word for a type of sample. */
TACO__FN TACO__ONCE const char *taco__collection_type_name(bool folder)
{
    return folder ? "FOLDER" : "FILE";
}

/* Reads FILE or FOLDER into *folder; false for everything else. */
static TACO__ONCE bool taco__collection_read_type(const taco__json *n, bool *folder)
{
    *folder = taco__json_equals(n, "FOLDER");
    return *folder || taco__json_equals(n, "FILE");
}

/* The strings in an array, skipping other values. A lone string is read as an array of one. */
static TACO__ONCE bool taco__collection_read_texts(taco__arena *arena, const taco__json *n,
                                                   taco__collection_texts *out, taco_error *err)
{
    bool lone = taco__json_is(n, TACO__JSON_STRING);
    size_t count = lone ? 1 : taco__json_length(n), i;
    const taco__json *item;
    const char **items;
    if (!count) { return true; }
    items = (const char **)taco__arena_array(arena, count, sizeof *items, err);
    if (!items) { return false; }
    for (i = 0, item = lone ? n : taco__json_first(n); i < count;
         i++, item = taco__json_next(item)) {
        if (taco__json_text(item)) { items[out->count++] = item->text; }
    }
    out->items = items;
    return true;
}

/* Four numbers and two strings, or nothing: a dataset opens without them, and validation reports
   mistakes. */
TACO__FN TACO__ONCE void taco__collection_read_extent(taco__collection *c)
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

/* A member of a pattern, which must be a non-empty array. path is "taco:pit_schema.hierarchy.1". */
static TACO__ONCE const taco__json *taco__collection_get_list(const taco__json *pattern,
                                                              const char *path, size_t index,
                                                              const char *key, taco_error *err)
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

/* Child i of a pattern: its type must be one of the two, its id a string. */
static TACO__ONCE taco_status taco__collection_read_child(const taco__json *type,
                                                          const taco__json *id, const char *path,
                                                          size_t index, size_t i, bool *folder,
                                                          taco_error *err)
{
    taco_bytes word = taco__json_bytes(type);
    bool is_type = !taco__json_is(type, TACO__JSON_STRING);
    if (is_type || !taco__json_is(id, TACO__JSON_STRING)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (is_type ? type : id)->begin,
                          "%s[%u].%s[%u] must be a string, found %s", path, TACO__U(index),
                          is_type ? "type" : "id", TACO__U(i),
                          taco__json_type_name(is_type ? type : id));
    }
    if (!taco__collection_read_type(type, folder)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, type->begin,
                          "%s[%u].type[%u] is %q, must be FILE or FOLDER", path, TACO__U(index),
                          TACO__U(i), &word);
    }
    return TACO_OK;
}

/* One pattern: type and id are non-empty arrays of the same length, and every type is FILE or
   FOLDER. */
static TACO__ONCE taco_status taco__collection_read_pattern(taco__arena *arena,
                                                            const taco__json *node,
                                                            const char *path, size_t index,
                                                            taco__pit_pattern *out, taco_error *err)
{
    const taco__json *types, *ids, *type, *id;
    uint8_t *folders;
    taco_bytes *names;
    size_t i;
    if (!taco__json_is(node, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                          "%s[%u] must be an object with type and id, found %s", path,
                          TACO__U(index), taco__json_type_name(node));
    }
    types = taco__collection_get_list(node, path, index, "type", err);
    ids = types ? taco__collection_get_list(node, path, index, "id", err) : NULL;
    if (!ids) { return TACO_ERR_CORRUPT; }
    if (types->count != ids->count) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                          "%s[%u]: type has %u entries, id has %u, must be the same number", path,
                          TACO__U(index), TACO__U(types->count), TACO__U(ids->count));
    }
    folders = (uint8_t *)taco__arena_alloc(arena, types->count, err);
    names = folders ? (taco_bytes *)taco__arena_array(arena, ids->count, sizeof *names, err) : NULL;
    if (!names) { return err ? err->code : TACO_ERR_MEMORY; }
    /* walks both arrays in parallel */
    type = taco__json_first(types);
    id = taco__json_first(ids);
    for (i = 0; i < types->count; i++, type = taco__json_next(type), id = taco__json_next(id)) {
        bool folder;
        taco_status s = taco__collection_read_child(type, id, path, index, i, &folder, err);
        if (s != TACO_OK) { return s; }
        folders[i] = folder;
        names[i] = taco__json_bytes(id);
    }
    /* some writers omit n, and nothing relies on it: an odd value counts as missing */
    out->node = node;
    out->folders = folders;
    out->ids = names;
    out->count = types->count;
    if (!taco__json_int(taco__json_get(node, "n"), &out->n) || out->n < 0) { out->n = -1; }
    return TACO_OK;
}

/* The patterns of hierarchy.depth. */
static TACO__ONCE taco_status taco__collection_read_level(taco__arena *arena,
                                                          const taco__json *list, uint32_t depth,
                                                          taco__pit_level *out, taco_error *err)
{
    char path[] = "taco:pit_schema.hierarchy.?";
    taco__pit_pattern *patterns;
    const taco__json *node;
    size_t i;
    path[sizeof path - 2] = (char)('0' + depth);
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, list->begin,
                          "%s must be an array of patterns, found %s", path,
                          taco__json_type_name(list));
    }
    patterns = (taco__pit_pattern *)taco__arena_array(arena, list->count, sizeof *patterns, err);
    if (!patterns) { return err ? err->code : TACO_ERR_MEMORY; }
    for (i = 0, node = taco__json_first(list); i < list->count; i++, node = taco__json_next(node)) {
        taco_status s = taco__collection_read_pattern(arena, node, path, i, &patterns[i], err);
        if (s != TACO_OK) { return s; }
    }
    out->patterns = patterns;
    out->count = list->count;
    out->present = true;
    return TACO_OK;
}

/* The keys are depths, "1" to "5"; a deeper level could not be stored. The last of equal keys
   counts, as everywhere. */
static TACO__ONCE taco_status taco__collection_read_hierarchy(taco__arena *arena,
                                                              const taco__json *hierarchy,
                                                              taco__pit *pit, taco_error *err)
{
    const taco__json *found[TACO__PIT_MAX_DEPTH], *key;
    uint32_t i;
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
            if (s != TACO_OK) { return s; }
            pit->depth = i + 1;
        }
    }
    return TACO_OK;
}

/* An optional hint by later writers: a shape that is not an array of integers is ignored. */
static TACO__ONCE bool taco__collection_read_shape(taco__arena *arena, const taco__json *shape,
                                                   taco__pit *pit, taco_error *err)
{
    size_t count = taco__json_length(shape), i;
    const taco__json *n;
    int64_t *items;
    if (!count) { return true; }
    items = (int64_t *)taco__arena_array(arena, count, sizeof *items, err);
    if (!items) { return false; }
    for (i = 0, n = taco__json_first(shape); i < count; i++, n = taco__json_next(n)) {
        if (!taco__json_int(n, &items[i])) { return true; }
    }
    pit->shape = items;
    pit->shape_count = count;
    return true;
}

/* root.type and hierarchy are required; `around` is what should contain the schema, for the offset
   if it is missing. */
static TACO__ONCE taco_status taco__collection_read_pit(taco__arena *arena,
                                                        const taco__json *schema,
                                                        const taco__json *around, taco__pit *pit,
                                                        taco_error *err)
{
    const taco__json *root, *type, *hierarchy;
    taco_bytes word;
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
    /* another word, or not a string */
    if (!taco__collection_read_type(type, &pit->folders)) {
        word = taco__json_bytes(type);
        if (taco__json_is(type, TACO__JSON_STRING)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, type->begin,
                              "taco:pit_schema.root.type is %q, must be FILE or FOLDER", &word);
        }
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (type ? type : root)->begin,
                          "taco:pit_schema.root.type must be FILE or FOLDER, found %s",
                          taco__json_type_name(type));
    }
    if (!taco__json_int(taco__json_get(root, "n"), &pit->n) || pit->n < 0) { pit->n = -1; }
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

/* A string of the document, or the default if it is missing, null or not a string. */
static TACO__ONCE const char *taco__collection_text_or(const taco__json *root, const char *key,
                                                       const char *otherwise)
{
    const char *text = taco__json_text(taco__json_get(root, key));
    return text ? text : otherwise;
}

/* The members other than id and the PIT schema, with their defaults. */
static TACO__ONCE bool taco__collection_read_members(taco__arena *arena, const taco__json *root,
                                                     taco__collection *out, taco_error *err)
{
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
    taco__collection_read_extent(out);
    return taco__collection_read_texts(arena, taco__json_get(root, "tasks"), &out->tasks, err) &&
           taco__collection_read_texts(arena, taco__json_get(root, "licenses"), &out->licenses,
                                       err) &&
           taco__collection_read_texts(arena, taco__json_get(root, "keywords"), &out->keywords,
                                       err);
}

TACO__FN TACO__ONCE bool taco__collection_is_version(taco_bytes text)
{
    size_t i = 0, numbers = 0;
    while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9') {
        while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9') {
            i++;
        }
        numbers++;
        i += i + 1 < text.len && text.data[i] == '.' && text.data[i + 1] >= '0' &&
             text.data[i + 1] <= '9';
    }
    for (; i < text.len && numbers > 1; i++) {
        uint8_t c = text.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              c == '.' || c == '-' || c == '+')) {
            return false;
        }
    }
    return numbers > 1;
}

/* Parses a document, of which the arena keeps a copy. Offsets of errors count from its first byte.
   Only `id` and `taco:pit_schema` are needed to read a dataset; the rest has defaults. limits may
   be NULL. */
TACO__FN TACO__ONCE taco_status taco__collection_parse(taco__arena *arena, taco_bytes text,
                                                       const taco_limits *limits,
                                                       taco__collection *out, taco_error *err)
{
    taco_error local;
    taco_status s;
    const taco__json *root, *id;
    char *copy;
    memset(out, 0, sizeof *out);
    memset(&local, 0, sizeof local);
    err = taco__error_fresh(err, &local);
    if (text.len > (limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES)) {
        return taco__json_parse(arena, text, limits, &out->doc,
                                err); /* fails before anything is copied */
    }
    /* nodes point into the text, and the caller's buffer may not live long enough */
    copy = taco__arena_text(arena, text, err);
    if (!copy) { return err->code; }
    s = taco__json_parse(arena, taco__bytes_of(copy, text.len), limits, &out->doc, err);
    if (s != TACO_OK) { return s; }
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
    if (!taco__collection_read_members(arena, root, out, err)) { return err->code; }
    return taco__collection_read_pit(arena, out->pit_schema, root, &out->pit, err);
}

/* ---- comparing and checking ---- */

/* True if two patterns have the same children; otherwise err names the first difference. */
static TACO__ONCE bool taco__collection_check_same_pattern(const taco__pit_pattern *a,
                                                           const taco__pit_pattern *b,
                                                           uint32_t depth, size_t index,
                                                           taco_error *err)
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

/* Datasets are concatenated only if their trees match: the type of the samples, the levels, and
   types and ids of every pattern. Counts and shape do not matter. ARGUMENT, with the first
   difference, if they do not match. */
TACO__FN TACO__ONCE taco_status taco__collection_check_same_pit(const taco__collection *a,
                                                                const taco__collection *b,
                                                                taco_error *err)
{
    uint32_t d;
    size_t i;
    if (a->pit.folders != b->pit.folders) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "taco:pit_schema differs at root: samples are %s in the first dataset, "
                          "%s in the second",
                          taco__collection_type_name(a->pit.folders),
                          taco__collection_type_name(b->pit.folders));
    }
    /* the order of keys in the document does not matter, that of patterns and children does */
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

/* Checks the extent (TACO 2.0.0 §5.5.2), for validation; a dataset without one is valid. The order
   of the two times is not checked here. A box with west > east crosses the antimeridian. */
TACO__FN TACO__ONCE taco_status taco__collection_check_extent(const taco__collection *c,
                                                              taco_error *err)
{
    static const char *const names[] = {"west", "south", "east", "north"};
    const taco__json *e = c->extent, *spatial = taco__json_get(e, "spatial"),
                     *temporal = taco__json_get(e, "temporal");
    size_t i;
    if (!e || e->type == TACO__JSON_NULL) { return TACO_OK; /* not given */ }
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

/* The members of `info --json` that come from the document, with their values as in the document,
   without enclosing braces and trailing comma. Missing ones get the defaults of the Python
   reader. */
TACO__FN TACO__ONCE bool taco__collection_write_info(taco__buf *out, const taco__collection *c,
                                                     taco_error *err)
{
    static const char *const keys[][3] = {
        /* name in the output, and in the document if different */
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
    bool ok = true;
    for (i = 0; ok && i < TACO__COUNT(keys); i++) {
        const taco__json *value = taco__json_get(c->doc.root, keys[i][1]);
        ok = taco__buf_append_text(out, i ? ",\"" : "\"", err) &&
             taco__buf_append_text(out, keys[i][0], err) &&
             taco__buf_append_text(out, "\":", err) &&
             (value ? taco__json_print(out, value, 0, err)
                    : taco__buf_append_text(out, keys[i][2], err));
    }
    return ok && taco__buf_append_text(out, ",\"collection\":", err) &&
           taco__json_print(out, c->doc.root, 0, err);
}
/* ==== src/dataset/zip_read.c ==== */
/* zip_read.c - ZIP records, from the end record to the bytes of an entry

   In: a file. Out: records (archive.h) with validated ranges. PKWARE APPNOTE 6.3.10 §4.3, §4.4,
   §4.5.3 (ZIP64); TACO 2.0 §6.3 (entries are stored).

   taco__zip_open looks for the end of central directory record in the last 64 KiB and follows it to
   its ZIP64 form. taco__zip_next walks the directory, which is authoritative for names and sizes;
   taco__zip_locate_entry reads the local header of one entry, checks that it agrees, and returns
   where the bytes begin. A TACO archive is opened without any of this (container_index.c): these
   are for damaged headers, validation, repair and adding to an archive. */
/* #include "archive.h" */
/* #include "../base/base.h" */

/* EOCD64, locator, EOCD and the longest comment: how much to read at the end of a file */
#define TACO__ZIP_TAIL_BYTES 65633U

/* ---- the records at the end ---- */

/* Checks that the directory lies before the end records, and is large enough for its entries. */
static taco_status taco__zip_check_dir_range(taco__zip_dir *d, taco_error *err)
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

/* The last end record whose comment ends at the end of the file; failing that, the last whose
   comment lies inside, so that bytes after the archive do not hide it. SIZE_MAX if there is
   none. */
static size_t taco__zip_find_eocd(taco_bytes tail)
{
    size_t i, loose = SIZE_MAX;
    if (tail.len < TACO__ZIP_EOCD_BYTES) { return SIZE_MAX; }
    for (i = tail.len - TACO__ZIP_EOCD_BYTES + 1; i-- > 0;) {
        size_t after, comment;
        if (tail.data[i] != 'P' || taco__load_le32(tail.data + i) != TACO__ZIP_SIG_EOCD) {
            continue;
        }
        comment = taco__load_le16(tail.data + i + 20);
        after = tail.len - i - TACO__ZIP_EOCD_BYTES;
        if (comment == after) { return i; }
        if (comment < after && loose == SIZE_MAX) { loose = i; }
    }
    return loose;
}

/* Reads the EOCD64; record begins at d->eocd64 and has at least 56 bytes. */
static taco_status taco__zip_read_eocd64(taco_bytes record, taco__zip_dir *d, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(record);
    uint64_t length, here, all, size, offset;
    uint32_t sig = taco__byte_reader_le32(&c), disk, start;
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
    /* The 32-bit record must agree unless it has the "see ZIP64" value (§4.4.1.4). */
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

/* Reads the end records from the last bytes of a file: tail is from tail_offset to file_size; it
   should have TACO__ZIP_TAIL_BYTES bytes, or the whole file. */
static taco_status taco__zip_read_eocd(taco_bytes tail, uint64_t tail_offset, uint64_t file_size,
                                       taco__zip_dir *out, taco_error *err)
{
    size_t at = taco__zip_find_eocd(tail);
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

/* Replaces the values that are 2^32-1 by the 64-bit ones of extra field 1, which holds only these,
   in this order (§4.5.3). Without such a field 2^32-1 is an ordinary size, which writers have used
   as such. */
static taco_status taco__zip_read_extra64(taco_bytes extra, uint64_t at, uint64_t *const values[],
                                          size_t n, bool *found, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(extra);
    size_t i, need = 0;
    for (i = 0; i < n; i++) {
        need += *values[i] == 0xFFFFFFFFU ? 8U : 0U;
    }
    *found = false;
    while (taco__byte_reader_left(&c) >= 4) {
        uint16_t id = taco__byte_reader_le16(&c), len = taco__byte_reader_le16(&c);
        const uint8_t *p = taco__byte_reader_take(&c, len);
        if (!p && id == 1) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "ZIP64: extra field of %u bytes, %u are left", TACO__U(len),
                              TACO__U(taco__byte_reader_left(&c)));
        }
        if (!p) { break; /* other fields are not ours; a broken one ends the list */ }
        if (id != 1) { continue; }
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

/* Whether a local header with a name of this length, and the bytes, fit before the directory. */
static bool taco__zip_entry_fits(const taco__zip_dir *dir, const taco__zip_entry *e)
{
    uint64_t head = TACO__ZIP_LOCAL_BYTES + (uint64_t)e->name.len;
    return taco__checked_range(e->local, head, dir->offset) &&
           e->csize <= dir->offset - e->local - head;
}

/* Reads the members of a central directory header (§4.3.12); *disk: its disk number. False if it is
   not one, or runs past the directory. */
static bool taco__zip_read_entry_members(taco__zip_iter *it, taco__zip_entry *e, uint32_t *disk)
{
    taco__byte_reader *c = &it->cur;
    uint32_t sig;
    size_t name, extra, comment;
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
    *disk = taco__byte_reader_le16(c);
    taco__byte_reader_take(c, 2); /* internal attributes */
    e->external = taco__byte_reader_le32(c);
    e->local = taco__byte_reader_le32(c);
    e->name = taco__bytes_of(taco__byte_reader_take(c, name), name);
    e->extra = taco__bytes_of(taco__byte_reader_take(c, extra), extra);
    e->comment = taco__bytes_of(taco__byte_reader_take(c, comment), comment);
    return !c->bad && sig == TACO__ZIP_SIG_CENTRAL;
}

/* Reads and checks the next central directory header, with its ZIP64 values. */
static taco_status taco__zip_read_entry(taco__zip_iter *it, taco__zip_entry *e, taco_error *err)
{
    uint64_t *values[3];
    uint32_t disk;
    taco_status st;
    values[0] = &e->size;
    values[1] = &e->csize;
    values[2] = &e->local;
    if (!taco__zip_read_entry_members(it, e, &disk)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->at,
                          "ZIP: entry %u of %u is not a central directory header, or runs past the "
                          "end of the directory",
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
            "ZIP: entry %q has %u bytes after a local header at %u, the directory begins at %u",
            &e->name, e->csize, e->local, it->dir->offset);
    }
    return TACO_OK;
}

/* Returns false at the end and on failure, which sets it->bad. */
TACO__FN bool taco__zip_next(taco__zip_iter *it, taco__zip_entry *out, taco_error *err)
{
    if (it->bad || it->index == it->dir->entries) { return false; }
    memset(out, 0, sizeof *out);
    it->bad = taco__zip_read_entry(it, out, err) != TACO_OK;
    it->index++;
    return !it->bad;
}

/* Checks that a TACO archive's entry can be read in place (TACO 2.0 §6.3). */
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

/* b begins at offset in the file. If it is shorter than the header, out->partial is set and
   out->length is the size needed; it must have at least 30 bytes. */
TACO__FN taco_status taco__zip_read_local_header(taco_bytes b, uint64_t offset,
                                                 taco__zip_local_header *out, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(b);
    uint64_t *values[2];
    uint32_t sig = taco__byte_reader_le32(&c);
    size_t name, extra;
    bool zip64;
    taco_status st;
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
    if (out->partial) { return TACO_OK; }
    out->name = taco__bytes_of(taco__byte_reader_take(&c, name), name);
    out->extra = taco__bytes_of(taco__byte_reader_take(&c, extra), extra);
    st = taco__zip_read_extra64(out->extra, offset, values, 2, &zip64, err);
    if (st != TACO_OK) { taco__error_prefix(err, "local header of %q", &out->name); }
    return st;
}

/* Checks that the local header of an entry names the same entry, and that its bytes end before the
   directory. The CRC is not compared: libzip leaves it 0 here for a file of 2^32-1 bytes. */
static taco_status taco__zip_check_local_header(const taco__zip_dir *dir, const taco__zip_entry *e,
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

/* Whether b, which ends where the payload begins, ends with the local header of a stored entry of
   `size` bytes. Its length is unknown, as its name is. NULL: it does not. */
static const uint8_t *taco__zip_find_stored(taco_bytes b, uint64_t size)
{
    size_t len;
    for (len = TACO__ZIP_LOCAL_BYTES; len <= b.len; len++) {
        const uint8_t *p = b.data + b.len - len;
        uint32_t said;
        if (p[0] != 'P' || taco__load_le32(p) != TACO__ZIP_SIG_LOCAL ||
            len !=
                (size_t)TACO__ZIP_LOCAL_BYTES + taco__load_le16(p + 26) + taco__load_le16(p + 28)) {
            continue;
        }
        /* in a ZIP64 entry the size is in the extra field */
        said = taco__load_le32(p + 22);
        if (taco__load_le16(p + 8) == 0 && (said == size || said == 0xFFFFFFFFU)) { return p; }
    }
    return NULL;
}

/* Takes the CRC-32 of a payload of `size` bytes out of the bytes before it. *known is false if it
   is in a record after the payload. *name becomes that of the entry, in `lead`. False if the bytes
   do not end with the local header. */
TACO__FN bool taco__zip_lead_crc(taco_bytes lead, uint64_t size, bool *known, uint32_t *crc,
                                 taco_bytes *name)
{
    const uint8_t *p = taco__zip_find_stored(lead, size);
    *known = false;
    if (!p) { return false; }
    *name = taco__bytes_of(p + TACO__ZIP_LOCAL_BYTES, taco__load_le16(p + 26));
    *crc = taco__load_le32(p + 14);
    *known = *crc || !(taco__load_le16(p + 6) & TACO__ZIP_DESCRIPTOR);
    return true;
}

/* The CRC-32 in the local header right before a payload. False if there is none, or it leaves the
   CRC to a record after the payload. */
TACO__FN bool taco__zip_stored_crc(const taco_source *src, uint64_t offset, uint64_t size,
                                   uint32_t *crc)
{
    /* headers of names of usual lengths; of the longest ones, with six ids */
    static const size_t steps[] = {TACO__ZIP_LEAD, 2048};
    uint8_t b[2048];
    size_t i;
    for (i = 0; i < TACO__COUNT(steps); i++) {
        size_t n = (size_t)TACO__MIN(offset, (uint64_t)steps[i]);
        taco_bytes name;
        bool known;
        if (n < TACO__ZIP_LOCAL_BYTES || (i && n <= steps[i - 1]) ||
            !src->read(src->ctx, offset - n, b, n)) {
            return false;
        }
        if (taco__zip_lead_crc(taco__bytes_of(b, n), size, &known, crc, &name)) { return known; }
    }
    return false;
}

/* Compares the CRC-32 of a payload that was copied, or is passed on whole, with that of its
   archive, if known: a damaged payload becomes no part of a valid dataset, unless o->keep_damaged
   is set; then a warning says which it is. */
TACO__FN bool taco__zip_check_copied(const taco_options *o, bool known, uint32_t wanted,
                                     uint32_t found, taco_bytes id, taco_error *err)
{
    taco_error what = {0, TACO_OK, 0, {0}};
    if (!known || wanted == found) { return true; }
    TACO__FAIL(&what, TACO_ERR_CHECKSUM, TACO_NO_OFFSET,
               "sample %q: its bytes are damaged: their CRC-32 is %x, the archive says %x%s", &id,
               TACO__U(found), TACO__U(wanted), o->keep_damaged ? "; they are copied" : "");
    if (o->keep_damaged) {
        if (o->warn) { o->warn(o->warn_ctx, &what); }
        return true;
    }
    taco__error_copy(err, &what);
    return false;
}

/* ---- over a file ---- */

/* Reads and checks the end records. scratch is overwritten. */
TACO__FN taco_status taco__zip_open_until(taco__file *f, uint64_t size, taco__zip_dir *out,
                                          taco__buf *scratch, taco_error *err)
{
    size_t len = size < TACO__ZIP_TAIL_BYTES ? (size_t)size : TACO__ZIP_TAIL_BYTES;
    const uint8_t *p = taco__file_view(f, size - len, len, scratch, err);
    taco_status st;
    memset(out, 0, sizeof *out);
    if (!p) { return err ? err->code : TACO_ERR_IO; }
    st = taco__zip_read_eocd(taco__bytes_of(p, len), size - len, size, out, err);
    if (st != TACO_OK || !out->pending) { return st; }
    p = taco__file_view(f, out->eocd64, TACO__ZIP_EOCD64_BYTES, scratch, err);
    return p     ? taco__zip_read_eocd64(taco__bytes_of(p, TACO__ZIP_EOCD64_BYTES), out, err)
           : err ? err->code
                 : TACO_ERR_IO;
}

TACO__FN taco_status taco__zip_open(taco__file *f, taco__zip_dir *out, taco__buf *scratch,
                                    taco_error *err)
{
    return taco__zip_open_until(f, f->src.size, out, scratch, err);
}

TACO__FN uint64_t taco__zip_find_end(taco__file *f, uint64_t at, taco__buf *scratch)
{
    uint64_t left;
    size_t entries = 0, records = 0;
    const uint8_t *p;
    for (;;) {
        left = f->src.size - TACO__MIN(at, f->src.size);
        p = left < TACO__ZIP_EOCD_BYTES
                ? NULL
                : taco__file_view(f, at, (size_t)TACO__MIN(left, (uint64_t)TACO__ZIP_CENTRAL_BYTES),
                                  scratch, NULL);
        if (p && left >= TACO__ZIP_CENTRAL_BYTES && taco__load_le32(p) == TACO__ZIP_SIG_CENTRAL) {
            at += TACO__ZIP_CENTRAL_BYTES + (uint64_t)taco__load_le16(p + 28) +
                  taco__load_le16(p + 30) + taco__load_le16(p + 32);
            entries++;
        } else if (p && records == 0 && taco__load_le32(p) == TACO__ZIP_SIG_EOCD64) {
            at += TACO__ZIP_EOCD64_BYTES + TACO__ZIP_LOCATOR_BYTES;
            records++;
        } else {
            break;
        }
    }
    if (!p || !entries || taco__load_le32(p) != TACO__ZIP_SIG_EOCD) { return 0; }
    at += TACO__ZIP_EOCD_BYTES + (uint64_t)taco__load_le16(p + 20);
    return at <= f->src.size ? at : 0;
}

/* Reads the directory; *out is in scratch (or the file's memory) until that is used again. limit is
   limits.max_metadata. */
TACO__FN taco_status taco__zip_read_directory(taco__file *f, const taco__zip_dir *dir,
                                              uint64_t limit, taco__buf *scratch, taco_bytes *out,
                                              taco_error *err)
{
    size_t len;
    const uint8_t *p;
    *out = taco__bytes_of(NULL, 0);
    if (dir->size > limit || !taco__checked_to_size(dir->size, &len)) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, dir->offset,
                          "ZIP: central directory of %u bytes, limits.max_metadata is %u",
                          dir->size, limit);
    }
    p = taco__file_view(f, dir->offset, len, scratch, err);
    if (!p) { return err ? err->code : TACO_ERR_IO; }
    *out = taco__bytes_of(p, len);
    return TACO_OK;
}

/* Reads the local header of an entry and checks it against the directory: out->data is where its
   bytes are. The name of *out is in scratch, which must not hold the directory. */
TACO__FN taco_status taco__zip_locate_entry(taco__file *f, const taco__zip_dir *dir,
                                            const taco__zip_entry *e, taco__zip_local_header *out,
                                            taco__buf *scratch, taco_error *err)
{
    /* inside the file: taco__zip_entry_fits */
    size_t len = TACO__ZIP_LOCAL_BYTES + e->name.len;
    const uint8_t *p = taco__file_view(f, e->local, len, scratch, err);
    taco_status st = p     ? taco__zip_read_local_header(taco__bytes_of(p, len), e->local, out, err)
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
        taco__error_prefix(err, "local header of entry %q", &e->name);
        return st;
    }
    return taco__zip_check_local_header(dir, e, out, err);
}
/* ==== src/dataset/container_index.c ==== */
/* container_index.c - where the metadata of an archive or a TACOCAT is

   In: the first bytes of a file, or its central directory. Out: a taco__index whose ranges lie
   inside the file and do not overlap, so that no caller has to check them again. TACO 2.0 §6.3,
   §6.5.

   An archive begins with an entry TACO_HEADER of 116 bytes: a count, 3 bytes of padding, and pairs
   of offset and length, one for each level and the last for COLLECTION.json
   (taco__index_read_header). If it is damaged, it is rebuilt from the central directory
   (taco__index_recover). A catalogue begins with its own header of 128 bytes: magic, version,
   depth, six levels and the collection (taco__index_read_tacocat). All of them end in
   taco__index_check_ranges. */
/* #include "archive.h" */
/* #include "../base/base.h" */

/* ---- proofs shared by the three ---- */

/* Name of range i in messages: the levels, then the collection. */
static const char *taco__index_range_name(size_t i)
{
    static const char *const names[] = {"level0", "level1", "level2",         "level3",
                                        "level4", "level5", "COLLECTION.json"};
    return names[TACO__MIN(i, TACO__COUNT(names) - 1)];
}

/* Range i: the levels, then the collection. */
static const taco__range *taco__index_get_range(const taco__index *x, size_t i)
{
    return i < TACO__INDEX_LEVELS ? &x->level[i] : &x->collection;
}

/* Offset in the file at which range i is given, for messages. */
static uint64_t taco__index_pair_offset(const taco__index *x, size_t i)
{
    return x->table ? x->table + 16 * (i < TACO__INDEX_LEVELS ? (uint64_t)i : x->last)
                    : TACO_NO_OFFSET;
}

/* Every range lies between the header, which ends at `first`, and the end of the file, and none
   overlaps another. */
static taco_status taco__index_check_ranges(const taco__index *x, uint64_t first,
                                            uint64_t file_size, const char *who, taco_error *err)
{
    size_t i, k;
    for (i = 0; i <= TACO__INDEX_LEVELS; i++) {
        const taco__range *a = taco__index_get_range(x, i);
        if (a->len == 0) { continue; }
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
static taco_status taco__index_check_required(taco__index *x, const char *who, taco_error *err)
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

/* Says what the first bytes are, if they are not those of an archive of this format. */
static taco_status taco__index_check_magic(taco_bytes first, uint64_t file_size, taco_error *err)
{
    taco_bytes magic = taco__bytes_of(first.data, TACO__MIN(first.len, (size_t)4));
    if (file_size == 0) { return TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "the file is empty"); }
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

/* The name of the first entry, at byte 30, decides whether it is a TACO archive, and which. */
static taco_status taco__index_check_first_entry(taco_bytes first, uint64_t file_size,
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

/* Reads the header of an archive from its first bytes, TACO__INDEX_HEADER_BYTES of them or a whole
   shorter file. On failure out->recover says whether the central directory is worth a try. */
TACO__FN taco_status taco__index_read_header(taco_bytes first, uint64_t file_size, taco__index *out,
                                             taco_error *err)
{
    const uint8_t *p;
    size_t i;
    taco_status st;
    memset(out, 0, sizeof *out);
    st = taco__index_check_magic(first, file_size, err);
    st = st == TACO_OK ? taco__index_check_first_entry(first, file_size, out, err) : st;
    if (st != TACO_OK) { return st; }
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
    if (taco__bytes_equal(name, taco__bytes_text("COLLECTION.json"))) { return &x->collection; }
    if (name.len == 23 && taco__bytes_starts_with(name, "METADATA/level") &&
        memcmp(name.data + 15, ".parquet", 8) == 0 && name.data[14] >= '0' &&
        name.data[14] < '0' + TACO__INDEX_LEVELS) {
        return &x->level[name.data[14] - '0'];
    }
    return NULL;
}

/* Builds the index from the entries of the central directory, for archives with a damaged
   TACO_HEADER. Offsets come from the local headers, which are read and must agree. */
TACO__FN taco_status taco__index_from_directory(taco__file *f, const taco__zip_dir *dir,
                                                taco_bytes directory, taco__index *out,
                                                taco__buf *scratch, taco_error *err)
{
    taco__zip_iter it = taco__zip_iter_init(directory, dir);
    taco__zip_entry e;
    taco_status st;
    memset(out, 0, sizeof *out);
    while (taco__zip_next(&it, &e, err)) {
        taco__zip_local_header local;
        taco__range *slot = taco__index_find_slot(out, e.name);
        if (!slot) { continue; }
        if (slot->len) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, e.at, "central directory: two entries %q",
                              &e.name);
        }
        st = taco__zip_check_stored(&e, err);
        st = st == TACO_OK ? taco__zip_locate_entry(f, dir, &e, &local, scratch, err) : st;
        if (st != TACO_OK) { return st; }
        slot->offset = local.data;
        slot->len = e.csize;
        out->count++;
    }
    if (it.bad) { return err ? err->code : TACO_ERR_CORRUPT; }
    st = taco__index_check_required(out, "central directory", err);
    return st == TACO_OK ? taco__index_check_ranges(out, 0, dir->offset, "central directory", err)
                         : st;
}

/* The same from the file alone: reads end records and directory. limit is limits.max_metadata. */
TACO__FN taco_status taco__index_recover(taco__file *f, uint64_t limit, taco__index *out,
                                         taco_error *err)
{
    taco__buf whole, scratch;
    taco__zip_dir dir;
    taco_bytes directory;
    taco_status st;
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

/* Compares a TACO_HEADER with the directory of the same archive: every range must be the entry of
   that name. */
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

/* True if the first bytes are those of a `__TACOCAT__` file. */
TACO__FN bool taco__index_is_tacocat(taco_bytes first)
{
    return first.len >= 7 && memcmp(first.data, "TACOCAT", 7) == 0;
}

/* Reads the binary header of a TACOCAT: magic, version, depth, six levels and the collection, all
   little-endian. */
TACO__FN taco_status taco__index_read_tacocat(taco_bytes first, uint64_t file_size,
                                              taco__index *out, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(first);
    taco_bytes magic = taco__bytes_of(first.data, TACO__MIN(first.len, (size_t)8));
    uint32_t version, depth;
    size_t i;
    taco_status st;
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
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 8, "TACOCAT: version %u, only 1 is supported",
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
/* ==== src/dataset/gdal_path.c ==== */
/* gdal_path.c - GDAL paths of samples, made from roots, offsets and names that cannot leave the
   dataset

   In: what the caller opened, and values of a row. Out: text that GDAL opens: /vsisubfile/ for a
   range of an archive, /vsis3/ and the like for URLs, plain paths below a FOLDER. TACO 2.0 §6.5,
   §7.2; GDAL "Virtual File Systems".

   Names in tables are hostile: a path is made from one only after taco__vsi_check_path or
   taco__vsi_check_name has refused everything that could lead out of the dataset. Numbers are
   written by the inline functions of gdal_path.h. */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */

/* ---- roots ---- */

/* A kind of URL, and GDAL's prefix for it. */
typedef struct taco__vsi_scheme {
    const char *url, *vsi;
} taco__vsi_scheme;

static const taco__vsi_scheme taco__vsi_schemes[] = {{"s3://", "/vsis3/"},
                                                     {"gs://", "/vsigs/"},
                                                     {"az://", "/vsiaz/"},
                                                     {"oss://", "/vsioss/"},
                                                     /* after az://: the way back finds that */
                                                     {"swift://", "/vsiswift/"},
                                                     {"azure://", "/vsiaz/"}};

/* True for paths that GDAL or the caller's open_file fetches from elsewhere: these are not made
   absolute. */
TACO__FN bool taco__vsi_is_remote(taco_bytes path)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        if (taco__bytes_starts_with(path, taco__vsi_schemes[i].url)) { return true; }
    }
    if (taco__bytes_starts_with(path, "http://") || taco__bytes_starts_with(path, "https://")) {
        return true;
    }
    return taco__bytes_starts_with(path, "/vsi") && !taco__bytes_starts_with(path, "/vsimem/");
}

/* Appends a path as GDAL names it: URLs become /vsi paths, others are unchanged. Local paths must
   be absolute and resolved. */
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

/* Appends a '/' unless what has been appended since `start` ends with one. */
static bool taco__vsi_append_slash(taco__buf *out, size_t start, taco_error *err)
{
    return (out->len > start && taco__plat_is_slash((char)out->data[out->len - 1])) ||
           taco__buf_append_char(out, '/', err);
}

/* A directory that file names are appended to: the root with a '/' at the end. */
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t start = out->len;
    return taco__vsi_append_root(out, path, err) && taco__vsi_append_slash(out, start, err);
}

/* ---- names that come from tables ---- */

/* Refuses a relative path that could lead out of the directory it is appended to: absolute, with an
   empty, '.' or '..' component, a backslash (a separator elsewhere) or a zero byte (the end, in C).
   That of a FOLDER may end with a '/'. */
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err)
{
    size_t i, from = 0, len = value.len;
    const char *what = NULL;
    if (folder && len > 1 && value.data[len - 1] == '/') { len--; }
    if (len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "%s is null or empty, no path can be made from it", column);
    }
    for (i = 0; i <= len && !what; i++) {
        uint8_t c = i < len ? value.data[i] : (uint8_t)'/';
        size_t n = i - from;
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

/* internal:source_file names a file next to the catalogue: the same, but only one component. */
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

/* A sample of a TACOCAT; base ends with '/'. */
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err)
{
    return taco__vsi_check_name(source_file, "internal:source_file", err) == TACO_OK &&
           taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, base, source_file, err);
}

/* A sample of a FOLDER dataset: {root}/DATA/{relative}, and /__meta__ after a FOLDER. relative is
   the id at level 0, internal:relative_path below; `column` is its name in messages. */
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

/* A child in a FOLDER dataset, as its parent's __meta__ lists it: {folder}/{id}, for FILE and
   FOLDER alike. */
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
/* ==== src/dataset/avro_schema.c ==== */
/* avro_schema.c - Avro schemas as a tree of nodes with Arrow fields

   In: the JSON of a schema. Out: taco__avro_node, one for each column and child, which avro_read.c
   fills. Apache Avro 1.11, "Schema Declaration", "Complex Types", "Logical Types".

   taco__avro_schema_any dispatches: a name, an object or a union. A named type is parsed again
   wherever it is used, so a short schema can demand very many nodes: their number, their depth and
   the JSON values parsed for them have limits. A logical type that does not fit its type is
   ignored, as the specification demands. */
/* #include "avro.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* most named types in a schema */
#define TACO__AVRO_MAX_NAMES 1024
/* most JSON values parsed for all uses of named types */
#define TACO__AVRO_MAX_EXPANDED ((uint32_t)1 << 24)

/* Splits "space.name" at its last point; a name without one is in the enclosing space. */
static TACO__ONCE void taco__avro_schema_split_name(taco_bytes full, taco_bytes around,
                                                    taco_bytes *space, taco_bytes *name)
{
    size_t i = full.len;
    while (i && full.data[i - 1] != '.') {
        i--;
    }
    *name = taco__bytes_of(full.data + i, full.len - i);
    *space = i ? taco__bytes_of(full.data, i - 1) : around;
}

/* FNV-1a. */
static TACO__ONCE uint32_t taco__avro_schema_hash_name(taco_bytes b)
{
    uint32_t h = 2166136261U;
    size_t i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * 16777619U;
    }
    return h;
}

/* The latest definition of a full name, NULL if there is none. */
static TACO__ONCE taco__avro_name *taco__avro_schema_find_name(const taco__avro *a,
                                                               taco_bytes space, taco_bytes name)
{
    uint32_t hash = taco__avro_schema_hash_name(name);
    taco__avro_name *d;
    for (d = a->names; d; d = (taco__avro_name *)d->next) {
        if (d->hash == hash && taco__bytes_equal(d->name, name) &&
            taco__bytes_equal(d->space, space)) {
            return d;
        }
    }
    return NULL;
}

/* The entry of a definition, which is new the first time it is parsed. */
static TACO__ONCE taco__avro_name *
taco__avro_schema_define_name(taco__avro *a, const taco__json *schema, taco_bytes around)
{
    const taco__json *name = taco__json_get(schema, "name"),
                     *space = taco__json_get(schema, "namespace");
    taco_bytes s, n;
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

/* A type whose values are all width bytes long; 0 for others. */
static TACO__ONCE void taco__avro_schema_set_fixed_width(taco_field *f, taco_type type,
                                                         int32_t width)
{
    f->type = type;
    f->width = width;
}

/* precision and scale of a decimal; false if they are out of range, in which case the logical type
   is ignored, as the specification demands for everything a reader does not understand ("Logical
   Types"). */
static TACO__ONCE bool taco__avro_schema_decimal(const taco__json *schema, taco_field *f)
{
    const taco__json *node = taco__json_get(schema, "scale");
    int64_t precision, scale = 0;
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

/* Logical types of integers. A timestamp is an instant, a local one is wall-clock time. On a
   primitive type that does not fit, a logical type is ignored. */
static TACO__ONCE void taco__avro_schema_time(const taco__json *logical, taco__avro_kind kind,
                                              taco_field *f)
{
    static const struct {
        const char *name;
        uint8_t kind, type, unit, utc;
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

/* A primitive type by name; schema is NULL if it has no attributes. False if it is not the name of
   a primitive type. */
static TACO__ONCE bool taco__avro_schema_primitive(taco_bytes name, const taco__json *schema,
                                                   taco__avro_node *n)
{
    static const struct {
        const char *name;
        uint8_t kind, type, width;
    } known[] = {
        {"null", TACO__AVRO_NULL, TACO_NULL, 0},     {"boolean", TACO__AVRO_BOOLEAN, TACO_BOOL, 0},
        {"int", TACO__AVRO_INT, TACO_INT32, 4},      {"long", TACO__AVRO_LONG, TACO_INT64, 8},
        {"float", TACO__AVRO_FLOAT, TACO_FLOAT, 4},  {"double", TACO__AVRO_DOUBLE, TACO_DOUBLE, 8},
        {"bytes", TACO__AVRO_BYTES, TACO_BINARY, 0}, {"string", TACO__AVRO_STRING, TACO_TEXT, 0},
    };

    const taco__json *logical = taco__json_get(schema, "logicalType");
    size_t i;
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
static TACO__ONCE bool taco__avro_schema_fixed(taco__avro *a, const taco__json *schema,
                                               taco__avro_node *n)
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
                   "a fixed type of %u bytes, 1 to %u are supported", TACO__U(size),
                   TACO__U(INT32_MAX));
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
static TACO__ONCE bool taco__avro_schema_enum(taco__avro *a, const taco__json *schema,
                                              taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "symbols"), *item;
    taco_bytes *symbols;
    uint32_t i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "an enum must have an array of symbols, found %s", taco__json_type_name(list));
        return false;
    }
    symbols = (taco_bytes *)taco__arena_array(a->arena, list->count, sizeof *symbols, a->err);
    if (!symbols) { return false; }
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        symbols[i] = taco__json_bytes(item);
    }
    n->kind = TACO__AVRO_ENUM;
    n->symbols = symbols;
    n->symbol_count = list->count;
    n->field->type = TACO_TEXT;
    return true;
}

/* Gives n count children with their fields. This is the only place where nodes are created, so the
   limit is here: a named type is expanded wherever it is used, and a few lines of schema can demand
   2^60 of them. */
static TACO__ONCE bool taco__avro_schema_add_children(taco__avro *a, taco__avro_node *n,
                                                      uint32_t count)
{
    taco_field *fields;
    uint32_t i;
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
    if (!fields) { return false; }
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

/* Names of columns: Avro does not allow ':' in names, so some releases of the reference writer
   spelled it out. */
static TACO__ONCE const char *taco__avro_schema_column_name(taco__avro *a, taco_bytes name)
{
    static const char colon[] = "_COLON_";
    char *copy = taco__arena_text(a->arena, name, a->err), *from = copy, *to = copy;
    while (copy && *from) {
        bool found = strncmp(from, colon, sizeof colon - 1) == 0;
        *to++ = found ? ':' : *from;
        from += found ? sizeof colon - 1 : 1;
    }
    if (copy) { *to = 0; }
    return copy;
}

/* {"type": "record", "fields": [{"name", "type"}...]}. Aliases and defaults are for readers that
   bring their own schema. */
static TACO__ONCE bool taco__avro_schema_record(taco__avro *a, const taco__json *schema,
                                                taco_bytes space, uint32_t depth,
                                                taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "fields"), *item;
    uint32_t *live;
    uint32_t i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a record must have an array of fields, found %s", taco__json_type_name(list));
        return false;
    }
    n->kind = TACO__AVRO_RECORD;
    n->field->type = TACO_STRUCT;
    if (!taco__avro_schema_add_children(a, n, list->count)) { return false; }
    live = (uint32_t *)taco__arena_array(a->arena, list->count, sizeof *live, a->err);
    if (!live) { return false; }
    n->stored = live;
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        const taco__json *name = taco__json_get(item, "name"), *type = taco__json_get(item, "type");
        taco__avro_node *child = &n->children[i];
        taco_bytes text = taco__json_bytes(name);
        if (!taco__json_text(name) || !type) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + item->begin,
                       "a field must have a name and a type, found %s and %s",
                       taco__json_type_name(name), taco__json_type_name(type));
            return false;
        }
        child->field->name = depth == 0 ? taco__avro_schema_column_name(a, text)
                                        : taco__arena_text(a->arena, text, a->err);
        if (!child->field->name) { return false; }
        if (!taco__avro_schema_any(a, type, space, depth + 1, child)) {
            taco__error_prefix(a->err, "field %q", &text);
            return false;
        }
        if (!child->empty) { live[n->stored_count++] = i; }
    }
    n->empty = n->stored_count == 0;
    return true;
}

/* A list has its items as its only child; a map has a struct, whose children are key and value. */
static TACO__ONCE bool taco__avro_schema_list_or_map(taco__avro *a, const taco__json *schema,
                                                     bool is_map, taco_bytes space, uint32_t depth,
                                                     taco__avro_node *n)
{
    const char *key = is_map ? "values" : "items";
    const taco__json *of = taco__json_get(schema, key);
    taco__avro_node *item;
    if (!of) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin, "%s must have %s",
                   is_map ? "a map" : "an array", key);
        return false;
    }
    n->kind = is_map ? TACO__AVRO_MAP : TACO__AVRO_ARRAY;
    n->field->type = is_map ? TACO_MAP : TACO_LIST;
    if (!taco__avro_schema_add_children(a, n, 1)) { return false; }
    item = n->children;
    item->field->name = is_map ? "entries" : "item";
    if (is_map) { /* keys are strings and never null */
        item->kind = TACO__AVRO_RECORD;
        item->field->type = TACO_STRUCT;
        if (!taco__avro_schema_add_children(a, item, 2)) { return false; }
        item->children[0].field->name = "key";
        item->children[0].field->leaf = a->leaf_count++;
        item->children[0].field->leaf_count = 1;
        taco__avro_schema_primitive(taco__bytes_text("string"), NULL, &item->children[0]);
        item->field->leaf = a->leaf_count - 1;
        item = &item->children[1];
        item->field->name = "value";
    }
    if (!taco__avro_schema_any(a, of, space, depth + 1, item)) { return false; }
    n->children->field->leaf_count = a->leaf_count - n->children->field->leaf;
    return true;
}

/* [null, T] in either order is a nullable T. There is no column type for other unions. */
static TACO__ONCE bool taco__avro_schema_union(taco__avro *a, const taco__json *s, taco_bytes space,
                                               uint32_t depth, taco__avro_node *n)
{
    const taco__json *x = taco__json_at(s, 0), *y = taco__json_at(s, 1);
    bool first = taco__json_equals(x, "null"), second = taco__json_equals(y, "null");
    n->branches = s->count;
    if (n->branches == 1) {
        n->null_branch = first ? 0 : UINT32_MAX; /* read as if it were one of two */
    } else if (n->branches == 2 && first != second) {
        n->null_branch = first ? 0 : 1;
        n->field->nullable = true;
        x = first ? y : x;
    } else {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + s->begin,
                   "a union of %u types, only one type with or without null is supported",
                   TACO__U(s->count));
        return false;
    }
    if (taco__json_is(x, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + x->begin, "a union directly in a union");
        return false;
    }
    if (!taco__avro_schema_any(a, x, space, depth, n)) { return false; }
    n->empty = false; /* the branch takes a byte */
    return true;
}

/* A named type, defined here or before. It cannot be used inside its own definition, which would
   make the column infinite. */
static TACO__ONCE bool taco__avro_schema_named(taco__avro *a, taco__avro_name *d, uint32_t depth,
                                               taco__avro_node *n)
{
    const taco__json *type = taco__json_get(d->schema, "type");
    bool ok;
    if (d->open) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "type %q contains itself", &d->name);
        return false;
    }
    /* a definition is parsed again for each use */
    if (d->schema->span > TACO__AVRO_MAX_EXPANDED - a->expanded) {
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

/* The name of a type defined earlier in the schema, in the enclosing space or with its own. */
static TACO__ONCE bool taco__avro_schema_reference(taco__avro *a, const taco__json *s,
                                                   taco_bytes space, uint32_t depth,
                                                   taco__avro_node *n)
{
    taco_bytes full = taco__json_bytes(s), in, name;
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
static TACO__ONCE bool taco__avro_schema_object(taco__avro *a, const taco__json *s,
                                                taco_bytes space, uint32_t depth,
                                                taco__avro_node *n)
{
    const taco__json *type = taco__json_get(s, "type");
    taco__avro_name *d;
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

/* Any schema. The caller has named the field; everything else in n and its field is set here. */
TACO__FN TACO__ONCE bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                               uint32_t depth, taco__avro_node *n)
{
    uint32_t leaf = a->leaf_count;
    bool ok;
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
    /* a union counts what it wraps, which has already counted itself */
    a->leaf_count += ok && !n->child_count && a->leaf_count == leaf;
    n->field->leaf = leaf;
    n->field->leaf_count = a->leaf_count - leaf;
    return ok;
}
/* ==== src/dataset/avro_read.c ==== */
/* avro_read.c - reads Avro object container files into Arrow columns

   In: a whole file. Out: a taco__avro_table in an arena. Apache Avro 1.11, "Binary Encoding" and
   "Object Container Files".

   taco__avro_read parses the header, calls avro_schema.c to make a tree of nodes, and decodes block
   by block (taco__avro_read_blocks, taco__avro_read_rows). taco__avro_read_value decodes one value:
   it appends a null or zero to its node and then fills in the value, so that all buffers of a node
   always have the same length. At the end the buffers become arrays (taco__avro_make_array). avro.h
   explains why a hostile file cannot make this take longer than its size justifies. */
/* #include "avro.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../codec/codec.h" */

/* ---- schema ---- */

/* Offset of the next byte in the file, or none if the bytes were unpacked. */
static TACO__ONCE uint64_t taco__avro_offset(const taco__avro *a)
{
    return a->base + (a->packed ? 0 : taco__byte_reader_position(&a->c));
}

/* ---- rows ---- */

/* int and long alike: zigzag in groups of seven bits ("Binary Encoding"). */
static TACO__ONCE int64_t taco__avro_read_long(taco__byte_reader *c)
{
    return taco__zigzag_decode(taco__byte_reader_varint(c));
}

/* Rows are decoded within their block, so the block is corrupt and the file not truncated. Always
   false. */
static TACO__ONCE bool taco__avro_fail_short(taco__avro *a)
{
    TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
               "a value runs past the end of its block, %u bytes are left",
               TACO__U(taco__byte_reader_left(&a->c)));
    return false;
}

/* Appends k bytes that are all zero. */
static TACO__ONCE bool taco__avro_append_zeros(taco__buf *b, size_t k, taco_error *err)
{
    if (!taco__buf_reserve(b, k, err)) { return false; }
    memset(b->data + b->len, 0, k);
    b->len += k;
    return true;
}

/* Whether a column consists of offsets and what they point into. A decimal is bytes of any length
   (taco__avro_schema_decimal). */
static TACO__ONCE bool taco__avro_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || f->type == TACO_DECIMAL;
}

/* Appends k entries to n: null if possible, else zero or empty; a struct only counts them. */
static TACO__ONCE bool taco__avro_append_default(taco__avro *a, taco__avro_node *n, size_t k)
{
    size_t bitmap, bytes, i;
    int32_t last = 0;
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
        if (!taco__avro_append_zeros(&n->values, bitmap - n->values.len, a->err)) { return false; }
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
        /* each new entry is empty and ends where the last one does */
        p = n->offsets.data + n->offsets.len;
        memcpy(&last, p - 4, 4);
        for (i = 0; i < k; i++) {
            memcpy(p + 4 * i, &last, 4);
        }
        n->offsets.len += bytes;
    }
    n->length += k;
    return true;
}

/* Extends the last entry by len bytes or items. */
static TACO__ONCE bool taco__avro_extend_last(taco__avro *a, taco__avro_node *n, uint64_t len)
{
    int32_t last;
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

/* Sets the last entry, which was appended empty, to these bytes. */
static TACO__ONCE bool taco__avro_set_last(taco__avro *a, taco__avro_node *n, const uint8_t *p,
                                           size_t len)
{
    return taco__avro_extend_last(a, n, len) && taco__buf_append(&n->values, p, len, a->err);
}

/* bytes and string: a length and that many bytes. Whether a string is valid UTF-8 is left to its
   readers. */
static TACO__ONCE bool taco__avro_read_bytes(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t len = taco__avro_read_long(&a->c);
    const uint8_t *p;
    if (a->c.bad) { return taco__avro_fail_short(a); }
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
static TACO__ONCE bool taco__avro_read_integer(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t x = taco__avro_read_long(&a->c);
    int32_t narrow = (int32_t)x;
    if (a->c.bad) { return taco__avro_fail_short(a); }
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
static TACO__ONCE bool taco__avro_read_symbol(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t x = taco__avro_read_long(&a->c);
    if (a->c.bad) { return taco__avro_fail_short(a); }
    if (x < 0 || x >= (int64_t)n->symbol_count) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "symbol %d, the enum has %u", x,
                   TACO__U(n->symbol_count));
        return false;
    }
    return taco__avro_set_last(a, n, n->symbols[x].data, n->symbols[x].len);
}

/* Values without parts: one byte, four, eight, or as many as the schema says. Little-endian in the
   file. */
static TACO__ONCE bool taco__avro_read_plain(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    size_t width = (size_t)n->field->width, len = n->kind == TACO__AVRO_FIXED ? (size_t)n->fixed
                                                  : width                     ? width
                                                                              : 1;
    const uint8_t *p = taco__byte_reader_take(&a->c, len);
    uint64_t x8;
    uint32_t x4;
    if (!p) { return taco__avro_fail_short(a); }
    switch (n->kind) {
    case TACO__AVRO_BOOLEAN:
        if (p[0] > 1) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a boolean of 0x%x, it is 0 or 1",
                       TACO__U(p[0]));
            return false;
        }
        if (p[0]) { taco__bitmap_set(n->values.data, n->length - 1); }
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
        if (!width) { return taco__avro_set_last(a, n, p, len); /* a decimal */ }
        memcpy(n->values.data + n->values.len - width, p, len);
        return true;
    }
}

/* One count of an array, a map or the file's metadata. A negative one is followed by the size of
   its items ("Arrays"). *end is where they must end, NULL if the size is not given. */
static TACO__ONCE bool taco__avro_read_count(taco__avro *a, uint64_t *count, const uint8_t **end)
{
    uint64_t at = taco__avro_offset(a);
    int64_t n = taco__avro_read_long(&a->c), bytes = 0;
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
    if (a->c.bad) { return taco__avro_fail_short(a); }
    return true;
}

/* Values of 0 bytes could be claimed by the billion; a file may have as many as it has bytes. */
static TACO__ONCE bool taco__avro_count_empty(taco__avro *a, uint64_t count)
{
    if (count > a->empty_left) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "%u values of 0 bytes, more than the file has bytes", count);
        return false;
    }
    a->empty_left -= count;
    return true;
}

static bool taco__avro_read_value(taco__avro *a, taco__avro_node *n);

/* One item of an array, or key and value of a map. Structs of a map are never null, so its children
   are never shorter than the map. */
static TACO__ONCE bool taco__avro_read_item(taco__avro *a, taco__avro_node *list)
{
    taco__avro_node *item = list->children;
    if (list->kind == TACO__AVRO_ARRAY) { return taco__avro_read_value(a, item); }
    item->length++;
    return taco__avro_read_value(a, &item->children[0]) &&
           (item->children[1].empty || taco__avro_read_value(a, &item->children[1]));
}

/* Blocks of items until one is empty ("Arrays", "Maps"). */
static TACO__ONCE bool taco__avro_read_items(taco__avro *a, taco__avro_node *n)
{
    for (;;) {
        uint64_t count, i, at = taco__avro_offset(a);
        const uint8_t *end;
        if (!taco__avro_read_count(a, &count, &end)) { return false; }
        if (!count) { return true; }
        if (n->children->empty) {
            if (!taco__avro_count_empty(a, count)) { return false; }
        } else if (count > taco__byte_reader_left(&a->c)) { /* no item is shorter than a byte */
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%u items in %u bytes", count,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        if (!taco__avro_extend_last(a, n, count)) { return false; }
        for (i = 0; !n->children->empty && i < count; i++) {
            if (!taco__avro_read_item(a, n)) { return false; }
        }
        if (end && a->c.at != end) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items that end %s the bytes they claim",
                       a->c.at < end ? "before" : "after");
            return false;
        }
    }
}

/* Fields of a record. After null records its children are shorter and are filled up first. */
static TACO__ONCE bool taco__avro_read_fields(taco__avro *a, taco__avro_node *n, size_t row)
{
    uint32_t i;
    for (i = 0; i < n->stored_count; i++) {
        taco__avro_node *child = &n->children[n->stored[i]];
        if ((child->length < row && !taco__avro_append_default(a, child, row - child->length)) ||
            !taco__avro_read_value(a, child)) {
            return false;
        }
    }
    return true;
}

/* One value of any node that is not empty: the branch of its union, then the value. Recursion ends
   with the schema, whose depth is limited. */
static TACO__ONCE bool taco__avro_read_value(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    if (n->branches) {
        int64_t branch = taco__avro_read_long(&a->c);
        if (a->c.bad) { return taco__avro_fail_short(a); }
        if (branch < 0 || branch >= (int64_t)n->branches) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "branch %d of a union of %u", branch,
                       TACO__U(n->branches));
            return false;
        }
        if (branch == (int64_t)n->null_branch) { return taco__avro_append_default(a, n, 1); }
    }
    /* the new entry is null and zero; below it becomes what it is */
    if (!taco__avro_append_default(a, n, 1)) { return false; }
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

/* Frees all buffers below n. Those that were kept have been moved already. */
static TACO__NOINLINE void taco__avro_node_free(taco__avro_node *n)
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
static TACO__ONCE bool taco__avro_buffer_to_arena(taco__avro *a, taco__buf *b, const void **out)
{
    void *p = taco__arena_alloc(a->arena, b->len, a->err);
    if (!p) { return false; }
    if (b->len) { memcpy(p, b->data, b->len); }
    taco__buf_free(b);
    *out = p;
    return true;
}

/* Extends n to length entries, and makes it an array. A struct's children have its length, those of
   a list or map the length its last offset gives. */
static TACO__ONCE bool taco__avro_make_array(taco__avro *a, taco__avro_node *n, size_t length,
                                             taco_array *out)
{
    const void *p;
    taco_array *children;
    size_t inner = length;
    uint32_t i;
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
        if (!taco__avro_buffer_to_arena(a, &n->validity, &p)) { return false; }
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
    if (!children) { return false; }
    out->children = n->child_count ? children : NULL;
    for (i = 0; i < n->child_count; i++) {
        if (!taco__avro_make_array(a, &n->children[i], inner, &children[i])) { return false; }
    }
    taco__buf_free(&n->validity); /* nothing was null */
    return true;
}

/* ---- the file ---- */

/* The header: slices of the file, and the marker. */
typedef struct taco__avro_file_header {
    taco_bytes schema, codec;
    uint64_t schema_at;
    uint8_t sync[16];
} taco__avro_file_header;

/* A length and that many bytes; the cursor is bad if they are missing. */
static TACO__ONCE taco_bytes taco__avro_read_slice(taco__byte_reader *c)
{
    int64_t len = taco__avro_read_long(c);
    const uint8_t *p;
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(c)) {
        c->bad = true;
        return taco__bytes_of(NULL, 0);
    }
    p = taco__byte_reader_take(c, (size_t)len);
    return taco__bytes_of(p, p ? (size_t)len : 0);
}

/* "Obj", 1, a map of metadata, 16 bytes that end every block ("Object Container Files"). */
static TACO__ONCE bool taco__avro_read_header(taco__avro *a, taco__avro_file_header *h)
{
    const uint8_t *p = taco__byte_reader_take(&a->c, 4), *end;
    uint64_t count = 1;
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

/* The schema's text is in the file as it is, so errors in it have offsets in the file. */
static TACO__ONCE bool taco__avro_parse_schema(taco__avro *a, const taco__avro_file_header *h,
                                               const taco_limits *limits, taco__avro_node *root)
{
    taco__json_doc doc;
    taco_bytes none = taco__bytes_of(NULL, 0);
    bool ok;
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
    if (!ok) { taco__error_prefix(a->err, "avro.schema"); }
    a->base = 0;
    return ok;
}

/* All rows of a block, which must fill it. The root record itself is not a column, its children
   are. */
static TACO__ONCE bool taco__avro_read_rows(taco__avro *a, taco__avro_node *root, uint64_t rows)
{
    uint64_t i;
    uint32_t k;
    for (i = 0; i < rows; i++) {
        for (k = 0; k < root->stored_count; k++) {
            taco__avro_node *column = &root->children[root->stored[k]];
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
                   "%u bytes are left in a block after its last row",
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    return true;
}

/* Unpacks a block. All blocks together must not be larger than an uncompressed file may be; room is
   what is left of that. */
static TACO__ONCE bool taco__avro_unpack_block(taco__avro *a, taco__buf *out, taco_bytes data,
                                               uint64_t *room, uint64_t max)
{
    if (taco__inflate(data, out, (size_t)TACO__MIN(*room, (uint64_t)SIZE_MAX / 4), a->err) !=
        TACO_OK) {
        /* the limit that failed is what earlier blocks left, not the one in the message */
        if (a->err->code == TACO_ERR_LIMIT) {
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

/* The rows of one block; afterwards the cursor of a is after it. */
static TACO__ONCE bool taco__avro_read_block(taco__avro *a, taco__avro_node *root, taco_bytes data,
                                             uint64_t rows, uint64_t at)
{
    taco__byte_reader file = a->c;
    uint64_t base = a->base;
    bool ok;
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

/* The header of a block. */
typedef struct taco__avro_block {
    /* of the block itself, and of its bytes */
    uint64_t at, from;
    int64_t rows, bytes;
} taco__avro_block;

/* Reads and checks the header of a block: number of rows and bytes. The sync marker after the bytes
   is checked first, which detects a wrong length before the bytes are decoded as rows. */
static TACO__ONCE bool taco__avro_read_block_header(taco__avro *a, const taco__avro_file_header *h,
                                                    taco__avro_block *b)
{
    uint64_t left;
    b->at = taco__byte_reader_position(&a->c);
    b->rows = taco__avro_read_long(&a->c);
    b->bytes = taco__avro_read_long(&a->c);
    b->from = taco__byte_reader_position(&a->c);
    left = taco__byte_reader_left(&a->c);
    if (a->c.bad) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, b->at,
                   "a block begins in the last %u bytes of the file",
                   TACO__U(a->c.end - a->c.begin) - b->at);
    } else if (b->rows < 0 || b->bytes < 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, b->at, "a block of %d rows and %d bytes", b->rows,
                   b->bytes);
    } else if (left < 16 || (uint64_t)b->bytes > left - 16) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, b->at,
                   "a block of %d bytes and 16 of its sync marker, %u are left", b->bytes, left);
    } else if (memcmp(a->c.at + b->bytes, h->sync, 16) != 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, b->from + (uint64_t)b->bytes,
                   "the sync marker after the block at byte %u is not that of the header", b->at);
    } else {
        return true;
    }
    return false;
}

/* Whether the blocks are compressed; false with err for an unsupported codec. */
static TACO__ONCE bool taco__avro_check_codec(taco__avro *a, taco_bytes codec, bool *deflate)
{
    *deflate = taco__bytes_equal(codec, taco__bytes_text("deflate"));
    if (*deflate || !codec.len || taco__bytes_equal(codec, taco__bytes_text("null"))) {
        return true;
    }
    TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "avro.codec %q, only null and deflate are supported", &codec);
    return false;
}

/* Blocks up to the end of the file. max: most bytes of all of them, unpacked. */
static TACO__ONCE bool taco__avro_read_blocks(taco__avro *a, const taco__avro_file_header *h,
                                              taco__avro_node *root, uint64_t max)
{
    bool deflate, ok = true;
    uint64_t room = max;
    taco__buf plain;
    if (!taco__avro_check_codec(a, h->codec, &deflate)) { return false; }
    memset(&plain, 0, sizeof plain);
    plain.mem = a->arena->mem;
    while (ok && taco__byte_reader_left(&a->c)) {
        taco__avro_block b;
        taco_bytes data;
        ok = taco__avro_read_block_header(a, h, &b);
        if (!ok) { break; }
        data = taco__bytes_of(taco__byte_reader_take(&a->c, (size_t)b.bytes), (size_t)b.bytes);
        if (deflate) {
            plain.len = 0;
            a->base = b.from;
            ok = taco__avro_unpack_block(a, &plain, data, &room, max);
            data = taco__bytes_of(plain.data, plain.len);
            a->packed = true;
        }
        ok = ok && taco__avro_read_block(a, root, data, (uint64_t)b.rows, b.from);
        a->base = 0;
        a->packed = false;
        (void)taco__byte_reader_take(&a->c, 16);
    }
    taco__buf_free(&plain);
    return ok;
}

/* The columns of the decoded rows. */
static TACO__ONCE bool taco__avro_make_columns(taco__avro *a, taco__avro_node *root,
                                               taco__avro_table *out)
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

/* Reads a whole object container file. The table is in the arena and borrows nothing from the file.
   limits may be NULL. */
TACO__FN TACO__ONCE taco_status taco__avro_read(taco__arena *arena, taco_bytes file,
                                                const taco_limits *limits, taco__avro_table *out,
                                                taco_error *err)
{
    uint64_t max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco_field row;
    taco__avro a;
    taco__avro_file_header head;
    taco__avro_node root;
    bool ok;
    memset(&local, 0, sizeof local);
    memset(&row, 0, sizeof row);
    memset(&a, 0, sizeof a);
    memset(&head, 0, sizeof head);
    memset(&root, 0, sizeof root);
    memset(out, 0, sizeof *out);
    err = taco__error_fresh(err, &local);
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
    if (!ok) { memset(out, 0, sizeof *out); }
    return ok ? TACO_OK : err->code;
}
/* ==== src/dataset/container_open.c ==== */
/* container_open.c - finds out what is at a path, and opens it: archive, directory, catalogue,
   format

   In: a path or a source. Out: a taco__container with its collection read and its levels found, but
   not opened. TACO 2.0 §6.

   The content decides what it is. A path that does not look like a file is tried as a directory
   first (taco__container_open_try_directory): a catalogue with a .tacocat/, a FOLDER, a directory
   with a __TACOCAT__. A file is read once (taco__container_open_file): its first bytes say whether
   it is a catalogue, one of the formats of taco_options.openers, or an archive, whose TACO_HEADER
   locates the metadata; a second read fetches that. */
/* #include "container.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* Metadata up to this size is read in one piece. */
#define TACO__OPEN_WHOLE_BYTES 1048576
/* A level that ends at most this many bytes before COLLECTION.json is taken to be right before it,
   with only a local file header between them. */
#define TACO__OPEN_NEXT_TO 1024

/* ---- trying paths ---- */

/* The directory that holds a file or directory, with a '/' at the end; "./" for a bare name. */
static TACO__ONCE const char *taco__container_open_parent_dir(taco__container *s, const char *path,
                                                              taco_error *err)
{
    size_t n = strlen(path);
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    n = taco__plat_dir_length(path, n);
    return n ? taco__arena_text(s->arena, taco__bytes_of(path, n), err) : "./";
}

/* Opens a source quietly: false if there is none. Keeps the reason if the system refuses one. */
static TACO__ONCE bool taco__container_open_try_source(taco__container *s, const char *path,
                                                       taco_source *src)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    if (taco__source_open_path(s->options, path, src, &why)) { return true; }
    if (why.code == TACO_ERR_IO && !s->refused) {
        s->refused = taco__arena_text(s->arena, taco__bytes_text(why.text), NULL);
    }
    return false;
}

/* The same, as a file. */
static TACO__ONCE bool taco__container_open_try_file(taco__container *s, const char *path,
                                                     taco__file *out)
{
    taco_source src;
    if (!path || !taco__container_open_try_source(s, path, &src)) { return false; }
    taco__file_init(out, &src, "", s->mem);
    return true;
}

static TACO__ONCE bool taco__container_open_try_name(taco__container *s, const char *dir,
                                                     const char *name, taco__file *out,
                                                     taco_error *err)
{
    const char *path = taco__container_join_path(s, dir, name, err);
    return taco__container_open_try_file(s, path, out);
}

/* Whether there is such a file. */
static TACO__ONCE bool taco__container_open_has_name(taco__container *s, const char *dir,
                                                     const char *name, taco_error *err)
{
    taco__file file;
    bool found = taco__container_open_try_name(s, dir, name, &file, err);
    if (found) { taco__file_close(&file); }
    return found;
}

/* ---- shared by all kinds ---- */

static TACO__ONCE bool taco__container_open_read_collection(taco__container *s, taco__file *file,
                                                            taco__range range, taco_error *err)
{
    taco__buf scratch;
    const uint8_t *text;
    bool ok = false;
    size_t len;
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
    if (ok) {
        taco__container_warn_version(s);
    } else {
        taco__error_prefix(err, "COLLECTION.json");
    }
    return ok;
}

/* Names all possible levels: prefix is "METADATA/" or "". */
static TACO__ONCE bool taco__container_open_name_levels(taco__container *s, const char *prefix,
                                                        taco_error *err)
{
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = taco__container_join_path(s, prefix, names[i], err);
        s->levels[i].padded = -1;
        if (!s->levels[i].name) { return false; }
    }
    return true;
}

/* The caller's format that recognizes what is at path; NULL: none. */
static TACO__ONCE const taco_opener *
taco__container_open_detect_format(taco__container *s, const char *path, taco_bytes head)
{
    const taco_opener *const *f = s->try_formats ? s->options->openers : NULL;
    for (; f && *f; f++) {
        if ((*f)->detect(s, path, head)) { return *f; }
    }
    return NULL;
}

/* ---- archives and __TACOCAT__ files ---- */

/* Sets the levels from the index, and returns the range that covers all metadata. */
static TACO__ONCE taco__range taco__container_open_set_levels(taco__container *s)
{
    uint64_t begin = s->index.collection.offset, end = begin + s->index.collection.len;
    taco__range all;
    uint32_t i;
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
    all.offset = begin;
    all.len = end - begin;
    return all;
}

/* For metadata too large for one piece: want[0] becomes COLLECTION.json, together with the footer
   of the level right before it; for a vectored source the footers of the other levels follow.
   Handles with little memory read footers on demand. Returns the number of ranges. */
static TACO__ONCE uint32_t taco__container_open_list_footers(const taco__container *s,
                                                             taco__range *want)
{
    const taco__range *coll = &s->index.collection;
    const bool roomy = taco__mem_ahead(s->file.mem, TACO__PQ_FILE_TAIL) == TACO__PQ_FILE_TAIL;
    uint64_t begin = coll->offset;
    uint32_t i, n = 1;
    for (i = 0; i < s->level_count; i++) {
        uint64_t last = s->index.level[i].offset + s->index.level[i].len;
        uint64_t tail = roomy ? TACO__MIN(s->index.level[i].len, (uint64_t)TACO__PQ_FILE_TAIL) : 0;
        if (tail && last <= coll->offset && coll->offset - last < TACO__OPEN_NEXT_TO) {
            begin = last - tail;
        } else if (tail && s->file.src.read_many) {
            want[n].offset = last - tail;
            want[n++].len = tail;
        }
    }
    want[0].offset = begin;
    want[0].len = coll->offset + coll->len - begin;
    return n;
}

/* Takes over an index: its ranges become levels, and the metadata is read in one round. */
static TACO__ONCE bool taco__container_open_read_index(taco__container *s, taco_error *err)
{
    taco__range want[1 + TACO__MAX_LEVELS];
    uint32_t n = 1;
    want[0] = taco__container_open_set_levels(s);
    if (want[0].len > taco__mem_ahead(s->file.mem, TACO__OPEN_WHOLE_BYTES)) {
        n = taco__container_open_list_footers(s, want);
    }
    return taco__file_fetch(&s->file, want, n, err) &&
           taco__container_open_read_collection(s, &s->file, s->index.collection, err);
}

/* A __TACOCAT__ file: the archives are next to it. */
static TACO__ONCE bool taco__container_open_tacocat(taco__container *s, const char *path,
                                                    taco_bytes head, taco_error *err)
{
    s->kind = TACO_KIND_TACOCAT;
    if (taco__index_read_tacocat(head, s->file.src.size, &s->index, err) != TACO_OK ||
        !taco__container_open_name_levels(s, "", err)) {
        return false;
    }
    s->dir = s->archive_dir = taco__container_open_parent_dir(s, path, err);
    return s->dir && taco__container_set_vsi_root(s, s->dir, true, err) &&
           taco__container_open_read_index(s, err);
}

/* The index of an archive: from its TACO_HEADER, or, if that is damaged, from its central
   directory. If both fail, the error is about the header. */
static TACO__ONCE bool taco__container_open_find_index(taco__container *s, taco_bytes head,
                                                       taco_error *err)
{
    taco_error why, second;
    memset(&why, 0, sizeof why);
    memset(&second, 0, sizeof second);
    if (taco__index_read_header(head, s->file.src.size, &s->index, &why) == TACO_OK) {
        return true;
    }
    if (!s->index.recover || taco__index_recover(&s->file, s->options->limits.max_metadata,
                                                 &s->index, &second) != TACO_OK) {
        taco__error_copy(err, &why);
        return false;
    }
    taco__container_warn(s, &why,
                         "the TACO_HEADER is damaged, the central directory is used instead");
    return true;
}

/* The first bytes of s->file, which stay in memory; data is NULL on failure. */
static TACO__ONCE taco_bytes taco__container_open_head(taco__container *s, taco_error *err)
{
    static const uint8_t none = 0;
    taco__range head;
    const uint8_t *p;
    size_t n;
    head.offset = 0;
    head.len = TACO__MIN(s->file.src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    n = (size_t)head.len;
    if (!taco__file_fetch(&s->file, &head, 1, err)) { return taco__bytes_of(NULL, 0); }
    p = n ? taco__file_cached(&s->file, 0, n) : &none;
    if (!p) { TACO__FAIL(err, TACO_ERR_IO, 0, "reading %u bytes failed", TACO__U(n)); }
    return taco__bytes_of(p, n);
}

/* A file of another kind that someone may mistake for a dataset. */
static TACO__ONCE bool taco__container_open_is_stranger(taco_bytes head, taco_error *err)
{
    const char *kind =
        taco__bytes_starts_with(head, "PAR1")
            ? "a Parquet file: `taco parquet schema` shows its columns"
        : head.len >= 4 &&
                (memcmp(head.data, "II*\0", 4) == 0 || memcmp(head.data, "MM\0*", 4) == 0 ||
                 memcmp(head.data, "II+\0", 4) == 0 || memcmp(head.data, "MM\0+", 4) == 0)
            ? "a TIFF: `taco create` makes a dataset of a directory of files"
            : NULL;
    if (kind) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "not a dataset but %s", kind);
    }
    return kind != NULL;
}

/* Identifies a file by its first bytes. s->file is open. A file of a format is left to that: only
   s->format is set. */
static TACO__ONCE bool taco__container_open_file(taco__container *s, const char *path,
                                                 taco_error *err)
{
    taco_bytes head = taco__container_open_head(s, err);
    if (!head.data) { return false; }
    if (taco__index_is_tacocat(head)) { return taco__container_open_tacocat(s, path, head, err); }
    s->format = taco__container_open_detect_format(s, path, head);
    if (s->format) { return true; }
    if (taco__container_open_is_stranger(head, err)) { return false; }
    s->kind = TACO_KIND_ZIP;
    return taco__container_open_find_index(s, head, err) &&
           taco__container_set_vsi_root(s, path, false, err) &&
           taco__container_open_name_levels(s, "METADATA/", err) &&
           taco__container_open_read_index(s, err);
}

/* ---- directories ---- */

/* "METADATA/level0.avro" of "METADATA/level0.parquet"; NULL when memory ends. */
static TACO__ONCE char *taco__container_open_avro_name(taco__container *s, const char *name,
                                                       taco_error *err)
{
    char *copy = taco__arena_text(s->arena, taco__bytes_text(name), err);
    char *dot = copy ? strstr(copy, ".parquet") : NULL;
    if (!dot) { return NULL; }
    memcpy(dot, ".avro\0\0", 8);
    return copy;
}

/* Opens the file of a level: Parquet, or Avro in the FOLDERs of the first writers. l->present: it
   exists. False if there is no memory. */
static TACO__ONCE bool taco__container_open_find_level(taco__container *s, taco__level *l,
                                                       taco_error *err)
{
    const char *path = taco__container_join_path(s, s->dir, l->name, err), *name;
    if (!path) { return false; }
    l->present = taco__container_open_try_file(s, path, &l->file);
    if (!l->present) {
        name = taco__container_open_avro_name(s, l->name, err);
        path = name ? taco__container_join_path(s, s->dir, name, err) : NULL;
        if (!path) { return false; }
        l->present = l->avro = taco__container_open_try_file(s, path, &l->file);
        l->name = l->avro ? name : l->name;
    }
    if (l->present) {
        l->path = path;
        l->file_open = true;
        l->range.len = l->file.src.size;
    }
    return true;
}

/* A file that exists but cannot be opened must never count as missing. */
static TACO__COLD bool taco__container_open_fail_refused(const taco__container *s, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "%s", s->refused);
    return false;
}

/* The levels of a directory are separate files, which are only opened here: as many as are numbered
   consecutively. */
static TACO__ONCE bool taco__container_open_find_levels(taco__container *s, const char *metadata,
                                                        taco_error *err)
{
    uint32_t i;
    if (!taco__container_open_name_levels(s, metadata, err)) { return false; }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (!taco__container_open_find_level(s, &s->levels[i], err)) { return false; }
        if (!s->levels[i].present) { break; }
    }
    s->level_count = i;
    if (s->refused) { return taco__container_open_fail_refused(s, err); }
    if (i == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s is missing", s->levels[0].name);
        return false;
    }
    return true;
}

/* The caller's format that has a COLLECTION.json like this one; NULL: none. */
static TACO__ONCE const taco_opener *taco__container_open_claim_collection(taco__container *s,
                                                                           taco__file *collection)
{
    const taco_opener *const *f = s->try_formats ? s->options->openers : NULL;
    const taco_opener *found = NULL;
    taco_error none = {0, TACO_OK, 0, {0}};
    taco__buf scratch;
    taco_bytes text;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = s->mem;
    text.data = NULL;
    for (; f && *f && !found && collection->src.size <= s->options->limits.max_metadata; f++) {
        if (!(*f)->is_collection || !taco__checked_to_size(collection->src.size, &text.len)) {
            continue;
        }
        if (!text.data) { text.data = taco__file_view(collection, 0, text.len, &scratch, &none); }
        found = text.data && (*f)->is_collection(text) ? *f : NULL;
    }
    taco__buf_free(&scratch);
    return found;
}

/* Reads a directory whose COLLECTION.json is open, and closes that file. Of a format only
   s->format, kind and directories are set. */
static TACO__ONCE bool taco__container_open_directory(taco__container *s, taco_kind kind,
                                                      const char *dir, taco__file *collection,
                                                      taco_error *err)
{
    taco__range whole;
    bool ok;
    s->kind = kind;
    s->dir = dir;
    whole.offset = 0;
    whole.len = collection->src.size;
    s->format = taco__container_open_claim_collection(s, collection);
    ok = s->format || taco__container_open_read_collection(s, collection, whole, err);
    taco__file_close(collection);
    return s->format || (ok && taco__container_open_find_levels(
                                   s, kind == TACO_KIND_FOLDER ? "METADATA/" : "", err));
}

/* A directory of a dataset without its collection. */
static TACO__ONCE bool taco__container_open_fail_collection(const char *message, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s", message);
    return false;
}

/* True if the last name of a directory, which ends with a separator, is .tacocat. */
static TACO__ONCE bool taco__container_open_is_catalogue(const char *dir)
{
    const size_t n = strlen(dir) - 1, k = sizeof ".tacocat" - 1;
    return n >= k && memcmp(dir + n - k, ".tacocat", k) == 0 &&
           taco__plat_dir_length(dir, n) == n - k;
}

/* Tries a .tacocat/, which is `dir` itself or inside it. *found: there is one, and the result
   counts. */
static TACO__ONCE bool taco__container_open_try_catalogue(taco__container *s, const char *dir,
                                                          bool *found, taco_error *err)
{
    const bool itself = taco__container_open_is_catalogue(dir);
    const char *inner = itself ? dir : taco__container_join_path(s, dir, ".tacocat/", err);
    taco__file file;
    if (!inner) { return false; }
    *found = true;
    if (taco__container_open_try_name(s, inner, "COLLECTION.json", &file, err)) {
        s->archive_dir = itself ? taco__container_open_parent_dir(s, dir, err) : dir;
        if (s->archive_dir && taco__container_set_vsi_root(s, s->archive_dir, true, err)) {
            return taco__container_open_directory(s, TACO_KIND_TACOCAT, inner, &file, err);
        }
        taco__file_close(&file);
        return false;
    }
    if (taco__container_open_has_name(s, inner, "level0.parquet", err)) {
        return taco__container_open_fail_collection("the catalogue's COLLECTION.json is missing",
                                                    err);
    }
    *found = false;
    return false;
}

/* Tries a FOLDER dataset. path is its name, dir the same with a '/' at the end. */
static TACO__ONCE bool taco__container_open_try_folder(taco__container *s, const char *path,
                                                       const char *dir, bool *found,
                                                       taco_error *err)
{
    taco__file file;
    *found = true;
    if (taco__container_open_try_name(s, dir, "COLLECTION.json", &file, err)) {
        if (taco__container_set_vsi_root(s, path, false, err)) {
            return taco__container_open_directory(s, TACO_KIND_FOLDER, dir, &file, err);
        }
        taco__file_close(&file);
        return false;
    }
    if (taco__container_open_has_name(s, dir, "METADATA/level0.parquet", err)) {
        return taco__container_open_fail_collection("COLLECTION.json is missing", err);
    }
    *found = false;
    return false;
}

/* Tries path as a directory. *found: it is a dataset, and the result counts. A catalogue wins over
   a FOLDER, as in the reference. */
static TACO__ONCE bool taco__container_open_try_directory(taco__container *s, const char *path,
                                                          bool *found, taco_error *err)
{
    const size_t n = strlen(path);
    const char *dir =
        n && taco__plat_is_slash(path[n - 1]) ? path : taco__container_join_path(s, path, "/", err);
    bool ok;
    *found = false;
    if (!dir) { return false; }
    ok = taco__container_open_try_catalogue(s, dir, found, err);
    if (*found || (err && err->code != TACO_OK)) { return ok; }
    ok = taco__container_open_try_folder(s, path, dir, found, err);
    if (*found) { return ok; }
    if (!taco__container_open_try_name(s, dir, "__TACOCAT__", &s->file, err)) { return false; }
    *found = s->file_open = true;
    path = taco__container_join_path(s, dir, "__TACOCAT__", err);
    return path && taco__container_open_file(s, path, err);
}

/* ---- any path ---- */

/* Datasets directly inside a directory, for a message. */
typedef struct taco__container_nearby {
    taco__container *s;
    const char *dir;
    char text[256];
    size_t named, more;
} taco__container_nearby;

/* Whether a name in a directory is that of a dataset: an archive, or a directory with one. */
static TACO__ONCE bool taco__container_open_is_nearby(const taco__container_nearby *near,
                                                      const char *name, taco__path_kind kind)
{
    static const char *const insides[] = {"/COLLECTION.json", "/.tacocat/COLLECTION.json",
                                          "/__TACOCAT__"};
    const char *path;
    uint64_t size;
    size_t i;
    if (kind != TACO__PATH_DIRECTORY) {
        return taco__container_ends_with(name, ".tacozip") ||
               taco__container_ends_with(name, ".tortilla") ||
               taco__container_ends_with(name, ".taco");
    }
    path = taco__container_join_path(near->s, near->dir, "/", NULL);
    path = path ? taco__container_join_path(near->s, path, name, NULL) : NULL;
    for (i = 0; path && i < sizeof insides / sizeof insides[0]; i++) {
        const char *inside = taco__container_join_path(near->s, path, insides[i], NULL);
        if (inside && taco__plat_stat(inside, &size) == TACO__PATH_FILE) { return true; }
    }
    return false;
}

/* taco__plat_list_fn: keeps the first few names, and counts the others. */
static TACO__ONCE bool taco__container_open_add_nearby(void *ctx, const char *name,
                                                       taco__path_kind kind)
{
    taco__container_nearby *near = (taco__container_nearby *)ctx;
    const char *between = near->named ? ", " : " ";
    size_t at = strlen(near->text), gap = strlen(between), n = strlen(name), i;
    bool plain = true;
    if (!taco__container_open_is_nearby(near, name, kind)) { return true; }
    /* the message is one line */
    for (i = 0; i < n; i++) {
        plain = plain && (uint8_t)name[i] >= 0x20 && (uint8_t)name[i] != 0x7F;
    }
    if (!plain || near->named == 5 || at + gap + n >= sizeof near->text) {
        near->more++;
    } else {
        memcpy(near->text + at, between, gap);
        memcpy(near->text + at + gap, name, n + 1);
        near->named++;
    }
    return true;
}

/* A directory that is not a dataset: names those inside, since the user may have meant one of
   them. */
static TACO__COLD void taco__container_open_fail_directory(taco__container *s, const char *path,
                                                           taco_error *err)
{
    taco__container_nearby near;
    memset(&near, 0, sizeof near);
    near.s = s;
    near.dir = path;
    taco__plat_list_dir(path, taco__container_open_add_nearby, &near);
    if (near.more) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "a directory without COLLECTION.json, so not a dataset; it contains:%s and "
                   "%u more",
                   near.text, TACO__U(near.more));
        return;
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "a directory without COLLECTION.json, so not a dataset%s%s",
               near.named ? "; it contains:" : "", near.text);
}

/* Nothing at `path` could be opened. If the path is on disk, a second look says why. */
static TACO__COLD void taco__container_open_fail_missing(taco__container *s, const char *path,
                                                         taco_error *err)
{
    uint64_t size;
    taco__path_kind kind =
        s->options->open_file ? TACO__PATH_MISSING : taco__plat_stat(path, &size);
    if (s->refused) {
        taco__container_open_fail_refused(s, err);
        return;
    }
    if (kind == TACO__PATH_DIRECTORY) {
        taco__container_open_fail_directory(s, path, err);
        return;
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s",
               !s->options->open_file && (strstr(path, "://") || strncmp(path, "/vsi", 4) == 0)
                   ? "not a local file: a program opens others with taco_options.open_file or "
                     "taco_open_source"
               : kind == TACO__PATH_SPECIAL ? "a pipe or a device: a dataset needs random access"
               : kind == TACO__PATH_MISSING
                   ? "no archive of that name, and no directory with COLLECTION.json"
                   : "the file is not readable");
}

/* A path whose name looks like that of a file. */
static TACO__ONCE bool taco__container_open_looks_like_file(const char *path)
{
    return taco__container_ends_with(path, ".tacozip") || taco__container_ends_with(path, ".zip") ||
           taco__container_ends_with(path, "__TACOCAT__");
}

static TACO__ONCE bool taco__container_open_path(taco__container *s, const char *path,
                                                 taco_error *err)
{
    bool found = false, ok, file_first = taco__container_open_looks_like_file(path);
    taco_source src;
    if (!file_first) {
        ok = taco__container_open_try_directory(s, path, &found, err);
        if (found || (err && err->code != TACO_OK)) { return ok; }
    }
    if (taco__container_open_try_source(s, path, &src)) {
        taco__file_init(&s->file, &src, "", s->mem);
        s->file_open = true;
        return taco__container_open_file(s, path, err);
    }
    if (file_first && taco__container_open_try_directory(s, path, &found, err)) { return true; }
    s->format = found ? NULL : taco__container_open_detect_format(s, path, taco__bytes_of(NULL, 0));
    if (s->format) { return true; }
    if (!found) { taco__container_open_fail_missing(s, path, err); }
    return false;
}

/* Opens what is at path, or, when src is given, the file src under that name; src is taken over in
   any case. mem, arena and options outlive the container. any: the formats of the options are
   tried; for a dataset of one of these only s->format is set. */
TACO__FN TACO__ONCE bool taco__container_open_any(taco__container *s, const char *path,
                                                  const taco_source *src, taco__mem *mem,
                                                  taco__arena *arena, const taco_options *options,
                                                  bool any, taco_error *err)
{
    bool ok;
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->arena = arena;
    s->options = options;
    s->try_formats = any;
    if (src) {
        taco__file_init(&s->file, src, "", mem);
        s->file_open = true;
    }
    s->name = taco__arena_text(arena, taco__bytes_text(path), err);
    ok = s->name && (src ? taco__container_open_file(s, s->name, err)
                         : taco__container_open_path(s, s->name, err));
    if (!ok) {
        taco__error_prefix(err, "%s", path);
        taco__container_close(s);
    }
    return ok;
}

/* The same for TACO 2 only. */
TACO__FN TACO__ONCE bool taco__container_open(taco__container *s, const char *path,
                                              const taco_source *src, taco__mem *mem,
                                              taco__arena *arena, const taco_options *options,
                                              taco_error *err)
{
    return taco__container_open_any(s, path, src, mem, arena, options, false, err);
}
/* ==== src/dataset/container.c ==== */
/* container.c - an open container: levels as tables, names, messages, archives of a catalogue

   In: a container that container_open.c has opened. Out: its levels as tables, opened on first use
   (taco__container_level): a range of the archive, a separate file, or whatever a format provides;
   Parquet, or Avro in the first FOLDER datasets. TACO 2.0 §6.

   Texts are made in the container's arena, so they live as long as the dataset. */
/* #include "container.h" */
/* #include "cascade.h" */
/* #include "avro.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* ---- names and files ---- */

/* Concatenates a and b; the caller provides any '/' between them. */
TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err)
{
    size_t n = strlen(a), m = strlen(b);
    char *p = (char *)taco__arena_alloc(s->arena, n + m + 1, err);
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

/* An absolute path if it is in the local file system; URLs and /vsi paths are unchanged, and so are
   names that only open_file understands. */
static const char *taco__container_absolute_path(taco__container *s, const char *path,
                                                 taco_error *err)
{
    char *buffer;
    if (taco__vsi_is_remote(taco__bytes_text(path)) || s->options->open_file) {
        return taco__arena_text(s->arena, taco__bytes_text(path), err);
    }
    buffer = (char *)taco__arena_alloc(s->arena, TACO__PATH_MAX + 1, err);
    if (!buffer) { return NULL; }
    return TACO__REALPATH(path, buffer) ? buffer
                                        : taco__arena_text(s->arena, taco__bytes_text(path), err);
}

/* An absolute path of a directory that need not exist; otherwise as _absolute_path. */
TACO__FN const char *taco__container_full_path(taco__container *s, const char *path,
                                               taco_error *err)
{
    char *buffer;
    if (taco__vsi_is_remote(taco__bytes_text(path)) || s->options->open_file) { return path; }
    buffer = (char *)taco__arena_alloc(s->arena, TACO__PATH_MAX + 1, err);
    if (!buffer) { return NULL; }
    return TACO__FULL_PATH(path, buffer) ? buffer : path;
}

/* Copies the contents of a buffer to the arena; frees the buffer. */
static const char *taco__container_copy_text(taco__container *s, taco__buf *b, taco_error *err)
{
    const char *text = taco__arena_text(s->arena, taco__bytes_of(b->data, b->len), err);
    taco__buf_free(b);
    return text;
}

/* Sets s->vsi: GDAL's name of what is at `path`, ending in '/' if it is a directory. */
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err)
{
    taco__buf b;
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

/* ---- the end ---- */

static void taco__container_close_level(taco__container *s, taco__level *l)
{
    if (l->table.pq == &l->pq) { taco__pq_file_close(&l->pq); }
    if (l->file_open) { taco__file_close(&l->file); }
    if (l->parents) {
        taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
    }
}

/* Closes files and tables, even if opening failed halfway. */
TACO__FN void taco__container_close(taco__container *s)
{
    uint32_t i;
    if (s->format && s->format->close) { s->format->close(s); }
    if (s->kept) { taco__mem_free(s->mem, s->kept, taco__cascade_bitmap_bytes(s, 0)); }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__container_close_level(s, &s->levels[i]);
    }
    if (s->file_open) { taco__file_close(&s->file); }
    for (; s->archives; s->archives = s->archives->next) {
        if (s->archives->open) { taco__file_close(&s->archives->file); }
    }
    memset(s, 0, sizeof *s);
}

/* ---- messages ---- */

/* Prefixes a message with the dataset, and with `what` if it names a level; always false. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err)
{
    if (what) {
        taco__error_prefix(err, "%s: %s", s->name, what);
    } else {
        taco__error_prefix(err, "%s", s->name);
    }
    return false;
}

/* Warns that something was read in another way than it should be, if the caller wants warnings. */
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what)
{
    if (s->options->warn) {
        taco__error_prefix(why, "%s: %s", s->name, what);
        s->options->warn(s->options->warn_ctx, why);
    }
}

/* If the version cannot be judged, the content decides how it is read (§8). */
TACO__FN void taco__container_warn_version(const taco__container *s)
{
    taco_bytes version = taco__bytes_text(s->coll.taco_version);
    taco_error w;
    if (!version.len || taco__collection_is_version(version)) { return; }
    memset(&w, 0, sizeof w);
    TACO__FAIL(&w, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "taco_version is %q, not a version such as 2.0.0", &version);
    taco__container_warn(s, &w, "collection");
}

/* ---- columns of tables ---- */

/* Compares const char *. */
TACO__FN int taco__container_compare_names(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Column names must be unique. */
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err)
{
    size_t i, bytes = t->field_count * sizeof(const char *);
    const char **names = (const char **)taco__mem_alloc(s->mem, bytes, err);
    bool ok;
    if (!names) { return false; }
    for (i = 0; i < t->field_count; i++) {
        names[i] = t->fields[i].name;
    }
    ok = taco__sort_in(s->mem, (void *)names, t->field_count, sizeof *names,
                       taco__container_compare_names, NULL, err);
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

/* Finds the columns that readers need. Their presence and types are checked where they are used. */
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r)
{
    r->subfile = s->format ? taco__table_find_column(t, "internal:subfile") : TACO__NONE;
    r->id = taco__table_find_column(t, "id");
    r->type = taco__table_find_column(t, "type");
    r->parent = taco__table_find_column(t, "internal:parent_id");
    r->current = taco__table_find_column(t, TACO__CURRENT_ID);
    r->offset = taco__table_find_column(t, "internal:offset");
    r->size = taco__table_find_column(t, "internal:size");
    r->relative = taco__table_find_column(t, "internal:relative_path");
    r->source = taco__table_find_column(t, TACO__SOURCE_FILE);
    if (s->format && s->format->roles) { s->format->roles(t, r); }
}

/* ---- opening tables ---- */

/* Avro is read whole, into the arena, because such files are small. */
static bool taco__container_open_avro(taco__container *s, taco__file *file, taco__range range,
                                      taco__arena *arena, taco__table *table, taco_error *err)
{
    uint64_t max = s->options->limits.max_metadata;
    taco__avro_table t;
    taco__buf scratch;
    const uint8_t *p;
    size_t len;
    bool ok;
    if (!TACO__WITH_AVRO) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, range.offset, "Avro, left out by TACO_NO_AVRO");
        return false;
    }
    if (range.len > max || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset, "%u bytes of Avro, limits.max_metadata is %u",
                   range.len, max);
        return false;
    }
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = s->mem;
    p = taco__file_view(file, range.offset, len, &scratch, err);
    ok = p &&
         taco__avro_read(arena, taco__bytes_of(p, len), &s->options->limits, &t, err) == TACO_OK;
    taco__buf_free(&scratch);
    if (ok) {
        table->fields = t.fields;
        table->field_count = table->stored = t.field_count;
        table->arrays = t.columns;
        table->rows = t.rows;
    }
    return ok;
}

/* For Parquet, reads the footer. */
static bool taco__container_open_parquet(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, taco_pq_file *pq, taco__table *table,
                                         taco_error *err)
{
    pq->mem = s->mem;
    pq->name = name;
    pq->options = *s->options;
    pq->part.file = file;
    pq->part.base = range.offset;
    pq->part.size = range.len;
    if (!taco__pq_file_open(pq, err)) {
        taco__pq_file_close(pq);
        return false;
    }
    taco__table_from_file(table, pq);
    return true;
}

/* Opens Parquet or Avro bytes at a range of a file as a table. The table points to *pq, which the
   caller closes if table->pq is set; Avro goes to the arena. */
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err)
{
    bool ok;
    memset(pq, 0, sizeof *pq);
    memset(table, 0, sizeof *table);
    ok = avro ? taco__container_open_avro(s, file, range, arena, table, err)
              : taco__container_open_parquet(s, file, range, name, pq, table, err);
    if (!ok) { taco__error_prefix(err, "%s", name); }
    return ok;
}

/* ---- levels ---- */

/* Number of levels, which formats may count only now. If one turns out to be missing, that is
   reported when it is used. */
TACO__FN uint32_t taco__container_level_count(taco__container *s)
{
    taco_error none;
    if (s->levels_uncounted) {
        memset(&none, 0, sizeof none);
        s->levels_uncounted = false;
        s->format->deepen(s, &none);
    }
    return s->level_count;
}

/* Opens the table of a level and checks what all levels need: unique names, and row numbers of 31
   bits. */
static bool taco__container_open_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *l = &s->levels[n];
    bool ok = s->format && s->format->level
                  ? s->format->level(s, n, err)
                  : taco__container_open_table(s, l->path ? &l->file : &s->file, l->range, l->name,
                                               l->avro, s->arena, &l->pq, &l->table, err);
    if (!ok) { return taco__container_fail(s, NULL, err); }
    if (l->table.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u rows in a level, at most %u are supported", l->table.rows,
                   TACO__U(INT32_MAX));
    } else if (taco__container_check_unique_names(s, &l->table, err)) {
        taco__container_find_roles(s, &l->table, &l->role);
        l->opened = true;
        if (l->places == 2) { l->table.replaced = &l->replaced; }
        taco__log(s->options, TACO_LOG_DEBUG, "%s: level %u: %u rows, %u columns", s->name,
                  TACO__U(n), l->table.rows, TACO__U(l->table.field_count));
        return true;
    }
    if (l->table.pq == &l->pq) { taco__pq_file_close(&l->pq); }
    memset(&l->table, 0, sizeof l->table);
    return taco__container_fail(s, l->name, err);
}

/* A level with its table open; NULL if there is none, or it cannot be read. */
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *l = &s->levels[n];
    if (n) { taco__container_level_count(s); }
    if (n >= s->level_count || !l->present) {
        TACO__FAIL(err, n < s->level_count ? TACO_ERR_CORRUPT : TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(n),
                   TACO__U(s->level_count - 1));
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    return l->opened || taco__container_open_level(s, n, err) ? l : NULL;
}

/* ---- archives of a catalogue ---- */

/* Adds or removes a cursor as a user of an archive; other files are not counted. */
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins)
{
    taco__archive *a;
    for (a = s->archives; a; a = a->next) {
        if (&a->file == file) { a->users += begins ? 1 : SIZE_MAX; }
    }
}

/* An entry of the list for another archive: one without users, after closing it, or a new one. */
static taco__archive *taco__container_idle_archive(taco__container *s, taco_error *err)
{
    taco__archive *a, *idle = NULL;
    for (a = s->archives; a; a = a->next) {
        idle = a->users ? idle : a;
    }
    if (!idle) {
        idle = (taco__archive *)taco__arena_alloc(s->arena, sizeof *idle, err);
        if (!idle) { return NULL; }
        idle->next = s->archives;
        s->archives = idle;
    }
    if (idle->open) {
        taco__file_close(&idle->file);
        idle->open = false;
    }
    return idle;
}

/* The archive of a row of a catalogue, opened. It stays open until another one is requested and no
   cursor uses it. name must have been checked to be a bare file name. */
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err)
{
    taco_source src;
    taco__archive *a;
    const char *text = taco__arena_text(s->arena, name, err),
               *path = text ? taco__container_join_path(s, s->archive_dir, text, err) : NULL;
    if (!path) { return NULL; }
    for (a = s->archives; a; a = a->next) {
        if (a->open && strcmp(a->name, path) == 0) { return &a->file; }
    }
    a = taco__container_idle_archive(s, err);
    if (!a || !taco__source_open_path(s->options, path, &src, err)) { return NULL; }
    taco__file_init(&a->file, &src, "", s->mem);
    a->open = true;
    a->name = path;
    return &a->file;
}
/* ==== src/dataset/range_cache.c ==== */
/* range_cache.c - byte ranges of files, read ahead in one round and kept until released

   A vectored source (a network) takes as long for many ranges as for one. Callers that know what
   they will read collect the ranges and fetch them here; the readers that need them later find the
   bytes in memory (taco__file_fetch pins them). Used by cascades for the columns that join levels,
   and by sorted results for keys and for rows that are far apart. */
/* #include "container.h" */
/* #include "../base/base.h" */
/* #include "../filter/scan.h" */

TACO__FN void taco__range_cache_init(taco__range_cache *c, taco__mem *mem)
{
    memset(c, 0, sizeof *c);
    c->ranges.mem = mem;
}

/* Fetches ranges (taco__range) of a file and keeps them. If they are more than TACO__SCAN_AHEAD
   bytes, nothing is fetched and they are read on demand, which is not a failure. */
TACO__FN bool taco__range_cache_fetch(taco__range_cache *c, taco__file *file,
                                      const taco__buf *ranges, taco_error *err)
{
    const taco__range *r = (const taco__range *)(const void *)ranges->data;
    size_t i, n = ranges->len / sizeof *r;
    taco__cached_range one;
    if (taco__scan_fetch_range_bytes(ranges) > TACO__SCAN_AHEAD) { return true; }
    one.file = file;
    /* room first: a fetched range that is not recorded would never be released */
    if (!taco__buf_reserve(&c->ranges, n * sizeof one, err) || !taco__file_fetch(file, r, n, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        one.range = r[i];
        (void)taco__buf_append(&c->ranges, &one, sizeof one, err); /* there is room */
    }
    return true;
}

static const taco__cached_range *taco__range_cache_items(const taco__range_cache *c, size_t *n)
{
    *n = c->ranges.len / sizeof(taco__cached_range);
    return (const taco__cached_range *)(const void *)c->ranges.data;
}

/* Number of bytes kept. */
TACO__FN uint64_t taco__range_cache_bytes(const taco__range_cache *c)
{
    size_t i, n;
    const taco__cached_range *r = taco__range_cache_items(c, &n);
    uint64_t total = 0;
    for (i = 0; i < n; i++) {
        total += r[i].range.len;
    }
    return total;
}

/* Releases all ranges. The files must still be open. */
TACO__FN void taco__range_cache_release(taco__range_cache *c)
{
    size_t i, n;
    const taco__cached_range *r = taco__range_cache_items(c, &n);
    for (i = 0; i < n; i++) {
        taco__file_release(r[i].file, r[i].range.offset, r[i].range.len);
    }
    c->ranges.len = 0;
}

/* Releases everything, and frees the list. */
TACO__FN void taco__range_cache_free(taco__range_cache *c)
{
    taco__range_cache_release(c);
    taco__buf_free(&c->ranges);
}
/* ==== src/dataset/dataset.c ==== */
/* dataset.c - one or several containers as a dataset: open, close, describe, taco_info_json

   In: paths or a source. Out: a taco_dataset, and the public functions that describe it. TACO 2.0
   §7.2.1, §7.2.2.

   Several paths become one dataset if their trees match: the same number of levels, and the same
   children in every pattern of the PIT schema (taco__dataset_check_alike). If the first path has
   another format, that format opens the whole dataset. The first container describes the dataset;
   rows and columns are those of all. */
/* #include "container.h" */
/* #include "cascade.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */

/* ---- open and close ---- */

/* An empty dataset with room for `stores` containers. */
TACO__FN TACO__ONCE taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores,
                                                      taco_error *err)
{
    taco__mem mem;
    taco_dataset *ds;
    if (!TACO__WITH_MANY && stores > 1) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%u datasets as one, left out by TACO_NO_MANY", TACO__U(stores));
        return NULL;
    }
    taco__mem_init(&mem, opt);
    ds = (taco_dataset *)taco__mem_alloc(&mem, sizeof *ds, err);
    if (!ds) { return NULL; }
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

/* The dataset contains the account of its memory, so a copy of the account frees it. */
TACO_API void taco_close(taco_dataset *ds)
{
    taco__mem mem;
    size_t i;
    if (!ds) { return; }
    for (i = 0; i < ds->container_count; i++) {
        taco__container_close(&ds->stores[i]);
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__hash_map_free(&ds->schema[i].names);
    }
    taco__buf_free(&ds->info);
    taco__buf_free(&ds->locate_vsi);
    taco__buf_free(&ds->locate_file);
    taco__arena_free(&ds->arena);
    taco__mem_free_spares(&ds->mem);
    mem = ds->mem;
    taco__mem_free(&mem, ds, sizeof *ds);
}

/* Makes room for n containers, for formats; existing ones keep their places. */
TACO__FN TACO__ONCE bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err)
{
    taco__container *more = (taco__container *)taco__arena_array(&ds->arena, n, sizeof *more, err);
    if (more && !TACO__WITH_MANY && n > 1) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%u datasets as one, left out by TACO_NO_MANY", TACO__U(n));
        return false;
    }
    if (more) {
        memcpy(more, ds->stores, TACO__MIN(n, ds->container_count) * sizeof *more);
        ds->stores = more;
    }
    return more != NULL;
}

/* Logs that a dataset was opened. */
TACO__FN taco_dataset *taco__dataset_tell(taco_dataset *ds)
{
    static const char *const kinds[] = {"dataset", "archive", "FOLDER", "TACOCAT"};
    const taco__container *s = &ds->stores[0];
    const size_t kind = (size_t)s->kind;
    taco__log(&ds->options, TACO_LOG_INFO, "opened %s: %s, levels: %u, datasets: %u", s->name,
              s->format                   ? s->format->name
              : kind < TACO__COUNT(kinds) ? kinds[kind]
                                          : kinds[0],
              TACO__U(s->level_count), TACO__U(ds->container_count));
    return ds;
}

/* Lets the format of the first container open the dataset. NULL on failure, with the dataset
   closed. */
static TACO__ONCE taco_dataset *
taco__dataset_open_format(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    ds->container_count = 1;
    if (!ds->stores[0].format->open(ds, paths, n, err)) {
        taco_close(ds);
        return NULL;
    }
    return taco__dataset_tell(ds);
}

/* Whether container s, opened from `path`, can be read together with the first one. */
static TACO__ONCE bool taco__dataset_check_alike(const taco_dataset *ds, const taco__container *s,
                                                 const char *path, const char *first,
                                                 taco_error *err)
{
    const taco__container *a = &ds->stores[0];
    if (s->format) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a %s cannot be read together with %s, which is not one", path,
                   s->format->name, first);
        return false;
    }
    if (s->level_count != a->level_count ||
        taco__collection_check_same_pit(&a->coll, &s->coll, err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u levels, the first dataset has %u",
                   TACO__U(s->level_count), TACO__U(a->level_count));
        taco__error_prefix(err, "%s: cannot be read together with %s", path, first);
        return false;
    }
    return true;
}

/* Adds the container opened last to the dataset, which closes it from here on. name is for
   messages. */
TACO__FN TACO__ONCE bool taco__dataset_add(taco_dataset *ds, const char *name, taco_error *err)
{
    size_t i = ds->container_count++;
    return !TACO__WITH_MANY || i == 0 ||
           taco__dataset_check_alike(ds, &ds->stores[i], name, ds->stores[0].name, err);
}

/* Opens the next of the paths as the next container. */
static TACO__ONCE bool taco__dataset_open_next(taco_dataset *ds, const char *const *paths,
                                               taco_error *err)
{
    size_t i = ds->container_count;
    taco__container *s = &ds->stores[i];
    if (!paths[i]) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    if (err->code != TACO_OK || !taco__container_open_any(s, paths[i], NULL, &ds->mem, &ds->arena,
                                                          &ds->options, true, err)) {
        return false;
    }
    return taco__dataset_add(ds, paths[i], err);
}

TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    err = taco__error_fresh(err, &own);
    if (!paths || n == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    if (n == 1 && paths[0] && taco__routing_is_collection(paths[0])) {
        if (!TACO__WITH_MANY) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "%s: a list of datasets, left out by TACO_NO_MANY", paths[0]);
            return NULL;
        }
        return taco_open_tacollection(paths[0], NULL, mode, opt, err);
    }
    ds = taco__dataset_alloc(opt, n, err);
    if (!ds) { return NULL; }
    ds->mode = mode;
    while (ds->container_count < n) {
        if (!taco__dataset_open_next(ds, paths, err)) {
            taco_close(ds);
            return NULL;
        }
        if (ds->stores[0].format) { return taco__dataset_open_format(ds, paths, n, err); }
    }
    return taco__dataset_tell(ds);
}

TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err)
{
    return taco_open_many(&path, 1, TACO_COLUMNS_INTERSECTION, opt, err);
}

/* Opens the next source as the next container, which then owns it. */
static TACO__ONCE bool taco__dataset_open_next_source(taco_dataset *ds, const taco_source *src,
                                                      const char *const *names, taco_error *err)
{
    size_t i = ds->container_count;
    const char *name = names && names[i] ? names[i] : "";
    if (!taco__container_open_any(&ds->stores[i], name, src, &ds->mem, &ds->arena, &ds->options,
                                  true, err)) {
        return false;
    }
    return taco__dataset_add(ds, name, err);
}

TACO_API taco_dataset *taco_open_sources(const taco_source *sources, const char *const *names,
                                         size_t n, taco_column_mode mode, const taco_options *opt,
                                         taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds = NULL;
    size_t i, tried = 0;
    bool ok = sources && n;
    err = taco__error_fresh(err, &own);
    if (!ok) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no source given"); }
    for (i = 0; ok && i < n; i++) {
        ok = taco__source_check(&sources[i], err);
    }
    ds = ok ? taco__dataset_alloc(opt, n, err) : NULL;
    if (ds) { ds->mode = mode; }
    while (ds && ok && tried < n) {
        ok = taco__dataset_open_next_source(ds, &sources[tried++], names, err);
        if (ok && ds->stores[0].format && n > 1) {
            ok = TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                            "%s: a %s is opened from one source", ds->stores[0].name,
                            ds->stores[0].format->name) == TACO_OK;
        }
    }
    if (ds && ok) {
        return ds->stores[0].format ? taco__dataset_open_format(ds, &ds->stores[0].name, 1, err)
                                    : taco__dataset_tell(ds);
    }
    for (i = tried; sources && i < n; i++) { /* sources that no container was opened with */
        if (sources[i].close) { sources[i].close(sources[i].ctx); }
    }
    taco_close(ds);
    return NULL;
}

TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err)
{
    return taco_open_sources(src, &name, src ? 1 : 0, TACO_COLUMNS_INTERSECTION, opt, err);
}

/* Kinds other than TACOCAT ignore it, as in the reference. */
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err)
{
    const size_t n = base ? strlen(base) : 0;
    size_t i;
    err = taco__error_fresh(err, NULL);
    if (!ds || !base) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                               ds ? "base path" : "dataset");
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        const char *full;
        if (s->kind != TACO_KIND_TACOCAT || s->format) { continue; }
        s->archive_dir = taco__container_join_path(
            s, base, n && taco__plat_is_slash(base[n - 1]) ? "" : "/", err);
        full = s->archive_dir ? taco__container_full_path(s, base, err) : NULL;
        if (!full || !taco__container_set_vsi_root(s, full, true, err)) {
            return err ? err->code : TACO_ERR_MEMORY;
        }
    }
    return TACO_OK;
}

/* ---- description: the first container's collection ---- */

static TACO__ONCE const taco__collection *taco__dataset_collection(const taco_dataset *ds)
{
    return ds ? &ds->stores[0].coll : NULL;
}

static TACO__ONCE const char *taco__dataset_text_or_empty(const char *text)
{
    return text ? text : "";
}

TACO_API const char *taco_id(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->id : NULL);
}

TACO_API const char *taco_dataset_version(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->dataset_version : NULL);
}

TACO_API const char *taco_description(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->description : NULL);
}

TACO_API const char *taco_title(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->title : NULL);
}

/* key NULL: the whole document. */
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key)
{
    const taco__collection *c = taco__dataset_collection(ds);
    const taco__json *node = c ? key ? taco__json_get(c->doc.root, key) : c->doc.root : NULL;
    return node ? taco__json_raw(&c->doc, node) : taco__bytes_of(NULL, 0);
}

TACO_API taco_bytes taco_pit_schema(taco_dataset *ds, uint64_t n, taco_error *err)
{
    const taco__collection *c = taco__dataset_collection(ds);
    const taco__json *schema = c ? taco__json_get(c->doc.root, "taco:pit_schema") : NULL,
                     *count = taco__json_get(taco__json_get(schema, "root"), "n");
    taco_bytes text;
    char digits[24], *out;
    size_t len = taco__num_format_u64(digits, n), before, after;
    err = taco__error_fresh(err, NULL);
    if (!taco__json_is(count, TACO__JSON_NUMBER)) {
        TACO__FAIL_SOFT(err, ds ? TACO_ERR_NOT_FOUND : TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                        ds ? "the collection has no taco:pit_schema with root.n"
                           : "no dataset given");
        return taco__bytes_of(NULL, 0);
    }
    text = taco__json_raw(&c->doc, schema);
    before = count->begin - schema->begin;
    after = schema->end - count->end;
    out = (char *)taco__arena_alloc(&ds->arena, before + len + after + 1, err);
    if (!out) { return taco__bytes_of(NULL, 0); }
    memcpy(out, text.data, before);
    memcpy(out + before, digits, len);
    memcpy(out + before + len, text.data + text.len - after, after);
    out[before + len + after] = 0;
    return taco__bytes_of((const uint8_t *)out, before + len + after);
}

TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds)
{
    return !ds ? (taco_kind)0 : ds->stores[0].format ? TACO_KIND_OTHER : ds->stores[0].kind;
}

TACO_API const char *taco_dataset_format(const taco_dataset *ds)
{
    return ds && ds->stores[0].format ? ds->stores[0].format->name : "";
}

/* ---- levels ---- */

TACO_API uint32_t taco_levels(const taco_dataset *ds)
{
    return ds ? taco__container_level_count(&ds->stores[0]) : 0;
}

/* Refuses a level that no dataset can have; one that only this dataset lacks is refused when it is
   opened. */
static TACO__ONCE bool taco__dataset_has_level(const taco_dataset *ds, uint32_t level,
                                               taco_error *err)
{
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
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

/* The number of rows of an open level that are below the kept samples of a container; -1 on
   failure. */
static int64_t taco__dataset_kept_rows(taco__container *s, uint32_t level, taco_error *err)
{
    taco__expr *where[TACO__MAX_LEVELS] = {NULL};
    uint8_t *masks[TACO__MAX_LEVELS] = {NULL};
    taco__cascade left;
    int64_t rows = -1;
    uint32_t l;
    for (l = 0; l < level; l++) {
        if (!taco__container_level(s, l, err)) { return -1; }
    }
    masks[0] = s->kept;
    if (taco__cascade_run(s, &left, where, masks, 0, level, err)) {
        rows =
            (int64_t)taco__bitmap_count(left.bits[level], 0, (size_t)s->levels[level].table.rows);
    }
    taco__cascade_free(s, &left);
    return rows;
}

/* The number of rows of a level: all stored rows, or those below kept samples. */
static int64_t taco__dataset_count_rows(taco_dataset *ds, uint32_t level, bool stored,
                                        taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    int64_t rows = 0, n;
    size_t i;
    err = taco__error_fresh(err, &own); /* what is below tells failures by it */
    if (!taco__dataset_has_level(ds, level, err)) { return -1; }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        taco__level *l = taco__container_level(s, level, err);
        if (!l) { return -1; }
        n = s->kept && !stored ? taco__dataset_kept_rows(s, level, err) : (int64_t)l->table.rows;
        if (n < 0) { return -1; }
        rows += n;
    }
    return rows;
}

/* Upper bound of row positions (taco_cursor_positions). */
TACO__FN int64_t taco__dataset_stored_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    return taco__dataset_count_rows(ds, level, true, err);
}

TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__dataset_count_rows(ds, level, false, err);
}

TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    *n = 0;
    if (!taco__dataset_has_level(ds, level, err) ||
        !taco__schema_union_level_fields(ds, level, err)) {
        return NULL;
    }
    *n = ds->schema[level].count;
    return ds->schema[level].fields;
}

/* ---- as JSON ---- */

/* The name of a type in quotes. Names of nested types include those of their fields, which may need
   escapes: struct<"a b":int32>. */
static TACO__ONCE bool taco__dataset_write_type(taco__buf *b, const taco_field *f, taco_error *err)
{
    taco__buf name;
    bool ok;
    memset(&name, 0, sizeof name);
    name.mem = b->mem;
    ok = taco__type_name_append(f, &name, err) &&
         taco__json_write_name(b, taco__bytes_of(name.data, name.len), err);
    taco__buf_free(&name);
    return ok;
}

/* {"rows":N,"columns":[...]}, of a format whose levels have names with "name" before it. */
TACO__FN TACO__ONCE void taco__dataset_write_level(taco_dataset *ds, uint32_t l, const char *name,
                                                   taco__json_writer *w)
{
    int64_t rows = taco_level_rows(ds, l, w->err);
    size_t i, n = 0;
    const taco_field *f = rows < 0 ? NULL : taco_level_fields(ds, l, &n, w->err);
    w->ok = w->ok && f;
    taco__json_write_begin(w, NULL, '{');
    if (name) { taco__json_write_text(w, "name", name); }
    taco__json_write_u64(w, "rows", (uint64_t)rows);
    taco__json_write_begin(w, "columns", '[');
    for (i = 0; w->ok && i < n; i++) {
        taco__json_write_begin(w, NULL, '{');
        taco__json_write_key(w, "name");
        w->ok = w->ok && taco__json_write_name(w->out, taco__bytes_text(f[i].name), w->err);
        taco__json_write_key(w, "type");
        w->ok = w->ok && taco__dataset_write_type(w->out, &f[i], w->err);
        taco__json_write_end(w, '}');
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    const taco_opener *f = ds ? ds->stores[0].format : NULL;
    err = taco__error_fresh(err, NULL);
    int64_t rows = taco_level_rows(ds, 0, err);
    taco__json_writer w;
    uint32_t l;
    if (rows < 0 || (f && f->info && !f->info(ds, err))) { return taco__bytes_of(NULL, 0); }
    ds->info.len = 0;
    if (f && f->describe) {
        return f->describe(ds, &ds->info, err) ? taco__bytes_of(ds->info.data, ds->info.len)
                                               : taco__bytes_of(NULL, 0);
    }
    w = taco__json_writer_init(&ds->info, err);
    taco__json_write_begin(&w, NULL, '{');
    w.ok = w.ok && taco__collection_write_info(w.out, &ds->stores[0].coll, err);
    taco__json_write_text(&w, "kind", f ? f->name : kinds[ds->stores[0].kind]);
    taco__json_write_u64(&w, "n", (uint64_t)rows);
    taco__json_write_u64(&w, "max_depth", taco_levels(ds) - 1);
    taco__json_write_begin(&w, "levels", '[');
    for (l = 0; w.ok && l < taco_levels(ds); l++) {
        taco__dataset_write_level(ds, l, NULL, &w);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    return w.ok ? taco__bytes_of(ds->info.data, ds->info.len) : taco__bytes_of(NULL, 0);
}
/* ==== src/dataset/schema_differences.c ==== */
/* schema_differences.c - how the columns of datasets differ, all in one message

   In: the columns of one level in two datasets, pair after pair. Out: one error with as many
   differences as its text has room for and the number of others; each is also passed to the
   caller's warn function. TACO 2.0 §6.6 and §7.2.4 (strict): if a merge is refused, the user sees
   at once everything that has to be changed. Start with taco__differences_compare. */
/* #include "container.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */

TACO__FN TACO__ONCE void taco__differences_init(taco__differences *d, const taco_options *options)
{
    memset(d, 0, sizeof *d);
    d->options = options;
}

/* Records a difference, and leaves *one empty for the next. */
static TACO__ONCE void taco__differences_add(taco__differences *d, taco_error *one)
{
    size_t n = strlen(one->text), room = sizeof d->text - 1 - d->len;
    if (d->options && d->options->warn) { d->options->warn(d->options->warn_ctx, one); }
    if (d->count++ == 0) { d->code = one->code; }
    if (one->code == TACO_ERR_TYPE) { d->code = TACO_ERR_TYPE; }
    if (d->named + 1 == d->count && n + 2 <= room) {
        memcpy(d->text + d->len, d->named ? "; " : "", d->named ? 2 : 0);
        d->len += d->named ? 2 : 0;
        memcpy(d->text + d->len, one->text, n + 1);
        d->len += n;
        d->named++;
    }
    memset(one, 0, sizeof *one);
}

/* Compares a column that both have, and records a difference of types. */
static TACO__ONCE bool taco__differences_compare_types(taco__differences *d,
                                                       const taco__differing *b,
                                                       const taco_field *x, const taco_field *y,
                                                       const char *first, taco__mem *mem,
                                                       taco_error *err)
{
    taco_error one;
    taco_bytes name = taco__bytes_text(x->name);
    taco__buf own, other;
    bool ok;
    if (taco__unify_same_type(x, y)) { return true; }
    memset(&one, 0, sizeof one);
    memset(&own, 0, sizeof own);
    own.mem = mem;
    other = own;
    ok = taco__type_name_append(x, &other, err) && taco__buf_append_char(&other, 0, err) &&
         taco__type_name_append(y, &own, err) && taco__buf_append_char(&own, 0, err);
    if (ok) {
        TACO__FAIL(&one, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "%s: level %u: column %q has another type than in %s: %s, there %s", b->name,
                   TACO__U(b->level), &name, first, (const char *)own.data,
                   (const char *)other.data);
        taco__differences_add(d, &one);
    }
    taco__buf_free(&own);
    taco__buf_free(&other);
    return ok;
}

/* Records the columns of `first` that b lacks, or has with another type. */
static TACO__ONCE bool taco__differences_compare_first(taco__differences *d,
                                                       const taco__differing *first,
                                                       const taco__differing *b,
                                                       const taco__field_index *names,
                                                       const char *without, bool only_types,
                                                       taco__mem *mem, taco_error *err)
{
    taco_error one;
    size_t i, n = without ? strlen(without) : 0;
    memset(&one, 0, sizeof one);
    for (i = 0; i < first->count; i++) {
        const taco_field *x = &first->fields[i];
        taco_bytes name = taco__bytes_text(x->name);
        size_t at = taco__field_index_find(names, x->name);
        if (without && strncmp(x->name, without, n) == 0) { continue; }
        if (at != SIZE_MAX) {
            if (!taco__differences_compare_types(d, b, x, &b->fields[at], first->name, mem, err)) {
                return false;
            }
        } else if (!only_types) {
            TACO__FAIL(&one, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: level %u: column %q of %s is missing", b->name, TACO__U(b->level),
                       &name, first->name);
            taco__differences_add(d, &one);
        }
    }
    return true;
}

/* Records the differences between the columns of two datasets at one level; `first` is the one the
   others are compared with. Columns whose names begin with `without` (NULL: none) are ignored; with
   only_types, so are columns that one of the two lacks. False if there is no memory. */
TACO__FN bool taco__differences_compare(taco__differences *d, const taco__differing *first,
                                        const taco__differing *b, const char *without,
                                        bool only_types, taco__mem *mem, taco_error *err)
{
    taco__field_index names;
    taco_error one;
    size_t i, n = without ? strlen(without) : 0;
    bool ok;
    memset(&one, 0, sizeof one);
    taco__field_index_init(&names, b->fields, b->count, mem);
    ok = taco__differences_compare_first(d, first, b, &names, without, only_types, mem, err);
    taco__field_index_free(&names);
    if (!ok || only_types) { return ok; }
    taco__field_index_init(&names, first->fields, first->count, mem);
    for (i = 0; i < b->count; i++) {
        taco_bytes name = taco__bytes_text(b->fields[i].name);
        if (taco__field_index_find(&names, b->fields[i].name) != SIZE_MAX ||
            (without && strncmp(b->fields[i].name, without, n) == 0)) {
            continue;
        }
        TACO__FAIL(&one, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: level %u: column %q is not in %s",
                   b->name, TACO__U(b->level), &name, first->name);
        taco__differences_add(d, &one);
    }
    taco__field_index_free(&names);
    return true;
}

/* True if there are none. Else fills *err, with TYPE if types differ: the difference itself, or the
   number of differences and as many as fit. */
TACO__FN TACO__ONCE bool taco__differences_none(const taco__differences *d, taco_error *err)
{
    if (d->count > d->named) {
        TACO__FAIL(err, d->code, TACO_NO_OFFSET, "%u differences: %s; and %u more",
                   TACO__U(d->count), d->text, TACO__U(d->count - d->named));
    } else if (d->count > 1) {
        TACO__FAIL(err, d->code, TACO_NO_OFFSET, "%u differences: %s", TACO__U(d->count), d->text);
    } else if (d->count) {
        TACO__FAIL(err, d->code, TACO_NO_OFFSET, "%s", d->text);
    }
    return d->count == 0;
}
/* ==== src/dataset/schema_union.c ==== */
/* schema_union.c - the columns of a level over all containers of a dataset

   In: the tables of one level, and the column mode. Out: ds->schema[level]: each name once, with a
   type that can hold those of all containers (type_union.c), in order of first occurrence. A column
   that not all containers have is dropped, filled with nulls, or refused, as the mode says (TACO
   2.0 §7.2.4); the caller's warn function is told. In strict mode all levels of all containers are
   compared before the first is made (schema_differences.c). One container has the columns of its
   table.

   taco__schema_union_level_fields handles a level once, on first use. */
/* #include "container.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */

/* Bytes for names of datasets in a message; the others are counted. */
#define TACO__SCHEMA_UNION_NAMES 160

/* What the containers have of one column. */
typedef struct taco__schema_union_column {
    /* its name, and the type that can hold those of all containers */
    taco_field field;
    /* containers that have it, and the number of containers */
    size_t have, all;
    /* it is not stored with the same type everywhere */
    bool mixed;
    /* the column names of each container's table */
    const taco__field_index *tables;
} taco__schema_union_column;

/* ---- one column ---- */

/* Extends the type of a column to hold that of another container, too. */
static TACO__ONCE bool taco__schema_union_add_type(taco_dataset *ds, uint32_t level,
                                                   const taco__container *s,
                                                   const taco_field *other,
                                                   taco__schema_union_column *c, taco_error *err)
{
    taco_field both;
    taco_bytes name;
    if (taco__unify_same_type(&c->field, other)) { return true; }
    c->mixed = true;
    if (taco__unify_type(&ds->arena, &c->field, other, &both, err)) {
        c->field = both;
        return true;
    }
    name = taco__bytes_text(c->field.name);
    TACO__FAIL(
        err, TACO_ERR_TYPE, TACO_NO_OFFSET,
        "column %q of level %u has another type than in %s, and no type holds the values of both",
        &name, TACO__U(level), ds->stores[0].name);
    return taco__container_fail(s, NULL, err);
}

/* Searches a column in all containers; its field is that of the first one. */
static TACO__ONCE bool taco__schema_union_find_column(taco_dataset *ds, uint32_t level,
                                                      taco__schema_union_column *c, taco_error *err)
{
    size_t i, at;
    for (i = 0; i < ds->container_count; i++) {
        const taco__table *t = &ds->stores[i].levels[level].table;
        c->all++;
        at = taco__field_index_find(&c->tables[i], c->field.name);
        if (at == TACO__NONE) { continue; }
        c->have++;
        if (!taco__schema_union_add_type(ds, level, &ds->stores[i], &t->fields[at], c, err)) {
            return false;
        }
    }
    return true;
}

/* ---- columns that some containers lack ---- */

/* The names of the datasets whose level has a column, or lacks it; as many as fit in a message. */
static TACO__ONCE bool taco__schema_union_list_datasets(taco_dataset *ds,
                                                        const taco__schema_union_column *c,
                                                        bool has, taco__buf *out, taco_error *err)
{
    size_t i, left = 0;
    char digits[24];
    bool ok = true;
    for (i = 0; ok && i < ds->container_count; i++) {
        const taco__container *s = &ds->stores[i];
        if ((taco__field_index_find(&c->tables[i], c->field.name) != SIZE_MAX) != has) { continue; }
        if (out->len && out->len + strlen(s->name) > TACO__SCHEMA_UNION_NAMES) {
            left++;
            continue;
        }
        ok = (!out->len || taco__buf_append_text(out, ", ", err)) &&
             taco__buf_append_text(out, s->name, err);
    }
    if (ok && left) {
        ok = taco__buf_append_text(out, " and ", err) &&
             taco__buf_append(out, digits, taco__num_format_u64(digits, left), err) &&
             taco__buf_append_text(out, " more", err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}

/* Warns about what happens to the column, if the caller wants warnings. */
static TACO__ONCE void taco__schema_union_warn(taco_dataset *ds, uint32_t level,
                                               const taco__schema_union_column *c,
                                               const char *where)
{
    taco_bytes name = taco__bytes_text(c->field.name);
    taco_error w;
    memset(&w, 0, sizeof w);
    if (!ds->options.warn) { return; }
    if (ds->mode == TACO_COLUMNS_FILL_MISSING) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: filled with nulls in %s", &name,
                   TACO__U(level), TACO__U(c->have), TACO__U(c->all), where);
    } else {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: dropped from %s", &name,
                   TACO__U(level), TACO__U(c->have), TACO__U(c->all), where);
    }
    ds->options.warn(ds->options.warn_ctx, &w);
}

/* Warns that not all datasets have a column, naming those that have it, or those that lack it if it
   is filled with nulls. */
static TACO__ONCE bool taco__schema_union_report_missing(taco_dataset *ds, uint32_t level,
                                                         const taco__schema_union_column *c,
                                                         taco_error *err)
{
    bool ok;
    taco__buf list;
    memset(&list, 0, sizeof list);
    list.mem = &ds->mem;
    ok = taco__schema_union_list_datasets(ds, c, ds->mode != TACO_COLUMNS_FILL_MISSING, &list, err);
    if (ok) { taco__schema_union_warn(ds, level, c, (const char *)list.data); }
    taco__buf_free(&list);
    return ok;
}

/* ---- all columns ---- */

/* Whether a new column belongs to the level; searches it in all containers. */
static TACO__ONCE bool taco__schema_union_take_column(taco_dataset *ds, uint32_t level,
                                                      taco__schema_union_column *c, bool *takes,
                                                      taco_error *err)
{
    *takes = true;
    if (!TACO__WITH_MANY || ds->container_count == 1) { return true; }
    if (!taco__schema_union_find_column(ds, level, c, err)) { return false; }
    if (c->have == c->all) { return true; }
    /* every row has a source file */
    *takes = strcmp(c->field.name, TACO__SOURCE_FILE) != 0;
    if (!*takes) { return true; }
    *takes = ds->mode != TACO_COLUMNS_INTERSECTION;
    return taco__schema_union_report_missing(ds, level, c, err);
}

/* Adds the columns of container s that no container before it has. */
static TACO__ONCE bool taco__schema_union_add_table(taco_dataset *ds, uint32_t level, size_t s,
                                                    const taco__field_index *tables,
                                                    taco__level_schema *out, taco_error *err)
{
    const taco__level *l = &ds->stores[s].levels[level];
    const taco__table *t = &l->table;
    size_t k, count = l->shown ? l->shown_count : t->field_count;
    for (k = 0; k < count; k++) {
        size_t i = l->shown ? l->shown[k] : k;
        taco__schema_union_column c;
        taco__hash_slot *slot = NULL;
        bool takes, added = true;
        if (TACO__WITH_MANY && ds->container_count > 1) {
            slot =
                taco__hash_map_add(&out->names, taco__bytes_text(t->fields[i].name), &added, err);
            if (!slot) { return false; }
        }
        if (s && !added) { continue; }
        memset(&c, 0, sizeof c);
        c.tables = tables;
        c.field = t->fields[i];
        if (!taco__schema_union_take_column(ds, level, &c, &takes, err)) { return false; }
        if (slot && added) { slot->value = takes ? out->count : UINT64_MAX; }
        if (takes) {
            out->mixed[out->count] = c.mixed;
            out->fields[out->count++] = c.field;
        }
    }
    return true;
}

/* Adds a null column to the table of a level for each column that only other containers have, so
   that predicates may name them. */
static TACO__ONCE bool taco__schema_union_add_null_columns(taco_dataset *ds, taco__table *t,
                                                           const taco__field_index *names,
                                                           const taco__level_schema *all,
                                                           taco_error *err)
{
    taco_field *fields = (taco_field *)taco__arena_array(&ds->arena, t->field_count + all->count,
                                                         sizeof *fields, err);
    size_t i, n = t->field_count;
    if (!fields) { return false; }
    memcpy(fields, t->fields, n * sizeof *fields);
    for (i = 0; i < all->count; i++) {
        if (taco__field_index_find(names, all->fields[i].name) == SIZE_MAX) {
            fields[n].name = all->fields[i].name;
            fields[n].type = TACO_NULL;
            fields[n++].nullable = true;
        }
    }
    t->fields = fields;
    t->field_count = n;
    return true;
}

/* Opens a level in all containers and makes room for all columns. */
static TACO__ONCE bool taco__schema_union_init(taco_dataset *ds, uint32_t level,
                                               taco__level_schema *out, taco_error *err)
{
    size_t s, max = 1;
    memset(out, 0, sizeof *out);
    out->names.mem = &ds->mem;
    for (s = 0; s < ds->container_count; s++) {
        taco__level *l = taco__container_level(&ds->stores[s], level, err);
        if (!l) { return false; }
        max += l->table.field_count;
    }
    out->fields = (taco_field *)taco__arena_array(&ds->arena, max, sizeof *out->fields, err);
    out->mixed = (bool *)taco__arena_array(&ds->arena, max, sizeof *out->mixed, err);
    return out->fields && out->mixed;
}

/* Strict mode: the columns of all levels must be the same in all containers, or the error names all
   differences (§7.2.4). */
static TACO__ONCE bool taco__schema_union_check_strict(taco_dataset *ds, taco_error *err)
{
    taco__differences d;
    uint32_t level;
    size_t s;
    taco__differences_init(&d, &ds->options);
    for (s = 1; s < ds->container_count; s++) {
        for (level = 0; level < ds->stores[0].level_count; level++) {
            taco__level *a = taco__container_level(&ds->stores[0], level, err);
            taco__level *b = a ? taco__container_level(&ds->stores[s], level, err) : NULL;
            taco__differing first, other;
            if (!b) { return false; }
            first.name = ds->stores[0].name;
            other.name = ds->stores[s].name;
            first.level = other.level = level;
            first.fields = a->table.fields;
            first.count = a->table.field_count;
            other.fields = b->table.fields;
            other.count = b->table.field_count;
            if (!taco__differences_compare(&d, &first, &other, TACO__SOURCE_FILE, false, &ds->mem,
                                           err)) {
                return false;
            }
        }
    }
    return taco__differences_none(&d, err);
}

/* True if no level has its columns yet. */
static TACO__ONCE bool taco__schema_union_is_new(const taco_dataset *ds)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS && !ds->schema[i].fields; i++) {}
    return i == TACO__MAX_LEVELS;
}

/* Adds the columns of all containers, and null columns for those they lack; tables has the names of
   each. */
static bool taco__schema_union_add_tables(taco_dataset *ds, uint32_t level,
                                          const taco__field_index *tables, taco__level_schema *all,
                                          taco_error *err)
{
    size_t s;
    for (s = 0; s < ds->container_count; s++) {
        if (!taco__schema_union_add_table(ds, level, s, tables, all, err)) { return false; }
    }
    for (s = 0; TACO__WITH_MANY && ds->mode == TACO_COLUMNS_FILL_MISSING && s < ds->container_count;
         s++) {
        if (!taco__schema_union_add_null_columns(ds, &ds->stores[s].levels[level].table, &tables[s],
                                                 all, err)) {
            return false;
        }
    }
    return true;
}

/* Makes ds->schema[level], once. Afterwards the level's tables are open. */
TACO__FN TACO__ONCE bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level,
                                                         taco_error *err)
{
    taco__level_schema all;
    taco__field_index *tables;
    size_t s, n = ds->container_count;
    bool ok;
    if (ds->schema[level].fields) { return true; }
    if (TACO__WITH_MANY && ds->mode == TACO_COLUMNS_STRICT && taco__schema_union_is_new(ds) &&
        !taco__schema_union_check_strict(ds, err)) {
        return false;
    }
    if (!taco__schema_union_init(ds, level, &all, err)) { return false; }
    tables = (taco__field_index *)taco__arena_array(&ds->arena, n, sizeof *tables, err);
    for (s = 0; tables && s < n; s++) {
        const taco__table *t = &ds->stores[s].levels[level].table;
        /* with one container, no names are looked up */
        taco__field_index_init(&tables[s], t->fields, n > 1 ? t->field_count : 0, &ds->mem);
    }
    ok = tables && taco__schema_union_add_tables(ds, level, tables, &all, err);
    for (s = 0; tables && s < n; s++) {
        taco__field_index_free(&tables[s]);
    }
    if (ok) {
        ds->schema[level] = all;
    } else {
        taco__hash_map_free(&all.names);
    }
    return ok;
}

/* Whether a column is stored with several types: conditions on it must be tested on the cast
   values. False until the level has been used. */
TACO__FN TACO__ONCE bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level,
                                                     const char *name)
{
    const taco__level_schema *s = &ds->schema[level];
    const taco__hash_slot *slot =
        s->fields ? taco__hash_map_find(&s->names, taco__bytes_text(name)) : NULL;
    return slot && slot->value < s->count && s->mixed[slot->value];
}
/* ==== src/dataset/type_union.c ==== */
/* type_union.c - a common type for a column that datasets store with several types, and casts to it

   In: two fields, or an array and the field it is to become. Out: the type that can hold both
   (taco__unify_type), or the array cast to it (taco__unify_cast_array). The rules are those of
   DuckDB's UNION ALL, which the reference relies on in every column mode (TACO 2.0 §7.2.4); types
   that DuckDB unifies but cannot cast to are not unified here. Results live in the arena. */
/* #include "dataset.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../filter/filter.h" */

/* ---- types ---- */

/* Whether the types are the same, ignoring children, names and nullability. */
static bool taco__unify_same_kind(const taco_field *a, const taco_field *b)
{
    return a->type == b->type && a->child_count == b->child_count && a->width == b->width &&
           a->scale == b->scale && a->precision == b->precision &&
           (a->utc == b->utc || a->type != TACO_TIMESTAMP) &&
           (a->unit == b->unit || (a->type != TACO_TIME && a->type != TACO_TIMESTAMP));
}

/* Whether the types are the same, including the names of a STRUCT's fields. The names of a MAP's
   key and value do not matter. */
TACO__FN bool taco__unify_same_type(const taco_field *a, const taco_field *b)
{
    bool names = a->type == TACO_STRUCT;
    uint32_t i;
    if (!taco__unify_same_kind(a, b)) { return false; }
    if (a->type == TACO_MAP) {
        a = a->children;
        b = b->children;
        if (a->child_count != b->child_count) { return false; }
    }
    for (i = 0; i < a->child_count; i++) {
        if ((names && strcmp(a->children[i].name, b->children[i].name) != 0) ||
            !taco__unify_same_type(&a->children[i], &b->children[i])) {
            return false;
        }
    }
    return true;
}

/* BOOL, integers and floats, ordered so that a later one can hold an earlier one; 0 for others. */
static int taco__unify_numeric_rank(taco_type t)
{
    return t == TACO_BOOL                       ? 1
           : t >= TACO_INT8 && t <= TACO_UINT64 ? 2
           : t == TACO_HALF || t == TACO_FLOAT  ? 3
           : t == TACO_DOUBLE                   ? 4
                                                : 0;
}

/* Of an integer: the signed types come first. */
static bool taco__unify_is_signed(taco_type t)
{
    return t <= TACO_INT64;
}

/* The common type of two integers: the wider one if both have the same sign; otherwise signed, one
   size larger. TACO_DECIMAL for UINT64 with a signed one, which needs more than 64 bits: DuckDB's
   HUGEINT, in Arrow DECIMAL(38, 0). */
static taco_type taco__unify_integer_type(taco_type a, taco_type b)
{
    int x = taco__unify_is_signed(a) ? (int)a - TACO_INT8 : (int)a - TACO_UINT8,
        y = taco__unify_is_signed(b) ? (int)b - TACO_INT8 : (int)b - TACO_UINT8, wide;
    if (taco__unify_is_signed(a) == taco__unify_is_signed(b)) { return TACO__MAX(a, b); }
    wide = taco__unify_is_signed(a) ? TACO__MAX(x, y + 1) : TACO__MAX(y, x + 1);
    return wide > 3 ? TACO_DECIMAL : (taco_type)(TACO_INT8 + wide);
}

/* Width of a value, for the types made here. */
static int32_t taco__unify_type_width(taco_type t)
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

/* Sets *out to a plain type t; its name is kept. */
static void taco__unify_set_type(taco_field *out, taco_type t)
{
    out->type = t;
    out->unit = TACO_SECOND;
    out->utc = false;
    out->width = taco__unify_type_width(t);
    out->precision = out->scale = 0;
}

/* Whether a number has no digits after the point. A DECIMAL(38, 0) is what integers of both signs
   have become, DuckDB's HUGEINT, and stays an integer to a third dataset. */
static bool taco__unify_is_whole(const taco_field *f)
{
    return f->type != TACO_DECIMAL || (f->precision == 38 && f->scale == 0);
}

/* The common type of a DECIMAL and a number that is not a float. All digits before the point are
   kept, and after it as many as fit into 38 (76 if one of them has more than 38; the reference
   cannot read those): DECIMAL(10, 2) and DECIMAL(38, 30), for example, give DECIMAL(38, 30). With
   an integer the scale is kept. A value that does not fit is an error, also where DuckDB rounds. */
static bool taco__unify_decimal_type(const taco_field *a, const taco_field *b, taco_field *out)
{
    taco__scalar_type x = taco__scalar_type_of_field(a), y = taco__scalar_type_of_field(b);
    int32_t most = TACO__MAX(a->precision, b->precision) > 38 ? 76 : 38, whole;
    if (TACO__MAX(a->precision, b->precision) > 76) { return false; }
    out->type = TACO_DECIMAL;
    out->unit = TACO_SECOND;
    out->utc = false;
    out->width = most == 38 ? 16 : 32;
    out->scale = TACO__MAX(x.scale, y.scale); /* 0 of an integer */
    if (x.id == TACO_DECIMAL && y.id == TACO_DECIMAL) {
        whole = TACO__MAX(x.precision - x.scale, y.precision - y.scale);
        if (!taco__unify_is_whole(a) && !taco__unify_is_whole(b)) {
            out->scale = TACO__MIN(out->scale, most - whole);
        }
    } else {
        const taco__scalar_type *d = x.id == TACO_DECIMAL ? &x : &y, *other = d == &x ? &y : &x;
        whole = TACO__MAX(d->precision - d->scale,
                          other->id == TACO_BOOL ? 0 : taco__scalar_decimal_digits(other));
    }
    out->precision = TACO__MIN(whole + out->scale, most);
    return true;
}

/* Whether a field has that name, ignoring ASCII case. */
static bool taco__unify_is_named(const taco_field *a, const char *name)
{
    size_t i, n = strlen(name);
    for (i = 0;
         i < n && taco__ascii_lower((uint8_t)a->name[i]) == taco__ascii_lower((uint8_t)name[i]);
         i++) {}
    return i == n && !a->name[n];
}

/* The index of the field of a STRUCT with that name; child_count if there is none. */
static uint32_t taco__unify_find_child(const taco_field *f, const char *name)
{
    uint32_t i;
    for (i = 0; i < f->child_count && !taco__unify_is_named(&f->children[i], name); i++) {}
    return i;
}

/* The fields of a STRUCT by name: those of a, then those that only b has. Fields that one of them
   lacks are nullable. */
static bool taco__unify_struct_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                    taco_field *out, taco_error *err)
{
    taco_field *f = (taco_field *)taco__arena_array(
        arena, (size_t)a->child_count + b->child_count + 1, sizeof *f, err);
    uint32_t i, k, n = a->child_count;
    out->children = f;
    if (!f) { return false; }
    for (i = 0; i < a->child_count; i++) {
        f[i] = a->children[i];
        f[i].nullable = true;
        k = taco__unify_find_child(b, a->children[i].name);
        if (k < b->child_count &&
            !taco__unify_type(arena, &a->children[i], &b->children[k], &f[i], err)) {
            return false;
        }
    }
    for (i = 0; i < b->child_count; i++) {
        if (taco__unify_find_child(a, b->children[i].name) == a->child_count) {
            f[n] = b->children[i];
            f[n++].nullable = true;
        }
    }
    out->child_count = n;
    return true;
}

/* The entries of a MAP, with key and value by position. */
static bool taco__unify_entries_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                     taco_field *out, taco_error *err)
{
    taco_field *f =
        (taco_field *)taco__arena_array(arena, (size_t)a->child_count + 1, sizeof *f, err);
    uint32_t i;
    out->children = f;
    if (!f || a->child_count != b->child_count) { return false; }
    for (i = 0; i < a->child_count; i++) {
        if (!taco__unify_type(arena, &a->children[i], &b->children[i], &f[i], err)) {
            return false;
        }
    }
    out->child_count = a->child_count;
    return true;
}

/* LIST with LIST, MAP with MAP, STRUCT with STRUCT. */
static bool taco__unify_nested_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                    taco_field *out, taco_error *err)
{
    taco_field *child;
    if (a->type == TACO_STRUCT) { return taco__unify_struct_type(arena, a, b, out, err); }
    if (a->child_count != 1 || b->child_count != 1) { return false; }
    child = (taco_field *)taco__arena_alloc(arena, sizeof *child, err);
    out->children = child;
    if (child && a->type == TACO_MAP) {
        *child = *a->children;
        return taco__unify_entries_type(arena, a->children, b->children, child, err);
    }
    return child && taco__unify_type(arena, a->children, b->children, child, err);
}

/* Types that DuckDB converts to text when combined with text; BINARY absorbs text, nested types
   cannot be combined with it. */
static bool taco__unify_becomes_text(taco_type t)
{
    return taco__unify_numeric_rank(t) || t == TACO_DECIMAL || t == TACO_DATE || t == TACO_TIME ||
           t == TACO_TIMESTAMP;
}

/* *out becomes b, with the name and nullability that it has. */
static bool taco__unify_take_other(const taco_field *b, taco_field *out)
{
    const char *name = out->name;
    bool nullable = out->nullable;
    *out = *b;
    out->name = name;
    out->nullable = nullable;
    return true;
}

/* Numbers of any kind; x and y are their ranks, 0 for a DECIMAL. FLOAT absorbs every number but
   DOUBLE, as in DuckDB, at the cost of digits. */
static bool taco__unify_number_type(const taco_field *a, const taco_field *b, int x, int y,
                                    taco_field *out)
{
    taco_type t;
    if (x == 4 || y == 4) {
        taco__unify_set_type(out, TACO_DOUBLE);
        return true;
    }
    if (x == 3 || y == 3) {
        taco__unify_set_type(out, TACO_FLOAT);
        return true;
    }
    if (!x || !y) { return taco__unify_decimal_type(a, b, out); }
    t = x == 2 && y == 2 ? taco__unify_integer_type(a->type, b->type) : x >= y ? a->type : b->type;
    taco__unify_set_type(out, t);
    if (t == TACO_DECIMAL) {
        out->width = 16;
        out->precision = 38;
    }
    return true;
}

/* Two TIMESTAMPs or two TIMEs with different units: the finer one. TIME in nanoseconds fails in
   DuckDB, which has no TIMESTAMP in nanoseconds with a time zone either. */
static bool taco__unify_time_type(const taco_field *a, const taco_field *b, taco_field *out)
{
    out->unit = TACO__MAX(a->unit, b->unit);
    out->utc = (a->type == TACO_TIME || out->unit != TACO_NANO) && (a->utc || b->utc);
    out->width = TACO__MAX(a->width, b->width);
    return true;
}

/* *out: the type that can hold both a and b, named as a. False if there is none, or no memory: also
   if DuckDB names a type that it then cannot cast to (DATE with a number, LIST or STRUCT with
   something else). */
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err)
{
    int x = taco__unify_numeric_rank(a->type), y = taco__unify_numeric_rank(b->type);
    taco_type s = a->type, t = b->type;
    *out = *a;
    out->nullable = a->nullable || b->nullable || s == TACO_NULL || t == TACO_NULL;
    if (taco__unify_same_type(a, b) || t == TACO_NULL) { return true; }
    if (s == TACO_NULL || (s == TACO_TEXT && t == TACO_BINARY)) {
        return taco__unify_take_other(b, out);
    }
    if ((x || s == TACO_DECIMAL) && (y || t == TACO_DECIMAL)) {
        return taco__unify_number_type(a, b, x, y, out);
    }
    if ((s == TACO_TEXT && taco__unify_becomes_text(t)) ||
        (t == TACO_TEXT && taco__unify_becomes_text(s))) {
        taco__unify_set_type(out, TACO_TEXT);
        out->width = 0;
        return true;
    }
    if (s == TACO_BINARY && t == TACO_TEXT) { return true; }
    if (s == TACO_DATE && t == TACO_TIMESTAMP) { return taco__unify_take_other(b, out); }
    if (s == TACO_TIMESTAMP && t == TACO_DATE) { return true; }
    if (s != t) { return false; }
    if (s == TACO_TIMESTAMP || s == TACO_TIME) { return taco__unify_time_type(a, b, out); }
    return (s == TACO_LIST || s == TACO_STRUCT || s == TACO_MAP) &&
           taco__unify_nested_type(arena, a, b, out, err);
}

/* ---- values ---- */

/* n rows without a value. One run of zeros serves as validity, offsets and values. Children of
   lists and maps are empty, those of a STRUCT have its length. */
TACO__FN bool taco__unify_null_array(const taco_field *f, size_t n, taco_array *a,
                                     taco__arena *arena, taco_error *err)
{
    size_t width = f->width > 8 ? (size_t)f->width : 8, bytes;
    uint32_t i;
    void *zeros;
    taco_array *children;
    memset(a, 0, sizeof *a);
    if (!taco__checked_mul_size(n + 1, width, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    zeros = taco__arena_alloc(arena, bytes + 8, err);
    children = (taco_array *)taco__arena_array(arena, f->child_count + 1, sizeof *children, err);
    if (!zeros || !children) { return false; }
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

/* Ticks of a unit in a second. */
static int64_t taco__unify_per_second(taco_unit u)
{
    return u == TACO_SECOND ? 1 : u == TACO_MILLI ? 1000 : u == TACO_MICRO ? 1000000 : 1000000000;
}

/* An integer, BOOL or DECIMAL as stored. */
static taco__i256 taco__unify_exact_value(const taco_array *in, size_t i)
{
    if (in->field->type == TACO_DECIMAL) {
        size_t width = (size_t)in->field->width;
        return taco__i256_from_le(in->v.u8 + i * width, width);
    }
    return in->field->type == TACO_UINT64 ? taco__i256_from_u64(in->v.u64[i])
                                          : taco__i256_from_i64(taco_array_int(in, i));
}

/* Drops `less` digits after the point; false if they are not 0. */
static bool taco__unify_drop_digits(taco__i256 *d, int32_t less)
{
    taco__i256 was = *d, again;
    *d = again = taco__i256_div10(was, less, false);
    return taco__i256_mul10(&again, less) && taco__i256_compare(&again, &was) == 0;
}

/* Value i as a number with the scale of `to`; 0 for null. False if it does not fit. */
static bool taco__unify_rescale(const taco_field *to, const taco__scalar_type *t,
                                const taco_array *in, size_t i, taco__i256 *d)
{
    int32_t less = (in->field->type == TACO_DECIMAL ? in->field->scale : 0) - to->scale;
    *d = taco__i256_from_i64(0);
    if (!taco_array_valid(in, i)) { return true; }
    *d = taco__unify_exact_value(in, i);
    return (less > 0 ? taco__unify_drop_digits(d, less) : taco__i256_mul10(d, -less)) &&
           taco__scalar_fits(t, d);
}

/* Casts to DECIMAL, little-endian words of 64 bits. */
static bool taco__unify_cast_decimals(const taco_field *to, const taco_array *in, uint8_t *out,
                                      taco_error *err)
{
    taco__scalar_type t = taco__scalar_type_of_field(to);
    size_t i, k, width = (size_t)to->width;
    for (i = 0; i < in->length; i++) {
        taco__i256 d;
        if (!taco__unify_rescale(to, &t, in, i, &d)) {
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

/* Value i as FLOAT or DOUBLE. Every number is rounded only once: 64-bit integers are not converted
   via double. */
static void taco__unify_cast_float(const taco_field *to, const taco_array *in, size_t i,
                                   uint8_t *at)
{
    bool single = to->type == TACO_FLOAT;
    double d = taco_array_double(in, i);
    float f;
    if (in->field->type == TACO_DECIMAL) {
        taco__i256 x = taco__unify_exact_value(in, i);
        d = taco__scalar_decimal_to_double(&x, in->field->scale, single);
    }
    f = in->field->type == TACO_INT64    ? (float)in->v.i64[i]
        : in->field->type == TACO_UINT64 ? (float)in->v.u64[i]
                                         : (float)d;
    memcpy(at, single ? (const void *)&f : (const void *)&d, single ? sizeof f : sizeof d);
}

/* Value i as an integer that can hold it, in native byte order. */
static void taco__unify_cast_integer(const taco_field *to, const taco_array *in, size_t i,
                                     uint8_t *at)
{
    int64_t x = taco_array_int(in, i);
    int8_t a = (int8_t)x;
    int16_t b = (int16_t)x;
    int32_t c = (int32_t)x;
    const void *from = to->width == 1   ? (const void *)&a
                       : to->width == 2 ? (const void *)&b
                       : to->width == 4 ? (const void *)&c
                                        : (const void *)&x;
    memcpy(at, from, (size_t)to->width);
}

/* Nulls become zero. */
static void taco__unify_cast_numbers(const taco_field *to, const taco_array *in, uint8_t *out,
                                     size_t width)
{
    bool floats = to->type == TACO_FLOAT || to->type == TACO_DOUBLE;
    size_t i;
    for (i = 0; i < in->length; i++) {
        if (!taco_array_valid(in, i)) { continue; }
        if (floats) {
            taco__unify_cast_float(to, in, i, out + i * width);
        } else {
            taco__unify_cast_integer(to, in, i, out + i * width);
        }
    }
}

/* Times in the unit of `to`, the finest of all datasets; a DATE is its midnight. */
static bool taco__unify_cast_times(const taco_field *to, const taco_array *in, int64_t *out,
                                   taco_error *err)
{
    int64_t by = in->field->type == TACO_DATE
                     ? taco__unify_per_second(to->unit) * 86400
                     : taco__unify_per_second(to->unit) / taco__unify_per_second(in->field->unit);
    size_t i;
    for (i = 0; i < in->length; i++) {
        int64_t x = taco_array_valid(in, i) ? taco_array_int(in, i) : 0;
        if (by > 1 && (x > INT64_MAX / by || x < INT64_MIN / by)) {
            taco_bytes name = taco__bytes_text(to->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q: the time %d does not fit the unit of the other datasets", &name,
                       TACO__D(x));
            return false;
        }
        out[i] = x * by;
    }
    return true;
}

/* Turns a time, written from `begin` on as 2020-01-31T10:59:58.500Z, into DuckDB's form: 2020-01-31
   10:59:58.5+00. */
static bool taco__unify_fix_time(taco__buf *b, size_t begin, taco_error *err)
{
    char *p = (char *)b->data + begin, *end = (char *)b->data + b->len, *dot, *letter;
    size_t n = b->len - begin; /* a time has digits */
    bool zone = end[-1] == 'Z';
    dot = (char *)memchr(p, '.', n);
    letter = (char *)memchr(p, 'T', n);
    if (letter) { *letter = ' '; }
    end -= zone;
    while (dot && (end[-1] == '0' || end[-1] == '.') && end > dot) {
        end--;
    }
    b->len = (size_t)(end - (char *)b->data);
    return !zone || taco__buf_append_text(b, "+00", err);
}

/* Turns a value other than text, written from `begin` on and not empty, into DuckDB's form: nan and
   -inf for NaN and -Infinity. */
static bool taco__unify_fix_text(taco__buf *b, size_t begin, taco_type type, taco_error *err)
{
    const char *p = (const char *)b->data + begin;
    size_t n = b->len - begin;
    if (type == TACO_TIMESTAMP || type == TACO_TIME) { return taco__unify_fix_time(b, begin, err); }
    if (taco__unify_numeric_rank(type) > 2 && p[n - 1] > '9') {
        const char *word = *p == 'N' ? "nan" : *p == '-' ? "-inf" : "inf";
        b->len = begin;
        return taco__buf_append_text(b, word, err);
    }
    return true;
}

/* Appends value i, which is not null. */
static bool taco__unify_append_text(taco__buf *b, const taco_array *in, size_t i, taco_error *err)
{
    size_t begin = b->len;
    bool null;
    if (in->field->type == TACO_TEXT) { /* to BINARY, which absorbs text */
        taco_bytes x = taco_array_bytes(in, i);
        return taco__buf_append(b, x.data, x.len, err);
    }
    return taco__cell_bare(b, in, i, &null, err) &&
           taco__unify_fix_text(b, begin, in->field->type, err);
}

/* Casts to TEXT or BINARY. */
static bool taco__unify_cast_to_text(taco__arena *arena, const taco_array *in, taco_array *out,
                                     taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, in->length + 1, sizeof *offsets, err);
    taco__buf b;
    size_t i;
    bool ok = offsets != NULL;
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < in->length; i++) {
        offsets[i] = (int32_t)b.len;
        ok = !taco_array_valid(in, i) || taco__unify_append_text(&b, in, i, err);
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

/* The fields of a STRUCT by name, or of the entries of a MAP by position. A field that `in` lacks
   becomes null. */
static bool taco__unify_cast_children(taco__arena *arena, const taco_field *to,
                                      const taco_array *in, bool places, taco_array *out,
                                      taco_error *err)
{
    taco_array *c =
        (taco_array *)taco__arena_array(arena, (size_t)to->child_count + 1, sizeof *c, err);
    uint32_t i, k;
    bool ok = c != NULL;
    out->children = c;
    for (i = 0; ok && i < to->child_count; i++) {
        k = places ? i : taco__unify_find_child(in->field, to->children[i].name);
        ok = k < in->field->child_count
                 ? taco__unify_cast_array(arena, &to->children[i], &in->children[k], &c[i], err)
                 : taco__unify_null_array(&to->children[i], in->length, &c[i], arena, err);
    }
    return ok;
}

/* The items of a LIST, or the entries of a MAP. */
static bool taco__unify_cast_items(taco__arena *arena, const taco_field *to, const taco_array *in,
                                   taco_array *out, taco_error *err)
{
    taco_array *child = (taco_array *)taco__arena_alloc(arena, sizeof *child, err);
    out->children = child;
    if (child && to->type == TACO_MAP) {
        *child = *in->children;
        child->field = to->children;
        return taco__unify_cast_children(arena, to->children, in->children, true, child, err);
    }
    return child && taco__unify_cast_array(arena, to->children, in->children, child, err);
}

/* Values of a fixed width. */
static bool taco__unify_cast_values(taco__arena *arena, const taco_field *to, const taco_array *in,
                                    taco_array *out, taco_error *err)
{
    size_t width =
        (size_t)(to->type == TACO_DECIMAL ? to->width : taco__unify_type_width(to->type));
    uint8_t *values = (uint8_t *)taco__arena_array(arena, in->length + 1, width, err);
    if (!values) { return false; }
    out->v.any = values;
    if (to->type == TACO_DECIMAL) { return taco__unify_cast_decimals(to, in, values, err); }
    if (to->type == TACO_TIMESTAMP || to->type == TACO_TIME) {
        return taco__unify_cast_times(to, in, (int64_t *)(void *)values, err);
    }
    taco__unify_cast_numbers(to, in, values, width);
    return true;
}

/* Casts an array to the field `to`, which taco__unify_type has made from its own field and others.
   Parts that need no cast are borrowed from `in`, the others are in the arena. */
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err)
{
    *out = *in;
    out->field = to;
    if (taco__unify_same_type(to, in->field)) { return true; }
    if (in->field->type == TACO_NULL) {
        return taco__unify_null_array(to, in->length, out, arena, err);
    }
    out->dictionary = NULL;
    switch (to->type) {
    case TACO_TEXT:
    case TACO_BINARY: return taco__unify_cast_to_text(arena, in, out, err);
    case TACO_STRUCT: return taco__unify_cast_children(arena, to, in, false, out, err);
    case TACO_LIST:
    case TACO_MAP: return taco__unify_cast_items(arena, to, in, out, err);
    default: return taco__unify_cast_values(arena, to, in, out, err);
    }
}
/* ==== src/dataset/level_join.c ==== */
/* level_join.c - the parent of every row of a level, computed once

   In: internal:current_id of a level and internal:parent_id of the one below; for a catalogue also
   internal:source_file of both, as ids restart in every archive. Out: taco__level.parents. TACO 2.0
   §7.2.2 "Cascading Joins"; facts: disagreements 5, 18b.

   taco__join_make_parents makes at most three passes over the columns. The first pass counts the
   rows of each archive and checks whether ids are plain row numbers, as all writers make them; then
   a parent is found by addition (taco__join_plain_parent). Otherwise the second pass makes keys,
   which are sorted and searched. The last pass stores the parents. Archives are numbered by name in
   a hash map, which validation also uses (taco__join_find_archive). */
/* #include "cascade.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

/* ---- archives by name ---- */

/* Makes room for twice as many archives. The old ones stay in the arena until the join ends. */
static bool taco__join_grow_archives(taco__join *j, taco_error *err)
{
    size_t cap = j->source_cap ? j->source_cap * 2 : 16;
    taco__join_archive *s = (taco__join_archive *)taco__arena_array(&j->arena, cap, sizeof *s, err);
    if (!s) { return false; }
    if (j->source_count) { memcpy(s, j->sources, j->source_count * sizeof *s); }
    j->sources = s;
    j->source_cap = cap;
    return true;
}

/* The number of a new archive; SIZE_MAX on failure. */
static size_t taco__join_add_archive(taco__join *j, taco_bytes name, taco_error *err)
{
    const char *copy = taco__arena_text(&j->arena, name, err);
    taco__hash_slot *slot;
    bool added;
    if (!copy || (j->source_count == j->source_cap && !taco__join_grow_archives(j, err))) {
        return SIZE_MAX;
    }
    name = taco__bytes_of(copy, name.len);
    slot = taco__hash_map_add(&j->by_name, name, &added, err);
    if (!slot) { return SIZE_MAX; }
    slot->value = j->source_count;
    j->sources[j->source_count].name = name;
    j->sources[j->source_count].first = -1;
    return j->source_count++;
}

/* The number of an archive; SIZE_MAX if it is new and `add` is not set, and on failure. */
TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err)
{
    const taco__hash_slot *slot = taco__hash_map_find(&j->by_name, name);
    if (slot) { return (size_t)slot->value; }
    return add ? taco__join_add_archive(j, name, err) : SIZE_MAX;
}

/* ---- passes over the columns of a join ---- */

TACO__FN bool taco__join_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

/* One row during a pass. */
typedef struct taco__join_row {
    size_t number;
    /* number of its archive; SIZE_MAX for one that the level above does not have */
    size_t source;
    /* its internal:current_id or internal:parent_id, if it has one */
    bool has_id;
    int64_t id;
} taco__join_row;

/* What a pass does with a row; it cannot fail. out is the array that the pass fills, or NULL. */
typedef void (*taco__join_row_fn)(taco__join *j, const taco__join_row *row, int32_t *out);

/* The columns of a pass, and their indexes in the arrays; TACO__NONE for one that is not read. */
typedef struct taco__join_columns {
    taco__row_reader rows;
    size_t id, source;
    /* new names become archives */
    bool add;
    /* the archive of the previous row, and its name */
    size_t last;
    taco_bytes last_name;
} taco__join_columns;

static bool taco__join_open_columns(taco__join *j, const taco__level *l, size_t id_column, bool add,
                                    taco__join_columns *c, taco_error *err)
{
    size_t which[2], n = 0;
    c->id = c->source = TACO__NONE;
    c->add = add;
    if (id_column != TACO__NONE) {
        c->id = n;
        which[n++] = id_column;
    }
    if (j->store->kind == TACO_KIND_TACOCAT && l->role.source != TACO__NONE) {
        c->source = n;
        which[n++] = l->role.source;
    }
    return taco__row_reader_open(&c->rows, &l->table, which, n, j->store->mem, err);
}

/* The archive of row i of a slice. Rows of one archive are consecutive, and if they share the bytes
   of its name (a dictionary), the name is not even compared. */
static bool taco__join_find_source(taco__join *j, taco__join_columns *c, size_t i, size_t *source,
                                   taco_error *err)
{
    taco_bytes name;
    *source = 0;
    if (c->source == TACO__NONE) { return true; }
    name = taco_array_bytes(&c->rows.arrays[c->source], i);
    if (c->last == SIZE_MAX || name.data != c->last_name.data || name.len != c->last_name.len) {
        c->last = taco__join_find_archive(j, name, c->add, err);
        c->last_name = name;
    }
    *source = c->last;
    return *source != SIZE_MAX || !c->add; /* searching alone cannot fail */
}

/* Processes n rows, beginning at `first`. */
static bool taco__join_do_slice(taco__join *j, taco__join_columns *c, uint64_t first, size_t n,
                                taco__join_row_fn each, int32_t *out, taco_error *err)
{
    const taco_array *ids = c->id != TACO__NONE ? &c->rows.arrays[c->id] : NULL;
    taco__join_row row;
    size_t i;
    /* names point into this slice only */
    c->last = SIZE_MAX;
    for (i = 0; i < n; i++) {
        row.number = (size_t)first + i;
        row.has_id = ids && taco_array_valid(ids, i);
        row.id = row.has_id ? taco_array_int(ids, i) : 0;
        if (!taco__join_find_source(j, c, i, &row.source, err)) { return false; }
        each(j, &row, out);
    }
    return true;
}

/* Calls `each` for every row of a level. id_column: TACO__NONE if there is none. */
static bool taco__join_for_each_row(taco__join *j, taco__level *l, size_t id_column, bool add,
                                    taco__join_row_fn each, int32_t *out, taco_error *err)
{
    taco__join_columns c;
    uint64_t first;
    bool ok;
    memset(&c, 0, sizeof c);
    ok = taco__join_open_columns(j, l, id_column, add, &c, err);
    for (first = 0; ok && first < l->table.rows; first += TACO__SCAN_SLICE) {
        size_t n = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__SCAN_SLICE);
        ok = taco__row_reader_read_range(&c.rows, first, n, err) &&
             taco__join_do_slice(j, &c, first, n, each, out, err);
    }
    taco__row_reader_close(&c.rows);
    return ok;
}

/* The level above: counts the rows of each archive, and checks that they are consecutive and their
   ids count from 0. */
static void taco__join_add_archive_row(taco__join *j, const taco__join_row *row, int32_t *out)
{
    taco__join_archive *s = &j->sources[row->source];
    (void)out;
    if (s->first < 0) { s->first = (int64_t)row->number; }
    j->plain = j->plain && s->first + s->count == (int64_t)row->number &&
               (!row->has_id || row->id == s->count);
    s->count++;
}

/* The level above, if that is not so: makes a key for each row. */
static void taco__join_add_row_key(taco__join *j, const taco__join_row *row, int32_t *out)
{
    taco__join_row_key *k = &j->keys[j->key_count++];
    (void)out;
    k->source = (uint32_t)row->source;
    k->row = (int32_t)row->number;
    k->id = row->has_id ? row->id : (int64_t)row->number - j->sources[row->source].first;
}

/* The number of a row within its archive, used instead of internal:current_id. */
static void taco__join_number_row(taco__join *j, const taco__join_row *row, int32_t *out)
{
    taco__join_archive *s = &j->sources[row->source];
    s->first = s->first < 0 ? (int64_t)row->number : s->first;
    out[row->number] = (int32_t)((int64_t)row->number - s->first);
}

/* ---- parents ---- */

/* By archive, id and row, so that the first row wins among equal ids. */
static int taco__join_compare_keys(const void *ctx, const void *a, const void *b)
{
    const taco__join_row_key *x = (const taco__join_row_key *)a, *y = (const taco__join_row_key *)b;
    (void)ctx;
    if (x->source != y->source) { return x->source < y->source ? -1 : 1; }
    if (x->id != y->id) { return x->id < y->id ? -1 : 1; }
    return (x->row > y->row) - (x->row < y->row);
}

/* The row with an id if ids are plain row numbers; -1: there is none. */
static int32_t taco__join_plain_parent(const taco__join *j, size_t source, int64_t id)
{
    const taco__join_archive *s = &j->sources[source];
    return id >= 0 && id < s->count ? (int32_t)(s->first + id) : -1;
}

/* The first row with an id among the keys; -1: there is none. */
static int32_t taco__join_search_parent(const taco__join *j, size_t source, int64_t id)
{
    size_t lo = 0, hi = j->key_count;
    const taco__join_row_key *k;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        k = &j->keys[mid];
        if (k->source < source || (k->source == source && k->id < id)) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    k = &j->keys[lo];
    return lo < j->key_count && k->source == source && k->id == id ? k->row : -1;
}

/* The level below: the parent of a row, -1 for an orphan. */
static void taco__join_find_parent(taco__join *j, const taco__join_row *row, int32_t *out)
{
    out[row->number] = !row->has_id || row->source >= j->source_count ? -1
                       : j->plain ? taco__join_plain_parent(j, row->source, row->id)
                                  : taco__join_search_parent(j, row->source, row->id);
}

/* Makes sorted keys of the rows of the level above. */
static bool taco__join_make_keys(taco__join *j, taco__level *above, taco_error *err)
{
    j->keys = (taco__join_row_key *)taco__arena_array(&j->arena, (size_t)above->table.rows + 1,
                                                      sizeof *j->keys, err);
    return j->keys &&
           taco__join_for_each_row(j, above, above->role.current, true, taco__join_add_row_key,
                                   NULL, err) &&
           taco__sort_in(j->store->mem, j->keys, j->key_count, sizeof *j->keys,
                         taco__join_compare_keys, NULL, err);
}

/* Fills l->parents. */
static bool taco__join_run(taco__join *j, taco__level *above, taco__level *l, taco_error *err)
{
    size_t id = above->role.current;
    if (id != TACO__NONE && !taco__join_is_integer(above->table.fields[id].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:current_id must be an integer");
        return false;
    }
    j->plain = true;
    /* without names all rows are of archive 0 */
    if ((j->store->kind != TACO_KIND_TACOCAT || above->role.source == TACO__NONE) &&
        taco__join_find_archive(j, taco__bytes_of(NULL, 0), true, err) == SIZE_MAX) {
        return false;
    }
    return taco__join_for_each_row(j, above, id, true, taco__join_add_archive_row, NULL, err) &&
           (j->plain || taco__join_make_keys(j, above, err)) &&
           taco__join_for_each_row(j, l, l->role.parent, false, taco__join_find_parent, l->parents,
                                   err);
}

/* An empty join of a container; taco__join_free ends it. */
TACO__FN void taco__join_init(taco__join *j, taco__container *s)
{
    memset(j, 0, sizeof *j);
    j->store = s;
    j->arena.mem = j->by_name.mem = s->mem;
}

/* Frees the archives and keys. */
TACO__FN void taco__join_free(taco__join *j)
{
    taco__hash_map_free(&j->by_name);
    taco__arena_free(&j->arena);
}

/* The numbers of all rows of a level of a catalogue within their archives; out has room for all. */
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err)
{
    taco__join j;
    bool ok;
    taco__join_init(&j, s);
    ok = taco__join_for_each_row(&j, l, TACO__NONE, true, taco__join_number_row, out, err);
    taco__join_free(&j);
    return ok;
}

/* Joining a level requires internal:parent_id. */
static bool taco__join_check_level(const taco__container *s, const taco__level *l, taco_error *err)
{
    if (l->role.parent != TACO__NONE &&
        taco__join_is_integer(l->table.fields[l->role.parent].type)) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               l->role.parent == TACO__NONE
                   ? "there is no internal:parent_id, the level cannot be joined"
                   : "internal:parent_id must be an integer");
    return taco__container_fail(s, l->name, err);
}

/* Makes sure that level n >= 1 has its parents, unless it has no rows. */
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    taco__join j;
    size_t bytes;
    bool ok;
    if (!l) { return false; }
    if (l->parents || l->table.rows == 0) { return true; }
    if (!taco__join_check_level(s, l, err)) { return false; }
    if (taco__array_buf_size((size_t)l->table.rows, sizeof *l->parents, &bytes, err)) {
        l->parents = (int32_t *)taco__mem_alloc(s->mem, bytes, err);
    }
    if (!l->parents) { return taco__container_fail(s, l->name, err); }
    taco__join_init(&j, s);
    ok = taco__join_run(&j, above, l, err);
    taco__join_free(&j);
    if (!ok) {
        taco__mem_free(s->mem, l->parents, bytes);
        l->parents = NULL;
        return taco__container_fail(s, NULL, err);
    }
    return true;
}

/* Replaces a row of a level by its ancestor in level 0; false if it has none, and on failure. */
TACO__FN bool taco__join_top_row(taco__container *s, uint32_t level, uint64_t *row, taco_error *err)
{
    for (; level; level--) {
        taco__level *l = taco__container_level(s, level, err);
        if (!l || !taco__join_make_parents(s, level, err) || *row >= l->table.rows ||
            l->parents[*row] < 0) {
            return false;
        }
        *row = (uint64_t)l->parents[*row];
    }
    return true;
}
/* ==== src/dataset/parent_lookup.c ==== */
/* parent_lookup.c - the parents or children of a few rows, without joining the whole level

   A PIT stores the children of row i after those of row i - 1, so that the children of a few rows
   are on few pages (June 2025 §"O(1)"; facts: june2025 1). The statistics of internal:parent_id say
   which pages these are, and the rows there are tested: in any other order more is read, but the
   result is right, whatever pit_schema says.

   taco__lookup_is_possible says whether to try, taco__lookup_find_rows looks for children and says
   whether that was worth it, taco__lookup_parent handles a single row. If it does not pay, the
   level is joined (level_join.c), which is remembered in taco__level.single_lookups. */
/* #include "cascade.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

/* levels with fewer rows are joined */
#define TACO__LOOKUP_MIN_ROWS 8192
/* number of bytes that justifies another round of reading */
#define TACO__LOOKUP_ROUND_BYTES ((uint64_t)1 << 20)
/* most rows whose parents are looked up individually, before joining the level */
#define TACO__LOOKUP_MAX_SINGLE 64

/* ---- the condition: a number is one of a set ---- */

static bool taco__lookup_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                              uint8_t *valid_bits, taco_error *err)
{
    const taco__lookup_set *set = (const taco__lookup_set *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t v = taco_array_valid(a, i) ? taco_array_int(a, i) : -1;
        if (v >= 0 && (uint64_t)v < set->rows && taco__bitmap_get(set->bits, (size_t)v)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* By statistics: no number of the set is between the bounds of a page or row group. */
static unsigned taco__lookup_prune(void *ctx, const taco__column_stats *r)
{
    const taco__lookup_set *set = (const taco__lookup_set *)ctx;
    taco__i256 zero = taco__i256_from_i64(0), last = taco__i256_from_i64((int64_t)set->rows - 1);
    uint64_t lo, hi;
    if (!r->has_min || !r->has_max) { return TACO__MAY_ANY; }
    lo = taco__i256_compare(&r->min.d, &zero) < 0 ? 0 : r->min.d.w[0];
    hi = taco__i256_compare(&r->max.d, &last) > 0 ? set->rows - 1 : r->max.d.w[0];
    if (taco__i256_compare(&r->min.d, &last) > 0 || taco__i256_compare(&r->max.d, &zero) < 0 ||
        lo > hi || taco__bitmap_count(set->bits, (size_t)lo, (size_t)(hi - lo) + 1) == 0) {
        return TACO__MAY_FALSE | TACO__MAY_NULL;
    }
    return TACO__MAY_ANY;
}

/* ---- whether it may be tried ---- */

/* Whether the size of internal:parent_id justifies another round of reading. */
static bool taco__lookup_is_worth_a_round(const taco__level *l)
{
    uint64_t bytes = 0;
    uint32_t g;
    for (g = 0; g < taco__table_group_count(&l->table) && bytes < TACO__LOOKUP_ROUND_BYTES; g++) {
        bytes += taco__scan_fetch_chunk_bytes(&l->table, &l->role.parent, 1, g, false);
    }
    return bytes >= TACO__LOOKUP_ROUND_BYTES;
}

/* Whether to look for the children of few rows of level n - 1 this way. Not in a catalogue, because
   numbers restart in every archive; nor if everything that joins the levels is read in the first
   round anyway. */
TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n)
{
    const taco__level *l = &s->levels[n], *above = &s->levels[n - 1];
    if (l->parents || l->single_lookups >= TACO__LOOKUP_MAX_SINGLE ||
        s->kind == TACO_KIND_TACOCAT || !l->table.pq || l->table.rows < TACO__LOOKUP_MIN_ROWS ||
        l->role.parent == TACO__NONE || !above->table.rows ||
        !taco__join_is_integer(l->table.fields[l->role.parent].type) ||
        taco__scan_prune_flat_leaf(&l->table, l->role.parent) == UINT32_MAX) {
        return false;
    }
    if (above->role.current != TACO__NONE &&
        (!above->table.pq ||
         !taco__join_is_integer(above->table.fields[above->role.current].type))) {
        return false;
    }
    return !l->table.pq->part.file->src.read_many || taco__lookup_is_worth_a_round(l);
}

/* Whether statistics leave at most half of the rows, ignoring those with page statistics. */
static bool taco__lookup_is_worthwhile(taco__scan *scan, const taco__table *t, size_t column)
{
    uint64_t left = 0;
    uint32_t g, leaf = taco__scan_prune_flat_leaf(t, column);
    for (g = 0; g < taco__table_group_count(t); g++) {
        const taco__pq_column_chunk *c = &t->pq->meta.groups[g].chunks[leaf];
        if ((taco__scan_prune_group(scan, g) & TACO__MAY_TRUE) &&
            !(c->column_index.len && taco__page_index_is_useful(c))) {
            left += taco__table_group_rows(t, g);
        }
    }
    return left <= t->rows / 2;
}

/* ---- children of a set of rows ---- */

/* Scans for the rows and sets their bits, or checks that they have their own numbers. *found: how
   many, UINT64_MAX if they have not. */
static void taco__lookup_scan(taco__scan *scan, uint8_t *out, uint64_t *found, taco_error *err)
{
    const uint32_t *rows;
    uint64_t base;
    size_t i, n;
    while ((n = taco__scan_next(scan, TACO__SCAN_SLICE, !out, &rows, &base, err)) != 0) {
        *found += n;
        for (i = 0; i < n; i++) {
            if (out) {
                taco__bitmap_set(out, (size_t)base + rows[i]);
            } else if (taco_array_int(&scan->out.arrays[0], i) != (int64_t)(base + rows[i])) {
                *found = UINT64_MAX;
                return;
            }
        }
    }
}

/* Scans a level for the rows that match e; out, found: as in taco__lookup_find_rows. */
static bool taco__lookup_scan_level(taco__container *s, taco__level *l, size_t column,
                                    const taco__expr *e, uint8_t *out, uint64_t *found,
                                    taco_error *err)
{
    taco__scan scan;
    if (!taco__scan_open(&scan, &l->table, e, NULL, &column, out ? 0 : 1, TACO__SCAN_SLICE, s->mem,
                         err)) {
        return false;
    }
    if (out && !taco__lookup_is_worthwhile(&scan, &l->table, column)) {
        *found = UINT64_MAX;
    } else {
        taco__lookup_scan(&scan, out, found, err);
    }
    /* the children are not in order: do not try again */
    if (out && scan.plan.counts.pages_pruned < scan.plan.counts.pages / 2) {
        l->single_lookups = TACO__LOOKUP_MAX_SINGLE;
    }
    taco__scan_close(&scan);
    return err->code == TACO_OK;
}

/* Finds the rows of a level whose column has a number of the set, and sets their bits in out. If
   out is NULL, they must be the rows with exactly these numbers. *found: how many, UINT64_MAX if it
   does not pay, or they are not. err must not be NULL. */
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *set, uint8_t *out, uint64_t *found,
                                     taco_error *err)
{
    taco__custom_predicate c;
    taco__arena arena;
    taco__expr *e;
    bool ok;
    memset(&c, 0, sizeof c);
    memset(&arena, 0, sizeof arena);
    c.ctx = (void *)set;
    c.eval = taco__lookup_test;
    c.prune = taco__lookup_prune;
    arena.mem = s->mem;
    *found = 0;
    e = taco__expr_custom(&arena, column, &c, err);
    ok = e && taco__pred_bind(e, l->table.fields, l->table.field_count, &arena, err) &&
         taco__lookup_scan_level(s, l, column, e, out, found, err);
    taco__arena_free(&arena);
    if (!ok) { taco__container_fail(s, l->name, err); }
    return ok;
}

/* Whether the `count` numbers of the set are the internal:current_id of exactly the rows with these
   numbers: then a child's internal:parent_id is the row of its parent. */
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *set, uint64_t count,
                                               bool *own, taco_error *err)
{
    uint64_t found = count;
    bool ok = l->role.current == TACO__NONE ||
              taco__lookup_find_rows(s, l, l->role.current, set, NULL, &found, err);
    *own = found == count;
    return ok;
}

/* ---- the parent of a row ---- */

/* internal:parent_id of one row; -1 if it is null. */
static bool taco__lookup_read_parent(taco__container *s, const taco__level *l, uint64_t row,
                                     int64_t *out, bool *null, taco_error *err)
{
    taco__row_reader one;
    bool ok;
    if (!taco__row_reader_open(&one, &l->table, &l->role.parent, 1, s->mem, err)) { return false; }
    ok = taco__row_reader_read_range(&one, row, 1, err);
    *null = ok && !taco_array_valid(&one.arrays[0], 0);
    *out = ok && !*null ? taco_array_int(&one.arrays[0], 0) : -1;
    taco__row_reader_close(&one);
    return ok;
}

/* Whether the row with that number in a level has the number as its id, and no other row does. */
static bool taco__lookup_check_parent(taco__container *s, taco__level *above, int64_t parent,
                                      bool *own, taco_error *err)
{
    size_t bytes = TACO__BITMAP_BYTES((size_t)above->table.rows) + 8;
    uint8_t *bits = (uint8_t *)taco__mem_alloc(s->mem, bytes, err);
    taco__lookup_set set;
    bool ok;
    if (!bits) { return false; }
    set.bits = bits;
    set.rows = above->table.rows;
    taco__bitmap_set(bits, (size_t)parent);
    ok = taco__lookup_ids_are_row_numbers(s, above, &set, 1, own, err);
    taco__mem_free(s->mem, bits, bytes);
    return ok;
}

/* The parent of one row by reading only its number; *known: that was enough. */
static bool taco__lookup_single_parent(taco__container *s, taco__level *above, taco__level *l,
                                       uint64_t row, int64_t *out, bool *known, taco_error *err)
{
    l->single_lookups++;
    if (!taco__lookup_read_parent(s, l, row, out, known, err)) { return false; }
    if (*out >= 0 && (uint64_t)*out < above->table.rows) {
        return taco__lookup_check_parent(s, above, *out, known, err);
    }
    return true;
}

/* Row of the parent of one row of level n >= 1; -1: none. */
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    bool known = false;
    *out = -1;
    if (!l) { return false; }
    if (row >= l->table.rows) { return true; }
    if (taco__lookup_is_possible(s, n)) {
        if (!taco__lookup_single_parent(s, above, l, row, out, &known, err)) {
            return taco__container_fail(s, l->name, err);
        }
        if (known) { return true; }
    }
    if (!taco__join_make_parents(s, n, err)) { return false; }
    *out = l->parents[row];
    return true;
}
/* ==== src/dataset/child_places.c ==== */
/* child_places.c - internal:offset and internal:size of children that a writer has mixed up

   In: a container with levels below the first. Out: taco__level.replaced, the places of all rows of
   a level, if those that its table stores lead to the bytes of other samples. TACO 2.0 §6.3.

   The writers of tacotoolbox (0.26.9 and before) collect the places of METADATA/level1.parquet and
   below FOLDER by FOLDER in the byte order of their paths, and give them to the rows in the order
   in which samples were added (facts: disagreements 1). The first samples of a level, and __meta__,
   are right. Where FOLDERs are in byte order, so that both orders are one, nothing can be wrong:
   that is what taco__places_suspect finds out, from the ids of the levels above. Otherwise the
   central directory decides, which has the place of every path and is read once; of a catalogue,
   those of its archives.

   The bytes of an entry begin at the one stored place that lies between its local header and the
   next one, whose extra field need not be read for that. */
/* #include "cursor.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */

/* Runs of rows of one archive. */
#define TACO__PLACES_RUNS 16

/* An entry of the central directory. */
typedef struct taco__places_entry {
    uint64_t local, size;
    uint64_t next; /* where the next local header, or the directory, begins */
    size_t name_len;
} taco__places_entry;

/* Consecutive rows of one archive. */
typedef struct taco__places_run {
    uint64_t first, count;
    taco_bytes source; /* of a catalogue */
} taco__places_run;

/* The ids of a level: row i has bytes[ends[i - 1]..ends[i]). */
typedef struct taco__places_ids {
    taco__buf bytes, ends;
} taco__places_ids;

typedef struct taco__places {
    taco__container *s;
    taco__arena arena; /* names of archives */
    /* archives of a catalogue with FOLDERs that are not in byte order */
    taco__hash_map suspected;
    bool any;
    taco__places_ids ids[TACO__MAX_LEVELS];
    taco__buf runs, path, last;
    /* the archive that is open: its directory, and the entries in the order of the file */
    taco__buf directory, entries;
    taco__hash_map by_name;
    taco__buf stored; /* the places that rows of a run have, in order */
    uint64_t *offset, *size, changed;
} taco__places;

static void taco__places_init(taco__places *p, taco__container *s)
{
    size_t i;
    memset(p, 0, sizeof *p);
    p->s = s;
    p->arena.mem = p->suspected.mem = p->by_name.mem = s->mem;
    p->runs.mem = p->path.mem = p->last.mem = s->mem;
    p->directory.mem = p->entries.mem = p->stored.mem = s->mem;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        p->ids[i].bytes.mem = p->ids[i].ends.mem = s->mem;
    }
}

static void taco__places_free(taco__places *p)
{
    size_t i;
    taco__hash_map_free(&p->suspected);
    taco__hash_map_free(&p->by_name);
    taco__buf_free(&p->runs);
    taco__buf_free(&p->path);
    taco__buf_free(&p->last);
    taco__buf_free(&p->directory);
    taco__buf_free(&p->entries);
    taco__buf_free(&p->stored);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__buf_free(&p->ids[i].bytes);
        taco__buf_free(&p->ids[i].ends);
    }
    taco__arena_free(&p->arena);
}

/* Replaces the contents of a buffer. */
static bool taco__places_keep(taco__buf *b, taco_bytes text, taco_error *err)
{
    b->len = 0;
    return taco__buf_append(b, text.data, text.len, err);
}

/* ---- passes over the rows of a level ---- */

/* Columns of a level, read in slices; SIZE_MAX for one that is not read. */
typedef struct taco__places_columns {
    taco__row_reader rows;
    taco__range_cache cache; /* of a remote file: all of them, read in one round */
    size_t id, type, offset, size, source;
} taco__places_columns;

static size_t taco__places_add_column(size_t column, size_t *which, size_t *n)
{
    if (column == TACO__NONE) { return SIZE_MAX; }
    which[*n] = column;
    return (*n)++;
}

static void taco__places_close(taco__places_columns *c)
{
    taco__row_reader_close(&c->rows);
    taco__range_cache_free(&c->cache);
}

/* Reads the columns of a remote file at once: slices would take a round each. */
static bool taco__places_fetch(taco__places *p, const taco__level *l, taco__places_columns *c,
                               taco_error *err)
{
    taco__file *file = l->table.pq ? l->table.pq->part.file : NULL;
    taco__buf ranges;
    bool ok;
    if (!file || !file->src.read_many) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->s->mem;
    ok = taco__table_reader_need_columns(&c->rows, NULL, &ranges, err) &&
         taco__range_cache_fetch(&c->cache, file, &ranges, err);
    taco__buf_free(&ranges);
    return ok;
}

static bool taco__places_open(taco__places *p, const taco__level *l, bool names, bool places,
                              taco__places_columns *c, taco_error *err)
{
    const taco__column_roles *r = &l->role;
    size_t which[5], n = 0;
    c->id = taco__places_add_column(names ? r->id : TACO__NONE, which, &n);
    c->type = taco__places_add_column(names ? r->type : TACO__NONE, which, &n);
    c->offset = taco__places_add_column(places ? r->offset : TACO__NONE, which, &n);
    c->size = taco__places_add_column(places ? r->size : TACO__NONE, which, &n);
    c->source = taco__places_add_column(p->s->kind == TACO_KIND_TACOCAT ? r->source : TACO__NONE,
                                        which, &n);
    taco__range_cache_init(&c->cache, p->s->mem);
    if (!taco__row_reader_open(&c->rows, &l->table, which, n, p->s->mem, err)) { return false; }
    if (taco__places_fetch(p, l, c, err)) { return true; }
    taco__places_close(c);
    return false;
}

/* Reads the slice that begins at row `at`, before row `end`; *n gets its rows. */
static bool taco__places_read(taco__places_columns *c, uint64_t at, uint64_t end, size_t *n,
                              taco_error *err)
{
    *n = (size_t)TACO__MIN(end - at, (uint64_t)TACO__BATCH_ROWS);
    return taco__row_reader_read_range(&c->rows, at, *n, err);
}

static taco_bytes taco__places_text(const taco__places_columns *c, size_t column, size_t i)
{
    return column == SIZE_MAX ? taco__bytes_of(NULL, 0)
                              : taco_array_bytes(&c->rows.arrays[column], i);
}

/* ---- FOLDERs that are not in byte order ---- */

/* Whether the path a/ is after b/. */
static bool taco__places_is_after(taco_bytes a, taco_bytes b)
{
    const size_t n = TACO__MIN(a.len, b.len);
    const int order = n ? memcmp(a.data, b.data, n) : 0;
    if (order || a.len == b.len) { return order > 0; }
    return a.len < b.len ? b.data[n] < '/' : a.data[n] > '/';
}

/* Marks the archive that a row is of. */
static bool taco__places_mark(taco__places *p, taco_bytes source, taco_error *err)
{
    const char *copy;
    bool added;
    p->any = true;
    if (p->s->kind != TACO_KIND_TACOCAT || taco__hash_map_find(&p->suspected, source)) {
        return true;
    }
    copy = taco__arena_text(&p->arena, source, err);
    return copy && taco__hash_map_add(&p->suspected, taco__bytes_of(copy, source.len), &added, err);
}

/* The FOLDER before the current row, in the same archive: its id is p->last. */
typedef struct taco__places_before {
    bool any;
    int32_t parent;
    taco_bytes source;
} taco__places_before;

/* Compares row i of a slice with the FOLDER before it, which it then becomes. */
static bool taco__places_compare(taco__places *p, const taco__places_columns *c, size_t i,
                                 int32_t parent, taco__places_before *b, taco_error *err)
{
    const taco_bytes id = taco__places_text(c, c->id, i),
                     source = taco__places_text(c, c->source, i);
    const char *copy;
    if (c->type != SIZE_MAX &&
        taco__sample_path_parse_type(taco__places_text(c, c->type, i)) != 1) {
        return true;
    }
    if (b->any && !taco__bytes_equal(b->source, source)) { b->any = false; }
    if (b->any &&
        (b->parent > parent ||
         (b->parent == parent &&
          taco__places_is_after(taco__bytes_of(p->last.data, p->last.len), id))) &&
        !taco__places_mark(p, source, err)) {
        return false;
    }
    if (!b->any && source.len) {
        copy = taco__arena_text(&p->arena, source, err);
        if (!copy) { return false; }
        b->source = taco__bytes_of(copy, source.len);
    }
    b->any = true;
    b->parent = parent;
    return taco__places_keep(&p->last, id, err);
}

/* Looks for FOLDERs of a level that are not in the byte order of their paths. */
static bool taco__places_suspect(taco__places *p, uint32_t level, taco_error *err)
{
    taco__level *l = taco__container_level(p->s, level, err);
    taco__places_columns c;
    taco__places_before b;
    uint64_t at;
    size_t n, i;
    bool ok;
    memset(&b, 0, sizeof b);
    if (!l || (level && !taco__join_make_parents(p->s, level, err)) ||
        !taco__places_open(p, l, true, false, &c, err)) {
        return false;
    }
    ok = true;
    for (at = 0; ok && at < l->table.rows; at += n) {
        ok = taco__places_read(&c, at, l->table.rows, &n, err);
        for (i = 0; ok && i < n; i++) {
            ok = taco__places_compare(p, &c, i, level ? l->parents[(size_t)at + i] : 0, &b, err);
        }
        /* one archive needs no second reason */
        if (p->any && p->s->kind == TACO_KIND_ZIP) { break; }
    }
    taco__places_close(&c);
    return ok || taco__container_fail(p->s, l->name, err);
}

/* ---- the central directory ---- */

static bool taco__places_is_payload(taco_bytes name)
{
    return name.len > 5 && memcmp(name.data, "DATA/", 5) == 0;
}

/* Order by local header. */
static int taco__places_by_local(const void *ctx, const void *a, const void *b)
{
    const uint64_t x = ((const taco__places_entry *)a)->local,
                   y = ((const taco__places_entry *)b)->local;
    (void)ctx;
    return x < y ? -1 : x > y;
}

static int taco__places_by_number(const void *ctx, const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)ctx;
    return x < y ? -1 : x > y;
}

/* Reads the entries, whose local headers are then in order: each ends where the next one begins. */
static bool taco__places_list_entries(taco__places *p, const taco__zip_dir *dir,
                                      taco_bytes directory, taco_error *err)
{
    taco__zip_iter it = taco__zip_iter_init(directory, dir);
    taco__places_entry *list, one;
    taco__zip_entry e;
    size_t n, i;
    memset(&one, 0, sizeof one);
    p->entries.len = 0;
    while (taco__zip_next(&it, &e, err)) {
        one.local = e.local;
        one.size = e.csize;
        one.name_len = e.name.len;
        if (!taco__buf_append(&p->entries, &one, sizeof one, err)) { return false; }
    }
    n = p->entries.len / sizeof one;
    list = (taco__places_entry *)(void *)p->entries.data;
    if (it.bad ||
        !taco__sort_in(p->s->mem, list, n, sizeof *list, taco__places_by_local, NULL, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        list[i].next = i + 1 < n ? list[i + 1].local : dir->offset;
    }
    return true;
}

/* The entry whose local header is there. */
static size_t taco__places_find_local(const taco__places *p, uint64_t local)
{
    const taco__places_entry *list = (const taco__places_entry *)(const void *)p->entries.data;
    size_t at = 0;
    TACO__LOWER_BOUND(at, p->entries.len / sizeof *list, i, list[i].local < local);
    return at;
}

/* Maps the names of payloads and __meta__ to their entries; of two with a name the last one. */
static bool taco__places_index_names(taco__places *p, const taco__zip_dir *dir,
                                     taco_bytes directory, taco_error *err)
{
    taco__zip_iter it = taco__zip_iter_init(directory, dir);
    taco__zip_entry e;
    if (!taco__hash_map_reset(&p->by_name, p->entries.len / sizeof(taco__places_entry), err)) {
        return false;
    }
    while (taco__zip_next(&it, &e, err)) {
        taco__hash_slot *slot;
        bool added;
        if (!taco__places_is_payload(e.name)) { continue; }
        slot = taco__hash_map_add(&p->by_name, e.name, &added, err);
        if (!slot) { return false; }
        slot->value = taco__places_find_local(p, e.local);
    }
    return !it.bad;
}

/* The file of an archive: the container's own, or one of a catalogue. */
static taco__file *taco__places_file(taco__places *p, taco_bytes source, taco_error *err)
{
    if (p->s->kind == TACO_KIND_ZIP) { return &p->s->file; }
    return taco__vsi_check_name(source, TACO__SOURCE_FILE, err) == TACO_OK
               ? taco__container_open_archive(p->s, source, err)
               : NULL;
}

static bool taco__places_read_directory(taco__places *p, taco__file *f, taco_error *err)
{
    taco__zip_dir dir;
    taco_bytes directory;
    if (taco__zip_open(f, &dir, &p->directory, err) == TACO_OK &&
        taco__zip_read_directory(f, &dir, p->s->options->limits.max_metadata, &p->directory,
                                 &directory, err) == TACO_OK &&
        taco__places_list_entries(p, &dir, directory, err) &&
        taco__places_index_names(p, &dir, directory, err)) {
        return true;
    }
    taco__error_prefix(err, "FOLDERs are not in byte order, and whether internal:offset leads to "
                            "other samples is known by the central directory alone");
    return false;
}

/* ---- the place of a row ---- */

/* Appends the id of a row of a level above, and those of its ancestors before it. */
static bool taco__places_append_ids(taco__places *p, uint32_t level, int32_t row, taco_error *err)
{
    const taco__places_ids *x = &p->ids[level];
    const size_t *ends = (const size_t *)(const void *)x->ends.data;
    size_t begin;
    if (row < 0 || (size_t)row >= x->ends.len / sizeof *ends) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "a row without a parent");
        return false;
    }
    begin = row ? ends[row - 1] : 0;
    return (!level ||
            taco__places_append_ids(p, level - 1, p->s->levels[level].parents[row], err)) &&
           taco__buf_append(&p->path, x->bytes.data + begin, ends[row] - begin, err) &&
           taco__buf_append_char(&p->path, '/', err);
}

/* Makes p->path: the name of the entry of a row, whose slice is in c. */
static bool taco__places_make_path(taco__places *p, const taco__places_columns *c, uint32_t level,
                                   uint64_t row, size_t i, taco_error *err)
{
    const taco_bytes id = taco__places_text(c, c->id, i);
    p->path.len = 0;
    return taco__buf_append_text(&p->path, "DATA/", err) &&
           taco__places_append_ids(p, level - 1, p->s->levels[level].parents[(size_t)row], err) &&
           taco__buf_append(&p->path, id.data, id.len, err) &&
           (taco__sample_path_parse_type(taco__places_text(c, c->type, i)) != 1 ||
            taco__buf_append_text(&p->path, "/__meta__", err));
}

/* Where the bytes of an entry begin, from its local header (APPNOTE 4.3.7). */
static bool taco__places_read_local(taco__file *f, const taco__places_entry *e, uint64_t *at,
                                    taco__buf *scratch, taco_error *err)
{
    const uint8_t *h = taco__file_view(f, e->local, TACO__ZIP_LOCAL_BYTES, scratch, err);
    if (!h) { return false; }
    *at = e->local + TACO__ZIP_LOCAL_BYTES + taco__load_le16(h + 26) + taco__load_le16(h + 28);
    if (taco__load_le32(h) == TACO__ZIP_SIG_LOCAL && *at <= e->next && e->size <= e->next - *at) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, e->local, "ZIP: no local header of %u bytes is here",
               e->size);
    return false;
}

/* Sets the place of a row to that of its entry. */
static bool taco__places_set(taco__places *p, taco__file *f, uint64_t row, taco__buf *scratch,
                             taco_error *err)
{
    const uint64_t *stored = (const uint64_t *)(const void *)p->stored.data;
    const taco__hash_slot *slot =
        taco__hash_map_find(&p->by_name, taco__bytes_of(p->path.data, p->path.len));
    const taco_bytes name = taco__bytes_of(p->path.data, p->path.len);
    const taco__places_entry *e;
    uint64_t head, at;
    size_t low = 0;
    if (!slot) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "row %u: the central directory has no entry %q, so the place of the sample is "
                   "not known",
                   row, &name);
        return false;
    }
    e = (const taco__places_entry *)(const void *)p->entries.data + (size_t)slot->value;
    head = e->local + TACO__ZIP_LOCAL_BYTES + e->name_len;
    TACO__LOWER_BOUND(low, p->stored.len / sizeof *stored, i, stored[i] < head);
    at = low < p->stored.len / sizeof *stored ? stored[low] : UINT64_MAX;
    if ((at > e->next || e->size > e->next - at) &&
        !taco__places_read_local(f, e, &at, scratch, err)) {
        return false;
    }
    p->changed += p->offset[row] != at || p->size[row] != e->size;
    p->offset[row] = at;
    p->size[row] = e->size;
    return true;
}

/* Sorts the places that the rows of a run have. */
static bool taco__places_sort_stored(taco__places *p, const taco__places_run *run, taco_error *err)
{
    p->stored.len = 0;
    return taco__buf_append(&p->stored, p->offset + (size_t)run->first,
                            (size_t)run->count * sizeof *p->offset, err) &&
           taco__sort_in(p->s->mem, p->stored.data, (size_t)run->count, sizeof *p->offset,
                         taco__places_by_number, NULL, err);
}

/* Sets the places of all rows of an archive. */
static bool taco__places_set_run(taco__places *p, uint32_t level, const taco__places_run *run,
                                 taco__places_columns *c, taco_error *err)
{
    taco__file *f = taco__places_file(p, run->source, err);
    const uint64_t end = run->first + run->count;
    taco__buf scratch;
    uint64_t at;
    size_t n, i;
    bool ok = f && taco__places_read_directory(p, f, err) && taco__places_sort_stored(p, run, err);
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = p->s->mem;
    for (at = run->first; ok && at < end; at += n) {
        ok = taco__places_read(c, at, end, &n, err);
        for (i = 0; ok && i < n; i++) {
            ok = taco__places_make_path(p, c, level, at + i, i, err) &&
                 taco__places_set(p, f, at + i, &scratch, err);
        }
    }
    taco__buf_free(&scratch);
    if (!ok && run->source.len) { taco__error_prefix(err, "%q", &run->source); }
    return ok;
}

/* ---- a level ---- */

/* Loads the ids of a level above. */
static bool taco__places_load_ids(taco__places *p, uint32_t level, taco_error *err)
{
    taco__level *l = taco__container_level(p->s, level, err);
    taco__places_ids *x = &p->ids[level];
    taco__places_columns c;
    uint64_t at;
    size_t n, i;
    bool ok;
    if (x->ends.len) { return true; }
    if (!l || (level && !taco__join_make_parents(p->s, level, err)) ||
        !taco__places_open(p, l, true, false, &c, err)) {
        return false;
    }
    ok = true;
    for (at = 0; ok && at < l->table.rows; at += n) {
        ok = taco__places_read(&c, at, l->table.rows, &n, err);
        for (i = 0; ok && i < n; i++) {
            const taco_bytes id = taco__places_text(&c, c.id, i);
            ok = taco__buf_append(&x->bytes, id.data, id.len, err) &&
                 taco__buf_append(&x->ends, &x->bytes.len, sizeof x->bytes.len, err);
        }
    }
    taco__places_close(&c);
    return ok;
}

/* Adds a row to the run of its archive, or begins one. */
static bool taco__places_add_to_run(taco__places *p, taco_bytes source, uint64_t row,
                                    taco_error *err)
{
    const size_t n = p->runs.len / sizeof(taco__places_run);
    taco__places_run *run = n ? (taco__places_run *)(void *)p->runs.data + (n - 1) : NULL, one;
    const char *copy;
    if (run && taco__bytes_equal(run->source, source)) {
        run->count++;
        return true;
    }
    copy = taco__arena_text(&p->arena, source, err);
    one.first = row;
    one.count = 1;
    one.source = taco__bytes_of(copy, source.len);
    return copy && taco__buf_append(&p->runs, &one, sizeof one, err);
}

/* Reads the stored places of all rows, and divides them into runs. */
static bool taco__places_load(taco__places *p, const taco__level *l, taco_error *err)
{
    taco__places_columns c;
    uint64_t at;
    size_t n, i;
    bool ok;
    p->runs.len = 0;
    p->changed = 0;
    p->offset = (uint64_t *)taco__arena_array(p->s->arena, (size_t)l->table.rows + 1,
                                              2 * sizeof *p->offset, err);
    if (!p->offset || !taco__places_open(p, l, false, true, &c, err)) { return false; }
    p->size = p->offset + (size_t)l->table.rows + 1;
    ok = true;
    for (at = 0; ok && at < l->table.rows; at += n) {
        ok = taco__places_read(&c, at, l->table.rows, &n, err);
        for (i = 0; ok && i < n; i++) {
            p->offset[at + i] = (uint64_t)taco_array_int(&c.rows.arrays[c.offset], i);
            p->size[at + i] = (uint64_t)taco_array_int(&c.rows.arrays[c.size], i);
            ok = taco__places_add_to_run(p, taco__places_text(&c, c.source, i), at + i, err);
        }
    }
    taco__places_close(&c);
    return ok;
}

/* Replaces the places of a level, and warns, once for a dataset. */
static void taco__places_replace(taco__places *p, taco__level *l)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    l->replaced.column[0] = l->role.offset;
    l->replaced.column[1] = l->role.size;
    l->replaced.values[0] = (const int64_t *)(const void *)p->offset;
    l->replaced.values[1] = (const int64_t *)(const void *)p->size;
    l->table.replaced = &l->replaced;
    l->places = 2;
    if (p->s->told_places) { return; }
    p->s->told_places = true;
    TACO__FAIL(
        &why, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
        "internal:offset of %u of %u rows leads to other samples, as its writer took FOLDERs "
        "in the order of their names; the central directory is used instead (taco repair "
        "writes a right one)",
        p->changed, l->table.rows);
    taco__container_warn(p->s, &why, l->name);
}

/* Compares the places of a level with the central directories of suspected archives. */
static bool taco__places_check_level(taco__places *p, uint32_t level, taco_error *err)
{
    taco__level *l = &p->s->levels[level];
    const taco__places_run *run;
    taco__places_columns c;
    uint32_t above;
    size_t i;
    bool ok = true;
    for (above = 0; ok && above < level; above++) {
        ok = taco__places_load_ids(p, above, err);
    }
    if (!ok || !taco__join_make_parents(p->s, level, err) || !taco__places_load(p, l, err) ||
        !taco__places_open(p, l, true, false, &c, err)) {
        return false;
    }
    run = (const taco__places_run *)(const void *)p->runs.data;
    for (i = 0; ok && i < p->runs.len / sizeof *run; i++) {
        taco__hash_slot *slot = taco__hash_map_find(&p->suspected, run[i].source);
        if (p->s->kind == TACO_KIND_TACOCAT && !slot) { continue; }
        /* writers keep the rows of an archive together: otherwise it would be read many times */
        if (slot && slot->value++ >= TACO__PLACES_RUNS) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "rows of %q are in more than %u places of the table", &run[i].source,
                       TACO__U(TACO__PLACES_RUNS));
            ok = false;
        }
        ok = ok && taco__places_set_run(p, level, &run[i], &c, err);
    }
    taco__places_close(&c);
    if (ok && p->changed) { taco__places_replace(p, l); }
    return ok;
}

/* Whether our own writer has made a table: it takes places from the samples themselves. */
static bool taco__places_is_ours(const taco__table *t)
{
    const taco_bytes by = t->pq ? t->pq->meta.created_by : taco__bytes_of(NULL, 0);
    return by.len > 15 && memcmp(by.data, "taco.h version ", 15) == 0;
}

/* Whether a level has what is compared; if not, whoever needs it says so. */
static bool taco__places_can_compare(const taco__container *s, const taco__level *l)
{
    const taco__column_roles *r = &l->role;
    const taco_field *f = l->table.fields;
    if (s->kind == TACO_KIND_TACOCAT &&
        (r->source == TACO__NONE || f[r->source].type != TACO_TEXT)) {
        return false;
    }
    return r->id != TACO__NONE && r->type != TACO__NONE && r->offset != TACO__NONE &&
           r->size != TACO__NONE && f[r->id].type == TACO_TEXT && f[r->type].type == TACO_TEXT &&
           taco__join_is_integer(f[r->offset].type) && f[r->offset].width == 8 &&
           taco__join_is_integer(f[r->size].type) && f[r->size].width == 8 && l->table.pq;
}

TACO__FN bool taco__places_check(taco__container *s, uint32_t level, taco_error *err)
{
    taco__level *l = level && !s->format && s->kind != TACO_KIND_FOLDER
                         ? taco__container_level(s, level, err)
                         : NULL;
    taco__places p;
    uint32_t above;
    bool ok = true;
    if (!l) { return level == 0 || s->format || s->kind == TACO_KIND_FOLDER; }
    if (l->places || !taco__places_can_compare(s, l) || taco__places_is_ours(&l->table)) {
        return true;
    }
    taco__places_init(&p, s);
    for (above = 0; ok && above < level; above++) {
        ok = taco__places_suspect(&p, above, err);
    }
    if (ok && p.any) { ok = taco__places_check_level(&p, level, err); }
    taco__places_free(&p);
    if (ok && !l->places) { l->places = 1; }
    return ok || taco__container_fail(s, l->name, err);
}
/* ==== src/dataset/box_in_crs.c ==== */
/* box_in_crs.c - a box in degrees against geometries in the CRS of their row

   In: istac:geometry and istac:crs, a box of longitudes and latitudes. Out: the rows whose geometry
   meets the box in degrees. TACO 2.0 §7.2.2 (filter_bbox), §8 (ISTAC keeps footprints in their own
   CRS).

   A geometry of a CRS that geo/projection.c computes is moved to degrees, vertex by vertex, in a
   copy, and compared there; its edges are straight between the vertices. Longitudes continue past
   180, so that a footprint there stays in one piece. Geographic CRSs,
   rows without a CRS and CRSs that are not computed are compared without conversion; a warning that
   there may be some of the last is given when the query is made, from statistics
   (taco__box_in_crs_warn). */
/* #include "cascade.h" */
/* #include "../base/base.h" */
/* #include "../filter/scan.h" */
/* #include "../geo/geo.h" */

/* The longest CRS text that is examined: the code is at the end. */
#define TACO__BOX_CRS_BYTES 8000

/* True if a box is in degrees, judging by its numbers: at least one side is bounded, and all
   bounded sides lie on the globe. */
TACO__FN bool taco__box_is_degrees(const double edge[4])
{
    const double most = 1e300;
    bool bounded = false;
    size_t i;
    for (i = 0; i < 4; i++) {
        double limit = i % 2 ? 90 : 180;
        if (edge[i] < -most || edge[i] > most) { continue; }
        if (edge[i] < -limit || edge[i] > limit) { return false; }
        bounded = true;
    }
    return bounded;
}

/* The EPSG code of a CRS, 0 if it is not known. */
static int32_t taco__box_crs_code(taco_bytes crs)
{
    char text[TACO__BOX_CRS_BYTES];
    if (crs.len == 0 || crs.len >= sizeof text) { return 0; }
    memcpy(text, crs.data, crs.len);
    text[crs.len] = 0;
    return taco__projection_epsg_code(text);
}

/* True for codes whose points are converted to degrees. */
static bool taco__box_crs_is_computed(int32_t code)
{
    double at[2];
    return !taco__projection_is_geographic(code) && taco__projection_inverse(code, 0, 0, at);
}

/* ---- one geometry ---- */

/* Converts every vertex of the geometry at wkb to degrees, in place; west and east become the
   outermost longitudes. CORRUPT, or TRUNCATED, if it is not WKB. Coordinates that are not numbers
   are unchanged. */
static taco_status taco__box_move_to_degrees(int32_t code, uint8_t *wkb, size_t len, double *west,
                                             double *east, taco_error *err)
{
    taco__wkb_reader reader;
    taco__wkb_item item;
    bool any = false;
    size_t i;
    *west = *east = 0;
    taco__wkb_reader_init(&reader, taco__bytes_of(wkb, len));
    for (;;) {
        taco_status st = taco__wkb_next(&reader, &item, err);
        if (st != TACO_OK || item.what == TACO__WKB_DONE) { return st; }
        for (i = 0; item.what == TACO__WKB_RUN && i < item.n; i++) {
            uint8_t *at = wkb + (item.xy - wkb) + i * item.stride;
            double to[2];
            if (!taco__projection_inverse_unwrapped(code, taco__wkb_coordinate(at, item.big),
                                                    taco__wkb_coordinate(at + 8, item.big), to) ||
                taco__f64_is_nan(to[0]) || taco__f64_is_nan(to[1])) {
                continue;
            }
            *west = any ? TACO__MIN(*west, to[0]) : to[0];
            *east = any ? TACO__MAX(*east, to[0]) : to[0];
            any = true;
            taco__wkb_put_coordinate(at, to[0], item.big);
            taco__wkb_put_coordinate(at + 8, to[1], item.big);
        }
    }
}

/* Whether the moved geometry meets the box, turned by `turn` degrees. */
static bool taco__box_meets_turned(const double box[4], double turn, taco_bytes moved, bool *hit,
                                   taco_error *err)
{
    double turned[4];
    memcpy(turned, box, sizeof turned);
    turned[0] += turn;
    turned[2] += turn;
    return taco__intersect_wkb_box(moved, turned, hit, err) == TACO_OK;
}

/* Whether a geometry of a projected CRS meets the box; scratch takes the copy. */
static bool taco__box_meets(const double box[4], int32_t code, taco_bytes wkb, taco__buf *scratch,
                            bool *hit, taco_error *err)
{
    double west, east;
    taco_bytes moved;
    scratch->len = 0;
    if (!taco__buf_append(scratch, wkb.data, wkb.len, err)) { return false; }
    moved = taco__bytes_of(scratch->data, scratch->len);
    if (taco__box_move_to_degrees(code, scratch->data, scratch->len, &west, &east, err) !=
            TACO_OK ||
        taco__intersect_wkb_box(moved, box, hit, err) != TACO_OK) {
        return false;
    }
    return (*hit || west >= -180 || taco__box_meets_turned(box, -360, moved, hit, err)) &&
           (*hit || east <= 180 || taco__box_meets_turned(box, 360, moved, hit, err));
}

/* Whether geometries of a CRS are compared with boxes in degrees: *code is what converts them, 0 if
   nothing does because they are in degrees. */
TACO__FN bool taco__box_crs_to_degrees(taco_bytes crs, int32_t *code)
{
    int32_t found = taco__box_crs_code(crs);
    *code = taco__box_crs_is_computed(found) ? found : 0;
    return *code || !crs.len || taco__projection_is_geographic(found);
}

/* The bounds of a geometry in the degrees in which taco__box_in_crs_test compares it; false if it
   is not WKB, or memory is short. */
TACO__FN bool taco__box_bounds_in_degrees(int32_t code, taco_bytes wkb, taco__buf *scratch,
                                          double out[4], bool *empty)
{
    double west, east;
    if (code) {
        scratch->len = 0;
        if (!taco__buf_append(scratch, wkb.data, wkb.len, NULL) ||
            taco__box_move_to_degrees(code, scratch->data, scratch->len, &west, &east, NULL) !=
                TACO_OK) {
            return false;
        }
        wkb = taco__bytes_of(scratch->data, scratch->len);
    }
    return taco__wkb_bounds(wkb, out, empty, NULL) == TACO_OK;
}

/* Whether a row meets a query's box: converted to degrees, or as it is where code is 0. */
static bool taco__box_row_meets(const taco__query_box *box, int32_t code, taco_bytes wkb,
                                taco__buf *scratch, bool *hit, taco_error *err)
{
    size_t k;
    bool ok = true;
    for (k = 0; ok && k < box->n && !*hit; k++) {
        ok = code ? taco__box_meets(box->edge[k], code, wkb, scratch, hit, err)
                  : taco__intersect_wkb_box(wkb, box->edge[k], hit, err) == TACO_OK;
    }
    return ok;
}

/* ---- a batch ---- */

/* taco__custom_predicate.eval_with: ctx is a taco__query_box. Neighbouring rows usually have the
   same CRS, whose text is then not parsed again. */
TACO__FN bool taco__box_in_crs_test(void *ctx, const taco_array *a, const taco_array *crs,
                                    size_t rows, taco__mem *mem, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    taco_bytes known = taco__bytes_of(NULL, 0);
    taco__buf scratch;
    int32_t code = 0;
    size_t i;
    bool ok = true;
    (void)valid_bits;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = mem;
    for (i = 0; ok && i < rows; i++) {
        taco_bytes wkb = taco_array_bytes(a, i), text = taco_array_bytes(crs, i);
        bool hit = false;
        if (!taco_array_valid(a, i)) { continue; }
        if (!taco__bytes_equal(text, known)) {
            known = text;
            code = taco__box_crs_code(text);
            code = taco__box_crs_is_computed(code) ? code : 0;
        }
        ok = taco__box_row_meets(box, code, wkb, &scratch, &hit, err);
        if (!ok) { taco__error_prefix(err, "row %u", TACO__U(i)); }
        if (hit) { taco__bitmap_set(true_bits, i); }
    }
    taco__buf_free(&scratch);
    return ok;
}

/* taco__custom_predicate.prune_with: if all rows have one CRS that is not converted, or none, the
   bounds of the geometries are in the numbers that the box is compared with. */
TACO__FN unsigned taco__box_in_crs_prune(void *ctx, const taco__column_stats *r,
                                         const taco__column_stats *crs)
{
    bool none = crs->row_count >= 0 && crs->null_count == crs->row_count;
    bool one = crs->has_min && crs->has_max && taco__bytes_equal(crs->min.b, crs->max.b);
    if (none || (one && !taco__box_crs_is_computed(taco__box_crs_code(crs->min.b)))) {
        return taco__query_box_prune(ctx, r);
    }
    return TACO__MAY_ANY;
}

/* ---- warnings ---- */

/* True if all texts from low to high are CRSs that are compared in degrees: one text, or two of one
   family of UTM zones, which are in order. */
static bool taco__box_crs_range_is_known(taco_bytes low, taco_bytes high)
{
    int32_t a = taco__box_crs_code(low), b = taco__box_crs_code(high);
    if (!(taco__projection_is_geographic(a) || taco__box_crs_is_computed(a)) ||
        !(taco__projection_is_geographic(b) || taco__box_crs_is_computed(b))) {
        return false;
    }
    return a == b || (low.len == high.len && a / 100 == b / 100);
}

/* Warns, once per query and table, if rows may have CRSs for which a box in degrees is meaningless:
   judged by the statistics of the row groups, which are in memory. */
TACO__FN void taco__box_in_crs_warn(const taco__table *t, size_t crs, const taco_options *options)
{
    taco_error w;
    uint32_t g;
    memset(&w, 0, sizeof w);
    if (!options || !options->warn || !t->pq) { return; }
    for (g = 0; g < taco__table_group_count(t); g++) {
        taco__column_stats r;
        taco__scan_prune_group_bounds(t, g, crs, &r);
        if (r.null_count >= 0 && r.null_count == r.row_count) { continue; }
        if (!r.has_min || !r.has_max || taco__box_crs_range_is_known(r.min.b, r.max.b)) {
            continue;
        }
        TACO__FAIL(
            &w, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
            "bbox: istac:crs is %q to %q: UTM, web mercator and geographic CRSs are compared "
            "with a box in degrees, geometries of others as they are",
            &r.min.b, &r.max.b);
        options->warn(options->warn_ctx, &w);
        return;
    }
}
/* ==== src/dataset/source_routing.c ==== */
/* source_routing.c - a merged collection (TACOLLECTION.json) as a dataset of its sources

   In: the path of a TACOLLECTION.json, whose taco:sources names archives and FOLDERs next to it
   in taco:sources; a query. Out: the paths of the sources that may have rows of the query, to be
   opened as one dataset. TACO 2.0 §6.6 ("individual partition extents in taco:sources for query
   routing").

   Extents are what writers claim, mostly of centroids and of middle times, and prove nothing about
   footprints: no source is left out because of them. taco_create_tacollection adds what does:
   taco:bounds, within which every footprint, centroid and time of the source lies, with the size of
   the archive and the CRC-32 of its end for which that holds. A source is left out if these bounds
   are disjoint from the box of a filter, or from its days, and the archive is still that one. The
   others are opened, and the statistics of their tables leave out what they can. */
/* #include "cascade.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../geo/geo.h" */

/* Bytes at the end of a file that its mark is made of. */
#define TACO__ROUTING_TAIL 4096
/* Microseconds of a day. */
#define TACO__ROUTING_DAY INT64_C(86400000000)

/* True for paths whose last component is TACOLLECTION.json. */
TACO__FN TACO__ONCE bool taco__routing_is_collection(const char *path)
{
    static const char name[] = "TACOLLECTION.json";
    size_t n = strlen(path), k = sizeof name - 1;
    return n >= k && strcmp(path + n - k, name) == 0 &&
           (n == k || path[n - k - 1] == '/' || path[n - k - 1] == '\\');
}

/* ---- bounds against a filter ---- */

/* Whether bounds [west, south, east, north] and a box share a point, all turned by 360 degrees or
   not: footprints continue across 180 degrees. */
static TACO__ONCE bool taco__routing_box_meets(const double b[4], const double box[4])
{
    double turn;
    if (b[1] > box[3] || b[3] < box[1]) { return false; }
    for (turn = -360; turn <= 360; turn += 360) {
        if (b[0] + turn <= box[2] && b[2] + turn >= box[0]) { return true; }
    }
    return false;
}

/* The same for the box of a filter; true if that cannot be decided: a box that is not in degrees,
   or that is compared with a column of the caller's, bounds that are not told. */
static TACO__ONCE bool taco__routing_spatial_meets(const taco__json *spatial, const taco_filter *f,
                                                   bool *meets, taco_error *err)
{
    double box[2][4], edge[4];
    size_t n, i;
    if (taco__intersect_split_box(f->bbox, box, &n, err) != TACO_OK) { return false; }
    for (i = 0; i < 4; i++) {
        if (!taco__json_double(taco__json_at(spatial, i), &edge[i])) { return true; }
    }
    if (f->geometry_column || (n == 1 && !taco__box_is_degrees(box[0]))) { return true; }
    for (i = 0; i < n && !taco__routing_box_meets(edge, box[i]); i++) {}
    *meets = *meets && i < n;
    return true;
}

/* Whether bounds ["first", "last"] and the days of a filter share an instant. */
static TACO__ONCE bool taco__routing_time_meets(const taco__json *temporal, const taco_filter *f,
                                                bool *meets, taco_error *err)
{
    const char *text[2];
    int64_t first, last, from, to, begin, end;
    bool date, whole;
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK) {
        return false;
    }
    text[0] = taco__json_text(taco__json_at(temporal, 0));
    text[1] = taco__json_text(taco__json_at(temporal, 1));
    if (f->time_column || !text[0] || !text[1] ||
        !taco__time_parse(taco__bytes_text(text[0]), &begin, &date) ||
        !taco__time_parse(taco__bytes_text(text[1]), &end, &whole)) {
        return true;
    }
    end += whole ? TACO__ROUTING_DAY - 1 : 0;
    *meets = *meets && begin < (last + 1) * TACO__ROUTING_DAY && end >= first * TACO__ROUTING_DAY;
    return true;
}

/* Whether a source may have rows that match all filters of a query, which may be NULL. */
static TACO__ONCE bool taco__routing_query_meets(const taco__json *bounds, const taco_query *q,
                                                 bool *meets, taco_error *err)
{
    const taco__json *spatial = taco__json_get(bounds, "spatial"),
                     *temporal = taco__json_get(bounds, "temporal");
    taco_filter own;
    size_t i;
    bool ok = true;
    *meets = true;
    if (!q) { return true; }
    memset(&own, 0, sizeof own);
    own.bbox = q->bbox;
    own.time = q->time;
    own.geometry_column = q->geometry_column;
    own.time_column = q->time_column;
    for (i = 0; ok && i <= q->filter_count; i++) {
        const taco_filter *f = i ? &q->filters[i - 1] : &own;
        ok = (!f->bbox || taco__routing_spatial_meets(spatial, f, meets, err)) &&
             (!f->time || taco__routing_time_meets(temporal, f, meets, err));
    }
    return ok;
}

/* What tells whether a file is another one: its size and the CRC-32 of its last bytes, which are an
   archive's central directory with the CRCs of its tables. False if it is no file, or with IO if it
   cannot be read. */
TACO__FN TACO__ONCE bool taco__routing_mark_read(const taco_options *options, const char *path,
                                                 taco__routing_mark *out, taco_error *err)
{
    uint8_t last[TACO__ROUTING_TAIL];
    taco_source src;
    size_t n;
    bool ok;
    if (!taco__source_open_path(options, path, &src, err)) { return false; }
    n = (size_t)TACO__MIN(src.size, (uint64_t)sizeof last);
    ok = n == 0 || (src.read && src.read(src.ctx, src.size - n, last, n));
    out->bytes = src.size;
    out->crc = taco__crc32(0, last, n);
    if (src.close) { src.close(src.ctx); }
    if (!ok) { TACO__FAIL(err, TACO_ERR_IO, src.size - n, "reading %u bytes failed", TACO__U(n)); }
    return ok;
}

/* Whether bounds still hold: a file on this machine is the one that they were made for. Remote
   files are not asked, which would take as long as to open them: a collection is published with its
   sources. */
static TACO__ONCE bool taco__routing_bounds_hold(const taco__json *bounds, const char *path,
                                                 const taco_options *options, bool *hold,
                                                 taco_error *err)
{
    int64_t bytes = -1, crc = -1;
    taco__routing_mark now;
    taco_error e;
    memset(&e, 0, sizeof e);
    *hold = false;
    if (!taco__json_int(taco__json_get(bounds, "bytes"), &bytes) || bytes < 0 ||
        !taco__json_int(taco__json_get(bounds, "crc"), &crc)) {
        return true;
    }
    if (strstr(path, "://") || strncmp(path, "/vsi", 4) == 0) {
        *hold = true;
        return true;
    }
    if (taco__routing_mark_read(options, path, &now, &e)) {
        *hold = now.bytes == (uint64_t)bytes && (int64_t)now.crc == crc;
    } else if (e.code == TACO_ERR_IO) {
        taco__error_prefix(&e, "%s", path);
        taco__error_copy(err, &e);
        return false;
    }
    return true;
}

/* ---- sources ---- */

/* The extents of files by name: `by_file` has indexes into the list, in the arena. The first of
   equal names counts. */
typedef struct taco__routing_extents {
    const taco__json **list;
    taco__hash_map by_file;
} taco__routing_extents;

static TACO__ONCE bool taco__routing_index_extents(taco__routing_extents *e, taco__arena *arena,
                                                   const taco__json *sources, taco_error *err)
{
    const taco__json *extents = taco__json_get(sources, "extents"), *x;
    size_t i, n = taco__json_is(extents, TACO__JSON_ARRAY) ? taco__json_length(extents) : 0;
    e->list = (const taco__json **)taco__arena_array(arena, n + 1, sizeof *e->list, err);
    if (!e->list || !taco__hash_map_reset(&e->by_file, n, err)) { return false; }
    for (i = 0, x = taco__json_first(extents); i < n; i++, x = taco__json_next(x)) {
        const taco__json *file = taco__json_get(x, "file");
        taco__hash_slot *slot;
        bool added;
        if (!taco__json_text(file)) { continue; }
        slot = taco__hash_map_add(&e->by_file, taco__json_bytes(file), &added, err);
        if (!slot) { return false; }
        if (added) { slot->value = i; }
        e->list[i] = x;
    }
    return true;
}

/* The extent of a file, NULL if it is not listed. */
static TACO__ONCE const taco__json *taco__routing_find_extent(const taco__routing_extents *e,
                                                              taco_bytes file)
{
    const taco__hash_slot *slot = file.data ? taco__hash_map_find(&e->by_file, file) : NULL;
    return slot ? e->list[slot->value] : NULL;
}

/* The path of a source: its bare name next to the collection; not the collection itself. NULL on
   failure. */
static TACO__ONCE const char *taco__routing_source_path(taco__arena *arena, const char *collection,
                                                        const taco__json *file, taco_error *err)
{
    const char *name = taco__json_text(file);
    size_t dir = strlen(collection) - strlen("TACOLLECTION.json"), n = name ? strlen(name) : 0;
    char *path;
    if (!name ||
        taco__vsi_check_name(taco__bytes_text(name), "taco:sources.files", err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "taco:sources.files must have names");
        return NULL;
    }
    if (taco__routing_is_collection(name)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:sources.files has the merged collection itself");
        return NULL;
    }
    path = (char *)taco__arena_alloc(arena, dir + n + 1, err);
    if (path) {
        memcpy(path, collection, dir);
        memcpy(path + dir, name, n + 1);
    }
    return path;
}

/* Whether a source may have rows of a query. */
static TACO__ONCE bool taco__routing_source_meets(const taco__routing_extents *extents,
                                                  const taco__json *file, const char *path,
                                                  const taco_query *q, const taco_options *options,
                                                  bool *meets, taco_error *err)
{
    const taco__json *bounds =
        taco__json_get(taco__routing_find_extent(extents, taco__json_bytes(file)), "taco:bounds");
    bool hold;
    if (!taco__routing_query_meets(bounds, q, meets, err)) { return false; }
    if (*meets) { return true; }
    if (!taco__routing_bounds_hold(bounds, path, options, &hold, err)) { return false; }
    *meets = !hold;
    return true;
}

/* The paths of the sources that may have rows of a query, in the arena; the first one if none has,
   because columns and tree are taken from one. */
static TACO__ONCE bool taco__routing_list_files(taco__arena *arena, const char *collection,
                                                const taco__json *files,
                                                const taco__routing_extents *extents,
                                                const taco_query *q, const taco_options *options,
                                                const char ***paths, size_t *n, taco_error *err)
{
    const taco__json *file;
    const char *stand_in = NULL;
    size_t i, count = taco__json_length(files);
    *paths = (const char **)taco__arena_array(arena, count, sizeof **paths, err);
    *n = 0;
    for (i = 0, file = taco__json_first(files); *paths && i < count;
         i++, file = taco__json_next(file)) {
        const char *path = taco__routing_source_path(arena, collection, file, err);
        bool meets = true;
        if (!path || !taco__routing_source_meets(extents, file, path, q, options, &meets, err)) {
            return false;
        }
        stand_in = stand_in ? stand_in : path;
        if (meets) { (*paths)[(*n)++] = path; }
    }
    if (*paths && *n == 0) { (*paths)[(*n)++] = stand_in; }
    return *paths != NULL;
}

/* taco__routing_list_files for the text of a collection. */
static TACO__ONCE bool taco__routing_list(taco__arena *arena, const char *collection,
                                          taco_bytes text, const taco_query *q,
                                          const taco_options *options, const char ***paths,
                                          size_t *n, taco_error *err)
{
    taco__json_doc doc;
    const taco__json *sources, *files;
    taco__routing_extents extents;
    bool ok;
    if (taco__json_parse(arena, text, &options->limits, &doc, err) != TACO_OK) { return false; }
    sources = taco__json_get(doc.root, "taco:sources");
    files = taco__json_get(sources, "files");
    if (!taco__json_is(files, TACO__JSON_ARRAY) || taco__json_length(files) == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "a merged collection must name its sources: taco:sources.files");
        return false;
    }
    memset(&extents, 0, sizeof extents);
    extents.by_file.mem = arena->mem;
    ok = taco__routing_index_extents(&extents, arena, sources, err) &&
         taco__routing_list_files(arena, collection, files, &extents, q, options, paths, n, err);
    taco__hash_map_free(&extents.by_file);
    if (ok) {
        taco__log(options, TACO_LOG_INFO, "%s: %u of %u sources opened", collection, TACO__U(*n),
                  TACO__U(taco__json_length(files)));
    }
    return ok;
}

/* Reads a merged collection, then opens its sources. */
static TACO__ONCE taco_dataset *taco__routing_open(taco__mem *mem, const char *path,
                                                   const taco_query *q, taco_column_mode mode,
                                                   const taco_options *opt, taco_error *err)
{
    taco_options options;
    taco__arena arena;
    taco__buf scratch;
    taco_source src;
    taco__file file;
    const uint8_t *text = NULL;
    const char **paths = NULL;
    size_t n = 0, len;
    taco_dataset *ds = NULL;
    memset(&arena, 0, sizeof arena);
    memset(&scratch, 0, sizeof scratch);
    arena.mem = scratch.mem = mem;
    taco__options_init(&options, opt);
    if (!taco__source_open_path(&options, path, &src, err)) { return NULL; }
    taco__file_init(&file, &src, "", mem);
    if (src.size > options.limits.max_metadata || !taco__checked_to_size(src.size, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u bytes, limits.max_metadata is %u",
                   src.size, options.limits.max_metadata);
    } else {
        text = taco__file_view(&file, 0, len, &scratch, err);
    }
    if (text &&
        taco__routing_list(&arena, path, taco__bytes_of(text, len), q, &options, &paths, &n, err)) {
        ds = taco_open_many(paths, n, mode, opt, err);
    } else {
        taco__error_prefix(err, "%s", path);
    }
    taco__file_close(&file);
    taco__buf_free(&scratch);
    taco__arena_free(&arena);
    return ds;
}

TACO_API taco_dataset *taco_open_tacollection(const char *path, const taco_query *route,
                                              taco_column_mode mode, const taco_options *opt,
                                              taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    err = taco__error_fresh(err, &own);
    if (!path || !taco__routing_is_collection(path)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path of a TACOLLECTION.json given");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    return taco__routing_open(&mem, path, route, mode, opt, err);
}
/* ==== src/dataset/query_filter.c ==== */
/* query_filter.c - taco_filter as conditions on a table: bbox, time, and no padding

   In: a filter of a query and the table of the level it is for. Out: an expression of the filter
   folder, the parts joined by AND, which is bound and tested elsewhere. TACO 2.0 §7.2.2.

   taco__query_add_filter handles a filter except its `where`; a box and a period become custom
   predicates (taco__custom_predicate) on a geometry or time column, a period on a native time
   column becomes a range, which statistics can prune. taco__query_hide_padding adds the condition
   that a row is not padding, unless statistics rule padding out. Boxes in degrees against
   geometries of other CRSs are in box_in_crs.c. Formats may have their own box and period. */
/* #include "cascade.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */
/* #include "../geo/geo.h" */

#define TACO__QUERY_DAY_US INT64_C(86400000000)

/* ---- padding ---- */

/* True for rows that are not padding; those without an id are not padding. */
static bool taco__query_padding_test(void *ctx, const taco_array *a, size_t rows,
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

/* Ids between two bounds are not padding if both bounds are on one side of it: everything that
   begins with "__TACOPAD" is before "__TACOPAE". */
static unsigned taco__query_padding_prune(void *ctx, const taco__column_stats *r)
{
    taco_bytes first = taco__bytes_text(TACO__PADDING_PREFIX),
               after = taco__bytes_text("__TACOPAE");
    (void)ctx;
    if ((r->has_max && taco__bytes_compare(r->max.b, first) < 0) ||
        (r->has_min && taco__bytes_compare(r->min.b, after) >= 0)) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}

/* Whether the statistics of some row group allow padding; so does a table with rows but without
   statistics. */
static bool taco__query_statistics_allow_padding(const taco__level *l)
{
    taco__column_stats r;
    uint32_t g;
    if (!l->table.pq) { return l->table.rows != 0; }
    for (g = 0; g < taco__table_group_count(&l->table); g++) {
        taco__scan_prune_group_bounds(&l->table, g, l->role.id, &r);
        if (taco__query_padding_prune(NULL, &r) != TACO__MAY_TRUE) { return true; }
    }
    return false;
}

/* Whether a level may have padding at all: if statistics rule it out, ids are not even read. */
static bool taco__query_may_have_padding(taco__level *l)
{
    if (l->padded < 0 && l->role.id != TACO__NONE &&
        l->table.fields[l->role.id].type == TACO_TEXT) {
        l->padded = taco__query_statistics_allow_padding(l);
    }
    return l->padded > 0;
}

/* Replaces *e by *e AND (the row is not padding); unchanged if the level has no padding. */
TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err)
{
    taco__custom_predicate c;
    taco__expr *real;
    if (!taco__query_may_have_padding(l)) { return true; }
    memset(&c, 0, sizeof c);
    c.eval = taco__query_padding_test;
    c.prune = taco__query_padding_prune;
    real = taco__expr_custom(arena, l->role.id, &c, err);
    *e = real ? taco__expr_and(arena, *e, real, err) : NULL;
    return *e != NULL;
}

/* ---- columns ---- */

/* What boxes and times test if no column is requested: TACO 2.0 §7.2.2. */
static const char *const taco__query_bbox_columns[] = {"istac:geometry", "stac:centroid",
                                                       "istac:centroid"};
static const char *const taco__query_time_columns[] = {"istac:time_start", "stac:time_start"};

/* The requested column, else the first of n names that the table has. TACO__NONE with NOT_FOUND,
   naming them all, if it has none. */
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
        if (c != TACO__NONE) { return c; }
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "no column to filter by %s: none of %s, %s%s%s", what, names[0], names[1],
               n > 2 ? ", " : "", n > 2 ? names[2] : "");
    return TACO__NONE;
}

/* ---- bbox ---- */

TACO__FN bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                   uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    taco_array part = *a;
    taco_status st = TACO_OK;
    size_t k;
    (void)valid_bits;
    part.length = rows;
    for (k = 0; st == TACO_OK && k < box->n; k++) {
        st = taco__intersect_filter_add(&part, box->edge[k], true_bits, err);
    }
    return st == TACO_OK;
}

/* Whether geometries within bounds may meet a box. Bounds from east to west continue across 180
   degrees, where a planar geometry may not: they say nothing about x. Bounds with a NaN, or from
   north to south, are no bounds. */
static bool taco__query_box_may_meet(const double edge[4], const taco__pq_geo_bounds *g)
{
    if (!(g->ymin <= g->ymax) || !(!taco__f64_is_nan(g->xmin) && !taco__f64_is_nan(g->xmax))) {
        return true;
    }
    if (g->ymin > edge[3] || g->ymax < edge[1]) { return false; }
    return g->xmin > g->xmax || (g->xmin <= edge[2] && g->xmax >= edge[0]);
}

/* The results that rows may have by the bounds of a row group's geometries, where a file has them
   (parquet-format "Geospatial.md"). */
TACO__FN unsigned taco__query_box_prune(void *ctx, const taco__column_stats *r)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    size_t k;
    if (!r->geo) { return TACO__MAY_ANY; }
    for (k = 0; k < box->n; k++) {
        if (taco__query_box_may_meet(box->edge[k], r->geo)) { return TACO__MAY_ANY; }
    }
    return TACO__MAY_FALSE | TACO__MAY_NULL;
}

/* The geometry intersects f->bbox. A box in degrees is compared with istac:geometry in degrees,
   whatever the CRS of a row; other boxes and columns are compared without conversion. options, for
   warnings, may be NULL. */
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, const taco_options *options,
                                          taco_error *err)
{
    size_t c =
        taco__query_find_column(t, f->geometry_column, taco__query_bbox_columns, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    size_t crs;
    if (c == TACO__NONE || !box ||
        taco__intersect_split_box(f->bbox, box->edge, &box->n, err) != TACO_OK) {
        return NULL;
    }
    if (t->fields[c].type != TACO_BINARY && t->fields[c].type != TACO_FIXED) {
        taco_bytes name = taco__bytes_text(t->fields[c].name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not a geometry: WKB is binary",
                   &name);
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__query_box_test;
    custom.prune = taco__query_box_prune;
    crs = taco__table_find_column(t, "istac:crs");
    if (crs != TACO__NONE && t->fields[crs].type == TACO_TEXT &&
        strcmp(t->fields[c].name, "istac:geometry") == 0 &&
        (box->n == 2 || taco__box_is_degrees(box->edge[0]))) {
        custom.with = crs;
        custom.eval_with = taco__box_in_crs_test;
        custom.prune_with = taco__box_in_crs_prune;
        taco__box_in_crs_warn(t, crs, options);
    }
    return taco__expr_custom(arena, c, &custom, err);
}

/* ---- time ---- */

/* Microseconds of a time stored as text, or, for whole days, of its midnight; false if it does not
   parse, as in TRY_CAST. */
static bool taco__query_parse_time(taco_bytes text, bool days, int64_t *us)
{
    int32_t day;
    bool date, zone;
    if (!days) { return taco__time_cast_timestamp(text, us, &date, &zone); }
    if (!taco__time_cast_date(text, &day)) { return false; }
    *us = (int64_t)day * TACO__QUERY_DAY_US;
    return true;
}

static bool taco__query_text_time_test(void *ctx, const taco_array *a, size_t rows,
                                       uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    int64_t us;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (taco_array_valid(a, i) &&
            taco__query_parse_time(taco_array_bytes(a, i), s->days, &us) && us >= s->from &&
            us < s->to) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

static bool taco__query_int96_time_test(void *ctx, const taco_array *a, size_t rows,
                                        uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t us;
        if (!taco_array_valid(a, i)) { continue; }
        us = taco__scalar_key_int96(a->v.u8 + i * 12);
        if (us >= s->from && us < s->to) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* The first multiple of `per` microseconds that is not before us, divided by `per`. */
static int64_t taco__query_round_up(int64_t us, int64_t per)
{
    return us / per + (us % per > 0);
}

/* us in the unit of a column; clamped to the column's range. */
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit)
{
    switch (unit) {
    case TACO_NANO:
        return us > INT64_MAX / 1000 ? INT64_MAX : us < INT64_MIN / 1000 ? INT64_MIN : us * 1000;
    case TACO_MILLI: return taco__query_round_up(us, 1000);
    case TACO_SECOND: return taco__query_round_up(us, 1000000);
    default: return us;
    }
}

/* f->time as a half-open period: whole days, or instants, where a single instant is a microsecond
   long. NULL on failure. */
TACO__FN taco__query_period *taco__query_parse_period(taco__arena *arena, const taco_filter *f,
                                                      taco_error *err)
{
    int64_t first = 0, last = 0, from = 0, to = 0;
    taco__query_period *p = (taco__query_period *)taco__arena_alloc(arena, sizeof *p, err);
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK || !p) {
        return NULL;
    }
    p->days = !f->exact_time;
    p->from = f->exact_time ? from : first * TACO__QUERY_DAY_US;
    p->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * TACO__QUERY_DAY_US;
    return p;
}

/* The time is in f->time. */
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    size_t c = taco__query_find_column(t, f->time_column, taco__query_time_columns, 2, "time", err);
    taco__query_period *p = taco__query_parse_period(arena, f, err);
    taco__custom_predicate custom;
    if (c == TACO__NONE || !p) {
        if (c == TACO__NONE && f->time_column) { taco__error_prefix(err, "time"); }
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = p;
    switch (t->fields[c].type) {
    case TACO_TIMESTAMP:
        return taco__expr_range_i64(arena, c, taco__query_time_in_unit(p->from, t->fields[c].unit),
                                    true, taco__query_time_in_unit(p->to, t->fields[c].unit), true,
                                    err);
    case TACO_DATE: /* a date is its midnight */
        return taco__expr_range_i64(arena, c, taco__query_round_up(p->from, TACO__QUERY_DAY_US),
                                    true, taco__query_round_up(p->to, TACO__QUERY_DAY_US), true,
                                    err);
    case TACO_TEXT: custom.eval = taco__query_text_time_test; break;
    case TACO_INT96: custom.eval = taco__query_int96_time_test; break;
    /* TRY_CAST of any other type gives no date: no row matches */
    default: return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    return taco__expr_custom(arena, c, &custom, err);
}

/* ---- filters ---- */

static taco__expr *taco__query_make_time(const taco_opener *format, taco__arena *arena,
                                         const taco__table *t, const taco_filter *f,
                                         taco_error *err)
{
    return format && format->time ? format->time(arena, t, f, err)
                                  : taco__query_add_time(arena, t, f, err);
}

static taco__expr *taco__query_make_bbox(const taco__container *s, taco__arena *arena,
                                         const taco__table *t, const taco_filter *f,
                                         taco_error *err)
{
    taco__expr *x = s && s->format && s->format->bbox
                        ? s->format->bbox(arena, t, f, err)
                        : taco__query_add_bbox(arena, t, f, s ? s->options : NULL, err);
    if (!x) { taco__error_prefix(err, "bbox"); }
    return x;
}

/* Replaces *e (NULL: true) by *e AND the time and box of a filter. Its condition is added by
   taco__query_parse_condition. s, which may be NULL, is the container of the table. */
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f, taco__expr **e,
                                     taco_error *err)
{
    const taco_opener *format = s ? s->format : NULL;
    taco__expr *x;
    if (f->time) {
        x = taco__query_make_time(format, arena, t, f, err);
        if (!x) { return false; }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->bbox && !TACO__WITH_GEOMETRY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "bbox, left out by TACO_NO_GEOMETRY");
        return false;
    }
    if (f->bbox) {
        x = taco__query_make_bbox(s, arena, t, f, err);
        if (!x) { return false; }
        *e = taco__expr_and(arena, *e, x, err);
    }
    return !err || err->code == TACO_OK;
}

/* The column of a table that a box or a time tests; NONE without an error if there is none. */
static size_t taco__query_tested_column(const taco__table *t, const taco_filter *f, bool time)
{
    const char *asked = time ? f->time_column : f->geometry_column;
    const char *const *names = time ? taco__query_time_columns : taco__query_bbox_columns;
    taco_error none = {0, TACO_OK, 0, {0}};
    return taco__query_find_column(t, asked, names, time ? 2 : 3, "", &none);
}

/* Something failed because level `own` lacks a column: appends which other level has one of n
   names, and the option that selects it, "--level " or "--table level". False if none has. */
TACO__FN TACO__COLD bool taco__query_level_hint(taco__container *s, uint32_t own,
                                                const char *const *names, size_t n,
                                                const char *option, taco_error *err)
{
    const uint32_t levels = err->code == TACO_OK || s->format ? 0 : taco__container_level_count(s);
    uint32_t l;
    size_t i;
    for (l = 0; l < levels; l++) {
        taco_error none = {0, TACO_OK, 0, {0}};
        const taco__level *level = l == own ? NULL : taco__container_level(s, l, &none);
        for (i = 0; level && i < n; i++) {
            if (names[i] && taco__table_find_column(&level->table, names[i]) != TACO__NONE) {
                taco__error_suffix(err, "; level %u has %s (%s%u)", TACO__U(l), names[i], option,
                                   TACO__U(l));
                return true;
            }
        }
    }
    return false;
}

/* The same for a filter, whose level has no place or no time. */
TACO__FN TACO__COLD void taco__query_hint(taco__container *s, const taco_filter *f, taco_error *err)
{
    const taco__table *t = &s->levels[f->level].table;
    const bool time = f->time && (!f->bbox || taco__query_tested_column(t, f, true) == TACO__NONE);
    const char *const *asked = time ? &f->time_column : &f->geometry_column;
    const char *const *names = time ? taco__query_time_columns : taco__query_bbox_columns;
    if (err->code != TACO_ERR_NOT_FOUND) { return; }
    taco__query_level_hint(s, f->level, *asked ? asked : names,
                           *asked ? 1
                           : time ? 2
                                  : 3,
                           "--level ", err);
}

/* The rows of level `own` have no place: appends which level of the dataset has one. */
TACO__FN TACO__COLD bool taco__query_place_hint(taco__container *s, uint32_t own, taco_error *err)
{
    return taco__query_level_hint(s, own, taco__query_bbox_columns,
                                  TACO__COUNT(taco__query_bbox_columns), "--table level", err);
}
/* ==== src/dataset/cascade.c ==== */
/* cascade.c - the rows of a level that conditions on several levels leave

   In: bound conditions by level, and the queried level. Out: a bitmap of its rows, and of those of
   the levels above. All conditions hold along one path from level 0 down (TACO 2.0 §7.2.2
   "Cascading Joins").

   taco__cascade_run goes up from the deepest condition to level 0, testing each level and keeping
   only parents of the rows left below, and then down to the queried level, keeping only children of
   the rows left above. Going down, the children of a few rows may be looked up (parent_lookup.c)
   instead of joining the level. From a vectored source everything certain to be needed is read
   ahead in one round; taco_view_plan calls the same functions (taco__cascade_need_*) to show what
   that would be. */
/* #include "cascade.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

/* ---- bitmaps ---- */

/* Bytes of a bitmap over the rows of a level; whole words may be read past its end. */
TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level)
{
    return TACO__BITMAP_BYTES((size_t)s->levels[level].table.rows) + 8;
}

TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err)
{
    p->bits[level] = (uint8_t *)taco__mem_alloc(s->mem, taco__cascade_bitmap_bytes(s, level), err);
    return p->bits[level] != NULL;
}

/* Makes all rows of the level pass again. */
static void taco__cascade_free_bitmap(taco__container *s, taco__cascade *p, uint32_t level)
{
    if (p->bits[level]) {
        taco__mem_free(s->mem, p->bits[level], taco__cascade_bitmap_bytes(s, level));
        p->bits[level] = NULL;
    }
}

TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__cascade_free_bitmap(s, p, i);
    }
    taco__range_cache_free(&p->cache);
}

/* ---- one step ---- */

/* Sets the bits of the rows in `before` (NULL: all) that match a condition. */
static bool taco__cascade_scan(taco__container *s, const taco__level *l, const taco__expr *where,
                               const uint8_t *before, uint8_t *bits, taco_error *err)
{
    const uint32_t *rows;
    uint64_t base;
    taco__scan scan;
    size_t i, n;
    if (!taco__scan_open(&scan, &l->table, where, before, NULL, 0, TACO__SCAN_SLICE, s->mem, err)) {
        return false;
    }
    while ((n = taco__scan_next(&scan, TACO__SCAN_SLICE, false, &rows, &base, err)) != 0) {
        for (i = 0; i < n; i++) {
            taco__bitmap_set(bits, (size_t)base + rows[i]);
        }
    }
    taco__scan_close(&scan);
    return err->code == TACO_OK;
}

/* Keeps only the rows of a level that match `where`; NULL: all. */
static bool taco__cascade_filter(taco__container *s, taco__cascade *p, uint32_t level,
                                 const taco__expr *where, taco_error *err)
{
    const taco__level *l = &s->levels[level];
    uint8_t *before = p->bits[level];
    bool ok;
    if (!where) { return true; }
    ok = taco__cascade_alloc_bitmap(s, p, level, err) &&
         taco__cascade_scan(s, l, where, before, p->bits[level], err);
    if (before) { taco__mem_free(s->mem, before, taco__cascade_bitmap_bytes(s, level)); }
    if (!ok) { taco__container_fail(s, l->name, err); }
    return ok;
}

/* Keeps only the rows of level n that are in a mask; NULL: all. */
static bool taco__cascade_apply_mask(taco__container *s, taco__cascade *p, uint32_t n,
                                     const uint8_t *mask, taco_error *err)
{
    size_t i, bytes = taco__cascade_bitmap_bytes(s, n);
    if (!mask) { return true; }
    if (!p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) { return false; }
        memcpy(p->bits[n], mask, bytes);
    }
    for (i = 0; i < bytes; i++) {
        p->bits[n][i] &= mask[i];
    }
    return true;
}

/* Up: keeps the rows of level n - 1 that are parents of rows left in level n. */
static bool taco__cascade_to_parents(taco__container *s, taco__cascade *p, uint32_t n,
                                     taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t i;
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

/* Down: keeps the rows of level n whose parent is left. */
static bool taco__cascade_to_children(taco__container *s, taco__cascade *p, uint32_t n,
                                      taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t i;
    if (!taco__join_make_parents(s, n, err)) { return false; }
    if (!p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) { return false; }
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

/* Sets the bits of the children of count rows; *done: they were found, and are known to be
   right. */
static bool taco__cascade_find_children(taco__container *s, taco__cascade *p, uint32_t n,
                                        const taco__lookup_set *set, uint64_t count, bool *done,
                                        taco_error *err)
{
    taco__level *above = &s->levels[n - 1], *l = &s->levels[n];
    uint64_t found = 0;
    *done = count == 0;
    if (*done) { return true; }
    return taco__lookup_find_rows(s, l, l->role.parent, set, p->bits[n], &found, err) &&
           (found == UINT64_MAX ||
            taco__lookup_ids_are_row_numbers(s, above, set, count, done, err));
}

/* Down to the children of few rows, without reading the columns that join all rows. *done: whether
   that was possible; if not, nothing has changed. */
static bool taco__cascade_lookup_children(taco__container *s, taco__cascade *p, uint32_t n,
                                          bool *done, taco_error *err)
{
    taco__lookup_set set;
    uint64_t count;
    bool ok;
    *done = false;
    if (!p->bits[n - 1] || p->bits[n] || !taco__lookup_is_possible(s, n)) { return true; }
    set.bits = p->bits[n - 1];
    set.rows = s->levels[n - 1].table.rows;
    count = taco__bitmap_count(set.bits, 0, (size_t)set.rows);
    if (count > set.rows / 16 + 1) { return true; }
    ok = taco__cascade_alloc_bitmap(s, p, n, err) &&
         taco__cascade_find_children(s, p, n, &set, count, done, err);
    if (ok && !*done) { taco__cascade_free_bitmap(s, p, n); }
    return ok;
}

/* ---- what a cascade reads ---- */

/* The columns that join level l with its neighbours, unless these are already joined; `which` has
   room for three. Levels below `certain` may be looked up instead, and are then left out. */
static size_t taco__cascade_list_join_columns(const taco__container *s, uint32_t l, uint32_t last,
                                              uint32_t certain, size_t *which)
{
    const taco__level *level = &s->levels[l], *below = level + 1;
    size_t n = 0;
    if (l && !level->parents && level->role.parent != TACO__NONE &&
        (l <= certain || !taco__lookup_is_possible(s, l))) {
        which[n++] = level->role.parent;
    }
    if (l < last && !below->parents && level->role.current != TACO__NONE &&
        (l + 1 <= certain || !taco__lookup_is_possible(s, l + 1))) {
        which[n++] = level->role.current;
    }
    if (n && s->kind == TACO_KIND_TACOCAT && level->role.source != TACO__NONE) {
        which[n++] = level->role.source;
    }
    return n;
}

/* Adds what a scan reads from one row group: n columns, and those of the condition if statistics do
   not decide it. */
static bool taco__cascade_need_group(taco__scan *scan, uint32_t g, const size_t *which, size_t n,
                                     taco__buf *ranges, taco_error *err)
{
    const taco__table *t = scan->query.table;
    unsigned may = scan->query.where ? taco__scan_prune_group(scan, g) : (unsigned)TACO__MAY_TRUE;
    bool undecided = (may & TACO__MAY_TRUE) && may != TACO__MAY_TRUE;
    taco__row_selection w;
    taco__scan_span span;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    span.first = taco__table_group_first_row(t, g);
    span.n = taco__table_group_rows(t, g);
    span.all_match = true;
    return taco__scan_fetch_add_chunks(t->pq, which, n, t->stored, g, &w, ranges, err) &&
           (!undecided || taco__scan_fetch_add_tested(scan, g, &w, ranges, err));
}

/* Adds what a cascade down to level `last` reads from level l: the columns that join it, and those
   of its condition. Below level `certain` few rows may be left, whose parents are looked up; the
   columns that join those levels are then left out. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err)
{
    const taco__table *t = &s->levels[l].table;
    taco__scan scan;
    size_t which[3], n = taco__cascade_list_join_columns(s, l, last, certain, which);
    uint32_t g;
    bool ok = true;
    if (!t->pq) { return true; }
    if (!taco__scan_open(&scan, t, where, NULL, NULL, 0, 0, s->mem, err)) { return false; }
    for (g = 0; ok && g < taco__table_group_count(t); g++) {
        ok = taco__cascade_need_group(&scan, g, which, n, ranges, err);
    }
    taco__scan_close(&scan);
    return ok;
}

/* Adds the page indexes of one column chunk. A column index as large as the pages is not worth
   reading. */
static bool taco__cascade_need_index(taco_pq_file *pq, const taco__pq_column_chunk *c,
                                     taco__buf *ranges, taco_error *err)
{
    bool bounds = c->column_index.len && c->column_index.len < c->pages.len;
    if (!taco__page_index_is_useful(c)) { return true; }
    return taco__scan_fetch_add_range(ranges, pq, c->offset_index.offset, c->offset_index.len,
                                      err) &&
           (!bounds || taco__scan_fetch_add_range(ranges, pq, c->column_index.offset,
                                                  c->column_index.len, err));
}

/* Adds the indexes that looking up a few rows reads in addition: of the row ids in level l, and of
   the parent ids in the level below. */
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err)
{
    const taco__level *level = &s->levels[l];
    const taco__table *t = &level->table;
    size_t which[2], n = 0, i;
    uint32_t g, leaf;
    if (l && taco__lookup_is_possible(s, l)) { which[n++] = level->role.parent; }
    if (l < last && level->role.current != TACO__NONE && taco__lookup_is_possible(s, l + 1)) {
        which[n++] = level->role.current;
    }
    for (i = 0; i < n; i++) {
        leaf = taco__scan_prune_flat_leaf(t, which[i]);
        for (g = 0; leaf != UINT32_MAX && g < taco__table_group_count(t); g++) {
            if (!taco__cascade_need_index(t->pq, &t->pq->meta.groups[g].chunks[leaf], ranges,
                                          err)) {
                return false;
            }
        }
    }
    return true;
}

/* The file of a level if it is a vectored source; NULL: reading ahead saves nothing. */
static taco__file *taco__cascade_vectored_file(const taco__level *l)
{
    taco__file *file = l->table.pq ? l->table.pq->part.file : NULL;
    return file && file->src.read_many ? file : NULL;
}

/* From a vectored source, reads all that in one round per file. where may be NULL. */
static bool taco__cascade_read_ahead(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                     uint32_t last, uint32_t certain, taco_error *err)
{
    taco__buf ranges;
    uint32_t l;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = s->mem;
    for (l = 0; ok && l <= last; l++) {
        taco__file *file = taco__cascade_vectored_file(&s->levels[l]);
        const taco_pq_file *next = l < last ? s->levels[l + 1].table.pq : NULL;
        if (!file) { continue; }
        ok = taco__cascade_need_level(s, l, where ? where[l] : NULL, last, certain, &ranges, err);
        /* same file: together with the next level */
        if (next && next->part.file == file) { continue; }
        ok = ok && taco__range_cache_fetch(&p->cache, file, &ranges, err);
        ranges.len = 0;
    }
    taco__buf_free(&ranges);
    if (!ok) { taco__container_fail(s, NULL, err); }
    return ok;
}

/* ---- all levels ---- */

/* Up: applies conditions and masks of each level, from the deepest. */
static bool taco__cascade_run_up(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                 uint8_t *const *masks, uint32_t deepest, taco_error *err)
{
    uint32_t l;
    for (l = deepest + 1; l-- > 0;) {
        if ((masks && !taco__cascade_apply_mask(s, p, l, masks[l], err)) ||
            !taco__cascade_filter(s, p, l, where[l], err) ||
            (l && !taco__cascade_to_parents(s, p, l, err))) {
            return false;
        }
    }
    return true;
}

/* Down to level n. Its join columns have been read ahead unless a lookup seemed possible. */
static bool taco__cascade_run_down(taco__container *s, taco__cascade *p, uint32_t n,
                                   uint32_t deepest, taco_error *err)
{
    bool left_out = n > deepest && taco__lookup_is_possible(s, n), done;
    if (!taco__cascade_lookup_children(s, p, n, &done, err)) { return false; }
    return done || ((!left_out || taco__cascade_read_ahead(s, p, NULL, n, n, err)) &&
                    taco__cascade_to_children(s, p, n, err));
}

/* Finds the rows of level `table` that the filters leave: where[l] (NULL = no filter) tests the
   rows of level l, and all filters hold along one path from level 0 down. masks, if not NULL, has
   bitmaps by level of the rows that may stay (NULL = all). deepest is the deepest level with a
   filter or a mask. Must be freed with taco__cascade_free, even on failure. err is not NULL. */
TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err)
{
    uint32_t l;
    memset(p, 0, sizeof *p);
    taco__range_cache_init(&p->cache, s->mem);
    if (!taco__cascade_read_ahead(s, p, where, TACO__MAX(deepest, table), deepest, err) ||
        !taco__cascade_run_up(s, p, where, masks, deepest, err)) {
        return false;
    }
    for (l = 1; l <= table; l++) {
        if (!taco__cascade_run_down(s, p, l, deepest, err)) { return false; }
    }
    return true;
}
/* ==== src/dataset/local_metadata.c ==== */
/* local_metadata.c - the __meta__ of a FOLDER: a table of its children

   In: a node that was found by its path (navigation.c). Out: its __meta__ opened as a table. TACO
   2.0 §6.2 "Local Metadata".

   In a FOLDER dataset __meta__ is a file in the sample's directory; in an archive it is the range
   that the sample's row names. It is Parquet, or Avro in the first FOLDER datasets: its first bytes
   say which. A small one is read in one piece and kept in memory while it is open. Formats find
   children their own way (taco_opener.children). */
/* #include "navigation.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* Also cleans up after taco__local_meta_open has failed; may be called twice. */
TACO__FN void taco__local_meta_close(taco__local_meta *m)
{
    if (m->open && m->table.pq) { taco__pq_file_close(&m->pq); }
    if (m->cached) { taco__file_release(m->cached, m->range.offset, m->range.len); }
    if (m->file_open) { taco__file_close(&m->file); }
    memset(m, 0, sizeof *m);
}

/* Finds the columns needed to find samples: id and type must be present, and text. */
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

/* ---- where it is ---- */

/* The file that contains the bytes of a node. */
static taco__file *taco__local_meta_archive_file(const taco__nav_node *n, taco_error *err)
{
    if (n->store->kind == TACO_KIND_ZIP) { return &n->store->file; }
    return taco__container_open_archive(n->store, taco__bytes_text(n->source), err);
}

/* FOLDER datasets: the path of a sample's file or directory, and a suffix; NULL when memory
   ends. */
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err)
{
    const char *path = taco__container_join_path(n->store, n->store->dir, "DATA/", err);
    path = path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
    return path ? taco__container_join_path(n->store, path, suffix, err) : NULL;
}

/* The same as a GDAL path. */
TACO__FN const char *taco__local_meta_folder_vsi(const taco__nav_node *n, taco_error *err)
{
    const char *data = taco__container_ends_with(n->store->vsi, "/") ? "DATA/" : "/DATA/";
    const char *path = taco__container_join_path(n->store, n->store->vsi, data, err);
    return path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
}

/* Opens the file __meta__ of a directory. */
static taco__file *taco__local_meta_open_own_file(const taco__nav_node *n, taco__local_meta *m,
                                                  taco_error *err)
{
    const char *path = taco__local_meta_folder_path(n, "/__meta__", err);
    taco_source src;
    if (!path || !taco__source_open_path(n->store->options, path, &src, err)) { return NULL; }
    taco__file_init(&m->file, &src, "", n->store->mem);
    m->file_open = true;
    m->range.offset = 0;
    m->range.len = src.size;
    return &m->file;
}

/* The archive of a node, and the range of its __meta__ in it. */
static taco__file *taco__local_meta_find_range(const taco__nav_node *n, taco__local_meta *m,
                                               taco_error *err)
{
    taco__file *file = taco__local_meta_archive_file(n, err);
    if (!file) { return NULL; }
    if (!n->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return NULL;
    }
    m->range.offset = (uint64_t)n->offset;
    m->range.len = (uint64_t)n->size;
    if (!taco__checked_range(m->range.offset, m->range.len, file->src.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, m->range.offset,
                   "%u bytes of __meta__, the archive ends at %u", m->range.len, file->src.size);
        return NULL;
    }
    return file;
}

/* ---- opening ---- */

/* The children of a FOLDER of one of the caller's formats. */
static bool taco__local_meta_open_format(const taco__nav_node *n, taco__arena *arena,
                                         taco__local_meta *m, taco_error *err)
{
    taco__format_folder of;
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

/* Opens the table in m->range of a file, keeping the range in memory if it is small. */
static bool taco__local_meta_open_table(const taco__nav_node *n, taco__file *file,
                                        taco__arena *arena, taco__local_meta *m, taco_error *err)
{
    const taco__range *range = &m->range;
    bool small = range->len <= taco__mem_ahead(file->mem, TACO__PQ_FILE_TAIL);
    uint8_t magic[4] = {0};
    if (range->len < sizeof magic) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range->offset, "__meta__ of %u bytes", range->len);
        return false;
    }
    if (!taco__file_fetch(file, range, small ? 1 : 0, err) ||
        !taco__file_read(file, range->offset, magic, sizeof magic, err)) {
        return false;
    }
    m->cached = small && !m->file_open ? file : NULL;
    m->open =
        taco__container_open_table(n->store, file, *range, "__meta__",
                                   memcmp(magic, "Obj\1", 4) == 0, arena, &m->pq, &m->table, err);
    return m->open;
}

/* Opens the __meta__ of a FOLDER into *m, which must not be moved; close it with
   taco__local_meta_close, even on failure. What the table needs beyond its file lives in the
   arena. */
TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err)
{
    taco__file *file;
    memset(m, 0, sizeof *m);
    if (n->store->format && n->store->format->children) {
        return taco__local_meta_open_format(n, arena, m, err);
    }
    file = n->store->kind == TACO_KIND_FOLDER ? taco__local_meta_open_own_file(n, m, err)
                                              : taco__local_meta_find_range(n, m, err);
    return file && taco__local_meta_open_table(n, file, arena, m, err) &&
           taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}
/* ==== src/dataset/navigation.c ==== */
/* navigation.c - from a path of keys to a sample, and from a row back to its path

   In: "landsat_1/band_3", or "@0/@2" by position. Out: a taco__nav_node, which says where the
   sample's bytes are, or its __meta__. TACO 2.0 §6.2 "Local Metadata", §7.2.3.

   taco__nav_walk goes down key by key. The first is searched in level 0 of all containers, each
   other one in the __meta__ of the FOLDER before it (taco__nav_step, taco__nav_find_key); what the
   row says becomes the node (taco__nav_read_node). Ids of old formats may hold a '/': if no sample
   has a key, the next key is taken as part of it. taco__nav_path_of_row goes the other way: up to
   level 0 by parents, then down by ids. */
/* #include "navigation.h" */
/* #include "cascade.h" */
/* #include "cursor.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

/* most keys in a path */
#define TACO__NAV_MAX_DEPTH 256

/* ---- keys ---- */

/* "@@12" is a position with padding counted. */
TACO__FN bool taco__nav_is_stored_position(taco_bytes key)
{
    return key.len > 2 && key.data[0] == '@' && key.data[1] == '@';
}

/* Characters with a meaning in paths, which ids in old formats may contain: they are escaped with a
   '\\'. */
static bool taco__nav_is_special(uint8_t c)
{
    return c == '/' || c == '\\' || c == '@';
}

/* Appends an id as a key. An '@' is special only at the beginning. */
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err)
{
    bool ok = true;
    size_t i;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t c = id.data[i];
        ok = (!taco__nav_is_special(c) || (c == '@' && i) || taco__buf_append_char(b, '\\', err)) &&
             taco__buf_append_char(b, (char)c, err);
    }
    return ok;
}

/* Appends the keys of a path of ids, internal:relative_path. */
TACO__FN bool taco__nav_append_keys(taco__buf *b, taco_bytes relative, taco_error *err)
{
    size_t at = 0, end;
    for (; at <= relative.len; at = end + 1) {
        for (end = at; end < relative.len && relative.data[end] != '/'; end++) {}
        if ((at && !taco__buf_append_char(b, '/', err)) ||
            !taco__nav_append_key(b, taco__bytes_of(relative.data + at, end - at), err)) {
            return false;
        }
    }
    return true;
}

/* The id of a key; the key itself if it has no '\\'. data is NULL if there is no memory. */
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err)
{
    uint8_t *to;
    size_t i, n = 0;
    if (!key.len || !memchr(key.data, '\\', key.len)) { return key; }
    to = (uint8_t *)taco__arena_alloc(arena, key.len, err);
    for (i = 0; to && i < key.len; i++) {
        i += key.data[i] == '\\' && i + 1 < key.len && taco__nav_is_special(key.data[i + 1]);
        to[n++] = key.data[i];
    }
    return taco__bytes_of(to, n);
}

/* "@12" is a position; anything else is an id, and sets *out to 0. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out)
{
    size_t skip = taco__nav_is_stored_position(key) ? 2 : 1;
    if (key.len > 1 && key.data[0] == '@' &&
        taco__vsi_parse_number(taco__bytes_of(key.data + skip, key.len - skip), out)) {
        return true;
    }
    *out = 0;
    return false;
}

/* The end of the key at p: an unescaped '/', or the end of the path. */
TACO__FN const char *taco__nav_key_end(const char *p)
{
    for (; *p && *p != '/'; p++) {
        p += *p == '\\' && p[1] && taco__nav_is_special((uint8_t)p[1]);
    }
    return p;
}

/* ---- conditions ---- */

/* Sets *out to the condition that a row has the id, or without an id that it is not padding; NULL:
   every row. The condition is in the arena and bound. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err)
{
    *out = NULL;
    if (id) {
        *out = taco__expr_equals(arena, r->id, *id, err);
        if (!*out) { return false; }
    } else if (!padding) {
        /* a level, for its statistics */
        taco__level l;
        memset(&l, 0, sizeof l);
        l.table = *t;
        l.role = *r;
        l.padded = -1;
        if (!taco__query_hide_padding(&l, arena, out, err)) { return false; }
    }
    return !*out || taco__pred_bind(*out, t->fields, t->field_count, arena, err);
}

/* "id" = 'key', as the text of a predicate; NULL if there is no memory. */
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err)
{
    size_t n = strlen(id);
    char *text = (char *)taco__arena_alloc(arena, n + key.len * 2 + 16, err), *p = text;
    size_t i;
    if (!text) { return NULL; }
    *p++ = '"';
    memcpy(p, id, n);
    memcpy(p + n, "\" = '", 5);
    for (p += n + 5, i = 0; i < key.len; i++) {
        *p++ = (char)key.data[i];
        if (key.data[i] == '\'') { *p++ = '\''; }
    }
    *p++ = '\'';
    *p = 0;
    return text;
}

/* The name of the id column of a level: Tortilla has its own. */
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level)
{
    const taco__level *l = &s->levels[level];
    return level < s->level_count && l->opened && l->role.id != TACO__NONE &&
                   l->table.field_count > l->role.id
               ? l->table.fields[l->role.id].name
               : "id";
}

/* ---- from a row to a node ---- */

/* The columns that make a node, in the order of taco__nav_row.at. */
enum {
    TACO__NAV_ID = 0,
    TACO__NAV_TYPE,
    TACO__NAV_OFFSET,
    TACO__NAV_SIZE,
    TACO__NAV_SOURCE,
    TACO__NAV_CURRENT,
    TACO__NAV_COLUMNS
};

/* A row that was read: arrays whose value 0 belongs to the row. */
typedef struct taco__nav_row {
    const taco_array *arrays;
    /* index of each column among them; TACO__NONE: the table has no such column */
    size_t at[TACO__NAV_COLUMNS];
} taco__nav_row;

/* A value that exists and is not null; otherwise NULL. */
static const taco_array *taco__nav_value(const taco__nav_row *row, size_t column)
{
    const taco_array *a = row->at[column] != TACO__NONE ? &row->arrays[row->at[column]] : NULL;
    return a && taco_array_valid(a, 0) ? a : NULL;
}

static taco_bytes taco__nav_text(const taco__nav_row *row, size_t column)
{
    const taco_array *a = taco__nav_value(row, column);
    return a ? taco_array_bytes(a, 0) : taco__bytes_of(NULL, 0);
}

/* type must be FILE or FOLDER. */
static bool taco__nav_read_type(const taco__nav_row *row, taco__nav_node *out, taco_error *err)
{
    taco_bytes type = taco__nav_text(row, TACO__NAV_TYPE);
    int folder = taco__sample_path_parse_type(type);
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   taco__nav_value(row, TACO__NAV_TYPE) ? "type is %q, must be FILE or FOLDER"
                                                        : "type is null, must be FILE or FOLDER",
                   &type);
    }
    out->folder = folder > 0;
    return folder >= 0;
}

/* FOLDER datasets: the path below DATA/ is the parent's path and the id. */
static bool taco__nav_read_path(const taco__nav_row *row, taco__nav_node *out,
                                const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes id = taco__nav_text(row, TACO__NAV_ID);
    const char *own;
    if (taco__vsi_check_path(id, false, "id", err) != TACO_OK) { return false; }
    own = taco__arena_text(arena, id, err);
    if (own && parent->path) {
        own = taco__container_join_path(out->store, "/", own, err);
        own = own ? taco__container_join_path(out->store, parent->path, own, err) : NULL;
    }
    out->path = own;
    return own != NULL;
}

/* internal:offset and internal:size must be present, integers, and not negative. */
static bool taco__nav_read_range(const taco__nav_row *row, taco__nav_node *out, taco_error *err)
{
    size_t offset = row->at[TACO__NAV_OFFSET], size = row->at[TACO__NAV_SIZE];
    if (offset == TACO__NONE || size == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:%s",
                   offset == TACO__NONE ? "offset" : "size");
        return false;
    }
    if (!taco__join_is_integer(row->arrays[offset].field->type) ||
        !taco__join_is_integer(row->arrays[size].field->type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return false;
    }
    out->has_range = taco__nav_value(row, TACO__NAV_OFFSET) && taco__nav_value(row, TACO__NAV_SIZE);
    if (!out->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return false;
    }
    out->offset = taco_array_int(&row->arrays[offset], 0);
    out->size = taco_array_int(&row->arrays[size], 0);
    return taco__vsi_check_range(out->offset, out->size, err);
}

/* The archive of a catalogue: named in rows of level 0, inherited from the parent below. */
static bool taco__nav_read_source(const taco__nav_row *row, taco__nav_node *out,
                                  const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes source = taco__nav_text(row, TACO__NAV_SOURCE);
    out->source = parent->source;
    if (out->store->kind != TACO_KIND_TACOCAT || !parent->root) { return true; }
    if (!out->store->format &&
        taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
        return false;
    }
    out->source = taco__arena_text(arena, source, err);
    return out->source != NULL;
}

/* Fills *out, whose store is set, from a row. */
static bool taco__nav_read_node(const taco__nav_row *row, taco__nav_node *out,
                                const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    const taco_array *current;
    if (!taco__nav_read_type(row, out, err)) { return false; }
    out->root = false;
    if (out->store->kind == TACO_KIND_FOLDER) {
        return taco__nav_read_path(row, out, parent, arena, err);
    }
    if (!taco__nav_read_range(row, out, err)) { return false; }
    out->level = parent->root ? 0 : parent->level + 1;
    current = taco__nav_value(row, TACO__NAV_CURRENT);
    out->row = current ? taco_array_int(current, 0) : -1;
    return taco__nav_read_source(row, out, parent, arena, err);
}

/* ---- finding a key ---- */

/* A key that is searched, in one table after the other. */
typedef struct taco__nav_key {
    taco_bytes text;
    bool by_position;
    /* position: rows still to be skipped */
    uint64_t left;
    /* padding counts, too */
    bool padding;
} taco__nav_key;

/* The columns of a node that a table has; `which` has room for all. Returns their number. */
static size_t taco__nav_list_columns(const taco__column_roles *r, size_t *which, taco__nav_row *row)
{
    const size_t roles[TACO__NAV_COLUMNS] = {r->id,   r->type,   r->offset,
                                             r->size, r->source, r->current};
    size_t i, n = 0;
    for (i = 0; i < TACO__NAV_COLUMNS; i++) {
        row->at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) { which[n++] = roles[i]; }
    }
    return n;
}

/* A position in a table without padding is the row. */
static bool taco__nav_find_row(const taco__table *t, const taco__column_roles *r,
                               taco__nav_key *key, const taco__nav_node *parent,
                               taco__nav_node *out, taco__arena *arena, taco_error *err)
{
    taco__row_reader one;
    taco__nav_row row;
    size_t which[TACO__NAV_COLUMNS], n = taco__nav_list_columns(r, which, &row);
    bool found;
    if (key->left >= t->rows) {
        key->left -= t->rows;
        return false;
    }
    if (!taco__row_reader_open(&one, t, which, n, parent->store->mem, err)) { return false; }
    found = taco__row_reader_read_range(&one, key->left, 1, err);
    row.arrays = one.arrays;
    found = found && taco__nav_read_node(&row, out, parent, arena, err);
    taco__row_reader_close(&one);
    return found;
}

/* Skips as many matching rows as the position says, or all if there are fewer. */
static void taco__nav_skip_rows(taco__scan *scan, taco__nav_key *key, taco_error *err)
{
    const uint32_t *rows;
    uint64_t base;
    size_t n = 1;
    while (key->left && n) {
        n = taco__scan_next(scan, (size_t)TACO__MIN(key->left, (uint64_t)TACO__BATCH_ROWS), false,
                            &rows, &base, err);
        key->left -= n;
    }
}

/* The first matching row after those that the position skips. */
static bool taco__nav_scan_row(const taco__table *t, const taco__column_roles *r,
                               const taco__expr *where, const uint8_t *kept, taco__nav_key *key,
                               const taco__nav_node *parent, taco__nav_node *out,
                               taco__arena *arena, taco_error *err)
{
    taco__scan scan;
    taco__nav_row row;
    const uint32_t *rows;
    uint64_t base;
    size_t which[TACO__NAV_COLUMNS], n = taco__nav_list_columns(r, which, &row);
    bool found = false;
    if (!taco__scan_open(&scan, t, where, kept, which, n, 0, parent->store->mem, err)) {
        return false;
    }
    if (key->by_position) { taco__nav_skip_rows(&scan, key, err); }
    if (key->left == 0 && taco__scan_next(&scan, 1, true, &rows, &base, err)) {
        row.arrays = scan.out.arrays;
        found = taco__nav_read_node(&row, out, parent, arena, err);
    }
    taco__scan_close(&scan);
    return found;
}

/* Finds a key among the rows of a table, the children of `parent`. kept: a bitmap of the rows that
   count, NULL for all. False with err unchanged if it is not found; key->left is then what is left
   for the next table. */
static bool taco__nav_find_key(const taco__table *t, const taco__column_roles *r,
                               const uint8_t *kept, taco__nav_key *key,
                               const taco__nav_node *parent, taco__nav_node *out,
                               taco__arena *arena, taco_error *err)
{
    taco__expr *where;
    taco_bytes id = key->by_position ? key->text : taco__nav_key_to_id(key->text, arena, err);
    if (!id.data || !taco__nav_make_filter(t, r, key->by_position ? NULL : &id, key->padding, arena,
                                           &where, err)) {
        return false;
    }
    return key->by_position && !where && !kept
               ? taco__nav_find_row(t, r, key, parent, out, arena, err)
               : taco__nav_scan_row(t, r, where, kept, key, parent, out, arena, err);
}

/* ---- walking ---- */

/* A sample of level 0 of any container; err says which one could not be read. */
static bool taco__nav_step_from_root(taco_dataset *ds, taco__nav_node *node, taco__nav_key *key,
                                     taco__arena *arena, taco_error *err)
{
    taco__nav_node parent = *node;
    /* "@@2" counts stored rows */
    bool stored = key->by_position && taco__nav_is_stored_position(key->text);
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        taco__level *l = taco__container_level(s, 0, err);
        taco__column_roles r;
        if (!l) { return false; }
        parent.store = node->store = s;
        if (taco__local_meta_find_roles(s, &l->table, &r, err) &&
            taco__nav_find_key(&l->table, &r, stored ? NULL : s->kept, key, &parent, node, arena,
                               err)) {
            return true;
        }
        if (err->code != TACO_OK) {
            taco__error_prefix(err, "sample %q", &key->text);
            return taco__container_fail(s, l->name, err);
        }
    }
    return false;
}

/* A child of a FOLDER, in its __meta__; a format may have parts of a FILE. */
static bool taco__nav_step_from_folder(taco__nav_node *node, taco__nav_key *key, taco__arena *arena,
                                       taco_error *err)
{
    taco__nav_node parent = *node;
    taco__local_meta m;
    bool found;
    if (!parent.folder && !parent.store->format) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no %q: its parent is a FILE, which has no children", &key->text);
        return false;
    }
    found = taco__local_meta_open(&parent, arena, &m, err) &&
            taco__nav_find_key(&m.table, &m.role, NULL, key, &parent, node, arena, err);
    taco__local_meta_close(&m);
    return found;
}

/* One step down: *node becomes its child with that key. */
static bool taco__nav_step(taco_dataset *ds, taco__nav_node *node, taco_bytes text, bool padding,
                           taco__arena *arena, taco_error *err)
{
    taco__nav_key key;
    bool found;
    key.text = text;
    key.by_position = taco__nav_parse_position(text, &key.left);
    key.padding = padding || (key.by_position && taco__nav_is_stored_position(text));
    found = node->root ? taco__nav_step_from_root(ds, node, &key, arena, err)
                       : taco__nav_step_from_folder(node, &key, arena, err);
    if (!found) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &text);
    }
    return found;
}

/* Stores the keys that led to a node: those of its parent and this one. A '/' in it, which is part
   of the id, is escaped. */
static bool taco__nav_set_key_path(taco__nav_node *node, const taco__nav_node *parent,
                                   taco_bytes key, taco__arena *arena, taco_error *err)
{
    size_t n = parent->key_path ? strlen(parent->key_path) + 1 : 0, i;
    char *to = (char *)taco__arena_alloc(arena, n + 2 * key.len + 1, err);
    if (!to) { return false; }
    if (n) {
        memcpy(to, parent->key_path, n - 1);
        to[n - 1] = '/';
    }
    node->key_path = to;
    node->last_key = n;
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

/* Prefixes an error with the dataset, and with the keys before the key at p, if any. here: the key
   at p was found, and the error concerns a later one. */
static void taco__nav_prefix_error(const taco__nav_node *node, const char *path, const char *p,
                                   bool here, taco_error *err)
{
    const char *name = node->store->name;
    taco_bytes done = taco__bytes_of(path, p != path ? (size_t)(p - path) - 1 : 0);
    if (!here && p != path) {
        taco__error_prefix(err, "%s: %q", name, &done);
    } else if (strncmp(err->text, name, strlen(name)) != 0) {
        taco__error_prefix(err, "%s", name);
    }
}

/* Walks the keys from p on, in `path`, down from *node. Ids in old formats may contain '/': if no
   sample has a key, the next one is taken as part of it. */
static bool taco__nav_walk_keys(taco_dataset *ds, const char *path, const char *p, unsigned depth,
                                bool padding, taco__nav_node *node, taco__arena *arena,
                                taco_error *err)
{
    const char *end = taco__nav_key_end(p);
    taco_error first;
    if (depth == TACO__NAV_MAX_DEPTH) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a path of more than %u keys",
                   TACO__U(TACO__NAV_MAX_DEPTH));
        return false;
    }
    for (memset(&first, 0, sizeof first);; end = taco__nav_key_end(end + 1)) {
        taco_bytes key = taco__bytes_of(p, (size_t)(end - p));
        taco__nav_node child = *node;
        bool here = taco__nav_step(ds, &child, key, padding, arena, err);
        if (here && taco__nav_set_key_path(&child, node, key, arena, err) &&
            (!*end ||
             taco__nav_walk_keys(ds, path, end + 1, depth + 1, padding, &child, arena, err))) {
            *node = child;
            return true;
        }
        taco__nav_prefix_error(node, path, p, here, err);
        first = first.code == TACO_OK ? *err : first;
        if (err->code != TACO_ERR_NOT_FOUND || !*end || !node->store->format) {
            *err = err->code == TACO_ERR_NOT_FOUND ? first : *err;
            return false;
        }
        memset(err, 0, sizeof *err);
    }
}

/* Walks a path of keys from the root, which is "". *node is in the arena; err must not be NULL. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    memset(node, 0, sizeof *node);
    node->store = &ds->stores[0];
    node->root = node->folder = true;
    if (path[0] && format && format->walk) { return format->walk(ds, path, node, arena, err); }
    return !path[0] || taco__nav_walk_keys(ds, path, path, 0, padding, node, arena, err);
}

/* ---- from a row to its path ---- */

/* Appends '/' and the key of one row of a level. */
static bool taco__nav_append_row_id(taco__level *l, uint64_t row, taco__buf *path, taco_error *err)
{
    taco__row_reader one;
    bool ok;
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

/* The rows of all ancestors of a row; up[level] is the row itself. */
static bool taco__nav_find_ancestors(taco__container *s, uint32_t level, uint64_t row, uint64_t *up,
                                     taco_error *err)
{
    uint32_t l;
    int64_t parent = -1;
    up[level] = row;
    for (l = level; l > 0; l--) {
        if (!taco__lookup_parent(s, l, up[l], &parent, err)) { return false; }
        if (parent < 0) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "row %u has no parent", up[l]);
            return taco__container_fail(s, s->levels[l].name, err);
        }
        up[l - 1] = (uint64_t)parent;
    }
    return true;
}

/* Appends the path of a row of a level: the position of its topmost ancestor, which is unique, then
   ids: "@@5/folder/file". */
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err)
{
    taco__container *s = &ds->stores[store];
    uint64_t up[TACO__MAX_LEVELS], at = 0;
    char digits[24];
    uint32_t l;
    size_t i;
    if (!taco__nav_find_ancestors(s, level, row, up, err)) { return false; }
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
/* ==== src/dataset/payload.c ==== */
/* payload.c - where the bytes of a sample are, and a source that reads them

   In: a path of keys. Out: taco_sample (a GDAL path, a file and a range of it), or a taco_source
   over just these bytes. TACO 2.0 §7.2.3.

   taco_locate turns the node that navigation.c finds into names, which live in the dataset until
   the next call. taco_payload opens that file; an archive of the dataset is open already. */
/* #include "navigation.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */

/* ---- locate ---- */

/* Appends text and the NUL after it. */
static bool taco__payload_end_text(taco__buf *b, const char *text, taco_error *err)
{
    return taco__buf_append_text(b, text, err) && taco__buf_append_char(b, 0, err);
}

/* A FOLDER dataset: a separate file, for a FOLDER its __meta__. */
static bool taco__payload_locate_file(taco_dataset *ds, const taco__nav_node *n, taco_sample *out,
                                      taco_error *err)
{
    const char *meta = n->folder ? "/__meta__" : "";
    const char *file = taco__local_meta_folder_path(n, meta, err);
    const char *dir = file ? taco__local_meta_folder_vsi(n, err) : NULL;
    out->folder = n->folder;
    out->whole = true;
    return dir && taco__payload_end_text(&ds->locate_file, file, err) &&
           taco__buf_append_text(&ds->locate_vsi, dir, err) &&
           taco__payload_end_text(&ds->locate_vsi, meta, err);
}

/* What GDAL calls the file of a format that was opened as `path`; NULL if it is not among them. */
static const char *taco__payload_format_vsi(const taco__container *s, const char *path)
{
    size_t i;
    for (i = 0; i < s->format_file_count; i++) {
        if (strcmp(s->format_files[i].path, path) == 0) { return s->format_files[i].vsi; }
    }
    return NULL;
}

/* An archive: a range in it. */
static bool taco__payload_locate_range(taco_dataset *ds, const taco__nav_node *n, taco_sample *out,
                                       taco_error *err)
{
    const char *source = n->source ? n->source : "", *below = source;
    const char *root = taco__payload_format_vsi(n->store, n->source ? source : n->store->name);
    if (root) {
        below = "";
    } else {
        root = n->store->vsi;
    }
    out->folder = n->folder;
    out->offset = (uint64_t)n->offset;
    out->size = (uint64_t)n->size;
    return taco__buf_append_text(&ds->locate_file,
                                 n->source ? n->store->archive_dir : n->store->name, err) &&
           taco__payload_end_text(&ds->locate_file, source, err) &&
           taco__vsi_append_subfile(&ds->locate_vsi, out->offset, out->size, taco__bytes_text(root),
                                    taco__bytes_text(below), err) &&
           taco__buf_append_char(&ds->locate_vsi, 0, err);
}

/* The root has neither file nor path. */
static bool taco__payload_locate_node(taco_dataset *ds, const taco__nav_node *n, taco_sample *out,
                                      taco_error *err)
{
    ds->locate_vsi.len = ds->locate_file.len = 0;
    if (n->root) {
        out->folder = out->whole = true;
        out->vsi = out->file = "";
        return true;
    }
    if (!(n->store->kind == TACO_KIND_FOLDER ? taco__payload_locate_file(ds, n, out, err)
                                             : taco__payload_locate_range(ds, n, out, err))) {
        return false;
    }
    out->vsi = (const char *)ds->locate_vsi.data;
    out->file = (const char *)ds->locate_file.data;
    return true;
}

/* taco_locate; *store becomes the container of the sample. err must not be NULL. */
static taco_status taco__payload_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                        taco__container **store, taco_error *err)
{
    taco__nav_node n;
    taco__arena arena;
    bool ok;
    memset(out, 0, sizeof *out);
    if (!ds || !path) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        ds ? "path" : "dataset");
        return TACO_ERR_ARGUMENT;
    }
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    ok = taco__nav_walk(ds, path, false, &n, &arena, err) &&
         taco__payload_locate_node(ds, &n, out, err);
    *store = n.store;
    taco__arena_free(&arena);
    return ok ? TACO_OK : err->code;
}

TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__container *store;
    return taco__payload_locate(ds, path, out, &store, taco__error_fresh(err, &own));
}

/* ---- payload ---- */

/* A source that is part of another. */
typedef struct taco__payload {
    taco_source base;
    uint64_t offset;
    taco__mem *mem;
    /* base is closed with it */
    bool own;
} taco__payload;

static bool taco__payload_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__payload *p = (taco__payload *)ctx;
    return p->base.read(p->base.ctx, p->offset + offset, dst, len);
}

static void taco__payload_close(void *ctx)
{
    taco__payload *p = (taco__payload *)ctx;
    if (p->own && p->base.close) { p->base.close(p->base.ctx); }
    taco__mem_free(p->mem, p, sizeof *p);
}

/* Uses the archive with the sample, which is open, or opens the file of the sample. NULL on
   failure. */
static taco__payload *taco__payload_open(taco_dataset *ds, const taco__container *store,
                                         const taco_sample *s, const char *path, taco_error *err)
{
    taco__payload *p = (taco__payload *)taco__mem_alloc(&ds->mem, sizeof *p, err);
    if (!p) { return NULL; }
    p->mem = &ds->mem;
    p->offset = s->offset;
    if (store->kind == TACO_KIND_ZIP && store->file_open) {
        p->base = store->file.src;
        return p;
    }
    if (!taco__source_open_path(&ds->options, s->file, &p->base, err)) {
        taco_bytes name = taco__bytes_text(path);
        taco__mem_free(&ds->mem, p, sizeof *p);
        taco__error_prefix(err, "%s: sample %q", store->name, &name);
        return NULL;
    }
    p->own = true;
    return p;
}

TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_sample s;
    taco__payload *p;
    taco__container *store;
    taco_bytes name = taco__bytes_text(path);
    memset(out, 0, sizeof *out);
    err = taco__error_fresh(err, &own);
    if (taco__payload_locate(ds, path, &s, &store, err) != TACO_OK) { return err->code; }
    if (s.folder) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s: sample %q is a FOLDER, only a FILE has bytes", store->name, &name);
    }
    p = taco__payload_open(ds, store, &s, path, err);
    if (!p) { return err->code; }
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

TACO_API taco_status taco_payload_check(taco_dataset *ds, const char *path, uint32_t crc,
                                        taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_sample s;
    taco__payload *p;
    taco__container *store;
    taco_bytes name = taco__bytes_text(path);
    uint32_t wanted = 0;
    bool known;
    err = taco__error_fresh(err, &own);
    if (taco__payload_locate(ds, path, &s, &store, err) != TACO_OK) { return err->code; }
    if (s.folder || s.whole) { return TACO_OK; }
    p = taco__payload_open(ds, store, &s, path, err);
    if (!p) { return err->code; }
    known = taco__checked_range(s.offset, s.size, p->base.size) &&
            taco__zip_stored_crc(&p->base, s.offset, s.size, &wanted);
    taco__payload_close(p);
    if (!taco__zip_check_copied(&ds->options, known, wanted, crc, name, err)) {
        taco__error_prefix(err, "%s", s.file);
    }
    return err->code;
}
/* ==== src/dataset/query_parse.c ==== */
/* query_parse.c - parses a taco_query: lists of columns into arrays, conditions into trees

   taco__query_parse makes a taco__query, which the rest of the library works with, from the public
   taco_query. Callers inside the library fill a taco__query themselves: no name is quoted and no
   condition printed only to be parsed again. Mistakes in a list are kept in it (`err`), because a
   cursor reports them when it gets there: names before the mistake are looked up first. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* The name at p, after its quote if it is quoted: copied to `to` if that is not NULL, with doubled
   quotes resolved. Returns its length; *end is where it ends, *closed whether a quote or separator
   was found there. */
static size_t taco__query_parse_name(const char *p, bool quoted, char *to, const char **end,
                                     bool *closed)
{
    size_t n = 0;
    *closed = false;
    while (*p && !(*closed = quoted ? *p == '"' && p[1] != '"' : *p == ',' || *p == ' ')) {
        p += quoted && *p == '"';
        if (to) { to[n] = *p; }
        n++;
        p++;
    }
    *end = p;
    return n;
}

/* Parses the next entry of a list "a, \"b c\" desc" at *p. False at the end, and with err if a name
   is missing. */
static TACO__ONCE bool taco__query_parse_entry(taco__arena *arena, const char *text,
                                               const char **at, taco__query_column *out,
                                               taco_error *err)
{
    const char *p = *at + strspn(*at, " "), *begin;
    bool quoted = *p == '"', closed = false;
    size_t n;
    char *to;
    if (!*p) { return false; }
    p += quoted;
    n = taco__query_parse_name(p, quoted, NULL, &begin, &closed);
    to = (char *)taco__arena_alloc(arena, n + 1, err);
    if (!to) { return false; }
    out->name = to;
    taco__query_parse_name(p, quoted, to, &p, &closed);
    p += quoted && closed;
    p += strspn(p, " ");
    begin = p;
    p += strcspn(p, ",");
    *at = *p ? p + 1 + strspn(p + 1, " ") : p;
    if (quoted ? !closed : !*out->name) {
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
    out->rest = taco__bytes_of(begin, (size_t)(p - begin));
    out->rest_at = (size_t)(begin - text);
    return true;
}

/* Parses a text such as taco_query.select into *out; NULL is no list. False only if there is no
   memory: mistakes in the text are in out->err. */
TACO__FN TACO__ONCE bool taco__query_parse_columns(taco__arena *arena, const char *text,
                                                   taco__query_columns *out, taco_error *err)
{
    taco_error *mistake;
    taco__query_column *items;
    const char *p, *at;
    size_t n = 1;
    memset(out, 0, sizeof *out);
    if (!text) { return true; }
    text = taco__arena_text(arena, taco__bytes_text(text), err);
    for (p = text; p && *p; p++) {
        n += *p == ',';
    }
    items = (taco__query_column *)taco__arena_array(arena, n, sizeof *items, err);
    mistake = (taco_error *)taco__arena_alloc(arena, sizeof *mistake, err);
    if (!text || !items || !mistake) { return false; }
    out->items = items;
    out->given = true;
    for (at = text; taco__query_parse_entry(arena, text, &at, &items[out->count], mistake);) {
        out->count++;
    }
    out->err = mistake->code == TACO_OK ? NULL : mistake;
    return true;
}

/* Moves the mistake that a list ends with into err. False if there is one. */
TACO__FN TACO__ONCE bool taco__query_parse_ends(const taco__query_columns *list, taco_error *err)
{
    if (list->err && err->code == TACO_OK) { *err = *list->err; }
    return !list->err;
}

/* Parses the query *q into *out. Its conditions are parsed when the first container needs them, so
   that columns and levels that do not exist are reported first. */
TACO__FN TACO__ONCE bool taco__query_parse(taco__arena *arena, const taco_query *q,
                                           taco__query *out, taco_error *err)
{
    size_t i;
    taco_filter *own;
    memset(out, 0, sizeof *out);
    out->filters = (taco__query_filter *)taco__arena_array(arena, q->filter_count + 1,
                                                           sizeof *out->filters, err);
    if (!out->filters) { return false; }
    for (i = 0; i < q->filter_count; i++) {
        out->filters[i].f = q->filters[i];
    }
    own = &out->filters[i].f;
    own->where = q->where;
    own->bbox = q->bbox;
    own->time = q->time;
    own->geometry_column = q->geometry_column;
    own->time_column = q->time_column;
    own->level = q->level;
    own->exact_time = q->exact_time;
    out->filter_count = i + 1;
    out->table = q->table;
    out->flat = q->flat;
    out->padding = q->padding;
    out->limit = q->limit;
    out->offset = q->offset;
    out->row_from = q->row_from;
    out->row_to = q->row_to;
    return taco__query_parse_columns(arena, q->select, &out->select, err) &&
           taco__query_parse_columns(arena, q->order, &out->order, err);
}

/* Adds the condition of a filter, if it has one, to *e. It is parsed on first use; each container
   binds a copy, the last one of a cursor (`last`) the tree itself if it was parsed from text. */
TACO__FN TACO__ONCE bool taco__query_parse_condition(taco__query_filter *f, taco__arena *arena,
                                                     const taco_limits *limits, bool last,
                                                     taco__expr **e, taco_error *err)
{
    taco__expr *x;
    if (!f->where && f->f.where) {
        char *text = taco__arena_text(arena, taco__bytes_text(f->f.where), err);
        f->parsed = text ? taco__pred_parse(arena, text, strlen(text), limits, err) : NULL;
        if (!f->parsed) {
            taco_bytes w = taco__bytes_text(f->f.where);
            taco__error_prefix(err, "where: %q", &w);
            return false;
        }
        f->where = f->parsed;
    }
    if (!f->where) { return true; }
    x = last && f->parsed ? f->parsed : taco__expr_copy(arena, f->where, err);
    *e = x ? taco__expr_and(arena, *e, x, err) : NULL;
    return *e != NULL;
}
/* ==== src/dataset/condition_levels.c ==== */
/* condition_levels.c - names of other levels in a condition: l0:split = 'train' AND l1:id =
   'image.tif'

   In: the condition of a filter, parsed but not bound, and the level of the filter. Out: a
   condition for each level whose columns it names.

   lN:NAME is the column NAME of level N, unless the filter's own level has a column with the whole
   name. All filters hold along one path (cascade.c), as AND does, so the parts of a condition
   between its ANDs may be of different levels; the columns of one part may not. */
/* #include "cascade.h" */
/* #include "cursor.h" */
/* #include "../base/base.h" */

/* Length of the prefix of a name that is no column of level `level`; 0: it has none. */
static size_t taco__condition_prefix(const taco__container *s, uint32_t level, taco_bytes name)
{
    const taco__table *t = &s->levels[level].table;
    size_t i;
    if (name.len < 4 || (name.data[0] | 0x20) != 'l' || name.data[1] < '0' || name.data[1] > '9' ||
        name.data[2] != ':') {
        return 0;
    }
    for (i = 0; i < t->field_count; i++) {
        if (taco__bytes_equal(taco__bytes_text(t->fields[i].name), name)) { return 0; }
    }
    return 3;
}

/* Whether a condition names a column of another level. */
static bool taco__condition_has_prefix(const taco__container *s, uint32_t level,
                                       const taco__expr *e)
{
    const taco__expr *c;
    if (e->kind == TACO__PRED_COLUMN && e->name.data) {
        return taco__condition_prefix(s, level, e->name) != 0;
    }
    for (c = e->first; c && !taco__condition_has_prefix(s, level, c); c = c->next) {}
    return c != NULL;
}

/* Finds the level of the columns of one part, which lose their prefixes. *found is UINT32_MAX
   before the first column. */
static bool taco__condition_find_level(const taco__container *s, uint32_t level, taco__expr *e,
                                       uint32_t *found, taco_error *err)
{
    taco__expr *c;
    size_t n;
    uint32_t own;
    if (e->kind == TACO__PRED_COLUMN && e->name.data) {
        n = taco__condition_prefix(s, level, e->name);
        own = n ? (uint32_t)(e->name.data[1] - '0') : level;
        if (*found != UINT32_MAX && *found != own) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, e->at,
                       "%q is of level %u, the column before it of level %u: conditions on "
                       "different levels are joined by AND",
                       &e->name, TACO__U(own), TACO__U(*found));
            return false;
        }
        if (n && own >= TACO__MAX_LEVELS) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, e->at, "%q: there is no level %u", &e->name,
                       TACO__U(own));
            return false;
        }
        e->name = taco__bytes_of(e->name.data + n, e->name.len - n);
        *found = own;
    }
    for (c = e->first; c; c = c->next) {
        if (!taco__condition_find_level(s, level, c, found, err)) { return false; }
    }
    return true;
}

/* Adds what is joined by AND in e to the conditions of their levels. */
static bool taco__condition_split(const taco__container *s, taco__arena *arena, uint32_t level,
                                  taco__expr *e, taco__expr **parts, taco_error *err)
{
    uint32_t found = UINT32_MAX;
    taco__expr *c = e->first, *next;
    if (e->kind == TACO__PRED_AND) {
        for (; c; c = next) {
            next = c->next;
            c->next = NULL;
            if (!taco__condition_split(s, arena, level, c, parts, err)) { return false; }
        }
        return true;
    }
    if (!taco__condition_find_level(s, level, e, &found, err)) { return false; }
    found = found == UINT32_MAX ? level : found;
    parts[found] = taco__expr_and(arena, parts[found], e, err);
    return parts[found] != NULL;
}

/* Sets parts[l] to what *e, which is taken apart, says about level l; NULL for nothing. */
TACO__FN bool taco__condition_levels(const taco__container *s, taco__arena *arena, uint32_t level,
                                     taco__expr *e, taco__expr *parts[TACO__MAX_LEVELS],
                                     taco_error *err)
{
    memset(parts, 0, TACO__MAX_LEVELS * sizeof *parts);
    if (!taco__condition_has_prefix(s, level, e)) {
        parts[level] = e;
        return true;
    }
    return taco__condition_split(s, arena, level, e, parts, err);
}

/* The column of a level with that name in any case of letters, as conditions find it; NULL: it has
   none. */
static const char *taco__condition_find_column(const taco__level *l, taco_bytes name)
{
    size_t i, k;
    for (i = 0; i < l->table.field_count; i++) {
        taco_bytes f = taco__bytes_text(l->table.fields[i].name);
        for (k = 0; f.len == name.len && k < name.len &&
                    taco__ascii_lower(f.data[k]) == taco__ascii_lower(name.data[k]);
             k++) {}
        if (k == name.len) { return l->table.fields[i].name; }
    }
    return NULL;
}

/* The first column of a condition that its level lacks; NULL: there is none. */
static const taco__expr *taco__condition_missing(const taco__level *l, const taco__expr *e)
{
    const taco__expr *c, *found = NULL;
    if (e->kind == TACO__PRED_COLUMN && e->name.data && !taco__condition_find_column(l, e->name)) {
        return e;
    }
    for (c = e->first; c && !found; c = c->next) {
        found = taco__condition_missing(l, c);
    }
    return found;
}

/* A condition failed because its level lacks a column: appends which level has it. */
TACO__FN TACO__COLD void taco__condition_hint(taco__container *s, uint32_t level,
                                              const taco__expr *e, taco_error *err)
{
    const taco__expr *missing =
        err->code == TACO_ERR_NOT_FOUND ? taco__condition_missing(&s->levels[level], e) : NULL;
    const uint32_t n = missing ? taco__container_level_count(s) : 0;
    uint32_t l;
    for (l = 0; l < n; l++) {
        taco_error none = {0, TACO_OK, 0, {0}};
        const taco__level *other = l != level ? taco__container_level(s, l, &none) : NULL;
        const char *name = other ? taco__condition_find_column(other, missing->name) : NULL;
        if (name) {
            taco__error_suffix(err, "; level %u has it: l%u:%s", TACO__U(l), TACO__U(l), name);
            return;
        }
    }
}
/* ==== src/dataset/cursor_columns.c ==== */
/* cursor_columns.c - which columns a query shows: all of a level, or those named in a list

   In: the columns of levels over all containers (schema_union.c). Out: c->columns: fields as the
   caller sees them, and the origin of each column's values. TACO 2.0 §7.2.2, §7.2.3.

   taco__cursor_column_add_all adds every column: those stored, the container's path and file name
   if there are several, the GDAL path, and hidden ones for SQL. In a flat view names begin with the
   level, "l0:id", and internal columns are left out; a whole view (taco__select_options) leaves out
   only those that join levels. taco__cursor_column_select then keeps those in a list, which
   query_parse.c makes from taco_query.select. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* A column that is taken from the table if it has it. */
TACO__FN bool taco__cursor_column_is_stored(const taco__cursor_column *o)
{
    return o->kind == TACO__CURSOR_COLUMN_STORED || o->kind == TACO__CURSOR_COLUMN_SOURCE_FILE ||
           o->kind == TACO__CURSOR_COLUMN_CURRENT_ID;
}

/* ---- making columns ---- */

/* Makes room for n columns; previous ones are dropped, but stay in the arena. */
TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n)
{
    taco__cursor_columns *x = &c->columns;
    x->fields = (taco_field *)taco__arena_array(&c->arena, n, sizeof *x->fields, &c->err);
    x->origins =
        (taco__cursor_column *)taco__arena_array(&c->arena, n, sizeof *x->origins, &c->err);
    return x->fields && x->origins;
}

/* Adds a column with the type of f, for which there is room; name is its name in the table, label
   that in the result. */
TACO__FN void taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f)
{
    taco__cursor_columns *x = &c->columns;
    taco__cursor_column *o = &x->origins[x->count];
    o->kind = kind;
    o->level = level;
    o->name = name;
    x->fields[x->count] = *f;
    x->fields[x->count].name = label;
    x->fields[x->count].nullable = true;
    x->count++;
}

/* A column of a type without parameters. */
static void taco__cursor_column_add_made(taco_cursor *c, taco__cursor_column_kind kind,
                                         uint32_t level, const char *name, const char *label,
                                         taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.type = type;
    taco__cursor_column_add(c, kind, level, name, label, &f);
}

/* internal:gdal_vsi of the rows themselves, without a prefix even in a flat view. */
TACO__FN void taco__cursor_column_add_vsi(taco_cursor *c, uint32_t level)
{
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, TACO__GDAL_VSI,
                                 TACO_TEXT);
}

/* name, or "lN:name" in a flat view; NULL when memory ends. */
static const char *taco__cursor_column_label(taco_cursor *c, uint32_t level, const char *name)
{
    size_t n = strlen(name);
    char *p;
    if (!c->query.flat) { return name; }
    p = (char *)taco__arena_alloc(&c->arena, n + 4, &c->err);
    if (p) {
        p[0] = 'l';
        p[1] = (char)('0' + (int)level);
        p[2] = ':';
        memcpy(p + 3, name, n);
    }
    return p;
}

/* Whether a flat view omits a stored column. */
static bool taco__cursor_column_is_left_out(const taco_cursor *c, const char *name)
{
    if (!c->query.whole) {
        return c->query.flat && taco__bytes_starts_with(taco__bytes_text(name), "internal:");
    }
    return strcmp(name, TACO__CURRENT_ID) == 0 || strcmp(name, TACO__PARENT_ID) == 0 ||
           strcmp(name, TACO__GDAL_VSI) == 0;
}

/* The kind of a stored column with that name: two of them are computed if a table lacks them. */
static taco__cursor_column_kind taco__cursor_column_kind_of(const char *name)
{
    return strcmp(name, TACO__SOURCE_FILE) == 0  ? TACO__CURSOR_COLUMN_SOURCE_FILE
           : strcmp(name, TACO__CURRENT_ID) == 0 ? TACO__CURSOR_COLUMN_CURRENT_ID
                                                 : TACO__CURSOR_COLUMN_STORED;
}

/* The columns that containers store for a level. */
static bool taco__cursor_column_add_level(taco_cursor *c, uint32_t level)
{
    const taco__level_schema *s = &c->ds->schema[level];
    size_t i;
    for (i = 0; i < s->count; i++) {
        const taco_field *f = &s->fields[i];
        const char *label;
        if (taco__cursor_column_is_left_out(c, f->name)) { continue; }
        label = taco__cursor_column_label(c, level, f->name);
        if (!label) { return false; }
        taco__cursor_column_add(c, taco__cursor_column_kind_of(f->name), level, f->name, label, f);
    }
    return true;
}

/* Whether there is a column of the kind at the level. */
static bool taco__cursor_column_has(const taco_cursor *c, uint32_t level,
                                    taco__cursor_column_kind kind)
{
    const taco__cursor_column *o = c->columns.origins;
    size_t i;
    for (i = 0; i < c->columns.count && (o[i].kind != kind || o[i].level != level); i++) {}
    return i < c->columns.count;
}

/* Several containers: which one a row belongs to. */
static bool taco__cursor_column_add_source(taco_cursor *c, uint32_t level)
{
    const char *label = taco__cursor_column_label(c, level, TACO__SOURCE_PATH),
               *file = taco__cursor_column_label(c, level, TACO__SOURCE_FILE);
    if (!label || !file) { return false; }
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_SOURCE_PATH, level, TACO__SOURCE_PATH,
                                 label, TACO_TEXT);
    if ((!c->query.flat || c->query.whole) &&
        !taco__cursor_column_has(c, level, TACO__CURSOR_COLUMN_SOURCE_FILE)) {
        taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_SOURCE_FILE, level, TACO__SOURCE_FILE,
                                     file, TACO_TEXT);
    }
    return true;
}

/* The computed columns of a level in a whole view: containers, paths. */
static bool taco__cursor_column_add_whole(taco_cursor *c, uint32_t level)
{
    const char *label = taco__cursor_column_label(c, level, TACO__GDAL_VSI);
    if (!label || (c->ds->container_count > 1 && !taco__cursor_column_add_source(c, level))) {
        return false;
    }
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, label,
                                 TACO_TEXT);
    return true;
}

/* Columns that only SQL may name: those that join levels, and the row id. */
static void taco__cursor_column_add_hidden(taco_cursor *c, uint32_t level)
{
    taco__cursor_columns *x = &c->columns;
    size_t shown = x->count;
    if (c->query.whole) {
        taco__cursor_column_add_vsi(c, level); /* without prefix, as in views of FILEs */
    }
    if (!c->query.flat && !c->ds->stores[0].levels[level].wide &&
        !taco__cursor_column_has(c, level, TACO__CURSOR_COLUMN_CURRENT_ID)) {
        taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_CURRENT_ID, level, TACO__CURRENT_ID,
                                     TACO__CURRENT_ID, TACO_INT64);
    }
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_ROW_ID, level, TACO__ROW_ID, TACO__ROW_ID,
                                 TACO_INT64);
    x->hidden = x->count - shown;
    x->count = shown;
}

/* Adds every column that a query on this level can show; for a flat view also those of its
   ancestors, beginning with the deepest level. */
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level, bool hidden)
{
    taco_dataset *ds = c->ds;
    /* source path and file, GDAL path, two hidden ones */
    size_t n = 6;
    uint32_t l, lowest = c->query.flat ? 0 : level;
    for (l = lowest; l <= level; l++) {
        if (!taco__schema_union_level_fields(ds, l, &c->err)) { return false; }
        n += ds->schema[l].count + (c->query.whole ? 3U : 0U);
    }
    if (!taco__cursor_column_reserve(c, n)) { return false; }
    for (l = level + 1; l-- > lowest;) {
        if (!taco__cursor_column_add_level(c, l) ||
            (c->query.whole && !taco__cursor_column_add_whole(c, l))) {
            return false;
        }
    }
    if (!c->query.whole && !ds->stores[0].levels[level].wide) {
        if (ds->container_count > 1 && !taco__cursor_column_add_source(c, level)) { return false; }
        taco__cursor_column_add_vsi(c, level);
    }
    if (hidden) { taco__cursor_column_add_hidden(c, level); }
    return true;
}

/* ---- lists of names ---- */

/* Copies one column named in a list from `all` to c->columns. */
static bool taco__cursor_column_select_one(taco_cursor *c, const taco__query_column *named,
                                           const taco__cursor_columns *all,
                                           const taco__field_index *names)
{
    taco__cursor_columns *x = &c->columns;
    size_t i = taco__field_index_find(names, named->name);
    if (i == TACO__NONE) {
        taco__field_names_no_column(all->fields, all->count, taco__bytes_text(named->name),
                                    &c->err);
        return false;
    }
    if (named->rest.len) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, named->rest_at, "expected a comma, found %q",
                   &named->rest);
        return false;
    }
    x->fields[x->count] = all->fields[i];
    x->origins[x->count++] = all->origins[i];
    return true;
}

/* Keeps the columns in a list, in its order; may include hidden ones. */
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const taco__query_columns *list)
{
    taco__cursor_columns all = c->columns;
    taco__field_index names;
    size_t i;
    if (!taco__cursor_column_reserve(c, list->count + 1)) { return false; }
    taco__field_index_init(&names, all.fields, all.count + all.hidden, c->mem);
    c->columns.count = c->columns.hidden = 0;
    for (i = 0; i < list->count && taco__cursor_column_select_one(c, &list->items[i], &all, &names);
         i++) {}
    taco__field_index_free(&names);
    taco__query_parse_ends(list, &c->err);
    if (list->count == 0 && c->err.code == TACO_OK) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    if (c->err.code != TACO_OK) {
        taco__error_prefix(&c->err, "select");
        return false;
    }
    return true;
}

/* ---- finding columns ---- */

TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) { return i; }
    }
    return TACO__NONE;
}

/* Searches the shown columns. */
TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name)
{
    return taco__cursor_column_find_field(c->columns.fields, c->columns.count, name);
}

TACO__FN bool taco__cursor_column_is_number(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_DECIMAL;
}

/* Length of the "lN:" that a flat view puts before the names of a level. */
TACO__FN size_t taco__cursor_column_prefix_length(const char *label)
{
    return label[0] == 'l' && label[1] >= '0' && label[1] <= '9' && label[2] == ':' ? 3 : 0;
}

/* The first column with that name at any level; exact: the name includes the prefix. */
TACO__FN size_t taco__cursor_column_find_unprefixed(const taco_field *fields, size_t n,
                                                    const char *name, bool exact)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const char *l = fields[i].name;
        if (strcmp(exact ? l : l + taco__cursor_column_prefix_length(l), name) == 0) { return i; }
    }
    return TACO__NONE;
}

/* The column with that name at the same level as the column `of`. */
TACO__FN size_t taco__cursor_column_find_same_level(const taco_field *fields, size_t n,
                                                    const char *of, const char *name)
{
    size_t i, k = taco__cursor_column_prefix_length(of);
    for (i = 0; i < n; i++) {
        const char *l = fields[i].name;
        if (strncmp(l, of, k) == 0 && strcmp(l + k, name) == 0) { return i; }
    }
    return TACO__NONE;
}
/* ==== src/dataset/sample_path.c ==== */
/* sample_path.c - the column internal:gdal_vsi: GDAL paths of rows, made here or by tasks

   In: the columns of a table that paths are made of. Out: an array of text, null where a row has no
   path. TACO 2.0 §7.2.3; gdal_path.c knows the syntax.

   taco__sample_path_init decides once how the paths of a level are made; its inputs are columns of
   the table, which table_reader.c then turns into indexes of the arrays it reads.
   taco__sample_path_make_column makes a batch of paths. A path costs more than decoding most
   columns, so if the host runs tasks, the second half of the file lets them make paths from what
   they have just read (taco__sample_path_tasks_init). */
/* #include "cursor.h" */
/* #include "gdal_path.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

/* 1 FOLDER, 0 FILE, -1 neither */
TACO__FN int taco__sample_path_parse_type(taco_bytes type)
{
    return taco__bytes_equal(type, taco__bytes_text("FILE"))     ? 0
           : taco__bytes_equal(type, taco__bytes_text("FOLDER")) ? 1
                                                                 : -1;
}

/* ---- how the paths of a table are made ---- */

TACO__FN void taco__sample_path_free(taco__sample_path_maker *m)
{
    taco__buf_free(&m->offsets);
    taco__buf_free(&m->bytes);
    taco__buf_free(&m->validity);
    taco__buf_free(&m->padded_root);
}

/* No paths, until a mode with inputs is set. */
static void taco__sample_path_reset(taco__sample_path_maker *m)
{
    size_t i;
    m->mode = TACO__SAMPLE_PATH_NONE;
    for (i = 0; i < TACO__SAMPLE_PATH_INPUTS; i++) {
        m->input[i] = TACO__NONE;
    }
}

static bool taco__sample_path_is_text(const taco__table *t, size_t column)
{
    return column != TACO__NONE && t->fields[column].type == TACO_TEXT;
}

static bool taco__sample_path_is_integer(const taco__table *t, size_t column)
{
    return column != TACO__NONE && taco__join_is_integer(t->fields[column].type);
}

/* Formats store paths in a column, or have none. */
static void taco__sample_path_init_stored(taco__sample_path_maker *m, const taco__table *t,
                                          const taco__column_roles *r)
{
    if (taco__sample_path_is_text(t, r->subfile)) {
        m->mode = TACO__SAMPLE_PATH_STORED;
        m->input[TACO__SAMPLE_PATH_NAME] = r->subfile;
    }
}

/* A FOLDER dataset. Without the columns, or if they are not text, all paths are null. */
static void taco__sample_path_init_folder(taco__sample_path_maker *m, const taco__table *t,
                                          const taco__column_roles *r, uint32_t level)
{
    size_t name = level ? r->relative : r->id;
    if (taco__sample_path_is_text(t, name) && taco__sample_path_is_text(t, r->type)) {
        m->mode = level ? TACO__SAMPLE_PATH_RELATIVE : TACO__SAMPLE_PATH_TOP;
        m->input[TACO__SAMPLE_PATH_NAME] = name;
        m->input[TACO__SAMPLE_PATH_TYPE] = r->type;
    }
}

/* Archives and catalogues must have the columns. */
static bool taco__sample_path_init_archive(taco__sample_path_maker *m, const taco__container *s,
                                           const taco__table *t, const taco__column_roles *r,
                                           taco_error *err)
{
    bool many = s->kind != TACO_KIND_ZIP;
    const char *missing = r->offset == TACO__NONE           ? "internal:offset"
                          : r->size == TACO__NONE           ? "internal:size"
                          : many && r->source == TACO__NONE ? "internal:source_file"
                                                            : NULL;
    if (missing) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no %s, no path can be made",
                   missing);
    } else if (!taco__sample_path_is_integer(t, r->offset) ||
               !taco__sample_path_is_integer(t, r->size)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
    } else if (many && !taco__sample_path_is_text(t, r->source)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:source_file must be text");
    } else {
        m->mode = many ? TACO__SAMPLE_PATH_TACOCAT : TACO__SAMPLE_PATH_ZIP;
        m->input[TACO__SAMPLE_PATH_OFFSET] = r->offset;
        m->input[TACO__SAMPLE_PATH_SIZE] = r->size;
        m->input[TACO__SAMPLE_PATH_NAME] = many ? r->source : TACO__NONE;
        return true;
    }
    return false;
}

/* Decides how the paths of a level of a container are made; the inputs are columns of its table.
   The container must outlive m. */
TACO__FN bool taco__sample_path_init(taco__sample_path_maker *m, const taco__container *s,
                                     const taco__table *t, const taco__column_roles *r,
                                     uint32_t level, taco_error *err)
{
    taco__sample_path_reset(m);
    m->root = taco__bytes_text(s->vsi);
    if (!s->format && s->kind != TACO_KIND_FOLDER) {
        return taco__sample_path_init_archive(m, s, t, r, err);
    }
    if (s->format) {
        taco__sample_path_init_stored(m, t, r);
    } else {
        taco__sample_path_init_folder(m, t, r, level);
    }
    return true;
}

/* The same for rows of an archive's __meta__; their bytes are in the same archive as the FOLDER. */
static bool taco__sample_path_init_meta(taco__sample_path_maker *m, const taco__nav_node *n,
                                        const taco__table *t, const taco__column_roles *r,
                                        taco_error *err)
{
    const char *root = n->source
                           ? taco__container_join_path(n->store, n->store->vsi, n->source, err)
                           : n->store->vsi;
    if (!root) { return false; }
    if (!taco__sample_path_is_integer(t, r->offset) || !taco__sample_path_is_integer(t, r->size)) {
        taco_bytes name =
            taco__bytes_text(r->offset == TACO__NONE ? "internal:offset" : "internal:size");
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "__meta__ has no %q of integers, no path can be made", &name);
        return false;
    }
    m->mode = TACO__SAMPLE_PATH_ZIP;
    m->root = taco__bytes_text(root);
    m->input[TACO__SAMPLE_PATH_OFFSET] = r->offset;
    m->input[TACO__SAMPLE_PATH_SIZE] = r->size;
    return true;
}

/* Decides how the paths of the children of n, listed in t, are made. */
TACO__FN bool taco__sample_path_init_children(taco__sample_path_maker *m, const taco__nav_node *n,
                                              const taco__table *t, const taco__column_roles *r,
                                              taco_error *err)
{
    const char *dir;
    taco__sample_path_reset(m);
    if (n->store->format) {
        taco__sample_path_init_stored(m, t, r);
        return true;
    }
    if (n->store->kind != TACO_KIND_FOLDER) { return taco__sample_path_init_meta(m, n, t, r, err); }
    dir = taco__local_meta_folder_vsi(n, err);
    m->mode = TACO__SAMPLE_PATH_CHILD;
    m->root = taco__bytes_text(dir);
    m->input[TACO__SAMPLE_PATH_TYPE] = r->type;
    m->input[TACO__SAMPLE_PATH_NAME] = r->id;
    return dir != NULL;
}

/* ---- a column of paths ---- */

/* The array of an input, which the mode must have. */
static const taco_array *taco__sample_path_array(const taco__sample_path_maker *m,
                                                 const taco_array *in, taco__sample_path_input i)
{
    return &in[m->input[i]];
}

static bool taco__sample_path_append_stored(const taco__sample_path_maker *m, taco__buf *out,
                                            const taco_array *in, size_t i, bool *null,
                                            taco_error *err)
{
    const taco_array *a = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_NAME);
    taco_bytes path = taco_array_bytes(a, i);
    *null = !taco_array_valid(a, i);
    return *null || taco__buf_append(out, path.data, path.len, err);
}

static bool taco__sample_path_append_archive(const taco__sample_path_maker *m, taco__buf *out,
                                             const taco_array *in, size_t i, bool *null,
                                             taco_error *err)
{
    const taco_array *offset = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_OFFSET),
                     *size = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_SIZE);
    *null = !taco_array_valid(offset, i) || !taco_array_valid(size, i);
    if (*null) { return true; }
    if (m->mode == TACO__SAMPLE_PATH_ZIP) {
        return taco__vsi_append_zip(out, taco_array_int(offset, i), taco_array_int(size, i),
                                    m->root, err);
    }
    return taco__vsi_append_tacocat(
        out, taco_array_int(offset, i), taco_array_int(size, i), m->root,
        taco_array_bytes(taco__sample_path_array(m, in, TACO__SAMPLE_PATH_NAME), i), err);
}

static bool taco__sample_path_append_folder(const taco__sample_path_maker *m, taco__buf *out,
                                            const taco_array *in, size_t i, bool *null,
                                            taco_error *err)
{
    const taco_array *type = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_TYPE),
                     *name = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_NAME);
    int folder = taco__sample_path_parse_type(taco_array_bytes(type, i));
    *null = folder < 0 || !taco_array_valid(name, i);
    if (*null) { return true; }
    if (m->mode == TACO__SAMPLE_PATH_CHILD) {
        return taco__vsi_append_child(out, m->root, taco_array_bytes(name, i), err);
    }
    return taco__vsi_append_folder(
        out, m->root, taco_array_bytes(name, i), folder > 0,
        m->mode == TACO__SAMPLE_PATH_TOP ? "id" : "internal:relative_path", err);
}

/* Appends the path of row i; *null if it has none. */
static bool taco__sample_path_append_row(const taco__sample_path_maker *m, taco__buf *out,
                                         const taco_array *in, size_t i, bool *null,
                                         taco_error *err)
{
    switch (m->mode) {
    case TACO__SAMPLE_PATH_NONE: *null = true; return true;
    case TACO__SAMPLE_PATH_STORED: return taco__sample_path_append_stored(m, out, in, i, null, err);
    case TACO__SAMPLE_PATH_ZIP:
    case TACO__SAMPLE_PATH_TACOCAT:
        return taco__sample_path_append_archive(m, out, in, i, null, err);
    default: return taco__sample_path_append_folder(m, out, in, i, null, err);
    }
}

/* Whether 32-bit offsets reach all bytes. */
static bool taco__sample_path_check_length(const taco__sample_path_maker *m, taco_error *err)
{
    if (m->bytes.len <= INT32_MAX) { return true; }
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "%u bytes of paths in one batch, 32-bit offsets reach %u: read fewer rows at a time",
               TACO__U(m->bytes.len), TACO__U(INT32_MAX));
    return false;
}

/* Paths of any kind, row by row; sets the validity and counts the nulls. */
static bool taco__sample_path_fill(taco__sample_path_maker *m, const taco_array *in, size_t n,
                                   int32_t *offsets, taco_array *out, taco_error *err)
{
    size_t i;
    memset(m->validity.data, 0xFF, TACO__BITMAP_BYTES(n));
    for (i = 0; i < n; i++) {
        bool null;
        offsets[i] = (int32_t)m->bytes.len;
        if (!taco__sample_path_append_row(m, &m->bytes, in, i, &null, err) ||
            !taco__sample_path_check_length(m, err)) {
            return false;
        }
        if (null) {
            taco__bitmap_clear(m->validity.data, i);
            out->null_count++;
        }
    }
    return true;
}

/* The usual case: an archive, and int64 columns without nulls. */
static bool taco__sample_path_is_plain_zip(const taco__sample_path_maker *m, const taco_array *in)
{
    const taco_array *a, *b;
    if (m->mode != TACO__SAMPLE_PATH_ZIP) { return false; }
    a = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_OFFSET);
    b = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_SIZE);
    return a->field->type == TACO_INT64 && b->field->type == TACO_INT64 && !a->validity &&
           !b->validity;
}

/* The usual case, without a test per row, into room that has been reserved. The root is copied in
   steps of 32 bytes, from a padded copy to padded output. */
static bool taco__sample_path_fill_zip(taco__sample_path_maker *m, taco__mem *mem,
                                       const taco_array *in, size_t n, int32_t *offsets,
                                       taco_error *err)
{
    const int64_t *at = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_OFFSET)->v.i64,
                  *size = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_SIZE)->v.i64;
    const uint8_t *root;
    uint8_t *p, *begin;
    size_t i, k, len = m->root.len;
    m->padded_root.mem = mem;
    if (m->padded_root.len != len && (!taco__buf_reset(&m->padded_root, len, err) ||
                                      !taco__buf_append(&m->padded_root, m->root.data, len, err))) {
        return false;
    }
    root = m->padded_root.data;
    begin = p = m->bytes.data;
    for (i = 0; i < n; i++) {
        offsets[i] = (int32_t)(p - begin);
        if (!taco__vsi_check_range(at[i], size[i], err)) {
            taco__error_prefix(err, "row %u of the batch", TACO__U(i));
            return false;
        }
        p = taco__vsi_write_range(p, (uint64_t)at[i], (uint64_t)size[i]);
        for (k = 0; k < len; k += 32) {
            memcpy(p + k, root + k, 32);
        }
        p += len;
    }
    m->bytes.len = (size_t)(p - begin);
    return taco__sample_path_check_length(m, err);
}

/* Makes the paths of n rows; in has the arrays that the inputs index. The returned array is in m
   until the next call. */
TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err)
{
    int32_t *offsets;
    size_t bytes;
    memset(out, 0, sizeof *out);
    out->field = field;
    out->length = n;
    m->offsets.mem = m->bytes.mem = m->validity.mem = mem;
    if (!taco__array_buf_size(n + 1, sizeof *offsets, &bytes, err) ||
        !taco__buf_reset(&m->offsets, bytes, err) ||
        !taco__buf_reset(&m->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    m->bytes.len = 0;
    if (!taco__checked_mul_size(n, m->root.len + TACO__VSI_RANGE_BYTES, &bytes)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more bytes of paths than memory has");
        return false;
    }
    if (!taco__buf_reserve(&m->bytes, bytes, err)) { return false; }
    offsets = (int32_t *)(void *)m->offsets.data;
    if (!(taco__sample_path_is_plain_zip(m, in)
              ? taco__sample_path_fill_zip(m, mem, in, n, offsets, err)
              : taco__sample_path_fill(m, in, n, offsets, out, err))) {
        return false;
    }
    offsets[n] = (int32_t)m->bytes.len;
    out->offsets = offsets;
    out->v.any = m->bytes.data;
    out->validity = out->null_count ? m->validity.data : NULL;
    return true;
}

/* ---- tasks ---- A task of the scan reads some of the matching rows (a taco__scan_reader). If
   these are few, it makes their paths at once, while the columns are in its cache; for many, paths
   are made piece by piece, as batches need them. Either way taco__sample_path_take_from_tasks finds
   the piece with the rows of a batch, or the batch makes its paths itself. */

/* rows of a piece: their paths stay in the cache until returned */
#define TACO__SAMPLE_PATH_TASK_ROWS ((size_t)8192)

static void taco__sample_path_task_run(void *arg, size_t i)
{
    taco__sample_path_task *p = &((taco__table_reader *)arg)->path_tasks.items[i];
    taco_error err;
    memset(&err, 0, sizeof err);
    p->ok = taco__sample_path_make_column(&p->maker, &p->own, p->in, p->n, NULL, &p->out, &err);
}

/* Gives a task up to n rows of a reader, beginning at `at`. */
static void taco__sample_path_task_set_rows(const taco__table_reader *f, taco__sample_path_task *p,
                                            const taco__scan_reader *r, size_t at, size_t n)
{
    size_t k;
    p->reader = r;
    p->from = at;
    p->n = TACO__MIN(n, r->n - at);
    p->round = f->scan.tasks.batch;
    for (k = 0; k < TACO__SAMPLE_PATH_INPUTS; k++) {
        size_t place = p->maker.input[k];
        if (place != TACO__NONE) {
            p->in[place] = taco__array_buf_slice(NULL, &r->rows.arrays[place], at, p->n);
        }
    }
}

/* Called by the task that has just read the rows of reader i. Its memory is part of that reader's
   share. */
static void taco__sample_path_reader_done(void *ctx, size_t i)
{
    taco__table_reader *f = (taco__table_reader *)ctx;
    taco__scan_reader *r = &f->scan.tasks.readers[i];
    taco__sample_path_task *p = &f->path_tasks.items[i];
    if (r->n <= TACO__SAMPLE_PATH_TASK_ROWS) {
        taco__sample_path_task_set_rows(f, p, r, 0, r->n);
        taco__mem_task_begin(&r->own, &p->own, 1);
        taco__sample_path_task_run(f, i);
        taco__mem_task_merge(&r->own, &p->own);
    }
}

/* Whether the column of paths of a level is an output column; children have one level. */
TACO__FN bool taco__sample_path_is_asked_for(const taco_cursor *c, uint32_t level)
{
    size_t i;
    for (i = 0; i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        if (o->kind == TACO__CURSOR_COLUMN_VSI && (c->children.active || o->level == level)) {
            return true;
        }
    }
    return false;
}

/* A task that makes paths as the reader does, with its own memory. */
static bool taco__sample_path_task_init(taco_cursor *c, const taco__table_reader *f,
                                        taco__sample_path_task *p, taco_error *err)
{
    p->in = (taco_array *)taco__arena_array(&c->arena, f->scan.out.count + 1, sizeof *p->in, err);
    p->maker.mode = f->paths.mode;
    p->maker.root = f->paths.root;
    memcpy(p->maker.input, f->paths.input, sizeof p->maker.input);
    return p->in != NULL;
}

/* Prepares tasks to make the paths, if any are output: call before the first rows of a reader are
   read. Without memory for tasks the batches make them. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f)
{
    taco__sample_path_tasks *t = &f->path_tasks;
    taco_error err;
    size_t i, n = taco__scan_task_max_readers(&f->scan);
    if (c->children.active || !taco__sample_path_is_asked_for(c, c->query.level)) { return; }
    memset(&err, 0, sizeof err);
    t->mem = c->mem;
    t->items = (taco__sample_path_task *)taco__arena_array(&c->arena, n, sizeof *t->items, &err);
    for (i = 0; t->items && i < n; i++) {
        if (!taco__sample_path_task_init(c, f, &t->items[i], &err)) { return; }
    }
    t->count = t->items ? n : 0;
    for (i = 0; i < t->count; i++) {
        taco__mem_task_begin(c->mem, &t->items[i].own, 1);
        taco__mem_task_take_spares(c->mem, &t->items[i].own, TACO__SCAN_SPARES + (unsigned)i,
                                   n * 3);
    }
    if (t->count) { taco__scan_task_on_rows_read(&f->scan, taco__sample_path_reader_done, f); }
}

TACO__FN void taco__sample_path_tasks_free(taco__sample_path_tasks *t)
{
    size_t i;
    for (i = 0; i < t->count; i++) {
        taco__sample_path_free(&t->items[i].maker);
        taco__mem_task_merge(t->mem, &t->items[i].own);
        taco__mem_task_return_spares(t->mem, &t->items[i].own);
    }
    t->count = 0;
}

/* Makes paths of the rows of a reader, beginning at `at`: one piece per task, in whole batches. */
static void taco__sample_path_tasks_run(taco_cursor *c, taco__table_reader *f,
                                        const taco__scan_reader *r, size_t at)
{
    taco__sample_path_task *items = f->path_tasks.items;
    size_t i, n, rows = r->n - at, each = (rows + f->scan.tasks.width - 1) / f->scan.tasks.width;
    if (rows <= TACO__BATCH_ROWS) { return; }
    each = TACO__MIN((each + TACO__BATCH_ROWS - 1) / TACO__BATCH_ROWS * TACO__BATCH_ROWS,
                     TACO__SAMPLE_PATH_TASK_ROWS);
    for (n = 0; n < f->scan.tasks.width && at < r->n; n++, at += each) {
        taco__sample_path_task_set_rows(f, &items[n], r, at, each);
        taco__mem_task_begin(c->mem, &items[n].own, f->scan.tasks.width);
    }
    taco__tasks_run(f->scan.tasks.host, n, taco__sample_path_task_run, f);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(c->mem, &items[i].own);
    }
}

/* The paths of n rows of a reader, beginning at `at`, if a task has made them; at is a multiple of
   8, for the validity. */
static bool taco__sample_path_tasks_find(const taco__table_reader *f, const taco__scan_reader *r,
                                         size_t at, size_t n, taco_array *out)
{
    size_t i;
    for (i = 0; i < f->path_tasks.count; i++) {
        const taco__sample_path_task *p = &f->path_tasks.items[i];
        if (!p->ok || p->round != f->scan.tasks.batch || p->reader != r || at < p->from ||
            at + n > p->from + p->n) {
            continue;
        }
        *out = p->out;
        out->offsets += at - p->from;
        out->validity = out->validity ? out->validity + (at - p->from) / 8 : NULL;
        out->null_count = out->validity ? n - taco__bitmap_count(out->validity, 0, n) : 0;
        out->length = n;
        return true;
    }
    return false;
}

/* The paths of the n rows that the scan delivered last, if tasks have made them or can make them
   from columns they have read. */
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out)
{
    size_t at;
    const taco__scan_reader *r = taco__scan_task_last_reader(&f->scan, n, &at);
    if (!r || !f->path_tasks.count) { return false; }
    if (at % 8) { return false; }
    if (taco__sample_path_tasks_find(f, r, at, n, out)) { return true; }
    taco__sample_path_tasks_run(c, f, r, at);
    return taco__sample_path_tasks_find(f, r, at, n, out);
}
/* ==== src/dataset/table_reader.c ==== */
/* table_reader.c - the rows and columns that a query takes from one table

   In: a table (a level of a container, or a __meta__), the filters of the query, the output
   columns. Out: a taco__table_reader whose scan delivers the matching rows, and readers for the
   columns of their ancestors in a flat view.

   Three steps, called by select.c. taco__table_reader_bind turns the filters into conditions, level
   by level, and decides whether they can be tested while rows are read or need a cascade first, as
   they do if several levels are involved. taco__table_reader_run_cascade tests those.
   taco__table_reader_open opens the scan over each column once, and records where output columns
   and paths find theirs. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

/* ---- conditions ---- */

/* Before a column of a level is read. */
static bool taco__table_reader_check_places(taco_cursor *c, taco__container *s, uint32_t level,
                                            size_t column)
{
    const taco__column_roles *r = s ? &s->levels[level].role : NULL;
    return !r || (column != r->offset && column != r->size) ||
           taco__places_check(s, level, &c->err);
}

/* Before a condition on a level is tested. */
static bool taco__table_reader_check_where(taco_cursor *c, taco__container *s, uint32_t level,
                                           const taco__expr *where)
{
    const taco__level *l = s ? &s->levels[level] : NULL;
    uint8_t *read;
    size_t i;
    if (!l || level == 0 || l->places || !where) { return true; }
    read = (uint8_t *)taco__arena_alloc(&c->arena, TACO__BITMAP_BYTES(l->table.field_count) + 8,
                                        &c->err);
    if (!read) { return false; }
    taco__expr_mark_columns(where, read);
    for (i = 0; i < l->table.field_count; i++) {
        if (taco__bitmap_get(read, i) && !taco__table_reader_check_places(c, s, level, i)) {
            return false;
        }
    }
    return true;
}

/* Opens a level that a filter tests, in all containers. */
static taco__level *taco__table_reader_open_level(taco_cursor *c, const taco__table_reader *f,
                                                  uint32_t level)
{
    taco__level *l = taco__container_level(f->store, level, &c->err);
    return l && (c->ds->container_count < 2 ||
                 taco__schema_union_level_fields(c->ds, level, &c->err))
               ? l
               : NULL;
}

/* Adds the condition of a filter to those of the levels whose columns it names. */
static bool taco__table_reader_add_condition(taco_cursor *c, taco__table_reader *f,
                                             taco__query_filter *filter, taco__expr **where)
{
    const bool last = f + 1 == c->readers + c->ds->container_count;
    taco__expr *parts[TACO__MAX_LEVELS], *x = NULL;
    uint32_t l;
    if (!taco__query_parse_condition(filter, &c->arena, &c->ds->options.limits, last, &x,
                                     &c->err)) {
        return taco__container_fail(f->store, NULL, &c->err);
    }
    if (!x) { return true; }
    if (!taco__condition_levels(f->store, &c->arena, filter->f.level, x, parts, &c->err)) {
        taco_bytes w = taco__bytes_text(filter->f.where ? filter->f.where : "");
        taco__error_prefix(&c->err, "where: %q", &w);
        return taco__container_fail(f->store, NULL, &c->err);
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!parts[l]) { continue; }
        if (l != filter->f.level && !taco__table_reader_open_level(c, f, l)) { return false; }
        where[l] = taco__expr_and(&c->arena, where[l], parts[l], &c->err);
        if (!where[l]) { return false; }
        f->filter.deepest = TACO__MAX(f->filter.deepest, l);
    }
    return true;
}

/* Turns the filters into conditions: where[l] for level l. *any: there is a filter that is not
   empty. */
static bool taco__table_reader_add_filters(taco_cursor *c, taco__table_reader *f,
                                           taco__query_filter *filters, size_t n,
                                           taco__expr **where, bool *any)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const taco_filter *x = &filters[i].f;
        taco__level *level = taco__table_reader_open_level(c, f, x->level);
        if (!level) { return false; }
        if (!x->where && !filters[i].where && !x->bbox && !x->time) { continue; }
        if (!taco__table_reader_add_condition(c, f, &filters[i], where)) { return false; }
        if (!taco__query_add_filter(f->store, &c->arena, &level->table, x, &where[x->level],
                                    &c->err)) {
            taco__query_hint(f->store, x, &c->err);
            return taco__container_fail(f->store, NULL, &c->err);
        }
        if (x->bbox || x->time) { f->filter.deepest = TACO__MAX(f->filter.deepest, x->level); }
        *any = true;
    }
    return true;
}

/* Sets the masks of one container, and the deepest level with a condition or a mask. True if there
   is a mask. A caller's masks come from the dataset, so they contain only kept rows. */
static bool taco__table_reader_set_masks(const taco_cursor *c, taco__table_reader *f,
                                         const taco__select_options *opt)
{
    taco__table_filter *t = &f->filter;
    uint32_t l;
    bool masked = false;
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        t->masks[l] =
            opt->masks ? opt->masks[(size_t)(f - c->readers) * TACO__MAX_LEVELS + l] : NULL;
        if (l == 0 && !t->masks[0]) { t->masks[0] = f->store->kept; }
        masked = masked || t->masks[l];
        t->deepest = t->masks[l] ? TACO__MAX(t->deepest, l) : t->deepest;
    }
    return masked;
}

/* The fields that conditions on a level of one container test where other containers store a column
   with another type, by column; NULL: all as stored. */
static bool taco__table_reader_tested_fields(taco_cursor *c, uint32_t level, const taco__table *t,
                                             const taco_field *const **out)
{
    const taco__level_schema *s = &c->ds->schema[level];
    const taco_field **as;
    size_t i;
    *out = NULL;
    if (!TACO__WITH_MANY || !s->fields) { return true; }
    for (i = 0; i < s->count && !s->mixed[i]; i++) {}
    if (i == s->count) { return true; }
    as = (const taco_field **)taco__arena_array(&c->arena, t->field_count + 1, sizeof *as, &c->err);
    for (i = 0; as && i < t->field_count; i++) {
        const taco__hash_slot *slot =
            taco__hash_map_find(&s->names, taco__bytes_text(t->fields[i].name));
        if (slot && slot->value < s->count && s->mixed[slot->value] &&
            t->fields[i].type != TACO_NULL &&
            !taco__unify_same_type(&s->fields[slot->value], &t->fields[i])) {
            as[i] = &s->fields[slot->value];
        }
    }
    *out = as;
    return as != NULL;
}

/* Adds the implicit conditions, and binds all. Padding is hidden in the rows' own level and, if
   levels are joined, in the others, too. */
static bool taco__table_reader_bind_levels(taco_cursor *c, taco__table_reader *f, bool any,
                                           taco__expr **where)
{
    uint32_t l, last = TACO__MAX(f->filter.deepest, c->query.level);
    for (l = 0; l <= last; l++) {
        taco__level *level = taco__container_level(f->store, l, &c->err);
        bool joined = any || c->query.flat || l == c->query.level;
        const taco_field *const *as;
        if (!level || (!c->query.padding && joined &&
                       !taco__query_hide_padding(level, &c->arena, &where[l], &c->err))) {
            return false;
        }
        if (!where[l]) { continue; }
        if (!taco__table_reader_tested_fields(c, l, &level->table, &as)) { return false; }
        if (!taco__pred_bind_cast(where[l], level->table.fields, level->table.field_count, as,
                                  TACO__WITH_MANY ? taco__unify_cast_array : NULL, &c->arena,
                                  &c->err)) {
            taco__condition_hint(f->store, l, where[l], &c->err);
            taco__error_prefix(&c->err, "where");
            return taco__container_fail(f->store, NULL, &c->err);
        }
        if (!taco__table_reader_check_where(c, f->store, l, where[l])) { return false; }
    }
    return true;
}

/* A flat view shows only FILEs: AND type = 'FILE'. */
static bool taco__table_reader_only_files(taco_cursor *c, taco__table_reader *f)
{
    const taco__level *level = &f->store->levels[c->query.level];
    taco__expr **where = &f->filter.where;
    taco__expr *file =
        level->role.type == TACO__NONE
            ? NULL
            : taco__expr_equals(&c->arena, level->role.type, taco__bytes_text("FILE"), &c->err);
    if (!file ||
        !taco__pred_bind(file, f->table->fields, f->table->field_count, &c->arena, &c->err)) {
        TACO__FAIL(&c->err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no column 'type' of text");
        return taco__container_fail(f->store, level->name, &c->err);
    }
    *where = *where ? taco__expr_and(&c->arena, *where, file, &c->err) : file;
    /* both sides are bound */
    if (*where) { (*where)->bound = true; }
    return true;
}

/* Decides where the conditions of n filters are tested. f->store and f->table are set. */
TACO__FN bool taco__table_reader_bind(taco_cursor *c, taco__table_reader *f,
                                      taco__query_filter *filters, size_t n,
                                      const taco__select_options *opt)
{
    taco__table_filter *t = &f->filter;
    taco__expr *where[TACO__MAX_LEVELS] = {NULL};
    uint32_t level = c->query.level;
    bool any = false, masked;
    t->deepest = 0;
    if (!taco__table_reader_add_filters(c, f, filters, n, where, &any)) { return false; }
    masked = taco__table_reader_set_masks(c, f, opt);
    any = any || masked;
    if (!taco__table_reader_bind_levels(c, f, any, where)) { return false; }
    t->where = where[level];
    if ((any && (masked || (!opt->keeps_orphans && (t->deepest > 0 || level > 0)))) ||
        (c->query.flat && level > 0)) {
        t->deepest = TACO__MAX(t->deepest, c->query.flat ? level : 0);
        t->conditions = (taco__expr **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                         sizeof(taco__expr *), &c->err);
        if (!t->conditions) { return false; }
        memcpy(t->conditions, where, sizeof where);
        /* the cascade tests the levels down to the deepest */
        t->where = level > t->deepest ? where[level] : NULL;
    }
    return (!c->query.flat || c->query.whole || taco__table_reader_only_files(c, f)) &&
           c->err.code == TACO_OK;
}

/* Tests the conditions that have to be tested before rows are read, if any. */
TACO__FN bool taco__table_reader_run_cascade(taco_cursor *c, taco__table_reader *f)
{
    taco__table_filter *t = &f->filter;
    if (!t->conditions) { return true; }
    t->has_cascade = true;
    return taco__cascade_run(f->store, &t->cascade, t->conditions, t->masks, t->deepest,
                             c->query.level, &c->err);
}

/* Replaces the condition of a cursor with one reader, before its first row. */
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where)
{
    taco__table_reader *f = &c->readers[0];
    size_t n = f->scan.out.count,
           *which = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *which, &c->err);
    if (!which || !taco__table_reader_check_where(c, f->store, c->query.level, where)) {
        return false;
    }
    memcpy(which, f->scan.out.which, n * sizeof *which);
    taco__scan_close(&f->scan);
    f->filter.where = where;
    f->open = taco__scan_open(&f->scan, f->table, where, NULL, which, n, 0, c->mem, &c->err);
    return f->open;
}

/* ---- reading ahead ---- */

/* Adds the ranges of the columns of r that picked rows (NULL: all) need. */
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err)
{
    const taco__table *t = r->table;
    taco__row_selection w;
    taco__scan_span span;
    uint32_t g;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    w.select = picked;
    for (g = 0; g < taco__table_group_count(t); g++) {
        span.first = taco__table_group_first_row(t, g);
        span.n = taco__table_group_rows(t, g);
        span.all_match = !picked;
        if ((!picked || taco__bitmap_count(picked, (size_t)span.first, (size_t)span.n)) &&
            !taco__scan_fetch_add_chunks(t->pq, r->which, r->count, t->stored, g, &w, ranges,
                                         err)) {
            return false;
        }
    }
    return true;
}

/* A flat view of a vectored source: reads ancestors in one round, which would otherwise be read row
   group by row group. */
static bool taco__table_reader_read_ahead(taco_cursor *c, taco__table_reader *f)
{
    taco__buf ranges;
    taco__file *file = f->table->pq ? f->table->pq->part.file : NULL;
    uint32_t l;
    bool ok = true;
    if (!f->filter.has_cascade || !file || !file->src.read_many) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = f->store->mem;
    for (l = 0; ok && l <= c->query.level; l++) {
        const taco__row_reader *r = taco__table_reader_level(c, f, l);
        ok = !r->table->pq || r->table->pq->part.file != file ||
             taco__table_reader_need_columns(r, f->filter.cascade.bits[l], &ranges, &c->err);
    }
    ok = ok && taco__range_cache_fetch(&f->filter.cascade.cache, file, &ranges, &c->err);
    taco__buf_free(&ranges);
    return ok;
}

/* ---- columns ---- */

/* The columns that a scan reads: each once, even if used several times. */
typedef struct taco__table_reader_list {
    size_t *which;
    size_t count;
    size_t *at; /* for each column of the table, 1 + its index in the list; 0: not in the list */
} taco__table_reader_list;

/* The index of a table column in the list, to which it is added if missing. */
static size_t taco__table_reader_add_column(taco__table_reader_list *list, size_t column)
{
    if (!list->at[column]) {
        list->which[list->count++] = column;
        list->at[column] = list->count;
    }
    return list->at[column] - 1;
}

/* The column with that name that a table stores, or that is constant or made; TACO__NONE for the
   null columns that only predicates see (taco__schema_union_level_fields). */
static size_t taco__table_reader_find_column(const taco__table *t, const taco__field_index *names,
                                             const char *name)
{
    size_t at = taco__field_index_find(names, name);
    return at < taco__table_readable(t) ? at : TACO__NONE;
}

/* Makes the replacement of internal:current_id, if that is not the row number. */
static bool taco__table_reader_make_current_ids(taco_cursor *c, taco__table_reader *f)
{
    taco__level *l = f->store ? &f->store->levels[c->query.level] : NULL;
    if (!l || f->current_ids || f->store->kind != TACO_KIND_TACOCAT ||
        l->role.source == TACO__NONE) {
        return true;
    }
    f->current_ids = (int32_t *)taco__arena_array(&c->arena, (size_t)l->table.rows + 1,
                                                  sizeof *f->current_ids, &c->err);
    return f->current_ids && taco__join_number_rows(f->store, l, f->current_ids, &c->err);
}

/* Records where output columns of the rows' own level find their arrays. */
static bool taco__table_reader_place_columns(taco_cursor *c, taco__table_reader *f,
                                             taco__table_reader_list *list)
{
    taco__field_index names;
    size_t i, at;
    bool ok = true;
    taco__field_index_init(&names, f->table->fields, f->table->field_count, c->mem);
    for (i = 0; ok && i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        f->place[i] = TACO__NONE;
        if (!taco__cursor_column_is_stored(o) || o->level != c->query.level) { continue; }
        at = taco__table_reader_find_column(f->table, &names, o->name);
        if (at != TACO__NONE) {
            ok = taco__table_reader_check_places(c, f->store, c->query.level, at);
            f->place[i] = taco__table_reader_add_column(list, at);
        } else if (o->kind == TACO__CURSOR_COLUMN_CURRENT_ID) {
            ok = taco__table_reader_make_current_ids(c, f);
        }
    }
    taco__field_index_free(&names);
    return ok;
}

/* The inputs of paths, if these are output: columns of the table become indexes of arrays. For
   children, how paths are made has already been decided. */
static bool taco__table_reader_place_paths(taco_cursor *c, taco__table_reader *f,
                                           taco__table_reader_list *list)
{
    size_t k;
    if (!taco__sample_path_is_asked_for(c, c->query.level)) { return true; }
    if (!c->children.active) {
        const taco__level *l = &f->store->levels[c->query.level];
        if (!taco__places_check(f->store, c->query.level, &c->err)) { return false; }
        if (!taco__sample_path_init(&f->paths, f->store, f->table, &l->role, c->query.level,
                                    &c->err)) {
            return taco__container_fail(f->store, l->name, &c->err);
        }
    }
    for (k = 0; k < TACO__SAMPLE_PATH_INPUTS; k++) {
        size_t *input = &f->paths.input[k];
        if (*input != TACO__NONE) { *input = taco__table_reader_add_column(list, *input); }
    }
    return true;
}

/* Opens the reader of the columns of an ancestor level, including those its paths are made from.
   The list is used up. */
static bool taco__table_reader_open_ancestor(taco_cursor *c, taco__table_reader *f, uint32_t level,
                                             taco__table_reader_list *list)
{
    const taco__level *l = &f->store->levels[level];
    taco__sample_path_maker *paths = &f->ancestor_paths[level];
    taco__field_index names;
    size_t i, at;
    list->count = 0;
    list->at =
        (size_t *)taco__arena_array(&c->arena, l->table.field_count + 1, sizeof *list->at, &c->err);
    if (!list->at) { return false; }
    taco__field_index_init(&names, l->table.fields, l->table.field_count, c->mem);
    for (i = 0; i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        if (!taco__cursor_column_is_stored(o) || o->level != level) { continue; }
        at = taco__table_reader_find_column(&l->table, &names, o->name);
        if (at == TACO__NONE) { continue; }
        if (!taco__table_reader_check_places(c, f->store, level, at)) { return false; }
        f->place[i] = taco__table_reader_add_column(list, at);
    }
    taco__field_index_free(&names);
    if (taco__sample_path_is_asked_for(c, level)) {
        if (!taco__places_check(f->store, level, &c->err)) { return false; }
        if (!taco__sample_path_init(paths, f->store, &l->table, &l->role, level, &c->err)) {
            return taco__container_fail(f->store, l->name, &c->err);
        }
        for (i = 0; i < TACO__SAMPLE_PATH_INPUTS; i++) {
            at = paths->input[i];
            if (at != TACO__NONE) { paths->input[i] = taco__table_reader_add_column(list, at); }
        }
    }
    return taco__row_reader_open(&f->ancestors[level], &l->table, list->which, list->count, c->mem,
                                 &c->err);
}

/* Opens the scan over the columns of the rows' own level, and readers for those of ancestors.
   f->table, f->filter and c->columns are set, for children f->paths, too. */
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f)
{
    size_t n = c->columns.count;
    taco__table_reader_list list;
    uint32_t l;
    list.count = 0;
    list.which = (size_t *)taco__arena_array(&c->arena, n + TACO__SAMPLE_PATH_INPUTS,
                                             sizeof *list.which, &c->err);
    list.at =
        (size_t *)taco__arena_array(&c->arena, f->table->field_count + 1, sizeof *list.at, &c->err);
    f->place = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *f->place, &c->err);
    if (!list.which || !list.at || !f->place || !taco__table_reader_place_columns(c, f, &list) ||
        !taco__table_reader_place_paths(c, f, &list)) {
        return false;
    }
    f->open = taco__scan_open(&f->scan, f->table, f->filter.where,
                              f->filter.has_cascade ? f->filter.cascade.bits[c->query.level] : NULL,
                              list.which, list.count, 0, c->mem, &c->err);
    for (l = 0; f->open && c->query.flat && l < c->query.level; l++) {
        if (!taco__table_reader_open_ancestor(c, f, l, &list)) { return false; }
    }
    /* with a limit, rows of a flat view are read on demand */
    return f->open &&
           (!c->query.flat || c->query.left != UINT64_MAX || taco__table_reader_read_ahead(c, f));
}

TACO__FN void taco__table_reader_close(taco__table_reader *f)
{
    uint32_t l;
    taco__sample_path_tasks_free(&f->path_tasks);
    if (f->open) {
        taco__scan_close(&f->scan);
        f->open = false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        taco__row_reader_close(&f->ancestors[l]);
        taco__sample_path_free(&f->ancestor_paths[l]);
    }
    if (f->filter.has_cascade) {
        taco__cascade_free(f->store, &f->filter.cascade);
        f->filter.has_cascade = false;
    }
    taco__sample_path_free(&f->paths);
}
/* ==== src/dataset/select.c ==== */
/* select.c - binds a query to a dataset: taco_select, also used by SQL to open its tables

   In: a query (query_parse.c), and taco__select_options for what a query cannot express. Out: a
   cursor that has read no output row yet, but everything needed to find them: the rows that filters
   on several levels leave, and the order of a sorted result. TACO 2.0 §7.2.2.

   taco__select_bind does the work: it checks the levels, chooses the columns, and lets
   table_reader.c bind the filters and open a reader for each container. With an order all columns
   are bound first, because any of them may be a key; output columns are selected after sorting. */
/* #include "cursor.h" */
/* #include "../base/base.h" */

/* ---- the levels of a query ---- */

static TACO__ONCE bool taco__select_fail(taco_cursor *c)
{
    return taco__container_fail(&c->ds->stores[0], NULL, &c->err);
}

/* Level 0 is not checked: every dataset has it, and counting the others may be expensive. */
static TACO__ONCE bool taco__select_check_levels(taco_cursor *c, const taco__query *q)
{
    size_t i;
    for (i = 0; i < q->filter_count; i++) {
        uint32_t level = q->filters[i].f.level;
        if (level && level >= taco_levels(c->ds)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "there is no level %u to filter, the deepest is %u", TACO__U(level),
                       TACO__U(taco_levels(c->ds) - 1));
            return taco__select_fail(c);
        }
    }
    if (q->table && q->table >= taco_levels(c->ds)) {
        TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q->table),
                   TACO__U(taco_levels(c->ds) - 1));
        return taco__select_fail(c);
    }
    return true;
}

/* ---- columns ---- */

/* Chooses the columns to read. */
static TACO__ONCE bool taco__select_columns_to_read(taco_cursor *c, const taco__query *q,
                                                    bool hidden)
{
    taco__cursor_columns *x = &c->columns;
    if (!taco__cursor_column_add_all(c, c->query.level, hidden)) { return false; }
    if (q->order.given) {
        /* any column may be a key; the requested ones are selected later */
        x->count += x->hidden;
        x->hidden = 0;
    } else if (q->select.given && !taco__cursor_column_select(c, &q->select)) {
        return taco__select_fail(c);
    }
    c->batch.arrays =
        (taco_array *)taco__arena_array(&c->arena, x->count + 1, sizeof *c->batch.arrays, &c->err);
    return c->batch.arrays != NULL;
}

/* Keeps the columns in a list after all of them were bound; their indexes in the readers change
   accordingly. */
static TACO__ONCE bool taco__select_columns_after_sort(taco_cursor *c,
                                                       const taco__query_columns *list)
{
    taco__cursor_columns all = c->columns;
    size_t i, k;
    if (!taco__cursor_column_select(c, list)) { return false; }
    for (i = 0; i < c->reader_count; i++) {
        size_t *place =
            (size_t *)taco__arena_array(&c->arena, c->columns.count + 1, sizeof *place, &c->err);
        if (!place) { return false; }
        for (k = 0; k < c->columns.count; k++) {
            size_t at =
                taco__cursor_column_find_field(all.fields, all.count, c->columns.fields[k].name);
            place[k] = at != TACO__NONE ? c->readers[i].place[at] : TACO__NONE;
        }
        c->readers[i].place = place;
    }
    return true;
}

/* ---- readers ---- */

/* The texts of internal:source_path and internal:source_file: the container's name, without a '/'
   at the end, and its last component. */
static TACO__ONCE void taco__select_set_source(taco__table_reader *f)
{
    taco_bytes *path = &f->source_path;
    size_t k;
    *path = taco__bytes_text(f->store->vsi);
    while (path->len > 1 && path->data[path->len - 1] == '/') {
        path->len--;
    }
    k = taco__plat_dir_length((const char *)path->data, path->len);
    f->source_file = taco__bytes_of(path->data + k, path->len - k);
}

/* Restricts a reader to the row positions of the query, which count the rows of earlier containers,
   too. */
static void taco__select_clip_rows(taco_cursor *c, size_t reader, const taco__query *q)
{
    taco__table_reader *f = &c->readers[reader];
    uint64_t before = 0, from, to;
    size_t i;
    if (q->row_to == 0) { return; }
    for (i = 0; i < reader; i++) {
        before += c->readers[i].table->rows;
    }
    from = TACO__MIN(TACO__MAX(q->row_from, before) - before, f->table->rows);
    to = TACO__MIN(TACO__MAX(q->row_to, before) - before, f->table->rows);
    taco__scan_set_rows(&f->scan, from, to > from ? to - from : 0);
}

/* Binds the query to one container and opens its reader. */
static TACO__ONCE bool taco__select_open_reader(taco_cursor *c, size_t i, const taco__query *q,
                                                const taco__select_options *opt)
{
    taco__table_reader *f = &c->readers[i];
    taco__level *l = taco__container_level(&c->ds->stores[i], c->query.level, &c->err);
    if (!l) { return false; }
    f->store = &c->ds->stores[i];
    f->table = &l->table;
    taco__select_set_source(f);
    return taco__table_reader_bind(c, f, q->filters, q->filter_count, opt) &&
           (opt->plan_only || taco__table_reader_run_cascade(c, f)) &&
           taco__table_reader_open(c, f);
}

static TACO__ONCE bool taco__select_sort(taco_cursor *c, const taco__query *q,
                                         const taco__select_options *opt)
{
    if (!TACO__WITH_ORDER) {
        TACO__FAIL(&c->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "order, left out by TACO_NO_ORDER");
        return false;
    }
    if (!taco__cursor_order_sort(c, q, opt) ||
        (q->select.given && !taco__select_columns_after_sort(c, &q->select))) {
        return taco__select_fail(c);
    }
    return true;
}

/* Does not keep q: its texts, and the trees that callers lend, are copied. */
static TACO__ONCE bool taco__select_bind(taco_cursor *c, const taco__query *q,
                                         const taco__select_options *opt)
{
    size_t i;
    if (!taco__select_check_levels(c, q)) { return false; }
    c->query.level = q->table;
    c->query.flat = q->flat;
    c->query.whole = q->flat && opt->whole;
    c->query.padding = q->padding;
    c->query.skip = q->offset;
    c->query.left = q->limit ? q->limit : UINT64_MAX;
    if (!taco__select_columns_to_read(c, q, opt->shows_hidden)) { return false; }
    for (i = 0; i < c->ds->container_count; i++) {
        if (!taco__select_open_reader(c, i, q, opt)) { return false; }
        taco__select_clip_rows(c, i, q);
    }
    return !q->order.given || opt->plan_only || opt->unsorted || taco__select_sort(c, q, opt);
}

/* ---- opening cursors ---- */

/* A cursor over the rows of a query; opt NULL: no options. NULL on failure. */
TACO__FN TACO__ONCE taco_cursor *taco__select_open(taco_dataset *ds, const taco__query *q,
                                                   const taco__select_options *opt, taco_error *err)
{
    taco__select_options none;
    taco_cursor *c = taco__cursor_alloc(ds, ds->container_count, err);
    memset(&none, 0, sizeof none);
    if (c && !taco__select_bind(c, q, opt ? opt : &none)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (!c) { return NULL; }
    taco__log(&ds->options, TACO_LOG_DEBUG, "%s: query of level %u", ds->stores[0].name,
              TACO__U(c->query.level));
    return c;
}

TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco_query all;
    taco__query q;
    taco__select_options none;
    taco_cursor *c;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    memset(&none, 0, sizeof none);
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, ds->container_count, err);
    if (c && (!taco__query_parse(&c->arena, query ? query : &all, &q, &c->err) ||
              !taco__select_bind(c, &q, &none))) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

/* A cursor without rows, with every column of a level or flat view: for their names and types. opt:
   shows_hidden and whole, NULL for neither. The level must exist. */
TACO__FN TACO__ONCE taco_cursor *taco__select_columns(taco_dataset *ds, uint32_t level, bool flat,
                                                      const taco__select_options *opt,
                                                      taco_error *err)
{
    taco_cursor *c = taco__cursor_alloc(ds, 0, err);
    if (!c) { return NULL; }
    c->query.flat = flat;
    c->query.whole = flat && opt && opt->whole;
    c->query.level = level;
    if (!taco__cursor_column_add_all(c, level, opt && opt->shows_hidden)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

/* The same for the view of a query. */
TACO__FN TACO__ONCE taco_cursor *taco__select_columns_only(taco_dataset *ds, const taco_query *q,
                                                           taco_error *err)
{
    if (q->table && q->table >= taco_levels(ds)) {
        /* fails, naming the existing levels */
        taco_cursor_close(taco_select(ds, q, err), err);
        return NULL;
    }
    return taco__select_columns(ds, q->table, q->flat, NULL, err);
}
/* ==== src/dataset/cursor_lookup.c ==== */
/* cursor_lookup.c - columns of the current row that its query does not show: id, type, internal:*
   and the GDAL path stay reachable by the row accessors, whatever is selected (TACO 2.0 §7.2.3).

   In: a cursor on a row that is a sample, and the name of a column. Out: its value, as text and,
   where it is one, as a number.

   Nothing is read before a name is requested. Then one query reads the column for all rows of the
   current batch (taco__lookup_read): the rows are a mask for each container, and the values are
   kept by container and row, in the order of storage. Later rows of the batch find their values
   there. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* A value of the column; at: where its text begins. */
typedef struct taco__lookup_value {
    /* number of the container << 32 | row of the level */
    uint64_t key;
    size_t at, len;
    int64_t number;
    bool is_null;
} taco__lookup_value;

struct taco__cursor_lookup {
    const char *name;
    /* number of the batch that the values belong to */
    uint64_t serial;
    bool is_number;
    taco__buf values, text;
    taco__cursor_lookup *next;
};

TACO__FN void taco__lookup_free(taco_cursor *c)
{
    taco__cursor_lookup *l;
    for (l = c->row.lookups; l; l = l->next) {
        taco__buf_free(&l->values);
        taco__buf_free(&l->text);
    }
}

/* The columns that can be looked up: those kept by every view. */
static bool taco__lookup_is_kept(const char *name)
{
    return strcmp(name, "id") == 0 || strcmp(name, "type") == 0 ||
           strncmp(name, "internal:", 9) == 0;
}

/* Whether the level of the rows has the column, stored or computed. */
static bool taco__lookup_exists(taco_cursor *c, const char *name)
{
    const taco__level_schema *s = &c->ds->schema[c->query.level];
    return strcmp(name, TACO__GDAL_VSI) == 0 ||
           (taco__schema_union_level_fields(c->ds, c->query.level, &c->err) &&
            taco__cursor_column_find_field(s->fields, s->count, name) != TACO__NONE);
}

/* The state for a name, created on first use. */
static taco__cursor_lookup *taco__lookup_get(taco_cursor *c, const char *name)
{
    taco__cursor_lookup *l = c->row.lookups;
    while (l && strcmp(l->name, name) != 0) {
        l = l->next;
    }
    if (l) { return l; }
    l = (taco__cursor_lookup *)taco__arena_alloc(&c->arena, sizeof *l, &c->err);
    if (!l) { return NULL; }
    l->name = taco__arena_text(&c->arena, taco__bytes_text(name), &c->err);
    if (!l->name) { return NULL; }
    l->values.mem = l->text.mem = c->mem;
    l->next = c->row.lookups;
    c->row.lookups = l;
    return l;
}

/* The rows of the current batch, as a bitmap over the level of each container. NULL on failure. */
static uint8_t **taco__lookup_make_masks(taco_cursor *c, taco__arena *arena)
{
    uint32_t level = c->query.level;
    uint8_t **masks = (uint8_t **)taco__arena_array(
        arena, c->ds->container_count * TACO__MAX_LEVELS, sizeof *masks, &c->err);
    size_t i, store;
    uint64_t row;
    for (i = 0; masks && i < c->ds->container_count; i++) {
        taco__container *s = &c->ds->stores[i];
        if (!taco__container_level(s, level, &c->err)) { return NULL; }
        masks[i * TACO__MAX_LEVELS + level] =
            (uint8_t *)taco__arena_array(arena, taco__cascade_bitmap_bytes(s, level), 1, &c->err);
        if (!masks[i * TACO__MAX_LEVELS + level]) { return NULL; }
    }
    for (i = 0; masks && i < c->row.batch.length; i++) {
        if (taco__compose_sample_row(c, i, &store, &row)) {
            taco__bitmap_set(masks[store * TACO__MAX_LEVELS + level], (size_t)row);
        }
    }
    return masks;
}

/* Keeps the values of a batch of the query, whose rows are in storage order. */
static bool taco__lookup_keep(taco__cursor_lookup *l, taco_cursor *rows, const taco_batch *batch,
                              taco_error *err)
{
    const taco_array *a = &batch->columns[0];
    taco__lookup_value v;
    size_t i, store = 0;
    uint64_t row = 0;
    l->is_number = a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64;
    for (i = 0; i < batch->length; i++) {
        taco__compose_sample_row(rows, i, &store, &row);
        memset(&v, 0, sizeof v);
        v.key = (uint64_t)store << 32 | row;
        v.at = l->text.len;
        v.is_null = !taco_array_valid(a, i);
        if (!v.is_null && l->is_number) { v.number = taco_array_int(a, i); }
        if ((!v.is_null && !taco__cell_plain(&l->text, a, i, err)) ||
            !taco__buf_append_char(&l->text, 0, err)) {
            return false;
        }
        v.len = l->text.len - 1 - v.at;
        if (!taco__buf_append(&l->values, &v, sizeof v, err)) { return false; }
    }
    return true;
}

/* Reads the column for the rows of the current batch. */
static bool taco__lookup_read(taco_cursor *c, taco__cursor_lookup *l)
{
    taco__query q;
    taco__query_column column;
    taco__select_options opt;
    taco__arena arena;
    taco_batch batch;
    taco_cursor *rows = NULL;
    memset(&q, 0, sizeof q);
    memset(&column, 0, sizeof column);
    memset(&opt, 0, sizeof opt);
    memset(&arena, 0, sizeof arena);
    arena.mem = c->mem;
    column.name = l->name;
    q.select.items = &column;
    q.select.count = 1;
    q.select.given = true;
    q.table = c->query.level;
    q.padding = true;
    opt.keeps_orphans = true;
    opt.masks = taco__lookup_make_masks(c, &arena);
    l->values.len = l->text.len = 0;
    if (opt.masks) { rows = taco__select_open(c->ds, &q, &opt, &c->err); }
    while (rows && taco_cursor_batch(rows, &batch) && taco__lookup_keep(l, rows, &batch, &c->err)) {
    }
    taco_cursor_close(rows, &c->err);
    taco__arena_free(&arena);
    l->serial = c->row.serial;
    return c->err.code == TACO_OK;
}

/* The value of the current row. */
static const taco__lookup_value *taco__lookup_search(const taco__cursor_lookup *l, uint64_t key)
{
    const taco__lookup_value *v = (const taco__lookup_value *)(const void *)l->values.data;
    size_t n = l->values.len / sizeof *v, at = 0;
    TACO__LOWER_BOUND(at, n, i, v[i].key < key);
    return at < n && v[at].key == key ? &v[at] : NULL;
}

/* Whether the rows of the cursor are samples, which have such columns. */
TACO__FN bool taco__lookup_has_samples(const taco_cursor *c)
{
    size_t store;
    uint64_t row;
    return c->row.begun && taco__compose_sample_row(c, c->row.row, &store, &row);
}

/* Finds the value of the current row in a column of its level that the cursor does not show, as
   text and, if *is_number is set, as a number. False if it is null, if there is no such column, if
   the row is not a sample, and on failure, which the cursor keeps. The text lives until the next
   step. */
TACO__FN bool taco__lookup_cell(taco_cursor *c, const char *name, taco_bytes *text, int64_t *number,
                                bool *is_number)
{
    taco__cursor_lookup *l;
    const taco__lookup_value *v;
    size_t store;
    uint64_t row;
    if (c->err.code != TACO_OK || !c->row.begun || !taco__lookup_is_kept(name) ||
        !taco__compose_sample_row(c, c->row.row, &store, &row) || !taco__lookup_exists(c, name)) {
        return false;
    }
    l = taco__lookup_get(c, name);
    if (!l || (l->serial != c->row.serial && !taco__lookup_read(c, l))) { return false; }
    v = taco__lookup_search(l, (uint64_t)store << 32 | row);
    if (!v || v->is_null) { return false; }
    *text = taco__bytes_of(l->text.data + v->at, v->len);
    *number = v->number;
    *is_number = l->is_number;
    return true;
}
/* ==== src/dataset/cursor.c ==== */
/* cursor.c - life of a cursor: batches, rows one at a time, export as an Arrow stream

   In: a cursor that select.c, children.c or SQL has filled. Out: the public functions
   taco_cursor_*, which get the next batch from one of three sources (taco_cursor_batch): the table
   readers in the order of storage (batch_compose.c), the sorted order (cursor_sorted.c), or the
   producer.

   Errors are sticky: the first one is kept in the cursor, nothing is returned after it, and
   taco_cursor_close reports it. The row cursor is a view of the batch; columns are found by name,
   which is remembered by the address of the name (taco__cursor_find_column). */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../filter/scan.h" */
/* #include "../parquet/parquet.h" */

/* Prefixes the cursor's error with dataset, and level or folder; always false. */
TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level)
{
    if (c->children.active) {
        taco_bytes path = taco__bytes_text(c->children.folder);
        taco__error_prefix(&c->err, "%s: %q", c->children.parent->name, &path);
        return false;
    }
    return taco__container_fail(f->store, level ? f->store->levels[c->query.level].name : NULL,
                                &c->err);
}

/* ---- open and close ---- */

/* A cursor with that many readers and no rows yet. NULL on failure; afterwards errors go to the
   cursor itself. */
TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err)
{
    taco_cursor *c = (taco_cursor *)taco__mem_alloc(&ds->mem, sizeof *c, err);
    if (!c) { return NULL; }
    c->ds = ds;
    c->mem = c->arena.mem = c->row.json.mem = &ds->mem;
    c->query.left = UINT64_MAX;
    c->producer.row_id = TACO__NONE;
    taco__compose_init(&c->batch, c->mem);
    taco__range_cache_init(&c->sorted.cache, c->mem);
    c->readers =
        (taco__table_reader *)taco__arena_array(&c->arena, readers, sizeof *c->readers, err);
    if (!c->readers) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->reader_count = readers;
    return c;
}

static void taco__cursor_free_row(taco_cursor *c)
{
    size_t i;
    for (i = 0; c->row.texts && i < c->columns.count; i++) {
        taco__buf_free(&c->row.texts[i]);
    }
    taco__buf_free(&c->row.json);
    taco__lookup_free(c);
}

/* Closes files and readers before the arena that contains their tables. */
TACO_API taco_status taco_cursor_close(taco_cursor *c, taco_error *err)
{
    taco_status code;
    taco__mem *mem;
    size_t i;
    if (!c) { return err && err->code != TACO_OK ? err->code : TACO_ERR_ARGUMENT; }
    code = c->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = c->err; }
    if (c->producer.end) { c->producer.end(c); }
    for (i = 0; i < c->reader_count; i++) {
        taco__table_reader_close(&c->readers[i]);
    }
    taco__cursor_sorted_free(c);
    taco__compose_free(&c->batch);
    taco__cursor_free_row(c);
    taco__children_close(&c->children);
    mem = c->mem;
    taco__arena_free(&c->arena);
    taco__mem_free(mem, c, sizeof *c);
    return code;
}

/* Which rows are returned: `left` of them after skipping the first `skip`. Call before the first
   batch. */
TACO__FN void taco__cursor_set_window(taco_cursor *c, uint64_t skip, uint64_t left)
{
    c->query.skip = skip;
    c->query.left = left;
}

TACO_API const taco_field *taco_cursor_fields(const taco_cursor *c, size_t *n)
{
    *n = c ? c->columns.count : 0;
    return c ? c->columns.fields : NULL;
}

/* ---- batches ---- */

TACO_API bool taco_cursor_batch(taco_cursor *c, taco_batch *out)
{
    memset(out, 0, sizeof *out);
    if (!c || c->err.code != TACO_OK) { return false; }
    if (c->row.rowwise) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_batch");
        return false;
    }
    memset(&c->batch.rows, 0, sizeof c->batch.rows);
    return c->producer.next   ? c->producer.next(c, out)
           : c->sorted.active ? taco__cursor_sorted_next(c, out)
                              : taco__compose_next(c, out);
}

/* Positions count the rows of all containers, including padding and rows that are filtered out.
   Sorted rows, children, and SQL have none. */
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *c)
{
    const taco__batch_rows *rows = c ? &c->batch.rows : NULL;
    uint64_t *to, before = 0;
    size_t i, bytes;
    if (!c || !rows->numbers || c->children.active || c->row.rowwise) { return NULL; }
    for (i = 0; i < c->reader; i++) {
        before += c->readers[i].table->rows;
    }
    if (!taco__checked_mul_size(rows->count, sizeof *to, &bytes) ||
        !taco__buf_reset(&c->batch.positions, bytes, &c->err)) {
        return NULL;
    }
    to = (uint64_t *)(void *)c->batch.positions.data;
    for (i = 0; i < rows->count; i++) {
        to[i] = before + rows->base + rows->numbers[i];
    }
    return to;
}

/* ---- export as a stream: what taco__arrow_source asks of a cursor ---- */

static bool taco__cursor_stream_next(void *ctx, taco_batch *out)
{
    return taco_cursor_batch((taco_cursor *)ctx, out);
}

/* The reader that made the last batch. */
static taco__table_reader *taco__cursor_last_reader(taco_cursor *c)
{
    const taco__sorted_rows *s = &c->sorted;
    return &c->readers[s->active ? s->order[s->at - 1].reader : c->reader];
}

/* The container with the rows of the last batch. */
TACO__FN const taco__container *taco__cursor_container(taco_cursor *c)
{
    return taco__cursor_last_reader(c)->store;
}

static void taco__cursor_stream_prefix_error(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    if (c->producer.next) {
        taco__container_fail(&c->ds->stores[0], NULL, &c->err);
    } else {
        taco__cursor_fail(c, taco__cursor_last_reader(c), true);
    }
}

/* Where the buffers of column i of that batch were read or gathered, so that the stream can take
   them over instead of copying. False: the cursor made them, so they are copied. */
static bool taco__cursor_stream_owner(void *ctx, size_t i, taco__buffer_owner *out)
{
    taco_cursor *c = (taco_cursor *)ctx;
    taco__table_reader *f = taco__cursor_last_reader(c);
    const taco__cursor_column *o = &c->columns.origins[i];
    return taco__cursor_column_is_stored(o) && f->place[i] != TACO__NONE &&
           !taco__compose_is_mixed(c, i) &&
           taco__row_reader_buffer_owner(taco__table_reader_level(c, f, o->level), f->place[i],
                                         out);
}

static void taco__cursor_stream_close(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    taco_dataset *ds = c->owns_dataset ? c->ds : NULL;
    taco_cursor_close(c, NULL);
    taco_close(ds);
}

static void taco__cursor_stream_init(taco_cursor *c, taco__arrow_source *src)
{
    src->ctx = c;
    src->fields = c->columns.fields;
    src->count = c->columns.count;
    src->all_nullable = c->ds->container_count > 1;
    src->mem = c->mem;
    src->err = &c->err;
    src->next = taco__cursor_stream_next;
    /* SQL allocates its own batches */
    src->owner = c->producer.next ? NULL : taco__cursor_stream_owner;
    src->prefix_error = taco__cursor_stream_prefix_error;
    src->close = taco__cursor_stream_close;
}

/* Gives columns of INT96 the unit that holds the values of all containers. */
static bool taco__cursor_set_int96_units(taco_cursor *c)
{
    taco_dataset *ds = c->ds;
    size_t i, s, at;
    for (i = 0; !c->producer.next && i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        taco__int96_seen seen = {false, false, false, false};
        if (!taco__int96_units_has(&c->columns.fields[i])) { continue; }
        for (s = 0; s < ds->container_count; s++) {
            const taco__level *l = taco__container_level(&ds->stores[s], o->level, &c->err);
            if (!l) { return false; }
            at = taco__table_find_column(&l->table, o->name);
            if (at != TACO__NONE &&
                !taco__int96_units_read(&l->table, at, c->mem, &seen, &c->err)) {
                return taco__container_fail(&ds->stores[s], NULL, &c->err);
            }
        }
        if (!taco__int96_units_choose(&c->arena, &seen, &ds->options, &c->columns.fields[i],
                                      &c->err)) {
            return false;
        }
    }
    return true;
}

TACO_API taco_status taco_cursor_export(taco_cursor *c, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err)
{
    taco__arrow_source src;
    err = taco__error_fresh(err, NULL);
    memset(&src, 0, sizeof src);
    if (c) {
        c->owns_dataset = close_dataset;
        if (!c->row.rowwise) { taco__cursor_set_int96_units(c); } /* a failure is get_next's */
        taco__cursor_stream_init(c, &src);
    }
    if (c && c->row.rowwise) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_export");
        taco__cursor_stream_close(c);
        if (out) { memset(out, 0, sizeof *out); }
        return TACO_ERR_STATE;
    }
    return taco__arrow_stream_open(&src, out, err);
}

/* ---- rows one at a time ---- */

TACO_API bool taco_cursor_next(taco_cursor *c)
{
    taco__row_cursor *r;
    if (!c || c->err.code != TACO_OK) { return false; }
    r = &c->row;
    if (r->begun && r->row + 1 < r->batch.length) {
        r->row++;
        return true;
    }
    r->rowwise = false;
    r->begun = taco_cursor_batch(c, &r->batch);
    r->rowwise = true;
    r->serial++;
    r->row = 0;
    return r->begun;
}

/* The first column with a name, or TACO__NONE. Callers use the same names in every row, so the
   column that the address led to last is tried first; its name is compared, since the caller may
   have written something else to that address. */
static size_t taco__cursor_find_column(taco_cursor *c, const char *name)
{
    taco__row_cursor *r = &c->row;
    uintptr_t address = (uintptr_t)(const void *)name;
    size_t slot = (address ^ address >> 4) % TACO__ROW_CURSOR_NAMES, i = r->columns[slot];
    if (r->names[slot] == address && strcmp(c->columns.fields[i].name, name) == 0) { return i; }
    i = taco__cursor_column_find(c, name);
    if (i != TACO__NONE) {
        r->names[slot] = address;
        r->columns[slot] = i;
    }
    return i;
}

/* The shown column with that name; *hidden: there is none, but there may be one that is not
   shown. */
static size_t taco__cursor_find_shown(taco_cursor *c, const char *column, bool *hidden)
{
    bool row = c && c->row.begun && column;
    size_t i = row ? taco__cursor_find_column(c, column) : (size_t)TACO__NONE;
    *hidden = row && i == TACO__NONE;
    return i;
}

/* The column of the current row; NULL if there is no such column, value, or row. */
static const taco_array *taco__cursor_cell(taco_cursor *c, const char *column, bool *hidden)
{
    size_t i = taco__cursor_find_shown(c, column, hidden);
    return i == TACO__NONE || !taco_array_valid(&c->row.batch.columns[i], c->row.row)
               ? NULL
               : &c->row.batch.columns[i];
}

TACO_API bool taco_cursor_bytes(taco_cursor *c, const char *column, taco_bytes *out)
{
    static const uint8_t nothing = 0;
    bool hidden, is_number;
    int64_t number;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    if (hidden) {
        bool found = taco__lookup_cell(c, column, out, &number, &is_number) && !is_number;
        if (!found) { *out = taco__bytes_of(NULL, 0); }
        return found;
    }
    *out = a ? taco_array_bytes(a, c->row.row) : taco__bytes_of(NULL, 0);
    if (a && !out->data && taco__array_is_var_length(a->field)) { /* "" is a value */
        *out = taco__bytes_of(&nothing, 0);
    }
    return out->data != NULL;
}

/* Every column has its own text buffer, because several texts of a row may be in use at the same
   time. */
TACO_API const char *taco_cursor_text(taco_cursor *c, const char *column)
{
    bool hidden, is_number;
    int64_t number;
    taco_bytes text;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    taco__row_cursor *r = a ? &c->row : NULL;
    taco__buf *b;
    if (!a) {
        bool found = hidden && taco__lookup_cell(c, column, &text, &number, &is_number);
        return found ? (const char *)text.data : NULL;
    }
    if (!r->texts) {
        r->texts =
            (taco__buf *)taco__arena_array(&c->arena, c->columns.count, sizeof *r->texts, &c->err);
        if (!r->texts) { return NULL; }
    }
    b = &r->texts[a - r->batch.columns];
    b->mem = c->mem;
    b->len = 0;
    if (!taco__cell_plain(b, a, r->row, &c->err) || !taco__buf_append_char(b, 0, &c->err)) {
        return NULL;
    }
    return (const char *)b->data;
}

/* Types of values that taco_array_int has a number for: BOOL and integers come first. */
static bool taco__cursor_is_integer_like(const taco_array *a)
{
    return a->field->type <= TACO_UINT64 || a->field->type == TACO_DATE ||
           a->field->type == TACO_TIME || a->field->type == TACO_TIMESTAMP;
}

/* Types that taco_array_double has a value for: also floats, and decimals of known width. */
static bool taco__cursor_is_number_like(const taco_array *a)
{
    return taco__cursor_is_integer_like(a) || a->field->type == TACO_HALF ||
           a->field->type == TACO_FLOAT || a->field->type == TACO_DOUBLE ||
           (a->field->type == TACO_DECIMAL && a->field->width > 0);
}

TACO_API bool taco_cursor_double(taco_cursor *c, const char *column, double *out)
{
    bool hidden;
    int64_t number;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    bool ok = a && taco__cursor_is_number_like(a);
    if (ok) { *out = taco_array_double(a, c->row.row); }
    if (hidden && taco_cursor_int(c, column, &number)) {
        *out = (double)number;
        return true;
    }
    return ok;
}

TACO_API bool taco_cursor_int(taco_cursor *c, const char *column, int64_t *out)
{
    bool hidden, is_number;
    int64_t number;
    taco_bytes text;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    bool ok = a && taco__cursor_is_integer_like(a);
    if (ok) { *out = taco_array_int(a, c->row.row); }
    if (hidden && taco__lookup_cell(c, column, &text, &number, &is_number) && is_number) {
        *out = number;
        return true;
    }
    return ok;
}

TACO_API const char *taco_cursor_vsi(taco_cursor *c)
{
    const char *text = taco_cursor_text(c, TACO__GDAL_VSI);
    bool hidden;
    taco__cursor_find_shown(c, TACO__GDAL_VSI, &hidden);
    if (!text && hidden && c->err.code == TACO_OK && !taco__lookup_has_samples(c)) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "the rows are not known to be samples, which have paths: select "
                   "internal:gdal_vsi, or use a view (taco_view_sql) of ungrouped rows");
    }
    return text ? text : "";
}

TACO_API const char *taco_cursor_json(taco_cursor *c)
{
    taco__buf *b = c ? &c->row.json : NULL;
    if (!c || !c->row.begun) { return ""; }
    b->len = 0;
    return taco__cell_json_row(b, &c->row.batch, c->row.row, NULL, &c->err) &&
                   taco__buf_append_char(b, 0, &c->err)
               ? (const char *)b->data
               : "";
}
/* ==== src/dataset/batch_compose.c ==== */
/* batch_compose.c - the next batch of a cursor, in storage order

   In: the cursor's table readers, one after the other. Out: taco_batch, whose arrays were read by a
   reader or are made here: paths, names of containers, row numbers, nulls for columns that a
   container lacks, casts if containers store a column under different types (TACO 2.0 §7.2.4). What
   is lent to the caller stays valid until the next batch.

   taco__compose_next finds the next rows, reads their ancestors in a flat view, and calls
   taco__compose_batch to lay out the columns, with one of the taco__compose_*_column functions
   each. For a sorted result cursor_sorted.c finds the rows and calls taco__compose_batch. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

TACO__FN void taco__compose_init(taco__batch_maker *b, taco__mem *mem)
{
    b->current_ids.mem = b->row_ids.mem = b->positions.mem = b->casts.mem = mem;
    b->source_path.offsets.mem = b->source_path.bytes.mem = mem;
    b->source_file.offsets.mem = b->source_file.bytes.mem = mem;
}

static void taco__compose_free_text(taco__constant_text *t)
{
    taco__buf_free(&t->offsets);
    taco__buf_free(&t->bytes);
}

TACO__FN void taco__compose_free(taco__batch_maker *b)
{
    taco__compose_free_text(&b->source_path);
    taco__compose_free_text(&b->source_file);
    taco__buf_free(&b->current_ids);
    taco__buf_free(&b->row_ids);
    taco__arena_free(&b->casts);
    taco__buf_free(&b->positions);
}

/* ---- which rows ---- */

/* The number in its level of row i of the batch, and the reader that it belongs to. */
static uint64_t taco__compose_row_number(const taco_cursor *c, size_t i, size_t *reader)
{
    const taco__batch_rows *rows = &c->batch.rows;
    const taco__sorted_row *row;
    if (rows->numbers) {
        *reader = c->reader;
        return rows->base + rows->numbers[i];
    }
    row = &c->sorted.order[rows->order_at + i];
    *reader = row->reader;
    return c->readers[row->reader].row_numbers[row->at];
}

/* Which row of the dataset row i of the last batch is, also for SQL; false if it is not one. */
TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store, uint64_t *row)
{
    const taco__cursor_producer *p = &c->producer;
    if (c->children.active || (p->next && p->row_id == TACO__NONE)) { return false; }
    if (p->next) {
        uint64_t x = (uint64_t)taco_array_int(&c->batch.arrays[p->row_id], i);
        *store = (size_t)(x >> 32);
        *row = x & UINT32_MAX;
    } else {
        *row = taco__compose_row_number(c, i, store);
    }
    return true;
}

/* ---- columns that are made ---- */

/* Makes column i an array of n rows without nulls; the caller adds the values. */
static taco_array *taco__compose_begin_column(taco_cursor *c, size_t i, size_t n)
{
    taco_array *a = &c->batch.arrays[i];
    memset(a, 0, sizeof *a);
    a->field = &c->columns.fields[i];
    a->length = n;
    return a;
}

/* Nulls, as arrays that have offsets or values all the same. */
static bool taco__compose_null_column(taco_cursor *c, size_t i, size_t n)
{
    return taco__unify_null_array(&c->columns.fields[i], n, &c->batch.arrays[i], &c->batch.casts,
                                  &c->err);
}

/* The same text in every row; t contains it n times. */
static bool taco__compose_constant_column(taco_cursor *c, size_t i, taco_bytes text, size_t n,
                                          taco__constant_text *t)
{
    int32_t *offsets;
    taco_array *a;
    size_t k, bytes;
    if (!taco__checked_mul_size(n, text.len, &bytes) || bytes > INT32_MAX) {
        TACO__FAIL(&c->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than 2 GiB of text in a batch");
        return false;
    }
    if (!taco__buf_reset(&t->offsets, (n + 1) * sizeof(int32_t), &c->err) ||
        !taco__buf_reset(&t->bytes, bytes, &c->err)) {
        return false;
    }
    offsets = (int32_t *)(void *)t->offsets.data;
    for (k = 0; k < n; k++) {
        offsets[k] = (int32_t)(k * text.len);
        memcpy(t->bytes.data + k * text.len, text.data, text.len);
    }
    offsets[n] = (int32_t)bytes;
    a = taco__compose_begin_column(c, i, n);
    a->offsets = offsets;
    a->v.any = t->bytes.data;
    return true;
}

/* A column of int64 in a buffer of the batch; NULL when memory ends. The caller fills it. */
static int64_t *taco__compose_int64_column(taco_cursor *c, size_t i, size_t n, taco__buf *b)
{
    if (!taco__buf_reset(b, (n + 1) * sizeof(int64_t), &c->err)) { return NULL; }
    taco__compose_begin_column(c, i, n)->v.any = b->data;
    return (int64_t *)(void *)b->data;
}

/* TACO__ROW_ID, which queries of levels alone have. */
static bool taco__compose_row_id_column(taco_cursor *c, size_t i, size_t n)
{
    int64_t *out;
    size_t k, reader;
    out = taco__compose_int64_column(c, i, n, &c->batch.row_ids);
    for (k = 0; out && k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &reader);
        out[k] = (int64_t)((uint64_t)reader << 32 | row);
    }
    return out != NULL;
}

/* Replaces internal:current_id in a table without it. If another container stores it under another
   type, it is null. */
static bool taco__compose_current_id_column(taco_cursor *c, const taco__table_reader *f, size_t i,
                                            size_t n)
{
    int64_t *out;
    size_t k, reader;
    if (!f->store || c->columns.fields[i].type != TACO_INT64) {
        return taco__compose_null_column(c, i, n);
    }
    out = taco__compose_int64_column(c, i, n, &c->batch.current_ids);
    for (k = 0; out && k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &reader);
        out[k] = f->current_ids ? f->current_ids[row] : (int64_t)row;
    }
    return out != NULL;
}

/* GDAL paths of the rows, which tasks may already have made, or of their ancestors. */
static bool taco__compose_vsi_column(taco_cursor *c, taco__table_reader *f,
                                     const taco_array *const *by_level, size_t i, size_t n)
{
    taco_array *a = &c->batch.arrays[i];
    uint32_t level = c->columns.origins[i].level;
    bool own = c->children.active || level == c->query.level;
    if (own && taco__sample_path_take_from_tasks(c, f, n, a)) {
        a->field = &c->columns.fields[i];
        return true;
    }
    return taco__sample_path_make_column(own ? &f->paths : &f->ancestor_paths[level], c->mem,
                                         by_level[own ? c->query.level : level], n,
                                         &c->columns.fields[i], a, &c->err) ||
           taco__cursor_fail(c, f, true);
}

/* ---- columns that are read ---- */

/* Whether a column may be returned under another type than it is stored under. */
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i)
{
    const taco__cursor_column *o = &c->columns.origins[i];
    return TACO__WITH_MANY && c->ds->container_count > 1 && !c->children.active &&
           taco__cursor_column_is_stored(o) &&
           taco__schema_union_is_mixed(c->ds, o->level, o->name);
}

/* An array as read, or cast to the common type of all containers. */
static bool taco__compose_stored_column(taco_cursor *c, const taco__table_reader *f,
                                        const taco_array *const *by_level, size_t i)
{
    const taco_array *in = &by_level[c->columns.origins[i].level][f->place[i]];
    taco_array *a = &c->batch.arrays[i];
    *a = *in;
    if (TACO__WITH_MANY && taco__compose_is_mixed(c, i) &&
        !taco__unify_cast_array(&c->batch.casts, &c->columns.fields[i], in, a, &c->err)) {
        return taco__cursor_fail(c, f, true);
    }
    a->field = &c->columns.fields[i];
    return true;
}

static bool taco__compose_column(taco_cursor *c, taco__table_reader *f,
                                 const taco_array *const *by_level, size_t i, size_t n)
{
    switch (c->columns.origins[i].kind) {
    case TACO__CURSOR_COLUMN_VSI: return taco__compose_vsi_column(c, f, by_level, i, n);
    case TACO__CURSOR_COLUMN_ROW_ID: return taco__compose_row_id_column(c, i, n);
    case TACO__CURSOR_COLUMN_SOURCE_PATH:
        return taco__compose_constant_column(c, i, f->source_path, n, &c->batch.source_path);
    default: break;
    }
    if (f->place[i] != TACO__NONE) { return taco__compose_stored_column(c, f, by_level, i); }
    switch (c->columns.origins[i].kind) {
    case TACO__CURSOR_COLUMN_SOURCE_FILE:
        return taco__compose_constant_column(c, i, f->source_file, n, &c->batch.source_file);
    case TACO__CURSOR_COLUMN_CURRENT_ID: return taco__compose_current_id_column(c, f, i, n);
    default: return taco__compose_null_column(c, i, n);
    }
}

/* Lays out a batch of n rows of reader f from the arrays of each level. c->batch.rows says which
   rows they are. */
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n)
{
    size_t i;
    /* casts and nulls of the batch before */
    taco__arena_free(&c->batch.casts);
    for (i = 0; i < c->columns.count; i++) {
        if (!taco__compose_column(c, f, by_level, i, n)) { return false; }
    }
    return true;
}

/* The batch as its caller sees it. first_row is -1 if the rows are not consecutive. */
TACO__FN void taco__compose_hand_out(taco_cursor *c, size_t n, int64_t first_row, taco_batch *out)
{
    out->length = n;
    out->columns = c->batch.arrays;
    out->column_count = c->columns.count;
    out->first_row = first_row;
}

/* ---- ancestors ---- */

/* Rows that do not ascend: reads the whole span from the lowest to the highest, then selects. */
static bool taco__compose_read_span(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                    size_t n)
{
    uint32_t low = rows[0], high = rows[0];
    int32_t *index;
    size_t i;
    bool ok;
    for (i = 1; i < n; i++) {
        low = TACO__MIN(low, rows[i]);
        high = TACO__MAX(high, rows[i]);
    }
    if (!taco__row_reader_read_range(r, low, (size_t)(high - low) + 1, &c->err)) { return false; }
    index = (int32_t *)taco__mem_alloc(c->mem, n * sizeof *index, &c->err);
    for (i = 0; index && i < n; i++) {
        index[i] = (int32_t)(rows[i] - low);
    }
    ok = index && taco__row_reader_take(r, index, n, false, &c->err);
    taco__mem_free(c->mem, index, n * sizeof *index);
    return ok;
}

/* Reads n rows of a level, in any order, with repetitions. */
TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n)
{
    size_t i;
    uint32_t ascending = 1;
    for (i = 1; i < n; i++) {
        ascending &= rows[i - 1] <= rows[i];
    }
    return ascending ? taco__row_reader_read(r, 0, rows, n, &c->err)
                     : taco__compose_read_span(c, r, rows, n);
}

/* Reads the ancestors of the rows of the batch, level by level upwards. Every row has them, since
   rows without a parent did not pass the cascade. */
static bool taco__compose_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                         const taco_array **by_level)
{
    const taco__batch_rows *rows = &c->batch.rows;
    size_t i, n = rows->count, bytes = n * sizeof(uint32_t);
    uint32_t *up = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    uint32_t l;
    bool ok = up != NULL;
    for (i = 0; ok && i < n; i++) {
        up[i] = (uint32_t)(rows->base + rows->numbers[i]);
    }
    for (l = c->query.level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        ok = taco__compose_read_level(c, &f->ancestors[l], up, n);
        by_level[l] = f->ancestors[l].arrays;
    }
    taco__mem_free(c->mem, up, bytes);
    if (!ok) { taco__cursor_fail(c, f, false); }
    return ok;
}

/* ---- the next rows ---- */

/* Lets tasks make the paths of a reader from its first rows on, if the host runs tasks. */
static void taco__compose_init_tasks(taco_cursor *c, taco__table_reader *f)
{
    if (f->scan.tasks.host && !f->scan.tasks.batch && !f->path_tasks.count) {
        taco__sample_path_tasks_init(c, f);
    }
}

/* The next rows that the filters of the current reader leave, at most `most`, or those of the
   readers after it; 0 at the end and on failure, which c->reader is then at. read: with their
   columns. They are noted in c->batch.rows. */
static size_t taco__compose_scan(taco_cursor *c, uint64_t most, bool read)
{
    taco__batch_rows *rows = &c->batch.rows;
    for (; c->reader < c->reader_count; c->reader++) {
        taco__table_reader *f = &c->readers[c->reader];
        taco__compose_init_tasks(c, f);
        rows->count = taco__scan_next(&f->scan, (size_t)TACO__MIN(most, (uint64_t)SIZE_MAX), read,
                                      &rows->numbers, &rows->base, &c->err);
        if (c->err.code != TACO_OK) { return 0; }
        if (rows->count) { return rows->count; }
    }
    return 0;
}

/* Numbers of the next rows of a query without an order, whatever its limit is: *first + (*rows)[i]
   counts the rows of all containers. 0 at the end and on failure. Only tested columns are read; the
   caller must not request batches of the same cursor. */
TACO__FN size_t taco__compose_next_rows(taco_cursor *c, uint64_t *first, const uint32_t **rows)
{
    size_t i, n = taco__compose_scan(c, TACO__SCAN_SLICE, false);
    *rows = c->batch.rows.numbers;
    *first = c->batch.rows.base;
    for (i = 0; n && i < c->reader; i++) {
        *first += c->readers[i].table->rows;
    }
    return n;
}

/* False at the end, and on failure with the dataset prefixed to the message. */
static bool taco__compose_end(taco_cursor *c)
{
    if (c->err.code != TACO_OK) { taco__cursor_fail(c, &c->readers[c->reader], false); }
    return false;
}

/* How many rows there are; skips all of them. */
TACO__FN bool taco__compose_count_rows(taco_cursor *c, uint64_t *count)
{
    size_t n;
    *count = 0;
    while ((n = taco__compose_scan(c, UINT64_MAX, false)) != 0) {
        *count += n;
    }
    (void)taco__compose_end(c);
    return c->err.code == TACO_OK;
}

/* Skips the rows before the first one to be returned, making only their numbers. False at the end
   and on failure. */
static bool taco__compose_skip(taco_cursor *c)
{
    while (c->query.skip) {
        size_t n = taco__compose_scan(c, c->query.skip, false);
        if (n == 0) { return false; }
        c->query.skip -= n;
    }
    return true;
}

/* The number of the first row if the rows of the batch are consecutive in their level, else -1. */
static int64_t taco__compose_first_row(const taco__batch_rows *rows)
{
    bool range = rows->numbers[rows->count - 1] - rows->numbers[0] == rows->count - 1;
    return range ? (int64_t)(rows->base + rows->numbers[0]) : -1;
}

TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out)
{
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__table_reader *f;
    size_t n;
    if (!c->query.left) { return false; }
    n = taco__compose_skip(c) ? taco__compose_scan(c, c->query.left, true) : 0;
    if (n == 0) { return taco__compose_end(c); }
    f = &c->readers[c->reader];
    by_level[c->query.level] = f->scan.out.arrays;
    if ((c->query.flat && !taco__compose_read_ancestors(c, f, by_level)) ||
        !taco__compose_batch(c, f, by_level, n)) {
        return false;
    }
    c->query.left -= n;
    taco__compose_hand_out(c, n, taco__compose_first_row(&c->batch.rows), out);
    return true;
}
/* ==== src/dataset/cursor_order.c ==== */
/* cursor_order.c - ORDER BY: sorts the rows that a query finds by their keys

   In: a cursor whose readers are open, and the sort list parsed from a text such as "cloud_cover
   desc, id" (query_parse.c). Out: c->sorted.order, the rows that the limit leaves; cursor_sorted.c
   reads the other columns for them.

   taco__cursor_order_sort collects the row numbers of every reader, reads the columns to sort by
   (taco__cursor_order_read_keys) and turns each value into a key whose bits order as the values
   do (taco__cursor_order_make_key). Only as many rows are sorted as come
   out. Order is that of SQL: nulls last in both directions, NaN greater than every number,
   equal rows as they are stored. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */

/* ---- keys ---- */

/* Bits that sort as floats do: negative numbers complemented, the sign of others flipped. */
static uint64_t taco__cursor_order_rank_float(double d)
{
    uint64_t x = taco__f64_to_bits(taco__f64_is_zero(d) ? 0.0 : d);
    if (taco__f64_is_nan(d)) {
        return UINT64_MAX; /* NaN is greater than every number, as in DuckDB */
    }
    return x >> 63 ? ~x : x | (uint64_t)1 << 63;
}

static uint64_t taco__cursor_order_rank_text(taco_bytes text)
{
    uint8_t head[8] = {0};
    if (text.len) { memcpy(head, text.data, TACO__MIN(text.len, (size_t)8)); }
    return taco__load_be64(head);
}

/* Signed little-endian numbers of n bytes, as big-endian bytes that sort as they do: reversed, with
   the sign flipped. NULL if there is no memory, or n is 0. */
static uint8_t *taco__cursor_order_reverse(const uint8_t *le, size_t n, taco__arena *arena,
                                           taco__cursor_order_key *k, taco_error *err)
{
    uint8_t *p = n ? (uint8_t *)taco__arena_alloc(arena, n, err) : NULL;
    size_t j;
    if (!p) { return NULL; }
    for (j = 0; j < n; j++) {
        p[j] = le[n - 1 - j];
    }
    p[0] ^= 0x80;
    k->text = taco__bytes_of(p, n);
    return p;
}

static bool taco__cursor_order_decimal_key(const taco_array *a, size_t i, taco__arena *arena,
                                           taco__cursor_order_key *k, taco_error *err)
{
    size_t n = (size_t)a->field->width;
    const uint8_t *p = taco__cursor_order_reverse(a->v.u8 + i * n, n, arena, k, err);
    k->rank = p ? taco__load_be64(p) : 0;
    return p != NULL;
}

/* INT96: 8 bytes of nanoseconds of the day, 4 of the Julian day, both signed. Reversed, the day
   comes first. */
static bool taco__cursor_order_int96_key(const taco_array *a, size_t i, taco__arena *arena,
                                         taco__cursor_order_key *k, taco_error *err)
{
    uint8_t *p = taco__cursor_order_reverse(a->v.u8 + i * 12, 12, arena, k, err);
    if (!p) { return false; }
    p[4] ^= 0x80;
    k->rank = taco__load_be64(p);
    return true;
}

/* Makes the key of row i; false if the type cannot be sorted, or there is no memory. Texts are
   borrowed from the array or the arena. */
static bool taco__cursor_order_make_key(const taco_array *a, size_t i, taco__arena *arena,
                                        taco__cursor_order_key *k, taco_error *err)
{
    memset(k, 0, sizeof *k);
    k->null = !taco_array_valid(a, i);
    if (k->null) { return true; }
    switch (a->field->type) {
    case TACO_UINT64: k->rank = a->v.u64[i]; return true;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: k->rank = taco__cursor_order_rank_float(taco_array_double(a, i)); return true;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID:
        k->text = taco_array_bytes(a, i);
        k->rank = taco__cursor_order_rank_text(k->text);
        return true;
    case TACO_DECIMAL: return taco__cursor_order_decimal_key(a, i, arena, k, err);
    case TACO_INT96: return taco__cursor_order_int96_key(a, i, arena, k, err);
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return false;
    /* signed integers, and types stored as such: the sign flipped */
    default: k->rank = (uint64_t)taco_array_int(a, i) ^ (uint64_t)1 << 63; return true;
    }
}

static int taco__cursor_order_compare_keys(const taco__cursor_order_key *p,
                                           const taco__cursor_order_key *q)
{
    return p->rank < q->rank ? -1 : p->rank > q->rank ? 1 : taco__bytes_compare(p->text, q->text);
}

/* For taco__sort_first; ctx is the list. Rows are never equal, because storage order decides
   last. */
TACO__FN int taco__cursor_order_compare(const void *ctx, const void *a, const void *b)
{
    const taco__cursor_order_item *x = (const taco__cursor_order_item *)a,
                                  *y = (const taco__cursor_order_item *)b;
    const taco__cursor_order *o = (const taco__cursor_order *)ctx;
    size_t i;
    for (i = 0; i < o->count; i++) {
        const taco__cursor_order_key *p = &x->keys[i], *q = &y->keys[i];
        int order;
        if (p->null || q->null) { /* nulls last in both directions */
            if (p->null != q->null) { return p->null ? 1 : -1; }
            continue;
        }
        order = taco__cursor_order_compare_keys(p, q);
        if (order) { return o->specs[i].descending ? -order : order; }
    }
    if (x->reader != y->reader) { return x->reader < y->reader ? -1 : 1; }
    return (x->at > y->at) - (x->at < y->at);
}

/* ---- the list ---- */

/* Whether larger values come first: set by the caller, or by the word after the name, "asc" or
   "desc" in any case. Fails for any other word. */
static bool taco__cursor_order_parse_word(taco_cursor *c, const taco__query_column *key,
                                          bool *descending)
{
    char word[8] = {0};
    size_t i;
    for (i = 0; i < key->rest.len && i < 7; i++) {
        word[i] = (char)taco__ascii_lower(key->rest.data[i]);
    }
    *descending = key->descending || strcmp(word, "desc") == 0;
    if (!key->rest.len || *descending || strcmp(word, "asc") == 0) { return true; }
    TACO__FAIL(&c->err, TACO_ERR_SYNTAX, key->rest_at, "expected asc, desc or a comma, found %q",
               &key->rest);
    return false;
}

/* Finds the columns in a list. */
TACO__FN bool taco__cursor_order_find_columns(taco_cursor *c, const taco__query_columns *list,
                                              taco__cursor_order *o)
{
    memset(o, 0, sizeof *o);
    o->specs = (taco__cursor_order_spec *)taco__arena_array(&c->arena, list->count + 1,
                                                            sizeof *o->specs, &c->err);
    for (; o->specs && o->count < list->count; o->count++) {
        const taco__query_column *key = &list->items[o->count];
        taco__cursor_order_spec *s = &o->specs[o->count];
        s->column = taco__cursor_column_find(c, key->name);
        if (s->column == TACO__NONE) {
            taco__field_names_no_column(c->columns.fields, c->columns.count,
                                        taco__bytes_text(key->name), &c->err);
            return false;
        }
        if (!taco__cursor_order_parse_word(c, key, &s->descending)) { return false; }
    }
    if (!o->specs || !taco__query_parse_ends(list, &c->err)) { return false; }
    if (o->count == 0) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    return o->count > 0;
}

/* ---- reading keys ---- */

/* The keys that are columns of one level; `which` has room for all. Returns their number. */
static size_t taco__cursor_order_list_columns(const taco_cursor *c, taco__table_reader *f,
                                              const taco__cursor_order *o, uint32_t level,
                                              size_t *which, size_t *places)
{
    const taco__row_reader *all = taco__table_reader_level(c, f, level);
    size_t k, n = 0;
    for (k = 0; k < o->count; k++) {
        const taco__cursor_column *x = &c->columns.origins[o->specs[k].column];
        size_t at = f->place[o->specs[k].column];
        if (taco__cursor_column_is_stored(x) && x->level == level && at != TACO__NONE) {
            places[k] = n;
            which[n++] = all->which[at];
        }
    }
    return n;
}

static bool taco__cursor_order_open_columns(taco_cursor *c, taco__table_reader *f,
                                            const taco__cursor_order *o,
                                            taco__cursor_order_columns *out)
{
    size_t k, *which = (size_t *)taco__arena_array(&c->arena, o->count, sizeof *which, &c->err);
    uint32_t l;
    out->places = (size_t *)taco__arena_array(&c->arena, o->count, sizeof *out->places, &c->err);
    if (!which || !out->places) { return false; }
    for (k = 0; k < o->count; k++) {
        out->places[k] = TACO__NONE;
    }
    for (l = taco__table_reader_first_level(c); l <= c->query.level; l++) {
        size_t n = taco__cursor_order_list_columns(c, f, o, l, which, out->places);
        const taco__table *t = taco__table_reader_level(c, f, l)->table;
        if (!taco__row_reader_open(&out->levels[l], t, which, n, c->mem, &c->err)) { return false; }
    }
    return true;
}

/* Makes the keys of one sort column: that of row i at keys[i * o->count]. a is NULL if the reader
   has no such column. */
static bool taco__cursor_order_add_column(taco_cursor *c, taco__table_reader *f,
                                          const taco__cursor_order *o, size_t column,
                                          const taco_array *a, taco__cursor_order_key *keys)
{
    taco_array cast;
    size_t i;
    if (TACO__WITH_MANY && a && taco__compose_is_mixed(c, column)) {
        if (!taco__unify_cast_array(&c->arena, &c->columns.fields[column], a, &cast, &c->err)) {
            return taco__cursor_fail(c, f, true);
        }
        a = &cast;
    }
    for (i = 0; i < f->row_number_count; i++, keys += o->count) {
        keys->null = true;
        if (a && !taco__cursor_order_make_key(a, i, &c->arena, keys, &c->err)) {
            taco_bytes name = taco__bytes_text(c->columns.fields[column].name);
            TACO__FAIL(&c->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is of a type that cannot be sorted", &name);
            return false;
        }
    }
    return true;
}

/* Fills items with the rows that a reader found, and makes their keys. Texts of keys are borrowed
   from `columns`, which must stay open. */
static bool taco__cursor_order_read_keys(taco_cursor *c, uint32_t reader,
                                         const taco__cursor_order *o,
                                         taco__cursor_order_columns *columns,
                                         taco__cursor_order_item *items)
{
    taco__table_reader *f = &c->readers[reader];
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__row_reader *rows[TACO__MAX_LEVELS];
    size_t i, k, n = f->row_number_count, count;
    taco__cursor_order_key *keys;
    if (n == 0) { return true; }
    /* too many for memory in either case */
    if (!taco__checked_mul_size(n, o->count, &count)) { count = SIZE_MAX; }
    keys = (taco__cursor_order_key *)taco__arena_array(&c->arena, count, sizeof *keys, &c->err);
    if (!keys) { return false; }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        rows[i] = &columns->levels[i];
    }
    if (!taco__cursor_sorted_read_rows(c, f, rows, f->row_numbers, n, by_level)) { return false; }
    for (k = 0; k < o->count; k++) {
        size_t column = o->specs[k].column, at = columns->places[k];
        const taco_array *a =
            at != TACO__NONE ? &by_level[c->columns.origins[column].level][at] : NULL;
        if (!taco__cursor_order_add_column(c, f, o, column, a, keys + k)) { return false; }
    }
    for (i = 0; i < n; i++) {
        items[i].keys = keys + i * o->count;
        items[i].reader = reader;
        items[i].at = (uint32_t)i;
    }
    return true;
}

/* Reads the keys of all rows that the readers find. Must be closed, even on failure. */
TACO__FN bool taco__cursor_order_read(taco_cursor *c, taco__cursor_order *o)
{
    size_t i, n = 0, bytes;
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_sorted_collect_rows(c, &c->readers[i])) { return false; }
        o->total += c->readers[i].row_number_count;
    }
    if (!taco__checked_mul_size(o->total + 1, sizeof *o->items, &bytes)) {
        TACO__FAIL(&c->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u rows to sort",
                   TACO__U(o->total));
        return false;
    }
    o->items = (taco__cursor_order_item *)taco__mem_alloc(c->mem, bytes, &c->err);
    o->columns = (taco__cursor_order_columns *)taco__arena_array(&c->arena, c->reader_count,
                                                                 sizeof *o->columns, &c->err);
    if (!o->items || !o->columns) { return false; }
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_order_open_columns(c, &c->readers[i], o, &o->columns[i]) ||
            !taco__cursor_order_read_keys(c, (uint32_t)i, o, &o->columns[i], o->items + n)) {
            return false;
        }
        n += c->readers[i].row_number_count;
    }
    return true;
}

TACO__FN void taco__cursor_order_close(taco_cursor *c, taco__cursor_order *o)
{
    size_t i, l;
    for (i = 0; o->columns && i < c->reader_count; i++) {
        for (l = 0; l < TACO__MAX_LEVELS; l++) {
            taco__row_reader_close(&o->columns[i].levels[l]);
        }
    }
    taco__mem_free(c->mem, o->items, (o->total + 1) * sizeof *o->items);
}

/* ---- sorting ---- */

/* Sorts the items as far as they are returned, and stores those. */
static bool taco__cursor_order_finish(taco_cursor *c, const taco__cursor_order *o)
{
    taco__sorted_rows *s = &c->sorted;
    taco__cursor_order_item *items = o->items;
    size_t i, first = (size_t)TACO__MIN((uint64_t)o->total, c->query.skip);
    size_t end = (size_t)TACO__MIN((uint64_t)(o->total - first), c->query.left) + first;
    if (!taco__sort_first(c->mem, items, o->total, end, sizeof *items, taco__cursor_order_compare,
                          o, &c->err)) {
        return false;
    }
    s->count = end - first;
    s->order =
        (taco__sorted_row *)taco__arena_array(&c->arena, s->count + 1, sizeof *s->order, &c->err);
    for (i = 0; s->order && i < s->count; i++) {
        s->order[i].reader = items[first + i].reader;
        s->order[i].at = items[first + i].at;
    }
    return s->order != NULL;
}

/* Sorts the result by the columns of the query's order: these are read now, the others later, for
   the rows that are returned. */
TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const taco__query *q,
                                      const taco__select_options *opt)
{
    taco__cursor_order o;
    bool ok;
    if (!taco__cursor_order_find_columns(c, &q->order, &o)) {
        taco__error_prefix(&c->err, "order");
        return false;
    }
    c->sorted.active = true;
    if (taco__order_tasks_run(c, q, opt, &o)) { return true; }
    ok = taco__cursor_order_read(c, &o) && taco__cursor_order_finish(c, &o);
    taco__cursor_order_close(c, &o);
    return ok && c->err.code == TACO_OK;
}
/* ==== src/dataset/cursor_sorted.c ==== */
/* cursor_sorted.c - batches of a sorted result: reads columns for rows in that order

   In: c->sorted.order, made by cursor_order.c. Out: batches of consecutive rows in that order, all
   of one reader.

   Rows that are next to each other in the order may be anywhere in the file. Those of a batch are
   read in file order, each once, and then put in result order (taco__cursor_sorted_next). Bytes
   stay in the range cache while there is room: a sort column that is also returned, or rows of one
   page that are returned far apart, are fetched once. Only output columns are read; cursor_order.c
   has read the keys before, with the same functions. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */

TACO__FN void taco__cursor_sorted_free(taco_cursor *c)
{
    taco__sorted_rows *s = &c->sorted;
    size_t i;
    for (i = 0; s->columns && i < c->reader_count * TACO__MAX_LEVELS; i++) {
        taco__row_reader_close(&s->columns[i].rows);
    }
    taco__range_cache_free(&s->cache);
}

/* ---- reading rows of one reader ---- */

/* The ranges that the columns of r need for ascending rows. */
static bool taco__cursor_sorted_need_rows(taco_cursor *c, const taco__row_reader *r,
                                          const uint32_t *rows, size_t n, taco__buf *ranges)
{
    taco_pq_file *pq = r->table->pq;
    taco__row_selection w;
    size_t i, k;
    memset(&w, 0, sizeof w);
    for (i = 0; i < n; i = k) {
        uint32_t g = taco__footer_find_row_group(&pq->meta, rows[i]);
        uint64_t end =
            taco__table_group_first_row(r->table, g) + taco__table_group_rows(r->table, g);
        for (k = i; k < n && rows[k] < end; k++) {}
        w.rows = rows + i;
        w.row_count = k - i;
        if (!taco__scan_fetch_add_chunks(pq, r->which, r->count, r->table->stored, g, &w, ranges,
                                         &c->err)) {
            return false;
        }
    }
    return true;
}

/* Reads what the columns of r need for ascending rows in one round, and keeps it. Releases what was
   kept before if it is too much. */
static bool taco__cursor_sorted_cache_rows(taco_cursor *c, const taco__row_reader *r,
                                           const uint32_t *rows, size_t n)
{
    taco__range_cache *cache = &c->sorted.cache;
    taco__buf ranges;
    bool ok;
    if (!r->table->pq || !r->count) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = c->mem;
    ok = taco__cursor_sorted_need_rows(c, r, rows, n, &ranges);
    if (taco__range_cache_bytes(cache) > TACO__SCAN_AHEAD) { taco__range_cache_release(cache); }
    ok = ok && taco__range_cache_fetch(cache, r->table->pq->part.file, &ranges, &c->err);
    taco__buf_free(&ranges);
    return ok;
}

static bool taco__cursor_sorted_is_ascending(const uint32_t *rows, size_t n)
{
    size_t i;
    for (i = 1; i < n && rows[i - 1] <= rows[i]; i++) {}
    return i >= n;
}

/* Reads the ancestors of rows; up has the rows of the cursor's level, and is overwritten. */
static bool taco__cursor_sorted_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                               taco__row_reader *const *rows, uint32_t *up,
                                               size_t n, const taco_array **by_level)
{
    uint32_t l;
    size_t i;
    for (l = c->query.level; l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        if ((taco__cursor_sorted_is_ascending(up, n) &&
             !taco__cursor_sorted_cache_rows(c, rows[l], up, n)) ||
            !taco__compose_read_level(c, rows[l], up, n)) {
            return false;
        }
        by_level[l] = rows[l]->arrays;
    }
    return true;
}

/* Reads the columns of `rows` (a row reader for each level) for ascending rows of f. by_level
   receives the arrays of each level. */
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *const *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level)
{
    taco__row_reader *own = rows[c->query.level];
    uint32_t *up;
    bool ok;
    if (!taco__cursor_sorted_cache_rows(c, own, numbers, n) ||
        !taco__compose_read_level(c, own, numbers, n)) {
        return false;
    }
    by_level[c->query.level] = own->arrays;
    if (!c->query.flat) { return true; }
    up = (uint32_t *)taco__mem_alloc(c->mem, n * sizeof *up, &c->err);
    if (!up) { return false; }
    memcpy(up, numbers, n * sizeof *up);
    ok = taco__cursor_sorted_read_ancestors(c, f, rows, up, n, by_level);
    taco__mem_free(c->mem, up, n * sizeof *up);
    return ok;
}

/* Appends the numbers of all rows that a scan finds. */
static bool taco__cursor_sorted_scan_rows(taco_cursor *c, taco__scan *scan, taco__buf *list)
{
    const uint32_t *found;
    uint64_t base;
    size_t i, n;
    /* a tested column may also be a key */
    scan->fetch.keep_tested = true;
    while ((n = taco__scan_next(scan, TACO__SCAN_SLICE, false, &found, &base, &c->err)) != 0) {
        uint32_t *to;
        if (!taco__buf_reserve(list, n * sizeof *to, &c->err)) { return false; }
        to = (uint32_t *)(void *)(list->data + list->len);
        for (i = 0; i < n; i++) {
            to[i] = (uint32_t)(base + found[i]);
        }
        list->len += n * sizeof *to;
    }
    return c->err.code == TACO_OK;
}

/* Sets f->row_numbers: all rows that a reader finds, ascending, in the cursor's arena. */
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f)
{
    taco__buf list;
    bool ok;
    memset(&list, 0, sizeof list);
    list.mem = c->mem;
    ok = taco__cursor_sorted_scan_rows(c, &f->scan, &list);
    f->row_number_count = list.len / sizeof(uint32_t);
    f->row_numbers = (uint32_t *)taco__arena_array(&c->arena, f->row_number_count + 1,
                                                   sizeof(uint32_t), &c->err);
    if (f->row_numbers && list.len) { memcpy(f->row_numbers, list.data, list.len); }
    taco__buf_free(&list);
    return ok && f->row_numbers;
}

/* ---- output columns ---- */

/* Whether an output column of a reader, or its paths, need the column at an index of a level's
   arrays. */
static bool taco__cursor_sorted_needs_column(const taco_cursor *c, const taco__table_reader *f,
                                             uint32_t level, size_t place)
{
    size_t i, k;
    for (i = 0; i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        if (o->kind == TACO__CURSOR_COLUMN_VSI && level == o->level) {
            const taco__sample_path_maker *m =
                level == c->query.level ? &f->paths : &f->ancestor_paths[level];
            for (k = 0; k < TACO__SAMPLE_PATH_INPUTS; k++) {
                if (place == m->input[k]) { return true; }
            }
        } else if (taco__cursor_column_is_stored(o) && o->level == level && f->place[i] == place) {
            return true;
        }
    }
    return false;
}

/* Opens a reader of the needed columns of one level, out of all those of the table reader. */
static bool taco__cursor_sorted_open_level(taco_cursor *c, taco__table_reader *f, uint32_t level,
                                           taco__sorted_columns *out)
{
    const taco__row_reader *all = taco__table_reader_level(c, f, level);
    size_t k,
        n = 0,
        *which = (size_t *)taco__arena_array(&c->arena, all->count + 1, sizeof *which, &c->err);
    out->places =
        (size_t *)taco__arena_array(&c->arena, all->count + 1, sizeof *out->places, &c->err);
    if (!which || !out->places) { return false; }
    for (k = 0; k < all->count; k++) {
        if (taco__cursor_sorted_needs_column(c, f, level, k)) {
            out->places[n] = k;
            which[n++] = all->which[k];
        }
    }
    return taco__row_reader_open(&out->rows, all->table, which, n, c->mem, &c->err);
}

/* Opens them for all readers, now that the output columns are known. */
static bool taco__cursor_sorted_open_columns(taco_cursor *c)
{
    taco__sorted_rows *s = &c->sorted;
    size_t i;
    uint32_t l;
    s->columns = (taco__sorted_columns *)taco__arena_array(
        &c->arena, c->reader_count * TACO__MAX_LEVELS, sizeof *s->columns, &c->err);
    for (i = 0; s->columns && i < c->reader_count; i++) {
        for (l = taco__table_reader_first_level(c); l <= c->query.level; l++) {
            if (!taco__cursor_sorted_open_level(c, &c->readers[i], l,
                                                &s->columns[i * TACO__MAX_LEVELS + l])) {
                return false;
            }
        }
    }
    return s->columns != NULL;
}

/* ---- batches ---- */

static int taco__cursor_sorted_compare_numbers(const void *ctx, const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* How many of the next rows belong to one reader: at most a slice. */
static size_t taco__cursor_sorted_count_rows(const taco__sorted_rows *s)
{
    const taco__sorted_row *row = s->order + s->at;
    size_t n = 1;
    while (n < TACO__SCAN_SLICE && s->at + n < s->count && row[n].reader == row->reader) {
        n++;
    }
    return n;
}

/* Row numbers of the next n rows, ascending, and for each output row its index among them. */
static void taco__cursor_sorted_place_rows(const taco__sorted_rows *s, const taco__table_reader *f,
                                           size_t n, uint32_t *numbers, int32_t *index)
{
    const taco__sorted_row *row = s->order + s->at;
    size_t i;
    for (i = 0; i < n; i++) {
        numbers[i] = f->row_numbers[row[i].at];
    }
    taco__sort(numbers, index, n, sizeof *numbers, taco__cursor_sorted_compare_numbers, NULL);
    for (i = 0; i < n; i++) {
        const uint32_t number = f->row_numbers[row[i].at];
        size_t at = 0;
        TACO__LOWER_BOUND(at, n, k, numbers[k] < number);
        index[i] = (int32_t)at;
    }
}

/* Gathers the rows of one level in result order, into the selection buffers of the reader that
   found them, which are unused now: output columns look for them there. */
static bool taco__cursor_sorted_take_level(taco_cursor *c, taco__sorted_columns *from,
                                           taco__row_reader *to, const int32_t *index, size_t n)
{
    size_t k;
    for (k = 0; k < from->rows.count; k++) {
        size_t at = from->places[k];
        if (!taco__take_array(&to->selected[at], &from->rows.arrays[k], index, n, &c->err)) {
            return false;
        }
        to->arrays[at] = to->selected[at].array;
    }
    return true;
}

/* Reads the next n rows, first in file order; by_level receives the arrays in result order. */
static bool taco__cursor_sorted_read_batch(taco_cursor *c, uint32_t reader, size_t n,
                                           const taco_array **by_level)
{
    taco__sorted_columns *columns = c->sorted.columns + (size_t)reader * TACO__MAX_LEVELS;
    taco__table_reader *f = &c->readers[reader];
    taco__row_reader *rows[TACO__MAX_LEVELS];
    uint32_t *numbers, l;
    int32_t *index;
    size_t bytes = n * (sizeof *numbers + sizeof *index);
    bool ok;
    numbers = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    if (!numbers) { return false; }
    index = (int32_t *)(void *)(numbers + n);
    taco__cursor_sorted_place_rows(&c->sorted, f, n, numbers, index);
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        rows[l] = &columns[l].rows;
    }
    ok = taco__cursor_sorted_read_rows(c, f, rows, numbers, n, by_level);
    for (l = taco__table_reader_first_level(c); ok && l <= c->query.level; l++) {
        taco__row_reader *to = taco__table_reader_level(c, f, l);
        ok = taco__cursor_sorted_take_level(c, &columns[l], to, index, n);
        by_level[l] = to->arrays;
    }
    taco__mem_free(c->mem, numbers, bytes);
    return ok;
}

TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out)
{
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__sorted_rows *s = &c->sorted;
    uint32_t reader;
    size_t n;
    if (s->at == s->count || (!s->columns && !taco__cursor_sorted_open_columns(c))) {
        return false;
    }
    reader = s->order[s->at].reader;
    n = taco__cursor_sorted_count_rows(s);
    if (!taco__cursor_sorted_read_batch(c, reader, n, by_level)) { return false; }
    c->batch.rows.order_at = s->at;
    if (!taco__compose_batch(c, &c->readers[reader], by_level, n)) { return false; }
    s->at += n;
    taco__compose_hand_out(c, n, -1, out);
    return true;
}
/* ==== src/dataset/task_handle.c ==== */
/* task_handle.c - further handles on an open dataset, one for each task

   A handle belongs to one thread. The handle of a task shares with the first one what does not
   change: the collection, the index, the open files. It has its own tables, decoders and memory, so
   tasks do not wait for each other. It opens no file by name and therefore reads the same bytes as
   the first handle. It caches no pages, because tasks read each page once.

   The first handle must not change while tasks run, and must outlive theirs. */
/* #include "cursor.h" */
/* #include "../base/base.h" */

/* unreachable: taco_options.open_file of such a handle, which opens no file by name. */
static bool taco__task_handle_open_nothing(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    (void)path;
    (void)out;
    return false;
}

/* A source supplied by the caller: tasks may only call its `view`. */
typedef struct taco__task_handle_view {
    void *ctx;
    const void *(*view)(void *ctx, uint64_t offset, size_t len);
} taco__task_handle_view;

static const void *taco__task_handle_view_bytes(void *ctx, uint64_t offset, size_t len)
{
    const taco__task_handle_view *v = (const taco__task_handle_view *)ctx;
    return v->view(v->ctx, offset, len);
}

static bool taco__task_handle_read_view(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const void *bytes = taco__task_handle_view_bytes(ctx, offset, len);
    if (bytes) { memcpy(dst, bytes, len); }
    return bytes != NULL;
}

/* Whether tasks can read a level with handles of their own: the dataset is a single one of TACO 2,
   and the level is a Parquet file that several threads may read. Places that tasks may read are
   compared before. */
TACO__FN bool taco__task_handle_is_possible(taco_dataset *ds, uint32_t level)
{
    taco__container *s = &ds->stores[0];
    const taco__level *l = &s->levels[level];
    const taco__file *file = l->path ? &l->file : &s->file;
    return TACO__WITH_TASKS && ds->container_count == 1 && !s->format && !s->kept && l->opened &&
           l->table.pq && (file->src.view || taco__file_tasks_may_read(file)) &&
           taco__places_check(s, level, NULL);
}

/* Makes *f a file with the same bytes as *from, which the first handle closes. */
static bool taco__task_handle_share_file(taco__container *s, taco__file *f, const taco__file *from,
                                         taco_error *err)
{
    taco_source src = from->src;
    src.close = NULL;
    src.read_many = NULL;
    if (!taco__file_tasks_may_read(from)) {
        taco__task_handle_view *v =
            (taco__task_handle_view *)taco__arena_alloc(s->arena, sizeof *v, err);
        if (!v) { return false; }
        v->ctx = src.ctx;
        v->view = src.view;
        src.ctx = v;
        src.view = taco__task_handle_view_bytes;
        src.read = taco__task_handle_read_view;
    }
    taco__file_init(f, &src, from->name, s->mem);
    return true;
}

/* Makes *s a container of the same files. */
static bool taco__task_handle_share(taco__container *s, const taco__container *from,
                                    taco_dataset *own, taco_error *err)
{
    uint32_t i;
    *s = *from;
    s->mem = &own->mem;
    s->arena = &own->arena;
    s->options = &own->options;
    s->archives = NULL;
    s->file_open = false;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        l->opened = l->file_open = false;
        memset(&l->pq, 0, sizeof l->pq);
        memset(&l->table, 0, sizeof l->table);
        l->parents = NULL;
    }
    if (from->file_open) {
        s->file_open = taco__task_handle_share_file(s, &s->file, &from->file, err);
        if (!s->file_open) { return false; }
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        const taco__level *l = &from->levels[i];
        if (!l->file_open) { continue; }
        s->levels[i].file_open = taco__task_handle_share_file(s, &s->levels[i].file, &l->file, err);
        if (!s->levels[i].file_open) { return false; }
    }
    return true;
}

/* The memory that each of so many tasks may use: equal parts of what is left. */
TACO__FN uint64_t taco__task_handle_memory(const taco__mem *mem, size_t width)
{
    return (mem->limit - TACO__MIN(mem->used, mem->limit)) / width;
}

/* Opens a handle whose memory is accounted as that of a task (taco__mem_task_begin); NULL on
   failure. Tasks may call this concurrently. */
TACO__FN taco_dataset *taco__task_handle_open(const taco_dataset *ds, uint64_t max_memory,
                                              taco_error *err)
{
    taco_options opt = ds->options;
    taco_dataset *own;
    opt.parallel_for = NULL;
    opt.warn = NULL;
    opt.log = NULL;
    opt.open_file = taco__task_handle_open_nothing;
    opt.limits.max_memory = max_memory;
    opt.limits.max_cache = 1;
    own = taco__dataset_alloc(&opt, 1, err);
    if (!own) { return NULL; }
    own->mode = ds->mode;
    own->container_count = 1;
    if (!taco__task_handle_share(&own->stores[0], &ds->stores[0], own, err)) {
        taco_close(own);
        return NULL;
    }
    return own;
}

/* Closes the handle of a task, which may be NULL, and returns its memory to the caller's
   account. */
TACO__FN void taco__task_handle_close(taco_dataset *own, taco__mem *mem)
{
    uint64_t accounted = own ? own->mem.accounted : 0;
    taco_close(own);
    mem->used -= accounted;
}
/* ==== src/dataset/order_tasks.c ==== */
/* order_tasks.c - the first rows of a sorted result, found part by part

   In: a cursor with an order and a small limit over level 0 of one large dataset, before it reads
   a row. Out: the rows that the limit leaves, in order, as cursor_order.c alone would have found
   them.

   Parts are read by tasks of the host's parallel_for. Without it, one after the other: keys of a
   part stay in the processor's cache, and little memory is needed. Each task has its own handle
   (task_handle.c), on which it opens the same query over one part of the table, reads the keys of
   its rows, and sorts the first ones. After each round the calling thread keeps the first rows of
   all parts so far, with copies of their keys. If a task fails, the calling thread reads everything
   itself, so error messages are those of one thread.

   Start reading at taco__order_tasks_run. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../filter/scan.h" */

/* Rows of a part, and the least rows of a table for which handles pay. Tests use fewer. */
#ifndef TACO__ORDER_TASK_ROWS
#define TACO__ORDER_TASK_ROWS ((uint64_t)131072)
#endif
#define TACO__ORDER_TASK_LEAST (2 * TACO__ORDER_TASK_ROWS)
/* Most rows of a limit: a part has several times as many. */
#define TACO__ORDER_TASK_WANTED (TACO__ORDER_TASK_ROWS / 8)
#define TACO__ORDER_TASK_MOST   16

typedef struct taco__order_task {
    taco_dataset *ds;
    taco_cursor *c;
    taco__cursor_order o; /* keys of the rows of its part, the first `first` in order */
    size_t first;
    uint64_t from, to;
    taco_error err;
    bool ok;
} taco__order_task;

typedef struct taco__order_tasks {
    taco_cursor *c; /* of the calling thread, which waits */
    const taco__query *q;
    const taco__select_options *opt;
    taco__cursor_order *o;
    taco__order_task items[TACO__ORDER_TASK_MOST];
    size_t width;
    uint64_t rows, max_memory;
    /* the first rows so far, `want` of them at most after a round: `at` is the number of the row */
    taco__cursor_order_item *best;
    size_t count, want;
    taco__arena keys, moved; /* their keys; the second is used while they are moved */
} taco__order_tasks;

static bool taco__order_tasks_are_possible(const taco_cursor *c, const taco__query *q)
{
    const taco__table_reader *f = c->readers;
    uint64_t skip = c->query.skip, left = c->query.left;
    size_t i;
    for (i = 0; i < q->filter_count && q->filters[i].f.level == 0; i++) {}
    return TACO__WITH_TASKS && i == q->filter_count && !q->table && !q->flat && !q->row_to &&
           c->reader_count == 1 && left && left <= TACO__ORDER_TASK_WANTED &&
           skip <= TACO__ORDER_TASK_WANTED - left && !f->filter.conditions &&
           f->table->rows >= TACO__ORDER_TASK_LEAST && taco__task_handle_is_possible(c->ds, 0);
}

/* ---- a part ---- */

static void taco__order_tasks_close_part(taco__order_task *t)
{
    if (t->c) { taco__cursor_order_close(t->c, &t->o); }
    taco_cursor_close(t->c, NULL);
    t->c = NULL;
    memset(&t->o, 0, sizeof t->o);
}

/* Opens the query over the rows of a part. Conditions are parsed again, since those of the calling
   thread are bound to its tables. */
static taco_cursor *taco__order_tasks_open_part(const taco__order_tasks *s, taco__order_task *t)
{
    taco__query q = *s->q;
    taco__select_options opt = *s->opt;
    taco_cursor *c;
    size_t i, bytes = q.filter_count * sizeof *q.filters;
    q.filters = (taco__query_filter *)taco__mem_alloc(&t->ds->mem, bytes, &t->err);
    if (!q.filters) { return NULL; }
    if (bytes) { memcpy(q.filters, s->q->filters, bytes); }
    for (i = 0; i < q.filter_count; i++) {
        if (q.filters[i].parsed) { q.filters[i].where = q.filters[i].parsed = NULL; }
    }
    memset(&q.select, 0, sizeof q.select);
    q.limit = q.offset = 0;
    q.row_from = t->from;
    q.row_to = t->to;
    opt.unsorted = true;
    c = taco__select_open(t->ds, &q, &opt, &t->err);
    taco__mem_free(&t->ds->mem, q.filters, bytes);
    return c;
}

/* A task: reads the keys of its part, and sorts the first rows. */
static void taco__order_tasks_task(void *arg, size_t i)
{
    taco__order_tasks *s = (taco__order_tasks *)arg;
    taco__order_task *t = &s->items[i];
    taco__order_tasks_close_part(t);
    if (!t->ds) { t->ds = taco__task_handle_open(s->c->ds, s->max_memory, &t->err); }
    t->c = t->ds ? taco__order_tasks_open_part(s, t) : NULL;
    t->ok = t->c && taco__cursor_order_find_columns(t->c, &s->q->order, &t->o) &&
            taco__cursor_order_read(t->c, &t->o);
    if (t->ok) {
        t->first = TACO__MIN(t->o.total, s->want);
        t->ok = taco__sort_first(t->c->mem, t->o.items, t->o.total, t->first, sizeof *t->o.items,
                                 taco__cursor_order_compare, &t->o, &t->c->err);
    }
}

/* ---- the first rows of all parts ---- */

/* Makes *item one with copies of its keys. */
static bool taco__order_tasks_copy_keys(taco__order_tasks *s, taco__arena *arena,
                                        taco__cursor_order_item *item)
{
    taco_error *err = &s->c->err;
    taco__cursor_order_key *keys =
        (taco__cursor_order_key *)taco__arena_array(arena, s->o->count, sizeof *keys, err);
    size_t i;
    for (i = 0; keys && i < s->o->count; i++) {
        uint8_t *text;
        keys[i] = item->keys[i];
        if (!keys[i].text.len) { continue; }
        text = (uint8_t *)taco__arena_alloc(arena, keys[i].text.len, err);
        if (!text) { return false; }
        memcpy(text, keys[i].text.data, keys[i].text.len);
        keys[i].text.data = text;
    }
    item->keys = keys;
    return keys != NULL;
}

/* Adds the first rows of a part; once there are enough, only those before the last of them. */
static bool taco__order_tasks_add(taco__order_tasks *s, const taco__order_task *t, size_t before)
{
    size_t i;
    for (i = 0; i < t->first; i++) {
        taco__cursor_order_item *to = &s->best[s->count];
        *to = t->o.items[i];
        to->at = t->c->readers[0].row_numbers[to->at];
        if (before == s->want && taco__cursor_order_compare(s->o, to, &s->best[before - 1]) > 0) {
            return true;
        }
        if (!taco__order_tasks_copy_keys(s, &s->keys, to)) { return false; }
        s->count++;
    }
    return true;
}

/* Sorts the rows so far, and forgets those that are not wanted, with their keys. */
static bool taco__order_tasks_trim(taco__order_tasks *s)
{
    size_t i, n = TACO__MIN(s->count, s->want);
    taco__arena old = s->keys;
    if (!taco__sort_first(s->c->mem, s->best, s->count, n, sizeof *s->best,
                          taco__cursor_order_compare, s->o, &s->c->err)) {
        return false;
    }
    s->count = n;
    for (i = 0; i < n; i++) {
        if (!taco__order_tasks_copy_keys(s, &s->moved, &s->best[i])) { return false; }
    }
    s->keys = s->moved;
    s->moved = old;
    taco__arena_reset(&s->moved);
    return true;
}

/* Runs tasks on the next parts, from row `at` on, and adds what they find. */
static bool taco__order_tasks_round(taco__order_tasks *s, uint64_t *at)
{
    taco__mem *mem = s->c->mem;
    size_t i, n = 0, before = s->count;
    bool ok = true;
    s->max_memory = taco__task_handle_memory(mem, s->width);
    for (; n < s->width && *at < s->rows; n++) {
        taco__order_task *t = &s->items[n];
        t->from = *at;
        *at = t->to = *at + TACO__MIN(TACO__ORDER_TASK_ROWS, s->rows - *at);
        t->ok = false;
        if (t->ds) { taco__mem_task_begin(mem, &t->ds->mem, s->width); }
    }
    taco__tasks_run(&s->c->ds->options, n, taco__order_tasks_task, s);
    for (i = 0; i < n; i++) {
        if (s->items[i].ds) { taco__mem_task_merge(mem, &s->items[i].ds->mem); }
    }
    for (i = 0; ok && i < n; i++) {
        ok = s->items[i].ok && taco__order_tasks_add(s, &s->items[i], before);
    }
    return ok && (s->count == before || taco__order_tasks_trim(s));
}

/* ---- the result ---- */

static int taco__order_tasks_compare_numbers(const void *ctx, const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Makes the rows those of the cursor, in order. */
static bool taco__order_tasks_finish(taco__order_tasks *s)
{
    taco_cursor *c = s->c;
    taco__table_reader *f = &c->readers[0];
    taco__sorted_rows *sorted = &c->sorted;
    size_t i, first = (size_t)TACO__MIN((uint64_t)s->count, c->query.skip), n = s->count - first;
    uint32_t *numbers = (uint32_t *)taco__arena_array(&c->arena, n + 1, sizeof *numbers, &c->err),
             *scratch = (uint32_t *)taco__arena_array(&s->keys, n + 1, sizeof *scratch, &c->err);
    sorted->order =
        (taco__sorted_row *)taco__arena_array(&c->arena, n + 1, sizeof *sorted->order, &c->err);
    if (!numbers || !scratch || !sorted->order) { return false; }
    for (i = 0; i < n; i++) {
        numbers[i] = s->best[first + i].at;
    }
    taco__sort(numbers, scratch, n, sizeof *numbers, taco__order_tasks_compare_numbers, NULL);
    for (i = 0; i < n; i++) {
        size_t at = 0;
        TACO__LOWER_BOUND(at, n, k, numbers[k] < s->best[first + i].at);
        sorted->order[i].reader = 0;
        sorted->order[i].at = (uint32_t)at;
    }
    f->row_numbers = numbers;
    f->row_number_count = n;
    sorted->count = n;
    return true;
}

/* Closes the handles of the tasks and returns their memory to the caller's account. */
static void taco__order_tasks_close(taco__order_tasks *s, size_t capacity)
{
    size_t i;
    for (i = 0; i < s->width; i++) {
        taco__order_tasks_close_part(&s->items[i]);
        taco__task_handle_close(s->items[i].ds, s->c->mem);
    }
    taco__arena_free(&s->keys);
    taco__arena_free(&s->moved);
    taco__mem_free(s->c->mem, s->best, capacity);
}

/* Finds the rows with `width` tasks. */
static bool taco__order_tasks_try(taco_cursor *c, const taco__query *q,
                                  const taco__select_options *opt, taco__cursor_order *o,
                                  size_t width)
{
    taco__order_tasks s;
    uint64_t at = 0;
    size_t capacity;
    bool ok;
    memset(&s, 0, sizeof s);
    s.c = c;
    s.q = q;
    s.opt = opt;
    s.o = o;
    s.width = width;
    s.rows = c->readers[0].table->rows;
    s.want = (size_t)(c->query.skip + c->query.left);
    s.keys.mem = s.moved.mem = c->mem;
    capacity = (s.want * (s.width + 1) + 1) * sizeof *s.best;
    s.best = (taco__cursor_order_item *)taco__mem_alloc(c->mem, capacity, &c->err);
    ok = s.best != NULL;
    while (ok && at < s.rows) {
        ok = taco__order_tasks_round(&s, &at);
    }
    ok = ok && taco__order_tasks_finish(&s);
    taco__order_tasks_close(&s, capacity);
    if (!ok) { memset(&c->err, 0, sizeof c->err); }
    return ok;
}

/* Finds the rows of c->sorted, of which the columns to sort by are known. Where several tasks fail,
   possibly for lack of memory, one may not. False, without an error, if keys must be read as a
   whole. */
TACO__FN bool taco__order_tasks_run(taco_cursor *c, const taco__query *q,
                                    const taco__select_options *opt, taco__cursor_order *o)
{
    size_t width = taco__tasks_width(&c->ds->options, TACO__ORDER_TASK_MOST);
    return taco__order_tasks_are_possible(c, q) &&
           (taco__order_tasks_try(c, q, opt, o, width) ||
            (width > 1 && taco__order_tasks_try(c, q, opt, o, 1)));
}
/* ==== src/dataset/children.c ==== */
/* children.c - the rows below a sample: taco_read, taco_cursor_children

   In: a path of keys, or the current row of a cursor. Out: a cursor over the __meta__ of the FOLDER
   that the path leads to (TACO 2.0 §6.2, §7.2.3); over level 0 for the empty path; over its own row
   for a FILE, which has no children.

   taco__children_read walks the path (navigation.c), opens the __meta__ (local_metadata.c) inside
   the cursor, and opens its one table reader over it. Such a cursor has no container and no level:
   code that needs those checks c->children. */
/* #include "cursor.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */

/* Releases the archive and the __meta__; does nothing if there are no children. */
TACO__FN void taco__children_close(taco__cursor_children *x)
{
    if (x->counted) { taco__container_count_archive_user(x->parent, x->meta.pq.part.file, false); }
    taco__local_meta_close(&x->meta);
    x->counted = false;
}

/* ---- a cursor over a __meta__ ---- */

/* Adds every column of the table, and the path. */
static bool taco__children_add_columns(taco_cursor *c, const taco__table *t)
{
    size_t i;
    if (!taco__cursor_column_reserve(c, t->field_count + 1)) { return false; }
    for (i = 0; i < t->field_count; i++) {
        const taco_field *f = &t->fields[i];
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_STORED, 0, f->name, f->name, f);
    }
    taco__cursor_column_add_vsi(c, 0);
    c->batch.arrays = (taco_array *)taco__arena_array(&c->arena, c->columns.count + 1,
                                                      sizeof *c->batch.arrays, &c->err);
    return c->batch.arrays != NULL;
}

/* Makes c a cursor over the rows of a FOLDER's __meta__. */
static bool taco__children_open_rows(taco_cursor *c, const taco__nav_node *node, bool padding)
{
    taco__table_reader *f = &c->readers[0];
    taco__cursor_children *x = &c->children;
    taco__local_meta *m = &x->meta;
    x->active = true;
    x->parent = node->store;
    if (!taco__local_meta_open(node, &c->arena, m, &c->err)) { return false; }
    if (!m->file_open && m->table.pq) {
        taco__container_count_archive_user(x->parent, m->pq.part.file, true);
        x->counted = true;
    }
    f->table = &m->table;
    return taco__nav_make_filter(f->table, &m->role, NULL, padding, &c->arena, &f->filter.where,
                                 &c->err) &&
           taco__children_add_columns(c, f->table) &&
           taco__sample_path_init_children(&f->paths, node, f->table, &m->role, &c->err) &&
           taco__table_reader_open(c, f);
}

static taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                        bool padding, taco_error *err);

/* ---- a FILE's own row ---- */

/* The last key of a path, which is searched among the rows of its parent. */
typedef struct taco__children_key {
    /* the id, if it is not a position */
    taco_bytes id;
    bool by_position;
    /* the position counts all rows of the file, those that a view hides, too */
    bool stored;
    uint64_t position;
    /* search with padding: a position may count it, and it does not hide an id */
    bool padding;
} taco__children_key;

static bool taco__children_parse_key(taco_cursor *c, const taco__nav_node *node, bool padding,
                                     taco__children_key *out)
{
    taco_bytes key = taco__bytes_text(node->key_path + node->last_key);
    memset(out, 0, sizeof *out);
    out->by_position = taco__nav_parse_position(key, &out->position);
    out->stored = out->by_position && taco__nav_is_stored_position(key);
    out->padding = padding || !out->by_position || out->stored;
    if (out->by_position) { return true; }
    out->position = 0;
    out->id = taco__nav_key_to_id(key, &c->arena, &c->err);
    return out->id.data != NULL;
}

/* "id" = 'key' at level 0, as an unbound tree. */
static taco__expr *taco__children_id_condition(taco_cursor *c, const taco__nav_node *node,
                                               taco_bytes id)
{
    const char *column = taco__nav_id_column(node->store, 0);
    taco__expr *text = taco__expr_const(&c->arena, taco__scalar_make_bytes(TACO_TEXT, id), &c->err);
    if (text) { text->text = true; }
    return taco__expr_compare(&c->arena, TACO__OP_EQ,
                              taco__expr_named(&c->arena, taco__bytes_text(column), 0, &c->err),
                              text, &c->err);
}

/* A sample of level 0: a query for one row. */
static taco_cursor *taco__children_select_top_row(taco_cursor *c, const taco__nav_node *node,
                                                  const taco__children_key *key)
{
    taco__query q;
    taco__query_filter filter;
    memset(&q, 0, sizeof q);
    memset(&filter, 0, sizeof filter);
    q.limit = 1;
    q.padding = key->padding;
    if (key->stored) {
        q.row_from = key->position;
        q.row_to = key->position + 1;
    } else {
        q.offset = key->position;
    }
    if (!key->by_position) {
        filter.where = taco__children_id_condition(c, node, key->id);
        if (!filter.where) { return NULL; }
        q.filters = &filter;
        q.filter_count = 1;
    }
    return taco__select_open(c->ds, &q, NULL, &c->err);
}

/* Restricts a cursor over children to the row with an id. The condition is kept in that cursor. */
static bool taco__children_only_id(taco_cursor *rows, const taco__container *s, taco_bytes id,
                                   taco_error *err)
{
    const taco__table *t = rows->readers[0].table;
    taco__column_roles r;
    taco__expr *e;
    char *text = taco__arena_text(&rows->arena, id, err);
    if (!text) { return false; }
    taco__container_find_roles(s, t, &r);
    e = taco__expr_equals(&rows->arena, r.id, taco__bytes_text(text), err);
    return e && taco__pred_bind(e, t->fields, t->field_count, &rows->arena, err) &&
           taco__table_reader_set_filter(rows, e);
}

/* A sample below: one of the children of its parent. */
static taco_cursor *taco__children_select_row(taco_cursor *c, const taco__nav_node *node,
                                              const taco__children_key *key)
{
    char *parent =
        taco__arena_text(&c->arena, taco__bytes_of(node->key_path, node->last_key - 1), &c->err);
    taco_cursor *rows =
        parent ? taco__children_read(c->ds, parent, true, key->padding, &c->err) : NULL;
    if (!rows) { return NULL; }
    taco__cursor_set_window(rows, key->position, 1);
    if (key->by_position || taco__children_only_id(rows, node->store, key->id, &c->err)) {
        return rows;
    }
    taco_cursor_close(rows, &c->err);
    return NULL;
}

/* A cursor over the single row of a FILE, in the table of its parent; c lends its arena and its
   error. */
static taco_cursor *taco__children_open_own_row(taco_cursor *c, const taco__nav_node *node,
                                                bool padding)
{
    taco__children_key key;
    if (!taco__children_parse_key(c, node, padding, &key)) { return NULL; }
    return node->last_key ? taco__children_select_row(c, node, &key)
                          : taco__children_select_top_row(c, node, &key);
}

/* ---- by path ---- */

/* The rows below the sample that was found with c. Returns c, or another cursor after closing c;
   NULL on failure. */
static taco_cursor *taco__children_open_node(taco_cursor *c, const taco__nav_node *node,
                                             const char *path, bool inside, bool padding,
                                             taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (!node->folder && !inside) {
        taco_cursor *rows = taco__children_open_own_row(c, node, padding);
        taco_cursor_close(c, err);
        return rows;
    }
    c->children.folder = node->key_path;
    if (taco__children_open_rows(c, node, padding)) { return c; }
    taco__error_prefix(&c->err, "%s: %q", node->store->name, &name);
    taco_cursor_close(c, err);
    return NULL;
}

/* The rows below a sample; for a FILE its own row, or with `inside` its parts, which formats may
   have. */
static taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                        bool padding, taco_error *err)
{
    taco_cursor *c;
    taco__nav_node node;
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    if (!path[0]) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.padding = padding;
        return taco_select(ds, &q, err);
    }
    c = taco__cursor_alloc(ds, 1, err);
    if (!c) { return NULL; }
    if (!taco__nav_walk(ds, path, padding, &node, &c->arena, &c->err)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (node.store->format && node.store->format->read) {
        taco_cursor *rows = node.store->format->read(ds, &node, &c->err);
        taco_cursor_close(c, err);
        return rows;
    }
    return taco__children_open_node(c, &node, path, inside, padding, err);
}

TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__children_read(ds, path ? path : "", false, padding, err);
}

/* ---- by row ---- */

/* The path of a row of a cursor over children: its folder, and its id. */
static bool taco__children_append_id(const taco_cursor *row, taco_bytes id, taco__buf *path,
                                     taco_error *err)
{
    const char *folder = row->children.folder;
    return (!folder ||
            (taco__buf_append_text(path, folder, err) && taco__buf_append_char(path, '/', err))) &&
           taco__nav_append_key(path, id, err);
}

/* Appends the path of the current row from whatever it has: its number in a level, a stored path,
   an id. */
static bool taco__children_append_path(taco_cursor *row, taco__buf *path, taco_error *err)
{
    taco_bytes id, relative;
    uint64_t number;
    size_t store;
    if (taco__compose_sample_row(row, row->row.row, &store, &number)) {
        return taco__nav_path_of_row(row->ds, store, row->query.level, number, path, err);
    }
    if (taco_cursor_bytes(row, "internal:relative_path", &relative) && relative.len) {
        relative.len -= relative.data[relative.len - 1] == '/';
        return taco__nav_append_keys(path, relative, err);
    }
    if (row->query.level == 0 && taco_cursor_bytes(row, "id", &id)) {
        return taco__children_append_id(row, id, path, err);
    }
    TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
               "the row has neither id nor internal:relative_path");
    return false;
}

TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__buf path;
    taco_cursor *c = NULL;
    err = taco__error_fresh(err, &own); /* what is below tells failures by it */
    if (!row || !row->row.begun) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is not on a row");
        return NULL;
    }
    memset(&path, 0, sizeof path);
    path.mem = row->mem;
    if (taco__children_append_path(row, &path, err) && taco__buf_append_char(&path, 0, err)) {
        c = taco_read(row->ds, (const char *)path.data, row->query.padding, err);
    }
    taco__buf_free(&path);
    return c;
}
/* ==== src/dataset/pixel_stats.c ==== */
/* pixel_stats.c - taco_aggregate: combines the statistics of many samples into those of all pixels

   In: rows of a query with a column of statistics, a list of numbers for each band, and the size of
   each sample. Out: taco_stats, and the same as JSON. TACO draft of June 2025 §8.3.

   The first row decides what the statistics are: nine values per band are continuous (minimum,
   maximum, mean, deviation, valid share, four percentiles), any other number are the shares of that
   many classes. Sums are weighted by pixels; the deviation combines those of the samples and of
   their means (taco__pixel_stats_add_band). taco__pixel_stats_finish turns sums into averages. */
/* #include "dataset.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* values of a continuous band: min max mean std valid% p25 p50 p75 p95 */
#define TACO__PIXEL_STATS_VALUES 9
#define TACO__PIXEL_STATS_NAN    taco__f64_from_bits(UINT64_C(0x7FF8000000000000))

/* Sums of one band so far; w is the number of pixels of a row, m and s its mean and deviation. */
typedef struct taco__pixel_stats_band {
    /* sum of w m */
    double min, max, sum;
    /* a running mean, and the sum of w (m - mean)^2 around it */
    double mean, spread;
    /* sum of (w - 1) s^2 */
    double inner;
    /* p25 p50 p75 p95, by weight or by row */
    double percentile[4];
} taco__pixel_stats_band;

typedef struct taco__pixel_stats {
    /* must be first: the caller's pointer points here */
    taco_stats out;
    taco_stats_options opt;
    taco__mem *mem;
    taco__arena arena;
    taco__buf json;
    /* columns of the view; shape may be TACO__NONE */
    size_t stats, shape;
    /* values per band; 0 until a row had some */
    size_t values;
    /* one of the two: continuous bands, or sums of w p, classes by band */
    taco__pixel_stats_band *band;
    double *share;
} taco__pixel_stats;

/* Finds the column of statistics and, at the same level of a flat view, that of the weights. */
static bool taco__pixel_stats_find_columns(const taco_field *fields, size_t n, const char *asked,
                                           size_t *stats, size_t *shape, taco_error *err)
{
    static const char *const names[] = {"internal:stats", "geotiff:stats"};
    const taco_field *f;
    size_t i;
    taco_bytes name = taco__bytes_text(asked);
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
                   "column %q does not hold statistics: a list of numbers for each band", &name);
        return false;
    }
    *shape = taco__cursor_column_find_same_level(fields, n, f->name, TACO__PIXEL_STATS_SHAPE);
    f = *shape == TACO__NONE ? NULL : &fields[*shape];
    if (f && (f->type != TACO_LIST || f->children[0].type < TACO_INT8 ||
              f->children[0].type > TACO_UINT64)) {
        name = taco__bytes_text(f->name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is not a shape: a list of integers", &name);
        return false;
    }
    return true;
}

/* ---- rows ---- */

/* Pixels of a row: the product of its last two sizes, 1 if it has fewer. */
static bool taco__pixel_stats_row_weight(const taco_array *a, size_t i, double *out,
                                         taco_error *err)
{
    const taco_array *items;
    size_t end, k;
    int64_t size[2];
    uint64_t pixels;
    *out = 1;
    if (!a || !taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] < 2) { return true; }
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

/* The first row with statistics decides what they are. */
static bool taco__pixel_stats_begin(taco__pixel_stats *g, size_t bands, size_t values,
                                    taco_error *err)
{
    static const char *const names[] = {"", "continuous", "categorical"};
    taco_stats_family family =
        values == TACO__PIXEL_STATS_VALUES ? TACO_STATS_CONTINUOUS : TACO_STATS_CATEGORICAL;
    size_t n;
    if (values == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "a band has no values");
        return false;
    }
    if (g->opt.family != TACO_STATS_ANY && g->opt.family != family) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the statistics are %s (%u values a band, continuous ones have %u), %s ones "
                   "were requested",
                   names[family], TACO__U(values), TACO__U(TACO__PIXEL_STATS_VALUES),
                   names[g->opt.family]);
        return false;
    }
    if (!taco__checked_mul_size(bands, values, &n)) { n = SIZE_MAX; /* refused below */ }
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
static double taco__pixel_stats_list_value(const taco_array *a, size_t k)
{
    return taco_array_valid(a, k) ? taco_array_double(a, k) : TACO__PIXEL_STATS_NAN;
}

/* NaN is kept, as in NumPy. */
static void taco__pixel_stats_update_extreme(double *to, double v, bool first, bool less)
{
    if (first || taco__f64_is_nan(v) || (less ? v < *to : v > *to)) {
        *to = taco__f64_is_nan(*to) && !first ? *to : v;
    }
}

/* Adds the nine values from a[at] on, for a row of w pixels. */
static void taco__pixel_stats_add_band(taco__pixel_stats *g, taco__pixel_stats_band *b,
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

static bool taco__pixel_stats_add_row(taco__pixel_stats *g, const taco_array *a, size_t first,
                                      size_t bands, double w, taco_error *err)
{
    const taco_array *items = a->children;
    size_t i, k;
    for (i = 0; i < bands; i++) {
        size_t at = (size_t)a->offsets[first + i],
               n = (size_t)(a->offsets[first + i + 1] - a->offsets[first + i]);
        if (!taco_array_valid(a, first + i)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "band %u is null", TACO__U(i));
            return false;
        }
        if (!g->values && !taco__pixel_stats_begin(g, bands, n, err)) { return false; }
        if (n != g->values || bands != g->out.bands) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u bands, %u values in band %u; before there were %u bands of %u",
                       TACO__U(bands), TACO__U(n), TACO__U(i), TACO__U(g->out.bands),
                       TACO__U(g->values));
            return false;
        }
        if (g->band) { taco__pixel_stats_add_band(g, &g->band[i], items, at, w); }
        for (k = 0; g->share && k < n; k++) {
            g->share[i * n + k] += w * taco__pixel_stats_list_value(items, at + k);
        }
    }
    g->out.pixels += w;
    g->out.used++;
    return true;
}

static bool taco__pixel_stats_add_batch(taco__pixel_stats *g, const taco_batch *b, taco_error *err)
{
    const taco_array *a = &b->columns[g->stats],
                     *shape = g->shape == TACO__NONE ? NULL : &b->columns[g->shape];
    size_t i;
    for (i = 0; i < b->length; i++, g->out.rows++) {
        double w;
        if (!taco_array_valid(a, i) || a->offsets[i] == a->offsets[i + 1]) { continue; }
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
static bool taco__pixel_stats_finish(taco__pixel_stats *g, taco_error *err)
{
    taco_stats *s = &g->out;
    taco_band_stats *out;
    double by = g->opt.weighted_percentiles ? s->pixels : (double)s->used;
    size_t i;
    if (s->used == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "none of the %u rows has statistics",
                   s->rows);
        return false;
    }
    for (i = 0; g->share && i < s->bands * s->classes; i++) {
        g->share[i] = s->pixels > 0 ? g->share[i] / s->pixels : TACO__PIXEL_STATS_NAN;
    }
    s->share = g->share;
    if (!g->band) { return true; }
    out = (taco_band_stats *)taco__arena_array(&g->arena, s->bands, sizeof *out, err);
    s->band = out;
    for (i = 0; out && i < s->bands; i++) {
        const taco__pixel_stats_band *b = &g->band[i];
        out[i].min = b->min;
        out[i].max = b->max;
        out[i].mean = s->pixels > 0 ? b->sum / s->pixels : TACO__PIXEL_STATS_NAN;
        out[i].std = s->pixels > 1 ? taco__math_sqrt((b->inner + b->spread) / (s->pixels - 1))
                                   : TACO__PIXEL_STATS_NAN; /* a single pixel: 0 / 0 */
        out[i].p25 = by > 0 ? b->percentile[0] / by : TACO__PIXEL_STATS_NAN;
        out[i].p50 = by > 0 ? b->percentile[1] / by : TACO__PIXEL_STATS_NAN;
        out[i].p75 = by > 0 ? b->percentile[2] / by : TACO__PIXEL_STATS_NAN;
        out[i].p95 = by > 0 ? b->percentile[3] / by : TACO__PIXEL_STATS_NAN;
    }
    return out != NULL;
}

/* ---- public ---- */

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
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__pixel_stats *g;
    taco_batch batch;
    bool ok;
    err = taco__error_fresh(err, &own);
    if (!rows) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no cursor given");
        return NULL;
    }
    g = (taco__pixel_stats *)taco__mem_alloc(rows->mem, sizeof *g, err);
    if (!g) { return NULL; }
    g->mem = g->arena.mem = g->json.mem = rows->mem;
    if (opt) { g->opt = *opt; }
    ok = taco__pixel_stats_find_columns(rows->columns.fields, rows->columns.count, g->opt.column,
                                        &g->stats, &g->shape, err);
    if (ok) {
        taco_bytes name = taco__bytes_text(rows->columns.fields[g->stats].name);
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

/* The rows of a query with only the columns needed for statistics. */
static taco_cursor *taco__pixel_stats_select(taco_dataset *ds, const taco_query *query,
                                             const taco_cursor *probe, const char *column,
                                             taco_error *err)
{
    taco__query q;
    taco__query_column columns[2];
    taco_cursor *c = NULL;
    taco__arena arena;
    size_t stats, shape;
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    memset(columns, 0, sizeof columns);
    if (!taco__pixel_stats_find_columns(probe->columns.fields, probe->columns.count, column, &stats,
                                        &shape, err)) {
        static const char *const names[] = {"internal:stats", "geotiff:stats"};
        taco__query_level_hint(&ds->stores[0], query->table, column ? &column : names,
                               column ? 1 : 2, "--table level", err);
        taco__container_fail(&ds->stores[0], NULL, err);
        return NULL;
    }
    if (taco__query_parse(&arena, query, &q, err)) {
        columns[0].name = probe->columns.fields[stats].name;
        columns[1].name = shape == TACO__NONE ? NULL : probe->columns.fields[shape].name;
        memset(&q.select, 0, sizeof q.select);
        q.select.items = columns;
        q.select.count = shape == TACO__NONE ? 1 : 2;
        q.select.given = true;
        c = taco__select_open(ds, &q, NULL, err);
    }
    taco__arena_free(&arena);
    return c;
}

TACO_API taco_stats *taco_aggregate(taco_dataset *ds, const taco_query *query,
                                    const taco_stats_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_cursor *probe, *c;
    taco_stats *s;
    taco_query all;
    err = taco__error_fresh(err, &own);
    memset(&all, 0, sizeof all);
    query = query ? query : &all;
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    probe = taco__select_columns_only(ds, query, err);
    if (!probe) { return NULL; }
    c = taco__pixel_stats_select(ds, query, probe, opt ? opt->column : NULL, err);
    taco_cursor_close(probe, err);
    s = c ? taco_aggregate_rows(c, opt, err) : NULL;
    taco_cursor_close(c, err);
    return s;
}

/* ---- as JSON ---- */

TACO__STATIC_ASSERT(aggr_band, sizeof(taco_band_stats) == 8 * sizeof(double));

/* The reference's results are float32; words for values that JSON has no number for, as in rows. */
static void taco__pixel_stats_write_number(taco__json_writer *w, double x)
{
    const double most =
        /* halfway between the largest float and the next power of two: above it, infinity */
        3.4028235677973362e38;
    uint32_t inf = 0x7F800000U | (x < 0 ? 0x80000000U : 0);
    float f = x >= most || x <= -most ? taco__f32_from_bits(inf) : (float)x;
    bool word = taco__f64_is_nan(f) || x >= most || x <= -most;
    char text[TACO__CELL_SIZE];
    size_t n = taco__num_format_f32(text + 1, f);
    text[0] = text[n + 1] = '"';
    taco__json_write_raw(w, NULL, word ? taco__bytes_of(text, n + 2) : taco__bytes_of(text + 1, n));
}

/* n numbers, `step` apart. */
static void taco__pixel_stats_write_list(taco__json_writer *w, const char *key, const double *x,
                                         size_t n, size_t step)
{
    size_t i;
    taco__json_write_begin(w, key, '[');
    for (i = 0; w->ok && i < n; i++) {
        taco__pixel_stats_write_number(w, x[i * step]);
    }
    taco__json_write_end(w, ']');
}

TACO_API taco_bytes taco_stats_json(taco_stats *s, taco_error *err)
{
    static const char *const keys[] = {"min", "max", "mean", "std", "p25", "p50", "p75", "p95"};
    const size_t step = TACO__COUNT(keys); /* a band's values lie in their order */
    taco__pixel_stats *g = (taco__pixel_stats *)(void *)s;
    taco__json_writer w;
    size_t i;
    err = taco__error_fresh(err, NULL);
    if (!s) { return taco__bytes_of(NULL, 0); }
    g->json.len = 0;
    w = taco__json_writer_init(&g->json, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__json_write_key(&w, "column");
    w.ok = w.ok && taco__json_write_name(w.out, taco__bytes_text(s->column), err);
    taco__json_write_text(&w, "family", s->band ? "continuous" : "categorical");
    taco__json_write_u64(&w, "rows", s->rows);
    taco__json_write_u64(&w, "used", s->used);
    taco__json_write_double(&w, "pixels", s->pixels);
    taco__json_write_u64(&w, "bands", s->bands);
    for (i = 0; s->band && i < TACO__COUNT(keys); i++) {
        taco__pixel_stats_write_list(&w, keys[i], (const double *)(const void *)s->band + i,
                                     s->bands, step);
    }
    if (s->share) {
        taco__json_write_u64(&w, "classes", s->classes);
        taco__json_write_begin(&w, "categorical", '[');
        for (i = 0; i < s->bands; i++) {
            taco__pixel_stats_write_list(&w, NULL, s->share + i * s->classes, s->classes, 1);
        }
        taco__json_write_end(&w, ']');
    }
    taco__json_write_end(&w, '}');
    return w.ok ? taco__bytes_of(g->json.data, g->json.len) : taco__bytes_of(NULL, 0);
}
/* ==== src/dataset/range_source.c ==== */
/* range_source.c - taco_feed: files made of ranges that the host provides, for hosts that cannot
   block

   In: names and sizes of files, and ranges of their bytes, in any order. Out: sources whose reads
   either find all their bytes in memory or fail at once, and the ranges that failed reads would
   have needed: a host that cannot block (a browser) fetches those, feeds them, and tries again.

   A file of a feed is a taco__file whose segments have been fed; it has nothing else to read from.
   The source (taco_feed_open_file is a taco_options.open_file) either copies from it or records
   what is missing: taco__range_source_read_many. */
/* #include "dataset.h" */
/* #include "../base/base.h" */

/* A file of a feed; there is one for each name. */
typedef struct taco__range_source_file {
    struct taco__range_source_file *next;
    struct taco_feed *feed;
    const char *path;
    /* the host has said that the file does not exist */
    bool missing;
    /* its segments have been fed */
    taco__file file;
} taco__range_source_file;

struct taco_feed {
    taco__mem mem;
    /* files and names */
    taco__arena arena;
    taco__range_source_file *files;
    /* taco_range: missed by reads since the last piece was fed */
    taco__buf wanted;
    /* a piece has been fed since: `wanted` is outdated */
    bool stale;
};

/* ---- reading ---- */

/* Records a missing range, once. len 0: the file itself is not known. */
static bool taco__range_source_note_missing(taco_feed *f, const char *path, uint64_t offset,
                                            uint64_t len)
{
    const taco_range *have;
    taco_range r;
    size_t i, n;
    f->wanted.len = f->stale ? 0 : f->wanted.len;
    f->stale = false;
    have = (const taco_range *)(const void *)f->wanted.data;
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

/* Records which of n ranges are missing; r has room for one more range per segment. True if none
   is. */
static bool taco__range_source_check_ranges(taco__range_source_file *f, taco__range *r, size_t n)
{
    size_t i, missing = taco__file_plan_reads(&f->file, r, n, 0);
    for (i = 0; i < missing; i++) {
        (void)taco__range_source_note_missing(f->feed, f->path, r[i].offset, r[i].len);
    }
    return missing == 0;
}

/* Records which of the pieces are missing; true if none is. */
static bool taco__range_source_has_ranges(taco__range_source_file *f, const taco_piece *reads,
                                          size_t n)
{
    taco__range *r;
    size_t i, bytes;
    bool ok;
    if (!taco__checked_mul_size(n + f->file.segment_count, sizeof *r, &bytes)) { return false; }
    r = (taco__range *)taco__mem_alloc(&f->feed->mem, bytes, NULL);
    if (!r) { return false; }
    for (i = 0; i < n; i++) {
        r[i].offset = reads[i].offset;
        r[i].len = reads[i].len;
    }
    ok = taco__range_source_check_ranges(f, r, n);
    taco__mem_free(&f->feed->mem, r, bytes);
    return ok;
}

static bool taco__range_source_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    taco__range_source_file *f = (taco__range_source_file *)ctx;
    size_t i;
    bool ok = taco__range_source_has_ranges(f, reads, n);
    for (i = 0; ok && i < n; i++) {
        ok = taco__file_read(&f->file, reads[i].offset, reads[i].dst, reads[i].len, NULL);
    }
    return ok;
}

static bool taco__range_source_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco_piece one;
    one.offset = offset;
    one.dst = dst;
    one.len = len;
    return taco__range_source_read_many(ctx, &one, 1);
}

/* What the files read from: there is nothing besides their segments. */
/* unreachable: reads begin when taco__range_source_has_ranges has found all bytes in segments */
static bool taco__range_source_read_nothing(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    (void)dst;
    return len == 0;
}

/* ---- files ---- */

/* The file with a name; add: created if it is new. NULL if there is none, or no memory. */
static taco__range_source_file *taco__range_source_find_file(taco_feed *f, const char *path,
                                                             bool add, taco_error *err)
{
    taco__range_source_file *x;
    for (x = f->files; x; x = x->next) {
        if (strcmp(x->path, path) == 0) { return x; }
    }
    x = add ? (taco__range_source_file *)taco__arena_alloc(&f->arena, sizeof *x, err) : NULL;
    if (x) {
        x->path = taco__arena_text(&f->arena, taco__bytes_text(path), err);
        if (!x->path) { return NULL; }
        x->feed = f;
        x->file.mem = &f->mem;
        x->file.src.read = taco__range_source_read_nothing;
        x->next = f->files;
        f->files = x;
    }
    return x;
}

TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_feed *f;
    err = taco__error_fresh(err, NULL);
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
    taco__mem mem;
    taco__range_source_file *x;
    if (!f) { return; }
    for (x = f->files; x; x = x->next) {
        taco__file_close(&x->file);
    }
    taco__buf_free(&f->wanted);
    taco__arena_free(&f->arena);
    mem = f->mem;
    taco__mem_free(&mem, f, sizeof *f);
}

/* The size of a file cannot change once bytes of it have been fed. */
TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err)
{
    taco__range_source_file *x;
    err = taco__error_fresh(err, NULL);
    if (!f || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          f ? "path" : "feed");
    }
    f->stale = true;
    x = taco__range_source_find_file(f, path, true, err);
    if (!x) { return TACO_ERR_MEMORY; }
    if (x->file.segment_count && x->file.src.size != size) {
        taco_bytes name = taco__bytes_text(path);
        return TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "the size of %q is %u and cannot change: bytes of it have been fed",
                          &name, x->file.src.size);
    }
    x->missing = size == TACO_FEED_NO_FILE;
    x->file.src.size = x->missing ? 0 : size;
    return TACO_OK;
}

/* Adds a copy of bytes of a file, none of which are present yet. */
static bool taco__range_source_add_segment(taco__range_source_file *x, const taco__range *r,
                                           const uint8_t *data, taco_error *err)
{
    taco__mem *mem = &x->feed->mem;
    taco__file_segment s;
    s.offset = r->offset;
    s.len = (size_t)r->len;
    s.pins = 0;
    s.data = (uint8_t *)taco__mem_resize(mem, NULL, 0, s.len, err);
    if (!s.data) { return false; }
    memcpy(s.data, data, s.len);
    if (!taco__file_add_segment(&x->file, s, err)) {
        taco__mem_free(mem, s.data, s.len);
        return false;
    }
    return true;
}

/* Adds the missing parts of a range; present bytes stay, as sources may be reading them. */
static bool taco__range_source_add_range(taco__range_source_file *x, uint64_t offset,
                                         const uint8_t *data, size_t len, taco_error *err)
{
    taco__mem *mem = &x->feed->mem;
    taco__range *r;
    size_t i, n, bytes;
    if (!taco__checked_mul_size(1 + x->file.segment_count, sizeof *r, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        return false;
    }
    r = (taco__range *)taco__mem_alloc(mem, bytes, err);
    if (!r) { return false; }
    r[0].offset = offset;
    r[0].len = len;
    n = taco__file_plan_reads(&x->file, r, 1, 0);
    for (i = 0; i < n; i++) {
        if (!taco__range_source_add_segment(x, &r[i], data + (size_t)(r[i].offset - offset), err)) {
            break;
        }
    }
    taco__mem_free(mem, r, bytes);
    return i == n;
}

TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    taco__range_source_file *x =
        f && path ? taco__range_source_find_file(f, path, false, err) : NULL;
    if (!x || x->missing || (!data && len)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          x && !x->missing ? "no bytes given"
                                           : "no such file: declare it with taco_feed_file first");
    }
    if (!taco__file_check_range(&x->file, offset, len, err)) { return TACO_ERR_TRUNCATED; }
    f->stale = true;
    return taco__range_source_add_range(x, offset, (const uint8_t *)data, len, err)
               ? TACO_OK
               : TACO_ERR_MEMORY;
}

TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n)
{
    *n = f && !f->stale ? f->wanted.len / sizeof(taco_range) : 0;
    return *n ? (const taco_range *)(const void *)f->wanted.data : NULL;
}

/* A taco_options.open_file: the context is the feed. An unknown name is recorded as a wanted
   file. */
TACO_API bool taco_feed_open_file(void *feed, const char *path, taco_source *out)
{
    taco_feed *f = (taco_feed *)feed;
    taco__range_source_file *x;
    memset(out, 0, sizeof *out);
    if (!f || !path) { return false; }
    x = taco__range_source_find_file(f, path, false, NULL);
    if (!x) {
        const char *name = taco__arena_text(&f->arena, taco__bytes_text(path), NULL);
        if (name) { taco__range_source_note_missing(f, name, 0, 0); }
        return false;
    }
    out->ctx = x;
    out->size = x->file.src.size;
    out->read = taco__range_source_read;
    out->read_many = taco__range_source_read_many;
    return !x->missing;
}
/* ==== src/dataset/shard.c ==== */
/* shard.c - rows for many ranks: even parts of a query, and an order that each rank computes

   In: a query, a rank and the number of ranks; or a seed and an index. Out: the same query
   restricted to a range of positions of the level; or the row at that index. Nothing is exchanged
   between ranks: all of them compute the same. */
/* #include "dataset.h" */
/* #include "../base/base.h" */

/* ---- parts ---- */

/* floor(n * part / parts), even if the product does not fit in 64 bits. */
static uint64_t taco__shard_cut(uint64_t n, uint32_t part, uint32_t parts)
{
    return n / parts * part + n % parts * part / parts;
}

/* Rows of a batch: their sizes and positions. */
typedef struct taco__shard_rows {
    taco_cursor *rows;
    taco_batch batch;
    const uint64_t *place;
} taco__shard_rows;

/* The next batch of the query's rows with their sizes. False at the end and on failure. */
static bool taco__shard_next(taco__shard_rows *s)
{
    if (!taco_cursor_batch(s->rows, &s->batch)) { return false; }
    s->place = taco_cursor_positions(s->rows);
    return s->place != NULL;
}

/* Begins a pass over the sizes of the rows of a query. */
static bool taco__shard_begin(taco__shard_rows *s, taco_dataset *ds, const taco_query *q,
                              taco_error *err)
{
    taco_query sizes = *q;
    sizes.select = "\"internal:size\"";
    s->rows = taco_select(ds, &sizes, err);
    return s->rows != NULL;
}

/* The weight of a row; a size that is null or negative counts as 0. */
static uint64_t taco__shard_size(const taco__shard_rows *s, size_t i)
{
    int64_t size =
        taco_array_valid(&s->batch.columns[0], i) ? taco_array_int(&s->batch.columns[0], i) : 0;
    return size > 0 ? (uint64_t)size : 0;
}

/* The sum of all sizes, at most UINT64_MAX. */
static bool taco__shard_sum(taco_dataset *ds, const taco_query *q, uint64_t *sum, taco_error *err)
{
    taco__shard_rows s;
    size_t i;
    *sum = 0;
    if (!taco__shard_begin(&s, ds, q, err)) { return false; }
    while (taco__shard_next(&s)) {
        for (i = 0; i < s.batch.length; i++) {
            if (!taco__checked_add64(*sum, taco__shard_size(&s, i), sum)) { *sum = UINT64_MAX; }
        }
    }
    return taco_cursor_close(s.rows, err) == TACO_OK;
}

/* Sets the part to the rows that begin inside a share of the sum, at least from and less than to: a
   row belongs to the rank in whose share it begins. The range is from the first such row to the
   first row after them; `all` if there is none. */
static bool taco__shard_find(taco_dataset *ds, const taco_query *q, const uint64_t share[2],
                             uint64_t all, taco_query *part, taco_error *err)
{
    taco__shard_rows s;
    uint64_t before = 0;
    size_t i;
    /* q may be *part */
    if (!taco__shard_begin(&s, ds, q, err)) { return false; }
    part->row_from = part->row_to = all;
    while (part->row_to == all && taco__shard_next(&s)) {
        for (i = 0; i < s.batch.length && part->row_to == all; i++) {
            if (before >= share[0] && part->row_from == all) { part->row_from = s.place[i]; }
            if (before >= share[1]) { part->row_to = s.place[i]; }
            if (!taco__checked_add64(before, taco__shard_size(&s, i), &before)) {
                before = UINT64_MAX;
            }
            before -= before == UINT64_MAX; /* where the last share ends: no row begins there */
        }
    }
    return taco_cursor_close(s.rows, err) == TACO_OK;
}

/* Cuts by bytes. If all sizes are 0, the last rank gets all rows. */
static bool taco__shard_by_bytes(taco_dataset *ds, const taco_query *q, uint32_t rank,
                                 uint32_t size, uint64_t all, taco_query *part, taco_error *err)
{
    uint64_t sum, share[2];
    if (!taco__shard_sum(ds, q, &sum, err)) { return false; }
    share[0] = taco__shard_cut(sum, rank, size);
    share[1] = rank + 1 == size ? UINT64_MAX : taco__shard_cut(sum, rank + 1, size);
    return taco__shard_find(ds, q, share, all, part, err);
}

TACO_API taco_status taco_shard(taco_dataset *ds, const taco_query *q, taco_shard_by by,
                                uint32_t rank, uint32_t size, taco_query *part, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_query all;
    int64_t rows;
    memset(&all, 0, sizeof all);
    err = taco__error_fresh(err, &own);
    *part = q ? *q : all;
    if (!ds || rank >= size) {
        return ds ? TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                    "rank %u of %u, ranks count from 0", TACO__U(rank),
                                    TACO__U(size))
                  : TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
    }
    if (part->order || part->limit || part->offset || part->row_to) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a query with %s cannot be split: its parts are rows in storage order",
                          part->order    ? "order"
                          : part->limit  ? "limit"
                          : part->offset ? "offset"
                                         : "row_to");
    }
    rows = taco__dataset_stored_rows(ds, part->table, err);
    if (rows < 0) { return err->code; }
    if (by == TACO_SHARD_ROWS) {
        part->row_from = taco__shard_cut((uint64_t)rows, rank, size);
        part->row_to = taco__shard_cut((uint64_t)rows, rank + 1, size);
    } else if (!taco__shard_by_bytes(ds, part, rank, size, (uint64_t)rows, part, err)) {
        return err->code;
    }
    /* row_to 0 means all rows, so an empty part begins past the end */
    if (part->row_from >= part->row_to) {
        part->row_from = part->row_to = TACO__MAX((uint64_t)rows, 1);
    }
    return TACO_OK;
}

/* ---- order ---- */

/* Mixes the bits of x (the finaliser of SplitMix64: a bijection in which every bit of x changes
   about half of the result's). */
static uint64_t taco__shuffle_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/* A Feistel network over two halves of `bits` bits each: a permutation of their range, whatever the
   round function. Eight rounds, each with its own key. */
static uint64_t taco__shuffle_network(uint64_t x, unsigned bits, uint64_t seed)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1; /* at most 32 */
    uint64_t left = x >> bits, right = x & mask, key = taco__shuffle_mix(seed), next;
    unsigned round;
    for (round = 0; round < 8; round++) {
        key += 0x9E3779B97F4A7C15U;
        next = left ^ (taco__shuffle_mix(right ^ taco__shuffle_mix(key)) & mask);
        left = right;
        right = next;
    }
    return left << bits | right;
}

/* Numbers outside [0, n) are permuted again until one is inside: the range of the network is less
   than four times as large. */
TACO_API uint64_t taco_shuffle(uint64_t n, uint64_t seed, uint64_t i)
{
    unsigned bits = 1;
    if (i >= n) { return UINT64_MAX; }
    while (bits < 32 && (n - 1) >> (2 * bits)) {
        bits++;
    }
    do {
        i = taco__shuffle_network(i, bits, seed);
    } while (i >= n);
    return i;
}
/* ==== src/dataset/loader.c ==== */
/* loader.c - payloads in batches: rows in some order, read a round at a time and decoded by tasks

   In: the rows of a query, as locations of their payloads, and an order (shard.c). Out: batches, in
   that order. A round is `ahead` batches: the calling thread reads their payloads in file order,
   the host's parallel_for decodes them, and they are returned one by one. Two rounds are kept, so
   that a batch outlives the next `ahead` calls.

   taco_loader_open makes the list of places; taco__loader_round reads and decodes. */
/* #include "dataset.h" */
/* #include "../base/base.h" */

#define TACO__LOADER_BATCH 32 /* default of taco_loader_options.batch */
#define TACO__LOADER_AHEAD 2
#define TACO__LOADER_MOST  64 /* most batches in a round */
#define TACO__LOADER_ALIGN 64 /* alignment of decoded items */

/* Location of the payload of a row. */
typedef struct taco__loader_place {
    uint64_t offset, size; /* size UINT64_MAX: the whole file */
    uint64_t file;         /* number of its file in l->files */
} taco__loader_place;

/* A file with payloads. */
typedef struct taco__loader_file {
    size_t name; /* offset in l->names */
    const taco__container *store;
} taco__loader_file;

/* A payload of a round that has to be read. */
typedef struct taco__loader_read {
    taco__loader_place place;
    size_t item;
} taco__loader_read;

/* The batches loaded together. */
typedef struct taco__loader_round {
    taco_loader_item *items; /* [ahead * batch] */
    taco_error *errors;      /* errors of the tasks, one for each item */
    size_t count, given;     /* items loaded; those in batches already returned */
    taco__buf bytes;         /* contiguous payloads */
    taco__buf decoded;
} taco__loader_round;

struct taco_loader {
    taco_dataset *ds;
    taco__mem *mem;
    taco_loader_options how;
    size_t round_items; /* ahead * batch */
    taco__buf places;   /* taco__loader_place of every row */
    taco__buf files;    /* taco__loader_file */
    taco__buf names;    /* names of files, NUL-terminated */
    /* rows of the query; next sample of this rank to load, and the end of them */
    uint64_t rows, next, end;
    taco__loader_round round[2]; /* the current round, and the one before it */
    size_t current;
    taco__loader_read *reads; /* [round_items] */
    taco_piece *pieces;       /* [round_items] */
    taco_error err;
    bool failed;
};

/* ---- places ---- */

/* The path with which the file of a format is opened. GDAL's path is good for local files. */
static taco_bytes taco__loader_format_file(const taco__container *s, taco_bytes vsi)
{
    size_t i;
    for (i = 0; taco__bytes_starts_with(vsi, "/vsi") && i < s->format_file_count; i++) {
        if (taco__bytes_equal(vsi, taco__bytes_text(s->format_files[i].vsi))) {
            return taco__bytes_text(s->format_files[i].path);
        }
    }
    return vsi;
}

/* The file that the rest of a GDAL path names: what follows the container's root in the path
   follows its directory in the file system. */
static bool taco__loader_append_file(taco_loader *l, const taco__container *s, taco_bytes path)
{
    taco_bytes root = taco__bytes_text(s->vsi);
    bool below = root.len && taco__bytes_common_prefix(path, root) == root.len;
    const char *base = s->kind == TACO_KIND_ZIP      ? s->name
                       : s->kind == TACO_KIND_FOLDER ? s->dir
                                                     : s->archive_dir;
    if (s->format) {
        path = taco__loader_format_file(s, path);
    } else if (below && base) {
        path.data += root.len;
        path.len -= root.len;
        /* the root of a FOLDER has no '/' at its end, its directory has one */
        if (s->kind == TACO_KIND_FOLDER && path.len && path.data[0] == '/') {
            path.data++;
            path.len--;
        }
        if (!taco__buf_append_text(&l->names, base, &l->err)) { return false; }
    }
    return taco__buf_append(&l->names, path.data, path.len, &l->err) &&
           taco__buf_append_char(&l->names, 0, &l->err);
}

/* Takes "{offset}_{size}," off the beginning of what follows /vsisubfile/. False if it is
   missing. */
static bool taco__loader_take_range(taco_bytes *path, taco__loader_place *p)
{
    const uint8_t *comma = (const uint8_t *)memchr(path->data, ',', path->len), *line;
    if (!comma) { return false; }
    line = (const uint8_t *)memchr(path->data, '_', (size_t)(comma - path->data));
    if (!line ||
        !taco__vsi_parse_number(taco__bytes_of(path->data, (size_t)(line - path->data)),
                                &p->offset) ||
        !taco__vsi_parse_number(taco__bytes_of(line + 1, (size_t)(comma - line - 1)), &p->size)) {
        return false;
    }
    path->len -= (size_t)(comma + 1 - path->data);
    path->data = comma + 1;
    return true;
}

static const taco__loader_file *taco__loader_get_file(const taco_loader *l, uint64_t file)
{
    return &((const taco__loader_file *)(const void *)l->files.data)[file];
}

static const char *taco__loader_file_name(const taco_loader *l, uint64_t file)
{
    return (const char *)l->names.data + taco__loader_get_file(l, file)->name;
}

/* Sets *file to the file that the rest of a GDAL path names, which is that of the row before in
   most cases. */
static bool taco__loader_add_file(taco_loader *l, const taco__container *s, taco_bytes path,
                                  uint64_t *file)
{
    taco__loader_file f;
    size_t n = l->files.len / sizeof f;
    f.name = l->names.len;
    f.store = s;
    if (!taco__loader_append_file(l, s, path)) { return false; }
    *file = n;
    if (n && taco__loader_get_file(l, n - 1)->store == s &&
        strcmp((const char *)l->names.data + f.name, taco__loader_file_name(l, n - 1)) == 0) {
        *file = n - 1;
        l->names.len = f.name;
        return true;
    }
    return taco__buf_append(&l->files, &f, sizeof f, &l->err);
}

/* Adds a row by its internal:gdal_vsi. */
static bool taco__loader_add(taco_loader *l, const taco__container *s, taco_bytes path)
{
    static const char subfile[] = "/vsisubfile/";
    taco__loader_place p;
    p.offset = 0;
    p.size = UINT64_MAX;
    if (!path.len) {
        TACO__FAIL(&l->err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "row %u has no internal:gdal_vsi: where its bytes are is null", l->rows);
        return false;
    }
    if (taco__bytes_starts_with(path, subfile)) {
        path.data += sizeof subfile - 1;
        path.len -= sizeof subfile - 1;
        if (!taco__loader_take_range(&path, &p)) {
            TACO__FAIL(&l->err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "no range in a path");
            return false;
        }
    }
    if (!taco__loader_add_file(l, s, path, &p.file)) { return false; }
    l->rows++;
    return taco__buf_append(&l->places, &p, sizeof p, &l->err);
}

/* Adds the rows of a batch. A FOLDER is refused, because it has no bytes to load. */
static bool taco__loader_add_batch(taco_loader *l, const taco__container *s,
                                   const taco_batch *batch)
{
    size_t i;
    for (i = 0; i < batch->length; i++) {
        taco_bytes type = taco_array_bytes(&batch->columns[1], i);
        if (!taco__bytes_equal(type, taco__bytes_text("FILE"))) {
            TACO__FAIL(&l->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u is of type %q, only FILEs have bytes to load", l->rows, &type);
            return false;
        }
        if (!taco__loader_add(l, s, taco_array_bytes(&batch->columns[0], i))) { return false; }
    }
    return true;
}

/* Lists the places of the rows of a query. */
static bool taco__loader_list(taco_loader *l, const taco_query *q)
{
    taco_query paths;
    taco_cursor *rows;
    taco_batch batch;
    bool ok = true;
    memset(&paths, 0, sizeof paths);
    paths = q ? *q : paths;
    paths.select = "\"internal:gdal_vsi\", type";
    rows = taco_select(l->ds, &paths, &l->err);
    while (ok && taco_cursor_batch(rows, &batch)) {
        ok = taco__loader_add_batch(l, taco__cursor_container(rows), &batch);
    }
    return taco_cursor_close(rows, &l->err) == TACO_OK && ok;
}

/* ---- open and close ---- */

static void taco__loader_free(taco_loader *l)
{
    taco__mem *mem = l->mem;
    size_t k, n = l->round_items;
    for (k = 0; k < 2; k++) {
        taco__loader_round *r = &l->round[k];
        taco__buf_free(&r->bytes);
        taco__buf_free(&r->decoded);
        if (r->items) { taco__mem_free(mem, r->items, n * sizeof *r->items); }
        if (r->errors) { taco__mem_free(mem, r->errors, n * sizeof *r->errors); }
    }
    if (l->reads) { taco__mem_free(mem, l->reads, n * sizeof *l->reads); }
    if (l->pieces) { taco__mem_free(mem, l->pieces, n * sizeof *l->pieces); }
    taco__buf_free(&l->places);
    taco__buf_free(&l->files);
    taco__buf_free(&l->names);
    taco__mem_free(mem, l, sizeof *l);
}

/* An array for the items of a round; NULL, with l->err set, if there is no memory. */
static void *taco__loader_array(taco_loader *l, size_t item)
{
    size_t bytes;
    if (!taco__checked_mul_size(l->round_items, item, &bytes)) {
        TACO__FAIL(&l->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a batch");
        return NULL;
    }
    return taco__mem_alloc(l->mem, bytes, &l->err);
}

/* Allocates the rounds, and room for their decoded items. */
static bool taco__loader_make_rounds(taco_loader *l)
{
    size_t k, bytes;
    l->reads = (taco__loader_read *)taco__loader_array(l, sizeof *l->reads);
    l->pieces = (taco_piece *)taco__loader_array(l, sizeof *l->pieces);
    for (k = 0; k < 2; k++) {
        taco__loader_round *r = &l->round[k];
        r->items = (taco_loader_item *)taco__loader_array(l, sizeof *r->items);
        r->errors = (taco_error *)taco__loader_array(l, sizeof *r->errors);
        if (!r->items || !r->errors) { return false; }
        if (!taco__checked_mul_size(l->round_items, l->how.item_bytes, &bytes) ||
            !taco__checked_add_size(bytes, TACO__LOADER_ALIGN, &bytes)) {
            TACO__FAIL(&l->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a batch");
            return false;
        }
        if (l->how.decode && !taco__buf_reset(&r->decoded, bytes, &l->err)) { return false; }
    }
    return l->reads && l->pieces;
}

/* Sets the defaults, and this rank's share of the order. */
static bool taco__loader_set_order(taco_loader *l)
{
    taco_loader_options *how = &l->how;
    how->ranks = how->ranks ? how->ranks : 1;
    how->batch = how->batch ? how->batch : TACO__LOADER_BATCH;
    how->ahead = TACO__MIN(how->ahead ? how->ahead : TACO__LOADER_AHEAD, TACO__LOADER_MOST);
    if (how->rank >= how->ranks) {
        TACO__FAIL(&l->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "rank %u of %u, ranks count from 0",
                   TACO__U(how->rank), TACO__U(how->ranks));
        return false;
    }
    l->end = l->rows > how->rank ? (l->rows - how->rank - 1) / how->ranks + 1 : 0;
    l->next = TACO__MIN(how->first, l->end);
    if (!taco__checked_mul_size(how->batch, how->ahead, &l->round_items)) {
        TACO__FAIL(&l->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a batch of %u samples",
                   TACO__U(how->batch));
        return false;
    }
    return true;
}

TACO_API taco_loader *taco_loader_open(taco_dataset *ds, const taco_query *q,
                                       const taco_loader_options *how, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_loader *l;
    err = taco__error_fresh(err, &own);
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    l = (taco_loader *)taco__mem_alloc(&ds->mem, sizeof *l, err);
    if (!l) { return NULL; }
    memset(l, 0, sizeof *l);
    l->ds = ds;
    l->mem = &ds->mem;
    l->places.mem = l->files.mem = l->names.mem = l->mem;
    l->round[0].bytes.mem = l->round[0].decoded.mem = l->mem;
    l->round[1].bytes.mem = l->round[1].decoded.mem = l->mem;
    if (how) { l->how = *how; }
    if (!taco__loader_list(l, q) || !taco__loader_set_order(l) || !taco__loader_make_rounds(l)) {
        *err = err->code == TACO_OK ? l->err : *err;
        taco__loader_free(l);
        return NULL;
    }
    return l;
}

TACO_API uint64_t taco_loader_count(const taco_loader *l)
{
    return l ? l->end : 0;
}

TACO_API taco_status taco_loader_seek(taco_loader *l, uint64_t first, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!l) { return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no loader given"); }
    if (l->failed) {
        return TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the loader has failed before");
    }
    l->round[0].count = l->round[0].given = l->round[1].count = l->round[1].given = 0;
    l->next = TACO__MIN(first, l->end);
    return TACO_OK;
}

TACO_API taco_status taco_loader_close(taco_loader *l, taco_error *err)
{
    taco_status st;
    if (!l) { return TACO_OK; }
    st = l->err.code;
    taco__error_copy(err, &l->err);
    taco__loader_free(l);
    return st;
}

/* ---- reading a round ---- */

/* By file, then by place. */
static int taco__loader_compare(const void *ctx, const void *a, const void *b)
{
    const taco__loader_place *x = &((const taco__loader_read *)a)->place,
                             *y = &((const taco__loader_read *)b)->place;
    (void)ctx;
    if (x->file != y->file) { return x->file < y->file ? -1 : 1; }
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Opens the file of a payload, or uses the archive with it, which is open. */
static bool taco__loader_open_file(taco_loader *l, uint64_t file, taco_source *src, bool *own)
{
    const taco__container *s = taco__loader_get_file(l, file)->store;
    *own = !(s->kind == TACO_KIND_ZIP && s->file_open);
    if (!*own) {
        *src = s->file.src;
        return true;
    }
    return taco__source_open_path(&l->ds->options, taco__loader_file_name(l, file), src, &l->err);
}

/* Makes room for `size` more bytes of payload in the round; pointers are set when all have been
   read. */
static bool taco__loader_reserve(taco__loader_round *r, uint64_t size, taco_error *err)
{
    size_t n;
    if (!taco__checked_to_size(size, &n) || !taco__buf_reserve(&r->bytes, n, err)) {
        if (err->code == TACO_OK) {
            TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a payload");
        }
        return false;
    }
    r->bytes.len += n;
    return true;
}

/* Reads n ranges, together if the source can; skips empty payloads. */
static bool taco__loader_read_pieces(taco_piece *pieces, size_t n, const taco_source *src)
{
    size_t i, count = 0;
    bool ok = true;
    for (i = 0; i < n; i++) {
        if (pieces[i].len) { pieces[count++] = pieces[i]; }
    }
    if (count && src->read_many) { return src->read_many(src->ctx, pieces, count); }
    for (i = 0; ok && i < count; i++) {
        ok = src->read(src->ctx, pieces[i].offset, pieces[i].dst, pieces[i].len);
    }
    return ok;
}

/* How many bytes before a payload to read, too: those with the local header in its archive, but
   none of the payload before, as sources read separate ranges. */
static size_t taco__loader_lead(const taco__loader_read *reads, size_t i)
{
    const taco__loader_place *p = &reads[i].place;
    uint64_t from = i ? reads[i - 1].place.offset + reads[i - 1].place.size : 0;
    if (p->size == UINT64_MAX || p->size == 0) { return 0; }
    return from < p->offset ? (size_t)TACO__MIN(p->offset - from, (uint64_t)TACO__ZIP_LEAD) : 0;
}

/* Plans the ranges of n payloads of one file, with what is before them, and makes room. */
static bool taco__loader_plan_file(taco_loader *l, taco__loader_round *r, taco__loader_read *reads,
                                   size_t n, uint64_t end)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__loader_place *p = &reads[i].place;
        size_t lead = taco__loader_lead(reads, i);
        p->size = p->size == UINT64_MAX ? end : p->size;
        if (!taco__checked_range(p->offset, p->size, end)) {
            TACO__FAIL(&l->err, TACO_ERR_TRUNCATED, p->offset,
                       "%s: payload of %u bytes, the file ends at %u",
                       taco__loader_file_name(l, p->file), p->size, end);
            return false;
        }
        l->pieces[i].offset = p->offset - lead;
        if (!taco__loader_reserve(r, p->size + lead, &l->err)) { return false; }
        l->pieces[i].len = (size_t)p->size + lead;
    }
    return true;
}

/* Compares payload i, which has been read, with the CRC-32 in its archive, if there is one. */
static bool taco__loader_check(taco_loader *l, const taco__loader_round *r,
                               const taco__loader_read *reads, size_t i, const taco_source *src)
{
    const taco__loader_place *p = &reads[i].place;
    const uint8_t *bytes = r->bytes.data + r->items[reads[i].item].bytes.len;
    size_t lead = taco__loader_lead(reads, i);
    taco_bytes name = taco__bytes_of(NULL, 0);
    bool known = false;
    uint32_t wanted = 0;
    if (!lead) { return true; }
    if (!taco__zip_lead_crc(taco__bytes_of(bytes - lead, lead), p->size, &known, &wanted, &name) &&
        lead == TACO__ZIP_LEAD) {
        known = taco__zip_stored_crc(src, p->offset, p->size, &wanted);
    }
    if (!known || taco__zip_check_copied(&l->ds->options, known, wanted,
                                         taco__crc32(0, bytes, (size_t)p->size), name, &l->err)) {
        return true;
    }
    taco__error_prefix(&l->err, "%s", taco__loader_file_name(l, p->file));
    return false;
}

/* Reads n payloads of one file into the round. */
static bool taco__loader_read_file(taco_loader *l, taco__loader_round *r, taco__loader_read *reads,
                                   size_t n, const taco_source *src)
{
    size_t i, at = r->bytes.len;
    bool ok = taco__loader_plan_file(l, r, reads, n, src->size);
    for (i = 0; ok && i < n; i++) {
        l->pieces[i].dst = r->bytes.data + at;
        at += l->pieces[i].len;
        /* the buffer may move while the round grows: keep offsets now, set pointers at the end */
        r->items[reads[i].item].bytes = taco__bytes_of(NULL, at - (size_t)reads[i].place.size);
    }
    if (ok && !taco__loader_read_pieces(l->pieces, n, src)) {
        ok = false;
        if (l->err.code == TACO_OK) {
            TACO__FAIL(&l->err, TACO_ERR_IO, TACO_NO_OFFSET, "%s: payloads cannot be read",
                       taco__loader_file_name(l, reads[0].place.file));
        }
    }
    for (i = 0; ok && i < n; i++) {
        ok = taco__loader_check(l, r, reads, i, src);
    }
    return ok;
}

/* Sets pointers to the payloads of the round. */
static void taco__loader_set_pointers(taco_loader *l, taco__loader_round *r)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        taco_loader_item *item = &r->items[l->reads[i].item];
        item->bytes =
            taco__bytes_of(r->bytes.data + item->bytes.len, (size_t)l->reads[i].place.size);
    }
}

/* Reads the payloads of the items of a round. */
static bool taco__loader_read_round(taco_loader *l, taco__loader_round *r)
{
    const taco__loader_place *places = (const taco__loader_place *)(void *)l->places.data;
    size_t i, n;
    bool ok = true, own;
    taco_source src;
    for (i = 0; i < r->count; i++) {
        l->reads[i].place = places[r->items[i].row];
        l->reads[i].item = i;
    }
    r->bytes.len = 0;
    ok = taco__buf_reserve(&r->bytes, 1, &l->err) &&
         taco__sort_in(l->mem, l->reads, r->count, sizeof *l->reads, taco__loader_compare, NULL,
                       &l->err);
    for (i = 0; ok && i < r->count; i += n) {
        for (n = 1; i + n < r->count && l->reads[i + n].place.file == l->reads[i].place.file; n++) {
        }
        if (!taco__loader_open_file(l, l->reads[i].place.file, &src, &own)) { return false; }
        ok = taco__loader_read_file(l, r, l->reads + i, n, &src);
        if (own && src.close) { src.close(src.ctx); }
    }
    if (ok) { taco__loader_set_pointers(l, r); }
    return ok;
}

/* ---- decoding a round ---- */

/* Where item i is decoded to. */
static uint8_t *taco__loader_decoded(const taco_loader *l, const taco__loader_round *r, size_t i)
{
    size_t past = (size_t)((uintptr_t)r->decoded.data % TACO__LOADER_ALIGN);
    return r->decoded.data + (past ? TACO__LOADER_ALIGN - past : 0) + i * l->how.item_bytes;
}

/* A task: decodes one item. */
static void taco__loader_decode(void *arg, size_t i)
{
    taco_loader *l = (taco_loader *)arg;
    taco__loader_round *r = &l->round[l->current];
    uint8_t *out = taco__loader_decoded(l, r, i);
    memset(&r->errors[i], 0, sizeof r->errors[i]);
    memset(out, 0, l->how.item_bytes);
    if (!l->how.decode(l->how.ctx, &r->items[i], out, &r->errors[i]) &&
        r->errors[i].code == TACO_OK) {
        TACO__FAIL(&r->errors[i], TACO_ERR_CORRUPT, TACO_NO_OFFSET, "it could not be decoded");
    }
}

/* Decodes the items of the current round, and reports the first failure. */
static bool taco__loader_decode_round(taco_loader *l, taco__loader_round *r)
{
    size_t i;
    if (!l->how.decode) { return true; }
    taco__tasks_run(&l->ds->options, r->count, taco__loader_decode, l);
    for (i = 0; i < r->count; i++) {
        if (r->errors[i].code != TACO_OK) {
            l->err = r->errors[i];
            taco__error_prefix(&l->err, "sample %u of the order, row %u", r->items[i].at,
                               r->items[i].row);
            return false;
        }
    }
    return true;
}

/* Loads the next round, replacing the older of the two. */
static bool taco__loader_round_load(taco_loader *l)
{
    taco__loader_round *r;
    size_t i;
    l->current ^= 1;
    r = &l->round[l->current];
    r->count = (size_t)TACO__MIN(l->end - l->next, (uint64_t)l->round_items);
    r->given = 0;
    for (i = 0; i < r->count; i++) {
        taco_loader_item *item = &r->items[i];
        item->at = (l->next + i) * l->how.ranks + l->how.rank;
        item->row = l->how.shuffle ? taco_shuffle(l->rows, l->how.seed, item->at) : item->at;
    }
    if (!taco__loader_read_round(l, r) || !taco__loader_decode_round(l, r)) {
        l->failed = true;
        return false;
    }
    l->next += r->count;
    return true;
}

TACO_API bool taco_loader_next(taco_loader *l, taco_loader_batch *out)
{
    taco__loader_round *r;
    memset(out, 0, sizeof *out);
    if (!l || l->failed) { return false; }
    r = &l->round[l->current];
    if (r->given == r->count) {
        if (l->next == l->end || !taco__loader_round_load(l)) { return false; }
        r = &l->round[l->current];
    }
    out->count = TACO__MIN(l->how.batch, r->count - r->given);
    out->items = r->items + r->given;
    out->decoded = l->how.decode ? taco__loader_decoded(l, r, r->given) : NULL;
    r->given += out->count;
    out->next = l->next - (r->count - r->given);
    return true;
}
#endif /* TACO_IMPLEMENTATION */
