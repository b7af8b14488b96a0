/* build_values.c - the values of columns that the source of a collection does not have

   In: a batch of the source; out: the builders of all computed columns, filled with its rows: text
   ids, timestamps from years, dates and ISO text, assets from an href column, CRSs, metadata of the
   bands (enrich.c), boxes from the bounds of the geometry, year and month.

   Start reading at taco__build_values_make_batch. The order matters there: CRSs may come from
   headers, and hrefs into archives are rewritten twice. */
#include "rasteret.h"
#include "../base/base.h"
#include "../geo/geo.h"

/* ---- times ---- */

/* A year as a number. */
static bool taco__build_values_read_year(const taco_array *a, size_t i, int64_t *us,
                                         taco_error *err)
{
    int64_t year = taco_array_int(a, i);
    if (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64 && year >= -9999 &&
        year <= 9999) {
        *us = taco__time_days_from_date(year, 1, 1) * TACO__TIME_DAY_MICROS;
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "datetime is neither a time, nor text, nor a year");
    return false;
}

/* Times beyond int64 become 1970. False, without an error, for null. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err)
{
    bool date;
    taco_bytes text;
    if (!taco_array_valid(a, i)) { return false; }
    switch (a->field->type) {
    case TACO_TIMESTAMP:
    case TACO_DATE:
        if (!taco__array_read_micros(a, i, us)) { *us = 0; }
        return true;
    case TACO_TEXT:
        text = taco_array_bytes(a, i);
        if (taco__time_parse(text, us, &date)) { return true; }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "datetime %q is not ISO 8601", &text);
        return false;
    default: return taco__build_values_read_year(a, i, us, err);
    }
}

/* ---- CRSs ---- */

/* Whether a text begins with EPSG:, in any case. */
static bool taco__build_values_has_prefix(taco_bytes t)
{
    static const char prefix[] = "epsg:";
    size_t i;
    for (i = 0; i < 5; i++) {
        if (t.len <= 5 || taco__ascii_lower(t.data[i]) != (uint8_t)prefix[i]) { return false; }
    }
    return true;
}

/* The number in EPSG:n, or in plain digits; 0 for anything else. */
static int32_t taco__build_values_read_epsg(const taco_array *a, size_t i)
{
    taco_bytes t;
    uint64_t x = 0;
    int64_t v;
    if (!taco_array_valid(a, i)) { return 0; }
    if (a->field->type != TACO_TEXT) {
        v = taco_array_int(a, i);
        return v > 0 && v <= INT32_MAX ? (int32_t)v : 0;
    }
    t = taco_array_bytes(a, i);
    while (t.len && t.data[0] == ' ') {
        t = taco__bytes_of(t.data + 1, t.len - 1);
    }
    while (t.len && t.data[t.len - 1] == ' ') {
        t.len--;
    }
    if (taco__build_values_has_prefix(t)) { t = taco__bytes_of(t.data + 5, t.len - 5); }
    return taco__num_parse_u64(t, &x) && x <= INT32_MAX ? (int32_t)x : 0;
}

/* The code of a row, from the first of proj:code, proj:epsg, crs and its assets' headers that has
   one. */
static int32_t taco__build_values_row_code(const taco__build *b, const taco_batch *in, size_t i,
                                           const int32_t *codes)
{
    size_t order[3], k;
    int32_t code = 0;
    order[0] = b->roles.code;
    order[1] = b->roles.epsg;
    order[2] = b->roles.crs;
    for (k = 0; k < 3 && !code; k++) {
        if (order[k] != TACO__NONE) {
            code = taco__build_values_read_epsg(&in->columns[order[k]], i);
        }
    }
    return code ? code : codes ? codes[i] : 0;
}

/* Keeps the text of the crs column if it is not an EPSG code. */
static bool taco__build_values_keep_crs(const taco__build *b, const taco_batch *in, size_t i,
                                        taco__array_builder *crs, taco_error *err)
{
    size_t c = b->roles.crs;
    if (c == TACO__NONE || b->source.fields[c].type != TACO_TEXT ||
        !taco_array_valid(&in->columns[c], i)) {
        return taco__array_builder_append_null(crs, err);
    }
    return taco__array_builder_append_bytes(crs, taco_array_bytes(&in->columns[c], i), err);
}

/* proj:epsg and crs. codes is NULL if no headers were read. */
static bool taco__build_values_make_crs(taco__build *b, const taco_batch *in,
                                        taco__array_builder *epsg, taco__array_builder *crs,
                                        const int32_t *codes, taco_error *err)
{
    char text[24] = "EPSG:";
    size_t i;
    for (i = 0; i < in->length; i++) {
        int32_t code = taco__build_values_row_code(b, in, i, codes);
        bool ok;
        if (code) {
            text[5 + taco__num_format_u64(text + 5, (uint64_t)code)] = 0;
            ok = taco__array_builder_append_int(epsg, code, err) &&
                 taco__array_builder_append_text(crs, text, err);
        } else {
            ok = taco__array_builder_append_null(epsg, err) &&
                 taco__build_values_keep_crs(b, in, i, crs, err);
        }
        if (!ok) { return false; }
    }
    return true;
}

