/* Opens the path of each row of a query with GDAL and prints minimum, maximum and mean of each
   band. With no argument it reads a bundled dataset. cc -O2 gdal_stats.c
   $(gdal-config --cflags --libs) -o gdal_stats && ./gdal_stats DATASET 'PREDICATE' */
#define TACO_IMPLEMENTATION
#include "../taco.h"

#include <gdal.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints one line about a band; false when GDAL cannot read it. */
static bool print_band(GDALDatasetH image, int number)
{
    int columns = GDALGetRasterXSize(image), rows = GDALGetRasterYSize(image), x, y;
    double *line = (double *)malloc((size_t)columns * sizeof *line);
    double least = 0, most = 0, sum = 0;
    bool ok = line != NULL;
    for (y = 0; ok && y < rows; y++) {
        ok = GDALRasterIO(GDALGetRasterBand(image, number), GF_Read, 0, y, columns, 1, line,
                          columns, 1, GDT_Float64, 0, 0) == CE_None;
        for (x = 0; ok && x < columns; x++) {
            least = (x | y) == 0 || line[x] < least ? line[x] : least;
            most = (x | y) == 0 || line[x] > most ? line[x] : most;
            sum += line[x];
        }
    }
    free(line);
    if (ok) { printf("  band %d: %g to %g, mean %g\n", number, least, most, sum / rows / columns); }
    return ok;
}

int main(int argc, char **argv)
{
    taco_query query = {0};
    taco_error err = {0};
    taco_dataset *ds;
    taco_cursor *row;
    int band;
    query.where = argc > 2 ? argv[2] : NULL;
    query.flat = true; /* FILEs with the columns of their ancestors, */
    query.table = 1;   /* of level 1: here the files are below the samples */
    GDALAllRegister();
    ds = taco_open(argc > 1 ? argv[1] : "examples/data/nested.tacozip", NULL, &err);
    row = taco_select(ds, &query, &err);
    while (taco_cursor_next(row)) {
        GDALDatasetH image = GDALOpen(taco_cursor_vsi(row), GA_ReadOnly);
        printf("%s\n", taco_cursor_vsi(row));
        for (band = 1; image && band <= GDALGetRasterCount(image); band++) {
            if (!print_band(image, band)) { break; }
        }
        if (image) { GDALClose(image); }
    }
    taco_cursor_close(row, &err);
    taco_close(ds);
    if (err.code) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
