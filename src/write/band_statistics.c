/* band_statistics.c - geotiff:stats: statistics of the pixels of each band

   In: decoded pixels, which the caller reads a part at a time (taco_pixels); out: the column
   geotiff:stats, a list of a list of float for each band: min, max, mean, standard deviation,
   percent of valid pixels, percentiles 25, 50, 75, 95; or the shares of classes. TACO 2.0 §8.

   Two passes over a band: sums by Welford's method, then a histogram of 100 buckets between min
   and max that percentiles are read from, as in the reference. NaN and the infinities are not
   valid. Scale and offset are applied to the results, not to the pixels. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"

/* ---- statistics of pixels ---- */

/* Buckets of the histogram for percentiles, as many as in the reference. */
#define TACO__BAND_STATS_BUCKETS 100
/* Pixels read at a time. */
#define TACO__BAND_STATS_READ 768
/* min, max, mean, std, valid %, p25, p50, p75, p95 */
#define TACO__BAND_STATS_NUMBERS 9

/* Receives the valid pixels of a band, a part at a time. */
typedef void (*taco__band_stats_fn)(void *ctx, const double *v, size_t n);

/* Reads all pixels of a band and passes on the valid ones. */
static bool taco__band_stats_for_each(const taco_pixels *p, uint32_t band, taco__band_stats_fn each,
                                      void *ctx, taco_error *err)
{
    double buffer[TACO__BAND_STATS_READ];
    uint64_t at;
    size_t n, i, k;
    for (at = 0; at < p->count; at += n) {
        n = (size_t)TACO__MIN(p->count - at, (uint64_t)TACO__BAND_STATS_READ);
        if (!p->read(p->ctx, band, at, buffer, n)) {
            TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "band %u: pixels %u to %u cannot be read",
                       TACO__U(band), at, at + n);
            return false;
        }
        for (i = k = 0; i < n; i++) {
            buffer[k] = buffer[i];
            k += taco__f64_is_finite(buffer[i]); /* neither NaN nor infinite */
        }
        each(ctx, buffer, k);
    }
    return true;
}

/* Welford's mean and sum of squares */
typedef struct taco__band_stats_sums {
    uint64_t n;
    double min, max, mean, squares;
} taco__band_stats_sums;

/* Welford: mean and sum of squared deviations in one pass. */
static void taco__band_stats_sum_pixels(void *ctx, const double *v, size_t n)
{
    taco__band_stats_sums *s = (taco__band_stats_sums *)ctx;
    size_t i;
    for (i = 0; i < n; i++) {
        double d = v[i] - s->mean;
        s->n++;
        s->mean += d / (double)s->n;
        s->squares += d * (v[i] - s->mean);
        s->min = s->n == 1 || v[i] < s->min ? v[i] : s->min;
        s->max = s->n == 1 || v[i] > s->max ? v[i] : s->max;
    }
}

typedef struct taco__band_stats_histogram {
    uint64_t count[TACO__BAND_STATS_BUCKETS];
    double min, width;
} taco__band_stats_histogram;

/* Counts pixels by bucket; the greatest value belongs to the last one. */
static void taco__band_stats_fill_histogram(void *ctx, const double *v, size_t n)
{
    taco__band_stats_histogram *h = (taco__band_stats_histogram *)ctx;
    size_t i;
    for (i = 0; i < n; i++) {
        double at = (v[i] - h->min) / h->width;
        h->count[at < TACO__BAND_STATS_BUCKETS - 1 ? (size_t)at : TACO__BAND_STATS_BUCKETS - 1]++;
    }
}

/* The nine numbers of a band; *any is false if it has no valid pixel. */
static bool taco__band_stats_continuous(const taco_pixels *p, uint32_t band, float *out, bool *any,
                                        taco_error *err)
{
    static const double shares[] = {0.25, 0.5, 0.75, 0.95};
    taco__band_stats_sums s;
    taco__band_stats_histogram h;
    double v[TACO__BAND_STATS_NUMBERS], std;
    bool scaled = p->scale < 0 || p->scale > 0;
    size_t i, k;
    memset(&s, 0, sizeof s);
    memset(&h, 0, sizeof h);
    if (!taco__band_stats_for_each(p, band, taco__band_stats_sum_pixels, &s, err)) { return false; }
    *any = s.n != 0;
    if (!*any) { return true; }
    h.min = s.min;
    h.width = (s.max - s.min) / TACO__BAND_STATS_BUCKETS;
    std = taco__math_sqrt(s.squares / (double)s.n);
    if (h.width > 0 &&
        !taco__band_stats_for_each(p, band, taco__band_stats_fill_histogram, &h, err)) {
        return false;
    }
    v[0] = s.min;
    v[1] = s.max;
    v[2] = s.mean;
    v[3] = 0; /* the deviation, which has no offset */
    v[4] = 100 * ((double)s.n / (double)p->count);
    for (i = 0; i < 4; i++) {
        uint64_t sum = 0;
        for (k = 0; k + 1 < TACO__BAND_STATS_BUCKETS; k++) {
            sum += h.count[k];
            if ((double)sum >= shares[i] * (double)s.n) { break; }
        }
        v[5 + i] = h.width > 0 ? h.min + ((double)k + 0.5) * h.width : s.min;
    }
    for (i = 0; i < TACO__BAND_STATS_NUMBERS; i++) {
        out[i] = (float)(scaled && i != 4 ? v[i] * p->scale + p->offset : v[i]);
    }
    out[3] = (float)(h.width > 0 ? scaled ? std * p->scale : std : 0);
    return true;
}

