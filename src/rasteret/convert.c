/* convert.c - the TIFFs of a TACO dataset as a collection, and a collection's files as a dataset

   From TACO: in a dataset, out a collection. Each FILE of the deepest level that is a tiled TIFF
   with a known CRS becomes a record: id, datetime, geometry and its /vsi path, written as a Parquet
   file in memory, from which build.c then makes the collection with the headers of the same files.
   To TACO: in a collection, out a dataset with a FILE per record: the file of its first band, with
   stac: columns from its header and its datetime.

   In the first case headers are read twice: once for the corners, once by build.c. */
#include "rasteret.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"
#include "../write/write.h"

/* Columns of the records made from a dataset. */
enum {
    TACO__RASTERET_CONVERT_ID,
    TACO__RASTERET_CONVERT_TIME,
    TACO__RASTERET_CONVERT_GEOMETRY,
    TACO__RASTERET_CONVERT_VSI,
    TACO__RASTERET_CONVERT_COLUMNS
};

#define TACO__RASTERET_CONVERT_RING 93 /* a polygon of 5 points: 1 + 4 + 4 + 4 + 5 * 16 */
#define TACO__RASTERET_CONVERT_WKB  (9 + 2 * TACO__RASTERET_CONVERT_RING) /* two of them */

/* One conversion, either way. */
typedef struct taco__rasteret_convert {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__enrich enrich;
    taco_field fields[TACO__RASTERET_CONVERT_COLUMNS]; /* from TACO: the records so far */
    taco__array_builder columns[TACO__RASTERET_CONVERT_COLUMNS];
    const char *dataset;   /* from TACO: its name, for messages */
    uint64_t opened, most; /* files opened, and how many may be */
} taco__rasteret_convert;

/* Opening a file takes as long as decoding so many values. */
#define TACO__RASTERET_CONVERT_VALUES 64

/* ---- from TACO ---- */

/* Warns that a file is left out. */
static void taco__rasteret_convert_leave_out(const taco__rasteret_convert *x, const char *vsi,
                                             taco_error *why)
{
    taco_bytes name = taco__bytes_text(vsi);
    if (!x->options.warn) { return; }
    taco__error_prefix(why, "%q is left out", &name);
    x->options.warn(x->options.warn_ctx, why);
}

/* The header of one file; NULL, with a warning, if it is not a usable TIFF. */
static taco_tiff *taco__rasteret_convert_open_tiff(taco__rasteret_convert *x, const char *vsi,
                                                   taco_error *err)
{
    taco__enrich_asset a;
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__bytes_text(vsi);
    x->enrich.assets = &a;
    if (!taco__enrich_resolve_href(&x->enrich, &a, err)) { return NULL; }
    taco__enrich_parse_asset(&x->enrich, 0);
    if (!a.tiff && a.err.code == TACO_ERR_MEMORY) { /* not the file's fault */
        if (err) { *err = a.err; }
    } else if (!a.tiff) {
        taco__rasteret_convert_leave_out(x, vsi, &a.err);
    }
    return a.tiff;
}

/* The corners of an image in degrees, counterclockwise from the lower left; longitudes continue
   past 180. UNSUPPORTED if the CRS cannot be converted, CORRUPT if a corner is not on the globe. */
static taco_status taco__rasteret_convert_corners(const taco_tiff_header *h, double xy[8],
                                                  taco_error *err)
{
    static const uint8_t at[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const int32_t code = taco__projection_epsg_code(h->crs);
    const double *g = h->geotransform;
    taco_bytes crs = taco__bytes_text(h->crs);
    size_t i;
    for (i = 0; i < 4; i++) {
        double x = at[i][0] ? h->image_width : 0, y = at[i][1] ? h->image_height : 0,
               *out = xy + 2 * i;
        if (!taco__projection_inverse_unwrapped(code, g[0] + x * g[1] + y * g[2],
                                                g[3] + x * g[4] + y * g[5], out)) {
            return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                              "its CRS is %q, must be UTM, web mercator or geographic", &crs);
        }
        if (!taco__projection_clamp(out) &&
            !(out[0] >= -540 && out[0] <= 540 && out[1] >= -90 && out[1] <= 90)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                              "a corner is not on the globe, by its geotransform in %q", &crs);
        }
    }
    return TACO_OK;
}

