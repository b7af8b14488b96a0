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
} taco_publish_options;

/* Writes the rows that are still to come into a Parquet file. Cursor and sink are closed in any
   case; without either (NULL), and when err holds a failure already, nothing is written. how may be
   NULL. NOT_FOUND when a geometry, an id or a time is wanted that the rows do not have, TYPE when a
   text is no point. */
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
   one of the tile where stac:geotransform and stac:tensor_shape are in degrees (stac:crs EPSG:4326
   or OGC:CRS84), cut in two where it crosses the antimeridian; else that of q->geometry_column, or
   istac:geometry, stac:centroid, istac:centroid, the first there is, in x and y as stored. Nothing
   is reprojected: where istac:crs is another one, a warning says so. Null where there is none.

   GTI: one XML document with the index inside. The footprints are those of stac:geotransform,
   stac:tensor_shape and stac:crs (drawn in by 1/1024 of a pixel, so that tiles do not touch: GDAL
   3.10 reads holes where they do), or, where q->geometry_column names it or a row has none,
   polygons of a geometry column, in istac:crs (or EPSG:4326 for other columns). A mosaic has one
   CRS: rows of another one are an ARGUMENT error, to be filtered away. GDAL warps what it opens:
   with polygons in one CRS the tiles may be in any. Coordinates are not cut at the antimeridian.
   Properties are `location` and the columns of q->select, id alone without. FOLDERs and rows
   without a footprint are left out, with a warning; NOT_FOUND when nothing is left. Rotated tiles
   are an ARGUMENT error.

   NULL on failure. To be closed before the dataset. */
TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *q,
                                               taco_footprint_format format, taco_error *err);
/* The next piece of text, not NUL-terminated, which lives until the next call. False at the end and
   on failure. */
TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text);
/* Releases it (NULL is accepted), tells the warnings, and reports its failure, if it had one, into
   err. */
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

   publish/publish.h                    what the folder offers to the others.
   publish/footprints.c                 rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec: RFC
   publish/geojson_geometry.c           rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec:
   publish/raster_tile_index.c          rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec:
   publish/geoparquet.c                 batches of rows as batches of GeoParquet columns.. Spec: GeoParquet 1.1, STAC
   publish/geoparquet_batch.c           batches of rows as batches of GeoParquet columns.. Spec: GeoParquet 1.1,
*/

/* ==== src/publish/publish.h ==== */
/* publish.h - what the folder offers to the others. */
#ifndef TACO__PUBLISH_H
#define TACO__PUBLISH_H

/* #include "../api/taco_publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

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
/* ==== src/publish/footprints.c ==== */
/* footprints.c - rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec: RFC
   7946; GDAL "GTI -- GDAL Raster Tile Index" */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

/* ---- which columns
   -------------------------------------------------------------------------------- */

static bool taco__footprints_is_crs(const taco_field *f)
{
    return f->type == TACO_TEXT;
}

static bool taco__footprints_is_number_list(const taco_field *f)
{
    return f->type == TACO_LIST && taco__cursor_column_is_number(&f->children[0]);
}

/* The name of a column at the level of another one, where it is of a type that fits. */
static const char *taco__footprints_find_same_level(const taco__cursor_columns *p, const char *of,
                                                    const char *name,
                                                    bool (*fits)(const taco_field *f))
{
    size_t i = taco__cursor_column_find_same_level(p->fields, p->count, of, name);
    return i != TACO__NONE && fits(&p->fields[i]) ? p->fields[i].name : NULL;
}

/* Finds the three columns of the tile grid at one level, the deepest that has them. */
static void taco__footprints_find_grid(taco_footprints *f, const taco__cursor_columns *p)
{
    size_t i;
    for (i = 0; i < p->count; i++) {
        const char *l = p->fields[i].name, *shape, *crs;
        if (strcmp(l + taco__cursor_column_prefix_length(l), "stac:geotransform") != 0 ||
            !taco__footprints_is_number_list(&p->fields[i])) {
            continue;
        }
        shape = taco__footprints_find_same_level(p, l, TACO__PIXEL_STATS_SHAPE,
                                                 taco__footprints_is_number_list);
        crs = taco__footprints_find_same_level(p, l, "stac:crs", taco__footprints_is_crs);
        if (shape && crs) {
            f->name[TACO__FOOTPRINTS_TRANSFORM] = l;
            f->name[TACO__FOOTPRINTS_SHAPE] = shape;
            f->name[TACO__FOOTPRINTS_CRS] = crs;
            return;
        }
    }
}

static bool taco__footprints_find_geometry(taco_footprints *f, const taco__cursor_columns *p,
                                           const char *asked)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid",
                                        "istac:centroid"}; /* spec 7.2.2 */
    size_t i, k, found = TACO__NONE;
    taco_bytes name = taco__bytes_text(asked);
    const char *l;
    if (asked) {
        found = taco__cursor_column_find_unprefixed(p->fields, p->count, asked, true);
        found = found == TACO__NONE
                    ? taco__cursor_column_find_unprefixed(p->fields, p->count, asked, false)
                    : found;
        if (found == TACO__NONE) {
            taco__field_names_no_column(p->fields, p->count, name, &f->err);
            return false;
        }
        if (p->fields[found].type != TACO_BINARY) {
            TACO__FAIL(&f->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is no geometry: WKB is binary", &name);
            return false;
        }
    }
    for (k = 0; k < TACO__COUNT(names) && found == TACO__NONE; k++) {
        for (i = 0; i < p->count && found == TACO__NONE; i++) {
            l = p->fields[i].name;
            if (p->fields[i].type == TACO_BINARY &&
                strcmp(l + taco__cursor_column_prefix_length(l), names[k]) == 0) {
                found = i;
            }
        }
    }
    if (found != TACO__NONE) {
        l = f->name[TACO__FOOTPRINTS_GEOMETRY] = p->fields[found].name;
        if (strncmp(l + taco__cursor_column_prefix_length(l), "istac:", 6) == 0) {
            f->name[TACO__FOOTPRINTS_GEOMETRY_CRS] =
                taco__footprints_find_same_level(p, l, "istac:crs", taco__footprints_is_crs);
        }
    }
    return true;
}

/* Names what is read, copied: the cursor they are of ends. Who asks for a geometry column gets that
   and no other. */
static bool taco__footprints_find_roles(taco_footprints *f, const taco__cursor_columns *p,
                                        const char *asked)
{
    size_t i;
    f->name[TACO__FOOTPRINTS_VSI] = TACO__GDAL_VSI;
    i = taco__cursor_column_find_unprefixed(p->fields, p->count, "type", false);
    f->name[TACO__FOOTPRINTS_TYPE] = i == TACO__NONE ? NULL : p->fields[i].name;
    if (!asked) { taco__footprints_find_grid(f, p); }
    if (!taco__footprints_find_geometry(f, p, asked)) { return false; }
    for (i = 0; i < TACO__FOOTPRINTS_ROLES; i++) {
        if (f->name[i]) {
            f->name[i] = taco__arena_text(&f->arena, taco__bytes_text(f->name[i]), &f->err);
            if (!f->name[i]) { return false; }
        }
    }
    return true;
}

/* What is read: the columns that were asked for, then those of the roles. NULL reads all of
   them. */
