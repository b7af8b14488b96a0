/* taco_parquet.h - read Parquet from C, with nothing but libc.

   One of eleven headers; all others include it. This file is generated from src/ by `make headers`:
   edit src/, not this file. src/where.sh taco_parquet.h:LINE prints where a line comes from, and
   the implementation begins with a table of its files. taco_parquet_write.h writes Parquet,
   taco_parquet_inspect.h prints and verifies whole files.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet.h"

   and include the header without the macro everywhere else. C99 or C++11; no build system, no other
   library. TACO_IMPLEMENTATION, which the other headers use, implies TACO_PARQUET_IMPLEMENTATION.

   Quick start: read one column in batches.

       taco_error      err = {0};
       taco_pq_file   *file = taco_pq_open("level0.parquet", NULL, &err);
       taco_pq_column *col = taco_pq_column_open(file, "cloud_cover", TACO_DOUBLE, &err);
       taco_array      a;
       double          sum = 0;

       while (taco_pq_column_next(col, 4096, &a))
           for (size_t i = 0; i < a.length; i++)
               if (taco_array_valid(&a, i)) sum += a.v.f64[i];
       taco_pq_column_close(col, &err);
       taco_pq_close(file);
       if (err.code) fprintf(stderr, "%s\n", taco_error_text(&err));

   CALLS. These rules hold for every function of every header, unless its comment says otherwise.

       Failure    On failure, a function that makes something returns NULL, an action its
                  taco_status, an iterator (_next, _batch) false, a function that returns text or
                  bytes "" or {NULL, 0}. err says why. It keeps the first failure until it is
                  zeroed, so one check at the end of a program is enough. After a failure an
                  iterator stays at its end, and its _close reports the failure.
       NULL       err may be NULL, and so may every handle: getters then return 0, NULL, "" or
                  {NULL, 0}, iterators false, _close and _free do nothing and return TACO_OK;
                  anything else is an ARGUMENT or STATE error. Option and query structs may be NULL,
                  which is the same as zeroed ones: 0 is the default of every member. Results (out,
                  n) must not be NULL.
       Ownership  Close a handle with its _close or _free, after the handles that were made from it.
                  Returned pointers belong to the handle; comments say how long they are valid.
                  Structs and texts that are passed in are not kept; what an options struct points
                  to (an allocator, callbacks) must outlive the handle.
       Threads    No threads are started, and there is no global state. A handle, with everything
                  made from it, belongs to one thread at a time; different handles share nothing.
                  With taco_options.parallel_for, a host runs row groups in parallel on its threads.

   READS: all physical and logical types; required, optional and nested columns to any depth (lists,
   maps, structs, the legacy two-level list) in Arrow's columnar layout; data pages v1 and v2,
   dictionaries; PLAIN, RLE, BIT_PACKED, DELTA_*, BYTE_STREAM_SPLIT; ZSTD, Snappy, gzip, LZ4 and
   LZ4_RAW with built-in decoders; page CRCs, checked if present; statistics, page indexes, bloom
   filters and dictionaries, to skip row groups and pages. Errors name what is NOT SUPPORTED: LZO
   pages, Brotli pages unless you supply a decoder, encrypted footers and columns, column chunks in
   other files.

   PREDICATES (taco_pq_query.where): comparisons, AND OR NOT, IN, BETWEEN, LIKE, ILIKE, IS [NOT]
   NULL, IS [NOT] TRUE/FALSE, IS [NOT] DISTINCT FROM, DATE '...', TIMESTAMP '...', "quoted names".
   Three-valued logic, types and order are DuckDB's: NaN is greater than every number, text compares
   bytewise, times are UTC. Names match exactly; an unknown one is an error that names the nearest.

   SWITCHES, defined before the include:
       TACO_STATIC         all functions static, for programs with a single source file
       TACO_NO_STDIO       no file access: sources are memory or callbacks
       TACO_NO_MALLOC      no malloc: taco_options.allocator must be set wherever memory is needed
       TACO_NO_SIMD        plain C only (otherwise x86 versions are chosen at run time)
       TACO_SMALL          optimizes for size, for microcontrollers and the web: one loop instead of
                           several specialized ones, nothing unrolled, no SIMD, taco_error.line
                           always 0; the same results
       TACO_NO_ERROR_TEXT  no message texts, only codes and offsets
       TACO_NO_...         leaves out a part; what would need it is an UNSUPPORTED error:
           ZSTD, SNAPPY, GZIP, LZ4     a codec of pages
           DELTA                       DELTA_* and BYTE_STREAM_SPLIT encodings
           NESTED                      lists, maps and structs
           FILTERS                     taco_pq_query.where and .predicates, for taco_parquet.h
                                       alone: taco.h needs them
           PREDICATES                  taco_pq_query.predicates, for taco_parquet.h alone
           LIKE                        LIKE and ILIKE
           DECIMALS                    columns of decimals, and in a `where` numbers with a point
                                       and more than 15 digits (beside FLOAT: 7) or of more than
                                       64 bits; the arithmetic of doubles is not linked then
           DATES                       dates and times as text in a `where`
           AVRO, GEOMETRY, ORDER       of taco.h: metadata in Avro, boxes, sorted results
           MANY                        of taco.h: several datasets opened as one
       TACO_NO_...         leaves out what only saves time; results are the same:
           BLOOM, PAGE_INDEX           skipping row groups and pages by them
           PRUNING                     skipping by anything known before values are decoded:
                                       statistics, which are not even read then, and those two
           READ_AHEAD                  gathering what a query needs into few reads; without it
                                       decoders read page by page, with the least memory
           CACHE                       keeping pages for later queries
           TASKS                       taco_options.parallel_for
       TACO_TRAP           a statement to run where an error is raised, for debugging
       TACO_PARQUET_...    your own decoders:

   YOUR OWN CODECS. Each of these macros, defined as the name of a function, replaces the built-in
   decoder, which is then not compiled. There is no built-in decoder for Brotli: without the macro,
   Brotli pages are refused.

       TACO_PARQUET_ZSTD_DECOMPRESS     one or more ZSTD frames, skippable ones included
       TACO_PARQUET_SNAPPY_DECOMPRESS   a raw Snappy block
       TACO_PARQUET_LZ4_DECOMPRESS      an LZ4 block
       TACO_PARQUET_INFLATE             raw DEFLATE data; more may follow it
       TACO_PARQUET_BROTLI_DECOMPRESS   a Brotli stream
       TACO_PARQUET_CRC32               as zlib's crc32: uint32_t f(uint32_t crc, const void *data,
                                        size_t len)

   The decoders have one signature:

       size_t f(void *dst, size_t dst_cap, const void *src, size_t src_len, size_t *src_used);

   f writes at most dst_cap bytes and returns how many, or any larger number for a failure.
   *src_used is src_len on entry; a decoder that stops earlier sets it, and is called again for the
   rest if more may follow. TACO_PARQUET_INFLATE must set it. f must not keep dst or src; it runs in
   the thread that reads, and may be called from several threads if several files are read at once.
   The library still handles the framing: gzip members (all of them) and zlib headers with their
   checksums, Snappy's length, LZ4 frames and Hadoop's framing of LZ4 blocks, and the errors for too
   many or too few bytes. A failure of f is CORRUPT, even where the built-in decoder would have
   reported a limit that is too low. Blocks of an LZ4 frame that depend on the previous block are
   always decoded by the library.

       libzstd     static size_t f(...) { return ZSTD_decompress(dst, dst_cap, src, src_len); }
       libdeflate  libdeflate_deflate_decompress_ex(d, src, src_len, dst, dst_cap, src_used, &n)
                   == 0 ? n : SIZE_MAX
       snappy      n = dst_cap; snappy_uncompress(src, src_len, dst, &n) == SNAPPY_OK ? n : SIZE_MAX
       lz4         n = LZ4_decompress_safe(src, dst, (int)src_len, (int)dst_cap);
                   n < 0 ? SIZE_MAX : (size_t)n
       libbrotli   n = dst_cap; BrotliDecoderDecompress(src_len, src, &n, dst) == 1 ? n : SIZE_MAX
       zlib        inflateInit2(&z, -15), inflate, *src_used = z.total_in; crc32_z for the CRC

   examples/system_codecs.h has them in full.

   HOSTILE INPUT: once open has returned a handle, every call on it is memory-safe for any bytes.
   Every number from a file is checked before it is used, recursion is bounded, and memory is
   charged to limits.max_memory before it is allocated. The defaults of taco_limits are far above
   what real files need.

   MEMORY: one taco_allocator per handle. Reading in batches needs memory for the largest page and a
   batch of each column, whatever the size of the file; pages that an open file reads twice are
   kept uncompressed, within limits.max_cache.

   ERRORS: one line, `where: at byte N: what was found and what is allowed`. Offsets count from the
   first byte of the Parquet file; for a predicate they are columns of its text, from 0 on. */
