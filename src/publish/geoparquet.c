/* geoparquet.c - the rows of a query as Parquet, GeoParquet or STAC items: columns and metadata

   In: a cursor and taco_publish_options; out: a file. First the columns are planned: a list of
   fields, each with the column of the rows that it is copied or made from (taco__geoparquet_plan).
   GeoParquet 1.1 files get all columns except internal:*, and `geometry`; STAC GeoParquet 1.1 files
   begin with the columns of an item, which are found by their TACO names. Then each batch goes
   through geoparquet_batch.c to the Parquet writer, which adds bbox and the "geo" key.

   Start reading at taco_publish. */
#include "publish.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/json.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"

/* ---- columns of the rows ---- */

/* The first column with one of the names, in their order, and a suitable type. In a flat view names
   have the prefix of a level: the deepest comes first, and `beside`, if not TACO__NONE, is a column
   of the level to look in. */
static size_t taco__geoparquet_find_beside(const taco__geoparquet *x, size_t beside,
                                           const char *const *names, size_t n,
                                           bool (*suits)(const taco_field *f))
{
    const char *of = beside == TACO__NONE ? NULL : x->in[beside].name;
    size_t i, k, skip;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            const char *l = x->in[i].name;
            skip = taco__cursor_column_prefix_length(of ? of : l);
            if ((!of || strncmp(l, of, skip) == 0) && strcmp(l + skip, names[k]) == 0 &&
                suits(&x->in[i])) {
                return i;
            }
        }
    }
    return TACO__NONE;
}

/* The same at any level; a name may have the prefix of one. */
static size_t taco__geoparquet_find_column(const taco__geoparquet *x, const char *const *names,
                                           size_t n, bool (*suits)(const taco_field *f))
{
    size_t i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < x->in_count; i++) {
            if (strcmp(x->in[i].name, names[k]) == 0 && suits(&x->in[i])) { return i; }
        }
    }
    return taco__geoparquet_find_beside(x, TACO__NONE, names, n, suits);
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

/* ---- columns of the file ---- */

/* Adds a column, made from column `from`; the caller fills in the rest. */
static taco_field *taco__geoparquet_add_column(taco__geoparquet *x, const char *name,
                                               taco_type type, taco__geoparquet_kind kind,
                                               size_t from)
{
    taco_field *f = &x->out[x->count];
    taco__geoparquet_column *c = &x->columns[x->count++];
    *f = taco__field_make(name, type);
    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->from = from;
    c->other = TACO__NONE;
    return f;
}

/* Adds a column with the same text in every row. */
static void taco__geoparquet_add_text(taco__geoparquet *x, const char *name, const char *text)
{
    taco__geoparquet_add_column(x, name, TACO_TEXT, TACO__GEOPARQUET_TEXT, TACO__NONE);
    x->columns[x->count - 1].text = text;
}

/* Adds a copy of column `from` under another name. */
static void taco__geoparquet_add_copy(taco__geoparquet *x, const char *name, size_t from)
{
    taco_field *f = taco__geoparquet_add_column(x, name, TACO_NULL, TACO__GEOPARQUET_COPY, from);
    *f = x->in[from];
    f->name = name;
}

/* Adds n child fields to a LIST or a STRUCT; NULL if out of memory. */
static taco_field *taco__geoparquet_add_children(taco__geoparquet *x, taco_field *f, size_t n)
{
    taco_field *c = (taco_field *)taco__arena_array(&x->arena, n, sizeof *c, &x->err);
    if (c) {
        f->children = c;
        f->child_count = (uint32_t)n;
    }
    return c;
}

/* A LIST of texts or numbers. Items are called "element", as in LogicalTypes.md. */
static bool taco__geoparquet_init_list(taco__geoparquet *x, taco_field *f, taco_type type)
{
    taco_field *c = taco__geoparquet_add_children(x, f, 1);
    if (c) { *c = taco__field_make("element", type); }
    return c != NULL;
}

static bool taco__geoparquet_add_list(taco__geoparquet *x, const char *name, taco_type type,
                                      taco__geoparquet_kind kind, size_t from)
{
    taco_field *f = taco__geoparquet_add_column(x, name, TACO_LIST, kind, from);
    return taco__geoparquet_init_list(x, f, type);
}