static bool taco__footprints_list_columns(taco_footprints *f, const taco__cursor_columns *p,
                                          const char *select, taco__buf *list)
{
    size_t i = taco__cursor_column_find_unprefixed(p->fields, p->count, "id", false);
    bool ok = true;
    if (select) {
        ok = taco__buf_append_text(list, select, &f->err);
    } else if (i != TACO__NONE) {
        ok = taco__cursor_column_append_quoted(list, p->fields[i].name, &f->err);
    }
    for (i = 0; ok && i < TACO__FOOTPRINTS_ROLES; i++) {
        ok = !f->name[i] || taco__cursor_column_append_quoted(list, f->name[i], &f->err);
    }
    return ok && taco__buf_append_char(list, 0, &f->err);
}

/* Places of the roles in the rows, and which columns become properties. */
static bool taco__footprints_place_columns(taco_footprints *f, bool all)
{
    taco_batch none;
    size_t i, helpers = 0;
    for (i = 0; i < TACO__FOOTPRINTS_ROLES; i++) {
        f->at[i] = f->name[i] ? taco__cursor_column_find(f->rows, f->name[i]) : TACO__NONE;
        helpers += f->name[i] != NULL;
    }
    f->shown = all ? f->rows->columns.count : f->rows->columns.count - helpers;
    f->hidden = (bool *)taco__arena_array(&f->arena, f->rows->columns.count + 1, sizeof *f->hidden,
                                          &f->err);
    if (!f->hidden) { return false; }
    for (i = 0; i < f->shown; i++) {
        const char *l = f->rows->columns.fields[i].name;
        bool clash = strcmp(l, "location") == 0;
        f->clash = f->clash || clash;
        f->hidden[i] =
            clash ||
            (all && (i == f->at[TACO__FOOTPRINTS_VSI] || i == f->at[TACO__FOOTPRINTS_GEOMETRY]));
    }
    memset(&none, 0, sizeof none);
    for (i = 0; i < f->shown; i++) { /* as a row without values would have them */
        f->rows->batch.arrays[i].field = &f->rows->columns.fields[i];
    }
    none.columns = f->rows->batch.arrays;
    none.column_count = f->shown;
    return taco__cell_names_init(&f->names, f->mem, &none, &f->err);
}

/* The four corners of a row's tile, from GDAL's geotransform and the last two sizes of the shape.
   False where it has none. */
TACO__FN bool taco__footprints_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                           taco__footprints_tile *t)
{
    const taco_array *gt, *shape, *crs;
    double g[6], size[2];
    size_t k, first;
    if (f->at[TACO__FOOTPRINTS_TRANSFORM] == TACO__NONE) { return false; }
    gt = &b->columns[f->at[TACO__FOOTPRINTS_TRANSFORM]];
    shape = &b->columns[f->at[TACO__FOOTPRINTS_SHAPE]];
    crs = &b->columns[f->at[TACO__FOOTPRINTS_CRS]];
    if (!taco_array_valid(gt, i) || !taco_array_valid(shape, i) || !taco_array_valid(crs, i) ||
        gt->offsets[i + 1] - gt->offsets[i] != 6 || shape->offsets[i + 1] - shape->offsets[i] < 2) {
        return false;
    }
    for (k = 0; k < 6; k++) {
        first = (size_t)gt->offsets[i];
        g[k] = taco_array_double(gt->children, first + k);
        if (!taco_array_valid(gt->children, first + k) || !taco__geojson_is_finite(g[k])) {
            return false;
        }
    }
    for (k = 0; k < 2; k++) {
        first = (size_t)shape->offsets[i + 1] - 2;
        size[k] = taco_array_double(shape->children, first + k);
        if (!taco_array_valid(shape->children, first + k) || !(size[k] > 0)) { return false; }
    }
    for (k = 0; k < 4; k++) {
        double column = k == 1 || k == 2 ? size[1] : 0, row = k >= 2 ? size[0] : 0;
        t->xy[2 * k] = g[0] + column * g[1] + row * g[2];
        t->xy[2 * k + 1] = g[3] + column * g[4] + row * g[5];
        if (!taco__geojson_is_finite(t->xy[2 * k]) || !taco__geojson_is_finite(t->xy[2 * k + 1])) {
            return false;
        }
    }
    t->rotated = g[2] != 0 || g[4] != 0;
    t->pixel[0] = g[1] < 0 ? -g[1] : g[1];
    t->pixel[1] = g[5] < 0 ? -g[5] : g[5];
    t->crs = taco_array_bytes(crs, i);
    return t->crs.len && (t->rotated || (t->pixel[0] > 0 && t->pixel[1] > 0));
}

/* Same text but for the case of ASCII letters. */
TACO__FN bool taco__footprints_same_crs(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; a.len == b.len && i < a.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) { return false; }
    }
    return a.len == b.len;
}

static bool taco__footprints_is_degrees(taco_bytes crs)
{
    return taco__footprints_same_crs(crs, taco__bytes_text("EPSG:4326")) ||
           taco__footprints_same_crs(crs, taco__bytes_text("OGC:CRS84"));
}

/* ---- features
   ------------------------------------------------------------------------------------- */

TACO__FN bool taco__footprints_fail(taco_footprints *f)
{
    taco__error_prefix(&f->err, "row %u of the view", f->row);
    return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
}

/* The bytes of a row in a column; {NULL, 0} where the view has none. */
TACO__FN taco_bytes taco__footprints_cell(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_role role)
{
    return f->at[role] == TACO__NONE ? taco__bytes_of(NULL, 0)
                                     : taco_array_bytes(&b->columns[f->at[role]], i);
}

static bool taco__footprints_add_geometry(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco__footprints_tile t;
    taco_bytes wkb, crs;
    bool finite, empty;
    if (taco__footprints_tile_of_row(f, b, i, &t) && taco__footprints_is_degrees(t.crs)) {
        return taco__geojson_write_tile(&f->geometry, &t, &f->err);
    }
    wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY);
    crs = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY_CRS);
    if (!wkb.len) { return taco__buf_append_text(&f->geometry, "null", &f->err); }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err)) {
        return taco__footprints_fail(f);
    }
    f->infinite += !finite;
    f->foreign += crs.len && !taco__footprints_is_degrees(crs);
    return true;
}

/* "location" comes first: GDAL takes the type of a column from what it sees first. */
static bool taco__footprints_add_properties(taco_footprints *f, const taco_batch *b, size_t row)
{
    taco__buf *out = &f->feature;
    taco_bytes vsi = taco__footprints_cell(f, b, row, TACO__FOOTPRINTS_VSI);
    size_t i;
    bool ok = taco__buf_append_text(
                  out, "{\"type\":\"Feature\",\"properties\":{\"location\":", &f->err) &&
              (vsi.data ? taco__json_write_name(out, vsi, &f->err)
                        : taco__buf_append_text(out, "null", &f->err));
    for (i = 0; ok && i < f->shown; i++) {
        size_t from = i ? f->names.ends[i - 1] : 0;
        if (!f->hidden[i]) {
            ok = taco__buf_append_char(out, ',', &f->err) &&
                 taco__buf_append(out, f->names.text.data + from, f->names.ends[i] - from,
                                  &f->err) &&
                 taco__cell_json(out, &b->columns[i], row, &f->err);
        }
    }
    return ok && taco__buf_append_text(out, "},\"geometry\":", &f->err);
}

