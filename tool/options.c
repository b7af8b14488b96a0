/* options.c - the options of all commands. One table says for each option what kind of value it
   has and which member of `arguments` it sets; those that do more have a function. A command
   takes the options that its usage names, so that none is ignored in silence and none is without
   help.

   An option has the same meaning in every command that takes it. To add one: a row of the table,
   and its name in the usage of the commands that are to take it. Only taco rasteret has options
   of its own, in rasteret.c. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    /* sets a bool */
    OPTION_FLAG,
    /* has no value, calls the function */
    OPTION_SWITCH,
    /* sets a const char * */
    OPTION_TEXT,
    /* sets a uint64_t */
    OPTION_NUMBER,
    /* sets a size_t */
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
} option;

/* ---- options that do more than set a member ---- */

/* -v and -vv */
static int set_verbose(arguments *a, const char *name, const char *value)
{
    (void)value;
    a->verbose = (int)strlen(name) - 1;
    return DONE;
}

/* Levels are small numbers; the library refuses what is more than the deepest level. */
static bool parse_level(const char *text, uint32_t *out)
{
    uint64_t n;
    if (!parse_number(text, &n) || n > 1000) { return false; }
    *out = (uint32_t)n;
    return true;
}

/* levelN: the rows of a level as they are. lN: its FILE rows, with the columns of their
   ancestors. data is level 0. */
static int set_table(arguments *a, const char *name, const char *value)
{
    /* what follows `level` or `l` */
    const char *digits = strncmp(value, "level", 5) == 0 ? value + 5
                         : value[0] == 'l'               ? value + 1
                                                         : NULL;
    a->query.flat = digits == value + 1;
    if (strcmp(value, "data") == 0) {
        a->query.table = 0;
        return DONE;
    }
    return digits && parse_level(digits, &a->query.table)
               ? DONE
               : value_error(name, "data, levelN or lN", value);
}

/* What becomes of columns that not all of several datasets have. */
static int set_column_mode(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_column_mode */
    static const char *const names[] = {"intersection", "fill_missing", "strict"};
    size_t mode = find_name(value, names, 3);
    if (mode == 3) { return value_error(name, "intersection, fill_missing or strict", value); }
    a->column_mode = (taco_column_mode)mode;
    return DONE;
}

/* stats: which kind of statistics the column must have. */
static int set_family(arguments *a, const char *name, const char *value)
{
    if (strcmp(value, "continuous") == 0) {
        a->stats.family = TACO_STATS_CONTINUOUS;
    } else if (strcmp(value, "categorical") == 0) {
        a->stats.family = TACO_STATS_CATEGORICAL;
    } else {
        return value_error(name, "continuous or categorical", value);
    }
    return DONE;
}

/* Each of --where, --bbox and --time is a filter of its own, on the level that was given last. */
static int add_filter(arguments *a, const char *name, const char *value)
{
    taco_filter *f = &a->filters[a->filter_count];
    if (a->filter_count == MAX_FILTERS) { return usage_error("too many filters", NULL); }
    memset(f, 0, sizeof *f);
    f->level = a->level;
    if (strcmp(name, "--where") == 0) {
        f->where = value;
    } else if (strcmp(name, "--time") == 0) {
        f->time = value;
    } else if (parse_box(value, a->boxes[a->filter_count])) {
        f->bbox = a->boxes[a->filter_count];
    } else {
        return value_error(name, "W,S,E,N, four numbers", value);
    }
    a->filter_count++;
    return DONE;
}

/* A level that is given once holds for the filters before it, too. */
static int set_level(arguments *a, const char *name, const char *value)
{
    uint32_t level;
    size_t i;
    if (!parse_level(value, &level)) { return value_error(name, "a number", value); }
    for (i = 0; !a->level_given && i < a->filter_count; i++) {
        a->filters[i].level = level;
    }
    a->level = level;
    a->level_given = true;
    return DONE;
}

/* Remembers that there is a limit: 0 is one, though a query takes it for none. */
static int set_limit(arguments *a, const char *name, const char *value)
{
    a->limit_given = true;
    return parse_number(value, &a->query.limit) ? DONE : value_error(name, "a number", value);
}

