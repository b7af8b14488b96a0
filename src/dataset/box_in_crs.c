/* box_in_crs.c - a box in degrees against geometries in the CRS of their row

   In: istac:geometry and istac:crs, a box of longitudes and latitudes. Out: the rows whose geometry
   meets the box in degrees. TACO 2.0 §7.2.2 (filter_bbox), §8 (ISTAC keeps footprints in their own
   CRS).

   A geometry of a CRS that geo/projection.c computes is moved to degrees, vertex by vertex, in a
   copy, and compared there; its edges are straight between the vertices. Longitudes continue past
   180, so that a footprint there stays in one piece. Geographic CRSs,
   rows without a CRS and CRSs that are not computed are compared without conversion; a warning that
   there may be some of the last is given when the query is made, from statistics
   (taco__box_in_crs_warn). */
#include "cascade.h"
#include "../base/base.h"
#include "../filter/scan.h"
#include "../geo/geo.h"

/* The longest CRS text that is examined: the code is at the end. */
#define TACO__BOX_CRS_BYTES 8000

/* True if a box is in degrees, judging by its numbers: at least one side is bounded, and all
   bounded sides lie on the globe. */
TACO__FN bool taco__box_is_degrees(const double edge[4])
{
    const double most = 1e300;
    bool bounded = false;
    size_t i;
    for (i = 0; i < 4; i++) {
        double limit = i % 2 ? 90 : 180;
        if (edge[i] < -most || edge[i] > most) { continue; }
        if (edge[i] < -limit || edge[i] > limit) { return false; }
        bounded = true;
    }
    return bounded;
}

/* The EPSG code of a CRS, 0 if it is not known. */
static int32_t taco__box_crs_code(taco_bytes crs)
{
    char text[TACO__BOX_CRS_BYTES];
    if (crs.len == 0 || crs.len >= sizeof text) { return 0; }
    memcpy(text, crs.data, crs.len);
    text[crs.len] = 0;
    return taco__projection_epsg_code(text);
}

/* True for codes whose points are converted to degrees. */
static bool taco__box_crs_is_computed(int32_t code)
{
    double at[2];
    return !taco__projection_is_geographic(code) && taco__projection_inverse(code, 0, 0, at);
}

/* ---- one geometry ---- */

/* Converts every vertex of the geometry at wkb to degrees, in place; west and east become the
   outermost longitudes. CORRUPT, or TRUNCATED, if it is not WKB. Coordinates that are not numbers
   are unchanged. */
static taco_status taco__box_move_to_degrees(int32_t code, uint8_t *wkb, size_t len, double *west,
                                             double *east, taco_error *err)
{
    taco__wkb_reader reader;
    taco__wkb_item item;
    bool any = false;
    size_t i;
    *west = *east = 0;
    taco__wkb_reader_init(&reader, taco__bytes_of(wkb, len));
    for (;;) {
        taco_status st = taco__wkb_next(&reader, &item, err);
        if (st != TACO_OK || item.what == TACO__WKB_DONE) { return st; }
        for (i = 0; item.what == TACO__WKB_RUN && i < item.n; i++) {
            uint8_t *at = wkb + (item.xy - wkb) + i * item.stride;
            double to[2];
            if (!taco__projection_inverse_unwrapped(code, taco__wkb_coordinate(at, item.big),
                                                    taco__wkb_coordinate(at + 8, item.big), to) ||
                taco__f64_is_nan(to[0]) || taco__f64_is_nan(to[1])) {
                continue;
            }
            *west = any ? TACO__MIN(*west, to[0]) : to[0];
            *east = any ? TACO__MAX(*east, to[0]) : to[0];
            any = true;
            taco__wkb_put_coordinate(at, to[0], item.big);
            taco__wkb_put_coordinate(at + 8, to[1], item.big);
        }
    }
}

/* Whether the moved geometry meets the box, turned by `turn` degrees. */
static bool taco__box_meets_turned(const double box[4], double turn, taco_bytes moved, bool *hit,
                                   taco_error *err)
{
    double turned[4];
    memcpy(turned, box, sizeof turned);
    turned[0] += turn;
    turned[2] += turn;
    return taco__intersect_wkb_box(moved, turned, hit, err) == TACO_OK;
}

/* Whether a geometry of a projected CRS meets the box; scratch takes the copy. */
static bool taco__box_meets(const double box[4], int32_t code, taco_bytes wkb, taco__buf *scratch,
                            bool *hit, taco_error *err)
{
    double west, east;
    taco_bytes moved;
    scratch->len = 0;
    if (!taco__buf_append(scratch, wkb.data, wkb.len, err)) { return false; }
    moved = taco__bytes_of(scratch->data, scratch->len);
    if (taco__box_move_to_degrees(code, scratch->data, scratch->len, &west, &east, err) !=
            TACO_OK ||
        taco__intersect_wkb_box(moved, box, hit, err) != TACO_OK) {
        return false;
    }
    return (*hit || west >= -180 || taco__box_meets_turned(box, -360, moved, hit, err)) &&
           (*hit || east <= 180 || taco__box_meets_turned(box, 360, moved, hit, err));
}

/* Whether geometries of a CRS are compared with boxes in degrees: *code is what converts them, 0 if
   nothing does because they are in degrees. */
