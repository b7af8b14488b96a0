/* Any bytes, twice under two names, as the archives of a catalogue or of a merged collection, or
   opened as one dataset in a column mode. */
#include "operations.h"
#include "mutator.h"

static void merge(const char *const *paths, unsigned mode)
{
    taco_merge_options how;
    taco_error err;
    taco_status st;
    const char *out = fuzz_path(mode == 0 ? ".tacocat" : mode == 1 ? "__TACOCAT__" : "x.json");
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    how.options = &fuzz_options;
    how.fill = mode % 2;
    how.unchecked = mode < 2;
    how.binary = mode == 1;
    st = mode < 2 ? taco_create_tacocat(out, paths, 2, &how, &err)
                  : taco_create_tacollection(out, paths, 2, &how, &err);
    fuzz_ends(st, &err, out);
    if (st == TACO_OK && mode < 2) { fuzz_opens(out); }
}

static void open_both(const char *const *paths, taco_column_mode mode)
{
    taco_error err;
    taco_query q;
    taco_dataset *ds;
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    ds = taco_open_many(paths, 2, mode, &fuzz_options, &err);
    HOLDS((ds != NULL) == (err.code == TACO_OK));
    if (ds) {
        taco_cursor *c = taco_select(ds, &q, &err);
        int n = 0;
        while (n++ < 20 && taco_cursor_next(c)) {
            taco_cursor_json(c);
        }
        taco_cursor_close(c, &err);
    }
    taco_close(ds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *paths[2];
    char a[128], b[128];
    unsigned mode = mutator_choice(data, size, 7);
    fuzz_begin();
    fuzz_put("a.tacozip", data, size);
    fuzz_put("b.tacozip", data, size);
    snprintf(a, sizeof a, "%s", fuzz_path("a.tacozip"));
    snprintf(b, sizeof b, "%s", fuzz_path("b.tacozip"));
    paths[0] = a;
    paths[1] = b;
    if (mode < 4) {
        merge(paths, mode);
    } else {
        open_both(paths, (taco_column_mode)(mode - 4));
    }
    return 0;
}
