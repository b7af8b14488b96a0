/* Combining the statistics of many rows: worked examples, NaN and infinities, errors, failing
   allocations. */
#include "../src/dataset/pixel_stats.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../taco.h"

#include "test.h"

#include "alloc.h"

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

/* ---- batches made by hand: a list of bands, each a list of numbers, and a list of sizes ---- */

#define MOST 64

typedef struct view {
    taco_field stats, band, value, shape, size, fields[2];
    taco_array columns[2], bands, values, sizes;
    int32_t row_ends[MOST + 1], band_ends[MOST + 1], shape_ends[MOST + 1];
    double v[4 * MOST];
    int64_t s[MOST];
    uint8_t valid[MOST / 8], band_valid[MOST / 8], value_valid[MOST / 2];
    size_t rows, n_bands;
} view;

static void view_begin(view *w)
{
    memset(w, 0, sizeof *w);
    memset(w->valid, 255, sizeof w->valid);
    memset(w->band_valid, 255, sizeof w->band_valid);
    memset(w->value_valid, 255, sizeof w->value_valid);
    w->value.type = TACO_DOUBLE;
    w->value.width = 8;
    w->size.type = TACO_INT64;
    w->size.width = 8;
    w->band.type = w->stats.type = w->shape.type = TACO_LIST;
    w->band.children = &w->value;
    w->stats.children = &w->band;
    w->shape.children = &w->size;
    w->band.child_count = w->stats.child_count = w->shape.child_count = 1;
    w->stats.name = "internal:stats";
    w->shape.name = "stac:tensor_shape";
    w->value.name = w->band.name = w->size.name = "item";
}

static void view_band(view *w, const double *v, size_t n)
{
    int32_t at = w->band_ends[w->n_bands];
    memcpy(w->v + at, v, n * sizeof *v);
    w->band_ends[++w->n_bands] = at + (int32_t)n;
}

/* Ends a row, whose bands were added before, with a shape of n sizes. */
static void view_row(view *w, const int64_t *shape, size_t n)
{
    int32_t at = w->shape_ends[w->rows];
    if (n) { memcpy(w->s + at, shape, n * sizeof *shape); }
    w->rows++;
    w->shape_ends[w->rows] = at + (int32_t)n;
    w->row_ends[w->rows] = (int32_t)w->n_bands;
}

static taco_batch view_batch(view *w)
{
    taco_batch b;
    memset(&b, 0, sizeof b);
    w->fields[0] = w->stats;
    w->fields[1] = w->shape;
    w->values.field = &w->value;
    w->values.v.f64 = w->v;
    w->values.validity = w->value_valid;
    w->values.length = (size_t)w->band_ends[w->n_bands];
    w->bands.field = &w->band;
    w->bands.offsets = w->band_ends;
    w->bands.validity = w->band_valid;
    w->bands.length = w->n_bands;
    w->bands.children = &w->values;
    w->sizes.field = &w->size;
    w->sizes.v.i64 = w->s;
    w->sizes.length = (size_t)w->shape_ends[w->rows];
    w->columns[0].field = &w->fields[0];
    w->columns[0].offsets = w->row_ends;
    w->columns[0].validity = w->valid;
    w->columns[0].children = &w->bands;
    w->columns[1].field = &w->fields[1];
    w->columns[1].offsets = w->shape_ends;
    w->columns[1].children = &w->sizes;
    w->columns[0].length = w->columns[1].length = w->rows;
    b.columns = w->columns;
    b.column_count = 2;
    b.length = w->rows;
    return b;
}

/* Aggregates the view as taco_aggregate_rows does with the batches of a cursor; with NULL in place
   of the weights when there is no shape. The result is to be freed. */
static taco_stats *run(view *w, bool shape, const taco_stats_options *opt, taco_error *err)
{
    static taco__mem mem;
    taco_batch b = view_batch(w);
    taco__pixel_stats *g;
    taco__mem_init(&mem, NULL);
    g = (taco__pixel_stats *)taco__mem_alloc(&mem, sizeof *g, err);
    g->mem = g->arena.mem = g->json.mem = &mem;
    g->out.column = "internal:stats";
    if (opt) { g->opt = *opt; }
    CHECK(
        taco__pixel_stats_find_columns(w->fields, shape ? 2 : 1, NULL, &g->stats, &g->shape, err));
    if (!taco__pixel_stats_add_batch(g, &b, err) || !taco__pixel_stats_finish(g, err)) {
        taco_stats_free(&g->out);
        CHECK(mem.used == 0);
        return NULL;
    }
    return &g->out;
}

