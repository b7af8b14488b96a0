/* tool.h - shared by the files of the command-line tool `taco`. The tool uses only the public API,
   whose declarations it includes without the implementation that the headers at the top of the
   repository have: that takes a compiler most of the time that a file of the tool needs. Every
   command has its own file, which defines one `command`; main.c lists them. Each file of the tool
   includes this header before any other. */
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

#include "../src/api/taco_sql.h"
#include "../src/api/taco_publish.h"
#include "../src/api/taco_write.h"
#include "../src/api/taco_legacy.h"
#include "../src/api/taco_rasteret.h"
#include "../src/api/taco_v3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The value of arguments.threads without --threads. */
#define THREADS_NOT_GIVEN UINT64_MAX

/* Exit statuses of the tool. Functions that return an int return one of them. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* The options of taco rasteret, in lists that live as long as the program. */
typedef struct rasteret_arguments {
    taco_rasteret_options options;
    taco_rasteret_pair *rename, *rewrite;
    taco_rasteret_band *bands;
    const char **partition;
    /* bands for ready and tiles; the file of --descriptor, and the id to use in it */
    const char *bands_wanted, *descriptor, *id;
} rasteret_arguments;

/* The command line, parsed by parse_arguments. Lists are limited only by memory, and live as long
   as the program. */
typedef struct arguments {
    /* DATASET, KEY and everything else that is not an option */
    const char **words;
    size_t word_count;
    /* the names in --files-from, which parse_arguments inserts among the words */
    const char *files_from, **listed;
    size_t listed_count;

    /* filters and the rest of a query; prepare_query completes it */
    taco_filter *filters;
    size_t filter_count;
    /* level of the filters that follow */
    uint32_t level;
    bool level_given;
    taco_query query;
    bool limit_given, exact_time, explain;
    const char *sql;
    /* TACO 3: a table by name, and declared files whose columns are wanted. Only for commands that
       set named_tables */
    const char *table_name, **files;
    size_t file_count;
    bool named_tables;

    /* datasets to open, and how rows are printed */
    taco_column_mode column_mode;
    const char *base_path, *columns, *format, *output;
    bool json, quiet, all, crlf, zero, strict_limits;
    /* value of --color; NULL is auto */
    const char *color;
    /* 1 after -v, 2 after -vv */
    int verbose;
    /* 0: one per processor */
    uint64_t threads;
    /* set by --threads: use them for any work */
    bool threads_given;

    /* report: number of images */
    uint64_t thumbnails;

    /* stats; validate; tacocat and tacollection */
    taco_stats_options stats;
    bool deep, binary, fill, unchecked;

    /* for writing Parquet files and datasets */
    taco_pq_write_options write;
    taco_pq_geometry geometry;
    taco_create_options create;
    taco_directory_options directory;
    const char *collection, **samples, **group_by, *optical;
    const char **include, **exclude;
    size_t samples_count;
    /* the first option given that only applies to Parquet files, or NULL */
    const char *parquet_option;
    uint64_t split_size;
    /* limits.max_output */
    uint64_t max_output;
    /* taco_options.keep_damaged */
    bool keep_damaged;
    /* add: columns may replace others */
    bool replace;

    /* create: geotiff:stats; values that need GDAL */
    bool stats_wanted, gdal_wanted;
    /* archive create: members whose ranges go into TACO_HEADER */
    const char **listed_members;
    size_t listed_member_count;

    /* convert and tortilla; collection */
    bool pad, chain, chunks, any_format;
    const char *to, *year;
    rasteret_arguments rasteret;

    /* printed when the command ends: warnings, and for -v what was read */
    taco_error warnings[16];
    size_t warning_count;
    uint64_t read_requests, read_bytes;
    /* show reads as progress; expected total of bytes, 0 if unknown */
    bool shows_reads;
    uint64_t reads_expected;
    /* what the outputs replace */
    struct replaced *replaced;
} arguments;

