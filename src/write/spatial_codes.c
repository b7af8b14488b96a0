/* spatial_codes.c - majortom:code of a point, and groups of neighbours along the Z curve

   In: longitudes and latitudes in degrees; out: the name of a MajorTOM grid cell (and back: the
   corner of a cell by its name), and numbers of groups of nearby points, of limited size.
   TACO 2.0 §8 (majortom:code, spatialgroup:code).

   Both repeat the reference's arithmetic: grid lines are where its floating-point numbers put
   them, groups are cut from the order along a Z curve of 21 bits per coordinate. */
#include "write.h"
#include "../base/base.h"
#include "../geo/geo.h"

/* ---- the MajorTOM grid
   ---------------------------------------------------------------------------- */

#define TACO__SPATIAL_RADIUS 6378.137 /* radius of the earth at the equator, in kilometres */

/* Line i of lines `step` degrees apart. Each result is stored as a double, as in the reference. */
static double taco__spatial_line_at(uint64_t i, double step, double turn)
{
    TACO__ROUNDED v = (double)i * step;
    v = v - turn / 2;
    if (v < 0) { v = v + turn; }
    v = v - turn / 2;
    return v;
}

/* Lines around a circle of `turn` degrees; those from lo to hi belong to the grid. */
typedef struct taco__spatial_lines {
    uint64_t n;
    double turn, lo, hi;
} taco__spatial_lines;

/* The greatest line of the grid that is less than x; if there is none, the greatest of all with
   `wrap`, else the least. *index counts lines from 0, negative below, including those outside of
   the grid. False if the grid has no line. */