#ifndef TACO_PARQUET_H
#define TACO_PARQUET_H

#if (defined(TACO_PARQUET_IMPLEMENTATION) || defined(TACO_IMPLEMENTATION)) &&                      \
    !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64 /* 64-bit file positions on 32-bit systems */
#endif
#if (defined(TACO_PARQUET_IMPLEMENTATION) || defined(TACO_IMPLEMENTATION)) &&                      \
    !defined(_LARGEFILE_SOURCE)
#define _LARGEFILE_SOURCE 1 /* declares fseeko under -std=c99 */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TACO_API
#if defined(TACO_STATIC) && defined(__GNUC__)
#define TACO_API static __attribute__((unused)) /* no warnings about functions never called */
#elif defined(TACO_STATIC)
#define TACO_API static
#else
#define TACO_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header; taco_version returns the version of the implementation. */
#define TACO_VERSION_MAJOR 0
#define TACO_VERSION_MINOR 1
#define TACO_VERSION_PATCH 0
#define TACO_VERSION       "0.1.0"

/* ---- errors -------------------------------------------------------------------------------- */

/* There is a code for each kind of reaction: fix the call, raise a limit, retry, fetch the file
   again, refuse it, provide a decoder. */
typedef enum taco_status {
    TACO_OK = 0,
    TACO_ERR_ARGUMENT,    /* the caller broke the contract */
    TACO_ERR_STATE,       /* the right call at the wrong moment */
    TACO_ERR_MEMORY,      /* the allocator returned NULL */
    TACO_ERR_LIMIT,       /* plausible, but more than a member of taco_limits allows */
    TACO_ERR_IO,          /* a read or write callback failed */
    TACO_ERR_TRUNCATED,   /* the file ends before bytes that its metadata promises */
    TACO_ERR_CORRUPT,     /* bytes that no valid file contains */
    TACO_ERR_CHECKSUM,    /* well formed, but the stored CRC differs */
    TACO_ERR_UNSUPPORTED, /* valid, but not read by this library */
    TACO_ERR_NOT_FOUND,   /* no such file, column or sample */
    TACO_ERR_TYPE,        /* the column exists with another type */
    TACO_ERR_SYNTAX       /* a predicate, time range or JSON text does not parse */
} taco_status;

