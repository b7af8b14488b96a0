/* collection_filter.c - bbox and time of a query on a collection: conditions on boxes and datetimes

   In: taco_filter.bbox or .time, and the table of one file; out: an expression that the scan tests
   and prunes by. A box matches a record whose own box intersects it, edges included. The scalar
   columns bbox_minx ... bbox_maxy are preferred, since their statistics prune row groups and pages,
   then the struct bbox, then the list scene_bbox. Times are those of Rasteret: "A/B" is A <=
   datetime <= B, "A" alone the whole day. Records with null never match. */
#include "rasteret.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"
#include "../dataset/dataset.h"

/* ---- boxes ---- */

typedef struct taco__rasteret_filter_box {
    double edge[4]; /* west, south, east, north */
    size_t at[4];   /* indexes of xmin, ymin, xmax, ymax */
} taco__rasteret_filter_box;

/* Boxes that only touch do intersect; with a NaN none does. */
static bool taco__rasteret_filter_intersects(const taco__rasteret_filter_box *b,
                                             const double box[4])
{
    return box[2] >= b->edge[0] && box[0] <= b->edge[2] && box[3] >= b->edge[1] &&
           box[1] <= b->edge[3];
}

/* The box of row i, from a struct; false if one of the four is null. */
static bool taco__rasteret_filter_read_struct(const taco_array *a, const size_t at[4], size_t i,
                                              double box[4])
{
    size_t k;
    if (!taco_array_valid(a, i)) { return false; }
    for (k = 0; k < 4; k++) {
        const taco_array *side = &a->children[at[k]];
        if (!taco_array_valid(side, i)) { return false; }
        box[k] = taco_array_double(side, i);
    }
    return true;
}

/* The same from a list of four. */
static bool taco__rasteret_filter_read_list(const taco_array *a, size_t i, double box[4])
{
    size_t k, first = (size_t)a->offsets[i];
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] != 4) { return false; }
    for (k = 0; k < 4; k++) {
        if (!taco_array_valid(&a->children[0], first + k)) { return false; }
        box[k] = taco_array_double(&a->children[0], first + k);
    }
    return true;
}

