/* add.c - taco add: adds columns from tables to a dataset. In place, the new metadata is appended
   to the archive and takes effect in one step, so that a reader sees the old columns or the new
   ones; with an OUTPUT, a new dataset is written. The library matches rows with samples
   (taco_add_columns); here the options become a taco_add_options. */
#include "tool.h"

#include <string.h>

/* Words: DATASET, or DATASET and OUTPUT. */
static int run_add(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_add_options how;
    if (a->word_count != 1 && a->word_count != 2) {
        return usage_error("add needs a DATASET, optionally followed by an OUTPUT", NULL);
    }
    if (!a->samples_count) {
        return usage_error("add needs --samples FILE, with the columns to add", NULL);
    }
    if (a->word_count == 1 && (a->format || a->create.overwrite)) {
        return usage_error(a->format ? "--format" : "--overwrite",
                           "needs an OUTPUT: without one, add changes DATASET itself");
    }
    if (set_container(a, (taco_kind)0) != DONE) { return USAGE; }
    memset(&how, 0, sizeof how);
    prepare_create(a, opt);
    how.create = &a->create;
    how.tables = a->samples;
    how.table_count = a->samples_count;
    how.replace = a->replace;
    taco_add_columns(a->words[0], a->word_count == 2 ? a->words[1] : NULL, &how, &err);
    end_progress();
    return err.code != TACO_OK ? report_error(&err) : DONE;
}

static const command_option add_options[] = {
    OPTION_AS("--samples", NULL,
              ".ndjson, .csv or .parquet, as for taco create: `id` is the path of a sample "
              "(tile_1/a.tif)"),
    OPTION("--replace"),
    OPTION_AS("--strict-schema", NULL, "no: samples without a row get null (yes: an error)"),
    CONTAINER_OPTIONS,
    OPTION_END,
};

const command add_command = {
    "add",
    "add columns from tables to an existing dataset",
    "DATASET [OUTPUT] --samples FILE... [options]",
    "Adds the columns of tables. Without OUTPUT, DATASET itself is changed. In an archive the "
    "payload stays where it is; new metadata is appended and replaces the old in one step. In a "
    "FOLDER, metadata files are replaced one by one.",
    NULL,
    NULL,
    add_options,
    run_add,
    false,
    false,
    false,
};
