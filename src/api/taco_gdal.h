/* taco_gdal.h - TACO datasets and GDAL: its files, its images, and /vsitaco/ paths for its tools.

   Optional, beside taco_write.h. The only header that needs another library: GDAL 3.6 or newer, its
   headers on the include path. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_gdal.h"          (includes the other headers it needs)

   and link with -lgdal. C99 or C++11. What taco.h says of errors, ownership and limits holds here.

       taco_options opt = {0};
       opt.open_file = taco_gdal_open_file;
       ds = taco_open("/vsis3/bucket/s2.tacozip", &opt, &err);
       image = taco_gdal_open(ds, "tile_07/B04.tif", NULL, &err);

   FILES. Any path of GDAL's virtual file systems (/vsis3/, /vsicurl/, /vsizip/, /vsimem/, ...) and
   any URL of taco.h is read with the credentials, cache and retries that GDAL is configured with.

   HUMAN NAMES. Once taco_gdal_install was called, /vsitaco/DATASET/ID/ID is a file for all of GDAL:

       gdalinfo /vsitaco/s2.tacozip/tile_07/B04.tif
       gdalinfo /vsitaco//vsis3/bucket/s2.tacozip/tile_07/@0

   DATASET is a path or URL whose last part ends in .tacozip, .zip, .tortilla or .tacocat or is
   __TACOCAT__, else the shortest local one that has a COLLECTION.json in it; {DATASET} in braces is
   taken as it stands. IDs are keys of taco_read, positions included; a FOLDER is a directory that
   can be listed. Read only.

   THREADS. GDAL may use /vsitaco/ paths from all of its threads. An image belongs to one thread at
   a time, and neither needs its dataset nor shares a thread with it. GDAL's own messages are not
   printed: err has the last of them.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco_gdal.h:LINE prints
   where a line comes from. */
#ifndef TACO_GDAL_H
#define TACO_GDAL_H

#ifndef _LARGEFILE64_SOURCE
#define _LARGEFILE64_SOURCE 1 /* declares what GDAL's VSIStatBufL is under -std=c99 */
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

/* Opens a file of GDAL's for reading and fills *out, whose close the caller or a handle calls.
   URLs are taken as taco.h does, other paths are GDAL's. NOT_FOUND when there is none, and for
   directories. The source belongs to one thread at a time; its read_many lets GDAL join and
   overlap ranges. */
TACO_API taco_status taco_gdal_source(taco_source *out, const char *path, taco_error *err);
/* The same for taco_options.open_file. ctx is not used, and may be NULL. */
TACO_API bool taco_gdal_open_file(void *ctx, const char *path, taco_source *out);
/* A sink into a file of GDAL's, as taco_sink_file makes one: written as NAME.0123456789abcdef.part,
   renamed to path by the close that keeps it, removed by the other. GDAL writes to object stores
   from front to back only; archives replace their first bytes, for which /vsis3/ and its kin want
   CPL_VSIL_USE_TEMP_FILE_FOR_RANDOM_WRITE=YES. opt may be NULL; its allocator must outlive the
   sink. IO when the file cannot be made.

       out   gets the sink; not NULL
       path  GDAL's, or a URL as taco.h takes it; copied
       opt   gives the allocator; NULL: malloc */
TACO_API taco_status taco_gdal_sink(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err);

/* ---- images ---------------------------------------------------------------------------------- */

/* Opens the payload of a FILE as a raster, read-only, with drivers (names of GDAL's, NULL after the
   last; NULL: all). No directory is listed and no sidecar file looked for; over HTTP that is two
   requests, of which the first asks for the size of the archive and is not repeated. The caller
   closes it with GDALClose, before or after ds. NULL on failure: as taco_locate; CORRUPT when GDAL
   cannot open the bytes. Registers GDAL's drivers if none are.

       ds       the dataset
       path     of a FILE, as taco_read takes it
       drivers  names, NULL after the last; NULL: all */
TACO_API GDALDatasetH taco_gdal_open(taco_dataset *ds, const char *path, const char *const *drivers,
                                     taco_error *err);

/* A part of an image as an array [bands][rows][columns] without gaps. {0} is all of it, as
   doubles. */
typedef struct taco_gdal_window {
    int64_t x, y; /* first column and row, in pixels; may lie outside of the image */
    /* columns and rows; 0: all there are from x, y on (of the image, not past its edge) */
    int64_t columns, rows;
    const int *bands; /* numbers from 1 on; NULL: all */
    size_t band_count;
    GDALDataType type; /* of the array; GDT_Unknown: GDT_Float64 */
    double fill;       /* pixels outside of the image */
} taco_gdal_window;