/* ---- assets ---- */

/* Replaces the beginning of an href by the first rule that matches. Returns the new beginning;
   *rest follows it. */
static const char *taco__build_values_rewrite(const taco_rasteret_options *o, taco_bytes *rest)
{
    size_t k;
    for (k = 0; k < o->rewrite_count; k++) {
        if (taco__bytes_starts_with(*rest, o->rewrite[k].from)) {
            size_t n = strlen(o->rewrite[k].from);
            *rest = taco__bytes_of(rest->data + n, rest->len - n);
            return o->rewrite[k].to;
        }
    }
    return "";
}

/* Adds the assets of one row: every band has the same href, and its own sample in that file. */
static bool taco__build_values_add_assets(taco__build *b, taco__array_builder *c, taco_bytes href,
                                          taco_error *err)
{
    const char *to = taco__build_values_rewrite(b->opt, &href);
    size_t k;
    for (k = 0; k < b->opt->band_count; k++) {
        taco__array_builder *asset = &c->children[k];
        if (!taco__buf_append_text(&asset->children[0].values, to, err) ||
            !taco__array_builder_append_bytes(&asset->children[0], href, err) ||
            !taco__array_builder_append_int(&asset->children[1], b->opt->bands[k].index, err) ||
            !taco__array_builder_end_row(asset, true, err)) {
            return false;
        }
    }
    return taco__array_builder_end_row(c, true, err);
}

/* Makes the assets of a batch; if whole, hrefs name the archive that a /vsisubfile/ path points
   into. */
static bool taco__build_values_make_assets(taco__build *b, const taco_array *hrefs,
                                           taco__array_builder *c, size_t rows, bool whole,
                                           taco_error *err)
{
    size_t i;
    taco__array_builder_reset(c);
    for (i = 0; i < rows; i++) {
        taco_bytes href = taco_array_bytes(hrefs, i);
        uint64_t offset, size;
        if (whole) { (void)taco__enrich_parse_subfile(href, &href, &offset, &size); }
        if (!taco_array_valid(hrefs, i) ? !taco__array_builder_append_null(c, err)
                                        : !taco__build_values_add_assets(b, c, href, err)) {
            return false;
        }
    }
    return true;
}

/* ---- boxes ---- */

/* Bounds of a geometry; false if it has none. Warns about the first one that is null or not WKB. */
static bool taco__build_values_read_bounds(taco__build *b, const taco_array *a, size_t i,
                                           double box[4])
{
    taco_error why;
    bool empty = true;
    memset(&why, 0, sizeof why);
    if (taco_array_valid(a, i) &&
        taco__wkb_bounds(taco_array_bytes(a, i), box, &empty, &why) == TACO_OK) {
        return !empty;
    }
    if (b->options.warn && !b->warned) {
        b->warned = true;
        TACO__FAIL(&why, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "it is null");
        taco__error_prefix(&why, "row %u: no box can be made of the geometry, and perhaps of more",
                           b->rows + i);
        b->options.warn(b->options.warn_ctx, &why);
    }
    return false;
}

/* Appends a box in the column's form. */
static bool taco__build_values_append_bbox(taco__build_column *c, const double box[4],
                                           taco_error *err)
{
    size_t k;
    if (c->kind == TACO__BUILD_BBOX_LIST) {
        return taco__array_builder_append_doubles(&c->made, box, 4, err);
    }
    if (c->kind == TACO__BUILD_BBOX_EDGE) {
        return taco__array_builder_append_double(&c->made, box[c->band], err);
    }
    for (k = 0; k < 4; k++) {
        if (!taco__array_builder_append_double(&c->made.children[k], box[k], err)) { return false; }
    }
    return taco__array_builder_end_row(&c->made, true, err);
}

/* ---- one column ---- */

/* Appends an integer id as digits. */
static bool taco__build_values_append_id(taco__build_column *c, const taco_array *ids, size_t i,
                                         taco_error *err)
{
    char text[24];
    if (!taco_array_valid(ids, i)) { return taco__array_builder_append_null(&c->made, err); }
    return taco__array_builder_append_bytes(
        &c->made, taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(ids, i))), err);
}

/* Appends a time, or its year or month. */
static bool taco__build_values_append_time(taco__build_column *c, const taco_array *times, size_t i,
                                           taco_error *err)
{
    int64_t us;
    taco__time_civil day;
    if (!taco__build_values_read_time(times, i, &us, err)) {
        return err->code == TACO_OK && taco__array_builder_append_null(&c->made, err);
    }
    if (c->kind == TACO__BUILD_DATETIME) {
        return taco__array_builder_append_int(&c->made, us, err);
    }
    day = taco__time_date_from_days(taco__time_floor_div(us, TACO__TIME_DAY_MICROS));
    return taco__array_builder_append_int(&c->made,
                                          c->kind == TACO__BUILD_YEAR ? day.year : day.month, err);
}

