/* pixel_stats.c - taco_aggregate: combines the statistics of many samples into those of all pixels

   In: rows of a query with a column of statistics, a list of numbers for each band, and the size of
   each sample. Out: taco_stats, and the same as JSON. TACO draft of June 2025 §8.3.

   The first row decides what the statistics are: nine values per band are continuous (minimum,
   maximum, mean, deviation, valid share, four percentiles), any other number are the shares of that
   many classes. Sums are weighted by pixels; the deviation combines those of the samples and of
   their means (taco__pixel_stats_add_band). taco__pixel_stats_finish turns sums into averages. */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* values of a continuous band: min max mean std valid% p25 p50 p75 p95 */
#define TACO__PIXEL_STATS_VALUES 9
#define TACO__PIXEL_STATS_NAN    taco__f64_from_bits(UINT64_C(0x7FF8000000000000))

/* Sums of one band so far; w is the number of pixels of a row, m and s its mean and deviation. */
typedef struct taco__pixel_stats_band {
    /* sum of w m */
    double min, max, sum;
    /* a running mean, and the sum of w (m - mean)^2 around it */
    double mean, spread;
    /* sum of (w - 1) s^2 */
    double inner;
    /* p25 p50 p75 p95, by weight or by row */
    double percentile[4];
} taco__pixel_stats_band;

typedef struct taco__pixel_stats {
    /* must be first: the caller's pointer points here */
    taco_stats out;
    taco_stats_options opt;
    taco__mem *mem;
    taco__arena arena;
    taco__buf json;
    /* columns of the view; shape may be TACO__NONE */
    size_t stats, shape;
    /* values per band; 0 until a row had some */
    size_t values;
    /* one of the two: continuous bands, or sums of w p, classes by band */
    taco__pixel_stats_band *band;
    double *share;
} taco__pixel_stats;

/* Finds the column of statistics and, at the same level of a flat view, that of the weights. */
static bool taco__pixel_stats_find_columns(const taco_field *fields, size_t n, const char *asked,
                                           size_t *stats, size_t *shape, taco_error *err)
{
    static const char *const names[] = {"internal:stats", "geotiff:stats"};
    const taco_field *f;
    size_t i;
    taco_bytes name = taco__bytes_text(asked);
    *stats = asked ? taco__cursor_column_find_unprefixed(fields, n, asked, true) : TACO__NONE;
    for (i = 0; !asked && *stats == TACO__NONE && i < TACO__COUNT(names); i++) {
        *stats = taco__cursor_column_find_unprefixed(fields, n, names[i], false);
    }
    if (*stats == TACO__NONE) {
        if (asked) {
            taco__field_names_no_column(fields, n, name, err);
        } else {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no statistics: there is no column %s or %s", names[0], names[1]);
        }
        return false;
    }
    f = &fields[*stats];
    name = taco__bytes_text(f->name);
    if (f->type != TACO_LIST || f->children[0].type != TACO_LIST ||
        !taco__cursor_column_is_number(&f->children[0].children[0])) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q does not hold statistics: a list of numbers for each band", &name);
        return false;
    }
    *shape = taco__cursor_column_find_same_level(fields, n, f->name, TACO__PIXEL_STATS_SHAPE);
    f = *shape == TACO__NONE ? NULL : &fields[*shape];
    if (f && (f->type != TACO_LIST || f->children[0].type < TACO_INT8 ||
              f->children[0].type > TACO_UINT64)) {
        name = taco__bytes_text(f->name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is not a shape: a list of integers", &name);
        return false;
    }
    return true;
}

/* ---- rows ---- */

/* Pixels of a row: the product of its last two sizes, 1 if it has fewer. */
static bool taco__pixel_stats_row_weight(const taco_array *a, size_t i, double *out,
                                         taco_error *err)
{
    const taco_array *items;
    size_t end, k;
    int64_t size[2];
    uint64_t pixels;
    *out = 1;
    if (!a || !taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] < 2) { return true; }
    items = a->children;
    end = (size_t)a->offsets[i + 1];
    for (k = 0; k < 2; k++) {
        size[k] = taco_array_int(items, end - 2 + k);
        if (!taco_array_valid(items, end - 2 + k) || size[k] < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "stac:tensor_shape has a size that is null, negative or above %d",
                       TACO__D(INT64_MAX));
            return false;
        }
    }
    if (!taco__checked_mul64((uint64_t)size[0], (uint64_t)size[1], &pixels)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "stac:tensor_shape ends in %d, %d: more pixels than 64 bits can count", size[0],
                   size[1]);
        return false;
    }
    *out = (double)pixels;
    return true;
}