/* Returns the bytes that taco_gdal_read fills for this window; 0 when it is ARGUMENT there. w may
   be NULL. */
TACO_API size_t taco_gdal_window_bytes(GDALDatasetH image, const taco_gdal_window *w);
/* Reads a window into out, which has room for `room` bytes. Values are converted as GDALRasterIO
   does: rounded and clamped to the type. ARGUMENT for no such band, a window without pixels or one
   that is larger than room; IO when GDAL cannot read. w may be NULL.

       image  open, from taco_gdal_open or GDAL's own
       w      part, bands, type; NULL: all of it as doubles
       out    the caller's memory, aligned for the type
       room   bytes of it, at least taco_gdal_window_bytes(image, w) */
TACO_API taco_status taco_gdal_read(GDALDatasetH image, const taco_gdal_window *w, void *out,
                                    size_t room, taco_error *err);

/* ---- facts for the writer -------------------------------------------------------------------- */

/* Fills *out with the pixels of an image, for taco_writer_set_stats: NaN where GDAL's mask of a
   band says that there is no data; scale and offset of the first band, where all bands have the
   same, else none. *out reads from image, which must stay open. Set classes in it for shares.
   ARGUMENT for an image without bands, UNSUPPORTED for complex ones. */
TACO_API taco_status taco_gdal_pixels(GDALDatasetH image, taco_pixels *out, taco_error *err);

/* Bytes of the largest footprint: WKB of a polygon with 16 points an edge. */
#define TACO_GDAL_FOOTPRINT_BYTES 1053

/* What an image says of itself. stac points into the struct and into the image: it is not to be
   copied, and to be used before the image is closed. */
typedef struct taco_gdal_facts {
    /* crs (the code of its authority, "EPSG:32718", else WKT), shape, geotransform and centroid;
       times are the caller's to set */
    taco_stac stac;
    int64_t shape[3];   /* bands, rows, columns */
    double centroid[2]; /* of the raster's middle: degrees east, north (WGS 84), through PROJ */
    /* the outline of the raster, WKB of a Polygon in degrees (WGS 84), edges followed through
       PROJ; not cut at 180 degrees */
    uint8_t footprint[TACO_GDAL_FOOTPRINT_BYTES];
    size_t footprint_len;
    double box[4]; /* west, south, east, north of the footprint */
    char code[32]; /* what stac.crs points to where there is a code */
} taco_gdal_facts;

/* Describes an image. UNSUPPORTED when it has no geotransform or no CRS, CORRUPT when PROJ cannot
   turn its place into degrees. */
TACO_API taco_status taco_gdal_describe(GDALDatasetH image, taco_gdal_facts *out, taco_error *err);
/* Longitude and latitude (WGS 84, degrees) of a point in any CRS that PROJ knows: a taco_lonlat_fn,
   for taco_stac, taco_istac and taco_publish. ctx is not used. False when PROJ cannot.

       ctx  not used; may be NULL
       crs  whatever OGRSpatialReference takes: a code, WKT, PROJJSON
       x    easting or longitude, in the units of the CRS
       y    northing or latitude
       out  gets longitude and latitude, in degrees */
TACO_API bool taco_gdal_lonlat(void *ctx, const char *crs, double x, double y, double out[2]);

/* ---- /vsitaco/ ------------------------------------------------------------------------------- */

typedef struct taco_gdal_files taco_gdal_files;

/* Installs /vsitaco/ in GDAL, for the process. Datasets are opened when a path first names them, by
   taco_gdal_open_file unless opt has another open_file, and the last 16 stay open; one that is
   replaced is seen anew when its size or time of change differ, of local files and /vsimem/. opt
   may be NULL; it is copied, and what it points to must outlive the result. STATE when /vsitaco/ is
   installed already. NULL on failure. */
TACO_API taco_gdal_files *taco_gdal_install(const taco_options *opt, taco_error *err);
/* Closes the datasets and releases what was installed, when no file of /vsitaco/ is open. Only at
   the end of a program: GDAL before 3.7 cannot forget a file system, whose paths must not be used
   any more. NULL is accepted. */
TACO_API void taco_gdal_uninstall(taco_gdal_files *files);

#ifdef __cplusplus
}
#endif
#endif /* TACO_GDAL_H */
