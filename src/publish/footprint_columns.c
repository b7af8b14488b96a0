/* footprint_columns.c - finds the columns of a view that give path, tile grid and geometry

   In: the columns of a view; out: taco__footprint_columns: the names of the roles and, once the
   rows are open, their columns, and which columns become properties. A tile grid is
   stac:geotransform, stac:tensor_shape and stac:crs of one level; the geometry is istac:geometry,
   else stac:centroid, else istac:centroid (TACO 2.0 7.2.2), at any level, the deepest first, as in
   views.

   Called in the order find, select, place, from footprints.c. */
#include "publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

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
