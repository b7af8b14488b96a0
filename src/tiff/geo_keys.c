/* geo_keys.c - CRS and geotransform of a TIFF

   In: GeoKeyDirectory, GeoDoubleParams, GeoAsciiParams, ModelPixelScale, ModelTiepoint and
   ModelTransformation (tiff_read.c); out: epsg and crs, geotransform (GDAL's six numbers) and
   transform (Rasteret's four, if there is no rotation) in t->h. OGC 19-008r4 (GeoTIFF 1.1) §7.

   Missing or odd georeferencing is not an error: t->unplaced says why there is no transform, for
   the calls that need one. The origin is the corner of the first pixel; if a file gives its centre
   (GTRasterType 2), it is shifted by half a pixel. */
#include "tiff.h"
#include "../base/base.h"

/* The value of a geo key with one number (OGC 19-008r4 §7.1.2), stored in place or in
   GeoDoubleParams. */
static bool taco__geo_keys_get_code(const taco_tiff *t, unsigned id, uint32_t *out)
{
    const taco__tiff_entry *e = &t->tag[TACO__TIFF_KEYS], *d = &t->tag[TACO__TIFF_DOUBLES];
    const uint8_t *p = taco__tiff_values(t, TACO__TIFF_KEYS);
    const uint8_t *q = taco__tiff_values(t, TACO__TIFF_DOUBLES);
    size_t i, n = e->len / 2;
    if (!p || e->type != 3 || n < 4) { return false; }
    /* A header of four SHORTs, the last the number of keys; then four per key: id, location of the
       value, count, value. */
    n = TACO__MIN(n / 4 - 1, (size_t)taco__tiff_load_u16(t, p + 6));
    for (i = 1; i <= n; i++) {
        const uint8_t *k = p + 8 * i;
        unsigned where = taco__tiff_load_u16(t, k + 2), value = taco__tiff_load_u16(t, k + 6);
        size_t size = taco__tiff_type_size(d->type);
        if (taco__tiff_load_u16(t, k) != id || taco__tiff_load_u16(t, k + 4) != 1) { continue; }
        if (where == 0) { /* TIFFTagLocation 0: the value is stored in place of the offset */
            *out = value;
            return true;
        }
        if (where == 34736 && q && value < d->len / size) {
            double x = taco__tiff_load_double(t, d->type, q + value * size);
            if (x >= 0 && x <= 2147483647.0) {
                *out = (uint32_t)x;
                return true;
            }
        }
        return false;
    }
    return false;
}

/* Sets epsg and crs from ID["EPSG",n] in GeoAsciiParams, else from the key of the projected CRS,
   else from that of the geographic one. */
TACO__FN void taco__geo_keys_read_crs(taco_tiff *t)
{
    taco_bytes text = taco__tiff_get_text(t, TACO__TIFF_ASCII);
    size_t at = taco__tiff_find_text(text, "ID[\"EPSG\",");
    uint32_t code = 0;
    uint64_t x;
    if (at != SIZE_MAX) {
        size_t i = at + 10, end;
        for (end = i; end < text.len && taco__ascii_is_digit(text.data[end]); end++) {}
        if (end < text.len && text.data[end] == ']' &&
            taco__num_parse_u64(taco__bytes_of(text.data + i, end - i), &x) && x <= INT32_MAX) {
            code = (uint32_t)x;
        }
    }
    /* ProjectedCRSGeoKey */
    if (code == 0 && !(taco__geo_keys_get_code(t, 3072, &code) && code)) {
        code = 0;
        (void)taco__geo_keys_get_code(t, 2048, &code); /* GeodeticCRSGeoKey */
    }
    t->h.epsg = (int32_t)code;
    if (code && code != 32767) { /* 32767 is "user-defined": other keys describe the CRS */
        memcpy(t->h.crs, "EPSG:", 5);
        t->h.crs[5 + taco__num_format_u64(t->h.crs + 5, code)] = 0;
    }
}

/* Computes the geotransform from scale and tie points. All points must give the same corner, so
   that one pixel size holds everywhere; otherwise false, with t->unplaced set. */
