/* rasteret.c - taco rasteret: builds, enriches and validates collections of raster tiles by offset,
   and converts them from and to TACO. Its options (arguments.rasteret) describe the collection to
   make. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the verbs of the command. */
enum { HEADER, VALIDATE, BUILD, ENRICH, FROM_TACO, TO_TACO, READY, TILES, VERBS };

/* Bit sets of verbs: those that make a collection from columns, and all that make one. */
enum { BUILT = 1U << BUILD | 1U << ENRICH, MADE = BUILT | 1U << FROM_TACO };

/* header: what a tile reader needs to know about a TIFF, as one JSON object; FAILED if it cannot
   read its tiles. */
static int print_tiff_header(const char *path, const taco_options *opt)
{
    taco_error err = {0};
    taco_source src;
    taco_tiff *t = NULL;
    taco_bytes text;
    if (open_source(path, opt, &src, &err)) {
        t = taco_tiff_open(&src, path, opt, &err);
        src.close(src.ctx);
    }
    if (t && taco_tiff_tiles_ok(t, &err) == TACO_OK) {
        text = taco_tiff_json(t, &err);
        if (text.len) { puts((const char *)text.data); }
    }
    taco_tiff_close(t);
    return err.code ? report_error(&err) : DONE;
}

/* Makes a collection from the TIFFs of a TACO dataset. */
static int from_taco(const arguments *a)
{
    taco_error err = {0};
    return taco_rasteret_from_taco(a->words[1], a->words[2], &a->rasteret.options, &err) == TACO_OK
               ? DONE
               : report_error(&err);
}

/* Makes a TACO dataset from the files of a collection's first band. */
static int to_taco(const arguments *a)
{
    taco_error err = {0};
    taco_create_options create;
    char *text;
    if (!a->collection) { return usage_error("to-taco", "needs --collection FILE.json"); }
    text = read_text(a->collection, &err);
    memset(&create, 0, sizeof create);
    create.progress = not_interrupted;
    create.container = a->create.container;
    if (text) {
        taco_rasteret_to_taco(a->words[1], a->words[2], text, &a->rasteret.options, &create, &err);
    }
    free(text);
    return err.code ? report_error(&err) : DONE;
}

/* Opens a collection. */
static taco_dataset *open_collection(const char *path, const taco_options *opt, taco_error *err)
{
    const taco_opener *openers[2];
    taco_options options = *opt;
    openers[0] = taco_rasteret_opener();
    openers[1] = NULL;
    options.openers = openers;
    return taco_open(path, &options, err);
}

/* Checks a directory or a Parquet file, as `taco validate` does; nothing else is a collection. */
static int validate(arguments *a, const taco_options *opt)
{
    const taco_opener *openers[2];
    taco_options options = *opt;
    taco_error err = {0};
    taco_dataset *ds = open_collection(a->words[1], opt, &err);
    bool other = !ds || taco_dataset_kind(ds) != TACO_KIND_OTHER;
    taco_close(ds);
    if (other) { /* says what is missing */
        memset(&err, 0, sizeof err);
        taco_rasteret_validate(a->words[1], opt, &err);
        return report_error(&err);
    }
    openers[0] = taco_rasteret_opener();
    openers[1] = NULL;
    options.openers = openers;
    return validate_dataset(a, a->words[1], &options);
}

/* taco_validate_options.found for ready. */
static bool print_missing(void *ctx, const taco_problem *p)
{
    (void)ctx;
    printf("%s: %s (%s)\n", p->error ? "error" : "warning", p->message, p->clause);
    return true;
}

/* ready: prints what is missing, and the counts. */
static int ready(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_validate_options how;
    taco_rasteret_readiness sums;
    const char **bands = NULL;
    size_t n = split_names(a->rasteret.bands_wanted ? a->rasteret.bands_wanted : "", &bands);
    taco_dataset *ds;
    memset(&how, 0, sizeof how);
    memset(&sums, 0, sizeof sums);
    if (!n) { return usage_error("ready", "needs --bands NAME,NAME"); }
    how.found = a->json ? NULL : print_missing;
    ds = open_collection(a->words[1], opt, &err);
    if (ds) { taco_rasteret_ready(ds, bands, n, &how, &sums, &err); }
    if (ds && (err.code == TACO_OK || err.code == TACO_ERR_CORRUPT)) {
        printf(a->json ? "{\"records\":%llu,\"complete\":%llu,\"partial\":%llu,"
                         "\"without_time\":%llu,\"without_crs\":%llu,\"epsg\":%lld,"
                         "\"ready\":%s}\n"
                       : "%llu records, %llu with all bands, %llu with some; %llu without a time, "
                         "%llu without a CRS; EPSG:%lld\n",
               (unsigned long long)sums.records, (unsigned long long)sums.complete,
               (unsigned long long)sums.partial, (unsigned long long)sums.without_time,
               (unsigned long long)sums.without_crs, (long long)sums.epsg,
               err.code ? "false" : "true");
    }
    taco_close(ds);
    return err.code ? report_file_error(a->words[1], &err) : flush_stdout(DONE);
}

