/* taco_parquet_write.h - write Parquet from C, with nothing but libc. Optional; needs
   taco_parquet.h beside it.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet_write.h"

   and include the header plainly wherever else it is used.

   WRITES: all types, nested to any depth, dictionaries with fallback, the encodings that
   taco_parquet.h reads, chosen by size or by option, exact statistics, page indexes, bloom filters,
   page CRCs, pages cut by content, GeoParquet metadata, Arrow schema; rows from batches or an Arrow
   stream. Compresses with ZSTD, Snappy, gzip and LZ4_RAW by encoders of its own.

   IMPORTS: an Arrow C stream of anybody becomes batches (taco_import_open), which the writer takes.

   Switches, memory, threads and errors are those of taco_parquet.h.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh
   taco_parquet_write.h:LINE prints where a line comes from. */
#ifndef TACO_PARQUET_WRITE_H
#define TACO_PARQUET_WRITE_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing
   ------------------------------------------------------------------------------------ */

/* Bytes going out. Every write begins where the last one ended, but for a last one, which may
   replace bytes written before. write stores all of len or fails. close is called once: keep makes
   what was written permanent, or fails; without keep it leaves nothing behind. Both are called from
   the thread that uses the writer. */
typedef struct taco_sink {
    void *ctx;
    bool (*write)(void *ctx, uint64_t offset, const void *src, size_t len);
    bool (*close)(void *ctx, bool keep);
} taco_sink;

/* A sink into memory. What was written lives until taco_sink_free, which is called after the close;
   nothing is there when the sink was closed without keep. opt may be NULL; what it points to must
   outlive the sink. */
TACO_API taco_status taco_sink_memory(taco_sink *out, const taco_options *opt, taco_error *err);
TACO_API taco_bytes taco_sink_bytes(const taco_sink *sink);
TACO_API void taco_sink_free(taco_sink *sink);
#ifndef TACO_NO_STDIO
/* A sink into a file, which has a temporary name beside path until close flushes it to the disk and
   renames it, replacing the file that was there: of several writers to one path, the last to close
   has written it whole. The name is NAME.0123456789abcdef.part, NAME being the first 200 bytes of
   the file's and the digits new for each sink; it is made exclusively, never through a link, and
   only a process that was killed leaves it behind (taco_options.temporary tells it). A device or a
   pipe is written to in place. IO when it cannot be made, or is a directory.

       out   gets the sink; not NULL
       path  of the file to be made; copied
       opt   gives the allocator, and temporary is told; NULL: defaults */
TACO_API taco_status taco_sink_file(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err);
#endif

typedef enum taco_codec {
    TACO_CODEC_DEFAULT = 0, /* of the file; for the file: none */
    TACO_CODEC_NONE,
    TACO_CODEC_SNAPPY,
    TACO_CODEC_GZIP,
    TACO_CODEC_ZSTD,
    TACO_CODEC_LZ4 /* LZ4_RAW */
} taco_codec;

typedef enum taco_encoding {
    TACO_ENCODING_AUTO = 0, /* the smallest on the first page of every column chunk */
    TACO_ENCODING_PLAIN,
    TACO_ENCODING_DICTIONARY,   /* until it outgrows dictionary_bytes */
    TACO_ENCODING_RLE,          /* BOOL */
    TACO_ENCODING_DELTA,        /* integers, dates, times */
    TACO_ENCODING_DELTA_LENGTH, /* TEXT, BINARY */
    TACO_ENCODING_DELTA_BYTES,  /* TEXT, BINARY, FIXED */
    TACO_ENCODING_SPLIT         /* numbers, FIXED */
} taco_encoding;

/* {0} = as the file */
typedef struct taco_pq_column_options {
    const char *name; /* a top-level column: holds for everything below it */
    taco_encoding encoding;
    taco_codec codec;
    int level;          /* of the codec; 0 = its default */
    bool bloom;         /* a bloom filter, about 1 % false positives */
    bool no_statistics; /* neither min and max nor page index */
} taco_pq_column_options;

typedef struct taco_pq_key {
    const char *key, *value;
} taco_pq_key;

/* A column of WKB, for the GeoParquet 1.1 metadata; the types that occur and their extent are found
   while writing. */
typedef struct taco_pq_geometry {
    const char *column; /* top-level, BINARY */
    const char *crs;    /* PROJJSON; NULL = OGC:CRS84 */
    /* STRUCT column of xmin, ymin, xmax, ymax, made where there is none; NULL = none */
    const char *covering;
    bool spherical; /* edges */
} taco_pq_geometry;

/* The Arrow schema under the key "ARROW:schema", with which Arrow's own readers restore types that
   Parquet has not: large and view types, fixed-size lists, dictionaries, durations, time zones,
   seconds, UUIDs, extension types. */
typedef enum taco_pq_hint {
    TACO_HINT_NEEDED = 0, /* where types would come back as others without it */
    TACO_HINT_ALWAYS,
    TACO_HINT_NEVER
} taco_pq_hint;

