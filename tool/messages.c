/* messages.c - what the tool says on standard error. A command that fails says so in one line,
   which names the option or the file and the cause; warnings and the counts of -v follow the
   work. Standard output has only what was asked for, so that it can be piped. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

int usage_error(const char *what, const char *about)
{
    fprintf(stderr, "taco: %s%s%s\n", what, about ? ": " : "", about ? about : "");
    return USAGE;
}

int value_error(const char *name, const char *what, const char *found)
{
    fprintf(stderr, "taco: %s wants %s, not '%s'\n", name, what, found);
    return USAGE;
}

int unknown_error(const char *what, const char *word, const char *nearest, const char *topic)
{
    fprintf(stderr, "taco: no such %s: %s%s%s (see taco%s%s --help)\n", what, word,
            nearest ? ", the nearest is " : "", nearest ? nearest : "", topic ? " " : "",
            topic ? topic : "");
    return USAGE;
}

int report_error(const taco_error *err)
{
    fprintf(stderr, "%s\n", interrupted() ? "interrupted" : taco_error_text(err));
    return FAILED;
}

int report_file_error(const char *path, const taco_error *err)
{
    const char *text = taco_error_text(err);
    /* the deeper layers of the library name what they know */
    bool named = strstr(text, path) != NULL;
    fprintf(stderr, "%s%s%s\n", named ? "" : path, named ? "" : ": ", text);
    return FAILED;
}

void keep_warning(void *ctx, const taco_error *warning)
{
    arguments *a = (arguments *)ctx;
    if (!a->quiet && a->warning_count < sizeof a->warnings / sizeof a->warnings[0]) {
        a->warnings[a->warning_count] = *warning;
    }
    /* those that are not kept are counted */
    a->warning_count++;
}

/* The warnings that were kept, and how many more there were. */
static void print_warnings(const arguments *a)
{
    size_t i, most = sizeof a->warnings / sizeof a->warnings[0];
    for (i = 0; i < a->warning_count && i < most; i++) {
        fprintf(stderr, "warning: %s\n", taco_error_text(&a->warnings[i]));
    }
    if (a->warning_count > most) {
        fprintf(stderr, "warning: and %" PRIu64 " more\n", (uint64_t)(a->warning_count - most));
    }
}

void print_summary(const arguments *a, int status)
{
    if (!a->quiet && (status == DONE || a->verbose)) { print_warnings(a); }
    /* the time is that of all threads together */
    if (a->verbose) {
        fprintf(stderr, "%.3f s of CPU time, %" PRIu64 " bytes read in %" PRIu64 " requests\n",
                (double)clock() / CLOCKS_PER_SEC, a->read_bytes, a->read_requests);
    }
}
