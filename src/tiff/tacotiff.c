/* tacotiff.c - which images tile readers can use, and the taco:header of a TACOTIFF

   In: an open header; out: whether tiles can be fetched by offset (taco_tiff_tiles_ok, Rasteret's
   rules), the tiles of one sample (taco_tiff_band), and the bytes of taco:header
   (taco_tacotiff_header). The latter has the layout that tacotoolbox writes.

   A TACOTIFF has all samples of a tile next to each other (INTERLEAVE=TILE of GDAL's COG driver),
   each between 4 bytes of leader and 4 of trailer, so that offsets follow from the sizes: a reader
   needs only header and sizes. taco_tacotiff_ok checks that layout tile by tile. */
#include "tiff.h"
#include "../base/base.h"

TACO_API taco_status taco_tiff_tiles_ok(const taco_tiff *t, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    const taco_status no = TACO_ERR_UNSUPPORTED;
    err = taco__error_fresh(err, NULL);
    if (!t) { return taco__tiff_fail_null(err); }
    if (!h->dtype) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET,
                          "%s: values of SampleFormat %u and %u bits, allowed are integers and "
                          "floats of 8 to 64",
                          t->name, TACO__U(h->sample_format), TACO__U(h->bits_per_sample));
    }
    if (h->compression == 7) { /* TIFF Technical Note 2: JPEGTables */
        return TACO__FAIL(err, no, TACO_NO_OFFSET,
                          "%s: compressed with JPEG (7), whose tiles need tables from the header",
                          t->name);
    }
    if (!h->tile_offsets || !h->tile_byte_counts) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET,
                          "%s: not tiled: no TileOffsets and TileByteCounts", t->name);
    }
    if (!h->has_transform) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET, "%s: %s", t->name, t->unplaced);
    }
    if (h->image_width > INT32_MAX || h->image_height > INT32_MAX || h->tile_width > INT32_MAX ||
        h->tile_height > INT32_MAX) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET, "%s: image of %u x %u, allowed are 2147483647",
                          t->name, TACO__U(h->image_width), TACO__U(h->image_height));
    }
    return TACO_OK;
}

TACO_API taco_status taco_tiff_band(const taco_tiff *t, int64_t band, size_t *first, size_t *n,
                                    taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    uint64_t across, down, one, count;
    err = taco__error_fresh(err, NULL);
    *first = *n = 0;
    if (!t) { return taco__tiff_fail_null(err); }
    across = ((uint64_t)h->image_width + h->tile_width - 1) / h->tile_width;
    down = ((uint64_t)h->image_height + h->tile_height - 1) / h->tile_height;
    count = *n = h->tile_offset_count;
    /* TIFF 6.0 §15: planar images list all tiles of sample 0, then those of sample 1, ... */
    if (h->planar_configuration != 2 || !taco__checked_mul64(across, down, &one) || count == one ||
        count % one) {
        return TACO_OK;
    }
    if (band < 0 || (uint64_t)band >= h->samples_per_pixel || (uint64_t)band >= count / one) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s: band_index %d, the image has %u samples", t->name, band,
                          TACO__U(h->samples_per_pixel));
    }
    *first = (size_t)((uint64_t)band * one);
    *n = (size_t)one;
    return TACO_OK;
}

/* Index of sample `band` of tile `tile` in the tile tables: planar tables list all tiles of a
   sample before those of the next. */
static size_t taco__tacotiff_tile_index(const taco_tiff_header *h, size_t tiles, size_t tile,
                                        size_t band)
{
    return h->planar_configuration == 2 ? band * tiles + tile : tile;
}

