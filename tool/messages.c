/* messages.c - messages on standard error. A command that fails prints one line, which names the
   option or the file and the cause; warnings and the counts of -v come after the work. Standard
   output has only results, so that it can be piped. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

int usage_error(const char *what, const char *about)
{
    end_progress();
    fprintf(stderr, "taco: %s%s%s\n", what, about ? ": " : "", about ? about : "");
    return USAGE;
}

int value_error(const char *name, const char *what, const char *found)
{
    fprintf(stderr, "taco: %s needs %s, not '%s'\n", name, what, found);
    return USAGE;
}

int unknown_error(const char *what, const char *word, const char *nearest, const char *topic)
{
    fprintf(stderr, "taco: no such %s: %s%s%s (see taco%s%s --help)\n", what, word,
            nearest ? ", the nearest is " : "", nearest ? nearest : "", topic ? " " : "",
            topic ? topic : "");
    return USAGE;
}

/* Prints a failure in one line, including why a remote file could not be read, which the library
   does not know. */
static void print_failure(const taco_error *err, const char *path)
{
    bool unread = err->code == TACO_ERR_IO || err->code == TACO_ERR_NOT_FOUND;
    const char *why = unread ? remote_failure() : "", *text = taco_error_text(err);
    size_t url = strcspn(why, " ");
    end_progress();
    /* "URL: why" is enough if the message is about the same file */
    if (url > 1 && strncmp(text, why, url) == 0) {
        fprintf(stderr, "%s\n", why);
    } else {
        fprintf(stderr, "%s%s%s%s%s%s\n", path, *path ? ": " : "", text, *why ? " (" : "", why,
                *why ? ")" : "");
    }
}

int report_error(const taco_error *err)
{
    end_progress();
    if (interrupted()) {
        fprintf(stderr, "interrupted\n");
    } else {
        print_failure(err, "");
    }
    return FAILED;
}

int report_file_error(const char *path, const taco_error *err)
{
    /* the path may be in the text already */
    print_failure(err, strstr(taco_error_text(err), path) ? "" : path);
    return FAILED;
}

int report_existing(const char *text, const taco_error *err)
{
    static const char there[] = " exists already";
    const char *exists = strstr(text, there), *end = exists ? exists + strlen(there) : NULL;
    /* what follows a comma says that it is not replaced */
    if (err->code != TACO_ERR_ARGUMENT || !exists || *end == ',') { return report_error(err); }
    end_progress();
    fprintf(stderr, "%.*s: exists; --overwrite replaces it\n", (int)(exists - text), text);
    return FAILED;
}

void print_log(void *ctx, taco_log_level level, const char *text)
{
    const arguments *a = (const arguments *)ctx;
    if (level == TACO_LOG_INFO || a->verbose > 1) {
        end_progress();
        fprintf(stderr, "%s\n", text);
    }
}

void keep_warning(void *ctx, const taco_error *warning)
{
    arguments *a = (arguments *)ctx;
    if (!a->quiet && a->warning_count < sizeof a->warnings / sizeof a->warnings[0]) {
        a->warnings[a->warning_count] = *warning;
    }
    /* warnings beyond the first ones are only counted */
    a->warning_count++;
}

/* Prints the warnings that were kept, and the number of others. */
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
    /* clock() adds up the time of all threads */
    if (a->verbose) {
        fprintf(stderr, "%.3f s of CPU time, %" PRIu64 " bytes read in %" PRIu64 " requests\n",
                (double)clock() / CLOCKS_PER_SEC, a->read_bytes, a->read_requests);
    }
}

/* ---- numbers for people ---- */

void print_count(FILE *to, uint64_t n)
{
    char digits[24];
    size_t i, len = (size_t)sprintf(digits, "%" PRIu64, n);
    for (i = 0; i < len; i++) {
        fprintf(to, "%s%c", i && (len - i) % 3 == 0 ? "," : "", digits[i]);
    }
}

void print_byte_size(FILE *to, uint64_t n)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    double x = (double)n;
    size_t unit = 0;
    while (x >= 999.5 && unit < 5) {
        x /= 1000;
        unit++;
    }
    fprintf(to, unit && x < 99.95 ? "%.1f %s" : "%.0f %s", x, units[unit]);
}
