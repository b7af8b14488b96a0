/* derived_columns.c - centroids and middles of times, from the columns of a table

   In: tables about samples (sample_rows.c); out: stac:centroid, istac:centroid, stac:time_middle
   and istac:time_middle for tables that have their sources but not the columns, as the reference's
   classes compute them (TACO 2.0 §8, STAC and ISTAC).

   taco__derived_find decides which columns each level has; a sample gets its values from its own
   row (taco__derived_set). Values that cannot be computed, such as a centroid in an unknown CRS,
   are null, with a warning. */
#include "write.h"
#include "../arrow/arrow.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../geo/geo.h"

/* What each column is computed from: a CRS and a geometry; a CRS, a geotransform and a shape; two
   times. */
static const char *const taco__derived_sources[TACO__DERIVED_COLUMNS][3] = {
    {"stac:crs", "stac:geotransform", "stac:tensor_shape"},
    {"istac:crs", "istac:geometry", NULL},
    {"stac:time_start", "stac:time_end", NULL},
    {"istac:time_start", "istac:time_end", NULL},
};

static const char *const taco__derived_names[TACO__DERIVED_COLUMNS] = {
    "stac:centroid", "istac:centroid", "stac:time_middle", "istac:time_middle"};

/* True if a source has the type needed. */
static bool taco__derived_fits(size_t column, size_t source, const taco_field *f)
{
    if (column >= TACO__DERIVED_STAC_MIDDLE) { return f->type == TACO_TIMESTAMP; }
    if (source == 0) { return f->type == TACO_TEXT; }
    if (column == TACO__DERIVED_ISTAC_CENTROID) { return f->type == TACO_BINARY; }
    return f->type == TACO_LIST && taco__cursor_column_is_number(&f->children[0]);
}

/* The column of a table on a level, NULL if it has none. */
static const taco_array *taco__derived_column(const taco__sample_rows_table *t, uint32_t level,
                                              const char *name)
{
    size_t k;
    for (k = 0; t->level[level] && k < t->count; k++) {
        if (t->used[level][k] && strcmp(t->fields[k].name, name) == 0) {
            return &t->rows->columns[k];
        }
    }
    return NULL;
}

/* The sources of a column in one table; false if it lacks one. */
static bool taco__derived_inputs(const taco__sample_rows_table *t, uint32_t level, size_t column,
                                 const taco_array *in[3])
{
    size_t i;
    for (i = 0; i < 3 && taco__derived_sources[column][i]; i++) {
        in[i] = taco__derived_column(t, level, taco__derived_sources[column][i]);
        if (!in[i] || !taco__derived_fits(column, i, in[i]->field)) { return false; }
    }
    return column < TACO__DERIVED_STAC_MIDDLE || in[0]->field->unit == in[1]->field->unit;
}

/* Decides which columns are computed: those for which a table has the sources, and which no table
   has. */
TACO__FN void taco__derived_find(taco__from_dir *g)
{
    uint32_t level;
    size_t c, i, table;
    const taco_array *in[3];
    for (level = 0; !g->how->no_derived && level < TACO__MAX_LEVELS; level++) {
        for (c = 0; c < TACO__DERIVED_COLUMNS; c++) {
            bool there =
                taco__sample_rows_column(g, level, taco__derived_names[c], &table) ||
                (c == TACO__DERIVED_STAC_CENTROID && g->computed[level][TACO__FROM_DIR_CENTROID]);
            for (i = 0; !there && i < g->table_count && !g->derived[level][c]; i++) {
                g->derived[level][c] = taco__derived_inputs(&g->tables[i], level, c, in);
            }
        }
    }
}

/* Declares the columns of a level. Middles have the type of the starts. */
TACO__FN void taco__derived_declare(taco__from_dir *g, uint32_t level)
{
    size_t c, table;
    for (c = 0; c < TACO__DERIVED_COLUMNS; c++) {
        const taco_array *start =
            g->derived[level][c] && c >= TACO__DERIVED_STAC_MIDDLE
                ? taco__sample_rows_column(g, level, taco__derived_sources[c][0], &table)
                : NULL;
        if (start) {
            taco_field f = *start->field;
            f.name = taco__derived_names[c];
            taco_writer_field(g->w, level, &f);
        } else if (g->derived[level][c]) {
            taco_writer_column(g->w, level, taco__derived_names[c], TACO_BINARY);
        }
    }
}

/* Reads up to n numbers of a list, and returns how many it has. */
static size_t taco__derived_numbers(const taco_array *a, size_t row, double *out, size_t n)
{
    size_t from, to, i;
    if (!taco_array_valid(a, row)) { return 0; }
    from = (size_t)a->offsets[row];
    to = (size_t)a->offsets[row + 1];
    for (i = 0; i < n && from + i < to; i++) {
        out[i] = taco_array_double(a->children, from + i);
    }
    return to - from;
}

/* The text of a cell, in `room` or, if it is long (WKT), in the arena; NULL for null, or if out of
   memory. */