static void taco__tacotiff_put_u16(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

/* Bytes before and also after every tile in a COG written by GDAL. */
#define TACO__TACOTIFF_LEADER_BYTES 4

TACO_API taco_status taco_tacotiff_ok(const taco_tiff *t, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    const taco_status no = TACO_ERR_UNSUPPORTED;
    uint64_t tiles, want = 0, bands;
    size_t i, b;
    err = taco__error_fresh(err, NULL);
    if (!t) { return taco__tiff_fail_null(err); }
    bands = h->planar_configuration == 2 ? h->samples_per_pixel : 1;
    if (h->compression != 50000) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET,
                          "%s: compression %u, a TACOTIFF has ZSTD (50000)", t->name,
                          TACO__U(h->compression));
    }
    if (!h->tile_offsets || !h->tile_byte_counts) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET, "%s: not tiled", t->name);
    }
    if (h->planar_configuration != 2 && h->samples_per_pixel != 1) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET,
                          "%s: samples interleaved by pixel, a TACOTIFF has them by tile", t->name);
    }
    if (h->more_images) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET,
                          "%s: overviews or other images, a TACOTIFF has one image", t->name);
    }
    tiles = (((uint64_t)h->image_width + h->tile_width - 1) / h->tile_width) *
            (((uint64_t)h->image_height + h->tile_height - 1) / h->tile_height);
    if (!taco__checked_mul64(tiles, bands, &want) || want != h->tile_offset_count ||
        want != h->tile_byte_count_count || want == 0 || h->tile_width > UINT16_MAX ||
        h->tile_height > UINT16_MAX || h->samples_per_pixel > UINT16_MAX ||
        h->bits_per_sample > UINT8_MAX) {
        return TACO__FAIL(err, no, TACO_NO_OFFSET, "%s: %u tiles of %u x %u, %u are wanted",
                          t->name, TACO__U(h->tile_offset_count), TACO__U(h->tile_width),
                          TACO__U(h->tile_height), want);
    }
    want = h->tile_offsets[0];
    for (i = 0; i < tiles; i++) {
        for (b = 0; b < bands; b++) {
            size_t k = taco__tacotiff_tile_index(h, (size_t)tiles, i, b);
            if (h->tile_offsets[k] != want || h->tile_byte_counts[k] == 0 ||
                h->tile_byte_counts[k] > UINT32_MAX) {
                return TACO__FAIL(err, no, TACO_NO_OFFSET,
                                  "%s: tile %u of sample %u is at %u, by the sizes of those before "
                                  "(interleaved by tile) it would be at %u",
                                  t->name, TACO__U(i), TACO__U(b), h->tile_offsets[k], want);
            }
            want += h->tile_byte_counts[k] + 2 * TACO__TACOTIFF_LEADER_BYTES;
        }
    }
    return TACO_OK;
}

/* Layout, little-endian: 0 "LOVE", 4 version 1, 6 width, 10 height (u32), 14 tile width, 16 tile
   height, 18 samples (u16), 20 bits, 21 sample format, 22 predictor (u8), 23 offset of the first
   tile (u64), 31 number of tiles (u32), 35 their sizes (u32), in the order of the file. */
TACO_API taco_bytes taco_tacotiff_header(taco_tiff *t, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    uint8_t head[35], size[4];
    size_t bands, tiles, i, b;
    err = taco__error_fresh(err, NULL);
    if (taco_tacotiff_ok(t, err) != TACO_OK) { return taco__bytes_of(NULL, 0); }
    bands = h->planar_configuration == 2 ? h->samples_per_pixel : 1;
    tiles = h->tile_offset_count / bands;
    taco__put_le32(head, 0x45564F4CU); /* "LOVE" */
    taco__tacotiff_put_u16(head + 4, 1);
    taco__put_le32(head + 6, h->image_width);
    taco__put_le32(head + 10, h->image_height);
    taco__tacotiff_put_u16(head + 14, h->tile_width);
    taco__tacotiff_put_u16(head + 16, h->tile_height);
    taco__tacotiff_put_u16(head + 18, h->samples_per_pixel);
    head[20] = (uint8_t)h->bits_per_sample;
    head[21] = (uint8_t)h->sample_format;
    head[22] = (uint8_t)h->predictor;
    taco__put_le64(head + 23, h->tile_offsets[0]);
    taco__put_le32(head + 31, (uint32_t)h->tile_offset_count);
    t->taco.len = 0;
    if (!taco__buf_append(&t->taco, head, sizeof head, err)) { return taco__bytes_of(NULL, 0); }
    for (i = 0; i < tiles; i++) {
        for (b = 0; b < bands; b++) {
            taco__put_le32(
                size, (uint32_t)h->tile_byte_counts[taco__tacotiff_tile_index(h, tiles, i, b)]);
            if (!taco__buf_append(&t->taco, size, sizeof size, err)) {
                return taco__bytes_of(NULL, 0);
            }
        }
    }
    return taco__bytes_of(t->taco.data, t->taco.len);
}
