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

   THE MODEL (spec 5): a dataset is a tree of samples. A FILE holds bytes, a FOLDER holds samples.
   Level 0 is the top; all samples of a level are the rows of one table, METADATA/levelN.parquet.
   The children of one FOLDER stand in its own __meta__ as well. internal:gdal_vsi is not stored: it
   is made for the rows that leave, for ZIP archives /vsisubfile/{offset}_{size},{path}. URLs become
   GDAL's: s3:// /vsis3/, gs:// /vsigs/, az:// /vsiaz/, oss:// /vsioss/, swift:// /vsiswift/,
   http(s):// /vsicurl/.

   READS: .tacozip by its TACO_HEADER, or by its central directory when that is damaged; FOLDERs;
   the `__TACOCAT__` file and the .tacocat directory; lists of datasets; every generation of the
   writer since 2025-10, with Avro metadata and without internal:current_id. Tortilla and TACO 0.x
   are for taco_legacy.h, through taco_options.openers; without it they are refused by name, as is
   TACO 3. Predicates, limits and switches are those of taco_parquet.h.

   WHERE WE DIFFER from the Python reference, on purpose: 1. Joins go by dataset, source file and
   parent id: flat views and cascades over several archives have
      no cross products.
   2. Filters of one level hold for the same row, filters of several levels along one path; a later
      filter forgets none before it. Level-0 rows are distinct, in storage order.
   3. Padding (__TACOPAD__N) is hidden everywhere unless asked for. 4. __meta__ decides for
   navigation. Consolidated offsets are wrong in files whose FOLDER ids were not
      in byte order when they were written; taco_read and taco_payload are right for them.
   5. Time filters are whole UTC days as there, on every machine; exact_time gives instants. 6. NaN
   is greater than every number. A row without an id is shown. A type other than FILE or FOLDER is
      refused when the sample is read.
   7. A path never leaves the dataset: an id, internal:relative_path or internal:source_file that
   would is
      an error.
   istac:geometry is compared as it stands with the box: its coordinates are those of istac:crs.

   READS OF A REMOTE SOURCE: two to open (the header; COLLECTION.json with the footer in front of
   it, or all metadata when it is under 1 MiB). Where taco_source.read_many is set, a filter takes
   two rounds more: the predicate's columns, then the other columns of the row groups that still
   have rows.

   SEVERAL DATASETS: their pit schemas must name the same children. Columns that not all have are
   dropped (with a warning that says from where), filled with nulls, or refused; other types become
   the type that DuckDB's UNION gives: the wider number, DOUBLE, text of numbers and dates, the
   finer time; none for UINT64 with signed numbers, nested and decimal types: an error.
   internal:source_file is the archive a row is from. where tests what is stored, SQL's conditions
   on columns of several types what comes out.

   SORTED results and joins hold what they need in memory: `order` the rows that match, filters of
   deeper levels a bit and a parent number per row. All else streams.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco.h:LINE prints where
   a line comes from. */
#ifndef TACO_H
#define TACO_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taco_dataset taco_dataset;
typedef struct taco_cursor taco_cursor;

typedef enum taco_kind {
    TACO_KIND_ZIP =
        1, /* .tacozip: one archive with a TACO_HEADER                        (spec 6.3) */
    TACO_KIND_FOLDER, /* a directory with DATA, METADATA and COLLECTION.json              (spec 6.4) */
    /* a catalogue of archives: `__TACOCAT__` or a `.tacocat` directory (spec 6.5) */
    TACO_KIND_TACOCAT,
    TACO_KIND_OTHER /* of one of taco_options.openers: taco_info_json names it */
} taco_kind;

/* A kind of dataset that another header reads, for taco_options.openers; that header has a function
   that returns it. */
typedef struct taco_opener taco_opener;

/* columns of several datasets opened together (spec 7.2.4) */
typedef enum taco_column_mode {
    TACO_COLUMNS_INTERSECTION = 0, /* only those all of them have */
    /* all; null where a dataset lacks one */
    TACO_COLUMNS_FILL_MISSING,
    TACO_COLUMNS_STRICT /* the same in all of them, or an error */
} taco_column_mode;

