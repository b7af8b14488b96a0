/* convert.c - collections out, and to and from TACO. */
#include "rasteret.h"
#include "../base/base.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"
#include "../write/write.h"

/* ---- to and from TACO
   ----------------------------------------------------------------------------- */

/* records of the files of a dataset, before they are a collection */
typedef struct taco__rasteret_convert {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__enrich enrich;
    taco_field fields[4];
    taco__array_builder columns[4]; /* id, datetime, geometry, taco:vsi */
} taco__rasteret_convert;

/* The header of one file; NULL, and a warning, when it is no TIFF that can be used. */
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
    if (!a.tiff && x->options.warn) {
        taco__error_prefix(&a.err, "%q is left out", &a.href);
        x->options.warn(x->options.warn_ctx, &a.err);
    }
    return a.tiff;
}

/* The corners of an image as a WKB polygon in longitude and latitude. */
static bool taco__rasteret_convert_corners_wkb(const taco_tiff_header *h, uint8_t wkb[93])
{
    static const uint8_t at[5][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}, {0, 1}};
    const double *g = h->geotransform;
    size_t i;
    memset(wkb, 0, 93);
    wkb[0] = wkb[5] = 1;
    wkb[1] = 3;
    wkb[9] = 5;
    for (i = 0; i < 5; i++) {
        double x = at[i][0] ? h->image_width : 0, y = at[i][1] ? h->image_height : 0, out[2];
        if (taco_lonlat(h->crs, g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5], out,
                        NULL) != TACO_OK) {
            return false;
        }
        taco__put_le64(wkb + 13 + 16 * i, taco__f64_to_bits(out[0]));
        taco__put_le64(wkb + 21 + 16 * i, taco__f64_to_bits(out[1]));
    }
    return true;
}

/* The first of the time columns that has a value, from the deepest level up. */
static bool taco__rasteret_convert_read_time(taco_cursor *c, uint32_t depth, int64_t *us)
{
    static const char *const names[4] = {"stac:time_start", "istac:time_start", "datetime", NULL};
    uint32_t l;
    size_t k;
    char name[40];
    for (k = 0; names[k]; k++) {
        if (taco_cursor_int(c, names[k], us)) { return true; }
        for (l = depth + 1; l-- > 0;) {
            name[0] = 'l';
            name[1] = (char)('0' + l);
            name[2] = ':';
            memcpy(name + 3, names[k], strlen(names[k]) + 1);
            if (taco_cursor_int(c, name, us)) { return true; }
        }
    }
    return false;
}

/* The ids from the top down to the row. */
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

static bool taco__rasteret_convert_add_record(taco__rasteret_convert *x, taco_cursor *c,
                                              uint32_t depth, taco__buf *text, taco_error *err)
{
    uint8_t wkb[93];
    int64_t us;
    taco_tiff *t = taco__rasteret_convert_open_tiff(x, taco_cursor_vsi(c), err);
    bool ok = t && taco__rasteret_convert_corners_wkb(taco_tiff_get(t), wkb);
    taco_tiff_close(t);
    if (!ok) { return !err || err->code == TACO_OK; }
    return taco__rasteret_convert_append_path(c, depth, text, err) &&
           taco__array_builder_append_bytes(&x->columns[0], taco__bytes_of(text->data, text->len),
                                            err) &&
           (taco__rasteret_convert_read_time(c, depth, &us)
                ? taco__array_builder_append_int(&x->columns[1], us, err)
                : taco__array_builder_append_null(&x->columns[1], err)) &&
           taco__array_builder_append_bytes(&x->columns[2], taco__bytes_of(wkb, sizeof wkb), err) &&
           taco__array_builder_append_text(&x->columns[3], taco_cursor_vsi(c), err);
}

/* The records of a dataset as a Parquet file in memory. */
static bool taco__rasteret_convert_write_records(taco__rasteret_convert *x, const char *dataset,
                                                 taco_sink *sink, taco_error *err)
{
    taco_query q;
    taco_dataset *ds = taco_open(dataset, &x->options, err);
    taco_cursor *c;
    taco_array arrays[4];
    taco_batch batch;
    taco_pq_writer *w;
    taco__buf text;
    uint32_t depth = ds ? taco_levels(ds) - 1 : 0;
    size_t i;
    bool ok = true;
    memset(&q, 0, sizeof q);
    memset(&text, 0, sizeof text);
    text.mem = &x->mem;
    q.table = depth;
    q.flat = depth > 0;
    c = ds ? taco_select(ds, &q, err) : NULL;
    while (ok && c && taco_cursor_next(c)) {
        ok = taco__rasteret_convert_add_record(x, c, depth, &text, err);
    }
    ok = taco_cursor_close(c, err) == TACO_OK && c && ok;
    taco_close(ds);
    taco__buf_free(&text);
    for (i = 0; i < 4; i++) {
        taco__array_builder_view(&x->columns[i], &arrays[i]);
    }
    memset(&batch, 0, sizeof batch);
    batch.length = x->columns[0].length;
    batch.columns = arrays;
    batch.column_count = 4;
    if (!ok || taco_sink_memory(sink, &x->options, err) != TACO_OK) { return false; }
    w = taco_pq_write(sink, x->fields, 4, NULL, err);
    if (w && batch.length) { taco_pq_writer_batch(w, &batch); }
    return w && taco_pq_writer_close(w, err) == TACO_OK;
}

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
    x->fields[0] = taco__field_make("id", TACO_TEXT);
    x->fields[1] = taco__field_make("datetime", TACO_TIMESTAMP);
    x->fields[2] = taco__field_make("geometry", TACO_BINARY);
    x->fields[3] = taco__field_make("taco:vsi", TACO_TEXT);
    for (i = 0; i < 4; i++) {
        if (!taco__array_builder_init(&x->columns[i], &x->fields[i], &x->mem, &x->arena, err)) {
            return false;
        }
    }
    return true;
}