static bool taco__footprints_add_row(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco_bytes type = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_TYPE);
    bool gti = f->format == TACO_FOOTPRINTS_GTI, none = false, ok;
    f->feature.len = f->geometry.len = 0;
    if (gti && taco__bytes_equal(type, taco__bytes_text("FOLDER"))) {
        f->folders++;
        return true;
    }
    ok = gti ? taco__gti_add_tile(f, b, i, &none) : taco__footprints_add_geometry(f, b, i);
    if (none) {
        f->empty++;
        return ok;
    }
    ok = ok && taco__footprints_add_properties(f, b, i) &&
         taco__buf_append(&f->feature, f->geometry.data, f->geometry.len, &f->err) &&
         taco__buf_append_char(&f->feature, '}', &f->err) &&
         taco__buf_append_text(&f->text, f->written ? ",\n" : "\n", &f->err);
    if (ok && gti) {
        ok = taco__gti_append_escaped(&f->text, taco__bytes_of(f->feature.data, f->feature.len),
                                      &f->err);
    } else {
        ok = ok && taco__buf_append(&f->text, f->feature.data, f->feature.len, &f->err);
    }
    f->written++;
    return ok;
}

TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text)
{
    taco_batch batch;
    size_t i;
    *text = taco__bytes_of(NULL, 0);
    if (!f || f->ended || f->err.code != TACO_OK) { return false; }
    f->text.len = 0;
    if (!f->begun && !taco__gti_begin(f)) { return false; }
    if (taco_cursor_batch(f->rows, &batch)) {
        for (i = 0; i < batch.length; i++, f->row++) {
            if (!taco__footprints_add_row(f, &batch, i)) { return false; }
        }
    } else if (f->rows->err.code != TACO_OK) {
        f->err = f->rows->err;
        return false;
    } else {
        f->ended = true;
        if (!taco__gti_end(f)) { return false; }
    }
    *text = taco__bytes_of(f->text.data, f->text.len);
    return true;
}

/* ---- open and close
   ------------------------------------------------------------------------------- */

static void taco__footprints_warn(taco_footprints *f, uint64_t n, const char *what)
{
    taco_error w;
    if (n && f->ds->options.warn) {
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: %u of %u rows %s",
                   f->ds->stores[0].name, n, f->row, what);
        f->ds->options.warn(f->ds->options.warn_ctx, &w);
    }
}

TACO_API taco_status taco_footprints_close(taco_footprints *f, taco_error *err)
{
    taco_status code;
    taco__mem *mem;
    if (!f) { return TACO_OK; }
    code = f->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = f->err; }
    if (code == TACO_OK && f->ended) {
        taco__footprints_warn(f, f->folders, "are FOLDERs, left out of the tile index");
        taco__footprints_warn(f, f->empty, "have no footprint, left out of the tile index");
        taco__footprints_warn(f, f->infinite,
                              "have coordinates that are no numbers; geometry null");
        taco__footprints_warn(f, f->foreign,
                              "have a geometry that is not in EPSG:4326; not reprojected");
        taco__footprints_warn(f, f->clash ? f->row : 0,
                              "have a column 'location', left out: the path is called so");
    }
    taco_cursor_close(f->rows, NULL);
    taco__cell_names_free(&f->names);
    taco__buf_free(&f->text);
    taco__buf_free(&f->feature);
    taco__buf_free(&f->geometry);
    taco__arena_free(&f->arena);
    mem = f->mem;
    taco__mem_free(mem, f, sizeof *f);
    return code;
}

static bool taco__footprints_open(taco_footprints *f, const taco_query *query)
{
    bool all = !query->select && f->format == TACO_FOOTPRINTS_GEOJSON, ok;
    taco_query q = *query;
    taco_cursor *probe = taco__select_columns_only(f->ds, &q, &f->err);
    taco__buf list;
    memset(&list, 0, sizeof list);
    list.mem = f->mem;
    ok = probe && taco__footprints_find_roles(f, &probe->columns, q.geometry_column);
    if (probe && !ok) { taco__container_fail(&f->ds->stores[0], NULL, &f->err); }
    ok = ok && (all || taco__footprints_list_columns(f, &probe->columns, q.select, &list));
    taco_cursor_close(probe, &f->err);
    if (ok) {
        q.select = all ? NULL : (const char *)list.data;
        f->rows = taco_select(f->ds, &q, &f->err);
    }
    taco__buf_free(&list);
    return f->rows && taco__footprints_place_columns(f, all);
}

TACO_API taco_footprints *taco_footprints_open(taco_dataset *ds, const taco_query *query,
                                               taco_footprint_format format, taco_error *err)
{
    taco_footprints *f;
    taco_query q;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds || (format != TACO_FOOTPRINTS_GEOJSON && format != TACO_FOOTPRINTS_GTI)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                   ds ? "format" : "dataset");
        return NULL;
    }
    f = (taco_footprints *)taco__mem_alloc(&ds->mem, sizeof *f, err);
    if (!f) { return NULL; }
    f->ds = ds;
    f->mem = f->arena.mem = f->text.mem = f->feature.mem = f->geometry.mem = &ds->mem;
    f->format = format;
    if (!taco__footprints_open(f, &q)) {
        taco_footprints_close(f, err);
        return NULL;
    }
    return f;
}
/* ==== src/publish/geojson_geometry.c ==== */
/* geojson_geometry.c - rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec:
   RFC 7946; GDAL "GTI -- GDAL Raster Tile Index" */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../geo/geo.h" */

/* ---- geometries as JSON
   --------------------------------------------------------------------------- */

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

TACO__FN bool taco__geojson_is_finite(double x)
{
    return x - x == 0;
}

static double taco__geojson_x_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride, run->big);
}

static double taco__geojson_y_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
}

/* RFC 7946 §3.1.6: shells go counterclockwise, holes clockwise. The area is taken relative to the
   first corner. */
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

/* The positions of a run: of a Point one, of all others a list. *finite is cleared where one cannot
   be written. */
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

/* A Point of two NaN is how WKB says that it is empty. */
static bool taco__geojson_is_empty_point(const taco__wkb_item *run)
{
    double x = run->n ? taco__geojson_x_of(run, 0) : 0, y = run->n ? taco__geojson_y_of(run, 0) : 0;
    return run->n == 0 || (run->type == TACO__WKB_POINT && x != x && y != y);
}

/* of a geometry that is being written */
typedef struct taco__geojson_level {
    size_t mark;  /* of the text, in front of it */
    size_t parts; /* that were written */
} taco__geojson_level;

/* Members of a MultiX are bare coordinates; all others are objects. */
static bool taco__geojson_is_bare(const taco__wkb_reader *w, size_t depth)
{
    return depth > 1 && w->frame[depth - 2].type != TACO__WKB_COLLECTION;
}