/* The first row with statistics decides what they are. */
static bool taco__pixel_stats_begin(taco__pixel_stats *g, size_t bands, size_t values,
                                    taco_error *err)
{
    static const char *const names[] = {"", "continuous", "categorical"};
    taco_stats_family family =
        values == TACO__PIXEL_STATS_VALUES ? TACO_STATS_CONTINUOUS : TACO_STATS_CATEGORICAL;
    size_t n;
    if (values == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "a band has no values");
        return false;
    }
    if (g->opt.family != TACO_STATS_ANY && g->opt.family != family) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the statistics are %s (%u values a band, continuous ones have %u), %s ones "
                   "were requested",
                   names[family], TACO__U(values), TACO__U(TACO__PIXEL_STATS_VALUES),
                   names[g->opt.family]);
        return false;
    }
    if (!taco__checked_mul_size(bands, values, &n)) { n = SIZE_MAX; /* refused below */ }
    if (family == TACO_STATS_CONTINUOUS) {
        g->band =
            (taco__pixel_stats_band *)taco__arena_array(&g->arena, bands, sizeof *g->band, err);
    } else {
        g->share = (double *)taco__arena_array(&g->arena, n, sizeof *g->share, err);
        g->out.classes = values;
    }
    g->values = values;
    g->out.family = family;
    g->out.bands = bands;
    return g->band || g->share;
}

/* Value k of a list of numbers; null is NaN. */
static double taco__pixel_stats_list_value(const taco_array *a, size_t k)
{
    return taco_array_valid(a, k) ? taco_array_double(a, k) : TACO__PIXEL_STATS_NAN;
}

/* NaN is kept, as in NumPy. */
static void taco__pixel_stats_update_extreme(double *to, double v, bool first, bool less)
{
    if (first || taco__f64_is_nan(v) || (less ? v < *to : v > *to)) {
        *to = taco__f64_is_nan(*to) && !first ? *to : v;
    }
}

/* Adds the nine values from a[at] on, for a row of w pixels. */
static void taco__pixel_stats_add_band(taco__pixel_stats *g, taco__pixel_stats_band *b,
                                       const taco_array *a, size_t at, double w)
{
    double m = taco__pixel_stats_list_value(a, at + 2), s = taco__pixel_stats_list_value(a, at + 3);
    double after = g->out.pixels + w, away = m - b->mean;
    size_t k;
    taco__pixel_stats_update_extreme(&b->min, taco__pixel_stats_list_value(a, at), g->out.used == 0,
                                     true);
    taco__pixel_stats_update_extreme(&b->max, taco__pixel_stats_list_value(a, at + 1),
                                     g->out.used == 0, false);
    b->sum += w * m;
    b->inner += (w - 1) * (s * s);
    if (after > 0) {
        b->mean += away * (w / after);
        b->spread += w * (away * (m - b->mean));
    }
    for (k = 0; k < 4; k++) {
        double p = taco__pixel_stats_list_value(a, at + 5 + k);
        b->percentile[k] += g->opt.weighted_percentiles ? w * p : p;
    }
}

static bool taco__pixel_stats_add_row(taco__pixel_stats *g, const taco_array *a, size_t first,
                                      size_t bands, double w, taco_error *err)
{
    const taco_array *items = a->children;
    size_t i, k;
    for (i = 0; i < bands; i++) {
        size_t at = (size_t)a->offsets[first + i],
               n = (size_t)(a->offsets[first + i + 1] - a->offsets[first + i]);
        if (!taco_array_valid(a, first + i)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "band %u is null", TACO__U(i));
            return false;
        }
        if (!g->values && !taco__pixel_stats_begin(g, bands, n, err)) { return false; }
        if (n != g->values || bands != g->out.bands) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u bands, %u values in band %u; before there were %u bands of %u",
                       TACO__U(bands), TACO__U(n), TACO__U(i), TACO__U(g->out.bands),
                       TACO__U(g->values));
            return false;
        }
        if (g->band) { taco__pixel_stats_add_band(g, &g->band[i], items, at, w); }
        for (k = 0; g->share && k < n; k++) {
            g->share[i * n + k] += w * taco__pixel_stats_list_value(items, at + k);
        }
    }
    g->out.pixels += w;
    g->out.used++;
    return true;
}

static bool taco__pixel_stats_add_batch(taco__pixel_stats *g, const taco_batch *b, taco_error *err)
{
    const taco_array *a = &b->columns[g->stats],
                     *shape = g->shape == TACO__NONE ? NULL : &b->columns[g->shape];
    size_t i;
    for (i = 0; i < b->length; i++, g->out.rows++) {
        double w;
        if (!taco_array_valid(a, i) || a->offsets[i] == a->offsets[i + 1]) { continue; }
        if (!taco__pixel_stats_row_weight(shape, i, &w, err) ||
            !taco__pixel_stats_add_row(g, a->children, (size_t)a->offsets[i],
                                       (size_t)(a->offsets[i + 1] - a->offsets[i]), w, err)) {
            taco__error_prefix(err, "row %u of the view", g->out.rows);
            return false;
        }
    }
    return true;
}

