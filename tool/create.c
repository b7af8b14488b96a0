/* create.c - taco create: a dataset of the files in a directory, described by tables. The
   collection is read from a file of JSON; --optical adds the members about bands to its text.
   Samples, their order, columns that are computed, and the splitting into several datasets are
   the work of taco_create_directory. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: taco create SOURCE OUTPUT --collection FILE.json [--samples FILE]... [options]\n"
    "\n"
    "Every entry of the directory SOURCE becomes a sample: a file a FILE, a directory a FOLDER, "
    "all\n"
    "the way down. All entries of SOURCE must be of one type and, directories, alike (PIT-1).\n"
    "\n"
    "  --collection FILE    id, dataset_version, description, licenses, providers, tasks, ...\n"
    "  --samples FILE       metadata, by the ending of its name: .ndjson (an object a line), "
    ".csv,\n"
    "                       .parquet. Its `id` is a path below SOURCE (tile_1/a.tif); the other "
    "columns\n"
    "                       are the sample's. Repeatable, e.g. a file for each level. Samples come "
    "in\n"
    "                       the order of their rows, others behind them by name\n"
    "  --strict-schema no   samples without a row, and values that are not there, are null (yes: "
    "an\n"
    "                       error)\n"
    "  --pad-to N           __TACOPAD__ samples up to a multiple of N in every folder\n"
    "\n"
    "several datasets\n"
    "  --split-size 4GB     parts OUTPUT_part0001... of at most so many bytes of payload\n"
    "  --group-by COL[,COL] OUTPUT_VALUE... for each value of columns of level 0, then its parts\n"
    "  --consolidate no     without the .tacocat catalogue beside several archives\n"
    "\n"
    "columns that are computed\n"
    "  --tiff               stac:crs, tensor_shape, geotransform, centroid of *.tif, *.tiff\n"
    "  --tacotiff           taco:header of TIFFs, which must be TACOTIFFs (ZSTD, interleaved by\n"
    "                       tile, without overviews)\n"
    "  --majortom KM        majortom:code of level 0, from stac:centroid or istac:centroid\n"
    "  --near-count N, --near-size 1GB\n"
    "                       spatialgroup:code of level 0: neighbours, so many samples or bytes at\n"
    "                       most; to be grouped by\n"
    "fields of the collection\n"
    "  --optical SENSOR     bands of sentinel2msi, landsat8oli[B04,B05], modis, ...\n"
    "\n"
    "Types: those of Parquet; of ndjson and CSV bool, int64, double, string, lists of numbers "
    "(ndjson);\n"
    "*:time_start, *:time_middle and *:time_end are times (ISO 8601), *:centroid and *:geometry "
    "WKB in\n"
    "hexadecimal. What is nested deeper becomes a string of JSON.\n" USAGE_CONTAINER;

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

/* Words: SOURCE OUTPUT. The collection is checked by the library, when the first dataset is
   begun. */
static int run_create(arguments *a, const taco_options *opt)
{
    static char optical[65536];
    taco_error err = {0};
    progress_bar bar;
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
    prepare_create(a, opt, &bar);
    if (a->optical &&
        taco_optical_json(a->optical, NULL, 0, optical, sizeof optical, &err) != TACO_OK) {
        return report_error(&err);
    }
    /* with room for what insert_members adds */
    collection = read_bytes(a->collection, sizeof optical, &len);
    if (!collection) { return FAILED; }
    if (a->optical) { insert_members(collection, &len, optical); }
    a->directory.create = &a->create;
    a->directory.tables = a->samples;
    a->directory.table_count = a->samples_count;
    a->directory.split_size = a->split_size;
    taco_create_directory(a->words[1], a->words[0], collection, len, &a->directory, &err);
    end_progress(&bar);
    free(collection);
    return err.code != TACO_OK ? report_error(&err) : DONE;
}

const command create_command = {"create", usage, run_create, NULL, false};
