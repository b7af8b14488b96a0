/* stats.c - taco stats: the statistics that rows carry about their pixels, put together over all
   rows that the filters leave. No pixel is read. As a table, or as one JSON object. */
#include "tool.h"

#include <inttypes.h>

/* In a column of its own. printf has two names for NaN, this has one. */
static void print_number(double x)
{
    if (x != x) {
        printf(" %12s", "NaN");
    } else {
        printf(" %12.7g", x);
    }
}

/* What the numbers are of, and the names of the columns, without the end of the line. */
static void print_header(const taco_stats *s)
{
    size_t k;
    printf("column %s, %s: %" PRIu64 " of %" PRIu64 " rows, %.17g pixels\n", s->column,
           s->band ? "continuous" : "categorical", s->used, s->rows, s->pixels);
    printf("band");
    if (s->band) {
        printf(" %12s %12s %12s %12s %12s %12s %12s %12s", "min", "max", "mean", "std", "p25",
               "p50", "p75", "p95");
    }
    /* statistics have either bands of numbers or shares of classes */
    for (k = 0; k < s->classes; k++) {
        char name[32];
        sprintf(name, "class %u", (unsigned)k);
        printf(" %12s", name);
    }
}

/* In the order of print_header. */
static void print_band(const taco_band_stats *b)
{
    print_number(b->min);
    print_number(b->max);
    print_number(b->mean);
    print_number(b->std);
    print_number(b->p25);
    print_number(b->p50);
    print_number(b->p75);
    print_number(b->p95);
}

/* A line for each band: its statistics, or the share of each class. */
static void print_stats(const taco_stats *s)
{
    size_t i, k;
    print_header(s);
    for (i = 0; i < s->bands; i++) {
        printf("\n%4u", (unsigned)i);
        if (s->band) { print_band(&s->band[i]); }
        for (k = 0; k < s->classes; k++) {
            print_number(s->share[i * s->classes + k]);
        }
    }
    printf("\n");
}

/* Words: DATASET... */
static int run_stats(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_dataset *ds;
    taco_stats *s = NULL;
    taco_cursor *rows;
    if (a->word_count == 0) { return usage_error("stats wants a DATASET", NULL); }
    if (check_sql_source(a) != DONE) { return USAGE; }
    prepare_query(a);
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds && a->sql) {
        rows = open_rows(a, ds, &err);
        s = rows ? taco_aggregate_rows(rows, &a->stats, &err) : NULL;
        taco_cursor_close(rows, &err);
    } else if (ds) {
        s = taco_aggregate(ds, &a->query, &a->stats, &err);
    }
    if (s && a->json) {
        if (write_bytes(stdout, taco_stats_json(s, &err))) { putchar('\n'); }
    } else if (s) {
        print_stats(s);
    }
    taco_stats_free(s);
    taco_close(ds);
    return err.code != TACO_OK ? report_error(&err) : flush_stdout(DONE);
}

static const command_option stats_options[] = {
    OPTION("--column"),
    OPTION("--family"),
    OPTION("--weighted-percentiles"),
    OPTION_AS("--json", NULL, "one JSON object, numbers as float32"),
    OPTION_HEADING("which rows: all filters must hold"),
    FILTER_OPTIONS(0),
    OPTION("--sql"),
    OPTION("--table"),
    OPTION("--limit"),
    OPTION("--offset"),
    OPTION("--show-padding"),
    OPTION_HEADING("datasets"),
    OPTION("--base-path"),
    OPTION("--column-mode"),
    OPTION("--files-from"),
    OPTION_END,
};

const command stats_command = {
    "stats",
    "statistics of the pixels of many rows together",
    "DATASET... [filters] [options]",
    "Puts the statistics that the rows carry together: for each band min, max, mean, "
    "pooled standard deviation and percentiles, or the share of each class.",
    "Rows weigh as many pixels as the last two sizes of stac:tensor_shape say, one "
    "without it.",
    NULL,
    stats_options,
    run_stats,
    false,
    true,
    false,
};