/* A verb of a command that has several, its first word. */
typedef struct command_verb {
    /* NULL at the end of the list */
    const char *name;
    /* what follows it in the usage, and what it does */
    const char *words;
    const char *help;
} command_verb;

/* An option that a command takes. The rows of a command are its options for the parser, the help,
   and `taco --dump-options`, from which completions and manual pages are generated. */
typedef struct command_option {
    /* NULL: a heading of the help, or the end of the rows if that is NULL too */
    const char *name;
    /* if these differ from the table of all options (option_table.c); else NULL */
    const char *value;
    const char *help;
    /* the verbs that take it, a bit for each in the order of command.verbs; 0: all */
    uint32_t verbs;
} command_option;

#define OPTION_HEADING(text)                                                                       \
    {                                                                                              \
        NULL, NULL, text, 0                                                                        \
    }
#define OPTION(name)                                                                               \
    {                                                                                              \
        name, NULL, NULL, 0                                                                        \
    }
#define OPTION_OF(verbs, name)                                                                     \
    {                                                                                              \
        name, NULL, NULL, verbs                                                                    \
    }
/* value and help: NULL as above */
#define OPTION_AS(name, value, help)                                                               \
    {                                                                                              \
        name, value, help, 0                                                                       \
    }
#define OPTION_END                                                                                 \
    {                                                                                              \
        NULL, NULL, NULL, 0                                                                        \
    }

/* Groups of options that several commands take. */
#define FILTER_OPTIONS(verbs)                                                                      \
    OPTION_OF(verbs, "--where"), OPTION_OF(verbs, "--bbox"), OPTION_OF(verbs, "--time"),           \
        OPTION_OF(verbs, "--exact-time"), OPTION_OF(verbs, "--level"),                             \
        OPTION_OF(verbs, "--geometry-col"), OPTION_OF(verbs, "--time-col")
#define PARQUET_OPTIONS(verbs)                                                                     \
    OPTION_OF(verbs, "--codec"), OPTION_OF(verbs, "--encoding"), OPTION_OF(verbs, "--row-group"),  \
        OPTION_OF(verbs, "--page-rows"), OPTION_OF(verbs, "--page-bytes"),                         \
        OPTION_OF(verbs, "--dictionary-bytes"), OPTION_OF(verbs, "--pages-v2"),                    \
        OPTION_OF(verbs, "--bloom"), OPTION_OF(verbs, "--no-statistics"),                          \
        OPTION_OF(verbs, "--no-page-index"), OPTION_OF(verbs, "--no-crc"),                         \
        OPTION_OF(verbs, "--content-defined"), OPTION_OF(verbs, "--chunk-min"),                    \
        OPTION_OF(verbs, "--chunk-max"), OPTION_OF(verbs, "--covering"),                           \
        OPTION_OF(verbs, "--crs"), OPTION_OF(verbs, "--arrow-schema")
#define TABLE_OPTIONS                                                                              \
    OPTION_AS("--codec", NULL, "none, snappy, gzip, zstd (default), lz4"), OPTION("--encoding"),   \
        OPTION("--row-group"), OPTION("--page-rows"), OPTION("--page-bytes"),                      \
        OPTION("--dictionary-bytes"), OPTION("--pages-v2"), OPTION("--bloom"),                     \
        OPTION("--no-statistics"), OPTION("--no-page-index"), OPTION("--no-crc"),                  \
        OPTION("--content-defined"), OPTION("--chunk-min"), OPTION("--chunk-max"),                 \
        OPTION("--arrow-schema")
#define CONTAINER_OPTIONS                                                                          \
    OPTION_HEADING("container"),                                                                   \
        OPTION_AS("--format", "zip|folder", "whatever the name of OUTPUT says"),                   \
        OPTION("--mtime"), OPTION("--overwrite"), OPTION_HEADING("tables of the metadata"),        \
        TABLE_OPTIONS

