/* geoparquet.c - batches of rows as batches of GeoParquet columns.. Spec: GeoParquet 1.1, STAC
   GeoParquet 1.1 */
#include "publish.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/json.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"

/* The first column of one of the names, and of a type that suits. */
static size_t taco__geoparquet_find_column(const taco__geoparquet *x, const char *const *names,
                                           size_t n, bool (*suits)(const taco_field *f))
{
    size_t i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            if (strcmp(x->in[i].name, names[k]) == 0 && suits(&x->in[i])) { return i; }
        }
    }
    return TACO__NONE;
}

static bool taco__geoparquet_is_text(const taco_field *f)
{
    return f->type == TACO_TEXT;
}

static bool taco__geoparquet_is_geometry(const taco_field *f)
{
    return f->type == TACO_BINARY || f->type == TACO_TEXT;
}

static bool taco__geoparquet_is_time(const taco_field *f)
{
    return f->type == TACO_TIMESTAMP || f->type == TACO_DATE || f->type == TACO_INT64 ||
           f->type == TACO_INT32 || f->type == TACO_DOUBLE;
}

static bool taco__geoparquet_is_numbers(const taco_field *f)
{
    return f->type == TACO_LIST &&
           (f->children[0].type == TACO_INT64 || f->children[0].type == TACO_INT32 ||
            f->children[0].type == TACO_DOUBLE || f->children[0].type == TACO_FLOAT);
}

/* ---- columns that go out ---- */

static taco_field *taco__geoparquet_add_column(taco__geoparquet *x, const char *name,
                                               taco_type type, taco__geoparquet_kind what,
                                               size_t from)
{
    taco_field *f = &x->out[x->count];
    taco__geoparquet_column *c = &x->columns[x->count++];
    memset(f, 0, sizeof *f);
    memset(c, 0, sizeof *c);
    f->name = name;
    f->type = type;
    f->nullable = true;
    c->what = what;
    c->from = from;
    c->other = TACO__NONE;
    return f;
}

static void taco__geoparquet_add_text(taco__geoparquet *x, const char *name, const char *text)
{
    taco__geoparquet_add_column(x, name, TACO_TEXT, TACO__GEOPARQUET_TEXT, TACO__NONE);
    x->columns[x->count - 1].text = text;
}

static taco_field *taco__geoparquet_add_children(taco__geoparquet *x, taco_field *f, size_t n)
{
    taco_field *c = (taco_field *)taco__arena_array(&x->fixed, n, sizeof *c, &x->err);
    if (c) {
        memset(c, 0, n * sizeof *c);
        f->children = c;
        f->child_count = (uint32_t)n;
    }
    return c;
}

static void taco__geoparquet_init_field(taco_field *f, const char *name, taco_type type)
{
    f->name = name;
    f->type = type;
    f->nullable = true;
}

/* LIST of texts, or of numbers. Items are called "element", as Parquet's LogicalTypes.md wants it
   of lists. */
static bool taco__geoparquet_init_list(taco__geoparquet *x, taco_field *f, taco_type type)
{
    taco_field *c = taco__geoparquet_add_children(x, f, 1);
    if (c) {
        taco__geoparquet_init_field(c, "element", type);
        c->width = type == TACO_TEXT ? 0 : 8;
    }
    return c != NULL;
}

/* Every column that has no place of its own; what we made goes before one of the same name, and
   internal:* says where things lie in this dataset, which means nothing outside of it. */
static void taco__geoparquet_copy_others(taco__geoparquet *x, const bool *used)
{
    size_t i, k;
    for (i = 0; i < x->in_count; i++) {
        const char *name = x->in[i].name;
        bool taken = used[i] || strncmp(name, "internal:", 9) == 0;
        for (k = 0; k < x->count; k++) {
            taken = taken || strcmp(x->out[k].name, name) == 0;
        }
        if (!taken) {
            *taco__geoparquet_add_column(x, name, TACO_NULL, TACO__GEOPARQUET_COPY, i) = x->in[i];
        }
    }
}

static size_t taco__geoparquet_find_geometry(taco__geoparquet *x)
{
    static const char *const names[] = {"stac:centroid", "istac:centroid", "geometry",
                                        "istac:geometry"};
    size_t at = x->how.geometry_column ? taco__geoparquet_find_column(x, &x->how.geometry_column, 1,
                                                                      taco__geoparquet_is_geometry)
                                       : taco__geoparquet_find_column(x, names, TACO__COUNT(names),
                                                                      taco__geoparquet_is_geometry);
    if (at == TACO__NONE) {
        taco_bytes name =
            taco__bytes_text(x->how.geometry_column ? x->how.geometry_column : names[0]);
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no geometry to publish: there is no column %q of WKB or text", &name);
    }
    return at;
}