/* Writes a polygon of four corners. */
static void taco__rasteret_convert_write_ring(const double xy[8], uint8_t *wkb)
{
    size_t i;
    memset(wkb, 0, TACO__RASTERET_CONVERT_RING);
    wkb[0] = wkb[5] = 1; /* little-endian; one ring */
    wkb[1] = TACO__WKB_POLYGON;
    wkb[9] = 5; /* points */
    for (i = 0; i < 5; i++) {
        const double *p = xy + 2 * (i % 4);
        taco__put_le64(wkb + 13 + 16 * i, taco__f64_to_bits(p[0]));
        taco__put_le64(wkb + 21 + 16 * i, taco__f64_to_bits(p[1]));
    }
}

/* Writes a box as a polygon, moved by `turn` degrees. */
static void taco__rasteret_convert_write_box(double west, double south, double east, double north,
                                             double turn, uint8_t *wkb)
{
    double xy[8];
    xy[0] = xy[6] = west + turn;
    xy[2] = xy[4] = east + turn;
    xy[1] = xy[3] = south;
    xy[5] = xy[7] = north;
    taco__rasteret_convert_write_ring(xy, wkb);
}

/* Corners as WKB in -180 to 180, and its length: a polygon, or two boxes where they are on both
   sides of the antimeridian (RFC 7946 3.1.9). Rasteret makes its boxes from the geometry and
   compares them as they are: a box of both sides is all around the globe, and finds the image. */
static size_t taco__rasteret_convert_write_wkb(double xy[8],
                                               uint8_t wkb[TACO__RASTERET_CONVERT_WKB])
{
    double box[4] = {540, 90, -540, -90}, turn, cut;
    size_t i;
    for (i = 0; i < 4; i++) {
        box[0] = TACO__MIN(box[0], xy[2 * i]);
        box[1] = TACO__MIN(box[1], xy[2 * i + 1]);
        box[2] = TACO__MAX(box[2], xy[2 * i]);
        box[3] = TACO__MAX(box[3], xy[2 * i + 1]);
    }
    turn = box[0] >= 180 ? -360 : box[2] <= -180 ? 360 : 0;
    cut = box[0] < -180 ? -180 : 180;
    if (turn < 0 || turn > 0 || (box[0] >= -180 && box[2] <= 180)) {
        for (i = 0; i < 8; i += 2) {
            xy[i] += turn;
        }
        taco__rasteret_convert_write_ring(xy, wkb);
        return TACO__RASTERET_CONVERT_RING;
    }
    memset(wkb, 0, 9);
    wkb[0] = 1;
    wkb[1] = TACO__WKB_MULTIPOLYGON;
    wkb[5] = 2;
    taco__rasteret_convert_write_box(box[0], box[1], cut, box[3], cut < 0 ? 360 : 0, wkb + 9);
    taco__rasteret_convert_write_box(cut, box[1], box[2], box[3], cut < 0 ? 0 : -360,
                                     wkb + 9 + TACO__RASTERET_CONVERT_RING);
    return TACO__RASTERET_CONVERT_WKB;
}

/* The footprint of a file as WKB, and its length; 0 without a usable header or, with a warning, if
   it has no place on the globe. */
static size_t taco__rasteret_convert_footprint(const taco__rasteret_convert *x, const char *vsi,
                                               const taco_tiff *t,
                                               uint8_t wkb[TACO__RASTERET_CONVERT_WKB])
{
    const taco_tiff_header *h = t ? taco_tiff_get(t) : NULL;
    double xy[8];
    taco_error why;
    memset(&why, 0, sizeof why);
    if (!h) { return 0; }
    if (!h->has_geotransform) {
        TACO__FAIL(&why, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "it has no georeferencing");
    } else if (taco__rasteret_convert_corners(h, xy, &why) == TACO_OK) {
        return taco__rasteret_convert_write_wkb(xy, wkb);
    }
    taco__rasteret_convert_leave_out(x, vsi, &why);
    return 0;
}

/* Reads the time of a cell: numbers are seconds, as in Tortilla and TACO 0.x, or years in
   `datetime`, as in collections. False for null and, with a warning, for what is not a time. */