static bool taco__geo_keys_read_tiepoints(taco_tiff *t, double g[6])
{
    const taco_tiff_header *h = &t->h;
    size_t i;
    if (h->has_scale && h->tiepoint_count % 6) {
        t->unplaced = "its ModelTiepoint does not hold 6 numbers a point";
        return false;
    }
    if (!h->has_scale || h->tiepoint_count < 6) {
        t->unplaced = "no georeferencing: neither ModelTransformation nor ModelPixelScale with "
                      "ModelTiepoint";
        return false;
    }
    g[1] = h->pixel_scale[0];
    /* ScaleY is positive if north is up, but rows count southwards */
    g[5] = -h->pixel_scale[1];
    g[2] = g[4] = 0;
    for (i = 0; i + 6 <= h->tiepoint_count; i += 6) {
        const double *p = h->tiepoints + i;
        double x = p[3] - p[0] * g[1], y = p[4] - p[1] * g[5];
        if (i == 0) {
            g[0] = x;
            g[3] = y;
        } else if (!(x - g[0] <= 1e-6 && g[0] - x <= 1e-6 && y - g[3] <= 1e-6 &&
                     g[3] - y <= 1e-6)) {
            t->unplaced = "its tie points do not agree on one origin";
            return false;
        }
    }
    return true;
}

/* True for a matrix that only scales and shifts x and y. */
static bool taco__geo_keys_is_axis_aligned(const double m[16])
{
    static const uint8_t zero[10] = {1, 2, 4, 6, 8, 9, 11, 12, 13, 14};
    size_t i;
    for (i = 0; i < sizeof zero; i++) {
        if (!(m[zero[i]] <= 1e-12 && m[zero[i]] >= -1e-12)) { return false; }
    }
    return m[15] - 1 <= 1e-12 && 1 - m[15] <= 1e-12;
}

/* Sets geotransform and transform, or t->unplaced. False only when memory runs out. */
TACO__FN bool taco__geo_keys_read_transform(taco_tiff *t, taco_error *err)
{
    taco_tiff_header *h = &t->h;
    const double *scale = NULL, *m = NULL;
    double *g = h->geotransform;
    size_t scales = 0, ms = 0;
    uint32_t raster = 0;
    if (!taco__tiff_get_doubles(t, TACO__TIFF_SCALE, &scale, &scales, err) ||
        !taco__tiff_get_doubles(t, TACO__TIFF_TIEPOINTS, &h->tiepoints, &h->tiepoint_count, err) ||
        !taco__tiff_get_doubles(t, TACO__TIFF_MATRIX, &m, &ms, err)) {
        return false;
    }
    h->has_scale = scales >= 2;
    h->has_matrix = ms == 16;
    if (h->has_scale) {
        memcpy(h->pixel_scale, scale, TACO__MIN(scales, (size_t)3) * sizeof *scale);
    }
    h->pixel_is_point =
        taco__geo_keys_get_code(t, 1025, &raster) && raster == 2; /* GTRasterTypeGeoKey */
    /* A file should have one of the two forms; if it has both, the matrix wins. */
    if (h->has_matrix) {
        memcpy(h->matrix, m, sizeof h->matrix);
        g[0] = m[3];
        g[1] = m[0];
        g[2] = m[1];
        g[3] = m[7];
        g[4] = m[4];
        g[5] = m[5];
        h->has_transform = taco__geo_keys_is_axis_aligned(m);
        t->unplaced = h->has_transform ? NULL : "its ModelTransformation rotates or shears";
    } else if (ms) {
        t->unplaced = "its ModelTransformation does not hold 16 numbers";
        return true;
    } else if (!taco__geo_keys_read_tiepoints(t, g)) {
        return true;
    } else {
        h->has_transform = true;
    }
    h->has_geotransform = true;
    if (h->pixel_is_point) {
        g[0] -= (g[1] + g[2]) / 2;
        g[3] -= (g[4] + g[5]) / 2;
    }
    h->transform[0] = g[1];
    h->transform[1] = g[0];
    h->transform[2] = g[5];
    h->transform[3] = g[3];
    return true;
}
