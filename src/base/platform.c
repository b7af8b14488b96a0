/* platform.c - files and directories, using system calls

   The functions that platform.h declares, in three versions: for POSIX systems, for Windows, and
   for unknown systems, where a file is opened with ISO C's fopen and there are no directories. On
   64-bit POSIX systems files are descriptors that are read with pread, so that threads may share
   one. Start with taco__plat_open. */
#include "platform.h"

#include <time.h>

TACO__FN int64_t taco__plat_now(void)
{
    return (int64_t)time(NULL);
}

TACO__FN size_t taco__plat_dir_length(const char *path, size_t len)
{
    while (len && !taco__plat_is_slash(path[len - 1])) {
#ifdef _WIN32
        if (len == 2 && path[1] == ':') { break; } /* C:name is in the current directory of C: */
#endif
        len--;
    }
    return len;
}

#ifndef TACO_NO_STDIO
/* 32-bit compilers on 64-bit Linux often lack the header. */
#if defined(__has_include)
#if __has_include(<errno.h>) && (!defined(__linux__) || __has_include(<asm/errno.h>))
#define TACO__ERRNO 1
#endif
#elif !defined(__linux__)
#define TACO__ERRNO 1
#endif

#ifdef TACO__ERRNO
#include <errno.h>

TACO__FN int taco__plat_reason(void)
{
    return errno;
}

TACO__FN void taco__plat_set_reason(int reason)
{
    errno = reason;
}

/* Not strerror, which is not thread-safe. ISO C defines none of these numbers. */
TACO__FN const char *taco__plat_cause(int reason)
{
    static const struct {
        int reason;
        const char *words;
    } causes[] = {
#ifdef EACCES
        {EACCES, ": permission denied"},
#endif
#ifdef EPERM
        {EPERM, ": not permitted"},
#endif
#ifdef ENOSPC
        {ENOSPC, ": no space left on the device"},
#endif
#ifdef EDQUOT
        {EDQUOT, ": the disk quota is used up"},
#endif
#ifdef EMFILE
        {EMFILE, ": too many open files (ulimit -n)"},
#endif
#ifdef ENFILE
        {ENFILE, ": too many open files in the system"},
#endif
#ifdef EROFS
        {EROFS, ": the file system is read-only"},
#endif
#ifdef EFBIG
        {EFBIG, ": larger than a file may be"},
#endif
#ifdef ENAMETOOLONG
        {ENAMETOOLONG, ": the name is too long"},
#endif
#ifdef ELOOP
        {ELOOP, ": too many symbolic links"},
#endif
#ifdef EIO
        {EIO, ": the device failed"},
#endif
#ifdef EBUSY
        {EBUSY, ": in use"},
#endif
#ifdef ENOMEM
        {ENOMEM, ": the system is out of memory"},
#endif
#ifdef EPIPE
        {EPIPE, ": nobody reads it"},
#endif
        {0, ""}};
    size_t i;
    for (i = 0; causes[i].reason && causes[i].reason != reason; i++) {}
    return causes[i].words;
}
#else
TACO__FN int taco__plat_reason(void)
{
    return 0;
}

TACO__FN void taco__plat_set_reason(int reason)
{
    (void)reason;
}

TACO__FN const char *taco__plat_cause(int reason)
{
    (void)reason;
    return "";
}
#endif

#if TACO__PREAD
#if defined(TACO__ERRNO) && defined(EINTR)
#define TACO__INTERRUPTED(n) ((n) < 0 && errno == EINTR)
#else
#define TACO__INTERRUPTED(n) false
#endif

/* pread, repeated if a signal interrupts it before the first byte, as network file systems
   allow. */
static ssize_t taco__plat_read_some(int fd, void *dst, size_t len, uint64_t offset)
{
    ssize_t n;
    do {
        n = pread(fd, dst, len, (off_t)offset);
    } while (TACO__INTERRUPTED(n));
    return n;
}

