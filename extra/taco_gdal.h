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

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__GDAL_IMPLEMENTED)
#define TACO__GDAL_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   gdal/gdal_bridge.h                   between the library and GDAL: files both ways, images, and the /vsitaco/ paths
   gdal/vsi_source.c                    files of GDAL's virtual file systems as taco_source
   gdal/vsi_sink.c                      files of GDAL's virtual file systems as taco_sink
   gdal/image_read.c                    a sample as a GDAL dataset, and windows of an image as arrays
   gdal/image_facts.c                   an image's pixels, position and outline, for the writer
   gdal/vsitaco_path.c                  splits DATASET/ID/ID, the part of a path after /vsitaco/
   gdal/vsitaco.c                       the file system /vsitaco/: samples as files, FOLDERs as directories
*/

/* ==== src/gdal/gdal_bridge.h ==== */
/* gdal_bridge.h - between the library and GDAL: files both ways, images, and the /vsitaco/ paths

   vsi_source.c     GDAL's files as taco_source; taco_gdal_open_file. Start here
   vsi_sink.c       GDAL's files as taco_sink
   image_read.c     a sample as a GDAL dataset, windows of it as arrays
   image_facts.c    pixels, CRS, geotransform, centroid and footprint, for the writer
   vsitaco_path.c   splits DATASET/ID/ID
   vsitaco.c        the file system: datasets that are kept open, their samples as files, listings

   The folder is above all others, and only its sources include GDAL's headers: they are not part of
   the library, and are compiled only if GDAL is installed. Errors: GDAL's own message is appended
   to ours (taco__vsi_source_fail), and GDAL prints nothing while one of our calls runs. */
#ifndef TACO__GDAL_BRIDGE_H
#define TACO__GDAL_BRIDGE_H

/* #include "../api/taco_gdal.h" */
/* #include "../base/base.h" */
/* #include "../dataset/gdal_path.h" */
/* #include "../dataset/navigation.h" */

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <ogr_srs_api.h>

/* ---- vsi_source.c ---- */

/* Begin and end one of our calls, during which GDAL prints nothing. The first also clears older
   messages. */
TACO__FN void taco__vsi_source_quiet(void);
TACO__FN void taco__vsi_source_loud(void);
/* Sets err to "NAME: WHAT: what GDAL said last". */
TACO__FN TACO__COLD taco_status taco__vsi_source_fail(taco_error *err, taco_status code,
                                                      const char *name, const char *what);
/* The name of a file for GDAL, NUL-terminated: URLs become GDAL paths. */
TACO__FN bool taco__vsi_source_name(taco__buf *out, const char *path, taco_error *err);

/* ---- vsitaco_path.c ---- */

/* A path below /vsitaco/: the dataset, and the keys of a sample, "" for the dataset itself. Both
   are NUL-terminated in one buffer. */
typedef struct taco__vsitaco_path {
    taco__buf text;
    const char *dataset, *keys;
} taco__vsitaco_path;

/* False, without an error, if the path names no dataset. */
TACO__FN bool taco__vsitaco_split(taco__vsitaco_path *p, const char *path);

#endif /* TACO__GDAL_BRIDGE_H */
/* ==== src/gdal/vsi_source.c ==== */
/* vsi_source.c - files of GDAL's virtual file systems as taco_source

   In: a GDAL path or a URL. Out: a source that reads it; several ranges are passed to GDAL at once,
   which merges nearby ones and fetches others in parallel. GDAL "Virtual File Systems". */
/* #include "gdal_bridge.h" */

/* Ranges passed to GDAL at a time. */
#define TACO__VSI_SOURCE_RANGES 64

TACO__FN void taco__vsi_source_quiet(void)
{
    CPLPushErrorHandler(CPLQuietErrorHandler);
    CPLErrorReset();
}

TACO__FN void taco__vsi_source_loud(void)
{
    CPLPopErrorHandler();
}

TACO__FN TACO__COLD taco_status taco__vsi_source_fail(taco_error *err, taco_status code,
                                                      const char *name, const char *what)
{
    const char *said = CPLGetLastErrorMsg();
    bool any = said && said[0];
    taco_bytes quoted = taco__bytes_text(said);
    return any ? TACO__FAIL(err, code, TACO_NO_OFFSET, "%s: %s: GDAL says %q", name, what, &quoted)
               : TACO__FAIL(err, code, TACO_NO_OFFSET, "%s: %s", name, what);
}

TACO__FN bool taco__vsi_source_name(taco__buf *out, const char *path, taco_error *err)
{
    out->len = 0;
    return taco__vsi_append_root(out, taco__bytes_text(path), err) &&
           taco__buf_append_char(out, 0, err);
}

/* ---- the source ---- */

/* taco_source.read. */
static bool taco__vsi_source_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    VSILFILE *f = (VSILFILE *)ctx;
    return VSIFSeekL(f, offset, SEEK_SET) == 0 && VSIFReadL(dst, 1, len, f) == len;
}

/* taco_source.read_many: as many ranges at a time as fit the lists. */
static bool taco__vsi_source_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    void *data[TACO__VSI_SOURCE_RANGES];
    vsi_l_offset offsets[TACO__VSI_SOURCE_RANGES];
    size_t sizes[TACO__VSI_SOURCE_RANGES], i, k;
    for (i = 0; i < n; i += k) {
        for (k = 0; k < TACO__VSI_SOURCE_RANGES && i + k < n; k++) {
            data[k] = reads[i + k].dst;
            offsets[k] = reads[i + k].offset;
            sizes[k] = reads[i + k].len;
        }
        if (VSIFReadMultiRangeL((int)k, data, offsets, sizes, (VSILFILE *)ctx) != 0) {
            return false;
        }
    }
    return true;
}