/* True for bytes, also within lists and structs. */
static bool taco__geoparquet_has_bytes(const taco_field *f)
{
    uint32_t i;
    for (i = 0; i < f->child_count; i++) {
        if (taco__geoparquet_has_bytes(&f->children[i])) { return true; }
    }
    return f->type == TACO_BINARY || f->type == TACO_FIXED;
}

/* True for a column that the caller names as a further geometry. */
static bool taco__geoparquet_is_further(const taco__geoparquet *x, const char *name)
{
    size_t i;
    for (i = 0; i < x->how.write.geometry_count; i++) {
        if (strcmp(x->how.write.geometries[i].column, name) == 0) { return true; }
    }
    return false;
}

/* Copies every column that is not used yet. If names clash, ours wins; internal:* is left out, as
   positions in this dataset mean nothing outside it, and of items bytes, which are no property: an
   item is JSON. */
static void taco__geoparquet_copy_others(taco__geoparquet *x, const bool *used)
{
    size_t i, k;
    for (i = 0; i < x->in_count; i++) {
        const char *name = x->in[i].name;
        bool skip = used[i] ||
                    strncmp(name + taco__cursor_column_prefix_length(name), "internal:", 9) == 0 ||
                    (x->how.kind == TACO_PUBLISH_STAC && taco__geoparquet_has_bytes(&x->in[i]) &&
                     !taco__geoparquet_is_further(x, name));
        for (k = 0; k < x->count; k++) {
            skip = skip || strcmp(x->out[k].name, name) == 0;
        }
        if (!skip) { taco__geoparquet_add_copy(x, name, i); }
    }
}

/* Finds the columns from which the middle of a raster is computed. Returns that of its
   geotransform, or TACO__NONE if one is missing or the CRS is unknown. */
static size_t taco__geoparquet_find_raster(taco__geoparquet *x)
{
    static const char *const crs[] = {"stac:crs"}, *const transform[] = {"stac:geotransform"};
    static const char *const shape[] = {"stac:tensor_shape", "stac:raster_shape"};
    size_t at = taco__geoparquet_find_column(x, transform, 1, taco__geoparquet_is_numbers);
    x->crs = taco__geoparquet_find_beside(x, at, crs, 1, taco__geoparquet_is_text);
    x->shape = taco__geoparquet_find_beside(x, at, shape, 2, taco__geoparquet_is_numbers);
    x->computed = x->how.lonlat && !x->how.geometry_column && at != TACO__NONE &&
                  x->crs != TACO__NONE && x->shape != TACO__NONE;
    return x->computed ? at : TACO__NONE;
}

/* Finds the CRS of istac:geometry (the centroid is always in degrees), and the point to use instead
   in rows where it cannot be converted, as the file says that all are in degrees: none for a column
   that the caller names. */
static void taco__geoparquet_find_foreign(taco__geoparquet *x, size_t at)
{
    static const char *const crs[] = {"istac:crs"};
    static const char *const points[] = {"stac:centroid", "istac:centroid"};
    x->foreign = x->point = TACO__NONE;
    if (at == TACO__NONE || x->how.crs) { return; }
    if (strcmp(x->in[at].name, "istac:geometry") == 0) {
        x->foreign = taco__geoparquet_find_column(x, crs, 1, taco__geoparquet_is_text);
    }
    if (!x->how.geometry_column) {
        x->point = taco__geoparquet_find_column(x, points, 2, taco__geoparquet_is_geometry);
        if (x->point == at) { x->point = TACO__NONE; }
    }
}

/* The geometry: the column that the caller names, or the first usual one, footprints before points
   as in GeoJSON, or the one from which it is computed. Fails if there is none. */
static size_t taco__geoparquet_find_geometry(taco__geoparquet *x)
{
    static const char *const usual[] = {"istac:geometry", "geometry", "stac:centroid",
                                        "istac:centroid"};
    const char *asked = x->how.geometry_column;
    size_t at =
        taco__geoparquet_find_column(x, asked ? &x->how.geometry_column : usual,
                                     asked ? 1 : TACO__COUNT(usual), taco__geoparquet_is_geometry);
    taco__geoparquet_find_foreign(x, at);
    if (at == TACO__NONE) { at = taco__geoparquet_find_raster(x); }
    if (at == TACO__NONE) {
        taco_bytes name = taco__bytes_text(asked ? asked : "stac:centroid");
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no geometry to publish: there is no column %q of WKB or text", &name);
    }
    return at;
}