static bool near(double got, double want)
{
    double d = got - want, size = want < 0 ? -want : want;
    return (d < 0 ? -d : d) <= 1e-14 * (size > 1 ? size : 1);
}

#define NEAR(got, want)                                                                            \
    do {                                                                                           \
        test_checks++;                                                                             \
        if (!near((got), (want))) {                                                                \
            printf("%s:%d: %.17g, wanted %.17g\n", __FILE__, __LINE__, (got), (want));             \
            test_bad++;                                                                            \
        }                                                                                          \
    } while (0)

static const double nine1[] = {0, 10, 4, 2, 100, 2, 4, 6, 9},
                    nine2[] = {-1, 8, 6, 1, 100, 5, 6, 7, 8};

static void two_rows(view *w)
{
    static const int64_t s1[] = {1, 2, 3}, s2[] = {1, 4, 5};
    view_begin(w);
    view_band(w, nine1, 9);
    view_row(w, s1, 3);
    view_band(w, nine2, 9);
    view_row(w, s2, 3);
}

/* ---- worked examples ---- */

static void one_row(void)
{
    static const int64_t shape[] = {1, 2, 3};
    view w;
    taco_error e = none();
    taco_stats *s;
    view_begin(&w);
    view_band(&w, nine1, 9);
    view_row(&w, shape, 3);
    s = run(&w, true, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(s && s->used == 1 && s->band[0].p25 == 2 && s->band[0].p50 == 4 && s->band[0].p75 == 6 &&
          s->band[0].p95 == 9);
    taco_stats_free(s);
}

static void one_band(void)
{
    view w;
    taco_error e = none();
    taco_stats_options opt = {NULL, TACO_STATS_CONTINUOUS, true};
    taco_stats *s;
    two_rows(&w);
    s = run(&w, true, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(s && s->family == TACO_STATS_CONTINUOUS && s->bands == 1 && !s->share);
    CHECK(s->rows == 2 && s->used == 2);
    NEAR(s->pixels, 26.0);
    NEAR(s->band[0].min, -1.0);
    NEAR(s->band[0].max, 10.0);
    NEAR(s->band[0].mean, 5.538461538461538);
    NEAR(s->band[0].std, 1.5160677882144777);
    NEAR(s->band[0].p25, 3.5);
    NEAR(s->band[0].p50, 5.0);
    NEAR(s->band[0].p75, 6.5);
    NEAR(s->band[0].p95, 8.5);
    {
        taco_bytes t = taco_stats_json(s, &e);
        char text[512] = {0};
        memcpy(text, t.data, t.len < sizeof text ? t.len : 0);
        CHECK_TEXT(text, "{\"column\":\"internal:stats\",\"family\":\"continuous\",\"rows\":2,"
                         "\"used\":2,\"pixels\":26.0,\"bands\":1,\"min\":[-1.0],\"max\":[10.0],"
                         "\"mean\":[5.5384617],\"std\":[1.5160677],\"p25\":[3.5],\"p50\":[5.0],"
                         "\"p75\":[6.5],\"p95\":[8.5]}");
    }
    taco_stats_free(s);
    s = run(&w, true, &opt, &e);
    NEAR(s->band[0].p25, (6 * 2.0 + 20 * 5.0) / 26);
    NEAR(s->band[0].p95, (6 * 9.0 + 20 * 8.0) / 26);
    taco_stats_free(s);
    s = run(&w, false, NULL, &e); /* without shapes every row weighs one */
    NEAR(s->band[0].mean, 5.0);
    NEAR(s->band[0].std, 1.4142135623730951);
    NEAR(s->band[0].p25, 3.5);
    taco_stats_free(s);
    CHECK_TEXT(taco_error_text(&e), "");
}

/* Three images of seeded noise: mean and std are those of all their pixels. */
static void two_bands(void)
{
    static const double v[3][2][9] = {
        {{51.228423767551924, 138.0539435519783, 97.99405386714488, 13.828834863380035, 100.0,
          88.38844312325628, 98.45933005737795, 107.05501157332517, 121.58022729774213},
         {58.5937320601871, 138.5750332436544, 99.81085635612459, 14.733886737175286, 100.0,
          90.05331378090109, 99.21452344599015, 109.8347647394896, 125.66731070056703}},
        {{127.71169290552854, 154.1221682486807, 140.52601078097058, 4.91943690645288, 100.0,
          136.9561991744144, 140.94317075611295, 144.44918761102667, 147.6025600104773},
         {127.07218910438107, 154.14449316858136, 140.04811863935385, 5.895655738580795, 100.0,
          135.4593984682041, 140.81219857864806, 143.7865829995908, 149.0381350092652}},
        {{-56.443272408271696, 209.5299035361323, 89.65835109173585, 40.3517836327702, 100.0,
          61.28159152740719, 87.30624034131088, 117.66845834715166, 158.26799922125673},
         {-29.666915340216235, 217.73692625308314, 90.9492536806835, 39.546164507649245, 100.0,
          63.10037964070735, 91.34905301272073, 117.1105746596204, 156.96646126828932}}};
    static const int64_t shape[3][3] = {{2, 20, 30}, {2, 10, 10}, {2, 40, 25}};
    view w;
    taco_error e = none();
    taco_stats *s;
    size_t i;
    view_begin(&w);
    for (i = 0; i < 3; i++) {
        view_band(&w, v[i][0], 9);
        view_band(&w, v[i][1], 9);
        view_row(&w, shape[i], 3);
    }
    s = run(&w, true, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(s->bands == 2);
    NEAR(s->pixels, 1700.0);
    NEAR(s->band[0].mean, 95.59257911183519);
    NEAR(s->band[1].mean, 96.96504668134921);
    NEAR(s->band[0].std, 34.17368533764683);
    NEAR(s->band[1].std, 33.63827735972315);
    NEAR(s->band[0].min, -56.443272408271696);
    NEAR(s->band[1].max, 217.73692625308314);
    NEAR(s->band[0].p25, 95.54207794169263);
    NEAR(s->band[1].p50, 110.45859167911965);
    NEAR(s->band[0].p75, 123.05755251050117);
    NEAR(s->band[1].p95, 143.89063565937386);
    taco_stats_free(s);
}

static void classes(void)
{
    static const double v[3][3] = {{.5, .25, .25}, {0, 1, 0}, {.2, .2, .6}};
    static const int64_t shape[3][3] = {{1, 16, 16}, {1, 8, 8}, {1, 32, 8}};
    taco_stats_options opt = {NULL, TACO_STATS_CONTINUOUS, false};
    view w;
    taco_error e = none();
    taco_stats *s;
    taco_bytes t;
    char text[512] = {0};
    size_t i;
    view_begin(&w);
    for (i = 0; i < 3; i++) {
        view_band(&w, v[i], 3);
        view_row(&w, shape[i], 3);
    }
    s = run(&w, true, NULL, &e);
    CHECK(s && s->family == TACO_STATS_CATEGORICAL && s->classes == 3 && !s->band);
    NEAR(s->share[0], 0.3111111111111111);
    NEAR(s->share[1], 0.3111111111111111);
    NEAR(s->share[2], 0.37777777777777777);
    t = taco_stats_json(s, &e);
    memcpy(text, t.data, t.len < sizeof text ? t.len : 0);
    CHECK_TEXT(text, "{\"column\":\"internal:stats\",\"family\":\"categorical\",\"rows\":3,"
                     "\"used\":3,\"pixels\":576.0,\"bands\":1,\"classes\":3,"
                     "\"categorical\":[[0.31111112,0.31111112,0.37777779]]}");
    taco_stats_free(s);
    CHECK(!run(&w, true, &opt, &e));
    CHECK(e.code == TACO_ERR_TYPE);
    CHECK_TEXT(e.text, "row 0 of the view: the statistics are categorical (3 values a band, "
                       "continuous ones have 9), continuous ones were requested");
    e = none();
    opt.family = TACO_STATS_CATEGORICAL;
    two_rows(&w);
    CHECK(!run(&w, true, &opt, &e));
    CHECK_TEXT(e.text, "row 0 of the view: the statistics are continuous (9 values a band, "
                       "continuous ones have 9), categorical ones were requested");
}

/* ---- edges ---- */

static void null_rows(void)
{
    static const int64_t one[] = {1, 1}, big[] = {1000, 1000};
    view w;
    taco_error e = none();
    taco_stats *s;
    two_rows(&w);
    view_band(&w, nine1, 9); /* a null row, its weight too, is left out */
    view_row(&w, big, 2);
    taco__bitmap_clear(w.valid, 2);
    view_row(&w, big, 2); /* and one without bands */
    s = run(&w, true, NULL, &e);
    CHECK(s && s->rows == 4 && s->used == 2);
    NEAR(s->band[0].mean, 5.538461538461538);
    NEAR(s->band[0].std, 1.5160677882144777);
    taco_stats_free(s);
    view_begin(&w); /* one pixel in all: its deviation is 0 / 0 */
    view_band(&w, nine1, 9);
    view_row(&w, one, 2);
    s = run(&w, true, NULL, &e);
    NEAR(s->band[0].mean, 4.0);
    CHECK(s->band[0].std != s->band[0].std);
    taco_stats_free(s);
    view_begin(&w); /* shapes of fewer than two sizes weigh one */
    view_band(&w, nine1, 9);
    view_row(&w, big, 1);
    view_band(&w, nine2, 9);
    view_row(&w, big, 0);
    s = run(&w, true, NULL, &e);
    NEAR(s->pixels, 2.0);
    NEAR(s->band[0].mean, 5.0);
    taco_stats_free(s);
    CHECK_TEXT(taco_error_text(&e), "");
}

static void not_numbers(void)
{
    static const int64_t shape[] = {2, 2};
    const double inf = taco__f64_from_bits(UINT64_C(0x7FF0000000000000)),
                 nan = TACO__PIXEL_STATS_NAN;
    double v[9];
    view w;
    taco_error e = none();
    taco_stats *s;
    taco_bytes t;
    char text[512] = {0};
    view_begin(&w);
    memcpy(v, nine1, sizeof v);
    v[0] = -inf;
    v[1] = nan;
    v[2] = inf;
    v[5] = nan;
    view_band(&w, v, 9);
    view_row(&w, shape, 2);
    view_band(&w, nine2, 9);
    view_row(&w, shape, 2);
    taco__bitmap_clear(w.value_valid, 9 + 6); /* a null number is NaN */
    s = run(&w, true, NULL, &e);
    t = taco_stats_json(s, &e);
    memcpy(text, t.data, t.len < sizeof text ? t.len : 0);
    CHECK_TEXT(
        strstr(text, "\"min\""),
        "\"min\":[\"-Infinity\"],\"max\":[\"NaN\"],\"mean\":[\"Infinity\"],\"std\":[\"NaN\"],"
        "\"p25\":[\"NaN\"],\"p50\":[\"NaN\"],\"p75\":[6.5],\"p95\":[8.5]}");
    taco_stats_free(s);
    CHECK_TEXT(taco_error_text(&e), "");
}

static void roots(void)
{
    uint64_t bits = 1;
    size_t i;
    CHECK(taco__math_sqrt(0) == 0 && taco__math_sqrt(1) == 1 && taco__math_sqrt(4) == 2);
    CHECK(taco__math_sqrt(-1) == -1);
    NEAR(taco__math_sqrt(2), 1.4142135623730951);
    for (i = 0; i < 20000; i++) { /* of every exponent */
        double x = taco__f64_from_bits(bits & UINT64_C(0x7FEFFFFFFFFFFFFF)), y = taco__math_sqrt(x),
               d;
        bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407U;
        if (x > 1e-290 && x < 1e300) {
            d = y * y / x - 1;
            CHECK(d < 1e-15 && d > -1e-15);
        } else {
            CHECK(y >= 0);
        }
    }
}

static void remainders(void)
{
    const double inf = taco__f64_from_bits(UINT64_C(0x7FF0000000000000)),
                 nan = TACO__PIXEL_STATS_NAN, none[] = {nan, inf, -inf};
    size_t i;
    CHECK(taco__math_fmod(7, 2) == 1 && taco__math_fmod(-7, 2) == -1 && taco__math_fmod(1, 2) == 1);
    CHECK(taco__math_fmod(1, inf) == 1 && taco__math_fmod(1, -inf) == 1);
    CHECK(taco__math_fmod(1, nan) != taco__math_fmod(1, nan));
    CHECK(taco__math_fmod(1, 0) != taco__math_fmod(1, 0));
    for (i = 0; i < 3; i++) {
        CHECK(taco__math_fmod(none[i], 2) != taco__math_fmod(none[i], 2));
    }
}

static const char *refused(view *w, taco_status want)
{
    static char text[400];
    taco_error e = none();
    taco_stats *s = run(w, true, NULL, &e);
    CHECK(!s && e.code == want);
    taco_stats_free(s);
    strcpy(text, e.text);
    return text;
}

static void refusals(void)
{
    static const int64_t wide[] = {INT64_MAX, 3}, back[] = {-1, 4}, two[] = {1, 2};
    view w;
    view_begin(&w);
    CHECK_TEXT(refused(&w, TACO_ERR_NOT_FOUND), "none of the 0 rows has statistics");
    view_row(&w, two, 2);
    CHECK_TEXT(refused(&w, TACO_ERR_NOT_FOUND), "none of the 1 rows has statistics");
    two_rows(&w);
    view_band(&w, nine1, 9);
    view_row(&w, wide, 2);
    CHECK_TEXT(refused(&w, TACO_ERR_CORRUPT),
               "row 2 of the view: stac:tensor_shape ends in 9223372036854775807, 3: more pixels "
               "than 64 bits can count");
    two_rows(&w);
    view_band(&w, nine1, 9);
    view_row(&w, back, 2);
    CHECK_TEXT(refused(&w, TACO_ERR_CORRUPT),
               "row 2 of the view: stac:tensor_shape has a size that is null, negative or above "
               "9223372036854775807");
    two_rows(&w);
    view_band(&w, nine1, 9);
    view_band(&w, nine1, 9);
    view_row(&w, two, 2);
    CHECK_TEXT(refused(&w, TACO_ERR_CORRUPT), "row 2 of the view: 2 bands, 9 values in band 0; "
                                              "before there were 1 bands of 9");
    two_rows(&w);
    view_band(&w, nine1, 4); /* classes among continuous ones */
    view_row(&w, two, 2);
    CHECK_TEXT(refused(&w, TACO_ERR_CORRUPT), "row 2 of the view: 1 bands, 4 values in band 0; "
                                              "before there were 1 bands of 9");
    view_begin(&w);
    view_band(&w, nine1, 0);
    view_row(&w, two, 2);
    CHECK_TEXT(refused(&w, TACO_ERR_CORRUPT), "row 0 of the view: a band has no values");
    two_rows(&w);
    taco__bitmap_clear(w.band_valid, 1);
    CHECK_TEXT(refused(&w, TACO_ERR_CORRUPT), "row 1 of the view: band 0 is null");
}

static void columns(void)
{
    view w;
    size_t stats, shape;
    taco_error e = none();
    two_rows(&w);
    w.stats.name = "l1:geotiff:stats";
    w.shape.name = "l0:stac:tensor_shape";
    view_batch(&w);
    CHECK(taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, &e));
    CHECK(stats == 0 && shape == TACO__NONE); /* the weights are those of its own level */
    w.fields[1].name = "l1:stac:tensor_shape";
    CHECK(taco__pixel_stats_find_columns(w.fields, 2, "l1:geotiff:stats", &stats, &shape, &e) &&
          shape == 1);
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, "stac:tensor_shape", &stats, &shape, &e));
    CHECK(e.code == TACO_ERR_NOT_FOUND);
    e = none();
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, "l1:stac:tensor_shape", &stats, &shape, &e));
    CHECK_TEXT(
        e.text,
        "column 'l1:stac:tensor_shape' does not hold statistics: a list of numbers for each band");
    e = none();
    CHECK(!taco__pixel_stats_find_columns(w.fields + 1, 1, NULL, &stats, &shape, &e));
    CHECK_TEXT(e.text, "no statistics: there is no column internal:stats or geotiff:stats");
    e = none();
    w.size.type = TACO_DOUBLE;
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, &e));
    CHECK_TEXT(e.text, "column 'l1:stac:tensor_shape' is not a shape: a list of integers");
}