/* C or C:LEVEL */
static int set_codec(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_codec, from TACO_CODEC_NONE on; the highest level of each, 0 for none */
    static const char *const names[] = {"none", "snappy", "gzip", "zstd", "lz4"};
    static const uint64_t levels[] = {0, 0, 9, 22, 0};
    const char *colon = strchr(value, ':');
    size_t n = colon ? (size_t)(colon - value) : strlen(value), i;
    uint64_t level = 0;
    if (colon && !parse_number(colon + 1, &level)) {
        return value_error(name, "NAME:LEVEL", value);
    }
    for (i = 0; i < 5; i++) {
        if (strlen(names[i]) == n && memcmp(names[i], value, n) == 0) {
            if (level > levels[i]) {
                return value_error(
                    name, levels[i] ? "a level up to gzip:9 or zstd:22" : "a codec with levels",
                    value);
            }
            a->write.codec = (taco_codec)(TACO_CODEC_NONE + (int)i);
            a->write.level = (int)level;
            return DONE;
        }
    }
    return value_error(name, "none, snappy, gzip, zstd or lz4", value);
}

/* parquet copy: the encoding of columns whose type it fits. */
static int set_encoding(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_encoding */
    static const char *const names[] = {"auto",  "plain",        "dictionary",  "rle",
                                        "delta", "delta-length", "delta-bytes", "split"};
    size_t encoding = find_name(value, names, 8);
    if (encoding == 8) {
        return value_error(
            name, "auto, plain, dictionary, rle, delta, delta-length, delta-bytes or split", value);
    }
    a->write.encoding = (taco_encoding)encoding;
    return DONE;
}

/* There is at most one geometry, which makes the file GeoParquet. */
static int set_geometry(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->geometry.column = value;
    a->write.geometries = &a->geometry;
    a->write.geometry_count = 1;
    return DONE;
}

/* PROJJSON: that of a file, or the value itself. */
static int set_crs(arguments *a, const char *name, const char *value)
{
    size_t n;
    char *text; /* lives as long as the program */
    (void)name;
    a->geometry.crs = value;
    if (value[0] == '{') { return DONE; }
    text = read_bytes(value, 1, &n);
    if (text) { text[n] = 0; }
    a->geometry.crs = text;
    return text ? DONE : FAILED;
}

/* Whether a Parquet file gets the schema as Arrow has it, under ARROW:schema. */
static int set_arrow_schema(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_pq_hint */
    static const char *const names[] = {"needed", "always", "never"};
    size_t hint = find_name(value, names, 3);
    (void)name;
    if (hint == 3) { return usage_error("--arrow-schema is needed, always or never, not", value); }
    a->write.arrow_schema = (taco_pq_hint)hint;
    return DONE;
}

/* Tables about samples: create and add take several, others the first. */
static int add_samples(arguments *a, const char *name, const char *value)
{
    if (a->samples_count == sizeof a->samples / sizeof a->samples[0]) {
        return usage_error("too many", name);
    }
    a->samples[a->samples_count++] = value;
    return DONE;
}

/* --split-size and --part-size */
static int set_split_size(arguments *a, const char *name, const char *value)
{
    return parse_byte_size(value, &a->split_size) ? DONE
                                                  : value_error(name, "a size, such as 4GB", value);
}

/* no: what a table does not say is null, yes: it is an error. */
static int set_strict_schema(arguments *a, const char *name, const char *value)
{
    a->create.fill = strcmp(value, "no") == 0;
    return a->create.fill || strcmp(value, "yes") == 0 ? DONE
                                                       : value_error(name, "yes or no", value);
}

/* 0 would be no padding, which is the default. */
static int set_pad_to(arguments *a, const char *name, const char *value)
{
    uint64_t n;
    a->create.pad_to = parse_number(value, &n) && n < UINT32_MAX ? (uint32_t)n : 0;
    return a->create.pad_to ? DONE : value_error(name, "a number above 0", value);
}