/* In steps of 1 GiB: Linux reads at most 2 GiB at once, macOS refuses more. */
TACO__FN bool taco__plat_read(taco__plat_file in, uint64_t offset, void *dst, size_t len)
{
    uint8_t *to = (uint8_t *)dst;
    while (len) {
        ssize_t n =
            taco__plat_read_some(in, to, len < (size_t)1 << 30 ? len : (size_t)1 << 30, offset);
        if (n <= 0) { return false; }
        to += n;
        offset += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}
#else
TACO__FN bool taco__plat_read(taco__plat_file in, uint64_t offset, void *dst, size_t len)
{
    return TACO__FSEEK(in, offset, SEEK_SET) == 0 && fread(dst, 1, len, in) == len;
}
#endif
#endif

/* ---- POSIX ---- */
#if TACO__DIRS && !defined(_WIN32)
TACO__FN bool taco__plat_is_named(const char *path)
{
#ifdef ENOENT /* not without <errno.h> */
    if (!path[0]) { errno = ENOENT; }
#endif
    return path[0] != 0;
}

TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size)
{
    struct stat st;
    if (!taco__plat_is_named(path) || stat(path, &st) != 0) { return TACO__PATH_MISSING; }
    *size = (uint64_t)st.st_size;
    return S_ISREG(st.st_mode)   ? TACO__PATH_FILE
           : S_ISDIR(st.st_mode) ? TACO__PATH_DIRECTORY
                                 : TACO__PATH_SPECIAL;
}
#if !TACO__PREAD && !defined(__cplusplus) /* not declared under -std=c99 */
extern FILE *fdopen(int, const char *);
#endif
/* O_NONBLOCK: opening a pipe without a writer returns at once, and fstat then detects it. */
TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    *size = ok ? (uint64_t)st.st_size : 0;
#if TACO__PREAD
    *in = fd;
#else
    *in = ok ? fdopen(fd, "rb") : NULL;
    ok = *in && setvbuf(*in, NULL, _IONBF, 0) == 0; /* reads are large and positional */
    if (*in && !ok) {
        fclose(*in);
        *in = NULL;
        fd = -1;
    }
#endif
    if (fd >= 0 && !ok) { close(fd); }
    return ok;
}
#if TACO__PREAD
#if !defined(__cplusplus) /* not declared under -std=c99 */
extern int openat(int, const char *, int, ...);
#endif
/* ThreadSanitizer does not know close_range, and takes a descriptor that is used again for the old
   one. */
#if defined(__linux__) && defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34) &&        \
    !defined(__SANITIZE_THREAD__)
#if !defined(__USE_GNU) /* not declared under -std=c99 */
extern int close_range(unsigned, unsigned, int);
#endif
#define TACO__CLOSE_RANGE(from, to) close_range((unsigned)(from), (unsigned)(to), 0)
#else
#define TACO__CLOSE_RANGE(from, to) ((void)(to), -1)
#endif
/* A run of consecutive descriptors is closed by one call: all in it are ours, so none can belong to
   another thread. */
TACO__FN void taco__plat_close_deferred(taco__plat_dir *d)
{
    int i = 0, end;
    while (i < d->deferred_count) {
        for (end = i + 1;
             end < d->deferred_count && d->deferred[end] == d->deferred[end - 1] + 1;) {
            end++;
        }
        if (end == i + 1 || TACO__CLOSE_RANGE(d->deferred[i], d->deferred[end - 1]) != 0) {
            end = i + 1;
            close(d->deferred[i]);
        }
        i = end;
    }
    d->deferred_count = 0;
}

TACO__FN bool taco__plat_open_at(taco__plat_dir *d, const char *name, taco__plat_file *in,
                                 uint64_t *size, uint8_t page[TACO__PLAT_PAGE], bool *whole)
{
    int fd = openat(d->fd, name, O_RDONLY | O_NONBLOCK);
    ssize_t n = 0;
    off_t end = 0;
    /* no room for one more, or opening failed, perhaps because too many files are open */
    if (d->deferred_count == TACO__PLAT_DEFERRED || (fd < 0 && d->deferred_count)) {
        taco__plat_close_deferred(d);
        fd = fd < 0 ? openat(d->fd, name, O_RDONLY | O_NONBLOCK) : fd;
    }
    /* only a read of nothing is the end of the file */
    for (*whole = false; fd >= 0 && n >= 0 && !*whole && end < TACO__PLAT_PAGE; end += n) {
        n = taco__plat_read_some(fd, page + end, TACO__PLAT_PAGE - (size_t)end, (uint64_t)end);
        *whole = n == 0;
    }
    if (!*whole) { end = fd < 0 || n < 0 ? -1 : lseek(fd, 0, SEEK_END); }
    if (fd >= 0 && (*whole || end < 0)) { d->deferred[d->deferred_count++] = fd; }
    *in = fd;
    *size = end < 0 ? 0 : (uint64_t)end;
    return end >= 0;
}
#endif
/* Where -std=c99 hides DT_DIR and DT_REG they are 4 and 8; WASI has other numbers, and hides none.
   Links and unknown kinds are left to stat. */
