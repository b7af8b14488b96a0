/* tiff_image.c - describes the image from the tags: sizes, type, tiles, nodata

   In: the tags of a directory (tiff_read.c); out: the fields of taco_tiff_header that describe
   pixels and tiles, checked only if they are used as divisors. TIFF 6.0 §8 and §15; GDAL's tags
   42112 (metadata) and 42113 (nodata).

   Absent tags have TIFF 6.0's defaults. An image in strips gets one tile of the image's size and no
   tile tables. Nodata is parsed as in Rasteret, by the rules of Python's float(). */
#include "tiff.h"
#include "../base/base.h"

/* NumPy's name for a sample type; NULL if it has none. Integers of other widths get the next larger
   type, as in GDAL; floats must have 16, 32 or 64 bits. */
static const char *taco__tiff_image_dtype(uint32_t format, uint32_t bits)
{
    static const char *const names[3][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                            {"int8", "int16", "int32", "int64"},
                                            {NULL, "float16", "float32", "float64"}};
    unsigned k = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : bits <= 64 ? 3 : 4;
    if (k == 4 || bits == 0 || format < 1 || format > 3 || (format == 3 && bits != 8U << k)) {
        return NULL;
    }
    return names[format - 1][k];
}

/* Reads sizes, types and tile tables into t->h. False for images without pixels. */
TACO__FN bool taco__tiff_image_read(taco_tiff *t, taco_error *err)
{
    taco_tiff_header *h = &t->h;
    const uint64_t *extra = NULL;
    uint32_t *narrow;
    size_t i;
    if (!taco__tiff_get_number(t, TACO__TIFF_WIDTH, 0, &h->image_width, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_HEIGHT, 0, &h->image_height, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_TILE_WIDTH, h->image_width, &h->tile_width, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_TILE_HEIGHT, h->image_height, &h->tile_height, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_FORMAT, 1, &h->sample_format, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_BITS, 8, &h->bits_per_sample, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_COMPRESSION, 1, &h->compression, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_PREDICTOR, 1, &h->predictor, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_SAMPLES, 1, &h->samples_per_pixel, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_PLANAR, 1, &h->planar_configuration, err) ||
        !taco__tiff_get_number(t, TACO__TIFF_PHOTOMETRIC, 0, &h->photometric, err) ||
        !taco__tiff_get_numbers(t, TACO__TIFF_EXTRA, &extra, &h->extra_sample_count, err) ||
        !taco__tiff_get_numbers(t, TACO__TIFF_TILE_OFFSETS, &h->tile_offsets, &h->tile_offset_count,
                                err) ||
        !taco__tiff_get_numbers(t, TACO__TIFF_TILE_COUNTS, &h->tile_byte_counts,
                                &h->tile_byte_count_count, err)) {
        return false;
    }
    h->has_photometric = t->tag[TACO__TIFF_PHOTOMETRIC].count != 0;
    h->dtype = taco__tiff_image_dtype(h->sample_format, h->bits_per_sample);
    h->shape[0] = h->samples_per_pixel;
    h->shape[1] = h->image_height;
    h->shape[2] = h->image_width;
    if (h->image_width == 0 || h->image_height == 0 || h->tile_width == 0 || h->tile_height == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "image of %u x %u, tiles of %u x %u",
                   TACO__U(h->image_width), TACO__U(h->image_height), TACO__U(h->tile_width),
                   TACO__U(h->tile_height));
        return false;
    }
    narrow =
        extra ? (uint32_t *)taco__arena_array(&t->arena, h->extra_sample_count, sizeof *narrow, err)
              : NULL;
    for (i = 0; narrow && i < h->extra_sample_count; i++) {
        narrow[i] = (uint32_t)TACO__MIN(extra[i], (uint64_t)UINT32_MAX);
    }
    h->extra_samples = narrow;
    return !extra || narrow;
}

/* Parses a number like Python's float(): surrounding spaces, a sign, inf, infinity and nan in any
   case. */
static bool taco__tiff_image_parse_float(taco_bytes b, double *out)
{
    static const char *const words[3] = {"nan", "inf", "infinity"};
    size_t i, k, sign;
    while (b.len && (b.data[0] == ' ' || (b.data[0] >= 9 && b.data[0] <= 13))) {
        b = taco__bytes_of(b.data + 1, b.len - 1);
    }
    while (b.len &&
           (b.data[b.len - 1] == ' ' || (b.data[b.len - 1] >= 9 && b.data[b.len - 1] <= 13))) {
        b.len--;
    }
    sign = b.len && (b.data[0] == '-' || b.data[0] == '+');
    for (i = 0; i < TACO__COUNT(words); i++) {
        for (k = 0; sign + k < b.len && words[i][k] && (b.data[sign + k] | 0x20) == words[i][k];
             k++) {}
        if (k && sign + k == b.len && !words[i][k]) {
            uint64_t bits = i == 0 ? 0x7FF8000000000000U : 0x7FF0000000000000U;
            *out = taco__f64_from_bits(bits | (uint64_t)(sign && b.data[0] == '-') << 63);
            return true;
        }
    }
    return taco__num_parse_f64(b, out);
}

/* The first word of <Item ... name="NODATA_VALUE(S)" ...> in GDAL's metadata; empty if there is
   none. Not an XML parser, as GDAL always writes it in this form. */
static taco_bytes taco__tiff_image_find_nodata_item(taco_bytes xml)
{
    size_t at, end;
    taco_bytes none = {NULL, 0};
    while ((at = taco__tiff_find_text(xml, "<Item")) != SIZE_MAX) {
        taco_bytes tag;
        xml = taco__bytes_of(xml.data + at + 5, xml.len - at - 5);
        end = taco__tiff_find_text(xml, ">");
        if (end == SIZE_MAX) { return none; }
        tag = taco__bytes_of(xml.data, end);
        xml = taco__bytes_of(xml.data + end + 1, xml.len - end - 1);
        if (taco__tiff_find_text(tag, "name=\"NODATA_VALUES\"") != SIZE_MAX ||
            taco__tiff_find_text(tag, "name=\"NODATA_VALUE\"") != SIZE_MAX) {
            end = taco__tiff_find_text(xml, "<");
            xml.len = end == SIZE_MAX ? xml.len : end;
            while (xml.len && (xml.data[0] <= ' ' || xml.data[0] == ',')) {
                xml = taco__bytes_of(xml.data + 1, xml.len - 1);
            }
            for (end = 0; end < xml.len && xml.data[end] > ' ' && xml.data[end] != ','; end++) {}
            return taco__bytes_of(xml.data, end);
        }
    }
    return none;
}

/* Reads GDAL's tags. Nodata comes from its own tag, else from the metadata; text that is not a
   number means there is none. */
TACO__FN void taco__tiff_image_read_gdal(taco_tiff *t)
{
    taco_bytes text =
        t->tag[TACO__TIFF_NODATA].count
            ? taco__tiff_get_text(t, TACO__TIFF_NODATA)
            : taco__tiff_image_find_nodata_item(taco__tiff_get_text(t, TACO__TIFF_METADATA));
    t->has_image_info = taco__tiff_find_text(taco__tiff_get_text(t, TACO__TIFF_METADATA),
                                             "name=\"IMAGE_INFO\"") != SIZE_MAX;
    t->h.has_nodata = text.len && taco__tiff_image_parse_float(text, &t->h.nodata);
}