/* Sums become averages. */
static bool taco__pixel_stats_finish(taco__pixel_stats *g, taco_error *err)
{
    taco_stats *s = &g->out;
    taco_band_stats *out;
    double by = g->opt.weighted_percentiles ? s->pixels : (double)s->used;
    size_t i;
    if (s->used == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "none of the %u rows has statistics",
                   s->rows);
        return false;
    }
    for (i = 0; g->share && i < s->bands * s->classes; i++) {
        g->share[i] = s->pixels > 0 ? g->share[i] / s->pixels : TACO__PIXEL_STATS_NAN;
    }
    s->share = g->share;
    if (!g->band) { return true; }
    out = (taco_band_stats *)taco__arena_array(&g->arena, s->bands, sizeof *out, err);
    s->band = out;
    for (i = 0; out && i < s->bands; i++) {
        const taco__pixel_stats_band *b = &g->band[i];
        out[i].min = b->min;
        out[i].max = b->max;
        out[i].mean = s->pixels > 0 ? b->sum / s->pixels : TACO__PIXEL_STATS_NAN;
        out[i].std = s->pixels > 1 ? taco__math_sqrt((b->inner + b->spread) / (s->pixels - 1))
                                   : TACO__PIXEL_STATS_NAN; /* a single pixel: 0 / 0 */
        out[i].p25 = by > 0 ? b->percentile[0] / by : TACO__PIXEL_STATS_NAN;
        out[i].p50 = by > 0 ? b->percentile[1] / by : TACO__PIXEL_STATS_NAN;
        out[i].p75 = by > 0 ? b->percentile[2] / by : TACO__PIXEL_STATS_NAN;
        out[i].p95 = by > 0 ? b->percentile[3] / by : TACO__PIXEL_STATS_NAN;
    }
    return out != NULL;
}

/* ---- public ---- */

TACO_API void taco_stats_free(taco_stats *s)
{
    taco__pixel_stats *g = (taco__pixel_stats *)(void *)s;
    if (g) {
        taco__buf_free(&g->json);
        taco__arena_free(&g->arena);
        taco__mem_free(g->mem, g, sizeof *g);
    }
}

TACO_API taco_stats *taco_aggregate_rows(taco_cursor *rows, const taco_stats_options *opt,
                                         taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__pixel_stats *g;
    taco_batch batch;
    bool ok;
    err = taco__error_fresh(err, &own);
    if (!rows) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no cursor given");
        return NULL;
    }
    g = (taco__pixel_stats *)taco__mem_alloc(rows->mem, sizeof *g, err);
    if (!g) { return NULL; }
    g->mem = g->arena.mem = g->json.mem = rows->mem;
    if (opt) { g->opt = *opt; }
    ok = taco__pixel_stats_find_columns(rows->columns.fields, rows->columns.count, g->opt.column,
                                        &g->stats, &g->shape, err);
    if (ok) {
        taco_bytes name = taco__bytes_text(rows->columns.fields[g->stats].name);
        g->out.column = taco__arena_text(&g->arena, name, err);
        g->opt.column = NULL;
        ok = g->out.column != NULL;
        while (ok && taco_cursor_batch(rows, &batch)) {
            ok = taco__pixel_stats_add_batch(g, &batch, err);
        }
        if (ok && rows->err.code != TACO_OK) {
            *err = rows->err;
            taco_stats_free(&g->out);
            return NULL;
        }
        ok = ok && taco__pixel_stats_finish(g, err);
        taco__error_prefix(err, "column %q", &name);
    }
    if (!ok) {
        taco__container_fail(&rows->ds->stores[0], NULL, err);
        taco_stats_free(&g->out);
        return NULL;
    }
    return &g->out;
}

