/* help.c - the tool's help: the list of commands, the help of each command, generated from the rows
   that also drive the parser, further topics, and all of it in machine-readable form.

   `taco --dump-options` prints lines of tab-separated fields; in texts, \n is a line feed.
   Completions and manual pages are generated from it.

       command   COMMAND  SUMMARY
       about     COMMAND  TEXT                    before the options; notes: after them
       usage     COMMAND  VERB|-  WORDS           what follows the names
       verb      COMMAND  VERB  TEXT
       heading   COMMAND  TEXT                    above the options that follow
       option    COMMAND  VERB,...|-  NAME  KIND  VALUE|-  TEXT
       notes     COMMAND  TEXT
       topic     NAME     TEXT

   COMMAND is - for options that every command takes. KIND is flag, file, directory, choice (VALUE
   is the list a|b), number, size or text, with + appended if the option is repeatable. */
#include "tool.h"

#include <string.h>

enum {
    /* columns of all help, and where the text about an option begins */
    HELP_WIDTH = 80,
    HELP_TEXT = 23
};

/* ---- subjects ---- */

static const struct {
    const char *name;
    const char *text;
} topics[] = {
    {"datasets",
     "A DATASET is a .tacozip or .zip archive, a FOLDER (a directory with COLLECTION.json), a "
     "__TACOCAT__ file, a .tacocat directory or the directory that contains it. Several are read "
     "as one. Old formats open like any other: .tortilla and .taco files, and Rasteret "
     "collections.\n"
     "\n"
     "A level is a table of samples: level0 has the samples at the top, level1 those inside the "
     "FOLDERs of level 0, and so on. A KEY names a sample by ids (tile_07/image) or positions "
     "(@0/@1).\n"
     "\n"
     "If the tool has libcurl (taco --version), a DATASET may be https://, http:// or s3://. S3 "
     "settings come from the environment (AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, "
     "AWS_SESSION_TOKEN, AWS_ENDPOINT_URL, AWS_NO_SIGN_REQUEST), else from the profile AWS_PROFILE "
     "in ~/.aws/credentials and ~/.aws/config; logins for other hosts from ~/.netrc.\n"
     "\n"
     "Commands that take several datasets also take lists of names, one per line: --files-from "
     "FILE, or @FILE among the datasets. --files-from - reads standard input: find . -name "
     "'*.tacozip' | taco tacocat OUT --files-from -"},
    {"filters",
     "--where is a condition on columns: comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, ILIKE, IS "
     "NULL. Texts are in 'single quotes'. Names that are not plain words need \"double quotes\", "
     "in a shell inside single ones: --where '\"stac:cloud_cover\" < 10'. If a colon cannot mean "
     "anything else, the name needs no quotes: --where 'stac:cloud_cover < 10'.\n"
     "\n"
     "--bbox W,S,E,N compares geometries exactly, in longitude and latitude. --time takes days, "
     "months, years and instants: 2024, 2024-03, 2024-03-01/2024-04, 2024-03-01T12:00Z.\n"
     "\n"
     "All filters of one level must hold for the same row; filters of several levels, which "
     "--level sets, for a row, its parent and so on."},
    {"formats",
     "table: aligned columns, cut to the width of the terminal. csv: RFC 4180, lines end in a line "
     "feed (--crlf: in CR LF). ndjson: an object per line. json: one array. vsi: the path for GDAL "
     "of each sample, one per line (-0: ended by zero bytes). arrow: the IPC stream. geojson: "
     "footprints in longitude and "
     "latitude. gti: GDAL Raster Tile Index. map: footprints on a map of characters. parquet, "
     "geoparquet, stac-geoparquet: files for other programs.\n"
     "\n"
     "Without --format, the extension of the -o file decides: .csv, .ndjson, .jsonl, .json, "
     ".arrow, .arrows, .geojson, .gti, .parquet, .geoparquet, .txt. If both are given, they must "
     "agree."},
    {"sql",
     "--sql takes one SELECT in DuckDB's dialect; docs/sql.md compares its functions with "
     "DuckDB's. "
     "Its tables:\n"
     "\n"
     "data has the samples at the top that pass --where, --bbox and --time. level0 ... level5 have "
     "the rows of the levels, unchanged; l0 ... l5 also the columns of their ancestors, \"l0:id\", "
     "\"l1:kind\". A row's parent is \"internal:parent_id\", its own number "
     "\"internal:current_id\".\n"
     "\n"
     "Joins, GROUP BY, HAVING, DISTINCT, UNION, INTERSECT, EXCEPT, WITH, ORDER BY, LIMIT and "
     "uncorrelated subqueries are supported; window functions and recursive queries are not.\n"
     "\n"
     "Names that are not plain words need \"double quotes\", texts 'single quotes':\n"
     "  taco query D --sql 'SELECT split, count(*) AS n FROM data GROUP BY split'\n"
     "  taco query D --sql 'SELECT avg(\"stac:cloud_cover\") FROM data' --time 2024\n"
     "  taco query D --sql \"SELECT \\\"l0:id\\\" FROM l1 WHERE \\\"l1:kind\\\" = 'label'\""},
    {"exit-status",
     "0: success. 1: bad data or failure; one line on standard error says what and where. 2: wrong "
     "usage: the command line was not understood."},
};

enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

/* ---- printing ---- */

/* Prints a text, starting at a column, wrapped at spaces; lines after the first are indented. Ends
   the last line. */
static void print_wrapped(FILE *to, const char *text, size_t column, size_t indent)
{
    size_t at = column, spaces = 0;
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (at > indent && at + spaces + n > HELP_WIDTH) {
            fprintf(to, "\n%*s", (int)indent, "");
            at = indent;
            spaces = 0;
        }
        fprintf(to, "%*s%.*s", (int)spaces, "", (int)n, text);
        at += spaces + n;
        text += n;
        if (*text == '\n') {
            fprintf(to, "\n%*s", text[1] == '\n' ? 0 : (int)indent, "");
            at = indent;
        }
        /* printed once the next word is known to fit */
        spaces = *text == ' ';
        text += *text != 0;
    }
    putc('\n', to);
}

/* Prints a name and its text: "  NAME   TEXT", a long name on its own line. */
static void print_entry(FILE *to, const char *name, const char *value, const char *text)
{
    size_t n = 2 + strlen(name) + (value ? 1 + strlen(value) : 0);
    fprintf(to, "  %s%s%s", name, value ? " " : "", value ? value : "");
    if (n >= HELP_TEXT) {
        fprintf(to, "\n");
        n = 0;
    }
    fprintf(to, "%*s", (int)(HELP_TEXT - n), "");
    print_wrapped(to, text, HELP_TEXT, HELP_TEXT);
}

/* Prints an option of a command. A long list of values is appended to the text. */
static void print_option(FILE *to, const command_option *row)
{
    const option *o = find_option(row->name, strlen(row->name));
    const char *value = row->value ? row->value : o->value;
    const char *help = row->help ? row->help : o->help;
    char text[2048];
    bool list = value && strchr(value, '|') && 3 + strlen(o->name) + strlen(value) > 40;
    sprintf(text, "%.500s%s%s%s", help, o->repeatable ? "; repeatable" : "", list ? ": " : "", "");
    if (list) {
        char *end = text + strlen(text);
        /* as "a, b, c" */
        for (; *value; value++) {
            *end++ = *value == '|' ? ',' : *value;
            if (*value == '|') { *end++ = ' '; }
        }
        *end = 0;
        value = "NAME";
    }
    print_entry(to, o->name, value, text);
}