/* The geometry goes out under the name `geometry`; its column stays under its own, unless that is
   the name. */
static bool taco__geoparquet_add_geo_columns(taco__geoparquet *x, bool *used)
{
    size_t at = taco__geoparquet_find_geometry(x);
    if (at == TACO__NONE) { return false; }
    used[at] = strcmp(x->in[at].name, "geometry") == 0;
    taco__geoparquet_copy_others(x, used);
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY, TACO__GEOPARQUET_GEOMETRY, at);
    return true;
}

/* A child for every field of assets.data: href, type, roles. */
static bool taco__geoparquet_add_assets(taco__geoparquet *x, size_t href, size_t id)
{
    taco_field *f = taco__geoparquet_add_column(x, "assets", TACO_STRUCT, TACO__GEOPARQUET_ASSETS,
                                                href),
               *data, *c;
    x->columns[x->count - 1].other = id;
    data = taco__geoparquet_add_children(x, f, 1);
    if (!data) { return false; }
    taco__geoparquet_init_field(data, "data", TACO_STRUCT);
    c = taco__geoparquet_add_children(x, data, 3);
    if (!c) { return false; }
    taco__geoparquet_init_field(&c[0], "href", TACO_TEXT);
    taco__geoparquet_init_field(&c[1], "type", TACO_TEXT);
    taco__geoparquet_init_field(&c[2], "roles", TACO_LIST);
    return taco__geoparquet_init_list(x, &c[2], TACO_TEXT);
}

/* An empty list in rows of no collection: STAC wants links in every item. */
static bool taco__geoparquet_add_links(taco__geoparquet *x)
{
    taco_field *f = taco__geoparquet_add_column(x, "links", TACO_LIST, TACO__GEOPARQUET_LINKS,
                                                TACO__NONE),
               *link, *c;
    link = taco__geoparquet_add_children(x, f, 1);
    if (!link) { return false; }
    taco__geoparquet_init_field(link, "element", TACO_STRUCT);
    c = taco__geoparquet_add_children(x, link, 3);
    if (!c) { return false; }
    taco__geoparquet_init_field(&c[0], "href", TACO_TEXT);
    taco__geoparquet_init_field(&c[1], "rel", TACO_TEXT);
    taco__geoparquet_init_field(&c[2], "type", TACO_TEXT);
    return true;
}

/* STAC GeoParquet: times are UTC timestamps. `other` is taken where `from` is null. */
static void taco__geoparquet_add_time(taco__geoparquet *x, const char *name, size_t from,
                                      size_t other)
{
    taco_field *f =
        taco__geoparquet_add_column(x, name, TACO_TIMESTAMP, TACO__GEOPARQUET_TIME, from);
    f->unit = TACO_MICRO;
    f->utc = true;
    f->width = 8;
    x->columns[x->count - 1].other = other;
}

/* STAC projection extension v2.0.0: code, shape and transform, of what the rows have of them. */
static bool taco__geoparquet_add_projection(taco__geoparquet *x, bool *used)
{
    static const char *const crs[] = {"stac:crs", "istac:crs"},
                             *const shape[] = {"stac:tensor_shape", "stac:raster_shape"},
                             *const transform[] = {"stac:geotransform"};
    size_t at[3], i;
    bool any = false;
    at[0] = taco__geoparquet_find_column(x, crs, 2, taco__geoparquet_is_text);
    at[1] = taco__geoparquet_find_column(x, shape, 2, taco__geoparquet_is_numbers);
    at[2] = taco__geoparquet_find_column(x, transform, 1, taco__geoparquet_is_numbers);
    for (i = 0; i < 3; i++) {
        any = any || at[i] != TACO__NONE;
        used[at[i] == TACO__NONE ? 0 : at[i]] |= at[i] != TACO__NONE;
    }
    x->columns[2].from = any ? 1 : TACO__NONE; /* stac_extensions names it where it is used */
    if (at[0] != TACO__NONE) {
        *taco__geoparquet_add_column(x, "", TACO_TEXT, TACO__GEOPARQUET_COPY, at[0]) = x->in[at[0]];
        x->out[x->count - 1].name = "proj:code";
    }
    return (at[1] == TACO__NONE ||
            taco__geoparquet_init_list(x,
                                       taco__geoparquet_add_column(x, "proj:shape", TACO_LIST,
                                                                   TACO__GEOPARQUET_SHAPE, at[1]),
                                       TACO_INT64)) &&
           (at[2] == TACO__NONE ||
            taco__geoparquet_init_list(x,
                                       taco__geoparquet_add_column(x, "proj:transform", TACO_LIST,
                                                                   TACO__GEOPARQUET_TRANSFORM,
                                                                   at[2]),
                                       TACO_DOUBLE));
}

