/* base.h - memory, files, errors, numbers, dates, bits, checksums and JSON text

   What the library needs and ISO C lacks, or offers only with a locale, globals or limits. Every
   other folder includes this header; it includes platform.h. The files in reading order:
     platform.h platform.c  compiler, processor, operating system
     simd.h                 intrinsics of x86
     bytes.c                slices, checked sums, little-endian loads, a byte reader, UTF-8
     find.c                 bytes in others
     bitmap.c               bitmaps at any bit offset
     error.c                filling a taco_error, and the formatter of its text
     memory.c               the budget of a handle, arenas, growable buffers
     file_read.c            sources, and the ranges of a file that are in memory
     sort.c hash_map.c      sorting with a context, binary search; from keys to numbers
     number_format.c, number_parse.c, decimal.c, datetime.c   values to text and back
     checksum.c             CRC-32, XXH64, XXH32, Adler-32
     bit_unpack.c           packed integers of 0 to 64 bits
     ascii.c                hexadecimal digits, blanks, words
     json_write.c           JSON text
   In separate headers, for products that need them: json.h (reading and printing JSON, arithmetic),
   sink.h (output), temporary.h and platform_write.h (exclusive names, locks), file_copy.h (copying
   files and directories), sha256.h.

   Functions that can fail return false or NULL and fill err (NULL is allowed) unless it holds a
   failure already. Memory comes from a taco__mem, which charges it to the budget of a handle;
   whoever allocates it frees it. Bytes passed as taco_bytes are borrowed. Text is not
   NUL-terminated unless said. Numbers from a file go through the taco__checked_ functions before
   they become sizes. */
#ifndef TACO__BASE_H
#define TACO__BASE_H

#include "platform.h"
#include <stdarg.h>

#define TACO__COUNT(a)                  (sizeof(a) / sizeof((a)[0]))
#define TACO__STATIC_ASSERT(name, cond) typedef char taco__assert_##name[(cond) ? 1 : -1]
#define TACO__MIN(a, b)                 ((a) < (b) ? (a) : (b))
#define TACO__MAX(a, b)                 ((a) > (b) ? (a) : (b))

#define TACO__DEFAULT_MAX_COLUMNS 65536                 /* default of limits.max_columns */
#define TACO__DEFAULT_MAX_DEPTH   64                    /* default of limits.max_depth */
#define TACO__DEFAULT_MAX_VALUES  ((uint64_t)1 << 40)   /* default of limits.max_values */
#define TACO__DEFAULT_MAX_MEMORY  ((uint64_t)1 << 30)   /* default of limits.max_memory */
#define TACO__DEFAULT_MAX_BYTES   ((uint64_t)256 << 20) /* of max_metadata and max_page */

/* A key and a value of a file's metadata; value.data is NULL if there is none. */
typedef struct taco__key_value {
    taco_bytes key, value;
} taco__key_value;

/* ---- bytes.c ---- */

TACO__INLINE taco_bytes taco__bytes_of(const void *data, size_t len)
{
    taco_bytes b;
    b.data = (const uint8_t *)data;
    b.len = len;
    return b;
}

TACO__INLINE bool taco__bytes_equal(taco_bytes a, taco_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Unsigned bytewise order; a prefix comes first: < 0, 0, > 0. */
TACO__INLINE int taco__bytes_compare(taco_bytes a, taco_bytes b)
{
    size_t n = TACO__MIN(a.len, b.len);
    int c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

TACO__FN taco_bytes taco__bytes_text(const char *s); /* NULL counts as empty */
TACO__FN size_t taco__bytes_common_prefix(taco_bytes a, taco_bytes b);
TACO__FN TACO__NOINLINE bool taco__bytes_starts_with(taco_bytes a, const char *prefix);

/* A cursor over bytes with a sticky flag: a read past the end yields zero and sets `bad`, so that a
   parser reads all the fields of a header and checks once. */
typedef struct taco__byte_reader {
    const uint8_t *at, *end, *begin;
    bool bad;
} taco__byte_reader;

TACO__FN taco__byte_reader taco__byte_reader_init(taco_bytes b);
TACO__FN uint64_t taco__byte_reader_varint(taco__byte_reader *c);

TACO__FN size_t taco__utf8_char(const uint8_t *p, size_t left, size_t *bad);
TACO__FN bool taco__utf8_valid(taco_bytes b);
/* True for the beginning of a text in UTF-16: a byte order mark, or one byte of the first two 0. */
TACO__FN bool taco__bytes_is_utf16(taco_bytes b);

/* Length of the well-formed UTF-8 character at p, 0 if it is invalid or nothing is left. */
TACO__INLINE size_t taco__utf8_length(const uint8_t *p, const uint8_t *end)
{
    size_t bad;
    return p < end ? taco__utf8_char(p, (size_t)(end - p), &bad) : 0;
}

/* Sums, products and narrowing of numbers from a file. False, with *out unchanged, on overflow. */
TACO__INLINE bool taco__checked_add64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b) { return false; }
    *out = a + b;
    return true;
}

TACO__INLINE bool taco__checked_mul64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b && a > UINT64_MAX / b) { return false; }
    *out = a * b;
    return true;
}

TACO__INLINE bool taco__checked_add_size(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b) { return false; }
    *out = a + b;
    return true;
}

TACO__INLINE bool taco__checked_mul_size(size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b) { return false; }
    *out = a * b;
    return true;
}

/* A size in a file as a size in memory, at most half of the address space. */
TACO__INLINE bool taco__checked_to_size(uint64_t a, size_t *out)
{
    if (a > SIZE_MAX / 2) { return false; }
    *out = (size_t)a;
    return true;
}

