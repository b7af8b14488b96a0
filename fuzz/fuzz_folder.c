/* The members of any archive as files of a directory: a FOLDER, a catalogue, a Rasteret collection.
   It is validated, queried, repaired or packed; the results can be opened. */
#define TACO__HIVE_MAX_OPEN 2 /* collections of more files close some while they read others */
#include "members.h"

static const taco_opener *openers[3];

static void ask(taco_dataset *ds)
{
    static const char *const paths[] = {"@0", "@1/@0", "@0/@0/@0", "tile_00/image", "../x"};
    static const double box[4] = {-80, -20, 10, 45};
    taco_error err;
    taco_query q;
    uint32_t level;
    size_t i;
    memset(&err, 0, sizeof err);
    HOLDS(taco_info_json(ds, &err).len || err.code != TACO_OK);
    for (level = 0; level < 2 * taco_levels(ds) && level < 6; level++) {
        taco_cursor *c;
        int n = 0;
        memset(&q, 0, sizeof q);
        memset(&err, 0, sizeof err);
        q.table = level / 2;
        q.bbox = level % 2 ? box : NULL;
        q.time = level % 2 ? "2019-01-01/2021-12-31" : NULL;
        c = taco_select(ds, &q, &err);
        HOLDS((c != NULL) == (err.code == TACO_OK));
        while (n++ < 20 && taco_cursor_next(c)) {
            taco_cursor_json(c);
            taco_cursor_vsi(c);
        }
        taco_cursor_close(c, &err);
    }
    for (i = 0; i < sizeof paths / sizeof *paths; i++) {
        taco_source src;
        memset(&err, 0, sizeof err);
        if (taco_payload(ds, paths[i], &src, &err) == TACO_OK) {
            char bytes[64];
            src.read(src.ctx, 0, bytes, src.size < 64 ? (size_t)src.size : 64);
            if (src.close) { src.close(src.ctx); }
        }
    }
}

static void judge(const char *in, bool deep)
{
    taco_validate_options check;
    taco_validated sum;
    taco_error err;
    taco_status st;
    unsigned found = 0;
    memset(&check, 0, sizeof check);
    memset(&err, 0, sizeof err);
    check.deep = check.strict_pit = deep;
    check.found = fuzz_complain;
    check.ctx = &found;
    st = taco_validate(in, &fuzz_options, &check, &sum, &err);
    HOLDS(st == err.code && (st == TACO_OK || err.text[0]));
}

static void pack(taco_dataset *ds)
{
    const char *out = fuzz_path("packed.tacozip");
    taco_create_options create;
    taco_error err;
    taco_status st;
    memset(&create, 0, sizeof create);
    memset(&err, 0, sizeof err);
    create.options = &fuzz_options;
    create.any_values = true;
    st = taco_repack(ds, out, &create, &err);
    fuzz_ends(st, &err, out);
    if (st == TACO_OK) { fuzz_opens(out); }
}

static void repair(const char *in)
{
    const char *out = fuzz_path("repaired");
    taco_repaired repaired;
    taco_error err;
    taco_status st;
    memset(&err, 0, sizeof err);
    memset(&repaired, 0, sizeof repaired);
    st = taco_repair(in, out, &fuzz_options, NULL, &repaired, &err);
    fuzz_ends(st, &err, NULL);
    if (st == TACO_OK && fuzz_is_there(out)) { fuzz_opens(out); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char in[128];
    unsigned what = mutator_choice(data, size, 5);
    taco_error err;
    taco_dataset *ds;
    fuzz_begin();
    if (!members_unpack(data, size, "in")) { return 0; }
    openers[0] = taco_rasteret_opener();
    openers[1] = taco_legacy_opener();
    fuzz_options.openers = openers;
    snprintf(in, sizeof in, "%s",
             fuzz_path(fuzz_is_there(fuzz_path("in/.tacocat"))            ? "in/.tacocat"
                       : fuzz_is_there(fuzz_path("in/TACOLLECTION.json")) ? "in/TACOLLECTION.json"
                                                                          : "in"));
    if (what == 0 || what == 4) {
        judge(in, what == 0);
        return 0;
    }
    if (what == 1) {
        repair(in);
        return 0;
    }
    memset(&err, 0, sizeof err);
    ds = taco_open(in, &fuzz_options, &err);
    HOLDS((ds != NULL) == (err.code == TACO_OK) && (ds || err.text[0]));
    if (ds && what == 2) { ask(ds); }
    if (ds && what == 3) { pack(ds); }
    taco_close(ds);
    return 0;
}