static bool taco__spatial_grid_line(const taco__spatial_lines *g, double x, bool wrap, double *line,
                                    int64_t *index)
{
    const TACO__ROUNDED step = g->turn / (double)g->n;
    double best = 0, least = 0, most = 0, at;
    bool found = false, any = false;
    uint64_t i;
    for (i = 0; i < g->n; i++) {
        at = taco__spatial_line_at(i, step, g->turn);
        if (at < g->lo || at > g->hi) { continue; }
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
    for (i = 0; any && i < g->n; i++) {
        at = taco__spatial_line_at(i, step, g->turn);
        *index += best >= 0 ? at >= 0 && at < best : -(at >= best && at < 0);
    }
    *line = best;
    return any;
}

/* The line with that index; false if the grid does not have it. */
static bool taco__spatial_indexed_line(const taco__spatial_lines *g, int64_t index, double *line)
{
    const TACO__ROUNDED step = g->turn / (double)g->n;
    uint64_t i = index < 0 ? g->n - (0 - (uint64_t)index) : (uint64_t)index;
    if (i >= g->n) { return false; }
    *line = taco__spatial_line_at(i, step, g->turn);
    return (*line >= 0) == (index >= 0) && *line >= g->lo && *line <= g->hi;
}

/* The next integer, for x from 0 to 2^63. */
static uint64_t taco__spatial_ceil(double x)
{
    uint64_t n = (uint64_t)x;
    return n + ((double)n < x);
}

/* Writes |x| with at least four digits; returns their end. */
TACO__FN char *taco__spatial_write_digits(char *p, int64_t x)
{
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, ten;
    for (ten = 1000; ten > 1 && u < ten; ten /= 10) {
        *p++ = '0';
    }
    return p + taco__num_format_u64(p, u);
}

/* The lines of latitude, which are rows. ARGUMENT for impossible grids. */
static taco_status taco__spatial_rows(const taco_majortom_grid *g, double km,
                                      taco__spatial_lines *rows, taco_error *err)
{
    const bool given = g->south < 0 || g->south > 0 || g->north < 0 || g->north > 0;
    rows->turn = 180;
    rows->lo = given ? g->south : -85;
    rows->hi = given ? g->north : 85;
    if (!(km >= 0.5 && km <= 20000) || !(rows->lo <= rows->hi)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km is wanted, and south not above north");
    }
    rows->n = taco__spatial_ceil(TACO__PROJECTION_PI * TACO__SPATIAL_RADIUS / km);
    return TACO_OK;
}

/* The lines of longitude of a row, which are its columns: about km apart on its southern edge. */
static void taco__spatial_columns(const taco_majortom_grid *g, double km, double south,
                                  taco__spatial_lines *columns)
{
    const bool given = g->west < 0 || g->west > 0 || g->east < 0 || g->east > 0;
    double s, c, around;
    taco__projection_sincos(south * (TACO__PROJECTION_PI / 180), &s, &c);
    around = 2 * TACO__PROJECTION_PI * TACO__SPATIAL_RADIUS * c / km;
    columns->n = around > 1 ? taco__spatial_ceil(around) : 1;
    columns->turn = 360;
    columns->lo = given ? g->west : -180;
    columns->hi = given ? g->east : 180;
}

/* Rows are counted from the equator (U up, D down), columns from the meridian (R right, L left).
   Example: 100 km at 5 E, 52 N is "0100km_0058U_0003R". */
TACO_API taco_status taco_majortom_code(const taco_majortom_grid *grid, double lon, double lat,
                                        char *out, size_t room, taco_error *err)
{
    taco__spatial_lines rows, columns;
    const char *between = grid && grid->separator ? grid->separator : "_";
    size_t n = strlen(between);
    double south = 0, west;
    int64_t row = 0, column = 0;
    char number[24];
    err = taco__error_fresh(err, NULL);
    if (!grid || !out || !(lon >= -180 && lon <= 180) || !(lat >= -90 && lat <= 90)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km and a point in degrees are wanted");
    }
    if (taco__spatial_rows(grid, grid->km, &rows, err) != TACO_OK) { return TACO_ERR_ARGUMENT; }
    if (!taco__spatial_grid_line(&rows, lat, false, &south, &row)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "the grid has no row between its south and its north");
    }
    taco__spatial_columns(grid, grid->km, south, &columns);
    /* a row without columns gets one, as in the reference: 0000R */
    taco__spatial_grid_line(&columns, lon, true, &west, &column);
    if (room < 3 * sizeof number + 2 * n) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "a code needs %u bytes, there are %u", TACO__U(3 * sizeof number + 2 * n),
                          TACO__U(room));
    }
    out = taco__spatial_write_digits(out, (int64_t)grid->km);
    memcpy(out, "km", 2);
    memcpy(out + 2, between, n);
    out = taco__spatial_write_digits(out + 2 + n, row);
    *out++ = row < 0 ? 'D' : 'U';
    memcpy(out, between, n);
    out = taco__spatial_write_digits(out + n, column);
    *out++ = column < 0 ? 'L' : 'R';
    *out = 0;
    return TACO_OK;
}

TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err)
{
    char code[3 * 24 + 2];
    taco_majortom_grid grid;
    taco_status st;
    err = taco__error_fresh(err, NULL);
    memset(&grid, 0, sizeof grid);
    grid.km = km;
    st = taco_majortom_code(&grid, lon, lat, code, sizeof code, err);
    if (st == TACO_OK) { memcpy(out, code, strlen(code) + 1); }
    return st;
}

/* Reads the digits at the start of *text, and moves it after them. */
static bool taco__spatial_read_digits(const char **text, int64_t *out)
{
    uint64_t x = 0;
    size_t n = 0;
    while (taco__ascii_is_digit((uint8_t)(*text)[n])) {
        n++;
    }
    if (!n || n > 9 || !taco__num_parse_u64(taco__bytes_of(*text, n), &x)) { return false; }
    *text += n;
    *out = (int64_t)x;
    return true;
}