/* True when [offset, offset + len) lies inside [0, size). */
TACO__INLINE bool taco__checked_range(uint64_t offset, uint64_t len, uint64_t size)
{
    return offset <= size && len <= size - offset;
}

/* Numbers at any address, in the byte order that the name says. */
TACO__INLINE uint16_t taco__load_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}

TACO__INLINE uint32_t taco__load_le32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return TACO__BIG_ENDIAN ? taco__plat_swap32(x) : x;
}

TACO__INLINE uint64_t taco__load_le64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return TACO__BIG_ENDIAN ? taco__plat_swap64(x) : x;
}

TACO__INLINE uint32_t taco__load_be32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return TACO__BIG_ENDIAN ? x : taco__plat_swap32(x);
}

TACO__INLINE uint64_t taco__load_be64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return TACO__BIG_ENDIAN ? x : taco__plat_swap64(x);
}

TACO__INLINE void taco__put_le32(uint8_t *p, uint32_t x)
{
    x = TACO__BIG_ENDIAN ? taco__plat_swap32(x) : x;
    memcpy(p, &x, 4);
}

TACO__INLINE void taco__put_le64(uint8_t *p, uint64_t x)
{
    x = TACO__BIG_ENDIAN ? taco__plat_swap64(x) : x;
    memcpy(p, &x, 8);
}

/* IEEE 754 bits, which all known machines have. */
TACO__INLINE double taco__f64_from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

TACO__INLINE float taco__f32_from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

TACO__INLINE uint64_t taco__f64_to_bits(double d)
{
    uint64_t x;
    memcpy(&x, &d, 8);
    return x;
}

TACO__INLINE uint32_t taco__f32_to_bits(float f)
{
    uint32_t x;
    memcpy(&x, &f, 4);
    return x;
}

/* NaN, infinity and zero by their bits: a program that is compiled with -ffast-math takes x != x to
   be false, and where denormals are zero (a library that was linked so is enough) the least numbers
   equal 0. */
TACO__INLINE bool taco__f64_is_nan(double d)
{
    return (taco__f64_to_bits(d) & INT64_MAX) > (uint64_t)0x7FF << 52;
}

TACO__INLINE bool taco__f64_is_finite(double d)
{
    return (taco__f64_to_bits(d) & INT64_MAX) < (uint64_t)0x7FF << 52;
}

TACO__INLINE bool taco__f64_is_zero(double d)
{
    return (taco__f64_to_bits(d) & INT64_MAX) == 0;
}

/* 0, 1, 2, 3, 4 mean 0, -1, 1, -2, 2: Thrift, Avro and Parquet's deltas. */
TACO__INLINE int64_t taco__zigzag_decode(uint64_t x)
{
    return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}

TACO__INLINE size_t taco__byte_reader_left(const taco__byte_reader *c)
{
    return (size_t)(c->end - c->at);
}

TACO__INLINE size_t taco__byte_reader_position(const taco__byte_reader *c)
{
    return (size_t)(c->at - c->begin);
}

/* n bytes, skipping them, or NULL and `bad`. */
TACO__INLINE const uint8_t *taco__byte_reader_take(taco__byte_reader *c, size_t n)
{
    const uint8_t *p = c->at;
    if (TACO__UNLIKELY(c->bad || n > taco__byte_reader_left(c))) {
        c->bad = true;
        return NULL;
    }
    c->at += n;
    return p;
}

TACO__INLINE uint8_t taco__byte_reader_u8(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 1);
    return (uint8_t)(p ? p[0] : 0);
}

TACO__INLINE uint16_t taco__byte_reader_le16(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 2);
    return (uint16_t)(p ? taco__load_le16(p) : 0);
}

TACO__INLINE uint32_t taco__byte_reader_le32(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 4);
    return p ? taco__load_le32(p) : 0;
}

TACO__INLINE uint64_t taco__byte_reader_le64(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 8);
    return p ? taco__load_le64(p) : 0;
}

/* ---- find.c ---- */

TACO__FN size_t taco__bytes_find(taco_bytes s, size_t from, taco_bytes what, bool fold);

/* ---- bitmap.c ---- */

/* Bitmaps are least significant bit first (Arrow, and Parquet's BOOLEAN): bit i is bit i % 8 of
   byte i / 8. Functions that write a range do not change adjacent bits, and never access a byte
   outside it. */
#define TACO__BITMAP_BYTES(n) (((n) + 7) / 8)
/* a mask of the low n <= 64 bits */
#define TACO__LOW_BITS(n) ((n) < 64 ? ((uint64_t)1 << (n)) - 1 : UINT64_MAX)

/* Up to 64 bits as a number, and back. */
TACO__FN uint64_t taco__bitmap_read(const uint8_t *bitmap, size_t bit, size_t n);
TACO__FN void taco__bitmap_write(uint8_t *bitmap, size_t bit, uint64_t x, size_t n);
/* A range becomes all zeros or all ones. */
TACO__FN void taco__bitmap_fill(uint8_t *bitmap, size_t bit, size_t n, bool value);
/* Number of ones in a range. */
TACO__FN size_t taco__bitmap_count(const uint8_t *bitmap, size_t bit, size_t n);
TACO__FN size_t taco__bitmap_copy(uint8_t *dst, size_t dst_bit, const uint8_t *src, size_t src_bit,
                                  size_t n);
/* Positions of the ones, or of the zeros, of a range. */
TACO__FN size_t taco__bitmap_select(const uint8_t *bitmap, size_t bit, size_t n, int32_t *dst);
TACO__FN size_t taco__bitmap_select_zeros(const uint8_t *bitmap, size_t bit, size_t n,
                                          int32_t *dst);