static bool taco__geojson_begin(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth;
    bool ok = true;
    levels[d - 1].mark = b->len;
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

/* Empty members of a MultiX are left out: a position or a line of no numbers is none. */
static bool taco__geojson_end(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                              taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth + 1; /* the walk has left it */
    bool bare = d > 1 && w->frame[d - 2].type != TACO__WKB_COLLECTION, ok = true;
    if (bare && levels[d - 1].parts == 0) {
        b->len = levels[d - 1].mark;
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

/* Writes WKB as a GeoJSON geometry in x and y; null where it is empty or, *finite false, cannot be
   written. */
TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__geojson_level levels[TACO__WKB_MAX_DEPTH];
    size_t begin = b->len;
    bool ok = true;
    *finite = *empty = true;
    memset(&item, 0, sizeof item);
    taco__wkb_reader_init(&w, wkb);
    while (ok && taco__wkb_next(&w, &item, err) == TACO_OK && item.what != TACO__WKB_DONE) {
        if (item.what == TACO__WKB_BEGIN) {
            ok = taco__geojson_begin(b, &w, item.type, levels, err);
        } else if (item.what == TACO__WKB_END) {
            ok = taco__geojson_end(b, &w, item.type, levels, err);
        } else if (!taco__geojson_is_empty_point(&item)) {
            *empty = false;
            if (levels[w.depth - 1].parts++ > 0) { ok = taco__buf_append_char(b, ',', err); }
            ok = ok && taco__geojson_write_run(b, &item, finite, err);
        }
    }
    if (!ok || item.what != TACO__WKB_DONE) { return false; }
    if (*empty || !*finite) {
        b->len = begin;
        return taco__buf_append_text(b, "null", err);
    }
    return true;
}

/* A ring around corners, counterclockwise, as it stands in the coordinates of a Polygon. */
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

/* A tile in degrees. Longitudes are brought to -180..180; what crosses the antimeridian becomes two
   polygons, one on either side (RFC 7946 §3.1.9). Rotated tiles stay as they are. */
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
    if (cut == west || west < -540 || east > 540) {
        return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
               taco__geojson_write_box(b, west, south, east, north, err) &&
               taco__buf_append_char(b, '}', err);
    }
    return taco__buf_append_text(b, "{\"type\":\"MultiPolygon\",\"coordinates\":[", err) &&
           taco__geojson_write_box(b, cut < 0 ? west + 360 : west, south, 180, north, err) &&
           taco__buf_append_char(b, ',', err) &&
           taco__geojson_write_box(b, -180, south, cut < 0 ? east : east - 360, north, err) &&
           taco__buf_append_text(b, "]}", err);
}
/* ==== src/publish/raster_tile_index.c ==== */
/* raster_tile_index.c - rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec:
   RFC 7946; GDAL "GTI -- GDAL Raster Tile Index" */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */

/* A mosaic has one CRS, that of its first tile. */
static bool taco__gti_check_crs(taco_footprints *f, taco_bytes crs, const char *column)
{
    taco_bytes before = taco__bytes_text(f->crs), name = taco__bytes_text(column);
    if (!f->crs) {
        f->crs = taco__arena_text(&f->arena, crs, &f->err);
        return f->crs != NULL;
    }
    if (taco__footprints_same_crs(before, crs)) { return true; }
    TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "a tile in %q, the tiles before are in %q: a tile index has one CRS, filter by %q, "
               "or name a geometry column of polygons in one CRS",
               &crs, &before, &name);
    return taco__footprints_fail(f);
}

static void taco__gti_extend(taco_footprints *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        bool more = k < 2 ? box[k] < f->box[k] : box[k] > f->box[k];
        f->box[k] = f->written == 0 || more ? box[k] : f->box[k];
    }
}

/* GDAL 3.10 leaves a window empty when a tile that only touches its edge comes before the tile that
   fills it. So in an index the tiles lie apart, by a part of a pixel on each side. The extent of
   the mosaic is told as it is. */
#define TACO__GTI_INSET 1024

/* The footprint of a tile in the CRS of the mosaic; *none where the row has none. */
TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco__footprints_tile t;
    taco_bytes wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY), crs;
    double box[4];
    size_t k;
    bool finite, empty;
    *none = false;
    if (taco__footprints_tile_of_row(f, b, i, &t)) {
        if (t.rotated) {
            TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the tile's stac:geotransform is rotated: a tile index wants tiles whose "
                       "rows run east");
            return taco__footprints_fail(f);
        }
        for (k = 0; k < 2; k++) {
            box[k] = TACO__MIN(t.xy[k], t.xy[4 + k]);
            box[2 + k] = TACO__MAX(t.xy[k], t.xy[4 + k]);
            f->pixel[k] = f->pixel[k] > 0 && f->pixel[k] < t.pixel[k] ? f->pixel[k] : t.pixel[k];
        }
        taco__gti_extend(f, box);
        return taco__gti_check_crs(f, t.crs, f->name[TACO__FOOTPRINTS_CRS]) &&
               taco__buf_append_text(&f->geometry,
                                     "{\"type\":\"Polygon\",\"coordinates\":", &f->err) &&
               taco__geojson_write_box(&f->geometry, box[0] + t.pixel[0] / TACO__GTI_INSET,
                                       box[1] + t.pixel[1] / TACO__GTI_INSET,
                                       box[2] - t.pixel[0] / TACO__GTI_INSET,
                                       box[3] - t.pixel[1] / TACO__GTI_INSET, &f->err) &&
               taco__buf_append_char(&f->geometry, '}', &f->err);
    }
    *none = true;
    if (!wkb.len) { return true; }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err) ||
        taco__wkb_bounds(wkb, box, &empty, &f->err) != TACO_OK) {
        return f->err.code == TACO_OK || taco__footprints_fail(f);
    }
    if (empty || !finite || !(box[0] < box[2]) || !(box[1] < box[3])) {
        return true; /* a point is no tile */
    }
    *none = false;
    taco__gti_extend(f, box);
    crs = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY_CRS);
    return taco__gti_check_crs(
        f, crs.len ? crs : taco__bytes_text("EPSG:4326"),
        f->name[f->name[TACO__FOOTPRINTS_GEOMETRY_CRS] ? TACO__FOOTPRINTS_GEOMETRY_CRS
                                                       : TACO__FOOTPRINTS_GEOMETRY]);
}

/* Appends text with what XML would take for markup escaped. */
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

/* ---- the document
   --------------------------------------------------------------------------------- */

TACO__FN bool taco__gti_begin(taco_footprints *f)
{
    f->begun = true;
    /* GDAL takes an index that begins like GeoJSON for the text itself, not for a file name */
    return (f->format == TACO_FOOTPRINTS_GEOJSON ||
            taco__buf_append_text(&f->text, "<GDALTileIndexDataset>\n<IndexDataset>", &f->err)) &&
           taco__buf_append_text(&f->text, "{\"type\":\"FeatureCollection\",\"features\":[",
                                 &f->err);
}

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

/* Resolution and extent are told where every tile said its own: GDAL would open a tile for them. */
TACO__FN bool taco__gti_end(taco_footprints *f)
{
    static const char *const names[] = {"MinX", "MinY", "MaxX", "MaxY"};
    size_t k;
    bool ok = taco__buf_append_text(&f->text, "\n]}", &f->err);
    if (f->format == TACO_FOOTPRINTS_GEOJSON) {
        return ok && taco__buf_append_char(&f->text, '\n', &f->err);
    }
    if (f->written == 0) {
        TACO__FAIL(&f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no tiles: %u of %u rows are FOLDERs, %u have no footprint (stac:geotransform, "
                   "stac:tensor_shape and stac:crs, or a polygon)",
                   f->folders, f->row, f->empty);
        return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
    }
    ok = ok &&
         taco__buf_append_text(&f->text,
                               "</IndexDataset>\n<LocationField>location</LocationField>\n<SRS>",
                               &f->err) &&
         taco__gti_append_escaped(&f->text, taco__bytes_text(f->crs), &f->err) &&
         taco__buf_append_text(&f->text, "</SRS>\n", &f->err);
    if (ok && f->pixel[0] > 0) {
        ok = taco__gti_write_element(f, "ResX", f->pixel[0]) &&
             taco__gti_write_element(f, "ResY", f->pixel[1]);
        for (k = 0; ok && k < 4; k++) {
            ok = taco__gti_write_element(f, names[k], f->box[k]);
        }
    }
    return ok && taco__buf_append_text(&f->text, "</GDALTileIndexDataset>\n", &f->err);
}
/* ==== src/publish/geoparquet.c ==== */
/* geoparquet.c - batches of rows as batches of GeoParquet columns.. Spec: GeoParquet 1.1, STAC
   GeoParquet 1.1 */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/json.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */

/* The first column of one of the names, and of a type that suits. */
static size_t taco__geoparquet_find_column(const taco__geoparquet *x, const char *const *names,
                                           size_t n, bool (*suits)(const taco_field *f))
{
    size_t i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            if (strcmp(x->in[i].name, names[k]) == 0 && suits(&x->in[i])) { return i; }
        }
    }
    return TACO__NONE;
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