/* Adds the column `geometry`, made from the one that taco__geoparquet_find_geometry found. */
static void taco__geoparquet_add_geometry(taco__geoparquet *x, size_t from)
{
    taco__geoparquet_add_column(x, "geometry", TACO_BINARY,
                                x->computed ? TACO__GEOPARQUET_CENTROID : TACO__GEOPARQUET_GEOMETRY,
                                from);
    if (x->computed) { x->columns[x->count - 1].other = x->crs; }
}

/* GeoParquet: writes the geometry as `geometry`; its column is also kept under its own name, unless
   that is the same. */
static bool taco__geoparquet_add_geo_columns(taco__geoparquet *x, bool *used)
{
    size_t at = taco__geoparquet_find_geometry(x);
    if (at == TACO__NONE) { return false; }
    used[at] = strcmp(x->in[at].name, "geometry") == 0;
    taco__geoparquet_copy_others(x, used);
    taco__geoparquet_add_geometry(x, at);
    return true;
}

/* ---- columns of an item ---- */

/* A STRUCT of n text fields. */
static taco_field *taco__geoparquet_init_struct(taco__geoparquet *x, taco_field *f,
                                                const char *const *names, size_t n)
{
    taco_field *c = taco__geoparquet_add_children(x, f, n);
    size_t i;
    for (i = 0; c && i < n; i++) {
        c[i] = taco__field_make(names[i], TACO_TEXT);
    }
    return c;
}

/* assets: {data: {href, type, roles}}. */
static bool taco__geoparquet_add_assets(taco__geoparquet *x, size_t href, size_t id)
{
    static const char *const names[] = {"href", "type", "roles"};
    taco_field *data, *c;
    taco_field *f =
        taco__geoparquet_add_column(x, "assets", TACO_STRUCT, TACO__GEOPARQUET_ASSETS, href);
    x->columns[x->count - 1].other = id;
    data = taco__geoparquet_add_children(x, f, 1);
    if (!data) { return false; }
    *data = taco__field_make("data", TACO_STRUCT);
    c = taco__geoparquet_init_struct(x, data, names, 3);
    if (!c) { return false; }
    c[2].type = TACO_LIST;
    return taco__geoparquet_init_list(x, &c[2], TACO_TEXT);
}

/* links: a list of {href, rel, type}; empty if there is no collection, as STAC requires links in
   every item. */
static bool taco__geoparquet_add_links(taco__geoparquet *x)
{
    static const char *const names[] = {"href", "rel", "type"};
    return taco__geoparquet_add_list(x, "links", TACO_STRUCT, TACO__GEOPARQUET_LINKS, TACO__NONE) &&
           taco__geoparquet_init_struct(x, (taco_field *)x->out[x->count - 1].children, names, 3) !=
               NULL;
}

/* A UTC timestamp in microseconds, as in STAC GeoParquet: from `from`, or from `other` if that is
   null. */
static void taco__geoparquet_add_time(taco__geoparquet *x, const char *name, size_t from,
                                      size_t other)
{
    taco_field *f =
        taco__geoparquet_add_column(x, name, TACO_TIMESTAMP, TACO__GEOPARQUET_TIME, from);
    f->utc = true;
    x->columns[x->count - 1].other = other;
}

/* STAC projection extension v2.0.0: code, shape and transform, as far as the rows have them.
   extensions is the column that names the extension if it is used. */
static bool taco__geoparquet_add_projection(taco__geoparquet *x, size_t extensions, bool *used)
{
    static const char *const crs_names[] = {"stac:crs", "istac:crs"};
    static const char *const shape_names[] = {"stac:tensor_shape", "stac:raster_shape"};
    static const char *const transform_names[] = {"stac:geotransform"};
    size_t transform =
        taco__geoparquet_find_column(x, transform_names, 1, taco__geoparquet_is_numbers);
    size_t crs = taco__geoparquet_find_beside(x, transform, crs_names, 2, taco__geoparquet_is_text);
    size_t shape =
        taco__geoparquet_find_beside(x, transform, shape_names, 2, taco__geoparquet_is_numbers);
    bool ok = true;
    if (crs != TACO__NONE) {
        used[crs] = true;
        taco__geoparquet_add_copy(x, "proj:code", crs);
    }
    if (shape != TACO__NONE) {
        used[shape] = true;
        ok = taco__geoparquet_add_list(x, "proj:shape", TACO_INT64, TACO__GEOPARQUET_SHAPE, shape);
    }
    if (ok && transform != TACO__NONE) {
        used[transform] = true;
        ok = taco__geoparquet_add_list(x, "proj:transform", TACO_DOUBLE, TACO__GEOPARQUET_TRANSFORM,
                                       transform);
    }
    if (crs != TACO__NONE || shape != TACO__NONE || transform != TACO__NONE) {
        x->columns[extensions].from = 0; /* any but TACO__NONE */
    }
    return ok;
}