TACO__INLINE bool taco__bitmap_get(const uint8_t *bitmap, size_t i)
{
    return (bitmap[i >> 3] >> (i & 7)) & 1;
}

TACO__INLINE void taco__bitmap_set(uint8_t *bitmap, size_t i)
{
    bitmap[i >> 3] = (uint8_t)(bitmap[i >> 3] | 1U << (i & 7));
}

TACO__INLINE void taco__bitmap_clear(uint8_t *bitmap, size_t i)
{
    bitmap[i >> 3] = (uint8_t)(bitmap[i >> 3] & ~(1U << (i & 7)));
}

/* Number of ones in a word. Without an instruction for it the builtin is a call, and this sum is
   faster; with one, compilers recognize the sum and use it. */
TACO__INLINE size_t taco__bitmap_popcount(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
    return (size_t)((x * 0x0101010101010101U) >> 56);
}

/* ---- error.c ---- */

/* The formatter knows: %s text, %q quoted bytes from a file (taco_bytes *), escaped and cut to 64,
   %u uint64_t, %d int64_t, %x uint64_t in hex, %%. These macros cast arguments, since their types
   are not checked. */
#define TACO__U(x) ((uint64_t)(x))
#define TACO__D(x) ((int64_t)(x))

/* Fills err, unless it already holds a failure, and returns the code. offset is the wrong byte,
   counted from the start of what the caller reads, the column of a query's text (SYNTAX), or
   TACO_NO_OFFSET. */
#ifdef TACO_SMALL
#define TACO__LINE 0 /* saves an argument at a thousand places */
#else
#define TACO__LINE __LINE__
#endif
/* Ends here with TACO_GIVE_UP, unless a caller may go on after a failure with this code: bytes that
   cannot be read now, names that may be missing. */
#ifdef TACO_GIVE_UP
#define TACO__GIVE_UP(code)                                                                        \
    ((code) == TACO_ERR_IO || (code) == TACO_ERR_NOT_FOUND ? (void)0 : TACO_GIVE_UP(code))
#define TACO__NEVER_NULL __attribute__((returns_nonnull))
#else
#define TACO__GIVE_UP(code) ((void)0)
#define TACO__NEVER_NULL
#endif
/* TACO__FAIL_SOFT is for failures with other codes that a caller expects: it always returns. */
#ifdef TACO_NO_ERROR_TEXT
/* Message and arguments are not evaluated, but count as used. */
TACO__FN void taco__error_ignore(const char *what, ...);
#define TACO__FAIL_SOFT(err, code, offset, ...)                                                    \
    (0 ? taco__error_ignore(__VA_ARGS__) : (void)0,                                                \
     taco__error_set((err), (code), (offset), TACO__LINE, ""))
#define taco__error_prefix(err, ...) ((void)(err), 0 ? taco__error_ignore(__VA_ARGS__) : (void)0)
#define taco__error_suffix(err, ...) ((void)(err), 0 ? taco__error_ignore(__VA_ARGS__) : (void)0)
#else
#define TACO__FAIL_SOFT(err, code, offset, ...)                                                    \
    taco__error_set((err), (code), (offset), TACO__LINE, __VA_ARGS__)
#endif
#define TACO__FAIL(err, code, offset, ...)                                                         \
    (TACO__GIVE_UP(code), TACO__FAIL_SOFT(err, code, offset, __VA_ARGS__))

/* Output of the formatter: always NUL-terminated, cut when full. */
typedef struct taco__fmt {
    char *at, *end; /* where the next character goes; the end of the room */
} taco__fmt;

TACO__FN void taco__fmt_char(taco__fmt *f, char c);
TACO__FN void taco__fmt_text(taco__fmt *f, const char *s);
TACO__FN void taco__fmt_number(taco__fmt *f, uint64_t x, unsigned base);
TACO__FN void taco__fmt_args(taco__fmt *f, const char *s, va_list args);

TACO__FN TACO__COLD taco_status taco__error_set(taco_error *err, taco_status code, uint64_t offset,
                                                int line, const char *what, ...);
/* Passes a message to taco_options.log, if set; formats as above. */
TACO__FN TACO__COLD void taco__log(const taco_options *o, taco_log_level level, const char *what,
                                   ...);
/* Outer layers add where it happened: "file: row group 3: " before the text, or the position of a
   decoder's input in the file. Both do nothing if err is TACO_OK. */
#ifndef TACO_NO_ERROR_TEXT
TACO__FN TACO__COLD void taco__error_prefix(taco_error *err, const char *where, ...);
TACO__FN TACO__COLD void taco__error_suffix(taco_error *err, const char *what, ...);
#endif
TACO__FN TACO__COLD bool taco__error_inside(taco_error *err, uint64_t at, const char *what);
/* What a public call reports to: err, or own (zeroed, may be NULL) where err is NULL or holds the
   failure of an earlier call, which stays and says nothing about this one. */
TACO__FN taco_error *taco__error_fresh(taco_error *err, taco_error *own);
/* Gives a failure to a caller, whose first one stays. */
TACO__FN TACO__COLD void taco__error_copy(taco_error *err, const taco_error *from);
/* Whether memory or a read failed, which says nothing about the data. */
TACO__FN bool taco__error_is_of_machine(const taco_error *err);

/* ---- tasks.c ---- */

/* How many tasks the host runs at a time, at most `most`; 1 if it has no parallel_for. host may be
   NULL. */
TACO__FN size_t taco__tasks_width(const taco_options *host, size_t most);
/* Runs task(arg, 0) to task(arg, n - 1) and waits for all: by the host's threads, in any order and
   at the same time, or by this one, if there are none or host is NULL. */
