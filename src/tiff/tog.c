/* tog.c - whether a TIFF is a TACO-Optimized GeoTIFF, whose tiles a chain of footers may list

   In: an open header; out: OK, or the first of the creation options of TACO 0.2.0 ("Facilitating
   dataset streaming") that the file was not made with. The traces they leave in a file:

       driver=COG             the ghost area after the header says LAYOUT=IFDS_BEFORE_DATA
       bigtiff=yes            version 43
       tiled=True             TileOffsets and TileByteCounts
       blocksize=512          square tiles, their side divisible by 16: "tunable"
       compress=zstd          tag 259 is 50000; the level is not in the file
       predictor=yes          tag 317 is 2, or 3 for floating point
       interleave=tile        planar, the samples of a tile one after another; one sample has it
       overview=none          one directory
       statistics             IMAGE_INFO in tag 42112, TIFFTAG_GDAL_METADATA */
#include "tiff.h"
#include "../base/base.h"

/* Fails with the option of a TOG that is missing, and what was found instead. */
static bool taco__tog_fail(const taco_tiff *t, const char *option, const char *found,
                           taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no TOG, made without %s: %s",
               t->name, option, found);
    return false;
}

/* Checks the layout of the file: order, tiles, images. */
static bool taco__tog_check_layout(const taco_tiff *t, taco_error *err)
{
    const taco_tiff_header *h = &t->h;
    if (!t->is_cog) {
        return taco__tog_fail(t, "driver=COG", "no ghost area with LAYOUT=IFDS_BEFORE_DATA", err);
    }
    if (!h->big) { return taco__tog_fail(t, "bigtiff=yes", "a classic TIFF", err); }
    if (!h->tile_offsets || !h->tile_byte_counts) {
        return taco__tog_fail(t, "tiled=True", "strips", err);
    }
    if (h->tile_width != h->tile_height || h->tile_width % 16) {
        return taco__tog_fail(t, "blocksize=512", "tiles are not square, or no multiple of 16",
                              err);
    }
    if (h->more_images) { return taco__tog_fail(t, "overview=none", "overviews", err); }
    return true;
}

/* Whether tiles follow each other row by row, with the samples of each together. Tiles that were
   never written have offset 0. */
static bool taco__tog_is_by_tile(const taco_tiff_header *h)
{
    size_t bands = h->planar_configuration == 2 ? h->samples_per_pixel : 1, tiles, i, b;
    uint64_t last = 0;
    if (!bands || h->tile_offset_count % bands || (bands == 1 && h->samples_per_pixel != 1)) {
        return false;
    }
    tiles = h->tile_offset_count / bands;
    for (i = 0; i < tiles; i++) {
        for (b = 0; b < bands; b++) {
            uint64_t at = h->tile_offsets[b * tiles + i];
            if (at && at < last) { return false; }
            last = at ? at : last;
        }
    }
    return true;
}

TACO_API taco_status taco_tog_check(const taco_tiff *t, taco_error *err)
{
    const taco_tiff_header *h;
    bool ok;
    err = taco__error_fresh(err, NULL);
    if (!t) { return taco__tiff_fail_null(err); }
    h = &t->h;
    ok = taco__tog_check_layout(t, err);
    if (ok && h->compression != 50000) {
        ok = taco__tog_fail(t, "compress=zstd", "another compression", err);
    }
    if (ok && h->predictor == 1) { ok = taco__tog_fail(t, "predictor=yes", "predictor 1", err); }
    if (ok && !taco__tog_is_by_tile(h)) {
        ok = taco__tog_fail(t, "interleave=tile", "another order of samples", err);
    }
    if (ok && !t->has_image_info) {
        ok = taco__tog_fail(t, "statistics", "no IMAGE_INFO in tag 42112", err);
    }
    return ok ? TACO_OK : TACO_ERR_UNSUPPORTED;
}