/* Prints "usage: taco COMMAND WORDS", a line for each form of the command. */
static void print_ways(FILE *to, const command *c, size_t verb)
{
    const char *start = "usage:";
    size_t i;
    if (c->words) {
        const char *line = c->words;
        while (line) {
            const char *end = strchr(line, '\n');
            size_t n = end ? (size_t)(end - line) : strlen(line);
            fprintf(to, "%-6s taco %s%s%.*s\n", start, c->name, n ? " " : "", (int)n, line);
            line = end ? end + 1 : NULL;
            start = "";
        }
    }
    for (i = 0; i < verb_count(c); i++) {
        if (verb == verb_count(c) || verb == i) {
            fprintf(to, "%-6s taco %s %s %s\n", start, c->name, c->verbs[i].name,
                    c->verbs[i].words);
            start = "";
        }
    }
}

/* Prints the options of a verb, below their headings. */
static void print_options(FILE *to, const command *c, size_t verb)
{
    const command_option *o = c->options, *heading = NULL;
    bool first = true;
    for (; o && (o->name || o->help); o++) {
        if (!o->name) {
            heading = o;
        } else if (command_takes(c, verb, o->name)) {
            if (heading || first) {
                fprintf(to, "\n%s%s", heading ? heading->help : "", heading ? "\n" : "");
            }
            heading = NULL;
            first = false;
            print_option(to, o);
        }
    }
}

/* Prints the names of the global options. */
static void print_everywhere(void)
{
    char text[512] = "Everywhere: ";
    const command_option *o;
    for (o = global_options; o->name; o++) {
        sprintf(text + strlen(text), "%.30s, ", o->name);
    }
    strcat(text, "--help (taco help).");
    printf("\n");
    print_wrapped(stdout, text, 0, 0);
}

void print_command_help(const command *c, size_t verb)
{
    size_t i;
    print_ways(stdout, c, verb);
    if (c->about) {
        printf("\n");
        print_wrapped(stdout, c->about, 0, 0);
    }
    if (c->verbs) { printf("\n"); }
    for (i = 0; i < verb_count(c); i++) {
        if (verb == verb_count(c) || verb == i) {
            print_entry(stdout, c->verbs[i].name, NULL, c->verbs[i].help);
        }
    }
    print_options(stdout, c, verb);
    if (c->notes) {
        printf("\n");
        print_wrapped(stdout, c->notes, 0, 0);
    }
    print_everywhere();
}

void print_usage(FILE *to)
{
    const command_option *o;
    size_t i;
    fprintf(to, "usage: taco COMMAND [arguments]\n\n");
    for (i = 0; i < command_count; i++) {
        fprintf(to, "  %-13s", commands[i]->name);
        print_wrapped(to, commands[i]->summary, 15, 15);
    }
    fprintf(to, "\noptions for every command, before or after it\n");
    for (o = global_options; o->name; o++) {
        print_option(to, o);
    }
    print_entry(to, "-h, --help", NULL, "help for a command");
    print_entry(to, "--version", NULL,
                "version of the library, and its optional parts (taco doctor)");
    fprintf(to, "\n");
    print_wrapped(to,
                  "More: taco COMMAND --help; taco help TOPIC, where TOPIC is datasets, filters, "
                  "sql, formats "
                  "or exit-status. Exit status: 0 success, 1 bad data or failure, 2 wrong usage.",
                  0, 0);
}

int print_help(size_t n, const char *const *words)
{
    const char *nearest = NULL;
    const command *c = n ? find_command(words[0]) : NULL;
    size_t i;
    if (!n) {
        print_usage(stdout);
        return flush_stdout(DONE);
    }
    if (c) {
        size_t verb = n > 1 ? find_verb(c, words[1]) : verb_count(c);
        if (n > 1 && verb == verb_count(c)) {
            return unknown_error("verb", words[1], NULL, c->name);
        }
        print_command_help(c, verb);
        return flush_stdout(DONE);
    }
    for (i = 0; i < TOPIC_COUNT; i++) {
        if (strcmp(words[0], topics[i].name) == 0) {
            print_wrapped(stdout, topics[i].text, 0, 0);
            return flush_stdout(DONE);
        }
        nearest = nearer_name(words[0], strlen(words[0]), nearest, topics[i].name);
    }
    for (i = 0; i < command_count; i++) {
        nearest = nearer_name(words[0], strlen(words[0]), nearest, commands[i]->name);
    }
    return unknown_error("topic", words[0], nearest, NULL);
}

