/* taco_tiff.h - read the headers of TIFF, BigTIFF and COG files.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_tiff.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_tiff.h:LINE
   prints where a line comes from. */
#ifndef TACO_TIFF_H
#define TACO_TIFF_H

#include "taco.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first image of a TIFF, at full resolution; overviews and masks after it are ignored.
   Pointers live as long as the taco_tiff. */
typedef struct taco_tiff_header {
    uint32_t image_width, image_height; /* pixels */
    uint32_t tile_width, tile_height;   /* the size of the image if it has no tiles */
    const char *dtype; /* NumPy's name: "uint16", "float32", ...; NULL = it has none */
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
    double pixel_scale[3];   /* ModelPixelScale, if has_scale */
    const double *tiepoints; /* ModelTiepoint, 6 numbers each, NULL = absent */
    size_t tiepoint_count;   /* numbers, not points */
    double matrix[16];       /* ModelTransformation, if has_matrix, row by row */
    /* GTRasterType 2; the transforms below are shifted by half a pixel to account for it */
    bool pixel_is_point;
    bool has_geotransform;
    double geotransform[6]; /* GDAL's: x of the corner, dx/dcol, dx/drow, y, dy/dcol, dy/drow */
    bool has_transform;     /* no rotation, no shear: the four numbers that Rasteret stores */
    double transform[4];    /* scale x, origin x, scale y (negative: north up), origin y */
    /* code of the projected, else of the geographic CRS; 0 = none, 32767 = user-defined */
    int32_t epsg;
    char crs[16];         /* "EPSG:n", "" if there is no code */
    int64_t shape[3];     /* samples, rows, columns: stac:tensor_shape */
    bool big, big_endian; /* BigTIFF; byte order */
    bool more_images;     /* overviews, masks or pages follow the first image */
    unsigned reads;       /* number of ranges read from the source */
} taco_tiff_header;

typedef struct taco_tiff taco_tiff;

/* Reads the header of a TIFF or BigTIFF in either byte order. At most two ranges are read if the
   directory is at the front or its values follow it, as in a COG and in files written by libtiff.
   src is read during the call and still belongs to the caller; name is used in messages. opt may be
   NULL; what it points to must outlive the handle. NULL on failure: CORRUPT, TRUNCATED, or
   UNSUPPORTED when it is not a TIFF. Several threads may use a handle at the same time.

       src   bytes of the image; still belongs to the caller
       name  name in messages; not kept. May be NULL
       opt   options; NULL: defaults */
TACO_API taco_tiff *taco_tiff_open(const taco_source *src, const char *name,
                                   const taco_options *opt, taco_error *err);
/* Returns the header, which lives as long as t; NULL for NULL. */
TACO_API const taco_tiff_header *taco_tiff_get(const taco_tiff *t);
/* Returns OK when a reader that fetches tiles by offset can use the image: tiled, not JPEG, a type
   that NumPy has, georeferenced without rotation (Rasteret's rules). UNSUPPORTED, with the reason,
   otherwise. NULL is an ARGUMENT error, here and below. */
TACO_API taco_status taco_tiff_tiles_ok(const taco_tiff *t, taco_error *err);
/* Finds the tiles of sample `band` of a planar image: they are the *n entries of tile_offsets from
   *first on. For a chunky image, or if the tables have one sample only, these are all tiles.
   ARGUMENT when the image has no such sample.

       t      the header
       band   index of the sample, from 0
       first  gets the index of its first tile; not NULL
       n      gets the number of its tiles; not NULL */
TACO_API taco_status taco_tiff_band(const taco_tiff *t, int64_t band, size_t *first, size_t *n,
                                    taco_error *err);
/* Returns OK when the image is a TACOTIFF, as tacotoolbox's validator and the layout of taco:header
   require: ZSTD, tiled, one image without overviews, and all samples of a tile next to each other,
   each between 4 bytes of leader and 4 of trailer as written by GDAL's COG driver
   (INTERLEAVE=TILE). UNSUPPORTED, with the reason, otherwise. */
TACO_API taco_status taco_tacotiff_ok(const taco_tiff *t, taco_error *err);
/* Returns OK when the image is a TACO-Optimized GeoTIFF, with the creation options of TACO 0.2.0:
   GDAL's COG driver (its ghost area), BigTIFF, square tiles whose size is a multiple of 16, in row
   order, the samples of each together, ZSTD with a predictor, no overviews, and IMAGE_INFO in tag
   42112. UNSUPPORTED, with the option that is missing, otherwise. The compression level cannot be
   checked. */
TACO_API taco_status taco_tog_check(const taco_tiff *t, taco_error *err);
/* Returns the value of taco:header: 35 bytes ("LOVE", version 1, sizes, types, offset of the first
   tile; little-endian) and 4 bytes for the size of each tile, in file order, from which offsets
   follow. Lives as long as t. {NULL, 0} when the image is not a TACOTIFF. */
TACO_API taco_bytes taco_tacotiff_header(taco_tiff *t, taco_error *err);
/* Returns the header as one JSON object, with the names of a Rasteret {band}_metadata column and
   proj:epsg. Lives as long as t. {NULL, 0} on failure. */
TACO_API taco_bytes taco_tiff_json(taco_tiff *t, taco_error *err);
/* Releases the handle; NULL is accepted. */
TACO_API void taco_tiff_close(taco_tiff *t);

#ifdef __cplusplus
}
#endif
#endif /* TACO_TIFF_H */
