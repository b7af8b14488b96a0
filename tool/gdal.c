/* gdal.c - what create needs from GDAL: pixels for --stats, longitude and latitude in any CRS. If
   GDAL is installed the tool is built twice: `taco` without it, which starts in a millisecond, and
   `taco-gdal` with it, which `taco` executes when an option needs GDAL (main.c). */
#include "tool.h"

#ifdef WITH_GDAL
#include "../src/api/taco_gdal.h"

#include <string.h>

/* taco_directory_options.pixels */
static bool open_pixels(void *ctx, const char *path, taco_pixels *out, taco_error *err)
{
    GDALDatasetH image = GDALOpenEx(path, GDAL_OF_RASTER, NULL, NULL, NULL);
    (void)ctx;
    memset(out, 0, sizeof *out);
    if (!image) {
        err->code = TACO_ERR_CORRUPT;
        snprintf(err->text, sizeof err->text, "%s: %s", path, CPLGetLastErrorMsg());
        return false;
    }
    if (taco_gdal_pixels(image, out, err) == TACO_OK) {
        /* the same numbers as `gdalinfo -stats`: from pixels as stored, not scaled */
        out->scale = out->offset = 0;
        return true;
    }
    GDALClose(image);
    return false;
}

/* taco_directory_options.pixels_done */
static void close_pixels(void *ctx, taco_pixels *pixels)
{
    (void)ctx;
    GDALClose((GDALDatasetH)pixels->ctx);
}

void add_gdal(arguments *a)
{
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    a->directory.lonlat = taco_gdal_lonlat;
    if (!a->stats_wanted) { return; }
    a->directory.pixels = open_pixels;
    a->directory.pixels_done = close_pixels;
}

const char *gdal_version(void)
{
    return GDALVersionInfo("RELEASE_NAME");
}
#else
void add_gdal(arguments *a)
{
    (void)a;
}

const char *gdal_version(void)
{
    return NULL;
}
#endif
