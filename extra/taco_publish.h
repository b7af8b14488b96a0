/* taco_publish.h - export rows for other catalogues: Parquet, GeoParquet 1.1, STAC GeoParquet.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_publish.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

       taco_publish_options how = {0};
       how.kind = TACO_PUBLISH_STAC;
       how.id = taco_id(ds);
       how.href = "./collection.json";
       taco_sink_file(&sink, "items.parquet", NULL, &err);
       taco_publish(taco_select(ds, &query, &err), &sink, &how, &err);

   The GEOMETRY is the outline of the row's raster where that is known in degrees, else the first
   that exists of istac:geometry, geometry, stac:centroid and istac:centroid: WKB, or the text of a
   POINT, as in Tortilla. EWKB becomes ISO WKB. Where istac:crs, or the SRID of EWKB, says UTM or
   web mercator, vertices are converted to degrees; in another projection the row has its centroid,
   or null if a column is named or there is none, with a warning. Set crs if all rows have that CRS:
   coordinates are then written as they are. GeoParquet has every column of the rows but internal:*,
   and `geometry` if no column has that name.

   An ITEM has the columns of STAC GeoParquet 1.1: type, stac_version, stac_extensions, id,
   geometry, links, collection, assets.data (href: the path GDAL opens), datetime, start_datetime,
   end_datetime (the start if there is no end), proj:code, proj:shape (rows, columns),
   proj:transform (six numbers in STAC's order), then every other column without bytes, then bbox.
   Times that are
   numbers are seconds since 1970.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_publish.h:LINE
   prints where a line comes from. */
#ifndef TACO_PUBLISH_H
#define TACO_PUBLISH_H

#include "taco.h"
#include "taco_parquet_write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum taco_publish_kind {
    TACO_PUBLISH_PARQUET = 0, /* every column, unchanged */
    TACO_PUBLISH_GEOPARQUET,
    TACO_PUBLISH_STAC
} taco_publish_kind;

typedef struct taco_publish_options {
    const char *geometry_column; /* NULL = the first that exists, see above */
    const char *crs;             /* of the geometry, PROJJSON; NULL = OGC:CRS84 */
    /* GeoParquet: name of a column with bounding boxes of the geometry; NULL = none */
    const char *covering;
    taco_publish_kind kind;
    const char *id; /* STAC: id of the items' collection; NULL = none */
    /* STAC: that Collection as JSON, for the file's metadata; NULL = none */
    const char *collection;
    const char *href;            /* STAC: where the Collection is; NULL = items belong to none */
    taco_pq_write_options write; /* its keys and geometries are written in addition to ours */
    /* Converts x, y in a CRS to longitude and latitude, as taco_lonlat does: rows without a
       geometry get the middle of their raster, from stac:crs, stac:geotransform and
       stac:tensor_shape or stac:raster_shape. UNSUPPORTED if it returns false for a CRS. NULL =
       rows without a geometry are a NOT_FOUND error. */
    bool (*lonlat)(void *ctx, const char *crs, double x, double y, double out[2]);
    void *lonlat_ctx;
} taco_publish_options;

/* Writes the remaining rows of a cursor into a Parquet file. Cursor and sink are always closed; if
   either is NULL, nothing is written. how may be NULL. NOT_FOUND when rows lack a geometry, an id
   or a time that is needed, TYPE when a text is not a point.

       rows  a cursor that has not been stepped; closed by the call
       sink  where the file goes; copied, and closed by the call
       how   kind, geometry, metadata; NULL: defaults */
TACO_API taco_status taco_publish(taco_cursor *rows, const taco_sink *sink,
                                  const taco_publish_options *how, taco_error *err);

/* ---- footprints ------------------------------------------------------------------------------ */

typedef enum taco_footprint_format {
    TACO_FOOTPRINTS_GEOJSON = 1, /* a FeatureCollection, longitudes and latitudes   (RFC 7946) */
    TACO_FOOTPRINTS_GTI          /* a GDAL Raster Tile Index, a mosaic for GDAL 3.9 and later */
} taco_footprint_format;

typedef struct taco_footprints taco_footprints;

/* Starts writing the rows of a query as footprints with their paths, to be fetched a piece of text
   at a time. q as in taco_select.

   GEOJSON: the properties of a feature are the row's columns (canonical JSON; without
   internal:gdal_vsi and the geometry column) and `location`, the path. If a tile has
   stac:geotransform, stac:tensor_shape and stac:crs, the geometry is its exact outline, converted
   to degrees from UTM (WGS 84, ETRS89, NAD83) and web mercator and cut in two if it crosses the
   antimeridian. Otherwise it comes from q->geometry_column, or the first that exists of
   istac:geometry, stac:centroid, istac:centroid: converted in the same way, vertex by vertex, if
   istac:crs (or an SRID) says so; x and y stay as stored in other projections, with a warning. Null
   if there is none.

   GTI: one XML document that contains the index. Footprints come from stac:geotransform,
   stac:tensor_shape and stac:crs (shrunk by 1/1024 of a pixel so that tiles do not touch: GDAL 3.10
   reads holes where they do) or, if q->geometry_column is set or a row lacks these, from polygons
   in a geometry column, in istac:crs (or EPSG:4326 for other columns). A mosaic has a single CRS:
   rows in another one are an ARGUMENT error and must be filtered out. GDAL warps the tiles it
   opens, so with polygons in one CRS the tiles may be in any. Coordinates are not cut at the
   antimeridian. Properties are `location` and the columns of q->select, by default only id. FOLDERs
   and rows without a footprint are left out, with a warning; NOT_FOUND when nothing is left.
   Rotated tiles are an ARGUMENT error.

   NULL on failure. The caller closes it, before the dataset.

       ds      the dataset
       q       rows, and the geometry column; NULL: all of level 0
       format  of the text */
TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *q,
                                               taco_footprint_format format, taco_error *err);
/* Fills *text with the next piece of text, not NUL-terminated, which lives until the next call.
   False at the end and on failure. */
TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text);
/* Releases it, issues the warnings, and reports its failure, if it had one, in err. NULL is
   accepted and returns the code in err, as opening has failed then. */
TACO_API taco_status taco_footprints_close(taco_footprints *f, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PUBLISH_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__PUBLISH_IMPLEMENTED)
#define TACO__PUBLISH_IMPLEMENTED
#include "taco.h" /* its implementation too, where only its declarations were seen before */
#include "taco_parquet_write.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   publish/publish.h                    rows for other catalogues: GeoParquet, STAC GeoParquet, GeoJSON, GDAL tile indexes
   publish/footprints.c                 rows of a query as footprints: GeoJSON features, a piece of text at a time
   publish/footprint_columns.c          finds the columns of a view that give path, tile grid and geometry
   publish/footprint_tile.c             the corners of a row's tile, from GDAL's geotransform and the tensor's shape
   publish/footprint_wkb.c              stored geometries as files want them: ISO WKB, in degrees
   publish/geojson_geometry.c           WKB, boxes and tiles as GeoJSON geometries
   publish/raster_tile_index.c          a GDAL raster tile index: the tiles of one CRS as a mosaic
   publish/geoparquet.c                 the rows of a query as Parquet, GeoParquet or STAC items: columns and metadata
   publish/geoparquet_batch.c           the columns of a batch that must be computed from the rows
*/

/* ==== src/publish/publish.h ==== */
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

/* #include "../api/taco_publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

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
/* ==== src/publish/footprints.c ==== */
/* footprints.c - rows of a query as footprints: GeoJSON features, a piece of text at a time

   In: a query on a dataset; out: one FeatureCollection (RFC 7946), or the same inside of a document
   for GDAL (raster_tile_index.c). A feature has the row's columns as properties, `location` first,
   and the exact tile if the row has a geotransform, else a geometry column, in degrees where its
   CRS is known.

   taco_footprints_open first looks for columns of the view that locate a row (footprint_columns.c),
   and then opens the query with these added. Each taco_footprints_next returns the text of one
   batch; the first begins the document, the one after the last batch ends it. Rows that were left
   out are counted, with a warning on close. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

/* ---- features ---- */

TACO__FN bool taco__footprints_fail(taco_footprints *f)
{
    taco__error_prefix(&f->err, "row %u of the view", f->counts.rows);
    return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
}

/* Makes f->geometry for a GeoJSON feature: the tile in degrees, else WKB in x and y. */
static bool taco__footprints_add_geometry(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco__footprints_tile t;
    taco_bytes wkb, crs;
    bool finite, empty, known;
    if (taco__footprint_tile_of_row(f, b, i, &t) && taco__footprint_tile_to_degrees(&t)) {
        return taco__geojson_write_tile(&f->geometry, &t, &f->err);
    }
    wkb = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_GEOMETRY);
    crs = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_GEOMETRY_CRS);
    if (!wkb.len) { return taco__buf_append_text(&f->geometry, "null", &f->err); }
    if (!taco__footprint_wkb_is_plain(wkb, crs)) {
        if (!taco__footprint_wkb_write(wkb, crs, &f->wkb, &known, &f->err)) {
            return taco__footprints_fail(f);
        }
        if (known) { wkb = taco__bytes_of(f->wkb.data, f->wkb.len); }
        f->counts.foreign += !known;
    }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err)) {
        return taco__footprints_fail(f);
    }
    f->counts.infinite += !finite;
    return true;
}

/* Begins f->feature, up to its geometry. "location" comes first, as GDAL determines a column's type
   by what it sees first. */
static bool taco__footprints_add_properties(taco_footprints *f, const taco_batch *b, size_t row)
{
    taco__buf *out = &f->feature;
    taco_bytes vsi = taco__footprint_columns_cell(f, b, row, TACO__FOOTPRINT_VSI);
    size_t i;
    bool ok = taco__buf_append_text(
                  out, "{\"type\":\"Feature\",\"properties\":{\"location\":", &f->err) &&
              (vsi.data ? taco__json_write_name(out, vsi, &f->err)
                        : taco__buf_append_text(out, "null", &f->err));
    for (i = 0; ok && i < f->columns.shown; i++) {
        size_t from = i ? f->columns.labels.ends[i - 1] : 0;
        if (!f->columns.hidden[i]) {
            ok = taco__buf_append_char(out, ',', &f->err) &&
                 taco__buf_append(out, f->columns.labels.text.data + from,
                                  f->columns.labels.ends[i] - from, &f->err) &&
                 taco__cell_json(out, &b->columns[i], row, &f->err);
        }
    }
    return ok && taco__buf_append_text(out, "},\"geometry\":", &f->err);
}

/* Makes f->feature and f->geometry for a row; sets *none if a tile index leaves it out. */
static bool taco__footprints_make_feature(taco_footprints *f, const taco_batch *b, size_t i,
                                          bool *none)
{
    taco_bytes type = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_TYPE);
    bool gti = f->format == TACO_FOOTPRINTS_GTI;
    f->feature.len = f->geometry.len = 0;
    *none = gti && taco__bytes_equal(type, taco__bytes_text("FOLDER"));
    if (*none) {
        f->counts.folders++;
        return true;
    }
    if (gti ? !taco__gti_add_tile(f, b, i, none) : !taco__footprints_add_geometry(f, b, i)) {
        return false;
    }
    f->counts.empty += *none;
    return *none || (taco__footprints_add_properties(f, b, i) &&
                     taco__buf_append(&f->feature, f->geometry.data, f->geometry.len, &f->err) &&
                     taco__buf_append_char(&f->feature, '}', &f->err));
}

static bool taco__footprints_add_row(taco_footprints *f, const taco_batch *b, size_t i)
{
    bool none, ok;
    if (!taco__footprints_make_feature(f, b, i, &none)) { return false; }
    if (none) { return true; }
    ok = taco__buf_append_text(&f->text, f->counts.written ? ",\n" : "\n", &f->err) &&
         (f->format == TACO_FOOTPRINTS_GTI
              ? taco__gti_append_escaped(&f->text, taco__bytes_of(f->feature.data, f->feature.len),
                                         &f->err)
              : taco__buf_append(&f->text, f->feature.data, f->feature.len, &f->err));
    f->counts.written++;
    return ok;
}

/* Appends the features of the next batch, or the end of the document. */
static bool taco__footprints_add_batch(taco_footprints *f)
{
    taco_batch batch;
    size_t i;
    if (!taco_cursor_batch(f->rows, &batch)) {
        f->ended = f->rows->err.code == TACO_OK;
        if (!f->ended) { f->err = f->rows->err; }
        return f->ended && taco__gti_end(f);
    }
    for (i = 0; i < batch.length; i++, f->counts.rows++) {
        if (!taco__footprints_add_row(f, &batch, i)) { return false; }
    }
    return true;
}

TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text)
{
    *text = taco__bytes_of(NULL, 0);
    if (!f || f->ended || f->err.code != TACO_OK) { return false; }
    f->text.len = 0;
    if ((!f->begun && !taco__gti_begin(f)) || !taco__footprints_add_batch(f)) { return false; }
    *text = taco__bytes_of(f->text.data, f->text.len);
    return true;
}

/* ---- open and close ---- */

/* Warns that n rows were left out or changed. */
static void taco__footprints_warn(taco_footprints *f, uint64_t n, const char *what)
{
    taco_error w;
    if (n && f->ds->options.warn) {
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: %u of %u rows %s",
                   f->ds->stores[0].name, n, f->counts.rows, what);
        f->ds->options.warn(f->ds->options.warn_ctx, &w);
    }
}

