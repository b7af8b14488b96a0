/* publish.h - rows for other catalogues: GeoParquet, STAC GeoParquet, GeoJSON, GDAL tile indexes

   geoparquet.c         taco_publish: which columns go out, the file's metadata; then batch by batch
   geoparquet_batch.c   the columns of one batch that are not the caller's own
   footprints.c         taco_footprints_*: rows as features, a piece of text at a time
   footprint_columns.c  which columns of a view say where a row is
   footprint_tile.c     the corners of a row's tile, from its geotransform and shape
   geojson_geometry.c   geometries and tiles as GeoJSON
   raster_tile_index.c  GDAL's index of a mosaic: one CRS, extent, the XML around the features

   Nothing here is used by another folder. Both ways read through a cursor that the caller's query
   gives, so filters, views and formats are those of dataset/. taco_publish closes cursor and sink
   in any case; a taco_footprints lives in its dataset's memory and is closed before that. */
#ifndef TACO__PUBLISH_H
#define TACO__PUBLISH_H

#include "../api/taco_publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

/* ---- footprints ---- */

/* Columns that are read for the footprints, and what they say. */
typedef enum taco__footprint_role {
    TACO__FOOTPRINT_VSI = 0,      /* the path, which becomes `location` */
    TACO__FOOTPRINT_TYPE,         /* FILE or FOLDER */
    TACO__FOOTPRINT_TRANSFORM,    /* stac:geotransform, these three at one level */
    TACO__FOOTPRINT_SHAPE,        /* stac:tensor_shape */
    TACO__FOOTPRINT_CRS,          /* stac:crs */
    TACO__FOOTPRINT_GEOMETRY,     /* WKB */
    TACO__FOOTPRINT_GEOMETRY_CRS, /* istac:crs, of an istac: geometry */
    TACO__FOOTPRINT_ROLES
} taco__footprint_role;

/* Where the roles are in the rows, and which columns become properties. */
typedef struct taco__footprint_columns {
    const char *name[TACO__FOOTPRINT_ROLES]; /* NULL: the view has none */
    size_t at[TACO__FOOTPRINT_ROLES];        /* column of the rows, or TACO__NONE */
    size_t shown;                            /* the first columns of the rows are shown, */
    bool *hidden;                            /* except for these */
    bool has_location;                       /* a column of that name, hidden by the path */
    taco__cell_names labels;                 /* "name": of the columns */
} taco__footprint_columns;

/* A row's tile. */
typedef struct taco__footprints_tile {
    double xy[8];    /* corners, around */
    double pixel[2]; /* size of one */
    bool rotated;    /* its rows do not run east */
    taco_bytes crs;
} taco__footprints_tile;

/* What a tile index says of all its tiles together. */
typedef struct taco__gti_mosaic {
    const char *crs; /* of the first tile */
    double box[4];   /* of all */
    double pixel[2]; /* the smallest; 0 until a tile says its own */
} taco__gti_mosaic;

/* Rows that a warning counts at the end. */
typedef struct taco__footprint_counts {
    uint64_t rows, written;
    uint64_t folders, empty; /* left out of a tile index */
    uint64_t infinite;       /* geometry null: coordinates that are not finite */
    uint64_t foreign;        /* geometry not in degrees, and not reprojected */
} taco__footprint_counts;

struct taco_footprints {
    taco_dataset *ds;
    taco__mem *mem;    /* the dataset's */
    taco__arena arena; /* names */
    taco_cursor *rows;
    taco_footprint_format format;
    taco_error err;
    taco__footprint_columns columns;
    taco__footprint_counts counts;
    taco__gti_mosaic mosaic;
    bool begun, ended;
    taco__buf text;              /* the piece that is returned */
    taco__buf feature, geometry; /* of the current row */
};

/* ---- GeoParquet ---- */

/* How a column of the file is made. */
typedef enum taco__geoparquet_kind {
    TACO__GEOPARQUET_COPY,       /* column `from` as it is */
    TACO__GEOPARQUET_GEOMETRY,   /* the tile of the row, or WKB as it is, or made of text */
    TACO__GEOPARQUET_CENTROID,   /* a point of the geotransform in `from` and the CRS in `other` */
    TACO__GEOPARQUET_TEXT,       /* `text` in every row */
    TACO__GEOPARQUET_EXTENSIONS, /* the projection extension, unless `from` is TACO__NONE */
    TACO__GEOPARQUET_LINKS,      /* to the collection, if there is one */
    TACO__GEOPARQUET_ASSETS,     /* of the path in `from` and the id in `other` */
    TACO__GEOPARQUET_TIME,       /* of `from`, or `other` where that is null */
    TACO__GEOPARQUET_SHAPE,      /* the last two sizes of a tensor */
    TACO__GEOPARQUET_TRANSFORM   /* a geotransform in STAC's order */
} taco__geoparquet_kind;

