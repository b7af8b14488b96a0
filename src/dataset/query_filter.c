/* query_filter.c - taco_filter as conditions on a table: bbox, time, and no padding

   In: a filter of a query and the table of the level it is for. Out: an expression of the filter
   folder, the parts joined by AND, which is bound and tested elsewhere. TACO 2.0 §7.2.2.

   taco__query_add_filter handles a filter except its `where`; a box and a period become custom
   predicates (taco__custom_predicate) on a geometry or time column, a period on a native time
   column becomes a range, which statistics can prune. taco__query_hide_padding adds the condition
   that a row is not padding, unless statistics rule padding out. Boxes in degrees against
   geometries of other CRSs are in box_in_crs.c. Formats may have their own box and period. */
#include "cascade.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"
#include "../geo/geo.h"

#define TACO__QUERY_DAY_US INT64_C(86400000000)

/* ---- padding ---- */

/* True for rows that are not padding; those without an id are not padding. */
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

/* Ids between two bounds are not padding if both bounds are on one side of it: everything that
   begins with "__TACOPAD" is before "__TACOPAE". */
static unsigned taco__query_padding_prune(void *ctx, const taco__column_stats *r)
{
    taco_bytes first = taco__bytes_text(TACO__PADDING_PREFIX),
               after = taco__bytes_text("__TACOPAE");
    (void)ctx;
    if ((r->has_max && taco__bytes_compare(r->max.b, first) < 0) ||
        (r->has_min && taco__bytes_compare(r->min.b, after) >= 0)) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}

/* Whether the statistics of some row group allow padding; so does a table with rows but without
   statistics. */
static bool taco__query_statistics_allow_padding(const taco__level *l)
{
    taco__column_stats r;
    uint32_t g;
    if (!l->table.pq) { return l->table.rows != 0; }
    for (g = 0; g < taco__table_group_count(&l->table); g++) {
        taco__scan_prune_group_bounds(&l->table, g, l->role.id, &r);
        if (taco__query_padding_prune(NULL, &r) != TACO__MAY_TRUE) { return true; }
    }
    return false;
}

/* Whether a level may have padding at all: if statistics rule it out, ids are not even read. */
static bool taco__query_may_have_padding(taco__level *l)
{
    if (l->padded < 0 && l->role.id != TACO__NONE &&
        l->table.fields[l->role.id].type == TACO_TEXT) {
        l->padded = taco__query_statistics_allow_padding(l);
    }
    return l->padded > 0;
}

/* Replaces *e by *e AND (the row is not padding); unchanged if the level has no padding. */
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

/* ---- columns ---- */

/* What boxes and times test if no column is requested: TACO 2.0 §7.2.2. */
static const char *const taco__query_bbox_columns[] = {"istac:geometry", "stac:centroid",
                                                       "istac:centroid"};
static const char *const taco__query_time_columns[] = {"istac:time_start", "stac:time_start"};

/* The requested column, else the first of n names that the table has. TACO__NONE with NOT_FOUND,
   naming them all, if it has none. */
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

/* ---- bbox ---- */

TACO__FN bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                   uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    taco_array part = *a;
    taco_status st = TACO_OK;
    size_t k;
    (void)valid_bits;
    part.length = rows;
    for (k = 0; st == TACO_OK && k < box->n; k++) {
        st = taco__intersect_filter_add(&part, box->edge[k], true_bits, err);
    }
    return st == TACO_OK;
}

/* Whether geometries within bounds may meet a box. Bounds from east to west continue across 180
   degrees, where a planar geometry may not: they say nothing about x. Bounds with a NaN, or from
   north to south, are no bounds. */
static bool taco__query_box_may_meet(const double edge[4], const taco__pq_geo_bounds *g)
{
    if (!(g->ymin <= g->ymax) || !(!taco__f64_is_nan(g->xmin) && !taco__f64_is_nan(g->xmax))) {
        return true;
    }
    if (g->ymin > edge[3] || g->ymax < edge[1]) { return false; }
    return g->xmin > g->xmax || (g->xmin <= edge[2] && g->xmax >= edge[0]);
}

/* The results that rows may have by the bounds of a row group's geometries, where a file has them
   (parquet-format "Geospatial.md"). */
TACO__FN unsigned taco__query_box_prune(void *ctx, const taco__column_stats *r)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    size_t k;
    if (!r->geo) { return TACO__MAY_ANY; }
    for (k = 0; k < box->n; k++) {
        if (taco__query_box_may_meet(box->edge[k], r->geo)) { return TACO__MAY_ANY; }
    }
    return TACO__MAY_FALSE | TACO__MAY_NULL;
}

