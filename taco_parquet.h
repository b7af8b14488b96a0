/* taco_parquet.h - read Parquet from C, with nothing but libc.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet.h"

   and include the header plainly wherever else it is used. C99 or C++11; no build system, no other
   library. `#define TACO_IMPLEMENTATION` and taco.h bring this header along.

   Quick start: one column in batches.

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

   One check at the end is enough: every call accepts NULL handles, taco_error keeps the first failure,
   and an iterator that ends tells in its _close whether it was the end.

   READS: all physical and logical types; required, optional and nested columns to any depth (lists,
   maps, structs, the legacy two-level list) in Arrow's columnar layout; data pages v1 and v2,
   dictionaries; PLAIN, RLE, BIT_PACKED, DELTA_*, BYTE_STREAM_SPLIT; ZSTD, Snappy, gzip, LZ4 and LZ4_RAW
   by decoders of its own; page CRCs, checked where they are; statistics, for skipping row groups.
   REFUSES by name: Brotli and LZO pages, encrypted footers and columns, column chunks in other files.
   DOES NOT yet: use the page index or bloom filters, write.

   PREDICATES (taco_pq_query.where): comparisons, AND OR NOT, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL,
   IS [NOT] TRUE/FALSE, IS [NOT] DISTINCT FROM, DATE '...', TIMESTAMP '...', "quoted names". Three-valued
   logic, types and order are DuckDB's: NaN is greater than every number, text compares bytewise, times
   are UTC. Names match exactly; an unknown one is an error that lists the nearest.

   SWITCHES, defined before the include:
       TACO_STATIC         everything static, for one source file
       TACO_NO_STDIO       no files: sources come from memory or from callbacks
       TACO_NO_SIMD        plain C only (the x86 versions are chosen at run time)
       TACO_NO_ERROR_TEXT  no message texts, only codes and offsets
       TACO_TRAP           a statement that is run where an error is raised, for debugging

   HOSTILE INPUT: if open returned a handle, every call on it is memory-safe for any bytes. Every number
   of a file is proven before it is used; recursion is bounded; memory is charged to limits.max_memory
   before it is asked for. taco_limits says what is the most; the defaults are never met by real files.

   MEMORY: one taco_allocator per handle; batches are borrowed until the next call; nothing is global.
   Reading streams: live memory is the largest page plus a batch per column, whatever the file's size.

   THREADS: none are started. A handle belongs to one thread at a time; handles share nothing.

   ERRORS: one line, `where: at byte N: what was found and what is allowed`. Offsets count from the first
   byte of the Parquet file; those of a predicate are columns of its text.

   ROOMS, in order of dependency: a room uses only rooms above it. Private names begin with taco__ and
   the room's prefix.

   plat      - compiler, machine and byte order
   base      - checked arithmetic, little-endian loads, slices, a sticky byte cursor
   error     - fill and prefix a taco_error
   mem       - the only caller of malloc: budget, arena, growable buffer
   io        - the only user of stdio: sources, and a file that keeps what it has read
   num       - numbers to text and back, UTF-8, never asking the locale
   time      - days and civil dates, ISO 8601 both ways, day ranges
   hash      - CRC-32 and XXH64
   bits      - bitmaps at any bit offset, bit-unpacking kernels
   copy      - wide copies for the LZ decoders, which may write past their end; a wide comparison
   huf       - bits and the lengths of Huffman codes, for the encoders
   snappy    - decode and encode one raw Snappy block
   lz4       - decode LZ4 blocks, frames and Hadoop's framing; encode blocks
   flate     - inflate raw DEFLATE data, zlib streams and gzip files
   flate_enc - encode gzip
   zstd_dec  - decode ZSTD frames
   zstd_enc  - encode ZSTD frames
   thrift    - read Thrift compact-protocol structures
   meta      - the gate for footers, page headers and page indexes: what passes is proven
   stats     - what min, max and null counts prove about the values of a chunk or page
   describe  - schemas, types and footers as text, for people and for tools
   enc       - value decodings into Arrow buffers, gather, spacing, decimals
   page      - a column chunk read forward: page headers, CRC, codecs, levels, values
   column    - Arrow arrays from the levels and values of leaf columns
   read      - a Parquet file: footer, columns, rows by number
   text      - one cell or row of the columns as JSON, CSV or plain text
   value     - typed scalars: literals, statistics and the order of SQL
   lex       - tokens of SQL text
   like      - LIKE and ILIKE patterns over UTF-8
   expr      - predicates: parse SQL conditions, bind them to columns
   eval      - run a bound condition over batches, or over statistics
   scan      - rows of a table that match: prune, read what the predicate needs, evaluate, read
               the rest
   public    - the calls of the Parquet API */
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
#define TACO_API static __attribute__((unused)) /* what the program does not call is no warning */
#elif defined(TACO_STATIC)
#define TACO_API static
#else
#define TACO_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TACO_VERSION_MAJOR 0
#define TACO_VERSION_MINOR 1
#define TACO_VERSION_PATCH 0
#define TACO_VERSION       "0.1.0"

/* ---- errors -------------------------------------------------------------------------------- */

typedef enum taco_status {
    TACO_OK = 0,
    TACO_ERR_ARGUMENT,    /* the caller broke the contract                     */
    TACO_ERR_STATE,       /* right call, wrong moment                          */
    TACO_ERR_MEMORY,      /* the allocator returned NULL                       */
    TACO_ERR_LIMIT,       /* plausible input, larger than a taco_limits field  */
    TACO_ERR_IO,          /* a read or write callback failed                   */
    TACO_ERR_TRUNCATED,   /* the file ends before bytes its metadata promises  */
    TACO_ERR_CORRUPT,     /* bytes that no valid file contains                 */
    TACO_ERR_CHECKSUM,    /* well formed, but the stored CRC disagrees         */
    TACO_ERR_UNSUPPORTED, /* valid, outside what this library reads            */
    TACO_ERR_NOT_FOUND,   /* no such file, column or sample                    */
    TACO_ERR_TYPE,        /* the column exists with another type               */
    TACO_ERR_SYNTAX       /* predicate, time range or JSON does not parse      */
} taco_status;

#define TACO_NO_OFFSET UINT64_MAX

/* The caller's, fixed size, `{0}` to begin with. It keeps the first failure until it is zeroed.
   NULL is accepted wherever a taco_error is. The first member is not an enum, so that `{0}` is C++ too. */
typedef struct taco_error {
    uint64_t    offset; /* byte in the file, or column in the text; TACO_NO_OFFSET */
    taco_status code;
    int         line;      /* line of the header that raised it */
    char        text[384]; /* "where: at byte N: what", one line, NUL-terminated */
} taco_error;

/* Returns the message, "" when there is no failure. Never NULL. Lives as long as err. */
TACO_API const char *taco_error_text(const taco_error *err);
/* Returns a constant word for a code: "corrupt", "truncated", ... Never NULL. */
TACO_API const char *taco_status_name(taco_status code);
/* Returns TACO_VERSION of the implementation that was linked. */
TACO_API const char *taco_version(void);

/* ---- memory, bytes, limits ----------------------------------------------------------------- */

/* new_size 0 frees and returns NULL; otherwise as realloc, aligned for any type. old_size is what was asked for
   before, so that arenas work. Called only from the thread that uses the handle. */
typedef struct taco_allocator {
    void *ctx;
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
} taco_allocator;

typedef struct taco_bytes { /* borrowed bytes, not NUL-terminated */
    const uint8_t *data;
    size_t         len;
} taco_bytes;

typedef struct taco_piece { /* one of the ranges of a vectored read */
    uint64_t offset;
    void    *dst;
    size_t   len;
} taco_piece;

/* Random-access bytes: file, memory, HTTP range. Every call reads all of len or fails.
   read_many may be NULL; where it is set, independent ranges are asked for in one call, so that a remote source can
   fetch them in parallel. view may be NULL; where it is set, it returns len bytes at offset that stay valid until
   close, or NULL. close may be NULL. */
typedef struct taco_source {
    void    *ctx;
    uint64_t size;
    bool (*read)(void *ctx, uint64_t offset, void *dst, size_t len);
    void (*close)(void *ctx);
    bool (*read_many)(void *ctx, const taco_piece *reads, size_t n);
    const void *(*view)(void *ctx, uint64_t offset, size_t len);
} taco_source;

typedef struct taco_limits { /* 0 = default in brackets */
    uint64_t max_metadata;   /* bytes of one footer, header index or JSON text  [256 MiB] */
    uint64_t max_page;       /* bytes of one page, uncompressed                 [256 MiB] */
    uint64_t max_memory;     /* live bytes of one handle                        [  1 GiB] */
    uint32_t max_columns;    /* leaf columns of one file                        [  65536] */
    uint32_t max_depth;      /* nesting of JSON, schema, predicate              [     64] */
} taco_limits;

typedef struct taco_options {
    const taco_allocator *allocator; /* NULL = malloc and free */
    taco_limits           limits;
    /* Called for what is odd but was read: with a warning whose text says what. May be NULL. */
    void (*warn)(void *ctx, const taco_error *warning);
    void *warn_ctx;
    /* Opens a file by name; NULL = the C library's files. Used for every file of a dataset. Fills *out and returns
       true, or false when there is no such file. */
    bool (*open_file)(void *ctx, const char *path, taco_source *out);
    void *open_ctx;
    /* Runs task(arg, 0..n-1), in any order and on any threads, and returns when all are done. NULL = a plain loop. */
    void (*parallel_for)(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg);
    void *parallel_ctx;
} taco_options;

/* Fills *out with a source over the len bytes at data, which are borrowed until it is closed. */
TACO_API void taco_source_memory(taco_source *out, const void *data, size_t len);
#ifndef TACO_NO_STDIO
/* Opens a file for random access with the C library. NOT_FOUND when it is not there, IO for other failures. */
TACO_API taco_status taco_source_file(taco_source *out, const char *path, taco_error *err);
#endif

/* ---- columns in memory: the Arrow columnar layout ------------------------------------------- */

typedef enum taco_type {
    TACO_NULL = 0, /* no values at all                                        */
    TACO_BOOL,     /* bitmap, least significant bit first                     */
    TACO_INT8,
    TACO_INT16,
    TACO_INT32,
    TACO_INT64,
    TACO_UINT8,
    TACO_UINT16,
    TACO_UINT32,
    TACO_UINT64,
    TACO_HALF, /* IEEE 754 binary16                                      */
    TACO_FLOAT,
    TACO_DOUBLE,
    TACO_DECIMAL, /* width 16 or 32: little-endian two's complement; width 0: big-endian bytes laid out as TACO_BINARY */
    TACO_DATE,    /* int32 days since 1970-01-01                            */
    TACO_TIME,    /* int32 (TACO_MILLI) or int64 since midnight             */
    TACO_TIMESTAMP, /* int64 since 1970-01-01T00:00:00                        */
    TACO_INT96,     /* 12 bytes: int64 nanoseconds of the day, int32 Julian day, little-endian */
    TACO_INTERVAL,  /* 12 bytes: months, days, milliseconds, uint32 little-endian */
    TACO_TEXT,      /* int32 offsets + bytes, meant to be UTF-8               */
    TACO_BINARY,    /* int32 offsets + bytes                                  */
    TACO_FIXED,     /* width bytes each                                       */
    TACO_UUID,      /* 16 bytes each                                          */
    TACO_LIST,      /* int32 offsets + one child                              */
    TACO_MAP,       /* int32 offsets + one TACO_STRUCT child of key and value */
    TACO_STRUCT     /* children of the same length                            */
} taco_type;

typedef enum taco_unit { TACO_SECOND = 0, TACO_MILLI, TACO_MICRO, TACO_NANO } taco_unit;

typedef struct taco_field {
    const char *name; /* NUL-terminated; a zero byte in a file's name ends it */
    taco_type   type;
    taco_unit   unit; /* TIME, TIMESTAMP */
    bool        utc;  /* TIMESTAMP, TIME: instants, adjusted to UTC */
    bool        nullable;
    int32_t width; /* bytes of one value: FIXED, DECIMAL, and every fixed-width type; 0 otherwise */
    int32_t precision, scale;          /* DECIMAL */
    const struct taco_field *children; /* LIST 1, MAP 1, STRUCT n */
    uint32_t                 child_count;
    uint32_t                 leaf; /* first Parquet leaf column below this field */
    uint32_t                 leaf_count;
} taco_field;

/* Length rows of one field. Bit i of validity is set where row i has a value; NULL = every row has one.
   offsets has length + 1 entries (TEXT, BINARY, LIST, MAP, DECIMAL of width 0). Where dictionary is set, v.i32 holds
   indices into it. Values of null rows are unspecified, offsets of null rows are well formed. */
typedef struct taco_array {
    const taco_field *field;
    size_t            length;
    size_t            null_count;
    const uint8_t    *validity;
    const int32_t    *offsets;
    union {
        const void     *any;
        const uint8_t  *u8;
        const int8_t   *i8;
        const int16_t  *i16;
        const uint16_t *u16;
        const int32_t  *i32;
        const uint32_t *u32;
        const int64_t  *i64;
        const uint64_t *u64;
        const float    *f32;
        const double   *f64;
    } v;
    const struct taco_array *dictionary;
    const struct taco_array *children; /* field->child_count of them */
} taco_array;

typedef struct taco_batch {      /* a horizontal slice of a table: columns of equal length */
    int64_t           first_row; /* of the source, where the rows are contiguous; else -1 */
    size_t            length;
    const taco_array *columns;
    size_t            column_count;
} taco_batch;

/* True when row i has a value. */
TACO_API bool taco_array_valid(const taco_array *a, size_t i);
/* Bytes of row i of a TEXT, BINARY, FIXED, UUID (or dictionary of these) array; {NULL, 0} when null. Owned by the batch. */
TACO_API taco_bytes taco_array_bytes(const taco_array *a, size_t i);
/* Value of row i of any integer, BOOL, DATE, TIME or TIMESTAMP array; 0 when null or of another type. */
TACO_API int64_t taco_array_int(const taco_array *a, size_t i);
/* Value of row i of any integer, BOOL, HALF, FLOAT, DOUBLE or DECIMAL array as a double; 0 when null or of another type. */
TACO_API double taco_array_double(const taco_array *a, size_t i);

/* ---- Parquet files ---------------------------------------------------------------------------- */

typedef struct taco_pq_file   taco_pq_file;
typedef struct taco_pq_reader taco_pq_reader;
typedef struct taco_pq_column taco_pq_column;

/* Opens a file and reads its footer. opt may be NULL; what it points to (not itself) must outlive the file. NULL on
   failure. A file and its readers belong to one thread at a time; different files share nothing. */
TACO_API taco_pq_file *taco_pq_open(const char *path, const taco_options *opt, taco_error *err);
/* The same over a source, which is copied and is closed with the file, on failure too. name is used in messages. */
TACO_API taco_pq_file *taco_pq_open_source(const taco_source *src, const char *name,
                                           const taco_options *opt, taco_error *err);
/* Releases the file; its readers must be closed before. NULL is accepted. */
TACO_API void taco_pq_close(taco_pq_file *file);

TACO_API int64_t taco_pq_rows(const taco_pq_file *file);
TACO_API size_t  taco_pq_row_groups(const taco_pq_file *file);
/* Top-level columns, *n of them, in file order. Live as long as the file. */
TACO_API const taco_field *taco_pq_fields(const taco_pq_file *file, size_t *n);
/* Value of a key of the footer's key-value metadata; {NULL, 0} when it is not there. Lives as long as the file. */
TACO_API taco_bytes taco_pq_key_value(const taco_pq_file *file, const char *key);
/* The schema in Parquet's message type notation; row groups, chunks and statistics as one JSON object. Both live as
   long as the file; {NULL, 0} on failure. */
TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *file, taco_error *err);

typedef struct taco_pq_query {  /* {0} reads everything */
    const char *const *columns; /* top-level names; NULL = all */
    size_t             column_count;
    const char
            *where; /* predicate over any columns of the file, see the manual; NULL = every row */
    uint64_t limit; /* rows; 0 = no limit */
    size_t   batch_rows; /* at most; 0 = 4096 */
} taco_pq_query;

/* Rows that match, in file order, a batch at a time. q may be NULL; it is not kept. NULL on failure. */
TACO_API taco_pq_reader *taco_pq_read(taco_pq_file *file, const taco_pq_query *q, taco_error *err);
/* Columns of the batches, *n of them. Live as long as the reader. */
TACO_API const taco_field *taco_pq_reader_fields(const taco_pq_reader *reader, size_t *n);
/* Next batch; its arrays live until the next call. False at the end and on failure; _close tells which. */
TACO_API bool taco_pq_reader_next(taco_pq_reader *reader, taco_batch *out);
/* Releases the reader (NULL is accepted) and reports its failure, if it had one, into err. */
TACO_API taco_status taco_pq_reader_close(taco_pq_reader *reader, taco_error *err);

/* One column, in batches of at most max_rows: `while (taco_pq_column_next(col, 4096, &a)) ... a.v.f64[i]`. The type is
   what the caller expects; another one is a TYPE error that names both. */
TACO_API taco_pq_column *taco_pq_column_open(taco_pq_file *file, const char *name, taco_type type,
                                             taco_error *err);
TACO_API bool            taco_pq_column_next(taco_pq_column *col, size_t max_rows, taco_array *out);
TACO_API taco_status     taco_pq_column_close(taco_pq_column *col, taco_error *err);
/* Batches as text. */
typedef enum taco_format {
    TACO_FORMAT_NDJSON = 1, /* an object a line */
    TACO_FORMAT_CSV,        /* RFC 4180, a header line; nested values as JSON, null as nothing */
    TACO_FORMAT_TABLE,      /* columns for people; widths come from the first batch */
    TACO_FORMAT_LINES       /* the first column alone, a value a line */
} taco_format;
typedef struct taco_printer taco_printer;
/* fields are those of the batches to come and must outlive the printer. NULL on failure. */
TACO_API taco_printer *taco_printer_open(const taco_field *fields, size_t n, taco_format format,
                                         const taco_options *opt, taco_error *err);
/* The text of a batch, lives until the next call; {NULL, 0} on failure. The first text starts with the header, if any;
   print a batch of no columns to get the header of no rows. */
TACO_API taco_bytes taco_printer_batch(taco_printer *p, const taco_batch *batch, taco_error *err);
TACO_API void       taco_printer_close(taco_printer *p);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PARQUET_H */

#if (defined(TACO_PARQUET_IMPLEMENTATION) || defined(TACO_IMPLEMENTATION)) &&                      \
    !defined(TACO__PARQUET_IMPLEMENTED)
#define TACO__PARQUET_IMPLEMENTED

/* ==== ROOM plat: compiler, machine and byte order. Uses: -. The only room with such #if tests ==== */

#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define TACO__LIKELY(x)   __builtin_expect(!!(x), 1)
#define TACO__UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TACO__INLINE      static inline __attribute__((always_inline, unused))
#define TACO__FN          static __attribute__((unused))
#define TACO__COLD        static __attribute__((cold, noinline, unused))
#define TACO__NOINLINE    static __attribute__((noinline, unused))
#elif defined(_MSC_VER)
#define TACO__LIKELY(x)   (x)
#define TACO__UNLIKELY(x) (x)
#define TACO__INLINE      static __forceinline
#define TACO__FN          static
#define TACO__COLD        static __declspec(noinline)
#define TACO__NOINLINE    static __declspec(noinline)
#else
#define TACO__LIKELY(x)   (x)
#define TACO__UNLIKELY(x) (x)
#define TACO__INLINE      static inline
#define TACO__FN          static
#define TACO__COLD        static
#define TACO__NOINLINE    static
#endif

#if defined(__cplusplus)
#define TACO__RESTRICT
#elif defined(__GNUC__) || defined(__clang__) ||                                                   \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define TACO__RESTRICT restrict
#else
#define TACO__RESTRICT
#endif

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define TACO__BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define TACO__BIG_ENDIAN 0
#endif

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__)) &&     \
    !defined(TACO_NO_SIMD)
#define TACO__X86 1
#include <immintrin.h>
#define TACO__TARGET(isa)  __attribute__((target(isa)))
#define TACO__CPU_HAS(isa) (__builtin_cpu_supports(isa) != 0)
#else
#define TACO__X86 0
#endif

#if defined(__GNUC__) || defined(__clang__)
TACO__INLINE unsigned taco__plat_ctz64(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
} /* x != 0 */
TACO__INLINE unsigned taco__plat_clz64(uint64_t x)
{
    return (unsigned)__builtin_clzll(x);
} /* x != 0 */
TACO__INLINE unsigned taco__plat_popcount64(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}
TACO__INLINE uint64_t taco__plat_swap64(uint64_t x)
{
    return __builtin_bswap64(x);
}
TACO__INLINE uint32_t taco__plat_swap32(uint32_t x)
{
    return __builtin_bswap32(x);
}
#else
TACO__FN unsigned taco__plat_ctz64(uint64_t x)
{
    unsigned n = 0;
    while (!(x & 1)) {
        x >>= 1;
        n++;
    }
    return n;
}
TACO__FN unsigned taco__plat_clz64(uint64_t x)
{
    unsigned n = 0;
    while (!(x >> 63)) {
        x <<= 1;
        n++;
    }
    return n;
}
TACO__FN unsigned taco__plat_popcount64(uint64_t x)
{
    unsigned n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}
TACO__FN uint32_t taco__plat_swap32(uint32_t x)
{
    return (x >> 24) | ((x >> 8) & 0xFF00U) | ((x << 8) & 0xFF0000U) | (x << 24);
}
TACO__FN uint64_t taco__plat_swap64(uint64_t x)
{
    return ((uint64_t)taco__plat_swap32((uint32_t)x) << 32) |
           taco__plat_swap32((uint32_t)(x >> 32));
}
#endif

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 taco__plat_u128;
TACO__INLINE uint64_t                   taco__plat_mul64(uint64_t a, uint64_t b,
                                                         uint64_t *high) /* all 128 bits of a * b */
{
    taco__plat_u128 p = (taco__plat_u128)a * b;
    *high = (uint64_t)(p >> 64);
    return (uint64_t)p;
}
#else
TACO__FN uint64_t taco__plat_mul64(uint64_t a, uint64_t b, uint64_t *high)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid;
    *high = a1 * b1 + (mid >> 32) + (mid2 >> 32);
    return mid2 << 32 | (uint32_t)low;
}
#endif

#ifndef TACO_NO_STDIO
#include <stdio.h>
#if defined(_WIN32)
#define TACO__FSEEK(f, offset, whence) _fseeki64((f), (int64_t)(offset), (whence))
#define TACO__FTELL(f)                 _ftelli64(f)
#define TACO__FILE_MAX                 ((uint64_t)INT64_MAX)
#elif defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#include <sys/types.h>
#if !defined(__cplusplus) && (defined(__LP64__) || !defined(__USE_FILE_OFFSET64))
/* not declared when <stdio.h> came first under -std=c99; the latter is glibc's, which renames it to fseeko64 */
extern int   fseeko(FILE *, off_t, int);
extern off_t ftello(FILE *);
#endif
#define TACO__FSEEK(f, offset, whence) fseeko((f), (off_t)(offset), (whence))
#define TACO__FTELL(f)                 ftello(f)
#define TACO__FILE_MAX                 (sizeof(off_t) >= 8 ? (uint64_t)INT64_MAX - 1 : (uint64_t)INT32_MAX)
#else
#define TACO__FSEEK(f, offset, whence) fseek((f), (int32_t)(offset), (whence))
#define TACO__FTELL(f)                 ftell(f)
#define TACO__FILE_MAX                 ((uint64_t)INT32_MAX)
#endif
#endif

/* The absolute path with links and ".." resolved, in a buffer of TACO__PATH_MAX bytes; NULL where that is not known. */
#define TACO__PATH_MAX 4096
#if defined(TACO_NO_STDIO)
#define TACO__REALPATH(path, buffer) ((void)(path), (void)(buffer), (char *)0)
#elif defined(_WIN32)
#include <stdlib.h>
#define TACO__REALPATH(path, buffer) _fullpath((buffer), (path), TACO__PATH_MAX)
#elif defined(__unix__) || defined(__APPLE__)
#include <limits.h>
#include <stdlib.h>
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern char *realpath(const char *, char *);
#endif
#if defined(PATH_MAX) && PATH_MAX > TACO__PATH_MAX
#undef TACO__PATH_MAX
#define TACO__PATH_MAX PATH_MAX
#endif
#define TACO__REALPATH(path, buffer) realpath((path), (buffer))
#else
#define TACO__REALPATH(path, buffer) ((void)(path), (void)(buffer), (char *)0)
#endif

/* ==== ROOM base: checked arithmetic, little-endian loads, slices, a sticky byte cursor. Uses: plat ==== */

#define TACO__COUNT(a)                  (sizeof(a) / sizeof((a)[0]))
#define TACO__STATIC_ASSERT(name, cond) typedef char taco__assert_##name[(cond) ? 1 : -1]
#define TACO__MIN(a, b)                 ((a) < (b) ? (a) : (b))
#define TACO__MAX(a, b)                 ((a) > (b) ? (a) : (b))

/* Sums, products and narrowing of numbers that come from a file. False, and *out untouched, on overflow. */
TACO__INLINE bool taco__base_add64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}
TACO__INLINE bool taco__base_mul64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b && a > UINT64_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}
TACO__INLINE bool taco__base_addz(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}
TACO__INLINE bool taco__base_mulz(size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}
TACO__INLINE bool taco__base_size(uint64_t a, size_t *out) /* file size -> memory size */
{
    if (a > SIZE_MAX / 2) {
        return false;
    }
    *out = (size_t)a;
    return true;
}
/* True when [offset, offset + len) lies inside [0, size). */
TACO__INLINE bool taco__base_inside(uint64_t offset, uint64_t len, uint64_t size)
{
    return offset <= size && len <= size - offset;
}

TACO__INLINE uint16_t taco__base_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}
TACO__INLINE uint32_t taco__base_le32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return TACO__BIG_ENDIAN ? taco__plat_swap32(x) : x;
}
TACO__INLINE uint64_t taco__base_le64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return TACO__BIG_ENDIAN ? taco__plat_swap64(x) : x;
}
TACO__INLINE uint32_t taco__base_be32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return TACO__BIG_ENDIAN ? x : taco__plat_swap32(x);
}
TACO__INLINE uint64_t taco__base_be64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return TACO__BIG_ENDIAN ? x : taco__plat_swap64(x);
}
TACO__INLINE void taco__base_put32(uint8_t *p, uint32_t x)
{
    x = TACO__BIG_ENDIAN ? taco__plat_swap32(x) : x;
    memcpy(p, &x, 4);
}
TACO__INLINE void taco__base_put64(uint8_t *p, uint64_t x)
{
    x = TACO__BIG_ENDIAN ? taco__plat_swap64(x) : x;
    memcpy(p, &x, 8);
}
TACO__INLINE double taco__base_f64(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}
TACO__INLINE float taco__base_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
TACO__INLINE uint64_t taco__base_bits64(double d)
{
    uint64_t x;
    memcpy(&x, &d, 8);
    return x;
}
TACO__INLINE uint32_t taco__base_bits32(float f)
{
    uint32_t x;
    memcpy(&x, &f, 4);
    return x;
}

TACO__INLINE bool taco__base_bit(const uint8_t *bitmap, size_t i)
{
    return (bitmap[i >> 3] >> (i & 7)) & 1;
}
TACO__INLINE void taco__base_bit_set(uint8_t *bitmap, size_t i)
{
    bitmap[i >> 3] = (uint8_t)(bitmap[i >> 3] | 1U << (i & 7));
}
TACO__INLINE void taco__base_bit_clear(uint8_t *bitmap, size_t i)
{
    bitmap[i >> 3] = (uint8_t)(bitmap[i >> 3] & ~(1U << (i & 7)));
}
#define TACO__BITMAP_BYTES(n) (((n) + 7) / 8)

TACO__FN taco_bytes taco__base_bytes(const void *data, size_t len)
{
    taco_bytes b;
    b.data = (const uint8_t *)data;
    b.len = len;
    return b;
}
TACO__FN taco_bytes taco__base_text(const char *s)
{
    return taco__base_bytes(s, s ? strlen(s) : 0);
}
TACO__FN bool taco__base_equal(taco_bytes a, taco_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}
/* Unsigned bytewise order, the shorter first among equals: < 0, 0, > 0. */
TACO__FN int taco__base_order(taco_bytes a, taco_bytes b)
{
    size_t n = TACO__MIN(a.len, b.len);
    int    c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}
TACO__FN bool taco__base_starts(taco_bytes a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.len >= n && memcmp(a.data, prefix, n) == 0;
}

/* A cursor over bytes with a sticky flag: a read past the end yields zero and sets `bad`, so that a parser reads all
   the fields of a header and checks once. */
typedef struct taco__cur {
    const uint8_t *at, *end, *begin;
    bool           bad;
} taco__cur;

TACO__FN taco__cur taco__cur_make(taco_bytes b)
{
    taco__cur c;
    c.begin = c.at = b.data;
    c.end = b.data ? b.data + b.len : b.data;
    c.bad = false;
    return c;
}
TACO__INLINE size_t taco__cur_left(const taco__cur *c)
{
    return (size_t)(c->end - c->at);
}
TACO__INLINE size_t taco__cur_pos(const taco__cur *c)
{
    return (size_t)(c->at - c->begin);
}
/* Returns n bytes and steps over them, or NULL. */
TACO__INLINE const uint8_t *taco__cur_take(taco__cur *c, size_t n)
{
    const uint8_t *p = c->at;
    if (TACO__UNLIKELY(c->bad || n > taco__cur_left(c))) {
        c->bad = true;
        return NULL;
    }
    c->at += n;
    return p;
}
TACO__INLINE uint8_t taco__cur_u8(taco__cur *c)
{
    const uint8_t *p = taco__cur_take(c, 1);
    return (uint8_t)(p ? p[0] : 0);
}
TACO__INLINE uint16_t taco__cur_le16(taco__cur *c)
{
    const uint8_t *p = taco__cur_take(c, 2);
    return (uint16_t)(p ? taco__base_le16(p) : 0);
}
TACO__INLINE uint32_t taco__cur_le32(taco__cur *c)
{
    const uint8_t *p = taco__cur_take(c, 4);
    return p ? taco__base_le32(p) : 0;
}
TACO__INLINE uint64_t taco__cur_le64(taco__cur *c)
{
    const uint8_t *p = taco__cur_take(c, 8);
    return p ? taco__base_le64(p) : 0;
}
/* Unsigned LEB128 of at most 64 bits; `bad` when longer. */
TACO__FN uint64_t taco__cur_varint(taco__cur *c)
{
    uint64_t x = 0;
    unsigned shift;
    for (shift = 0; shift < 64; shift += 7) {
        uint8_t b = taco__cur_u8(c);
        if (c->bad || (shift == 63 && (b & 0xFE))) {
            break;
        }
        x |= (uint64_t)(b & 0x7F) << shift;
        if (!(b & 0x80)) {
            return x;
        }
    }
    c->bad = true;
    return 0;
}
TACO__INLINE int64_t taco__base_zigzag(uint64_t x)
{
    return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}

/* ==== ROOM error: fill and prefix a taco_error. Uses: base. See "Errors" in the manual ==== */

#include <stdarg.h>

/* The formatter knows: %s text, %q quoted bytes from a file (taco_bytes *), escaped and cut to 64, %u uint64_t,
   %d int64_t, %x uint64_t in hex, %%. Arguments are cast by these macros, since nothing checks them. */
#define TACO__U(x) ((uint64_t)(x))
#define TACO__D(x) ((int64_t)(x))

/* Fills err, unless it holds a failure already, and returns the code. */
#define TACO__FAIL(err, code, offset, ...)                                                         \
    taco__error_set((err), (code), (offset), __LINE__, __VA_ARGS__)

typedef struct taco__fmt { /* output of the formatter: always NUL-terminated, cut when full */
    char *at, *end;
} taco__fmt;

TACO__FN void taco__fmt_char(taco__fmt *f, char c)
{
    if (f->at + 1 < f->end) {
        *f->at++ = c;
        *f->at = 0;
    }
}
TACO__FN void taco__fmt_text(taco__fmt *f, const char *s)
{
    while (s && *s) {
        taco__fmt_char(f, *s++);
    }
}
TACO__FN void taco__fmt_number(taco__fmt *f, uint64_t x, unsigned base)
{
    char   digits[24];
    size_t n = 0;
    do {
        digits[n++] = "0123456789abcdef"[x % base];
        x /= base;
    } while (x);
    while (n) {
        taco__fmt_char(f, digits[--n]);
    }
}
/* Bytes of the well-formed UTF-8 character at b[i] (RFC 3629), 0 when there is none. */
TACO__FN unsigned taco__fmt_utf8(taco_bytes b, size_t i)
{
    uint8_t  c = b.data[i], lo = 0x80, hi = 0xBF;
    unsigned k, n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (n > b.len - i) {
        return 0;
    }
    for (k = 1; k < n; k++) {
        if (k == 1) { /* no overlong form, surrogate or code point above 10FFFF */
            lo = (uint8_t)(c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80);
            hi = (uint8_t)(c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF);
        } else {
            lo = 0x80;
            hi = 0xBF;
        }
        if (b.data[i + k] < lo || b.data[i + k] > hi) {
            return 0;
        }
    }
    return n;
}
/* Names from files are hostile too: printable ASCII and well-formed bytes above it stay, the rest becomes \xNN. */
TACO__FN void taco__fmt_quoted(taco__fmt *f, taco_bytes b)
{
    size_t i = 0, n = TACO__MIN(b.len, (size_t)64);
    taco__fmt_char(f, '\'');
    while (i < n) {
        uint8_t  c = b.data[i];
        unsigned k = taco__fmt_utf8(b, i);
        if (k > 1) { /* a character is never cut: neither here nor by the end of the text */
            if (i + k > n || (size_t)(f->end - f->at) <= k) {
                break;
            }
            for (; k; k--) {
                taco__fmt_char(f, (char)b.data[i++]);
            }
            continue;
        }
        i++;
        if (k == 0 || c < 0x20 || c == 0x7F || c == '\\') {
            taco__fmt_char(f, '\\');
            taco__fmt_char(f, 'x');
            taco__fmt_char(f, "0123456789abcdef"[c >> 4]);
            taco__fmt_char(f, "0123456789abcdef"[c & 15]);
        } else {
            taco__fmt_char(f, (char)c);
        }
    }
    taco__fmt_text(f, b.len > i ? "...'" : "'");
}
TACO__FN void taco__fmt_list(taco__fmt *f, const char *s, va_list args)
{
    for (; *s; s++) {
        if (*s != '%' || !s[1]) {
            taco__fmt_char(f, *s);
            continue;
        }
        switch (*++s) {
        case 's': taco__fmt_text(f, va_arg(args, const char *)); break;
        case 'q': taco__fmt_quoted(f, *va_arg(args, const taco_bytes *)); break;
        case 'u': taco__fmt_number(f, va_arg(args, uint64_t), 10); break;
        case 'x': taco__fmt_number(f, va_arg(args, uint64_t), 16); break;
        case 'd': {
            int64_t d = va_arg(args, int64_t);
            if (d < 0) {
                taco__fmt_char(f, '-');
            }
            taco__fmt_number(f, d < 0 ? 0 - (uint64_t)d : (uint64_t)d, 10);
            break;
        }
        default: taco__fmt_char(f, *s); break;
        }
    }
}
TACO__COLD taco_status taco__error_set(taco_error *err, taco_status code, uint64_t offset, int line,
                                       const char *what, ...)
{
    taco__fmt f;
    va_list   args;
    if (!err || err->code != TACO_OK) {
        return code;
    }
    err->code = code;
    err->offset = offset;
    err->line = line;
    f.at = err->text;
    f.end = err->text + sizeof err->text;
    *f.at = 0;
    if (offset != TACO_NO_OFFSET) {
        taco__fmt_text(&f, code == TACO_ERR_SYNTAX ? "at column " : "at byte ");
        taco__fmt_number(&f, code == TACO_ERR_SYNTAX ? offset + 1 : offset, 10);
        taco__fmt_text(&f, ": ");
    }
#ifndef TACO_NO_ERROR_TEXT
    va_start(args, what);
    taco__fmt_list(&f, what, args);
    va_end(args);
#else
    (void)args;
    (void)what;
#endif
#ifdef TACO_TRAP
    TACO_TRAP;
#endif
    return code;
}
/* Puts "where: " in front of the message, for the rooms that know where the failing room was at work. */
TACO__COLD void taco__error_prefix(taco_error *err, const char *where, ...)
{
    char      text[sizeof err->text];
    taco__fmt f;
    va_list   args;
    if (!err || err->code == TACO_OK) {
        return;
    }
    f.at = text;
    f.end = text + sizeof text;
    *f.at = 0;
    va_start(args, where);
    taco__fmt_list(&f, where, args);
    va_end(args);
    taco__fmt_text(&f, ": ");
    taco__fmt_text(&f, err->text);
    memcpy(err->text, text, sizeof text);
}
/* A decoder failed inside something that stands at byte `at` of the file: "at byte 7: x" becomes "at byte AT: WHAT,
   byte 7: x". To be called before any prefix is put. */
TACO__COLD bool taco__error_inside(taco_error *err, uint64_t at, const char *what)
{
    char        text[sizeof err->text];
    taco__fmt   f;
    const char *rest;
    if (!err || err->code == TACO_OK) {
        return false;
    }
    rest = err->text;
    f.at = text;
    f.end = text + sizeof text;
    *f.at = 0;
    taco__fmt_text(&f, "at byte ");
    taco__fmt_number(&f, at, 10);
    taco__fmt_text(&f, ": ");
    taco__fmt_text(&f, what);
    taco__fmt_text(&f, err->offset != TACO_NO_OFFSET && strncmp(rest, "at byte ", 8) == 0 ? ", "
                                                                                          : ": ");
    taco__fmt_text(&f, err->offset != TACO_NO_OFFSET && strncmp(rest, "at byte ", 8) == 0 ? rest + 3
                                                                                          : rest);
    memcpy(err->text, text, sizeof text);
    err->offset = at;
    return false;
}

/* ==== ROOM mem: the only caller of malloc: budget, arena, growable buffer. Uses: error ==== */

#include <stdlib.h>

typedef struct taco__mem { /* one per handle */
    taco_allocator a;
    uint64_t       used, peak, limit;
} taco__mem;

TACO__FN void *taco__mem_libc(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}
TACO__FN void taco__mem_init(taco__mem *m, const taco_options *opt)
{
    memset(m, 0, sizeof *m);
    m->a.resize = taco__mem_libc;
    if (opt && opt->allocator) {
        m->a = *opt->allocator;
    }
    m->limit = opt && opt->limits.max_memory ? opt->limits.max_memory : (uint64_t)1 << 30;
}
/* Grows, shrinks or allocates (old 0, p NULL) to size > 0 bytes. NULL on failure, p then still lives. */
TACO__FN void *taco__mem_resize(taco__mem *m, void *p, size_t old, size_t size, taco_error *err)
{
    void *q;
    if (size > old && size - old > m->limit - TACO__MIN(m->used, m->limit)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "needs %u bytes of memory, limits.max_memory is %u", m->used + (size - old),
                   m->limit);
        return NULL;
    }
    q = m->a.resize(m->a.ctx, p, old, size);
    if (!q) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(size));
        return NULL;
    }
    m->used = m->used - old + size;
    m->peak = TACO__MAX(m->peak, m->used);
    return q;
}
TACO__FN void *taco__mem_alloc(taco__mem *m, size_t size, taco_error *err) /* zeroed */
{
    void *p = taco__mem_resize(m, NULL, 0, size ? size : 1, err);
    if (p) {
        memset(p, 0, size ? size : 1);
    }
    return p;
}
TACO__FN void taco__mem_free(taco__mem *m, void *p,
                             size_t size) /* size as it was asked for; p may be NULL */
{
    if (p) {
        m->a.resize(m->a.ctx, p, size ? size : 1, 0);
        m->used -= size ? size : 1;
    }
}

/* An arena: many small zeroed pieces, one free. */
typedef struct taco__arena_block {
    struct taco__arena_block *next;
    size_t                    size, used;
} taco__arena_block;
typedef struct taco__arena {
    taco__mem         *mem;
    taco__arena_block *head;
} taco__arena;

#define TACO__ARENA_HEAD ((sizeof(taco__arena_block) + 15) & ~(size_t)15)

TACO__FN void *taco__arena_alloc(taco__arena *a, size_t size, taco_error *err)
{
    taco__arena_block *b = a->head;
    size_t             need;
    if (!taco__base_addz(size ? size : 1, 15, &need)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(size));
        return NULL;
    }
    need &= ~(size_t)15;
    if (!b || need > b->size - b->used) {
        size_t cap = TACO__MAX(need, b ? TACO__MIN(b->size * 2, (size_t)1 << 20) : (size_t)1008),
               total;
        if (!taco__base_addz(cap, TACO__ARENA_HEAD, &total)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                       TACO__U(size));
            return NULL;
        }
        b = (taco__arena_block *)taco__mem_resize(a->mem, NULL, 0, total, err);
        if (!b) {
            return NULL;
        }
        b->next = a->head;
        b->size = cap;
        b->used = 0;
        a->head = b;
    }
    b->used += need;
    return memset((uint8_t *)b + TACO__ARENA_HEAD + b->used - need, 0, need);
}
/* n items of size bytes each, with the product checked. */
TACO__FN void *taco__arena_array(taco__arena *a, size_t n, size_t size, taco_error *err)
{
    size_t total;
    if (!taco__base_mulz(n, size, &total)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u items", TACO__U(n));
        return NULL;
    }
    return taco__arena_alloc(a, total, err);
}
TACO__FN char *taco__arena_text(taco__arena *a, taco_bytes b,
                                taco_error *err) /* a NUL-terminated copy */
{
    char *p = b.len < SIZE_MAX ? (char *)taco__arena_alloc(a, b.len + 1, err) : NULL;
    if (p && b.len) {
        memcpy(p, b.data, b.len);
    }
    return p;
}
TACO__FN void taco__arena_free(taco__arena *a)
{
    while (a->head) {
        taco__arena_block *b = a->head;
        a->head = b->next;
        taco__mem_free(a->mem, b, TACO__ARENA_HEAD + b->size);
    }
}

/* A growable buffer. TACO__PAD bytes behind cap may be written and hold garbage, so that decoders copy in wide steps. */
#define TACO__PAD 64
typedef struct taco__buf {
    taco__mem *mem;
    uint8_t   *data;
    size_t     len, cap;
} taco__buf;

/* Makes room for extra more bytes behind len; false on failure. */
TACO__FN bool taco__buf_reserve(taco__buf *b, size_t extra, taco_error *err)
{
    size_t   need, cap;
    uint8_t *p;
    if (extra <= b->cap - b->len && b->data) {
        return true;
    }
    if (!taco__base_addz(b->len, extra, &need) || need > SIZE_MAX / 2 - TACO__PAD) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(extra));
        return false;
    }
    cap = b->cap ? b->cap + b->cap / 2 : 0;
    cap = TACO__MAX(cap, need);
    p = (uint8_t *)taco__mem_resize(b->mem, b->data, b->data ? b->cap + TACO__PAD : 0,
                                    cap + TACO__PAD, err);
    if (!p) {
        return false;
    }
    b->data = p;
    b->cap = cap;
    return true;
}
/* Empties the buffer and makes room for exactly cap bytes, without copying what it held. */
TACO__FN bool taco__buf_reset(taco__buf *b, size_t cap, taco_error *err)
{
    b->len = 0;
    if (b->data && cap > b->cap) {
        taco__mem_free(b->mem, b->data, b->cap + TACO__PAD);
        b->data = NULL;
        b->cap = 0;
    }
    return taco__buf_reserve(b, cap, err);
}
TACO__FN bool taco__buf_append(taco__buf *b, const void *data, size_t len, taco_error *err)
{
    if (!taco__buf_reserve(b, len, err)) {
        return false;
    }
    if (len) {
        memcpy(b->data + b->len, data, len);
    }
    b->len += len;
    return true;
}
TACO__FN bool taco__buf_char(taco__buf *b, char c, taco_error *err)
{
    return taco__buf_append(b, &c, 1, err);
}
TACO__FN bool taco__buf_puts(taco__buf *b, const char *s, taco_error *err)
{
    return taco__buf_append(b, s, strlen(s), err);
}
TACO__FN void taco__buf_free(taco__buf *b)
{
    taco__mem_free(b->mem, b->data, b->cap + TACO__PAD);
    b->data = NULL;
    b->len = b->cap = 0;
}

/* ==== ROOM io: the only user of stdio: sources, and a file that keeps what it has read. Uses: mem ==== */

#define TACO__GAP    4096    /* bytes read in vain to save a request of a vectored source */
#define TACO__WINDOW 1048576 /* bytes a local source is asked for at a time */

/* A source with the ranges that are held in memory. Segments are sorted and do not overlap. */
typedef struct taco__seg {
    uint64_t offset;
    size_t   len;
    uint8_t *data;
    size_t
        pins; /* ranges of fetches that touch it and were not released yet: several cursors may use it */
} taco__seg;
typedef struct taco__file {
    taco_source src;
    taco__mem  *mem;
    const char *name; /* for messages; borrowed */
    taco__seg  *segs;
    size_t      seg_count, seg_cap;
} taco__file;

/* A range of a file that is a file of its own: METADATA/level0.parquet inside an archive. */
typedef struct taco__part {
    taco__file *file;
    uint64_t    base, size;
} taco__part;

typedef struct taco__range {
    uint64_t offset;
    uint64_t len;
} taco__range;

TACO__FN bool taco__io_memory_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, (const uint8_t *)ctx + (size_t)offset, len);
    return true;
}
TACO__FN const void *taco__io_memory_view(void *ctx, uint64_t offset, size_t len)
{
    (void)len;
    return (const uint8_t *)ctx + (size_t)offset;
}
TACO_API void taco_source_memory(taco_source *out, const void *data, size_t len)
{
    static const uint8_t nothing = 0;
    union {
        const void *in;
        void       *out;
    } u;
    u.in = data ? data : &nothing;
    memset(out, 0, sizeof *out);
    out->ctx = u.out;
    out->size = data ? len : 0;
    out->read = taco__io_memory_read;
    out->view = taco__io_memory_view;
}

#ifndef TACO_NO_STDIO
TACO__FN bool taco__io_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    FILE *f = (FILE *)ctx;
    if (offset > TACO__FILE_MAX || TACO__FSEEK(f, offset, SEEK_SET) != 0) {
        return false;
    }
    return fread(dst, 1, len, f) == len;
}
TACO__FN void taco__io_file_close(void *ctx)
{
    fclose((FILE *)ctx);
}
/* A directory opens on some systems; its size or its first byte tells. */
TACO__FN bool taco__io_file_size(FILE *f, uint64_t *size)
{
    char first;
    if (TACO__FSEEK(f, 0, SEEK_END) != 0) {
        return false;
    }
    *size = (uint64_t)TACO__FTELL(f);
    if (*size > TACO__FILE_MAX || TACO__FSEEK(f, 0, SEEK_SET) != 0) {
        return false;
    }
    return fread(&first, 1, 1, f) == 1 || (*size == 0 && !ferror(f));
}
TACO_API taco_status taco_source_file(taco_source *out, const char *path, taco_error *err)
{
    FILE      *f;
    uint64_t   size = 0;
    taco_bytes name = taco__base_text(path);
    memset(out, 0, sizeof *out);
    f = path ? fopen(path, "rb") : NULL;
    if (!f) {
        return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                          "no such file, or not readable: %q", &name);
    }
    setvbuf(f, NULL, _IONBF, 0); /* reads are large and positional */
    if (!taco__io_file_size(f, &size)) {
        fclose(f);
        return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "not a regular file: %q", &name);
    }
    out->ctx = f;
    out->size = size;
    out->read = taco__io_file_read;
    out->close = taco__io_file_close;
    return TACO_OK;
}
#endif

TACO__FN void taco__file_init(taco__file *f, const taco_source *src, const char *name,
                              taco__mem *mem)
{
    memset(f, 0, sizeof *f);
    f->src = *src;
    f->name = name;
    f->mem = mem;
}
TACO__FN bool taco__file_touches(const taco__seg *s, uint64_t offset, uint64_t len)
{
    return len && s->offset < offset + len && offset < s->offset + s->len;
}
/* Takes a fetch of a range back. Segments that no other fetch needs are dropped. */
TACO__FN void taco__file_release(taco__file *f, uint64_t offset, uint64_t len)
{
    size_t i, kept = 0;
    for (i = 0; i < f->seg_count; i++) {
        taco__seg s = f->segs[i];
        if (taco__file_touches(&s, offset, len) && s.pins && --s.pins == 0) {
            taco__mem_free(f->mem, s.data, s.len);
        } else {
            f->segs[kept++] = s;
        }
    }
    f->seg_count = kept;
}
TACO__FN void taco__file_close(taco__file *f)
{
    size_t i;
    for (i = 0; i < f->seg_count; i++) {
        taco__mem_free(f->mem, f->segs[i].data, f->segs[i].len);
    }
    f->seg_count = 0;
    taco__mem_free(f->mem, f->segs, f->seg_cap * sizeof *f->segs);
    f->segs = NULL;
    f->seg_cap = 0;
    if (f->src.close) {
        f->src.close(f->src.ctx);
    }
    memset(&f->src, 0, sizeof f->src);
}

/* Index of the first segment that ends behind offset. */
TACO__FN size_t taco__file_find(const taco__file *f, uint64_t offset)
{
    size_t lo = 0, hi = f->seg_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (f->segs[mid].offset + f->segs[mid].len <= offset) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}
TACO__FN bool taco__file_source_read(taco__file *f, uint64_t offset, void *dst, size_t len,
                                     taco_error *err)
{
    if (!f->src.read(f->src.ctx, offset, dst, len)) {
        TACO__FAIL(err, TACO_ERR_IO, offset, "reading %u bytes failed", TACO__U(len));
        return false;
    }
    return true;
}
TACO__FN bool taco__file_inside(const taco__file *f, uint64_t offset, uint64_t len, taco_error *err)
{
    if (!taco__base_inside(offset, len, f->src.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "needs %u bytes, the file ends at %u", len,
                   f->src.size);
        return false;
    }
    return true;
}
/* Copies len bytes at offset to dst: what is held from memory, the rest from the source. */
TACO__FN bool taco__file_copy(taco__file *f, uint64_t offset, void *dst, size_t len,
                              taco_error *err)
{
    uint8_t *to = (uint8_t *)dst;
    size_t   i;
    if (!taco__file_inside(f, offset, len, err)) {
        return false;
    }
    for (i = taco__file_find(f, offset); len; i++) {
        uint64_t next = i < f->seg_count ? f->segs[i].offset : UINT64_MAX;
        size_t   n;
        if (next > offset) {
            n = next - offset < len ? (size_t)(next - offset) : len;
            if (!taco__file_source_read(f, offset, to, n, err)) {
                return false;
            }
            to += n;
            offset += n;
            len -= n;
        }
        if (len) {
            const taco__seg *s = &f->segs[i];
            n = TACO__MIN(len, s->len - (size_t)(offset - s->offset));
            memcpy(to, s->data + (size_t)(offset - s->offset), n);
            to += n;
            offset += n;
            len -= n;
        }
    }
    return true;
}
/* The len bytes at offset where they are held already or the source can show them; else NULL. */
TACO__FN const uint8_t *taco__file_held(taco__file *f, uint64_t offset, size_t len)
{
    size_t i;
    if (!taco__base_inside(offset, len, f->src.size)) {
        return NULL;
    }
    i = taco__file_find(f, offset);
    if (i < f->seg_count && offset >= f->segs[i].offset &&
        taco__base_inside(offset - f->segs[i].offset, len, f->segs[i].len)) {
        return f->segs[i].data + (size_t)(offset - f->segs[i].offset);
    }
    return f->src.view ? (const uint8_t *)f->src.view(f->src.ctx, offset, len) : NULL;
}
/* The len bytes at offset, valid until scratch is used again or the segment is released. NULL on failure. */
TACO__FN const uint8_t *taco__file_view(taco__file *f, uint64_t offset, size_t len,
                                        taco__buf *scratch, taco_error *err)
{
    const uint8_t *p = taco__file_held(f, offset, len);
    if (p) {
        return p;
    }
    if (!taco__file_inside(f, offset, len, err) || !taco__buf_reset(scratch, len, err) ||
        !taco__file_copy(f, offset, scratch->data, len, err)) {
        return NULL;
    }
    scratch->len = len;
    return scratch->data;
}

TACO__FN bool taco__file_add_seg(taco__file *f, taco__seg s, taco_error *err)
{
    size_t at;
    if (f->seg_count == f->seg_cap) {
        size_t     cap = f->seg_cap ? f->seg_cap * 2 : 8;
        taco__seg *p = (taco__seg *)taco__mem_resize(f->mem, f->segs, f->seg_cap * sizeof *p,
                                                     cap * sizeof *p, err);
        if (!p) {
            return false;
        }
        f->segs = p;
        f->seg_cap = cap;
    }
    at = taco__file_find(f, s.offset);
    memmove(f->segs + at + 1, f->segs + at, (f->seg_count - at) * sizeof *f->segs);
    f->segs[at] = s;
    f->seg_count++;
    return true;
}
TACO__FN int taco__io_range_order(const void *a, const void *b)
{
    uint64_t x = ((const taco__range *)a)->offset, y = ((const taco__range *)b)->offset;
    return (x > y) - (x < y);
}
/* Sorts ranges, joins those closer than gap, and cuts off what is held. Returns the new count; ranges has room for
   n + seg_count entries. */
TACO__FN size_t taco__file_missing(const taco__file *f, taco__range *ranges, size_t n, uint64_t gap)
{
    size_t i, k = 0, room = n + f->seg_count;
    qsort(ranges, n, sizeof *ranges, taco__io_range_order);
    for (i = 0; i < n; i++) {
        taco__range r = ranges[i];
        uint64_t    end = k ? ranges[k - 1].offset + ranges[k - 1].len : 0;
        if (r.len == 0) {
            continue;
        }
        if (k && r.offset <= end + gap) {
            ranges[k - 1].len = TACO__MAX(end, r.offset + r.len) - ranges[k - 1].offset;
        } else {
            ranges[k++] = r;
        }
    }
    n = k;
    for (i = 0; i < f->seg_count; i++) { /* each segment cuts at most one range in two */
        uint64_t s = f->segs[i].offset, e = s + f->segs[i].len;
        size_t   j;
        for (j = 0; j < n; j++) {
            uint64_t a = ranges[j].offset, b = a + ranges[j].len;
            if (s >= b || e <= a) {
                continue;
            }
            ranges[j].offset = s > a ? a : TACO__MIN(e, b);
            ranges[j].len = s > a ? s - a : b - ranges[j].offset;
            if (s > a && e < b && n < room) {
                ranges[n].offset = e;
                ranges[n++].len = b - e;
            }
        }
    }
    for (i = k = 0; i < n; i++) {
        if (ranges[i].len) {
            ranges[k++] = ranges[i];
        }
    }
    return k;
}
TACO__FN bool taco__file_read_all(taco__file *f, const taco_piece *reads, size_t n, taco_error *err)
{
    size_t i;
    if (n > 1 && f->src.read_many) {
        if (!f->src.read_many(f->src.ctx, reads, n)) {
            TACO__FAIL(err, TACO_ERR_IO, reads[0].offset, "reading %u ranges failed", TACO__U(n));
            return false;
        }
        return true;
    }
    for (i = 0; i < n; i++) {
        if (!taco__file_source_read(f, reads[i].offset, reads[i].dst, reads[i].len, err)) {
            return false;
        }
    }
    return true;
}
/* Allocates a segment for each range and reads them all in one round. */
TACO__FN bool taco__file_load(taco__file *f, const taco__range *ranges, size_t n, taco_piece *reads,
                              taco_error *err)
{
    size_t i, made = 0;
    for (i = 0; i < n; i++, made++) {
        size_t len;
        if (!taco__file_inside(f, ranges[i].offset, ranges[i].len, err)) {
            break;
        }
        if (!taco__base_size(ranges[i].len, &len)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, ranges[i].offset, "out of memory for %u bytes",
                       ranges[i].len);
            break;
        }
        reads[i].offset = ranges[i].offset;
        reads[i].len = len;
        reads[i].dst = taco__mem_resize(f->mem, NULL, 0, len, err);
        if (!reads[i].dst) {
            break;
        }
    }
    if (made == n && taco__file_read_all(f, reads, n, err)) {
        for (i = 0; i < n; i++) {
            taco__seg s;
            s.offset = reads[i].offset;
            s.len = reads[i].len;
            s.data = (uint8_t *)reads[i].dst;
            s.pins = 0;
            if (!taco__file_add_seg(f, s, err)) {
                break;
            }
        }
        if (i == n) {
            return true;
        }
        while (made > i) {
            made--;
            taco__mem_free(f->mem, reads[made].dst, reads[made].len);
        }
        return false;
    }
    while (made) {
        made--;
        taco__mem_free(f->mem, reads[made].dst, reads[made].len);
    }
    return false;
}
/* Makes the ranges resident in one round, reading no byte that is held already; until each is released, or close. */
TACO__FN bool taco__file_fetch(taco__file *f, const taco__range *want, size_t n, taco_error *err)
{
    size_t       room = n + f->seg_count, bytes, total, i, k;
    taco__range *ranges;
    bool         ok;
    if (n == 0 || f->src.view) {
        return true;
    }
    if (!taco__base_mulz(room, sizeof(taco__range) + sizeof(taco_piece), &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u ranges",
                          TACO__U(room)),
               false;
    }
    ranges = (taco__range *)taco__mem_resize(f->mem, NULL, 0, bytes, err);
    if (!ranges) {
        return false;
    }
    memcpy(ranges, want, n * sizeof *want);
    total = taco__file_missing(f, ranges, n, f->src.read_many ? TACO__GAP : 0);
    ok = taco__file_load(f, ranges, total, (taco_piece *)(void *)(ranges + room), err);
    for (i = 0; ok && i < n; i++) {
        for (k = taco__file_find(f, want[i].offset);
             k < f->seg_count && taco__file_touches(&f->segs[k], want[i].offset, want[i].len);
             k++) {
            f->segs[k].pins++;
        }
    }
    taco__mem_free(f->mem, ranges, bytes);
    return ok;
}

/* The same for parts; offsets are relative to the part, in messages too. */
TACO__FN bool taco__part_inside(const taco__part *p, uint64_t offset, uint64_t len, taco_error *err)
{
    if (!taco__base_inside(offset, len, p->size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "needs %u bytes, the file ends at %u", len,
                   p->size);
        return false;
    }
    return true;
}
TACO__FN const uint8_t *taco__part_view(const taco__part *p, uint64_t offset, size_t len,
                                        taco__buf *scratch, taco_error *err)
{
    return taco__part_inside(p, offset, len, err)
               ? taco__file_view(p->file, p->base + offset, len, scratch, err)
               : NULL;
}
TACO__FN const uint8_t *taco__part_held(const taco__part *p, uint64_t offset, size_t len)
{
    return taco__base_inside(offset, len, p->size) ? taco__file_held(p->file, p->base + offset, len)
                                                   : NULL;
}
TACO__FN bool taco__part_copy(const taco__part *p, uint64_t offset, void *dst, size_t len,
                              taco_error *err)
{
    return taco__part_inside(p, offset, len, err) &&
           taco__file_copy(p->file, p->base + offset, dst, len, err);
}

/* ==== ROOM num: numbers to text and back, UTF-8, never asking the locale. Uses: plat base error mem. Spec: IEEE 754, RFC 8259 §6, RFC 3629 ==== */

/* 5^(27 j) for j = -13..12 as 128 bits with the top bit set, rounded up. Any power of ten between 10^-342 and 10^324 is
   one of these times a small power of five: 632 bytes of tables instead of the 10 kB of a full one. */
static const uint64_t taco__num_pow5_far[26][2] = {
    {UINT64_C(0x8049A4AC0C5811AE), UINT64_C(0x205B896D777D6279)},
    {UINT64_C(0xCF42894A5DCE35EA), UINT64_C(0x52064CAC828675BA)},
    {UINT64_C(0xA76C582338ED2621), UINT64_C(0xAF2AF2B80AF6F24F)},
    {UINT64_C(0x873E4F75E2224E68), UINT64_C(0x5A7744A6E804A292)},
    {UINT64_C(0xDA7F5BF590966848), UINT64_C(0xAF39A475506A899F)},
    {UINT64_C(0xB080392CC4349DEC), UINT64_C(0xBD8D794D96AACFB4)},
    {UINT64_C(0x8E938662882AF53E), UINT64_C(0x547EB47B7282EE9D)},
    {UINT64_C(0xE65829B3046B0AFA), UINT64_C(0x0CB4A5A3112A5113)},
    {UINT64_C(0xBA121A4650E4DDEB), UINT64_C(0x92F34D62616CE414)},
    {UINT64_C(0x964E858C91BA2655), UINT64_C(0x3A6A07F8D510F870)},
    {UINT64_C(0xF2D56790AB41C2A2), UINT64_C(0xFAE27299423FB9C4)},
    {UINT64_C(0xC428D05AA4751E4C), UINT64_C(0xAA97E14C3C26B887)},
    {UINT64_C(0x9E74D1B791E07E48), UINT64_C(0x775EA264CF55347E)},
    {UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000000)},
    {UINT64_C(0xCECB8F27F4200F3A), UINT64_C(0x0000000000000000)},
    {UINT64_C(0xA70C3C40A64E6C51), UINT64_C(0x999090B65F67D924)},
    {UINT64_C(0x86F0AC99B4E8DAFD), UINT64_C(0x69A028BB3DED71A4)},
    {UINT64_C(0xDA01EE641A708DE9), UINT64_C(0xE80E6F4820CC9496)},
    {UINT64_C(0xB01AE745B101E9E4), UINT64_C(0x5EC05DCFF72E7F90)},
    {UINT64_C(0x8E41ADE9FBEBC27D), UINT64_C(0x14588F13BE847308)},
    {UINT64_C(0xE5D3EF282A242E81), UINT64_C(0x8F1668C8A86DA5FB)},
    {UINT64_C(0xB9A74A0637CE2EE1), UINT64_C(0x6D953E2BD7173693)},
    {UINT64_C(0x95F83D0A1FB69CD9), UINT64_C(0x4ABDAF101564F98F)},
    {UINT64_C(0xF24A01A73CF2DCCF), UINT64_C(0xBC633B39673C8CED)},
    {UINT64_C(0xC3B8358109E84F07), UINT64_C(0x0A862F80EC4700C9)},
    {UINT64_C(0x9E19DB92B4E31BA9), UINT64_C(0x6C07A2C26A8346D2)},
};
static const uint64_t taco__num_pow5_near[27] = {
    1,
    5,
    25,
    125,
    625,
    3125,
    15625,
    78125,
    390625,
    1953125,
    9765625,
    48828125,
    244140625,
    1220703125,
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
};
static const char taco__num_pairs[] = "0001020304050607080910111213141516171819"
                                      "2021222324252627282930313233343536373839"
                                      "4041424344454647484950515253545556575859"
                                      "6061626364656667686970717273747576777879"
                                      "8081828384858687888990919293949596979899";

typedef struct
    taco__num_power { /* 10^p = (high:low) * 2^(exponent - 127), rounded up by less than 3 units of low */
    uint64_t high, low;
    int32_t  exponent;
} taco__num_power;

/* floor(log2(5^p)), exact for |p| <= 360; >> of a negative number is avoided by a bias of 1000. */
TACO__INLINE int32_t taco__num_log2_pow5(int32_t p)
{
    return (int32_t)(((uint32_t)p * 304339U + (1000U << 17)) >> 17) - 1000;
}
/* floor(log10(2^q)), and floor(log10(3/4 * 2^q)), exact for -1074 <= q < 972. */
TACO__INLINE int32_t taco__num_log10_pow2(int32_t q, bool narrow)
{
    return (int32_t)(((uint32_t)q * 1262611U + (400U << 22) - (narrow ? 524028U : 0U)) >> 22) - 400;
}
/* -342 <= p <= 324. Exact where 5^p fits in 128 bits: 0 <= p <= 55. */
TACO__FN taco__num_power taco__num_pow10(int32_t p)
{
    taco__num_power r;
    uint32_t        far = (uint32_t)(p + 351) / 27, near = (uint32_t)(p + 351) % 27;
    uint64_t high = taco__num_pow5_far[far][0], low = taco__num_pow5_far[far][1], top, mid, carry,
             lost;
    int32_t log = taco__num_log2_pow5(p);
    r.exponent = p + log;
    if (near) {
        unsigned shift = (unsigned)(log - taco__num_log2_pow5((int32_t)far * 27 - 351)); /* 2..61 */
        lost = taco__plat_mul64(low, taco__num_pow5_near[near], &carry);
        mid = taco__plat_mul64(high, taco__num_pow5_near[near], &top);
        mid += carry;
        top += mid < carry;
        high = top << (64 - shift) | mid >> shift;
        low = mid << (64 - shift) | lost >> shift;
        if (lost << (64 - shift)) {
            low++;
            high += low == 0;
        }
    }
    r.high = high;
    r.low = low;
    return r;
}

/* ---- integers to text ---- */

TACO__INLINE char *taco__num_put2(char *dst, uint32_t x) /* x < 100 */
{
    memcpy(dst, taco__num_pairs + 2 * x, 2);
    return dst + 2;
}
TACO__INLINE char *taco__num_put4(char *dst, uint32_t x) /* x < 10^4 */
{
    return taco__num_put2(taco__num_put2(dst, x / 100), x % 100);
}
TACO__INLINE char *taco__num_put8(char *dst, uint32_t x) /* x < 10^8 */
{
    return taco__num_put4(taco__num_put4(dst, x / 10000), x % 10000);
}
/* Branches once for each two digits. Short numbers, the most frequent by far, take one or two. */
TACO__FN char *taco__num_put32(char *dst, uint32_t x) /* x < 10^8, without leading zeros */
{
    if (x >= 10000) {
        return taco__num_put4(taco__num_put32(dst, x / 10000), x % 10000);
    }
    if (x >= 100) {
        dst = x >= 1000 ? taco__num_put2(dst, x / 100) : (*dst = (char)('0' + x / 100), dst + 1);
        return taco__num_put2(dst, x % 100);
    }
    return x >= 10 ? taco__num_put2(dst, x) : (*dst = (char)('0' + x), dst + 1);
}
/* Writes x in decimal, at most 20 bytes and no NUL. Returns the length, as all the functions of this kind do. */
TACO__FN size_t taco__num_u64(char *dst, uint64_t x)
{
    char *p = dst;
    if (x < 100000000) {
        p = taco__num_put32(p, (uint32_t)x);
    } else if (x < UINT64_C(10000000000000000)) {
        p = taco__num_put32(p, (uint32_t)(x / 100000000));
        p = taco__num_put8(p, (uint32_t)(x % 100000000));
    } else {
        uint64_t low = x % UINT64_C(10000000000000000);
        p = taco__num_put32(p, (uint32_t)(x / UINT64_C(10000000000000000)));
        p = taco__num_put8(p, (uint32_t)(low / 100000000));
        p = taco__num_put8(p, (uint32_t)(low % 100000000));
    }
    return (size_t)(p - dst);
}
TACO__FN size_t taco__num_i64(char *dst, int64_t x) /* at most 20 bytes */
{
    if (x < 0) {
        *dst = '-';
        return 1 + taco__num_u64(dst + 1, 0 - (uint64_t)x);
    }
    return taco__num_u64(dst, (uint64_t)x);
}

/* ---- binary floating point to the shortest decimal ---- */

typedef struct taco__num_decimal10 { /* digits * 10^exponent */
    uint64_t digits;
    int32_t  exponent;
} taco__num_decimal10;

/* floor(m * power / 2^128), the last bit set where the quotient is not exact. `power` is an upper bound: an exact
   quotient shows as a fraction below 2^62, and no inexact one for m below 2^62 comes that close to an integer from
   either side (computed for every binary exponent by continued fractions). */
TACO__INLINE uint64_t taco__num_scale_odd(uint64_t m, const taco__num_power *power)
{
    uint64_t carry, whole, low = taco__plat_mul64(m, power->low, &carry),
                           mid = taco__plat_mul64(m, power->high, &whole);
    mid += carry;
    whole += mid < carry;
    return whole | (mid != 0 || low >> 62 != 0);
}
/* The shortest decimal that rounds to c * 2^q, and among those the nearest. `narrow`: the next value below is half as
   far as the next above, c being a power of two. All is counted in quarters of 10^k, where 10^k is the largest power of
   ten not above the width of the interval that rounds to the value; ends belong to it where c is even. */
TACO__FN taco__num_decimal10 taco__num_shortest(uint64_t c, int32_t q, bool narrow)
{
    taco__num_decimal10 r;
    int32_t             k = taco__num_log10_pow2(q, narrow);
    taco__num_power     power = taco__num_pow10(-k);
    unsigned            shift = (unsigned)(q + 1 + power.exponent); /* 0..5 */
    uint64_t            value = taco__num_scale_odd(4 * c << shift, &power);
    uint64_t below = taco__num_scale_odd((4 * c - (narrow ? 1 : 2)) << shift, &power) + (c & 1);
    uint64_t above = taco__num_scale_odd((4 * c + 2) << shift, &power) - (c & 1);
    uint64_t s = value / 4, tens = s / 10;
    bool     low, high;
    r.exponent = k + 1;
    r.digits = tens;
    if (s >= 10) { /* at most one multiple of 10^(k+1) lies inside */
        low = below <= 40 * tens;
        high = 40 * tens + 40 <= above;
        if (low != high) {
            r.digits = tens + high;
            return r;
        }
    }
    r.exponent = k;
    low = below <= 4 * s;
    high = 4 * s + 4 <= above;
    if (low != high) {
        r.digits = s + high;
    } else { /* both: the nearer, or the even one of two as near */
        r.digits = s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
    }
    return r;
}
/* `1.5`, `100.0`, `0.001`, `1e+16`, `1.5e-07`: positional from 10^-4 up to 10^16, as Python prints. */
TACO__FN size_t taco__num_layout(char *dst, taco__num_decimal10 d)
{
    char    digits[24];
    size_t  n = taco__num_u64(digits, d.digits), whole;
    int32_t point = (int32_t)n + d.exponent; /* digits before the point */
    char   *p = dst;
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    if (point > 0 && point <= 16) {
        whole = TACO__MIN((size_t)point, n);
        memcpy(p, digits, 17);
        p += whole;
        for (; whole < (size_t)point; whole++) {
            *p++ = '0';
        }
        *p++ = '.';
        if (n <= (size_t)point) {
            *p++ = '0';
        } else {
            memcpy(p, digits + point, n - (size_t)point);
            p += n - (size_t)point;
        }
        return (size_t)(p - dst);
    }
    if (point <= 0 && point > -4) {
        memcpy(p, "0.000", 5);
        p += 2 - point;
        memcpy(p, digits, n);
        return (size_t)(p - dst) + n;
    }
    *p++ = digits[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, n - 1);
        p += n - 1;
    }
    point--;
    *p++ = 'e';
    *p++ = point < 0 ? '-' : '+';
    point = point < 0 ? -point : point;
    if (point >= 100) {
        *p++ = (char)('0' + point / 100);
    }
    return (size_t)(taco__num_put2(p, (uint32_t)point % 100) - dst);
}
/* Any binary format: sign, biased exponent and fraction, `bits` of fraction, `bias` of the exponent of its last bit. */
TACO__FN size_t taco__num_binary(char *dst, bool negative, uint32_t exponent, uint64_t fraction,
                                 unsigned bits, int32_t bias)
{
    taco__num_decimal10 d;
    uint64_t            c = exponent ? fraction | (uint64_t)1 << bits : fraction;
    int32_t             q = (int32_t)(exponent ? exponent : 1) - bias;
    size_t              sign = negative;
    dst[0] = '-';
    dst += sign;
    d.digits = 0;
    d.exponent = 0;
    if (q <= 0 && q >= -(int32_t)bits &&
        (c & (((uint64_t)1 << -q) - 1)) == 0) { /* an integer, exact as it stands */
        d.digits = c >> -q;
    } else if (c) {
        d = taco__num_shortest(c, q, fraction == 0 && exponent > 1);
    }
    return sign + taco__num_layout(dst, d);
}
/* What is no number: bare words, which the callers quote where their format has to. */
TACO__COLD size_t taco__num_unusual(char *dst, bool negative, bool nan)
{
    const char *s = nan ? "NaN" : negative ? "-Infinity" : "Infinity";
    size_t      n = strlen(s);
    memcpy(dst, s, n);
    return n;
}
/* The fewest digits that read back as x in its own width, nearest to x if there are several; `-0.0`, and the words NaN,
   Infinity, -Infinity. dst has room for 32 bytes. */
TACO__FN size_t taco__num_f64(char *dst, double x)
{
    uint64_t bits = taco__base_bits64(x), fraction = bits & ((UINT64_C(1) << 52) - 1);
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FF;
    if (TACO__UNLIKELY(exponent == 0x7FF)) {
        return taco__num_unusual(dst, bits >> 63 != 0, fraction != 0);
    }
    return taco__num_binary(dst, bits >> 63 != 0, exponent, fraction, 52, 1075);
}
TACO__FN size_t taco__num_f32(char *dst, float x)
{
    uint32_t bits = taco__base_bits32(x), fraction = bits & 0x7FFFFF,
             exponent = (bits >> 23) & 0xFF;
    if (TACO__UNLIKELY(exponent == 0xFF)) {
        return taco__num_unusual(dst, bits >> 31 != 0, fraction != 0);
    }
    return taco__num_binary(dst, bits >> 31 != 0, exponent, fraction, 23, 150);
}
TACO__FN size_t taco__num_f16(char *dst, uint16_t bits)
{
    uint32_t fraction = bits & 0x3FFU, exponent = (bits >> 10) & 0x1FU;
    if (exponent == 0x1F) {
        return taco__num_unusual(dst, bits >> 15 != 0, fraction != 0);
    }
    return taco__num_binary(dst, bits >> 15 != 0, exponent, fraction, 10, 25);
}
/* IEEE binary16 to a float, exactly; NaN payloads are kept. */
TACO__FN float taco__num_half(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = (bits >> 10) & 0x1FU,
             fraction = bits & 0x3FFU;
    if (exponent == 0x1F) {
        return taco__base_f32(sign | 0x7F800000U | fraction << 13);
    }
    if (exponent == 0) {
        float f = (float)fraction / 16777216.0F; /* 2^-24, both exact */
        return taco__base_f32(sign | taco__base_bits32(f));
    }
    return taco__base_f32(sign | (exponent + 112) << 23 | fraction << 13);
}

/* ---- the grammars ---- */

TACO__INLINE bool taco__num_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}
TACO__INLINE size_t taco__num_skip_digits(taco_bytes b, size_t i)
{
    while (i < b.len && taco__num_is_digit(b.data[i])) {
        i++;
    }
    return i;
}
/* Two grammars differ in what they let pass: JSON's is strict, since a lax reader hides a broken writer; SQL's takes what
   people type, without a sign, which is an operator there. Neither takes hex, underscores, spaces or a locale's comma. */

/* Steps over an exponent at i, or returns i where there is none, or none that is whole. */
TACO__FN size_t taco__num_skip_exponent(taco_bytes b, size_t i)
{
    size_t j = i, end;
    if (j >= b.len || (b.data[j] | 0x20) != 'e') {
        return i;
    }
    j++;
    j += j < b.len && (b.data[j] == '+' || b.data[j] == '-');
    end = taco__num_skip_digits(b, j);
    return end > j ? end : i;
}
/* Length of the JSON number (RFC 8259 §6) b begins with; 0 when there is none or when it is cut short, as `1.`, `1e`,
   `-` and `01` are. *integral is set where it has neither fraction nor exponent. */
TACO__FN size_t taco__num_scan_json(taco_bytes b, bool *integral)
{
    size_t i = b.len && b.data[0] == '-', first = i, end;
    *integral = true;
    i = taco__num_skip_digits(b, i);
    if (i == first || (b.data[first] == '0' && i > first + 1)) {
        return 0;
    }
    if (i < b.len && b.data[i] == '.') {
        *integral = false;
        end = taco__num_skip_digits(b, i + 1);
        if (end == i + 1) {
            return 0;
        }
        i = end;
    }
    if (i < b.len && (b.data[i] | 0x20) == 'e') {
        *integral = false;
        end = taco__num_skip_exponent(b, i);
        return end > i ? end : 0;
    }
    return i;
}
/* Length of the SQL numeric literal b begins with: `12`, `1.5`, `.5`, `5.`, `1e6`, no sign; 0 when there is none. */
TACO__FN size_t taco__num_scan_sql(taco_bytes b, bool *integral)
{
    size_t whole = taco__num_skip_digits(b, 0), i = whole, end;
    *integral = true;
    if (i < b.len && b.data[i] == '.') {
        i = taco__num_skip_digits(b, i + 1);
        if (whole == 0 && i == 1) {
            return 0;
        }
        *integral = false;
    }
    if (i == 0) {
        return 0;
    }
    end = taco__num_skip_exponent(b, i);
    *integral = *integral && end == i;
    return end;
}

/* ---- text to integers ---- */

/* All of b is digits and the value fits; no sign, no spaces. *out is untouched on failure. */
TACO__FN bool taco__num_parse_u64(taco_bytes b, uint64_t *out)
{
    uint64_t x = 0;
    size_t   i;
    for (i = 0; i < b.len; i++) {
        uint32_t d = (uint32_t)b.data[i] - '0';
        if (d > 9 || x > UINT64_MAX / 10 || (x == UINT64_MAX / 10 && d > UINT64_MAX % 10)) {
            return false;
        }
        x = x * 10 + d;
    }
    if (b.len) {
        *out = x;
    }
    return b.len > 0;
}
TACO__FN bool taco__num_parse_i64(taco_bytes b, int64_t *out) /* the same with an optional '-' */
{
    bool     negative = b.len > 0 && b.data[0] == '-';
    uint64_t x;
    if (b.len == 0 ||
        !taco__num_parse_u64(taco__base_bytes(b.data + negative, b.len - negative), &x) ||
        x > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *out = negative ? (int64_t)(0 - x) : (int64_t)x;
    return true;
}

/* ---- decimal text to binary floating point ---- */

/* As Eisel and Lemire showed, 19 digits times a 128-bit power of ten nearly always decide the rounding. Here the product is
   taken as an interval, whose ends are rounded both; only where they differ, the number lies so near a halfway point that
   all its digits are needed, and these are compared with it exactly. So the result is right for any error bound that is,
   and the bound is easy: the table is never more than 3 units off. */

typedef struct taco__num_format { /* bits of the significand, exponents of 1.0-like values */
    int32_t significand, least, greatest;
} taco__num_format;

typedef struct taco__num_digits { /* the digits of a number as text: all of them * 10^exponent */
    const uint8_t *at,
        *end; /* a point may be among them, and zeros in front unless there are more than 19 */
    int64_t  count, exponent;
    uint64_t first; /* the first 19 of them, or all */
    bool     more;  /* others than 0 follow those */
} taco__num_digits;

#define TACO__NUM_EXACT_DIGITS 800 /* a halfway point between two doubles has at most 767 */
#define TACO__NUM_LIMBS                                                                            \
    144 /* of 32 bits: 801 digits take 84, 2^54 * 5^1125 takes 84, and the two sides are near each other */

typedef struct taco__num_big {
    uint32_t n, limb[TACO__NUM_LIMBS]; /* least significant first */
} taco__num_big;

/* b = b * by + add. The room is enough by the bounds above; a carry beyond it would be dropped, never written. */
TACO__FN void taco__num_big_mul(taco__num_big *b, uint32_t by, uint32_t add)
{
    uint64_t carry = add;
    uint32_t i;
    for (i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->n < TACO__NUM_LIMBS) {
        b->limb[b->n++] = (uint32_t)carry;
    }
}
TACO__FN void taco__num_big_mul_pow5(taco__num_big *b, int64_t p)
{
    for (; p >= 13; p -= 13) {
        taco__num_big_mul(b, 1220703125U, 0);
    }
    for (; p > 0; p--) {
        taco__num_big_mul(b, 5, 0);
    }
}
/* b = b * 2^bits: whole limbs are moved, the rest is a product. */
TACO__FN void taco__num_big_shift(taco__num_big *b, int64_t bits)
{
    uint32_t limbs = (uint32_t)(bits / 32), i;
    taco__num_big_mul(b, 1U << (bits % 32), 0);
    if (!limbs || b->n + limbs > TACO__NUM_LIMBS) {
        return;
    }
    for (i = b->n; i-- > 0;) {
        b->limb[i + limbs] = b->limb[i];
    }
    memset(b->limb, 0, limbs * sizeof b->limb[0]);
    b->n += limbs;
}
/* < 0, 0, > 0. Leading limbs are never 0, so the longer is the greater. */
TACO__FN int taco__num_big_order(const taco__num_big *a, const taco__num_big *b)
{
    uint32_t i;
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    for (i = a->n; i-- > 0;) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}
/* The first 19 digits of more than 19, zeros in front not counted. */
TACO__COLD void taco__num_cut(taco__num_digits *d)
{
    const uint8_t *p;
    int64_t        all = d->count, zeros = 0, taken = 0;
    d->first = 0;
    for (p = d->at; p < d->end; p++) {
        if (*p == '.') {
            continue;
        }
        if (taken == 0 && *p == '0') {
            zeros++;
            d->at = p + 1;
        } else if (taken < 19) {
            d->first = d->first * 10 + (uint64_t)(*p - '0');
            taken++;
        } else if (*p != '0') {
            d->more = true;
            break;
        }
    }
    d->count = all - zeros;
}
/* Reads the exponent at p, steps over it, and returns it; 0 and no step where there is none. */
TACO__FN int64_t taco__num_exponent(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at + 1;
    int64_t        x = 0;
    bool           negative = p < end && *p == '-';
    p += negative || (p < end && *p == '+');
    if (p == end || !taco__num_is_digit(*p)) {
        return 0;
    }
    for (; p < end && taco__num_is_digit(*p);
         p++) { /* the cap lies beyond what any count of zeros in memory balances */
        if (x < (INT64_C(1) << 56)) {
            x = x * 10 + (*p - '0');
        }
    }
    *at = p;
    return negative ? -x : x;
}
/* Takes all of b, behind its sign, for a number: `12`, `1.5`, `.5`, `5.`, `1e6`. False when it is none. */
TACO__FN bool taco__num_read(taco_bytes b, taco__num_digits *d)
{
    const uint8_t *p = b.data, *end = p + b.len, *point = NULL;
    uint64_t       x = 0;
    d->more = false;
    d->exponent = 0;
    d->at = p;
    for (; p < end && taco__num_is_digit(*p); p++) {
        x = x * 10 + (uint64_t)(*p - '0');
    }
    d->count = p - d->at;
    if (p < end && *p == '.') {
        point = ++p;
        for (; p < end && taco__num_is_digit(*p); p++) {
            x = x * 10 + (uint64_t)(*p - '0');
        }
        d->count += p - point;
        d->exponent = -(int64_t)(p - point);
    }
    if (d->count == 0) {
        return false;
    }
    d->end = p;
    d->first = x;
    if (p < end && (*p | 0x20) == 'e') {
        d->exponent += taco__num_exponent(&p, end);
    }
    if (d->count > 19) {
        taco__num_cut(d);
    }
    return p == end;
}
/* Rounds m * 2^(top - 63), where the top bit of m is set, `rest` telling that more follows below it, to nearest-even. */
TACO__FN uint64_t taco__num_round(uint64_t m, bool rest, int32_t top, const taco__num_format *f)
{
    int32_t  keep = top >= f->least ? f->significand : f->significand - (f->least - top);
    uint64_t infinity = (uint64_t)(f->greatest - f->least + 2) << (f->significand - 1), bits, below;
    if (keep < 0) {
        return 0;
    }
    if (top > f->greatest) {
        return infinity;
    }
    bits = keep ? m >> (64 - keep) : 0;
    below = m << keep; /* the bits that go, the half at the top */
    if (top >= f->least) {
        bits += (uint64_t)(top - f->least)
                << (f->significand - 1); /* the top bit itself adds the 1 of the exponent */
    }
    if (below >> 63 && (below << 1 || rest || (bits & 1))) {
        bits++; /* a carry into the exponent is right, up to infinity */
    }
    return bits;
}
/* Rounds w * 10^p, 10^p taken as the upper bound, or where `lower` as a lower bound that is never above the truth.
   *sure is set when both would round alike. */
TACO__FN uint64_t taco__num_round_product(uint64_t w, const taco__num_power *power, bool lower,
                                          bool *sure, const taco__num_format *f)
{
    unsigned lead = taco__plat_clz64(w);
    uint64_t carry, high, mid, low;
    int32_t  top = 64 + power->exponent - (int32_t)lead;
    w <<= lead;
    low = taco__plat_mul64(w, power->low, &carry);
    mid = taco__plat_mul64(w, power->high, &high);
    mid += carry;
    high += mid < carry;
    *sure = (mid & (UINT64_MAX >> 1)) >
            3;   /* taking 3 away changes nothing above, and something is left */
    if (lower) { /* 3 units of power->low times w are less than 3 of mid */
        high -= mid < 3;
        mid -= 3;
    }
    if (!(high >> 63)) {
        high = high << 1 | mid >> 63;
        mid <<= 1;
        top--;
    }
    return taco__num_round(high, (mid | low) != 0, top, f);
}
/* The digits lie between two neighbours, `bits` and the next: compares them with the point halfway, exactly. */
TACO__COLD uint64_t taco__num_settle(const taco__num_digits *d, uint64_t bits,
                                     const taco__num_format *f)
{
    taco__num_big  have, half;
    const uint8_t *p;
    uint64_t       c = bits & (((uint64_t)1 << (f->significand - 1)) - 1),
             biased = bits >> (f->significand - 1);
    int64_t q = f->least - f->significand + 1 + (int64_t)(biased ? biased - 1 : 0), taken = 0, ten;
    int     order;
    c = 2 * (biased ? c | (uint64_t)1 << (f->significand - 1) : c) + 1; /* half = c * 2^(q - 1) */
    q--;
    have.n = 0;
    for (p = d->at; p < d->end && taken < TACO__NUM_EXACT_DIGITS; p++) {
        if (*p != '.') {
            taco__num_big_mul(&have, 10, (uint32_t)(*p - '0'));
            taken++;
        }
    }
    ten = d->exponent + (d->count - taken);
    for (; p < d->end; p++) {
        if (*p != '.' &&
            *p !=
                '0') { /* more than 800 digits: no halfway point has so many, any excess decides */
            taco__num_big_mul(&have, 10, 1);
            ten--;
            break;
        }
    }
    half.n = 2;
    half.limb[0] = (uint32_t)c;
    half.limb[1] = (uint32_t)(c >> 32);
    half.n -= half.limb[1] == 0;
    taco__num_big_mul_pow5(ten > 0 ? &have : &half, ten > 0 ? ten : -ten);
    taco__num_big_shift(ten > q ? &have : &half, ten > q ? ten - q : q - ten);
    order = taco__num_big_order(&have, &half);
    return bits + (order > 0 || (order == 0 && (bits & 1)));
}
/* The bits of the nearest number of a format, without the sign. */
TACO__FN uint64_t taco__num_from_digits(const taco__num_digits *d, const taco__num_format *f)
{
    taco__num_power power;
    uint64_t        upper, lower;
    bool            exact, sure;
    int64_t         p = d->exponent + (d->count > 19 ? d->count - 19 : 0);
    if (d->first == 0 ||
        p < -342) { /* below 10^19 * 10^-343, which is less than half the least double */
        return 0;
    }
    if (p > 308) {
        return (uint64_t)(f->greatest - f->least + 2) << (f->significand - 1);
    }
    power = taco__num_pow10((int32_t)p);
    exact = p >= 0 && p <= 55;
    upper = taco__num_round_product(d->first + d->more, &power, false, &sure, f);
    if (!d->more && (exact || sure)) {
        return upper;
    }
    lower = taco__num_round_product(d->first, &power, !exact, &sure, f);
    return upper == lower ? upper : taco__num_settle(d, lower, f);
}
/* The double nearest to the number b spells, ties to even: an optional sign, then all of b is an SQL or JSON number.
   Beyond the largest it is infinite, below the least it is 0. False when b spells no number. */
TACO__FN bool taco__num_parse_f64(taco_bytes b, double *out)
{
    static const taco__num_format binary64 = {53, -1022, 1023};
    size_t                        sign = b.len && (b.data[0] == '-' || b.data[0] == '+');
    taco__num_digits              d;
    if (b.len == sign || !taco__num_read(taco__base_bytes(b.data + sign, b.len - sign), &d)) {
        return false;
    }
    *out = taco__base_f64(taco__num_from_digits(&d, &binary64) |
                          (uint64_t)(sign && b.data[0] == '-') << 63);
    return true;
}
TACO__FN bool taco__num_parse_f32(taco_bytes b,
                                  float     *out) /* the float nearest to it, rounded once */
{
    static const taco__num_format binary32 = {24, -126, 127};
    size_t                        sign = b.len && (b.data[0] == '-' || b.data[0] == '+');
    taco__num_digits              d;
    if (b.len == sign || !taco__num_read(taco__base_bytes(b.data + sign, b.len - sign), &d)) {
        return false;
    }
    *out = taco__base_f32((uint32_t)taco__num_from_digits(&d, &binary32) |
                          (uint32_t)(sign && b.data[0] == '-') << 31);
    return true;
}

/* ---- decimals: two's complement integers with a scale ---- */

#define TACO__NUM_DECIMAL_BYTES 1024 /* of one value, sign bytes not counted: 2,466 digits */
#define TACO__NUM_DECIMAL_SCALE 10000
#define TACO__NUM_DECIMAL_CHARS 2488 /* 9 * ceil(1024 * 8 * log10(2) / 9), and a margin */

/* A decimal of 16 bytes is the common one, and nearly always one of 8: this has a quick way. Longer ones are divided by 10^9
   until nothing is left, which takes time as the square of their length and so has a limit. */

/* Writes the magnitude in limb[0..n), least significant first, in front of end; the limbs are used up. */
TACO__FN char *taco__num_limbs(char *end, uint32_t *limb, size_t n)
{
    char *p = end;
    while (n && limb[n - 1] == 0) {
        n--;
    }
    while (n > 2) {
        uint64_t rest = 0;
        size_t   i;
        for (i = n; i-- > 0;) {
            rest = rest << 32 | limb[i];
            limb[i] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        while (n && limb[n - 1] == 0) {
            n--;
        }
        p -= 9;
        p[0] = (char)('0' + rest / 100000000);
        taco__num_put8(p + 1, (uint32_t)(rest % 100000000));
    }
    if (n || p == end) {
        char     head[20];
        uint64_t x = (n > 0 ? limb[0] : 0) | (uint64_t)(n > 1 ? limb[1] : 0) << 32;
        size_t   len = taco__num_u64(head, x);
        p -= len;
        memcpy(p, head, len);
    }
    return p;
}
/* Appends sign, digits and the point: exactly `scale` digits behind it, at least one before. */
TACO__FN bool taco__num_point(taco__buf *out, bool negative, const char *digits, size_t n,
                              int32_t scale, taco_error *err)
{
    size_t s = scale > 0 ? (size_t)scale : 0, whole = n > s ? n - s : 0;
    char  *p;
    if (s > TACO__NUM_DECIMAL_SCALE) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "decimal of scale %u, at most %u is written as text", TACO__U(s),
                   TACO__U(TACO__NUM_DECIMAL_SCALE));
        return false;
    }
    if (!taco__buf_reserve(out, 3 + n + s, err)) {
        return false;
    }
    p = (char *)out->data + out->len;
    if (negative) {
        *p++ = '-';
    }
    if (whole) {
        memcpy(p, digits, whole);
        p += whole;
    } else {
        *p++ = '0';
    }
    if (s) {
        *p++ = '.';
        if (n < s) {
            memset(p, '0', s - n);
            p += s - n;
        }
        memcpy(p, digits + whole, n - whole);
        p += n - whole;
    }
    out->len = (size_t)((uint8_t *)p - out->data);
    return true;
}
/* The digits of a big-endian two's complement integer in front of `end`, where TACO__NUM_DECIMAL_CHARS bytes are free.
   NULL when it is too long: the conversion takes time as the square of the length. */
TACO__FN char *taco__num_magnitude(char *end, taco_bytes b, bool *negative, taco_error *err)
{
    uint32_t limb[TACO__NUM_DECIMAL_BYTES / 4 + 1];
    uint8_t  fill = b.len && b.data[0] >> 7 ? 0xFF : 0;
    bool     carry = fill != 0;
    size_t   i, n;
    *negative = carry;
    while (b.len && b.data[0] == fill) { /* the sign is known, sign bytes say nothing more */
        b.data++;
        b.len--;
    }
    if (b.len > TACO__NUM_DECIMAL_BYTES) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "decimal of %u bytes, at most %u are converted", TACO__U(b.len),
                   TACO__U(TACO__NUM_DECIMAL_BYTES));
        return NULL;
    }
    n = b.len / 4 + 1;
    memset(limb, 0, n * sizeof limb[0]);
    for (i = 0; i < b.len; i++) {
        limb[i / 4] |= (uint32_t)(uint8_t)(b.data[b.len - 1 - i] ^ fill) << (8 * (i % 4));
    }
    for (i = 0; i < n && carry; i++) { /* -x = ~x + 1 */
        carry = ++limb[i] == 0;
    }
    return taco__num_limbs(end, limb, n);
}
/* Appends a big-endian two's complement decimal of any length as text; no bytes are 0. A scale below 1 adds nothing. */
TACO__FN bool taco__num_decimal_be(taco__buf *out, taco_bytes b, int32_t scale, taco_error *err)
{
    char text[TACO__NUM_DECIMAL_CHARS], *end = text + sizeof text, *p;
    bool negative;
    p = taco__num_magnitude(end, b, &negative, err);
    return p && taco__num_point(out, negative, p, (size_t)(end - p), scale, err);
}
/* Appends a little-endian two's complement decimal of `width` bytes, at most 32, as text. */
TACO__FN bool taco__num_decimal(taco__buf *out, const uint8_t *le, int32_t width, int32_t scale,
                                taco_error *err)
{
    uint8_t be[32];
    size_t  n = width > 0 ? TACO__MIN((size_t)width, sizeof be) : 0, i;
    uint8_t sign = n && le[n - 1] >> 7 ? 0xFF : 0;
    for (i = 8; i < n && le[i] == sign; i++) {
    }
    if (i == n && (le[7] ^ sign) < 0x80) { /* fits an int64_t, as nearly all do */
        uint64_t x = taco__base_le64(le);
        char     text[20];
        size_t   len = taco__num_u64(text, sign ? 0 - x : x);
        return taco__num_point(out, sign != 0, text, len, scale, err);
    }
    for (i = 0; i < n; i++) {
        be[i] = le[n - 1 - i];
    }
    return taco__num_decimal_be(out, taco__base_bytes(be, n), scale, err);
}
/* The double nearest to such a decimal, big-endian; 0 when it is too long to convert. */
TACO__FN double taco__num_decimal_be_f64(taco_bytes b, int32_t scale)
{
    static const taco__num_format binary64 = {53, -1022, 1023};
    char                          text[TACO__NUM_DECIMAL_CHARS], *end = text + sizeof text, *p;
    taco__num_digits              d;
    bool                          negative;
    p = taco__num_magnitude(end, b, &negative, NULL);
    if (!p) {
        return 0;
    }
    taco__num_read(taco__base_bytes(p, (size_t)(end - p)), &d);
    d.exponent = -(int64_t)scale;
    return taco__base_f64(taco__num_from_digits(&d, &binary64) | (uint64_t)negative << 63);
}
TACO__FN double taco__num_decimal_f64(const uint8_t *le, int32_t width,
                                      int32_t scale) /* and little-endian, at most 32 */
{
    uint8_t be[32];
    size_t  n = width > 0 ? TACO__MIN((size_t)width, sizeof be) : 0, i;
    for (i = 0; i < n; i++) {
        be[i] = le[n - 1 - i];
    }
    return taco__num_decimal_be_f64(taco__base_bytes(be, n), scale);
}

/* ---- UTF-8 ---- */

/* Length of the well-formed character at p, RFC 3629 §4: no overlong forms, no surrogates, nothing above U+10FFFF.
   Otherwise 0, and *bad is how many bytes make up the broken one: the longest that could have begun a character. */
TACO__FN size_t taco__num_utf8_char(const uint8_t *p, size_t left, size_t *bad)
{
    uint8_t c = p[0], low = 0x80, high = 0xBF;
    size_t  need, i;
    *bad = 1;
    if (c < 0x80) {
        return 1;
    }
    if (c < 0xC2 || c > 0xF4) {
        return 0;
    }
    need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : low;
    high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : high;
    for (i = 1; i < need; i++) {
        if (i >= left || p[i] < low || p[i] > high) {
            *bad = i;
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return need;
}
/* True when b is well-formed UTF-8. */
TACO__FN bool taco__num_utf8(taco_bytes b)
{
    size_t i = 0, bad, n;
    while (i < b.len) {
        uint64_t x;
        if (b.len - i >= 8) {
            memcpy(&x, b.data + i, 8);
            if (!(x & UINT64_C(0x8080808080808080))) {
                i += 8;
                continue;
            }
        }
        do { /* as far as the next ASCII character, so that other scripts do not try 8 at each letter */
            n = taco__num_utf8_char(b.data + i, b.len - i, &bad);
            if (!n) {
                return false;
            }
            i += n;
        } while (i < b.len && (n > 1 || b.len - i < 8));
    }
    return true;
}

/* ==== ROOM time: days and civil dates, ISO 8601 both ways, day ranges. Uses: base error num. Spec: ISO 8601, proleptic Gregorian ==== */

#define TACO__TIME_DAY_SECONDS INT64_C(86400)
#define TACO__TIME_DAY_MICROS  INT64_C(86400000000)
#define TACO__TIME_JULIAN_1970 INT64_C(2440588) /* Julian day that begins at noon of 1970-01-01 */
#define TACO__TIME_CHARS       48               /* enough for any text this room writes */

typedef struct taco__time_civil {
    int64_t year; /* astronomical: year 0 exists, before it come negative ones */
    int32_t month, day;
} taco__time_civil;

TACO__INLINE int64_t taco__time_floor(int64_t a, int64_t b) /* floor(a / b), b > 0 */
{
    return a / b - (a % b < 0);
}
TACO__INLINE int64_t
taco__time_rest(int64_t a, int64_t b) /* a - floor(a / b) * b, which may pass through an overflow */
{
    return a % b + (a % b < 0 ? b : 0);
}
/* Gregorian rules for all years, also those before 1582: what Parquet, Python and SQL mean by a date. */
TACO__FN bool taco__time_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
/* 31 for the odd months up to July and the even ones after it. */
TACO__FN int32_t taco__time_month_days(int64_t year, int32_t month)
{
    return month == 2 ? 28 + taco__time_leap(year) : 30 + ((month + (month >> 3)) & 1);
}
/* Days since 1970-01-01 of a date; |year| < 2^53. Years begin in March here, so that the leap day is their last and the
   months before a given one make up (153 m + 2) / 5 days. */
TACO__FN int64_t taco__time_days(int64_t year, int32_t month, int32_t day)
{
    int64_t y = year - (month <= 2), cycle = taco__time_floor(y, 400), of_cycle = y - cycle * 400;
    int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719468;
}
/* The date of a day; |days| < 2^62, which any DATE, TIMESTAMP and INT96 is. */
TACO__FN taco__time_civil taco__time_date_of(int64_t days)
{
    taco__time_civil c;
    int64_t          shifted = days + 719468, cycle = taco__time_floor(shifted, 146097);
    uint32_t         d = (uint32_t)(shifted - cycle * 146097); /* of 400 years, from 1 March */
    uint32_t         y = (d - d / 1460 + d / 36524 - d / 146096) / 365,
             of_year = d - (365 * y + y / 4 - y / 100);
    uint32_t m = (5 * of_year + 2) / 153;
    c.day = (int32_t)(of_year - (153 * m + 2) / 5 + 1);
    c.month = (int32_t)(m < 10 ? m + 3 : m - 9);
    c.year = cycle * 400 + (int64_t)y + (c.month <= 2);
    return c;
}

/* ---- to text: all return the length and write no NUL; dst has TACO__TIME_CHARS bytes ---- */

/* `2020-01-31`; a year above 9999 has a `+`, one below 0 a `-`, and at least four digits. */
TACO__FN size_t taco__time_put_date(char *dst, int64_t days)
{
    taco__time_civil c = taco__time_date_of(days);
    char            *p = dst;
    uint64_t         year = c.year < 0 ? 0 - (uint64_t)c.year : (uint64_t)c.year;
    if (c.year < 0 || c.year > 9999) {
        *p++ = c.year < 0 ? '-' : '+';
    }
    if (year <= 9999) {
        p = taco__num_put4(p, (uint32_t)year);
    } else {
        p += taco__num_u64(p, year);
    }
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.month);
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.day);
    return (size_t)(p - dst);
}
TACO__INLINE uint32_t taco__time_per_second(taco_unit unit)
{
    return unit == TACO_NANO    ? 1000000000U
           : unit == TACO_MICRO ? 1000000U
           : unit == TACO_MILLI ? 1000U
                                : 1U;
}
/* `10:59:58.123456`: as many digits behind the point as the unit has; second < 100 hours, fraction < units of a second. */
TACO__FN char *taco__time_put_clock(char *p, uint32_t second, uint32_t fraction, taco_unit unit)
{
    p = taco__num_put2(p, second / 3600);
    *p++ = ':';
    p = taco__num_put2(p, second / 60 % 60);
    *p++ = ':';
    p = taco__num_put2(p, second % 60);
    if (unit == TACO_SECOND) {
        return p;
    }
    *p++ = '.';
    if (unit == TACO_NANO) {
        *p++ = (char)('0' + fraction / 100000000);
        return taco__num_put8(p, fraction % 100000000);
    }
    if (unit == TACO_MICRO) {
        p = taco__num_put2(p, fraction / 10000);
        return taco__num_put4(p, fraction % 10000);
    }
    *p++ = (char)('0' + fraction / 100);
    return taco__num_put2(p, fraction % 100);
}
/* A time of day. False, and the plain count instead, outside 0..24 h; the last second, a leap one, included. */
TACO__FN bool taco__time_put_time(char *dst, int64_t value, taco_unit unit, size_t *len)
{
    int64_t per = taco__time_per_second(unit);
    if (value < 0 || value / per > TACO__TIME_DAY_SECONDS) {
        *len = taco__num_i64(dst, value);
        return false;
    }
    *len =
        (size_t)(taco__time_put_clock(dst, (uint32_t)(value / per), (uint32_t)(value % per), unit) -
                 dst);
    return true;
}
/* Day and second are apart, so that an INT96 beyond an int64_t of nanoseconds needs no wider integer. */
TACO__FN size_t taco__time_put_instant(char *dst, int64_t days, uint32_t second, uint32_t fraction,
                                       taco_unit unit, bool utc)
{
    char *p = dst + taco__time_put_date(dst, days);
    *p++ = 'T';
    p = taco__time_put_clock(p, second, fraction, unit);
    *p = 'Z';
    return (size_t)(p - dst) + utc;
}
/* `2020-01-31T10:59:58.123`, with `Z` for utc; any value. */
TACO__FN size_t taco__time_put_stamp(char *dst, int64_t value, taco_unit unit, bool utc)
{
    int64_t per = taco__time_per_second(unit), seconds = taco__time_floor(value, per);
    return taco__time_put_instant(dst, taco__time_floor(seconds, TACO__TIME_DAY_SECONDS),
                                  (uint32_t)taco__time_rest(seconds, TACO__TIME_DAY_SECONDS),
                                  (uint32_t)taco__time_rest(value, per), unit, utc);
}
/* An INT96: nanoseconds of the day, which may be more than a day or negative, and a Julian day. Any value. */
TACO__FN size_t taco__time_put_int96(char *dst, const uint8_t *p)
{
    int64_t nanos = (int64_t)taco__base_le64(p),
            day = (int64_t)(int32_t)taco__base_le32(p + 8) - TACO__TIME_JULIAN_1970;
    int64_t seconds = taco__time_floor(nanos, 1000000000);
    return taco__time_put_instant(dst, day + taco__time_floor(seconds, TACO__TIME_DAY_SECONDS),
                                  (uint32_t)taco__time_rest(seconds, TACO__TIME_DAY_SECONDS),
                                  (uint32_t)taco__time_rest(nanos, 1000000000), TACO_NANO, false);
}
/* An INT96 as nanoseconds since 1970; false when that is beyond an int64_t (1677 to 2262). */
TACO__FN bool taco__time_int96(const uint8_t *p, int64_t *out)
{
    int64_t nanos = (int64_t)taco__base_le64(p),
            day = (int64_t)(int32_t)taco__base_le32(p + 8) - TACO__TIME_JULIAN_1970;
    int64_t per_day = TACO__TIME_DAY_SECONDS * 1000000000;
    day += taco__time_floor(nanos, per_day);
    nanos = taco__time_rest(nanos, per_day);
    if (day < 0) { /* so that the product is not beyond where the sum is not */
        day++;
        nanos -= per_day;
    }
    if (day > INT64_MAX / per_day || day < INT64_MIN / per_day) {
        return false;
    }
    day *= per_day;
    if (nanos > 0 ? day > INT64_MAX - nanos : day < INT64_MIN - nanos) {
        return false;
    }
    *out = day + nanos;
    return true;
}

/* ---- from text ---- */

/* A reader of one text. The first failure stays: where, and what would have been right there. */
typedef struct taco__time_in {
    const uint8_t *s;
    size_t         at, end;
    const char    *want; /* NULL while all is well */
    size_t         want_at;
} taco__time_in;

/* Every step below does nothing once one has failed, so that a date is read without a check after each number. */
TACO__FN bool taco__time_fail(taco__time_in *in, size_t at, const char *want)
{
    if (!in->want) {
        in->want = want;
        in->want_at = at;
    }
    return false;
}
/* Steps over c if it comes next. */
TACO__FN bool taco__time_accept(taco__time_in *in, char c)
{
    if (!in->want && in->at < in->end && in->s[in->at] == (uint8_t)c) {
        in->at++;
        return true;
    }
    return false;
}
TACO__INLINE bool taco__time_at_digit(const taco__time_in *in)
{
    return in->at < in->end && taco__num_is_digit(in->s[in->at]);
}
/* Exactly n digits whose value lies in [least, greatest]. */
TACO__FN int32_t taco__time_number(taco__time_in *in, int n, int32_t least, int32_t greatest,
                                   const char *want)
{
    size_t  from = in->at;
    int32_t x = 0;
    int     i;
    if (in->want) {
        return least;
    }
    for (i = 0; i < n; i++) {
        if (!taco__time_at_digit(in)) {
            taco__time_fail(in, in->at, want);
            return least;
        }
        x = x * 10 + (in->s[in->at++] - '0');
    }
    if (x < least || x > greatest) {
        taco__time_fail(in, from, want);
        return least;
    }
    return x;
}
/* The day of week 1 and weekday 1 of an ISO year: the Monday of the week that has 4 January in it. */
TACO__FN int64_t taco__time_week_year(int64_t year)
{
    int64_t fourth = taco__time_days(year, 1, 4),
            weekday = fourth + 3; /* 1970-01-01 was a Thursday */
    return fourth - taco__time_rest(weekday, 7);
}
/* `2020-W01-1`, `2020W011`, and without the weekday its Monday; behind the W. */
TACO__FN int64_t taco__time_read_week(taco__time_in *in, int32_t year, bool dashes)
{
    int64_t start = taco__time_week_year(year);
    int32_t weeks = (int32_t)((taco__time_week_year(year + 1) - start) / 7), week, day = 1;
    week = taco__time_number(in, 2, 1, weeks,
                             weeks == 53 ? "a week from 01 to 53" : "a week from 01 to 52");
    if (dashes ? taco__time_accept(in, '-') : !in->want && taco__time_at_digit(in)) {
        day = taco__time_number(in, 1, 1, 7, "a weekday from 1 to 7");
    }
    return start + 7 * (week - 1) + day - 1;
}
/* Days since 1970 of a calendar or week date, years 0001 to 9999. */
TACO__FN int64_t taco__time_read_date(taco__time_in *in)
{
    int32_t year = taco__time_number(in, 4, 1, 9999, "a date, YYYY-MM-DD"), month, day, last;
    bool    dashes = taco__time_accept(in, '-');
    size_t  from;
    if (taco__time_accept(in, 'W')) {
        int64_t days = taco__time_read_week(in, year, dashes);
        return year == 9999 && days >= taco__time_days(10000, 1, 1)
                   ? (taco__time_fail(in, 0, "a date before the year 10000"), 0)
                   : days;
    }
    month = taco__time_number(in, 2, 1, 12, "a month from 01 to 12: a date is YYYY-MM-DD");
    if (dashes && !in->want && !taco__time_accept(in, '-')) {
        taco__time_fail(in, in->at, "'-' and a day: a date is YYYY-MM-DD");
    }
    from = in->at;
    day = taco__time_number(in, 2, 1, 31, "a day from 01 to 31: a date is YYYY-MM-DD");
    last = taco__time_month_days(year, month);
    if (day > last) {
        taco__time_fail(in, from,
                        last == 28   ? "a day from 01 to 28, this month's last"
                        : last == 29 ? "a day from 01 to 29, this month's last"
                                     : "a day from 01 to 30, this month's last");
    }
    return taco__time_days(year, month, day);
}
/* Microseconds behind a point or comma, at least one digit; those beyond the sixth are cut off. */
TACO__FN int64_t taco__time_read_fraction(taco__time_in *in)
{
    int64_t micros = 0, unit = 100000;
    if (!taco__time_accept(in, '.') && !taco__time_accept(in, ',')) {
        return 0;
    }
    if (!taco__time_at_digit(in)) {
        taco__time_fail(in, in->at, "a digit of the fraction");
    }
    for (; !in->want && taco__time_at_digit(in); in->at++, unit /= 10) {
        micros += (in->s[in->at] - '0') * unit;
    }
    return micros;
}
/* `hh`, `hh:mm`, `hhmm`, `hh:mm:ss.f`, `hhmmss,f`: microseconds. An offset from UTC has the same form. */
TACO__FN int64_t taco__time_read_clock(taco__time_in *in, const char *want)
{
    int64_t seconds = 3600 * (int64_t)taco__time_number(in, 2, 0, 23, want), micros = 0;
    bool    colons = taco__time_accept(in, ':');
    if (colons || (!in->want && taco__time_at_digit(in))) {
        seconds += 60 * taco__time_number(in, 2, 0, 59, "minutes from 00 to 59");
        if (colons ? taco__time_accept(in, ':') : !in->want && taco__time_at_digit(in)) {
            seconds += taco__time_number(in, 2, 0, 59, "seconds from 00 to 59");
            micros = taco__time_read_fraction(in);
        }
    }
    return seconds * 1000000 + micros;
}
/* One date or date-time that takes all of the text, as microseconds since 1970 in UTC; without an offset it is UTC. */
TACO__FN bool taco__time_read(taco__time_in *in, int64_t *us, bool *date_only)
{
    *us = taco__time_read_date(in) * TACO__TIME_DAY_MICROS;
    *date_only =
        in->at == in->end || in->s[in->at] == 'Z' || in->s[in->at] == '+' || in->s[in->at] == '-';
    if (in->want) {
        return false;
    }
    if (*date_only) { /* a zone behind a date is checked but moves nothing: the day that was named is meant */
        if (in->at < in->end && !taco__time_accept(in, 'Z')) {
            in->at++;
            taco__time_read_clock(in, "hours of the offset from 00 to 23");
        }
        return !in->want && (in->at == in->end || taco__time_fail(in, in->at, "the end"));
    }
    if (!taco__time_accept(in, 'T') && !taco__time_accept(in, ' ') && !taco__time_accept(in, 't')) {
        return taco__time_fail(in, in->at, "the end, or 'T' and a time");
    }
    *us += taco__time_read_clock(in, "hours from 00 to 23");
    if (!taco__time_accept(in, 'Z')) {
        bool east = taco__time_accept(in, '+');
        if (east || taco__time_accept(in, '-')) {
            int64_t offset = taco__time_read_clock(in, "hours of the offset from 00 to 23");
            *us -= east ? offset : -offset;
        }
    }
    return !in->want && (in->at == in->end ||
                         taco__time_fail(in, in->at, "the end, 'Z' or an offset as +01:00"));
}
/* A date or date-time in ISO 8601: `2020-01-01`, `20200101`, `2020-W01-1`, `2020W011`, then `T` or a space and
   hh[:mm[:ss[.f]]] or hhmmss, then Z, +hh, +hhmm, +hh:mm, +hh:mm:ss. Without an offset it is UTC. */
TACO__FN bool taco__time_parse(taco_bytes text, int64_t *us, bool *date_only)
{
    taco__time_in in;
    in.s = text.data;
    in.at = in.want_at = 0;
    in.end = text.len;
    in.want = NULL;
    return taco__time_read(&in, us, date_only);
}
/* `time range '2020': at column 5: expected a month ..., found end of text` */
TACO__COLD taco_status taco__time_refuse(const taco__time_in *in, taco_bytes all, taco_error *err)
{
    taco_bytes found =
        taco__base_bytes(all.data + in->want_at, TACO__MAX(in->end - in->want_at, 1));
    bool first = err && err->code == TACO_OK;
    if (in->want_at >= all.len) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, in->want_at, "expected %s, found end of text", in->want);
    } else {
        TACO__FAIL(err, TACO_ERR_SYNTAX, in->want_at, "expected %s, found %q", in->want, &found);
    }
    if (first) {
        taco__error_prefix(err, "time range %q", &all);
    }
    return TACO_ERR_SYNTAX;
}
/* A day range, `A` or `A/B` in ISO 8601: the days since 1970 in UTC that A and B lie on, both included, and the instants
   themselves in microseconds (of a plain date, its midnight). The text ends in NUL; NULL is as empty. */
TACO__FN taco_status taco__time_range(const char *text, int64_t *first_day, int64_t *last_day,
                                      int64_t *start_us, int64_t *end_us, taco_error *err)
{
    taco_bytes    all = taco__base_text(text ? text : "");
    taco__time_in in;
    bool          date_only;
    in.s = all.data;
    in.at = in.want_at = in.end = 0;
    in.want = NULL;
    while (in.end < all.len && in.s[in.end] != '/') {
        in.end++;
    }
    if (!taco__time_read(&in, start_us, &date_only)) {
        return taco__time_refuse(&in, all, err);
    }
    *end_us = *start_us;
    if (in.end < all.len) {
        size_t second = in.at = in.end + 1;
        in.end = all.len;
        if (!taco__time_read(&in, end_us, &date_only)) {
            return taco__time_refuse(&in, all, err);
        }
        if (taco__time_floor(*start_us, 1000000) > taco__time_floor(*end_us, 1000000)) {
            taco__time_fail(&in, second, "an end that is not before the start");
            return taco__time_refuse(&in, all, err);
        }
    }
    *first_day = taco__time_floor(*start_us, TACO__TIME_DAY_MICROS);
    *last_day = taco__time_floor(*end_us, TACO__TIME_DAY_MICROS);
    return TACO_OK;
}

/* ---- SQL casts of text, as DuckDB reads it ---- */

/* These follow what a query engine accepts rather than a standard, since rows are compared with its answers: separators may
   be '/', months and days may have one digit, and a cast to DATE ignores the time behind it. */

TACO__INLINE bool taco__time_is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
TACO__FN void taco__time_spaces(taco__time_in *in)
{
    while (in->at < in->end && taco__time_is_space(in->s[in->at])) {
        in->at++;
    }
}
/* One digit or two; -1 when there is none. */
TACO__FN int32_t taco__time_sql_number(taco__time_in *in)
{
    int32_t x;
    if (!taco__time_at_digit(in)) {
        return -1;
    }
    x = in->s[in->at++] - '0';
    if (taco__time_at_digit(in)) {
        x = x * 10 + (in->s[in->at++] - '0');
    }
    return x;
}
/* ` (BC)` behind a date: year 1 BC is year 0. */
TACO__FN bool taco__time_sql_bc(taco__time_in *in, int64_t *year)
{
    const uint8_t *p = in->s + in->at;
    if (in->end - in->at < 5 || !taco__time_is_space(p[0]) || p[1] != '(' || (p[2] | 0x20) != 'b' ||
        (p[3] | 0x20) != 'c' || p[4] != ')') {
        return true;
    }
    in->at += 5;
    *year = 1 - *year;
    return *year <= 0;
}
/* [-]Y-M-D with '-', '/', '\' or a space between, both the same; what follows may be anything but a digit. */
TACO__FN bool taco__time_sql_date(taco__time_in *in, int64_t *days)
{
    bool    negative;
    int64_t year = 0;
    int32_t month, day;
    char    mark;
    taco__time_spaces(in);
    negative = taco__time_accept(in, '-');
    if (!taco__time_at_digit(in)) {
        return false;
    }
    for (; taco__time_at_digit(in); in->at++) {
        if (year >= 100000000) {
            return false;
        }
        year = year * 10 + (in->s[in->at] - '0');
    }
    year = negative ? -year : year;
    mark = in->at < in->end ? (char)in->s[in->at] : 0;
    if (mark != '-' && mark != '/' && mark != '\\' && mark != ' ') {
        return false;
    }
    in->at++;
    month = taco__time_sql_number(in);
    if (month < 1 || month > 12 || !taco__time_accept(in, mark)) {
        return false;
    }
    day = taco__time_sql_number(in);
    if (day < 1 || !taco__time_sql_bc(in, &year) || taco__time_at_digit(in) ||
        day > taco__time_month_days(year, month)) {
        return false;
    }
    *days = taco__time_days(year, month, day);
    return *days >= -INT32_MAX && *days <= INT32_MAX - 1; /* the ends are its infinities */
}
/* CAST(text AS DATE): days since 1970. A time behind the date is not looked at; false where the cast gives no date. */
TACO__FN bool taco__time_cast_date(taco_bytes text, int32_t *days)
{
    taco__time_in in;
    int64_t       d;
    in.s = text.data;
    in.at = in.want_at = 0;
    in.end = text.len;
    in.want = NULL;
    if (!taco__time_sql_date(&in, &d)) {
        return false;
    }
    *days = (int32_t)d;
    return true;
}
/* h:mm[:ss[.f]] */
TACO__FN bool taco__time_sql_clock(taco__time_in *in, int64_t *us)
{
    int32_t hour = taco__time_sql_number(in), minute, second = 0;
    *us = 0;
    if (hour < 0 || hour > 24 || !taco__time_accept(in, ':')) {
        return false;
    }
    minute = taco__time_sql_number(in);
    if (minute < 0 || minute > 59) {
        return false;
    }
    if (taco__time_accept(in, ':')) {
        second = taco__time_sql_number(in);
        if (second < 0 || second > 59) {
            return false;
        }
        if (in->at < in->end && in->s[in->at] == '.') {
            *us = in->at + 1 < in->end && taco__num_is_digit(in->s[in->at + 1])
                      ? taco__time_read_fraction(in)
                      : (in->at++, 0);
        }
    }
    *us += (3600 * (int64_t)hour + 60 * minute + second) * 1000000;
    return hour < 24 || *us == TACO__TIME_DAY_MICROS; /* 24:00:00 is the next midnight */
}
/* `Z`, ` UTC`, +hh, +hhmm, +hh:mm, +hh:mm:ss, or nothing. */
TACO__FN bool taco__time_sql_zone(taco__time_in *in, int64_t *us, bool *zone)
{
    size_t from = in->at;
    *zone = true;
    taco__time_spaces(in);
    if (in->end - in->at >= 3 && in->at > from && memcmp(in->s + in->at, "UTC", 3) == 0) {
        in->at += 3;
    } else if (!taco__time_accept(in, 'Z')) {
        bool east = taco__time_accept(in, '+');
        if (east || taco__time_accept(in, '-')) {
            int64_t offset = taco__time_read_clock(in, "");
            *us -= east ? offset : -offset;
        } else {
            *zone = false;
        }
    }
    taco__time_spaces(in);
    return !in->want && in->at == in->end;
}
/* CAST(text AS TIMESTAMP): microseconds since 1970, an offset applied. *date_only: there was no time of day, *zone: there
   was an offset. Fractions beyond microseconds are cut off. False where the text is none. */
TACO__FN bool taco__time_cast_stamp(taco_bytes text, int64_t *us, bool *date_only, bool *zone)
{
    taco__time_in in;
    int64_t       days, clock = 0;
    in.s = text.data;
    in.at = in.want_at = 0;
    in.end = text.len;
    in.want = NULL;
    *zone = false;
    if (!taco__time_sql_date(&in, &days)) {
        return false;
    }
    *date_only = true;
    if (in.at < in.end) {
        bool blank = taco__time_is_space(in.s[in.at]);
        if (!taco__time_accept(&in, 'T') && !taco__time_accept(&in, 't')) {
            taco__time_spaces(&in);
        }
        *date_only = blank && in.at == in.end;
        if (!*date_only &&
            (!taco__time_sql_clock(&in, &clock) || !taco__time_sql_zone(&in, &clock, zone))) {
            return false;
        }
    }
    /* clock is within two days of 0, so two days less than an int64_t holds are enough */
    if (days > INT64_MAX / TACO__TIME_DAY_MICROS - 2 ||
        days < INT64_MIN / TACO__TIME_DAY_MICROS + 2) {
        return false;
    }
    *us = days * TACO__TIME_DAY_MICROS + clock;
    return true;
}

/* ==== ROOM hash: CRC-32 and XXH64. Uses: base. Spec: RFC 1952 §8, xxHash specification ==== */

/* A CRC is linear: the entry of n is the XOR of the entries of n's bits. So eight constants spell
   a table of 256, and these macros write it out: each halves the index by one more bit. */
#define TACO__HASH_CRC1(x, a)       (x), (x) ^ (a)
#define TACO__HASH_CRC2(x, a, b)    TACO__HASH_CRC1(x, a), TACO__HASH_CRC1((x) ^ (b), a)
#define TACO__HASH_CRC3(x, a, b, c) TACO__HASH_CRC2(x, a, b), TACO__HASH_CRC2((x) ^ (c), a, b)
#define TACO__HASH_CRC4(x, a, b, c, d)                                                             \
    TACO__HASH_CRC3(x, a, b, c), TACO__HASH_CRC3((x) ^ (d), a, b, c)
#define TACO__HASH_CRC5(x, a, b, c, d, e)                                                          \
    TACO__HASH_CRC4(x, a, b, c, d), TACO__HASH_CRC4((x) ^ (e), a, b, c, d)
#define TACO__HASH_CRC6(x, a, b, c, d, e, f)                                                       \
    TACO__HASH_CRC5(x, a, b, c, d, e), TACO__HASH_CRC5((x) ^ (f), a, b, c, d, e)
#define TACO__HASH_CRC7(x, a, b, c, d, e, f, g)                                                    \
    TACO__HASH_CRC6(x, a, b, c, d, e, f), TACO__HASH_CRC6((x) ^ (g), a, b, c, d, e, f)
#define TACO__HASH_CRC8(x, a, b, c, d, e, f, g, h)                                                 \
    TACO__HASH_CRC7(x, a, b, c, d, e, f, g), TACO__HASH_CRC7((x) ^ (h), a, b, c, d, e, f, g)

/* Row k: the CRC of one byte with k zero bytes behind it, for polynomial 0xEDB88320
   (bit-reflected), without the complements before and after. 16 rows take a block of 16 bytes at
   once. */
static const uint32_t taco__hash_crc_rows[16][256] = {
    {TACO__HASH_CRC8(0U, 0x77073096U, 0xEE0E612CU, 0x076DC419U, 0x0EDB8832U, 0x1DB71064U,
                     0x3B6E20C8U, 0x76DC4190U, 0xEDB88320U)},
    {TACO__HASH_CRC8(0U, 0x191B3141U, 0x32366282U, 0x646CC504U, 0xC8D98A08U, 0x4AC21251U,
                     0x958424A2U, 0xF0794F05U, 0x3B83984BU)},
    {TACO__HASH_CRC8(0U, 0x01C26A37U, 0x0384D46EU, 0x0709A8DCU, 0x0E1351B8U, 0x1C26A370U,
                     0x384D46E0U, 0x709A8DC0U, 0xE1351B80U)},
    {TACO__HASH_CRC8(0U, 0xB8BC6765U, 0xAA09C88BU, 0x8F629757U, 0xC5B428EFU, 0x5019579FU,
                     0xA032AF3EU, 0x9B14583DU, 0xED59B63BU)},
    {TACO__HASH_CRC8(0U, 0x3D6029B0U, 0x7AC05360U, 0xF580A6C0U, 0x30704BC1U, 0x60E09782U,
                     0xC1C12F04U, 0x58F35849U, 0xB1E6B092U)},
    {TACO__HASH_CRC8(0U, 0xCB5CD3A5U, 0x4DC8A10BU, 0x9B914216U, 0xEC53826DU, 0x03D6029BU,
                     0x07AC0536U, 0x0F580A6CU, 0x1EB014D8U)},
    {TACO__HASH_CRC8(0U, 0xA6770BB4U, 0x979F1129U, 0xF44F2413U, 0x33EF4E67U, 0x67DE9CCEU,
                     0xCFBD399CU, 0x440B7579U, 0x8816EAF2U)},
    {TACO__HASH_CRC8(0U, 0xCCAA009EU, 0x4225077DU, 0x844A0EFAU, 0xD3E51BB5U, 0x7CBB312BU,
                     0xF9766256U, 0x299DC2EDU, 0x533B85DAU)},
    {TACO__HASH_CRC8(0U, 0x177B1443U, 0x2EF62886U, 0x5DEC510CU, 0xBBD8A218U, 0xACC04271U,
                     0x82F182A3U, 0xDE920307U, 0x6655004FU)},
    {TACO__HASH_CRC8(0U, 0xEFC26B3EU, 0x04F5D03DU, 0x09EBA07AU, 0x13D740F4U, 0x27AE81E8U,
                     0x4F5D03D0U, 0x9EBA07A0U, 0xE6050901U)},
    {TACO__HASH_CRC8(0U, 0xC18EDFC0U, 0x586CB9C1U, 0xB0D97382U, 0xBAC3E145U, 0xAEF6C4CBU,
                     0x869C8FD7U, 0xD64819EFU, 0x77E1359FU)},
    {TACO__HASH_CRC8(0U, 0x9BA54C6FU, 0xEC3B9E9FU, 0x03063B7FU, 0x060C76FEU, 0x0C18EDFCU,
                     0x1831DBF8U, 0x3063B7F0U, 0x60C76FE0U)},
    {TACO__HASH_CRC8(0U, 0xDD96D985U, 0x605CB54BU, 0xC0B96A96U, 0x5A03D36DU, 0xB407A6DAU,
                     0xB37E4BF5U, 0xBD8D91ABU, 0xA06A2517U)},
    {TACO__HASH_CRC8(0U, 0x9D0FE176U, 0xE16EC4ADU, 0x19AC8F1BU, 0x33591E36U, 0x66B23C6CU,
                     0xCD6478D8U, 0x41B9F7F1U, 0x8373EFE2U)},
    {TACO__HASH_CRC8(0U, 0xB9FBDBE8U, 0xA886B191U, 0x8A7C6563U, 0xCF89CC87U, 0x44629F4FU,
                     0x88C53E9EU, 0xCAFB7B7DU, 0x4E87F0BBU)},
    {TACO__HASH_CRC8(0U, 0xAE689191U, 0x87A02563U, 0xD4314C87U, 0x73139F4FU, 0xE6273E9EU,
                     0x173F7B7DU, 0x2E7EF6FAU, 0x5CFDEDF4U)},
};

/* The share of four bytes of a block of 16; row is how many bytes follow them in the block. */
TACO__INLINE uint32_t taco__hash_crc_word(uint32_t x, size_t row)
{
    return taco__hash_crc_rows[row + 3][x & 255] ^ taco__hash_crc_rows[row + 2][(x >> 8) & 255] ^
           taco__hash_crc_rows[row + 1][(x >> 16) & 255] ^ taco__hash_crc_rows[row][x >> 24];
}
/* The register without the complements. Only a block's first word waits for the block before, so
   the look-ups for the other three can run ahead. */
TACO__FN uint32_t taco__hash_crc_plain(uint32_t crc, const uint8_t *p, size_t len)
{
    for (; len >= 16; p += 16, len -= 16) {
        uint32_t rest = taco__hash_crc_word(taco__base_le32(p + 4), 8) ^
                        taco__hash_crc_word(taco__base_le32(p + 8), 4) ^
                        taco__hash_crc_word(taco__base_le32(p + 12), 0);
        crc = taco__hash_crc_word(crc ^ taco__base_le32(p), 12) ^ rest;
    }
    for (; len; p++, len--) {
        crc = (crc >> 8) ^ taco__hash_crc_rows[0][(crc ^ *p) & 255];
    }
    return crc;
}

#if TACO__X86
/* Moves 16 bytes x forward by the distance that k stands for, and adds what is found there. Moving
   a polynomial by n bits is multiplying it by X^n, and modulo P so is multiplying its first half
   by X^(n + 32) mod P and its second by X^(n - 32) mod P. Those have 32 bits, the products less
   than 128: they add up to 16 bytes of the same CRC, and no reduction is needed on the way. In k
   they are bit-reflected, and shifted by one as the product of reflected numbers comes out one bit
   short. */
TACO__INLINE TACO__TARGET("sse2,pclmul") __m128i taco__hash_fold(__m128i x, __m128i k, __m128i next)
{
    return _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00), _mm_clmulepi64_si128(x, k, 0x11)), next);
}
TACO__INLINE TACO__TARGET("sse2,pclmul") __m128i taco__hash_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
/* Eight accumulators of 16 bytes hide the latency of the carry-less product. The 16 bytes that
   remain have the CRC of everything before them, so that the tables finish. len >= 128. */
TACO__FN TACO__TARGET("sse2,pclmul") uint32_t
    taco__hash_crc_clmul(uint32_t crc, const uint8_t *p, size_t len)
{
    const __m128i wide = _mm_set_epi32(1, 0x4A7FE880, 1, (int)0xE88EF372U); /* by 128 bytes */
    const __m128i step = _mm_set_epi32(0, (int)0xCCAA009EU, 1, 0x751997D0); /* by 16 bytes */
    __m128i       a = _mm_xor_si128(taco__hash_load(p), _mm_cvtsi32_si128((int)crc));
    __m128i b = taco__hash_load(p + 16), c = taco__hash_load(p + 32), d = taco__hash_load(p + 48);
    __m128i e = taco__hash_load(p + 64), f = taco__hash_load(p + 80), g = taco__hash_load(p + 96);
    __m128i h = taco__hash_load(p + 112);
    uint8_t last[16];
    for (p += 128, len -= 128; len >= 128; p += 128, len -= 128) {
        a = taco__hash_fold(a, wide, taco__hash_load(p));
        b = taco__hash_fold(b, wide, taco__hash_load(p + 16));
        c = taco__hash_fold(c, wide, taco__hash_load(p + 32));
        d = taco__hash_fold(d, wide, taco__hash_load(p + 48));
        e = taco__hash_fold(e, wide, taco__hash_load(p + 64));
        f = taco__hash_fold(f, wide, taco__hash_load(p + 80));
        g = taco__hash_fold(g, wide, taco__hash_load(p + 96));
        h = taco__hash_fold(h, wide, taco__hash_load(p + 112));
    }
    a = taco__hash_fold(a, step, b);
    a = taco__hash_fold(a, step, c);
    a = taco__hash_fold(a, step, d);
    a = taco__hash_fold(a, step, e);
    a = taco__hash_fold(a, step, f);
    a = taco__hash_fold(a, step, g);
    a = taco__hash_fold(a, step, h);
    for (; len >= 16; p += 16, len -= 16) {
        a = taco__hash_fold(a, step, taco__hash_load(p));
    }
    _mm_storeu_si128((__m128i *)(void *)last, a);
    return taco__hash_crc_plain(taco__hash_crc_plain(0, last, 16), p, len);
}
#endif

/* As zlib's crc32: starts with 0, and is continued by passing the last result. Data may be NULL
   when len is 0. */
TACO__FN uint32_t taco__hash_crc32(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data;
#if TACO__X86
    if (len >= 128 && TACO__CPU_HAS("pclmul")) {
        return ~taco__hash_crc_clmul(~crc, p, len);
    }
#endif
    return ~taco__hash_crc_plain(~crc, p, len);
}

#define TACO__XXH_P1 UINT64_C(0x9E3779B185EBCA87)
#define TACO__XXH_P2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define TACO__XXH_P3 UINT64_C(0x165667B19E3779F9)
#define TACO__XXH_P4 UINT64_C(0x85EBCA77C2B2AE63)
#define TACO__XXH_P5 UINT64_C(0x27D4EB2F165667C5)

/* XXH64 of bytes that come in pieces: four lanes take 8 bytes each of every block of 32; at the
   end the lanes are mixed, and what is left over is added. */
typedef struct taco__xxh64 {
    uint64_t lane[4], total, seed;
    uint8_t  block[32]; /* the total % 32 bytes that are not hashed yet */
} taco__xxh64;

TACO__INLINE uint64_t taco__xxh64_rotate(uint64_t x, unsigned n)
{
    return (x << n) | (x >> (64 - n));
}
TACO__INLINE uint64_t taco__xxh64_round(uint64_t lane, uint64_t x)
{
    return taco__xxh64_rotate(lane + x * TACO__XXH_P2, 31) * TACO__XXH_P1;
}
/* Hashes the whole blocks of 32 bytes among len bytes; returns where they end. */
TACO__FN const uint8_t *taco__xxh64_blocks(taco__xxh64 *h, const uint8_t *p, size_t len)
{
    uint64_t a = h->lane[0], b = h->lane[1], c = h->lane[2], d = h->lane[3];
    for (; len >= 32; p += 32, len -= 32) {
        a = taco__xxh64_round(a, taco__base_le64(p));
        b = taco__xxh64_round(b, taco__base_le64(p + 8));
        c = taco__xxh64_round(c, taco__base_le64(p + 16));
        d = taco__xxh64_round(d, taco__base_le64(p + 24));
    }
    h->lane[0] = a;
    h->lane[1] = b;
    h->lane[2] = c;
    h->lane[3] = d;
    return p;
}
/* Begins anew. */
TACO__FN void taco__xxh64_init(taco__xxh64 *h, uint64_t seed)
{
    memset(h, 0, sizeof *h);
    h->seed = seed;
    h->lane[0] = seed + TACO__XXH_P1 + TACO__XXH_P2;
    h->lane[1] = seed + TACO__XXH_P2;
    h->lane[2] = seed;
    h->lane[3] = seed - TACO__XXH_P1;
}
/* Adds len bytes, of which less than a block waits for more. */
TACO__FN void taco__xxh64_update(taco__xxh64 *h, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data, *end;
    size_t         held = (size_t)(h->total & 31), n;
    if (len == 0) {
        return;
    }
    h->total += len;
    if (held) {
        n = TACO__MIN(len, 32 - held);
        memcpy(h->block + held, p, n);
        p += n;
        len -= n;
        if (held + n < 32) {
            return;
        }
        taco__xxh64_blocks(h, h->block, 32);
    }
    end = p + len;
    p = taco__xxh64_blocks(h, p, len);
    memcpy(h->block, p, (size_t)(end - p));
}
/* The hash of what was added so far; more may be added afterwards. */
TACO__FN uint64_t taco__xxh64_digest(const taco__xxh64 *h)
{
    const uint8_t *p = h->block;
    size_t         i, left = (size_t)(h->total & 31);
    uint64_t       x = h->seed + TACO__XXH_P5;
    if (h->total >= 32) {
        x = taco__xxh64_rotate(h->lane[0], 1) + taco__xxh64_rotate(h->lane[1], 7) +
            taco__xxh64_rotate(h->lane[2], 12) + taco__xxh64_rotate(h->lane[3], 18);
        for (i = 0; i < 4; i++) {
            x = (x ^ taco__xxh64_round(0, h->lane[i])) * TACO__XXH_P1 + TACO__XXH_P4;
        }
    }
    x += h->total;
    for (; left >= 8; p += 8, left -= 8) {
        x = taco__xxh64_rotate(x ^ taco__xxh64_round(0, taco__base_le64(p)), 27) * TACO__XXH_P1 +
            TACO__XXH_P4;
    }
    if (left >= 4) {
        x = taco__xxh64_rotate(x ^ taco__base_le32(p) * TACO__XXH_P1, 23) * TACO__XXH_P2 +
            TACO__XXH_P3;
        p += 4;
        left -= 4;
    }
    for (; left; p++, left--) {
        x = taco__xxh64_rotate(x ^ *p * TACO__XXH_P5, 11) * TACO__XXH_P1;
    }
    x = (x ^ (x >> 33)) * TACO__XXH_P2; /* every bit of the input on every bit of the result */
    x = (x ^ (x >> 29)) * TACO__XXH_P3;
    return x ^ (x >> 32);
}
/* The same of bytes that are all there. */
TACO__FN uint64_t taco__hash_xxh64(uint64_t seed, const void *data, size_t len)
{
    taco__xxh64 h;
    taco__xxh64_init(&h, seed);
    taco__xxh64_update(&h, data, len);
    return taco__xxh64_digest(&h);
}

/* ==== ROOM bits: bitmaps at any bit offset, bit-unpacking kernels. Uses: plat base. Spec: Parquet Encodings.md, RLE ==== */

/* Bitmaps are least significant bit first (Arrow, and Parquet's BOOLEAN). Functions that write a range leave the bits
   beside it alone, and none touches a byte outside of the range:
     taco__bits_get, _put       up to 64 bits as a number
     taco__bits_fill            a range to all zeros or ones
     taco__bits_count           ones in a range
     taco__bits_copy            a range to another bitmap at another offset; returns its ones
     taco__bits_select          positions of the ones
   Packed integers are least significant bit first too, width bits each, eight of them in width bytes:
     taco__bits_unpack32        widths 0..32 into uint32_t
     taco__bits_unpack64        widths 0..64 into uint64_t
     taco__bits_unpack_msb      widths 0..32, most significant bit first (BIT_PACKED, deprecated)
     taco__bits_above32         is one of n numbers larger than a bound?
   Unpacking writes whole groups of eight: dst needs TACO__PAD bytes of room behind its n values. It never reads
   behind the avail bytes at src. */

#define TACO__BITS_LOW(n)                                                                          \
    ((n) < 64 ? ((uint64_t)1 << (n)) - 1 : UINT64_MAX) /* a mask of the low n bits, n <= 64 */

/* ---- bitmaps ------------------------------------------------------------------------------------ */

/* Ones in a word. Without an instruction for it the builtin is a call, which this sum beats; with one, compilers see
   what the sum means and use it. */
TACO__INLINE size_t taco__bits_ones(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
    return (size_t)((x * 0x0101010101010101U) >> 56);
}
/* 64 bits from bit on; they lie in 8 bytes, or in 9 when bit is not a multiple of 8. */
TACO__INLINE uint64_t taco__bits_get64(const uint8_t *bitmap, size_t bit)
{
    const uint8_t *p = bitmap + (bit >> 3);
    unsigned       s = bit & 7;
    uint64_t       x = taco__base_le64(p);
    return s ? x >> s | (uint64_t)p[8] << (64 - s) : x;
}
/* The n <= 64 bits from bit on, in the low bits of the result. */
TACO__FN uint64_t taco__bits_get(const uint8_t *bitmap, size_t bit, size_t n)
{
    const uint8_t *p = bitmap + (bit >> 3);
    size_t         have, k = 0;
    uint64_t       x = 0;
    if (n == 64) {
        return taco__bits_get64(bitmap, bit);
    }
    if (!n) {
        return 0;
    }
    x = (uint64_t)p[0] >> (bit & 7);
    for (have = 8 - (bit & 7); have < n; have += 8) {
        x |= (uint64_t)p[++k] << have;
    }
    return x & TACO__BITS_LOW(n);
}
/* Stores the low n <= 64 bits of x at bit. */
TACO__FN void taco__bits_put(uint8_t *bitmap, size_t bit, uint64_t x, size_t n)
{
    uint8_t *p = bitmap + (bit >> 3);
    unsigned s = bit & 7, take, mask;
    if (n == 64 && !s) {
        taco__base_put64(p, x);
        return;
    }
    while (n) {
        take = (unsigned)TACO__MIN(n, (size_t)(8 - s));
        mask = ((1U << take) - 1) << s;
        *p = (uint8_t)((*p & ~mask) | (((unsigned)(x & 0xFF) << s) & mask));
        x >>= take;
        n -= take;
        s = 0;
        p++;
    }
}
TACO__FN void taco__bits_fill(uint8_t *bitmap, size_t bit, size_t n, bool value)
{
    uint64_t word = value ? UINT64_MAX : 0;
    size_t   head = TACO__MIN(n, (8 - (bit & 7)) & 7);
    taco__bits_put(bitmap, bit, word, head);
    bit += head;
    n -= head;
    if (n >= 8) {
        memset(bitmap + (bit >> 3), value ? 0xFF : 0, n >> 3);
    }
    taco__bits_put(bitmap, bit + (n & ~(size_t)7), word, n & 7);
}
TACO__FN size_t taco__bits_count(const uint8_t *bitmap, size_t bit, size_t n)
{
    size_t ones = 0;
    for (; n >= 64; n -= 64, bit += 64) {
        ones += taco__bits_ones(taco__bits_get64(bitmap, bit));
    }
    return ones + taco__bits_ones(taco__bits_get(bitmap, bit, n));
}
/* Copies n bits and returns how many of them are ones. The bitmaps must not overlap. */
TACO__FN size_t taco__bits_copy(uint8_t *dst, size_t dst_bit, const uint8_t *src, size_t src_bit,
                                size_t n)
{
    size_t   ones, head = TACO__MIN(n, (8 - (dst_bit & 7)) & 7);
    uint64_t x = taco__bits_get(src, src_bit, head);
    taco__bits_put(dst, dst_bit, x, head);
    ones = taco__bits_ones(x);
    dst_bit += head;
    src_bit += head;
    n -= head;
    for (; n >= 64; n -= 64, dst_bit += 64, src_bit += 64) {
        x = taco__bits_get64(src, src_bit);
        taco__base_put64(dst + (dst_bit >> 3), x);
        ones += taco__bits_ones(x);
    }
    x = taco__bits_get(src, src_bit, n);
    taco__bits_put(dst, dst_bit, x, n);
    return ones + taco__bits_ones(x);
}
/* Writes the positions, counted from bit, of the ones among n bits, in order. Returns how many. n < 2^31. dst has room
   for all of them; no more than that is written. */
TACO__FN size_t taco__bits_select(const uint8_t *bitmap, size_t bit, size_t n, int32_t *dst)
{
    size_t i, k = 0;
    for (i = 0; i < n; i += 64) {
        uint64_t x = taco__bits_get(bitmap, bit + i, TACO__MIN(n - i, (size_t)64));
        if (x == UINT64_MAX) {
            size_t j;
            for (j = 0; j < 64; j++) {
                dst[k + j] = (int32_t)(i + j);
            }
            k += 64;
            continue;
        }
        for (; x; x &= x - 1) {
            dst[k++] = (int32_t)(i + taco__plat_ctz64(x));
        }
    }
    return k;
}

/* ---- unpacking ---------------------------------------------------------------------------------- */

/* The kernels below unpack `groups` groups of eight and may read up to TACO__BITS_OVER bytes behind a group; the
   callers see to it that those bytes exist. */
#define TACO__BITS_OVER 16

/* One group; width is a constant where this is inlined, so that every load, shift and mask is one too. */
TACO__INLINE void taco__bits_group32(const uint8_t *src, unsigned width, uint32_t *dst)
{
    const uint32_t mask = (uint32_t)TACO__BITS_LOW(width);
    if (width <= 8) { /* all eight lie in one word */
        uint64_t x = taco__base_le64(src);
        dst[0] = (uint32_t)x & mask;
        dst[1] = (uint32_t)(x >> width) & mask;
        dst[2] = (uint32_t)(x >> 2 * width) & mask;
        dst[3] = (uint32_t)(x >> 3 * width) & mask;
        dst[4] = (uint32_t)(x >> 4 * width) & mask;
        dst[5] = (uint32_t)(x >> 5 * width) & mask;
        dst[6] = (uint32_t)(x >> 6 * width) & mask;
        dst[7] = (uint32_t)(x >> 7 * width) & mask;
    } else {
        dst[0] = (uint32_t)taco__base_le64(src) & mask;
        dst[1] = (uint32_t)(taco__base_le64(src + (width >> 3)) >> (width & 7)) & mask;
        dst[2] = (uint32_t)(taco__base_le64(src + (2 * width >> 3)) >> (2 * width & 7)) & mask;
        dst[3] = (uint32_t)(taco__base_le64(src + (3 * width >> 3)) >> (3 * width & 7)) & mask;
        dst[4] = (uint32_t)(taco__base_le64(src + (4 * width >> 3)) >> (4 * width & 7)) & mask;
        dst[5] = (uint32_t)(taco__base_le64(src + (5 * width >> 3)) >> (5 * width & 7)) & mask;
        dst[6] = (uint32_t)(taco__base_le64(src + (6 * width >> 3)) >> (6 * width & 7)) & mask;
        dst[7] = (uint32_t)(taco__base_le64(src + (7 * width >> 3)) >> (7 * width & 7)) & mask;
    }
}
TACO__FN void taco__bits_unpack32_plain(const uint8_t *src, unsigned width, size_t groups,
                                        uint32_t *dst)
{
#define TACO__BITS_CASE(w)                                                                         \
    case w:                                                                                        \
        for (; groups; groups--, src += (w), dst += 8) {                                           \
            taco__bits_group32(src, (w), dst);                                                     \
        }                                                                                          \
        break;
    switch (width) {
        TACO__BITS_CASE(1)
        TACO__BITS_CASE(2)
        TACO__BITS_CASE(3)
        TACO__BITS_CASE(4)
        TACO__BITS_CASE(5)
        TACO__BITS_CASE(6)
        TACO__BITS_CASE(7)
        TACO__BITS_CASE(8)
        TACO__BITS_CASE(9)
        TACO__BITS_CASE(10)
        TACO__BITS_CASE(11)
        TACO__BITS_CASE(12)
        TACO__BITS_CASE(13)
        TACO__BITS_CASE(14)
        TACO__BITS_CASE(15)
        TACO__BITS_CASE(16)
        TACO__BITS_CASE(17)
        TACO__BITS_CASE(18)
        TACO__BITS_CASE(19)
        TACO__BITS_CASE(20)
        TACO__BITS_CASE(21)
        TACO__BITS_CASE(22)
        TACO__BITS_CASE(23)
        TACO__BITS_CASE(24)
        TACO__BITS_CASE(25)
        TACO__BITS_CASE(26)
        TACO__BITS_CASE(27)
        TACO__BITS_CASE(28)
        TACO__BITS_CASE(29)
        TACO__BITS_CASE(30)
        TACO__BITS_CASE(31)
        TACO__BITS_CASE(32)
    default: memset(dst, 0, groups * 8 * sizeof *dst); break;
    }
#undef TACO__BITS_CASE
}
#if TACO__X86
/* Widths 1..25: a byte shuffle brings the four bytes that hold a value into its lane, a shift per lane aligns it. The
   low half of the vector serves values 0..3, loaded at src, the high half 4..7, loaded width / 2 bytes later. */
TACO__TARGET("avx2")
TACO__FN
void taco__bits_unpack32_avx2(const uint8_t *src, unsigned width, size_t groups, uint32_t *dst)
{
    const int     half = (int)(width / 2);
    const __m256i low_byte = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0,
                                              0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    /* 16-bit products are exact and quicker than 32-bit ones, which counts in short runs */
    const __m256i bit = _mm256_sub_epi32(
        _mm256_mullo_epi16(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                           _mm256_set1_epi32((int)width)),
        _mm256_inserti128_si256(_mm256_setzero_si256(), _mm_set1_epi32(half * 8), 1));
    const __m256i shift = _mm256_and_si256(bit, _mm256_set1_epi32(7));
    const __m256i pick = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_srli_epi32(bit, 3), low_byte),
                                         _mm256_set1_epi32(0x03020100));
    const __m256i mask = _mm256_set1_epi32((int)TACO__BITS_LOW(width));
    for (; groups; groups--, src += width, dst += 8) {
        __m128i low = _mm_loadu_si128((const __m128i *)(const void *)src);
        __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(src + half));
        __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        x = _mm256_srlv_epi32(_mm256_shuffle_epi8(x, pick), shift);
        _mm256_storeu_si256((__m256i *)(void *)dst, _mm256_and_si256(x, mask));
    }
}
#endif
TACO__INLINE void taco__bits_groups32(const uint8_t *src, unsigned width, size_t groups,
                                      uint32_t *dst)
{
#if TACO__X86
    if (width - 1 < 25 && TACO__CPU_HAS("avx2")) {
        taco__bits_unpack32_avx2(src, width, groups, dst);
        return;
    }
#endif
    taco__bits_unpack32_plain(src, width, groups, dst);
}
/* How many of the groups a kernel may take straight from src. */
TACO__INLINE size_t taco__bits_safe(size_t avail, unsigned width, size_t groups)
{
    size_t room = (size_t)width + TACO__BITS_OVER;
    if (TACO__LIKELY((uint64_t)groups * width + TACO__BITS_OVER <=
                     avail)) { /* without a division, which is slow */
        return groups;
    }
    return avail < room ? 0 : TACO__MIN(groups, (avail - room) / width + 1);
}
TACO__FN void taco__bits_aligned32(const uint8_t *src, size_t avail, unsigned width, size_t groups,
                                   uint32_t *dst)
{
    size_t safe = taco__bits_safe(avail, width, groups);
    taco__bits_groups32(src, width, safe, dst);
    if (groups >
        safe) { /* the last ones, from a copy with room behind it: less than 2 * 32 + 16 bytes */
        uint8_t tail[2 * 32 + 3 * TACO__BITS_OVER];
        memset(tail, 0, sizeof tail);
        memcpy(tail, src + safe * width,
               TACO__MIN(avail - safe * width, (size_t)(2 * 32 + TACO__BITS_OVER)));
        taco__bits_groups32(tail, width, groups - safe, dst + safe * 8);
    }
}
/* Unpacks the n values from the first-th on of the packed run at src; (first + n) * width bits lie in avail bytes. */
TACO__FN void taco__bits_unpack32(const uint8_t *src, size_t avail, unsigned width, size_t first,
                                  size_t n, uint32_t *dst)
{
    size_t skip = first & 7, step = (first >> 3) * width;
    if (!width) {
        memset(dst, 0, n * sizeof *dst);
        return;
    }
    src += step;
    avail -= step;
    if (skip && n) { /* the rest of a group that an earlier call began */
        uint32_t group[8];
        size_t   m = TACO__MIN(n, 8 - skip);
        taco__bits_aligned32(src, avail, width, 1, group);
        memcpy(dst, group + skip, m * sizeof *dst);
        dst += m;
        n -= m;
        step = TACO__MIN((size_t)width, avail);
        src += step;
        avail -= step;
    }
    if (n) {
        taco__bits_aligned32(src, avail, width, (n + 7) / 8, dst);
    }
}

TACO__FN void taco__bits_unpack64_plain(const uint8_t *src, unsigned width, size_t groups,
                                        uint64_t *dst)
{
    const uint64_t mask = TACO__BITS_LOW(width);
    unsigned       i, bit;
    if (width <= 57) { /* shifted by up to 7, a value still lies in one word */
        for (; groups; groups--, src += width, dst += 8) {
            for (i = 0, bit = 0; i < 8; i++, bit += width) {
                dst[i] = (taco__base_le64(src + (bit >> 3)) >> (bit & 7)) & mask;
            }
        }
        return;
    }
    for (; groups; groups--, src += width, dst += 8) {
        for (i = 0, bit = 0; i < 8; i++, bit += width) {
            const uint8_t *p = src + (bit >> 3);
            unsigned       shift = bit & 7;
            dst[i] = (taco__base_le64(p) >> shift | (uint64_t)p[8] << 1 << (63 - shift)) & mask;
        }
    }
}
#if TACO__X86
/* Widths 33..57: as for 32 bits, with two values in each half of a vector and two vectors to a group. */
TACO__TARGET("avx2")
TACO__FN
void taco__bits_unpack64_avx2(const uint8_t *src, unsigned width, size_t groups, uint64_t *dst)
{
    const __m256i  mask = _mm256_set1_epi64x((int64_t)TACO__BITS_LOW(width));
    const __m256i  low_byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0,
                                               0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    __m256i        pick[2], shift[2];
    const uint8_t *from[4];
    unsigned       i, k;
    for (k = 0; k < 2;
         k++) { /* values 4k..4k+3; a half begins with the byte in which its first value does */
        const int     low = (int)(4 * k * width & ~7U), high = (int)((4 * k + 2) * width & ~7U);
        const __m256i bit = _mm256_sub_epi32(
            _mm256_mullo_epi16(_mm256_add_epi32(_mm256_setr_epi32(0, 0, 1, 0, 2, 0, 3, 0),
                                                _mm256_set1_epi64x(4 * (int)k)),
                               _mm256_set1_epi64x((int)width)),
            _mm256_setr_epi32(low, 0, low, 0, high, 0, high, 0));
        shift[k] = _mm256_and_si256(bit, _mm256_set1_epi32(7));
        pick[k] = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_srli_epi32(bit, 3), low_byte),
                                  _mm256_set1_epi64x(0x0706050403020100));
    }
    for (i = 0; i < 4; i++) {
        from[i] = src + (2 * i * width >> 3);
    }
    for (; groups; groups--, dst += 8) {
        for (k = 0; k < 2; k++) {
            __m128i low = _mm_loadu_si128((const __m128i *)(const void *)from[2 * k]);
            __m128i high = _mm_loadu_si128((const __m128i *)(const void *)from[2 * k + 1]);
            __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
            x = _mm256_srlv_epi64(_mm256_shuffle_epi8(x, pick[k]), shift[k]);
            _mm256_storeu_si256((__m256i *)(void *)(dst + 4 * k), _mm256_and_si256(x, mask));
        }
        for (i = 0; i < 4; i++) {
            from[i] += width;
        }
    }
}
#endif
TACO__INLINE void taco__bits_groups64(const uint8_t *src, unsigned width, size_t groups,
                                      uint64_t *dst)
{
#if TACO__X86
    if (width <= 57 && groups > 1 && TACO__CPU_HAS("avx2")) {
        taco__bits_unpack64_avx2(src, width, groups, dst);
        return;
    }
#endif
    taco__bits_unpack64_plain(src, width, groups, dst);
}
TACO__FN void taco__bits_aligned64(const uint8_t *src, size_t avail, unsigned width, size_t groups,
                                   uint64_t *dst)
{
    size_t safe = taco__bits_safe(avail, width, groups);
    taco__bits_groups64(src, width, safe, dst);
    if (groups > safe) {
        uint8_t tail[2 * 64 + 3 * TACO__BITS_OVER];
        memset(tail, 0, sizeof tail);
        memcpy(tail, src + safe * width,
               TACO__MIN(avail - safe * width, (size_t)(2 * 64 + TACO__BITS_OVER)));
        taco__bits_groups64(tail, width, groups - safe, dst + safe * 8);
    }
}
TACO__FN void taco__bits_unpack64(const uint8_t *src, size_t avail, unsigned width, size_t first,
                                  size_t n, uint64_t *dst)
{
    size_t skip = first & 7, step = (first >> 3) * width;
    if (!width) {
        memset(dst, 0, n * sizeof *dst);
        return;
    }
    src += step;
    avail -= step;
    if (skip && n) {
        uint64_t group[8];
        size_t   m = TACO__MIN(n, 8 - skip);
        taco__bits_aligned64(src, avail, width, 1, group);
        memcpy(dst, group + skip, m * sizeof *dst);
        dst += m;
        n -= m;
        step = TACO__MIN((size_t)width, avail);
        src += step;
        avail -= step;
    }
    if (n) {
        taco__bits_aligned64(src, avail, width, (n + 7) / 8, dst);
    }
}
/* Values straddle bytes from the most significant bit down. Only old files' levels are stored like this: no fast path. */
TACO__FN void taco__bits_unpack_msb(const uint8_t *src, unsigned width, size_t first, size_t n,
                                    uint32_t *dst)
{
    uint64_t bit = (uint64_t)first * width;
    size_t   i;
    unsigned k;
    for (i = 0; i < n; i++) {
        uint32_t x = 0;
        for (k = 0; k < width; k++, bit++) {
            x = x << 1 | ((unsigned)src[bit >> 3] >> (7 - (bit & 7)) & 1);
        }
        dst[i] = x;
    }
}

/* True when one of v[0..n) is larger than max, which is less than 2^31: then max - v or v itself has the top bit. */
TACO__INLINE bool taco__bits_above32_body(const uint32_t *v, size_t n, uint32_t max)
{
    uint32_t any[8] = {0, 0, 0, 0, 0, 0, 0, 0}, all = 0;
    size_t   i, j;
    for (i = 0; i + 8 <= n; i += 8) {
        for (j = 0; j < 8; j++) {
            any[j] |= (max - v[i + j]) | v[i + j];
        }
    }
    for (; i < n; i++) {
        all |= (max - v[i]) | v[i];
    }
    for (j = 0; j < 8; j++) {
        all |= any[j];
    }
    return all >> 31 != 0;
}
TACO__FN bool taco__bits_above32_plain(const uint32_t *v, size_t n, uint32_t max)
{
    return taco__bits_above32_body(v, n, max);
}
#if TACO__X86
TACO__TARGET("avx2")
TACO__FN bool taco__bits_above32_avx2(const uint32_t *v, size_t n, uint32_t max)
{
    const __m256i top = _mm256_set1_epi32((int)max);
    __m256i       any = _mm256_setzero_si256();
    size_t        i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(v + i));
        any = _mm256_or_si256(any, _mm256_or_si256(_mm256_sub_epi32(top, x), x));
    }
    return _mm256_movemask_ps(_mm256_castsi256_ps(any)) != 0 ||
           taco__bits_above32_body(v + i, n - i, max);
}
#endif
TACO__INLINE bool taco__bits_above32(const uint32_t *v, size_t n, uint32_t max)
{
#if TACO__X86
    if (TACO__CPU_HAS("avx2")) {
        return taco__bits_above32_avx2(v, n, max);
    }
#endif
    return taco__bits_above32_plain(v, n, max);
}

/* ==== ROOM copy: wide copies for the LZ decoders, which may write past their end, and a wide comparison. Uses: base mem (TACO__PAD) ==== */

/* Every copy here may write garbage behind its end, TACO__COPY_OVER bytes at most: the slack of a taco__buf takes it. */
#define TACO__COPY_OVER 32
TACO__STATIC_ASSERT(copy_slack, TACO__COPY_OVER <= TACO__PAD);

TACO__INLINE void taco__copy_8(uint8_t *to, const uint8_t *from)
{
    uint64_t x;
    memcpy(&x, from, 8);
    memcpy(to, &x, 8);
}
TACO__INLINE void taco__copy_16(uint8_t       *to,
                                const uint8_t *from) /* all is read before any is written */
{
    uint8_t x[16];
    memcpy(x, from, 16);
    memcpy(to, x, 16);
}

/* A pattern of distance < 8 bytes, repeated. The first load fetches the pattern and the product lays it out in a
   register, since reading back what was just stored would stall at every step. */
TACO__FN void taco__copy_pattern(uint8_t *to, size_t distance, size_t len)
{
    static const uint64_t repeat[8] = {0,
                                       0x0101010101010101U,
                                       0x0001000100010001U,
                                       0x0001000001000001U,
                                       0x0000000100000001U,
                                       0x0000010000000001U,
                                       0x0001000000000001U,
                                       0x0100000000000001U};
    static const uint8_t  step[8] = {8, 8, 8, 6, 8, 5, 6, 7}; /* whole patterns in 8 bytes */
    uint64_t              mask = ((uint64_t)1 << (8 * distance)) - 1;
    uint64_t              x = (taco__base_le64(to - distance) & mask) * repeat[distance];
    uint8_t              *end = to + len;
    do {
        taco__base_put64(to, x);
        to += step[distance];
    } while (to < end);
}

/* Repeats the bytes that lie distance >= 1 behind `to`, len > 0 of them. The caller has proven that they exist and that
   len fits. At most TACO__COPY_OVER - 1 bytes are written behind to + len. */
TACO__INLINE void taco__copy_match(uint8_t *to, size_t distance, size_t len)
{
    const uint8_t *from = to - distance;
    uint8_t       *end = to + len;
    if (TACO__LIKELY(distance >=
                     16)) { /* 32 bytes at least: most matches are shorter, and the guess is free */
        taco__copy_16(to, from);
        taco__copy_16(to + 16, from + 16);
        while (TACO__UNLIKELY((to += 32) < end)) {
            from += 32;
            taco__copy_16(to, from);
            taco__copy_16(to + 16, from + 16);
        }
    } else if (distance >= 8) {
        do {
            taco__copy_8(to, from);
            to += 8;
            from += 8;
        } while (to < end);
    } else {
        taco__copy_pattern(to, distance, len);
    }
}

/* Where a decoder appends: plain bytes go to op, which may not pass stop. The buffer's len stays what it was until
   taco__copy_end, so that a failure leaves no half page behind. */
typedef struct taco__copy_out {
    taco__buf *buf;
    size_t     limit; /* bytes that may be appended */
    uint8_t   *base, *op,
        *stop; /* first byte appended, next, behind the last one there is room for */
} taco__copy_out;

/* The status behind a helper that reports failure as false. */
TACO__FN taco_status taco__copy_status(const taco_error *err)
{
    return err && err->code != TACO_OK ? err->code : TACO_ERR_MEMORY;
}
TACO__FN taco_status taco__copy_room(taco__copy_out *o, size_t done, size_t extra, taco_error *err)
{
    taco__buf *b = o->buf;
    size_t     first = b->len;
    bool       ok;
    b->len += done; /* so that growing moves what is decoded so far */
    ok = taco__buf_reserve(b, extra, err);
    b->len = first;
    if (!ok) {
        return taco__copy_status(err);
    }
    o->base = b->data + first;
    o->op = o->base + done;
    o->stop = o->base + TACO__MIN(b->cap - first, o->limit);
    return TACO_OK;
}
/* Begins to append at most limit bytes, with room for `extra` of them. */
TACO__FN taco_status taco__copy_begin(taco__copy_out *o, taco__buf *buf, size_t extra, size_t limit,
                                      taco_error *err)
{
    o->buf = buf;
    o->limit = limit;
    return taco__copy_room(o, 0, TACO__MIN(extra, limit), err);
}
/* Makes room for `need` more bytes, and for `hint` if the limit allows. `at` is where the input asked for them. */
TACO__FN taco_status taco__copy_grow(taco__copy_out *o, uint64_t need, size_t hint, uint64_t at,
                                     taco_error *err)
{
    size_t done = (size_t)(o->op - o->base), left = o->limit - done;
    if (need > left) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, at,
                          "decodes to %u bytes and more, limits.max_page leaves %u",
                          TACO__U(done) + need, TACO__U(o->limit));
    }
    return taco__copy_room(o, done, TACO__MAX((size_t)need, TACO__MIN(hint, left)), err);
}
TACO__FN void taco__copy_end(taco__copy_out *o)
{
    o->buf->len += (size_t)(o->op - o->base);
}

/* For the encoders: how many bytes at b, which end at `end`, are the same as those at a < b. */
TACO__INLINE size_t taco__copy_same(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;
    while (end - b >= 8) {
        uint64_t x = taco__base_le64(a) ^ taco__base_le64(b);
        if (x) {
            return (size_t)(b - start) + taco__plat_ctz64(x) / 8;
        }
        a += 8;
        b += 8;
    }
    while (b < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(b - start);
}

/* ==== ROOM huf: bits and the lengths of Huffman codes, for the encoders. Uses: plat base ==== */

/* Writes bits from the lowest up. At `stop`, behind which
   there is room for 8 bytes, it stands still: what has come as far is too large to be of use. */
typedef struct taco__huf_bits {
    uint64_t word; /* `held` bits are in it, less than 8 after a flush */
    unsigned held;
    uint8_t *at, *stop;
} taco__huf_bits;

TACO__FN taco__huf_bits taco__huf_bits_make(uint8_t *at, uint8_t *stop)
{
    taco__huf_bits b;
    b.word = 0;
    b.held = 0;
    b.at = at;
    b.stop = stop;
    return b;
}
/* Adds the lower n bits of x, and x has no others. At most 56 between two flushes. */
TACO__INLINE void taco__huf_put(taco__huf_bits *b, uint64_t x, unsigned n)
{
    b->word |= x << b->held;
    b->held += n;
}
TACO__INLINE void taco__huf_flush(taco__huf_bits *b)
{
    taco__base_put64(b->at, b->word);
    b->at += b->held >> 3;
    b->at = b->at > b->stop ? b->stop : b->at;
    b->word >>= b->held & 56;
    b->held &= 7;
}
/* Ends a ZSTD stream with a bit 1, RFC 8878 §4.1; returns its end, NULL when it came to `stop`. */
TACO__FN uint8_t *taco__huf_bits_end(taco__huf_bits *b)
{
    taco__huf_put(b, 1, 1);
    taco__huf_flush(b);
    if (b->at >= b->stop) {
        return NULL;
    }
    if (b->held) {
        *b->at++ = (uint8_t)b->word;
    }
    return b->at;
}

#define TACO__HUF_MOST 288 /* symbols */

/* Code lengths for the `used` symbols of `order`, whose lower 9 bits are a symbol and whose upper
   ones how often it was seen, ascending; used >= 2. The two least of the remaining trees are joined
   until there is one: leaves in order, and joined trees in the order they arise, are two queues. */
TACO__FN void taco__huf_tree(const uint32_t *order, unsigned used, uint8_t *length)
{
    uint32_t weight[TACO__HUF_MOST];
    uint16_t parent[2 * TACO__HUF_MOST];
    uint8_t  depth[TACO__HUF_MOST];
    unsigned leaf = 0, tree = 0, made, i, k;
    for (made = 0; made + 1 < used; made++) {
        weight[made] = 0;
        for (k = 0; k < 2; k++) {
            if (leaf < used && (tree == made || order[leaf] >> 9 <= weight[tree])) {
                weight[made] += order[leaf] >> 9;
                parent[leaf++] = (uint16_t)made;
            } else {
                weight[made] += weight[tree];
                parent[TACO__HUF_MOST + tree++] = (uint16_t)made;
            }
        }
    }
    depth[made - 1] = 0;
    for (i = made - 1; i > 0; i--) {
        depth[i - 1] = (uint8_t)(depth[parent[TACO__HUF_MOST + i - 1]] + 1);
    }
    for (i = 0; i < used; i++) {
        length[i] = (uint8_t)(depth[parent[i]] + 1);
    }
}
/* Cuts lengths to `most` bits. Of the space 1 << most a code of n bits takes 1 << (most - n). What the cut
   makes too much is taken from the rarest of the longest codes below it; if that is more than it had
   to be, codes are shortened again, from the longest. What is left is always a multiple of what the
   longest codes take, so that this ends with nothing left. */
TACO__FN void taco__huf_cut(uint8_t *length, unsigned used, unsigned most)
{
    int32_t  left = 1 << most;
    unsigned i, best;
    for (i = 0; i < used; i++) {
        length[i] = (uint8_t)TACO__MIN(length[i], most);
        left -= 1 << (most - length[i]);
    }
    while (left < 0) {
        for (best = used, i = 0; i < used; i++) {
            best = length[i] < most && (best == used || length[i] > length[best]) ? i : best;
        }
        left += 1 << (most - ++length[best]);
    }
    while (left > 0) {
        for (best = used, i = used; i-- > 0;) {
            if (1 << (most - length[i]) <= left && (best == used || length[i] > length[best])) {
                best = i;
            }
        }
        left -= 1 << (most - length[best]--);
    }
}
/* Lengths of codes, of 1 to `most` bits, for symbols by how often they were seen; 0 for those that were not.
   The counts are below 1 << 23. One symbol alone has 1 bit. */
TACO__FN void taco__huf_lengths(uint8_t *length, const uint32_t *seen, unsigned symbols,
                                unsigned most)
{
    uint32_t order[TACO__HUF_MOST];
    uint8_t  by_order[TACO__HUF_MOST];
    unsigned used = 0, s, i, gap;
    for (s = 0; s < symbols; s++) {
        if (seen[s]) {
            order[used++] = seen[s] << 9 | s;
        }
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
    if (used == 1) {
        length[order[0] & 511] = 1;
    }
    if (used < 2) {
        return;
    }
    taco__huf_tree(order, used, by_order);
    taco__huf_cut(by_order, used, most);
    for (i = 0; i < used; i++) {
        length[order[i] & 511] = by_order[i];
    }
}

/* ==== ROOM snappy: decode and encode one raw Snappy block. Uses: base error mem copy. Spec: google/snappy format_description.txt ==== */

/* A block is its plain length as a varint, then elements: a tag byte whose low two bits say literal (0) or copy with an
   offset of 1, 2 or 4 bytes, and whose upper bits hold the length or the start of it. */
typedef struct taco__snappy {
    const uint8_t *start, *ip, *end; /* the block, the next tag, its end */
    uint8_t       *base, *op, *stop; /* plain bytes: first, next, behind the last one promised */
} taco__snappy;

/* What a tag says: bits 0-6 length, 8-10 the high part of a 1-byte offset, 11-13 bytes of offset, 15 set when the
   length of a literal follows in 1..4 bytes of its own. The macros spell the 256 entries out. */
#define TACO__SNAPPY_LITERAL(t) (((t) >> 2) + 1 + ((t) >> 2 >= 60 ? 0x8000 : 0))
#define TACO__SNAPPY_COPY1(t)   (((t) >> 2 & 7) + 4 + ((t) >> 5 << 8) + (1 << 11))
#define TACO__SNAPPY_COPY2(t)   (((t) >> 2) + 1 + (2 << 11))
#define TACO__SNAPPY_COPY4(t)   (((t) >> 2) + 1 + (4 << 11))
#define TACO__SNAPPY_4(t)                                                                          \
    TACO__SNAPPY_LITERAL(t), TACO__SNAPPY_COPY1(t + 1), TACO__SNAPPY_COPY2(t + 2),                 \
        TACO__SNAPPY_COPY4(t + 3)
#define TACO__SNAPPY_16(t)                                                                         \
    TACO__SNAPPY_4(t), TACO__SNAPPY_4(t + 4), TACO__SNAPPY_4(t + 8), TACO__SNAPPY_4(t + 12)
#define TACO__SNAPPY_64(t)                                                                         \
    TACO__SNAPPY_16(t), TACO__SNAPPY_16(t + 16), TACO__SNAPPY_16(t + 32), TACO__SNAPPY_16(t + 48)
static const uint16_t taco__snappy_tags[256] = {TACO__SNAPPY_64(0), TACO__SNAPPY_64(64),
                                                TACO__SNAPPY_64(128), TACO__SNAPPY_64(192)};

/* A tag and the 64 bytes behind it may be read without asking. */
#define TACO__SNAPPY_MARGIN (1 + 64)
TACO__STATIC_ASSERT(snappy_slack,
                    64 <= TACO__PAD); /* 64 bytes are written for any length from 1 to 64 */

/* A literal whose length is in bytes behind the tag. Returns the element's end, or NULL when it is out of bounds. */
TACO__FN const uint8_t *taco__snappy_long_literal(taco__snappy *s, const uint8_t *ip, uint8_t *op,
                                                  unsigned extra)
{
    uint32_t       x = taco__base_le32(ip + 1) & (UINT32_MAX >> (32 - 8 * extra)); /* length - 1 */
    const uint8_t *from = ip + 1 + extra;
    if (x >= (size_t)(s->stop - op) || x >= (size_t)(s->end - from)) {
        return NULL;
    }
    memcpy(op, from, (size_t)x + 1);
    return from + x + 1;
}

/* Decodes elements while the margin holds, and stops in front of anything out of bounds; taco__snappy_one then tells
   what it is. Whether an element is a literal or a copy is as good as random, so both take the same path, and the
   branches left are those that hardly ever change their mind. */
TACO__NOINLINE void taco__snappy_fast(taco__snappy *s)
{
    static const uint32_t mask[4] = {0, 0xFF, 0xFFFF, UINT32_MAX};
    const uint8_t        *ip = s->ip, *end = s->end, *from, *next;
    uint8_t              *op = s->op;
    while ((size_t)(end - ip) >= TACO__SNAPPY_MARGIN) {
        unsigned kind = *ip & 3U, entry = taco__snappy_tags[*ip];
        size_t   len = entry & 0x7F, done = (size_t)(op - s->base);
        size_t   offset = (taco__base_le32(ip + 1) & mask[kind]) + (entry & 0x700);
        if (TACO__UNLIKELY(len > (size_t)(s->stop - op))) {
            break;
        }
        next = ip + 1 + (kind ? (size_t)(entry >> 11) : len);
        if (TACO__UNLIKELY(kind ? (offset < 16) | (offset > done) : entry >> 15)) {
            if (kind == 0) {
                next = taco__snappy_long_literal(s, ip, op, (unsigned)len - 60);
                if (!next) {
                    break;
                }
                len = (size_t)(next - ip) - 1 - (len - 60);
            } else {
                if (offset - 1 >= done) { /* 0 wraps */
                    break;
                }
                taco__copy_match(op, offset, len);
            }
        } else {
            from = kind ? op - offset : ip + 1;
            taco__copy_16(op, from);
            taco__copy_16(op + 16, from + 16);
            if (len > 32) {
                taco__copy_16(op + 32, from + 32);
                taco__copy_16(op + 48, from + 48);
            }
        }
        op += len;
        ip = next;
    }
    s->ip = ip;
    s->op = op;
}

/* Decodes one element with every check. */
TACO__FN taco_status taco__snappy_one(taco__snappy *s, taco_error *err)
{
    const uint8_t *ip = s->ip;
    uint64_t       at = (uint64_t)(ip - s->start);
    size_t         have = (size_t)(s->end - ip) - 1, left = (size_t)(s->stop - s->op), i;
    unsigned       tag = *ip++, kind = tag & 3, extra = kind == 3 ? 4 : kind;
    uint64_t       len = (tag >> 2) + 1, offset = 0;
    if (kind == 0 && len > 60) {
        extra = (unsigned)len - 60;
    }
    if (extra > have) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                          "Snappy element needs %u bytes behind its tag, %u left", TACO__U(extra),
                          TACO__U(have));
    }
    for (i = 0; i < extra; i++) {
        offset |= (uint64_t)ip[i] << (8 * i);
    }
    ip += extra;
    have -= extra;
    if (kind == 0) {
        len = extra ? offset + 1 : len;
        if (len > have) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                              "Snappy literal of %u bytes, %u bytes of input left", len,
                              TACO__U(have));
        }
    } else if (kind == 1) {
        offset |= (uint64_t)(tag & 0xE0) << 3;
        len = ((tag >> 2) & 7) + 4;
    }
    if (len > left) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "Snappy element of %u bytes, the block's length leaves %u", len,
                          TACO__U(left));
    }
    if (kind == 0) {
        memcpy(s->op, ip, (size_t)len);
        ip += len;
    } else {
        if (offset == 0 || offset > (size_t)(s->op - s->base)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "Snappy copy from %u bytes back, %u bytes are decoded", offset,
                              TACO__U(s->op - s->base));
        }
        taco__copy_match(s->op, (size_t)offset, (size_t)len);
    }
    s->op += len;
    s->ip = ip;
    return TACO_OK;
}

/* Reads the plain length, and refuses one that these input bytes cannot expand to: the densest element, a copy with a
   2-byte offset, makes 64 bytes out of 3. */
TACO__FN taco_status taco__snappy_length(taco_bytes in, size_t limit, size_t *header,
                                         size_t *length, taco_error *err)
{
    uint64_t n = 0, most;
    size_t   i = 0;
    do {
        if (i == in.len) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(i),
                              "Snappy block ends inside its length");
        }
        if (i == 5) {
            break;
        }
        n |= (uint64_t)(in.data[i] & 0x7F) << (7 * i);
    } while (in.data[i++] & 0x80);
    if (n > UINT32_MAX || (in.data[i - 1] & 0x80)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "Snappy length needs more than 32 bits");
    }
    most = ((uint64_t)(in.len - i) + 2) / 3 * 64;
    if (n > most) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                          "Snappy length is %u, %u bytes of input hold at most %u", n,
                          TACO__U(in.len - i), most);
    }
    if (n > limit) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, 0, "Snappy length is %u, limits.max_page leaves %u",
                          n, TACO__U(limit));
    }
    *header = i;
    *length = (size_t)n;
    return TACO_OK;
}

/* Appends the plain bytes of a raw Snappy block, at most limit, to out. On failure out keeps the length it had. */
TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err)
{
    taco__snappy s;
    size_t       header = 0, length = 0;
    taco_status  status = taco__snappy_length(in, limit, &header, &length, err);
    if (status != TACO_OK) {
        return status;
    }
    if (!taco__buf_reserve(out, length, err)) {
        return taco__copy_status(err);
    }
    s.start = in.data;
    s.ip = in.data + header;
    s.end = in.data + in.len;
    s.base = s.op = out->data + out->len;
    s.stop = s.op + length;
    while (status == TACO_OK) {
        taco__snappy_fast(&s);
        if (s.ip == s.end) {
            break;
        }
        status = taco__snappy_one(&s, err);
    }
    if (status == TACO_OK && s.op != s.stop) {
        status = TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                            "Snappy block ends after %u of %u plain bytes", TACO__U(s.op - s.base),
                            TACO__U(length));
    }
    if (status == TACO_OK) {
        out->len += length;
    }
    return status;
}

/* ---- the encoder ---- */

#define TACO__SNAPPY_PART 65536U /* encoded apart: offsets then have 2 bytes at most */
#define TACO__SNAPPY_LOG  14

/* The encoder's memory, 32 KiB. It needs no initialisation and may be used again. */
typedef struct taco__snappy_enc {
    uint16_t at[1 << TACO__SNAPPY_LOG]; /* by the hash of 4 bytes: where they were seen last */
} taco__snappy_enc;

/* The most bytes that n bytes take. A literal of L bytes and the copy of 4 or more behind it take at most
   L + 4 bytes, and one more for every 60 of L at most. False when that is not a size. */
TACO__FN bool taco__snappy_bound(size_t n, size_t *bound)
{
    return taco__base_addz(n, n / 6 + 32, bound);
}
TACO__FN uint8_t *taco__snappy_put_literal(uint8_t *to, const uint8_t *from, size_t n)
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
TACO__FN uint8_t *taco__snappy_put_copy(uint8_t *to, size_t offset, size_t n)
{
    while (n > 64) { /* so that what remains has 4 bytes or more */
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
TACO__INLINE uint32_t taco__snappy_hash(const uint8_t *p)
{
    return taco__base_le32(p) * 0x9E3779B1U >> (32 - TACO__SNAPPY_LOG);
}
/* Encodes a part. What does not repeat for long is looked at in wider and wider steps. */
TACO__FN uint8_t *taco__snappy_part(taco__snappy_enc *e, const uint8_t *p, size_t n, uint8_t *to)
{
    size_t anchor = 0, i = 1, m, len;
    memset(e->at, 0, sizeof e->at);
    while (n >= 16 &&
           i < n - 8) { /* position 0 stands for none too, which the comparison finds out */
        uint16_t *at = &e->at[taco__snappy_hash(p + i)];
        m = *at;
        *at = (uint16_t)i;
        if (taco__base_le32(p + m) != taco__base_le32(p + i)) {
            i += 1 + ((i - anchor) >> 5);
            continue;
        }
        len = 4 + taco__copy_same(p + m + 4, p + i + 4, p + n);
        if (i > anchor) {
            to = taco__snappy_put_literal(to, p + anchor, i - anchor);
        }
        to = taco__snappy_put_copy(to, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 8) {
            e->at[taco__snappy_hash(p + i - 1)] = (uint16_t)(i - 1);
        }
    }
    return n > anchor ? taco__snappy_put_literal(to, p + anchor, n - anchor) : to;
}
/* Encodes a raw Snappy block of `in` at dst, which has room for taco__snappy_bound bytes and does not overlap
   it; *size becomes its size. ARGUMENT when cap is less, or `in` is longer than a block may be. */
TACO__FN taco_status taco__snappy_encode(taco__snappy_enc *e, taco_bytes in, uint8_t *dst,
                                         size_t cap, size_t *size, taco_error *err)
{
    uint8_t *to = dst;
    size_t   bound = 0, i, n;
    uint64_t x = in.len;
    *size = 0;
    if (!taco__snappy_bound(in.len, &bound) || in.len > UINT32_MAX || cap < bound) {
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
        n = TACO__MIN(in.len - i, (size_t)TACO__SNAPPY_PART);
        to = taco__snappy_part(e, in.data + i, n, to);
    }
    *size = (size_t)(to - dst);
    return TACO_OK;
}

/* ==== ROOM lz4: decode LZ4 blocks, frames and Hadoop's framing; encode blocks. Uses: base error mem copy. Spec: LZ4 block format, LZ4
   frame format 1.6.x; Parquet "Compression", LZ4 and LZ4_RAW ==== */

/* ---- blocks -------------------------------------------------------------------------------- */

/* A block is sequences: a token with two 4-bit lengths, literals, a 2-byte offset, a match. The last one ends behind its
   literals. Block format, "End of block conditions": the last 5 bytes are literals, so behind the literals of any other
   sequence lie at least an offset, a token and 5 bytes. */
#define TACO__LZ4_END  8
#define TACO__LZ4_TAIL 6 /* of them behind the match: a token and 5 literals */
typedef struct taco__lz4 {
    taco__copy_out out;
    size_t         history; /* index in out of the oldest byte that a match may reach */
    const uint8_t *start, *ip,
        *end;          /* what errors count from, the next token, the end of the block */
    uint64_t    need;  /* what taco__lz4_one wants room for, after ROOM */
    taco_status fault; /* what it reported, after FAULT */
} taco__lz4;

typedef enum taco__lz4_step {
    TACO__LZ4_MORE,
    TACO__LZ4_DONE,
    TACO__LZ4_ROOM,
    TACO__LZ4_FAULT
} taco__lz4_step;

/* Adds the bytes that continue a length of 15: each 255 says that one more follows. NULL at the end of the input. The sum
   cannot overflow: it is at most 255 times the bytes present. */
TACO__INLINE const uint8_t *taco__lz4_length(const uint8_t *p, const uint8_t *end, uint64_t *len)
{
    unsigned b;
    do {
        if (TACO__UNLIKELY(p == end)) {
            return NULL;
        }
        b = *p++;
        *len += b;
    } while (b == 255);
    return p;
}

/* A short sequence (14 literals, match of 18) needs 1 + 16 + 2 bytes of input, and TACO__LZ4_END behind its literals. */
#define TACO__LZ4_IN_MARGIN  32
#define TACO__LZ4_OUT_MARGIN 32

/* Decodes sequences while the margins hold, and stops in front of the first one that needs a closer look. */
TACO__NOINLINE void taco__lz4_fast(taco__lz4 *z)
{
    const uint8_t *ip = z->ip, *end = z->end, *ip_last, *op_last;
    uint8_t       *op = z->out.op, *stop = z->out.stop, *history = z->out.buf->data + z->history;
    if (end - ip < TACO__LZ4_IN_MARGIN || stop - op < TACO__LZ4_OUT_MARGIN) {
        return;
    }
    ip_last = end - TACO__LZ4_IN_MARGIN;
    op_last = stop - TACO__LZ4_OUT_MARGIN;
    while (ip <= ip_last && op <= op_last) {
        const uint8_t *p = ip + 1;
        uint8_t       *o = op;
        unsigned       token = *ip;
        uint64_t       len = token >> 4;
        size_t         offset;
        if (TACO__LIKELY(len < 15)) {
            taco__copy_16(o, p);
            o += len;
            p += len;
        } else {
            uint8_t *to = o;
            p = taco__lz4_length(p, end, &len);
            if (!p || len + TACO__LZ4_OUT_MARGIN > (uint64_t)(stop - o) ||
                len + 16 > (uint64_t)(end - p)) {
                break;
            }
            o += len;
            do {
                taco__copy_16(to, p);
                to += 16;
                p += 16;
            } while (to < o);
            p -= to - o;
        }
        offset = taco__base_le16(p);
        p += 2;
        len = token & 15;
        if (TACO__LIKELY(len < 15 && offset >= 16 && offset <= (size_t)(o - history))) {
            const uint8_t *from = o - offset;
            taco__copy_16(o, from);
            memcpy(o + 16, from + 16, 2);
            op = o + len + 4;
            ip = p;
            continue;
        }
        if (TACO__UNLIKELY(offset - 1 >= (size_t)(o - history))) { /* 0 wraps */
            break;
        }
        if (len == 15) {
            p = taco__lz4_length(p, end - TACO__LZ4_TAIL, &len);
        }
        len += 4;
        if (!p || len > (uint64_t)(stop - o)) {
            break;
        }
        taco__copy_match(o, offset, (size_t)len);
        op = o + len;
        ip = p;
    }
    z->ip = ip;
    z->out.op = op;
}

/* Decodes one sequence with every check. Nothing has moved when it returns ROOM or FAULT. */
TACO__FN taco__lz4_step taco__lz4_one(taco__lz4 *z, taco_error *err)
{
    const uint8_t *p = z->ip, *from;
    uint64_t at = (uint64_t)(p - z->start), lit, len, room = (uint64_t)(z->out.stop - z->out.op),
             done;
    unsigned token;
    size_t   offset;
    if (p == z->end) {
        z->fault =
            TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "LZ4 block ends without its last sequence");
        return TACO__LZ4_FAULT;
    }
    token = *p++;
    lit = token >> 4;
    if (lit == 15) {
        p = taco__lz4_length(p, z->end, &lit);
    }
    if (!p || lit > (uint64_t)(z->end - p)) {
        z->fault = TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                              "LZ4 sequence of %u literals, %u bytes of input left", lit,
                              TACO__U(p ? z->end - p : 0));
        return TACO__LZ4_FAULT;
    }
    z->need = lit;
    if (lit > room) {
        return TACO__LZ4_ROOM;
    }
    from = p;
    p += lit;
    if (p == z->end) {
        memcpy(z->out.op, from, (size_t)lit);
        z->out.op += lit;
        z->ip = p;
        return TACO__LZ4_DONE;
    }
    if (z->end - p < TACO__LZ4_END) {
        z->fault = TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "LZ4 match %u bytes before the end of its block, the least is %u",
                              TACO__U(z->end - p), TACO__U(TACO__LZ4_END));
        return TACO__LZ4_FAULT;
    }
    offset = taco__base_le16(p);
    p += 2;
    len = token & 15;
    if (len == 15) {
        p = taco__lz4_length(p, z->end - TACO__LZ4_TAIL, &len);
        if (!p) {
            z->fault = TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                                  "LZ4 block ends inside the length of a match, %u so far", len);
            return TACO__LZ4_FAULT;
        }
    }
    len += 4;
    done = (uint64_t)(z->out.op - (z->out.buf->data + z->history)) + lit;
    if (offset == 0 || offset > done) {
        z->fault =
            TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                       "LZ4 match from %u bytes back, %u bytes are decoded", TACO__U(offset), done);
        return TACO__LZ4_FAULT;
    }
    z->need += len;
    if (z->need > room) {
        return TACO__LZ4_ROOM;
    }
    memcpy(z->out.op, from, (size_t)lit);
    z->out.op += lit;
    taco__copy_match(z->out.op, offset, (size_t)len);
    z->out.op += len;
    z->ip = p;
    return TACO__LZ4_MORE;
}

/* Decodes the block [z->ip, z->end) behind z->out.op. */
TACO__FN taco_status taco__lz4_block(taco__lz4 *z, taco_error *err)
{
    for (;;) {
        taco_status status;
        taco__lz4_fast(z);
        switch (taco__lz4_one(z, err)) {
        case TACO__LZ4_MORE: break;
        case TACO__LZ4_DONE: return TACO_OK;
        case TACO__LZ4_FAULT: return z->fault;
        case TACO__LZ4_ROOM: /* by as much as the rest makes at an ordinary ratio */
            status = taco__copy_grow(&z->out, z->need, (size_t)(z->end - z->ip) * 3,
                                     (uint64_t)(z->ip - z->start), err);
            if (status != TACO_OK) {
                return status;
            }
            break;
        }
    }
}

/* Begins to decode `in`. */
TACO__FN taco_status taco__lz4_begin(taco__lz4 *z, taco_bytes in, taco__buf *out, size_t limit,
                                     taco_error *err)
{
    z->history = out->len;
    z->start = z->ip = in.data;
    z->end = in.len ? in.data + in.len : in.data;
    z->need = 0;
    z->fault = TACO_OK;
    return taco__copy_begin(&z->out, out, 0, limit, err);
}

/* Appends the plain bytes of one LZ4 block (Parquet's LZ4_RAW), at most limit, to out. On failure out keeps the length it
   had. */
TACO__FN taco_status taco__lz4_decode_raw(taco_bytes in, taco__buf *out, size_t limit,
                                          taco_error *err)
{
    taco__lz4   z;
    taco_status status = taco__lz4_begin(&z, in, out, limit, err);
    if (status == TACO_OK) {
        status = taco__lz4_block(&z, err);
    }
    if (status == TACO_OK) {
        taco__copy_end(&z.out);
    }
    return status;
}

/* ---- frames -------------------------------------------------------------------------------- */

#define TACO__LZ4_MAGIC 0x184D2204U
#define TACO__LZ4_SKIP  0x184D2A50U /* to ...5F: a frame of user data */

/* The checksum of frames (xxHash32, seed 0). */
TACO__FN uint32_t taco__lz4_xxh32(const uint8_t *p, size_t len)
{
    static const uint32_t prime[5] = {2654435761U, 2246822519U, 3266489917U, 668265263U,
                                      374761393U};
    const uint8_t        *end = p + len;
    uint32_t              h = prime[4], v[4];
    unsigned              i;
    if (len >= 16) {
        v[0] = prime[0] + prime[1];
        v[1] = prime[1];
        v[2] = 0;
        v[3] = 0U - prime[0];
        for (; end - p >= 16; p += 16) {
            for (i = 0; i < 4; i++) {
                v[i] += taco__base_le32(p + 4 * i) * prime[1];
                v[i] = (v[i] << 13 | v[i] >> 19) * prime[0];
            }
        }
        h = (v[0] << 1 | v[0] >> 31) + (v[1] << 7 | v[1] >> 25) + (v[2] << 12 | v[2] >> 20) +
            (v[3] << 18 | v[3] >> 14);
    }
    h += (uint32_t)len;
    for (; end - p >= 4; p += 4) {
        h += taco__base_le32(p) * prime[2];
        h = (h << 17 | h >> 15) * prime[3];
    }
    for (; p < end; p++) {
        h += *p * prime[4];
        h = (h << 11 | h >> 21) * prime[0];
    }
    h = (h ^ h >> 15) * prime[1];
    h = (h ^ h >> 13) * prime[2];
    return h ^ h >> 16;
}

typedef struct taco__lz4_header {
    bool     linked, block_sums, has_size, content_sum; /* flags of the frame */
    uint32_t block_max;                                 /* plain bytes of one block at most */
    uint64_t size;                                      /* plain bytes of the frame */
} taco__lz4_header;

/* Reads a frame's header behind its magic number. */
TACO__FN taco_status taco__lz4_frame_header(taco__cur *c, uint64_t at, taco__lz4_header *h,
                                            taco_error *err)
{
    const uint8_t *first = c->at;
    unsigned       flags = taco__cur_u8(c), size = taco__cur_u8(c), sum;
    memset(h, 0, sizeof *h);
    h->linked = !(flags & 0x20);
    h->block_sums = (flags & 0x10) != 0;
    h->has_size = (flags & 8) != 0;
    h->content_sum = (flags & 4) != 0;
    h->size = h->has_size ? taco__cur_le64(c) : 0;
    (void)taco__cur_take(c, flags & 1 ? 4 : 0); /* dictionary id */
    sum = taco__cur_u8(c);
    if (c->bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "LZ4 frame ends inside its header");
    }
    if (flags >> 6 != 1 || (flags & 2) || (size & 0x8F) || size >> 4 < 4) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "LZ4 frame has flags 0x%x and block size 0x%x",
                          TACO__U(flags), TACO__U(size));
    }
    if (sum != (taco__lz4_xxh32(first, (size_t)(c->at - first) - 1) >> 8 & 0xFF)) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                          "LZ4 frame header has checksum 0x%x, its bytes give 0x%x", TACO__U(sum),
                          TACO__U(taco__lz4_xxh32(first, (size_t)(c->at - first) - 1) >> 8 & 0xFF));
    }
    if (flags & 1) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, at, "LZ4 frame needs a dictionary");
    }
    h->block_max = (uint32_t)1 << (8 + 2 * (size >> 4));
    return TACO_OK;
}

/* Checks the 4 bytes at c against the checksum of len bytes at p. */
TACO__FN taco_status taco__lz4_check(taco__cur *c, const uint8_t *p, size_t len, const char *what,
                                     taco_error *err)
{
    uint64_t at = taco__cur_pos(c);
    uint32_t want = taco__cur_le32(c), sum = taco__lz4_xxh32(p, len);
    if (c->bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "LZ4 frame ends in front of its %s checksum",
                          what);
    }
    if (want != sum) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                          "LZ4 %s has checksum 0x%x, its bytes give 0x%x", what, TACO__U(want),
                          TACO__U(sum));
    }
    return TACO_OK;
}

/* Decodes one block of a frame: size bytes at c, stored or compressed. */
TACO__FN taco_status taco__lz4_frame_block(taco__lz4 *z, taco__cur *c, uint32_t word,
                                           const taco__lz4_header *h, taco_error *err)
{
    uint64_t       at = taco__cur_pos(c) - 4;
    size_t         size = word & 0x7FFFFFFF, done = (size_t)(z->out.op - z->out.base);
    const uint8_t *data = c->at;
    taco_status    status = TACO_OK;
    if (size > h->block_max) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "LZ4 block of %u bytes, the frame's blocks have at most %u",
                          TACO__U(size), TACO__U(h->block_max));
    }
    if (!taco__cur_take(c, size)) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                          "LZ4 block of %u bytes, %u bytes of input left", TACO__U(size),
                          TACO__U(c->end - data));
    }
    if (h->block_sums) {
        status = taco__lz4_check(c, data, size, "block", err);
    }
    if (status != TACO_OK) {
        return status;
    }
    if (word >> 31) {
        if (size > (size_t)(z->out.stop - z->out.op)) {
            status = taco__copy_grow(&z->out, size, taco__cur_left(c), at, err);
            if (status != TACO_OK) {
                return status;
            }
        }
        memcpy(z->out.op, data, size);
        z->out.op += size;
        return TACO_OK;
    }
    if (!h->linked) {
        z->history = (size_t)(z->out.op - z->out.buf->data);
    }
    z->ip = data;
    z->end = data + size;
    status = taco__lz4_block(z, err);
    done = (size_t)(z->out.op - z->out.base) - done;
    if (status == TACO_OK && done > h->block_max) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "LZ4 block of %u plain bytes, the frame's blocks have at most %u",
                          TACO__U(done), TACO__U(h->block_max));
    }
    return status;
}

/* Decodes one frame, whose magic number has been read. */
TACO__FN taco_status taco__lz4_frame(taco__lz4 *z, taco__cur *c, taco_error *err)
{
    taco__lz4_header h;
    uint64_t         at = taco__cur_pos(c) - 4;
    size_t           first = (size_t)(z->out.op - z->out.base), size;
    taco_status      status = taco__lz4_frame_header(c, at, &h, err);
    uint32_t         word;
    z->history = (size_t)(z->out.op - z->out.buf->data);
    while (status == TACO_OK) {
        word = taco__cur_le32(c);
        if (c->bad) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__cur_pos(c),
                              "LZ4 frame ends without its end mark");
        }
        if (word == 0) {
            break;
        }
        status = taco__lz4_frame_block(z, c, word, &h, err);
    }
    size = (size_t)(z->out.op - z->out.base) - first;
    if (status == TACO_OK && h.content_sum) {
        status = taco__lz4_check(c, z->out.base + first, size, "frame", err);
    }
    if (status == TACO_OK && h.has_size && h.size != size) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "LZ4 frame of %u plain bytes, its header says %u", TACO__U(size), h.size);
    }
    return status;
}

/* Decodes frames until the end of the input. Frames of user data are stepped over. */
TACO__FN taco_status taco__lz4_frames(taco__lz4 *z, taco_bytes in, taco_error *err)
{
    taco__cur   c = taco__cur_make(in);
    taco_status status = TACO_OK;
    while (status == TACO_OK && taco__cur_left(&c)) {
        uint64_t at = taco__cur_pos(&c);
        uint32_t magic = taco__cur_le32(&c);
        if (magic == TACO__LZ4_MAGIC && !c.bad) {
            status = taco__lz4_frame(z, &c, err);
        } else if (magic >> 4 == TACO__LZ4_SKIP >> 4 && !c.bad) {
            uint32_t size = taco__cur_le32(&c);
            size_t   left = taco__cur_left(&c);
            (void)taco__cur_take(&c, size);
            if (c.bad) {
                status = TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                                    "LZ4 frame of %u bytes to skip, %u bytes of input left",
                                    TACO__U(size), TACO__U(left));
            }
        } else {
            status = TACO__FAIL(err, TACO_ERR_CORRUPT, at, "no LZ4 frame begins with 0x%x",
                                TACO__U(magic));
        }
    }
    return status;
}

/* ---- Parquet's LZ4 ------------------------------------------------------------------------- */

/* Decodes Hadoop's framing: the plain size of a block, big-endian, then pieces, each behind its compressed size, until
   they add up to it; then the next block. */
TACO__FN taco_status taco__lz4_hadoop(taco__lz4 *z, taco_bytes in, size_t expected, taco_error *err)
{
    const uint8_t *p = in.data, *end = in.data + in.len;
    while (p < end) {
        uint64_t    at = (uint64_t)(p - in.data);
        size_t      first = (size_t)(z->out.op - z->out.base), made;
        uint32_t    plain, size;
        taco_status status;
        if (end - p < 4) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "Hadoop LZ4 block ends inside its size");
        }
        plain = taco__base_be32(p);
        p += 4;
        if (plain > expected - first) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "Hadoop LZ4 block of %u plain bytes, the page has %u left",
                              TACO__U(plain), TACO__U(expected - first));
        }
        if (plain == 0 && p == end) { /* how Hadoop ends a stream */
            return TACO_OK;
        }
        do {
            size = end - p < 4 ? 0 : taco__base_be32(p);
            if (end - p < 4 || size > (size_t)(end - p) - 4) {
                return TACO__FAIL(err, TACO_ERR_TRUNCATED, (uint64_t)(p - in.data),
                                  "Hadoop LZ4 piece of %u bytes, %u bytes of input left",
                                  TACO__U(size), TACO__U(end - p));
            }
            z->ip = p + 4;
            z->end = p = p + 4 + size;
            z->history = (size_t)(z->out.op - z->out.buf->data);
            status = taco__lz4_block(z, err);
            if (status != TACO_OK) {
                return status;
            }
            made = (size_t)(z->out.op - z->out.base) - first;
        } while (made < plain);
        if (made > plain) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "Hadoop LZ4 block decodes to %u bytes, its header says %u",
                              TACO__U(made), TACO__U(plain));
        }
    }
    return TACO_OK;
}

typedef enum taco__lz4_kind {
    TACO__LZ4_RAW,
    TACO__LZ4_HADOOP,
    TACO__LZ4_MAYBE,
    TACO__LZ4_FRAME
} taco__lz4_kind;

/* Which of the three does the data begin as? A block that is not empty begins with a literal, so its first byte is at
   least 0x10; read as the size of a Hadoop block that is 256 MiB or more. Only for pages of that size a doubt is left. */
TACO__FN taco__lz4_kind taco__lz4_guess(taco_bytes in, size_t expected)
{
    uint32_t plain = in.len >= 8 ? taco__base_be32(in.data) : UINT32_MAX;
    if (in.len >= 7 && taco__base_le32(in.data) == TACO__LZ4_MAGIC && in.data[4] >> 6 == 1 &&
        !(in.data[5] & 0x8F)) {
        return TACO__LZ4_FRAME;
    }
    if (in.len < 8 || plain > expected || taco__base_be32(in.data + 4) > in.len - 8) {
        return TACO__LZ4_RAW;
    }
    return plain >> 28 ? TACO__LZ4_MAYBE : TACO__LZ4_HADOOP;
}

/* Appends the plain bytes of a page with Parquet's deprecated codec LZ4, whose writers disagreed on what that is: Hadoop's
   framing, a plain block or frames. `expected` is the size that the page header promises, and what must come out; at most
   limit. On failure out keeps the length it had. */
TACO__FN taco_status taco__lz4_decode(taco_bytes in, taco__buf *out, size_t expected, size_t limit,
                                      taco_error *err)
{
    taco__lz4      z;
    taco_status    status = taco__lz4_begin(&z, in, out, limit, err);
    taco__lz4_kind kind = taco__lz4_guess(in, expected);
    size_t         made;
    if (status != TACO_OK) {
        return status;
    }
    if (kind == TACO__LZ4_FRAME) {
        status = taco__lz4_frames(&z, in, err);
    } else if (kind == TACO__LZ4_HADOOP) {
        status = taco__lz4_hadoop(&z, in, expected, err);
    } else {
        if (kind == TACO__LZ4_MAYBE && taco__lz4_hadoop(&z, in, expected, NULL) == TACO_OK) {
            status = TACO_OK;
        } else {
            status = taco__lz4_begin(&z, in, out, limit, err);
            status = status == TACO_OK ? taco__lz4_block(&z, err) : status;
        }
    }
    made = status == TACO_OK ? (size_t)(z.out.op - z.out.base) : expected;
    if (made != expected) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "LZ4 page decodes to %u bytes, its header says %u", TACO__U(made),
                          TACO__U(expected));
    }
    if (status == TACO_OK) {
        taco__copy_end(&z.out);
    }
    return status;
}

/* ---- the encoder ---- */

#define TACO__LZ4_LOG  13
#define TACO__LZ4_MOST 0x7E000000U /* bytes of a block, as the reference has it */

/* The encoder's memory, 32 KiB. It needs no initialisation and may be used again. */
typedef struct taco__lz4_enc {
    uint32_t at[1 << TACO__LZ4_LOG]; /* by the hash of 5 bytes: where they were seen last */
} taco__lz4_enc;

/* The most bytes that n bytes take: lengths take a byte more for every 255. False when that is not a size. */
TACO__FN bool taco__lz4_bound(size_t n, size_t *bound)
{
    return taco__base_addz(n, n / 255 + 16, bound);
}
/* A length's bytes behind the 15 in the token */
TACO__FN uint8_t *taco__lz4_put_length(uint8_t *to, size_t n)
{
    for (; n >= 255; n -= 255) {
        *to++ = 255;
    }
    *to++ = (uint8_t)n;
    return to;
}
/* A sequence: literals, and a match unless `match` is 0, as in the last. */
TACO__FN uint8_t *taco__lz4_put(uint8_t *to, const uint8_t *from, size_t n, size_t offset,
                                size_t match)
{
    const size_t rest = match ? match - 4 : 0;
    *to++ = (uint8_t)(TACO__MIN(n, (size_t)15) << 4 | TACO__MIN(rest, (size_t)15));
    to = n >= 15 ? taco__lz4_put_length(to, n - 15) : to;
    if (n) {
        memcpy(to, from, n);
        to += n;
    }
    if (match) {
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
        to = rest >= 15 ? taco__lz4_put_length(to, rest - 15) : to;
    }
    return to;
}
TACO__INLINE uint32_t taco__lz4_hash(const uint8_t *p)
{
    return (uint32_t)((taco__base_le64(p) << 24) * 0x9E3779B185EBCA87U >> (64 - TACO__LZ4_LOG));
}
/* Encodes a block of `in` at dst, which has room for taco__lz4_bound bytes and does not overlap it; *size
   becomes its size. ARGUMENT when cap is less, or `in` is longer than a block may be. The last match begins 12 bytes or
   more before the end and the last 5 bytes are literals, as decoders rely on. */
TACO__FN taco_status taco__lz4_encode(taco__lz4_enc *e, taco_bytes in, uint8_t *dst, size_t cap,
                                      size_t *size, taco_error *err)
{
    const uint8_t *p = in.data;
    const size_t   n = in.len;
    uint8_t       *to = dst;
    size_t         bound = 0, anchor = 0, i = 1, m, len;
    *size = 0;
    if (!taco__lz4_bound(n, &bound) || n > TACO__LZ4_MOST || cap < bound) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "an LZ4 block of %u bytes of data may take %u bytes, there is room for %u", TACO__U(n),
            TACO__U(bound), TACO__U(cap));
    }
    memset(e->at, 0, sizeof e->at);
    while (n > 13 &&
           i < n - 12) { /* position 0 stands for none too, which the comparison finds out */
        uint32_t *at = &e->at[taco__lz4_hash(p + i)];
        m = *at;
        *at = (uint32_t)i;
        if (i - m > 65535 || taco__base_le32(p + m) != taco__base_le32(p + i)) {
            i += 1 + ((i - anchor) >> 6);
            continue;
        }
        while (i > anchor && m > 0 && p[i - 1] == p[m - 1]) {
            i--;
            m--;
        }
        len = 4 + taco__copy_same(p + m + 4, p + i + 4, p + n - 5);
        to = taco__lz4_put(to, p + anchor, i - anchor, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 12) {
            e->at[taco__lz4_hash(p + i - 2)] = (uint32_t)(i - 2);
        }
    }
    to = taco__lz4_put(to, p + anchor, n - anchor, 0, 0);
    *size = (size_t)(to - dst);
    return TACO_OK;
}

/* ==== ROOM flate: inflate raw DEFLATE data, zlib streams and gzip files. Uses: base error mem hash copy. Spec: RFC 1951,
   RFC 1950, RFC 1952 ==== */

/* ---- decoding tables ----------------------------------------------------------------------- */

/* Codes are looked up by their first ROOT bits, longer ones by the rest in a subtable. The sizes are the most that any
   complete code of 288 (32) symbols and 15 bits needs at that ROOT; taco__flate_table checks them all the same. */
#define TACO__FLATE_ROOT      11
#define TACO__FLATE_SIZE      2342
#define TACO__FLATE_DIST_ROOT 8
#define TACO__FLATE_DIST_SIZE 402
#define TACO__FLATE_LENS_ROOT 7

/* A table entry. Bits 0-5: how many bits it takes, extra bits included; bits 8-11: those of the code alone, or the index
   bits of the subtable; bits 16-30: literal, base of a length or distance, start of the subtable, symbol. */
#define TACO__FLATE_LITERAL 0x80000000U
#define TACO__FLATE_OTHER                                                                          \
    0x8000U /* none of literal, length, distance: one of these two, or not a code */
#define TACO__FLATE_SUBTABLE 0x4000U /* the first root bits of longer codes */
#define TACO__FLATE_END      0x2000U /* end of block */
#define TACO__FLATE_TAKES(e) ((e)&63)
#define TACO__FLATE_BITS(e)  ((e) >> 8 & 15)
#define TACO__FLATE_VALUE(e) ((e) >> 16 & 0x7FFF)
/* The extra bits, from the bits as they were before the entry was taken. */
#define TACO__FLATE_EXTRA(bits, e)                                                                 \
    ((size_t)(((bits) & (((uint64_t)1 << TACO__FLATE_TAKES(e)) - 1)) >> TACO__FLATE_BITS(e)))

typedef enum taco__flate_alphabet {
    TACO__FLATE_LENS,
    TACO__FLATE_LITS,
    TACO__FLATE_DISTS
} taco__flate_alphabet;

/* All state of one call, about 12 KB, on the stack of the caller. */
typedef struct taco__flate {
    taco__copy_out out;
    size_t         history;          /* index in out of the oldest byte a match may reach */
    const uint8_t *start, *ip, *end; /* the input, its next byte, its end */
    uint64_t       bits;             /* bits that were read and not taken, the next one lowest */
    unsigned       count; /* of them; bits above may hold what a later refill puts there again */
    unsigned       past;  /* zero bytes that were read behind the end of the input */
    bool           bmi2;  /* the processor has BMI2 */
    size_t         need;  /* bytes of room wanted, after TACO__FLATE_ROOM */
    const char    *what;  /* what was wrong, after TACO__FLATE_FAULT: a format */
    uint64_t       found, bound; /* and its numbers */
    bool           fixed;        /* the tables are those of the fixed codes */
    unsigned       root;         /* index bits of lits */
    uint32_t       lits[TACO__FLATE_SIZE];
    uint32_t       dists[TACO__FLATE_DIST_SIZE];
    uint8_t        lens[288 + 32];
    uint16_t       sorted[288];
} taco__flate;

typedef enum taco__flate_step {
    TACO__FLATE_MORE,
    TACO__FLATE_DONE,
    TACO__FLATE_ROOM,
    TACO__FLATE_FAULT
} taco__flate_step;

/* What a symbol means: its entry but for the bits of its code. RFC 1951 3.2.5. */
TACO__INLINE uint32_t taco__flate_entry(taco__flate_alphabet kind, unsigned symbol)
{
    static const uint16_t length[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                        15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                        67, 83, 99, 115, 131, 163, 195, 227, 258};
    unsigned              extra;
    if (kind == TACO__FLATE_LENS) {
        return (uint32_t)symbol << 16;
    }
    if (kind == TACO__FLATE_LITS) {
        if (symbol < 256) {
            return TACO__FLATE_LITERAL | (uint32_t)symbol << 16;
        }
        if (symbol == 256 || symbol > 285) {
            return TACO__FLATE_OTHER | (symbol == 256 ? TACO__FLATE_END : 0);
        }
        extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
        return (uint32_t)length[symbol - 257] << 16 | extra;
    }
    if (symbol > 29) {
        return TACO__FLATE_OTHER;
    }
    extra = symbol < 4 ? 0 : symbol / 2 - 1;
    return (uint32_t)(extra ? ((2 + (symbol & 1)) << extra) + 1 : symbol + 1) << 16 | extra;
}

/* The codes come in order, each read from its highest bit on, while the input gives the first bit lowest: count up from
   the top. */
TACO__INLINE unsigned taco__flate_next(unsigned code, unsigned len)
{
    unsigned bit = 1U << (len - 1);
    while (code & bit) {
        bit >>= 1;
    }
    return bit ? (code & (bit - 1)) | bit : 0;
}

/* Counts the lengths and sorts the symbols by them. False for a set of lengths that is no complete code (RFC 1951 3.2.7);
   a single code of one bit is let through, as zlib does, since that is how one distance is written. */
TACO__FN bool taco__flate_sort(taco__flate *z, taco__flate_alphabet kind, const uint8_t *lens,
                               unsigned n, unsigned counts[16])
{
    unsigned offsets[16], i, used = 0;
    uint32_t space = 0;
    memset(counts, 0, 16 * sizeof counts[0]);
    for (i = 0; i < n; i++) {
        counts[lens[i]]++;
    }
    for (i = 1; i < 16; i++) {
        offsets[i] = used;
        used += counts[i];
        space += (uint32_t)counts[i] << (15 - i);
    }
    z->found = space;
    z->bound = 1U << 15;
    if (space > z->bound || (space < z->bound && (kind == TACO__FLATE_LENS || used != counts[1]))) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (lens[i]) {
            z->sorted[offsets[lens[i]]++] = (uint16_t)i;
        }
    }
    return true;
}

/* Fills a table of size entries for n symbols whose code lengths are given. Returns its index bits, `root` or for literals
   fewer; 0 when the lengths are no code. What has no code takes one bit and is none of anything. */
TACO__FN unsigned taco__flate_table(taco__flate *z, taco__flate_alphabet kind, uint32_t *table,
                                    unsigned size, unsigned root, const uint8_t *lens, unsigned n)
{
    unsigned        counts[16], len, code = 0, used, i, prefix = 1U << 15, sub = 0, start = 0;
    const uint16_t *symbol = z->sorted;
    if (!taco__flate_sort(z, kind, lens, n, counts)) {
        return 0;
    }
    if (kind == TACO__FLATE_LITS) { /* a small table is filled sooner */
        for (len = 15; len > 1 && !counts[len]; len--) {
        }
        root = TACO__MIN(root, len);
    }
    table[0] = table[1] = TACO__FLATE_OTHER | 1;
    /* Codes of up to root bits: the table begins with 2 entries and doubles with every bit. */
    for (len = 1; len <= root; len++) {
        if (len > 1) {
            memcpy(table + (1U << (len - 1)), table, (sizeof *table) << (len - 1));
        }
        for (i = counts[len]; i; i--) {
            table[code] = taco__flate_entry(kind, *symbol++) + len * 0x101;
            code = taco__flate_next(code, len);
        }
    }
    /* Longer ones: whenever the first root bits change a subtable begins, just large enough for the codes that share
       them. They lie next to each other in the order of codes. */
    used = 1U << root;
    for (; len < 16; len++) {
        for (i = counts[len]; i; i--) {
            uint32_t entry = taco__flate_entry(kind, *symbol++) + (len - root) * 0x101;
            unsigned at;
            if ((code & ((1U << root) - 1)) != prefix) {
                unsigned left, next = len;
                prefix = code & ((1U << root) - 1);
                sub = len - root;
                for (left = 1U << sub; left > (next == len ? i : counts[next]) && next < 15;
                     next++, sub++) {
                    left = (left - (next == len ? i : counts[next])) * 2;
                }
                start = used;
                used += 1U << sub;
                if (used > size) {
                    return 0;
                }
                table[prefix] =
                    TACO__FLATE_OTHER | TACO__FLATE_SUBTABLE | start << 16 | sub << 8 | root;
            }
            for (at = code >> root; at < 1U << sub; at += 1U << (len - root)) {
                table[start + at] = entry;
            }
            code = taco__flate_next(code, len);
        }
    }
    return root;
}

/* ---- bits ---------------------------------------------------------------------------------- */

/* Sets down what is wrong; found and bound are for the format's two %u. */
TACO__COLD taco__flate_step taco__flate_bad(taco__flate *z, const char *what, uint64_t found,
                                            uint64_t bound)
{
    z->what = what;
    z->found = found;
    z->bound = bound;
    return TACO__FLATE_FAULT;
}
/* Bits were taken that the input does not have. */
TACO__INLINE bool taco__flate_cut(const taco__flate *z)
{
    return z->count < 8 * z->past;
}

/* Reads until there are at least 56 bits, enough for any symbol with its distance: 15 + 5 + 15 + 13. */
TACO__INLINE void taco__flate_fill(taco__flate *z)
{
    if (z->end - z->ip >= 8) {
        z->bits |= taco__base_le64(z->ip) << z->count;
        z->ip += (63 - z->count) >> 3;
        z->count |= 56;
        return;
    }
    for (; z->count < 56; z->count += 8) {
        if (z->ip < z->end) {
            z->bits |= (uint64_t)*z->ip++ << z->count;
        } else {
            z->past++;
        }
    }
}
TACO__INLINE unsigned taco__flate_take(taco__flate *z, unsigned n) /* n <= 16 */
{
    unsigned x;
    if (z->count < n) {
        taco__flate_fill(z);
    }
    x = (unsigned)z->bits & ((1U << n) - 1);
    z->bits >>= n;
    z->count -= n;
    return x;
}
/* Drops the bits up to the next byte and gives back the bytes that were read too far. False when the input was too
   short. */
TACO__FN bool taco__flate_align(taco__flate *z)
{
    bool     ok = !taco__flate_cut(z);
    unsigned bytes = z->count >> 3;
    if (ok) {
        z->ip -= bytes - z->past;
        z->bits = 0;
        z->count = z->past = 0;
    }
    return ok;
}

/* ---- symbols ------------------------------------------------------------------------------- */

/* An iteration of the fast loop reads at most 2 * 7 + 8 bytes, and writes 2 literals and a match of 258. */
#define TACO__FLATE_IN_MARGIN  32
#define TACO__FLATE_OUT_MARGIN (2 + 258)

#define TACO__FLATE_REFILL()                                                                       \
    do {                                                                                           \
        bits |= taco__base_le64(ip) << (count & 63);                                               \
        ip += 7 - (count >> 3 & 7);                                                                \
        count |= 56;                                                                               \
    } while (0)
#define TACO__FLATE_DROP(e)                                                                        \
    do {                                                                                           \
        bits >>= TACO__FLATE_TAKES(e);                                                             \
        count -= (e);                                                                              \
    } while (0)

/* Decodes symbols while the margins hold. Of count only the low 6 bits count, so that whole entries are subtracted from
   it. A refill leaves 64 bits that are right, though it counts 56 to 63 of them: enough for a length and a distance
   (20 + 28) and to look up what follows before the next refill, or for two literals and that. So no refill stands between
   two lookups that wait for each other. */
TACO__INLINE taco__flate_step taco__flate_symbols(taco__flate *z)
{
    const uint32_t  *lits = z->lits, *dists = z->dists;
    const uint8_t   *ip = z->ip, *end = z->end;
    uint8_t         *op = z->out.op, *stop = z->out.stop, *history = z->out.buf->data + z->history;
    uint64_t         bits = z->bits, mask = ((uint64_t)1 << z->root) - 1, was;
    uint32_t         count = z->count, e, d;
    size_t           len, distance;
    taco__flate_step step = TACO__FLATE_MORE;
    if (end - ip < TACO__FLATE_IN_MARGIN || stop - op < TACO__FLATE_OUT_MARGIN || z->past) {
        return step;
    }
    TACO__FLATE_REFILL();
    e = lits[bits & mask];
    do {
        TACO__FLATE_REFILL();
        if (e & TACO__FLATE_LITERAL) {
            TACO__FLATE_DROP(e);
            *op++ = (uint8_t)(e >> 16);
            e = lits[bits & mask];
            if (e & TACO__FLATE_LITERAL) {
                TACO__FLATE_DROP(e);
                *op++ = (uint8_t)(e >> 16);
                e = lits[bits & mask];
                if (e & TACO__FLATE_LITERAL) {
                    TACO__FLATE_DROP(e);
                    *op++ = (uint8_t)(e >> 16);
                    e = lits[bits & mask];
                    continue;
                }
            }
            TACO__FLATE_REFILL();
        }
        was = bits;
        TACO__FLATE_DROP(e);
        if (TACO__UNLIKELY(e & TACO__FLATE_OTHER)) {
            if (e & TACO__FLATE_SUBTABLE) {
                e = lits[TACO__FLATE_VALUE(e) + (bits & ((1U << TACO__FLATE_BITS(e)) - 1))];
                was = bits;
                TACO__FLATE_DROP(e);
                if (e & TACO__FLATE_LITERAL) {
                    *op++ = (uint8_t)(e >> 16);
                    e = lits[bits & mask];
                    continue;
                }
            }
            if (e & TACO__FLATE_OTHER) {
                step = e & TACO__FLATE_END
                           ? TACO__FLATE_DONE
                           : taco__flate_bad(z, "DEFLATE code that means nothing", 0, 0);
                break;
            }
        }
        len = TACO__FLATE_VALUE(e) + TACO__FLATE_EXTRA(was, e);
        d = dists[bits & ((1U << TACO__FLATE_DIST_ROOT) - 1)];
        if (TACO__UNLIKELY(d & TACO__FLATE_OTHER)) {
            if (d & TACO__FLATE_SUBTABLE) {
                TACO__FLATE_DROP(d);
                d = dists[TACO__FLATE_VALUE(d) + (bits & ((1U << TACO__FLATE_BITS(d)) - 1))];
            }
            if (d & TACO__FLATE_OTHER) {
                step = taco__flate_bad(z, "DEFLATE distance code that means nothing", 0, 0);
                break;
            }
        }
        distance = TACO__FLATE_VALUE(d) + TACO__FLATE_EXTRA(bits, d);
        TACO__FLATE_DROP(d);
        if (TACO__UNLIKELY(distance > (size_t)(op - history))) {
            step = taco__flate_bad(z, "DEFLATE match from %u bytes back, %u bytes are decoded",
                                   distance, TACO__U(op - history));
            break;
        }
        e = lits[bits & mask];
        taco__copy_match(op, distance, len);
        op += len;
    } while (end - ip >= TACO__FLATE_IN_MARGIN && stop - op >= TACO__FLATE_OUT_MARGIN);
    z->ip = ip;
    z->bits = bits;
    z->count = count & 63;
    z->out.op = op;
    return step;
}
TACO__NOINLINE taco__flate_step taco__flate_fast(taco__flate *z)
{
    return taco__flate_symbols(z);
}
#if TACO__X86
TACO__TARGET("bmi2") TACO__NOINLINE taco__flate_step taco__flate_fast_bmi2(taco__flate *z)
{
    return taco__flate_symbols(z);
}
#endif

/* Decodes one symbol with every check. Nothing has moved when it returns ROOM. */
TACO__FN taco__flate_step taco__flate_one(taco__flate *z)
{
    uint64_t         bits, was;
    uint32_t         count, e, d;
    size_t           len = 1, distance = 0, left = (size_t)(z->out.stop - z->out.op);
    size_t           done = (size_t)(z->out.op - (z->out.buf->data + z->history));
    taco__flate_step step = TACO__FLATE_MORE;
    taco__flate_fill(z);
    was = bits = z->bits;
    count = z->count;
    e = z->lits[bits & (((uint64_t)1 << z->root) - 1)];
    if ((e & TACO__FLATE_OTHER) && (e & TACO__FLATE_SUBTABLE)) {
        TACO__FLATE_DROP(e);
        was = bits;
        e = z->lits[TACO__FLATE_VALUE(e) + (bits & ((1U << TACO__FLATE_BITS(e)) - 1))];
    }
    TACO__FLATE_DROP(e);
    if (!(e & TACO__FLATE_LITERAL) && (e & TACO__FLATE_OTHER)) {
        step = e & TACO__FLATE_END ? TACO__FLATE_DONE
                                   : taco__flate_bad(z, "DEFLATE code that means nothing", 0, 0);
    } else if (!(e & TACO__FLATE_LITERAL)) {
        len = TACO__FLATE_VALUE(e) + TACO__FLATE_EXTRA(was, e);
        d = z->dists[bits & ((1U << TACO__FLATE_DIST_ROOT) - 1)];
        if ((d & TACO__FLATE_OTHER) && (d & TACO__FLATE_SUBTABLE)) {
            TACO__FLATE_DROP(d);
            d = z->dists[TACO__FLATE_VALUE(d) + (bits & ((1U << TACO__FLATE_BITS(d)) - 1))];
        }
        distance = TACO__FLATE_VALUE(d) + TACO__FLATE_EXTRA(bits, d);
        TACO__FLATE_DROP(d);
        if (d & TACO__FLATE_OTHER) {
            step = taco__flate_bad(z, "DEFLATE distance code that means nothing", 0, 0);
        } else if (distance > done) {
            step = taco__flate_bad(z, "DEFLATE match from %u bytes back, %u bytes are decoded",
                                   distance, done);
        }
    }
    count &= 63;
    if (count < 8 * z->past) { /* whatever it was, the input did not say it */
        z->count = count;
        return TACO__FLATE_FAULT;
    }
    if (step == TACO__FLATE_FAULT) {
        return step;
    }
    if (step == TACO__FLATE_MORE) {
        if (len > left) {
            z->need = len;
            return TACO__FLATE_ROOM;
        }
        if (distance) {
            taco__copy_match(z->out.op, distance, len);
        } else {
            *z->out.op = (uint8_t)(e >> 16);
        }
        z->out.op += len;
    }
    z->bits = bits;
    z->count = count;
    return step;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* RFC 1951 3.2.4 */
TACO__FN taco__flate_step taco__flate_stored(taco__flate *z, taco_error *err, taco_status *status)
{
    size_t len;
    if (!taco__flate_align(z) || z->end - z->ip < 4) {
        z->past = 8;
        return TACO__FLATE_FAULT;
    }
    len = taco__base_le16(z->ip);
    if ((len ^ taco__base_le16(z->ip + 2)) != 0xFFFF) {
        return taco__flate_bad(
            z, "DEFLATE stored block of %u bytes, the complement of its length says %u", len,
            taco__base_le16(z->ip + 2) ^ 0xFFFFU);
    }
    z->ip += 4;
    if (len > (size_t)(z->end - z->ip)) {
        z->past = 8;
        return TACO__FLATE_FAULT;
    }
    if (len > (size_t)(z->out.stop - z->out.op)) {
        *status = taco__copy_grow(&z->out, len, (size_t)(z->end - z->ip) * 2,
                                  (uint64_t)(z->ip - z->start), err);
        if (*status != TACO_OK) {
            return TACO__FLATE_FAULT;
        }
    }
    memcpy(z->out.op, z->ip, len);
    z->out.op += len;
    z->ip += len;
    return TACO__FLATE_DONE;
}

/* Makes the tables of the fixed codes, RFC 1951 3.2.6. */
TACO__FN void taco__flate_fixed(taco__flate *z)
{
    if (!z->fixed) {
        memset(z->lens, 8, 144);
        memset(z->lens + 144, 9, 112);
        memset(z->lens + 256, 7, 24);
        memset(z->lens + 280, 8, 8);
        memset(z->lens + 288, 5, 32);
        z->root = taco__flate_table(z, TACO__FLATE_LITS, z->lits, TACO__FLATE_SIZE,
                                    TACO__FLATE_ROOT, z->lens, 288);
        (void)taco__flate_table(z, TACO__FLATE_DISTS, z->dists, TACO__FLATE_DIST_SIZE,
                                TACO__FLATE_DIST_ROOT, z->lens + 288, 32);
        z->fixed = true;
    }
}

/* Reads the n code lengths of a dynamic block into z->lens, with the code in z->dists. */
TACO__FN taco__flate_step taco__flate_lengths(taco__flate *z, unsigned n)
{
    unsigned i = 0;
    while (i < n) {
        uint32_t e;
        unsigned symbol, repeat, value = 0;
        if (z->count < 14) {
            taco__flate_fill(z);
        }
        e = z->dists[z->bits & ((1U << TACO__FLATE_LENS_ROOT) - 1)];
        z->bits >>= TACO__FLATE_TAKES(e);
        z->count -= TACO__FLATE_TAKES(e);
        symbol = TACO__FLATE_VALUE(e);
        if (symbol < 16) {
            z->lens[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16) {
            if (i == 0) {
                return taco__flate_bad(z, "DEFLATE code length repeats one before the first", 0, 0);
            }
            value = z->lens[i - 1];
            repeat = 3 + taco__flate_take(z, 2);
        } else {
            repeat = symbol == 17 ? 3 + taco__flate_take(z, 3) : 11 + taco__flate_take(z, 7);
        }
        if (repeat > n - i) {
            return taco__flate_bad(z, "DEFLATE code length repeats %u times, %u lengths are left",
                                   repeat, n - i);
        }
        memset(z->lens + i, (int)value, repeat);
        i += repeat;
    }
    return TACO__FLATE_MORE;
}

/* Makes the tables of a dynamic block, RFC 1951 3.2.7. */
TACO__FN taco__flate_step taco__flate_dynamic(taco__flate *z)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t              lens[19] = {0};
    unsigned             lits = 257 + taco__flate_take(z, 5), dists = 1 + taco__flate_take(z, 5);
    unsigned             n = 4 + taco__flate_take(z, 4), i;
    taco__flate_step     step;
    z->fixed = false;
    if (lits > 286) {
        return taco__flate_bad(z, "DEFLATE block with %u literal and length codes, the most is %u",
                               lits, 286);
    }
    if (dists > 30) {
        return taco__flate_bad(z, "DEFLATE block with %u distance codes, the most is %u", dists,
                               30);
    }
    for (i = 0; i < n; i++) {
        lens[order[i]] = (uint8_t)taco__flate_take(z, 3);
    }
    if (!taco__flate_table(z, TACO__FLATE_LENS, z->dists, TACO__FLATE_DIST_SIZE,
                           TACO__FLATE_LENS_ROOT, lens, 19)) {
        z->what = "DEFLATE code lengths are coded with %u parts of %u";
        return TACO__FLATE_FAULT;
    }
    step = taco__flate_lengths(z, lits + dists);
    if (step != TACO__FLATE_MORE || taco__flate_cut(z)) {
        return TACO__FLATE_FAULT;
    }
    if (!z->lens[256]) {
        return taco__flate_bad(z, "DEFLATE block without a code for its end", 0, 0);
    }
    z->root = taco__flate_table(z, TACO__FLATE_LITS, z->lits, TACO__FLATE_SIZE, TACO__FLATE_ROOT,
                                z->lens, lits);
    if (!z->root) {
        z->what = "DEFLATE literals are coded with %u parts of %u";
        return TACO__FLATE_FAULT;
    }
    if (!taco__flate_table(z, TACO__FLATE_DISTS, z->dists, TACO__FLATE_DIST_SIZE,
                           TACO__FLATE_DIST_ROOT, z->lens + lits, dists)) {
        z->what = "DEFLATE distances are coded with %u parts of %u";
        return TACO__FLATE_FAULT;
    }
    return TACO__FLATE_MORE;
}

/* Decodes the symbols of a block whose tables are made. */
TACO__FN taco__flate_step taco__flate_block(taco__flate *z, taco_error *err, taco_status *status)
{
    for (;;) {
        taco__flate_step step;
#if TACO__X86
        step = z->bmi2 ? taco__flate_fast_bmi2(z) : taco__flate_fast(z);
#else
        step = taco__flate_fast(z);
#endif
        if (step == TACO__FLATE_MORE) {
            step = taco__flate_one(z);
        }
        if (step == TACO__FLATE_ROOM) { /* by as much as the rest makes at an ordinary ratio */
            size_t left = (size_t)(z->end - z->ip);
            *status = taco__copy_grow(&z->out, z->need, left * 4 + 512,
                                      (uint64_t)(z->ip - z->start), err);
            if (*status != TACO_OK) {
                return TACO__FLATE_FAULT;
            }
        } else if (step != TACO__FLATE_MORE) {
            return step;
        }
    }
}

/* Says what is wrong, at the byte whose bits come next: those of the bad symbol, or in the fast loop those behind it. */
TACO__COLD taco_status taco__flate_fail(taco__flate *z, taco_error *err)
{
    uint64_t at = (uint64_t)(z->ip - z->start);
    if (taco__flate_cut(z)) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(z->end - z->start),
                          "DEFLATE data ends inside a block");
    }
    at -= (z->count + 7) / 8 - z->past;
    return TACO__FAIL(err, TACO_ERR_CORRUPT, at, z->what, z->found, z->bound);
}

/* Decodes the DEFLATE data at z->ip, and leaves z->ip behind it. */
TACO__FN taco_status taco__flate_stream(taco__flate *z, taco_error *err)
{
    taco__flate_step step;
    taco_status      status = TACO_OK;
    unsigned         last, type;
    z->history = (size_t)(z->out.op - z->out.buf->data);
    z->bits = 0;
    z->count = z->past = 0;
    do {
        last = taco__flate_take(z, 1);
        type = taco__flate_take(z, 2);
        if (type == 0) {
            step = taco__flate_stored(z, err, &status);
        } else if (taco__flate_cut(z)) {
            step = TACO__FLATE_FAULT;
        } else if (type == 3) {
            step = taco__flate_bad(z, "DEFLATE block of type 3", 0, 0);
        } else {
            step = TACO__FLATE_MORE;
            if (type == 1) {
                taco__flate_fixed(z);
            } else {
                step = taco__flate_dynamic(z);
            }
            if (step == TACO__FLATE_MORE) {
                step = taco__flate_block(z, err, &status);
            }
        }
        if (step == TACO__FLATE_FAULT) {
            return status != TACO_OK ? status : taco__flate_fail(z, err);
        }
    } while (!last);
    return taco__flate_align(z) ? TACO_OK : taco__flate_fail(z, err);
}

/* ---- containers ---------------------------------------------------------------------------- */

TACO__FN taco_status taco__flate_begin(taco__flate *z, taco_bytes in, taco__buf *out, size_t limit,
                                       taco_error *err)
{
    z->start = z->ip = in.data;
    z->end = in.len ? in.data + in.len : in.data;
    z->fixed = false;
#if TACO__X86
    z->bmi2 = TACO__CPU_HAS("bmi2");
#else
    z->bmi2 = false;
#endif
    return taco__copy_begin(&z->out, out, 0, limit, err);
}

/* Steps over the header of a gzip member, RFC 1952 2.3. */
TACO__FN taco_status taco__flate_gzip_header(taco__flate *z, taco_error *err)
{
    taco__cur      c = taco__cur_make(taco__base_bytes(z->ip, (size_t)(z->end - z->ip)));
    uint64_t       at = (uint64_t)(z->ip - z->start);
    const uint8_t *head = taco__cur_take(&c, 10);
    unsigned       flags = head ? head[3] : 0, n, want;
    if (head && (head[0] != 0x1F || head[1] != 0x8B)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "gzip member begins with 0x%x%x, not 0x1f8b",
                          TACO__U(head[0]), TACO__U(head[1]));
    }
    if (head && (head[2] != 8 || (flags & 0xE0))) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, at,
                          "gzip method %u with flags 0x%x, known is 8 with flags up to 0x1f",
                          TACO__U(head[2]), TACO__U(flags));
    }
    if (flags & 4) { /* FEXTRA */
        n = taco__cur_le16(&c);
        (void)taco__cur_take(&c, n);
    }
    for (n = 8; n <= 16; n *= 2) { /* FNAME and FCOMMENT end with a zero byte */
        while ((flags & n) && taco__cur_u8(&c)) {
        }
    }
    if ((flags & 2) && !c.bad) { /* FHCRC: the low half of the CRC-32 of all before it */
        n = taco__hash_crc32(0, z->ip, taco__cur_pos(&c)) & 0xFFFF;
        want = taco__cur_le16(&c);
        if (!c.bad && want != n) {
            return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                              "gzip header has checksum 0x%x, its bytes give 0x%x", TACO__U(want),
                              TACO__U(n));
        }
    }
    if (c.bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(z->end - z->start),
                          "gzip member ends inside its header");
    }
    z->ip = c.at;
    return TACO_OK;
}

/* Decodes one gzip member at z->ip. */
TACO__FN taco_status taco__flate_member(taco__flate *z, taco_error *err)
{
    size_t      first = (size_t)(z->out.op - z->out.base), size;
    uint32_t    sum, want;
    uint64_t    at;
    taco_status status = taco__flate_gzip_header(z, err);
    if (status == TACO_OK) {
        status = taco__flate_stream(z, err);
    }
    if (status != TACO_OK) {
        return status;
    }
    at = (uint64_t)(z->ip - z->start);
    size = (size_t)(z->out.op - z->out.base) - first;
    if (z->end - z->ip < 8) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(z->end - z->start),
                          "gzip member ends inside its trailer");
    }
    sum = taco__hash_crc32(0, z->out.base + first, size);
    want = taco__base_le32(z->ip);
    if (sum != want) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                          "gzip member has CRC-32 0x%x, its bytes give 0x%x", TACO__U(want),
                          TACO__U(sum));
    }
    want = taco__base_le32(z->ip + 4);
    if ((uint32_t)size != want) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at + 4,
                          "gzip member of %u bytes, its trailer says %u", TACO__U(size),
                          TACO__U(want));
    }
    z->ip += 8;
    return TACO_OK;
}

/* The sum of four 16-bit lanes. */
TACO__INLINE uint32_t taco__flate_lanes(uint64_t x)
{
    x = (x & 0x0000FFFF0000FFFFU) + (x >> 16 & 0x0000FFFF0000FFFFU);
    return (uint32_t)x + (uint32_t)(x >> 32);
}
/* n <= 23 groups of 8 bytes, in lanes of 16 bits. `sums` adds the bytes up; `before` adds up what was in sums before each
   group, which counts a byte once for every group behind its own: 255 * (22 + 21 + ... + 1) is the most for 16 bits. */
TACO__INLINE void taco__flate_adler_groups(const uint8_t *p, size_t n, uint64_t *a, uint64_t *b)
{
    const uint64_t low = 0x00FF00FF00FF00FFU;
    uint64_t       even = 0, odd = 0, even_before = 0, odd_before = 0, x, places;
    unsigned       i;
    *b += *a * 8 * n;
    for (; n; n--, p += 8) {
        x = taco__base_le64(p);
        even_before += even;
        odd_before += odd;
        even += x & low;
        odd += x >> 8 & low;
    }
    places = 8 * ((uint64_t)taco__flate_lanes(even_before) + taco__flate_lanes(odd_before));
    for (i = 0; i < 4; i++) { /* within a group the first byte counts 8 times, the last once */
        places +=
            (even >> (16 * i) & 0xFFFF) * (8 - 2 * i) + (odd >> (16 * i) & 0xFFFF) * (7 - 2 * i);
    }
    *a += taco__flate_lanes(even) + taco__flate_lanes(odd);
    *b += places;
}
/* RFC 1950 9 */
TACO__FN uint32_t taco__flate_adler32(const uint8_t *p, size_t len)
{
    uint64_t a = 1, b = 0;
    size_t   n;
    for (; len >= 8; p += 8 * n, len -= 8 * n) {
        n = TACO__MIN(len / 8, (size_t)23);
        taco__flate_adler_groups(p, n, &a, &b);
        if (b >> 48) { /* long before either could overflow */
            a %= 65521;
            b %= 65521;
        }
    }
    for (; len; len--) {
        a += *p++;
        b += a;
    }
    return (uint32_t)(b % 65521) << 16 | (uint32_t)(a % 65521);
}

/* All decoders append the plain bytes, at most limit, to out. On failure out keeps the length it had. Bytes behind the end
   of the data are not looked at, as in zlib's own tools. None is inlined, so that there is one taco__flate on the stack. */

TACO__NOINLINE taco_status taco__flate_inflate(taco_bytes in, taco__buf *out, size_t limit,
                                               taco_error *err)
{
    taco__flate z;
    taco_status status = taco__flate_begin(&z, in, out, limit, err);
    if (status == TACO_OK) {
        status = taco__flate_stream(&z, err);
    }
    if (status == TACO_OK) {
        taco__copy_end(&z.out);
    }
    return status;
}

/* Several members are joined. What follows the last and does not begin as another does is ignored, as gzip does. */
TACO__NOINLINE taco_status taco__flate_gzip(taco_bytes in, taco__buf *out, size_t limit,
                                            taco_error *err)
{
    taco__flate z;
    taco_status status = taco__flate_begin(&z, in, out, limit, err);
    do {
        if (status == TACO_OK) {
            status = taco__flate_member(&z, err);
        }
    } while (status == TACO_OK && z.end - z.ip >= 2 && z.ip[0] == 0x1F && z.ip[1] == 0x8B);
    if (status == TACO_OK) {
        taco__copy_end(&z.out);
    }
    return status;
}

/* RFC 1950 2.2: the method is 8 with a window of up to 32 KiB, and the two bytes are a multiple of 31. */
TACO__FN bool taco__flate_is_zlib(taco_bytes in)
{
    return in.len >= 2 && (in.data[0] & 15) == 8 && in.data[0] >> 4 <= 7 &&
           (in.data[0] * 256U + in.data[1]) % 31 == 0;
}
TACO__NOINLINE taco_status taco__flate_zlib(taco_bytes in, taco__buf *out, size_t limit,
                                            taco_error *err)
{
    taco__flate z;
    uint32_t    sum, want;
    taco_status status = taco__flate_begin(&z, in, out, limit, err);
    if (status != TACO_OK) {
        return status;
    }
    if (in.len < 2) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                          "zlib stream ends inside its header");
    }
    if (!taco__flate_is_zlib(in)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "no zlib stream begins with 0x%x",
                          TACO__U(in.data[0] * 256U + in.data[1]));
    }
    if (in.data[1] & 0x20) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 1, "zlib stream needs a dictionary");
    }
    z.ip += 2;
    status = taco__flate_stream(&z, err);
    if (status != TACO_OK) {
        return status;
    }
    if (z.end - z.ip < 4) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                          "zlib stream ends inside its checksum");
    }
    want = taco__base_be32(z.ip);
    sum = taco__flate_adler32(z.out.base, (size_t)(z.out.op - z.out.base));
    if (sum != want) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, TACO__U(z.ip - z.start),
                          "zlib stream has Adler-32 0x%x, its bytes give 0x%x", TACO__U(want),
                          TACO__U(sum));
    }
    taco__copy_end(&z.out);
    return TACO_OK;
}

/* Parquet's GZIP is meant to be gzip members, and some writers put zlib streams or raw data there. No raw data begins as
   one of these: as a block type both 0x1F and a byte that ends in 8 would leave the padding of a stored block dirty. */
TACO__FN taco_status taco__flate_any(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    if (in.len >= 2 && in.data[0] == 0x1F && in.data[1] == 0x8B) {
        return taco__flate_gzip(in, out, limit, err);
    }
    return taco__flate_is_zlib(in) ? taco__flate_zlib(in, out, limit, err)
                                   : taco__flate_inflate(in, out, limit, err);
}
/* ==== ROOM flate_enc: encode gzip. Uses: base error mem hash copy huf flate. Spec: RFC 1951, cited by section, RFC 1952 ==== */

/* Hash chains over the window of 32 KiB, with a look at the next position before a match is taken; blocks with
   codes of their own, or stored. */
#define TACO__FLATE_ENC_TOKENS 32768 /* of one block */
#define TACO__FLATE_ENC_LOG    15
#define TACO__FLATE_ENC_TRIES  24
#define TACO__FLATE_ENC_ENOUGH 64 /* a match as long is taken at once */

/* What is used from call to call: one allocation, made by taco__flate_enc_open. */
typedef struct taco__flate_enc {
    taco__mem *mem;
    uint32_t   head[1 << TACO__FLATE_ENC_LOG]; /* by hash: the last position + 1, 0 none */
    uint32_t   before[32768]; /* by position: the one before with the same hash + 1 */
    uint32_t   token[TACO__FLATE_ENC_TOKENS]; /* a literal, or length << 16 | distance */
    uint32_t   count;
    uint32_t   seen[2][288],
        code[2][288];         /* of literals and lengths, of distances; code << 8 | bits */
    uint8_t length_code[259]; /* less 257 */
    uint8_t length[2][288];
} taco__flate_enc;

/* How many bits follow codes 257 + i and i, and what they are added to, §3.2.5 */
static const uint8_t taco__flate_enc_extra[2][30] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0, 0},
    {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
     6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}};
static const uint16_t taco__flate_enc_length_base[29] = {
    3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};

/* A distance d > 0 has code 2 log2(d - 1) + the next bit of d - 1. */
TACO__INLINE unsigned taco__flate_enc_distance(uint32_t d, uint32_t *base)
{
    unsigned top;
    if (d < 3) {
        *base = d;
        return d - 1;
    }
    top = 63 - taco__plat_clz64(d - 1);
    *base = ((2U | ((d - 1) >> (top - 1) & 1)) << (top - 1)) + 1;
    return 2 * top + ((d - 1) >> (top - 1) & 1);
}
/* Codes of one alphabet from its lengths, §3.2.2, with the bits in the order they are written. */
TACO__FN void taco__flate_enc_make(uint32_t *code, const uint8_t *length, unsigned symbols)
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
/* The lengths of both alphabets as symbols of a third, §3.2.7: 16 repeats the last 3 to 6 times, 17 and 18 are 3 to
   10 and 11 to 138 zeros. Returns how many; each is symbol | further bits << 8. */
TACO__FN unsigned taco__flate_enc_runs(uint16_t *run, const uint8_t *length, unsigned n)
{
    unsigned i = 0, count = 0, k;
    while (i < n) {
        for (k = 1; i + k < n && length[i + k] == length[i] && k < 138; k++) {
        }
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
typedef struct taco__flate_enc_head { /* of a block with codes of its own */
    unsigned literals, distances, lengths, count;
    uint16_t run[288 + 32];
    uint32_t code[19];
    uint64_t bits; /* it takes */
} taco__flate_enc_head;
static const uint8_t taco__flate_enc_order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
static const uint8_t taco__flate_enc_run_bits[19] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                     0, 0, 0, 0, 0, 0, 2, 3, 7};

/* Makes the codes of the tokens at hand and the block's head; returns the bits of the block. */
TACO__FN uint64_t taco__flate_enc_plan(taco__flate_enc *e, taco__flate_enc_head *h)
{
    uint8_t  length[288 + 32], of_run[19];
    uint32_t seen[19] = {0};
    uint64_t bits = 3 + 14;
    unsigned i;
    e->seen[0][256] = 1;                 /* the end */
    e->seen[1][0] += e->seen[1][0] == 0; /* one distance at least, for readers that insist on it */
    taco__huf_lengths(e->length[0], e->seen[0], 286, 15);
    taco__huf_lengths(e->length[1], e->seen[1], 30, 15);
    taco__flate_enc_make(e->code[0], e->length[0], 286);
    taco__flate_enc_make(e->code[1], e->length[1], 30);
    for (h->literals = 286; e->length[0][h->literals - 1] == 0; h->literals--) {
    }
    for (h->distances = 30; e->length[1][h->distances - 1] == 0; h->distances--) {
    }
    memcpy(length, e->length[0], h->literals);
    memcpy(length + h->literals, e->length[1], h->distances);
    h->count = taco__flate_enc_runs(h->run, length, h->literals + h->distances);
    for (i = 0; i < h->count; i++) {
        seen[h->run[i] & 255]++;
    }
    taco__huf_lengths(of_run, seen, 19, 7);
    taco__flate_enc_make(h->code, of_run, 19);
    for (h->lengths = 19; of_run[taco__flate_enc_order[h->lengths - 1]] == 0; h->lengths--) {
    }
    h->lengths = TACO__MAX(h->lengths, 4U);
    bits += 3 * h->lengths;
    for (i = 0; i < 19; i++) {
        bits += (uint64_t)seen[i] * (of_run[i] + (unsigned)taco__flate_enc_run_bits[i]);
    }
    for (i = 0; i < 286; i++) {
        bits += (uint64_t)e->seen[0][i] *
                (e->length[0][i] + (i > 256 ? (unsigned)taco__flate_enc_extra[0][i - 257] : 0U));
    }
    for (i = 0; i < 30; i++) {
        bits += (uint64_t)e->seen[1][i] * (e->length[1][i] + (unsigned)taco__flate_enc_extra[1][i]);
    }
    return bits;
}
TACO__FN void taco__flate_enc_write(const taco__flate_enc *e, const taco__flate_enc_head *h,
                                    bool last, taco__huf_bits *b)
{
    unsigned i;
    taco__huf_put(b, (unsigned)last | 2U << 1, 3);
    taco__huf_put(b, h->literals - 257, 5);
    taco__huf_put(b, h->distances - 1, 5);
    taco__huf_put(b, h->lengths - 4, 4);
    taco__huf_flush(b);
    for (i = 0; i < h->lengths; i++) {
        taco__huf_put(b, h->code[taco__flate_enc_order[i]] & 255, 3);
        taco__huf_flush(b);
    }
    for (i = 0; i < h->count; i++) {
        const uint32_t c = h->code[h->run[i] & 255];
        taco__huf_put(b, c >> 8, c & 255);
        taco__huf_put(b, (uint64_t)h->run[i] >> 8, taco__flate_enc_run_bits[h->run[i] & 255]);
        taco__huf_flush(b);
    }
    for (i = 0; i < e->count; i++) {
        const uint32_t token = e->token[i], n = token >> 16;
        if (n == 0) {
            taco__huf_put(b, e->code[0][token] >> 8, e->code[0][token] & 255);
        } else { /* 15 + 5 + 15 + 13 bits at most */
            const unsigned k = e->length_code[n];
            uint32_t       base = 0, c = e->code[0][257 + k];
            unsigned       d = taco__flate_enc_distance(token & 0xFFFF, &base);
            taco__huf_put(b, c >> 8, c & 255);
            taco__huf_put(b, n - taco__flate_enc_length_base[k], taco__flate_enc_extra[0][k]);
            taco__huf_put(b, e->code[1][d] >> 8, e->code[1][d] & 255);
            taco__huf_put(b, (token & 0xFFFF) - base, taco__flate_enc_extra[1][d]);
        }
        taco__huf_flush(b);
    }
    taco__huf_put(b, e->code[0][256] >> 8, e->code[0][256] & 255);
    taco__huf_flush(b);
}
/* Stored blocks, §3.2.4, of up to 65535 bytes each */
TACO__FN void taco__flate_enc_store(taco__huf_bits *b, const uint8_t *p, size_t n, bool last)
{
    do {
        const size_t k = TACO__MIN(n, (size_t)65535);
        taco__huf_put(b, last && k == n, 3);
        taco__huf_put(b, 0, (8 - (b->held & 7)) & 7);
        taco__huf_flush(b);
        taco__huf_put(b, k | (uint64_t)(k ^ 0xFFFF) << 16, 32);
        taco__huf_flush(b);
        if (k) {
            memcpy(b->at, p, k);
        }
        b->at += k;
        p += k;
        n -= k;
    } while (n);
}
/* Ends a block, whose n bytes are at p: in the form that is smaller. */
TACO__FN void taco__flate_enc_block(taco__flate_enc *e, taco__huf_bits *b, const uint8_t *p,
                                    size_t n, bool last)
{
    taco__flate_enc_head h;
    if (taco__flate_enc_plan(e, &h) / 8 < n) {
        taco__flate_enc_write(e, &h, last, b);
    } else {
        taco__flate_enc_store(b, p, n, last);
    }
    e->count = 0;
    memset(e->seen, 0, sizeof e->seen);
}
TACO__INLINE void taco__flate_enc_literal(taco__flate_enc *e, uint8_t x)
{
    e->token[e->count++] = x;
    e->seen[0][x]++;
}
TACO__INLINE uint32_t *taco__flate_enc_slot(taco__flate_enc *e, const uint8_t *p)
{
    return &e->head[taco__base_le32(p) * 0x9E3779B1U >> (32 - TACO__FLATE_ENC_LOG)];
}
/* Adds position i to the chains; returns the length of its best match if that is above `best`. 4 bytes can be read at i. */
TACO__FN size_t taco__flate_enc_find(taco__flate_enc *e, const uint8_t *p, size_t i, size_t n,
                                     size_t best, bool look, uint32_t *distance)
{
    uint32_t *slot = taco__flate_enc_slot(e, p + i), m = *slot;
    size_t    end = TACO__MIN(n, i + 258), found = 0;
    unsigned  tries = TACO__FLATE_ENC_TRIES;
    e->before[i & 32767] = m;
    *slot = (uint32_t)i + 1;
    for (; look && tries && m && i - (m - 1) <= 32768 - 1; tries--) {
        const size_t from = m - 1;
        if (i + best < end && p[from + best] == p[i + best]) {
            size_t k = taco__copy_same(p + from, p + i, p + end);
            if (k > best) {
                best = found = k;
                *distance = (uint32_t)(i - from);
            }
        }
        if (e->before[from & 32767] >= m) { /* written over since */
            break;
        }
        m = e->before[from & 32767];
    }
    return found;
}
/* Cuts all of `in` into tokens and writes the blocks. */
TACO__FN void taco__flate_enc_run(taco__flate_enc *e, taco_bytes in, taco__huf_bits *b)
{
    const uint8_t *p = in.data;
    const size_t   n = in.len, stop = n < 4 ? 0 : n - 3; /* 4 bytes are hashed */
    size_t         i = 0, start = 0, match, later, k;
    uint32_t       distance = 0, other = 0;
    while (i < n) {
        match = i < stop ? taco__flate_enc_find(e, p, i, n, 3, true, &distance) : 0;
        while (match && match < TACO__FLATE_ENC_ENOUGH && i + 1 < stop &&
               e->count + 2 < TACO__FLATE_ENC_TOKENS) { /* a longer one at the next position? */
            later = taco__flate_enc_find(e, p, i + 1, n, match, true, &other);
            if (!later) {
                break;
            }
            taco__flate_enc_literal(e, p[i++]);
            match = later;
            distance = other;
        }
        if (match) {
            const bool two = i + 1 < stop && *taco__flate_enc_slot(e, p + i + 1) == (uint32_t)i + 2;
            e->token[e->count++] = (uint32_t)match << 16 | distance;
            e->seen[0][257 + e->length_code[match]]++;
            e->seen[1][taco__flate_enc_distance(distance, &other)]++;
            for (k = two ? 2 : 1; k < match && i + k < stop; k++) {
                taco__flate_enc_find(e, p, i + k, n, 3, false, &other);
            }
            i += match;
        } else {
            taco__flate_enc_literal(e, p[i++]);
        }
        if (e->count + 2 >= TACO__FLATE_ENC_TOKENS && i < n) {
            taco__flate_enc_block(e, b, p + start, i - start, false);
            start = i;
        }
    }
    taco__flate_enc_block(e, b, p + start, n - start, true);
}
/* The most bytes that a gzip file of n bytes takes, and 8 that are written behind it. A block has 32766 tokens, so as
   many bytes or more, and is never larger than stored. False when that is not a size. */
TACO__FN bool taco__flate_enc_bound(size_t n, size_t *bound)
{
    return taco__base_addz(n, n / 32766 * 6 + n / 65535 * 6 + 12 + 18 + 8, bound);
}
/* Encodes `in` as a gzip file, RFC 1952, at dst, which has room for taco__flate_enc_bound bytes and does not overlap it;
   *size becomes its size. ARGUMENT when cap is less, or `in` has 4 GiB or more. */
TACO__FN taco_status taco__flate_enc_gzip(taco__flate_enc *e, taco_bytes in, uint8_t *dst,
                                          size_t cap, size_t *size, taco_error *err)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255}; /* no name, no time */
    taco__huf_bits       b;
    size_t               bound = 0;
    *size = 0;
    if (!taco__flate_enc_bound(in.len, &bound) || in.len >= UINT32_MAX || cap < bound) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "gzip of %u bytes of data may take %u bytes, there is room for %u",
                          TACO__U(in.len), TACO__U(bound), TACO__U(cap));
    }
    memcpy(dst, head, sizeof head);
    memset(e->head, 0, sizeof e->head);
    memset(e->before, 0, sizeof e->before);
    memset(e->seen, 0, sizeof e->seen);
    e->count = 0;
    b = taco__huf_bits_make(dst + sizeof head, dst + cap - 8);
    taco__flate_enc_run(e, in, &b);
    if (b.held) {
        *b.at++ = (uint8_t)b.word;
    }
    taco__base_put32(b.at, taco__hash_crc32(0, in.data, in.len));
    taco__base_put32(b.at + 4, (uint32_t)in.len);
    *size = (size_t)(b.at + 8 - dst);
    return TACO_OK;
}
/* NULL on failure. */
TACO__FN taco__flate_enc *taco__flate_enc_open(taco__mem *mem, taco_error *err)
{
    taco__flate_enc *e = (taco__flate_enc *)taco__mem_alloc(mem, sizeof *e, err);
    unsigned         n, k = 0;
    if (e) {
        e->mem = mem;
        for (n = 3; n < 259; n++) {
            k += k < 28 && n >= taco__flate_enc_length_base[k + 1];
            e->length_code[n] = (uint8_t)k;
        }
    }
    return e;
}
/* NULL is accepted. */
TACO__FN void taco__flate_enc_close(taco__flate_enc *e)
{
    if (e) {
        taco__mem_free(e->mem, e, sizeof *e);
    }
}

/* ==== ROOM zstd_dec: decode ZSTD frames. Uses: hash mem. Spec: RFC 8878, cited by section ==== */

/* A frame is a header and blocks of up to 128 KiB. A compressed block is a section of literals,
   mostly Huffman codes in four streams, and a section of sequences: "copy so many literals, then
   repeat so many bytes from so far back", whose three numbers are codes of three finite state
   tables with further bits behind them. What costs time are two loops: taco__zstd_huf4_body and
   taco__zstd_run_body. Both exist twice, the second time for processors with BMI2, whose shifts
   take any register and leave the flags alone.

   Every stream must be consumed to its last bit, and no block may give more than the frame's
   header allows. A decoder that is laxer would turn damage into data. */

#define TACO__ZSTD_BLOCK    131072U /* the largest block, §3.1.1.2.4 */
#define TACO__ZSTD_HUF_BITS 11      /* the longest Huffman code, §4.2.1 */
#define TACO__ZSTD_SLACK    32 /* bytes that copies read and write behind what they are asked for */
TACO__STATIC_ASSERT(zstd_slack, TACO__ZSTD_SLACK <= TACO__PAD);

/* One state of a finite state decoder. The value it stands for is base + the next `extra` bits.
   The cell that follows lies next + the next `bits` bits behind this one: a distance, which is
   often negative, so that a state is an address and the decoding loop needs no table's address
   besides. */
typedef struct taco__zstd_cell {
    uint32_t base;
    int16_t  next;
    uint8_t  extra, bits;
} taco__zstd_cell;

/* The three fields of a sequence, in the order of their tables in the header, §3.1.1.3.2.1 */
enum { TACO__ZSTD_LL, TACO__ZSTD_OF, TACO__ZSTD_ML };

/* What lives from block to block, 146 KiB. Zeroed by the caller before the first use; then good
   for any number of frames, one after the other. It owns nothing and may be copied. */
typedef struct taco__zstd {
    /* three tables of up to 512 cells that the frame described, then the three predefined ones */
    taco__zstd_cell cells[3 * (512 + 64)];
    bool     standard_ready; /* the predefined tables are built, by the first who needs them */
    bool     known[3];       /* the field has a table in this frame, which mode Repeat can repeat */
    uint8_t  log[3];         /* its number of states is 1 << log */
    uint16_t table[3];       /* its first cell */
    bool     huf_ready;      /* huf is a table of this frame */
    uint32_t repeat[3];      /* the last three offsets, the latest first, §3.1.1.5 */
    /* by the next 11 bits of a stream: the length of the code there, and its symbol << 8; the
       last 3 are written, not read */
    uint16_t huf[(1 << TACO__ZSTD_HUF_BITS) + 3];
    uint8_t  literals[TACO__ZSTD_BLOCK + TACO__ZSTD_SLACK]; /* of the block at hand */
} taco__zstd;

/* One call of the decoder, and the frame it is in. */
typedef struct taco__zstd_job {
    taco__zstd    *z;
    const uint8_t *begin, *at, *end; /* of the input */
    taco__buf     *out;
    size_t         start, frame; /* where in out this call's bytes and this frame's bytes begin */
    size_t         limit;        /* the most bytes that the call may append */
    uint64_t       content;      /* Frame_Content_Size, if has_content */
    uint32_t       block_max;    /* Block_Maximum_Size */
    bool           has_content, has_checksum;
    taco_error    *err;
} taco__zstd_job;

#define TACO__ZSTD_FAIL(j, code, where, ...)                                                       \
    TACO__FAIL((j)->err, code, TACO__U((where) - (j)->begin), __VA_ARGS__)

TACO__INLINE unsigned taco__zstd_top(uint32_t x)
{
    return 63 - taco__plat_clz64(x);
} /* the highest bit set, x != 0 */

/* ---- bits ---- */

/* A bit stream that is read from its end backward, §4.1: pos bits are left, and the next one to
   read is the highest of them. A field is just cut out of a word. */
typedef struct taco__zstd_bits {
    const uint8_t *data;
    size_t         pos;
    uint64_t low; /* the first 8 bytes of data, or fewer and zeros: the input may begin here, and
                           no load may reach before it */
} taco__zstd_bits;

/* The writer ended the stream with a bit 1 and zeros up to a whole byte. False when that bit is
   not in the last byte. */
TACO__FN bool taco__zstd_bits_init(taco__zstd_bits *b, const uint8_t *data, size_t len)
{
    size_t i;
    if (len == 0 || data[len - 1] == 0) {
        return false;
    }
    b->data = data;
    b->pos = (len - 1) * 8 + taco__zstd_top(data[len - 1]);
    b->low = 0;
    for (i = 0; i < len && i < 8; i++) {
        b->low |= (uint64_t)data[i] << (8 * i);
    }
    return true;
}
/* The next 56 bits or more, from bit 63 down, and zeros behind the stream's last. A word that ends
   with the byte of the next bit never reaches behind the stream: that byte is part of it. */
TACO__INLINE uint64_t taco__zstd_bits_peek(const taco__zstd_bits *b)
{
    if (b->pos >= 64) {
        return taco__base_le64(b->data + (b->pos >> 3) - 7) << (8 - (b->pos & 7));
    }
    return b->pos ? b->low << (64 - b->pos) : 0;
}
/* Reads n <= 32 bits into *out; false when fewer are left. */
TACO__INLINE bool taco__zstd_bits_read(taco__zstd_bits *b, unsigned n, uint32_t *out)
{
    if (n > b->pos) {
        return false;
    }
    *out = (uint32_t)(taco__zstd_bits_peek(b) >> 1 >> (63 - n)); /* in two steps, as n may be 0 */
    b->pos -= n;
    return true;
}

/* ---- finite state tables, §4.1.1 ---- */

typedef struct taco__zstd_counts {
    int16_t
        n[256]; /* of cells a symbol has; -1: one cell, behind which all the bits are read anew */
    unsigned symbols, log;
} taco__zstd_counts;

/* Up to 25 bits at bit pos of a forward stream; zeros behind its end. */
TACO__FN uint32_t taco__zstd_forward(const uint8_t *p, size_t len, size_t pos)
{
    size_t   i = pos >> 3, k;
    uint32_t x = 0;
    for (k = 0; k < 4 && i + k < len; k++) {
        x |= (uint32_t)p[i + k] << (8 * k);
    }
    return x >> (pos & 7);
}
/* Reads the description of a table: the counts of symbols 0, 1, ... until all the cells are dealt
   out. Returns the bytes it takes, or 0 when it is not one of at most max_symbols and max_log. */
TACO__FN size_t taco__zstd_read_counts(taco__zstd_counts *c, const uint8_t *p, size_t len,
                                       unsigned max_symbols, unsigned max_log)
{
    size_t   pos = 4;
    unsigned left, s = 0;
    if (len == 0) {
        return 0;
    }
    c->log = 5 + (p[0] & 15U);
    if (c->log > max_log) {
        return 0;
    }
    for (left = 1U << c->log; left && s < max_symbols;) {
        /* The next number is 0 ... left + 1, for counts from -1. It has `width` bits, but as that
           could say more, the lowest `spare` numbers do without the highest of them. */
        unsigned width = taco__zstd_top(left + 1) + 1,
                 x = taco__zstd_forward(p, len, pos) & ((1U << width) - 1);
        unsigned spare = (1U << width) - 2 - left, half = 1U << (width - 1);
        if ((x & (half - 1)) < spare) {
            x &= half - 1;
            width--;
        } else if (x >= half) {
            x -= spare;
        }
        pos += width;
        c->n[s++] = (int16_t)((int)x - 1);
        left -= x == 0 ? 1 : x - 1;
        while (x == 1) { /* pairs of bits count further zeros; 3 goes on */
            unsigned zeros = taco__zstd_forward(p, len, pos) & 3;
            pos += 2;
            for (x = zeros == 3; zeros && s < max_symbols; zeros--) {
                c->n[s++] = 0;
            }
            if (zeros || pos > len * 8) {
                return 0;
            }
        }
    }
    c->symbols = s;
    return left || (pos + 7) / 8 > len ? 0 : (pos + 7) / 8;
}
/* Spreads the symbols over the states, by the walk that §4.1.1 prescribes: the rare symbols take
   cells from the end, the others step through the rest. Symbol s stands for base[s] and extra[s]
   further bits. Of a symbol's cells, in order, each leads to a range of states as wide as a power
   of two; together the ranges cover all the states. The counts add up to the size, so that the
   walk fills every cell. */
TACO__FN void taco__zstd_build(taco__zstd_cell *cell, const taco__zstd_counts *c,
                               const uint32_t *base, const uint8_t *extra)
{
    uint16_t next[256];
    uint8_t  symbol[512];
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    for (s = 0; s < c->symbols; s++) {
        next[s] = (uint16_t)c->n[s];
        if (c->n[s] < 0) {
            symbol[--high] = (uint8_t)s;
            next[s] = 1;
        }
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
        unsigned x = next[symbol[i]]++, bits = c->log - taco__zstd_top(x);
        cell[i].base = base[symbol[i]];
        cell[i].extra = extra[symbol[i]];
        cell[i].bits = (uint8_t)bits;
        cell[i].next = (int16_t)((int)(x << bits) - (int)(size + i));
    }
}

/* ---- Huffman codes, §4.2 ---- */

/* Weights packed by a finite state code with two states that take turns, §4.2.1.2. It ends where a
   state finds too few bits to go on: no count is stored. Returns how many, 0 on failure; `weights`
   has room for 255. */
TACO__FN unsigned taco__zstd_packed_weights(uint8_t *weights, const uint8_t *p, size_t len)
{
    static const uint8_t no_extra[13] = {0};
    uint32_t             value[13], state[2] = {0, 0}, step;
    taco__zstd_cell      cell[64];
    taco__zstd_counts    c;
    taco__zstd_bits      b;
    unsigned             n;
    size_t               head = taco__zstd_read_counts(&c, p, len, 13, 6);
    if (!head || !taco__zstd_bits_init(&b, p + head, len - head)) {
        return 0;
    }
    for (n = 0; n < 13; n++) {
        value[n] = n;
    }
    taco__zstd_build(cell, &c, value, no_extra);
    if (!taco__zstd_bits_read(&b, c.log, &state[0]) ||
        !taco__zstd_bits_read(&b, c.log, &state[1])) {
        return 0;
    }
    n = 0;
    while (b.pos >= 64 && n < 254 - 8) { /* eight steps of up to 6 bits in one word */
        uint64_t x = taco__zstd_bits_peek(&b);
        unsigned k;
        for (k = 0; k < 8; k++) {
            const taco__zstd_cell *now = &cell[state[k & 1]];
            weights[n++] = (uint8_t)now->base;
            state[k & 1] =
                (uint32_t)((int)state[k & 1] + now->next + (int)(x >> 1 >> (63 - now->bits)));
            x <<= now->bits;
            b.pos -= now->bits;
        }
    }
    for (; n < 254; n++) {
        const taco__zstd_cell *now = &cell[state[n & 1]];
        weights[n] = (uint8_t)now->base;
        if (!taco__zstd_bits_read(&b, now->bits, &step)) {
            weights[n + 1] = (uint8_t)cell[state[~n & 1]].base; /* the other state's last word */
            return n + 2;
        }
        state[n & 1] = (uint32_t)((int)(state[n & 1] + step) + now->next);
    }
    return 0;
}
/* Reads the weights of a Huffman tree, §4.2.1.1: *n of them, of which the last of all is left out.
   Returns the bytes they take, 0 on failure. */
TACO__FN size_t taco__zstd_weights(uint8_t *weights, unsigned *n, const uint8_t *p, size_t len)
{
    size_t   size;
    unsigned i;
    if (len == 0) {
        return 0;
    }
    if (p[0] < 128) { /* a number of bytes, packed */
        size = p[0];
        if (size >= len) {
            return 0;
        }
        *n = taco__zstd_packed_weights(weights, p + 1, size);
        return *n ? size + 1 : 0;
    }
    *n = p[0] - 127U; /* a number of weights, four bits each */
    size = (*n + 1) / 2;
    if (size >= len) {
        return 0;
    }
    for (i = 0; i < *n; i++) {
        weights[i] = (uint8_t)(i & 1 ? p[1 + i / 2] & 15 : p[1 + i / 2] >> 4);
    }
    return size + 1;
}
/* Reads a tree into z->huf; returns the bytes of its description, 0 when it is not one. Weight w
   means a code of log + 1 - w bits, 0 no code, §4.2.1.3. Codes are given out from the longest, by
   symbol, so the table simply fills from its start. It is always for 11 bits, whatever the longest
   code has, which keeps the decoding loop to one shift. */
TACO__FN size_t taco__zstd_read_huf(taco__zstd *z, const uint8_t *p, size_t len)
{
    uint8_t   weights[256];
    unsigned  start[TACO__ZSTD_HUF_BITS + 2] = {0}, count[TACO__ZSTD_HUF_BITS + 2] = {0};
    unsigned  n, i, log, at;
    uint8_t   order[256]; /* the symbols by weight */
    uint16_t *to;
    uint32_t  sum = 0, rest;
    size_t    size = taco__zstd_weights(weights, &n, p, len);
    if (!size) {
        return 0;
    }
    for (i = 0; i < n; i++) {
        if (weights[i] > TACO__ZSTD_HUF_BITS) {
            return 0;
        }
        count[weights[i]]++;
        sum += (1U << weights[i]) >> 1;
    }
    /* the weight left out makes the sum a power of two, and must be a weight itself, §4.2.1.1 */
    log = sum ? taco__zstd_top(sum) + 1 : 0;
    rest = (1U << log) - sum;
    if (!sum || log > TACO__ZSTD_HUF_BITS || (rest & (rest - 1))) {
        return 0;
    }
    weights[n] = (uint8_t)(taco__zstd_top(rest) + 1);
    count[weights[n++]]++;
    if (count[1] < 2) { /* a full tree has a pair of longest codes */
        return 0;
    }
    for (i = 1, at = count[0]; i <= log; i++) {
        start[i] = at;
        at += count[i];
    }
    for (i = 0; i < n; i++) {
        order[start[weights[i]]++] = (uint8_t)i;
    }
    for (i = 1, at = count[0], to = z->huf; i <= log; i++) { /* by weight, and for each by symbol */
        unsigned span = 1U << (i - 1 + TACO__ZSTD_HUF_BITS - log), end = at + count[i], k;
        for (; at < end; at++, to += span) {
            uint64_t four =
                ((log + 1 - i) | (unsigned)order[at] << 8) * UINT64_C(0x0001000100010001);
            for (k = 0; k < span; k += 4) {
                memcpy(to + k, &four, 8); /* what is too much here the next symbol writes over */
            }
        }
    }
    z->huf_ready = true;
    return size;
}

/* Decodes the symbols of one stream into [to, end), checking each. The stream must end with the
   last of them, not before and not behind, §4.2.2. */
TACO__FN bool taco__zstd_huf_rest(const uint16_t *table, taco__zstd_bits *b, uint8_t *to,
                                  uint8_t *end)
{
    while (to < end) {
        uint64_t x = taco__zstd_bits_peek(b);
        unsigned i;
        for (i = 0; i < 5 && to < end; i++) { /* 5 codes of 11 bits fit the 56 that are there */
            unsigned code = table[x >> (64 - TACO__ZSTD_HUF_BITS)], n = code & 63;
            if (n > b->pos) {
                return false;
            }
            x <<= n;
            b->pos -= n;
            *to++ = (uint8_t)(code >> 8);
        }
    }
    return b->pos == 0;
}

typedef struct taco__zstd_huf4 { /* the four streams of a literals section */
    const uint16_t *table;
    taco__zstd_bits b[4];
    const uint8_t  *at[4];
    unsigned        shift; /* 64 - TACO__ZSTD_HUF_BITS: as a variable, an instruction less on x86 */
    uint8_t        *to[4], *end[4];
} taco__zstd_huf4;

/* One symbol of stream k. The entry's low byte is the length, which the shift takes as it is. */
#define TACO__ZSTD_HUF_STEP(k, i)                                                                  \
    code = (unsigned)table[x##k >> shift];                                                         \
    x##k <<= code & 63;                                                                            \
    to##k[i] = (uint8_t)(code >> 8);
#define TACO__ZSTD_HUF_STEPS(k)                                                                    \
    TACO__ZSTD_HUF_STEP(k, 0)                                                                      \
    TACO__ZSTD_HUF_STEP(k, 1)                                                                      \
    TACO__ZSTD_HUF_STEP(k, 2)                                                                      \
    TACO__ZSTD_HUF_STEP(k, 3) TACO__ZSTD_HUF_STEP(k, 4) TACO__ZSTD_HUF_LOAD(k)
/* The word of a stream has its next bits at the top. Bit 0, which no step of five symbols reaches,
   is always set; it moves up as bits are read, and where it is tells how many were. The addresses
   stay in memory, where their latency does no harm: there are not enough registers for all. */
#define TACO__ZSTD_HUF_LOAD(k)                                                                     \
    read = taco__plat_ctz64(x##k);                                                                 \
    at = h->at[k] - (read >> 3);                                                                   \
    x##k = (taco__base_le64(at) | 1) << (read & 7);                                                \
    h->at[k] = at;                                                                                 \
    to##k += 5;
#define TACO__ZSTD_HUF_OPEN(k)                                                                     \
    h->at[k] = h->b[k].data + (h->b[k].pos >> 3) - 7;                                              \
    x##k = (taco__base_le64(h->at[k]) | 1) << (8 - (h->b[k].pos & 7));
#define TACO__ZSTD_HUF_CLOSE(k)                                                                    \
    h->to[k] = to##k;                                                                              \
    h->b[k].pos = (size_t)(h->at[k] - h->b[k].data) * 8 + 64 - taco__plat_ctz64(x##k);

/* Decodes all four streams in turn, while none of them can end: five symbols read up to 55 bits,
   which with the up to 8 read before moves a stream by up to 7 bytes. So as many rounds go without
   a check as the shortest stream has times 7 bytes. Each symbol waits for the one before, but the
   four streams do not wait for each other. The rest is left to taco__zstd_huf_rest. */
TACO__INLINE void taco__zstd_huf4_body(taco__zstd_huf4 *h)
{
    const uint16_t *table = h->table;
    const uint8_t  *at;
    uint8_t        *to0 = h->to[0], *to1 = h->to[1], *to2 = h->to[2], *to3 = h->to[3], *stop;
    uint64_t        x0, x1, x2, x3;
    const unsigned  shift = h->shift;
    unsigned        k, code, read;
    for (k = 0; k < 4; k++) {
        if (h->b[k].pos < 64) {
            return;
        }
    }
    TACO__ZSTD_HUF_OPEN(0)
    TACO__ZSTD_HUF_OPEN(1)
    TACO__ZSTD_HUF_OPEN(2)
    TACO__ZSTD_HUF_OPEN(3)
    for (;;) {
        size_t n = (size_t)(h->end[3] - to3) / 5;
        for (k = 0; k < 4; k++) {
            n = TACO__MIN(n, (size_t)(h->at[k] - h->b[k].data) / 7);
        }
        if (n == 0) {
            break;
        }
        stop = to3 + 5 * n;
        do {
            TACO__ZSTD_HUF_STEPS(0)
            TACO__ZSTD_HUF_STEPS(1)
            TACO__ZSTD_HUF_STEPS(2)
            TACO__ZSTD_HUF_STEPS(3)
        } while (to3 < stop);
    }
    TACO__ZSTD_HUF_CLOSE(0)
    TACO__ZSTD_HUF_CLOSE(1)
    TACO__ZSTD_HUF_CLOSE(2)
    TACO__ZSTD_HUF_CLOSE(3)
}
TACO__NOINLINE void taco__zstd_huf4_plain(taco__zstd_huf4 *h)
{
    taco__zstd_huf4_body(h);
}
#if TACO__X86
TACO__NOINLINE TACO__TARGET("bmi,bmi2") void taco__zstd_huf4_bmi2(taco__zstd_huf4 *h)
{
    taco__zstd_huf4_body(h);
}
#endif
TACO__FN void taco__zstd_huf4_run(taco__zstd_huf4 *h)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) {
        taco__zstd_huf4_bmi2(h);
        return;
    }
#endif
    taco__zstd_huf4_plain(h);
}
/* Finds the four streams behind a table of the sizes of the first three, §3.1.1.3.1.6. Each of the
   first three holds a quarter of the n literals, rounded up. */
TACO__FN bool taco__zstd_huf_open(taco__zstd_huf4 *h, const uint16_t *table, const uint8_t *p,
                                  size_t len, uint8_t *to, size_t n)
{
    size_t at = 6, k, part = (n + 3) / 4;
    if (len < 6 || n < 6 || part * 3 > n) { /* fewer than 6 have no use for four streams */
        return false;
    }
    h->table = table;
    h->shift = 64 - TACO__ZSTD_HUF_BITS;
    for (k = 0; k < 4; k++) {
        size_t size = k < 3 ? taco__base_le16(p + 2 * k) : len - at;
        if (size > len - at || !taco__zstd_bits_init(&h->b[k], p + at, size)) {
            return false;
        }
        at += size;
        h->to[k] = to + k * part;
        h->end[k] = k < 3 ? h->to[k] + part : to + n;
    }
    return true;
}
/* False when the streams are damaged. */
TACO__FN bool taco__zstd_huf_four(const uint16_t *table, const uint8_t *p, size_t len, uint8_t *to,
                                  size_t n)
{
    taco__zstd_huf4 h;
    size_t          k;
    if (!taco__zstd_huf_open(&h, table, p, len, to, n)) {
        return false;
    }
    taco__zstd_huf4_run(&h);
    for (k = 0; k < 4; k++) {
        if (!taco__zstd_huf_rest(table, &h.b[k], h.to[k], h.end[k])) {
            return false;
        }
    }
    return true;
}

/* ---- sequences, §3.1.1.3.2 ---- */

typedef struct taco__zstd_run { /* what executing the sequences of a block needs, and leaves */
    const taco__zstd_cell *cells;
    unsigned               table[3], log[3]; /* per field: its first cell, and 1 << log of them */
    const uint8_t         *bits;             /* the bit stream */
    size_t                 bits_len;
    uint32_t               count; /* of sequences */
    uint32_t               repeat[3];
    const uint8_t         *lit, *lit_end; /* the literals, with slack behind them */
    size_t                 lits;          /* how many there were */
    uint8_t               *frame;         /* the frame's first byte: no match begins before it */
    uint8_t               *to, *end;      /* where the next byte goes, and where none may go */
    uint32_t               offset;        /* the one that failed */
} taco__zstd_run;

typedef enum taco__zstd_end {
    TACO__ZSTD_END_OK,
    TACO__ZSTD_END_BITS,     /* more or fewer bits than the sequences take */
    TACO__ZSTD_END_OFFSET,   /* a match from before the frame, or offset 0 */
    TACO__ZSTD_END_LITERALS, /* more literals than the block has */
    TACO__ZSTD_END_ROOM      /* more output than the block may have */
} taco__zstd_end;

/* Copies at least n bytes, and up to 31 more. From may be 16 bytes or more behind to: then a step
   reads what an earlier step wrote, as a match that overlaps itself asks for. */
TACO__INLINE void taco__zstd_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    const uint8_t *end = to + n;
    do {
        memcpy(to, from, 16);
        memcpy(to + 16, from + 16, 16);
        to += 32;
        from += 32;
    } while (to < end);
}
/* The same for offsets below 16, where what is copied repeats itself within a step: the first 8
   bytes are made by a multiplication that repeats `offset` bytes as often as they fit. */
TACO__INLINE void taco__zstd_copy_near(uint8_t *to, size_t offset, size_t n)
{
    static const uint64_t repeat[8] = {0,
                                       UINT64_C(0x0101010101010101),
                                       UINT64_C(0x0001000100010001),
                                       UINT64_C(0x0001000001000001),
                                       UINT64_C(0x0000000100000001),
                                       UINT64_C(0x0000010000000001),
                                       UINT64_C(0x0001000000000001),
                                       UINT64_C(0x0100000000000001)};
    static const uint8_t  stride[16] = {0, 8, 8, 9, 8, 10, 12, 14, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t        *from = to - offset, *end = to + n;
    uint64_t              x;
    if (n - 4 <= 4 && n <= offset) {
        /* The commonest, between integers that differ in a byte or two. Reading nothing behind the
           n bytes keeps the processor from waiting for the literals just written there. */
        x = taco__base_le32(from) | (uint64_t)taco__base_le32(from + n - 4) << (8 * (n - 4));
        taco__base_put64(to, x);
        return;
    }
    x = taco__base_le64(from);
    if (offset < 8) {
        x = (x & ((UINT64_C(1) << (8 * offset)) - 1)) * repeat[offset];
    }
    taco__base_put64(to, x);
    from = to + 8 -
           stride[offset]; /* a multiple of offset, 8 or more: all is written before it is read */
    to += 8;
    if (stride[offset] == 8) {
        for (; to < end; to += 16) {
            taco__base_put64(to, x);
            taco__base_put64(to + 8, x);
        }
        return;
    }
    for (; to < end; to += 8, from += 8) {
        memcpy(to, from, 8);
    }
}

/* The n bits of w below bit r, which then is the lowest of them. A negative r gives any number. */
#define TACO__ZSTD_TAKE(w, r, n) ((r) -= (n), (uint32_t)((w) >> ((r)&63)) & ((1U << (n)) - 1))

/* The three values of a sequence and the cells that follow, reading each of the six fields by
   itself: for the end of a stream, and for sequences longer than a word. False when bits are
   missing. */
TACO__NOINLINE bool taco__zstd_seq_read(taco__zstd_bits *b, const taco__zstd_cell *cell[3],
                                        uint32_t value[3], bool last)
{
    static const uint8_t order[6] = {TACO__ZSTD_OF, TACO__ZSTD_ML, TACO__ZSTD_LL,
                                     TACO__ZSTD_LL, TACO__ZSTD_ML, TACO__ZSTD_OF};
    unsigned             i;
    for (i = 0; i < (last ? 3U : 6U);
         i++) { /* §3.1.1.3.2.1.2; no states follow the last sequence */
        const taco__zstd_cell *c = cell[order[i]];
        uint32_t               x = 0;
        if (!taco__zstd_bits_read(b, i < 3 ? c->extra : c->bits, &x)) {
            return false;
        }
        if (i < 3) {
            value[order[i]] = c->base + x;
        } else {
            cell[order[i]] = c + (ptrdiff_t)x + c->next;
        }
    }
    return true;
}
/* Decodes and executes the sequences of a block, §3.1.1.3.2.1.2 and §3.1.1.4. One load has 56 bits
   or more, enough for the six fields of almost every sequence; they are cut out of it by position,
   so that only the three next states wait for each other. Whether it was enough is asked once,
   after the values and before the states. Where a sequence is decoded, the one before is still
   being copied: nothing but the offset's history joins the two. */
TACO__INLINE taco__zstd_end taco__zstd_run_body(taco__zstd_run *q)
{
    const taco__zstd_cell *ll, *of, *ml;
    const uint8_t         *lit = q->lit, *from;
    uint8_t               *to = q->to;
    uint32_t               n, rep0 = q->repeat[0], offset, match, lits;
    uint64_t        older = q->repeat[1] | (uint64_t)q->repeat[2] << 32; /* the two before rep0 */
    const int       need = (int)(q->log[0] + q->log[1] + q->log[2]); /* bits, for the next states */
    uint64_t        w;
    taco__zstd_bits b;
    if (!taco__zstd_bits_init(&b, q->bits, q->bits_len) ||
        !taco__zstd_bits_read(&b, q->log[TACO__ZSTD_LL], &lits) ||
        !taco__zstd_bits_read(&b, q->log[TACO__ZSTD_OF], &offset) ||
        !taco__zstd_bits_read(&b, q->log[TACO__ZSTD_ML], &match)) {
        return TACO__ZSTD_END_BITS;
    }
    ll = q->cells + q->table[TACO__ZSTD_LL] + lits;
    of = q->cells + q->table[TACO__ZSTD_OF] + offset;
    ml = q->cells + q->table[TACO__ZSTD_ML] + match;
    for (n = q->count; n; n--) {
        /* bits of w that are still to come; the last sequence has no states behind it and goes the
           slow way, if it comes at the end of the stream as it should */
        int r = n > 1 ? (int)b.pos : -1, rest;
        w = b.low;
        if (TACO__LIKELY(b.pos >= 64)) {
            w = taco__base_le64(b.data + (b.pos >> 3) - 7);
            r = (int)((b.pos & 7) | 56);
        }
        rest = r;
        offset = of->base + TACO__ZSTD_TAKE(w, rest, of->extra);
        match = ml->base + TACO__ZSTD_TAKE(w, rest, ml->extra);
        lits = ll->base + TACO__ZSTD_TAKE(w, rest, ll->extra);
        if (TACO__LIKELY(rest >= need)) { /* else the values may be wrong, and are read again */
            ll += (int)TACO__ZSTD_TAKE(w, rest, ll->bits) + ll->next;
            ml += (int)TACO__ZSTD_TAKE(w, rest, ml->bits) + ml->next;
            of += (int)TACO__ZSTD_TAKE(w, rest, of->bits) + of->next;
            b.pos -= (size_t)(r - rest);
        } else {
            const taco__zstd_cell *cell[3];
            uint32_t               value[3];
            cell[TACO__ZSTD_LL] = ll;
            cell[TACO__ZSTD_OF] = of;
            cell[TACO__ZSTD_ML] = ml;
            if (!taco__zstd_seq_read(&b, cell, value, n == 1)) {
                return TACO__ZSTD_END_BITS;
            }
            lits = value[TACO__ZSTD_LL];
            offset = value[TACO__ZSTD_OF];
            match = value[TACO__ZSTD_ML];
            ll = cell[TACO__ZSTD_LL];
            of = cell[TACO__ZSTD_OF];
            ml = cell[TACO__ZSTD_ML];
        }
        if (TACO__LIKELY(offset > 3)) {
            offset -= 3;
            older = older << 32 | rep0;
            rep0 = offset;
        } else { /* §3.1.1.5: the last three; without literals the last two and the last less 1 */
            uint32_t which = offset - (lits != 0);
            offset = rep0;
            if (which) {
                offset = which == 1   ? (uint32_t)older
                         : which == 2 ? (uint32_t)(older >> 32)
                                      : rep0 - 1;
                older = (which == 1 ? older >> 32 << 32 : older << 32) | rep0;
                rep0 = offset;
            }
        }
        /* all that memory depends on is proven here, whatever the stream said */
        if (TACO__UNLIKELY(lits > (size_t)(q->lit_end - lit))) {
            return TACO__ZSTD_END_LITERALS;
        }
        if (TACO__UNLIKELY((size_t)lits + match > (size_t)(q->end - to))) {
            return TACO__ZSTD_END_ROOM;
        }
        memcpy(to, lit, 16);
        if (TACO__UNLIKELY(lits > 16)) {
            taco__zstd_copy(to + 16, lit + 16, lits - 16);
        }
        to += lits;
        lit += lits;
        if (TACO__UNLIKELY((size_t)offset - 1 >=
                           (size_t)(to - q->frame))) { /* offset 0 wraps round */
            q->offset = offset;
            q->to = to;
            return TACO__ZSTD_END_OFFSET;
        }
        from = to - offset;
        if (TACO__LIKELY(offset >= 16)) {
            memcpy(to, from, 16);
            memcpy(to + 16, from + 16, 16);
            if (TACO__UNLIKELY(match > 32)) {
                taco__zstd_copy(to + 32, from + 32, match - 32);
            }
        } else {
            taco__zstd_copy_near(to, offset, match);
        }
        to += match;
    }
    q->lit = lit;
    q->to = to;
    q->repeat[0] = rep0;
    q->repeat[1] = (uint32_t)older;
    q->repeat[2] = (uint32_t)(older >> 32);
    return b.pos ? TACO__ZSTD_END_BITS : TACO__ZSTD_END_OK; /* not a bit may be left */
}
TACO__NOINLINE taco__zstd_end taco__zstd_run_plain(taco__zstd_run *q)
{
    return taco__zstd_run_body(q);
}
#if TACO__X86
TACO__NOINLINE TACO__TARGET("bmi,bmi2") taco__zstd_end taco__zstd_run_bmi2(taco__zstd_run *q)
{
    return taco__zstd_run_body(q);
}
#endif
TACO__FN taco__zstd_end taco__zstd_run_all(taco__zstd_run *q)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) {
        return taco__zstd_run_bmi2(q);
    }
#endif
    return taco__zstd_run_plain(q);
}

/* How many bits follow a code. Its base need not be listed: it is the base of the code before plus
   the number of values which that stands for, §3.1.1.3.2.1.1. */
static const uint8_t taco__zstd_ll_extra[36] = {0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0,
                                                0, 0, 0, 0, 1, 1,  1,  1,  2,  2,  3,  3,
                                                4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint8_t taco__zstd_ml_extra[53] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0, 0,
    0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
/* The tables of mode Predefined, §3.1.1.3.2.2 */
static const int8_t taco__zstd_ll_counts[36] = {4, 3, 2, 2, 2, 2, 2, 2, 2,  2,  2,  2,
                                                2, 1, 1, 1, 2, 2, 2, 2, 2,  2,  2,  2,
                                                2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
static const int8_t taco__zstd_ml_counts[53] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
static const int8_t taco__zstd_of_counts[29] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                                1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
/* The largest tables that a frame may describe, and the codes that exist. Offsets of 32 bits and
   more are not read: no window that is supported reaches as far. */
static const uint8_t taco__zstd_max_log[3] = {9, 8, 9};
static const uint8_t taco__zstd_codes[3] = {36, 32, 53};

/* Fills base and extra for every code of a field. */
TACO__FN void taco__zstd_values(unsigned field, uint32_t *base, uint8_t *extra)
{
    const uint8_t *bits = field == TACO__ZSTD_LL ? taco__zstd_ll_extra : taco__zstd_ml_extra;
    uint32_t       next = field == TACO__ZSTD_LL ? 0 : 3; /* the shortest match is 3 */
    unsigned       s;
    for (s = 0; s < taco__zstd_codes[field]; s++) {
        extra[s] = field == TACO__ZSTD_OF ? (uint8_t)s : bits[s];
        base[s] = field == TACO__ZSTD_OF ? 1U << s : next;
        next += 1U << extra[s];
    }
}
TACO__FN void taco__zstd_standard(taco__zstd *z)
{
    static const int8_t *const counts[3] = {taco__zstd_ll_counts, taco__zstd_of_counts,
                                            taco__zstd_ml_counts};
    static const uint8_t       symbols[3] = {36, 29, 53}, log[3] = {6, 5, 6};
    unsigned                   field, s;
    for (field = 0; field < 3 && !z->standard_ready; field++) {
        taco__zstd_counts c;
        uint32_t          base[53];
        uint8_t           extra[53];
        for (s = 0; s < symbols[field]; s++) {
            c.n[s] = counts[field][s];
        }
        c.symbols = symbols[field];
        c.log = log[field];
        taco__zstd_values(field, base, extra);
        taco__zstd_build(z->cells + 3 * 512 + 64 * field, &c, base, extra);
    }
    z->standard_ready = true;
}
/* Makes the table of one field as its mode says, §3.1.1.3.2.1, and steps over its description: 0
   predefined, 1 one code for all sequences, 2 described here, 3 the same as in the block before. */
TACO__FN bool taco__zstd_table(taco__zstd_job *j, unsigned field, unsigned mode, const uint8_t **at,
                               const uint8_t *end)
{
    static const char *const name[3] = {"literal length", "offset", "match length"};
    taco__zstd              *z = j->z;
    taco__zstd_counts        c;
    uint32_t                 base[53];
    uint8_t                  extra[53];
    size_t                   size;
    if (mode == 0) {
        z->known[field] = true;
        z->table[field] = (uint16_t)(3 * 512 + 64 * field);
        z->log[field] = field == TACO__ZSTD_OF ? 5 : 6;
        return true;
    }
    if (mode == 3) {
        if (!z->known[field]) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at,
                            "ZSTD block repeats a table of %s codes, the frame has none before",
                            name[field]);
        }
        return z->known[field];
    }
    taco__zstd_values(field, base, extra);
    z->known[field] = true;
    z->table[field] = (uint16_t)(512 * field);
    if (mode == 1) { /* one code for all, which takes no bits */
        taco__zstd_cell *one = &z->cells[512 * field];
        if (*at >= end || **at >= taco__zstd_codes[field]) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at, "ZSTD %s code %u, there are %u", name[field],
                            TACO__U(*at < end ? **at : 255), TACO__U(taco__zstd_codes[field]));
            return false;
        }
        c.log = 0;
        one->base = base[**at];
        one->extra = extra[**at];
        one->bits = 0;
        one->next = 0;
        size = 1;
    } else {
        size = taco__zstd_read_counts(&c, *at, (size_t)(end - *at), taco__zstd_codes[field],
                                      taco__zstd_max_log[field]);
        if (!size) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at, "damaged ZSTD table of %s codes",
                            name[field]);
            return false;
        }
        taco__zstd_build(z->cells + 512 * field, &c, base, extra);
    }
    z->log[field] = (uint8_t)c.log;
    *at += size;
    return true;
}

/* ---- blocks, §3.1.1.2 ---- */

TACO__INLINE size_t taco__zstd_made(const taco__zstd_job *j)
{
    return j->out->len - j->frame;
}

/* How much one more block may give: what the frame's header, the block size and the caller allow.
   It is never more than 128 KiB, and no more is reserved ahead. */
TACO__FN size_t taco__zstd_room(const taco__zstd_job *j)
{
    size_t room = j->limit - (j->out->len - j->start);
    room = TACO__MIN(room, (size_t)j->block_max);
    if (j->has_content && j->content - taco__zstd_made(j) < room) {
        room = (size_t)(j->content - taco__zstd_made(j));
    }
    return room;
}
/* Fails for a block that gives size bytes (0: an unknown number), which is more than the room. */
TACO__FN bool taco__zstd_no_room(taco__zstd_job *j, size_t size, const uint8_t *where)
{
    size_t room = taco__zstd_room(j);
    size = size ? size : room + 1;
    if (room ==
        j->block_max) { /* first what no reader accepts, then what this one was told not to */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, where,
                        "ZSTD block holds more than %u bytes, the most the frame's blocks may",
                        TACO__U(room));
    } else if (j->has_content && room == j->content - taco__zstd_made(j)) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, where, "ZSTD frame holds %u bytes, its header says %u",
                        TACO__U(taco__zstd_made(j) + size), j->content);
    } else {
        TACO__ZSTD_FAIL(j, TACO_ERR_LIMIT, where, "ZSTD data of %u bytes, limits.max_page is %u",
                        TACO__U(j->out->len - j->start + size), TACO__U(j->limit));
    }
    return false;
}
/* Makes room in out for size more bytes of a block, if it may have as many. */
TACO__FN bool taco__zstd_need(taco__zstd_job *j, size_t size, const uint8_t *where)
{
    return size <= taco__zstd_room(j) ? taco__buf_reserve(j->out, size, j->err)
                                      : taco__zstd_no_room(j, size, where);
}

typedef struct taco__zstd_literals { /* the header of a literals section, §3.1.1.3.1.1 */
    unsigned type;   /* 0 raw, 1 RLE, 2 with a Huffman tree, 3 with the tree of an earlier block */
    bool     one;    /* one stream, not four */
    size_t   size;   /* how many literals there are */
    size_t   packed; /* the bytes they take here */
    const uint8_t *data; /* those */
} taco__zstd_literals;

/* Two bits of type and two of format say how long the header is. Then come one size of 5, 12 or 20
   bits, or two of 10, 14 or 18 bits, as one little-endian number. */
TACO__FN bool taco__zstd_literals_head(taco__zstd_job *j, taco__zstd_literals *l, const uint8_t *p,
                                       size_t len)
{
    uint64_t x = 0;
    size_t   head, i;
    unsigned format = len ? p[0] >> 2 & 3U : 0;
    l->type = len ? p[0] & 3U : 0;
    if (l->type < 2) {
        head = format == 1   ? 2
               : format == 3 ? 3
                             : 1; /* formats 0 and 2 are one, of 5 bits and 3 before */
    } else {
        head = format < 2 ? 3 : format + 2;
    }
    for (i = 0; i < head && i < len; i++) {
        x |= (uint64_t)p[i] << (8 * i);
    }
    l->one = format == 0;
    if (l->type < 2) {
        l->size = (size_t)(x >> (format & 1 ? 4 : 3));
        l->packed = l->type ? 1 : l->size;
    } else {
        unsigned width = format < 2 ? 10 : format == 2 ? 14 : 18;
        l->size = (size_t)(x >> 4 & ((1U << width) - 1));
        l->packed = (size_t)(x >> (4 + width) & ((1U << width) - 1));
    }
    l->data = p + head;
    if (len < head || l->packed > len - head) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "ZSTD literals take %u bytes, the block has %u",
                        TACO__U(head + l->packed), TACO__U(len));
        return false;
    }
    return l->size <= taco__zstd_room(j) || taco__zstd_no_room(j, l->size, p);
}
/* Puts the literals at `to`, which has room for them and slack behind. */
TACO__FN bool taco__zstd_unpack_literals(taco__zstd_job *j, const taco__zstd_literals *l,
                                         uint8_t *to)
{
    taco__zstd    *z = j->z;
    const uint8_t *p = l->data;
    size_t         len = l->packed, tree = 0;
    bool           ok;
    if (l->type < 2) {
        if (l->type == 0) {
            memcpy(to, p, l->size);
        } else {
            memset(to, p[0], l->size);
        }
        return true;
    }
    if (l->type == 2) { /* the tree is part of the packed size */
        tree = taco__zstd_read_huf(z, p, len);
        if (!tree) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "damaged ZSTD Huffman tree");
            return false;
        }
    } else if (!z->huf_ready) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p,
                        "ZSTD literals without a Huffman tree, the frame has none before");
        return false;
    }
    if (l->one) {
        taco__zstd_bits b;
        ok = taco__zstd_bits_init(&b, p + tree, len - tree) &&
             taco__zstd_huf_rest(z->huf, &b, to, to + l->size);
    } else {
        ok = taco__zstd_huf_four(z->huf, p + tree, len - tree, to, l->size);
    }
    if (!ok) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p + tree,
                        "ZSTD literals do not end where their %u bytes do", TACO__U(len - tree));
    }
    return ok;
}

/* Reads the count of sequences, of 1 to 3 bytes, §3.1.1.3.2.1; false when the block ends inside
   it. */
TACO__FN bool taco__zstd_count(const uint8_t **at, const uint8_t *end, uint32_t *n)
{
    const uint8_t *p = *at;
    size_t         len = (size_t)(end - p), head;
    if (len == 0) {
        return false;
    }
    head = p[0] < 128 ? 1 : p[0] < 255 ? 2 : 3;
    if (len < head) {
        return false;
    }
    *n = head == 1   ? p[0]
         : head == 2 ? (uint32_t)(p[0] - 128) << 8 | p[1]
                     : 0x7F00U + taco__base_le16(p + 1);
    *at += head;
    return true;
}
/* Fills q with the tables and the bit stream of n sequences. At `at` is a byte of modes, two bits
   for each field from the top and two reserved, then the tables described, then the stream. */
TACO__FN bool taco__zstd_open_run(taco__zstd_job *j, taco__zstd_run *q, uint32_t n,
                                  const uint8_t *at, const uint8_t *end)
{
    taco__zstd *z = j->z;
    unsigned    field, modes;
    if (at >= end || (at[0] & 3)) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at,
                        "ZSTD sequences without a valid byte of table modes");
        return false;
    }
    modes = *at++;
    taco__zstd_standard(z);
    for (field = 0; field < 3; field++) {
        if (!taco__zstd_table(j, field, modes >> (6 - 2 * field) & 3, &at, end)) {
            return false;
        }
        q->table[field] = z->table[field];
        q->log[field] = z->log[field];
        q->repeat[field] = z->repeat[field];
    }
    q->cells = z->cells;
    q->count = n;
    q->bits = at;
    q->bits_len = (size_t)(end - at);
    return true;
}
TACO__COLD bool taco__zstd_run_failed(taco__zstd_job *j, const taco__zstd_run *q,
                                      taco__zstd_end why)
{
    if (why == TACO__ZSTD_END_ROOM) {
        return taco__zstd_no_room(j, 0, q->bits);
    }
    if (why == TACO__ZSTD_END_OFFSET) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD match at offset %u, the frame has %u bytes before it",
                        TACO__U(q->offset), TACO__U(q->to - q->frame));
    } else if (why == TACO__ZSTD_END_LITERALS) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD sequences take more literals than the block's %u", TACO__U(q->lits));
    } else {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD sequences do not end where their %u bytes do", TACO__U(q->bits_len));
    }
    return false;
}
/* A compressed block, §3.1.1.3: literals, then sequences that copy them and what was made before.
   The literals that no sequence takes are the block's end. */
TACO__FN bool taco__zstd_compressed(taco__zstd_job *j, const uint8_t *p, size_t len)
{
    taco__zstd         *z = j->z;
    taco__zstd_literals l;
    taco__zstd_run      q;
    taco__zstd_end      why;
    const uint8_t      *at, *end = p + len;
    size_t              room = taco__zstd_room(j), rest;
    uint32_t            n;
    if (!taco__zstd_literals_head(j, &l, p, len)) {
        return false;
    }
    at = l.data + l.packed;
    if (!taco__zstd_count(&at, end, &n) || (n == 0 && at != end)) {
        /* a block without sequences ends with their count */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at,
                        "ZSTD block of %u bytes does not end with its sequences", TACO__U(len));
        return false;
    }
    if (!taco__buf_reserve(j->out, n ? room : l.size, j->err)) {
        return false;
    }
    if (n == 0) { /* they are the output: no need to put them anywhere else first */
        if (!taco__zstd_unpack_literals(j, &l, j->out->data + j->out->len)) {
            return false;
        }
        j->out->len += l.size;
        return true;
    }
    q.lit = z->literals;
    if (l.type == 0 && (size_t)(j->end - l.data) >= l.size + TACO__ZSTD_SLACK) {
        q.lit = l.data; /* copies may read behind them, so they can stay where they are */
    } else if (!taco__zstd_unpack_literals(j, &l, z->literals)) {
        return false;
    }
    q.lit_end = q.lit + l.size;
    q.lits = l.size;
    q.frame = j->out->data + j->frame;
    q.to = j->out->data + j->out->len;
    q.end = q.to + room;
    if (!taco__zstd_open_run(j, &q, n, at, end)) {
        return false;
    }
    why = taco__zstd_run_all(&q);
    rest = (size_t)(q.lit_end - q.lit);
    if (why == TACO__ZSTD_END_OK && rest > (size_t)(q.end - q.to)) {
        why = TACO__ZSTD_END_ROOM;
    }
    if (why != TACO__ZSTD_END_OK) {
        return taco__zstd_run_failed(j, &q, why);
    }
    memcpy(q.to, q.lit, rest);
    j->out->len = (size_t)(q.to - j->out->data) + rest;
    memcpy(z->repeat, q.repeat, sizeof z->repeat);
    return true;
}

/* ---- frames, §3.1 ---- */

/* Fails for an input that ends inside of what begins at where. */
TACO__FN bool taco__zstd_short(taco__zstd_job *j, const char *what, size_t need,
                               const uint8_t *where)
{
    TACO__ZSTD_FAIL(j, TACO_ERR_TRUNCATED, where, "ZSTD %s takes %u bytes, %u are left", what,
                    TACO__U(need), TACO__U(j->end - where));
    return false;
}
/* The frame header behind the magic number, §3.1.1.1: a byte of flags, then a byte of window size,
   the number of a dictionary and the content size, as the flags say. */
TACO__FN bool taco__zstd_header(taco__zstd_job *j)
{
    static const uint8_t id_bytes[4] = {0, 1, 2, 4}, content_bytes[4] = {0, 2, 4, 8};
    const uint8_t       *p = j->at, *start = p;
    size_t               left = (size_t)(j->end - p), need, n, i;
    unsigned             flags = left ? p[0] : 0, single = flags >> 5 & 1;
    uint64_t             window = 0, id = 0;
    size_t               content = content_bytes[flags >> 6];
    if (content == 0 && single) { /* a single segment has a size always */
        content = 1;
    }
    n = id_bytes[flags & 3];
    need = (single ? 1 : 2) + n + content;
    if (left < need) {
        return taco__zstd_short(j, "frame header", need, start);
    }
    if (flags & 8) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, start, "ZSTD frame header sets a reserved bit");
        return false;
    }
    p++;
    if (!single) { /* §3.1.1.1.2; here the window only bounds the size of blocks */
        unsigned log = 10 + (*p >> 3);
        window = ((uint64_t)1 << log) + (((uint64_t)1 << log) >> 3) * (*p & 7);
        if (log > 31) {
            TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, p,
                            "ZSTD window of %u bytes, at most %u are supported", window,
                            TACO__U((uint64_t)15 << 28));
            return false;
        }
        p++;
    }
    for (i = 0; i < n; i++) {
        id |= (uint64_t)*p++ << (8 * i);
    }
    if (id) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, p - n, "ZSTD frame needs dictionary %u", id);
        return false;
    }
    j->content = content == 2 ? 256 : 0; /* §3.1.1.1.4 */
    for (i = 0; i < content; i++) {
        j->content += (uint64_t)*p++ << (8 * i);
    }
    j->has_content = content != 0;
    j->has_checksum = (flags & 4) != 0;
    j->block_max = (uint32_t)TACO__MIN(single ? j->content : window, (uint64_t)TACO__ZSTD_BLOCK);
    j->at = p;
    return true;
}
/* Reserves what the header promises, if the caller has not. A block takes 4 bytes and gives 128
   KiB at most, so that a few bytes cannot make this reserve much. */
TACO__FN bool taco__zstd_reserve(taco__zstd_job *j, const uint8_t *where)
{
    uint64_t most = ((uint64_t)(j->end - j->at) / 4 + 1) * TACO__ZSTD_BLOCK;
    size_t   left = j->limit - (j->out->len - j->start);
    if (!j->has_content) {
        return true;
    }
    if (j->content > left) {
        uint64_t need = j->out->len - j->start;
        need = j->content > UINT64_MAX - need ? UINT64_MAX : need + j->content;
        TACO__ZSTD_FAIL(j, TACO_ERR_LIMIT, where, "ZSTD data of %u bytes, limits.max_page is %u",
                        need, TACO__U(j->limit));
        return false;
    }
    return taco__buf_reserve(j->out, (size_t)TACO__MIN(j->content, most), j->err);
}
/* Decodes the block at j->at; *last tells whether it ends the frame. Its header has 3 bytes: 1 bit
   for the last block, 2 for the type, 21 for the size, §3.1.1.2. */
TACO__FN bool taco__zstd_block(taco__zstd_job *j, bool *last)
{
    const uint8_t *head = j->at, *p = head + 3;
    uint32_t       x;
    size_t         size, stored;
    unsigned       type;
    if (j->end - head < 3) {
        return taco__zstd_short(j, "block header", 3, head);
    }
    x = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
    *last = x & 1;
    type = x >> 1 & 3;
    size = x >> 3;
    stored = type == 1 ? 1 : size; /* a block of one repeated byte stores that byte */
    if (type == 3) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, head, "ZSTD block of reserved type 3");
        return false;
    }
    if (size > j->block_max) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, head,
                        "ZSTD block of %u bytes, the frame's blocks have at most %u", TACO__U(size),
                        TACO__U(j->block_max));
        return false;
    }
    if (stored > (size_t)(j->end - p)) {
        return taco__zstd_short(j, "block", stored, p);
    }
    j->at = p + stored;
    if (type == 2) {
        return taco__zstd_compressed(j, p, size);
    }
    if (!taco__zstd_need(j, size, head)) {
        return false;
    }
    if (type == 0) {
        memcpy(j->out->data + j->out->len, p, size);
    } else {
        memset(j->out->data + j->out->len, p[0], size);
    }
    j->out->len += size;
    return true;
}
/* A frame, its magic number just passed. No table or offset of the frame before counts. */
TACO__FN bool taco__zstd_frame(taco__zstd_job *j)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    const uint8_t        *start = j->at - 4;
    taco__xxh64           hash;
    bool                  last = false;
    j->frame = j->out->len;
    if (!taco__zstd_header(j) || !taco__zstd_reserve(j, start)) {
        return false;
    }
    memset(j->z->known, 0, sizeof j->z->known);
    j->z->huf_ready = false;
    memcpy(j->z->repeat, first, sizeof first);
    taco__xxh64_init(&hash, 0);
    while (!last) {
        size_t before = j->out->len;
        if (!taco__zstd_block(j, &last)) {
            return false;
        }
        if (j->has_checksum && j->out->len > before) { /* while the block is still in the cache */
            taco__xxh64_update(&hash, j->out->data + before, j->out->len - before);
        }
    }
    if (j->has_content && taco__zstd_made(j) != j->content) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, start, "ZSTD frame holds %u bytes, its header says %u",
                        TACO__U(taco__zstd_made(j)), j->content);
        return false;
    }
    if (j->has_checksum) { /* the low half of XXH64 with seed 0, §3.1.1 */
        uint32_t want, found = (uint32_t)taco__xxh64_digest(&hash);
        if (j->end - j->at < 4) {
            return taco__zstd_short(j, "checksum", 4, j->at);
        }
        want = taco__base_le32(j->at);
        if (want != found) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CHECKSUM, j->at, "ZSTD checksum is %x, the content has %x",
                            TACO__U(want), TACO__U(found));
            return false;
        }
        j->at += 4;
    }
    return true;
}
/* A frame of any kind: by its magic number, §3.1.1 and §3.1.2. */
TACO__FN bool taco__zstd_any_frame(taco__zstd_job *j)
{
    const uint8_t *p = j->at;
    uint32_t       magic, size;
    if (j->end - p < 4) {
        return taco__zstd_short(j, "magic number", 4, p);
    }
    magic = taco__base_le32(p);
    j->at = p + 4;
    if (magic == 0xFD2FB528U) {
        return taco__zstd_frame(j);
    }
    if ((magic & 0xFFFFFFF0U) != 0x184D2A50U) { /* skippable frames have sixteen numbers */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "not a ZSTD frame: magic number %x",
                        TACO__U(magic));
        return false;
    }
    if (j->end - p < 8) {
        return taco__zstd_short(j, "skippable frame header", 8, p);
    }
    size = taco__base_le32(p + 4);
    j->at = p + 8;
    if (size > (size_t)(j->end - j->at)) {
        return taco__zstd_short(j, "skippable frame", size, j->at);
    }
    j->at += size;
    return true;
}
/* Appends to out what all the frames of `in` hold, at most limit bytes. Nothing behind `in` is
   read. Out is best reserved by the caller, who knows the size; else it grows as blocks come. On
   failure it holds what it held before. Offsets in err count from the start of `in`. No bytes are
   no frames, which hold nothing. */
TACO__FN taco_status taco__zstd_decode(taco__zstd *z, taco_bytes in, taco__buf *out, size_t limit,
                                       taco_error *err)
{
    taco_error     own;
    taco__zstd_job j;
    memset(&j, 0, sizeof j);
    own.code = TACO_OK; /* whatever err holds already */
    j.z = z;
    j.begin = j.at = in.data;
    j.end = in.len ? in.data + in.len : in.data;
    j.out = out;
    j.start = out->len;
    j.limit = limit;
    j.err = &own;
    while (j.at < j.end) {
        if (!taco__zstd_any_frame(&j)) {
            out->len = j.start;
            if (err && err->code == TACO_OK) {
                *err = own;
            }
            return own.code;
        }
    }
    return TACO_OK;
}

/* ==== ROOM zstd_enc: encode ZSTD frames. Uses: hash mem copy huf zstd_dec. Spec: RFC 8878, cited by section ==== */

/* The mirror of zstd_dec, with its tables and constants. A level's finder cuts a block into
   sequences, "copy so many literals, then repeat so many bytes from so far back"; then the literals
   are coded with Huffman codes and the sequences with finite state codes. A block that does not
   shrink is stored as it is, so that a frame is never larger than taco__zstd_enc_bound says.

   Finders keep positions in tables, as numbers that only grow from call to call: what an earlier
   call left there is smaller than all of this one's and is passed over. So the tables need no
   clearing, and the output depends on nothing but the input, the level and the checksum flag. */

#define TACO__ZSTD_ENC_DEFAULT 3 /* the levels are 1 ... TACO__ZSTD_ENC_MOST */
#define TACO__ZSTD_ENC_MOST    19
#define TACO__ZSTD_ENC_SEQS    (TACO__ZSTD_BLOCK / 3 + 1) /* the shortest match has 3 bytes */
#define TACO__ZSTD_ENC_LEAST   16                         /* what is no longer is stored as it is */
#define TACO__ZSTD_ENC_TAIL                                                                        \
    8 /* no match begins in a block's last bytes, so that hashing may read 8 */
/* No match crosses the border between two parts: numbers of positions then fit 32 bits. */
#define TACO__ZSTD_ENC_PART ((size_t)1 << 30)

typedef enum taco__zstd_enc_kind {
    TACO__ZSTD_ENC_FAST,   /* one table of hashes */
    TACO__ZSTD_ENC_DOUBLE, /* two: of 8 bytes and of 5 */
    TACO__ZSTD_ENC_CHAIN   /* hashes and chains, with a look at the next positions */
} taco__zstd_enc_kind;

typedef struct taco__zstd_enc_level {
    uint8_t  kind;
    uint8_t  window, hash, second; /* logarithms: of the window, of the entries of both tables */
    uint8_t  width;                /* FAST: the bytes that are hashed */
    uint8_t  lazy;                 /* CHAIN: positions looked ahead, 0 to 2 */
    uint16_t tries;                /* CHAIN: candidates looked at */
} taco__zstd_enc_level;

static const taco__zstd_enc_level taco__zstd_enc_levels[TACO__ZSTD_ENC_MOST] = {
    {TACO__ZSTD_ENC_FAST, 19, 14, 0, 6, 0, 0},      {TACO__ZSTD_ENC_FAST, 20, 16, 0, 5, 0, 0},
    {TACO__ZSTD_ENC_DOUBLE, 21, 16, 16, 0, 0, 0},   {TACO__ZSTD_ENC_DOUBLE, 21, 18, 17, 0, 0, 0},
    {TACO__ZSTD_ENC_CHAIN, 21, 16, 17, 0, 0, 4},    {TACO__ZSTD_ENC_CHAIN, 21, 17, 18, 0, 1, 4},
    {TACO__ZSTD_ENC_CHAIN, 21, 17, 18, 0, 1, 8},    {TACO__ZSTD_ENC_CHAIN, 21, 18, 19, 0, 2, 8},
    {TACO__ZSTD_ENC_CHAIN, 22, 18, 19, 0, 2, 16},   {TACO__ZSTD_ENC_CHAIN, 22, 18, 20, 0, 2, 32},
    {TACO__ZSTD_ENC_CHAIN, 22, 18, 20, 0, 2, 64},   {TACO__ZSTD_ENC_CHAIN, 22, 19, 20, 0, 2, 128},
    {TACO__ZSTD_ENC_CHAIN, 22, 19, 20, 0, 2, 128},  {TACO__ZSTD_ENC_CHAIN, 22, 19, 20, 0, 2, 192},
    {TACO__ZSTD_ENC_CHAIN, 22, 19, 20, 0, 2, 256},  {TACO__ZSTD_ENC_CHAIN, 22, 19, 21, 0, 2, 384},
    {TACO__ZSTD_ENC_CHAIN, 23, 19, 21, 0, 2, 512},  {TACO__ZSTD_ENC_CHAIN, 23, 20, 22, 0, 2, 768},
    {TACO__ZSTD_ENC_CHAIN, 23, 20, 22, 0, 2, 1024},
};

typedef struct taco__zstd_enc_seq {
    uint32_t literals, match; /* match: less 3 */
    uint32_t value;           /* Offset_Value, §3.1.1.3.2.1.1 */
} taco__zstd_enc_seq;

/* A finite state coder. Of a state, (state + bits[symbol]) >> 16 bits are written; what is above
   them, and find[symbol], lead to the next. */
typedef struct taco__zstd_enc_fse {
    taco__zstd_counts c;
    uint16_t          next[512];
    uint32_t          bits[64];
    int32_t           find[64];
} taco__zstd_enc_fse;

typedef struct taco__zstd_enc_huf {
    uint32_t code[256]; /* the code << 8 and its length; 0: none */
    unsigned symbols, log;
} taco__zstd_enc_huf;

/* What is kept from call to call: one allocation, made by taco__zstd_enc_open. */
typedef struct taco__zstd_enc {
    taco__mem                  *mem;
    size_t                      size; /* of the allocation */
    const taco__zstd_enc_level *level;
    uint32_t                   *hash, *second; /* numbers of positions */
    uint32_t                    base;          /* the number of the first byte of the part, > 0 */
    uint32_t                    used;          /* the numbers given out so far end here */

    const uint8_t *src;    /* the part at hand */
    size_t         len;    /* of it */
    size_t         window; /* no match is from farther back */
    size_t         added;  /* CHAIN: positions below are in the chains */

    uint32_t           repeat[3];
    uint32_t           seqs, literals; /* how many the block has */
    taco__zstd_enc_huf huf[2];
    taco__zstd_enc_fse
             fse[3][4]; /* of each field: predefined, two that take turns, one for a single code */
    int8_t   huf_last;  /* which of huf a later block may use again, -1 none */
    uint8_t  fse_last[3];               /* and which of fse, 0 none */
    uint8_t  ll_code[64], ml_code[128]; /* codes of the lengths that are most common */
    uint32_t base_of[3][53];
    uint8_t  extra[3][53];
    taco__zstd_enc_seq seq[TACO__ZSTD_ENC_SEQS];
    uint8_t            code[3][TACO__ZSTD_ENC_SEQS];
    uint8_t            literal[TACO__ZSTD_BLOCK + TACO__ZSTD_SLACK];
    uint8_t            out[TACO__ZSTD_BLOCK + 1024 + TACO__ZSTD_SLACK]; /* the block, encoded */
} taco__zstd_enc;

/* log2(x) in 1/256, x > 0: the fraction is a parabola that is at most 0.01 away. */
TACO__INLINE uint32_t taco__zstd_enc_log2(uint32_t x)
{
    unsigned top = taco__zstd_top(x);
    uint32_t f = (uint32_t)((((uint64_t)x << 8) >> top) & 255);
    return (top << 8) + f + (f * (256 - f) * 88 >> 16);
}

/* ---- finite state codes, §4.1 ---- */

/* Fills f for the counts in f->c: the walk of taco__zstd_build, and for each symbol its states in
   order. */
TACO__FN void taco__zstd_enc_build(taco__zstd_enc_fse *f)
{
    const taco__zstd_counts *c = &f->c;
    uint16_t                 first[64];
    uint8_t                  symbol[512];
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    unsigned total = 0;
    for (s = 0; s < c->symbols; s++) {
        unsigned n = c->n[s] < 0 ? 1U : (unsigned)c->n[s];
        if (c->n[s] < 0) {
            symbol[--high] = (uint8_t)s;
        }
        first[s] = (uint16_t)total;
        f->find[s] = (int32_t)total - (int32_t)n;
        if (n) { /* n << most is the least state that gives `most` bits away and not one less */
            unsigned most = c->log - (n > 1 ? taco__zstd_top(n - 1) : 0);
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
/* The state to begin with, for the symbol that the decoder gets last */
TACO__INLINE uint32_t taco__zstd_enc_first(const taco__zstd_enc_fse *f, unsigned s)
{
    unsigned bits = (f->bits[s] + 0x8000U) >> 16;
    uint32_t least = (bits << 16) - f->bits[s];
    return f->next[(int32_t)(least >> bits) + f->find[s]];
}
TACO__INLINE void taco__zstd_enc_step(taco__huf_bits *b, const taco__zstd_enc_fse *f,
                                      uint32_t *state, unsigned s)
{
    unsigned bits = (*state + f->bits[s]) >> 16;
    taco__huf_put(b, *state & ((1U << bits) - 1), bits);
    *state = f->next[(int32_t)(*state >> bits) + f->find[s]];
}
/* Deals 1 << log cells out to symbols that were seen `seen` times, `total` together: to each that
   was seen at least one. log is chosen here, at most max_log. */
TACO__FN void taco__zstd_enc_normalize(taco__zstd_counts *c, const uint32_t *seen, unsigned symbols,
                                       uint32_t total, unsigned max_log)
{
    unsigned s, used = 0, log;
    int32_t  left;
    c->symbols = 0;
    for (s = 0; s < symbols; s++) {
        used += seen[s] > 0;
        c->symbols = seen[s] ? s + 1 : c->symbols;
    }
    log =
        total > 128 ? taco__zstd_top(total - 1) - 2 : 5; /* more precision is not worth its bytes */
    log = TACO__MAX(log, taco__zstd_top(used) + 1);
    c->log = log = TACO__MAX(5U, TACO__MIN(log, max_log));
    left = (int32_t)1 << log;
    for (s = 0; s < c->symbols; s++) {
        uint32_t n = (uint32_t)((((uint64_t)seen[s] << (log + 1)) / total + 1) >> 1);
        c->n[s] = (int16_t)(seen[s] ? TACO__MAX(n, 1U) : 0);
        left -= c->n[s];
    }
    while (left) { /* one cell more or less where it saves the most or costs the least */
        uint64_t best = 0, x;
        unsigned at = 0;
        for (s = 0; s < c->symbols; s++) {
            if (left > 0 && seen[s]) {
                x = ((uint64_t)seen[s] << 20) / (2U * (unsigned)c->n[s] + 1);
            } else if (left < 0 && c->n[s] > 1) {
                x = UINT64_MAX - ((uint64_t)seen[s] << 20) / (2U * (unsigned)c->n[s] - 1);
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
    for (s = 0; s < c->symbols && total >= 2048; s++) { /* the rare ones to the end of the table */
        c->n[s] = (int16_t)(c->n[s] == 1 ? -1 : c->n[s]);
    }
}
/* Describes a table, as taco__zstd_read_counts reads it; returns the end. 53 counts take less than
   80 bytes, which there is room for. */
TACO__FN uint8_t *taco__zstd_enc_write_counts(uint8_t *at, const taco__zstd_counts *c)
{
    taco__huf_bits b = taco__huf_bits_make(at, at + 96);
    unsigned       left = 1U << c->log, s = 0;
    taco__huf_put(&b, c->log - 5, 4);
    while (left && s < c->symbols) {
        unsigned width = taco__zstd_top(left + 1) + 1, spare = (1U << width) - 2 - left;
        unsigned half = 1U << (width - 1), x = (unsigned)(c->n[s] + 1), zeros = 0;
        left -= x == 0 ? 1 : x - 1;
        taco__huf_put(&b, x < half ? x : x + spare, x < spare ? width - 1 : width);
        taco__huf_flush(&b);
        s++;
        if (x != 1) {
            continue;
        }
        while (s < c->symbols && c->n[s] == 0) {
            zeros++;
            s++;
        }
        for (; zeros >= 3; zeros -= 3) {
            taco__huf_put(&b, 3, 2);
            taco__huf_flush(&b);
        }
        taco__huf_put(&b, zeros, 2);
        taco__huf_flush(&b);
    }
    if (b.held) {
        *b.at++ = (uint8_t)b.word;
    }
    return b.at;
}
/* What symbols cost with a table, in 1/256 bit; UINT64_MAX when it lacks one of them. */
TACO__FN uint64_t taco__zstd_enc_cost(const taco__zstd_counts *c, const uint32_t *seen,
                                      unsigned symbols)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < symbols; s++) {
        if (seen[s] == 0) {
            continue;
        }
        if (s >= c->symbols || c->n[s] == 0) {
            return UINT64_MAX;
        }
        sum += (uint64_t)seen[s] *
               ((c->log << 8) - taco__zstd_enc_log2(c->n[s] < 0 ? 1U : (uint32_t)c->n[s]));
    }
    return sum;
}

/* ---- Huffman codes, §4.2 ---- */

/* Makes the codes for 256 counts, of which two or more are not zero. Codes are given out from the
   longest, and among equals by symbol, §4.2.1.3. */
TACO__FN void taco__zstd_enc_huf_make(taco__zstd_enc_huf *h, const uint32_t *seen)
{
    uint32_t first[TACO__ZSTD_HUF_BITS + 2] = {0}, next = 0;
    uint8_t  length[256];
    unsigned s, i;
    taco__huf_lengths(length, seen, 256, TACO__ZSTD_HUF_BITS);
    h->log = 0;
    for (s = 0; s < 256; s++) {
        first[length[s]]++;
        h->symbols = length[s] ? s + 1 : h->symbols;
        h->log = TACO__MAX(h->log, length[s]);
    }
    for (i = TACO__ZSTD_HUF_BITS; i > 0; i--) {
        uint32_t n = first[i];
        first[i] = next;
        next = (next + n) >> 1;
    }
    for (s = 0; s < 256; s++) {
        unsigned n = length[s];
        h->code[s] = n ? first[n]++ << 8 | n : 0;
    }
}
/* The bits that symbols take with these codes; UINT64_MAX when one has none. */
TACO__FN uint64_t taco__zstd_enc_huf_cost(const taco__zstd_enc_huf *h, const uint32_t *seen)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < 256; s++) {
        if (seen[s] && !h->code[s]) {
            return UINT64_MAX;
        }
        sum += (uint64_t)seen[s] * (h->code[s] & 255);
    }
    return sum;
}
/* Weights packed by a finite state code, as taco__zstd_packed_weights reads them: two states take
   turns. Returns the bytes, 0 when there is nothing to choose between or they are 128 or more. `to` has room
   for 300. */
TACO__FN size_t taco__zstd_enc_pack_weights(uint8_t *to, const uint8_t *weight, unsigned n)
{
    taco__zstd_enc_fse f;
    taco__huf_bits     b;
    uint32_t           seen[13] = {0}, state[2] = {0, 0};
    unsigned           i, most = 0;
    size_t             size;
    uint8_t           *end;
    for (i = 0; i < n; i++) {
        most = TACO__MAX(most, ++seen[weight[i]]);
    }
    if (n < 2 || most == n || most == 1) {
        return 0;
    }
    taco__zstd_enc_normalize(&f.c, seen, 13, n, 6);
    taco__zstd_enc_build(&f);
    b = taco__huf_bits_make(taco__zstd_enc_write_counts(to, &f.c), to + 290);
    for (i = n; i-- > 0;) {
        if (i + 2 >= n) {
            state[i & 1] = taco__zstd_enc_first(&f, weight[i]);
        } else {
            taco__zstd_enc_step(&b, &f, &state[i & 1], weight[i]);
            taco__huf_flush(&b);
        }
    }
    taco__huf_put(&b, state[1] & ((1U << f.c.log) - 1), f.c.log);
    taco__huf_put(&b, state[0] & ((1U << f.c.log) - 1), f.c.log);
    end = taco__huf_bits_end(&b);
    size = end ? (size_t)(end - to) : 0;
    return size < 128 ? size : 0;
}
/* Describes the codes, §4.2.1.1; returns the bytes, 0 when that is not possible. `to` has room for 301. */
TACO__FN size_t taco__zstd_enc_huf_write(uint8_t *to, const taco__zstd_enc_huf *h)
{
    uint8_t  weight[256];
    unsigned i, n = h->symbols - 1; /* the last is left out */
    size_t   size;
    for (i = 0; i < n; i++) {
        unsigned bits = h->code[i] & 255;
        weight[i] = (uint8_t)(bits ? h->log + 1 - bits : 0);
    }
    weight[n] = 0;
    size = taco__zstd_enc_pack_weights(to + 1, weight, n);
    if (size && (n > 128 || size < (n + 1) / 2)) {
        to[0] = (uint8_t)size;
        return size + 1;
    }
    if (n > 128) {
        return 0;
    }
    to[0] = (uint8_t)(127 + n);
    for (i = 0; i < n; i += 2) {
        to[1 + i / 2] = (uint8_t)(weight[i] << 4 | weight[i + 1]);
    }
    return 1 + (n + 1) / 2;
}
/* One stream of n literals, from the last to the first */
TACO__FN uint8_t *taco__zstd_enc_stream(uint8_t *at, uint8_t *stop, const uint32_t *code,
                                        const uint8_t *p, size_t n)
{
    taco__huf_bits b = taco__huf_bits_make(at, stop);
    for (; n % 5; n--) {
        taco__huf_put(&b, code[p[n - 1]] >> 8, code[p[n - 1]] & 255);
    }
    taco__huf_flush(&b);
    for (; n; n -= 5) { /* 55 bits at most */
        uint32_t c0 = code[p[n - 1]], c1 = code[p[n - 2]], c2 = code[p[n - 3]];
        uint32_t c3 = code[p[n - 4]], c4 = code[p[n - 5]];
        taco__huf_put(&b, c0 >> 8, c0 & 255);
        taco__huf_put(&b, c1 >> 8, c1 & 255);
        taco__huf_put(&b, c2 >> 8, c2 & 255);
        taco__huf_put(&b, c3 >> 8, c3 & 255);
        taco__huf_put(&b, c4 >> 8, c4 & 255);
        taco__huf_flush(&b);
    }
    return taco__huf_bits_end(&b);
}

/* ---- literals, §3.1.1.3.1 ---- */

/* Counts bytes, in four tables, as a count that is read right after it was written has to wait. */
TACO__FN void taco__zstd_enc_count(uint32_t *seen, const uint8_t *p, size_t n)
{
    uint32_t part[4][256];
    size_t   i = 0;
    memset(part, 0, sizeof part);
    for (; n - i >= 8; i += 8) {
        uint64_t x = taco__base_le64(p + i);
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
        seen[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
}
/* A section of literals as they are (type 0), or of one literal n times (type 1) */
TACO__FN uint8_t *taco__zstd_enc_plain(uint8_t *at, unsigned type, const uint8_t *p, size_t n)
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
    if (type == 1) {
        *at++ = p[0];
    }
    return at;
}
/* Writes n coded literals behind a header of `head` bytes at `at`, and the header; returns the end,
   NULL when it is not less than n. `tree`: the description, 0 bytes when the last block's codes
   are meant. */
TACO__FN uint8_t *taco__zstd_enc_coded(uint8_t *at, const taco__zstd_enc_huf *h,
                                       const uint8_t *tree, size_t tree_size, const uint8_t *p,
                                       size_t n)
{
    const bool one = n < 256;
    unsigned   width = n < 1024 ? 10 : n < 16384 ? 14 : 18, k;
    size_t     head = width == 10 ? 3 : width == 14 ? 4 : 5, part = (n + 3) / 4, size;
    uint8_t   *to = at + head, *stop = at + head + n, *sizes, *next;
    uint64_t   x;
    if (tree_size) {
        memcpy(to, tree, tree_size);
    }
    to += tree_size;
    sizes = to;
    to = one ? to : to + 6;
    for (k = 0; k < (one ? 1 : 4); k++) {
        next = taco__zstd_enc_stream(to, stop, h->code, one ? p : p + k * part,
                                     one      ? n
                                     : k == 3 ? n - 3 * part
                                              : part);
        if (!next) {
            return NULL;
        }
        if (!one && k < 3) {
            sizes[2 * k] = (uint8_t)(next - to);
            sizes[2 * k + 1] = (uint8_t)((size_t)(next - to) >> 8);
        }
        to = next;
    }
    size = (size_t)(to - at) - head;
    if (size >= n) {
        return NULL;
    }
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
/* Writes the literals of the block at hand in the form that takes the fewest bytes. *huf becomes the codes that
   the next block may use again. */
TACO__FN uint8_t *taco__zstd_enc_literals(taco__zstd_enc *e, uint8_t *at, int8_t *huf)
{
    const uint8_t      *p = e->literal;
    size_t              n = e->literals, tree_size, i;
    uint32_t            seen[256], most = 0;
    taco__zstd_enc_huf *fresh = &e->huf[e->huf_last == 0];
    uint64_t            again = UINT64_MAX, cost;
    uint8_t             tree[320], *end;
    if (n < 16) {
        return taco__zstd_enc_plain(at, 0, p, n);
    }
    taco__zstd_enc_count(seen, p, n);
    for (i = 0; i < 256; i++) {
        most = TACO__MAX(most, seen[i]);
    }
    if (most == n) {
        return taco__zstd_enc_plain(at, 1, p, n);
    }
    if (e->huf_last >= 0) {
        again = taco__zstd_enc_huf_cost(&e->huf[e->huf_last], seen);
    }
    if (most <= (n >> 7) + 4 && again == UINT64_MAX) { /* as good as even */
        return taco__zstd_enc_plain(at, 0, p, n);
    }
    taco__zstd_enc_huf_make(fresh, seen);
    tree_size = taco__zstd_enc_huf_write(tree, fresh);
    cost = tree_size ? taco__zstd_enc_huf_cost(fresh, seen) + 8 * tree_size : UINT64_MAX;
    if (TACO__MIN(cost, again) / 8 + n / 64 + 12 >= n) { /* too little to be worth the decoding */
        return taco__zstd_enc_plain(at, 0, p, n);
    }
    if (again <= cost) {
        end = taco__zstd_enc_coded(at, &e->huf[e->huf_last], NULL, 0, p, n);
    } else {
        end = taco__zstd_enc_coded(at, fresh, tree, tree_size, p, n);
        *huf = end ? (int8_t)(fresh - e->huf) : *huf;
    }
    return end ? end : taco__zstd_enc_plain(at, 0, p, n);
}

/* ---- sequences, §3.1.1.3.2 ---- */

/* Finds the codes of all the sequences and counts them. */
TACO__FN void taco__zstd_enc_codes(taco__zstd_enc *e, uint32_t (*seen)[64])
{
    uint32_t i;
    memset(seen, 0, 3 * sizeof seen[0]);
    for (i = 0; i < e->seqs; i++) {
        const taco__zstd_enc_seq *s = &e->seq[i];
        unsigned ll = s->literals < 64 ? e->ll_code[s->literals] : taco__zstd_top(s->literals) + 19;
        unsigned ml = s->match < 128 ? e->ml_code[s->match] : taco__zstd_top(s->match) + 36;
        unsigned of = taco__zstd_top(s->value);
        e->code[TACO__ZSTD_LL][i] = (uint8_t)ll;
        e->code[TACO__ZSTD_OF][i] = (uint8_t)of;
        e->code[TACO__ZSTD_ML][i] = (uint8_t)ml;
        seen[TACO__ZSTD_LL][ll]++;
        seen[TACO__ZSTD_OF][of]++;
        seen[TACO__ZSTD_ML][ml]++;
    }
}
/* Chooses the table of a field, §3.1.1.3.2.1, and writes its description; returns the end. *mode becomes
   the mode, *use the table in e->fse[field] (none for one code). */
TACO__FN uint8_t *taco__zstd_enc_choose(taco__zstd_enc *e, unsigned field, const uint32_t *seen,
                                        uint8_t *at, unsigned *mode, uint8_t *use)
{
    unsigned            last = e->fse_last[field], fresh = last == 1 ? 2 : 1;
    taco__zstd_enc_fse *f = &e->fse[field][fresh];
    unsigned            symbols = taco__zstd_codes[field];
    const unsigned      first = e->code[field][0];
    uint64_t            standard, again = UINT64_MAX, cost;
    uint8_t            *end;
    if (seen[first] == e->seqs && e->seqs > 2) {
        *mode = 1;
        *use = 3;
        *at++ = (uint8_t)first;
        return at;
    }
    standard = taco__zstd_enc_cost(&e->fse[field][0].c, seen, symbols);
    if (last) {
        again = taco__zstd_enc_cost(&e->fse[field][last].c, seen, symbols);
    }
    if (seen[first] == e->seqs) { /* a table of one symbol cannot be described */
        cost = UINT64_MAX;
        end = at;
    } else {
        taco__zstd_enc_normalize(&f->c, seen, symbols, e->seqs, taco__zstd_max_log[field]);
        cost = taco__zstd_enc_cost(&f->c, seen, symbols);
        end = taco__zstd_enc_write_counts(at, &f->c);
        cost += (uint64_t)(end - at) * 8 * 256;
    }
    if (standard == UINT64_MAX && again == UINT64_MAX && cost == UINT64_MAX) {
        *mode = 1;
        *use = 3;
        *at++ = (uint8_t)first;
        return at;
    }
    if (again <= cost && again <= standard) {
        *mode = 3;
        *use = (uint8_t)last;
        return at;
    }
    if (standard <= cost) {
        *mode = 0;
        *use = 0;
        return at;
    }
    taco__zstd_enc_build(f);
    *mode = 2;
    *use = (uint8_t)fresh;
    return end;
}
/* The bit stream: the decoder reads the three states and then, for each sequence, the further bits of
   offset, match and literals and those of the next states of literals, match and offset. All of it is
   written in the opposite order, from the last sequence to the first. At most 26 bits of states,
   63 of lengths and offset. */
TACO__FN uint8_t *taco__zstd_enc_run(taco__zstd_enc *e, const taco__zstd_enc_fse *const *f,
                                     uint8_t *at, uint8_t *stop)
{
    taco__huf_bits b = taco__huf_bits_make(at, stop);
    uint32_t       ll = 0, of = 0, ml = 0, i;
    for (i = e->seqs; i-- > 0;) {
        const taco__zstd_enc_seq *s = &e->seq[i];
        const unsigned            lc = e->code[TACO__ZSTD_LL][i], mc = e->code[TACO__ZSTD_ML][i];
        const unsigned            oc = e->code[TACO__ZSTD_OF][i];
        const unsigned lb = e->extra[TACO__ZSTD_LL][lc], mb = e->extra[TACO__ZSTD_ML][mc];
        if (i + 1 == e->seqs) {
            of = taco__zstd_enc_first(f[TACO__ZSTD_OF], oc);
            ml = taco__zstd_enc_first(f[TACO__ZSTD_ML], mc);
            ll = taco__zstd_enc_first(f[TACO__ZSTD_LL], lc);
        } else {
            taco__zstd_enc_step(&b, f[TACO__ZSTD_OF], &of, oc);
            taco__zstd_enc_step(&b, f[TACO__ZSTD_ML], &ml, mc);
            taco__zstd_enc_step(&b, f[TACO__ZSTD_LL], &ll, lc);
        }
        if (TACO__UNLIKELY(lb + mb + oc > 30)) { /* 7 + 26 + 30 bits fit */
            taco__huf_flush(&b);
            taco__huf_put(&b, s->literals - e->base_of[TACO__ZSTD_LL][lc], lb);
            taco__huf_put(&b, s->match + 3 - e->base_of[TACO__ZSTD_ML][mc], mb);
            taco__huf_flush(&b);
        } else {
            taco__huf_put(&b, s->literals - e->base_of[TACO__ZSTD_LL][lc], lb);
            taco__huf_put(&b, s->match + 3 - e->base_of[TACO__ZSTD_ML][mc], mb);
        }
        taco__huf_put(&b, s->value - (1U << oc), oc);
        taco__huf_flush(&b);
    }
    taco__huf_put(&b, ml & ((1U << f[TACO__ZSTD_ML]->c.log) - 1), f[TACO__ZSTD_ML]->c.log);
    taco__huf_put(&b, of & ((1U << f[TACO__ZSTD_OF]->c.log) - 1), f[TACO__ZSTD_OF]->c.log);
    taco__huf_put(&b, ll & ((1U << f[TACO__ZSTD_LL]->c.log) - 1), f[TACO__ZSTD_LL]->c.log);
    taco__huf_flush(&b);
    return taco__huf_bits_end(&b);
}

/* ---- finders ---- */

/* The Offset_Value of a distance, and what it makes of the last three distances, §3.1.1.5. After no
   literals the first of them is not among the three values, but the one less than it is. */
TACO__INLINE uint32_t taco__zstd_enc_value(uint32_t *repeat, uint32_t literals, uint32_t distance)
{
    uint32_t value = distance + 3, none = literals == 0;
    if (distance == repeat[0] && !none) {
        return 1;
    }
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
/* Adds the sequence of a match at `at` of `match` >= 3 bytes, whose literals begin at `anchor`. A block's
   sequences are proven to fit: each stands for 3 bytes of it at least. */
TACO__INLINE void taco__zstd_enc_push(taco__zstd_enc *e, size_t anchor, size_t at, size_t match,
                                      size_t distance)
{
    taco__zstd_enc_seq *s = &e->seq[e->seqs++];
    const size_t        n = at - anchor;
    uint8_t            *to = e->literal + e->literals;
    if (TACO__LIKELY(e->len - at >= TACO__ZSTD_SLACK)) {
        taco__zstd_copy(to, e->src + anchor, n);
    } else {
        memcpy(to, e->src + anchor, n);
    }
    e->literals += (uint32_t)n;
    s->literals = (uint32_t)n;
    s->match = (uint32_t)match - 3;
    s->value = taco__zstd_enc_value(e->repeat, s->literals, (uint32_t)distance);
}
/* A hash of the first `width` of 8 bytes */
TACO__INLINE uint32_t taco__zstd_enc_hash(const uint8_t *p, unsigned width, unsigned log)
{
    return (uint32_t)((taco__base_le64(p) << (64 - 8 * width)) * TACO__XXH_P1 >> (64 - log));
}
/* True when the 4 bytes at i stand `distance` before, within the part and the window, too. */
TACO__INLINE bool taco__zstd_enc_again(const taco__zstd_enc *e, size_t i, uint32_t distance)
{
    return distance <= TACO__MIN(i, e->window) &&
           taco__base_le32(e->src + i) == taco__base_le32(e->src + i - distance);
}
/* True when m, which a table gave as a number of a position, is a position before i, is not too far
   away and begins with the same 4 bytes. */
TACO__INLINE bool taco__zstd_enc_good(const taco__zstd_enc *e, size_t i, size_t m)
{
    return m < i && i - m <= e->window &&
           taco__base_le32(e->src + i) == taco__base_le32(e->src + m);
}
/* Steps a match at *i from m back, over bytes that are the same before both. */
TACO__INLINE size_t taco__zstd_enc_back(const uint8_t *src, size_t anchor, size_t *i, size_t m)
{
    size_t n = 0;
    while (*i > anchor && m > 0 && src[*i - 1] == src[m - 1]) {
        --*i;
        --m;
        n++;
    }
    return n;
}

/* FAST: each position replaces the one before with the same hash. What did not match for long is
   looked at in wider and wider steps. Returns where the last literals begin. */
TACO__INLINE size_t taco__zstd_enc_fast_body(taco__zstd_enc *e, size_t i, size_t end,
                                             const unsigned width)
{
    const uint8_t *src = e->src;
    uint32_t      *table = e->hash;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash;
    const size_t   stop = end - TACO__ZSTD_ENC_TAIL;
    size_t         anchor = i;
    while (i < stop) {
        uint32_t h = taco__zstd_enc_hash(src + i, width, log), distance = e->repeat[0];
        size_t   m = (uint32_t)(table[h] - base), n;
        table[h] = base + (uint32_t)i;
        if (taco__zstd_enc_again(e, i + 1, distance)) {
            i++;
            n = 4 + taco__copy_same(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_enc_good(e, i, m)) {
            distance = (uint32_t)(i - m);
            n = 4 + taco__copy_same(src + m + 4, src + i + 4, src + end);
            n += taco__zstd_enc_back(src, anchor, &i, m);
        } else {
            i += 1 + ((i - anchor) >> 7);
            continue;
        }
        taco__zstd_enc_push(e, anchor, i, n, distance);
        i += n;
        if (i < stop) { /* two positions of the match, then matches that follow at once */
            table[taco__zstd_enc_hash(src + i - n + 2, width, log)] = base + (uint32_t)(i - n + 2);
            table[taco__zstd_enc_hash(src + i - 2, width, log)] = base + (uint32_t)(i - 2);
        }
        while (i < stop && taco__zstd_enc_again(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__copy_same(src + i + 4 - distance, src + i + 4, src + end);
            table[taco__zstd_enc_hash(src + i, width, log)] = base + (uint32_t)i;
            taco__zstd_enc_push(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}
TACO__NOINLINE size_t taco__zstd_enc_fast5(taco__zstd_enc *e, size_t i, size_t end)
{
    return taco__zstd_enc_fast_body(e, i, end, 5);
}
TACO__NOINLINE size_t taco__zstd_enc_fast6(taco__zstd_enc *e, size_t i, size_t end)
{
    return taco__zstd_enc_fast_body(e, i, end, 6);
}

/* DOUBLE: a match of 8 bytes is preferred to one of 5, also if it begins one byte later. */
TACO__NOINLINE size_t taco__zstd_enc_double(taco__zstd_enc *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    uint32_t      *wide = e->hash, *narrow = e->second;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash, log2 = e->level->second;
    const size_t   stop = end - TACO__ZSTD_ENC_TAIL;
    size_t         anchor = i;
    while (i < stop) {
        uint32_t hw = taco__zstd_enc_hash(src + i, 8, log);
        uint32_t hn = taco__zstd_enc_hash(src + i, 5, log2), distance = e->repeat[0];
        size_t   m = (uint32_t)(wide[hw] - base), k = (uint32_t)(narrow[hn] - base), n;
        wide[hw] = narrow[hn] = base + (uint32_t)i;
        if (taco__zstd_enc_again(e, i + 1, distance)) {
            i++;
            n = 4 + taco__copy_same(src + i + 4 - distance, src + i + 4, src + end);
        } else if (m < i && i - m <= e->window &&
                   taco__base_le64(src + i) == taco__base_le64(src + m)) {
            distance = (uint32_t)(i - m);
            n = 8 + taco__copy_same(src + m + 8, src + i + 8, src + end);
            n += taco__zstd_enc_back(src, anchor, &i, m);
        } else if (taco__zstd_enc_good(e, i, k)) {
            hw = taco__zstd_enc_hash(src + i + 1, 8, log);
            m = (uint32_t)(wide[hw] - base);
            wide[hw] = base + (uint32_t)(i + 1);
            if (m <= i && i + 1 - m <= e->window &&
                taco__base_le64(src + i + 1) == taco__base_le64(src + m)) {
                i++;
                k = m;
            }
            distance = (uint32_t)(i - k);
            n = 4 + taco__copy_same(src + k + 4, src + i + 4, src + end);
            n += taco__zstd_enc_back(src, anchor, &i, k);
        } else {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        taco__zstd_enc_push(e, anchor, i, n, distance);
        i += n;
        if (i < stop) {
            wide[taco__zstd_enc_hash(src + i - n + 2, 8, log)] = base + (uint32_t)(i - n + 2);
            narrow[taco__zstd_enc_hash(src + i - n + 2, 5, log2)] = base + (uint32_t)(i - n + 2);
            wide[taco__zstd_enc_hash(src + i - 2, 8, log)] = base + (uint32_t)(i - 2);
            narrow[taco__zstd_enc_hash(src + i - 1, 5, log2)] = base + (uint32_t)(i - 1);
        }
        while (i < stop && taco__zstd_enc_again(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__copy_same(src + i + 4 - distance, src + i + 4, src + end);
            wide[taco__zstd_enc_hash(src + i, 8, log)] = base + (uint32_t)i;
            narrow[taco__zstd_enc_hash(src + i, 5, log2)] = base + (uint32_t)i;
            taco__zstd_enc_push(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* CHAIN: of each position, the one before with the same hash of 4 bytes. `second` is a ring, and a
   chain ends where it was written over. Returns the length of the best match at i, and 3 for none. */
TACO__FN size_t taco__zstd_enc_chain(taco__zstd_enc *e, size_t i, size_t end, size_t *distance)
{
    const uint8_t *src = e->src;
    const uint32_t base = e->base, mask = (1U << e->level->second) - 1;
    const size_t   farthest = TACO__MIN(e->window, (size_t)mask);
    size_t         best = 3, m, before = i;
    unsigned       tries = e->level->tries;
    for (; e->added < i; e->added++) {
        uint32_t *head = &e->hash[taco__zstd_enc_hash(src + e->added, 4, e->level->hash)];
        e->second[(base + (uint32_t)e->added) & mask] = *head;
        *head = base + (uint32_t)e->added;
    }
    m = (uint32_t)(e->hash[taco__zstd_enc_hash(src + i, 4, e->level->hash)] - base);
    for (; tries && m < before && i - m <= farthest; tries--) {
        if (i + best < end &&
            taco__base_le32(src + m + best - 3) == taco__base_le32(src + i + best - 3)) {
            size_t n = taco__copy_same(src + m, src + i, src + end);
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
/* What a match saves, in quarters of a byte: a near one is cheaper to write. */
TACO__INLINE int32_t taco__zstd_enc_gain(size_t match, size_t distance)
{
    return (int32_t)match * 4 - (int32_t)taco__zstd_top((uint32_t)distance + 1);
}
/* The best match at i, one with the last distance included, if it gains more than *best at *at, which
   has to be beaten by `lead`. */
TACO__INLINE bool taco__zstd_enc_better(taco__zstd_enc *e, size_t i, size_t end, int32_t lead,
                                        size_t *at, size_t *best, size_t *distance)
{
    const uint32_t last = e->repeat[0];
    const int32_t  have = taco__zstd_enc_gain(*best, *distance) + lead;
    size_t         n, d = 0;
    bool           found = false;
    int32_t        gain = have;
    if (taco__zstd_enc_again(e, i, last)) {
        n = 4 + taco__copy_same(e->src + i + 4 - last, e->src + i + 4, e->src + end);
        if ((int32_t)n * 4 - 1 > gain) {
            gain = (int32_t)n * 4 - 1;
            *at = i;
            *best = n;
            *distance = last;
            found = true;
        }
    }
    n = taco__zstd_enc_chain(e, i, end, &d);
    if (n > 3 && taco__zstd_enc_gain(n, d) > gain) {
        *at = i;
        *best = n;
        *distance = d;
        found = true;
    }
    return found;
}
TACO__NOINLINE size_t taco__zstd_enc_lazy(taco__zstd_enc *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    const size_t   stop = end - TACO__ZSTD_ENC_TAIL;
    size_t         anchor = i;
    while (i < stop) {
        size_t   at = i, best = 0, distance = 1, n;
        unsigned ahead = 0;
        if (!taco__zstd_enc_better(e, i, end, 0, &at, &best, &distance) &&
            !(i + 1 < stop && taco__zstd_enc_again(e, i + 1, e->repeat[0]) &&
              taco__zstd_enc_better(e, i + 1, end, 0, &at, &best, &distance))) {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        i = at;
        while (ahead < e->level->lazy && i + 1 < stop) { /* does it pay to begin later? */
            ahead++;
            i++;
            if (taco__zstd_enc_better(e, i, end, ahead == 1 ? 4 : 7, &at, &best, &distance)) {
                ahead = 0;
            }
        }
        n = at - distance;
        best += taco__zstd_enc_back(src, anchor, &at, n);
        taco__zstd_enc_push(e, anchor, at, best, distance);
        i = at + best;
        while (i < stop && taco__zstd_enc_again(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__copy_same(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_enc_push(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* ---- blocks and frames, §3.1.1 ---- */

/* Cuts the block [from, from + n) of the part into sequences and literals. */
TACO__FN void taco__zstd_enc_find(taco__zstd_enc *e, size_t from, size_t n)
{
    size_t end = from + n, anchor = from, left;
    e->seqs = e->literals = 0;
    switch (e->level->kind) {
    case TACO__ZSTD_ENC_FAST:
        anchor = e->level->width == 5 ? taco__zstd_enc_fast5(e, from, end)
                                      : taco__zstd_enc_fast6(e, from, end);
        break;
    case TACO__ZSTD_ENC_DOUBLE: anchor = taco__zstd_enc_double(e, from, end); break;
    default: anchor = taco__zstd_enc_lazy(e, from, end); break;
    }
    left = end - anchor;
    memcpy(e->literal + e->literals, e->src + anchor, left);
    e->literals += (uint32_t)left;
}
/* Encodes the sequences and literals at hand into e->out; returns the bytes, 0 when they are no
   fewer than n. Only then is what later blocks may use again unchanged. */
TACO__FN size_t taco__zstd_enc_pack(taco__zstd_enc *e, size_t n)
{
    uint8_t                  *at, *modes, *stop = e->out + TACO__ZSTD_BLOCK + 512;
    const taco__zstd_enc_fse *f[3];
    uint32_t                  seen[3][64];
    int8_t                    huf = e->huf_last;
    uint8_t                   use[3] = {0, 0, 0};
    unsigned                  field, mode = 0;
    at = taco__zstd_enc_literals(e, e->out, &huf);
    if (e->seqs < 128) {
        *at++ = (uint8_t)e->seqs;
    } else if (e->seqs < 0x7F00) {
        *at++ = (uint8_t)(128 + (e->seqs >> 8));
        *at++ = (uint8_t)e->seqs;
    } else {
        *at++ = 255;
        *at++ = (uint8_t)(e->seqs - 0x7F00);
        *at++ = (uint8_t)((e->seqs - 0x7F00) >> 8);
    }
    if (e->seqs) {
        taco__zstd_enc_codes(e, seen);
        modes = at++;
        *modes = 0;
        for (field = 0; field < 3; field++) {
            at = taco__zstd_enc_choose(e, field, seen[field], at, &mode, &use[field]);
            *modes = (uint8_t)(*modes | mode << (6 - 2 * field));
            f[field] = &e->fse[field][use[field]];
        }
        at = taco__zstd_enc_run(e, f, at, stop);
    }
    if (!at || (size_t)(at - e->out) >= n) {
        return 0;
    }
    e->huf_last = huf;
    for (field = 0; field < 3 && e->seqs; field++) {
        e->fse_last[field] = (uint8_t)(use[field] % 3);
    }
    return (size_t)(at - e->out);
}
/* Writes the block [from, from + n) of the part at dst, as it is if it does not shrink. False when
   it takes more than `cap` bytes; *size is what it takes. */
TACO__FN bool taco__zstd_enc_block(taco__zstd_enc *e, size_t from, size_t n, bool last, bool first,
                                   uint8_t *dst, size_t cap, size_t *size)
{
    const uint8_t *p = e->src + from;
    uint32_t       repeat[3], head;
    unsigned       type = 2;
    size_t         packed;
    memcpy(repeat, e->repeat, sizeof repeat);
    /* One byte repeated: not in a frame's first block: libzstd before 1.4.4 does not always read that. */
    if (n <= TACO__ZSTD_ENC_LEAST) {
        type = 0;
        packed = n;
    } else if (!first && memcmp(p, p + 1, n - 1) == 0) {
        type = 1;
        packed = 1;
        e->out[0] = p[0];
    } else {
        taco__zstd_enc_find(e, from, n);
        packed = taco__zstd_enc_pack(e, n);
        if (!packed) {
            type = 0;
            packed = n;
            memcpy(e->repeat, repeat, sizeof repeat);
        }
    }
    *size = 3 + packed;
    if (cap < *size) {
        return false;
    }
    head = (uint32_t)last | type << 1 | (uint32_t)(type == 1 ? n : packed) << 3;
    dst[0] = (uint8_t)head;
    dst[1] = (uint8_t)(head >> 8);
    dst[2] = (uint8_t)(head >> 16);
    if (packed) {
        memcpy(dst + 3, type == 0 ? p : e->out, packed);
    }
    return true;
}
/* The frame's header at `to`, at most 14 bytes, §3.1.1.1: with the size of the content always, and
   without a window when it is not larger. Returns its size. */
TACO__FN size_t taco__zstd_enc_header(uint8_t *to, uint64_t n, unsigned window, bool checksum)
{
    const bool     single = n <= (uint64_t)1 << window;
    const unsigned flag = n < 256 && single ? 0U : n < 65536 + 256 ? 1U : n <= UINT32_MAX ? 2U : 3U;
    size_t         at = 5, k;
    uint64_t       content = flag == 1 ? n - 256 : n;
    taco__base_put32(to, 0xFD2FB528U);
    to[4] = (uint8_t)(flag << 6 | (unsigned)single << 5 | (unsigned)checksum << 2);
    if (!single) {
        to[at++] = (uint8_t)((window - 10) << 3);
    }
    for (k = 0; k < (size_t)1 << flag; k++) {
        to[at++] = (uint8_t)(content >> (8 * k));
    }
    return at;
}
/* The most bytes that a frame of n bytes takes; false when that is not a size. */
TACO__FN bool taco__zstd_enc_bound(size_t n, size_t *bound)
{
    return taco__base_addz(n, n / TACO__ZSTD_BLOCK * 3 + 3 + 14 + 4, bound);
}
/* Begins a part: its positions get numbers above all before. */
TACO__FN void taco__zstd_enc_part(taco__zstd_enc *e, const uint8_t *src, size_t len)
{
    if (e->used > UINT32_MAX - 1 - len) {
        memset(e->hash, 0, sizeof *e->hash << e->level->hash);
        if (e->second) {
            memset(e->second, 0, sizeof *e->second << e->level->second);
        }
        e->used = 1;
    }
    e->base = e->used;
    e->used += (uint32_t)len;
    e->src = src;
    e->len = len;
    e->added = 0;
}
/* Encodes `in` into one frame at dst, which has room for cap bytes (those of taco__zstd_enc_bound are
   always enough) and does not overlap it; *size becomes the frame's size. ARGUMENT when cap is too
   small, and dst then holds garbage. e may be used again after a failure. */
TACO__FN taco_status taco__zstd_encode(taco__zstd_enc *e, taco_bytes in, bool checksum,
                                       uint8_t *dst, size_t cap, size_t *size, taco_error *err)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    uint8_t               head[14];
    size_t                at, part = 0, from = 0, n, used = 0;
    bool                  ok;
    *size = 0;
    memcpy(e->repeat, first, sizeof first);
    e->huf_last = -1;
    memset(e->fse_last, 0, sizeof e->fse_last);
    e->window = (size_t)1 << e->level->window;
    at = taco__zstd_enc_header(head, in.len, e->level->window, checksum);
    ok = cap >= at;
    if (ok) {
        memcpy(dst, head, at);
    }
    do {
        if (!ok) {
            break;
        }
        n = TACO__MIN(in.len - from, (size_t)TACO__ZSTD_BLOCK);
        if (from % TACO__ZSTD_ENC_PART == 0) {
            part = from;
            taco__zstd_enc_part(e, in.data + part, TACO__MIN(in.len - part, TACO__ZSTD_ENC_PART));
        }
        ok = taco__zstd_enc_block(e, from - part, n, from + n == in.len, from == 0, dst + at,
                                  cap - at, &used);
        at += ok ? used : 0;
        from += n;
    } while (ok && from < in.len);
    if (ok && checksum) {
        ok = cap - at >= 4;
        if (ok) {
            taco__base_put32(dst + at, (uint32_t)taco__hash_xxh64(0, in.data, in.len));
            at += 4;
        }
    }
    if (!ok) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a ZSTD frame of %u bytes of data does not fit into %u bytes",
                          TACO__U(in.len), TACO__U(cap));
    }
    *size = at;
    return TACO_OK;
}
/* Makes the encoder of a level, 1 ... TACO__ZSTD_ENC_MOST, what is beyond becomes the nearest. NULL on failure. It is
   for any number of frames, one after the other, which need no further memory. */
TACO__FN taco__zstd_enc *taco__zstd_enc_open(taco__mem *mem, int level, taco_error *err)
{
    static const int8_t *const  counts[3] = {taco__zstd_ll_counts, taco__zstd_of_counts,
                                             taco__zstd_ml_counts};
    static const uint8_t        symbols[3] = {36, 29, 53}, log[3] = {6, 5, 6};
    const int                   k = level < 1 ? 1 : TACO__MIN(level, TACO__ZSTD_ENC_MOST);
    const taco__zstd_enc_level *l = &taco__zstd_enc_levels[k - 1];
    const size_t                hash = sizeof(uint32_t) << l->hash;
    const size_t                second = l->second ? sizeof(uint32_t) << l->second : 0;
    const size_t                size = sizeof(taco__zstd_enc) + hash + second;
    taco__zstd_enc             *e = (taco__zstd_enc *)taco__mem_alloc(mem, size, err);
    unsigned                    field, s, i;
    if (!e) {
        return NULL;
    }
    e->mem = mem;
    e->size = size;
    e->level = l;
    e->hash = (uint32_t *)(void *)(e + 1);
    e->second = second ? e->hash + ((size_t)1 << l->hash) : NULL;
    e->used = 1;
    for (field = 0; field < 3; field++) {
        taco__zstd_counts *c = &e->fse[field][0].c;
        c->symbols = symbols[field];
        c->log = log[field];
        for (s = 0; s < c->symbols; s++) {
            c->n[s] = counts[field][s];
        }
        taco__zstd_enc_build(&e->fse[field][0]);
        taco__zstd_values(field, e->base_of[field], e->extra[field]);
    }
    for (s = i = 0; i < 64; i++) {
        s += i >= e->base_of[TACO__ZSTD_LL][s + 1];
        e->ll_code[i] = (uint8_t)s;
    }
    for (s = i = 0; i < 128; i++) {
        s += i + 3 >= e->base_of[TACO__ZSTD_ML][s + 1];
        e->ml_code[i] = (uint8_t)s;
    }
    return e;
}
/* NULL is accepted. */
TACO__FN void taco__zstd_enc_close(taco__zstd_enc *e)
{
    if (e) {
        taco__mem_free(e->mem, e, e->size);
    }
}

/* ==== ROOM thrift: read Thrift compact-protocol structures. Uses: base error. Spec: Thrift compact protocol ==== */

/* The types a field header or a list header may name. A boolean field carries its value in its type; a boolean inside a
   list is a byte of its own. */
enum {
    TACO__THRIFT_TRUE = 1,
    TACO__THRIFT_FALSE = 2,
    TACO__THRIFT_I8 = 3,
    TACO__THRIFT_I16 = 4,
    TACO__THRIFT_I32 = 5,
    TACO__THRIFT_I64 = 6,
    TACO__THRIFT_DOUBLE = 7,
    TACO__THRIFT_BINARY = 8,
    TACO__THRIFT_LIST = 9,
    TACO__THRIFT_SET = 10,
    TACO__THRIFT_MAP = 11,
    TACO__THRIFT_STRUCT = 12,
    TACO__THRIFT_UUID = 13
};

/* Parquet's own structures nest nine deep; the rest is room for fields of the future. */
#define TACO__THRIFT_DEPTH 64

/* A reader over bytes that somebody else wrote. The first failure fills *err and stays in `status`; from then on every
   read yields zero and every loop over fields ends, so that a parser checks once, at its end. */
typedef struct taco__thrift {
    taco__cur   cur;
    uint64_t    base;   /* where the bytes begin in the file, for messages */
    const char *what;   /* "footer", "page header": what ends when the bytes do */
    taco_error *err;    /* may be NULL */
    taco_status status; /* the first failure */
    bool
             partial; /* the bytes are the beginning of something longer: running out is TRUNCATED, not CORRUPT */
    uint32_t depth;
} taco__thrift;

typedef struct taco__thrift_field { /* the field at hand, between taco__thrift_next and its value */
    int16_t id;
    uint8_t type;
} taco__thrift_field;

TACO__FN void taco__thrift_init(taco__thrift *t, taco_bytes in, uint64_t base, const char *what,
                                bool partial, taco_error *err)
{
    memset(t, 0, sizeof *t);
    t->cur = taco__cur_make(in);
    t->base = base;
    t->what = what;
    t->partial = partial;
    t->err = err;
    t->status = TACO_OK;
}
/* Offset in the file of the next byte. */
TACO__INLINE uint64_t taco__thrift_at(const taco__thrift *t)
{
    return t->base + taco__cur_pos(&t->cur);
}
TACO__INLINE bool taco__thrift_ok(const taco__thrift *t)
{
    return t->status == TACO_OK;
}
/* Makes the reader fail; false, so that callers can return it. The caller has filled err. */
TACO__COLD bool taco__thrift_stop(taco__thrift *t, taco_status status)
{
    if (t->status == TACO_OK) {
        t->status = status;
    }
    t->cur.bad = true;
    return false;
}
/* The bytes end inside something that began at `at`. */
TACO__COLD bool taco__thrift_short(taco__thrift *t, uint64_t at)
{
    taco_status code = t->partial ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT;
    if (t->status == TACO_OK) {
        TACO__FAIL(t->err, code, at, "%s ends inside a field, at byte %u", t->what,
                   t->base + (uint64_t)(t->cur.end - t->cur.begin));
    }
    return taco__thrift_stop(t, code);
}
/* The field at hand is of another type than its number says. */
TACO__COLD bool taco__thrift_wrong(taco__thrift *t, unsigned type, const char *want)
{
    if (t->status == TACO_OK) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, taco__thrift_at(t),
                   "%s has a field of type %u, expected %s", t->what, TACO__U(type), want);
    }
    return taco__thrift_stop(t, TACO_ERR_CORRUPT);
}

/* True when a field of type `type` can be read as one of type `want`; integers of all widths are alike. */
TACO__FN bool taco__thrift_same(unsigned type, unsigned want)
{
    return type == want || (want >= TACO__THRIFT_I8 && want <= TACO__THRIFT_I64 &&
                            type >= TACO__THRIFT_I8 && type <= TACO__THRIFT_I64);
}

TACO__FN uint8_t taco__thrift_u8(taco__thrift *t)
{
    uint8_t b = taco__cur_u8(&t->cur);
    if (TACO__UNLIKELY(t->cur.bad)) {
        taco__thrift_short(t, taco__thrift_at(t));
    }
    return b;
}
/* The slow way through a number: longer than a byte, or at the end of the bytes. */
TACO__NOINLINE uint64_t taco__thrift_varint_long(taco__thrift *t)
{
    uint64_t at = taco__thrift_at(t), x;
    if (!taco__thrift_ok(t)) {
        return 0;
    }
    x = taco__cur_varint(&t->cur);
    if (t->cur.bad) {
        if (taco__thrift_at(t) - at < 10) { /* ten bytes hold any 64-bit number: fewer were there */
            taco__thrift_short(t, at);
        } else {
            TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has a number of more than 64 bits",
                       t->what);
            taco__thrift_stop(t, TACO_ERR_CORRUPT);
        }
    }
    return x;
}
TACO__INLINE uint64_t taco__thrift_varint(taco__thrift *t)
{
    if (TACO__LIKELY(!t->cur.bad && t->cur.at != t->cur.end && *t->cur.at < 0x80)) {
        return *t->cur.at++;
    }
    return taco__thrift_varint_long(t);
}

/* Begins a structure: zeroes *f and counts the level. Every begin is followed by taco__thrift_next until it is false. */
TACO__FN bool taco__thrift_begin(taco__thrift *t, taco__thrift_field *f)
{
    f->id = 0;
    f->type = 0;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (t->depth >= TACO__THRIFT_DEPTH) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, taco__thrift_at(t),
                   "%s nests structures deeper than %u", t->what, TACO__U(TACO__THRIFT_DEPTH));
        return taco__thrift_stop(t, TACO_ERR_CORRUPT);
    }
    t->depth++;
    return true;
}
/* As taco__thrift_begin, for a field that has to be a structure. */
TACO__FN bool taco__thrift_struct(taco__thrift *t, unsigned type, taco__thrift_field *f)
{
    if (type != TACO__THRIFT_STRUCT) {
        f->id = 0;
        f->type = 0;
        return taco__thrift_wrong(t, type, "a structure");
    }
    return taco__thrift_begin(t, f);
}
/* Steps to the next field and fills *f; false at the structure's end, or on failure. The caller then reads the value or
   skips it. Field numbers may come in any order; a number out of int16 is damage. */
TACO__FN bool taco__thrift_next(taco__thrift *t, taco__thrift_field *f)
{
    uint64_t at = taco__thrift_at(t);
    uint8_t  head = taco__thrift_u8(t);
    int64_t  id;
    if (TACO__UNLIKELY(!taco__thrift_ok(t))) {
        return false;
    }
    if (head == 0) {
        t->depth--;
        return false;
    }
    id = head >> 4 ? f->id + (head >> 4) : taco__base_zigzag(taco__thrift_varint(t));
    if (!taco__thrift_ok(t)) {
        return false;
    }
    f->type = head & 15;
    if (f->type == 0 || f->type > TACO__THRIFT_UUID || id < INT16_MIN || id > INT16_MAX) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has a field %d of type %u", t->what, id,
                   TACO__U(f->type));
        return taco__thrift_stop(t, TACO_ERR_CORRUPT);
    }
    f->id = (int16_t)id;
    return true;
}

/* An integer of any width: the widths above one byte are written alike, and writers have mixed them up. */
TACO__FN int64_t taco__thrift_i64(taco__thrift *t, unsigned type)
{
    if (TACO__LIKELY(type >= TACO__THRIFT_I16 && type <= TACO__THRIFT_I64)) {
        return taco__base_zigzag(taco__thrift_varint(t));
    }
    if (type == TACO__THRIFT_I8) {
        uint8_t b = taco__thrift_u8(t);
        return b < 128 ? b : (int64_t)b - 256;
    }
    taco__thrift_wrong(t, type, "an integer");
    return 0;
}
TACO__FN int32_t taco__thrift_i32(taco__thrift *t, unsigned type)
{
    uint64_t at = taco__thrift_at(t);
    int64_t  x = taco__thrift_i64(t, type);
    if (x < INT32_MIN || x > INT32_MAX) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has the number %d where 32 bits are the most",
                   t->what, x);
        taco__thrift_stop(t, TACO_ERR_CORRUPT);
        return 0;
    }
    return (int32_t)x;
}
/* A boolean field: its type is its value. */
TACO__FN bool taco__thrift_bool(taco__thrift *t, unsigned type)
{
    if (type != TACO__THRIFT_TRUE && type != TACO__THRIFT_FALSE) {
        taco__thrift_wrong(t, type, "a boolean");
    }
    return type == TACO__THRIFT_TRUE;
}
/* A boolean in a list: 1 is true; writers have used both 0 and 2 for false. */
TACO__FN bool taco__thrift_bool_item(taco__thrift *t)
{
    return taco__thrift_u8(t) == 1;
}
TACO__FN double taco__thrift_double(taco__thrift *t, unsigned type)
{
    uint64_t       at = taco__thrift_at(t);
    const uint8_t *p;
    if (type != TACO__THRIFT_DOUBLE) {
        taco__thrift_wrong(t, type, "a double");
        return 0;
    }
    p = taco__cur_take(&t->cur, 8);
    if (!p) {
        taco__thrift_short(t, at);
        return 0;
    }
    return taco__base_f64(taco__base_le64(p));
}
/* Bytes or text: a slice of the input. data is not NULL unless the reader failed, even when there are none. */
TACO__FN taco_bytes taco__thrift_binary(taco__thrift *t, unsigned type)
{
    uint64_t       at = taco__thrift_at(t), n;
    const uint8_t *p;
    if (type != TACO__THRIFT_BINARY) {
        taco__thrift_wrong(t, type, "bytes");
        return taco__base_bytes(NULL, 0);
    }
    n = taco__thrift_varint(t);
    if (!taco__thrift_ok(t)) {
        return taco__base_bytes(NULL, 0);
    }
    if (n > taco__cur_left(&t->cur)) {
        if (t->partial) {
            taco__thrift_short(t, at);
        } else {
            TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "text of %u bytes, %s has %u left", n, t->what,
                       TACO__U(taco__cur_left(&t->cur)));
            taco__thrift_stop(t, TACO_ERR_CORRUPT);
        }
        return taco__base_bytes(NULL, 0);
    }
    p = taco__cur_take(&t->cur, (size_t)n);
    return taco__base_bytes(p, (size_t)n);
}

/* Proves that n items of at least `least` bytes each can lie in the bytes that are left, so that a count may size an
   allocation. */
TACO__FN bool taco__thrift_room(taco__thrift *t, uint64_t at, uint64_t n, size_t least)
{
    size_t left = taco__cur_left(&t->cur);
    if (TACO__LIKELY(n <= left / least)) {
        return true;
    }
    if (t->partial) {
        return taco__thrift_short(t, at);
    }
    if (t->status == TACO_OK) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "list of %u items, %s has %u bytes left", n,
                   t->what, TACO__U(left));
    }
    return taco__thrift_stop(t, TACO_ERR_CORRUPT);
}
/* Begins a list or set: returns the number of items and their type. `least` is the fewest bytes an item can take. */
TACO__FN size_t taco__thrift_list(taco__thrift *t, unsigned type, size_t least, uint8_t *item)
{
    uint64_t at = taco__thrift_at(t), n;
    uint8_t  head;
    *item = 0;
    if (type != TACO__THRIFT_LIST && type != TACO__THRIFT_SET) {
        taco__thrift_wrong(t, type, "a list");
        return 0;
    }
    head = taco__thrift_u8(t);
    n = head >> 4 == 15 ? taco__thrift_varint(t) : head >> 4;
    *item = head & 15;
    if (!taco__thrift_ok(t) || !taco__thrift_room(t, at, n, least)) {
        return 0;
    }
    if (n && (*item == 0 || *item > TACO__THRIFT_UUID)) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has a list of type %u", t->what,
                   TACO__U(*item));
        taco__thrift_stop(t, TACO_ERR_CORRUPT);
        return 0;
    }
    return (size_t)n;
}
/* As taco__thrift_list, for items that have to be structures. */
TACO__FN size_t taco__thrift_structs(taco__thrift *t, unsigned type, size_t least)
{
    uint8_t item;
    size_t  n = taco__thrift_list(t, type, least, &item);
    if (n && item != TACO__THRIFT_STRUCT) {
        taco__thrift_wrong(t, item, "a list of structures");
        return 0;
    }
    return n;
}

TACO__FN void taco__thrift_skip_value(taco__thrift *t, unsigned type, bool in_list); /* recursive */

TACO__FN void taco__thrift_skip_list(taco__thrift *t, unsigned type)
{
    uint8_t item;
    size_t  n = taco__thrift_list(t, type, 1, &item);
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_skip_value(t, item, true);
    }
}
TACO__FN void taco__thrift_skip_map(taco__thrift *t)
{
    uint64_t at = taco__thrift_at(t), n = taco__thrift_varint(t);
    uint8_t  types;
    if (n == 0 || !taco__thrift_ok(t)) {
        return; /* an empty map is one byte, without types */
    }
    types = taco__thrift_u8(t);
    if (!taco__thrift_ok(t) || !taco__thrift_room(t, at, n, 2)) {
        return;
    }
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_skip_value(t, types >> 4, true);
        taco__thrift_skip_value(t, types & 15, true);
    }
}
TACO__FN void taco__thrift_skip_struct(taco__thrift *t)
{
    taco__thrift_field f;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            taco__thrift_skip_value(t, f.type, false);
        }
    }
}
/* Every item takes a byte at least and every level is counted, so that the work is bounded by the bytes there are. */
TACO__FN void taco__thrift_skip_value(taco__thrift *t, unsigned type, bool in_list)
{
    uint64_t at = taco__thrift_at(t);
    if (t->depth >= TACO__THRIFT_DEPTH && type >= TACO__THRIFT_LIST &&
        type <= TACO__THRIFT_STRUCT) {
        taco__thrift_field f;
        taco__thrift_begin(t, &f); /* fails, and says so */
        return;
    }
    switch (type) {
    case TACO__THRIFT_TRUE:
    case TACO__THRIFT_FALSE:
        if (in_list) {
            taco__thrift_u8(t);
        }
        break;
    case TACO__THRIFT_I8: taco__thrift_u8(t); break;
    case TACO__THRIFT_I16:
    case TACO__THRIFT_I32:
    case TACO__THRIFT_I64: taco__thrift_varint(t); break;
    case TACO__THRIFT_BINARY: taco__thrift_binary(t, type); break;
    case TACO__THRIFT_DOUBLE:
    case TACO__THRIFT_UUID:
        if (!taco__cur_take(&t->cur, type == TACO__THRIFT_UUID ? 16 : 8)) {
            taco__thrift_short(t, at);
        }
        break;
    case TACO__THRIFT_LIST:
    case TACO__THRIFT_SET:
    case TACO__THRIFT_MAP:
        t->depth++; /* lists in lists are levels too */
        if (type == TACO__THRIFT_MAP) {
            taco__thrift_skip_map(t);
        } else {
            taco__thrift_skip_list(t, type);
        }
        t->depth--;
        break;
    case TACO__THRIFT_STRUCT: taco__thrift_skip_struct(t); break;
    default: taco__thrift_wrong(t, type, "a known type"); break;
    }
}
/* Steps over the value of a field nobody asked for. */
TACO__FN void taco__thrift_skip(taco__thrift *t, unsigned type)
{
    taco__thrift_skip_value(t, type, false);
}

/* ---- writing: the other half of this room goes here ---- */

/* ==== ROOM meta: the gate for footers, page headers and page indexes: what passes is proven. Uses: thrift mem.
   Spec: parquet.thrift, LogicalTypes.md ==== */

/* Numbers of the format. */
enum {                      /* Type */
       TACO__PQ_GROUP = -1, /* ours: an element without a type */
       TACO__PQ_BOOLEAN = 0,
       TACO__PQ_INT32 = 1,
       TACO__PQ_INT64 = 2,
       TACO__PQ_INT96 = 3,
       TACO__PQ_FLOAT = 4,
       TACO__PQ_DOUBLE = 5,
       TACO__PQ_BYTE_ARRAY = 6,
       TACO__PQ_FIXED = 7
};
enum { /* FieldRepetitionType */
       TACO__PQ_REQUIRED = 0,
       TACO__PQ_OPTIONAL = 1,
       TACO__PQ_REPEATED = 2
};
enum { /* ConvertedType */
       TACO__PQ_CONVERTED_NONE = -1,
       TACO__PQ_CONVERTED_UTF8 = 0,
       TACO__PQ_CONVERTED_MAP = 1,
       TACO__PQ_CONVERTED_MAP_KEY_VALUE = 2,
       TACO__PQ_CONVERTED_LIST = 3,
       TACO__PQ_CONVERTED_ENUM = 4,
       TACO__PQ_CONVERTED_DECIMAL = 5,
       TACO__PQ_CONVERTED_DATE = 6,
       TACO__PQ_CONVERTED_TIME_MILLIS = 7,
       TACO__PQ_CONVERTED_TIME_MICROS = 8,
       TACO__PQ_CONVERTED_TIMESTAMP_MILLIS = 9,
       TACO__PQ_CONVERTED_TIMESTAMP_MICROS = 10,
       TACO__PQ_CONVERTED_UINT_8 = 11, /* 16, 32, 64 follow */
       TACO__PQ_CONVERTED_INT_8 = 15,  /* 16, 32, 64 follow */
       TACO__PQ_CONVERTED_JSON = 19,
       TACO__PQ_CONVERTED_BSON = 20,
       TACO__PQ_CONVERTED_INTERVAL = 21
};
enum { /* members of the LogicalType union */
       TACO__PQ_LOGICAL_NONE = 0,
       TACO__PQ_LOGICAL_STRING = 1,
       TACO__PQ_LOGICAL_MAP = 2,
       TACO__PQ_LOGICAL_LIST = 3,
       TACO__PQ_LOGICAL_ENUM = 4,
       TACO__PQ_LOGICAL_DECIMAL = 5,
       TACO__PQ_LOGICAL_DATE = 6,
       TACO__PQ_LOGICAL_TIME = 7,
       TACO__PQ_LOGICAL_TIMESTAMP = 8,
       TACO__PQ_LOGICAL_INTERVAL = 9, /* reserved there; ours for the converted type */
       TACO__PQ_LOGICAL_INTEGER = 10,
       TACO__PQ_LOGICAL_NULL = 11,
       TACO__PQ_LOGICAL_JSON = 12,
       TACO__PQ_LOGICAL_BSON = 13,
       TACO__PQ_LOGICAL_UUID = 14,
       TACO__PQ_LOGICAL_FLOAT16 = 15,
       TACO__PQ_LOGICAL_VARIANT = 16,
       TACO__PQ_LOGICAL_GEOMETRY = 17,
       TACO__PQ_LOGICAL_GEOGRAPHY = 18,
       TACO__PQ_LOGICAL_OTHER = 255 /* newer than this reader: the physical type counts */
};
enum { /* Encoding */
       TACO__PQ_ENC_PLAIN = 0,
       TACO__PQ_ENC_PLAIN_DICTIONARY = 2,
       TACO__PQ_ENC_RLE = 3,
       TACO__PQ_ENC_BIT_PACKED = 4,
       TACO__PQ_ENC_DELTA_BINARY_PACKED = 5,
       TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY = 6,
       TACO__PQ_ENC_DELTA_BYTE_ARRAY = 7,
       TACO__PQ_ENC_RLE_DICTIONARY = 8,
       TACO__PQ_ENC_BYTE_STREAM_SPLIT = 9
};
enum { /* CompressionCodec */
       TACO__PQ_CODEC_NONE = 0,
       TACO__PQ_CODEC_SNAPPY = 1,
       TACO__PQ_CODEC_GZIP = 2,
       TACO__PQ_CODEC_LZO = 3,
       TACO__PQ_CODEC_BROTLI = 4,
       TACO__PQ_CODEC_LZ4 = 5,
       TACO__PQ_CODEC_ZSTD = 6,
       TACO__PQ_CODEC_LZ4_RAW = 7
};
enum { /* PageType */
       TACO__PQ_PAGE_DATA = 0,
       TACO__PQ_PAGE_INDEX = 1,
       TACO__PQ_PAGE_DICTIONARY = 2,
       TACO__PQ_PAGE_DATA_V2 = 3
};
enum { /* members of the ColumnOrder union */
       TACO__PQ_ORDER_NONE = 0,
       TACO__PQ_ORDER_TYPE = 1,
       TACO__PQ_ORDER_IEEE754 = 2,
       TACO__PQ_ORDER_INT96 = 3,
       TACO__PQ_ORDER_OTHER = 255
};

/* All slices (taco_bytes) below point into the footer or page header they were parsed from, which has to live as long. */

typedef struct
    taco__pq_element { /* SchemaElement, with its place in the tree; the list is in depth-first order */
    taco_bytes  name;
    const char *text; /* the name, NUL-terminated */
    uint64_t    at;   /* its offset in the file */
    int32_t     type; /* TACO__PQ_GROUP or a physical type */
    int32_t     type_length;
    int32_t     converted;
    int32_t     scale, precision; /* of the SchemaElement; the logical type's own below */
    int32_t     field_id;
    bool        has_field_id;
    uint8_t     repetition;
    uint8_t     logical;
    bool        is_signed, utc; /* INTEGER; TIME, TIMESTAMP */
    uint8_t     unit; /* TIME, TIMESTAMP: taco_unit; TACO_SECOND (0) where it is not known */
    int8_t      bits; /* INTEGER */
    int32_t     dec_scale, dec_precision; /* DECIMAL */
    taco_bytes  crs;                      /* GEOMETRY, GEOGRAPHY */
    int32_t     algorithm;                /* GEOGRAPHY; -1 = not given */
    uint32_t    parent, child_count;      /* parent of the root is the root */
    uint32_t    left;                     /* children not yet seen, while the tree is linked */
    uint32_t    next; /* first element behind the subtree: the next sibling, if there is one */
    uint32_t    leaf, leaf_count; /* leaves of the subtree */
    int16_t     def, rep;         /* maximum levels, its own repetition included */
} taco__pq_element;

/* One per public field, in the same tree shape: what a reader needs to assemble it from levels. */
typedef struct taco__pq_node {
    const taco_field           *field;
    const taco__pq_element     *element;
    const struct taco__pq_node *children; /* field->child_count of them */
    uint32_t                    leaf, leaf_count;
    int16_t def;      /* definition level at which it is there and not null (leaf: maximum) */
    int16_t rep;      /* maximum repetition level of its slots */
    int16_t list_def; /* LIST, MAP: definition level from which there is an item */
    int16_t list_rep; /* LIST, MAP: repetition level at which a further item begins */
    bool    optional;
} taco__pq_node;

typedef struct taco__pq_leaf { /* a Parquet column */
    const taco__pq_element *element;
    const taco__pq_node    *node;
    const taco_field       *field;
    int32_t                 type;
    int32_t                 type_length; /* TACO__PQ_FIXED: > 0 */
    int16_t                 max_def, max_rep;
    uint32_t                column; /* the top-level field above it */
    uint8_t                 order;  /* TACO__PQ_ORDER_..., from column_orders */
} taco__pq_leaf;

typedef struct taco__pq_stats { /* Statistics, raw; taco__stats_bounds says what they are worth */
    taco_bytes min, max;        /* data NULL = not given */
    int64_t    null_count, distinct_count, nan_count; /* -1 = not known */
    bool       given;
    bool       deprecated; /* min and max come from the old fields, whose order is always signed */
    bool       min_exact, max_exact;
} taco__pq_stats;

typedef struct
    taco__pq_range { /* bytes of the file that were proven to lie before the footer; size 0 = none */
    uint64_t offset;
    uint64_t size;
} taco__pq_range;

typedef struct taco__pq_geo { /* GeospatialStatistics' BoundingBox */
    double xmin, xmax, ymin, ymax, zmin, zmax, mmin, mmax;
    bool   has_z, has_m;
} taco__pq_geo;

typedef struct taco__pq_chunk {
    uint64_t at; /* of its metadata in the file */
    /* Dictionary and data pages; empty when encrypted or external. Old parquet-mr leaves the dictionary's header out of
       the size (PARQUET-816): who misses values at the end looks up to 100 bytes further. */
    taco__pq_range pages;
    int64_t        num_values;        /* level entries: nulls and empty lists count */
    uint64_t       uncompressed_size; /* as stored; only `pages` is proven */
    uint64_t       compressed_size;
    int64_t        data_offset, dictionary_offset, index_page_offset; /* as stored; -1 = none */
    taco__pq_range column_index, offset_index;
    taco__pq_range bloom;     /* size UINT64_MAX: not given, read its header first */
    int64_t        unencoded; /* bytes of BYTE_ARRAY values; -1 = not known */
    taco__pq_stats stats;
    taco_bytes     file_path;
    taco__pq_geo  *geo; /* NULL = none */
    int32_t        type;
    int32_t        codec;     /* any number: the reader of pages refuses what it lacks */
    uint32_t       encodings; /* bit e: encoding e is used; bit 31: one above 30 */
    bool           encrypted; /* can not be read; the rest of the file can */
    bool           external;  /* its pages are in the file file_path names */
    bool           dict_only; /* known to have no data page without dictionary */
    bool           has_meta;
} taco__pq_chunk;

typedef struct taco__pq_sort {
    uint32_t leaf;
    bool     descending, nulls_first;
} taco__pq_sort;

typedef struct taco__pq_group {
    uint64_t        at;
    int64_t         rows, first_row;
    uint64_t        total_byte_size;
    int64_t         file_offset, total_compressed_size, ordinal; /* as stored; -1 = not given */
    taco__pq_chunk *chunks;                                      /* meta->leaf_count of them */
    taco__pq_sort  *sort;
    uint32_t        sort_count;
} taco__pq_group;

typedef struct taco__pq_pair {
    taco_bytes key, value; /* value.data NULL = not given */
} taco__pq_pair;

typedef struct taco__pq_meta {
    uint64_t          file_size, footer_offset, footer_size;
    int32_t           version;
    int64_t           num_rows;     /* sum over the row groups */
    int64_t           claimed_rows; /* the footer's own figure, which some writers leave 0 */
    taco_bytes        created_by;
    taco__pq_element *elements;
    uint32_t          element_count;
    taco_field       *columns; /* children of the schema's root */
    taco__pq_node    *nodes;   /* one per column */
    uint32_t          column_count;
    taco__pq_leaf    *leaves;
    uint32_t          leaf_count;
    taco__pq_group   *groups;
    uint32_t          group_count;
    taco__pq_pair    *pairs; /* key-value metadata */
    uint32_t          pair_count;
    taco_bytes        signing_key; /* footer_signing_key_metadata */
    uint8_t           encryption;  /* member of EncryptionAlgorithm; 0 = none */
    bool              has_orders;
    bool distrust_binary;   /* deprecated min/max of byte arrays are wrong: PARQUET-251 */
    bool distrust_decimal;  /* bounds of byte array decimals are wrong: PARQUET-1655 */
    bool always_compressed; /* is_compressed of v2 pages is wrong: ARROW-10353 */
} taco__pq_meta;

typedef struct taco__pq_page { /* PageHeader */
    int32_t        type;       /* TACO__PQ_PAGE_...; the reader steps over any other */
    uint32_t       uncompressed_size, compressed_size; /* of the body, < 2^31 */
    uint32_t       crc;
    bool           has_crc;
    bool           is_compressed; /* v2: the values; else true */
    bool           is_sorted;     /* dictionary */
    int32_t        encoding, def_encoding, rep_encoding;
    uint32_t       num_values;          /* level entries, or dictionary entries */
    uint32_t       num_nulls, num_rows; /* v2: <= num_values */
    uint32_t       def_len, rep_len;    /* v2: their sum is <= both sizes */
    taco__pq_stats stats;
} taco__pq_page;

typedef struct taco__pq_column_index {
    size_t         pages;
    const uint8_t *null_pages; /* 1 = nulls only: its min and max mean nothing */
    taco_bytes    *min, *max;
    const int64_t *null_counts, *nan_counts; /* NULL = not given; -1 = not known */
    int32_t        boundary_order;           /* 0 none, 1 ascending, 2 descending */
} taco__pq_column_index;

typedef struct taco__pq_location {
    uint64_t offset; /* of the page header */
    uint32_t size;   /* with the header; inside the chunk */
    int64_t  first_row;
} taco__pq_location;

typedef struct taco__pq_offset_index {
    size_t             pages;
    taco__pq_location *page; /* offsets and rows ascend */
} taco__pq_offset_index;

#define TACO__META_COLUMNS   65536 /* default of limits.max_columns */
#define TACO__META_DEPTH     64    /* default of limits.max_depth */
#define TACO__META_DEPTH_CAP 512   /* whatever the limit says: the tree is built recursively */
#define TACO__META_MAGIC     4     /* bytes of magic in front of the first page */

typedef struct taco__meta_job {
    taco__thrift       t;
    taco__arena       *arena;
    const taco_limits *limits;
    taco__pq_meta     *out;
    bool               built;
} taco__meta_job;

/* Fails the reader with a CORRUPT at a byte of the file; false. */
#define TACO__META_BAD(t, where, ...)                                                              \
    (TACO__FAIL((t)->err, TACO_ERR_CORRUPT, (where), __VA_ARGS__),                                 \
     taco__thrift_stop((t), TACO_ERR_CORRUPT))

/* Items of the arena, or NULL and a failed reader. */
TACO__FN void *taco__meta_alloc(taco__thrift *t, taco__arena *arena, size_t n, size_t size)
{
    void *p = taco__thrift_ok(t) ? taco__arena_array(arena, n, size, t->err) : NULL;
    if (!p && taco__thrift_ok(t)) {
        taco__thrift_stop(t, t->err && t->err->code != TACO_OK ? t->err->code : TACO_ERR_MEMORY);
    }
    return p;
}
/* A number that must not be negative. */
TACO__FN int64_t taco__meta_count(taco__thrift *t, unsigned type, const char *name)
{
    uint64_t at = taco__thrift_at(t);
    int64_t  x = taco__thrift_i64(t, type);
    if (TACO__UNLIKELY(x < 0)) {
        TACO__META_BAD(t, at, "%s is %d", name, x);
        return 0;
    }
    return x;
}
TACO__FN uint32_t taco__meta_count32(taco__thrift *t, unsigned type, const char *name)
{
    uint64_t at = taco__thrift_at(t);
    int64_t  x = taco__meta_count(t, type, name);
    if (TACO__UNLIKELY(x > INT32_MAX)) {
        TACO__META_BAD(t, at, "%s is %d, 32 bits are the most", name, x);
        return 0;
    }
    return (uint32_t)x;
}

/* ---- names for messages -------------------------------------------------------------------- */

/* Writes the path of an element, "a.list.item", into text, cut when it is full. */
TACO__FN taco_bytes taco__meta_path(const taco__pq_meta *m, const taco__pq_element *e, char *text,
                                    size_t cap)
{
    const taco__pq_element *chain[TACO__META_DEPTH_CAP + 2];
    size_t                  n = 0, len = 0;
    while (e != m->elements && n < TACO__COUNT(chain)) {
        chain[n++] = e;
        e = &m->elements[e->parent];
    }
    while (n && len < cap) {
        taco_bytes name = chain[--n]->name;
        size_t     k = TACO__MIN(name.len, cap - len);
        if (k) {
            memcpy(text + len, name.data, k);
        }
        len += k;
        if (n && len < cap) {
            text[len++] = '.';
        }
    }
    return taco__base_bytes(text, len);
}
/* Puts "row group 3, column 'a.b'" in front of the message. */
TACO__COLD void taco__meta_prefix(const taco__pq_meta *m, taco_error *err, size_t group,
                                  size_t leaf)
{
    char       text[80];
    taco_bytes path = taco__meta_path(m, m->leaves[leaf].element, text, sizeof text);
    taco__error_prefix(err, "row group %u, column %q", TACO__U(group), &path);
}

/* ---- schema: the list of elements ------------------------------------------------------------ */

/* TimeUnit: a union whose member is the unit. */
TACO__FN uint8_t taco__meta_unit(taco__thrift *t, unsigned type)
{
    taco__thrift_field f;
    uint8_t            unit = 0;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            unit = (uint8_t)(f.id >= 1 && f.id <= 3 ? TACO_SECOND + f.id : 0);
            taco__thrift_skip(t, f.type);
        }
    }
    return unit;
}
/* DecimalType, TimeType, TimestampType, IntType, GeometryType, GeographyType: their members, by the union's member. */
TACO__FN void taco__meta_logical_body(taco__thrift *t, unsigned type, taco__pq_element *e)
{
    taco__thrift_field f;
    if (!taco__thrift_struct(t, type, &f)) {
        return;
    }
    while (taco__thrift_next(t, &f)) {
        unsigned key = f.id == 1 || f.id == 2 ? e->logical * 2U + (unsigned)f.id : 0;
        switch (key) {
        case TACO__PQ_LOGICAL_DECIMAL * 2 + 1: e->dec_scale = taco__thrift_i32(t, f.type); break;
        case TACO__PQ_LOGICAL_DECIMAL * 2 + 2:
            e->dec_precision = taco__thrift_i32(t, f.type);
            break;
        case TACO__PQ_LOGICAL_TIME * 2 + 1:
        case TACO__PQ_LOGICAL_TIMESTAMP * 2 + 1: e->utc = taco__thrift_bool(t, f.type); break;
        case TACO__PQ_LOGICAL_TIME * 2 + 2:
        case TACO__PQ_LOGICAL_TIMESTAMP * 2 + 2: e->unit = taco__meta_unit(t, f.type); break;
        case TACO__PQ_LOGICAL_INTEGER * 2 + 1: e->bits = (int8_t)taco__thrift_i64(t, f.type); break;
        case TACO__PQ_LOGICAL_INTEGER * 2 + 2: e->is_signed = taco__thrift_bool(t, f.type); break;
        case TACO__PQ_LOGICAL_GEOMETRY * 2 + 1:
        case TACO__PQ_LOGICAL_GEOGRAPHY * 2 + 1: e->crs = taco__thrift_binary(t, f.type); break;
        case TACO__PQ_LOGICAL_GEOGRAPHY * 2 + 2: e->algorithm = taco__thrift_i32(t, f.type); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
}
TACO__FN void taco__meta_logical(taco__thrift *t, unsigned type, taco__pq_element *e)
{
    taco__thrift_field f;
    if (!taco__thrift_struct(t, type, &f)) {
        return;
    }
    while (taco__thrift_next(t, &f)) {
        unsigned member = f.id < 0 ? 0 : (unsigned)f.id;
        bool     known = member >= 1 && member <= TACO__PQ_LOGICAL_GEOGRAPHY &&
                     member != TACO__PQ_LOGICAL_INTERVAL;
        e->logical = (uint8_t)(known ? member : (unsigned)TACO__PQ_LOGICAL_OTHER);
        if (known) {
            taco__meta_logical_body(t, f.type, e);
        } else {
            taco__thrift_skip(t, f.type);
        }
    }
}
TACO__FN bool taco__meta_element(taco__meta_job *j, taco__pq_element *e)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    int64_t            repetition = TACO__PQ_REQUIRED, children = 0, type = TACO__PQ_GROUP;
    e->at = taco__thrift_at(t);
    e->converted = TACO__PQ_CONVERTED_NONE;
    e->algorithm = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: type = taco__meta_count(t, f.type, "type of a schema element"); break;
            case 2: e->type_length = taco__thrift_i32(t, f.type); break;
            case 3: repetition = taco__thrift_i64(t, f.type); break;
            case 4: e->name = taco__thrift_binary(t, f.type); break;
            case 5: children = taco__meta_count(t, f.type, "num_children"); break;
            case 6: e->converted = taco__thrift_i32(t, f.type); break;
            case 7: e->scale = taco__thrift_i32(t, f.type); break;
            case 8: e->precision = taco__thrift_i32(t, f.type); break;
            case 9:
                e->field_id = taco__thrift_i32(t, f.type);
                e->has_field_id = true;
                break;
            case 10: taco__meta_logical(t, f.type, e); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (!e->name.data) {
        return TACO__META_BAD(t, e->at, "schema element without a name");
    }
    if (children > 0) {
        type = TACO__PQ_GROUP; /* parquet-go gives its root a type as well */
    }
    if (type > TACO__PQ_FIXED) {
        return TACO__META_BAD(t, e->at, "column %q has the physical type %d, 7 is the last",
                              &e->name, type);
    }
    if (repetition == 3) { /* VECTOR, newer than this reader; every level below would be misread */
        TACO__FAIL(t->err, TACO_ERR_UNSUPPORTED, e->at,
                   "unsupported: VECTOR repetition, of column %q", &e->name);
        return taco__thrift_stop(t, TACO_ERR_UNSUPPORTED);
    }
    if (repetition < 0 || repetition > TACO__PQ_REPEATED) {
        return TACO__META_BAD(t, e->at, "column %q has the repetition %d, 2 is the last", &e->name,
                              repetition);
    }
    if (type == TACO__PQ_FIXED && e->type_length <= 0) {
        return TACO__META_BAD(t, e->at, "column %q has values of %d bytes", &e->name,
                              TACO__D(e->type_length));
    }
    e->type = (int32_t)type;
    e->repetition = (uint8_t)repetition;
    e->child_count = (uint32_t)TACO__MIN(children, (int64_t)UINT32_MAX);
    e->text = taco__arena_text(j->arena, e->name, t->err);
    if (!e->text) {
        return taco__thrift_stop(t, t->err && t->err->code != TACO_OK ? t->err->code
                                                                      : TACO_ERR_MEMORY);
    }
    return true;
}

/* ---- schema: the tree ---------------------------------------------------------------------- */

TACO__COLD bool taco__meta_limit(taco__meta_job *j, uint64_t at, const char *what, uint64_t limit,
                                 const char *name)
{
    TACO__FAIL(j->t.err, TACO_ERR_LIMIT, at, "%s, limits.%s is %u", what, name, limit);
    return taco__thrift_stop(&j->t, TACO_ERR_LIMIT);
}
/* Closes groups whose children are all there, from `open` upwards, in front of element `at`. Returns the group that
   takes the next child; true in *done once even the root is closed. */
TACO__FN uint32_t taco__meta_close(taco__pq_element *e, uint32_t open, uint32_t at, uint32_t leaves,
                                   uint32_t *depth, bool *done)
{
    *done = false;
    while (e[open].left == 0) {
        e[open].next = at;
        e[open].leaf_count = leaves - e[open].leaf;
        if (open == 0) {
            *done = true;
            break;
        }
        open = e[open].parent;
        --*depth;
    }
    return open;
}
/* Turns the depth-first list into a tree: parents, siblings, levels, leaf numbers. Iterative, so that no depth hurts. */
TACO__FN bool taco__meta_link(taco__meta_job *j)
{
    const taco_limits *l = j->limits;
    taco__pq_element  *e = j->out->elements;
    uint32_t           n = j->out->element_count, i, open = 0, depth = 0, leaves = 0;
    uint32_t           max_columns = l && l->max_columns ? l->max_columns : TACO__META_COLUMNS;
    uint32_t max_depth = l && l->max_depth ? TACO__MIN(l->max_depth, (uint32_t)TACO__META_DEPTH_CAP)
                                           : TACO__META_DEPTH;
    bool     done;
    if (e[0].type != TACO__PQ_GROUP) {
        return TACO__META_BAD(&j->t, e[0].at, "root of the schema is a column");
    }
    for (i = 0; i < n; i++) {
        if (i > 0) {
            open = taco__meta_close(e, open, i, leaves, &depth, &done);
            if (done) {
                return TACO__META_BAD(&j->t, e[i].at,
                                      "schema has %u elements, its tree ends after %u", TACO__U(n),
                                      TACO__U(i));
            }
            e[open].left--;
            e[i].parent = open;
            e[i].def = (int16_t)(e[open].def + (e[i].repetition != TACO__PQ_REQUIRED));
            e[i].rep = (int16_t)(e[open].rep + (e[i].repetition == TACO__PQ_REPEATED));
            if (depth > max_depth) {
                return taco__meta_limit(j, e[i].at, "schema is nested deeper", max_depth,
                                        "max_depth");
            }
        }
        e[i].leaf = leaves;
        e[i].next = i + 1;
        if (e[i].type != TACO__PQ_GROUP) {
            e[i].leaf_count = 1;
            if (++leaves > max_columns) {
                return taco__meta_limit(j, e[i].at, "schema has more columns", max_columns,
                                        "max_columns");
            }
            continue;
        }
        if (e[i].child_count > n - 1 - i) {
            return TACO__META_BAD(&j->t, e[i].at, "group %q has %u children, %u elements follow",
                                  &e[i].name, TACO__U(e[i].child_count), TACO__U(n - 1 - i));
        }
        e[i].left = e[i].child_count;
        open = i;
        depth++;
    }
    open = taco__meta_close(e, open, n, leaves, &depth, &done);
    if (!done) {
        return TACO__META_BAD(&j->t, e[open].at,
                              "group %q lacks %u of its %u children, the schema ends",
                              &e[open].name, TACO__U(e[open].left), TACO__U(e[open].child_count));
    }
    j->out->leaf_count = leaves;
    return true;
}

/* ---- schema: annotations to types ------------------------------------------------------------ */

/* The annotation as one logical type: it wins over the converted one, which is translated. What follows from the
   annotation (unit, bits, ...) is in *a as well. */
TACO__FN unsigned taco__meta_annotation(const taco__pq_element *e, taco__pq_element *a)
{
    int32_t c = e->converted;
    *a = *e;
    if (e->logical != TACO__PQ_LOGICAL_NONE) {
        return e->logical;
    }
    a->utc = true; /* LogicalTypes.md: the converted types mean instants */
    a->dec_scale = e->scale;
    a->dec_precision = e->precision;
    switch (c) {
    case TACO__PQ_CONVERTED_UTF8: return TACO__PQ_LOGICAL_STRING;
    case TACO__PQ_CONVERTED_MAP:
    case TACO__PQ_CONVERTED_MAP_KEY_VALUE: return TACO__PQ_LOGICAL_MAP;
    case TACO__PQ_CONVERTED_LIST: return TACO__PQ_LOGICAL_LIST;
    case TACO__PQ_CONVERTED_ENUM: return TACO__PQ_LOGICAL_ENUM;
    case TACO__PQ_CONVERTED_DECIMAL: return TACO__PQ_LOGICAL_DECIMAL;
    case TACO__PQ_CONVERTED_DATE: return TACO__PQ_LOGICAL_DATE;
    case TACO__PQ_CONVERTED_TIME_MILLIS: a->unit = TACO_MILLI; return TACO__PQ_LOGICAL_TIME;
    case TACO__PQ_CONVERTED_TIME_MICROS: a->unit = TACO_MICRO; return TACO__PQ_LOGICAL_TIME;
    case TACO__PQ_CONVERTED_TIMESTAMP_MILLIS:
        a->unit = TACO_MILLI;
        return TACO__PQ_LOGICAL_TIMESTAMP;
    case TACO__PQ_CONVERTED_TIMESTAMP_MICROS:
        a->unit = TACO_MICRO;
        return TACO__PQ_LOGICAL_TIMESTAMP;
    case TACO__PQ_CONVERTED_JSON: return TACO__PQ_LOGICAL_JSON;
    case TACO__PQ_CONVERTED_BSON: return TACO__PQ_LOGICAL_BSON;
    case TACO__PQ_CONVERTED_INTERVAL: return TACO__PQ_LOGICAL_INTERVAL;
    default: break;
    }
    if (c >= TACO__PQ_CONVERTED_UINT_8 && c < TACO__PQ_CONVERTED_INT_8 + 4) {
        a->is_signed = c >= TACO__PQ_CONVERTED_INT_8;
        a->bits = (int8_t)(8 << ((c - TACO__PQ_CONVERTED_UINT_8) & 3));
        return TACO__PQ_LOGICAL_INTEGER;
    }
    return TACO__PQ_LOGICAL_NONE;
}
TACO__FN void taco__meta_type(taco_field *f, taco_type type, int32_t width)
{
    f->type = type;
    f->width = width;
}
/* DECIMAL of any physical type; false when it does not fit, and the annotation is ignored. */
TACO__FN bool taco__meta_decimal(taco_field *f, const taco__pq_element *a)
{
    int32_t p = a->dec_precision, s = a->dec_scale;
    bool    bytes = a->type == TACO__PQ_BYTE_ARRAY || a->type == TACO__PQ_FIXED;
    if (p < 1 || s < 0 || s > p || (!bytes && p > 38)) {
        return false;
    }
    taco__meta_type(f, TACO_DECIMAL, p <= 38 ? 16 : p <= 76 ? 32 : 0);
    f->precision = p;
    f->scale = s;
    return true;
}
/* INT32 and INT64; LogicalTypes.md gives every annotation its one physical type and INTEGER(8, 16, 32) the INT32. */
TACO__FN void taco__meta_integer(taco_field *f, const taco__pq_element *a, unsigned logical)
{
    bool wide = a->type == TACO__PQ_INT64;
    taco__meta_type(f, wide ? TACO_INT64 : TACO_INT32, wide ? 8 : 4);
    switch (logical) {
    case TACO__PQ_LOGICAL_DECIMAL: taco__meta_decimal(f, a); break;
    case TACO__PQ_LOGICAL_DATE:
        if (!wide) {
            f->type = TACO_DATE;
        }
        break;
    case TACO__PQ_LOGICAL_TIME:
        if (wide ? a->unit > TACO_MILLI : a->unit == TACO_MILLI) {
            f->type = TACO_TIME;
            f->unit = (taco_unit)a->unit;
            f->utc = a->utc;
        }
        break;
    case TACO__PQ_LOGICAL_TIMESTAMP:
        if (wide && a->unit) {
            f->type = TACO_TIMESTAMP;
            f->unit = (taco_unit)a->unit;
            f->utc = a->utc;
        }
        break;
    case TACO__PQ_LOGICAL_INTEGER:
        if (wide) {
            f->type = a->bits == 64 && !a->is_signed ? TACO_UINT64 : TACO_INT64;
        } else if (a->bits == 8) {
            taco__meta_type(f, a->is_signed ? TACO_INT8 : TACO_UINT8, 1);
        } else if (a->bits == 16) {
            taco__meta_type(f, a->is_signed ? TACO_INT16 : TACO_UINT16, 2);
        } else if (a->bits == 32 && !a->is_signed) {
            f->type = TACO_UINT32;
        }
        break;
    default: break;
    }
}
TACO__FN void taco__meta_leaf_type(taco_field *f, const taco__pq_element *e)
{
    taco__pq_element a;
    unsigned         logical = taco__meta_annotation(e, &a);
    if (logical == TACO__PQ_LOGICAL_NULL) {
        taco__meta_type(f, TACO_NULL, 0);
        return;
    }
    switch (e->type) {
    case TACO__PQ_BOOLEAN: taco__meta_type(f, TACO_BOOL, 0); break;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__meta_integer(f, &a, logical); break;
    case TACO__PQ_INT96: taco__meta_type(f, TACO_INT96, 12); break;
    case TACO__PQ_FLOAT: taco__meta_type(f, TACO_FLOAT, 4); break;
    case TACO__PQ_DOUBLE: taco__meta_type(f, TACO_DOUBLE, 8); break;
    case TACO__PQ_BYTE_ARRAY:
        if (logical == TACO__PQ_LOGICAL_STRING || logical == TACO__PQ_LOGICAL_ENUM ||
            logical == TACO__PQ_LOGICAL_JSON) {
            taco__meta_type(f, TACO_TEXT, 0);
        } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__meta_decimal(f, &a)) {
            taco__meta_type(f, TACO_BINARY, 0);
        }
        break;
    default:
        if (logical == TACO__PQ_LOGICAL_UUID && e->type_length == 16) {
            taco__meta_type(f, TACO_UUID, 16);
        } else if (logical == TACO__PQ_LOGICAL_FLOAT16 && e->type_length == 2) {
            taco__meta_type(f, TACO_HALF, 2);
        } else if (logical == TACO__PQ_LOGICAL_INTERVAL && e->type_length == 12) {
            taco__meta_type(f, TACO_INTERVAL, 12);
        } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__meta_decimal(f, &a)) {
            taco__meta_type(f, TACO_FIXED, e->type_length);
        }
        break;
    }
}

typedef enum taco__meta_shape {
    TACO__META_STRUCT,
    TACO__META_LIST,
    TACO__META_MAP
} taco__meta_shape;

/* What a group is, and in *item the element its items are made of. LogicalTypes.md, "Lists" and "Maps" with their
   backward-compatibility rules; an annotation that does not fit is ignored. */
TACO__FN taco__meta_shape taco__meta_group_shape(const taco__pq_element *all, uint32_t i,
                                                 uint32_t *item)
{
    const taco__pq_element *e = &all[i], *r;
    taco__pq_element        a;
    unsigned                kind = taco__meta_annotation(e, &a), inner;
    static const char       tuple[] = "_tuple";
    if ((kind != TACO__PQ_LOGICAL_LIST && kind != TACO__PQ_LOGICAL_MAP) || e->child_count != 1) {
        return TACO__META_STRUCT;
    }
    r = &all[i + 1];
    *item = i + 1;
    if (r->repetition != TACO__PQ_REPEATED) {
        return TACO__META_STRUCT;
    }
    if (kind == TACO__PQ_LOGICAL_MAP) {
        if (r->type != TACO__PQ_GROUP || r->child_count < 1 || r->child_count > 2) {
            return TACO__META_STRUCT;
        }
        *item += r->child_count == 1; /* keys alone: a list of them */
        return r->child_count == 2 ? TACO__META_MAP : TACO__META_LIST;
    }
    if (r->type != TACO__PQ_GROUP || r->child_count != 1) {
        return TACO__META_LIST; /* the repeated field is the item: a column, or a group of several fields or none */
    }
    if (taco__base_equal(r->name, taco__base_text("array"))) {
        return TACO__META_LIST;
    }
    if (r->name.len == e->name.len + 6 && memcmp(r->name.data + e->name.len, tuple, 6) == 0 &&
        taco__base_equal(taco__base_bytes(r->name.data, e->name.len), e->name)) {
        return TACO__META_LIST;
    }
    inner = taco__meta_annotation(r, &a);
    if (all[i + 2].repetition == TACO__PQ_REPEATED || inner == TACO__PQ_LOGICAL_LIST ||
        inner == TACO__PQ_LOGICAL_MAP) {
        return TACO__META_LIST;
    }
    *item = i + 2; /* three levels: the repeated group only counts, its field is the item */
    return TACO__META_LIST;
}

/* How an element is taken: as a field; as an item, whose repetition the list above it stands for; as the entry of a
   map, whose own annotation (MAP_KEY_VALUE, as old writers have it) means nothing more. */
typedef enum taco__meta_role {
    TACO__META_FIELD,
    TACO__META_ITEM,
    TACO__META_ENTRY
} taco__meta_role;

TACO__FN bool taco__meta_build(taco__meta_job *j, uint32_t i, taco__meta_role role,
                               taco__pq_node *node, taco_field *field); /* recursive */

/* A list or map node with its one child, built of element `item`. */
TACO__FN bool taco__meta_build_list(taco__meta_job *j, uint32_t repeated, uint32_t item,
                                    taco__meta_role role, taco__pq_node *node, taco_field *field)
{
    const taco__pq_element *r = &j->out->elements[repeated];
    taco__pq_node *child = (taco__pq_node *)taco__meta_alloc(&j->t, j->arena, 1, sizeof *child);
    taco_field    *below = (taco_field *)taco__meta_alloc(&j->t, j->arena, 1, sizeof *below);
    if (!child || !below) {
        return false;
    }
    field->type = role == TACO__META_ENTRY ? TACO_MAP : TACO_LIST;
    field->children = below;
    field->child_count = 1;
    node->children = child;
    node->list_def = r->def;
    node->list_rep = r->rep;
    return taco__meta_build(j, item, role, child, below);
}
TACO__FN bool taco__meta_build_struct(taco__meta_job *j, uint32_t i, taco__pq_node **nodes,
                                      taco_field **fields)
{
    const taco__pq_element *e = j->out->elements;
    uint32_t                n = e[i].child_count, c, k;
    *nodes = (taco__pq_node *)taco__meta_alloc(&j->t, j->arena, n, sizeof **nodes);
    *fields = (taco_field *)taco__meta_alloc(&j->t, j->arena, n, sizeof **fields);
    if (!*nodes || !*fields) {
        return false;
    }
    for (k = 0, c = i + 1; k < n; k++, c = e[c].next) {
        if (!taco__meta_build(j, c, TACO__META_FIELD, &(*nodes)[k], &(*fields)[k])) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__meta_build(taco__meta_job *j, uint32_t i, taco__meta_role role,
                               taco__pq_node *node, taco_field *field)
{
    const taco__pq_element *e = &j->out->elements[i];
    taco__meta_shape        shape = TACO__META_STRUCT;
    uint32_t                item = i;
    node->field = field;
    node->element = e;
    node->leaf = field->leaf = e->leaf;
    node->leaf_count = field->leaf_count = e->leaf_count;
    node->def = e->def;
    node->rep = e->rep;
    field->name = e->text;
    if (role == TACO__META_FIELD && e->repetition == TACO__PQ_REPEATED) {
        node->def =
            (int16_t)(e->def - 1); /* there whenever its parent is: such a list is never null */
        node->rep = (int16_t)(e->rep - 1);
        return taco__meta_build_list(j, i, i, TACO__META_ITEM, node, field);
    }
    node->optional = field->nullable = e->repetition == TACO__PQ_OPTIONAL;
    if (e->type != TACO__PQ_GROUP) {
        taco__pq_leaf *leaf = &j->out->leaves[e->leaf];
        taco__meta_leaf_type(field, e);
        leaf->element = e;
        leaf->node = node;
        leaf->field = field;
        leaf->type = e->type;
        leaf->type_length = e->type_length;
        leaf->max_def = e->def;
        leaf->max_rep = e->rep;
        return true;
    }
    if (role != TACO__META_ENTRY) {
        shape = taco__meta_group_shape(j->out->elements, i, &item);
    }
    if (shape == TACO__META_MAP) {
        return taco__meta_build_list(j, i + 1, i + 1, TACO__META_ENTRY, node, field);
    }
    if (shape == TACO__META_LIST) {
        return taco__meta_build_list(
            j, i + 1, item, item == i + 1 ? TACO__META_ITEM : TACO__META_FIELD, node, field);
    } else {
        taco__pq_node *nodes;
        taco_field    *fields;
        bool           ok = taco__meta_build_struct(j, i, &nodes, &fields);
        field->type = TACO_STRUCT;
        field->children = fields;
        field->child_count = e->child_count;
        node->children = nodes;
        return ok;
    }
}
/* FileMetaData.schema: elements, tree, types. */
TACO__FN bool taco__meta_schema(taco__meta_job *j, unsigned type)
{
    taco__thrift  *t = &j->t;
    taco__pq_meta *m = j->out;
    uint64_t       at = taco__thrift_at(t);
    size_t         n = taco__thrift_structs(t, type, 3),
           i; /* an element is a name, two bytes, and a stop */
    uint32_t k;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (n == 0 || n > UINT32_MAX || j->built) {
        return TACO__META_BAD(t, at,
                              n == 0 ? "schema without elements" : "footer has a second schema");
    }
    m->elements = (taco__pq_element *)taco__meta_alloc(t, j->arena, n, sizeof *m->elements);
    m->element_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__meta_element(j, &m->elements[i]);
    }
    if (!taco__thrift_ok(t) || !taco__meta_link(j)) {
        return false;
    }
    m->leaves = (taco__pq_leaf *)taco__meta_alloc(t, j->arena, m->leaf_count, sizeof *m->leaves);
    if (!m->leaves || !taco__meta_build_struct(j, 0, &m->nodes, &m->columns)) {
        return false;
    }
    m->column_count = m->elements[0].child_count;
    for (k = 0; k < m->column_count; k++) {
        uint32_t leaf = m->nodes[k].leaf, end = leaf + m->nodes[k].leaf_count;
        for (; leaf < end; leaf++) {
            m->leaves[leaf].column = k;
        }
    }
    j->built = true;
    return true;
}

/* ---- statistics ------------------------------------------------------------------------------ */

TACO__FN void taco__meta_statistics(taco__thrift *t, unsigned type, taco__pq_stats *s)
{
    taco__thrift_field f;
    taco_bytes         old_min, old_max;
    old_min = old_max = taco__base_bytes(NULL, 0);
    memset(s, 0, sizeof *s);
    s->null_count = s->distinct_count = s->nan_count = -1;
    s->given = true;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: old_max = taco__thrift_binary(t, f.type); break;
            case 2: old_min = taco__thrift_binary(t, f.type); break;
            case 3: s->null_count = taco__thrift_i64(t, f.type); break;
            case 4: s->distinct_count = taco__thrift_i64(t, f.type); break;
            case 5: s->max = taco__thrift_binary(t, f.type); break;
            case 6: s->min = taco__thrift_binary(t, f.type); break;
            case 7: s->max_exact = taco__thrift_bool(t, f.type); break;
            case 8: s->min_exact = taco__thrift_bool(t, f.type); break;
            case 9: s->nan_count = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!s->min.data && !s->max.data && (old_min.data || old_max.data)) {
        s->min = old_min;
        s->max = old_max;
        s->deprecated = true;
    }
}
/* Counts that can not be are not known: they only serve to skip work. */
TACO__FN void taco__meta_tidy(taco__pq_stats *s, int64_t num_values)
{
    if (!s->given || s->null_count < 0 || s->null_count > num_values) {
        s->null_count = -1;
    }
    if (!s->given || s->nan_count < 0 || s->nan_count > num_values) {
        s->nan_count = -1;
    }
    if (!s->given || s->distinct_count < 0 || s->distinct_count > num_values) {
        s->distinct_count = -1;
    }
}

/* ---- column chunks ----------------------------------------------------------------------------- */

/* The path has to name the schema's leaf: a chunk in the wrong place would give another column's values. */
TACO__FN bool taco__meta_check_path(taco__meta_job *j, unsigned type, const taco__pq_leaf *leaf)
{
    taco__thrift           *t = &j->t;
    const taco__pq_element *all = j->out->elements, *e = leaf->element;
    uint64_t                at = taco__thrift_at(t);
    const taco__pq_element *chain[TACO__META_DEPTH_CAP + 2];
    size_t                  depth = 0, i, n;
    uint8_t                 item;
    n = taco__thrift_list(t, type, 1, &item);
    if (n && item != TACO__THRIFT_BINARY) {
        return taco__thrift_wrong(t, item, "a list of names");
    }
    for (; e != all && depth < TACO__COUNT(chain); e = &all[e->parent]) {
        chain[depth++] = e;
    }
    if (n && n != depth && taco__thrift_ok(t)) {
        return TACO__META_BAD(t, at, "path of the column chunk has %u names, the schema's has %u",
                              TACO__U(n), TACO__U(depth));
    }
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        const taco_bytes *want = &chain[depth - 1 - i]->name;
        taco_bytes        name = taco__thrift_binary(t, item);
        if (taco__thrift_ok(t) && !taco__base_equal(name, *want)) {
            return TACO__META_BAD(t, at, "path of the column chunk has %q where the schema has %q",
                                  &name, want);
        }
    }
    return taco__thrift_ok(t);
}
TACO__FN void taco__meta_encodings(taco__thrift *t, unsigned type, taco__pq_chunk *c)
{
    uint8_t item;
    size_t  n = taco__thrift_list(t, type, 1, &item);
    for (; n && taco__thrift_ok(t); n--) {
        int64_t e = taco__thrift_i64(t, item);
        c->encodings |= (uint32_t)1 << (e >= 0 && e < 31 ? e : 31);
    }
}
/* PageEncodingStats: tells whether a dictionary holds every value of the chunk. */
TACO__FN void taco__meta_encoding_stats(taco__thrift *t, unsigned type, taco__pq_chunk *c)
{
    size_t n = taco__thrift_structs(t, type, 1);
    bool   any = false, other = false;
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_field f;
        int64_t            page = -1, encoding = -1, count = 0;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: page = taco__thrift_i64(t, f.type); break;
            case 2: encoding = taco__thrift_i64(t, f.type); break;
            case 3: count = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
        if (count > 0 && (page == TACO__PQ_PAGE_DATA || page == TACO__PQ_PAGE_DATA_V2)) {
            bool dict = encoding == TACO__PQ_ENC_RLE_DICTIONARY ||
                        encoding == TACO__PQ_ENC_PLAIN_DICTIONARY;
            any = any || dict;
            other = other || !dict;
        }
    }
    c->dict_only = any && !other;
}
/* GeospatialStatistics.bbox; x may wrap the antimeridian (xmin > xmax). */
TACO__FN void taco__meta_box(taco__meta_job *j, unsigned type, taco__pq_chunk *c)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    double             v[8];
    unsigned           seen = 0;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            if (f.id >= 1 && f.id <= 8) {
                v[f.id - 1] = taco__thrift_double(t, f.type);
                seen |= 1U << (f.id - 1);
            } else {
                taco__thrift_skip(t, f.type);
            }
        }
    }
    if (!taco__thrift_ok(t) || (seen & 15) != 15) {
        return;
    }
    c->geo = (taco__pq_geo *)taco__meta_alloc(t, j->arena, 1, sizeof *c->geo);
    if (c->geo) {
        c->geo->xmin = v[0];
        c->geo->xmax = v[1];
        c->geo->ymin = v[2];
        c->geo->ymax = v[3];
        c->geo->has_z = (seen >> 4 & 3) == 3;
        c->geo->has_m = (seen >> 6 & 3) == 3;
        c->geo->zmin = c->geo->has_z ? v[4] : 0;
        c->geo->zmax = c->geo->has_z ? v[5] : 0;
        c->geo->mmin = c->geo->has_m ? v[6] : 0;
        c->geo->mmax = c->geo->has_m ? v[7] : 0;
    }
}
TACO__FN void taco__meta_geo(taco__meta_job *j, unsigned type, taco__pq_chunk *c)
{
    taco__thrift_field f;
    if (taco__thrift_struct(&j->t, type, &f)) {
        while (taco__thrift_next(&j->t, &f)) {
            if (f.id == 1) {
                taco__meta_box(j, f.type, c);
            } else {
                taco__thrift_skip(&j->t, f.type);
            }
        }
    }
}
TACO__FN void taco__meta_sizes(taco__thrift *t, unsigned type,
                               taco__pq_chunk *c) /* SizeStatistics */
{
    taco__thrift_field f;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            if (f.id == 1) {
                int64_t n = taco__thrift_i64(t, f.type);
                c->unencoded = TACO__MAX(n, (int64_t)-1);
            } else {
                taco__thrift_skip(t, f.type);
            }
        }
    }
}
/* ColumnMetaData. Writers have used the numbers of later optional fields for things of their own (Dremio: a list as 15):
   there another type is another field, as Thrift has it. */
TACO__FN void taco__meta_chunk_meta(taco__meta_job *j, unsigned type, const taco__pq_leaf *leaf,
                                    taco__pq_chunk *c)
{
    static const uint8_t optional[8] = {
        TACO__THRIFT_I64, TACO__THRIFT_I64, TACO__THRIFT_STRUCT, TACO__THRIFT_LIST,
        TACO__THRIFT_I64, TACO__THRIFT_I32, TACO__THRIFT_STRUCT, TACO__THRIFT_STRUCT};
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    int64_t            bloom = -1, bloom_size = -1;
    if (!taco__thrift_struct(t, type, &f)) {
        return;
    }
    c->has_meta = true;
    while (taco__thrift_next(t, &f)) {
        if (f.id >= 10 && f.id <= 17 && !taco__thrift_same(f.type, optional[f.id - 10])) {
            taco__thrift_skip(t, f.type);
            continue;
        }
        switch (f.id) {
        case 1: c->type = taco__thrift_i32(t, f.type); break;
        case 2: taco__meta_encodings(t, f.type, c); break;
        case 3: taco__meta_check_path(j, f.type, leaf); break;
        case 4: c->codec = taco__thrift_i32(t, f.type); break;
        case 5: c->num_values = taco__meta_count(t, f.type, "num_values"); break;
        case 6:
            c->uncompressed_size = (uint64_t)taco__meta_count(t, f.type, "total_uncompressed_size");
            break;
        case 7:
            c->compressed_size = (uint64_t)taco__meta_count(t, f.type, "total_compressed_size");
            break;
        case 9: c->data_offset = taco__meta_count(t, f.type, "data_page_offset"); break;
        case 10: c->index_page_offset = taco__thrift_i64(t, f.type); break;
        case 11: c->dictionary_offset = taco__thrift_i64(t, f.type); break;
        case 12: taco__meta_statistics(t, f.type, &c->stats); break;
        case 13: taco__meta_encoding_stats(t, f.type, c); break;
        case 14: bloom = taco__thrift_i64(t, f.type); break;
        case 15: bloom_size = taco__thrift_i64(t, f.type); break;
        case 16: taco__meta_sizes(t, f.type, c); break;
        case 17: taco__meta_geo(j, f.type, c); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
    if (bloom > 0) {
        c->bloom.offset = (uint64_t)bloom;
        c->bloom.size = bloom_size > 0 ? (uint64_t)bloom_size : UINT64_MAX;
    }
}
/* ColumnChunk, as it stands; taco__meta_prove judges it. */
TACO__FN bool taco__meta_chunk(taco__meta_job *j, const taco__pq_leaf *leaf, taco__pq_chunk *c)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    int64_t offsets[4] = {0, 0, 0, 0}; /* offset index, its length; column index, its length */
    c->at = taco__thrift_at(t);
    c->type = leaf->type;
    c->data_offset = c->dictionary_offset = c->index_page_offset = c->unencoded = -1;
    c->num_values = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: c->file_path = taco__thrift_binary(t, f.type); break;
            case 3: taco__meta_chunk_meta(j, f.type, leaf, c); break;
            case 4:
            case 5:
            case 6:
            case 7: offsets[f.id - 4] = taco__thrift_i64(t, f.type); break;
            case 8:
            case 9:
                c->encrypted = true;
                taco__thrift_skip(t, f.type);
                break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (offsets[0] > 0 && offsets[1] > 0) {
        c->offset_index.offset = (uint64_t)offsets[0];
        c->offset_index.size = (uint64_t)offsets[1];
    }
    if (offsets[2] > 0 && offsets[3] > 0) {
        c->column_index.offset = (uint64_t)offsets[2];
        c->column_index.size = (uint64_t)offsets[3];
    }
    return taco__thrift_ok(t);
}
/* Indexes and filters only make reads faster: one that can not be where it is said to be is as good as none. */
TACO__FN void taco__meta_prove_extra(taco__pq_range *r, uint64_t end)
{
    uint64_t size = r->size == UINT64_MAX ? 1 : r->size;
    if (r->offset < TACO__META_MAGIC || !taco__base_inside(r->offset, size, end)) {
        r->offset = r->size = 0;
    }
}
/* The byte range of a chunk's pages. A dictionary stands in front of the data, and data_page_offset of some writers
   points at it; dictionary_page_offset 0 means that there is none; a chunk without data pages has data_page_offset 0. */
TACO__FN bool taco__meta_prove_pages(taco__meta_job *j, taco__pq_chunk *c)
{
    const taco__pq_meta *m = j->out;
    int64_t              start = c->data_offset, dict = c->dictionary_offset;
    uint64_t             end;
    bool                 in_file, in_front;
    if (dict > 0 && (dict < start || start <= 0)) {
        start = dict;
    }
    in_file = start >= TACO__META_MAGIC &&
              taco__base_inside((uint64_t)start, c->compressed_size, m->file_size);
    in_front = in_file && (uint64_t)start + c->compressed_size <= m->footer_offset;
    if (c->file_path.len && !in_front) {
        c->external = true;
        return true;
    }
    if (in_front) {
        c->pages.offset = (uint64_t)start;
        c->pages.size = c->compressed_size;
    }
    if (c->num_values == 0) {
        return true; /* nothing to read, wherever it is said to be */
    }
    if (in_front && c->compressed_size > 0) {
        return true;
    }
    if (start < TACO__META_MAGIC) {
        return TACO__META_BAD(&j->t, c->at,
                              "pages begin at byte %d, the first 4 bytes are the magic", start);
    }
    if (c->compressed_size == 0) {
        return TACO__META_BAD(&j->t, c->at, "%u values in 0 bytes of pages",
                              TACO__U(c->num_values));
    }
    end = (uint64_t)start + c->compressed_size; /* both are below 2^63 */
    if (in_file) {
        return TACO__META_BAD(&j->t, c->at, "pages end at byte %u, the footer begins at %u", end,
                              m->footer_offset);
    }
    TACO__FAIL(j->t.err, TACO_ERR_TRUNCATED, c->at, "pages end at byte %u, the file has %u", end,
               m->file_size);
    return taco__thrift_stop(&j->t, TACO_ERR_TRUNCATED);
}
TACO__FN bool taco__meta_prove(taco__meta_job *j, const taco__pq_leaf *leaf, int64_t rows,
                               taco__pq_chunk *c)
{
    uint64_t footer = j->out->footer_offset;
    taco__meta_prove_extra(&c->column_index, footer);
    taco__meta_prove_extra(&c->offset_index, footer);
    taco__meta_prove_extra(&c->bloom, footer);
    taco__meta_tidy(&c->stats, c->num_values);
    if (c->encrypted) {
        c->num_values = TACO__MAX(c->num_values, (int64_t)0);
        return true;
    }
    if (!c->has_meta) {
        return TACO__META_BAD(&j->t, c->at, "column chunk without metadata");
    }
    if (c->type != leaf->type) {
        return TACO__META_BAD(&j->t, c->at,
                              "column chunk has the physical type %d, the schema says %d",
                              TACO__D(c->type), TACO__D(leaf->type));
    }
    if (c->num_values < 0 || c->data_offset < 0) {
        return TACO__META_BAD(&j->t, c->at, "column chunk without %s",
                              c->num_values < 0 ? "num_values" : "data_page_offset");
    }
    if (leaf->max_rep == 0 ? c->num_values != rows
                           : c->num_values < rows) { /* every row has a level entry at least */
        return TACO__META_BAD(&j->t, c->at, "column chunk has %d values, its row group has %d rows",
                              c->num_values, rows);
    }
    return taco__meta_prove_pages(j, c);
}

/* ---- row groups ---------------------------------------------------------------------------------- */

TACO__FN bool taco__meta_chunks(taco__meta_job *j, unsigned type, size_t number, taco__pq_group *g)
{
    taco__thrift  *t = &j->t;
    taco__pq_meta *m = j->out;
    uint64_t       at = taco__thrift_at(t);
    size_t         n = taco__thrift_structs(t, type, 5), i;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (n != m->leaf_count || g->chunks) {
        return TACO__META_BAD(
            t, at, "row group %u has %s%u column chunks, the schema has %u columns",
            TACO__U(number), g->chunks ? "again " : "", TACO__U(n), TACO__U(m->leaf_count));
    }
    g->chunks = (taco__pq_chunk *)taco__meta_alloc(t, j->arena, n, sizeof *g->chunks);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        if (!taco__meta_chunk(j, &m->leaves[i], &g->chunks[i])) {
            taco__meta_prefix(m, t->err, number, i);
        }
    }
    return taco__thrift_ok(t);
}
/* Sorting columns are a hint: what can not be is left out. */
TACO__FN void taco__meta_sorting(taco__meta_job *j, unsigned type, taco__pq_group *g)
{
    taco__thrift *t = &j->t;
    size_t        n = taco__thrift_structs(t, type, 1);
    g->sort = (taco__pq_sort *)taco__meta_alloc(t, j->arena, n, sizeof *g->sort);
    g->sort_count = 0;
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_field f;
        int64_t            leaf = -1;
        bool               descending = false, nulls_first = false;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: leaf = taco__thrift_i64(t, f.type); break;
            case 2: descending = taco__thrift_bool(t, f.type); break;
            case 3: nulls_first = taco__thrift_bool(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
        if (leaf >= 0 && leaf < j->out->leaf_count) {
            taco__pq_sort *s = &g->sort[g->sort_count++];
            s->leaf = (uint32_t)leaf;
            s->descending = descending;
            s->nulls_first = nulls_first;
        }
    }
}
TACO__FN bool taco__meta_group(taco__meta_job *j, size_t number, taco__pq_group *g)
{
    taco__thrift      *t = &j->t;
    taco__thrift_field f;
    uint32_t           i;
    g->at = taco__thrift_at(t);
    g->rows = g->file_offset = g->total_compressed_size = g->ordinal = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: taco__meta_chunks(j, f.type, number, g); break;
            case 2: g->total_byte_size = (uint64_t)taco__thrift_i64(t, f.type); break;
            case 3: g->rows = taco__meta_count(t, f.type, "num_rows of a row group"); break;
            case 4: taco__meta_sorting(j, f.type, g); break;
            case 5: g->file_offset = taco__thrift_i64(t, f.type); break;
            case 6: g->total_compressed_size = taco__thrift_i64(t, f.type); break;
            case 7: g->ordinal = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (g->rows < 0 || (!g->chunks && j->out->leaf_count)) {
        return TACO__META_BAD(t, g->at, "row group %u has no %s", TACO__U(number),
                              g->rows < 0 ? "num_rows" : "columns");
    }
    for (i = 0; i < j->out->leaf_count; i++) {
        if (!taco__meta_prove(j, &j->out->leaves[i], g->rows, &g->chunks[i])) {
            taco__meta_prefix(j->out, t->err, number, i);
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__meta_groups(taco__meta_job *j, unsigned type)
{
    taco__thrift  *t = &j->t;
    taco__pq_meta *m = j->out;
    uint64_t       at = taco__thrift_at(t);
    size_t         n = taco__thrift_structs(t, type, 3), i; /* num_rows, two bytes, and a stop */
    int64_t        rows = 0;
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (m->groups || n > UINT32_MAX) {
        return TACO__META_BAD(t, at, "footer has a second list of row groups");
    }
    m->groups = (taco__pq_group *)taco__meta_alloc(t, j->arena, n, sizeof *m->groups);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        if (!taco__meta_group(j, i, &m->groups[i])) {
            return false;
        }
        m->groups[i].first_row = rows;
        if (m->groups[i].rows > INT64_MAX - rows) {
            return TACO__META_BAD(t, m->groups[i].at, "row groups have more than 2^63 rows");
        }
        rows += m->groups[i].rows;
    }
    m->group_count = (uint32_t)n;
    m->num_rows = rows;
    return taco__thrift_ok(t);
}

/* ---- footer ---------------------------------------------------------------------------------------- */

TACO__FN void taco__meta_pairs(taco__meta_job *j, unsigned type)
{
    taco__thrift  *t = &j->t;
    taco__pq_meta *m = j->out;
    size_t         n = taco__thrift_structs(t, type, 1), i;
    m->pairs = (taco__pq_pair *)taco__meta_alloc(t, j->arena, n, sizeof *m->pairs);
    m->pair_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__thrift_field f;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: m->pairs[i].key = taco__thrift_binary(t, f.type); break;
            case 2: m->pairs[i].value = taco__thrift_binary(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
/* ColumnOrder, one per leaf. A list of another length says nothing about any column. */
TACO__FN void taco__meta_orders(taco__meta_job *j, unsigned type)
{
    taco__thrift *t = &j->t;
    size_t        n = taco__thrift_structs(t, type, 1), i;
    j->out->has_orders = n == j->out->leaf_count;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__thrift_field f;
        uint8_t            order = TACO__PQ_ORDER_OTHER;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            order = f.id >= TACO__PQ_ORDER_TYPE && f.id <= TACO__PQ_ORDER_INT96
                        ? (uint8_t)f.id
                        : (uint8_t)TACO__PQ_ORDER_OTHER;
            taco__thrift_skip(t, f.type);
        }
        if (j->out->has_orders) {
            j->out->leaves[i].order = order;
        }
    }
}
/* EncryptionAlgorithm: the union's member is all that matters here. */
TACO__FN void taco__meta_encryption(taco__meta_job *j, unsigned type)
{
    taco__thrift_field f;
    j->out->encryption = 255;
    if (taco__thrift_struct(&j->t, type, &f)) {
        while (taco__thrift_next(&j->t, &f)) {
            j->out->encryption = (uint8_t)(f.id > 0 && f.id < 255 ? f.id : 255);
            taco__thrift_skip(&j->t, f.type);
        }
    }
}
/* True when created_by names `app` of a version below `below` (three numbers). No version counts as 0.0.0. */
TACO__FN bool taco__meta_older(taco_bytes created_by, const char *app, const unsigned below[3])
{
    size_t   n = strlen(app), at, i;
    uint32_t v[3] = {0, 0, 0};
    if (!taco__base_starts(created_by, app) || (created_by.len > n && created_by.data[n] != ' ')) {
        return false;
    }
    at = n;
    if (taco__base_starts(taco__base_bytes(created_by.data + at, created_by.len - at),
                          " version ")) {
        at += 9;
        for (i = 0; i < 3; i++) {
            for (; at < created_by.len && created_by.data[at] >= '0' &&
                   created_by.data[at] <= '9' && v[i] < 100000;
                 at++) {
                v[i] = v[i] * 10 + (uint32_t)(created_by.data[at] - '0');
            }
            if (at >= created_by.len || created_by.data[at] != '.') {
                break;
            }
            at++;
        }
    }
    for (i = 0; i < 3; i++) {
        if (v[i] != below[i]) {
            return v[i] < below[i];
        }
    }
    return false;
}
/* Errors of known writers that their files are old enough to have. */
TACO__FN void taco__meta_writer(taco__pq_meta *m)
{
    static const unsigned mr_binary[3] = {1, 8, 0}, cpp_flag[3] = {2, 0, 0}, any[3] = {99999, 0, 0};
    m->distrust_binary =
        m->created_by.len == 0 || taco__meta_older(m->created_by, "parquet-mr", mr_binary);
    m->distrust_decimal = taco__meta_older(m->created_by, "parquet-cpp", any);
    m->always_compressed = taco__meta_older(m->created_by, "parquet-cpp", cpp_flag);
}
/* FileMetaData. Row groups and column orders make sense only behind the schema, and stand there in every file we know;
   should they not, they are read in a second go. */
TACO__FN bool taco__meta_file(taco__meta_job *j)
{
    taco__thrift      *t = &j->t;
    taco__pq_meta     *m = j->out;
    taco__thrift_field f;
    taco__cur          groups = t->cur, orders = t->cur;
    uint8_t            groups_type = 0, orders_type = 0;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: m->version = taco__thrift_i32(t, f.type); break;
            case 2: taco__meta_schema(j, f.type); break;
            case 3: m->claimed_rows = taco__thrift_i64(t, f.type); break;
            case 4:
                groups = t->cur;
                groups_type = f.type;
                if (j->built) {
                    taco__meta_groups(j, f.type);
                } else {
                    taco__thrift_skip(t, f.type);
                }
                break;
            case 5: taco__meta_pairs(j, f.type); break;
            case 6: m->created_by = taco__thrift_binary(t, f.type); break;
            case 7:
                orders = t->cur;
                orders_type = f.type;
                taco__thrift_skip(t, f.type);
                break;
            case 8: taco__meta_encryption(j, f.type); break;
            case 9: m->signing_key = taco__thrift_binary(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) {
        return false;
    }
    if (!j->built || !groups_type) {
        return TACO__META_BAD(t, t->base, "footer has no %s", j->built ? "row groups" : "schema");
    }
    if (!m->groups) {
        t->cur = groups;
        taco__meta_groups(j, groups_type);
    }
    if (orders_type && taco__thrift_ok(t)) {
        t->cur = orders;
        taco__meta_orders(j, orders_type);
    }
    return taco__thrift_ok(t);
}
/* Parses and proves a footer (the bytes between the last page and the footer's length) that begins at footer_offset of
   a file of file_size bytes. Everything in *out lives in the arena or in `footer`, which both have to outlive it; on
   failure *out is not to be used. Bytes behind the FileMetaData (a signature) are not looked at. limits may be NULL. */
TACO__FN taco_status taco__meta_parse(taco__arena *arena, taco_bytes footer, uint64_t file_size,
                                      uint64_t footer_offset, const taco_limits *limits,
                                      taco__pq_meta *out, taco_error *err)
{
    taco__meta_job j;
    memset(&j, 0, sizeof j);
    memset(out, 0, sizeof *out);
    taco__thrift_init(&j.t, footer, footer_offset, "footer", false, err);
    j.arena = arena;
    j.limits = limits;
    j.out = out;
    out->file_size = file_size;
    out->footer_offset = footer_offset;
    out->footer_size = footer.len;
    if (taco__meta_file(&j)) {
        taco__meta_writer(out);
    }
    return j.t.status;
}
/* Index of the column of that name, the first of several; false when there is none. */
TACO__FN bool taco__meta_find(const taco__pq_meta *m, taco_bytes name, uint32_t *column)
{
    uint32_t i;
    for (i = 0; i < m->column_count; i++) {
        if (taco__base_equal(m->nodes[i].element->name, name)) {
            *column = i;
            return true;
        }
    }
    return false;
}

/* ---- page headers ------------------------------------------------------------------------------------ */

TACO__FN void taco__meta_data_page(taco__thrift *t, unsigned type, taco__pq_page *p)
{
    taco__thrift_field f;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: p->num_values = taco__meta_count32(t, f.type, "num_values of a page"); break;
            case 2: p->encoding = taco__thrift_i32(t, f.type); break;
            case 3: p->def_encoding = taco__thrift_i32(t, f.type); break;
            case 4: p->rep_encoding = taco__thrift_i32(t, f.type); break;
            case 5: taco__meta_statistics(t, f.type, &p->stats); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
TACO__FN void taco__meta_dictionary_page(taco__thrift *t, unsigned type, taco__pq_page *p)
{
    taco__thrift_field f;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1:
                p->num_values = taco__meta_count32(t, f.type, "num_values of a dictionary");
                break;
            case 2: p->encoding = taco__thrift_i32(t, f.type); break;
            case 3: p->is_sorted = taco__thrift_bool(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
TACO__FN void taco__meta_data_page_v2(taco__thrift *t, unsigned type, taco__pq_page *p)
{
    taco__thrift_field f;
    if (taco__thrift_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: p->num_values = taco__meta_count32(t, f.type, "num_values of a page"); break;
            case 2: p->num_nulls = taco__meta_count32(t, f.type, "num_nulls of a page"); break;
            case 3: p->num_rows = taco__meta_count32(t, f.type, "num_rows of a page"); break;
            case 4: p->encoding = taco__thrift_i32(t, f.type); break;
            case 5:
                p->def_len = taco__meta_count32(t, f.type, "definition_levels_byte_length");
                break;
            case 6:
                p->rep_len = taco__meta_count32(t, f.type, "repetition_levels_byte_length");
                break;
            case 7: p->is_compressed = taco__thrift_bool(t, f.type); break;
            case 8: taco__meta_statistics(t, f.type, &p->stats); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}
/* What a v2 page says about its parts has to fit the whole. */
TACO__FN bool taco__meta_prove_v2(taco__thrift *t, const taco__pq_page *p)
{
    uint64_t levels = (uint64_t)p->def_len + p->rep_len;
    if (levels > p->compressed_size || levels > p->uncompressed_size) {
        return TACO__META_BAD(t, t->base, "page has %u bytes of levels, its body has %u", levels,
                              TACO__U(TACO__MIN(p->compressed_size, p->uncompressed_size)));
    }
    if (p->num_nulls > p->num_values || p->num_rows > p->num_values) {
        return TACO__META_BAD(t, t->base, "page has %u nulls and %u rows, but %u values",
                              TACO__U(p->num_nulls), TACO__U(p->num_rows), TACO__U(p->num_values));
    }
    return true;
}
/* Parses the page header at the beginning of `in`, which stands at file_offset, and tells its length. TRUNCATED: the
   header runs past `in`, more bytes may help. CORRUPT: none will. */
TACO__FN taco_status taco__meta_page(taco_bytes in, uint64_t file_offset, taco__pq_page *out,
                                     size_t *header_len, taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    unsigned           seen = 0;
    memset(out, 0, sizeof *out);
    out->is_compressed = true;
    out->stats.null_count = out->stats.distinct_count = out->stats.nan_count = -1;
    *header_len = 0;
    taco__thrift_init(&t, in, file_offset, "page header", true, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        if (f.id >= 1 && f.id <= 8) {
            seen |= 1U << f.id;
        }
        switch (f.id) {
        case 1: out->type = taco__thrift_i32(&t, f.type); break;
        case 2:
            out->uncompressed_size = taco__meta_count32(&t, f.type, "uncompressed_page_size");
            break;
        case 3:
            out->compressed_size = taco__meta_count32(&t, f.type, "compressed_page_size");
            break;
        case 4: out->crc = (uint32_t)taco__thrift_i64(&t, f.type); break;
        case 5: taco__meta_data_page(&t, f.type, out); break;
        case 7: taco__meta_dictionary_page(&t, f.type, out); break;
        case 8: taco__meta_data_page_v2(&t, f.type, out); break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    out->has_crc = (seen >> 4 & 1) != 0;
    if (taco__thrift_ok(&t)) {
        static const uint8_t body[4] = {5, 0, 7, 8}; /* by page type: the field that describes it */
        const unsigned       parts = 1U << 5 | 1U << 7 | 1U << 8;
        unsigned             need = out->type >= 0 && out->type <= 3 ? body[out->type] : 0;
        if ((seen & 14) != 14) {
            TACO__META_BAD(&t, file_offset, "page header without %s",
                           !(seen & 2)   ? "type"
                           : !(seen & 4) ? "uncompressed_page_size"
                                         : "compressed_page_size");
        } else if ((seen & parts) !=
                   (1U << need & parts)) { /* another part's numbers would pass for this one's */
            TACO__META_BAD(&t, file_offset, "page header of type %d %s", TACO__D(out->type),
                           seen & parts & ~(1U << need) ? "has another type's part"
                                                        : "lacks its part");
        } else if (out->type == TACO__PQ_PAGE_DATA_V2) {
            taco__meta_prove_v2(&t, out);
        }
    }
    if (taco__thrift_ok(&t)) {
        taco__meta_tidy(&out->stats, out->num_values);
        *header_len = taco__cur_pos(&t.cur);
    }
    return t.status;
}

/* ---- page indexes ------------------------------------------------------------------------------------ */

TACO__FN bool taco__meta_pages(taco__thrift *t, size_t n, size_t *pages, const char *name)
{
    if (*pages == SIZE_MAX) {
        *pages = n;
    }
    if (taco__thrift_ok(t) && n != *pages) {
        return TACO__META_BAD(t, taco__thrift_at(t), "%s has %u entries, there are %u pages", name,
                              TACO__U(n), TACO__U(*pages));
    }
    return taco__thrift_ok(t);
}
TACO__FN const uint8_t *taco__meta_bools(taco__thrift *t, taco__arena *arena, unsigned type,
                                         size_t *pages)
{
    uint8_t item, *p;
    size_t  n = taco__thrift_list(t, type, 1, &item), i;
    if (n && item != TACO__THRIFT_TRUE && item != TACO__THRIFT_FALSE) {
        taco__thrift_wrong(t, item, "a list of booleans");
    }
    if (!taco__meta_pages(t, n, pages, "null_pages")) {
        return NULL;
    }
    p = (uint8_t *)taco__meta_alloc(t, arena, n, 1);
    for (i = 0; i < n && p; i++) {
        p[i] = taco__thrift_bool_item(t);
    }
    return p;
}
TACO__FN taco_bytes *taco__meta_binaries(taco__thrift *t, taco__arena *arena, unsigned type,
                                         size_t *pages, const char *name)
{
    uint8_t     item;
    size_t      n = taco__thrift_list(t, type, 1, &item), i;
    taco_bytes *p;
    if (!taco__meta_pages(t, n, pages, name)) {
        return NULL;
    }
    p = (taco_bytes *)taco__meta_alloc(t, arena, n, sizeof *p);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        p[i] = taco__thrift_binary(t, item);
    }
    return p;
}
TACO__FN const int64_t *taco__meta_counts(taco__thrift *t, taco__arena *arena, unsigned type,
                                          size_t *pages, const char *name)
{
    uint8_t  item;
    size_t   n = taco__thrift_list(t, type, 1, &item), i;
    int64_t *p;
    if (!taco__meta_pages(t, n, pages, name)) {
        return NULL;
    }
    p = (int64_t *)taco__meta_alloc(t, arena, n, sizeof *p);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        int64_t x = taco__thrift_i64(t, item);
        p[i] = TACO__MAX(x, (int64_t)-1);
    }
    return p;
}
/* Parses a ColumnIndex that stands at file_offset. Its lists are as long as one another and as `pages` (SIZE_MAX = as
   many as there are). Slices point into `in`. */
TACO__FN taco_status taco__meta_column_index(taco__arena *arena, taco_bytes in,
                                             uint64_t file_offset, size_t pages,
                                             taco__pq_column_index *out, taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    memset(out, 0, sizeof *out);
    taco__thrift_init(&t, in, file_offset, "column index", false, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        switch (f.id) {
        case 1: out->null_pages = taco__meta_bools(&t, arena, f.type, &pages); break;
        case 2: out->min = taco__meta_binaries(&t, arena, f.type, &pages, "min_values"); break;
        case 3: out->max = taco__meta_binaries(&t, arena, f.type, &pages, "max_values"); break;
        case 4: out->boundary_order = taco__thrift_i32(&t, f.type); break;
        case 5:
            out->null_counts = taco__meta_counts(&t, arena, f.type, &pages, "null_counts");
            break;
        case 8: out->nan_counts = taco__meta_counts(&t, arena, f.type, &pages, "nan_counts"); break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    if (taco__thrift_ok(&t) && (!out->null_pages || !out->min || !out->max)) {
        TACO__META_BAD(&t, file_offset, "column index without %s",
                       !out->null_pages ? "null_pages"
                       : !out->min      ? "min_values"
                                        : "max_values");
    }
    if (out->boundary_order < 0 || out->boundary_order > 2) {
        out->boundary_order = 0;
    }
    out->pages = pages;
    return t.status;
}
TACO__FN void taco__meta_location(taco__thrift *t, taco__pq_location *p,
                                  const taco__pq_range *chunk)
{
    taco__thrift_field f;
    uint64_t           at = taco__thrift_at(t);
    p->first_row = -1;
    taco__thrift_begin(t, &f);
    while (taco__thrift_next(t, &f)) {
        switch (f.id) {
        case 1: p->offset = (uint64_t)taco__meta_count(t, f.type, "offset of a page"); break;
        case 2: p->size = taco__meta_count32(t, f.type, "compressed_page_size"); break;
        case 3: p->first_row = taco__meta_count(t, f.type, "first_row_index"); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
    if (taco__thrift_ok(t) &&
        (p->size == 0 || p->first_row < 0 || p->offset < chunk->offset ||
         !taco__base_inside(p->offset - chunk->offset, p->size, chunk->size))) {
        TACO__META_BAD(t, at, "page of %u bytes at byte %u, its column chunk has %u from byte %u",
                       TACO__U(p->size), p->offset, chunk->size, chunk->offset);
    }
}
/* Parses an OffsetIndex that stands at file_offset: data pages of a chunk of a row group of `rows` rows, all inside the
   chunk, none before another's end, the first at row 0, rows ascending. */
TACO__FN taco_status taco__meta_offset_index(taco__arena *arena, taco_bytes in,
                                             uint64_t file_offset, const taco__pq_chunk *chunk,
                                             int64_t rows, taco__pq_offset_index *out,
                                             taco_error *err)
{
    taco__thrift       t;
    taco__thrift_field f;
    size_t             i;
    memset(out, 0, sizeof *out);
    taco__thrift_init(&t, in, file_offset, "offset index", false, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        if (f.id != 1) {
            taco__thrift_skip(&t, f.type);
            continue;
        }
        out->pages =
            taco__thrift_structs(&t, f.type, 7); /* three numbers with their headers, and a stop */
        out->page = (taco__pq_location *)taco__meta_alloc(&t, arena, out->pages, sizeof *out->page);
        for (i = 0; i < out->pages && taco__thrift_ok(&t); i++) {
            taco__pq_location *p = &out->page[i], *last = i ? p - 1 : NULL;
            uint64_t           at = taco__thrift_at(&t);
            taco__meta_location(&t, p, &chunk->pages);
            if (taco__thrift_ok(&t) &&
                (last ? p->offset < last->offset + last->size || p->first_row < last->first_row
                      : p->first_row != 0)) {
                TACO__META_BAD(&t, at,
                               "page %u at byte %u, row %d, does not follow the one before it",
                               TACO__U(i), p->offset, p->first_row);
            } else if (p->first_row > rows) {
                TACO__META_BAD(&t, at, "page %u begins at row %d, its row group has %d", TACO__U(i),
                               p->first_row, rows);
            }
        }
    }
    if (taco__thrift_ok(&t) && !out->page) {
        TACO__META_BAD(&t, file_offset, "offset index without page_locations");
    }
    return t.status;
}

/* ==== ROOM stats: what min, max and null counts prove about the values of a chunk or page. Uses: meta.
   Spec: parquet.thrift, Statistics and ColumnOrder ==== */

typedef enum taco__stats_rank { /* how the values of a leaf compare */
                                TACO__STATS_UNORDERED,
                                TACO__STATS_SIGNED, /* integers, BOOLEAN among them */
                                TACO__STATS_UNSIGNED,
                                TACO__STATS_FLOATS,  /* HALF, FLOAT, DOUBLE */
                                TACO__STATS_BYTES,   /* unsigned bytewise */
                                TACO__STATS_DECIMALS /* big-endian two's complement, any length */
} taco__stats_rank;

/* Bounds of the non-null values of a chunk or page, as PLAIN-encoded slices (byte arrays without length). */
typedef struct taco__pq_bounds {
    taco_bytes min, max; /* data NULL = not known */
    int64_t    null_count,
        nan_count; /* -1 = not known. NaN lies outside min and max: it has to be counted separately */
    bool min_exact, max_exact; /* false: the value may not occur, it only bounds */
} taco__pq_bounds;

TACO__FN taco__stats_rank taco__stats_ranking(const taco__pq_leaf *leaf)
{
    unsigned logical = leaf->element->logical;
    switch (leaf->field->type) {
    case TACO_BOOL:
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP:
        return logical == TACO__PQ_LOGICAL_OTHER ? TACO__STATS_UNORDERED : TACO__STATS_SIGNED;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
    case TACO_UINT64: return TACO__STATS_UNSIGNED;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE:
        return logical == TACO__PQ_LOGICAL_OTHER ? TACO__STATS_UNORDERED : TACO__STATS_FLOATS;
    case TACO_DECIMAL:
        return leaf->type == TACO__PQ_INT32 || leaf->type == TACO__PQ_INT64 ? TACO__STATS_SIGNED
                                                                            : TACO__STATS_DECIMALS;
    case TACO_TEXT:
    case TACO_UUID: return TACO__STATS_BYTES;
    case TACO_BINARY:
    case TACO_FIXED: /* an annotation that was ignored may have had an order of its own */
        return logical == TACO__PQ_LOGICAL_NONE || logical == TACO__PQ_LOGICAL_BSON
                   ? TACO__STATS_BYTES
                   : TACO__STATS_UNORDERED;
    default: return TACO__STATS_UNORDERED;
    }
}
/* An integer of 1 (BOOLEAN), 4 or 8 bytes. */
TACO__FN int64_t taco__stats_integer_of(taco_bytes b)
{
    return b.len == 8   ? (int64_t)taco__base_le64(b.data)
           : b.len == 4 ? (int64_t)(int32_t)taco__base_le32(b.data)
                        : b.data[0];
}
/* HALF, FLOAT or DOUBLE as the bits of its own format; false for NaN. Sign and magnitude become one signed number that
   orders as the values do; -0 and +0 are both 0. */
TACO__FN bool taco__stats_float_of(taco_bytes b, int64_t *order)
{
    uint64_t x = b.len == 8   ? taco__base_le64(b.data)
                 : b.len == 4 ? taco__base_le32(b.data)
                              : taco__base_le16(b.data);
    uint64_t sign = (uint64_t)1 << (b.len * 8 - 1), magnitude = x & (sign - 1);
    uint64_t infinite = b.len == 8   ? (uint64_t)0x7FF << 52
                        : b.len == 4 ? (uint64_t)0xFF << 23
                                     : (uint64_t)0x1F << 10;
    *order = x & sign ? -(int64_t)magnitude : (int64_t)magnitude;
    return magnitude <= infinite;
}
/* Big-endian two's complement of any length, none of them empty. */
TACO__FN int taco__stats_order_decimal(taco_bytes a, taco_bytes b)
{
    bool   minus = a.data[0] >> 7 != 0;
    size_t n = TACO__MAX(a.len, b.len), i;
    if (minus != (b.data[0] >> 7 != 0)) {
        return minus ? -1 : 1;
    }
    for (i = 0; i < n; i++) { /* both as if sign-extended to n bytes */
        uint8_t fill = (uint8_t)(minus ? 0xFF : 0);
        uint8_t x = i < n - a.len ? fill : a.data[i - (n - a.len)];
        uint8_t y = i < n - b.len ? fill : b.data[i - (n - b.len)];
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}
/* Compares two PLAIN values of a leaf in the order of its type; both have passed taco__stats_usable. */
TACO__FN int taco__stats_compare(taco__stats_rank rank, taco_bytes a, taco_bytes b)
{
    int64_t x = 0, y = 0;
    switch (rank) {
    case TACO__STATS_BYTES: return taco__base_order(a, b);
    case TACO__STATS_DECIMALS: return taco__stats_order_decimal(a, b);
    case TACO__STATS_UNSIGNED: {
        uint64_t u = (uint64_t)taco__stats_integer_of(a),
                 v = (uint64_t)taco__stats_integer_of(b); /* sign extension keeps the order */
        return (u > v) - (u < v);
    }
    case TACO__STATS_FLOATS:
        taco__stats_float_of(a, &x);
        taco__stats_float_of(b, &y);
        break;
    default:
        x = taco__stats_integer_of(a);
        y = taco__stats_integer_of(b);
        break;
    }
    return (x > y) - (x < y);
}
/* True when b can be a value of the leaf: its length, NaN, and the width the annotation narrows it to. */
TACO__FN bool taco__stats_usable(const taco__pq_leaf *leaf, taco_bytes b)
{
    static const uint8_t lengths[6] = {1, 4, 8, 12, 4, 8}; /* by physical type */
    int64_t              x;
    if (!b.data) {
        return false;
    }
    if (leaf->type == TACO__PQ_BYTE_ARRAY) {
        return b.len > 0 || leaf->field->type != TACO_DECIMAL;
    }
    if (leaf->type == TACO__PQ_FIXED) { /* bounds that are compared bytewise may be cut short */
        return leaf->field->type == TACO_FIXED
                   ? b.len <= (size_t)leaf->type_length
                   : b.len == (size_t)leaf->type_length &&
                         (leaf->field->type != TACO_HALF || taco__stats_float_of(b, &x));
    }
    if (b.len != lengths[leaf->type]) {
        return false;
    }
    switch (
        leaf->field
            ->type) { /* values are taken modulo the narrow width, which their bounds would miss */
    case TACO_BOOL: return b.data[0] <= 1;
    case TACO_INT8: x = taco__stats_integer_of(b); return x >= INT8_MIN && x <= INT8_MAX;
    case TACO_INT16: x = taco__stats_integer_of(b); return x >= INT16_MIN && x <= INT16_MAX;
    case TACO_UINT8: x = taco__stats_integer_of(b); return x >= 0 && x <= UINT8_MAX;
    case TACO_UINT16: x = taco__stats_integer_of(b); return x >= 0 && x <= UINT16_MAX;
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__stats_float_of(b, &x);
    default: return true;
    }
}
/* parquet.thrift, ColumnOrder: a minimum of +0 may stand for -0 as well, and a maximum of -0 for +0. */
TACO__FN void taco__stats_widen_zero(taco__pq_bounds *b)
{
    static const uint8_t plus[8] = {0, 0, 0, 0, 0, 0, 0, 0}, minus[8] = {0, 0, 0, 0, 0, 0, 0, 0x80};
    int64_t              x;
    if (b->min.data && taco__stats_float_of(b->min, &x) && x == 0) {
        b->min.data = minus + 8 - b->min.len;
    }
    if (b->max.data && taco__stats_float_of(b->max, &x) && x == 0) {
        b->max.data = plus;
    }
}
/* Whether the order the bounds were made in is the order of the type. */
TACO__FN bool taco__stats_trusted(const taco__pq_meta *m, const taco__pq_leaf *leaf,
                                  taco__stats_rank rank, const taco__pq_stats *s)
{
    bool same =
        s->min.data && s->max.data && taco__base_equal(s->min, s->max); /* then any order agrees */
    if (rank == TACO__STATS_UNORDERED || (rank == TACO__STATS_DECIMALS && m->distrust_decimal)) {
        return false;
    }
    if (s->deprecated) { /* always signed, and for byte arrays also plainly wrong in old files */
        if (rank == TACO__STATS_BYTES || rank == TACO__STATS_DECIMALS) {
            return same && !m->distrust_binary;
        }
        return leaf->type != TACO__PQ_FIXED && (rank != TACO__STATS_UNSIGNED || same);
    }
    switch (leaf->order) {
    case TACO__PQ_ORDER_TYPE: return true;
    case TACO__PQ_ORDER_IEEE754: return rank == TACO__STATS_FLOATS;
    case TACO__PQ_ORDER_NONE:
        return same || rank == TACO__STATS_SIGNED ||
               (rank == TACO__STATS_FLOATS && leaf->type != TACO__PQ_FIXED);
    default: return false;
    }
}
/* Says what the statistics of a chunk or page prove about the values of a leaf. What is not known stays {NULL, 0}: NaN
   in a bound spoils both, and so do bounds in the wrong order or of the wrong size. */
TACO__FN void taco__stats_bounds(const taco__pq_meta *m, const taco__pq_leaf *leaf,
                                 const taco__pq_stats *s, taco__pq_bounds *out)
{
    taco__stats_rank rank = taco__stats_ranking(leaf);
    memset(out, 0, sizeof *out);
    out->null_count = s->given ? s->null_count : -1;
    out->nan_count = s->given ? s->nan_count : -1;
    if (!s->given || !taco__stats_trusted(m, leaf, rank, s)) {
        return;
    }
    if ((s->min.data && !taco__stats_usable(leaf, s->min)) ||
        (s->max.data && !taco__stats_usable(leaf, s->max))) {
        return;
    }
    if (s->min.data && s->max.data && taco__stats_compare(rank, s->min, s->max) > 0) {
        return;
    }
    out->min = s->min;
    out->max = s->max;
    out->min_exact = s->min_exact;
    out->max_exact = s->max_exact;
    if (rank == TACO__STATS_FLOATS) {
        taco__stats_widen_zero(out);
    }
}
/* As taco__stats_bounds, for page i of a column index. */
TACO__FN void taco__stats_page_bounds(const taco__pq_meta *m, const taco__pq_leaf *leaf,
                                      const taco__pq_column_index *ix, size_t i,
                                      taco__pq_bounds *out)
{
    taco__pq_stats s;
    memset(&s, 0, sizeof s);
    s.given = true;
    s.null_count = ix->null_counts ? ix->null_counts[i] : -1;
    s.nan_count = ix->nan_counts ? ix->nan_counts[i] : -1;
    if (!ix->null_pages[i]) {
        s.min = ix->min[i];
        s.max = ix->max[i];
    }
    taco__stats_bounds(m, leaf, &s, out);
}

/* ==== ROOM describe: schemas, types and footers as text, for people and for tools. Uses: num time meta stats. Spec: -
   The message type notation is parquet-mr's, the type names are Arrow's ==== */

/* Appends to a buffer until something fails; then nothing more happens and `ok` says so. */
typedef struct taco__describe_out {
    taco__buf  *buf;
    taco_error *err;
    bool        ok;
} taco__describe_out;

#define TACO__DESCRIBE_PATH                                                                        \
    1024 /* bytes of a column's path; hostile schemas repeat long names in every column */

static const char *const taco__describe_units[4] = {"s", "ms", "us", "ns"};
static const char *const taco__describe_physical[8] = {
    "BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
static const char *const taco__describe_codecs[8] = {"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO",
                                                     "BROTLI",       "LZ4",    "ZSTD", "LZ4_RAW"};
static const char *const taco__describe_encodings[10] = {"PLAIN",
                                                         NULL,
                                                         "PLAIN_DICTIONARY",
                                                         "RLE",
                                                         "BIT_PACKED",
                                                         "DELTA_BINARY_PACKED",
                                                         "DELTA_LENGTH_BYTE_ARRAY",
                                                         "DELTA_BYTE_ARRAY",
                                                         "RLE_DICTIONARY",
                                                         "BYTE_STREAM_SPLIT"};

TACO__FN void taco__describe_bytes(taco__describe_out *o, const void *data, size_t len)
{
    o->ok = o->ok && taco__buf_append(o->buf, data, len, o->err);
}
TACO__FN void taco__describe_puts(taco__describe_out *o, const char *s)
{
    taco__describe_bytes(o, s, strlen(s));
}
TACO__FN void taco__describe_u64(taco__describe_out *o, uint64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_u64(text, x));
}
TACO__FN void taco__describe_i64(taco__describe_out *o, int64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_i64(text, x));
}
TACO__FN void taco__describe_hex(taco__describe_out *o, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len && o->ok; i++) {
        char two[2];
        two[0] = "0123456789abcdef"[b.data[i] >> 4];
        two[1] = "0123456789abcdef"[b.data[i] & 15];
        taco__describe_bytes(o, two, 2);
    }
}
/* A name in the schema's text: bytes that would break its lines or are not UTF-8 become \xNN. */
TACO__FN void taco__describe_name(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad;
    for (; i < b.len && o->ok; i += n) {
        n = taco__num_utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0 || b.data[i] < 0x20 || b.data[i] == 0x7F || b.data[i] == '\\') {
            taco__describe_puts(o, "\\x");
            taco__describe_hex(o, taco__base_bytes(b.data + i, 1));
            n = 1;
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
}
/* A JSON string, quotes included: RFC 8259 §7. What is not UTF-8 becomes U+FFFD. */
TACO__FN void taco__describe_json(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad = 1;
    taco__describe_puts(o, "\"");
    for (; i < b.len && o->ok; i += n) {
        uint8_t c = b.data[i];
        n = taco__num_utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0) {
            taco__describe_puts(o, "\xEF\xBF\xBD");
            n = bad;
        } else if (c == '"' || c == '\\') {
            char two[2];
            two[0] = '\\';
            two[1] = (char)c;
            taco__describe_bytes(o, two, 2);
        } else if (c < 0x20) {
            taco__describe_puts(o, "\\u00");
            taco__describe_hex(o, taco__base_bytes(&c, 1));
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
    taco__describe_puts(o, "\"");
}
/* A name of a table, or the number where the table has none. */
TACO__FN void taco__describe_enum(taco__describe_out *o, const char *const *names, size_t n,
                                  int64_t i)
{
    if (i >= 0 && (uint64_t)i < n && names[i]) {
        taco__describe_puts(o, names[i]);
    } else {
        taco__describe_i64(o, i);
    }
}

/* ---- the schema in message type notation -------------------------------------------------------- */

/* The annotation without its parentheses, "" where there is none: "TIMESTAMP(MICROS,true)". */
TACO__FN void taco__describe_annotation(taco__describe_out *o, const taco__pq_element *e)
{
    static const char *const names[19] = {NULL,      "STRING",  "MAP",      "LIST",      "ENUM",
                                          "DECIMAL", "DATE",    "TIME",     "TIMESTAMP", "INTERVAL",
                                          "INTEGER", "UNKNOWN", "JSON",     "BSON",      "UUID",
                                          "FLOAT16", "VARIANT", "GEOMETRY", "GEOGRAPHY"};
    static const char *const units[4] = {"SECONDS", "MILLIS", "MICROS", "NANOS"};
    taco__pq_element         a;
    unsigned                 kind = taco__meta_annotation(e, &a);
    if (kind == TACO__PQ_LOGICAL_NONE) {
        return;
    }
    if (kind >= TACO__COUNT(names)) {
        taco__describe_puts(o, "OTHER");
        return;
    }
    if (kind == TACO__PQ_LOGICAL_MAP && !e->logical &&
        e->converted == TACO__PQ_CONVERTED_MAP_KEY_VALUE) {
        taco__describe_puts(o, "MAP_KEY_VALUE");
        return;
    }
    taco__describe_puts(o, names[kind]);
    if (kind == TACO__PQ_LOGICAL_DECIMAL) {
        taco__describe_puts(o, "(");
        taco__describe_i64(o, a.dec_precision);
        taco__describe_puts(o, ",");
        taco__describe_i64(o, a.dec_scale);
        taco__describe_puts(o, ")");
    } else if (kind == TACO__PQ_LOGICAL_TIME || kind == TACO__PQ_LOGICAL_TIMESTAMP) {
        taco__describe_puts(o, "(");
        taco__describe_puts(o, units[a.unit & 3]);
        taco__describe_puts(o, a.utc ? ",true)" : ",false)");
    } else if (kind == TACO__PQ_LOGICAL_INTEGER) {
        taco__describe_puts(o, "(");
        taco__describe_i64(o, a.bits);
        taco__describe_puts(o, a.is_signed ? ",true)" : ",false)");
    } else if (a.crs.data) {
        taco__describe_puts(o, "(");
        taco__describe_name(o, a.crs);
        taco__describe_puts(o, ")");
    }
}
TACO__FN void taco__describe_indent(taco__describe_out *o, size_t depth)
{
    for (; depth && o->ok; depth--) {
        taco__describe_puts(o, "  ");
    }
}
/* "  optional int64 t (TIMESTAMP(MICROS,true)) = 7;" or "  required group g {". */
TACO__FN void taco__describe_element(taco__describe_out *o, const taco__pq_element *e, size_t depth)
{
    static const char *const repetitions[3] = {"required ", "optional ", "repeated "};
    static const char *const types[8] = {"boolean", "int32",  "int64",  "int96",
                                         "float",   "double", "binary", "fixed_len_byte_array"};
    taco__pq_element         a;
    taco__describe_indent(o, depth);
    taco__describe_puts(o, repetitions[e->repetition]);
    taco__describe_puts(o, e->type == TACO__PQ_GROUP ? "group" : types[e->type]);
    if (e->type == TACO__PQ_FIXED) {
        taco__describe_puts(o, "(");
        taco__describe_i64(o, e->type_length);
        taco__describe_puts(o, ")");
    }
    taco__describe_puts(o, " ");
    taco__describe_name(o, e->name);
    if (taco__meta_annotation(e, &a) != TACO__PQ_LOGICAL_NONE) {
        taco__describe_puts(o, " (");
        taco__describe_annotation(o, e);
        taco__describe_puts(o, ")");
    }
    if (e->has_field_id) {
        taco__describe_puts(o, " = ");
        taco__describe_i64(o, e->field_id);
    }
    taco__describe_puts(o, e->type == TACO__PQ_GROUP ? " {\n" : ";\n");
}
/* Appends the schema as text. False on failure. */
TACO__FN bool taco__describe_schema(const taco__pq_meta *m, taco__buf *out, taco_error *err)
{
    const taco__pq_element *e = m->elements;
    uint32_t                i, open = 0;
    size_t                  depth = 1;
    taco__describe_out      o;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__describe_puts(&o, "message ");
    taco__describe_name(&o, e[0].name);
    taco__describe_puts(&o, " {\n");
    for (i = 1; i <= m->element_count && o.ok; i++) {
        while (
            depth &&
            i == e[open].next) { /* groups that end in front of element i; in the end all of them */
            open = e[open].parent;
            taco__describe_indent(&o, --depth);
            taco__describe_puts(&o, "}\n");
        }
        if (i < m->element_count) {
            taco__describe_element(&o, &e[i], depth);
            if (e[i].type == TACO__PQ_GROUP) {
                open = i;
                depth++;
            }
        }
    }
    return o.ok;
}

/* ---- Arrow's names of types ----------------------------------------------------------------------- */

TACO__FN void taco__describe_field(taco__describe_out *o, const taco_field *f); /* recursive */

TACO__FN void taco__describe_number(taco__describe_out *o, const char *before, int64_t x,
                                    const char *after)
{
    taco__describe_puts(o, before);
    taco__describe_i64(o, x);
    taco__describe_puts(o, after);
}
TACO__FN void taco__describe_children(taco__describe_out *o, const taco_field *f, bool names)
{
    uint32_t i;
    for (i = 0; i < f->child_count && o->ok; i++) {
        if (i) {
            taco__describe_puts(o, ", ");
        }
        if (names) {
            taco__describe_puts(o, f->children[i].name);
            taco__describe_puts(o, ": ");
        }
        taco__describe_field(o, &f->children[i]);
    }
    taco__describe_puts(o, ">");
}
TACO__FN void taco__describe_field(taco__describe_out *o, const taco_field *f)
{
    static const char *const plain[] = {"null",      "bool",  "int8",   "int16",  "int32",
                                        "int64",     "uint8", "uint16", "uint32", "uint64",
                                        "halffloat", "float", "double"};
    switch (f->type) {
    case TACO_DECIMAL:
        taco__describe_puts(o, f->width == 16   ? "decimal128"
                               : f->width == 32 ? "decimal256"
                                                : "decimal");
        taco__describe_number(o, "(", f->precision, ", ");
        taco__describe_number(o, "", f->scale, ")");
        break;
    case TACO_DATE: taco__describe_puts(o, "date32[day]"); break;
    case TACO_TIME:
        taco__describe_puts(o, f->width == 4 ? "time32[" : "time64[");
        taco__describe_puts(o, taco__describe_units[f->unit]);
        taco__describe_puts(o, "]");
        break;
    case TACO_TIMESTAMP:
        taco__describe_puts(o, "timestamp[");
        taco__describe_puts(o, taco__describe_units[f->unit]);
        taco__describe_puts(o, f->utc ? ", tz=UTC]" : "]");
        break;
    case TACO_INT96: taco__describe_puts(o, "timestamp[ns]"); break;
    case TACO_TEXT: taco__describe_puts(o, "string"); break;
    case TACO_BINARY: taco__describe_puts(o, "binary"); break;
    case TACO_INTERVAL:
    case TACO_FIXED:
    case TACO_UUID: taco__describe_number(o, "fixed_size_binary[", f->width, "]"); break;
    case TACO_LIST:
        taco__describe_puts(o, "list<item: ");
        taco__describe_children(o, f, false);
        break;
    case TACO_MAP:
        taco__describe_puts(o, "map<");
        taco__describe_children(o, &f->children[0], false);
        break;
    case TACO_STRUCT:
        taco__describe_puts(o, "struct<");
        taco__describe_children(o, f, true);
        break;
    default: taco__describe_puts(o, plain[f->type]); break; /* TACO_NULL to TACO_DOUBLE */
    }
}
/* Appends Arrow's name of a type: "list<item: double>". False on failure. */
TACO__FN bool taco__describe_type(const taco_field *f, taco__buf *out, taco_error *err)
{
    taco__describe_out o;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__describe_field(&o, f);
    return o.ok;
}

/* ---- the footer as JSON ------------------------------------------------------------------------------ */

TACO__FN void taco__describe_quoted_hex(taco__describe_out *o, taco_bytes b)
{
    taco__describe_puts(o, "\"");
    taco__describe_hex(o, b);
    taco__describe_puts(o, "\"");
}
/* A PLAIN value of INT32, INT64 or BOOLEAN. */
TACO__FN void taco__describe_integer(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    int64_t x = taco__stats_integer_of(b);
    char    text[TACO__TIME_CHARS];
    size_t  n = 0;
    switch (f->type) {
    case TACO_BOOL: taco__describe_puts(o, x ? "true" : "false"); return;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: taco__describe_u64(o, (uint64_t)x & 0xFFFFFFFFU); return;
    case TACO_UINT64: taco__describe_u64(o, (uint64_t)x); return;
    case TACO_DATE: n = taco__time_put_date(text, x); break;
    case TACO_TIMESTAMP: n = taco__time_put_stamp(text, x, f->unit, f->utc); break;
    case TACO_TIME:
        if (!taco__time_put_time(text, x, f->unit, &n)) {
            n = 0; /* out of the day: the number */
        }
        break;
    case TACO_DECIMAL: {
        uint8_t le[8];
        taco__base_put64(le, (uint64_t)x);
        taco__describe_puts(o, "\"");
        o->ok = o->ok && taco__num_decimal(o->buf, le, 8, f->scale, o->err);
        taco__describe_puts(o, "\"");
        return;
    }
    default: break;
    }
    if (n) {
        taco__describe_json(o, taco__base_bytes(text, n));
    } else {
        taco__describe_i64(o, x);
    }
}
TACO__FN void taco__describe_float(taco__describe_out *o, taco_bytes b)
{
    char    text[32];
    int64_t order;
    bool    number = taco__stats_float_of(b, &order);
    size_t  n = b.len == 8   ? taco__num_f64(text, taco__base_f64(taco__base_le64(b.data)))
                : b.len == 4 ? taco__num_f32(text, taco__base_f32(taco__base_le32(b.data)))
                             : taco__num_f16(text, taco__base_le16(b.data));
    bool    bare = number && text[n - 1] != 'y'; /* Infinity is no JSON number either */
    taco__describe_puts(o, bare ? "" : "\"");
    taco__describe_bytes(o, text, n);
    taco__describe_puts(o, bare ? "" : "\"");
}
/* A bound as its type is written; in hex where its length is not one the type has. */
TACO__FN void taco__describe_value(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b)
{
    static const uint8_t lengths[6] = {1, 4, 8, 12, 4, 8};
    const taco_field    *f = leaf->field;
    if (leaf->type < TACO__PQ_BYTE_ARRAY && b.len != lengths[leaf->type]) {
        taco__describe_quoted_hex(o, b);
        return;
    }
    switch (leaf->type) {
    case TACO__PQ_BOOLEAN:
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__describe_integer(o, f, b); return;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: taco__describe_float(o, b); return;
    default: break;
    }
    if (f->type == TACO_TEXT && taco__num_utf8(b)) {
        taco__describe_json(o, b);
    } else if (f->type == TACO_HALF && b.len == 2) {
        taco__describe_float(o, b);
    } else if (f->type == TACO_DECIMAL && b.len > 0 && b.len <= 64 &&
               f->scale <= 100) { /* hostile scales make long texts */
        taco__describe_puts(o, "\"");
        o->ok = o->ok && taco__num_decimal_be(o->buf, b, f->scale, o->err);
        taco__describe_puts(o, "\"");
    } else {
        taco__describe_quoted_hex(o, b);
    }
}
/* `"key":` with a comma in front of all but the first. */
TACO__FN void taco__describe_key(taco__describe_out *o, const char *key)
{
    if (o->ok && o->buf->len && o->buf->data[o->buf->len - 1] != '{') {
        taco__describe_puts(o, ",");
    }
    taco__describe_puts(o, "\"");
    taco__describe_puts(o, key);
    taco__describe_puts(o, "\":");
}
TACO__FN void taco__describe_key_u64(taco__describe_out *o, const char *key, uint64_t x)
{
    taco__describe_key(o, key);
    taco__describe_u64(o, x);
}
TACO__FN void taco__describe_key_count(taco__describe_out *o, const char *key,
                                       int64_t x) /* left out when it is not known */
{
    if (x >= 0) {
        taco__describe_key(o, key);
        taco__describe_i64(o, x);
    }
}
TACO__FN void taco__describe_key_bool(taco__describe_out *o, const char *key, bool x)
{
    taco__describe_key(o, key);
    taco__describe_puts(o, x ? "true" : "false");
}
TACO__FN void taco__describe_range(taco__describe_out *o, const char *key, const taco__pq_range *r)
{
    if (r->size == 0) {
        return;
    }
    taco__describe_key(o, key);
    taco__describe_puts(o, "{");
    taco__describe_key_u64(o, "offset", r->offset);
    if (r->size != UINT64_MAX) {
        taco__describe_key_u64(o, "size", r->size);
    }
    taco__describe_puts(o, "}");
}
TACO__FN void taco__describe_path(taco__describe_out *o, const taco__pq_meta *m,
                                  const taco__pq_leaf *leaf)
{
    char text[TACO__DESCRIBE_PATH];
    taco__describe_key(o, "path");
    taco__describe_json(o, taco__meta_path(m, leaf->element, text, sizeof text));
}
TACO__FN void taco__describe_statistics(taco__describe_out *o, const taco__pq_meta *m,
                                        const taco__pq_leaf *leaf, const taco__pq_stats *s)
{
    taco__pq_bounds bounds;
    if (!s->given) {
        return;
    }
    taco__stats_bounds(m, leaf, s, &bounds);
    taco__describe_key(o, "statistics");
    taco__describe_puts(o, "{");
    if (s->min.data) {
        taco__describe_key(o, "min");
        taco__describe_value(o, leaf, s->min);
    }
    if (s->max.data) {
        taco__describe_key(o, "max");
        taco__describe_value(o, leaf, s->max);
    }
    if (s->min.data || s->max.data) {
        taco__describe_key_bool(o, "deprecated", s->deprecated);
        taco__describe_key_bool(o, "usable", bounds.min.data || bounds.max.data);
    }
    taco__describe_key_count(o, "null_count", s->null_count);
    taco__describe_key_count(o, "distinct_count", s->distinct_count);
    taco__describe_key_count(o, "nan_count", s->nan_count);
    taco__describe_puts(o, "}");
}
TACO__FN void taco__describe_encoding_list(taco__describe_out *o, uint32_t encodings)
{
    const char *comma = "";
    int         i;
    taco__describe_key(o, "encodings");
    taco__describe_puts(o, "[");
    for (i = 0; i < 32; i++) {
        if (encodings >> i & 1) {
            taco__describe_puts(o, comma);
            taco__describe_puts(o, "\"");
            taco__describe_enum(o, taco__describe_encodings, TACO__COUNT(taco__describe_encodings),
                                i);
            taco__describe_puts(o, "\"");
            comma = ",";
        }
    }
    taco__describe_puts(o, "]");
}
TACO__FN void taco__describe_box(taco__describe_out *o, const taco__pq_geo *g)
{
    const double v[4] = {g->xmin, g->ymin, g->xmax, g->ymax};
    size_t       i;
    taco__describe_key(o, "bbox");
    taco__describe_puts(o, "[");
    for (i = 0; i < 4; i++) {
        uint8_t le[8];
        taco__base_put64(le, taco__base_bits64(v[i]));
        taco__describe_puts(o, i ? "," : "");
        taco__describe_float(o, taco__base_bytes(le, 8));
    }
    taco__describe_puts(o, "]");
}
TACO__FN void taco__describe_chunk(taco__describe_out *o, const taco__pq_meta *m,
                                   const taco__pq_leaf *leaf, const taco__pq_chunk *c)
{
    taco__describe_puts(o, "{");
    taco__describe_path(o, m, leaf);
    if (c->encrypted) {
        taco__describe_key_bool(o, "encrypted", true);
    }
    if (c->file_path.len) {
        taco__describe_key(o, "file_path");
        taco__describe_json(o, c->file_path);
    }
    if (c->has_meta) {
        taco__describe_key(o, "codec");
        taco__describe_puts(o, "\"");
        taco__describe_enum(o, taco__describe_codecs, TACO__COUNT(taco__describe_codecs), c->codec);
        taco__describe_puts(o, "\"");
        taco__describe_encoding_list(o, c->encodings);
        taco__describe_key_count(o, "num_values", c->num_values);
        taco__describe_key_u64(o, "uncompressed_size", c->uncompressed_size);
        taco__describe_key_u64(o, "compressed_size", c->compressed_size);
        taco__describe_key_count(o, "data_page_offset", c->data_offset);
        taco__describe_key_count(o, "dictionary_page_offset", c->dictionary_offset);
        taco__describe_key_count(o, "unencoded_bytes", c->unencoded);
        taco__describe_range(o, "pages", &c->pages);
        taco__describe_range(o, "column_index", &c->column_index);
        taco__describe_range(o, "offset_index", &c->offset_index);
        taco__describe_range(o, "bloom_filter", &c->bloom);
        taco__describe_statistics(o, m, leaf, &c->stats);
        if (c->geo) {
            taco__describe_box(o, c->geo);
        }
    }
    taco__describe_puts(o, "}");
}
TACO__FN void taco__describe_group(taco__describe_out *o, const taco__pq_meta *m,
                                   const taco__pq_group *g)
{
    uint32_t i;
    taco__describe_puts(o, "{");
    taco__describe_key_count(o, "num_rows", g->rows);
    taco__describe_key_count(o, "first_row", g->first_row);
    taco__describe_key_u64(o, "total_byte_size", g->total_byte_size);
    if (g->sort_count) {
        taco__describe_key(o, "sorting_columns");
        taco__describe_puts(o, "[");
        for (i = 0; i < g->sort_count && o->ok; i++) {
            taco__describe_puts(o, i ? ",{" : "{");
            taco__describe_key_u64(o, "column", g->sort[i].leaf);
            taco__describe_key_bool(o, "descending", g->sort[i].descending);
            taco__describe_key_bool(o, "nulls_first", g->sort[i].nulls_first);
            taco__describe_puts(o, "}");
        }
        taco__describe_puts(o, "]");
    }
    taco__describe_key(o, "columns");
    taco__describe_puts(o, "[");
    for (i = 0; i < m->leaf_count && o->ok; i++) {
        taco__describe_puts(o, i ? ",\n  " : "\n  ");
        taco__describe_chunk(o, m, &m->leaves[i], &g->chunks[i]);
    }
    taco__describe_puts(o, "]}");
}
TACO__FN void taco__describe_leaf(taco__describe_out *o, const taco__pq_meta *m,
                                  const taco__pq_leaf *leaf)
{
    static const char *const orders[4] = {NULL, "TYPE_ORDER", "IEEE_754_TOTAL_ORDER",
                                          "INT96_TIMESTAMP_ORDER"};
    taco__pq_element         a;
    taco__describe_puts(o, "{");
    taco__describe_path(o, m, leaf);
    taco__describe_key(o, "type");
    taco__describe_puts(o, "\"");
    taco__describe_puts(o, taco__describe_physical[leaf->type]);
    taco__describe_puts(o, "\"");
    if (leaf->type == TACO__PQ_FIXED) {
        taco__describe_key_u64(o, "type_length", (uint64_t)leaf->type_length);
    }
    if (taco__meta_annotation(leaf->element, &a) != TACO__PQ_LOGICAL_NONE) {
        size_t at;
        taco__describe_key(o, "annotation");
        taco__describe_puts(o, "\"");
        at = o->buf->len;
        taco__describe_annotation(o, leaf->element);
        while (o->ok &&
               at < o->buf->len) { /* a CRS is free text: what JSON would escape is left out */
            uint8_t *c = &o->buf->data[at++];
            *c = *c == '"' || *c == '\\' ? (uint8_t)'?' : *c;
        }
        taco__describe_puts(o, "\"");
    }
    taco__describe_key_count(o, "max_definition_level", leaf->max_def);
    taco__describe_key_count(o, "max_repetition_level", leaf->max_rep);
    if (leaf->order < TACO__COUNT(orders) && orders[leaf->order]) {
        taco__describe_key(o, "column_order");
        taco__describe_puts(o, "\"");
        taco__describe_puts(o, orders[leaf->order]);
        taco__describe_puts(o, "\"");
    }
    taco__describe_puts(o, "}");
}
TACO__FN void taco__describe_pairs(taco__describe_out *o, const taco__pq_meta *m)
{
    uint32_t i;
    taco__describe_key(o, "key_value_metadata");
    taco__describe_puts(o, "[");
    for (i = 0; i < m->pair_count && o->ok; i++) {
        taco__describe_puts(o, i ? ",\n {" : "\n {");
        taco__describe_key(o, "key");
        taco__describe_json(o, m->pairs[i].key);
        if (m->pairs[i].value.data) {
            taco__describe_key(o, "value");
            taco__describe_json(o, m->pairs[i].value);
        }
        taco__describe_puts(o, "}");
    }
    taco__describe_puts(o, "]");
}
/* Appends the footer as one JSON object over several lines. False on failure. */
TACO__FN bool taco__describe_meta_json(const taco__pq_meta *m, taco__buf *out, taco_error *err)
{
    taco__describe_out o;
    uint32_t           i;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__describe_puts(&o, "{");
    taco__describe_key_u64(&o, "file_size", m->file_size);
    taco__describe_key_u64(&o, "footer_offset", m->footer_offset);
    taco__describe_key_u64(&o, "footer_size", m->footer_size);
    taco__describe_key(&o, "version");
    taco__describe_i64(&o, m->version);
    taco__describe_key(&o, "created_by");
    if (m->created_by.data) {
        taco__describe_json(&o, m->created_by);
    } else {
        taco__describe_puts(&o, "null");
    }
    taco__describe_key_count(&o, "num_rows", m->num_rows);
    if (m->encryption) {
        taco__describe_key_u64(&o, "encryption_algorithm", m->encryption);
    }
    taco__describe_pairs(&o, m);
    taco__describe_key(&o, "columns");
    taco__describe_puts(&o, "[");
    for (i = 0; i < m->leaf_count && o.ok; i++) {
        taco__describe_puts(&o, i ? ",\n " : "\n ");
        taco__describe_leaf(&o, m, &m->leaves[i]);
    }
    taco__describe_puts(&o, "]");
    taco__describe_key(&o, "row_groups");
    taco__describe_puts(&o, "[");
    for (i = 0; i < m->group_count && o.ok; i++) {
        taco__describe_puts(&o, i ? ",\n " : "\n ");
        taco__describe_group(&o, m, &m->groups[i]);
    }
    taco__describe_puts(&o, "]}\n");
    return o.ok;
}

/* ==== ROOM enc: value decodings into Arrow buffers, gather, spacing, decimals. Uses: bits mem. Spec: Parquet Encodings.md ==== */

/* A decoder is a small state over the value section of one page, which it borrows. _open parses what stands in front,
   _read hands out the next n values, _skip steps over them, in any mixture; what is asked for beyond the end of the
   section is TRUNCATED. No allocation but for DELTA_BYTE_ARRAY's last value and the text that is produced. All
   functions that can fail return false then, with err filled; its offset counts from the start of the bytes given to
   _open. After a failure a state is only good for another _open (or _close).

     taco__rle     RLE and bit-packed hybrid, BIT_PACKED     indices, levels, validity, booleans, dictionary values
     taco__plain   PLAIN                                     fixed width, text; taco__plain_read_bits for BOOLEAN
     taco__delta   DELTA_BINARY_PACKED                       int32, int64
     taco__dlen    DELTA_LENGTH_BYTE_ARRAY                   text
     taco__dba     DELTA_BYTE_ARRAY                          text, fixed width
     taco__bss     BYTE_STREAM_SPLIT                         fixed width
     taco__enc_*   what works on decoded buffers: take, fill, space, narrow, decimal

   Values are packed: nulls take no place; taco__enc_space* puts them to their rows afterwards. dst buffers need
   TACO__PAD bytes of room behind the values asked for, which may be overwritten. "Numeric" fixed-width values become
   native integers or floats; others (FIXED, INT96, UUID) stay as bytes.
   Text goes to a taco__buf that grows and to offsets: offsets[0] is set to data->len as it was, offsets[n] to the new
   one, so that n + 1 entries need room and a later read goes on at offsets + n. More than INT32_MAX bytes: LIMIT.
   `count` of an _open is the number of values its page header promises, nulls included: an upper bound for headers of
   the encoding. */

/* ---- buffers of fixed-width values ------------------------------------------------------------- */

#define TACO__ENC_CHUNK 512 /* values that pass through a buffer on the stack at a time */

/* dst[i] = src[idx[i]]; the indices are proven. dst may not overlap. Serves dictionaries as well as selections. */
TACO__FN void taco__enc_take(void *dst, const void *src, size_t width,
                             const int32_t *TACO__RESTRICT idx, size_t n)
{
    uint8_t *TACO__RESTRICT       d = (uint8_t *)dst;
    const uint8_t *TACO__RESTRICT s = (const uint8_t *)src;
    size_t                        i = 0;
#define TACO__ENC_ONE(w, k)                                                                        \
    memcpy(d + (i + (k)) * (w), s + (size_t)(uint32_t)idx[i + (k)] * (w), (w))
#define TACO__ENC_CASE(w)                                                                          \
    case w:                                                                                        \
        for (; i + 4 <= n; i += 4) {                                                               \
            TACO__ENC_ONE(w, 0);                                                                   \
            TACO__ENC_ONE(w, 1);                                                                   \
            TACO__ENC_ONE(w, 2);                                                                   \
            TACO__ENC_ONE(w, 3);                                                                   \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            TACO__ENC_ONE(w, 0);                                                                   \
        }                                                                                          \
        break;
    switch (width) {
        TACO__ENC_CASE(1)
        TACO__ENC_CASE(2)
        TACO__ENC_CASE(4)
        TACO__ENC_CASE(8)
        TACO__ENC_CASE(12)
        TACO__ENC_CASE(16)
        TACO__ENC_CASE(32)
    default:
        for (; i < n; i++) {
            TACO__ENC_ONE(width, 0);
        }
        break;
    }
#undef TACO__ENC_CASE
#undef TACO__ENC_ONE
}
/* Writes the idx[i]-th bit of src to bit dst_bit + i of dst, and returns the ones among them. */
TACO__FN size_t taco__enc_take_bits(uint8_t *dst, size_t dst_bit, const uint8_t *src,
                                    size_t src_bit, const int32_t *idx, size_t n)
{
    size_t i, j, m, ones = 0;
    for (i = 0; i < n; i += m) {
        uint64_t x = 0;
        m = TACO__MIN(n - i, (size_t)64);
        for (j = 0; j < m; j++) {
            x |= (uint64_t)taco__base_bit(src, src_bit + (uint32_t)idx[i + j]) << j;
        }
        taco__bits_put(dst, dst_bit + i, x, m);
        ones += taco__bits_ones(x);
    }
    return ones;
}
/* n copies of one value. */
TACO__FN void taco__enc_fill(void *dst, const void *value, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t   i, done, total = n * width;
    if (width == 4 || width == 8) {
        uint64_t x = 0;
        memcpy(&x, value, width);
        if (width == 4) {
            memcpy((uint8_t *)&x + 4, value, 4);
        }
        for (i = 0; i < total; i += 8) { /* may end in the padding */
            memcpy(d + i, &x, 8);
        }
        return;
    }
    if (!total) {
        return;
    }
    memcpy(d, value, width);
    for (done = width; done < total; done += i) {
        i = TACO__MIN(done, total - done);
        memcpy(d + done, d, i);
    }
}
/* Copies len bytes; a short piece goes as 32 when src has `left` of them, dst always having room. By way of registers,
   since the bytes behind a piece may be its own copy. */
TACO__INLINE void taco__enc_copy(uint8_t *dst, const uint8_t *src, size_t len, size_t left)
{
    if (TACO__LIKELY(len <= 32 && left >= 32)) {
        uint8_t piece[32];
        memcpy(piece, src, 32);
        memcpy(dst, piece, 32);
    } else if (len) {
        memcpy(dst, src, len);
    }
}
/* Room for more bytes of text, whose end must still be an int32 offset. */
TACO__FN bool taco__enc_room(taco__buf *data, uint64_t more, taco_error *err)
{
    if (data->len > INT32_MAX || more > INT32_MAX - data->len) {
        TACO__FAIL(
            err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
            "%u bytes of text in one batch, 32-bit offsets reach %u: read fewer rows at a time",
            TACO__U(data->len) + more, TACO__U(INT32_MAX));
        return false;
    }
    return taco__buf_reserve(data, (size_t)more, err);
}
/* taco__enc_take of text. Text and its offsets are proven; src, of src_len bytes, may not be data's own. */
TACO__FN bool taco__enc_take_text(taco__buf *data, int32_t *offsets, const uint8_t *src,
                                  size_t src_len, const int32_t *src_offsets, const int32_t *idx,
                                  size_t n, taco_error *err)
{
    uint64_t total = 0;
    size_t   i, at = data->len;
    uint8_t *out;
    for (i = 0; i < n; i++) {
        const int32_t *o = src_offsets + (uint32_t)idx[i];
        total += (uint32_t)(o[1] - o[0]);
    }
    if (!taco__enc_room(data, total, err)) {
        return false;
    }
    out = data->data;
    offsets[0] = (int32_t)at;
    for (i = 0; i < n; i++) {
        const int32_t *o = src_offsets + (uint32_t)idx[i];
        size_t         from = (uint32_t)o[0], len = (uint32_t)(o[1] - o[0]);
        taco__enc_copy(out + at, src + from, len, src_len - from);
        at += len;
        offsets[i + 1] = (int32_t)at;
    }
    data->len = at;
    return true;
}

/* ---- spacing: from packed values to rows -------------------------------------------------------- */

/* From the last row to the first, in place, a word of validity at a time. It ends where rows and values coincide. */
TACO__INLINE void taco__enc_space_width(uint8_t *v, size_t width, const uint8_t *validity,
                                        size_t bit, size_t rows, size_t valid)
{
    while (valid < rows) { /* of rows [0, rows), which valid values belong to */
        size_t   k, first, m = (rows - 1) % 64 + 1;
        uint64_t x;
        rows -= m;
        x = taco__bits_get(validity, bit + rows, m);
        if (x == TACO__BITS_LOW(m)) {
            valid -= m;
            memmove(v + rows * width, v + valid * width, m * width);
            continue;
        }
        first = x ? taco__plat_ctz64(x) : m;
        for (k = m;
             k-- > first;) { /* without a branch: a null's row gets a copy of the value before it */
            memcpy(v + (rows + k) * width, v + (valid - 1) * width, width);
            valid -= x >> k & 1;
        }
        memset(v + rows * width, 0, first * width);
    }
}
/* Moves n_valid packed values to the rows whose validity bit (from `bit` on) is set; n_valid is their number. Rows
   without a value get some other value or zero. */
TACO__FN void taco__enc_space(void *values, size_t width, const uint8_t *validity, size_t bit,
                              size_t n_rows, size_t n_valid)
{
    uint8_t *v = (uint8_t *)values;
    switch (width) {
    case 1: taco__enc_space_width(v, 1, validity, bit, n_rows, n_valid); break;
    case 2: taco__enc_space_width(v, 2, validity, bit, n_rows, n_valid); break;
    case 4: taco__enc_space_width(v, 4, validity, bit, n_rows, n_valid); break;
    case 8: taco__enc_space_width(v, 8, validity, bit, n_rows, n_valid); break;
    case 12: taco__enc_space_width(v, 12, validity, bit, n_rows, n_valid); break;
    case 16: taco__enc_space_width(v, 16, validity, bit, n_rows, n_valid); break;
    default: taco__enc_space_width(v, width, validity, bit, n_rows, n_valid); break;
    }
}
/* The same for n_valid + 1 offsets, of which n_rows + 1 are made; a null is a text of length 0. */
TACO__FN void taco__enc_space_offsets(int32_t *offsets, const uint8_t *validity, size_t bit,
                                      size_t n_rows, size_t n_valid)
{
    while (n_valid < n_rows) {
        size_t   k, m = (n_rows - 1) % 64 + 1;
        uint64_t x;
        n_rows -= m;
        x = taco__bits_get(validity, bit + n_rows, m);
        for (k = m; k-- > 0;) {
            offsets[n_rows + k + 1] = offsets[n_valid];
            n_valid -= x >> k & 1;
        }
    }
}
/* The same for bits, from values_bit on. Rows without a value get 0. */
TACO__FN void taco__enc_space_bits(uint8_t *values, size_t values_bit, const uint8_t *validity,
                                   size_t bit, size_t n_rows, size_t n_valid)
{
    while (n_valid < n_rows) {
        size_t   ones, m = (n_rows - 1) % 64 + 1;
        uint64_t x, packed, spread = 0;
        n_rows -= m;
        x = taco__bits_get(validity, bit + n_rows, m);
        ones = taco__bits_ones(x);
        n_valid -= ones;
        packed = taco__bits_get(values, values_bit + n_valid, ones);
        for (; x; x &= x - 1, packed >>= 1) {
            spread |= (packed & 1) << taco__plat_ctz64(x);
        }
        taco__bits_put(values, values_bit + n_rows, spread, m);
    }
}
/* 64 levels to a word with the bits of those that are >= least set. */
TACO__INLINE uint64_t taco__enc_mask_plain(const int16_t *levels, int16_t least)
{
    uint64_t x = 0, part;
    unsigned i, j;
    for (i = 0; i < 64; i += 8) {
        uint8_t yes[8];
        for (j = 0; j < 8; j++) {
            yes[j] = levels[i + j] >= least;
        }
        part = taco__base_le64(yes) * 0x0102040810204080U >>
               56; /* lowest byte to the lowest bit of the top one, ... */
        x |= part << i;
    }
    return x;
}
#if TACO__X86
TACO__TARGET("avx2") TACO__FN uint64_t taco__enc_mask_avx2(const int16_t *levels, int16_t least)
{
    const __m256i below =
        _mm256_set1_epi16((int16_t)(least - 1)); /* least > INT16_MIN: levels are not negative */
    uint64_t x = 0;
    unsigned i;
    for (i = 0; i < 64; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(levels + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(levels + i + 16));
        __m256i both =
            _mm256_packs_epi16(_mm256_cmpgt_epi16(a, below), _mm256_cmpgt_epi16(b, below));
        x |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xD8)) << i;
    }
    return x;
}
#endif
/* Sets bit `bit` + i of bitmap where levels[i] >= least, and returns how many: validity from definition levels. */
TACO__FN size_t taco__enc_levels_mask(uint8_t *bitmap, size_t bit, const int16_t *levels, size_t n,
                                      int16_t least)
{
    size_t   i, j, ones = 0;
    uint64_t x;
#if TACO__X86
    const bool wide = TACO__CPU_HAS("avx2");
#endif
    for (i = 0; i + 64 <= n; i += 64) {
#if TACO__X86
        x = wide ? taco__enc_mask_avx2(levels + i, least) : taco__enc_mask_plain(levels + i, least);
#else
        x = taco__enc_mask_plain(levels + i, least);
#endif
        taco__bits_put(bitmap, bit + i, x, 64);
        ones += taco__bits_ones(x);
    }
    for (x = 0, j = i; j < n; j++) {
        x |= (uint64_t)(levels[j] >= least) << (j - i);
    }
    taco__bits_put(bitmap, bit + i, x, n - i);
    return ones + taco__bits_ones(x);
}

/* ---- integers and decimals ---------------------------------------------------------------------- */

/* INT32 values to their low 1 or 2 bytes, in place: sixteen at a time are read before they are written. */
TACO__FN void taco__enc_narrow(void *values, size_t width, size_t n)
{
    uint8_t *v = (uint8_t *)values;
    size_t   i = 0, j;
    for (; i + 16 <= n && width == 1; i += 16) {
        uint32_t in[16];
        uint8_t  out[16];
        memcpy(in, v + i * 4, sizeof in);
        for (j = 0; j < 16; j++) {
            out[j] = (uint8_t)in[j];
        }
        memcpy(v + i, out, sizeof out);
    }
    for (; i + 16 <= n && width == 2; i += 16) {
        uint32_t in[16];
        uint16_t out[16];
        memcpy(in, v + i * 4, sizeof in);
        for (j = 0; j < 16; j++) {
            out[j] = (uint16_t)in[j];
        }
        memcpy(v + i * 2, out, sizeof out);
    }
    for (; i < n; i++) {
        uint32_t x;
        uint16_t y;
        memcpy(&x, v + i * 4, 4);
        y = (uint16_t)x;
        if (width == 1) {
            v[i] = (uint8_t)x;
        } else {
            memcpy(v + i * 2, &y, 2);
        }
    }
}

/* Decimals become little-endian two's complement of dst_width bytes, 16 or 32 (taco_field.width). */
TACO__INLINE void taco__enc_decimal_one(uint8_t *dst, size_t dst_width, int64_t x)
{
    taco__base_put64(dst, (uint64_t)x);
    memset(dst + 8, x < 0 ? 0xFF : 0, dst_width - 8);
}
TACO__FN void taco__enc_decimal_int32(uint8_t *dst, size_t dst_width, const int32_t *src, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__enc_decimal_one(dst + i * dst_width, dst_width, src[i]);
    }
}
TACO__FN void taco__enc_decimal_int64(uint8_t *dst, size_t dst_width, const int64_t *src, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__enc_decimal_one(dst + i * dst_width, dst_width, src[i]);
    }
}
/* Big-endian bytes of any number; those in front may only repeat the sign when there are more than fit. None is 0. */
TACO__INLINE bool taco__enc_decimal_bytes(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                          size_t len)
{
    uint8_t sign = (uint8_t)(len && src[0] & 0x80 ? 0xFF : 0);
    size_t  i, drop;
    if (len >= 8 &&
        len <=
            16) { /* the low word, and what is above it: the high word without the bytes they share */
        uint64_t low = taco__base_be64(src + len - 8), high = taco__base_be64(src),
                 fill = sign ? UINT64_MAX : 0;
        unsigned shared = (unsigned)(16 - len) * 8;
        taco__base_put64(dst, low);
        taco__base_put64(dst + 8, shared == 64 ? fill
                                  : shared     ? high >> shared | fill << (64 - shared)
                                               : high);
        memset(dst + 16, sign, dst_width - 16);
        return true;
    }
    if (len > dst_width) {
        drop = len - dst_width;
        for (i = 0; i < drop; i++) {
            if (src[i] != sign) {
                return false;
            }
        }
        if ((src[drop] ^ sign) & 0x80) {
            return false;
        }
        src += drop;
        len = dst_width;
    }
    for (i = 0; i < len; i++) {
        dst[i] = src[len - 1 - i];
    }
    memset(dst + len, sign, dst_width - len);
    return true;
}
TACO__COLD bool taco__enc_decimal_fail(size_t i, size_t len, size_t dst_width, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "value %u: decimal of %u bytes, its precision allows %u", TACO__U(i), TACO__U(len),
               TACO__U(dst_width));
    return false;
}
TACO__FN bool taco__enc_decimal_fixed(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                      size_t src_width, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (!taco__enc_decimal_bytes(dst + i * dst_width, dst_width, src + i * src_width,
                                     src_width)) {
            return taco__enc_decimal_fail(i, src_width, dst_width, err);
        }
    }
    return true;
}
TACO__FN bool taco__enc_decimal_text(uint8_t *dst, size_t dst_width, const uint8_t *data,
                                     const int32_t *offsets, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        size_t len = (size_t)(uint32_t)(offsets[i + 1] - offsets[i]);
        if (!taco__enc_decimal_bytes(dst + i * dst_width, dst_width, data + (uint32_t)offsets[i],
                                     len)) {
            return taco__enc_decimal_fail(i, len, dst_width, err);
        }
    }
    return true;
}

/* ---- RLE and bit-packed hybrid; BIT_PACKED -------------------------------------------------------- */

typedef struct taco__rle {
    taco_bytes bytes;
    size_t     at;    /* next byte to parse */
    size_t     run;   /* first byte of the run's packed values, or of the one that repeats */
    size_t     used;  /* values taken from a packed run */
    size_t     left;  /* values left in the run */
    uint32_t   value; /* the one that repeats */
    unsigned   width;
    bool       packed, msb;
} taco__rle;

TACO__FN bool taco__rle_open(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    r->width = width;
    if (width > 32) { /* Encodings.md, dictionary: max bit width = 32 */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "bit width %u, at most 32 is allowed", TACO__U(width));
        return false;
    }
    return true;
}
/* Values that bytes can hold. */
TACO__INLINE size_t taco__rle_fits(uint64_t bytes, unsigned width)
{
    uint64_t n = bytes * 8 / width;
    return n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}
/* BIT_PACKED: one run of all the bytes, most significant bit first. */
TACO__FN bool taco__rle_open_msb(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err)
{
    if (!taco__rle_open(r, bytes, width, err)) {
        return false;
    }
    if (width) {
        r->at = bytes.len;
        r->left = taco__rle_fits(bytes.len, width);
        r->packed = r->msb = true;
    }
    return true;
}
/* Parses run headers until there are values again; called when none are left. */
TACO__FN bool taco__rle_next(taco__rle *r, size_t missing, taco_error *err)
{
    if (!r->width) { /* one possible value: what the runs say does not matter, and some writers leave them out */
        r->left = SIZE_MAX;
        r->packed = false;
        return true;
    }
    do { /* an empty run still takes a byte, so this ends */
        taco__cur c = taco__cur_make(r->bytes);
        uint64_t  head, size, have;
        size_t    i, start = r->at;
        if (start == r->bytes.len) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, start, "values end, %u more expected",
                       TACO__U(missing));
            return false;
        }
        c.at += start;
        head = c.at[0] < 0x80 ? *c.at++ : taco__cur_varint(&c);
        if (c.bad || head > UINT32_MAX) {
            bool cut = c.bad && c.at == c.end;
            TACO__FAIL(err, cut ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, start,
                       cut ? "run header is cut off" : "run header is longer than 32 bits");
            return false;
        }
        r->run = taco__cur_pos(&c);
        r->used = 0;
        r->packed = head & 1;
        have = taco__cur_left(&c);
        size = r->packed ? (head >> 1) * r->width : (r->width + 7) / 8;
        if (r->packed && size <= have) {
            r->left = (size_t)(head >> 1) * 8;
            r->at = r->run + (size_t)size;
            continue;
        }
        if (r->packed) { /* the last run may be cut short behind the values that exist */
            r->left = taco__rle_fits(have, r->width);
            r->at = r->bytes.len;
            continue;
        }
        if (size > have) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, r->run, "repeated value of %u bytes, %u are left",
                       size, have);
            return false;
        }
        for (r->value = 0, i = 0; i < size; i++) {
            r->value |= (uint32_t)c.at[i] << (8 * i);
        }
        r->left = (size_t)(head >> 1);
        r->at = r->run + (size_t)size;
    } while (!r->left);
    return true;
}
/* m values of the packed run, which has them, into dst. */
TACO__INLINE void taco__rle_unpack(const taco__rle *r, size_t m, uint32_t *dst)
{
    if (r->msb) {
        taco__bits_unpack_msb(r->bytes.data + r->run, r->width, r->used, m, dst);
    } else {
        taco__bits_unpack32(r->bytes.data + r->run, r->bytes.len - r->run, r->width, r->used, m,
                            dst);
    }
}
TACO__INLINE void taco__rle_step(taco__rle *r, size_t m)
{
    r->used += m;
    r->left -= m;
}
/* Reports the first value above max among the m at v, which begin at r->used. */
TACO__COLD bool taco__rle_fail(const taco__rle *r, const uint32_t *v, size_t m, uint32_t max,
                               bool index, taco_error *err)
{
    size_t   i = 0;
    uint64_t at = r->run;
    while (r->packed && i + 1 < m && v[i] <= max) {
        i++;
    }
    if (r->packed) {
        at += ((uint64_t)r->used + i) * r->width / 8;
    }
    if (index) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "dictionary index %u, dictionary has %u entries",
                   TACO__U(v[i]), TACO__U(max) + 1);
    } else {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "level %u, the column's maximum is %u", TACO__U(v[i]),
                   TACO__U(max));
    }
    return false;
}
/* True when the run may hold values above max < 2^31. */
TACO__INLINE bool taco__rle_check(const taco__rle *r, uint32_t max)
{
    return r->width && TACO__BITS_LOW(r->width) > max;
}
TACO__COLD bool taco__rle_no_dictionary(const taco__rle *r, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, r->at, "dictionary index, but the dictionary is empty");
    return false;
}

/* Dictionary indices, each proven less than entries (<= 2^31). */
TACO__FN bool taco__rle_read_indices(taco__rle *r, int32_t *dst, size_t n, size_t entries,
                                     taco_error *err)
{
    uint32_t *out = (uint32_t *)dst, max;
    if (!n) {
        return true;
    }
    if (!entries) {
        return taco__rle_no_dictionary(r, err);
    }
    max = (uint32_t)TACO__MIN(entries - 1, (size_t)INT32_MAX);
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)4 *
                                 TACO__ENC_CHUNK); /* checked while still in the nearest cache */
            taco__rle_unpack(r, m, out);
            if (taco__rle_check(r, max) && taco__bits_above32(out, m, max)) {
                return taco__rle_fail(r, out, m, max, true, err);
            }
        } else {
            if (r->value > max) {
                return taco__rle_fail(r, &r->value, 1, max, true, err);
            }
            taco__enc_fill(out, &r->value, 4, m);
        }
        taco__rle_step(r, m);
        out += m;
        n -= m;
    }
    return true;
}
/* Dictionary indices, replaced at once by the values of width bytes they stand for. */
TACO__FN bool taco__rle_read_dict(taco__rle *r, void *dst, const void *dict, size_t width,
                                  size_t entries, size_t n, taco_error *err)
{
    uint8_t *out = (uint8_t *)dst;
    uint32_t idx[TACO__ENC_CHUNK + 8], max;
    if (!n) {
        return true;
    }
    if (!entries) {
        return taco__rle_no_dictionary(r, err);
    }
    max = (uint32_t)TACO__MIN(entries - 1, (size_t)INT32_MAX);
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)TACO__ENC_CHUNK);
            taco__rle_unpack(r, m, idx);
            if (taco__rle_check(r, max) && taco__bits_above32(idx, m, max)) {
                return taco__rle_fail(r, idx, m, max, true, err);
            }
            taco__enc_take(out, dict, width, (const int32_t *)idx, m);
        } else {
            if (r->value > max) {
                return taco__rle_fail(r, &r->value, 1, max, true, err);
            }
            taco__enc_fill(out, (const uint8_t *)dict + (size_t)r->value * width, width, m);
        }
        taco__rle_step(r, m);
        out += m * width;
        n -= m;
    }
    return true;
}
/* Levels of up to max (<= INT16_MAX). */
TACO__FN bool taco__rle_read_levels(taco__rle *r, int16_t *dst, size_t n, unsigned max,
                                    taco_error *err)
{
    uint32_t v[TACO__ENC_CHUNK + 8];
    while (n) {
        size_t i, j, m;
        if (!r->left && !taco__rle_next(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)TACO__ENC_CHUNK);
            taco__rle_unpack(r, m, v);
            if (taco__rle_check(r, max) && taco__bits_above32(v, m, max)) {
                return taco__rle_fail(r, v, m, max, false, err);
            }
            for (i = 0; i < m; i += 8) { /* whole groups, as they were unpacked */
                for (j = 0; j < 8; j++) {
                    dst[i + j] = (int16_t)v[i + j];
                }
            }
        } else {
            uint16_t x = (uint16_t)r->value;
            if (r->value > max) {
                return taco__rle_fail(r, &r->value, 1, max, false, err);
            }
            taco__enc_fill(dst, &x, 2, m);
        }
        taco__rle_step(r, m);
        dst += m;
        n -= m;
    }
    return true;
}
/* Values of width 1 (or 0) straight into a bitmap: definition levels of a flat nullable column, booleans. Sets *ones,
   the number of valid rows. */
TACO__FN bool taco__rle_read_validity(taco__rle *r, uint8_t *bitmap, size_t bit, size_t n,
                                      size_t *ones, taco_error *err)
{
    size_t sum = 0;
    while (n) {
        size_t i, m;
        if (!r->left && !taco__rle_next(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (!r->packed) {
            if (r->value > 1) {
                return taco__rle_fail(r, &r->value, 1, 1, false, err);
            }
            taco__bits_fill(bitmap, bit, m, r->value != 0);
            sum += r->value ? m : 0;
        } else if (!r->msb) {
            sum += taco__bits_copy(bitmap, bit, r->bytes.data + r->run, r->used, m);
        } else {
            uint32_t v[64];
            uint64_t x = 0;
            m = TACO__MIN(m, (size_t)64);
            taco__rle_unpack(r, m, v);
            for (i = 0; i < m; i++) {
                x |= (uint64_t)v[i] << i;
            }
            taco__bits_put(bitmap, bit, x, m);
            sum += taco__bits_ones(x);
        }
        taco__rle_step(r, m);
        bit += m;
        n -= m;
    }
    *ones = sum;
    return true;
}
TACO__FN bool taco__rle_skip(taco__rle *r, size_t n, taco_error *err)
{
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        taco__rle_step(r, m);
        n -= m;
    }
    return true;
}
/* Skips n values and sets *equal to how many of them were `level`: values to skip where those are not null. */
TACO__FN bool taco__rle_skip_count(taco__rle *r, size_t n, unsigned level, size_t *equal,
                                   taco_error *err)
{
    size_t sum = 0;
    while (n) {
        size_t i, m;
        if (!r->left && !taco__rle_next(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (!r->packed) {
            sum += r->value == level ? m : 0;
        } else if (r->width == 1 && !r->msb) {
            size_t ones = taco__bits_count(r->bytes.data + r->run, r->used, m);
            sum += level == 1 ? ones : level == 0 ? m - ones : 0;
        } else {
            uint32_t v[64 + 8];
            m = TACO__MIN(m, (size_t)64);
            taco__rle_unpack(r, m, v);
            for (i = 0; i < m; i++) {
                sum += v[i] == level;
            }
        }
        taco__rle_step(r, m);
        n -= m;
    }
    *equal = sum;
    return true;
}

/* ---- PLAIN ---------------------------------------------------------------------------------------- */

typedef struct taco__plain {
    taco_bytes bytes;
    size_t     at;  /* next byte; for BOOLEAN the byte the next bit lies in */
    unsigned   bit; /* BOOLEAN: the bit of that byte */
} taco__plain;

TACO__FN void taco__plain_open(taco__plain *p, taco_bytes bytes)
{
    p->bytes = bytes;
    p->at = 0;
    p->bit = 0;
}
TACO__COLD bool taco__plain_fail(const taco__plain *p, size_t n, uint64_t have, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_TRUNCATED, p->bytes.len, "values end, %u more expected",
               TACO__U(n) - have);
    return false;
}
/* Swaps numbers from or to little-endian on machines of the other order. */
TACO__INLINE void taco__plain_order(void *dst, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t   i;
    if (!TACO__BIG_ENDIAN) {
        return;
    }
    for (i = 0; i < n; i++, d += width) {
        if (width == 8) {
            uint64_t x = taco__base_le64(d);
            memcpy(d, &x, 8);
        } else if (width == 4) {
            uint32_t x = taco__base_le32(d);
            memcpy(d, &x, 4);
        } else if (width == 2) {
            uint16_t x = taco__base_le16(d);
            memcpy(d, &x, 2);
        }
    }
}
TACO__FN bool taco__plain_skip(taco__plain *p, size_t width, size_t n, taco_error *err)
{
    size_t left = p->bytes.len - p->at;
    if (width && n > left / width) {
        return taco__plain_fail(p, n, left / width, err);
    }
    p->at += n * width;
    return true;
}
TACO__FN bool taco__plain_read(taco__plain *p, void *dst, size_t width, bool numeric, size_t n,
                               taco_error *err)
{
    size_t from = p->at;
    if (!taco__plain_skip(p, width, n, err)) {
        return false;
    }
    if (p->at > from) {
        memcpy(dst, p->bytes.data + from, p->at - from);
    }
    if (numeric) {
        taco__plain_order(dst, width, n);
    }
    return true;
}
TACO__FN bool taco__plain_skip_bits(taco__plain *p, size_t n, taco_error *err)
{
    uint64_t have = (uint64_t)(p->bytes.len - p->at) * 8 - p->bit; /* bit is 0 at the end */
    if (n > have) {
        return taco__plain_fail(p, n, have, err);
    }
    p->at += (n >> 3) + ((p->bit + (n & 7)) >> 3);
    p->bit = (unsigned)((p->bit + n) & 7);
    return true;
}
/* BOOLEAN into bits dst_bit.. of a bitmap. */
TACO__FN bool taco__plain_read_bits(taco__plain *p, uint8_t *dst, size_t dst_bit, size_t n,
                                    taco_error *err)
{
    size_t   at = p->at;
    unsigned bit = p->bit;
    if (!taco__plain_skip_bits(p, n, err)) {
        return false;
    }
    if (n) {
        taco__bits_copy(dst, dst_bit, p->bytes.data + at, bit, n);
    }
    return true;
}
/* Says why the i-th of n texts at byte `at` does not exist. */
TACO__COLD bool taco__plain_text_fail(const taco__plain *p, size_t at, size_t missing,
                                      taco_error *err)
{
    size_t left = p->bytes.len - at;
    if (!left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "values end, %u more expected", TACO__U(missing));
    } else if (left < 4) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "length of 4 bytes, %u are left", TACO__U(left));
    } else {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "text of %u bytes, %u are left",
                   TACO__U(taco__base_le32(p->bytes.data + at)), TACO__U(left - 4));
    }
    return false;
}
/* BYTE_ARRAY: each length is proven against the bytes left before it is used. */
TACO__FN bool taco__plain_read_text(taco__plain *p, taco__buf *data, int32_t *offsets, size_t n,
                                    taco_error *err)
{
    size_t   i, len, at = p->at, left = p->bytes.len - at, cap;
    uint8_t *out;
    /* A first guess, from bytes that are there; the buffer doubles from then on. */
    if (!taco__enc_room(data, TACO__MIN(left, n < left / 16 ? 16 * n : left), err)) {
        return false;
    }
    out = data->data;
    cap = data->cap;
    len = data->len;
    offsets[0] = (int32_t)len;
    for (i = 0; i < n; i++) {
        const uint8_t *src = p->bytes.data + at;
        size_t         m = left >= 4 ? taco__base_le32(src) : SIZE_MAX;
        if (TACO__UNLIKELY(left < 4 || m > left - 4)) {
            return taco__plain_text_fail(p, at, n - i, err);
        }
        left -= 4 + m;
        if (TACO__UNLIKELY(m > cap - len || len > INT32_MAX - m)) {
            data->len = len;
            if (!taco__enc_room(data, m, err)) {
                return false;
            }
            out = data->data;
            cap = data->cap;
        }
        taco__enc_copy(out + len, src + 4, m, left + m);
        len += m;
        at += 4 + m;
        offsets[i + 1] = (int32_t)len;
    }
    data->len = len;
    p->at = at;
    return true;
}
TACO__FN bool taco__plain_skip_text(taco__plain *p, size_t n, taco_error *err)
{
    size_t i, at = p->at;
    for (i = 0; i < n; i++) {
        size_t left = p->bytes.len - at;
        if (left < 4 || taco__base_le32(p->bytes.data + at) > left - 4) {
            return taco__plain_text_fail(p, at, n - i, err);
        }
        at += (size_t)4 + taco__base_le32(p->bytes.data + at);
    }
    p->at = at;
    return true;
}

/* ---- DELTA_BINARY_PACKED ---------------------------------------------------------------------------- */

typedef struct taco__delta {
    taco_bytes bytes;
    size_t     at;        /* next byte to parse: a block, or the miniblock behind the current one */
    uint64_t   left;      /* values not yet handed out */
    uint64_t   value;     /* the last one, or the first while `begun` is false */
    uint64_t   least;     /* minimal delta of the block, which is added to each */
    size_t     per_mini;  /* values of a miniblock */
    size_t     minis;     /* of a block */
    size_t     mini;      /* of them begun */
    size_t     widths;    /* the block's list of bit widths */
    size_t     run;       /* first byte of the current miniblock */
    size_t     used;      /* values taken from it */
    size_t     mini_left; /* values left in it */
    unsigned   width;     /* its bit width */
    unsigned   bits;      /* 32 or 64 */
    bool       begun;
} taco__delta;

/* The header begins at byte `from`. All arithmetic wraps (Encodings.md: "overflow should be allowed"), so that sums in
   64 bits are right in their low 32. A section without a byte has no values: pages of nulls only. */
TACO__FN bool taco__delta_open(taco__delta *d, taco_bytes bytes, size_t from, uint64_t count,
                               unsigned bits, taco_error *err)
{
    taco__cur c = taco__cur_make(bytes);
    uint64_t  block, minis;
    memset(d, 0, sizeof *d);
    d->bytes = bytes;
    d->bits = bits;
    d->at = from;
    if (from == bytes.len) {
        return true;
    }
    c.at += from;
    block = taco__cur_varint(&c);
    minis = taco__cur_varint(&c);
    d->left = taco__cur_varint(&c);
    d->value = (uint64_t)taco__base_zigzag(taco__cur_varint(&c));
    d->at = taco__cur_pos(&c);
    if (c.bad) {
        bool cut = c.at == c.end;
        TACO__FAIL(err, cut ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, from,
                   cut ? "delta header is cut off"
                       : "delta header has a number longer than 64 bits");
        return false;
    }
    /* A block is a multiple of 128 values, a miniblock one of 32. No page holds 2^31 values. */
    if (!block || block % 128 || block > INT32_MAX || !minis || block % minis ||
        block / minis % 32) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, from,
                   "delta block of %u values in %u miniblocks, must be a multiple of 128 in "
                   "multiples of 32",
                   block, minis);
        return false;
    }
    if (d->left > count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, from, "delta header counts %u values, the page %u",
                   d->left, count);
        return false;
    }
    d->minis = d->mini = (size_t)minis;
    d->per_mini = (size_t)(block / minis);
    return true;
}
/* Begins the next miniblock, and the next block where the last one is used up. Called when values are left. */
TACO__FN bool taco__delta_next(taco__delta *d, taco_error *err)
{
    uint64_t size, need, have;
    if (d->mini == d->minis) {
        taco__cur c = taco__cur_make(d->bytes);
        c.at += d->at;
        d->least = (uint64_t)taco__base_zigzag(taco__cur_varint(&c));
        d->widths = taco__cur_pos(&c);
        if (c.bad && c.at != c.end) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, d->at, "minimal delta is longer than 64 bits");
            return false;
        }
        if (!taco__cur_take(&c, d->minis)) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at,
                       "delta block is cut off, %u more values expected", d->left);
            return false;
        }
        d->at = taco__cur_pos(&c);
        d->mini = 0;
    }
    d->width = d->bytes.data[d->widths + d->mini];
    if (d->width >
        64) { /* DuckDB writes INT32 deltas of 33 bits, against the specification; peers read them */
        TACO__FAIL(err, TACO_ERR_CORRUPT, d->widths + d->mini,
                   "deltas of %u bits, at most 64 are allowed", TACO__U(d->width));
        return false;
    }
    d->mini++;
    size = (uint64_t)d->per_mini / 8 * d->width;
    need = (TACO__MIN(d->left, (uint64_t)d->per_mini) * d->width + 7) / 8;
    have = d->bytes.len - d->at;
    if (need > have) { /* the padding of the last one may be missing */
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at, "deltas of %u bytes, %u are left", need, have);
        return false;
    }
    d->run = d->at;
    d->at += (size_t)TACO__MIN(size, have);
    d->used = 0;
    d->mini_left = d->per_mini;
    return true;
}
/* How many of n values can be taken in one step, 0 on failure. */
TACO__INLINE size_t taco__delta_step(taco__delta *d, size_t n, taco_error *err)
{
    size_t m;
    if (!d->mini_left && !taco__delta_next(d, err)) {
        return 0;
    }
    m = TACO__MIN(TACO__MIN(n, d->mini_left), (size_t)TACO__ENC_CHUNK);
    d->mini_left -= m;
    d->left -= m;
    return m;
}
TACO__FN bool taco__delta_has(const taco__delta *d, size_t n, taco_error *err)
{
    if (n > d->left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at, "values end, %u more expected", n - d->left);
        return false;
    }
    return true;
}
TACO__INLINE void taco__delta_unpack32(taco__delta *d, size_t m, uint32_t *dst)
{
    if (TACO__UNLIKELY(d->width > 32)) { /* arithmetic wraps: the low 32 bits are enough */
        uint64_t wide[TACO__ENC_CHUNK + 8];
        size_t   i;
        taco__bits_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                            wide);
        for (i = 0; i < m; i++) {
            dst[i] = (uint32_t)wide[i];
        }
    } else {
        taco__bits_unpack32(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                            dst);
    }
    d->used += m;
}
TACO__FN bool taco__delta_read64(taco__delta *d, int64_t *dst, size_t n, taco_error *err)
{
    uint64_t *out = (uint64_t *)dst;
    uint32_t  v[TACO__ENC_CHUNK + 8];
    if (!taco__delta_has(d, n, err)) {
        return false;
    }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        *out++ = d->value;
        n--;
    }
    while (n) {
        uint64_t sum, least;
        size_t   i, m = taco__delta_step(d, n, err);
        if (!m) {
            return false;
        }
        sum = d->value;
        least = d->least;
        if (!d->width) {
            for (i = 0; i < m; i++) {
                out[i] = sum += least;
            }
        } else if (d->width <= 32) {
            taco__delta_unpack32(d, m, v);
            for (i = 0; i < m; i++) {
                out[i] = sum += least + v[i];
            }
        } else {
            taco__bits_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                                out);
            d->used += m;
            for (i = 0; i < m; i++) {
                out[i] = sum += least + out[i];
            }
        }
        d->value = sum;
        out += m;
        n -= m;
    }
    return true;
}
TACO__FN bool taco__delta_read32(taco__delta *d, int32_t *dst, size_t n, taco_error *err)
{
    uint32_t *out = (uint32_t *)dst;
    if (!taco__delta_has(d, n, err)) {
        return false;
    }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        *out++ = (uint32_t)d->value;
        n--;
    }
    while (n) {
        uint32_t sum, least;
        size_t   i, m = taco__delta_step(d, n, err);
        if (!m) {
            return false;
        }
        taco__delta_unpack32(d, m, out);
        sum = (uint32_t)d->value;
        least = (uint32_t)d->least;
        for (i = 0; i < m; i++) {
            out[i] = sum += least + out[i];
        }
        d->value = sum;
        out += m;
        n -= m;
    }
    return true;
}
/* Skipped values still have to be summed up. */
TACO__FN bool taco__delta_skip(taco__delta *d, size_t n, taco_error *err)
{
    uint64_t v[TACO__ENC_CHUNK + 8];
    if (!taco__delta_has(d, n, err)) {
        return false;
    }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        n--;
    }
    while (n) {
        size_t   i, m = taco__delta_step(d, n, err);
        uint64_t sum = d->least * m;
        if (!m) {
            return false;
        }
        if (d->width <= 32) {
            uint32_t *v32 = (uint32_t *)(void *)v;
            taco__delta_unpack32(d, m, v32);
            for (i = 0; i < m; i++) {
                sum += v32[i];
            }
        } else {
            taco__bits_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                                v);
            d->used += m;
            for (i = 0; i < m; i++) {
                sum += v[i];
            }
        }
        d->value += sum;
        n -= m;
    }
    return true;
}
/* Sets *end to the byte behind the last miniblock, where the next part of a page begins. d has just been opened. Walks
   the blocks without unpacking: each takes bytes of the page, so this is bounded by them. */
TACO__FN bool taco__delta_end(const taco__delta *d, size_t *end, taco_error *err)
{
    taco__delta w = *d;
    w.left -= w.left ? 1 : 0;
    while (w.left) {
        if (!taco__delta_next(&w, err)) {
            return false;
        }
        w.left -= TACO__MIN(w.left, (uint64_t)w.per_mini);
    }
    *end = w.at;
    return true;
}

/* ---- DELTA_LENGTH_BYTE_ARRAY ------------------------------------------------------------------------ */

typedef struct taco__dlen {
    taco__delta lengths;
    size_t      at; /* first byte of the next text */
} taco__dlen;

TACO__FN bool taco__dlen_open(taco__dlen *s, taco_bytes bytes, size_t from, uint64_t count,
                              taco_error *err)
{
    return taco__delta_open(&s->lengths, bytes, from, count, 32, err) &&
           taco__delta_end(&s->lengths, &s->at, err);
}
/* The next m <= TACO__ENC_CHUNK lengths, proven to lie in the bytes left, and their sum. */
TACO__FN bool taco__dlen_next(taco__dlen *s, int32_t *lengths, size_t m, size_t *total,
                              taco_error *err)
{
    uint64_t sum = 0, left = s->lengths.bytes.len - s->at;
    uint32_t any = 0;
    size_t   i;
    if (!taco__delta_read32(&s->lengths, lengths, m, err)) {
        return false;
    }
    for (i = 0; i < m; i++) {
        sum += (uint32_t)lengths[i];
        any |= (uint32_t)lengths[i];
    }
    if (any >> 31) {
        for (i = 0; lengths[i] >= 0; i++) {
        }
        TACO__FAIL(err, TACO_ERR_CORRUPT, s->lengths.run, "length %d of a text",
                   TACO__D(lengths[i]));
        return false;
    }
    if (sum > left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s->at, "texts of %u bytes, %u are left", sum, left);
        return false;
    }
    *total = (size_t)sum;
    return true;
}
/* The texts stand back to back, so a chunk of them is one copy. */
TACO__FN bool taco__dlen_read_text(taco__dlen *s, taco__buf *data, int32_t *offsets, size_t n,
                                   taco_error *err)
{
    int32_t lengths[TACO__ENC_CHUNK + 16];
    size_t  i, m, total;
    if (!taco__enc_room(data, 0, err)) {
        return false;
    }
    offsets[0] = (int32_t)data->len;
    for (; n; n -= m, offsets += m) {
        int32_t at = (int32_t)data->len;
        m = TACO__MIN(n, (size_t)TACO__ENC_CHUNK);
        if (!taco__dlen_next(s, lengths, m, &total, err) || !taco__enc_room(data, total, err)) {
            return false;
        }
        for (i = 0; i < m; i++) {
            offsets[i + 1] = at += lengths[i];
        }
        if (total) {
            memcpy(data->data + data->len, s->lengths.bytes.data + s->at, total);
        }
        data->len += total;
        s->at += total;
    }
    return true;
}
TACO__FN bool taco__dlen_skip(taco__dlen *s, size_t n, taco_error *err)
{
    int32_t lengths[TACO__ENC_CHUNK + 16];
    size_t  m, total;
    for (; n; n -= m) {
        m = TACO__MIN(n, (size_t)TACO__ENC_CHUNK);
        if (!taco__dlen_next(s, lengths, m, &total, err)) {
            return false;
        }
        s->at += total;
    }
    return true;
}

/* ---- DELTA_BYTE_ARRAY ------------------------------------------------------------------------------- */

/* Each value is a prefix of the one before and a suffix of its own. */
typedef struct taco__dba {
    taco__delta prefixes;
    taco__dlen  suffixes;
    taco__buf   last; /* the value before the next one */
} taco__dba;

TACO__FN void taco__dba_init(taco__dba *s,
                             taco__mem *mem) /* once; _close in the end, _open for each page */
{
    memset(s, 0, sizeof *s);
    s->last.mem = mem;
}
TACO__FN void taco__dba_close(taco__dba *s)
{
    taco__buf_free(&s->last);
}
TACO__FN bool taco__dba_open(taco__dba *s, taco_bytes bytes, uint64_t count, taco_error *err)
{
    size_t end;
    s->last.len = 0;
    return taco__delta_open(&s->prefixes, bytes, 0, count, 32, err) &&
           taco__delta_end(&s->prefixes, &end, err) &&
           taco__dlen_open(&s->suffixes, bytes, end, count, err);
}
#define TACO__DBA_CHUNK 128
typedef struct taco__dba_part { /* lengths of the next values, proven, and what they come to */
    int32_t  prefix[TACO__DBA_CHUNK + 16], suffix[TACO__DBA_CHUNK + 16];
    size_t   n, suffix_total;
    uint64_t total;
} taco__dba_part;

/* width is what every value must have, or SIZE_MAX when they are text. */
TACO__FN bool taco__dba_next(taco__dba *s, taco__dba_part *p, size_t n, size_t width,
                             taco_error *err)
{
    uint64_t len = s->last.len;
    size_t   i;
    p->n = TACO__MIN(n, (size_t)TACO__DBA_CHUNK);
    p->total = 0;
    if (!taco__delta_read32(&s->prefixes, p->prefix, p->n, err) ||
        !taco__dlen_next(&s->suffixes, p->suffix, p->n, &p->suffix_total, err)) {
        return false;
    }
    for (i = 0; i < p->n; i++) {
        if (p->prefix[i] < 0 || (uint32_t)p->prefix[i] > len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, s->prefixes.run,
                       "prefix of %d bytes, the text before has %u", TACO__D(p->prefix[i]), len);
            return false;
        }
        len = (uint64_t)(uint32_t)p->prefix[i] + (uint32_t)p->suffix[i];
        if (width != SIZE_MAX && len != width) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, s->prefixes.run, "value of %u bytes, the type has %u",
                       len, TACO__U(width));
            return false;
        }
        p->total += len;
    }
    return true;
}
/* Writes the values of a part, p->total bytes, to dst and keeps the last one. */
TACO__FN bool taco__dba_emit(taco__dba *s, const taco__dba_part *p, uint8_t *dst, taco_error *err)
{
    const uint8_t *prev = s->last.data, *src = s->suffixes.lengths.bytes.data + s->suffixes.at;
    size_t i, prev_left = s->last.len, left = s->suffixes.lengths.bytes.len - s->suffixes.at,
              len = s->last.len;
    for (i = 0; i < p->n; i++) {
        size_t a = (uint32_t)p->prefix[i], b = (uint32_t)p->suffix[i];
        taco__enc_copy(dst, prev, a, prev_left);
        taco__enc_copy(dst + a, src, b, left);
        src += b;
        left -= b;
        prev = dst;
        len = a + b;
        dst += len;
        prev_left = len + TACO__PAD; /* now it lies in front of dst */
    }
    s->suffixes.at += p->suffix_total;
    s->last.len = 0; /* prev does not lie in it, unless nothing was read */
    return p->n == 0 || taco__buf_append(&s->last, prev, len, err);
}
TACO__FN bool taco__dba_read_text(taco__dba *s, taco__buf *data, int32_t *offsets, size_t n,
                                  taco_error *err)
{
    taco__dba_part p;
    size_t         i;
    if (!taco__enc_room(data, 0, err)) {
        return false;
    }
    offsets[0] = (int32_t)data->len;
    for (; n; n -= p.n, offsets += p.n) {
        int32_t at = (int32_t)data->len;
        if (!taco__dba_next(s, &p, n, SIZE_MAX, err) || !taco__enc_room(data, p.total, err) ||
            !taco__dba_emit(s, &p, data->data + data->len, err)) {
            return false;
        }
        for (i = 0; i < p.n; i++) {
            offsets[i + 1] = at += p.prefix[i] + p.suffix[i];
        }
        data->len += (size_t)p.total;
    }
    return true;
}
/* FIXED_LEN_BYTE_ARRAY of width bytes. */
TACO__FN bool taco__dba_read(taco__dba *s, void *dst, size_t width, size_t n, taco_error *err)
{
    taco__dba_part p;
    uint8_t       *out = (uint8_t *)dst;
    for (; n; n -= p.n, out += p.total) {
        if (!taco__dba_next(s, &p, n, width, err) || !taco__dba_emit(s, &p, out, err)) {
            return false;
        }
    }
    return true;
}
/* Builds each value on top of the one before, without writing it anywhere else. */
TACO__FN bool taco__dba_skip(taco__dba *s, size_t n, taco_error *err)
{
    taco__dba_part p;
    size_t         i;
    for (; n; n -= p.n) {
        if (!taco__dba_next(s, &p, n, SIZE_MAX, err)) {
            return false;
        }
        for (i = 0; i < p.n; i++) {
            size_t b = (uint32_t)p.suffix[i];
            s->last.len = (uint32_t)p.prefix[i];
            if (!taco__buf_append(&s->last, s->suffixes.lengths.bytes.data + s->suffixes.at, b,
                                  err)) {
                return false;
            }
            s->suffixes.at += b;
        }
    }
    return true;
}

/* ---- BYTE_STREAM_SPLIT ------------------------------------------------------------------------------ */

typedef struct taco__bss {
    taco_bytes bytes;
    size_t width, stride; /* bytes of a value; values, which is also the distance of the streams */
    size_t at;            /* the next value */
} taco__bss;

TACO__FN bool taco__bss_open(taco__bss *s, taco_bytes bytes, size_t width, taco_error *err)
{
    s->bytes = bytes;
    s->width = width;
    s->at = 0;
    s->stride = width ? bytes.len / width : 0;
    if (width && bytes.len % width) { /* width streams of equal length, nothing else */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "%u bytes in %u streams of equal length",
                   TACO__U(bytes.len), TACO__U(width));
        return false;
    }
    return true;
}
TACO__FN bool taco__bss_skip(taco__bss *s, size_t n, taco_error *err)
{
    if (s->width && n > s->stride - s->at) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s->bytes.len, "values end, %u more expected",
                   TACO__U(n - (s->stride - s->at)));
        return false;
    }
    s->at += n;
    return true;
}
/* Byte k of word j becomes byte j of word k: swaps the halves, the quarters, the eighths across the diagonal. */
#define TACO__BSS_SWAP(a, b, by, mask)                                                             \
    do {                                                                                           \
        uint64_t t = ((a >> (by)) ^ b) & (mask);                                                   \
        b ^= t;                                                                                    \
        a ^= t << (by);                                                                            \
    } while (0)
TACO__INLINE void taco__bss_transpose(uint64_t w[8])
{
    uint64_t a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
    TACO__BSS_SWAP(a, e, 32, 0x00000000FFFFFFFFU);
    TACO__BSS_SWAP(b, f, 32, 0x00000000FFFFFFFFU);
    TACO__BSS_SWAP(c, g, 32, 0x00000000FFFFFFFFU);
    TACO__BSS_SWAP(d, h, 32, 0x00000000FFFFFFFFU);
    TACO__BSS_SWAP(a, c, 16, 0x0000FFFF0000FFFFU);
    TACO__BSS_SWAP(b, d, 16, 0x0000FFFF0000FFFFU);
    TACO__BSS_SWAP(e, g, 16, 0x0000FFFF0000FFFFU);
    TACO__BSS_SWAP(f, h, 16, 0x0000FFFF0000FFFFU);
    TACO__BSS_SWAP(a, b, 8, 0x00FF00FF00FF00FFU);
    TACO__BSS_SWAP(c, d, 8, 0x00FF00FF00FF00FFU);
    TACO__BSS_SWAP(e, f, 8, 0x00FF00FF00FF00FFU);
    TACO__BSS_SWAP(g, h, 8, 0x00FF00FF00FF00FFU);
    w[0] = a, w[1] = b, w[2] = c, w[3] = d, w[4] = e, w[5] = f, w[6] = g, w[7] = h;
}
#undef TACO__BSS_SWAP
/* Widths 2 and 4, 64 / width values a step: the streams' next 8 bytes, 8 / width times, fill the rows of a square of
   bytes whose columns are the values. Returns how many were done, as little-endian bytes. */
TACO__INLINE size_t taco__bss_read_narrow(const uint8_t *src, size_t stride, unsigned width,
                                          uint8_t *dst, size_t n)
{
    size_t         i;
    const unsigned parts = 8 / width, step = 64 / width;
    for (i = 0; i + step <= n; i += step, dst += 64) {
        uint64_t w[8];
        unsigned j, k;
        for (j = 0; j < 8; j++) {
            w[j] = taco__base_le64(src + i + (j % width) * stride + 8 * (j / width));
        }
        taco__bss_transpose(w);
        for (j = 0; j < 8; j++) {
            for (k = 0; k < parts; k++) {
                uint64_t x = w[j] >> (8 * width * k);
                if (width == 4) {
                    taco__base_put32(dst + 32 * k + 4 * j, (uint32_t)x);
                } else {
                    dst[16 * k + 2 * j] = (uint8_t)x;
                    dst[16 * k + 2 * j + 1] = (uint8_t)(x >> 8);
                }
            }
        }
    }
    return i;
}
/* Widths from 8 on, 8 values a step: eight streams after eight, the last eight overlapping the ones before. */
TACO__FN size_t taco__bss_read_wide(const uint8_t *src, size_t stride, size_t width, uint8_t *dst,
                                    size_t n)
{
    size_t i, from, j;
    for (i = 0; i + 8 <= n; i += 8, dst += 8 * width) {
        for (from = 0; from < width; from += 8) {
            uint64_t w[8];
            size_t   first = TACO__MIN(from, width - 8);
            for (j = 0; j < 8; j++) {
                w[j] = taco__base_le64(src + i + (first + j) * stride);
            }
            taco__bss_transpose(w);
            for (j = 0; j < 8; j++) {
                taco__base_put64(dst + j * width + first, w[j]);
            }
        }
    }
    return i;
}
TACO__FN size_t taco__bss_read_plain(const uint8_t *src, size_t stride, size_t width, uint8_t *dst,
                                     size_t n)
{
    return width == 2   ? taco__bss_read_narrow(src, stride, 2, dst, n)
           : width == 4 ? taco__bss_read_narrow(src, stride, 4, dst, n)
           : width >= 8 ? taco__bss_read_wide(src, stride, width, dst, n)
                        : 0;
}
#if TACO__X86
#define TACO__BSS_LOAD(k) _mm256_loadu_si256((const __m256i *)(const void *)(src + i + (k)*stride))
/* Stores the low halves of a (count of vectors) in order and the high ones behind them. */
#define TACO__BSS_STORE(v, count, k)                                                               \
    _mm_storeu_si128((__m128i *)(void *)(dst + 16 * (k)), _mm256_castsi256_si128(v));              \
    _mm_storeu_si128((__m128i *)(void *)(dst + 16 * ((count) + (k))),                              \
                     _mm256_extracti128_si256(v, 1))
/* The same, 32 values a step, by interleaving bytes: streams apart by half their number first. */
TACO__TARGET("avx2")
TACO__FN size_t taco__bss_read_avx2(const uint8_t *src, size_t stride, unsigned width, uint8_t *dst,
                                    size_t n)
{
    size_t i;
    for (i = 0; i + 32 <= n; i += 32, dst += 32 * width) {
        if (width == 2) {
            __m256i a = TACO__BSS_LOAD(0), b = TACO__BSS_LOAD(1);
            __m256i x = _mm256_unpacklo_epi8(a, b), y = _mm256_unpackhi_epi8(a, b);
            TACO__BSS_STORE(x, 2, 0);
            TACO__BSS_STORE(y, 2, 1);
        } else if (width == 4) {
            __m256i a = TACO__BSS_LOAD(0), b = TACO__BSS_LOAD(1), c = TACO__BSS_LOAD(2),
                    e = TACO__BSS_LOAD(3);
            __m256i ac0 = _mm256_unpacklo_epi8(a, c), ac1 = _mm256_unpackhi_epi8(a, c);
            __m256i be0 = _mm256_unpacklo_epi8(b, e), be1 = _mm256_unpackhi_epi8(b, e);
            __m256i x0 = _mm256_unpacklo_epi8(ac0, be0), x1 = _mm256_unpackhi_epi8(ac0, be0);
            __m256i x2 = _mm256_unpacklo_epi8(ac1, be1), x3 = _mm256_unpackhi_epi8(ac1, be1);
            TACO__BSS_STORE(x0, 4, 0);
            TACO__BSS_STORE(x1, 4, 1);
            TACO__BSS_STORE(x2, 4, 2);
            TACO__BSS_STORE(x3, 4, 3);
        } else {
            __m256i  p[8], q[8];
            unsigned k;
            for (k = 0; k < 4;
                 k++) { /* p: streams k and k + 4, first and second half of their bytes */
                __m256i a = TACO__BSS_LOAD(k), b = TACO__BSS_LOAD(k + 4);
                p[k] = _mm256_unpacklo_epi8(a, b);
                p[k + 4] = _mm256_unpackhi_epi8(a, b);
            }
            for (k = 0; k < 2; k++) { /* q: k, k + 2, k + 4, k + 6 in quarters */
                q[k] = _mm256_unpacklo_epi8(p[k], p[k + 2]);
                q[k + 2] = _mm256_unpackhi_epi8(p[k], p[k + 2]);
                q[k + 4] = _mm256_unpacklo_epi8(p[k + 4], p[k + 6]);
                q[k + 6] = _mm256_unpackhi_epi8(p[k + 4], p[k + 6]);
            }
            for (k = 0; k < 4; k++) {
                __m256i x = _mm256_unpacklo_epi8(q[2 * k], q[2 * k + 1]);
                __m256i y = _mm256_unpackhi_epi8(q[2 * k], q[2 * k + 1]);
                TACO__BSS_STORE(x, 8, 2 * k);
                TACO__BSS_STORE(y, 8, 2 * k + 1);
            }
        }
    }
    return i;
}
#endif
TACO__FN bool taco__bss_read(taco__bss *s, void *dst, bool numeric, size_t n, taco_error *err)
{
    uint8_t       *out = (uint8_t *)dst;
    const size_t   width = s->width, stride = s->stride;
    const uint8_t *src;
    size_t         k, done = 0;
    if (!n || !width) {
        return true;
    }
    if (!taco__bss_skip(s, n, err)) {
        return false;
    }
    src = s->bytes.data + (s->at - n);
#if TACO__X86
    if ((width == 2 || width == 4 || width == 8) && TACO__CPU_HAS("avx2")) {
        done = taco__bss_read_avx2(src, stride, (unsigned)width, out, n);
    }
#endif
    done += taco__bss_read_plain(src + done, stride, width, out + done * width, n - done);
    for (; done < n; done++) {
        for (k = 0; k < width; k++) {
            out[done * width + k] = src[done + k * stride];
        }
    }
    if (numeric) {
        taco__plain_order(dst, width, n);
    }
    return true;
}

/* ==== ROOM page: a column chunk read forward: page headers, CRC, codecs, levels, values. Uses: io codecs meta enc ==== */

/* Decoder states too large for a stack, one per column reader, reused from page to page. */
typedef struct taco__codecs {
    taco__zstd zstd;
} taco__codecs;

/* How the values of the open data page are stored. */
typedef enum taco__value_kind {
    TACO__VALUES_PLAIN,
    TACO__VALUES_DICT,
    TACO__VALUES_RLE,   /* booleans */
    TACO__VALUES_DELTA, /* DELTA_BINARY_PACKED */
    TACO__VALUES_DLEN,  /* DELTA_LENGTH_BYTE_ARRAY */
    TACO__VALUES_DBA,   /* DELTA_BYTE_ARRAY */
    TACO__VALUES_BSS    /* BYTE_STREAM_SPLIT */
} taco__value_kind;

/* Non-null values of one leaf in memory form (taco_field.width): a batch, or a dictionary. */
typedef struct taco__values {
    taco__buf values;  /* fixed width; a bitmap for BOOL; int32 indices while `dict` */
    taco__buf offsets; /* int32, count + 1: byte arrays */
    taco__buf bytes;
    size_t    count;
    bool      dict;
} taco__values;

/* One leaf column of one row group, read forward. */
typedef struct taco__leaf {
    const taco__part     *part;
    taco__mem            *mem;
    const taco__pq_meta  *meta; /* for names in messages */
    const taco__pq_leaf  *schema;
    const taco__pq_chunk *chunk;
    const taco_field     *field;
    const taco_limits    *limits;
    taco__codecs         *codecs;
    bool                  always_compressed; /* the writer's is_compressed is wrong */

    uint64_t  at, end;  /* next page header, end of the chunk, in the part */
    uint64_t  expected; /* level entries that the chunk's metadata still promises */
    uint64_t  page_no;
    taco__buf window; /* bytes of the chunk from window_at on, when the part does not hold them */
    uint64_t  window_at;
    taco__buf plain; /* the open page, uncompressed */
    taco__buf raw;   /* values on their way to memory form */
    taco__buf raw_text;

    taco__values dict;
    taco_array   dict_array;   /* the same, for batches of indices */
    bool has_dict, no_indices; /* no_indices: the page's section is empty, which only nulls allow */

    taco__pq_page    page;
    taco_bytes       body; /* of the open page, as it stands in the file */
    uint64_t         body_at;
    bool             opened; /* levels and values are ready */
    size_t           left;   /* level entries of the open page not yet consumed */
    taco__value_kind kind;
    taco__rle        rep, def, rle;
    taco__plain      flat;
    taco__delta      delta;
    taco__dlen       dlen;
    taco__dba        dba;
    taco__bss        bss;

    taco__buf    rep_buf, def_buf; /* nested columns: int16 levels of the batch */
    int16_t     *reps, *defs;      /* into them; NULL where the maximum is 0 */
    size_t       entries;
    taco__buf    validity; /* flat nullable columns: of the batch */
    size_t       rows;     /* flat and repeated columns: rows of the batch */
    uint64_t     fed;      /* plain bytes of the data pages that the batch reads from */
    taco__values store;
} taco__leaf;

/* ---- stores ------------------------------------------------------------------------------------- */

TACO__FN void taco__values_init(taco__values *s, taco__mem *mem)
{
    memset(s, 0, sizeof *s);
    s->values.mem = s->offsets.mem = s->bytes.mem = mem;
}
TACO__FN void taco__values_clear(taco__values *s)
{
    s->values.len = s->offsets.len = s->bytes.len = s->count = 0;
    s->dict = false;
}
TACO__FN void taco__values_free(taco__values *s)
{
    taco__buf_free(&s->values);
    taco__buf_free(&s->offsets);
    taco__buf_free(&s->bytes);
}
/* Byte arrays are laid out as offsets and bytes, all else as values of field->width bytes. */
TACO__INLINE bool taco__values_text(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY ||
           (f->type == TACO_DECIMAL && f->width == 0);
}
/* Room for n more values of width bytes; returns where they go. */
TACO__FN uint8_t *taco__values_room(taco__values *s, size_t width, size_t n, taco_error *err)
{
    size_t have, more;
    if (!taco__base_mulz(s->count, width, &have) || !taco__base_mulz(n, width, &more)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values", TACO__U(n));
        return NULL;
    }
    s->values.len = have;
    return taco__buf_reserve(&s->values, more, err) ? s->values.data + have : NULL;
}
TACO__FN uint8_t *taco__values_bits(taco__values *s, size_t n, taco_error *err)
{
    s->values.len = TACO__BITMAP_BYTES(s->count);
    return taco__buf_reserve(&s->values, TACO__BITMAP_BYTES(n) + 1, err) ? s->values.data : NULL;
}
TACO__FN int32_t *taco__values_offsets(taco__values *s, size_t n, taco_error *err)
{
    size_t more;
    if (!taco__base_mulz(n + 1, sizeof(int32_t), &more)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values", TACO__U(n));
        return NULL;
    }
    s->offsets.len = s->count * sizeof(int32_t);
    if (!taco__buf_reserve(&s->offsets, more, err)) {
        return NULL;
    }
    return (int32_t *)(void *)s->offsets.data + s->count;
}
/* A dictionary-encoded batch met a page that is not: its indices become the text they stand for. */
TACO__FN bool taco__values_flatten(taco__values *s, const taco__values *dict, taco_error *err)
{
    size_t   n = s->count;
    int32_t *offsets;
    s->count = 0;
    offsets = taco__values_offsets(s, n, err);
    if (!offsets) {
        return false;
    }
    if (n == 0) {
        offsets[0] = (int32_t)s->bytes.len;
    } else if (!taco__enc_take_text(&s->bytes, offsets, dict->bytes.data, dict->bytes.len,
                                    (const int32_t *)(const void *)dict->offsets.data,
                                    (const int32_t *)(const void *)s->values.data, n, err)) {
        return false;
    }
    s->count = n;
    s->dict = false;
    return true;
}

/* ---- bytes of the chunk ------------------------------------------------------------------------- */

TACO__FN void taco__leaf_init(taco__leaf *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = mem;
    l->window.mem = l->plain.mem = l->raw.mem = l->raw_text.mem = mem;
    l->rep_buf.mem = l->def_buf.mem = l->validity.mem = mem;
    taco__values_init(&l->dict, mem);
    taco__values_init(&l->store, mem);
    taco__dba_init(&l->dba, mem);
}
TACO__FN void taco__leaf_close(taco__leaf *l)
{
    taco__buf_free(&l->window);
    taco__buf_free(&l->plain);
    taco__buf_free(&l->raw);
    taco__buf_free(&l->raw_text);
    taco__buf_free(&l->rep_buf);
    taco__buf_free(&l->def_buf);
    taco__buf_free(&l->validity);
    taco__values_free(&l->dict);
    taco__values_free(&l->store);
    taco__dba_close(&l->dba);
}
/* Points an initialised leaf at the beginning of a column chunk; buffers are kept. */
TACO__FN bool taco__leaf_open(taco__leaf *l, const taco__pq_chunk *chunk, taco_error *err)
{
    if (chunk->encrypted) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "unsupported: encryption");
        return false;
    }
    if (chunk->external) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "unsupported: its pages are in another file, %q", &chunk->file_path);
        return false;
    }
    l->chunk = chunk;
    l->at = chunk->pages.offset;
    /* parquet-mr left the dictionary's page header out of the sum (PARQUET-816) */
    l->end = TACO__MIN(chunk->pages.offset + chunk->pages.size + 128, l->part->size);
    l->expected = (uint64_t)chunk->num_values;
    l->page_no = 0;
    l->window.len = 0;
    l->window_at = 0;
    l->has_dict = l->opened = false;
    l->left = 0;
    return true;
}
/* len bytes at offset of the chunk, valid until the next call. Local sources are asked for a window at a time and no
   byte twice. */
TACO__FN const uint8_t *taco__leaf_bytes(taco__leaf *l, uint64_t offset, size_t len,
                                         taco_error *err)
{
    const uint8_t *p = taco__part_held(l->part, offset, len);
    size_t         keep = 0, want;
    uint64_t       pages;
    if (p) {
        return p;
    }
    if (offset >= l->window_at && taco__base_inside(offset - l->window_at, len, l->window.len)) {
        return l->window.data + (size_t)(offset - l->window_at);
    }
    if (!taco__base_inside(offset, len, l->end)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "page of %u bytes, its column chunk ends at %u",
                   TACO__U(len), l->end);
        return NULL;
    }
    if (offset >= l->window_at && offset - l->window_at < l->window.len) {
        keep = l->window.len - (size_t)(offset - l->window_at);
        memmove(l->window.data, l->window.data + (l->window.len - keep), keep);
    }
    pages = l->chunk->pages.offset + l->chunk->pages.size;
    want = pages > offset ? (size_t)TACO__MIN((uint64_t)TACO__WINDOW, pages - offset) : 0;
    want = TACO__MAX(len, want);
    l->window.len = keep;
    l->window_at = offset;
    if (!taco__buf_reserve(&l->window, want - keep, err) ||
        !taco__part_copy(l->part, offset + keep, l->window.data + keep, want - keep, err)) {
        l->window.len = 0;
        return NULL;
    }
    l->window.len = want;
    return l->window.data;
}
/* Reads the header of the next page into l->page; its length in *len. */
TACO__FN bool taco__leaf_header(taco__leaf *l, size_t *len, taco_error *err)
{
    uint64_t left = l->end - l->at, most = l->limits->max_metadata;
    size_t   n = (size_t)TACO__MIN(left, (uint64_t)512);
    for (;; n = (size_t)TACO__MIN(left, (uint64_t)n * 8)) {
        taco_error     e;
        const uint8_t *p = taco__leaf_bytes(l, l->at, n, err);
        if (!p) {
            return false;
        }
        memset(&e, 0, sizeof e);
        if (taco__meta_page(taco__base_bytes(p, n), l->at, &l->page, len, &e) == TACO_OK) {
            return true;
        }
        if (e.code != TACO_ERR_TRUNCATED || n >= left || n >= most) {
            if (err && err->code == TACO_OK) {
                *err = e;
            }
            return false;
        }
    }
}

/* ---- pages -------------------------------------------------------------------------------------- */

TACO__FN bool taco__leaf_check_crc(const taco__leaf *l, taco_error *err)
{
    uint32_t crc;
    if (!l->page.has_crc) {
        return true;
    }
    crc = taco__hash_crc32(0, l->body.data, l->body.len);
    if (crc != (uint32_t)l->page.crc) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, l->body_at, "page CRC is %x, its header says %x",
                   TACO__U(crc), TACO__U((uint32_t)l->page.crc));
        return false;
    }
    return true;
}
TACO__FN const char *taco__leaf_codec_name(int32_t codec)
{
    static const char *const names[] = {"uncompressed", "snappy", "gzip", "lzo",
                                        "brotli",       "lz4",    "zstd", "lz4_raw"};
    return codec >= 0 && (size_t)codec < TACO__COUNT(names) ? names[codec] : "unknown";
}
/* Appends the plain bytes of `in` to out, which has room for `size` of them. */
TACO__FN bool taco__leaf_codec(taco__leaf *l, taco_bytes in, taco__buf *out, size_t size,
                               taco_error *err)
{
    size_t      before = out->len;
    const char *name = taco__leaf_codec_name(l->chunk->codec);
    taco_status s;
    switch (l->chunk->codec) {
    case TACO__PQ_CODEC_SNAPPY: s = taco__snappy_decode(in, out, size, err); break;
    case TACO__PQ_CODEC_GZIP: s = taco__flate_any(in, out, size, err); break;
    case TACO__PQ_CODEC_LZ4: s = taco__lz4_decode(in, out, size, size, err); break;
    case TACO__PQ_CODEC_LZ4_RAW: s = taco__lz4_decode_raw(in, out, size, err); break;
    case TACO__PQ_CODEC_ZSTD: s = taco__zstd_decode(&l->codecs->zstd, in, out, size, err); break;
    default:
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, l->body_at, "unsupported: codec %s", name);
        return false;
    }
    if (s == TACO_OK && out->len - before != size) {
        s = TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u bytes uncompressed, the page header says %u", TACO__U(out->len - before),
                       TACO__U(size));
    }
    return s == TACO_OK || taco__error_inside(err, l->body_at, name);
}
/* The most bytes that `len` compressed ones can become: more is a lie that must not cost memory. Snappy's best is a
   copy of 64 bytes in 3, LZ4's a length byte for 255, Deflate's 258 bytes in two bits, Zstandard's a block of 128 KiB in
   4 (RFC 8878, RLE_Block). */
TACO__FN uint64_t taco__leaf_most(int32_t codec, size_t len)
{
    switch (codec) {
    case TACO__PQ_CODEC_SNAPPY: return (uint64_t)len * 22 + 64;
    case TACO__PQ_CODEC_GZIP: return (uint64_t)len * 1032 + 1032;
    case TACO__PQ_CODEC_LZ4:
    case TACO__PQ_CODEC_LZ4_RAW: return (uint64_t)len * 255 + 64;
    default: return (uint64_t)len * 32768 + 131072;
    }
}
/* The plain bytes of the open page: in place when nothing is compressed, else in l->plain. The levels of a v2 page are
   never compressed (parquet.thrift, DataPageHeaderV2). */
TACO__FN bool taco__leaf_plain(taco__leaf *l, taco_bytes *out, taco_error *err)
{
    size_t size = (size_t)l->page.uncompressed_size, levels = 0;
    bool   packed = l->chunk->codec != TACO__PQ_CODEC_NONE;
    if (l->page.type == TACO__PQ_PAGE_DATA_V2) {
        levels = (size_t)l->page.rep_len + (size_t)l->page.def_len;
        packed = packed && (l->page.is_compressed || l->always_compressed);
        if (levels > size) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "levels of %u bytes in a page of %u",
                       TACO__U(levels), TACO__U(size));
            return false;
        }
    }
    if (!packed) {
        if (l->body.len < size) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "page of %u bytes, its header says %u uncompressed", TACO__U(l->body.len),
                       TACO__U(size));
            return false;
        }
        *out = taco__base_bytes(l->body.data, size);
        return true;
    }
    if (size > l->limits->max_page) {
        TACO__FAIL(err, TACO_ERR_LIMIT, l->body_at,
                   "page of %u bytes uncompressed, limits.max_page is %u", TACO__U(size),
                   l->limits->max_page);
        return false;
    }
    if (size - levels >
        taco__leaf_most(l->chunk->codec,
                        l->body.len - levels)) { /* levels fit: taco__meta_prove_v2 */
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page of %u bytes, its header says %u uncompressed, more than %s can reach",
                   TACO__U(l->body.len), TACO__U(size), taco__leaf_codec_name(l->chunk->codec));
        return false;
    }
    if (!taco__buf_reset(&l->plain, size, err) ||
        !taco__buf_append(&l->plain, l->body.data, levels, err)) {
        return false;
    }
    if (size > levels && l->body.len > levels &&
        !taco__leaf_codec(l, taco__base_bytes(l->body.data + levels, l->body.len - levels),
                          &l->plain, size - levels, err)) {
        return false;
    }
    if (l->plain.len != size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page of %u bytes uncompressed, its header says %u", TACO__U(l->plain.len),
                   TACO__U(size));
        return false;
    }
    *out = taco__base_bytes(l->plain.data, size);
    return true;
}

/* ---- values ------------------------------------------------------------------------------------- */

/* Physical INT32, INT64, FLOAT and DOUBLE become native numbers; other fixed widths stay bytes. */
TACO__INLINE size_t taco__leaf_width(const taco__leaf *l, bool *numeric)
{
    switch (l->schema->type) {
    case TACO__PQ_INT32:
    case TACO__PQ_FLOAT: *numeric = true; return 4;
    case TACO__PQ_INT64:
    case TACO__PQ_DOUBLE: *numeric = true; return 8;
    case TACO__PQ_INT96: *numeric = false; return 12;
    default: *numeric = l->field->type == TACO_HALF; return (size_t)l->schema->type_length;
    }
}
/* n values of fixed width as the file has them. */
TACO__FN bool taco__leaf_read_fixed(taco__leaf *l, uint8_t *dst, size_t n, taco_error *err)
{
    bool   numeric;
    size_t width = taco__leaf_width(l, &numeric);
    switch (l->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read(&l->flat, dst, width, numeric, n, err);
    case TACO__VALUES_BSS: return taco__bss_read(&l->bss, dst, numeric, n, err);
    case TACO__VALUES_DBA: return taco__dba_read(&l->dba, dst, width, n, err);
    case TACO__VALUES_DELTA:
        return width == 4 ? taco__delta_read32(&l->delta, (int32_t *)(void *)dst, n, err)
                          : taco__delta_read64(&l->delta, (int64_t *)(void *)dst, n, err);
    default: break;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold values of this type",
               TACO__U(l->page.encoding));
    return false;
}
TACO__FN bool taco__leaf_read_text(taco__leaf *l, taco__buf *bytes, int32_t *offsets, size_t n,
                                   taco_error *err)
{
    switch (l->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read_text(&l->flat, bytes, offsets, n, err);
    case TACO__VALUES_DLEN: return taco__dlen_read_text(&l->dlen, bytes, offsets, n, err);
    case TACO__VALUES_DBA: return taco__dba_read_text(&l->dba, bytes, offsets, n, err);
    default: break;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold byte arrays",
               TACO__U(l->page.encoding));
    return false;
}
/* Decimals of every physical type to width 16 or 32. */
TACO__FN bool taco__leaf_read_decimal(taco__leaf *l, uint8_t *dst, size_t n, taco_error *err)
{
    size_t width = (size_t)l->field->width, total;
    if (l->schema->type == TACO__PQ_BYTE_ARRAY) {
        int32_t *offsets;
        l->raw_text.len = 0;
        if (!taco__base_mulz(n + 1, 4, &total) || !taco__buf_reset(&l->raw, total, err)) {
            return false;
        }
        offsets = (int32_t *)(void *)l->raw.data;
        return taco__leaf_read_text(l, &l->raw_text, offsets, n, err) &&
               taco__enc_decimal_text(dst, width, l->raw_text.data, offsets, n, err);
    }
    if (!taco__base_mulz(n, TACO__MAX((size_t)l->schema->type_length, (size_t)8), &total) ||
        !taco__buf_reset(&l->raw, total, err) || !taco__leaf_read_fixed(l, l->raw.data, n, err)) {
        return false;
    }
    if (l->schema->type == TACO__PQ_INT32) {
        taco__enc_decimal_int32(dst, width, (const int32_t *)(const void *)l->raw.data, n);
    } else if (l->schema->type == TACO__PQ_INT64) {
        taco__enc_decimal_int64(dst, width, (const int64_t *)(const void *)l->raw.data, n);
    } else {
        return taco__enc_decimal_fixed(dst, width, l->raw.data, (size_t)l->schema->type_length, n,
                                       err);
    }
    return true;
}
TACO__FN bool taco__leaf_read_bits(taco__leaf *l, uint8_t *bits, size_t at, size_t n,
                                   taco_error *err)
{
    size_t ones;
    if (l->kind == TACO__VALUES_PLAIN) {
        return taco__plain_read_bits(&l->flat, bits, at, n, err);
    }
    if (l->kind == TACO__VALUES_RLE) {
        return taco__rle_read_validity(&l->rle, bits, at, n, &ones, err);
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold booleans",
               TACO__U(l->page.encoding));
    return false;
}
/* n values that a dictionary page or a data page without dictionary holds, appended to s in memory form. */
TACO__FN bool taco__leaf_append(taco__leaf *l, taco__values *s, size_t n, taco_error *err)
{
    const taco_field *f = l->field;
    uint8_t          *dst;
    bool              ok, numeric;
    if (f->type == TACO_NULL) { /* whatever stands there, it means nothing */
        s->count += n;
        return true;
    }
    if (f->type == TACO_BOOL) {
        dst = taco__values_bits(s, n, err);
        ok = dst && taco__leaf_read_bits(l, dst, s->count, n, err);
    } else if (taco__values_text(f)) {
        int32_t *offsets = taco__values_offsets(s, n, err);
        ok = offsets && taco__leaf_read_text(l, &s->bytes, offsets, n, err);
    } else if (f->type == TACO_DECIMAL) {
        dst = taco__values_room(s, (size_t)f->width, n, err);
        ok = dst && taco__leaf_read_decimal(l, dst, n, err);
    } else {
        size_t width = taco__leaf_width(l, &numeric);
        if (l->kind == TACO__VALUES_PLAIN && width &&
            n > (l->flat.bytes.len - l->flat.at) / width) { /* before room is made for them */
            return taco__plain_skip(&l->flat, width, n, err);
        }
        dst = taco__values_room(s, (size_t)f->width,
                                n * (width > (size_t)f->width ? width / (size_t)f->width : 1), err);
        ok = dst && taco__leaf_read_fixed(l, dst, n, err);
        if (ok && width > (size_t)f->width) {
            taco__enc_narrow(dst, (size_t)f->width, n);
        }
    }
    s->count += ok ? n : 0;
    return ok;
}
/* n values of the open page, by whatever encoding, appended to the batch. Text stays indices while every page of the
   batch has a dictionary. */
TACO__FN bool taco__leaf_values(taco__leaf *l, size_t n, taco_error *err)
{
    taco__values *s = &l->store;
    uint8_t      *dst;
    if (n == 0 || l->field->type == TACO_NULL) {
        s->count += n;
        return true;
    }
    if (l->kind != TACO__VALUES_DICT) {
        return (!s->dict || taco__values_flatten(s, &l->dict, err)) &&
               taco__leaf_append(l, s, n, err);
    }
    if (l->no_indices) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "no dictionary indices for %u values", TACO__U(n));
        return false;
    }
    if (!taco__values_text(l->field)) {
        dst = taco__values_room(s, (size_t)l->field->width, n, err);
        if (!dst || !taco__rle_read_dict(&l->rle, dst, l->dict.values.data, (size_t)l->field->width,
                                         l->dict.count, n, err)) {
            return false;
        }
        s->count += n;
        return true;
    }
    s->dict = s->dict || s->count == 0;
    if (s->dict) {
        dst = taco__values_room(s, sizeof(int32_t), n, err);
        if (!dst ||
            !taco__rle_read_indices(&l->rle, (int32_t *)(void *)dst, n, l->dict.count, err)) {
            return false;
        }
        s->count += n;
        return true;
    }
    if (!taco__buf_reset(&l->raw, n * sizeof(int32_t), err) ||
        !taco__rle_read_indices(&l->rle, (int32_t *)(void *)l->raw.data, n, l->dict.count, err)) {
        return false;
    } else {
        int32_t *offsets = taco__values_offsets(s, n, err);
        if (!offsets ||
            !taco__enc_take_text(&s->bytes, offsets, l->dict.bytes.data, l->dict.bytes.len,
                                 (const int32_t *)(const void *)l->dict.offsets.data,
                                 (const int32_t *)(const void *)l->raw.data, n, err)) {
            return false;
        }
    }
    s->count += n;
    return true;
}
TACO__FN bool taco__leaf_skip_values(taco__leaf *l, size_t n, taco_error *err)
{
    bool   numeric;
    size_t width;
    if (n == 0 || l->field->type == TACO_NULL) {
        return true;
    }
    switch (l->kind) {
    case TACO__VALUES_DICT:
    case TACO__VALUES_RLE: return taco__rle_skip(&l->rle, n, err);
    case TACO__VALUES_DELTA: return taco__delta_skip(&l->delta, n, err);
    case TACO__VALUES_DLEN: return taco__dlen_skip(&l->dlen, n, err);
    case TACO__VALUES_DBA: return taco__dba_skip(&l->dba, n, err);
    case TACO__VALUES_BSS: return taco__bss_skip(&l->bss, n, err);
    default: break;
    }
    if (l->schema->type == TACO__PQ_BOOLEAN) {
        return taco__plain_skip_bits(&l->flat, n, err);
    }
    if (l->schema->type == TACO__PQ_BYTE_ARRAY) {
        return taco__plain_skip_text(&l->flat, n, err);
    }
    width = taco__leaf_width(l, &numeric);
    return taco__plain_skip(&l->flat, width, n, err);
}

/* ---- opening pages ------------------------------------------------------------------------------ */

/* The level sections of a v1 page: RLE behind a 4-byte length, or the deprecated BIT_PACKED without one. */
TACO__FN bool taco__leaf_levels_v1(taco__leaf *l, taco__cur *c, taco__rle *r, unsigned max,
                                   uint32_t encoding, taco_error *err)
{
    unsigned   width = 0;
    taco_bytes b;
    while (max >> width) {
        width++;
    }
    if (!width) {
        return true;
    }
    if (encoding == TACO__PQ_ENC_BIT_PACKED) {
        uint64_t bytes = ((uint64_t)l->page.num_values * width + 7) / 8;
        b.len = (size_t)TACO__MIN(bytes, (uint64_t)taco__cur_left(c));
        b.data = taco__cur_take(c, b.len);
        return taco__rle_open_msb(r, b, width, err);
    }
    b.len = taco__cur_le32(c);
    b.data = taco__cur_take(c, b.len);
    if (c->bad) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes, %u are left in the page",
                   TACO__U(b.len), TACO__U(taco__cur_left(c)));
        return false;
    }
    return taco__rle_open(r, b, width, err);
}
TACO__FN bool taco__leaf_levels_v2(taco__cur *c, taco__rle *r, unsigned max, size_t len,
                                   taco_error *err)
{
    unsigned   width = 0;
    taco_bytes b;
    while (max >> width) {
        width++;
    }
    b.len = len;
    b.data = taco__cur_take(c, len);
    if (c->bad) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes do not fit in the page",
                   TACO__U(len));
        return false;
    }
    return !width || taco__rle_open(r, b, width, err);
}
/* Prepares the value decoder for what is behind the levels. */
TACO__FN bool taco__leaf_open_values(taco__leaf *l, taco_bytes b, taco_error *err)
{
    uint64_t count = (uint64_t)l->page.num_values;
    bool     numeric;
    switch (l->page.encoding) {
    case TACO__PQ_ENC_PLAIN:
        l->kind = TACO__VALUES_PLAIN;
        taco__plain_open(&l->flat, b);
        return true;
    case TACO__PQ_ENC_PLAIN_DICTIONARY:
    case TACO__PQ_ENC_RLE_DICTIONARY:
        l->kind = TACO__VALUES_DICT;
        if (!l->has_dict && b.len > 1) {
            TACO__FAIL(
                err, TACO_ERR_CORRUPT, 0,
                "dictionary-encoded page, but the column chunk has no dictionary page before it");
            return false;
        }
        if (l->schema->type == TACO__PQ_BOOLEAN) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "booleans have no dictionary");
            return false;
        }
        l->no_indices =
            b.len == 0 || !l->has_dict; /* a dictionary of the row group before must not serve */
        if (!taco__rle_open(&l->rle, b, b.len ? b.data[0] : 0, err)) {
            return false;
        }
        l->rle.at = b.len ? 1 : 0; /* behind the bit width; offsets in messages count it */
        return true;
    case TACO__PQ_ENC_RLE:
        l->kind = TACO__VALUES_RLE;
        if (b.len == 0) {
            return taco__rle_open(&l->rle, b, 1, err);
        }
        if (b.len < 4 || taco__base_le32(b.data) > b.len - 4) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "RLE booleans of %u bytes do not fit in %u",
                       b.len < 4 ? TACO__U(4) : TACO__U(taco__base_le32(b.data)), TACO__U(b.len));
            return false;
        }
        if (!taco__rle_open(&l->rle, taco__base_bytes(b.data, (size_t)4 + taco__base_le32(b.data)),
                            1, err)) {
            return false;
        }
        l->rle.at = 4; /* behind the length */
        return true;
    case TACO__PQ_ENC_DELTA_BINARY_PACKED:
        l->kind = TACO__VALUES_DELTA;
        if (l->schema->type != TACO__PQ_INT32 && l->schema->type != TACO__PQ_INT64) {
            break;
        }
        return taco__delta_open(&l->delta, b, 0, count, l->schema->type == TACO__PQ_INT32 ? 32 : 64,
                                err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        l->kind = TACO__VALUES_DLEN;
        if (l->schema->type != TACO__PQ_BYTE_ARRAY) {
            break;
        }
        return taco__dlen_open(&l->dlen, b, 0, count, err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        l->kind = TACO__VALUES_DBA;
        if (l->schema->type != TACO__PQ_BYTE_ARRAY && l->schema->type != TACO__PQ_FIXED) {
            break;
        }
        return taco__dba_open(&l->dba, b, count, err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        l->kind = TACO__VALUES_BSS;
        if (l->schema->type == TACO__PQ_BOOLEAN || l->schema->type == TACO__PQ_BYTE_ARRAY ||
            l->schema->type == TACO__PQ_INT96) {
            break;
        }
        return taco__bss_open(&l->bss, b, taco__leaf_width(l, &numeric), err);
    default:
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0, "encoding %u", TACO__U(l->page.encoding));
        return false;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not go with the column's physical type",
               TACO__U(l->page.encoding));
    return false;
}
/* Decompresses the open data page and prepares its decoders; once per page, when its first row is asked for. */
TACO__FN bool taco__leaf_ready(taco__leaf *l, taco_error *err)
{
    taco_bytes plain;
    taco__cur  c;
    if (l->opened) {
        return true;
    }
    if (!taco__leaf_plain(l, &plain, err)) {
        return false;
    }
    c = taco__cur_make(plain);
    if (l->page.type == TACO__PQ_PAGE_DATA_V2) {
        if (!taco__leaf_levels_v2(&c, &l->rep, (unsigned)l->schema->max_rep,
                                  (size_t)l->page.rep_len, err) ||
            !taco__leaf_levels_v2(&c, &l->def, (unsigned)l->schema->max_def,
                                  (size_t)l->page.def_len, err)) {
            return taco__error_inside(err, l->body_at, "levels");
        }
    } else if (!taco__leaf_levels_v1(l, &c, &l->rep, (unsigned)l->schema->max_rep,
                                     (uint32_t)l->page.rep_encoding, err) ||
               !taco__leaf_levels_v1(l, &c, &l->def, (unsigned)l->schema->max_def,
                                     (uint32_t)l->page.def_encoding, err)) {
        return taco__error_inside(err, l->body_at, "levels");
    }
    if (!taco__leaf_open_values(l, taco__base_bytes(c.at, taco__cur_left(&c)), err)) {
        return taco__error_inside(err, l->body_at, "values");
    }
    l->opened = true;
    l->fed += plain.len;
    return true;
}
TACO__FN bool taco__leaf_load_dict(taco__leaf *l, taco_error *err)
{
    taco_bytes plain;
    size_t     n = (size_t)l->page.num_values, least;
    bool       numeric;
    taco__values_clear(&l->dict);
    l->has_dict = true;
    if (l->page.encoding != TACO__PQ_ENC_PLAIN &&
        l->page.encoding != TACO__PQ_ENC_PLAIN_DICTIONARY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, l->body_at, "dictionary page of encoding %u",
                   TACO__U(l->page.encoding));
        return false;
    }
    if (n == 0) {
        return true;
    }
    if (!taco__leaf_plain(l, &plain, err)) {
        return false;
    }
    least = l->schema->type == TACO__PQ_BYTE_ARRAY ? 4
            : l->schema->type == TACO__PQ_BOOLEAN  ? 0
                                                   : taco__leaf_width(l, &numeric);
    if (least && n > plain.len / least) { /* before room is made for n of them */
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "dictionary of %u values in %u bytes",
                   TACO__U(n), TACO__U(plain.len));
        return false;
    }
    l->kind = TACO__VALUES_PLAIN;
    taco__plain_open(&l->flat, plain);
    return l->schema->type == TACO__PQ_BOOLEAN || taco__leaf_append(l, &l->dict, n, err) ||
           taco__error_inside(err, l->body_at, "dictionary");
}
/* Steps to the next data page; dictionary pages on the way are loaded, index pages passed over. A batch that holds
   indices into the old dictionary is turned into text first. */
TACO__FN bool taco__leaf_next_page(taco__leaf *l, taco_error *err)
{
    for (;;) {
        size_t header = 0;
        if (l->at >= l->end || l->expected == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->at,
                       "the column chunk has fewer values than its row group has rows");
            return false;
        }
        if (!taco__leaf_header(l, &header, err)) {
            return false;
        }
        l->body_at = l->at + header;
        l->body.len = (size_t)l->page.compressed_size;
        l->body.data = taco__leaf_bytes(l, l->body_at, l->body.len, err);
        if (!l->body.data) {
            return false;
        }
        l->at = l->body_at + l->body.len;
        l->opened = false;
        if (!taco__leaf_check_crc(l, err)) {
            return false;
        }
        if (l->page.type == TACO__PQ_PAGE_DICTIONARY) {
            if (l->store.dict && !taco__values_flatten(&l->store, &l->dict, err)) {
                return false;
            }
            if (!taco__leaf_load_dict(l, err)) {
                return false;
            }
        } else if (l->page.type == TACO__PQ_PAGE_DATA || l->page.type == TACO__PQ_PAGE_DATA_V2) {
            if ((uint64_t)l->page.num_values > l->expected) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                           "page of %u values, its column chunk has %u left",
                           TACO__U(l->page.num_values), l->expected);
                return false;
            }
            l->expected -= (uint64_t)l->page.num_values;
            l->left = (size_t)l->page.num_values;
            l->page_no++;
            if (l->left) {
                return true;
            }
        }
    }
}

/* ---- flat columns: a level entry per row ---------------------------------------------------------- */

/* Begins a batch: what was appended before is gone. */
TACO__FN void taco__leaf_begin(taco__leaf *l)
{
    taco__values_clear(&l->store);
    l->entries = l->rows = 0;
    l->fed = l->opened && l->left ? l->page.uncompressed_size : 0;
    l->rep_buf.len = l->def_buf.len = 0;
}
TACO__FN bool taco__leaf_flat_read(taco__leaf *l, size_t n, taco_error *err)
{
    if (l->schema->max_def &&
        !taco__buf_reserve(&l->validity, TACO__BITMAP_BYTES(l->rows + n) + 8, err)) {
        return false;
    }
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__leaf_next_page(l, err)) {
            return false;
        }
        if (!taco__leaf_ready(l, err)) {
            return false;
        }
        m = valid = TACO__MIN(n, l->left);
        if (l->schema->max_def &&
            !taco__rle_read_validity(&l->def, l->validity.data, l->rows, m, &valid, err)) {
            return taco__error_inside(err, l->body_at, "levels");
        }
        if (!taco__leaf_values(l, valid, err)) {
            return taco__error_inside(err, l->body_at, "values");
        }
        l->rows += m;
        l->left -= m;
        n -= m;
    }
    return true;
}
TACO__FN bool taco__leaf_flat_skip(taco__leaf *l, uint64_t n, taco_error *err)
{
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__leaf_next_page(l, err)) {
            return false;
        }
        m = valid = (size_t)TACO__MIN(n, (uint64_t)l->left);
        if (m < l->left || l->opened) { /* a page skipped whole is not even decompressed */
            if (!taco__leaf_ready(l, err)) {
                return false;
            }
            if ((l->schema->max_def &&
                 !taco__rle_skip_count(&l->def, m, (unsigned)l->schema->max_def, &valid, err)) ||
                !taco__leaf_skip_values(l, valid, err)) {
                return taco__error_inside(err, l->body_at, "values");
            }
        }
        l->left -= m;
        n -= m;
    }
    return true;
}

/* ---- nested columns: level entries until the next row begins --------------------------------------- */

TACO__FN bool taco__leaf_reserve_levels(taco__leaf *l, size_t more, taco_error *err)
{
    size_t bytes;
    if (!taco__base_mulz(more, sizeof(int16_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u levels",
                   TACO__U(more));
        return false;
    }
    l->rep_buf.len = l->def_buf.len = l->entries * sizeof(int16_t);
    if ((l->schema->max_rep && !taco__buf_reserve(&l->rep_buf, bytes, err)) ||
        (l->schema->max_def && !taco__buf_reserve(&l->def_buf, bytes, err))) {
        return false;
    }
    l->reps = l->schema->max_rep ? (int16_t *)(void *)l->rep_buf.data : NULL;
    l->defs = l->schema->max_def ? (int16_t *)(void *)l->def_buf.data : NULL;
    return true;
}
/* Appends up to `want` level entries of the open page to the batch, without values. */
TACO__FN bool taco__leaf_levels(taco__leaf *l, size_t want, taco_error *err)
{
    if (!taco__leaf_ready(l, err) || !taco__leaf_reserve_levels(l, want, err)) {
        return false;
    }
    if ((l->reps && !taco__rle_read_levels(&l->rep, l->reps + l->entries, want,
                                           (unsigned)l->schema->max_rep, err)) ||
        (l->defs && !taco__rle_read_levels(&l->def, l->defs + l->entries, want,
                                           (unsigned)l->schema->max_def, err))) {
        return taco__error_inside(err, l->body_at, "levels");
    }
    return true;
}
TACO__FN size_t taco__leaf_count_valid(const taco__leaf *l, size_t from, size_t to)
{
    size_t  i, n = 0;
    int16_t max = (int16_t)l->schema->max_def;
    if (!l->defs) {
        return to - from;
    }
    for (i = from; i < to; i++) {
        n += l->defs[i] == max;
    }
    return n;
}
#define TACO__LEVELS_AHEAD 4096
/* Reads (or skips) n rows of a column without repetition: an entry is a row. */
TACO__FN bool taco__leaf_struct_read(taco__leaf *l, uint64_t n, bool keep, taco_error *err)
{
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__leaf_next_page(l, err)) {
            return false;
        }
        m = (size_t)TACO__MIN(n, (uint64_t)l->left);
        if (keep || m < l->left || l->opened) {
            if (!keep) { /* levels of skipped rows must not need room for all of them */
                m = TACO__MIN(m, (size_t)TACO__LEVELS_AHEAD);
            }
            if (!taco__leaf_levels(l, m, err)) {
                return false;
            }
            valid = taco__leaf_count_valid(l, l->entries, l->entries + m);
            if (!(keep ? taco__leaf_values(l, valid, err)
                       : taco__leaf_skip_values(l, valid, err))) {
                return taco__error_inside(err, l->body_at, "values");
            }
            l->entries += keep ? m : 0;
        }
        l->left -= m;
        n -= m;
    }
    return true;
}
/* Of the next m level entries of the open page, which stand behind `entries`, counts those that belong to the next
   *rows rows; *begun says whether a row is under way. SIZE_MAX when a row does not begin with repetition level 0. */
TACO__FN size_t taco__leaf_row_entries(const taco__leaf *l, size_t m, uint64_t *rows, bool *begun)
{
    const int16_t *reps = l->reps + l->entries;
    size_t         i;
    for (i = 0; i < m; i++) {
        if (reps[i] == 0) {
            if (*rows == 0) {
                break;
            }
            --*rows;
            *begun = true;
        } else if (!*begun) {
            return SIZE_MAX;
        }
    }
    return i;
}
/* A run-length page of a few bytes can claim 2^31 entries, all of one row: what it costs is bounded by what was read, and
   by limits.max_page for lists that are long and constant. */
TACO__FN bool taco__leaf_check_levels(const taco__leaf *l, taco_error *err)
{
    uint64_t most = TACO__MAX(l->limits->max_page / 64, (uint64_t)1 << 20);
    most = TACO__MAX(most, l->fed * 8) + l->rows;
    if (l->entries <= most) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_LIMIT, l->body_at,
               "%u level entries in a batch of %u rows from %u bytes, limits.max_page allows %u",
               TACO__U(l->entries), TACO__U(l->rows), l->fed, most);
    return false;
}
/* Reads (or skips) n rows of a repeated column: a row ends where the next repetition level 0 stands, which may be on a
   later page, or where the chunk ends. */
TACO__FN bool taco__leaf_repeated_read(taco__leaf *l, uint64_t n, bool keep, taco_error *err)
{
    bool begun = false;
    l->rows += keep ? (size_t)n : 0;
    while (n || begun) {
        taco__rle rep, def;
        size_t    i, m, valid;
        if (!l->left) {
            if (n == 0 && l->expected == 0) {
                break;
            }
            if (!taco__leaf_next_page(l, err)) {
                return false;
            }
        }
        if (!taco__leaf_ready(l, err)) {
            return false;
        }
        m = TACO__MIN(l->left, (size_t)TACO__LEVELS_AHEAD);
        rep = l->rep;
        def = l->def;
        if (!taco__leaf_levels(l, m, err)) {
            return false;
        }
        i = taco__leaf_row_entries(l, m, &n, &begun);
        if (i == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "a row begins with a repetition level that is not 0");
            return false;
        }
        if (i < m) { /* the rows end here: go back to the first entry of the next one */
            l->rep = rep;
            l->def = def;
            if (!taco__rle_skip(&l->rep, i, err) || (l->defs && !taco__rle_skip(&l->def, i, err))) {
                return false;
            }
        }
        valid = taco__leaf_count_valid(l, l->entries, l->entries + i);
        if (!(keep ? taco__leaf_values(l, valid, err) : taco__leaf_skip_values(l, valid, err))) {
            return taco__error_inside(err, l->body_at, "values");
        }
        l->entries += keep ? i : 0;
        l->left -= i;
        if (!taco__leaf_check_levels(l, err)) {
            return false;
        }
        if (i < m) {
            break;
        }
    }
    return true;
}
/* ==== ROOM column: Arrow arrays from the levels and values of leaf columns. Uses: page. Spec: Dremel levels,
   parquet-format "Nested Encoding" ==== */

/* Buffers of one array, one per schema node, reused from batch to batch. */
typedef struct taco__colbuf {
    taco__buf            validity, offsets, values, bytes;
    taco_array           array;
    struct taco__colbuf *children;
} taco__colbuf;

/* A top-level field of one row group, read forward. */
typedef struct taco__column {
    const taco__pq_node *node;
    taco__mem           *mem;
    taco__leaf          *leaves;
    size_t               leaf_count;
    taco__colbuf        *root;
    uint64_t             row, rows; /* next row, rows of the row group */
    bool                 flat;
} taco__column;

TACO__FN bool taco__column_buffers(taco__colbuf *b, const taco_field *f, taco__mem *mem,
                                   taco__arena *arena, taco_error *err)
{
    uint32_t i;
    b->validity.mem = b->offsets.mem = b->values.mem = b->bytes.mem = mem;
    b->array.field = f;
    if (f->child_count == 0) {
        return true;
    }
    b->children =
        (taco__colbuf *)taco__arena_array(arena, f->child_count, sizeof *b->children, err);
    b->array.children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof(taco_array), err);
    for (i = 0; b->children && b->array.children && i < f->child_count; i++) {
        if (!taco__column_buffers(&b->children[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return b->children && b->array.children;
}
TACO__FN void taco__column_free_buffers(taco__colbuf *b)
{
    uint32_t i;
    taco__buf_free(&b->validity);
    taco__buf_free(&b->offsets);
    taco__buf_free(&b->values);
    taco__buf_free(&b->bytes);
    for (i = 0; b->children && i < b->array.field->child_count; i++) {
        taco__column_free_buffers(&b->children[i]);
    }
}

/* Which level entries begin a slot of a node: those whose repetition level is at most that of the nearest repeated
   ancestor, and whose definition level says that the ancestor has an element there. */
typedef struct taco__slots {
    const taco__leaf *src; /* any leaf below the node, or beside it for a group without leaves */
    int16_t           def, rep;
} taco__slots;

TACO__INLINE bool taco__slot_at(const taco__slots *s, size_t i)
{
    return (!s->src->reps || s->src->reps[i] <= s->rep) &&
           (!s->src->defs || s->src->defs[i] >= s->def);
}
TACO__FN size_t taco__slots_count(const taco__slots *s)
{
    size_t i, n = 0;
    for (i = 0; i < s->src->entries; i++) {
        n += taco__slot_at(s, i);
    }
    return n;
}
/* Validity of a node: present where the definition level reaches its own. */
TACO__FN bool taco__column_validity(taco__colbuf *b, const taco__slots *s, int16_t def, size_t n,
                                    taco_error *err)
{
    size_t i, k = 0, valid = 0;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (!s->src->defs || def <= s->def) {
        return true;
    }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n), err)) {
        return false;
    }
    memset(b->validity.data, 0, TACO__BITMAP_BYTES(n));
    for (i = 0; i < s->src->entries; i++) {
        if (taco__slot_at(s, i)) {
            if (s->src->defs[i] >= def) {
                taco__base_bit_set(b->validity.data, k);
                valid++;
            }
            k++;
        }
    }
    b->array.null_count = n - valid;
    b->array.validity = valid == n ? NULL : b->validity.data;
    return true;
}
/* Offsets of a list: an element begins at every entry that repeats at most at the list's own level and is defined at
   least to its element. */
TACO__FN bool taco__column_offsets(taco__colbuf *b, const taco__slots *s, const taco__pq_node *node,
                                   size_t n, taco_error *err)
{
    int32_t *offsets;
    size_t   i, k = 0, count = 0, bytes;
    if (!taco__base_mulz(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&b->offsets, bytes, err)) {
        return false;
    }
    if (s->src->entries > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list elements in one batch, 32-bit offsets reach %u",
                   TACO__U(s->src->entries), TACO__U(INT32_MAX));
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    for (i = 0; i < s->src->entries; i++) {
        int16_t rep = s->src->reps ? s->src->reps[i] : (int16_t)0;
        int16_t def = s->src->defs ? s->src->defs[i] : (int16_t)0;
        if (rep <= s->rep && def >= s->def) {
            offsets[k++] = (int32_t)count;
        }
        count += rep <= node->list_rep && def >= node->list_def;
    }
    offsets[k] = (int32_t)count;
    b->array.offsets = offsets;
    return true;
}
/* The leaf's packed values go to their rows in place; the array borrows them until the next batch. */
TACO__FN bool taco__column_values(taco__colbuf *b, taco__leaf *l, size_t n, taco_error *err)
{
    const taco_field *f = l->field;
    taco__values     *s = &l->store;
    taco_array       *a = &b->array;
    size_t valid = n - a->null_count, width = s->dict ? sizeof(int32_t) : (size_t)f->width;
    a->length = n;
    a->offsets = NULL;
    a->dictionary = NULL;
    a->v.any = NULL;
    if (f->type == TACO_NULL) {
        a->validity = NULL;
        a->null_count = n;
        return true;
    }
    if (s->count != valid) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "%u values for %u rows that have one",
                   TACO__U(s->count), TACO__U(valid));
        return false;
    }
    if (!s->dict && taco__values_text(f)) {
        int32_t *offsets;
        s->count = 0;
        offsets = taco__values_offsets(s, n, err);
        s->count = valid;
        if (!offsets || !taco__buf_reserve(&s->bytes, 0, err)) {
            return false;
        }
        if (valid == 0) {
            offsets[0] = 0;
        }
        if (a->validity) {
            taco__enc_space_offsets(offsets, a->validity, 0, n, valid);
        }
        a->offsets = offsets;
        a->v.any = s->bytes.data;
        return true;
    }
    if (f->type == TACO_BOOL) {
        s->count = 0;
        if (!taco__values_bits(s, n, err)) {
            return false;
        }
        if (a->validity) {
            taco__enc_space_bits(s->values.data, 0, a->validity, 0, n, valid);
        }
    } else {
        s->count = 0;
        if (!taco__values_room(s, width, n, err)) {
            return false;
        }
        if (a->validity) {
            taco__enc_space(s->values.data, width, a->validity, 0, n, valid);
        }
    }
    s->count = valid;
    a->v.any = s->values.data;
    if (s->dict) {
        l->dict_array.field = f;
        l->dict_array.length = l->dict.count;
        l->dict_array.offsets = (const int32_t *)(const void *)l->dict.offsets.data;
        l->dict_array.v.any = l->dict.bytes.data;
        a->dictionary = &l->dict_array;
    }
    return true;
}
/* A field without leaves has no levels of its own, and a neighbour's say nothing about it: present everywhere, its lists
   empty. */
TACO__FN bool taco__column_hollow(taco__colbuf *b, const taco_field *f, size_t n, taco_error *err)
{
    size_t   bytes, below = n;
    uint32_t i;
    b->array.length = n;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        if (!taco__base_mulz(n + 1, sizeof(int32_t), &bytes) ||
            !taco__buf_reset(&b->offsets, bytes, err)) {
            return false;
        }
        memset(b->offsets.data, 0, bytes);
        b->array.offsets = (const int32_t *)(const void *)b->offsets.data;
        below = 0;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__column_hollow(&b->children[i], &f->children[i], below, err)) {
            return false;
        }
        ((taco_array *)b->array.children)[i] = b->children[i].array;
    }
    return true;
}
TACO__FN bool taco__column_build(taco__column *c, taco__colbuf *b, const taco__pq_node *node,
                                 taco__slots s, taco_error *err)
{
    taco_array *children = (taco_array *)b->array.children;
    bool        list = node->field->type == TACO_LIST || node->field->type == TACO_MAP;
    taco__slots below = s;
    uint32_t    i;
    size_t      n = taco__slots_count(&s);
    if (node->leaf_count == 0) {
        return taco__column_hollow(b, node->field, n, err);
    }
    b->array.length = n;
    if (!taco__column_validity(b, &s, node->def, n, err)) {
        return false;
    }
    if (node->field->child_count == 0 && node->field->type != TACO_STRUCT) {
        return taco__column_values(b, &c->leaves[node->leaf - c->node->leaf], n, err);
    }
    if (list) {
        if (!taco__column_offsets(b, &s, node, n, err)) {
            return false;
        }
        below.def = node->list_def;
        below.rep = node->list_rep;
    }
    for (i = 0; i < node->field->child_count; i++) {
        const taco__pq_node *child = &node->children[i];
        below.src = child->leaf_count ? &c->leaves[child->leaf - c->node->leaf] : s.src;
        if (!taco__column_build(c, &b->children[i], child, below, err)) {
            return false;
        }
        children[i] = b->children[i].array;
        if (children[i].length !=
            (list ? (size_t)b->array.offsets[n] : n)) { /* its leaves disagree with ours */
            taco_bytes name = taco__base_text(child->field->name);
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u values in field %q, its parent has %u", TACO__U(children[i].length),
                       &name, list ? TACO__U(b->array.offsets[n]) : TACO__U(n));
            return false;
        }
    }
    return true;
}

/* ---- reading ------------------------------------------------------------------------------------ */

TACO__FN bool taco__column_init(taco__column *c, const taco__pq_node *node,
                                const taco__pq_meta *meta, const taco__part *part,
                                const taco_limits *limits, taco__codecs *codecs,
                                bool always_compressed, taco__mem *mem, taco__arena *arena,
                                taco_error *err)
{
    size_t i;
    memset(c, 0, sizeof *c);
    c->node = node;
    c->mem = mem;
    c->leaf_count = node->leaf_count;
    c->leaves = (taco__leaf *)taco__arena_array(arena, TACO__MAX(c->leaf_count, (size_t)1),
                                                sizeof *c->leaves, err);
    c->root = (taco__colbuf *)taco__arena_alloc(arena, sizeof *c->root, err);
    if (!c->leaves || !c->root) {
        c->leaf_count = 0;
        return false;
    }
    for (i = 0; i < c->leaf_count; i++) {
        taco__leaf *l = &c->leaves[i];
        taco__leaf_init(l, mem);
        l->meta = meta;
        l->schema = &meta->leaves[node->leaf + i];
        l->field = l->schema->field;
        l->part = part;
        l->limits = limits;
        l->codecs = codecs;
        l->always_compressed = always_compressed;
    }
    c->flat = c->leaf_count == 1 && node->field->child_count == 0 &&
              node->field->type != TACO_STRUCT && c->leaves[0].schema->max_rep == 0 &&
              c->leaves[0].schema->max_def <= 1;
    return taco__column_buffers(c->root, node->field, mem, arena, err);
}
TACO__FN void taco__column_close(taco__column *c)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__leaf_close(&c->leaves[i]);
    }
    if (c->root) {
        taco__column_free_buffers(c->root);
    }
    memset(c, 0, sizeof *c);
}
/* Puts what was read where in front of a message. */
TACO__FN bool taco__column_fail(const taco__leaf *l, taco_error *err)
{
    char       text[80];
    taco_bytes name = taco__meta_path(l->meta, l->schema->element, text, sizeof text);
    if (l->page_no) {
        taco__error_prefix(err, "column %q, page %u", &name, l->page_no);
    } else {
        taco__error_prefix(err, "column %q", &name);
    }
    return false;
}
/* Points the column at a row group of `rows` rows; chunks are those of the row group. */
TACO__FN bool taco__column_open(taco__column *c, const taco__pq_chunk *chunks, uint64_t rows,
                                taco_error *err)
{
    size_t i;
    c->row = 0;
    c->rows = rows;
    for (i = 0; i < c->leaf_count; i++) {
        if (!taco__leaf_open(&c->leaves[i], &chunks[c->node->leaf + i], err)) {
            return taco__column_fail(&c->leaves[i], err);
        }
        if (c->leaves[i].schema->max_rep == 0 && c->leaves[i].expected != rows) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, c->leaves[i].at,
                       "%u values, its row group has %u rows", c->leaves[i].expected, rows);
            return taco__column_fail(&c->leaves[i], err);
        }
    }
    return true;
}
/* Begins a batch. What the last one returned is gone. */
TACO__FN void taco__column_begin(taco__column *c)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__leaf_begin(&c->leaves[i]);
    }
    c->root->array.length = 0;
}
/* Skips to a row and appends n rows from there to the batch. */
TACO__FN bool taco__column_append(taco__column *c, uint64_t row, size_t n, taco_error *err)
{
    uint64_t gap = row - c->row;
    size_t   i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__leaf *l = &c->leaves[i];
        bool        ok;
        if (c->flat) {
            ok = taco__leaf_flat_skip(l, gap, err) && taco__leaf_flat_read(l, n, err);
        } else if (l->schema->max_rep == 0) {
            ok = taco__leaf_struct_read(l, gap, false, err) &&
                 taco__leaf_struct_read(l, n, true, err);
        } else {
            ok = taco__leaf_repeated_read(l, gap, false, err) &&
                 taco__leaf_repeated_read(l, n, true, err);
        }
        if (!ok) {
            return taco__column_fail(l, err);
        }
    }
    c->row = row + n;
    c->root->array.length += n;
    return true;
}
/* The batch as an array, valid until the next _begin. */
TACO__FN bool taco__column_finish(taco__column *c, const taco_array **out, taco_error *err)
{
    taco_array *a = &c->root->array;
    size_t      n = a->length;
    *out = a;
    if (c->flat) {
        taco__leaf *l = &c->leaves[0];
        a->null_count = c->leaves[0].schema->max_def ? n - l->store.count : 0;
        a->validity = a->null_count ? l->validity.data : NULL;
        return taco__column_values(c->root, l, n, err) || taco__column_fail(l, err);
    }
    if (c->leaf_count == 0) { /* a group without fields: every row has it */
        return taco__column_hollow(c->root, c->node->field, n, err);
    } else {
        taco__slots top;
        top.src = &c->leaves[0];
        top.def = top.rep = 0;
        if (!taco__column_build(c, c->root, c->node, top, err)) {
            return taco__column_fail(&c->leaves[0], err);
        }
        if (a->length != n) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, c->leaves[0].at, "%u rows assembled, %u were read",
                       TACO__U(a->length), TACO__U(n));
            return taco__column_fail(&c->leaves[0], err);
        }
    }
    return true;
}
/* ---- selection ---------------------------------------------------------------------------------- */

TACO__FN bool taco__take_validity(taco__colbuf *b, const taco_array *src, const int32_t *idx,
                                  size_t n, taco_error *err)
{
    size_t ones;
    b->array.validity = NULL;
    b->array.null_count = src->field->type == TACO_NULL ? n : 0;
    if (!src->validity) {
        return true;
    }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    ones = taco__enc_take_bits(b->validity.data, 0, src->validity, 0, idx, n);
    b->array.null_count = n - ones;
    b->array.validity = ones == n ? NULL : b->validity.data;
    return true;
}
TACO__FN bool taco__take_text(taco__colbuf *b, const taco_array *src, const int32_t *idx, size_t n,
                              taco_error *err)
{
    int32_t *offsets;
    size_t   bytes;
    if (!taco__base_mulz(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&b->offsets, bytes, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    offsets[0] = 0;
    b->bytes.len = 0;
    if (!taco__buf_reserve(&b->bytes, 0, err) ||
        (n && !taco__enc_take_text(&b->bytes, offsets, src->v.u8,
                                   src->length ? (size_t)src->offsets[src->length] : 0,
                                   src->offsets, idx, n, err))) {
        return false;
    }
    b->array.offsets = offsets;
    b->array.v.any = b->bytes.data;
    return true;
}
TACO__FN bool taco__take(taco__colbuf *b, const taco_array *src, const int32_t *idx, size_t n,
                         taco_error *err);

/* The elements of the chosen lists, one list after the other. */
TACO__FN bool taco__take_list(taco__colbuf *b, const taco_array *src, const int32_t *idx, size_t n,
                              taco_error *err)
{
    int32_t *offsets, *elements;
    uint64_t total = 0;
    size_t   i, bytes;
    for (i = 0; i < n; i++) {
        total += (uint32_t)(src->offsets[idx[i] + 1] - src->offsets[idx[i]]);
    }
    if (total > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list elements in one batch, 32-bit offsets reach %u", total,
                   TACO__U(INT32_MAX));
        return false;
    }
    if (!taco__base_mulz(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&b->offsets, bytes, err) ||
        !taco__buf_reset(&b->values, (size_t)total * sizeof *elements, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    elements = (int32_t *)(void *)b->values.data;
    total = 0;
    for (i = 0; i < n; i++) {
        int32_t k;
        offsets[i] = (int32_t)total;
        for (k = src->offsets[idx[i]]; k < src->offsets[idx[i] + 1]; k++) {
            elements[total++] = k;
        }
    }
    offsets[n] = (int32_t)total;
    b->array.offsets = offsets;
    if (!taco__take(&b->children[0], &src->children[0], elements, (size_t)total, err)) {
        return false;
    }
    ((taco_array *)b->array.children)[0] = b->children[0].array;
    return true;
}
/* b->array = the rows idx[0..n) of src, in that order; idx is proven. Dictionaries are shared with src. */
TACO__FN bool taco__take(taco__colbuf *b, const taco_array *src, const int32_t *idx, size_t n,
                         taco_error *err)
{
    const taco_field *f = src->field;
    size_t            width = src->dictionary ? sizeof(int32_t) : (size_t)f->width, bytes;
    uint32_t          i;
    b->array.field = f;
    b->array.length = n;
    b->array.offsets = NULL;
    b->array.v.any = NULL;
    b->array.dictionary = src->dictionary;
    if (!taco__take_validity(b, src, idx, n, err)) {
        return false;
    }
    if (f->type == TACO_STRUCT) {
        for (i = 0; i < f->child_count; i++) {
            if (!taco__take(&b->children[i], &src->children[i], idx, n, err)) {
                return false;
            }
            ((taco_array *)b->array.children)[i] = b->children[i].array;
        }
        return true;
    }
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        return taco__take_list(b, src, idx, n, err);
    }
    if (f->type == TACO_NULL) {
        return true;
    }
    if (!src->dictionary && taco__values_text(f)) {
        return taco__take_text(b, src, idx, n, err);
    }
    if (f->type == TACO_BOOL) {
        if (!taco__buf_reset(&b->values, TACO__BITMAP_BYTES(n) + 8, err)) {
            return false;
        }
        taco__enc_take_bits(b->values.data, 0, src->v.u8, 0, idx, n);
    } else {
        if (!taco__base_mulz(n, width, &bytes) || !taco__buf_reset(&b->values, bytes, err)) {
            return false;
        }
        taco__enc_take(b->values.data, src->v.any, width, idx, n);
    }
    b->array.v.any = b->values.data;
    return true;
}
/* ==== ROOM read: a Parquet file: footer, columns, rows by number. Uses: column meta. Spec: parquet-format "File format" ==== */

#define TACO__FOOTER_GUESS                                                                         \
    65536                /* bytes at the end of a file that are read at first: most footers whole */
#define TACO__BATCH 4096 /* rows of a batch where the caller does not say */

struct taco_pq_file {
    taco__mem     own_mem; /* used when the file stands alone */
    taco__file    own_file;
    taco__mem    *mem;
    taco__arena   arena;
    taco__part    part;
    const char   *name; /* of the file in messages: "level0.parquet"; "" = the caller names it */
    taco_options  options;
    taco__pq_meta meta;
    taco__buf     footer;
    taco__range   tail; /* of part.file, fetched with the footer: all of a small file */
    taco__codecs *codecs;
    taco__buf     text; /* what taco_pq_schema_text and _meta_json return */
    taco__buf     text2;
};

TACO__FN void taco__options_init(taco_options *out, const taco_options *in)
{
    memset(out, 0, sizeof *out);
    if (in) {
        *out = *in;
    }
    out->limits.max_metadata =
        out->limits.max_metadata ? out->limits.max_metadata : (uint64_t)256 << 20;
    out->limits.max_page = out->limits.max_page ? out->limits.max_page : (uint64_t)256 << 20;
    out->limits.max_memory = out->limits.max_memory ? out->limits.max_memory : (uint64_t)1 << 30;
    out->limits.max_columns =
        out->limits.max_columns ? out->limits.max_columns : TACO__META_COLUMNS;
    out->limits.max_depth = out->limits.max_depth ? out->limits.max_depth : TACO__META_DEPTH;
}
/* Where the footer is, from the last 8 bytes (parquet-format: 4-byte length, "PAR1"). */
TACO__FN bool taco__pq_footer_range(const taco__part *part, const taco_limits *limits,
                                    uint64_t *offset, size_t *len, taco_error *err)
{
    uint8_t tail[8];
    if (part->size < 12) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "not Parquet: %u bytes, the smallest file has 12",
                   part->size);
        return false;
    }
    if (!taco__part_copy(part, part->size - 8, tail, 8, err)) {
        return false;
    }
    if (memcmp(tail + 4, "PARE", 4) == 0) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, part->size - 4,
                   "unsupported: encryption of the footer");
        return false;
    }
    if (memcmp(tail + 4, "PAR1", 4) != 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, part->size - 4,
                   "not Parquet: the file does not end with PAR1");
        return false;
    }
    *len = taco__base_le32(tail);
    if (*len == 0 || *len > part->size - 12) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, part->size - 8, "footer of %u bytes in a file of %u",
                   TACO__U(*len), part->size);
        return false;
    }
    if (*len > limits->max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, part->size - 8,
                   "footer of %u bytes, limits.max_metadata is %u", TACO__U(*len),
                   limits->max_metadata);
        return false;
    }
    *offset = part->size - 8 - *len;
    return true;
}
/* Reads and proves the footer of a file whose mem, part and options are set. */
TACO__FN bool taco__pq_begin(taco_pq_file *f, taco_error *err)
{
    uint64_t    offset = 0;
    size_t      len = 0;
    taco__range guess;
    f->arena.mem = f->mem;
    f->footer.mem = f->text.mem = f->text2.mem = f->mem;
    guess.len = TACO__MIN(f->part.size, (uint64_t)TACO__FOOTER_GUESS);
    guess.offset = f->part.base + f->part.size - guess.len;
    if (!taco__file_fetch(f->part.file, &guess, 1, err)) {
        return false;
    }
    f->tail = guess;
    if (!taco__pq_footer_range(&f->part, &f->options.limits, &offset, &len, err) ||
        !taco__buf_reset(&f->footer, len, err) ||
        !taco__part_copy(&f->part, offset, f->footer.data, len, err)) {
        return false;
    }
    f->footer.len = len;
    return taco__meta_parse(&f->arena, taco__base_bytes(f->footer.data, len), f->part.size, offset,
                            &f->options.limits, &f->meta, err) == TACO_OK;
}
TACO__FN void taco__pq_end(taco_pq_file *f)
{
    if (f->codecs) {
        taco__mem_free(f->mem, f->codecs, sizeof *f->codecs);
        f->codecs = NULL;
    }
    if (f->tail.len) {
        taco__file_release(f->part.file, f->tail.offset, f->tail.len);
        f->tail.len = 0;
    }
    taco__buf_free(&f->footer);
    taco__buf_free(&f->text);
    taco__buf_free(&f->text2);
    taco__arena_free(&f->arena);
}
TACO__FN taco__codecs *taco__pq_codecs(taco_pq_file *f, taco_error *err)
{
    if (!f->codecs) {
        f->codecs = (taco__codecs *)taco__mem_alloc(f->mem, sizeof *f->codecs, err);
    }
    return f->codecs;
}
/* The row group that holds a row. */
TACO__FN uint32_t taco__pq_group_of(const taco__pq_meta *m, uint64_t row)
{
    uint32_t lo = 0, hi = m->group_count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if ((uint64_t)m->groups[mid].first_row + (uint64_t)m->groups[mid].rows <= row) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}
TACO__FN bool taco__pq_fail_group(const taco_pq_file *f, uint32_t group, taco_error *err)
{
    if (f->meta.group_count > 1) {
        taco__error_prefix(err, "row group %u", TACO__U(group));
    }
    if (f->name[0]) {
        taco__error_prefix(err, "%s", f->name);
    }
    return false;
}

/* ---- tables: what scans and joins work on --------------------------------------------------------- */

/* Rows of top-level columns: a Parquet file, or arrays in memory (Avro). Borrows both. Columns from `stored` on are not
   there: they are of type NULL, so that a predicate may name what only other tables have. */
typedef struct taco__table {
    taco_pq_file     *pq; /* NULL: arrays */
    const taco_field *fields;
    size_t            field_count, stored;
    const taco_array *arrays;
    uint64_t          rows;
} taco__table;

TACO__FN void taco__table_from_file(taco__table *t, taco_pq_file *f)
{
    memset(t, 0, sizeof *t);
    t->pq = f;
    t->fields = f->meta.columns;
    t->field_count = t->stored = f->meta.column_count;
    t->rows = (uint64_t)f->meta.num_rows;
}
/* Index of the column of that name, SIZE_MAX when there is none. */
TACO__FN size_t taco__table_find(const taco__table *t, const char *name)
{
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        if (strcmp(t->fields[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
TACO__FN uint32_t taco__table_groups(const taco__table *t)
{
    return t->pq ? t->pq->meta.group_count : t->rows ? 1U : 0U;
}
TACO__FN uint64_t taco__table_group_first(const taco__table *t, uint32_t g)
{
    return t->pq ? (uint64_t)t->pq->meta.groups[g].first_row : 0;
}
TACO__FN uint64_t taco__table_group_rows(const taco__table *t, uint32_t g)
{
    return t->pq ? (uint64_t)t->pq->meta.groups[g].rows : t->rows;
}

/* ---- rows by number ------------------------------------------------------------------------------- */

#define TACO__NO_GROUP UINT32_MAX
#define TACO__JOIN_GAP 64 /* rows decoded in vain to save a step */

/* Some columns of a table, read at ascending row numbers. What was read lives until the next read. */
typedef struct taco__rows {
    const taco__table *table;
    taco__mem         *mem;
    taco__arena        arena;
    size_t             count;
    const size_t      *which;   /* table columns */
    taco__column      *columns; /* Parquet */
    taco__colbuf      *taken;   /* selections */
    taco_array        *arrays;  /* what _read made, one per column */
    uint32_t           group;
    size_t             length; /* rows of the batch */
    uint64_t           next;   /* no row below can be read without opening the row group again */
    taco__buf          index;
} taco__rows;

TACO__FN void taco__rows_close(taco__rows *r)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        if (r->which[i] >= r->table->stored) {
            continue;
        }
        if (r->columns) {
            taco__column_close(&r->columns[i]);
        }
        if (r->taken) {
            taco__column_free_buffers(&r->taken[i]);
        }
    }
    if (r->mem) {
        taco__buf_free(&r->index);
        taco__arena_free(&r->arena);
    }
    memset(r, 0, sizeof *r);
}
/* which[0..count) are columns of the table; the list is copied. */
TACO__FN bool taco__rows_open(taco__rows *r, const taco__table *t, const size_t *which,
                              size_t count, taco__mem *mem, taco_error *err)
{
    size_t       *list;
    taco__codecs *codecs = t->pq ? taco__pq_codecs(t->pq, err) : NULL;
    memset(r, 0, sizeof *r);
    r->table = t;
    r->mem = r->index.mem = r->arena.mem = mem;
    r->group = TACO__NO_GROUP;
    list = (size_t *)taco__arena_array(&r->arena, count + 1, sizeof *list, err);
    r->arrays = (taco_array *)taco__arena_array(&r->arena, count + 1, sizeof *r->arrays, err);
    r->taken = (taco__colbuf *)taco__arena_array(&r->arena, count + 1, sizeof *r->taken, err);
    r->columns =
        t->pq ? (taco__column *)taco__arena_array(&r->arena, count + 1, sizeof *r->columns, err)
              : NULL;
    if (!list || !r->arrays || !r->taken || (t->pq && (!r->columns || !codecs))) {
        taco__rows_close(r);
        return false;
    }
    r->which = list;
    for (; r->count < count; r->count++) {
        size_t c = which[r->count];
        list[r->count] = c;
        if (c >= t->stored) {
            r->arrays[r->count].field = &t->fields[c];
            continue;
        }
        if (!taco__column_buffers(&r->taken[r->count], &t->fields[c], mem, &r->arena, err) ||
            (t->pq && !taco__column_init(&r->columns[r->count], &t->pq->meta.nodes[c], &t->pq->meta,
                                         &t->pq->part, &t->pq->options.limits, codecs,
                                         t->pq->meta.always_compressed, mem, &r->arena, err))) {
            r->count++;
            taco__rows_close(r);
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__rows_enter(taco__rows *r, uint32_t group, taco_error *err)
{
    const taco__pq_group *g = &r->table->pq->meta.groups[group];
    size_t                i;
    if (r->group == group) {
        return true;
    }
    r->group = TACO__NO_GROUP; /* until every column has been opened */
    for (i = 0; i < r->count; i++) {
        if (r->which[i] < r->table->stored &&
            !taco__column_open(&r->columns[i], g->chunks, (uint64_t)g->rows, err)) {
            return false;
        }
    }
    r->group = group;
    return true;
}
/* Appends the rows [first, first + n) to the batch; they may reach over row groups. */
TACO__FN bool taco__rows_append(taco__rows *r, uint64_t first, uint64_t n, taco_error *err)
{
    const taco__pq_meta *m = &r->table->pq->meta;
    if (first < r->next) {
        r->group = TACO__NO_GROUP;
    }
    while (n) {
        uint32_t              group = taco__pq_group_of(m, first);
        const taco__pq_group *g = &m->groups[group];
        uint64_t at = first - (uint64_t)g->first_row, k = TACO__MIN(n, (uint64_t)g->rows - at);
        size_t   i;
        if (!taco__rows_enter(r, group, err)) {
            return taco__pq_fail_group(r->table->pq, group, err);
        }
        for (i = 0; i < r->count; i++) {
            if (r->which[i] < r->table->stored &&
                !taco__column_append(&r->columns[i], at, (size_t)k, err)) {
                r->group = TACO__NO_GROUP; /* the columns stand at different rows now */
                return taco__pq_fail_group(r->table->pq, group, err);
            }
        }
        r->length += (size_t)k;
        first += k;
        n -= k;
        r->next = first;
    }
    return true;
}
TACO__FN void taco__rows_begin(taco__rows *r)
{
    size_t i;
    r->length = 0;
    for (i = 0; i < r->count && r->columns; i++) {
        if (r->which[i] < r->table->stored) {
            taco__column_begin(&r->columns[i]);
        }
    }
}
TACO__FN bool taco__rows_finish(taco__rows *r, taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *a;
        if (r->which[i] >= r->table->stored) {
            r->arrays[i].length = r->arrays[i].null_count = r->length;
            continue;
        }
        if (!taco__column_finish(&r->columns[i], &a, err)) {
            return taco__pq_fail_group(r->table->pq, r->group == TACO__NO_GROUP ? 0 : r->group,
                                       err);
        }
        r->arrays[i] = *a;
    }
    return true;
}
TACO__FN bool taco__rows_take(taco__rows *r, const int32_t *idx, size_t n, bool memory,
                              taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *src;
        if (r->which[i] >= r->table->stored) {
            r->arrays[i].length = r->arrays[i].null_count = n;
            continue;
        }
        src = memory ? &r->table->arrays[r->which[i]] : &r->arrays[i];
        if (!taco__take(&r->taken[i], src, idx, n, err)) {
            return false;
        }
        r->arrays[i] = r->taken[i].array;
    }
    return true;
}
TACO__FN int32_t *taco__rows_index(taco__rows *r, size_t n, taco_error *err)
{
    size_t bytes;
    if (!taco__base_mulz(n, sizeof(int32_t), &bytes) || !taco__buf_reset(&r->index, bytes, err)) {
        return NULL;
    }
    return (int32_t *)(void *)r->index.data;
}
/* Reads rows [first, first + n) into r->arrays. */
TACO__FN bool taco__rows_range(taco__rows *r, uint64_t first, size_t n, taco_error *err)
{
    int32_t *idx;
    size_t   i;
    if (r->table->pq) {
        taco__rows_begin(r);
        return taco__rows_append(r, first, n, err) && taco__rows_finish(r, err);
    }
    if (first == 0 && n == r->table->rows) {
        for (i = 0; i < r->count; i++) {
            if (r->which[i] < r->table->stored) {
                r->arrays[i] = r->table->arrays[r->which[i]];
            } else {
                r->arrays[i].length = r->arrays[i].null_count = n;
            }
        }
        return true;
    }
    idx = taco__rows_index(r, n, err);
    for (i = 0; idx && i < n; i++) {
        idx[i] = (int32_t)(first + i);
    }
    return idx && taco__rows_take(r, idx, n, true, err);
}
/* Reads the rows with the n ascending numbers base + rows[i] (repeated ones allowed) into r->arrays. Rows that stand
   close together are decoded in one go and the ones between dropped. */
TACO__FN bool taco__rows_read(taco__rows *r, uint64_t base, const uint32_t *rows, size_t n,
                              taco_error *err)
{
    int32_t *idx = taco__rows_index(r, n, err);
    size_t   i, total = 0;
    bool     exact = true;
    if (!idx) {
        return false;
    }
    if (!r->table->pq) {
        for (i = 0; i < n; i++) {
            idx[i] = (int32_t)(base + rows[i]);
        }
        return taco__rows_take(r, idx, n, true, err);
    }
    taco__rows_begin(r);
    for (i = 0; i < n;) {
        uint64_t first = rows[i], last = first;
        size_t   k;
        for (k = i; k < n && rows[k] - last <= TACO__JOIN_GAP; k++) {
            exact = exact && (k == i || rows[k] == last + 1);
            last = rows[k];
            idx[k] = (int32_t)(total + (size_t)(last - first));
        }
        if (!taco__rows_append(r, base + first, last - first + 1, err)) {
            return false;
        }
        total += (size_t)(last - first + 1);
        i = k;
    }
    if (!taco__rows_finish(r, err)) {
        return false;
    }
    return exact || taco__rows_take(r, idx, n, false, err);
}
/* ==== ROOM text: one cell or row of the columns as JSON, CSV or plain text. Uses: mem num time. Spec: RFC 8259, RFC 4180 ==== */

#define TACO__TEXT_DEPTH 256 /* nested values; what a reader let pass lies below limits.max_depth */
#define TACO__TEXT_CELL  64  /* room for any value of a fixed size as JSON */

static const char taco__text_digits[] = "0123456789abcdef";

/* ---- strings ---- */

/* Lower-case hex of n bytes; returns the end. */
TACO__FN char *taco__text_put_hex(char *p, const uint8_t *s, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        *p++ = taco__text_digits[s[i] >> 4];
        *p++ = taco__text_digits[s[i] & 15];
    }
    return p;
}
/* Appends bytes in lower-case hex, between `before` and `after`. */
TACO__FN bool taco__text_hex(taco__buf *out, const char *before, taco_bytes b, const char *after,
                             taco_error *err)
{
    size_t head = strlen(before), tail = strlen(after), room;
    char  *p;
    if (!taco__base_mulz(b.len, 2, &room) || !taco__base_addz(room, head + tail, &room)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes in hex",
                   TACO__U(b.len));
        return false;
    }
    if (!taco__buf_reserve(out, room, err)) {
        return false;
    }
    p = (char *)out->data + out->len;
    memcpy(p, before, head);
    p = taco__text_put_hex(p + head, b.data, b.len);
    memcpy(p, after, tail);
    out->len += room;
    return true;
}
/* True when one of eight bytes is a control character, '"' or '\\'. A borrow may mark a byte above a marked one too, never
   without one, and bytes above 0x7F are not marked. */
TACO__INLINE bool taco__text_json_special8(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t       quote = x ^ (ones * '"'), slash = x ^ (ones * '\\');
    return (((x - ones * 0x20) & ~x) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) &
           highs;
}
/* How many bytes from the start need no escape. */
TACO__FN size_t taco__text_json_clean(const uint8_t *s, size_t n)
{
    size_t i = 0;
    while (n - i >= 8) {
        uint64_t x;
        memcpy(&x, s + i, 8);
        if (taco__text_json_special8(x)) {
            break;
        }
        i += 8;
    }
    while (i < n && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\') {
        i++;
    }
    return i;
}
/* A character that JSON does not take as it stands: at most 6 bytes. */
TACO__FN char *taco__text_put_escape(char *p, uint8_t c)
{
    static const char short_for[] = "btn.fr"; /* 8..13; vertical tab has none */
    *p++ = '\\';
    if (c == '"' || c == '\\') {
        *p++ = (char)c;
    } else if (c >= 8 && c <= 13 && c != 11) {
        *p++ = short_for[c - 8];
    } else {
        memcpy(p, "u00", 3);
        p = taco__text_put_hex(p + 3, &c, 1);
    }
    return p;
}
/* Appends b, which is well-formed UTF-8, in quotes, with the escapes JSON demands and no others. */
TACO__FN bool taco__text_quote(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i = 0, room;
    char  *p;
    if (!taco__base_addz(b.len, 2 + 6, &room) || !taco__buf_reserve(out, room, err)) {
        return false;
    }
    p = (char *)out->data + out->len;
    *p++ = '"';
    while (i < b.len) {
        size_t n = taco__text_json_clean(b.data + i, b.len - i);
        memcpy(p, b.data + i, n);
        p += n;
        i += n;
        if (i == b.len) {
            break;
        }
        p = taco__text_put_escape(p, b.data[i++]);
        out->len = (size_t)((uint8_t *)p - out->data);
        if (!taco__buf_reserve(out, b.len - i + 1 + 6, err)) {
            return false;
        }
        p = (char *)out->data + out->len;
    }
    *p++ = '"';
    out->len = (size_t)((uint8_t *)p - out->data);
    return true;
}
/* Appends text as a JSON string, or bytes that are no UTF-8 as {"hex":"..."}, so that nothing is lost. */
TACO__FN bool taco__text_json_string(taco__buf *out, taco_bytes b, taco_error *err)
{
    return taco__num_utf8(b) ? taco__text_quote(out, b, err)
                             : taco__text_hex(out, "{\"hex\":\"", b, "\"}", err);
}
/* Appends text with U+FFFD for each broken character. */
TACO__FN bool taco__text_mend(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i = 0, bad, n;
    bool   ok = true;
    while (ok && i < b.len) {
        n = taco__num_utf8_char(b.data + i, b.len - i, &bad);
        ok = n ? taco__buf_append(out, b.data + i, n, err)
               : taco__buf_append(out, "\xEF\xBF\xBD", 3, err);
        i += n ? n : bad;
    }
    return ok;
}
/* Appends a name as a JSON string; names cannot be objects, so what is no UTF-8 in them is mended. */
TACO__FN bool taco__text_json_name(taco__buf *out, taco_bytes b, taco_error *err)
{
    taco__buf fixed;
    bool      ok;
    if (taco__num_utf8(b)) {
        return taco__text_quote(out, b, err);
    }
    memset(&fixed, 0, sizeof fixed);
    fixed.mem = out->mem;
    ok = taco__text_mend(&fixed, b, err) &&
         taco__text_quote(out, taco__base_bytes(fixed.data, fixed.len), err);
    taco__buf_free(&fixed);
    return ok;
}

/* ---- values ---- */

/* The bytes of row i of a TEXT, BINARY, FIXED or UUID array, or of a DECIMAL of width 0. */
TACO__FN taco_bytes taco__text_bytes(const taco_field *f, const taco_array *a, size_t i)
{
    if (f->type == TACO_FIXED || f->type == TACO_UUID) {
        size_t width = f->type == TACO_UUID ? 16 : (size_t)(f->width > 0 ? f->width : 0);
        return taco__base_bytes(width ? a->v.u8 + width * i : NULL, width);
    }
    return taco__base_bytes(a->v.u8 ? a->v.u8 + a->offsets[i] : NULL,
                            (size_t)(a->offsets[i + 1] - a->offsets[i]));
}
/* 8-4-4-4-12 hex digits, RFC 9562 §4. */
TACO__FN char *taco__text_put_uuid(char *p, const uint8_t *s)
{
    static const uint8_t cut[] = {0, 4, 6, 8, 10, 16};
    size_t               k;
    for (k = 0; k < 5; k++) {
        if (k) {
            *p++ = '-';
        }
        p = taco__text_put_hex(p, s + cut[k], (size_t)(cut[k + 1] - cut[k]));
    }
    return p;
}
/* In the width it is stored in: a float of 1.1 is 1.1, not the 17 digits of the double next to it. */
TACO__FN size_t taco__text_put_float(char *p, const taco_field *f, const taco_array *a, size_t i)
{
    return f->type == TACO_DOUBLE  ? taco__num_f64(p, a->v.f64[i])
           : f->type == TACO_FLOAT ? taco__num_f32(p, a->v.f32[i])
                                   : taco__num_f16(p, a->v.u16[i]);
}
/* Writes the bare value of a type of dates, times or fixed bytes, and tells whether JSON puts it in quotes. */
TACO__FN size_t taco__text_put_quoted(char *p, const taco_field *f, const taco_array *a, size_t i,
                                      bool *quotes)
{
    size_t n = 0;
    *quotes = true;
    switch (f->type) {
    case TACO_DATE: return taco__time_put_date(p, a->v.i32[i]);
    case TACO_TIME:
        *quotes =
            taco__time_put_time(p, f->unit <= TACO_MILLI ? a->v.i32[i] : a->v.i64[i], f->unit, &n);
        return n;
    case TACO_TIMESTAMP: return taco__time_put_stamp(p, a->v.i64[i], f->unit, f->utc);
    case TACO_INT96: return taco__time_put_int96(p, a->v.u8 + 12 * i);
    case TACO_INTERVAL: return (size_t)(taco__text_put_hex(p, a->v.u8 + 12 * i, 12) - p);
    case TACO_UUID: return (size_t)(taco__text_put_uuid(p, a->v.u8 + 16 * i) - p);
    default: /* HALF, FLOAT, DOUBLE: the words among them are strings */
        n = taco__text_put_float(p, f, a, i);
        *quotes = p[n - 1] > '9'; /* NaN, Infinity */
        return n;
    }
}
/* Writes a value of fixed size, as JSON or bare. TACO__TEXT_CELL bytes are enough. */
TACO__FN size_t taco__text_put_fixed(char *p, const taco_field *f, const taco_array *a, size_t i,
                                     bool json)
{
    size_t n;
    bool   quotes;
    switch (f->type) {
    case TACO_BOOL:
        n = taco__base_bit(a->v.u8, i) ? 4 : 5;
        memcpy(p, n == 4 ? "true " : "false", 5);
        return n;
    case TACO_INT8: return taco__num_i64(p, a->v.i8[i]);
    case TACO_INT16: return taco__num_i64(p, a->v.i16[i]);
    case TACO_INT32: return taco__num_i64(p, a->v.i32[i]);
    case TACO_INT64: return taco__num_i64(p, a->v.i64[i]);
    case TACO_UINT8: return taco__num_u64(p, a->v.u8[i]);
    case TACO_UINT16: return taco__num_u64(p, a->v.u16[i]);
    case TACO_UINT32: return taco__num_u64(p, a->v.u32[i]);
    case TACO_UINT64: return taco__num_u64(p, a->v.u64[i]);
    default: break;
    }
    n = taco__text_put_quoted(p + json, f, a, i, &quotes);
    if (json && quotes) {
        p[0] = p[n + 1] = '"';
        return n + 2;
    }
    if (json) {
        memmove(p, p + 1, n);
    }
    return n;
}
TACO__FN bool taco__text_fixed(taco__buf *out, const taco_field *f, const taco_array *a, size_t i,
                               bool json, taco_error *err)
{
    if (!taco__buf_reserve(out, TACO__TEXT_CELL, err)) {
        return false;
    }
    out->len += taco__text_put_fixed((char *)out->data + out->len, f, a, i, json);
    return true;
}
/* Exact: decimals never pass through a double, and so are strings in JSON, where readers would make one of them. */
TACO__FN bool taco__text_decimal(taco__buf *out, const taco_field *f, const taco_array *a, size_t i,
                                 taco_error *err)
{
    if (f->width > 0) {
        return taco__num_decimal(out, a->v.u8 + (size_t)f->width * i, f->width, f->scale, err);
    }
    return taco__num_decimal_be(out, taco__text_bytes(f, a, i), f->scale, err);
}
/* Follows the dictionary: *a and *i become the array and row that hold the value. 1, 0 where there is no value, -1 on
   failure. */
TACO__FN int taco__text_follow(const taco_array **a, size_t *i, taco_error *err)
{
    for (;;) {
        const taco_array *values = (*a)->dictionary;
        uint32_t          at;
        if ((*a)->validity && !taco__base_bit((*a)->validity, *i)) {
            return 0;
        }
        if (!values) {
            return 1;
        }
        at = (*a)->v.u32[*i];
        if (at >= values->length) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "dictionary index %u, dictionary has %u entries", TACO__U(at),
                       TACO__U(values->length));
            return -1;
        }
        *i = at;
        *a = values;
    }
}

TACO__FN bool taco__text_value(taco__buf *out, const taco_field *f, const taco_array *a, size_t i,
                               unsigned depth, taco_error *err);

/* Below here nothing is checked that the reader has proven: offsets rise and stay inside the child. */
TACO__FN bool taco__text_list(taco__buf *out, const taco_array *a, size_t i, unsigned depth,
                              taco_error *err)
{
    const taco_array *items = a->children;
    int32_t           k;
    bool              ok = taco__buf_char(out, '[', err);
    for (k = a->offsets[i]; ok && k < a->offsets[i + 1]; k++) {
        ok = (k == a->offsets[i] || taco__buf_char(out, ',', err)) &&
             taco__text_value(out, items->field, items, (size_t)k, depth, err);
    }
    return ok && taco__buf_char(out, ']', err);
}
/* [[key,value],...]; a map whose entries have no value is the list of its keys. */
TACO__FN bool taco__text_map(taco__buf *out, const taco_array *a, size_t i, unsigned depth,
                             taco_error *err)
{
    const taco_array *entries = a->children, *key = entries->children, *value = key + 1;
    bool              pairs = entries->field->child_count > 1, ok = taco__buf_char(out, '[', err);
    int32_t           k;
    for (k = a->offsets[i]; ok && k < a->offsets[i + 1]; k++) {
        ok = (k == a->offsets[i] || taco__buf_char(out, ',', err)) &&
             (!pairs || taco__buf_char(out, '[', err)) &&
             taco__text_value(out, key->field, key, (size_t)k, depth, err);
        if (pairs) {
            ok = ok && taco__buf_char(out, ',', err) &&
                 taco__text_value(out, value->field, value, (size_t)k, depth, err) &&
                 taco__buf_char(out, ']', err);
        }
    }
    return ok && taco__buf_char(out, ']', err);
}
/* {"name":value,...} in the order of the schema; fields of one name stay two members. */
TACO__FN bool taco__text_struct(taco__buf *out, const taco_field *f, const taco_array *a, size_t i,
                                unsigned depth, taco_error *err)
{
    bool     ok = taco__buf_char(out, '{', err);
    uint32_t k;
    for (k = 0; ok && k < f->child_count; k++) {
        const taco_array *child = a->children + k;
        ok = (k == 0 || taco__buf_char(out, ',', err)) &&
             taco__text_json_name(out, taco__base_text(child->field->name), err) &&
             taco__buf_char(out, ':', err) &&
             taco__text_value(out, child->field, child, i, depth, err);
    }
    return ok && taco__buf_char(out, '}', err);
}
TACO__FN bool taco__text_value(taco__buf *out, const taco_field *f, const taco_array *a, size_t i,
                               unsigned depth, taco_error *err)
{
    int has;
    if (depth >= TACO__TEXT_DEPTH) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "values are nested deeper than %u, more than any limits.max_depth allows",
                   TACO__U(TACO__TEXT_DEPTH));
        return false;
    }
    has = f->type == TACO_NULL ? 0 : taco__text_follow(&a, &i, err);
    if (has <= 0) {
        return has == 0 && taco__buf_append(out, "null", 4, err);
    }
    switch (f->type) {
    case TACO_TEXT: return taco__text_json_string(out, taco__text_bytes(f, a, i), err);
    case TACO_BINARY:
    case TACO_FIXED: return taco__text_hex(out, "\"", taco__text_bytes(f, a, i), "\"", err);
    case TACO_DECIMAL:
        return taco__buf_char(out, '"', err) && taco__text_decimal(out, f, a, i, err) &&
               taco__buf_char(out, '"', err);
    case TACO_LIST: return taco__text_list(out, a, i, depth + 1, err);
    case TACO_MAP: return taco__text_map(out, a, i, depth + 1, err);
    case TACO_STRUCT: return taco__text_struct(out, f, a, i, depth + 1, err);
    default: return taco__text_fixed(out, f, a, i, true, err);
    }
}
/* Appends row i as JSON: text and dates as strings, bytes in hex, decimals as strings with all their digits, NaN and the
   infinities as strings, a map as pairs, nothing as null. */
TACO__FN bool taco__text_json(taco__buf *out, const taco_array *a, size_t i, taco_error *err)
{
    return taco__text_value(out, a->field, a, i, 0, err);
}

/* ---- rows ---- */

/* The names of the columns of a batch as `"name":`, made once for all its rows and those of batches like it. */
typedef struct taco__text_names {
    taco__buf text;
    size_t   *ends; /* of each in text */
    size_t    count;
} taco__text_names;

TACO__FN void taco__text_names_free(taco__text_names *n)
{
    if (n->text.mem) {
        taco__mem_free(n->text.mem, n->ends, n->count * sizeof *n->ends);
        taco__buf_free(&n->text);
    }
    memset(n, 0, sizeof *n);
}
TACO__FN bool taco__text_names_make(taco__text_names *n, taco__mem *mem, const taco_batch *b,
                                    taco_error *err)
{
    size_t i, size;
    memset(n, 0, sizeof *n);
    n->text.mem = mem;
    if (!taco__base_mulz(b->column_count, sizeof *n->ends, &size)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u names",
                          TACO__U(b->column_count)),
               false;
    }
    n->ends = (size_t *)taco__mem_alloc(mem, size, err);
    if (!n->ends) {
        return false;
    }
    n->count = b->column_count;
    for (i = 0; i < n->count; i++) {
        if (!taco__text_json_name(&n->text, taco__base_text(b->columns[i].field->name), err) ||
            !taco__buf_char(&n->text, ':', err)) {
            taco__text_names_free(n);
            return false;
        }
        n->ends[i] = n->text.len;
    }
    return true;
}
/* Appends one row as a JSON object, without a line end. names may be NULL. On failure what was appended is taken back. */
TACO__FN bool taco__text_json_row(taco__buf *out, const taco_batch *b, size_t row,
                                  const taco__text_names *names, taco_error *err)
{
    size_t i, begin = out->len;
    bool   ok = taco__buf_char(out, '{', err);
    for (i = 0; ok && i < b->column_count; i++) {
        const taco_array *a = b->columns + i;
        ok = i == 0 || taco__buf_char(out, ',', err);
        if (names) {
            size_t from = i ? names->ends[i - 1] : 0;
            ok = ok && taco__buf_append(out, names->text.data + from, names->ends[i] - from, err);
        } else {
            ok = ok && taco__text_json_name(out, taco__base_text(a->field->name), err) &&
                 taco__buf_char(out, ':', err);
        }
        ok = ok && taco__text_value(out, a->field, a, row, 0, err);
    }
    if (!ok || !taco__buf_char(out, '}', err)) {
        out->len = begin;
        return false;
    }
    return true;
}

/* ---- CSV and plain text ---- */

/* Appends the value without any quoting; nested values, and text that is no UTF-8, as JSON. Nothing where there is none. */
TACO__FN bool taco__text_bare(taco__buf *out, const taco_array *a, size_t i, bool *null,
                              taco_error *err)
{
    const taco_field *f = a->field;
    taco_bytes        b;
    int               has = f->type == TACO_NULL ? 0 : taco__text_follow(&a, &i, err);
    *null = has == 0;
    if (has <= 0) {
        return has == 0;
    }
    switch (f->type) {
    case TACO_TEXT:
        b = taco__text_bytes(f, a, i);
        return taco__num_utf8(b) ? taco__buf_append(out, b.data, b.len, err)
                                 : taco__text_json_string(out, b, err);
    case TACO_BINARY:
    case TACO_FIXED: return taco__text_hex(out, "", taco__text_bytes(f, a, i), "", err);
    case TACO_DECIMAL: return taco__text_decimal(out, f, a, i, err);
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return taco__text_value(out, f, a, i, 0, err);
    default: return taco__text_fixed(out, f, a, i, false, err);
    }
}
/* Puts what stands in out from `begin` on in quotes if a CSV field needs them; an empty field gets them too. */
TACO__FN bool taco__text_csv_quote(taco__buf *out, size_t begin, taco_error *err)
{
    size_t   i, quotes = 0, n = out->len - begin;
    bool     need = n == 0;
    uint8_t *from, *to;
    for (i = begin; i < out->len; i++) {
        uint8_t c = out->data[i];
        quotes += c == '"';
        need = need || c == '"' || c == ',' || c == '\n' || c == '\r';
    }
    if (!need) {
        return true;
    }
    if (!taco__buf_reserve(out, quotes + 2, err)) {
        return false;
    }
    from = out->data + out->len;
    out->len += quotes + 2;
    to = out->data + out->len;
    *--to = '"';
    for (; n; n--) { /* from the end, so that nothing is overwritten before it was moved */
        *--to = *--from;
        if (*to == '"') {
            *--to = '"';
        }
    }
    *--to = '"';
    return true;
}
/* Appends row i as one CSV field: nothing for null, "" for empty text, quotes where RFC 4180 asks for them. */
TACO__FN bool taco__text_csv(taco__buf *out, const taco_array *a, size_t i, taco_error *err)
{
    size_t begin = out->len;
    bool   null;
    return taco__text_bare(out, a, i, &null, err) &&
           (null || taco__text_csv_quote(out, begin, err));
}
/* Appends a column name as one CSV field. */
TACO__FN bool taco__text_csv_name(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t begin = out->len;
    return taco__text_mend(out, b, err) && taco__text_csv_quote(out, begin, err);
}

/* Of the character of n bytes at p (n 0: a byte that is no UTF-8): whether a terminal must not see it. Controls, and
   marks that turn the direction of the line, so that a name from a file cannot rewrite the screen. */
TACO__FN bool taco__text_unseen(const uint8_t *p, size_t n)
{
    if (n == 1) {
        return p[0] < 0x20 || p[0] == 0x7F;
    }
    if (n == 2) {
        return p[0] == 0xC2 && p[1] < 0xA0; /* U+0080..9F */
    }
    if (n == 3 && p[0] == 0xE2) { /* U+200B..200F but the joiners, U+2028..202E, U+2060..206F */
        return (p[1] == 0x80 && ((p[2] >= 0x8B && p[2] <= 0x8F && p[2] != 0x8C && p[2] != 0x8D) ||
                                 (p[2] >= 0xA8 && p[2] <= 0xAE))) ||
               (p[1] == 0x81 && p[2] >= 0xA0 && p[2] <= 0xAF);
    }
    return n == 0 || (n == 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF);
}
/* Writes such a character as \n, \t, \r, \xNN or \uNNNN: at most 4 bytes for each of its own. */
TACO__FN uint8_t *taco__text_put_seen(uint8_t *to, const uint8_t *p, size_t n)
{
    char   *at = (char *)to;
    uint8_t code[2];
    *at++ = '\\';
    if (n < 2) {
        const char *known = p[0] ? strchr("\nn\tt\rr", p[0]) : NULL;
        if (known) {
            *at++ = known[1];
            return (uint8_t *)at;
        }
        *at++ = 'x';
        return (uint8_t *)taco__text_put_hex(at, p, 1);
    }
    *at++ = 'u';
    code[0] = (uint8_t)(n == 2 ? (p[0] & 0x1F) >> 2 : (p[0] & 0x0F) << 4 | (p[1] & 0x3F) >> 2);
    code[1] = (uint8_t)((p[n - 2] & 3) << 6 | (p[n - 1] & 0x3F));
    return (uint8_t *)taco__text_put_hex(at, code, 2);
}
/* Makes visible what stands in out from `begin` on and a terminal must not see. */
TACO__FN bool taco__text_make_visible(taco__buf *out, size_t begin, taco_error *err)
{
    size_t   i = begin, n = 0, bad, len, room;
    uint8_t *from, *to;
    for (; i < out->len; i += n) {
        n = taco__num_utf8_char(out->data + i, out->len - i, &bad);
        if (taco__text_unseen(out->data + i, n)) {
            break;
        }
    }
    if (i >= out->len) {
        return true;
    }
    len = out->len - i;
    if (!taco__base_mulz(len, 4, &room) || !taco__buf_reserve(out, room, err)) {
        return false;
    }
    to =
        out->data + i; /* the rest moves up by 4 times its length, and is written back from there */
    from = to + room;
    memmove(from, to, len);
    for (; len; len -= n, from += n) {
        n = taco__num_utf8_char(from, len, &bad);
        if (taco__text_unseen(from, n)) {
            to = taco__text_put_seen(to, from, n);
            n = n ? n : 1;
        } else {
            memmove(to, from, n);
            to += n;
        }
    }
    out->len = (size_t)(to - out->data);
    return true;
}
/* Appends row i for a person's eye: no quotes, `null` for nothing, control characters made visible. */
TACO__FN bool taco__text_plain(taco__buf *out, const taco_array *a, size_t i, taco_error *err)
{
    size_t begin = out->len;
    bool   null;
    return taco__text_bare(out, a, i, &null, err) &&
           (null ? taco__buf_append(out, "null", 4, err)
                 : taco__text_make_visible(out, begin, err));
}
TACO__FN bool taco__text_plain_name(taco__buf *out, taco_bytes b,
                                    taco_error *err) /* the same for a name */
{
    size_t begin = out->len;
    return taco__buf_append(out, b.data, b.len, err) && taco__text_make_visible(out, begin, err);
}

/* ==== ROOM value: typed scalars: literals, statistics and the order of SQL. Uses: num time mem error base ==== */

/* One scalar is a type and a number or bytes. All exact kinds (BOOL, integers, DECIMAL, DATE, TIME, TIMESTAMP) keep their
   number in 256 bits, so that comparing an INT64 with a DECIMAL(76, 30) or a TIMESTAMP of one unit with another is one
   code path without overflow. The semantics, which type two sides are compared in, are DuckDB's. */

/* ---- 256-bit integers ---- */

typedef struct taco__i256 { /* two's complement, w[0] least significant */
    uint64_t w[4];
} taco__i256;

/* Sign-extends; every number of a file that has up to 64 bits enters through these two. */
TACO__FN taco__i256 taco__i256_from(int64_t x)
{
    taco__i256 r;
    r.w[0] = (uint64_t)x;
    r.w[1] = r.w[2] = r.w[3] = x < 0 ? UINT64_MAX : 0;
    return r;
}
TACO__FN taco__i256 taco__i256_from_u64(uint64_t x)
{
    taco__i256 r;
    r.w[0] = x;
    r.w[1] = r.w[2] = r.w[3] = 0;
    return r;
}
TACO__INLINE bool taco__i256_neg(const taco__i256 *a)
{
    return (a->w[3] >> 63) != 0;
}
/* Signed order. Only the top word carries a sign: flipping its sign bit makes it an unsigned one. */
TACO__FN int taco__i256_cmp(const taco__i256 *a, const taco__i256 *b)
{
    int i;
    if (a->w[3] != b->w[3]) {
        return (a->w[3] ^ (uint64_t)1 << 63) < (b->w[3] ^ (uint64_t)1 << 63) ? -1 : 1;
    }
    for (i = 2; i >= 0; i--) {
        if (a->w[i] != b->w[i]) {
            return a->w[i] < b->w[i] ? -1 : 1;
        }
    }
    return 0;
}
/* Sums wrap; callers keep operands below 255 bits, where they cannot. */
TACO__FN taco__i256 taco__i256_add(taco__i256 a, taco__i256 b) /* wraps */
{
    uint64_t carry = 0;
    int      i;
    for (i = 0; i < 4; i++) {
        uint64_t s = a.w[i] + b.w[i], t = s + carry;
        carry = (uint64_t)(s < a.w[i]) | (uint64_t)(t < s);
        a.w[i] = t;
    }
    return a;
}
TACO__FN taco__i256 taco__i256_negate(taco__i256 a) /* wraps */
{
    int i;
    for (i = 0; i < 4; i++) {
        a.w[i] = ~a.w[i];
    }
    return taco__i256_add(a, taco__i256_from(1));
}
/* a * m + c of the magnitude a, by 32-bit limbs; false when the result needs more than 255 bits. */
TACO__FN bool taco__i256_scale(taco__i256 *a, uint32_t m, uint32_t c)
{
    uint64_t carry = c;
    int      i;
    for (i = 0; i < 8; i++) {
        uint64_t limb = (a->w[i / 2] >> (i & 1) * 32) & UINT32_MAX;
        carry += limb * m;
        a->w[i / 2] = (a->w[i / 2] & ~((uint64_t)UINT32_MAX << (i & 1) * 32)) | (carry & UINT32_MAX)
                                                                                    << (i & 1) * 32;
        carry >>= 32;
    }
    return carry == 0 && !taco__i256_neg(a);
}
/* Divides the magnitude a in place and returns the remainder. */
TACO__FN uint32_t taco__i256_divide(taco__i256 *a, uint32_t m)
{
    uint64_t rem = 0;
    int      i;
    for (i = 7; i >= 0; i--) {
        uint64_t cur = rem << 32 | ((a->w[i / 2] >> (i & 1) * 32) & UINT32_MAX);
        a->w[i / 2] = (a->w[i / 2] & ~((uint64_t)UINT32_MAX << (i & 1) * 32)) | (cur / m)
                                                                                    << (i & 1) * 32;
        rem = cur % m;
    }
    return (uint32_t)rem;
}
TACO__FN uint32_t taco__i256_ten(int32_t k) /* 10^k, k in 0..9 */
{
    uint32_t p = 1;
    for (; k > 0; k--) {
        p *= 10;
    }
    return p;
}
/* a *= 10^k, signed; false on overflow, a is then unspecified. */
TACO__FN bool taco__i256_mul10(taco__i256 *a, int32_t k)
{
    bool neg = taco__i256_neg(a), ok = true;
    if (neg) {
        *a = taco__i256_negate(*a);
        ok = !taco__i256_neg(a);
    }
    for (; ok && k > 0; k -= 9) {
        ok = taco__i256_scale(a, taco__i256_ten(TACO__MIN(k, 9)), 0);
    }
    if (neg) {
        *a = taco__i256_negate(*a);
    }
    return ok;
}
/* a / 10^k rounded half away from zero, or towards zero. */
TACO__FN taco__i256 taco__i256_div10(taco__i256 a, int32_t k, bool round)
{
    bool     neg = taco__i256_neg(&a);
    uint32_t last = 0;
    if (neg) {
        a = taco__i256_negate(a);
    }
    for (; k > 1;
         k -= TACO__MIN(
             k - 1,
             9)) { /* all but the last digit: what was cut before cannot change the rounding */
        taco__i256_divide(&a, taco__i256_ten(TACO__MIN(k - 1, 9)));
    }
    if (k == 1) {
        last = taco__i256_divide(&a, 10);
    }
    if (round && last >= 5) {
        a = taco__i256_add(a, taco__i256_from(1));
    }
    return neg ? taco__i256_negate(a) : a;
}
/* True when the low word alone, sign-extended, is the number. */
TACO__FN bool taco__i256_is_i64(const taco__i256 *a)
{
    uint64_t sign = (a->w[0] >> 63) ? UINT64_MAX : 0;
    return a->w[1] == sign && a->w[2] == sign && a->w[3] == sign;
}
TACO__FN taco__i256 taco__i256_le(const uint8_t *p,
                                  size_t         width) /* 1 <= width <= 32, sign-extended */
{
    taco__i256 r = taco__i256_from((p[width - 1] & 0x80) ? -1 : 0);
    size_t     i;
    if (width == 16) {
        r.w[0] = taco__base_le64(p);
        r.w[1] = taco__base_le64(p + 8);
        return r;
    }
    for (i = 0; i < width; i++) {
        r.w[i / 8] = (r.w[i / 8] & ~((uint64_t)0xFF << i % 8 * 8)) | (uint64_t)p[i] << i % 8 * 8;
    }
    return r;
}
/* Big-endian two's complement of any length; empty is 0. False when it needs more than 256 bits. */
TACO__FN bool taco__i256_be(taco_bytes b, taco__i256 *out)
{
    uint8_t le[32];
    size_t  i, n;
    uint8_t fill = (uint8_t)(b.len && (b.data[0] & 0x80) ? 0xFF : 0);
    while (b.len > 32 && b.data[0] == fill) {
        b.data++;
        b.len--;
    }
    if (b.len > 32 || (b.len == 32 && ((b.data[0] ^ fill) & 0x80))) {
        return false;
    }
    n = b.len;
    for (i = 0; i < 32; i++) {
        le[i] = i < n ? b.data[n - 1 - i] : fill;
    }
    *out = taco__i256_le(le, 32);
    return true;
}

/* ---- types and values ---- */

typedef struct taco__vtype {
    taco_type id;
    taco_unit unit;             /* TIME, TIMESTAMP */
    bool      utc;              /* TIMESTAMP: an instant */
    int32_t   precision, scale; /* DECIMAL */
} taco__vtype;

typedef struct taco__value {
    taco__vtype type; /* TACO_NULL: the SQL NULL */
    taco__i256
        d; /* exact kinds; of DECIMAL the unscaled number, of DATE days, of TIME and TIMESTAMP units */
    double     f; /* HALF, FLOAT, DOUBLE */
    taco_bytes b; /* TEXT, BINARY, UUID; borrowed */
} taco__value;

/* A type without parameters. */
TACO__FN taco__vtype taco__value_type(taco_type id)
{
    taco__vtype t;
    memset(&t, 0, sizeof t);
    t.id = id;
    return t;
}
/* The type a column has in expressions: FIXED is BINARY, INT96 is a TIMESTAMP of microseconds, as DuckDB reads them. */
TACO__FN taco__vtype taco__value_type_of(const taco_field *f)
{
    taco__vtype t = taco__value_type(f->type);
    t.unit = f->unit;
    t.utc = f->type == TACO_TIMESTAMP && f->utc;
    t.precision = f->precision;
    t.scale = f->scale;
    if (f->type == TACO_FIXED) {
        t.id = TACO_BINARY;
    } else if (f->type == TACO_INT96) {
        t.id = TACO_TIMESTAMP;
        t.unit = TACO_MICRO;
    }
    return t;
}
/* The word that messages use for a column type; the order is that of enum taco_type. */
TACO__FN const char *taco__value_type_name(taco_type id)
{
    static const char *const names[] = {
        "NULL",     "BOOL", "INT8",   "INT16",  "INT32",   "INT64", "UINT8", "UINT16",    "UINT32",
        "UINT64",   "HALF", "FLOAT",  "DOUBLE", "DECIMAL", "DATE",  "TIME",  "TIMESTAMP", "INT96",
        "INTERVAL", "TEXT", "BINARY", "FIXED",  "UUID",    "LIST",  "MAP",   "STRUCT"};
    return (size_t)id < TACO__COUNT(names) ? names[id] : "?";
}
/* The classes below follow from the order of enum taco_type; BOOL is in none of them. */
TACO__FN bool taco__value_is_int(taco_type id)
{
    return id >= TACO_INT8 && id <= TACO_UINT64;
}
TACO__FN bool taco__value_is_float(taco_type id)
{
    return id == TACO_HALF || id == TACO_FLOAT || id == TACO_DOUBLE;
}
TACO__FN bool taco__value_is_number(taco_type id)
{
    return id >= TACO_INT8 && id <= TACO_DECIMAL;
}
TACO__FN bool taco__value_is_bytes(taco_type id)
{
    return id == TACO_TEXT || id == TACO_BINARY || id == TACO_UUID;
}
TACO__FN bool taco__value_is_nested(taco_type id)
{
    return id == TACO_LIST || id == TACO_MAP || id == TACO_STRUCT;
}

/* Makers of single values. Bytes are borrowed. */
TACO__FN taco__value taco__value_null(void)
{
    taco__value v;
    memset(&v, 0, sizeof v);
    return v;
}
TACO__FN taco__value taco__value_int(taco_type id, int64_t x)
{
    taco__value v = taco__value_null();
    v.type.id = id;
    v.d = taco__i256_from(x);
    return v;
}
TACO__FN taco__value taco__value_double(taco_type id, double x)
{
    taco__value v = taco__value_null();
    v.type.id = id;
    v.f = x;
    return v;
}
TACO__FN taco__value taco__value_bytes(taco_type id, taco_bytes b)
{
    taco__value v = taco__value_null();
    v.type.id = id;
    v.b = b;
    return v;
}

/* ---- conversions as DuckDB makes them ---- */

/* An exact value as d * 10^-scale. Days count as seconds, so that dates and instants compare. */
TACO__FN void taco__value_exact(const taco__value *v, taco__i256 *d, int32_t *scale)
{
    *d = v->d;
    *scale = 0;
    if (v->type.id == TACO_DECIMAL) {
        *scale = v->type.scale;
    } else if (v->type.id == TACO_TIME || v->type.id == TACO_TIMESTAMP) {
        *scale = 3 * (int32_t)v->type.unit;
    } else if (v->type.id == TACO_DATE) {
        *d = taco__i256_from((int64_t)v->d.w[0] * 86400); /* days are 32 bits */
    }
}
/* Order of a * 10^-sa and b * 10^-sb without rounding. */
TACO__FN int taco__value_exact_cmp(taco__i256 a, int32_t sa, taco__i256 b, int32_t sb)
{
    /* a side that overflows when it is scaled up is larger in magnitude than anything the other can hold */
    bool below = taco__i256_neg(&a), above = taco__i256_neg(&b);
    if (sa < sb && !taco__i256_mul10(&a, sb - sa)) {
        return below ? -1 : 1;
    }
    if (sb < sa && !taco__i256_mul10(&b, sa - sb)) {
        return above ? 1 : -1;
    }
    return taco__i256_cmp(&a, &b);
}

/* 128 bits to floating point as DuckDB's hugeint does it: both halves rounded on their own, in the target's width.
 * Each operation in single is cast: where FLT_EVAL_METHOD is not 0 (x87, s390), it runs wider than its operands. */
TACO__FN double taco__value_wide(const taco__i256 *a, bool single)
{
    uint64_t sign = (uint64_t)((int64_t)a->w[1] >> 63);
    if (taco__i256_is_i64(a)) {
        return single ? (double)(float)(int64_t)a->w[0] : (double)(int64_t)a->w[0];
    }
    if (a->w[2] != sign ||
        a->w[3] !=
            sign) { /* beyond 128 bits, by magnitude: the halves of negative ones would cancel */
        taco__i256 m = taco__i256_neg(a) ? taco__i256_negate(*a) : *a;
        double     d =
            (((double)m.w[3] * 18446744073709551616.0 + (double)m.w[2]) * 18446744073709551616.0 +
             (double)m.w[1]) *
                18446744073709551616.0 +
            (double)m.w[0];
        d = single ? (double)(float)d : d;
        return taco__i256_neg(a) ? -d : d;
    }
    if (a->w[1] == UINT64_MAX) {
        return single ? (double)(float)(-(float)(UINT64_MAX - a->w[0]) - 1.0f)
                      : -(double)(UINT64_MAX - a->w[0]) - 1.0;
    }
    return single
               ? (double)(float)((float)a->w[0] + (float)(int64_t)a->w[1] * 18446744073709551616.0f)
               : (double)a->w[0] + (double)(int64_t)a->w[1] * 18446744073709551616.0;
}
/* DECIMAL to FLOAT or DOUBLE: numbers the target holds exactly are divided once; of others, whole and fraction apart. */
TACO__FN double taco__value_decimal(const taco__i256 *d, int32_t scale, bool single)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    int64_t             limit = single ? (int64_t)1 << 24 : (int64_t)1 << 53;
    taco__i256          whole = *d, part;
    double              p = 1.0, r;
    int32_t             s;
    bool small = taco__i256_is_i64(d) && (int64_t)d->w[0] <= limit && (int64_t)d->w[0] >= -limit;
    for (s = scale; s > 38; s -= 38) {
        p *= 1e38;
    }
    p *= ten[TACO__MAX(s, 0)];
    if (small || scale <= 0) {
        r = taco__value_wide(d, single);
        return single ? (double)(float)((float)r / (float)p) : r / p;
    }
    whole = taco__i256_div10(*d, scale, false);
    part = whole;
    taco__i256_mul10(&part, scale); /* cannot overflow: not larger than d */
    part = taco__i256_add(*d, taco__i256_negate(part));
    if (single) {
        return (double)(float)((float)taco__value_wide(&whole, true) +
                               (float)((float)taco__value_wide(&part, true) / (float)p));
    }
    return taco__value_wide(&whole, false) + taco__value_wide(&part, false) / p;
}
/* Any number as FLOAT (single) or DOUBLE. */
TACO__FN double taco__value_float(const taco__value *v, bool single)
{
    if (taco__value_is_float(v->type.id)) {
        return single ? (double)(float)v->f : v->f;
    }
    if (v->type.id == TACO_DECIMAL) {
        return taco__value_decimal(&v->d, v->type.scale, single);
    }
    if (v->type.id == TACO_UINT64) {
        return single ? (double)(float)v->d.w[0] : (double)v->d.w[0];
    }
    return taco__value_wide(&v->d, single);
}

/* ---- the type two sides are compared in ---- */

typedef enum taco__domain {
    TACO__DOM_NONE = 0, /* the sides cannot be compared; or one is NULL */
    TACO__DOM_EXACT,    /* integers, decimals, dates, instants: no rounding */
    TACO__DOM_F32,
    TACO__DOM_F64,
    TACO__DOM_BYTES
} taco__domain;

/* Where values of a type are compared once both sides have it. HALF is a FLOAT, as in DuckDB. */
TACO__FN taco__domain taco__value_domain(taco_type id)
{
    switch (id) {
    case TACO_HALF:
    case TACO_FLOAT: return TACO__DOM_F32;
    case TACO_DOUBLE: return TACO__DOM_F64;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_UUID: return TACO__DOM_BYTES;
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return TACO__DOM_NONE;
    default: return TACO__DOM_EXACT;
    }
}
/* Digits of an integer type when it meets a DECIMAL. */
TACO__FN int32_t taco__value_digits(const taco__vtype *t)
{
    switch (t->id) {
    case TACO_BOOL: return 1;
    case TACO_INT8:
    case TACO_UINT8: return 3;
    case TACO_INT16:
    case TACO_UINT16: return 5;
    case TACO_INT32:
    case TACO_UINT32: return 10;
    case TACO_INT64: return 19;
    case TACO_UINT64: return 20;
    default: return t->precision;
    }
}
/* DECIMAL, but not the integers beyond INT64, which are DECIMAL(39, 0) here and HUGEINT in DuckDB. */
TACO__FN bool taco__value_is_fixed(const taco__vtype *t)
{
    return t->id == TACO_DECIMAL && t->precision != 39;
}

/* The integer type that holds both: the wider of two of one sign; of a signed and an unsigned one, the signed type a size
   above the unsigned. */
TACO__FN taco_type taco__value_unify_int(taco_type a, taco_type b)
{
    bool      ua = a >= TACO_UINT8, ub = b >= TACO_UINT8;
    taco_type u = ua ? a : b, s = ua ? b : a, need;
    if (a == TACO_BOOL || b == TACO_BOOL) {
        return a == TACO_BOOL ? b : a;
    }
    if (ua == ub) {
        return TACO__MAX(a, b);
    }
    if (u == TACO_UINT64) {
        return TACO_DECIMAL; /* DuckDB's HUGEINT */
    }
    need = (taco_type)(TACO_INT8 + (u - TACO_UINT8) + 1);
    return TACO__MAX(s, need);
}
/* Sets *out to the type in which values of a and b are compared, as DuckDB chooses it; false when they cannot be.
   Equality allows more than order: BOOL = 1.5 is allowed, BOOL < 1.5 is not. */
TACO__FN bool taco__value_unify(const taco__vtype *a, const taco__vtype *b, bool equality,
                                taco__vtype *out)
{
    taco__vtype t = *a;
    bool        na, nb;
    if (a->id == TACO_NULL || b->id == TACO_NULL) {
        *out = a->id == TACO_NULL ? *b : *a;
        return !taco__value_is_nested(out->id) && out->id != TACO_INTERVAL;
    }
    na = taco__value_is_number(a->id) || a->id == TACO_BOOL;
    nb = taco__value_is_number(b->id) || b->id == TACO_BOOL;
    if (na && nb) {
        bool one_bool = (a->id == TACO_BOOL) != (b->id == TACO_BOOL);
        bool floats = taco__value_is_float(a->id) || taco__value_is_float(b->id);
        if (one_bool && !equality &&
            (floats || taco__value_is_fixed(a) || taco__value_is_fixed(b))) {
            return false;
        }
        if (floats) {
            t = taco__value_type(a->id == TACO_DOUBLE || b->id == TACO_DOUBLE ? TACO_DOUBLE
                                                                              : TACO_FLOAT);
        } else if (a->id == TACO_DECIMAL || b->id == TACO_DECIMAL) {
            int32_t whole =
                TACO__MAX(taco__value_digits(a) - a->scale, taco__value_digits(b) - b->scale);
            t = taco__value_type(TACO_DECIMAL);
            t.scale = TACO__MAX(a->scale, b->scale);
            t.precision = whole + t.scale;
        } else {
            t.id = taco__value_unify_int(a->id, b->id);
            t.precision = t.id == TACO_DECIMAL ? 39 : 0;
        }
    } else if ((a->id == TACO_DATE || a->id == TACO_TIMESTAMP) &&
               (b->id == TACO_DATE || b->id == TACO_TIMESTAMP)) {
        t.id = TACO__MAX(a->id, b->id); /* TIMESTAMP comes after DATE */
        t.unit = a->id == TACO_DATE   ? b->unit
                 : b->id == TACO_DATE ? a->unit
                                      : TACO__MAX(a->unit, b->unit);
        t.utc = a->utc || b->utc;
    } else if (a->id == TACO_TIME && b->id == TACO_TIME) {
        t.unit = TACO__MAX(a->unit, b->unit);
    } else if (a->id != b->id || taco__value_is_nested(a->id) || a->id == TACO_INTERVAL) {
        return false;
    }
    *out = t;
    return true;
}
/* NaN equals NaN and is greater than every number; -0.0 equals 0.0. */
TACO__INLINE int taco__value_float_cmp(double a, double b)
{
    if (a != a || b != b) {
        return (a != a) - (b != b);
    }
    return (a > b) - (a < b);
}
/* Three-way order of two values that are not NULL, in a domain taco__value_unify allowed. */
TACO__FN int taco__value_cmp(taco__domain dom, const taco__value *a, const taco__value *b)
{
    taco__i256 x, y;
    int32_t    sx, sy;
    switch (dom) {
    case TACO__DOM_F32:
        return taco__value_float_cmp(taco__value_float(a, true), taco__value_float(b, true));
    case TACO__DOM_F64:
        return taco__value_float_cmp(taco__value_float(a, false), taco__value_float(b, false));
    case TACO__DOM_BYTES: return taco__base_order(a->b, b->b);
    case TACO__DOM_EXACT:
        taco__value_exact(a, &x, &sx);
        taco__value_exact(b, &y, &sy);
        return taco__value_exact_cmp(x, sx, y, sy);
    default: return 0;
    }
}

/* ---- keys: every fixed-width column as integers in the order of SQL ---- */

/* A key is an integer that sorts as the value does, so that any comparison with a constant becomes a closed range of
   keys. FLOAT and DOUBLE turn their sign and magnitude into two's complement: -0.0 is 0 and NaN is the greatest. */
TACO__INLINE int32_t taco__value_key_f32(float x)
{
    uint32_t b = taco__base_bits32(x), m = b & 0x7FFFFFFFU;
    return m > 0x7F800000U ? INT32_MAX : b >> 31 ? -(int32_t)m : (int32_t)m;
}
TACO__INLINE int64_t taco__value_key_f64(double x)
{
    uint64_t b = taco__base_bits64(x), m = b & INT64_MAX;
    return m > (uint64_t)0x7FF << 52 ? INT64_MAX : b >> 63 ? -(int64_t)m : (int64_t)m;
}
TACO__INLINE float taco__value_unkey_f32(int64_t k)
{
    return k < 0 ? taco__base_f32((uint32_t)1 << 31 | (uint32_t)-k) : taco__base_f32((uint32_t)k);
}
TACO__INLINE double taco__value_unkey_f64(int64_t k)
{
    return k < 0 ? taco__base_f64((uint64_t)1 << 63 | (uint64_t)-k) : taco__base_f64((uint64_t)k);
}
#define TACO__KEY_INF32 ((int64_t)0x7F800000)
#define TACO__KEY_INF64 ((int64_t)0x7FF << 52)

/* Columns that TEST by key: all that compare, except bytes. */
TACO__FN bool taco__value_has_key(taco_type id)
{
    return taco__value_domain(id) != TACO__DOM_NONE && !taco__value_is_bytes(id);
}
/* Between values and keys, in both directions. Keys behind infinity are NaN, whatever their bits. */
TACO__FN taco__i256 taco__value_key(const taco__value *v)
{
    if (v->type.id == TACO_DOUBLE) {
        return taco__i256_from(taco__value_key_f64(v->f));
    }
    return taco__value_is_float(v->type.id) ? taco__i256_from(taco__value_key_f32((float)v->f))
                                            : v->d;
}
TACO__FN taco__value taco__value_unkey(const taco__vtype *t, taco__i256 key)
{
    taco__value v = taco__value_null();
    v.type = *t;
    if (t->id == TACO_DOUBLE) {
        v.f = taco__value_unkey_f64((int64_t)key.w[0]);
    } else if (taco__value_is_float(t->id)) {
        v.f = (double)taco__value_unkey_f32((int64_t)key.w[0]);
    } else {
        v.d = key;
    }
    return v;
}
/* The least and greatest key a column of the type can hold. */
TACO__FN void taco__value_key_bounds(const taco__vtype *t, taco__i256 *lo, taco__i256 *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64};
    if (t->id == TACO_BOOL || (t->id >= TACO_UINT8 && t->id <= TACO_UINT64)) {
        *lo = taco__i256_from(0);
        *hi = taco__i256_from_u64(UINT64_MAX >> (64 - bits[t->id]));
    } else if (
        t->id ==
        TACO_DECIMAL) { /* 254 bits: more than 76 digits, and one step beyond does not wrap */
        memset(hi, 0xFF, sizeof *hi);
        hi->w[3] >>= 2;
        *lo = taco__i256_negate(*hi);
    } else if (t->id == TACO_DOUBLE) {
        *lo = taco__i256_from(-TACO__KEY_INF64);
        *hi = taco__i256_from(INT64_MAX);
    } else if (taco__value_is_float(t->id)) {
        *lo = taco__i256_from(-TACO__KEY_INF32);
        *hi = taco__i256_from(INT32_MAX);
    } else {
        unsigned n = t->id >= TACO_INT8 && t->id <= TACO_INT64 ? bits[t->id]
                     : t->id == TACO_DATE                      ? 32
                                                               : 64;
        *lo = taco__i256_from(INT64_MIN >> (64 - n));
        *hi = taco__i256_from(INT64_MAX >> (64 - n));
    }
}

/* ---- text to values: what a quoted literal means where another type is asked for ---- */

/* Without the blanks around, which casts from text allow. */
TACO__FN taco_bytes taco__value_trim(taco_bytes b)
{
    while (b.len && (b.data[0] == ' ' || (b.data[0] >= '\t' && b.data[0] <= '\r'))) {
        b.data++;
        b.len--;
    }
    while (b.len &&
           (b.data[b.len - 1] == ' ' || (b.data[b.len - 1] >= '\t' && b.data[b.len - 1] <= '\r'))) {
        b.len--;
    }
    return b;
}
/* True when b is word, ASCII case ignored. word is lower case. */
TACO__FN bool taco__value_word(taco_bytes b, const char *word)
{
    size_t i, n = strlen(word);
    if (b.len != n) {
        return false;
    }
    for (i = 0; i < n; i++) {
        uint8_t c = b.data[i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != (uint8_t)word[i]) {
            return false;
        }
    }
    return true;
}
/* [+-]digits[.digits][e[+-]digits], single underscores between digits, as an integer of scale `scale`, half away from
   zero. Digits behind the 75th only move the point. */
TACO__FN bool taco__value_parse_exact(taco_bytes b, int32_t scale, taco__i256 *out)
{
    taco__i256 m = taco__i256_from(0);
    int32_t    kept = 0, exponent = 0, e = 0;
    size_t     i = 0;
    bool       neg, point = false, any = false, eneg = false;
    b = taco__value_trim(b);
    neg = b.len && b.data[0] == '-';
    i += b.len && (b.data[0] == '-' || b.data[0] == '+');
    for (; i < b.len; i++) {
        uint8_t c = b.data[i];
        if (c >= '0' && c <= '9') {
            any = true;
            if (kept < 75) {
                taco__i256_scale(&m, 10, (uint32_t)(c - '0'));
                kept += kept || c != '0';
                exponent -= point;
            } else if (!point && exponent < 100000) {
                exponent++;
            }
        } else if (c == '.' && !point) {
            point = true;
        } else if (!(c == '_' && i && i + 1 < b.len && b.data[i - 1] >= '0' &&
                     b.data[i - 1] <= '9' && b.data[i + 1] >= '0' && b.data[i + 1] <= '9')) {
            break;
        }
    }
    if (i < b.len && (b.data[i] | 0x20) == 'e' && any) {
        eneg = i + 1 < b.len && b.data[i + 1] == '-';
        i += 1U + (i + 1 < b.len && (b.data[i + 1] == '-' || b.data[i + 1] == '+'));
        any = i < b.len;
        for (; i < b.len && b.data[i] >= '0' && b.data[i] <= '9'; i++) {
            e = e < 100000 ? e * 10 + (b.data[i] - '0') : e;
        }
        exponent += eneg ? -e : e;
    }
    if (!any || i != b.len) {
        return false;
    }
    exponent += scale;
    if (exponent < 0) {
        m = taco__i256_div10(m, TACO__MIN(-exponent, 100), true);
    } else if (kept && (exponent > 76 || !taco__i256_mul10(&m, exponent))) {
        return false;
    }
    *out = neg ? taco__i256_negate(m) : m;
    return true;
}
/* What CAST AS FLOAT (single) or DOUBLE reads: a number, nan, inf or infinity in any case, with a sign. Numbers of more
   than 512 characters are refused. */
TACO__FN bool taco__value_parse_float(taco_bytes b, bool single, double *out)
{
    char   digits[512];
    size_t i, n = 0;
    bool   neg;
    float  f;
    b = taco__value_trim(b);
    neg = b.len && b.data[0] == '-';
    i = b.len && (b.data[0] == '-' || b.data[0] == '+');
    if (taco__value_word(taco__base_bytes(b.data + i, b.len - i), "nan")) {
        *out = taco__base_f64((uint64_t)0x7FF8 << 48);
        return true;
    }
    if (taco__value_word(taco__base_bytes(b.data + i, b.len - i), "inf") ||
        taco__value_word(taco__base_bytes(b.data + i, b.len - i), "infinity")) {
        *out = taco__base_f64((uint64_t)(neg ? 0xFFF0 : 0x7FF0) << 48);
        return true;
    }
    for (; i < b.len && n < sizeof digits; i++) { /* without the underscores between digits */
        if (b.data[i] != '_' || !n || i + 1 >= b.len || digits[n - 1] < '0' ||
            digits[n - 1] > '9' || b.data[i + 1] < '0' || b.data[i + 1] > '9') {
            digits[n++] = (char)b.data[i];
        }
    }
    if (i < b.len || !n || digits[0] == '-' || digits[0] == '+') {
        return false;
    }
    if (single) {
        if (!taco__num_parse_f32(taco__base_bytes(digits, n), &f)) {
            return false;
        }
        *out = (double)f;
    } else if (!taco__num_parse_f64(taco__base_bytes(digits, n), out)) {
        return false;
    }
    *out = neg ? -*out : *out;
    return true;
}
/* The words CAST AS BOOLEAN knows; blanks around are not allowed there. */
TACO__FN bool taco__value_parse_bool(taco_bytes b, bool *out)
{
    *out = taco__value_word(b, "true") || taco__value_word(b, "t") || taco__value_word(b, "1") ||
           taco__value_word(b, "yes") || taco__value_word(b, "y");
    return *out || taco__value_word(b, "false") || taco__value_word(b, "f") ||
           taco__value_word(b, "0") || taco__value_word(b, "no") || taco__value_word(b, "n");
}
/* The value of a hexadecimal digit, or -1. */
TACO__FN int taco__value_hex(uint8_t c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}
/* Two hex digits at b[i] as a byte, or -1. */
TACO__FN int taco__value_hex2(taco_bytes b, size_t i)
{
    int high = i + 1 < b.len ? taco__value_hex(b.data[i]) : -1,
        low = high >= 0 ? taco__value_hex(b.data[i + 1]) : -1;
    return low < 0 ? -1 : high * 16 + low;
}
/* ASCII with \xHH for the rest, or (hex) digit pairs only. The bytes go to the arena; false when b is not of the form
   or there is no memory, which err then says. */
TACO__FN bool taco__value_parse_blob(taco__arena *arena, taco_bytes b, bool hex, taco_bytes *out,
                                     taco_error *err)
{
    size_t   i = 0, n = 0;
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, b.len, err);
    while (p && i < b.len) {
        bool escape = !hex && b.data[i] == '\\';
        int  x = escape && (i + 1 >= b.len || b.data[i + 1] != 'x')
                     ? -1
                     : taco__value_hex2(b, i + (escape ? 2U : 0U));
        if (!hex && !escape && b.data[i] < 0x80) {
            p[n++] = b.data[i++];
        } else if (x < 0 || (!hex && !escape)) {
            return false;
        } else {
            p[n++] = (uint8_t)x;
            i += escape ? 4U : 2U;
        }
    }
    *out = taco__base_bytes(p, n);
    return p != NULL;
}
/* 32 hex digits with dashes anywhere between and braces around. */
TACO__FN bool taco__value_parse_uuid(taco_bytes b, uint8_t out[16])
{
    size_t i = 0, n = 0;
    if (b.len >= 2 && b.data[0] == '{' && b.data[b.len - 1] == '}') {
        b = taco__base_bytes(b.data + 1, b.len - 2);
    }
    for (; i < b.len; i++) {
        int x = taco__value_hex(b.data[i]);
        if (x >= 0 && n < 32) {
            out[n / 2] = (uint8_t)(n % 2 ? out[n / 2] | x : x << 4);
            n++;
        } else if (b.data[i] != '-' || !n) {
            return false;
        }
    }
    return n == 32;
}

/* A date, a time of day or both, as CAST reads them in room time, but to the nanosecond and with the offset apart. */
typedef struct taco__value_clock {
    int64_t days, micros; /* of the day, up to 24:00 */
    int64_t nanos, shift; /* below the microsecond; microseconds the offset takes to UTC */
    bool    has_time;
} taco__value_clock;

/* h:mm[:ss[.digits]] and an offset at in, which must end behind them. */
TACO__FN bool taco__value_parse_time(taco__time_in *in, taco__value_clock *t)
{
    size_t at = in->at;
    bool   zone;
    if (!taco__time_sql_clock(in, &t->micros)) {
        return false;
    }
    t->has_time = true;
    for (; at < in->at && in->s[at] != '.'; at++) {
    }
    if (in->at - at > 7) { /* digits seven to nine behind the point */
        size_t i;
        for (i = 7; i < 10; i++) {
            t->nanos = t->nanos * 10 + (at + i < in->at ? in->s[at + i] - '0' : 0);
        }
    }
    return taco__time_sql_zone(in, &t->shift, &zone);
}
/* All of b as a date with or without a time, or, unless it must begin with a date, a time alone. */
TACO__FN bool taco__value_parse_clock(taco_bytes b, bool date, taco__value_clock *t)
{
    taco__time_in in;
    memset(&in, 0, sizeof in);
    memset(t, 0, sizeof *t);
    b = taco__value_trim(b);
    in.s = b.data;
    in.end = b.len;
    if (!date && taco__value_parse_time(&in, t)) {
        return true;
    }
    memset(t, 0, sizeof *t);
    in.at = in.want_at = 0;
    in.want = NULL;
    if (!taco__time_sql_date(&in, &t->days)) {
        return false;
    }
    if (in.at == in.end) {
        return true;
    }
    if (!taco__time_accept(&in, 'T') && !taco__time_accept(&in, 't')) {
        taco__time_spaces(&in);
    }
    return taco__value_parse_time(&in, t);
}
/* Text as DATE, TIME or TIMESTAMP. An offset counts where the type is an instant (or of nanoseconds: DuckDB's rule) and
   is ignored in plain timestamps. */
TACO__FN bool taco__value_parse_when(taco_bytes b, const taco__vtype *t, taco__value *out)
{
    taco__value_clock c;
    bool              nano = t->unit == TACO_NANO;
    int32_t           days;
    *out = taco__value_null();
    out->type = *t;
    if (t->id == TACO_DATE) {
        if (!taco__time_cast_date(b, &days)) {
            return false;
        }
        out->d = taco__i256_from(days);
        return true;
    }
    if (!taco__value_parse_clock(b, t->id != TACO_TIME, &c) ||
        (t->id == TACO_TIME && !c.has_time)) {
        return false;
    }
    if (!nano) { /* microseconds are DuckDB's timestamps: finer digits are cut, coarser columns are compared exactly */
        out->type.unit = TACO_MICRO;
        c.nanos = 0;
    }
    if (t->id == TACO_TIME) {
        c.days = 0;
    } else if (t->utc || nano) {
        c.micros += c.shift;
    }
    out->d = taco__i256_from(c.days * 86400);
    if (!taco__i256_mul10(&out->d, 6)) {
        return false;
    }
    out->d = taco__i256_add(out->d, taco__i256_from(c.micros));
    if (nano) {
        taco__i256_mul10(&out->d, 3);
        out->d = taco__i256_add(out->d, taco__i256_from(c.nanos));
    }
    return taco__i256_is_i64(&out->d);
}
/* True when a column of that type can hold the number: a cast from text refuses the others. */
TACO__FN bool taco__value_fits(const taco__vtype *t, const taco__i256 *d)
{
    taco__i256 lo, hi;
    if (t->id == TACO_DECIMAL) { /* |d| < 10^precision */
        hi = taco__i256_from(1);
        lo = taco__i256_neg(d) ? taco__i256_negate(*d) : *d;
        return !taco__i256_mul10(&hi, t->precision) || taco__i256_cmp(&lo, &hi) < 0;
    }
    taco__value_key_bounds(t, &lo, &hi);
    return taco__i256_cmp(&lo, d) <= 0 && taco__i256_cmp(d, &hi) <= 0;
}
/* A text literal as a value of type t. False when it does not spell one (err stays clean) or when memory ends. */
TACO__FN bool taco__value_cast_text(taco__arena *arena, taco_bytes text, const taco__vtype *t,
                                    taco__value *out, taco_error *err)
{
    bool     b;
    uint8_t *p;
    *out = taco__value_null();
    out->type = *t;
    if (taco__value_is_int(t->id) || t->id == TACO_DECIMAL) {
        return taco__value_parse_exact(text, t->id == TACO_DECIMAL ? t->scale : 0, &out->d) &&
               taco__value_fits(t, &out->d);
    }
    switch (t->id) {
    case TACO_TEXT: out->b = text; return true;
    case TACO_BOOL:
        if (!taco__value_parse_bool(text, &b)) {
            return false;
        }
        out->d = taco__i256_from(b);
        return true;
    case TACO_HALF:
    case TACO_FLOAT: return taco__value_parse_float(text, true, &out->f);
    case TACO_DOUBLE: return taco__value_parse_float(text, false, &out->f);
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP: return taco__value_parse_when(text, t, out);
    case TACO_BINARY: return taco__value_parse_blob(arena, text, false, &out->b, err);
    case TACO_UUID:
        p = (uint8_t *)taco__arena_alloc(arena, 16, err);
        out->b = taco__base_bytes(p, 16);
        return p && taco__value_parse_uuid(text, p);
    default: return false;
    }
}

/* ---- values from the PLAIN bytes of statistics ---- */

/* Reads a minimum or maximum of column f stored as physical type `physical` (the numbers of parquet.thrift's Type).
   False when it says nothing that can be relied on: wrong length, NaN, an order the format leaves undefined. The bytes
   of TEXT, BINARY and UUID values are borrowed. */
TACO__FN bool taco__value_from_stats(const taco_field *f, int32_t physical, taco_bytes b,
                                     taco__value *out)
{
    static const uint8_t sizes[] = {1, 4, 8, 12, 4, 8};
    int64_t              x = 0;
    *out = taco__value_null();
    out->type = taco__value_type_of(f);
    if (physical < 0 || physical > 7 || (physical < 6 && b.len != sizes[physical])) {
        return false;
    }
    if (physical == 1) {
        x = (int32_t)taco__base_le32(b.data);
    } else if (physical == 2) {
        x = (int64_t)taco__base_le64(b.data);
    } else if (physical == 0) {
        x = b.data[0] != 0;
    }
    switch (f->type) {
    case TACO_BOOL: out->d = taco__i256_from(x); return physical == 0;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_UINT8:
    case TACO_UINT16: /* values keep their low bits only: bounds that do not fit order nothing */
        out->d = taco__i256_from(x);
        return physical == 1 && taco__value_fits(&out->type, &out->d);
    case TACO_INT32:
    case TACO_DATE: out->d = taco__i256_from(x); return physical == 1;
    case TACO_INT64:
    case TACO_TIMESTAMP: out->d = taco__i256_from(x); return physical == 2;
    case TACO_TIME: out->d = taco__i256_from(x); return physical == 1 || physical == 2;
    case TACO_UINT32: out->d = taco__i256_from(x & UINT32_MAX); return physical == 1;
    case TACO_UINT64: out->d = taco__i256_from_u64((uint64_t)x); return physical == 2;
    case TACO_HALF:
        out->f = b.len == 2 ? (double)taco__num_half(taco__base_le16(b.data)) : 0;
        return b.len == 2 && out->f == out->f;
    case TACO_FLOAT:
        out->f = physical == 4 ? (double)taco__base_f32(taco__base_le32(b.data)) : 0;
        return physical == 4 && out->f == out->f;
    case TACO_DOUBLE:
        out->f = physical == 5 ? taco__base_f64(taco__base_le64(b.data)) : 0;
        return physical == 5 && out->f == out->f;
    case TACO_DECIMAL:
        out->d = taco__i256_from(x);
        return physical == 1 || physical == 2 ||
               (physical >= 6 && b.len && taco__i256_be(b, &out->d));
    case TACO_TEXT:
    case TACO_BINARY: out->b = b; return physical == 6;
    case TACO_FIXED:
    case TACO_UUID: out->b = b; return physical == 7 && b.len == (size_t)f->width;
    default: return false; /* INT96, INTERVAL and nested columns have no order */
    }
}

/* ==== ROOM lex: tokens of SQL text. Uses: num value error base ==== */

typedef enum taco__token {
    TACO__TOK_END = 0,
    TACO__TOK_NAME,   /* bare: a keyword or a column */
    TACO__TOK_QUOTED, /* "name": raw text between the quotes, "" not yet resolved */
    TACO__TOK_NUMBER,
    TACO__TOK_STRING, /* 'text': raw, '' not yet resolved */
    TACO__TOK_BLOB,   /* X'hex' */
    TACO__TOK_SIGN    /* punctuation, one to three characters */
} taco__token;

typedef struct taco__lex {
    taco_bytes  text;
    size_t      pos;      /* behind the current token */
    taco__token kind;     /* the current token */
    size_t      at, end;  /* where it stands, quotes included */
    taco_bytes  raw;      /* its characters, quotes not included */
    bool        integral; /* NUMBER: neither point nor exponent */
    bool        doubled;  /* STRING, QUOTED: holds a doubled quote */
    taco_error *err;
} taco__lex;

/* Bytes above ASCII count as letters, as in DuckDB: a column may be called größe without quotes. */
TACO__INLINE bool taco__lex_letter(uint8_t c)
{
    return (uint8_t)((c | 0x20) - 'a') < 26 || c == '_' || c >= 0x80;
}
TACO__INLINE bool taco__lex_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* SYNTAX errors carry the position in the text; room error prints it as "at column". */
TACO__COLD bool taco__lex_fail(taco__lex *l, size_t at, const char *what)
{
    TACO__FAIL(l->err, TACO_ERR_SYNTAX, at, "%s", what);
    return false;
}
/* Steps over white space and comments; a comment between slashes and stars may hold others, as in DuckDB. */
TACO__FN bool taco__lex_space(taco__lex *l)
{
    const uint8_t *p = l->text.data;
    size_t         n = l->text.len, i = l->pos;
    for (;;) {
        while (i < n && (p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r'))) {
            i++;
        }
        if (i + 1 < n && p[i] == '-' && p[i + 1] == '-') {
            while (i < n && p[i] != '\n') {
                i++;
            }
        } else if (i + 1 < n && p[i] == '/' && p[i + 1] == '*') {
            size_t depth = 1, start = i;
            for (i += 2; depth && i < n; i++) {
                if (i + 1 < n && p[i] == '/' && p[i + 1] == '*') {
                    depth++;
                    i++;
                } else if (i + 1 < n && p[i] == '*' && p[i + 1] == '/') {
                    depth--;
                    i++;
                }
            }
            if (depth) {
                return taco__lex_fail(l, start, "the comment is not closed");
            }
        } else {
            l->pos = i;
            return true;
        }
    }
}
/* A quoted token whose opening quote stands at `open`. */
TACO__FN bool taco__lex_quoted(taco__lex *l, size_t open, char quote)
{
    const uint8_t *p = l->text.data;
    size_t         n = l->text.len, i;
    l->doubled = false;
    for (i = open + 1; i < n; i++) {
        if (p[i] == (uint8_t)quote) {
            if (i + 1 >= n || p[i + 1] != (uint8_t)quote) {
                break;
            }
            l->doubled = true;
            i++;
        }
    }
    if (i >= n) {
        return taco__lex_fail(l, open,
                              quote == '"' ? "the name in double quotes is not closed"
                                           : "the text in quotes is not closed");
    }
    l->raw = taco__base_bytes(p + open + 1, i - open - 1);
    l->end = i + 1;
    return true;
}
/* The grammar of numbers is room num's. A letter right behind one is refused: 1abc is no number and no alias here. */
TACO__FN bool taco__lex_number(taco__lex *l)
{
    taco_bytes rest = taco__base_bytes(l->text.data + l->at, l->text.len - l->at);
    size_t     n = taco__num_scan_sql(rest, &l->integral);
    l->raw = taco__base_bytes(rest.data, n);
    l->end = l->at + n;
    l->kind = TACO__TOK_NUMBER;
    if (n < rest.len && (taco__lex_letter(rest.data[n]) || rest.data[n] == '.')) {
        return taco__lex_fail(l, l->end, "unexpected character behind a number");
    }
    return true;
}
/* Operators that nobody takes are tokens too, so that messages can name them whole. */
TACO__FN bool taco__lex_sign(taco__lex *l)
{
    static const char *const signs[] = {"!~~*", "~~*", "!~~", "->>", "<=>", "**", "<=", ">=", "<>",
                                        "!=",   "==",  "||",  "::",  "->",  "=>", "<<", ">>", "~~",
                                        "!~",   "//",  ":=",  "^@",  "@>",  "<@", "&&"};
    taco_bytes               rest = taco__base_bytes(l->text.data + l->at, l->text.len - l->at);
    size_t                   i, n = 1;
    for (i = 0; i < TACO__COUNT(signs); i++) {
        if (taco__base_starts(rest, signs[i])) {
            n = strlen(signs[i]);
            break;
        }
    }
    if (n == 1 && (rest.data[0] < 0x21 || !strchr("=<>+-*/%(),.;:[]{}~&|^@?!#$", rest.data[0]))) {
        taco_bytes one = taco__base_bytes(rest.data, 1);
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at, "unexpected character %q", &one);
        return false;
    }
    l->kind = TACO__TOK_SIGN;
    l->raw = taco__base_bytes(rest.data, n);
    l->end = l->at + n;
    return true;
}
/* Reads the next token; false on an error. At the end it stays at TACO__TOK_END. */
TACO__FN bool taco__lex_next(taco__lex *l)
{
    const uint8_t *p = l->text.data;
    size_t         n = l->text.len, i;
    uint8_t        c;
    bool           ok;
    if (!taco__lex_space(l)) {
        return false;
    }
    i = l->at = l->end = l->pos;
    l->kind = TACO__TOK_END;
    l->raw = taco__base_bytes(NULL, 0);
    if (i >= n) {
        return true;
    }
    c = p[i];
    if ((c == 'x' || c == 'X') && i + 1 < n && p[i + 1] == '\'') {
        l->kind = TACO__TOK_BLOB;
        ok = taco__lex_quoted(l, i + 1, '\'');
    } else if (taco__lex_letter(c)) {
        while (i < n && (taco__lex_letter(p[i]) || taco__lex_digit(p[i]))) {
            i++;
        }
        l->kind = TACO__TOK_NAME;
        l->raw = taco__base_bytes(p + l->at, i - l->at);
        l->end = i;
        ok = true;
    } else if (taco__lex_digit(c) || (c == '.' && i + 1 < n && taco__lex_digit(p[i + 1]))) {
        ok = taco__lex_number(l);
    } else if (c == '\'' || c == '"') {
        l->kind = c == '"' ? TACO__TOK_QUOTED : TACO__TOK_STRING;
        ok = taco__lex_quoted(l, i, (char)c);
    } else {
        ok = taco__lex_sign(l);
    }
    l->pos = l->end;
    return ok;
}
/* Starts at the first token. The text is borrowed for as long as tokens are looked at. */
TACO__FN bool taco__lex_open(taco__lex *l, const char *text, size_t len, taco_error *err)
{
    memset(l, 0, sizeof *l);
    l->text = taco__base_bytes(text, len);
    l->err = err;
    return taco__lex_next(l);
}
/* True when the current token is that punctuation. */
TACO__INLINE bool taco__lex_is(const taco__lex *l, const char *sign)
{
    size_t n = strlen(sign);
    return l->kind == TACO__TOK_SIGN && l->raw.len == n && memcmp(l->raw.data, sign, n) == 0;
}
TACO__FN bool taco__lex_word(const taco__lex *l, const char *lower) /* a bare word, case ignored */
{
    return l->kind == TACO__TOK_NAME && taco__value_word(l->raw, lower);
}
/* The text of a STRING or QUOTED token with doubled quotes made one: in the arena, or the raw text where there are none. */
TACO__FN bool taco__lex_unquote(const taco__lex *l, taco__arena *arena, taco_bytes *out)
{
    uint8_t *p;
    size_t   i, n = 0;
    *out = l->raw;
    if (!l->doubled) {
        return true;
    }
    p = (uint8_t *)taco__arena_alloc(arena, l->raw.len, l->err);
    for (i = 0; p && i < l->raw.len; i++) {
        p[n++] = l->raw.data[i];
        i += l->raw.data[i] == (l->kind == TACO__TOK_QUOTED ? '"' : '\'');
    }
    *out = taco__base_bytes(p, n);
    return p != NULL;
}
/* "end of text", or the token quoted, for messages that say what was found. */
TACO__COLD void taco__lex_expected(taco__lex *l, const char *what)
{
    taco_bytes found = taco__base_bytes(l->text.data + l->at, l->end - l->at);
    if (l->kind == TACO__TOK_END) {
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at, "expected %s, found end of text", what);
    } else {
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at, "expected %s, found %q", what, &found);
    }
}

/* ==== ROOM like: LIKE and ILIKE patterns over UTF-8. Uses: mem error base ==== */

typedef enum taco__lmode {
    TACO__LIKE_EQUAL = 0,
    TACO__LIKE_PREFIX,
    TACO__LIKE_SUFFIX,
    TACO__LIKE_INFIX,
    TACO__LIKE_FULL
} taco__lmode;

typedef struct taco__like {
    taco_bytes pattern; /* as written; lower case of ILIKE */
    taco_bytes
                fixed; /* what stands beside the one or two %; before the first wildcard of FULL; escapes resolved */
    taco__lmode mode;
    bool        icase, has_escape;
    uint8_t     escape;
} taco__like;

typedef struct
    taco__like_case { /* characters first, first + step, ... last have their lower case at + delta */
    uint32_t first, last;
    uint8_t  step;
    int32_t  delta;
} taco__like_case;

/* Simple lower case of Unicode 14 (UnicodeData.txt, field 13) above ASCII; ascending. */
static const taco__like_case taco__like_cases[] = {
    {0xC0, 0xD6, 1, 32},         {0xD8, 0xDE, 1, 32},         {0x100, 0x12E, 2, 1},
    {0x130, 0x130, 1, -199},     {0x132, 0x136, 2, 1},        {0x139, 0x147, 2, 1},
    {0x14A, 0x176, 2, 1},        {0x178, 0x178, 1, -121},     {0x179, 0x17D, 2, 1},
    {0x181, 0x181, 1, 210},      {0x182, 0x184, 2, 1},        {0x186, 0x186, 1, 206},
    {0x187, 0x187, 1, 1},        {0x189, 0x18A, 1, 205},      {0x18B, 0x18B, 1, 1},
    {0x18E, 0x18E, 1, 79},       {0x18F, 0x18F, 1, 202},      {0x190, 0x190, 1, 203},
    {0x191, 0x191, 1, 1},        {0x193, 0x193, 1, 205},      {0x194, 0x194, 1, 207},
    {0x196, 0x196, 1, 211},      {0x197, 0x197, 1, 209},      {0x198, 0x198, 1, 1},
    {0x19C, 0x19C, 1, 211},      {0x19D, 0x19D, 1, 213},      {0x19F, 0x19F, 1, 214},
    {0x1A0, 0x1A4, 2, 1},        {0x1A6, 0x1A6, 1, 218},      {0x1A7, 0x1A7, 1, 1},
    {0x1A9, 0x1A9, 1, 218},      {0x1AC, 0x1AC, 1, 1},        {0x1AE, 0x1AE, 1, 218},
    {0x1AF, 0x1AF, 1, 1},        {0x1B1, 0x1B2, 1, 217},      {0x1B3, 0x1B5, 2, 1},
    {0x1B7, 0x1B7, 1, 219},      {0x1B8, 0x1B8, 1, 1},        {0x1BC, 0x1BC, 1, 1},
    {0x1C4, 0x1C4, 1, 2},        {0x1C5, 0x1C5, 1, 1},        {0x1C7, 0x1C7, 1, 2},
    {0x1C8, 0x1C8, 1, 1},        {0x1CA, 0x1CA, 1, 2},        {0x1CB, 0x1DB, 2, 1},
    {0x1DE, 0x1EE, 2, 1},        {0x1F1, 0x1F1, 1, 2},        {0x1F2, 0x1F4, 2, 1},
    {0x1F6, 0x1F6, 1, -97},      {0x1F7, 0x1F7, 1, -56},      {0x1F8, 0x21E, 2, 1},
    {0x220, 0x220, 1, -130},     {0x222, 0x232, 2, 1},        {0x23A, 0x23A, 1, 10795},
    {0x23B, 0x23B, 1, 1},        {0x23D, 0x23D, 1, -163},     {0x23E, 0x23E, 1, 10792},
    {0x241, 0x241, 1, 1},        {0x243, 0x243, 1, -195},     {0x244, 0x244, 1, 69},
    {0x245, 0x245, 1, 71},       {0x246, 0x24E, 2, 1},        {0x370, 0x372, 2, 1},
    {0x376, 0x376, 1, 1},        {0x37F, 0x37F, 1, 116},      {0x386, 0x386, 1, 38},
    {0x388, 0x38A, 1, 37},       {0x38C, 0x38C, 1, 64},       {0x38E, 0x38F, 1, 63},
    {0x391, 0x3A1, 1, 32},       {0x3A3, 0x3AB, 1, 32},       {0x3CF, 0x3CF, 1, 8},
    {0x3D8, 0x3EE, 2, 1},        {0x3F4, 0x3F4, 1, -60},      {0x3F7, 0x3F7, 1, 1},
    {0x3F9, 0x3F9, 1, -7},       {0x3FA, 0x3FA, 1, 1},        {0x3FD, 0x3FF, 1, -130},
    {0x400, 0x40F, 1, 80},       {0x410, 0x42F, 1, 32},       {0x460, 0x480, 2, 1},
    {0x48A, 0x4BE, 2, 1},        {0x4C0, 0x4C0, 1, 15},       {0x4C1, 0x4CD, 2, 1},
    {0x4D0, 0x52E, 2, 1},        {0x531, 0x556, 1, 48},       {0x10A0, 0x10C5, 1, 7264},
    {0x10C7, 0x10C7, 1, 7264},   {0x10CD, 0x10CD, 1, 7264},   {0x13A0, 0x13EF, 1, 38864},
    {0x13F0, 0x13F5, 1, 8},      {0x1C90, 0x1CBA, 1, -3008},  {0x1CBD, 0x1CBF, 1, -3008},
    {0x1E00, 0x1E94, 2, 1},      {0x1E9E, 0x1E9E, 1, -7615},  {0x1EA0, 0x1EFE, 2, 1},
    {0x1F08, 0x1F0F, 1, -8},     {0x1F18, 0x1F1D, 1, -8},     {0x1F28, 0x1F2F, 1, -8},
    {0x1F38, 0x1F3F, 1, -8},     {0x1F48, 0x1F4D, 1, -8},     {0x1F59, 0x1F5F, 2, -8},
    {0x1F68, 0x1F6F, 1, -8},     {0x1F88, 0x1F8F, 1, -8},     {0x1F98, 0x1F9F, 1, -8},
    {0x1FA8, 0x1FAF, 1, -8},     {0x1FB8, 0x1FB9, 1, -8},     {0x1FBA, 0x1FBB, 1, -74},
    {0x1FBC, 0x1FBC, 1, -9},     {0x1FC8, 0x1FCB, 1, -86},    {0x1FCC, 0x1FCC, 1, -9},
    {0x1FD8, 0x1FD9, 1, -8},     {0x1FDA, 0x1FDB, 1, -100},   {0x1FE8, 0x1FE9, 1, -8},
    {0x1FEA, 0x1FEB, 1, -112},   {0x1FEC, 0x1FEC, 1, -7},     {0x1FF8, 0x1FF9, 1, -128},
    {0x1FFA, 0x1FFB, 1, -126},   {0x1FFC, 0x1FFC, 1, -9},     {0x2126, 0x2126, 1, -7517},
    {0x212A, 0x212A, 1, -8383},  {0x212B, 0x212B, 1, -8262},  {0x2132, 0x2132, 1, 28},
    {0x2160, 0x216F, 1, 16},     {0x2183, 0x2183, 1, 1},      {0x24B6, 0x24CF, 1, 26},
    {0x2C00, 0x2C2F, 1, 48},     {0x2C60, 0x2C60, 1, 1},      {0x2C62, 0x2C62, 1, -10743},
    {0x2C63, 0x2C63, 1, -3814},  {0x2C64, 0x2C64, 1, -10727}, {0x2C67, 0x2C6B, 2, 1},
    {0x2C6D, 0x2C6D, 1, -10780}, {0x2C6E, 0x2C6E, 1, -10749}, {0x2C6F, 0x2C6F, 1, -10783},
    {0x2C70, 0x2C70, 1, -10782}, {0x2C72, 0x2C72, 1, 1},      {0x2C75, 0x2C75, 1, 1},
    {0x2C7E, 0x2C7F, 1, -10815}, {0x2C80, 0x2CE2, 2, 1},      {0x2CEB, 0x2CED, 2, 1},
    {0x2CF2, 0x2CF2, 1, 1},      {0xA640, 0xA66C, 2, 1},      {0xA680, 0xA69A, 2, 1},
    {0xA722, 0xA72E, 2, 1},      {0xA732, 0xA76E, 2, 1},      {0xA779, 0xA77B, 2, 1},
    {0xA77D, 0xA77D, 1, -35332}, {0xA77E, 0xA786, 2, 1},      {0xA78B, 0xA78B, 1, 1},
    {0xA78D, 0xA78D, 1, -42280}, {0xA790, 0xA792, 2, 1},      {0xA796, 0xA7A8, 2, 1},
    {0xA7AA, 0xA7AA, 1, -42308}, {0xA7AB, 0xA7AB, 1, -42319}, {0xA7AC, 0xA7AC, 1, -42315},
    {0xA7AD, 0xA7AD, 1, -42305}, {0xA7AE, 0xA7AE, 1, -42308}, {0xA7B0, 0xA7B0, 1, -42258},
    {0xA7B1, 0xA7B1, 1, -42282}, {0xA7B2, 0xA7B2, 1, -42261}, {0xA7B3, 0xA7B3, 1, 928},
    {0xA7B4, 0xA7C2, 2, 1},      {0xA7C4, 0xA7C4, 1, -48},    {0xA7C5, 0xA7C5, 1, -42307},
    {0xA7C6, 0xA7C6, 1, -35384}, {0xA7C7, 0xA7C9, 2, 1},      {0xA7D0, 0xA7D0, 1, 1},
    {0xA7D6, 0xA7D8, 2, 1},      {0xA7F5, 0xA7F5, 1, 1},      {0xFF21, 0xFF3A, 1, 32},
    {0x10400, 0x10427, 1, 40},   {0x104B0, 0x104D3, 1, 40},   {0x10570, 0x1057A, 1, 39},
    {0x1057C, 0x1058A, 1, 39},   {0x1058C, 0x10592, 1, 39},   {0x10594, 0x10595, 1, 39},
    {0x10C80, 0x10CB2, 1, 64},   {0x118A0, 0x118BF, 1, 32},   {0x16E40, 0x16E5F, 1, 32},
    {0x1E900, 0x1E921, 1, 34}};

/* Lower case of one character by binary search; ASCII, nearly all of real names, is done at once. */
TACO__FN uint32_t taco__like_lower(uint32_t c)
{
    size_t lo = 0, hi = TACO__COUNT(taco__like_cases);
    if (c < 0x80) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
    while (lo < hi) { /* the first entry that ends at or behind c */
        size_t mid = (lo + hi) / 2;
        if (taco__like_cases[mid].last < c) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo < TACO__COUNT(taco__like_cases) && taco__like_cases[lo].first <= c &&
        (c - taco__like_cases[lo].first) % taco__like_cases[lo].step == 0) {
        return (uint32_t)((int32_t)c + taco__like_cases[lo].delta);
    }
    return c;
}
/* Bytes of the character at b[i], at least 1; continuation bytes that are missing are not counted. */
TACO__INLINE size_t taco__like_width(taco_bytes b, size_t i)
{
    size_t n = 1, want = b.data[i] < 0xC0 ? 1U : b.data[i] < 0xE0 ? 2U : b.data[i] < 0xF0 ? 3U : 4U;
    while (n < want && i + n < b.len && (b.data[i + n] & 0xC0) == 0x80) {
        n++;
    }
    return n;
}
/* The character at b[i], n bytes wide. Broken bytes become values beyond Unicode, so that they equal only themselves. */
TACO__FN uint32_t taco__like_char(taco_bytes b, size_t i, size_t n)
{
    const uint8_t *p = b.data + i;
    if (n == 1) {
        return p[0] < 0x80 ? p[0] : 0x80000000U | p[0];
    }
    if (n == 2) {
        return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3FU);
    }
    if (n == 3) {
        return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3FU);
    }
    return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 |
           (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3FU);
}
/* True when the characters at s[i] and p[j] are equal; sets how many bytes each takes. */
TACO__FN bool taco__like_same(taco_bytes s, size_t i, taco_bytes p, size_t j, bool icase,
                              size_t *si, size_t *pj)
{
    *si = *pj = 1;
    if (!icase || (s.data[i] < 0x80 && p.data[j] < 0x80)) {
        return s.data[i] == p.data[j] ||
               (icase && taco__like_lower(s.data[i]) == taco__like_lower(p.data[j]));
    }
    *si = taco__like_width(s, i);
    *pj = taco__like_width(p, j);
    return taco__like_lower(taco__like_char(s, i, *si)) ==
           taco__like_lower(taco__like_char(p, j, *pj));
}
/* The whole of s against the pattern. One % is remembered: what a later one matches, an earlier one need not. */
TACO__FN bool taco__like_full(const taco__like *k, taco_bytes s)
{
    taco_bytes p = k->pattern;
    size_t     i = 0, j = 0, star = SIZE_MAX, from = 0, si, pj;
    while (i < s.len) {
        bool    escaped = j < p.len && k->has_escape && p.data[j] == k->escape;
        uint8_t c = (uint8_t)(j < p.len ? p.data[j] : 0);
        if (j < p.len && !escaped && c == '%') {
            star = ++j;
            from = i;
            continue;
        }
        if (j < p.len && !escaped && c == '_') {
            i += taco__like_width(s, i);
            j++;
            continue;
        }
        if (j + escaped < p.len && taco__like_same(s, i, p, j + escaped, k->icase, &si, &pj)) {
            i += si;
            j += pj + escaped;
            continue;
        }
        if (star == SIZE_MAX) {
            return false;
        }
        from += taco__like_width(s, from);
        i = from;
        j = star;
    }
    while (j < p.len && p.data[j] == '%' && !(k->has_escape && k->escape == '%')) {
        j++;
    }
    return j == p.len;
}
/* True when `what` occurs in s. */
TACO__FN bool taco__like_find(taco_bytes s, taco_bytes what)
{
    const uint8_t *p = s.data, *last;
    if (what.len == 0 || what.len > s.len) {
        return what.len == 0;
    }
    for (last = p + (s.len - what.len); p <= last; p++) {
        if (s.len >= 64) { /* in short texts a call costs more than it saves */
            p = (const uint8_t *)memchr(p, what.data[0], (size_t)(last - p) + 1);
            if (!p) {
                return false;
            }
        }
        if (*p == what.data[0] && memcmp(p, what.data, what.len) == 0) {
            return true;
        }
    }
    return false;
}
/* The match of a prepared pattern: a comparison where its wildcards allow, the full matcher otherwise. */
TACO__FN bool taco__like_match(const taco__like *k, taco_bytes s)
{
    size_t n = k->fixed.len;
    if (k->mode == TACO__LIKE_INFIX) {
        return taco__like_find(s, k->fixed);
    }
    if (s.len < n || (k->mode == TACO__LIKE_EQUAL && s.len != n)) {
        return false;
    }
    if (n && memcmp(k->mode == TACO__LIKE_SUFFIX ? s.data + (s.len - n) : s.data, k->fixed.data,
                    n) != 0) {
        return false;
    }
    return k->mode != TACO__LIKE_FULL || taco__like_full(k, s);
}
/* Prepares a pattern that is known beforehand; k->icase, has_escape and escape are set. Where the only wildcards are %
   at the ends, matching is a comparison; otherwise `fixed` is what stands before the first wildcard. */
TACO__FN bool taco__like_prepare(taco__like *k, taco__arena *arena, taco_bytes pattern,
                                 taco_error *err)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, pattern.len, err);
    size_t   i, n = 0, inside = 0, begin = 0, end = 0;
    bool     cut = false; /* the pattern ends with a lone escape, which matches nothing */
    if (!p) {
        return false;
    }
    k->pattern = pattern;
    k->mode = TACO__LIKE_FULL;
    for (i = 0; i < pattern.len; i++) {
        bool    escaped = k->has_escape && pattern.data[i] == k->escape;
        uint8_t c = pattern.data[i];
        if (escaped && ++i == pattern.len) {
            cut = true;
            break;
        }
        if (!escaped && c == '%' && (n == 0 && inside == 0)) {
            begin++;
        } else if (!escaped && c == '%') {
            end++;
        } else if (!escaped && c == '_') {
            inside++;
        } else {
            inside += end; /* a % that is not the last */
            end = 0;
            if (!inside) {
                p[n++] = pattern.data[i];
            }
        }
    }
    k->fixed = taco__base_bytes(p, begin && inside ? 0 : n);
    if (k->icase) {
        k->fixed.len = 0;
    } else if (!inside && !cut) {
        k->mode = begin ? (end || n == 0 ? TACO__LIKE_INFIX : TACO__LIKE_SUFFIX)
                  : end ? TACO__LIKE_PREFIX
                        : TACO__LIKE_EQUAL;
    }
    return true;
}

/* ==== ROOM expr: predicates: parse SQL conditions, bind them to columns. Uses: like lex value mem error base ==== */

/* text -> taco__expr_parse -> tree of what was written -> taco__expr_bind -> tree that rooms eval and prune run.
   Binding turns every comparison of a column with constants into a TEST: a set of key ranges, byte ranges, texts or a
   pattern in the column's own storage, so that no value is converted row by row. What is left (column with column) stays
   a CMP over values. A tree is bound once, in place, and is read-only from then on: many threads may evaluate it. */

typedef enum taco__xkind {
    TACO__X_CONST = 0,
    TACO__X_COLUMN,
    TACO__X_AND, /* children: two or more */
    TACO__X_OR,
    TACO__X_NOT,
    TACO__X_CMP,     /* two children and op; nullsafe: IS [NOT] DISTINCT FROM */
    TACO__X_BETWEEN, /* value, low, high; neg. Gone after binding, as IN and RANGE are */
    TACO__X_IN,      /* value, items...; neg */
    TACO__X_LIKE,    /* value, pattern[, escape]; neg, icase */
    TACO__X_IS,      /* value; is, neg */
    TACO__X_RANGE,   /* column between bounds in its own unit */
    TACO__X_TEST,    /* column against constants; neg */
    TACO__X_CUSTOM   /* column against the caller's function */
} taco__xkind;

typedef enum taco__cmp { TACO__EQ = 0, TACO__NE, TACO__LT, TACO__LE, TACO__GT, TACO__GE } taco__cmp;
typedef enum taco__is { TACO__IS_NULL = 0, TACO__IS_TRUE, TACO__IS_FALSE } taco__is;

typedef enum taco__prune { /* which results rows of a range of a file may have; a set */
                           TACO__MAY_TRUE = 1,
                           TACO__MAY_FALSE = 2,
                           TACO__MAY_NULL = 4,
                           TACO__MAY_ANY = 7
} taco__prune;

typedef struct taco__value_range { /* what statistics tell of one column in a row group or page */
    bool has_min,
        has_max; /* bounds of the values that are neither NULL nor NaN; may be cut, as texts are */
    taco__value min, max;
    int64_t     null_count; /* -1: unknown */
    int64_t     row_count;  /* -1: unknown */
} taco__value_range;

/* A predicate of the caller on one column. eval finds true_bits zeroed and valid_bits a copy of the array's validity;
   both hold `rows` bits, least significant first, in a multiple of 8 bytes. It sets the bits of rows that match and may
   clear valid bits of rows whose result is NULL. prune may be NULL; it returns a set of taco__prune. Both are called
   from any thread, with ctx as it is. */
typedef struct taco__custom {
    void *ctx;
    bool (*eval)(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                 uint8_t *valid_bits, taco_error *err);
    unsigned (*prune)(void *ctx, const taco__value_range *range);
} taco__custom;

typedef enum taco__tmode {
    TACO__TEST_KEYS = 0, /* key in one of n ranges lo[i]..hi[i], ascending, apart */
    TACO__TEST_LIST,     /* bytes equal to one of n, ascending */
    TACO__TEST_RANGE,    /* bytes between low and high */
    TACO__TEST_LIKE
} taco__tmode;

typedef struct taco__test {
    taco__tmode mode;
    bool        null_rest;  /* the list held a NULL: rows outside it are NULL */
    bool        null_false; /* IS NOT DISTINCT FROM: NULL rows are outside */
    size_t      n;
    taco__i256 *lo, *hi;
    int64_t    *lo64,
        *hi64; /* the same where the column's keys have 64 bits; UINT64 with the top bit flipped */
    taco_bytes *list;
    taco_bytes  low, high;
    bool        has_low, has_high, open_low, open_high;
    taco__like  like;
} taco__test;

typedef struct taco__expr {
    taco__xkind  kind;
    taco__cmp    op;
    taco__is     is;
    bool         neg, nullsafe, icase;
    bool         chained; /* a comparison without parentheses, which may not be compared again */
    bool         text;    /* a literal in quotes, which takes the type of what it meets */
    bool         bound;
    uint32_t     depth;
    size_t       at;                        /* in the text, for messages */
    taco__vtype  type;                      /* known after binding; conditions are BOOL */
    taco__domain domain;                    /* CMP */
    struct taco__expr *first, *last, *next; /* children; sibling */
    taco_bytes         name;                /* COLUMN; NULL: `column` is known already */
    size_t             column;              /* COLUMN, RANGE, TEST, CUSTOM */
    const taco_field  *field;
    taco__value        value;          /* CONST */
    bool               has_lo, has_hi; /* RANGE */
    int64_t            lo, hi;         /* RANGE: lo <= x < hi */
    taco__test        *test;
    taco__custom       custom;
} taco__expr;

/* ---- making nodes ---- */

/* A node without children; `at` is where it began in the text. */
TACO__FN taco__expr *taco__expr_new(taco__arena *arena, taco__xkind kind, size_t at,
                                    taco_error *err)
{
    taco__expr *e = (taco__expr *)taco__arena_alloc(arena, sizeof *e, err);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}
/* Adds a child behind the others. depth is kept so that trees can be limited without walking them. */
TACO__FN void taco__expr_append(taco__expr *e, taco__expr *child)
{
    child->next = NULL;
    if (e->last) {
        e->last->next = child;
    } else {
        e->first = child;
    }
    e->last = child;
    e->depth = TACO__MAX(e->depth, child->depth + 1);
}
/* e takes src's place among its siblings. */
TACO__FN void taco__expr_become(taco__expr *e, const taco__expr *src)
{
    taco__expr *next = e->next;
    *e = *src;
    e->next = next;
}
/* Folds e into a constant, in place. */
TACO__FN void taco__expr_become_const(taco__expr *e, taco__value v)
{
    e->kind = TACO__X_CONST;
    e->value = v;
    e->type = v.type;
    e->text = false;
    e->first = e->last = NULL;
}
TACO__FN taco__value taco__expr_bool(int b) /* 1, 0, or -1 for NULL */
{
    return b < 0 ? taco__value_null() : taco__value_int(TACO_BOOL, b);
}

/* The public constructors, for conditions that do not come from text. They return NULL when memory ends. */

/* The column with that index in the array the tree will be bound to. */
TACO__FN taco__expr *taco__expr_column(taco__arena *arena, size_t column, taco_error *err)
{
    taco__expr *e = taco__expr_new(arena, TACO__X_COLUMN, 0, err);
    if (e) {
        e->column = column;
    }
    return e;
}
/* A literal that keeps its type. */
TACO__FN taco__expr *taco__expr_const(taco__arena *arena, taco__value v, taco_error *err)
{
    taco__expr *e = taco__expr_new(arena, TACO__X_CONST, 0, err);
    if (e) {
        e->value = v;
        e->type = v.type;
    }
    return e;
}
/* a AND b; where one is NULL, the other. */
TACO__FN taco__expr *taco__expr_and(taco__arena *arena, taco__expr *a, taco__expr *b,
                                    taco_error *err)
{
    taco__expr *e;
    if (!a || !b) {
        return a ? a : b;
    }
    e = taco__expr_new(arena, TACO__X_AND, 0, err);
    if (e) {
        taco__expr_append(e, a);
        taco__expr_append(e, b);
    }
    return e;
}
/* a op b. */
TACO__FN taco__expr *taco__expr_compare(taco__arena *arena, taco__cmp op, taco__expr *a,
                                        taco__expr *b, taco_error *err)
{
    taco__expr *e = a && b ? taco__expr_new(arena, TACO__X_CMP, 0, err) : NULL;
    if (e) {
        e->op = op;
        taco__expr_append(e, a);
        taco__expr_append(e, b);
    }
    return e;
}
/* column = text; the text is borrowed for as long as the expression lives. */
TACO__FN taco__expr *taco__expr_equals(taco__arena *arena, size_t column, taco_bytes text,
                                       taco_error *err)
{
    taco__expr *v = taco__expr_const(arena, taco__value_bytes(TACO_TEXT, text), err);
    if (v) {
        v->text = true;
    }
    return taco__expr_compare(arena, TACO__EQ, taco__expr_column(arena, column, err), v, err);
}
/* lo <= column < hi on any column whose values are up to 64-bit integers: numbers, days, or its own time unit. */
TACO__FN taco__expr *taco__expr_range_i64(taco__arena *arena, size_t column, int64_t lo,
                                          bool has_lo, int64_t hi, bool has_hi, taco_error *err)
{
    taco__expr *e = taco__expr_new(arena, TACO__X_RANGE, 0, err);
    if (e) {
        e->column = column;
        e->lo = lo;
        e->hi = hi;
        e->has_lo = has_lo;
        e->has_hi = has_hi;
    }
    return e;
}
/* The caller's predicate on one column; *custom is copied. */
TACO__FN taco__expr *taco__expr_custom(taco__arena *arena, size_t column,
                                       const taco__custom *custom, taco_error *err)
{
    taco__expr *e = taco__expr_new(arena, TACO__X_CUSTOM, 0, err);
    if (e) {
        e->column = column;
        e->custom = *custom;
    }
    return e;
}
/* NOT e. */
TACO__FN taco__expr *taco__expr_not(taco__arena *arena, taco__expr *child, taco_error *err)
{
    taco__expr *e = child ? taco__expr_new(arena, TACO__X_NOT, child->at, err) : NULL;
    if (e) {
        taco__expr_append(e, child);
    }
    return e;
}

/* ---- parser ---- */

typedef struct taco__parser {
    taco__lex    lex;
    taco__arena *arena;
    taco_error  *err;
    uint32_t     depth, max_depth;
} taco__parser;

/* Binding strength, weakest first. Those of PostgreSQL's grammar, which is DuckDB's. */
enum {
    TACO__P_OR = 1,
    TACO__P_AND,
    TACO__P_NOT,
    TACO__P_IS,
    TACO__P_CMP,
    TACO__P_IN,
    TACO__P_VALUE
};

TACO__FN taco__expr *taco__expr_level(taco__parser *p, int least);

/* SQL that exists elsewhere is named, so that nobody searches for a typing error. */
TACO__COLD taco__expr *taco__expr_unsupported(taco__parser *p, size_t at, const char *what,
                                              const taco_bytes *found)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s (%q) is not supported in a condition", what, found);
    return NULL;
}
/* "expected X, found Y" at the current token. */
TACO__COLD taco__expr *taco__expr_expected(taco__parser *p, const char *what)
{
    taco__lex_expected(&p->lex, what);
    return NULL;
}
/* A node of a tree no deeper than limits.max_depth: chains such as x IS NULL IS NULL ... grow without recursion. */
TACO__FN taco__expr *taco__expr_checked(taco__parser *p, taco__expr *e)
{
    if (e && e->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the condition nests deeper than limits.max_depth, which is %u",
                   TACO__U(p->max_depth));
        return NULL;
    }
    return e;
}
/* A constant that remembers where it was written. */
TACO__FN taco__expr *taco__expr_literal(taco__parser *p, size_t at, taco__value v)
{
    taco__expr *e = taco__expr_const(p->arena, v, p->err);
    if (e) {
        e->at = at;
    }
    return e;
}
/* DuckDB's types of numeric literals: the least of INT32, INT64 and HUGEINT; DECIMAL up to 38 digits with a point;
   DOUBLE otherwise. */
TACO__FN taco__value taco__expr_number(taco_bytes raw, bool integral, bool neg)
{
    taco__value    v = taco__value_int(TACO_INT32, 0);
    const uint8_t *point = raw.len ? (const uint8_t *)memchr(raw.data, '.', raw.len) : NULL;
    size_t         i;
    bool           exponent = false;
    for (i = 0; i < raw.len; i++) {
        exponent = exponent || (raw.data[i] | 0x20) == 'e';
    }
    if (integral && raw.len <= 60 && taco__value_parse_exact(raw, 0, &v.d) && v.d.w[3] == 0 &&
        v.d.w[2] == 0) {
        v.d = neg ? taco__i256_negate(v.d) : v.d;
        v.type.precision = 39;
        v.type.id = TACO_DECIMAL;
        if (taco__i256_is_i64(&v.d)) {
            int64_t x = (int64_t)v.d.w[0];
            v.type = taco__value_type(x >= INT32_MIN && x <= INT32_MAX ? TACO_INT32 : TACO_INT64);
        }
        return v;
    }
    if (point && !exponent && raw.len < 40 && raw.len - 1 <= 38) {
        v.type.id = TACO_DECIMAL;
        v.type.precision = (int32_t)raw.len - 1;
        v.type.scale = (int32_t)(raw.len - 1 - (size_t)(point - raw.data));
        if (taco__value_parse_exact(raw, v.type.scale, &v.d)) {
            v.d = neg ? taco__i256_negate(v.d) : v.d;
            return v;
        }
    }
    v = taco__value_double(TACO_DOUBLE, 0);
    taco__num_parse_f64(raw, &v.f);
    v.f = neg ? -v.f : v.f;
    return v;
}
/* Types a literal in quotes may be given, in front of it or behind `::`. Plain timestamps have microseconds. */
TACO__FN bool taco__expr_type_named(taco_bytes name, taco__vtype *out)
{
    static const struct {
        const char *name;
        taco_type   id;
    } types[] = {{"date", TACO_DATE},
                 {"timestamp", TACO_TIMESTAMP},
                 {"datetime", TACO_TIMESTAMP},
                 {"timestamptz", TACO_TIMESTAMP},
                 {"timestamp_ns", TACO_TIMESTAMP},
                 {"timestamp_us", TACO_TIMESTAMP},
                 {"time", TACO_TIME},
                 {"blob", TACO_BINARY},
                 {"bytea", TACO_BINARY},
                 {"varbinary", TACO_BINARY},
                 {"uuid", TACO_UUID},
                 {"varchar", TACO_TEXT},
                 {"text", TACO_TEXT},
                 {"string", TACO_TEXT},
                 {"bool", TACO_BOOL},
                 {"boolean", TACO_BOOL},
                 {"tinyint", TACO_INT8},
                 {"smallint", TACO_INT16},
                 {"int", TACO_INT32},
                 {"integer", TACO_INT32},
                 {"bigint", TACO_INT64},
                 {"utinyint", TACO_UINT8},
                 {"usmallint", TACO_UINT16},
                 {"uinteger", TACO_UINT32},
                 {"ubigint", TACO_UINT64},
                 {"float", TACO_FLOAT},
                 {"real", TACO_FLOAT},
                 {"double", TACO_DOUBLE}};
    size_t i;
    for (i = 0; i < TACO__COUNT(types); i++) {
        if (taco__value_word(name, types[i].name)) {
            *out = taco__value_type(types[i].id);
            out->unit = TACO_MICRO;
            if (taco__value_word(name, "timestamp_ns")) {
                out->unit = TACO_NANO;
            }
            out->utc = taco__value_word(name, "timestamptz");
            return true;
        }
    }
    return false;
}
/* The text as a literal of that type; `at` is where the text stands. */
TACO__FN taco__expr *taco__expr_typed(taco__parser *p, size_t at, taco_bytes text,
                                      const taco__vtype *t)
{
    taco__value v;
    if (!taco__value_cast_text(p->arena, text, t, &v, p->err)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%q is not a %s", &text,
                   taco__value_type_name(t->id));
        return NULL;
    }
    return taco__expr_literal(p, at, v);
}
/* 'text' with the tokens at the STRING; `type` NULL leaves it to what it meets. Takes '...'::type too. */
TACO__FN taco__expr *taco__expr_string(taco__parser *p, const taco__vtype *type)
{
    size_t      at = p->lex.at;
    taco_bytes  text;
    taco__vtype t;
    taco__expr *e;
    if (!taco__lex_unquote(&p->lex, p->arena, &text) || !taco__lex_next(&p->lex)) {
        return NULL;
    }
    if (type) {
        return taco__expr_typed(p, at, text, type);
    }
    if (taco__lex_is(&p->lex, "::")) {
        if (!taco__lex_next(&p->lex)) {
            return NULL;
        }
        if (p->lex.kind != TACO__TOK_NAME || !taco__expr_type_named(p->lex.raw, &t)) {
            return taco__expr_expected(p, "a type");
        }
        return taco__lex_next(&p->lex) ? taco__expr_typed(p, at, text, &t) : NULL;
    }
    e = taco__expr_literal(p, at, taco__value_bytes(TACO_TEXT, text));
    if (e) {
        e->text = true;
    }
    return e;
}
/* Words that never name a column unless they are quoted: with them, a forgotten operand is reported where it is missing. */
TACO__FN bool taco__expr_reserved(taco_bytes b)
{
    static const char *const words[] = {
        "and",    "or",      "not",     "in",     "is",    "between", "like", "ilike", "escape",
        "isnull", "notnull", "similar", "glob",   "then",  "when",    "else", "end",   "from",
        "where",  "group",   "order",   "having", "limit", "union",   "as",   "on",    "collate"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__value_word(b, words[i])) {
            return true;
        }
    }
    return false;
}
/* A bare word where a value is due: a constant, a typed literal, a column, or what we do not take. */
TACO__FN taco__expr *taco__expr_word(taco__parser *p)
{
    taco__lex  *l = &p->lex;
    size_t      at = l->at;
    taco_bytes  name = l->raw;
    taco__vtype t;
    taco__expr *e;
    if (taco__expr_reserved(name)) {
        return taco__expr_expected(p, "a value");
    }
    if (taco__lex_word(l, "true") || taco__lex_word(l, "false") || taco__lex_word(l, "null")) {
        taco__value v = taco__expr_bool(taco__lex_word(l, "null") ? -1 : taco__lex_word(l, "true"));
        return taco__lex_next(l) ? taco__expr_literal(p, at, v) : NULL;
    }
    if (taco__lex_word(l, "case") || taco__lex_word(l, "select") || taco__lex_word(l, "exists") ||
        taco__lex_word(l, "interval")) {
        return taco__expr_unsupported(p, at,
                                      taco__lex_word(l, "case")       ? "CASE"
                                      : taco__lex_word(l, "interval") ? "INTERVAL"
                                                                      : "a subquery",
                                      &name);
    }
    if (!taco__lex_next(l)) {
        return NULL;
    }
    if (taco__expr_type_named(name, &t)) {
        if (taco__value_word(name, "timestamp") &&
            taco__lex_word(l, "with")) { /* TIMESTAMP WITH TIME ZONE */
            if (!taco__lex_next(l) || !taco__lex_word(l, "time") || !taco__lex_next(l) ||
                !taco__lex_word(l, "zone") || !taco__lex_next(l)) {
                return taco__expr_expected(p, "TIME ZONE");
            }
            t.utc = true;
            return l->kind == TACO__TOK_STRING ? taco__expr_string(p, &t)
                                               : taco__expr_expected(p, "a text in quotes");
        }
        if (l->kind == TACO__TOK_STRING) {
            return taco__expr_string(p, &t);
        }
    }
    if (taco__lex_is(l, "(")) {
        return taco__expr_unsupported(
            p, at,
            taco__value_word(name, "cast") || taco__value_word(name, "try_cast") ? "CAST"
                                                                                 : "the function",
            &name);
    }
    e = taco__expr_new(p->arena, TACO__X_COLUMN, at, p->err);
    if (e) {
        e->name = name;
    }
    return e;
}
/* ( condition ). What stands inside may be compared: (a = b) = c. */
TACO__FN taco__expr *taco__expr_parenthesis(taco__parser *p)
{
    taco__expr *e;
    if (!taco__lex_next(&p->lex)) {
        return NULL;
    }
    e = taco__expr_level(p, TACO__P_OR);
    if (e && !taco__lex_is(&p->lex, ")")) {
        return taco__expr_expected(p, "')'");
    }
    if (e) {
        e->chained = false;
    }
    return e && taco__lex_next(&p->lex) ? e : NULL;
}
/* + and - before a number, any number of them. */
TACO__FN taco__expr *taco__expr_signed(taco__parser *p)
{
    taco__lex *l = &p->lex;
    size_t     at = l->at;
    bool       neg = false;
    taco_bytes sign = l->raw;
    while (taco__lex_is(l, "-") || taco__lex_is(l, "+")) {
        neg = neg != taco__lex_is(l, "-");
        if (!taco__lex_next(l)) {
            return NULL;
        }
    }
    if (l->kind == TACO__TOK_NUMBER) {
        taco__value v = taco__expr_number(l->raw, l->integral, neg);
        return taco__lex_next(l) ? taco__expr_literal(p, at, v) : NULL;
    }
    return l->kind == TACO__TOK_END ? taco__expr_expected(p, "a value")
                                    : taco__expr_unsupported(p, at, "arithmetic", &sign);
}
/* One operand. */
TACO__FN taco__expr *taco__expr_primary(taco__parser *p)
{
    taco__lex  *l = &p->lex;
    taco__expr *e;
    taco__value v;
    size_t      at = l->at;
    switch (l->kind) {
    case TACO__TOK_NUMBER: return taco__expr_signed(p);
    case TACO__TOK_STRING: return taco__expr_string(p, NULL);
    case TACO__TOK_BLOB:
        v = taco__value_bytes(TACO_BINARY, l->raw);
        if (!taco__value_parse_blob(p->arena, l->raw, true, &v.b, p->err)) {
            taco__lex_fail(l, at, "X'...' needs pairs of hexadecimal digits");
            return NULL;
        }
        return taco__lex_next(l) ? taco__expr_literal(p, at, v) : NULL;
    case TACO__TOK_QUOTED:
        e = taco__expr_new(p->arena, TACO__X_COLUMN, at, p->err);
        return e && taco__lex_unquote(l, p->arena, &e->name) && taco__lex_next(l) ? e : NULL;
    case TACO__TOK_NAME: return taco__expr_word(p);
    case TACO__TOK_SIGN:
        if (taco__lex_is(l, "(")) {
            return taco__expr_parenthesis(p);
        }
        if (taco__lex_is(l, "-") || taco__lex_is(l, "+")) {
            return taco__expr_signed(p);
        }
        break;
    default: break;
    }
    return taco__expr_expected(p, "a value");
}
/* What may not follow a value here, so that the message names it: arithmetic, casts, subscripts. */
TACO__FN bool taco__expr_follows(taco__parser *p)
{
    taco__lex  *l = &p->lex;
    const char *what = NULL;
    if (l->kind == TACO__TOK_SIGN) {
        if (strchr("+-*/%^|&<>#@!~?$:.[{", l->raw.data[0]) && !taco__lex_is(l, "<") &&
            !taco__lex_is(l, ">") && !taco__lex_is(l, "<=") && !taco__lex_is(l, ">=") &&
            !taco__lex_is(l, "<>") && !taco__lex_is(l, "!=")) {
            what = taco__lex_is(l, "::")  ? "a cast"
                   : taco__lex_is(l, "[") ? "a subscript"
                   : taco__lex_is(l, ".") ? "a qualified name or a field"
                   : taco__lex_is(l, ":") ? "a colon outside \"quotes\""
                   : l->raw.len == 1 && strchr("+-*/%", l->raw.data[0]) != NULL ? "arithmetic"
                                                                                : "the operator";
        }
    } else if (taco__lex_word(l, "similar") || taco__lex_word(l, "glob") ||
               taco__lex_word(l, "collate")) {
        what = "the operator";
    }
    if (what) {
        taco_bytes found = l->raw;
        taco__expr_unsupported(p, l->at, what, &found);
    }
    return !what;
}
/* == is DuckDB's second spelling of =. */
TACO__FN bool taco__expr_comparison(const taco__lex *l, taco__cmp *op)
{
    static const struct {
        char      sign[3];
        taco__cmp op;
    } ops[] = {{"=", TACO__EQ}, {"==", TACO__EQ}, {"<>", TACO__NE}, {"!=", TACO__NE},
               {"<", TACO__LT}, {"<=", TACO__LE}, {">", TACO__GT},  {">=", TACO__GE}};
    size_t i;
    for (i = 0; i < TACO__COUNT(ops); i++) {
        if (taco__lex_is(l, ops[i].sign)) {
            *op = ops[i].op;
            return true;
        }
    }
    return false;
}
/* IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM, ISNULL, NOTNULL behind `left`. */
TACO__FN taco__expr *taco__expr_is(taco__parser *p, taco__expr *left)
{
    taco__lex  *l = &p->lex;
    taco__expr *e = taco__expr_new(p->arena, TACO__X_IS, left->at, p->err), *right;
    bool        word = taco__lex_word(l, "is");
    if (!e) {
        return NULL;
    }
    e->neg = taco__lex_word(l, "notnull");
    if (!taco__lex_next(l)) {
        return NULL;
    }
    taco__expr_append(e, left);
    if (!word) {
        return e;
    }
    if (taco__lex_word(l, "not")) {
        e->neg = true;
        if (!taco__lex_next(l)) {
            return NULL;
        }
    }
    if (taco__lex_word(l, "true") || taco__lex_word(l, "false")) {
        e->is = taco__lex_word(l, "true") ? TACO__IS_TRUE : TACO__IS_FALSE;
    } else if (taco__lex_word(l, "distinct")) {
        if (!taco__lex_next(l)) {
            return NULL;
        }
        if (!taco__lex_word(l, "from")) {
            return taco__expr_expected(p, "FROM");
        }
        right = taco__lex_next(l) ? taco__expr_level(p, TACO__P_CMP) : NULL;
        if (!right) {
            return NULL;
        }
        e->kind = TACO__X_CMP;
        e->op = e->neg ? TACO__EQ : TACO__NE;
        e->neg = false;
        e->nullsafe = true;
        taco__expr_append(e, right);
        return e;
    } else if (!taco__lex_word(l, "null") && !taco__lex_word(l, "unknown")) {
        return taco__expr_expected(p, "NULL, TRUE, FALSE or DISTINCT FROM behind IS");
    }
    return taco__lex_next(l) ? e : NULL;
}
/* IN (...), BETWEEN ... AND ..., [I]LIKE ... [ESCAPE ...] behind `left`, the word being the current token. */
TACO__FN taco__expr *taco__expr_in(taco__parser *p, taco__expr *left, bool neg)
{
    taco__lex  *l = &p->lex;
    bool        in = taco__lex_word(l, "in"), between = taco__lex_word(l, "between");
    taco__expr *e = taco__expr_new(p->arena,
                                   in        ? TACO__X_IN
                                   : between ? TACO__X_BETWEEN
                                             : TACO__X_LIKE,
                                   left->at, p->err),
               *item;
    if (!e) {
        return NULL;
    }
    e->neg = neg;
    e->icase = taco__lex_word(l, "ilike");
    taco__expr_append(e, left);
    if (!taco__lex_next(l)) {
        return NULL;
    }
    if (in) {
        if (!taco__lex_is(l, "(")) {
            return taco__expr_expected(p, "'(' behind IN");
        }
        do {
            if (!taco__lex_next(l) || (e->first != e->last && taco__lex_is(l, ")"))) {
                break;
            }
            item = taco__expr_level(p, TACO__P_OR);
            if (!item) {
                return NULL;
            }
            taco__expr_append(e, item);
        } while (taco__lex_is(l, ","));
        if (!taco__lex_is(l, ")")) {
            return taco__expr_expected(p, "',' or ')'");
        }
        return taco__lex_next(l) ? e : NULL;
    }
    item = taco__expr_level(p, TACO__P_VALUE);
    if (!item) {
        return NULL;
    }
    taco__expr_append(e, item);
    if (between ? !taco__lex_word(l, "and") : !taco__lex_word(l, "escape")) {
        return between ? taco__expr_expected(p, "AND of BETWEEN") : e;
    }
    item = taco__lex_next(l) ? taco__expr_level(p, TACO__P_VALUE) : NULL;
    if (!item) {
        return NULL;
    }
    taco__expr_append(e, item);
    return e;
}
/* `left` AND|OR right: a chain is one node, so that its length costs no depth. */
TACO__FN taco__expr *taco__expr_chain(taco__parser *p, taco__expr *left, taco__expr **open,
                                      taco__xkind kind)
{
    taco__expr *right, *e = *open && (*open)->kind == kind ? *open : NULL;
    if (!taco__lex_next(&p->lex)) {
        return NULL;
    }
    right = taco__expr_level(p, kind == TACO__X_AND ? TACO__P_NOT : TACO__P_AND);
    if (!right) {
        return NULL;
    }
    if (!e) {
        e = taco__expr_new(p->arena, kind, left->at, p->err);
        if (!e) {
            return NULL;
        }
        taco__expr_append(e, left);
        *open = e;
    }
    taco__expr_append(e, right);
    return e;
}
/* One operator behind `left`; returns left itself where none of at least that strength follows. */
TACO__FN taco__expr *taco__expr_operator(taco__parser *p, taco__expr *left, taco__expr **open,
                                         int least)
{
    taco__lex  *l = &p->lex;
    taco__lex   saved;
    taco__expr *e, *right;
    taco__cmp   op;
    bool        neg = false;
    if (taco__lex_word(l, "or")) {
        return least <= TACO__P_OR ? taco__expr_chain(p, left, open, TACO__X_OR) : left;
    }
    if (taco__lex_word(l, "and")) {
        return least <= TACO__P_AND ? taco__expr_chain(p, left, open, TACO__X_AND) : left;
    }
    if (taco__lex_word(l, "is") || taco__lex_word(l, "isnull") || taco__lex_word(l, "notnull")) {
        return least <= TACO__P_IS ? taco__expr_is(p, left) : left;
    }
    if (taco__expr_comparison(l, &op)) {
        if (least > TACO__P_CMP) {
            return left;
        }
        if (left->chained) {
            return taco__expr_expected(p, "AND or OR: comparisons do not chain");
        }
        right = taco__lex_next(l) ? taco__expr_level(p, TACO__P_IN) : NULL;
        e = right ? taco__expr_compare(p->arena, op, left, right, p->err) : NULL;
        if (e) {
            e->at = left->at;
            e->chained = true;
        }
        return e;
    }
    saved = *l;
    if (taco__lex_word(l, "not")) {
        neg = true;
        if (!taco__lex_next(l)) {
            return NULL;
        }
    }
    if (taco__lex_word(l, "in") || taco__lex_word(l, "between") || taco__lex_word(l, "like") ||
        taco__lex_word(l, "ilike")) {
        if (least <= TACO__P_IN) {
            return taco__expr_in(p, left, neg);
        }
        *l = saved;
        return left;
    }
    if (!taco__expr_follows(p)) {
        return NULL;
    }
    return neg ? taco__expr_expected(p, "IN, BETWEEN, LIKE or ILIKE behind NOT") : left;
}
/* An expression of operators that bind at least as strongly as `least`. */
TACO__FN taco__expr *taco__expr_level(taco__parser *p, int least)
{
    taco__expr *e, *open = NULL;
    if (++p->depth / 4 >
        p->max_depth) { /* parentheses too are bounded, though they leave no node */
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the condition nests deeper than limits.max_depth, which is %u",
                   TACO__U(p->max_depth));
        return NULL;
    }
    if (taco__lex_word(&p->lex, "not")) {
        size_t at = p->lex.at;
        e = taco__lex_next(&p->lex) ? taco__expr_level(p, TACO__P_NOT) : NULL;
        e = taco__expr_not(p->arena, e, p->err);
        if (e) {
            e->at = at;
        }
    } else {
        e = taco__expr_primary(p);
    }
    while (taco__expr_checked(p, e)) {
        size_t before = p->lex.at;
        e = taco__expr_operator(p, e, &open, least);
        if (e && p->lex.at == before) {
            break;
        }
    }
    p->depth--;
    return taco__expr_checked(p, e);
}
/* Parses a whole condition. The text is borrowed for as long as the tree lives. NULL on failure: SYNTAX with the column
   of the text, LIMIT, or MEMORY. */
TACO__FN taco__expr *taco__expr_parse(taco__arena *arena, const char *text, size_t len,
                                      const taco_limits *limits, taco_error *err)
{
    taco__parser p;
    taco__expr  *e;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.max_depth = limits && limits->max_depth ? limits->max_depth : 64;
    if (!taco__lex_open(&p.lex, text, len, err)) {
        return NULL;
    }
    e = taco__expr_level(&p, TACO__P_OR);
    if (e && p.lex.kind != TACO__TOK_END) {
        return taco__expr_expected(&p, "AND, OR or the end");
    }
    return e;
}

/* ---- binding: names ---- */

typedef struct taco__binder {
    taco__arena      *arena;
    const taco_field *columns;
    size_t            n;
    taco_error       *err;
} taco__binder;

/* Columns differ by case, but a wrong case is the commonest slip: it costs nothing in the distance. */
TACO__FN uint8_t taco__expr_lower(uint8_t c)
{
    return (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}
/* Edits (insert, delete, replace) between two names without regard to ASCII case; long names are cut to 48 bytes. */
TACO__FN size_t taco__expr_distance(taco_bytes a, taco_bytes b)
{
    size_t row[49], i, j, n = TACO__MIN(b.len, (size_t)48), m = TACO__MIN(a.len, (size_t)48);
    for (j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (j = 1; j <= n; j++) {
            size_t up = row[j],
                   same =
                       taco__expr_lower(a.data[i - 1]) == taco__expr_lower(b.data[j - 1]) ? 0 : 1;
            row[j] = TACO__MIN(TACO__MIN(up, row[j - 1]) + 1, diagonal + same);
            diagonal = up;
        }
    }
    return row[n];
}
/* Fails with NOT_FOUND and the up to three columns whose names are nearest. Also for other rooms that look up names. */
TACO__COLD void taco__expr_no_column(const taco_field *columns, size_t n, taco_bytes name,
                                     taco_error *err)
{
    size_t     best[3], where[3], found = 0, i, j;
    taco_bytes near[3];
    for (i = 0; i < TACO__MIN(n, (size_t)4096); i++) {
        taco_bytes c = taco__base_text(columns[i].name);
        size_t     d = taco__expr_distance(name, c);
        if (d > TACO__MAX(name.len, c.len) / 2 &&
            !(name.len >= 3 && c.len > name.len && d == c.len - name.len)) {
            continue; /* shares less than half its letters, and is no longer form of the name */
        }
        for (j = found < 3 ? found++ : 3; j > 0 && best[j - 1] > d; j--) {
            if (j < 3) {
                best[j] = best[j - 1];
                where[j] = where[j - 1];
            }
        }
        if (j < 3) {
            best[j] = d;
            where[j] = i;
        }
    }
    for (j = 0; j < found; j++) {
        near[j] = taco__base_text(columns[where[j]].name);
    }
    if (found == 0 && n == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, there are no columns",
                   &name);
    } else if (found == 0) {
        near[0] = taco__base_text(columns[0].name);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column %q, none of the %u columns is near (the first is %q)", &name,
                   TACO__U(n), &near[0]);
    } else if (found == 1) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, the nearest is %q",
                   &name, &near[0]);
    } else if (found == 2) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, the nearest are %q, %q",
                   &name, &near[0], &near[1]);
    } else {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column %q, the nearest are %q, %q, %q", &name, &near[0], &near[1], &near[2]);
    }
}
/* Finds the column by its exact name, or checks the index a constructor was given. */
TACO__FN bool taco__expr_bind_column(taco__binder *b, taco__expr *e)
{
    if (e->name.data) {
        for (e->column = 0; e->column < b->n; e->column++) {
            if (taco__base_equal(e->name, taco__base_text(b->columns[e->column].name))) {
                break;
            }
        }
        if (e->column == b->n) {
            taco__expr_no_column(b->columns, b->n, e->name, b->err);
            return false;
        }
    } else if (e->column >= b->n) {
        TACO__FAIL(b->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition names column %u, there are %u", TACO__U(e->column),
                   TACO__U(b->n));
        return false;
    }
    e->field = &b->columns[e->column];
    e->type = taco__value_type_of(e->field);
    e->name = taco__base_text(e->field->name);
    return true;
}

/* ---- binding: messages ---- */

/* What a node is, in the words of the user. */
TACO__FN const char *taco__expr_kind(const taco__expr *e)
{
    if (e->kind != TACO__X_CONST) {
        return e->kind == TACO__X_COLUMN ? "a column" : "a condition";
    }
    switch (e->type.id) {
    case TACO_NULL: return "NULL";
    case TACO_BOOL: return "TRUE or FALSE";
    case TACO_TEXT: return "a text";
    case TACO_DATE: return "a date";
    case TACO_TIME: return "a time of day";
    case TACO_TIMESTAMP: return "a timestamp";
    case TACO_BINARY: return "bytes";
    case TACO_UUID: return "a UUID";
    default: return "a number";
    }
}
/* "column 'split' is TEXT, was given a number". */
TACO__COLD bool taco__expr_mismatch(taco__binder *b, const taco__expr *x, const taco__expr *y)
{
    const taco__expr *c = x->kind == TACO__X_COLUMN ? x : y, *o = c == x ? y : x;
    if (c->kind != TACO__X_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s and %s do not compare",
                   taco__expr_kind(x), taco__expr_kind(y));
    } else if (taco__value_is_nested(c->type.id) || c->type.id == TACO_INTERVAL) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s, only IS NULL and IS NOT NULL can test it", &c->name,
                   taco__value_type_name(c->type.id));
    } else if (o->kind == TACO__X_COLUMN) {
        if (taco__value_is_nested(o->type.id) || o->type.id == TACO_INTERVAL) {
            return taco__expr_mismatch(b, o, c);
        }
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s and column %q is %s, they do not compare", &c->name,
                   taco__value_type_name(c->type.id), &o->name, taco__value_type_name(o->type.id));
    } else {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %s", &c->name,
                   taco__value_type_name(c->type.id), taco__expr_kind(o));
    }
    return false;
}
/* Gives a literal in quotes the type its partners are compared in; `with` is named when it does not spell one. */
TACO__FN bool taco__expr_give_type(taco__binder *b, taco__expr *e, const taco__vtype *t,
                                   const taco__expr *with)
{
    taco__value v;
    if (e->kind != TACO__X_CONST || !e->text || t->id == TACO_NULL || t->id == TACO_TEXT) {
        return true;
    }
    if (!taco__value_cast_text(b->arena, e->value.b, t, &v, b->err)) {
        if (with && with->kind == TACO__X_COLUMN) {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %q",
                       &with->name, taco__value_type_name(with->type.id), &e->value.b);
        } else {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%q is not a %s", &e->value.b,
                       taco__value_type_name(t->id));
        }
        return false;
    }
    e->value = v;
    e->type = v.type;
    e->text = false;
    return true;
}
/* The one type in which e->first and its siblings are compared, from left to right as DuckDB does it; literals in quotes
   follow the others. Casts those literals. */
TACO__FN bool taco__expr_unify(taco__binder *b, taco__expr *e, bool equality, taco__vtype *out)
{
    taco__expr *c, *seen = NULL;
    taco__vtype t = taco__value_type(TACO_NULL);
    for (c = e->first; c; c = c->next) {
        if (c->kind == TACO__X_COLUMN &&
            (taco__value_is_nested(c->type.id) || c->type.id == TACO_INTERVAL)) {
            return taco__expr_mismatch(b, c, c == e->first && c->next ? c->next : e->first);
        }
        if ((c->kind == TACO__X_CONST && c->text) || c->type.id == TACO_NULL) {
            continue;
        }
        /* an integer literal that fits the integer type of the others takes it */
        if (!(c->kind == TACO__X_CONST && taco__value_is_int(c->type.id) &&
              taco__value_is_int(t.id) && taco__value_fits(&t, &c->value.d)) &&
            !taco__value_unify(&t, &c->type, equality, &t)) {
            return taco__expr_mismatch(b, seen ? seen : e->first, c);
        }
        seen = seen && seen->kind == TACO__X_COLUMN ? seen : c;
    }
    *out = t.id == TACO_NULL ? taco__value_type(TACO_TEXT) : t;
    for (c = e->first; c; c = c->next) {
        if (!taco__expr_give_type(b, c, out, seen)) {
            return false;
        }
    }
    return true;
}

/* ---- binding: tests of a column against constants ---- */

/* Keys have room for one step beyond either end of a type. */
TACO__FN taco__i256 taco__expr_step(taco__i256 a, int64_t by)
{
    return taco__i256_add(a, taco__i256_from(by));
}

/* The first key of a column of type t whose value, compared in dom, is not below c (or, strict, is above c); one behind
   the last key where there is none. Every conversion DuckDB makes to compare is monotone, so a binary search over the
   keys replaces an inverse for each pair of types. */
TACO__FN taco__i256 taco__expr_bound(const taco__vtype *t, taco__domain dom, const taco__value *c,
                                     bool strict)
{
    taco__i256 lo, hi;
    taco__value_key_bounds(t, &lo, &hi);
    hi = taco__expr_step(hi, 1);
    while (taco__i256_cmp(&lo, &hi) < 0) {
        taco__i256  gap = taco__i256_add(hi, taco__i256_negate(lo)), mid;
        taco__value v;
        int         i;
        for (i = 0; i < 4; i++) { /* gap is positive: half of it */
            gap.w[i] = gap.w[i] >> 1 | (i < 3 ? gap.w[i + 1] << 63 : 0);
        }
        mid = taco__i256_add(lo, gap);
        v = taco__value_unkey(t, mid);
        if (taco__value_cmp(dom, &v, c) >= (strict ? 1 : 0)) {
            hi = mid;
        } else {
            lo = taco__expr_step(mid, 1);
        }
    }
    return lo;
}
/* Turns e into the TEST of column c with room for n ranges or list items. */
TACO__FN taco__test *taco__expr_make_test(taco__binder *b, taco__expr *e, const taco__expr *c,
                                          taco__tmode mode, size_t n)
{
    taco__test *t = (taco__test *)taco__arena_alloc(b->arena, sizeof *t, b->err);
    if (!t) {
        return NULL;
    }
    if (mode == TACO__TEST_KEYS) {
        t->lo = (taco__i256 *)taco__arena_array(b->arena, n, sizeof *t->lo, b->err);
        t->hi = (taco__i256 *)taco__arena_array(b->arena, n, sizeof *t->hi, b->err);
        t->lo64 = (int64_t *)taco__arena_array(b->arena, n, sizeof *t->lo64, b->err);
        t->hi64 = (int64_t *)taco__arena_array(b->arena, n, sizeof *t->hi64, b->err);
        if (!t->lo || !t->hi || !t->lo64 || !t->hi64) {
            return NULL;
        }
    } else if (mode == TACO__TEST_LIST) {
        t->list = (taco_bytes *)taco__arena_array(b->arena, n, sizeof *t->list, b->err);
        if (!t->list) {
            return NULL;
        }
    }
    t->mode = mode;
    e->kind = TACO__X_TEST;
    e->op = TACO__EQ;
    e->column = c->column;
    e->field = c->field;
    e->name = c->name;
    e->type = taco__value_type(TACO_BOOL);
    e->test = t;
    return t;
}
/* Sorts and joins the ranges and fills in their 64-bit forms. */
typedef struct taco__expr_pair {
    taco__i256 lo, hi;
} taco__expr_pair;
/* For qsort. */
TACO__FN int taco__expr_pair_order(const void *a, const void *b)
{
    return taco__i256_cmp(&((const taco__expr_pair *)a)->lo, &((const taco__expr_pair *)b)->lo);
}
TACO__FN int taco__expr_bytes_order(const void *a, const void *b)
{
    return taco__base_order(*(const taco_bytes *)a, *(const taco_bytes *)b);
}
/* Sorts n ranges, drops the empty, joins those that touch, and fills in the 64-bit forms. */
TACO__FN void taco__expr_set_ranges(taco__test *t, taco__expr_pair *p, size_t n,
                                    const taco__vtype *type)
{
    uint64_t flip = type->id == TACO_UINT64 ? (uint64_t)1 << 63 : 0;
    size_t   i;
    qsort(p, n, sizeof *p, taco__expr_pair_order);
    t->n = 0;
    for (i = 0; i < n; i++) {
        taco__i256 behind;
        if (taco__i256_cmp(&p[i].lo, &p[i].hi) > 0) {
            continue; /* empty */
        }
        behind = t->n ? taco__expr_step(t->hi[t->n - 1], 1) : p[i].lo;
        if (t->n && taco__i256_cmp(&p[i].lo, &behind) <= 0) {
            if (taco__i256_cmp(&p[i].hi, &t->hi[t->n - 1]) > 0) {
                t->hi[t->n - 1] = p[i].hi;
            }
            continue;
        }
        t->lo[t->n] = p[i].lo;
        t->hi[t->n++] = p[i].hi;
    }
    for (i = 0; i < t->n; i++) {
        t->lo64[i] = (int64_t)(t->lo[i].w[0] ^ flip);
        t->hi64[i] = (int64_t)(t->hi[i].w[0] ^ flip);
    }
}
/* The keys for which the comparison with c holds; of <> those for which it does not. */
TACO__FN taco__expr_pair taco__expr_key_range(const taco__vtype *t, taco__domain dom, taco__cmp op,
                                              const taco__value *c)
{
    taco__expr_pair p;
    taco__value_key_bounds(t, &p.lo, &p.hi);
    if (op == TACO__EQ || op == TACO__NE || op == TACO__GE) {
        p.lo = taco__expr_bound(t, dom, c, false);
    } else if (op == TACO__GT) {
        p.lo = taco__expr_bound(t, dom, c, true);
    }
    if (op == TACO__EQ || op == TACO__NE || op == TACO__LE) {
        p.hi = taco__expr_step(taco__expr_bound(t, dom, c, true), -1);
    } else if (op == TACO__LT) {
        p.hi = taco__expr_step(taco__expr_bound(t, dom, c, false), -1);
    }
    return p;
}
/* e: column c op constant k becomes a TEST. */
TACO__FN bool taco__expr_bind_test(taco__binder *b, taco__expr *e, const taco__expr *c,
                                   taco__cmp op, const taco__expr *k, taco__domain dom)
{
    taco__vtype type = c->type;
    taco__value v = k->value;
    taco__test *t;
    bool        list = op == TACO__EQ || op == TACO__NE, nullsafe = e->nullsafe;
    if (dom != TACO__DOM_BYTES) {
        taco__expr_pair p = taco__expr_key_range(&type, dom, op, &v);
        t = taco__expr_make_test(b, e, c, TACO__TEST_KEYS, 1);
        if (t) {
            taco__expr_set_ranges(t, &p, 1, &type);
        }
    } else {
        t = taco__expr_make_test(b, e, c, list ? TACO__TEST_LIST : TACO__TEST_RANGE, 1);
        if (t && list) {
            t->list[0] = v.b;
            t->n = 1;
        } else if (t) {
            t->has_low = op == TACO__GT || op == TACO__GE;
            t->has_high = !t->has_low;
            t->low = t->high = v.b;
            t->open_low = t->open_high = op == TACO__GT || op == TACO__LT;
        }
    }
    if (t) {
        t->null_false = nullsafe;
        e->neg = op == TACO__NE;
    }
    return t != NULL;
}
TACO__FN taco__cmp taco__expr_mirror(taco__cmp op) /* a op b is b mirror(op) a */
{
    return op == TACO__LT   ? TACO__GT
           : op == TACO__LE ? TACO__GE
           : op == TACO__GT ? TACO__LT
           : op == TACO__GE ? TACO__LE
                            : op;
}
/* op applied to a three-way order. */
TACO__FN bool taco__expr_holds(taco__cmp op, int order)
{
    switch (op) {
    case TACO__EQ: return order == 0;
    case TACO__NE: return order != 0;
    case TACO__LT: return order < 0;
    case TACO__LE: return order <= 0;
    case TACO__GT: return order > 0;
    default: return order >= 0;
    }
}
/* A comparison whose sides are bound and of types that compare in `type`. */
TACO__FN bool taco__expr_bind_cmp(taco__binder *b, taco__expr *e, const taco__vtype *type)
{
    taco__expr  *x = e->first, *y = x->next;
    taco__domain dom = taco__value_domain(type->id);
    bool         xnull = x->type.id == TACO_NULL,
         ynull = y->type.id == TACO_NULL; /* constants and columns without values */
    e->type = taco__value_type(TACO_BOOL);
    e->domain = dom;
    if (xnull || ynull) {
        if (!e->nullsafe) {
            taco__expr_become_const(e, taco__expr_bool(-1));
        } else if (xnull && ynull) {
            taco__expr_become_const(e, taco__expr_bool(e->op == TACO__EQ));
        } else { /* IS DISTINCT FROM NULL is IS NOT NULL */
            taco__expr *side = xnull ? y : x;
            e->kind = TACO__X_IS;
            e->is = TACO__IS_NULL;
            e->neg = e->op == TACO__NE;
            e->nullsafe = false;
            e->first = e->last = NULL;
            taco__expr_append(e, side);
            if (side->kind == TACO__X_CONST) {
                taco__expr_become_const(e, taco__expr_bool(e->neg));
            }
        }
        return true;
    }
    if (x->kind == TACO__X_CONST && y->kind == TACO__X_CONST) {
        taco__expr_become_const(e, taco__expr_bool(taco__expr_holds(
                                       e->op, taco__value_cmp(dom, &x->value, &y->value))));
        return true;
    }
    if (x->kind == TACO__X_COLUMN && y->kind == TACO__X_CONST) {
        return taco__expr_bind_test(b, e, x, e->op, y, dom);
    }
    if (x->kind == TACO__X_CONST && y->kind == TACO__X_COLUMN) {
        return taco__expr_bind_test(b, e, y, taco__expr_mirror(e->op), x, dom);
    }
    return true;
}
/* A copy of a bound value, for a second place in the tree. */
TACO__FN taco__expr *taco__expr_copy(taco__binder *b, const taco__expr *e)
{
    taco__expr *c = taco__expr_new(b->arena, e->kind, e->at, b->err);
    if (c) {
        *c = *e;
        c->next = NULL;
    }
    return c;
}
/* NOT of TEST and IS nodes, which carry it along. */
TACO__FN void taco__expr_negate(taco__expr *e) /* of TEST and IS nodes */
{
    e->neg = !e->neg;
}
/* NOT around a node that has no room for it: e becomes the NOT, a copy of it the child. */
TACO__FN bool taco__expr_wrap_not(taco__binder *b, taco__expr *e)
{
    taco__expr *copy = taco__expr_copy(b, e);
    if (copy) {
        taco__expr *next = e->next;
        memset(e, 0, sizeof *e);
        e->kind = TACO__X_NOT;
        e->type = taco__value_type(TACO_BOOL);
        e->next = next;
        taco__expr_append(e, copy);
    }
    return copy != NULL;
}
/* Logical NOT of a bound condition, in place. */
TACO__FN bool taco__expr_invert(taco__binder *b, taco__expr *e)
{
    if (e->kind == TACO__X_CONST) {
        if (e->type.id != TACO_NULL) {
            taco__expr_become_const(e, taco__expr_bool(e->value.d.w[0] == 0));
        }
        return true;
    }
    if (e->kind == TACO__X_TEST || e->kind == TACO__X_IS) {
        taco__expr_negate(e);
        return true;
    }
    if (e->kind == TACO__X_NOT) {
        taco__expr_become(e, e->first);
        return true;
    }
    return taco__expr_wrap_not(b, e);
}
/* value IN (constants...) on a column: one TEST. */
TACO__FN bool taco__expr_bind_list(taco__binder *b, taco__expr *e, const taco__vtype *type)
{
    taco__expr      *c = e->first, *k;
    taco__vtype      column = c->type;
    taco__domain     dom = taco__value_domain(type->id);
    bool             keys = dom != TACO__DOM_BYTES, null = false;
    size_t           n = 0;
    taco__test      *t;
    taco__expr_pair *p = NULL;
    for (k = c->next; k; k = k->next) {
        n++;
    }
    if (keys) {
        p = (taco__expr_pair *)taco__arena_array(b->arena, n, sizeof *p, b->err);
    }
    t = !keys || p ? taco__expr_make_test(b, e, c, keys ? TACO__TEST_KEYS : TACO__TEST_LIST, n)
                   : NULL;
    if (!t) {
        return false;
    }
    n = 0;
    for (k = c->next; k; k = k->next) {
        if (k->type.id == TACO_NULL) {
            null = true;
        } else if (keys) {
            p[n++] = taco__expr_key_range(&column, dom, TACO__EQ, &k->value);
        } else {
            t->list[n++] = k->value.b;
        }
    }
    t->null_rest = null;
    if (keys) {
        taco__expr_set_ranges(t, p, n, &column);
    } else {
        size_t i;
        qsort(t->list, n, sizeof *t->list, taco__expr_bytes_order);
        for (i = 0; i < n; i++) { /* drops repeats */
            if (!t->n || !taco__base_equal(t->list[t->n - 1], t->list[i])) {
                t->list[t->n++] = t->list[i];
            }
        }
    }
    return true;
}
/* Two TESTs of one column without NULL rules of their own become one: x >= a AND x < b is a single range. */
TACO__FN bool taco__expr_merge(taco__expr *a, const taco__expr *b)
{
    taco__test *s = a->test, *t = b->test;
    if (a->kind != TACO__X_TEST || b->kind != TACO__X_TEST || a->column != b->column || a->neg ||
        b->neg || s->mode != t->mode || s->null_rest || t->null_rest || s->null_false ||
        t->null_false) {
        return false;
    }
    if (s->mode == TACO__TEST_KEYS && s->n <= 1 && t->n <= 1) {
        taco__expr_pair p;
        taco__vtype     type = taco__value_type_of(a->field);
        if (s->n && t->n) {
            p.lo = taco__i256_cmp(&s->lo[0], &t->lo[0]) > 0 ? s->lo[0] : t->lo[0];
            p.hi = taco__i256_cmp(&s->hi[0], &t->hi[0]) < 0 ? s->hi[0] : t->hi[0];
        }
        taco__expr_set_ranges(s, &p, s->n && t->n, &type);
        return true;
    }
    if (s->mode == TACO__TEST_RANGE && !(s->has_low && t->has_low) &&
        !(s->has_high && t->has_high)) {
        if (t->has_low) {
            s->has_low = true;
            s->low = t->low;
            s->open_low = t->open_low;
        }
        if (t->has_high) {
            s->has_high = true;
            s->high = t->high;
            s->open_high = t->open_high;
        }
        return true;
    }
    return false;
}
/* Children of AND and OR are bound: flattens, drops what does not matter, joins ranges, unwraps single children. */
TACO__FN bool taco__expr_bind_junction(taco__binder *b, taco__expr *e)
{
    bool        is_and = e->kind == TACO__X_AND, null = false, decided = false;
    int         tries;
    taco__expr *c = e->first, *next, *d;
    e->first = e->last = NULL;
    e->depth = 1;
    e->type = taco__value_type(TACO_BOOL);
    for (; c; c = next) {
        next = c->next;
        if (c->kind == e->kind && c->first) { /* splice the children of (a AND b) into this AND */
            for (d = c->first; d->next; d = d->next) {
            }
            d->next = next;
            next = c->first;
            continue;
        }
        if (c->kind == TACO__X_CONST) {
            null = null || c->type.id == TACO_NULL;
            decided = decided || (c->type.id != TACO_NULL && (c->value.d.w[0] == 0) == is_and);
            continue;
        }
        tries = 16; /* not all: a chain of thousands must not take their square */
        for (d = is_and ? e->first : NULL; d && !taco__expr_merge(d, c);
             d = --tries ? d->next : NULL) {
        }
        if (!d) {
            taco__expr_append(e, c);
        }
    }
    if (decided || !e->first) {
        taco__expr_become_const(e, taco__expr_bool(decided ? !is_and : null ? -1 : is_and));
        return true;
    }
    if (null) {
        d = taco__expr_const(b->arena, taco__expr_bool(-1), b->err);
        if (!d) {
            return false;
        }
        taco__expr_append(e, d);
    }
    if (!e->first->next) {
        taco__expr_become(e, e->first);
    }
    return true;
}
/* IN. Constants against a column are one TEST; anything else is written out as a chain of OR. */
TACO__FN bool taco__expr_bind_in(taco__binder *b, taco__expr *e)
{
    taco__vtype type;
    taco__expr *c = e->first, *k, *any;
    bool        constants = c->kind == TACO__X_COLUMN && c->type.id != TACO_NULL, neg = e->neg;
    if (!taco__expr_unify(b, e, true, &type)) {
        return false;
    }
    for (k = c->next; k; k = k->next) {
        constants = constants && k->kind == TACO__X_CONST;
    }
    e->neg = false;
    if (constants) {
        if (!taco__expr_bind_list(b, e, &type)) {
            return false;
        }
    } else { /* c = k1 OR c = k2 ... */
        any = taco__expr_new(b->arena, TACO__X_OR, e->at, b->err);
        for (k = c->next; any && k;) {
            taco__expr *next = k->next, *left = taco__expr_copy(b, c);
            taco__expr *eq = left ? taco__expr_compare(b->arena, TACO__EQ, left, k, b->err) : NULL;
            if (!eq || !taco__expr_bind_cmp(b, eq, &type)) {
                return false;
            }
            taco__expr_append(any, eq);
            k = next;
        }
        if (!any || !taco__expr_bind_junction(b, any)) {
            return false;
        }
        taco__expr_become(e, any);
    }
    return !neg || taco__expr_invert(b, e);
}
/* Makes a bound value a condition, as DuckDB casts it to BOOL. */
TACO__FN bool taco__expr_condition(taco__binder *b, taco__expr *e)
{
    taco__vtype t = taco__value_type(TACO_BOOL);
    taco__expr *copy, *zero;
    if (e->kind == TACO__X_CONST && e->text) {
        return taco__expr_give_type(b, e, &t, NULL);
    }
    if (e->kind == TACO__X_CONST && taco__value_is_number(e->type.id)) {
        bool set = taco__value_is_float(e->type.id) ? e->value.f != 0
                                                    : taco__value_float(&e->value, false) != 0;
        taco__expr_become_const(e, taco__expr_bool(set));
        return true;
    }
    if (e->kind == TACO__X_COLUMN &&
        (e->type.id == TACO_BOOL || taco__value_is_number(e->type.id))) {
        copy = taco__expr_copy(b, e);
        zero = taco__expr_const(
            b->arena, taco__value_int(e->type.id == TACO_BOOL ? TACO_BOOL : TACO_INT32, 0), b->err);
        return copy && zero &&
               taco__expr_bind_test(b, e, copy, TACO__NE, zero, taco__value_domain(e->type.id));
    }
    if (e->kind == TACO__X_COLUMN && e->type.id == TACO_NULL) {
        taco__expr_become_const(e, taco__expr_bool(-1));
        return true;
    }
    if (e->type.id != TACO_BOOL && e->type.id != TACO_NULL) {
        if (e->kind == TACO__X_COLUMN) {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is %s, a condition needs BOOL or a number", &e->name,
                       taco__value_type_name(e->type.id));
        } else {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s is not a condition",
                       taco__expr_kind(e));
        }
        return false;
    }
    return true;
}

/* ---- binding: nodes ---- */

/* x BETWEEN a AND b is x >= a AND x <= b, with all three in one type. */
TACO__FN bool taco__expr_bind_between(taco__binder *b, taco__expr *e)
{
    taco__expr *v = e->first, *low = v->next, *high = low->next, *copy, *ge, *le;
    taco__vtype type;
    bool        neg = e->neg;
    if (!taco__expr_unify(b, e, false, &type)) {
        return false;
    }
    copy = taco__expr_copy(b, v);
    ge = taco__expr_compare(b->arena, TACO__GE, v, low, b->err);
    le = taco__expr_compare(b->arena, TACO__LE, copy, high, b->err);
    if (!ge || !le || !taco__expr_bind_cmp(b, ge, &type) || !taco__expr_bind_cmp(b, le, &type)) {
        return false;
    }
    e->kind = TACO__X_AND;
    e->neg = false;
    e->first = e->last = NULL;
    taco__expr_append(e, ge);
    taco__expr_append(e, le);
    return taco__expr_bind_junction(b, e) && (!neg || taco__expr_invert(b, e));
}
/* LIKE takes texts only: DuckDB has no LIKE for numbers either. */
TACO__FN bool taco__expr_like_side(taco__binder *b, const taco__expr *e)
{
    if (e->type.id == TACO_TEXT || e->type.id == TACO_NULL) {
        return true;
    }
    if (e->kind == TACO__X_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, LIKE needs TEXT",
                   &e->name, taco__value_type_name(e->type.id));
    } else {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "LIKE needs TEXT, was given %s",
                   taco__expr_kind(e));
    }
    return false;
}
/* LIKE with a constant pattern on a column is a TEST; a pattern from a column stays a node. */
TACO__FN bool taco__expr_bind_like(taco__binder *b, taco__expr *e)
{
    taco__expr *v = e->first, *p = v->next, *x = p->next;
    taco__test *t;
    taco__like  k;
    bool        null =
             v->type.id == TACO_NULL || p->type.id == TACO_NULL || (x && x->type.id == TACO_NULL),
         neg = e->neg;
    if (!taco__expr_like_side(b, v) || !taco__expr_like_side(b, p) ||
        (x && !taco__expr_like_side(b, x))) {
        return false;
    }
    if (x && !null && (x->kind != TACO__X_CONST || x->value.b.len > 1)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, x->at, "ESCAPE takes a text of one character");
        return false;
    }
    e->type = taco__value_type(TACO_BOOL);
    if (null) {
        taco__expr_become_const(e, taco__expr_bool(-1));
        return true;
    }
    memset(&k, 0, sizeof k);
    k.icase = e->icase;
    k.has_escape = x && x->value.b.len == 1;
    k.escape = (uint8_t)(k.has_escape ? x->value.b.data[0] : 0);
    if (p->kind == TACO__X_CONST && !taco__like_prepare(&k, b->arena, p->value.b, b->err)) {
        return false;
    }
    if (p->kind == TACO__X_CONST && v->kind == TACO__X_CONST) {
        taco__expr_become_const(e, taco__expr_bool(taco__like_match(&k, v->value.b) != neg));
        return true;
    }
    if (p->kind == TACO__X_CONST) {
        t = taco__expr_make_test(b, e, v, TACO__TEST_LIKE, 0);
    } else { /* a pattern of every row: eval matches it as it stands */
        t = (taco__test *)taco__arena_alloc(b->arena, sizeof *t, b->err);
        e->test = t;
    }
    if (t) {
        t->like = k;
    }
    return t != NULL;
}
/* IS NULL looks at any value, IS TRUE and IS FALSE need a condition. None of them is ever NULL. */
TACO__FN bool taco__expr_bind_is(taco__binder *b, taco__expr *e)
{
    taco__expr *c = e->first;
    if (e->is != TACO__IS_NULL && !taco__expr_condition(b, c)) {
        return false;
    }
    e->type = taco__value_type(TACO_BOOL);
    if (c->type.id == TACO_NULL || c->kind == TACO__X_CONST) {
        bool null = c->type.id == TACO_NULL;
        bool is = e->is == TACO__IS_NULL
                      ? null
                      : !null && (c->value.d.w[0] != 0) == (e->is == TACO__IS_TRUE);
        taco__expr_become_const(e, taco__expr_bool(is != e->neg));
    }
    return true;
}
/* RANGE is a TEST whose keys are given. */
TACO__FN bool taco__expr_bind_range(taco__binder *b, taco__expr *e)
{
    taco__expr_pair p;
    taco__i256      x;
    taco__test     *t;
    taco__expr      c = *e;
    if (!taco__expr_bind_column(b, &c)) {
        return false;
    }
    if (!taco__value_has_key(c.type.id) || taco__value_is_float(c.type.id) ||
        c.type.id == TACO_DECIMAL) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s, was given a range of integers", &c.name,
                   taco__value_type_name(c.type.id));
        return false;
    }
    taco__value_key_bounds(&c.type, &p.lo, &p.hi);
    x = taco__i256_from(e->lo);
    if (e->has_lo && taco__i256_cmp(&x, &p.lo) > 0) {
        p.lo = x;
    }
    x = taco__expr_step(taco__i256_from(e->hi), -1);
    if (e->has_hi && taco__i256_cmp(&x, &p.hi) < 0) {
        p.hi = x;
    }
    t = taco__expr_make_test(b, e, &c, TACO__TEST_KEYS, 1);
    if (t) {
        taco__expr_set_ranges(t, &p, 1, &c.type);
    }
    return t != NULL;
}
/* CUSTOM only needs its column. */
TACO__FN bool taco__expr_bind_custom(taco__binder *b, taco__expr *e)
{
    bool ok = taco__expr_bind_column(b, e);
    e->type = taco__value_type(TACO_BOOL);
    return ok;
}
/* Binds e and what is below it, in place. The depth of the tree was limited when it was made. */
TACO__FN bool taco__expr_bind_node(taco__binder *b, taco__expr *e)
{
    taco__expr *c;
    taco__vtype type;
    bool junction = e->kind == TACO__X_AND || e->kind == TACO__X_OR || e->kind == TACO__X_NOT;
    for (c = e->first; c; c = c->next) {
        if (!taco__expr_bind_node(b, c) || (junction && !taco__expr_condition(b, c))) {
            return false;
        }
    }
    switch (e->kind) {
    case TACO__X_COLUMN: return taco__expr_bind_column(b, e);
    case TACO__X_AND:
    case TACO__X_OR: return taco__expr_bind_junction(b, e);
    case TACO__X_NOT: taco__expr_become(e, e->first); return taco__expr_invert(b, e);
    case TACO__X_CMP:
        return taco__expr_unify(b, e, e->op == TACO__EQ || e->op == TACO__NE, &type) &&
               taco__expr_bind_cmp(b, e, &type);
    case TACO__X_BETWEEN: return taco__expr_bind_between(b, e);
    case TACO__X_IN: return taco__expr_bind_in(b, e);
    case TACO__X_LIKE: return taco__expr_bind_like(b, e);
    case TACO__X_IS: return taco__expr_bind_is(b, e);
    case TACO__X_RANGE: return taco__expr_bind_range(b, e);
    case TACO__X_CUSTOM: return taco__expr_bind_custom(b, e);
    default: return true; /* CONST */
    }
}
/* Resolves names among the n columns, checks types, converts literals, folds constants. The columns are borrowed for as
   long as the tree lives. Failures: NOT_FOUND with the nearest names, TYPE, MEMORY. A tree is bound once. */
TACO__FN bool taco__expr_bind(taco__expr *e, const taco_field *columns, size_t n,
                              taco__arena *arena, taco_error *err)
{
    taco__binder b;
    b.arena = arena;
    b.columns = columns;
    b.n = n;
    b.err = err;
    if (e->bound) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is bound already");
        return false;
    }
    if (!taco__expr_bind_node(&b, e) || !taco__expr_condition(&b, e)) {
        return false;
    }
    e->bound = true;
    return true;
}
/* Sets the bit of every column a bound tree reads; the others keep theirs. */
TACO__FN void taco__expr_columns(const taco__expr *e, uint8_t *bitmap)
{
    const taco__expr *c;
    if (e->kind == TACO__X_COLUMN || e->kind == TACO__X_TEST || e->kind == TACO__X_CUSTOM) {
        taco__base_bit_set(bitmap, e->column);
    }
    for (c = e->kind == TACO__X_TEST ? NULL : e->first; c; c = c->next) {
        taco__expr_columns(c, bitmap);
    }
}

/* ==== ROOM eval: run a bound condition over batches, or over statistics. Uses: expr like value mem error base ==== */

/* A condition is evaluated node by node over whole batches into two bitmaps: true_bits and valid_bits, true being a subset
   of valid. FALSE is valid and not true. Bitmaps are arrays of 64-bit words whose bits behind the last row are 0. */

typedef struct taco__eval_block {
    struct taco__eval_block *next;
    size_t                   size, used;
} taco__eval_block;

typedef struct taco__eval {
    const taco_array **columns;
    size_t             rows, words;
    taco__mem         *mem;
    taco__eval_block  *blocks; /* scratch, newest first */
    taco_error        *err;
} taco__eval;

#define TACO__EVAL_HEAD ((sizeof(taco__eval_block) + 63) & ~(size_t)63)

/* Scratch that lives to the end of the call, not cleared: an arena whose pieces may be large. */
TACO__FN void *taco__eval_take(taco__eval *v, size_t size)
{
    taco__eval_block *b = v->blocks;
    size_t            need = (size + 63) & ~(size_t)63, cap, total;
    if (size > SIZE_MAX - 64 || !b || need > b->size - b->used) {
        cap = TACO__MAX(need, v->words * 64 + 4096); /* eight bitmaps */
        if (size > SIZE_MAX - 64 || !taco__base_addz(cap, TACO__EVAL_HEAD, &total)) {
            TACO__FAIL(v->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                       TACO__U(size));
            return NULL;
        }
        b = (taco__eval_block *)taco__mem_resize(v->mem, NULL, 0, total, v->err);
        if (!b) {
            return NULL;
        }
        b->next = v->blocks;
        b->size = cap;
        b->used = 0;
        v->blocks = b;
    }
    b->used += need;
    return (uint8_t *)b + TACO__EVAL_HEAD + b->used - need;
}
/* Gives back what was taken since `block` was the newest and had `used` bytes taken; NULL and 0 give back everything. */
TACO__FN void taco__eval_drop(taco__eval *v, taco__eval_block *block, size_t used)
{
    while (v->blocks != block) {
        taco__eval_block *b = v->blocks;
        v->blocks = b->next;
        taco__mem_free(v->mem, b, TACO__EVAL_HEAD + b->size);
    }
    if (block) {
        block->used = used;
    }
}
/* Room for one bit a row. */
TACO__FN uint64_t *taco__eval_bits(taco__eval *v)
{
    return (uint64_t *)taco__eval_take(v, v->words * 8);
}

/* ---- bitmaps ---- */

TACO__INLINE uint64_t taco__eval_tail(size_t rows) /* the bits of the last word that are rows */
{
    return rows % 64 ? UINT64_MAX >> (64 - rows % 64) : UINT64_MAX;
}
/* An Arrow bitmap as words; NULL is all ones. Reads no byte behind the last row's. */
TACO__FN void taco__eval_load(const uint8_t *bitmap, size_t rows, uint64_t *out)
{
    size_t i, n = rows / 64, left = rows % 64;
    for (i = 0; i < n; i++) {
        out[i] = bitmap ? taco__base_le64(bitmap + i * 8) : UINT64_MAX;
    }
    if (left) {
        uint8_t last[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
        if (bitmap) {
            memcpy(last, bitmap + n * 8, TACO__BITMAP_BYTES(left));
        }
        out[n] = taco__base_le64(last) & taco__eval_tail(rows);
    }
}
/* Words back to an Arrow bitmap of (rows + 7) / 8 bytes. */
TACO__FN void taco__eval_store(const uint64_t *bits, size_t rows, uint8_t *out)
{
    size_t  i, n = rows / 64, left = rows % 64;
    uint8_t last[8];
    for (i = 0; i < n; i++) {
        taco__base_put64(out + i * 8, bits[i]);
    }
    if (left) {
        taco__base_put64(last, bits[n]);
        memcpy(out + n * 8, last, TACO__BITMAP_BYTES(left));
    }
}
/* All rows alike, the bits behind them 0. */
TACO__FN void taco__eval_fill(const taco__eval *v, uint64_t *bits, bool set)
{
    memset(bits, set ? 0xFF : 0, v->words * 8);
    if (v->words) {
        bits[v->words - 1] &= taco__eval_tail(v->rows);
    }
}

/* ---- kernels: 64 values to a word ---- */

/* Each packs the outcomes of 64 rows into bytes first, which compilers vectorise, and then eight bytes into eight bits
   with a multiplication that moves bit 0 of byte i to bit 56 + i. */
TACO__INLINE uint64_t taco__eval_pack(const uint8_t *flags)
{
    uint64_t w = 0;
    int      i;
    for (i = 0; i < 8; i++) {
        w |= ((taco__base_le64(flags + i * 8) * UINT64_C(0x0102040810204080)) >> 56) << i * 8;
    }
    return w;
}
#define TACO__EVAL_KERNEL(name, type, parameters, condition)                                       \
    TACO__FN void name(const type *x, size_t n, uint64_t *out, parameters)                         \
    {                                                                                              \
        uint8_t flags[64];                                                                         \
        size_t  i, w = 0;                                                                          \
        for (; n >= 64; n -= 64, x += 64) {                                                        \
            for (i = 0; i < 64; i++) {                                                             \
                flags[i] = (uint8_t)(condition);                                                   \
            }                                                                                      \
            out[w++] = taco__eval_pack(flags);                                                     \
        }                                                                                          \
        if (n) {                                                                                   \
            memset(flags, 0, sizeof flags);                                                        \
            for (i = 0; i < n; i++) {                                                              \
                flags[i] = (uint8_t)(condition);                                                   \
            }                                                                                      \
            out[w] = taco__eval_pack(flags);                                                       \
        }                                                                                          \
    }
#define TACO__EVAL_TWO(type) type lo, type hi
/* The same for conditions that need the row's number, `row`, and do not vectorise: a loop inside a function that has n
   and out. No word is written twice, so no row waits for the one before it. */
#define TACO__EVAL_EACH(condition)                                                                 \
    {                                                                                              \
        uint8_t flags[64] = {0};                                                                   \
        size_t  row = 0, bit;                                                                      \
        while (row < n) {                                                                          \
            size_t more = TACO__MIN(n - row, (size_t)64);                                          \
            for (bit = 0; bit < more; bit++, row++) {                                              \
                flags[bit] = (uint8_t)(condition);                                                 \
            }                                                                                      \
            memset(flags + more, 0, 64 - more);                                                    \
            out[(row - 1) / 64] = taco__eval_pack(flags);                                          \
        }                                                                                          \
    }

/* x in [lo, hi] as one unsigned comparison: below lo wraps to above hi - lo. */
TACO__EVAL_KERNEL(taco__eval_in_i32, int32_t, TACO__EVAL_TWO(int32_t),
                  (uint32_t)x[i] - (uint32_t)lo <= (uint32_t)hi - (uint32_t)lo)
TACO__EVAL_KERNEL(taco__eval_in_i64, int64_t, TACO__EVAL_TWO(int64_t),
                  (uint64_t)x[i] - (uint64_t)lo <= (uint64_t)hi - (uint64_t)lo)
TACO__EVAL_KERNEL(taco__eval_in_f32, float, TACO__EVAL_TWO(float), (x[i] >= lo) & (x[i] <= hi))
TACO__EVAL_KERNEL(taco__eval_in_f64, double, TACO__EVAL_TWO(double), (x[i] >= lo) & (x[i] <= hi))
/* not below lo: NaN, the greatest, is in */
TACO__EVAL_KERNEL(taco__eval_from_f32, float, float lo, !(x[i] < lo))
TACO__EVAL_KERNEL(taco__eval_from_f64, double, double lo, !(x[i] < lo))
TACO__EVAL_KERNEL(taco__eval_nan_f32, float, float lo, (x[i] != x[i]) & (lo == lo))
TACO__EVAL_KERNEL(taco__eval_nan_f64, double, double lo, (x[i] != x[i]) & (lo == lo))

#if TACO__X86
/* The three 64-bit kernels with AVX2, four rows to a comparison. They return how many rows they did, a multiple of 64. */
TACO__TARGET("avx2")
TACO__FN size_t taco__eval_in_i64_avx2(const int64_t *x, size_t n, uint64_t *out, int64_t lo,
                                       int64_t hi)
{
    __m256i l = _mm256_set1_epi64x(lo), h = _mm256_set1_epi64x(hi);
    size_t  i, k;
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t outside = 0;
        for (k = 0; k < 64; k += 4) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(x + i + k));
            __m256i m = _mm256_or_si256(_mm256_cmpgt_epi64(l, v), _mm256_cmpgt_epi64(v, h));
            outside |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(m)) << k;
        }
        out[i / 64] = ~outside;
    }
    return i;
}
TACO__TARGET("avx2")
TACO__FN size_t taco__eval_in_f64_avx2(const double *x, size_t n, uint64_t *out, double lo,
                                       double hi)
{
    __m256d l = _mm256_set1_pd(lo), h = _mm256_set1_pd(hi);
    size_t  i, k;
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t inside = 0;
        for (k = 0; k < 64; k += 4) {
            __m256d v = _mm256_loadu_pd(x + i + k);
            __m256d m =
                _mm256_and_pd(_mm256_cmp_pd(v, l, _CMP_GE_OQ), _mm256_cmp_pd(v, h, _CMP_LE_OQ));
            inside |= (uint64_t)(unsigned)_mm256_movemask_pd(m) << k;
        }
        out[i / 64] = inside;
    }
    return i;
}
TACO__TARGET("avx2")
TACO__FN size_t taco__eval_from_f64_avx2(const double *x, size_t n, uint64_t *out, double lo)
{
    __m256d l = _mm256_set1_pd(lo);
    size_t  i, k;
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t inside = 0;
        for (k = 0; k < 64; k += 4) {
            inside |= (uint64_t)(unsigned)_mm256_movemask_pd(
                          _mm256_cmp_pd(_mm256_loadu_pd(x + i + k), l, _CMP_NLT_UQ))
                      << k;
        }
        out[i / 64] = inside;
    }
    return i;
}
#endif
/* The kernel for this machine; the portable one does what is left of the last word. */
TACO__FN void taco__eval_range_i64(const int64_t *x, size_t n, uint64_t *out, int64_t lo,
                                   int64_t hi)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__eval_in_i64_avx2(x, n, out, lo, hi) : 0;
#endif
    taco__eval_in_i64(x + done, n - done, out + done / 64, lo, hi);
}
TACO__FN void taco__eval_range_f64(const double *x, size_t n, uint64_t *out, double lo, double hi)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__eval_in_f64_avx2(x, n, out, lo, hi) : 0;
#endif
    taco__eval_in_f64(x + done, n - done, out + done / 64, lo, hi);
}
TACO__FN void taco__eval_least_f64(const double *x, size_t n, uint64_t *out, double lo)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__eval_from_f64_avx2(x, n, out, lo) : 0;
#endif
    taco__eval_from_f64(x + done, n - done, out + done / 64, lo);
}

/* ---- keys of columns ---- */

#define TACO__EVAL_STEP 512 /* rows converted at a time, a multiple of 64 */

/* INT96 to microseconds, cut as DuckDB cuts them, held at the ends of int64. */
TACO__FN int64_t taco__eval_int96(const uint8_t *p)
{
    int64_t nanos = (int64_t)taco__base_le64(p),
            day = (int64_t)(int32_t)taco__base_le32(p + 8) - 2440588;
    int64_t us = nanos / 1000;
    if (day > 106751990 || day < -106751990) {
        return day > 0 ? INT64_MAX : INT64_MIN;
    }
    day *= INT64_C(86400000000);
    return us > 0 && day > INT64_MAX - us   ? INT64_MAX
           : us < 0 && day < INT64_MIN - us ? INT64_MIN
                                            : day + us;
}
#define TACO__EVAL_KEYS(field, expression)                                                         \
    for (i = 0; i < n; i++) {                                                                      \
        out[i] = (int64_t)(expression);                                                            \
    }                                                                                              \
    break
/* Keys of rows [from, from + n) of a plain array whose keys have 64 bits. UINT64 comes with its top bit flipped. */
TACO__FN void taco__eval_keys(const taco_array *a, size_t from, size_t n, int64_t *out)
{
    size_t i;
    switch (a->field->type) {
    case TACO_BOOL: TACO__EVAL_KEYS(u8, taco__base_bit(a->v.u8, from + i));
    case TACO_INT8: TACO__EVAL_KEYS(i8, a->v.i8[from + i]);
    case TACO_INT16: TACO__EVAL_KEYS(i16, a->v.i16[from + i]);
    case TACO_INT32:
    case TACO_DATE: TACO__EVAL_KEYS(i32, a->v.i32[from + i]);
    case TACO_UINT8: TACO__EVAL_KEYS(u8, a->v.u8[from + i]);
    case TACO_UINT16: TACO__EVAL_KEYS(u16, a->v.u16[from + i]);
    case TACO_UINT32: TACO__EVAL_KEYS(u32, a->v.u32[from + i]);
    case TACO_UINT64: TACO__EVAL_KEYS(u64, a->v.u64[from + i] ^ (uint64_t)1 << 63);
    case TACO_HALF: TACO__EVAL_KEYS(u16, taco__value_key_f32(taco__num_half(a->v.u16[from + i])));
    case TACO_FLOAT: TACO__EVAL_KEYS(f32, taco__value_key_f32(a->v.f32[from + i]));
    case TACO_DOUBLE: TACO__EVAL_KEYS(f64, taco__value_key_f64(a->v.f64[from + i]));
    case TACO_INT96: TACO__EVAL_KEYS(u8, taco__eval_int96(a->v.u8 + (from + i) * 12));
    case TACO_TIME:
        if (a->field->width == 4) {
            TACO__EVAL_KEYS(i32, a->v.i32[from + i]);
        }
        TACO__EVAL_KEYS(i64, a->v.i64[from + i]);
    default: TACO__EVAL_KEYS(i64, a->v.i64[from + i]); /* INT64, TIMESTAMP */
    }
}
/* Bytes of row i of a plain TEXT, BINARY, FIXED, UUID or wide DECIMAL array. */
TACO__INLINE taco_bytes taco__eval_bytes(const taco_array *a, size_t i)
{
    taco_bytes b;
    if (a->offsets) {
        b.data = a->v.u8 + a->offsets[i];
        b.len = (size_t)(a->offsets[i + 1] - a->offsets[i]);
    } else {
        b.len = (size_t)a->field->width;
        b.data = a->v.u8 + i * b.len;
    }
    return b;
}
/* A DECIMAL of a plain array. One beyond the range of keys is held at its end, where no literal reaches. */
TACO__FN taco__i256 taco__eval_decimal(const taco_array *a, size_t i)
{
    taco__i256  d = taco__i256_from(0), lo, hi;
    taco__vtype t = taco__value_type(TACO_DECIMAL);
    taco_bytes  b = taco__eval_bytes(a, i);
    bool        fits = true, neg;
    if (!a->offsets) {
        d = b.len ? taco__i256_le(b.data, TACO__MIN(b.len, (size_t)32)) : d;
        neg = taco__i256_neg(&d);
    } else {
        fits = taco__i256_be(b, &d);
        neg = b.len && (b.data[0] & 0x80);
    }
    if (!fits || b.len == 32) {
        taco__value_key_bounds(&t, &lo, &hi);
        if (!fits || taco__i256_cmp(&d, &lo) < 0 || taco__i256_cmp(&d, &hi) > 0) {
            d = neg ? lo : hi;
        }
    }
    return d;
}

/* ---- tests ---- */

/* Number of ranges whose lower end is not above the key, less one, is the only range it can be in. */
TACO__FN bool taco__eval_in_ranges(const taco__test *t, int64_t key)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (t->lo64[mid] <= key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo > 0 && key <= t->hi64[lo - 1];
}
/* The same with keys of 256 bits. */
TACO__FN bool taco__eval_in_wide(const taco__test *t, taco__i256 key)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (taco__i256_cmp(&t->lo[mid], &key) <= 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo > 0 && taco__i256_cmp(&key, &t->hi[lo - 1]) <= 0;
}
/* Without branches: which way a comparison of decimals goes is not predictable. */
TACO__INLINE bool taco__eval_in_128(const uint8_t *p, const taco__i256 *lo, const taco__i256 *hi)
{
    uint64_t low = taco__base_le64(p);
    int64_t  high = (int64_t)taco__base_le64(p + 8), a = (int64_t)lo->w[1], b = (int64_t)hi->w[1];
    return ((high > a) | ((high == a) & (low >= lo->w[0]))) &
           ((high < b) | ((high == b) & (low <= hi->w[0])));
}
/* DECIMAL of 16 bytes, the only width whose speed matters: 128-bit comparisons against the first range. */
TACO__FN void taco__eval_decimal128(const taco_array *a, size_t n, const taco__test *t,
                                    uint64_t *out)
{
    taco__i256     lo, hi, least = taco__i256_from(0), most;
    const uint8_t *p = a->v.u8;
    least.w[1] = (uint64_t)1
                 << 63; /* the ends of 128 bits, so that ranges that reach beyond are cut to them */
    least.w[2] = least.w[3] = UINT64_MAX;
    most = taco__i256_add(taco__i256_negate(least), taco__i256_from(-1));
    lo = taco__i256_cmp(&t->lo[0], &least) < 0 ? least : t->lo[0];
    hi = taco__i256_cmp(&t->hi[0], &most) > 0 ? most : t->hi[0];
    if (taco__i256_cmp(&lo, &most) > 0 || taco__i256_cmp(&hi, &least) < 0) {
        memset(out, 0, (n + 63) / 64 * 8);
        return;
    }
    TACO__EVAL_EACH(taco__eval_in_128(p + row * 16, &lo, &hi))
}
/* FLOAT and DOUBLE against one range of keys, in the column's own arithmetic. */
TACO__FN void taco__eval_float(const taco_array *a, size_t n, int64_t lo, int64_t hi, uint64_t *out)
{
    bool    single = a->field->type == TACO_FLOAT;
    int64_t inf = single ? TACO__KEY_INF32 : TACO__KEY_INF64;
    if (lo > inf) {
        if (single) {
            taco__eval_nan_f32(a->v.f32, n, out, 0);
        } else {
            taco__eval_nan_f64(a->v.f64, n, out, 0);
        }
    } else if (hi > inf) {
        if (single) {
            taco__eval_from_f32(a->v.f32, n, out, taco__value_unkey_f32(lo));
        } else {
            taco__eval_least_f64(a->v.f64, n, out, taco__value_unkey_f64(lo));
        }
    } else if (single) {
        taco__eval_in_f32(a->v.f32, n, out, taco__value_unkey_f32(lo), taco__value_unkey_f32(hi));
    } else {
        taco__eval_range_f64(a->v.f64, n, out, taco__value_unkey_f64(lo),
                             taco__value_unkey_f64(hi));
    }
}
/* Keys against more than one range. */
TACO__FN void taco__eval_ranges(const taco__test *t, const int64_t *keys, size_t n,
                                uint64_t *out){TACO__EVAL_EACH(taco__eval_in_ranges(t, keys[row]))}
/* Chooses the loop once for the batch: the column's own storage where it has a kernel, else keys a piece at a time. */
TACO__FN
    void taco__eval_test_keys(const taco_array *a, size_t n, const taco__test *t, uint64_t *out)
{
    int64_t   keys[TACO__EVAL_STEP];
    taco_type type = a->field->type;
    size_t    at, k;
    if (t->n == 0) {
        memset(out, 0, (n + 63) / 64 * 8);
    } else if (type == TACO_DECIMAL && t->n == 1 && a->field->width == 16) {
        taco__eval_decimal128(a, n, t, out);
    } else if (type == TACO_DECIMAL) {
        TACO__EVAL_EACH(taco__eval_in_wide(t, taco__eval_decimal(a, row)))
    } else if (t->n == 1 && (type == TACO_FLOAT || type == TACO_DOUBLE)) {
        taco__eval_float(a, n, t->lo64[0], t->hi64[0], out);
    } else if (t->n == 1 && (type == TACO_INT64 || type == TACO_TIMESTAMP ||
                             (type == TACO_TIME && a->field->width != 4))) {
        taco__eval_range_i64(a->v.i64, n, out, t->lo64[0], t->hi64[0]);
    } else if (t->n == 1 && (type == TACO_INT32 || type == TACO_DATE)) {
        taco__eval_in_i32(a->v.i32, n, out, (int32_t)t->lo64[0], (int32_t)t->hi64[0]);
    } else {
        for (at = 0; at < n; at += k) {
            k = TACO__MIN(n - at, (size_t)TACO__EVAL_STEP);
            taco__eval_keys(a, at, k, keys);
            if (t->n == 1) {
                taco__eval_range_i64(keys, k, out + at / 64, t->lo64[0], t->hi64[0]);
                continue;
            }
            taco__eval_ranges(t, keys, k, out + at / 64);
        }
    }
}
/* Binary search: a list may come from a file of ids. */
TACO__FN bool taco__eval_in_list(const taco__test *t, taco_bytes b)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int    c = taco__base_order(t->list[mid], b);
        if (c == 0) {
            return true;
        }
        if (c < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return false;
}
/* Between two texts, each end open, closed or absent. */
TACO__FN bool taco__eval_in_bytes(const taco__test *t, taco_bytes b)
{
    int low = t->has_low ? taco__base_order(b, t->low) : 1,
        high = t->has_high ? taco__base_order(b, t->high) : -1;
    return (t->open_low ? low > 0 : low >= 0) && (t->open_high ? high < 0 : high <= 0);
}
/* Lengths first: they differ far more often than the bytes do. */
TACO__INLINE bool taco__eval_same(taco_bytes b, taco_bytes want)
{
    return b.len == want.len && (want.len == 0 || memcmp(b.data, want.data, want.len) == 0);
}
/* One text for equality, the commonest test: lengths first, then the bytes of the few that are left. */
TACO__FN void taco__eval_equal(const taco_array *a, size_t n, taco_bytes want, uint64_t *out)
{
    const int32_t *offsets = a->offsets;
    size_t         w;
    if (!offsets || want.len > INT32_MAX) {
        TACO__EVAL_EACH(taco__eval_same(taco__eval_bytes(a, row), want))
        return;
    }
    TACO__EVAL_EACH((uint32_t)offsets[row + 1] - (uint32_t)offsets[row] == (uint32_t)want.len)
    for (w = 0; want.len && w < (n + 63) / 64; w++) {
        uint64_t left = out[w];
        for (; left; left &= left - 1) {
            size_t i = w * 64 + taco__plat_ctz64(left);
            if (memcmp(a->v.u8 + offsets[i], want.data, want.len) != 0) {
                out[w] &= ~((uint64_t)1 << i % 64);
            }
        }
    }
}
/* One loop for each kind of test, so that nothing is decided row by row. */
TACO__FN void taco__eval_test_bytes(const taco_array *a, size_t n, const taco__test *t,
                                    uint64_t *out)
{
    if (t->mode == TACO__TEST_LIST && t->n == 1) {
        taco__eval_equal(a, n, t->list[0], out);
    } else if (t->mode == TACO__TEST_LIST) {
        TACO__EVAL_EACH(taco__eval_in_list(t, taco__eval_bytes(a, row)))
    } else if (t->mode == TACO__TEST_RANGE) {
        TACO__EVAL_EACH(taco__eval_in_bytes(t, taco__eval_bytes(a, row)))
    } else {
        TACO__EVAL_EACH(taco__like_match(&t->like, taco__eval_bytes(a, row)))
    }
}
/* A test of an array without a dictionary; NULLs are not looked at. */
TACO__FN void taco__eval_test_plain(const taco_array *a, size_t n, const taco__test *t,
                                    uint64_t *out)
{
    if (t->mode == TACO__TEST_KEYS) {
        taco__eval_test_keys(a, n, t, out);
    } else {
        taco__eval_test_bytes(a, n, t, out);
    }
}
/* Verdict by index; pass has one entry more, for indices outside. */
TACO__FN void taco__eval_look_up(const int32_t *index, size_t n, const uint8_t *pass,
                                 uint32_t entries, uint64_t *out){
    TACO__EVAL_EACH(pass[(uint32_t)index[row] < entries ? (uint32_t)index[row] : entries])}
/* Verdicts on the dictionary's entries, then one look-up a row. Where the entries that pass lie side by side, as a single
   one does, the look-up is a comparison of indices. Indices of NULL rows may be anything: they are kept inside. */
TACO__FN bool taco__eval_test_dictionary(taco__eval *v, const taco_array *a, const taco__test *t,
                                         uint64_t *out)
{
    const taco_array *d = a->dictionary;
    size_t            n = d->length, i, hits = 0, first = 0, last = 0;
    uint64_t         *words = (uint64_t *)taco__eval_take(v, (n + 63) / 64 * 8 + 8);
    uint8_t          *pass = (uint8_t *)taco__eval_take(v, n + 1);
    const int32_t    *index = a->v.i32;
    if (!words || !pass) {
        return false;
    }
    taco__eval_test_plain(d, n, t, words);
    for (i = 0; i < n; i++) {
        pass[i] = (uint8_t)(words[i / 64] >> i % 64 & 1);
        if (pass[i]) {
            first = hits++ ? first : i;
            last = i;
        }
    }
    pass[n] = 0;
    if (hits == 0) {
        taco__eval_fill(v, out, false);
    } else if (hits == last - first + 1) {
        taco__eval_in_i32(index, v->rows, out, (int32_t)first, (int32_t)last);
    } else {
        taco__eval_look_up(index, v->rows, pass, (uint32_t)n, out);
    }
    return true;
}
/* The array of a column, checked against what the condition was bound to. */
TACO__FN const taco_array *taco__eval_column(taco__eval *v, const taco__expr *e)
{
    const taco_array *a = v->columns[e->column];
    const taco_field *f = a && a->dictionary ? a->dictionary->field : a ? a->field : NULL;
    if (!f || a->length < v->rows || f->type != e->field->type ||
        (f->width != e->field->width && f->type != TACO_DECIMAL)) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition needs column %q as %s with %u rows", &e->name,
                   taco__value_type_name(e->field->type), TACO__U(v->rows));
        return NULL;
    }
    return a;
}
/* A TEST: its outcome on the stored values, then NOT, then the NULLs of column and list. */
TACO__FN bool taco__eval_test(taco__eval *v, const taco__expr *e, uint64_t *yes, uint64_t *valid)
{
    const taco_array *a = taco__eval_column(v, e);
    const taco__test *t = e->test;
    size_t            i;
    if (!a) {
        return false;
    }
    if (a->dictionary && a->dictionary->length <= v->rows * 4 + 64) {
        if (!taco__eval_test_dictionary(v, a, t, yes)) {
            return false;
        }
    } else if (a->dictionary) { /* far more entries than rows: only those that are used */
        memset(yes, 0, v->words * 8);
        for (i = 0; i < v->rows; i++) {
            uint64_t   one = 0;
            taco_array entry = *a->dictionary;
            uint32_t   k = (uint32_t)a->v.i32[i];
            if (k < entry.length) {
                if (entry.offsets) {
                    entry.offsets += k;
                } else if (entry.field->type == TACO_BOOL) {
                    continue; /* two entries never outnumber the rows */
                } else {
                    entry.v.u8 += (size_t)entry.field->width * k;
                }
                taco__eval_test_plain(&entry, 1, t, &one);
                yes[i / 64] |= one << i % 64;
            }
        }
    } else {
        taco__eval_test_plain(a, v->rows, t, yes);
    }
    taco__eval_load(a->validity, v->rows, valid);
    for (i = 0; i < v->words; i++) {
        uint64_t in = yes[i] & valid[i], known = t->null_rest ? in : valid[i];
        yes[i] = e->neg ? known & ~in : in;
        valid[i] = known;
    }
    if (t->null_false) { /* NULL rows are outside, which is a known answer */
        for (i = 0; i < v->words; i++) {
            yes[i] |= e->neg ? ~valid[i] : 0;
        }
        taco__eval_fill(v, valid, true);
        yes[v->words - 1] &= taco__eval_tail(v->rows);
    }
    return true;
}

/* ---- values row by row: columns with columns ---- */

typedef struct taco__eval_side {
    const taco__expr *e;
    const taco_array *a, *plain; /* COLUMN: the array, and the one with its values */
    uint64_t         *yes;       /* a condition as a value */
    uint64_t         *valid;
} taco__eval_side;

TACO__FN bool taco__eval_node(taco__eval *v, const taco__expr *e, bool only_true, uint64_t *yes,
                              uint64_t *valid);

/* Prepares a side: finds the array, or evaluates a condition that is used as a value. */
TACO__FN bool taco__eval_open(taco__eval *v, const taco__expr *e, taco__eval_side *s)
{
    memset(s, 0, sizeof *s);
    s->e = e;
    s->valid = taco__eval_bits(v);
    if (!s->valid) {
        return false;
    }
    if (e->kind == TACO__X_CONST) {
        taco__eval_fill(v, s->valid, e->type.id != TACO_NULL);
        return true;
    }
    if (e->kind == TACO__X_COLUMN) {
        s->a = taco__eval_column(v, e);
        if (!s->a) {
            return false;
        }
        s->plain = s->a->dictionary ? s->a->dictionary : s->a;
        taco__eval_load(s->a->validity, v->rows, s->valid);
        return true;
    }
    s->yes = taco__eval_bits(v);
    return s->yes && taco__eval_node(v, e, false, s->yes, s->valid);
}
/* The place of row i in s->plain, false when it has none (an index of a NULL row may be anything). */
TACO__INLINE bool taco__eval_place(const taco__eval_side *s, size_t i, size_t *out)
{
    *out = s->a->dictionary ? (size_t)(uint32_t)s->a->v.i32[i] : i;
    return *out < s->plain->length;
}
/* Row i as a scalar. The slow way, for pairs of types without a loop of their own. */
TACO__FN taco__value taco__eval_value(const taco__eval_side *s, size_t i)
{
    taco__value v = taco__value_null();
    taco_type   type;
    int64_t     key;
    size_t      at;
    if (s->e->kind == TACO__X_CONST) {
        return s->e->value;
    }
    if (s->e->kind != TACO__X_COLUMN) {
        return taco__expr_bool(s->yes[i / 64] >> i % 64 & 1);
    }
    v.type = s->e->type;
    if (!taco__eval_place(s, i, &at)) {
        return v;
    }
    type = s->plain->field->type;
    if (taco__value_is_bytes(v.type.id)) {
        v.b = taco__eval_bytes(s->plain, at);
    } else if (type == TACO_DECIMAL) {
        v.d = taco__eval_decimal(s->plain, at);
    } else {
        taco__eval_keys(s->plain, at, 1, &key);
        if (type == TACO_UINT64) {
            v.d = taco__i256_from_u64((uint64_t)key ^ (uint64_t)1 << 63);
        } else {
            v = taco__value_unkey(&v.type, taco__i256_from(key));
        }
    }
    return v;
}
/* Sides whose 64-bit keys compare as they are: integers, and dates and times of one unit. */
TACO__FN bool taco__eval_same_keys(const taco__vtype *a, const taco__vtype *b)
{
    bool ints = (taco__value_is_int(a->id) || a->id == TACO_BOOL) &&
                (taco__value_is_int(b->id) || b->id == TACO_BOOL);
    if (ints) {
        return (a->id == TACO_UINT64) == (b->id == TACO_UINT64);
    }
    return a->id == b->id &&
           (a->id == TACO_DATE ||
            ((a->id == TACO_TIME || a->id == TACO_TIMESTAMP) && a->unit == b->unit));
}
/* Keys of n rows of a side, n at most TACO__EVAL_STEP. */
TACO__FN void taco__eval_side_keys(const taco__eval_side *s, size_t from, size_t n, int64_t *out)
{
    size_t i;
    if (s->e->kind == TACO__X_COLUMN && !s->a->dictionary) {
        taco__eval_keys(s->plain, from, n, out);
        return;
    }
    for (i = 0; i < n; i++) {
        taco__value x = taco__eval_value(s, from + i);
        out[i] = (int64_t)(x.d.w[0] ^ (x.type.id == TACO_UINT64 ? (uint64_t)1 << 63 : 0));
    }
}
/* The same as floating point numbers, rounded to FLOAT where that is the domain. */
TACO__FN void taco__eval_side_floats(const taco__eval_side *s, size_t from, size_t n, bool single,
                                     double *out)
{
    size_t i;
    if (s->e->kind == TACO__X_COLUMN && !s->a->dictionary && s->plain->field->type == TACO_DOUBLE &&
        !single) {
        memcpy(out, s->plain->v.f64 + from, n * sizeof *out);
        return;
    }
    if (s->e->kind == TACO__X_COLUMN && !s->a->dictionary && s->plain->field->type == TACO_FLOAT) {
        for (i = 0; i < n; i++) {
            out[i] = (double)s->plain->v.f32[from + i];
        }
        return;
    }
    for (i = 0; i < n; i++) {
        taco__value x = taco__eval_value(s, from + i);
        out[i] = taco__value_float(&x, single);
    }
}
/* out: x < y (less) or x = y, of rows [from, from + n); n at most TACO__EVAL_STEP. */
TACO__FN void taco__eval_pairs(const taco__expr *e, const taco__eval_side *x,
                               const taco__eval_side *y, size_t from, size_t n, bool less,
                               uint64_t *out)
{
    union {
        int64_t k[TACO__EVAL_STEP];
        double  f[TACO__EVAL_STEP];
    } a, b;
    if (e->domain == TACO__DOM_EXACT && taco__eval_same_keys(&x->e->type, &y->e->type)) {
        taco__eval_side_keys(x, from, n, a.k);
        taco__eval_side_keys(y, from, n, b.k);
        TACO__EVAL_EACH(less ? a.k[row] < b.k[row] : a.k[row] == b.k[row])
    } else if (e->domain == TACO__DOM_F32 || e->domain == TACO__DOM_F64) {
        taco__eval_side_floats(x, from, n, e->domain == TACO__DOM_F32, a.f);
        taco__eval_side_floats(y, from, n, e->domain == TACO__DOM_F32, b.f);
        if (less) {
            TACO__EVAL_EACH((a.f[row] < b.f[row]) |
                            ((b.f[row] != b.f[row]) & (a.f[row] == a.f[row])))
        } else {
            TACO__EVAL_EACH((a.f[row] == b.f[row]) |
                            ((b.f[row] != b.f[row]) & (a.f[row] != a.f[row])))
        }
    } else {
        size_t i;
        memset(out, 0, (n + 63) / 64 * 8);
        for (i = 0; i < n; i++) {
            size_t row = from + i;
            if (x->valid[row / 64] & y->valid[row / 64] & (uint64_t)1 << row % 64) {
                taco__value p = taco__eval_value(x, row), q = taco__eval_value(y, row);
                int         c = taco__value_cmp(e->domain, &p, &q);
                out[i / 64] |= (uint64_t)(less ? c < 0 : c == 0) << i % 64;
            }
        }
    }
}
/* Two sides that are not a column and a constant. GT and LE swap the sides, NE, LE and GE negate: two loops are enough. */
TACO__FN bool taco__eval_cmp(taco__eval *v, const taco__expr *e, uint64_t *yes, uint64_t *valid)
{
    taco__eval_side x, y;
    bool            equal = e->op == TACO__EQ || e->op == TACO__NE,
         swap = e->op == TACO__GT || e->op == TACO__LE;
    bool   negate = e->op == TACO__NE || e->op == TACO__LE || e->op == TACO__GE;
    size_t at, i;
    if (!taco__eval_open(v, e->first, &x) || !taco__eval_open(v, e->first->next, &y)) {
        return false;
    }
    for (at = 0; at < v->rows; at += TACO__EVAL_STEP) {
        size_t n = TACO__MIN(v->rows - at, (size_t)TACO__EVAL_STEP);
        taco__eval_pairs(e, swap ? &y : &x, swap ? &x : &y, at, n, !equal, yes + at / 64);
    }
    for (i = 0; i < v->words; i++) {
        uint64_t both = x.valid[i] & y.valid[i], in = yes[i] & both;
        if (e->nullsafe) { /* two NULLs are equal, a NULL and a value differ */
            in |= ~(x.valid[i] | y.valid[i]);
            both = UINT64_MAX;
        }
        yes[i] = negate ? both & ~in : in;
        valid[i] = both;
    }
    yes[v->words - 1] &= taco__eval_tail(v->rows);
    valid[v->words - 1] &= taco__eval_tail(v->rows);
    return true;
}
/* LIKE whose pattern is a column. */
TACO__FN bool taco__eval_like(taco__eval *v, const taco__expr *e, uint64_t *yes, uint64_t *valid)
{
    taco__eval_side x, y;
    taco__like      k = e->test->like;
    size_t          i;
    if (!taco__eval_open(v, e->first, &x) || !taco__eval_open(v, e->first->next, &y)) {
        return false;
    }
    k.mode = TACO__LIKE_FULL;
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->words; i++) {
        valid[i] = x.valid[i] & y.valid[i];
    }
    for (i = 0; i < v->rows; i++) {
        if (valid[i / 64] >> i % 64 & 1) {
            k.pattern = taco__eval_value(&y, i).b;
            yes[i / 64] |= (uint64_t)(taco__like_match(&k, taco__eval_value(&x, i).b) != e->neg)
                           << i % 64;
        }
    }
    return true;
}

/* ---- nodes ---- */

/* IS on a column needs its validity only, whatever its type. */
TACO__FN bool taco__eval_is(taco__eval *v, const taco__expr *e, uint64_t *yes, uint64_t *valid)
{
    const taco__expr *c = e->first;
    uint64_t         *set = NULL;
    size_t            i;
    if (c->kind == TACO__X_COLUMN) {
        const taco_array *a = v->columns[c->column];
        if (!a || a->length < v->rows) {
            return taco__eval_column(v, c) != NULL;
        }
        taco__eval_load(a->validity, v->rows, valid);
    } else {
        set = taco__eval_bits(v);
        if (!set || !taco__eval_node(v, c, false, set, valid)) {
            return false;
        }
    }
    for (i = 0; i < v->words; i++) {
        uint64_t x = e->is == TACO__IS_NULL   ? ~valid[i]
                     : e->is == TACO__IS_TRUE ? set[i]
                                              : valid[i] & ~set[i];
        yes[i] = e->neg ? ~x : x;
    }
    yes[v->words - 1] &= taco__eval_tail(v->rows);
    taco__eval_fill(v, valid, true);
    return true;
}
/* Calls the predicate with byte bitmaps, which is what Arrow has, and takes words back. */
TACO__FN bool taco__eval_run_custom(taco__eval *v, const taco__expr *e, const taco_array *a,
                                    size_t rows, uint64_t *yes, uint64_t *valid)
{
    size_t   bytes = (rows + 63) / 64 * 8;
    uint8_t *t = (uint8_t *)taco__eval_take(v, bytes), *ok = (uint8_t *)taco__eval_take(v, bytes);
    size_t   i;
    if (!t || !ok) {
        return false;
    }
    memset(t, 0, bytes);
    taco__eval_load(a->validity, rows, valid);
    taco__eval_store(valid, rows, ok);
    if (!e->custom.eval(e->custom.ctx, a, rows, t, ok, v->err)) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "the condition on column %q failed",
                   &e->name);
        return false;
    }
    taco__eval_load(t, rows, yes);
    taco__eval_load(ok, rows, valid);
    for (i = 0; i < (rows + 63) / 64; i++) {
        yes[i] &= valid[i];
    }
    return true;
}
/* The caller's function never sees a dictionary with indices: it judges the entries, the rows look them up. */
TACO__FN bool taco__eval_custom(taco__eval *v, const taco__expr *e, uint64_t *yes, uint64_t *valid)
{
    const taco_array *a = taco__eval_column(v, e), *d = a ? a->dictionary : NULL;
    uint64_t         *dyes, *dvalid;
    size_t            i;
    if (!d) {
        return a && taco__eval_run_custom(v, e, a, v->rows, yes, valid);
    }
    dyes = (uint64_t *)taco__eval_take(v, (d->length + 64) / 64 * 8);
    dvalid = (uint64_t *)taco__eval_take(v, (d->length + 64) / 64 * 8);
    if (!dyes || !dvalid || !taco__eval_run_custom(v, e, d, d->length, dyes, dvalid)) {
        return false;
    }
    taco__eval_load(a->validity, v->rows, valid);
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->rows; i++) {
        uint32_t k = (uint32_t)a->v.i32[i];
        uint64_t in = k < d->length, t = in ? dyes[k / 64] >> k % 64 & 1 : 0,
                 ok = in ? dvalid[k / 64] >> k % 64 & 1 : 0;
        yes[i / 64] |= t << i % 64;
        valid[i / 64] &= ~((ok ^ 1) << i % 64);
    }
    for (i = 0; i < v->words; i++) {
        yes[i] &= valid[i];
    }
    return true;
}
/* only_true: the caller does not tell FALSE from NULL, so that a branch ends as soon as no row can become TRUE. */
TACO__FN bool taco__eval_junction(taco__eval *v, const taco__expr *e, bool only_true, uint64_t *yes,
                                  uint64_t *valid)
{
    const taco__expr *c = e->first;
    bool              is_and = e->kind == TACO__X_AND;
    uint64_t         *t = taco__eval_bits(v), *ok = taco__eval_bits(v);
    taco__eval_block *block;
    size_t            i, used;
    if (!t || !ok || !taco__eval_node(v, c, only_true, yes, valid)) {
        return false;
    }
    block = v->blocks; /* what a child takes is given back before the next: a chain may be long */
    used = block->used;
    for (c = c->next; c; c = c->next) {
        uint64_t open = 0; /* rows the rest can still change */
        for (i = 0; i < v->words; i++) {
            uint64_t rows = i + 1 == v->words ? taco__eval_tail(v->rows) : UINT64_MAX;
            open |= is_and ? (only_true ? yes[i] : (yes[i] | ~valid[i]) & rows) : ~yes[i] & rows;
        }
        if (!open) {
            return true;
        }
        if (!taco__eval_node(v, c, only_true, t, ok)) {
            return false;
        }
        taco__eval_drop(v, block, used);
        for (i = 0; i < v->words; i++) {
            uint64_t both = valid[i] & ok[i];
            if (is_and) { /* known when both are, or when one is FALSE */
                valid[i] = both | (valid[i] & ~yes[i]) | (ok[i] & ~t[i]);
                yes[i] &= t[i];
            } else { /* known when both are, or when one is TRUE */
                valid[i] = both | yes[i] | t[i];
                yes[i] |= t[i];
            }
        }
    }
    return true;
}
/* Fills yes and valid for every row of the batch. Recursion is as deep as the tree, which has a limit. */
TACO__FN bool taco__eval_node(taco__eval *v, const taco__expr *e, bool only_true, uint64_t *yes,
                              uint64_t *valid)
{
    size_t i;
    switch (e->kind) {
    case TACO__X_CONST:
        taco__eval_fill(v, yes, e->type.id != TACO_NULL && e->value.d.w[0] != 0);
        taco__eval_fill(v, valid, e->type.id != TACO_NULL);
        return true;
    case TACO__X_AND:
    case TACO__X_OR: return taco__eval_junction(v, e, only_true, yes, valid);
    case TACO__X_NOT:
        if (!taco__eval_node(v, e->first, false, yes, valid)) {
            return false;
        }
        for (i = 0; i < v->words; i++) {
            yes[i] = valid[i] & ~yes[i];
        }
        return true;
    case TACO__X_CMP: return taco__eval_cmp(v, e, yes, valid);
    case TACO__X_LIKE: return taco__eval_like(v, e, yes, valid);
    case TACO__X_IS: return taco__eval_is(v, e, yes, valid);
    case TACO__X_TEST: return taco__eval_test(v, e, yes, valid);
    case TACO__X_CUSTOM: return taco__eval_custom(v, e, yes, valid);
    default:
        TACO__FAIL(v->err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
}
/* Sets the bits of true_bits, least significant first and (rows + 7) / 8 bytes long, of rows for which e is TRUE; bits
   behind the last row are 0. columns holds an array of at least `rows` rows for every column taco__expr_columns names;
   the others may be NULL. mem pays for scratch that is gone when the call returns. */
TACO__FN bool taco__expr_eval(const taco__expr *e, const taco_array **columns, size_t rows,
                              uint8_t *true_bits, taco__mem *mem, taco_error *err)
{
    taco__eval v;
    uint64_t  *yes, *valid;
    bool       ok;
    memset(&v, 0, sizeof v);
    v.columns = columns;
    v.rows = rows;
    v.words = (rows + 63) / 64;
    v.mem = mem;
    v.err = err;
    if (!e->bound) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
    if (rows == 0) {
        return true;
    }
    yes = taco__eval_bits(&v);
    valid = taco__eval_bits(&v);
    ok = yes && valid && taco__eval_node(&v, e, true, yes, valid);
    if (ok) {
        taco__eval_store(yes, rows, true_bits);
    }
    taco__eval_drop(&v, NULL, 0);
    return ok;
}

/* ---- pruning: which results the rows of a range may have ---- */

/* The values of the column lie in [min, max] by key; a set of MAY_TRUE (some value inside the ranges) and MAY_FALSE. */
TACO__FN unsigned taco__prune_keys(const taco__test *t, const taco__vtype *type,
                                   const taco__value_range *r)
{
    taco__i256 lo, hi, inf, nan;
    unsigned   may = 0;
    size_t     i;
    bool       nans = taco__value_is_float(type->id), inside = false, nan_in = false;
    taco__value_key_bounds(type, &lo, &hi);
    nan = hi;
    inf = taco__i256_from(type->id == TACO_DOUBLE ? TACO__KEY_INF64 : TACO__KEY_INF32);
    if (r->has_min) {
        lo = taco__value_key(&r->min);
    }
    if (r->has_max) {
        hi = taco__value_key(&r->max);
    } else if (nans) {
        hi = inf;
    }
    for (i = 0; i < t->n; i++) {
        if (taco__i256_cmp(&t->lo[i], &hi) <= 0 && taco__i256_cmp(&lo, &t->hi[i]) <= 0) {
            may |= TACO__MAY_TRUE;
        }
        inside =
            inside || (taco__i256_cmp(&t->lo[i], &lo) <= 0 && taco__i256_cmp(&hi, &t->hi[i]) <= 0);
        nan_in = nan_in || taco__i256_cmp(&t->hi[i], &nan) >= 0;
    }
    may |= inside ? 0U : (unsigned)TACO__MAY_FALSE;
    if (nans) { /* the bounds never speak of NaN: any float column may hold some */
        may |= nan_in ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE;
    }
    return may;
}
/* The same for bytes. Bounds may be cut, but all values lie between them. */
TACO__FN unsigned taco__prune_bytes(const taco__test *t, const taco__value_range *r)
{
    taco_bytes min = r->min.b, max = r->max.b;
    bool       all = r->has_min && r->has_max;
    unsigned   may = 0;
    size_t     i, n = t->like.fixed.len;
    if (t->mode == TACO__TEST_LIST) {
        for (i = 0; i < t->n; i++) {
            if ((!r->has_min || taco__base_order(t->list[i], min) >= 0) &&
                (!r->has_max || taco__base_order(t->list[i], max) <= 0)) {
                may |= TACO__MAY_TRUE;
            }
        }
        return may | (all && may && taco__base_equal(min, max) ? 0U : (unsigned)TACO__MAY_FALSE);
    }
    if (t->mode == TACO__TEST_RANGE) {
        int above = t->has_high && r->has_min ? taco__base_order(min, t->high) : -1;
        int below = t->has_low && r->has_max ? taco__base_order(max, t->low) : 1;
        may = (t->open_high ? above < 0 : above <= 0) && (t->open_low ? below > 0 : below >= 0)
                  ? (unsigned)TACO__MAY_TRUE
                  : 0U;
        if (!(all && taco__eval_in_bytes(t, min) && taco__eval_in_bytes(t, max))) {
            may |= TACO__MAY_FALSE;
        }
        return may;
    }
    if (t->like.mode == TACO__LIKE_SUFFIX || t->like.mode == TACO__LIKE_INFIX) {
        return TACO__MAY_TRUE | (n ? (unsigned)TACO__MAY_FALSE : 0U);
    }
    /* EQUAL, PREFIX and FULL begin with `fixed`: everything between two texts that do does too */
    may = TACO__MAY_TRUE | TACO__MAY_FALSE;
    if ((r->has_max && taco__base_order(max, t->like.fixed) < 0) ||
        (r->has_min &&
         taco__base_order(taco__base_bytes(min.data, TACO__MIN(min.len, n)), t->like.fixed) > 0)) {
        may = TACO__MAY_FALSE;
    } else if (t->like.mode == TACO__LIKE_PREFIX && all && min.len >= n && max.len >= n &&
               (n == 0 || (memcmp(min.data, t->like.fixed.data, n) == 0 &&
                           memcmp(max.data, t->like.fixed.data, n) == 0))) {
        may = TACO__MAY_TRUE;
    }
    return may;
}
/* A TEST against bounds: the values first, then NULLs, then NOT, in the order taco__eval_test has them. */
TACO__FN unsigned taco__prune_test(const taco__expr *e, const taco__value_range *r)
{
    const taco__test *t = e->test;
    taco__vtype       type = taco__value_type_of(e->field);
    bool              only_nulls = r->row_count >= 0 && r->null_count == r->row_count;
    unsigned          may = only_nulls                   ? 0
                            : t->mode == TACO__TEST_KEYS ? taco__prune_keys(t, &type, r)
                                                         : taco__prune_bytes(t, r);
    if (t->null_rest && (may & TACO__MAY_FALSE)) {
        may = (may & ~(unsigned)TACO__MAY_FALSE) | TACO__MAY_NULL;
    }
    if (r->null_count != 0) {
        may |= t->null_false ? TACO__MAY_FALSE : TACO__MAY_NULL;
    }
    if (e->neg) {
        may = (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
              (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
    }
    return may;
}
/* IS turns results of its operand into TRUE and FALSE. */
TACO__FN unsigned taco__prune_is(const taco__expr *e, unsigned child)
{
    unsigned yes = e->is == TACO__IS_NULL   ? TACO__MAY_NULL
                   : e->is == TACO__IS_TRUE ? TACO__MAY_TRUE
                                            : TACO__MAY_FALSE;
    unsigned in = (child & yes) != 0, out = (child & ~yes) != 0;
    return (in ? (e->neg ? (unsigned)TACO__MAY_FALSE : (unsigned)TACO__MAY_TRUE) : 0U) |
           (out ? (e->neg ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE) : 0U);
}
/* The results that rows of a row group or page may have: a set of taco__prune that misses none. Without MAY_TRUE nothing
   matches; MAY_TRUE alone means that every row does. ranges is indexed as the columns were when e was bound; entries of
   columns that e does not read are not looked at. */
TACO__FN unsigned taco__expr_prune(const taco__expr *e, const taco__value_range *ranges)
{
    const taco__expr *c;
    unsigned          may, both;
    switch (e->kind) {
    case TACO__X_CONST:
        return e->type.id == TACO_NULL ? TACO__MAY_NULL
               : e->value.d.w[0]       ? TACO__MAY_TRUE
                                       : TACO__MAY_FALSE;
    case TACO__X_TEST: return taco__prune_test(e, &ranges[e->column]);
    case TACO__X_CUSTOM:
        return e->custom.prune ? e->custom.prune(e->custom.ctx, &ranges[e->column])
                               : (unsigned)TACO__MAY_ANY;
    case TACO__X_NOT:
        may = taco__expr_prune(e->first, ranges);
        return (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
               (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
    case TACO__X_IS:
        c = e->first;
        if (c->kind == TACO__X_COLUMN) {
            const taco__value_range *r = &ranges[c->column];
            may = (r->null_count != 0 ? (unsigned)TACO__MAY_NULL : 0U) |
                  (r->row_count >= 0 && r->null_count == r->row_count ? 0U
                                                                      : (unsigned)TACO__MAY_TRUE);
            return taco__prune_is(e, may);
        }
        return taco__prune_is(e, taco__expr_prune(c, ranges));
    case TACO__X_AND:
    case TACO__X_OR: /* TRUE and FALSE trade places between the two */
        both = e->kind == TACO__X_AND ? TACO__MAY_TRUE : TACO__MAY_FALSE;
        may = taco__expr_prune(e->first, ranges);
        for (c = e->first->next; c && may != (both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE));
             c = c->next) {
            unsigned m = taco__expr_prune(c, ranges), r = 0,
                     decide = both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE);
            r |= (may | m) & decide;
            r |= may & m & both;
            r |= (may & TACO__MAY_NULL) && (m & (TACO__MAY_NULL | both)) ? (unsigned)TACO__MAY_NULL
                                                                         : 0U;
            r |= (m & TACO__MAY_NULL) && (may & (TACO__MAY_NULL | both)) ? (unsigned)TACO__MAY_NULL
                                                                         : 0U;
            may = r;
        }
        return may;
    default: return TACO__MAY_ANY;
    }
}
/* ==== ROOM scan: rows of a table that match: prune, read what the predicate needs, evaluate, read the rest.
   Uses: read expr eval stats value ==== */

#define TACO__SCAN_SLICE 65536 /* rows a predicate is evaluated on at a time */
#define TACO__SCAN_AHEAD                                                                           \
    ((uint64_t)64 << 20) /* bytes of column chunks fetched in one round from a vectored source */

typedef struct taco__scan {
    const taco__table *table;
    taco__mem         *mem;
    taco__arena        arena;
    const taco__expr  *where;  /* bound to the table's columns; NULL = every row */
    const uint8_t     *select; /* bitmap over the table's rows; NULL = every row */
    taco__rows         pred, out;
    const taco_array **by_column; /* what the predicate reads, by table column */
    size_t             batch_rows;
    bool               vectored;
    uint32_t           group;   /* next row group */
    uint64_t           at, end; /* rows of the last one that are not yet evaluated */
    bool               whole;   /* all of them match */
    taco__value_range *ranges;  /* statistics of a row group, by table column */
    taco__buf          bits;
    taco__buf          found; /* uint32 numbers of rows that match, from `base` on */
    uint64_t           base;
    size_t             found_at;       /* of them delivered */
    taco__buf          fetch, fetched; /* taco__range: to be read, to be let go of */
    uint64_t           groups_pruned;
} taco__scan;

TACO__FN void taco__scan_release(taco__scan *s)
{
    const taco__range *r = (const taco__range *)(const void *)s->fetched.data;
    size_t             i;
    for (i = 0; i < s->fetched.len / sizeof *r; i++) {
        taco__file_release(s->table->pq->part.file, r[i].offset, r[i].len);
    }
    s->fetched.len = 0;
}
TACO__FN void taco__scan_close(taco__scan *s)
{
    taco__rows_close(&s->pred);
    taco__rows_close(&s->out);
    if (s->mem) {
        taco__scan_release(s);
        taco__buf_free(&s->bits);
        taco__buf_free(&s->found);
        taco__buf_free(&s->fetch);
        taco__buf_free(&s->fetched);
        taco__arena_free(&s->arena);
    }
    memset(s, 0, sizeof *s);
}
/* where and select are borrowed; out_columns are copied. */
TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err)
{
    size_t   i, n = 0, *used;
    uint8_t *mask;
    memset(s, 0, sizeof *s);
    s->table = t;
    s->mem = s->arena.mem = s->bits.mem = s->found.mem = s->fetch.mem = s->fetched.mem = mem;
    s->where = where;
    s->select = select;
    s->batch_rows = batch_rows ? batch_rows : TACO__BATCH;
    s->vectored = t->pq && t->pq->part.file->src.read_many;
    used = (size_t *)taco__arena_array(&s->arena, t->field_count + 1, sizeof *used, err);
    mask = (uint8_t *)taco__arena_alloc(&s->arena, TACO__BITMAP_BYTES(t->field_count) + 8, err);
    s->by_column = (const taco_array **)taco__arena_array(&s->arena, t->field_count + 1,
                                                          sizeof *s->by_column, err);
    s->ranges = (taco__value_range *)taco__arena_array(&s->arena, t->field_count + 1,
                                                       sizeof *s->ranges, err);
    if (!used || !mask || !s->by_column || !s->ranges) {
        taco__scan_close(s);
        return false;
    }
    if (where) {
        taco__expr_columns(where, mask);
        for (i = 0; i < t->field_count; i++) {
            if (taco__base_bit(mask, i)) {
                used[n++] = i;
            }
        }
    }
    if ((where && !taco__rows_open(&s->pred, t, used, n, mem, err)) ||
        !taco__rows_open(&s->out, t, out_columns, out_count, mem, err)) {
        taco__scan_close(s);
        return false;
    }
    for (i = 0; i < n; i++) {
        s->by_column[used[i]] = &s->pred.arrays[i];
    }
    return true;
}

/* ---- pruning ------------------------------------------------------------------------------------ */

TACO__FN void taco__scan_range(const taco__scan *s, uint32_t group, size_t column,
                               taco__value_range *out)
{
    const taco__pq_meta  *m = &s->table->pq->meta;
    const taco__pq_group *g = &m->groups[group];
    const taco__pq_node  *node;
    taco__pq_bounds       b;
    memset(out, 0, sizeof *out);
    out->null_count = -1;
    out->row_count = g->rows;
    if (column >= s->table->stored) {
        out->null_count = g->rows;
        return;
    }
    node = &m->nodes[column];
    if (node->leaf_count != 1 || node->field->child_count || m->leaves[node->leaf].max_rep) {
        return;
    }
    taco__stats_bounds(m, &m->leaves[node->leaf], &g->chunks[node->leaf].stats, &b);
    out->null_count = b.null_count;
    out->has_min = b.min.data && taco__value_from_stats(node->field, m->leaves[node->leaf].type,
                                                        b.min, &out->min);
    out->has_max = b.max.data && taco__value_from_stats(node->field, m->leaves[node->leaf].type,
                                                        b.max, &out->max);
}
/* The results that rows of a row group may have, a set of taco__prune. */
TACO__FN unsigned taco__scan_prune(taco__scan *s, uint32_t group)
{
    size_t i;
    if (!s->where || !s->table->pq) {
        return s->where ? TACO__MAY_ANY : TACO__MAY_TRUE;
    }
    for (i = 0; i < s->pred.count; i++) {
        taco__scan_range(s, group, s->pred.which[i], &s->ranges[s->pred.which[i]]);
    }
    return taco__expr_prune(s->where, s->ranges);
}

/* ---- fetching ----------------------------------------------------------------------------------- */

/* Adds the chunks of a reader's columns in one row group to a list of ranges of the file. */
TACO__FN bool taco__scan_chunks(const taco__rows *r, uint32_t group, taco__buf *ranges,
                                taco_error *err)
{
    const taco_pq_file   *f = r->table->pq;
    const taco__pq_group *g = &f->meta.groups[group];
    size_t                i, k;
    for (i = 0; i < r->count; i++) {
        const taco__pq_node *node = &f->meta.nodes[r->which[i]];
        for (k = 0; r->which[i] < r->table->stored && k < node->leaf_count; k++) {
            taco__range range;
            range.offset = f->part.base + g->chunks[node->leaf + k].pages.offset;
            range.len = g->chunks[node->leaf + k].pages.size;
            if (!taco__buf_append(ranges, &range, sizeof range, err)) {
                return false;
            }
        }
    }
    return true;
}
TACO__FN uint64_t taco__scan_bytes(const taco__buf *ranges, size_t from)
{
    const taco__range *r = (const taco__range *)(const void *)ranges->data;
    size_t             i;
    uint64_t           total = 0;
    for (i = from; i < ranges->len / sizeof *r; i++) {
        total += r[i].len;
    }
    return total;
}
/* Reads the ranges gathered in s->fetch in one round; they are let go of when the window ends. */
TACO__FN bool taco__scan_fetch(taco__scan *s, taco_error *err)
{
    size_t n = s->fetch.len / sizeof(taco__range);
    if (!n || !taco__file_fetch(s->table->pq->part.file,
                                (const taco__range *)(const void *)s->fetch.data, n, err)) {
        return !n;
    }
    if (!taco__buf_append(&s->fetched, s->fetch.data, s->fetch.len, err)) {
        return false;
    }
    s->fetch.len = 0;
    return true;
}

/* ---- evaluating --------------------------------------------------------------------------------- */

/* Numbers of the selected rows of [first, first + n), counted from first; all of them when nothing selects. */
TACO__FN size_t taco__scan_selected(const taco__scan *s, uint64_t first, size_t n, int32_t *dst)
{
    size_t i;
    if (s->select) {
        return taco__bits_select(s->select, (size_t)first, n, dst);
    }
    for (i = 0; i < n; i++) {
        dst[i] = (int32_t)i;
    }
    return n;
}
/* Evaluates rows [first, first + n) and appends the numbers of those that match, counted from s->base. */
TACO__FN bool taco__scan_slice(taco__scan *s, uint64_t first, size_t n, bool whole, taco_error *err)
{
    size_t    i, k = n, start = s->found.len / sizeof(uint32_t);
    uint32_t *found, shift = (uint32_t)(first - s->base);
    int32_t  *idx;
    if (!taco__buf_reserve(&s->found, n * sizeof(uint32_t), err)) {
        return false;
    }
    found = (uint32_t *)(void *)s->found.data + start;
    idx = (int32_t *)(void *)found;
    if (s->where && !whole) {
        if (s->select) {
            k = taco__scan_selected(s, first, n, idx);
        }
        if (k == 0) {
            return true;
        }
        if (!taco__buf_reset(&s->bits, TACO__BITMAP_BYTES(k) + 8, err) ||
            !(s->select ? taco__rows_read(&s->pred, first, found, k, err)
                        : taco__rows_range(&s->pred, first, n, err)) ||
            !taco__expr_eval(s->where, s->by_column, k, s->bits.data, s->mem, err)) {
            return false;
        }
        if (s->select) { /* idx shrinks in place to the rows that match */
            size_t hits = 0;
            for (i = 0; i < k; i++) {
                idx[hits] = idx[i];
                hits += taco__base_bit(s->bits.data, i);
            }
            k = hits;
        } else {
            k = taco__bits_select(s->bits.data, 0, n, idx);
        }
    } else {
        k = taco__scan_selected(s, first, n, idx);
    }
    for (i = 0; i < k; i++) {
        found[i] += shift;
    }
    s->found.len += k * sizeof(uint32_t);
    return true;
}
TACO__FN bool taco__scan_selects(const taco__scan *s, uint32_t g)
{
    uint64_t first = taco__table_group_first(s->table, g), n = taco__table_group_rows(s->table, g);
    return n && (!s->select || taco__bits_count(s->select, (size_t)first, (size_t)n) != 0);
}
/* Steps to the next row group that may have rows; false at the end. *whole: all its rows match. */
TACO__FN bool taco__scan_step(taco__scan *s, uint32_t *group, bool *whole)
{
    while (s->group < taco__table_groups(s->table)) {
        unsigned may;
        *group = s->group++;
        if (!taco__scan_selects(s, *group)) {
            continue;
        }
        may = taco__scan_prune(s, *group);
        *whole = may == TACO__MAY_TRUE;
        if (may & TACO__MAY_TRUE) {
            return true;
        }
        s->groups_pruned++;
    }
    return false;
}
TACO__FN bool taco__scan_evaluate(taco__scan *s, uint64_t first, uint64_t n, bool whole,
                                  taco_error *err)
{
    while (n) {
        size_t k = (size_t)TACO__MIN(n, (uint64_t)TACO__SCAN_SLICE);
        if (!taco__scan_slice(s, first, k, whole, err)) {
            return false;
        }
        first += k;
        n -= k;
    }
    return true;
}
/* A vectored source: the predicate's chunks of several row groups come in one round; those of the columns that go out
   in a second one, for the row groups that still have rows. */
TACO__FN bool taco__scan_window(taco__scan *s, taco_error *err)
{
    uint32_t first = s->group, g, end;
    uint64_t bytes = 0;
    bool     whole, begun = false;
    taco__scan_release(s);
    while (taco__scan_step(s, &g, &whole)) {
        uint64_t row = taco__table_group_first(s->table, g);
        size_t   before = s->fetch.len / sizeof(taco__range);
        if (begun && (bytes > TACO__SCAN_AHEAD ||
                      row + taco__table_group_rows(s->table, g) - s->base > INT32_MAX)) {
            s->group = g;
            break;
        }
        if (!begun) {
            s->base = row;
            first = g;
        }
        begun = true;
        if (!taco__scan_chunks(s->where && !whole ? &s->pred : &s->out, g, &s->fetch, err)) {
            return false;
        }
        bytes += taco__scan_bytes(&s->fetch, before);
    }
    end = s->group;
    if (!begun || !taco__scan_fetch(s, err)) {
        return !begun;
    }
    for (s->group = first; s->group < end && taco__scan_step(s, &g, &whole);) {
        size_t before = s->found.len;
        if (g >= end) {
            break;
        }
        if (!taco__scan_evaluate(s, taco__table_group_first(s->table, g),
                                 taco__table_group_rows(s->table, g), whole, err) ||
            (s->found.len > before && !taco__scan_chunks(&s->out, g, &s->fetch, err))) {
            return false;
        }
    }
    s->group = end;
    return taco__scan_fetch(s, err);
}
/* Any other source is read as the pages come. Columns that are tested and also go out have two readers: their chunks are
   held, so that no byte is read twice, unless they are too large for that. */
TACO__FN bool taco__scan_hold(taco__scan *s, uint32_t group, taco_error *err)
{
    size_t i, k, n = 0, *both;
    if (!s->table->pq) {
        return true;
    }
    taco__scan_release(s);
    both = (size_t *)taco__mem_alloc(s->mem, (s->out.count + 1) * sizeof *both, err);
    for (i = 0; both && s->where && !s->whole && i < s->out.count; i++) {
        for (k = 0; k < s->pred.count && s->pred.which[k] != s->out.which[i]; k++) {
        }
        if (k < s->pred.count) {
            both[n++] = s->out.which[i];
        }
    }
    s->fetch.len = 0;
    if (n) {
        taco__rows like = s->out;
        like.which = both;
        like.count = n;
        n = taco__scan_chunks(&like, group, &s->fetch, err);
        if (taco__scan_bytes(&s->fetch, 0) > TACO__SCAN_AHEAD) {
            s->fetch.len = 0;
        }
        n = n && taco__scan_fetch(s, err);
    } else {
        n = 1;
    }
    taco__mem_free(s->mem, both, (s->out.count + 1) * sizeof *both);
    return both && n;
}
/* Finds further rows; false at the end and on failure. */
TACO__FN bool taco__scan_find(taco__scan *s, taco_error *err)
{
    s->found.len = 0;
    s->found_at = 0;
    while (s->found.len == 0) {
        size_t n;
        if (s->vectored) {
            if (s->group >= taco__table_groups(s->table) || !taco__scan_window(s, err)) {
                return false;
            }
            continue;
        }
        if (s->at == s->end) {
            uint32_t g;
            if (!taco__scan_step(s, &g, &s->whole) || !taco__scan_hold(s, g, err)) {
                return false;
            }
            s->at = taco__table_group_first(s->table, g);
            s->end = s->at + taco__table_group_rows(s->table, g);
        }
        n = (size_t)TACO__MIN(s->end - s->at, (uint64_t)TACO__SCAN_SLICE);
        s->base = s->at;
        s->at += n;
        if (!taco__scan_slice(s, s->base, n, s->whole, err)) {
            return false;
        }
    }
    return true;
}
/* Numbers of the next rows that match, ascending, counted from *base: at most max of them, 0 at the end and on failure.
   Their columns are in s->out.arrays afterwards when `read` is set. They live until the next call. */
TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err)
{
    const uint32_t *found;
    size_t          n, count = s->found.len / sizeof(uint32_t);
    if (s->found_at == count) {
        if (!taco__scan_find(s, err)) {
            return 0;
        }
        count = s->found.len / sizeof(uint32_t);
    }
    found = (const uint32_t *)(const void *)s->found.data + s->found_at;
    n = TACO__MIN(TACO__MIN(count - s->found_at, max), s->batch_rows);
    s->found_at += n;
    *rows = found;
    *base = s->base;
    if (!read) {
        return n;
    }
    if (found[n - 1] - found[0] == n - 1) {
        return taco__rows_range(&s->out, s->base + found[0], n, err) ? n : 0;
    }
    return taco__rows_read(&s->out, s->base, found, n, err) ? n : 0;
}
/* ==== ROOM public: the calls of the Parquet API. Uses: everything above ==== */

TACO_API const char *taco_error_text(const taco_error *err)
{
    return !err || err->code == TACO_OK ? ""
           : err->text[0]               ? err->text
                                        : taco_status_name(err->code);
}
TACO_API const char *taco_status_name(taco_status code)
{
    static const char *const names[] = {
        "ok",      "argument", "state",       "memory",    "limit", "io",    "truncated",
        "corrupt", "checksum", "unsupported", "not found", "type",  "syntax"};
    return (size_t)code < TACO__COUNT(names) ? names[code] : "unknown";
}
TACO_API const char *taco_version(void)
{
    return TACO_VERSION;
}

/* ---- arrays ------------------------------------------------------------------------------------- */

TACO_API bool taco_array_valid(const taco_array *a, size_t i)
{
    return a->field->type != TACO_NULL && (!a->validity || taco__base_bit(a->validity, i));
}
TACO_API taco_bytes taco_array_bytes(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) {
        return taco__base_bytes(NULL, 0);
    }
    if (a->dictionary) {
        i = (size_t)(uint32_t)a->v.i32[i];
        a = a->dictionary;
    }
    if (taco__values_text(a->field)) {
        return taco__base_bytes(a->v.u8 + a->offsets[i],
                                (size_t)(a->offsets[i + 1] - a->offsets[i]));
    }
    if (a->field->type == TACO_FIXED || a->field->type == TACO_UUID ||
        a->field->type == TACO_INT96 || a->field->type == TACO_INTERVAL) {
        return taco__base_bytes(a->v.u8 + i * (size_t)a->field->width, (size_t)a->field->width);
    }
    return taco__base_bytes(NULL, 0);
}
TACO_API int64_t taco_array_int(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) {
        return 0;
    }
    switch (a->field->type) {
    case TACO_BOOL: return taco__base_bit(a->v.u8, i);
    case TACO_INT8: return a->v.i8[i];
    case TACO_INT16: return a->v.i16[i];
    case TACO_INT32:
    case TACO_DATE: return a->v.i32[i];
    case TACO_UINT8: return a->v.u8[i];
    case TACO_UINT16: return a->v.u16[i];
    case TACO_UINT32: return a->v.u32[i];
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_TIMESTAMP: return a->v.i64[i];
    case TACO_TIME: return a->field->width == 4 ? (int64_t)a->v.i32[i] : a->v.i64[i];
    default: return 0;
    }
}
TACO_API double taco_array_double(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) {
        return 0.0;
    }
    switch (a->field->type) {
    case TACO_HALF: return (double)taco__num_half(a->v.u16[i]);
    case TACO_FLOAT: return (double)a->v.f32[i];
    case TACO_DOUBLE: return a->v.f64[i];
    case TACO_UINT64: return (double)a->v.u64[i];
    case TACO_DECIMAL:
        return a->field->width ? taco__num_decimal_f64(a->v.u8 + i * (size_t)a->field->width,
                                                       a->field->width, a->field->scale)
                               : 0.0;
    default: return (double)taco_array_int(a, i);
    }
}

/* ---- files -------------------------------------------------------------------------------------- */

TACO__FN bool taco__options_open(const taco_options *o, const char *path, taco_source *out,
                                 taco_error *err)
{
    taco_bytes name = taco__base_text(path);
    if (o->open_file) {
        memset(out, 0, sizeof *out);
        if (!o->open_file(o->open_ctx, path, out)) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no such file, or not readable: %q",
                       &name);
            return false;
        }
        return true;
    }
#ifndef TACO_NO_STDIO
    return taco_source_file(out, path, err) == TACO_OK;
#else
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no taco_options.open_file to open %q with",
               &name);
    return false;
#endif
}
TACO_API taco_pq_file *taco_pq_open_source(const taco_source *src, const char *name,
                                           const taco_options *opt, taco_error *err)
{
    taco_error    own = {0, TACO_OK, 0, {0}};
    taco__mem     mem;
    taco_pq_file *f;
    taco_bytes    where = taco__base_text(name ? name : "");
    err = err ? err : &own;
    taco__mem_init(&mem, opt);
    f = (taco_pq_file *)taco__mem_alloc(&mem, sizeof *f, err);
    if (!f) {
        if (src->close) {
            src->close(src->ctx);
        }
        return NULL;
    }
    f->own_mem = mem;
    f->mem = &f->own_mem;
    f->name = "";
    taco__options_init(&f->options, opt);
    taco__file_init(&f->own_file, src, "", f->mem);
    f->part.file = &f->own_file;
    f->part.size = src->size;
    if (!taco__pq_begin(f, err)) {
        if (where.len) {
            taco__error_prefix(err, "%s", name);
        }
        taco_pq_close(f);
        return NULL;
    }
    if (where.len) {
        char *copy = taco__arena_text(&f->arena, where, err);
        if (!copy) {
            taco_pq_close(f);
            return NULL;
        }
        f->name = copy;
    }
    return f;
}
TACO_API taco_pq_file *taco_pq_open(const char *path, const taco_options *opt, taco_error *err)
{
    taco_source  src;
    taco_options o;
    taco__options_init(&o, opt);
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__options_open(&o, path, &src, err) ? taco_pq_open_source(&src, path, opt, err)
                                                   : NULL;
}
TACO_API void taco_pq_close(taco_pq_file *f)
{
    if (f) {
        taco__mem mem;
        taco__pq_end(f);
        taco__file_close(&f->own_file);
        mem = f->own_mem;
        taco__mem_free(&mem, f, sizeof *f);
    }
}
TACO_API int64_t taco_pq_rows(const taco_pq_file *f)
{
    return f ? f->meta.num_rows : 0;
}
TACO_API size_t taco_pq_row_groups(const taco_pq_file *f)
{
    return f ? f->meta.group_count : 0;
}
TACO_API const taco_field *taco_pq_fields(const taco_pq_file *f, size_t *n)
{
    *n = f ? f->meta.column_count : 0;
    return f ? f->meta.columns : NULL;
}
TACO_API taco_bytes taco_pq_key_value(const taco_pq_file *f, const char *key)
{
    uint32_t i;
    for (i = 0; f && i < f->meta.pair_count; i++) {
        if (taco__base_equal(f->meta.pairs[i].key, taco__base_text(key))) {
            return f->meta.pairs[i].value;
        }
    }
    return taco__base_bytes(NULL, 0);
}
TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *f, taco_error *err)
{
    if (!f) {
        return taco__base_bytes(NULL, 0);
    }
    f->text.len = 0;
    return taco__describe_schema(&f->meta, &f->text, err)
               ? taco__base_bytes(f->text.data, f->text.len)
               : taco__base_bytes(NULL, 0);
}
TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *f, taco_error *err)
{
    if (!f) {
        return taco__base_bytes(NULL, 0);
    }
    f->text2.len = 0;
    return taco__describe_meta_json(&f->meta, &f->text2, err)
               ? taco__base_bytes(f->text2.data, f->text2.len)
               : taco__base_bytes(NULL, 0);
}

/* ---- reading ------------------------------------------------------------------------------------ */

struct taco_pq_reader {
    taco_pq_file *file;
    taco__table   table;
    taco__arena   arena;
    taco__scan    scan;
    taco_field   *fields;
    size_t        count;
    uint64_t      left;
    taco_error    err;
};

TACO__FN bool taco__reader_columns(taco_pq_reader *r, const taco_pq_query *q, size_t *which)
{
    size_t i, n = q->columns ? q->column_count : r->table.field_count;
    for (i = 0; i < n; i++) {
        which[i] = q->columns ? taco__table_find(&r->table, q->columns[i]) : i;
        if (which[i] == SIZE_MAX) {
            taco__expr_no_column(r->table.fields, r->table.field_count,
                                 taco__base_text(q->columns[i]), &r->err);
            return false;
        }
        r->fields[i] = r->table.fields[which[i]];
    }
    r->count = n;
    return true;
}
TACO__FN bool taco__reader_begin(taco_pq_reader *r, const taco_pq_query *q)
{
    size_t       n = q->columns ? q->column_count : r->file->meta.column_count, *which;
    taco__expr  *where = NULL;
    taco_limits *limits = &r->file->options.limits;
    taco__table_from_file(&r->table, r->file);
    which = (size_t *)taco__arena_array(&r->arena, n + 1, sizeof *which, &r->err);
    r->fields = (taco_field *)taco__arena_array(&r->arena, n + 1, sizeof *r->fields, &r->err);
    if (!which || !r->fields || !taco__reader_columns(r, q, which)) {
        return false;
    }
    if (q->where) {
        size_t len = strlen(q->where);
        char  *text = taco__arena_text(&r->arena, taco__base_text(q->where),
                                       &r->err); /* the tree borrows it */
        where = text ? taco__expr_parse(&r->arena, text, len, limits, &r->err) : NULL;
        if (!where ||
            !taco__expr_bind(where, r->table.fields, r->table.field_count, &r->arena, &r->err)) {
            taco__error_prefix(&r->err, "where");
            return false;
        }
    }
    return taco__scan_open(&r->scan, &r->table, where, NULL, which, r->count, q->batch_rows,
                           r->file->mem, &r->err);
}
TACO_API taco_pq_reader *taco_pq_read(taco_pq_file *file, const taco_pq_query *query,
                                      taco_error *err)
{
    taco_pq_query   q;
    taco_pq_reader *r;
    if (!file) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
        return NULL;
    }
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    r = (taco_pq_reader *)taco__mem_alloc(file->mem, sizeof *r, err);
    if (!r) {
        return NULL;
    }
    r->file = file;
    r->arena.mem = file->mem;
    r->left = q.limit ? q.limit : UINT64_MAX;
    if (!taco__reader_begin(r, &q)) {
        taco_pq_reader_close(r, err);
        return NULL;
    }
    return r;
}
TACO_API const taco_field *taco_pq_reader_fields(const taco_pq_reader *r, size_t *n)
{
    *n = r ? r->count : 0;
    return r ? r->fields : NULL;
}
TACO_API bool taco_pq_reader_next(taco_pq_reader *r, taco_batch *out)
{
    const uint32_t *rows;
    uint64_t        base;
    size_t          n;
    memset(out, 0, sizeof *out);
    if (!r || r->err.code != TACO_OK || r->left == 0) {
        return false;
    }
    n = taco__scan_next(&r->scan, (size_t)TACO__MIN(r->left, (uint64_t)SIZE_MAX), true, &rows,
                        &base, &r->err);
    if (n == 0) {
        r->left = 0;
        return false;
    }
    r->left -= n;
    out->length = n;
    out->columns = r->scan.out.arrays;
    out->column_count = r->count;
    out->first_row = rows[n - 1] - rows[0] == n - 1 ? (int64_t)(base + rows[0]) : -1;
    return true;
}
TACO_API taco_status taco_pq_reader_close(taco_pq_reader *r, taco_error *err)
{
    taco_status code = TACO_OK;
    if (r) {
        taco__mem *mem = r->file->mem;
        code = r->err.code;
        if (err && err->code == TACO_OK && code != TACO_OK) {
            *err = r->err;
        }
        taco__scan_close(&r->scan);
        taco__arena_free(&r->arena);
        taco__mem_free(mem, r, sizeof *r);
    }
    return code;
}

struct taco_pq_column {
    taco_pq_reader *reader;
    taco__mem      *mem;
};
TACO_API taco_pq_column *taco_pq_column_open(taco_pq_file *file, const char *name, taco_type type,
                                             taco_error *err)
{
    taco_pq_query   q;
    taco_pq_column *c;
    memset(&q, 0, sizeof q);
    q.columns = &name;
    q.column_count = 1;
    if (!file || !name) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", file ? "name" : "file");
        return NULL;
    }
    c = (taco_pq_column *)taco__mem_alloc(file->mem, sizeof *c, err);
    if (!c) {
        return NULL;
    }
    c->mem = file->mem;
    c->reader = taco_pq_read(file, &q, err);
    if (c->reader && c->reader->fields[0].type != type) {
        static const char *const names[] = {
            "null",   "bool",   "int8",      "int16", "int32",    "int64",  "uint8",
            "uint16", "uint32", "uint64",    "half",  "float",    "double", "decimal",
            "date",   "time",   "timestamp", "int96", "interval", "text",   "binary",
            "fixed",  "uuid",   "list",      "map",   "struct"};
        taco_bytes text = taco__base_text(name), has;
        taco__buf  out;
        memset(&out, 0, sizeof out);
        out.mem = file->mem;
        if (taco__describe_type(&c->reader->fields[0], &out, err)) {
            has = taco__base_bytes(out.data, out.len);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is of type %q, was asked for as %s", &text, &has,
                       (size_t)type < TACO__COUNT(names) ? names[type] : "no type there is");
        }
        taco__buf_free(&out);
        taco_pq_column_close(c, err);
        return NULL;
    }
    if (!c->reader) {
        taco__mem_free(c->mem, c, sizeof *c);
        return NULL;
    }
    return c;
}
TACO_API bool taco_pq_column_next(taco_pq_column *c, size_t max_rows, taco_array *out)
{
    taco_batch b;
    memset(out, 0, sizeof *out);
    if (!c || !max_rows) {
        return false;
    }
    c->reader->scan.batch_rows = max_rows;
    if (!taco_pq_reader_next(c->reader, &b)) {
        return false;
    }
    *out = b.columns[0];
    return true;
}
TACO_API taco_status taco_pq_column_close(taco_pq_column *c, taco_error *err)
{
    taco_status code = TACO_OK;
    if (c) {
        code = taco_pq_reader_close(c->reader, err);
        taco__mem_free(c->mem, c, sizeof *c);
    }
    return code;
}

/* ---- printing ----------------------------------------------------------------------------------- */

#define TACO__TABLE_WIDEST 60 /* characters of a table's column */

struct taco_printer {
    taco__mem         mem;
    taco__buf         out, cell;
    taco__text_names  names;
    const taco_field *fields;
    size_t            count;
    size_t           *widths;
    taco_format       format;
    bool              begun;
};

TACO_API taco_printer *taco_printer_open(const taco_field *fields, size_t n, taco_format format,
                                         const taco_options *opt, taco_error *err)
{
    taco__mem     mem;
    taco_printer *p;
    size_t        bytes;
    taco__mem_init(&mem, opt);
    if (format < TACO_FORMAT_NDJSON || format > TACO_FORMAT_LINES ||
        (format == TACO_FORMAT_LINES && n == 0) || !taco__base_mulz(n, sizeof(size_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no such format for %u columns",
                   TACO__U(n));
        return NULL;
    }
    p = (taco_printer *)taco__mem_alloc(&mem, sizeof *p, err);
    if (!p) {
        return NULL;
    }
    p->mem = mem;
    p->out.mem = p->cell.mem = &p->mem;
    p->fields = fields;
    p->count = n;
    p->format = format;
    p->widths = (size_t *)taco__mem_alloc(&p->mem, bytes, err);
    if (!p->widths) {
        taco_printer_close(p);
        return NULL;
    }
    return p;
}
TACO_API void taco_printer_close(taco_printer *p)
{
    if (p) {
        taco__mem mem;
        taco__text_names_free(&p->names);
        taco__mem_free(&p->mem, p->widths, p->count * sizeof *p->widths);
        taco__buf_free(&p->out);
        taco__buf_free(&p->cell);
        mem = p->mem;
        taco__mem_free(&mem, p, sizeof *p);
    }
}
TACO__FN bool taco__printer_csv(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t i, c;
    if (!p->begun) {
        for (c = 0; c < p->count; c++) {
            if ((c && !taco__buf_char(&p->out, ',', err)) ||
                !taco__text_csv_name(&p->out, taco__base_text(p->fields[c].name), err)) {
                return false;
            }
        }
        if (!taco__buf_puts(&p->out, "\r\n", err)) {
            return false;
        }
    }
    for (i = 0; i < b->length; i++) {
        for (c = 0; c < b->column_count; c++) {
            if ((c && !taco__buf_char(&p->out, ',', err)) ||
                !taco__text_csv(&p->out, &b->columns[c], i, err)) {
                return false;
            }
        }
        if (!taco__buf_puts(&p->out, "\r\n", err)) {
            return false;
        }
    }
    return true;
}
TACO__FN size_t taco__printer_chars(taco_bytes b) /* code points */
{
    size_t i, n = 0;
    for (i = 0; i < b.len; i++) {
        n += (b.data[i] & 0xC0) != 0x80;
    }
    return n;
}
/* Appends a cell, cut to the column's width and filled up with blanks. */
TACO__FN bool taco__printer_cell(taco_printer *p, size_t c, taco_error *err)
{
    taco_bytes b = taco__base_bytes(p->cell.data, p->cell.len);
    size_t     n = taco__printer_chars(b), width = p->widths[c];
    if (n > width) {
        for (n = 0, b.len = 0;
             b.len < p->cell.len && (n < width - 1 || (b.data[b.len] & 0xC0) == 0x80); b.len++) {
            n += (b.data[b.len] & 0xC0) != 0x80;
        }
        if (!taco__buf_append(&p->out, b.data, b.len, err) ||
            !taco__buf_puts(&p->out, "\xE2\x80\xA6", err)) {
            return false;
        }
        n = width;
    } else if (!taco__buf_append(&p->out, b.data, b.len, err)) {
        return false;
    }
    for (; c + 1 < p->count && n < width + 2; n++) {
        if (!taco__buf_char(&p->out, ' ', err)) {
            return false;
        }
    }
    return c + 1 < p->count || taco__buf_char(&p->out, '\n', err);
}
TACO__FN bool taco__printer_fill(taco_printer *p, const taco_batch *b, size_t row, size_t c,
                                 taco_error *err)
{
    p->cell.len = 0;
    if (row == SIZE_MAX) {
        return taco__text_plain_name(&p->cell, taco__base_text(p->fields[c].name), err);
    }
    return taco__text_plain(&p->cell, &b->columns[c], row, err);
}
TACO__FN bool taco__printer_table(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t i, c;
    for (c = 0; !p->begun && c < p->count; c++) {
        for (i = 0; i <= b->length; i++) {
            size_t n;
            if (!taco__printer_fill(p, b, i ? i - 1 : SIZE_MAX, c, err)) {
                return false;
            }
            n = taco__printer_chars(taco__base_bytes(p->cell.data, p->cell.len));
            p->widths[c] = TACO__MAX(p->widths[c], TACO__MIN(n, (size_t)TACO__TABLE_WIDEST));
        }
    }
    for (i = p->begun ? 1 : 0; i <= b->length; i++) {
        for (c = 0; c < p->count; c++) {
            if (!taco__printer_fill(p, b, i ? i - 1 : SIZE_MAX, c, err) ||
                !taco__printer_cell(p, c, err)) {
                return false;
            }
        }
    }
    return true;
}
/* Text of the first column, a line each: the way paths leave in bulk. */
TACO__FN bool taco__printer_lines(taco_printer *p, const taco_batch *b, taco_error *err)
{
    const taco_array *a = b->columns;
    uint8_t          *to;
    size_t            i;
    if (!b->length) {
        return true;
    }
    if (a->field->type != TACO_TEXT || a->dictionary) {
        for (i = 0; i < b->length; i++) {
            if (!taco__text_plain(&p->out, a, i, err) || !taco__buf_char(&p->out, '\n', err)) {
                return false;
            }
        }
        return true;
    }
    if (!taco__buf_reserve(&p->out, (size_t)(a->offsets[b->length] - a->offsets[0]) + b->length,
                           err)) {
        return false;
    }
    to = p->out.data + p->out.len;
    for (i = 0; i < b->length; i++) {
        const uint8_t *from = a->v.u8 + a->offsets[i];
        size_t         k, n = (size_t)(a->offsets[i + 1] - a->offsets[i]);
        if ((size_t)(a->offsets[b->length] - a->offsets[i]) >=
            n + 32) { /* in steps, where the text goes on behind it */
            for (k = 0; k < n; k += 32) {
                memcpy(to + k, from + k, 32);
            }
        } else {
            memcpy(to, from, n);
        }
        to += n;
        *to++ = '\n';
    }
    p->out.len = (size_t)(to - p->out.data);
    return true;
}
TACO_API taco_bytes taco_printer_batch(taco_printer *p, const taco_batch *b, taco_error *err)
{
    static const uint8_t nothing = 0;
    bool                 ok = true;
    size_t               i;
    p->out.len = 0;
    switch (p->format) {
    case TACO_FORMAT_NDJSON:
        ok = p->names.count || !b->length || taco__text_names_make(&p->names, &p->mem, b, err);
        for (i = 0; ok && i < b->length; i++) {
            ok = taco__text_json_row(&p->out, b, i, &p->names, err) &&
                 taco__buf_char(&p->out, '\n', err);
        }
        break;
    case TACO_FORMAT_CSV: ok = taco__printer_csv(p, b, err); break;
    case TACO_FORMAT_TABLE: ok = taco__printer_table(p, b, err); break;
    default: ok = taco__printer_lines(p, b, err); break;
    }
    p->begun = true;
    return !ok           ? taco__base_bytes(NULL, 0)
           : p->out.data ? taco__base_bytes(p->out.data, p->out.len)
                         : taco__base_bytes(&nothing, 0);
}
#endif /* TACO_PARQUET_IMPLEMENTATION */
