/* options.c - parses the command line: the command, its verb, options, and words. Only its rows
   (command.options) say which options a command takes, so that none is silently ignored, and none
   lacks help. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* State of parsing a command line. */
typedef struct parser {
    arguments *a;
    const command *c;
    /* by index in all_options: the last value given ("" if it takes none); NULL if not given */
    const char **given;
} parser;

/* ---- which options a command takes ---- */

size_t verb_count(const command *c)
{
    size_t n = 0;
    while (c->verbs && c->verbs[n].name) {
        n++;
    }
    return n;
}

size_t find_verb(const command *c, const char *word)
{
    size_t i, n = verb_count(c);
    for (i = 0; i < n && strcmp(word, c->verbs[i].name) != 0; i++) {}
    return i;
}

/* The row of that name in a list that ends with OPTION_END; NULL if there is none. */
static const command_option *find_row(const command_option *o, const char *name)
{
    for (; o && (o->name || o->help); o++) {
        if (o->name && strcmp(o->name, name) == 0) { return o; }
    }
    return NULL;
}

/* Options that only apply to Parquet files. */
static const command_option parquet_rows[] = {PARQUET_OPTIONS(0), OPTION_END};

const command_option *command_takes(const command *c, size_t verb, const char *name)
{
    const command_option *o = c ? find_row(c->options, name) : NULL;
    if (!o) { return find_row(global_options, name); }
    if (o->verbs && verb < verb_count(c) && !(o->verbs >> verb & 1)) { return NULL; }
    return o;
}

/* Reports an option that the command, or any command, does not take, and suggests the nearest one
   that it does. */
static int refuse_option(const command *c, const char *word, size_t n)
{
    const char *nearest = NULL;
    char name[64];
    size_t i;
    if (find_option(word, n)) {
        fprintf(stderr, "taco: %s%s%.*s%s%s%s\n", c ? c->name : "", c ? " takes no " : "", (int)n,
                word, c ? " (see taco " : " comes after the COMMAND (see taco", c ? c->name : "",
                " --help)");
        return USAGE;
    }
    for (i = 0; i < option_count; i++) {
        if (command_takes(c, c ? verb_count(c) : 0, all_options[i].name)) {
            nearest = nearer_name(word, n, nearest, all_options[i].name);
        }
    }
    sprintf(name, "%.*s", (int)(n < 60 ? n : 60), word);
    return unknown_error("option", name, nearest, c ? c->name : NULL);
}

/* ---- values ---- */

/* "taco: --format needs table, csv or vsi, not 'xml'" */
static int choice_error(const char *name, const char *list, const char *value)
{
    char *text = (char *)grow_list(NULL, 0, 4 * strlen(list) + 1), *to = text;
    for (; *list; list++) {
        if (*list != '|') {
            *to++ = *list;
        } else {
            const char *between = strchr(list + 1, '|') ? ", " : " or ";
            strcpy(to, between);
            to += strlen(between);
        }
    }
    *to = 0;
    return value_error(name, text, value);
}

/* A number that fits size_t. */
static int set_count(arguments *a, const option *o, const char *value)
{
    uint64_t n;
    bool good = o->kind == OPTION_SIZE ? parse_byte_size(value, &n) : parse_number(value, &n);
    if (!good || n > SIZE_MAX) {
        return value_error(
            o->name, o->kind == OPTION_SIZE ? "a number of bytes, such as 1MB" : "a number", value);
    }
    *(size_t *)(void *)((char *)a + o->offset) = (size_t)n;
    return DONE;
}

/* Sets an option as its row in the table says. value is NULL for an option without one. */
static int set_option(arguments *a, const option *o, const char *value)
{
    char *member = (char *)a + o->offset;
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)(void *)member = true; return DONE;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_DIRECTORY: *(const char **)(void *)member = value; return DONE;
    case OPTION_NUMBER:
        return parse_number(value, (uint64_t *)(void *)member)
                   ? DONE
                   : value_error(o->name, "a number", value);
    case OPTION_COUNT:
    case OPTION_SIZE: return set_count(a, o, value);
    case OPTION_SWITCH:
    case OPTION_FUNCTION: break;
    }
    return o->set(a, o->name, value);
}

/* ---- options ---- */

