/* publish.h - rows for other catalogues: GeoParquet, STAC GeoParquet, GeoJSON, GDAL tile indexes

   geoparquet.c         taco_publish: plans columns and metadata, then writes batch by batch
   geoparquet_batch.c   computes the columns of one batch
   footprints.c         taco_footprints_*: rows as features, a piece of text at a time
   footprint_columns.c  finds the columns of a view that locate a row
   footprint_tile.c     the corners of a row's tile, from its geotransform and shape
   geojson_geometry.c   geometries and tiles as GeoJSON
   raster_tile_index.c  GDAL's index of a mosaic: one CRS, extent, the XML around the features

   Nothing here is used by another folder. Both read through a cursor for the caller's query, so
   filters, views and formats are those of dataset/. taco_publish always closes cursor and sink; a
   taco_footprints lives in its dataset's memory and must be closed first. */
#ifndef TACO__PUBLISH_H
#define TACO__PUBLISH_H

#include "../api/taco_publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

/* ---- footprints ---- */

/* Roles of the columns that footprints are made from. */
typedef enum taco__footprint_role {
    TACO__FOOTPRINT_VSI = 0,      /* the path, which becomes `location` */
    TACO__FOOTPRINT_TYPE,         /* FILE or FOLDER */
    TACO__FOOTPRINT_TRANSFORM,    /* stac:geotransform; these three at the same level */
    TACO__FOOTPRINT_SHAPE,        /* stac:tensor_shape */
    TACO__FOOTPRINT_CRS,          /* stac:crs */
    TACO__FOOTPRINT_GEOMETRY,     /* WKB */
    TACO__FOOTPRINT_GEOMETRY_CRS, /* istac:crs, for an istac: geometry */
    TACO__FOOTPRINT_ROLES
} taco__footprint_role;

/* Columns of the roles in the rows, and which columns become properties. */
typedef struct taco__footprint_columns {
    const char *name[TACO__FOOTPRINT_ROLES]; /* NULL: the view has none */
    size_t at[TACO__FOOTPRINT_ROLES];        /* column of the rows, or TACO__NONE */
    size_t shown;                            /* number of first columns to show, */
    bool *hidden;                            /* except these */
    bool has_location;                       /* a column of that name is replaced by the path */
    bool stac_order;         /* of the transform: a, b, c, d, e, f, not GDAL's c, a, b, f, d, e */
    taco__cell_names labels; /* "name": for each column */
} taco__footprint_columns;

/* A row's tile. */
typedef struct taco__footprints_tile {
    double xy[8];    /* corners, in order around it */
    double pixel[2]; /* size of a pixel */
    bool rotated;    /* its rows do not run east-west */
    taco_bytes crs;
} taco__footprints_tile;

/* Properties of a whole tile index. */
typedef struct taco__gti_mosaic {
    const char *crs; /* that of the first tile */
    double box[4];   /* extent of all tiles */
    double pixel[2]; /* smallest pixel size; 0 until a tile has one */
} taco__gti_mosaic;

/* Rows to warn about at the end. */
typedef struct taco__footprint_counts {
    uint64_t rows, written;
    uint64_t folders, empty; /* left out of a tile index */
    uint64_t infinite;       /* geometry is null, as coordinates are not finite */
    uint64_t foreign;        /* geometry is not in degrees, and not reprojected */
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
    taco__buf text;              /* the piece to return */
    taco__buf feature, geometry; /* of the current row */
    taco__buf wkb;               /* its geometry in degrees */
};

/* ---- GeoParquet ---- */

/* How a column of the file is made. */
typedef enum taco__geoparquet_kind {
    TACO__GEOPARQUET_COPY,       /* column `from` as it is */
    TACO__GEOPARQUET_GEOMETRY,   /* the row's tile, or WKB as it is, or made from text */
    TACO__GEOPARQUET_CENTROID,   /* a point from the geotransform in `from`, CRS in `other` */
    TACO__GEOPARQUET_TEXT,       /* `text` in every row */
    TACO__GEOPARQUET_ID,         /* ids of the levels above, then that in `from` */
    TACO__GEOPARQUET_EXTENSIONS, /* the projection extension, unless `from` is TACO__NONE */
    TACO__GEOPARQUET_LINKS,      /* to the collection, if there is one */
    TACO__GEOPARQUET_ASSETS,     /* from the path in `from` and the id in `other` */
    TACO__GEOPARQUET_TIME,       /* from `from`, or `other` if that is null */
    TACO__GEOPARQUET_SHAPE,      /* the last two sizes of a tensor */
    TACO__GEOPARQUET_TRANSFORM   /* a geotransform in STAC's order */
} taco__geoparquet_kind;

