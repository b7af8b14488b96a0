/* directory_places.c - grid and times of a FOLDER, from the TIFFs below it

   In: places of its children (taco__dir_place), one after the other; out: stac:crs, tensor_shape,
   geotransform, centroid and stac:time_* of the FOLDER, as far as the children agree. TACO 2.0 §8,
   STAC.

   Children that are not TIFFs, or have no place, do not count. Those with one agree if they have
   the same CRS and their corners are the same to half a pixel of the coarser; the grid is then that
   of the finest, and the shape rows and columns, as bands are those of a file. Times are copied
   from a table about the children. A level whose table says where its FOLDERs are keeps that
   (taco__dir_place_find). Samples whose children disagree are null there; one warning names the
   first of them and counts the others. */
#include "write.h"
#include "../arrow/arrow.h"
#include "../base/base.h"

static const char *const taco__dir_place_times[TACO__DIR_PLACE_TIMES] = {"stac:time_start",
                                                                         "stac:time_end"};

#define TACO__DIR_PLACE_MIDDLE "stac:time_middle"

/* ---- before anything is written ---- */

/* True if a table says where the samples of a level are. */
static bool taco__dir_place_is_given(const taco__from_dir *g, uint32_t level)
{
    static const char *const names[] = {"stac:crs",      "stac:tensor_shape", "stac:geotransform",
                                        "stac:centroid", "istac:geometry",    "istac:centroid"};
    size_t i, table;
    for (i = 0; i < TACO__COUNT(names) && !taco__sample_rows_column(g, level, names[i], &table);
         i++) {}
    return i < TACO__COUNT(names);
}

/* True if the middle of the times is computed for the FOLDERs of a level. */
static bool taco__dir_place_has_middle(const taco__from_dir *g, uint32_t level)
{
    const taco_field *const *t = g->times[level];
    size_t table;
    return !g->how->no_derived && t[0] && t[1] && t[0]->unit == t[1]->unit &&
           !taco__sample_rows_column(g, level, TACO__DIR_PLACE_MIDDLE, &table);
}

/* Decides which columns FOLDERs get, the deepest level first. */
TACO__FN void taco__dir_place_find(taco__from_dir *g)
{
    uint32_t level = TACO__MAX_LEVELS - 1;
    size_t i, k, table;
    while (level-- > 0) {
        if (!g->places[level]) { continue; }
        for (i = 0; i < TACO__FROM_DIR_HEADER && !taco__dir_place_is_given(g, level); i++) {
            g->computed[level][i] = true;
        }
        for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
            const char *name = taco__dir_place_times[k];
            const taco_array *below = taco__sample_rows_column(g, level + 1, name, &table);
            if (taco__sample_rows_column(g, level, name, &table)) { continue; }
            g->times[level][k] = !below                                 ? g->times[level + 1][k]
                                 : below->field->type == TACO_TIMESTAMP ? below->field
                                                                        : NULL;
        }
    }
}

/* Declares the times of a level; its grid is among the columns computed for TIFFs. */
TACO__FN void taco__dir_place_declare(taco__from_dir *g, uint32_t level)
{
    taco_field f;
    size_t k;
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        if (g->times[level][k]) { taco_writer_field(g->w, level, g->times[level][k]); }
    }
    if (taco__dir_place_has_middle(g, level)) {
        f = *g->times[level][0];
        f.name = TACO__DIR_PLACE_MIDDLE;
        taco_writer_field(g->w, level, &f);
    }
}

/* ---- children ---- */

/* The place of a TIFF, which has one. */
TACO__FN void taco__dir_place_of_tiff(taco__dir_place *p, const taco_stac *s)
{
    const size_t n = strlen(s->crs);
    if (n >= sizeof p->crs) { return; }
    memcpy(p->crs, s->crs, n + 1);
    memcpy(p->transform, s->geotransform, sizeof p->transform);
    memcpy(p->shape, s->shape + s->dimensions - 2, sizeof p->shape);
}

