/* rasteret.c - taco rasteret: collections of raster tiles by offset, which are built, enriched,
   validated, and converted from and to TACO. The command has options of its own, which are taken
   out of the command line before the others: most describe the collection that is made, and some
   can be repeated. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: taco rasteret header FILE.tif [--json]\n"
    "       taco rasteret validate COLLECTION\n"
    "       taco rasteret build TABLE.parquet|COLLECTION TARGET [options]\n"
    "       taco rasteret enrich TABLE.parquet|COLLECTION TARGET [options]\n"
    "       taco rasteret from-taco DATASET TARGET [options]\n"
    "       taco rasteret to-taco COLLECTION TARGET --collection FILE.json\n"
    "\n"
    "  header    what a tile reader needs of a TIFF's header, as one JSON object\n"
    "  validate  holds a collection, a directory or a Parquet file, against the schema contract\n"
    "  build     writes a collection: what the contract wants is derived where it is missing\n"
    "  enrich    the same with {band}_metadata columns from the headers of the assets; what "
    "cannot\n"
    "            be read is null, and a warning says so\n"
    "  from-taco the TIFFs of a TACO dataset as a collection; tile offsets count from the "
    "archive's\n"
    "            beginning\n"
    "  to-taco   the files of a collection's first band as a TACO dataset\n"
    "\n"
    "  --name TEXT --description TEXT --data-source TEXT --dates START,END\n"
    "  --rename COLUMN=NAME    gives a column its name in the contract, too; repeatable\n"
    "  --href-column COLUMN    where there are no assets: made of this and the bands\n"
    "  --band NAME[=INDEX]     a band, and which sample of the file it is; repeatable\n"
    "  --rewrite FROM=TO       replaces what the values of the href column begin with; repeatable\n"
    "  --partition-by COLS     instead of year,month; none: one file in the directory\n"
    "  --single                TARGET is one Parquet file\n"
    "  --base DIR              where relative hrefs begin, instead of the working directory\n";

/* Most values of an option that can be repeated. */
enum { MAX_VALUES = 256 };

/* What the options of this command say. The texts are those of the command line. */
static struct {
    taco_rasteret_options options;
    taco_rasteret_pair rename[MAX_VALUES], rewrite[MAX_VALUES];
    taco_rasteret_band bands[MAX_VALUES];
    const char *partition[MAX_VALUES];
    char base[4096];
    const char *collection;
} rasteret;

/* ---- options: each ends strings inside its value ---- */

/* Appends FROM=TO to a list of *n pairs. */
static int add_pair(taco_rasteret_pair *list, size_t *n, char *value)
{
    /* the first one: TO may be a URL with another */
    char *equals = strchr(value, '=');
    if (!equals || *n == MAX_VALUES) {
        return usage_error(value, "is not FROM=TO, or one too many");
    }
    *equals = 0;
    list[*n].from = value;
    list[(*n)++].to = equals + 1;
    return DONE;
}

/* --rename COLUMN=NAME: the column is found under that name, too. */
static int add_rename(const char *name, char *value)
{
    (void)name;
    return add_pair(rasteret.rename, &rasteret.options.rename_count, value);
}

/* --rewrite FROM=TO: hrefs that begin with FROM. */
static int add_rewrite(const char *name, char *value)
{
    (void)name;
    return add_pair(rasteret.rewrite, &rasteret.options.rewrite_count, value);
}

/* NAME or NAME=INDEX */
static int add_band(const char *name, char *value)
{
    size_t *n = &rasteret.options.band_count;
    char *equals = strrchr(value, '=');
    uint64_t index = 0;
    if (*n == MAX_VALUES || (equals && (!parse_number(equals + 1, &index) || index > 65535))) {
        return value_error(name, "NAME or NAME=INDEX", value);
    }
    if (equals) { *equals = 0; }
    rasteret.bands[*n].name = value;
    rasteret.bands[(*n)++].index = (int64_t)index;
    return DONE;
}

/* START,END */
static int set_dates(const char *name, char *value)
{
    char *comma = strchr(value, ',');
    if (!comma) { return value_error(name, "START,END", value); }
    *comma = 0;
    rasteret.options.start_date = value;
    rasteret.options.end_date = comma + 1;
    return DONE;
}

/* A directory, which gets its '/' at the end. */
static int set_base(const char *name, char *value)
{
    size_t n = strlen(value);
    if (n + 2 > sizeof rasteret.base) { return usage_error(name, "is too long"); }
    memcpy(rasteret.base, value, n + 1);
    if (n && value[n - 1] != '/') { memcpy(rasteret.base + n, "/", 2); }
    rasteret.options.base = rasteret.base;
    return DONE;
}

/* COL,COL or none, which is a list without an entry. */
static int set_partition(const char *name, char *value)
{
    taco_rasteret_options *o = &rasteret.options;
    for (; *value; o->partition_count++) {
        char *comma = strchr(value, ',');
        if (o->partition_count == MAX_VALUES) { return usage_error(name, "has too many columns"); }
        rasteret.partition[o->partition_count] = value;
        value = comma ? comma + 1 : value + strlen(value);
        if (comma) { *comma = 0; }
    }
    if (o->partition_count == 1 && strcmp(rasteret.partition[0], "none") == 0) {
        o->partition_count = 0;
    }
    o->partition = rasteret.partition;
    return DONE;
}

