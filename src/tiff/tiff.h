/* tiff.h - reads the header of the first image of a TIFF, BigTIFF or COG

       tiff_read.c   bytes to tag values, in as few reads as possible. Start here
       tiff_image.c  sizes, sample type, tiles, nodata
       geo_keys.c    CRS and geotransform
       tiff_json.c   the header as JSON, with the names of Rasteret
       tacotiff.c    tiles by offset, and the taco:header of a TACOTIFF
       tog.c         the creation options of a TOG

   It offers taco_tiff_* to create (src/write) and Rasteret (src/rasteret). Pixels are never
   decoded. A taco_tiff owns everything its taco_tiff_header points to; the source is only used
   during taco_tiff_open. On failure functions set *err and return false; taco_tiff_open adds the
   name of the file. */
#ifndef TACO__TIFF_H
#define TACO__TIFF_H

#include "../api/taco_tiff.h"
#include "../base/base.h"

/* Tags that are read. TIFF 6.0, GeoTIFF 1.1 (OGC 19-008r4) §7, and GDAL's two. */
enum {
    TACO__TIFF_WIDTH,
    TACO__TIFF_HEIGHT,
    TACO__TIFF_BITS,
    TACO__TIFF_COMPRESSION,
    TACO__TIFF_PHOTOMETRIC,
    TACO__TIFF_SAMPLES,
    TACO__TIFF_PLANAR,
    TACO__TIFF_PREDICTOR,
    TACO__TIFF_TILE_WIDTH,
    TACO__TIFF_TILE_HEIGHT,
    TACO__TIFF_TILE_OFFSETS,
    TACO__TIFF_TILE_COUNTS,
    TACO__TIFF_EXTRA,
    TACO__TIFF_FORMAT,
    TACO__TIFF_SCALE,
    TACO__TIFF_TIEPOINTS,
    TACO__TIFF_MATRIX,
    TACO__TIFF_KEYS,
    TACO__TIFF_DOUBLES,
    TACO__TIFF_ASCII,
    TACO__TIFF_METADATA,
    TACO__TIFF_NODATA,
    TACO__TIFF_TAGS
};

/* The values of one tag, checked to lie inside the file; count 0: the tag is absent. */
typedef struct taco__tiff_entry {
    uint16_t type;   /* TIFF 6.0 §2: 1 BYTE, 2 ASCII, 3 SHORT, ... */
    uint64_t count;  /* number of values */
    uint64_t offset; /* of the first value, from the beginning of the file */
    size_t len;      /* bytes of all values */
} taco__tiff_entry;

/* A range of the file, as read. */
typedef struct taco__tiff_range {
    uint64_t offset;
    taco__buf bytes;
} taco__tiff_range;

struct taco_tiff {
    taco__mem mem;
    taco__arena arena;
    taco_source src; /* the caller's, only during open */
    taco_tiff_header h;
    taco__buf json; /* taco_tiff_json */
    taco__buf taco; /* taco_tacotiff_header */
    char *name;     /* for messages */
    taco__tiff_entry tag[TACO__TIFF_TAGS];
    /* header, directory, offset of the next one, and at most one range per tag */
    taco__tiff_range ranges[3 + TACO__TIFF_TAGS];
    size_t range_count;
    const char *unplaced; /* why there is no transform, for messages */
    bool is_cog;          /* GDAL's COG driver says so after the header */
    bool has_image_info;  /* GDAL's metadata has an item IMAGE_INFO */
};

/* ---- tiff_read.c: values of tags; numbers are indexes of the enumeration above ---- */

TACO__FN size_t taco__tiff_type_size(unsigned type);
TACO__FN uint16_t taco__tiff_load_u16(const taco_tiff *t, const uint8_t *p);
TACO__FN double taco__tiff_load_double(const taco_tiff *t, unsigned type, const uint8_t *p);
TACO__FN const uint8_t *taco__tiff_values(const taco_tiff *t, unsigned tag);
TACO__FN bool taco__tiff_get_number(const taco_tiff *t, unsigned tag, uint32_t otherwise,
                                    uint32_t *out, taco_error *err);
TACO__FN bool taco__tiff_get_numbers(taco_tiff *t, unsigned tag, const uint64_t **out, size_t *n,
                                     taco_error *err);
TACO__FN bool taco__tiff_get_doubles(taco_tiff *t, unsigned tag, const double **out, size_t *n,
                                     taco_error *err);
TACO__FN taco_bytes taco__tiff_get_text(const taco_tiff *t, unsigned tag);
TACO__FN size_t taco__tiff_find_text(taco_bytes b, const char *needle);
TACO__FN taco_status taco__tiff_fail_null(taco_error *err);

/* ---- tiff_image.c: fills in t->h ---- */

TACO__FN bool taco__tiff_image_read(taco_tiff *t, taco_error *err);
TACO__FN void taco__tiff_image_read_gdal(taco_tiff *t);

/* ---- geo_keys.c: fills in t->h and t->unplaced ---- */

TACO__FN void taco__geo_keys_read_crs(taco_tiff *t);
TACO__FN bool taco__geo_keys_read_transform(taco_tiff *t, taco_error *err);

#endif /* TACO__TIFF_H */