typedef struct taco__band_stats_classes {
    const taco_pixels *p;
    uint64_t *count, all;
} taco__band_stats_classes;

/* Counts pixels of each class; those of unknown classes are ignored. */
static void taco__band_stats_count_classes(void *ctx, const double *v, size_t n)
{
    taco__band_stats_classes *c = (taco__band_stats_classes *)ctx;
    size_t i, k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < c->p->class_count; k++) {
            double d = v[i] - (double)c->p->classes[k];
            if (!(d < 0 || d > 0)) {
                c->count[k]++;
                c->all++;
                break;
            }
        }
    }
}

/* The share of each class among the pixels of all classes; *any is false if there are none. */
static bool taco__band_stats_categorical(const taco_pixels *p, uint32_t band, uint64_t *count,
                                         float *out, bool *any, taco_error *err)
{
    taco__band_stats_classes c;
    size_t k;
    c.p = p;
    c.count = count;
    c.all = 0;
    memset(count, 0, p->class_count * sizeof *count);
    if (!taco__band_stats_for_each(p, band, taco__band_stats_count_classes, &c, err)) {
        return false;
    }
    *any = c.all != 0;
    for (k = 0; *any && k < p->class_count; k++) {
        out[k] = (float)((double)count[k] / (double)c.all);
    }
    return true;
}

/* geotiff:stats is a list of a list of numbers for each band. */
static void taco__band_stats_fields(taco_field f[3])
{
    f[0] = taco__field_make_nested("geotiff:stats", TACO_LIST, &f[1], 1);
    f[1] = taco__field_make_nested("element", TACO_LIST, &f[2], 1);
    f[2] = taco__field_make("element", TACO_FLOAT);
}

TACO_API taco_status taco_writer_stats_column(taco_writer *w, uint32_t level)
{
    taco_field f[3];
    taco__band_stats_fields(f);
    return taco_writer_field(w, level, &f[0]);
}

/* Sets the column from bands * numbers values, which are wrapped in arrays without a copy. */
static taco_status taco__band_stats_set(taco_writer *w, uint32_t bands, size_t numbers,
                                        const float *values, taco__arena *arena, taco_error *err)
{
    taco_field f[3];
    taco_array a[3];
    int32_t outer[2], *inner;
    uint32_t i;
    inner = (int32_t *)taco__arena_array(arena, (size_t)bands + 1, sizeof *inner, err);
    if (!inner) { return TACO_ERR_MEMORY; }
    taco__band_stats_fields(f);
    memset(a, 0, sizeof a);
    outer[0] = 0;
    outer[1] = (int32_t)bands;
    for (i = 0; i <= bands; i++) {
        inner[i] = (int32_t)(i * numbers);
    }
    for (i = 0; i < 3; i++) {
        a[i].field = &f[i];
        a[i].children = i < 2 ? &a[i + 1] : NULL;
    }
    a[0].length = 1;
    a[0].offsets = outer;
    a[1].length = bands;
    a[1].offsets = inner;
    a[2].length = bands * numbers;
    a[2].v.any = values;
    return taco_writer_set_array(w, "geotiff:stats", &a[0], 0);
}

/* Null if a band has no valid pixel: the column has numbers for all bands or none. */
TACO_API taco_status taco_writer_set_stats(taco_writer *w, const taco_pixels *p, taco_error *err)
{
    taco__mem mem;
    taco__arena arena;
    size_t numbers = p && p->class_count ? p->class_count : TACO__BAND_STATS_NUMBERS, all;
    float *values = NULL;
    uint64_t *count = NULL;
    uint32_t i;
    bool any = true, ok = true;
    taco_status st = TACO_ERR_ARGUMENT;
    err = taco__error_fresh(err, NULL);
    if (!p || !p->read || p->bands == 0 || p->count == 0 || p->bands > UINT16_MAX ||
        (p->class_count && !p->classes) || numbers > UINT16_MAX) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "geotiff:stats needs bands, pixels and a way to read them");
    }
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    arena.head = NULL;
    all = (size_t)p->bands * numbers;
    if (all <= INT32_MAX) {
        values = (float *)taco__arena_array(&arena, all, sizeof *values, err);
        count = (uint64_t *)taco__arena_array(&arena, numbers, sizeof *count, err);
    }
    ok = values && count;
    for (i = 0; ok && any && i < p->bands; i++) {
        float *out = values + i * numbers;
        ok = p->class_count ? taco__band_stats_categorical(p, i, count, out, &any, err)
                            : taco__band_stats_continuous(p, i, out, &any, err);
    }
    if (ok) {
        st = any ? taco__band_stats_set(w, p->bands, numbers, values, &arena, err)
                 : taco_writer_set_null(w, "geotiff:stats");
    } else {
        st = err && err->code != TACO_OK ? err->code : TACO_ERR_IO;
    }
    taco__arena_free(&arena);
    return st;
}