/* Options with a value: a text that is kept, or a function. */
static const struct {
    const char *name;
    const char **text;
    int (*set)(const char *name, char *value);
} options[] = {
    {"--name", &rasteret.options.name, NULL},
    {"--description", &rasteret.options.description, NULL},
    {"--data-source", &rasteret.options.data_source, NULL},
    {"--dates", NULL, set_dates},
    {"--rename", NULL, add_rename},
    {"--href-column", &rasteret.options.href_column, NULL},
    {"--band", NULL, add_band},
    {"--rewrite", NULL, add_rewrite},
    {"--base", NULL, set_base},
    {"--collection", &rasteret.collection, NULL},
    {"--partition-by", NULL, set_partition},
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* The word is --name or --name=... */
static bool is_option(const char *word, const char *name)
{
    size_t n = strlen(name);
    return strncmp(word, name, n) == 0 && (!word[n] || word[n] == '=');
}

/* Takes argv[*i], which is options[k], and moves *i to its value where that is a word of its
   own. */
static int take_option(size_t k, int argc, char **argv, int *i)
{
    const char *name = options[k].name;
    char *value = argv[*i] + strlen(name);
    if (*value) {
        value++; /* the '=' */
    } else if (*i + 1 == argc) {
        return usage_error(name, "wants a value");
    } else {
        value = argv[++*i];
    }
    if (options[k].set) { return options[k].set(name, value); }
    *options[k].text = value;
    return DONE;
}

/* command.take_options: those of the table, and --single; the others stay in argv. */
static int take_options(int *argc, char **argv)
{
    int i, n = 2, status = DONE;
    for (i = 2; i < *argc && status == DONE; i++) {
        size_t k;
        for (k = 0; k < OPTION_COUNT && !is_option(argv[i], options[k].name); k++) {}
        if (k < OPTION_COUNT) {
            status = take_option(k, *argc, argv, &i);
        } else if (is_option(argv[i], "--single")) {
            rasteret.options.single = true;
        } else {
            argv[n++] = argv[i];
        }
    }
    *argc = n;
    rasteret.options.rename = rasteret.rename;
    rasteret.options.rewrite = rasteret.rewrite;
    rasteret.options.bands = rasteret.bands;
    return status;
}

/* ---- verbs ---- */

/* header: what a tile reader needs of a TIFF, as one JSON object; FAILED for one whose tiles it
   cannot read. */
static int print_tiff_header(const char *path, const taco_options *opt)
{
    taco_error err = {0};
    taco_source src;
    taco_tiff *t = NULL;
    taco_bytes text;
    if (taco_source_file(&src, path, &err) == TACO_OK) {
        t = taco_tiff_open(&src, path, opt, &err);
        src.close(src.ctx);
    }
    if (t && taco_tiff_tiles_ok(t, &err) == TACO_OK) {
        text = taco_tiff_json(t, &err);
        if (text.len) { puts((const char *)text.data); }
    }
    taco_tiff_close(t);
    return err.code ? report_error(&err) : DONE;
}

/* The TIFFs of a TACO dataset as a collection. */
static int from_taco(const char *source, const char *target)
{
    taco_error err = {0};
    return taco_rasteret_from_taco(source, target, &rasteret.options, &err) == TACO_OK
               ? DONE
               : report_error(&err);
}

/* The files of the first band of a collection as a TACO dataset. */
static int to_taco(const char *source, const char *target)
{
    taco_error err = {0};
    char *text;
    if (!rasteret.collection) { return usage_error("to-taco", "wants --collection FILE.json"); }
    text = read_text(rasteret.collection, &err);
    if (text) { taco_rasteret_to_taco(source, target, text, &rasteret.options, NULL, &err); }
    free(text);
    return err.code ? report_error(&err) : DONE;
}

/* build, and with enrich also columns from the headers of the assets */
static int build(const char *source, const char *target, bool enrich)
{
    taco_error err = {0};
    rasteret.options.enrich = enrich;
    return taco_rasteret_build(source, target, &rasteret.options, &err) == TACO_OK
               ? DONE
               : report_error(&err);
}

/* The schema contract, checked on a directory or a Parquet file. */
static int validate(const char *path, const taco_options *opt)
{
    taco_error err = {0};
    return taco_rasteret_validate(path, opt, &err) == TACO_OK ? DONE : report_error(&err);
}

/* Words: VERB FILE or VERB SOURCE TARGET. */
static int run_rasteret(arguments *a, const taco_options *opt)
{
    enum { HEADER, VALIDATE, BUILD, ENRICH, FROM_TACO, TO_TACO, VERBS };

    static const char *const verbs[] = {"header", "validate",  "build",
                                        "enrich", "from-taco", "to-taco"};
    const char *what = a->word_count ? a->words[0] : "";
    size_t verb = find_name(what, verbs, VERBS);
    if (verb == VERBS) {
        return value_error("rasteret", "header, validate, build, enrich, from-taco or to-taco",
                           what);
    }
    if (verb <= VALIDATE && a->word_count != 2) {
        return usage_error(what, "wants one FILE (see taco rasteret --help)");
    }
    if (verb > VALIDATE && a->word_count != 3) {
        return usage_error(what, "wants a source and a TARGET (see taco rasteret --help)");
    }
    rasteret.options.options = opt;
    switch (verb) {
    case HEADER: return print_tiff_header(a->words[1], opt);
    case VALIDATE: return validate(a->words[1], opt);
    case FROM_TACO: return from_taco(a->words[1], a->words[2]);
    case TO_TACO: return to_taco(a->words[1], a->words[2]);
    default: return build(a->words[1], a->words[2], verb == ENRICH);
    }
}

const command rasteret_command = {"rasteret", usage, run_rasteret, take_options, true};
