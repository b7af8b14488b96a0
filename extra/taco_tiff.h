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

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__TIFF_IMPLEMENTED)
#define TACO__TIFF_IMPLEMENTED
#include "taco.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   tiff/tiff.h                          reads the header of the first image of a TIFF, BigTIFF or COG
   tiff/tiff_read.c                     header, first directory and tag values of a TIFF or BigTIFF, in one read or two
   tiff/tiff_image.c                    describes the image from the tags: sizes, type, tiles, nodata
   tiff/geo_keys.c                      CRS and geotransform of a TIFF
   tiff/tiff_json.c                     the header of a TIFF as one JSON object
   tiff/tacotiff.c                      which images tile readers can use, and the taco:header of a TACOTIFF
   tiff/tog.c                           whether a TIFF is a TACO-Optimized GeoTIFF, whose tiles a chain of footers may list
*/

/* ==== src/tiff/tiff.h ==== */
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

/* #include "../api/taco_tiff.h" */
/* #include "../base/base.h" */

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
/* ==== src/tiff/tiff_read.c ==== */
/* tiff_read.c - header, first directory and tag values of a TIFF or BigTIFF, in one read or two

   In: a source, a caller's or a file's; out: the values of the tags that matter
   (taco__tiff_values and the _get_ functions), held in ranges until taco_tiff_open returns. TIFF
   6.0 §2; BigTIFF (version 43, offsets of 64 bits).

   Tags are not read one by one, as over a network one more request costs more than a megabyte. The
   first 32 KiB usually contain header, directory and values; otherwise the directory is read with
   the megabyte after it, and values that are still missing in one range, or in one each if they are
   far apart. Each entry's offset and count are checked against the file's size when it is read, so
   that later code need not check. taco_tiff_open, at the end, shows the order: tags, image
   (tiff_image.c), georeferencing (geo_keys.c). */
/* #include "tiff.h" */
/* #include "../base/base.h" */

/* The first read: header, directory and values of most images. */
#define TACO__TIFF_FIRST_READ 32768
/* Half of the second read, for a directory that is not at the front, with its values. */
#define TACO__TIFF_SECOND_READ 1048576
/* Values are read together if the range is at most this long, and at most _GAP plus four times
   their own size. */
#define TACO__TIFF_MAX_SPAN ((uint64_t)64 << 20)
#define TACO__TIFF_MAX_GAP  ((uint64_t)1 << 20)
/* Most entries of a classic directory; BigTIFF, which counts in 64 bits, has the same limit
   here. */
#define TACO__TIFF_MAX_ENTRIES 65535

/* Numbers of the tags, in the order of the enumeration in tiff.h. */

static const uint16_t taco__tiff_tags[TACO__TIFF_TAGS] = {
    256, 257, 258, 259,   262,   277,   284,   317,   322,   323,   324,
    325, 338, 339, 33550, 33922, 34264, 34735, 34736, 34737, 42112, 42113};

/* ---- bytes ---- */

/* Bytes of one value; 0 = unknown type (TIFF 6.0 §2, BigTIFF's 16 to 18). */
TACO__FN size_t taco__tiff_type_size(unsigned type)
{
    static const uint8_t size[19] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof size ? size[type] : 0;
}

/* Numbers in the file's byte order. */
TACO__FN uint16_t taco__tiff_load_u16(const taco_tiff *t, const uint8_t *p)
{
    return t->h.big_endian ? (uint16_t)((unsigned)p[0] << 8 | p[1]) : taco__load_le16(p);
}

static uint32_t taco__tiff_load_u32(const taco_tiff *t, const uint8_t *p)
{
    return t->h.big_endian ? taco__load_be32(p) : taco__load_le32(p);
}

static uint64_t taco__tiff_load_u64(const taco_tiff *t, const uint8_t *p)
{
    return t->h.big_endian ? taco__load_be64(p) : taco__load_le64(p);
}

/* RATIONAL and SRATIONAL (TIFF 6.0 §2); 0 if the denominator is 0. */
static double taco__tiff_ratio(double a, double b)
{
    return b < 0 || b > 0 ? a / b : 0;
}