#ifdef _DIRENT_HAVE_D_TYPE
#if defined(DT_DIR) && defined(DT_REG)
#define TACO__DT_DIR DT_DIR
#define TACO__DT_REG DT_REG
#else
#define TACO__DT_DIR 4
#define TACO__DT_REG 8
#endif
#define TACO__DIRENT_KIND(e)                                                                       \
    ((e)->d_type == TACO__DT_DIR   ? TACO__PATH_DIRECTORY                                          \
     : (e)->d_type == TACO__DT_REG ? TACO__PATH_FILE                                               \
                                   : TACO__PATH_MISSING)
#else
#define TACO__DIRENT_KIND(e) ((void)(e), TACO__PATH_MISSING)
#endif
TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx)
{
    DIR *d = taco__plat_is_named(dir) ? opendir(dir) : NULL;
    struct dirent *e;
    bool ok = d != NULL;
    while (ok && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            ok = each(ctx, e->d_name, TACO__DIRENT_KIND(e));
        }
    }
    if (d) { closedir(d); }
    return ok;
}

#ifdef TACO__HAS_REALPATH
/* Replaces a path by what it leads to, if it exists; returns its length. */
static size_t taco__plat_resolve_links(char *path, size_t n)
{
    char real[TACO__PATH_MAX];
    if (!realpath(path, real)) { return n; }
    n = strlen(real);
    memcpy(path, real, n + 1);
    return n;
}

TACO__FN char *taco__plat_full_path(const char *path, char *buffer)
{
    size_t n, k;
    if (!realpath(path[0] == '/' ? "/" : ".", buffer)) { return NULL; }
    n = strlen(buffer);
    for (;; path += k) {
        path += strspn(path, "/");
        k = strcspn(path, "/");
        if (k == 0) { return buffer; }
        if (k == 1 && path[0] == '.') { continue; }
        if (k == 2 && path[0] == '.' && path[1] == '.') {
            for (; n > 1 && buffer[n - 1] != '/'; n--) {}
            n -= n > 1;
        } else {
            if (n + k + 2 > TACO__PATH_MAX) { return NULL; }
            if (n > 1) { buffer[n++] = '/'; }
            memcpy(buffer + n, path, k);
            n += k;
        }
        buffer[n] = 0;
        n = taco__plat_resolve_links(buffer, n);
    }
}
#endif

/* ---- Windows ---- */
#elif TACO__DIRS
#include <fcntl.h>
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <stdlib.h>
#include <windows.h>
#undef near /* of 16-bit times */
#undef far

static taco__path_kind taco__plat_kind_of_mode(unsigned mode)
{
    return (mode & _S_IFMT) == _S_IFREG   ? TACO__PATH_FILE
           : (mode & _S_IFMT) == _S_IFDIR ? TACO__PATH_DIRECTORY
                                          : TACO__PATH_SPECIAL;
}

/* The same where _stat64 finds nothing: some C libraries refuse directories with a separator at the
   end, and devices. The full path of a device begins with two backslashes, a dot and a third. */
static taco__path_kind taco__plat_kind_of_attributes(const char *path, uint64_t *size)
{
    const DWORD kind = GetFileAttributesA(path);
    char full[TACO__PATH_MAX];
    if (kind == INVALID_FILE_ATTRIBUTES || !_fullpath(full, path, sizeof full)) {
        return TACO__PATH_MISSING;
    }
    *size = 0;
    return strncmp(full, "\\\\.\\", 4) == 0    ? TACO__PATH_SPECIAL
           : (kind & FILE_ATTRIBUTE_DIRECTORY) ? TACO__PATH_DIRECTORY
                                               : TACO__PATH_MISSING;
}

TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size)
{
    struct _stat64 st;
    if (_stat64(path, &st) != 0) { return taco__plat_kind_of_attributes(path, size); }
    *size = (uint64_t)st.st_size;
    return taco__plat_kind_of_mode((unsigned)st.st_mode);
}

TACO__FN char *taco__plat_real_path(const char *path, char *buffer)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES
               ? _fullpath(buffer, path, TACO__PATH_MAX)
               : NULL;
}

TACO__FN char *taco__plat_full_path(const char *path, char *buffer)
{
    return _fullpath(buffer, path, TACO__PATH_MAX);
}

/* CreateFile says why it failed to GetLastError alone: _open, which fails then as well, sets
   errno. */
TACO__FN FILE *taco__plat_open_shared(const char *path, bool update)
{
    const int flags = (update ? _O_RDWR : _O_RDONLY) | _O_BINARY | _O_NOINHERIT;
    HANDLE h = CreateFileA(path, update ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ,
                           FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                           OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    int fd = h == INVALID_HANDLE_VALUE ? _open(path, flags) : _open_osfhandle((intptr_t)h, flags);
    FILE *f = fd >= 0 ? _fdopen(fd, update ? "r+b" : "rb") : NULL;
    if (fd >= 0 && !f) { _close(fd); }
    if (fd < 0 && h != INVALID_HANDLE_VALUE) { CloseHandle(h); }
    return f;
}

TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size)
{
    bool ok;
    *in =
        taco__plat_stat(path, size) == TACO__PATH_FILE ? taco__plat_open_shared(path, false) : NULL;
    ok = *in && setvbuf(*in, NULL, _IONBF, 0) == 0;
    if (*in && !ok) { fclose(*in); }
    return ok;
}

TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx)
{
    struct __finddata64_t e;
    char pattern[1024];
    size_t n = strlen(dir);
    intptr_t d;
    bool ok = true;
    if (n + 3 > sizeof pattern) { return false; }
    memcpy(pattern, dir, n);
    memcpy(pattern + n, "/*", 3);
    d = _findfirst64(pattern, &e);
    if (d == -1) { return false; }
    do {
        if (strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0) {
            ok = each(ctx, e.name, (e.attrib & _A_SUBDIR) ? TACO__PATH_DIRECTORY : TACO__PATH_FILE);
        }
    } while (ok && _findnext64(d, &e) == 0);
    _findclose(d);
    return ok;
}

/* ---- unknown systems ---- */
#else
TACO__FN taco__path_kind taco__plat_stat(const char *path, uint64_t *size)
{
    (void)path;
    (void)size;
    return TACO__PATH_MISSING;
}
#ifndef TACO_NO_STDIO
/* On some systems fopen opens a directory; reading its first byte then fails. */
TACO__FN bool taco__plat_open(const char *path, taco__plat_file *in, uint64_t *size)
{
    FILE *f = fopen(path, "rb");
    char first;
    bool ok = f && setvbuf(f, NULL, _IONBF, 0) == 0 && TACO__FSEEK(f, 0, SEEK_END) == 0;
    *in = f;
    *size = ok ? (uint64_t)TACO__FTELL(f) : 0;
    ok = ok && TACO__FSEEK(f, 0, SEEK_SET) == 0 &&
         (fread(&first, 1, 1, f) == 1 || (*size == 0 && !ferror(f)));
    if (f && !ok) { fclose(f); }
    return ok;
}
#endif
TACO__FN bool taco__plat_list_dir(const char *dir, taco__plat_list_fn each, void *ctx)
{
    (void)dir;
    (void)each;
    (void)ctx;
    return false;
}
#endif

#ifdef TACO__COPY_RANGE
TACO__FN size_t taco__plat_copy_range(taco__plat_file from, uint64_t offset, FILE *to, uint64_t at,
                                      size_t len)
{
    off_t in = (off_t)offset, out = (off_t)at;
    ssize_t n = copy_file_range(from, &in, fileno(to), &out, len, 0);
    return n > 0 ? (size_t)n : 0;
}
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
#endif
