/* Level tables, local tables and footers of tortillas with altered columns: everything that reads
   or converts a dataset succeeds, or reports what is wrong. */
#define HOME "build/test_columns"
#include "columns.h"

/* more rows than one rule is reported for */
#define MANY(table) "(SELECT a.* FROM " table " a, " table " b, " table " c LIMIT 105) x"

static const target targets[] = {
    {"examples/data/nested_folder", MANY("level1"), "METADATA/level1.parquet", "l", -1, true,
     false},
    {"examples/data/nested.tacozip", MANY("level1"), "nested.tacozip", "l", 1, true, false},
    {"tests/data/legacy/mixed.tortilla", MANY("data"), "mixed.tortilla", "l", -2, true, false},
    {HOME "/folder", "level0", "METADATA/level0.parquet", "l?", -1, false, false},
    {"examples/data/nested_folder", "level0", "METADATA/level0.parquet", "l?", -1, true, false},
    {"examples/data/nested_folder", "level1", "METADATA/level1.parquet", "lq?", -1, true, false},
    {"examples/data/nested_folder", "level1 WHERE \"internal:parent_id\" = 0", "tile_00/__meta__",
     "lq", -1, true, false},
    {"examples/data/nested.tacozip", "level0", "nested.tacozip", "lq?", 0, true, false},
    {"examples/data/nested.tacozip", "level1", "nested.tacozip", "lq?", 1, true, false},
    {HOME "/tiff.tacozip", "level0", "tiff.tacozip", "l?", 0, true, false},
    {HOME "/tiff.tacozip", "level0", "tiff.tacozip", "ji", 0, true, false},
    {"tests/data/legacy/mixed.tortilla", "data", "mixed.tortilla", "lt?", -2, true, false},
    {"tests/data/legacy/a0.tortilla", "data", "a0.tortilla", "lu?", -2, true, false}};

static void other_columns(void)
{
    try_targets(targets, sizeof targets / sizeof targets[0]);
}

int main(void)
{
    int here = 0;
    columns_begin(&here);
    RUN(other_columns);
    test_names_remove(HOME);
    return test_end("test_columns");
}
