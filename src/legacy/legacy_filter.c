/* legacy_filter.c - bbox and time of a query on old files: centroids in text, times in seconds

   In: taco_filter.bbox or .time, and a table; out: a condition. Tortilla has stac:centroid as
   "POINT (x y)" and stac:time_start as seconds since 1970, which are tested row by row; columns
   of WKB, timestamps and text are handled as in TACO 2 (dataset/query_filter.c). */
#include "legacy.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"

TACO__FN bool taco__legacy_filter_parse_point(taco_bytes text, double xy[2])
{
    return taco__bytes_starts_with(text, "POINT") && taco__wkb_point_from_text(text, xy);
}

/* taco__custom_predicate.eval: points in the box, edges included. */
static bool taco__legacy_filter_match_bbox(void *ctx, const taco_array *a, size_t rows,
                                           uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    double xy[2];
    size_t i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco_array_valid(a, i) ||
            !taco__legacy_filter_parse_point(taco_array_bytes(a, i), xy)) {
            continue;
        }
        for (k = 0; k < box->n; k++) {
            const double *b = box->edge[k];
            if (xy[0] >= b[0] && xy[0] <= b[2] && xy[1] >= b[1] && xy[1] <= b[3]) {
                taco__bitmap_set(true_bits, i);
            }
        }
    }
    return true;
}

TACO__FN taco__expr *taco__legacy_filter_bbox(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid", "istac:centroid"};
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box;
    if (c == TACO__NONE) { return NULL; }
    if (t->fields[c].type != TACO_TEXT) { return taco__query_add_bbox(arena, t, f, NULL, err); }
    box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (!box || taco__intersect_split_box(f->bbox, box->edge, &box->n, err) != TACO_OK) {
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__legacy_filter_match_bbox;
    return taco__expr_custom(arena, c, &custom, err);
}

/* taco__custom_predicate.eval: seconds from `from` to before `to`, which are microseconds. */
static bool taco__legacy_filter_match_time(void *ctx, const taco_array *a, size_t rows,
                                           uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double t = taco_array_double(a, i) * 1e6;
        if (taco_array_valid(a, i) && t >= (double)s->from && t < (double)s->to) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* The period of a filter in microseconds: whole days, or with exact_time instants, at least 1. */
static bool taco__legacy_filter_period(const taco_filter *f, taco__query_period *p, taco_error *err)
{
    int64_t first = 0, last = 0, from = 0, to = 0;
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK) {
        return false;
    }
    p->days = !f->exact_time;
    p->from = f->exact_time ? from : first * TACO__TIME_DAY_MICROS;
    p->to = !f->exact_time ? (last + 1) * TACO__TIME_DAY_MICROS : to > from ? to : from + 1;
    return true;
}

TACO__FN taco__expr *taco__legacy_filter_time(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"};
    size_t c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    taco__custom_predicate custom;
    taco__query_period *period;
    if (c == TACO__NONE) { return NULL; }
    if (!taco__concat_is_integer(t->fields[c].type) && !taco__concat_is_float(t->fields[c].type)) {
        return taco__query_add_time(arena, t, f, err);
    }
    period = (taco__query_period *)taco__arena_alloc(arena, sizeof *period, err);
    if (!period || !taco__legacy_filter_period(f, period, err)) { return NULL; }
    memset(&custom, 0, sizeof custom);
    custom.ctx = period;
    custom.eval = taco__legacy_filter_match_time;
    return taco__expr_custom(arena, c, &custom, err);
}