TACO__FN bool taco__box_crs_to_degrees(taco_bytes crs, int32_t *code)
{
    int32_t found = taco__box_crs_code(crs);
    *code = taco__box_crs_is_computed(found) ? found : 0;
    return *code || !crs.len || taco__projection_is_geographic(found);
}

/* The bounds of a geometry in the degrees in which taco__box_in_crs_test compares it; false if it
   is not WKB, or memory is short. */
TACO__FN bool taco__box_bounds_in_degrees(int32_t code, taco_bytes wkb, taco__buf *scratch,
                                          double out[4], bool *empty)
{
    double west, east;
    if (code) {
        scratch->len = 0;
        if (!taco__buf_append(scratch, wkb.data, wkb.len, NULL) ||
            taco__box_move_to_degrees(code, scratch->data, scratch->len, &west, &east, NULL) !=
                TACO_OK) {
            return false;
        }
        wkb = taco__bytes_of(scratch->data, scratch->len);
    }
    return taco__wkb_bounds(wkb, out, empty, NULL) == TACO_OK;
}

/* Whether a row meets a query's box: converted to degrees, or as it is where code is 0. */
static bool taco__box_row_meets(const taco__query_box *box, int32_t code, taco_bytes wkb,
                                taco__buf *scratch, bool *hit, taco_error *err)
{
    size_t k;
    bool ok = true;
    for (k = 0; ok && k < box->n && !*hit; k++) {
        ok = code ? taco__box_meets(box->edge[k], code, wkb, scratch, hit, err)
                  : taco__intersect_wkb_box(wkb, box->edge[k], hit, err) == TACO_OK;
    }
    return ok;
}

/* ---- a batch ---- */

/* taco__custom_predicate.eval_with: ctx is a taco__query_box. Neighbouring rows usually have the
   same CRS, whose text is then not parsed again. */
TACO__FN bool taco__box_in_crs_test(void *ctx, const taco_array *a, const taco_array *crs,
                                    size_t rows, taco__mem *mem, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    taco_bytes known = taco__bytes_of(NULL, 0);
    taco__buf scratch;
    int32_t code = 0;
    size_t i;
    bool ok = true;
    (void)valid_bits;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = mem;
    for (i = 0; ok && i < rows; i++) {
        taco_bytes wkb = taco_array_bytes(a, i), text = taco_array_bytes(crs, i);
        bool hit = false;
        if (!taco_array_valid(a, i)) { continue; }
        if (!taco__bytes_equal(text, known)) {
            known = text;
            code = taco__box_crs_code(text);
            code = taco__box_crs_is_computed(code) ? code : 0;
        }
        ok = taco__box_row_meets(box, code, wkb, &scratch, &hit, err);
        if (!ok) { taco__error_prefix(err, "row %u", TACO__U(i)); }
        if (hit) { taco__bitmap_set(true_bits, i); }
    }
    taco__buf_free(&scratch);
    return ok;
}

/* taco__custom_predicate.prune_with: if all rows have one CRS that is not converted, or none, the
   bounds of the geometries are in the numbers that the box is compared with. */
TACO__FN unsigned taco__box_in_crs_prune(void *ctx, const taco__column_stats *r,
                                         const taco__column_stats *crs)
{
    bool none = crs->row_count >= 0 && crs->null_count == crs->row_count;
    bool one = crs->has_min && crs->has_max && taco__bytes_equal(crs->min.b, crs->max.b);
    if (none || (one && !taco__box_crs_is_computed(taco__box_crs_code(crs->min.b)))) {
        return taco__query_box_prune(ctx, r);
    }
    return TACO__MAY_ANY;
}

/* ---- warnings ---- */

/* True if all texts from low to high are CRSs that are compared in degrees: one text, or two of one
   family of UTM zones, which are in order. */
static bool taco__box_crs_range_is_known(taco_bytes low, taco_bytes high)
{
    int32_t a = taco__box_crs_code(low), b = taco__box_crs_code(high);
    if (!(taco__projection_is_geographic(a) || taco__box_crs_is_computed(a)) ||
        !(taco__projection_is_geographic(b) || taco__box_crs_is_computed(b))) {
        return false;
    }
    return a == b || (low.len == high.len && a / 100 == b / 100);
}

/* Warns, once per query and table, if rows may have CRSs for which a box in degrees is meaningless:
   judged by the statistics of the row groups, which are in memory. */
TACO__FN void taco__box_in_crs_warn(const taco__table *t, size_t crs, const taco_options *options)
{
    taco_error w;
    uint32_t g;
    memset(&w, 0, sizeof w);
    if (!options || !options->warn || !t->pq) { return; }
    for (g = 0; g < taco__table_group_count(t); g++) {
        taco__column_stats r;
        taco__scan_prune_group_bounds(t, g, crs, &r);
        if (r.null_count >= 0 && r.null_count == r.row_count) { continue; }
        if (!r.has_min || !r.has_max || taco__box_crs_range_is_known(r.min.b, r.max.b)) {
            continue;
        }
        TACO__FAIL(
            &w, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
            "bbox: istac:crs is %q to %q: UTM, web mercator and geographic CRSs are compared "
            "with a box in degrees, geometries of others as they are",
            &r.min.b, &r.max.b);
        options->warn(options->warn_ctx, &w);
        return;
    }
}