/* Columns of the rows that an item is made from; geometry, id and start are required. */
typedef struct taco__geoparquet_sources {
    size_t geometry, id, href, start, end;
} taco__geoparquet_sources;

static bool taco__geoparquet_find_sources(taco__geoparquet *x, taco__geoparquet_sources *s)
{
    static const char *const ids[] = {"id", "tortilla:id"};
    static const char *const hrefs[] = {"internal:gdal_vsi", "internal:subfile"};
    static const char *const starts[] = {"stac:time_start", "istac:time_start"};
    static const char *const ends[] = {"stac:time_end", "istac:time_end"};
    s->geometry = taco__geoparquet_find_geometry(x);
    if (s->geometry == TACO__NONE) { return false; }
    s->id = taco__geoparquet_find_column(x, ids, 2, taco__geoparquet_is_text);
    s->href = taco__geoparquet_find_column(x, hrefs, 2, taco__geoparquet_is_text);
    s->start = taco__geoparquet_find_column(x, starts, 2, taco__geoparquet_is_time);
    s->end = taco__geoparquet_find_column(x, ends, 2, taco__geoparquet_is_time);
    if (s->id == TACO__NONE || s->start == TACO__NONE) {
        TACO__FAIL(&x->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no items without column %s",
                   s->id == TACO__NONE ? "'id'" : "'stac:time_start'");
        return false;
    }
    return true;
}

/* datetime, start_datetime, end_datetime. In STAC datetime may only be null if the other two are
   there; all three are always written, so that readers need no special case. */
static void taco__geoparquet_add_times(taco__geoparquet *x, const taco__geoparquet_sources *s)
{
    taco__geoparquet_add_time(x, "datetime", s->start, TACO__NONE);
    taco__geoparquet_add_time(x, "start_datetime", s->start, TACO__NONE);
    taco__geoparquet_add_time(x, "end_datetime", s->end == TACO__NONE ? s->start : s->end,
                              s->start);
}

/* The id of an item: that of the row, of a row of a flat view the ids from level 0 down, as items
   of one collection have different ids. */
static void taco__geoparquet_add_id(taco__geoparquet *x, size_t id)
{
    static const char *const names[] = {"id", "tortilla:id"};
    const char *l = x->in[id].name;
    if (!taco__cursor_column_prefix_length(l)) {
        taco__geoparquet_add_copy(x, "id", id);
        return;
    }
    taco__geoparquet_add_column(x, "id", TACO_TEXT, TACO__GEOPARQUET_ID, id);
    for (; x->id_count < (size_t)(l[1] - '0') && x->id_count < TACO__MAX_LEVELS; x->id_count++) {
        char level[4] = "l0:";
        size_t i = 0;
        level[1] = (char)('0' + x->id_count);
        while (i < x->in_count &&
               !(strncmp(x->in[i].name, level, 3) == 0 && x->in[i].type == TACO_TEXT &&
                 (strcmp(x->in[i].name + 3, names[0]) == 0 ||
                  strcmp(x->in[i].name + 3, names[1]) == 0))) {
            i++;
        }
        x->ids[x->id_count] = i < x->in_count ? i : TACO__NONE;
    }
}

/* In the order in which STAC lists the members of an item; collection is only written with a link
   to it, as STAC requires. */
static bool taco__geoparquet_add_stac_columns(taco__geoparquet *x, bool *used)
{
    taco__geoparquet_sources s;
    size_t extensions;
    if (!taco__geoparquet_find_sources(x, &s)) { return false; }
    used[s.geometry] = used[s.id] = used[s.start] = true;
    if (s.end != TACO__NONE) { used[s.end] = true; }
    taco__geoparquet_add_text(x, "type", "Feature");
    taco__geoparquet_add_text(x, "stac_version", "1.1.0");
    extensions = x->count;
    if (!taco__geoparquet_add_list(x, "stac_extensions", TACO_TEXT, TACO__GEOPARQUET_EXTENSIONS,
                                   TACO__NONE)) {
        return false;
    }
    taco__geoparquet_add_id(x, s.id);
    taco__geoparquet_add_geometry(x, s.geometry);
    if (!taco__geoparquet_add_links(x)) { return false; }
    if (x->how.id && x->how.href) { taco__geoparquet_add_text(x, "collection", x->how.id); }
    if (!taco__geoparquet_add_assets(x, s.href, s.id)) { return false; }
    taco__geoparquet_add_times(x, &s);
    if (!taco__geoparquet_add_projection(x, extensions, used)) { return false; }
    taco__geoparquet_copy_others(x, used);
    return true;
}