TACO__FN void taco__tasks_run(const taco_options *host, size_t n, void (*task)(void *arg, size_t i),
                              void *arg);

/* ---- memory.c ---- */

struct taco__cached_chunk;

/* Decoded column chunks that a handle keeps for later scans; the oldest are evicted first:
   parquet/page_cache.c. */
typedef struct taco__page_cache {
    uint64_t most, bytes; /* most bytes, and current bytes */
    uint64_t scans;       /* number of scans so far */
    size_t open;          /* number of open scans */
    uint64_t floor;       /* no scan with a lower number is open */
    struct taco__cached_chunk *oldest, *newest;
} taco__page_cache;

#define TACO__SPARE_BLOCKS 32

/* Large blocks that the tasks of a scan have used and those of the next scan reuse: getting them
   from the system page by page takes longer than much of the work. They have their own budget. */
typedef struct taco__spare_blocks {
    void *block[TACO__SPARE_BLOCKS];
    size_t size[TACO__SPARE_BLOCKS];
    /* number of the task that had the block: the task with that number in the next scan needs the
       same */
    unsigned owner[TACO__SPARE_BLOCKS];
    size_t count;
    uint64_t bytes, limit; /* bytes of all blocks, and the limit */
    unsigned task;         /* in a task: its number > 0 while it may keep blocks; in a handle: 0 */
} taco__spare_blocks;

/* The memory account of a handle, or of a concurrent task. */
typedef struct taco__mem {
    taco_allocator a;
    uint64_t used, peak, limit;
    uint64_t accounted;     /* in a task: bytes of `used` that are also in the handle's account */
    taco__page_cache cache; /* in a handle */
    taco__spare_blocks spares;
} taco__mem;

TACO__FN void taco__mem_init(taco__mem *m, const taco_options *opt);
TACO__FN TACO__NEVER_NULL void *taco__mem_resize(taco__mem *m, void *p, size_t old, size_t size,
                                                 taco_error *err);
TACO__FN TACO__NEVER_NULL TACO__NOINLINE void *taco__mem_alloc(taco__mem *m, size_t size,
                                                               taco_error *err);
TACO__FN TACO__NOINLINE void taco__mem_free(taco__mem *m, void *p, size_t size);
TACO__FN void taco__mem_disown(taco__mem *m, uint64_t size);
TACO__FN void taco__mem_free_disowned(const taco_allocator *a, void *p, size_t size);
/* Tasks, each in its own thread: begin before they run, merge after all have ended. */
TACO__FN void taco__mem_task_begin(const taco__mem *m, taco__mem *task, size_t tasks);
TACO__FN void taco__mem_task_merge(taco__mem *m, taco__mem *task);
TACO__FN void taco__mem_task_take_spares(taco__mem *m, taco__mem *task, unsigned number, size_t n);
TACO__FN void taco__mem_task_return_spares(taco__mem *m, taco__mem *task);
TACO__FN void taco__mem_free_spares(taco__mem *m);
/* A copy with defaults in place of limits of 0; in may be NULL. */
TACO__FN void taco__options_init(taco_options *out, const taco_options *in);

/* An arena: many small pieces, zeroed and aligned to 16 bytes, freed together. It begins as {mem,
   NULL}. */
typedef struct taco__arena_block {
    struct taco__arena_block *next;
    size_t size, used;
} taco__arena_block;

typedef struct taco__arena {
    taco__mem *mem;
    taco__arena_block *head; /* the newest block, the only one that pieces are taken from */
} taco__arena;

TACO__FN TACO__NEVER_NULL void *taco__arena_alloc(taco__arena *a, size_t size, taco_error *err);
TACO__FN TACO__NEVER_NULL TACO__NOINLINE void *taco__arena_array(taco__arena *a, size_t n,
                                                                 size_t size, taco_error *err);
TACO__FN TACO__NEVER_NULL TACO__NOINLINE char *taco__arena_text(taco__arena *a, taco_bytes b,
                                                                taco_error *err);
TACO__FN void taco__arena_reset(taco__arena *a);
TACO__FN void taco__arena_free(taco__arena *a);

/* A growable buffer; zeroed with mem set it is empty. TACO__PAD bytes past cap may be written with
   garbage, so that decoders can copy in wide steps. */
#define TACO__PAD 64

typedef struct taco__buf {
    taco__mem *mem;
    uint8_t *data; /* moves when the buffer grows */
    size_t len, cap;
} taco__buf;

TACO__FN bool taco__buf_reserve(taco__buf *b, size_t extra, taco_error *err);
TACO__FN bool taco__buf_reset(taco__buf *b, size_t cap, taco_error *err);
TACO__FN bool taco__buf_append(taco__buf *b, const void *data, size_t len, taco_error *err);
TACO__FN bool taco__buf_append_text(taco__buf *b, const char *s, taco_error *err);
TACO__FN void taco__buf_free(taco__buf *b);

TACO__INLINE bool taco__buf_append_char(taco__buf *b, char c, taco_error *err)
{
    if (b->len >= b->cap && !taco__buf_reserve(b, 1, err)) { return false; }
    b->data[b->len++] = (uint8_t)c;
    return true;
}

/* taco__buf_append for a constant len. */
TACO__INLINE bool taco__buf_append_inline(taco__buf *b, const void *data, size_t len,
                                          taco_error *err)
{
    if (!taco__buf_reserve(b, len, err)) { return false; }
    if (len) { memcpy(b->data + b->len, data, len); }
    b->len += len;
    return true;
}

/* How many of `most` bytes may be read before they are known to be needed: a small part of the
   budget, so that only handles with little memory read less. */
