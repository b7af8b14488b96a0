/* footprints.c - rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec: RFC
   7946; GDAL "GTI -- GDAL Raster Tile Index" */
#include "publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

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