/* taco__custom_predicate.eval for bbox; NaN matches nothing. */
static bool taco__rasteret_filter_bbox_struct(void *ctx, const taco_array *a, size_t rows,
                                              uint8_t *true_bits, uint8_t *valid_bits,
                                              taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    double box[4];
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (taco__rasteret_filter_read_struct(a, b->at, i, box) &&
            taco__rasteret_filter_intersects(b, box)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* The same for scene_bbox. */
static bool taco__rasteret_filter_bbox_list(void *ctx, const taco_array *a, size_t rows,
                                            uint8_t *true_bits, uint8_t *valid_bits,
                                            taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    double box[4];
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (taco__rasteret_filter_read_list(a, i, box) &&
            taco__rasteret_filter_intersects(b, box)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* Whether, by its statistics, a row group may have a record that intersects b. */
static bool taco__rasteret_filter_group_may_match(const taco__pq_metadata *m, uint32_t g,
                                                  uint32_t first_leaf,
                                                  const taco__rasteret_filter_box *b)
{
    size_t k;
    for (k = 0; k < 4; k++) {
        uint32_t leaf = first_leaf + (uint32_t)b->at[k];
        taco__pq_bounds s;
        taco__column_stats range;
        taco__stats_bounds(m, &m->leaves[leaf], &m->groups[g].chunks[leaf].stats, &s);
        taco__scan_prune_bounds_of(&m->leaves[leaf], &s, m->groups[g].rows, &range);
        if (k < 2 ? range.has_min && range.min.f > b->edge[k + 2]
                  : range.has_max && range.max.f < b->edge[k - 2]) {
            return false;
        }
    }
    return true;
}

/* The same for any row group of the file. Done here because scans do not prune by leaves of a
   struct. */
static bool taco__rasteret_filter_may_match(const taco__table *t, size_t column,
                                            const taco__rasteret_filter_box *b)
{
    const taco__pq_metadata *m = t->pq ? &t->pq->meta : NULL;
    uint32_t g;
    if (!m || column >= t->stored) { return true; }
    for (g = 0; g < m->group_count; g++) {
        if (taco__rasteret_filter_group_may_match(m, g, t->fields[column].leaf, b)) { return true; }
    }
    return false;
}

/* Compares the DOUBLE column of that name with one edge; NULL, without an error, if there is
   none. */
static taco__expr *taco__rasteret_filter_compare_edge(taco__arena *arena, const taco__table *t,
                                                      const char *name, taco__compare_op op,
                                                      double edge, taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    if (c == TACO__NONE || t->fields[c].type != TACO_DOUBLE) { return NULL; }
    return taco__expr_compare(
        arena, op, taco__expr_column(arena, c, err),
        taco__expr_const(arena, taco__scalar_make_double(TACO_DOUBLE, edge), err), err);
}

/* maxx >= west, maxy >= south, minx <= east, miny <= north; NULL if the file lacks one of the four
   columns, or on failure. */
static taco__expr *taco__rasteret_filter_edges(taco__arena *arena, const taco__table *t,
                                               const double edge[4], taco_error *err)
{
    static const char *const names[4] = {"bbox_maxx", "bbox_maxy", "bbox_minx", "bbox_miny"};
    taco__expr *e = NULL, *x;
    size_t i;
    for (i = 0; i < 4; i++) {
        x = taco__rasteret_filter_compare_edge(arena, t, names[i],
                                               i < 2 ? TACO__OP_GE : TACO__OP_LE, edge[i], err);
        e = x ? taco__expr_and(arena, e, x, err) : NULL;
        if (!e) { return NULL; }
    }
    return e;
}

/* A condition that no row satisfies, so that none is read. */
static taco__expr *taco__rasteret_filter_never(taco__arena *arena, taco_error *err)
{
    return taco__expr_const(arena, taco__expr_bool_value(0), err);
}

/* Tests row by row, the struct or the list; in a file without boxes these are null. */
static taco__expr *taco__rasteret_filter_custom(taco__arena *arena, const taco__table *t,
                                                taco__rasteret_filter_box *b, taco_error *err)
{
    taco__custom_predicate custom;
    size_t c = taco__table_find_column(t, "bbox");
    memset(&custom, 0, sizeof custom);
    custom.ctx = b;
    if (c != TACO__NONE && taco__contract_find_bbox(&t->fields[c], b->at)) {
        custom.eval = taco__rasteret_filter_bbox_struct;
        return taco__rasteret_filter_may_match(t, c, b) ? taco__expr_custom(arena, c, &custom, err)
                                                        : taco__rasteret_filter_never(arena, err);
    }
    c = taco__table_find_column(t, "scene_bbox");
    if (c != TACO__NONE && taco__contract_is_bbox_list(&t->fields[c])) {
        custom.eval = taco__rasteret_filter_bbox_list;
        return taco__expr_custom(arena, c, &custom, err);
    }
    return taco__rasteret_filter_never(arena, err);
}

/* Boxes are neither normalized nor wrapped at the antimeridian. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    taco__rasteret_filter_box *b =
        (taco__rasteret_filter_box *)taco__arena_alloc(arena, sizeof *b, err);
    taco__expr *e;
    if (!b) { return NULL; }
    memcpy(b->edge, f->bbox, sizeof b->edge);
    if (!(b->edge[0] <= b->edge[2] && b->edge[1] <= b->edge[3])) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid box: west and south must not exceed east and north");
        return NULL;
    }
    e = taco__rasteret_filter_edges(arena, t, b->edge, err);
    return e || err->code != TACO_OK ? e : taco__rasteret_filter_custom(arena, t, b, err);
}

/* ---- times ---- */

/* The datetime column; TACO__NONE if it cannot be filtered. */
static size_t taco__rasteret_filter_time_column(const taco__table *t, const char *name,
                                                taco_error *err)
{
    size_t c = taco__table_find_column(t, name ? name : "datetime");
    if (c == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the collection has no datetime column");
    } else if (t->fields[c].type != TACO_NULL && t->fields[c].type != TACO_TIMESTAMP) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the collection's datetime column is not a timestamp");
        c = TACO__NONE;
    }
    return c;
}

/* The first instant after the period that ends with us, in the column's unit. In nanoseconds the
   last microsecond is part of it as a whole, unless it is the end of "A/B". */
static int64_t taco__rasteret_filter_after(int64_t us, taco_unit unit, bool range)
{
    switch (unit) {
    case TACO_NANO:
        return us > INT64_MAX / 1000 - 1   ? INT64_MAX
               : us < INT64_MIN / 1000 + 1 ? INT64_MIN
                                           : us * 1000 + (range ? 1 : 1000);
    case TACO_MILLI: return taco__time_floor_div(us, 1000) + 1;
    case TACO_SECOND: return taco__time_floor_div(us, 1000000) + 1;
    default: return us + 1;
    }
}

/* The end of a period is part of it; the condition is a half-open range. */
TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    int64_t day = 0, last = 0, from = 0, to = 0;
    bool range = strchr(f->time, '/') != NULL;
    size_t c;
    if (taco__time_parse_range(f->time, &day, &last, &from, &to, err) != TACO_OK) { return NULL; }
    c = taco__rasteret_filter_time_column(t, f->time_column, err);
    if (c == TACO__NONE) { return NULL; }
    if (t->fields[c].type == TACO_NULL) { return taco__rasteret_filter_never(arena, err); }
    if (from > to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid time range: its end is before its start");
        return NULL;
    }
    /* a date alone means that whole day */
    if (!range && from == day * TACO__TIME_DAY_MICROS && to == from) {
        to += TACO__TIME_DAY_MICROS - 1;
    }
    return taco__expr_range_i64(arena, c, taco__query_time_in_unit(from, t->fields[c].unit), true,
                                taco__rasteret_filter_after(to, t->fields[c].unit, range), true,
                                err);
}