/* A command of the tool. */
typedef struct command {
    const char *name;
    /* one line, in the list of commands */
    const char *summary;
    /* what follows the name in the usage, a line for each form; NULL: taken from the verbs */
    const char *words;
    /* paragraphs of the help, before and after the options; NULL for none */
    const char *about;
    const char *notes;
    /* NULL for none */
    const command_verb *verbs;
    /* NULL: only those of every command */
    const command_option *options;
    int (*run)(arguments *a, const taco_options *opt);
    /* uses all processors if that pays, unless --threads says otherwise */
    bool all_processors;
    /* takes lists of datasets, by --files-from and as @FILE */
    bool lists;
    /* the last word is the output: datasets of a list come before it */
    bool output_last;
} command;

extern const command add_command, archive_command, collection_command, convert_command,
    create_command, export_command, folder2zip_command, get_command, info_command, parquet_command,
    query_command, rasteret_command, read_command, repair_command, report_command, stats_command,
    tacocat_command, tacollection_command, tortilla_command, validate_command, zip2folder_command,
    doctor_command;

/* ---- main.c ---- */

/* All commands, in the order of the help. The first of those equally near to a mistyped word is
   suggested. */
extern const command *const commands[];
extern const size_t command_count;

/* The command of that name, or NULL. */
const command *find_command(const char *name);

/* ---- option_table.c: every option ---- */

typedef enum option_kind {
    /* sets a bool */
    OPTION_FLAG,
    /* has no value, calls the function */
    OPTION_SWITCH,
    /* sets a const char * */
    OPTION_TEXT,
    /* the same, for the name of a file or directory */
    OPTION_FILE,
    OPTION_DIRECTORY,
    /* sets a uint64_t */
    OPTION_NUMBER,
    /* sets a size_t: a number, or a number of bytes */
    OPTION_COUNT,
    OPTION_SIZE,
    /* calls the function with the value */
    OPTION_FUNCTION
} option_kind;

typedef struct option {
    const char *name;
    option_kind kind;
    /* of the member of arguments */
    size_t offset;
    /* value is NULL for an OPTION_SWITCH */
    int (*set)(arguments *a, const char *name, const char *value);
    /* may be given several times */
    bool repeatable;
    /* name of the value in the help; a list "a|b" has all valid values; NULL for none */
    const char *value;
    const char *help;
} option;

/* The first of those equally near to a mistyped option is suggested. */
extern const option all_options[];
extern const size_t option_count;

/* Options of every command, which may also precede it. */
extern const command_option global_options[];

/* The option whose name is the first n bytes of a word; NULL if there is none. */
const option *find_option(const char *word, size_t n);

/* ---- options.c ---- */

/* Parses the words of the command line and finds the command. Options may be anywhere, global ones
   also before the command, as --name VALUE or --name=VALUE; -- ends them. */
int parse_arguments(arguments *a, int argc, char **argv, const command **c);

/* The row of an option that a command takes with a verb (verb_count: with any); NULL if it does not
   take it. */
const command_option *command_takes(const command *c, size_t verb, const char *name);

/* The index of a word among the verbs of a command, or verb_count. */
size_t find_verb(const command *c, const char *word);
size_t verb_count(const command *c);

/* ---- help.c ---- */

/* Prints the usage of the tool. */
void print_usage(FILE *to);

/* Prints the help of a command; verb: the index of a single verb, or verb_count for all. */
void print_command_help(const command *c, size_t verb);

/* `taco help TOPIC...`: the tool, a command, a verb of it, or a subject. */
int print_help(size_t n, const char *const *words);

/* Prints every command, verb and option, in machine-readable form: see the top of help.c. */
int dump_options(void);

/* ---- values.c: values of options ---- */

/* Returns list, or its replacement, with room for one element more than count; NULL starts a list.
   Ends the process when out of memory. The result lives as long as the program. */
void *grow_list(void *list, size_t count, size_t size);

/* A copy of a text, which lives as long as the program. */
char *copy_text(const char *text);

