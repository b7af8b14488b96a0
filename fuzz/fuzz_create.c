/* Any bytes as the table about the samples in a directory: CSV, NDJSON or Parquet, detected by the
   first bytes. The dataset made of both can be opened and is valid. */
#include "operations.h"
#include "mutator.h"

static bool complain(void *ctx, const taco_problem *p)
{
    (void)ctx;
    HOLDS(!p->error);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char sheet[128], source[128];
    const char *tables[1], *out;
    taco_create_options create;
    taco_directory_options how;
    taco_error err;
    taco_status st;
    unsigned i;
    fuzz_begin();
    snprintf(source, sizeof source, "%s", fuzz_path("src"));
    HOLDS(mkdir(source, 0700) == 0);
    for (i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "src/t%u", i);
        fuzz_put(name, "payload", i + 2);
    }
    snprintf(sheet, sizeof sheet, "%s",
             fuzz_path(size > 4 && memcmp(data, "PAR1", 4) == 0 ? "s.parquet"
                       : size && *data == '{'                   ? "s.ndjson"
                                                                : "s.csv"));
    fuzz_put(strrchr(sheet, '/') + 1, data, size);
    tables[0] = sheet;
    memset(&create, 0, sizeof create);
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    create.options = &fuzz_options;
    create.fill = true;
    how.create = &create;
    how.tables = tables;
    how.table_count = 1;
    out = fuzz_path("out.tacozip");
    st =
        taco_create_directory(out, source, fuzz_collection, sizeof fuzz_collection - 1, &how, &err);
    fuzz_ends(st, &err, out);
    if (st == TACO_OK) {
        taco_validate_options check;
        taco_validated v;
        memset(&check, 0, sizeof check);
        memset(&err, 0, sizeof err);
        check.found = complain;
        fuzz_opens(out);
        taco_validate(out, &fuzz_options, &check, &v, &err);
        HOLDS(err.code == TACO_OK);
    }
    return 0;
}