static void taco__footprints_warn_all(taco_footprints *f)
{
    const taco__footprint_counts *n = &f->counts;
    taco__footprints_warn(f, n->folders, "are FOLDERs, left out of the tile index");
    taco__footprints_warn(f, n->empty, "have no footprint, left out of the tile index");
    taco__footprints_warn(f, n->infinite, "have coordinates that are not numbers; geometry null");
    taco__footprints_warn(f, n->foreign,
                          "have a geometry whose CRS is not converted to degrees; as stored");
    taco__footprints_warn(f, f->columns.has_location ? n->rows : 0,
                          "have a column 'location', left out: the path is called so");
}

TACO_API taco_status taco_footprints_close(taco_footprints *f, taco_error *err)
{
    taco_status code;
    if (!f) { return err ? err->code : TACO_OK; }
    code = f->err.code;
    taco__error_copy(err, &f->err);
    if (code == TACO_OK && f->ended) { taco__footprints_warn_all(f); }
    taco_cursor_close(f->rows, NULL);
    taco__cell_names_free(&f->columns.labels);
    taco__buf_free(&f->text);
    taco__buf_free(&f->feature);
    taco__buf_free(&f->geometry);
    taco__buf_free(&f->wkb);
    taco__arena_free(&f->arena);
    taco__mem_free(f->mem, f, sizeof *f);
    return code;
}

/* Finds the roles in the columns of the view, and makes q the caller's query with these added. */
static bool taco__footprints_plan(taco_footprints *f, const taco_query *query, bool all,
                                  taco__query *q)
{
    taco_cursor *probe = taco__select_columns_only(f->ds, query, &f->err);
    bool ok = probe && taco__footprint_columns_find(f, &probe->columns, query->geometry_column,
                                                    query->table);
    if (probe && !ok) { taco__container_fail(&f->ds->stores[0], NULL, &f->err); }
    ok = ok && (all || (taco__query_parse(&f->arena, query, q, &f->err) &&
                        taco__footprint_columns_select(f, &probe->columns, q)));
    taco_cursor_close(probe, &f->err);
    return ok;
}

/* Opens the rows. GeoJSON without a list of columns reads all of them, including the roles. */
static bool taco__footprints_begin(taco_footprints *f, const taco_query *query)
{
    bool all = !query->select && f->format == TACO_FOOTPRINTS_GEOJSON;
    taco__query q;
    if (!taco__footprints_plan(f, query, all, &q)) { return false; }
    f->rows =
        all ? taco_select(f->ds, query, &f->err) : taco__select_open(f->ds, &q, NULL, &f->err);
    return f->rows && taco__footprint_columns_place(f, all);
}

TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *query,
                                               taco_footprint_format format, taco_error *err)
{
    taco_footprints *f;
    taco_query q;
    err = taco__error_fresh(err, NULL);
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds || (format != TACO_FOOTPRINTS_GEOJSON && format != TACO_FOOTPRINTS_GTI)) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        ds ? "format" : "dataset");
        return NULL;
    }
    f = (taco_footprints *)taco__mem_alloc(&ds->mem, sizeof *f, err);
    if (!f) { return NULL; }
    f->ds = ds;
    f->mem = f->arena.mem = f->text.mem = f->feature.mem = f->geometry.mem = f->wkb.mem = &ds->mem;
    f->format = format;
    if (!taco__footprints_begin(f, &q)) {
        taco_footprints_close(f, err);
        return NULL;
    }
    return f;
}
/* ==== src/publish/footprint_columns.c ==== */
/* footprint_columns.c - finds the columns of a view that give path, tile grid and geometry

   In: the columns of a view; out: taco__footprint_columns: the names of the roles and, once the
   rows are open, their columns, and which columns become properties. A tile grid is
   stac:geotransform, stac:tensor_shape and stac:crs of one level; the geometry is istac:geometry,
   else stac:centroid, else istac:centroid (TACO 2.0 7.2.2), at any level, the deepest first, as in
   views.

   Called in the order find, select, place, from footprints.c. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

static bool taco__footprint_columns_is_crs(const taco_field *f)
{
    return f->type == TACO_TEXT;
}

static bool taco__footprint_columns_is_numbers(const taco_field *f)
{
    return f->type == TACO_LIST && taco__cursor_column_is_number(&f->children[0]);
}

/* The name of a column at the same level as another one, if it has a suitable type. */
static const char *taco__footprint_columns_beside(const taco__cursor_columns *view, const char *of,
                                                  const char *name,
                                                  bool (*fits)(const taco_field *f))
{
    size_t i = taco__cursor_column_find_same_level(view->fields, view->count, of, name);
    return i != TACO__NONE && fits(&view->fields[i]) ? view->fields[i].name : NULL;
}

/* The name of a column without the prefix of its level. */
static const char *taco__footprint_columns_base_name(const char *label)
{
    return label + taco__cursor_column_prefix_length(label);
}

/* The name of a column with the namespace of another one, "stac:proj_shape" of
   "stac:proj_transform"; NULL if there is none of a suitable type. */
static const char *taco__footprint_columns_sibling(const taco__cursor_columns *view, const char *of,
                                                   const char *name,
                                                   bool (*fits)(const taco_field *f))
{
    const char *colon = strrchr(of, ':');
    size_t i, n = colon ? (size_t)(colon - of) + 1 : 0;
    for (i = 0; i < view->count; i++) {
        const char *l = view->fields[i].name;
        if (strncmp(l, of, n) == 0 && strcmp(l + n, name) == 0 && fits(&view->fields[i])) {
            return l;
        }
    }
    return NULL;
}

/* The grid of TACO 3, whose transform is in the order of STAC; before 0.11 it was that of TACO
   2. */
static void taco__footprint_columns_find_proj(taco__footprint_columns *c,
                                              const taco__cursor_columns *view)
{
    size_t i;
    for (i = 0; i < view->count; i++) {
        const char *l = view->fields[i].name, *shape, *code;
        if (!taco__container_ends_with(l, ":proj_transform") ||
            !taco__footprint_columns_is_numbers(&view->fields[i])) {
            continue;
        }
        shape = taco__footprint_columns_sibling(view, l, "proj_shape",
                                                taco__footprint_columns_is_numbers);
        code =
            taco__footprint_columns_sibling(view, l, "proj_code", taco__footprint_columns_is_crs);
        if (shape && code) {
            c->name[TACO__FOOTPRINT_TRANSFORM] = l;
            c->name[TACO__FOOTPRINT_SHAPE] = shape;
            c->name[TACO__FOOTPRINT_CRS] = code;
            c->stac_order = true;
            return;
        }
    }
}

/* Finds the three columns of the tile grid, at the first level that has all of them. */
static void taco__footprint_columns_find_grid(taco__footprint_columns *c,
                                              const taco__cursor_columns *view)
{
    size_t i;
    for (i = 0; i < view->count; i++) {
        const char *l = view->fields[i].name, *shape, *crs;
        if (strcmp(taco__footprint_columns_base_name(l), "stac:geotransform") != 0 ||
            !taco__footprint_columns_is_numbers(&view->fields[i])) {
            continue;
        }
        shape = taco__footprint_columns_beside(view, l, TACO__PIXEL_STATS_SHAPE,
                                               taco__footprint_columns_is_numbers);
        crs = taco__footprint_columns_beside(view, l, "stac:crs", taco__footprint_columns_is_crs);
        if (shape && crs) {
            c->name[TACO__FOOTPRINT_TRANSFORM] = l;
            c->name[TACO__FOOTPRINT_SHAPE] = shape;
            c->name[TACO__FOOTPRINT_CRS] = crs;
            return;
        }
    }
}

/* Finds the geometry column that the caller names, with or without the prefix of a level. */
static bool taco__footprint_columns_find_asked(taco_footprints *f, const taco__cursor_columns *view,
                                               const char *asked, size_t *found)
{
    taco_bytes name = taco__bytes_text(asked);
    *found = taco__cursor_column_find_unprefixed(view->fields, view->count, asked, true);
    if (*found == TACO__NONE) {
        *found = taco__cursor_column_find_unprefixed(view->fields, view->count, asked, false);
    }
    if (*found == TACO__NONE) {
        taco__field_names_no_column(view->fields, view->count, name, &f->err);
        return false;
    }
    if (view->fields[*found].type != TACO_BINARY) {
        TACO__FAIL(&f->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is not a geometry: WKB is binary", &name);
        return false;
    }
    return true;
}

/* The first WKB column with one of the usual names, in the order of the names; in TACO 3 (tables)
   else one named geometry, of any namespace. */
static size_t taco__footprint_columns_find_usual(const taco__cursor_columns *view, bool tables)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid", "istac:centroid"};
    size_t i, k;
    for (k = 0; k < TACO__COUNT(names); k++) {
        for (i = 0; i < view->count; i++) {
            const char *l = taco__footprint_columns_base_name(view->fields[i].name);
            if (view->fields[i].type == TACO_BINARY && strcmp(l, names[k]) == 0) { return i; }
        }
    }
    for (i = 0; tables && i < view->count; i++) {
        if (view->fields[i].type == TACO_BINARY &&
            taco__container_ends_with(view->fields[i].name, ":geometry")) {
            return i;
        }
    }
    return TACO__NONE;
}

/* Whether the dataset is of a format with named tables, TACO 3. */
static bool taco__footprint_columns_has_tables(const taco_footprints *f)
{
    const taco_opener *format = f->ds->stores[0].format;
    return format && format->table;
}

/* Only istac: geometries may have another CRS; all others are in degrees, its centroid, too. */
static bool taco__footprint_columns_find_geometry(taco_footprints *f,
                                                  const taco__cursor_columns *view,
                                                  const char *asked)
{
    taco__footprint_columns *c = &f->columns;
    size_t found;
    const char *l;
    if (!asked) {
        found = taco__footprint_columns_find_usual(view, taco__footprint_columns_has_tables(f));
    } else if (!taco__footprint_columns_find_asked(f, view, asked, &found)) {
        return false;
    }
    if (found == TACO__NONE) { return true; }
    l = c->name[TACO__FOOTPRINT_GEOMETRY] = view->fields[found].name;
    if (strncmp(taco__footprint_columns_base_name(l), "istac:", 6) == 0 &&
        strcmp(taco__footprint_columns_base_name(l), "istac:centroid") != 0) {
        c->name[TACO__FOOTPRINT_GEOMETRY_CRS] =
            taco__footprint_columns_beside(view, l, "istac:crs", taco__footprint_columns_is_crs);
    }
    return true;
}

/* Where a row is several files, the path is that of the only one among the requested columns,
   "b.tif::location". A mosaic needs one. */
static bool taco__footprint_columns_choose_path(taco_footprints *f,
                                                const taco__cursor_columns *view,
                                                const taco__query_columns *list)
{
    size_t n = list->given ? list->count : view->count, i, at, found = 0;
    for (i = 0; i < n; i++) {
        at = list->given
                 ? taco__cursor_column_find_field(view->fields, view->count, list->items[i].name)
                 : i;
        if (at != TACO__NONE && view->fields[at].type == TACO_TEXT &&
            taco__container_ends_with(view->fields[at].name, "::location")) {
            found++;
            f->columns.name[TACO__FOOTPRINT_VSI] =
                taco__arena_text(&f->arena, taco__bytes_text(view->fields[at].name), &f->err);
        }
    }
    if (found == 1) { return f->columns.name[TACO__FOOTPRINT_VSI] != NULL; }
    f->columns.name[TACO__FOOTPRINT_VSI] = NULL;
    if (f->format == TACO_FOOTPRINTS_GTI) {
        TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a row is %u files, a tile index has one: select a FILE::location (--file)",
                   f->ds->stores[0].name, TACO__U(found));
        return false;
    }
    return true;
}

/* Warns that no row can have a place, which in GeoJSON is no error, if another level has one. */
static void taco__footprint_columns_warn(const taco_footprints *f, uint32_t table)
{
    taco_error w = {0, TACO_OK, 0, {0}};
    if (f->format != TACO_FOOTPRINTS_GEOJSON || !f->ds->options.warn ||
        f->columns.name[TACO__FOOTPRINT_TRANSFORM] || f->columns.name[TACO__FOOTPRINT_GEOMETRY]) {
        return;
    }
    TACO__FAIL(&w, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "%s: these rows have no place: no column istac:geometry, stac:centroid or "
               "istac:centroid",
               f->ds->stores[0].name);
    if (taco__query_place_hint(&f->ds->stores[0], table, &w)) {
        f->ds->options.warn(f->ds->options.warn_ctx, &w);
    }
}

/* Names are copied, as their cursor is closed before they are used. */
TACO__FN bool taco__footprint_columns_find(taco_footprints *f, const taco__cursor_columns *view,
                                           const char *asked, uint32_t table)
{
    taco__footprint_columns *c = &f->columns;
    size_t i = taco__cursor_column_find_unprefixed(view->fields, view->count, "type", false);
    c->name[TACO__FOOTPRINT_VSI] =
        taco__cursor_column_find_field(view->fields, view->count, TACO__GDAL_VSI) == TACO__NONE
            ? NULL
            : TACO__GDAL_VSI;
    c->name[TACO__FOOTPRINT_TYPE] = i == TACO__NONE ? NULL : view->fields[i].name;
    if (!asked) { taco__footprint_columns_find_grid(c, view); }
    if (!asked && !c->name[TACO__FOOTPRINT_TRANSFORM] && taco__footprint_columns_has_tables(f)) {
        taco__footprint_columns_find_proj(c, view);
    }
    if (!taco__footprint_columns_find_geometry(f, view, asked)) { return false; }
    taco__footprint_columns_warn(f, table);
    if (!c->name[TACO__FOOTPRINT_VSI] && f->format == TACO_FOOTPRINTS_GEOJSON) {
        taco__query_columns every;
        memset(&every, 0, sizeof every);
        if (!taco__footprint_columns_choose_path(f, view, &every)) { return false; }
    }
    for (i = 0; i < TACO__FOOTPRINT_ROLES; i++) {
        if (c->name[i]) {
            c->name[i] = taco__arena_text(&f->arena, taco__bytes_text(c->name[i]), &f->err);
            if (!c->name[i]) { return false; }
        }
    }
    return true;
}

