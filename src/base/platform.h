/* platform.h - compiler, processor, byte order and operating system

   The only header that tests for compiler, machine or system; everything else uses what is defined
   here, so that a port changes only platform.h and platform.c. In this order:
     linkage       TACO__FN, TACO__INLINE, TACO__COLD, TACO__NOINLINE, TACO__LIKELY
     processor     byte order, TACO__X86 and others with vectors, run-time tests for extensions,
                   bit operations
     files         seeking with 64 bits, positional reads, flushing to disk, truncating
     directories   kinds of paths, listing, opening relative to a directory
     other         the clock, real paths, error numbers of Arrow streams
   The system's functions are declared here where -std=c99 hides them. With TACO_NO_STDIO there are
   no files; on unknown systems files use ISO C and there are no directories. */
#ifndef TACO__PLATFORM_H
#define TACO__PLATFORM_H

/* 64-bit file positions on 32-bit systems, and fseeko under -std=c99. */
#if !defined(TACO__SINGLE_UNIT) && !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif
#if !defined(TACO__SINGLE_UNIT) && !defined(_LARGEFILE_SOURCE)
#define _LARGEFILE_SOURCE 1
#endif

#include "../api/taco_parquet.h"

#include <float.h>
#include <string.h>

/* ---- linkage ---- */

/* TACO__FN is for private functions that several files share: static in the header that users
   include, where all files are one unit; hidden in a library made of src/. What one file uses is
   plainly static. */
#if defined(TACO__SINGLE_UNIT) && (defined(__GNUC__) || defined(__clang__))
#define TACO__FN static __attribute__((unused))
#elif defined(TACO__SINGLE_UNIT)
#define TACO__FN static
#elif defined(__GNUC__) && !defined(_WIN32) && !defined(TACO__VISIBLE)
#define TACO__FN extern __attribute__((visibility("hidden")))
#else
#define TACO__FN extern
#endif

/* TACO__INLINE is for helpers of hot loops, which must not become calls. With TACO_SMALL the
   compiler decides, by size; TACO__CALLS makes them calls, so that make coverage counts a branch
   once, and not in each caller. TACO__COLD moves failure paths out of the hot code; TACO__ONCE is
   for code that runs once per file or query, and is optimized for size; TACO__NOINLINE reserves the
   registers for a loop. */
#if defined(__GNUC__) || defined(__clang__)
#define TACO__LIKELY(x)   __builtin_expect(!!(x), 1)
#define TACO__UNLIKELY(x) __builtin_expect(!!(x), 0)
#if defined(TACO_SMALL) || defined(TACO__CALLS)
#define TACO__INLINE static inline __attribute__((unused))
#else
#define TACO__INLINE static inline __attribute__((always_inline))
#endif
#define TACO__COLD     __attribute__((cold, noinline))
#define TACO__ONCE     __attribute__((cold))
#define TACO__NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define TACO__LIKELY(x)   (x)
#define TACO__UNLIKELY(x) (x)
#define TACO__INLINE      static __forceinline
#define TACO__COLD        __declspec(noinline)
#define TACO__ONCE
#define TACO__NOINLINE __declspec(noinline)
#else
#define TACO__LIKELY(x)   (x)
#define TACO__UNLIKELY(x) (x)
#define TACO__INLINE      static inline
#define TACO__COLD
#define TACO__ONCE
#define TACO__NOINLINE
#endif

/* Whether the compiler may take it that there are neither NaNs nor infinities. */
#if (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__FAST_MATH__) ||           \
    defined(_M_FP_FAST)
#define TACO__FINITE_MATH 1
#else
#define TACO__FINITE_MATH 0
#endif

/* A double that is stored: if the processor computes with more precision (x87), assignment
   rounds. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
#define TACO__ROUNDED double
#else
#define TACO__ROUNDED volatile double
#endif

/* C++ has no restrict. */
#if defined(__cplusplus)
#define TACO__RESTRICT
#elif defined(__GNUC__) || defined(__clang__) ||                                                   \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define TACO__RESTRICT restrict
#else
#define TACO__RESTRICT
#endif

/* ---- processor ---- */