/* A value of any numeric type as a double; 0 for other types. */
TACO__FN double taco__tiff_load_double(const taco_tiff *t, unsigned type, const uint8_t *p)
{
    switch (type) {
    case 1:
    case 7: return p[0];
    case 3: return taco__tiff_load_u16(t, p);
    case 4:
    case 13: return taco__tiff_load_u32(t, p);
    case 5: return taco__tiff_ratio(taco__tiff_load_u32(t, p), taco__tiff_load_u32(t, p + 4));
    case 6: return (int8_t)p[0];
    case 8: return (int16_t)taco__tiff_load_u16(t, p);
    case 9: return (int32_t)taco__tiff_load_u32(t, p);
    case 10:
        return taco__tiff_ratio((int32_t)taco__tiff_load_u32(t, p),
                                (int32_t)taco__tiff_load_u32(t, p + 4));
    case 11: return (double)taco__f32_from_bits(taco__tiff_load_u32(t, p));
    case 12: return taco__f64_from_bits(taco__tiff_load_u64(t, p));
    case 16:
    case 18: return (double)taco__tiff_load_u64(t, p);
    case 17: return (double)(int64_t)taco__tiff_load_u64(t, p);
    default: return 0;
    }
}

/* A value of an unsigned type, or a non-negative one of a signed type: readers should accept BYTE,
   SHORT and LONG for any unsigned number (TIFF 6.0 §2), and some writers use signed types. */
static bool taco__tiff_load_unsigned(const taco_tiff *t, unsigned type, const uint8_t *p,
                                     uint64_t *out)
{
    switch (type) {
    case 1: *out = p[0]; return true;
    case 3: *out = taco__tiff_load_u16(t, p); return true;
    case 4:
    case 13: *out = taco__tiff_load_u32(t, p); return true;
    case 16:
    case 18: *out = taco__tiff_load_u64(t, p); return true;
    case 6: *out = p[0]; return p[0] < 0x80;
    case 8: *out = taco__tiff_load_u16(t, p); return *out < 0x8000;
    case 9: *out = taco__tiff_load_u32(t, p); return *out < 0x80000000U;
    case 17: *out = taco__tiff_load_u64(t, p); return *out <= INT64_MAX;
    default: return false;
    }
}

/* ---- ranges ---- */

/* The len bytes at offset from the ranges read so far, or NULL. All values come from here, so that
   over a network a header costs one request or two, not one per tag. */
static const uint8_t *taco__tiff_find_bytes(const taco_tiff *t, uint64_t offset, uint64_t len)
{
    size_t i;
    for (i = 0; i < t->range_count; i++) {
        const taco__tiff_range *h = &t->ranges[i];
        if (offset >= h->offset && taco__checked_range(offset - h->offset, len, h->bytes.len)) {
            return h->bytes.data + (size_t)(offset - h->offset);
        }
    }
    return NULL;
}

/* Reads [offset, offset + len), which lies inside the file, into the next of t->ranges. */
static bool taco__tiff_read_range(taco_tiff *t, uint64_t offset, uint64_t len, taco_error *err)
{
    taco__tiff_range *h = &t->ranges[t->range_count];
    size_t n = 0;
    if (t->range_count == TACO__COUNT(t->ranges) || !taco__checked_to_size(len, &n)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, offset, "values of tags take %u bytes", TACO__U(len));
        return false;
    }
    h->bytes.mem = &t->mem;
    h->offset = offset;
    t->range_count++;
    if (!taco__buf_reserve(&h->bytes, n, err)) { return false; }
    t->h.reads++;
    if (n && !t->src.read(t->src.ctx, offset, h->bytes.data, n)) {
        TACO__FAIL(err, TACO_ERR_IO, offset, "read of %u bytes failed", TACO__U(n));
        return false;
    }
    h->bytes.len = n;
    return true;
}

/* ---- the directory ---- */

/* Byte order, version, and where the first directory is (TIFF 6.0 §2; BigTIFF: 43, 8, 0, 64
   bits). */
