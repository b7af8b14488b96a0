/* Any bytes as an archive to which columns are added: in place, where a failure must leave every
   byte unchanged, or as a new archive. */
#include "operations.h"
#include "mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char table[] = "id,more\na,1\nt1,2\ntile_1,3\ns0,4\nsample_000,5\n";
    char sheet[128], in[128];
    const char *tables[1];
    taco_create_options create;
    taco_add_options how;
    taco_error err;
    taco_status st;
    fuzz_begin();
    fuzz_put("in.tacozip", data, size);
    fuzz_put("t.csv", table, sizeof table - 1);
    snprintf(sheet, sizeof sheet, "%s", fuzz_path("t.csv"));
    snprintf(in, sizeof in, "%s", fuzz_path("in.tacozip"));
    tables[0] = sheet;
    memset(&create, 0, sizeof create);
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    create.options = &fuzz_options;
    create.fill = true;
    create.any_values = true;
    how.create = &create;
    how.tables = tables;
    how.table_count = 1;
    if (mutator_choice(data, size, 2)) {
        const char *out = fuzz_path("out.tacozip");
        st = taco_add_columns(in, out, &how, &err);
        fuzz_ends(st, &err, out);
        if (st == TACO_OK) { fuzz_opens(out); }
        return 0;
    }
    st = taco_add_columns(in, NULL, &how, &err);
    fuzz_ends(st, &err, NULL);
    if (st == TACO_OK) {
        fuzz_opens(in);
    } else { /* as it was */
        FILE *f = fopen(in, "rb");
        uint8_t *now = (uint8_t *)malloc(size + 1);
        HOLDS(f && now && fread(now, 1, size + 1, f) == size && memcmp(now, data, size) == 0);
        fclose(f);
        free(now);
    }
    return 0;
}
