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
/* carry-less products of two pairs at once, without AVX-512 */
#if TACO__X86 &&                                                                                   \
    ((defined(__clang__) && __clang_major__ >= 10) || (!defined(__clang__) && __GNUC__ >= 11))
#define TACO__X86_CLMUL2 1
#else
#define TACO__X86_CLMUL2 0
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
extern int    fseeko(FILE *, off_t, int);
extern off_t  ftello(FILE *);
#endif
#define TACO__FSEEK(f, offset, whence) fseeko((f), (off_t)(offset), (whence))
#define TACO__FTELL(f)                 ftello(f)
#define TACO__FILE_MAX                 (sizeof(off_t) >= 8 ? (uint64_t)INT64_MAX - 1 : (uint64_t)INT32_MAX)
#else
#define TACO__FSEEK(f, offset, whence) fseek((f), (int32_t)(offset), (whence))
#define TACO__FTELL(f)                 ftell(f)
#define TACO__FILE_MAX                 ((uint64_t)INT32_MAX)
#endif
/* A file that is read: a descriptor where offsets have 64 bits, with few system calls for each of many files. As a
   pointer it is the context of a source. taco__plat_read is false on failure and at the end of the file. */
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
TACO__FN bool taco__plat_read(taco__plat_file in, uint64_t offset, void *dst, size_t len)
{
    uint8_t *to = (uint8_t *)dst;
    while (len) {
        ssize_t n = pread(in, to, len < (size_t)1 << 30 ? len : (size_t)1 << 30, (off_t)offset);
        if (n <= 0) {
            return false;
        }
        to += n;
        offset += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}
#else
typedef FILE *taco__plat_file;
#define TACO__PREAD              0
#define TACO__FILE_TO_CTX(in)    ((void *)(in))
#define TACO__FILE_FROM_CTX(ctx) ((FILE *)(ctx))
#define TACO__FILE_CLOSE(in)     fclose(in)
TACO__FN bool taco__plat_read(taco__plat_file in, uint64_t offset, void *dst, size_t len)
{
    return TACO__FSEEK(in, offset, SEEK_SET) == 0 && fread(dst, 1, len, in) == len;
}
#endif
#endif

/* To the disk, as far as the system has a call for it. */
#if defined(TACO_NO_STDIO)
#elif defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern int fileno(FILE *);
extern int fsync(int);
#if defined(__GLIBC__) && !defined(__LP64__) && defined(_FILE_OFFSET_BITS) &&                      \
    !defined(__USE_XOPEN_EXTENDED) && !defined(__USE_XOPEN2K)
extern int ftruncate64(int, int64_t); /* what the shorter name stands for where it is declared */
#define TACO__TRUNCATE(f, size) (ftruncate64(fileno(f), (int64_t)(size)) == 0)
#else
extern int ftruncate(int, off_t);
#endif
#endif
#ifndef TACO__TRUNCATE
#define TACO__TRUNCATE(f, size) (ftruncate(fileno(f), (off_t)(size)) == 0)
#endif
#define TACO__FSYNC(f)            fsync(fileno(f))
#define TACO__BEFORE_RENAME(path) ((void)(path))
#elif defined(_WIN32)
#include <io.h>
#define TACO__FSYNC(f)            _commit(_fileno(f))
#define TACO__TRUNCATE(f, size)   (_chsize_s(_fileno(f), (int64_t)(size)) == 0)
#define TACO__BEFORE_RENAME(path) remove(path) /* rename replaces nothing there */
#else
#define TACO__FSYNC(f)            0
#define TACO__TRUNCATE(f, size)   ((void)(f), (void)(size), false)
#define TACO__BEFORE_RENAME(path) ((void)(path))
#endif

#include <time.h>
TACO__FN int64_t taco__plat_now(void) /* seconds since 1970 */
{
    return (int64_t)time(NULL);
}

/* Directories, kinds and sizes of files. TACO__DIRS is 0 where the system is not known: then there are none. */
#if !defined(TACO_NO_STDIO) && (defined(__unix__) || defined(__APPLE__) || defined(__wasi__))
#include <dirent.h>
#include <sys/stat.h>
#define TACO__DIRS        1
#define TACO__MKDIR(path) mkdir((path), 0777)
#define TACO__RMDIR(path) remove(path) /* removes empty directories, too */
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
#define TACO__PLAT_DEFERRED 16   /* more save no more */
/* A directory that is open, and files of it that were read and wait to be closed together. */
typedef struct taco__plat_dir {
    int fd, count, late[TACO__PLAT_DEFERRED];
} taco__plat_dir;
typedef enum taco__path_kind {
    TACO__PATH_MISSING,
    TACO__PATH_FILE,
    TACO__PATH_DIRECTORY,
    TACO__PATH_SPECIAL
} taco__path_kind;
#if TACO__DIRS && !defined(_WIN32)
TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        return TACO__PATH_MISSING;
    }
    *size = (uint64_t)st.st_size;
    return S_ISREG(st.st_mode)   ? TACO__PATH_FILE
           : S_ISDIR(st.st_mode) ? TACO__PATH_DIRECTORY
                                 : TACO__PATH_SPECIAL;
}
#include <fcntl.h>
#if !TACO__PREAD && !defined(__cplusplus) /* not declared under -std=c99 */
extern FILE *fdopen(int, const char *);
#endif
/* Opens a regular file. Pipes and devices are told from it without waiting for their other end. */
TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size)
{
    struct stat st;
    int         fd = open(path, O_RDONLY | O_NONBLOCK);
    bool        ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    *size = ok ? (uint64_t)st.st_size : 0;
#if TACO__PREAD
    *in = fd;
#else
    *in = ok ? fdopen(fd, "rb") : NULL;
    ok = *in && setvbuf(*in, NULL, _IONBF, 0) == 0; /* reads are large and positional */
#endif
    if (fd >= 0 && !ok) {
        close(fd);
    }
    return ok;
}
#if TACO__PREAD
#define TACO__OPEN_AT 1
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern int openat(int, const char *, int, ...);
#endif
#if defined(__linux__) && defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
#if !defined(__USE_GNU) /* not declared under -std=c99 */
extern int close_range(unsigned, unsigned, int);
#endif
#define TACO__CLOSE_RANGE(from, to) close_range((unsigned)(from), (unsigned)(to), 0)
#else
#define TACO__CLOSE_RANGE(from, to) ((void)(to), -1)
#endif
/* Runs of descriptors are closed by one call each: all of a run are ours, none of another thread lies between. */
TACO__FN void taco__plat_close_deferred(taco__plat_dir *d)
{
    int i = 0, end;
    while (i < d->count) {
        for (end = i + 1; end < d->count && d->late[end] == d->late[end - 1] + 1;) {
            end++;
        }
        if (end == i + 1 || TACO__CLOSE_RANGE(d->late[i], d->late[end - 1]) != 0) {
            end = i + 1;
            close(d->late[i]);
        }
        i = end;
    }
    d->count = 0;
}
/* Opens what the directory lists as a regular file: neither the way there nor its kind is looked up again.
   *size comes with its first *size bytes in page where the file ends within that page: a read stops short in a page only
   where the file does. Then *in is not to be closed, and *whole set. */
