/* create.c - taco create: a dataset of the files in a directory, described by tables. The
   collection is read from a file of JSON; --optical adds the members about bands to its text.
   Samples, their order, columns that are computed, and the splitting into several datasets are
   the work of taco_create_directory. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Inserts members after the `{` of an object, which has room for them and one byte more. A text
   without a `{` stays as it is: the library refuses it. */
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

/* Only the library knows what the parts are called: one that is there is told as the tool tells it
   of other outputs. It does not know what file the collection is from; with --optical the text is
   no file's. */
static int report_create_error(const arguments *a, const taco_error *err)
{
    static const char there[] = " exists already", collection[] = ": collection: ";
    const char *text = taco_error_text(err);
    const char *in_collection = a->optical ? NULL : strstr(text, collection);
    if (in_collection) {
        fprintf(stderr, "%s: %s\n", a->collection, in_collection + strlen(collection));
        return FAILED;
    }
    if (err->code != TACO_ERR_ARGUMENT || !ends_with(text, there)) { return report_error(err); }
    fprintf(stderr, "%.*s: exists; --overwrite replaces it\n", (int)(strlen(text) - strlen(there)),
            text);
    return FAILED;
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
        return usage_error("create wants a SOURCE directory and an OUTPUT", NULL);
    }
    if (!a->collection) {
        return usage_error("create wants --collection FILE.json: id, dataset_version, description, "
                           "licenses, providers, tasks",
                           NULL);
    }
    if (set_container(a, (taco_kind)0) != DONE) { return USAGE; }
    prepare_create(a, opt);
    if (a->directory.class_count && !a->stats_wanted) {
        return usage_error("--classes is about --stats", NULL);
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
    /* of one dataset; parts are counted each for itself */
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
        "metadata, by the ending of its name: .ndjson (an object a line), .csv, .parquet. Its `id` "
        "is a path below SOURCE (tile_1/a.tif); the other columns are the sample's. Samples come "
        "in the order of their rows, others behind them by name; e.g. a file for each level"),
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
    OPTION_HEADING("columns that are computed"),
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
    "a dataset of the files in a directory, and tables about them",
    "SOURCE OUTPUT --collection FILE [--samples FILE]... [options]",
    "Every entry of the directory SOURCE becomes a sample: a file a FILE, a directory"
    " a FOLDER, all the way down. All entries of SOURCE must be of one type and, "
    "directories, alike (PIT-1).",
    "Types: those of Parquet; of ndjson and CSV bool, int64, double, string, lists of"
    " numbers (ndjson); *:time_start, *:time_middle and *:time_end are times (ISO "
    "8601), *:centroid and *:geometry WKB in hexadecimal. What is nested deeper "
    "becomes a string of JSON.",
    NULL,
    create_options,
    run_create,
    false,
    false,
    false,
};
