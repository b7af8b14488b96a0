/* taco_parquet_write.h - write Parquet from C, with nothing but libc. Optional; needs
   taco_parquet.h next to it.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet_write.h"

   and include the header without the macro everywhere else.

   WRITES: all types, nested to any depth; dictionaries with fallback and the encodings that
   taco_parquet.h reads, chosen by size or by option; exact statistics, page indexes, bloom filters,
   page CRCs, content-defined pages, GeoParquet metadata, Arrow schema; rows from batches or an
   Arrow stream. Compresses with built-in encoders for ZSTD, Snappy, gzip and LZ4_RAW.

   IMPORTS: turns any Arrow C stream into batches (taco_import_open), which the writer takes.

   Switches, memory, threads and errors are as in taco_parquet.h.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh
   taco_parquet_write.h:LINE prints where a line comes from. */
#ifndef TACO_PARQUET_WRITE_H
#define TACO_PARQUET_WRITE_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing --------------------------------------------------------------------------------- */

/* Where output goes. Every write begins where the previous one ended, except the last one, which
   may replace bytes written before. write stores all of len or fails. close is called once: with
   keep it makes the output permanent, or fails; without keep it leaves nothing behind. Both are
   called from the thread that uses the writer. */
typedef struct taco_sink {
    void *ctx;
    bool (*write)(void *ctx, uint64_t offset, const void *src, size_t len);
    bool (*close)(void *ctx, bool keep);
} taco_sink;

/* A sink into memory. taco_sink_bytes returns what was written, which lives until taco_sink_free,
   to be called after the close; {NULL, 0} if the sink was closed without keep. opt may be NULL;
   what it points to must outlive the sink. */
TACO_API taco_status taco_sink_memory(taco_sink *out, const taco_options *opt, taco_error *err);
TACO_API taco_bytes taco_sink_bytes(const taco_sink *sink);
TACO_API void taco_sink_free(taco_sink *sink);
#ifndef TACO_NO_STDIO
/* A sink into a file. The file has a temporary name next to path until close flushes it to disk and
   renames it, replacing any existing file: when several writers write to one path, the last to
   close wins, and its file is complete. The temporary name is NAME.0123456789abcdef.part: the first
   200 bytes of the file's name and digits that differ for each sink. It is created exclusively,
   never through a link, and only a process that is killed leaves it behind (taco_options.temporary
   is called with it). A device or a pipe is written to directly. IO when the file cannot be
   created, or is a directory.

       out   gets the sink; not NULL
       path  of the file to create; copied
       opt   allocator and `temporary` are used; NULL: defaults */
TACO_API taco_status taco_sink_file(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err);
#endif

typedef enum taco_codec {
    TACO_CODEC_DEFAULT = 0, /* for a column that of the file; for the file none */
    TACO_CODEC_NONE,
    TACO_CODEC_SNAPPY,
    TACO_CODEC_GZIP,
    TACO_CODEC_ZSTD,
    TACO_CODEC_LZ4 /* LZ4_RAW */
} taco_codec;

typedef enum taco_encoding {
    TACO_ENCODING_AUTO = 0, /* the smallest for the first page of each column chunk */
    TACO_ENCODING_PLAIN,
    TACO_ENCODING_DICTIONARY,   /* until it outgrows dictionary_bytes */
    TACO_ENCODING_RLE,          /* BOOL */
    TACO_ENCODING_DELTA,        /* integers, dates, times */
    TACO_ENCODING_DELTA_LENGTH, /* TEXT, BINARY */
    TACO_ENCODING_DELTA_BYTES,  /* TEXT, BINARY, FIXED */
    TACO_ENCODING_SPLIT         /* numbers, FIXED */
} taco_encoding;

/* {0} = as for the file */
typedef struct taco_pq_column_options {
    const char *name; /* a top-level column; applies to everything below it */
    taco_encoding encoding;
    taco_codec codec;
    int level;          /* compression level; 0 = the codec's default */
    bool bloom;         /* a bloom filter, about 1 % false positives */
    bool no_statistics; /* neither min and max nor page index */
} taco_pq_column_options;

typedef struct taco_pq_key {
    const char *key, *value;
} taco_pq_key;

/* A column of WKB, for the GeoParquet 1.1 metadata; the geometry types that occur and their extent
   are found while writing. */
typedef struct taco_pq_geometry {
    const char *column; /* top-level, BINARY */
    const char *crs;    /* PROJJSON; NULL = OGC:CRS84 */
    /* STRUCT column of xmin, ymin, xmax, ymax, created if it does not exist, then for this column
       alone; NULL = none */
    const char *covering;
    bool spherical; /* edges are spherical, not planar */
} taco_pq_geometry;

/* When to store the Arrow schema under the key "ARROW:schema", from which Arrow's own readers
   restore types that Parquet does not have: large and view types, fixed-size lists, dictionaries,
   durations, time zones, seconds, UUIDs, extension types. */
typedef enum taco_pq_hint {
    TACO_HINT_NEEDED = 0, /* if types would otherwise be read as different ones */
    TACO_HINT_ALWAYS,
    TACO_HINT_NEVER
} taco_pq_hint;

