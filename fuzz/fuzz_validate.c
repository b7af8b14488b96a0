/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_validate
   fuzz_validate.c

   Any bytes as an archive, a catalogue or an old file, with every check of validation: it must
   finish, in little memory, with a consistent result. */
#define TACO_IMPLEMENTATION
#include "../extra/taco_legacy.h"
#include "../extra/taco_rasteret.h"
#include "../extra/taco_write.h"

#include "holds.h"
#include "mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct validate_sum {
    uint64_t errors, warnings;
} validate_sum;

static bool validate_found(void *ctx, const taco_problem *p)
{
    validate_sum *s = (validate_sum *)ctx;
    HOLDS(p->where && p->message && p->message[0]);
    s->errors += p->error;
    s->warnings += !p->error;
    return s->errors + s->warnings < 2000;
}

static bool validate_no_file(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    (void)path;
    (void)out;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const taco_opener *openers[3] = {NULL, NULL, NULL};
    taco_options opt;
    taco_validate_options how;
    int mode;
    memset(&opt, 0, sizeof opt);
    opt.limits.max_memory = (uint64_t)128 << 20;
    opt.open_file = validate_no_file;
    openers[0] = taco_legacy_opener();
    openers[1] = taco_rasteret_opener();
    opt.openers = openers;
    for (mode = 0; mode < 2; mode++) {
        taco_source src;
        taco_validated sum;
        taco_error err;
        validate_sum seen = {0, 0};
        taco_status status;
        memset(&how, 0, sizeof how);
        memset(&err, 0, sizeof err);
        how.deep = how.strict_pit = mode != 0;
        how.found = validate_found;
        how.ctx = &seen;
        taco_source_memory(&src, data, size);
        status = taco_validate_source(&src, "x", &opt, &how, &sum, &err);
        HOLDS(status == err.code && (status == TACO_OK) == (sum.errors == 0));
        HOLDS(seen.errors <= sum.errors && seen.warnings <= sum.warnings);
        HOLDS(status == TACO_OK || err.text[0]);
    }
    return 0;
}