static bool taco__rasteret_convert_read_cell(const taco__rasteret_convert *x, taco_cursor *c,
                                             const char *column, bool years, int64_t *us)
{
    const size_t at = taco__cursor_column_find(c, column), row = c->row.row;
    const taco_array *a = at == TACO__NONE ? NULL : &c->row.batch.columns[at];
    taco_bytes name = taco__bytes_text(column);
    taco_error why;
    if (!a || !taco_array_valid(a, row)) { return false; }
    memset(&why, 0, sizeof why);
    if (a->field->type != TACO_TEXT && !years) { return taco__array_read_micros(a, row, us); }
    if (taco__build_values_read_time(a, row, us, &why)) { return true; }
    if (x->options.warn) {
        taco__error_prefix(&why, "%q of %s is not used", &name, taco_cursor_vsi(c));
        x->options.warn(x->options.warn_ctx, &why);
    }
    return false;
}

/* Reads a time column from the row's own level, or else from the deepest level above that has
   it. */
static bool taco__rasteret_convert_read_level_time(const taco__rasteret_convert *x, taco_cursor *c,
                                                   const char *name, uint32_t depth, int64_t *us)
{
    const bool years = strcmp(name, "datetime") == 0;
    char prefixed[40] = "l0:";
    uint32_t l;
    if (taco__rasteret_convert_read_cell(x, c, name, years, us)) { return true; }
    memcpy(prefixed + 3, name, strlen(name) + 1);
    for (l = depth + 1; l-- > 0;) {
        prefixed[1] = (char)('0' + l);
        if (taco__rasteret_convert_read_cell(x, c, prefixed, years, us)) { return true; }
    }
    return false;
}

/* Reads the first time column that has a value. */
static bool taco__rasteret_convert_read_time(const taco__rasteret_convert *x, taco_cursor *c,
                                             uint32_t depth, int64_t *us)
{
    return taco__rasteret_convert_read_level_time(x, c, "stac:time_start", depth, us) ||
           taco__rasteret_convert_read_level_time(x, c, "istac:time_start", depth, us) ||
           taco__rasteret_convert_read_level_time(x, c, "datetime", depth, us);
}

/* Appends the ids from the top level down to the row, joined by '/'. */
static bool taco__rasteret_convert_append_path(taco_cursor *c, uint32_t depth, taco__buf *out,
                                               taco_error *err)
{
    uint32_t l;
    out->len = 0;
    for (l = 0; l <= depth; l++) {
        char name[6] = "l0:id";
        const char *id;
        name[1] = (char)('0' + l);
        id = taco_cursor_text(c, depth ? name : "id");
        if (id && ((out->len && !taco__buf_append_char(out, '/', err)) ||
                   !taco__buf_append_text(out, id, err))) {
            return false;
        }
    }
    return true;
}

/* Sets how many files may be opened: a table whose values take no room names as many as it says. */
static bool taco__rasteret_convert_set_most(taco__rasteret_convert *x, taco_dataset *ds,
                                            uint32_t depth, taco_error *err)
{
    const uint64_t limit = x->options.limits.max_values / TACO__RASTERET_CONVERT_VALUES + 1;
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        const taco__level *l = taco__container_level(&ds->stores[i], depth, err);
        uint64_t more;
        if (!l) { return false; }
        more = taco__expansion_total(limit, l->table.pq ? l->table.pq->part.size : 0);
        x->most += TACO__MIN(more, UINT64_MAX - x->most);
    }
    return true;
}

/* Counts a file before it is opened. */
static bool taco__rasteret_convert_count_file(taco__rasteret_convert *x, taco_error *err)
{
    if (x->opened < x->most) {
        x->opened++;
        return true;
    }
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "%s: more than %u samples to open, limits.max_values is %u for each MiB of their "
               "table",
               x->dataset, x->most, x->options.limits.max_values);
    return false;
}

