/* stats.c - taco stats: combines the pixel statistics stored in rows, over all rows that pass the
   filters. Reads no pixels. Prints a table or one JSON object. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum {
    /* for a number: digits and columns in a file or a pipe, digits on a terminal */
    DIGITS = 7,
    WIDTH = 12,
    SCREEN_DIGITS = 6
};

/* Statistics have either bands of numbers or shares of classes. */
static size_t value_columns(const taco_stats *s)
{
    return s->band ? 8 : s->classes;
}

/* text has room for 32 bytes. */
static void format_name(const taco_stats *s, size_t column, char *text)
{
    static const char *const names[] = {"min", "max", "mean", "std", "p25", "p50", "p75", "p95"};
    if (s->band) {
        strcpy(text, names[column]);
    } else {
        sprintf(text, "class %u", (unsigned)column);
    }
}

/* The same. Unlike printf, it has only one name for NaN. */
static void format_number(const taco_stats *s, size_t band, size_t column, int digits, char *text)
{
    double x;
    if (s->band) {
        const taco_band_stats *b = &s->band[band];
        const double of[] = {b->min, b->max, b->mean, b->std, b->p25, b->p50, b->p75, b->p95};
        x = of[column];
    } else {
        x = s->share[band * s->classes + column];
    }
    if (x != x) {
        strcpy(text, "NaN");
    } else {
        sprintf(text, "%.*g", digits, x);
    }
}

/* The width of the widest name or number. */
static size_t find_width(const taco_stats *s, int digits)
{
    size_t i, k, width = 0, n;
    char text[32];
    for (k = 0; k < value_columns(s); k++) {
        format_name(s, k, text);
        n = strlen(text);
        width = n > width ? n : width;
        for (i = 0; i < s->bands; i++) {
            format_number(s, i, k, digits, text);
            n = strlen(text);
            width = n > width ? n : width;
        }
    }
    return width;
}

/* Prints a line for each band: its statistics, or the share of each class, in columns [first,
   end). */
static void print_block(const taco_stats *s, size_t first, size_t end, size_t width, int digits)
{
    size_t i, k;
    char text[32];
    printf("band");
    for (k = first; k < end; k++) {
        format_name(s, k, text);
        printf(" %*s", (int)width, text);
    }
    for (i = 0; i < s->bands; i++) {
        printf("\n%4u", (unsigned)i);
        for (k = first; k < end; k++) {
            format_number(s, i, k, digits, text);
            printf(" %*s", (int)width, text);
        }
    }
    printf("\n");
}

/* Prints what the numbers describe, and a table of them, on a terminal with as many columns side by
   side as fit. */
static void print_stats(const taco_stats *s)
{
    size_t n = value_columns(s), k, most = n, width = WIDTH;
    int digits = DIGITS;
    printf("column %s, %s: %" PRIu64 " of %" PRIu64 " rows, %.17g pixels\n", s->column,
           s->band ? "continuous" : "categorical", s->used, s->rows, s->pixels);
    if (stdout_is_terminal()) {
        size_t room = terminal_width();
        digits = SCREEN_DIGITS;
        width = find_width(s, digits) + 1;
        most = room > 4 + 1 + width ? (room - 4) / (width + 1) : 1;
    }
    for (k = 0; k < n; k += most) {
        print_block(s, k, k + most < n ? k + most : n, width, digits);
    }
}

/* Words: DATASET... */
static int run_stats(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_dataset *ds;
    taco_stats *s = NULL;
    taco_cursor *rows;
    if (a->word_count == 0) { return usage_error("stats needs a DATASET", NULL); }
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
    "combined pixel statistics of many rows",
    "DATASET... [filters] [options]",
    "Combines the statistics stored in rows: for each band min, max, mean, pooled "
    "standard deviation and percentiles, or the share of each class.",
    "Rows are weighted by the number of pixels in the last two dimensions of "
    "stac:tensor_shape, or by 1 without it.",
    NULL,
    stats_options,
    run_stats,
    false,
    true,
    false,
};