/* Selects the requested columns, or the id if there are none, and then those of the roles. */
TACO__FN bool taco__footprint_columns_select(taco_footprints *f, const taco__cursor_columns *view,
                                             taco__query *q)
{
    taco__query_columns *list = &q->select;
    size_t n = list->given ? list->count : 0, i;
    taco__query_column *items = (taco__query_column *)taco__arena_array(
        &f->arena, n + 1 + TACO__FOOTPRINT_ROLES, sizeof *items, &f->err);
    if (!items || (!f->columns.name[TACO__FOOTPRINT_VSI] &&
                   !taco__footprint_columns_choose_path(f, view, list))) {
        return false;
    }
    if (n) { memcpy(items, list->items, n * sizeof *items); }
    if (!list->given) {
        i = taco__cursor_column_find_unprefixed(view->fields, view->count, "id", false);
        if (i != TACO__NONE) {
            items[n].name =
                taco__arena_text(&f->arena, taco__bytes_text(view->fields[i].name), &f->err);
            if (!items[n++].name) { return false; }
        }
    }
    for (i = 0; i < TACO__FOOTPRINT_ROLES; i++) {
        if (f->columns.name[i]) { items[n++].name = f->columns.name[i]; }
    }
    list->items = items;
    list->count = n;
    list->given = true;
    return true;
}

/* Makes the labels of the shown columns, as a row without values would have them. */
static bool taco__footprint_columns_label(taco_footprints *f)
{
    taco_array *arrays = f->rows->batch.arrays;
    taco_batch none;
    size_t i;
    memset(&none, 0, sizeof none);
    for (i = 0; i < f->columns.shown; i++) {
        arrays[i].field = &f->rows->columns.fields[i];
    }
    none.columns = arrays;
    none.column_count = f->columns.shown;
    return taco__cell_names_init(&f->columns.labels, f->mem, &none, &f->err);
}

/* If all columns are read, the roles are among them, and path and geometry are hidden, as they are
   shown elsewhere. Otherwise the roles come last, and are not shown. */
TACO__FN bool taco__footprint_columns_place(taco_footprints *f, bool all)
{
    taco__footprint_columns *c = &f->columns;
    size_t i, n = f->rows->columns.count, roles = 0;
    for (i = 0; i < TACO__FOOTPRINT_ROLES; i++) {
        c->at[i] = c->name[i] ? taco__cursor_column_find(f->rows, c->name[i]) : TACO__NONE;
        roles += c->name[i] != NULL;
    }
    c->shown = all ? n : n - roles;
    c->hidden = (bool *)taco__arena_array(&f->arena, n + 1, sizeof *c->hidden, &f->err);
    if (!c->hidden) { return false; }
    for (i = 0; i < c->shown; i++) {
        bool location = strcmp(f->rows->columns.fields[i].name, "location") == 0;
        bool role = i == c->at[TACO__FOOTPRINT_VSI] || i == c->at[TACO__FOOTPRINT_GEOMETRY];
        c->has_location = c->has_location || location;
        c->hidden[i] = location || (all && role);
    }
    return taco__footprint_columns_label(f);
}

TACO__FN taco_bytes taco__footprint_columns_cell(const taco_footprints *f, const taco_batch *b,
                                                 size_t i, taco__footprint_role role)
{
    size_t at = f->columns.at[role];
    return at == TACO__NONE ? taco__bytes_of(NULL, 0) : taco_array_bytes(&b->columns[at], i);
}
/* ==== src/publish/footprint_tile.c ==== */
/* footprint_tile.c - the corners of a row's tile, from GDAL's geotransform and the tensor's shape

   In: the columns stac:geotransform, stac:tensor_shape and stac:crs of a row; out: a
   taco__footprints_tile. A geotransform g takes column c and row r of the pixels to the point
   (g0 + c g1 + r g2, g3 + c g4 + r g5); the last two sizes of the shape are rows and columns. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */

/* The geotransform; false unless it has six finite numbers. stac: they are in the order of STAC,
   x = n0 c + n1 r + n2, y = n3 c + n4 r + n5. */
static bool taco__footprint_tile_read_transform(const taco_array *a, size_t i, bool stac,
                                                double g[6])
{
    static const uint8_t order[6] = {1, 2, 0, 4, 5, 3};
    size_t k, first = (size_t)a->offsets[i];
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] != 6) { return false; }
    for (k = 0; k < 6; k++) {
        double d = taco_array_double(a->children, first + k);
        g[stac ? order[k] : k] = d;
        if (!taco_array_valid(a->children, first + k) || !taco__geojson_is_finite(d)) {
            return false;
        }
    }
    return true;
}

/* Rows and columns; false unless there are two positive sizes. */
static bool taco__footprint_tile_read_size(const taco_array *a, size_t i, double size[2])
{
    size_t k, first = (size_t)a->offsets[i + 1] - 2;
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] < 2) { return false; }
    for (k = 0; k < 2; k++) {
        size[k] = taco_array_double(a->children, first + k);
        if (!taco_array_valid(a->children, first + k) || !(size[k] > 0)) { return false; }
    }
    return true;
}

/* The corners in order around the tile, from the first row and column. False if one is not
   finite. */
static bool taco__footprint_tile_corners(const double g[6], const double size[2], double xy[8])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        double column = k == 1 || k == 2 ? size[1] : 0, row = k >= 2 ? size[0] : 0;
        xy[2 * k] = g[0] + column * g[1] + row * g[2];
        xy[2 * k + 1] = g[3] + column * g[4] + row * g[5];
        if (!taco__geojson_is_finite(xy[2 * k]) || !taco__geojson_is_finite(xy[2 * k + 1])) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__footprint_tile_read(const taco_array *transform, const taco_array *shape,
                                        const taco_array *crs, bool stac, size_t i,
                                        taco__footprints_tile *t)
{
    double g[6], size[2];
    if (!taco_array_valid(crs, i) || !taco__footprint_tile_read_transform(transform, i, stac, g) ||
        !taco__footprint_tile_read_size(shape, i, size) ||
        !taco__footprint_tile_corners(g, size, t->xy)) {
        return false;
    }
    t->rotated = g[2] != 0 || g[4] != 0;
    t->pixel[0] = g[1] < 0 ? -g[1] : g[1];
    t->pixel[1] = g[5] < 0 ? -g[5] : g[5];
    t->crs = taco_array_bytes(crs, i);
    return t->crs.len && (t->rotated || (t->pixel[0] > 0 && t->pixel[1] > 0));
}

TACO__FN bool taco__footprint_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_tile *t)
{
    const size_t *at = f->columns.at;
    return at[TACO__FOOTPRINT_TRANSFORM] != TACO__NONE &&
           taco__footprint_tile_read(
               &b->columns[at[TACO__FOOTPRINT_TRANSFORM]], &b->columns[at[TACO__FOOTPRINT_SHAPE]],
               &b->columns[at[TACO__FOOTPRINT_CRS]], f->columns.stac_order, i, t);
}

TACO__FN bool taco__footprint_tile_same_crs(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; a.len == b.len && i < a.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) { return false; }
    }
    return a.len == b.len;
}

/* Whether a CRS is longitude and latitude, whose coordinates GeoJSON takes as they are (RFC 7946
   4). */
TACO__FN bool taco__footprint_tile_is_degrees(taco_bytes crs)
{
    return taco__footprint_tile_same_crs(crs, taco__bytes_text("EPSG:4326")) ||
           taco__footprint_tile_same_crs(crs, taco__bytes_text("OGC:CRS84"));
}

/* The longitudes of a tile: the most western and the most eastern one. */
static void taco__footprint_tile_longitudes(const taco__footprints_tile *t, double *west,
                                            double *east)
{
    size_t k;
    *west = *east = t->xy[0];
    for (k = 2; k < 8; k += 2) {
        *west = TACO__MIN(*west, t->xy[k]);
        *east = TACO__MAX(*east, t->xy[k]);
    }
}

/* Replaces a tile that crosses the antimeridian by its bounding box, which writers can cut. Its
   longitudes become 0 to 360. */
static void taco__footprint_tile_box_over_180(taco__footprints_tile *t, double west, double east)
{
    const double turn = west < -180 ? 360 : 0;
    double south = t->xy[1], north = t->xy[1];
    size_t k;
    for (k = 3; k < 8; k += 2) {
        south = TACO__MIN(south, t->xy[k]);
        north = TACO__MAX(north, t->xy[k]);
    }
    t->xy[0] = t->xy[6] = west + turn;
    t->xy[2] = t->xy[4] = east + turn;
    t->xy[1] = t->xy[3] = north;
    t->xy[5] = t->xy[7] = south;
    t->rotated = false;
}

/* Moves a tile in degrees that is partly or entirely beyond 180 or -180 back to the globe: by a
   turn, or as a box, if it lies on both sides. False if it is wider than the globe. */
static bool taco__footprint_tile_wrap(taco__footprints_tile *t)
{
    double west, east;
    size_t k;
    taco__footprint_tile_longitudes(t, &west, &east);
    if (east - west > 360) { return false; }
    if (west >= 180 || east <= -180) {
        for (k = 0; k < 8; k += 2) {
            t->xy[k] += west >= 180 ? -360 : 360;
        }
    } else if (west < -180 || east > 180) {
        taco__footprint_tile_box_over_180(t, west, east);
    }
    return true;
}

/* Converts the corners of a tile to longitude and latitude if its CRS is UTM, web mercator or
   geographic; false for other CRSs, or if a corner is not on the globe. The sides stay straight
   lines: for a tile of 10 km the error is at most a metre. Tiles of UTM cross the antimeridian; of
   other CRSs they end there, some with numbers that are rounded to a metre. */
TACO__FN bool taco__footprint_tile_to_degrees(taco__footprints_tile *t)
{
    char crs[64];
    double out[2], most;
    int32_t code;
    size_t k;
    if (taco__footprint_tile_is_degrees(t->crs)) { return true; }
    if (t->crs.len >= sizeof crs) { return false; }
    memcpy(crs, t->crs.data, t->crs.len);
    crs[t->crs.len] = 0;
    code = taco__projection_epsg_code(crs);
    most = taco__projection_is_utm(code) ? 540 : 180.001;
    for (k = 0; k < 8; k += 2) {
        if (!taco__projection_inverse_unwrapped(code, t->xy[k], t->xy[k + 1], out) ||
            !(out[0] >= -most && out[0] <= most && out[1] >= -90.001 && out[1] <= 90.001)) {
            return false;
        }
        if (most < 360) { out[0] = TACO__MAX(-180, TACO__MIN(180, out[0])); }
        t->xy[k] = out[0];
        t->xy[k + 1] = TACO__MAX(-90, TACO__MIN(90, out[1]));
    }
    t->rotated = true; /* its sides are not parallels */
    return taco__footprint_tile_wrap(t);
}

/* Appends a WKB polygon (ISO 19125: little-endian, type 3, one ring of five points). */
static bool taco__footprint_tile_write_ring(const double xy[8], taco__buf *out, taco_error *err)
{
    static const uint8_t head[13] = {1, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0};
    double area = (xy[4] - xy[0]) * (xy[7] - xy[3]) - (xy[6] - xy[2]) * (xy[5] - xy[1]);
    uint8_t point[TACO__WKB_POINT_BYTES];
    size_t i;
    bool ok = taco__buf_append(out, head, sizeof head, err);
    for (i = 0; ok && i < 5; i++) {
        /* counterclockwise, as in RFC 7946 */
        size_t k = 2 * (i % 4 == 0 ? 0 : area < 0 ? 4 - i : i);
        taco__wkb_point_write(point, xy[k], xy[k + 1]);
        ok = taco__buf_append(out, point + 5, 16, err);
    }
    return ok;
}

/* The part of a box between two longitudes, moved by `turn`. */
static bool taco__footprint_tile_write_part(const taco__footprints_tile *t, double west,
                                            double east, double turn, taco__buf *out,
                                            taco_error *err)
{
    double xy[8];
    xy[0] = xy[6] = west + turn;
    xy[2] = xy[4] = east + turn;
    xy[1] = xy[3] = TACO__MIN(t->xy[1], t->xy[5]);
    xy[5] = xy[7] = TACO__MAX(t->xy[1], t->xy[5]);
    return taco__footprint_tile_write_ring(xy, out, err);
}

/* Writes the tile as WKB: a polygon, or two if it crosses the antimeridian. Longitudes of a box are
   moved by one turn if it is all beyond the antimeridian, as those of 0 to 360 are. */
