/* What is in a directory, for tests of what writers leave behind. Included behind src/base/temporary.h
   or what includes it. */
#ifndef TACO_TEST_NAMES_H
#define TACO_TEST_NAMES_H

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
#if defined(__GNUC__)
__attribute__((unused))
#endif
static size_t
test_names_count(const char *dir, const char *prefix, const char *suffix)
{
    test_listing t;
    t.prefix = prefix;
    t.suffix = suffix;
    t.count = 0;
    taco__plat_list_dir(dir, test_names_add, &t);
    return t.count;
}

/* Removes a file, or a directory with all in it. */
#if defined(__GNUC__)
__attribute__((unused))
#endif
static void
test_names_remove(const char *path)
{
    taco__plat_id id;
    if (taco__plat_identify(path, &id)) { taco__plat_remove_tree(path, &id); }
    remove(path);
}

#endif
