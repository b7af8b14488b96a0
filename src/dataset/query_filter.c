/* query_filter.c - parents of rows, and the rows that filters of several levels leave.. Spec: TACO
   2.0 §7.2.2 "Cascading Joins" */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../geo/geo.h"

/* ---- padding
   ------------------------------------------------------------------------------------ */

/* Matches rows that are no padding, those without an id among them. */
static bool taco__query_padding_test(void *ctx, const taco_array *a, size_t rows,
                                     uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    size_t i;
    (void)ctx;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco_array_valid(a, i) ||
            !taco__bytes_starts_with(taco_array_bytes(a, i), TACO__PADDING_PREFIX)) {
            taco__bitmap_set(true_bits, i);
        }
        taco__bitmap_set(valid_bits, i);
    }
    return true;
}

/* Ids between two bounds hold no padding when both lie on one side of it. */
static unsigned taco__query_padding_prune(void *ctx, const taco__column_stats *r)
{
    taco_bytes first = taco__bytes_text(TACO__PADDING_PREFIX),
               behind = taco__bytes_text("__TACOPAE");
    (void)ctx;
    if ((r->has_max && taco__bytes_compare(r->max.b, first) < 0) ||
        (r->has_min && taco__bytes_compare(r->min.b, behind) >= 0)) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}

/* Whether a level may hold padding at all: where the statistics say no, ids are not even read. */
static bool taco__query_may_have_padding(taco__level *l)
{
    uint32_t g;
    if (l->padded < 0 && l->role.id != TACO__NONE &&
        l->table.fields[l->role.id].type == TACO_TEXT) {
        l->padded = l->table.pq == NULL && l->table.rows;
        for (g = 0; l->table.pq && g < taco__table_group_count(&l->table) && !l->padded; g++) {
            taco__column_stats r;
            taco__scan_prune_group_bounds(&l->table, g, l->role.id, &r);
            l->padded = taco__query_padding_prune(NULL, &r) != TACO__MAY_TRUE;
        }
    }
    return l->padded > 0;
}

/* e AND (the row is no padding); e alone where the level has none. */
TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err)
{
    taco__custom_predicate c;
    taco__expr *real;
    if (!taco__query_may_have_padding(l)) { return true; }
    memset(&c, 0, sizeof c);
    c.eval = taco__query_padding_test;
    c.prune = taco__query_padding_prune;
    real = taco__expr_custom(arena, l->role.id, &c, err);
    *e = real ? taco__expr_and(arena, *e, real, err) : NULL;
    return *e != NULL;
}

static bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                 uint8_t *valid_bits, taco_error *err)
{
    taco_array part = *a;
    (void)valid_bits;
    part.length = rows;
    return taco__intersect_filter(&part, ((const taco__query_box *)ctx)->edge, true_bits, err) ==
           TACO_OK;
}

/* Times that are stored as text, in the way of TRY_CAST: what does not parse does not match. */
static bool taco__query_text_time_test(void *ctx, const taco_array *a, size_t rows,
                                       uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        taco_bytes b = taco_array_bytes(a, i);
        int32_t day;
        int64_t us;
        bool date, zone;
        if (!taco_array_valid(a, i)) { continue; }
        if (s->days ? taco__time_cast_date(b, &day)
                    : taco__time_cast_timestamp(b, &us, &date, &zone)) {
            us = s->days ? (int64_t)day * 86400000000LL : us;
            if (us >= s->from && us < s->to) { taco__bitmap_set(true_bits, i); }
        }
    }
    return true;
}

static bool taco__query_int96_time_test(void *ctx, const taco_array *a, size_t rows,
                                        uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t ns;
        if (taco_array_valid(a, i) && taco__time_int96_to_nanos(a->v.u8 + i * 12, &ns)) {
            int64_t us = ns / 1000 - (ns % 1000 < 0);
            if (us >= s->from && us < s->to) { taco__bitmap_set(true_bits, i); }
        }
    }
    return true;
}

