/* gdal_opener.c DATASET [SAMPLE...] - prints the paths of the samples of a dataset that GDAL reads, and opens some of them
   as images, for remote.py and gdal.py. */
#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../extra/taco_gdal.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    taco_options opt = {0};
    taco_error err = {0};
    taco_dataset *ds;
    taco_cursor *row;
    int i;
    opt.open_file = taco_gdal_open_file;
    ds = taco_open(argc > 1 ? argv[1] : "", &opt, &err);
    row = taco_select(ds, NULL, &err);
    while (taco_cursor_next(row)) {
        puts(taco_cursor_vsi(row));
    }
    taco_cursor_close(row, &err);
    for (i = 2; i < argc; i++) {
        GDALDatasetH image = taco_gdal_open(ds, argv[i], NULL, &err);
        if (!image) { break; }
        printf("%d x %d\n", GDALGetRasterXSize(image), GDALGetRasterYSize(image));
        GDALClose(image);
    }
    taco_close(ds);
    if (err.code) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
