/* publish.h - what the folder offers to the others. */
#ifndef TACO__PUBLISH_H
#define TACO__PUBLISH_H

#include "../api/taco_publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

/* columns that are read for the footprints */
typedef enum taco__footprints_role {
    TACO__FOOTPRINTS_VSI = 0,
    TACO__FOOTPRINTS_TYPE,
    TACO__FOOTPRINTS_TRANSFORM,
    TACO__FOOTPRINTS_SHAPE,
    TACO__FOOTPRINTS_CRS,
    TACO__FOOTPRINTS_GEOMETRY,
    TACO__FOOTPRINTS_GEOMETRY_CRS,
    TACO__FOOTPRINTS_ROLES
} taco__footprints_role;

struct taco_footprints {
    taco_dataset *ds;
    taco__mem *mem;
    taco__arena arena;
    taco_cursor *rows;
    taco_footprint_format format;
    taco_error err;
    const char *name[TACO__FOOTPRINTS_ROLES]; /* NULL: the view has none */
    size_t at[TACO__FOOTPRINTS_ROLES];        /* in the rows */
    bool *hidden;                             /* of the columns that are no properties */
    size_t shown;
    taco__cell_names names;
    bool begun, ended, first, clash;
    taco__buf text, feature, geometry;
    uint64_t row, written, folders, empty, infinite, foreign;
    /* of the mosaic */
    const char *crs;
    double box[4], pixel[2]; /* pixel: the smallest; 0 until there was one */
};

/* ---- tiles
   ---------------------------------------------------------------------------------------- */

typedef struct taco__footprints_tile {
    double xy[8];    /* corners, around */
    double pixel[2]; /* size of one */
    bool rotated;
    taco_bytes crs;
} taco__footprints_tile;

/* how a column is made */
typedef enum taco__geoparquet_kind {
    TACO__GEOPARQUET_COPY,
    TACO__GEOPARQUET_GEOMETRY,
    TACO__GEOPARQUET_TEXT, /* the same in every row */
    TACO__GEOPARQUET_EXTENSIONS,
    TACO__GEOPARQUET_LINKS,
    TACO__GEOPARQUET_ASSETS,
    TACO__GEOPARQUET_TIME,
    TACO__GEOPARQUET_SHAPE,
    TACO__GEOPARQUET_TRANSFORM
} taco__geoparquet_kind;

typedef struct taco__geoparquet_column {
    taco__geoparquet_kind what;
    size_t from, other; /* columns of the rows; TACO__NONE = none */
    const char *text;
} taco__geoparquet_column;

typedef struct taco__geoparquet {
    taco_publish_options how;
    const taco_field *in;
    size_t in_count;
    taco__mem mem;
    taco__arena fixed, batch; /* for the whole file, for one batch */
    taco_field *out;
    taco__geoparquet_column *columns;
    taco_array *arrays;
    size_t count;
    taco_error err;
} taco__geoparquet;

/* ---- footprints.c ---- */

TACO__FN bool taco__footprints_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                           taco__footprints_tile *t);
TACO__FN bool taco__footprints_same_crs(taco_bytes a, taco_bytes b);
TACO__FN bool taco__footprints_fail(taco_footprints *f);
TACO__FN taco_bytes taco__footprints_cell(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_role role);

/* ---- geojson_geometry.c ---- */

TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err);
TACO__FN bool taco__geojson_is_finite(double x);
TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err);
TACO__FN bool taco__geojson_write_box(taco__buf *b, double west, double south, double east,
                                      double north, taco_error *err);
TACO__FN bool taco__geojson_write_tile(taco__buf *b, const taco__footprints_tile *t,
                                       taco_error *err);

/* ---- raster_tile_index.c ---- */

TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none);
TACO__FN bool taco__gti_append_escaped(taco__buf *out, taco_bytes b, taco_error *err);
TACO__FN bool taco__gti_begin(taco_footprints *f);
TACO__FN bool taco__gti_end(taco_footprints *f);

/* ---- geoparquet_batch.c ---- */

TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b,
                                          taco_batch *out);

#endif /* TACO__PUBLISH_H */
