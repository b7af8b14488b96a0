/* doctor.c - taco doctor: what this build of the tool supports, and what the system offers, for bug
   reports and to find out why something is unsupported. */
#include "tool.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <unistd.h>
#endif

/* Prints one line: a part and its state. */
static void print_part(const char *what, const char *how)
{
    printf("%-10s %s\n", what, how);
}

/* Prints how many files a process may have open, a limit that catalogues of many archives can
   reach. */
static void print_open_files(void)
{
#if defined(RLIMIT_NOFILE)
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        printf("%-10s %llu (ulimit -n)\n", "open files", (unsigned long long)limit.rlim_cur);
    }
#endif
}

static void print_processors(void)
{
#if defined(WITH_THREADS) && defined(_SC_NPROCESSORS_ONLN)
    printf("%-10s %d processors (--threads)\n", "threads", (int)sysconf(_SC_NPROCESSORS_ONLN));
#else
    print_part("threads", "none: built without them");
#endif
}

/* Those of --codec; the reader has a decoder for each. */
static void print_built_in(void)
{
    size_t i;
    printf("%-10s ", "codecs");
    for (i = 1; codec_names[i].name; i++) {
        printf("%s%s", i > 1 ? ", " : "", codec_names[i].name);
    }
    printf(": read and written, built in\n");
}

/* Words: none. */
static int run_doctor(arguments *a, const taco_options *opt)
{
    (void)opt;
    if (a->word_count) { return usage_error("doctor takes no arguments", NULL); }
    printf("%-10s %s, %d bits\n", "taco", taco_version(), (int)(8 * sizeof(void *)));
    print_part("formats", "TACO 2, Tortilla, TACO 0.x, Rasteret, Parquet, TIFF headers");
    print_built_in();
    print_codecs();
    print_processors();
    print_open_files();
    printf("%-10s %s, %d columns, %s\n", "terminal", stdout_is_terminal() ? "yes" : "no",
           (int)terminal_width(), use_color(a) ? "colour" : "no colour");
    return flush_stdout(DONE);
}

const command doctor_command = {
    "doctor", "what this build supports: codecs, threads, limits",
    "",       NULL,
    NULL,     NULL,
    NULL,     run_doctor,
    false,    false,
    false,
};
