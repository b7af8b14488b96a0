/* tool.h - what the files of the command line tool `taco` share. The tool is made of the public
   API of the headers at the top of the repository. Every command has a file of its own that
   defines one `command`; main.c lists them. Each file of the tool includes this header before
   any other. */
#ifndef TOOL_H
#define TOOL_H

/* Before the first system header: large files on 32-bit systems, realpath and sigaction under
   -std=c99. */
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "../taco_sql.h"
#include "../taco_publish.h"
#include "../taco_write.h"
#include "../taco_legacy.h"
#include "../taco_rasteret.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit statuses of the tool. Functions that return an int return one of them. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* Most --where, --bbox and --time of one command line. */
#define MAX_FILTERS 64

/* The command line, taken apart by parse_arguments. */
typedef struct arguments {
    /* DATASET, KEY and all else that is no option */
    const char *words[1024];
    size_t word_count;

    /* filters and the rest of a query */
    taco_filter filters[MAX_FILTERS];
    /* the numbers of filters that are boxes, at the same index */
    double boxes[MAX_FILTERS][4];
    size_t filter_count;
    /* level of the filters that follow */
    uint32_t level;
    bool level_given;
    taco_query query;
    bool limit_given, exact_time, explain;
    const char *sql;

    /* datasets to open, and how rows are printed */
    taco_column_mode column_mode;
    const char *base_path, *columns, *format, *output;
    bool json, quiet;
    /* 1 after -v, 2 after -vv */
    int verbose;
    /* 0: as many as there are processors */
    uint64_t threads;

    /* stats; validate; tacocat and tacollection */
    taco_stats_options stats;
    bool deep, strict_pit, binary, fill, unchecked;

    /* Parquet files, and datasets that are written */
    taco_pq_write_options write;
    taco_pq_geometry geometry;
    taco_create_options create;
    taco_directory_options directory;
    const char *collection, *samples[64], *group_by[64], *optical;
    size_t samples_count;
    uint64_t split_size;
    /* add: columns may take the place of others */
    bool replace;

    /* convert and tortilla; collection */
    bool pad, chain, chunks;
    const char *to, *year;

    /* told when the command ends: warnings, and for -v what was read */
    taco_error warnings[16];
    size_t warning_count;
    uint64_t read_requests, read_bytes;
} arguments;

/* A command of the tool. */
typedef struct command {
    const char *name;
    /* what --help prints. A command takes the options that are named here. */
    const char *usage;
    int (*run)(arguments *a, const taco_options *opt);
    /* Takes options of this command alone out of the command line, before the others are parsed.
       May be NULL. */
    int (*take_options)(int *argc, char **argv);
    /* works with every processor unless --threads says otherwise */
    bool all_processors;
} command;

extern const command add_command, collection_command, convert_command, create_command,
    export_command, folder2zip_command, get_command, info_command, parquet_command, query_command,
    rasteret_command, read_command, repair_command, stats_command, tacocat_command,
    tacollection_command, tortilla_command, validate_command, zip2folder_command;

/* Part of the usage of the commands that write datasets. */
#define USAGE_CONTAINER                                                                            \
    "\n"                                                                                           \
    "container options\n"                                                                          \
    "  --format zip|folder  whatever the name says\n"                                              \
    "  --codec C[:LEVEL]    of the metadata (zstd)    --row-group N  rows (65536)\n"               \
    "  --mtime SECONDS      of an archive's entries, since 1970 (1980-01-01)\n"                    \
    "  --overwrite          replace an archive that is there\n"

/* ---- main.c ---- */

/* The usage of the tool as a whole, with the options that every command takes. */
extern const char main_usage[];

/* ---- options.c ---- */

/* Takes the words after the command apart. Options may be anywhere, as --name VALUE or
   --name=VALUE; -- ends them. On -h and --help the usage of the command is printed and the
   process ends. */
int parse_arguments(arguments *a, int argc, char **argv, const command *c);

/* ---- values.c: values of options ---- */

/* A decimal number of digits alone that fits. */
bool parse_number(const char *text, uint64_t *out);

/* "4GB", "1.5 MB", "4096": units are powers of 1024. */
bool parse_byte_size(const char *text, uint64_t *out);

/* "W,S,E,N": four numbers, none of them NaN. */
bool parse_box(const char *text, double out[4]);

/* Splits "a, b" at commas that are not inside double quotes, in place; returns the count, max at
   most. */
size_t split_names(char *text, const char **names, size_t max);

/* The index of a word among n names, n when it is none of them. */
size_t find_name(const char *word, const char *const *names, size_t n);

/* Returns whichever of best and name is spelt more like the n bytes of a mistyped word; best,
   which may be NULL, where name is not near at all. */
const char *nearer_name(const char *word, size_t n, const char *best, const char *name);

bool ends_with(const char *text, const char *end);

/* ---- messages.c: what the tool says on standard error ---- */

/* "taco: WHAT: ABOUT", about may be NULL. Returns USAGE. */
int usage_error(const char *what, const char *about);

/* "taco: NAME wants WHAT, not 'FOUND'". Returns USAGE. */
int value_error(const char *name, const char *what, const char *found);

/* A word that is no command or option, and the nearest that is, which may be NULL. Returns
   USAGE. topic: the command whose help tells more, NULL for that of the tool. */
int unknown_error(const char *what, const char *word, const char *nearest, const char *topic);

/* The message of a failure, or that the work was interrupted. Returns FAILED. */
int report_error(const taco_error *err);

/* The same where the error may be about any file: it is preceded by this one, unless it names
   it. */
