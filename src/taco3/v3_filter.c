/* v3_filter.c - boxes and periods on the columns of all drafts of TACO 3

   In: a table, and a box or a period. Out: a condition. Columns are found by the part of their name
   after the ':', and by type, since drafts name them differently: geometry, bbox, a grid
   (proj_code, proj_shape, proj_transform; before 0.11 crs, tensor_shape and geotransform in GDAL's
   order), centroid (a struct, before 0.12 WKB); datetime, start_datetime and end_datetime (before
   0.11 time_start and time_end).

   Drafts before 0.11 have geometries in the CRS of the row, which src/dataset/box_in_crs.c compares
   where it knows the projection.

   A box is tested with what a row has: its exact geometry, else its bbox, else the outline of its
   grid if that is in degrees, else its centre. A period matches an instant inside it, or a range
   that overlaps it. Start reading at taco__v3_filter_bbox and taco__v3_filter_time. */
#include "v3.h"
#include "../geo/geo.h"

/* ---- columns ---- */

/* The first column of one of the names, and of the type; TACO__NONE. */
static size_t taco__v3_filter_find(const taco__table *t, const char *name, const char *older,
                                   taco_type type, taco_type element)
{
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        const char *colon = strchr(t->fields[i].name, ':');
        const taco_field *f = &t->fields[i];
        if (colon && colon[1] != ':' && f->type == type &&
            (strcmp(colon + 1, name) == 0 || (older && strcmp(colon + 1, older) == 0)) &&
            (type != TACO_LIST || f->children[0].type == element)) {
            return i;
        }
    }
    return TACO__NONE;
}

/* ---- conditions ---- */

/* column IS NULL, or with neg IS NOT NULL. */
static taco__expr *taco__v3_filter_is_null(taco__arena *arena, size_t column, bool neg,
                                           taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_IS, 0, err);
    taco__expr *c = e ? taco__expr_column(arena, column, err) : NULL;
    if (!c) { return NULL; }
    e->is = TACO__IS_NULL;
    e->neg = neg;
    taco__expr_append_child(e, c);
    return e;
}

/* a OR b; NULL if one of them is. */
static taco__expr *taco__v3_filter_or(taco__arena *arena, taco__expr *a, taco__expr *b,
                                      taco_error *err)
{
    taco__expr *e = a && b ? taco__expr_make(arena, TACO__PRED_OR, 0, err) : NULL;
    if (e) {
        taco__expr_append_child(e, a);
        taco__expr_append_child(e, b);
    }
    return e;
}

/* a AND b; NULL if one of them is. */
static taco__expr *taco__v3_filter_and(taco__arena *arena, taco__expr *a, taco__expr *b,
                                       taco_error *err)
{
    return a && b ? taco__expr_and(arena, a, b, err) : NULL;
}

/* ---- boxes ---- */

/* Whether a box of a row meets the query's; that of a row may cross the antimeridian (w > e). */
static bool taco__v3_filter_meets(const taco__query_box *q, double w, double s, double e, double n)
{
    size_t k;
    for (k = 0; k < q->n; k++) {
        const double *x = q->edge[k];
        if (s <= x[3] && n >= x[1] && (w <= e ? w <= x[2] && e >= x[0] : x[2] >= w || x[0] <= e)) {
            return true;
        }
    }
    return false;
}

/* The n items of a list of row i, at the end of the list; false: it is null, has fewer, or a null
   among them. */
static bool taco__v3_filter_items(const taco_array *a, size_t i, size_t n, size_t *at)
{
    size_t from, to, k;
    if (!taco_array_valid(a, i)) { return false; }
    from = (size_t)a->offsets[i];
    to = (size_t)a->offsets[i + 1];
    if (to - from < n) { return false; }
    *at = to - n;
    for (k = 0; k < n; k++) {
        if (!taco_array_valid(&a->children[0], *at + k)) { return false; }
    }
    return true;
}