/* If the compiler does not say, little-endian, as nearly all machines are. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define TACO__BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define TACO__BIG_ENDIAN 0
#endif

/* TACO__X86: functions for extensions of x86 may be compiled, each marked TACO__TARGET; they are
   called only if TACO__CPU_HAS, which tests replace, says that the running machine has the
   extension. */
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__)) &&     \
    !defined(TACO_NO_SIMD) && !defined(TACO_SMALL)
#define TACO__X86         1
#define TACO__TARGET(isa) __attribute__((target(isa)))
#ifndef TACO__CPU_HAS
#define TACO__CPU_HAS(isa) (__builtin_cpu_supports(isa) != 0)
#endif
#else
#define TACO__X86 0
#endif
/* TACO__NEON: 64-bit ARM, all of which has these vectors; little-endian, as their lanes are in the
   order of memory. TACO__WASM_SIMD: WebAssembly compiled with -msimd128. */
#if defined(__aarch64__) && defined(__ARM_NEON) && (defined(__GNUC__) || defined(__clang__)) &&    \
    !TACO__BIG_ENDIAN && !defined(TACO_NO_SIMD) && !defined(TACO_SMALL)
#define TACO__NEON 1
#else
#define TACO__NEON 0
#endif
#if defined(__wasm_simd128__) && !defined(TACO_NO_SIMD) && !defined(TACO_SMALL)
#define TACO__WASM_SIMD 1
#else
#define TACO__WASM_SIMD 0
#endif
/* TACO__ARM_CRC: instructions for the CRC-32 of zlib, which only the first processors of this kind
   lack; taco__plat_has_crc() says whether the running one has them. */
#if TACO__NEON && (defined(__linux__) || defined(__ARM_FEATURE_CRC32))
#define TACO__ARM_CRC 1
#if defined(__clang__)
#define TACO__TARGET_CRC           __attribute__((target("crc")))
#define TACO__ARM_CRC_WORD(crc, x) __builtin_arm_crc32d((crc), (x))
#define TACO__ARM_CRC_BYTE(crc, x) __builtin_arm_crc32b((crc), (x))
#else
#define TACO__TARGET_CRC           __attribute__((target("+crc")))
#define TACO__ARM_CRC_WORD(crc, x) __builtin_aarch64_crc32x((crc), (x))
#define TACO__ARM_CRC_BYTE(crc, x) __builtin_aarch64_crc32b((crc), (x))
#endif
#if !defined(__ARM_FEATURE_CRC32)
#include <sys/auxv.h>
#endif
TACO__INLINE bool taco__plat_has_crc(void)
{
#if defined(__ARM_FEATURE_CRC32)
    return true;
#else
    return (getauxval(AT_HWCAP) & 1UL << 7) != 0; /* HWCAP_CRC32 */
#endif
}
#else
#define TACO__ARM_CRC 0
#endif
/* VPCLMULQDQ: carry-less products of two pairs at once, without AVX-512. Older compilers lack
   it. */
#if TACO__X86 &&                                                                                   \
    ((defined(__clang__) && __clang_major__ >= 10) || (!defined(__clang__) && __GNUC__ >= 11))
#define TACO__X86_CLMUL2 1
#else
#define TACO__X86_CLMUL2 0
#endif

