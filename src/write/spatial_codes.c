/* spatial_codes.c - majortom:code of a point, and groups of neighbours along the Z curve

   In: longitudes and latitudes in degrees; out: the name of a MajorTOM grid cell, and numbers of
   groups whose members are near each other and not too many. TACO 2.0 §8 (majortom:code,
   spatialgroup:code).

   Both repeat the reference's arithmetic: grid lines are where its floating-point numbers put
   them, groups are cut from the order of a Z curve of 21 bits a coordinate. */
#include "write.h"
#include "../base/base.h"

/* ---- the MajorTOM grid
   ---------------------------------------------------------------------------- */

/* Line i of those that are `step` degrees apart. Each result is stored as a double, as the
   reference's are. */
static double taco__spatial_line_at(uint64_t i, double step, double turn)
{
    TACO__ROUNDED v = (double)i * step;
    v = v - turn / 2;
    if (v < 0) { v = v + turn; }
    v = v - turn / 2;
    return v;
}

/* The greatest of n lines around a circle of `turn` degrees that is less than x, among those up
   to `limit` from 0. Where there is none, the greatest of all with `wrap`, else the least.
   *index counts lines from 0, negative below. */
static double taco__spatial_grid_line(uint64_t n, double turn, double limit, double x, bool wrap,
                                      int64_t *index)
{
    const TACO__ROUNDED step = turn / (double)n;
    double best = 0, least = 0, most = 0, at;
    bool found = false, any = false;
    uint64_t i;
    for (i = 0; i < n; i++) {
        at = taco__spatial_line_at(i, step, turn);
        if (at < -limit || at > limit) { continue; }
        least = !any || at < least ? at : least;
        most = !any || at > most ? at : most;
        any = true;
        if (at < x && (!found || at > best)) {
            best = at;
            found = true;
        }
    }
    best = found ? best : wrap ? most : least;
    *index = 0;
    for (i = 0; i < n; i++) {
        at = taco__spatial_line_at(i, step, turn);
        *index += best >= 0 ? at >= 0 && at < best : -(at >= best && at < 0);
    }
    return best;
}

/* The next integer, for x from 0 to 2^63. */
static uint64_t taco__spatial_ceil(double x)
{
    uint64_t n = (uint64_t)x;
    return n + ((double)n < x);
}

/* At least four digits of |x|; returns their end. */
TACO__FN char *taco__spatial_write_digits(char *p, int64_t x)
{
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, ten;
    for (ten = 1000; ten > 1 && u < ten; ten /= 10) {
        *p++ = '0';
    }
    return p + taco__num_format_u64(p, u);
}

/* Rows are lines of latitude `km` apart, counted from the equator (U up, D down); columns are
   lines of longitude, as far apart on the row's southern edge (R right, L left). Example: 100 km
   at 5 E, 52 N is "0100km_0058U_0003R". */
TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err)
{
    const double radius = 6378.137;
    int64_t row, column;
    double south, s, c, around;
    if (!(km >= 0.5 && km <= 20000) || !(lon >= -180 && lon <= 180) || !(lat >= -90 && lat <= 90)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km and a point in degrees are wanted");
    }
    south = taco__spatial_grid_line(taco__spatial_ceil(TACO__PROJECTION_PI * radius / km), 180, 85,
                                    lat, false, &row);
    taco__projection_sincos(south * (TACO__PROJECTION_PI / 180), &s, &c);
    around = 2 * TACO__PROJECTION_PI * radius * c / km;
    (void)taco__spatial_grid_line(around > 1 ? taco__spatial_ceil(around) : 1, 360, 180, lon, true,
                                  &column);
    out = taco__spatial_write_digits(out, (int64_t)km);
    memcpy(out, "km_", 3);
    out = taco__spatial_write_digits(out + 3, row);
    *out++ = row < 0 ? 'D' : 'U';
    *out++ = '_';
    out = taco__spatial_write_digits(out, column);
    *out++ = column < 0 ? 'L' : 'R';
    *out = 0;
    return TACO_OK;
}

/* ---- groups of neighbours
   ------------------------------------------------------------------------- */

typedef struct taco__spatial_place {
    uint64_t code;
    size_t index;
} taco__spatial_place;

/* Order along the curve; points of one place keep theirs. */
static int taco__spatial_compare_places(const void *a, const void *b)
{
    const taco__spatial_place *x = (const taco__spatial_place *)a,
                              *y = (const taco__spatial_place *)b;
    return x->code != y->code     ? (x->code < y->code ? -1 : 1)
           : x->index != y->index ? (x->index < y->index ? -1 : 1)
                                  : 0;
}

/* The place of a point on the Z curve over the globe: 21 bits of longitude and of latitude in
   turn, longitude in the even ones. */
static uint64_t taco__spatial_z_order(const double *point)
{
    const double most = (1 << 21) - 1;
    int64_t x = (int64_t)((point[0] + 180) / 360 * most);
    int64_t y = (int64_t)((point[1] + 90) / 180 * most);
    uint64_t code = 0;
    unsigned i;
    for (i = 0; i < 21; i++) {
        code |= ((uint64_t)x >> i & 1) << (2 * i) | ((uint64_t)y >> i & 1) << (2 * i + 1);
    }
    return code;
}

/* Sorts the points along the curve, then cuts: a new group begins where one more point would be
   too much for the last. Points that are NaN or far off the globe belong to none. */
TACO_API taco_status taco_spatial_groups(const double *points, const uint64_t *sizes, size_t n,
                                         uint64_t most_samples, uint64_t most_bytes,
                                         uint32_t *groups, taco_error *err)
{
    taco__mem mem;
    taco__spatial_place *order;
    size_t bytes, i, k = 0;
    uint64_t samples = 0, sum = 0;
    uint32_t group = 0;
    if ((!most_samples && !most_bytes) || (most_bytes && !sizes)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "groups want a most of samples or of bytes, and then sizes");
    }
    taco__mem_init(&mem, NULL);
    if (!taco__checked_mul_size(n, sizeof *order, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u points", TACO__U(n));
    }
    order = (taco__spatial_place *)taco__mem_alloc(&mem, bytes, err);
    if (!order) { return TACO_ERR_MEMORY; }
    for (i = 0; i < n; i++) {
        const double *p = points + 2 * i;
        groups[i] = UINT32_MAX;
        if (p[0] >= -1e6 && p[0] <= 1e6 && p[1] >= -1e6 && p[1] <= 1e6) {
            order[k].index = i;
            order[k++].code = taco__spatial_z_order(p);
        }
    }
    if (k) { qsort(order, k, sizeof *order, taco__spatial_compare_places); }
    for (i = 0; i < k; i++) {
        uint64_t size = sizes ? sizes[order[i].index] : 0;
        if (samples && ((most_samples && samples >= most_samples) ||
                        (most_bytes && (sum > most_bytes || size > most_bytes - sum)))) {
            group++;
            samples = sum = 0;
        }
        groups[order[i].index] = group;
        samples++;
        sum += size;
    }
    taco__mem_free(&mem, order, bytes ? bytes : 1);
    return TACO_OK;
}