/* The offset of failures that have no position in a file or text. */
#define TACO_NO_OFFSET UINT64_MAX

/* A failure, in the caller's memory. Starts as `{0}`, keeps the first failure until it is zeroed,
   and may be NULL wherever it is a parameter: a call does and returns the same with NULL, or with
   the failure of an earlier one. (Its first member is not an enum, so that `{0}` is valid C++,
   too.) */
typedef struct taco_error {
    uint64_t offset;  /* byte in the file, or column in the text; TACO_NO_OFFSET */
    taco_status code; /* TACO_OK: no failure */
    int line;         /* source line that raised it */
    char text[384];   /* "where: at byte N: what", one line, NUL-terminated */
} taco_error;

/* Returns the message, "" when there is no failure. Lives as long as err. */
TACO_API const char *taco_error_text(const taco_error *err);
/* Returns the name of a code, a constant: "corrupt", "truncated", ...; "unknown" for other
   numbers. */
TACO_API const char *taco_status_name(taco_status code);
/* Returns the TACO_VERSION of the implementation that was linked, a constant. */
TACO_API const char *taco_version(void);

/* ---- memory, bytes, limits ----------------------------------------------------------------- */

/* Where a handle takes its memory from. resize works like realloc, with results aligned for any
   type; new_size 0 frees and returns NULL. old_size is the size requested before (0 if ptr is
   NULL). Called only from the thread that uses the handle, and from tasks of parallel_for; memory
   held by an Arrow consumer is freed on the consumer's thread. */