/* ---- for programs ---- */

/* Prints the last field of a line. */
static void dump_text(const char *text)
{
    for (; *text; text++) {
        fputs(*text == '\n' ? "\\n" : *text == '\\' ? "\\\\" : "", stdout);
        if (*text != '\n' && *text != '\\') { putchar(*text); }
    }
    putchar('\n');
}

/* Returns the KIND of an option. */
static const char *kind_name(const option *o, const char *value)
{
    if (!value) { return "flag"; }
    if (strchr(value, '|')) { return "choice"; }
    if (o->kind == OPTION_FILE || strncmp(value, "FILE", 4) == 0) { return "file"; }
    if (o->kind == OPTION_DIRECTORY || strcmp(value, "DIR") == 0) { return "directory"; }
    if (strcmp(value, "SIZE") == 0) { return "size"; }
    return strcmp(value, "N") == 0 ? "number" : "text";
}

/* Prints the line of an option of a command; c NULL: of a global option. */
static void dump_option(const command *c, const command_option *row)
{
    const option *o = find_option(row->name, strlen(row->name));
    const char *value = row->value ? row->value : o->value;
    const char *between = "";
    size_t i;
    printf("option\t%s\t", c ? c->name : "-");
    for (i = 0; c && i < verb_count(c); i++) {
        if (!row->verbs || row->verbs >> i & 1) {
            printf("%s%s", between, c->verbs[i].name);
            between = ",";
        }
    }
    printf("%s\t%s\t%s%s\t%s\t", *between ? "" : "-", o->name, kind_name(o, value),
           o->repeatable ? "+" : "", value ? value : "-");
    dump_text(row->help ? row->help : o->help);
}

/* Prints the forms of a command, and its verbs. */
static void dump_usage(const command *c)
{
    const char *line = c->words;
    size_t i;
    while (line) {
        size_t n = strcspn(line, "\n");
        printf("usage\t%s\t-\t%.*s\n", c->name, (int)n, line);
        line = line[n] ? line + n + 1 : NULL;
    }
    for (i = 0; i < verb_count(c); i++) {
        printf("usage\t%s\t%s\t%s\n", c->name, c->verbs[i].name, c->verbs[i].words);
    }
    for (i = 0; i < verb_count(c); i++) {
        printf("verb\t%s\t%s\t", c->name, c->verbs[i].name);
        dump_text(c->verbs[i].help);
    }
}

static void dump_command(const command *c)
{
    const command_option *o;
    printf("command\t%s\t", c->name);
    dump_text(c->summary);
    if (c->about) {
        printf("about\t%s\t", c->name);
        dump_text(c->about);
    }
    dump_usage(c);
    for (o = c->options; o && (o->name || o->help); o++) {
        if (o->name) {
            dump_option(c, o);
        } else {
            printf("heading\t%s\t", c->name);
            dump_text(o->help);
        }
    }
    if (c->notes) {
        printf("notes\t%s\t", c->name);
        dump_text(c->notes);
    }
}

int dump_options(void)
{
    const command_option *o;
    size_t i;
    for (o = global_options; o->name; o++) {
        dump_option(NULL, o);
    }
    for (i = 0; i < command_count; i++) {
        dump_command(commands[i]);
    }
    for (i = 0; i < TOPIC_COUNT; i++) {
        printf("topic\t%s\t", topics[i].name);
        dump_text(topics[i].text);
    }
    return flush_stdout(DONE);
}
