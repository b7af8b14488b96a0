/* Any bytes as a dataset that is exported with a filter, or repacked as a FOLDER or as an archive.
   The output can be opened. */
#include "operations.h"
#include "mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const outputs[] = {"all.tacozip", "folder", "some.tacozip"};
    taco_create_options how;
    taco_dataset *ds;
    taco_query q;
    taco_error err;
    taco_status st;
    unsigned which = mutator_choice(data, size, 3);
    const char *out;
    fuzz_begin();
    fuzz_put("in.tacozip", data, size);
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    memset(&q, 0, sizeof q);
    how.options = &fuzz_options;
    how.any_values = size % 2;
    q.where = "id > 'a' AND type IN ('FILE', 'FOLDER')";
    q.limit = 3;
    ds = taco_open(fuzz_path("in.tacozip"), &fuzz_options, &err);
    if (!ds) { return 0; }
    out = fuzz_path(outputs[which]);
    st = which < 2 ? taco_repack(ds, out, &how, &err) : taco_export(ds, out, &q, &how, &err);
    fuzz_ends(st, &err, out);
    if (st == TACO_OK) { fuzz_opens(out); }
    taco_close(ds);
    return 0;
}