/* ---- the plan ---- */

static bool taco__geoparquet_add_columns(taco__geoparquet *x, bool *used)
{
    size_t i;
    switch (x->how.kind) {
    case TACO_PUBLISH_GEOPARQUET: return taco__geoparquet_add_geo_columns(x, used);
    case TACO_PUBLISH_STAC: return taco__geoparquet_add_stac_columns(x, used);
    default:
        for (i = 0; i < x->in_count; i++) {
            taco__geoparquet_add_copy(x, x->in[i].name, i);
        }
        return true;
    }
}

/* Finds the columns of tiles, whose outlines are a better geometry than their centroids; not if the
   caller names a geometry or its CRS. */
static void taco__geoparquet_find_tile(taco__geoparquet *x)
{
    static const char *const names[3] = {"stac:geotransform", "stac:tensor_shape", "stac:crs"};
    x->wkb.mem = x->text.mem = &x->mem;
    x->tile[0] = taco__geoparquet_find_column(x, &names[0], 1, taco__geoparquet_is_numbers);
    x->tile[1] =
        taco__geoparquet_find_beside(x, x->tile[0], &names[1], 1, taco__geoparquet_is_numbers);
    x->tile[2] =
        taco__geoparquet_find_beside(x, x->tile[0], &names[2], 1, taco__geoparquet_is_text);
    if (x->how.geometry_column || x->how.crs || x->tile[1] == TACO__NONE ||
        x->tile[2] == TACO__NONE) {
        x->tile[0] = TACO__NONE;
    }
}

/* Makes builders for the computed columns. */
static bool taco__geoparquet_init_builders(taco__geoparquet *x)
{
    size_t k;
    for (k = 0; k < x->count; k++) {
        if (x->columns[k].kind != TACO__GEOPARQUET_COPY &&
            !taco__array_builder_init(&x->columns[k].made, &x->out[k], &x->mem, &x->arena,
                                      &x->err)) {
            return false;
        }
    }
    return true;
}

#define TACO__GEOPARQUET_ITEM_COLUMNS 16 /* most columns that an item itself adds */

static bool taco__geoparquet_plan(taco__geoparquet *x)
{
    bool *used = (bool *)taco__arena_array(&x->arena, x->in_count + 1, sizeof *used, &x->err);
    size_t cap = x->in_count + TACO__GEOPARQUET_ITEM_COLUMNS;
    x->out = (taco_field *)taco__arena_array(&x->arena, cap, sizeof *x->out, &x->err);
    x->columns =
        (taco__geoparquet_column *)taco__arena_array(&x->arena, cap, sizeof *x->columns, &x->err);
    x->arrays = (taco_array *)taco__arena_array(&x->arena, cap, sizeof *x->arrays, &x->err);
    taco__geoparquet_find_tile(x);
    return used && x->out && x->columns && x->arrays && taco__geoparquet_add_columns(x, used) &&
           taco__geoparquet_init_builders(x);
}

static void taco__geoparquet_free(taco__geoparquet *x)
{
    size_t k;
    for (k = 0; k < x->count; k++) {
        taco__array_builder_free(&x->columns[k].made);
    }
    taco__buf_free(&x->wkb);
    taco__buf_free(&x->text);
    taco__arena_free(&x->arena);
}

/* ---- the file ---- */

/* The collection's document by its id, under the key that STAC GeoParquet 1.1 specifies. */
static bool taco__geoparquet_collection_key(taco__geoparquet *x, taco_pq_key *key)
{
    taco__buf b;
    taco__json_writer j;
    memset(&b, 0, sizeof b);
    b.mem = &x->mem;
    j = taco__json_writer_init(&b, &x->err);
    taco__json_write_begin(&j, NULL, '{');
    taco__json_write_text(&j, "version", "1.1.0");
    taco__json_write_begin(&j, "collections", '{');
    taco__json_write_raw(&j, x->how.id, taco__bytes_text(x->how.collection));
    taco__json_write_end(&j, '}');
    taco__json_write_end(&j, '}');
    key->key = "stac-geoparquet";
    key->value = j.ok ? taco__arena_text(&x->arena, taco__bytes_of(b.data, b.len), &x->err) : NULL;
    taco__buf_free(&b);
    return key->value != NULL;
}