/* Trailing and leading zero bits of x, which is not 0, and x with its bytes in reverse. */
#if defined(__GNUC__) || defined(__clang__)
TACO__INLINE unsigned taco__plat_ctz64(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

TACO__INLINE unsigned taco__plat_clz64(uint64_t x)
{
    return (unsigned)__builtin_clzll(x);
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
TACO__INLINE unsigned taco__plat_ctz64(uint64_t x)
{
    unsigned n = 0;
    while (!(x & 1)) {
        x >>= 1;
        n++;
    }
    return n;
}

TACO__INLINE unsigned taco__plat_clz64(uint64_t x)
{
    unsigned n = 0;
    while (!(x >> 63)) {
        x <<= 1;
        n++;
    }
    return n;
}

TACO__INLINE uint32_t taco__plat_swap32(uint32_t x)
{
    return (x >> 24) | ((x >> 8) & 0xFF00U) | ((x << 8) & 0xFF0000U) | (x << 24);
}

TACO__INLINE uint64_t taco__plat_swap64(uint64_t x)
{
    return ((uint64_t)taco__plat_swap32((uint32_t)x) << 32) |
           taco__plat_swap32((uint32_t)(x >> 32));
}
#endif

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 taco__plat_u128;

/* All 128 bits of a * b; returns the lower 64. */
TACO__INLINE uint64_t taco__plat_mul64(uint64_t a, uint64_t b, uint64_t *high)
{
    taco__plat_u128 p = (taco__plat_u128)a * b;
    *high = (uint64_t)(p >> 64);
    return (uint64_t)p;
}
#else
/* The same from four products of 32 bits. */
TACO__INLINE uint64_t taco__plat_mul64(uint64_t a, uint64_t b, uint64_t *high)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid;
    *high = a1 * b1 + (mid >> 32) + (mid2 >> 32);
    return mid2 << 32 | (uint32_t)low;
}
#endif

/* ---- parts that can be left out ---- */

/* 1, or 0 if the switch with that name leaves the part out: a constant condition, so that unused
   parts are not linked, but still compiled. */
#ifdef TACO_NO_SNAPPY
#define TACO__WITH_SNAPPY 0
#else
#define TACO__WITH_SNAPPY 1
#endif
#ifdef TACO_NO_LZ4
#define TACO__WITH_LZ4 0
#else
#define TACO__WITH_LZ4 1
#endif
#ifdef TACO_NO_GZIP
#define TACO__WITH_GZIP 0
#else
#define TACO__WITH_GZIP 1
#endif
#ifdef TACO_NO_ZSTD
#define TACO__WITH_ZSTD 0
#else
#define TACO__WITH_ZSTD 1
#endif
#ifdef TACO_NO_DELTA
#define TACO__WITH_DELTA 0
#else
#define TACO__WITH_DELTA 1
#endif
#ifdef TACO_NO_NESTED
#define TACO__WITH_NESTED 0
#else
#define TACO__WITH_NESTED 1
#endif
#ifdef TACO_NO_BLOOM
#define TACO__WITH_BLOOM 0
#else
#define TACO__WITH_BLOOM TACO__WITH_PRUNING
#endif
#ifdef TACO_NO_PAGE_INDEX
#define TACO__WITH_PAGE_INDEX 0
#else
#define TACO__WITH_PAGE_INDEX TACO__WITH_PRUNING
#endif
#ifdef TACO_NO_PRUNING
#define TACO__WITH_PRUNING 0
#else
#define TACO__WITH_PRUNING 1
#endif
#ifdef TACO_NO_READ_AHEAD
#define TACO__WITH_READ_AHEAD 0
#else
#define TACO__WITH_READ_AHEAD 1
#endif
#ifdef TACO_NO_CACHE
#define TACO__WITH_CACHE 0
#else
#define TACO__WITH_CACHE 1
#endif
#ifdef TACO_NO_TASKS
#define TACO__WITH_TASKS 0
#else
#define TACO__WITH_TASKS 1
#endif
#ifdef TACO_NO_FILTERS
#define TACO__WITH_FILTERS 0
#else
#define TACO__WITH_FILTERS 1
#endif
#ifdef TACO_NO_PREDICATES
#define TACO__WITH_PREDICATES 0
#else
#define TACO__WITH_PREDICATES 1
#endif
#ifdef TACO_NO_LIKE
#define TACO__WITH_LIKE 0
#else
#define TACO__WITH_LIKE 1
#endif
#ifdef TACO_NO_DECIMALS
#define TACO__WITH_DECIMALS 0
#else
#define TACO__WITH_DECIMALS 1
#endif
#ifdef TACO_NO_DATES
#define TACO__WITH_DATES 0
#else
#define TACO__WITH_DATES 1
#endif
#ifdef TACO_NO_AVRO
#define TACO__WITH_AVRO 0
#else
#define TACO__WITH_AVRO 1
#endif
#ifdef TACO_NO_GEOMETRY
#define TACO__WITH_GEOMETRY 0
#else
#define TACO__WITH_GEOMETRY 1
#endif
#ifdef TACO_NO_MANY
#define TACO__WITH_MANY 0
#else
#define TACO__WITH_MANY 1
#endif
#ifdef TACO_NO_ORDER
#define TACO__WITH_ORDER 0
#else
#define TACO__WITH_ORDER 1
#endif

/* ---- files ---- */

/* Seeking and telling with 64 bits; TACO__FILE_MAX is the last offset that can be sought. */
#ifndef TACO_NO_STDIO
#include <stdio.h>
#if defined(_WIN32)
#define TACO__FSEEK(f, offset, whence) _fseeki64((f), (int64_t)(offset), (whence))
#define TACO__FTELL(f)                 _ftelli64(f)
#define TACO__FILE_MAX                 ((uint64_t)INT64_MAX)
#elif defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#include <sys/types.h>
#if !defined(__cplusplus) && (defined(__LP64__) || !defined(__USE_FILE_OFFSET64))
/* Not declared when <stdio.h> came first under -std=c99. With __USE_FILE_OFFSET64 they are
   declared: glibc then renames them to fseeko64 and ftello64. */
extern int fseeko(FILE *, off_t, int);
extern off_t ftello(FILE *);
#endif
#define TACO__FSEEK(f, offset, whence) fseeko((f), (off_t)(offset), (whence))
#define TACO__FTELL(f)                 ftello(f)

#define TACO__FILE_MAX (sizeof(off_t) >= 8 ? (uint64_t)INT64_MAX - 1 : (uint64_t)INT32_MAX)
#else
#define TACO__FSEEK(f, offset, whence) fseek((f), (int32_t)(offset), (whence))
#define TACO__FTELL(f)                 ftell(f)
#define TACO__FILE_MAX                 ((uint64_t)INT32_MAX)
#endif
/* A file being read: a descriptor if offsets have 64 bits, because opening, reading and closing one
   takes few system calls and no buffer, which matters with many files; elsewhere a FILE. Cast to a
   pointer it is the context of a taco_source. */
#if defined(__LP64__) && (defined(__unix__) || defined(__APPLE__)) && !defined(__wasi__)
#include <unistd.h>
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern ssize_t pread(int, void *, size_t, off_t);
#endif
typedef int taco__plat_file;
#define TACO__PREAD              1
#define TACO__FILE_TO_CTX(in)    ((void *)(intptr_t)(in))
#define TACO__FILE_FROM_CTX(ctx) ((int)(intptr_t)(ctx))
#define TACO__FILE_CLOSE(in)     close(in)
#else
typedef FILE *taco__plat_file;
#define TACO__PREAD              0
#define TACO__FILE_TO_CTX(in)    ((void *)(in))
#define TACO__FILE_FROM_CTX(ctx) ((FILE *)(ctx))
#define TACO__FILE_CLOSE(in)     fclose(in)
#endif

/* Reads len bytes at offset; false on failure and if the file ends before them. */
TACO__FN bool taco__plat_read(taco__plat_file in, uint64_t offset, void *dst, size_t len);
#endif

/* TACO__FSYNC: 0 if everything written has reached the disk, if the system has a call for that.
   TACO__TRUNCATE: true if the file was truncated to size. */
#if defined(TACO_NO_STDIO)
#elif defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#include <unistd.h>
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern int fileno(FILE *);
extern int fsync(int);
#if defined(__GLIBC__) && !defined(__LP64__) && defined(_FILE_OFFSET_BITS) &&                      \
    !defined(__USE_XOPEN_EXTENDED) && !defined(__USE_XOPEN2K)
/* what ftruncate means in headers that declare it */
extern int ftruncate64(int, int64_t);
#define TACO__TRUNCATE(f, size) (ftruncate64(fileno(f), (int64_t)(size)) == 0)
#else
extern int ftruncate(int, off_t);
#endif
#endif
#ifndef TACO__TRUNCATE
#define TACO__TRUNCATE(f, size) (ftruncate(fileno(f), (off_t)(size)) == 0)
#endif
#define TACO__FSYNC(f) fsync(fileno(f))
#elif defined(_WIN32)
#include <io.h>
#define TACO__FSYNC(f)          _commit(_fileno(f))
#define TACO__TRUNCATE(f, size) (_chsize_s(_fileno(f), (int64_t)(size)) == 0)
#else
#define TACO__FSYNC(f)          0
#define TACO__TRUNCATE(f, size) ((void)(f), (void)(size), false)
#endif

/* Seconds since 1970-01-01 in UTC; -1 if there is no clock. */
TACO__FN int64_t taco__plat_now(void);

/* ---- directories ---- */

/* TACO__DIRS is 0 on unknown systems: directories can then neither be listed nor made. */
#if !defined(TACO_NO_STDIO) && (defined(__unix__) || defined(__APPLE__) || defined(__wasi__))
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#define TACO__DIRS        1
#define TACO__MKDIR(path) mkdir((path), 0777)
#define TACO__RMDIR(path) remove(path) /* empty directories, too */
#elif !defined(TACO_NO_STDIO) && defined(_WIN32)
#include <direct.h>
#include <sys/stat.h>
#define TACO__DIRS        1
#define TACO__MKDIR(path) _mkdir(path)
#define TACO__RMDIR(path) _rmdir(path)
#else
#define TACO__DIRS        0
#define TACO__MKDIR(path) ((void)(path), -1)
#define TACO__RMDIR(path) ((void)(path), -1)
#endif
#define TACO__PLAT_PAGE     4096 /* bytes; no system has smaller pages */
#define TACO__PLAT_DEFERRED 16   /* closing more files at once saves no further time */

/* An open directory, and files in it that have been read and will be closed together. */
typedef struct taco__plat_dir {
    int fd, deferred_count, deferred[TACO__PLAT_DEFERRED];
} taco__plat_dir;

typedef enum taco__path_kind {
    TACO__PATH_MISSING, /* nothing has that name; in a listing: kind not known */
    TACO__PATH_FILE,
    TACO__PATH_DIRECTORY,
    TACO__PATH_SPECIAL /* a device, a pipe, a socket */
} taco__path_kind;

#if TACO__DIRS && !defined(_WIN32) && TACO__PREAD
#define TACO__OPEN_AT 1
#endif

/* What separates the names in a path of the local file system. */
TACO__INLINE bool taco__plat_is_slash(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/* True if a path does not depend on a current directory; on Windows also one that depends on the
   current drive alone, or on the current directory of a drive. */
TACO__INLINE bool taco__plat_is_absolute(const char *path, size_t len)
{
#ifdef _WIN32
    if (len >= 2 && path[1] == ':') { return true; }
#endif
    return len && taco__plat_is_slash(path[0]);
}

/* How many of the first len bytes of a path are its directory, with the separator at the end; 0 for
   a bare name. */
TACO__FN size_t taco__plat_dir_length(const char *path, size_t len);
/* What is at a path, following links, and its size; *size is unchanged if there is nothing. */
TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size);
#if TACO__DIRS && !defined(_WIN32)
/* The empty path names nothing (POSIX.1-2008 §4.13), but WASI's libc takes it for the working
   directory. False for it, and errno is then ENOENT. */
TACO__FN bool taco__plat_is_named(const char *path);
#endif
#ifndef TACO_NO_STDIO
/* Opens a regular file for reading; false for anything else. A pipe is refused without waiting for
   its writer. */
TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size);
#if TACO__DIRS && defined(_WIN32)
/* An existing file, for reading or for both, which others may rename, replace and remove while it
   is open; with fopen they could not. NULL on failure. */