/* ---- columns that go out ---- */

static taco_field *taco__geoparquet_add_column(taco__geoparquet *x, const char *name,
                                               taco_type type, taco__geoparquet_kind what,
                                               size_t from)
{
    taco_field *f = &x->out[x->count];
    taco__geoparquet_column *c = &x->columns[x->count++];
    memset(f, 0, sizeof *f);
    memset(c, 0, sizeof *c);
    f->name = name;
    f->type = type;
    f->nullable = true;
    c->what = what;
    c->from = from;
    c->other = TACO__NONE;
    return f;
}

static void taco__geoparquet_add_text(taco__geoparquet *x, const char *name, const char *text)
{
    taco__geoparquet_add_column(x, name, TACO_TEXT, TACO__GEOPARQUET_TEXT, TACO__NONE);
    x->columns[x->count - 1].text = text;
}

static taco_field *taco__geoparquet_add_children(taco__geoparquet *x, taco_field *f, size_t n)
{
    taco_field *c = (taco_field *)taco__arena_array(&x->fixed, n, sizeof *c, &x->err);
    if (c) {
        memset(c, 0, n * sizeof *c);
        f->children = c;
        f->child_count = (uint32_t)n;
    }
    return c;
}

static void taco__geoparquet_init_field(taco_field *f, const char *name, taco_type type)
{
    f->name = name;
    f->type = type;
    f->nullable = true;
}

/* LIST of texts, or of numbers. Items are called "element", as Parquet's LogicalTypes.md wants it
   of lists. */
static bool taco__geoparquet_init_list(taco__geoparquet *x, taco_field *f, taco_type type)
{
    taco_field *c = taco__geoparquet_add_children(x, f, 1);
    if (c) {
        taco__geoparquet_init_field(c, "element", type);
        c->width = type == TACO_TEXT ? 0 : 8;
    }
    return c != NULL;
}

/* Every column that has no place of its own; what we made goes before one of the same name, and
   internal:* says where things lie in this dataset, which means nothing outside of it. */
static void taco__geoparquet_copy_others(taco__geoparquet *x, const bool *used)
{
    size_t i, k;
    for (i = 0; i < x->in_count; i++) {
        const char *name = x->in[i].name;
        bool taken = used[i] || strncmp(name, "internal:", 9) == 0;
        for (k = 0; k < x->count; k++) {
            taken = taken || strcmp(x->out[k].name, name) == 0;
        }
        if (!taken) {
            *taco__geoparquet_add_column(x, name, TACO_NULL, TACO__GEOPARQUET_COPY, i) = x->in[i];
        }
    }
}

static size_t taco__geoparquet_find_geometry(taco__geoparquet *x)
{
    static const char *const names[] = {"stac:centroid", "istac:centroid", "geometry",
                                        "istac:geometry"};
    size_t at = x->how.geometry_column ? taco__geoparquet_find_column(x, &x->how.geometry_column, 1,
                                                                      taco__geoparquet_is_geometry)
                                       : taco__geoparquet_find_column(x, names, TACO__COUNT(names),
                                                                      taco__geoparquet_is_geometry);
    if (at == TACO__NONE) {
        taco_bytes name =
            taco__bytes_text(x->how.geometry_column ? x->how.geometry_column : names[0]);
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no geometry to publish: there is no column %q of WKB or text", &name);
    }
    return at;
}

/* The geometry goes out under the name `geometry`; its column stays under its own, unless that is
   the name. */
static bool taco__geoparquet_add_geo_columns(taco__geoparquet *x, bool *used)
{
    size_t at = taco__geoparquet_find_geometry(x);
    if (at == TACO__NONE) { return false; }
    used[at] = strcmp(x->in[at].name, "geometry") == 0;
    taco__geoparquet_copy_others(x, used);
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY, TACO__GEOPARQUET_GEOMETRY, at);
    return true;
}

/* A child for every field of assets.data: href, type, roles. */
static bool taco__geoparquet_add_assets(taco__geoparquet *x, size_t href, size_t id)
{
    taco_field *f = taco__geoparquet_add_column(x, "assets", TACO_STRUCT, TACO__GEOPARQUET_ASSETS,
                                                href),
               *data, *c;
    x->columns[x->count - 1].other = id;
    data = taco__geoparquet_add_children(x, f, 1);
    if (!data) { return false; }
    taco__geoparquet_init_field(data, "data", TACO_STRUCT);
    c = taco__geoparquet_add_children(x, data, 3);
    if (!c) { return false; }
    taco__geoparquet_init_field(&c[0], "href", TACO_TEXT);
    taco__geoparquet_init_field(&c[1], "type", TACO_TEXT);
    taco__geoparquet_init_field(&c[2], "roles", TACO_LIST);
    return taco__geoparquet_init_list(x, &c[2], TACO_TEXT);
}

/* An empty list in rows of no collection: STAC wants links in every item. */
static bool taco__geoparquet_add_links(taco__geoparquet *x)
{
    taco_field *f = taco__geoparquet_add_column(x, "links", TACO_LIST, TACO__GEOPARQUET_LINKS,
                                                TACO__NONE),
               *link, *c;
    link = taco__geoparquet_add_children(x, f, 1);
    if (!link) { return false; }
    taco__geoparquet_init_field(link, "element", TACO_STRUCT);
    c = taco__geoparquet_add_children(x, link, 3);
    if (!c) { return false; }
    taco__geoparquet_init_field(&c[0], "href", TACO_TEXT);
    taco__geoparquet_init_field(&c[1], "rel", TACO_TEXT);
    taco__geoparquet_init_field(&c[2], "type", TACO_TEXT);
    return true;
}

/* STAC GeoParquet: times are UTC timestamps. `other` is taken where `from` is null. */
static void taco__geoparquet_add_time(taco__geoparquet *x, const char *name, size_t from,
                                      size_t other)
{
    taco_field *f =
        taco__geoparquet_add_column(x, name, TACO_TIMESTAMP, TACO__GEOPARQUET_TIME, from);
    f->unit = TACO_MICRO;
    f->utc = true;
    f->width = 8;
    x->columns[x->count - 1].other = other;
}

