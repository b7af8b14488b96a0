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