static void taco__vsi_source_close(void *ctx)
{
    VSIFCloseL((VSILFILE *)ctx);
}

/* The size comes from stat, which detects directories: they can be opened but not read. GDAL caches
   the result of stat, so the open makes no request. */
static taco_status taco__vsi_source_open(taco_source *out, const char *name, taco_error *err)
{
    const int flags = VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG;
    VSIStatBufL st;
    VSILFILE *f;
    memset(&st, 0, sizeof st);
    if (VSIStatExL(name, &st, flags) != 0 || VSI_ISDIR(st.st_mode) || st.st_size < 0) {
        return taco__vsi_source_fail(err, TACO_ERR_NOT_FOUND, name, "no such file");
    }
    f = VSIFOpenL(name, "rb");
    if (!f) { return taco__vsi_source_fail(err, TACO_ERR_NOT_FOUND, name, "cannot be opened"); }
    out->ctx = f;
    out->size = (uint64_t)st.st_size;
    out->read = taco__vsi_source_read;
    out->read_many = taco__vsi_source_read_many;
    out->close = taco__vsi_source_close;
    return TACO_OK;
}

TACO_API taco_status taco_gdal_source(taco_source *out, const char *path, taco_error *err)
{
    taco__mem mem;
    taco__buf name;
    taco_status st = TACO_ERR_MEMORY;
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    if (!path || !*path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    taco__mem_init(&mem, NULL);
    memset(&name, 0, sizeof name);
    name.mem = &mem;
    if (taco__vsi_source_name(&name, path, err)) {
        taco__vsi_source_quiet();
        st = taco__vsi_source_open(out, (const char *)name.data, err);
        taco__vsi_source_loud();
    }
    taco__buf_free(&name);
    return st;
}

TACO_API bool taco_gdal_open_file(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    return taco_gdal_source(out, path, NULL) == TACO_OK;
}
/* ==== src/gdal/vsi_sink.c ==== */
/* vsi_sink.c - files of GDAL's virtual file systems as taco_sink

   Files have a temporary name until they are closed and kept, like local files in base/sink.c. */
/* #include "gdal_bridge.h" */

typedef struct taco__vsi_sink {
    taco__mem mem;
    taco__buf name, part; /* the final name and the temporary one, NUL-terminated */
    VSILFILE *f;
} taco__vsi_sink;

/* Seeks only if necessary, as streams of object stores cannot. */
static bool taco__vsi_sink_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__vsi_sink *s = (taco__vsi_sink *)ctx;
    return (VSIFTellL(s->f) == offset || VSIFSeekL(s->f, offset, SEEK_SET) == 0) &&
           VSIFWriteL(src, 1, len, s->f) == len;
}

/* Frees the sink; its file is closed by now. */
static void taco__vsi_sink_free(taco__vsi_sink *s)
{
    taco__mem mem = s->mem;
    s->name.mem = s->part.mem = &mem;
    taco__buf_free(&s->name);
    taco__buf_free(&s->part);
    taco__mem_free(&mem, s, sizeof *s);
}

/* A file that cannot be renamed is removed. */
static bool taco__vsi_sink_close(void *ctx, bool keep)
{
    taco__vsi_sink *s = (taco__vsi_sink *)ctx;
    const char *part = (const char *)s->part.data;
    bool ok;
    taco__vsi_source_quiet();
    ok = VSIFCloseL(s->f) == 0;
    ok = ok && keep && VSIRename(part, (const char *)s->name.data) == 0;
    if (!ok) { VSIUnlink(part); }
    taco__vsi_source_loud();
    taco__vsi_sink_free(s);
    return ok || !keep;
}

/* Sets s->part to path and ".0123456789abcdef.part": hexadecimal digits from time, process and
   sink, which no other sink in use has. */
static bool taco__vsi_sink_name_part(taco__vsi_sink *s, const char *path, taco_error *err)
{
    taco__buf *out = &s->part;
    uint8_t seed[8];
    char digits[17];
    taco__put_le64(
        seed, ((uint64_t)taco__plat_now() ^ (uint64_t)CPLGetPID() << 40 ^ (uint64_t)(uintptr_t)s) *
                  0x9E3779B97F4A7C15U);
    *taco__ascii_put_hex(digits, seed, sizeof seed) = 0;
    if (!taco__vsi_source_name(out, path, err)) { return false; }
    out->len--;
    return taco__buf_append_char(out, '.', err) && taco__buf_append_text(out, digits, err) &&
           taco__buf_append_text(out, ".part", err) && taco__buf_append_char(out, 0, err);
}

