/* build_columns.c - collections out, and to and from TACO. */
#include "rasteret.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../write/write.h"

/* Column of the source that is, or is renamed to, name. */
static size_t taco__build_columns_find_source(const taco__build *b, const char *name)
{
    size_t i, k;
    for (i = 0; i < b->in_count; i++) {
        if (strcmp(b->in[i].name, name) == 0) { return i; }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        for (i = 0; strcmp(b->opt->rename[k].to, name) == 0 && i < b->in_count; i++) {
            if (strcmp(b->in[i].name, b->opt->rename[k].from) == 0) { return i; }
        }
    }
    return SIZE_MAX;
}

/* ---- the columns
   --------------------------------------------------------------------------------- */

static bool taco__build_columns_is_integer(const taco__build *b, size_t c)
{
    return c != SIZE_MAX && b->in[c].type >= TACO_INT8 && b->in[c].type <= TACO_UINT64;
}

/* Adds a column, or takes the place of the one with that name. */
static taco__build_column *taco__build_columns_add(taco__build *b, const taco_field *f,
                                                   taco__build_column_kind what, size_t source)
{
    taco__build_column *c;
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, f->name) != 0; i++) {}
    c = &b->columns[i];
    b->count += i == b->count;
    memset(c, 0, sizeof *c);
    c->field = *f;
    c->field.nullable = true;
    c->what = what;
    c->source = source;
    return c;
}

static bool taco__build_columns_has(const taco__build *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, name) != 0; i++) {}
    return i < b->count;
}

static void taco__build_columns_add_plain(taco__build *b, const char *name, taco_type type,
                                          taco__build_column_kind what, size_t band)
{
    taco_field f = taco__field_make(name, type);
    taco__build_columns_add(b, &f, what, SIZE_MAX)->band = band;
}

/* Columns of the source, under their own names and those they are renamed to. */
static bool taco__build_columns_add_sources(taco__build *b, taco_error *err)
{
    size_t i, k;
    for (i = 0; i < b->in_count; i++) {
        if (!taco__bytes_starts_with(taco__bytes_text(b->in[i].name), "internal:")) {
            taco__build_columns_add(b, &b->in[i], TACO__BUILD_SOURCE, i);
        }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        taco_bytes name = taco__bytes_text(b->opt->rename[k].from);
        taco_field f;
        i = taco__build_columns_find_source(b, b->opt->rename[k].from);
        if (i == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q to rename", &name);
            return false;
        }
        f = b->in[i];
        f.name = b->opt->rename[k].to;
        taco__build_columns_add(b, &f, TACO__BUILD_SOURCE, i);
    }
    b->id = taco__build_columns_find_source(b, "id");
    b->datetime = taco__build_columns_find_source(b, "datetime");
    b->geometry = taco__build_columns_find_source(b, "geometry");
    b->assets = taco__build_columns_find_source(b, "assets");
    b->code = taco__build_columns_find_source(b, "proj:code");
    b->epsg = taco__build_columns_find_source(b, "proj:epsg");
    b->crs = taco__build_columns_find_source(b, "crs");
    return true;
}

/* assets of href_column and bands, where there are none. */
static bool taco__build_columns_add_assets(taco__build *b, taco_error *err)
{
    taco_field f;
    size_t i;
    if (b->assets != SIZE_MAX || !b->opt->href_column) { return true; }
    b->href = taco__build_columns_find_source(b, b->opt->href_column);
    if (b->href == SIZE_MAX || b->in[b->href].type != TACO_TEXT || b->opt->band_count == 0) {
        taco_bytes name = taco__bytes_text(b->opt->href_column);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   b->href == SIZE_MAX ? "no column %q for the hrefs of assets"
                                       : "column %q is not text, or no band is named for it",
                   &name);
        return false;
    }
    b->asset[0] = taco__field_make("href", TACO_TEXT);
    b->asset[1] = taco__field_make("band_index", TACO_INT64);
    b->asset_bands =
        (taco_field *)taco__arena_array(&b->arena, b->opt->band_count, sizeof *b->asset_bands, err);
    for (i = 0; b->asset_bands && i < b->opt->band_count; i++) {
        b->asset_bands[i] =
            taco__field_make_nested(b->opt->bands[i].name, TACO_STRUCT, b->asset, 2);
    }
    f = taco__field_make_nested("assets", TACO_STRUCT, b->asset_bands,
                                (uint32_t)b->opt->band_count);
    taco__build_columns_add(b, &f, TACO__BUILD_ASSETS, SIZE_MAX);
    return b->asset_bands != NULL;
}

