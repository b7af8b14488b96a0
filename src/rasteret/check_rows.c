/* check_rows.c - the records of a Rasteret collection, checked against tier 1 of its contract

   In: a batch of rows, by the columns that have rules; out: problems in taco__findings. Each record
   needs a unique id, a time or a span, a footprint in WKB, and assets with an href; boxes, year and
   month must agree with geometry and datetime. Spec: Rasteret's schema contract. */
#include "rasteret.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../validate/validate.h"

/* Reports a breach in row i of the batch; the place is only formatted then. */
#define TACO__RASTERET_ROW(r, error, clause, i, ...)                                               \
    do {                                                                                           \
        taco__findings_set_place((r)->f, "row %u", TACO__U((r)->first + (i)));                     \
        TACO__FINDINGS_CLAUSE((r)->f, error, clause, __VA_ARGS__);                                 \
    } while (0)

/* ---- id ---- */

/* The id must be unique. Ids are copied, as the map borrows their bytes. */
static bool taco__rasteret_rows_id(taco__rasteret_records *r, size_t i, taco_error *err)
{
    static const char clause[] = "Rasteret contract, tier 1, id";
    taco_bytes id = taco_array_bytes(r->column[TACO__RASTERET_ID], i);
    taco__hash_slot *slot;
    bool added;
    if (!id.len) {
        TACO__RASTERET_ROW(r, true, clause, i, "no id");
        return true;
    }
    slot = taco__hash_map_add(&r->ids, id, &added, err);
    if (!slot) { return false; }
    if (!added) {
        TACO__RASTERET_ROW(r, true, clause, i, "the id %q is that of row %u, too", &id,
                           slot->value);
        return true;
    }
    slot->value = r->first + i;
    slot->key.data = (const uint8_t *)taco__arena_text(&r->arena, id, err);
    return slot->key.data != NULL;
}

/* ---- time ---- */

/* A time in microseconds; false if it is missing or unreadable. */
static bool taco__rasteret_rows_time(const taco_array *a, size_t i, int64_t *us)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return a && taco_array_valid(a, i) && taco__build_values_read_time(a, i, us, &e);
}

/* A row needs datetime, or a span that does not end before it starts; year and month must be those
   of datetime. */
static void taco__rasteret_rows_times(taco__rasteret_records *r, size_t i)
{
    static const char clause[] = "Rasteret contract, tier 1, datetime";
    static const char derived[] = "Rasteret contract, derived columns";
    const taco_array *year = r->column[TACO__RASTERET_YEAR];
    const taco_array *month = r->column[TACO__RASTERET_MONTH];
    int64_t at = 0, start = 0, end = 0;
    bool begins = taco__rasteret_rows_time(r->column[TACO__RASTERET_START], i, &start);
    bool ends = taco__rasteret_rows_time(r->column[TACO__RASTERET_END], i, &end);
    if (begins && ends && end < start) {
        TACO__RASTERET_ROW(r, true, clause, i, "end_datetime lies before start_datetime");
    }
    if (!r->column[TACO__RASTERET_DATETIME]) { return; }
    if (!taco__rasteret_rows_time(r->column[TACO__RASTERET_DATETIME], i, &at)) {
        if (!begins || !ends) {
            TACO__RASTERET_ROW(r, false, clause, i,
                               "no datetime, and no start_datetime and end_datetime for it");
        }
        return;
    }
    if (year && taco_array_valid(year, i)) {
        taco__time_civil day =
            taco__time_date_from_days(taco__time_floor_div(at, TACO__TIME_DAY_MICROS));
        if (taco_array_int(year, i) != day.year ||
            (month && taco_array_valid(month, i) && taco_array_int(month, i) != day.month)) {
            TACO__RASTERET_ROW(r, false, derived, i,
                               "year and month differ from those of datetime, %d-%d",
                               TACO__D(day.year), TACO__D(day.month));
        }
    }
}

/* ---- footprint and boxes ---- */

/* A box has four numbers, minima before maxima, equal to the bounds of the geometry if it has
   any. */
static void taco__rasteret_rows_box(taco__rasteret_records *r, size_t i, const char *name,
                                    const double box[4], const double *bounds)
{
    static const char clause[] = "Rasteret contract, derived columns";
    size_t k;
    bool same = true;
    if (!(box[0] <= box[2] && box[1] <= box[3])) {
        TACO__RASTERET_ROW(r, true, clause, i, "%s must be minx, miny, maxx, maxy", name);
        return;
    }
    for (k = 0; bounds && k < 4; k++) {
        double off = box[k] - bounds[k];
        same = same && off <= 1e-5 && off >= -1e-5;
    }
    if (!same) {
        TACO__RASTERET_ROW(r, false, clause, i, "%s are not the bounds of the geometry", name);
    }
}

/* scene_bbox must be a list of exactly four. */
static void taco__rasteret_rows_list(taco__rasteret_records *r, size_t i, const double *bounds)
{
    const taco_array *a = r->column[TACO__RASTERET_SCENE_BBOX];
    double box[4] = {0, 0, 0, 0};
    size_t from, n, k;
    if (!a || !taco_array_valid(a, i)) { return; }
    from = (size_t)a->offsets[i];
    n = (size_t)a->offsets[i + 1] - from;
    for (k = 0; k < n && k < 4 && taco_array_valid(&a->children[0], from + k); k++) {
        box[k] = taco_array_double(&a->children[0], from + k);
    }
    if (n != 4 || k != 4) {
        TACO__RASTERET_ROW(r, true, "Rasteret contract, derived columns", i,
                           "scene_bbox has %u numbers, must be 4", TACO__U(TACO__MIN(n, k)));
    } else {
        taco__rasteret_rows_box(r, i, "scene_bbox", box, bounds);
    }
}

