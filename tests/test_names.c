/* Name patterns: which files of a directory become samples. */
#include "../src/write/directory_scan.c"
#include "../taco_parquet.h"

#include "test.h"

static void patterns(void)
{
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"a.tif", "a.tif", true},
        {"a.tif", "a.tiff", false},
        {"a.tiff", "a.tif", false},
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "anything", true},
        {"*.tif", ".tif", true},
        {"*.tif", "a.tif.tif", true},
        {"*.tif", "a.tif.png", false},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbYbZ", false},
        {"a**", "a", true},
        {"?", "a", true},
        {"?", "", false},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"??", "a", false},
        {"[a-c]", "b", true},
        {"[a-c]", "d", false},
        {"[abc]x", "cx", true},
        {"[!a-c]", "d", true},
        {"[!a-c]", "a", false},
        {"[^0-9]", "x", true},
        {"[^0-9]", "5", false},
        {"[]]", "]", true},
        {"[!]]", "]", false},
        {"[a-]", "-", true},
        {"[a-]", "b", false},
        {"[a-cx-z]", "y", true},
        {"[a-", "a", false},
        {"[", "[", false},
        {"[a", "a", false},
        {"s*[0-9]", "s12", true},
        {"s*[0-9]", "s1a", false},
        {"*[0-9].t?f", "a7.tif", true},
        {"A", "a", false},
    };

    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        if (taco__dir_scan_fits(cases[i].pattern, cases[i].name) != cases[i].fits) {
            printf("%s and %s:\n", cases[i].pattern, cases[i].name);
        }
        CHECK(taco__dir_scan_fits(cases[i].pattern, cases[i].name) == cases[i].fits);
    }
}

static void lists(void)
{
    static const char *const some[] = {"*.tif", "b?"};
    CHECK(taco__dir_scan_fits_any(some, 2, "a.tif") && taco__dir_scan_fits_any(some, 2, "b1"));
    CHECK(!taco__dir_scan_fits_any(some, 2, "b12") && !taco__dir_scan_fits_any(some, 1, "b1"));
    CHECK(!taco__dir_scan_fits_any(some, 0, "a.tif"));
}

int main(void)
{
    RUN(patterns);
    RUN(lists);
    return test_end("names");
}
