/* Replaces system calls of the C library to make them fail once: the n-th call of one kind reports
   a failure, or does half of its work. Needs a shared glibc on 64-bit Linux; elsewhere, and in
   statically linked programs (TEST_STATIC), TEST_SYSTEM_FAULTS is 0. Include it before any other
   header. */
#ifndef TACO_TEST_SYSTEM_FAULTS_H
#define TACO_TEST_SYSTEM_FAULTS_H

#if defined(__linux__) && defined(__LP64__) && defined(__GNUC__) && !defined(TEST_STATIC)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <features.h>
#endif

#if defined(__linux__) && defined(__LP64__) && defined(__GLIBC__) && !defined(TEST_STATIC)
#define TEST_SYSTEM_FAULTS 1
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum {
    FAULT_OPEN,
    FAULT_MKDIR,
    FAULT_RENAME,
    FAULT_FSYNC,
    FAULT_LOCK,
    FAULT_FDOPEN,
    FAULT_WRITE,
    FAULT_FLUSH,
    FAULT_CLOSE,
    FAULT_TRUNCATE,
    FAULT_PREAD,
    FAULT_READ,
    FAULT_SEEK,
    FAULT_STAT,
    FAULT_KINDS
};

static const char *const fault_names[FAULT_KINDS] = {
    "open",  "mkdir", "rename",   "fsync", "lock", "fdopen", "write",
    "flush", "close", "truncate", "pread", "read", "seek",   "stat"};

/* The call of that kind that fails, counted from 1; 0: none. interrupts: a signal came, and the
   same call succeeds the next time. halves: every read gives half of the bytes, as a file system on a
   network may. note is told of every call before. */
static struct {
    int kind;
    size_t at, calls;
    bool interrupts, halves;
    void (*note)(int kind);
} fault_system;

static bool fault_now(int kind)
{
    if (fault_system.note) { fault_system.note(kind); }
    return fault_system.at && fault_system.kind == kind && ++fault_system.calls == fault_system.at;
}

/* The C library's function. ISO C has no cast from an object to a function. */
#define FAULT_REAL(type, name)                                                                     \
    type real_call;                                                                                \
    void *symbol = dlsym(RTLD_NEXT, name);                                                         \
    memcpy((void *)&real_call, (void *)&symbol, sizeof real_call)

typedef int fault_open_fn(const char *, int, ...);
typedef int fault_openat_fn(int, const char *, int, ...);
typedef int fault_path_fn(const char *, mode_t);
typedef int fault_rename_fn(const char *, const char *);
typedef FILE *fault_fdopen_fn(int, const char *);
typedef size_t fault_write_fn(const void *, size_t, size_t, FILE *);
typedef size_t fault_read_fn(void *, size_t, size_t, FILE *);
typedef int fault_file_fn(FILE *);
typedef int fault_truncate_fn(int, off_t);
typedef ssize_t fault_pread_fn(int, void *, size_t, off_t);
typedef int fault_seek_fn(FILE *, off_t, int);
typedef int fault_fcntl_fn(int, int, ...);
typedef int fault_fstat_fn(int, struct stat64 *);

int open64(const char *path, int flags, ...)
{
    va_list args;
    unsigned mode;
    FAULT_REAL(fault_open_fn *, "open64");
    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, unsigned) : 0;
    va_end(args);
    if (fault_now(FAULT_OPEN)) { return errno = EMFILE, -1; }
    return real_call(path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    FAULT_REAL(fault_path_fn *, "mkdir");
    return fault_now(FAULT_MKDIR) ? (errno = ENOSPC, -1) : real_call(path, mode);
}

int rename(const char *from, const char *to)
{
    FAULT_REAL(fault_rename_fn *, "rename");
    return fault_now(FAULT_RENAME) ? (errno = EIO, -1) : real_call(from, to);
}

/* Nothing is really brought to the disk: that is not what is tested, and takes long. */
int fsync(int fd)
{
    (void)fd;
    return fault_now(FAULT_FSYNC) ? (errno = EIO, -1) : 0;
}

int syncfs(int fd)
{
    return fsync(fd);
}

int fcntl64(int fd, int command, ...)
{
    va_list args;
    void *lock;
    FAULT_REAL(fault_fcntl_fn *, "fcntl64");
    va_start(args, command);
    lock = va_arg(args, void *);
    va_end(args);
    return fault_now(FAULT_LOCK) ? (errno = ENOLCK, -1) : real_call(fd, command, lock);
}

FILE *fdopen(int fd, const char *mode)
{
    FAULT_REAL(fault_fdopen_fn *, "fdopen");
    return fault_now(FAULT_FDOPEN) ? (errno = ENOMEM, (FILE *)NULL) : real_call(fd, mode);
}

/* Half of it is written, as on a full disk. */
size_t fwrite(const void *data, size_t size, size_t n, FILE *f)
{
    FAULT_REAL(fault_write_fn *, "fwrite");
    return fault_now(FAULT_WRITE) ? (errno = ENOSPC, real_call(data, size, n / 2, f))
                                  : real_call(data, size, n, f);
}

size_t fread(void *data, size_t size, size_t n, FILE *f)
{
    FAULT_REAL(fault_read_fn *, "fread");
    return fault_now(FAULT_READ) ? (errno = EIO, (size_t)0) : real_call(data, size, n, f);
}

int fflush(FILE *f)
{
    FAULT_REAL(fault_file_fn *, "fflush");
    return fault_now(FAULT_FLUSH) ? (errno = ENOSPC, EOF) : real_call(f);
}

/* It is closed all the same. */
int fclose(FILE *f)
{
    FAULT_REAL(fault_file_fn *, "fclose");
    return fault_now(FAULT_CLOSE) ? (real_call(f), errno = EIO, EOF) : real_call(f);
}

int ftruncate(int fd, off_t size)
{
    FAULT_REAL(fault_truncate_fn *, "ftruncate");
    return fault_now(FAULT_TRUNCATE) ? (errno = EIO, -1) : real_call(fd, size);
}

ssize_t pread(int fd, void *data, size_t len, off_t at)
{
    ssize_t n;
    FAULT_REAL(fault_pread_fn *, "pread");
    if (fault_now(FAULT_PREAD)) {
        errno = fault_system.interrupts ? EINTR : EIO;
        return -1;
    }
    n = real_call(fd, data, len, at);
    return fault_system.halves && n > 1 ? n / 2 : n;
}

int fseeko64(FILE *f, off_t at, int whence)
{
    FAULT_REAL(fault_seek_fn *, "fseeko64");
    return fault_now(FAULT_SEEK) ? (errno = EIO, -1) : real_call(f, at, whence);
}

/* Under its other name: a program may call either, whatever this header makes of the name. */
int fault_fseeko(FILE *f, off_t at, int whence) __asm__("fseeko");

int fault_fseeko(FILE *f, off_t at, int whence)
{
    FAULT_REAL(fault_seek_fn *, "fseeko64");
    return fault_now(FAULT_SEEK) ? (errno = EIO, -1) : real_call(f, at, whence);
}

int fstat64(int fd, struct stat64 *st)
{
    FAULT_REAL(fault_fstat_fn *, "fstat64");
    return fault_now(FAULT_STAT) ? (errno = EIO, -1) : real_call(fd, st);
}
#else
#define TEST_SYSTEM_FAULTS 0
#endif

#endif