/* STAC projection extension v2.0.0: code, shape and transform, of what the rows have of them. */
static bool taco__geoparquet_add_projection(taco__geoparquet *x, bool *used)
{
    static const char *const crs[] = {"stac:crs", "istac:crs"},
                             *const shape[] = {"stac:tensor_shape", "stac:raster_shape"},
                             *const transform[] = {"stac:geotransform"};
    size_t at[3], i;
    bool any = false;
    at[0] = taco__geoparquet_find_column(x, crs, 2, taco__geoparquet_is_text);
    at[1] = taco__geoparquet_find_column(x, shape, 2, taco__geoparquet_is_numbers);
    at[2] = taco__geoparquet_find_column(x, transform, 1, taco__geoparquet_is_numbers);
    for (i = 0; i < 3; i++) {
        any = any || at[i] != TACO__NONE;
        used[at[i] == TACO__NONE ? 0 : at[i]] |= at[i] != TACO__NONE;
    }
    x->columns[2].from = any ? 1 : TACO__NONE; /* stac_extensions names it where it is used */
    if (at[0] != TACO__NONE) {
        *taco__geoparquet_add_column(x, "", TACO_TEXT, TACO__GEOPARQUET_COPY, at[0]) = x->in[at[0]];
        x->out[x->count - 1].name = "proj:code";
    }
    return (at[1] == TACO__NONE ||
            taco__geoparquet_init_list(x,
                                       taco__geoparquet_add_column(x, "proj:shape", TACO_LIST,
                                                                   TACO__GEOPARQUET_SHAPE, at[1]),
                                       TACO_INT64)) &&
           (at[2] == TACO__NONE ||
            taco__geoparquet_init_list(x,
                                       taco__geoparquet_add_column(x, "proj:transform", TACO_LIST,
                                                                   TACO__GEOPARQUET_TRANSFORM,
                                                                   at[2]),
                                       TACO_DOUBLE));
}

static bool taco__geoparquet_add_stac_columns(taco__geoparquet *x, bool *used)
{
    static const char *const ids[] = {"id", "tortilla:id"},
                             *const hrefs[] = {"internal:gdal_vsi", "internal:subfile"},
                             *const starts[] = {"stac:time_start", "istac:time_start"},
                             *const ends[] = {"stac:time_end", "istac:time_end"};
    size_t at = taco__geoparquet_find_geometry(x), id, href, start, end;
    if (at == TACO__NONE) { return false; }
    id = taco__geoparquet_find_column(x, ids, 2, taco__geoparquet_is_text);
    href = taco__geoparquet_find_column(x, hrefs, 2, taco__geoparquet_is_text);
    start = taco__geoparquet_find_column(x, starts, 2, taco__geoparquet_is_time);
    end = taco__geoparquet_find_column(x, ends, 2, taco__geoparquet_is_time);
    if (id == TACO__NONE || start == TACO__NONE) {
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no items without column %s",
                   id == TACO__NONE ? "'id'" : "'stac:time_start'");
        return false;
    }
    used[at] = used[id] = used[start] = true;
    if (end != TACO__NONE) { used[end] = true; }
    taco__geoparquet_add_text(x, "type", "Feature");
    taco__geoparquet_add_text(x, "stac_version", "1.1.0");
    taco__geoparquet_add_column(x, "stac_extensions", TACO_LIST, TACO__GEOPARQUET_EXTENSIONS,
                                TACO__NONE);
    if (!taco__geoparquet_init_list(x, &x->out[x->count - 1], TACO_TEXT)) { return false; }
    *taco__geoparquet_add_column(x, "", TACO_TEXT, TACO__GEOPARQUET_COPY, id) = x->in[id];
    x->out[x->count - 1].name = "id";
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY, TACO__GEOPARQUET_GEOMETRY, at);
    if (!taco__geoparquet_add_links(x)) { return false; }
    if (x->how.id && x->how.href) { /* an item in a collection has to link to it */
        taco__geoparquet_add_text(x, "collection", x->how.id);
    }
    if (!taco__geoparquet_add_assets(x, href, id)) { return false; }
    /* STAC: datetime may only be null where the other two are there; all three are written, so that
       readers need not ask */
    taco__geoparquet_add_time(x, "datetime", start, TACO__NONE);
    taco__geoparquet_add_time(x, "start_datetime", start, TACO__NONE);
    taco__geoparquet_add_time(x, "end_datetime", end == TACO__NONE ? start : end, start);
    if (!taco__geoparquet_add_projection(x, used)) { return false; }
    taco__geoparquet_copy_others(x, used);
    return true;
}

static bool taco__geoparquet_plan(taco__geoparquet *x)
{
    bool *used = (bool *)taco__arena_array(&x->fixed, x->in_count + 1, sizeof *used, &x->err);
    size_t i, cap = x->in_count + 16; /* an item has fewer columns of its own */
    x->out = (taco_field *)taco__arena_array(&x->fixed, cap, sizeof *x->out, &x->err);
    x->columns =
        (taco__geoparquet_column *)taco__arena_array(&x->fixed, cap, sizeof *x->columns, &x->err);
    x->arrays = (taco_array *)taco__arena_array(&x->fixed, cap, sizeof *x->arrays, &x->err);
    if (!used || !x->out || !x->columns || !x->arrays) { return false; }
    memset(used, 0, (x->in_count + 1) * sizeof *used);
    switch (x->how.kind) {
    case TACO_PUBLISH_GEOPARQUET: return taco__geoparquet_add_geo_columns(x, used);
    case TACO_PUBLISH_STAC: return taco__geoparquet_add_stac_columns(x, used);
    default:
        for (i = 0; i < x->in_count; i++) {
            *taco__geoparquet_add_column(x, "", TACO_NULL, TACO__GEOPARQUET_COPY, i) = x->in[i];
        }
        return true;
    }
}

/* The collection under the key that STAC GeoParquet 1.1 gives it. */
static bool taco__geoparquet_collection_key(taco__geoparquet *x, taco_pq_key *key)
{
    taco__buf b;
    taco_bytes id = taco__bytes_text(x->how.id);
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = &x->mem;
    ok = taco__buf_append_text(&b, "{\"version\":\"1.1.0\",\"collections\":{", &x->err) &&
         taco__json_print_text(&b, id, &x->err) && taco__buf_append_char(&b, ':', &x->err) &&
         taco__buf_append_text(&b, x->how.collection, &x->err) &&
         taco__buf_append_text(&b, "}}", &x->err);
    key->key = "stac-geoparquet";
    key->value = ok ? taco__arena_text(&x->fixed, taco__bytes_of(b.data, b.len), &x->err) : NULL;
    taco__buf_free(&b);
    return key->value != NULL;
}

static bool taco__geoparquet_write_options(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t n = o->key_count;
    taco_pq_key *keys = (taco_pq_key *)taco__arena_array(&x->fixed, n + 1, sizeof *keys, &x->err);
    taco_pq_geometry *g =
        (taco_pq_geometry *)taco__arena_array(&x->fixed, o->geometry_count + 1, sizeof *g, &x->err);
    if (!keys || !g) { return false; }
    if (x->how.kind == TACO_PUBLISH_PARQUET) { return true; }
    memset(g, 0, sizeof *g);
    g->column = "geometry";
    g->crs = x->how.crs;
    g->covering = x->how.kind == TACO_PUBLISH_STAC
                      ? "bbox"
                      : x->how.covering; /* STAC wants bbox of an item */
    if (o->geometry_count) { memcpy(g + 1, o->geometries, o->geometry_count * sizeof *g); }
    o->geometries = g;
    o->geometry_count++;
    if (n) { memcpy(keys, o->keys, n * sizeof *keys); }
    if (x->how.kind == TACO_PUBLISH_STAC && x->how.id && x->how.collection) {
        if (!taco__geoparquet_collection_key(x, &keys[n])) { return false; }
        o->key_count++;
    }
    o->keys = keys;
    return true;
}

