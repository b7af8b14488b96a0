/* Any bytes as an old file that is validated or converted to a TACO 2 dataset or to TACO 0.x, or as
   a TACO 2 dataset that is converted to a tortilla or to TACO 0.x. The output can be opened.
   (Several old files, and the writers of old files: fuzz_legacy.c.) */
#include "operations.h"
#include "mutator.h"

static const taco_opener *openers[3];

static void check(taco_status st, taco_error *err, const char *out)
{
    fuzz_ends(st, err, out);
    if (st == TACO_OK) { fuzz_opens(out); }
    memset(err, 0, sizeof *err);
}

static bool complain(void *ctx, const taco_problem *p)
{
    unsigned *n = (unsigned *)ctx;
    HOLDS(p->message && p->message[0]);
    return ++*n < 500;
}

/* The rules of its generation. */
static void validate(const char *path)
{
    taco_validate_options how;
    taco_validated sum;
    taco_error err;
    unsigned n = 0;
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    how.deep = true;
    how.found = complain;
    how.ctx = &n;
    HOLDS(taco_validate(path, &fuzz_options, &how, &sum, &err) == err.code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* enough for either generation */
    static const char collection[] =
        "{\"id\":\"demo\",\"taco_version\":\"0.2.0\",\"dataset_version\":\"1.0.0\",\"description\":"
        "\"d\",\"licenses\":[\"CC0-"
        "1.0\"],\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"extent\":{\"spatial\":[-1,"
        "-1,1,1]}}";
    char in[128];
    const char *list[1], *out;
    taco_convert_options how;
    taco_error err;
    taco_status st;
    unsigned which = mutator_choice(data, size, 3);
    fuzz_begin();
    openers[0] = taco_legacy_opener();
    fuzz_options.openers = openers;
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    how.create.options = &fuzz_options;
    how.create.any_tree = how.create.any_values = true;
    how.collection = collection;
    if (size > 4 && memcmp(data, "PK\3\4", 4) == 0) {
        fuzz_put("in.tacozip", data, size);
        snprintf(in, sizeof in, "%s", fuzz_path("in.tacozip"));
        out = fuzz_path(which % 2 ? "o.tortilla" : "o.taco");
        check(taco_convert_from_taco2(in, out, &how, &err), &err, out);
        if (which % 2 == 0 && fuzz_is_there(out)) { validate(out); }
        return 0;
    }
    fuzz_put("in.tortilla", data, size);
    snprintf(in, sizeof in, "%s", fuzz_path("in.tortilla"));
    if (which == 0) {
        validate(in);
    } else if (which == 1) {
        list[0] = in;
        out = fuzz_path("o.tacozip");
        check(taco_convert_to_taco2(list, 1, out, &how, &err), &err, out);
    } else {
        out = fuzz_path("p.taco");
        st = taco_tortilla_to_taco(in, out, collection, &fuzz_options, &err);
        fuzz_ends(st, &err, out);
        if (st == TACO_OK) { fuzz_opens_like(out, in); }
    }
    return 0;
}