/* Parses a decimal number that fits, optionally with k, M or G for thousands, millions and
   billions. */
bool parse_number(const char *text, uint64_t *out);

/* Whether a text is a year, month, day or time of ISO 8601: "2020", "2020-01", "2020-01-31",
   "2020-01-31T12:00:00Z". */
bool is_iso_time(const char *text);

/* "4GB", "1.5 MB", "4096": units are powers of 1024. */
bool parse_byte_size(const char *text, uint64_t *out);

/* "W,S,E,N": four numbers, none NaN. */
bool parse_box(const char *text, double out[4]);

/* Splits "a, b" at commas that are not inside double quotes. *names and its texts live as long as
   the program. Returns the count. */
size_t split_names(const char *text, const char ***names);

/* One of the words of a list "a|b". */
bool is_choice(const char *list, const char *value);

/* The index of a word among n names, or n. */
size_t find_name(const char *word, const char *const *names, size_t n);

/* Returns whichever of best and name is closer in spelling to the n bytes of a mistyped word; best,
   which may be NULL, if name is not close at all. */
const char *nearer_name(const char *word, size_t n, const char *best, const char *name);

bool ends_with(const char *text, const char *end);

/* ---- messages.c: messages on standard error ---- */

/* "taco: WHAT: ABOUT", about may be NULL. Returns USAGE. */
int usage_error(const char *what, const char *about);

/* "taco: NAME needs WHAT, not 'FOUND'". Returns USAGE. */
int value_error(const char *name, const char *what, const char *found);

/* Reports a word that is not a command or option, with the nearest one, which may be NULL. Returns
   USAGE. topic: the command whose help to suggest; NULL: the help of the tool. */
int unknown_error(const char *what, const char *word, const char *nearest, const char *topic);

/* Prints the message of a failure, or that the work was interrupted. Returns FAILED. */
int report_error(const taco_error *err);

/* The same, with the path of a file before the message, unless it is already there. */
int report_file_error(const char *path, const taco_error *err);

/* The same, in the words used for all outputs if it is that one exists: only the library knows the
   names of parts. text: the message from there on where it names the output. */
int report_existing(const char *text, const taco_error *err);

/* taco_options.log, with the arguments as its context: prints a line on standard error, DEBUG only
   with -vv. */
void print_log(void *ctx, taco_log_level level, const char *text);

/* taco_options.warn, with the arguments as its context. Warnings are printed at the end, and not
   after a failure, which is a single line. */
void keep_warning(void *ctx, const taco_error *warning);

/* Prints what follows a command: warnings if it succeeded, and with -v what was read. */
void print_summary(const arguments *a, int status);

/* Prints 1234567 as 1,234,567; and as 1.2 MB, units being powers of 1000. */
void print_count(FILE *to, uint64_t n);
void print_byte_size(FILE *to, uint64_t n);

/* ---- interrupt.c: SIGINT, SIGTERM and SIGHUP ---- */

/* taco_options.temporary: records files that a signal must remove. */
void note_temporary(void *ctx, const char *path, bool begun);

/* From now on the first signal removes unfinished files and ends the process. If not at_once, or
   while a directory is being written, it is only recorded for interrupted(), whose callers stop
   working. */
void catch_interrupts(bool at_once);

/* The signal received, or 0. */
int interrupted(void);

/* Progress callback of work that shows none: false after an interrupt. */
bool not_interrupted(void *ctx, uint64_t done, uint64_t total);

/* ---- platform.c: what depends on the system ---- */

typedef enum path_kind {
    PATH_MISSING,
    PATH_FILE,
    PATH_DIRECTORY,
    /* a device, a pipe, a socket */
    PATH_SPECIAL
} path_kind;

path_kind kind_of_path(const char *path);

/* Whether c is between the names in a path: '/', and on Windows '\\' as well. */
bool is_path_separator(char c);

/* The last name in a path. */
const char *name_in_path(const char *path);