/* The rows of a query with only the columns needed for statistics. */
static taco_cursor *taco__pixel_stats_select(taco_dataset *ds, const taco_query *query,
                                             const taco_cursor *probe, const char *column,
                                             taco_error *err)
{
    taco__query q;
    taco__query_column columns[2];
    taco_cursor *c = NULL;
    taco__arena arena;
    size_t stats, shape;
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    memset(columns, 0, sizeof columns);
    if (!taco__pixel_stats_find_columns(probe->columns.fields, probe->columns.count, column, &stats,
                                        &shape, err)) {
        static const char *const names[] = {"internal:stats", "geotiff:stats"};
        taco__query_level_hint(&ds->stores[0], query->table, column ? &column : names,
                               column ? 1 : 2, "--table level", err);
        taco__container_fail(&ds->stores[0], NULL, err);
        return NULL;
    }
    if (taco__query_parse(&arena, query, &q, err)) {
        columns[0].name = probe->columns.fields[stats].name;
        columns[1].name = shape == TACO__NONE ? NULL : probe->columns.fields[shape].name;
        memset(&q.select, 0, sizeof q.select);
        q.select.items = columns;
        q.select.count = shape == TACO__NONE ? 1 : 2;
        q.select.given = true;
        c = taco__select_open(ds, &q, NULL, err);
    }
    taco__arena_free(&arena);
    return c;
}

TACO_API taco_stats *taco_aggregate(taco_dataset *ds, const taco_query *query,
                                    const taco_stats_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_cursor *probe, *c;
    taco_stats *s;
    taco_query all;
    err = taco__error_fresh(err, &own);
    memset(&all, 0, sizeof all);
    query = query ? query : &all;
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    probe = taco__select_columns_only(ds, query, err);
    if (!probe) { return NULL; }
    c = taco__pixel_stats_select(ds, query, probe, opt ? opt->column : NULL, err);
    taco_cursor_close(probe, err);
    s = c ? taco_aggregate_rows(c, opt, err) : NULL;
    taco_cursor_close(c, err);
    return s;
}

/* ---- as JSON ---- */

TACO__STATIC_ASSERT(aggr_band, sizeof(taco_band_stats) == 8 * sizeof(double));

/* The reference's results are float32; words for values that JSON has no number for, as in rows. */
static void taco__pixel_stats_write_number(taco__json_writer *w, double x)
{
    const double most =
        /* halfway between the largest float and the next power of two: above it, infinity */
        3.4028235677973362e38;
    uint32_t inf = 0x7F800000U | (x < 0 ? 0x80000000U : 0);
    float f = x >= most || x <= -most ? taco__f32_from_bits(inf) : (float)x;
    bool word = taco__f64_is_nan(f) || x >= most || x <= -most;
    char text[TACO__CELL_SIZE];
    size_t n = taco__num_format_f32(text + 1, f);
    text[0] = text[n + 1] = '"';
    taco__json_write_raw(w, NULL, word ? taco__bytes_of(text, n + 2) : taco__bytes_of(text + 1, n));
}

/* n numbers, `step` apart. */
static void taco__pixel_stats_write_list(taco__json_writer *w, const char *key, const double *x,
                                         size_t n, size_t step)
{
    size_t i;
    taco__json_write_begin(w, key, '[');
    for (i = 0; w->ok && i < n; i++) {
        taco__pixel_stats_write_number(w, x[i * step]);
    }
    taco__json_write_end(w, ']');
}

TACO_API taco_bytes taco_stats_json(taco_stats *s, taco_error *err)
{
    static const char *const keys[] = {"min", "max", "mean", "std", "p25", "p50", "p75", "p95"};
    const size_t step = TACO__COUNT(keys); /* a band's values lie in their order */
    taco__pixel_stats *g = (taco__pixel_stats *)(void *)s;
    taco__json_writer w;
    size_t i;
    err = taco__error_fresh(err, NULL);
    if (!s) { return taco__bytes_of(NULL, 0); }
    g->json.len = 0;
    w = taco__json_writer_init(&g->json, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__json_write_key(&w, "column");
    w.ok = w.ok && taco__json_write_name(w.out, taco__bytes_text(s->column), err);
    taco__json_write_text(&w, "family", s->band ? "continuous" : "categorical");
    taco__json_write_u64(&w, "rows", s->rows);
    taco__json_write_u64(&w, "used", s->used);
    taco__json_write_double(&w, "pixels", s->pixels);
    taco__json_write_u64(&w, "bands", s->bands);
    for (i = 0; s->band && i < TACO__COUNT(keys); i++) {
        taco__pixel_stats_write_list(&w, keys[i], (const double *)(const void *)s->band + i,
                                     s->bands, step);
    }
    if (s->share) {
        taco__json_write_u64(&w, "classes", s->classes);
        taco__json_write_begin(&w, "categorical", '[');
        for (i = 0; i < s->bands; i++) {
            taco__pixel_stats_write_list(&w, NULL, s->share + i * s->classes, s->classes, 1);
        }
        taco__json_write_end(&w, ']');
    }
    taco__json_write_end(&w, '}');
    return w.ok ? taco__bytes_of(g->json.data, g->json.len) : taco__bytes_of(NULL, 0);
}