TACO__FN bool taco__footprint_tile_write_wkb(const taco__footprints_tile *t, taco__buf *out,
                                             taco_error *err)
{
    static const uint8_t two[9] = {1, 6, 0, 0, 0, 2, 0, 0, 0};
    double west = TACO__MIN(t->xy[0], t->xy[2]), east = TACO__MAX(t->xy[0], t->xy[2]);
    double turn = west >= 180 ? -360 : east <= -180 ? 360 : 0, cut;
    out->len = 0;
    if (t->rotated) { return taco__footprint_tile_write_ring(t->xy, out, err); }
    west += turn;
    east += turn;
    cut = west < -180 ? -180 : 180;
    if (cut <= west || cut >= east || east - west > 360) {
        return turn != 0 ? taco__footprint_tile_write_part(t, west, east, 0, out, err)
                         : taco__footprint_tile_write_ring(t->xy, out, err);
    }
    return taco__buf_append(out, two, sizeof two, err) &&
           taco__footprint_tile_write_part(t, west, cut, cut < 0 ? 360 : 0, out, err) &&
           taco__footprint_tile_write_part(t, cut, east, cut < 0 ? 0 : -360, out, err);
}
/* ==== src/publish/footprint_wkb.c ==== */
/* footprint_wkb.c - stored geometries as files want them: ISO WKB, in degrees

   In: WKB of a row in either byte order, ISO or EWKB, and the CRS that the row, or an SRID, names.
   Out: little-endian ISO WKB (ISO 13249-3; GeoParquet 1.1 "Encoding"): type codes with 1000 for Z
   and 2000 for M in place of EWKB's flags, and no SRID. Vertices of UTM and web mercator become
   longitude and latitude, others are not known. Z and M stay; sides stay straight lines between
   their ends. Longitudes are continuous: those of a shape that crosses the antimeridian go on
   beyond 180 or -180.

   Start reading at taco__footprint_wkb_write. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../dataset/cascade.h" */
/* #include "../geo/geo.h" */

/* Where a geometry is written, and what its coordinates are. */
typedef struct taco__footprint_wkb {
    taco__buf *out;
    taco_error *err;
    bool projects;
    int32_t code; /* EPSG */
    double most;  /* the farthest longitude */
} taco__footprint_wkb;

/* The byte order and type code of the geometry that begins at p, which has 5 bytes. */
static uint32_t taco__footprint_wkb_code(const uint8_t *p)
{
    return p[0] == 0 ? taco__load_be32(p + 1) : taco__load_le32(p + 1);
}

static bool taco__footprint_wkb_is_extended(taco_bytes wkb)
{
    return wkb.len >= 5 && taco__footprint_wkb_code(wkb.data) >> 29 != 0;
}

TACO__FN bool taco__footprint_wkb_is_plain(taco_bytes wkb, taco_bytes crs)
{
    return (!crs.len || taco__footprint_tile_is_degrees(crs)) &&
           !taco__footprint_wkb_is_extended(wkb);
}

static bool taco__footprint_wkb_put_count(taco__footprint_wkb *x, size_t n)
{
    uint8_t bytes[4];
    taco__put_le32(bytes, (uint32_t)n);
    return taco__buf_append(x->out, bytes, sizeof bytes, x->err);
}

/* The header of a geometry: byte order, type code, number of parts or rings. */
static bool taco__footprint_wkb_begin(taco__footprint_wkb *x, const uint8_t *at,
                                      const taco__wkb_item *item)
{
    uint32_t code = taco__footprint_wkb_code(at), set = (code & 0x1FFFFFFFU) / 1000;
    bool z = code >> 31 || set == 1 || set == 3, m = (code >> 30 & 1) || set == 2 || set == 3;
    return taco__buf_append_char(x->out, 1, x->err) &&
           taco__footprint_wkb_put_count(x, item->type + (z ? 1000U : 0U) + (m ? 2000U : 0U)) &&
           (item->type < TACO__WKB_POLYGON || taco__footprint_wkb_put_count(x, item->count));
}

/* Converts a vertex; false if it is not on the globe. An empty point, two NaNs, stays one. */
static bool taco__footprint_wkb_project(const taco__footprint_wkb *x, double xy[2])
{
    double out[2];
    if (taco__f64_is_nan(xy[0]) && taco__f64_is_nan(xy[1])) { return true; }
    if (!taco__projection_inverse_unwrapped(x->code, xy[0], xy[1], out) ||
        !(out[0] >= -x->most && out[0] <= x->most && out[1] >= -90.001 && out[1] <= 90.001)) {
        return false;
    }
    xy[0] = x->most < 360 ? TACO__MAX(-180, TACO__MIN(180, out[0])) : out[0];
    xy[1] = TACO__MAX(-90, TACO__MIN(90, out[1]));
    return true;
}

/* The positions of a point, a line or a ring. */
static bool taco__footprint_wkb_run(taco__footprint_wkb *x, const taco__wkb_item *run, bool *known)
{
    uint8_t bytes[8];
    size_t i, k, n = run->stride / 8;
    bool ok = run->type == TACO__WKB_POINT || taco__footprint_wkb_put_count(x, run->n);
    for (i = 0; ok && *known && i < run->n; i++) {
        const uint8_t *p = run->xy + i * run->stride;
        double xy[2];
        xy[0] = taco__wkb_coordinate(p, run->big);
        xy[1] = taco__wkb_coordinate(p + 8, run->big);
        *known = !x->projects || taco__footprint_wkb_project(x, xy);
        for (k = 0; ok && k < n; k++) {
            taco__put_le64(bytes, k < 2 && x->projects ? taco__f64_to_bits(xy[k])
                                  : run->big           ? taco__load_be64(p + k * 8)
                                                       : taco__load_le64(p + k * 8));
            ok = taco__buf_append(x->out, bytes, sizeof bytes, x->err);
        }
    }
    return ok;
}

/* The SRID of EWKB, 0 if there is none. */
static int32_t taco__footprint_wkb_srid(taco_bytes wkb)
{
    uint32_t srid;
    if (wkb.len < 9 || !(taco__footprint_wkb_code(wkb.data) >> 29 & 1)) { return 0; }
    srid = wkb.data[0] == 0 ? taco__load_be32(wkb.data + 5) : taco__load_le32(wkb.data + 5);
    return srid <= INT32_MAX ? (int32_t)srid : 0;
}

/* What the coordinates are in: the CRS of the row, else that of the SRID; false if they cannot be
   converted. */
static bool taco__footprint_wkb_find_crs(taco__footprint_wkb *x, taco_bytes crs, taco_bytes wkb)
{
    double out[2];
    bool known = taco__box_crs_to_degrees(crs, &x->code);
    if (!crs.len) {
        x->code = taco__footprint_wkb_srid(wkb);
        if (taco__projection_is_geographic(x->code)) { x->code = 0; }
        known = x->code == 0 || taco__projection_inverse_unwrapped(x->code, 0, 0, out);
    }
    x->projects = x->code != 0;
    x->most = taco__projection_is_utm(x->code) ? 540 : 180.001;
    return known;
}

TACO__FN bool taco__footprint_wkb_write(taco_bytes wkb, taco_bytes crs, taco__buf *out, bool *known,
                                        taco_error *err)
{
    taco__footprint_wkb x;
    taco__wkb_reader w;
    taco__wkb_item item;
    bool ok = true;
    memset(&x, 0, sizeof x);
    memset(&item, 0, sizeof item);
    x.out = out;
    x.err = err;
    out->len = 0;
    *known = taco__footprint_wkb_find_crs(&x, crs, wkb);
    taco__wkb_reader_init(&w, wkb);
    while (ok && *known) {
        size_t at = taco__byte_reader_position(&w.cur);
        if (taco__wkb_next(&w, &item, err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_BEGIN) {
            ok = taco__footprint_wkb_begin(&x, wkb.data + at, &item);
        } else if (item.what == TACO__WKB_RUN) {
            ok = taco__footprint_wkb_run(&x, &item, known);
        }
    }
    return ok;
}
/* ==== src/publish/geojson_geometry.c ==== */
/* geojson_geometry.c - WKB, boxes and tiles as GeoJSON geometries

   In: WKB of any of the seven types, in x and y; or the corners of a tile in degrees. Out: a
   geometry object appended to a buffer (RFC 7946 3.1): shells counterclockwise and holes clockwise,
   tiles cut in two at the antimeridian, null if nothing can be written. Z and M are dropped.

   taco__geojson_write_wkb walks the blob with geo/wkb.c and writes as it goes. Whether a geometry
   is empty is only known at its end; its text is then removed. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../geo/geo.h" */

/* ---- positions ---- */

TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err)
{
    if (!taco__buf_reserve(b, TACO__CELL_SIZE, err)) { return false; }
    b->len += taco__num_format_f64((char *)b->data + b->len, x);
    return true;
}

static bool taco__geojson_write_point(taco__buf *b, double x, double y, taco_error *err)
{
    return taco__buf_append_char(b, '[', err) && taco__geojson_write_number(b, x, err) &&
           taco__buf_append_char(b, ',', err) && taco__geojson_write_number(b, y, err) &&
           taco__buf_append_char(b, ']', err);
}

/* Infinity minus infinity is NaN. */
TACO__FN bool taco__geojson_is_finite(double x)
{
    return taco__f64_is_finite(x);
}

/* Coordinates of position i of a run. */
static double taco__geojson_x_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride, run->big);
}

static double taco__geojson_y_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
}

/* RFC 7946 3.1.6: shells go counterclockwise, holes clockwise. The area is computed relative to the
   first corner, as it would lose precision far from the origin. */
static bool taco__geojson_is_backwards(const taco__wkb_item *ring)
{
    double x0 = taco__geojson_x_of(ring, 0), y0 = taco__geojson_y_of(ring, 0), area = 0;
    size_t i;
    for (i = 1; i + 1 < ring->n; i++) {
        area += (taco__geojson_x_of(ring, i) - x0) * (taco__geojson_y_of(ring, i + 1) - y0) -
                (taco__geojson_x_of(ring, i + 1) - x0) * (taco__geojson_y_of(ring, i) - y0);
    }
    return ring->index == 0 ? area < 0 : area > 0;
}

/* Writes the positions of a run: one for a Point, a list for all others. Clears *finite if one
   cannot be written. */
static bool taco__geojson_write_run(taco__buf *b, const taco__wkb_item *run, bool *finite,
                                    taco_error *err)
{
    bool back = run->type == TACO__WKB_POLYGON && taco__geojson_is_backwards(run);
    bool ok = run->type == TACO__WKB_POINT || taco__buf_append_char(b, '[', err);
    size_t i;
    for (i = 0; ok && i < run->n; i++) {
        size_t k = back ? run->n - 1 - i : i;
        double x = taco__geojson_x_of(run, k), y = taco__geojson_y_of(run, k);
        *finite = *finite && taco__geojson_is_finite(x) && taco__geojson_is_finite(y);
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__geojson_write_point(b, x, y, err);
    }
    return ok && (run->type == TACO__WKB_POINT || taco__buf_append_char(b, ']', err));
}

/* ---- WKB ---- */

/* In WKB an empty point is two NaNs. */
static bool taco__geojson_is_empty_point(const taco__wkb_item *run)
{
    double x = run->n ? taco__geojson_x_of(run, 0) : 0, y = run->n ? taco__geojson_y_of(run, 0) : 0;
    return run->n == 0 ||
           (run->type == TACO__WKB_POINT && taco__f64_is_nan(x) && taco__f64_is_nan(y));
}

/* A geometry that has not ended yet. */
typedef struct taco__geojson_level {
    size_t begin; /* where it begins in the text */
    size_t parts; /* parts written so far: runs or nested geometries */
} taco__geojson_level;

/* Members of a MultiX are bare coordinates; all others are objects. */
static bool taco__geojson_is_bare(const taco__wkb_reader *w, size_t depth)
{
    return depth > 1 && w->frame[depth - 2].type != TACO__WKB_COLLECTION;
}

/* Begins a geometry: the comma after the one before it, its object, its list of parts. */
static bool taco__geojson_begin(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth;
    bool ok = true;
    levels[d - 1].begin = b->len;
    levels[d - 1].parts = 0;
    if (d > 1 && levels[d - 2].parts++ > 0) { ok = taco__buf_append_char(b, ',', err); }
    if (ok && !taco__geojson_is_bare(w, d)) {
        ok = taco__buf_append_text(b, "{\"type\":\"", err) &&
             taco__buf_append_text(b, taco__wkb_type_name(type), err) &&
             taco__buf_append_text(
                 b,
                 type == TACO__WKB_COLLECTION ? "\",\"geometries\":" : "\",\"coordinates\":", err);
    }
    return ok && (type == TACO__WKB_POINT || type == TACO__WKB_LINESTRING ||
                  taco__buf_append_char(b, '[', err));
}

/* Ends a geometry. Empty members of a MultiX are left out, as GeoJSON has no empty positions or
   lines. */
static bool taco__geojson_end(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                              taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth + 1; /* the reader has left it */
    bool bare = taco__geojson_is_bare(w, d), ok = true;
    if (bare && levels[d - 1].parts == 0) {
        b->len = levels[d - 1].begin;
        levels[d - 2].parts--;
        return true;
    }
    if (type != TACO__WKB_POINT && type != TACO__WKB_LINESTRING) {
        ok = taco__buf_append_char(b, ']', err);
    } else if (levels[d - 1].parts == 0) {
        ok = taco__buf_append_text(b, "[]", err);
    }
    return ok && (bare || taco__buf_append_char(b, '}', err));
}

/* Writes the item of one step of the reader. */
static bool taco__geojson_write_item(taco__buf *b, const taco__wkb_reader *w,
                                     const taco__wkb_item *item, taco__geojson_level *levels,
                                     bool *finite, bool *empty, taco_error *err)
{
    switch (item->what) {
    case TACO__WKB_BEGIN: return taco__geojson_begin(b, w, item->type, levels, err);
    case TACO__WKB_END: return taco__geojson_end(b, w, item->type, levels, err);
    default: break;
    }
    if (taco__geojson_is_empty_point(item)) { return true; }
    *empty = false;
    return (levels[w->depth - 1].parts++ == 0 || taco__buf_append_char(b, ',', err)) &&
           taco__geojson_write_run(b, item, finite, err);
}

TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__geojson_level levels[TACO__WKB_MAX_DEPTH];
    size_t begin = b->len;
    *finite = *empty = true;
    memset(&item, 0, sizeof item);
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        if (taco__wkb_next(&w, &item, err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (!taco__geojson_write_item(b, &w, &item, levels, finite, empty, err)) { return false; }
    }
    if (!*empty && *finite) { return true; }
    b->len = begin;
    return taco__buf_append_text(b, "null", err);
}

/* ---- tiles ---- */

/* A ring around four corners, counterclockwise, as the coordinates of a Polygon. */
static bool taco__geojson_write_polygon(taco__buf *b, const double xy[8], taco_error *err)
{
    double area = (xy[4] - xy[0]) * (xy[7] - xy[3]) - (xy[6] - xy[2]) * (xy[5] - xy[1]);
    size_t i;
    bool ok = taco__buf_append_text(b, "[[", err);
    for (i = 0; ok && i < 5; i++) {
        size_t k = 2 * (i % 4 == 0 ? 0 : area < 0 ? 4 - i : i);
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__geojson_write_point(b, xy[k], xy[k + 1], err);
    }
    return ok && taco__buf_append_text(b, "]]", err);
}

TACO__FN bool taco__geojson_write_box(taco__buf *b, double west, double south, double east,
                                      double north, taco_error *err)
{
    double xy[8];
    xy[0] = xy[6] = west;
    xy[1] = xy[3] = south;
    xy[2] = xy[4] = east;
    xy[5] = xy[7] = north;
    return taco__geojson_write_polygon(b, xy, err);
}

/* A Polygon around a box. */
static bool taco__geojson_write_box_geometry(taco__buf *b, double west, double south, double east,
                                             double north, taco_error *err)
{
    return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
           taco__geojson_write_box(b, west, south, east, north, err) &&
           taco__buf_append_char(b, '}', err);
}

/* Longitudes are moved to -180..180; a tile that crosses the antimeridian becomes two polygons, one
   on either side (RFC 7946 3.1.9), and one that spans the globe becomes all of it. Rotated tiles
   stay as they are. Boxes are moved by one turn at most, and those still farther away are not
   cut. */
TACO__FN bool taco__geojson_write_tile(taco__buf *b, const taco__footprints_tile *t,
                                       taco_error *err)
{
    double west = TACO__MIN(t->xy[0], t->xy[2]), east = TACO__MAX(t->xy[0], t->xy[2]);
    double south = TACO__MIN(t->xy[1], t->xy[5]), north = TACO__MAX(t->xy[1], t->xy[5]);
    double turn = west >= 180 ? -360 : east <= -180 ? 360 : 0, cut;
    if (t->rotated) {
        return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
               taco__geojson_write_polygon(b, t->xy, err) && taco__buf_append_char(b, '}', err);
    }
    west += turn;
    east += turn;
    if (east - west >= 360) {
        west = -180;
        east = 180;
    }
    cut = west < -180 ? -180 : east > 180 ? 180 : west;
    if (cut <= west || cut >= east) { /* all of it is on one side */
        return taco__geojson_write_box_geometry(b, west, south, east, north, err);
    }
    return taco__buf_append_text(b, "{\"type\":\"MultiPolygon\",\"coordinates\":[", err) &&
           taco__geojson_write_box(b, cut < 0 ? west + 360 : west, south, 180, north, err) &&
           taco__buf_append_char(b, ',', err) &&
           taco__geojson_write_box(b, -180, south, cut < 0 ? east : east - 360, north, err) &&
           taco__buf_append_text(b, "]}", err);
}
/* ==== src/publish/raster_tile_index.c ==== */
/* raster_tile_index.c - a GDAL raster tile index: the tiles of one CRS as a mosaic

   In: the rows of a taco_footprints whose format is GTI; out: an XML document (GDAL "GTI -- GDAL
   Raster Tile Index") that holds the index itself, as GeoJSON in <IndexDataset>, and after it the
   CRS, resolution and extent of the mosaic, so that GDAL does not have to open a tile for them. The
   document around plain GeoJSON is also made here.

   Call taco__gti_begin, then taco__gti_add_tile for each row, then taco__gti_end. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */

/* A mosaic has one CRS, that of its first tile. */
static bool taco__gti_check_crs(taco_footprints *f, taco_bytes crs, const char *column)
{
    taco_bytes before = taco__bytes_text(f->mosaic.crs), name = taco__bytes_text(column);
    if (!f->mosaic.crs) {
        f->mosaic.crs = taco__arena_text(&f->arena, crs, &f->err);
        return f->mosaic.crs != NULL;
    }
    if (taco__footprint_tile_same_crs(before, crs)) { return true; }
    TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "a tile in %q, the tiles before are in %q: a tile index has one CRS, filter by %q, "
               "or name a geometry column of polygons in one CRS",
               &crs, &before, &name);
    return taco__footprints_fail(f);
}

/* Extends the extent of the mosaic by a tile. */
static void taco__gti_extend(taco_footprints *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        bool more = k < 2 ? box[k] < f->mosaic.box[k] : box[k] > f->mosaic.box[k];
        f->mosaic.box[k] = f->counts.written == 0 || more ? box[k] : f->mosaic.box[k];
    }
}

/* GDAL 3.10 leaves a window empty when a tile that only touches its edge comes before the tile that
   fills it. So tiles in an index are shrunk by a fraction of a pixel on each side. The extent of
   the mosaic is exact. */
#define TACO__GTI_INSET 1024

/* Adds the footprint of a row with a tile grid. */
static bool taco__gti_add_grid(taco_footprints *f, const taco__footprints_tile *t)
{
    taco__buf *out = &f->geometry;
    double box[4], inset[2], *pixel = f->mosaic.pixel;
    size_t k;
    if (t->rotated) {
        TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the tile's stac:geotransform is rotated: a tile index needs tiles whose "
                   "rows run east");
        return taco__footprints_fail(f);
    }
    for (k = 0; k < 2; k++) {
        box[k] = TACO__MIN(t->xy[k], t->xy[4 + k]);
        box[2 + k] = TACO__MAX(t->xy[k], t->xy[4 + k]);
        inset[k] = t->pixel[k] / TACO__GTI_INSET;
        pixel[k] = pixel[k] > 0 && pixel[k] < t->pixel[k] ? pixel[k] : t->pixel[k];
    }
    taco__gti_extend(f, box);
    return taco__gti_check_crs(f, t->crs, f->columns.name[TACO__FOOTPRINT_CRS]) &&
           taco__buf_append_text(out, "{\"type\":\"Polygon\",\"coordinates\":", &f->err) &&
           taco__geojson_write_box(out, box[0] + inset[0], box[1] + inset[1], box[2] - inset[0],
                                   box[3] - inset[1], &f->err) &&
           taco__buf_append_char(out, '}', &f->err);
}

/* Adds the footprint of a row with a geometry; points and lines do not count. */
static bool taco__gti_add_geometry(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco_bytes wkb = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_GEOMETRY);
    taco_bytes crs = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_GEOMETRY_CRS);
    const char *const *name = f->columns.name;
    double box[4];
    bool finite, empty;
    *none = true;
    if (!wkb.len) { return true; }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err) ||
        taco__wkb_bounds(wkb, box, &empty, &f->err) != TACO_OK) {
        return f->err.code == TACO_OK || taco__footprints_fail(f);
    }
    *none = empty || !finite || !(box[0] < box[2]) || !(box[1] < box[3]);
    if (*none) { return true; }
    taco__gti_extend(f, box);
    return taco__gti_check_crs(
        f, crs.len ? crs : taco__bytes_text("EPSG:4326"),
        name[name[TACO__FOOTPRINT_GEOMETRY_CRS] ? TACO__FOOTPRINT_GEOMETRY_CRS
                                                : TACO__FOOTPRINT_GEOMETRY]);
}

TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco__footprints_tile t;
    *none = false;
    return taco__footprint_tile_of_row(f, b, i, &t) ? taco__gti_add_grid(f, &t)
                                                    : taco__gti_add_geometry(f, b, i, none);
}

TACO__FN bool taco__gti_append_escaped(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i, from = 0;
    for (i = 0; i <= b.len; i++) {
        const char *e = i == b.len         ? ""
                        : b.data[i] == '&' ? "&amp;"
                        : b.data[i] == '<' ? "&lt;"
                        : b.data[i] == '>' ? "&gt;"
                                           : NULL;
        if (e) {
            if (!taco__buf_append(out, b.data + from, i - from, err) ||
                !taco__buf_append_text(out, e, err)) {
                return false;
            }
            from = i + 1;
        }
    }
    return true;
}

/* ---- the document ---- */

/* GDAL takes an <IndexDataset> that begins like GeoJSON as the index itself, not as a file name. */
TACO__FN bool taco__gti_begin(taco_footprints *f)
{
    f->begun = true;
    return (f->format == TACO_FOOTPRINTS_GEOJSON ||
            taco__buf_append_text(&f->text, "<GDALTileIndexDataset>\n<IndexDataset>", &f->err)) &&
           taco__buf_append_text(&f->text, "{\"type\":\"FeatureCollection\",\"features\":[",
                                 &f->err);
}

/* <name>x</name>. */
static bool taco__gti_write_element(taco_footprints *f, const char *name, double x)
{
    return taco__buf_append_char(&f->text, '<', &f->err) &&
           taco__buf_append_text(&f->text, name, &f->err) &&
           taco__buf_append_char(&f->text, '>', &f->err) &&
           taco__geojson_write_number(&f->text, x, &f->err) &&
           taco__buf_append_text(&f->text, "</", &f->err) &&
           taco__buf_append_text(&f->text, name, &f->err) &&
           taco__buf_append_text(&f->text, ">\n", &f->err);
}

/* Writes resolution and extent, if every tile has them. */
static bool taco__gti_write_extent(taco_footprints *f)
{
    static const char *const names[] = {"MinX", "MinY", "MaxX", "MaxY"};
    const taco__gti_mosaic *m = &f->mosaic;
    size_t k;
    if (!(m->pixel[0] > 0)) { return true; }
    if (!taco__gti_write_element(f, "ResX", m->pixel[0]) ||
        !taco__gti_write_element(f, "ResY", m->pixel[1])) {
        return false;
    }
    for (k = 0; k < 4; k++) {
        if (!taco__gti_write_element(f, names[k], m->box[k])) { return false; }
    }
    return true;
}

/* Tiles are FILEs: appends the deepest level, which has only these. */
static void taco__gti_hint_files(taco_footprints *f)
{
    const uint32_t n = taco__container_level_count(&f->ds->stores[0]);
    if (n > 1) { taco__error_suffix(&f->err, "; FILEs are in --table l%u", TACO__U(n - 1)); }
}

/* A mosaic without tiles is an error; its message says what happened to the rows. */
static bool taco__gti_fail_empty(taco_footprints *f)
{
    TACO__FAIL(&f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "no tiles: %u of %u rows are FOLDERs, %u have no footprint (stac:geotransform, "
               "stac:tensor_shape and stac:crs, or a polygon)",
               f->counts.folders, f->counts.rows, f->counts.empty);
    if (f->counts.folders) { taco__gti_hint_files(f); }
    return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
}

TACO__FN bool taco__gti_end(taco_footprints *f)
{
    taco__buf *out = &f->text;
    if (f->format == TACO_FOOTPRINTS_GEOJSON) {
        return taco__buf_append_text(out, "\n]}\n", &f->err);
    }
    if (f->counts.written == 0) { return taco__gti_fail_empty(f); }
    return taco__buf_append_text(out,
                                 "\n]}</IndexDataset>\n<LocationField>location</LocationField>\n"
                                 "<SRS>",
                                 &f->err) &&
           taco__gti_append_escaped(out, taco__bytes_text(f->mosaic.crs), &f->err) &&
           taco__buf_append_text(out, "</SRS>\n", &f->err) && taco__gti_write_extent(f) &&
           taco__buf_append_text(out, "</GDALTileIndexDataset>\n", &f->err);
}
/* ==== src/publish/geoparquet.c ==== */
/* geoparquet.c - the rows of a query as Parquet, GeoParquet or STAC items: columns and metadata

   In: a cursor and taco_publish_options; out: a file. First the columns are planned: a list of
   fields, each with the column of the rows that it is copied or made from (taco__geoparquet_plan).
   GeoParquet 1.1 files get all columns except internal:*, and `geometry`; STAC GeoParquet 1.1 files
   begin with the columns of an item, which are found by their TACO names. Then each batch goes
   through geoparquet_batch.c to the Parquet writer, which adds bbox and the "geo" key.

   Start reading at taco_publish. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/json.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */

/* ---- columns of the rows ---- */

/* The first column with one of the names, in their order, and a suitable type. In a flat view names
   have the prefix of a level: the deepest comes first, and `beside`, if not TACO__NONE, is a column
   of the level to look in. */
static size_t taco__geoparquet_find_beside(const taco__geoparquet *x, size_t beside,
                                           const char *const *names, size_t n,
                                           bool (*suits)(const taco_field *f))
{
    const char *of = beside == TACO__NONE ? NULL : x->in[beside].name;
    size_t i, k, skip;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            const char *l = x->in[i].name;
            skip = taco__cursor_column_prefix_length(of ? of : l);
            if ((!of || strncmp(l, of, skip) == 0) && strcmp(l + skip, names[k]) == 0 &&
                suits(&x->in[i])) {
                return i;
            }
        }
    }
    return TACO__NONE;
}

