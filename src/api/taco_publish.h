/* taco_publish.h - hand rows to other catalogues: Parquet, GeoParquet 1.1, STAC GeoParquet.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_publish.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

       taco_publish_options how = {0};
       how.kind = TACO_PUBLISH_STAC;
       how.id = taco_id(ds);
       how.href = "./collection.json";
       taco_sink_file(&sink, "items.parquet", NULL, &err);
       taco_publish(taco_select(ds, &query, &err), &sink, &how, &err);

   The GEOMETRY is the first there is of stac:centroid, istac:centroid, geometry and istac:geometry (whose coordinates
   are those of istac:crs; say so with crs): WKB as it stands, or text of one POINT, as Tortilla has it. GeoParquet has
   every column of the rows but internal:*, and `geometry` where no column has that name.

   An ITEM has the columns of STAC GeoParquet 1.1: type, stac_version, stac_extensions, id, geometry, links, collection,
   assets.data (href: the path GDAL opens), datetime, start_datetime, end_datetime (the start where there is no end),
   proj:code, proj:shape (rows, columns), proj:transform (STAC's order of the six numbers), then every other column,
   then bbox. Numbers as times are seconds since 1970.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   items     - batches of rows as batches of GeoParquet columns
   publish   - the call of the public API */
#ifndef TACO_PUBLISH_H
#define TACO_PUBLISH_H

#include "taco.h"

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
    const char *covering; /* GeoParquet: name of a column of boxes of the geometry; NULL = none */
    taco_publish_kind kind;
    const char       *id; /* STAC: of the collection the items belong to; NULL = none */
    const char
        *collection; /* STAC: that Collection as JSON, for the file's metadata; NULL = none */
    const char           *href;  /* STAC: where the Collection is: without it items are in none */
    taco_pq_write_options write; /* its keys and geometries are added to ours */
} taco_publish_options;

/* Writes the rows that are still to come into a Parquet file. Cursor and sink are closed in any case; without either
   (NULL), and when err holds a failure already, nothing is written. how may be NULL. NOT_FOUND when a geometry, an
   id or a time is wanted that the rows do not have, TYPE when a text is no point. */
TACO_API taco_status taco_publish(taco_cursor *rows, const taco_sink *sink,
                                  const taco_publish_options *how, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_PUBLISH_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__PUBLISH_IMPLEMENTED)
#define TACO__PUBLISH_IMPLEMENTED
#include "taco.h" /* its implementation too, where only its declarations were seen before */