typedef struct taco__geoparquet_column {
    taco__geoparquet_kind kind;
    size_t from, other; /* columns of the rows; TACO__NONE = none */
    const char *text;
    taco__array_builder made; /* of all kinds but COPY and WKB */
} taco__geoparquet_column;

/* One call of taco_publish. */
typedef struct taco__geoparquet {
    taco_publish_options how;
    const taco_field *in; /* of the rows */
    size_t in_count;
    taco__mem mem;
    taco__arena arena;
    /* the columns of the file, `count` of them: fields, how each is made, arrays of the batch */
    taco_field *out;
    taco__geoparquet_column *columns;
    taco_array *arrays;
    size_t count;
    /* the geometry is the middle of each raster: columns of its CRS and shape */
    bool computed;
    size_t crs, shape;
    /* stac:geotransform, stac:tensor_shape and stac:crs, where the geometry is the tile of a row;
       TACO__NONE where it is not. And its WKB */
    size_t tile[3];
    taco__buf wkb;
    taco_error err;
} taco__geoparquet;

/* ---- footprints.c ---- */

/* Adds the row and the dataset to the failure; false. */
TACO__FN bool taco__footprints_fail(taco_footprints *f);

/* ---- footprint_columns.c ---- */

/* Finds the roles in the columns of a view. asked: the geometry column that the caller names, which
   alone counts then; or NULL. */
TACO__FN bool taco__footprint_columns_find(taco_footprints *f, const taco__cursor_columns *view,
                                           const char *asked);
/* Adds the roles to the columns that a query asks for. */
TACO__FN bool taco__footprint_columns_select(taco_footprints *f, const taco__cursor_columns *view,
                                             taco__query *q);
/* Notes where the roles are in f->rows; all: the query asked for every column. */
TACO__FN bool taco__footprint_columns_place(taco_footprints *f, bool all);
/* The bytes of a row in a column; {NULL, 0} where the view has none. */
TACO__FN taco_bytes taco__footprint_columns_cell(const taco_footprints *f, const taco_batch *b,
                                                 size_t i, taco__footprint_role role);

/* ---- footprint_tile.c ---- */

/* The tile of a row; false where it has none. */
TACO__FN bool taco__footprint_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_tile *t);
/* The same except for the case of ASCII letters. */
/* The same of the three columns: geotransform, shape, CRS. */
TACO__FN bool taco__footprint_tile_read(const taco_array *transform, const taco_array *shape,
                                        const taco_array *crs, size_t i, taco__footprints_tile *t);
TACO__FN bool taco__footprint_tile_to_degrees(taco__footprints_tile *t);
TACO__FN bool taco__footprint_tile_write_wkb(const taco__footprints_tile *t, taco__buf *out,
                                             taco_error *err);
TACO__FN bool taco__footprint_tile_same_crs(taco_bytes a, taco_bytes b);
TACO__FN bool taco__footprint_tile_is_degrees(taco_bytes crs);

/* ---- geojson_geometry.c ---- */

TACO__FN bool taco__geojson_is_finite(double x);
TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err);
/* WKB as a geometry in x and y; null where it is *empty or, *finite false, cannot be written. */
TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err);
/* The coordinates of a Polygon around a box. */
TACO__FN bool taco__geojson_write_box(taco__buf *b, double west, double south, double east,
                                      double north, taco_error *err);
/* A tile in degrees as a geometry. */
TACO__FN bool taco__geojson_write_tile(taco__buf *b, const taco__footprints_tile *t,
                                       taco_error *err);

/* ---- raster_tile_index.c ---- */

/* The document before the first and after the last feature, of GeoJSON alone, too. */
TACO__FN bool taco__gti_begin(taco_footprints *f);
TACO__FN bool taco__gti_end(taco_footprints *f);
/* Makes f->geometry of a row's footprint in the CRS of the mosaic; *none where the row has none. */
TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none);
/* Appends text with what XML would take for markup escaped. */
TACO__FN bool taco__gti_append_escaped(taco__buf *out, taco_bytes b, taco_error *err);

/* ---- geoparquet_batch.c ---- */

/* The batch as it goes out; it lives until the next call. */
TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b,
                                          taco_batch *out);

#endif /* TACO__PUBLISH_H */
