/* Test helpers. A test is a function with CHECKs; RUN counts it as one, and as failed if it checked
   nothing; test_end prints the totals. */
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
static unsigned long test_checks; /* how many were made */

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        test_checks++;                                                                             \
        if (!(cond)) {                                                                             \
            printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #cond);                               \
            test_bad++;                                                                            \
        }                                                                                          \
    } while (0)

/* Compares two C strings and shows both when they differ. */
#define CHECK_TEXT(got, want)                                                                      \
    do {                                                                                           \
        const char *test_g = (got), *test_w = (want);                                              \
        test_checks++;                                                                             \
        if (strcmp(test_g, test_w) != 0) {                                                         \
            printf("%s:%d: expected \"%s\"\n%*sgot \"%s\"\n", __FILE__, __LINE__, test_w, 8, "",   \
                   test_g);                                                                        \
            test_bad++;                                                                            \
        }                                                                                          \
    } while (0)

/* Whether this is `make test-all`, which tries more of what `make test` samples. */
TEST_FN int test_all(void)
{
    const char *all = getenv("TEST_ALL");
    return all && *all;
}

/* Says why a test cannot run here. */
#define SKIP(why) (test_checks++, (void)printf("SKIPPED %s: %s\n", __func__, (why)))

#define RUN(fn)                                                                                    \
    do {                                                                                           \
        int test_before = test_bad;                                                                \
        unsigned long test_done = test_checks;                                                     \
        fn();                                                                                      \
        if (test_checks == test_done) {                                                            \
            test_failed++;                                                                         \
            printf("FAIL %s: checks nothing\n", #fn);                                              \
        } else if (test_bad == test_before) {                                                      \
            test_passed++;                                                                         \
        } else {                                                                                   \
            test_failed++;                                                                         \
            printf("FAIL %s\n", #fn);                                                              \
        }                                                                                          \
    } while (0)

/* Prints the sums in the form tests/run.sh adds up; the value is main's exit status. */
static int test_end(const char *name)
{
    if (test_bad && !test_failed) { /* a CHECK outside of any RUN */
        test_failed = 1;
    }
    printf("%s: %d passed, %d failed\n", name, test_passed, test_failed);
    return test_failed ? 1 : 0;
}

/* Fills the stack below the caller's frame, so that variables that a later call forgets to set are
   not zero by chance. */
TEST_FN void test_fill_stack(void)
{
    volatile unsigned char bytes[20000];
    size_t i;
    for (i = 0; i < sizeof bytes; i++) {
        bytes[i] = 0xA5;
    }
}

#endif
