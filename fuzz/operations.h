/* For targets that write: the input is a file `in` in a directory of this process, in a file system
   in memory if there is one (/dev/shm, or $FUZZ_DIR). The output of an operation is checked there,
   and removed. */
#ifndef FUZZ_OPERATIONS_H
#define FUZZ_OPERATIONS_H
#define _POSIX_C_SOURCE 200809L
#define TACO_IMPLEMENTATION
#define TACO_SQL_IMPLEMENTATION
#include "../extra/taco_rasteret.h"
#include "../extra/taco_legacy.h"
#include "../extra/taco_publish.h"
#include "../extra/taco_write.h"

#include "blocks.h"
#include "holds.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The least that the COLLECTION.json of a dataset has. */
static const char fuzz_collection[] =
    "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC0-"
    "1.0\"],\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

static char fuzz_home[64];
static taco_options fuzz_options;

static void fuzz_remove(const char *path)
{
    char below[512];
    struct dirent *e;
    DIR *d = opendir(path);
    while (d && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) { continue; }
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (unlink(below) != 0) { fuzz_remove(below); }
    }
    if (d) { closedir(d); }
    rmdir(path);
}

static void fuzz_at_exit(void)
{
    fuzz_remove(fuzz_home);
}

/* "in" is the path of that in the directory; valid until the fourth call from now. */
static const char *fuzz_path(const char *name)
{
    static char paths[4][128];
    static unsigned at;
    char *p = paths[at++ % 4];
    snprintf(p, sizeof paths[0], "%s/%s", fuzz_home, name);
    return p;
}

static void fuzz_put(const char *name, const void *data, size_t len)
{
    FILE *f = fopen(fuzz_path(name), "wb");
    HOLDS(f && fwrite(data, 1, len, f) == len && fclose(f) == 0);
}

/* taco_options.warn */
static void fuzz_warned(void *ctx, const taco_error *what)
{
    (void)ctx;
    HOLDS(what->code != TACO_OK && what->text[0]);
}

/* An empty directory; the limits are those of a service. */
static void fuzz_begin(void)
{
    const char *where = getenv("FUZZ_DIR");
    if (!fuzz_home[0]) {
        if (!where) { where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; }
        snprintf(fuzz_home, sizeof fuzz_home, "%.40s/taco-fuzz-%u", where, (unsigned)getpid());
        atexit(fuzz_at_exit);
        taco_limits_strict(&fuzz_options.limits);
        fuzz_options.allocator = &blocks;
        fuzz_options.warn = fuzz_warned;
    }
    fuzz_remove(fuzz_home);
    HOLDS(mkdir(fuzz_home, 0700) == 0);
}

/* Whether something is at the path. */
static bool fuzz_is_there(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0;
}

/* An operation says OK, or fails with a text and leaves nothing at the path; temporary names are
   gone in either case. */
static void fuzz_ends(taco_status st, const taco_error *err, const char *path)
{
    struct dirent *e;
    DIR *d = opendir(fuzz_home);
    HOLDS(st == err->code && (st == TACO_OK || err->text[0]));
    HOLDS(st == TACO_OK || !path || !fuzz_is_there(path));
    while (d && (e = readdir(d)) != NULL) {
        HOLDS(!strstr(e->d_name, ".part"));
    }
    if (d) { closedir(d); }
}

/* What was made can be opened, and its rows come. */
static void fuzz_opens(const char *path)
{
    taco_error err;
    taco_dataset *ds;
    memset(&err, 0, sizeof err);
    ds = taco_open(path, &fuzz_options, &err);
    HOLDS(ds != NULL);
    taco_close(ds);
}

/* What was made of a file by copying it can be opened if that can. */
static void fuzz_opens_like(const char *path, const char *from)
{
    taco_error err;
    taco_dataset *ds;
    memset(&err, 0, sizeof err);
    ds = taco_open(from, &fuzz_options, &err);
    if (ds) { fuzz_opens(path); }
    taco_close(ds);
}

/* taco_validate_options.found; ctx is the number of problems so far. */
static bool fuzz_complain(void *ctx, const taco_problem *p)
{
    unsigned *n = (unsigned *)ctx;
    HOLDS(p->where && p->message && p->message[0]);
    return ++*n < 500;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#endif