/* {0} = defaults, in brackets */
typedef struct taco_pq_write_options {
    const taco_options *options; /* allocator, limits, parallel_for */
    uint64_t row_group_rows;     /* [65536] */
    size_t page_rows;            /* most rows of a page [20000] */
    size_t page_bytes;           /* a page ends after the row that reaches this size [1 MiB] */
    size_t dictionary_bytes;     /* larger dictionaries are abandoned [1 MiB] */
    taco_codec codec;            /* [none] */
    int level;                   /* compression level; 0 = the codec's default */
    taco_encoding encoding;      /* for the columns that support it [AUTO] */
    bool pages_v2;               /* data pages of version 2 */
    bool no_statistics, no_page_index, no_crc;
    bool bloom; /* a bloom filter for every column that can have one */
    /* Page ends depend on content, so that a small change of the values changes few pages;
       page_rows is ignored. Pages have chunk_min to chunk_max bytes, uncompressed [256 KiB,
       1 MiB]. */
    bool content_defined;
    size_t chunk_min, chunk_max;
    taco_pq_hint arrow_schema; /* [NEEDED] */

    const taco_pq_column_options *columns;
    size_t column_count;
    const taco_pq_key *keys; /* key-value metadata */
    size_t key_count;
    const taco_pq_geometry *geometries; /* the first is the primary column */
    size_t geometry_count;

    /* A file that columns are copied from, open until taco_pq_write returns. A column with the
       name, the types and the nullability of one of its columns gets that one's schema as it is:
       logical and converted types (ENUM, JSON, GEOMETRY with its CRS, and those that are newer than
       this library), field ids, physical types of decimals, names inside of lists. Keys of the file
       that `keys` does not have are kept, "geo" and "ARROW:schema" only with all its columns in its
       order. options->warn gets what was not kept. [NULL] */
    const taco_pq_file *like;
} taco_pq_write_options;

typedef struct taco_pq_writer taco_pq_writer;

/* Starts a file with these columns. Neither fields nor opt is kept, except for the allocator that
   opt->options points to. A column of type NULL is written as all null; SECOND units become
   milliseconds. The sink is copied, and closed with the writer, on failure too. The same rows with
   the same options give the same bytes, however they are divided into batches. Memory: the encoded
   pages of one row group and a page per column; up to eight pages of a column whose encoding the
   first page does not decide. NULL on failure. A writer belongs to one thread at a time.

       sink    where the file goes; copied
       fields  n columns, in file order; not kept
       n       number of columns
       opt     options; NULL: defaults */
TACO_API taco_pq_writer *taco_pq_write(const taco_sink *sink, const taco_field *fields, size_t n,
                                       const taco_pq_write_options *opt, taco_error *err);
/* Appends rows; the batch is not kept. Its columns must have the types of the fields, in the same
   order. After a failure every call does nothing and returns the same code. */
TACO_API taco_status taco_pq_writer_batch(taco_pq_writer *w, const taco_batch *batch);
/* Ends the row group; the next rows begin a new one. */
TACO_API taco_status taco_pq_writer_flush(taco_pq_writer *w);
/* Writes the footer, closes the sink and releases the writer (NULL is accepted). When this or an
   earlier call failed, nothing is left behind, and err says why. */
TACO_API taco_status taco_pq_writer_close(taco_pq_writer *w, taco_error *err);
/* Discards the file and releases the writer. */
TACO_API void taco_pq_writer_abort(taco_pq_writer *w);
/* Appends all rows of an Arrow stream, whose columns must have the types of the fields as
   taco_import_fields returns them. Releases the stream, on failure too. */
TACO_API taco_status taco_pq_writer_stream(taco_pq_writer *w, struct ArrowArrayStream *stream);
/* Writes an Arrow stream as a whole file: taco_pq_write, the rows, taco_pq_writer_close. The
   stream's key-value metadata goes into the file, except for keys that opt->keys has. Sink and
   stream are always closed and released.

       sink    where the file goes; copied
       stream  an Arrow C stream, which is released; not NULL
       opt     options; NULL: defaults */
TACO_API taco_status taco_pq_write_stream(const taco_sink *sink, struct ArrowArrayStream *stream,
                                          const taco_pq_write_options *opt, taco_error *err);

/* ---- importing Arrow streams ----------------------------------------------------------------- */

/* An Arrow C stream from another library, as batches. All types but unions, list views and run-end
   encoding; arrays may be sliced. 64-bit offsets become 32-bit ones, in smaller batches if
   necessary; large and view types become TEXT, BINARY and LIST, fixed-size lists LIST, date64 DATE,
   durations INT64, intervals INTERVAL (if they are whole milliseconds and not negative).
   Dictionaries of text are kept; others are decoded. The producer is trusted with the size of its
   buffers, which nobody can check; offsets, indices and lengths are checked against each other. */
typedef struct taco_import taco_import;
/* Takes over the stream, on failure too (*stream becomes a released one), and reads its schema. opt
   may be NULL; what it points to must outlive the import. NULL on failure. An import belongs to one
   thread at a time. */
TACO_API taco_import *taco_import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                       taco_error *err);
/* Returns the columns of the batches, *n of them. They live as long as the import. */
TACO_API const taco_field *taco_import_fields(const taco_import *in, size_t *n);
/* Fills *out with the next batch, of at most 65536 rows; its arrays live until the next call. False
   at the end and on failure; _close says which. A failure that the stream reports is an IO
   error. */
TACO_API bool taco_import_next(taco_import *in, taco_batch *out);
/* Releases stream and import (NULL is accepted) and reports the failure, if there was one, in
   err. */
TACO_API taco_status taco_import_close(taco_import *in, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PARQUET_WRITE_H */