TACO__FN bool taco__plat_open_at(taco__plat_dir *d, const char *name, taco__plat_file *in,
                                 uint64_t *size, uint8_t page[TACO__PLAT_PAGE], bool *whole)
{
    int     fd = openat(d->fd, name, O_RDONLY | O_NONBLOCK);
    ssize_t n;
    off_t   end;
    if (d->count == TACO__PLAT_DEFERRED || (fd < 0 && d->count)) { /* perhaps too many are open */
        taco__plat_close_deferred(d);
        fd = fd < 0 ? openat(d->fd, name, O_RDONLY | O_NONBLOCK) : fd;
    }
    n = fd < 0 ? -1 : pread(fd, page, TACO__PLAT_PAGE, 0);
    end = n;
    *whole = n >= 0 && n < TACO__PLAT_PAGE;
    if (fd >= 0 && !*whole) {
        end = lseek(fd, 0, SEEK_END);
    }
    if (fd >= 0 && (*whole || end < 0)) {
        d->late[d->count++] = fd;
    }
    *in = fd;
    *size = end < 0 ? 0 : (uint64_t)end;
    return end >= 0;
}
#endif
/* What is in a directory, in no order, until the call returns false; kind is NOTHING where only taco__plat_stat tells. */
typedef bool (*taco__plat_list_fn)(void *ctx, const char *name, taco__path_kind kind);
#ifdef _DIRENT_HAVE_D_TYPE
#define TACO__DIRENT_KIND(e)                                                                       \
    ((e)->d_type == 4   ? TACO__PATH_DIRECTORY /* DT_DIR and DT_REG, which -std=c99 hides */       \
     : (e)->d_type == 8 ? TACO__PATH_FILE                                                          \
                        : TACO__PATH_MISSING)
