/* platform_write.c - exclusive creation, locks, renaming and removing, for each system

   The functions of platform_write.h in three versions, as in platform.c: POSIX, Windows, unknown.
   On POSIX systems a tree is removed through open directories, each opened without following links,
   so that nobody with write access can redirect the removal out of the tree. */
#include "platform_write.h"

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