/* ---- open ------------------------------------------------------------------------------------ */

/* Opens a .tacozip/.zip, a FOLDER, a `__TACOCAT__` file, or a `.tacocat` directory or its parent.
   The kind is decided by content. opt may be NULL; what it points to (not itself) must outlive the
   dataset. NULL on failure. A dataset belongs to one thread at a time; different datasets share
   nothing. Reads the header and COLLECTION.json (at most two reads); levels are read when they are
   first asked for. */
TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err);
/* Opens n datasets as one: their rows one after the other, `internal:source_path` and
   `internal:source_file` telling which (n > 1). Their pit schemas must name the same children
   (ARGUMENT otherwise). */
TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err);
/* Opens an archive or a `__TACOCAT__` from a source of the caller's. name is what paths and
   messages call it: a local path, a URL (s3://, https://, ...) or a /vsi path. src is copied and is
   closed with the dataset, on failure too. */
TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err);
/* Releases everything; NULL is accepted. Cursors of the dataset must be closed before. */
TACO_API void taco_close(taco_dataset *ds);
/* TACOCAT only, other kinds ignore it: where the archives are, instead of beside the catalogue
   (spec 7.2.1). A missing '/' is added; base is copied. Whether it is there is seen when a payload
   is asked for. */
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err);

/* ---- what it is ------------------------------------------------------------------------------ */

/* Of COLLECTION.json (spec 5.6; of the first of several). "" where the document has none. Live as
   long as ds. */
TACO_API const char *taco_id(const taco_dataset *ds);
TACO_API const char *taco_dataset_version(const taco_dataset *ds);
TACO_API const char *taco_description(const taco_dataset *ds);
TACO_API const char *taco_title(const taco_dataset *ds);
/* The text of one top-level value ("extent", "providers", "taco:pit_schema", ...) as it stands in
   the document, or of the whole document for NULL; {NULL, 0} when it is missing. Lives as long as
   ds. */
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key);
TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds);
/* Of TACO_KIND_OTHER: the name of the format ("tortilla", "rasteret"); "" of TACO 2. Lives for
   ever. */
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

/* A filter on the rows of one level. What is NULL or 0 does not filter; all parts must hold for the
   same row. The box is in the units of the column (degrees for stac:centroid), edges included.
   Corners may be swapped, infinities leave a side open, NaN is an ARGUMENT error; no box goes over
   180 degrees: that takes two queries. */
typedef struct taco_filter {
    const char *where; /* predicate, see the manual */
    /* west, south, east, north: rows whose geometry intersects the box, exactly */
    const double *bbox;
    const char *time; /* "A" or "A/B", ISO 8601: whole UTC days, closed */
    /* NULL: istac:geometry, stac:centroid, istac:centroid, the first there is */
    const char *geometry_column;
    const char *time_column; /* NULL: istac:time_start, stac:time_start */
    uint32_t level;
    bool exact_time; /* instants, half open [A, B), instead of days */
} taco_filter;

/* {0} selects every level-0 sample. Filters of several levels hold along one path: a row, its
   parent and so on. */
typedef struct taco_query {
    const char *where; /* these seven are a taco_filter on `level` */
    const double *bbox;
    const char *time;
    const char *geometry_column;
    const char *time_column;
    uint32_t level;
    bool exact_time;
    const taco_filter *filters; /* further ones */
    size_t filter_count;
    uint32_t table;     /* the level whose rows come out */
    bool flat;          /* its FILE rows with the columns of their ancestors, named lN:column */
    const char *select; /* "a, b": these columns; NULL = all, and internal:gdal_vsi */
    const char *order;  /* "a desc, b": nulls last in both directions; NULL = storage order */
    uint64_t limit;     /* 0 = no limit */
    uint64_t offset;
    bool padding; /* also show the __TACOPAD__N rows */
} taco_query;

/* Rows of a query. NULL on failure: SYNTAX of a text, NOT_FOUND and TYPE for its columns, ARGUMENT
   for levels. q may be NULL; it is not kept. A cursor belongs to the thread of its dataset, and is
   closed before it; several may be open. */
TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *q, taco_error *err);
/* The children of a FOLDER, by a path of ids and @positions ("tile_07/@2"; "@@2" counts padding);
   "" = the level-0 samples. Ids of old formats may hold '/' and begin with '@': "a\/b" is one key,
   "\@2" an id; "a/b" is found, too, where there is no sample "a" with a "b". For the path of a FILE
   the cursor has that one row. padding counts and shows __TACOPAD__N rows. NULL on failure. */
TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err);
/* The children of the current row, whatever columns it shows: a FOLDER of any level, of a query, a
   view whose rows are samples, or a cursor made by this or taco_read. */
TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err);

/* Steps to the next row; false at the end and on failure, taco_cursor_close tells which. NULL is
   accepted. */
TACO_API bool taco_cursor_next(taco_cursor *row);
/* Steps to the next batch of rows instead; arrays live until the next call. The two kinds of
   stepping do not mix. */
TACO_API bool taco_cursor_batch(taco_cursor *row, taco_batch *out);
/* Where the rows of the batch made last stand in their level, all datasets in a row and padding
   counted: a number for each row, which stays the same whatever is asked for. NULL where rows have
   no such place: sorted ones, those of taco_sql, of taco_read and of taco_cursor_children; and
   without memory, which ends the cursor. Not for taco_cursor_next. Lives until the next batch. */
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *row);
/* Columns of the cursor, *n of them, in order. Live as long as the cursor. */
TACO_API const taco_field *taco_cursor_fields(const taco_cursor *row, size_t *n);
/* Values of the current row. Pointers live until the next step. A column that is not there, null,
   or for _double and _int of another type than taco_array_double and taco_array_int know gives NULL
   or false, and *out stays as it was; text that holds a zero byte ends there (use
   taco_cursor_bytes). */
TACO_API const char *taco_cursor_text(taco_cursor *row, const char *column);
TACO_API bool taco_cursor_bytes(taco_cursor *row, const char *column, taco_bytes *out);
TACO_API bool taco_cursor_double(taco_cursor *row, const char *column, double *out);
TACO_API bool taco_cursor_int(taco_cursor *row, const char *column, int64_t *out);
/* The row's internal:gdal_vsi, "" when it has none. Lives until the next step. */
TACO_API const char *taco_cursor_vsi(taco_cursor *row);
/* The row as a JSON object, NUL-terminated; "" before the first row and on failure. Lives until the
   next call for the cursor. */
TACO_API const char *taco_cursor_json(taco_cursor *row);
/* Releases the cursor and reports its failure, if it had one, into err. */
TACO_API taco_status taco_cursor_close(taco_cursor *row, taco_error *err);
/* Hands the batches that are still to come to an Arrow consumer, internal:gdal_vsi included; all as
   in taco_pq_reader_export. *out takes the cursor over, on failure too, and its release closes it,
   with close_dataset the dataset as well (otherwise that must outlive the stream, not its arrays).
   Not behind taco_cursor_next: STATE. */
TACO_API taco_status taco_cursor_export(taco_cursor *row, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err);

/* ---- ranges that a host hands in ------------------------------------------------------------ */

/* of a file, as taco_options.open_file is asked for it */
typedef struct taco_range {
    const char *file;
    uint64_t offset, len;
    /* what a round asks for depends on what the rounds before brought; from 0 on */
    uint32_t round;
    bool at_most; /* parts of it may turn out not to be needed */
} taco_range;

/* Files made of the ranges that a host hands in, for one that cannot wait inside a read (a
   browser): reads of other bytes fail with IO, and are noted. Set taco_options.open_file =
   taco_feed_open_file, open_ctx = the feed; then call, fetch what taco_feed_wanted tells or a plan
   lists, give it, and call again, until it works:

       while (!(ds = taco_open(url, &opt, &err))) { fetch(taco_feed_wanted(feed, &n), n); err.code = TACO_OK; }

   One thread at a time; the feed must outlive the datasets. Of opt the allocator and the limits
   count; it may be NULL. NULL without memory. */
typedef struct taco_feed taco_feed;
#define TACO_FEED_NO_FILE UINT64_MAX
TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err);
/* Tells that there is a file, and its size in bytes, or TACO_FEED_NO_FILE that there is none. */
TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err);
/* Copies len bytes that stand at offset of the file. Bytes that were given before stay. */
TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err);
/* What was asked for in vain since the last call that told or gave something; len 0: a file of
   which nothing was told. Live until the next call. */
TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n);
/* For taco_options. */
TACO_API bool taco_feed_open_file(void *feed, const char *path, taco_source *out);
/* NULL is accepted. */
TACO_API void taco_feed_free(taco_feed *f);

/* ---- payload --------------------------------------------------------------------------------- */

/* Where the bytes of a FILE are. Strings live until the next call of taco_locate, taco_payload or
   taco_close. */
typedef struct taco_sample {
    const char *vsi;  /* for GDAL */
    const char *file; /* for taco_options.open_file */
    uint64_t offset;  /* of the payload in that file */
    uint64_t size;
    bool folder; /* a FOLDER: the range is its __meta__ */
    /* the payload is the whole file (FOLDER datasets); offset 0, size unknown until opened */
    bool whole;
} taco_sample;

/* path as in taco_read. NOT_FOUND when there is no such sample. Reads the local metadata on the way
   (__meta__), no payload. */
TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err);
/* Opens the payload of a FILE (ARGUMENT for a FOLDER) as a source of its size, from byte 0 on. The
   caller closes it, before the dataset, whose open archive and thread it shares. TRUNCATED when the
   archive ends before the payload. */
TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err);

/* ---- statistics ------------------------------------------------------------------------------ */

typedef enum taco_stats_family {
    TACO_STATS_ANY = 0,
    /* 9 values a band: min, max, mean, std, valid%, p25, p50, p75, p95 */
    TACO_STATS_CONTINUOUS,
    TACO_STATS_CATEGORICAL /* any other number of values: the share of each class */
} taco_stats_family;

typedef struct taco_stats_options {
    const char *column; /* NULL: internal:stats, geotiff:stats, the first there is */
    /* what is asked for; the other one is a TYPE error. ANY takes what there is */
    taco_stats_family family;
    /* by pixels; else the plain average over rows, as the reference has it */
    bool weighted_percentiles;
} taco_stats_options;

/* A percentile of many rows is an average of theirs, not the percentile of their pixels. */
typedef struct taco_band_stats {
    double min, max, mean, std, p25, p50, p75, p95;
} taco_band_stats;

/* Computed in doubles; the reference rounds to float32. std pools the rows' (n - 1) deviations and
   is NaN for one pixel in all. A NaN in a row makes its band's value NaN, as in NumPy. */
typedef struct taco_stats {
    const char *column; /* that was read, as the view calls it */
    taco_stats_family family;
    uint64_t rows; /* of the view */
    uint64_t used; /* those with statistics; the others are left out with their weight */
    double pixels; /* the weights together: H x W of stac:tensor_shape, 1 without it */
    size_t bands, classes;
    const taco_band_stats *band; /* CONTINUOUS: `bands` of them */
    const double *share;         /* CATEGORICAL: `classes` of each band, band after band */
} taco_stats;

/* Puts the statistics of the rows of a query together, reading their column and stac:tensor_shape
   alone, in memory that does not grow with the rows. q as in taco_select (its select is not used),
   opt may be NULL. NULL on failure: NOT_FOUND when no row has statistics, TYPE for the family that
   was not asked for, CORRUPT where rows differ in bands or classes. The caller frees it, before the
   dataset is closed. */
TACO_API taco_stats *taco_aggregate(taco_dataset *ds, const taco_query *q,
                                    const taco_stats_options *opt, taco_error *err);
/* The same over the rows a cursor has left; it stays the caller's to close. Not after
   taco_cursor_next. */
TACO_API taco_stats *taco_aggregate_rows(taco_cursor *rows, const taco_stats_options *opt,
                                         taco_error *err);
/* What `taco stats --json` prints: one object, numbers as float32. Lives as long as s. {NULL, 0} on
   failure. */
TACO_API taco_bytes taco_stats_json(taco_stats *s, taco_error *err);
/* NULL is accepted. */
TACO_API void taco_stats_free(taco_stats *s);

#ifdef __cplusplus
}
#endif
#endif /* TACO_H */