/* True if a path does not depend on the current directory. */
bool is_absolute_path(const char *path, size_t len);

/* The size of a file in bytes; false if it is not a regular file. */
bool file_size(const char *path, uint64_t *size);

/* Makes standard output binary: a '\r' added before each '\n' would damage Parquet files. */
void keep_printed_bytes(void);

/* Seconds of a monotonic clock, or CPU time if there is none. */
double seconds_now(void);

/* Replaces the process by another program, with the same arguments, from the directory of argv[0]
   or from PATH. Returns if it is not found. */
void become(const char *program, char **argv);

/* The absolute path without links, which lives as long as the program; path itself if it cannot be
   resolved. */
const char *absolute_path(const char *path);

/* Whether standard error is a terminal; whether standard output is. */
bool on_terminal(void);
bool stdout_is_terminal(void);

/* Columns of the terminal of standard output; 80 if unknown. */
size_t terminal_width(void);

/* Whether to use colours, from --color, NO_COLOR (https://no-color.org), TERM, and the terminal. */
bool use_color(const arguments *a);

/* Runs a program and returns what it prints, at most `most` bytes, which the caller frees; NULL if
   it does not exist, fails, takes more than `seconds` of processor time, or prints nothing. Its
   messages are dropped. arguments end with NULL. */
char *run_program(const char *const *arguments, size_t most, unsigned seconds, size_t *len);

/* Calls visit for each name in a directory, in no order, until it returns false. */
void visit_directory(const char *path, bool (*visit)(void *ctx, const char *name), void *ctx);

/* Bytes of all files below a directory; those whose names begin with '.' only count if `hidden`. 0
   if unknown. */
uint64_t tree_size(const char *path, bool hidden);

/* Whether both paths lead to the same file. False if that cannot be determined and they differ. */
bool is_same_file(const char *a, const char *b);

/* ---- input.c: files and datasets to read ---- */

/* The bytes of a file ("-" is standard input), with room for `more` after them; NULL after a
   message. The caller frees them. */
char *read_bytes(const char *path, size_t more, size_t *len);

/* A file as NUL-terminated text, which the caller frees; NULL if it cannot be read. */
char *read_text(const char *path, taco_error *err);

/* Opens the first n words as one dataset. */
taco_dataset *open_datasets(const arguments *a, size_t n, const taco_options *opt, taco_error *err);

/* Completes a->query from the options. */
void prepare_query(arguments *a);

/* Whether a path is read over the network; never in a tool built without libcurl. */
bool is_remote(const char *path);

/* Why the last remote read failed, "" if none did. */
const char *remote_failure(void);

/* Opens a file, possibly remote, that is not a dataset. */
bool open_source(const char *path, const taco_options *opt, taco_source *out, taco_error *err);

/* Sets opt->open_file if a word is a URL, or if reads are to be counted (-v, a->shows_reads). */
void choose_files(arguments *a, taco_options *opt);

/* ---- output.c: what is printed and written ---- */

/* FAILED, after a message, if the file exists and --overwrite is not given. */
int check_overwrite(const arguments *a, const char *path);

/* A file is written under a temporary name and renamed at the end, so that a failure leaves nothing
   behind. Devices and pipes are not replaced but written to. */
typedef struct output {
    /* standard output; NULL: the sink is used */
    FILE *file;
    taco_sink sink;
    uint64_t at;
    /* errno of the failure to write, or 0 */
    int why;
    /* standard output is a terminal: control characters would be commands to it */
    bool terminal;
    /* of output_path, opened by its first call */
    taco_field path;
    taco_printer *paths;
} output;

/* path: NULL and "-" are standard output. After DONE, output_close must follow. */
int output_open(output *o, const char *path);

/* Closes the output, and discards it unless status, that of the work, is DONE. */
int output_close(output *o, const char *path, int status);

