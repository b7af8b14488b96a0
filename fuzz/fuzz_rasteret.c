/* Any bytes as the table of a Rasteret collection: validated, queried, its tiles found, rebuilt, or
   converted to a TACO 2 dataset; as a dataset to convert to a collection; as a descriptor. */
#include "operations.h"
#include "mutator.h"

static const taco_opener *openers[2];

static bool tile(void *ctx, const taco_rasteret_tile *t)
{
    unsigned *n = (unsigned *)ctx;
    HOLDS(t->id && t->band);
    return ++*n < 200;
}

static bool complain(void *ctx, const taco_problem *p)
{
    unsigned *n = (unsigned *)ctx;
    HOLDS(p->message && p->message[0]);
    return ++*n < 200;
}

static const char *const bands[] = {"B01", "B02"};
static const double degrees[4] = {-10, 30, 30, 60}, metres[4] = {300000, 4000000, 700000, 6000000};

static void judge(const char *in)
{
    taco_validate_options how;
    taco_error err;
    unsigned n = 0;
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    how.found = complain;
    how.ctx = &n;
    how.deep = true;
    taco_validate(in, &fuzz_options, &how, NULL, &err);
}

/* Records in a box and a time, by number. */
static void ask(taco_dataset *ds, unsigned which)
{
    static const double backwards[4] = {5, 5, -5, -5};
    static const double *const boxes[] = {degrees, NULL, metres, backwards};
    static const char *const times[] = {NULL, "2019-01-01/2020-06-30", "2020-01-01",
                                        "2021-01-01/2020-01-01"};
    taco_query q;
    taco_cursor *c;
    taco_error err;
    unsigned n = 0;
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    taco_info_json(ds, &err);
    memset(&err, 0, sizeof err);
    q.bbox = boxes[which / 4];
    q.time = times[which % 4];
    c = taco_select(ds, &q, &err);
    while (taco_cursor_next(c) && n++ < 100) {
        taco_cursor_json(c);
    }
    taco_cursor_close(c, &err);
}

static void find_tiles(taco_dataset *ds, unsigned which)
{
    taco_rasteret_window w;
    taco_error err;
    unsigned n = 0;
    memset(&err, 0, sizeof err);
    memset(&w, 0, sizeof w);
    w.bands = bands;
    w.band_count = 1 + which % 2;
    w.bbox = which / 2 == 0 ? NULL : which / 2 == 1 ? degrees : metres;
    w.epsg = which / 2 == 3 ? 32630 : 0;
    HOLDS(taco_rasteret_tiles(ds, &w, tile, &n, NULL, &err) == err.code);
}

static void are_ready(taco_dataset *ds)
{
    taco_validate_options how;
    taco_rasteret_readiness ready;
    taco_error err;
    unsigned n = 0;
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    how.found = complain;
    how.ctx = &n;
    HOLDS(taco_rasteret_ready(ds, bands, 2, &how, &ready, &err) == err.code);
}

/* The collection as a dataset, for one operation; which is below 16. */
static void open_it(const char *in, unsigned what, unsigned which)
{
    taco_error err;
    taco_dataset *ds;
    memset(&err, 0, sizeof err);
    ds = taco_open(in, &fuzz_options, &err);
    HOLDS((ds != NULL) == (err.code == TACO_OK));
    if (ds && what == 2) { ask(ds, which); }
    if (ds && what == 3) { find_tiles(ds, which % 8); }
    if (ds && what == 4) { are_ready(ds); }
    taco_close(ds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char in[128];
    taco_rasteret_options how;
    taco_error err;
    unsigned what;
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
    if (size && (*data == '{' || *data == '[')) {
        taco_rasteret_descriptor *d = taco_rasteret_descriptor_open(
            (const char *)data, size, size % 2 ? NULL : "a", &fuzz_options, &err);
        HOLDS((d != NULL) == (err.code == TACO_OK));
        HOLDS(!d || taco_rasteret_descriptor_options(d));
        taco_rasteret_descriptor_close(d);
        return 0;
    }
    fuzz_put("in.parquet", data, size);
    snprintf(in, sizeof in, "%s", fuzz_path("in.parquet"));
    what = mutator_choice(data, size, 7 * 16);
    switch (what % 7) {
    case 0: HOLDS(taco_rasteret_validate(in, &fuzz_options, &err) == err.code); break;
    case 1: judge(in); break;
    case 5: fuzz_ends(taco_rasteret_build(in, fuzz_path("built"), &how, &err), &err, NULL); break;
    case 6:
        fuzz_ends(
            taco_rasteret_to_taco(in, fuzz_path("o.tacozip"), fuzz_collection, &how, NULL, &err),
            &err, NULL);
        break;
    default: open_it(in, what % 7, what / 7);
    }
    return 0;
}
