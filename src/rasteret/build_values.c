/* build_values.c - collections out, and to and from TACO. */
#include "rasteret.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../write/write.h"

/* ---- values
   -------------------------------------------------------------------------------------- */

/* A time in microseconds, from a timestamp, a date, a year or text. False: null, or err is set. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err)
{
    int64_t v;
    bool date;
    taco_bytes text;
    if (!taco_array_valid(a, i)) { return false; }
    v = taco_array_int(a, i);
    switch (a->field->type) {
    case TACO_TIMESTAMP:
        *us = a->field->unit == TACO_NANO                          ? taco__time_floor_div(v, 1000)
              : a->field->unit == TACO_MICRO                       ? v
              : v > INT64_MAX / 1000000 || v < INT64_MIN / 1000000 ? 0
              : a->field->unit == TACO_MILLI                       ? v * 1000
                                                                   : v * 1000000;
        return true;
    case TACO_DATE: *us = v * 86400000000LL; return true;
    case TACO_TEXT:
        text = taco_array_bytes(a, i);
        if (taco__time_parse(text, us, &date)) { return true; }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "datetime %q is not ISO 8601", &text);
        return false;
    default:
        if (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64 && v >= -9999 &&
            v <= 9999) {
            *us = taco__time_days_from_date(v, 1, 1) * 86400000000LL;
            return true;
        }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "datetime is neither a time, nor text, nor a year");
        return false;
    }
}

/* The number of EPSG:n or of digits; 0 when it is neither. */
static int32_t taco__build_values_read_epsg(const taco_array *a, size_t i)
{
    taco_bytes t;
    uint64_t x = 0;
    if (!taco_array_valid(a, i)) { return 0; }
    if (a->field->type != TACO_TEXT) {
        int64_t v = taco_array_int(a, i);
        return v > 0 && v <= INT32_MAX ? (int32_t)v : 0;
    }
    t = taco_array_bytes(a, i);
    while (t.len && t.data[0] == ' ') {
        t = taco__bytes_of(t.data + 1, t.len - 1);
    }
    while (t.len && t.data[t.len - 1] == ' ') {
        t.len--;
    }
    if (t.len > 5 && (t.data[0] | 0x20) == 'e' && (t.data[1] | 0x20) == 'p' &&
        (t.data[2] | 0x20) == 's' && (t.data[3] | 0x20) == 'g' && t.data[4] == ':') {
        t = taco__bytes_of(t.data + 5, t.len - 5);
    }
    return taco__num_parse_u64(t, &x) && x <= INT32_MAX ? (int32_t)x : 0;
}

static bool taco__build_values_make_crs(taco__build *b, const taco_batch *in,
                                        taco__array_builder *epsg, taco__array_builder *crs,
                                        const int32_t *codes, taco_error *err)
{
    const size_t order[3] = {b->code, b->epsg, b->crs};
    size_t i, k;
    for (i = 0; i < in->length; i++) {
        int32_t code = 0;
        char text[24] = "EPSG:";
        bool ok;
        for (k = 0; k < 3 && !code; k++) {
            code =
                order[k] == SIZE_MAX ? 0 : taco__build_values_read_epsg(&in->columns[order[k]], i);
        }
        code = code ? code : codes ? codes[i] : 0;
        text[5 + taco__num_format_u64(text + 5, (uint64_t)code)] = 0;
        if (code) {
            ok = taco__array_builder_append_int(epsg, code, err) &&
                 taco__array_builder_append_text(crs, text, err);
        } else {
            const taco_array *other =
                b->crs != SIZE_MAX && b->in[b->crs].type == TACO_TEXT ? &in->columns[b->crs] : NULL;
            ok = taco__array_builder_append_null(epsg, err) &&
                 (other && taco_array_valid(other, i)
                      ? taco__array_builder_append_bytes(crs, taco_array_bytes(other, i), err)
                      : taco__array_builder_append_null(crs, err));
        }
        if (!ok) { return false; }
    }
    return true;
}

/* The asset of every band, its href rewritten. */
static bool taco__build_values_make_assets(taco__build *b, const taco_array *urls,
                                           taco__array_builder *c, size_t rows, bool plain,
                                           taco_error *err)
{
    size_t i, k;
    for (i = 0; i < rows; i++) {
        taco_bytes url = taco_array_bytes(urls, i);
        const char *to = "";
        if (!taco_array_valid(urls, i)) {
            if (!taco__array_builder_append_null(c, err)) { return false; }
            continue;
        }
        if (plain) {
            uint64_t offset, length;
            (void)taco__enrich_parse_subfile(url, &url, &offset, &length);
        }
        for (k = 0; k < b->opt->rewrite_count; k++) {
            if (taco__bytes_starts_with(url, b->opt->rewrite[k].from)) {
                size_t n = strlen(b->opt->rewrite[k].from);
                to = b->opt->rewrite[k].to;
                url = taco__bytes_of(url.data + n, url.len - n);
                break;
            }
        }
        for (k = 0; k < b->opt->band_count; k++) {
            taco__array_builder *asset = &c->children[k];
            if (!taco__buf_append_text(&asset->children[0].values, to, err) ||
                !taco__array_builder_append_bytes(&asset->children[0], url, err) ||
                !taco__array_builder_append_int(&asset->children[1], b->opt->bands[k].index, err) ||
                !taco__array_builder_end_row(asset, true, err)) {
                return false;
            }
        }
        if (!taco__array_builder_end_row(c, true, err)) { return false; }
    }
    return true;
}

