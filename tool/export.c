/* export.c - taco export, zip2folder and folder2zip: a dataset, or the samples that filters
   leave, written as a dataset of its own. export takes filters and any number of datasets; the
   other two copy one dataset as it is into the other container. Old datasets are converted on
   the way. */
#include "tool.h"

static const char export_usage[] =
    "usage: taco export DATASET... OUTPUT [filters of query] [container options]\n"
    "\n"
    "Writes the samples that the filters leave, whole, as a dataset of its own: an archive when\n"
    "OUTPUT ends in .zip or .tacozip, else a FOLDER. Its collection says what it is a subset of\n"
    "(taco:subset_of, taco:subset_date); extent and schemas are those of what is written.\n"
    "Of old datasets (Tortilla, TACO 0.x, Rasteret) as taco convert, with its options.\n"
    "\n"
    "  --where --bbox --time --exact-time --level --geometry-col --time-col --limit --offset\n"
    "  --show-padding       also the __TACOPAD__N samples\n"
    "  --base-path P        TACOCAT: where the archives are\n"
    "  --column-mode MODE   several datasets: intersection (default), fill_missing, strict\n"
    "  --date D             of taco:subset_date, instead of now\n" USAGE_CONTAINER;

static const char zip2folder_usage[] =
    "usage: taco zip2folder DATASET OUTPUT [container options]\n"
    "\n"
    "Writes a dataset of any kind as a FOLDER.\n" USAGE_CONTAINER;

static const char folder2zip_usage[] =
    "usage: taco folder2zip DATASET OUTPUT [container options]\n"
    "\n"
    "Writes a dataset of any kind as one archive.\n" USAGE_CONTAINER;

/* Writes the first words as the last one. subset: only what the filters leave; else there is one
   dataset, all of it. */
static int write_dataset(arguments *a, const taco_options *opt, bool subset)
{
    taco_error err = {0};
    taco_dataset *ds;
    progress_bar bar;
    size_t last = a->word_count - 1;
    prepare_query(a);
    prepare_create(a, opt, &bar);
    ds = open_datasets(a, last, opt, &err);
    if (ds && *taco_dataset_format(ds)) {
        /* not TACO 2: as taco convert */
        int status = convert_to_taco(a, taco_dataset_format(ds), opt, subset ? &a->query : NULL);
        taco_close(ds);
        return status;
    }
    if (ds && subset) {
        taco_export(ds, a->words[last], &a->query, &a->create, &err);
    } else if (ds) {
        taco_repack(ds, a->words[last], &a->create, &err);
    }
    end_progress(&bar);
    taco_close(ds);
    return err.code != TACO_OK ? report_error(&err) : DONE;
}

/* Words: DATASET... OUTPUT. The container follows from the name of OUTPUT unless --format is
   given. */
static int run_export(arguments *a, const taco_options *opt)
{
    if (a->word_count < 2) { return usage_error("export", "wants a DATASET and an OUTPUT"); }
    if (set_container(a, (taco_kind)0) != DONE) { return USAGE; }
    return write_dataset(a, opt, true);
}

/* The whole dataset in a container, unless --format names another one. */
static int run_repack(arguments *a, const taco_options *opt, const char *name, taco_kind container)
{
    if (a->word_count != 2) { return usage_error(name, "wants a DATASET and an OUTPUT"); }
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

const command export_command = {"export", export_usage, run_export, NULL, false};
const command zip2folder_command = {"zip2folder", zip2folder_usage, run_zip2folder, NULL, false};
const command folder2zip_command = {"folder2zip", folder2zip_usage, run_folder2zip, NULL, false};