/* --mtime and --date. 0 would be the default. */
static int set_seconds(arguments *a, const char *name, const char *value)
{
    int64_t *to = strcmp(name, "--mtime") == 0 ? &a->create.mtime : &a->create.date;
    uint64_t n;
    *to = parse_number(value, &n) && n < (uint64_t)1 << 40 ? (int64_t)n : 0;
    return *to ? DONE : value_error(name, "seconds since 1970", value);
}

/* The names are those of columns, split in a copy: argv stays whole for messages. */
static int set_group_by(arguments *a, const char *name, const char *value)
{
    char *copy = (char *)malloc(strlen(value) + 1); /* lives as long as the program */
    size_t n;
    (void)name;
    if (!copy) { return usage_error("out of memory", NULL); }
    strcpy(copy, value);
    n = split_names(copy, a->group_by, sizeof a->group_by / sizeof a->group_by[0]);
    a->directory.group_by = a->group_by;
    a->directory.group_by_count = n;
    return n ? DONE : usage_error("--group-by wants", "names of columns");
}

/* no: without the catalogue of several archives. */
static int set_consolidate(arguments *a, const char *name, const char *value)
{
    a->directory.no_catalogue = strcmp(value, "no") == 0;
    return a->directory.no_catalogue || strcmp(value, "yes") == 0
               ? DONE
               : usage_error(name, "is yes or no");
}

/* --majortom: the distance of the points of the grid. */
static int set_grid(arguments *a, const char *name, const char *value)
{
    char *end;
    a->directory.grid_km = strtod(value, &end);
    return a->directory.grid_km > 0 && !*end ? DONE : usage_error(name, "wants kilometres");
}

/* --near-count and --near-size: when a group of neighbours is full. */
static int set_near_count(arguments *a, const char *name, const char *value)
{
    uint64_t *n = &a->directory.near_count;
    return parse_number(value, n) && *n ? DONE : usage_error(name, "wants a number");
}

static int set_near_size(arguments *a, const char *name, const char *value)
{
    uint64_t *n = &a->directory.near_size;
    return parse_byte_size(value, n) && *n ? DONE : usage_error(name, "wants a size, such as 1GB");
}

/* ---- the table ---- */

#define MEMBER(kind, name, member)                                                                 \
    {                                                                                              \
        name, kind, offsetof(arguments, member), NULL                                              \
    }
#define FLAG(name, member)   MEMBER(OPTION_FLAG, name, member)
#define TEXT(name, member)   MEMBER(OPTION_TEXT, name, member)
#define NUMBER(name, member) MEMBER(OPTION_NUMBER, name, member)
#define SIZE(name, member)   MEMBER(OPTION_SIZE, name, member)
#define SWITCH(name, set)                                                                          \
    {                                                                                              \
        name, OPTION_SWITCH, 0, set                                                                \
    }
#define FUNCTION(name, set)                                                                        \
    {                                                                                              \
        name, OPTION_FUNCTION, 0, set                                                              \
    }