TACO__FN FILE *taco__plat_open_shared(const char *path, bool update);
#endif
#endif
#ifdef TACO__OPEN_AT
/* Closes the files that taco__plat_open_at left open. */
TACO__FN void taco__plat_close_deferred(taco__plat_dir *d);
/* Opens a name that the directory lists as a regular file; neither the path nor the kind is looked
   up again, and the first page is read at once. If that read is short, the file ends there: then
   *whole is set, page has all of its *size bytes, and taco__plat_close_deferred closes *in, not the
   caller. */
TACO__FN bool taco__plat_open_at(taco__plat_dir *d, const char *name, taco__plat_file *in,
                                 uint64_t *size, uint8_t page[TACO__PLAT_PAGE], bool *whole);
#endif
/* Called for each name in a directory, in any order, until it returns false. kind is MISSING if the
   listing does not include it; use taco__plat_stat then. */
typedef bool (*taco__plat_list_fn)(void *ctx, const char *name, taco__path_kind kind);
/* Lists a directory without "." and ".."; false when it cannot be read or `each` returned false. */
TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx);

/* ---- why the system refused ---- */

#ifndef TACO_NO_STDIO
/* The error of the last failed system call, as a number to keep across further calls; 0: none. Set
   to 0 before calls that may fail without setting it. */