static void taco__geoparquet_write_rows(taco__geoparquet *x, taco_cursor *rows,
                                        const taco_sink *sink)
{
    taco_pq_write_options o = x->how.write;
    taco_pq_writer *w = NULL;
    taco_batch b, out;
    if (!taco__geoparquet_plan(x) || !taco__geoparquet_write_options(x, &o)) {
        taco__sink_abort(sink);
    } else {
        w = taco_pq_write(sink, x->out, x->count, &o, &x->err);
    }
    while (w && taco_cursor_batch(rows, &b)) {
        if (!taco__geoparquet_batch_make(x, &b, &out) || taco_pq_writer_batch(w, &out) != TACO_OK) {
            break;
        }
    }
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
    memset(&x, 0, sizeof x);
    if (!rows || !sink || (err && err->code != TACO_OK)) {
        TACO__FAIL(&x.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                   rows ? "sink" : "rows");
        taco__sink_abort(sink);
        taco_cursor_close(rows, NULL);
    } else {
        if (how) {
            x.how = *how;
            /* the link goes with the name, either way */
            x.how.href = how->id ? how->href : NULL;
        }
        taco__mem_init(&x.mem, x.how.write.options);
        x.fixed.mem = x.batch.mem = &x.mem;
        x.in = taco_cursor_fields(rows, &x.in_count);
        taco__geoparquet_write_rows(&x, rows, sink);
        taco__arena_free(&x.batch);
        taco__arena_free(&x.fixed);
    }
    if (err && err->code == TACO_OK) { *err = x.err; }
    return err ? err->code : x.err.code;
}
/* ==== src/publish/geoparquet_batch.c ==== */
/* geoparquet_batch.c - batches of rows as batches of GeoParquet columns.. Spec: GeoParquet 1.1,
   STAC GeoParquet 1.1 */
/* #include "publish.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* ---- arrays of one batch ---- */

static void *taco__geoparquet_batch_alloc(taco__geoparquet *x, size_t n, size_t size)
{
    void *p = taco__arena_array(&x->batch, n + 1, size, &x->err);
    if (p) { memset(p, 0, (n + 1) * size); }
    return p;
}

static void taco__geoparquet_batch_begin_array(taco_array *a, const taco_field *f, size_t n)
{
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
}

static bool taco__geoparquet_batch_alloc_bitmap(taco__geoparquet *x, taco_array *a, uint8_t **bits)
{
    *bits = (uint8_t *)taco__geoparquet_batch_alloc(x, TACO__BITMAP_BYTES(a->length), 1);
    a->validity = *bits;
    return *bits != NULL;
}

static void taco__geoparquet_batch_end_array(taco_array *a)
{
    size_t i;
    for (a->null_count = 0, i = 0; i < a->length; i++) {
        a->null_count += !taco__bitmap_get(a->validity, i);
    }
    a->validity = a->null_count ? a->validity : NULL;
}

/* The same text in every row. */
static bool taco__geoparquet_batch_constant_text(taco__geoparquet *x, taco_array *a,
                                                 const taco_field *f, size_t n, const char *text)
{
    size_t len = strlen(text), i, bytes;
    int32_t *offsets;
    uint8_t *to;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!taco__checked_mul_size(n, len, &bytes) || bytes > INT32_MAX) {
        TACO__FAIL(&x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u texts of %u bytes in one batch",
                   TACO__U(n), TACO__U(len));
        return false;
    }
    offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    to = (uint8_t *)taco__geoparquet_batch_alloc(x, bytes, 1);
    if (!offsets || !to) { return false; }
    for (i = 0; i < n; i++) {
        memcpy(to + i * len, text, len);
        offsets[i + 1] = (int32_t)((i + 1) * len);
    }
    a->offsets = offsets;
    a->v.any = to;
    return true;
}

/* A list of one element, or of none, in every row. */
static bool taco__geoparquet_batch_constant_list(taco__geoparquet *x, taco_array *a,
                                                 const taco_field *f, size_t n, bool one,
                                                 taco_array **child)
{
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    size_t i;
    *child = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof **child);
    if (!offsets || !*child) { return false; }
    taco__geoparquet_batch_begin_array(a, f, n);
    for (i = 0; one && i <= n; i++) {
        offsets[i] = (int32_t)i;
    }
    a->offsets = offsets;
    a->children = *child;
    return true;
}

static bool taco__geoparquet_batch_text_list(taco__geoparquet *x, taco_array *a,
                                             const taco_field *f, size_t n, const char *text)
{
    taco_array *child;
    return taco__geoparquet_batch_constant_list(x, a, f, n, text != NULL, &child) &&
           taco__geoparquet_batch_constant_text(x, child, f->children, text ? n : 0,
                                                text ? text : "");
}

static bool taco__geoparquet_batch_links(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                         size_t n)
{
    const taco_field *c = f->children->children;
    taco_array *link, *parts = (taco_array *)taco__geoparquet_batch_alloc(x, 3, sizeof *parts);
    size_t m = x->how.href ? n : 0;
    if (!parts || !taco__geoparquet_batch_constant_list(x, a, f, n, m > 0, &link)) { return false; }
    taco__geoparquet_batch_begin_array(link, f->children, m);
    link->children = parts;
    return taco__geoparquet_batch_constant_text(x, &parts[0], &c[0], m, m ? x->how.href : "") &&
           taco__geoparquet_batch_constant_text(x, &parts[1], &c[1], m, "collection") &&
           taco__geoparquet_batch_constant_text(x, &parts[2], &c[2], m, "application/json");
}

/* What GDAL opens as a raster by its name is one; of the rest nothing is known. */
static const char *taco__geoparquet_batch_media_type(const taco_batch *b,
                                                     const taco__geoparquet_column *c, size_t i)
{
    taco_bytes id = taco_array_bytes(&b->columns[c->other], i);
    if ((id.len > 4 && memcmp(id.data + id.len - 4, ".tif", 4) == 0) ||
        (id.len > 5 && memcmp(id.data + id.len - 5, ".tiff", 5) == 0)) {
        return "image/tiff; application=geotiff";
    }
    return "application/octet-stream";
}

static bool taco__geoparquet_batch_media_types(taco__geoparquet *x, taco_array *a,
                                               const taco_field *f, const taco_batch *b,
                                               const taco__geoparquet_column *c)
{
    size_t i, at = 0, n = b->length;
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    uint8_t *to =
        (uint8_t *)taco__geoparquet_batch_alloc(x, n, 32); /* the longer name has 31 bytes */
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !to) { return false; }
    for (i = 0; i < n; i++) {
        const char *text = taco__geoparquet_batch_media_type(b, c, i);
        memcpy(to + at, text, strlen(text));
        at += strlen(text);
        offsets[i + 1] = (int32_t)at;
    }
    a->offsets = offsets;
    a->v.any = to;
    return true;
}

static bool taco__geoparquet_batch_assets(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                          const taco_batch *b, const taco__geoparquet_column *c)
{
    taco_array *data = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof *data);
    taco_array *parts = (taco_array *)taco__geoparquet_batch_alloc(x, 3, sizeof *parts);
    const taco_field *g = f->children->children;
    if (!data || !parts) { return false; }
    taco__geoparquet_batch_begin_array(a, f, b->length);
    taco__geoparquet_batch_begin_array(data, f->children, b->length);
    a->children = data;
    data->children = parts;
    if (c->from == TACO__NONE) {
        if (!taco__geoparquet_batch_constant_text(x, &parts[0], &g[0], b->length, "")) {
            return false;
        }
    } else {
        parts[0] = b->columns[c->from];
        parts[0].field = &g[0];
    }
    return taco__geoparquet_batch_media_types(x, &parts[1], &g[1], b, c) &&
           taco__geoparquet_batch_text_list(x, &parts[2], &g[2], b->length, "data");
}

