/* footprints.c - rows of a query as footprints: GeoJSON features, a piece of text at a time

   In: a query on a dataset; out: one FeatureCollection (RFC 7946), or the same inside of a document
   for GDAL (raster_tile_index.c). A feature has the row's columns as properties, `location` first,
   and the exact tile if the row has a geotransform, else a geometry column, in degrees where its
   CRS is known.

   taco_footprints_open first looks for columns of the view that locate a row (footprint_columns.c),
   and then opens the query with these added. Each taco_footprints_next returns the text of one
   batch; the first begins the document, the one after the last batch ends it. Rows that were left
   out are counted, with a warning on close. */
#include "publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

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