/* Adds the record of one row of the cursor; a file that is not a usable TIFF is skipped. */
static bool taco__rasteret_convert_add_record(taco__rasteret_convert *x, taco_cursor *c,
                                              uint32_t depth, taco__buf *text, taco_error *err)
{
    taco__array_builder *to = x->columns;
    uint8_t wkb[TACO__RASTERET_CONVERT_WKB];
    int64_t us;
    taco_tiff *t;
    size_t len;
    if (!taco__rasteret_convert_count_file(x, err)) { return false; }
    t = taco__rasteret_convert_open_tiff(x, taco_cursor_vsi(c), err);
    len = taco__rasteret_convert_footprint(x, taco_cursor_vsi(c), t, wkb);
    taco_tiff_close(t);
    if (!len) { return !err || err->code == TACO_OK; }
    return taco__rasteret_convert_append_path(c, depth, text, err) &&
           taco__array_builder_append_bytes(&to[TACO__RASTERET_CONVERT_ID],
                                            taco__bytes_of(text->data, text->len), err) &&
           (taco__rasteret_convert_read_time(x, c, depth, &us)
                ? taco__array_builder_append_int(&to[TACO__RASTERET_CONVERT_TIME], us, err)
                : taco__array_builder_append_null(&to[TACO__RASTERET_CONVERT_TIME], err)) &&
           taco__array_builder_append_bytes(&to[TACO__RASTERET_CONVERT_GEOMETRY],
                                            taco__bytes_of(wkb, len), err) &&
           taco__array_builder_append_text(&to[TACO__RASTERET_CONVERT_VSI], taco_cursor_vsi(c),
                                           err);
}

/* Adds the records of all FILEs of the deepest level. NOT_FOUND if there is none to add. */
static bool taco__rasteret_convert_add_records(taco__rasteret_convert *x, const char *dataset,
                                               taco_error *err)
{
    taco_dataset *ds = taco_open(dataset, &x->options, err);
    uint32_t depth = ds ? taco_levels(ds) - 1 : 0;
    taco_cursor *c;
    taco_query q;
    taco__buf text;
    bool ok = true;
    memset(&q, 0, sizeof q);
    memset(&text, 0, sizeof text);
    text.mem = &x->mem;
    q.table = depth;
    q.flat = depth > 0;
    c = ds ? taco_select(ds, &q, err) : NULL;
    x->dataset = dataset;
    ok = c && taco__rasteret_convert_set_most(x, ds, depth, err);
    while (ok && c && taco_cursor_next(c)) {
        ok = taco__rasteret_convert_add_record(x, c, depth, &text, err);
    }
    ok = taco_cursor_close(c, err) == TACO_OK && c && ok;
    taco_close(ds);
    taco__buf_free(&text);
    if (ok && !x->columns[0].length) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "%s: no FILE of the deepest level is a tiled TIFF in a known CRS", dataset);
        ok = false;
    }
    return ok;
}

/* Writes the records as a Parquet file in memory. */
static bool taco__rasteret_convert_write_records(taco__rasteret_convert *x, taco_sink *sink,
                                                 taco_error *err)
{
    taco_array arrays[TACO__RASTERET_CONVERT_COLUMNS];
    taco_batch batch;
    taco_pq_writer *w;
    size_t i;
    for (i = 0; i < TACO__RASTERET_CONVERT_COLUMNS; i++) {
        taco__array_builder_view(&x->columns[i], &arrays[i]);
    }
    memset(&batch, 0, sizeof batch);
    batch.length = x->columns[0].length;
    batch.columns = arrays;
    batch.column_count = TACO__RASTERET_CONVERT_COLUMNS;
    if (taco_sink_memory(sink, &x->options, err) != TACO_OK) { return false; }
    w = taco_pq_write(sink, x->fields, TACO__RASTERET_CONVERT_COLUMNS, NULL, err);
    if (w && batch.length) { taco_pq_writer_batch(w, &batch); }
    return w && taco_pq_writer_close(w, err) == TACO_OK;
}

/* taco__rasteret_convert_free must be called even if this fails. */
static bool taco__rasteret_convert_init(taco__rasteret_convert *x, const taco_rasteret_options *opt,
                                        taco_error *err)
{
    size_t i;
    memset(x, 0, sizeof *x);
    taco__mem_init(&x->mem, opt->options);
    taco__options_init(&x->options, opt->options);
    x->arena.mem = x->enrich.mem = x->enrich.arena.mem = &x->mem;
    x->enrich.options = &x->options;
    x->enrich.base = opt->base ? opt->base : "";
    x->fields[TACO__RASTERET_CONVERT_ID] = taco__field_make("id", TACO_TEXT);
    x->fields[TACO__RASTERET_CONVERT_TIME] = taco__field_make("datetime", TACO_TIMESTAMP);
    x->fields[TACO__RASTERET_CONVERT_GEOMETRY] = taco__field_make("geometry", TACO_BINARY);
    x->fields[TACO__RASTERET_CONVERT_VSI] = taco__field_make("taco:vsi", TACO_TEXT);
    for (i = 0; i < TACO__RASTERET_CONVERT_COLUMNS; i++) {
        if (!taco__array_builder_init(&x->columns[i], &x->fields[i], &x->mem, &x->arena, err)) {
            return false;
        }
    }
    return true;
}

