/* tiff_json.c - directories, tags and geo keys of the first image.. Spec: TIFF 6.0, BigTIFF, OGC
   19-008r4 */
#include "tiff.h"
#include "../base/base.h"

/* ---- JSON ---- */

/* NaN and the infinities are words in quotes. */
static bool taco__tiff_json_append_double(taco_tiff *t, double x, taco_error *err)
{
    char text[40];
    size_t n;
    text[0] = '"';
    n = taco__num_format_f64(text + 1, x);
    if (x - x < 0 || x - x > 0 || x - x != x - x) {
        text[n + 1] = '"';
        return taco__buf_append(&t->json, text, n + 2, err);
    }
    return taco__buf_append(&t->json, text + 1, n, err);
}

static bool taco__tiff_json_append_doubles(taco_tiff *t, const char *name, const double *v,
                                           size_t n, taco_error *err)
{
    bool ok = taco__buf_append_text(&t->json, name, err);
    size_t i;
    if (!v) { return ok && taco__buf_append_text(&t->json, "null", err); }
    for (i = 0; ok && i < n; i++) {
        ok = taco__buf_append_char(&t->json, i ? ',' : '[', err) &&
             taco__tiff_json_append_double(t, v[i], err);
    }
    return ok && taco__buf_append_text(&t->json, n ? "]" : "[]", err);
}

static bool taco__tiff_json_append_number(taco_tiff *t, const char *name, bool there, uint64_t x,
                                          taco_error *err)
{
    char text[24];
    return taco__buf_append_text(&t->json, name, err) &&
           (there ? taco__buf_append(&t->json, text, taco__num_format_u64(text, x), err)
                  : taco__buf_append_text(&t->json, "null", err));
}

static bool taco__tiff_json_append_numbers(taco_tiff *t, const char *name, const uint64_t *v,
                                           const uint32_t *narrow, size_t n, taco_error *err)
{
    bool ok = taco__buf_append_text(&t->json, name, err);
    size_t i;
    if (!v && !narrow) { return ok && taco__buf_append_text(&t->json, "null", err); }
    for (i = 0; ok && i < n; i++) {
        ok = taco__tiff_json_append_number(t, i ? "," : "[", true, v ? v[i] : narrow[i], err);
    }
    return ok && taco__buf_append_text(&t->json, n ? "]" : "[]", err);
}

static bool taco__tiff_json_append_header(taco_tiff *t, taco_error *err)
{
    const taco_tiff_header *h = &t->h;
    t->json.len = 0;
    return taco__tiff_json_append_number(t, "{\"image_width\":", true, h->image_width, err) &&
           taco__tiff_json_append_number(t, ",\"image_height\":", true, h->image_height, err) &&
           taco__tiff_json_append_number(t, ",\"tile_width\":", true, h->tile_width, err) &&
           taco__tiff_json_append_number(t, ",\"tile_height\":", true, h->tile_height, err) &&
           taco__buf_append_text(&t->json, h->dtype ? ",\"dtype\":\"" : ",\"dtype\":null", err) &&
           taco__buf_append_text(&t->json, h->dtype ? h->dtype : "", err) &&
           taco__buf_append_text(&t->json, h->dtype ? "\"" : "", err) &&
           taco__tiff_json_append_doubles(
               t, ",\"transform\":", h->has_transform ? h->transform : NULL, 4, err) &&
           taco__tiff_json_append_number(t, ",\"predictor\":", true, h->predictor, err) &&
           taco__tiff_json_append_number(t, ",\"compression\":", true, h->compression, err) &&
           taco__tiff_json_append_numbers(t, ",\"tile_offsets\":", h->tile_offsets, NULL,
                                          h->tile_offset_count, err) &&
           taco__tiff_json_append_numbers(t, ",\"tile_byte_counts\":", h->tile_byte_counts, NULL,
                                          h->tile_byte_count_count, err) &&
           taco__tiff_json_append_doubles(
               t, ",\"pixel_scale\":", h->has_scale ? h->pixel_scale : NULL, 3, err) &&
           taco__tiff_json_append_doubles(t, ",\"tiepoint\":", h->tiepoints, h->tiepoint_count,
                                          err) &&
           taco__buf_append_text(&t->json, ",\"nodata\":", err) &&
           (h->has_nodata ? taco__tiff_json_append_double(t, h->nodata, err)
                          : taco__buf_append_text(&t->json, "null", err)) &&
           taco__tiff_json_append_number(t, ",\"samples_per_pixel\":", true, h->samples_per_pixel,
                                         err) &&
           taco__tiff_json_append_number(t, ",\"planar_configuration\":", true,
                                         h->planar_configuration, err) &&
           taco__tiff_json_append_number(t, ",\"photometric\":", h->has_photometric, h->photometric,
                                         err) &&
           taco__tiff_json_append_numbers(t, ",\"extra_samples\":", NULL, h->extra_samples,
                                          h->extra_sample_count, err) &&
           taco__tiff_json_append_number(t, ",\"proj:epsg\":", h->epsg != 0, (uint64_t)h->epsg,
                                         err) &&
           taco__buf_append_text(&t->json, h->crs[0] ? ",\"crs\":\"" : ",\"crs\":null", err) &&
           taco__buf_append_text(&t->json, h->crs, err) &&
           taco__buf_append_text(&t->json, h->crs[0] ? "\"" : "", err) &&
           taco__tiff_json_append_doubles(
               t, ",\"geotransform\":", h->has_geotransform ? h->geotransform : NULL, 6, err) &&
           taco__buf_append_char(&t->json, '}', err) && taco__buf_append_char(&t->json, 0, err);
}

TACO_API taco_bytes taco_tiff_json(taco_tiff *t, taco_error *err)
{
    taco_bytes none = {NULL, 0};
    if (!t || !taco__tiff_json_append_header(t, err)) {
        if (!t) { (void)taco__tiff_fail_null(err); }
        return none;
    }
    return taco__bytes_of(t->json.data, t->json.len - 1);
}