/* An option that is not repeatable must not be given with two values, as one would be ignored. */
static int check_repeated(parser *p, const option *o, const char *value)
{
    const char **given = &p->given[o - all_options], *before = *given;
    *given = value ? value : "";
    if (o->repeatable || !before || !value || strcmp(before, value) == 0) { return DONE; }
    fprintf(stderr, "taco: %s is given twice: '%s' and '%s'\n", o->name, before, value);
    return USAGE;
}

/* Parses the option at argv[*i], and moves *i to its value if that is a separate word. */
static int parse_option(parser *p, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *equals = strchr(word, '='), *value = NULL, *list;
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    const option *o = find_option(word, n);
    const command_option *row;
    bool has_value;
    row = o ? command_takes(p->c, p->c ? verb_count(p->c) : 0, o->name) : NULL;
    if (!row) { return refuse_option(p->c, word, n); }
    has_value = o->kind != OPTION_FLAG && o->kind != OPTION_SWITCH;
    if (!has_value && equals) { return usage_error(o->name, "takes no value"); }
    if (has_value && !equals && *i + 1 == argc) { return usage_error(word, "needs a value"); }
    if (has_value) { value = equals ? equals + 1 : argv[++*i]; }
    list = row->value ? row->value : o->value;
    if (value && strchr(list, '|') && !is_choice(list, value)) {
        return choice_error(o->name, list, value);
    }
    if (find_row(parquet_rows, o->name)) { p->a->parquet_option = o->name; }
    return check_repeated(p, o, value) == DONE ? set_option(p->a, o, value) : USAGE;
}

/* Warns about a box whose corners are in the wrong order, or may be, and says how it is
   interpreted. */
static void check_box(arguments *a, const double *box)
{
    taco_error swapped = {0};
    bool west = box[0] > box[2];
    bool crosses = west && box[0] <= 180 && box[2] >= -180 && box[1] >= -90 && box[3] <= 90 &&
                   box[1] <= box[3];
    if (!west && box[1] <= box[3]) { return; }
    swapped.code = TACO_ERR_ARGUMENT;
    strcpy(swapped.text,
           crosses ? "--bbox is W,S,E,N: W is greater than E, so the box crosses 180 degrees"
           : west  ? "--bbox is W,S,E,N: W is greater than E, so they are swapped"
                   : "--bbox is W,S,E,N: S is greater than N, so they are swapped");
    keep_warning(a, &swapped);
}

/* Checks options that need another one. */
static int check_options(arguments *a, const command *c)
{
    size_t i;
    if (a->level_given && a->filter_count == 0 && a->level != a->query.table) {
        return usage_error(
            "--level needs a filter (--where, --bbox, --time): to return the rows of "
            "a level, use --table",
            NULL);
    }
    if (c == &query_command && a->json && !a->explain) {
        return usage_error("--json needs --explain; for rows as JSON use --format ndjson", NULL);
    }
    /* filters test the rows that are returned */
    for (i = 0; i < a->filter_count && !a->level_given; i++) {
        a->filters[i].level = a->query.table;
    }
    for (i = 0; i < a->filter_count; i++) {
        if (a->filters[i].bbox) { check_box(a, a->filters[i].bbox); }
    }
    return DONE;
}

/* Checks all given options against the verb, which may come after them. */
static int check_verb(const parser *p)
{
    const command *c = p->c;
    size_t i, verb = c->verbs && p->a->word_count ? find_verb(c, p->a->words[0]) : verb_count(c);
    for (i = 0; i < option_count; i++) {
        if (p->given[i] && !command_takes(c, verb, all_options[i].name)) {
            fprintf(stderr, "taco: %s %s takes no %s (see taco %s %s --help)\n", c->name,
                    c->verbs[verb].name, all_options[i].name, c->name, c->verbs[verb].name);
            return USAGE;
        }
    }
    return DONE;
}

/* ---- the command line ---- */

/* Appends a word, without copying it. */
static void add_word(const char ***list, size_t *n, const char *word)
{
    *list = (const char **)grow_list(*list, *n, sizeof **list);
    (*list)[(*n)++] = word;
}

/* True for a list in UTF-16: it has a byte order mark or, as lists of names of one character ended
   by NUL may look like it, lines. */
static bool is_utf16(const char *text, size_t len)
{
    size_t i, first = len && text[0] == 0 ? 0 : 1;
    bool lines = false;
    if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return true;
    }
    for (i = 0; i + 1 < len; i += 2) {
        if (text[i + first] != 0) { return false; }
        lines = lines || text[i + 1 - first] == '\n';
    }
    return lines;
}

