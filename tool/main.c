/* main.c - `taco`: information about TACO datasets and Parquet files, queries, conversions, repair.
   This file has the list of commands, the usage of the tool, and what every command needs: options
   are parsed, threads started, warnings and counts printed at the end. `make` builds it from the
   files in this folder, see the Makefile.

   A new command is a file that defines a `command`, its declaration in tool.h, and its place in the
   list below. Its options are rows in the command, and in the table of option_table.c. */
#include "tool.h"

#ifdef WITH_THREADS
#include "pool.h"
#endif

#include <signal.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

const command *const commands[] = {
    &info_command,     &query_command,        &read_command,       &get_command,
    &stats_command,    &parquet_command,      &validate_command,   &repair_command,
    &tacocat_command,  &tacollection_command, &create_command,     &add_command,
    &export_command,   &zip2folder_command,   &folder2zip_command, &convert_command,
    &tortilla_command, &archive_command,      &collection_command, &rasteret_command,
    &report_command,   &doctor_command,
};

const size_t command_count = sizeof commands / sizeof commands[0];

const command *find_command(const char *name)
{
    size_t i;
    for (i = 0; i < command_count; i++) {
        if (strcmp(name, commands[i]->name) == 0) { return commands[i]; }
    }
    return NULL;
}

int print_version(void)
{
    printf("taco %s\n", taco_version());
    print_codecs();
    return flush_stdout(DONE);
}

/* Keeps freed memory in the process, which soon allocates similar blocks: returning pages to the
   system and getting new ones would take a large part of a query's time. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 4 * 1024 * 1024 * (int)sizeof(long));
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

#ifdef WITH_THREADS
/* These use threads for long work only, as starting them takes longer than a short scan. */
static bool makes_dataset(const command *c)
{
    return c == &create_command || c == &export_command || c == &zip2folder_command ||
           c == &folder2zip_command || c == &convert_command || c == &repair_command;
}
#endif

/* Runs a command with as many threads as it may use, if the tool was built with threads. */
static int run_with_threads(const command *c, arguments *a, taco_options *opt)
{
#ifdef WITH_THREADS
    pool threads;
    int status;
    pool_open(&threads, (size_t)(a->threads < POOL_MOST ? a->threads : POOL_MOST));
    if (threads.threads > 1) {
        opt->parallel_for = pool_for;
        opt->parallel_ctx = &threads;
        opt->parallel_width = threads.threads;
        opt->parallel_long = makes_dataset(c) && !a->threads_given;
    }
    status = c->run(a, opt);
    pool_close(&threads);
    return status;
#else
    return c->run(a, opt);
#endif
}

/* Shows reads as progress for commands whose progress the library does not report. Not if rows are
   printed on the terminal, which shows enough. */
static void begin_reads(const command *c, arguments *a)
{
    const char *first = a->word_count ? a->words[0] : NULL;
    bool parquet = c == &parquet_command && a->word_count > 1;
    bool whole = !a->filter_count && !a->limit_given && !a->columns && !a->query.select;
    if (c == &repair_command) {
        /* read three times: checked, copied, and the copy checked */
        count_progress(a, first, 3);
    } else if (c == &convert_command) {
        count_progress(a, a->word_count == 2 ? first : NULL, 1);
    } else if (parquet && (strcmp(first, "copy") == 0 || strcmp(first, "verify") == 0)) {
        count_progress(a, whole ? a->words[1] : NULL, 1);
    } else if (c == &tacocat_command || c == &tacollection_command || a->output) {
        count_progress(a, NULL, 0);
    }
}

/* Sets up threads and counters, runs the command, and prints warnings and counts. */
static int run_command(const command *c, arguments *a)
{
    const taco_opener *openers[4] = {NULL, NULL, NULL, NULL};
    taco_options opt;
    replaced outputs;
    int status;
    /* old formats and Rasteret collections open like any dataset */
    openers[0] = taco_legacy_opener();
    openers[1] = taco_rasteret_opener();
    openers[2] = taco_v3_opener();
    memset(&opt, 0, sizeof opt);
    keep_memory();
    opt.openers = openers;
    opt.warn = keep_warning;
    opt.warn_ctx = a;
    opt.temporary = note_temporary;
    if (a->verbose) {
        opt.log = print_log;
        opt.log_ctx = a;
    }
    if (a->strict_limits) { taco_limits_strict(&opt.limits); }
    opt.limits.max_output = a->max_output;
    opt.keep_damaged = a->keep_damaged;
    if (a->output && check_overwrite(a, a->output) != DONE) { return FAILED; }
    catch_interrupts(true);
    begin_reads(c, a);
    choose_files(a, &opt);
    if (a->verbose && c == &rasteret_command) {
        a->threads = 1; /* tasks read files, and the counters are not thread-safe */
    }
    opt.replace = may_replace;
    opt.replace_ctx = a;
    if (begin_output(c, a, &outputs) != DONE) { return FAILED; }
    status = run_with_threads(c, a, &opt);
    end_progress();
    print_summary(a, status);
    if (interrupted()) {
        /* so that the caller sees that a signal ended the tool */
        raise(interrupted());
        return FAILED;
    }
    return status;
}

/* Exit status: 0 success, 1 bad data or a failure, 2 usage error. */
int main(int argc, char **argv)
{
    /* several kilobytes, too large for some stacks; all zero */
    static arguments a;
    const command *c;
    int status;
    keep_printed_bytes();
    a.threads = THREADS_NOT_GIVEN;
    a.thumbnails = 6;
    status = parse_arguments(&a, argc, argv, &c);
    if (status != DONE) { return status; }
    if ((a.stats_wanted || a.gdal_wanted) && !gdal_version()) {
        become("taco-gdal", argv);
        fprintf(stderr,
                "taco: --stats and --gdal need taco-gdal, which was not found next to taco or in "
                "PATH; make builds it if GDAL is installed\n");
        return FAILED;
    }
    a.threads_given = a.threads != THREADS_NOT_GIVEN;
    if (!a.threads_given) { a.threads = c->all_processors ? 0 : 1; }
    return run_command(c, &a);
}