TACO_API taco_status taco_gdal_sink(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    taco__vsi_sink *s;
    memset(out, 0, sizeof *out);
    err = taco__error_fresh(err, &own);
    if (!path || !*path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    taco__mem_init(&mem, opt);
    s = (taco__vsi_sink *)taco__mem_alloc(&mem, sizeof *s, err);
    if (!s) { return TACO_ERR_MEMORY; }
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->name.mem = s->part.mem = &s->mem;
    if (!taco__vsi_source_name(&s->name, path, err) || !taco__vsi_sink_name_part(s, path, err)) {
        taco__vsi_sink_free(s);
        return err->code;
    }
    taco__vsi_source_quiet();
    s->f = VSIFOpenL((const char *)s->part.data, "wb+");
    if (!s->f) { taco__vsi_source_fail(err, TACO_ERR_IO, path, "cannot be written"); }
    taco__vsi_source_loud();
    if (!s->f) {
        taco__vsi_sink_free(s);
        return err->code;
    }
    out->ctx = s;
    out->write = taco__vsi_sink_write;
    out->close = taco__vsi_sink_close;
    return TACO_OK;
}
/* ==== src/gdal/image_read.c ==== */
/* image_read.c - a sample as a GDAL dataset, and windows of an image as arrays

   In: a dataset and a path of keys, or an open image. Out: a GDALDatasetH, or the caller's array
   filled. GDAL "Raster API", GDALDatasetRasterIOEx. */
/* #include "gdal_bridge.h" */

/* ---- a sample as a dataset ---- */

TACO_API GDALDatasetH taco_gdal_open(taco_dataset *ds, const char *path, const char *const *drivers,
                                     taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    /* an empty list, not NULL: GDAL looks for no sidecar files */
    const char *const siblings[] = {NULL};
    taco_sample s;
    GDALDatasetH image;
    if (taco_locate(ds, path, &s, err) != TACO_OK) { return NULL; }
    if (s.folder) {
        taco_bytes name = taco__bytes_text(path);
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "sample %q is a FOLDER, only a FILE is an image", &name);
        return NULL;
    }
    taco__vsi_source_quiet();
    if (GDALGetDriverCount() == 0) { GDALAllRegister(); }
    image = GDALOpenEx(s.vsi, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers,
                       NULL, siblings);
    if (!image) {
        taco__vsi_source_fail(err, TACO_ERR_CORRUPT, s.vsi, "is not an image that GDAL can open");
    }
    taco__vsi_source_loud();
    return image;
}

/* ---- windows ---- */

/* A window with its defaults filled in, and the part of it that is inside the image. */
typedef struct taco__image_part {
    int64_t columns, rows, bands;
    int64_t x0, y0, x1, y1; /* in pixels of the image, x1 and y1 past the end */
    GDALDataType type;
    int64_t item; /* bytes of a value */
    size_t bytes; /* of the array */
} taco__image_part;

/* The part of [at, at + n) in [0, size); empty if they do not overlap. */
static void taco__image_clip(int64_t at, int64_t n, int64_t size, int64_t *first, int64_t *end)
{
    *first = TACO__MIN(TACO__MAX(at, 0), size);
    *end = TACO__MAX(TACO__MIN(at + n, size), *first);
}

/* False for a window without pixels, or with more than any memory can hold. */
static bool taco__image_part_init(taco__image_part *p, GDALDatasetH image,
                                  const taco_gdal_window *w)
{
    /* sums of two positions and sizes then fit int64 */
    const int64_t most = (int64_t)1 << 40;
    int64_t width = GDALGetRasterXSize(image), height = GDALGetRasterYSize(image);
    uint64_t n;
    if (w->x < -most || w->x > most || w->y < -most || w->y > most || w->columns > most ||
        w->rows > most) {
        return false;
    }
    p->columns = w->columns ? w->columns : width - w->x;
    p->rows = w->rows ? w->rows : height - w->y;
    p->bands = w->bands ? (int64_t)w->band_count : GDALGetRasterCount(image);
    p->type = w->type == GDT_Unknown ? GDT_Float64 : w->type;
    p->item = GDALGetDataTypeSizeBytes(p->type);
    if (p->columns <= 0 || p->rows <= 0 || p->bands <= 0 || p->item <= 0) { return false; }
    taco__image_clip(w->x, p->columns, width, &p->x0, &p->x1);
    taco__image_clip(w->y, p->rows, height, &p->y0, &p->y1);
    return taco__checked_mul64((uint64_t)p->columns, (uint64_t)p->rows, &n) &&
           taco__checked_mul64(n, (uint64_t)p->bands, &n) &&
           taco__checked_mul64(n, (uint64_t)p->item, &n) && taco__checked_to_size(n, &p->bytes);
}

/* The same rules as in taco_gdal_read, so that callers can allocate the array. */
TACO_API size_t taco_gdal_window_bytes(GDALDatasetH image, const taco_gdal_window *w)
{
    taco_gdal_window all;
    taco__image_part p;
    memset(&all, 0, sizeof all);
    return image && taco__image_part_init(&p, image, w ? w : &all) ? p.bytes : 0;
}

/* Sets every value of the array to w->fill, converted as GDAL does. */
static void taco__image_fill(const taco__image_part *p, const taco_gdal_window *w, uint8_t *out)
{
    const int64_t most = 1 << 20;
    int64_t left = (int64_t)p->bytes / p->item, n;
    for (; left; left -= n, out += n * p->item) {
        n = TACO__MIN(left, most);
        GDALCopyWords(&w->fill, GDT_Float64, 0, out, p->type, (int)p->item, (int)n);
    }
}

/* Reads the part inside the image to its position in the array. */
static bool taco__image_copy(GDALDatasetH image, const taco__image_part *p,
                             const taco_gdal_window *w, uint8_t *out)
{
    GSpacing line = p->columns * p->item;
    int nx = (int)(p->x1 - p->x0), ny = (int)(p->y1 - p->y0);
    out += (p->y0 - w->y) * line + (p->x0 - w->x) * p->item;
    return GDALDatasetRasterIOEx(image, GF_Read, (int)p->x0, (int)p->y0, nx, ny, out, nx, ny,
                                 p->type, (int)p->bands, (int *)w->bands, p->item, line,
                                 line * p->rows, NULL) == CE_None;
}