/* Of options that are equally near to a mistyped one, the first here is named. */
static const option options[] = {
    /* which rows, and how they are printed */
    FLAG("--json", json),
    FUNCTION("--where", add_filter),
    FUNCTION("--bbox", add_filter),
    FUNCTION("--time", add_filter),
    FLAG("--exact-time", exact_time),
    FUNCTION("--level", set_level),
    FUNCTION("--table", set_table),
    TEXT("--geometry-col", query.geometry_column),
    TEXT("--time-col", query.time_column),
    FLAG("--show-padding", query.padding),
    TEXT("--select", query.select),
    TEXT("--order", query.order),
    FUNCTION("--limit", set_limit),
    NUMBER("--offset", query.offset),
    TEXT("--base-path", base_path),
    FUNCTION("--column-mode", set_column_mode),
    TEXT("--format", format),
    TEXT("-o", output),
    TEXT("--columns", columns),
    FLAG("--quiet", quiet),
    SWITCH("-v", set_verbose),
    /* Parquet that is written */
    FUNCTION("--codec", set_codec),
    FUNCTION("--encoding", set_encoding),
    NUMBER("--row-group", write.row_group_rows),
    SIZE("--page-rows", write.page_rows),
    SIZE("--page-bytes", write.page_bytes),
    SIZE("--dictionary-bytes", write.dictionary_bytes),
    FLAG("--pages-v2", write.pages_v2),
    FLAG("--bloom", write.bloom),
    SIZE("--chunk-min", write.chunk_min),
    SIZE("--chunk-max", write.chunk_max),
    FLAG("--no-crc", write.no_crc),
    FLAG("--no-statistics", write.no_statistics),
    FUNCTION("--geometry", set_geometry),
    TEXT("--covering", geometry.covering),
    FUNCTION("--crs", set_crs),
    FUNCTION("--arrow-schema", set_arrow_schema),
    FLAG("--no-page-index", write.no_page_index),
    FLAG("--content-defined", write.content_defined),
    SWITCH("-vv", set_verbose),
    /* stats; every command; validate; tacocat */
    TEXT("--column", stats.column),
    FUNCTION("--family", set_family),
    FLAG("--weighted-percentiles", stats.weighted_percentiles),
    NUMBER("--threads", threads),
    TEXT("--sql", sql),
    FLAG("--explain", explain),
    FLAG("--deep", deep),
    FLAG("--strict-pit", strict_pit),
    FLAG("--binary", binary),
    FLAG("--fill", fill),
    FLAG("--unchecked", unchecked),
    /* datasets that are written */
    TEXT("--collection", collection),
    FUNCTION("--samples", add_samples),
    FUNCTION("--split-size", set_split_size),
    FUNCTION("--group-by", set_group_by),
    FUNCTION("--consolidate", set_consolidate),
    FLAG("--tiff", directory.tiff),
    FLAG("--tacotiff", directory.tacotiff),
    FUNCTION("--majortom", set_grid),
    FUNCTION("--near-count", set_near_count),
    FUNCTION("--near-size", set_near_size),
    TEXT("--optical", optical),
    FUNCTION("--strict-schema", set_strict_schema),
    FUNCTION("--pad-to", set_pad_to),
    FUNCTION("--mtime", set_seconds),
    FUNCTION("--date", set_seconds),
    FLAG("--overwrite", create.overwrite),
    FLAG("--replace", replace),
    /* convert, tortilla and collection */
    FLAG("--pad", pad),
    TEXT("--to", to),
    TEXT("--year", year),
    FLAG("--chain", chain),
    FLAG("--chunks", chunks),
    FLAG("--any-tree", create.any_tree),
    FUNCTION("--part-size", set_split_size),
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* Does what the row of the table says. value is NULL for an option without one. */
static int set_option(arguments *a, const option *o, const char *value)
{
    char *member = (char *)a + o->offset;
    uint64_t n;
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)(void *)member = true; return DONE;
    case OPTION_TEXT: *(const char **)(void *)member = value; return DONE;
    case OPTION_NUMBER:
        return parse_number(value, (uint64_t *)(void *)member)
                   ? DONE
                   : value_error(o->name, "a number", value);
    case OPTION_SIZE:
        if (!parse_number(value, &n) || n > SIZE_MAX) {
            return value_error(o->name, "a number", value);
        }
        *(size_t *)(void *)member = (size_t)n;
        return DONE;
    case OPTION_SWITCH:
    case OPTION_FUNCTION: break;
    }
    return o->set(a, o->name, value);
}

/* ---- which options a command takes ---- */

/* The text has the name of the option as a word of its own. */
static bool names_option(const char *text, size_t len, const char *name)
{
    size_t i, n = strlen(name);
    for (i = 1; i + n < len; i++) {
        /* the first byte of a usage is never that of an option */
        char before = text[i - 1], after = text[i + n];
        if (memcmp(text + i, name, n) == 0 && before != '-' && after != '-' &&
            !(after >= 'a' && after <= 'z') && !(before >= 'a' && before <= 'z')) {
            return true;
        }
    }
    return false;
}