/* The same at any level; a name may have the prefix of one. */
static size_t taco__geoparquet_find_column(const taco__geoparquet *x, const char *const *names,
                                           size_t n, bool (*suits)(const taco_field *f))
{
    size_t i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            if (strcmp(x->in[i].name, names[k]) == 0 && suits(&x->in[i])) { return i; }
        }
    }
    return taco__geoparquet_find_beside(x, TACO__NONE, names, n, suits);
}

static bool taco__geoparquet_is_text(const taco_field *f)
{
    return f->type == TACO_TEXT;
}

static bool taco__geoparquet_is_geometry(const taco_field *f)
{
    return f->type == TACO_BINARY || f->type == TACO_TEXT;
}

static bool taco__geoparquet_is_time(const taco_field *f)
{
    return f->type == TACO_TIMESTAMP || f->type == TACO_DATE || f->type == TACO_INT64 ||
           f->type == TACO_INT32 || f->type == TACO_DOUBLE;
}

static bool taco__geoparquet_is_numbers(const taco_field *f)
{
    return f->type == TACO_LIST &&
           (f->children[0].type == TACO_INT64 || f->children[0].type == TACO_INT32 ||
            f->children[0].type == TACO_DOUBLE || f->children[0].type == TACO_FLOAT);
}

/* ---- columns of the file ---- */

/* Adds a column, made from column `from`; the caller fills in the rest. */
static taco_field *taco__geoparquet_add_column(taco__geoparquet *x, const char *name,
                                               taco_type type, taco__geoparquet_kind kind,
                                               size_t from)
{
    taco_field *f = &x->out[x->count];
    taco__geoparquet_column *c = &x->columns[x->count++];
    *f = taco__field_make(name, type);
    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->from = from;
    c->other = TACO__NONE;
    return f;
}

/* Adds a column with the same text in every row. */
static void taco__geoparquet_add_text(taco__geoparquet *x, const char *name, const char *text)
{
    taco__geoparquet_add_column(x, name, TACO_TEXT, TACO__GEOPARQUET_TEXT, TACO__NONE);
    x->columns[x->count - 1].text = text;
}

/* Adds a copy of column `from` under another name. */
static void taco__geoparquet_add_copy(taco__geoparquet *x, const char *name, size_t from)
{
    taco_field *f = taco__geoparquet_add_column(x, name, TACO_NULL, TACO__GEOPARQUET_COPY, from);
    *f = x->in[from];
    f->name = name;
}

/* Adds n child fields to a LIST or a STRUCT; NULL if out of memory. */
static taco_field *taco__geoparquet_add_children(taco__geoparquet *x, taco_field *f, size_t n)
{
    taco_field *c = (taco_field *)taco__arena_array(&x->arena, n, sizeof *c, &x->err);
    if (c) {
        f->children = c;
        f->child_count = (uint32_t)n;
    }
    return c;
}

/* A LIST of texts or numbers. Items are called "element", as in LogicalTypes.md. */
static bool taco__geoparquet_init_list(taco__geoparquet *x, taco_field *f, taco_type type)
{
    taco_field *c = taco__geoparquet_add_children(x, f, 1);
    if (c) { *c = taco__field_make("element", type); }
    return c != NULL;
}

static bool taco__geoparquet_add_list(taco__geoparquet *x, const char *name, taco_type type,
                                      taco__geoparquet_kind kind, size_t from)
{
    taco_field *f = taco__geoparquet_add_column(x, name, TACO_LIST, kind, from);
    return taco__geoparquet_init_list(x, f, type);
}

/* True for bytes, also within lists and structs. */
static bool taco__geoparquet_has_bytes(const taco_field *f)
{
    uint32_t i;
    for (i = 0; i < f->child_count; i++) {
        if (taco__geoparquet_has_bytes(&f->children[i])) { return true; }
    }
    return f->type == TACO_BINARY || f->type == TACO_FIXED;
}

/* True for a column that the caller names as a further geometry. */
static bool taco__geoparquet_is_further(const taco__geoparquet *x, const char *name)
{
    size_t i;
    for (i = 0; i < x->how.write.geometry_count; i++) {
        if (strcmp(x->how.write.geometries[i].column, name) == 0) { return true; }
    }
    return false;
}

/* Copies every column that is not used yet. If names clash, ours wins; internal:* is left out, as
   positions in this dataset mean nothing outside it, and of items bytes, which are no property: an
   item is JSON. */
static void taco__geoparquet_copy_others(taco__geoparquet *x, const bool *used)
{
    size_t i, k;
    for (i = 0; i < x->in_count; i++) {
        const char *name = x->in[i].name;
        bool skip = used[i] ||
                    strncmp(name + taco__cursor_column_prefix_length(name), "internal:", 9) == 0 ||
                    (x->how.kind == TACO_PUBLISH_STAC && taco__geoparquet_has_bytes(&x->in[i]) &&
                     !taco__geoparquet_is_further(x, name));
        for (k = 0; k < x->count; k++) {
            skip = skip || strcmp(x->out[k].name, name) == 0;
        }
        if (!skip) { taco__geoparquet_add_copy(x, name, i); }
    }
}

/* Finds the columns from which the middle of a raster is computed. Returns that of its
   geotransform, or TACO__NONE if one is missing or the CRS is unknown. */
static size_t taco__geoparquet_find_raster(taco__geoparquet *x)
{
    static const char *const crs[] = {"stac:crs"}, *const transform[] = {"stac:geotransform"};
    static const char *const shape[] = {"stac:tensor_shape", "stac:raster_shape"};
    size_t at = taco__geoparquet_find_column(x, transform, 1, taco__geoparquet_is_numbers);
    x->crs = taco__geoparquet_find_beside(x, at, crs, 1, taco__geoparquet_is_text);
    x->shape = taco__geoparquet_find_beside(x, at, shape, 2, taco__geoparquet_is_numbers);
    x->computed = x->how.lonlat && !x->how.geometry_column && at != TACO__NONE &&
                  x->crs != TACO__NONE && x->shape != TACO__NONE;
    return x->computed ? at : TACO__NONE;
}

/* Finds the CRS of istac:geometry (the centroid is always in degrees), and the point to use instead
   in rows where it cannot be converted, as the file says that all are in degrees: none for a column
   that the caller names. */
static void taco__geoparquet_find_foreign(taco__geoparquet *x, size_t at)
{
    static const char *const crs[] = {"istac:crs"};
    static const char *const points[] = {"stac:centroid", "istac:centroid"};
    x->foreign = x->point = TACO__NONE;
    if (at == TACO__NONE || x->how.crs) { return; }
    if (strcmp(x->in[at].name, "istac:geometry") == 0) {
        x->foreign = taco__geoparquet_find_column(x, crs, 1, taco__geoparquet_is_text);
    }
    if (!x->how.geometry_column) {
        x->point = taco__geoparquet_find_column(x, points, 2, taco__geoparquet_is_geometry);
        if (x->point == at) { x->point = TACO__NONE; }
    }
}

/* The geometry: the column that the caller names, or the first usual one, footprints before points
   as in GeoJSON, or the one from which it is computed. Fails if there is none. */
static size_t taco__geoparquet_find_geometry(taco__geoparquet *x)
{
    static const char *const usual[] = {"istac:geometry", "geometry", "stac:centroid",
                                        "istac:centroid"};
    const char *asked = x->how.geometry_column;
    size_t at =
        taco__geoparquet_find_column(x, asked ? &x->how.geometry_column : usual,
                                     asked ? 1 : TACO__COUNT(usual), taco__geoparquet_is_geometry);
    taco__geoparquet_find_foreign(x, at);
    if (at == TACO__NONE) { at = taco__geoparquet_find_raster(x); }
    if (at == TACO__NONE) {
        taco_bytes name = taco__bytes_text(asked ? asked : "stac:centroid");
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no geometry to publish: there is no column %q of WKB or text", &name);
    }
    return at;
}

/* Adds the column `geometry`, made from the one that taco__geoparquet_find_geometry found. */
static void taco__geoparquet_add_geometry(taco__geoparquet *x, size_t from)
{
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY,
                                x->computed ? TACO__GEOPARQUET_CENTROID : TACO__GEOPARQUET_GEOMETRY,
                                from);
    if (x->computed) { x->columns[x->count - 1].other = x->crs; }
}

/* GeoParquet: writes the geometry as `geometry`; its column is also kept under its own name, unless
   that is the same. */
static bool taco__geoparquet_add_geo_columns(taco__geoparquet *x, bool *used)
{
    size_t at = taco__geoparquet_find_geometry(x);
    if (at == TACO__NONE) { return false; }
    used[at] = strcmp(x->in[at].name, "geometry") == 0;
    taco__geoparquet_copy_others(x, used);
    taco__geoparquet_add_geometry(x, at);
    return true;
}

/* ---- columns of an item ---- */

/* A STRUCT of n text fields. */
static taco_field *taco__geoparquet_init_struct(taco__geoparquet *x, taco_field *f,
                                                const char *const *names, size_t n)
{
    taco_field *c = taco__geoparquet_add_children(x, f, n);
    size_t i;
    for (i = 0; c && i < n; i++) {
        c[i] = taco__field_make(names[i], TACO_TEXT);
    }
    return c;
}

/* assets: {data: {href, type, roles}}. */
static bool taco__geoparquet_add_assets(taco__geoparquet *x, size_t href, size_t id)
{
    static const char *const names[] = {"href", "type", "roles"};
    taco_field *data, *c;
    taco_field *f =
        taco__geoparquet_add_column(x, "assets", TACO_STRUCT, TACO__GEOPARQUET_ASSETS, href);
    x->columns[x->count - 1].other = id;
    data = taco__geoparquet_add_children(x, f, 1);
    if (!data) { return false; }
    *data = taco__field_make("data", TACO_STRUCT);
    c = taco__geoparquet_init_struct(x, data, names, 3);
    if (!c) { return false; }
    c[2].type = TACO_LIST;
    return taco__geoparquet_init_list(x, &c[2], TACO_TEXT);
}

/* links: a list of {href, rel, type}; empty if there is no collection, as STAC requires links in
   every item. */
static bool taco__geoparquet_add_links(taco__geoparquet *x)
{
    static const char *const names[] = {"href", "rel", "type"};
    return taco__geoparquet_add_list(x, "links", TACO_STRUCT, TACO__GEOPARQUET_LINKS, TACO__NONE) &&
           taco__geoparquet_init_struct(x, (taco_field *)x->out[x->count - 1].children, names, 3) !=
               NULL;
}

/* A UTC timestamp in microseconds, as in STAC GeoParquet: from `from`, or from `other` if that is
   null. */
static void taco__geoparquet_add_time(taco__geoparquet *x, const char *name, size_t from,
                                      size_t other)
{
    taco_field *f =
        taco__geoparquet_add_column(x, name, TACO_TIMESTAMP, TACO__GEOPARQUET_TIME, from);
    f->utc = true;
    x->columns[x->count - 1].other = other;
}

/* STAC projection extension v2.0.0: code, shape and transform, as far as the rows have them.
   extensions is the column that names the extension if it is used. */
static bool taco__geoparquet_add_projection(taco__geoparquet *x, size_t extensions, bool *used)
{
    static const char *const crs_names[] = {"stac:crs", "istac:crs"};
    static const char *const shape_names[] = {"stac:tensor_shape", "stac:raster_shape"};
    static const char *const transform_names[] = {"stac:geotransform"};
    size_t transform =
        taco__geoparquet_find_column(x, transform_names, 1, taco__geoparquet_is_numbers);
    size_t crs = taco__geoparquet_find_beside(x, transform, crs_names, 2, taco__geoparquet_is_text);
    size_t shape =
        taco__geoparquet_find_beside(x, transform, shape_names, 2, taco__geoparquet_is_numbers);
    bool ok = true;
    if (crs != TACO__NONE) {
        used[crs] = true;
        taco__geoparquet_add_copy(x, "proj:code", crs);
    }
    if (shape != TACO__NONE) {
        used[shape] = true;
        ok = taco__geoparquet_add_list(x, "proj:shape", TACO_INT64, TACO__GEOPARQUET_SHAPE, shape);
    }
    if (ok && transform != TACO__NONE) {
        used[transform] = true;
        ok = taco__geoparquet_add_list(x, "proj:transform", TACO_DOUBLE, TACO__GEOPARQUET_TRANSFORM,
                                       transform);
    }
    if (crs != TACO__NONE || shape != TACO__NONE || transform != TACO__NONE) {
        x->columns[extensions].from = 0; /* any but TACO__NONE */
    }
    return ok;
}

/* Columns of the rows that an item is made from; geometry, id and start are required. */
typedef struct taco__geoparquet_sources {
    size_t geometry, id, href, start, end;
} taco__geoparquet_sources;

static bool taco__geoparquet_find_sources(taco__geoparquet *x, taco__geoparquet_sources *s)
{
    static const char *const ids[] = {"id", "tortilla:id"};
    static const char *const hrefs[] = {"internal:gdal_vsi", "internal:subfile"};
    static const char *const starts[] = {"stac:time_start", "istac:time_start"};
    static const char *const ends[] = {"stac:time_end", "istac:time_end"};
    s->geometry = taco__geoparquet_find_geometry(x);
    if (s->geometry == TACO__NONE) { return false; }
    s->id = taco__geoparquet_find_column(x, ids, 2, taco__geoparquet_is_text);
    s->href = taco__geoparquet_find_column(x, hrefs, 2, taco__geoparquet_is_text);
    s->start = taco__geoparquet_find_column(x, starts, 2, taco__geoparquet_is_time);
    s->end = taco__geoparquet_find_column(x, ends, 2, taco__geoparquet_is_time);
    if (s->id == TACO__NONE || s->start == TACO__NONE) {
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no items without column %s",
                   s->id == TACO__NONE ? "'id'" : "'stac:time_start'");
        return false;
    }
    return true;
}