typedef struct taco_allocator {
    void *ctx;
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
} taco_allocator;

/* Borrowed bytes, not NUL-terminated. data is NULL if there is no value. */
typedef struct taco_bytes {
    const uint8_t *data;
    size_t len;
} taco_bytes;

/* One range of a vectored read. */
typedef struct taco_piece {
    uint64_t offset;
    void *dst;
    size_t len;
} taco_piece;

/* Random-access bytes: a file, memory, HTTP ranges. A read delivers all of len or fails; ranges are
   within [0, size). All callbacks but read may be NULL. They are called from the thread that uses
   the handle; view also from tasks of parallel_for. */
typedef struct taco_source {
    void *ctx;
    uint64_t size;
    bool (*read)(void *ctx, uint64_t offset, void *dst, size_t len);
    /* Releases ctx. Called once, when the handle that took the source closes or fails to open. */
    void (*close)(void *ctx);
    /* Reads n independent ranges, so that a remote source can fetch them in parallel. */
    bool (*read_many)(void *ctx, const taco_piece *reads, size_t n);
    /* Returns len bytes at offset that stay valid until close, or NULL: then read is called. */
    const void *(*view)(void *ctx, uint64_t offset, size_t len);
} taco_source;

/* The most that a handle may use; 0 = the default in brackets. */
typedef struct taco_limits {
    uint64_t max_metadata; /* bytes of one footer, header index or JSON text [256 MiB] */
    uint64_t max_page;     /* bytes of one page, uncompressed [256 MiB] */
    uint64_t max_memory;   /* live bytes of one handle [1 GiB] */
    uint32_t max_columns;  /* leaf columns of one file [65536] */
    uint32_t max_depth;    /* nesting of JSON, schema and predicate [64] */
    /* Bytes that a handle keeps for later queries until it is closed, in addition to max_memory:
       uncompressed pages that were read twice (the least recently used are dropped first) and, up
       to a quarter of it, buffers of tasks. Being out of memory for them is not an error: nothing
       is kept then. 1 = nothing is ever kept. [max_memory / 16] */
    uint64_t max_cache;
    /* Payload bytes of a dataset that is made from another by export, repack, repair or
       conversion. With a limit, rows may share bytes of the source, which are written for each;
       without one that is CORRUPT, so that no output is larger than its input. [no shared bytes] */
    uint64_t max_output;
    /* Values of a table, null ones too, in all of its columns, for each MiB of its file or of its
       part of an archive, a begun one counted: a few bytes can say that 2^31 values are null.
       [2^40] */
    uint64_t max_values;
    /* Bytes that one pass over a table may decode, such as a query, a check or a copy, for each
       MiB, as above: uncompressed pages, and their values, where texts count as often as they
       occur. With it, column chunks that share bytes are CORRUPT. [no limit] */
    uint64_t max_decoded;
} taco_limits;

/* Sets limits for a service that reads untrusted files, each with its own handle: 16 MiB of
   metadata and per page, 128 MiB of memory, 4096 columns, 32 levels of nesting, nothing kept for
   later queries, 2^23 values and 256 MiB decoded for each MiB of a table. They suffice for ordinary
   datasets of some 100,000 samples. */
TACO_API void taco_limits_strict(taco_limits *out);

struct taco_opener; /* see taco.h */

/* How much taco_options.log gets. */
typedef enum taco_log_level { TACO_LOG_INFO = 1, TACO_LOG_DEBUG } taco_log_level;