TACO__INLINE uint64_t taco__mem_ahead(const taco__mem *m, uint64_t most)
{
    return TACO__MIN(most, m->limit / 32);
}

/* ---- file_read.c ---- */

#define TACO__FILE_GAP    4096    /* most bytes read unnecessarily to save a request */
#define TACO__FILE_WINDOW 1048576 /* bytes read from a local source at a time */

typedef struct taco__range {
    uint64_t offset;
    uint64_t len;
} taco__range;

/* A range of the file in memory. */
typedef struct taco__file_segment {
    uint64_t offset;
    size_t len;
    uint8_t *data;
    size_t pins; /* number of fetched, unreleased ranges that overlap it; freed at 0 */
} taco__file_segment;

/* A source and its segments in memory, sorted, without overlap. */
typedef struct taco__file {
    taco_source src;
    taco__mem *mem;
    const char *name; /* for messages; borrowed */
    taco__file_segment *segments;
    size_t segment_count, segment_cap;
    bool cached_only; /* tasks are reading segments: the source must not be called */
} taco__file;

/* A range of a file that is itself a file: METADATA/level0.parquet inside an archive. */
typedef struct taco__file_part {
    taco__file *file;
    uint64_t base, size;
} taco__file_part;

#ifndef TACO_NO_STDIO
/* The source of an open file, which closes it. Its read function is declared here so that
   file_copy.c can recognize such a source. */
TACO__FN bool taco__source_file_read(void *ctx, uint64_t offset, void *dst, size_t len);
TACO__FN void taco__source_file_init(taco_source *out, taco__plat_file in, uint64_t size);
#endif
TACO__FN bool taco__source_check(const taco_source *src, taco_error *err);
TACO__FN bool taco__source_open_path(const taco_options *o, const char *path, taco_source *out,
                                     taco_error *err);

TACO__FN void taco__file_init(taco__file *f, const taco_source *src, const char *name,
                              taco__mem *mem);
TACO__FN void taco__file_close(taco__file *f);
TACO__FN bool taco__file_check_range(const taco__file *f, uint64_t offset, uint64_t len,
                                     taco_error *err);
TACO__FN bool taco__file_tasks_may_read(const taco__file *f);
/* Reading now: by copying; only if in memory; or without a copy if possible. */
TACO__FN bool taco__file_read(taco__file *f, uint64_t offset, void *dst, size_t len,
                              taco_error *err);
TACO__FN const uint8_t *taco__file_cached(taco__file *f, uint64_t offset, size_t len);
TACO__FN uint64_t taco__file_cached_length(const taco__file *f, uint64_t offset);
TACO__FN const uint8_t *taco__file_view(taco__file *f, uint64_t offset, size_t len,
                                        taco__buf *scratch, taco_error *err);
/* Reading ahead: bytes are fetched in one round, and released after use. */
TACO__FN size_t taco__file_plan_reads(const taco__file *f, taco__range *ranges, size_t n,
                                      uint64_t gap);
TACO__FN bool taco__file_fetch(taco__file *f, const taco__range *ranges, size_t n, taco_error *err);
TACO__FN bool taco__file_add_segment(taco__file *f, taco__file_segment s, taco_error *err);
TACO__FN void taco__file_release(taco__file *f, uint64_t offset, uint64_t len);
/* The same for a part; offsets count from its start, also in messages. */
TACO__FN const uint8_t *taco__file_part_view(const taco__file_part *p, uint64_t offset, size_t len,
                                             taco__buf *scratch, taco_error *err);
TACO__FN const uint8_t *taco__file_part_cached(const taco__file_part *p, uint64_t offset,
                                               size_t len);
TACO__FN bool taco__file_part_read(const taco__file_part *p, uint64_t offset, void *dst, size_t len,
                                   taco_error *err);

/* ---- sort.c ---- */

/* As for qsort, < 0, 0 or > 0, with a context of the caller's before the two items. */
typedef int (*taco__sort_compare)(const void *ctx, const void *a, const void *b);

/* Sorts n items of `size` bytes; stable. scratch has room for n / 2 items. */
TACO__FN void taco__sort(void *items, void *scratch, size_t n, size_t size,
                         taco__sort_compare compare, const void *ctx);
/* The same with temporary scratch from mem; false, with err set and nothing moved, if there is no
   memory. */
TACO__FN bool taco__sort_in(taco__mem *mem, void *items, size_t n, size_t size,
                            taco__sort_compare compare, const void *ctx, taco_error *err);
/* The same without memory, except one item of scratch: not stable, and slower unless the items are
   already in order. */
TACO__FN void taco__sort_in_place(void *items, void *scratch, size_t n, size_t size,
                                  taco__sort_compare compare, const void *ctx);
/* Puts the first k of n items in order at the front; the others are lost, items[k..) is garbage.
   compare must distinguish any two items (if necessary by their position, kept in the item),
   because a heap is not stable. */
TACO__FN bool taco__sort_first(taco__mem *mem, void *items, size_t n, size_t k, size_t size,
                               taco__sort_compare compare, const void *ctx, taco_error *err);

/* Binary search. `at` is a size_t of the caller's that holds the low end of a range; afterwards it
   is the first i of [at, end) for which `before`, an expression of i, is false, or end. `before` is
   true for a first part of the range and false for the rest:
       at = 0;
       TACO__LOWER_BOUND(at, count, i, keys[i] < key);
       found = at < count && keys[at] == key; */
