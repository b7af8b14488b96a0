/* taco_repair of any bytes, as an archive and as a folder. The result can be opened, and a second
   repair finds nothing left to repair. */
#include "operations.h"
#include "mutator.h"

static void repair(const char *in, const char *out)
{
    taco_error err;
    taco_repaired r;
    taco_status st;
    memset(&err, 0, sizeof err);
    memset(&r, 0, sizeof r);
    st = taco_repair(in, out, &fuzz_options, NULL, &r, &err);
    fuzz_ends(st, &err, NULL);
    if (st == TACO_OK && fuzz_is_there(out)) { fuzz_opens(out); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_begin();
    fuzz_put("in.tacozip", data, size);
    repair(fuzz_path("in.tacozip"), fuzz_path("out.tacozip"));
    return 0;
}
