/* The headers as C++11: the implementation, the zeroed structs, and one query over a bundled
   dataset. */
#define TACO_IMPLEMENTATION
#include "../taco.h"

#include "test.h"

static void query_from_cpp(void)
{
    const double europe[4] = {-10, 35, 30, 60};
    taco_query query = {};
    taco_error err = {};
    taco_dataset *ds = taco_open("examples/data/geo_stac.tacozip", nullptr, &err);
    taco_cursor *row;
    int n = 0;
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(ds != nullptr);
    CHECK_TEXT(taco_id(ds), "geo-stac");
    CHECK(taco_dataset_kind(ds) == TACO_KIND_ZIP && taco_levels(ds) == 1 &&
          taco_level_rows(ds, 0, &err) == 10);
    query.bbox = europe;
    query.where = "\"scaling:scale_factor\" < 0.5";
    row = taco_select(ds, &query, &err);
    while (taco_cursor_next(row)) {
        double factor = 0;
        CHECK_TEXT(taco_cursor_text(row, "id"), "p1");
        CHECK(taco_cursor_double(row, "scaling:scale_factor", &factor) && factor > 0.19 &&
              factor < 0.21);
        CHECK(strncmp(taco_cursor_vsi(row), "/vsisubfile/783_415,", 20) == 0);
        n++;
    }
    CHECK(taco_cursor_close(row, &err) == TACO_OK && n == 1);
    taco_close(ds);
}

static void column_from_cpp(void)
{
    taco_error err = {};
    taco_pq_file *file =
        taco_pq_open("examples/data/nested_folder/METADATA/level0.parquet", nullptr, &err);
    taco_pq_column *col = taco_pq_column_open(file, "stac:crs", TACO_TEXT, &err);
    taco_array batch = {};
    size_t n = 0;
    while (taco_pq_column_next(col, 3, &batch)) {
        taco_bytes crs = taco_array_bytes(&batch, 0);
        CHECK(crs.len == 10 && memcmp(crs.data, "EPSG:32630", 10) == 0);
        n += batch.length;
    }
    CHECK(taco_pq_column_close(col, &err) == TACO_OK);
    CHECK(n == 4);
    taco_pq_close(file);
}

static void error_from_cpp(void)
{
    taco_error err = {};
    CHECK(taco_open("examples/data/none.tacozip", nullptr, &err) == nullptr);
    CHECK(err.code == TACO_ERR_NOT_FOUND);
    CHECK(strstr(taco_error_text(&err), "none.tacozip") != nullptr);
    CHECK(taco_select(nullptr, nullptr, &err) == nullptr &&
          err.code == TACO_ERR_NOT_FOUND); /* the first failure stays */
}

int main()
{
    RUN(query_from_cpp);
    RUN(column_from_cpp);
    RUN(error_from_cpp);
    return test_end("test_cpp");
}