/* How files are opened and read. {0} is all defaults. */
typedef struct taco_options {
    const taco_allocator *allocator; /* NULL = malloc and free */
    taco_limits limits;
    /* Called for anything unusual that could still be read; the text says what, and is valid during
       the call. May be NULL. */
    void (*warn)(void *ctx, const taco_error *warning);
    void *warn_ctx;
    /* Opens a file of a dataset by name: fills *out and returns true, or returns false when there
       is no such file. NULL = the C library's files. */
    bool (*open_file)(void *ctx, const char *path, taco_source *out);
    void *open_ctx;
    /* Runs task(arg, i) for each i below n, in any order and on any threads, and returns when all
       are done. NULL = the calling thread runs them. Tasks decode, encode, evaluate, print, and
       copy files of the C library; your sources and sinks are called between them. Tasks call the
       allocator and a source's view from their threads. */
    void (*parallel_for)(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg);
    void *parallel_ctx;
    size_t parallel_width; /* tasks that run at the same time, at most 16; 0 = 4 */
    /* Further formats for taco_open, from other headers, with NULL after the last; NULL = none. */
    const struct taco_opener *const *openers;
    /* Called for each temporary file or directory that a writer makes next to its output: with
       begun true before it is made, with false when it is gone, renamed or removed. A program
       ended by a signal can then remove it. May be NULL. */
    void (*temporary)(void *ctx, const char *path, bool begun);
    void *temporary_ctx;
    /* Called with a line for each thing that is done: at INFO for datasets that are opened and
       written, at DEBUG also for files, tables and queries. Called from the thread that makes the
       call; text is valid until it returns. May be NULL. */
    void (*log)(void *ctx, taco_log_level level, const char *text);
    void *log_ctx;
    /* true: parallel_for is called only for long tasks, such as large parts of a SELECT, of a
       sorted result, or of a file to be written or verified. Without it, scans have tasks, too:
       these are short and wait for each other, and pay if conditions or codecs are slow. */
    bool parallel_long;
    /* Called by writers when something is at the output that they would otherwise refuse: a
       directory, and a file if the function has no `overwrite`. True: it may be replaced as a
       whole, whatever is in it. It keeps its name until the new one is complete, which then takes
       its place in one step (renameat2 on Linux; two renames elsewhere). A writer may ask more than
       once. NULL = refused. */
    bool (*replace)(void *ctx, const char *path);
    void *replace_ctx;
    /* true: payloads whose CRC-32 is not that in their archive are copied and loaded all the same,
       and warn is called for each. false: CHECKSUM, with the sample's name; nothing is written */
    bool keep_damaged;
} taco_options;

/* Fills *out with a source over len bytes at data, which are borrowed until it is closed. data NULL
   is a source of no bytes. Cannot fail. */
TACO_API void taco_source_memory(taco_source *out, const void *data, size_t len);
#ifndef TACO_NO_STDIO
/* Opens a file for random access with the C library and fills *out, whose close the caller or a
   handle calls. NOT_FOUND when it does not exist or is not a regular file (a directory, a pipe), IO
   when the system refuses to open it: no permission, or too many open files. The source belongs to
   one thread at a time. */
TACO_API taco_status taco_source_file(taco_source *out, const char *path, taco_error *err);
#endif

/* ---- columns in memory: the Arrow columnar layout ------------------------------------------- */

typedef enum taco_type {
    TACO_NULL = 0, /* no values at all */
    TACO_BOOL,     /* bitmap, least significant bit first */
    TACO_INT8,
    TACO_INT16,
    TACO_INT32,
    TACO_INT64,
    TACO_UINT8,
    TACO_UINT16,
    TACO_UINT32,
    TACO_UINT64,
    TACO_HALF, /* IEEE 754 binary16 */
    TACO_FLOAT,
    TACO_DOUBLE,
    /* width 16 or 32: little-endian two's complement; width 0: big-endian bytes laid out as
       TACO_BINARY */
    TACO_DECIMAL,
    TACO_DATE,      /* int32 days since 1970-01-01 */
    TACO_TIME,      /* int32 (TACO_MILLI) or int64 since midnight */
    TACO_TIMESTAMP, /* int64 since 1970-01-01T00:00:00 */
    TACO_INT96,     /* 12 bytes: int64 nanoseconds of the day, int32 Julian day, little-endian */
    TACO_INTERVAL,  /* 12 bytes: months, days, milliseconds, uint32 little-endian */
    TACO_TEXT,      /* int32 offsets and bytes, meant to be UTF-8 */
    TACO_BINARY,    /* int32 offsets and bytes */
    TACO_FIXED,     /* width bytes each */
    TACO_UUID,      /* 16 bytes each */
    TACO_LIST,      /* int32 offsets and one child */
    TACO_MAP,       /* int32 offsets and one TACO_STRUCT child of key and value */
    TACO_STRUCT     /* children of the same length */
} taco_type;

