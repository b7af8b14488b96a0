/* A page of test helpers. A test is a function of CHECKs; RUN counts it as one; test_end prints the sums. */
#ifndef TACO_TEST_H
#define TACO_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A helper that not every test uses. */
#ifdef __GNUC__
#define TEST_FN static __attribute__((unused))
#else
#define TEST_FN static
#endif

static int test_passed, test_failed, test_bad;

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #cond);                               \
            test_bad++;                                                                            \
        }                                                                                          \
    } while (0)

/* Compares two C strings and shows both when they differ. */
#define CHECK_TEXT(got, want)                                                                      \
    do {                                                                                           \
        const char *test_g = (got), *test_w = (want);                                              \
        if (strcmp(test_g, test_w) != 0) {                                                         \
            printf("%s:%d: expected \"%s\"\n%*sgot \"%s\"\n", __FILE__, __LINE__, test_w, 8, "",   \
                   test_g);                                                                        \
            test_bad++;                                                                            \
        }                                                                                          \
    } while (0)

#define RUN(fn)                                                                                    \
    do {                                                                                           \
        int test_before = test_bad;                                                                \
        fn();                                                                                      \
        if (test_bad == test_before) {                                                             \
            test_passed++;                                                                         \
        } else {                                                                                   \
            test_failed++;                                                                         \
            printf("FAIL %s\n", #fn);                                                              \
        }                                                                                          \
    } while (0)

/* Prints the sums in the form tests/run.sh adds up; the value is main's exit status. */
static int test_end(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, test_passed, test_failed);
    return test_failed ? 1 : 0;
}

#endif