/* GDAL refuses windows beyond the edge: the array is filled first, then the part inside is read. */
TACO_API taco_status taco_gdal_read(GDALDatasetH image, const taco_gdal_window *w, void *out,
                                    size_t room, taco_error *err)
{
    taco_gdal_window all;
    taco__image_part p;
    taco_status st = TACO_OK;
    int64_t i;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    w = w ? w : &all;
    if (!image || !taco__image_part_init(&p, image, w)) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                               image ? "a window without pixels, or too large" : "no image given");
    }
    for (i = 0; w->bands && i < p.bands; i++) {
        if (w->bands[i] < 1 || w->bands[i] > GDALGetRasterCount(image)) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "band %d, the image has 1 to %d", TACO__D(w->bands[i]),
                              TACO__D(GDALGetRasterCount(image)));
        }
    }
    if (p.bytes > room) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a window of %u bytes, there is room for %u", TACO__U(p.bytes),
                          TACO__U(room));
    }
    if (p.x1 - p.x0 < p.columns || p.y1 - p.y0 < p.rows) {
        taco__image_fill(&p, w, (uint8_t *)out);
    }
    if (p.x0 == p.x1 || p.y0 == p.y1) { return TACO_OK; }
    taco__vsi_source_quiet();
    if (!taco__image_copy(image, &p, w, (uint8_t *)out)) {
        st = taco__vsi_source_fail(err, TACO_ERR_IO, GDALGetDescription(image), "cannot be read");
    }
    taco__vsi_source_loud();
    return st;
}
/* ==== src/gdal/image_facts.c ==== */
/* image_facts.c - an image's pixels, position and outline, for the writer

   In: an open image. Out: taco_pixels that read it; taco_stac with centroid and footprint in
   degrees, through PROJ. The centroid is the middle of the raster, as in taco_stac_centroid.
   GDAL "Raster API" and "OGRCoordinateTransformation". */
/* #include "gdal_bridge.h" */

/* ---- pixels ---- */

/* Mask values read at a time. */
#define TACO__IMAGE_MASK_PIXELS 4096

/* Makes pixels NaN where the band's mask is 0, whether from nodata, alpha or a mask of the image.
   out has exactly the pixels of rows [y, y + rows) and columns [x, x + columns). */
static bool taco__image_mask(GDALRasterBandH band, int x, int y, int columns, int rows, double *out)
{
    uint8_t valid[TACO__IMAGE_MASK_PIXELS];
    GDALRasterBandH mask = GDALGetMaskBand(band);
    int row, at, n, i;
    for (row = 0; row < rows; row++) {
        for (at = 0; at < columns; at += n, out += n) {
            n = TACO__MIN(columns - at, TACO__IMAGE_MASK_PIXELS);
            if (GDALRasterIO(mask, GF_Read, x + at, y + row, n, 1, valid, n, 1, GDT_Byte, 0, 0) !=
                CE_None) {
                return false;
            }
            for (i = 0; i < n; i++) {
                out[i] = valid[i] ? out[i] : taco__f64_from_bits(0x7FF8000000000000U);
            }
        }
    }
    return true;
}

/* taco_pixels.read: pixels follow row by row, so a range is the end of a row, whole rows, and the
   beginning of one. */
static bool taco__image_pixels(void *ctx, uint32_t number, uint64_t first, double *out, size_t n)
{
    GDALDatasetH image = (GDALDatasetH)ctx;
    GDALRasterBandH band = GDALGetRasterBand(image, (int)number + 1);
    uint64_t width = (uint64_t)GDALGetRasterXSize(image), columns, rows;
    bool masked = !(GDALGetMaskFlags(band) & GMF_ALL_VALID), ok = true;
    taco__vsi_source_quiet();
    for (; ok && n; out += columns * rows, first += columns * rows, n -= (size_t)(columns * rows)) {
        int x = (int)(first % width), y = (int)(first / width);
        columns = TACO__MIN(width - (uint64_t)x, n);
        rows = columns == width ? n / width : 1;
        ok = GDALRasterIO(band, GF_Read, x, y, (int)columns, (int)rows, out, (int)columns,
                          (int)rows, GDT_Float64, 0, 0) == CE_None &&
             (!masked || taco__image_mask(band, x, y, (int)columns, (int)rows, out));
    }
    taco__vsi_source_loud();
    return ok;
}

TACO_API taco_status taco_gdal_pixels(GDALDatasetH image, taco_pixels *out, taco_error *err)
{
    int i, bands = image ? GDALGetRasterCount(image) : 0;
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    if (bands < 1) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                               image ? "the image has no bands" : "no image given");
    }
    for (i = 1; i <= bands; i++) {
        GDALRasterBandH band = GDALGetRasterBand(image, i);
        double scale = GDALGetRasterScale(band, NULL), offset = GDALGetRasterOffset(band, NULL);
        if (GDALDataTypeIsComplex(GDALGetRasterDataType(band))) {
            return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                              "band %d is complex, statistics are of real numbers", TACO__D(i));
        }
        if (i == 1) {
            out->scale = scale;
            out->offset = offset;
        } else if (scale < out->scale || scale > out->scale || offset < out->offset ||
                   offset > out->offset) {
            out->scale = out->offset = 0;
        }
    }
    out->bands = (uint32_t)bands;
    out->count = (uint64_t)GDALGetRasterXSize(image) * (uint64_t)GDALGetRasterYSize(image);
    out->read = taco__image_pixels;
    out->ctx = image;
    return TACO_OK;
}

