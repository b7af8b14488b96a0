/* create: a dataset from a directory and tables about its samples. Included by taco.c behind tool_make.h. */

static const char usage_create[] =
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

static const char usage_add[] =
    "usage: taco add DATASET [OUTPUT] --samples FILE... [--replace] [--strict-schema no]\n"
    "                [container options]\n"
    "\n"
    "Adds the columns of tables. Without OUTPUT to the archive itself: its payload stays where it\n"
    "is, new metadata goes behind it and takes the place of the old in one step.\n"
    "\n"
    "  --samples FILE       .ndjson, .csv or .parquet, as of taco create: `id` is the path of a\n"
    "                       sample (tile_1/a.tif). Repeatable\n"
    "  --replace            columns of the same names, where that is an error otherwise\n"
    "  --strict-schema no   samples without a row get null (yes: an error)\n" USAGE_CONTAINER;

/* Puts members behind the `{` of an object. */
static void put_members(char *json, size_t *len, const char *members)
{
    size_t n = strlen(members), at = 0, next;
    while (at < *len && json[at] != '{') {
        at++;
    }
    if (at == *len) {
        return; /* no object: the library says so */
    }
    for (next = ++at; next < *len && strchr(" \t\r\n", json[next]); next++) {
    }
    memmove(json + at + n + 1, json + at, *len - at);
    memcpy(json + at, members, n);
    json[at + n] = next < *len && json[at + n + 1 + next - at] != '}' ? ',' : ' ';
    *len += n + 1;
}
static int run_create(args *a, const taco_options *opt)
{
    static char  optical[65536];
    taco_error   err = {0};
    progress_bar bar;
    char        *collection;
    size_t       len = 0;
    if (a->word_count != 2) {
        return complain("create wants a SOURCE directory and an OUTPUT", NULL);
    }
    if (!a->collection) {
        return complain("create wants --collection FILE.json: id, dataset_version, description, "
                        "licenses, providers, tasks",
                        NULL);
    }
    if (set_container(a, (taco_kind)0) != DONE) {
        return USAGE;
    }
    prepare_create(a, opt, &bar);
    if (a->optical &&
        taco_optical_json(a->optical, NULL, 0, optical, sizeof optical, &err) != TACO_OK) {
        return report(&err);
    }
    collection = read_whole(a->collection, sizeof optical, &len);
    if (!collection) {
        return FAILED;
    }
    if (a->optical) {
        put_members(collection, &len, optical);
    }
    a->directory.create = &a->create;
    a->directory.tables = a->samples;
    a->directory.table_count = a->samples_count;
    a->directory.split_size = a->split_size;
    taco_create_directory(a->words[1], a->words[0], collection, len, &a->directory, &err);
    end_progress(&bar);
    free(collection);
    return err.code != TACO_OK ? report(&err) : DONE;
}

static int run_add(args *a, const taco_options *opt)
{
    taco_error       err = {0};
    taco_add_options how;
    progress_bar     bar;
    if (a->word_count != 1 && a->word_count != 2) {
        return complain("add wants a DATASET, and perhaps an OUTPUT", NULL);
    }
    if (!a->samples_count) {
        return complain("add wants --samples FILE, with the columns that are to be added", NULL);
    }
    if (set_container(a, (taco_kind)0) != DONE) {
        return USAGE;
    }
    memset(&how, 0, sizeof how);
    prepare_create(a, opt, &bar);
    how.create = &a->create;
    how.tables = a->samples;
    how.table_count = a->samples_count;
    how.replace = a->replace;
    taco_add_columns(a->words[0], a->word_count == 2 ? a->words[1] : NULL, &how, &err);
    end_progress(&bar);
    return err.code != TACO_OK ? report(&err) : DONE;
}
