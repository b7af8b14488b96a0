/* gdal_taco.c - a plugin for GDAL: /vsitaco/ paths in gdalinfo, gdal_translate, QGIS, rasterio and
   everything else that loads GDAL plugins.

       make gdal-plugin
       GDAL_DRIVER_PATH=build gdalinfo /vsitaco/s2.tacozip/tile_07/B04.tif

   It is not linked with GDAL, but uses the GDAL of the program that loads it, 3.6 or later. */
#define _LARGEFILE64_SOURCE 1 /* for GDAL's headers; before all other headers */
#ifdef SYSTEM_BROTLI
#include "../../examples/system_codecs.h"
#endif

#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../extra/taco_gdal.h"
#include "../../extra/taco_legacy.h"

#ifdef _WIN32
#define PLUGIN_API __declspec(dllexport)
#else
#define PLUGIN_API __attribute__((visibility("default")))
#endif

/* Called by GDAL when it finds gdal_taco.so. /vsitaco/ stays installed until the program ends. */
PLUGIN_API void GDALRegister_taco(void);

PLUGIN_API void GDALRegister_taco(void)
{
    static const taco_opener *openers[2] = {NULL, NULL};
    taco_error err = {0};
    taco_options opt = {0};
    openers[0] = taco_legacy_opener();
    opt.openers = openers;
    /* TACO_ERR_STATE: already installed by an earlier call */
    if (!taco_gdal_install(&opt, &err) && err.code != TACO_ERR_STATE) {
        CPLError(CE_Warning, CPLE_AppDefined, "/vsitaco/: %s", taco_error_text(&err));
    }
}