/* datetime, start_datetime, end_datetime. In STAC datetime may only be null if the other two are
   there; all three are always written, so that readers need no special case. */
static void taco__geoparquet_add_times(taco__geoparquet *x, const taco__geoparquet_sources *s)
{
    taco__geoparquet_add_time(x, "datetime", s->start, TACO__NONE);
    taco__geoparquet_add_time(x, "start_datetime", s->start, TACO__NONE);
    taco__geoparquet_add_time(x, "end_datetime", s->end == TACO__NONE ? s->start : s->end,
                              s->start);
}

/* The id of an item: that of the row, of a row of a flat view the ids from level 0 down, as items
   of one collection have different ids. */
static void taco__geoparquet_add_id(taco__geoparquet *x, size_t id)
{
    static const char *const names[] = {"id", "tortilla:id"};
    const char *l = x->in[id].name;
    if (!taco__cursor_column_prefix_length(l)) {
        taco__geoparquet_add_copy(x, "id", id);
        return;
    }
    taco__geoparquet_add_column(x, "id", TACO_TEXT, TACO__GEOPARQUET_ID, id);
    for (; x->id_count < (size_t)(l[1] - '0') && x->id_count < TACO__MAX_LEVELS; x->id_count++) {
        char level[4] = "l0:";
        size_t i = 0;
        level[1] = (char)('0' + x->id_count);
        while (i < x->in_count &&
               !(strncmp(x->in[i].name, level, 3) == 0 && x->in[i].type == TACO_TEXT &&
                 (strcmp(x->in[i].name + 3, names[0]) == 0 ||
                  strcmp(x->in[i].name + 3, names[1]) == 0))) {
            i++;
        }
        x->ids[x->id_count] = i < x->in_count ? i : TACO__NONE;
    }
}

/* In the order in which STAC lists the members of an item; collection is only written with a link
   to it, as STAC requires. */
static bool taco__geoparquet_add_stac_columns(taco__geoparquet *x, bool *used)
{
    taco__geoparquet_sources s;
    size_t extensions;
    if (!taco__geoparquet_find_sources(x, &s)) { return false; }
    used[s.geometry] = used[s.id] = used[s.start] = true;
    if (s.end != TACO__NONE) { used[s.end] = true; }
    taco__geoparquet_add_text(x, "type", "Feature");
    taco__geoparquet_add_text(x, "stac_version", "1.1.0");
    extensions = x->count;
    if (!taco__geoparquet_add_list(x, "stac_extensions", TACO_TEXT, TACO__GEOPARQUET_EXTENSIONS,
                                   TACO__NONE)) {
        return false;
    }
    taco__geoparquet_add_id(x, s.id);
    taco__geoparquet_add_geometry(x, s.geometry);
    if (!taco__geoparquet_add_links(x)) { return false; }
    if (x->how.id && x->how.href) { taco__geoparquet_add_text(x, "collection", x->how.id); }
    if (!taco__geoparquet_add_assets(x, s.href, s.id)) { return false; }
    taco__geoparquet_add_times(x, &s);
    if (!taco__geoparquet_add_projection(x, extensions, used)) { return false; }
    taco__geoparquet_copy_others(x, used);
    return true;
}

/* ---- the plan ---- */

static bool taco__geoparquet_add_columns(taco__geoparquet *x, bool *used)
{
    size_t i;
    switch (x->how.kind) {
    case TACO_PUBLISH_GEOPARQUET: return taco__geoparquet_add_geo_columns(x, used);
    case TACO_PUBLISH_STAC: return taco__geoparquet_add_stac_columns(x, used);
    default:
        for (i = 0; i < x->in_count; i++) {
            taco__geoparquet_add_copy(x, x->in[i].name, i);
        }
        return true;
    }
}

/* Finds the columns of tiles, whose outlines are a better geometry than their centroids; not if the
   caller names a geometry or its CRS. */
static void taco__geoparquet_find_tile(taco__geoparquet *x)
{
    static const char *const names[3] = {"stac:geotransform", "stac:tensor_shape", "stac:crs"};
    x->wkb.mem = x->text.mem = &x->mem;
    x->tile[0] = taco__geoparquet_find_column(x, &names[0], 1, taco__geoparquet_is_numbers);
    x->tile[1] =
        taco__geoparquet_find_beside(x, x->tile[0], &names[1], 1, taco__geoparquet_is_numbers);
    x->tile[2] =
        taco__geoparquet_find_beside(x, x->tile[0], &names[2], 1, taco__geoparquet_is_text);
    if (x->how.geometry_column || x->how.crs || x->tile[1] == TACO__NONE ||
        x->tile[2] == TACO__NONE) {
        x->tile[0] = TACO__NONE;
    }
}

/* Makes builders for the computed columns. */
static bool taco__geoparquet_init_builders(taco__geoparquet *x)
{
    size_t k;
    for (k = 0; k < x->count; k++) {
        if (x->columns[k].kind != TACO__GEOPARQUET_COPY &&
            !taco__array_builder_init(&x->columns[k].made, &x->out[k], &x->mem, &x->arena,
                                      &x->err)) {
            return false;
        }
    }
    return true;
}

#define TACO__GEOPARQUET_ITEM_COLUMNS 16 /* most columns that an item itself adds */

static bool taco__geoparquet_plan(taco__geoparquet *x)
{
    bool *used = (bool *)taco__arena_array(&x->arena, x->in_count + 1, sizeof *used, &x->err);
    size_t cap = x->in_count + TACO__GEOPARQUET_ITEM_COLUMNS;
    x->out = (taco_field *)taco__arena_array(&x->arena, cap, sizeof *x->out, &x->err);
    x->columns =
        (taco__geoparquet_column *)taco__arena_array(&x->arena, cap, sizeof *x->columns, &x->err);
    x->arrays = (taco_array *)taco__arena_array(&x->arena, cap, sizeof *x->arrays, &x->err);
    taco__geoparquet_find_tile(x);
    return used && x->out && x->columns && x->arrays && taco__geoparquet_add_columns(x, used) &&
           taco__geoparquet_init_builders(x);
}

static void taco__geoparquet_free(taco__geoparquet *x)
{
    size_t k;
    for (k = 0; k < x->count; k++) {
        taco__array_builder_free(&x->columns[k].made);
    }
    taco__buf_free(&x->wkb);
    taco__buf_free(&x->text);
    taco__arena_free(&x->arena);
}

/* ---- the file ---- */

/* The collection's document by its id, under the key that STAC GeoParquet 1.1 specifies. */
static bool taco__geoparquet_collection_key(taco__geoparquet *x, taco_pq_key *key)
{
    taco__buf b;
    taco__json_writer j;
    memset(&b, 0, sizeof b);
    b.mem = &x->mem;
    j = taco__json_writer_init(&b, &x->err);
    taco__json_write_begin(&j, NULL, '{');
    taco__json_write_text(&j, "version", "1.1.0");
    taco__json_write_begin(&j, "collections", '{');
    taco__json_write_raw(&j, x->how.id, taco__bytes_text(x->how.collection));
    taco__json_write_end(&j, '}');
    taco__json_write_end(&j, '}');
    key->key = "stac-geoparquet";
    key->value = j.ok ? taco__arena_text(&x->arena, taco__bytes_of(b.data, b.len), &x->err) : NULL;
    taco__buf_free(&b);
    return key->value != NULL;
}

/* Adds our geometry to the caller's, as the primary one. STAC requires a bbox for every item. */
static bool taco__geoparquet_set_geometry(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t n = o->geometry_count;
    taco_pq_geometry *g =
        (taco_pq_geometry *)taco__arena_array(&x->arena, n + 1, sizeof *g, &x->err);
    if (!g) { return false; }
    g->column = "geometry";
    g->crs = x->how.crs;
    g->covering = x->how.kind == TACO_PUBLISH_STAC ? "bbox" : x->how.covering;
    if (n) { memcpy(g + 1, o->geometries, n * sizeof *g); }
    o->geometries = g;
    o->geometry_count++;
    return true;
}

/* The caller's options of the Parquet writer, with ours added. */
static bool taco__geoparquet_write_options(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t n = o->key_count;
    taco_pq_key *keys;
    if (x->how.kind == TACO_PUBLISH_PARQUET) { return true; }
    if (!taco__geoparquet_set_geometry(x, o)) { return false; }
    if (x->how.kind != TACO_PUBLISH_STAC || !x->how.id || !x->how.collection) { return true; }
    keys = (taco_pq_key *)taco__arena_array(&x->arena, n + 1, sizeof *keys, &x->err);
    if (!keys) { return false; }
    if (n) { memcpy(keys, o->keys, n * sizeof *keys); }
    o->keys = keys;
    o->key_count++;
    return taco__geoparquet_collection_key(x, &keys[n]);
}

/* Says how many rows have no footprint because nobody knows where it is. */
static void taco__geoparquet_warn(const taco__geoparquet *x, const taco_dataset *ds)
{
    taco_error w;
    if (!x->unknown || !ds->options.warn) { return; }
    memset(&w, 0, sizeof w);
    TACO__FAIL(&w, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "%s: %u geometries are in a CRS that is not converted to degrees; %s instead",
               ds->stores[0].name, x->unknown, x->point == TACO__NONE ? "null" : "the centroid");
    ds->options.warn(ds->options.warn_ctx, &w);
}

/* Writes the whole file; cursor and sink are closed in any case. */
static void taco__geoparquet_write_rows(taco__geoparquet *x, taco_cursor *rows,
                                        const taco_sink *sink)
{
    taco_pq_write_options o = x->how.write;
    taco_pq_writer *w = NULL;
    taco_batch b, out;
    if (!taco__geoparquet_plan(x) || !taco__geoparquet_write_options(x, &o)) {
        if (x->err.code == TACO_ERR_NOT_FOUND && x->how.kind != TACO_PUBLISH_PARQUET) {
            taco__query_place_hint(&rows->ds->stores[0], rows->query.level, &x->err);
        }
        taco__sink_abort(sink);
    } else {
        w = taco_pq_write(sink, x->out, x->count, &o, &x->err);
    }
    while (w && taco_cursor_batch(rows, &b)) {
        if (!taco__geoparquet_batch_make(x, &b, &out) || taco_pq_writer_batch(w, &out) != TACO_OK) {
            break;
        }
    }
    if (x->err.code == TACO_OK) { taco__geoparquet_warn(x, rows->ds); }
    if (taco_cursor_close(rows, &x->err) != TACO_OK || x->err.code != TACO_OK) {
        taco_pq_writer_abort(w);
    } else {
        (void)taco_pq_writer_close(w, &x->err);
    }
}

TACO_API taco_status taco_publish(taco_cursor *rows, const taco_sink *sink,
                                  const taco_publish_options *how, taco_error *err)
{
    taco__geoparquet x;
    err = taco__error_fresh(err, NULL);
    memset(&x, 0, sizeof x);
    if (!rows || !sink) {
        TACO__FAIL_SOFT(&x.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        rows ? "sink" : "rows");
        taco__sink_abort(sink);
        taco_cursor_close(rows, NULL);
    } else {
        if (how) {
            x.how = *how;
            /* name and link are only set together */
            x.how.href = how->id ? how->href : NULL;
        }
        taco__mem_init(&x.mem, x.how.write.options);
        x.arena.mem = &x.mem;
        x.in = taco_cursor_fields(rows, &x.in_count);
        taco__geoparquet_write_rows(&x, rows, sink);
        taco__geoparquet_free(&x);
    }
    taco__error_copy(err, &x.err);
    return err ? err->code : x.err.code;
}
/* ==== src/publish/geoparquet_batch.c ==== */
/* geoparquet_batch.c - the columns of a batch that must be computed from the rows

   In: a batch of the rows, and the plan made by geoparquet.c; out: a batch of the file's columns.
   Copies and WKB are the arrays of the rows; all others are made row by row in the column's
   builder, which keeps its memory between batches (STAC GeoParquet 1.1; STAC Item 1.1.0; STAC
   projection extension 2.0.0). Start reading at taco__geoparquet_batch_make. */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../geo/geo.h" */

/* ---- lists and structs ---- */

/* Appends a list of one text. */
static bool taco__geoparquet_batch_text_list(taco__array_builder *b, const char *text,
                                             taco_error *err)
{
    return taco__array_builder_append_text(&b->children[0], text, err) &&
           taco__array_builder_end_row(b, true, err);
}

/* links: one, to the collection, or none. */
static bool taco__geoparquet_batch_links(taco__array_builder *b, const char *href, taco_error *err)
{
    taco__array_builder *link = &b->children[0];
    return (!href ||
            (taco__array_builder_append_text(&link->children[0], href, err) &&
             taco__array_builder_append_text(&link->children[1], "collection", err) &&
             taco__array_builder_append_text(&link->children[2], "application/json", err) &&
             taco__array_builder_end_row(link, true, err))) &&
           taco__array_builder_end_row(b, true, err);
}

static bool taco__geoparquet_batch_ends_with(taco_bytes b, const char *end)
{
    size_t n = strlen(end);
    return b.len > n && memcmp(b.data + b.len - n, end, n) == 0;
}