/* Both are false if not everything could be written, or text is NULL. */
bool output_write(output *o, taco_bytes text);
/* The same for text whose only control characters are our own, which a terminal should get. */
bool output_write_plain(output *o, taco_bytes text);
/* Writes one path as --format vsi does, and ends it. False, with err set, if it cannot be one line. */
bool output_path(output *o, taco_bytes path, const arguments *a, taco_error *err);
bool write_bytes(FILE *file, taco_bytes text);

/* Prints control characters except tab and newline as caret and letter; in UTF-8 also those from
   U+0080 to U+009F, some of which terminals interpret. */
bool write_terminal(FILE *file, taco_bytes text);

/* Flushes standard output; returns status, or FAILED if not everything could be written. */
int flush_stdout(int status);

/* screen.c: columns that UTF-8 text takes on a terminal, and those of its first character, whose
   length in bytes is returned. */
size_t count_columns(const char *text, size_t n);
size_t next_char(const char *text, size_t n, size_t *columns);

/* Text for people on standard output, which begins at column `at`. On a terminal it is
   wrapped between words, with `indent` blanks before further lines, and has no control characters;
   elsewhere it is unchanged. Does not end the line. */
void print_words(const char *text, size_t n, size_t at, size_t indent);

/* The same for lines, each with its own indentation, and two more blanks on continuation lines. */
void print_lines(taco_bytes text);

/* Prints the text in quotes, escaped as JSON. */
void print_json_string(const char *text);

/* The rows to be printed: the handle of a reader, and the two calls on it. */
typedef struct row_source {
    void *reader;
    bool (*next)(void *reader, taco_batch *batch);
    void (*close)(void *reader, taco_error *err);
    const taco_field *fields;
    size_t field_count;
} row_source;

/* The format of the library's printer for a->format. */
taco_format printer_format(const arguments *a);

/* Completes a->format: from --format, or the extension of -o, or `otherwise`. A usage error if the
   two disagree, or the command does not have that format. */
int choose_format(arguments *a, const command *c, const char *otherwise);

/* Most rows of a table on a terminal, without --all. */
#define TERMINAL_ROWS 40

/* How rows are printed as a table. */
typedef struct table_options {
    /* columns of the terminal, 0 if it is none: then nothing is cut; print_batches sets these
       two */
    size_t screen;
    bool color;
    /* also the columns named internal:* */
    bool internal;
    /* most rows, 0 for all; and a function that counts all rows, or NULL */
    uint64_t most;
    uint64_t (*total)(void *ctx);
    void *total_ctx;
} table_options;

/* Whether rows go to standard output, and that is a terminal. */
bool to_terminal(const arguments *a);

/* Prints every row in the format a->format, with the columns from `first` on (in a table, all
   columns), and closes the source. how: for tables, may be NULL. Returns FAILED with err set, or
   after a message with err as it was. */
int print_batches(row_source rows, size_t first, const arguments *a, const table_options *how,
                  const taco_options *opt, taco_error *err);

/* The index of the field of that name; n if there is none. */
size_t find_field(const taco_field *fields, size_t n, const char *name);

/* Prints every row of a cursor and closes it. dataset: its name for error messages, "" if there are
   several. */
int print_cursor(taco_cursor *rows, const arguments *a, const table_options *how,
                 const taco_options *opt, const char *dataset, taco_error *err);

/* ---- keep.c ---- */

/* Why a directory must not be replaced, a text that lives as long as the program; NULL if it is
   empty, or a dataset and nothing else. rasteret: its collections count as datasets. */
const char *reason_to_keep(const char *path, bool rasteret);

/* An archive that a catalogue lists and that create TARGET does not make (NAME.ext, its parts, with
   groups NAME_VALUE.ext), or why that is unknown; NULL if there is none. */
const char *other_archive(const char *catalogue, const char *target, bool groups);

/* ---- replace.c ---- */

/* What a command may replace. */
typedef struct replaced {
    const command *command;
    /* outputs that may be replaced, in a list that lives as long as the program */
    const char **path;
    size_t count;
    /* the line that says why may_replace refused */
    const char *why;
} replaced;