/* The first of the names that the table has; NOT_FOUND, naming them all, when it has none. */
TACO__FN size_t taco__query_find_column(const taco__table *t, const char *asked,
                                        const char *const *names, size_t n, const char *what,
                                        taco_error *err)
{
    size_t i, c;
    if (asked) {
        c = taco__table_find_column(t, asked);
        if (c == TACO__NONE) {
            taco__field_names_no_column(t->fields, t->field_count, taco__bytes_text(asked), err);
        }
        return c;
    }
    for (i = 0; i < n; i++) {
        c = taco__table_find_column(t, names[i]);
        if (c != TACO__NONE) { return c; }
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "no column to filter by %s: none of %s, %s%s%s", what, names[0], names[1],
               n > 2 ? ", " : "", n > 2 ? names[2] : "");
    return TACO__NONE;
}

TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid",
                                        "istac:centroid"}; /* spec 7.2.2 */
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (c == TACO__NONE || !box ||
        taco__intersect_normalize_box(f->bbox, box->edge, err) != TACO_OK) {
        return NULL;
    }
    if (t->fields[c].type != TACO_BINARY) {
        taco_bytes name = taco__bytes_text(t->fields[c].name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is no geometry: WKB is binary",
                   &name);
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__query_box_test;
    return taco__expr_custom(arena, c, &custom, err);
}

/* us in the unit of a column; beyond its reach, the end of it. */
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit)
{
    if (unit == TACO_NANO) {
        return us > INT64_MAX / 1000 ? INT64_MAX : us < INT64_MIN / 1000 ? INT64_MIN : us * 1000;
    }
    if (unit == TACO_MILLI ||
        unit == TACO_SECOND) { /* the first whole unit that is not before us */
        int64_t per = unit == TACO_MILLI ? 1000 : 1000000;
        return us / per + (us % per > 0);
    }
    return us;
}

TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"}; /* spec 7.2.2 */
    size_t c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    int64_t first = 0, last = 0, from = 0, to = 0;
    taco__custom_predicate custom;
    taco__query_period *span = (taco__query_period *)taco__arena_alloc(arena, sizeof *span, err);
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK ||
        c == TACO__NONE || !span) {
        return NULL;
    }
    span->days = !f->exact_time;
    span->from = f->exact_time ? from : first * 86400000000LL;
    span->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * 86400000000LL;
    memset(&custom, 0, sizeof custom);
    custom.ctx = span;
    switch (t->fields[c].type) {
    case TACO_TIMESTAMP:
        return taco__expr_range_i64(
            arena, c, taco__query_time_in_unit(span->from, t->fields[c].unit), true,
            taco__query_time_in_unit(span->to, t->fields[c].unit), true, err);
    case TACO_DATE: /* a date is its midnight */
        return taco__expr_range_i64(
            arena, c,
            taco__query_time_in_unit(span->from, TACO_MICRO) / 86400000000LL +
                (span->from % 86400000000LL > 0),
            true, span->to / 86400000000LL + (span->to % 86400000000LL > 0), true, err);
    case TACO_TEXT: custom.eval = taco__query_text_time_test; break;
    case TACO_INT96: custom.eval = taco__query_int96_time_test; break;
    default: /* TRY_CAST of any other type gives no date: no row matches */
        span->from = span->to = 0;
        return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    return taco__expr_custom(arena, c, &custom, err);
}

/* The time and box of one filter on one level of one store, AND *e. Its condition is
   taco__query_parse_condition's. */
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f, taco__expr **e,
                                     taco_error *err)
{
    taco__expr *x;
    if (f->time) {
        x = s && s->format && s->format->time ? s->format->time(arena, t, f, err)
                                              : taco__query_add_time(arena, t, f, err);
        if (!x) { return false; }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->bbox) {
        x = s && s->format && s->format->bbox ? s->format->bbox(arena, t, f, err)
                                              : taco__query_add_bbox(arena, t, f, err);
        if (!x) {
            taco__error_prefix(err, "bbox");
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    return !err || err->code == TACO_OK;
}