/* Appends one row of a column that is computed from a single other column. */
static bool taco__build_values_append(taco__build *b, taco__build_column *c, const taco_batch *in,
                                      size_t i, taco_error *err)
{
    double box[4];
    switch (c->kind) {
    case TACO__BUILD_ID: return taco__build_values_append_id(c, &in->columns[b->roles.id], i, err);
    case TACO__BUILD_DATETIME:
    case TACO__BUILD_YEAR:
    case TACO__BUILD_MONTH:
        return taco__build_values_append_time(c, &in->columns[b->roles.datetime], i, err);
    default:
        return taco__build_values_read_bounds(b, &in->columns[b->roles.geometry], i, box)
                   ? taco__build_values_append_bbox(c, box, err)
                   : taco__array_builder_append_null(&c->made, err);
    }
}

/* Makes all columns that are computed from a single other column. */
static bool taco__build_values_make_columns(taco__build *b, const taco_batch *in, taco_error *err)
{
    size_t k, i;
    for (k = 0; k < b->count; k++) {
        taco__build_column *c = &b->columns[k];
        if (c->kind != TACO__BUILD_ID && c->kind != TACO__BUILD_DATETIME &&
            c->kind < TACO__BUILD_BBOX_LIST) {
            continue;
        }
        for (i = 0; i < in->length; i++) {
            if (!taco__build_values_append(b, c, in, i, err)) { return false; }
        }
    }
    return true;
}

/* ---- a batch ---- */

/* The column of a kind, and of a band if the kind has one per band; NULL if it is not made. */
static taco__build_column *taco__build_values_find_column(taco__build *b,
                                                          taco__build_column_kind kind, size_t band)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].kind == kind && b->columns[i].band == band) { return &b->columns[i]; }
    }
    return NULL;
}

/* Fills the columns of the bands with the headers of a batch's assets. The builders are moved to a
   contiguous array and back, as their buffers may grow. */
static bool taco__build_values_fill_bands(taco__build *b, const taco_array *assets,
                                          const taco_batch *in, int32_t *codes, taco_error *err)
{
    size_t n = b->bands.count, k;
    taco__array_builder *made =
        (taco__array_builder *)taco__arena_array(&b->enrich.arena, n, sizeof *made, err);
    bool ok = made && taco__enrich_collect_assets(&b->enrich, assets, b->bands.children, n,
                                                  in->length, err);
    if (!ok || !taco__enrich_run(&b->enrich, err)) { return false; }
    for (k = 0; k < n; k++) {
        made[k] = taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made;
    }
    ok = taco__enrich_fill_columns(&b->enrich, made, n, in->length, &in->columns[b->roles.id],
                                   codes, err);
    for (k = 0; k < n; k++) {
        taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made = made[k];
    }
    return ok;
}

/* Reads the headers; *codes gets the EPSG codes of the rows, NULL if no band is enriched. */
static bool taco__build_values_enrich(taco__build *b, const taco_batch *in, int32_t **codes,
                                      taco_error *err)
{
    taco__build_column *c = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    taco_array assets;
    bool ok;
    *codes = NULL;
    if (b->bands.count == 0) { return true; }
    if (!taco__buf_reset(&b->codes, (in->length + 1) * sizeof **codes, err)) { return false; }
    *codes = (int32_t *)(void *)b->codes.data;
    if (c) {
        taco__array_builder_view(&c->made, &assets);
    } else {
        assets = in->columns[b->roles.assets];
    }
    ok = taco__build_values_fill_bands(b, &assets, in, *codes, err);
    taco__enrich_free(&b->enrich);
    return ok;
}

/* Assets come first, since their headers are read. If hrefs are parts of archives, the assets are
   made again afterwards, because tile offsets then count from the beginning of the archive. */
TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__build_column *epsg = taco__build_values_find_column(b, TACO__BUILD_EPSG, 0);
    taco__build_column *crs = taco__build_values_find_column(b, TACO__BUILD_CRS, 0);
    taco__build_column *assets = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    const taco_array *hrefs = assets ? &in->columns[b->roles.href] : NULL;
    int32_t *codes;
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].kind != TACO__BUILD_SOURCE) {
            taco__array_builder_reset(&b->columns[i].made);
        }
    }
    if (assets &&
        !taco__build_values_make_assets(b, hrefs, &assets->made, in->length, false, err)) {
        return false;
    }
    if (!taco__build_values_enrich(b, in, &codes, err)) { return false; }
    if (assets && b->whole_files &&
        !taco__build_values_make_assets(b, hrefs, &assets->made, in->length, true, err)) {
        return false;
    }
    return (!epsg || taco__build_values_make_crs(b, in, &epsg->made, &crs->made, codes, err)) &&
           taco__build_values_make_columns(b, in, err);
}