/* Lists of what is no number, shapes of what is no integer, shapes that are null. */
static void odd_columns(void)
{
    static const int64_t two[] = {1, 2};
    static const taco_type shapes[] = {TACO_BOOL, TACO_DOUBLE};
    view w;
    size_t stats, shape, i;
    taco_error e = none();
    taco_stats *s;
    two_rows(&w);
    w.value.type = TACO_TEXT;
    view_batch(&w);
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, &e) &&
          e.code == TACO_ERR_TYPE);
    w.value.type = TACO_BOOL;
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, NULL));
    CHECK(taco__cursor_column_prefix_length("l1:x") == 3 &&
          taco__cursor_column_prefix_length("lat") == 0 &&
          taco__cursor_column_prefix_length("l:x") == 0 &&
          taco__cursor_column_prefix_length("l/:x") == 0 &&
          taco__cursor_column_prefix_length("l1x") == 0 &&
          taco__cursor_column_prefix_length("x1:x") == 0);
    w.band.type = TACO_DOUBLE;
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, NULL));
    w.fields[0].type = TACO_DOUBLE;
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, NULL));
    for (i = 0; i < 2; i++) {
        two_rows(&w);
        w.size.type = shapes[i];
        view_batch(&w);
        CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, NULL));
    }
    w.fields[1].type = TACO_INT64;
    CHECK(!taco__pixel_stats_find_columns(w.fields, 2, NULL, &stats, &shape, NULL));
    view_begin(&w);
    view_band(&w, nine1, 9);
    view_row(&w, two, 2);
    w.columns[1].validity = w.valid; /* of both columns: the row is not null */
    e = none();
    s = run(&w, true, NULL, &e);
    CHECK(s && s->pixels == 2);
    taco_stats_free(s);
}

