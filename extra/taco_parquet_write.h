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

#if (defined(TACO_PARQUET_IMPLEMENTATION) || defined(TACO_IMPLEMENTATION)) && !defined(TACO__PARQUET_WRITE_IMPLEMENTED)
#define TACO__PARQUET_WRITE_IMPLEMENTED
#include "taco_parquet.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   base/platform_write.h                exclusive creation, locks, renaming and removing, on every system
   base/temporary.h                     unique temporary names for files and directories until they are complete
   base/sink.h                          output: a sink of bytes, and a buffer before it that gathers small pieces
   base/platform_write.c                exclusive creation, locks, renaming and removing, for each system
   base/temporary.c                     unique temporary names for files and directories until they are complete
   base/sink.c                          sinks into memory, into a file and onto the end of a file, and buffered output
   codec/encode.h                       encoders of Snappy, LZ4, gzip and ZSTD, for the writer of Parquet
   codec/bit_writer.c                   bits from the lowest up, and the lengths of Huffman codes, for the encoders
   codec/snappy_encode.c                encode one raw Snappy block (google/snappy, format_description.txt)
   codec/lz4_encode.c                   encode one LZ4 block (LZ4 block format), for LZ4_RAW
   codec/deflate.c                      encode gzip files (RFC 1952) with DEFLATE data (RFC 1951, cited by section)
   codec/zstd_encode.c                  encode ZSTD frames (RFC 8878, cited by section)
   codec/zstd_encode_match.c            find matches for the encoder of ZSTD: cut a block into sequences and
   codec/zstd_encode_entropy.c          finite state tables and Huffman codes for the encoder of ZSTD
   parquet_write/parquet_write.h        Parquet files from batches or from an Arrow stream: encoders, pages, footer
   parquet_write/stream_import.c        any Arrow C stream as batches: opening, reading, releasing
   parquet_write/import_schema.c        converts a producer's Arrow formats to fields, and decides how to convert
   parquet_write/import_array.c         converts a producer's Arrow arrays to ours, for the rows of one batch
   parquet_write/thrift_write.c         structures in Thrift's compact protocol
   parquet_write/encode.c               the encodings of levels and values in pages
   parquet_write/levels.c               definition and repetition levels of one leaf, from Arrow arrays
   parquet_write/plain_values.c         a growing sequence of values in PLAIN form: of one width, or byte arrays
   parquet_write/wkb_summary.c          types and bounds of geometries in WKB, while they are written
   parquet_write/file_writer.c          the public calls: batches or a stream in, row groups and the footer out
   parquet_write/compress.c             the codecs that the writer has, and one encoder of each for all pages
   parquet_write/schema_like.c          columns that are copies of another file's, with its schema elements as they are
   parquet_write/schema_write.c         fields as the schema of a Parquet file, and a writer for each leaf column
   parquet_write/geo_columns.c          geometry columns: the "geo" key of GeoParquet 1.1, and covering columns
   parquet_write/write_options.c        turns the caller's options, with defaults filled in, into settings of every
   parquet_write/key_values.c           key-value metadata: the caller's, the stream's, and "ARROW:schema"
   parquet_write/array_values.c         converts values of Arrow arrays to Parquet's physical types
   parquet_write/value_bounds.c         min and max of pages and chunks, truncated to a limited size; Statistics
   parquet_write/dictionary_builder.c   the dictionary of a column chunk: distinct values, and indices to them
   parquet_write/encoding_choice.c      which encoding makes a column chunk smallest, found by trying
   parquet_write/page_writer.c          makes pages from the entries of a leaf: page ends, levels, values, headers
   parquet_write/write_tasks.c          fills leaves and makes their pages with the host's parallel_for
   parquet_write/chunk_writer.c         a finished column chunk: dictionary page, data pages, bloom filter, metadata
   parquet_write/page_index_write.c     ColumnIndex and OffsetIndex of every chunk, before the footer
*/

/* ==== src/base/platform_write.h ==== */
/* platform_write.h - exclusive creation, locks, renaming and removing, on every system

   What writers need from the operating system so that several of them, and anyone else who may
   write to a directory, do not harm each other. A file or directory is created exclusively: it is
   new, and the name is not a link. From then on it is known by its identity (volume and number of
   the file), which is compared before it is renamed or removed. Nothing here follows a symbolic
   link. Without a file system none of this exists; on unknown systems names are created with ISO C,
   all identities are equal and nothing can be locked. */
#ifndef TACO__BASE_PLATFORM_WRITE_H
#define TACO__BASE_PLATFORM_WRITE_H

/* #include "base.h" */

#ifndef TACO_NO_STDIO
/* The identity of a file: equal for two names of one file. Not reused while a handle on the file is
   open. */
typedef struct taco__plat_id {
    uint64_t volume, file;
} taco__plat_id;

typedef enum taco__plat_lock_state {
    TACO__LOCK_HELD,  /* held by us, until the file is closed */
    TACO__LOCK_TAKEN, /* held by another handle, of this or another process */
    TACO__LOCK_NONE   /* the file system has no locks */
} taco__plat_lock_state;

/* Creates a file for writing and reading. NULL on failure; *taken: something already has the name,
   possibly a dangling link. */
TACO__FN FILE *taco__plat_create_file(const char *path, taco__plat_id *id, bool *taken);
/* Creates an empty directory; false as above. */
TACO__FN bool taco__plat_create_dir(const char *path, taco__plat_id *id, bool *taken);
/* An existing regular file, for reading and writing; links are followed, since the user gave the
   name. NULL on failure. */
TACO__FN FILE *taco__plat_open_update(const char *path, taco__plat_id *id);
/* Takes the exclusive lock of an open file, without waiting. Readers are not locked out. */
TACO__FN taco__plat_lock_state taco__plat_lock(FILE *f);
/* True if the path leads to that file. follow: also through a link at its end. */
TACO__FN bool taco__plat_is_same(const char *path, const taco__plat_id *id, bool follow);
/* Identity of what a path leads to, following links; false if it leads nowhere. */
TACO__FN bool taco__plat_identify(const char *path, taco__plat_id *id);
/* Renames `from` to `to` in one step: a file replaces an existing one, a directory must not exist.
   On Windows it takes two steps if someone reads the existing file: for a moment nothing has the
   name, and a crash then leaves the old file as FROM.old. */
TACO__FN bool taco__plat_rename(const char *from, const char *to, bool directory);
/* Exchanges what two names in one directory lead to, files or directories, in one step if the
   system has one. Elsewhere it takes three renames, between which nothing has the name `b` for a
   moment. On failure both are what they were. */
TACO__FN bool taco__plat_exchange(const char *a, const char *b);
/* Gives the permissions of the file or directory `from`, if there is one, to `to`, as far as the
   system has such. */
TACO__FN void taco__plat_keep_mode(const char *from, const char *to);
/* Makes sure that the name of a file, new or changed, is on the disk, as far as the system has a
   call for that: fsync of its directory. */
TACO__FN void taco__plat_sync_name(const char *path);
/* Removes a directory and everything in it, if it still has the identity `id`: links in it are
   removed, their targets stay. False if something is left. */
TACO__FN bool taco__plat_remove_tree(const char *path, const taco__plat_id *id);
/* A number that differs between processes, threads and calls. */
TACO__FN uint64_t taco__plat_seed(void);
#endif
/* True if anything has that name, even a dangling link. */
TACO__FN bool taco__plat_name_exists(const char *path);

#endif /* TACO__BASE_PLATFORM_WRITE_H */
/* ==== src/base/temporary.h ==== */
/* temporary.h - unique temporary names for files and directories until they are complete

   Every writer creates its file or directory next to the output, with a name that did not exist,
   and renames it to the output's name when it is complete: the last one to do so has written the
   output, and nobody ever sees a partial one. The name is NAME.0123456789abcdef.part, NAME being
   the output's (its first 200 bytes) and the digits 64 bits that differ from run to run. A killed
   run leaves its temporary file; no other run reads, uses or removes it, so it may be deleted by
   hand when no writer is running. */
#ifndef TACO__BASE_TEMPORARY_H
#define TACO__BASE_TEMPORARY_H

/* #include "platform_write.h" */

/* A complete file that keeps its temporary name until others are complete, too. */
typedef struct taco__staged taco__staged;

#ifndef TACO_NO_STDIO
typedef struct taco__temporary {
    taco__mem *mem;
    char *name; /* NUL-terminated; NULL: there is none */
    size_t size;
    bool directory, renamed;
    /* what was at the path before may be replaced as a whole; it has the temporary name now */
    bool replaces, exchanged;
    taco__plat_id id;  /* identity of what was created */
    taco__plat_id old; /* of what it may replace */
    /* taco_options.temporary */
    void (*told)(void *ctx, const char *path, bool begun);
    void *told_ctx;
    void (*warn)(void *ctx, const taco_error *warning);
    void *warn_ctx;
} taco__temporary;

/* Creates a file, open in *f, or if f is NULL a directory. opt may be NULL. On failure there is
   nothing to remove. */
TACO__FN bool taco__temporary_make(taco__temporary *t, const char *path, FILE **f,
                                   const taco_options *opt, taco__mem *mem, taco_error *err);
/* Renames it to `path`, if the temporary name still has the same identity; the file must be closed.
   What taco_options.replace allowed to replace is exchanged with it, unless another writer has
   replaced that since, and is removed with the temporary. A file gets the permissions of the one
   that it replaces. On failure it remains to be removed. */
TACO__FN bool taco__temporary_rename(taco__temporary *t, const char *path);
/* Undoes taco__temporary_rename to that path, unless something else has replaced it. */
TACO__FN void taco__temporary_undo(taco__temporary *t, const char *path);
/* Removes what was created, unless it was renamed, or what it replaced, and frees the name. Does
   nothing without one. */
TACO__FN void taco__temporary_remove(taco__temporary *t);
/* Removes a file or directory that already has its final name, unless something else has replaced
   it. */
TACO__FN void taco__temporary_remove_made(const char *path, const taco__plat_id *id);

struct taco__staged {
    taco__temporary temporary; /* name NULL: there is none */
    const char *path;          /* its own name, which lives as long */
    taco__mem *mem;            /* of a directory's temporary name; lives as long */
    bool replaces;             /* something had that name before */
};

/* Hands over a complete directory, whose writer's memory ends before. */
TACO__FN bool taco__temporary_stage(taco__temporary *t, taco__staged *to, taco_error *err);
/* Renames n files to their own names. If one cannot be renamed, those before it that replaced
   nothing get their temporary names back. */
TACO__FN bool taco__staged_rename(taco__staged *list, size_t n, taco_error *err);
/* Removes those that were not renamed, and frees the names. */
TACO__FN void taco__staged_free(taco__staged *list, size_t n);
#endif

/* True if nothing has that name, or taco_options.replace allows to replace what has it. opt may be
   NULL. */
TACO__FN bool taco__temporary_is_free(const char *path, const taco_options *opt);

/* Warns if `next` exists, the name of part n of a dataset or file (`what`) with n parts: it stays,
   since nobody asked to remove it, and would be read together with the new ones by its name. */
TACO__FN void taco__staged_warn_of_more(const taco_options *opt, const char *next, const char *what,
                                        size_t n);

#endif /* TACO__BASE_TEMPORARY_H */
/* ==== src/base/sink.h ==== */
/* sink.h - output: a sink of bytes, and a buffer before it that gathers small pieces

   For the writers. taco_sink (api/taco_parquet_write.h) is where bytes go: memory, a file, or
   functions of the caller's. Closing a sink either keeps what was written or leaves nothing. A
   taco__output takes over a sink and writes to it in order, 256 KiB at a time, and may replace
   bytes written before. All functions are in sink.c. */
#ifndef TACO__BASE_SINK_H
#define TACO__BASE_SINK_H

/* #include "../api/taco_parquet_write.h" */
/* #include "base.h" */
/* #include "temporary.h" */

/* Fits in a core's own cache, so that bytes are read, checksummed and written while they are in
   it. */
#define TACO__OUTPUT_BYTES 262144

typedef struct taco__output {
    taco_sink sink;
    taco__mem *mem;
    uint8_t *data; /* TACO__OUTPUT_BYTES of room, the first `used` bytes not yet written */
    size_t used;
    uint64_t at;   /* position of data[0] in the output */
    bool anywhere; /* the sink can replace written bytes at any time, not only at the end */
} taco__output;

#ifndef TACO_NO_STDIO
TACO__FN TACO__COLD taco_status taco__sink_open_error(const char *path, taco_error *err);

/* taco_sink_file, but a file that is kept becomes *staged when the sink is closed, and is still to
   be renamed. staged_mem must live until then. A device is written to at once. */
TACO__FN taco_status taco__sink_file_staged(taco_sink *out, const char *path,
                                            const taco_options *opt, taco__mem *staged_mem,
                                            taco__staged *staged, taco_error *err);

/* A file that is changed in place. It is locked before it is read, until taco__update_close: a
   second writer is refused. All zeros: no file is open. */
typedef struct taco__update {
    FILE *f;
    const char *path; /* borrowed */
    taco__plat_id id;
} taco__update;

TACO__FN bool taco__update_open(taco__update *u, const char *path, taco_error *err);
/* False with an error if the path no longer leads to the locked file. */
TACO__FN bool taco__update_check(const taco__update *u, taco_error *err);
TACO__FN void taco__update_close(taco__update *u);
TACO__FN bool taco__sink_append_open(taco_sink *out, taco__update *u, uint64_t begin,
                                     taco__mem *mem, taco_error *err);
#endif
TACO__FN void taco__sink_abort(const taco_sink *sink);
TACO__FN bool taco__sink_check(const taco_sink *sink, taco_error *err);
TACO__FN taco_bytes taco__sink_name(const taco_sink *sink);
/* Why the last call of a file sink failed, ": no space left on the device"; "" if not known. The
   sink may already be closed. */
TACO__FN const char *taco__sink_cause(const taco_sink *sink);

/* Used between open and close; close is called exactly once, even after a failure. */
TACO__FN bool taco__output_open(taco__output *o, const taco_sink *sink, taco__mem *mem,
                                taco_error *err);
TACO__FN uint64_t taco__output_position(const taco__output *o);
TACO__FN bool taco__output_flush(taco__output *o, taco_error *err);
TACO__FN uint8_t *taco__output_reserve(taco__output *o, size_t len, taco_error *err);
/* Skips len bytes, which someone else writes. */
TACO__FN bool taco__output_skip(taco__output *o, uint64_t len, taco_error *err);
TACO__FN bool taco__output_write(taco__output *o, const void *data, size_t len, taco_error *err);
/* Writes bytes at a place that is not in the buffer. */
TACO__FN bool taco__output_write_at(const taco__output *o, uint64_t at, const void *data,
                                    size_t len, taco_error *err);
TACO__FN bool taco__output_patch(taco__output *o, uint64_t at, const void *data, size_t len,
                                 taco_error *err);
TACO__FN bool taco__output_close(taco__output *o, bool keep, taco_error *err);

#endif /* TACO__BASE_SINK_H */
/* ==== src/base/platform_write.c ==== */
/* platform_write.c - exclusive creation, locks, renaming and removing, for each system

   The functions of platform_write.h in three versions, as in platform.c: POSIX, Windows, unknown.
   On POSIX systems a tree is removed through open directories, each opened without following links,
   so that nobody with write access can redirect the removal out of the tree. */
/* #include "platform_write.h" */

#include <time.h>

#ifndef TACO_NO_STDIO

/* ---- POSIX ---- */
#if TACO__DIRS && !defined(_WIN32)
#include <unistd.h>
#if !defined(__cplusplus) /* not declared under -std=c99: by musl neither */
extern FILE *fdopen(int, const char *);
#endif
#if defined(__GLIBC__) && !defined(__cplusplus)
extern DIR *fdopendir(int);
extern int openat(int, const char *, int, ...);
extern int unlinkat(int, const char *, int);
extern ssize_t readlink(const char *, char *, size_t);
#endif
#if defined(__linux__) && defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 28)
#define TACO__PLAT_RENAMEAT2 1
#if !defined(__cplusplus)
extern int renameat2(int, const char *, int, const char *, unsigned);
#endif
#endif
/* Constants that glibc hides with -std=c99, by their internal names. */
#if defined(O_NOFOLLOW)
#define TACO__O_NOFOLLOW O_NOFOLLOW
#elif defined(__O_NOFOLLOW)
#define TACO__O_NOFOLLOW __O_NOFOLLOW
#else
#define TACO__O_NOFOLLOW 0
#endif
#if defined(O_DIRECTORY)
#define TACO__O_DIRECTORY O_DIRECTORY
#elif defined(__O_DIRECTORY)
#define TACO__O_DIRECTORY __O_DIRECTORY
#else
#define TACO__O_DIRECTORY 0
#endif
#if defined(O_CLOEXEC)
#define TACO__O_CLOEXEC O_CLOEXEC
#elif defined(__O_CLOEXEC)
#define TACO__O_CLOEXEC __O_CLOEXEC
#else
#define TACO__O_CLOEXEC 0
#endif
#if defined(AT_REMOVEDIR)
#define TACO__AT_REMOVEDIR AT_REMOVEDIR
#else
#define TACO__AT_REMOVEDIR 0x200 /* of Linux: the others do not hide it */
#endif

/* The file of a descriptor; false, and the descriptor is closed, on failure. */
static bool taco__plat_identify_fd(int fd, taco__plat_id *id)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        if (fd >= 0) { close(fd); }
        return false;
    }
    id->volume = (uint64_t)st.st_dev;
    id->file = (uint64_t)st.st_ino;
    return true;
}

/* A descriptor as a file; NULL, and it is closed, on failure. */
static FILE *taco__plat_open_fd(int fd, const char *mode)
{
    FILE *f = fdopen(fd, mode);
    if (!f) { close(fd); }
    return f;
}

/* O_EXCL refuses links, also those that lead nowhere (POSIX.1-2008, open), but WASI's libc asks for
   what they lead to unless O_NOFOLLOW is given. */
TACO__FN FILE *taco__plat_create_file(const char *path, taco__plat_id *id, bool *taken)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | TACO__O_NOFOLLOW | TACO__O_CLOEXEC, 0666);
    FILE *f;
    *taken = fd < 0 && taco__plat_name_exists(path);
    if (fd < 0) { return NULL; }
    f = taco__plat_identify_fd(fd, id) ? taco__plat_open_fd(fd, "w+b") : NULL;
    if (!f) { unlink(path); }
    return f;
}

/* A descriptor of the directory that is `id`, not of one that a link leads to; -1. */
static int taco__plat_open_dir(const char *path, const taco__plat_id *id)
{
    const int flags =
        O_RDONLY | O_NONBLOCK | TACO__O_DIRECTORY | TACO__O_NOFOLLOW | TACO__O_CLOEXEC;
    taco__plat_id found;
    int fd = taco__plat_is_named(path) ? open(path, flags) : -1;
    if (!taco__plat_identify_fd(fd, &found)) { return -1; }
    if (id && (found.file != id->file || found.volume != id->volume)) {
        close(fd);
        return -1;
    }
    return fd;
}

TACO__FN bool taco__plat_create_dir(const char *path, taco__plat_id *id, bool *taken)
{
    int fd;
    if (TACO__MKDIR(path) != 0) {
        *taken = taco__plat_name_exists(path);
        return false;
    }
    *taken = false;
    fd = taco__plat_open_dir(path, NULL);
    if (!taco__plat_identify_fd(fd, id)) {
        TACO__RMDIR(path); /* only if it is an empty directory */
        return false;
    }
    close(fd);
    return true;
}

TACO__FN FILE *taco__plat_open_update(const char *path, taco__plat_id *id)
{
    struct stat st;
    int fd = open(path, O_RDWR | O_NONBLOCK | TACO__O_CLOEXEC);
    if (!taco__plat_identify_fd(fd, id)) { return NULL; }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return NULL;
    }
    return taco__plat_open_fd(fd, "r+b");
}

#if defined(F_SETLK) && !defined(__wasi__)
/* One kind of lock: `set` takes it, `get` says who has it, where the kind is known at all. */
static taco__plat_lock_state taco__plat_try_lock(int fd, int set, int get)
{
    struct flock all;
    memset(&all, 0, sizeof all);
    all.l_type = F_WRLCK;
    all.l_whence = SEEK_SET;
    return fcntl(fd, set, &all) == 0   ? TACO__LOCK_HELD
           : fcntl(fd, get, &all) == 0 ? TACO__LOCK_TAKEN
                                       : TACO__LOCK_NONE;
}
#endif

/* An open file description lock if the system has it (Linux since 3.15, F_OFD_SETLK is 37): it also
   excludes other threads, and closing another descriptor of the file does not release it. Else a
   lock of the process. The former requires struct flock to have 64-bit offsets. */
#if defined(__linux__) && (defined(__LP64__) || defined(__USE_FILE_OFFSET64))
#define TACO__PLAT_FILE_LOCK 37, 36
#endif
TACO__FN taco__plat_lock_state taco__plat_lock(FILE *f)
{
#if defined(F_SETLK) && !defined(__wasi__)
    taco__plat_lock_state state = TACO__LOCK_NONE;
#ifdef TACO__PLAT_FILE_LOCK
    state = taco__plat_try_lock(fileno(f), TACO__PLAT_FILE_LOCK);
#endif
    return state == TACO__LOCK_NONE ? taco__plat_try_lock(fileno(f), F_SETLK, F_GETLK) : state;
#else
    (void)f;
    return TACO__LOCK_HELD; /* one process at a time runs there */
#endif
}

/* One byte of where a link leads to is enough to know that it is one; but on WASI that may fail, as
   Node's readlink takes no buffer that is too small. */
static bool taco__plat_is_link(const char *path)
{
#if defined(__wasi__)
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
#else
    char c;
    return readlink(path, &c, 1) >= 0;
#endif
}

/* Called to explain a failure, so the reason is preserved. */
TACO__FN bool taco__plat_name_exists(const char *path)
{
    uint64_t size;
    int reason = taco__plat_reason();
    bool exists = taco__plat_stat(path, &size) != TACO__PATH_MISSING || taco__plat_is_link(path);
    taco__plat_set_reason(reason);
    return exists;
}

TACO__FN bool taco__plat_identify(const char *path, taco__plat_id *id)
{
    struct stat st;
    if (!taco__plat_is_named(path) || stat(path, &st) != 0) { return false; }
    id->volume = (uint64_t)st.st_dev;
    id->file = (uint64_t)st.st_ino;
    return true;
}

TACO__FN bool taco__plat_is_same(const char *path, const taco__plat_id *id, bool follow)
{
    taco__plat_id found;
    return (follow || !taco__plat_is_link(path)) && taco__plat_identify(path, &found) &&
           found.file == id->file && found.volume == id->volume;
}

/* rename() replaces a file, and of directories only an empty one. */
TACO__FN bool taco__plat_rename(const char *from, const char *to, bool directory)
{
    (void)directory;
    return rename(from, to) == 0;
}

TACO__FN void taco__plat_keep_mode(const char *from, const char *to)
{
#if !defined(__wasi__)
    struct stat st;
    if (stat(from, &st) == 0) { (void)chmod(to, st.st_mode & 0777); }
#else
    (void)from;
    (void)to;
#endif
}

TACO__FN void taco__plat_sync_name(const char *path)
{
    const size_t n = taco__plat_dir_length(path, strlen(path));
    char dir[1024] = ".";
    int fd;
    if (n >= sizeof dir) { return; }
    memcpy(dir, path, n);
    if (n) { dir[n] = 0; }
    fd = open(dir, O_RDONLY | TACO__O_DIRECTORY | TACO__O_CLOEXEC);
    if (fd < 0) { return; }
    (void)fsync(fd);
    close(fd);
}

/* What renameat2 can do in one step (Linux 3.15, and not on every file system: AT_FDCWD is -100,
   RENAME_EXCHANGE 2, and both are hidden with -std=c99). */
static bool taco__plat_exchange_at_once(const char *a, const char *b)
{
#ifdef TACO__PLAT_RENAMEAT2
    return renameat2(-100, a, -100, b, 2) == 0;
#else
    (void)a;
    (void)b;
    return false;
#endif
}

#define TACO__PLAT_MAX_DEPTH 64 /* directories inside directories; each is an open file */

/* Empties the directory of a descriptor, which is closed. A name that cannot be removed as a file
   must be a directory, not a link, or it stays. Some systems skip names while others are removed:
   hence the second pass. */
static bool taco__plat_empty_dir(int fd, unsigned depth)
{
    const int flags =
        O_RDONLY | O_NONBLOCK | TACO__O_DIRECTORY | TACO__O_NOFOLLOW | TACO__O_CLOEXEC;
    DIR *d = fdopendir(fd);
    struct dirent *e;
    size_t gone, left;
    if (!d) {
        close(fd);
        return false;
    }
    do {
        gone = left = 0;
        rewinddir(d);
        while ((e = readdir(d)) != NULL) {
            bool ok = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
            if (ok) { continue; }
            ok = unlinkat(fd, e->d_name, 0) == 0;
            if (!ok && depth < TACO__PLAT_MAX_DEPTH) {
                int below = openat(fd, e->d_name, flags);
                ok = below >= 0 && taco__plat_empty_dir(below, depth + 1) &&
                     unlinkat(fd, e->d_name, TACO__AT_REMOVEDIR) == 0;
            }
            gone += ok;
            left += !ok;
        }
    } while (gone);
    closedir(d);
    return left == 0;
}

TACO__FN bool taco__plat_remove_tree(const char *path, const taco__plat_id *id)
{
    int fd = taco__plat_open_dir(path, id);
    return fd >= 0 && taco__plat_empty_dir(fd, 0) && TACO__RMDIR(path) == 0;
}

#if defined(__wasi__)
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern int getentropy(void *, size_t);
#endif
/* Processes have no numbers there, and nothing else differs between them, or between two calls
   within a second. */
static uint64_t taco__plat_process(void)
{
    uint64_t x = 0;
    return getentropy(&x, sizeof x) == 0 ? x : 0;
}

#define TACO__PLAT_PROCESS taco__plat_process()
#else
#define TACO__PLAT_PROCESS ((uint64_t)getpid())
#endif

/* ---- Windows ---- */
#elif TACO__DIRS
#include <errno.h>
#include <fcntl.h>
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#undef near /* of 16-bit times */
#undef far

static bool taco__plat_identify_handle(HANDLE h, taco__plat_id *id)
{
    BY_HANDLE_FILE_INFORMATION info;
    if (h == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(h, &info)) { return false; }
    id->volume = info.dwVolumeSerialNumber;
    id->file = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return true;
}

/* By name; a link itself (a reparse point) or what it leads to. */
static bool taco__plat_identify_name(const char *path, taco__plat_id *id, bool follow)
{
    HANDLE h = CreateFileA(
        path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT), NULL);
    bool ok = taco__plat_identify_handle(h, id);
    if (h != INVALID_HANDLE_VALUE) { CloseHandle(h); }
    return ok;
}

static FILE *taco__plat_open_fd(int fd, const char *mode)
{
    FILE *f = fd >= 0 ? _fdopen(fd, mode) : NULL;
    if (fd >= 0 && !f) { _close(fd); }
    return f;
}

TACO__FN FILE *taco__plat_create_file(const char *path, taco__plat_id *id, bool *taken)
{
    int fd =
        _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    FILE *f;
    *taken = fd < 0 && errno == EEXIST;
    if (fd < 0) { return NULL; }
    if (taco__plat_identify_handle((HANDLE)_get_osfhandle(fd), id)) {
        f = taco__plat_open_fd(fd, "w+b");
    } else {
        _close(fd);
        f = NULL;
    }
    if (!f) { remove(path); }
    return f;
}

TACO__FN bool taco__plat_create_dir(const char *path, taco__plat_id *id, bool *taken)
{
    *taken = false;
    if (TACO__MKDIR(path) != 0) {
        *taken = errno == EEXIST;
        return false;
    }
    if (taco__plat_identify_name(path, id, false)) { return true; }
    TACO__RMDIR(path);
    return false;
}

TACO__FN FILE *taco__plat_open_update(const char *path, taco__plat_id *id)
{
    uint64_t size;
    FILE *f =
        taco__plat_stat(path, &size) == TACO__PATH_FILE ? taco__plat_open_shared(path, true) : NULL;
    if (f && !taco__plat_identify_handle((HANDLE)_get_osfhandle(_fileno(f)), id)) {
        fclose(f);
        f = NULL;
    }
    return f;
}

/* Locks one byte far past the end, because Windows locks readers out of locked bytes. */
TACO__FN taco__plat_lock_state taco__plat_lock(FILE *f)
{
    OVERLAPPED at;
    memset(&at, 0, sizeof at);
    at.OffsetHigh = 0x40000000;
    if (LockFileEx((HANDLE)_get_osfhandle(_fileno(f)),
                   LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)) {
        return TACO__LOCK_HELD;
    }
    return GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING
               ? TACO__LOCK_TAKEN
               : TACO__LOCK_NONE;
}

TACO__FN bool taco__plat_name_exists(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

TACO__FN bool taco__plat_identify(const char *path, taco__plat_id *id)
{
    return taco__plat_identify_name(path, id, true);
}

TACO__FN bool taco__plat_is_same(const char *path, const taco__plat_id *id, bool follow)
{
    taco__plat_id found;
    return taco__plat_identify_name(path, &found, follow) && found.file == id->file &&
           found.volume == id->volume;
}

/* Replaces a file that someone is reading with shared access: that file is first renamed, and
   disappears with its last reader. Not for a file that must not be written. */
static bool taco__plat_replace_open(const char *from, const char *to)
{
    static const char end[] = ".old";
    const DWORD kind = GetFileAttributesA(to);
    const size_t n = strlen(from);
    char aside[1024];
    if (kind == INVALID_FILE_ATTRIBUTES || n + sizeof end > sizeof aside ||
        (kind & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY))) {
        return false;
    }
    memcpy(aside, from, n);
    memcpy(aside + n, end, sizeof end);
    if (!MoveFileExA(to, aside, 0)) { return false; }
    if (!MoveFileExA(from, to, MOVEFILE_WRITE_THROUGH)) {
        MoveFileExA(aside, to, 0);
        return false;
    }
    DeleteFileA(aside);
    return true;
}

/* Sets errno, as functions of the C library would: Windows tells its own the reason otherwise. */
static void taco__plat_keep_reason(DWORD reason)
{
    switch (reason) {
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: errno = EACCES; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    default: errno = 0; break;
    }
}

TACO__FN void taco__plat_keep_mode(const char *from, const char *to)
{
    (void)from;
    (void)to;
}

TACO__FN void taco__plat_sync_name(const char *path)
{
    (void)path;
}

static bool taco__plat_exchange_at_once(const char *a, const char *b)
{
    (void)a;
    (void)b;
    return false;
}

TACO__FN bool taco__plat_rename(const char *from, const char *to, bool directory)
{
    const DWORD how = directory ? 0 : MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    DWORD reason;
    if (MoveFileExA(from, to, how)) { return true; }
    reason = GetLastError();
    if (!directory && taco__plat_replace_open(from, to)) { return true; }
    taco__plat_keep_reason(reason);
    return false;
}

/* A junction or link is removed as such: _rmdir does not follow it. */
static bool taco__plat_remove_below(const char *path, unsigned depth)
{
    WIN32_FIND_DATAA e;
    char name[1024];
    size_t n = strlen(path), k;
    HANDLE d;
    bool ok = true;
    if (n + 3 > sizeof name) { return false; }
    memcpy(name, path, n);
    memcpy(name + n, "/*", 3);
    d = FindFirstFileA(name, &e);
    if (d == INVALID_HANDLE_VALUE) { return false; }
    do {
        k = strlen(e.cFileName);
        if (strcmp(e.cFileName, ".") == 0 || strcmp(e.cFileName, "..") == 0) { continue; }
        if (n + k + 2 > sizeof name) {
            ok = false;
            continue;
        }
        memcpy(name + n + 1, e.cFileName, k + 1);
        if (!(e.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)) {
            ok = remove(name) == 0 && ok;
        } else {
            ok = ((e.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) ||
                  (depth < 64 && taco__plat_remove_below(name, depth + 1))) &&
                 TACO__RMDIR(name) == 0 && ok;
        }
    } while (FindNextFileA(d, &e));
    FindClose(d);
    return ok;
}

TACO__FN bool taco__plat_remove_tree(const char *path, const taco__plat_id *id)
{
    return taco__plat_is_same(path, id, false) && taco__plat_remove_below(path, 0) &&
           TACO__RMDIR(path) == 0;
}

/* The ticks of clock() and GetTickCount() are milliseconds long, in which a thread calls more than
   once; two of these differ. */
static uint64_t taco__plat_ticks(void)
{
    LARGE_INTEGER n;
    return QueryPerformanceCounter(&n) ? (uint64_t)n.QuadPart : GetTickCount();
}

#define TACO__PLAT_PROCESS ((uint64_t)GetCurrentProcessId() << 32 ^ taco__plat_ticks())

/* ---- unknown systems ---- */
#else
TACO__FN bool taco__plat_name_exists(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f) { fclose(f); }
    return f != NULL;
}

TACO__FN FILE *taco__plat_create_file(const char *path, taco__plat_id *id, bool *taken)
{
    memset(id, 0, sizeof *id);
    *taken = taco__plat_name_exists(path);
    return *taken ? NULL : fopen(path, "w+b");
}

TACO__FN bool taco__plat_create_dir(const char *path, taco__plat_id *id, bool *taken)
{
    memset(id, 0, sizeof *id);
    *taken = false;
    return TACO__MKDIR(path) == 0;
}

TACO__FN FILE *taco__plat_open_update(const char *path, taco__plat_id *id)
{
    memset(id, 0, sizeof *id);
    return fopen(path, "r+b");
}

TACO__FN taco__plat_lock_state taco__plat_lock(FILE *f)
{
    (void)f;
    return TACO__LOCK_HELD; /* one program at a time runs there */
}

TACO__FN bool taco__plat_identify(const char *path, taco__plat_id *id)
{
    memset(id, 0, sizeof *id);
    return taco__plat_name_exists(path);
}

TACO__FN bool taco__plat_is_same(const char *path, const taco__plat_id *id, bool follow)
{
    (void)id;
    (void)follow;
    return taco__plat_name_exists(path);
}

TACO__FN void taco__plat_keep_mode(const char *from, const char *to)
{
    (void)from;
    (void)to;
}

TACO__FN void taco__plat_sync_name(const char *path)
{
    (void)path;
}

static bool taco__plat_exchange_at_once(const char *a, const char *b)
{
    (void)a;
    (void)b;
    return false;
}

/* Some of these systems can only rename to an unused name. */
TACO__FN bool taco__plat_rename(const char *from, const char *to, bool directory)
{
    return rename(from, to) == 0 || (!directory && remove(to) == 0 && rename(from, to) == 0);
}

TACO__FN bool taco__plat_remove_tree(const char *path, const taco__plat_id *id)
{
    (void)path;
    (void)id;
    return false;
}

#define TACO__PLAT_PROCESS 0
#endif

/* The third name is that of a temporary file with another end, which nobody else uses. */
TACO__FN bool taco__plat_exchange(const char *a, const char *b)
{
    static const char end[] = ".old";
    const size_t n = strlen(a);
    char aside[1024];
    if (taco__plat_exchange_at_once(a, b)) { return true; }
    if (n + sizeof end > sizeof aside) { return false; }
    memcpy(aside, a, n);
    memcpy(aside + n, end, sizeof end);
    if (!taco__plat_rename(b, aside, true)) { return false; }
    if (!taco__plat_rename(a, b, true)) {
        taco__plat_rename(aside, b, true);
        return false;
    }
    return taco__plat_rename(aside, a, true);
}

#if defined(__wasi__) /* has no clock() but by a library that programs would have to ask for */
#define TACO__PLAT_CLOCK 0
#else
#define TACO__PLAT_CLOCK clock()
#endif

/* The address of a local differs between threads, the processor's time between calls; the last
   steps are those of SplitMix64, which spread each bit over all. */
TACO__FN uint64_t taco__plat_seed(void)
{
    uint64_t x;
    uint64_t seed = (uint64_t)time(NULL) * 0x9E3779B97F4A7C15U ^ (uint64_t)TACO__PLAT_CLOCK << 40 ^
                    TACO__PLAT_PROCESS * 0xBF58476D1CE4E5B9U ^ (uint64_t)(uintptr_t)&x;
    x = seed;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}
#else
TACO__FN bool taco__plat_name_exists(const char *path)
{
    (void)path;
    return false;
}
#endif
/* ==== src/base/temporary.c ==== */
/* temporary.c - unique temporary names for files and directories until they are complete

   See temporary.h for the form of the name. It is created exclusively, with other digits if the
   name is taken, and before anything is renamed or removed its identity is checked: what someone
   else has put there stays. Start with taco__temporary_make. */
/* #include "temporary.h" */
/* #include "sink.h" */

#ifndef TACO_NO_STDIO
#define TACO__TEMPORARY_BASE   200 /* bytes of the output's name: most systems take 255 in all */
#define TACO__TEMPORARY_SUFFIX 23  /* ".0123456789abcdef.part" and its NUL */
#define TACO__TEMPORARY_TRIES  64

/* The name without its digits, which go at the returned offset; 0 if there is no memory. */
static size_t taco__temporary_name(taco__temporary *t, taco_bytes path, taco_error *err)
{
    const size_t slash = taco__plat_dir_length((const char *)path.data, path.len);
    size_t n = TACO__MIN(path.len - slash, (size_t)TACO__TEMPORARY_BASE);
    while (n && slash + n < path.len && (path.data[slash + n] & 0xC0) == 0x80) {
        n--; /* not inside a UTF-8 character */
    }
    n += slash;
    t->size = n + TACO__TEMPORARY_SUFFIX;
    t->name = (char *)taco__mem_alloc(t->mem, t->size, err);
    if (!t->name) { return 0; }
    memcpy(t->name, path.data, n);
    memcpy(t->name + n, ".0123456789abcdef.part", TACO__TEMPORARY_SUFFIX);
    return n + 1;
}

static void taco__temporary_tell(const taco__temporary *t, bool begun)
{
    if (t->told) { t->told(t->told_ctx, t->name, begun); }
}

/* True if the name was created; *taken: something else has it. */
static bool taco__temporary_try(taco__temporary *t, FILE **f, bool *taken)
{
    if (!f) { return taco__plat_create_dir(t->name, &t->id, taken); }
    *f = taco__plat_create_file(t->name, &t->id, taken);
    return *f != NULL;
}

/* What is at the path may be replaced: *old is its identity. */
static bool taco__temporary_may_replace(const char *path, const taco_options *opt,
                                        taco__plat_id *old)
{
    return opt && opt->replace && taco__plat_identify(path, old) &&
           opt->replace(opt->replace_ctx, path);
}

/* The host is told before the name exists, so that a signal between the two leaves nothing. */
TACO__FN bool taco__temporary_make(taco__temporary *t, const char *path, FILE **f,
                                   const taco_options *opt, taco__mem *mem, taco_error *err)
{
    size_t at, i, k;
    bool made = false, taken = true;
    int reason = 0;
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->directory = !f;
    if (opt) {
        t->told = opt->temporary;
        t->told_ctx = opt->temporary_ctx;
        t->warn = opt->warn;
        t->warn_ctx = opt->warn_ctx;
    }
    t->replaces = taco__temporary_may_replace(path, opt, &t->old);
    at = taco__temporary_name(t, taco__bytes_text(path), err);
    for (i = 0; at && taken && i < TACO__TEMPORARY_TRIES; i++) {
        uint64_t x = taco__plat_seed() + i * 0x9E3779B97F4A7C15U;
        for (k = 0; k < 16; k++) {
            t->name[at + k] = "0123456789abcdef"[x >> 4 * k & 15];
        }
        taco__temporary_tell(t, true);
        made = taco__temporary_try(t, f, &taken);
        reason = taco__plat_reason();
        if (!made) { taco__temporary_tell(t, false); }
    }
    if (at && !made) {
        taco__plat_set_reason(reason);
        taco__sink_open_error(path, err);
        taco__mem_free(mem, t->name, t->size);
    }
    if (!made) { t->name = NULL; }
    return made;
}

/* Files replace files by renaming; anything else is exchanged. */
static bool taco__temporary_move(taco__temporary *t, const char *path)
{
    uint64_t size;
    if (!t->replaces || !taco__plat_name_exists(path) ||
        (!t->directory && taco__plat_stat(path, &size) == TACO__PATH_FILE)) {
        taco__plat_keep_mode(path, t->name);
        return taco__plat_rename(t->name, path, t->directory);
    }
    if (!taco__plat_is_same(path, &t->old, true)) { return false; }
    taco__plat_keep_mode(path, t->name);
    t->exchanged = taco__plat_exchange(t->name, path);
    return t->exchanged;
}

TACO__FN bool taco__temporary_rename(taco__temporary *t, const char *path)
{
    t->renamed = taco__plat_is_same(t->name, &t->id, false) && taco__temporary_move(t, path);
    if (t->renamed) {
        taco__plat_sync_name(path);
        if (!t->exchanged) { taco__temporary_tell(t, false); }
    }
    return t->renamed;
}

TACO__FN void taco__temporary_undo(taco__temporary *t, const char *path)
{
    if (!t->renamed || !taco__plat_is_same(path, &t->id, false)) { return; }
    if (!t->exchanged) { taco__temporary_tell(t, true); }
    if (t->exchanged) {
        t->renamed = t->exchanged = !taco__plat_exchange(path, t->name);
    } else {
        t->renamed = !taco__plat_rename(path, t->name, t->directory);
    }
}

/* Removes what had the path before: it is complete, so it is named if it cannot be removed. */
static void taco__temporary_remove_old(const taco__temporary *t)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    taco_bytes name = taco__bytes_text(t->name);
    if (!taco__plat_is_same(t->name, &t->old, true) || taco__plat_remove_tree(t->name, &t->old) ||
        remove(t->name) == 0 || !t->warn) {
        return;
    }
    TACO__FAIL(&why, TACO_ERR_IO, TACO_NO_OFFSET,
               "%q cannot be removed; it is what the output was before", &name);
    t->warn(t->warn_ctx, &why);
}

TACO__FN void taco__temporary_remove(taco__temporary *t)
{
    if (t->name && t->exchanged) {
        taco__temporary_remove_old(t);
        taco__temporary_tell(t, false);
    } else if (t->name && !t->renamed) {
        if (t->directory) {
            (void)taco__plat_remove_tree(t->name, &t->id);
        } else if (taco__plat_is_same(t->name, &t->id, false)) {
            remove(t->name);
        }
        taco__temporary_tell(t, false);
    }
    if (t->name) { taco__mem_free(t->mem, t->name, t->size); }
    t->name = NULL;
}

TACO__FN void taco__temporary_remove_made(const char *path, const taco__plat_id *id)
{
    if (taco__plat_is_same(path, id, false) && !taco__plat_remove_tree(path, id)) { remove(path); }
}

/* ---- several files at once ---- */

TACO__FN bool taco__temporary_stage(taco__temporary *t, taco__staged *to, taco_error *err)
{
    char *name = (char *)taco__mem_alloc(to->mem, t->size, err);
    if (!name) { return false; }
    memcpy(name, t->name, t->size);
    taco__mem_free(t->mem, t->name, t->size);
    to->temporary = *t;
    to->temporary.mem = to->mem;
    to->temporary.name = name;
    t->name = NULL;
    return true;
}

TACO__FN bool taco__staged_rename(taco__staged *list, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__staged *s = &list[i];
        s->replaces = s->temporary.name && taco__plat_name_exists(s->path);
        if (s->temporary.name && !taco__temporary_rename(&s->temporary, s->path)) {
            taco__sink_open_error(s->path, err);
            break;
        }
    }
    if (i == n) { return true; }
    while (i > 0) {
        taco__staged *s = &list[--i];
        if (s->temporary.name && (!s->replaces || s->temporary.exchanged)) {
            taco__temporary_undo(&s->temporary, s->path);
        }
    }
    return false;
}

TACO__FN void taco__staged_free(taco__staged *list, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__temporary_remove(&list[i].temporary);
    }
}
#endif

TACO__FN bool taco__temporary_is_free(const char *path, const taco_options *opt)
{
#ifndef TACO_NO_STDIO
    taco__plat_id old;
    return !taco__plat_name_exists(path) || taco__temporary_may_replace(path, opt, &old);
#else
    (void)path;
    (void)opt;
    return true;
#endif
}

TACO__FN void taco__staged_warn_of_more(const taco_options *opt, const char *next, const char *what,
                                        size_t n)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    if (!opt->warn || !taco__plat_name_exists(next)) { return; }
    TACO__FAIL(&why, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "%s is a part of an earlier %s and stays: this one has %u parts", next, what,
               TACO__U(n));
    opt->warn(opt->warn_ctx, &why);
}
/* ==== src/base/sink.c ==== */
/* sink.c - sinks into memory, into a file and onto the end of a file, and buffered output

   A file is written under a temporary name (temporary.h) and renamed when it is complete and on the
   disk, so that its name never leads to half a file. Two exceptions: a device or a pipe is written
   to in place, and taco__sink_append continues an existing file at some byte, with the file locked;
   the new bytes reach the disk before the few old ones that point readers to them are replaced, and
   those are restored if anything fails. A sink has its own taco__mem, because it may outlive the
   writer. Start with taco_sink_file and taco__output_write. */
/* #include "sink.h" */
/* #include "base.h" */

/* ---- into memory ---- */

/* The context of such a sink. After a successful close, taco_sink_bytes returns the buffer until
   taco_sink_free. */
typedef struct taco__sink_memory {
    taco__mem mem;
    taco__buf buf;
} taco__sink_memory;

/* Anywhere up to the end of what was written. */
static bool taco__sink_memory_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_memory *m = (taco__sink_memory *)ctx;
    size_t at, end;
    if (!taco__checked_to_size(offset, &at) || at > m->buf.len ||
        !taco__checked_add_size(at, len, &end)) {
        return false;
    }
    if (end > m->buf.len) {
        if (!taco__buf_reserve(&m->buf, end - m->buf.len, NULL)) { return false; }
        m->buf.len = end;
    }
    if (len) { memcpy(m->buf.data + at, src, len); }
    return true;
}

static bool taco__sink_memory_close(void *ctx, bool keep)
{
    taco__sink_memory *m = (taco__sink_memory *)ctx;
    if (!keep) { taco__buf_free(&m->buf); }
    return true;
}

TACO_API taco_status taco_sink_memory(taco_sink *out, const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco__sink_memory *m;
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    taco__mem_init(&mem, opt);
    m = (taco__sink_memory *)taco__mem_alloc(&mem, sizeof *m, err);
    if (!m) { return TACO_ERR_MEMORY; }
    m->mem = mem;
    m->buf.mem = &m->mem;
    out->ctx = m;
    out->write = taco__sink_memory_write;
    out->close = taco__sink_memory_close;
    return TACO_OK;
}

TACO_API taco_bytes taco_sink_bytes(const taco_sink *sink)
{
    const taco__sink_memory *m = sink ? (const taco__sink_memory *)sink->ctx : NULL;
    return taco__bytes_of(m ? m->buf.data : NULL, m ? m->buf.len : 0);
}

TACO_API void taco_sink_free(taco_sink *sink)
{
    taco__sink_memory *m = sink ? (taco__sink_memory *)sink->ctx : NULL;
    if (m) { /* a copy, because the account is in the block freed last */
        taco__mem mem = m->mem;
        m->buf.mem = &mem;
        taco__buf_free(&m->buf);
        taco__mem_free(&mem, m, sizeof *m);
    }
    if (sink) { memset(sink, 0, sizeof *sink); }
}

/* ---- into a file ---- */

#ifndef TACO_NO_STDIO
/* Why `path` cannot be written: the system's reason, or else from a second look. */
TACO__FN TACO__COLD taco_status taco__sink_open_error(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    char dir[1024];
    const char *why = taco__plat_cause(taco__plat_reason());
    uint64_t size;
    size_t n = taco__plat_dir_length(path, name.len);
    if (TACO__DIRS && taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY) {
        why = ", which is a directory";
    } else if (TACO__DIRS && !*why && n > 1 && n < sizeof dir) {
        memcpy(dir, path, n - 1);
        dir[n - 1] = 0;
        why = taco__plat_stat(dir, &size) == TACO__PATH_DIRECTORY
                  ? ""
                  : ", whose directory does not exist";
    }
    return TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name, why);
}

typedef struct taco__sink_file {
    taco__mem mem;
    FILE *f;
    uint64_t at;
    size_t size; /* of this block; the path follows it there */
    char *path;
    taco__temporary temporary;
    taco__staged *staged; /* gets the complete file, which is not renamed; or NULL */
    bool special;         /* a device or a pipe: written to in place, as no file may replace it */
} taco__sink_file;

/* Writes at offset; *at is the position of the file, before and after. */
static bool taco__sink_write_at(FILE *f, uint64_t *at, uint64_t offset, const void *src, size_t len)
{
    if (offset != *at && (offset > TACO__FILE_MAX || TACO__FSEEK(f, offset, SEEK_SET) != 0)) {
        return false;
    }
    *at = offset + len;
    return fwrite(src, 1, len, f) == len;
}

static bool taco__sink_file_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_file *t = (taco__sink_file *)ctx;
    taco__plat_set_reason(0);
    return taco__sink_write_at(t->f, &t->at, offset, src, len);
}

/* Flushed to the disk before it is renamed, or a crash may leave an empty file with the name. Keeps
   the first reason of a failure. */
static bool taco__sink_file_close(void *ctx, bool keep)
{
    taco__sink_file *t = (taco__sink_file *)ctx;
    taco__mem mem;
    /* without keep, that of an earlier write */
    int reason = keep ? 0 : taco__plat_reason();
    bool good;
    taco__plat_set_reason(0);
    good = !keep || (fflush(t->f) == 0 && (t->special || TACO__FSYNC(t->f) == 0));
    if (!good) { reason = taco__plat_reason(); }
    good = fclose(t->f) == 0 && good;
    if (!good && !reason) { reason = taco__plat_reason(); }
    if (t->staged && keep && good) {
        t->staged->temporary = t->temporary;
        t->temporary.name = NULL;
    } else if (!t->special) {
        good = (!keep || !good || taco__temporary_rename(&t->temporary, t->path)) && good;
        if (!good && !reason) { reason = taco__plat_reason(); }
        taco__temporary_remove(&t->temporary);
    }
    mem = t->mem; /* a copy, as the account is in the block itself */
    taco__mem_free(&mem, t, t->size);
    taco__plat_set_reason(reason);
    return good;
}

/* The context of a sink for path, in one block with it. NULL without memory. */
static taco__sink_file *taco__sink_file_create(const taco__mem *mem, taco_bytes path,
                                               taco_error *err)
{
    taco__mem account = *mem;
    taco__sink_file *t = NULL;
    size_t size;
    if (!taco__checked_add_size(path.len, sizeof *t + 1, &size)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(path.len));
        return NULL;
    }
    t = (taco__sink_file *)taco__mem_alloc(&account, size, err);
    if (!t) { return NULL; }
    t->mem = account;
    t->size = size;
    t->path = (char *)(t + 1);
    memcpy(t->path, path.data, path.len);
    return t;
}

TACO__FN taco_status taco__sink_file_staged(taco_sink *out, const char *path,
                                            const taco_options *opt, taco__mem *staged_mem,
                                            taco__staged *staged, taco_error *err)
{
    taco__mem mem;
    taco__sink_file *t;
    uint64_t bytes;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__path_kind kind = path ? taco__plat_stat(path, &bytes) : TACO__PATH_MISSING;
    memset(out, 0, sizeof *out);
    taco__mem_init(&mem, opt);
    if (!path) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    /* reported now, and not when everything has been written and renaming fails */
    if ((kind == TACO__PATH_DIRECTORY && !taco__temporary_is_free(path, opt)) || !*path) {
        return taco__sink_open_error(path, err);
    }
    t = taco__sink_file_create(&mem, taco__bytes_text(path), err);
    if (!t) { return TACO_ERR_MEMORY; }
    t->special = kind == TACO__PATH_SPECIAL;
    if (t->special) {
        t->f = fopen(path, "wb");
        if (!t->f) { taco__sink_open_error(path, &own); }
    } else {
        t->staged = staged;
        taco__temporary_make(&t->temporary, path, &t->f, opt, staged ? staged_mem : &t->mem, &own);
    }
    if (!t->f) {
        mem = t->mem;
        taco__mem_free(&mem, t, t->size);
        taco__error_copy(err, &own);
        return own.code;
    }
    out->ctx = t;
    out->write = taco__sink_file_write;
    out->close = taco__sink_file_close;
    return TACO_OK;
}

TACO_API taco_status taco_sink_file(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__sink_file_staged(out, path, opt, NULL, NULL, err);
}

/* ---- a file that is changed in place ---- */

/* Opens and locks a file. A caller that afterwards opens it for reading must check with
   taco__update_check that it is the same file. */
TACO__FN bool taco__update_open(taco__update *u, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    taco__plat_lock_state lock;
    memset(u, 0, sizeof *u);
    u->path = path;
    u->f = taco__plat_open_update(path, &u->id);
    if (!u->f) {
        taco__sink_open_error(path, err);
        return false;
    }
    lock = taco__plat_lock(u->f);
    /* unbuffered: what a full disk refused must not be written after the file has been truncated */
    if (lock == TACO__LOCK_HELD && setvbuf(u->f, NULL, _IONBF, 0) == 0) { return true; }
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
               lock == TACO__LOCK_TAKEN
                   ? "%q is being changed by another writer, which has locked it"
                   : "%q cannot be locked on this file system, so it is not changed in place: an "
                     "output is needed",
               &name);
    taco__update_close(u);
    return false;
}

TACO__FN bool taco__update_check(const taco__update *u, taco_error *err)
{
    taco_bytes name = taco__bytes_text(u->path);
    if (taco__plat_is_same(u->path, &u->id, true)) { return true; }
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
               "%q was replaced by another writer while it was read: nothing is changed", &name);
    return false;
}

/* Also releases the lock. Everything that must be on the disk already is, whatever closing
   returns. */
TACO__FN void taco__update_close(taco__update *u)
{
    if (u->f) { fclose(u->f); }
    memset(u, 0, sizeof *u);
}

/* Bytes before `begin` that one write may replace: more than a TACO_HEADER. */
#define TACO__SINK_APPEND_HEAD 512

/* A file that is continued from byte `begin`. A write before that byte, once and last, points
   readers to the rest, which is then on the disk. If it is closed without keeping, or anything
   fails, the file has its old bytes and ends at `begin` again. */
typedef struct taco__sink_append {
    taco__update *update; /* the caller's, who closes it */
    taco__mem *mem;
    uint64_t begin, at;
    uint64_t head_at; /* what was replaced before `begin`, and how many bytes that were */
    size_t head_len;
    uint8_t head[TACO__SINK_APPEND_HEAD];
} taco__sink_append;

/* Restores the old bytes; true also if none was replaced. */
static bool taco__sink_append_restore(taco__sink_append *t)
{
    FILE *f = t->update->f;
    bool good = t->head_len == 0 || (TACO__FSEEK(f, t->head_at, SEEK_SET) == 0 &&
                                     fwrite(t->head, 1, t->head_len, f) == t->head_len);
    if (good && t->head_len) { (void)TACO__FSYNC(f); }
    t->head_len = good ? 0 : t->head_len;
    return good;
}

/* The commit: refused if the path now leads to another file, which would not get it. */
static bool taco__sink_append_write_head(taco__sink_append *t, uint64_t offset, const void *src,
                                         size_t len)
{
    FILE *f = t->update->f;
    if (len > sizeof t->head || len > t->begin - offset || t->head_len || TACO__FSYNC(f) != 0 ||
        TACO__FSEEK(f, offset, SEEK_SET) != 0 || fread(t->head, 1, len, f) != len ||
        !taco__update_check(t->update, NULL)) {
        return false;
    }
    t->head_at = offset;
    t->head_len = len;
    t->at = UINT64_MAX; /* a seek must separate reading and writing */
    if (taco__sink_write_at(f, &t->at, offset, src, len)) { return true; }
    taco__sink_append_restore(t);
    return false;
}

static bool taco__sink_append_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_append *t = (taco__sink_append *)ctx;
    return offset < t->begin ? taco__sink_append_write_head(t, offset, src, len)
                             : taco__sink_write_at(t->update->f, &t->at, offset, src, len);
}

static bool taco__sink_append_close(void *ctx, bool keep)
{
    taco__sink_append *t = (taco__sink_append *)ctx;
    bool good = keep && TACO__FSYNC(t->update->f) == 0;
    if (!good) {
        good = taco__sink_append_restore(t) && TACO__TRUNCATE(t->update->f, t->begin) && !keep;
    }
    taco__mem_free(t->mem, t, sizeof *t);
    return good;
}

/* Continues a locked file; truncates it at `begin`. */
TACO__FN bool taco__sink_append_open(taco_sink *out, taco__update *u, uint64_t begin,
                                     taco__mem *mem, taco_error *err)
{
    taco__sink_append *t = (taco__sink_append *)taco__mem_alloc(mem, sizeof *t, err);
    memset(out, 0, sizeof *out);
    if (!t) { return false; }
    t->mem = mem;
    t->begin = begin;
    t->update = u;
    if (!TACO__TRUNCATE(u->f, begin)) {
        taco__mem_free(mem, t, sizeof *t);
        taco__sink_open_error(u->path, err);
        return false;
    }
    out->ctx = t;
    out->write = taco__sink_append_write;
    out->close = taco__sink_append_close;
    return true;
}
#endif

/* ---- any sink ---- */

/* Closes a sink without writing to it. One that could not be opened is all zeros and needs no
   closing. */
TACO__FN void taco__sink_abort(const taco_sink *sink)
{
    if (sink && sink->close) { sink->close(sink->ctx, false); }
}

/* False with an error if there is no sink to write to, as after a failed taco_sink_file. */
TACO__FN bool taco__sink_check(const taco_sink *sink, taco_error *err)
{
    if (!sink || !sink->write || !sink->close) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "no sink given, or one that is not open");
        taco__sink_abort(sink);
        return false;
    }
    return true;
}

/* The path of a file sink, for messages; {NULL, 0} for others. */
TACO__FN taco_bytes taco__sink_name(const taco_sink *sink)
{
#ifndef TACO_NO_STDIO
    if (sink->write == taco__sink_file_write) {
        return taco__bytes_text(((const taco__sink_file *)sink->ctx)->path);
    }
#endif
    (void)sink;
    return taco__bytes_of(NULL, 0);
}

/* ---- buffered output ---- */

/* Takes over the sink, even on failure, which closes it. */
TACO__FN bool taco__output_open(taco__output *o, const taco_sink *sink, taco__mem *mem,
                                taco_error *err)
{
    memset(o, 0, sizeof *o);
    o->sink = *sink;
    o->mem = mem;
#ifndef TACO_NO_STDIO
    o->anywhere = sink->write == taco__sink_file_write;
#endif
    o->data = (uint8_t *)taco__mem_alloc(mem, TACO__OUTPUT_BYTES, err);
    if (!o->data) { taco__sink_abort(sink); }
    return o->data != NULL;
}

TACO__FN const char *taco__sink_cause(const taco_sink *sink)
{
#ifndef TACO_NO_STDIO
    if (sink->write == taco__sink_file_write || sink->write == taco__sink_append_write) {
        return taco__plat_cause(taco__plat_reason());
    }
#else
    (void)sink;
#endif
    return "";
}

static TACO__COLD void taco__output_write_error(const taco__output *o, uint64_t at, size_t len,
                                                taco_error *err)
{
    taco_bytes name = taco__sink_name(&o->sink);
    if (name.len) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed%s", TACO__U(len), &name,
                   taco__sink_cause(&o->sink));
    } else {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes failed", TACO__U(len));
    }
}

/* Number of bytes written so far. */
TACO__FN uint64_t taco__output_position(const taco__output *o)
{
    return o->at + o->used;
}

TACO__FN bool taco__output_write_at(const taco__output *o, uint64_t at, const void *data,
                                    size_t len, taco_error *err)
{
    if (o->sink.write(o->sink.ctx, at, data, len)) { return true; }
    taco__output_write_error(o, at, len, err);
    return false;
}

TACO__FN bool taco__output_flush(taco__output *o, taco_error *err)
{
    if (o->used && !taco__output_write_at(o, o->at, o->data, o->used, err)) { return false; }
    o->at += o->used;
    o->used = 0;
    return true;
}

/* Room for len bytes in one piece, at most TACO__OUTPUT_BYTES, which the caller fills before the
   next call. NULL on failure. */
TACO__FN uint8_t *taco__output_reserve(taco__output *o, size_t len, taco_error *err)
{
    if (len > TACO__OUTPUT_BYTES - o->used && !taco__output_flush(o, err)) { return NULL; }
    o->used += len;
    return o->data + o->used - len;
}

TACO__FN bool taco__output_write(taco__output *o, const void *data, size_t len, taco_error *err)
{
    const uint8_t *p = (const uint8_t *)data;
    while (len) {
        size_t n = TACO__MIN(len, (size_t)TACO__OUTPUT_BYTES);
        uint8_t *room = taco__output_reserve(o, n, err);
        if (!room) { return false; }
        memcpy(room, p, n);
        p += n;
        len -= n;
    }
    return true;
}

/* Flushes what was written before, so that the next write begins after the gap. */
TACO__FN bool taco__output_skip(taco__output *o, uint64_t len, taco_error *err)
{
    if (!taco__output_flush(o, err)) { return false; }
    if (!taco__checked_add64(o->at, len, &o->at)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, o->at, "%u more bytes, a file has less than 2^64", len);
        return false;
    }
    return true;
}

/* Replaces bytes written before, either all or none of which are still in the buffer. If the sink
   allows that only at the end (o->anywhere is false), the next call must be taco__output_close. */
TACO__FN bool taco__output_patch(taco__output *o, uint64_t at, const void *data, size_t len,
                                 taco_error *err)
{
    if (at >= o->at) {
        memcpy(o->data + (size_t)(at - o->at), data, len);
        return true;
    }
    return taco__output_write_at(o, at, data, len, err);
}

/* keep: the rest is written and the output becomes permanent, or this fails. Otherwise, and after a
   failure, nothing remains of the output. */
TACO__FN bool taco__output_close(taco__output *o, bool keep, taco_error *err)
{
    bool ok = !keep || taco__output_flush(o, err);
    if (o->sink.close && !o->sink.close(o->sink.ctx, keep && ok) && keep && ok) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "the output cannot be completed: flushing or renaming it failed%s",
                   taco__sink_cause(&o->sink));
        ok = false;
    }
    taco__mem_free(o->mem, o->data, TACO__OUTPUT_BYTES);
    memset(o, 0, sizeof *o);
    return ok;
}
/* ==== src/codec/encode.h ==== */
/* encode.h - encoders of Snappy, LZ4, gzip and ZSTD, for the writer of Parquet

   Every encoder has the same contract: ..._bound says how many bytes n bytes may become at most;
   ..._encode writes to dst, which has room for that many and does not overlap the input, and sets
   *size; it fails only where cap is too small or the input too long (ARGUMENT). The output depends
   only on the input and the settings, not on earlier calls. The caller provides an encoder's
   memory: a plain struct (Snappy, LZ4), or one block that ..._open allocates and ..._close frees
   (gzip, ZSTD); none is allocated while encoding. All of them find matches with hash tables and
   write them greedily or after checking the next positions; see the individual files. */
#ifndef TACO__CODEC_ENCODE_H
#define TACO__CODEC_ENCODE_H

/* #include "zstd.h" */

/* ---- bit_writer.c ---- */

/* Writes bits, lowest first. It stops at `stop`, after which there is room for 8 bytes: the output
   is then too large to be useful. */
typedef struct taco__bit_writer {
    uint64_t word; /* `count` bits are in it, less than 8 after a flush */
    unsigned count;
    uint8_t *at, *stop;
} taco__bit_writer;

TACO__FN taco__bit_writer taco__bit_writer_init(uint8_t *at, uint8_t *stop);
TACO__FN uint8_t *taco__bit_writer_finish(taco__bit_writer *b);
TACO__FN void taco__huffman_lengths(uint8_t *length, const uint32_t *freq, unsigned symbols,
                                    unsigned max);

/* Adds the low n bits of x; the others must be 0. At most 56 bits between two flushes. */
TACO__INLINE void taco__bit_writer_put(taco__bit_writer *b, uint64_t x, unsigned n)
{
    b->word |= x << b->count;
    b->count += n;
}

/* Moves whole bytes to memory. */
TACO__INLINE void taco__bit_writer_flush(taco__bit_writer *b)
{
    taco__put_le64(b->at, b->word);
    b->at += b->count >> 3;
    b->at = b->at > b->stop ? b->stop : b->at;
    b->word >>= b->count & 56;
    b->count &= 7;
}

/* ---- snappy_encode.c, lz4_encode.c ---- */

#define TACO__SNAPPY_ENCODE_LOG 14
#define TACO__LZ4_ENCODE_LOG    13

/* The encoders' memory, 32 KiB each. It needs no initialisation and may be used again. */
typedef struct taco__snappy_encoder {
    uint16_t at[1 << TACO__SNAPPY_ENCODE_LOG]; /* by hash of 4 bytes: where they last occurred */
} taco__snappy_encoder;

typedef struct taco__lz4_encoder {
    uint32_t at[1 << TACO__LZ4_ENCODE_LOG]; /* by hash of 5 bytes: where they last occurred */
} taco__lz4_encoder;

TACO__FN bool taco__snappy_encode_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__snappy_encode(taco__snappy_encoder *e, taco_bytes in, uint8_t *dst,
                                         size_t cap, size_t *size, taco_error *err);
TACO__FN bool taco__lz4_encode_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__lz4_encode(taco__lz4_encoder *e, taco_bytes in, uint8_t *dst, size_t cap,
                                      size_t *size, taco_error *err);

/* ---- deflate.c ---- */

#define TACO__DEFLATE_TOKENS   32768 /* most tokens in a block */
#define TACO__DEFLATE_HASH_LOG 15

/* Created by taco__deflate_open. Positions are numbered from 1; 0 is none. */
typedef struct taco__deflater {
    taco__mem *mem;
    uint32_t head[1 << TACO__DEFLATE_HASH_LOG]; /* by hash: the last position */
    /* by position: the previous one with the same hash */
    uint32_t prev[32768];
    uint32_t token[TACO__DEFLATE_TOKENS]; /* a literal, or length << 16 | distance */
    uint32_t count;
    /* For literals and lengths, and for distances: the frequency of each symbol in the block, and
       its code as bits << 8 | length. */
    uint32_t freq[2][288], code[2][288];
    uint8_t length[2][288];
    uint8_t length_code[259]; /* by the length of a match: its code, less 257 */
} taco__deflater;

TACO__FN taco__deflater *taco__deflate_open(taco__mem *mem, taco_error *err);
TACO__FN void taco__deflate_close(taco__deflater *e);
TACO__FN bool taco__deflate_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__deflate_gzip(taco__deflater *e, taco_bytes in, uint8_t *dst, size_t cap,
                                        size_t *size, taco_error *err);

/* ---- zstd_encode.c ---- */

/* Levels are 1 to TACO__ZSTD_ENCODE_MAX_LEVEL. */
#define TACO__ZSTD_ENCODE_DEFAULT_LEVEL 3
#define TACO__ZSTD_ENCODE_MAX_LEVEL     19

/* per block: the shortest match has 3 bytes */
#define TACO__ZSTD_ENCODE_MAX_SEQUENCES (TACO__ZSTD_BLOCK_MAX / 3 + 1)

typedef enum taco__zstd_match_kind {
    TACO__ZSTD_MATCH_FAST,   /* one table of hashes */
    TACO__ZSTD_MATCH_DOUBLE, /* two: of 8 bytes and of 5 */
    TACO__ZSTD_MATCH_CHAIN   /* hash chains, checking the next positions */
} taco__zstd_match_kind;

typedef struct taco__zstd_encode_level {
    uint8_t kind;
    uint8_t window, hash, second; /* logarithms: of the window, of the entries of both tables */
    uint8_t width;                /* FAST: number of bytes hashed */
    uint8_t lazy;                 /* CHAIN: positions looked ahead, 0 to 2 */
    uint16_t tries;               /* CHAIN: most candidates checked */
} taco__zstd_encode_level;

typedef struct taco__zstd_encode_sequence {
    uint32_t literals, match; /* match: less 3 */
    uint32_t value;           /* Offset_Value, §3.1.1.3.2.1.1 */
} taco__zstd_encode_sequence;

/* A finite state coder. In a state, (state + bits[symbol]) >> 16 bits are written; the bits above
   them, and find[symbol], lead to the next state. */
typedef struct taco__zstd_encode_fse {
    taco__zstd_fse_counts c;
    uint16_t next[512];
    uint32_t bits[64];
    int32_t find[64];
} taco__zstd_encode_fse;

typedef struct taco__zstd_encode_huf {
    uint64_t code[256]; /* the code in the upper bits, its length in the lowest 8; 0: none */
    unsigned symbols, log;
} taco__zstd_encode_huf;

/* Created by taco__zstd_encode_open in one allocation, followed by the hash tables. */
typedef struct taco__zstd_encoder {
    taco__mem *mem;
    size_t size; /* of the allocation */
    const taco__zstd_encode_level *level;
    uint32_t *hash, *second; /* numbers of positions; see taco__zstd_match_enter */
    uint32_t base;           /* number of the first byte of the part, > 0 */
    uint32_t used;           /* end of the numbers used so far */

    const uint8_t *src; /* the current part */
    size_t len;         /* its length */
    size_t window;      /* longest distance of a match */
    size_t added;       /* CHAIN: positions below this are in the chains */

    uint32_t repeat[3];      /* the last three offsets */
    uint32_t seqs, literals; /* their number in the block */
    taco__zstd_encode_huf huf[2];
    /* of each field: predefined, two that take turns, one for a single code */
    taco__zstd_encode_fse fse[3][4];
    int8_t huf_last;                   /* index of the huf that a later block may reuse, -1 none */
    uint8_t fse_last[3];               /* the same for fse, 0 none */
    uint8_t ll_code[64], ml_code[128]; /* codes of the most common lengths */
    uint32_t base_of[3][53];           /* of each code: see taco__zstd_codes_values */
    uint8_t extra[3][53];
    taco__zstd_encode_sequence seq[TACO__ZSTD_ENCODE_MAX_SEQUENCES];
    uint8_t code[3][TACO__ZSTD_ENCODE_MAX_SEQUENCES];
    uint8_t literal[TACO__ZSTD_BLOCK_MAX + TACO__ZSTD_SLACK];
    uint8_t out[TACO__ZSTD_BLOCK_MAX + 1024 + TACO__ZSTD_SLACK]; /* the block, encoded */
} taco__zstd_encoder;

TACO__FN taco__zstd_encoder *taco__zstd_encode_open(taco__mem *mem, int level, taco_error *err);
TACO__FN void taco__zstd_encode_close(taco__zstd_encoder *e);
TACO__FN bool taco__zstd_encode_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__zstd_encode(taco__zstd_encoder *e, taco_bytes in, bool checksum,
                                       uint8_t *dst, size_t cap, size_t *size, taco_error *err);

/* ---- zstd_encode_match.c ---- */

TACO__FN void taco__zstd_match_block(taco__zstd_encoder *e, size_t from, size_t n);

/* ---- zstd_encode_entropy.c ---- */

TACO__FN void taco__zstd_encode_fse_build(taco__zstd_encode_fse *f);
TACO__FN void taco__zstd_encode_fse_normalize(taco__zstd_fse_counts *c, const uint32_t *freq,
                                              unsigned symbols, uint32_t total, unsigned max_log);
TACO__FN uint8_t *taco__zstd_encode_fse_write_counts(uint8_t *at, const taco__zstd_fse_counts *c);
TACO__FN uint64_t taco__zstd_encode_fse_cost(const taco__zstd_fse_counts *c, const uint32_t *freq,
                                             unsigned symbols);
TACO__FN void taco__zstd_encode_huf_make(taco__zstd_encode_huf *h, const uint32_t *freq);
TACO__FN uint64_t taco__zstd_encode_huf_cost(const taco__zstd_encode_huf *h, const uint32_t *freq);
TACO__FN size_t taco__zstd_encode_huf_write(uint8_t *to, const taco__zstd_encode_huf *h);
TACO__FN uint8_t *taco__zstd_encode_huf_stream(uint8_t *at, uint8_t *stop, const uint64_t *code,
                                               const uint8_t *p, size_t n);
TACO__FN void taco__zstd_encode_huf_count(uint32_t *freq, const uint8_t *p, size_t n);

/* The first state, for the symbol that the decoder reads last. */
TACO__INLINE uint32_t taco__zstd_encode_fse_first(const taco__zstd_encode_fse *f, unsigned s)
{
    unsigned bits = (f->bits[s] + 0x8000U) >> 16;
    uint32_t least = (bits << 16) - f->bits[s];
    return f->next[(int32_t)(least >> bits) + f->find[s]];
}

/* Encodes symbol s, which precedes those coded so far: writes the bits that lead the decoder from
   the state of s to *state, and sets *state to the state of s. */
TACO__INLINE void taco__zstd_encode_fse_step(taco__bit_writer *b, const taco__zstd_encode_fse *f,
                                             uint32_t *state, unsigned s)
{
    unsigned bits = (*state + f->bits[s]) >> 16;
    taco__bit_writer_put(b, *state & ((1U << bits) - 1), bits);
    *state = f->next[(int32_t)(*state >> bits) + f->find[s]];
}

#endif /* TACO__CODEC_ENCODE_H */
/* ==== src/codec/bit_writer.c ==== */
/* bit_writer.c - bits from the lowest up, and the lengths of Huffman codes, for the encoders

   taco__bit_writer is mostly inline, in encode.h. taco__huffman_lengths serves DEFLATE and ZSTD: it
   turns the frequency of each symbol into the length of its code, first from Huffman's tree and
   then limited to the longest that the format allows. Each format derives the codes from the
   lengths in its own way. */
/* #include "encode.h" */

TACO__FN taco__bit_writer taco__bit_writer_init(uint8_t *at, uint8_t *stop)
{
    taco__bit_writer b;
    b.word = 0;
    b.count = 0;
    b.at = at;
    b.stop = stop;
    return b;
}

/* Ends a ZSTD stream with a bit 1, RFC 8878 §4.1; returns its end, NULL when it reached `stop`. */
TACO__FN uint8_t *taco__bit_writer_finish(taco__bit_writer *b)
{
    taco__bit_writer_put(b, 1, 1);
    taco__bit_writer_flush(b);
    if (b->at >= b->stop) { return NULL; }
    if (b->count) { *b->at++ = (uint8_t)b->word; }
    return b->at;
}

#define TACO__HUFFMAN_SYMBOLS 288 /* of the largest alphabet, that of DEFLATE */

/* Code lengths for the `used` >= 2 entries of `order`, ascending: the low 9 bits of an entry are a
   symbol, the others its frequency. The two smallest of the remaining trees are joined until one is
   left: leaves in order, and joined trees in order of creation, are two queues. */
static void taco__huffman_tree(const uint32_t *order, unsigned used, uint8_t *length)
{
    uint32_t weight[TACO__HUFFMAN_SYMBOLS];
    uint16_t parent[2 * TACO__HUFFMAN_SYMBOLS];
    uint8_t depth[TACO__HUFFMAN_SYMBOLS];
    unsigned leaf = 0, tree = 0, made, i, k;
    for (made = 0; made + 1 < used; made++) {
        weight[made] = 0;
        for (k = 0; k < 2; k++) {
            if (leaf < used && (tree == made || order[leaf] >> 9 <= weight[tree])) {
                weight[made] += order[leaf] >> 9;
                parent[leaf++] = (uint16_t)made;
            } else {
                weight[made] += weight[tree];
                parent[TACO__HUFFMAN_SYMBOLS + tree++] = (uint16_t)made;
            }
        }
    }
    depth[made - 1] = 0;
    for (i = made - 1; i > 0; i--) {
        depth[i - 1] = (uint8_t)(depth[parent[TACO__HUFFMAN_SYMBOLS + i - 1]] + 1);
    }
    for (i = 0; i < used; i++) {
        length[i] = (uint8_t)(depth[parent[i]] + 1);
    }
}

/* Limits lengths to `max` bits; `length` begins with the rarest symbol. A code of n bits takes 1 <<
   (max - n) of the space 1 << max. The excess is compensated by lengthening the longest codes below
   max by a bit, the rarest first; if that was more than needed, codes are shortened again, from the
   longest. The rest is always a multiple of what the longest codes take, so that nothing is left at
   the end. */
static void taco__huffman_limit(uint8_t *length, unsigned used, unsigned max)
{
    int32_t left = 1 << max;
    unsigned i, best;
    for (i = 0; i < used; i++) {
        length[i] = (uint8_t)TACO__MIN(length[i], max);
        left -= 1 << (max - length[i]);
    }
    while (left < 0) {
        for (best = used, i = 0; i < used; i++) {
            best = length[i] < max && (best == used || length[i] > length[best]) ? i : best;
        }
        left += 1 << (max - ++length[best]);
    }
    while (left > 0) {
        for (best = used, i = used; i-- > 0;) {
            if (1 << (max - length[i]) <= left && (best == used || length[i] > length[best])) {
                best = i;
            }
        }
        left -= 1 << (max - length[best]--);
    }
}

/* Lengths of codes, of 1 to `max` bits, for symbols that occur freq[symbol] times; 0 for those that
   do not. Frequencies are below 1 << 23. One symbol alone has 1 bit. */
TACO__FN void taco__huffman_lengths(uint8_t *length, const uint32_t *freq, unsigned symbols,
                                    unsigned max)
{
    uint32_t order[TACO__HUFFMAN_SYMBOLS];
    uint8_t by_order[TACO__HUFFMAN_SYMBOLS];
    unsigned used = 0, s, i, gap;
    for (s = 0; s < symbols; s++) {
        if (freq[s]) { order[used++] = freq[s] << 9 | s; }
        length[s] = 0;
    }
    for (gap = 121; gap; gap /= 3) { /* Shell's sort: 121, 40, 13, 4, 1 */
        for (i = gap; i < used; i++) {
            uint32_t x = order[i];
            for (s = i; s >= gap && order[s - gap] > x; s -= gap) {
                order[s] = order[s - gap];
            }
            order[s] = x;
        }
    }
    if (used == 1) { length[order[0] & 511] = 1; }
    if (used < 2) { return; }
    taco__huffman_tree(order, used, by_order);
    taco__huffman_limit(by_order, used, max);
    for (i = 0; i < used; i++) {
        length[order[i] & 511] = by_order[i];
    }
}
/* ==== src/codec/snappy_encode.c ==== */
/* snappy_encode.c - encode one raw Snappy block (google/snappy, format_description.txt)

   The plain length, then parts of 64 KiB, so that offsets have 2 bytes at most. In each part, for
   every position the last one with the same hash of 4 bytes is checked; if these are equal, the
   bytes since the last match are written as a literal, and the match as copies. */
/* #include "encode.h" */

#define TACO__SNAPPY_ENCODE_PART 65536U /* bytes */

/* The most bytes that n bytes take. A literal of L bytes and the copy of 4 or more after it take at
   most L + 4 bytes, and one more for every 60 of L at most. False when that is not a size. */
TACO__FN bool taco__snappy_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 6 + 32, bound);
}

/* n literals, 1 to 64 KiB; returns the end. */
static uint8_t *taco__snappy_encode_literal(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t x = n - 1, i;
    if (x < 60) {
        *to++ = (uint8_t)(x << 2);
    } else { /* the number of bytes that x takes; it is less than 1 << 16 */
        const size_t size = x < 256 ? 1 : 2;
        *to++ = (uint8_t)((59 + size) << 2);
        for (i = 0; i < size; i++) {
            *to++ = (uint8_t)(x >> (8 * i));
        }
    }
    memcpy(to, from, n);
    return to + n;
}

/* A match of n >= 4 bytes, in copies of at most 64; returns the end. */
static uint8_t *taco__snappy_encode_copy(uint8_t *to, size_t offset, size_t n)
{
    while (n > 64) { /* leaves at least 4 bytes for the rest */
        const size_t k = n >= 68 ? 64 : 60;
        *to++ = (uint8_t)(2 | (k - 1) << 2);
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
        n -= k;
    }
    if (n < 12 && offset < 2048) {
        *to++ = (uint8_t)(1 | (n - 4) << 2 | offset >> 8 << 5);
        *to++ = (uint8_t)offset;
    } else {
        *to++ = (uint8_t)(2 | (n - 1) << 2);
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
    }
    return to;
}

TACO__INLINE uint32_t taco__snappy_encode_hash(const uint8_t *p)
{
    return taco__load_le32(p) * 0x9E3779B1U >> (32 - TACO__SNAPPY_ENCODE_LOG);
}

/* Encodes a part; returns the end. After a long stretch without matches, steps get wider. Position
   0 also means none; comparing the bytes decides. */
static uint8_t *taco__snappy_encode_part(taco__snappy_encoder *e, const uint8_t *p, size_t n,
                                         uint8_t *to)
{
    size_t anchor = 0, i = 1, m, len;
    memset(e->at, 0, sizeof e->at);
    while (n >= 16 && i < n - 8) {
        uint16_t *at = &e->at[taco__snappy_encode_hash(p + i)];
        m = *at;
        *at = (uint16_t)i;
        if (taco__load_le32(p + m) != taco__load_le32(p + i)) {
            i += 1 + ((i - anchor) >> 5);
            continue;
        }
        len = 4 + taco__lz_match_length(p + m + 4, p + i + 4, p + n);
        if (i > anchor) { to = taco__snappy_encode_literal(to, p + anchor, i - anchor); }
        to = taco__snappy_encode_copy(to, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 8) { e->at[taco__snappy_encode_hash(p + i - 1)] = (uint16_t)(i - 1); }
    }
    return n > anchor ? taco__snappy_encode_literal(to, p + anchor, n - anchor) : to;
}

/* One block, with the usual contract of an encoder. */
TACO__FN taco_status taco__snappy_encode(taco__snappy_encoder *e, taco_bytes in, uint8_t *dst,
                                         size_t cap, size_t *size, taco_error *err)
{
    uint8_t *to = dst;
    size_t bound = 0, i, n;
    uint64_t x = in.len;
    *size = 0;
    if (!taco__snappy_encode_bound(in.len, &bound) || in.len > UINT32_MAX || cap < bound) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "a Snappy block of %u bytes of data may take %u bytes, there is room for %u",
            TACO__U(in.len), TACO__U(bound), TACO__U(cap));
    }
    for (; x >= 128; x >>= 7) {
        *to++ = (uint8_t)(x | 128);
    }
    *to++ = (uint8_t)x;
    for (i = 0; i < in.len; i += n) {
        n = TACO__MIN(in.len - i, (size_t)TACO__SNAPPY_ENCODE_PART);
        to = taco__snappy_encode_part(e, in.data + i, n, to);
    }
    *size = (size_t)(to - dst);
    return TACO_OK;
}
/* ==== src/codec/lz4_encode.c ==== */
/* lz4_encode.c - encode one LZ4 block (LZ4 block format), for LZ4_RAW

   One pass: for each position the last one with the same hash of 5 bytes is checked; if 4 bytes are
   equal, the match is extended in both directions, and literals and match are written as a
   sequence. After a long stretch without matches, steps get wider. As decoders require, the last
   match begins at least 12 bytes before the end, and the last 5 bytes are literals. */
/* #include "encode.h" */

#define TACO__LZ4_ENCODE_MAX 0x7E000000U /* bytes of a block, as in the reference */

/* The most bytes that n bytes take: lengths take a byte more for every 255. False when that is not
   a size. */
TACO__FN bool taco__lz4_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 255 + 16, bound);
}

/* The bytes of a length after the 15 in the token. */
static uint8_t *taco__lz4_encode_length(uint8_t *to, size_t n)
{
    for (; n >= 255; n -= 255) {
        *to++ = 255;
    }
    *to++ = (uint8_t)n;
    return to;
}

/* Writes a sequence: n literals, and a match unless `match` is 0, as in the last. Returns the
   end. */
static uint8_t *taco__lz4_encode_sequence(uint8_t *to, const uint8_t *from, size_t n, size_t offset,
                                          size_t match)
{
    const size_t rest = match ? match - 4 : 0;
    *to++ = (uint8_t)(TACO__MIN(n, (size_t)15) << 4 | TACO__MIN(rest, (size_t)15));
    to = n >= 15 ? taco__lz4_encode_length(to, n - 15) : to;
    if (n) {
        memcpy(to, from, n);
        to += n;
    }
    if (match) {
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
        to = rest >= 15 ? taco__lz4_encode_length(to, rest - 15) : to;
    }
    return to;
}

TACO__INLINE uint32_t taco__lz4_encode_hash(const uint8_t *p)
{
    return (uint32_t)((taco__load_le64(p) << 24) * 0x9E3779B185EBCA87U >>
                      (64 - TACO__LZ4_ENCODE_LOG));
}

/* One block, with the usual contract of an encoder. Position 0 also means none; comparing the bytes
   decides. */
TACO__FN taco_status taco__lz4_encode(taco__lz4_encoder *e, taco_bytes in, uint8_t *dst, size_t cap,
                                      size_t *size, taco_error *err)
{
    const uint8_t *p = in.data;
    const size_t n = in.len;
    uint8_t *to = dst;
    size_t bound = 0, anchor = 0, i = 1, m, len;
    *size = 0;
    if (!taco__lz4_encode_bound(n, &bound) || n > TACO__LZ4_ENCODE_MAX || cap < bound) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "an LZ4 block of %u bytes of data may take %u bytes, there is room for %u", TACO__U(n),
            TACO__U(bound), TACO__U(cap));
    }
    memset(e->at, 0, sizeof e->at);
    while (n > 13 && i < n - 12) {
        uint32_t *at = &e->at[taco__lz4_encode_hash(p + i)];
        m = *at;
        *at = (uint32_t)i;
        if (i - m > 65535 || taco__load_le32(p + m) != taco__load_le32(p + i)) {
            i += 1 + ((i - anchor) >> 6);
            continue;
        }
        while (i > anchor && m > 0 && p[i - 1] == p[m - 1]) {
            i--;
            m--;
        }
        len = 4 + taco__lz_match_length(p + m + 4, p + i + 4, p + n - 5);
        to = taco__lz4_encode_sequence(to, p + anchor, i - anchor, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 12) { e->at[taco__lz4_encode_hash(p + i - 2)] = (uint32_t)(i - 2); }
    }
    to = taco__lz4_encode_sequence(to, p + anchor, n - anchor, 0, 0);
    *size = (size_t)(to - dst);
    return TACO_OK;
}
/* ==== src/codec/deflate.c ==== */
/* deflate.c - encode gzip files (RFC 1952) with DEFLATE data (RFC 1951, cited by section)

   taco__deflate_run splits the input into tokens, literals and matches, found by following chains
   of positions with the same hash of 4 bytes inside the window of 32 KiB, and checking the next
   position before a match is used. 32768 tokens make a block, which taco__deflate_end_block writes
   with dynamic codes, or stored if that is smaller; fixed codes are never used. */
/* #include "encode.h" */

#define TACO__DEFLATE_TRIES 24 /* most candidates checked for a match */
#define TACO__DEFLATE_GOOD_LENGTH                                                                  \
    64 /* a match this long is used without checking the next position */

/* The code of a distance d > 0: 2 log2(d - 1) + the bit of d - 1 after its highest. */
TACO__INLINE unsigned taco__deflate_distance_code(uint32_t d)
{
    unsigned top;
    if (d < 3) { return d - 1; }
    top = 63 - taco__plat_clz64(d - 1);
    return 2 * top + ((d - 1) >> (top - 1) & 1);
}

/* Codes of one alphabet from its lengths, §3.2.2, as bits << 8 | length, with the bits in the order
   they are written. */
static void taco__deflate_make_codes(uint32_t *code, const uint8_t *length, unsigned symbols)
{
    uint32_t next[17] = {0}, x, reversed;
    unsigned s, k;
    for (s = 0; s < symbols; s++) {
        next[length[s] + 1]++;
    }
    next[1] = 0;
    for (k = 1; k < 16; k++) { /* the first code of each length, from that of the one before */
        next[k + 1] = (next[k] + next[k + 1]) << 1;
    }
    for (s = 0; s < symbols; s++) {
        if (length[s] == 0) {
            code[s] = 0;
            continue;
        }
        x = next[length[s]]++;
        for (reversed = k = 0; k < length[s]; k++) {
            reversed |= (x >> k & 1) << (length[s] - 1U - k);
        }
        code[s] = reversed << 8 | length[s];
    }
}

/* The lengths of both alphabets as symbols of a third, §3.2.7: 16 repeats the last 3 to 6 times, 17
   and 18 are 3 to 10 and 11 to 138 zeros. Returns how many; each is symbol | extra bits << 8. */
static unsigned taco__deflate_encode_lengths(uint16_t *run, const uint8_t *length, unsigned n)
{
    unsigned i = 0, count = 0, k;
    while (i < n) {
        for (k = 1; i + k < n && length[i + k] == length[i] && k < 138; k++) {}
        if (length[i] == 0 && k >= 3) {
            run[count++] = (uint16_t)(k < 11 ? 17 | (k - 3) << 8 : 18 | (k - 11) << 8);
        } else if (i && length[i] == length[i - 1] && k >= 3) {
            k = TACO__MIN(k, 6U);
            run[count++] = (uint16_t)(16 | (k - 3) << 8);
        } else {
            k = 1;
            run[count++] = length[i];
        }
        i += k;
    }
    return count;
}

/* The header of a block with dynamic codes: how many lengths of each alphabet are written, those
   lengths as `count` symbols, and their codes. */
typedef struct taco__deflate_block_header {
    unsigned literals, distances, lengths, count;
    uint16_t run[288 + 32];
    uint32_t code[19];
} taco__deflate_block_header;

/* extra bits of the symbols of lengths, §3.2.7 */
static const uint8_t taco__deflate_run_bits[19] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                   0, 0, 0, 0, 0, 0, 2, 3, 7};

/* The size of n symbols in bits: their codes, and `extra` bits for each. */
static uint64_t taco__deflate_cost(const uint32_t *freq, const uint8_t *length, unsigned n,
                                   unsigned (*extra)(unsigned symbol))
{
    uint64_t bits = 0;
    unsigned i;
    for (i = 0; i < n; i++) {
        bits += (uint64_t)freq[i] * (length[i] + extra(i));
    }
    return bits;
}

static unsigned taco__deflate_run_extra(unsigned symbol)
{
    return taco__deflate_run_bits[symbol];
}

static unsigned taco__deflate_literal_extra(unsigned symbol)
{
    return symbol > 256 ? taco__flate_length_extra(symbol - 257) : 0;
}

static unsigned taco__deflate_distance_extra(unsigned symbol)
{
    return taco__flate_distance_extra(symbol);
}

/* Makes the codes of the current tokens and the block's header; returns the size of the block in
   bits. */
static uint64_t taco__deflate_plan_block(taco__deflater *e, taco__deflate_block_header *h)
{
    uint8_t length[288 + 32], of_run[19];
    uint32_t freq[19] = {0};
    unsigned i;
    e->freq[0][256] = 1; /* the end */
    /* one distance at least, for readers that insist on it */
    e->freq[1][0] += e->freq[1][0] == 0;
    taco__huffman_lengths(e->length[0], e->freq[0], 286, 15);
    taco__huffman_lengths(e->length[1], e->freq[1], 30, 15);
    taco__deflate_make_codes(e->code[0], e->length[0], 286);
    taco__deflate_make_codes(e->code[1], e->length[1], 30);
    for (h->literals = 286; e->length[0][h->literals - 1] == 0; h->literals--) {}
    for (h->distances = 30; e->length[1][h->distances - 1] == 0; h->distances--) {}
    memcpy(length, e->length[0], h->literals);
    memcpy(length + h->literals, e->length[1], h->distances);
    h->count = taco__deflate_encode_lengths(h->run, length, h->literals + h->distances);
    for (i = 0; i < h->count; i++) {
        freq[h->run[i] & 255]++;
    }
    taco__huffman_lengths(of_run, freq, 19, 7);
    taco__deflate_make_codes(h->code, of_run, 19);
    for (h->lengths = 19; of_run[taco__flate_length_order(h->lengths - 1)] == 0; h->lengths--) {}
    h->lengths = TACO__MAX(h->lengths, 4U);
    return 3 + 14 + 3 * h->lengths + taco__deflate_cost(freq, of_run, 19, taco__deflate_run_extra) +
           taco__deflate_cost(e->freq[0], e->length[0], 286, taco__deflate_literal_extra) +
           taco__deflate_cost(e->freq[1], e->length[1], 30, taco__deflate_distance_extra);
}

/* The header of a block with dynamic codes, §3.2.7. */
static void taco__deflate_write_header(const taco__deflate_block_header *h, bool last,
                                       taco__bit_writer *b)
{
    unsigned i;
    taco__bit_writer_put(b, (unsigned)last | 2U << 1, 3);
    taco__bit_writer_put(b, h->literals - 257, 5);
    taco__bit_writer_put(b, h->distances - 1, 5);
    taco__bit_writer_put(b, h->lengths - 4, 4);
    taco__bit_writer_flush(b);
    for (i = 0; i < h->lengths; i++) {
        taco__bit_writer_put(b, h->code[taco__flate_length_order(i)] & 255, 3);
        taco__bit_writer_flush(b);
    }
    for (i = 0; i < h->count; i++) {
        const uint32_t c = h->code[h->run[i] & 255];
        taco__bit_writer_put(b, c >> 8, c & 255);
        taco__bit_writer_put(b, (uint64_t)h->run[i] >> 8, taco__deflate_run_bits[h->run[i] & 255]);
        taco__bit_writer_flush(b);
    }
}

/* The current tokens, and the end of the block. */
static void taco__deflate_write_tokens(const taco__deflater *e, taco__bit_writer *b)
{
    unsigned i;
    for (i = 0; i < e->count; i++) {
        const uint32_t token = e->token[i], n = token >> 16;
        if (n == 0) {
            taco__bit_writer_put(b, e->code[0][token] >> 8, e->code[0][token] & 255);
        } else { /* 15 + 5 + 15 + 13 bits at most */
            const unsigned k = e->length_code[n];
            const uint32_t distance = token & 0xFFFF, c = e->code[0][257 + k];
            const unsigned d = taco__deflate_distance_code(distance);
            taco__bit_writer_put(b, c >> 8, c & 255);
            taco__bit_writer_put(b, n - taco__flate_length_base(k), taco__flate_length_extra(k));
            taco__bit_writer_put(b, e->code[1][d] >> 8, e->code[1][d] & 255);
            taco__bit_writer_put(b, distance - taco__flate_distance_base(d),
                                 taco__flate_distance_extra(d));
        }
        taco__bit_writer_flush(b);
    }
    taco__bit_writer_put(b, e->code[0][256] >> 8, e->code[0][256] & 255);
    taco__bit_writer_flush(b);
}

/* Stored blocks, §3.2.4, of up to 65535 bytes each; n may be 0. */
static void taco__deflate_write_stored(taco__bit_writer *b, const uint8_t *p, size_t n, bool last)
{
    do {
        const size_t k = TACO__MIN(n, (size_t)65535);
        taco__bit_writer_put(b, last && k == n, 3);
        taco__bit_writer_put(b, 0, (8 - (b->count & 7)) & 7);
        taco__bit_writer_flush(b);
        taco__bit_writer_put(b, k | (uint64_t)(k ^ 0xFFFF) << 16, 32);
        taco__bit_writer_flush(b);
        if (k) { memcpy(b->at, p, k); }
        b->at += k;
        p += k;
        n -= k;
    } while (n);
}

/* Writes the current tokens, which are n bytes at p, as a block, in the smaller form. */
static void taco__deflate_end_block(taco__deflater *e, taco__bit_writer *b, const uint8_t *p,
                                    size_t n, bool last)
{
    taco__deflate_block_header h;
    if (taco__deflate_plan_block(e, &h) / 8 < n) {
        taco__deflate_write_header(&h, last, b);
        taco__deflate_write_tokens(e, b);
    } else {
        taco__deflate_write_stored(b, p, n, last);
    }
    e->count = 0;
    memset(e->freq, 0, sizeof e->freq);
}

TACO__INLINE void taco__deflate_add_literal(taco__deflater *e, uint8_t x)
{
    e->token[e->count++] = x;
    e->freq[0][x]++;
}

/* The head of the chain of p's first 4 bytes. */
TACO__INLINE uint32_t *taco__deflate_hash_slot(taco__deflater *e, const uint8_t *p)
{
    return &e->head[taco__load_le32(p) * 0x9E3779B1U >> (32 - TACO__DEFLATE_HASH_LOG)];
}

/* Adds position i to the chains; if `look`, returns the length of its best match if that is above
   `best`, else 0. 4 bytes can be read at i. */
static size_t taco__deflate_find_match(taco__deflater *e, const uint8_t *p, size_t i, size_t n,
                                       size_t best, bool look, uint32_t *distance)
{
    uint32_t *slot = taco__deflate_hash_slot(e, p + i), m = *slot;
    size_t end = TACO__MIN(n, i + 258), found = 0;
    unsigned tries = TACO__DEFLATE_TRIES;
    e->prev[i & 32767] = m;
    *slot = (uint32_t)i + 1;
    for (; look && tries && m && i - (m - 1) <= 32768 - 1; tries--) {
        const size_t from = m - 1;
        if (i + best < end && p[from + best] == p[i + best]) {
            size_t k = taco__lz_match_length(p + from, p + i, p + end);
            if (k > best) {
                best = found = k;
                *distance = (uint32_t)(i - from);
            }
        }
        if (e->prev[from & 32767] >= m) { break; } /* overwritten since */
        m = e->prev[from & 32767];
    }
    return found;
}

/* Adds a match at i as a token, and the positions it covers to the chains. The first of these, i +
   1, may already be in them, since the next position was checked. */
static void taco__deflate_add_match(taco__deflater *e, const uint8_t *p, size_t i, size_t n,
                                    size_t stop, size_t match, uint32_t distance)
{
    const bool added = i + 1 < stop && *taco__deflate_hash_slot(e, p + i + 1) == (uint32_t)i + 2;
    uint32_t other;
    size_t k;
    e->token[e->count++] = (uint32_t)match << 16 | distance;
    e->freq[0][257 + e->length_code[match]]++;
    e->freq[1][taco__deflate_distance_code(distance)]++;
    for (k = added ? 2 : 1; k < match && i + k < stop; k++) {
        taco__deflate_find_match(e, p, i + k, n, 3, false, &other);
    }
}

/* Cuts all of `in` into tokens and writes the blocks. */
static void taco__deflate_run(taco__deflater *e, taco_bytes in, taco__bit_writer *b)
{
    const uint8_t *p = in.data;
    const size_t n = in.len, stop = n < 4 ? 0 : n - 3; /* 4 bytes are hashed */
    size_t i = 0, start = 0, match, later;
    uint32_t distance = 0, other = 0;
    while (i < n) {
        match = i < stop ? taco__deflate_find_match(e, p, i, n, 3, true, &distance) : 0;
        while (match && match < TACO__DEFLATE_GOOD_LENGTH && i + 1 < stop &&
               e->count + 2 < TACO__DEFLATE_TOKENS) { /* a longer one at the next position? */
            later = taco__deflate_find_match(e, p, i + 1, n, match, true, &other);
            if (!later) { break; }
            taco__deflate_add_literal(e, p[i++]);
            match = later;
            distance = other;
        }
        if (match) {
            taco__deflate_add_match(e, p, i, n, stop, match, distance);
            i += match;
        } else {
            taco__deflate_add_literal(e, p[i++]);
        }
        if (e->count + 2 >= TACO__DEFLATE_TOKENS && i < n) {
            taco__deflate_end_block(e, b, p + start, i - start, false);
            start = i;
        }
    }
    taco__deflate_end_block(e, b, p + start, n - start, true);
}

/* The most bytes that a gzip file of n bytes takes, plus 8 that are written after it. A block has
   32766 tokens, hence at least as many bytes, and is never larger than stored. False if that is not
   a size_t. */
TACO__FN bool taco__deflate_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 32766 * 6 + n / 65535 * 6 + 12 + 18 + 8, bound);
}

/* One gzip member without name and time, with the contract of every encoder; `in` has less than 4
   GiB. */
TACO__FN taco_status taco__deflate_gzip(taco__deflater *e, taco_bytes in, uint8_t *dst, size_t cap,
                                        size_t *size, taco_error *err)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255};
    taco__bit_writer b;
    size_t bound = 0;
    *size = 0;
    if (!taco__deflate_bound(in.len, &bound) || in.len >= UINT32_MAX || cap < bound) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "gzip of %u bytes of data may take %u bytes, there is room for %u",
                          TACO__U(in.len), TACO__U(bound), TACO__U(cap));
    }
    memcpy(dst, head, sizeof head);
    memset(e->head, 0, sizeof e->head);
    memset(e->prev, 0, sizeof e->prev);
    memset(e->freq, 0, sizeof e->freq);
    e->count = 0;
    b = taco__bit_writer_init(dst + sizeof head, dst + cap - 8);
    taco__deflate_run(e, in, &b);
    if (b.count) { *b.at++ = (uint8_t)b.word; }
    taco__put_le32(b.at, taco__crc32(0, in.data, in.len));
    taco__put_le32(b.at + 4, (uint32_t)in.len);
    *size = (size_t)(b.at + 8 - dst);
    return TACO_OK;
}

/* NULL on failure. For any number of files, one after the other. */
TACO__FN taco__deflater *taco__deflate_open(taco__mem *mem, taco_error *err)
{
    taco__deflater *e = (taco__deflater *)taco__mem_alloc(mem, sizeof *e, err);
    unsigned n, k = 0;
    if (e) {
        e->mem = mem;
        for (n = 3; n < 259; n++) {
            k += k < 28 && n >= taco__flate_length_base(k + 1);
            e->length_code[n] = (uint8_t)k;
        }
    }
    return e;
}

/* NULL is accepted. */
TACO__FN void taco__deflate_close(taco__deflater *e)
{
    if (e) { taco__mem_free(e->mem, e, sizeof *e); }
}
/* ==== src/codec/zstd_encode.c ==== */
/* zstd_encode.c - encode ZSTD frames (RFC 8878, cited by section)

   The mirror of the decoder, with its tables and constants. A level's finder (zstd_encode_match.c)
   cuts a block into sequences, "copy so many literals, then repeat so many bytes from so far back".
   Then the literals are coded with Huffman codes, the sequences with finite state codes
   (zstd_encode_entropy.c): of new tables, those of the previous block or predefined ones, those are
   used that are estimated to take the fewest bits. A block that does not shrink is stored, so that
   a frame is never larger than taco__zstd_encode_bound.

   Finders keep positions in tables, as numbers that only grow from call to call: entries of earlier
   calls are smaller than all of the current one and are ignored. So the tables need no clearing,
   and the output depends only on the input, the level and the checksum flag. Start with
   taco__zstd_encode, taco__zstd_encode_block and taco__zstd_encode_compressed. */
/* #include "encode.h" */

#define TACO__ZSTD_ENCODE_MIN_BYTES 16 /* blocks up to this size are stored */

/* No match crosses the boundary between two parts, so that a position fits in 32 bits, and one in a
   window in 24. A multiple of the size of a block. */
#define TACO__ZSTD_ENCODE_PART ((size_t)1 << 30)

/* ---- levels ---- */

/* kind, window, hash, second, width, lazy, tries */
static const taco__zstd_encode_level taco__zstd_encode_levels[TACO__ZSTD_ENCODE_MAX_LEVEL] = {
    {TACO__ZSTD_MATCH_FAST, 19, 14, 0, 6, 0, 0},
    {TACO__ZSTD_MATCH_FAST, 20, 16, 0, 5, 0, 0},
    {TACO__ZSTD_MATCH_DOUBLE, 21, 16, 16, 0, 0, 0},
    {TACO__ZSTD_MATCH_DOUBLE, 21, 18, 17, 0, 0, 0},
    {TACO__ZSTD_MATCH_CHAIN, 21, 16, 17, 0, 0, 4},
    {TACO__ZSTD_MATCH_CHAIN, 21, 17, 18, 0, 1, 4},
    {TACO__ZSTD_MATCH_CHAIN, 21, 17, 18, 0, 1, 8},
    {TACO__ZSTD_MATCH_CHAIN, 21, 18, 19, 0, 2, 8},
    {TACO__ZSTD_MATCH_CHAIN, 22, 18, 19, 0, 2, 16},
    {TACO__ZSTD_MATCH_CHAIN, 22, 18, 20, 0, 2, 32},
    {TACO__ZSTD_MATCH_CHAIN, 22, 18, 20, 0, 2, 64},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 128},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 128},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 192},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 256},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 21, 0, 2, 384},
    {TACO__ZSTD_MATCH_CHAIN, 23, 19, 21, 0, 2, 512},
    {TACO__ZSTD_MATCH_CHAIN, 23, 20, 22, 0, 2, 768},
    {TACO__ZSTD_MATCH_CHAIN, 23, 20, 22, 0, 2, 1024},
};

/* ---- literals, §3.1.1.3.1 ---- */

/* Samples of literals, and bytes of each. */
#define TACO__ZSTD_ENCODE_SAMPLES 4U
#define TACO__ZSTD_ENCODE_SAMPLE  1024U

/* A section of literals as they are (type 0), or of one literal n times (type 1); returns the
   end. */
static uint8_t *taco__zstd_encode_literals_plain(uint8_t *at, unsigned type, const uint8_t *p,
                                                 size_t n)
{
    uint32_t head = n < 32     ? type | (uint32_t)n << 3
                    : n < 4096 ? type | 1U << 2 | (uint32_t)n << 4
                               : type | 3U << 2 | (uint32_t)n << 4;
    unsigned size = n < 32 ? 1 : n < 4096 ? 2 : 3, i;
    for (i = 0; i < size; i++) {
        *at++ = (uint8_t)(head >> (8 * i));
    }
    if (type == 0 && n) {
        memcpy(at, p, n);
        return at + n;
    }
    if (type == 1) { *at++ = p[0]; }
    return at;
}

/* A section of n literals in the codes of h; returns the end, NULL when it is no shorter than the
   literals. `tree` is the description of the codes, of 0 bytes when they are those of the block
   before. Up to 255 literals are one stream, more are four. */
static uint8_t *taco__zstd_encode_literals_coded(uint8_t *at, const taco__zstd_encode_huf *h,
                                                 const uint8_t *tree, size_t tree_size,
                                                 const uint8_t *p, size_t n)
{
    const bool one = n < 256;
    unsigned width = n < 1024 ? 10 : n < 16384 ? 14 : 18, k;
    size_t head = width == 10 ? 3 : width == 14 ? 4 : 5, part = (n + 3) / 4, size;
    uint8_t *to = at + head, *stop = at + head + n, *sizes, *next;
    uint64_t x;
    if (tree_size) { memcpy(to, tree, tree_size); }
    to += tree_size;
    sizes = to;
    to = one ? to : to + 6;
    for (k = 0; k < (one ? 1 : 4); k++) {
        next = taco__zstd_encode_huf_stream(to, stop, h->code, one ? p : p + k * part,
                                            one      ? n
                                            : k == 3 ? n - 3 * part
                                                     : part);
        if (!next) { return NULL; }
        if (!one && k < 3) {
            sizes[2 * k] = (uint8_t)(next - to);
            sizes[2 * k + 1] = (uint8_t)((size_t)(next - to) >> 8);
        }
        to = next;
    }
    size = (size_t)(to - at) - head;
    if (size >= n) { return NULL; }
    x = (tree_size ? 2U : 3U) |
        (one           ? 0U
         : width == 10 ? 1U
         : width == 14 ? 2U
                       : 3U)
            << 2 |
        (uint64_t)n << 4 | (uint64_t)size << (4 + width);
    for (k = 0; k < head; k++) {
        at[k] = (uint8_t)(x >> (8 * k));
    }
    return to;
}

/* Whether many literals, hardly any of which were found before, are as good as random: judging by
   samples of them, all bytes are as frequent. */
static bool taco__zstd_encode_is_noise(const taco__zstd_encoder *e, const uint8_t *p, size_t n)
{
    uint32_t freq[256], sum[256], most = 0, i, k;
    if (n < 10 * TACO__ZSTD_ENCODE_SAMPLES * TACO__ZSTD_ENCODE_SAMPLE || e->seqs > n / 64) {
        return false;
    }
    memset(sum, 0, sizeof sum);
    for (k = 0; k < TACO__ZSTD_ENCODE_SAMPLES; k++) {
        const size_t at = (n - TACO__ZSTD_ENCODE_SAMPLE) / (TACO__ZSTD_ENCODE_SAMPLES - 1) * k;
        taco__zstd_encode_huf_count(freq, p + at, TACO__ZSTD_ENCODE_SAMPLE);
        for (i = 0; i < 256; i++) {
            sum[i] += freq[i];
        }
    }
    for (i = 0; i < 256; i++) {
        most = TACO__MAX(most, sum[i]);
    }
    return most <= TACO__ZSTD_ENCODE_SAMPLES * TACO__ZSTD_ENCODE_SAMPLE / 128 + 4;
}

/* Writes the literals of the current block in the smallest form; returns the end. *huf becomes the
   codes that the next block may reuse. */
static uint8_t *taco__zstd_encode_literals(taco__zstd_encoder *e, uint8_t *at, int8_t *huf)
{
    const uint8_t *p = e->literal;
    size_t n = e->literals, tree_size, i;
    uint32_t freq[256], most = 0;
    taco__zstd_encode_huf *fresh = &e->huf[e->huf_last == 0];
    uint64_t again = UINT64_MAX, cost;
    uint8_t tree[320], *end;
    if (n < 16 || taco__zstd_encode_is_noise(e, p, n)) {
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    taco__zstd_encode_huf_count(freq, p, n);
    for (i = 0; i < 256; i++) {
        most = TACO__MAX(most, freq[i]);
    }
    if (most == n) { return taco__zstd_encode_literals_plain(at, 1, p, n); }
    if (e->huf_last >= 0) { again = taco__zstd_encode_huf_cost(&e->huf[e->huf_last], freq); }
    if (most <= (n >> 7) + 4 && again == UINT64_MAX) { /* all as frequent: codes save nothing */
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    taco__zstd_encode_huf_make(fresh, freq);
    tree_size = taco__zstd_encode_huf_write(tree, fresh);
    cost = tree_size ? taco__zstd_encode_huf_cost(fresh, freq) + 8 * tree_size : UINT64_MAX;
    /* too little to be worth the decoding */
    if (TACO__MIN(cost, again) / 8 + n / 64 + 12 >= n) {
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    if (again <= cost) {
        end = taco__zstd_encode_literals_coded(at, &e->huf[e->huf_last], NULL, 0, p, n);
    } else {
        end = taco__zstd_encode_literals_coded(at, fresh, tree, tree_size, p, n);
        *huf = end ? (int8_t)(fresh - e->huf) : *huf;
    }
    return end ? end : taco__zstd_encode_literals_plain(at, 0, p, n);
}

/* ---- sequences, §3.1.1.3.2 ---- */

/* Finds the codes of all sequences and counts them by field. */
static void taco__zstd_encode_sequence_codes(taco__zstd_encoder *e, uint32_t (*freq)[64])
{
    uint32_t i;
    memset(freq, 0, 3 * sizeof freq[0]);
    for (i = 0; i < e->seqs; i++) {
        const taco__zstd_encode_sequence *s = &e->seq[i];
        unsigned ll =
            s->literals < 64 ? e->ll_code[s->literals] : taco__zstd_top_bit(s->literals) + 19;
        unsigned ml = s->match < 128 ? e->ml_code[s->match] : taco__zstd_top_bit(s->match) + 36;
        unsigned of = taco__zstd_top_bit(s->value);
        e->code[TACO__ZSTD_LL][i] = (uint8_t)ll;
        e->code[TACO__ZSTD_OF][i] = (uint8_t)of;
        e->code[TACO__ZSTD_ML][i] = (uint8_t)ml;
        freq[TACO__ZSTD_LL][ll]++;
        freq[TACO__ZSTD_OF][of]++;
        freq[TACO__ZSTD_ML][ml]++;
    }
}

/* How one field of a block's sequences is coded, §3.1.1.3.2.1. */
typedef struct taco__zstd_encode_choice {
    unsigned mode; /* 0 predefined, 1 a single code, 2 described, 3 the table of the block before */
    uint8_t table; /* in e->fse[field] */
} taco__zstd_encode_choice;

/* A new table for a field at e->fse[field][table], and its description at *at, which moves; returns
   what both cost. A table of one symbol cannot be described: UINT64_MAX. */
static uint64_t taco__zstd_encode_new_table(taco__zstd_encoder *e, unsigned field, unsigned table,
                                            const uint32_t *freq, uint8_t **at)
{
    const taco__zstd_codes *codes = taco__zstd_codes_of(field);
    taco__zstd_fse_counts *c = &e->fse[field][table].c;
    uint8_t *begin = *at;
    if (freq[e->code[field][0]] == e->seqs) { return UINT64_MAX; }
    taco__zstd_encode_fse_normalize(c, freq, codes->count, e->seqs, codes->max_log);
    *at = taco__zstd_encode_fse_write_counts(begin, c);
    return taco__zstd_encode_fse_cost(c, freq, codes->count) + (uint64_t)(*at - begin) * 8 * 256;
}

/* Chooses the table of a field that is estimated to cost the least, and writes its description;
   returns the end. */
static uint8_t *taco__zstd_encode_choose_table(taco__zstd_encoder *e, unsigned field,
                                               const uint32_t *freq, uint8_t *at,
                                               taco__zstd_encode_choice *choice)
{
    unsigned last = e->fse_last[field], fresh = last == 1 ? 2 : 1;
    unsigned symbols = taco__zstd_codes_of(field)->count;
    const unsigned first = e->code[field][0];
    uint64_t predefined = UINT64_MAX, again = UINT64_MAX, cost = UINT64_MAX;
    uint8_t *end = at;
    if (freq[first] != e->seqs || e->seqs <= 2) {
        predefined = taco__zstd_encode_fse_cost(&e->fse[field][0].c, freq, symbols);
        if (last) { again = taco__zstd_encode_fse_cost(&e->fse[field][last].c, freq, symbols); }
        cost = taco__zstd_encode_new_table(e, field, fresh, freq, &end);
    }
    if (predefined == UINT64_MAX && again == UINT64_MAX && cost == UINT64_MAX) {
        choice->mode = 1;
        choice->table = 3;
        *at++ = (uint8_t)first;
        return at;
    }
    if (again <= cost && again <= predefined) {
        choice->mode = 3;
        choice->table = (uint8_t)last;
        return at;
    }
    if (predefined <= cost) {
        choice->mode = 0;
        choice->table = 0;
        return at;
    }
    taco__zstd_encode_fse_build(&e->fse[field][fresh]);
    choice->mode = 2;
    choice->table = (uint8_t)fresh;
    return end;
}

/* The bit stream: the decoder reads the three states and then, for each sequence, the further bits
   of offset, match and literals and those of the next states of literals, match and offset. All of
   it is written in the opposite order, from the last sequence to the first. At most 26 bits of
   states, 63 of lengths and offset. */
static uint8_t *taco__zstd_encode_sequence_bits(taco__zstd_encoder *e,
                                                const taco__zstd_encode_fse *const *f, uint8_t *at,
                                                uint8_t *stop)
{
    taco__bit_writer b = taco__bit_writer_init(at, stop);
    uint32_t ll = 0, of = 0, ml = 0, i;
    for (i = e->seqs; i-- > 0;) {
        const taco__zstd_encode_sequence *s = &e->seq[i];
        const unsigned lc = e->code[TACO__ZSTD_LL][i], mc = e->code[TACO__ZSTD_ML][i];
        const unsigned oc = e->code[TACO__ZSTD_OF][i];
        const unsigned lb = e->extra[TACO__ZSTD_LL][lc], mb = e->extra[TACO__ZSTD_ML][mc];
        if (i + 1 == e->seqs) {
            of = taco__zstd_encode_fse_first(f[TACO__ZSTD_OF], oc);
            ml = taco__zstd_encode_fse_first(f[TACO__ZSTD_ML], mc);
            ll = taco__zstd_encode_fse_first(f[TACO__ZSTD_LL], lc);
        } else {
            taco__zstd_encode_fse_step(&b, f[TACO__ZSTD_OF], &of, oc);
            taco__zstd_encode_fse_step(&b, f[TACO__ZSTD_ML], &ml, mc);
            taco__zstd_encode_fse_step(&b, f[TACO__ZSTD_LL], &ll, lc);
        }
        if (TACO__UNLIKELY(lb + mb + oc > 30)) { /* 7 + 26 + 30 bits fit */
            taco__bit_writer_flush(&b);
            taco__bit_writer_put(&b, s->literals - e->base_of[TACO__ZSTD_LL][lc], lb);
            taco__bit_writer_put(&b, s->match + 3 - e->base_of[TACO__ZSTD_ML][mc], mb);
            taco__bit_writer_flush(&b);
        } else {
            taco__bit_writer_put(&b, s->literals - e->base_of[TACO__ZSTD_LL][lc], lb);
            taco__bit_writer_put(&b, s->match + 3 - e->base_of[TACO__ZSTD_ML][mc], mb);
        }
        taco__bit_writer_put(&b, s->value - (1U << oc), oc);
        taco__bit_writer_flush(&b);
    }
    taco__bit_writer_put(&b, ml & ((1U << f[TACO__ZSTD_ML]->c.log) - 1), f[TACO__ZSTD_ML]->c.log);
    taco__bit_writer_put(&b, of & ((1U << f[TACO__ZSTD_OF]->c.log) - 1), f[TACO__ZSTD_OF]->c.log);
    taco__bit_writer_put(&b, ll & ((1U << f[TACO__ZSTD_LL]->c.log) - 1), f[TACO__ZSTD_LL]->c.log);
    taco__bit_writer_flush(&b);
    return taco__bit_writer_finish(&b);
}

/* The count of sequences, in 1 to 3 bytes; returns the end. */
static uint8_t *taco__zstd_encode_sequence_count(uint8_t *at, uint32_t n)
{
    if (n < 128) {
        *at++ = (uint8_t)n;
    } else if (n < 0x7F00) {
        *at++ = (uint8_t)(128 + (n >> 8));
        *at++ = (uint8_t)n;
    } else {
        *at++ = 255;
        *at++ = (uint8_t)(n - 0x7F00);
        *at++ = (uint8_t)((n - 0x7F00) >> 8);
    }
    return at;
}

/* Encodes the current literals and sequences into e->out; returns the size, 0 if it is not less
   than n. In that case the tables that later blocks may reuse are unchanged. */
static size_t taco__zstd_encode_compressed(taco__zstd_encoder *e, size_t n)
{
    uint8_t *at, *modes, *stop = e->out + TACO__ZSTD_BLOCK_MAX + 512;
    const taco__zstd_encode_fse *f[3];
    taco__zstd_encode_choice choice[3];
    uint32_t freq[3][64];
    int8_t huf = e->huf_last;
    unsigned field;
    at = taco__zstd_encode_literals(e, e->out, &huf);
    at = taco__zstd_encode_sequence_count(at, e->seqs);
    if (e->seqs) {
        taco__zstd_encode_sequence_codes(e, freq);
        modes = at++;
        *modes = 0;
        for (field = 0; field < 3; field++) {
            at = taco__zstd_encode_choose_table(e, field, freq[field], at, &choice[field]);
            *modes = (uint8_t)(*modes | choice[field].mode << (6 - 2 * field));
            f[field] = &e->fse[field][choice[field].table];
        }
        at = taco__zstd_encode_sequence_bits(e, f, at, stop);
    }
    if (!at || (size_t)(at - e->out) >= n) { return 0; }
    e->huf_last = huf;
    for (field = 0; field < 3 && e->seqs; field++) {
        e->fse_last[field] = (uint8_t)(choice[field].table % 3); /* not that of a single code */
    }
    return (size_t)(at - e->out);
}

/* ---- blocks and frames, §3.1.1 ---- */

/* Writes the block [from, from + n) of the part at dst, stored if it does not shrink. False if it
   takes more than `cap` bytes; *size is what it takes. One repeated byte is a separate type of
   block, but not used for a frame's first: libzstd before 1.4.4 does not always read that. */
static bool taco__zstd_encode_block(taco__zstd_encoder *e, size_t from, size_t n, bool last,
                                    bool first, uint8_t *dst, size_t cap, size_t *size)
{
    const uint8_t *p = e->src + from;
    uint32_t repeat[3], head;
    unsigned type = 2;
    size_t packed;
    memcpy(repeat, e->repeat, sizeof repeat);
    if (n <= TACO__ZSTD_ENCODE_MIN_BYTES) {
        type = 0;
        packed = n;
    } else if (!first && memcmp(p, p + 1, n - 1) == 0) {
        type = 1;
        packed = 1;
        e->out[0] = p[0];
    } else {
        taco__zstd_match_block(e, from, n);
        packed = taco__zstd_encode_compressed(e, n);
        if (!packed) {
            type = 0;
            packed = n;
            memcpy(e->repeat, repeat, sizeof repeat);
        }
    }
    *size = 3 + packed;
    if (cap < *size) { return false; }
    head = (uint32_t)last | type << 1 | (uint32_t)(type == 1 ? n : packed) << 3;
    dst[0] = (uint8_t)head;
    dst[1] = (uint8_t)(head >> 8);
    dst[2] = (uint8_t)(head >> 16);
    if (packed) { memcpy(dst + 3, type == 0 ? p : e->out, packed); }
    return true;
}

/* The frame's header at `to`, at most 14 bytes, §3.1.1.1: always with the size of the content, and
   without a window when the content is not larger. Returns its size. */
static size_t taco__zstd_encode_header(uint8_t *to, uint64_t n, unsigned window, bool checksum)
{
    const bool single = n <= (uint64_t)1 << window;
    const unsigned flag = n < 256 && single ? 0U : n < 65536 + 256 ? 1U : n <= UINT32_MAX ? 2U : 3U;
    size_t at = 5, k;
    uint64_t content = flag == 1 ? n - 256 : n;
    taco__put_le32(to, 0xFD2FB528U);
    to[4] = (uint8_t)(flag << 6 | (unsigned)single << 5 | (unsigned)checksum << 2);
    if (!single) { to[at++] = (uint8_t)((window - 10) << 3); }
    for (k = 0; k < (size_t)1 << flag; k++) {
        to[at++] = (uint8_t)(content >> (8 * k));
    }
    return at;
}

/* The most bytes that a frame of n bytes takes; false when that is not a size. */
TACO__FN bool taco__zstd_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / TACO__ZSTD_BLOCK_MAX * 3 + 3 + 14 + 4, bound);
}

/* Begins a part: its positions get numbers above all before, or the tables are cleared. Where a
   number has 24 bits, a part may be longer than they reach: its own positions may then look like
   nearer ones, which comparing bytes finds out. */
static void taco__zstd_encode_begin_part(taco__zstd_encoder *e, const uint8_t *src, size_t len)
{
    const uint32_t most = e->level->kind == TACO__ZSTD_MATCH_CHAIN ? UINT32_MAX : 0xFFFFFF;
    if (len >= most - e->used) {
        memset(e->hash, 0, sizeof *e->hash << e->level->hash);
        if (e->second) { memset(e->second, 0, sizeof *e->second << e->level->second); }
        e->used = 1;
    }
    e->base = e->used;
    e->used = (uint32_t)TACO__MIN(e->used + len, (size_t)most);
    e->src = src;
    e->len = len;
    e->added = 0;
}

/* Resets the state of the previous frame. */
static void taco__zstd_encode_begin_frame(taco__zstd_encoder *e)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    memcpy(e->repeat, first, sizeof first);
    e->huf_last = -1;
    memset(e->fse_last, 0, sizeof e->fse_last);
    e->window = (size_t)1 << e->level->window;
}

/* All blocks of `in` at dst; returns where they end, SIZE_MAX when cap is too small. */
static size_t taco__zstd_encode_blocks(taco__zstd_encoder *e, taco_bytes in, uint8_t *dst,
                                       size_t cap)
{
    size_t at = 0, part = 0, from = 0, n, used = 0;
    do { /* no bytes are one empty block */
        n = TACO__MIN(in.len - from, (size_t)TACO__ZSTD_BLOCK_MAX);
        if (from % TACO__ZSTD_ENCODE_PART == 0) {
            part = from;
            taco__zstd_encode_begin_part(e, in.data + part,
                                         TACO__MIN(in.len - part, TACO__ZSTD_ENCODE_PART));
        }
        if (!taco__zstd_encode_block(e, from - part, n, from + n == in.len, from == 0, dst + at,
                                     cap - at, &used)) {
            return SIZE_MAX;
        }
        at += used;
        from += n;
    } while (from < in.len);
    return at;
}

/* One frame, with the usual contract of an encoder, except that cap may be less than the bound if
   the caller wants no more: ARGUMENT if it is too small, and dst then has garbage. e may be used
   again after a failure. */
TACO__FN taco_status taco__zstd_encode(taco__zstd_encoder *e, taco_bytes in, bool checksum,
                                       uint8_t *dst, size_t cap, size_t *size, taco_error *err)
{
    uint8_t head[14];
    size_t at, blocks = SIZE_MAX;
    *size = 0;
    taco__zstd_encode_begin_frame(e);
    at = taco__zstd_encode_header(head, in.len, e->level->window, checksum);
    if (cap >= at) {
        memcpy(dst, head, at);
        blocks = taco__zstd_encode_blocks(e, in, dst + at, cap - at);
    }
    if (blocks == SIZE_MAX || (checksum && cap - at - blocks < 4)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a ZSTD frame of %u bytes of data does not fit into %u bytes",
                          TACO__U(in.len), TACO__U(cap));
    }
    at += blocks;
    if (checksum) {
        taco__put_le32(dst + at, (uint32_t)taco__xxh64_hash(0, in.data, in.len));
        at += 4;
    }
    *size = at;
    return TACO_OK;
}

/* ---- the encoder ---- */

/* The codes of the shortest lengths, by length. */
static void taco__zstd_encode_small_codes(taco__zstd_encoder *e)
{
    unsigned s, i;
    for (s = i = 0; i < 64; i++) {
        s += i >= e->base_of[TACO__ZSTD_LL][s + 1];
        e->ll_code[i] = (uint8_t)s;
    }
    for (s = i = 0; i < 128; i++) {
        s += i + 3 >= e->base_of[TACO__ZSTD_ML][s + 1];
        e->ml_code[i] = (uint8_t)s;
    }
}

/* Makes the encoder of a level, 1 to TACO__ZSTD_ENCODE_MAX_LEVEL; others are clamped. NULL on
   failure. It can encode any number of frames, one after the other, without further memory. */
TACO__FN taco__zstd_encoder *taco__zstd_encode_open(taco__mem *mem, int level, taco_error *err)
{
    const int k = level < 1 ? 1 : TACO__MIN(level, TACO__ZSTD_ENCODE_MAX_LEVEL);
    const taco__zstd_encode_level *l = &taco__zstd_encode_levels[k - 1];
    const size_t hash = sizeof(uint32_t) << l->hash;
    const size_t second = l->second ? sizeof(uint32_t) << l->second : 0;
    const size_t size = sizeof(taco__zstd_encoder) + hash + second;
    taco__zstd_encoder *e = (taco__zstd_encoder *)taco__mem_alloc(mem, size, err);
    unsigned field;
    if (!e) { return NULL; }
    e->mem = mem;
    e->size = size;
    e->level = l;
    e->hash = (uint32_t *)(void *)(e + 1);
    e->second = second ? e->hash + ((size_t)1 << l->hash) : NULL;
    e->used = 1;
    for (field = 0; field < 3; field++) {
        taco__zstd_codes_predefined(field, &e->fse[field][0].c);
        taco__zstd_encode_fse_build(&e->fse[field][0]);
        taco__zstd_codes_values(field, e->base_of[field], e->extra[field]);
    }
    taco__zstd_encode_small_codes(e);
    return e;
}

/* NULL is accepted. */
TACO__FN void taco__zstd_encode_close(taco__zstd_encoder *e)
{
    if (e) { taco__mem_free(e->mem, e, e->size); }
}
/* ==== src/codec/zstd_encode_match.c ==== */
/* zstd_encode_match.c - find matches for the encoder of ZSTD: cut a block into sequences and
   literals

   Three finders, by level: FAST looks up one position by a hash of 5 or 6 bytes, DOUBLE two by
   hashes of 8 and 5 bytes, CHAIN follows a chain of positions with the same hash of 4 bytes and
   checks whether a match at one of the next positions gains more. All first try the last offsets,
   which are the cheapest to write. Found sequences go to e->seq, their literals to e->literal.
   Start with taco__zstd_match_block. */
/* #include "encode.h" */

/* No match begins in a block's last bytes, so that hashing may read 8. */
#define TACO__ZSTD_MATCH_TAIL 8

/* ---- sequences ---- */

/* The Offset_Value of a distance, which is entered into the last three, §3.1.1.5. In a sequence
   without literals the first of these is not among the three values, but the one less than it
   is. */
TACO__INLINE uint32_t taco__zstd_match_offset_value(uint32_t *repeat, uint32_t literals,
                                                    uint32_t distance)
{
    uint32_t value = distance + 3, none = literals == 0;
    if (distance == repeat[0] && !none) { return 1; }
    if (distance == repeat[1]) {
        repeat[1] = repeat[0];
        repeat[0] = distance;
        return 2 - none;
    }
    if (distance == repeat[2]) {
        value = 3 - none;
    } else if (none && distance == repeat[0] - 1) {
        value = 3;
    }
    repeat[2] = repeat[1];
    repeat[1] = repeat[0];
    repeat[0] = distance;
    return value;
}

/* Adds the sequence of a match at `at` of `match` >= 3 bytes, whose literals begin at `anchor`. A
   block's sequences fit into e->seq, as each has 3 bytes of it at least. */
TACO__INLINE void taco__zstd_match_add_sequence(taco__zstd_encoder *e, size_t anchor, size_t at,
                                                size_t match, size_t distance)
{
    taco__zstd_encode_sequence *s = &e->seq[e->seqs++];
    const size_t n = at - anchor;
    uint8_t *to = e->literal + e->literals;
    if (TACO__LIKELY(e->len - at >= TACO__ZSTD_SLACK)) {
        taco__lz_copy_wide(to, e->src + anchor, n);
    } else {
        memcpy(to, e->src + anchor, n);
    }
    e->literals += (uint32_t)n;
    s->literals = (uint32_t)n;
    s->match = (uint32_t)match - 3;
    s->value = taco__zstd_match_offset_value(e->repeat, s->literals, (uint32_t)distance);
}

/* ---- tables ---- */

/* A hash of the first `width` of 8 bytes. */
TACO__INLINE uint32_t taco__zstd_match_hash(const uint8_t *p, unsigned width, unsigned log)
{
    return (uint32_t)((taco__load_le64(p) << (64 - 8 * width)) * TACO__XXH64_PRIME1 >> (64 - log));
}

/* Enters position i into a table of FAST or DOUBLE: its number above 8 more bits of its hash, which
   rules out most mismatches without comparing bytes. Returns the entry less the one it replaces:
   see taco__zstd_match_is_near. */
TACO__INLINE uint32_t taco__zstd_match_enter(uint32_t *table, const uint8_t *src, uint32_t base,
                                             size_t i, unsigned width, unsigned log)
{
    uint64_t h = (taco__load_le64(src + i) << (64 - 8 * width)) * TACO__XXH64_PRIME1;
    uint32_t entry = (base + (uint32_t)i) << 8 | (uint32_t)(h >> (56 - log) & 255);
    uint32_t less = entry - table[h >> (64 - log)];
    table[h >> (64 - log)] = entry;
    return less;
}

/* True when x, from taco__zstd_match_enter, is of equal hashes and a position that is in the part
   and the window; x >> 8 is the distance. */
TACO__INLINE bool taco__zstd_match_is_near(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return (x & 255) == 0 && (size_t)(x >> 8) - 1 < TACO__MIN(i, e->window);
}

/* True when the 4 bytes at i are the same as those `distance` before, in the part and the
   window. */
TACO__INLINE bool taco__zstd_match_repeats(const taco__zstd_encoder *e, size_t i, uint32_t distance)
{
    return distance <= TACO__MIN(i, e->window) &&
           taco__load_le32(e->src + i) == taco__load_le32(e->src + i - distance);
}

/* The same, and the 4 bytes there, or 8, are those at i. */
TACO__INLINE bool taco__zstd_match_is_match4(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return taco__zstd_match_is_near(e, i, x) &&
           taco__load_le32(e->src + i) == taco__load_le32(e->src + i - (x >> 8));
}

TACO__INLINE bool taco__zstd_match_is_match8(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return taco__zstd_match_is_near(e, i, x) &&
           taco__load_le64(e->src + i) == taco__load_le64(e->src + i - (x >> 8));
}

/* Extends a match of position m at *i backward over equal bytes, not below `anchor`. Returns how
   many. */
TACO__INLINE size_t taco__zstd_match_extend_back(const uint8_t *src, size_t anchor, size_t *i,
                                                 size_t m)
{
    size_t n = 0;
    while (*i > anchor && m > 0 && src[*i - 1] == src[m - 1]) {
        --*i;
        --m;
        n++;
    }
    return n;
}

/* ---- finders: each cuts [i, end) and returns where the last literals begin ---- */

/* FAST: each position replaces the previous one with the same hash. After a long stretch without
   matches, steps get wider. */
TACO__INLINE size_t taco__zstd_match_fast_body(taco__zstd_encoder *e, size_t i, size_t end,
                                               const unsigned width)
{
    const uint8_t *src = e->src;
    uint32_t *table = e->hash;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash;
    const size_t stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t anchor = i;
    while (i < stop) {
        uint32_t x = taco__zstd_match_enter(table, src, base, i, width, log),
                 distance = e->repeat[0];
        size_t n;
        if (taco__zstd_match_repeats(e, i + 1, distance)) {
            i++;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_match_is_match4(e, i, x)) {
            distance = x >> 8;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else {
            i += 1 + ((i - anchor) >> 7);
            continue;
        }
        taco__zstd_match_add_sequence(e, anchor, i, n, distance);
        i += n;
        if (i < stop) { /* two positions of the match, then matches that follow at once */
            taco__zstd_match_enter(table, src, base, i - n + 2, width, log);
            taco__zstd_match_enter(table, src, base, i - 2, width, log);
        }
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_enter(table, src, base, i, width, log);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

static TACO__NOINLINE size_t taco__zstd_match_fast5(taco__zstd_encoder *e, size_t i, size_t end)
{
    return taco__zstd_match_fast_body(e, i, end, 5);
}

static TACO__NOINLINE size_t taco__zstd_match_fast6(taco__zstd_encoder *e, size_t i, size_t end)
{
    return taco__zstd_match_fast_body(e, i, end, 6);
}

/* DOUBLE: a match of 8 bytes is preferred to one of 5, even if it begins one byte later. */
static TACO__NOINLINE size_t taco__zstd_match_double(taco__zstd_encoder *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    uint32_t *wide = e->hash, *narrow = e->second;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash, log2 = e->level->second;
    const size_t stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t anchor = i;
    while (i < stop) {
        uint32_t x = taco__zstd_match_enter(wide, src, base, i, 8, log);
        uint32_t y = taco__zstd_match_enter(narrow, src, base, i, 5, log2), distance = e->repeat[0];
        size_t n;
        if (taco__zstd_match_repeats(e, i + 1, distance)) {
            i++;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_match_is_match8(e, i, x)) {
            distance = x >> 8;
            n = 8 + taco__lz_match_length(src + i + 8 - distance, src + i + 8, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else if (taco__zstd_match_is_match4(e, i, y)) {
            distance = y >> 8;
            x = taco__zstd_match_enter(wide, src, base, i + 1, 8, log);
            if (taco__zstd_match_is_match8(e, i + 1, x)) {
                i++;
                distance = x >> 8;
            }
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        taco__zstd_match_add_sequence(e, anchor, i, n, distance);
        i += n;
        if (i < stop) {
            taco__zstd_match_enter(wide, src, base, i - n + 2, 8, log);
            taco__zstd_match_enter(narrow, src, base, i - n + 2, 5, log2);
            taco__zstd_match_enter(wide, src, base, i - 2, 8, log);
            taco__zstd_match_enter(narrow, src, base, i - 1, 5, log2);
        }
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_enter(wide, src, base, i, 8, log);
            taco__zstd_match_enter(narrow, src, base, i, 5, log2);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* CHAIN: of each position, the one before with the same hash of 4 bytes. `second` is a ring, and a
   chain ends where it was overwritten. Returns the length of the best match at i, 3 for none. */
static size_t taco__zstd_match_chain(taco__zstd_encoder *e, size_t i, size_t end, size_t *distance)
{
    const uint8_t *src = e->src;
    const uint32_t base = e->base, mask = (1U << e->level->second) - 1;
    const size_t farthest = TACO__MIN(e->window, (size_t)mask);
    size_t best = 3, m, before = i;
    unsigned tries = e->level->tries;
    for (; e->added < i; e->added++) {
        uint32_t *head = &e->hash[taco__zstd_match_hash(src + e->added, 4, e->level->hash)];
        e->second[(base + (uint32_t)e->added) & mask] = *head;
        *head = base + (uint32_t)e->added;
    }
    m = (uint32_t)(e->hash[taco__zstd_match_hash(src + i, 4, e->level->hash)] - base);
    for (; tries && m < before && i - m <= farthest; tries--) {
        if (i + best < end &&
            taco__load_le32(src + m + best - 3) == taco__load_le32(src + i + best - 3)) {
            size_t n = taco__lz_match_length(src + m, src + i, src + end);
            if (n > best) {
                best = n;
                *distance = i - m;
            }
        }
        before = m;
        m = (uint32_t)(e->second[(base + (uint32_t)m) & mask] - base);
    }
    return best;
}

/* What a match saves, in quarters of a byte: a near one takes fewer bits. */
TACO__INLINE int32_t taco__zstd_match_gain(size_t match, size_t distance)
{
    return (int32_t)match * 4 - (int32_t)taco__zstd_top_bit((uint32_t)distance + 1);
}

/* Replaces the match *best at *at by the best one at i, including one with the last distance, if
   that gains more by `lead`; false if it does not. */
TACO__INLINE bool taco__zstd_match_better(taco__zstd_encoder *e, size_t i, size_t end, int32_t lead,
                                          size_t *at, size_t *best, size_t *distance)
{
    const uint32_t last = e->repeat[0];
    const int32_t least = taco__zstd_match_gain(*best, *distance) + lead;
    size_t n, d = 0;
    bool found = false;
    int32_t gain = least;
    if (taco__zstd_match_repeats(e, i, last)) {
        n = 4 + taco__lz_match_length(e->src + i + 4 - last, e->src + i + 4, e->src + end);
        if ((int32_t)n * 4 - 1 > gain) {
            gain = (int32_t)n * 4 - 1;
            *at = i;
            *best = n;
            *distance = last;
            found = true;
        }
    }
    n = taco__zstd_match_chain(e, i, end, &d);
    if (n > 3 && taco__zstd_match_gain(n, d) > gain) {
        *at = i;
        *best = n;
        *distance = d;
        found = true;
    }
    return found;
}

/* CHAIN: a match is used only if none of the next `lazy` positions has one that gains more. */
static TACO__NOINLINE size_t taco__zstd_match_lazy(taco__zstd_encoder *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    const size_t stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t anchor = i;
    while (i < stop) {
        size_t at = i, best = 0, distance = 1, n;
        unsigned ahead = 0;
        if (!taco__zstd_match_better(e, i, end, 0, &at, &best, &distance) &&
            !(i + 1 < stop && taco__zstd_match_repeats(e, i + 1, e->repeat[0]) &&
              taco__zstd_match_better(e, i + 1, end, 0, &at, &best, &distance))) {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        i = at;
        while (ahead < e->level->lazy && i + 1 < stop) { /* does it pay to begin later? */
            ahead++;
            i++;
            if (taco__zstd_match_better(e, i, end, ahead == 1 ? 4 : 7, &at, &best, &distance)) {
                ahead = 0;
            }
        }
        n = at - distance;
        best += taco__zstd_match_extend_back(src, anchor, &at, n);
        taco__zstd_match_add_sequence(e, anchor, at, best, distance);
        i = at + best;
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* Cuts the block [from, from + n) of the part into sequences and literals. */
TACO__FN void taco__zstd_match_block(taco__zstd_encoder *e, size_t from, size_t n)
{
    size_t end = from + n, anchor = from, left;
    e->seqs = e->literals = 0;
    switch (e->level->kind) {
    case TACO__ZSTD_MATCH_FAST:
        anchor = e->level->width == 5 ? taco__zstd_match_fast5(e, from, end)
                                      : taco__zstd_match_fast6(e, from, end);
        break;
    case TACO__ZSTD_MATCH_DOUBLE: anchor = taco__zstd_match_double(e, from, end); break;
    default: anchor = taco__zstd_match_lazy(e, from, end); break;
    }
    left = end - anchor;
    memcpy(e->literal + e->literals, e->src + anchor, left);
    e->literals += (uint32_t)left;
}
/* ==== src/codec/zstd_encode_entropy.c ==== */
/* zstd_encode_entropy.c - finite state tables and Huffman codes for the encoder of ZSTD

   The mirror of zstd_decode_entropy.c. Finite state codes (RFC 8878 §4.1): from frequencies to
   counts of cells (taco__zstd_encode_fse_normalize), their description, the coder's tables, and
   what symbols would cost with them. Huffman codes (§4.2): from frequencies to codes, their
   description, their cost, and a stream of literals. Costs are estimates, by which zstd_encode.c
   chooses; they are in integers, so that every machine chooses alike. */
/* #include "encode.h" */

/* ---- finite state codes, §4.1 ---- */

/* log2(x) in 1/256, x > 0: the fraction is a parabola that is at most 0.01 away. */
TACO__INLINE uint32_t taco__zstd_encode_fse_log2(uint32_t x)
{
    unsigned top = taco__zstd_top_bit(x);
    uint32_t f = (uint32_t)((((uint64_t)x << 8) >> top) & 255);
    return (top << 8) + f + (f * (256 - f) * 88 >> 16);
}

/* Fills f for the counts in f->c: the walk of taco__zstd_fse_build, and for each symbol its states
   in order, from first[s] on in f->next. */
TACO__FN void taco__zstd_encode_fse_build(taco__zstd_encode_fse *f)
{
    const taco__zstd_fse_counts *c = &f->c;
    uint16_t first[64];
    uint8_t symbol[512];
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    unsigned total = 0;
    for (s = 0; s < c->symbols; s++) {
        unsigned n = c->n[s] < 0 ? 1U : (unsigned)c->n[s];
        if (c->n[s] < 0) { symbol[--high] = (uint8_t)s; }
        first[s] = (uint16_t)total;
        f->find[s] = (int32_t)total - (int32_t)n;
        if (n) { /* n << most is the least state that gives `most` bits away and not one less */
            unsigned most = c->log - (n > 1 ? taco__zstd_top_bit(n - 1) : 0);
            f->bits[s] = n > 1 ? (most << 16) - (n << most) : (c->log << 16) - size;
        }
        total += n;
    }
    for (s = 0; s < c->symbols; s++) {
        int k;
        for (k = 0; k < c->n[s]; k++) {
            symbol[pos] = (uint8_t)s;
            do {
                pos = (pos + step) & (size - 1);
            } while (pos >= high);
        }
    }
    for (i = 0; i < size; i++) {
        f->next[first[symbol[i]]++] = (uint16_t)(size + i);
    }
}

/* Gives `left` more cells to symbols, or takes -left away, one by one: where one saves the most or
   costs the least. */
static void taco__zstd_encode_fse_adjust(taco__zstd_fse_counts *c, const uint32_t *freq,
                                         int32_t left)
{
    unsigned s;
    while (left) {
        uint64_t best = 0, x;
        unsigned at = 0;
        for (s = 0; s < c->symbols; s++) {
            if (left > 0 && freq[s]) {
                x = ((uint64_t)freq[s] << 20) / (2U * (unsigned)c->n[s] + 1);
            } else if (left < 0 && c->n[s] > 1) {
                x = UINT64_MAX - ((uint64_t)freq[s] << 20) / (2U * (unsigned)c->n[s] - 1);
            } else {
                continue;
            }
            if (x > best) {
                best = x;
                at = s;
            }
        }
        c->n[at] = (int16_t)(c->n[at] + (left > 0 ? 1 : -1));
        left += left > 0 ? -1 : 1;
    }
}

/* Shares 1 << log cells among symbols that occur freq[symbol] times, `total` together: each that
   occurs gets one at least. log is chosen here, at most max_log: more precision would not be worth
   its bytes. */
TACO__FN void taco__zstd_encode_fse_normalize(taco__zstd_fse_counts *c, const uint32_t *freq,
                                              unsigned symbols, uint32_t total, unsigned max_log)
{
    unsigned s, used = 0, log;
    int32_t left;
    c->symbols = 0;
    for (s = 0; s < symbols; s++) {
        used += freq[s] > 0;
        c->symbols = freq[s] ? s + 1 : c->symbols;
    }
    log = total > 128 ? taco__zstd_top_bit(total - 1) - 2 : 5;
    log = TACO__MAX(log, taco__zstd_top_bit(used) + 1);
    c->log = log = TACO__MAX(5U, TACO__MIN(log, max_log));
    left = (int32_t)1 << log;
    for (s = 0; s < c->symbols; s++) {
        uint32_t n = (uint32_t)((((uint64_t)freq[s] << (log + 1)) / total + 1) >> 1);
        c->n[s] = (int16_t)(freq[s] ? TACO__MAX(n, 1U) : 0);
        left -= c->n[s];
    }
    taco__zstd_encode_fse_adjust(c, freq, left);
    /* the rare ones to the end of the table, where they have all bits of the next state */
    for (s = 0; s < c->symbols && total >= 2048; s++) {
        c->n[s] = (int16_t)(c->n[s] == 1 ? -1 : c->n[s]);
    }
}

/* Describes a table, as taco__zstd_fse_read_counts reads it; returns the end. 53 counts take less
   than 80 bytes; there is room for 96 and 8. */
TACO__FN uint8_t *taco__zstd_encode_fse_write_counts(uint8_t *at, const taco__zstd_fse_counts *c)
{
    taco__bit_writer b = taco__bit_writer_init(at, at + 96);
    unsigned left = 1U << c->log, s = 0;
    taco__bit_writer_put(&b, c->log - 5, 4);
    while (left && s < c->symbols) {
        unsigned width = taco__zstd_top_bit(left + 1) + 1, spare = (1U << width) - 2 - left;
        unsigned half = 1U << (width - 1), x = (unsigned)(c->n[s] + 1), zeros = 0;
        left -= x == 0 ? 1 : x - 1;
        taco__bit_writer_put(&b, x < half ? x : x + spare, x < spare ? width - 1 : width);
        taco__bit_writer_flush(&b);
        s++;
        if (x != 1) { continue; }
        while (s < c->symbols && c->n[s] == 0) {
            zeros++;
            s++;
        }
        for (; zeros >= 3; zeros -= 3) {
            taco__bit_writer_put(&b, 3, 2);
            taco__bit_writer_flush(&b);
        }
        taco__bit_writer_put(&b, zeros, 2);
        taco__bit_writer_flush(&b);
    }
    if (b.count) { *b.at++ = (uint8_t)b.word; }
    return b.at;
}

/* What symbols cost with a table, in 1/256 bit; UINT64_MAX when it lacks one of them. */
TACO__FN uint64_t taco__zstd_encode_fse_cost(const taco__zstd_fse_counts *c, const uint32_t *freq,
                                             unsigned symbols)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < symbols; s++) {
        if (freq[s] == 0) { continue; }
        if (s >= c->symbols || c->n[s] == 0) { return UINT64_MAX; }
        sum += (uint64_t)freq[s] *
               ((c->log << 8) - taco__zstd_encode_fse_log2(c->n[s] < 0 ? 1U : (uint32_t)c->n[s]));
    }
    return sum;
}

/* ---- Huffman codes, §4.2 ---- */

/* Makes the codes for 256 frequencies, of which two or more are not zero. Codes are given out from
   the longest, and among equals by symbol, §4.2.1.3. */
TACO__FN void taco__zstd_encode_huf_make(taco__zstd_encode_huf *h, const uint32_t *freq)
{
    uint32_t first[TACO__ZSTD_HUF_MAX_BITS + 2] = {0}, next = 0;
    uint8_t length[256];
    unsigned s, i;
    taco__huffman_lengths(length, freq, 256, TACO__ZSTD_HUF_MAX_BITS);
    h->log = 0;
    for (s = 0; s < 256; s++) {
        first[length[s]]++;
        h->symbols = length[s] ? s + 1 : h->symbols;
        h->log = TACO__MAX(h->log, length[s]);
    }
    for (i = TACO__ZSTD_HUF_MAX_BITS; i > 0; i--) {
        uint32_t n = first[i];
        first[i] = next;
        next = (next + n) >> 1;
    }
    for (s = 0; s < 256; s++) {
        unsigned n = length[s];
        h->code[s] = n ? (uint64_t)first[n]++ << (64 - n) | n : 0;
    }
}

/* The bits that symbols take with these codes; UINT64_MAX when one has none. */
TACO__FN uint64_t taco__zstd_encode_huf_cost(const taco__zstd_encode_huf *h, const uint32_t *freq)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < 256; s++) {
        if (freq[s] && !h->code[s]) { return UINT64_MAX; }
        sum += (uint64_t)freq[s] * (h->code[s] & 255);
    }
    return sum;
}

/* Packs n weights by a finite state code, as taco__zstd_huf_packed_weights reads them: two states
   take turns. Returns the bytes, 0 when all weights are the same or all differ, or when they are
   128 or more. `to` has room for 300. */
static size_t taco__zstd_encode_huf_pack_weights(uint8_t *to, const uint8_t *weight, unsigned n)
{
    taco__zstd_encode_fse f;
    taco__bit_writer b;
    uint32_t freq[13] = {0}, state[2] = {0, 0};
    unsigned i, most = 0;
    size_t size;
    uint8_t *end;
    for (i = 0; i < n; i++) {
        freq[weight[i]]++;
        most = TACO__MAX(most, freq[weight[i]]);
    }
    if (n < 2 || most == n || most == 1) { return 0; }
    taco__zstd_encode_fse_normalize(&f.c, freq, 13, n, 6);
    taco__zstd_encode_fse_build(&f);
    b = taco__bit_writer_init(taco__zstd_encode_fse_write_counts(to, &f.c), to + 290);
    for (i = n; i-- > 0;) {
        if (i + 2 >= n) {
            state[i & 1] = taco__zstd_encode_fse_first(&f, weight[i]);
        } else {
            taco__zstd_encode_fse_step(&b, &f, &state[i & 1], weight[i]);
            taco__bit_writer_flush(&b);
        }
    }
    taco__bit_writer_put(&b, state[1] & ((1U << f.c.log) - 1), f.c.log);
    taco__bit_writer_put(&b, state[0] & ((1U << f.c.log) - 1), f.c.log);
    end = taco__bit_writer_finish(&b);
    size = end ? (size_t)(end - to) : 0;
    return size < 128 ? size : 0;
}

/* Describes the codes, §4.2.1.1: packed weights or four bits for each, what is shorter. Returns the
   bytes, 0 when neither is possible. `to` has room for 301. */
TACO__FN size_t taco__zstd_encode_huf_write(uint8_t *to, const taco__zstd_encode_huf *h)
{
    uint8_t weight[256];
    unsigned i, n = h->symbols - 1; /* the last is left out */
    size_t size;
    for (i = 0; i < n; i++) {
        unsigned bits = (unsigned)(h->code[i] & 255);
        weight[i] = (uint8_t)(bits ? h->log + 1 - bits : 0);
    }
    weight[n] = 0;
    size = taco__zstd_encode_huf_pack_weights(to + 1, weight, n);
    if (size && (n > 128 || size < (n + 1) / 2)) {
        to[0] = (uint8_t)size;
        return size + 1;
    }
    if (n > 128) { return 0; }
    to[0] = (uint8_t)(127 + n);
    for (i = 0; i < n; i += 2) {
        to[1 + i / 2] = (uint8_t)(weight[i] << 4 | weight[i + 1]);
    }
    return 1 + (n + 1) / 2;
}

/* One stream of n literals, from the last to the first; returns its end, NULL when it reached
   `stop`. Codes are stacked from the top of a word; their lengths lie below all of the codes, and
   the sum of those of five fits 8 bits. */
TACO__FN uint8_t *taco__zstd_encode_huf_stream(uint8_t *at, uint8_t *stop, const uint64_t *code,
                                               const uint8_t *p, size_t n)
{
    taco__bit_writer b = taco__bit_writer_init(at, stop);
    for (; n % 5; n--) {
        uint64_t c = code[p[n - 1]];
        taco__bit_writer_put(&b, c >> (64 - (c & 63)), (unsigned)(c & 63));
    }
    taco__bit_writer_flush(&b);
    for (; n; n -= 5) { /* 55 bits at most */
        uint64_t c = code[p[n - 1]], word = c, sum = c;
        c = code[p[n - 2]];
        word = word >> (c & 63) | c;
        sum += c;
        c = code[p[n - 3]];
        word = word >> (c & 63) | c;
        sum += c;
        c = code[p[n - 4]];
        word = word >> (c & 63) | c;
        sum += c;
        c = code[p[n - 5]];
        word = word >> (c & 63) | c;
        sum += c;
        taco__bit_writer_put(&b, word >> (64 - (sum & 63)), (unsigned)(sum & 63));
        taco__bit_writer_flush(&b);
    }
    return taco__bit_writer_finish(&b);
}

/* How often each byte occurs, counted in four tables, as a count that is read right after it was
   written must be waited for. */
TACO__FN void taco__zstd_encode_huf_count(uint32_t *freq, const uint8_t *p, size_t n)
{
    uint32_t part[4][256];
    size_t i = 0;
    memset(part, 0, sizeof part);
    for (; n - i >= 8; i += 8) {
        uint64_t x = taco__load_le64(p + i);
        part[0][x & 255]++;
        part[1][x >> 8 & 255]++;
        part[2][x >> 16 & 255]++;
        part[3][x >> 24 & 255]++;
        part[0][x >> 32 & 255]++;
        part[1][x >> 40 & 255]++;
        part[2][x >> 48 & 255]++;
        part[3][x >> 56]++;
    }
    for (; i < n; i++) {
        part[0][p[i]]++;
    }
    for (i = 0; i < 256; i++) {
        freq[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
}
/* ==== src/parquet_write/parquet_write.h ==== */
/* parquet_write.h - Parquet files from batches or from an Arrow stream: encoders, pages, footer

   Reading order:

   file_writer.c         the public calls; batches in, row groups and the footer out
   schema_write.c        fields -> SchemaElements, and a taco__leaf_writer for every leaf column
   schema_like.c         columns that are copied from another file, with its SchemaElements
   write_options.c       the caller's options -> the settings of each leaf
   key_values.c          key-value metadata, "ARROW:schema" among it
   geo_columns.c         GeoParquet: the "geo" key, covering columns; wkb_summary.c walks the WKB
   levels.c              definition and repetition levels, positions of the values (Dremel)
   array_values.c        Arrow values -> the form of PLAIN; plain_values.c holds them
   write_tasks.c         pages of several leaves made by the host's parallel_for
   page_writer.c         decides where pages end, puts one together, compresses it
   encoding_choice.c     which encoding makes a chunk smallest; encode.c has the encodings
   dictionary_builder.c  the distinct values of a chunk
   compress.c            the codecs, one encoder of each kept for all pages
   value_bounds.c        min and max of pages and chunks
   chunk_writer.c        a finished column chunk into the sink, its ColumnMetaData
   page_index_write.c    ColumnIndex, OffsetIndex, histograms of levels
   thrift_write.c        the compact protocol
   stream_import.c       an Arrow C stream -> batches; import_schema.c its fields, import_array.c
                         its buffers

   Other folders use the public calls (taco_pq_write, taco_import_open); taco.h uses nothing of this
   folder. The writer owns what it points to unless a comment says that it is the caller's. The
   first failure stays in taco_pq_writer.err (taco_import.err), functions return false from then on,
   and the running public call returns the code. Nothing is read back from the sink. */
#ifndef TACO__PARQUET_WRITE_H
#define TACO__PARQUET_WRITE_H

/* #include "../api/taco_parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../codec/encode.h" */
/* #include "../parquet/parquet.h" */

/* ---- imports ---- */

/* How the buffers of an Arrow type are converted. */
typedef enum taco__import_kind {
    TACO__IMPORT_NONE,    /* type NULL: no buffers */
    TACO__IMPORT_BITS,    /* BOOL */
    TACO__IMPORT_FIXED,   /* values of the same width and meaning: used in place */
    TACO__IMPORT_DECIMAL, /* of 4 to 32 bytes, sign-extended to 16 or 32 */
    TACO__IMPORT_DATE64,  /* milliseconds -> days */
    TACO__IMPORT_MONTHS,  /* int32 */
    TACO__IMPORT_DAYS,    /* int32 days, int32 milliseconds */
    TACO__IMPORT_MIXED,   /* int32 months, int32 days, int64 nanoseconds */
    TACO__IMPORT_TEXT,    /* offsets of 32 or 64 bits, and bytes */
    TACO__IMPORT_VIEW,    /* 16 bytes each: the text, or where it is */
    TACO__IMPORT_LIST,
    TACO__IMPORT_FIXED_LIST,
    TACO__IMPORT_STRUCT
} taco__import_kind;

/* A field of the stream, with the buffers that its arrays are converted into. */
typedef struct taco__import_node {
    taco_field *field; /* the converted field */
    taco__import_kind kind;
    size_t width;        /* bytes of a value, an offset or an index in the stream */
    bool is_signed;      /* dictionary indices only */
    bool nested;         /* below another field: rows under a null parent are undefined */
    int32_t list_length; /* FIXED_LIST: items of every list */
    struct taco__import_node *children;
    taco_array *arrays; /* of the children */
    /* of the values, if there is a dictionary; this node then describes the indices, with the field
       of the values */
    struct taco__import_node *dictionary;
    /* The dictionary whose values are in `decoded`, valid while decoded_turn is the import's turn:
       a stream may reuse the address of a released array. */
    const struct ArrowArray *decoded_from;
    uint64_t decoded_turn;
    taco_array decoded;
    taco__buf validity, offsets, values;
} taco__import_node;

struct taco_import {
    taco__mem mem;
    taco__arena arena; /* fields and nodes */
    taco_error err;
    taco_limits limits;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array; /* the array whose rows are being returned; the import releases it */
    uint64_t turn;           /* number of arrays received */
    uint64_t next_row;       /* first row of the array not yet returned */
    uint64_t rows;           /* rows returned so far */
    taco__import_node root;  /* the table itself, a STRUCT */
    uint64_t field_count;    /* against limits.max_columns */
    bool ended;
    bool too_large; /* the failure may be avoided by a batch with fewer rows */
};

/* ---- Thrift ---- */

#define TACO__THRIFT_WRITE_DEPTH 16 /* most nested structures; ours go six deep */

/* A writer of structures. After a failure, which sets `bad` and err, nothing is written. */
typedef struct taco__thrift_writer {
    taco__buf *out;
    taco_error *err;
    bool bad;
    unsigned depth;
    int16_t last[TACO__THRIFT_WRITE_DEPTH]; /* number of the last field, per open structure */
} taco__thrift_writer;

/* ---- a leaf column in parts, each changed by one file ---- */

/* The entries of a batch's rows for one leaf: one per value, null or empty list (levels.c). */
typedef struct taco__levels {
    taco__mem *mem;
    taco__buf def, rep, index;    /* int16, int16, uint32 per entry */
    taco__buf def2, rep2, index2; /* the next ones, while a list is expanded; then swapped */
    size_t entries;
    /* After taco__levels_make, index holds only the positions of the values in `leaf`. */
    size_t values;
    const taco_array *leaf;
    int16_t max_def, max_rep;
    bool any_none; /* some entries may have no value */
    /* After taco__levels_make: the positions of the values are consecutive numbers. */
    bool consecutive;
} taco__levels;

/* Values in PLAIN form (Encodings.md): fixed widths little-endian in sequence, a BOOLEAN as a byte
   of 0 or 1, byte arrays without their lengths, with offsets. */
typedef struct taco__plain_values {
    size_t width; /* bytes of a value; 0 for byte arrays */
    size_t count;
    taco__buf bytes;
    /* Byte arrays only: uint32, value i being bytes [offsets[i], offsets[i + 1]). len counts only
       `count` of them: the end of the last value is stored past it, where the next append
       begins. */
    taco__buf offsets;
} taco__plain_values;

/* The leaf in the schema (schema_write.c); never changes. */
typedef struct taco__leaf_schema {
    const taco_field *field;
    uint32_t column;   /* the top-level column it belongs to */
    uint32_t *path;    /* child to take at every STRUCT and map entry, for taco__levels_make */
    taco_bytes *names; /* path_in_schema */
    size_t name_count;
    int32_t type;        /* TACO__PQ_INT32 and so on */
    int32_t type_length; /* of TACO__PQ_FIXED */
    taco__stats_order order;
    int16_t max_def, max_rep;
} taco__leaf_schema;

/* How it is written, from the options (write_options.c); never changes. */
typedef struct taco__leaf_settings {
    taco_encoding encoding; /* AUTO if the requested one does not fit the type */
    int32_t codec;          /* CompressionCodec */
    int level;
    bool bloom, stats, page_index;
    /* Dictionary-encoded in Arrow, too: pyarrow restores a dictionary only from dictionary pages
       and PLAIN, so nothing else is tried. */
    bool arrow_dictionary;
} taco__leaf_settings;

/* Entries and values that are not in a page yet (page_writer.c). */
typedef struct taco__leaf_input {
    taco__plain_values values;
    taco__buf def, rep; /* int16 each */
    size_t entries;
} taco__leaf_input;

/* The current page: entries [first_entry, entry) and values [first_value, value) of the input
   (page_writer.c). */
typedef struct taco__open_page {
    size_t first_entry, first_value;
    size_t entry, value;
    size_t rows, bytes;
    uint64_t hash; /* content-defined ends: hash of the last 64 bytes, across page ends */
    bool boundary; /* the hash found an end in this row */
} taco__open_page;

/* The distinct values of a chunk in order of occurrence (dictionary_builder.c). */
typedef struct taco__dict_builder {
    taco__plain_values values;
    /* A hash table with linear probing: uint32 positions + 1, 0 for a free slot. slot_count is 0 or
       a power of two, at least twice values.count. */
    taco__buf slots;
    size_t slot_count;
    taco__buf indices; /* uint32, for the values added last */
} taco__dict_builder;

typedef enum taco__dictionary_mode {
    /* no page of the chunk had values yet, or those that had are waiting */
    TACO__DICTIONARY_UNDECIDED,
    TACO__DICTIONARY_USED,
    TACO__DICTIONARY_UNUSED /* not smaller, or exceeded dictionary_bytes */
} taco__dictionary_mode;

/* State of a dictionary that does not pay for the first page with values, but may for the chunk:
   its pages wait in the input, and further ones are examined (encoding_choice.c). */
typedef struct taco__dictionary_trial {
    uint32_t pages; /* waiting pages; 0: the first has not been examined */
    size_t bytes;   /* their size, as counted for page_bytes */
    size_t seen;    /* values in the dictionary */
    /* for the first page: its values, their size without dictionary; and with one, the size of the
       dictionary, before and after compression, and of the indices, at `width` bits each */
    size_t values, direct, plain, dictionary, indices;
    unsigned width;
    /* size of all pages so far, without and with a dictionary */
    uint64_t direct_sum, dictionary_sum;
} taco__dictionary_trial;

/* Statistics of a chunk (value_bounds.c, page_writer.c). */
typedef struct taco__chunk_stats {
    taco__buf min, max;  /* whole values, not truncated as bounds are */
    bool bounded;        /* some value has bounds: min and max are set */
    bool unbounded_page; /* some page has values but no bounds: no ColumnIndex */
    int64_t nulls, nans;
    int64_t unencoded; /* size of byte arrays, without lengths */
} taco__chunk_stats;

/* One data page, for the indexes. */
typedef struct taco__page_record {
    uint64_t offset; /* offset in the chunk's data pages */
    uint32_t size;   /* including its header */
    uint64_t first_row;
    int64_t nulls, nans, unencoded;
    bool all_null, bounded;
    size_t min_at, min_len, max_at, max_len; /* positions in taco__chunk_pages.bounds */
} taco__page_record;

#define TACO__PQ_ENCODINGS 10 /* Encoding: 0 to 9 */

/* The encoded pages of the current chunk (page_writer.c). */
typedef struct taco__chunk_pages {
    taco__buf bytes;        /* headers and bodies, as in the file */
    taco__buf records;      /* taco__page_record each */
    taco__buf bounds;       /* their min and max */
    taco__buf level_counts; /* int64: entries by repetition, then by definition level, per page */
    taco__buf hashes;       /* uint64 of every value, for the bloom filter */
    size_t count;
    uint64_t rows, entries;
    uint64_t plain_bytes; /* size of headers and uncompressed bodies */
    uint32_t by_encoding[TACO__PQ_ENCODINGS];
    uint32_t with_dictionary, without_dictionary; /* the latter: only pages with values */
} taco__chunk_pages;

typedef struct taco__leaf_writer {
    taco__leaf_schema schema;
    taco__leaf_settings settings;
    taco__leaf_input input;
    taco__open_page page;
    taco__dict_builder dict;
    taco__dictionary_mode mode;
    taco__dictionary_trial trial;
    bool indexed;   /* dict.indices are already those of the open page */
    int32_t direct; /* encoding of pages without dictionary; set when mode is */
    taco__chunk_stats stats;
    taco__chunk_pages pages;
    size_t ahead; /* rows of the current batch that a task has already added (write_tasks.c) */
} taco__leaf_writer;

#define TACO__PQ_TRIAL_VALUES 4096      /* number of values used to choose an encoding */
#define TACO__PQ_TRIAL_PAGES  8         /* most pages used to decide about a dictionary, */
#define TACO__PQ_TRIAL_BYTES  2097152   /* and their size */
#define TACO__PQ_BOUND_BYTES  64        /* of text and binary bounds; longer ones are cut */
#define TACO__PQ_BOUND_MAX    4096      /* a bound that cannot be truncated is omitted if longer */
#define TACO__PQ_BLOOM_MAX    134217728 /* most bytes of a bloom filter, as in parquet-mr */

/* ---- geometries ---- */

/* What is known about the geometries of a column, or a single one (wkb_summary.c). */
typedef struct taco__wkb_summary {
    uint32_t types; /* bit 1 .. 7: WKB type without Z; 17 .. 23: with Z */
    /* some were not WKB, have M, or an infinite coordinate: types and bounds are incomplete */
    bool odd;
    double min[3], max[3]; /* of finite coordinates; min > max: none */
} taco__wkb_summary;

typedef struct taco__geo_column {
    size_t column;
    const char *name, *crs,
        *covering; /* crs: PROJJSON or NULL; covering: a column's name or NULL */
    bool spherical;
    taco__wkb_summary summary;
    /* A covering that the caller does not provide is made here: column `made`, 0 for none, from the
       rows of one batch. */
    size_t made;
    taco__buf box[4], validity; /* xmin, ymin, xmax, ymax */
    taco_array side[4], array;
} taco__geo_column;

/* ---- the writer ---- */

/* The encoders, created on first use (compress.c). */
typedef struct taco__compressor {
    taco__mem *mem;
    taco__zstd_encoder *zstd; /* for zstd_level */
    int zstd_level;
    taco__snappy_encoder *snappy;
    taco__lz4_encoder *lz4;
    taco__deflater *gzip;
} taco__compressor;

/* Content-defined page ends: a random number per byte, and the bits of their rolling sum that are
   all zero at an end (page_writer.c). */
typedef struct taco__gear {
    uint64_t table[256];
    uint64_t mask;
} taco__gear;

/* Buffers that are only used within one call. */
typedef struct taco__write_scratch {
    taco__levels levels;
    taco__buf body;    /* a page, a filter, a footer, a document */
    taco__buf packed;  /* the compressed page */
    taco__buf trial;   /* a trial encoding; a second document */
    taco__buf lengths; /* uint32 per value, for the encodings of byte arrays */
} taco__write_scratch;

/* Where the parts of a chunk named in the footer are. */
typedef struct taco__chunk_record {
    size_t meta_at, meta_len;              /* ColumnMetaData, in taco__footer_parts.metas */
    size_t column_at, column_len;          /* ColumnIndex, in .indexes; len 0: none */
    size_t offset_at, offset_len;          /* OffsetIndex */
    uint64_t column_offset, offset_offset; /* in the file, once written */
} taco__chunk_record;

typedef struct taco__group_record {
    uint64_t rows, offset, uncompressed, compressed;
} taco__group_record;

/* The contents of the footer, collected while the file grows. */
typedef struct taco__footer_parts {
    taco__buf schema, keys; /* SchemaElements, KeyValues, each a Thrift structure */
    uint32_t schema_count, key_count;
    taco__buf metas, indexes; /* Thrift structures; the records say where each is */
    taco__buf chunks, groups; /* taco__chunk_record, taco__group_record each */
} taco__footer_parts;

struct taco_pq_writer {
    taco__mem mem;
    taco__arena arena; /* fields, leaves, geometry columns */
    taco_error err;
    taco_sink sink;
    uint64_t offset;                 /* bytes written */
    taco_pq_write_options opt;       /* pointers are the caller's, NULL after taco_pq_write */
    const struct ArrowSchema *arrow; /* schema of the stream, or NULL; only as long */
    taco_field *fields;
    size_t caller_count, field_count; /* coverings made here come after the caller's columns */
    taco__geo_column *geo;
    size_t geo_count;
    taco__leaf_writer *leaves;
    size_t leaf_count;
    bool all_alike;  /* the columns are all those of opt.like, in its order */
    taco__gear gear; /* where opt.content_defined */
    taco__compressor compressor;
    taco__write_scratch scratch;
    taco_options host;              /* whose parallel_for makes pages */
    struct taco__write_task *tasks; /* write_tasks.c; NULL: none */
    uint64_t waiting;               /* bytes added to leaves since the last round */
    bool only_adds;                 /* in a task that only adds rows and makes no pages */
    taco__footer_parts footer;
    uint64_t group_rows, rows; /* rows of the current row group, and of those before it */
};

/* A page before its header is made; the body is in scratch.body. */
typedef struct taco__page_body {
    int32_t type, encoding;
    size_t entries, nulls, rows;
    size_t rep_len, def_len; /* bytes of the levels */
    size_t plain;            /* bytes of the whole body, uncompressed */
    bool compressed;
} taco__page_body;

/* ---- file_writer.c ---- */

#define TACO__PQ_WRITER_ROWS 8192 /* number of rows whose levels are made at a time */

TACO__FN void taco__pq_writer_init_scratch(taco__write_scratch *s, taco__mem *mem);
TACO__FN void taco__pq_writer_free_scratch(taco__write_scratch *s);
/* Appends to the sink. */
TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len);

/* ---- schema_write.c ---- */

/* A copy in the arena of the caller's fields, which need not live as long; NULL on failure. */
TACO__FN taco_field *taco__schema_write_copy_fields(taco_pq_writer *w, const taco_field *f,
                                                    size_t n, uint32_t depth);
/* Makes footer.schema and the leaves of w->fields. */
TACO__FN bool taco__schema_write(taco_pq_writer *w);

/* ---- schema_like.c ---- */

/* The column of opt.like that column i of the caller is a copy of; NULL if there is none. `*next`
   is 0 for the first column, and is kept between calls: columns of one name are found in order. */
TACO__FN const taco__pq_schema_node *taco__schema_like_find(taco_pq_writer *w, size_t i,
                                                            uint32_t *next);
/* Appends the elements of a column of opt.like to footer.schema, as they are. */
TACO__FN bool taco__schema_like_elements(taco_pq_writer *w, const taco__pq_schema_node *node);
/* Makes the schema of a leaf that of leaf number `leaf` of opt.like. */
TACO__FN bool taco__schema_like_leaf(taco_pq_writer *w, taco__leaf_schema *s, uint32_t leaf);

/* ---- write_options.c ---- */

/* The Encoding for an option; -1 if the leaf's type cannot have it. */
TACO__FN int32_t taco__write_options_encoding(const taco__leaf_schema *s, taco_encoding option);
/* Fills in defaults and the settings of all leaves. */
TACO__FN bool taco__write_options_apply(taco_pq_writer *w);

/* ---- key_values.c ---- */

/* value.data NULL: a key without a value. */
TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value);
/* Writes the caller's keys, those of the stream, and "ARROW:schema" if needed. */
TACO__FN bool taco__key_values_write(taco_pq_writer *w);

/* ---- geo_columns.c ---- */

TACO__FN bool taco__geo_column_init_all(taco_pq_writer *w);
/* Writes the "geo" key; called last, after all rows. */
TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w);
/* Adds rows [first, first + n) of the geometry column to its summary, and makes their covering if
   it is made here. */
TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n);
/* The covering made last, for a column beyond the caller's. */
TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column);

/* ---- wkb_summary.c ---- */

TACO__FN void taco__wkb_summary_init(taco__wkb_summary *s);
/* Adds a geometry; box becomes its bounds, xmin, ymin, xmax, ymax. False if it has none: it is
   empty, or not WKB. */
TACO__FN bool taco__wkb_summary_add(taco__wkb_summary *s, taco_bytes b, double box[4]);

/* ---- levels.c ---- */

TACO__FN void taco__levels_init(taco__levels *l, taco__mem *mem);
TACO__FN void taco__levels_free(taco__levels *l);
/* The entries of rows [first, first + n) of the leaf that path leads to below a top-level array. */
TACO__FN bool taco__levels_make(taco__levels *l, const taco_array *a, const uint32_t *path,
                                size_t first, size_t n, taco_error *err);

/* ---- plain_values.c ---- */

TACO__FN void taco__plain_values_init(taco__plain_values *v, size_t width, taco__mem *mem);
TACO__FN bool taco__plain_values_append(taco__plain_values *v, taco_bytes value, taco_error *err);
/* Keeps only the first n values, and the memory. */
TACO__FN void taco__plain_values_truncate(taco__plain_values *v, size_t n);
/* Drops the first n values. */
TACO__FN void taco__plain_values_drop_front(taco__plain_values *v, size_t n);

/* ---- array_values.c ---- */

/* Appends values [at, at + n) of those that taco__levels_make found to the leaf's input; changes
   their positions. */
TACO__FN bool taco__array_values_append(taco__leaf_writer *l, taco__levels *v, size_t at, size_t n,
                                        taco_error *err);

/* ---- write_tasks.c ---- */

/* Number of rows given to tasks at a time. */
#define TACO__WRITE_TASK_ROWS 65536
#define TACO__LEAF_BUFFERS    15

/* All buffers of a leaf. */
TACO__FN void taco__write_tasks_buffers(taco__leaf_writer *l, taco__buf *out[TACO__LEAF_BUFFERS]);
/* Called once the leaves are known. */
TACO__FN void taco__write_tasks_open(taco_pq_writer *w);
TACO__FN void taco__write_tasks_close(taco_pq_writer *w);
/* Whether a leaf's full pages wait for a round of tasks. */
TACO__FN bool taco__write_tasks_may_wait(const taco_pq_writer *w);
/* Lets tasks add rows [first, first + n) of a batch to the leaves, n at most TACO__WRITE_TASK_ROWS;
   afterwards each has taken the first l->ahead of them, possibly none. */
TACO__FN void taco__write_tasks_add_rows(taco_pq_writer *w, const taco_batch *b, size_t first,
                                         size_t n);
/* Makes the pages of all leaves, if there is enough for a round, or with `last` in any case. */
TACO__FN bool taco__write_tasks_end_full_pages(taco_pq_writer *w, bool last);

/* ---- page_writer.c ---- */

/* Adds rows [first, first + n) of a top-level column to one of its leaves, and makes full pages. */
TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n);
/* Makes pages of the input where they are full; with `last` of all of it. */
TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last);
/* Compresses scratch.body to scratch.packed, or copies it if that is not smaller; without a codec
   both are exchanged. */
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b);
/* Appends a PageHeader and scratch.packed to out. */
TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out);

/* ---- encoding_choice.c ---- */

/* Appends values [at, at + n) of the input in an encoding without dictionary. */
TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, const taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out);
/* Sets l->direct to the encoding that makes these values smallest, judging by the first few
   thousand. */
TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n);
/* Decides l->mode and l->direct for the chunk, from values [at, at + n) of the input, those of its
   first pages; or leaves the mode UNDECIDED if another page would help. `all`: there is none. */
TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n, bool all);

/* ---- dictionary_builder.c ---- */

/* Finds or adds values [at, at + n) of v and sets d->indices to their positions. *fits is false if
   the dictionary would exceed most_bytes as a PLAIN page: its values are unchanged, but it must not
   grow any more, because slots may refer to dropped values. */
TACO__FN bool taco__dict_builder_add_values(taco__dict_builder *d, const taco__plain_values *v,
                                            size_t at, size_t n, size_t most_bytes, bool *fits,
                                            taco_error *err);
/* Empties the dictionary for the next chunk; the memory stays. */
TACO__FN void taco__dict_builder_clear(taco__dict_builder *d);
/* Appends the body of the dictionary page. */
TACO__FN bool taco__dict_builder_append_plain(const taco__dict_builder *d, taco__buf *out,
                                              taco_error *err);

/* ---- encode.c ---- */

/* Each appends n values, and is false only without memory. Levels as RLE without a length. */
TACO__FN bool taco__encode_levels(taco__buf *out, const int16_t *levels, size_t n, int16_t max,
                                  taco_error *err);
/* RLE_DICTIONARY: indices into a dictionary of `entries`, after the bit width. */
TACO__FN bool taco__encode_indices(taco__buf *out, const uint32_t *v, size_t n, size_t entries,
                                   taco_error *err);
/* BOOLEAN from bytes of 0 and 1: RLE after its length; PLAIN as bits. */
TACO__FN bool taco__encode_bools_rle(taco__buf *out, const uint8_t *v, size_t n, taco_error *err);
TACO__FN bool taco__encode_bools(taco__buf *out, const uint8_t *v, size_t n, taco_error *err);
/* DELTA_BINARY_PACKED of integers of 4 or 8 bytes. */
TACO__FN bool taco__encode_delta(taco__buf *out, const uint8_t *v, size_t width, size_t n,
                                 taco_error *err);
/* PLAIN: each value after its length. */
TACO__FN bool taco__encode_byte_arrays(taco__buf *out, const uint8_t *bytes,
                                       const uint32_t *offsets, size_t n, taco_error *err);
/* DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY; the latter also for values of one width, with
   offsets NULL. lengths: scratch of 4 n bytes. */
TACO__FN bool taco__encode_delta_length(taco__buf *out, const uint8_t *bytes,
                                        const uint32_t *offsets, size_t n, uint8_t *lengths,
                                        taco_error *err);
TACO__FN bool taco__encode_delta_strings(taco__buf *out, const uint8_t *bytes,
                                         const uint32_t *offsets, size_t width, size_t n,
                                         uint8_t *lengths, taco_error *err);
TACO__FN bool taco__encode_byte_stream_split(taco__buf *out, const uint8_t *v, size_t width,
                                             size_t n, taco_error *err);

/* ---- compress.c ---- */

/* The CompressionCodec of an option; false, with err set, if there is none or no encoder. */
TACO__FN bool taco__compress_codec_number(taco_codec codec, int32_t *out, taco_error *err);
/* Appends src to out, compressed with the leaf's codec. */
TACO__FN bool taco__compress_append(taco_pq_writer *w, const taco__leaf_settings *s, taco_bytes src,
                                    taco__buf *out);
TACO__FN void taco__compress_free(taco__compressor *c);

/* ---- value_bounds.c ---- */

/* Adds bounds of values [at, at + n) of the input to the page's record and the chunk's
   statistics. */
TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err);
/* Writes Statistics as field `id` of the current structure of t. */
TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, const taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id);

/* ---- chunk_writer.c ---- */

/* Writes the leaf's pages, dictionary and filter to the sink, collects what the footer needs, and
   clears the leaf for the next row group. */
TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g);
/* Adds the column's name to the failure; false. */
TACO__FN bool taco__chunk_writer_fail(taco_pq_writer *w, const taco__leaf_writer *l);

/* ---- page_index_write.c ---- */

/* Histograms of levels as fields id and id + 1: of all pages in sequence, or with `sum` of the
   chunk. */
TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum);
/* Append to footer.indexes; the ColumnIndex only if every page with values has bounds. data: offset
   of the chunk's first data page. */
TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, const taco__leaf_writer *l);
TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, const taco__leaf_writer *l,
                                                  uint64_t data);
/* Writes the indexes of all chunks to the sink, and stores their positions in the records. */
TACO__FN bool taco__page_index_write_all(taco_pq_writer *w);

/* ---- thrift_write.c ---- */

/* Begins a structure after the buffer's contents; taco__thrift_write_end ends it. */
TACO__FN void taco__thrift_write_init(taco__thrift_writer *w, taco__buf *out, taco_error *err);
/* Without a field header: raw bytes; items of a list. */
TACO__FN void taco__thrift_write_raw(taco__thrift_writer *w, const void *data, size_t len);
TACO__FN void taco__thrift_write_u8(taco__thrift_writer *w, unsigned x);
TACO__FN void taco__thrift_write_number(taco__thrift_writer *w, int64_t x);
TACO__FN void taco__thrift_write_bytes(taco__thrift_writer *w, taco_bytes b);
/* The header of a field, and whole fields. Numbers of fields ascend within a structure. */
TACO__FN void taco__thrift_write_field(taco__thrift_writer *w, int16_t id, unsigned type);
TACO__FN void taco__thrift_write_i32(taco__thrift_writer *w, int16_t id, int32_t x);
TACO__FN void taco__thrift_write_i64(taco__thrift_writer *w, int16_t id, int64_t x);
TACO__FN void taco__thrift_write_bool(taco__thrift_writer *w, int16_t id, bool x);
TACO__FN void taco__thrift_write_binary(taco__thrift_writer *w, int16_t id, taco_bytes b);
/* The header of a list; its n items follow. */
TACO__FN void taco__thrift_write_list(taco__thrift_writer *w, int16_t id, unsigned type, size_t n);
/* Begin a nested structure: an item of a list; a field. */
TACO__FN void taco__thrift_write_begin_item(taco__thrift_writer *w);
TACO__FN void taco__thrift_write_begin(taco__thrift_writer *w, int16_t id);
/* Ends the innermost structure; false if anything has failed. */
TACO__FN bool taco__thrift_write_end(taco__thrift_writer *w);
/* A member of a union that has no fields. */
TACO__FN void taco__thrift_write_empty(taco__thrift_writer *w, int16_t id);

/* ---- stream_import.c ---- */

/* As the public calls without _; err is not NULL. */
TACO__FN taco_import *taco__import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                        taco_error *err);
TACO__FN bool taco__import_next(taco_import *in, taco_batch *out);
TACO__FN taco_status taco__import_close(taco_import *in, taco_error *err);

/* ---- import_schema.c ---- */

TACO__FN void taco__import_schema_init_node(taco_import *in, taco__import_node *k);
/* Fills k, whose field is set, and makes the nodes below it. */
TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s, uint32_t depth);
TACO__FN bool taco__import_schema_fail(taco_import *in, const struct ArrowSchema *s,
                                       const char *what);

/* ---- import_array.c ---- */

/* Rows [first, first + n) of an array as *out, which is valid until the next call for the same
   node. The contents of the producer's buffers are checked; their length cannot be. */
TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out);
TACO__FN bool taco__import_array_fail(taco_import *in, const taco__import_node *k, const char *what,
                                      uint64_t found, uint64_t allowed);

/* ---- inline helpers ---- */

TACO__INLINE int16_t *taco__levels_values(const taco__buf *b)
{
    return (int16_t *)(void *)b->data;
}

TACO__INLINE uint32_t *taco__levels_indices(const taco__buf *b)
{
    return (uint32_t *)(void *)b->data;
}

TACO__INLINE uint32_t *taco__plain_values_offsets(const taco__plain_values *v)
{
    return (uint32_t *)(void *)v->offsets.data;
}

TACO__INLINE taco_bytes taco__plain_values_at(const taco__plain_values *v, size_t i)
{
    const uint32_t *offsets = taco__plain_values_offsets(v);
    return v->width ? taco__bytes_of(v->bytes.data + i * v->width, v->width)
                    : taco__bytes_of(v->bytes.data + offsets[i], offsets[i + 1] - offsets[i]);
}

TACO__INLINE const uint32_t *taco__dict_builder_indices(const taco__dict_builder *d)
{
    return (const uint32_t *)(const void *)d->indices.data;
}

/* Histograms of levels are written only if they say more than the counts of entries and nulls. */
TACO__INLINE bool taco__page_index_write_has_histograms(const taco__leaf_writer *l)
{
    return l->settings.stats && (l->schema.max_rep > 0 || l->schema.max_def > 1);
}

#endif /* TACO__PARQUET_WRITE_H */
/* ==== src/parquet_write/stream_import.c ==== */
/* stream_import.c - any Arrow C stream as batches: opening, reading, releasing

   In: a struct ArrowArrayStream, which the import owns from taco_import_open on. Out: batches of at
   most 65,536 rows whose arrays are ours: 32-bit offsets from 0, validity from bit 0 (Arrow C
   stream interface). import_schema.c makes a tree of nodes from the schema once; for each batch
   import_array.c converts the buffers of that tree, in place where the layout is the same.

   An array of the stream is cut into batches; if the text of that many rows exceeds 2^31 bytes,
   half the rows are tried. Start reading at taco__import_next. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

#define TACO__IMPORT_ROWS 65536 /* most rows in a batch */

/* ---- the stream ---- */

static void taco__import_free_node(taco__import_node *k)
{
    uint32_t i;
    for (i = 0; k->children && i < k->field->child_count; i++) {
        taco__import_free_node(&k->children[i]);
    }
    if (k->dictionary) { taco__import_free_node(k->dictionary); }
    taco__buf_free(&k->validity);
    taco__buf_free(&k->offsets);
    taco__buf_free(&k->values);
}

/* Releases in the order array, schema, stream: the stream may own what the others point to. */
static void taco__import_free(taco_import *in)
{
    taco__mem mem;
    taco__import_free_node(&in->root);
    if (in->array.release) { in->array.release(&in->array); }
    if (in->schema.release) { in->schema.release(&in->schema); }
    if (in->stream.release) { in->stream.release(&in->stream); }
    taco__arena_free(&in->arena);
    mem = in->mem;
    taco__mem_free(&mem, in, sizeof *in);
}

/* A failure reported by the stream, with its own message. */
static bool taco__import_fail(taco_import *in, const char *what, int code)
{
    const char *text = in->stream.get_last_error ? in->stream.get_last_error(&in->stream) : NULL;
    taco_bytes said = taco__bytes_text(text ? text : "");
    TACO__FAIL(&in->err, TACO_ERR_IO, TACO_NO_OFFSET,
               "the %s of an Arrow stream failed with code %d: %q", what, TACO__D(code), &said);
    return false;
}

/* The schema of a stream is a struct, whose children are the columns. */
static bool taco__import_read_schema(taco_import *in)
{
    int code = in->stream.get_schema(&in->stream, &in->schema);
    if (code) {
        in->schema.release = NULL;
        return taco__import_fail(in, "schema", code);
    }
    in->root.field = (taco_field *)taco__arena_alloc(&in->arena, sizeof *in->root.field, &in->err);
    if (!in->root.field) { return false; }
    if (!in->schema.format || strcmp(in->schema.format, "+s") != 0 || in->schema.dictionary) {
        return taco__import_schema_fail(in, &in->schema, ", where a table is expected");
    }
    return taco__import_schema_field(in, &in->root, &in->schema, 0);
}

/* Makes in->array the next one with rows; false at the end and on failure. */
static bool taco__import_next_array(taco_import *in)
{
    const struct ArrowArray *a = &in->array;
    int code;
    do {
        if (in->array.release) { in->array.release(&in->array); }
        memset(&in->array, 0, sizeof in->array);
        code = in->stream.get_next(&in->stream, &in->array);
        if (code) {
            in->array.release = NULL;
            return taco__import_fail(in, "next batch", code);
        }
        if (!a->release) {
            in->ended = true;
            return false;
        }
        in->next_row = 0;
        in->turn++;
    } while (a->length == 0);
    return true;
}

/* Converts rows of the array, from the next one on: *n of them, or fewer if their text is too much
   for one batch. */
static bool taco__import_convert_rows(taco_import *in, size_t *n, taco_array *table)
{
    for (;;) {
        in->too_large = false;
        if (taco__import_array(in, &in->root, &in->array, in->next_row, *n, table)) { return true; }
        if (!in->too_large) { return false; }
        memset(&in->err, 0, sizeof in->err);
        *n /= 2;
    }
}

static bool taco__import_take_rows(taco_import *in, taco_batch *out)
{
    uint64_t left = (uint64_t)in->array.length - in->next_row;
    size_t n = (size_t)TACO__MIN(left, (uint64_t)TACO__IMPORT_ROWS);
    taco_array table;
    if (!taco__import_convert_rows(in, &n, &table)) { return false; }
    if (table.null_count) {
        return taco__import_array_fail(in, &in->root,
                                       "null rows of the table itself:", table.null_count, 0);
    }
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)in->rows;
    out->length = n;
    out->columns = in->root.arrays;
    out->column_count = in->root.field->child_count;
    in->next_row += n;
    in->rows += n;
    return true;
}

TACO__FN taco_status taco__import_close(taco_import *in, taco_error *err)
{
    taco_status code;
    if (!in) { return TACO_OK; }
    code = in->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = in->err; }
    taco__import_free(in);
    return code;
}

/* An import with only its memory and limits; NULL on failure. */
static taco_import *taco__import_alloc(const taco_options *opt, taco_error *err)
{
    taco_options options;
    taco__mem mem;
    taco_import *in;
    taco__options_init(&options, opt);
    taco__mem_init(&mem, opt);
    in = (taco_import *)taco__mem_alloc(&mem, sizeof *in, err);
    if (!in) { return NULL; }
    in->mem = mem;
    in->arena.mem = &in->mem;
    in->limits = options.limits;
    return in;
}

TACO__FN taco_import *taco__import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                        taco_error *err)
{
    taco_import *in;
    if (!stream || !stream->release) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Arrow stream, or a released one");
        return NULL;
    }
    in = taco__import_alloc(opt, err);
    if (!in) {
        stream->release(stream);
        stream->release = NULL;
        return NULL;
    }
    in->stream = *stream; /* moved: the caller's is a released one from here on */
    memset(stream, 0, sizeof *stream);
    taco__import_schema_init_node(in, &in->root);
    if (!taco__import_read_schema(in)) {
        taco__import_close(in, err);
        return NULL;
    }
    return in;
}

TACO__FN bool taco__import_next(taco_import *in, taco_batch *out)
{
    if (in->ended || in->err.code != TACO_OK) { return false; }
    return ((in->array.release && in->next_row < (uint64_t)in->array.length) ||
            taco__import_next_array(in)) &&
           taco__import_take_rows(in, out);
}

/* ---- the public calls ---- */

TACO_API taco_import *taco_import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                       taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__import_open(stream, opt, taco__error_fresh(err, &own));
}

TACO_API const taco_field *taco_import_fields(const taco_import *in, size_t *n)
{
    if (n) { *n = in ? in->root.field->child_count : 0; }
    return in ? in->root.field->children : NULL;
}

TACO_API bool taco_import_next(taco_import *in, taco_batch *out)
{
    return in && taco__import_next(in, out);
}

TACO_API taco_status taco_import_close(taco_import *in, taco_error *err)
{
    return taco__import_close(in, err);
}
/* ==== src/parquet_write/import_schema.c ==== */
/* import_schema.c - converts a producer's Arrow formats to fields, and decides how to convert
   arrays

   In: a struct ArrowSchema; out: a taco__import_node with its taco_field, and the nodes below it
   (Arrow C data interface, "Data type description - format strings"). A format is one letter, or a
   letter with parameters: "w:16" FIXED of 16 bytes, "d:10,2" a DECIMAL of 128 bits, "tsu:UTC" a
   TIMESTAMP of microseconds, "+l" a LIST. Unions, list views and run-end encoding are refused.

   Start reading at taco__import_schema_field; taco__import_schema_format has the letters. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* Whether the schema's metadata has that value for that key. */
static bool taco__import_schema_has_metadata(const struct ArrowSchema *s, const char *key,
                                             const char *value)
{
    const char *p = s->metadata;
    int32_t n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes k, v;
    while (taco__arrow_next_pair(&p, &n, &k, &v)) {
        if (taco__bytes_equal(k, taco__bytes_text(key))) {
            return taco__bytes_equal(v, taco__bytes_text(value));
        }
    }
    return false;
}

TACO__FN bool taco__import_schema_fail(taco_import *in, const struct ArrowSchema *s,
                                       const char *what)
{
    taco_bytes name = taco__bytes_text(s->name ? s->name : "");
    taco_bytes format = taco__bytes_text(s->format ? s->format : "");
    TACO__FAIL(&in->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "unsupported: field %q of Arrow format %q%s", &name, &format, what);
    return false;
}

/* Digits at *p, less than 10^9, into *out. */
static bool taco__import_schema_parse_number(const char **p, int32_t *out)
{
    const char *start = *p;
    int32_t x = 0;
    for (; **p >= '0' && **p <= '9' && *p - start < 9; ++*p) {
        x = x * 10 + (**p - '0');
    }
    *out = x;
    return *p > start;
}

/* Sets the type, `own` bytes wide, and how it is converted from values of `width` bytes. */
static void taco__import_schema_set_type(taco__import_node *k, taco_type type,
                                         taco__import_kind kind, size_t width, int32_t own)
{
    k->field->type = type;
    k->field->width = own;
    k->kind = kind;
    k->width = width;
}

/* After "d:": precision, scale, and bits where they are not 128. */
static bool taco__import_schema_decimal(taco__import_node *k, const char *p)
{
    int32_t bits = 128;
    if (!taco__import_schema_parse_number(&p, &k->field->precision) || *p++ != ',' ||
        !taco__import_schema_parse_number(&p, &k->field->scale) ||
        (*p == ',' && (p++, !taco__import_schema_parse_number(&p, &bits))) || *p ||
        (bits != 32 && bits != 64 && bits != 128 && bits != 256)) {
        return false;
    }
    taco__import_schema_set_type(k, TACO_DECIMAL, TACO__IMPORT_DECIMAL, (size_t)bits / 8,
                                 bits == 256 ? 32 : 16);
    return true;
}

/* "tiM", "tiD" and "tin": months; days and milliseconds; months, days and nanoseconds. */
static bool taco__import_schema_interval(taco__import_node *k, const char *p)
{
    taco__import_kind kind = p[1] == 'M'   ? TACO__IMPORT_MONTHS
                             : p[1] == 'D' ? TACO__IMPORT_DAYS
                                           : TACO__IMPORT_MIXED;
    size_t width = p[1] == 'M' ? 4 : p[1] == 'D' ? 8 : 16;
    k->field->unit = TACO_SECOND;
    taco__import_schema_set_type(k, TACO_INTERVAL, kind, width, 12);
    return (p[1] == 'M' || p[1] == 'D' || p[1] == 'n') && !p[2];
}

/* "tdD" and "tdm": dates of days, or of milliseconds. */
static bool taco__import_schema_date(taco__import_node *k, const char *p)
{
    bool days = p[1] == 'D';
    k->field->unit = TACO_SECOND;
    taco__import_schema_set_type(k, TACO_DATE, days ? TACO__IMPORT_FIXED : TACO__IMPORT_DATE64,
                                 days ? 4 : 8, 4);
    return (days || p[1] == 'm') && !p[2];
}

/* Formats that begin with t, at the letter after it. The unit is s, m, u or n; a duration becomes
   an INT64, because Parquet has none. */
static bool taco__import_schema_temporal(taco__import_node *k, const char *p)
{
    static const char units[] = "smun";
    const char *unit = p[0] && p[1] ? strchr(units, p[1]) : NULL;
    taco_field *f = k->field;
    int32_t width;
    f->unit = unit ? (taco_unit)(unit - units) : TACO_SECOND;
    width = f->unit <= TACO_MILLI ? 4 : 8;
    switch (p[0]) {
    case 'd': return taco__import_schema_date(k, p);
    case 't':
        taco__import_schema_set_type(k, TACO_TIME, TACO__IMPORT_FIXED, (size_t)width, width);
        return unit && !p[2];
    case 's':
        taco__import_schema_set_type(k, TACO_TIMESTAMP, TACO__IMPORT_FIXED, 8, 8);
        f->utc = unit && p[2] == ':' && p[3];
        return unit && p[2] == ':';
    case 'D':
        taco__import_schema_set_type(k, TACO_INT64, TACO__IMPORT_FIXED, 8, 8);
        f->unit = TACO_SECOND;
        return unit && !p[2];
    case 'i': return taco__import_schema_interval(k, p);
    default: return false;
    }
}

/* Formats that begin with +, at the letter after it. */
static bool taco__import_schema_nested(taco__import_node *k, const char *p)
{
    switch (*p++) {
    case 'l':
    case 'L':
        taco__import_schema_set_type(k, TACO_LIST, TACO__IMPORT_LIST, p[-1] == 'L' ? 8 : 4, 0);
        break;
    case 'm': taco__import_schema_set_type(k, TACO_MAP, TACO__IMPORT_LIST, 4, 0); break;
    case 's': taco__import_schema_set_type(k, TACO_STRUCT, TACO__IMPORT_STRUCT, 0, 0); break;
    case 'w':
        taco__import_schema_set_type(k, TACO_LIST, TACO__IMPORT_FIXED_LIST, 0, 0);
        if (*p++ != ':' || !taco__import_schema_parse_number(&p, &k->list_length)) { return false; }
        break;
    default: return false;
    }
    return !*p;
}

/* Formats of one letter whose values are unchanged. */
static bool taco__import_schema_number(taco__import_node *k, char letter)
{
    static const char letters[] = "cCsSiIlLefg";
    static const uint8_t types[] = {TACO_INT8,  TACO_UINT8,  TACO_INT16, TACO_UINT16,
                                    TACO_INT32, TACO_UINT32, TACO_INT64, TACO_UINT64,
                                    TACO_HALF,  TACO_FLOAT,  TACO_DOUBLE};
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    const char *at = strchr(letters, letter);
    size_t i = at ? (size_t)(at - letters) : 0;
    if (!at) { return false; }
    taco__import_schema_set_type(k, (taco_type)types[i], TACO__IMPORT_FIXED, widths[i], widths[i]);
    return true;
}

/* "w:16". */
static bool taco__import_schema_fixed(taco__import_node *k, const char *p)
{
    taco__import_schema_set_type(k, TACO_FIXED, TACO__IMPORT_FIXED, 0, 0);
    if (*p++ != ':' || !taco__import_schema_parse_number(&p, &k->field->width)) { return false; }
    k->width = (size_t)k->field->width;
    return !*p;
}

/* The type of a format without a dictionary; false if it is unknown. */
static bool taco__import_schema_format(taco__import_node *k, const char *p)
{
    char letter = *p;
    if (letter && !p[1] && taco__import_schema_number(k, letter)) { return true; }
    switch (*p++) {
    case 'n': taco__import_schema_set_type(k, TACO_NULL, TACO__IMPORT_NONE, 0, 0); break;
    case 'b': taco__import_schema_set_type(k, TACO_BOOL, TACO__IMPORT_BITS, 0, 0); break;
    case 'u':
    case 'U':
        taco__import_schema_set_type(k, TACO_TEXT, TACO__IMPORT_TEXT, letter == 'U' ? 8 : 4, 0);
        break;
    case 'z':
    case 'Z':
        taco__import_schema_set_type(k, TACO_BINARY, TACO__IMPORT_TEXT, letter == 'Z' ? 8 : 4, 0);
        break;
    case 'v': /* "vu" and "vz" */
        taco__import_schema_set_type(k, *p == 'u' ? TACO_TEXT : TACO_BINARY, TACO__IMPORT_VIEW, 16,
                                     0);
        return (*p == 'u' || *p == 'z') && !p[1];
    case 'w': return taco__import_schema_fixed(k, p);
    case 'd': return *p == ':' && taco__import_schema_decimal(k, p + 1);
    case 't': return taco__import_schema_temporal(k, p);
    case '+': return taco__import_schema_nested(k, p);
    default: return false;
    }
    return !*p;
}

/* The node of a dictionary's indices: an integer format, signed ones at even positions. */
static bool taco__import_schema_indices(taco__import_node *k, const char *p)
{
    static const char formats[] = "cCsSiIlL";
    const char *at = *p && !p[1] ? strchr(formats, *p) : NULL;
    if (at) {
        k->width = (size_t)1 << (at - formats) / 2;
        k->is_signed = (at - formats) % 2 == 0;
    }
    return at != NULL;
}

TACO__FN void taco__import_schema_init_node(taco_import *in, taco__import_node *k)
{
    memset(k, 0, sizeof *k);
    k->validity.mem = k->offsets.mem = k->values.mem = &in->mem;
}

/* Most children: well below overflow of 32-bit sizes, since a node takes less than 512 bytes. */
#define TACO__IMPORT_MAX_CHILDREN 4194304

/* Makes the nodes of all children, then fills each, so that the tree can be freed after any
   failure. */
static bool taco__import_schema_children(taco_import *in, taco__import_node *k,
                                         const struct ArrowSchema *s, uint32_t depth)
{
    size_t n = (size_t)s->n_children, i;
    taco_field *fields;
    if (s->n_children < 0 || s->n_children > TACO__IMPORT_MAX_CHILDREN) {
        return taco__import_schema_fail(in, s, ", which has more children than are allowed");
    }
    fields = (taco_field *)taco__arena_array(&in->arena, n + 1, sizeof *fields, &in->err);
    k->children =
        (taco__import_node *)taco__arena_array(&in->arena, n + 1, sizeof *k->children, &in->err);
    k->arrays = (taco_array *)taco__arena_array(&in->arena, n + 1, sizeof *k->arrays, &in->err);
    if (!fields || !k->children || !k->arrays) { return false; }
    for (i = 0; i < n; i++) {
        taco__import_schema_init_node(in, &k->children[i]);
        k->children[i].field = &fields[i];
    }
    k->field->children = fields; /* from here on their buffers are freed with the tree */
    k->field->child_count = (uint32_t)n;
    for (i = 0; i < n; i++) {
        if (!s->children || !s->children[i]) {
            return taco__import_schema_fail(in, s, ", which has no schema for a child");
        }
        if (!taco__import_schema_field(in, &k->children[i], s->children[i], depth + 1)) {
            return false;
        }
    }
    return true;
}

/* True if a list, map or struct has the required children. */
static bool taco__import_schema_check_children(const taco__import_node *k,
                                               const struct ArrowSchema *s)
{
    const struct ArrowSchema *c = s->n_children > 0 && s->children ? s->children[0] : NULL;
    if (k->field->type == TACO_STRUCT) { return s->n_children >= 0; }
    if (k->field->type == TACO_MAP) {
        return s->n_children == 1 && c && c->format && strcmp(c->format, "+s") == 0 &&
               c->n_children == 2;
    }
    return s->n_children == (k->field->type == TACO_LIST);
}

/* The values of a dictionary have the field; the node itself describes the indices. */
static bool taco__import_schema_dictionary(taco_import *in, taco__import_node *k,
                                           const struct ArrowSchema *s)
{
    const struct ArrowSchema *values = s->dictionary;
    k->dictionary = (taco__import_node *)taco__arena_alloc(&in->arena, sizeof *k, &in->err);
    if (!k->dictionary) { return false; }
    taco__import_schema_init_node(in, k->dictionary);
    k->dictionary->field = k->field;
    if (values->dictionary || !taco__import_schema_format(k->dictionary, values->format) ||
        k->dictionary->kind >= TACO__IMPORT_LIST) {
        return taco__import_schema_fail(in, s, ", a dictionary of nested values");
    }
    return true;
}

/* Reads the format, or that of the dictionary's values if there is one. */
static bool taco__import_schema_type(taco_import *in, taco__import_node *k,
                                     const struct ArrowSchema *s)
{
    bool known = s->format &&
                 (s->dictionary ? taco__import_schema_indices(k, s->format) && s->dictionary->format
                                : taco__import_schema_format(k, s->format));
    if (!known) { return taco__import_schema_fail(in, s, ""); }
    if (s->dictionary && !taco__import_schema_dictionary(in, k, s)) { return false; }
    k->field->nullable = k->field->type == TACO_NULL || (s->flags & ARROW_FLAG_NULLABLE) != 0;
    if (k->field->type == TACO_FIXED && k->field->width == 16 &&
        taco__import_schema_has_metadata(s, "ARROW:extension:name", "arrow.uuid")) {
        k->field->type = TACO_UUID;
    }
    return true;
}

TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s, uint32_t depth)
{
    taco_field *f = k->field;
    if (depth > in->limits.max_depth || ++in->field_count > in->limits.max_columns) {
        TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an Arrow schema deeper than limits.max_depth, %u, or of more fields than "
                   "limits.max_columns, %u",
                   TACO__U(in->limits.max_depth), TACO__U(in->limits.max_columns));
        return false;
    }
    k->nested = depth > 1;
    f->name = taco__arena_text(&in->arena, taco__bytes_text(s->name ? s->name : ""), &in->err);
    if (!f->name || !taco__import_schema_type(in, k, s)) { return false; }
    if (!taco__import_schema_check_children(k, s)) {
        return taco__import_schema_fail(in, s, ", which has other children than it must");
    }
    if (!taco__import_schema_children(in, k, s, depth)) { return false; }
    if (f->type == TACO_MAP) { /* neither pairs nor keys are ever null */
        k->children[0].field->nullable = k->children[0].children[0].field->nullable = false;
    }
    return true;
}
/* ==== src/parquet_write/import_array.c ==== */
/* import_array.c - converts a producer's Arrow arrays to ours, for the rows of one batch

   In: a struct ArrowArray, the node that import_schema.c made for it, and which rows. Out: a
   taco_array: validity from bit 0, 32-bit offsets from 0, numbers of the machine's order (Arrow
   Columnar Format). Fixed-width values and bytes of text are used in place where they are aligned;
   everything else is converted into the node's buffers, so the array lives until the node's next.

   Counts, offsets, indices and views are checked before they are used. The interface does not give
   the length of the producer's buffers, so that must be trusted. A failure that fewer rows may
   avoid (2^31 bytes of text) sets in->too_large. Start reading at taco__import_array. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* ---- checks of an array ---- */

/* The message says what, the number found and the most allowed. */
TACO__FN bool taco__import_array_fail(taco_import *in, const taco__import_node *k, const char *what,
                                      uint64_t found, uint64_t allowed)
{
    taco_bytes name = taco__bytes_text(k->field->name);
    TACO__FAIL(&in->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "an Arrow array of field %q: %s %u, %u at most", &name, what, found, allowed);
    return false;
}

/* Number of buffers of the node's arrays (Arrow Columnar Format, "Buffer Listing for Each
   Layout"). */
static int64_t taco__import_array_buffer_count(const taco__import_node *k)
{
    if (k->dictionary) { return 2; }
    switch (k->kind) {
    case TACO__IMPORT_NONE: return 0;
    case TACO__IMPORT_STRUCT:
    case TACO__IMPORT_FIXED_LIST: return 1;
    case TACO__IMPORT_TEXT: return 3;
    default: return 2;
    }
}

/* Checks that the array has as many buffers and children as its type; views may have more
   buffers. */
static bool taco__import_array_check_layout(taco_import *in, const taco__import_node *k,
                                            const struct ArrowArray *a, size_t n)
{
    int64_t buffers = taco__import_array_buffer_count(k);
    bool views = k->kind == TACO__IMPORT_VIEW && !k->dictionary;
    if (views ? a->n_buffers < 3 : a->n_buffers != buffers) {
        return taco__import_array_fail(in, k, "number of buffers", (uint64_t)a->n_buffers,
                                       (uint64_t)buffers);
    }
    if (a->n_children != (int64_t)k->field->child_count || (a->n_children && !a->children) ||
        (k->dictionary && !a->dictionary) || (buffers && !a->buffers)) {
        return taco__import_array_fail(in, k, "number of children", (uint64_t)a->n_children,
                                       k->field->child_count);
    }
    if (buffers > 1 && n && !a->buffers[1] &&
        (k->dictionary || k->width || k->kind == TACO__IMPORT_BITS)) {
        return taco__import_array_fail(in, k, "no buffer for rows:", n, 0);
    }
    return true;
}

/* Checks that rows [first, first + n) of an array exist, and its buffers, too; *at is where the
   rows begin in these. */
static bool taco__import_array_check_range(taco_import *in, const taco__import_node *k,
                                           const struct ArrowArray *a, uint64_t first, size_t n,
                                           size_t *at)
{
    uint64_t end = 0;
    size_t bytes;
    if (!a) { return taco__import_array_fail(in, k, "missing", 0, 0); }
    if (a->length < 0 || a->offset < 0 || a->length > INT64_MAX - a->offset) {
        return taco__import_array_fail(in, k, "offset and length below zero or beyond",
                                       (uint64_t)a->length, INT64_MAX);
    }
    if (!taco__checked_add64(first, n, &end) || end > (uint64_t)a->length) {
        return taco__import_array_fail(in, k, "its parent needs rows up to", end,
                                       (uint64_t)a->length);
    }
    if (!taco__import_array_check_layout(in, k, a, n)) { return false; }
    first += (uint64_t)a->offset;
    if (first > SIZE_MAX - n ||
        !taco__checked_mul_size((size_t)first + n, TACO__MAX(k->width, (size_t)1), &bytes)) {
        return taco__import_array_fail(in, k, "rows beyond what memory holds:", first, SIZE_MAX);
    }
    *at = (size_t)first;
    return true;
}

/* A failure that fewer rows may avoid, unless a single row is too large. */
static bool taco__import_array_fail_large(taco_import *in, size_t rows, const char *what)
{
    in->too_large = rows > 1;
    TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, what, TACO__U(INT32_MAX));
    return false;
}

/* Room for n + 1 offsets; NULL on failure. */
static int32_t *taco__import_array_alloc_offsets(taco_import *in, taco__import_node *k, size_t n)
{
    size_t bytes;
    if (!taco__checked_mul_size(n + 1, sizeof(int32_t), &bytes) ||
        !taco__buf_reset(&k->offsets, bytes, &in->err)) {
        return NULL;
    }
    return (int32_t *)(void *)k->offsets.data;
}

/* ---- values of one width ---- */

/* Copies validity into a bitmap of our own, at bit 0; none if no row is null. */
static bool taco__import_array_validity(taco_import *in, taco__import_node *k,
                                        const struct ArrowArray *a, size_t at, size_t n,
                                        taco_array *out)
{
    const uint8_t *bits =
        a->n_buffers > 0 && a->null_count != 0 ? (const uint8_t *)a->buffers[0] : NULL;
    if (k->kind == TACO__IMPORT_NONE && !k->dictionary) {
        out->null_count = n;
        return true;
    }
    if (!bits || !n) { return true; }
    if (!taco__buf_reset(&k->validity, TACO__BITMAP_BYTES(n), &in->err)) { return false; }
    memset(k->validity.data, 0, TACO__BITMAP_BYTES(n));
    out->null_count = n - taco__bitmap_copy(k->validity.data, 0, bits, at, n);
    out->validity = out->null_count ? k->validity.data : NULL;
    return true;
}

/* n values of `width` bytes at `at`: in place, if they are aligned for a machine number. */
static bool taco__import_array_fixed(taco_import *in, taco__import_node *k,
                                     const struct ArrowArray *a, size_t at, size_t n,
                                     taco_array *out)
{
    size_t unit = k->width == 2 || k->width == 4 || k->width == 8 ? k->width : 1, bytes;
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    if (n == 0 || k->width == 0) {
        out->v.any = in->root.field; /* any address */
        return true;
    }
    p += at * k->width;
    if ((uintptr_t)p % unit == 0) {
        out->v.any = p;
        return true;
    }
    if (!taco__checked_mul_size(n, k->width, &bytes) ||
        !taco__buf_reset(&k->values, bytes, &in->err)) {
        return false;
    }
    memcpy(k->values.data, p, bytes);
    out->v.any = k->values.data;
    return true;
}

/* BOOL: bits, copied to bit 0. */
static bool taco__import_array_bits(taco_import *in, taco__import_node *k,
                                    const struct ArrowArray *a, size_t at, size_t n,
                                    taco_array *out)
{
    if (!taco__buf_reset(&k->values, TACO__BITMAP_BYTES(n), &in->err)) { return false; }
    memset(k->values.data, 0, TACO__BITMAP_BYTES(n));
    if (n) { taco__bitmap_copy(k->values.data, 0, (const uint8_t *)a->buffers[1], at, n); }
    out->v.any = k->values.data;
    return true;
}

/* Converts a decimal in native byte order, of 4 to 32 bytes, to a little-endian one of 16 or 32. */
static void taco__import_array_widen_decimal(const uint8_t *p, size_t width, uint8_t *to,
                                             size_t own)
{
    size_t i;
    for (i = 0; i < width; i++) {
        to[i] = p[TACO__BIG_ENDIAN ? width - 1 - i : i];
    }
    memset(to + width, to[width - 1] & 0x80 ? 0xFF : 0, own - width);
}

/* Months, days and milliseconds, uint32 each (LogicalTypes.md, INTERVAL). False for parts that are
   negative, or smaller than milliseconds: Parquet has neither. */
static bool taco__import_array_interval(taco__import_kind kind, const uint8_t *p, uint8_t *to)
{
    int32_t part[2];
    int64_t rest = 0;
    memset(part, 0, sizeof part);
    memcpy(part, p, kind == TACO__IMPORT_MONTHS ? 4 : 8);
    if (kind == TACO__IMPORT_DAYS) {
        rest = part[1];
        part[1] = part[0];
        part[0] = 0;
    } else if (kind == TACO__IMPORT_MIXED) {
        memcpy(&rest, p + 8, 8);
        if (rest % 1000000) { return false; }
        rest /= 1000000;
    }
    taco__put_le32(to, (uint32_t)part[0]);
    taco__put_le32(to + 4, (uint32_t)part[1]);
    taco__put_le32(to + 8, (uint32_t)rest);
    return part[0] >= 0 && part[1] >= 0 && rest >= 0 && rest <= UINT32_MAX;
}

/* Milliseconds since 1970 as days, rounded down. */
static bool taco__import_array_days(taco_import *in, const taco__import_node *k,
                                    const uint8_t *from, uint8_t *to)
{
    int64_t ms, day;
    int32_t days;
    memcpy(&ms, from, 8);
    day = taco__time_floor_div(ms, 86400000);
    if (day < INT32_MIN || day > INT32_MAX) {
        return taco__import_array_fail(in, k, "a date of days", (uint64_t)day, INT32_MAX);
    }
    days = (int32_t)day;
    memcpy(to, &days, 4);
    return true;
}

/* The value of row i, which is not null. */
static bool taco__import_array_convert_value(taco_import *in, const taco__import_node *k,
                                             const uint8_t *from, uint8_t *to, size_t i)
{
    switch (k->kind) {
    case TACO__IMPORT_DECIMAL:
        taco__import_array_widen_decimal(from, k->width, to, (size_t)k->field->width);
        return true;
    case TACO__IMPORT_DATE64: return taco__import_array_days(in, k, from, to);
    default:
        return taco__import_array_interval(k->kind, from, to) ||
               taco__import_array_fail(
                   in, k, "an interval below zero or not of whole milliseconds in row", i, 0);
    }
}

/* Values that need conversion: one by one, zeros for nulls. */
static bool taco__import_array_convert(taco_import *in, taco__import_node *k,
                                       const struct ArrowArray *a, size_t at, size_t n,
                                       taco_array *out)
{
    size_t own = (size_t)k->field->width, i, bytes;
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    if (!taco__checked_mul_size(n, own, &bytes) || !taco__buf_reset(&k->values, bytes, &in->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        uint8_t *to = k->values.data + i * own;
        if (out->validity && !taco__bitmap_get(out->validity, i)) {
            memset(to, 0, own);
        } else if (!taco__import_array_convert_value(in, k, p + (at + i) * k->width, to, i)) {
            return false;
        }
    }
    out->v.any = k->values.data;
    return true;
}

/* ---- text and lists ---- */

/* Offset i, of 4 or 8 bytes. */
TACO__INLINE int64_t taco__import_array_offset_at(const taco__import_node *k, const uint8_t *p,
                                                  size_t i)
{
    int64_t wide;
    int32_t narrow;
    if (k->width == 8) {
        memcpy(&wide, p + i * 8, 8);
        return wide;
    }
    memcpy(&narrow, p + i * 4, 4);
    return narrow;
}

/* Converts n + 1 offsets, which must ascend, to 32-bit ones from 0; *first is the original first
   one. Without rows there may be no offsets. */
static bool taco__import_array_offsets(taco_import *in, taco__import_node *k,
                                       const struct ArrowArray *a, size_t at, size_t n,
                                       uint64_t *first)
{
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    int32_t *to = taco__import_array_alloc_offsets(in, k, n);
    int64_t from, last, x;
    size_t i;
    if (!to) { return false; }
    to[0] = 0;
    *first = 0;
    if (!n) { return true; }
    from = last = taco__import_array_offset_at(k, p, at);
    *first = (uint64_t)from;
    for (i = 0; i <= n; i++) {
        x = taco__import_array_offset_at(k, p, at + i);
        if (x < last || from < 0) {
            return taco__import_array_fail(in, k, "offsets that descend, to", (uint64_t)x,
                                           (uint64_t)last);
        }
        if (x - from > INT32_MAX) {
            in->too_large = n > 1;
            TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "%u bytes or items in one row, at most %u are allowed", (uint64_t)(x - from),
                       TACO__U(INT32_MAX));
            return false;
        }
        to[i] = (int32_t)(x - from);
        last = x;
    }
    return true;
}

/* The bytes stay in place, from the first one on. */
static bool taco__import_array_text(taco_import *in, taco__import_node *k,
                                    const struct ArrowArray *a, size_t at, size_t n,
                                    taco_array *out)
{
    uint64_t first;
    const uint8_t *p = (const uint8_t *)a->buffers[2];
    if (!taco__import_array_offsets(in, k, a, at, n, &first)) { return false; }
    out->offsets = (const int32_t *)(const void *)k->offsets.data;
    if (out->offsets[n] && (!p || first > SIZE_MAX - INT32_MAX)) {
        return taco__import_array_fail(in, k, "no buffer for bytes:", TACO__U(out->offsets[n]), 0);
    }
    out->v.any = out->offsets[n] ? p + first : (const void *)in->root.field;
    return true;
}

/* Bytes of a view: a length of 4 bytes, then up to 12 bytes of text, or for longer text a prefix,
   the number of a buffer and the offset in it. The last buffer has the sizes of these. */
static bool taco__import_array_view_bytes(taco_import *in, const taco__import_node *k,
                                          const struct ArrowArray *a, const uint8_t *view,
                                          taco_bytes *out)
{
    int64_t more = a->n_buffers - 3, size;
    int32_t len, which, at;
    memcpy(&len, view, 4);
    memcpy(&which, view + 8, 4);
    memcpy(&at, view + 12, 4);
    if (len >= 0 && len <= 12) {
        *out = taco__bytes_of(view + 4, (size_t)len);
        return true;
    }
    if (len < 0 || which < 0 || which >= more || !a->buffers[2 + which] ||
        !a->buffers[a->n_buffers - 1]) {
        return taco__import_array_fail(in, k, "a view into buffer", (uint64_t)(int64_t)which,
                                       (uint64_t)more);
    }
    memcpy(&size, (const uint8_t *)a->buffers[a->n_buffers - 1] + 8 * (size_t)which, 8);
    if (at < 0 || size < (int64_t)at + len) {
        return taco__import_array_fail(in, k, "a view to byte", (uint64_t)((int64_t)at + len),
                                       (uint64_t)size);
    }
    *out = taco__bytes_of((const uint8_t *)a->buffers[2 + which] + at, (size_t)len);
    return true;
}

/* Views: the texts are copied, one after the other. */
static bool taco__import_array_views(taco_import *in, taco__import_node *k,
                                     const struct ArrowArray *a, size_t at, size_t n,
                                     taco_array *out)
{
    const uint8_t *views = (const uint8_t *)a->buffers[1];
    int32_t *to = taco__import_array_alloc_offsets(in, k, n);
    size_t i;
    if (!to || !taco__buf_reset(&k->values, 0, &in->err)) { return false; }
    to[0] = 0;
    for (i = 0; i < n; i++) {
        taco_bytes b = {NULL, 0};
        if ((!out->validity || taco__bitmap_get(out->validity, i)) &&
            !taco__import_array_view_bytes(in, k, a, views + (at + i) * 16, &b)) {
            return false;
        }
        if (b.len > INT32_MAX - k->values.len) {
            return taco__import_array_fail_large(in, n, "more than %u bytes of text in a batch");
        }
        if (!taco__buf_append(&k->values, b.data, b.len, &in->err)) { return false; }
        to[i + 1] = (int32_t)k->values.len;
    }
    out->offsets = to;
    out->v.any = k->values.data;
    return true;
}

/* Offsets of lists that all have list_length items. */
static bool taco__import_array_fixed_lists(taco_import *in, taco__import_node *k, size_t at,
                                           size_t n)
{
    int32_t *to;
    size_t i;
    if ((uint64_t)n * (uint64_t)k->list_length > INT32_MAX ||
        at > SIZE_MAX / 2 / ((size_t)k->list_length + 1)) {
        return taco__import_array_fail_large(in, n, "more than %u list items in a batch");
    }
    to = taco__import_array_alloc_offsets(in, k, n);
    for (i = 0; to && i <= n; i++) {
        to[i] = (int32_t)(i * (size_t)k->list_length);
    }
    return to != NULL;
}

/* Lists, maps and structs: the offsets, if there are any, then the rows of the children they
   name. */
static bool taco__import_array_nested(taco_import *in, taco__import_node *k,
                                      const struct ArrowArray *a, size_t at, size_t n,
                                      taco_array *out)
{
    uint64_t first = at;
    size_t items = n, i;
    if (k->kind == TACO__IMPORT_LIST) {
        if (!taco__import_array_offsets(in, k, a, at, n, &first)) { return false; }
    } else if (k->kind == TACO__IMPORT_FIXED_LIST) {
        if (!taco__import_array_fixed_lists(in, k, at, n)) { return false; }
        first = (uint64_t)at * (uint64_t)k->list_length;
    }
    if (k->kind != TACO__IMPORT_STRUCT) {
        out->offsets = (const int32_t *)(const void *)k->offsets.data;
        items = (size_t)out->offsets[n];
    }
    for (i = 0; i < k->field->child_count; i++) {
        if (!taco__import_array(in, &k->children[i], a->children[i], first, items, &k->arrays[i])) {
            return false;
        }
    }
    out->children = k->arrays;
    return true;
}

/* ---- dictionaries ---- */

/* A dictionary index of 1 to 8 bytes. A uint64 that does not fit becomes negative. */
TACO__INLINE int64_t taco__import_array_index_at(const taco__import_node *k, const uint8_t *p)
{
    union {
        int8_t c;
        int16_t s;
        uint16_t S;
        int32_t i;
        uint32_t I;
        int64_t l;
    } x;

    memcpy(&x, p, k->width);
    switch (k->width) {
    case 1: return k->is_signed ? x.c : *p;
    case 2: return k->is_signed ? x.s : (int64_t)x.S;
    case 4: return k->is_signed ? x.i : (int64_t)x.I;
    default: return x.l;
    }
}

/* Looks up values of fixed width, so that the array has no dictionary. */
static bool taco__import_array_decode_fixed(taco_import *in, taco__import_node *k,
                                            const int32_t *index, size_t n, taco_array *out)
{
    const taco_array *d = &k->decoded;
    size_t width = (size_t)k->field->width, i, bytes;
    bool bits = k->field->type == TACO_BOOL;
    taco__buf *to = &k->values;
    if (!taco__checked_mul_size(n, TACO__MAX(width, (size_t)1), &bytes) ||
        !taco__buf_reset(to, bytes, &in->err)) {
        return false;
    }
    memset(to->data, 0, bytes);
    for (i = 0; i < n; i++) {
        if (d->length == 0 || (out->validity && !taco__bitmap_get(out->validity, i))) { continue; }
        if (bits && taco__bitmap_get(d->v.u8, (size_t)index[i])) {
            taco__bitmap_set(to->data, i);
        } else if (!bits && width) {
            memcpy(to->data + i * width, d->v.u8 + (size_t)index[i] * width, width);
        }
    }
    out->v.any = to->data;
    return true;
}

/* Fills k->decoded with the values, once per array of the stream. A failure there is not due to too
   many rows. */
static bool taco__import_array_read_values(taco_import *in, taco__import_node *k,
                                           const struct ArrowArray *values)
{
    if (k->decoded_from == values && k->decoded_turn == in->turn) { return true; }
    if (values->length < 0 || values->length > INT32_MAX) {
        return taco__import_array_fail(in, k, "entries of a dictionary", (uint64_t)values->length,
                                       INT32_MAX);
    }
    if (!taco__import_array(in, k->dictionary, values, 0, (size_t)values->length, &k->decoded)) {
        in->too_large = false;
        return false;
    }
    k->decoded_from = values;
    k->decoded_turn = in->turn;
    return true;
}

/* Makes a bitmap with all rows valid, if some may turn out to be null and there is none. */
static bool taco__import_array_need_validity(taco_import *in, taco__import_node *k, size_t n,
                                             taco_array *out)
{
    if (out->validity || !(k->decoded.null_count || k->nested)) { return true; }
    if (!taco__buf_reset(&k->validity, TACO__BITMAP_BYTES(n), &in->err)) { return false; }
    taco__bitmap_fill(k->validity.data, 0, n, true);
    out->validity = k->validity.data;
    return true;
}

/* Indices of the rows as int32, 0 for null rows. A null among the values makes its rows null; so
   does an index out of range below other fields, where the row may be under a null parent and
   undefined. */
static bool taco__import_array_indices(taco_import *in, taco__import_node *k, const uint8_t *p,
                                       int32_t *to, size_t n, taco_array *out)
{
    const taco_array *d = &k->decoded;
    size_t i;
    for (i = 0; i < n; i++) {
        int64_t x;
        bool there;
        to[i] = 0;
        if (out->validity && !taco__bitmap_get(out->validity, i)) { continue; }
        x = taco__import_array_index_at(k, p + i * k->width);
        there = x >= 0 && (uint64_t)x < d->length;
        if (!there && !k->nested) {
            return taco__import_array_fail(in, k, "a dictionary index of", (uint64_t)x,
                                           (uint64_t)d->length - (d->length > 0));
        }
        to[i] = there ? (int32_t)x : 0;
        if (!there ||
            (d->null_count && (!d->validity || !taco__bitmap_get(d->validity, (size_t)x)))) {
            taco__bitmap_fill(k->validity.data, i, 1, false);
            out->null_count++;
        }
    }
    if (out->null_count == 0) { out->validity = NULL; }
    return true;
}

/* Text stays in a dictionary, values of fixed width are decoded. */
static bool taco__import_array_dictionary(taco_import *in, taco__import_node *k,
                                          const struct ArrowArray *a, size_t at, size_t n,
                                          taco_array *out)
{
    const uint8_t *p;
    int32_t *to;
    if (!taco__import_array_read_values(in, k, a->dictionary)) { return false; }
    to = taco__import_array_alloc_offsets(in, k, n);
    if (!to || !taco__import_array_need_validity(in, k, n, out)) { return false; }
    p = n ? (const uint8_t *)a->buffers[1] + at * k->width : NULL;
    if (!taco__import_array_indices(in, k, p, to, n, out)) { return false; }
    if (!taco__array_is_var_length(k->field)) {
        return taco__import_array_decode_fixed(in, k, to, n, out);
    }
    out->v.any = to;
    out->dictionary = &k->decoded;
    return true;
}

TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out)
{
    size_t at = 0;
    memset(out, 0, sizeof *out);
    out->field = k->field;
    out->length = n;
    if (!taco__import_array_check_range(in, k, a, first, n, &at) ||
        !taco__import_array_validity(in, k, a, at, n, out)) {
        return false;
    }
    if (k->dictionary) { return taco__import_array_dictionary(in, k, a, at, n, out); }
    switch (k->kind) {
    case TACO__IMPORT_NONE: return true;
    case TACO__IMPORT_BITS: return taco__import_array_bits(in, k, a, at, n, out);
    case TACO__IMPORT_FIXED: return taco__import_array_fixed(in, k, a, at, n, out);
    case TACO__IMPORT_TEXT: return taco__import_array_text(in, k, a, at, n, out);
    case TACO__IMPORT_VIEW: return taco__import_array_views(in, k, a, at, n, out);
    case TACO__IMPORT_LIST:
    case TACO__IMPORT_FIXED_LIST:
    case TACO__IMPORT_STRUCT: return taco__import_array_nested(in, k, a, at, n, out);
    default: return taco__import_array_convert(in, k, a, at, n, out);
    }
}
/* ==== src/parquet_write/thrift_write.c ==== */
/* thrift_write.c - structures in Thrift's compact protocol

   In: calls in the order of the fields; out: bytes appended to a buffer (Thrift compact protocol
   specification). All of Parquet's metadata consists of such structures: page headers, indexes, the
   footer. A field's header is one byte if its number is at most 15 above the last one's: step << 4
   | type. {1: i32 5, 3: true} is 15 0a 21 00. A failure stays in w->bad, so that a caller only
   checks the last taco__thrift_write_end. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

TACO__FN void taco__thrift_write_init(taco__thrift_writer *w, taco__buf *out, taco_error *err)
{
    memset(w, 0, sizeof *w);
    w->out = out;
    w->err = err;
}

TACO__FN void taco__thrift_write_raw(taco__thrift_writer *w, const void *data, size_t len)
{
    w->bad = w->bad || !taco__buf_append(w->out, data, len, w->err);
}

TACO__FN void taco__thrift_write_u8(taco__thrift_writer *w, unsigned x)
{
    uint8_t b = (uint8_t)x;
    taco__thrift_write_raw(w, &b, 1);
}

/* ULEB128: seven bits a byte, the lowest first. */
static void taco__thrift_write_varint(taco__thrift_writer *w, uint64_t x)
{
    uint8_t b[10];
    size_t n = 0;
    for (; x >= 0x80; x >>= 7) {
        b[n++] = (uint8_t)(x | 0x80);
    }
    b[n++] = (uint8_t)x;
    taco__thrift_write_raw(w, b, n);
}

/* Zigzag: 0, -1, 1, -2 become 0, 1, 2, 3. */
TACO__FN void taco__thrift_write_number(taco__thrift_writer *w, int64_t x)
{
    taco__thrift_write_varint(w, ((uint64_t)x << 1) ^ (x < 0 ? UINT64_MAX : 0));
}

TACO__FN void taco__thrift_write_bytes(taco__thrift_writer *w, taco_bytes b)
{
    taco__thrift_write_varint(w, b.len);
    taco__thrift_write_raw(w, b.data, b.len);
}

TACO__FN void taco__thrift_write_field(taco__thrift_writer *w, int16_t id, unsigned type)
{
    int step = id - w->last[w->depth];
    if (step > 0 && step < 16) {
        taco__thrift_write_u8(w, (unsigned)step << 4 | type);
    } else {
        taco__thrift_write_u8(w, type);
        taco__thrift_write_number(w, id);
    }
    w->last[w->depth] = id;
}

TACO__FN void taco__thrift_write_i32(taco__thrift_writer *w, int16_t id, int32_t x)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_I32);
    taco__thrift_write_number(w, x);
}

TACO__FN void taco__thrift_write_i64(taco__thrift_writer *w, int16_t id, int64_t x)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_I64);
    taco__thrift_write_number(w, x);
}

/* A bool's value is in its type. */
TACO__FN void taco__thrift_write_bool(taco__thrift_writer *w, int16_t id, bool x)
{
    taco__thrift_write_field(w, id, x ? TACO__THRIFT_TRUE : TACO__THRIFT_FALSE);
}

TACO__FN void taco__thrift_write_binary(taco__thrift_writer *w, int16_t id, taco_bytes b)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_BINARY);
    taco__thrift_write_bytes(w, b);
}

/* Up to 14 items are counted in the byte of the type. */
TACO__FN void taco__thrift_write_list(taco__thrift_writer *w, int16_t id, unsigned type, size_t n)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_LIST);
    taco__thrift_write_u8(w, (unsigned)(n < 15 ? n : 15) << 4 | type);
    if (n >= 15) { taco__thrift_write_varint(w, n); }
}

TACO__FN void taco__thrift_write_begin_item(taco__thrift_writer *w)
{
    w->last[++w->depth] = 0;
}

TACO__FN void taco__thrift_write_begin(taco__thrift_writer *w, int16_t id)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_STRUCT);
    taco__thrift_write_begin_item(w);
}

TACO__FN bool taco__thrift_write_end(taco__thrift_writer *w)
{
    taco__thrift_write_u8(w, 0); /* the stop field */
    w->depth -= w->depth > 0;
    return !w->bad;
}

TACO__FN void taco__thrift_write_empty(taco__thrift_writer *w, int16_t id)
{
    taco__thrift_write_begin(w, id);
    taco__thrift_write_end(w);
}
/* ==== src/parquet_write/encode.c ==== */
/* encode.c - the encodings of levels and values in pages

   In: values in the form of PLAIN (taco__plain_values): of one width, or byte arrays by offsets.
   Out: bytes appended to a buffer, as Encodings.md has them; parquet/rle.c, delta_binary_packed.c
   and the other readers there undo it. encoding_choice.c decides which one to use. Functions return
   false only if there is no memory.

   Two of the encodings are built from others: RLE_DICTIONARY is a bit width and RLE, the two of
   byte arrays are DELTA_BINARY_PACKED lengths and bytes. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

/* ---- numbers ---- */

/* ULEB128. */
static bool taco__encode_varint(taco__buf *out, uint64_t x, taco_error *err)
{
    uint8_t b[10];
    size_t n = 0;
    for (; x >= 0x80; x >>= 7) {
        b[n++] = (uint8_t)(x | 0x80);
    }
    b[n++] = (uint8_t)x;
    return taco__buf_append(out, b, n, err);
}

static bool taco__encode_zigzag(taco__buf *out, int64_t x, taco_error *err)
{
    return taco__encode_varint(out, ((uint64_t)x << 1) ^ (x < 0 ? UINT64_MAX : 0), err);
}

/* Bits needed for numbers up to max; 0 for 0. */
TACO__INLINE unsigned taco__encode_bit_width(uint64_t max)
{
    return max ? 64 - taco__plat_clz64(max) : 0;
}

/* Packs n numbers of width bits, least significant bit first; dst has room for them and 8 bytes
   more. */
static void taco__encode_pack(uint8_t *dst, const uint64_t *v, size_t n, unsigned width)
{
    uint64_t word = 0;
    unsigned used = 0;
    size_t i;
    if (!width) { return; }
    for (i = 0; i < n; i++) {
        word |= v[i] << used;
        if (used + width >= 64) {
            taco__put_le64(dst, word);
            dst += 8;
            word = used ? v[i] >> (64 - used) : 0;
            used = used + width - 64;
        } else {
            used += width;
        }
    }
    taco__put_le64(dst, word);
}

/* ---- RLE and bit-packed runs ---- */

/* Eight or more equal values become a repeated run: varint (count << 1), the value in whole bytes.
   All others go, in groups of eight, into bit-packed runs: varint (groups << 1 | 1), width bytes
   per group; as long as possible, because the headers of short ones take up to 1.6 % of narrow
   values. A repeated run may only begin where a group ends. The last group is filled up with
   zeros, which readers do not count. */
typedef struct taco__rle_encoder {
    uint8_t *to; /* where the next byte goes */
    unsigned width;
    uint8_t *header; /* of the open bit-packed run */
    unsigned groups; /* of that run; 0: none is open */
} taco__rle_encoder;

/* Most groups of a bit-packed run whose header is one byte, and of any run. */
#define TACO__ENCODE_SHORT_RUN 63
#define TACO__ENCODE_LONG_RUN  8191

/* Value i of n that take `size` bytes each. */
TACO__INLINE uint32_t taco__encode_rle_value(const void *v, size_t size, size_t i)
{
    return size == 4   ? ((const uint32_t *)v)[i]
           : size == 2 ? (uint32_t)((const int16_t *)v)[i]
                       : ((const uint8_t *)v)[i];
}

/* Where the values equal to the one at i end. Most columns have no nulls, so levels are compared
   many at a time. */
TACO__INLINE size_t taco__encode_rle_run_end(const void *v, size_t size, size_t i, size_t n)
{
    const uint32_t value = taco__encode_rle_value(v, size, i);
    for (i++; i + 32 <= n; i += 32) {
        uint32_t other = 0;
        size_t k;
        for (k = 0; k < 32; k++) {
            other |= taco__encode_rle_value(v, size, i + k) ^ value;
        }
        if (other) { break; }
    }
    while (i < n && taco__encode_rle_value(v, size, i) == value) {
        i++;
    }
    return i;
}

/* Eight values, width bytes; dst has room for 16 and 8 more. */
TACO__INLINE void taco__encode_pack_group(uint8_t *dst, const uint64_t *v, unsigned width)
{
    uint64_t low = v[0] | v[1] << width | v[2] << 2 * width | v[3] << 3 * width;
    uint64_t high = v[4] | v[5] << width | v[6] << 2 * width | v[7] << 3 * width;
    taco__put_le64(dst, low | (width < 16 ? high << 4 * width : 0));
    taco__put_le64(dst + 8, width < 16 ? high >> 1 >> (63 - 4 * width) : high);
}

/* Writes the header of the open bit-packed run, if there is one. */
TACO__INLINE void taco__encode_rle_end_run(taco__rle_encoder *r)
{
    const unsigned head = r->groups << 1 | 1;
    if (r->groups == 0) { return; }
    r->header[0] = (uint8_t)(r->groups > TACO__ENCODE_SHORT_RUN ? head | 0x80 : head);
    if (r->groups > TACO__ENCODE_SHORT_RUN) { r->header[1] = (uint8_t)(head >> 7); }
    r->groups = 0;
}

/* A group of a bit-packed run, whose header takes a second byte from the 64th group on. */
TACO__INLINE void taco__encode_rle_group(taco__rle_encoder *r, const uint64_t *group)
{
    if (r->groups == 0) { r->header = r->to++; }
    if (r->groups == TACO__ENCODE_SHORT_RUN) {
        memmove(r->header + 2, r->header + 1, (size_t)(r->to - r->header) - 1);
        r->to++;
    }
    if (r->width <= 16) {
        taco__encode_pack_group(r->to, group, r->width);
    } else {
        taco__encode_pack(r->to, group, 8, r->width);
    }
    r->to += r->width;
    if (++r->groups == TACO__ENCODE_LONG_RUN) { taco__encode_rle_end_run(r); }
}

/* A run of `times` equal values; at most 9 bytes. */
static void taco__encode_rle_repeat(taco__rle_encoder *r, uint32_t value, size_t times)
{
    uint64_t head = (uint64_t)times << 1;
    unsigned i;
    taco__encode_rle_end_run(r);
    for (; head >= 0x80; head >>= 7) {
        *r->to++ = (uint8_t)(head | 0x80);
    }
    *r->to++ = (uint8_t)head;
    for (i = 0; i < r->width; i += 8) {
        *r->to++ = (uint8_t)(value >> i);
    }
}

/* Appends the runs of n values of `size` bytes, which is a constant after inlining. The worst case
   of eight values is a group after a header of two bytes, or a repeated run. */
TACO__INLINE bool taco__encode_rle_runs(taco__buf *out, const void *v, size_t size, size_t n,
                                        unsigned width, taco_error *err)
{
    taco__rle_encoder r;
    size_t i, k;
    if (!taco__buf_reserve(out, (n / 8 + 1) * (width + 14) + 24, err)) { return false; }
    memset(&r, 0, sizeof r);
    r.to = out->data + out->len;
    r.width = width;
    for (i = 0; i < n;) {
        uint64_t group[8] = {0, 0, 0, 0, 0, 0, 0, 0}, other = 0;
        size_t many = TACO__MIN(n - i, (size_t)8);
        for (k = 0; k < many; k++) {
            group[k] = taco__encode_rle_value(v, size, i + k);
            other |= group[k] ^ group[0];
        }
        if (many == 8 && !other) {
            size_t end = taco__encode_rle_run_end(v, size, i, n);
            taco__encode_rle_repeat(&r, (uint32_t)group[0], end - i);
            i = end;
        } else {
            taco__encode_rle_group(&r, group);
            i += many;
        }
    }
    taco__encode_rle_end_run(&r);
    out->len = (size_t)(r.to - out->data);
    return true;
}

TACO__FN bool taco__encode_levels(taco__buf *out, const int16_t *levels, size_t n, int16_t max,
                                  taco_error *err)
{
    return taco__encode_rle_runs(out, levels, 2, n, taco__encode_bit_width((uint64_t)max), err);
}

/* The width is at least 1, even for a dictionary of one value. */
TACO__FN bool taco__encode_indices(taco__buf *out, const uint32_t *v, size_t n, size_t entries,
                                   taco_error *err)
{
    unsigned width = TACO__MAX(taco__encode_bit_width(entries ? entries - 1 : 0), 1U);
    return taco__buf_append_char(out, (char)width, err) &&
           taco__encode_rle_runs(out, v, 4, n, width, err);
}

TACO__FN bool taco__encode_bools_rle(taco__buf *out, const uint8_t *v, size_t n, taco_error *err)
{
    static const uint8_t no_length[4] = {0, 0, 0, 0};
    size_t at = out->len;
    if (!taco__buf_append(out, no_length, 4, err) || !taco__encode_rle_runs(out, v, 1, n, 1, err)) {
        return false;
    }
    taco__put_le32(out->data + at, (uint32_t)(out->len - at - 4));
    return true;
}

TACO__FN bool taco__encode_bools(taco__buf *out, const uint8_t *v, size_t n, taco_error *err)
{
    size_t i;
    if (!taco__buf_reserve(out, TACO__BITMAP_BYTES(n), err)) { return false; }
    memset(out->data + out->len, 0, TACO__BITMAP_BYTES(n));
    for (i = 0; i < n; i++) {
        if (v[i]) { taco__bitmap_set(out->data + out->len, i); }
    }
    out->len += TACO__BITMAP_BYTES(n);
    return true;
}

/* ---- DELTA_BINARY_PACKED ---- */

/* Values of a block and of each of its 4 miniblocks: the fewest that Encodings.md allows, as
   written by parquet-mr and Arrow. */
#define TACO__ENCODE_BLOCK     128
#define TACO__ENCODE_MINIBLOCK 32

/* Integer i of 4 or 8 bytes, sign-extended. */
TACO__INLINE uint64_t taco__encode_load(const uint8_t *v, size_t width, size_t i)
{
    return width == 4 ? (uint64_t)(int64_t)(int32_t)taco__load_le32(v + 4 * i)
                      : taco__load_le64(v + 8 * i);
}

/* One miniblock: its body, after the widths; returns its width. */
static uint8_t taco__encode_miniblock(taco__buf *out, const uint64_t *delta)
{
    uint64_t all = 0;
    unsigned width;
    size_t i;
    for (i = 0; i < TACO__ENCODE_MINIBLOCK; i++) {
        all |= delta[i];
    }
    width = taco__encode_bit_width(all);
    taco__encode_pack(out->data + out->len, delta, TACO__ENCODE_MINIBLOCK, width);
    out->len += (size_t)width * (TACO__ENCODE_MINIBLOCK / 8);
    return (uint8_t)width;
}

/* A block of up to 128 differences: the least of them, zigzag; four widths; the miniblocks, which
   hold the differences minus the least. Miniblocks without values have width 0 and no body. */
static bool taco__encode_delta_block(taco__buf *out, uint64_t *delta, size_t n, taco_error *err)
{
    int64_t least = INT64_MAX;
    size_t i, m, widths;
    for (i = 0; i < n; i++) {
        least = TACO__MIN(least, (int64_t)delta[i]);
    }
    for (i = 0; i < TACO__ENCODE_BLOCK; i++) {
        delta[i] = i < n ? delta[i] - (uint64_t)least : 0;
    }
    if (!taco__encode_zigzag(out, least, err) ||
        !taco__buf_reserve(out, 4 + 8 * TACO__ENCODE_BLOCK + 8, err)) {
        return false;
    }
    widths = out->len;
    memset(out->data + widths, 0, 4);
    out->len += 4;
    for (m = 0; m * TACO__ENCODE_MINIBLOCK < n; m++) {
        out->data[widths + m] = taco__encode_miniblock(out, delta + m * TACO__ENCODE_MINIBLOCK);
    }
    return true;
}

/* The header: block size, miniblocks per block, number of values, first value. Differences wrap at
   the width of the integers, so that none takes more bits than they do. */
TACO__FN bool taco__encode_delta(taco__buf *out, const uint8_t *v, size_t width, size_t n,
                                 taco_error *err)
{
    uint64_t delta[TACO__ENCODE_BLOCK], last = n ? taco__encode_load(v, width, 0) : 0;
    size_t i, k = 0;
    if (!taco__encode_varint(out, TACO__ENCODE_BLOCK, err) || !taco__encode_varint(out, 4, err) ||
        !taco__encode_varint(out, n, err) || !taco__encode_zigzag(out, (int64_t)last, err)) {
        return false;
    }
    for (i = 1; i < n; i++) {
        uint64_t x = taco__encode_load(v, width, i);
        delta[k++] = width == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)(x - last) : x - last;
        last = x;
        if (k == TACO__ENCODE_BLOCK || i + 1 == n) {
            if (!taco__encode_delta_block(out, delta, k, err)) { return false; }
            k = 0;
        }
    }
    return true;
}

/* ---- byte arrays ---- */

TACO__FN bool taco__encode_byte_arrays(taco__buf *out, const uint8_t *bytes,
                                       const uint32_t *offsets, size_t n, taco_error *err)
{
    size_t i;
    uint8_t *p;
    if (!taco__buf_reserve(out, 4 * n + (n ? offsets[n] - offsets[0] : 0), err)) { return false; }
    p = out->data + out->len;
    for (i = 0; i < n; i++) {
        uint32_t len = offsets[i + 1] - offsets[i];
        taco__put_le32(p, len);
        memcpy(p + 4, bytes + offsets[i], len);
        p += 4 + len;
    }
    out->len = (size_t)(p - out->data);
    return true;
}

TACO__FN bool taco__encode_delta_length(taco__buf *out, const uint8_t *bytes,
                                        const uint32_t *offsets, size_t n, uint8_t *lengths,
                                        taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__put_le32(lengths + 4 * i, offsets[i + 1] - offsets[i]);
    }
    return taco__encode_delta(out, lengths, 4, n, err) &&
           (n == 0 || taco__buf_append(out, bytes + offsets[0], offsets[n] - offsets[0], err));
}

/* The values of DELTA_BYTE_ARRAY, of one width or by offsets. */
typedef struct taco__encode_strings {
    const uint8_t *bytes;
    const uint32_t *offsets; /* NULL: all have `width` bytes */
    size_t width;
} taco__encode_strings;

TACO__INLINE taco_bytes taco__encode_string_at(const taco__encode_strings *s, size_t i)
{
    return s->offsets ? taco__bytes_of(s->bytes + s->offsets[i], s->offsets[i + 1] - s->offsets[i])
                      : taco__bytes_of(s->bytes + i * s->width, s->width);
}

/* DELTA_BYTE_ARRAY: lengths of the prefixes shared with the previous value, lengths of the
   suffixes, suffixes. `lengths` holds first the former, then the latter. "ab", "abc", "b" are the
   lengths 0 2 0, the lengths 2 1 1, and "abcb". */
TACO__FN bool taco__encode_delta_strings(taco__buf *out, const uint8_t *bytes,
                                         const uint32_t *offsets, size_t width, size_t n,
                                         uint8_t *lengths, taco_error *err)
{
    taco__encode_strings s;
    taco_bytes before = taco__bytes_of(bytes, 0);
    size_t i, total = 0;
    s.bytes = bytes;
    s.offsets = offsets;
    s.width = width;
    for (i = 0; i < n; i++) {
        taco_bytes v = taco__encode_string_at(&s, i);
        taco__put_le32(lengths + 4 * i, (uint32_t)taco__bytes_common_prefix(v, before));
        before = v;
    }
    if (!taco__encode_delta(out, lengths, 4, n, err)) { return false; }
    for (i = 0; i < n; i++) {
        size_t rest = taco__encode_string_at(&s, i).len - taco__load_le32(lengths + 4 * i);
        taco__put_le32(lengths + 4 * i, (uint32_t)rest);
        total += rest;
    }
    if (!taco__encode_delta(out, lengths, 4, n, err) || !taco__buf_reserve(out, total, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        taco_bytes v = taco__encode_string_at(&s, i);
        size_t rest = taco__load_le32(lengths + 4 * i);
        memcpy(out->data + out->len, v.data + v.len - rest, rest);
        out->len += rest;
    }
    return true;
}

/* Bytes k to k + 3 of all values, n of each to dst; those of four values at a time are transposed
   in registers. */
static void taco__encode_split_words(uint8_t *dst, const uint8_t *v, size_t width, size_t n,
                                     size_t k)
{
    const uint32_t even = 0x00FF00FFU;
    size_t i = 0, j;
    for (; i + 4 <= n; i += 4) {
        const uint8_t *p = v + i * width + k;
        const uint32_t a = taco__load_le32(p), b = taco__load_le32(p + width);
        const uint32_t c = taco__load_le32(p + 2 * width), d = taco__load_le32(p + 3 * width);
        const uint32_t ab = (a & even) | (b & even) << 8, cd = (c & even) | (d & even) << 8;
        const uint32_t ab1 = (a >> 8 & even) | (b & ~even), cd1 = (c >> 8 & even) | (d & ~even);
        taco__put_le32(dst + i, (ab & 0xFFFF) | cd << 16);
        taco__put_le32(dst + n + i, (ab1 & 0xFFFF) | cd1 << 16);
        taco__put_le32(dst + 2 * n + i, ab >> 16 | (cd & 0xFFFF0000U));
        taco__put_le32(dst + 3 * n + i, ab1 >> 16 | (cd1 & 0xFFFF0000U));
    }
    for (; i < n; i++) {
        for (j = 0; j < 4; j++) {
            dst[j * n + i] = v[i * width + k + j];
        }
    }
}

/* Byte 0 of all values, then byte 1 of all, and so on. */
TACO__FN bool taco__encode_byte_stream_split(taco__buf *out, const uint8_t *v, size_t width,
                                             size_t n, taco_error *err)
{
    uint8_t *to;
    size_t i, k = 0;
    if (!taco__buf_reserve(out, width * n, err)) { return false; }
    to = out->data + out->len;
    for (; k + 4 <= width; k += 4) {
        taco__encode_split_words(to + k * n, v, width, n, k);
    }
    for (; k < width; k++) {
        for (i = 0; i < n; i++) {
            to[k * n + i] = v[i * width + k];
        }
    }
    out->len += width * n;
    return true;
}
/* ==== src/parquet_write/levels.c ==== */
/* levels.c - definition and repetition levels of one leaf, from Arrow arrays

   In: rows of a top-level array and the path to a leaf below it. Out: an entry for each value, null
   or empty list, with its two levels, and the positions of the values in the leaf's array (Dremel;
   parquet-format, Nested Encoding).

   The walk goes from the top down, one field at a time, for all rows together: every row begins as
   one entry with levels 0 and its own position. A nullable field raises the definition level of
   entries that have a value and ends the others, whose position becomes TACO__LEVELS_NONE; a list
   unfolds each entry into one per item. For the lists [[1, 2], [], null] of int32, both nullable:

       entries after     position   repetition   definition
       the list's null   0 1 -      0 0 0        1 1 0
       its items         0 1 - -    0 1 0 0      2 2 1 0
       the items' nulls  0 1 - -    0 1 0 0      3 3 1 0 */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

#define TACO__LEVELS_NONE UINT32_MAX /* the position of an entry without a value */

TACO__FN void taco__levels_init(taco__levels *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = l->def.mem = l->rep.mem = l->index.mem = mem;
    l->def2.mem = l->rep2.mem = l->index2.mem = mem;
}

TACO__FN void taco__levels_free(taco__levels *l)
{
    taco__buf_free(&l->def);
    taco__buf_free(&l->rep);
    taco__buf_free(&l->index);
    taco__buf_free(&l->def2);
    taco__buf_free(&l->rep2);
    taco__buf_free(&l->index2);
}

/* Makes room for n entries; the buffers' contents are lost. */
static bool taco__levels_reserve(taco__buf *def, taco__buf *rep, taco__buf *index, size_t n,
                                 taco_error *err)
{
    size_t bytes;
    if (!taco__checked_mul_size(n, sizeof(uint32_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u levels", TACO__U(n));
        return false;
    }
    return taco__buf_reset(def, bytes / 2, err) && taco__buf_reset(rep, bytes / 2, err) &&
           taco__buf_reset(index, bytes, err);
}

/* One entry per row, with nothing known about its value yet. */
static bool taco__levels_begin(taco__levels *l, size_t first, size_t n, taco_error *err)
{
    uint32_t *index;
    size_t i;
    l->entries = n;
    l->max_def = l->max_rep = 0;
    l->any_none = false;
    if (!taco__levels_reserve(&l->def, &l->rep, &l->index, n, err)) { return false; }
    memset(l->def.data, 0, n * sizeof(int16_t));
    memset(l->rep.data, 0, n * sizeof(int16_t));
    index = taco__levels_indices(&l->index);
    for (i = 0; i < n; i++) {
        index[i] = (uint32_t)(first + i);
    }
    return true;
}

/* A nullable field without nulls: all entries with a value go one level up. */
static void taco__levels_present(taco__levels *l)
{
    int16_t *def = taco__levels_values(&l->def);
    const uint32_t *index = taco__levels_indices(&l->index);
    size_t i;
    l->max_def++;
    if (!l->any_none) { /* all have the same level */
        for (i = 0; i < l->entries; i++) {
            def[i] = l->max_def;
        }
        return;
    }
    for (i = 0; i < l->entries; i++) {
        def[i] = (int16_t)(def[i] + (index[i] != TACO__LEVELS_NONE));
    }
}

/* A field that may be null: entries with a value go one level up, those without end here. */
static bool taco__levels_optional(taco__levels *l, const taco_array *a, bool nullable,
                                  taco_error *err)
{
    int16_t *def = taco__levels_values(&l->def);
    uint32_t *index = taco__levels_indices(&l->index);
    bool none = a->field->type == TACO_NULL;
    size_t i;
    if (nullable && !none && !a->validity) {
        taco__levels_present(l);
        return true;
    }
    for (i = 0; i < l->entries; i++) {
        if (index[i] == TACO__LEVELS_NONE) { continue; }
        if (!none && (!a->validity || taco__bitmap_get(a->validity, index[i]))) {
            def[i] = (int16_t)(def[i] + nullable);
        } else if (nullable) {
            index[i] = TACO__LEVELS_NONE;
            l->any_none = true;
        } else {
            taco_bytes name = taco__bytes_text(a->field->name);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "null in field %q, which is not nullable", &name);
            return false;
        }
    }
    l->max_def = (int16_t)(l->max_def + nullable);
    return true;
}

/* Number of entries for the items of a list, one for an empty list, into *n. The offsets come from
   the caller, so they must be checked against the array of the items. */
static bool taco__levels_count_list(const taco_array *a, size_t row, uint64_t *n, taco_error *err)
{
    int32_t from = a->offsets[row], to = a->offsets[row + 1];
    if (from < 0 || to < from || (size_t)to > a->children[0].length) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "list from %d to %d of an array of %u items", TACO__D(from), TACO__D(to),
                   TACO__U(a->children[0].length));
        return false;
    }
    *n += from == to ? 1 : (uint64_t)(to - from);
    return true;
}

/* Number of entries after all lists are expanded. */
static bool taco__levels_count_items(const taco__levels *l, const taco_array *a, size_t *out,
                                     taco_error *err)
{
    const uint32_t *index = taco__levels_indices(&l->index);
    uint64_t n = 0;
    size_t i;
    for (i = 0; i < l->entries; i++) {
        if (index[i] == TACO__LEVELS_NONE) {
            n++;
        } else if (!taco__levels_count_list(a, index[i], &n, err)) {
            return false;
        }
    }
    if (n > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list items in one batch, at most %u are allowed", n, TACO__U(INT32_MAX));
        return false;
    }
    *out = (size_t)n;
    return true;
}

/* Writes the entries of all items to def2, rep2 and index2; returns how many there are, and sets
   any_none. The first item of a list repeats where the list does, the others at the list's own
   level. */
static size_t taco__levels_unfold(taco__levels *l, const taco_array *a, int16_t list_rep)
{
    const int16_t *def = taco__levels_values(&l->def), *rep = taco__levels_values(&l->rep);
    const uint32_t *index = taco__levels_indices(&l->index);
    int16_t *def2 = taco__levels_values(&l->def2), *rep2 = taco__levels_values(&l->rep2);
    uint32_t *index2 = taco__levels_indices(&l->index2);
    size_t i, k = 0;
    bool none = false;
    for (i = 0; i < l->entries; i++) {
        bool there = index[i] != TACO__LEVELS_NONE;
        int32_t j = there ? a->offsets[index[i]] : 0, to = there ? a->offsets[index[i] + 1] : 0;
        def2[k] = (int16_t)(def[i] + (j < to));
        rep2[k] = rep[i];
        index2[k++] = j < to ? (uint32_t)j : TACO__LEVELS_NONE;
        none |= j >= to;
        for (j++; j < to; j++) {
            def2[k] = (int16_t)(def[i] + 1);
            rep2[k] = list_rep;
            index2[k++] = (uint32_t)j;
        }
    }
    l->any_none = none;
    return k;
}

static void taco__levels_swap(taco__buf *a, taco__buf *b)
{
    taco__buf swap = *a;
    *a = *b;
    *b = swap;
}

/* A list: its entries become those of its items. */
static bool taco__levels_list(taco__levels *l, const taco_array *a, taco_error *err)
{
    size_t total;
    if (!taco__levels_count_items(l, a, &total, err) ||
        !taco__levels_reserve(&l->def2, &l->rep2, &l->index2, total, err)) {
        return false;
    }
    l->max_rep++;
    l->max_def++;
    l->entries = taco__levels_unfold(l, a, l->max_rep);
    taco__levels_swap(&l->def, &l->def2);
    taco__levels_swap(&l->rep, &l->rep2);
    taco__levels_swap(&l->index, &l->index2);
    return true;
}

/* Keeps only the positions of values in `index`. */
static void taco__levels_end(taco__levels *l, const taco_array *leaf)
{
    uint32_t *index = taco__levels_indices(&l->index);
    size_t i, k = l->any_none ? 0 : l->entries;
    for (i = 0; l->any_none && i < l->entries;
         i++) { /* no branch, because nulls are not predictable */
        uint32_t at = index[i];
        index[k] = at;
        k += at != TACO__LEVELS_NONE;
    }
    l->values = k;
    l->leaf = leaf;
    l->consecutive = !l->any_none && l->max_rep == 0;
}

/* path has a child for every STRUCT on the way. The entries of a MAP are the repeated group itself,
   so their STRUCT adds no level; and keys are never null. */
TACO__FN bool taco__levels_make(taco__levels *l, const taco_array *a, const uint32_t *path,
                                size_t first, size_t n, taco_error *err)
{
    bool key = false;
    if (!taco__levels_begin(l, first, n, err)) { return false; }
    for (;;) {
        taco_type type = a->field->type;
        bool nullable = (a->field->nullable || type == TACO_NULL) && !key;
        if ((nullable || a->validity || type == TACO_NULL) &&
            !taco__levels_optional(l, a, nullable, err)) {
            return false;
        }
        key = false;
        if (type == TACO_LIST || type == TACO_MAP) {
            if (!taco__levels_list(l, a, err)) { return false; }
            a = &a->children[0];
            if (type == TACO_MAP) {
                key = *path == 0;
                a = &a->children[*path++];
            }
        } else if (type == TACO_STRUCT) {
            a = &a->children[*path++];
        } else {
            break;
        }
    }
    taco__levels_end(l, a);
    return true;
}
/* ==== src/parquet_write/plain_values.c ==== */
/* plain_values.c - a growing sequence of values in PLAIN form: of one width, or byte arrays

   In: values one by one; array_values.c appends many at once to the buffers itself. Out: the bytes
   and offsets that encode.c reads. A leaf has two of them: the values that are not in a page yet,
   which pages take from the front, and the dictionary of its chunk, which only grows.

   Byte arrays 'ab', 'c': count 2, bytes "abc", offsets {0, 2 | 3}. The bar is where offsets.len
   ends: the end of the last value lies after it and is written again by the next append. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

TACO__FN void taco__plain_values_init(taco__plain_values *v, size_t width, taco__mem *mem)
{
    memset(v, 0, sizeof *v);
    v->width = width;
    v->bytes.mem = v->offsets.mem = mem;
}

TACO__FN bool taco__plain_values_append(taco__plain_values *v, taco_bytes value, taco_error *err)
{
    if (v->width == 0) {
        uint32_t *offsets;
        if (!taco__buf_reserve(&v->offsets, 2 * sizeof *offsets, err)) { return false; }
        offsets = taco__plain_values_offsets(v) + v->count;
        offsets[0] = (uint32_t)v->bytes.len;
        offsets[1] = (uint32_t)(v->bytes.len + value.len);
        v->offsets.len += sizeof *offsets;
    }
    if (!taco__buf_append(&v->bytes, value.data, value.len, err)) { return false; }
    v->count++;
    return true;
}

TACO__FN void taco__plain_values_truncate(taco__plain_values *v, size_t n)
{
    if (n == v->count) { return; }
    v->bytes.len = v->width ? n * v->width : taco__plain_values_offsets(v)[n];
    v->offsets.len = v->width ? 0 : n * sizeof(uint32_t);
    v->count = n;
}

/* Moves the remaining offsets to the front; they begin at 0 again. Returns where the remaining
   bytes begin. */
static size_t taco__plain_values_rebase_offsets(taco__plain_values *v, size_t n)
{
    uint32_t *offsets = taco__plain_values_offsets(v), begin = offsets[n];
    size_t i, left = v->count - n;
    for (i = 0; i <= left; i++) {
        offsets[i] = offsets[n + i] - begin;
    }
    v->offsets.len = left * sizeof *offsets;
    return begin;
}

TACO__FN void taco__plain_values_drop_front(taco__plain_values *v, size_t n)
{
    size_t begin;
    if (n == 0) { return; }
    begin = v->width ? n * v->width : taco__plain_values_rebase_offsets(v, n);
    memmove(v->bytes.data, v->bytes.data + begin, v->bytes.len - begin);
    v->bytes.len -= begin;
    v->count -= n;
}
/* ==== src/parquet_write/wkb_summary.c ==== */
/* wkb_summary.c - types and bounds of geometries in WKB, while they are written

   In: the WKB of each row. Out: a taco__wkb_summary of the column, for geometry_types and bbox of
   GeoParquet 1.1, and the box of each geometry, for a covering. Spec: OGC 06-103r4 8.2, ISO 13249-3
   (Z, M, ZM codes), EWKB's flags.

   This is not geo/wkb.c, which belongs to taco.h, on which this product does not depend; it also
   fails at the first mistake with a message, and requires closed rings. A writer accepts what it is
   given, and only needs to know what it can say about it. So everything that can be walked counts
   here, including Z bounds, and anything else makes the summary `odd`. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

#define TACO__WKB_SUMMARY_DEPTH 64 /* deepest nesting of collections: a level costs only 9 bytes */
#define TACO__WKB_SUMMARY_INF   taco__f64_from_bits(UINT64_C(0x7FF0000000000000))

TACO__FN void taco__wkb_summary_init(taco__wkb_summary *s)
{
    size_t i;
    memset(s, 0, sizeof *s);
    for (i = 0; i < 3; i++) {
        s->min[i] = TACO__WKB_SUMMARY_INF;
        s->max[i] = -TACO__WKB_SUMMARY_INF;
    }
}

static uint32_t taco__wkb_summary_read_u32(taco__byte_reader *c, bool big)
{
    const uint8_t *p = taco__byte_reader_take(c, 4);
    return !p ? 0 : big ? taco__load_be32(p) : taco__load_le32(p);
}

/* n positions of `dimensions` numbers, of which the first `known` are x, y and z. NaN, as in an
   empty point, compares false and is ignored. False if they are not all present. */
static bool taco__wkb_summary_add_positions(taco__wkb_summary *s, taco__byte_reader *c, bool big,
                                            uint32_t n, unsigned dimensions, unsigned known)
{
    const uint8_t *p;
    uint32_t i;
    unsigned k;
    if (n > taco__byte_reader_left(c) / (8 * dimensions)) { return false; }
    p = taco__byte_reader_take(c, (size_t)n * 8 * dimensions);
    for (i = 0; i < n; i++, p += 8 * (size_t)dimensions) {
        for (k = 0; k < known; k++) {
            double x =
                taco__f64_from_bits(big ? taco__load_be64(p + 8 * k) : taco__load_le64(p + 8 * k));
            s->odd = s->odd || x == TACO__WKB_SUMMARY_INF || x == -TACO__WKB_SUMMARY_INF;
            s->min[k] = x < s->min[k] ? x : s->min[k];
            s->max[k] = x > s->max[k] ? x : s->max[k];
        }
    }
    return true;
}

/* The header of a geometry. */
typedef struct taco__wkb_summary_header {
    uint32_t type; /* 1 Point, 2 LineString, 3 Polygon, 4 to 6 Multi..., 7 GeometryCollection */
    bool big, z, m;
    unsigned known, dimensions; /* numbers of a position: x, y and z; with m */
} taco__wkb_summary_header;

/* ISO adds 1000 for Z, 2000 for M, 3000 for both; EWKB sets bit 31 for Z, 30 for M, 29 for an SRID
   that follows. False if it is not a header. */
static bool taco__wkb_summary_read_header(taco__byte_reader *c, taco__wkb_summary_header *h)
{
    uint32_t code, iso, set;
    h->big = taco__byte_reader_u8(c) == 0;
    code = taco__wkb_summary_read_u32(c, h->big);
    iso = code & 0x1FFFFFFF;
    set = iso / 1000;
    h->type = iso % 1000;
    h->z = code >> 31 || set == 1 || set == 3;
    h->m = (code >> 30 & 1) || set >= 2;
    h->known = 2U + h->z;
    h->dimensions = h->known + h->m;
    if (c->bad || set > 3 || h->type < 1 || h->type > 7) { return false; }
    if (code >> 29 & 1) { taco__wkb_summary_read_u32(c, h->big); }
    return true;
}

static bool taco__wkb_summary_add_geometry(taco__wkb_summary *s, taco__byte_reader *c,
                                           unsigned depth); /* recursive */

/* A ring of a polygon, or a part of a Multi... or a collection. */
static bool taco__wkb_summary_add_part(taco__wkb_summary *s, taco__byte_reader *c,
                                       const taco__wkb_summary_header *h, unsigned depth)
{
    uint32_t n;
    if (h->type != 3) { return taco__wkb_summary_add_geometry(s, c, depth + 1); }
    n = taco__wkb_summary_read_u32(c, h->big);
    return !c->bad && taco__wkb_summary_add_positions(s, c, h->big, n, h->dimensions, h->known);
}

/* One geometry. Only the type of the outermost one counts. False if it is not WKB. */
static bool taco__wkb_summary_add_geometry(taco__wkb_summary *s, taco__byte_reader *c,
                                           unsigned depth)
{
    taco__wkb_summary_header h;
    uint32_t n, i;
    if (!taco__wkb_summary_read_header(c, &h) || depth > TACO__WKB_SUMMARY_DEPTH) { return false; }
    s->odd = s->odd || h.m;
    s->types |= depth == 0 ? (uint32_t)1 << (h.type + 16 * h.z) : 0;
    n = h.type == 1 ? 1 : taco__wkb_summary_read_u32(c, h.big);
    if (c->bad || h.type <= 2) {
        return !c->bad && taco__wkb_summary_add_positions(s, c, h.big, n, h.dimensions, h.known);
    }
    for (i = 0; i < n; i++) {
        if (!taco__wkb_summary_add_part(s, c, &h, depth)) { return false; }
    }
    return true;
}

/* A blob that is not WKB only sets `odd`: its types and bounds so far are dropped. */
TACO__FN bool taco__wkb_summary_add(taco__wkb_summary *s, taco_bytes b, double box[4])
{
    taco__wkb_summary own;
    taco__byte_reader c = taco__byte_reader_init(b);
    size_t k;
    taco__wkb_summary_init(&own);
    if (!taco__wkb_summary_add_geometry(&own, &c, 0) || taco__byte_reader_left(&c)) {
        s->odd = true;
        return false;
    }
    s->odd = s->odd || own.odd;
    s->types |= own.types;
    for (k = 0; k < 3; k++) {
        s->min[k] = TACO__MIN(s->min[k], own.min[k]);
        s->max[k] = TACO__MAX(s->max[k], own.max[k]);
    }
    box[0] = own.min[0];
    box[1] = own.min[1];
    box[2] = own.max[0];
    box[3] = own.max[1];
    return box[0] <= box[2] && box[1] <= box[3];
}
/* ==== src/parquet_write/file_writer.c ==== */
/* file_writer.c - the public calls: batches or a stream in, row groups and the footer out

   A file is "PAR1", the chunks of one row group after the other, all page indexes, the footer, its
   length and "PAR1" (parquet-format, File format). taco_pq_write makes the schema and settings and
   writes the magic; a batch is cut into pieces of 8,192 rows, which every leaf takes in turn; when
   a row group is full, or is ended by taco_pq_writer_flush, its chunks are written;
   taco_pq_writer_close ends the last one and writes the rest. Batch boundaries leave no trace in
   the file.

   The first failure is in w->err, and nothing is written after it; close then discards the sink's
   contents. Start reading at taco__pq_writer_add_batch. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../codec/encode.h" */
/* #include "../parquet/parquet.h" */

#define TACO__PQ_WRITER_NAME "taco.h version " TACO_VERSION

TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len)
{
    if (len && !w->sink.write(w->sink.ctx, w->offset, data, len)) {
        TACO__FAIL(&w->err, TACO_ERR_IO, w->offset, "writing %u bytes failed%s", TACO__U(len),
                   taco__sink_cause(&w->sink));
        return false;
    }
    w->offset += len;
    return true;
}

/* Ends the current row group, if there is one. */
static bool taco__pq_writer_end_group(taco_pq_writer *w)
{
    taco__group_record g;
    size_t i;
    memset(&g, 0, sizeof g);
    if (w->group_rows == 0) { return true; }
    g.rows = w->group_rows;
    g.offset = w->offset;
    if (!taco__write_tasks_end_full_pages(w, true)) { return false; }
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        if (!taco__chunk_writer_end_chunk(w, l, &g)) { return taco__chunk_writer_fail(w, l); }
    }
    w->rows += w->group_rows;
    w->group_rows = 0;
    return taco__buf_append(&w->footer.groups, &g, sizeof g, &w->err);
}

/* ---- batches ---- */

static bool taco__pq_writer_same_parameters(const taco_field *f, const taco_field *g)
{
    return f->type == g->type && f->unit == g->unit && f->width == g->width &&
           f->precision == g->precision && f->scale == g->scale &&
           f->child_count == g->child_count && f->nullable == g->nullable;
}

/* Whether an array can be written as the field: the same type at all levels, children of structs
   long enough. */
static bool taco__pq_writer_same_type(const taco_field *f, const taco_array *a)
{
    uint32_t i;
    if (!a->field || !taco__pq_writer_same_parameters(f, a->field) ||
        (a->dictionary && (a->dictionary->field->type != f->type || f->child_count))) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__pq_writer_same_type(&f->children[i], &a->children[i]) ||
            (f->type == TACO_STRUCT && a->children[i].length < a->length)) {
            return false;
        }
    }
    return true;
}

/* Whether the batch has the columns and types that the file was begun with. */
static bool taco__pq_writer_check_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t i;
    if (b->column_count != w->caller_count || b->length > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a batch of %u columns and %u rows; %u columns and at most 2147483647 rows are "
                   "expected",
                   TACO__U(b->column_count), TACO__U(b->length), TACO__U(w->caller_count));
        return false;
    }
    for (i = 0; i < b->column_count; i++) {
        if (!taco__pq_writer_same_type(&w->fields[i], &b->columns[i]) ||
            b->columns[i].length < b->length) {
            taco_bytes name = taco__bytes_text(w->fields[i].name);
            TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q of the batch has another type or length than was declared",
                       &name);
            return false;
        }
    }
    return true;
}

/* Adds rows [at, at + n) of a batch to all geometry columns, then to all leaves except those that
   tasks have already given them: their `ahead` is more than `done`. */
static bool taco__pq_writer_add_piece(taco_pq_writer *w, const taco_batch *b, size_t at, size_t n,
                                      size_t done)
{
    size_t i;
    for (i = 0; i < w->geo_count; i++) {
        if (!taco__geo_column_add_rows(w, &w->geo[i], &b->columns[w->geo[i].column], at, n)) {
            return false;
        }
    }
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        size_t column = l->schema.column;
        bool made = column >= w->caller_count;
        const taco_array *a = made ? taco__geo_column_made_array(w, column) : &b->columns[column];
        if (l->ahead <= done && !taco__page_writer_add_rows(w, l, a, made ? 0 : at, n)) {
            return taco__chunk_writer_fail(w, l);
        }
    }
    return true;
}

/* Rows [at, at + n) of a batch, piece by piece. */
static bool taco__pq_writer_add_rows(taco_pq_writer *w, const taco_batch *b, size_t at, size_t n)
{
    size_t done = 0;
    taco__write_tasks_add_rows(w, b, at, n);
    while (done < n) {
        const size_t piece = TACO__MIN(n - done, (size_t)TACO__PQ_WRITER_ROWS);
        if (!taco__pq_writer_add_piece(w, b, at + done, piece, done) ||
            !taco__write_tasks_end_full_pages(w, false)) {
            return false;
        }
        done += piece;
    }
    return true;
}

static bool taco__pq_writer_add_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t at = 0;
    while (at < b->length) {
        uint64_t room = w->opt.row_group_rows - w->group_rows;
        size_t n = TACO__MIN(b->length - at,
                             (size_t)(w->tasks ? TACO__WRITE_TASK_ROWS : TACO__PQ_WRITER_ROWS));
        n = n > room ? (size_t)room : n;
        if (!taco__pq_writer_add_rows(w, b, at, n)) { return false; }
        at += n;
        w->group_rows += n;
        if (w->group_rows == w->opt.row_group_rows && !taco__pq_writer_end_group(w)) {
            return false;
        }
    }
    return true;
}

/* ---- the footer ---- */

/* ColumnChunk. file_offset (2) would refer to a copy of the metadata, which is not written. */
static void taco__pq_writer_column_chunk(taco_pq_writer *w, taco__thrift_writer *t,
                                         const taco__chunk_record *c)
{
    taco__thrift_write_begin_item(t);
    taco__thrift_write_i64(t, 2, 0);
    taco__thrift_write_field(t, 3, TACO__THRIFT_STRUCT);
    taco__thrift_write_raw(t, w->footer.metas.data + c->meta_at, c->meta_len);
    if (c->offset_len) {
        taco__thrift_write_i64(t, 4, (int64_t)c->offset_offset);
        taco__thrift_write_i32(t, 5, (int32_t)c->offset_len);
    }
    if (c->column_len) {
        taco__thrift_write_i64(t, 6, (int64_t)c->column_offset);
        taco__thrift_write_i32(t, 7, (int32_t)c->column_len);
    }
    taco__thrift_write_end(t);
}

/* RowGroups, field 4. ordinal (7) is an i16: later row groups have none. */
static void taco__pq_writer_row_groups(taco_pq_writer *w, taco__thrift_writer *t)
{
    const taco__group_record *g = (const taco__group_record *)(const void *)w->footer.groups.data;
    const taco__chunk_record *c = (const taco__chunk_record *)(const void *)w->footer.chunks.data;
    size_t n = w->footer.groups.len / sizeof *g, i, k;
    taco__thrift_write_list(t, 4, TACO__THRIFT_STRUCT, n);
    for (i = 0; i < n; i++) {
        taco__thrift_write_begin_item(t);
        taco__thrift_write_list(t, 1, TACO__THRIFT_STRUCT, w->leaf_count);
        for (k = 0; k < w->leaf_count; k++) {
            taco__pq_writer_column_chunk(w, t, c++);
        }
        taco__thrift_write_i64(t, 2, (int64_t)g[i].uncompressed);
        taco__thrift_write_i64(t, 3, (int64_t)g[i].rows);
        taco__thrift_write_i64(t, 5, (int64_t)g[i].offset);
        taco__thrift_write_i64(t, 6, (int64_t)g[i].compressed);
        if (i <= INT16_MAX) {
            taco__thrift_write_field(t, 7, TACO__THRIFT_I16);
            taco__thrift_write_number(t, (int64_t)i);
        }
        taco__thrift_write_end(t);
    }
}

/* Makes FileMetaData in scratch.body. */
static bool taco__pq_writer_make_footer(taco_pq_writer *w)
{
    const taco__footer_parts *f = &w->footer;
    taco__thrift_writer t;
    size_t i;
    w->scratch.body.len = 0;
    taco__thrift_write_init(&t, &w->scratch.body, &w->err);
    taco__thrift_write_i32(&t, 1, 2); /* version 2: logical types and page indexes */
    taco__thrift_write_list(&t, 2, TACO__THRIFT_STRUCT, f->schema_count);
    taco__thrift_write_raw(&t, f->schema.data, f->schema.len);
    taco__thrift_write_i64(&t, 3, (int64_t)w->rows);
    taco__pq_writer_row_groups(w, &t);
    if (f->key_count) {
        taco__thrift_write_list(&t, 5, TACO__THRIFT_STRUCT, f->key_count);
        taco__thrift_write_raw(&t, f->keys.data, f->keys.len);
    }
    taco__thrift_write_binary(&t, 6, taco__bytes_text(TACO__PQ_WRITER_NAME));
    taco__thrift_write_list(&t, 7, TACO__THRIFT_STRUCT, w->leaf_count);
    for (i = 0; i < w->leaf_count; i++) { /* ColumnOrder: by type, of every leaf */
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_empty(&t, TACO__PQ_ORDER_TYPE);
        taco__thrift_write_end(&t);
    }
    return taco__thrift_write_end(&t);
}

/* The footer, its length, and the magic. */
static bool taco__pq_writer_footer(taco_pq_writer *w)
{
    const taco__buf *body = &w->scratch.body;
    uint8_t tail[8];
    if (!taco__pq_writer_make_footer(w)) { return false; }
    if (body->len > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, w->offset,
                   "a footer of %u bytes, at most 2147483647 are allowed", TACO__U(body->len));
        return false;
    }
    taco__put_le32(tail, (uint32_t)body->len);
    memcpy(tail + 4, "PAR1", 4);
    return taco__pq_writer_write(w, body->data, body->len) && taco__pq_writer_write(w, tail, 8);
}

/* ---- open and close ---- */

static void taco__pq_writer_free_leaf(taco__leaf_writer *l)
{
    taco__buf *b[TACO__LEAF_BUFFERS];
    size_t i;
    taco__write_tasks_buffers(l, b);
    for (i = 0; i < TACO__LEAF_BUFFERS; i++) {
        taco__buf_free(b[i]);
    }
}

static void taco__pq_writer_free_geo(taco__geo_column *g)
{
    size_t k;
    if (!g->made) { return; }
    for (k = 0; k < 4; k++) {
        taco__buf_free(&g->box[k]);
    }
    taco__buf_free(&g->validity);
}

TACO__FN void taco__pq_writer_init_scratch(taco__write_scratch *s, taco__mem *mem)
{
    memset(s, 0, sizeof *s);
    taco__levels_init(&s->levels, mem);
    s->body.mem = s->packed.mem = s->trial.mem = s->lengths.mem = mem;
}

TACO__FN void taco__pq_writer_free_scratch(taco__write_scratch *s)
{
    taco__levels_free(&s->levels);
    taco__buf_free(&s->body);
    taco__buf_free(&s->packed);
    taco__buf_free(&s->trial);
    taco__buf_free(&s->lengths);
}

static void taco__pq_writer_init_footer(taco__footer_parts *f, taco__mem *mem)
{
    f->schema.mem = f->keys.mem = f->metas.mem = f->indexes.mem = mem;
    f->chunks.mem = f->groups.mem = mem;
}

static void taco__pq_writer_free_footer(taco__footer_parts *f)
{
    taco__buf_free(&f->schema);
    taco__buf_free(&f->keys);
    taco__buf_free(&f->metas);
    taco__buf_free(&f->indexes);
    taco__buf_free(&f->chunks);
    taco__buf_free(&f->groups);
}

static void taco__pq_writer_free(taco_pq_writer *w)
{
    taco__mem mem;
    size_t i;
    for (i = 0; i < w->leaf_count; i++) {
        taco__pq_writer_free_leaf(&w->leaves[i]);
    }
    for (i = 0; i < w->geo_count; i++) {
        taco__pq_writer_free_geo(&w->geo[i]);
    }
    taco__compress_free(&w->compressor);
    taco__pq_writer_free_scratch(&w->scratch);
    taco__pq_writer_free_footer(&w->footer);
    taco__write_tasks_close(w);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}

/* Closes the sink. That frees its own copy of the path, so what a message shows of it is copied
   before. */
static void taco__pq_writer_close_sink(taco_pq_writer *w, bool keep)
{
    char path[65];
    taco_bytes name = taco__sink_name(&w->sink);
    name.len = TACO__MIN(name.len, sizeof path);
    if (name.len) { memcpy(path, name.data, name.len); }
    name.data = (const uint8_t *)path;
    if (w->sink.close(w->sink.ctx, keep) || !keep) { return; }
    if (name.len) {
        TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET, "finishing %q, %u bytes, failed%s", &name,
                   w->offset, taco__sink_cause(&w->sink));
    } else {
        TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET, "finishing the file of %u bytes failed",
                   w->offset);
    }
}

/* NULL is accepted. */
static taco_status taco__pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    taco_status code;
    bool good;
    if (!w) { return TACO_OK; }
    good = w->err.code == TACO_OK && taco__pq_writer_end_group(w) &&
           taco__page_index_write_all(w) && taco__geo_column_write_key(w) &&
           taco__pq_writer_footer(w);
    taco__pq_writer_close_sink(w, good);
    code = w->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = w->err; }
    taco__pq_writer_free(w);
    return code;
}

/* A writer with only its memory, the sink and the options; NULL on failure. */
static taco_pq_writer *taco__pq_writer_alloc(const taco_sink *sink,
                                             const taco_pq_write_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_pq_writer *w;
    taco__mem_init(&mem, opt ? opt->options : NULL);
    w = (taco_pq_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) { return NULL; }
    w->mem = mem;
    w->arena.mem = w->compressor.mem = &w->mem;
    taco__pq_writer_init_scratch(&w->scratch, &w->mem);
    taco__pq_writer_init_footer(&w->footer, &w->mem);
    w->sink = *sink;
    if (opt) { w->opt = *opt; }
    return w;
}

/* Everything before the first row. */
static bool taco__pq_writer_begin(taco_pq_writer *w, const taco_field *fields, size_t n)
{
    w->fields = taco__schema_write_copy_fields(w, fields, n, 0);
    w->caller_count = w->field_count = n;
    return w->fields && taco__geo_column_init_all(w) && taco__schema_write(w) &&
           taco__write_options_apply(w) && taco__key_values_write(w) &&
           taco__pq_writer_write(w, "PAR1", 4);
}

/* arrow is the schema of the stream that provides the rows, or NULL. The sink is closed on
   failure. */
static taco_pq_writer *taco__pq_writer_open(const taco_sink *sink, const taco_field *fields,
                                            size_t n, const struct ArrowSchema *arrow,
                                            const taco_pq_write_options *opt, taco_error *err)
{
    taco_options options;
    taco_pq_writer *w;
    bool good;
    if (!taco__sink_check(sink, err)) { return NULL; }
    w = taco__pq_writer_alloc(sink, opt, err);
    if (!w) {
        taco__sink_abort(sink);
        return NULL;
    }
    taco__options_init(&options, w->opt.options);
    w->opt.options = &options;
    w->host = options;
    w->arrow = arrow;
    good = taco__pq_writer_begin(w, fields, n);
    if (good) { taco__write_tasks_open(w); }
    w->arrow = NULL; /* what these point to need not live longer */
    w->opt.options = NULL;
    w->opt.columns = NULL;
    w->opt.keys = NULL;
    w->opt.like = NULL;
    w->opt.geometries = NULL;
    if (!good) {
        taco__pq_writer_close(w, err);
        return NULL;
    }
    return w;
}

/* Appends the remaining rows of an import, and closes it. */
static void taco__pq_writer_add_import(taco_pq_writer *w, taco_import *in)
{
    taco_batch b;
    memset(&b, 0, sizeof b);
    while (w->err.code == TACO_OK && taco__import_next(in, &b)) {
        if (taco__pq_writer_check_batch(w, &b)) { taco__pq_writer_add_batch(w, &b); }
    }
    taco__import_close(in, &w->err);
}

/* ---- the public calls ---- */

TACO_API taco_pq_writer *taco_pq_write(const taco_sink *sink, const taco_field *fields, size_t n,
                                       const taco_pq_write_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__pq_writer_open(sink, fields, n, NULL, opt, taco__error_fresh(err, &own));
}

TACO_API taco_status taco_pq_writer_batch(taco_pq_writer *w, const taco_batch *batch)
{
    if (!w || !batch) { return TACO_ERR_ARGUMENT; }
    if (w->err.code == TACO_OK && taco__pq_writer_check_batch(w, batch)) {
        taco__pq_writer_add_batch(w, batch);
    }
    return w->err.code;
}

TACO_API taco_status taco_pq_writer_flush(taco_pq_writer *w)
{
    if (!w) { return TACO_ERR_ARGUMENT; }
    if (w->err.code == TACO_OK) { taco__pq_writer_end_group(w); }
    return w->err.code;
}

TACO_API taco_status taco_pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    return taco__pq_writer_close(w, err);
}

TACO_API void taco_pq_writer_abort(taco_pq_writer *w)
{
    if (w) {
        w->sink.close(w->sink.ctx, false);
        taco__pq_writer_free(w);
    }
}

TACO_API taco_status taco_pq_writer_stream(taco_pq_writer *w, struct ArrowArrayStream *stream)
{
    taco_options options;
    taco_import *in;
    if (!w) {
        if (stream && stream->release) { stream->release(stream); }
        return TACO_ERR_ARGUMENT;
    }
    memset(&options, 0, sizeof options);
    options.allocator = &w->mem.a;
    options.limits.max_memory = w->mem.limit;
    in = taco__import_open(stream, &options, &w->err);
    if (in) { taco__pq_writer_add_import(w, in); }
    return w->err.code;
}

TACO_API taco_status taco_pq_write_stream(const taco_sink *sink, struct ArrowArrayStream *stream,
                                          const taco_pq_write_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_pq_writer *w;
    taco_import *in;
    err = taco__error_fresh(err, &own);
    in = taco__import_open(stream, opt ? opt->options : NULL, err);
    if (!in) {
        taco__sink_abort(sink);
        return err->code;
    }
    w = taco__pq_writer_open(sink, in->root.field->children, in->root.field->child_count,
                             &in->schema, opt, err);
    if (!w) {
        taco__import_close(in, NULL);
        return err->code;
    }
    taco__pq_writer_add_import(w, in);
    return taco__pq_writer_close(w, err);
}
/* ==== src/parquet_write/compress.c ==== */
/* compress.c - the codecs that the writer has, and one encoder of each for all pages

   In: bytes and the leaf's settings; out: the same bytes appended to a buffer, compressed as the
   settings say (parquet-format, Compression.md). The encoders are in src/codec, which knows nothing
   about Parquet: this file gives them names, memory, and room for the worst case. Start reading at
   taco__compress_append. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../codec/encode.h" */

/* Makes room for *bound bytes; if fits is false, the worst case for src exceeds a size_t. (A
   pointer: arguments are evaluated in any order, and the bound is set by one of them.) */
static bool taco__compress_reserve(taco__buf *dst, bool fits, const size_t *bound, taco_bytes src,
                                   taco_error *err)
{
    if (fits) { return taco__buf_reserve(dst, *bound, err); }
    TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
               TACO__U(src.len));
    return false;
}

/* Opens the encoder for a level; another level needs a new one, since its tables depend on it. */
static bool taco__compress_open_zstd(taco__compressor *c, int level, taco_error *err)
{
    if (c->zstd && c->zstd_level != level) {
        taco__zstd_encode_close(c->zstd);
        c->zstd = NULL;
    }
    if (!c->zstd) {
        c->zstd = taco__zstd_encode_open(c->mem, level, err);
        c->zstd_level = level;
    }
    return c->zstd != NULL;
}

static bool taco__compress_zstd(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                                taco_error *err)
{
    size_t bound = 0, size;
    if (!taco__compress_open_zstd(c, level ? level : TACO__ZSTD_ENCODE_DEFAULT_LEVEL, err) ||
        !taco__compress_reserve(dst, taco__zstd_encode_bound(src.len, &bound), &bound, src, err) ||
        taco__zstd_encode(c->zstd, src, false, dst->data + dst->len, bound, &size, err) !=
            TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static bool taco__compress_snappy(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err)
{
    size_t bound = 0, size;
    (void)level;
    if (!c->snappy) {
        c->snappy = (taco__snappy_encoder *)taco__mem_alloc(c->mem, sizeof *c->snappy, err);
    }
    if (!c->snappy ||
        !taco__compress_reserve(dst, taco__snappy_encode_bound(src.len, &bound), &bound, src,
                                err) ||
        taco__snappy_encode(c->snappy, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static bool taco__compress_lz4(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                               taco_error *err)
{
    size_t bound = 0, size;
    (void)level;
    if (!c->lz4) { c->lz4 = (taco__lz4_encoder *)taco__mem_alloc(c->mem, sizeof *c->lz4, err); }
    if (!c->lz4 ||
        !taco__compress_reserve(dst, taco__lz4_encode_bound(src.len, &bound), &bound, src, err) ||
        taco__lz4_encode(c->lz4, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static bool taco__compress_gzip(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                                taco_error *err)
{
    size_t bound = 0, size;
    (void)level;
    if (!c->gzip) { c->gzip = taco__deflate_open(c->mem, err); }
    if (!c->gzip ||
        !taco__compress_reserve(dst, taco__deflate_bound(src.len, &bound), &bound, src, err) ||
        taco__deflate_gzip(c->gzip, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

/* One line per codec. LZ4 is LZ4_RAW: the older number 5 means Hadoop's frames, which nobody
   should write (Compression.md). */
static const struct taco__compress_codec {
    taco_codec codec;
    int32_t number; /* CompressionCodec */
    bool (*encode)(taco__compressor *c, taco_bytes src, taco__buf *dst, int level, taco_error *err);
} taco__compress_codecs[] = {
    {TACO_CODEC_NONE, TACO__PQ_CODEC_NONE, NULL},
    {TACO_CODEC_SNAPPY, TACO__PQ_CODEC_SNAPPY, taco__compress_snappy},
    {TACO_CODEC_GZIP, TACO__PQ_CODEC_GZIP, taco__compress_gzip},
    {TACO_CODEC_ZSTD, TACO__PQ_CODEC_ZSTD, taco__compress_zstd},
    {TACO_CODEC_LZ4, TACO__PQ_CODEC_LZ4_RAW, taco__compress_lz4},
};

TACO__FN bool taco__compress_codec_number(taco_codec codec, int32_t *out, taco_error *err)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__compress_codecs); i++) {
        if (taco__compress_codecs[i].codec == codec) {
            *out = taco__compress_codecs[i].number;
            return true;
        }
    }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no codec number %d",
               TACO__D(codec));
    return false;
}

TACO__FN bool taco__compress_append(taco_pq_writer *w, const taco__leaf_settings *s, taco_bytes src,
                                    taco__buf *out)
{
    size_t i = 0;
    while (taco__compress_codecs[i].number != s->codec) { /* of the table, by _codec_number */
        i++;
    }
    return taco__compress_codecs[i].encode
               ? taco__compress_codecs[i].encode(&w->compressor, src, out, s->level, &w->err)
               : taco__buf_append(out, src.data, src.len, &w->err);
}

TACO__FN void taco__compress_free(taco__compressor *c)
{
    if (c->zstd) { taco__zstd_encode_close(c->zstd); }
    taco__mem_free(c->mem, c->snappy, sizeof *c->snappy);
    taco__mem_free(c->mem, c->lz4, sizeof *c->lz4);
    taco__deflate_close(c->gzip);
}
/* ==== src/parquet_write/schema_like.c ==== */
/* schema_like.c - columns that are copies of another file's, with its schema elements as they are

   In: opt.like, an open file. Out: for a column of the caller that has the name, the types and the
   nullability of one of that file, the file's own SchemaElements, byte for byte: annotations and
   field ids, also those that this library does not know, names of the groups of lists and maps,
   physical types of decimals (parquet.thrift, SchemaElement). Readers have made fields of these
   elements (parquet/schema_nodes.c), and every optional or repeated element counts in one of them,
   so that the levels of the fields are those of the elements. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* Whether arrays of field f can be stored as field g of opt.like. Not if keys of a map may be null
   there, which the writer does not have, or if decimals of no fixed width would get one. */
static bool taco__schema_like_same(const taco__pq_metadata *m, const taco_field *f,
                                   const taco_field *g)
{
    uint32_t i;
    if (strcmp(f->name, g->name) != 0 || f->type != g->type || f->unit != g->unit ||
        f->utc != g->utc || f->width != g->width || f->precision != g->precision ||
        f->scale != g->scale || f->nullable != g->nullable || f->child_count != g->child_count) {
        return false;
    }
    if (f->type == TACO_MAP && g->children[0].children[0].nullable) { return false; }
    if (f->type == TACO_DECIMAL && f->width == 0) {
        return m->leaves[g->leaf].type == TACO__PQ_BYTE_ARRAY;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__schema_like_same(m, &f->children[i], &g->children[i])) { return false; }
    }
    return true;
}

static void taco__schema_like_warn(const taco_pq_writer *w, const taco_field *f)
{
    taco_bytes name = taco__bytes_text(f->name);
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!w->opt.options->warn) { return; }
    TACO__FAIL(&e, TACO_ERR_TYPE, TACO_NO_OFFSET,
               "column %q cannot be written as the file has it: annotations and field ids that "
               "Arrow does not have are lost",
               &name);
    w->opt.options->warn(w->opt.options->warn_ctx, &e);
}

TACO__FN const taco__pq_schema_node *taco__schema_like_find(taco_pq_writer *w, size_t i,
                                                            uint32_t *next)
{
    const taco__pq_metadata *m = w->opt.like ? &w->opt.like->meta : NULL;
    uint32_t n = m ? m->column_count : 0, k, at;
    for (k = 0; k < n; k++) {
        at = *next + k < n ? *next + k : *next + k - n;
        if (strcmp(w->fields[i].name, m->columns[at].name) != 0) { continue; }
        w->all_alike = w->all_alike && at == i;
        *next = at + 1 < n ? at + 1 : 0;
        if (taco__schema_like_same(m, &w->fields[i], &m->columns[at])) { return &m->nodes[at]; }
        taco__schema_like_warn(w, &w->fields[i]);
        break;
    }
    w->all_alike = false;
    return NULL;
}

TACO__FN bool taco__schema_like_elements(taco_pq_writer *w, const taco__pq_schema_node *node)
{
    const taco__pq_schema_element *e = node->element;
    uint32_t n = e->next - (uint32_t)(e - w->opt.like->meta.elements), i;
    for (i = 0; i < n; i++) {
        if (!taco__buf_append(&w->footer.schema, e[i].raw.data, e[i].raw.len, &w->err)) {
            return false;
        }
        w->footer.schema_count++;
    }
    return true;
}

TACO__FN bool taco__schema_like_leaf(taco_pq_writer *w, taco__leaf_schema *s, uint32_t leaf)
{
    const taco__pq_metadata *m = &w->opt.like->meta;
    const taco__pq_leaf *from = &m->leaves[leaf];
    const taco__pq_schema_element *e;
    size_t n = 0;
    for (e = from->element; e != m->elements; e = &m->elements[e->parent]) {
        n++;
    }
    s->names = (taco_bytes *)taco__arena_array(&w->arena, n, sizeof *s->names, &w->err);
    if (!s->names) { return false; }
    s->name_count = n;
    for (e = from->element; n; e = &m->elements[e->parent]) {
        const char *name = taco__arena_text(&w->arena, e->name, &w->err);
        if (!name) { return false; }
        s->names[--n] = taco__bytes_of(name, e->name.len);
    }
    s->type = from->type;
    s->type_length = from->type == TACO__PQ_FIXED ? from->type_length : 0;
    s->order = taco__stats_order_of(from);
    return true;
}
/* ==== src/parquet_write/schema_write.c ==== */
/* schema_write.c - fields as the schema of a Parquet file, and a writer for each leaf column

   In: w->fields. Out: footer.schema, SchemaElements in depth-first order, the root first, with
   converted and logical types for old and new readers (LogicalTypes.md), and w->leaves, in the same
   order, each with its physical type, levels and path. Lists have three levels (list, element),
   maps key_value groups, as LogicalTypes.md demands of writers.

   Start reading at taco__schema_write; taco__schema_write_field takes one field, and those below
   it. A field's converted type and annotation follow from taco_field alone, so that reading it back
   yields the same field, except for what "ARROW:schema" restores (key_values.c). */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* ---- physical types ---- */

/* Bytes that hold any decimal of p digits: its magnitude takes floor(p log2(10)) + 1 bits, plus one
   for the sign. */
static int32_t taco__schema_write_decimal_bytes(int32_t p)
{
    return (int32_t)(((int64_t)p * 33219281 / 10000000 + 2 + 7) / 8);
}

static bool taco__schema_write_fail(const taco_field *f, const char *why, taco_error *err)
{
    taco_bytes name = taco__bytes_text(f->name);
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "field %q %s", &name, why);
    return false;
}

/* How the values of a leaf are stored and compared. */
typedef struct taco__leaf_type {
    int32_t type;
    size_t width; /* 0 for byte arrays; also type_length of TACO__PQ_FIXED */
    taco__stats_order order;
} taco__leaf_type;

static taco__leaf_type taco__schema_write_physical(int32_t type, size_t width,
                                                   taco__stats_order order)
{
    taco__leaf_type p;
    p.type = type;
    p.width = width;
    p.order = order;
    return p;
}

/* The smallest type that holds the precision (LogicalTypes.md, DECIMAL). width 0: the decimals have
   any number of bytes. */
static bool taco__schema_write_decimal_type(taco__leaf_type *p, const taco_field *f,
                                            taco_error *err)
{
    int32_t most = f->width == 16 ? 38 : f->width == 32 ? 76 : INT32_MAX;
    if (f->precision < 1 || f->precision > most || f->scale < 0 || f->scale > f->precision ||
        (f->width != 16 && f->width != 32 && f->width != 0)) {
        return taco__schema_write_fail(f, "is a decimal of impossible precision, scale or width",
                                       err);
    }
    *p = f->width == 0 ? taco__schema_write_physical(TACO__PQ_BYTE_ARRAY, 0, TACO__STATS_DECIMALS)
         : f->precision <= 9 ? taco__schema_write_physical(TACO__PQ_INT32, 4, TACO__STATS_SIGNED)
         : f->precision <= 18
             ? taco__schema_write_physical(TACO__PQ_INT64, 8, TACO__STATS_SIGNED)
             : taco__schema_write_physical(TACO__PQ_FIXED,
                                           (size_t)taco__schema_write_decimal_bytes(f->precision),
                                           TACO__STATS_DECIMALS);
    return true;
}

/* Types whose width is given by the field; Parquet has no FIXED of 0 bytes. */
static bool taco__schema_write_sized_type(taco__leaf_type *p, const taco_field *f, taco_error *err)
{
    bool narrow = f->unit <= TACO_MILLI;
    if (f->type == TACO_TIME) {
        *p = narrow ? taco__schema_write_physical(TACO__PQ_INT32, 4, TACO__STATS_SIGNED)
                    : taco__schema_write_physical(TACO__PQ_INT64, 8, TACO__STATS_SIGNED);
        return f->width == (narrow ? 4 : 8) ||
               taco__schema_write_fail(f, "is a time of another width than its unit has", err);
    }
    *p = taco__schema_write_physical(TACO__PQ_FIXED, (size_t)f->width, TACO__STATS_BYTES);
    return f->width >= 1 ||
           taco__schema_write_fail(f, "is of fixed size 0, which Parquet does not have", err);
}

/* Types that have one form (LogicalTypes.md); NULL for the others. */
static const taco__leaf_type *taco__schema_write_plain_type(taco_type type)
{
    static const taco__leaf_type boolean = {TACO__PQ_BOOLEAN, 1, TACO__STATS_SIGNED};
    static const taco__leaf_type nothing = {TACO__PQ_INT32, 4, TACO__STATS_UNORDERED};
    static const taco__leaf_type int32 = {TACO__PQ_INT32, 4, TACO__STATS_SIGNED};
    static const taco__leaf_type uint32 = {TACO__PQ_INT32, 4, TACO__STATS_UNSIGNED};
    static const taco__leaf_type int64 = {TACO__PQ_INT64, 8, TACO__STATS_SIGNED};
    static const taco__leaf_type uint64 = {TACO__PQ_INT64, 8, TACO__STATS_UNSIGNED};
    static const taco__leaf_type half = {TACO__PQ_FIXED, 2, TACO__STATS_FLOATS};
    static const taco__leaf_type real = {TACO__PQ_FLOAT, 4, TACO__STATS_FLOATS};
    static const taco__leaf_type number = {TACO__PQ_DOUBLE, 8, TACO__STATS_FLOATS};
    static const taco__leaf_type int96 = {TACO__PQ_INT96, 12, TACO__STATS_UNORDERED};
    static const taco__leaf_type interval = {TACO__PQ_FIXED, 12, TACO__STATS_UNORDERED};
    static const taco__leaf_type bytes = {TACO__PQ_BYTE_ARRAY, 0, TACO__STATS_BYTES};
    static const taco__leaf_type uuid = {TACO__PQ_FIXED, 16, TACO__STATS_BYTES};
    switch (type) {
    case TACO_BOOL: return &boolean;
    case TACO_NULL: return &nothing;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_DATE: return &int32;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: return &uint32;
    case TACO_INT64:
    case TACO_TIMESTAMP: return &int64;
    case TACO_UINT64: return &uint64;
    case TACO_HALF: return &half;
    case TACO_FLOAT: return &real;
    case TACO_DOUBLE: return &number;
    case TACO_INT96: return &int96;
    case TACO_INTERVAL: return &interval;
    case TACO_TEXT:
    case TACO_BINARY: return &bytes;
    case TACO_UUID: return &uuid;
    default: return NULL;
    }
}

/* Bytes of a value in memory; 0 for byte arrays. Booleans take one each until they are encoded. */
static size_t taco__schema_write_width(const taco__leaf_schema *s)
{
    static const uint8_t widths[] = {1, 4, 8, 12, 4, 8, 0};
    return s->type == TACO__PQ_FIXED ? (size_t)s->type_length : widths[s->type];
}

static bool taco__schema_write_leaf_type(taco__leaf_writer *l, const taco_field *f, taco_error *err)
{
    const taco__leaf_type *plain = taco__schema_write_plain_type(f->type);
    taco__leaf_type p = {0, 0, TACO__STATS_UNORDERED};
    if (plain) {
        p = *plain;
    } else if (f->type == TACO_DECIMAL) {
        if (!taco__schema_write_decimal_type(&p, f, err)) { return false; }
    } else if (f->type == TACO_TIME || f->type == TACO_FIXED) {
        if (!taco__schema_write_sized_type(&p, f, err)) { return false; }
    } else {
        return taco__schema_write_fail(f, "has a type that cannot be written", err);
    }
    l->schema.type = p.type;
    l->schema.type_length = p.type == TACO__PQ_FIXED ? (int32_t)p.width : 0;
    l->schema.order = p.order;
    return true;
}

/* ---- annotations ---- */

/* INT(bits, signed): converted types INT_8, INT_16, INT_32, INT_64 are numbered in a row. */
static void taco__schema_write_int_type(taco__thrift_writer *t, int bits, bool is_signed)
{
    int32_t step = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    taco__thrift_write_i32(
        t, 6, (is_signed ? TACO__PQ_CONVERTED_INT_8 : TACO__PQ_CONVERTED_UINT_8) + step);
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, TACO__PQ_LOGICAL_INTEGER);
    taco__thrift_write_field(t, 1, TACO__THRIFT_I8);
    taco__thrift_write_u8(t, (unsigned)bits);
    taco__thrift_write_bool(t, 2, is_signed);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}

/* TIME and TIMESTAMP. The converted types only mean instants in milli- and microseconds, so local
   times and nanoseconds have none; their numbers are consecutive in that order. */
static void taco__schema_write_time_type(taco__thrift_writer *t, const taco_field *f)
{
    taco_unit unit = f->unit == TACO_SECOND ? TACO_MILLI : f->unit;
    bool stamp = f->type == TACO_TIMESTAMP;
    if (f->utc && unit != TACO_NANO) {
        taco__thrift_write_i32(
            t, 6,
            (stamp ? TACO__PQ_CONVERTED_TIMESTAMP_MILLIS : TACO__PQ_CONVERTED_TIME_MILLIS) +
                (unit == TACO_MICRO));
    }
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, stamp ? TACO__PQ_LOGICAL_TIMESTAMP : TACO__PQ_LOGICAL_TIME);
    taco__thrift_write_bool(t, 1, f->utc);
    taco__thrift_write_begin(t, 2);
    taco__thrift_write_empty(t, (int16_t)unit);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}

static void taco__schema_write_decimal(taco__thrift_writer *t, const taco_field *f)
{
    taco__thrift_write_i32(t, 6, TACO__PQ_CONVERTED_DECIMAL);
    taco__thrift_write_i32(t, 7, f->scale);
    taco__thrift_write_i32(t, 8, f->precision);
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, TACO__PQ_LOGICAL_DECIMAL);
    taco__thrift_write_i32(t, 1, f->scale);
    taco__thrift_write_i32(t, 2, f->precision);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}

/* Types that are named and have no parameters. */
static void taco__schema_write_named_type(taco__thrift_writer *t, int32_t converted,
                                          int16_t logical)
{
    if (converted != TACO__PQ_CONVERTED_NONE) { taco__thrift_write_i32(t, 6, converted); }
    if (logical != TACO__PQ_LOGICAL_NONE) {
        taco__thrift_write_begin(t, 10);
        taco__thrift_write_empty(t, logical);
        taco__thrift_write_end(t);
    }
}

/* Converted type (6), scale, precision and logical type (10) of a SchemaElement. INT32, INT64,
   FLOAT, DOUBLE, BOOL, BINARY and FIXED have none. */
static void taco__schema_write_annotation(taco__thrift_writer *t, const taco_field *f)
{
    const int32_t no = TACO__PQ_CONVERTED_NONE;
    switch (f->type) {
    case TACO_INT8: taco__schema_write_int_type(t, 8, true); break;
    case TACO_INT16: taco__schema_write_int_type(t, 16, true); break;
    case TACO_UINT8: taco__schema_write_int_type(t, 8, false); break;
    case TACO_UINT16: taco__schema_write_int_type(t, 16, false); break;
    case TACO_UINT32: taco__schema_write_int_type(t, 32, false); break;
    case TACO_UINT64: taco__schema_write_int_type(t, 64, false); break;
    case TACO_TIME:
    case TACO_TIMESTAMP: taco__schema_write_time_type(t, f); break;
    case TACO_DECIMAL: taco__schema_write_decimal(t, f); break;
    case TACO_INTERVAL:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_INTERVAL, TACO__PQ_LOGICAL_NONE);
        break;
    case TACO_NULL: taco__schema_write_named_type(t, no, TACO__PQ_LOGICAL_NULL); break;
    case TACO_HALF: taco__schema_write_named_type(t, no, TACO__PQ_LOGICAL_FLOAT16); break;
    case TACO_UUID: taco__schema_write_named_type(t, no, TACO__PQ_LOGICAL_UUID); break;
    case TACO_DATE:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_DATE, TACO__PQ_LOGICAL_DATE);
        break;
    case TACO_TEXT:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_UTF8, TACO__PQ_LOGICAL_STRING);
        break;
    case TACO_LIST:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_LIST, TACO__PQ_LOGICAL_LIST);
        break;
    case TACO_MAP:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_MAP, TACO__PQ_LOGICAL_MAP);
        break;
    default: break;
    }
}

/* ---- the walk ---- */

/* The state of walking the schema: names and STRUCT children that lead to the current field, and
   the levels of an entry that has a value there. */
typedef struct taco__schema_walk {
    taco_pq_writer *w;
    taco__thrift_writer t;
    uint32_t column;
    const taco__pq_schema_node *like; /* the column of opt.like that this one copies, or NULL */
    uint32_t like_leaf;               /* its next leaf */
    taco_bytes names[2 * TACO__SCHEMA_DEPTH_CAP]; /* a list takes two: its own, and "list" */
    uint32_t path[TACO__SCHEMA_DEPTH_CAP];
    size_t name_count, path_count;
    uint32_t depth;
    int16_t def, rep;
} taco__schema_walk;

/* Appends a SchemaElement: of a leaf, or of a group of n children. repetition < 0 is the root's,
   which has none; f NULL a repeated group's, which has no annotation. */
static void taco__schema_write_element(taco__schema_walk *k, const taco__leaf_schema *leaf,
                                       taco_bytes name, int32_t repetition, uint32_t n,
                                       const taco_field *f)
{
    taco__thrift_writer *t = &k->t;
    taco__thrift_write_init(t, &k->w->footer.schema, &k->w->err);
    if (k->like) { return; } /* its elements have been copied */
    if (leaf) {
        taco__thrift_write_i32(t, 1, leaf->type);
        if (leaf->type == TACO__PQ_FIXED) { taco__thrift_write_i32(t, 2, leaf->type_length); }
    }
    if (repetition >= 0) { taco__thrift_write_i32(t, 3, repetition); }
    taco__thrift_write_binary(t, 4, name);
    if (!leaf) { taco__thrift_write_i32(t, 5, (int32_t)n); }
    if (f) { taco__schema_write_annotation(t, f); }
    taco__thrift_write_end(t);
    k->w->footer.schema_count++;
}

/* Copies where the leaf is in the schema. */
static bool taco__schema_write_copy_path(const taco__schema_walk *k, taco__leaf_schema *s)
{
    taco_pq_writer *w = k->w;
    s->path = (uint32_t *)taco__arena_array(&w->arena, k->path_count + 1, sizeof *s->path, &w->err);
    s->names = (taco_bytes *)taco__arena_array(&w->arena, k->name_count, sizeof *s->names, &w->err);
    if (!s->path || !s->names) { return false; }
    memcpy(s->path, k->path, k->path_count * sizeof *s->path);
    memcpy(s->names, k->names, k->name_count * sizeof *s->names);
    s->name_count = k->name_count;
    return true;
}

static void taco__schema_write_init_leaf(taco__leaf_writer *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->input.def.mem = l->input.rep.mem = mem;
    l->dict.slots.mem = l->dict.indices.mem = mem;
    l->stats.min.mem = l->stats.max.mem = mem;
    l->pages.bytes.mem = l->pages.records.mem = l->pages.bounds.mem = mem;
    l->pages.level_counts.mem = l->pages.hashes.mem = mem;
}

static bool taco__schema_write_add_leaf(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                        int32_t repetition)
{
    taco_pq_writer *w = k->w;
    taco__leaf_writer *l = &w->leaves[w->leaf_count++];
    taco__schema_write_init_leaf(l, &w->mem);
    l->schema.field = f;
    l->schema.column = k->column;
    l->schema.max_def = k->def;
    l->schema.max_rep = k->rep;
    if (!taco__schema_write_copy_path(k, &l->schema) ||
        !taco__schema_write_leaf_type(l, f, &w->err) ||
        (k->like && !taco__schema_like_leaf(w, &l->schema, k->like_leaf++))) {
        return false;
    }
    taco__plain_values_init(&l->input.values, taco__schema_write_width(&l->schema), &w->mem);
    taco__plain_values_init(&l->dict.values, l->input.values.width, &w->mem);
    taco__schema_write_element(k, &l->schema, name, repetition, 0, f);
    return true;
}

static bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                     bool required); /* recursive */

/* A child of a STRUCT, or of a map's entries. */
static bool taco__schema_write_child(taco__schema_walk *k, const taco_field *f, uint32_t i,
                                     taco_bytes name, bool required)
{
    bool good;
    k->path[k->path_count++] = i;
    good = taco__schema_write_field(k, &f->children[i], name, required);
    k->path_count--;
    return good;
}

/* LIST and MAP: the group, a repeated group, its field or its two fields, of which the key is
   required. */
static bool taco__schema_write_list(taco__schema_walk *k, const taco_field *f)
{
    bool map = f->type == TACO_MAP, good;
    const taco_field *item = f->children;
    taco_bytes middle = taco__bytes_text(map ? "key_value" : "list");
    if (f->child_count != 1 || (map && (item->type != TACO_STRUCT || item->child_count != 2))) {
        return taco__schema_write_fail(f, "is a list without its one child, or a map without two",
                                       &k->w->err);
    }
    taco__schema_write_element(k, NULL, middle, TACO__PQ_REPEATED, map ? 2 : 1, NULL);
    k->names[k->name_count++] = middle;
    k->def++;
    k->rep++;
    good = map ? taco__schema_write_child(k, item, 0, taco__bytes_text("key"), true) &&
                     taco__schema_write_child(k, item, 1, taco__bytes_text("value"), false)
               : taco__schema_write_field(k, item, taco__bytes_text("element"), false);
    k->def--;
    k->rep--;
    k->name_count--;
    return good;
}

static bool taco__schema_write_struct(taco__schema_walk *k, const taco_field *f)
{
    uint32_t i;
    for (i = 0; i < f->child_count; i++) {
        if (!taco__schema_write_child(k, f, i, taco__bytes_text(f->children[i].name), false)) {
            return false;
        }
    }
    return true;
}

/* Names and paths have room for TACO__SCHEMA_DEPTH_CAP / 2 fields, even if all are lists or
   maps. */
static bool taco__schema_write_enter(taco__schema_walk *k)
{
    uint32_t most = k->w->opt.options->limits.max_depth;
    if (++k->depth > most || k->depth > TACO__SCHEMA_DEPTH_CAP / 2) {
        TACO__FAIL(&k->w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "fields nest deeper than limits.max_depth, %u", TACO__U(most));
        return false;
    }
    return true;
}

/* A field and everything below it. NULL columns are optional, whatever the field says, because they
   contain nothing else. */
static bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                     bool required)
{
    bool optional = (f->nullable || f->type == TACO_NULL) && !required, good;
    int32_t repetition = optional ? TACO__PQ_OPTIONAL : TACO__PQ_REQUIRED;
    if (!taco__schema_write_enter(k)) { return false; }
    k->names[k->name_count++] = name;
    k->def = (int16_t)(k->def + optional);
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        taco__schema_write_element(k, NULL, name, repetition, 1, f);
        good = taco__schema_write_list(k, f);
    } else if (f->type == TACO_STRUCT && f->child_count == 0) {
        return taco__schema_write_fail(f, "is a struct without fields, which Parquet does not have",
                                       &k->w->err);
    } else if (f->type == TACO_STRUCT) {
        taco__schema_write_element(k, NULL, name, repetition, f->child_count, f);
        good = taco__schema_write_struct(k, f);
    } else {
        good = taco__schema_write_add_leaf(k, f, name, repetition);
    }
    k->def = (int16_t)(k->def - optional);
    k->name_count--;
    k->depth--;
    return good && !k->t.bad;
}

/* ---- the whole ---- */

TACO__FN taco_field *taco__schema_write_copy_fields(taco_pq_writer *w, const taco_field *f,
                                                    size_t n, uint32_t depth)
{
    taco_field *copy = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *copy, &w->err);
    size_t i;
    if (depth > TACO__SCHEMA_DEPTH_CAP) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "fields nest deeper than %u",
                   TACO__U(TACO__SCHEMA_DEPTH_CAP));
        return NULL;
    }
    for (i = 0; copy && i < n; i++) {
        copy[i] = f[i];
        copy[i].name = taco__arena_text(&w->arena, taco__bytes_text(f[i].name), &w->err);
        copy[i].children = NULL;
        if (f[i].child_count) {
            copy[i].children =
                taco__schema_write_copy_fields(w, f[i].children, f[i].child_count, depth + 1);
        }
        if (!copy[i].name || (f[i].child_count && !copy[i].children)) { return NULL; }
    }
    return copy;
}

/* Number of leaves of a field; too deep nesting is refused later. */
static uint64_t taco__schema_write_count_leaves(const taco_field *f, uint32_t depth)
{
    uint64_t n = 0;
    uint32_t i;
    if (f->type != TACO_LIST && f->type != TACO_MAP && f->type != TACO_STRUCT) { return 1; }
    for (i = 0; depth < TACO__SCHEMA_DEPTH_CAP && i < f->child_count; i++) {
        n += taco__schema_write_count_leaves(&f->children[i], depth + 1);
    }
    return n;
}

/* Room for all leaves, against limits.max_columns. */
static bool taco__schema_write_alloc_leaves(taco_pq_writer *w)
{
    uint64_t n = 0;
    size_t i;
    for (i = 0; i < w->field_count; i++) {
        n += taco__schema_write_count_leaves(&w->fields[i], 0);
    }
    if (n > w->opt.options->limits.max_columns) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u columns, limits.max_columns is %u",
                   n, TACO__U(w->opt.options->limits.max_columns));
        return false;
    }
    w->leaves = (taco__leaf_writer *)taco__arena_array(&w->arena, (size_t)n + 1, sizeof *w->leaves,
                                                       &w->err);
    return w->leaves != NULL;
}

/* The state takes 18 KB, too much for the stack. */
TACO__FN bool taco__schema_write(taco_pq_writer *w)
{
    taco__schema_walk *k;
    uint32_t next = 0;
    size_t i;
    bool good;
    if (!taco__schema_write_alloc_leaves(w)) { return false; }
    k = (taco__schema_walk *)taco__mem_alloc(&w->mem, sizeof *k, &w->err);
    if (!k) { return false; }
    k->w = w;
    taco__schema_write_element(
        k, NULL, w->opt.like ? w->opt.like->meta.elements[0].name : taco__bytes_text("schema"), -1,
        (uint32_t)w->field_count, NULL);
    good = !k->t.bad;
    w->all_alike = w->opt.like && w->field_count == w->opt.like->meta.column_count;
    for (i = 0; good && i < w->field_count; i++) {
        k->column = (uint32_t)i;
        k->like = taco__schema_like_find(w, i, &next);
        k->like_leaf = k->like ? k->like->leaf : 0;
        good =
            (!k->like || taco__schema_like_elements(w, k->like)) &&
            taco__schema_write_field(k, &w->fields[i], taco__bytes_text(w->fields[i].name), false);
    }
    taco__mem_free(&w->mem, k, sizeof *k);
    return good && w->err.code == TACO_OK;
}
/* ==== src/parquet_write/geo_columns.c ==== */
/* geo_columns.c - geometry columns: the "geo" key of GeoParquet 1.1, and covering columns

   In: opt.geometries, then the rows of these columns as they are written. Out: for a covering that
   the caller names but does not provide, a STRUCT column of xmin, ymin, xmax, ymax after the
   caller's columns; at the end the document with the key "geo", with the types that occurred and
   their extent. Null and empty geometries have a null box.

   taco__geo_column_init_all comes before the schema is made, _add_rows before the leaves of each
   piece of a batch, _write_key before the footer. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

static const char *const taco__geo_column_side_names[] = {"xmin", "ymin", "xmax", "ymax"};

/* ---- which columns ---- */

static const taco_field *taco__geo_column_find_field(const taco_pq_writer *w, const char *name)
{
    size_t i;
    for (i = 0; name && i < w->field_count; i++) {
        if (strcmp(w->fields[i].name, name) == 0) { return &w->fields[i]; }
    }
    return NULL;
}

/* Whether a column of the caller is a covering: has these children as FLOAT or DOUBLE, in any
   order. */
static bool taco__geo_column_is_covering(const taco_field *f)
{
    uint32_t i, k, found = 0;
    for (i = 0; i < 4 && f->type == TACO_STRUCT; i++) {
        for (k = 0; k < f->child_count; k++) {
            found += (f->children[k].type == TACO_DOUBLE || f->children[k].type == TACO_FLOAT) &&
                     strcmp(f->children[k].name, taco__geo_column_side_names[i]) == 0;
        }
    }
    return found == 4;
}

/* Adds a STRUCT column of four DOUBLE after the others. */
static bool taco__geo_column_make_covering(taco_pq_writer *w, taco__geo_column *g)
{
    taco_field *f = &w->fields[w->field_count];
    taco_field *sides = (taco_field *)taco__arena_array(&w->arena, 4, sizeof *sides, &w->err);
    size_t i;
    if (!sides) { return false; }
    for (i = 0; i < 4; i++) {
        sides[i] = taco__field_make(taco__geo_column_side_names[i], TACO_DOUBLE);
        sides[i].nullable = false;
        g->side[i].field = &sides[i];
        g->box[i].mem = &w->mem;
    }
    *f = taco__field_make_nested(g->covering, TACO_STRUCT, sides, 4);
    g->validity.mem = &w->mem;
    g->array.field = f;
    g->array.children = g->side;
    g->made = w->field_count++;
    return true;
}

/* A copy of a caller's text that outlives the call; NULL stays NULL. */
static bool taco__geo_column_copy_text(taco_pq_writer *w, const char *text, const char **out)
{
    if (text) { *out = taco__arena_text(&w->arena, taco__bytes_text(text), &w->err); }
    return !text || *out;
}

/* A covering made here has the boxes of one geometry column. */
static bool taco__geo_column_fail_shared(taco_pq_writer *w, const taco__geo_column *g)
{
    taco_bytes covering = taco__bytes_text(g->covering), column = taco__bytes_text(g->name);
    TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "covering column %q of %q is made for another geometry column already", &covering,
               &column);
    return false;
}

static bool taco__geo_column_set_covering(taco_pq_writer *w, taco__geo_column *g)
{
    const taco_field *f = taco__geo_column_find_field(w, g->covering);
    taco_bytes name = taco__bytes_text(g->covering);
    if (!g->covering) { return true; }
    if (f && (size_t)(f - w->fields) >= w->caller_count) {
        return taco__geo_column_fail_shared(w, g);
    }
    if (f ? taco__geo_column_is_covering(f) : taco__geo_column_make_covering(w, g)) { return true; }
    TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "covering column %q is not a struct of xmin, ymin, xmax, ymax", &name);
    return false;
}

static bool taco__geo_column_init(taco_pq_writer *w, taco__geo_column *g,
                                  const taco_pq_geometry *from)
{
    const taco_field *f = taco__geo_column_find_field(w, from->column);
    if (!f || f->type != TACO_BINARY) {
        taco_bytes name = taco__bytes_text(from->column);
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "geometry column %q is not a BINARY column", &name);
        return false;
    }
    g->column = (size_t)(f - w->fields);
    g->name = f->name;
    g->spherical = from->spherical;
    taco__wkb_summary_init(&g->summary);
    if (!taco__geo_column_copy_text(w, from->crs, &g->crs) ||
        !taco__geo_column_copy_text(w, from->covering, &g->covering)) {
        return false;
    }
    w->geo_count++; /* from here on its buffers are freed with the writer */
    return taco__geo_column_set_covering(w, g);
}

TACO__FN bool taco__geo_column_init_all(taco_pq_writer *w)
{
    size_t n = w->opt.geometry_count, i;
    taco_field *more;
    if (n == 0) { return true; }
    w->geo = (taco__geo_column *)taco__arena_array(&w->arena, n, sizeof *w->geo, &w->err);
    more =
        (taco_field *)taco__arena_array(&w->arena, w->field_count + n + 1, sizeof *more, &w->err);
    if (!w->geo || !more) { return false; }
    memcpy(more, w->fields, w->field_count * sizeof *more);
    w->fields = more;
    for (i = 0; i < n; i++) {
        if (!taco__geo_column_init(w, &w->geo[i], &w->opt.geometries[i])) { return false; }
    }
    return true;
}

/* ---- the document ---- */

/* A column's name as a value: it must equal the key of its member, UTF-8 or not. */
static void taco__geo_column_write_name(taco__json_writer *j, const char *key, const char *name)
{
    taco__json_write_key(j, key);
    j->ok = j->ok && taco__json_write_name(j->out, taco__bytes_text(name), j->err);
}

/* "covering":{"bbox":{"xmin":[column, "xmin"], ...}} */
static void taco__geo_column_write_covering(taco__json_writer *j, const char *covering)
{
    size_t i;
    taco__json_write_begin(j, "covering", '{');
    taco__json_write_begin(j, "bbox", '{');
    for (i = 0; i < 4; i++) {
        taco__json_write_begin(j, taco__geo_column_side_names[i], '[');
        taco__geo_column_write_name(j, NULL, covering);
        taco__json_write_text(j, NULL, taco__geo_column_side_names[i]);
        taco__json_write_end(j, ']');
    }
    taco__json_write_end(j, '}');
    taco__json_write_end(j, '}');
}

/* An empty list means that the types are not known. */
static void taco__geo_column_write_types(taco__json_writer *j, uint32_t types)
{
    static const char *const names[2][7] = {
        {"Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
         "GeometryCollection"},
        {"Point Z", "LineString Z", "Polygon Z", "MultiPoint Z", "MultiLineString Z",
         "MultiPolygon Z", "GeometryCollection Z"}};
    size_t z, i;
    taco__json_write_begin(j, "geometry_types", '[');
    for (z = 0; z < 2; z++) {
        for (i = 0; i < 7; i++) {
            if (types >> (i + 1 + 16 * z) & 1) { taco__json_write_text(j, NULL, names[z][i]); }
        }
    }
    taco__json_write_end(j, ']');
}

/* Corners in x and y, and in z if some geometry has it. Edges along great circles extend beyond
   their ends, so spherical columns have none. */
static void taco__geo_column_write_bbox(taco__json_writer *j, const taco__geo_column *g,
                                        uint32_t types)
{
    const taco__wkb_summary *s = &g->summary;
    size_t i, sides = s->types >> 16 ? 3 : 2;
    bool bounded = types != 0 && !g->spherical;
    for (i = 0; i < sides; i++) {
        bounded = bounded && s->min[i] <= s->max[i];
    }
    if (!bounded) { return; }
    taco__json_write_begin(j, "bbox", '[');
    for (i = 0; i < 2 * sides; i++) {
        taco__json_write_double(j, NULL, i < sides ? s->min[i] : s->max[i - sides]);
    }
    taco__json_write_end(j, ']');
}

/* The member of "columns" of one geometry column. */
static void taco__geo_column_write(taco__json_writer *j, const taco__geo_column *g)
{
    uint32_t types = g->summary.odd ? 0 : g->summary.types;
    taco__json_write_begin(j, g->name, '{');
    taco__json_write_text(j, "encoding", "WKB");
    taco__geo_column_write_types(j, types);
    taco__geo_column_write_bbox(j, g, types);
    if (g->crs) { taco__json_write_raw(j, "crs", taco__bytes_text(g->crs)); }
    if (g->spherical) { taco__json_write_text(j, "edges", "spherical"); }
    if (g->covering) { taco__geo_column_write_covering(j, g->covering); }
    taco__json_write_end(j, '}');
}

TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w)
{
    taco__buf *out = &w->scratch.body;
    taco__json_writer j;
    size_t i;
    if (w->geo_count == 0) { return true; }
    out->len = 0;
    j = taco__json_writer_init(out, &w->err);
    taco__json_write_begin(&j, NULL, '{');
    taco__json_write_text(&j, "version", "1.1.0");
    taco__geo_column_write_name(&j, "primary_column", w->geo[0].name);
    taco__json_write_begin(&j, "columns", '{');
    for (i = 0; i < w->geo_count; i++) {
        taco__geo_column_write(&j, &w->geo[i]);
    }
    taco__json_write_end(&j, '}');
    taco__json_write_end(&j, '}');
    return j.ok &&
           taco__key_values_add(w, taco__bytes_text("geo"), taco__bytes_of(out->data, out->len));
}

/* ---- rows ---- */

/* Empties the covering's arrays, and makes room for n rows. */
static bool taco__geo_column_reset_covering(taco__geo_column *g, size_t n, taco_error *err)
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!taco__buf_reset(&g->box[k], n * sizeof(double), err)) { return false; }
        g->side[k].v.any = g->box[k].data;
        g->side[k].length = n;
    }
    if (!taco__buf_reset(&g->validity, TACO__BITMAP_BYTES(n), err)) { return false; }
    memset(g->validity.data, 0, TACO__BITMAP_BYTES(n));
    g->array.validity = g->validity.data;
    g->array.length = n;
    return true;
}

/* The WKB of a row; false if it is null, or the array has invalid offsets: those are refused when
   the value is written (array_values.c). */
static bool taco__geo_column_value(const taco_array *a, size_t row, taco_bytes *wkb)
{
    const int32_t *o;
    if (a->validity && !taco__bitmap_get(a->validity, row)) { return false; }
    if (a->dictionary) {
        row = (uint32_t)a->v.i32[row];
        a = a->dictionary;
    }
    if (row >= a->length) { return false; }
    o = a->offsets + row;
    if (o[0] < 0 || o[1] < o[0]) { return false; }
    *wkb = taco__bytes_of(a->v.u8 + o[0], (size_t)(o[1] - o[0]));
    return true;
}

TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n)
{
    size_t i, k;
    if (g->made && !taco__geo_column_reset_covering(g, n, &w->err)) { return false; }
    for (i = 0; i < n; i++) {
        double box[4] = {0, 0, 0, 0};
        taco_bytes wkb;
        bool valid = taco__geo_column_value(a, first + i, &wkb) &&
                     taco__wkb_summary_add(&g->summary, wkb, box);
        if (g->made && valid) { taco__bitmap_set(g->validity.data, i); }
        for (k = 0; g->made && k < 4; k++) {
            memcpy(g->box[k].data + i * sizeof(double), &box[k], sizeof(double));
        }
    }
    return true;
}

TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column)
{
    size_t i;
    for (i = 0; w->geo[i].made != column; i++) {}
    return &w->geo[i].array;
}
/* ==== src/parquet_write/write_options.c ==== */
/* write_options.c - turns the caller's options, with defaults filled in, into settings of every
   leaf

   In: w->opt, the fields and the leaves that schema_write.c made; out: taco__leaf_settings of each
   leaf, w->gear, and the defaults of taco_pq_write_options in w->opt. An encoding for the whole
   file is used where it fits the type; one for a column must fit. Nested columns take the options
   of their top-level column. Start reading at taco__write_options_apply. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* Which types an encoding is valid for: Encodings.md. */
TACO__FN int32_t taco__write_options_encoding(const taco__leaf_schema *s, taco_encoding option)
{
    bool boolean = s->type == TACO__PQ_BOOLEAN, bytes = s->type == TACO__PQ_BYTE_ARRAY;
    bool fixed = s->type == TACO__PQ_FIXED;
    bool whole = s->type == TACO__PQ_INT32 || s->type == TACO__PQ_INT64;
    bool real = s->type == TACO__PQ_FLOAT || s->type == TACO__PQ_DOUBLE;
    switch (option) {
    case TACO_ENCODING_PLAIN: return TACO__PQ_ENC_PLAIN;
    case TACO_ENCODING_DICTIONARY: return boolean ? -1 : TACO__PQ_ENC_RLE_DICTIONARY;
    case TACO_ENCODING_RLE: return boolean ? TACO__PQ_ENC_RLE : -1;
    case TACO_ENCODING_DELTA: return whole ? TACO__PQ_ENC_DELTA_BINARY_PACKED : -1;
    case TACO_ENCODING_DELTA_LENGTH: return bytes ? TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY : -1;
    case TACO_ENCODING_DELTA_BYTES: return bytes || fixed ? TACO__PQ_ENC_DELTA_BYTE_ARRAY : -1;
    case TACO_ENCODING_SPLIT: return whole || real || fixed ? TACO__PQ_ENC_BYTE_STREAM_SPLIT : -1;
    default: return -1;
    }
}

/* The Arrow schema of a leaf of the stream; NULL if the rows do not come from a stream. */
static const struct ArrowSchema *taco__write_options_arrow_leaf(const taco_pq_writer *w,
                                                                const taco__leaf_schema *leaf)
{
    const struct ArrowSchema *s =
        w->arrow && leaf->column < w->caller_count ? w->arrow->children[leaf->column] : NULL;
    const taco_field *f = &w->fields[leaf->column];
    const uint32_t *path = leaf->path;
    uint32_t i;
    while (s && f->child_count) {
        i = f->type == TACO_STRUCT ? *path++ : 0;
        s = s->children[i];
        if (f->type == TACO_MAP) { /* its entries are the repeated group itself */
            f = &f->children[0];
            i = *path++;
            s = s->children[i];
        }
        f = &f->children[i];
    }
    return s;
}

/* The options of a top-level column; the last ones with that name, NULL for none. */
static const taco_pq_column_options *taco__write_options_find(const taco_pq_write_options *o,
                                                              const char *name)
{
    const taco_pq_column_options *found = NULL;
    size_t i;
    for (i = 0; i < o->column_count; i++) {
        if (strcmp(o->columns[i].name, name) == 0) { found = &o->columns[i]; }
    }
    return found;
}

/* Sets the encoding of a leaf. False if the column cannot have the one in its options. */
static bool taco__write_options_set_encoding(taco_pq_writer *w, taco__leaf_writer *l,
                                             const taco_pq_column_options *c)
{
    taco_encoding file = w->opt.encoding;
    l->settings.encoding = file;
    if (taco__write_options_encoding(&l->schema, file) < 0 ||
        (l->settings.arrow_dictionary && file > TACO_ENCODING_DICTIONARY)) {
        l->settings.encoding = TACO_ENCODING_AUTO;
    }
    if (!c || c->encoding == TACO_ENCODING_AUTO) { return true; }
    l->settings.encoding = c->encoding;
    if (taco__write_options_encoding(&l->schema, c->encoding) < 0) {
        taco_bytes name = taco__bytes_text(c->name);
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "column %q cannot have encoding number %d", &name, TACO__D(c->encoding));
        return false;
    }
    return true;
}

static bool taco__write_options_set_leaf(taco_pq_writer *w, taco__leaf_writer *l)
{
    const taco_pq_write_options *o = &w->opt;
    const taco_pq_column_options *c = taco__write_options_find(o, w->fields[l->schema.column].name);
    const struct ArrowSchema *arrow = taco__write_options_arrow_leaf(w, &l->schema);
    taco__leaf_settings *s = &l->settings;
    taco_codec codec = o->codec ? o->codec : TACO_CODEC_NONE;
    s->arrow_dictionary = arrow && arrow->dictionary && o->arrow_schema != TACO_HINT_NEVER;
    if (!taco__write_options_set_encoding(w, l, c)) { return false; }
    s->bloom = (o->bloom || (c && c->bloom)) && l->schema.type != TACO__PQ_BOOLEAN &&
               l->schema.field->type != TACO_NULL;
    s->stats = !o->no_statistics && !(c && c->no_statistics);
    s->page_index = s->stats && !o->no_page_index;
    s->level = c && c->codec ? c->level : o->level;
    return taco__compress_codec_number(c && c->codec ? c->codec : codec, &s->codec, &w->err);
}

static bool taco__write_options_has_field(const taco_pq_writer *w, const char *name)
{
    size_t i;
    for (i = 0; name && i < w->field_count; i++) {
        if (strcmp(w->fields[i].name, name) == 0) { return true; }
    }
    return false;
}

/* Options for a column that does not exist are an error. */
static bool taco__write_options_check_names(taco_pq_writer *w)
{
    size_t i;
    for (i = 0; i < w->opt.column_count; i++) {
        taco_bytes name = taco__bytes_text(w->opt.columns[i].name);
        if (!taco__write_options_has_field(w, w->opt.columns[i].name)) {
            TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "options for column %q, which does not exist", &name);
            return false;
        }
    }
    return true;
}

/* The gear table: 256 numbers of a generator that has seen no values (splitmix64 from zero), and a
   mask under which the hash is zero once in a quarter to a half of chunk_max - chunk_min bytes. */
static void taco__write_options_init_gear(taco_pq_writer *w)
{
    uint64_t state = 0, x, span = w->opt.chunk_max - w->opt.chunk_min;
    unsigned i, bits = span > 1 ? 62 - taco__plat_clz64(span) : 1;
    for (i = 0; i < 256; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        x = (state ^ (state >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        w->gear.table[i] = x ^ (x >> 31);
    }
    bits = TACO__MIN(TACO__MAX(bits, 1U), 40U);
    w->gear.mask = UINT64_MAX << (64 - bits);
}

/* The defaults in brackets in taco_parquet_write.h. */
static bool taco__write_options_set_defaults(taco_pq_write_options *o, taco_error *err)
{
    o->row_group_rows = o->row_group_rows ? o->row_group_rows : 65536;
    o->page_rows = o->page_rows ? o->page_rows : 20000;
    o->page_bytes = o->page_bytes ? o->page_bytes : (size_t)1 << 20;
    o->dictionary_bytes = o->dictionary_bytes ? o->dictionary_bytes : (size_t)1 << 20;
    o->chunk_min = o->chunk_min ? o->chunk_min : (size_t)256 << 10;
    o->chunk_max = o->chunk_max ? o->chunk_max : (size_t)1 << 20;
    if (o->chunk_min > o->chunk_max || o->dictionary_bytes > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   o->dictionary_bytes > INT32_MAX ? "dictionary_bytes is larger than 2^31 - 1"
                                                   : "chunk_min is larger than chunk_max");
        return false;
    }
    return true;
}

TACO__FN bool taco__write_options_apply(taco_pq_writer *w)
{
    size_t i;
    if (!taco__write_options_set_defaults(&w->opt, &w->err)) { return false; }
    if (w->opt.content_defined) { taco__write_options_init_gear(w); }
    for (i = 0; i < w->leaf_count; i++) {
        if (!taco__write_options_set_leaf(w, &w->leaves[i])) { return false; }
    }
    return taco__write_options_check_names(w);
}
/* ==== src/parquet_write/key_values.c ==== */
/* key_values.c - key-value metadata: the caller's, the stream's, and "ARROW:schema"

   In: opt.keys, those of opt.like, and the Arrow schema of the stream, if there is one. Out:
   footer.keys, KeyValue structures (parquet.thrift). "ARROW:schema" is the schema as a message of
   the Arrow IPC format, in base64; Arrow's readers restore from it what Parquet types do not
   express. It is omitted if nothing would be lost, so that files stay comparable. A key of the
   caller's wins over one of the same name. geo_columns.c adds "geo" when the file ends.

   Start reading at taco__key_values_write. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value)
{
    taco__thrift_writer t;
    taco__thrift_write_init(&t, &w->footer.keys, &w->err);
    taco__thrift_write_binary(&t, 1, key);
    if (value.data) { taco__thrift_write_binary(&t, 2, value); }
    w->footer.key_count++;
    return taco__thrift_write_end(&t);
}

/* ---- when "ARROW:schema" is needed ---- */

/* Decimals "d:precision,scale,256" of at most 38 digits would come back as 128 bits, those of 32
   and 64 bits as well. */
static bool taco__key_values_decimal_needs_hint(const char *format)
{
    const char *comma = strchr(format, ','), *bits = comma ? strchr(comma + 1, ',') : NULL;
    const char *digits = format + 2;
    return bits && (strcmp(bits, ",256") != 0 || taco__ipc_parse_number(&digits) <= 38);
}

/* Durations, intervals, seconds, dates of milliseconds, and time zones other than UTC. */
static bool taco__key_values_time_needs_hint(const char *p)
{
    return p[1] == 'D' || p[1] == 'i' || p[2] == 's' || (p[1] == 'd' && p[2] == 'm') ||
           (p[1] == 's' && p[3] == ':' && p[4] && strcmp(p + 4, "UTC") != 0);
}

/* True if a type would be read back from Parquet as a different Arrow type (large and view types,
   fixed-size lists, dictionaries) or with less information. */
static bool taco__key_values_format_needs_hint(const struct ArrowSchema *s)
{
    const char *p = s->format, *m = s->metadata;
    int64_t i;
    bool need = s->dictionary || (m && taco__arrow_read_count(&m) > 0);
    switch (p[0]) {
    case 'U':
    case 'Z':
    case 'v': need = true; break;
    case 'd': need = need || taco__key_values_decimal_needs_hint(p); break;
    case 't': need = need || taco__key_values_time_needs_hint(p); break;
    case '+': need = need || p[1] == 'L' || p[1] == 'w'; break;
    default: break;
    }
    for (i = 0; !need && i < s->n_children; i++) {
        need = taco__key_values_format_needs_hint(s->children[i]);
    }
    return need;
}

/* The same for our own fields. */
static bool taco__key_values_field_needs_hint(const taco_field *f)
{
    uint32_t i;
    bool need = f->type == TACO_UUID ||
                (f->type == TACO_DECIMAL && f->width == 32 && f->precision <= 38) ||
                ((f->type == TACO_TIME || f->type == TACO_TIMESTAMP) && f->unit == TACO_SECOND);
    for (i = 0; !need && i < f->child_count; i++) {
        need = taco__key_values_field_needs_hint(&f->children[i]);
    }
    return need;
}

/* Appends base64, RFC 4648 section 4: three bytes in four letters, '=' for missing ones. */
static bool taco__key_values_append_base64(taco__buf *out, taco_bytes b, taco_error *err)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t i, k;
    for (i = 0; i < b.len; i += 3) {
        char text[4];
        uint32_t x = (uint32_t)b.data[i] << 16;
        x |= i + 1 < b.len ? (uint32_t)b.data[i + 1] << 8 : 0;
        x |= i + 2 < b.len ? b.data[i + 2] : 0;
        for (k = 0; k < 4; k++) {
            text[k] = i + k <= b.len ? digits[x >> (18 - 6 * k) & 63] : '=';
        }
        if (!taco__buf_append(out, text, 4, err)) { return false; }
    }
    return true;
}

/* Whether opt.like has the key: then it is kept, or has been judged. */
static bool taco__key_values_like_has(const taco_pq_writer *w, taco_bytes key)
{
    const taco__pq_metadata *m = w->opt.like ? &w->opt.like->meta : NULL;
    uint32_t i;
    for (i = 0; m && i < m->pair_count; i++) {
        if (taco__bytes_equal(key, m->pairs[i].key)) { return true; }
    }
    return false;
}

static bool taco__key_values_has_key(const taco_pq_writer *w, taco_bytes key)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        if (taco__bytes_equal(key, taco__bytes_text(w->opt.keys[i].key))) { return true; }
    }
    return false;
}

static bool taco__key_values_needs_arrow_schema(const taco_pq_writer *w)
{
    size_t i;
    if (w->opt.arrow_schema == TACO_HINT_NEVER ||
        taco__key_values_has_key(w, taco__bytes_text("ARROW:schema")) ||
        (w->all_alike && taco__key_values_like_has(w, taco__bytes_text("ARROW:schema")))) {
        return false;
    }
    if (w->opt.arrow_schema == TACO_HINT_ALWAYS) { return true; }
    if (w->arrow) { return taco__key_values_format_needs_hint(w->arrow); }
    for (i = 0; i < w->field_count; i++) {
        if (taco__key_values_field_needs_hint(&w->fields[i])) { return true; }
    }
    return false;
}

/* The stream's own schema, followed by columns made here; or one made from our fields. */
static bool taco__key_values_add_arrow_schema(taco_pq_writer *w)
{
    taco__buf *message = &w->scratch.body, *text = &w->scratch.trial;
    size_t made = w->field_count - w->caller_count;
    if (!taco__key_values_needs_arrow_schema(w)) { return true; }
    message->len = text->len = 0;
    return (w->arrow
                ? taco__ipc_arrow_schema(message, w->arrow, w->fields + w->caller_count, made,
                                         &w->err)
                : taco__ipc_schema(message, w->fields, w->field_count, false, false, &w->err)) &&
           taco__key_values_append_base64(text, taco__bytes_of(message->data, message->len),
                                          &w->err) &&
           taco__key_values_add(w, taco__bytes_text("ARROW:schema"),
                                taco__bytes_of(text->data, text->len));
}

/* The stream's keys that the caller has not set, except the ARROW:schema of its origin. */
static bool taco__key_values_add_stream_keys(taco_pq_writer *w)
{
    const char *p = w->arrow ? w->arrow->metadata : NULL;
    int32_t n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes key, value;
    while (taco__arrow_next_pair(&p, &n, &key, &value)) {
        if (!taco__key_values_has_key(w, key) && !taco__key_values_like_has(w, key) &&
            !taco__bytes_equal(key, taco__bytes_text("ARROW:schema")) &&
            !taco__key_values_add(w, key, value)) {
            return false;
        }
    }
    return true;
}

/* ---- the keys of opt.like ---- */

static bool taco__key_values_is_about_columns(taco_bytes key)
{
    return taco__bytes_equal(key, taco__bytes_text("geo")) ||
           taco__bytes_equal(key, taco__bytes_text("ARROW:schema"));
}

static void taco__key_values_warn(const taco_pq_writer *w, taco_bytes key)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!w->opt.options->warn) { return; }
    TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "the key %q describes all columns of the file, and is not kept for some of them",
               &key);
    w->opt.options->warn(w->opt.options->warn_ctx, &e);
}

/* Its keys that the caller has not set, in its order. "geo" and "ARROW:schema" name every column,
   and would be wrong for others. */
static bool taco__key_values_add_like(taco_pq_writer *w)
{
    const taco__pq_metadata *m = w->opt.like ? &w->opt.like->meta : NULL;
    uint32_t i;
    for (i = 0; m && i < m->pair_count; i++) {
        const taco__key_value *p = &m->pairs[i];
        bool geo = taco__bytes_equal(p->key, taco__bytes_text("geo"));
        if (taco__key_values_has_key(w, p->key) || (geo && w->opt.geometry_count)) { continue; }
        if (taco__key_values_is_about_columns(p->key)) {
            if (!geo && w->opt.arrow_schema == TACO_HINT_NEVER) { continue; }
            if (!w->all_alike) {
                taco__key_values_warn(w, p->key);
                continue;
            }
        }
        if (!taco__key_values_add(w, p->key, p->value)) { return false; }
    }
    return true;
}

TACO__FN bool taco__key_values_write(taco_pq_writer *w)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        const taco_pq_key *k = &w->opt.keys[i];
        if (!taco__key_values_add(w, taco__bytes_text(k->key), taco__bytes_text(k->value))) {
            return false;
        }
    }
    return taco__key_values_add_like(w) && taco__key_values_add_stream_keys(w) &&
           taco__key_values_add_arrow_schema(w);
}
/* ==== src/parquet_write/array_values.c ==== */
/* array_values.c - converts values of Arrow arrays to Parquet's physical types

   In: the array of a leaf and the positions of its values there, from levels.c. Out: the values
   appended to the leaf's input, as PLAIN has them (LogicalTypes.md): small integers widened to
   INT32, decimals as INT32, INT64 or big-endian bytes, seconds as milliseconds. Offsets and
   dictionary indices in the array's buffers are checked here, when a value is read.

   Start reading at taco__array_values_append. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* Converts a little-endian decimal of `width` bytes to n bytes, big-endian if `reverse` is set.
   False if it does not fit: dropped bytes must repeat the sign. */
static bool taco__array_values_copy_decimal(const uint8_t *src, size_t width, uint8_t *dst,
                                            size_t n, bool reverse)
{
    uint8_t fill = (uint8_t)(src[TACO__MIN(n, width) - 1] & 0x80 ? 0xFF : 0);
    size_t i;
    for (i = n; i < width; i++) {
        if (src[i] != fill) { return false; }
    }
    for (i = 0; i < n; i++) {
        dst[reverse ? n - 1 - i : i] = i < width ? src[i] : fill;
    }
    return true;
}

/* INT32 and INT64 are little-endian, FIXED_LEN_BYTE_ARRAY big-endian (LogicalTypes.md, DECIMAL). */
static bool taco__array_values_decimals(const taco__leaf_writer *l, const taco_array *a,
                                        const uint32_t *index, size_t n, uint8_t *dst,
                                        taco_error *err)
{
    size_t i, from = (size_t)a->field->width, to = l->input.values.width;
    bool reverse = l->schema.type == TACO__PQ_FIXED;
    for (i = 0; i < n; i++) {
        if (!taco__array_values_copy_decimal(a->v.u8 + index[i] * from, from, dst + i * to, to,
                                             reverse)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "a decimal has more digits than its precision, %d",
                       TACO__D(l->schema.field->precision));
            return false;
        }
    }
    return true;
}

/* Seconds become milliseconds, the coarsest unit that Parquet has. */
static bool taco__array_values_seconds(const taco_array *a, size_t width, const uint32_t *index,
                                       size_t n, uint8_t *dst, taco_error *err)
{
    const int64_t most = (width == 4 ? (int64_t)INT32_MAX : INT64_MAX) / 1000;
    size_t i;
    for (i = 0; i < n; i++) {
        int64_t x = width == 4 ? a->v.i32[index[i]] : a->v.i64[index[i]];
        if (x > most || x < -most) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%d seconds do not fit as milliseconds", x);
            return false;
        }
        if (width == 4) {
            taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)(x * 1000));
        } else {
            taco__put_le64(dst + 8 * i, (uint64_t)(x * 1000));
        }
    }
    return true;
}

/* One loop per type, for speed: the type is selected outside of it. */
#define TACO__ARRAY_VALUES_EACH(expr)                                                              \
    for (i = 0; i < n; i++) {                                                                      \
        expr;                                                                                      \
    }                                                                                              \
    return true

/* Values whose Arrow type has another width than the physical type; *done is false for others. */
static bool taco__array_values_converted(const taco__leaf_writer *l, const taco_array *a,
                                         const uint32_t *index, size_t n, uint8_t *dst, bool *done,
                                         taco_error *err)
{
    size_t i;
    *done = true;
    switch (a->field->type) {
    case TACO_BOOL: TACO__ARRAY_VALUES_EACH(dst[i] = taco__bitmap_get(a->v.u8, index[i]));
    case TACO_INT8:
        TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i8[index[i]]));
    case TACO_UINT8: TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, a->v.u8[index[i]]));
    case TACO_INT16:
        TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i16[index[i]]));
    case TACO_UINT16: TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, a->v.u16[index[i]]));
    case TACO_HALF:
        TACO__ARRAY_VALUES_EACH(dst[2 * i] = (uint8_t)a->v.u16[index[i]];
                                dst[2 * i + 1] = (uint8_t)(a->v.u16[index[i]] >> 8));
    case TACO_DECIMAL: return taco__array_values_decimals(l, a, index, n, dst, err);
    case TACO_TIME:
    case TACO_TIMESTAMP:
        if (a->field->unit == TACO_SECOND) {
            return taco__array_values_seconds(a, l->input.values.width, index, n, dst, err);
        }
        break;
    default: break;
    }
    *done = false;
    return true;
}

/* consecutive: as in taco__levels. The caller's numbers may be floating-point, and are copied. */
static bool taco__array_values_fixed(const taco__leaf_writer *l, const taco_array *a,
                                     const uint32_t *index, size_t n, bool consecutive,
                                     uint8_t *dst, taco_error *err)
{
    size_t i, width = l->input.values.width;
    bool done;
    if (!taco__array_values_converted(l, a, index, n, dst, &done, err)) { return false; }
    if (done) { return true; }
    if (consecutive && n && (l->schema.type == TACO__PQ_FIXED || !TACO__BIG_ENDIAN)) {
        memcpy(dst, a->v.u8 + (size_t)index[0] * width, n * width);
        return true;
    }
    if (l->schema.type == TACO__PQ_INT32 || l->schema.type == TACO__PQ_FLOAT) {
        TACO__ARRAY_VALUES_EACH(uint32_t x; memcpy(&x, a->v.u8 + (size_t)index[i] * 4, 4);
                                taco__put_le32(dst + 4 * i, x));
    }
    if (l->schema.type == TACO__PQ_INT64 || l->schema.type == TACO__PQ_DOUBLE) {
        TACO__ARRAY_VALUES_EACH(uint64_t x; memcpy(&x, a->v.u8 + (size_t)index[i] * 8, 8);
                                taco__put_le64(dst + 8 * i, x));
    }
    TACO__ARRAY_VALUES_EACH(memcpy(dst + i * width, a->v.u8 + index[i] * width, width));
}

#undef TACO__ARRAY_VALUES_EACH

/* Checks that the bytes of one value exist, and fit after what the page already holds. */
static bool taco__array_values_check_text(const taco__leaf_writer *l, int32_t from, int32_t to,
                                          taco_error *err)
{
    size_t len = (size_t)(to - from), before = l->input.values.bytes.len;
    if (from < 0 || to < from || len > INT32_MAX - before) {
        TACO__FAIL(err, to < from ? TACO_ERR_ARGUMENT : TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "text from byte %d to %d after %u bytes of its page, which ends at 2^31",
                   TACO__D(from), TACO__D(to), TACO__U(before));
        return false;
    }
    if (len == 0 && l->schema.order == TACO__STATS_DECIMALS) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a decimal of no bytes");
        return false;
    }
    return true;
}

/* Decimals of a fixed width into byte arrays: the fewest bytes that keep the sign, big-endian. */
static bool taco__array_values_short_decimals(taco__plain_values *v, const taco_array *a,
                                              const uint32_t *index, size_t n, uint32_t *offsets,
                                              taco_error *err)
{
    size_t width = (size_t)a->field->width, i, k, len;
    uint8_t text[32];
    for (i = 0; i < n; i++) {
        const uint8_t *p = a->v.u8 + index[i] * width;
        uint8_t fill = (uint8_t)(p[width - 1] & 0x80 ? 0xFF : 0);
        for (len = width; len > 1 && p[len - 1] == fill && !((p[len - 2] ^ fill) & 0x80); len--) {}
        for (k = 0; k < len; k++) {
            text[k] = p[len - 1 - k];
        }
        if (v->bytes.len > INT32_MAX - len) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "decimals of a page take more than 2^31 bytes");
            return false;
        }
        if (!taco__buf_append(&v->bytes, text, len, err)) { return false; }
        offsets[i + 1] = (uint32_t)v->bytes.len;
    }
    return true;
}

/* Whether n values are contiguous bytes in the array that fit after those present. */
static bool taco__array_values_is_stretch(const taco__leaf_writer *l, const taco_array *a,
                                          const uint32_t *index, size_t n)
{
    const int32_t *offsets = n ? a->offsets + index[0] : NULL;
    size_t i;
    bool one = n > 1 && l->schema.order != TACO__STATS_DECIMALS;
    for (i = 1; one && i < n && index[i] == index[0] + i; i++) {}
    if (!one || i < n) { return false; }
    for (i = 0; i < n; i++) {
        one = one & (offsets[i] <= offsets[i + 1]);
    }
    return one && offsets[0] >= 0 &&
           (size_t)(offsets[n] - offsets[0]) <= INT32_MAX - l->input.values.bytes.len;
}

/* Appends such contiguous values; `offsets`, with room, is where the first value's offset goes. */
static bool taco__array_values_copy_stretch(taco__plain_values *v, const taco_array *a,
                                            uint32_t from, size_t n, uint32_t *offsets,
                                            taco_error *err)
{
    const int32_t *source = a->offsets + from;
    const uint32_t shift = (uint32_t)v->bytes.len - (uint32_t)source[0];
    size_t i;
    for (i = 1; i <= n; i++) {
        offsets[i] = (uint32_t)source[i] + shift;
    }
    return taco__buf_append(&v->bytes, a->v.u8 + source[0], (size_t)(source[n] - source[0]), err);
}

/* Appends values one by one; `offsets` as above. */
static bool taco__array_values_copy_each(taco__leaf_writer *l, const taco_array *a,
                                         const uint32_t *index, size_t n, uint32_t *offsets,
                                         taco_error *err)
{
    taco__plain_values *v = &l->input.values;
    size_t i;
    for (i = 0; i < n; i++) {
        int32_t from = a->offsets[index[i]], to = a->offsets[index[i] + 1];
        if (!taco__array_values_check_text(l, from, to, err) ||
            !taco__buf_append(&v->bytes, a->v.u8 + from, (size_t)(to - from), err)) {
            return false;
        }
        offsets[i + 1] = (uint32_t)v->bytes.len;
    }
    return true;
}

static bool taco__array_values_text(taco__leaf_writer *l, const taco_array *a,
                                    const uint32_t *index, size_t n, taco_error *err)
{
    taco__plain_values *v = &l->input.values;
    uint32_t *offsets;
    size_t bytes;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reserve(&v->offsets, bytes, err) || !taco__buf_reserve(&v->bytes, 0, err)) {
        return false;
    }
    offsets = taco__plain_values_offsets(v) + v->count;
    offsets[0] = (uint32_t)v->bytes.len;
    if (!(!taco__array_is_var_length(a->field)
              ? taco__array_values_short_decimals(v, a, index, n, offsets, err)
          : taco__array_values_is_stretch(l, a, index, n)
              ? taco__array_values_copy_stretch(v, a, index[0], n, offsets, err)
              : taco__array_values_copy_each(l, a, index, n, offsets, err))) {
        return false;
    }
    v->offsets.len = (v->count + n) * sizeof *offsets;
    return true;
}

/* Converts positions in a dictionary array to positions among its values. */
static bool taco__array_values_look_up(const taco_array *a, uint32_t *index, size_t n,
                                       taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        index[i] = (uint32_t)a->v.i32[index[i]];
        if (index[i] >= a->dictionary->length) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "dictionary index %u, the dictionary has %u entries", TACO__U(index[i]),
                       TACO__U(a->dictionary->length));
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__array_values_append(taco__leaf_writer *l, taco__levels *found, size_t at,
                                        size_t n, taco_error *err)
{
    taco__plain_values *v = &l->input.values;
    const taco_array *a = found->leaf;
    uint32_t *index = taco__levels_indices(&found->index) + at;
    bool consecutive = found->consecutive && !a->dictionary;
    size_t bytes;
    if (a->dictionary) {
        if (!taco__array_values_look_up(a, index, n, err)) { return false; }
        a = a->dictionary;
    }
    if (v->width == 0) {
        if (!taco__array_values_text(l, a, index, n, err)) { return false; }
    } else {
        if (!taco__checked_mul_size(n, v->width, &bytes) ||
            !taco__buf_reserve(&v->bytes, bytes, err) ||
            !taco__array_values_fixed(l, a, index, n, consecutive,
                                      v->bytes.data + v->count * v->width, err)) {
            return false;
        }
        v->bytes.len = (v->count + n) * v->width;
    }
    v->count += n;
    return true;
}
/* ==== src/parquet_write/value_bounds.c ==== */
/* value_bounds.c - min and max of pages and chunks, truncated to a limited size; Statistics

   In: the values of a page, in the order of their type (parquet.thrift, ColumnOrder). Out: bounds
   in the page's record, for the ColumnIndex, and the chunk's own min and max, for its Statistics.
   Chunks keep whole values, so that they can be compared; bounds are truncated when they are
   written: text and binary to 64 bytes, with the max then raised above everything with that prefix.
   NaN is counted and is never a bound; a zero is written as -0 in a min and +0 in a max.

   Start reading at taco__value_bounds_add_page; taco__value_bounds_append makes one bound. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* ---- extremes ---- */

/* Indexes of the least and the greatest of a page's values. */
typedef struct taco__value_extremes {
    size_t min, max;
    int64_t nans;
} taco__value_extremes;

/* The first eight bytes of a value as a number that sorts as they do; shorter values are padded
   with zeros. */
TACO__INLINE uint64_t taco__value_bounds_head(taco_bytes v)
{
    uint64_t x = 0;
    size_t i;
    if (v.len >= 8) { return taco__load_be64(v.data); }
    for (i = 0; i < v.len; i++) {
        x |= (uint64_t)v.data[i] << (56 - 8 * i);
    }
    return x;
}

/* The same for what comes after eight bytes; v must have more. */
TACO__INLINE uint64_t taco__value_bounds_next(taco_bytes v)
{
    return v.len >= 16 ? taco__load_be64(v.data + 8)
                       : taco__load_be64(v.data + v.len - 8) << 8 * (16 - v.len);
}

/* Compares values with the same head; values not in byte order have no head. */
TACO__INLINE int taco__value_bounds_compare(taco__stats_order order, taco_bytes a, taco_bytes b)
{
    if (order == TACO__STATS_BYTES && a.len > 8 && b.len > 8) {
        uint64_t x = taco__value_bounds_next(a), y = taco__value_bounds_next(b);
        if (x != y) { return x < y ? -1 : 1; }
        if (a.len == b.len && a.len <= 16) { return 0; }
    }
    return taco__stats_compare(order, a, b);
}

/* For bytes, and decimals stored as bytes. Usually the heads of bytes decide; decimals have none.
   The max is compared first, because ids often ascend. */
static bool taco__value_bounds_byte_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                             taco__value_extremes *x)
{
    const taco__plain_values *v = &l->input.values;
    const taco__stats_order order = l->schema.order;
    const bool heads = order == TACO__STATS_BYTES;
    uint64_t low = 0, high = 0;
    size_t i;
    x->min = x->max = at;
    if (n && heads) { low = high = taco__value_bounds_head(taco__plain_values_at(v, at)); }
    for (i = at + 1; i < at + n; i++) {
        taco_bytes value = taco__plain_values_at(v, i);
        uint64_t head = heads ? taco__value_bounds_head(value) : 0;
        if (head > high ||
            (head == high &&
             taco__value_bounds_compare(order, value, taco__plain_values_at(v, x->max)) > 0)) {
            high = head;
            x->max = i;
        } else if (head < low ||
                   (head == low && taco__value_bounds_compare(
                                       order, value, taco__plain_values_at(v, x->min)) < 0)) {
            low = head;
            x->min = i;
        }
    }
    return n > 0;
}

/* Values that are compared with the extremes so far at a time. */
#define TACO__VALUE_BOUNDS_BLOCK 16

/* A number that sorts as value i does; false for NaN. Width and order are constants after
   inlining. */
TACO__INLINE bool taco__value_bounds_rank(const uint8_t *values, size_t width,
                                          taco__stats_order order, size_t i, int64_t *out)
{
    const taco_bytes value = taco__bytes_of(values + i * width, width);
    if (order == TACO__STATS_FLOATS) { return taco__stats_float_order(value, out); }
    *out = taco__stats_integer(value);
    /* Sign extension keeps the order of unsigned numbers too. */
    if (order == TACO__STATS_UNSIGNED) { *out ^= INT64_MIN; }
    return true;
}

/* Whether the ranks of a block of values are all within [low, high], and none is NaN. There is no
   branch for each value; most blocks of most columns have no new extreme. */
TACO__INLINE bool taco__value_bounds_is_within(const uint8_t *values, size_t width,
                                               taco__stats_order order, size_t at, int64_t low,
                                               int64_t high)
{
    const uint64_t range = (uint64_t)high - (uint64_t)low;
    unsigned out = 0;
    size_t i;
    for (i = at; i < at + TACO__VALUE_BOUNDS_BLOCK; i++) {
        int64_t rank = low;
        out |= !taco__value_bounds_rank(values, width, order, i, &rank);
        out |= (uint64_t)rank - (uint64_t)low > range;
    }
    return !out;
}

TACO__INLINE bool taco__value_bounds_ranks(const uint8_t *values, size_t width,
                                           taco__stats_order order, size_t at, size_t n,
                                           taco__value_extremes *x)
{
    size_t i;
    /* quiet: the last block had no new extreme; in ascending values each has one */
    bool any = false, quiet = false;
    int64_t low = 0, high = 0, rank;
    for (i = at; i < at + n; i++) {
        if ((i - at) % TACO__VALUE_BOUNDS_BLOCK == 0) {
            while (quiet && at + n - i > TACO__VALUE_BOUNDS_BLOCK &&
                   taco__value_bounds_is_within(values, width, order, i, low, high)) {
                i += TACO__VALUE_BOUNDS_BLOCK;
            }
            quiet = any;
        }
        if (!taco__value_bounds_rank(values, width, order, i, &rank)) {
            x->nans++;
        } else if (!any) {
            any = true;
            low = high = rank;
            x->min = x->max = i;
        } else if (rank < low) {
            low = rank;
            x->min = i;
            quiet = false;
        } else if (rank > high) {
            high = rank;
            x->max = i;
            quiet = false;
        }
    }
    return any;
}

/* One loop for each common type, for speed. */
static bool taco__value_bounds_number_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                               taco__value_extremes *x)
{
    const uint8_t *v = l->input.values.bytes.data;
    const taco__stats_order order = l->schema.order;
    const size_t width = l->input.values.width;
    return order == TACO__STATS_FLOATS && width == 8
               ? taco__value_bounds_ranks(v, 8, TACO__STATS_FLOATS, at, n, x)
           : order == TACO__STATS_FLOATS && width == 4
               ? taco__value_bounds_ranks(v, 4, TACO__STATS_FLOATS, at, n, x)
           : order == TACO__STATS_SIGNED && width == 8
               ? taco__value_bounds_ranks(v, 8, TACO__STATS_SIGNED, at, n, x)
           : order == TACO__STATS_SIGNED && width == 4
               ? taco__value_bounds_ranks(v, 4, TACO__STATS_SIGNED, at, n, x)
               : taco__value_bounds_ranks(v, width, order, at, n, x);
}

/* False if no value has an order. */
static bool taco__value_bounds_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                        taco__value_extremes *x)
{
    memset(x, 0, sizeof *x);
    switch (l->schema.order) {
    case TACO__STATS_UNORDERED: return false;
    case TACO__STATS_BYTES:
    case TACO__STATS_DECIMALS: return taco__value_bounds_byte_extremes(l, at, n, x);
    default: return taco__value_bounds_number_extremes(l, at, n, x);
    }
}

/* ---- one bound ---- */

/* Where to truncate: text before a character, so that the rest is valid text. */
static size_t taco__value_bounds_cut_length(taco_bytes b, bool text)
{
    size_t n = TACO__PQ_BOUND_BYTES, k;
    for (k = n; text && k > n - 4; k--) {
        if ((b.data[k] & 0xC0) != 0x80) { return k; }
    }
    return n;
}

/* Whether a byte can be raised by one: in text, an ASCII character below 0x7F or the last byte of a
   longer character, which must stay at most 0xBF. */
static bool taco__value_bounds_can_raise(uint8_t c, bool text)
{
    return text ? c < 0x7F || (c >= 0x80 && c < 0xBF) : c != 0xFF;
}

/* Makes the n bytes at p the least text above everything that begins with them: the last character
   that can be raised is, and those after it are dropped. Returns the new length, 0 if there is no
   such text. "az\x7F" becomes "a{". Bytes that are not UTF-8 are raised as bytes. */
static size_t taco__value_bounds_raise_prefix(uint8_t *p, size_t n, bool text)
{
    for (; n; n--) {
        if (taco__value_bounds_can_raise(p[n - 1], text)) {
            p[n - 1]++;
            return n;
        }
        for (; text && n > 1 && (p[n - 1] & 0xC0) == 0x80; n--) {} /* to the first byte of it */
    }
    return 0;
}

/* A bound as it is appended to a buffer. */
typedef struct taco__value_bound {
    size_t at, len; /* len SIZE_MAX: none of acceptable size */
    bool exact;     /* the value itself, not truncated */
} taco__value_bound;

/* Appends the whole value. */
static bool taco__value_bounds_append_exact(taco_bytes v, taco__buf *out, taco__value_bound *b,
                                            taco_error *err)
{
    b->exact = true;
    b->len = v.len > TACO__PQ_BOUND_MAX ? SIZE_MAX : v.len;
    return v.len > TACO__PQ_BOUND_MAX || taco__buf_append(out, v.data, v.len, err);
}

/* Appends the value truncated to 64 bytes, raised for a max; whole if no text is above the
   truncated one. */
static bool taco__value_bounds_append_cut(const taco__leaf_writer *l, taco_bytes v, bool max,
                                          taco__buf *out, taco__value_bound *b, taco_error *err)
{
    bool text = l->schema.field->type == TACO_TEXT && taco__utf8_valid(v);
    size_t n = taco__value_bounds_cut_length(v, text);
    if (!taco__buf_append(out, v.data, n, err)) { return false; }
    n = max ? taco__value_bounds_raise_prefix(out->data + b->at, n, text) : n;
    out->len = b->at + n;
    if (n == 0) { return taco__value_bounds_append_exact(v, out, b, err); }
    b->exact = false;
    b->len = n;
    return true;
}

/* Zeros of either sign are equal, so a min of +0 must include -0 and vice versa (parquet.thrift,
   ColumnOrder). HALF, FLOAT and DOUBLE have the sign in their last byte. */
static void taco__value_bounds_sign_zero(uint8_t *p, size_t n, bool max)
{
    int64_t order = 1;
    if (taco__stats_float_order(taco__bytes_of(p, n), &order) && order == 0) {
        p[n - 1] = (uint8_t)(max ? 0 : 0x80);
    }
}

/* Appends a value as a bound, if it can be one. */
static bool taco__value_bounds_append(const taco__leaf_writer *l, taco_bytes v, bool max,
                                      taco__buf *out, taco__value_bound *b, taco_error *err)
{
    bool cut = v.len > TACO__PQ_BOUND_BYTES && l->schema.type == TACO__PQ_BYTE_ARRAY &&
               l->schema.order == TACO__STATS_BYTES;
    b->at = out->len;
    if (cut) { return taco__value_bounds_append_cut(l, v, max, out, b, err); }
    if (!taco__value_bounds_append_exact(v, out, b, err)) { return false; }
    if (l->schema.order == TACO__STATS_FLOATS) {
        taco__value_bounds_sign_zero(out->data + b->at, b->len, max);
    }
    return true;
}

/* ---- pages and chunks ---- */

/* Makes a value the chunk's min or max if it is beyond the current one: sign is -1 for the min. */
static bool taco__value_bounds_extend(const taco__leaf_writer *l, taco__buf *extreme, taco_bytes v,
                                      int sign, taco_error *err)
{
    int order = l->stats.bounded ? taco__stats_compare(l->schema.order, v,
                                                       taco__bytes_of(extreme->data, extreme->len))
                                 : sign;
    if (sign < 0 ? order >= 0 : order <= 0) { return true; }
    extreme->len = 0;
    return taco__buf_append(extreme, v.data, v.len, err);
}

/* Records the bounds of one page, and extends the chunk's. */
static bool taco__value_bounds_add_extremes(taco__leaf_writer *l, taco_bytes low, taco_bytes high,
                                            taco__page_record *p, taco_error *err)
{
    taco__value_bound min, max;
    if (!taco__value_bounds_append(l, low, false, &l->pages.bounds, &min, err) ||
        !taco__value_bounds_append(l, high, true, &l->pages.bounds, &max, err)) {
        return false;
    }
    p->min_at = min.at;
    p->min_len = min.len;
    p->max_at = max.at;
    p->max_len = max.len;
    p->bounded = min.len != SIZE_MAX && max.len != SIZE_MAX;
    if (!taco__value_bounds_extend(l, &l->stats.min, low, -1, err) ||
        !taco__value_bounds_extend(l, &l->stats.max, high, 1, err)) {
        return false;
    }
    l->stats.bounded = true;
    return true;
}

TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err)
{
    taco__value_extremes x;
    p->bounded = false;
    if (!l->settings.stats) { return true; }
    if (taco__value_bounds_extremes(l, at, n, &x) &&
        !taco__value_bounds_add_extremes(l, taco__plain_values_at(&l->input.values, x.min),
                                         taco__plain_values_at(&l->input.values, x.max), p, err)) {
        return false;
    }
    p->nans = x.nans;
    l->stats.nans += x.nans;
    l->stats.unbounded_page = l->stats.unbounded_page || (n && !p->bounded);
    return true;
}

/* Whether the dictionary's size is the number of distinct values: it has all of them, and no two
   with different bits are equal (floats, decimals with leading bytes) or without order. */
static bool taco__value_bounds_counts_distinct(const taco__leaf_writer *l)
{
    return l->mode == TACO__DICTIONARY_USED && l->pages.without_dictionary == 0 &&
           l->schema.order != TACO__STATS_FLOATS && l->schema.order != TACO__STATS_UNORDERED &&
           !(l->schema.order == TACO__STATS_DECIMALS && l->input.values.width == 0);
}

TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, const taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id)
{
    taco__buf *out = &w->scratch.trial;
    taco__value_bound min = {0, SIZE_MAX, true}, max = {0, SIZE_MAX, true};
    out->len = 0;
    if (l->stats.bounded &&
        (!taco__value_bounds_append(l, taco__bytes_of(l->stats.min.data, l->stats.min.len), false,
                                    out, &min, &w->err) ||
         !taco__value_bounds_append(l, taco__bytes_of(l->stats.max.data, l->stats.max.len), true,
                                    out, &max, &w->err))) {
        return false;
    }
    taco__thrift_write_begin(t, id);
    taco__thrift_write_i64(t, 3, l->stats.nulls);
    if (taco__value_bounds_counts_distinct(l)) {
        taco__thrift_write_i64(t, 4, (int64_t)l->dict.values.count);
    }
    if (max.len != SIZE_MAX) {
        taco__thrift_write_binary(t, 5, taco__bytes_of(out->data + max.at, max.len));
    }
    if (min.len != SIZE_MAX) {
        taco__thrift_write_binary(t, 6, taco__bytes_of(out->data + min.at, min.len));
    }
    if (max.len != SIZE_MAX) { taco__thrift_write_bool(t, 7, max.exact); }
    if (min.len != SIZE_MAX) { taco__thrift_write_bool(t, 8, min.exact); }
    if (l->schema.order == TACO__STATS_FLOATS) { taco__thrift_write_i64(t, 9, l->stats.nans); }
    return taco__thrift_write_end(t);
}
/* ==== src/parquet_write/dictionary_builder.c ==== */
/* dictionary_builder.c - the dictionary of a column chunk: distinct values, and indices to them

   In: the values of a page; out: their positions in the dictionary, to which new ones are added, as
   long as it stays below opt.dictionary_bytes. At the end of the chunk the values are the body of
   the dictionary page, which is PLAIN (Encodings.md, PLAIN_DICTIONARY and RLE_DICTIONARY).

   The hash table is not base/hash_map.c: its keys are the values themselves, mostly of 4 or 8
   bytes, and a slot takes 4 bytes. Values may be chosen to have the same place: a dictionary in
   which one would be further from it than TACO__DICT_BUILDER_PROBES slots is given up, as one that
   is too large. With half of the slots empty, the longest run of used ones is about 5.2 ln n. Every
   value of a chunk passes through taco__dict_builder_add_values: start there. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

#define TACO__DICT_BUILDER_SLOTS  2048 /* of the first table */
#define TACO__DICT_BUILDER_PROBES ((size_t)256)
/* Up to that many slots, which fit in a core's own cache, three quarters are empty, so that most
   values are found in the first slot and branches are predicted. Larger tables are half empty. */
#define TACO__DICT_BUILDER_SPARSE 32768

/* Numbers are mixed by a multiplication with 2^64 / golden ratio; only long text justifies a real
   hash. */
TACO__INLINE uint64_t taco__dict_builder_hash(taco_bytes v)
{
    uint64_t x;
    if (v.len == 8 || v.len == 4) {
        x = v.len == 8 ? taco__load_le64(v.data) : taco__load_le32(v.data);
    } else if (v.len > 8 && v.len <= 16) {
        x = taco__load_le64(v.data) ^
            taco__load_le64(v.data + v.len - 8) * UINT64_C(0xC2B2AE3D27D4EB4F);
    } else {
        return taco__xxh64_hash(0, v.data, v.len);
    }
    x = (x ^ (x >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    return x ^ (x >> 29);
}

/* Makes the first table, or one twice as large, and enters all values again; *fits false if one
   would be too far from its place. */
static bool taco__dict_builder_grow(taco__dict_builder *d, bool *fits, taco_error *err)
{
    size_t n = d->slot_count ? d->slot_count * 2 : TACO__DICT_BUILDER_SLOTS, i, bytes;
    uint32_t *slots;
    if (!taco__checked_mul_size(n, sizeof *slots, &bytes) ||
        !taco__buf_reset(&d->slots, bytes, err)) {
        return false;
    }
    slots = (uint32_t *)(void *)d->slots.data;
    memset(slots, 0, bytes);
    d->slot_count = n;
    for (i = 0; i < d->values.count; i++) {
        uint64_t h = taco__dict_builder_hash(taco__plain_values_at(&d->values, i));
        size_t at = (size_t)h & (n - 1), left = TACO__DICT_BUILDER_PROBES;
        while (slots[at] && --left) {
            at = (at + 1) & (n - 1);
        }
        *fits = left > 0;
        if (!*fits) { return true; }
        slots[at] = (uint32_t)(i + 1);
    }
    return true;
}

/* Value i; `width` is that of the values where the caller knows it, or 0. */
TACO__INLINE taco_bytes taco__dict_builder_value(const taco__plain_values *v, size_t width,
                                                 size_t i)
{
    return width ? taco__bytes_of(v->bytes.data + i * width, width) : taco__plain_values_at(v, i);
}

/* Names and codes have some ten bytes, for which a call of memcmp would take longer than everything
   else. */
TACO__INLINE bool taco__dict_builder_equal(taco_bytes a, taco_bytes b, size_t width)
{
    if (width == 8) { return taco__load_le64(a.data) == taco__load_le64(b.data); }
    if (width == 4) { return taco__load_le32(a.data) == taco__load_le32(b.data); }
    if (a.len == b.len && a.len >= 8 && a.len <= 16) {
        return taco__load_le64(a.data) == taco__load_le64(b.data) &&
               taco__load_le64(a.data + a.len - 8) == taco__load_le64(b.data + b.len - 8);
    }
    return taco__bytes_equal(a, b);
}

/* Whether the table has no slot for one more value. */
TACO__INLINE bool taco__dict_builder_is_full(const taco__dict_builder *d)
{
    return (d->values.count + 1) * (d->slot_count <= TACO__DICT_BUILDER_SPARSE ? 4 : 2) >
           d->slot_count;
}

/* The slot of a value: it refers to the value, or is empty. At least half of the table is empty. */
TACO__INLINE uint32_t *taco__dict_builder_find(const taco__dict_builder *d, taco_bytes v,
                                               size_t width)
{
    uint32_t *slots = (uint32_t *)(void *)d->slots.data;
    size_t mask = d->slot_count - 1, k = (size_t)taco__dict_builder_hash(v) & mask;
    while (slots[k] && !taco__dict_builder_equal(
                           taco__dict_builder_value(&d->values, width, slots[k] - 1), v, width)) {
        k = (k + 1) & mask;
    }
    return &slots[k];
}

/* Whether the dictionary page, uncompressed, takes at most that many bytes with one more value. */
static bool taco__dict_builder_has_room(const taco__dict_builder *d, taco_bytes v,
                                        size_t most_bytes)
{
    size_t lengths = d->values.width ? 0 : 4 * (d->values.count + 1);
    return d->values.bytes.len + v.len + lengths <= most_bytes;
}

/* Whether an empty slot is close enough to the first one of the search for a value. */
static bool taco__dict_builder_is_near(const taco__dict_builder *d, taco_bytes v,
                                       const uint32_t *slot)
{
    size_t at = (size_t)(slot - (const uint32_t *)(const void *)d->slots.data);
    return ((at - (size_t)taco__dict_builder_hash(v)) & (d->slot_count - 1)) <
           TACO__DICT_BUILDER_PROBES;
}

/* Adds a value that the dictionary does not have, whose slot is given, to a table that may have to
   grow for it. False if there is no memory; *fits false, with no value added, if the page would be
   too large or the slot is too far away. */
static bool taco__dict_builder_enter(taco__dict_builder *d, taco_bytes value, uint32_t *slot,
                                     size_t most_bytes, bool *fits, taco_error *err)
{
    *fits = taco__dict_builder_has_room(d, value, most_bytes);
    if (!*fits) { return true; }
    if (taco__dict_builder_is_full(d)) {
        if (!taco__dict_builder_grow(d, fits, err)) { return false; }
        if (!*fits) { return true; }
        slot = taco__dict_builder_find(d, value, 0);
    }
    *fits = taco__dict_builder_is_near(d, value, slot);
    if (!*fits) { return true; }
    if (!taco__plain_values_append(&d->values, value, err)) { return false; }
    *slot = (uint32_t)d->values.count;
    return true;
}

/* Writes the positions of values [at, at + n) to out; compiled for each common width. */
TACO__INLINE bool taco__dict_builder_add(taco__dict_builder *d, const taco__plain_values *v,
                                         size_t width, size_t at, size_t n, size_t most_bytes,
                                         bool *fits, taco_error *err)
{
    uint32_t *out = (uint32_t *)(void *)d->indices.data;
    size_t i;
    if (d->slot_count == 0 && !taco__dict_builder_grow(d, fits, err)) { return false; }
    for (i = 0; i < n; i++) {
        taco_bytes value = taco__dict_builder_value(v, width, at + i);
        uint32_t *slot;
        if (i && taco__dict_builder_equal(taco__dict_builder_value(v, width, at + i - 1), value,
                                          width)) {
            out[i] = out[i - 1]; /* in a run nothing is looked up */
            continue;
        }
        slot = taco__dict_builder_find(d, value, width);
        if (TACO__UNLIKELY(!*slot)) {
            if (!taco__dict_builder_enter(d, value, slot, most_bytes, fits, err)) { return false; }
            if (!*fits) { return true; }
            out[i] = (uint32_t)(d->values.count - 1);
            continue;
        }
        out[i] = *slot - 1;
    }
    return true;
}

TACO__FN bool taco__dict_builder_add_values(taco__dict_builder *d, const taco__plain_values *v,
                                            size_t at, size_t n, size_t most_bytes, bool *fits,
                                            taco_error *err)
{
    size_t before = d->values.count, size;
    bool ok;
    *fits = true;
    if (!taco__checked_mul_size(n, sizeof(uint32_t), &size) ||
        !taco__buf_reset(&d->indices, size, err)) {
        return false;
    }
    ok = v->width == 8   ? taco__dict_builder_add(d, v, 8, at, n, most_bytes, fits, err)
         : v->width == 4 ? taco__dict_builder_add(d, v, 4, at, n, most_bytes, fits, err)
                         : taco__dict_builder_add(d, v, 0, at, n, most_bytes, fits, err);
    if (ok && !*fits) { taco__plain_values_truncate(&d->values, before); }
    return ok;
}

TACO__FN void taco__dict_builder_clear(taco__dict_builder *d)
{
    taco__plain_values_truncate(&d->values, 0);
    d->slot_count = 0;
}

TACO__FN bool taco__dict_builder_append_plain(const taco__dict_builder *d, taco__buf *out,
                                              taco_error *err)
{
    const taco__plain_values *v = &d->values;
    return v->width ? taco__buf_append(out, v->bytes.data, v->bytes.len, err)
                    : taco__encode_byte_arrays(out, v->bytes.data, taco__plain_values_offsets(v),
                                               v->count, err);
}
/* ==== src/parquet_write/encoding_choice.c ==== */
/* encoding_choice.c - which encoding makes a column chunk smallest, found by trying

   In: the values of the chunk's first page that has some; out: l->mode, with a dictionary or not,
   and l->direct, the encoding of pages without one. An encoding that the caller requested is used
   as it is; for AUTO the candidates of the type are encoded and compressed, and the smallest wins,
   or the first of equal ones. Every chunk decides separately; a dictionary that exceeds its limit
   later is abandoned from that page on (page_writer.c).

   A dictionary is stored once per chunk: if it is larger than what it saves in the first page, but
   hardly grows any more, further pages are collected and included in the decision
   (taco__dictionary_trial).

   Start reading at taco__encoding_choice_choose. The encodings are in encode.c. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* PLAIN of each physical type (Encodings.md). */
static bool taco__encoding_choice_encode_plain(const taco__leaf_writer *l, const uint8_t *v,
                                               const uint32_t *offsets, size_t n, taco__buf *out,
                                               taco_error *err)
{
    const taco__plain_values *from = &l->input.values;
    return l->schema.type == TACO__PQ_BOOLEAN ? taco__encode_bools(out, v, n, err)
           : from->width                      ? taco__buf_append(out, v, n * from->width, err)
                         : taco__encode_byte_arrays(out, from->bytes.data, offsets, n, err);
}

TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, const taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out)
{
    const taco__plain_values *from = &l->input.values;
    const uint8_t *all = from->bytes.data, *v = n ? all + at * from->width : NULL;
    const uint32_t *offsets = from->width || !n ? NULL : taco__plain_values_offsets(from) + at;
    size_t bytes;
    if (!taco__checked_mul_size(n, 4, &bytes) ||
        !taco__buf_reset(&w->scratch.lengths, bytes, &w->err)) {
        return false;
    }
    switch (encoding) {
    case TACO__PQ_ENC_RLE: return taco__encode_bools_rle(out, v, n, &w->err);
    case TACO__PQ_ENC_DELTA_BINARY_PACKED:
        return taco__encode_delta(out, v, from->width, n, &w->err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        return taco__encode_delta_length(out, all, offsets, n, w->scratch.lengths.data, &w->err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        return taco__encode_delta_strings(out, from->width ? v : all, offsets, from->width, n,
                                          w->scratch.lengths.data, &w->err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        return taco__encode_byte_stream_split(out, v, from->width, n, &w->err);
    default: return taco__encoding_choice_encode_plain(l, v, offsets, n, out, &w->err);
    }
}

/* Computes the size of scratch.trial in the file, into *size. */
static bool taco__encoding_choice_measure(taco_pq_writer *w, const taco__leaf_writer *l,
                                          size_t *size)
{
    const taco__buf *trial = &w->scratch.trial;
    *size = trial->len;
    if (l->settings.codec == TACO__PQ_CODEC_NONE) { return true; }
    w->scratch.packed.len = 0;
    if (!taco__compress_append(w, &l->settings, taco__bytes_of(trial->data, trial->len),
                               &w->scratch.packed)) {
        return false;
    }
    *size = w->scratch.packed.len;
    return true;
}

/* The encodings without dictionary that are worth trying for a leaf, -1 after the last. For FIXED,
   encodings other than PLAIN are only used if the caller requests them. */
static const int8_t *taco__encoding_choice_candidates(const taco__leaf_writer *l)
{
    static const int8_t boolean[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_RLE, -1};
    static const int8_t whole[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_BINARY_PACKED, -1};
    static const int8_t real[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_BYTE_STREAM_SPLIT, -1};
    static const int8_t bytes[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY,
                                   TACO__PQ_ENC_DELTA_BYTE_ARRAY, -1};
    static const int8_t plain[] = {TACO__PQ_ENC_PLAIN, -1};
    if (l->settings.arrow_dictionary) { return plain; }
    switch (l->schema.type) {
    case TACO__PQ_BOOLEAN: return boolean;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: return whole;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: return real;
    case TACO__PQ_BYTE_ARRAY: return bytes;
    default: return plain;
    }
}

/* The size of values [at, at + n) in an encoding, into *size. */
static bool taco__encoding_choice_try_direct(taco_pq_writer *w, const taco__leaf_writer *l,
                                             int32_t encoding, size_t at, size_t n, size_t *size)
{
    w->scratch.trial.len = 0;
    return taco__encoding_choice_encode(w, l, encoding, at, n, &w->scratch.trial) &&
           taco__encoding_choice_measure(w, l, size);
}

/* Measures the dictionary and the indices of its n values. */
static bool taco__encoding_choice_try_dictionary(taco_pq_writer *w, taco__leaf_writer *l, size_t n)
{
    taco__buf *trial = &w->scratch.trial;
    taco__dictionary_trial *t = &l->trial;
    trial->len = 0;
    if (!taco__dict_builder_append_plain(&l->dict, trial, &w->err)) { return false; }
    t->plain = trial->len;
    if (!taco__encoding_choice_measure(w, l, &t->dictionary)) { return false; }
    trial->len = 0;
    return taco__encode_indices(trial, taco__dict_builder_indices(&l->dict), n,
                                l->dict.values.count, &w->err) &&
           taco__encoding_choice_measure(w, l, &t->indices);
}

/* Whether the caller left the encoding of pages without dictionary open. */
static bool taco__encoding_choice_is_open(const taco__leaf_writer *l)
{
    return l->settings.encoding == TACO_ENCODING_AUTO ||
           l->settings.encoding == TACO_ENCODING_DICTIONARY;
}

TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n)
{
    const int8_t *c = taco__encoding_choice_candidates(l);
    size_t size, best = SIZE_MAX;
    if (!taco__encoding_choice_is_open(l)) {
        l->direct = taco__write_options_encoding(&l->schema, l->settings.encoding);
        return true;
    }
    n = TACO__MIN(n, (size_t)TACO__PQ_TRIAL_VALUES);
    for (; *c >= 0; c++) {
        if (!taco__encoding_choice_try_direct(w, l, *c, at, n, &size)) { return false; }
        if (size < best) {
            best = size;
            l->direct = *c;
        }
    }
    return true;
}

/* Bits of an index into the current dictionary. */
static unsigned taco__encoding_choice_index_width(const taco__leaf_writer *l)
{
    return 64 - taco__plat_clz64((uint64_t)(l->dict.values.count - 1) | 1);
}

/* Sets the sums of the trial for n values, extrapolating from the first page. */
static void taco__encoding_choice_add_up(taco__leaf_writer *l, size_t n)
{
    taco__dictionary_trial *t = &l->trial;
    const taco__plain_values *v = &l->dict.values;
    uint64_t plain = v->bytes.len + (v->width ? 0 : 4 * (uint64_t)v->count);
    uint64_t indices = (uint64_t)t->indices * taco__encoding_choice_index_width(l) / t->width;
    t->direct_sum = (uint64_t)t->direct * n / t->values;
    t->dictionary_sum =
        plain * t->dictionary / TACO__MAX(t->plain, (size_t)1) + indices * n / t->values;
}

/* Adds values [at, at + n) to the dictionary; *fits is false if they make it too large, or the
   first of them are all distinct, so that a dictionary would save nothing. *early: its size after
   those first ones. */
static bool taco__encoding_choice_add_first(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, size_t *early, bool *fits)
{
    const size_t most = w->opt.dictionary_bytes, few = TACO__PQ_TRIAL_VALUES;
    *early = 0;
    if (l->settings.encoding == TACO_ENCODING_AUTO && n > few) {
        if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at, few, most, fits,
                                           &w->err)) {
            return false;
        }
        *early = l->dict.values.count;
        *fits = *fits && *early < few;
        if (!*fits) { return true; }
    }
    return taco__dict_builder_add_values(&l->dict, &l->input.values, at, n, most, fits, &w->err);
}

/* Whether the values after the first few take less space with a dictionary than without, counting
   half of what they add to it: then it may pay over many more pages, as a dictionary usually grows
   more and more slowly. */
static bool taco__encoding_choice_saturates(const taco__leaf_writer *l, size_t early)
{
    const taco__dictionary_trial *t = &l->trial;
    uint64_t count = l->dict.values.count, rest;
    if (t->values <= TACO__PQ_TRIAL_VALUES || t->indices >= t->direct) { return false; }
    rest = (uint64_t)(t->direct - t->indices) * (t->values - TACO__PQ_TRIAL_VALUES) / t->values;
    return t->dictionary * (count - early) / count / 2 < rest;
}

/* Decides from the first page that has values. */
static bool taco__encoding_choice_first_page(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                             size_t n, bool all)
{
    size_t early;
    taco__dictionary_trial *t = &l->trial;
    taco__dict_builder_clear(&l->dict);
    if (!taco__encoding_choice_add_first(w, l, at, n, &early, &l->indexed)) { return false; }
    if (!l->indexed) { return true; }
    if (l->settings.encoding != TACO_ENCODING_AUTO) {
        l->mode = TACO__DICTIONARY_USED;
        return true;
    }
    /* if no value occurs twice, the dictionary equals PLAIN, and the indices come on top */
    if (l->dict.values.count == n) { return true; }
    t->values = t->seen = n;
    t->width = taco__encoding_choice_index_width(l);
    if (!taco__encoding_choice_try_direct(w, l, l->direct, at, n, &t->direct) ||
        !taco__encoding_choice_try_dictionary(w, l, n)) {
        return false;
    }
    t->direct_sum = t->direct;
    t->dictionary_sum = (uint64_t)t->dictionary + t->indices;
    l->mode = t->dictionary_sum < t->direct_sum                   ? TACO__DICTIONARY_USED
              : !all && taco__encoding_choice_saturates(l, early) ? TACO__DICTIONARY_UNDECIDED
                                                                  : TACO__DICTIONARY_UNUSED;
    return true;
}

/* Decides after one more page: until a dictionary pays, or that page alone would have been smaller
   without. */
static bool taco__encoding_choice_next_page(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, bool all)
{
    taco__dictionary_trial *t = &l->trial;
    const uint64_t direct = t->direct_sum, dictionary = t->dictionary_sum;
    bool fits;
    l->indexed = false; /* the indices are those of the last of several pages */
    if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at + t->seen, n - t->seen,
                                       w->opt.dictionary_bytes, &fits, &w->err)) {
        return false;
    }
    if (!fits) { return true; }
    t->seen = n;
    taco__encoding_choice_add_up(l, n);
    if (t->dictionary_sum < t->direct_sum) {
        l->mode = TACO__DICTIONARY_USED;
    } else if (!all && t->pages < TACO__PQ_TRIAL_PAGES && t->bytes < TACO__PQ_TRIAL_BYTES &&
               t->dictionary_sum - dictionary < t->direct_sum - direct) {
        l->mode = TACO__DICTIONARY_UNDECIDED;
    }
    return true;
}

TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n, bool all)
{
    l->mode = TACO__DICTIONARY_UNUSED;
    if (l->trial.pages) {
        if (!taco__encoding_choice_next_page(w, l, at, n, all)) { return false; }
    } else {
        if (!taco__encoding_choice_choose_direct(w, l, at, n)) { return false; }
        if (l->schema.type == TACO__PQ_BOOLEAN || !taco__encoding_choice_is_open(l)) {
            return true;
        }
        if (!taco__encoding_choice_first_page(w, l, at, n, all)) { return false; }
    }
    if (l->mode == TACO__DICTIONARY_UNUSED) {
        taco__dict_builder_clear(&l->dict);
        l->indexed = false;
    }
    return true;
}
/* ==== src/parquet_write/page_writer.c ==== */
/* page_writer.c - makes pages from the entries of a leaf: page ends, levels, values, headers

   In: the levels and values of the rows of a batch. Out: l->pages: encoded pages, one after the
   other, with a record each for the indexes (parquet.thrift, PageHeader; Encodings.md;
   Compression.md). A page ends after the row that makes it full: pages begin with a row, as the
   page index demands (PageIndex.md). Rows wait in l->input until their page is full; the rest after
   a batch moves to the front.

   taco__page_writer_add_rows takes the rows in portions, so that the text of one batch does not
   accumulate, and calls taco__page_writer_end_full_pages, which looks for ends
   (taco__page_writer_take_row or _take_flat_rows) and makes a page at each
   (taco__page_writer_end_page). */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* ---- the body ---- */

/* Makes the indices of the page's values, if the chunk has a dictionary; one that exceeds its limit
   is only used up to the previous page. */
static bool taco__page_writer_index(taco_pq_writer *w, taco__leaf_writer *l, size_t at, size_t n)
{
    bool fits = true, ready = l->indexed;
    l->indexed = false;
    if (l->mode != TACO__DICTIONARY_USED || ready) { return true; }
    if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at, n, w->opt.dictionary_bytes,
                                       &fits, &w->err)) {
        return false;
    }
    if (fits) { return true; }
    l->mode = TACO__DICTIONARY_UNUSED;
    return taco__encoding_choice_choose_direct(w, l, at, n);
}

/* Appends values [at, at + n) of the input to the body, and sets their encoding. */
static bool taco__page_writer_append_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, int32_t *encoding)
{
    if (!taco__page_writer_index(w, l, at, n)) { return false; }
    if (l->mode == TACO__DICTIONARY_USED) {
        *encoding = TACO__PQ_ENC_RLE_DICTIONARY;
        l->pages.with_dictionary++;
        return taco__encode_indices(&w->scratch.body, taco__dict_builder_indices(&l->dict), n,
                                    l->dict.values.count, &w->err);
    }
    *encoding = l->mode == TACO__DICTIONARY_UNUSED ? l->direct : TACO__PQ_ENC_PLAIN;
    l->pages.without_dictionary += n > 0;
    return taco__encoding_choice_encode(w, l, *encoding, at, n, &w->scratch.body);
}

/* Levels of the page's entries; in version 1 after their length (Encodings.md, RLE). */
static bool taco__page_writer_append_levels(taco_pq_writer *w, const int16_t *levels, size_t n,
                                            int16_t max)
{
    static const uint8_t no_length[4] = {0, 0, 0, 0};
    taco__buf *out = &w->scratch.body;
    size_t at = out->len;
    if (max == 0) { return true; }
    if ((!w->opt.pages_v2 && !taco__buf_append(out, no_length, 4, &w->err)) ||
        !taco__encode_levels(out, levels, n, max, &w->err)) {
        return false;
    }
    if (!w->opt.pages_v2) { taco__put_le32(out->data + at, (uint32_t)(out->len - at - 4)); }
    return true;
}

/* In version 2 the levels stay uncompressed, and so do the values if compression does not make the
   page smaller; version 1 cannot express that. */
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b)
{
    const taco__buf *body = &w->scratch.body;
    taco__buf *packed = &w->scratch.packed;
    bool v2 = b->type == TACO__PQ_PAGE_DATA_V2;
    size_t levels = v2 ? b->rep_len + b->def_len : 0;
    taco_bytes values = taco__bytes_of(body->data + levels, body->len - levels);
    b->plain = body->len;
    packed->len = 0;
    if (l->settings.codec == TACO__PQ_CODEC_NONE) {
        const taco__buf swap = *packed;
        *packed = w->scratch.body;
        w->scratch.body = swap;
        return true;
    }
    if (!taco__buf_append(packed, body->data, levels, &w->err) ||
        !taco__compress_append(w, &l->settings, values, packed)) {
        return false;
    }
    b->compressed = true;
    if (v2 && (packed->len >= body->len || values.len == 0)) {
        b->compressed = false;
        packed->len = levels;
        return taco__buf_append(packed, values.data, values.len, &w->err);
    }
    return true;
}

/* ---- the header ---- */

/* DataPageHeader (5) and DictionaryPageHeader (7): fields 1, 2 and, of the former, the encodings
   of both levels. */
static void taco__page_writer_append_header_v1(taco__thrift_writer *t, const taco__page_body *b)
{
    bool dictionary = b->type == TACO__PQ_PAGE_DICTIONARY;
    taco__thrift_write_begin(t, dictionary ? 7 : 5);
    taco__thrift_write_i32(t, 1, (int32_t)b->entries);
    taco__thrift_write_i32(t, 2, b->encoding);
    if (!dictionary) {
        taco__thrift_write_i32(t, 3, TACO__PQ_ENC_RLE);
        taco__thrift_write_i32(t, 4, TACO__PQ_ENC_RLE);
    }
    taco__thrift_write_end(t);
}

/* DataPageHeaderV2 (8). */
static void taco__page_writer_append_header_v2(taco__thrift_writer *t, const taco__page_body *b)
{
    taco__thrift_write_begin(t, 8);
    taco__thrift_write_i32(t, 1, (int32_t)b->entries);
    taco__thrift_write_i32(t, 2, (int32_t)b->nulls);
    taco__thrift_write_i32(t, 3, (int32_t)b->rows);
    taco__thrift_write_i32(t, 4, b->encoding);
    taco__thrift_write_i32(t, 5, (int32_t)b->def_len);
    taco__thrift_write_i32(t, 6, (int32_t)b->rep_len);
    taco__thrift_write_bool(t, 7, b->compressed);
    taco__thrift_write_end(t);
}

TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out)
{
    const taco__buf *packed = &w->scratch.packed;
    taco__thrift_writer t;
    if (b->plain > INT32_MAX || packed->len > INT32_MAX || b->entries > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a page of %u bytes, at most 2147483647 are allowed", TACO__U(b->plain));
        return false;
    }
    taco__thrift_write_init(&t, out, &w->err);
    taco__thrift_write_i32(&t, 1, b->type);
    taco__thrift_write_i32(&t, 2, (int32_t)b->plain);
    taco__thrift_write_i32(&t, 3, (int32_t)packed->len);
    if (!w->opt.no_crc) {
        taco__thrift_write_i32(&t, 4, (int32_t)taco__crc32(0, packed->data, packed->len));
    }
    if (b->type == TACO__PQ_PAGE_DATA_V2) {
        taco__page_writer_append_header_v2(&t, b);
    } else {
        taco__page_writer_append_header_v1(&t, b);
    }
    return taco__thrift_write_end(&t) && taco__buf_append(out, packed->data, packed->len, &w->err);
}

/* ---- one page ---- */

/* Hashes of the page's values, for the chunk's bloom filter (BloomFilter.md: XXH64 of PLAIN,
   seed 0, byte arrays without their length). */
static bool taco__page_writer_add_hashes(taco_pq_writer *w, taco__leaf_writer *l)
{
    size_t i;
    for (i = l->page.first_value; l->settings.bloom && i < l->page.value; i++) {
        taco_bytes v = taco__plain_values_at(&l->input.values, i);
        uint64_t h = taco__xxh64_hash(0, v.data, v.len);
        if (!taco__buf_append(&l->pages.hashes, &h, sizeof h, &w->err)) { return false; }
    }
    return true;
}

/* Counts the bytes of the page's byte arrays without lengths (SizeStatistics). */
static void taco__page_writer_count_bytes(taco__leaf_writer *l, taco__page_record *p)
{
    const taco__plain_values *v = &l->input.values;
    if (v->width == 0 && l->page.value > l->page.first_value) {
        const uint32_t *offsets = taco__plain_values_offsets(v);
        p->unencoded = (int64_t)(offsets[l->page.value] - offsets[l->page.first_value]);
        l->stats.unencoded += p->unencoded;
    }
}

/* Counts entries by level: with few levels in one pass per level, since a processor compares
   several at a time. */
static void taco__page_writer_histogram(const int16_t *levels, size_t n, int16_t max,
                                        int64_t *counts)
{
    size_t i, at = 0;
    int16_t level;
    for (; max > 0 && max < 6 && at + 64 <= n; at += 64) {
        for (level = 0; level <= max; level++) {
            unsigned count = 0;
            for (i = 0; i < 64; i++) {
                count += levels[at + i] == level;
            }
            counts[level] += count;
        }
    }
    for (i = at; i < n; i++) {
        counts[levels[i]]++;
    }
}

/* Appends the page's histograms: entries per repetition level, then per definition level. */
static bool taco__page_writer_count_levels(taco_pq_writer *w, taco__leaf_writer *l,
                                           const int16_t *rep, const int16_t *def, size_t entries)
{
    size_t n = (size_t)(l->schema.max_rep + l->schema.max_def) + 2, bytes = n * sizeof(int64_t);
    int64_t *counts;
    if (!taco__page_index_write_has_histograms(l)) { return true; }
    if (!taco__buf_reserve(&l->pages.level_counts, bytes, &w->err)) { return false; }
    counts = (int64_t *)(void *)(l->pages.level_counts.data + l->pages.level_counts.len);
    l->pages.level_counts.len += bytes;
    memset(counts, 0, bytes);
    taco__page_writer_histogram(rep, entries, l->schema.max_rep, counts);
    taco__page_writer_histogram(def, entries, l->schema.max_def, counts + l->schema.max_rep + 1);
    return true;
}

/* Makes scratch.body from the open page: repetition levels, definition levels, values. */
static bool taco__page_writer_make_body(taco_pq_writer *w, taco__leaf_writer *l, const int16_t *rep,
                                        const int16_t *def, taco__page_body *b)
{
    const taco__buf *body = &w->scratch.body;
    w->scratch.body.len = 0;
    if (!taco__page_writer_append_levels(w, rep, b->entries, l->schema.max_rep)) { return false; }
    b->rep_len = body->len;
    if (!taco__page_writer_append_levels(w, def, b->entries, l->schema.max_def)) { return false; }
    b->def_len = body->len - b->rep_len;
    return taco__page_writer_append_values(w, l, l->page.first_value,
                                           l->page.value - l->page.first_value, &b->encoding) &&
           taco__page_writer_compress(w, l, b);
}

/* Counts a page that has been appended, and begins the next one. */
static bool taco__page_writer_count_page(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco__page_body *b, const taco__page_record *p)
{
    l->pages.plain_bytes += p->size - w->scratch.packed.len + b->plain;
    l->pages.by_encoding[b->encoding]++;
    l->pages.rows += b->rows;
    l->pages.entries += b->entries;
    l->pages.count++;
    l->stats.nulls += p->nulls;
    l->page.rows = l->page.bytes = 0;
    l->page.first_entry = l->page.entry;
    l->page.first_value = l->page.value;
    return taco__buf_append(&l->pages.records, p, sizeof *p, &w->err);
}

/* Makes the open page into an encoded one. */
static bool taco__page_writer_end_page(taco_pq_writer *w, taco__leaf_writer *l)
{
    size_t values = l->page.value - l->page.first_value;
    const int16_t *rep = taco__levels_values(&l->input.rep) + l->page.first_entry;
    const int16_t *def = taco__levels_values(&l->input.def) + l->page.first_entry;
    taco__page_body b;
    taco__page_record p;
    memset(&b, 0, sizeof b);
    memset(&p, 0, sizeof p);
    b.type = w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2 : TACO__PQ_PAGE_DATA;
    b.entries = l->page.entry - l->page.first_entry;
    b.nulls = b.entries - values;
    b.rows = l->page.rows;
    p.nulls = (int64_t)b.nulls;
    p.all_null = values == 0;
    p.first_row = l->pages.rows;
    p.offset = l->pages.bytes.len;
    taco__page_writer_count_bytes(l, &p);
    if (!taco__value_bounds_add_page(l, l->page.first_value, values, &p, &w->err) ||
        !taco__page_writer_add_hashes(w, l) ||
        !taco__page_writer_count_levels(w, l, rep, def, b.entries) ||
        !taco__page_writer_make_body(w, l, rep, def, &b) ||
        !taco__page_writer_append_page(w, &b, &l->pages.bytes)) {
        return false;
    }
    p.size = (uint32_t)(l->pages.bytes.len - p.offset);
    return taco__page_writer_count_page(w, l, &b, &p);
}

/* ---- where pages end ---- */

/* Content-defined ends, as in gear hashing: a sum that shifts out what is 64 bytes back, and ends a
   page when its highest bits are zero (taco__write_options_init_gear decides how many). */
static void taco__page_writer_roll_hash(const taco__gear *g, taco__open_page *p, taco_bytes v)
{
    size_t i;
    for (i = 0; i < v.len; i++) {
        p->hash = (p->hash << 1) + g->table[v.data[i]];
        p->boundary = p->boundary || (p->hash & g->mask) == 0;
    }
}

/* Takes the next entry into the open page. Returns its size: for a value that of PLAIN, for a null
   or empty list in a list 1. */
static size_t taco__page_writer_take_entry(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *def = taco__levels_values(&l->input.def);
    const taco__plain_values *values = &l->input.values;
    uint8_t level = (uint8_t)(l->schema.max_def ? def[l->page.entry] : 0);
    size_t size = l->schema.max_rep ? 1 : 0;
    if (!l->schema.max_def || def[l->page.entry] == l->schema.max_def) {
        taco_bytes v = taco__plain_values_at(values, l->page.value++);
        size = v.len + (values->width ? 0 : 4);
        taco__page_writer_roll_hash(&w->gear, &l->page, v);
    }
    if (l->schema.max_def) {
        taco__page_writer_roll_hash(&w->gear, &l->page, taco__bytes_of(&level, 1));
    }
    l->page.entry++;
    return size;
}

/* With content-defined ends: takes the next row of the input into the open page. True if the page
   ends after it. */
static bool taco__page_writer_take_row(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *rep = taco__levels_values(&l->input.rep);
    taco__open_page *p = &l->page;
    p->boundary = false;
    do {
        size_t size = taco__page_writer_take_entry(w, l);
        p->bytes = size > SIZE_MAX / 2 - p->bytes ? SIZE_MAX / 2 : p->bytes + size;
    } while (l->schema.max_rep && p->entry < l->input.entries && rep[p->entry] > 0);
    p->rows++;
    return p->bytes >= w->opt.chunk_max || (p->boundary && p->bytes >= w->opt.chunk_min) ||
           p->rows >= INT32_MAX / 2;
}

/* Where a page of contiguous values without nulls reaches `most` bytes: after value k, the first
   for which that holds, or after the last. Offsets ascend, so k is found by binary search. */
static size_t taco__page_writer_page_end(const taco__plain_values *v, size_t from, size_t last,
                                         size_t bytes, size_t most)
{
    const uint32_t *offsets = taco__plain_values_offsets(v);
    size_t at = from;
    if (bytes >= most) { return from; }
    if (v->width) {
        size_t n = (most - bytes - 1) / v->width + 1;
        return n < last - from ? from + n : last;
    }
    TACO__LOWER_BOUND(at, last, i,
                      bytes + 4 * (i + 1 - from) + (offsets[i + 1] - offsets[from]) < most);
    return TACO__MIN(at + 1, last);
}

/* The same for all rows of a leaf without repetition, up to the end of a page. */
static bool taco__page_writer_take_flat_rows(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *def = l->schema.max_def ? taco__levels_values(&l->input.def) : NULL;
    const uint32_t *offsets = taco__plain_values_offsets(&l->input.values);
    const size_t most = TACO__MIN(w->opt.page_bytes, SIZE_MAX / 2), from = l->page.entry;
    const size_t width = l->input.values.width;
    size_t entry = from, value = l->page.value, bytes = l->page.bytes;
    const size_t last =
        entry + TACO__MIN(l->input.entries - entry, w->opt.page_rows - l->page.rows);
    if (l->input.values.count - value == l->input.entries - entry) { /* no nulls are left */
        size_t n = taco__page_writer_page_end(&l->input.values, value, value + (last - from), bytes,
                                              most) -
                   value;
        bytes += width ? n * width : 4 * n + (size_t)(offsets[value + n] - offsets[value]);
        value += n;
        entry += n;
    }
    while (entry < last && bytes < most) {
        if (!def || def[entry] == l->schema.max_def) {
            bytes += width ? width : 4 + (size_t)(offsets[value + 1] - offsets[value]);
            value++;
        }
        entry++;
    }
    l->page.rows += entry - from;
    l->page.bytes = bytes;
    l->page.entry = entry;
    l->page.value = value;
    return l->page.rows >= w->opt.page_rows || bytes >= most;
}

/* The same for rows of a leaf with repetition, as taco__page_writer_take_row takes them. */
static bool taco__page_writer_take_nested_rows(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *rep = taco__levels_values(&l->input.rep);
    const int16_t *def = taco__levels_values(&l->input.def), max = l->schema.max_def;
    const uint32_t *offsets = taco__plain_values_offsets(&l->input.values);
    const size_t width = l->input.values.width, entries = l->input.entries;
    const size_t most = TACO__MIN(w->opt.page_bytes, SIZE_MAX / 2);
    size_t entry = l->page.entry, value = l->page.value, bytes = l->page.bytes;
    size_t rows = l->page.rows;
    while (entry < entries && rows < w->opt.page_rows && bytes < most) {
        do {
            size_t size = 1;
            if (def[entry] == max) {
                size = width ? width : 4 + (size_t)(offsets[value + 1] - offsets[value]);
                value++;
            }
            bytes = size > SIZE_MAX / 2 - bytes ? SIZE_MAX / 2 : bytes + size;
            entry++;
        } while (entry < entries && rep[entry] > 0);
        rows++;
    }
    l->page.rows = rows;
    l->page.bytes = bytes;
    l->page.entry = entry;
    l->page.value = value;
    return rows >= w->opt.page_rows || bytes >= most;
}

/* Drops entries and values that are in pages. */
static void taco__page_writer_drop_written(taco__leaf_writer *l)
{
    taco__open_page *p = &l->page;
    size_t left = l->input.entries - p->first_entry;
    if (p->first_entry) {
        memmove(l->input.def.data, l->input.def.data + p->first_entry * 2, left * 2);
        memmove(l->input.rep.data, l->input.rep.data + p->first_entry * 2, left * 2);
    }
    l->input.def.len = l->input.rep.len = left * 2;
    l->input.entries = left;
    taco__plain_values_drop_front(&l->input.values, p->first_value);
    p->entry -= p->first_entry;
    p->value -= p->first_value;
    p->first_entry = p->first_value = 0;
}

/* The open page has enough rows: it is made, or waits while further ones are taken, until the
   encoding of the chunk's values is decided. Then the waiting pages are made. `all`: no rows are
   left in the row group. */
static bool taco__page_writer_end_full_page(taco_pq_writer *w, taco__leaf_writer *l, bool all)
{
    taco__open_page *p = &l->page;
    if (l->mode == TACO__DICTIONARY_UNDECIDED && p->value > p->first_value) {
        l->trial.bytes += p->bytes;
        /* the hash of content-defined ends cannot be rolled back */
        if (!taco__encoding_choice_choose(w, l, p->first_value, p->value - p->first_value,
                                          all || w->opt.content_defined)) {
            return false;
        }
        if (l->mode != TACO__DICTIONARY_UNDECIDED && !l->trial.pages) {
            return taco__page_writer_end_page(w, l);
        }
        if (l->mode == TACO__DICTIONARY_UNDECIDED) {
            l->trial.pages++;
        } else {
            p->entry = p->first_entry;
            p->value = p->first_value;
        }
        p->rows = p->bytes = 0;
        return true;
    }
    return taco__page_writer_end_page(w, l);
}

TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last)
{
    taco__open_page *p = &l->page;
    while (p->entry < l->input.entries || (last && p->entry > p->first_entry)) {
        bool full = p->entry >= l->input.entries ? last
                    : w->opt.content_defined     ? taco__page_writer_take_row(w, l)
                    : l->schema.max_rep          ? taco__page_writer_take_nested_rows(w, l)
                                                 : taco__page_writer_take_flat_rows(w, l);
        bool all = last && p->entry == l->input.entries;
        if ((full || all) && !taco__page_writer_end_full_page(w, l, all)) { return false; }
    }
    taco__page_writer_drop_written(l);
    return true;
}

/* ---- rows ---- */

/* Size of value k found by taco__levels_make; a dictionary index is checked later, when the value
   is copied. */
static size_t taco__page_writer_text_length(const taco__levels *v, size_t k)
{
    const taco_array *a = v->leaf;
    size_t at = taco__levels_indices(&v->index)[k];
    int32_t len;
    if (a->dictionary) {
        at = (uint32_t)a->v.i32[at];
        a = a->dictionary;
        if (at >= a->length) { return 0; }
    }
    len = a->offsets[at + 1] - a->offsets[at];
    return len > 0 ? (size_t)len : 0;
}

/* Whether the text of all values is less than a page, judging by the first and last offset. */
static bool taco__page_writer_is_short_text(const taco_pq_writer *w, const taco__levels *v)
{
    const uint32_t *index = taco__levels_indices(&v->index);
    const taco_array *a = v->leaf;
    int32_t from, to;
    if (a->dictionary || v->values == 0) { return v->values == 0; }
    from = a->offsets[index[0]];
    to = a->offsets[index[v->values - 1] + 1];
    return from >= 0 && from <= to && (size_t)(to - from) < w->opt.page_bytes;
}

/* How many entries from entry i on are taken at once, and *values of them: whole rows, until their
   text fills a page. Values of fixed width are all taken at once. */
static size_t taco__page_writer_portion(const taco_pq_writer *w, const taco__leaf_writer *l,
                                        size_t i, size_t value, size_t *values)
{
    const taco__levels *v = &w->scratch.levels;
    const int16_t *rep = taco__levels_values(&v->rep), *def = taco__levels_values(&v->def);
    const bool text = taco__array_is_var_length(l->schema.field);
    size_t first = i, k = value, bytes = 0;
    if (first == 0 && (!text || taco__page_writer_is_short_text(w, v))) {
        *values = v->values;
        return v->entries;
    }
    while (i < v->entries && (bytes < w->opt.page_bytes || rep[i] > 0)) {
        if (def[i] == l->schema.max_def) {
            bytes += text ? taco__page_writer_text_length(v, k) : 0;
            k++;
        }
        i++;
    }
    *values = k - value;
    return i - first;
}

TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n)
{
    taco__levels *v = &w->scratch.levels;
    size_t i = 0, k = 0, m, values = 0;
    if (!taco__levels_make(v, a, l->schema.path, first, n, &w->err)) { return false; }
    for (; i < v->entries; i += m, k += values) {
        const size_t before = l->input.values.bytes.len;
        m = taco__page_writer_portion(w, l, i, k, &values);
        if (!taco__buf_append(&l->input.def, v->def.data + i * 2, m * 2, &w->err) ||
            !taco__buf_append(&l->input.rep, v->rep.data + i * 2, m * 2, &w->err) ||
            !taco__array_values_append(l, v, k, values, &w->err)) {
            return false;
        }
        l->input.entries += m;
        w->waiting += l->input.values.bytes.len - before + m;
        if (!taco__write_tasks_may_wait(w) &&
            (w->only_adds || !taco__page_writer_end_full_pages(w, l, false))) {
            return false;
        }
    }
    return true;
}
/* ==== src/parquet_write/write_tasks.c ==== */
/* write_tasks.c - fills leaves and makes their pages with the host's parallel_for

   In: rows of a batch; out: the input of the leaves. In: leaves whose input has rows for many
   pages; out: their pages, as page_writer.c makes them. Each leaf is a task, and the results are
   written to the file in the order of the columns, so that its bytes are the same as with one
   thread.

   With tasks a leaf does not end its pages when they are full, but when all leaves together have
   received TACO__WRITE_TASK_ROUND bytes since the last round, or the row group ends. A task has a
   copy of the writer with its own buffers, encoders, error and memory account, to which the buffers
   of its leaf belong while it runs. If memory is short the calling thread does the work; it also
   adds the rows that a task could not, and fails where it would without tasks.

   Start reading at taco__write_tasks_end_full_pages and taco__write_tasks_add_rows. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */

/* Bytes of values in a round, and fewest bytes that justify starting tasks at the end of a row
   group. Fuzz targets use fewer. */
#define TACO__WRITE_TASK_ROUND ((uint64_t)16 << 20)
#ifndef TACO__WRITE_TASK_LEAST
#define TACO__WRITE_TASK_LEAST ((uint64_t)262144)
#endif
/* Most leaves in a round: they share the remaining memory. */
#define TACO__WRITE_TASKS 32
/* Memory that a task takes for any leaf: encoders, and a few pages. */
#define TACO__WRITE_TASK_BYTES ((uint64_t)8 << 20)
/* Fewest rows times leaves that justify starting tasks, and most bytes that a leaf gets from
   one. */
#define TACO__WRITE_TASK_VALUES ((size_t)131072)
#define TACO__WRITE_TASK_ADDED  ((uint64_t)4 << 20)

typedef struct taco__write_task {
    taco_pq_writer w;
    taco__leaf_writer *leaf;
    bool ok;
} taco__write_task;

/* A round: its tasks, and the order in which they run. */
typedef struct taco__write_round {
    taco__write_task *tasks;
    bool last;
    uint8_t order[TACO__WRITE_TASKS];
} taco__write_round;

TACO__FN void taco__write_tasks_buffers(taco__leaf_writer *l, taco__buf *out[TACO__LEAF_BUFFERS])
{
    size_t n = 0;
    out[n++] = &l->input.values.bytes;
    out[n++] = &l->input.values.offsets;
    out[n++] = &l->input.def;
    out[n++] = &l->input.rep;
    out[n++] = &l->dict.values.bytes;
    out[n++] = &l->dict.values.offsets;
    out[n++] = &l->dict.slots;
    out[n++] = &l->dict.indices;
    out[n++] = &l->stats.min;
    out[n++] = &l->stats.max;
    out[n++] = &l->pages.bytes;
    out[n++] = &l->pages.records;
    out[n++] = &l->pages.bounds;
    out[n++] = &l->pages.level_counts;
    out[n] = &l->pages.hashes;
}

/* No tasks if a round would take a large part of the memory. */
TACO__FN void taco__write_tasks_open(taco_pq_writer *w)
{
    size_t n = TACO__MIN(w->leaf_count, (size_t)TACO__WRITE_TASKS);
    if (taco__tasks_width(&w->host, n) > 1 &&
        taco__mem_ahead(&w->mem, TACO__WRITE_TASK_ROUND) == TACO__WRITE_TASK_ROUND) {
        w->tasks = (taco__write_task *)taco__mem_alloc(&w->mem, n * sizeof *w->tasks, NULL);
    }
}

TACO__FN void taco__write_tasks_close(taco_pq_writer *w)
{
    size_t n = TACO__MIN(w->leaf_count, (size_t)TACO__WRITE_TASKS);
    taco__mem_free(&w->mem, w->tasks, n * sizeof *w->tasks);
    w->tasks = NULL;
}

TACO__FN bool taco__write_tasks_may_wait(const taco_pq_writer *w)
{
    /* between rounds all leaves get one piece of rows, whose text may be long */
    return w->tasks && w->waiting < 2 * TACO__WRITE_TASK_ROUND;
}

/* ---- a round ---- */

/* Size of the buffers of a leaf, which from now on belong to another account. */
static uint64_t taco__write_tasks_move_leaf(taco__leaf_writer *l, taco__mem *to)
{
    taco__buf *b[TACO__LEAF_BUFFERS];
    uint64_t bytes = 0;
    size_t i;
    taco__write_tasks_buffers(l, b);
    for (i = 0; i < TACO__LEAF_BUFFERS; i++) {
        bytes += b[i]->data ? (uint64_t)b[i]->cap + TACO__PAD : 0;
        b[i]->mem = to;
    }
    return bytes;
}

/* Gives a leaf to one of n tasks. */
static void taco__write_tasks_lend(taco_pq_writer *w, taco__write_task *t, taco__leaf_writer *l,
                                   size_t n)
{
    taco__mem *own = &t->w.mem;
    t->w = *w;
    t->leaf = l;
    memset(own, 0, sizeof *own);
    memset(&t->w.compressor, 0, sizeof t->w.compressor);
    t->w.compressor.mem = own;
    taco__pq_writer_init_scratch(&t->w.scratch, own);
    own->used = own->accounted = taco__write_tasks_move_leaf(l, own);
    taco__mem_task_begin(&w->mem, own, n);
}

/* The same; false if its share of the memory may not be enough for the pages. Buffers grow by half,
   and a value takes at most a few times its size. */
static bool taco__write_tasks_begin(taco_pq_writer *w, taco__write_task *t, taco__leaf_writer *l,
                                    size_t n)
{
    const taco__mem *own = &t->w.mem;
    uint64_t need = 8 * ((uint64_t)l->input.values.bytes.len + l->input.entries) +
                    8 * (uint64_t)TACO__MIN(w->opt.page_bytes, (size_t)1 << 30) +
                    TACO__WRITE_TASK_BYTES;
    taco__write_tasks_lend(w, t, l, n);
    return own->limit - own->used >= need + own->used / 2;
}

/* Takes a leaf back. */
static void taco__write_tasks_end(taco_pq_writer *w, taco__write_task *t)
{
    taco__write_tasks_move_leaf(t->leaf, &w->mem);
    taco__mem_task_merge(&w->mem, &t->w.mem);
}

static void taco__write_tasks_task(void *arg, size_t i)
{
    taco__write_round *r = (taco__write_round *)arg;
    taco__write_task *t = &r->tasks[r->order[i]];
    t->ok = taco__page_writer_end_full_pages(&t->w, t->leaf, r->last);
    taco__pq_writer_free_scratch(&t->w.scratch);
    taco__compress_free(&t->w.compressor);
}

static int taco__write_tasks_compare(const void *ctx, const void *a, const void *b)
{
    const taco__write_task *t = (const taco__write_task *)ctx;
    size_t x = t[*(const uint8_t *)a].leaf->input.values.bytes.len;
    size_t y = t[*(const uint8_t *)b].leaf->input.values.bytes.len;
    return (x < y) - (x > y);
}

/* Processes leaves one after the other; the first failure names its column. */
static bool taco__write_tasks_alone(taco_pq_writer *w, size_t first, size_t n, bool last)
{
    for (; n; n--, first++) {
        if (!taco__page_writer_end_full_pages(w, &w->leaves[first], last)) {
            return taco__chunk_writer_fail(w, &w->leaves[first]);
        }
    }
    return true;
}

/* Processes leaves [first, first + n) in parallel; the largest begins, so that all threads end at
   about the same time. */
static bool taco__write_tasks_round(taco_pq_writer *w, size_t first, size_t n, bool last)
{
    taco__write_round r;
    size_t i;
    uint8_t one;
    bool enough = true;
    r.tasks = w->tasks;
    r.last = last;
    for (i = 0; i < n; i++) {
        enough = taco__write_tasks_begin(w, &r.tasks[i], &w->leaves[first + i], n) && enough;
        r.order[i] = (uint8_t)i;
    }
    taco__sort_in_place(r.order, &one, n, sizeof one, taco__write_tasks_compare, r.tasks);
    if (enough) { taco__tasks_run(&w->host, n, taco__write_tasks_task, &r); }
    for (i = 0; i < n; i++) {
        taco__write_tasks_end(w, &r.tasks[i]);
    }
    if (!enough) { return taco__write_tasks_alone(w, first, n, last); }
    for (i = 0; i < n; i++) {
        if (!r.tasks[i].ok) {
            w->err = r.tasks[i].w.err;
            return taco__chunk_writer_fail(w, r.tasks[i].leaf);
        }
    }
    return true;
}

TACO__FN bool taco__write_tasks_end_full_pages(taco_pq_writer *w, bool last)
{
    size_t i, n = w->leaf_count;
    const bool tasks = w->tasks && w->waiting >= TACO__WRITE_TASK_LEAST;
    if (!last && (!w->tasks || w->waiting < TACO__WRITE_TASK_ROUND)) { return true; }
    w->waiting = 0;
    if (!TACO__WITH_TASKS || !tasks) { return taco__write_tasks_alone(w, 0, n, last); }
    for (i = 0; i < n; i += TACO__WRITE_TASKS) {
        if (!taco__write_tasks_round(w, i, TACO__MIN(n - i, (size_t)TACO__WRITE_TASKS), last)) {
            return false;
        }
    }
    return true;
}

/* ---- rows ---- */

/* Rows [first, first + n) of a batch, and the leaves that take them. */
typedef struct taco__write_rows {
    taco__write_task *tasks;
    const taco_batch *batch;
    size_t first, n;
} taco__write_rows;

/* Drops what a leaf has received since `before`; it has made no pages. */
static void taco__write_tasks_restore(taco__leaf_writer *l, const taco__leaf_input *before)
{
    l->input.values.bytes.len = before->values.bytes.len;
    l->input.values.offsets.len = before->values.offsets.len;
    l->input.values.count = before->values.count;
    l->input.def.len = before->def.len;
    l->input.rep.len = before->rep.len;
    l->input.entries = before->entries;
}

/* Adds its rows to a leaf, piece by piece, until one fails or would make pages. */
static void taco__write_tasks_fill(void *arg, size_t i)
{
    const taco__write_rows *r = (const taco__write_rows *)arg;
    taco__write_task *t = &r->tasks[i];
    taco__leaf_writer *l = t->leaf;
    bool ok = true;
    t->w.only_adds = true;
    t->w.waiting = 2 * TACO__WRITE_TASK_ROUND - TACO__WRITE_TASK_ADDED;
    while (ok && l->ahead < r->n) {
        const taco__leaf_input before = l->input;
        const size_t n = TACO__MIN(r->n - l->ahead, (size_t)TACO__PQ_WRITER_ROWS);
        ok = taco__page_writer_add_rows(&t->w, l, &r->batch->columns[l->schema.column],
                                        r->first + l->ahead, n);
        if (ok) {
            l->ahead += n;
        } else {
            taco__write_tasks_restore(l, &before);
        }
    }
    taco__pq_writer_free_scratch(&t->w.scratch);
}

TACO__FN void taco__write_tasks_add_rows(taco_pq_writer *w, const taco_batch *b, size_t first,
                                         size_t n)
{
    taco__write_rows r;
    size_t i, k, count;
    r.tasks = w->tasks;
    r.batch = b;
    r.first = first;
    r.n = n;
    for (i = 0; i < w->leaf_count; i++) {
        w->leaves[i].ahead = 0;
    }
    if (!TACO__WITH_TASKS || !w->tasks || w->geo_count ||
        n < TACO__WRITE_TASK_VALUES / w->leaf_count) {
        return;
    }
    for (i = 0; i < w->leaf_count; i += count) {
        count = TACO__MIN(w->leaf_count - i, (size_t)TACO__WRITE_TASKS);
        for (k = 0; k < count; k++) {
            taco__write_tasks_lend(w, &r.tasks[k], &w->leaves[i + k], count);
        }
        taco__tasks_run(&w->host, count, taco__write_tasks_fill, &r);
        for (k = 0; k < count; k++) {
            w->waiting +=
                r.tasks[k].w.waiting + TACO__WRITE_TASK_ADDED - 2 * TACO__WRITE_TASK_ROUND;
            taco__write_tasks_end(w, &r.tasks[k]);
        }
    }
}
/* ==== src/parquet_write/chunk_writer.c ==== */
/* chunk_writer.c - a finished column chunk: dictionary page, data pages, bloom filter, metadata

   In: a leaf whose pages of the row group are encoded. Out: its bytes in the sink, its
   ColumnMetaData in footer.metas, its indexes in footer.indexes, and a record of their positions
   (parquet.thrift; BloomFilter.md). The bloom filter directly follows the chunk's pages. Then the
   leaf is cleared for the next row group, keeping its memory.

   Start reading at taco__chunk_writer_end_chunk. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

/* ---- the bloom filter ---- */

static int taco__chunk_writer_compare_hashes(const void *ctx, const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Split-block filter: the high half of the hash chooses a block of eight words, and each word gets
   one bit, by the low half times a salt (BloomFilter.md). */
static void taco__chunk_writer_bloom_set(uint8_t *filter, size_t blocks, uint64_t hash)
{
    static const uint32_t salt[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                     0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    uint8_t *block = filter + 32 * (size_t)(((hash >> 32) * blocks) >> 32);
    unsigned i;
    for (i = 0; i < 8; i++) {
        uint32_t bit = (uint32_t)((uint32_t)hash * salt[i]) >> 27;
        taco__put_le32(block + 4 * i, taco__load_le32(block + 4 * i) | (uint32_t)1 << bit);
    }
}

/* Size of a filter for that many distinct values: a power of two with at least 10.5 bits for each,
   which gives 1 % false positives. */
static size_t taco__chunk_writer_bloom_bytes(size_t distinct)
{
    size_t bytes = 32;
    while (bytes < TACO__PQ_BLOOM_MAX && (uint64_t)bytes * 16 < (uint64_t)distinct * 21) {
        bytes *= 2;
    }
    return bytes;
}

/* BloomFilterHeader. */
static bool taco__chunk_writer_bloom_header(taco_pq_writer *w, size_t bytes)
{
    taco__thrift_writer t;
    int16_t i;
    w->scratch.body.len = 0;
    taco__thrift_write_init(&t, &w->scratch.body, &w->err);
    taco__thrift_write_i32(&t, 1, (int32_t)bytes);
    for (i = 2; i <= 4; i++) { /* BLOCK, XXHASH, UNCOMPRESSED: unions of one member */
        taco__thrift_write_begin(&t, i);
        taco__thrift_write_empty(&t, 1);
        taco__thrift_write_end(&t);
    }
    return taco__thrift_write_end(&t);
}

/* Writes the filter of the chunk's hashes to the sink; *len becomes its size there. */
static bool taco__chunk_writer_write_bloom(taco_pq_writer *w, taco__leaf_writer *l, size_t *len)
{
    taco__buf *out = &w->scratch.body;
    uint64_t *h = (uint64_t *)(void *)l->pages.hashes.data;
    size_t n = l->pages.hashes.len / sizeof *h, i, distinct = 0, bytes;
    if (!taco__sort_in(&w->mem, h, n, sizeof *h, taco__chunk_writer_compare_hashes, NULL,
                       &w->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        distinct += i == 0 || h[i] != h[i - 1];
    }
    bytes = taco__chunk_writer_bloom_bytes(distinct);
    if (!taco__chunk_writer_bloom_header(w, bytes) || !taco__buf_reserve(out, bytes, &w->err)) {
        return false;
    }
    memset(out->data + out->len, 0, bytes);
    for (i = 0; i < n; i++) {
        taco__chunk_writer_bloom_set(out->data + out->len, bytes / 32, h[i]);
    }
    *len = out->len + bytes;
    return taco__pq_writer_write(w, out->data, *len);
}

/* ---- ColumnMetaData ---- */

/* Where the parts of a chunk are in the file. */
typedef struct taco__chunk_place {
    uint64_t start, data, end, bloom; /* data: the first data page */
    size_t bloom_len;
    bool has_dict;
} taco__chunk_place;

/* Encodings of the chunk, of levels, dictionary and data pages: field 2. */
static void taco__chunk_writer_encodings(const taco__leaf_writer *l, taco__thrift_writer *t,
                                         bool has_dict)
{
    uint32_t set = 0;
    int32_t i;
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        set |= l->pages.by_encoding[i] ? (uint32_t)1 << i : 0;
    }
    set |= has_dict ? (uint32_t)1 << TACO__PQ_ENC_PLAIN : 0;
    set |= l->schema.max_def || l->schema.max_rep ? (uint32_t)1 << TACO__PQ_ENC_RLE : 0;
    taco__thrift_write_list(t, 2, TACO__THRIFT_I32, taco__bitmap_popcount(set));
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        if (set >> i & 1) { taco__thrift_write_number(t, i); }
    }
}

/* One PageEncodingStats. */
static void taco__chunk_writer_page_count(taco__thrift_writer *t, int32_t page, int32_t encoding,
                                          uint32_t count)
{
    taco__thrift_write_begin_item(t);
    taco__thrift_write_i32(t, 1, page);
    taco__thrift_write_i32(t, 2, encoding);
    taco__thrift_write_i32(t, 3, (int32_t)count);
    taco__thrift_write_end(t);
}

/* Numbers of pages by type and encoding: field 13. */
static void taco__chunk_writer_encoding_stats(const taco_pq_writer *w, const taco__leaf_writer *l,
                                              taco__thrift_writer *t, bool has_dict)
{
    int32_t i, n = has_dict, data = w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2 : TACO__PQ_PAGE_DATA;
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        n += l->pages.by_encoding[i] != 0;
    }
    taco__thrift_write_list(t, 13, TACO__THRIFT_STRUCT, (size_t)n);
    if (has_dict) {
        taco__chunk_writer_page_count(t, TACO__PQ_PAGE_DICTIONARY, TACO__PQ_ENC_PLAIN, 1);
    }
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        if (l->pages.by_encoding[i]) {
            taco__chunk_writer_page_count(t, data, i, l->pages.by_encoding[i]);
        }
    }
}

/* SizeStatistics, field 16, if they contain anything. */
static void taco__chunk_writer_size_stats(const taco__leaf_writer *l, taco__thrift_writer *t)
{
    bool bytes = l->schema.type == TACO__PQ_BYTE_ARRAY;
    if (!l->settings.stats || !(bytes || taco__page_index_write_has_histograms(l))) { return; }
    taco__thrift_write_begin(t, 16);
    if (bytes) { taco__thrift_write_i64(t, 1, l->stats.unencoded); }
    taco__page_index_write_histograms(l, t, 2, true);
    taco__thrift_write_end(t);
}

static bool taco__chunk_writer_metadata(taco_pq_writer *w, const taco__leaf_writer *l,
                                        const taco__chunk_place *at)
{
    taco__thrift_writer t;
    size_t i;
    taco__thrift_write_init(&t, &w->footer.metas, &w->err);
    taco__thrift_write_i32(&t, 1, l->schema.type);
    taco__chunk_writer_encodings(l, &t, at->has_dict);
    taco__thrift_write_list(&t, 3, TACO__THRIFT_BINARY, l->schema.name_count);
    for (i = 0; i < l->schema.name_count; i++) {
        taco__thrift_write_bytes(&t, l->schema.names[i]);
    }
    taco__thrift_write_i32(&t, 4, l->settings.codec);
    taco__thrift_write_i64(&t, 5, (int64_t)l->pages.entries);
    taco__thrift_write_i64(&t, 6, (int64_t)l->pages.plain_bytes);
    taco__thrift_write_i64(&t, 7, (int64_t)(at->end - at->start));
    taco__thrift_write_i64(&t, 9, (int64_t)at->data);
    if (at->has_dict) { taco__thrift_write_i64(&t, 11, (int64_t)at->start); }
    if (l->settings.stats && !taco__value_bounds_write(w, l, &t, 12)) { return false; }
    taco__chunk_writer_encoding_stats(w, l, &t, at->has_dict);
    if (at->bloom_len) {
        taco__thrift_write_i64(&t, 14, (int64_t)at->bloom);
        taco__thrift_write_i32(&t, 15, (int32_t)at->bloom_len);
    }
    taco__chunk_writer_size_stats(l, &t);
    return taco__thrift_write_end(&t);
}

/* ---- the chunk ---- */

static bool taco__chunk_writer_dict_page(taco_pq_writer *w, taco__leaf_writer *l)
{
    taco__buf *page = &w->scratch.trial;
    taco__page_body b;
    memset(&b, 0, sizeof b);
    b.type = TACO__PQ_PAGE_DICTIONARY;
    b.encoding = TACO__PQ_ENC_PLAIN;
    b.entries = l->dict.values.count;
    w->scratch.body.len = page->len = 0;
    if (!taco__dict_builder_append_plain(&l->dict, &w->scratch.body, &w->err) ||
        !taco__page_writer_compress(w, l, &b) || !taco__page_writer_append_page(w, &b, page)) {
        return false;
    }
    l->pages.plain_bytes += page->len - w->scratch.packed.len + b.plain;
    return taco__pq_writer_write(w, page->data, page->len);
}

/* Writes the bytes of the chunk, and records where they are. */
static bool taco__chunk_writer_write(taco_pq_writer *w, taco__leaf_writer *l, taco__chunk_place *at)
{
    at->start = w->offset;
    at->has_dict = l->pages.with_dictionary > 0;
    if (at->has_dict && !taco__chunk_writer_dict_page(w, l)) { return false; }
    at->data = w->offset;
    if (!taco__pq_writer_write(w, l->pages.bytes.data, l->pages.bytes.len)) { return false; }
    at->end = at->bloom = w->offset;
    return !l->settings.bloom || taco__chunk_writer_write_bloom(w, l, &at->bloom_len);
}

/* Appends metadata and indexes to the parts of the footer, and records where they are. */
static bool taco__chunk_writer_record(taco_pq_writer *w, const taco__leaf_writer *l,
                                      const taco__chunk_place *at)
{
    taco__footer_parts *f = &w->footer;
    taco__chunk_record c;
    memset(&c, 0, sizeof c);
    c.meta_at = f->metas.len;
    if (!taco__chunk_writer_metadata(w, l, at)) { return false; }
    c.meta_len = f->metas.len - c.meta_at;
    c.column_at = f->indexes.len;
    if (!taco__page_index_write_column_index(w, l)) { return false; }
    c.column_len = f->indexes.len - c.column_at;
    c.offset_at = f->indexes.len;
    if (!w->opt.no_page_index && !taco__page_index_write_offset_index(w, l, at->data)) {
        return false;
    }
    c.offset_len = f->indexes.len - c.offset_at;
    return taco__buf_append(&f->chunks, &c, sizeof c, &w->err);
}

static void taco__chunk_writer_clear_pages(taco__chunk_pages *p)
{
    p->bytes.len = p->records.len = p->bounds.len = p->level_counts.len = p->hashes.len = 0;
    p->count = 0;
    p->rows = p->entries = p->plain_bytes = 0;
    p->with_dictionary = p->without_dictionary = 0;
    memset(p->by_encoding, 0, sizeof p->by_encoding);
}

/* Clears the leaf for the next row group. The content hash continues: page ends do not depend on
   groups. */
static void taco__chunk_writer_clear(taco__leaf_writer *l)
{
    taco__chunk_writer_clear_pages(&l->pages);
    taco__dict_builder_clear(&l->dict);
    l->mode = TACO__DICTIONARY_UNDECIDED;
    l->indexed = false;
    memset(&l->trial, 0, sizeof l->trial);
    l->stats.bounded = l->stats.unbounded_page = false;
    l->stats.nulls = l->stats.nans = l->stats.unencoded = 0;
}

TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g)
{
    taco__chunk_place at;
    memset(&at, 0, sizeof at);
    if (!taco__chunk_writer_write(w, l, &at) || !taco__chunk_writer_record(w, l, &at)) {
        return false;
    }
    g->uncompressed += l->pages.plain_bytes;
    g->compressed += at.end - at.start;
    taco__chunk_writer_clear(l);
    return true;
}

TACO__FN bool taco__chunk_writer_fail(taco_pq_writer *w, const taco__leaf_writer *l)
{
    taco_bytes name = taco__bytes_text(w->fields[l->schema.column].name);
    taco__error_prefix(&w->err, "column %q", &name);
    return false;
}
/* ==== src/parquet_write/page_index_write.c ==== */
/* page_index_write.c - ColumnIndex and OffsetIndex of every chunk, before the footer

   In: the page records of a chunk, with the bounds that value_bounds.c has cut. Out: the two Thrift
   structures in footer.indexes, when the chunk ends; in the file all ColumnIndexes, then all
   OffsetIndexes, when the last chunk has been written, so that a reader gets those it needs with
   one request (PageIndex.md). Also the histograms of levels, which SizeStatistics has, too.

   A ColumnIndex has bounds for every page that is not all null: if one has values without bounds
   (only NaN, no order, too long) the chunk has no ColumnIndex. */
/* #include "parquet_write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */

TACO__INLINE const taco__page_record *taco__page_index_write_page(const taco__leaf_writer *l,
                                                                  size_t i)
{
    return (const taco__page_record *)(const void *)l->pages.records.data + i;
}

/* The min or max of page i; empty for a page that is all null, as in PageIndex.md. */
TACO__INLINE taco_bytes taco__page_index_write_bound(const taco__leaf_writer *l, size_t i, bool max)
{
    const taco__page_record *p = taco__page_index_write_page(l, i);
    const uint8_t *bounds = l->pages.bounds.data;
    return p->all_null ? taco__bytes_of(bounds, 0)
           : max       ? taco__bytes_of(bounds + p->max_at, p->max_len)
                       : taco__bytes_of(bounds + p->min_at, p->min_len);
}

static int taco__page_index_write_compare(const taco__leaf_writer *l, size_t a, size_t b, bool max)
{
    return taco__stats_compare(l->schema.order, taco__page_index_write_bound(l, a, max),
                               taco__page_index_write_bound(l, b, max));
}

/* BoundaryOrder of the pages that are not all null: 1 ascending, 2 descending, 0 neither. */
static int32_t taco__page_index_write_order(const taco__leaf_writer *l)
{
    bool up = true, down = true;
    size_t i, last = SIZE_MAX;
    for (i = 0; i < l->pages.count; i++) {
        if (taco__page_index_write_page(l, i)->all_null) { continue; }
        if (last != SIZE_MAX) {
            int low = taco__page_index_write_compare(l, last, i, false);
            int high = taco__page_index_write_compare(l, last, i, true);
            up = up && low <= 0 && high <= 0;
            down = down && low >= 0 && high >= 0;
        }
        last = i;
    }
    return up ? 1 : down ? 2 : 0;
}

/* One histogram: counts of each page, whose records are `stride` counts apart; `n` of them from
   `from` on. */
static void taco__page_index_write_histogram(const taco__leaf_writer *l, taco__thrift_writer *t,
                                             size_t stride, size_t from, size_t n, bool sum)
{
    const int64_t *counts = (const int64_t *)(const void *)l->pages.level_counts.data;
    size_t k, page;
    for (page = 0; !sum && page < l->pages.count; page++) {
        for (k = 0; k < n; k++) {
            taco__thrift_write_number(t, counts[page * stride + from + k]);
        }
    }
    for (k = 0; sum && k < n; k++) {
        int64_t all = 0;
        for (page = 0; page < l->pages.count; page++) {
            all += counts[page * stride + from + k];
        }
        taco__thrift_write_number(t, all);
    }
}

/* Of repetition levels from 1 on, of definition levels from 2 on: below that a histogram says what
   the counts of entries and nulls say (parquet.thrift, SizeStatistics). */
TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum)
{
    size_t rep = (size_t)l->schema.max_rep + 1, def = (size_t)l->schema.max_def + 1;
    size_t pages = sum ? 1 : l->pages.count;
    if (!taco__page_index_write_has_histograms(l)) { return; }
    if (rep > 1) {
        taco__thrift_write_list(t, id, TACO__THRIFT_I64, rep * pages);
        taco__page_index_write_histogram(l, t, rep + def, 0, rep, sum);
    }
    if (def > 2) {
        taco__thrift_write_list(t, (int16_t)(id + 1), TACO__THRIFT_I64, def * pages);
        taco__page_index_write_histogram(l, t, rep + def, rep, def, sum);
    }
}

/* null_pages, min_values, max_values: fields 1 to 3. A list of BOOL has a byte per item. */
static void taco__page_index_write_bounds(const taco__leaf_writer *l, taco__thrift_writer *t)
{
    size_t i, max;
    taco__thrift_write_list(t, 1, TACO__THRIFT_TRUE, l->pages.count);
    for (i = 0; i < l->pages.count; i++) {
        taco__thrift_write_u8(t, taco__page_index_write_page(l, i)->all_null ? TACO__THRIFT_TRUE
                                                                             : TACO__THRIFT_FALSE);
    }
    for (max = 0; max < 2; max++) {
        taco__thrift_write_list(t, (int16_t)(2 + max), TACO__THRIFT_BINARY, l->pages.count);
        for (i = 0; i < l->pages.count; i++) {
            taco__thrift_write_bytes(t, taco__page_index_write_bound(l, i, max != 0));
        }
    }
}

TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, const taco__leaf_writer *l)
{
    taco__thrift_writer t;
    size_t i;
    if (l->stats.unbounded_page || !l->settings.page_index) { return true; }
    taco__thrift_write_init(&t, &w->footer.indexes, &w->err);
    taco__page_index_write_bounds(l, &t);
    taco__thrift_write_i32(&t, 4, taco__page_index_write_order(l));
    taco__thrift_write_list(&t, 5, TACO__THRIFT_I64, l->pages.count);
    for (i = 0; i < l->pages.count; i++) {
        taco__thrift_write_number(&t, taco__page_index_write_page(l, i)->nulls);
    }
    taco__page_index_write_histograms(l, &t, 6, false);
    if (l->schema.order == TACO__STATS_FLOATS) {
        taco__thrift_write_list(&t, 8, TACO__THRIFT_I64, l->pages.count);
        for (i = 0; i < l->pages.count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page(l, i)->nans);
        }
    }
    return taco__thrift_write_end(&t);
}

TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, const taco__leaf_writer *l,
                                                  uint64_t data)
{
    taco__thrift_writer t;
    size_t i;
    taco__thrift_write_init(&t, &w->footer.indexes, &w->err);
    taco__thrift_write_list(&t, 1, TACO__THRIFT_STRUCT, l->pages.count);
    for (i = 0; i < l->pages.count; i++) {
        const taco__page_record *p = taco__page_index_write_page(l, i);
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_i64(&t, 1, (int64_t)(data + p->offset));
        taco__thrift_write_i32(&t, 2, (int32_t)p->size);
        taco__thrift_write_i64(&t, 3, (int64_t)p->first_row);
        taco__thrift_write_end(&t);
    }
    if (l->schema.type == TACO__PQ_BYTE_ARRAY && l->settings.stats) {
        taco__thrift_write_list(&t, 2, TACO__THRIFT_I64, l->pages.count);
        for (i = 0; i < l->pages.count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page(l, i)->unencoded);
        }
    }
    return taco__thrift_write_end(&t);
}

/* Writes one index of a chunk, len bytes of footer.indexes, and records its position. */
static bool taco__page_index_write_one(taco_pq_writer *w, size_t at, size_t len, uint64_t *offset)
{
    *offset = w->offset;
    return len == 0 || taco__pq_writer_write(w, w->footer.indexes.data + at, len);
}

TACO__FN bool taco__page_index_write_all(taco_pq_writer *w)
{
    taco__chunk_record *c = (taco__chunk_record *)(void *)w->footer.chunks.data;
    size_t n = w->footer.chunks.len / sizeof *c, i;
    for (i = 0; i < n; i++) {
        if (!taco__page_index_write_one(w, c[i].column_at, c[i].column_len, &c[i].column_offset)) {
            return false;
        }
    }
    for (i = 0; i < n; i++) {
        if (!taco__page_index_write_one(w, c[i].offset_at, c[i].offset_len, &c[i].offset_offset)) {
            return false;
        }
    }
    return true;
}
#endif /* TACO_PARQUET_IMPLEMENTATION */
