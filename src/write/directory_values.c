/* directory_values.c - values of a sample: from its row, its TIFF header, its position

   In: an entry of a directory and its row in the tables; out: its columns set through the public
   writer: those of the row, stac: columns and taco:header from a TIFF (src/tiff), majortom:code
   and spatialgroup:code from its point. TACO 2.0 §8.

   A column is computed only if no table has it. For a TIFF whose position is unknown the columns
   are null, with a warning; a TIFF that is not a TACOTIFF is an error if taco:header is
   requested. */
#include "write.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"

/* ---- TIFFs ---- */

/* True for files named *.tif or *.tiff, in lower or upper case. */
static bool taco__dir_values_is_tiff(const taco__dir_scan_entry *e)
{
    return !e->folder && (taco__sample_table_has_suffix(e->name, ".tif") ||
                          taco__sample_table_has_suffix(e->name, ".tiff") ||
                          taco__sample_table_has_suffix(e->name, ".TIF") ||
                          taco__sample_table_has_suffix(e->name, ".TIFF"));
}

/* Finds which levels have TIFFs, and FOLDERs with TIFFs below them, from the first sample, since
   all are alike (PIT-1). */
TACO__FN bool taco__dir_values_find_tiffs(taco__from_dir *g, size_t dir,
                                          const taco__dir_scan_entry *e, uint32_t level)
{
    taco__dir_scan_list l;
    size_t i, below;
    bool ok = true;
    g->tiff[level] = g->tiff[level] || taco__dir_values_is_tiff(e);
    if (!e->folder || level + 1 >= TACO__MAX_LEVELS) { return true; }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) { return false; }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_values_find_tiffs(g, below, &l.entries[i], level + 1);
    }
    g->places[level] = g->how->tiff && (g->tiff[level + 1] || g->places[level + 1]);
    taco__dir_scan_free(&l);
    return ok;
}

/* Opens the header of a TIFF; NULL on failure. */
static taco_tiff *taco__dir_values_open_tiff(taco__from_dir *g, const char *path, taco_error *err)
{
    taco_source src;
    taco_tiff *t = NULL;
    if (taco__source_open_path(&g->options, path, &src, err)) {
        t = taco_tiff_open(&src, path, &g->options, err);
        if (src.close) { src.close(src.ctx); }
    }
    return t;
}

/* Warns of a value that stays null, and why. */
static void taco__dir_values_warn(const taco__from_dir *g, const taco_error *why)
{
    if (g->options.warn && why->code != TACO_OK) { g->options.warn(g->options.warn_ctx, why); }
}

/* Sets the computed columns of a place: of `s` if `placed`, else null except for its shape, which
   may be NULL. *why is the reason for a centroid that stays null. */
TACO__FN void taco__dir_values_set_place(taco__from_dir *g, uint32_t level, const taco_stac *s,
                                         bool placed, taco_error *why)
{
    const bool *has = g->computed[level];
    const char *const *names = taco__from_dir_column_names;
    double xy[2];
    uint8_t point[TACO__WKB_POINT_BYTES];
    const bool centre = placed && taco_stac_centroid(s, xy, why) == TACO_OK;
    if (has[TACO__FROM_DIR_CRS]) {
        taco_writer_set_text(g->w, names[TACO__FROM_DIR_CRS], placed ? s->crs : NULL);
    }
    if (has[TACO__FROM_DIR_SHAPE]) {
        s->shape ? taco_writer_set_ints(g->w, names[TACO__FROM_DIR_SHAPE], s->shape, s->dimensions)
                 : taco_writer_set_null(g->w, names[TACO__FROM_DIR_SHAPE]);
    }
    if (has[TACO__FROM_DIR_TRANSFORM]) {
        placed ? taco_writer_set_doubles(g->w, names[TACO__FROM_DIR_TRANSFORM], s->geotransform, 6)
               : taco_writer_set_null(g->w, names[TACO__FROM_DIR_TRANSFORM]);
    }
    if (has[TACO__FROM_DIR_CENTROID]) {
        if (centre) { taco__extension_write_wkb_point(xy, point); }
        centre ? taco_writer_set_bytes(g->w, names[TACO__FROM_DIR_CENTROID], point, sizeof point)
               : taco_writer_set_null(g->w, names[TACO__FROM_DIR_CENTROID]);
    }
}

/* Sets the computed columns of one sample; all null if it is not a TIFF (path NULL). Its place goes
   into *place, if that is not NULL. */