/* Reads four columns or members as a box; false if one of them is null. */
static bool taco__rasteret_rows_read_edges(const taco_array *const edge[4], size_t i, double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!edge[k] || !taco_array_valid(edge[k], i)) { return false; }
        box[k] = taco_array_double(edge[k], i);
    }
    return true;
}

/* Checks the struct bbox, and the columns bbox_minx to bbox_maxy. */
static void taco__rasteret_rows_edges(taco__rasteret_records *r, size_t i, const double *bounds)
{
    const taco_array *a = r->column[TACO__RASTERET_BBOX], *edge[4];
    double box[4];
    size_t at[4], k;
    if (a && taco_array_valid(a, i) && taco__contract_find_bbox(a->field, at)) {
        for (k = 0; k < 4; k++) {
            edge[k] = &a->children[at[k]];
        }
        if (taco__rasteret_rows_read_edges(edge, i, box)) {
            taco__rasteret_rows_box(r, i, "bbox", box, bounds);
        }
    }
    for (k = 0; k < 4; k++) {
        edge[k] = r->column[TACO__RASTERET_MINX + k];
    }
    if (taco__rasteret_rows_read_edges(edge, i, box)) {
        taco__rasteret_rows_box(r, i, "bbox_minx to bbox_maxy", box, bounds);
    }
}

/* The geometry must be WKB in degrees. Checks the boxes too. */
static void taco__rasteret_rows_place(taco__rasteret_records *r, size_t i)
{
    static const char clause[] = "Rasteret contract, tier 1, geometry";
    const taco_array *a = r->column[TACO__RASTERET_GEOMETRY];
    const double *bounds = NULL;
    double b[4];
    bool empty = true;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (a && !taco_array_valid(a, i)) {
        TACO__RASTERET_ROW(r, false, clause, i, "no geometry");
    } else if (a && taco__wkb_bounds(taco_array_bytes(a, i), b, &empty, &e) != TACO_OK) {
        TACO__RASTERET_ROW(r, true, clause, i, "geometry is not WKB: %s", e.text);
    } else if (a && !empty) {
        bounds = b;
        if (!(b[0] >= -180 && b[2] <= 180 && b[1] >= -90 && b[3] <= 90)) {
            TACO__RASTERET_ROW(r, false, clause, i, "geometry is not in degrees of CRS84");
        }
    }
    taco__rasteret_rows_list(r, i, bounds);
    taco__rasteret_rows_edges(r, i, bounds);
}

/* ---- assets ---- */

/* An asset needs an href, and its band_index must not be negative. */
static void taco__rasteret_rows_asset(taco__rasteret_records *r, const taco_array *asset, size_t i)
{
    static const char clause[] = "Rasteret contract, tier 1, assets";
    taco_bytes name = taco__bytes_text(asset->field->name), href;
    int64_t index = 0;
    if (!taco__enrich_read_asset(asset, i, &href, &index) || !href.len) {
        TACO__RASTERET_ROW(r, true, clause, i, "asset %q has no href", &name);
    } else if (index < 0) {
        TACO__RASTERET_ROW(r, true, clause, i, "asset %q: band_index is %d, must be 0 or more",
                           &name, TACO__D(index));
    }
}

/* A record needs at least one asset. */
static void taco__rasteret_rows_assets(taco__rasteret_records *r, size_t i)
{
    const taco_array *a = r->column[TACO__RASTERET_ASSETS];
    uint32_t k;
    size_t n = 0;
    for (k = 0; a && taco_array_valid(a, i) && k < a->field->child_count; k++) {
        if (a->children[k].field->type != TACO_NULL && taco_array_valid(&a->children[k], i)) {
            taco__rasteret_rows_asset(r, &a->children[k], i);
            n++;
        }
    }
    if (a && !n) {
        TACO__RASTERET_ROW(r, !taco_array_valid(a, i), "Rasteret contract, tier 1, assets", i,
                           "no assets");
    }
}

TACO__FN bool taco__rasteret_rows_check(taco__rasteret_records *r, taco_error *err)
{
    size_t i, k;
    for (i = 0; i < r->batch->length && !r->f->stop; i++) {
        if (r->column[TACO__RASTERET_ID] && !taco__rasteret_rows_id(r, i, err)) { return false; }
        taco__rasteret_rows_times(r, i);
        taco__rasteret_rows_place(r, i);
        taco__rasteret_rows_assets(r, i);
        for (k = 0; k < r->batch->column_count; k++) {
            const taco_array *a = &r->batch->columns[k];
            if (taco__container_ends_with(a->field->name, "_metadata") &&
                a->field->type == TACO_STRUCT && taco_array_valid(a, i)) {
                taco__findings_set_place(r->f, "row %u", TACO__U(r->first + i));
                taco__rasteret_metadata_check_row(r->f, a, i);
            }
        }
    }
    return true;
}