TACO__FN int taco__plat_reason(void);
TACO__FN void taco__plat_set_reason(int reason);
/* The same as text, ": permission denied"; "" if the file simply does not exist, or if not known. A
   constant. */
TACO__FN const char *taco__plat_cause(int reason);
#else
TACO__INLINE int taco__plat_reason(void)
{
    return 0;
}

TACO__INLINE const char *taco__plat_cause(int reason)
{
    (void)reason;
    return "";
}
#endif

/* ---- copying files ---- */

#if !defined(TACO_NO_STDIO) && defined(__linux__) && defined(__GLIBC__) && defined(__LP64__)
#if __GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 27)
#define TACO__COPY_RANGE 1
#endif
#endif
#ifdef TACO__COPY_RANGE
#if !defined(__USE_GNU) /* not declared under -std=c99 */
extern ssize_t copy_file_range(int, off_t *, int, off_t *, size_t, unsigned);
extern int syncfs(int);
#endif
#define TACO__SYNC_ALL(f) syncfs(fileno(f)) /* all files of the file system that f is on */
#elif !defined(TACO_NO_STDIO)
#define TACO__SYNC_ALL(f) TACO__FSYNC(f)
#endif
#ifdef _WIN32
#define TACO__SYNC_MODE "r+b" /* a file that is only read is not flushed: access denied */
#else
#define TACO__SYNC_MODE "rb"
#endif
#ifndef TACO_NO_STDIO
/* Copies up to len bytes at `offset` of one open file to `at` in another without passing them
   through this process. Returns how many, or 0 if the system or file system cannot do that: the
   caller then copies them itself. `to` is unbuffered or flushed. */
