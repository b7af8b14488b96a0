/* taco_tiff.h - read the headers of TIFF, BigTIFF and COG files.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_tiff.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco_tiff.h:LINE prints
   where a line comes from. */
#ifndef TACO_TIFF_H
#define TACO_TIFF_H

#include "taco.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first image of a TIFF: full resolution; overviews and masks after it are ignored.
   Pointers live as long as the taco_tiff. */
typedef struct taco_tiff_header {
    uint32_t image_width, image_height; /* pixels */
    uint32_t tile_width, tile_height;   /* of the image, where it has no tiles */
    const char *dtype; /* "uint16", "float32", ... as NumPy names it; NULL = another one */
    uint32_t sample_format, bits_per_sample; /* of the first sample; defaults 1 and 8 */
    uint32_t compression, predictor;         /* tags 259 and 317, default 1 */
    uint32_t samples_per_pixel;
    /* 1 chunky, 2 planar: tiles of sample 0, then of sample 1, ... */
    uint32_t planar_configuration;
    bool has_photometric, has_nodata, has_scale, has_matrix;
    uint32_t photometric;
    double nodata;                 /* GDAL's, NaN included */
    const uint32_t *extra_samples; /* NULL = the tag is absent */
    size_t extra_sample_count;
    const uint64_t *tile_offsets, *tile_byte_counts; /* NULL = strips, or neither */
    size_t tile_offset_count, tile_byte_count_count;
    double pixel_scale[3];   /* ModelPixelScale, where has_scale */
    const double *tiepoints; /* ModelTiepoint, 6 numbers each, NULL = absent */
    size_t tiepoint_count;   /* numbers, not points */
    double matrix[16];       /* ModelTransformation, where has_matrix, row by row */
    /* GTRasterType 2; the transforms below are shifted by half a pixel for it */
    bool pixel_is_point;
    bool has_geotransform;
    double geotransform[6]; /* GDAL's: x of the corner, dx/dcol, dx/drow, y, dy/dcol, dy/drow */
    bool has_transform;     /* no rotation, no shear: then the four numbers of Rasteret */
    double transform[4];    /* scale x, origin x, scale y (negative: north up), origin y */
    /* of the projected, else the geographic CRS; 0 = none. 32767 = user-defined */
    int32_t epsg;
    char crs[16];         /* "EPSG:n", "" where there is no code */
    int64_t shape[3];     /* samples, rows, columns: stac:tensor_shape */
    bool big, big_endian; /* BigTIFF; byte order */
    bool more_images;     /* overviews, masks or pages after the first */
    unsigned reads;       /* ranges of the source that were read */
} taco_tiff_header;

typedef struct taco_tiff taco_tiff;

/* Reads the header of a TIFF or BigTIFF of either byte order. Two ranges are read at most where the
   directory is at the front or its values follow it, as in a COG and in what libtiff writes.
   src is read during the call and stays the caller's; name is used in messages. opt may be NULL;
   what it points to must outlive the handle. NULL on failure: CORRUPT, TRUNCATED, or UNSUPPORTED
   when it is no TIFF. A handle may be read by several threads.

       src   bytes of the image; stays the caller's
       name  what messages call it; not kept. May be NULL
       opt   options; NULL: defaults */
TACO_API taco_tiff *taco_tiff_open(const taco_source *src, const char *name,
                                   const taco_options *opt, taco_error *err);
/* Lives as long as t; NULL for NULL. */
TACO_API const taco_tiff_header *taco_tiff_get(const taco_tiff *t);
/* These take NULL for an ARGUMENT error. OK when a reader of tiles by offset can use the image:
   tiled, not JPEG, a type NumPy knows, georeferenced without rotation (Rasteret's rules).
   UNSUPPORTED, and why, otherwise. */
TACO_API taco_status taco_tiff_tiles_ok(const taco_tiff *t, taco_error *err);
/* The part of a planar image's tile tables that holds sample `band`: *first and *n index
   tile_offsets. All of them when the image is chunky or its tables are of one sample. ARGUMENT when
   the image has no such sample.

       t      the header
       band   index of the sample, from 0
       first  gets the index of its first tile; not NULL
       n      gets how many tiles it has; not NULL */
TACO_API taco_status taco_tiff_band(const taco_tiff *t, int64_t band, size_t *first, size_t *n,
                                    taco_error *err);
/* OK when the image is a TACOTIFF, as tacotoolbox's validator and the layout of taco:header require
   it: ZSTD, tiled, one image without overviews, and all samples of a tile next to each other, each
   between 4 bytes of leader and 4 of trailer by GDAL's COG driver (INTERLEAVE=TILE).
   UNSUPPORTED, and why, otherwise. */
TACO_API taco_status taco_tacotiff_ok(const taco_tiff *t, taco_error *err);
/* OK when the image is a TACO-Optimized GeoTIFF, with the creation options of TACO 0.2.0: GDAL's
   COG driver (its ghost area), BigTIFF, square tiles of a multiple of 16 in rows, the samples of
   each together, ZSTD with a predictor, no overviews, and IMAGE_INFO in tag 42112. UNSUPPORTED, and
   which option is missing, otherwise. The level of compression leaves no trace. */
TACO_API taco_status taco_tog_check(const taco_tiff *t, taco_error *err);
/* The value of taco:header: 35 bytes ("LOVE", version 1, sizes, types, place of the first tile;
   little-endian) and 4 for the size of each tile, in the order of the file: offsets follow from
   them. Lives as long as t. {NULL, 0} when the image is no TACOTIFF. */
TACO_API taco_bytes taco_tacotiff_header(taco_tiff *t, taco_error *err);
/* The header as one JSON object, with the names of a Rasteret {band}_metadata column and proj:epsg.
   Lives as long as t. {NULL, 0} on failure. */
TACO_API taco_bytes taco_tiff_json(taco_tiff *t, taco_error *err);
/* Releases the handle; NULL is accepted. */
TACO_API void taco_tiff_close(taco_tiff *t);

#ifdef __cplusplus
}
#endif
#endif /* TACO_TIFF_H */
