/* main.c - `taco`: information about TACO datasets and Parquet files, queries, conversions,
   repair. This file has the list of the commands, the usage of the tool, and what happens around
   every command: options are parsed, threads started, warnings and counts printed at the end.
   `make` builds it from the files in this folder, see the Makefile.

   A new command is a file that defines a `command`, its declaration in tool.h, and its place in
   the list below and in the usage. Options that it shares with others are in options.c; it takes
   those that its usage names. */
#include "tool.h"

#ifdef WITH_THREADS
#include "pool.h"
#endif

#include <signal.h>
#include <string.h>

const char main_usage[] =
    "usage: taco COMMAND [arguments]\n"
    "\n"
    "  info      what a dataset is: collection, levels, columns\n"
    "  query     rows of a dataset, filtered\n"
    "  read      one sample: the path of a FILE, the children of a FOLDER\n"
    "  get       the bytes of one FILE\n"
    "  stats     statistics of the pixels of many rows together\n"
    "  validate  every rule of the format held against a dataset\n"
    "  repair    a dataset written anew, with what is wrong made right\n"
    "  tacocat   a catalogue of archives\n"
    "  tacollection  the merged collection of datasets\n"
    "  convert   Tortilla and TACO 0.x to TACO 2, and back\n"
    "  collection  what a collection says, as STAC, DataCite, Croissant or a data card\n"
    "  tortilla  write Tortilla and TACO 0.x: create, compile, edit\n"
    "  parquet   look into a Parquet file: schema, meta, cat, verify, copy\n"
    "  create    a dataset of the files in a directory, and tables about them\n"
    "  add       columns of tables to a dataset that stands\n"
    "  export    samples that filters leave, as a dataset of its own\n"
    "  zip2folder, folder2zip  a whole dataset in the other container\n"
    "  rasteret  collections of raster tiles: header, validate, build, enrich, ...\n"
    "\n"
    "Everywhere: --quiet without warnings; -v with what was read and how long it took, on\n"
    "standard error; -vv with every read; --threads N to work with N of them (0: as many as there\n"
    "are processors), which takes more memory.\n"
    "\n"
    "taco COMMAND --help tells more. A DATASET is a .tacozip, a FOLDER, a __TACOCAT__ file or a\n"
    ".tacocat folder. Exit status: 0 done, 1 the data is bad or the work failed, 2 usage.\n";

/* Of commands that are equally near to a mistyped word, the first here is named. */
static const command *const commands[] = {
    &info_command,     &query_command,        &read_command,       &get_command,
    &stats_command,    &parquet_command,      &validate_command,   &repair_command,
    &tacocat_command,  &tacollection_command, &create_command,     &add_command,
    &export_command,   &zip2folder_command,   &folder2zip_command, &convert_command,
    &tortilla_command, &collection_command,   &rasteret_command,
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* The command of that name, or NULL. */
static const command *find_command(const char *name)
{
    size_t i;
    for (i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i]->name) == 0) { return commands[i]; }
    }
    return NULL;
}

/* The version of the library, and the optional codecs that are linked. */
static int print_version(void)
{
    printf("taco %s\n", taco_version());
    print_codecs();
    return flush_stdout(DONE);
}

/* `taco help`, `taco help COMMAND`; topic may be NULL or no command. */
static int print_help(const char *topic)
{
    const command *c = topic ? find_command(topic) : NULL;
    fputs(c ? c->usage : main_usage, stdout);
    return flush_stdout(DONE);
}

/* Runs a command with as many threads as it may use, where the tool was built with threads. */
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
    }
    status = c->run(a, opt);
    pool_close(&threads);
    return status;
#else
    return c->run(a, opt);
#endif
}

/* Parses the rest of the command line and runs the command. */
static int run_command(const command *c, int argc, char **argv)
{
    /* several kilobytes, which some stacks are too small for; all zero */
    static arguments a;
    const taco_opener *openers[3] = {NULL, NULL, NULL};
    taco_options opt;
    int status;
    /* old formats and Rasteret collections open like any dataset */
    openers[0] = taco_legacy_opener();
    openers[1] = taco_rasteret_opener();
    memset(&opt, 0, sizeof opt);
    opt.openers = openers;
    opt.warn = keep_warning;
    opt.warn_ctx = &a;
    a.threads = c->all_processors ? 0 : 1;
    /* first, because some have the names of options of other commands */
    if (c->take_options && c->take_options(&argc, argv) != DONE) { return USAGE; }
    if (parse_arguments(&a, argc, argv, c) != DONE) { return USAGE; }
    count_reads(&a, &opt);
    if (a.verbose && c->all_processors) {
        a.threads = 1; /* the counters are not for several threads */
    }
    status = run_with_threads(c, &a, &opt);
    print_summary(&a, status);
    if (interrupted()) {
        /* whoever started the tool sees that a signal ended it */
        raise(interrupted());
        return FAILED;
    }
    return status;
}

/* Exit status: 0 done, 1 the data is bad or the work failed, 2 usage. */
int main(int argc, char **argv)
{
    const command *c;
    const char *nearest = NULL;
    size_t i;
    if (argc < 2) {
        fputs(main_usage, stderr);
        return USAGE;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "help") == 0) {
        return print_help(argc > 2 ? argv[2] : NULL);
    }
    if (strcmp(argv[1], "--version") == 0) { return print_version(); }
    c = find_command(argv[1]);
    if (c) { return run_command(c, argc, argv); }
    for (i = 0; i < COMMAND_COUNT; i++) {
        nearest = nearer_name(argv[1], strlen(argv[1]), nearest, commands[i]->name);
    }
    return unknown_error("command", argv[1], nearest, NULL);
}