/* Null shapes weigh one, null sizes are refused; images without pixels have no averages; NaN stays an
   extreme; more classes than memory are refused. */
static void nothing_to_weigh(void)
{
    static const int64_t empty[] = {3, 0}, two[] = {1, 2};
    static const double share[] = {0.5, 0.5};
    const double nan = TACO__PIXEL_STATS_NAN;
    taco_stats_options weighted = {NULL, TACO_STATS_ANY, true};
    taco__mem mem;
    taco__pixel_stats g;
    taco_batch b;
    view w;
    taco_error e = none();
    taco_stats *s;
    double x, weight;
    uint8_t none_valid[1] = {0};
    view_begin(&w);
    view_band(&w, nine1, 9);
    view_row(&w, empty, 2);
    s = run(&w, true, &weighted, &e);
    CHECK(s && s->pixels == 0 && s->band[0].mean != s->band[0].mean && s->band[0].min == 0);
    CHECK(s->band[0].p25 != s->band[0].p25 && s->band[0].p95 != s->band[0].p95);
    taco_stats_free(s);
    s = run(&w, true, NULL, &e);
    CHECK(s && s->band[0].p25 == 2);
    taco_stats_free(s);
    view_begin(&w);
    view_band(&w, share, 2);
    view_row(&w, empty, 2);
    s = run(&w, true, NULL, &e);
    CHECK(s && s->share[0] != s->share[0]);
    taco_stats_free(s);
    view_begin(&w);
    view_band(&w, nine1, 9);
    view_row(&w, two, 2);
    b = view_batch(&w);
    CHECK(taco__pixel_stats_row_weight(&b.columns[1], 0, &weight, &e) && weight == 2);
    w.sizes.validity = none_valid;
    CHECK(!taco__pixel_stats_row_weight(&b.columns[1], 0, &weight, &e));
    CHECK(strstr(e.text, "a size that is null") != NULL);
    w.columns[1].validity = none_valid;
    CHECK(taco__pixel_stats_row_weight(&b.columns[1], 0, &weight, &e) && weight == 1);
    x = 5;
    taco__pixel_stats_update_extreme(&x, nan, false, true);
    CHECK(x != x);
    taco__pixel_stats_update_extreme(&x, nan, false, true); /* keeps it */
    taco__pixel_stats_update_extreme(&x, 3, false, true);
    CHECK(x != x);
    taco__pixel_stats_update_extreme(&x, 3, true, true);
    CHECK(x == 3);
    taco__pixel_stats_update_extreme(&x, nan, true, false);
    CHECK(x != x);
    taco__pixel_stats_update_extreme(&x, nan, true, false);
    CHECK(x != x);
    taco__mem_init(&mem, NULL);
    memset(&g, 0, sizeof g);
    g.mem = g.arena.mem = &mem;
    e = none();
    CHECK(!taco__pixel_stats_begin(&g, SIZE_MAX / 2, 3, &e) && e.code == TACO_ERR_MEMORY);
    e = none();
    CHECK(!taco__pixel_stats_begin(&g, SIZE_MAX / 2, 9, &e) && e.code == TACO_ERR_MEMORY);
}

