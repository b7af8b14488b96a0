/* ==== ROOM foot: rows as footprints: GeoJSON, and GDAL's raster tile index around it. Uses: aggr geom dataset cursor
   pq:text pq:num. Spec: RFC 7946; GDAL "GTI -- GDAL Raster Tile Index" ==== */

typedef enum taco__footprints_role { /* columns that are read for the footprints */
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
    taco_dataset         *ds;
    taco__mem            *mem;
    taco__arena           arena;
    taco_cursor          *rows;
    taco_footprint_format format;
    taco_error            err;
    const char           *name[TACO__FOOTPRINTS_ROLES]; /* NULL: the view has none */
    size_t                at[TACO__FOOTPRINTS_ROLES];   /* in the rows */
    bool                 *hidden;                       /* of the columns that are no properties */
    size_t                shown;
    taco__cell_names      names;
    bool                  begun, ended, first, clash;
    taco__buf             text, feature, geometry;
    uint64_t              row, written, folders, empty, infinite, foreign;
    /* of the mosaic */
    const char *crs;
    double      box[4], pixel[2]; /* pixel: the smallest; 0 until there was one */
};

/* ---- which columns -------------------------------------------------------------------------------- */

TACO__FN bool taco__footprints_is_crs(const taco_field *f)
{
    return f->type == TACO_TEXT;
}
TACO__FN bool taco__footprints_is_number_list(const taco_field *f)
{
    return f->type == TACO_LIST && taco__cursor_column_is_number(&f->children[0]);
}
/* The name of a column at the level of another one, where it is of a type that fits. */
TACO__FN const char *taco__footprints_find_same_level(const taco_cursor *p, const char *of,
                                                      const char *name,
                                                      bool (*fits)(const taco_field *f))
{
    size_t i = taco__cursor_column_find_same_level(p->fields, p->count, of, name);
    return i != TACO__NONE && fits(&p->fields[i]) ? p->fields[i].name : NULL;
}
/* Finds the three columns of the tile grid at one level, the deepest that has them. */
TACO__FN void taco__footprints_find_grid(taco_footprints *f, const taco_cursor *p)
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
TACO__FN bool taco__footprints_find_geometry(taco_footprints *f, const taco_cursor *p,
                                             const char *asked)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid",
                                        "istac:centroid"}; /* spec 7.2.2 */
    size_t                   i, k, found = TACO__NONE;
    taco_bytes               name = taco__bytes_text(asked);
    const char              *l;
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
/* Names what is read, copied: the cursor they are of ends. Who asks for a geometry column gets that and no other. */
TACO__FN bool taco__footprints_find_roles(taco_footprints *f, const taco_cursor *p,
                                          const char *asked)
{
    size_t i;
    f->name[TACO__FOOTPRINTS_VSI] = TACO__GDAL_VSI;
    i = taco__cursor_column_find_unprefixed(p->fields, p->count, "type", false);
    f->name[TACO__FOOTPRINTS_TYPE] = i == TACO__NONE ? NULL : p->fields[i].name;
    if (!asked) {
        taco__footprints_find_grid(f, p);
    }
    if (!taco__footprints_find_geometry(f, p, asked)) {
        return false;
    }
    for (i = 0; i < TACO__FOOTPRINTS_ROLES; i++) {
        if (f->name[i]) {
            f->name[i] = taco__arena_text(&f->arena, taco__bytes_text(f->name[i]), &f->err);
            if (!f->name[i]) {
                return false;
            }
        }
    }
    return true;
}
/* What is read: the columns that were asked for, then those of the roles. NULL reads all of them. */
TACO__FN bool taco__footprints_list_columns(taco_footprints *f, const taco_cursor *p,
                                            const char *select, taco__buf *list)
{
    size_t i = taco__cursor_column_find_unprefixed(p->fields, p->count, "id", false);
    bool   ok = true;
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
TACO__FN bool taco__footprints_place_columns(taco_footprints *f, bool all)
{
    taco_batch none;
    size_t     i, helpers = 0;
    for (i = 0; i < TACO__FOOTPRINTS_ROLES; i++) {
        f->at[i] = f->name[i] ? taco__cursor_column_find(f->rows, f->name[i]) : TACO__NONE;
        helpers += f->name[i] != NULL;
    }
    f->shown = all ? f->rows->count : f->rows->count - helpers;
    f->hidden =
        (bool *)taco__arena_array(&f->arena, f->rows->count + 1, sizeof *f->hidden, &f->err);
    if (!f->hidden) {
        return false;
    }
    for (i = 0; i < f->shown; i++) {
        const char *l = f->rows->fields[i].name;
        bool        clash = strcmp(l, "location") == 0;
        f->clash = f->clash || clash;
        f->hidden[i] =
            clash ||
            (all && (i == f->at[TACO__FOOTPRINTS_VSI] || i == f->at[TACO__FOOTPRINTS_GEOMETRY]));
    }
    memset(&none, 0, sizeof none);
    for (i = 0; i < f->shown; i++) { /* as a row without values would have them */
        f->rows->arrays[i].field = &f->rows->fields[i];
    }
    none.columns = f->rows->arrays;
    none.column_count = f->shown;
    return taco__cell_names_init(&f->names, f->mem, &none, &f->err);
}

/* ---- geometries as JSON --------------------------------------------------------------------------- */

TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err)
{
    if (!taco__buf_reserve(b, TACO__CELL_SIZE, err)) {
        return false;
    }
    b->len += taco__num_format_f64((char *)b->data + b->len, x);
    return true;
}
TACO__FN bool taco__geojson_write_point(taco__buf *b, double x, double y, taco_error *err)
{
    return taco__buf_append_char(b, '[', err) && taco__geojson_write_number(b, x, err) &&
           taco__buf_append_char(b, ',', err) && taco__geojson_write_number(b, y, err) &&
           taco__buf_append_char(b, ']', err);
}
TACO__FN bool taco__geojson_is_finite(double x)
{
    return x - x == 0;
}
TACO__FN double taco__geojson_x_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride, run->big);
}
TACO__FN double taco__geojson_y_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
}
/* RFC 7946 §3.1.6: shells go counterclockwise, holes clockwise. The area is taken relative to the first corner. */
TACO__FN bool taco__geojson_is_backwards(const taco__wkb_item *ring)
{
    double x0 = taco__geojson_x_of(ring, 0), y0 = taco__geojson_y_of(ring, 0), area = 0;
    size_t i;
    for (i = 1; i + 1 < ring->n; i++) {
        area += (taco__geojson_x_of(ring, i) - x0) * (taco__geojson_y_of(ring, i + 1) - y0) -
                (taco__geojson_x_of(ring, i + 1) - x0) * (taco__geojson_y_of(ring, i) - y0);
    }
    return ring->index == 0 ? area < 0 : area > 0;
}
/* The positions of a run: of a Point one, of all others a list. *finite is cleared where one cannot be written. */
TACO__FN bool taco__geojson_write_run(taco__buf *b, const taco__wkb_item *run, bool *finite,
                                      taco_error *err)
{
    bool   back = run->type == TACO__WKB_POLYGON && taco__geojson_is_backwards(run);
    bool   ok = run->type == TACO__WKB_POINT || taco__buf_append_char(b, '[', err);
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
TACO__FN bool taco__geojson_is_empty_point(const taco__wkb_item *run)
{
    double x = run->n ? taco__geojson_x_of(run, 0) : 0, y = run->n ? taco__geojson_y_of(run, 0) : 0;
    return run->n == 0 || (run->type == TACO__WKB_POINT && x != x && y != y);
}
typedef struct taco__geojson_level { /* of a geometry that is being written */
    size_t mark;                     /* of the text, in front of it */
    size_t parts;                    /* that were written */
} taco__geojson_level;

/* Members of a MultiX are bare coordinates; all others are objects. */
TACO__FN bool taco__geojson_is_bare(const taco__wkb_reader *w, size_t depth)
{
    return depth > 1 && w->frame[depth - 2].type != TACO__WKB_COLLECTION;
}
TACO__FN bool taco__geojson_begin(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                  taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth;
    bool   ok = true;
    levels[d - 1].mark = b->len;
    levels[d - 1].parts = 0;
    if (d > 1 && levels[d - 2].parts++ > 0) {
        ok = taco__buf_append_char(b, ',', err);
    }
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
TACO__FN bool taco__geojson_end(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth + 1; /* the walk has left it */
    bool   bare = d > 1 && w->frame[d - 2].type != TACO__WKB_COLLECTION, ok = true;
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
/* Writes WKB as a GeoJSON geometry in x and y; null where it is empty or, *finite false, cannot be written. */
TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err)
{
    taco__wkb_reader    w;
    taco__wkb_item      item;
    taco__geojson_level levels[TACO__WKB_MAX_DEPTH];
    size_t              begin = b->len;
    bool                ok = true;
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
            if (levels[w.depth - 1].parts++ > 0) {
                ok = taco__buf_append_char(b, ',', err);
            }
            ok = ok && taco__geojson_write_run(b, &item, finite, err);
        }
    }
    if (!ok || item.what != TACO__WKB_DONE) {
        return false;
    }
    if (*empty || !*finite) {
        b->len = begin;
        return taco__buf_append_text(b, "null", err);
    }
    return true;
}
/* A ring around corners, counterclockwise, as it stands in the coordinates of a Polygon. */
TACO__FN bool taco__geojson_write_polygon(taco__buf *b, const double xy[8], taco_error *err)
{
    double area = (xy[4] - xy[0]) * (xy[7] - xy[3]) - (xy[6] - xy[2]) * (xy[5] - xy[1]);
    size_t i;
    bool   ok = taco__buf_append_text(b, "[[", err);
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

/* ---- tiles ---------------------------------------------------------------------------------------- */

typedef struct taco__footprints_tile {
    double     xy[8];    /* corners, around */
    double     pixel[2]; /* size of one */
    bool       rotated;
    taco_bytes crs;
} taco__footprints_tile;

/* The four corners of a row's tile, from GDAL's geotransform and the last two sizes of the shape. False where it has none. */
TACO__FN bool taco__footprints_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                           taco__footprints_tile *t)
{
    const taco_array *gt, *shape, *crs;
    double            g[6], size[2];
    size_t            k, first;
    if (f->at[TACO__FOOTPRINTS_TRANSFORM] == TACO__NONE) {
        return false;
    }
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
        if (!taco_array_valid(shape->children, first + k) || !(size[k] > 0)) {
            return false;
        }
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
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) {
            return false;
        }
    }
    return a.len == b.len;
}
TACO__FN bool taco__footprints_is_degrees(taco_bytes crs)
{
    return taco__footprints_same_crs(crs, taco__bytes_text("EPSG:4326")) ||
           taco__footprints_same_crs(crs, taco__bytes_text("OGC:CRS84"));
}
/* A tile in degrees. Longitudes are brought to -180..180; what crosses the antimeridian becomes two polygons, one on
   either side (RFC 7946 §3.1.9). Rotated tiles stay as they are. */
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

