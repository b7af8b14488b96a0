/* build_columns.c - plans the columns of a new collection

   In: the fields of the source and the options; out: b->columns, in the order in the files: those
   of the source, the renamed ones, then those that the contract requires and the source lacks
   (Rasteret's schema contract): text ids, timestamps, assets, proj:epsg and crs, a {band}_metadata
   column per band if headers are requested, both forms of the box, year and month. A computed
   column replaces one with the same name. Columns that name partitions are not in the files.

   Start reading at taco__build_columns_plan. */
#include "rasteret.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../write/write.h"

/* ---- columns of the source ---- */

/* Column of the source that has, or is renamed to, this name; TACO__NONE if there is none. */
static size_t taco__build_columns_find_source(const taco__build *b, const char *name)
{
    size_t i, k;
    for (i = 0; i < b->source.count; i++) {
        if (strcmp(b->source.fields[i].name, name) == 0) { return i; }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        for (i = 0; strcmp(b->opt->rename[k].to, name) == 0 && i < b->source.count; i++) {
            if (strcmp(b->source.fields[i].name, b->opt->rename[k].from) == 0) { return i; }
        }
    }
    return TACO__NONE;
}

static bool taco__build_columns_is_integer(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_UINT64;
}

/* ---- columns that are written ---- */

/* Index of the column of that name; b->count if there is none. */
static size_t taco__build_columns_find(const taco__build *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, name) != 0; i++) {}
    return i;
}

/* Sets the i-th column, which may be the one after the last. */
static taco__build_column *taco__build_columns_set(taco__build *b, size_t i, const taco_field *f,
                                                   taco__build_column_kind kind, size_t source)
{
    taco__build_column *c = &b->columns[i];
    b->count += i == b->count;
    memset(c, 0, sizeof *c);
    c->field = *f;
    c->field.nullable = true;
    c->kind = kind;
    c->source = source;
    return c;
}

/* Adds a column, or replaces the one with that name. */
static taco__build_column *taco__build_columns_add(taco__build *b, const taco_field *f,
                                                   taco__build_column_kind kind, size_t source)
{
    return taco__build_columns_set(b, taco__build_columns_find(b, f->name), f, kind, source);
}

static bool taco__build_columns_has(const taco__build *b, const char *name)
{
    return taco__build_columns_find(b, name) < b->count;
}

/* A column of a type without parameters. */
static void taco__build_columns_add_plain(taco__build *b, const char *name, taco_type type,
                                          taco__build_column_kind kind, size_t band)
{
    taco_field f = taco__field_make(name, type);
    taco__build_columns_add(b, &f, kind, TACO__NONE)->band = band;
}

/* Adds the renamed columns again, under the contract's names. */
static bool taco__build_columns_add_renamed(taco__build *b, taco_error *err)
{
    size_t k;
    for (k = 0; k < b->opt->rename_count; k++) {
        taco_bytes name = taco__bytes_text(b->opt->rename[k].from);
        size_t i = taco__build_columns_find_source(b, b->opt->rename[k].from);
        taco_field f;
        if (i == TACO__NONE) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q to rename", &name);
            return false;
        }
        f = b->source.fields[i];
        f.name = b->opt->rename[k].to;
        taco__build_columns_add(b, &f, TACO__BUILD_SOURCE, i);
    }
    return true;
}

/* The column of the source that is written under that name; TACO__NONE if there is none. */
static size_t taco__build_columns_find_role(const taco__build *b, const char *name)
{
    size_t i = taco__build_columns_find(b, name);
    return i < b->count ? b->columns[i].source : TACO__NONE;
}

/* Looks for the contract's columns, under their own names or renamed. id, datetime and geometry are
   required, and are checked later, by name. */
static void taco__build_columns_find_roles(taco__build *b)
{
    taco__build_roles *r = &b->roles;
    r->id = taco__build_columns_find_role(b, "id");
    r->datetime = taco__build_columns_find_role(b, "datetime");
    r->geometry = taco__build_columns_find_role(b, "geometry");
    r->assets = taco__build_columns_find_role(b, "assets");
    r->code = taco__build_columns_find_role(b, "proj:code");
    r->epsg = taco__build_columns_find_role(b, "proj:epsg");
    r->crs = taco__build_columns_find_role(b, "crs");
    r->href = TACO__NONE;
}