TACO__FN size_t taco__plat_copy_range(taco__plat_file from, uint64_t offset, FILE *to, uint64_t at,
                                      size_t len);
#endif

/* ---- other ---- */

/* The absolute path with ".." and, but on Windows, links resolved, in a buffer of TACO__PATH_MAX
   bytes; NULL if the path does not exist or the system has no such call. TACO__FULL_PATH is the
   same for a path that need not exist: what does not is appended to what does. */
#define TACO__PATH_MAX 4096
#if defined(TACO_NO_STDIO)
#define TACO__REALPATH(path, buffer)  ((void)(path), (void)(buffer), (char *)0)
#define TACO__FULL_PATH(path, buffer) ((void)(path), (void)(buffer), (char *)0)
#elif defined(_WIN32)
TACO__FN char *taco__plat_real_path(const char *path, char *buffer);
TACO__FN char *taco__plat_full_path(const char *path, char *buffer);
#define TACO__REALPATH(path, buffer)  taco__plat_real_path((path), (buffer))
#define TACO__FULL_PATH(path, buffer) taco__plat_full_path((path), (buffer))
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
TACO__FN char *taco__plat_full_path(const char *path, char *buffer);
#define TACO__HAS_REALPATH            1
#define TACO__REALPATH(path, buffer)  realpath((path), (buffer))
#define TACO__FULL_PATH(path, buffer) taco__plat_full_path((path), (buffer))
#else
#define TACO__REALPATH(path, buffer)  ((void)(path), (void)(buffer), (char *)0)
#define TACO__FULL_PATH(path, buffer) ((void)(path), (void)(buffer), (char *)0)
#endif

/* Codes of <errno.h> that an Arrow stream returns. ISO C does not define them, all systems but WASI
   use the same numbers, and 32-bit compilers on 64-bit Linux often lack the header. */
#if defined(__wasi__) || defined(__EMSCRIPTEN__)
#define TACO__ENOMEM 48
#define TACO__EIO    29
#define TACO__EINVAL 28
#else
#define TACO__ENOMEM 12
#define TACO__EIO    5
#define TACO__EINVAL 22
#endif

#endif /* TACO__PLATFORM_H */