static bool taco__tiff_read_header(taco_tiff *t, uint64_t *ifd, taco_error *err)
{
    uint64_t size = t->src.size;
    const uint8_t *p;
    unsigned version;
    if (!taco__tiff_read_range(t, 0, TACO__MIN(size, (uint64_t)TACO__TIFF_FIRST_READ), err)) {
        return false;
    }
    p = t->ranges[0].bytes.data;
    if (size < 8) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "a TIFF header needs 8 bytes, the file has %u",
                   size);
        return false;
    }
    t->h.big_endian = p[0] == 'M';
    version = taco__tiff_load_u16(t, p + 2);
    t->h.big = version == 43;
    if (p[0] != p[1] || (p[0] != 'I' && p[0] != 'M') || (version != 42 && version != 43)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0,
                   "not a TIFF: it begins with %x, allowed are 49492a00, 4d4d002a and BigTIFF's 2b",
                   TACO__U(taco__load_be32(p)));
        return false;
    }
    if (t->h.big &&
        (size < 16 || taco__tiff_load_u16(t, p + 4) != 8 || taco__tiff_load_u16(t, p + 6) != 0)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 4, "BigTIFF with offsets of %u bytes, allowed is 8",
                   TACO__U(taco__tiff_load_u16(t, p + 4)));
        return false;
    }
    *ifd = t->h.big ? taco__tiff_load_u64(t, p + 8) : taco__tiff_load_u32(t, p + 4);
    /* 0 means "no image", less than 8 lies in this header */
    if (*ifd < 8 || *ifd >= size) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, t->h.big ? 8 : 4,
                   "the directory is at byte %u, the file has %u", *ifd, size);
        return false;
    }
    return true;
}

/* The *n entries of the directory at ifd; NULL on failure. Reads at most once, and then includes
   the values, which usually follow. */
static const uint8_t *taco__tiff_read_directory(taco_tiff *t, uint64_t ifd, uint64_t *n,
                                                taco_error *err)
{
    uint64_t size = t->src.size, head = t->h.big ? 8 : 2, entry = t->h.big ? 20 : 12;
    const uint8_t *p = NULL;
    unsigned pass;
    /* the first read may contain everything, as a COG has its directory at the front */
    for (pass = 0; pass < 2; pass++) {
        p = taco__tiff_find_bytes(t, ifd, head);
        if (p) {
            *n = t->h.big ? taco__tiff_load_u64(t, p) : taco__tiff_load_u16(t, p);
            if (*n > TACO__TIFF_MAX_ENTRIES) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, ifd, "directory of %u tags, allowed are %u", *n,
                           TACO__U(TACO__TIFF_MAX_ENTRIES));
                return NULL;
            }
            if (!taco__checked_range(ifd + head, *n * entry, size)) {
                TACO__FAIL(err, TACO_ERR_TRUNCATED, ifd,
                           "directory of %u tags needs %u bytes, the file has %u", *n,
                           ifd + head + *n * entry, size);
                return NULL;
            }
            p = taco__tiff_find_bytes(t, ifd + head, *n * entry);
        }
        if (p || pass == 1) { break; }
        if (!taco__tiff_read_range(
                t, ifd, TACO__MIN(size - ifd, 2 * (uint64_t)TACO__TIFF_SECOND_READ), err)) {
            return NULL;
        }
    }
    if (!p) { TACO__FAIL(err, TACO_ERR_TRUNCATED, ifd, "the file ends inside the directory"); }
    return p;
}

/* Reads one entry of the directory (TIFF 6.0 §2, "IFD Entry"): type, count and offset of a known
   tag. Values of up to 4 bytes, 8 in BigTIFF, are in the entry itself, in place of the offset. If a
   tag has several entries, the last wins. */
static bool taco__tiff_read_entry(taco_tiff *t, const uint8_t *p, uint64_t at, taco_error *err)
{
    unsigned tag = taco__tiff_load_u16(t, p), i, room = t->h.big ? 8 : 4;
    taco__tiff_entry e;
    uint64_t len;
    for (i = 0; i < TACO__TIFF_TAGS && taco__tiff_tags[i] != tag; i++) {}
    if (i == TACO__TIFF_TAGS) { return true; }
    e.type = taco__tiff_load_u16(t, p + 2);
    e.count = t->h.big ? taco__tiff_load_u64(t, p + 4) : taco__tiff_load_u32(t, p + 4);
    if (!taco__tiff_type_size(e.type)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, at, "tag %u of type %u", TACO__U(tag),
                   TACO__U(e.type));
        return false;
    }
    if (!taco__checked_mul64(e.count, taco__tiff_type_size(e.type), &len)) {
        len = UINT64_MAX; /* in no file: fails the test below */
    }
    e.offset = len <= room ? at + (t->h.big ? 12 : 8)
               : t->h.big  ? taco__tiff_load_u64(t, p + 12)
                           : taco__tiff_load_u32(t, p + 8);
    if (!taco__checked_range(e.offset, len, t->src.size) || !taco__checked_to_size(len, &e.len)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                   "tag %u has %u values at byte %u, the file ends at %u", TACO__U(tag), e.count,
                   e.offset, t->src.size);
        return false;
    }
    t->tag[i] = e;
    return true;
}