/* Adds the columns of the source, except those that a TACO reader has added. Of equal names the
   last counts, in the place of the first. */
static bool taco__build_columns_add_sources(taco__build *b, taco_error *err)
{
    size_t i, n = b->source.count;
    size_t *at = (size_t *)taco__arena_array(&b->arena, n + 1, sizeof *at, err);
    taco__field_index names;
    if (!at) { return false; }
    taco__field_index_init(&names, b->source.fields, n, &b->mem);
    for (i = 0; i < n; i++) {
        const taco_field *f = &b->source.fields[i];
        size_t first = taco__field_index_find(&names, f->name);
        if (taco__bytes_starts_with(taco__bytes_text(f->name), "internal:")) { continue; }
        if (first == i) { at[i] = b->count; }
        taco__build_columns_set(b, at[first], f, TACO__BUILD_SOURCE, i);
    }
    taco__field_index_free(&names);
    if (!taco__build_columns_add_renamed(b, err)) { return false; }
    taco__build_columns_find_roles(b);
    return true;
}

/* ---- assets and bands ---- */

/* The column named by opt->href_column; false if assets cannot be made from it. */
static bool taco__build_columns_find_href(taco__build *b, taco_error *err)
{
    taco_bytes name = taco__bytes_text(b->opt->href_column);
    size_t at = b->roles.href = taco__build_columns_find_source(b, b->opt->href_column);
    if (at != TACO__NONE && b->source.fields[at].type == TACO_TEXT && b->opt->band_count) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               at == TACO__NONE ? "no column %q for the hrefs of assets"
                                : "column %q is not text, or no band is named for it",
               &name);
    return false;
}

/* Adds assets made from href_column and bands, {band: {href, band_index}}, if the source has
   none. */
static bool taco__build_columns_add_assets(taco__build *b, taco_error *err)
{
    taco__build_fields *s = &b->fields;
    size_t n = b->opt->band_count, i;
    taco_field f;
    if (b->roles.assets != TACO__NONE || !b->opt->href_column) { return true; }
    if (!taco__build_columns_find_href(b, err)) { return false; }
    s->asset[0] = taco__field_make("href", TACO_TEXT);
    s->asset[1] = taco__field_make("band_index", TACO_INT64);
    s->assets = (taco_field *)taco__arena_array(&b->arena, n, sizeof *s->assets, err);
    if (!s->assets) { return false; }
    for (i = 0; i < n; i++) {
        s->assets[i] = taco__field_make_nested(b->opt->bands[i].name, TACO_STRUCT, s->asset, 2);
    }
    f = taco__field_make_nested("assets", TACO_STRUCT, s->assets, (uint32_t)n);
    taco__build_columns_add(b, &f, TACO__BUILD_ASSETS, TACO__NONE);
    return true;
}

/* Every band that is made or enriched has a column of its own: fails if two have the same name. */
static bool taco__build_columns_check_bands(taco__build *b, taco_error *err)
{
    size_t at = taco__build_columns_find(b, "assets"), i;
    const taco__build_column *c = &b->columns[at];
    taco__field_index names;
    if (at == b->count || c->field.type != TACO_STRUCT ||
        (c->kind == TACO__BUILD_SOURCE && !b->opt->enrich)) {
        return true;
    }
    taco__field_index_init(&names, c->field.children, c->field.child_count, &b->mem);
    for (i = 0; i < c->field.child_count; i++) {
        taco_bytes name = taco__bytes_text(c->field.children[i].name);
        if (taco__field_index_find(&names, c->field.children[i].name) != i) {
            TACO__FAIL(err, c->kind == TACO__BUILD_SOURCE ? TACO_ERR_CORRUPT : TACO_ERR_ARGUMENT,
                       TACO_NO_OFFSET, "two assets are named %q", &name);
            break;
        }
    }
    taco__field_index_free(&names);
    return i == c->field.child_count;
}

/* Whether the options name a band; if they name none, all are wanted. */
static bool taco__build_columns_wants_band(const taco__build *b, const char *name)
{
    size_t k;
    for (k = 0; k < b->opt->band_count; k++) {
        if (strcmp(b->opt->bands[k].name, name) == 0) { return true; }
    }
    return b->opt->band_count == 0;
}