/* Refuses an existing output of a command, unless --overwrite replaces it. Separators at the end of
   its path are removed. */
int begin_output(const command *c, arguments *a, replaced *r);

/* taco_options.replace, with the arguments as its context. */
bool may_replace(void *ctx, const char *path);

/* ---- parallel.c ---- */

/* Whether the rows of the query could be printed part by part, if there were many. The dataset is
   then opened without parallel_for, as its handle is used by one of several threads. */
bool may_pay_parallel(const arguments *a, const taco_options *opt);

/* Whether they can, and are worth several threads, each with its own handle. */
bool pays_parallel(const arguments *a, taco_dataset *ds, const taco_options *opt);

/* Prints them with opt->parallel_for, like print_cursor, and closes the cursor, which is for the
   whole query. ds is used by one of the threads. */
int print_parallel(const arguments *a, taco_dataset *ds, taco_cursor *rows, const taco_options *opt,
                   taco_error *err);

/* ---- rows.c ---- */

/* A usage error if there are filters and the SELECT does not use the table they apply to. */
int check_sql_source(const arguments *a);

/* A view of the rows that pass the filters, and of --sql over them. The caller frees it. */
taco_view *open_view(const arguments *a, taco_dataset *ds, taco_error *err);

/* The same as a cursor. */
taco_cursor *open_rows(const arguments *a, taco_dataset *ds, taco_error *err);

/* A cursor with the column internal:gdal_vsi of these rows, which must be samples. */
taco_cursor *open_paths(const arguments *a, taco_dataset *ds, taco_error *err);

/* ---- table.c ---- */

/* Prints rows as a table, and closes the source. */
int print_table(row_source *rows, const table_options *how, output *to, const taco_options *opt,
                taco_error *err);

/* ---- wkt.c ---- */

/* Whether a column has WKB, judging by its name and type. */
bool is_geometry(const taco_field *f);

/* A geometry as text of *len bytes, at most 200; lives until the next call. */
const char *short_wkt(taco_bytes wkb, size_t *len);

/* ---- progress.c: a line on the terminal while work takes long ---- */

/* Shows progress from now on, if on a terminal and without --quiet. */
void begin_progress(const arguments *a);

/* Whether progress may be shown, so that totals are worth computing. */
bool progress_wanted(void);

/* Draws bytes, rate and the time left. total: 0 if unknown. */
void draw_progress(uint64_t bytes, uint64_t total);

/* Wipes progress from the terminal, before anything else is printed there. */
void end_progress(void);

/* Like begin_progress, but counts reads of a file that is read `times` times in all; path may be
   NULL. Call before choose_files. */
void count_progress(arguments *a, const char *path, unsigned times);

/* ---- container.c: shared by commands that write datasets ---- */

/* The container that --format names, or `otherwise`. */
int set_container(arguments *a, taco_kind otherwise);

/* Completes a->create from the options; interrupts stop the work from now on. */
void prepare_create(arguments *a, const taco_options *opt);

/* ---- parts of commands that others use ---- */

/* validate.c: prints the problems of a dataset, for validate and repair. */
typedef struct problem_list {
    const arguments *a;
    uint64_t count;
    char first[512]; /* the message of the first error */
} problem_list;

/* taco_validate_options.found, with a problem_list as its context. */
bool print_problem(void *ctx, const taco_problem *p);
/* Validates a dataset, prints problems and result, and returns the exit status. */
int validate_dataset(arguments *a, const char *path, const taco_options *opt);

/* info.c: extent in space and time, from the collection,
   {"spatial":[W,S,E,N],"temporal":["A","B"]}. */
typedef struct extent {
    bool has_box, has_time;
    double box[4];
    char from[64], to[64];
} extent;

/* False if the collection has none. */
bool read_extent(taco_dataset *ds, extent *out);

