/* Opens a dataset, filters it by box, time and predicate, prints ids and the paths for GDAL.
   cc -O2 query.c -o query && ./query data/geo_stac.tacozip */
#define TACO_IMPLEMENTATION /* in exactly one .c file */
#include "../taco.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const double europe[4] = {-10, 35, 30, 60}; /* west, south, east, north */
    taco_query query = {0};                     /* zero = no filter */
    taco_error err = {0};
    taco_dataset *ds;
    taco_cursor *row;

    query.bbox = europe;
    query.time = "2020-01-01/2023-12-31";
    query.where = "\"stac:crs\" = 'EPSG:4326' AND \"scaling:scale_factor\" < 0.9";

    ds = taco_open(argc > 1 ? argv[1] : "examples/data/geo_stac.tacozip", NULL, &err);
    row = taco_select(ds, &query, &err);
    while (taco_cursor_next(row)) {
        printf("%s\t%s\n", taco_cursor_text(row, "id"), taco_cursor_vsi(row));
    }
    taco_cursor_close(row, &err);
    taco_close(ds);

    if (err.code != TACO_OK) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