typedef enum taco_unit { TACO_SECOND = 0, TACO_MILLI, TACO_MICRO, TACO_NANO } taco_unit;

/* A column: its name, type and nesting. */
typedef struct taco_field {
    const char *name; /* NUL-terminated; a zero byte in a file's name ends it */
    taco_type type;
    taco_unit unit; /* TIME, TIMESTAMP */
    bool utc;       /* TIMESTAMP, TIME: instants, adjusted to UTC */
    bool nullable;
    /* bytes of one value of FIXED, DECIMAL and every other type of a fixed width; 0 otherwise */
    int32_t width;
    int32_t precision, scale;          /* DECIMAL */
    const struct taco_field *children; /* LIST 1, MAP 1, STRUCT n */
    uint32_t child_count;
    uint32_t leaf; /* first Parquet leaf column below this field */
    uint32_t leaf_count;
} taco_field;

/* `length` rows of one field. Bit i of validity is set where row i has a value; NULL = every row
   has one. offsets has length + 1 entries (TEXT, BINARY, LIST, MAP, DECIMAL of width 0). Where
   dictionary is set, v.i32 holds indices into it. Values of null rows are unspecified, offsets of
   null rows are well formed. */
typedef struct taco_array {
    const taco_field *field;
    size_t length;
    size_t null_count;
    const uint8_t *validity;
    const int32_t *offsets;

    union {
        const void *any;
        const uint8_t *u8;
        const int8_t *i8;
        const int16_t *i16;
        const uint16_t *u16;
        const int32_t *i32;
        const uint32_t *u32;
        const int64_t *i64;
        const uint64_t *u64;
        const float *f32;
        const double *f64;
    } v;
    const struct taco_array *dictionary;
    const struct taco_array *children; /* field->child_count of them */
} taco_array;

/* A horizontal slice of a table: columns of equal length. */
typedef struct taco_batch {
    int64_t first_row; /* its row in the source, where the rows are contiguous there; else -1 */
    size_t length;
    const taco_array *columns;
    size_t column_count;
} taco_batch;

/* The value of row i of an array, i < length. These four functions cannot fail, read only the
   array, and accept any type of column, but not NULL. */

/* Returns whether row i has a value. */
TACO_API bool taco_array_valid(const taco_array *a, size_t i);
/* Returns the bytes of a TEXT, BINARY, FIXED, UUID, INT96, INTERVAL or variable-width DECIMAL, also
   from a dictionary; {NULL, 0} when null or of another type. They live as long as the array. */
TACO_API taco_bytes taco_array_bytes(const taco_array *a, size_t i);
/* Returns the value of an integer, BOOL, DATE, TIME or TIMESTAMP; 0 when null or of another type.
   UINT64 above INT64_MAX wraps. */
TACO_API int64_t taco_array_int(const taco_array *a, size_t i);
/* Returns the value of an integer, BOOL, HALF, FLOAT, DOUBLE or DECIMAL of a fixed width as a
   double; 0 when null or of another type. */
TACO_API double taco_array_double(const taco_array *a, size_t i);

/* ---- Parquet files ------------------------------------------------------------------------- */

typedef struct taco_pq_file taco_pq_file;
typedef struct taco_pq_reader taco_pq_reader;
typedef struct taco_pq_column taco_pq_column;

/* Opens a file and reads its footer. opt may be NULL. The caller closes the file with
   taco_pq_close; a file and its readers belong to one thread at a time. */