/* POINT (x y), as Tortilla writes centroids, into WKB; false for anything else. */
static bool taco__geoparquet_batch_parse_point(taco_bytes text, uint8_t wkb[21])
{
    double xy[2];
    unsigned k;
    while (text.len && *text.data != '(') {
        text.data++, text.len--;
    }
    for (k = 0; k < 2; k++) {
        taco_bytes word;
        if (text.len == 0) { return false; }
        for (text.data++, text.len--; text.len && *text.data == ' '; text.data++, text.len--) {}
        word = taco__bytes_of(text.data, 0);
        while (word.len < text.len && text.data[word.len] != ' ' && text.data[word.len] != ')') {
            word.len++;
        }
        if (!taco__num_parse_f64(word, &xy[k])) { return false; }
        text.data += word.len, text.len -= word.len;
    }
    memset(wkb, 0, 21); /* WKB: byte order 1, type 1 (Point), x, y */
    wkb[0] = wkb[1] = 1;
    taco__put_le64(wkb + 5, taco__f64_to_bits(xy[0]));
    taco__put_le64(wkb + 13, taco__f64_to_bits(xy[1]));
    return true;
}

static bool taco__geoparquet_batch_geometry(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                            const taco_array *from)
{
    size_t i, n = from->length;
    int32_t *offsets;
    uint8_t *to, *bits;
    if (from->field->type == TACO_BINARY) {
        *a = *from;
        a->field = f;
        return true;
    }
    offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    to = (uint8_t *)taco__geoparquet_batch_alloc(x, n, 21);
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !to || !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) { return false; }
    for (i = 0; i < n; i++) {
        taco_bytes text = taco_array_bytes(from, i);
        bool good = text.data && taco__geoparquet_batch_parse_point(text, to + offsets[i]);
        if (text.data && !good) {
            TACO__FAIL(&x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "geometry %q is not POINT (x y)",
                       &text);
            return false;
        }
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
        offsets[i + 1] = offsets[i] + (good ? 21 : 0);
    }
    a->offsets = offsets;
    a->v.any = to;
    taco__geoparquet_batch_end_array(a);
    return true;
}

/* Microseconds since 1970 of row i; false when there is no time, or none that fits. */
static bool taco__geoparquet_batch_read_time(const taco_array *a, size_t i, int64_t *out)
{
    static const int64_t each[4] = {1000000, 1000, 1, 1};
    int64_t v = taco_array_int(a, i), by;
    if (!taco_array_valid(a, i)) { return false; }
    if (a->field->type == TACO_DOUBLE) {
        double d = taco_array_double(a, i) * 1e6;
        *out = d > -9.2e18 && d < 9.2e18 ? (int64_t)d : 0;
        return d > -9.2e18 && d < 9.2e18;
    }
    by = a->field->type == TACO_TIMESTAMP ? each[a->field->unit]
         : a->field->type == TACO_DATE    ? INT64_C(86400000000)
                                          : 1000000;
    if (a->field->type == TACO_TIMESTAMP && a->field->unit == TACO_NANO) {
        *out = v / 1000 - (v % 1000 < 0); /* rounds down, before 1970 too: C rounds to zero */
        return true;
    }
    if (v > INT64_MAX / by || v < INT64_MIN / by) { return false; }
    *out = v * by;
    return true;
}

static bool taco__geoparquet_batch_times(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                         const taco_batch *b, const taco__geoparquet_column *c)
{
    size_t i, n = b->length;
    int64_t *v = (int64_t *)taco__geoparquet_batch_alloc(x, n, sizeof *v);
    uint8_t *bits;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!v || !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) { return false; }
    for (i = 0; i < n; i++) {
        bool good = taco__geoparquet_batch_read_time(&b->columns[c->from], i, &v[i]) ||
                    (c->other != TACO__NONE &&
                     taco__geoparquet_batch_read_time(&b->columns[c->other], i, &v[i]));
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
    }
    a->v.any = v;
    taco__geoparquet_batch_end_array(a);
    return true;
}

/* The last two sizes of a tensor; or the six numbers of a geotransform, by rows of the matrix (STAC
   projection extension). */
static bool taco__geoparquet_batch_numbers(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                           const taco_array *from, bool transform)
{
    static const size_t order[6] = {1, 2, 0, 4, 5, 3};
    size_t i, k, n = from->length, each = transform ? 6 : 2, at = 0;
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    double *reals = (double *)taco__geoparquet_batch_alloc(x, n * each, sizeof *reals);
    int64_t *whole = (int64_t *)taco__geoparquet_batch_alloc(x, n * each, sizeof *whole);
    taco_array *child = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof *child);
    uint8_t *bits;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !reals || !whole || !child ||
        !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t first = (size_t)from->offsets[i], len = (size_t)from->offsets[i + 1] - first;
        bool good = taco_array_valid(from, i) && (transform ? len == 6 : len >= 2);
        for (k = 0; good && k < each; k++) {
            size_t j = first + (transform ? order[k] : len - 2 + k);
            if (transform) {
                reals[at++] = taco_array_double(from->children, j);
            } else {
                whole[at++] = taco_array_int(from->children, j);
            }
        }
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
        offsets[i + 1] = (int32_t)at;
    }
    taco__geoparquet_batch_begin_array(child, f->children, at);
    child->v.any = transform ? (const void *)reals : (const void *)whole;
    a->offsets = offsets;
    a->children = child;
    taco__geoparquet_batch_end_array(a);
    return true;
}

static bool taco__geoparquet_batch_make_column(taco__geoparquet *x, size_t k, const taco_batch *b)
{
    static const char projection[] =
        "https://stac-extensions.github.io/projection/v2.0.0/schema.json";
    const taco__geoparquet_column *c = &x->columns[k];
    const taco_field *f = &x->out[k];
    taco_array *a = &x->arrays[k];
    switch (c->what) {
    case TACO__GEOPARQUET_GEOMETRY:
        return taco__geoparquet_batch_geometry(x, a, f, &b->columns[c->from]);
    case TACO__GEOPARQUET_TEXT:
        return taco__geoparquet_batch_constant_text(x, a, f, b->length, c->text);
    case TACO__GEOPARQUET_EXTENSIONS:
        return taco__geoparquet_batch_text_list(x, a, f, b->length,
                                                c->from == TACO__NONE ? NULL : projection);
    case TACO__GEOPARQUET_LINKS: return taco__geoparquet_batch_links(x, a, f, b->length);
    case TACO__GEOPARQUET_ASSETS: return taco__geoparquet_batch_assets(x, a, f, b, c);
    case TACO__GEOPARQUET_TIME: return taco__geoparquet_batch_times(x, a, f, b, c);
    case TACO__GEOPARQUET_SHAPE:
    case TACO__GEOPARQUET_TRANSFORM:
        return taco__geoparquet_batch_numbers(x, a, f, &b->columns[c->from],
                                              c->what == TACO__GEOPARQUET_TRANSFORM);
    default:
        *a = b->columns[c->from];
        a->field = f;
        return true;
    }
}

/* The batch as it goes out; it lives until the next call. */
TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b, taco_batch *out)
{
    size_t k;
    taco__arena_free(&x->batch);
    for (k = 0; k < x->count; k++) {
        if (!taco__geoparquet_batch_make_column(x, k, b)) { return false; }
    }
    *out = *b;
    out->columns = x->arrays;
    out->column_count = x->count;
    return true;
}
#endif /* TACO_IMPLEMENTATION */