/* ---- features ------------------------------------------------------------------------------------- */

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
TACO__FN bool taco__footprints_add_geometry(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco__footprints_tile t;
    taco_bytes            wkb, crs;
    bool                  finite, empty;
    if (taco__footprints_tile_of_row(f, b, i, &t) && taco__footprints_is_degrees(t.crs)) {
        return taco__geojson_write_tile(&f->geometry, &t, &f->err);
    }
    wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY);
    crs = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY_CRS);
    if (!wkb.len) {
        return taco__buf_append_text(&f->geometry, "null", &f->err);
    }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err)) {
        return taco__footprints_fail(f);
    }
    f->infinite += !finite;
    f->foreign += crs.len && !taco__footprints_is_degrees(crs);
    return true;
}
/* A mosaic has one CRS, that of its first tile. */
TACO__FN bool taco__gti_check_crs(taco_footprints *f, taco_bytes crs, const char *column)
{
    taco_bytes before = taco__bytes_text(f->crs), name = taco__bytes_text(column);
    if (!f->crs) {
        f->crs = taco__arena_text(&f->arena, crs, &f->err);
        return f->crs != NULL;
    }
    if (taco__footprints_same_crs(before, crs)) {
        return true;
    }
    TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "a tile in %q, the tiles before are in %q: a tile index has one CRS, filter by %q, "
               "or name a geometry column of polygons in one CRS",
               &crs, &before, &name);
    return taco__footprints_fail(f);
}
TACO__FN void taco__gti_extend(taco_footprints *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        bool more = k < 2 ? box[k] < f->box[k] : box[k] > f->box[k];
        f->box[k] = f->written == 0 || more ? box[k] : f->box[k];
    }
}
/* GDAL 3.10 leaves a window empty when a tile that only touches its edge comes before the tile that fills it. So in an
   index the tiles lie apart, by a part of a pixel on each side. The extent of the mosaic is told as it is. */
