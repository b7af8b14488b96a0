/* add.c - taco add: columns of tables are added to a dataset. In place, the new metadata is
   appended to the archive and takes effect in one step, so that a reader sees the old columns or
   the new ones; with an OUTPUT, a dataset of its own is written. Which rows of a table belong to
   which samples is the library's concern (taco_add_columns): here the options become a
   taco_add_options. */
#include "tool.h"

#include <string.h>

/* Words: DATASET, or DATASET and OUTPUT. */
static int run_add(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_add_options how;
    if (a->word_count != 1 && a->word_count != 2) {
        return usage_error("add wants a DATASET, and perhaps an OUTPUT", NULL);
    }
    if (!a->samples_count) {
        return usage_error("add wants --samples FILE, with the columns that are to be added", NULL);
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
              ".ndjson, .csv or .parquet, as of taco create: `id` is the path of a sample "
              "(tile_1/a.tif)"),
    OPTION("--replace"),
    OPTION_AS("--strict-schema", NULL, "no: samples without a row get null (yes: an error)"),
    CONTAINER_OPTIONS,
    OPTION_END,
};

const command add_command = {
    "add",
    "columns of tables to a dataset that stands",
    "DATASET [OUTPUT] --samples FILE... [options]",
    "Adds the columns of tables. Without OUTPUT to the archive itself: its payload "
    "stays where it is, new metadata goes behind it and takes the place of the old in"
    " one step; or to the FOLDER itself: its metadata is replaced file by file, each"
    " whole.",
    NULL,
    NULL,
    add_options,
    run_add,
    false,
    false,
    false,
};