static void taco__rasteret_convert_free(taco__rasteret_convert *x)
{
    size_t i;
    for (i = 0; i < 4; i++) {
        taco__array_builder_free(&x->columns[i]);
    }
    taco__arena_free(&x->enrich.arena);
    taco__arena_free(&x->arena);
}

TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err)
{
    static const taco_rasteret_band band = {"data", 0};
    taco__rasteret_convert x;
    taco_rasteret_options o;
    taco_sink sink;
    taco_error own;
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    memset(&sink, 0, sizeof sink);
    o = opt ? *opt : o;
    o.rename_count = o.rewrite_count = 0;
    o.href_column = "taco:vsi";
    o.bands = &band;
    o.band_count = 1;
    o.enrich = true;
    if (!dataset || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          dataset ? "target" : "dataset");
    }
    if (taco__rasteret_convert_init(&x, &o, &own) &&
        taco__rasteret_convert_write_records(&x, dataset, &sink, &own)) {
        taco_source src;
        taco_bytes bytes = taco_sink_bytes(&sink);
        taco_source_memory(&src, bytes.data, bytes.len);
        (void)taco__build_collection(dataset, &src, target, &o, &own);
    }
    if (sink.ctx) { taco_sink_free(&sink); }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

/* The path that the first band of a record names: taco:vsi, else its href. */
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
        if (strcmp(a->field->name, "assets") == 0 && a->field->child_count &&
            taco_array_valid(a, row)) {
            (void)taco__enrich_read_asset(&a->children[0], row, &href, &index);
        }
    }
    return href;
}

/* Adds the file of a record, and its columns. */
static bool taco__rasteret_convert_add_sample(taco__rasteret_convert *x, taco_writer *w,
                                              const taco_batch *b, size_t row, taco_error *err)
{
    const taco_array *id = NULL, *when = NULL;
    taco__enrich_asset a;
    taco_stac s;
    taco_source src;
    char *name;
    size_t i;
    int64_t us;
    bool ok;
    for (i = 0; i < b->column_count; i++) {
        id = strcmp(b->columns[i].field->name, "id") == 0 ? &b->columns[i] : id;
        when = strcmp(b->columns[i].field->name, "datetime") == 0 ? &b->columns[i] : when;
    }
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__rasteret_convert_asset_path(b, row);
    name = id ? taco__arena_text(&x->enrich.arena, taco_array_bytes(id, row), err) : NULL;
    if (!name || !taco__enrich_resolve_href(&x->enrich, &a, err) ||
        !taco__source_open_path(&x->options, a.path, &src, err)) {
        taco__error_prefix(err, "record %s", name ? name : "without an id");
        return false;
    }
    for (i = 0; name[i]; i++) { /* ids of samples are names */
        name[i] = name[i] == '/' ? '.' : name[i];
    }
    ok = taco_writer_range(w, name, &src, a.offset, a.size || a.offset ? a.size : src.size) ==
         TACO_OK;
    if (src.close) { src.close(src.ctx); }
    x->enrich.assets = &a;
    taco__enrich_parse_asset(&x->enrich, 0);
    if (ok && a.tiff && when && taco__build_values_read_time(when, row, &us, err) &&
        taco_stac_tiff(a.tiff, &s, NULL) == TACO_OK) {
        s.time_start = us;
        /* a CRS that is not computed here: null columns */
        (void)taco_writer_set_stac(w, &s, NULL);
    }
    taco_tiff_close(a.tiff);
    return ok && (!err || err->code == TACO_OK);
}

TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err)
{
    taco_rasteret_options usual;
    taco_create_options c;
    taco__rasteret_convert x;
    taco_dataset *ds = NULL;
    taco_cursor *rows = NULL;
    taco_writer *w = NULL;
    taco_batch b;
    taco_error own;
    size_t i;
    bool ok;
    memset(&usual, 0, sizeof usual);
    memset(&own, 0, sizeof own);
    memset(&c, 0, sizeof c);
    opt = opt ? opt : &usual;
    c = create ? *create : c;
    c.options = c.options ? c.options : opt->options;
    c.fill = true;
    ok = source && target && collection && taco__rasteret_convert_init(&x, opt, &own);
    if (!source || !target || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a source, a target and a collection are wanted");
    }
    x.options.openers = taco__rasteret_openers();
    ds = ok ? taco_open(source, &x.options, &own) : NULL;
    rows = ds ? taco_select(ds, NULL, &own) : NULL;
    w = rows ? taco_create(target, &c, &own) : NULL;
    ok = w && taco_writer_collection(w, collection, strlen(collection)) == TACO_OK &&
         taco_writer_stac_columns(w, 0) == TACO_OK;
    while (ok && taco_cursor_batch(rows, &b)) {
        for (i = 0; ok && i < b.length; i++) {
            ok = taco__rasteret_convert_add_sample(&x, w, &b, i, &own);
        }
    }
    if (rows && taco_cursor_close(rows, &own) != TACO_OK) { ok = false; }
    if (own.code != TACO_OK) {
        taco_writer_abort(w);
    } else if (w) {
        taco_writer_finish(w, &own);
    }
    taco_close(ds);
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
