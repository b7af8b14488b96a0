/* The members of any archive as files of a directory: records, as the table records.parquet or as
   the partitioned directory records, and the TIFFs that their assets name. A collection is made
   from them, with columns renamed, assets made from hrefs, headers of the TIFFs, partitions; or a
   dataset; or, if they are the FOLDER of a dataset, a collection of its TIFFs. */
#define TACO__HIVE_MAX_OPEN 2 /* collections of more files close some while they read others */
#include "members.h"

static const taco_opener *openers[2];

/* How collections are built, by number. */
static void choose(taco_rasteret_options *o, unsigned what)
{
    static const taco_rasteret_pair rename[] = {{"name", "id"}, {"when", "datetime"}},
                                    rewrite[] = {{"s3://bucket/", ""}, {"gs://", "file://"}};
    static const taco_rasteret_band bands[] = {{"B01", 0}, {"B02", 1}};
    static const char *const partition[] = {"split", "label"};
    o->enrich = what < 4;
    o->single = what != 2 && what != 4; /* each partition is a file, which takes long */
    if (what == 2 || what == 3) {
        o->rename = rename;
        o->rename_count = 2;
        o->href_column = "href";
        o->rewrite = rewrite;
        o->rewrite_count = 2;
    }
    if (what == 1 || what == 2 || what == 3) {
        o->bands = bands;
        o->band_count = what == 1 ? 1 : 2;
    }
    if (what == 4) {
        o->partition = partition;
        o->partition_count = 2;
        o->start_date = "2020-01-01";
        o->end_date = "2020-12-31";
        o->created = "2021-01-01T00:00:00Z";
        o->name = "x";
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned what = mutator_choice(data, size, 7);
    char in[128], base[128];
    taco_rasteret_options how;
    taco_error err;
    taco_status st;
    const char *out;
    fuzz_begin();
    if (!members_unpack(data, size, "in")) { return 0; }
    openers[0] = taco_rasteret_opener();
    fuzz_options.openers = openers;
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    how.options = &fuzz_options;
    how.base = base;
    choose(&how, what);
    snprintf(base, sizeof base, "%s", fuzz_path("in/"));
    snprintf(in, sizeof in, "%s",
             fuzz_path(fuzz_is_there(fuzz_path("in/records"))           ? "in/records"
                       : fuzz_is_there(fuzz_path("in/COLLECTION.json")) ? "in"
                                                                        : "in/records.parquet"));
    out = fuzz_path(what == 6 ? "out.tacozip" : how.single ? "out.parquet" : "out");
    st = what == 6 ? taco_rasteret_to_taco(in, out, fuzz_collection, &how, NULL, &err)
         : fuzz_is_there(fuzz_path("in/COLLECTION.json"))
             ? taco_rasteret_from_taco(in, out, &how, &err)
             : taco_rasteret_build(in, out, &how, &err);
    fuzz_ends(st, &err, how.single || what == 6 ? out : NULL);
    if (st == TACO_OK && fuzz_is_there(out)) { fuzz_opens(out); }
    return 0;
}