/* ---- to degrees ---- */

/* Converts n points from a CRS to degrees east and north. Takes ownership of from. */
static bool taco__image_to_degrees(OGRSpatialReferenceH from, size_t n, double *x, double *y)
{
    OGRSpatialReferenceH to = OSRNewSpatialReference(NULL);
    OGRCoordinateTransformationH moved = NULL;
    bool ok = from && to && OSRImportFromEPSG(to, 4326) == OGRERR_NONE;
    size_t i;
    if (ok) {
        OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
        OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
        moved = OCTNewCoordinateTransformation(from, to);
    }
    ok = moved && OCTTransform(moved, (int)n, x, y, NULL);
    for (i = 0; ok && i < n; i++) {
        ok = x[i] >= -360 && x[i] <= 360 && y[i] >= -90 && y[i] <= 90;
    }
    if (moved) { OCTDestroyCoordinateTransformation(moved); }
    if (from) { OSRDestroySpatialReference(from); }
    if (to) { OSRDestroySpatialReference(to); }
    return ok;
}

TACO_API bool taco_gdal_lonlat(void *ctx, const char *crs, double x, double y, double out[2])
{
    OGRSpatialReferenceH from;
    bool ok;
    (void)ctx;
    if (!crs || !out) { return false; }
    taco__vsi_source_quiet();
    from = OSRNewSpatialReference(NULL);
    if (from && OSRSetFromUserInput(from, crs) != OGRERR_NONE) {
        OSRDestroySpatialReference(from);
        from = NULL;
    }
    out[0] = x;
    out[1] = y;
    ok = taco__image_to_degrees(from, 1, &out[0], &out[1]);
    taco__vsi_source_loud();
    return ok;
}

/* ---- facts ---- */

#define TACO__IMAGE_EDGE   16                       /* points on an edge, without its end */
#define TACO__IMAGE_CORNER (4 * TACO__IMAGE_EDGE)   /* points of the outline, including */
#define TACO__IMAGE_POINTS (TACO__IMAGE_CORNER + 1) /* the first one again */
#define TACO__IMAGE_ALL    (TACO__IMAGE_POINTS + 1) /* and with the middle of the raster */

TACO__STATIC_ASSERT(footprint, TACO_GDAL_FOOTPRINT_BYTES == 13 + 16 * TACO__IMAGE_POINTS);

/* The outline in the image's CRS, counterclockwise if north is up: from the upper left corner down,
   east, up, and west; then the middle. */
static void taco__image_outline(const taco_stac *s, double *x, double *y)
{
    static const double corner[5][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const double *g = s->geotransform;
    size_t i;
    for (i = 0; i < TACO__IMAGE_ALL; i++) {
        size_t edge = TACO__MIN(i, TACO__IMAGE_CORNER - 1) / TACO__IMAGE_EDGE;
        double t = (double)(i - edge * TACO__IMAGE_EDGE) / TACO__IMAGE_EDGE;
        double column = corner[edge][0] + t * (corner[edge + 1][0] - corner[edge][0]);
        double row = corner[edge][1] + t * (corner[edge + 1][1] - corner[edge][1]);
        if (i == TACO__IMAGE_POINTS) { column = row = 0.5; }
        column *= (double)s->shape[2];
        row *= (double)s->shape[1];
        x[i] = g[0] + g[1] * column + g[2] * row;
        y[i] = g[3] + g[4] * column + g[5] * row;
    }
}

/* WKB of a polygon with one ring (OGC 06-103r4 §8.2.6), and its box. */
static void taco__image_footprint(taco_gdal_facts *f, const double *x, const double *y)
{
    uint8_t *p = f->footprint;
    size_t i;
    *p = 1;
    taco__put_le32(p + 1, 3);
    taco__put_le32(p + 5, 1);
    taco__put_le32(p + 9, TACO__IMAGE_POINTS);
    p += 13;
    f->box[0] = f->box[2] = x[0];
    f->box[1] = f->box[3] = y[0];
    for (i = 0; i < TACO__IMAGE_POINTS; i++, p += 16) {
        taco__put_le64(p, taco__f64_to_bits(x[i]));
        taco__put_le64(p + 8, taco__f64_to_bits(y[i]));
        f->box[0] = TACO__MIN(f->box[0], x[i]);
        f->box[1] = TACO__MIN(f->box[1], y[i]);
        f->box[2] = TACO__MAX(f->box[2], x[i]);
        f->box[3] = TACO__MAX(f->box[3], y[i]);
    }
    f->footprint_len = (size_t)(p - f->footprint);
}

/* The code of the CRS if it has one that fits, else its WKT, which the image owns. */
static const char *taco__image_crs(GDALDatasetH image, OGRSpatialReferenceH crs, taco_gdal_facts *f)
{
    const char *authority = OSRGetAuthorityName(crs, NULL), *code = OSRGetAuthorityCode(crs, NULL);
    size_t a = authority ? strlen(authority) : 0, n = code ? strlen(code) : 0;
    if (a == 0 || n == 0 || a + n + 2 > sizeof f->code) { return GDALGetProjectionRef(image); }
    memcpy(f->code, authority, a);
    f->code[a] = ':';
    memcpy(f->code + a + 1, code, n + 1);
    return f->code;
}

TACO_API taco_status taco_gdal_describe(GDALDatasetH image, taco_gdal_facts *out, taco_error *err)
{
    double x[TACO__IMAGE_ALL], y[TACO__IMAGE_ALL];
    err = taco__error_fresh(err, NULL);
    OGRSpatialReferenceH crs = image ? GDALGetSpatialRef(image) : NULL;
    bool ok;
    memset(out, 0, sizeof *out);
    if (!image) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no image given");
    }
    if (!crs || GDALGetGeoTransform(image, out->stac.geotransform) != CE_None) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: the image has no %s",
                          GDALGetDescription(image), crs ? "geotransform" : "CRS");
    }
    out->stac.crs = taco__image_crs(image, crs, out);
    out->shape[0] = GDALGetRasterCount(image);
    out->shape[1] = GDALGetRasterYSize(image);
    out->shape[2] = GDALGetRasterXSize(image);
    out->stac.shape = out->shape;
    out->stac.dimensions = 3;
    taco__image_outline(&out->stac, x, y);
    taco__vsi_source_quiet();
    ok = taco__image_to_degrees(OSRClone(crs), TACO__IMAGE_ALL, x, y);
    if (!ok) {
        taco__vsi_source_fail(err, TACO_ERR_CORRUPT, GDALGetDescription(image),
                              "the outline cannot be turned into degrees");
    }
    taco__vsi_source_loud();
    if (!ok) { return TACO_ERR_CORRUPT; }
    taco__image_footprint(out, x, y);
    out->centroid[0] = x[TACO__IMAGE_POINTS];
    out->centroid[1] = y[TACO__IMAGE_POINTS];
    out->stac.centroid = out->centroid;
    return TACO_OK;
}
/* ==== src/gdal/vsitaco_path.c ==== */
/* vsitaco_path.c - splits DATASET/ID/ID, the part of a path after /vsitaco/

   The dataset's path may contain slashes itself. It ends with the first component that names a
   dataset, or is in braces, as in GDAL's /vsizip/{...}/ ("Virtual File Systems"). */