/* Reads the values that are in no range yet: together, or one by one if that would read too much
   between them. */
static bool taco__tiff_read_values(taco_tiff *t, taco_error *err)
{
    uint64_t lo = UINT64_MAX, hi = 0, sum = 0;
    size_t i;
    for (i = 0; i < TACO__TIFF_TAGS; i++) {
        const taco__tiff_entry *e = &t->tag[i];
        if (e->count && !taco__tiff_find_bytes(t, e->offset, e->len)) {
            lo = TACO__MIN(lo, e->offset);
            hi = TACO__MAX(hi, e->offset + e->len);
            sum += e->len;
        }
    }
    if (hi == 0) { return true; }
    /* These are nearly always the two tile tables, one after the other. A request costs more than
       an unneeded megabyte; but a directory with values at both ends of a large file must not make
       us read all of it. */
    if (hi - lo <= TACO__TIFF_MAX_SPAN && hi - lo <= TACO__TIFF_MAX_GAP + 4 * sum) {
        return taco__tiff_read_range(t, lo, hi - lo, err);
    }
    for (i = 0; i < TACO__TIFF_TAGS; i++) {
        const taco__tiff_entry *e = &t->tag[i];
        if (e->count && !taco__tiff_find_bytes(t, e->offset, e->len) &&
            !taco__tiff_read_range(t, e->offset, e->len, err)) {
            return false;
        }
    }
    return true;
}

/* Sets h.more_images if another directory follows. Its offset is after the entries. */
static bool taco__tiff_has_next(taco_tiff *t, uint64_t at, taco_error *err)
{
    uint64_t len = t->h.big ? 8 : 4;
    const uint8_t *p;
    if (!taco__checked_range(at, len, t->src.size)) {
        return true; /* truncated here, as by some writers */
    }
    if (!taco__tiff_find_bytes(t, at, len) && !taco__tiff_read_range(t, at, len, err)) {
        return false;
    }
    p = taco__tiff_find_bytes(t, at, len);
    t->h.more_images = (t->h.big ? taco__tiff_load_u64(t, p) : taco__tiff_load_u32(t, p)) != 0;
    return true;
}

/* What GDAL's COG driver writes between the header and the first directory: lines of text, one of
   which gives the order of the file. */
static void taco__tiff_read_ghost(taco_tiff *t)
{
    const taco__buf *first = &t->ranges[0].bytes;
    size_t at = t->h.big ? 16 : 8;
    taco_bytes ghost;
    if (first->len <= at) { return; }
    ghost = taco__bytes_of(first->data + at, TACO__MIN(first->len - at, (size_t)512));
    t->is_cog = taco__bytes_starts_with(ghost, "GDAL_STRUCTURAL_METADATA_SIZE=") &&
                taco__tiff_find_text(ghost, "LAYOUT=IFDS_BEFORE_DATA") != SIZE_MAX;
}

/* Reads all tags, without interpreting them: fills t->tag, and the ranges that hold their
   values. */
static bool taco__tiff_read_tags(taco_tiff *t, taco_error *err)
{
    uint64_t ifd = 0, n = 0, i, entry, head;
    const uint8_t *p;
    if (!taco__tiff_read_header(t, &ifd, err)) { return false; }
    taco__tiff_read_ghost(t);
    entry = t->h.big ? 20 : 12;
    head = t->h.big ? 8 : 2;
    p = taco__tiff_read_directory(t, ifd, &n, err);
    for (i = 0; p && i < n; i++) {
        if (!taco__tiff_read_entry(t, p + (size_t)(i * entry), ifd + head + i * entry, err)) {
            return false;
        }
    }
    return p && taco__tiff_has_next(t, ifd + head + n * entry, err) &&
           taco__tiff_read_values(t, err);
}

/* ---- values ---- */

