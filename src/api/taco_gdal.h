/* taco_gdal.h - TACO datasets and GDAL: files through GDAL, samples as images, /vsitaco/ paths.

   Optional, next to taco_write.h. The only header that needs another library: GDAL 3.6 or newer,
   its headers on the include path. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_gdal.h"          (includes the other headers it needs)

   and link with -lgdal. C99 or C++11. What taco.h says about errors, ownership and limits holds
   here.

       taco_options opt = {0};
       opt.open_file = taco_gdal_open_file;
       ds = taco_open("/vsis3/bucket/s2.tacozip", &opt, &err);
       image = taco_gdal_open(ds, "tile_07/B04.tif", NULL, &err);

   FILES. Any path in GDAL's virtual file systems (/vsis3/, /vsicurl/, /vsizip/, /vsimem/, ...) and
   any URL that taco.h takes is read with the credentials, cache and retries configured for GDAL.

   READABLE NAMES. After taco_gdal_install, /vsitaco/DATASET/ID/ID is a file for all of GDAL:

       gdalinfo /vsitaco/s2.tacozip/tile_07/B04.tif
       gdalinfo /vsitaco//vsis3/bucket/s2.tacozip/tile_07/@0

   DATASET is a path or URL whose last part ends in .tacozip, .zip, .tortilla or .tacocat or is
   __TACOCAT__, else the shortest local directory that has a COLLECTION.json in it; {DATASET} in
   braces is taken literally. IDs are keys of taco_read, including positions; a FOLDER is a
   directory that can be listed. Read only.

   THREADS. GDAL may use /vsitaco/ paths from all of its threads. An image belongs to one thread at
   a time, but needs neither its dataset nor that dataset's thread. GDAL's own messages are not
   printed: err has the last one.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_gdal.h:LINE
   prints where a line comes from. */
#ifndef TACO_GDAL_H
#define TACO_GDAL_H

#ifndef _LARGEFILE64_SOURCE
#define _LARGEFILE64_SOURCE 1 /* declares the type of GDAL's VSIStatBufL under -std=c99 */
#endif

#include "taco_write.h"

#include <gdal.h>

#if defined(TACO_IMPLEMENTATION) && defined(__GLIBC__) && !defined(__USE_LARGEFILE64)
#error include taco_gdal.h before all others, or define _LARGEFILE64_SOURCE before them
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files ----------------------------------------------------------------------------------- */

/* Opens a file through GDAL for reading and fills *out, whose close the caller or a handle calls.
   URLs are accepted as by taco_open, other paths are GDAL's. NOT_FOUND when there is no such file,
   and for directories. The source belongs to one thread at a time; its read_many lets GDAL merge
   and overlap ranges. */
TACO_API taco_status taco_gdal_source(taco_source *out, const char *path, taco_error *err);
/* The same for taco_options.open_file. ctx is not used, and may be NULL. */
TACO_API bool taco_gdal_open_file(void *ctx, const char *path, taco_source *out);
/* A sink into a file written through GDAL, like that of taco_sink_file: written as
   NAME.0123456789abcdef.part, which close renames to path with keep, and removes without. GDAL
   writes to object stores only sequentially, but archives replace their first bytes at the end:
   /vsis3/ and similar need CPL_VSIL_USE_TEMP_FILE_FOR_RANDOM_WRITE=YES. opt may be NULL; its
   allocator must outlive the sink. IO when the file cannot be created.

       out   gets the sink; not NULL
       path  GDAL's, or a URL as taco.h takes it; copied
       opt   gives the allocator; NULL: malloc */
TACO_API taco_status taco_gdal_sink(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err);

/* ---- images ---------------------------------------------------------------------------------- */

/* Opens the payload of a FILE as a raster, read-only. No directory is listed, and no sidecar file
   is looked for; over HTTP this takes two requests, of which the first, for the size of the
   archive, is made only once. The caller closes the raster with GDALClose, before or after ds. NULL
   on failure: as taco_locate; CORRUPT when GDAL cannot open the bytes. Registers GDAL's drivers if
   none are registered.

       ds       the dataset
       path     of a FILE, as taco_read takes it
       drivers  names of GDAL drivers to try, NULL after the last; NULL: all */
TACO_API GDALDatasetH taco_gdal_open(taco_dataset *ds, const char *path, const char *const *drivers,
                                     taco_error *err);

/* A part of an image as an array [bands][rows][columns] without gaps. {0} is all of it, as
   doubles. */
