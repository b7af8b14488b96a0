/* tiff_json.c - the header of a TIFF as one JSON object

   In: an open taco_tiff; out: text with the names of a Rasteret {band}_metadata column, and
   proj:epsg, crs and geotransform; it lives as long as the handle. What a file lacks is null;
   nodata that is NaN or infinite is a quoted word. */
#include "tiff.h"
#include "../base/base.h"
#include "../base/json.h"

/* n numbers as an array, those of the pointer that is not NULL; null if all are. */
static void taco__tiff_json_array(taco__json_writer *w, const char *key, const double *v,
                                  const uint64_t *wide, const uint32_t *narrow, size_t n)
{
    size_t i;
    if (!v && !wide && !narrow) {
        taco__json_write_text(w, key, NULL);
        return;
    }
    taco__json_write_begin(w, key, '[');
    for (i = 0; i < n; i++) {
        if (v) {
            taco__json_write_double(w, NULL, v[i]);
        } else {
            taco__json_write_u64(w, NULL, wide ? wide[i] : narrow[i]);
        }
    }
    taco__json_write_end(w, ']');
}

static void taco__tiff_json_doubles(taco__json_writer *w, const char *key, const double *v,
                                    size_t n)
{
    taco__tiff_json_array(w, key, v, NULL, NULL, n);
}

/* A number that may be missing. */
static void taco__tiff_json_optional(taco__json_writer *w, const char *key, bool there, uint64_t x)
{
    if (there) {
        taco__json_write_u64(w, key, x);
    } else {
        taco__json_write_text(w, key, NULL);
    }
}

/* Sizes, type and tiles: Rasteret's first members, in its order. */
static void taco__tiff_json_image(taco__json_writer *w, const taco_tiff_header *h)
{
    taco__json_write_u64(w, "image_width", h->image_width);
    taco__json_write_u64(w, "image_height", h->image_height);
    taco__json_write_u64(w, "tile_width", h->tile_width);
    taco__json_write_u64(w, "tile_height", h->tile_height);
    taco__json_write_text(w, "dtype", h->dtype);
    taco__tiff_json_doubles(w, "transform", h->has_transform ? h->transform : NULL, 4);
    taco__json_write_u64(w, "predictor", h->predictor);
    taco__json_write_u64(w, "compression", h->compression);
    taco__tiff_json_array(w, "tile_offsets", NULL, h->tile_offsets, NULL, h->tile_offset_count);
    taco__tiff_json_array(w, "tile_byte_counts", NULL, h->tile_byte_counts, NULL,
                          h->tile_byte_count_count);
}

/* Georeferencing and samples. */
static void taco__tiff_json_rest(taco__json_writer *w, const taco_tiff_header *h)
{
    taco__tiff_json_doubles(w, "pixel_scale", h->has_scale ? h->pixel_scale : NULL, 3);
    taco__tiff_json_doubles(w, "tiepoint", h->tiepoints, h->tiepoint_count);
    if (h->has_nodata) {
        taco__json_write_double(w, "nodata", h->nodata);
    } else {
        taco__json_write_text(w, "nodata", NULL);
    }
    taco__json_write_u64(w, "samples_per_pixel", h->samples_per_pixel);
    taco__json_write_u64(w, "planar_configuration", h->planar_configuration);
    taco__tiff_json_optional(w, "photometric", h->has_photometric, h->photometric);
    taco__tiff_json_array(w, "extra_samples", NULL, NULL, h->extra_samples, h->extra_sample_count);
    taco__tiff_json_optional(w, "proj:epsg", h->epsg != 0, (uint64_t)h->epsg);
    taco__json_write_text(w, "crs", h->crs[0] ? h->crs : NULL);
    taco__tiff_json_doubles(w, "geotransform", h->has_geotransform ? h->geotransform : NULL, 6);
}

TACO_API taco_bytes taco_tiff_json(taco_tiff *t, taco_error *err)
{
    taco_bytes none = {NULL, 0};
    taco__json_writer w;
    err = taco__error_fresh(err, NULL);
    if (!t) {
        (void)taco__tiff_fail_null(err);
        return none;
    }
    t->json.len = 0;
    w = taco__json_writer_init(&t->json, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__tiff_json_image(&w, &t->h);
    taco__tiff_json_rest(&w, &t->h);
    taco__json_write_end(&w, '}');
    if (!w.ok || !taco__buf_append_char(&t->json, 0, err)) { return none; }
    return taco__bytes_of(t->json.data, t->json.len - 1);
}