static bool taco__geoparquet_add_stac_columns(taco__geoparquet *x, bool *used)
{
    static const char *const ids[] = {"id", "tortilla:id"},
                             *const hrefs[] = {"internal:gdal_vsi", "internal:subfile"},
                             *const starts[] = {"stac:time_start", "istac:time_start"},
                             *const ends[] = {"stac:time_end", "istac:time_end"};
    size_t at = taco__geoparquet_find_geometry(x), id, href, start, end;
    if (at == TACO__NONE) { return false; }
    id = taco__geoparquet_find_column(x, ids, 2, taco__geoparquet_is_text);
    href = taco__geoparquet_find_column(x, hrefs, 2, taco__geoparquet_is_text);
    start = taco__geoparquet_find_column(x, starts, 2, taco__geoparquet_is_time);
    end = taco__geoparquet_find_column(x, ends, 2, taco__geoparquet_is_time);
    if (id == TACO__NONE || start == TACO__NONE) {
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no items without column %s",
                   id == TACO__NONE ? "'id'" : "'stac:time_start'");
        return false;
    }
    used[at] = used[id] = used[start] = true;
    if (end != TACO__NONE) { used[end] = true; }
    taco__geoparquet_add_text(x, "type", "Feature");
    taco__geoparquet_add_text(x, "stac_version", "1.1.0");
    taco__geoparquet_add_column(x, "stac_extensions", TACO_LIST, TACO__GEOPARQUET_EXTENSIONS,
                                TACO__NONE);
    if (!taco__geoparquet_init_list(x, &x->out[x->count - 1], TACO_TEXT)) { return false; }
    *taco__geoparquet_add_column(x, "", TACO_TEXT, TACO__GEOPARQUET_COPY, id) = x->in[id];
    x->out[x->count - 1].name = "id";
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY, TACO__GEOPARQUET_GEOMETRY, at);
    if (!taco__geoparquet_add_links(x)) { return false; }
    if (x->how.id && x->how.href) { /* an item in a collection has to link to it */
        taco__geoparquet_add_text(x, "collection", x->how.id);
    }
    if (!taco__geoparquet_add_assets(x, href, id)) { return false; }
    /* STAC: datetime may only be null where the other two are there; all three are written, so that
       readers need not ask */
    taco__geoparquet_add_time(x, "datetime", start, TACO__NONE);
    taco__geoparquet_add_time(x, "start_datetime", start, TACO__NONE);
    taco__geoparquet_add_time(x, "end_datetime", end == TACO__NONE ? start : end, start);
    if (!taco__geoparquet_add_projection(x, used)) { return false; }
    taco__geoparquet_copy_others(x, used);
    return true;
}

static bool taco__geoparquet_plan(taco__geoparquet *x)
{
    bool *used = (bool *)taco__arena_array(&x->fixed, x->in_count + 1, sizeof *used, &x->err);
    size_t i, cap = x->in_count + 16; /* an item has fewer columns of its own */
    x->out = (taco_field *)taco__arena_array(&x->fixed, cap, sizeof *x->out, &x->err);
    x->columns =
        (taco__geoparquet_column *)taco__arena_array(&x->fixed, cap, sizeof *x->columns, &x->err);
    x->arrays = (taco_array *)taco__arena_array(&x->fixed, cap, sizeof *x->arrays, &x->err);
    if (!used || !x->out || !x->columns || !x->arrays) { return false; }
    memset(used, 0, (x->in_count + 1) * sizeof *used);
    switch (x->how.kind) {
    case TACO_PUBLISH_GEOPARQUET: return taco__geoparquet_add_geo_columns(x, used);
    case TACO_PUBLISH_STAC: return taco__geoparquet_add_stac_columns(x, used);
    default:
        for (i = 0; i < x->in_count; i++) {
            *taco__geoparquet_add_column(x, "", TACO_NULL, TACO__GEOPARQUET_COPY, i) = x->in[i];
        }
        return true;
    }
}