TACO_API taco_pq_file *taco_pq_open(const char *path, const taco_options *opt, taco_error *err);
/* Opens a source, which is copied, and is closed with the file, or at once on failure. name is used
   in messages; it may be NULL.

       src   bytes of a Parquet file; read and size must be set
       name  name in messages; copied. May be NULL
       opt   options; NULL: defaults */
TACO_API taco_pq_file *taco_pq_open_source(const taco_source *src, const char *name,
                                           const taco_options *opt, taco_error *err);
/* Closes the file; its readers and columns must be closed before. */
TACO_API void taco_pq_close(taco_pq_file *file);

/* Return the rows and row groups that the footer declares, 0 for NULL. */
TACO_API int64_t taco_pq_rows(const taco_pq_file *file);
TACO_API size_t taco_pq_row_groups(const taco_pq_file *file);
/* Returns the top-level columns, *n of them, in file order. They live as long as the file. */
TACO_API const taco_field *taco_pq_fields(const taco_pq_file *file, size_t *n);
/* Returns the value of a key of the footer's key-value metadata, {NULL, 0} when there is no such
   key. It lives as long as the file. */
TACO_API taco_bytes taco_pq_key_value(const taco_pq_file *file, const char *key);

/* A condition of the caller on one column. If taco_options.parallel_for is set, both functions are
   called from its threads. */
typedef struct taco_pq_predicate {
    const char *column; /* top-level name */
    void *ctx;
    /* Sets the bits (least significant first) of the first `rows` rows of the array that match; all
       are 0 on entry. Bits of rows without a value are ignored. The array has no dictionary, but
       may hold the entries of one in place of rows. False fails the read. */
    bool (*match)(void *ctx, const taco_array *values, size_t rows, uint8_t *bits);
    /* Returns whether any value from min to max, or NaN, may match; false skips them. min and max
       are arrays of one row, or NULL if a bound is not known; a bound need not be one of the
       values. May be NULL: nothing is skipped. */
    bool (*may_match)(void *ctx, const taco_array *min, const taco_array *max);
} taco_pq_predicate;

/* What to read from a file; {0} reads everything. */
typedef struct taco_pq_query {
    const char *const *columns; /* top-level names; NULL = all */
    size_t column_count;
    /* predicate over any columns of the file, see the manual; NULL = every row */
    const char *where;
    uint64_t limit;    /* rows; 0 = no limit */
    size_t batch_rows; /* at most; 0 = 4096 */
    /* rows of the file to read; row_count 0 = up to the last */
    uint64_t first_row, row_count;
    const taco_pq_predicate *predicates; /* all of them must hold, and `where` */
    size_t predicate_count;
    /* the batches are for a printer of TACO_FORMAT_ARROW: fields of INT96 get the unit that they
       have there (taco_pq_reader_export) [false] */
    bool arrow;
} taco_pq_query;

/* Starts reading the matching rows, in file order, a batch at a time. q may be NULL and is not
   kept, except for the ctx of its predicates. NULL on failure: NOT_FOUND or TYPE for a column,
   SYNTAX for `where`. The caller closes the reader, before the file. */
TACO_API taco_pq_reader *taco_pq_read(taco_pq_file *file, const taco_pq_query *q, taco_error *err);
/* Returns the columns of the batches, *n of them. They live as long as the reader. */
TACO_API const taco_field *taco_pq_reader_fields(const taco_pq_reader *reader, size_t *n);
/* Fills *out with the next batch; its arrays live until the next call. False at the end and on
   failure: _close says which. */
TACO_API bool taco_pq_reader_next(taco_pq_reader *reader, taco_batch *out);
/* Releases the reader. Returns its failure, if it had one, which is copied to err unless err holds
   another. */
TACO_API taco_status taco_pq_reader_close(taco_pq_reader *reader, taco_error *err);

/* Opens one column, to be read in batches: `while (taco_pq_column_next(col, 4096, &a)) ...
   a.v.f64[i]`. If the column does not have the expected type, the TYPE error names both. NULL on
   failure. The caller closes it, before the file.

       file  must outlive the column
       name  of a top-level column, matched exactly; not kept
       type  that the caller expects */
