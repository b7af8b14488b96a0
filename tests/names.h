/* Lists a directory, for tests of what writers leave behind. Include it after src/base/temporary.h
   or a header that includes that. */
#ifndef TACO_TEST_NAMES_H
#define TACO_TEST_NAMES_H

#include "test.h"

/* Counting while a directory is listed. */
typedef struct test_listing {
    const char *prefix, *suffix;
    size_t count;
} test_listing;

static bool test_names_add(void *ctx, const char *name, taco__path_kind kind)
{
    test_listing *t = (test_listing *)ctx;
    size_t n = strlen(name), p = strlen(t->prefix), s = strlen(t->suffix);
    (void)kind;
    t->count +=
        n >= p + s && memcmp(name, t->prefix, p) == 0 && strcmp(name + n - s, t->suffix) == 0;
    return true;
}

/* How many names in a directory begin and end so. */
TEST_FN size_t test_names_count(const char *dir, const char *prefix, const char *suffix)
{
    test_listing t;
    t.prefix = prefix;
    t.suffix = suffix;
    t.count = 0;
    taco__plat_list_dir(dir, test_names_add, &t);
    return t.count;
}

/* A number that changes if a file stays open, or one too many is closed: how many descriptors there
   are, or on Windows the first that is free. */
TEST_FN size_t test_open_files(void)
{
#if defined(_WIN32)
    int fd = _dup(1);
    if (fd >= 0) { _close(fd); }
    return (size_t)fd;
#else
    return test_names_count("/proc/self/fd", "", "");
#endif
}

/* A path with the separators that only Windows has, as its programs write them; elsewhere the path
   itself. Kept until the fourth call after this one. */
TEST_FN const char *test_native(const char *path)
{
    static char kept[4][600];
    static unsigned turn;
    char *out = kept[turn++ % 4], *p;
    snprintf(out, sizeof kept[0], "%s", path);
    for (p = out; *p && taco__plat_is_slash('\\'); p++) {
        *p = *p == '/' ? '\\' : *p;
    }
    return out;
}

/* Removes a file, or a directory with all in it. */
TEST_FN void test_names_remove(const char *path)
{
    taco__plat_id id;
    if (taco__plat_identify(path, &id)) { taco__plat_remove_tree(path, &id); }
    remove(path);
}

/* What is in a directory, as a number. */
typedef struct test_content {
    const char *dir;
    uint64_t sum; /* of names, kinds and bytes, in any order */
    size_t names;
} test_content;

TEST_FN uint64_t test_file_hash(const char *path)
{
    uint8_t data[4096];
    FILE *f = fopen(path, "rb");
    uint64_t h = 1;
    size_t n;
    while (f && (n = fread(data, 1, sizeof data, f)) > 0) {
        h = h * 0x9E3779B97F4A7C15U + taco__crc32(0, data, n) + n;
    }
    if (f) { fclose(f); }
    return h;
}

TEST_FN bool test_content_add(void *ctx, const char *name, taco__path_kind kind)
{
    test_content *c = (test_content *)ctx, below;
    char path[512];
    uint64_t size = 0, h;
    snprintf(path, sizeof path, "%s/%s", c->dir, name);
    kind = taco__plat_stat(path, &size);
    below.dir = path;
    below.sum = below.names = 0;
    if (kind == TACO__PATH_DIRECTORY) { taco__plat_list_dir(path, test_content_add, &below); }
    h = kind == TACO__PATH_DIRECTORY ? below.sum * 31 + 7 : test_file_hash(path);
    c->sum += (h ^ taco__crc32(0, (const uint8_t *)name, strlen(name))) * 0xBF58476D1CE4E5B9U;
    c->names += 1 + below.names;
    return true;
}

TEST_FN test_content test_look(const char *dir)
{
    test_content c;
    c.dir = dir;
    c.sum = 0;
    c.names = 0;
    taco__plat_list_dir(dir, test_content_add, &c);
    return c;
}

TEST_FN bool test_alike(test_content a, test_content b)
{
    return a.sum == b.sum && a.names == b.names;
}

#endif
