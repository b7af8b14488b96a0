/* collection.c - taco collection: converts the collection of a dataset to a catalogue's format:
   STAC, DataCite, Croissant or a data card. Reads the collection and, for the extent and the
   columns, the tables; writes one text. */
#include "tool.h"

#include <string.h>

/* Finds the format that --to names, and checks that the options it needs are given. */
static int check_arguments(const arguments *a, taco_collection_format *to)
{
    /* in the order of taco_collection_format, which begins with 1 */
    static const char *const names[] = {"stac", "datacite", "datacard", "croissant"};
    size_t i = find_name(a->to ? a->to : "", names, 4);
    if (a->word_count != 1) { return usage_error("collection needs one DATASET", NULL); }
    if (!a->to) {
        return usage_error("collection needs --to stac, datacite, datacard or croissant", NULL);
    }
    if (i == 4) { return value_error("--to", "stac, datacite, datacard or croissant", a->to); }
    *to = (taco_collection_format)(i + 1);
    if (*to == TACO_COLLECTION_DATACITE && !a->year) {
        return usage_error("DataCite needs the year of publication: --year YYYY", NULL);
    }
    if (a->year && (strlen(a->year) != 4 || strspn(a->year, "0123456789") != 4)) {
        return value_error("--year", "a year, YYYY", a->year);
    }
    return DONE;
}

/* Words: DATASET. The text is printed as a whole or not at all. */
static int run_collection(arguments *a, const taco_options *opt)
{
    taco_collection_export_options o;
    taco_collection_format to = TACO_COLLECTION_STAC;
    taco_error err = {0};
    taco_dataset *ds;
    taco_bytes text = {NULL, 0};
    output out;
    int status = FAILED;
    if (check_arguments(a, &to) != DONE) { return USAGE; }
    memset(&o, 0, sizeof o);
    o.year = a->year;
    o.table = a->samples_count ? a->samples[0] : NULL;
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds) { text = taco_collection_export(ds, to, &o, &err); }
    if (text.data && output_open(&out, a->output) == DONE) {
        status = output_close(&out, a->output, output_write(&out, text) ? DONE : FAILED);
    }
    taco_close(ds);
    return err.code != TACO_OK ? report_error(&err) : status;
}

static const command_option collection_options[] = {
    OPTION("--to"),
    OPTION("--year"),
    OPTION_AS("--samples", NULL, "the Parquet file with the rows, for Croissant"),
    OPTION("-o"),
    OPTION("--overwrite"),
    OPTION_END,
};

const command collection_command = {
    "collection",
    "a collection as STAC, DataCite, Croissant or a data card",
    "DATASET --to stac|datacite|datacard|croissant [options]",
    "Converts the collection of a dataset, old or new, to a STAC 1.1 Collection, "
    "DataCite 4.5 JSON, a data card in Markdown, or Croissant 1.0 JSON-LD.",
    "Croissant cannot read inside an archive: --samples names a Parquet file with "
    "the rows, made by taco query --format geoparquet, whose columns become its "
    "fields.",
    NULL,
    collection_options,
    run_collection,
    false,
    false,
    false,
};