static void taco__rasteret_convert_free(taco__rasteret_convert *x)
{
    size_t i;
    for (i = 0; i < TACO__RASTERET_CONVERT_COLUMNS; i++) {
        taco__array_builder_free(&x->columns[i]);
    }
    taco__arena_free(&x->enrich.arena);
    taco__arena_free(&x->arena);
}

/* Makes the collection, with one enriched band, from the paths in taco:vsi. */
static void taco__rasteret_convert_build(const char *dataset, const taco_sink *records,
                                         const char *target, const taco_rasteret_options *opt,
                                         taco_error *err)
{
    static const taco_rasteret_band band = {"data", 0};
    taco_rasteret_options o = *opt;
    taco_bytes bytes = taco_sink_bytes(records);
    taco_source src;
    o.rename_count = o.rewrite_count = 0;
    o.href_column = "taco:vsi";
    o.bands = &band;
    o.band_count = 1;
    o.enrich = true;
    taco_source_memory(&src, bytes.data, bytes.len);
    (void)taco__build_collection(dataset, &src, target, &o, err);
}

TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err)
{
    taco_rasteret_options defaults;
    taco__rasteret_convert x;
    taco_sink sink;
    taco_error own;
    err = taco__error_fresh(err, NULL);
    memset(&defaults, 0, sizeof defaults);
    memset(&own, 0, sizeof own);
    memset(&sink, 0, sizeof sink);
    opt = opt ? opt : &defaults;
    if (!dataset || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          dataset ? "target" : "dataset");
    }
    if (taco__rasteret_convert_init(&x, opt, &own) &&
        taco__rasteret_convert_add_records(&x, dataset, &own) &&
        taco__rasteret_convert_write_records(&x, &sink, &own)) {
        taco__rasteret_convert_build(dataset, &sink, target, opt, &own);
    }
    if (sink.ctx) { taco_sink_free(&sink); }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

/* ---- to TACO ---- */

/* The path of a record's first band: taco:vsi, else its href. */
static taco_bytes taco__rasteret_convert_asset_path(const taco_batch *b, size_t row)
{
    taco_bytes href = taco__bytes_of(NULL, 0);
    int64_t index;
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (strcmp(a->field->name, "taco:vsi") == 0 && a->field->type == TACO_TEXT &&
            taco_array_valid(a, row)) {
            return taco_array_bytes(a, row);
        }
        if (strcmp(a->field->name, "assets") == 0 && a->field->type == TACO_STRUCT &&
            a->field->child_count && taco_array_valid(a, row)) {
            (void)taco__enrich_read_asset(&a->children[0], row, &href, &index);
        }
    }
    return href;
}

/* The column of that name; NULL if the batch has none. */
static const taco_array *taco__rasteret_convert_column(const taco_batch *b, const char *name)
{
    size_t i;
    for (i = b->column_count; i-- > 0;) {
        if (strcmp(b->columns[i].field->name, name) == 0) { return &b->columns[i]; }
    }
    return NULL;
}

/* Opens the file of a record; *name is its id, in the arena of the asset. */
static bool taco__rasteret_convert_open_record(taco__rasteret_convert *x, const taco_array *id,
                                               size_t row, taco__enrich_asset *a, taco_source *src,
                                               char **name, taco_error *err)
{
    *name = id ? taco__arena_text(&x->enrich.arena, taco_array_bytes(id, row), err) : NULL;
    if (*name && taco__enrich_resolve_href(&x->enrich, a, err) &&
        taco__source_open_path(&x->options, a->path, src, err)) {
        return true;
    }
    taco__error_prefix(err, "record %s", *name ? *name : "without an id");
    return false;
}

/* Adds the bytes of an asset as a sample; its id is the record's, with slashes replaced by dots. */
static bool taco__rasteret_convert_add_file(taco_writer *w, char *name, const taco_source *src,
                                            const taco__enrich_asset *a)
{
    char *p;
    for (p = name; *p; p++) {
        *p = *p == '/' ? '.' : *p;
    }
    return taco_writer_range(w, name, src, a->offset, a->size || a->offset ? a->size : src->size) ==
           TACO_OK;
}