/* #include "gdal_bridge.h" */

/* True if `part` can end the path of an archive or a catalogue. */
static bool taco__vsitaco_is_dataset(taco_bytes part)
{
    static const char *const ends[] = {".tacozip", ".zip", ".tortilla", ".tacocat"};
    size_t i, n;
    if (taco__bytes_equal(part, taco__bytes_text("__TACOCAT__"))) { return true; }
    for (i = 0; i < TACO__COUNT(ends); i++) {
        n = strlen(ends[i]);
        if (part.len >= n && memcmp(part.data + part.len - n, ends[i], n) == 0) { return true; }
    }
    return false;
}

/* True if the first len bytes of path name a local directory with a COLLECTION.json. */
static bool taco__vsitaco_is_folder(taco__buf *name, const char *path, size_t len)
{
    VSIStatBufL st;
    name->len = 0;
    return taco__buf_append(name, path, len, NULL) &&
           taco__buf_append_text(name, "/COLLECTION.json", NULL) &&
           taco__buf_append_char(name, 0, NULL) &&
           VSIStatExL((const char *)name->data, &st, VSI_STAT_EXISTS_FLAG) == 0;
}

/* Length of the dataset's part of path; 0 if there is none. Only local directories are looked for,
   which makes no requests. */
static size_t taco__vsitaco_end(taco__buf *name, const char *path)
{
    bool local = !taco__vsi_is_remote(taco__bytes_text(path));
    size_t i, from, len = strlen(path);
    for (i = from = 0; i <= len; i++) {
        if (i < len && path[i] != '/') { continue; }
        if (taco__vsitaco_is_dataset(taco__bytes_of(path + from, i - from))) { return i; }
        from = i + 1;
    }
    for (i = 1; local && i <= len; i++) {
        if ((i == len || path[i] == '/') && taco__vsitaco_is_folder(name, path, i)) { return i; }
    }
    return 0;
}

TACO__FN bool taco__vsitaco_split(taco__vsitaco_path *p, const char *path)
{
    const char *close = *path == '{' ? strchr(path, '}') : NULL;
    const char *from = close ? path + 1 : path;
    size_t n = close ? (size_t)(close - from) : taco__vsitaco_end(&p->text, path);
    const char *keys = close ? close + 1 : path + n;
    size_t len = strlen(keys);
    /* opening a dataset inside a dataset would deadlock */
    if (n == 0 || taco__bytes_starts_with(taco__bytes_of(from, n), "/vsitaco/")) { return false; }
    while (len && *keys == '/') {
        keys++;
        len--;
    }
    while (len && keys[len - 1] == '/') {
        len--;
    }
    p->text.len = 0;
    if (!taco__buf_append(&p->text, from, n, NULL) || !taco__buf_append_char(&p->text, 0, NULL) ||
        !taco__buf_append(&p->text, keys, len, NULL) || !taco__buf_append_char(&p->text, 0, NULL)) {
        return false;
    }
    p->dataset = (const char *)p->text.data;
    p->keys = p->dataset + n + 1;
    return true;
}
/* ==== src/gdal/vsitaco.c ==== */
/* vsitaco.c - the file system /vsitaco/: samples as files, FOLDERs as directories

   In: paths that GDAL opens, from any of its threads. Out: files, which GDAL itself opens by the
   /vsisubfile/ or plain path from taco_locate, so that reads take none of our locks. Positions and
   listings come from datasets that are kept open and used by one thread at a time. GDAL
   "VSIInstallPluginHandler". */
/* #include "gdal_bridge.h" */

#define TACO__VSITACO_OPEN 16 /* most datasets kept open */

/* st_mode, the same on all systems that GDAL runs on. */
#define TACO__VSITACO_DIRECTORY 0040000
#define TACO__VSITACO_REGULAR   0100000

