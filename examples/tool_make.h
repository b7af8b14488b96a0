/* create, export, zip2folder, folder2zip: datasets out. Included by taco.c behind its helpers. */

static const char usage_export[] =
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
static const char usage_zip2folder[] =
    "usage: taco zip2folder DATASET OUTPUT [container options]\n"
    "\n"
    "Writes a dataset of any kind as a FOLDER.\n" USAGE_CONTAINER;
static const char usage_folder2zip[] =
    "usage: taco folder2zip DATASET OUTPUT [container options]\n"
    "\n"
    "Writes a dataset of any kind as one archive.\n" USAGE_CONTAINER;

/* On a terminal, for work of more than 100 MB: redrawn when a hundredth more is done, or 100 MB more where it is not known
   how much there is. */
typedef struct progress_bar {
    bool     terminal;
    uint64_t shown;
} progress_bar;
static bool show_progress(void *ctx, uint64_t bytes, uint64_t total)
{
    progress_bar  *p = (progress_bar *)ctx;
    const uint64_t least = 100000000, now = bytes / (total ? total / 100 + 1 : least);
    if (p->terminal && now != p->shown && (total == 0 || total >= least)) {
        p->shown = now;
        if (total) {
            fprintf(stderr, "\r%3u %% of %.1f MB", (unsigned)now, (double)total / 1e6);
        } else {
            fprintf(stderr, "\r%.1f GB", (double)bytes / 1e9);
        }
        fflush(stderr);
    }
    return !stopped;
}
static void end_progress(const progress_bar *p)
{
    if (p->shown) {
        fprintf(stderr, "\r%30s\r", "");
    }
}
static void prepare_create(args *a, const taco_options *opt, progress_bar *bar)
{
    a->create.options = opt;
    a->create.codec = a->write.codec;
    a->create.level = a->write.level;
    a->create.row_group_rows = a->write.row_group_rows;
    a->create.progress = show_progress;
    a->create.progress_ctx = bar;
    bar->shown = 0;
    bar->terminal = false;
#ifdef WITH_THREADS
    bar->terminal = !a->quiet && isatty(2);
#endif
    stop_cleanly(NULL);
}
static int set_container(args *a, taco_kind otherwise)
{
    if (!a->format) {
        a->create.container = otherwise;
    } else if (strcmp(a->format, "zip") == 0) {
        a->create.container = TACO_KIND_ZIP;
    } else if (strcmp(a->format, "folder") == 0) {
        a->create.container = TACO_KIND_FOLDER;
    } else {
        return wants("--format", "zip or folder here", a->format);
    }
    return DONE;
}
static int convert(args *a, const taco_options *opt, const char *command, taco_kind container)
{
    taco_error    err = {0};
    taco_dataset *ds;
    progress_bar  bar;
    size_t        n = a->word_count;
    bool          subset = strcmp(command, "export") == 0;
    if (n < 2 || (!subset && n != 2)) {
        return complain(command, "wants a DATASET and an OUTPUT");
    }
    if (set_container(a, container) != DONE) {
        return USAGE;
    }
    prepare_query(a);
    prepare_create(a, opt, &bar);
    ds = open_datasets(a, n - 1, opt, &err);
    if (ds && *taco_dataset_format(ds)) { /* as taco convert, of what the filters leave */
        int status = convert_other(a, taco_dataset_format(ds), opt, subset ? &a->query : NULL);
        taco_close(ds);
        return status;
    }
    if (ds && subset) {
        taco_export(ds, a->words[n - 1], &a->query, &a->create, &err);
    } else if (ds) {
        taco_repack(ds, a->words[n - 1], &a->create, &err);
    }
    end_progress(&bar);
    taco_close(ds);
    return err.code != TACO_OK ? report(&err) : DONE;
}
static int run_export(args *a, const taco_options *opt)
{
    return convert(a, opt, "export", (taco_kind)0);
}
static int run_zip2folder(args *a, const taco_options *opt)
{
    return convert(a, opt, "zip2folder", TACO_KIND_FOLDER);
}
static int run_folder2zip(args *a, const taco_options *opt)
{
    return convert(a, opt, "folder2zip", TACO_KIND_ZIP);
}