/* Appends the names in a file, one per line, or NUL-terminated if the file has a NUL; "-" is
   standard input. Empty lines are skipped, and a byte order mark. The text lives as long as the
   program. */
static int add_list(const char ***list, size_t *n, const char *path)
{
    size_t len, before = *n;
    char *text = read_bytes(path, 1, &len), *at, *next;
    bool nul;
    if (!text) { return FAILED; }
    text[len] = 0;
    if (is_utf16(text, len)) {
        free(text);
        return usage_error(path, "the list of files is UTF-16; it must be UTF-8");
    }
    nul = memchr(text, 0, len) != NULL;
    for (at = text + (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0); at < text + len;
         at = next) {
        size_t size = nul ? strlen(at) : strcspn(at, "\n");
        next = at + size + 1;
        /* CR LF, in files from other systems */
        if (!nul && size && at[size - 1] == '\r') { size--; }
        at[size] = 0;
        if (size) { add_word(list, n, at); }
    }
    if (*n > before) { return DONE; }
    free(text);
    return usage_error(path, "the list of files is empty");
}

/* Inserts the words of --files-from in place of datasets. */
static int place_listed(arguments *a, const command *c)
{
    const char *last = NULL;
    size_t i;
    int status = a->files_from ? add_list(&a->listed, &a->listed_count, a->files_from) : (int)DONE;
    if (status != DONE) { return status; }
    if (a->listed_count && c->output_last && a->word_count) { last = a->words[--a->word_count]; }
    for (i = 0; i < a->listed_count; i++) {
        add_word(&a->words, &a->word_count, a->listed[i]);
    }
    if (last) { add_word(&a->words, &a->word_count, last); }
    return DONE;
}

/* Handles a word that is not an option: the command if it is the first, else one of its words. */
static int parse_word(parser *p, const char *word, bool options_ended)
{
    const char *nearest = NULL;
    size_t i;
    if (!p->c) {
        p->c = find_command(word);
        if (p->c) { return DONE; }
        for (i = 0; i < command_count; i++) {
            nearest = nearer_name(word, strlen(word), nearest, commands[i]->name);
        }
        nearest = nearer_name(word, strlen(word), nearest, "help");
        return unknown_error("command", word, nearest, NULL);
    }
    if (!options_ended && strcmp(word, "-") == 0) {
        return usage_error("standard input has no random access: name a file (or put -- before -)",
                           NULL);
    }
    if (!options_ended && p->c->lists && word[0] == '@' && word[1]) {
        return add_list(&p->a->words, &p->a->word_count, word + 1);
    }
    add_word(&p->a->words, &p->a->word_count, word);
    return DONE;
}

/* Options that end the program at once: help, the version, the table of options. */
static void answer_at_once(const parser *p, int argc, char **argv, int i)
{
    const char *word = argv[i];
    if (!p->c && strcmp(word, "help") == 0) {
        exit(print_help((size_t)(argc - i - 1), (const char *const *)argv + i + 1));
    }
    if (!p->c && strcmp(word, "--dump-options") == 0) { exit(dump_options()); }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 ||
        (!p->c && strcmp(word, "version") == 0)) {
        exit(print_version());
    }
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        if (p->c) {
            const char *first = p->a->word_count ? p->a->words[0] : "";
            print_command_help(p->c, find_verb(p->c, first));
        } else {
            print_usage(stdout);
        }
        exit(flush_stdout(DONE));
    }
}

int parse_arguments(arguments *a, int argc, char **argv, const command **c)
{
    parser p;
    bool options_ended = false;
    int i, status = DONE;
    memset(&p, 0, sizeof p);
    p.a = a;
    p.given = (const char **)grow_list(NULL, 0, option_count * sizeof *p.given);
    memset((void *)p.given, 0, option_count * sizeof *p.given);
    for (i = 1; i < argc && status == DONE; i++) {
        if (!options_ended) { answer_at_once(&p, argc, argv, i); }
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
        } else if (options_ended || argv[i][0] != '-' || !argv[i][1]) {
            status = parse_word(&p, argv[i], options_ended);
        } else {
            status = parse_option(&p, argc, argv, &i);
        }
    }
    *c = p.c;
    if (status == DONE && !p.c) {
        print_usage(stderr);
        return USAGE;
    }
    if (status == DONE) { status = check_verb(&p); }
    if (status == DONE) { status = place_listed(a, p.c); }
    return status == DONE ? check_options(a, p.c) : status;
}