/* Adds our geometry to the caller's, as the primary one. STAC requires a bbox for every item. */
static bool taco__geoparquet_set_geometry(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t n = o->geometry_count;
    taco_pq_geometry *g =
        (taco_pq_geometry *)taco__arena_array(&x->arena, n + 1, sizeof *g, &x->err);
    if (!g) { return false; }
    g->column = "geometry";
    g->crs = x->how.crs;
    g->covering = x->how.kind == TACO_PUBLISH_STAC ? "bbox" : x->how.covering;
    if (n) { memcpy(g + 1, o->geometries, n * sizeof *g); }
    o->geometries = g;
    o->geometry_count++;
    return true;
}

/* The caller's options of the Parquet writer, with ours added. */
static bool taco__geoparquet_write_options(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t n = o->key_count;
    taco_pq_key *keys;
    if (x->how.kind == TACO_PUBLISH_PARQUET) { return true; }
    if (!taco__geoparquet_set_geometry(x, o)) { return false; }
    if (x->how.kind != TACO_PUBLISH_STAC || !x->how.id || !x->how.collection) { return true; }
    keys = (taco_pq_key *)taco__arena_array(&x->arena, n + 1, sizeof *keys, &x->err);
    if (!keys) { return false; }
    if (n) { memcpy(keys, o->keys, n * sizeof *keys); }
    o->keys = keys;
    o->key_count++;
    return taco__geoparquet_collection_key(x, &keys[n]);
}

/* Says how many rows have no footprint because nobody knows where it is. */
static void taco__geoparquet_warn(const taco__geoparquet *x, const taco_dataset *ds)
{
    taco_error w;
    if (!x->unknown || !ds->options.warn) { return; }
    memset(&w, 0, sizeof w);
    TACO__FAIL(&w, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "%s: %u geometries are in a CRS that is not converted to degrees; %s instead",
               ds->stores[0].name, x->unknown, x->point == TACO__NONE ? "null" : "the centroid");
    ds->options.warn(ds->options.warn_ctx, &w);
}

/* Writes the whole file; cursor and sink are closed in any case. */
static void taco__geoparquet_write_rows(taco__geoparquet *x, taco_cursor *rows,
                                        const taco_sink *sink)
{
    taco_pq_write_options o = x->how.write;
    taco_pq_writer *w = NULL;
    taco_batch b, out;
    if (!taco__geoparquet_plan(x) || !taco__geoparquet_write_options(x, &o)) {
        if (x->err.code == TACO_ERR_NOT_FOUND && x->how.kind != TACO_PUBLISH_PARQUET) {
            taco__query_place_hint(&rows->ds->stores[0], rows->query.level, &x->err);
        }
        taco__sink_abort(sink);
    } else {
        w = taco_pq_write(sink, x->out, x->count, &o, &x->err);
    }
    while (w && taco_cursor_batch(rows, &b)) {
        if (!taco__geoparquet_batch_make(x, &b, &out) || taco_pq_writer_batch(w, &out) != TACO_OK) {
            break;
        }
    }
    if (x->err.code == TACO_OK) { taco__geoparquet_warn(x, rows->ds); }
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
    err = taco__error_fresh(err, NULL);
    memset(&x, 0, sizeof x);
    if (!rows || !sink) {
        TACO__FAIL_SOFT(&x.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        rows ? "sink" : "rows");
        taco__sink_abort(sink);
        taco_cursor_close(rows, NULL);
    } else {
        if (how) {
            x.how = *how;
            /* name and link are only set together */
            x.how.href = how->id ? how->href : NULL;
        }
        taco__mem_init(&x.mem, x.how.write.options);
        x.arena.mem = &x.mem;
        x.in = taco_cursor_fields(rows, &x.in_count);
        taco__geoparquet_write_rows(&x, rows, sink);
        taco__geoparquet_free(&x);
    }
    taco__error_copy(err, &x.err);
    return err ? err->code : x.err.code;
}