TACO_API taco_pq_column *taco_pq_column_open(taco_pq_file *file, const char *name, taco_type type,
                                             taco_error *err);
/* Fills *out with at most max_rows further rows; they live until the next call. False at the end
   and on failure: _close says which. */
TACO_API bool taco_pq_column_next(taco_pq_column *col, size_t max_rows, taco_array *out);
/* As taco_pq_reader_close. */
TACO_API taco_status taco_pq_column_close(taco_pq_column *col, taco_error *err);

/* ---- Arrow: C data and C stream interface ---------------------------------------------------
   arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif /* ARROW_C_STREAM_INTERFACE */

/* Passes the remaining rows to an Arrow consumer. *out takes over the reader, also on failure, and
   its release closes it; with close_file it closes the file as well, otherwise the file must
   outlive the stream, but not its arrays. Dictionaries are decoded; INTERVAL and decimals of more
   than 76 digits become bytes, UUID arrow.uuid. Text that is not UTF-8 is an error of get_next;
   get_last_error returns the message.

   INT96 becomes timestamp[ns], or timestamp[us] where a value of the column, in any row of the
   file, is outside 1677 to 2262, or timestamp[ms] beyond the years of microseconds: these columns
   are read once more to find out, as the schema comes first. options->warn is told if digits are
   cut for that.

   The stream belongs to one thread at a time. Arrays belong to the consumer: they count against
   limits.max_memory until get_next returns them, may outlive the stream and the file, and may be
   released on any thread, from which the caller's allocator is then called.

       reader      the reader, which *out owns afterwards
       close_file  whether the release of *out closes the file as well
       out         gets the stream; the caller releases it. Not NULL */
TACO_API taco_status taco_pq_reader_export(taco_pq_reader *reader, bool close_file,
                                           struct ArrowArrayStream *out, taco_error *err);

/* ---- batches as text, or as an Arrow IPC stream --------------------------------------------- */

typedef enum taco_format {
    TACO_FORMAT_NDJSON = 1, /* one object per line */
    /* RFC 4180 with a header line, but lines end with a line feed; nested values as JSON, null as
       an empty field */
    TACO_FORMAT_CSV,
    TACO_FORMAT_TABLE, /* aligned columns, with the widths of the first batch */
    /* only the first column, one value per line: text as it is, null as an empty line; UNSUPPORTED
       for text with a control character other than a tab, which could pass for another line */
    TACO_FORMAT_LINES,
    TACO_FORMAT_ARROW,    /* the Arrow IPC stream, with the types of taco_pq_reader_export */
    TACO_FORMAT_CSV_CRLF, /* CSV with lines ended by CR LF, as in RFC 4180 */
    /* as LINES, but a zero byte ends each value, which may have any other control character: for
       `xargs -0` */
    TACO_FORMAT_NUL
} taco_format;
typedef struct taco_printer taco_printer;

/* Makes a printer for batches of these n fields, which must outlive it. NULL on failure. The caller
   closes it; one thread at a time.

       fields  n of them, borrowed until the printer is closed
       n       columns of the batches
       format  of the text
       opt     gives allocator and limits, and parallel_for, which prints parts of large batches
               as NDJSON and CSV; NULL: defaults */
TACO_API taco_printer *taco_printer_open(const taco_field *fields, size_t n, taco_format format,
                                         const taco_options *opt, taco_error *err);
/* Returns the text of a batch; it lives until the next call. {NULL, 0} on failure. The first text
   starts with the header, if the format has one: if there are no rows, print an empty batch. batch
   NULL returns the end of the output, which is empty except for an Arrow stream. */
TACO_API taco_bytes taco_printer_batch(taco_printer *p, const taco_batch *batch, taco_error *err);
/* Returns the text of one cell as in a table, but not shortened; it lives until the next call.
   {NULL, 0} on failure.

       p  the printer
       a  of any type; borrowed during the call
       i  row of the array, less than its length */
TACO_API taco_bytes taco_printer_cell(taco_printer *p, const taco_array *a, size_t i,
                                      taco_error *err);
/* Releases the printer. */
TACO_API void taco_printer_close(taco_printer *p);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PARQUET_H */