/* Bounds of a geometry; false where there are none. */
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

static bool taco__build_values_append_bbox(taco__build_column *c, bool there, const double box[4],
                                           taco_error *err)
{
    size_t k;
    bool ok = true;
    if (!there) { return taco__array_builder_append_null(&c->made, err); }
    if (c->what == TACO__BUILD_BBOX_LIST) {
        return taco__array_builder_append_doubles(&c->made, box, 4, err);
    }
    if (c->what == TACO__BUILD_BBOX_EDGE) {
        return taco__array_builder_append_double(&c->made, box[c->band], err);
    }
    for (k = 0; ok && k < 4; k++) {
        ok = taco__array_builder_append_double(&c->made.children[k], box[k], err);
    }
    return ok && taco__array_builder_end_row(&c->made, true, err);
}

/* The rows of one column that is made of others by itself. */
static bool taco__build_values_make_column(taco__build *b, taco__build_column *c,
                                           const taco_batch *in, taco_error *err)
{
    const taco_array *times = &in->columns[b->datetime], *geometry = &in->columns[b->geometry];
    size_t i;
    for (i = 0; i < in->length; i++) {
        double box[4];
        char text[24];
        int64_t us = 0;
        taco__time_civil day;
        bool ok;
        const taco_array *id = &in->columns[b->id];
        switch (c->what) {
        case TACO__BUILD_ID:
            text[taco__num_format_i64(text, taco_array_int(id, i))] = 0;
            ok = taco__array_builder_append_text(&c->made, taco_array_valid(id, i) ? text : NULL,
                                                 err);
            break;
        case TACO__BUILD_DATETIME:
            ok = taco__build_values_read_time(times, i, &us, err)
                     ? taco__array_builder_append_int(&c->made, us, err)
                     : taco__array_builder_append_null(&c->made, err);
            break;
        case TACO__BUILD_YEAR:
        case TACO__BUILD_MONTH:
            ok = taco__build_values_read_time(times, i, &us, err);
            day = taco__time_date_from_days(taco__time_floor_div(us, 86400000000LL));
            ok = ok ? taco__array_builder_append_int(
                          &c->made, c->what == TACO__BUILD_YEAR ? day.year : day.month, err)
                    : taco__array_builder_append_null(&c->made, err);
            break;
        default:
            ok = taco__build_values_append_bbox(
                c, taco__build_values_read_bounds(b, geometry, i, box), box, err);
            break;
        }
        if (!ok || (err && err->code != TACO_OK)) { return false; }
    }
    return true;
}

static taco__build_column *taco__build_values_find_column(taco__build *b,
                                                          taco__build_column_kind what, size_t band)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].what == what && b->columns[i].band == band) { return &b->columns[i]; }
    }
    return NULL;
}

/* Headers of the assets of a batch into the columns of the bands. */
static bool taco__build_values_enrich(taco__build *b, const taco_batch *in, int32_t *codes,
                                      taco_error *err)
{
    taco__build_column *c = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    taco__array_builder *made = (taco__array_builder *)taco__arena_array(
        &b->enrich.arena, b->band_count, sizeof *made, err);
    taco_array assets;
    size_t k;
    bool ok;
    if (!made) { return false; }
    if (c) {
        taco__array_builder_view(&c->made, &assets);
    } else {
        assets = in->columns[b->assets];
    }
    for (k = 0; k < b->band_count; k++) {
        made[k] = taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made;
    }
    ok = taco__enrich_collect_assets(&b->enrich, &assets, b->band_at, b->band_count, in->length,
                                     err);
    if (ok) {
        taco__enrich_run(&b->enrich);
        ok = taco__enrich_fill_columns(&b->enrich, made, b->band_count, in->length,
                                       &in->columns[b->id], codes, err);
    }
    for (k = 0; k < b->band_count; k++) { /* the buffers may have moved */
        taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made = made[k];
    }
    taco__enrich_free(&b->enrich);
    return ok;
}

TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__build_column *epsg = taco__build_values_find_column(b, TACO__BUILD_EPSG, 0);
    taco__build_column *assets = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    int32_t *codes = NULL;
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].what != TACO__BUILD_SOURCE) {
            taco__array_builder_reset(&b->columns[i].made);
        }
    }
    if (assets && !taco__build_values_make_assets(b, &in->columns[b->href], &assets->made,
                                                  in->length, false, err)) {
        return false;
    }
    if (b->band_count) {
        if (!taco__buf_reset(&b->codes, (in->length + 1) * sizeof *codes, err)) { return false; }
        codes = (int32_t *)(void *)b->codes.data;
        if (!taco__build_values_enrich(b, in, codes, err)) { return false; }
    }
    if (assets && b->plain) { /* tile offsets count from the beginning of the archive by now */
        taco__array_builder_reset(&assets->made);
        if (!taco__build_values_make_assets(b, &in->columns[b->href], &assets->made, in->length,
                                            true, err)) {
            return false;
        }
    }
    if (epsg && !taco__build_values_make_crs(
                    b, in, &epsg->made,
                    &taco__build_values_find_column(b, TACO__BUILD_CRS, 0)->made, codes, err)) {
        return false;
    }
    for (i = 0; i < b->count; i++) {
        taco__build_column_kind w = b->columns[i].what;
        if ((w == TACO__BUILD_ID || w == TACO__BUILD_DATETIME || w >= TACO__BUILD_BBOX_LIST) &&
            !taco__build_values_make_column(b, &b->columns[i], in, err)) {
            return false;
        }
    }
    return true;
}