#define TACO__GTI_INSET 1024

/* The footprint of a tile in the CRS of the mosaic; *none where the row has none. */
TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco__footprints_tile t;
    taco_bytes            wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY), crs;
    double                box[4];
    size_t                k;
    bool                  finite, empty;
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
    if (!wkb.len) {
        return true;
    }
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
/* "location" comes first: GDAL takes the type of a column from what it sees first. */
TACO__FN bool taco__footprints_add_properties(taco_footprints *f, const taco_batch *b, size_t row)
{
    taco__buf *out = &f->feature;
    taco_bytes vsi = taco__footprints_cell(f, b, row, TACO__FOOTPRINTS_VSI);
    size_t     i;
    bool       ok = taco__buf_append_text(
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
TACO__FN bool taco__footprints_add_row(taco_footprints *f, const taco_batch *b, size_t i)
{
    taco_bytes type = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_TYPE);
    bool       gti = f->format == TACO_FOOTPRINTS_GTI, none = false, ok;
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

/* ---- the document --------------------------------------------------------------------------------- */

TACO__FN bool taco__gti_begin(taco_footprints *f)
{
    f->begun = true;
    /* GDAL takes an index that begins like GeoJSON for the text itself, not for a file name */
    return (f->format == TACO_FOOTPRINTS_GEOJSON ||
            taco__buf_append_text(&f->text, "<GDALTileIndexDataset>\n<IndexDataset>", &f->err)) &&
           taco__buf_append_text(&f->text, "{\"type\":\"FeatureCollection\",\"features\":[",
                                 &f->err);
}
TACO__FN bool taco__gti_write_element(taco_footprints *f, const char *name, double x)
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
    size_t                   k;
    bool                     ok = taco__buf_append_text(&f->text, "\n]}", &f->err);
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
TACO_API bool taco_footprints_next(taco_footprints *f, taco_bytes *text)
{
    taco_batch batch;
    size_t     i;
    *text = taco__bytes_of(NULL, 0);
    if (!f || f->ended || f->err.code != TACO_OK) {
        return false;
    }
    f->text.len = 0;
    if (!f->begun && !taco__gti_begin(f)) {
        return false;
    }
    if (taco_cursor_batch(f->rows, &batch)) {
        for (i = 0; i < batch.length; i++, f->row++) {
            if (!taco__footprints_add_row(f, &batch, i)) {
                return false;
            }
        }
    } else if (f->rows->err.code != TACO_OK) {
        f->err = f->rows->err;
        return false;
    } else {
        f->ended = true;
        if (!taco__gti_end(f)) {
            return false;
        }
    }
    *text = taco__bytes_of(f->text.data, f->text.len);
    return true;
}

/* ---- open and close ------------------------------------------------------------------------------- */

TACO__FN void taco__footprints_warn(taco_footprints *f, uint64_t n, const char *what)
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
    taco__mem  *mem;
    if (!f) {
        return TACO_OK;
    }
    code = f->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) {
        *err = f->err;
    }
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
TACO__FN bool taco__footprints_open(taco_footprints *f, const taco_query *query)
{
    bool         all = !query->select && f->format == TACO_FOOTPRINTS_GEOJSON, ok;
    taco_query   q = *query;
    taco_cursor *probe = taco__select_columns_only(f->ds, &q, &f->err);
    taco__buf    list;
    memset(&list, 0, sizeof list);
    list.mem = f->mem;
    ok = probe && taco__footprints_find_roles(f, probe, q.geometry_column);
    if (probe && !ok) {
        taco__container_fail(&f->ds->stores[0], NULL, &f->err);
    }
    ok = ok && (all || taco__footprints_list_columns(f, probe, q.select, &list));
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
    taco_query       q;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds || (format != TACO_FOOTPRINTS_GEOJSON && format != TACO_FOOTPRINTS_GTI)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                   ds ? "format" : "dataset");
        return NULL;
    }
    f = (taco_footprints *)taco__mem_alloc(&ds->mem, sizeof *f, err);
    if (!f) {
        return NULL;
    }
    f->ds = ds;
    f->mem = f->arena.mem = f->text.mem = f->feature.mem = f->geometry.mem = &ds->mem;
    f->format = format;
    if (!taco__footprints_open(f, &q)) {
        taco_footprints_close(f, err);
        return NULL;
    }
    return f;
}
