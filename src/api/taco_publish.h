/* taco_publish.h - hand rows to other catalogues: Parquet, GeoParquet 1.1, STAC GeoParquet.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_publish.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds
   here.

       taco_publish_options how = {0};
       how.kind = TACO_PUBLISH_STAC;
       how.id = taco_id(ds);
       how.href = "./collection.json";
       taco_sink_file(&sink, "items.parquet", NULL, &err);
       taco_publish(taco_select(ds, &query, &err), &sink, &how, &err);

   The GEOMETRY is the first there is of stac:centroid, istac:centroid, geometry and istac:geometry
   (whose coordinates are those of istac:crs; say so with crs): WKB as it stands, or text of one
   POINT, as Tortilla has it. GeoParquet has every column of the rows but internal:*, and `geometry`
   where no column has that name.

   An ITEM has the columns of STAC GeoParquet 1.1: type, stac_version, stac_extensions, id,
   geometry, links, collection, assets.data (href: the path GDAL opens), datetime, start_datetime,
   end_datetime (the start where there is no end), proj:code, proj:shape (rows, columns),
   proj:transform (STAC's order of the six numbers), then every other column, then bbox. Numbers as
   times are seconds since 1970.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco_publish.h:LINE
   prints where a line comes from. */
#ifndef TACO_PUBLISH_H
#define TACO_PUBLISH_H

#include "taco.h"
#include "taco_parquet_write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum taco_publish_kind {
    TACO_PUBLISH_PARQUET = 0, /* every column as it is */
    TACO_PUBLISH_GEOPARQUET,
    TACO_PUBLISH_STAC
} taco_publish_kind;

typedef struct taco_publish_options {
    const char *geometry_column; /* NULL = the first of those above */
    const char *crs;             /* of the geometry, PROJJSON; NULL = OGC:CRS84 */
    /* GeoParquet: name of a column of boxes of the geometry; NULL = none */
    const char *covering;
    taco_publish_kind kind;
    const char *id; /* STAC: of the collection the items belong to; NULL = none */
    /* STAC: that Collection as JSON, for the file's metadata; NULL = none */
    const char *collection;
    const char *href;            /* STAC: where the Collection is: without it items are in none */
    taco_pq_write_options write; /* its keys and geometries are added to ours */
    /* Longitude and latitude of x, y in a CRS, such as taco_lonlat has them: rows without a
       geometry get the middle of their raster, of stac:crs, stac:geotransform and
       stac:tensor_shape or stac:raster_shape. UNSUPPORTED for a CRS for which it returns false.
       NULL = NOT_FOUND without a geometry. */
    bool (*lonlat)(void *ctx, const char *crs, double x, double y, double out[2]);
    void *lonlat_ctx;
} taco_publish_options;

/* Writes the rows that are still to come into a Parquet file. Cursor and sink are closed in any
   case; without either (NULL), and when err holds a failure already, nothing is written. how may be
   NULL. NOT_FOUND when a geometry, an id or a time is wanted that the rows do not have, TYPE when a
   text is no point.

       rows  a cursor that was not stepped; closed by the call
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

/* The rows of a query as footprints with their path, a piece of text at a time. q as in
   taco_select.

   GEOJSON: the properties of a feature are the row's columns (canonical JSON; not
   internal:gdal_vsi, nor the geometry column) and `location`, the path. The geometry is the exact
   one of the tile where it has stac:geotransform, stac:tensor_shape and stac:crs, brought to
   degrees from UTM (WGS 84, ETRS89, NAD83) and web mercator and cut in two where it crosses the
   antimeridian; else that of q->geometry_column, or istac:geometry, stac:centroid, istac:centroid,
   the first there is, in x and y as stored, which is not reprojected: where istac:crs is another
   one, a warning says so. Null where there is none.

   GTI: one XML document with the index inside. The footprints are those of stac:geotransform,
   stac:tensor_shape and stac:crs (drawn in by 1/1024 of a pixel, so that tiles do not touch: GDAL
   3.10 reads holes where they do), or, where q->geometry_column names it or a row has none,
   polygons of a geometry column, in istac:crs (or EPSG:4326 for other columns). A mosaic has one
   CRS: rows of another one are an ARGUMENT error, to be filtered away. GDAL warps what it opens:
   with polygons in one CRS the tiles may be in any. Coordinates are not cut at the antimeridian.
   Properties are `location` and the columns of q->select, id alone without. FOLDERs and rows
   without a footprint are left out, with a warning; NOT_FOUND when nothing is left. Rotated tiles
   are an ARGUMENT error.

   NULL on failure. To be closed before the dataset.

       ds      the dataset
       q       rows, and the geometry column; NULL: all of level 0
       format  of the text */
TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *q,
                                               taco_footprint_format format, taco_error *err);
/* The next piece of text, not NUL-terminated, which lives until the next call. False at the end and
   on failure. */
TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text);
/* Releases it, tells the warnings, and reports its failure, if it had one, into err. NULL is
   accepted: the code is then that of err, where opening has failed. */
TACO_API taco_status taco_footprints_close(taco_footprints *f, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PUBLISH_H */
