/* image_read.c - a sample as a GDAL dataset, and windows of an image as arrays

   In: a dataset and a path of keys, or an open image. Out: a GDALDatasetH, or the caller's array
   filled. GDAL "Raster API", GDALDatasetRasterIOEx. */
#include "gdal_bridge.h"

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