#define TACO__LOWER_BOUND(at, end, i, before)                                                      \
    do {                                                                                           \
        size_t taco__end = (end);                                                                  \
        while ((at) < taco__end) {                                                                 \
            const size_t i = (at) + (taco__end - (at)) / 2;                                        \
            if (before) {                                                                          \
                (at) = i + 1;                                                                      \
            } else {                                                                               \
                taco__end = i;                                                                     \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* ---- number_format.c ---- */

/* 10^p = (high:low) * 2^(exponent - 127), rounded up by less than 3 units of low; the top bit of
   high is set */
typedef struct taco__num_power_of_10 {
    uint64_t high, low;
    int32_t exponent;
} taco__num_power_of_10;

TACO__FN taco__num_power_of_10 taco__num_pow10(int32_t p);
/* All of them write no NUL and return the length: integers at most 20 bytes, others at most 32, for
   which dst has room. */
TACO__FN size_t taco__num_format_u64(char *dst, uint64_t x);
TACO__FN size_t taco__num_format_i64(char *dst, int64_t x);
TACO__FN size_t taco__num_format_f64(char *dst, double x);
TACO__FN size_t taco__num_format_f32(char *dst, float x);
TACO__FN size_t taco__num_format_f16(char *dst, uint16_t bits);
TACO__FN float taco__num_f16_to_f32(uint16_t bits);

/* Decimal digits, two at a time. The table is in a header because these functions print columns. */
static const char taco__num_pairs[] = "0001020304050607080910111213141516171819"
                                      "2021222324252627282930313233343536373839"
                                      "4041424344454647484950515253545556575859"
                                      "6061626364656667686970717273747576777879"
                                      "8081828384858687888990919293949596979899";

/* x < 100, with leading zeros; returns the end */
TACO__INLINE char *taco__num_put2(char *dst, uint32_t x)
{
    memcpy(dst, taco__num_pairs + 2 * x, 2);
    return dst + 2;
}

/* x < 10^4, with leading zeros; returns the end */
TACO__INLINE char *taco__num_put4(char *dst, uint32_t x)
{
    return taco__num_put2(taco__num_put2(dst, x / 100), x % 100);
}

/* x < 10^8, with leading zeros; returns the end */
TACO__INLINE char *taco__num_put8(char *dst, uint32_t x)
{
    return taco__num_put4(taco__num_put4(dst, x / 10000), x % 10000);
}

/* ---- number_parse.c ---- */

/* A decimal number as text: the value of all its digits, as an integer, times 10^exponent. */
typedef struct taco__num_parse_digits {
    /* The digits; a point may be among them, and leading zeros unless there are more than 19. */
    const uint8_t *at, *end;
    int64_t count, exponent;
    uint64_t first; /* the first 19 digits, or all */
    bool more;      /* others than 0 follow those */
} taco__num_parse_digits;

/* Length of the number that b begins with, 0 if none, in the grammar of JSON or of SQL. */
TACO__FN size_t taco__num_scan_json(taco_bytes b, bool *integral);
TACO__FN size_t taco__num_scan_sql(taco_bytes b, bool *integral);
/* All of b as a number; false, with *out unchanged, if it is not one. */
TACO__FN bool taco__num_parse_u64(taco_bytes b, uint64_t *out);
TACO__FN bool taco__num_parse_i64(taco_bytes b, int64_t *out);
TACO__FN bool taco__num_parse_f64(taco_bytes b, double *out);
TACO__FN bool taco__num_parse_f32(taco_bytes b, float *out);
TACO__FN double taco__num_f32_to_f64(float x);
TACO__FN float taco__num_f64_to_f32(double x);

/* A FLOAT as DOUBLE, in integers if a processor that takes denormals for zero would lose it. */
TACO__INLINE double taco__f32_widen(float x)
{
    return taco__f32_to_bits(x) >> 23 & 0xFF ? (double)x : taco__num_f32_to_f64(x);
}

TACO__FN double taco__num_u64_to_f64(uint64_t x, bool single);
/* The two steps of taco__num_parse_f64, for decimal.c. */
TACO__FN bool taco__num_parse_text(taco_bytes b, taco__num_parse_digits *d);
TACO__FN double taco__num_parse_to_f64(const taco__num_parse_digits *d, bool negative);

TACO__INLINE bool taco__ascii_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* ---- decimal.c ---- */

/* Decimals are two's complement integers of any width, of which the last `scale` digits are after
   the point. */
TACO__FN bool taco__decimal_append_be(taco__buf *out, taco_bytes b, int32_t scale, taco_error *err);
TACO__FN bool taco__decimal_append_le(taco__buf *out, const uint8_t *le, int32_t width,
                                      int32_t scale, taco_error *err);
TACO__FN double taco__decimal_le_to_f64(const uint8_t *le, int32_t width, int32_t scale);

/* ---- datetime.c ---- */

#define TACO__TIME_DAY_MICROS INT64_C(86400000000)
/* the first TIMESTAMP in DuckDB, 290309-12-22 (BC) */
#define TACO__TIME_FIRST_MICROS INT64_C(-9223372022400000000)
#define TACO__TIME_CHARS        48 /* enough for any text that datetime.c writes */

typedef struct taco__time_civil {
    int64_t year; /* astronomical: year 0 exists, before it come negative ones */
    int32_t month, day;
} taco__time_civil;

/* Days are counted from 1970-01-01, in the Gregorian calendar for all years. */
TACO__FN int32_t taco__time_days_in_month(int64_t year, int32_t month);
TACO__FN int64_t taco__time_days_from_date(int64_t year, int32_t month, int32_t day);
TACO__FN taco__time_civil taco__time_date_from_days(int64_t days);

/* To text: dst has room for TACO__TIME_CHARS bytes; no NUL; returns the length. */
TACO__FN size_t taco__time_format_date(char *dst, int64_t days);
TACO__FN bool taco__time_format_time(char *dst, int64_t value, taco_unit unit, size_t *len);
TACO__FN size_t taco__time_format_timestamp(char *dst, int64_t value, taco_unit unit, bool utc);
TACO__FN size_t taco__time_format_int96(char *dst, const uint8_t *p);
TACO__FN bool taco__time_int96_to(const uint8_t *p, taco_unit unit, int64_t *out);

/* A parser of one text. It keeps the first failure: where, and what was expected there. After it
   every step does nothing. */
typedef struct taco__time_parser {
    const uint8_t *s;
    size_t at, end;
    const char *expected; /* NULL if nothing has failed */
    size_t expected_at;
} taco__time_parser;

/* From text in ISO 8601: strict, as filters and options are written. */
TACO__FN bool taco__time_parse(taco_bytes text, int64_t *us, bool *date_only);
TACO__FN taco__time_parser taco__time_parser_init(taco_bytes text);
TACO__FN taco_status taco__time_parse_range(const char *text, int64_t *first_day, int64_t *last_day,
                                            int64_t *start_us, int64_t *end_us, taco_error *err);

/* From text as SQL casts it. These follow DuckDB rather than a standard, because rows are compared
   with its results: separators may be '/', months and days may have one digit, and a cast to DATE
   ignores the time after it. */
TACO__FN bool taco__time_cast_date(taco_bytes text, int32_t *days);
TACO__FN bool taco__time_cast_timestamp(taco_bytes text, int64_t *us, bool *date_only, bool *zone);
/* Parts of these, for literals whose type decides which parts are required. */
TACO__FN bool taco__time_accept(taco__time_parser *in, char c);
TACO__FN void taco__time_skip_spaces(taco__time_parser *in);
TACO__FN bool taco__time_cast_date_part(taco__time_parser *in, int64_t *days);
TACO__FN bool taco__time_cast_clock(taco__time_parser *in, int64_t *us, bool *form);
TACO__FN bool taco__time_cast_zone(taco__time_parser *in, int64_t *us, bool *zone);

/* floor(a / b), b > 0 */
TACO__INLINE int64_t taco__time_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* a - floor(a / b) * b, without the product, which may overflow */
TACO__INLINE int64_t taco__time_floor_mod(int64_t a, int64_t b)
{
    return a % b + (a % b < 0 ? b : 0);
}

TACO__INLINE uint32_t taco__time_units_per_second(taco_unit unit)
{
    return unit == TACO_NANO    ? 1000000000U
           : unit == TACO_MICRO ? 1000000U
           : unit == TACO_MILLI ? 1000U
                                : 1U;
}

/* ---- checksum.c ---- */

TACO__FN uint32_t taco__crc32(uint32_t crc, const void *data, size_t len);
TACO__FN uint32_t taco__adler32(const uint8_t *p, size_t len);
TACO__FN uint32_t taco__xxh32(const uint8_t *p, size_t len);

/* also a good multiplier for hashes of the codecs' own */
#define TACO__XXH64_PRIME1 UINT64_C(0x9E3779B185EBCA87)

/* XXH64 of bytes in pieces: four accumulators take 8 bytes each of every 32-byte block; at the end
   they are mixed, and the remaining bytes are added. */
typedef struct taco__xxh64 {
    uint64_t acc[4], total, seed;
    uint8_t block[32]; /* the last total % 32 bytes, not yet hashed */
} taco__xxh64;

TACO__FN void taco__xxh64_init(taco__xxh64 *h, uint64_t seed);
TACO__FN void taco__xxh64_update(taco__xxh64 *h, const void *data, size_t len);
TACO__FN uint64_t taco__xxh64_digest(const taco__xxh64 *h);
TACO__FN uint64_t taco__xxh64_hash(uint64_t seed, const void *data, size_t len);

/* ---- hash_map.c ---- */

/* A key and its number. The caller may point key.data at an equal copy of the bytes. */
typedef struct taco__hash_slot {
    taco_bytes key; /* borrowed; data NULL: empty slot */
    uint64_t hash;  /* hash of the bytes; in a map of integers the key itself */
    uint64_t value;
} taco__hash_slot;

/* A map whose keys are all bytes or all integers. Zeroed, with mem set, it is empty; free it with
   taco__hash_map_free. */
typedef struct taco__hash_map {
    taco__mem *mem;
    taco__hash_slot *slots;
    size_t slot_count, count; /* a power of two or 0; number of keys, at most half of that */
    size_t room;              /* allocated slots */
    uint64_t seed;
    bool integers;
} taco__hash_map;

/* Empties the map and makes room for n keys; it can still grow. The memory is kept, and only as
   much as n keys need is cleared, so that filling a map many times is cheap. */
TACO__FN bool taco__hash_map_reset(taco__hash_map *m, size_t n, taco_error *err);
/* The slot of a key; if it is new, *added is set and its value is 0. Valid until the next add.
   NULL, with err set, if there is no memory, or too many keys collide (LIMIT). */
TACO__FN taco__hash_slot *taco__hash_map_add(taco__hash_map *m, taco_bytes key, bool *added,
                                             taco_error *err);
TACO__FN taco__hash_slot *taco__hash_map_add_u64(taco__hash_map *m, uint64_t key, bool *added,
                                                 taco_error *err);
/* The slot of a key, NULL if there is none. */
TACO__FN taco__hash_slot *taco__hash_map_find(const taco__hash_map *m, taco_bytes key);
TACO__FN taco__hash_slot *taco__hash_map_find_u64(const taco__hash_map *m, uint64_t key);
TACO__FN void taco__hash_map_free(taco__hash_map *m);

/* ---- bit_unpack.c ---- */

/* Packed integers are least significant bit first, width bits each, so that eight of them take
   width bytes: the values 1, 2, 3, ... of width 3 begin with the bytes 0xD1 0x58. Unpacking writes
   whole groups of eight: dst needs TACO__PAD bytes of room after its n values. It never reads past
   the avail bytes at src. Widths are 0 to 32 or to 64; those of _msb, 0 to 32, are packed from the
   most significant bit down (Parquet's BIT_PACKED, deprecated). */
TACO__FN void taco__bit_unpack32(const uint8_t *src, size_t avail, unsigned width, size_t first,
                                 size_t n, uint32_t *dst);
TACO__FN void taco__bit_unpack64(const uint8_t *src, size_t avail, unsigned width, size_t first,
                                 size_t n, uint64_t *dst);
TACO__FN void taco__bit_unpack_msb(const uint8_t *src, unsigned width, size_t first, size_t n,
                                   uint32_t *dst);
TACO__FN bool taco__bit_unpack32_above(const uint8_t *src, size_t avail, unsigned width,
                                       size_t first, size_t n, uint32_t *dst, uint32_t max);
TACO__FN bool taco__bit_unpack_any_above_plain(const uint32_t *v, size_t n, uint32_t max);
#if TACO__X86
TACO__FN bool taco__bit_unpack_any_above_avx2(const uint32_t *v, size_t n, uint32_t max);
#endif

/* True when one of v[0..n) is larger than max < 2^31. */
TACO__INLINE bool taco__bit_unpack_any_above(const uint32_t *v, size_t n, uint32_t max)
{
#if TACO__X86
    if (TACO__CPU_HAS("avx2")) { return taco__bit_unpack_any_above_avx2(v, n, max); }
#endif
    return taco__bit_unpack_any_above_plain(v, n, max);
}

/* ---- ascii.c ---- */

TACO__FN TACO__NOINLINE char *taco__ascii_put_hex(char *p, const uint8_t *s, size_t n);
TACO__FN bool taco__ascii_append_hex(taco__buf *out, const char *before, taco_bytes b,
                                     const char *after, taco_error *err);
TACO__FN int taco__ascii_hex_value(uint8_t c);
TACO__FN int taco__ascii_hex_byte(taco_bytes b, size_t i);
TACO__FN taco_bytes taco__ascii_trim(taco_bytes b);
TACO__FN TACO__NOINLINE bool taco__ascii_is_word(taco_bytes b, const char *word);
TACO__FN uint8_t taco__ascii_lower(uint8_t c);
TACO__FN bool taco__ascii_is_among(uint8_t c, const char *set);

/* A blank, or a control character from 9 to 13, whatever the locale. */
TACO__INLINE bool taco__ascii_is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ---- json_write.c ---- */

TACO__FN bool taco__json_write_quoted(taco__buf *out, taco_bytes b, taco_error *err);
TACO__FN bool taco__json_write_string(taco__buf *out, taco_bytes b, taco_error *err);
TACO__FN bool taco__json_write_replace_broken(taco__buf *out, taco_bytes b, taco_error *err);
TACO__FN bool taco__json_write_name(taco__buf *out, taco_bytes b, taco_error *err);

/* A writer of JSON. Every value comes with its key, which is NULL in an array, for the whole, and
   after taco__json_write_key:
       taco__json_writer w = taco__json_writer_init(out, err);
       taco__json_write_begin(&w, NULL, '{');
       taco__json_write_text(&w, "name", name);
       taco__json_write_begin(&w, "rows", '[');
       taco__json_write_u64(&w, NULL, 7);
       taco__json_write_end(&w, ']');
       taco__json_write_end(&w, '}');
       return w.ok;
   After a failure nothing is written any more. A value with a form of its own is appended to w.out
   after taco__json_write_key, its success being kept in w.ok. */
typedef struct taco__json_writer {
    taco__buf *out;
    taco_error *err;
    size_t begin; /* where the document begins in `out` */
    bool ok;      /* false after the first failure */
} taco__json_writer;

TACO__FN taco__json_writer taco__json_writer_init(taco__buf *out, taco_error *err);
/* The comma, if needed, and the key, if there is one: the value follows. */
TACO__FN void taco__json_write_key(taco__json_writer *w, const char *key);
TACO__FN void taco__json_write_key_bytes(taco__json_writer *w, taco_bytes key);
/* bracket: '{' or '[', and the one that closes it. */
TACO__FN void taco__json_write_begin(taco__json_writer *w, const char *key, char bracket);
TACO__FN void taco__json_write_end(taco__json_writer *w, char bracket);
/* A value that is already JSON. */
TACO__FN void taco__json_write_raw(taco__json_writer *w, const char *key, taco_bytes json);
/* Text that is UTF-8. */
TACO__FN void taco__json_write_quoted_value(taco__json_writer *w, const char *key,
                                            taco_bytes value);
/* As taco__json_write_string has it. */
TACO__FN void taco__json_write_bytes_value(taco__json_writer *w, const char *key, taco_bytes value);
/* null if value is NULL. */
TACO__FN void taco__json_write_text(taco__json_writer *w, const char *key, const char *value);
TACO__FN void taco__json_write_bool(taco__json_writer *w, const char *key, bool value);
TACO__FN void taco__json_write_u64(taco__json_writer *w, const char *key, uint64_t value);
TACO__FN void taco__json_write_i64(taco__json_writer *w, const char *key, int64_t value);
/* The shortest digits that read back as the same double; NaN and the infinities are words in
   quotes. */
TACO__FN void taco__json_write_double(taco__json_writer *w, const char *key, double value);

#endif /* TACO__BASE_H */