int report_file_error(const char *path, const taco_error *err);

/* taco_options.warn, with the arguments as its context. Warnings wait for the end: a failure is
   one line. */
void keep_warning(void *ctx, const taco_error *warning);

/* What is said when a command ends: warnings of work that was done, and for -v the work. */
void print_summary(const arguments *a, int status);

/* ---- interrupt.c: SIGINT, SIGTERM and SIGHUP ---- */

/* From here on the first signal removes PATH.part and ends the process. With path NULL it is
   only remembered, for work that asks `interrupted`; the second one ends the process. */
void catch_interrupts(const char *path);

/* The signal that came, 0 for none. */
int interrupted(void);

/* ---- platform.c: what depends on the system ---- */

typedef enum path_kind {
    PATH_MISSING,
    PATH_FILE,
    PATH_DIRECTORY,
    /* a device, a pipe, a socket */
    PATH_SPECIAL
} path_kind;

path_kind kind_of_path(const char *path);

/* The path without links and from the root, which lives as long as the program; path itself
   where it cannot be resolved. */
const char *absolute_path(const char *path);

/* Standard error is a terminal. */
bool on_terminal(void);

/* ---- input.c: files and datasets that are read ---- */

/* The bytes of a file, with room for `more` after them; NULL after a message. The caller frees
   them. */
char *read_bytes(const char *path, size_t more, size_t *len);

/* A file as NUL-terminated text, which the caller frees; NULL when it cannot be read. */
char *read_text(const char *path, taco_error *err);

/* The first n words as one dataset. */
taco_dataset *open_datasets(const arguments *a, size_t n, const taco_options *opt, taco_error *err);

/* Completes a->query from the options. */
void prepare_query(arguments *a);

/* With -v, files are opened so that their reads are counted. Changes nothing without. */
void count_reads(arguments *a, taco_options *opt);

/* ---- output.c: what is printed and written ---- */

/* A file is written under a temporary name and renamed at the end, so that a failure leaves
   nothing. Nothing takes the place of a device or a pipe: such a path is written to. */
typedef struct output {
    FILE *file;
    /* "" when there is none */
    char temporary[4096];
} output;

/* path: NULL and "-" are standard output. After DONE, output_close must follow. */
int output_open(output *o, const char *path);

/* Ends what output_open began, and discards it unless status, that of the work, is DONE. */
int output_close(output *o, const char *path, int status);

/* False when not all of it could be written, or there is no text. */
bool write_bytes(FILE *file, taco_bytes text);

/* Standard output has all that was printed, or the command fails. Returns status where nothing
   failed. */
int flush_stdout(int status);

/* The text in quotes, escaped as JSON. */
void print_json_string(const char *text);

/* The rows to be printed: the handle of a reader, and the two calls on it. */
typedef struct row_source {
    void *reader;
    bool (*next)(void *reader, taco_batch *batch);
    void (*close)(void *reader, taco_error *err);
    const taco_field *fields;
    size_t field_count;
} row_source;

/* --format of commands that print rows; `otherwise` where none is given. */
int parse_row_format(const arguments *a, const char *otherwise, taco_format *out);

/* Prints every row, of its columns from `first` on, and closes the source. Returns FAILED with
   err set, or after a message with err as it was. */
int print_batches(row_source rows, size_t first, taco_format format, const char *path,
                  const taco_options *opt, taco_error *err);

/* Prints every row of a cursor and closes it. dataset: what a failure names, "" where there are
   several. */
int print_cursor(taco_cursor *rows, taco_format format, const char *path, const taco_options *opt,
                 const char *dataset, taco_error *err);

/* ---- container.c: what commands that write datasets share ---- */

/* Drawn on a terminal while a dataset is written. */
typedef struct progress_bar {
    bool terminal;
    /* the step that was drawn last, 0 for none */
    uint64_t shown;
} progress_bar;

/* The container that --format names, or `otherwise`. */
int set_container(arguments *a, taco_kind otherwise);

/* Completes a->create from the options; interrupts stop the work from now on. */
void prepare_create(arguments *a, const taco_options *opt, progress_bar *bar);

/* Wipes the bar from the terminal. */
void end_progress(const progress_bar *bar);

/* ---- commands that others use parts of ---- */

/* validate.c: what prints the problems of a dataset, for validate and repair. */
typedef struct problem_list {
    const arguments *a;
    uint64_t count;
    /* a line of progress is on the terminal */
    bool progress_shown;
} problem_list;

/* taco_validate_options.found, with a problem_list as its context. */
bool print_problem(void *ctx, const taco_problem *p);

/* explain.c: query --explain prints what will be read instead of the rows. */
int explain_query(const arguments *a, taco_dataset *ds, taco_error *err);

/* publish.c: whether a --format of query is a kind of Parquet file, and which. format may be
   NULL. */
bool parse_publish_kind(const char *format, taco_publish_kind *kind);

/* Writes the rows of a cursor to a Parquet file, a->output, and closes the cursor. */
int publish_rows(const arguments *a, taco_dataset *ds, taco_cursor *rows, taco_publish_kind kind,
                 const taco_options *opt, taco_error *err);

/* convert.c: makes a dataset of TACO 2, the last word, of one in another format. query NULL: of
   all of it. */
int convert_to_taco(arguments *a, const char *format, const taco_options *opt,
                    const taco_query *query);

/* ---- library.c ---- */

/* "brotli: libbrotlidec 1.0.9" or that there is none, for `taco --version`. */
void print_codecs(void);

#endif
