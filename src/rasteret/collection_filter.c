/* collection_filter.c - collections as datasets: filters, description, the calls of the public
   API. */
#include "rasteret.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"
#include "../dataset/dataset.h"

/* ---- filters
   ------------------------------------------------------------------------------------- */

typedef struct taco__rasteret_filter_box {
    double edge[4]; /* west, south, east, north */
    size_t at[4];   /* places of xmin, ymin, xmax, ymax */
} taco__rasteret_filter_box;

static bool taco__rasteret_filter_intersects(const taco__rasteret_filter_box *b,
                                             const double box[4])
{
    return box[2] >= b->edge[0] && box[0] <= b->edge[2] && box[3] >= b->edge[1] &&
           box[1] <= b->edge[3];
}

/* bbox, a struct: NULL and NaN meet nothing. */
static bool taco__rasteret_filter_bbox_struct(void *ctx, const taco_array *a, size_t rows,
                                              uint8_t *true_bits, uint8_t *valid_bits,
                                              taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    size_t i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double box[4] = {0, 0, 0, 0};
        bool valid = taco_array_valid(a, i);
        for (k = 0; valid && k < 4; k++) {
            valid = taco_array_valid(&a->children[b->at[k]], i);
            box[k] = valid ? taco_array_double(&a->children[b->at[k]], i) : 0;
        }
        if (valid && taco__rasteret_filter_intersects(b, box)) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* scene_bbox, a list of four. */
static bool taco__rasteret_filter_bbox_list(void *ctx, const taco_array *a, size_t rows,
                                            uint8_t *true_bits, uint8_t *valid_bits,
                                            taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    size_t i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double box[4] = {0, 0, 0, 0};
        bool valid = taco_array_valid(a, i) && a->offsets[i + 1] - a->offsets[i] == 4;
        for (k = 0; valid && k < 4; k++) {
            valid = taco_array_valid(&a->children[0], (size_t)a->offsets[i] + k);
            box[k] = valid ? taco_array_double(&a->children[0], (size_t)a->offsets[i] + k) : 0;
        }
        if (valid && taco__rasteret_filter_intersects(b, box)) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* Whether statistics leave a row group whose boxes may meet b: leaves of the struct are not the
   scan's to prune by. */
static bool taco__rasteret_filter_may_match(const taco__table *t, size_t column,
                                            const taco__rasteret_filter_box *b)
{
    const taco__pq_metadata *m = t->pq ? &t->pq->meta : NULL;
    uint32_t g;
    size_t k;
    for (g = 0; m && column < t->stored && g < m->group_count; g++) {
        bool may = true;
        for (k = 0; k < 4; k++) {
            uint32_t leaf = t->fields[column].leaf + (uint32_t)b->at[k];
            taco__pq_bounds s;
            taco__column_stats range;
            taco__stats_bounds(m, &m->leaves[leaf], &m->groups[g].chunks[leaf].stats, &s);
            taco__scan_prune_bounds_of(&m->leaves[leaf], &s, m->groups[g].rows, &range);
            if (k < 2 ? range.has_min && range.min.f > b->edge[k + 2]
                      : range.has_max && range.max.f < b->edge[k - 2]) {
                may = false;
            }
        }
        if (may) { return true; }
    }
    return !m || column >= t->stored;
}

static taco__expr *taco__rasteret_filter_compare_edge(taco__arena *arena, const taco__table *t,
                                                      const char *name, taco__compare_op op,
                                                      double edge, taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    return c == SIZE_MAX
               ? NULL
               : taco__expr_compare(
                     arena, op, taco__expr_column(arena, c, err),
                     taco__expr_const(arena, taco__scalar_make_double(TACO_DOUBLE, edge), err),
                     err);
}

/* rec.maxx >= west, rec.minx <= east, and so on. The scalar columns are preferred: their statistics
   prune row groups and pages. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    static const char *const names[4] = {"bbox_maxx", "bbox_maxy", "bbox_minx", "bbox_miny"};
    taco__rasteret_filter_box *b =
        (taco__rasteret_filter_box *)taco__arena_alloc(arena, sizeof *b, err);
    taco__custom_predicate custom;
    taco__expr *e = NULL, *x;
    size_t c, i;
    if (!b) { return NULL; }
    memcpy(b->edge, f->bbox, sizeof b->edge);
    if (!(b->edge[0] <= b->edge[2] && b->edge[1] <= b->edge[3])) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid box: west and south must not exceed east and north");
        return NULL;
    }
    for (i = 0; i < 4; i++) {
        c = taco__table_find_column(t, names[i]);
        if (c == SIZE_MAX || t->fields[c].type != TACO_DOUBLE) { break; }
        x = taco__rasteret_filter_compare_edge(arena, t, names[i],
                                               i < 2 ? TACO__OP_GE : TACO__OP_LE, b->edge[i], err);
        e = x ? taco__expr_and(arena, e, x, err) : NULL;
        if (!e) { return NULL; }
    }
    if (i == 4) { return e; }
    memset(&custom, 0, sizeof custom);
    custom.ctx = b;
    c = taco__table_find_column(t, "bbox");
    if (c != SIZE_MAX && taco__contract_find_bbox(&t->fields[c], b->at)) {
        custom.eval = taco__rasteret_filter_bbox_struct;
        return taco__rasteret_filter_may_match(t, c, b)
                   ? taco__expr_custom(arena, c, &custom, err)
                   : taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    c = taco__table_find_column(t, "scene_bbox");
    if (c != SIZE_MAX && taco__contract_is_bbox_list(&t->fields[c])) {
        custom.eval = taco__rasteret_filter_bbox_list;
        return taco__expr_custom(arena, c, &custom, err);
    }
    return taco__expr_const(arena, taco__expr_bool_value(0),
                            err); /* a file without boxes: all null */
}

TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    int64_t day = 0, last = 0, from = 0, to = 0, unit = 1;
    size_t c = taco__table_find_column(t, f->time_column ? f->time_column : "datetime");
    if (taco__time_parse_range(f->time, &day, &last, &from, &to, err) != TACO_OK) { return NULL; }
    if (c == SIZE_MAX) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the collection has no datetime column");
        return NULL;
    }
    if (t->fields[c].type == TACO_NULL) {
        return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    if (t->fields[c].type != TACO_TIMESTAMP) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the collection's datetime column is not a timestamp");
        return NULL;
    }
    if (from > to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid time range: its end is before its start");
        return NULL;
    }
    if (!strchr(f->time, '/') && from == day * 86400000000LL && to == from) {
        to += 86400000000LL - 1;
    }
    if (t->fields[c].unit == TACO_NANO) {
        to = to > INT64_MAX / 1000 - 1 ? INT64_MAX - 1
                                       : to * 1000 + 999 * (strchr(f->time, '/') == NULL);
    } else {
        unit = t->fields[c].unit == TACO_MILLI    ? 1000
               : t->fields[c].unit == TACO_SECOND ? 1000000
                                                  : 1;
        to = taco__time_floor_div(to, unit);
    }
    return taco__expr_range_i64(arena, c, taco__query_time_in_unit(from, t->fields[c].unit), true,
                                to + 1, true, err);
}