/* The callback of taco_rasteret_tiles: prints a line of NDJSON. */
static bool print_tile(void *ctx, const taco_rasteret_tile *t)
{
    (void)ctx;
    fputs("{\"id\":", stdout);
    print_json_string(t->id);
    fputs(",\"band\":", stdout);
    print_json_string(t->band);
    fputs(",\"href\":", stdout);
    print_json_string(t->range.file);
    printf(",\"offset\":%llu,\"size\":%llu,\"column\":%lld,\"row\":%lld,\"tile\":[%lld,%lld],"
           "\"window\":[%lld,%lld,%lld,%lld]}\n",
           (unsigned long long)t->range.offset, (unsigned long long)t->range.len,
           (long long)t->column, (long long)t->row, (long long)t->tile_width,
           (long long)t->tile_height, (long long)t->x, (long long)t->y, (long long)t->columns,
           (long long)t->rows);
    return !ferror(stdout);
}

/* tiles: those in the box of --bbox, from records that pass the filters. */
static int tiles(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_rasteret_window how;
    taco_rasteret_tiles_sums sums;
    const char **bands = NULL;
    size_t i;
    taco_dataset *ds;
    memset(&how, 0, sizeof how);
    memset(&sums, 0, sizeof sums);
    how.band_count = split_names(a->rasteret.bands_wanted ? a->rasteret.bands_wanted : "", &bands);
    how.bands = bands;
    if (!how.band_count) { return usage_error("tiles", "needs --bands NAME,NAME"); }
    for (i = 0; i < a->filter_count; i++) {
        if (!a->filters[i].bbox) { continue; }
        if (how.bbox) { return usage_error("tiles", "takes one --bbox"); }
        how.bbox = a->filters[i].bbox;
    }
    prepare_query(a);
    how.query = &a->query;
    ds = open_collection(a->words[1], opt, &err);
    if (ds) { taco_rasteret_tiles(ds, &how, print_tile, NULL, &sums, &err); }
    taco_close(ds);
    if (err.code) { return report_file_error(a->words[1], &err); }
    if (!a->quiet && (sums.skipped || sums.unplaced)) {
        fprintf(stderr,
                "warning: %llu bands without metadata and %llu records in an unsupported CRS are "
                "skipped\n",
                (unsigned long long)sums.skipped, (unsigned long long)sums.unplaced);
    }
    return flush_stdout(DONE);
}

/* Completes the options with those of a descriptor; options on the command line take precedence. */
static void merge_descriptor(taco_rasteret_options *o, const taco_rasteret_options *d)
{
    o->name = o->name ? o->name : d->name;
    o->description = o->description ? o->description : d->description;
    o->data_source = o->data_source ? o->data_source : d->data_source;
    o->href_column = o->href_column ? o->href_column : d->href_column;
    if (!o->rename_count) {
        o->rename = d->rename;
        o->rename_count = d->rename_count;
    }
    if (!o->band_count) {
        o->bands = d->bands;
        o->band_count = d->band_count;
    }
    if (!o->rewrite_count) {
        o->rewrite = d->rewrite;
        o->rewrite_count = d->rewrite_count;
    }
}

/* build, and with enrich also columns from the headers of the assets */
static int build(arguments *a, const taco_options *opt, bool enrich)
{
    taco_error err = {0};
    taco_rasteret_descriptor *d = NULL;
    size_t n = 0;
    char *text = NULL;
    a->rasteret.options.enrich = enrich;
    if (a->rasteret.descriptor) {
        text = read_bytes(a->rasteret.descriptor, 1, &n);
        if (!text) { return FAILED; }
        d = taco_rasteret_descriptor_open(text, n, a->rasteret.id, opt, &err);
        free(text);
        if (!d) { return report_file_error(a->rasteret.descriptor, &err); }
        merge_descriptor(&a->rasteret.options, taco_rasteret_descriptor_options(d));
    }
    taco_rasteret_build(a->words[1], a->words[2], &a->rasteret.options, &err);
    taco_rasteret_descriptor_close(d);
    return err.code ? report_error(&err) : DONE;
}