#else
#define TACO__DIRENT_KIND(e) ((void)(e), TACO__PATH_MISSING)
#endif
/* False when `each` was, or reading fails. */
TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx)
{
    DIR           *d = opendir(dir);
    struct dirent *e;
    bool           ok = d != NULL;
    while (ok && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            ok = each(ctx, e->d_name, TACO__DIRENT_KIND(e));
        }
    }
    if (d) {
        closedir(d);
    }
    return ok;
}
#elif TACO__DIRS
TACO__FN taco__path_kind taco__plat_kind_of_mode(unsigned mode)
{
    return (mode & _S_IFMT) == _S_IFREG   ? TACO__PATH_FILE
           : (mode & _S_IFMT) == _S_IFDIR ? TACO__PATH_DIRECTORY
                                          : TACO__PATH_SPECIAL;
}
TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size)
{
    struct _stat64 st;
    if (_stat64(path, &st) != 0) {
        return TACO__PATH_MISSING;
    }
    *size = (uint64_t)st.st_size;
    return taco__plat_kind_of_mode((unsigned)st.st_mode);
}
TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size)
{
    *in = taco__plat_stat(path, size) == TACO__PATH_FILE ? fopen(path, "rb") : NULL;
    return *in && setvbuf(*in, NULL, _IONBF, 0) == 0;
}
typedef bool (*taco__plat_list_fn)(void *ctx, const char *name, taco__path_kind kind);
TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx)
{
    struct __finddata64_t e;
    char                  pattern[1024];
    size_t                n = strlen(dir);
    intptr_t              d;
    bool                  ok = true;
    if (n + 3 > sizeof pattern) {
        return false;
    }
    memcpy(pattern, dir, n);
    memcpy(pattern + n, "/*", 3);
    d = _findfirst64(pattern, &e);
    if (d == -1) {
        return false;
    }
    do {
        if (strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0) {
            ok = each(ctx, e.name, (e.attrib & _A_SUBDIR) ? TACO__PATH_DIRECTORY : TACO__PATH_FILE);
        }
    } while (ok && _findnext64(d, &e) == 0);
    _findclose(d);
    return ok;
}
#else
TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size)
{
    (void)path;
    (void)size;
    return TACO__PATH_MISSING;
}
#ifndef TACO_NO_STDIO
/* A directory opens on some systems; its first byte tells. */
TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size)
{
    FILE *f = fopen(path, "rb");
    char  first;
    bool  ok = f && setvbuf(f, NULL, _IONBF, 0) == 0 && TACO__FSEEK(f, 0, SEEK_END) == 0;
    *in = f;
    *size = ok ? (uint64_t)TACO__FTELL(f) : 0;
    ok = ok && TACO__FSEEK(f, 0, SEEK_SET) == 0 &&
         (fread(&first, 1, 1, f) == 1 || (*size == 0 && !ferror(f)));
    if (f && !ok) {
        fclose(f);
    }
    return ok;
}
#endif
typedef bool (*taco__plat_list_fn)(void *ctx, const char *name, taco__path_kind kind);
TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx)
{
    (void)dir;
    (void)each;
    (void)ctx;
    return false;
}
#endif

/* Copies up to len bytes from one open file to the end of what was written to another without passing them through this
   process; how many, or 0 where the system does not do that. Both are unbuffered or flushed. */
#if !defined(TACO_NO_STDIO) && defined(__linux__) && defined(__GLIBC__) && defined(__LP64__)
#if __GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 27)
#define TACO__COPY_RANGE 1
#endif
#endif
#ifdef TACO__COPY_RANGE
#if !defined(__USE_GNU) /* not declared under -std=c99 */
extern ssize_t copy_file_range(int, off_t *, int, off_t *, size_t, unsigned);
extern int     syncfs(int);
#endif
TACO__FN size_t taco__plat_copy_range(taco__plat_file from, uint64_t offset, FILE *to, uint64_t at,
                                      size_t len)
{
    off_t   in = (off_t)offset, out = (off_t)at;
    ssize_t n = copy_file_range(from, &in, fileno(to), &out, len, 0);
    return n > 0 ? (size_t)n : 0;
}
#define TACO__SYNC_ALL(f) syncfs(fileno(f)) /* all files of the file system that f is on */
#elif !defined(TACO_NO_STDIO)
TACO__FN size_t taco__plat_copy_range(taco__plat_file from, uint64_t offset, FILE *to, uint64_t at,
                                      size_t len)
{
    (void)from;
    (void)offset;
    (void)to;
    (void)at;
    (void)len;
    return 0;
}
#define TACO__SYNC_ALL(f) TACO__FSYNC(f)
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

/* Codes of <errno.h> that an Arrow stream returns. ISO C has none of the three, systems agree on them but for WASI's, and
   32-bit compilers on 64-bit Linux often lack the header. */
#if defined(__wasi__) || defined(__EMSCRIPTEN__)
#define TACO__ENOMEM 48
#define TACO__EIO    29
#define TACO__EINVAL 28
#else
#define TACO__ENOMEM 12
#define TACO__EIO    5
#define TACO__EINVAL 22
#endif
