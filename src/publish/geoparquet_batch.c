/* geoparquet_batch.c - the columns of a batch that must be computed from the rows

   In: a batch of the rows, and the plan made by geoparquet.c; out: a batch of the file's columns.
   Copies and WKB are the arrays of the rows; all others are made row by row in the column's
   builder, which keeps its memory between batches (STAC GeoParquet 1.1; STAC Item 1.1.0; STAC
   projection extension 2.0.0). Start reading at taco__geoparquet_batch_make. */
#include "publish.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../geo/geo.h"

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
