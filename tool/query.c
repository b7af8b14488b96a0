/* query.c - taco query: the rows that filters or a SELECT leave. They come out as text or Arrow
   (output.c), as footprints (GeoJSON, or a tile index for GDAL), as Parquet (publish.c), or with
   --explain as the plan of what would be read (explain.c). */
#include "tool.h"

#include <string.h>

static const char usage[] =
    "usage: taco query DATASET... [filters] [output]\n"
    "       taco query DATASET... --sql SELECT [--format FORMAT] [-o FILE]\n"
    "\n"
    "filters, each repeatable; all must hold\n"
    "  --where EXPR         e.g. \"\\\"stac:cloud_cover\\\" < 10 AND split = 'train'\"\n"
    "  --bbox W,S,E,N       geometry intersects the box, exactly (--bbox=-10,... if W is "
    "negative)\n"
    "  --time A[/B]         whole UTC days from A to B; --exact-time: instants, A <= t < B\n"
    "  --level N            the level whose rows the filters after it test (given once: all of "
    "them)\n"
    "  --geometry-col NAME  instead of istac:geometry, stac:centroid, istac:centroid\n"
    "  --time-col NAME      instead of istac:time_start, stac:time_start\n"
    "\n"
    "output\n"
    "  --table T            data, levelN: rows of level N; lN: FILE rows with their ancestors' "
    "columns\n"
    "  --select COLS        these columns, e.g. \"id, \\\"stac:crs\\\"\"\n"
    "  --order COLS         e.g. \"cloud_cover desc, id\"; nulls last\n"
    "  --limit N --offset N\n"
    "  --show-padding       also the __TACOPAD__N rows\n"
    "  --format FORMAT      table (default), ndjson, csv, vsi (GDAL paths, one a line),\n"
    "                       geojson (footprints), gti (GDAL Raster Tile Index: a mosaic of the\n"
    "                       rows), arrow (the IPC stream); with -o: parquet, geoparquet,\n"
    "                       stac-geoparquet (items with the GDAL path as their asset)\n"
    "  --codec C[:LEVEL]    of Parquet: none, snappy, gzip, zstd (default), lz4;  --row-group N\n"
    "  -o FILE              instead of standard output (which is -)\n"
    "  --explain            instead of the rows, what will be read for them: row groups and pages\n"
    "                       pruned, columns, bytes, requests; with --json as one object\n"
    "  --base-path P        TACOCAT: where the archives are\n"
    "  --column-mode MODE   several datasets: intersection (default), fill_missing, strict\n"
    "  Parquet: --codec --row-group --arrow-schema ... as of parquet copy; --crs FILE of "
    "geometries\n"
    "  that are not in degrees, --covering COLUMN of geoparquet (stac-geoparquet has bbox)\n"
    "\n"
    "geojson is in longitude and latitude, never reprojected; tiles in degrees "
    "(stac:geotransform)\n"
    "are exact and cut at the antimeridian. gti has one CRS: filter by stac:crs, or name polygons\n"
    "in one CRS with --geometry-col, into which GDAL (3.9 or later) warps the tiles.\n";

/* How the rows come out: one of three families of formats. */
typedef struct query_output {
    /* printed, unless one of the others */
    taco_format format;
    /* footprints of the rows; 0 for none */
    taco_footprint_format footprints;
    /* a Parquet file of a kind */
    bool published;
    taco_publish_kind kind;
} query_output;

/* Whether a --format is one of footprints, and which. format may be NULL. */
static bool is_footprints(const char *format, taco_footprint_format *out)
{
    if (format && strcmp(format, "geojson") == 0) {
        *out = TACO_FOOTPRINTS_GEOJSON;
        return true;
    }
    if (format && strcmp(format, "gti") == 0) {
        *out = TACO_FOOTPRINTS_GTI;
        return true;
    }
    return false;
}

/* What --format and -o say. */
static int parse_query_output(const arguments *a, query_output *out)
{
    memset(out, 0, sizeof *out);
    out->format = TACO_FORMAT_TABLE;
    out->published = parse_publish_kind(a->format, &out->kind);
    if (out->published) {
        return a->output && strcmp(a->output, "-") != 0
                   ? DONE
                   : usage_error("Parquet goes into a file: name it with -o", NULL);
    }
    return is_footprints(a->format, &out->footprints) ? DONE
                                                      : parse_row_format(a, "table", &out->format);
}

/* --sql takes no part of the query from another option. */
static int check_sql(const arguments *a)
{
    taco_footprint_format footprints;
    const taco_query *q = &a->query;
    if (a->sql &&
        (a->filter_count || q->table || q->flat || q->select || q->order || a->limit_given ||
         q->offset || q->padding || is_footprints(a->format, &footprints))) {
        return usage_error("--sql stands alone: conditions, columns, order and limits go into the "
                           "SELECT, and footprints are not made of it",
                           NULL);
    }
    return DONE;
}

/* The library makes the text, which is printed piece by piece. */
static int print_footprints(const arguments *a, taco_dataset *ds, taco_footprint_format format,
                            taco_error *err)
{
    taco_footprints *f = taco_footprints_open(ds, &a->query, format, err);
    output out;
    taco_bytes text;
    int status = f ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        while (taco_footprints_next(f, &text) && write_bytes(out.file, text)) {}
        /* closed first: its error decides whether the output is kept */
        taco_footprints_close(f, err);
        f = NULL;
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_footprints_close(f, err);
    return err->code != TACO_OK ? report_error(err) : status;
}

/* One of the four ways out; the first that was asked for. */
static int print_query(const arguments *a, taco_dataset *ds, const query_output *out,
                       const taco_options *opt, taco_error *err)
{
    taco_cursor *rows;
    if (a->explain) { return explain_query(a, ds, err); }
    if (out->footprints) { return print_footprints(a, ds, out->footprints, err); }
    rows = a->sql ? taco_sql(ds, a->sql, err) : taco_select(ds, &a->query, err);
    if (!rows) { return report_error(err); }
    return out->published ? publish_rows(a, ds, rows, out->kind, opt, err)
                          : print_cursor(rows, out->format, a->output, opt,
                                         a->word_count == 1 ? a->words[0] : "", err);
}

/* Words: DATASET... */
static int run_query(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    query_output out;
    taco_dataset *ds;
    int status;
    if (a->word_count == 0) { return usage_error("query wants a DATASET", NULL); }
    if (check_sql(a) != DONE || parse_query_output(a, &out) != DONE) { return USAGE; }
    /* only the column that is printed needs to be read */
    if (out.format == TACO_FORMAT_LINES && !a->query.select) {
        a->query.select = "\"internal:gdal_vsi\"";
    }
    prepare_query(a);
    ds = open_datasets(a, a->word_count, opt, &err);
    status = ds ? print_query(a, ds, &out, opt, &err) : report_error(&err);
    taco_close(ds);
    return status;
}

const command query_command = {"query", usage, run_query, NULL, false};