/* Finds the bands of an assets column to enrich. */
static bool taco__build_columns_find_bands(taco__build *b, const taco_field *assets,
                                           taco_error *err)
{
    taco__build_bands *x = &b->bands;
    size_t n = (size_t)assets->child_count + 1;
    uint32_t i;
    x->names = (const char **)taco__arena_array(&b->arena, n, sizeof *x->names, err);
    x->children = (uint32_t *)taco__arena_array(&b->arena, n, sizeof *x->children, err);
    if (!x->names || !x->children) { return false; }
    for (i = 0; i < assets->child_count && x->count < TACO__ENRICH_MAX_BANDS; i++) {
        if (taco__build_columns_wants_band(b, assets->children[i].name)) {
            x->names[x->count] = assets->children[i].name;
            x->children[x->count++] = i;
        }
    }
    return true;
}

/* Adds {band}_metadata for band k. */
static bool taco__build_columns_add_band(taco__build *b, size_t k, taco_error *err)
{
    size_t n = strlen(b->bands.names[k]);
    char *name = (char *)taco__arena_alloc(&b->arena, n + 10, err);
    taco_field f;
    if (!name) { return false; }
    memcpy(name, b->bands.names[k], n);
    memcpy(name + n, "_metadata", 9);
    f = taco__field_make_nested(name, TACO_STRUCT, b->fields.metadata, TACO__ENRICH_FIELDS);
    taco__build_columns_add(b, &f, TACO__BUILD_BAND, TACO__NONE)->band = k;
    return true;
}

/* Adds a metadata column for each band if headers are requested. */
static bool taco__build_columns_add_bands(taco__build *b, taco_error *err)
{
    size_t at = taco__build_columns_find(b, "assets"), k;
    if (!b->opt->enrich || at == b->count || b->columns[at].field.type != TACO_STRUCT) {
        return true;
    }
    if (!taco__build_columns_find_bands(b, &b->columns[at].field, err)) { return false; }
    for (k = 0; k < b->bands.count; k++) {
        if (!taco__build_columns_add_band(b, k, err)) { return false; }
    }
    return true;
}

/* ---- the rest of the contract ---- */

/* Adds the list, the scalars and the struct. */
static void taco__build_columns_add_bboxes(taco__build *b)
{
    static const char *const scalars[4] = {"bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy"};
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    taco_field f = taco__field_make_nested("scene_bbox", TACO_LIST, &b->fields.f64, 1);
    size_t i;
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX_LIST, TACO__NONE);
    for (i = 0; i < 4; i++) {
        taco__build_columns_add_plain(b, scalars[i], TACO_DOUBLE, TACO__BUILD_BBOX_EDGE, i);
        b->fields.sides[i] = taco__field_make(names[i], TACO_DOUBLE);
    }
    f = taco__field_make_nested("bbox", TACO_STRUCT, b->fields.sides, 4);
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX, TACO__NONE);
}

/* Fails if a required column is missing and cannot be computed. */
static bool taco__build_columns_check_required(const taco__build *b, taco_error *err)
{
    bool id = taco__build_columns_has(b, "id"), datetime = taco__build_columns_has(b, "datetime");
    bool geometry = taco__build_columns_has(b, "geometry"),
         assets = taco__build_columns_has(b, "assets");
    if (!id || !datetime || !geometry || !assets) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the table is missing required columns:%s%s%s%s", id ? "" : " id",
                   datetime ? "" : " datetime", geometry ? "" : " geometry",
                   assets ? "" : " assets");
        return false;
    }
    return true;
}

/* Adds proj:epsg and crs if anything may provide them. */
static void taco__build_columns_add_crs(taco__build *b)
{
    const taco__build_roles *r = &b->roles;
    if (r->code != TACO__NONE || r->epsg != TACO__NONE || r->crs != TACO__NONE || b->opt->enrich) {
        taco__build_columns_add_plain(b, "proj:epsg", TACO_INT32, TACO__BUILD_EPSG, 0);
        taco__build_columns_add_plain(b, "crs", TACO_TEXT, TACO__BUILD_CRS, 0);
    }
}