/* Sets the stac: columns of the last sample. They stay null if the header's CRS cannot be
   converted, or the record has no time. False if the time is invalid. */
static bool taco__rasteret_convert_set_stac(taco__rasteret_convert *x, taco_writer *w,
                                            taco__enrich_asset *a, const taco_array *when,
                                            size_t row, taco_error *err)
{
    taco_stac s;
    int64_t us;
    x->enrich.assets = a;
    taco__enrich_parse_asset(&x->enrich, 0);
    if (a->err.code == TACO_ERR_MEMORY && err) { *err = a->err; }
    if (a->tiff && when && taco__build_values_read_time(when, row, &us, err) &&
        taco_stac_tiff(a->tiff, &s, NULL) == TACO_OK) {
        s.time_start = us;
        (void)taco_writer_set_stac(w, &s, NULL);
    }
    taco_tiff_close(a->tiff);
    return !err || err->code == TACO_OK;
}

/* Adds the file of a record, with its stac: columns. */
static bool taco__rasteret_convert_add_sample(taco__rasteret_convert *x, taco_writer *w,
                                              const taco_batch *b, size_t row, taco_error *err)
{
    const taco_array *id = taco__rasteret_convert_column(b, "id");
    const taco_array *when = taco__rasteret_convert_column(b, "datetime");
    taco__enrich_asset a;
    taco_source src;
    char *name;
    bool ok;
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__rasteret_convert_asset_path(b, row);
    if (!taco__rasteret_convert_open_record(x, id, row, &a, &src, &name, err)) { return false; }
    ok = taco__rasteret_convert_add_file(w, name, &src, &a);
    if (src.close) { src.close(src.ctx); }
    return ok && taco__rasteret_convert_set_stac(x, w, &a, when, row, err);
}

/* Adds the records of a collection to a writer. Failures of the writer itself are reported when it
   is closed. */
static void taco__rasteret_convert_add_samples(taco__rasteret_convert *x, taco_cursor *rows,
                                               taco_writer *w, taco_error *err)
{
    taco_batch b;
    size_t i;
    bool ok = true;
    while (ok && taco_cursor_batch(rows, &b)) {
        for (i = 0; ok && i < b.length; i++) {
            ok = taco__rasteret_convert_add_sample(x, w, &b, i, err);
        }
    }
}

/* Reads the collection at source and writes the dataset. */
static void taco__rasteret_convert_write_taco(taco__rasteret_convert *x, const char *source,
                                              const char *target, const char *collection,
                                              const taco_create_options *create, taco_error *err)
{
    taco_dataset *ds = taco_open(source, &x->options, err);
    bool typed = ds && taco__contract_check_types(ds, err);
    taco_cursor *rows = typed ? taco_select(ds, NULL, err) : NULL;
    taco_writer *w = rows ? taco_create(target, create, err) : NULL;
    if (w && taco_writer_collection(w, collection, strlen(collection)) == TACO_OK &&
        taco_writer_stac_columns(w, 0) == TACO_OK) {
        taco__rasteret_convert_add_samples(x, rows, w, err);
    }
    taco_cursor_close(rows, err);
    if (ds && !typed) { taco__error_prefix(err, "%s", source); }
    if (err->code != TACO_OK) {
        taco_writer_abort(w);
    } else if (w) {
        taco_writer_finish(w, err);
    }
    taco_close(ds);
}

TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err)
{
    taco_rasteret_options defaults;
    taco_create_options c;
    taco__rasteret_convert x;
    taco_error own;
    err = taco__error_fresh(err, NULL);
    memset(&defaults, 0, sizeof defaults);
    memset(&own, 0, sizeof own);
    memset(&c, 0, sizeof c);
    opt = opt ? opt : &defaults;
    if (create) { c = *create; }
    c.options = c.options ? c.options : opt->options;
    c.fill = true;
    if (!source || !target || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a source, a target and a collection are wanted");
    }
    if (taco__rasteret_convert_init(&x, opt, &own)) {
        x.options.openers = taco__rasteret_openers();
        taco__rasteret_convert_write_taco(&x, source, target, collection, &c, &own);
    }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