/* An open dataset. */
typedef struct taco__vsitaco_entry {
    taco_dataset *ds; /* NULL: the slot is free */
    char *name;
    uint64_t size, used; /* size of the file; time of last use */
    int64_t changed;     /* modification time of the file */
} taco__vsitaco_entry;

struct taco_gdal_files {
    taco__mem mem;
    taco_options options;
    CPLMutex *lock; /* protects all members below */
    taco__vsitaco_entry open[TACO__VSITACO_OPEN];
    uint64_t asked;
    taco__vsitaco_path path; /* path of the call that holds the lock */
};

/* ---- datasets ---- */

/* Frees a slot; does nothing if it is free already. */
static void taco__vsitaco_close(taco_gdal_files *g, taco__vsitaco_entry *e)
{
    taco_close(e->ds);
    if (e->name) { taco__mem_free(&g->mem, e->name, strlen(e->name) + 1); }
    memset(e, 0, sizeof *e);
}

/* Size and modification time of a local file; zeros for anything else. */
static void taco__vsitaco_stamp(const char *name, uint64_t *size, int64_t *changed)
{
    VSIStatBufL st;
    *size = 0;
    *changed = 0;
    if (taco__vsi_is_remote(taco__bytes_text(name)) || VSIStatL(name, &st) != 0) { return; }
    *size = (uint64_t)st.st_size;
    *changed = (int64_t)st.st_mtime;
}

/* Opens a dataset in a free slot. */
static bool taco__vsitaco_fill(taco_gdal_files *g, taco__vsitaco_entry *e, const char *name,
                               taco_error *err)
{
    size_t n = strlen(name) + 1;
    e->name = (char *)taco__mem_alloc(&g->mem, n, err);
    if (!e->name) { return false; }
    memcpy(e->name, name, n);
    e->ds = taco_open(name, &g->options, err);
    if (!e->ds) { taco__vsitaco_close(g, e); }
    return e->ds != NULL;
}

/* The dataset of that name: an open one that has not changed, or else a new one, which replaces the
   least recently used. NULL on failure. */
static taco__vsitaco_entry *taco__vsitaco_dataset(taco_gdal_files *g, const char *name,
                                                  taco_error *err)
{
    taco__vsitaco_entry *e, *oldest = &g->open[0];
    uint64_t size;
    int64_t changed;
    size_t i;
    taco__vsitaco_stamp(name, &size, &changed);
    for (i = 0; i < TACO__VSITACO_OPEN; i++) {
        e = &g->open[i];
        if (e->ds && strcmp(e->name, name) == 0) {
            e->used = ++g->asked;
            if (e->size == size && e->changed == changed) { return e; }
            oldest = e;
            break;
        }
        if (e->used < oldest->used) { oldest = e; }
    }
    taco__vsitaco_close(g, oldest);
    if (!taco__vsitaco_fill(g, oldest, name, err)) { return NULL; }
    oldest->size = size;
    oldest->changed = changed;
    oldest->used = ++g->asked;
    return oldest;
}

/* Takes the lock, and finds the sample of a path. The caller must always call
   taco__vsitaco_leave. */
static taco__vsitaco_entry *taco__vsitaco_enter(taco_gdal_files *g, const char *path,
                                                taco_sample *s, taco_error *err)
{
    taco__vsitaco_entry *e;
    CPLAcquireMutex(g->lock, 1000.0);
    taco__vsi_source_quiet();
    if (!taco__vsitaco_split(&g->path, path)) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no dataset in this path");
        return NULL;
    }
    e = taco__vsitaco_dataset(g, g->path.dataset, err);
    return e && taco_locate(e->ds, g->path.keys, s, err) == TACO_OK ? e : NULL;
}

static void taco__vsitaco_leave(taco_gdal_files *g)
{
    taco__vsi_source_loud();
    CPLReleaseMutex(g->lock);
}

/* ---- what GDAL calls ---- */

/* Only whole files of FOLDER datasets need a stat; sizes in archives are known. */
static int taco__vsitaco_stat(void *ctx, const char *path, VSIStatBufL *st, int flags)
{
    taco_gdal_files *g = (taco_gdal_files *)ctx;
    taco__vsitaco_entry *e;
    taco_sample s;
    int result = -1;
    memset(st, 0, sizeof *st);
    e = taco__vsitaco_enter(g, path, &s, NULL);
    if (e) {
        result = 0;
        st->st_mode = s.folder ? TACO__VSITACO_DIRECTORY : TACO__VSITACO_REGULAR;
        if (!s.folder) { st->st_size = (int64_t)s.size; }
        if (!s.folder && s.whole) { result = VSIStatExL(s.vsi, st, flags); }
        st->st_mtime = (time_t)e->changed;
    }
    taco__vsitaco_leave(g);
    return result;
}

/* Errors other than "no such sample" are passed on to GDAL, whose tools print them; otherwise they
   print errno. */
static void *taco__vsitaco_open(void *ctx, const char *path, const char *access)
{
    taco_gdal_files *g = (taco_gdal_files *)ctx;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sample s;
    void *f = NULL;
    if (strchr(access, 'w') || strchr(access, 'a') || strchr(access, '+')) { return NULL; }
    if (taco__vsitaco_enter(g, path, &s, &err) && !s.folder) { f = VSIFOpenL(s.vsi, "rb"); }
    taco__vsitaco_leave(g);
    if (err.code != TACO_OK && err.code != TACO_ERR_NOT_FOUND) {
        CPLError(CE_Failure, CPLE_OpenFailed, "/vsitaco/%s: %s", path, taco_error_text(&err));
    }
    if (!f) { errno = ENOENT; }
    return f;
}

