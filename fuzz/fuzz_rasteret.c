/* Any bytes as the table of a Rasteret collection: validated, built anew, made a TACO 2 dataset; and
   as a dataset of which one is made. */
#include "operations.h"
#include "mutator.h"

static const taco_opener *openers[2];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char collection[] =
        "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC0-"
        "1.0\"],\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";
    char in[128];
    taco_rasteret_options how;
    taco_error err;
    fuzz_begin();
    openers[0] = taco_rasteret_opener();
    fuzz_options.openers = openers;
    memset(&how, 0, sizeof how);
    how.options = &fuzz_options;
    how.name = "x";
    how.description = "d";
    memset(&err, 0, sizeof err);
    if (size > 4 && memcmp(data, "PK\3\4", 4) == 0) {
        fuzz_put("in.tacozip", data, size);
        snprintf(in, sizeof in, "%s", fuzz_path("in.tacozip"));
        fuzz_ends(taco_rasteret_from_taco(in, fuzz_path("out"), &how, &err), &err, NULL);
        return 0;
    }
    fuzz_put("in.parquet", data, size);
    snprintf(in, sizeof in, "%s", fuzz_path("in.parquet"));
    HOLDS(taco_rasteret_validate(in, &fuzz_options, &err) == err.code);
    memset(&err, 0, sizeof err);
    fuzz_ends(taco_rasteret_build(in, fuzz_path("built"), &how, &err), &err, NULL);
    memset(&err, 0, sizeof err);
    fuzz_ends(taco_rasteret_to_taco(in, fuzz_path("o.tacozip"), collection, &how, NULL, &err), &err,
              NULL);
    return 0;
}