/* Words: VERB FILE or VERB SOURCE TARGET. */
static int run_rasteret(arguments *a, const taco_options *opt)
{
    const char *what = a->word_count ? a->words[0] : "";
    size_t verb = find_verb(&rasteret_command, what);
    if (verb == VERBS) {
        return value_error("rasteret",
                           "header, validate, build, enrich, from-taco, to-taco, ready or "
                           "tiles",
                           what);
    }
    if ((verb <= VALIDATE || verb >= READY) && a->word_count != 2) {
        return usage_error(what, "needs one FILE (see taco rasteret --help)");
    }
    if (verb > VALIDATE && verb < READY && a->word_count != 3) {
        return usage_error(what, "needs a source and a TARGET (see taco rasteret --help)");
    }
    if (a->rasteret.options.single && a->rasteret.options.partition_count) {
        return usage_error("--single", "excludes --partition-by: one file has no partitions");
    }
    a->rasteret.options.options = opt;
    switch (verb) {
    case HEADER: return print_tiff_header(a->words[1], opt);
    case VALIDATE: return validate(a, opt);
    case FROM_TACO: return from_taco(a);
    case TO_TACO: return to_taco(a);
    case READY: return ready(a, opt);
    case TILES: return tiles(a, opt);
    default: return build(a, opt, verb == ENRICH);
    }
}

static const command_verb rasteret_verbs[] = {
    {"header", "FILE.tif [--json]",
     "print what a tile reader needs from a TIFF's header, as one JSON object"},
    {"validate", "COLLECTION [--json]",
     "check a collection, a directory or a Parquet file, and every row of it against the schema "
     "contract, as taco validate does"},
    {"build", "TABLE.parquet|COLLECTION TARGET [options]",
     "write a collection; columns that the contract requires are derived if they are missing"},
    {"enrich", "TABLE.parquet|COLLECTION TARGET [options]",
     "the same, with {band}_metadata columns from the headers of the assets; those of unreadable "
     "assets are null, with a warning"},
    {"from-taco", "DATASET TARGET [options]",
     "write the TIFFs of a TACO dataset as a collection; tile offsets count from the beginning of "
     "the archive"},
    {"to-taco", "COLLECTION TARGET --collection FILE.json",
     "write the files of a collection's first band as a TACO dataset"},
    {"ready", "COLLECTION --bands NAME,... [--json]",
     "check that it has what the contract's layers need for these bands: metadata, one CRS, times"},
    {"tiles", "COLLECTION --bands NAMES [--bbox W,S,E,N] [filters]",
     "list the tiles in a box, as a line of JSON each: file, byte range, window in pixels; no file "
     "is opened"},
    {NULL, NULL, NULL},
};

static const command_option rasteret_options[] = {
    OPTION_OF(1U << HEADER | 1U << VALIDATE | 1U << READY, "--json"),
    OPTION_OF(1U << READY | 1U << TILES, "--bands"),
    FILTER_OPTIONS(1U << TILES),
    OPTION_OF(BUILT, "--descriptor"),
    OPTION_OF(BUILT, "--id"),
    OPTION_OF(MADE, "--name"),
    OPTION_OF(MADE, "--description"),
    OPTION_OF(MADE, "--data-source"),
    OPTION_OF(MADE, "--dates"),
    OPTION_OF(MADE, "--partition-by"),
    OPTION_OF(MADE, "--single"),
    OPTION_OF(BUILT, "--rename"),
    OPTION_OF(BUILT, "--href-column"),
    OPTION_OF(BUILT, "--band"),
    OPTION_OF(BUILT, "--rewrite"),
    OPTION_OF(BUILT | 1U << TO_TACO, "--base"),
    OPTION_OF(1U << TO_TACO, "--collection"),
    OPTION_OF(MADE | 1U << TO_TACO, "--overwrite"),
    OPTION_END,
};

const command rasteret_command = {
    "rasteret",
    "work with Rasteret collections: header, validate, build, enrich, ...",
    NULL,
    NULL,
    NULL,
    rasteret_verbs,
    rasteret_options,
    run_rasteret,
    true,
    false,
    false,
};
