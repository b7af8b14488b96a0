/* query.c - taco query: the rows that pass filters or result from a SELECT (opened by rows.c). They
   are written as text or Arrow (output.c), as footprints (GeoJSON, or a tile index for GDAL), or as
   Parquet (publish.c); --explain prints the plan of what would be read instead (explain.c). */
#include "tool.h"

#include <string.h>

/* How rows are written: one of three families of formats. */
typedef struct query_output {
    /* as footprints; 0: not */
    taco_footprint_format footprints;
    /* as a Parquet file of this kind; else rows are printed in the format a->format */
    bool published;
    taco_publish_kind kind;
} query_output;

/* Whether a --format is one for footprints, and which. */
static bool is_footprints(const char *format, taco_footprint_format *out)
{
    bool geojson = strcmp(format, "geojson") == 0, gti = strcmp(format, "gti") == 0;
    *out = gti ? TACO_FOOTPRINTS_GTI : TACO_FOOTPRINTS_GEOJSON;
    return geojson || gti;
}

/* Parses --format and -o. A plan has no format. */
static int parse_query_output(arguments *a, query_output *out)
{
    memset(out, 0, sizeof *out);
    if (a->explain) {
        a->format = "table";
        return DONE;
    }
    if (choose_format(a, &query_command, "table") != DONE) { return USAGE; }
    out->published = parse_publish_kind(a->format, &out->kind);
    if (out->published && (!a->output || strcmp(a->output, "-") == 0)) {
        return usage_error("Parquet cannot go to standard output: name a file with -o", NULL);
    }
    if (strcmp(a->format, "map") == 0 && a->output && strcmp(a->output, "-") != 0) {
        return usage_error("a map can only go to standard output: leave out -o", NULL);
    }
    if (!out->published && a->parquet_option) {
        fprintf(stderr, "taco: %s is an option of Parquet output, and --format %s is not Parquet\n",
                a->parquet_option, a->format);
        return USAGE;
    }
    if (!is_footprints(a->format, &out->footprints)) { out->footprints = (taco_footprint_format)0; }
    return DONE;
}

/* Rejects options for what a SELECT itself specifies. */
static int check_sql(const arguments *a, const query_output *out)
{
    const taco_query *q = &a->query;
    if (!a->sql) { return DONE; }
    if (q->select || q->order || a->limit_given || q->offset) {
        return usage_error("--select, --order, --limit and --offset cannot be combined with --sql: "
                           "put them into the SELECT",
                           NULL);
    }
    if (out->footprints || strcmp(a->format, "map") == 0) {
        return usage_error("--sql cannot make footprints: filter with --where, --bbox, --time",
                           NULL);
    }
    return check_sql_source(a);
}

/* Prints the text that the library makes, piece by piece. */
static int print_footprints(const arguments *a, taco_dataset *ds, taco_footprint_format format,
                            taco_error *err)
{
    taco_footprints *f = taco_footprints_open(ds, &a->query, format, err);
    output out;
    taco_bytes text;
    int status = f ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        while (taco_footprints_next(f, &text) && output_write(&out, text)) {}
        /* closed first: its error decides whether the output is kept */
        taco_footprints_close(f, err);
        f = NULL;
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_footprints_close(f, err);
    return err->code != TACO_OK ? report_error(err) : status;
}

/* What a table on a terminal needs to count the rows that it does not show. */
typedef struct row_counter {
    const arguments *a;
    taco_dataset *ds;
} row_counter;

/* table_options.total: UINT64_MAX if unknown. */
static uint64_t count_all(void *ctx)
{
    const row_counter *counter = (const row_counter *)ctx;
    taco_view *v = open_view(counter->a, counter->ds, NULL);
    taco_view *n = taco_view_sql(v, "SELECT count(*) AS n FROM data", NULL);
    taco_cursor *rows = taco_view_rows(n, NULL);
    int64_t count = -1;
    if (taco_cursor_next(rows)) { taco_cursor_int(rows, "n", &count); }
    taco_cursor_close(rows, NULL);
    taco_view_free(n);
    taco_view_free(v);
    return count < 0 ? UINT64_MAX : (uint64_t)count;
}

/* Prints the rows as text or Arrow. A terminal gets the first ones, and the total. */
static int print_query_rows(const arguments *a, taco_dataset *ds, taco_cursor *rows,
                            const taco_options *opt, taco_error *err)
{
    row_counter counter;
    table_options how;
    memset(&how, 0, sizeof how);
    counter.a = a;
    counter.ds = ds;
    how.internal = a->query.select || a->sql;
    how.total = count_all;
    how.total_ctx = &counter;
    return print_cursor(rows, a, &how, opt, a->word_count == 1 ? a->words[0] : "", err);
}

static bool is_wide(const arguments *a, const taco_dataset *ds);
static int print_places(const arguments *a, taco_dataset *ds, taco_error *err);

/* Writes the rows in one of four ways, the first that was requested. */
static int print_query(const arguments *a, taco_dataset *ds, const query_output *out,
                       const taco_options *opt, taco_error *err)
{
    taco_cursor *rows;
    bool paths = strcmp(a->format, "vsi") == 0;
    if (a->explain) { return explain_query(a, ds, err); }
    if (out->footprints) { return print_footprints(a, ds, out->footprints, err); }
    if (strcmp(a->format, "map") == 0) {
        return print_footprint_map(a, ds, err) == DONE ? DONE : report_error(err);
    }
    if (paths && is_wide(a, ds)) { return print_places(a, ds, err); }
    rows = paths ? open_paths(a, ds, err) : open_rows(a, ds, err);
    if (!rows) { return report_error(err); }
    if (!out->published && pays_parallel(a, ds, opt)) {
        return print_parallel(a, ds, rows, opt, err);
    }
    return out->published ? publish_rows(a, ds, rows, out->kind, opt, err)
                          : print_query_rows(a, ds, rows, opt, err);
}