static bool taco__dir_values_set_tiff(taco__from_dir *g, uint32_t level, const char *path,
                                      taco__dir_place *place)
{
    const bool *has = g->computed[level];
    taco_tiff *t = path ? taco__dir_values_open_tiff(g, path, g->err) : NULL;
    taco_stac s;
    taco_error why = {0, TACO_OK, 0, {0}};
    bool placed = t && taco_stac_tiff(t, &s, &why) == TACO_OK;
    taco_bytes header = {NULL, 0};
    if (path && !t) { return false; }
    if (!placed) {
        memset(&s, 0, sizeof s);
        s.shape = t ? taco_tiff_get(t)->shape : NULL;
        s.dimensions = 3;
    }
    s.lonlat = g->how->lonlat;
    s.lonlat_ctx = g->how->lonlat_ctx;
    if (placed && place) { taco__dir_place_of_tiff(place, &s); }
    taco__dir_values_set_place(g, level, &s, placed, &why);
    if (path && has[TACO__FROM_DIR_CRS]) { taco__dir_values_warn(g, &why); }
    if (has[TACO__FROM_DIR_HEADER]) {
        header = t ? taco_tacotiff_header(t, g->err) : header;
        header.data
            ? taco_writer_set_bytes(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER],
                                    header.data, header.len)
            : taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER]);
    }
    taco_tiff_close(t);
    return g->err->code == TACO_OK;
}

/* ---- statistics of pixels ---- */

/* A number in the sample's row, if the table has such a column. */
static bool taco__dir_values_number(const taco__from_dir *g, uint32_t level,
                                    const taco__dir_scan_entry *e, const char *name, double *out)
{
    size_t table = 0;
    const taco_array *a = taco__sample_rows_column(g, level, name, &table);
    const size_t row = (size_t)(e->row & UINT32_MAX);
    if (!a || e->row == TACO__SAMPLE_ROWS_NONE || e->row >> 32 != table ||
        !taco__cursor_column_is_number(a->field) || !taco_array_valid(a, row)) {
        return false;
    }
    *out = taco_array_double(a, row);
    return true;
}

/* Sets geotiff:stats of a sample; path is NULL if it is not a TIFF. */
static bool taco__dir_values_set_stats(taco__from_dir *g, uint32_t level,
                                       const taco__dir_scan_entry *e, const char *path)
{
    taco_pixels pixels;
    taco_error why = {0, TACO_OK, 0, {0}};
    taco_status st;
    memset(&pixels, 0, sizeof pixels);
    if (!path || !g->how->pixels(g->how->pixels_ctx, path, &pixels, &why)) {
        taco__dir_values_warn(g, &why);
        taco_writer_set_null(g->w, "geotiff:stats");
        return true;
    }
    if (g->how->class_count) {
        pixels.classes = g->how->classes;
        pixels.class_count = g->how->class_count;
    }
    if (!taco__dir_values_number(g, level, e, "scaling:scale_factor", &pixels.scale) ||
        !taco__dir_values_number(g, level, e, "scaling:scale_offset", &pixels.offset)) {
        pixels.scale = pixels.offset = 0;
    }
    st = taco_writer_set_stats(g->w, &pixels, g->err);
    if (g->how->pixels_done) { g->how->pixels_done(g->how->pixels_ctx, &pixels); }
    if (st != TACO_OK) { taco__error_prefix(g->err, "%s", path); }
    return st == TACO_OK;
}

/* ---- places of the samples of level 0 ---- */

/* Parses a WKB point; false for other geometries. */
static bool taco__dir_values_parse_wkb_point(taco_bytes wkb, double out[2])
{
    double box[4];
    bool empty = true;
    if (!wkb.len || taco__wkb_bounds(wkb, box, &empty, NULL) != TACO_OK || empty ||
        box[0] < box[2] || box[1] < box[3]) {
        return false; /* not a point */
    }
    out[0] = box[0];
    out[1] = box[1];
    return true;
}

/* The place of an entry by its TIFF header, or by those below it. */
static bool taco__dir_values_read_place(taco__from_dir *g, size_t dir,
                                        const taco__dir_scan_entry *e, uint32_t level,
                                        taco__dir_place *place)
{
    taco__dir_scan_list l;
    taco__dir_place child;
    size_t i, below;
    bool ok = true;
    memset(place, 0, sizeof *place);
    if (!e->folder) {
        const char *path = taco__dir_scan_path(g, dir, e->name);
        taco_tiff *t;
        taco_stac s;
        if (!path || !taco__dir_values_is_tiff(e)) { return path != NULL; }
        t = taco__dir_values_open_tiff(g, path, g->err);
        if (t && taco_stac_tiff(t, &s, NULL) == TACO_OK) { taco__dir_place_of_tiff(place, &s); }
        taco_tiff_close(t);
        return t != NULL;
    }
    if (!g->places[level] || level + 1 >= TACO__MAX_LEVELS) { return true; }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) { return false; }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_values_read_place(g, below, &l.entries[i], level + 1, &child);
        if (ok) { taco__dir_place_add(place, &child, l.entries[i].name); }
    }
    taco__dir_scan_free(&l);
    return ok;
}

/* Finds the points of the samples of level 0: from stac:centroid of the tables, else
   istac:centroid, else from the TIFFs if these are read. NOT_FOUND if there is none. */