/* Where the usage says "of query]", the filters of query are meant, which its usage lists above
   the output options. */
static bool takes_option(const command *c, const char *name)
{
    const char *query = query_command.usage, *end = strstr(query, "\noutput\n");
    return names_option(c->usage, strlen(c->usage), name) ||
           names_option(main_usage, strlen(main_usage), name) ||
           (strstr(c->usage, "of query]") && names_option(query, (size_t)(end - query), name));
}

/* The option that the first n bytes of a word name; NULL after a message. */
static const option *find_option(const command *c, const char *word, size_t n)
{
    const char *nearest = NULL;
    size_t i;
    for (i = 0; i < OPTION_COUNT; i++) {
        const char *name = options[i].name;
        if (strlen(name) == n && memcmp(name, word, n) == 0) {
            if (takes_option(c, name)) { return &options[i]; }
            fprintf(stderr, "taco: %s takes no %s (see taco %s --help)\n", c->name, name, c->name);
            return NULL;
        }
    }
    for (i = 0; i < OPTION_COUNT; i++) {
        if (takes_option(c, options[i].name)) {
            nearest = nearer_name(word, n, nearest, options[i].name);
        }
    }
    unknown_error("option", word, nearest, c->name);
    return NULL;
}

/* ---- the command line ---- */

/* Warns of a box whose corners are in the other order, and says how it is understood. */
static void check_box(arguments *a, const double *box)
{
    taco_error swapped = {0};
    bool west = box[0] > box[2];
    if (!west && box[1] <= box[3]) { return; }
    swapped.code = TACO_ERR_ARGUMENT;
    strcpy(swapped.text,
           west ? "--bbox is W,S,E,N: W is greater than E, which is taken the other way round; a "
                  "box over 180 degrees is two queries"
                : "--bbox is W,S,E,N: S is greater than N, which is taken the other way round");
    keep_warning(a, &swapped);
}

/* Options that need another one. */
static int check_options(arguments *a, const command *c)
{
    size_t i;
    if (a->level_given && a->filter_count == 0 && a->level != a->query.table) {
        return usage_error("--level says which rows the filters test, and there is none; rows of a "
                           "level are for --table",
                           NULL);
    }
    if (c == &query_command && a->json && !a->explain) {
        return usage_error("--json goes with --explain; rows as JSON are --format ndjson", NULL);
    }
    for (i = 0; i < a->filter_count; i++) {
        if (a->filters[i].bbox) { check_box(a, a->filters[i].bbox); }
    }
    return DONE;
}

/* Takes the option at argv[*i], and moves *i to its value where that is a word of its own. */
static int parse_option(arguments *a, const command *c, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *equals = strchr(word, '='), *value = NULL;
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    const option *o;
    bool has_value;
    /* wins over all that is wrong after it */
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        fputs(c->usage, stdout);
        exit(flush_stdout(DONE));
    }
    o = find_option(c, word, n);
    if (!o) { return USAGE; }
    has_value = o->kind != OPTION_FLAG && o->kind != OPTION_SWITCH;
    if (!has_value && equals) { return usage_error(o->name, "takes no value"); }
    if (has_value && !equals && *i + 1 == argc) { return usage_error(word, "wants a value"); }
    if (has_value) { value = equals ? equals + 1 : argv[++*i]; }
    return set_option(a, o, value);
}

int parse_arguments(arguments *a, int argc, char **argv, const command *c)
{
    bool options_ended = false;
    int i;
    for (i = 2; i < argc; i++) {
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && strcmp(argv[i], "-") == 0) {
            return usage_error(
                "standard input has no random access: name a file (or put -- before -)", NULL);
        } else if (options_ended || argv[i][0] != '-') {
            if (a->word_count == sizeof a->words / sizeof a->words[0]) {
                return usage_error("too many arguments", NULL);
            }
            a->words[a->word_count++] = argv[i];
        } else if (parse_option(a, c, argc, argv, &i) != DONE) {
            return USAGE;
        }
    }
    return check_options(a, c);
}
