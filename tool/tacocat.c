/* tacocat.c - taco tacocat and taco tacollection: a catalogue of archives, which has all their
   metadata in one place, and the merged collection of datasets. Each is made by one call of the
   library. */
#include "tool.h"

#include <string.h>

/* Prints a difference between columns before the command fails, one line for each. */
static void tell_difference(void *ctx, const taco_error *what)
{
    const arguments *a = (const arguments *)ctx;
    if (a->quiet) { return; }
    end_progress();
    fprintf(stderr, "warning: %s\n", taco_error_text(what));
}

/* taco_create_tacocat or taco_create_tacollection */
typedef taco_status merge_function(const char *out, const char *const *paths, size_t n,
                                   const taco_merge_options *how, taco_error *err);

/* Words: OUTPUT DATASET... */
static int run_merge(arguments *a, const taco_options *opt, const char *name, merge_function *merge)
{
    taco_merge_options how;
    taco_options options = *opt;
    taco_error err = {0};
    if (a->word_count < 2) { return usage_error(name, "needs an OUTPUT and datasets"); }
    memset(&how, 0, sizeof how);
    options.warn = tell_difference;
    options.warn_ctx = a;
    how.options = &options;
    /* tacollection uses only fill */
    how.binary = a->binary;
    how.fill = a->fill;
    how.unchecked = a->unchecked;
    how.codec = a->write.codec;
    how.level = a->write.level;
    how.row_group_rows = a->write.row_group_rows;
    how.parquet = &a->write;
    how.progress = not_interrupted;
    return merge(a->words[0], a->words + 1, a->word_count - 1, &how, &err) == TACO_OK
               ? DONE
               : report_error(&err);
}

static int run_tacocat(arguments *a, const taco_options *opt)
{
    return run_merge(a, opt, "tacocat", taco_create_tacocat);
}

static int run_tacollection(arguments *a, const taco_options *opt)
{
    return run_merge(a, opt, "tacollection", taco_create_tacollection);
}

static const command_option tacocat_options[] = {
    OPTION("--binary"),
    OPTION("--fill"),
    OPTION("--unchecked"),
    OPTION("--overwrite"),
    OPTION_AS("--files-from", NULL,
              "more archives, one per line (or NUL-terminated); - is standard input"),
    OPTION_HEADING("tables of the metadata"),
    TABLE_OPTIONS,
    OPTION_END,
};

const command tacocat_command = {
    "tacocat",
    "make a catalogue of archives",
    "OUTPUT ARCHIVE... [options]",
    "Makes a catalogue of archives: all their metadata in one place. OUTPUT is the "
    "directory that contains the archives, in which .tacocat is created; or its name "
    "is .tacocat or __TACOCAT__ (the single file of the specification).",
    NULL,
    NULL,
    tacocat_options,
    run_tacocat,
    false,
    true,
    false,
};

static const command_option tacollection_options[] = {
    OPTION_AS("--fill", NULL, "columns may differ"),
    OPTION("--overwrite"),
    OPTION("--files-from"),
    OPTION_END,
};

const command tacollection_command = {
    "tacollection",
    "merge the collections of datasets",
    "OUTPUT DATASET... [options]",
    "Merges the collections of datasets with the same tree and columns into "
    "OUTPUT/TACOLLECTION.json, or into the file OUTPUT if its name ends in .json. If the datasets "
    "differ, all differences are listed.",
    NULL,
    NULL,
    tacollection_options,
    run_tacollection,
    false,
    true,
    false,
};