/* explain.c: query --explain prints what will be read instead of the rows. */
int explain_query(const arguments *a, taco_dataset *ds, taco_error *err);

/* map.c: the footprints of the rows on a map of characters, on standard output. */
int print_footprint_map(const arguments *a, taco_dataset *ds, taco_error *err);

/* Gets the coordinates of a row's footprint, n bytes of GeoJSON; NULL for a row without one. */
typedef void (*footprint_visitor)(void *ctx, const char *coordinates, size_t n);

/* Calls visit for every row of the query; false on failure. */
bool visit_footprints(const arguments *a, taco_dataset *ds, footprint_visitor visit, void *ctx,
                      taco_error *err);

/* The bounds W, S, E, N of such coordinates; false if there are none. */
bool footprint_box(const char *at, const char *end, double box[4]);

/* ---- land.c: the continents ---- */

/* A ring of corners in tenths of a degree. */
typedef struct land_ring {
    const short (*corners)[2];
    size_t count;
    /* a lake */
    bool water;
} land_ring;

/* The ring at *at, which starts as 0 and is moved to the next; false after the last. */
bool next_land(size_t *at, land_ring *out);

/* ---- page.c: the parts of an HTML page ---- */

/* A page being written. All text from a dataset goes through page_escaped. */
typedef struct page {
    output out;
} page;

/* Writes HTML unchanged; the second formats it, at most 500 bytes. */
void page_html(page *p, const char *html);
void page_print(page *p, const char *format, ...);

/* Writes text, escaping markup and replacing control characters. */
void page_escaped(page *p, const char *text, size_t n);

/* Writes a number, with thousands separators if it is an integer. */
void page_number(page *p, double x);

/* Writes a PNG image. */
void page_png(page *p, const char *bytes, size_t n);

/* Footprints for a map: the bounds of all, and the coordinates of the first ones. */
typedef struct footprint_list {
    double (*boxes)[4];
    size_t count;
    /* coordinates, each NUL-terminated */
    char *shapes;
    size_t shape_count, len, room;
    /* rows without a footprint */
    uint64_t without;
} footprint_list;

/* footprint_visitor, with a footprint_list as its context. */
void add_footprint(void *ctx, const char *coordinates, size_t n);

/* Draws the footprints over land and a grid of degrees, and where on the globe that is. */
void page_map(page *p, const footprint_list *f);

/* publish.c: whether a --format of query is a kind of Parquet file, and which. format may be
   NULL. */
bool parse_publish_kind(const char *format, taco_publish_kind *kind);

/* Writes the rows of a cursor to a Parquet file, a->output, and closes the cursor. */
int publish_rows(const arguments *a, taco_dataset *ds, taco_cursor *rows, taco_publish_kind kind,
                 const taco_options *opt, taco_error *err);

/* convert.c: makes a TACO 2 dataset, the last word, from one in another format. query NULL: from
   all of it. */
int convert_to_taco(arguments *a, const char *format, const taco_options *opt,
                    const taco_query *query);

/* convert_v3.c: the same from TACO 3, with a collection or NULL */
void convert_v3(const arguments *a, const char *collection, const taco_create_options *create,
                const taco_options *opt, taco_error *err);

/* ---- gdal.c ---- */

/* Sets the members of a->directory that use GDAL; does nothing in a build without it. */
void add_gdal(arguments *a);

/* The version of GDAL; NULL in a build without it. */
const char *gdal_version(void);

/* ---- codecs.c ---- */

/* Prints the version of the library and the linked optional codecs. */
int print_version(void);

/* A codec of --codec, with its highest level, 0 if it has none. In the order of taco_codec, from
   TACO_CODEC_NONE on; the last name is NULL. */
typedef struct codec_name {
    const char *name;
    uint64_t levels;
} codec_name;

extern const codec_name codec_names[];

/* Prints "brotli: libbrotlidec 1.0.9" or that there is none, for `taco --version`. */
void print_codecs(void);

#endif