typedef struct taco_gdal_window {
    int64_t x, y; /* first column and row, in pixels; may lie outside the image */
    /* size of the window; 0: from x, y to the edge of the image */
    int64_t columns, rows;
    const int *bands; /* numbers from 1 on; NULL: all */
    size_t band_count;
    GDALDataType type; /* type of the array; GDT_Unknown: GDT_Float64 */
    double fill;       /* value of pixels outside the image */
} taco_gdal_window;

/* Returns the number of bytes that taco_gdal_read fills for this window; 0 when that would return
   ARGUMENT. w may be NULL. */
TACO_API size_t taco_gdal_window_bytes(GDALDatasetH image, const taco_gdal_window *w);
/* Reads a window into out, which has room for `room` bytes. Values are converted as GDALRasterIO
   does: rounded and clamped to the type. ARGUMENT when there is no such band, the window is empty
   or larger than room; IO when GDAL cannot read. w may be NULL.

       image  an open image, from taco_gdal_open or GDAL
       w      part, bands, type; NULL: all of it as doubles
       out    the caller's memory, aligned for the type
       room   size of out in bytes, at least taco_gdal_window_bytes(image, w) */
TACO_API taco_status taco_gdal_read(GDALDatasetH image, const taco_gdal_window *w, void *out,
                                    size_t room, taco_error *err);

/* ---- facts for the writer -------------------------------------------------------------------- */

/* Fills *out for reading the pixels of an image with taco_writer_set_stats: NaN where GDAL's mask
   of a band says that there is no data; scale and offset of the first band if they are the same for
   all bands, else none. *out reads from image, which must stay open. Set its classes to get shares.
   ARGUMENT for an image without bands, UNSUPPORTED for complex ones. */
TACO_API taco_status taco_gdal_pixels(GDALDatasetH image, taco_pixels *out, taco_error *err);

/* Size of the largest footprint: WKB of a polygon with 16 points per edge. */
#define TACO_GDAL_FOOTPRINT_BYTES 1053

/* Metadata of an image. stac points into the struct and into the image: do not copy the struct, and
   use it before the image is closed. */
typedef struct taco_gdal_facts {
    /* crs (the code of its authority, "EPSG:32718", else WKT), shape, geotransform and centroid;
       the caller sets the times */
    taco_stac stac;
    int64_t shape[3];   /* bands, rows, columns */
    double centroid[2]; /* middle of the raster: degrees east, north (WGS 84), through PROJ */
    /* the outline of the raster, WKB of a Polygon in degrees (WGS 84), with points along the edges
       converted by PROJ; not cut at 180 degrees */
    uint8_t footprint[TACO_GDAL_FOOTPRINT_BYTES];
    size_t footprint_len;
    double box[4]; /* west, south, east, north of the footprint */
    char code[32]; /* what stac.crs points to if there is a code */
} taco_gdal_facts;

/* Describes an image. UNSUPPORTED when it has no geotransform or no CRS, CORRUPT when PROJ cannot
   convert its position to degrees. */
TACO_API taco_status taco_gdal_describe(GDALDatasetH image, taco_gdal_facts *out, taco_error *err);
/* Longitude and latitude (WGS 84, degrees) of a point in any CRS that PROJ knows: a taco_lonlat_fn,
   for taco_stac, taco_istac and taco_publish. ctx is not used. False when PROJ cannot.

       ctx  not used; may be NULL
       crs  anything that OGRSpatialReference accepts: a code, WKT, PROJJSON
       x    easting or longitude, in the units of the CRS
       y    northing or latitude
       out  gets longitude and latitude, in degrees */
TACO_API bool taco_gdal_lonlat(void *ctx, const char *crs, double x, double y, double out[2]);

/* ---- /vsitaco/ ------------------------------------------------------------------------------- */

typedef struct taco_gdal_files taco_gdal_files;

/* Installs /vsitaco/ in GDAL, for the whole process. Datasets are opened when a path first names
   them, by taco_gdal_open_file unless opt has another open_file, and the last 16 stay open; a
   dataset in a local file or /vsimem/ is opened again when its size or modification time has
   changed. opt may be NULL; it is copied, and what it points to must outlive the result. STATE when
   /vsitaco/ is already installed. NULL on failure. */
TACO_API taco_gdal_files *taco_gdal_install(const taco_options *opt, taco_error *err);
/* Closes the datasets and uninstalls /vsitaco/; none of its files may be open. Call it only at the
   end of a program: GDAL before 3.7 cannot remove a file system, whose paths must not be used
   afterwards. NULL is accepted. */
TACO_API void taco_gdal_uninstall(taco_gdal_files *files);

#ifdef __cplusplus
}
#endif
#endif /* TACO_GDAL_H */