/* ---- TACO 3: named tables, declared files ---- */

/* The dataset that is queried: a named table of ds, or ds itself. --file becomes a selection. */
static taco_dataset *choose_table(arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_dataset *table = a->table_name ? taco_v3_table(ds, a->table_name, err) : ds;
    if (table && a->file_count) {
        a->query.select = taco_v3_columns(table, a->files, a->file_count, false, err);
        return a->query.select ? table : NULL;
    }
    return table;
}

/* The paths of all files of a row, in the order of their columns; a sequence has several. */
static bool print_row_places(output *out, const taco_batch *b, size_t columns, size_t row,
                             const arguments *of, taco_error *err)
{
    size_t c;
    int32_t k;
    for (c = 0; c < columns; c++) {
        const taco_array *a = &b->columns[c];
        if (!taco_array_valid(a, row)) { continue; }
        if (a->field->type == TACO_TEXT) {
            if (!output_path(out, taco_array_bytes(a, row), of, err)) { return false; }
            continue;
        }
        for (k = a->offsets[row]; k < a->offsets[row + 1]; k++) {
            if (taco_array_valid(&a->children[0], (size_t)k) &&
                !output_path(out, taco_array_bytes(&a->children[0], (size_t)k), of, err)) {
                return false;
            }
        }
    }
    return true;
}

/* --format vsi of samples that are several files each. */
static int print_places(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_query q = a->query;
    taco_cursor *rows;
    taco_batch batch;
    output out;
    size_t n, i;
    int status;
    q.select = taco_v3_columns(ds, a->files, a->file_count, true, err);
    rows = q.select ? taco_select(ds, &q, err) : NULL;
    if (!rows) { return report_error(err); }
    taco_cursor_fields(rows, &n);
    status = output_open(&out, a->output);
    if (status == DONE) {
        while (taco_cursor_batch(rows, &batch)) {
            for (i = 0; i < batch.length && print_row_places(&out, &batch, n, i, a, err); i++) {}
            if (i < batch.length) { break; }
        }
        taco_cursor_close(rows, err);
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    } else {
        taco_cursor_close(rows, err);
    }
    return err->code != TACO_OK ? report_error(err) : status;
}

/* Whether rows are samples of TACO 3. */
static bool is_wide(const arguments *a, const taco_dataset *ds)
{
    return strcmp(taco_dataset_format(ds), "taco3") == 0 && !a->sql &&
           (!a->table_name || strcmp(a->table_name, "dataset") == 0);
}

/* Words: DATASET... */
static int run_query(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_options own = *opt;
    query_output out;
    taco_dataset *ds, *table;
    int status;
    if (a->word_count == 0) { return usage_error("query needs a DATASET", NULL); }
    if (a->file_count && (a->query.select || a->sql)) {
        return usage_error("--file cannot be combined with --select and --sql", NULL);
    }
    if (parse_query_output(a, &out) != DONE || check_sql(a, &out) != DONE) { return USAGE; }
    prepare_query(a);
    /* short tasks within a scan are rarely worth threads: these are used for large parts of a
       query, and for writing Parquet */
    own.parallel_long = !a->threads_given;
    if (may_pay_parallel(a, opt)) { own.parallel_for = NULL; }
    a->named_tables = true;
    ds = open_datasets(a, a->word_count, &own, &err);
    table = ds ? choose_table(a, ds, &err) : NULL;
    status = table ? print_query(a, table, &out, opt, &err) : report_error(&err);
    taco_close(ds);
    return status;
}

static const command_option query_options[] = {
    OPTION_HEADING("filters: all must hold"),
    FILTER_OPTIONS(0),
    OPTION("--sql"),
    OPTION_HEADING("rows and columns"),
    OPTION("--table"),
    OPTION("--file"),
    OPTION("--select"),
    OPTION("--order"),
    OPTION("--limit"),
    OPTION("--offset"),
    OPTION("--show-padding"),
    OPTION_HEADING("output"),
    OPTION_AS("--format",
              "table|ndjson|json|csv|vsi|arrow|geojson|gti|map|parquet|geoparquet|stac-geoparquet",
              "output format; default: by the extension of -o, or table. Parquet formats need -o "
              "(taco help formats)"),
    OPTION("-o"),
    OPTION("--overwrite"),
    OPTION("--all"),
    OPTION("--crlf"),
    OPTION("-0"),
    OPTION("--explain"),
    OPTION_AS("--json", NULL, "with --explain: one JSON object"),
    OPTION_HEADING("datasets"),
    OPTION("--base-path"),
    OPTION("--column-mode"),
    OPTION("--files-from"),
    OPTION_HEADING("Parquet that is written"),
    PARQUET_OPTIONS(0),
    OPTION_END,
};

const command query_command = {
    "query",
    "print or write rows of a dataset, filtered",
    "DATASET... [filters] [output]\n"
    "DATASET... [filters] --sql SELECT [output]",
    NULL,
    "In geojson and geoparquet, tiles (stac:geotransform) in UTM, web mercator and degrees are "
    "polygons in longitude and latitude; other geometries are as stored. gti has a single CRS: "
    "filter by stac:crs, or name a column of polygons in one CRS with --geometry-col, into which "
    "GDAL (3.9 or later) warps the tiles. stac-geoparquet has items with the path for GDAL as "
    "their asset.",
    NULL,
    query_options,
    run_query,
    true,
    true,
    false,
};