/* ---- datasets ---- */

static const char *json(const taco_query *q, const taco_stats_options *opt)
{
    static char out[1024];
    taco_error e = none();
    taco_dataset *ds = taco_open("examples/data/geo_stac.tacozip", NULL, &e);
    taco_stats *s = taco_aggregate(ds, q, opt, &e);
    taco_bytes t = taco_stats_json(s, &e);
    memset(out, 0, sizeof out);
    if (e.code != TACO_OK) {
        const char *slash = strrchr(e.text, '/');
        strcpy(out, slash ? slash + 1 : e.text);
    } else if (t.data) {
        memcpy(out, t.data, t.len < sizeof out ? t.len : 0);
    }
    taco_stats_free(s);
    taco_close(ds);
    return out;
}

static void datasets(void)
{
    taco_stats_options opt = {"id", TACO_STATS_ANY, false};
    taco_query q;
    memset(&q, 0, sizeof q);
    CHECK(strstr(json(NULL, NULL), "\"rows\":10,\"used\":9,\"pixels\":1728.0,\"bands\":2,"));
    q.where = "id IN ('p0', 'p1', 'p3')"; /* p3 has none */
    CHECK_TEXT(json(&q, NULL),
               "{\"column\":\"geotiff:stats\",\"family\":\"continuous\",\"rows\":3,\"used\":2,"
               "\"pixels\":384.0,\"bands\":2,\"min\":[0.0,1.0],\"max\":[11.0,2.0],"
               "\"mean\":[5.5,1.5],\"std\":[1.1630855,0.24967341],\"p25\":[2.0,1.1],"
               "\"p50\":[5.0,1.5],\"p75\":[7.0,1.7],\"p95\":[9.5,1.9]}");
    q.order = "id desc";
    q.limit = 1;
    q.where = "id < 'p2'";
    CHECK(strstr(json(&q, NULL), "\"mean\":[6.0,1.5]"));
    q.where = "id = 'none'";
    CHECK_TEXT(json(&q, NULL),
               "geo_stac.tacozip: column 'geotiff:stats': none of the 0 rows has statistics");
    CHECK_TEXT(
        json(NULL, &opt),
        "geo_stac.tacozip: column 'id' does not hold statistics: a list of numbers for each band");
    q.table = 3;
    CHECK_TEXT(json(&q, NULL), "geo_stac.tacozip: there is no level 3, the deepest is 0");
    CHECK(taco_aggregate(NULL, NULL, NULL, NULL) == NULL);
    CHECK(taco_aggregate_rows(NULL, NULL, NULL) == NULL);
    taco_stats_free(NULL);
}