typedef struct taco__geoparquet_column {
    taco__geoparquet_kind kind;
    size_t from, other; /* columns of the rows, or TACO__NONE */
    const char *text;
    taco__array_builder made; /* all kinds except COPY and WKB */
} taco__geoparquet_column;

/* One call of taco_publish. */
typedef struct taco__geoparquet {
    taco_publish_options how;
    const taco_field *in; /* fields of the rows */
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
    /* flat views: columns with the ids of the levels above, or TACO__NONE */
    size_t ids[TACO__MAX_LEVELS], id_count;
    taco__buf text;
    /* columns stac:geotransform, stac:tensor_shape and stac:crs if the geometry is the row's tile,
       else TACO__NONE; and the tile as WKB */
    size_t tile[3];
    /* columns istac:crs and a centroid if the geometry is istac:geometry, else TACO__NONE */
    size_t foreign, point;
    uint64_t unknown; /* rows whose CRS cannot be converted */
    taco__buf wkb;
    taco_error err;
} taco__geoparquet;

/* ---- footprints.c ---- */

/* Adds the row and the dataset to the error message. Always false. */
TACO__FN bool taco__footprints_fail(taco_footprints *f);

/* ---- footprint_columns.c ---- */

/* Finds the roles in the columns of a view. asked: the only geometry column to use, named by the
   caller; or NULL. */
TACO__FN bool taco__footprint_columns_find(taco_footprints *f, const taco__cursor_columns *view,
                                           const char *asked, uint32_t table);
/* Adds the roles to the columns that a query selects. */
TACO__FN bool taco__footprint_columns_select(taco_footprints *f, const taco__cursor_columns *view,
                                             taco__query *q);
/* Finds the roles' columns in f->rows; all: the query selects every column. */
TACO__FN bool taco__footprint_columns_place(taco_footprints *f, bool all);
/* The bytes of a row in a role's column; {NULL, 0} if the view has none. */
TACO__FN taco_bytes taco__footprint_columns_cell(const taco_footprints *f, const taco_batch *b,
                                                 size_t i, taco__footprint_role role);

/* ---- footprint_tile.c ---- */

/* The tile of a row; false if it has none. */
TACO__FN bool taco__footprint_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_tile *t);
/* Whether two texts are equal, ignoring the case of ASCII letters. */
/* The tile of a row, from the columns geotransform, shape and CRS. */
TACO__FN bool taco__footprint_tile_read(const taco_array *transform, const taco_array *shape,
                                        const taco_array *crs, bool stac, size_t i,
                                        taco__footprints_tile *t);
TACO__FN bool taco__footprint_tile_to_degrees(taco__footprints_tile *t);
TACO__FN bool taco__footprint_tile_write_wkb(const taco__footprints_tile *t, taco__buf *out,
                                             taco_error *err);
TACO__FN bool taco__footprint_tile_same_crs(taco_bytes a, taco_bytes b);
TACO__FN bool taco__footprint_tile_is_degrees(taco_bytes crs);

/* ---- footprint_wkb.c ---- */

/* Whether a geometry is ISO WKB in degrees as it is, as far as its CRS (or none) and its type code
   say: EWKB has flags in that. */
TACO__FN bool taco__footprint_wkb_is_plain(taco_bytes wkb, taco_bytes crs);
/* Makes *out the geometry as ISO WKB in degrees; *known is false if its CRS, or one of its
   vertices, cannot be converted. False: it is no WKB, or there is no memory. */
TACO__FN bool taco__footprint_wkb_write(taco_bytes wkb, taco_bytes crs, taco__buf *out, bool *known,
                                        taco_error *err);

/* ---- geojson_geometry.c ---- */

TACO__FN bool taco__geojson_is_finite(double x);
TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err);
/* Writes WKB as a geometry in x and y; null if it is *empty, or cannot be written: *finite is
   false. */
TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err);
/* Writes the coordinates of a Polygon around a box. */
TACO__FN bool taco__geojson_write_box(taco__buf *b, double west, double south, double east,
                                      double north, taco_error *err);
/* Writes a tile in degrees as a geometry. */
TACO__FN bool taco__geojson_write_tile(taco__buf *b, const taco__footprints_tile *t,
                                       taco_error *err);

/* ---- raster_tile_index.c ---- */

/* Write the document before the first and after the last feature, also for plain GeoJSON. */
TACO__FN bool taco__gti_begin(taco_footprints *f);
TACO__FN bool taco__gti_end(taco_footprints *f);
/* Makes f->geometry from a row's footprint in the CRS of the mosaic; sets *none if it has none. */
TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none);
/* Appends text, escaping XML markup. */
TACO__FN bool taco__gti_append_escaped(taco__buf *out, taco_bytes b, taco_error *err);

/* ---- geoparquet_batch.c ---- */

/* Makes the batch to write, which lives until the next call. */
TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b,
                                          taco_batch *out);

#endif /* TACO__PUBLISH_H */