/* The times of a child, from its row. */
TACO__FN void taco__dir_place_of_row(const taco__from_dir *g, uint32_t level,
                                     const taco__dir_scan_entry *e, taco__dir_place *p)
{
    size_t k, table = 0;
    const size_t row = (size_t)(e->row & UINT32_MAX);
    for (k = 0; e->row != TACO__SAMPLE_ROWS_NONE && k < TACO__DIR_PLACE_TIMES; k++) {
        const taco_array *a = taco__sample_rows_column(g, level, taco__dir_place_times[k], &table);
        if (a && a->field->type == TACO_TIMESTAMP && e->row >> 32 == table &&
            taco_array_valid(a, row)) {
            p->time[k] = taco_array_int(a, row);
            p->timed[k] = e->name;
            p->times_differ[k] = false;
        }
    }
}

/* A corner of a grid: where `column` and `row`, 0 or 1, are its sides. */
static void taco__dir_place_corner(const taco__dir_place *p, int column, int row, double out[2])
{
    const double c = column ? (double)p->shape[1] : 0, r = row ? (double)p->shape[0] : 0;
    const double *t = p->transform;
    out[0] = t[0] + c * t[1] + r * t[2];
    out[1] = t[3] + c * t[4] + r * t[5];
}

static double taco__dir_place_size(double x)
{
    return x < 0 ? -x : x;
}

/* Width and height of the box around a pixel, the larger one. */
static double taco__dir_place_pixel(const taco__dir_place *p)
{
    const double *t = p->transform;
    double x = taco__dir_place_size(t[1]) + taco__dir_place_size(t[2]),
           y = taco__dir_place_size(t[4]) + taco__dir_place_size(t[5]);
    return x > y ? x : y;
}

/* True if two grids have one CRS and cover one area, to half a pixel of the coarser. */
static bool taco__dir_place_same(const taco__dir_place *a, const taco__dir_place *b)
{
    const double x = taco__dir_place_pixel(a), y = taco__dir_place_pixel(b);
    const double most = (x > y ? x : y) * 0.5000001;
    double p[2], q[2];
    int i;
    for (i = 0; i < 3; i++) { /* three corners fix a grid */
        taco__dir_place_corner(a, i != 0, i == 2, p);
        taco__dir_place_corner(b, i != 0, i == 2, q);
        if (!(taco__dir_place_size(p[0] - q[0]) <= most &&
              taco__dir_place_size(p[1] - q[1]) <= most)) {
            return false;
        }
    }
    return strcmp(a->crs, b->crs) == 0;
}

/* Adds the grid of a child. */
static void taco__dir_place_add_grid(taco__dir_place *p, const taco__dir_place *child,
                                     const char *name)
{
    p->differs = p->differs || child->differs;
    if (!child->crs[0] || p->differs) { return; }
    if (!p->crs[0]) {
        memcpy(p->crs, child->crs, sizeof p->crs);
        memcpy(p->transform, child->transform, sizeof p->transform);
        memcpy(p->shape, child->shape, sizeof p->shape);
        p->name = name;
        return;
    }
    if (!taco__dir_place_same(p, child)) {
        p->differs = true;
        p->other = name;
        memcpy(p->other_crs, child->crs, sizeof p->other_crs);
        return;
    }
    if (child->shape[0] > p->shape[0]) { /* finer */
        memcpy(p->transform, child->transform, sizeof p->transform);
        memcpy(p->shape, child->shape, sizeof p->shape);
    }
}

/* Adds what a child says about the FOLDER it is in. */
TACO__FN void taco__dir_place_add(taco__dir_place *p, const taco__dir_place *child,
                                  const char *name)
{
    size_t k;
    taco__dir_place_add_grid(p, child, name);
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        p->times_differ[k] = p->times_differ[k] || child->times_differ[k];
        if (!child->timed[k] || p->times_differ[k]) { continue; }
        if (!p->timed[k]) {
            p->timed[k] = name;
            p->time[k] = child->time[k];
        } else if (p->time[k] != child->time[k]) {
            p->times_differ[k] = true;
            p->other_time[k] = name;
        }
    }
}

/* ---- the FOLDER ---- */

