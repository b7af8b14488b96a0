/* export.c - taco export, zip2folder and folder2zip: a dataset, or the samples that pass filters,
   written as a new dataset. export takes filters and any number of datasets; the other two copy
   one dataset unchanged into the other container. Old datasets are converted. */
#include "tool.h"

/* Writes the datasets of all words but the last to the path in the last. subset: only samples that
   pass the filters; otherwise one whole dataset. */
static int write_dataset(arguments *a, const taco_options *opt, bool subset)
{
    taco_error err = {0};
    taco_dataset *ds;
    size_t last = a->word_count - 1;
    prepare_query(a);
    prepare_create(a, opt);
    /* no table has the sizes of a FOLDER's payloads */
    if (!subset && progress_wanted()) { a->create.total = tree_size(a->words[0], false); }
    ds = open_datasets(a, last, opt, &err);
    if (ds && a->sql && *taco_dataset_format(ds)) {
        end_progress();
        taco_close(ds);
        return usage_error("--sql exports only from TACO 2: use taco convert on old datasets first",
                           NULL);
    }
    if (ds && *taco_dataset_format(ds)) {
        /* not TACO 2: like taco convert */
        int status = convert_to_taco(a, taco_dataset_format(ds), opt, subset ? &a->query : NULL);
        taco_close(ds);
        return status;
    }
    if (ds && subset && a->sql) {
        taco_view *all = taco_view_open(ds, NULL, &err), *view = taco_view_sql(all, a->sql, &err);
        taco_export_view(view, a->words[last], &a->create, &err);
        taco_view_free(view);
        taco_view_free(all);
    } else if (ds && subset) {
        taco_export(ds, a->words[last], &a->query, &a->create, &err);
    } else if (ds) {
        taco_repack(ds, a->words[last], &a->create, &err);
    }
    end_progress();
    taco_close(ds);
    return err.code != TACO_OK ? report_error(&err) : DONE;
}

/* Words: DATASET... OUTPUT. The container follows from the name of OUTPUT unless --format is
   given. */
static int run_export(arguments *a, const taco_options *opt)
{
    if (a->word_count < 2) { return usage_error("export", "needs a DATASET and an OUTPUT"); }
    if (a->sql && (a->filter_count || a->limit_given || a->query.offset || a->query.padding)) {
        return usage_error("--sql excludes all filters: put conditions and limits into the SELECT",
                           NULL);
    }
    if (set_container(a, (taco_kind)0) != DONE) { return USAGE; }
    return write_dataset(a, opt, true);
}

/* Writes the whole dataset to a container, unless --format names another one. */
static int run_repack(arguments *a, const taco_options *opt, const char *name, taco_kind container)
{
    if (a->word_count != 2) { return usage_error(name, "needs a DATASET and an OUTPUT"); }
    if (set_container(a, container) != DONE) { return USAGE; }
    return write_dataset(a, opt, false);
}

/* Words: DATASET OUTPUT. */
static int run_zip2folder(arguments *a, const taco_options *opt)
{
    return run_repack(a, opt, "zip2folder", TACO_KIND_FOLDER);
}

/* Words: DATASET OUTPUT. */
static int run_folder2zip(arguments *a, const taco_options *opt)
{
    return run_repack(a, opt, "folder2zip", TACO_KIND_ZIP);
}

static const command_option export_options[] = {
    OPTION_HEADING("which samples: all filters must hold"),
    FILTER_OPTIONS(0),
    OPTION_AS("--sql", NULL,
              "samples in the result of one SELECT over data; without other filters"),
    OPTION("--limit"),
    OPTION("--offset"),
    OPTION_AS("--show-padding", NULL, "include the __TACOPAD__N samples"),
    OPTION_HEADING("datasets"),
    OPTION("--base-path"),
    OPTION("--column-mode"),
    OPTION("--files-from"),
    OPTION("--date"),
    OPTION_AS(
        "--collection", NULL,
        "of an old dataset: COLLECTION.json of TACO 2, instead of one made of the old collection"),
    OPTION_AS(
        "--pad", NULL,
        "of an old dataset: FOLDERs of a level get __TACOPAD__N rows up to the fullest of them"),
    OPTION_AS("--any-tree", NULL,
              "of an old dataset: tortillas in which samples differ stay files"),
    OPTION("--any-values"),
    OPTION("--max-output"),
    OPTION("--keep-damaged"),
    CONTAINER_OPTIONS,
    OPTION_END,
};

const command export_command = {
    "export",
    "write the samples that pass filters as a new dataset",
    "DATASET... OUTPUT [filters] [options]",
    "Writes the samples that pass the filters, with everything below them, as a new "
    "dataset: an archive if OUTPUT ends in .zip or .tacozip, else a FOLDER. Its "
    "collection says what it is a subset of (taco:subset_of, taco:subset_date); extent "
    "and schemas describe the samples written. Old datasets (Tortilla, TACO 0.x, "
    "Rasteret) are converted, as by taco convert.",
    NULL,
    NULL,
    export_options,
    run_export,
    true,
    true,
    true,
};
static const command_option zip2folder_options[] = {
    OPTION_AS(
        "--collection", NULL,
        "of an old dataset: COLLECTION.json of TACO 2, instead of one made of the old collection"),
    OPTION_AS(
        "--pad", NULL,
        "of an old dataset: FOLDERs of a level get __TACOPAD__N rows up to the fullest of them"),
    OPTION_AS("--any-tree", NULL,
              "samples may have different trees; of an old dataset: tortillas in which they differ "
              "stay files"),
    OPTION("--any-values"),
    OPTION("--max-output"),
    OPTION("--keep-damaged"),
    CONTAINER_OPTIONS,
    OPTION_END,
};

const command zip2folder_command = {
    "zip2folder",
    "write a whole dataset as a FOLDER",
    "DATASET OUTPUT [options]",
    "Writes a dataset of any kind as a FOLDER.",
    NULL,
    NULL,
    zip2folder_options,
    run_zip2folder,
    true,
    false,
    false,
};
static const command_option folder2zip_options[] = {
    OPTION_AS(
        "--collection", NULL,
        "of an old dataset: COLLECTION.json of TACO 2, instead of one made of the old collection"),
    OPTION_AS(
        "--pad", NULL,
        "of an old dataset: FOLDERs of a level get __TACOPAD__N rows up to the fullest of them"),
    OPTION_AS("--any-tree", NULL,
              "samples may have different trees; of an old dataset: tortillas in which they differ "
              "stay files"),
    OPTION("--any-values"),
    OPTION("--max-output"),
    OPTION("--keep-damaged"),
    CONTAINER_OPTIONS,
    OPTION_END,
};

const command folder2zip_command = {
    "folder2zip",
    "write a whole dataset as one archive",
    "DATASET OUTPUT [options]",
    "Writes a dataset of any kind as one archive.",
    NULL,
    NULL,
    folder2zip_options,
    run_folder2zip,
    true,
    false,
    false,
};