/* The collection under the key that STAC GeoParquet 1.1 gives it. */
static bool taco__geoparquet_collection_key(taco__geoparquet *x, taco_pq_key *key)
{
    taco__buf b;
    taco_bytes id = taco__bytes_text(x->how.id);
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = &x->mem;
    ok = taco__buf_append_text(&b, "{\"version\":\"1.1.0\",\"collections\":{", &x->err) &&
         taco__json_print_text(&b, id, &x->err) && taco__buf_append_char(&b, ':', &x->err) &&
         taco__buf_append_text(&b, x->how.collection, &x->err) &&
         taco__buf_append_text(&b, "}}", &x->err);
    key->key = "stac-geoparquet";
    key->value = ok ? taco__arena_text(&x->fixed, taco__bytes_of(b.data, b.len), &x->err) : NULL;
    taco__buf_free(&b);
    return key->value != NULL;
}

static bool taco__geoparquet_write_options(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t n = o->key_count;
    taco_pq_key *keys = (taco_pq_key *)taco__arena_array(&x->fixed, n + 1, sizeof *keys, &x->err);
    taco_pq_geometry *g =
        (taco_pq_geometry *)taco__arena_array(&x->fixed, o->geometry_count + 1, sizeof *g, &x->err);
    if (!keys || !g) { return false; }
    if (x->how.kind == TACO_PUBLISH_PARQUET) { return true; }
    memset(g, 0, sizeof *g);
    g->column = "geometry";
    g->crs = x->how.crs;
    g->covering = x->how.kind == TACO_PUBLISH_STAC
                      ? "bbox"
                      : x->how.covering; /* STAC wants bbox of an item */
    if (o->geometry_count) { memcpy(g + 1, o->geometries, o->geometry_count * sizeof *g); }
    o->geometries = g;
    o->geometry_count++;
    if (n) { memcpy(keys, o->keys, n * sizeof *keys); }
    if (x->how.kind == TACO_PUBLISH_STAC && x->how.id && x->how.collection) {
        if (!taco__geoparquet_collection_key(x, &keys[n])) { return false; }
        o->key_count++;
    }
    o->keys = keys;
    return true;
}

static void taco__geoparquet_write_rows(taco__geoparquet *x, taco_cursor *rows,
                                        const taco_sink *sink)
{
    taco_pq_write_options o = x->how.write;
    taco_pq_writer *w = NULL;
    taco_batch b, out;
    if (!taco__geoparquet_plan(x) || !taco__geoparquet_write_options(x, &o)) {
        taco__sink_abort(sink);
    } else {
        w = taco_pq_write(sink, x->out, x->count, &o, &x->err);
    }
    while (w && taco_cursor_batch(rows, &b)) {
        if (!taco__geoparquet_batch_make(x, &b, &out) || taco_pq_writer_batch(w, &out) != TACO_OK) {
            break;
        }
    }
    if (taco_cursor_close(rows, &x->err) != TACO_OK || x->err.code != TACO_OK) {
        taco_pq_writer_abort(w);
    } else {
        (void)taco_pq_writer_close(w, &x->err);
    }
}

TACO_API taco_status taco_publish(taco_cursor *rows, const taco_sink *sink,
                                  const taco_publish_options *how, taco_error *err)
{
    taco__geoparquet x;
    memset(&x, 0, sizeof x);
    if (!rows || !sink || (err && err->code != TACO_OK)) {
        TACO__FAIL(&x.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                   rows ? "sink" : "rows");
        taco__sink_abort(sink);
        taco_cursor_close(rows, NULL);
    } else {
        if (how) {
            x.how = *how;
            /* the link goes with the name, either way */
            x.how.href = how->id ? how->href : NULL;
        }
        taco__mem_init(&x.mem, x.how.write.options);
        x.fixed.mem = x.batch.mem = &x.mem;
        x.in = taco_cursor_fields(rows, &x.in_count);
        taco__geoparquet_write_rows(&x, rows, sink);
        taco__arena_free(&x.batch);
        taco__arena_free(&x.fixed);
    }
    if (err && err->code == TACO_OK) { *err = x.err; }
    return err ? err->code : x.err.code;
}
