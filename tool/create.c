/* create.c - taco create: a dataset made from the files in a directory, described by tables. The
   collection is read from a JSON file; --optical adds the members about bands to its text. Samples,
   their order, computed columns, and splitting into several datasets are left to
   taco_create_directory. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Inserts members after the `{` of an object, whose buffer has room for them and one byte more. A
   text without a `{` is left to the library, which rejects it. */
static void insert_members(char *json, size_t *len, const char *members)
{
    size_t n = strlen(members), at = 0, next;
    bool empty;
    while (at < *len && json[at] != '{') {
        at++;
    }
    if (at == *len) { return; }
    /* a comma follows the members unless the object was empty */
    for (next = ++at; next < *len && strchr(" \t\r\n", json[next]); next++) {}
    empty = next == *len || json[next] == '}';
    memmove(json + at + n + 1, json + at, *len - at);
    memcpy(json + at, members, n);
    json[at + n] = empty ? ' ' : ',';
    *len += n + 1;
}

/* The library does not know the collection's file name, and with --optical the text
   differs from the file. */
static int report_create_error(const arguments *a, const taco_error *err)
{
    static const char collection[] = ": collection: ";
    const char *text = taco_error_text(err);
    const char *in_collection = a->optical ? NULL : strstr(text, collection);
    if (in_collection) {
        fprintf(stderr, "%s: %s\n", a->collection, in_collection + strlen(collection));
        return FAILED;
    }
    if (a->replaced->why) {
        fprintf(stderr, "%s\n", a->replaced->why);
        return FAILED;
    }
    return report_existing(text, err);
}

/* Words: SOURCE OUTPUT. The collection is checked by the library, when the first dataset is
   begun. */
static int run_create(arguments *a, const taco_options *opt)
{
    static char optical[65536];
    taco_error err = {0};
    char *collection;
    size_t len = 0;
    if (a->word_count != 2) {
        return usage_error("create needs a SOURCE directory and an OUTPUT", NULL);
    }
    if (!a->collection) {
        return usage_error("create needs --collection FILE.json: id, dataset_version, description, "
                           "licenses, providers, tasks",
                           NULL);
    }
    if (set_container(a, (taco_kind)0) != DONE) { return USAGE; }
    prepare_create(a, opt);
    if (a->directory.class_count && !a->stats_wanted) {
        return usage_error("--classes needs --stats", NULL);
    }
    if (a->stats_wanted || a->gdal_wanted) { add_gdal(a); }
    if (a->optical &&
        taco_optical_json(a->optical, NULL, 0, optical, sizeof optical, &err) != TACO_OK) {
        return usage_error("--optical", taco_error_text(&err));
    }
    /* with room for what insert_members adds */
    collection = read_bytes(a->collection, sizeof optical, &len);
    if (!collection) { return FAILED; }
    if (a->optical) { insert_members(collection, &len, optical); }
    /* for one dataset; parts are counted separately */
    if (progress_wanted() && !a->split_size && !a->directory.group_by_count) {
        a->create.total = tree_size(a->words[0], a->directory.hidden);
    }
    a->directory.create = &a->create;
    a->directory.tables = a->samples;
    a->directory.table_count = a->samples_count;
    a->directory.split_size = a->split_size;
    taco_create_directory(a->words[1], a->words[0], collection, len, &a->directory, &err);
    end_progress();
    free(collection);
    return err.code != TACO_OK ? report_create_error(a, &err) : DONE;
}

static const command_option create_options[] = {
    OPTION_AS("--collection", NULL,
              "id, dataset_version, description, licenses, providers, tasks, ..."),
    OPTION_AS(
        "--samples", NULL,
        "a table about samples, e.g. one for each level: .ndjson (an object per line), .csv or "
        ".parquet. `id` is a path relative to SOURCE (tile_1/a.tif); the other columns become "
        "columns of the dataset. Samples with a row come first, in the order of the rows, then the "
        "others by name"),
    OPTION("--strict-schema"),
    OPTION("--strict-pit"),
    OPTION("--any-values"),
    OPTION("--pad-to"),
    OPTION("--exclude"),
    OPTION("--include"),
    OPTION("--hidden"),
    OPTION_HEADING("several datasets"),
    OPTION("--split-size"),
    OPTION("--group-by"),
    OPTION("--consolidate"),
    OPTION_HEADING("computed columns"),
    OPTION("--tiff"),
    OPTION("--tacotiff"),
    OPTION("--stats"),
    OPTION("--classes"),
    OPTION("--gdal"),
    OPTION("--majortom"),
    OPTION("--majortom-range"),
    OPTION("--majortom-separator"),
    OPTION("--no-derived"),
    OPTION("--antimeridian"),
    OPTION("--near-count"),
    OPTION("--near-size"),
    OPTION_HEADING("fields of the collection"),
    OPTION("--optical"),
    CONTAINER_OPTIONS,
    OPTION_END,
};

const command create_command = {
    "create",
    "make a dataset from a directory, and tables about its files",
    "SOURCE OUTPUT --collection FILE [--samples FILE]... [options]",
    "Every entry of the directory SOURCE becomes a sample: a file becomes a FILE, a "
    "directory a FOLDER, all the way down. The entries of SOURCE must be all files, or "
    "all directories with the same children (PIT-1).",
    "Parquet tables keep their Parquet types. What only their ARROW:schema says is lost: "
    "durations become int64, time zones UTC, lists of fixed size plain lists, large and "
    "dictionary types plain ones. Columns of ndjson and CSV become bool, int64, uint64 (if "
    "integers need it), double, string or, in ndjson, lists of numbers; cells of CSV like 01234, "
    "+5 or 1e400 make a column of strings; *:time_start, *:time_middle and *:time_end are times "
    "(ISO 8601), *:centroid and *:geometry WKB in "
    "hexadecimal, geotiff:stats lists of lists. Deeper nesting becomes a string of JSON. Columns "
    "of extensions without any value have the type of the reference.",
    NULL,
    create_options,
    run_create,
    true,
    false,
    false,
};
