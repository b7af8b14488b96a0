/* image_facts.c - an image's pixels, position and outline, for the writer

   In: an open image. Out: taco_pixels that read it; taco_stac with centroid and footprint in
   degrees, through PROJ. The centroid is the middle of the raster, as in taco_stac_centroid.
   GDAL "Raster API" and "OGRCoordinateTransformation". */
#include "gdal_bridge.h"

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