TACO__FN bool taco__dir_values_find_points(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t i, table = 0;
    const taco_array *a = taco__sample_rows_column(g, 0, "stac:centroid", &table);
    bool any = false;
    a = a ? a : taco__sample_rows_column(g, 0, "istac:centroid", &table);
    for (i = 0; i < l->count; i++) {
        taco__dir_scan_entry *e = &l->entries[i];
        if (a) {
            e->has_point = e->row != TACO__SAMPLE_ROWS_NONE && e->row >> 32 == table &&
                           taco__dir_values_parse_wkb_point(
                               taco_array_bytes(a, (size_t)(e->row & UINT32_MAX)), e->point);
        } else if (taco__derived_point(g, 0, e, e->point)) {
            e->has_point = true;
        } else if (g->how->tiff) {
            taco__dir_place place;
            taco_stac s;
            if (!taco__dir_values_read_place(g, g->root, e, 0, &place)) { return false; }
            e->has_point = taco__dir_place_stac(g, &place, &s) &&
                           taco_stac_centroid(&s, e->point, NULL) == TACO_OK;
        }
        any = any || e->has_point;
    }
    if (!any) {
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no sample of level 0 has a point in stac:centroid or istac:centroid");
    }
    return any;
}

/* Assigns every sample its group of neighbours. */
TACO__FN bool taco__dir_values_group_neighbours(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t n = l->count, i;
    double *points = (double *)taco__arena_array(&g->arena, 2 * n, sizeof *points, g->err);
    uint64_t *sizes = (uint64_t *)taco__arena_array(&g->arena, n, sizeof *sizes, g->err);
    uint32_t *groups = (uint32_t *)taco__arena_array(&g->arena, n, sizeof *groups, g->err);
    bool ok = points && sizes && groups;
    for (i = 0; ok && i < n; i++) {
        const taco__dir_scan_entry *e = &l->entries[i];
        points[2 * i] =
            e->has_point ? e->point[0] : taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
        points[2 * i + 1] = e->point[1];
        sizes[i] = e->size;
    }
    ok = ok && taco_spatial_groups(points, sizes, n, g->how->near_count, g->how->near_size, groups,
                                   g->err) == TACO_OK;
    for (i = 0; ok && i < n; i++) {
        l->entries[i].near = groups[i];
    }
    return ok;
}

/* True if a column or a group is computed from points. */
TACO__FN bool taco__dir_values_needs_points(const taco__from_dir *g)
{
    return g->how->near_count || g->how->near_size || g->how->grid_km > 0;
}

/* The code of a group of neighbours, in the form of the reference: "sg0007". */
TACO__FN const char *taco__dir_values_group_code(uint32_t group, char out[16])
{
    char *p = out;
    memcpy(p, "sg", 2);
    p = taco__spatial_write_digits(p + 2, group);
    *p = 0;
    return out;
}

/* The grid cell of a sample with a point. */
TACO__FN bool taco__dir_values_grid_code(taco__from_dir *g, const taco__dir_scan_entry *e,
                                         char out[TACO__DIR_VALUES_CODE])
{
    taco_majortom_grid grid = g->how->grid;
    grid.km = g->how->grid_km;
    return taco_majortom_code(&grid, e->point[0], e->point[1], out, TACO__DIR_VALUES_CODE,
                              g->err) == TACO_OK;
}

/* Sets the columns computed from the point of a sample of level 0. */
static bool taco__dir_values_set_places(taco__from_dir *g, const taco__dir_scan_entry *e)
{
    char code[TACO__DIR_VALUES_CODE], near[16];
    if (g->how->grid_km > 0) {
        if (e->has_point && !taco__dir_values_grid_code(g, e, code)) { return false; }
        taco_writer_set_text(g->w, "majortom:code", e->has_point ? code : NULL);
    }
    if (g->how->near_count || g->how->near_size) {
        taco_writer_set_text(g->w, "spatialgroup:code",
                             e->near == UINT32_MAX ? NULL
                                                   : taco__dir_values_group_code(e->near, near));
    }
    return true;
}

/* Sets all values of the sample begun last: those of its row, and computed ones, except for the
   place of a FOLDER, which is known when it ends. What its parent may need goes into *place. */
TACO__FN bool taco__dir_values_set(taco__from_dir *g, uint32_t level, size_t dir,
                                   const taco__dir_scan_entry *e, taco__dir_place *place)
{
    size_t k;
    if (e->row != TACO__SAMPLE_ROWS_NONE) {
        const taco__sample_rows_table *t = &g->tables[e->row >> 32];
        for (k = 0; k < t->count; k++) {
            if (t->used[level][k]) {
                taco_writer_set_array(g->w, t->fields[k].name, &t->rows->columns[k],
                                      (size_t)(e->row & UINT32_MAX));
            }
        }
    }
    if (g->tiff[level]) {
        const bool tiff = taco__dir_values_is_tiff(e), later = e->folder && g->places[level];
        const char *path = tiff ? taco__dir_scan_path(g, dir, e->name) : NULL;
        if ((tiff && !path) ||
            (!later && (g->how->tiff || g->how->tacotiff) &&
             !taco__dir_values_set_tiff(g, level, path, place)) ||
            (g->stats[level] && !taco__dir_values_set_stats(g, level, e, path))) {
            return false;
        }
        if (tiff) { taco__dir_place_of_row(g, level, e, place); }
    }
    taco__derived_set(g, level, e);
    return level != 0 || taco__dir_values_set_places(g, e);
}