/* The e->len bytes of a tag's values; NULL if the tag is absent. */
TACO__FN const uint8_t *taco__tiff_values(const taco_tiff *t, unsigned tag)
{
    const taco__tiff_entry *e = &t->tag[tag];
    return e->count ? taco__tiff_find_bytes(t, e->offset, e->len) : NULL;
}

/* The first value of a tag, or `otherwise` if absent. False if it is not an unsigned number of 32
   bits. */
TACO__FN bool taco__tiff_get_number(const taco_tiff *t, unsigned tag, uint32_t otherwise,
                                    uint32_t *out, taco_error *err)
{
    const uint8_t *p = taco__tiff_values(t, tag);
    uint64_t x = 0;
    *out = otherwise;
    if (!p) { return true; }
    if (!taco__tiff_load_unsigned(t, t->tag[tag].type, p, &x) || x > UINT32_MAX) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, t->tag[tag].offset,
                   "tag %u is not a number of 32 bits (type %u)", TACO__U(taco__tiff_tags[tag]),
                   TACO__U(t->tag[tag].type));
        return false;
    }
    *out = (uint32_t)x;
    return true;
}

/* All *n values of a tag, in the arena; *out stays NULL if the tag is absent. */
TACO__FN bool taco__tiff_get_numbers(taco_tiff *t, unsigned tag, const uint64_t **out, size_t *n,
                                     taco_error *err)
{
    const taco__tiff_entry *e = &t->tag[tag];
    const uint8_t *p = taco__tiff_values(t, tag);
    size_t i, size = taco__tiff_type_size(e->type);
    uint64_t *to;
    if (!p) { return true; }
    *n = e->len / size;
    to = (uint64_t *)taco__arena_array(&t->arena, *n, sizeof *to, err);
    for (i = 0; to && i < *n; i++) {
        if (!taco__tiff_load_unsigned(t, e->type, p + i * size, &to[i])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, e->offset + i * size,
                       "tag %u is not a list of unsigned numbers (type %u)",
                       TACO__U(taco__tiff_tags[tag]), TACO__U(e->type));
            return false;
        }
    }
    *out = to;
    return to != NULL;
}

/* The same as doubles; values of other types are 0. */
TACO__FN bool taco__tiff_get_doubles(taco_tiff *t, unsigned tag, const double **out, size_t *n,
                                     taco_error *err)
{
    const taco__tiff_entry *e = &t->tag[tag];
    const uint8_t *p = taco__tiff_values(t, tag);
    size_t i, size = taco__tiff_type_size(e->type);
    double *to;
    if (!p) { return true; }
    *n = e->len / size;
    to = (double *)taco__arena_array(&t->arena, *n, sizeof *to, err);
    for (i = 0; to && i < *n; i++) {
        to[i] = taco__tiff_load_double(t, e->type, p + i * size);
    }
    *out = to;
    return to != NULL;
}

/* The text of a tag, up to its first zero byte. */
TACO__FN taco_bytes taco__tiff_get_text(const taco_tiff *t, unsigned tag)
{
    const uint8_t *p = taco__tiff_values(t, tag);
    const void *end = p ? memchr(p, 0, t->tag[tag].len) : NULL;
    return taco__bytes_of(p, end ? (size_t)((const uint8_t *)end - p) : p ? t->tag[tag].len : 0);
}

/* Where needle begins in b, or SIZE_MAX. */
TACO__FN size_t taco__tiff_find_text(taco_bytes b, const char *needle)
{
    size_t i, n = strlen(needle);
    for (i = 0; n <= b.len && i <= b.len - n; i++) {
        if (memcmp(b.data + i, needle, n) == 0) { return i; }
    }
    return SIZE_MAX;
}

/* ---- the calls ---- */

/* Frees the ranges, once everything that the header keeps is in the arena. */
static void taco__tiff_free_ranges(taco_tiff *t)
{
    while (t->range_count) {
        taco__buf_free(&t->ranges[--t->range_count].bytes);
    }
}

TACO_API void taco_tiff_close(taco_tiff *t)
{
    if (t) {
        taco__mem mem;
        taco__tiff_free_ranges(t);
        taco__buf_free(&t->json);
        taco__buf_free(&t->taco);
        taco__arena_free(&t->arena);
        mem = t->mem;
        taco__mem_free(&mem, t, sizeof *t);
    }
}