static const char *taco__derived_text(taco__from_dir *g, const taco_array *a, size_t row,
                                      char room[64])
{
    taco_bytes text = taco_array_bytes(a, row);
    if (text.len == 0 || text.len >= 64) {
        return text.len ? taco__arena_text(&g->arena, text, g->err) : NULL;
    }
    memcpy(room, text.data, text.len);
    room[text.len] = 0;
    return room;
}

/* The centroid of a row. On failure *why is the reason, or NULL if a source is null. */
static bool taco__derived_centroid(taco__from_dir *g, size_t column, const taco_array *const in[3],
                                   size_t row, double xy[2], taco_error *why)
{
    char room[64];
    const char *crs = taco__derived_text(g, in[0], row, room);
    taco_istac irregular;
    taco_stac raster;
    int64_t shape[2];
    double sizes[8];
    size_t n;
    if (!crs) { return false; }
    if (column == TACO__DERIVED_ISTAC_CENTROID) {
        memset(&irregular, 0, sizeof irregular);
        irregular.crs = crs;
        irregular.geometry = taco_array_bytes(in[1], row);
        irregular.antimeridian = g->how->antimeridian;
        irregular.lonlat = g->how->lonlat;
        irregular.lonlat_ctx = g->how->lonlat_ctx;
        return irregular.geometry.len && taco_istac_centroid(&irregular, xy, why) == TACO_OK;
    }
    memset(&raster, 0, sizeof raster);
    n = taco__derived_numbers(in[2], row, sizes, 8);
    if (n < 2 || n > 8 || !(sizes[n - 2] >= 0 && sizes[n - 2] < 4e9) ||
        !(sizes[n - 1] >= 0 && sizes[n - 1] < 4e9) ||
        taco__derived_numbers(in[1], row, raster.geotransform, 6) != 6) {
        return false; /* null, or not allowed by the rules of the columns, which report it */
    }
    shape[0] = (int64_t)sizes[n - 2];
    shape[1] = (int64_t)sizes[n - 1];
    raster.crs = crs;
    raster.shape = shape;
    raster.dimensions = 2;
    raster.lonlat = g->how->lonlat;
    raster.lonlat_ctx = g->how->lonlat_ctx;
    return taco_stac_centroid(&raster, xy, why) == TACO_OK;
}

/* Warns of a value that stays null; `where` is the sample. */
static void taco__derived_warn(const taco__from_dir *g, const taco__dir_scan_entry *e,
                               const char *name, taco_error *why)
{
    if (g->options.warn && why->code != TACO_OK) {
        taco__error_prefix(why, "sample '%s': %s", e->name, name);
        g->options.warn(g->options.warn_ctx, why);
    }
}

/* The point of a sample, if its centroid is computed from its row. */
TACO__FN bool taco__derived_point(taco__from_dir *g, uint32_t level, const taco__dir_scan_entry *e,
                                  double xy[2])
{
    const taco_array *in[3];
    size_t c;
    if (e->row == TACO__SAMPLE_ROWS_NONE) { return false; }
    for (c = 0; c < TACO__DERIVED_STAC_MIDDLE; c++) {
        if (g->derived[level][c] && taco__derived_inputs(&g->tables[e->row >> 32], level, c, in) &&
            taco__derived_centroid(g, c, in, (size_t)(e->row & UINT32_MAX), xy, NULL)) {
            return true;
        }
    }
    return false;
}

/* Sets the columns of the sample begun last. */
TACO__FN void taco__derived_set(taco__from_dir *g, uint32_t level, const taco__dir_scan_entry *e)
{
    const size_t row = (size_t)(e->row & UINT32_MAX);
    size_t c;
    for (c = 0; e->row != TACO__SAMPLE_ROWS_NONE && c < TACO__DERIVED_COLUMNS; c++) {
        const char *name = taco__derived_names[c];
        const taco_array *in[3];
        taco_error why = {0, TACO_OK, 0, {0}};
        double xy[2];
        uint8_t point[TACO__WKB_POINT_BYTES];
        if (!g->derived[level][c]) { continue; }
        if (!taco__derived_inputs(&g->tables[e->row >> 32], level, c, in)) {
            taco_writer_set_null(g->w, name);
        } else if (c >= TACO__DERIVED_STAC_MIDDLE) {
            taco_array_valid(in[0], row) && taco_array_valid(in[1], row)
                ? taco_writer_set_int(g->w, name,
                                      taco__extension_middle(taco_array_int(in[0], row),
                                                             taco_array_int(in[1], row)))
                : taco_writer_set_null(g->w, name);
        } else if (taco__derived_centroid(g, c, in, row, xy, &why)) {
            taco__extension_write_wkb_point(xy, point);
            taco_writer_set_bytes(g->w, name, point, sizeof point);
        } else {
            taco__derived_warn(g, e, name, &why);
            taco_writer_set_null(g->w, name);
        }
    }
}
