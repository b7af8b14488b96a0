/* Rasteret collections with altered columns and STRUCT members, with one row and many; failing
   allocations and reads. Everything that checks them, finds tiles or converts them succeeds, or
   reports what is wrong. */
#define HOME "build/test_rasteret_columns"
#include "columns.h"

#define MANY "(SELECT a.* FROM data a, data b, data c, data d, data e LIMIT 105) x"

static const target targets[] = {
    {HOME "/one.parquet", "data", "one.parquet", "mkz{?", -1, true, true},
    {HOME "/one.parquet", MANY, "one.parquet", "m", -1, true, true}};

static void other_columns(void)
{
    try_targets(targets, sizeof targets / sizeof targets[0]);
}

static void faults(void)
{
    static const char some[] = "mkz{";
    const char *w;
    for (w = some; *w; w++) {
        tour(&works[*w - 'a'], HOME "/one.parquet");
    }
    printf("%u places and reads\n", (unsigned)tried.tried);
}

int main(void)
{
    int here = 0;
    taco_rasteret_options o;
    taco_error e = {0, TACO_OK, 0, {0}};
    columns_begin(&here);
    memset(&o, 0, sizeof o);
    o.single = true;
    CHECK(taco_rasteret_from_taco(HOME "/tiff.tacozip", HOME "/one.parquet", &o, &e) == TACO_OK);
    RUN(other_columns);
    places_exact = true;
    RUN(faults);
    test_names_remove(HOME);
    return test_end("test_rasteret_columns");
}