/* ---- memory ---- */

static void memory(void)
{
    taco_allocator a;
    taco_options opt;
    test_memory m;
    size_t n;
    for (n = 1; n < 5000; n++) {
        taco_error e = none();
        taco_dataset *ds;
        taco_stats *s;
        test_counted(&opt, &a, &m);
        m.fail_at = n;
        ds = taco_open("examples/data/geo_stac.tacozip", &opt, &e);
        s = ds ? taco_aggregate(ds, NULL, NULL, &e) : NULL;
        CHECK(taco_stats_json(s, &e).data ? e.code == TACO_OK : e.code == TACO_ERR_MEMORY);
        taco_stats_free(s);
        taco_close(ds);
        CHECK(m.live == 0);
        if (m.calls < n) { /* memory to keep pages in may be missing */
            CHECK_TEXT(taco_error_text(&e), "");
            break;
        }
    }
    CHECK(n > 50 && n < 5000);
}

int main(void)
{
    RUN(one_row);
    RUN(one_band);
    RUN(two_bands);
    RUN(classes);
    RUN(null_rows);
    RUN(not_numbers);
    RUN(roots);
    RUN(remainders);
    RUN(refusals);
    RUN(columns);
    RUN(odd_columns);
    RUN(nothing_to_weigh);
    RUN(datasets);
    RUN(memory);
    return test_end("test_aggr");
}