/* The place as a raster, which points into p; false if there is none. */
TACO__FN bool taco__dir_place_stac(const taco__from_dir *g, const taco__dir_place *p,
                                   taco_stac *out)
{
    memset(out, 0, sizeof *out);
    out->lonlat = g->how->lonlat;
    out->lonlat_ctx = g->how->lonlat_ctx;
    if (!p->crs[0] || p->differs) { return false; }
    out->crs = p->crs;
    out->shape = p->shape;
    out->dimensions = 2;
    memcpy(out->geotransform, p->transform, sizeof out->geotransform);
    return true;
}

/* Describes the first sample whose children disagree, and counts the others. */
static bool taco__dir_place_doubt_add(taco__from_dir *g, size_t dir, const taco__dir_scan_entry *e,
                                      const taco__dir_place *p, size_t kind)
{
    taco__dir_place_doubt *d = &g->doubts[kind];
    const char *path;
    if (d->count++) { return true; }
    path = taco__dir_scan_path(g, dir, e->name);
    d->first = path ? (taco_error *)taco__arena_alloc(&g->arena, sizeof *d->first, g->err) : NULL;
    if (!d->first) { return false; }
    path += g->root;
    if (kind) {
        TACO__FAIL(d->first, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "sample '%s' has no %s: those of '%s' and '%s' differ", path,
                   taco__dir_place_times[kind - 1], p->timed[kind - 1], p->other_time[kind - 1]);
    } else if (strcmp(p->crs, p->other_crs) != 0) {
        TACO__FAIL(d->first, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "sample '%s' has no place: '%s' is in %s, '%s' in %s", path, p->name, p->crs,
                   p->other, p->other_crs);
    } else {
        TACO__FAIL(d->first, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "sample '%s' has no place: '%s' and '%s' cover different areas", path, p->name,
                   p->other);
    }
    return true;
}

/* Sets the times of the FOLDER that has just ended. */
static void taco__dir_place_set_times(taco__from_dir *g, uint32_t level, const taco__dir_place *p)
{
    bool has[TACO__DIR_PLACE_TIMES];
    size_t k;
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        has[k] = p->timed[k] && !p->times_differ[k];
        if (!g->times[level][k]) { continue; }
        has[k] ? taco_writer_set_int(g->w, taco__dir_place_times[k], p->time[k])
               : taco_writer_set_null(g->w, taco__dir_place_times[k]);
    }
    if (taco__dir_place_has_middle(g, level)) {
        has[0] && has[1] ? taco_writer_set_int(g->w, TACO__DIR_PLACE_MIDDLE,
                                               taco__extension_middle(p->time[0], p->time[1]))
                         : taco_writer_set_null(g->w, TACO__DIR_PLACE_MIDDLE);
    }
}

/* Sets grid and times of the FOLDER that has just ended. */
TACO__FN bool taco__dir_place_set(taco__from_dir *g, uint32_t level, size_t dir,
                                  const taco__dir_scan_entry *e, const taco__dir_place *p)
{
    taco_stac s;
    size_t k;
    bool ok = true;
    const bool placed = taco__dir_place_stac(g, p, &s);
    taco__dir_values_set_place(g, level, &s, placed, NULL);
    if (g->computed[level][TACO__FROM_DIR_HEADER]) {
        taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER]);
    }
    taco__dir_place_set_times(g, level, p);
    if (p->other && g->computed[level][TACO__FROM_DIR_CRS]) {
        ok = taco__dir_place_doubt_add(g, dir, e, p, 0);
    }
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        if (p->other_time[k] && g->times[level][k]) {
            ok = ok && taco__dir_place_doubt_add(g, dir, e, p, k + 1);
        }
    }
    return ok && g->err->code == TACO_OK;
}

/* Warns of samples whose children disagree. */
TACO__FN void taco__dir_place_warn(const taco__from_dir *g)
{
    size_t k;
    for (k = 0; g->options.warn && k < TACO__COUNT(g->doubts); k++) {
        const taco__dir_place_doubt *d = &g->doubts[k];
        taco_error all = {0, TACO_OK, 0, {0}};
        if (d->count == 0) { continue; }
        if (d->count == 1) {
            all = *d->first;
        } else {
            TACO__FAIL(&all, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s; likewise %u more",
                       d->first->text, TACO__U(d->count - 1));
        }
        g->options.warn(g->options.warn_ctx, &all);
    }
}