/* Appends a string to a GDAL list of known length and capacity; CSLAddString would count it each
   time. */
static char **taco__vsitaco_add(char **list, size_t *n, size_t *room, const char *text)
{
    if (*n + 1 >= *room) {
        *room = *room ? 2 * *room : 16;
        list = (char **)CPLRealloc(list, *room * sizeof *list);
    }
    list[(*n)++] = CPLStrdup(text);
    list[*n] = NULL;
    return list;
}

/* The ids of a FOLDER's samples, as keys of a path. */
static char **taco__vsitaco_list(taco_gdal_files *g, taco_dataset *ds, int most)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_cursor *row = taco_read(ds, g->path.keys, false, &err);
    taco__buf key = {NULL, NULL, 0, 0};
    char **list = NULL;
    size_t n = 0, room = 0;
    taco_bytes id;
    key.mem = &g->mem;
    while ((most <= 0 || n <= (size_t)most) && taco_cursor_next(row)) {
        key.len = 0;
        if (taco_cursor_bytes(row, "id", &id) && taco__nav_append_key(&key, id, &err) &&
            taco__buf_append_char(&key, 0, &err)) {
            list = taco__vsitaco_add(list, &n, &room, (const char *)key.data);
        }
    }
    taco_cursor_close(row, &err);
    taco__buf_free(&key);
    return list;
}

/* NULL if it is not a directory, which GDAL does not treat as an error. */
static char **taco__vsitaco_read_dir(void *ctx, const char *path, int most)
{
    taco_gdal_files *g = (taco_gdal_files *)ctx;
    taco_sample s;
    taco__vsitaco_entry *e = taco__vsitaco_enter(g, path, &s, NULL);
    char **list = e && s.folder ? taco__vsitaco_list(g, e->ds, most) : NULL;
    taco__vsitaco_leave(g);
    return list;
}

/* The handle of a file is the one from VSIFOpenL. */
static vsi_l_offset taco__vsitaco_tell(void *f)
{
    return VSIFTellL((VSILFILE *)f);
}

static int taco__vsitaco_seek(void *f, vsi_l_offset offset, int whence)
{
    return VSIFSeekL((VSILFILE *)f, offset, whence);
}

static size_t taco__vsitaco_read(void *f, void *dst, size_t size, size_t count)
{
    return VSIFReadL(dst, size, count, (VSILFILE *)f);
}

static int taco__vsitaco_read_many(void *f, int n, void **data, const vsi_l_offset *offsets,
                                   const size_t *sizes)
{
    return VSIFReadMultiRangeL(n, data, offsets, sizes, (VSILFILE *)f);
}

static int taco__vsitaco_eof(void *f)
{
    return VSIFEofL((VSILFILE *)f);
}

static int taco__vsitaco_close_file(void *f)
{
    return VSIFCloseL((VSILFILE *)f);
}

/* ---- install ---- */

/* Registers the functions above with GDAL. */
static bool taco__vsitaco_register(taco_gdal_files *g)
{
    VSIFilesystemPluginCallbacksStruct *calls = VSIAllocFilesystemPluginCallbacksStruct();
    bool ok;
    if (!calls) { return false; }
    calls->pUserData = g;
    calls->stat = taco__vsitaco_stat;
    calls->read_dir = taco__vsitaco_read_dir;
    calls->open = taco__vsitaco_open;
    calls->tell = taco__vsitaco_tell;
    calls->seek = taco__vsitaco_seek;
    calls->read = taco__vsitaco_read;
    calls->read_multi_range = taco__vsitaco_read_many;
    calls->eof = taco__vsitaco_eof;
    calls->close = taco__vsitaco_close_file;
    ok = VSIInstallPluginHandler("/vsitaco/", calls) == 0;
    VSIFreeFilesystemPluginCallbacksStruct(calls);
    return ok;
}

TACO_API taco_gdal_files *taco_gdal_install(const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_gdal_files *g;
    char **known = VSIGetFileSystemsPrefixes();
    bool there = CSLFindString(known, "/vsitaco/") >= 0;
    err = taco__error_fresh(err, NULL);
    CSLDestroy(known);
    if (there) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "/vsitaco/ is installed already");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    g = (taco_gdal_files *)taco__mem_alloc(&mem, sizeof *g, err);
    if (!g) { return NULL; }
    memset(g, 0, sizeof *g);
    g->mem = mem;
    g->path.text.mem = &g->mem;
    if (opt) { g->options = *opt; }
    if (!g->options.open_file) { g->options.open_file = taco_gdal_open_file; }
    g->lock = CPLCreateMutex();
    if (g->lock) { CPLReleaseMutex(g->lock); }
    if (!g->lock || !taco__vsitaco_register(g)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "GDAL does not take the file system");
        taco_gdal_uninstall(g);
        return NULL;
    }
    return g;
}

TACO_API void taco_gdal_uninstall(taco_gdal_files *files)
{
    taco__mem mem;
    size_t i;
    if (!files) { return; }
    for (i = 0; i < TACO__VSITACO_OPEN; i++) {
        taco__vsitaco_close(files, &files->open[i]);
    }
    taco__buf_free(&files->path.text);
    if (files->lock) { CPLDestroyMutex(files->lock); }
    mem = files->mem;
    taco__mem_free(&mem, files, sizeof *files);
}
#endif /* TACO_IMPLEMENTATION */
