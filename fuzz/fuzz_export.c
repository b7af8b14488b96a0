/* Any bytes as a dataset that is exported, with and without filters, and repacked as a FOLDER and
   as an archive. The output can be opened. */
#include "operations.h"
#include "mutator.h"

static void check(taco_status st, taco_error *err, const char *out)
{
    fuzz_ends(st, err, out);
    if (st == TACO_OK) { fuzz_opens(out); }
    memset(err, 0, sizeof *err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_create_options how;
    taco_dataset *ds;
    taco_query q;
    taco_error err;
    const char *out;
    fuzz_begin();
    fuzz_put("in.tacozip", data, size);
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    memset(&q, 0, sizeof q);
    how.options = &fuzz_options;
    how.any_values = size % 2;
    ds = taco_open(fuzz_path("in.tacozip"), &fuzz_options, &err);
    if (!ds) { return 0; }
    out = fuzz_path("all.tacozip");
    check(taco_repack(ds, out, &how, &err), &err, out);
    out = fuzz_path("folder");
    check(taco_repack(ds, out, &how, &err), &err, out);
    q.where = "id > 'a' AND type IN ('FILE', 'FOLDER')";
    q.limit = 3;
    out = fuzz_path("some.tacozip");
    check(taco_export(ds, out, &q, &how, &err), &err, out);
    taco_close(ds);
    return 0;
}