/* Names that GDAL would open as a raster; nothing is known about the rest. */
static const char *taco__geoparquet_batch_media_type(taco_bytes id)
{
    return taco__geoparquet_batch_ends_with(id, ".tif") ||
                   taco__geoparquet_batch_ends_with(id, ".tiff")
               ? "image/tiff; application=geotiff"
               : "application/octet-stream";
}

/* assets.data of row i: its path, media type and role; the path is empty if the rows have none. */
static bool taco__geoparquet_batch_assets(taco__geoparquet_column *c, const taco_batch *b, size_t i,
                                          taco_error *err)
{
    taco__array_builder *data = &c->made.children[0], *parts = data->children;
    const char *type =
        taco__geoparquet_batch_media_type(taco_array_bytes(&b->columns[c->other], i));
    return (c->from == TACO__NONE
                ? taco__array_builder_append_text(&parts[0], "", err)
                : taco__array_builder_append_copy(&parts[0], &b->columns[c->from], i, err)) &&
           taco__array_builder_append_text(&parts[1], type, err) &&
           taco__geoparquet_batch_text_list(&parts[2], "data", err) &&
           taco__array_builder_end_row(data, true, err) &&
           taco__array_builder_end_row(&c->made, true, err);
}

/* ---- geometry, times and numbers ---- */

/* Writes the tile of row i as WKB to x->wkb; false if it has none that can be converted to
   degrees. */
static bool taco__geoparquet_batch_tile(taco__geoparquet *x, const taco_batch *b, size_t i)
{
    taco__footprints_tile t;
    const size_t *at = x->tile;
    return at[0] != TACO__NONE &&
           taco__footprint_tile_read(&b->columns[at[0]], &b->columns[at[1]], &b->columns[at[2]],
                                     false, i, &t) &&
           taco__footprint_tile_to_degrees(&t) &&
           taco__footprint_tile_write_wkb(&t, &x->wkb, &x->err);
}

/* A stored geometry of row i as ISO WKB in degrees, where that is known: the bytes, in x->wkb or as
   stored. Blobs that cannot be read stay as they are if nothing says that they are not in
   degrees. */
static bool taco__geoparquet_batch_degrees(taco__geoparquet *x, taco_bytes *wkb, taco_bytes crs)
{
    taco_error bad;
    bool known;
    memset(&bad, 0, sizeof bad);
    if (taco__footprint_wkb_is_plain(*wkb, crs)) { return true; }
    if (!taco__footprint_wkb_write(*wkb, crs, &x->wkb, &known, &bad)) {
        if (taco__error_is_of_machine(&bad)) { x->err = bad; }
        return !crs.len || taco__footprint_tile_is_degrees(crs);
    }
    if (known) { *wkb = taco__bytes_of(x->wkb.data, x->wkb.len); }
    return known;
}

/* Text, which Tortilla uses for centroids, becomes a POINT. */
static bool taco__geoparquet_batch_text_point(taco__array_builder *b, taco_bytes text,
                                              taco_error *err)
{
    uint8_t wkb[TACO__WKB_POINT_BYTES];
    double xy[2];
    if (!taco__wkb_point_from_text(text, xy)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "geometry %q is not POINT (x y)", &text);
        return false;
    }
    taco__wkb_point_write(wkb, xy[0], xy[1]);
    return taco__array_builder_append_bytes(b, taco__bytes_of(wkb, sizeof wkb), err);
}

/* The CRS of the geometry of row i: of the column, of the row, or empty. */
static taco_bytes taco__geoparquet_batch_crs(const taco__geoparquet *x, const taco_batch *rows,
                                             size_t i)
{
    return x->how.crs                 ? taco__bytes_text("OGC:CRS84") /* as it is stored */
           : x->foreign != TACO__NONE ? taco_array_bytes(&rows->columns[x->foreign], i)
                                      : taco__bytes_text("");
}

/* The geometry of row i: WKB, or text. Of one in a CRS that cannot be converted the centroid is
   taken, or null: the file says that all are in degrees. */
static bool taco__geoparquet_batch_geometry(taco__geoparquet *x, taco__array_builder *b,
                                            const taco_array *from, const taco_batch *rows,
                                            size_t i)
{
    taco_bytes cell = taco_array_bytes(from, i);
    if (cell.data && from->field->type == TACO_BINARY &&
        !taco__geoparquet_batch_degrees(x, &cell, taco__geoparquet_batch_crs(x, rows, i))) {
        x->unknown++;
        if (x->point == TACO__NONE) { return taco__array_builder_append_null(b, &x->err); }
        from = &rows->columns[x->point];
        cell = taco_array_bytes(from, i);
        if (from->field->type == TACO_BINARY &&
            !taco__geoparquet_batch_degrees(x, &cell, taco__bytes_text(""))) {
            cell.data = NULL;
        }
    }
    if (!cell.data || x->err.code != TACO_OK) {
        return x->err.code == TACO_OK && taco__array_builder_append_null(b, &x->err);
    }
    return from->field->type == TACO_BINARY ? taco__array_builder_append_bytes(b, cell, &x->err)
                                            : taco__geoparquet_batch_text_point(b, cell, &x->err);
}

/* The middle of the raster of row i in its own CRS, computed like stac:centroid, without the
   rotation terms. False if the row has no position. */
static bool taco__geoparquet_batch_middle(const taco_array *transform, const taco_array *shape,
                                          size_t i, double xy[2])
{
    const taco_array *g = &transform->children[0], *s = &shape->children[0];
    size_t at = (size_t)transform->offsets[i], end = (size_t)shape->offsets[i + 1];
    if (!taco_array_valid(transform, i) || !taco_array_valid(shape, i) ||
        (size_t)transform->offsets[i + 1] - at != 6 || end - (size_t)shape->offsets[i] < 2) {
        return false;
    }
    xy[0] =
        taco_array_double(g, at) + taco_array_double(s, end - 1) / 2 * taco_array_double(g, at + 1);
    xy[1] = taco_array_double(g, at + 3) +
            taco_array_double(s, end - 2) / 2 * taco_array_double(g, at + 5);
    return true;
}

/* The same as WKB, in degrees. */
static bool taco__geoparquet_batch_centroid(taco__geoparquet *x, taco__geoparquet_column *c,
                                            const taco_batch *b, size_t i)
{
    taco_bytes crs = taco_array_bytes(&b->columns[c->other], i);
    uint8_t wkb[TACO__WKB_POINT_BYTES];
    char name[64];
    double xy[2], out[2];
    if (!crs.len ||
        !taco__geoparquet_batch_middle(&b->columns[c->from], &b->columns[x->shape], i, xy)) {
        return taco__array_builder_append_null(&c->made, &x->err);
    }
    if (crs.len < sizeof name) {
        memcpy(name, crs.data, crs.len);
        name[crs.len] = 0;
    }
    if (crs.len >= sizeof name || !x->how.lonlat(x->how.lonlat_ctx, name, xy[0], xy[1], out)) {
        TACO__FAIL(&x->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "no geometry to publish: longitude and latitude in %q are not known", &crs);
        return false;
    }
    taco__wkb_point_write(wkb, out[0], out[1]);
    return taco__array_builder_append_bytes(&c->made, taco__bytes_of(wkb, sizeof wkb), &x->err);
}

static bool taco__geoparquet_batch_time(taco__geoparquet_column *c, const taco_batch *b, size_t i,
                                        taco_error *err)
{
    int64_t us;
    bool good = taco__array_read_micros(&b->columns[c->from], i, &us) ||
                (c->other != TACO__NONE && taco__array_read_micros(&b->columns[c->other], i, &us));
    return good ? taco__array_builder_append_int(&c->made, us, err)
                : taco__array_builder_append_null(&c->made, err);
}

/* Rows and columns: the last two sizes of a tensor. */
static bool taco__geoparquet_batch_shape(taco__array_builder *b, const taco_array *a, size_t i,
                                         taco_error *err)
{
    size_t end = (size_t)a->offsets[i + 1], k;
    bool good = taco_array_valid(a, i) && a->offsets[i + 1] - a->offsets[i] >= 2;
    for (k = 2; good && k > 0; k--) {
        if (!taco__array_builder_append_int(&b->children[0], taco_array_int(a->children, end - k),
                                            err)) {
            return false;
        }
    }
    return taco__array_builder_end_row(b, good, err);
}

/* The six numbers of a geotransform, reordered to rows of the matrix; GDAL puts the origin
   first. */
static bool taco__geoparquet_batch_transform(taco__array_builder *b, const taco_array *a, size_t i,
                                             taco_error *err)
{
    static const size_t order[6] = {1, 2, 0, 4, 5, 3};
    size_t first = (size_t)a->offsets[i], k;
    double v[6];
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] != 6) {
        return taco__array_builder_end_row(b, false, err);
    }
    for (k = 0; k < 6; k++) {
        v[k] = taco_array_double(a->children, first + order[k]);
    }
    return taco__array_builder_append_doubles(b, v, 6, err);
}

/* The ids from level 0 down to that of the row, joined by '/'. */
static bool taco__geoparquet_batch_id(taco__geoparquet *x, taco__array_builder *made,
                                      const taco_array *from, const taco_batch *b, size_t i)
{
    size_t k;
    x->text.len = 0;
    for (k = 0; k < x->id_count; k++) {
        taco_bytes id = x->ids[k] == TACO__NONE ? taco__bytes_of(NULL, 0)
                                                : taco_array_bytes(&b->columns[x->ids[k]], i);
        if (!taco__buf_append(&x->text, id.data, id.len, &x->err) ||
            !taco__buf_append_char(&x->text, '/', &x->err)) {
            return false;
        }
    }
    return taco__buf_append(&x->text, taco_array_bytes(from, i).data, taco_array_bytes(from, i).len,
                            &x->err) &&
           taco__array_builder_append_bytes(made, taco__bytes_of(x->text.data, x->text.len),
                                            &x->err);
}

/* ---- columns ---- */

static bool taco__geoparquet_batch_append(taco__geoparquet *x, taco__geoparquet_column *c,
                                          const taco_batch *b, size_t i)
{
    static const char projection[] =
        "https://stac-extensions.github.io/projection/v2.0.0/schema.json";
    const taco_array *from = c->from == TACO__NONE ? NULL : &b->columns[c->from];
    switch (c->kind) {
    case TACO__GEOPARQUET_GEOMETRY:
        return taco__geoparquet_batch_tile(x, b, i)
                   ? taco__array_builder_append_bytes(
                         &c->made, taco__bytes_of(x->wkb.data, x->wkb.len), &x->err)
                   : x->err.code == TACO_OK &&
                         taco__geoparquet_batch_geometry(x, &c->made, from, b, i);
    case TACO__GEOPARQUET_CENTROID: return taco__geoparquet_batch_centroid(x, c, b, i);
    case TACO__GEOPARQUET_TEXT: return taco__array_builder_append_text(&c->made, c->text, &x->err);
    case TACO__GEOPARQUET_ID: return taco__geoparquet_batch_id(x, &c->made, from, b, i);
    case TACO__GEOPARQUET_EXTENSIONS:
        return from ? taco__geoparquet_batch_text_list(&c->made, projection, &x->err)
                    : taco__array_builder_end_row(&c->made, true, &x->err);
    case TACO__GEOPARQUET_LINKS:
        return taco__geoparquet_batch_links(&c->made, x->how.href, &x->err);
    case TACO__GEOPARQUET_ASSETS: return taco__geoparquet_batch_assets(c, b, i, &x->err);
    case TACO__GEOPARQUET_TIME: return taco__geoparquet_batch_time(c, b, i, &x->err);
    case TACO__GEOPARQUET_SHAPE: return taco__geoparquet_batch_shape(&c->made, from, i, &x->err);
    default: return taco__geoparquet_batch_transform(&c->made, from, i, &x->err);
    }
}

/* Whether a column is an array of the rows, unchanged: of geometries, if all may be written as they
   are. */
static bool taco__geoparquet_batch_borrows(const taco__geoparquet *x,
                                           const taco__geoparquet_column *c, const taco_batch *b)
{
    size_t i;
    const taco_array *a;
    if (!c->made.field) { return true; }
    if (c->kind != TACO__GEOPARQUET_GEOMETRY || x->tile[0] != TACO__NONE ||
        b->columns[c->from].field->type != TACO_BINARY) {
        return false;
    }
    a = &b->columns[c->from];
    for (i = 0; i < b->length; i++) {
        if (!taco__footprint_wkb_is_plain(taco_array_bytes(a, i),
                                          taco__geoparquet_batch_crs(x, b, i))) {
            return false;
        }
    }
    return true;
}

/* Makes one column of the batch: an array of the rows, or the builder's. */
static bool taco__geoparquet_batch_make_column(taco__geoparquet *x, size_t k, const taco_batch *b)
{
    taco__geoparquet_column *c = &x->columns[k];
    taco_array *a = &x->arrays[k];
    size_t i;
    if (taco__geoparquet_batch_borrows(x, c, b)) {
        *a = b->columns[c->from];
        a->field = &x->out[k];
        return true;
    }
    taco__array_builder_reset(&c->made);
    for (i = 0; i < b->length; i++) {
        if (!taco__geoparquet_batch_append(x, c, b, i)) { return false; }
    }
    taco__array_builder_view(&c->made, a);
    return true;
}

TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b, taco_batch *out)
{
    size_t k;
    for (k = 0; k < x->count; k++) {
        if (!taco__geoparquet_batch_make_column(x, k, b)) { return false; }
    }
    *out = *b;
    out->columns = x->arrays;
    out->column_count = x->count;
    return true;
}
#endif /* TACO_IMPLEMENTATION */