/* Replaces ids and times whose type is not the contract's by converted ones. */
static void taco__build_columns_add_converted(taco__build *b)
{
    const taco_field *in = b->source.fields;
    size_t id = b->roles.id, time = b->roles.datetime;
    if (id != TACO__NONE && taco__build_columns_is_integer(&in[id])) {
        taco__build_columns_add_plain(b, "id", TACO_TEXT, TACO__BUILD_ID, 0);
    }
    if (time != TACO__NONE && in[time].type != TACO_TIMESTAMP) {
        taco__build_columns_add_plain(b, "datetime", TACO_TIMESTAMP, TACO__BUILD_DATETIME, 0);
    }
}

/* Adds year and month; the source may have columns of these names already. */
static void taco__build_columns_add_dates(taco__build *b)
{
    if (!taco__build_columns_has(b, "year")) {
        taco__build_columns_add_plain(b, "year", TACO_INT32, TACO__BUILD_YEAR, 0);
    }
    if (!taco__build_columns_has(b, "month")) {
        taco__build_columns_add_plain(b, "month", TACO_INT32, TACO__BUILD_MONTH, 0);
    }
}

/* ---- partitions and files ---- */

/* Marks the columns that name partitions: those in the options, or year and month. */
static bool taco__build_columns_mark_keys(taco__build *b, taco_error *err)
{
    static const char *const usual[2] = {"year", "month"};
    const char *const *names = b->opt->partition ? b->opt->partition : usual;
    size_t n = b->opt->single ? 0 : b->opt->partition ? b->opt->partition_count : 2, i, k;
    for (k = 0; k < n; k++) {
        i = taco__build_columns_find(b, names[k]);
        if (i == b->count || (b->columns[i].field.type != TACO_TEXT &&
                              !taco__build_columns_is_integer(&b->columns[i].field))) {
            taco_bytes name = taco__bytes_text(names[k]);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "no column %q of text or integers to partition by", &name);
            return false;
        }
        b->columns[i].key = true;
    }
    return true;
}

/* Sets the fields of the files, and the buffers of computed and picked values. */
static bool taco__build_columns_init_buffers(taco__build *b, taco_error *err)
{
    size_t i;
    b->out = (taco_field *)taco__arena_array(&b->arena, b->count + 1, sizeof *b->out, err);
    for (i = 0; b->out && i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        if ((c->kind != TACO__BUILD_SOURCE &&
             !taco__array_builder_init(&c->made, &c->field, &b->mem, &b->arena, err)) ||
            !taco__array_buf_init(&c->picked, &c->field, &b->mem, &b->arena, err)) {
            return false;
        }
        if (!c->key) { b->out[b->out_count++] = c->field; }
    }
    return b->out != NULL;
}

/* Fails before the first file is created if the result would not be a valid collection. */
static bool taco__build_columns_check_types(const taco__build *b, taco_error *err)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (!taco__contract_check_type(&b->columns[i].field, err)) { return false; }
    }
    return true;
}

/* Allocates all columns, and the fields that they borrow. */
static bool taco__build_columns_init(taco__build *b, taco_error *err)
{
    taco__build_fields *s = &b->fields;
    size_t most = b->source.count + b->opt->rename_count + TACO__ENRICH_MAX_BANDS + 32;
    b->columns = (taco__build_column *)taco__arena_array(&b->arena, most, sizeof *b->columns, err);
    s->f64 = taco__field_make("element", TACO_DOUBLE);
    s->i64 = taco__field_make("element", TACO_INT64);
    s->i32 = taco__field_make("element", TACO_INT32);
    taco__enrich_init_fields(s->metadata, &s->f64, &s->i64, &s->i32);
    return b->columns != NULL;
}

/* The order of the calls is the order of the columns in the files. */
TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err)
{
    if (!taco__build_columns_init(b, err) || !taco__build_columns_add_sources(b, err) ||
        !taco__build_columns_add_assets(b, err) || !taco__build_columns_check_bands(b, err)) {
        return false;
    }
    taco__build_columns_add_converted(b);
    if (!taco__build_columns_check_required(b, err)) { return false; }
    taco__build_columns_add_crs(b);
    if (!taco__build_columns_add_bands(b, err)) { return false; }
    taco__build_columns_add_bboxes(b);
    taco__build_columns_add_dates(b);
    return taco__build_columns_check_types(b, err) && taco__build_columns_mark_keys(b, err) &&
           taco__build_columns_init_buffers(b, err);
}