TACO_API taco_tiff *taco_tiff_open(const taco_source *src, const char *name,
                                   const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_tiff *t;
    bool ok;
    taco_error own;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    if (!taco__source_check(src, err)) { return NULL; }
    taco__mem_init(&mem, opt);
    t = (taco_tiff *)taco__mem_alloc(&mem, sizeof *t, err);
    if (!t) { return NULL; }
    t->mem = mem;
    t->arena.mem = t->json.mem = t->taco.mem = &t->mem;
    t->src = *src;
    ok = taco__tiff_read_tags(t, &own) && taco__tiff_image_read(t, &own) &&
         taco__geo_keys_read_transform(t, &own);
    if (ok) {
        taco__tiff_image_read_gdal(t);
        taco__geo_keys_read_crs(t);
        t->name = taco__arena_text(&t->arena, taco__bytes_text(name ? name : "TIFF"), &own);
        ok = t->name != NULL;
    }
    memset(&t->src, 0, sizeof t->src);
    taco__tiff_free_ranges(t);
    if (!ok) {
        taco__error_prefix(&own, "%s", name ? name : "TIFF");
        taco__error_copy(err, &own);
        taco_tiff_close(t);
        return NULL;
    }
    return t;
}

TACO_API const taco_tiff_header *taco_tiff_get(const taco_tiff *t)
{
    return t ? &t->h : NULL;
}

/* The error for calls whose TIFF is NULL. */
TACO__FN taco_status taco__tiff_fail_null(taco_error *err)
{
    return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no TIFF given");
}
/* ==== src/tiff/tiff_image.c ==== */
/* tiff_image.c - describes the image from the tags: sizes, type, tiles, nodata

   In: the tags of a directory (tiff_read.c); out: the fields of taco_tiff_header that describe
   pixels and tiles, checked only if they are used as divisors. TIFF 6.0 §8 and §15; GDAL's tags
   42112 (metadata) and 42113 (nodata).

   Absent tags have TIFF 6.0's defaults. An image in strips gets one tile of the image's size and no
   tile tables. Nodata is parsed as in Rasteret, by the rules of Python's float(). */
/* #include "tiff.h" */
/* #include "../base/base.h" */

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
/* ==== src/tiff/geo_keys.c ==== */
/* geo_keys.c - CRS and geotransform of a TIFF

   In: GeoKeyDirectory, GeoDoubleParams, GeoAsciiParams, ModelPixelScale, ModelTiepoint and
   ModelTransformation (tiff_read.c); out: epsg and crs, geotransform (GDAL's six numbers) and
   transform (Rasteret's four, if there is no rotation) in t->h. OGC 19-008r4 (GeoTIFF 1.1) §7.

   Missing or odd georeferencing is not an error: t->unplaced says why there is no transform, for
   the calls that need one. The origin is the corner of the first pixel; if a file gives its centre
   (GTRasterType 2), it is shifted by half a pixel. */
/* #include "tiff.h" */
/* #include "../base/base.h" */

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
/* ==== src/tiff/tiff_json.c ==== */
/* tiff_json.c - the header of a TIFF as one JSON object

   In: an open taco_tiff; out: text with the names of a Rasteret {band}_metadata column, and
   proj:epsg, crs and geotransform; it lives as long as the handle. What a file lacks is null;
   nodata that is NaN or infinite is a quoted word. */
/* #include "tiff.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

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
/* ==== src/tiff/tacotiff.c ==== */
/* tacotiff.c - which images tile readers can use, and the taco:header of a TACOTIFF

   In: an open header; out: whether tiles can be fetched by offset (taco_tiff_tiles_ok, Rasteret's
   rules), the tiles of one sample (taco_tiff_band), and the bytes of taco:header
   (taco_tacotiff_header). The latter has the layout that tacotoolbox writes.

   A TACOTIFF has all samples of a tile next to each other (INTERLEAVE=TILE of GDAL's COG driver),
   each between 4 bytes of leader and 4 of trailer, so that offsets follow from the sizes: a reader
   needs only header and sizes. taco_tacotiff_ok checks that layout tile by tile. */
/* #include "tiff.h" */
/* #include "../base/base.h" */

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
/* ==== src/tiff/tog.c ==== */
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
/* #include "tiff.h" */
/* #include "../base/base.h" */

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
#endif /* TACO_IMPLEMENTATION */