/* The geometry intersects f->bbox. A box in degrees is compared with istac:geometry in degrees,
   whatever the CRS of a row; other boxes and columns are compared without conversion. options, for
   warnings, may be NULL. */
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, const taco_options *options,
                                          taco_error *err)
{
    size_t c =
        taco__query_find_column(t, f->geometry_column, taco__query_bbox_columns, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    size_t crs;
    if (c == TACO__NONE || !box ||
        taco__intersect_split_box(f->bbox, box->edge, &box->n, err) != TACO_OK) {
        return NULL;
    }
    if (t->fields[c].type != TACO_BINARY && t->fields[c].type != TACO_FIXED) {
        taco_bytes name = taco__bytes_text(t->fields[c].name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not a geometry: WKB is binary",
                   &name);
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__query_box_test;
    custom.prune = taco__query_box_prune;
    crs = taco__table_find_column(t, "istac:crs");
    if (crs != TACO__NONE && t->fields[crs].type == TACO_TEXT &&
        strcmp(t->fields[c].name, "istac:geometry") == 0 &&
        (box->n == 2 || taco__box_is_degrees(box->edge[0]))) {
        custom.with = crs;
        custom.eval_with = taco__box_in_crs_test;
        custom.prune_with = taco__box_in_crs_prune;
        taco__box_in_crs_warn(t, crs, options);
    }
    return taco__expr_custom(arena, c, &custom, err);
}

/* ---- time ---- */

/* Microseconds of a time stored as text, or, for whole days, of its midnight; false if it does not
   parse, as in TRY_CAST. */
static bool taco__query_parse_time(taco_bytes text, bool days, int64_t *us)
{
    int32_t day;
    bool date, zone;
    if (!days) { return taco__time_cast_timestamp(text, us, &date, &zone); }
    if (!taco__time_cast_date(text, &day)) { return false; }
    *us = (int64_t)day * TACO__QUERY_DAY_US;
    return true;
}

static bool taco__query_text_time_test(void *ctx, const taco_array *a, size_t rows,
                                       uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    int64_t us;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (taco_array_valid(a, i) &&
            taco__query_parse_time(taco_array_bytes(a, i), s->days, &us) && us >= s->from &&
            us < s->to) {
            taco__bitmap_set(true_bits, i);
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
        int64_t us;
        if (!taco_array_valid(a, i)) { continue; }
        us = taco__scalar_key_int96(a->v.u8 + i * 12);
        if (us >= s->from && us < s->to) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* The first multiple of `per` microseconds that is not before us, divided by `per`. */
static int64_t taco__query_round_up(int64_t us, int64_t per)
{
    return us / per + (us % per > 0);
}

/* us in the unit of a column; clamped to the column's range. */
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit)
{
    switch (unit) {
    case TACO_NANO:
        return us > INT64_MAX / 1000 ? INT64_MAX : us < INT64_MIN / 1000 ? INT64_MIN : us * 1000;
    case TACO_MILLI: return taco__query_round_up(us, 1000);
    case TACO_SECOND: return taco__query_round_up(us, 1000000);
    default: return us;
    }
}

/* f->time as a half-open period: whole days, or instants, where a single instant is a microsecond
   long. NULL on failure. */
TACO__FN taco__query_period *taco__query_parse_period(taco__arena *arena, const taco_filter *f,
                                                      taco_error *err)
{
    int64_t first = 0, last = 0, from = 0, to = 0;
    taco__query_period *p = (taco__query_period *)taco__arena_alloc(arena, sizeof *p, err);
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK || !p) {
        return NULL;
    }
    p->days = !f->exact_time;
    p->from = f->exact_time ? from : first * TACO__QUERY_DAY_US;
    p->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * TACO__QUERY_DAY_US;
    return p;
}

/* The time is in f->time. */
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    size_t c = taco__query_find_column(t, f->time_column, taco__query_time_columns, 2, "time", err);
    taco__query_period *p = taco__query_parse_period(arena, f, err);
    taco__custom_predicate custom;
    if (c == TACO__NONE || !p) {
        if (c == TACO__NONE && f->time_column) { taco__error_prefix(err, "time"); }
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = p;
    switch (t->fields[c].type) {
    case TACO_TIMESTAMP:
        return taco__expr_range_i64(arena, c, taco__query_time_in_unit(p->from, t->fields[c].unit),
                                    true, taco__query_time_in_unit(p->to, t->fields[c].unit), true,
                                    err);
    case TACO_DATE: /* a date is its midnight */
        return taco__expr_range_i64(arena, c, taco__query_round_up(p->from, TACO__QUERY_DAY_US),
                                    true, taco__query_round_up(p->to, TACO__QUERY_DAY_US), true,
                                    err);
    case TACO_TEXT: custom.eval = taco__query_text_time_test; break;
    case TACO_INT96: custom.eval = taco__query_int96_time_test; break;
    /* TRY_CAST of any other type gives no date: no row matches */
    default: return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    return taco__expr_custom(arena, c, &custom, err);
}

/* ---- filters ---- */

static taco__expr *taco__query_make_time(const taco_opener *format, taco__arena *arena,
                                         const taco__table *t, const taco_filter *f,
                                         taco_error *err)
{
    return format && format->time ? format->time(arena, t, f, err)
                                  : taco__query_add_time(arena, t, f, err);
}

static taco__expr *taco__query_make_bbox(const taco__container *s, taco__arena *arena,
                                         const taco__table *t, const taco_filter *f,
                                         taco_error *err)
{
    taco__expr *x = s && s->format && s->format->bbox
                        ? s->format->bbox(arena, t, f, err)
                        : taco__query_add_bbox(arena, t, f, s ? s->options : NULL, err);
    if (!x) { taco__error_prefix(err, "bbox"); }
    return x;
}

/* Replaces *e (NULL: true) by *e AND the time and box of a filter. Its condition is added by
   taco__query_parse_condition. s, which may be NULL, is the container of the table. */
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f, taco__expr **e,
                                     taco_error *err)
{
    const taco_opener *format = s ? s->format : NULL;
    taco__expr *x;
    if (f->time) {
        x = taco__query_make_time(format, arena, t, f, err);
        if (!x) { return false; }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->bbox && !TACO__WITH_GEOMETRY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "bbox, left out by TACO_NO_GEOMETRY");
        return false;
    }
    if (f->bbox) {
        x = taco__query_make_bbox(s, arena, t, f, err);
        if (!x) { return false; }
        *e = taco__expr_and(arena, *e, x, err);
    }
    return !err || err->code == TACO_OK;
}

/* The column of a table that a box or a time tests; NONE without an error if there is none. */
static size_t taco__query_tested_column(const taco__table *t, const taco_filter *f, bool time)
{
    const char *asked = time ? f->time_column : f->geometry_column;
    const char *const *names = time ? taco__query_time_columns : taco__query_bbox_columns;
    taco_error none = {0, TACO_OK, 0, {0}};
    return taco__query_find_column(t, asked, names, time ? 2 : 3, "", &none);
}

/* Something failed because level `own` lacks a column: appends which other level has one of n
   names, and the option that selects it, "--level " or "--table level". False if none has. */
TACO__FN TACO__COLD bool taco__query_level_hint(taco__container *s, uint32_t own,
                                                const char *const *names, size_t n,
                                                const char *option, taco_error *err)
{
    const uint32_t levels = err->code == TACO_OK || s->format ? 0 : taco__container_level_count(s);
    uint32_t l;
    size_t i;
    for (l = 0; l < levels; l++) {
        taco_error none = {0, TACO_OK, 0, {0}};
        const taco__level *level = l == own ? NULL : taco__container_level(s, l, &none);
        for (i = 0; level && i < n; i++) {
            if (names[i] && taco__table_find_column(&level->table, names[i]) != TACO__NONE) {
                taco__error_suffix(err, "; level %u has %s (%s%u)", TACO__U(l), names[i], option,
                                   TACO__U(l));
                return true;
            }
        }
    }
    return false;
}

/* The same for a filter, whose level has no place or no time. */
TACO__FN TACO__COLD void taco__query_hint(taco__container *s, const taco_filter *f, taco_error *err)
{
    const taco__table *t = &s->levels[f->level].table;
    const bool time = f->time && (!f->bbox || taco__query_tested_column(t, f, true) == TACO__NONE);
    const char *const *asked = time ? &f->time_column : &f->geometry_column;
    const char *const *names = time ? taco__query_time_columns : taco__query_bbox_columns;
    if (err->code != TACO_ERR_NOT_FOUND) { return; }
    taco__query_level_hint(s, f->level, *asked ? asked : names,
                           *asked ? 1
                           : time ? 2
                                  : 3,
                           "--level ", err);
}

/* The rows of level `own` have no place: appends which level of the dataset has one. */
TACO__FN TACO__COLD bool taco__query_place_hint(taco__container *s, uint32_t own, taco_error *err)
{
    return taco__query_level_hint(s, own, taco__query_bbox_columns,
                                  TACO__COUNT(taco__query_bbox_columns), "--table level", err);
}