/* A metadata column for each band of the assets, or of those that opt names. */
static bool taco__build_columns_add_bands(taco__build *b, taco_error *err)
{
    const taco_field *assets = NULL;
    uint32_t i;
    size_t k;
    for (k = 0; k < b->count; k++) {
        assets = strcmp(b->columns[k].field.name, "assets") == 0 ? &b->columns[k].field : assets;
    }
    if (!b->opt->enrich || !assets || assets->type != TACO_STRUCT) { return true; }
    b->bands =
        (const char **)taco__arena_array(&b->arena, assets->child_count + 1, sizeof *b->bands, err);
    b->band_at =
        (uint32_t *)taco__arena_array(&b->arena, assets->child_count + 1, sizeof *b->band_at, err);
    for (i = 0; b->bands && b->band_at && i < assets->child_count; i++) {
        bool wanted = b->opt->band_count == 0;
        for (k = 0; k < b->opt->band_count; k++) {
            wanted = wanted || strcmp(b->opt->bands[k].name, assets->children[i].name) == 0;
        }
        if (wanted && b->band_count < TACO__ENRICH_MAX_BANDS) {
            b->bands[b->band_count] = assets->children[i].name;
            b->band_at[b->band_count++] = i;
        }
    }
    for (k = 0; b->bands && b->band_at && k < b->band_count; k++) {
        size_t n = strlen(b->bands[k]);
        char *name = (char *)taco__arena_alloc(&b->arena, n + 10, err);
        taco_field f;
        if (!name) { return false; }
        memcpy(name, b->bands[k], n);
        memcpy(name + n, "_metadata", 9);
        f = taco__field_make_nested(name, TACO_STRUCT, b->meta, TACO__ENRICH_FIELDS);
        taco__build_columns_add(b, &f, TACO__BUILD_BAND, SIZE_MAX)->band = k;
    }
    return b->bands && b->band_at;
}

static bool taco__build_columns_add_bboxes(taco__build *b)
{
    static const char *const scalars[4] = {"bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy"};
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    taco_field f = taco__field_make_nested("scene_bbox", TACO_LIST, b->f64, 1);
    size_t i;
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX_LIST, SIZE_MAX);
    for (i = 0; i < 4; i++) {
        taco__build_columns_add_plain(b, scalars[i], TACO_DOUBLE, TACO__BUILD_BBOX_EDGE, i);
        b->sides[i] = taco__field_make(names[i], TACO_DOUBLE);
    }
    f = taco__field_make_nested("bbox", TACO_STRUCT, b->sides, 4);
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX, SIZE_MAX);
    return true;
}

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

/* Which columns name the partitions, and which are in the files. */
static bool taco__build_columns_mark_keys(taco__build *b, taco_error *err)
{
    static const char *const usual[2] = {"year", "month"};
    const char *const *names = b->opt->partition ? b->opt->partition : usual;
    size_t n = b->opt->single ? 0 : b->opt->partition ? b->opt->partition_count : 2, i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < b->count && strcmp(b->columns[i].field.name, names[k]) != 0; i++) {}
        if (i == b->count ||
            (b->columns[i].field.type != TACO_TEXT &&
             !(b->columns[i].field.type >= TACO_INT8 && b->columns[i].field.type <= TACO_UINT64))) {
            taco_bytes name = taco__bytes_text(names[k]);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "no column %q of text or integers to partition by", &name);
            return false;
        }
        b->columns[i].key = true;
    }
    b->out = (taco_field *)taco__arena_array(&b->arena, b->count + 1, sizeof *b->out, err);
    for (i = 0; b->out && i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        if (c->what != TACO__BUILD_SOURCE &&
            !taco__array_builder_init(&c->made, &c->field, &b->mem, &b->arena, err)) {
            return false;
        }
        if (!c->key) { b->out[b->out_count++] = c->field; }
        if (!taco__array_buf_init(&c->taken, &c->field, &b->mem, &b->arena, err)) { return false; }
    }
    return b->out != NULL;
}

TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err)
{
    size_t most = b->in_count + b->opt->rename_count + TACO__ENRICH_MAX_BANDS + 32;
    b->href = SIZE_MAX;
    b->columns = (taco__build_column *)taco__arena_array(&b->arena, most, sizeof *b->columns, err);
    b->f64[0] = taco__field_make("element", TACO_DOUBLE);
    b->i64[0] = taco__field_make("element", TACO_INT64);
    b->i32[0] = taco__field_make("element", TACO_INT32);
    taco__enrich_init_fields(b->meta, b->f64, b->i64, b->i32);
    if (!b->columns || !taco__build_columns_add_sources(b, err) ||
        !taco__build_columns_add_assets(b, err)) {
        return false;
    }
    if (taco__build_columns_is_integer(b, b->id)) {
        taco__build_columns_add_plain(b, "id", TACO_TEXT, TACO__BUILD_ID, 0);
    }
    if (b->datetime != SIZE_MAX && b->in[b->datetime].type != TACO_TIMESTAMP) {
        taco__build_columns_add_plain(b, "datetime", TACO_TIMESTAMP, TACO__BUILD_DATETIME, 0);
    }
    if (!taco__build_columns_check_required(b, err)) { return false; }
    if (b->code != SIZE_MAX || b->epsg != SIZE_MAX || b->crs != SIZE_MAX || b->opt->enrich) {
        taco__build_columns_add_plain(b, "proj:epsg", TACO_INT32, TACO__BUILD_EPSG, 0);
        taco__build_columns_add_plain(b, "crs", TACO_TEXT, TACO__BUILD_CRS, 0);
    }
    if (!taco__build_columns_add_bands(b, err) || !taco__build_columns_add_bboxes(b)) {
        return false;
    }
    if (!taco__build_columns_has(b, "year")) {
        taco__build_columns_add_plain(b, "year", TACO_INT32, TACO__BUILD_YEAR, 0);
    }
    if (!taco__build_columns_has(b, "month")) {
        taco__build_columns_add_plain(b, "month", TACO_INT32, TACO__BUILD_MONTH, 0);
    }
    for (most = 0; most < b->count; most++) {
        if (!taco__contract_check_type(&b->columns[most].field, err)) { return false; }
    }
    return taco__build_columns_mark_keys(b, err);
}
