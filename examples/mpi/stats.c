/* stats.c DATASET [WHERE] - band statistics over all matching rows, as `taco stats` prints them.
   Each rank takes a part of the rows; reductions combine the results. */
#include "mpi_taco.h"

enum { SUM_ROWS, SUM_USED, SUM_PIXELS, SUM_BAND }; /* then 6 numbers per band */

enum { BAND_MEAN, BAND_SQUARES, BAND_P25, BAND_P50, BAND_P75, BAND_P95, BAND_SUMS };

/* Adds this rank's statistics to the sums; rows without statistics add nothing. Means are weighted by
   pixels, percentiles by rows; squares are those of the pooled deviations. */
static void add(const taco_stats *s, double *sums, double *least, double *most, size_t bands)
{
    size_t b;
    sums[SUM_ROWS] = (double)s->rows;
    sums[SUM_USED] = (double)s->used;
    sums[SUM_PIXELS] = s->pixels;
    for (b = 0; b < bands && b < s->bands; b++) {
        const taco_band_stats *v = &s->band[b];
        double *to = sums + SUM_BAND + b * BAND_SUMS, n = s->pixels, rows = (double)s->used;
        /* a single pixel has no deviation */
        double squares = n > 1 ? v->std * v->std * (n - 1) : 0;
        to[BAND_MEAN] = n * v->mean;
        to[BAND_SQUARES] = squares + n * v->mean * v->mean;
        to[BAND_P25] = rows * v->p25;
        to[BAND_P50] = rows * v->p50;
        to[BAND_P75] = rows * v->p75;
        to[BAND_P95] = rows * v->p95;
        least[b] = v->min;
        most[b] = v->max;
    }
}

/* The number of rows in a part. */
static double count(taco_dataset *ds, const taco_query *q, taco_error *err)
{
    taco_query ids = *q;
    taco_cursor *rows;
    taco_batch b;
    double n = 0;
    ids.select = "id";
    rows = taco_select(ds, &ids, err);
    while (taco_cursor_batch(rows, &b)) {
        n += (double)b.length;
    }
    taco_cursor_close(rows, err);
    return n;
}

static double root(double x)
{
    double r = x > 1 ? x : 1;
    int i;
    for (i = 0; x > 0 && i < 200; i++) {
        r = 0.5 * (r + x / r);
    }
    return x > 0 ? r : 0;
}

static void print(const double *sums, const double *least, const double *most, size_t bands)
{
    double n = sums[SUM_PIXELS], rows = sums[SUM_USED];
    size_t b;
    printf("rows %.0f, with statistics %.0f, pixels %.0f\n", sums[SUM_ROWS], rows, n);
    for (b = 0; b < bands; b++) {
        const double *v = sums + SUM_BAND + b * BAND_SUMS;
        double mean = v[BAND_MEAN] / n, squares = v[BAND_SQUARES] - n * mean * mean;
        printf("band %zu: min %.9g max %.9g mean %.9g std %.9g p25 %.9g p50 %.9g p75 %.9g p95 "
               "%.9g\n",
               b, least[b], most[b], mean, root(squares / (n - 1)), v[BAND_P25] / rows,
               v[BAND_P50] / rows, v[BAND_P75] / rows, v[BAND_P95] / rows);
    }
}

int main(int argc, char **argv)
{
    enum { MOST = 256 };

    static double sums[SUM_BAND + MOST * BAND_SUMS], all[SUM_BAND + MOST * BAND_SUMS];
    static double least[MOST], most[MOST], low[MOST], high[MOST];
    taco_error err = {0};
    taco_query q = {0}, part;
    mpi_file file;
    taco_dataset *ds;
    int bands = 0, mine = 0;
    mpi_time spent = {0, 0, 0};
    size_t b;
    MPI_Init(&argc, &argv);
    ds = mpi_open(argc > 1 ? argv[1] : "", &file, NULL, &err);
    q.where = argc > 2 && argv[2][0] ? argv[2] : NULL;
    if (ds && taco_shard(ds, &q, TACO_SHARD_ROWS, (uint32_t)mpi_rank(), (uint32_t)mpi_size(), &part,
                         &err) == TACO_OK) {
        taco_stats *s;
        mpi_begin(&spent);
        s = taco_aggregate(ds, &part, NULL, &err);
        mpi_pause(&spent);
        for (b = 0; b < MOST; b++) {
            least[b] = 1e308;
            most[b] = -1e308;
        }
        /* a part may have no statistics without the whole failing */
        if (err.code == TACO_ERR_NOT_FOUND) {
            memset(&err, 0, sizeof err);
            sums[SUM_ROWS] = count(ds, &part, &err);
        }
        if (s && s->family != TACO_STATS_CONTINUOUS) {
            mpi_fail(&err, TACO_ERR_TYPE, argv[1], "shares of classes, not statistics of bands");
        } else if (s) {
            mine = (int)(s->bands < MOST ? s->bands : MOST);
            add(s, sums, least, most, (size_t)mine);
        }
        taco_stats_free(s);
    }
    if (ds && mpi_agree(&err)) {
        MPI_Allreduce(&mine, &bands, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Reduce(sums, all, SUM_BAND + MOST * BAND_SUMS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Reduce(least, low, MOST, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        MPI_Reduce(most, high, MOST, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (mpi_rank() == 0 && bands == 0) {
            mpi_fail(&err, TACO_ERR_NOT_FOUND, argv[1], "no row has statistics");
        }
        if (mpi_agree(&err)) {
            if (mpi_rank() == 0) { print(all, low, high, (size_t)bands); }
            mpi_report("rows", (uint64_t)sums[SUM_ROWS], file.reads, file.bytes, &spent);
        }
    }
    taco_close(ds);
    return mpi_end(&err);
}