/* [west, south, east, north] */
static bool taco__v3_filter_test_list(void *ctx, const taco_array *a, size_t rows,
                                      uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *q = (const taco__query_box *)ctx;
    size_t i, at, k;
    double x[4];
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco__v3_filter_items(a, i, 4, &at)) { continue; }
        for (k = 0; k < 4; k++) {
            x[k] = taco_array_double(&a->children[0], at + k);
        }
        if (taco__v3_filter_meets(q, x[0], x[1], x[2], x[3])) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* struct<lon, lat> */
static bool taco__v3_filter_test_struct(void *ctx, const taco_array *a, size_t rows,
                                        uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *q = (const taco__query_box *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double x, y;
        if (!taco_array_valid(a, i) || !taco_array_valid(&a->children[0], i) ||
            !taco_array_valid(&a->children[1], i)) {
            continue;
        }
        x = taco_array_double(&a->children[0], i);
        y = taco_array_double(&a->children[1], i);
        if (taco__v3_filter_meets(q, x, y, x, y)) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* A grid in degrees: its box and its transform. */
typedef struct taco__v3_grid {
    taco__query_box box;
    bool gdal; /* the order of the transform: x0, dx, rx, y0, ry, dy, not dx, rx, x0, ry, dy, y0 */
} taco__v3_grid;

/* The outline of an upright grid is a box, of another one a polygon, whose box is tested and then
   whose corners decide nothing more: grids in degrees are upright. */
static bool taco__v3_filter_test_grid(void *ctx, const taco_array *a, const taco_array *shape,
                                      size_t rows, taco__mem *mem, uint8_t *true_bits,
                                      uint8_t *valid_bits, taco_error *err)
{
    static const size_t order[2][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}};
    const taco__v3_grid *g = (const taco__v3_grid *)ctx;
    size_t i, k, at, sizes;
    (void)mem;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double t[6], w, h, x[4], y[4], box[4];
        if (!taco__v3_filter_items(a, i, 6, &at) || !taco__v3_filter_items(shape, i, 2, &sizes)) {
            continue;
        }
        for (k = 0; k < 6; k++) {
            t[k] = taco_array_double(&a->children[0], at + order[g->gdal][k]);
        }
        h = taco_array_double(&shape->children[0], sizes);
        w = taco_array_double(&shape->children[0], sizes + 1);
        for (k = 0; k < 4; k++) {
            double col = k & 1 ? w : 0, row = k & 2 ? h : 0;
            x[k] = t[0] * col + t[1] * row + t[2];
            y[k] = t[3] * col + t[4] * row + t[5];
        }
        box[0] = box[2] = x[0];
        box[1] = box[3] = y[0];
        for (k = 1; k < 4; k++) {
            box[0] = TACO__MIN(box[0], x[k]);
            box[1] = TACO__MIN(box[1], y[k]);
            box[2] = TACO__MAX(box[2], x[k]);
            box[3] = TACO__MAX(box[3], y[k]);
        }
        if (taco__v3_filter_meets(&g->box, box[0], box[1], box[2], box[3])) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* What a table has of footprints; TACO__NONE: it has no such column. */
typedef struct taco__v3_footprint {
    size_t geometry, crs, bbox, code, shape, transform, centre;
    bool gdal;
} taco__v3_footprint;

/* Finds the columns. The code of a grid and the CRS of an old geometry may be the same column. */
static void taco__v3_filter_find_footprint(const taco__table *t, taco__v3_footprint *p)
{
    p->geometry = taco__v3_filter_find(t, "geometry", NULL, TACO_BINARY, TACO_NULL);
    p->bbox = taco__v3_filter_find(t, "bbox", NULL, TACO_LIST, TACO_DOUBLE);
    p->crs = taco__v3_filter_find(t, "crs", NULL, TACO_TEXT, TACO_NULL);
    p->code = taco__v3_filter_find(t, "proj_code", "crs", TACO_TEXT, TACO_NULL);
    p->shape = taco__v3_filter_find(t, "proj_shape", "tensor_shape", TACO_LIST, TACO_INT64);
    p->transform = taco__v3_filter_find(t, "proj_transform", NULL, TACO_LIST, TACO_DOUBLE);
    p->gdal = p->transform == TACO__NONE;
    if (p->gdal) {
        p->transform = taco__v3_filter_find(t, "geotransform", NULL, TACO_LIST, TACO_DOUBLE);
    }
    p->centre = taco__v3_filter_find(t, "centroid", NULL, TACO_STRUCT, TACO_NULL);
    if (p->centre == TACO__NONE || t->fields[p->centre].child_count != 2) {
        p->centre = taco__v3_filter_find(t, "centroid", NULL, TACO_BINARY, TACO_NULL);
    }
}

/* The grid is in degrees, and its outline meets the box. */
static taco__expr *taco__v3_filter_grid(taco__arena *arena, const taco__v3_footprint *p,
                                        const taco__query_box *box, taco_error *err)
{
    taco__custom_predicate custom;
    taco__v3_grid *g = (taco__v3_grid *)taco__arena_alloc(arena, sizeof *g, err);
    if (!g) { return NULL; }
    g->box = *box;
    g->gdal = p->gdal;
    memset(&custom, 0, sizeof custom);
    custom.ctx = g;
    custom.with = p->shape;
    custom.eval_with = taco__v3_filter_test_grid;
    return taco__expr_custom(arena, p->transform, &custom, err);
}

/* The code of a grid is one of degrees in the order longitude, latitude. */
static taco__expr *taco__v3_filter_degrees(taco__arena *arena, size_t code, taco_error *err)
{
    return taco__v3_filter_or(
        arena, taco__expr_equals(arena, code, taco__bytes_text("EPSG:4326"), err),
        taco__expr_equals(arena, code, taco__bytes_text("OGC:CRS84"), err), err);
}

/* A test of one column, called with the box. */
static taco__expr *taco__v3_filter_custom(taco__arena *arena, size_t column, taco__query_box *box,
                                          bool (*eval)(void *, const taco_array *, size_t,
                                                       uint8_t *, uint8_t *, taco_error *),
                                          taco_error *err)
{
    taco__custom_predicate custom;
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = eval;
    if (eval == taco__query_box_test) { custom.prune = taco__query_box_prune; }
    return taco__expr_custom(arena, column, &custom, err);
}

/* The geometry meets the box. Before 0.11 it is in the CRS of its row. */
static taco__expr *taco__v3_filter_geometry(taco__arena *arena, const taco__v3_footprint *p,
                                            taco__query_box *box, taco_error *err)
{
    taco__custom_predicate custom;
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    if (p->crs == TACO__NONE) {
        return taco__v3_filter_custom(arena, p->geometry, box, taco__query_box_test, err);
    }
    custom.with = p->crs;
    custom.eval_with = taco__box_in_crs_test;
    custom.prune_with = taco__box_in_crs_prune;
    return taco__expr_custom(arena, p->geometry, &custom, err);
}

/* From the least exact to the most exact: e becomes "has it ? meets : e". */
static taco__expr *taco__v3_filter_either(taco__arena *arena, size_t column, taco__expr *meets,
                                          taco__expr *e, taco_error *err)
{
    return taco__v3_filter_or(
        arena,
        taco__v3_filter_and(arena, taco__v3_filter_is_null(arena, column, true, err), meets, err),
        taco__v3_filter_and(arena, taco__v3_filter_is_null(arena, column, false, err), e, err),
        err);
}

/* The whole condition, built from the least exact column to the most exact: at last it reads "has a
   geometry ? it meets : has a bbox ? that meets : the grid is in degrees ? its outline meets : the
   centre is inside". Columns that a table lacks leave out their step. */
static taco__expr *taco__v3_filter_footprint(taco__arena *arena, const taco__table *t,
                                             const taco__v3_footprint *p, taco__query_box *box,
                                             taco_error *err)
{
    bool grid = p->code != TACO__NONE && p->shape != TACO__NONE && p->transform != TACO__NONE;
    taco__expr *e = taco__expr_const(arena, taco__expr_bool_value(0), err), *degrees, *other;
    if (p->centre != TACO__NONE) {
        e = taco__v3_filter_custom(arena, p->centre, box,
                                   t->fields[p->centre].type == TACO_STRUCT
                                       ? taco__v3_filter_test_struct
                                       : taco__query_box_test,
                                   err);
    }
    if (grid) {
        degrees = taco__v3_filter_degrees(arena, p->code, err);
        other = degrees ? taco__expr_make(arena, TACO__PRED_NOT, 0, err) : NULL;
        if (!other) { return NULL; }
        taco__expr_append_child(other, taco__v3_filter_degrees(arena, p->code, err));
        other = taco__v3_filter_or(arena, other,
                                   taco__v3_filter_is_null(arena, p->code, false, err), err);
        e = taco__v3_filter_or(
            arena,
            taco__v3_filter_and(arena, degrees, taco__v3_filter_grid(arena, p, box, err), err),
            taco__v3_filter_and(arena, other, e, err), err);
    }
    if (p->bbox != TACO__NONE) {
        e = taco__v3_filter_either(
            arena, p->bbox,
            taco__v3_filter_custom(arena, p->bbox, box, taco__v3_filter_test_list, err), e, err);
    }
    if (p->geometry != TACO__NONE) {
        e = taco__v3_filter_either(arena, p->geometry, taco__v3_filter_geometry(arena, p, box, err),
                                   e, err);
    }
    return e;
}

/* taco_opener.bbox. */
TACO__FN taco__expr *taco__v3_filter_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    taco__v3_footprint p;
    taco__query_box *box;
    if (f->geometry_column) { return taco__query_add_bbox(arena, t, f, NULL, err); }
    taco__v3_filter_find_footprint(t, &p);
    if (p.geometry == TACO__NONE && p.bbox == TACO__NONE && p.centre == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column to filter by bbox: none named geometry, bbox or centroid");
        return NULL;
    }
    box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (!box || taco__intersect_split_box(f->bbox, box->edge, &box->n, err) != TACO_OK) {
        return NULL;
    }
    return taco__v3_filter_footprint(arena, t, &p, box, err);
}

/* ---- periods ---- */

/* The column is in [from, to); NULL: no such bound. */
static taco__expr *taco__v3_filter_range(taco__arena *arena, const taco__table *t, size_t column,
                                         const int64_t *from, const int64_t *to, taco_error *err)
{
    taco_unit unit = t->fields[column].unit;
    return taco__expr_range_i64(arena, column, from ? taco__query_time_in_unit(*from, unit) : 0,
                                from != NULL, to ? taco__query_time_in_unit(*to, unit) : 0,
                                to != NULL, err);
}

/* taco_opener.time: an instant in the period, or a range that overlaps it. A range without an end
   is its start. */
TACO__FN taco__expr *taco__v3_filter_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    size_t at = taco__v3_filter_find(t, "datetime", NULL, TACO_TIMESTAMP, TACO_NULL);
    size_t start =
        taco__v3_filter_find(t, "start_datetime", "time_start", TACO_TIMESTAMP, TACO_NULL);
    size_t end = taco__v3_filter_find(t, "end_datetime", "time_end", TACO_TIMESTAMP, TACO_NULL);
    taco__query_period *p;
    taco__expr *e = NULL, *range, *ends;
    if (f->time_column) { return taco__query_add_time(arena, t, f, err); }
    if (at == TACO__NONE && start == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column to filter by time: none named datetime, start_datetime or "
                   "time_start");
        return NULL;
    }
    p = taco__query_parse_period(arena, f, err);
    if (!p) { return NULL; }
    if (at != TACO__NONE) {
        e = taco__v3_filter_range(arena, t, at, &p->from, &p->to, err);
        if (!e || start == TACO__NONE) { return e; }
    }
    if (end == TACO__NONE) {
        range = taco__v3_filter_range(arena, t, start, &p->from, &p->to, err);
    } else {
        ends = taco__v3_filter_or(
            arena, taco__v3_filter_range(arena, t, end, &p->from, NULL, err),
            taco__v3_filter_and(arena, taco__v3_filter_is_null(arena, end, false, err),
                                taco__v3_filter_range(arena, t, start, &p->from, NULL, err), err),
            err);
        range = taco__v3_filter_and(
            arena, taco__v3_filter_range(arena, t, start, NULL, &p->to, err), ends, err);
    }
    return e ? taco__v3_filter_or(arena, e, range, err) : range;
}