/* {0} = defaults, in brackets */
typedef struct taco_pq_write_options {
    const taco_options *options; /* allocator, limits, parallel_for */
    uint64_t row_group_rows;     /* [65536] */
    size_t page_rows;            /* rows of a page at most [20000] */
    size_t page_bytes;           /* a page ends behind the row that reaches this [1 MiB] */
    size_t dictionary_bytes;     /* larger dictionaries are given up [1 MiB] */
    taco_codec codec;            /* [none] */
    int level;                   /* of the codec; 0 = its default */
    taco_encoding encoding;      /* of columns it fits; [AUTO] */
    bool pages_v2;               /* data pages of version 2 */
    bool no_statistics, no_page_index, no_crc;
    bool bloom; /* a bloom filter for every column that can have one */
    /* Pages end where the content says, so that a small change of the values changes few pages;
       page_rows is not looked at. Pages are of chunk_min to chunk_max bytes, uncompressed [256 KiB,
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
} taco_pq_write_options;

typedef struct taco_pq_writer taco_pq_writer;

/* Starts a file of these columns. Neither fields nor opt is kept, but for the allocator that
   opt->options points to. A NULL type column is written as all null; SECOND units as milliseconds.
   The sink is copied and closed with the writer, on failure too. The same batches with the same
   options give the same bytes, however the rows are cut into batches. Memory: the encoded pages of
   one row group, a page per column, and up to eight of one whose encoding the first page leaves
   open. NULL on failure. A writer belongs to one thread at a time.

       sink    where the file goes; copied
       fields  n columns, in the order of the file; not kept
       n       how many
       opt     options; NULL: defaults */
TACO_API taco_pq_writer *taco_pq_write(const taco_sink *sink, const taco_field *fields, size_t n,
                                       const taco_pq_write_options *opt, taco_error *err);
/* Appends rows; the batch may go afterwards. Its columns have the types of the fields, in their
   order. After a failure every call does nothing and returns the same code. */
TACO_API taco_status taco_pq_writer_batch(taco_pq_writer *w, const taco_batch *batch);
/* Ends the row group here; the next rows begin another one. */
TACO_API taco_status taco_pq_writer_flush(taco_pq_writer *w);
/* Writes the footer, closes the sink and releases the writer (NULL is accepted). When this or an
   earlier call failed, nothing is left behind, and err says why. */
TACO_API taco_status taco_pq_writer_close(taco_pq_writer *w, taco_error *err);
/* Drops the file and releases the writer. */
TACO_API void taco_pq_writer_abort(taco_pq_writer *w);
/* Appends all rows of an Arrow stream, whose columns have the types of the fields as
   taco_import_fields gives them. The stream is released, on failure too; *stream is a released one
   then. */
TACO_API taco_status taco_pq_writer_stream(taco_pq_writer *w, struct ArrowArrayStream *stream);
/* A whole file out of an Arrow stream: taco_pq_write, the rows, taco_pq_writer_close. The stream's
   key-value metadata goes into the file, where opt->keys has not the same key. Sink and stream are
   closed and released in any case.

       sink    where the file goes; copied
       stream  an Arrow C stream, which is released; not NULL
       opt     options; NULL: defaults */
TACO_API taco_status taco_pq_write_stream(const taco_sink *sink, struct ArrowArrayStream *stream,
                                          const taco_pq_write_options *opt, taco_error *err);

/* ---- Arrow streams in
   ----------------------------------------------------------------------------- */

/* Rows that somebody else hands out as an Arrow C stream, as batches. All types but unions, list
   views and run-end encoding; arrays may be sliced. Offsets of 64 bits become ones of 32, in
   smaller batches where they must; large and view types become TEXT, BINARY and LIST, fixed-size
   lists LIST, date64 DATE, durations INT64, intervals INTERVAL (those of whole milliseconds and not
   below zero). Dictionaries of text stay; others are decoded. The buffers are the producer's word:
   offsets, indices and lengths are checked against each other, sizes of buffers nobody can know. */
typedef struct taco_import taco_import;
/* Takes the stream over, on failure too (*stream becomes a released one), and asks for its schema.
   opt may be NULL; what it points to must outlive the import. NULL on failure. An import belongs to
   one thread at a time. */
TACO_API taco_import *taco_import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                       taco_error *err);
/* Columns of the batches, *n of them. Live as long as the import. */
TACO_API const taco_field *taco_import_fields(const taco_import *in, size_t *n);
/* Next batch, of at most 65536 rows; its arrays live until the next call. False at the end and on
   failure; _close tells which. What a stream says of its own failure is an IO error. */
TACO_API bool taco_import_next(taco_import *in, taco_batch *out);
/* Releases stream and import (NULL is accepted) and reports the failure, if there was one, into
   err. */
TACO_API taco_status taco_import_close(taco_import *in, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PARQUET_WRITE_H */