/* Parses a code: kilometres, row and column. False if it is not a code. */
static bool taco__spatial_parse_code(const char *code, const char *between, int64_t *km,
                                     int64_t *row, int64_t *column)
{
    size_t n = strlen(between);
    bool down, left;
    if (!taco__spatial_read_digits(&code, km) || strncmp(code, "km", 2) != 0 ||
        strncmp(code + 2, between, n) != 0) {
        return false;
    }
    code += 2 + n;
    if (!taco__spatial_read_digits(&code, row) || (*code != 'U' && *code != 'D')) { return false; }
    down = *code++ == 'D';
    if (strncmp(code, between, n) != 0) { return false; }
    code += n;
    if (!taco__spatial_read_digits(&code, column) || (*code != 'R' && *code != 'L')) {
        return false;
    }
    left = *code == 'L';
    *row = down ? -*row : *row;
    *column = left ? -*column : *column;
    return code[1] == 0 && !(down && *row == 0) && !(left && *column == 0);
}

TACO_API taco_status taco_majortom_point(const taco_majortom_grid *grid, const char *code,
                                         double out[2], taco_error *err)
{
    taco__spatial_lines rows, columns;
    taco_majortom_grid none;
    taco_bytes text = taco__bytes_text(code ? code : "");
    int64_t km = 0, row = 0, column = 0;
    double size, west, south;
    bool any;
    err = taco__error_fresh(err, NULL);
    memset(&none, 0, sizeof none);
    grid = grid ? grid : &none;
    if (!out ||
        !taco__spatial_parse_code((const char *)text.data, grid->separator ? grid->separator : "_",
                                  &km, &row, &column)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a code like 0100km_0003U_0005R is wanted, found %q", &text);
    }
    size = grid->km > 0 ? grid->km : (double)km;
    if (taco__spatial_rows(grid, size, &rows, err) != TACO_OK) { return TACO_ERR_ARGUMENT; }
    if (!taco__spatial_indexed_line(&rows, row, &south)) {
        return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the grid has no row of %q",
                          &text);
    }
    taco__spatial_columns(grid, size, south, &columns);
    if (!taco__spatial_indexed_line(&columns, column, &west)) {
        double line;
        int64_t first;
        any = taco__spatial_grid_line(&columns, 0, true, &line, &first);
        if (any || column != 0) {
            return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                              "the grid has no column of %q", &text);
        }
        west = -180; /* the row has no columns: see taco_majortom_code */
    }
    out[0] = west;
    out[1] = south;
    return TACO_OK;
}

/* ---- groups of neighbours
   ------------------------------------------------------------------------- */

typedef struct taco__spatial_place {
    uint64_t code;
    size_t index;
} taco__spatial_place;

/* Order along the curve; points of the same place keep theirs. */
static int taco__spatial_compare_places(const void *ctx, const void *a, const void *b)
{
    const taco__spatial_place *x = (const taco__spatial_place *)a,
                              *y = (const taco__spatial_place *)b;
    (void)ctx;
    return x->code != y->code     ? (x->code < y->code ? -1 : 1)
           : x->index != y->index ? (x->index < y->index ? -1 : 1)
                                  : 0;
}

/* The position of a point on the Z curve over the globe: 21 bits of longitude and of latitude
   alternating, longitude in the even ones. */
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

/* Sorts the points along the curve, then cuts: a new group begins when one more point would exceed
   the limits of the last. Points that are NaN or far off the globe belong to no group. */
TACO_API taco_status taco_spatial_groups(const double *points, const uint64_t *sizes, size_t n,
                                         uint64_t most_samples, uint64_t most_bytes,
                                         uint32_t *groups, taco_error *err)
{
    taco__mem mem;
    taco__spatial_place *order;
    size_t bytes, i, k = 0;
    uint64_t samples = 0, sum = 0;
    uint32_t group = 0;
    err = taco__error_fresh(err, NULL);
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
    if (!taco__sort_in(&mem, order, k, sizeof *order, taco__spatial_compare_places, NULL, err)) {
        taco__mem_free(&mem, order, bytes);
        return TACO_ERR_MEMORY;
    }
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
