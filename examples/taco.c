/* taco - look into TACO datasets and Parquet files, make and mend them. Over the public API; it borrows the library's
   own way with directories and misspelt names.
   cc -O2 examples/taco.c -o taco, with -DWITH_THREADS -pthread where there are POSIX threads, and -DSYSTEM_BROTLI ... -lbrotlidec for Brotli pages: see system_codecs.h */
#ifdef WITH_THREADS
#define _POSIX_C_SOURCE 200809L
#endif
#include "system_codecs.h"
#define TACO_IMPLEMENTATION
#include "../taco_publish.h"
#include "../taco_write.h"
#include "../taco_legacy.h"
#include "../taco_rasteret.h"

#ifdef WITH_THREADS
#include "pool.h"
#include <unistd.h>
#endif

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DONE = 0, FAILED = 1, USAGE = 2 };

#define MAX_FILTERS 64

typedef struct args {                   /* the command line, taken apart */
    const char            *words[1024]; /* DATASET and KEY arguments */
    size_t                 word_count;
    taco_filter            filters[MAX_FILTERS];
    double                 boxes[MAX_FILTERS][4];
    size_t                 filter_count;
    uint32_t               level; /* of the filters that follow */
    bool                   level_given;
    taco_query             query;
    bool                   limit_given;
    const char            *format, *output, *base, *columns, *sql;
    taco_column_mode       mode;
    bool                   json, quiet, exact, explain;
    taco_stats_options     stats;
    int                    verbose;
    bool                   deep, strict_pit;        /* validate */
    bool                   binary, fill, unchecked; /* tacocat */
    taco_pq_write_options  write;                   /* parquet copy */
    taco_pq_geometry       geometry;                /* of what is written */
    taco_create_options    create;
    const char            *collection, *samples[64]; /* create */
    size_t                 samples_count;
    uint64_t               split_size;
    taco_directory_options directory;
    const char            *optical, *group_by[64];
    bool                   replace;            /* add */
    bool                   pad, chain, chunks; /* convert, tortilla */
    const char            *to, *year;          /* collection */
    taco_error             warnings[16];
    size_t                 warning_count;
    uint64_t               requests, bytes; /* counted for -v */
    uint64_t               threads; /* 1 when not given; 0: as many as there are processors */
} args;

typedef struct option {
    const char *name;
    bool        value;
} option;

static const char usage_main[] =
    "usage: taco COMMAND [arguments]\n"
    "\n"
    "  info      what a dataset is: collection, levels, columns\n"
    "  query     rows of a dataset, filtered\n"
    "  read      one sample: the path of a FILE, the children of a FOLDER\n"
    "  get       the bytes of one FILE\n"
    "  stats     statistics of the pixels of many rows together\n"
    "  validate  every rule of the format held against a dataset\n"
    "  repair    a dataset written anew, with what is wrong made right\n"
    "  tacocat   a catalogue of archives\n"
    "  tacollection  the merged collection of datasets\n"
    "  convert   Tortilla and TACO 0.x to TACO 2, and back\n"
    "  collection  what a collection says, as STAC, DataCite, Croissant or a data card\n"
    "  tortilla  write Tortilla and TACO 0.x: create, compile, edit\n"
    "  parquet   look into a Parquet file: schema, meta, cat, verify, copy\n"
    "  create    a dataset of the files in a directory, and tables about them\n"
    "  add       columns of tables to a dataset that stands\n"
    "  export    samples that filters leave, as a dataset of its own\n"
    "  zip2folder, folder2zip  a whole dataset in the other container\n"
    "  rasteret  collections of raster tiles: header, validate, build, enrich, ...\n"
    "\n"
    "Everywhere: --quiet without warnings; -v with what was read and how long it took, on\n"
    "standard error; -vv with every read; --threads N to work with N of them (0: as many as there\n"
    "are processors), which takes more memory.\n"
    "\n"
    "taco COMMAND --help tells more. A DATASET is a .tacozip, a FOLDER, a __TACOCAT__ file or a\n"
    ".tacocat folder. Exit status: 0 done, 1 the data is bad or the work failed, 2 usage.\n";
static const char usage_info[] =
    "usage: taco info DATASET... [--json] [--base-path P] [--column-mode MODE]\n"
    "\n"
    "Prints the collection, and the rows and columns of every level.\n"
    "\n"
    "  --json         one JSON object\n"
    "  --base-path P  TACOCAT: where the archives are, instead of beside the catalogue\n"
    "  --column-mode  several datasets: intersection (default), fill_missing, strict\n";
static const char usage_query[] =
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
static const char usage_stats[] =
    "usage: taco stats DATASET... [filters of query] [--json]\n"
    "\n"
    "Puts the statistics that the rows carry together: for each band min, max, mean, pooled\n"
    "standard deviation and percentiles, or the share of each class.\n"
    "\n"
    "  --column NAME           the column (default internal:stats, else geotiff:stats)\n"
    "  --family FAMILY         refuse what is not continuous, or not categorical\n"
    "  --weighted-percentiles  weigh rows by their pixels, where the default is the plain average\n"
    "  --json                  one JSON object, numbers as float32\n"
    "  --table T --limit N --offset N --show-padding --base-path P --column-mode MODE: as in "
    "query\n"
    "\n"
    "Rows weigh as many pixels as the last two sizes of stac:tensor_shape say, one without it.\n";
static const char usage_read[] =
    "usage: taco read DATASET KEY[/KEY...] [--format table|ndjson|csv|vsi|arrow] [-o FILE]\n"
    "            [--show-padding] [--base-path P]\n"
    "\n"
    "KEY is an id, or @N for a position. A FILE prints its GDAL path, a FOLDER its children.\n"
    "A KEY that starts with - goes behind --.\n";
static const char usage_get[] = "usage: taco get DATASET KEY[/KEY...] [-o FILE] [--base-path P]\n"
                                "\n"
                                "Writes the bytes of one FILE to standard output.\n";
static const char usage_parquet[] =
    "usage: taco parquet schema|meta|cat|verify FILE [--json]\n"
    "       taco parquet copy FILE OUT\n"
    "\n"
    "  schema               the schema as a Parquet message type\n"
    "  meta                 row groups, column chunks, statistics; with --json all there is\n"
    "  verify               reads every page: CRCs, lengths, levels, values, row counts, page "
    "indexes;\n"
    "                       statistics that the values contradict are warnings. Ends at the first\n"
    "                       fault with exit status 1; --json: all of them, as one object\n"
    "  cat                  the rows, as JSON, one a line\n"
    "    --columns COLS (or --select)  --where EXPR  --limit N\n"
    "    --format ndjson|csv|table|arrow  -o FILE\n"
    "  copy                 the rows, as a Parquet file of its own; takes these three, and\n"
    "    --codec C[:LEVEL]    none, snappy, gzip, zstd, lz4\n"
    "    --encoding E         auto, plain, dictionary, rle, delta, delta-length, delta-bytes, "
    "split\n"
    "    --row-group N  --page-rows N  --page-bytes N  --dictionary-bytes N\n"
    "    --pages-v2  --bloom  --no-statistics  --no-page-index  --no-crc\n"
    "    --content-defined    pages end where the content says, so that small edits change few\n"
    "    --chunk-min N  --chunk-max N\n"
    "    --geometry COLUMN    a column of WKB, for GeoParquet metadata\n"
    "    --covering COLUMN    its boxes in a column of that name (GeoParquet 1.1), made where "
    "there "
    "is\n"
    "                         none; readers prune by it\n"
    "    --crs FILE           PROJJSON of its coordinates, or that itself (longitude, latitude)\n"
    "    --arrow-schema needed|always|never\n"
    "                         the schema as Arrow has it, under ARROW:schema (where types need "
    "it)\n";

#define USAGE_CONTAINER                                                                            \
    "\n"                                                                                           \
    "container options\n"                                                                          \
    "  --format zip|folder  whatever the name says\n"                                              \
    "  --codec C[:LEVEL]    of the metadata (zstd)    --row-group N  rows (65536)\n"               \
    "  --mtime SECONDS      of an archive's entries, since 1970 (1980-01-01)\n"                    \
    "  --overwrite          replace an archive that is there\n"

static int complain(const char *what, const char *about)
{
    fprintf(stderr, "taco: %s%s%s\n", what, about ? ": " : "", about ? about : "");
    return USAGE;
}
/* "--limit wants a number, not 'many'" */
static int wants(const char *name, const char *what, const char *found)
{
    fprintf(stderr, "taco: %s wants %s, not '%s'\n", name, what, found);
    return USAGE;
}
/* Keeps the one of two names that is nearer to a mistyped word; NULL while none is near. */
static const char *nearer(taco_bytes word, const char *best, const char *name)
{
    size_t d = taco__field_names_distance(word, taco__bytes_text(name));
    if (d > strlen(name) / 3 ||
        (best && d >= taco__field_names_distance(word, taco__bytes_text(best)))) {
        return best;
    }
    return name;
}
static int no_such(const char *what, const char *word, const char *near, const char *help)
{
    fprintf(stderr, "taco: no such %s: %s%s%s (see taco%s%s --help)\n", what, word,
            near ? ", the nearest is " : "", near ? near : "", help ? " " : "", help ? help : "");
    return USAGE;
}
/* An interrupted command leaves nothing: the first SIGINT, SIGTERM or SIGHUP removes the file that was begun and ends the
   process, or stops a dataset behind the sample at hand; a second one ends it at once. */
static volatile sig_atomic_t stopped; /* the signal */
#ifdef WITH_THREADS
static char begun[4096]; /* to be removed, when begun_file; else the work asks for `stopped` */
static volatile sig_atomic_t begun_file;
static void                  on_stop(int number)
{
    stopped = number;
    if (begun_file) {
        unlink(begun);
        raise(number);
    }
}
/* From here on; path: what is made as path.part, NULL for work that asks. */
static void stop_cleanly(const char *path)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, old;
    size_t           i;
    begun_file = 0;
    if (path && strlen(path) + 6 <= sizeof begun) {
        sprintf(begun, "%s.part", path);
        begun_file = 1;
    }
    memset(&now, 0, sizeof now);
    now.sa_handler = on_stop;
    now.sa_flags = (int)SA_RESETHAND;
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &now, NULL);
        }
    }
}
#else
static void stop_cleanly(const char *path)
{
    (void)path;
}
#endif
static int report(const taco_error *err)
{
    if (stopped) {
        fprintf(stderr, "interrupted\n");
        return FAILED;
    }
    fprintf(stderr, "%s\n", taco_error_text(err));
    return FAILED;
}
/* The same where the error may be about any file: it names this one, if it does not yet. */
static int report_of(const char *path, const taco_error *err)
{
    const char *text = taco_error_text(err);
    bool        named = strstr(text, path) != NULL;
    fprintf(stderr, "%s%s%s\n", named ? "" : path, named ? "" : ": ", text);
    return FAILED;
}
/* Standard output is there to its last byte, or the command has failed. */
static int flush_stdout(int status)
{
    if (status == DONE && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "standard output: writing failed: %s\n", strerror(errno));
        return FAILED;
    }
    return status;
}
/* Warnings wait for the end, and are only told of work that was done: a failure is one line. */
static void warn(void *ctx, const taco_error *warning)
{
    args *a = (args *)ctx;
    if (!a->quiet && a->warning_count < sizeof a->warnings / sizeof a->warnings[0]) {
        a->warnings[a->warning_count] = *warning;
    }
    a->warning_count++;
}
static int finish(const args *a, int status)
{
    size_t i, most = sizeof a->warnings / sizeof a->warnings[0];
    for (i = 0; !a->quiet && (status == DONE || a->verbose) && i < a->warning_count && i < most;
         i++) {
        fprintf(stderr, "warning: %s\n", taco_error_text(&a->warnings[i]));
    }
    if (i == most && a->warning_count > most) {
        fprintf(stderr, "warning: and %" PRIu64 " more\n", (uint64_t)(a->warning_count - most));
    }
    if (a->verbose) {
        fprintf(stderr, "%.3f s of CPU time, %" PRIu64 " bytes read in %" PRIu64 " requests\n",
                (double)clock() / CLOCKS_PER_SEC, a->bytes, a->requests);
    }
    return status;
}

/* -v: files whose reads are counted and, with -vv, told. */
typedef struct counted {
    taco_source src;
    args       *a;
    char        name[1]; /* longer */
} counted;

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted *c = (counted *)ctx;
    c->a->requests++;
    c->a->bytes += len;
    if (c->a->verbose > 1) {
        fprintf(stderr, "%s: %" PRIu64 " bytes at %" PRIu64 "\n", c->name, (uint64_t)len, offset);
    }
    return c->src.read(c->src.ctx, offset, dst, len);
}
static void counted_close(void *ctx)
{
    counted *c = (counted *)ctx;
    if (c->src.close) {
        c->src.close(c->src.ctx);
    }
    free(c);
}
static bool counted_open(void *ctx, const char *path, taco_source *out)
{
    counted *c = (counted *)malloc(sizeof *c + strlen(path));
    memset(out, 0, sizeof *out);
    if (!c || taco_source_file(&c->src, path, NULL) != TACO_OK) {
        free(c);
        return false;
    }
    c->a = (args *)ctx;
    strcpy(c->name, path);
    out->ctx = c;
    out->size = c->src.size;
    out->read = counted_read;
    out->close = counted_close;
    return true;
}
/* The library makes a path absolute when it opens the file itself; when files are counted, this does, so that the same
   is printed. Lives as long as the program; path itself where there is nothing to resolve. */
static const char *absolute(const char *path)
{
#if defined(__unix__) || defined(__APPLE__)
    char *full = path ? realpath(path, NULL) : NULL;
    return full ? full : path;
#else
    return path;
#endif
}
static void count_reads(args *a, taco_options *opt)
{
    size_t i;
    if (!a->verbose) {
        return;
    }
    opt->open_file = counted_open;
    opt->open_ctx = a;
    for (i = 0; i < a->word_count; i++) {
        a->words[i] = absolute(a->words[i]);
    }
    a->base = absolute(a->base);
}

static const option options[] = {
    {"--json", false},
    {"--where", true},
    {"--bbox", true},
    {"--time", true},
    {"--exact-time", false},
    {"--level", true},
    {"--table", true},
    {"--geometry-col", true},
    {"--time-col", true},
    {"--show-padding", false},
    {"--select", true},
    {"--order", true},
    {"--limit", true},
    {"--offset", true},
    {"--base-path", true},
    {"--column-mode", true},
    {"--format", true},
    {"-o", true},
    {"--columns", true},
    {"--quiet", false},
    {"-v", false},
    {"--codec", true},
    {"--encoding", true},
    {"--row-group", true},
    {"--page-rows", true},
    {"--page-bytes", true},
    {"--dictionary-bytes", true},
    {"--pages-v2", false},
    {"--bloom", false},
    {"--chunk-min", true},
    {"--chunk-max", true},
    {"--no-crc", false},
    {"--no-statistics", false},
    {"--geometry", true},
    {"--covering", true},
    {"--crs", true},
    {"--arrow-schema", true},
    {"--no-page-index", false},
    {"--content-defined", false},
    {"-vv", false},
    {"--column", true},
    {"--family", true},
    {"--weighted-percentiles", false},
    {"--threads", true},
    {"--sql", true},
    {"--explain", false},
    {"--deep", false},
    {"--strict-pit", false},
    {"--binary", false},
    {"--fill", false},
    {"--unchecked", false},
    {"--collection", true},
    {"--samples", true},
    {"--split-size", true},
    {"--group-by", true},
    {"--consolidate", true},
    {"--tiff", false},
    {"--tacotiff", false},
    {"--majortom", true},
    {"--near-count", true},
    {"--near-size", true},
    {"--optical", true},
    {"--strict-schema", true},
    {"--pad-to", true},
    {"--mtime", true},
    {"--date", true},
    {"--overwrite", false},
    {"--replace", false},
    {"--pad", false},
    {"--to", true},
    {"--year", true},
    {"--chain", false},
    {"--chunks", false},
    {"--any-tree", false},
    {"--part-size", true},
};

static bool number(const char *text, uint64_t *out)
{
    uint64_t x = 0;
    if (!*text) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || x > (UINT64_MAX - 9) / 10) {
            return false;
        }
        x = x * 10 + (uint64_t)(*text - '0');
    }
    *out = x;
    return true;
}
static bool box(const char *text, double out[4])
{
    int i;
    for (i = 0; i < 4; i++) {
        char *end;
        out[i] = strtod(text, &end);
        if (end == text || *end != (i < 3 ? ',' : 0) || out[i] != out[i]) {
            return false;
        }
        text = end + 1;
    }
    return true;
}
/* Levels are small numbers; more than the deepest level is the library's to refuse. */
static bool level_number(const char *text, uint32_t *out)
{
    uint64_t n;
    if (!number(text, &n) || n > 1000) {
        return false;
    }
    *out = (uint32_t)n;
    return true;
}
static int set_table(args *a, const char *value)
{
    const char *digits = strncmp(value, "level", 5) == 0 ? value + 5
                         : value[0] == 'l'               ? value + 1
                                                         : NULL;
    a->query.flat = digits == value + 1;
    if (strcmp(value, "data") == 0) {
        a->query.table = 0;
        return DONE;
    }
    return digits && level_number(digits, &a->query.table)
               ? DONE
               : wants("--table", "data, levelN or lN", value);
}
static int set_mode(args *a, const char *value)
{
    static const char *const names[] = {"intersection", "fill_missing", "strict"};
    size_t                   i;
    for (i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            a->mode = (taco_column_mode)i;
            return DONE;
        }
    }
    return wants("--column-mode", "intersection, fill_missing or strict", value);
}
static int set_family(args *a, const char *value)
{
    a->stats.family = strcmp(value, "continuous") == 0    ? TACO_STATS_CONTINUOUS
                      : strcmp(value, "categorical") == 0 ? TACO_STATS_CATEGORICAL
                                                          : TACO_STATS_ANY;
    return a->stats.family != TACO_STATS_ANY
               ? DONE
               : wants("--family", "continuous or categorical", value);
}
/* Each of --where, --bbox and --time is a filter of its own, on the level that was given last. */
static int add_filter(args *a, const char *name, const char *value)
{
    taco_filter *f = &a->filters[a->filter_count];
    if (a->filter_count == MAX_FILTERS) {
        return complain("too many filters", NULL);
    }
    memset(f, 0, sizeof *f);
    f->level = a->level;
    if (strcmp(name, "--where") == 0) {
        f->where = value;
    } else if (strcmp(name, "--time") == 0) {
        f->time = value;
    } else if (box(value, a->boxes[a->filter_count])) {
        f->bbox = a->boxes[a->filter_count];
    } else {
        return wants("--bbox", "W,S,E,N, four numbers", value);
    }
    a->filter_count++;
    return DONE;
}
static int set_level(args *a, const char *value)
{
    uint32_t level;
    size_t   i;
    if (!level_number(value, &level)) {
        return wants("--level", "a number", value);
    }
    for (i = 0; !a->level_given && i < a->filter_count; i++) {
        a->filters[i].level = level; /* given once it holds for all filters, wherever it stands */
    }
    a->level = level;
    a->level_given = true;
    return DONE;
}
static int set_codec(args *a, const char *value)
{
    static const char *const names[] = {"none", "snappy", "gzip", "zstd", "lz4"};
    static const uint64_t    levels[] = {0, 0, 9, 22, 0};
    const char              *colon = strchr(value, ':');
    size_t                   n = colon ? (size_t)(colon - value) : strlen(value), i;
    uint64_t                 level = 0;
    if (colon && !number(colon + 1, &level)) {
        return wants("--codec", "NAME:LEVEL", value);
    }
    for (i = 0; i < 5; i++) {
        if (strlen(names[i]) == n && memcmp(names[i], value, n) == 0) {
            if (level > levels[i]) {
                return wants("--codec",
                             levels[i] ? "a level up to gzip:9 or zstd:22" : "a codec with levels",
                             value);
            }
            a->write.codec = (taco_codec)(TACO_CODEC_NONE + (int)i);
            a->write.level = (int)level;
            return DONE;
        }
    }
    return wants("--codec", "none, snappy, gzip, zstd or lz4", value);
}
static int set_encoding(args *a, const char *value)
{
    static const char *const names[] = {"auto",  "plain",        "dictionary",  "rle",
                                        "delta", "delta-length", "delta-bytes", "split"};
    size_t                   i;
    for (i = 0; i < 8; i++) {
        if (strcmp(value, names[i]) == 0) {
            a->write.encoding = (taco_encoding)i;
            return DONE;
        }
    }
    return wants("--encoding",
                 "auto, plain, dictionary, rle, delta, delta-length, delta-bytes or split", value);
}
/* The bytes of a file, with more room behind them; NULL on failure. */
static char *read_whole(const char *path, size_t more, size_t *len)
{
    FILE  *f = fopen(path, "rb");
    char  *text = NULL, *grown;
    size_t n = 0, cap = 0, got = 1;
    while (f && got) {
        if (cap - n < 65536 + more) {
            cap = 2 * cap + 65536 + more;
            grown = (char *)realloc(text, cap);
            if (!grown) {
                break;
            }
            text = grown;
        }
        got = fread(text + n, 1, 65536, f);
        n += got;
    }
    if (!f || got || ferror(f)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (f) {
        fclose(f);
    }
    *len = n;
    return text;
}
/* PROJJSON: a file's, or the value itself. */
static int set_crs(args *a, const char *value)
{
    size_t n;
    char  *text;
    a->geometry.crs = value;
    if (value[0] == '{') {
        return DONE;
    }
    text = read_whole(value, 1, &n); /* lives as long as the program */
    if (text) {
        text[n] = 0;
    }
    a->geometry.crs = text;
    return text ? DONE : FAILED;
}
static int set_arrow_schema(args *a, const char *value)
{
    static const char *const names[] = {"needed", "always", "never"};
    size_t                   i;
    for (i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            a->write.arrow_schema = (taco_pq_hint)i;
            return DONE;
        }
    }
    return complain("--arrow-schema is needed, always or never, not", value);
}
/* Options of `parquet copy`; -1 when it is another one. */
static int set_write_option(args *a, const char *name, const char *value)
{
    taco_pq_write_options *w = &a->write;
    const struct {
        const char *name;
        bool       *flag;
        size_t     *size;
    } plain[] = {
        {"--pages-v2", &w->pages_v2, NULL},
        {"--bloom", &w->bloom, NULL},
        {"--no-crc", &w->no_crc, NULL},
        {"--no-statistics", &w->no_statistics, NULL},
        {"--no-page-index", &w->no_page_index, NULL},
        {"--content-defined", &w->content_defined, NULL},
        {"--page-rows", NULL, &w->page_rows},
        {"--page-bytes", NULL, &w->page_bytes},
        {"--dictionary-bytes", NULL, &w->dictionary_bytes},
        {"--chunk-min", NULL, &w->chunk_min},
        {"--chunk-max", NULL, &w->chunk_max},
    };
    size_t   i;
    uint64_t n;
    if (strcmp(name, "--codec") == 0) {
        return set_codec(a, value);
    }
    if (strcmp(name, "--encoding") == 0) {
        return set_encoding(a, value);
    }
    if (strcmp(name, "--geometry") == 0) {
        a->geometry.column = value;
        w->geometries = &a->geometry;
        w->geometry_count = 1;
        return DONE;
    }
    if (strcmp(name, "--covering") == 0) {
        a->geometry.covering = value;
        return DONE;
    }
    if (strcmp(name, "--crs") == 0) {
        return set_crs(a, value);
    }
    if (strcmp(name, "--arrow-schema") == 0) {
        return set_arrow_schema(a, value);
    }
    if (strcmp(name, "--row-group") == 0) {
        return number(value, &w->row_group_rows) ? DONE : wants(name, "a number", value);
    }
    for (i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(name, plain[i].name) == 0) {
            if (plain[i].flag) {
                *plain[i].flag = true;
                return DONE;
            }
            if (!number(value, &n) || n > SIZE_MAX) {
                return wants(name, "a number", value);
            }
            *plain[i].size = (size_t)n;
            return DONE;
        }
    }
    return -1;
}
/* "4GB", "1.5 MB", "4096": powers of 1024. */
static bool byte_size(const char *text, uint64_t *out)
{
    static const char units[] = "BKMGT";
    char             *end;
    double            x = strtod(text, &end);
    const char       *unit;
    int               k;
    while (*end == ' ') {
        end++;
    }
    unit = *end ? strchr(units, *end & ~32) : units;
    if (end == text || !unit ||
        (*end && end[1] && ((end[1] & ~32) != 'B' || end[2] || unit == units))) {
        return false;
    }
    for (k = 0; k < (int)(unit - units); k++) {
        x *= 1024;
    }
    *out = x >= 0 && x < 9e18 ? (uint64_t)x : 0;
    return x >= 0 && x < 9e18;
}
static size_t split_names(char *text, const char **names, size_t max);

static int set_group_by(args *a, const char *value)
{
    char  *copy = (char *)malloc(strlen(value) + 1); /* lives as long as the program */
    size_t n;
    if (!copy) {
        return complain("out of memory", NULL);
    }
    strcpy(copy, value);
    n = split_names(copy, a->group_by, sizeof a->group_by / sizeof a->group_by[0]);
    a->directory.group_by = a->group_by;
    a->directory.group_by_count = n;
    return n ? DONE : complain("--group-by wants", "names of columns");
}
/* Options of create alone; -1 for others. */
static int set_directory_option(args *a, const char *name, const char *value)
{
    taco_directory_options *d = &a->directory;
    char                   *end;
    if (strcmp(name, "--group-by") == 0) {
        return set_group_by(a, value);
    }
    if (strcmp(name, "--consolidate") == 0) {
        d->no_catalogue = strcmp(value, "no") == 0;
        return d->no_catalogue || strcmp(value, "yes") == 0 ? DONE : complain(name, "is yes or no");
    }
    if (strcmp(name, "--tiff") == 0) {
        d->tiff = true;
    } else if (strcmp(name, "--tacotiff") == 0) {
        d->tacotiff = true;
    } else if (strcmp(name, "--majortom") == 0) {
        d->grid_km = strtod(value, &end);
        return d->grid_km > 0 && !*end ? DONE : complain(name, "wants kilometres");
    } else if (strcmp(name, "--near-count") == 0) {
        return number(value, &d->near_count) && d->near_count ? DONE
                                                              : complain(name, "wants a number");
    } else if (strcmp(name, "--near-size") == 0) {
        return byte_size(value, &d->near_size) && d->near_size
                   ? DONE
                   : complain(name, "wants a size, such as 1GB");
    } else if (strcmp(name, "--optical") == 0) {
        a->optical = value;
    } else {
        return -1;
    }
    return DONE;
}
/* Options of what makes datasets; -1 for others. */
static int set_create_option(args *a, const char *name, const char *value)
{
    uint64_t x = 0;
    if (strcmp(name, "--collection") == 0) {
        a->collection = value;
    } else if (strcmp(name, "--samples") == 0) {
        if (a->samples_count == sizeof a->samples / sizeof a->samples[0]) {
            return complain("too many", name);
        }
        a->samples[a->samples_count++] = value;
    } else if (strcmp(name, "--split-size") == 0) {
        return byte_size(value, &a->split_size) ? DONE : wants(name, "a size, such as 4GB", value);
    } else if (strcmp(name, "--strict-schema") == 0) {
        a->create.fill = strcmp(value, "no") == 0;
        return a->create.fill || strcmp(value, "yes") == 0 ? DONE : wants(name, "yes or no", value);
    } else if (strcmp(name, "--overwrite") == 0) {
        a->create.overwrite = true;
    } else if (strcmp(name, "--replace") == 0) {
        a->replace = true;
    } else if (strcmp(name, "--pad-to") == 0) {
        a->create.pad_to = number(value, &x) && x < UINT32_MAX ? (uint32_t)x : 0;
        return a->create.pad_to ? DONE : wants(name, "a number above 0", value);
    } else if (strcmp(name, "--mtime") == 0 || strcmp(name, "--date") == 0) {
        int64_t *to = name[2] == 'm' ? &a->create.mtime : &a->create.date;
        *to = number(value, &x) && x < (uint64_t)1 << 40 ? (int64_t)x : 0;
        return *to ? DONE : wants(name, "seconds since 1970", value);
    } else {
        return -1;
    }
    return DONE;
}
static int set_option(args *a, const char *name, const char *value)
{
    int written = set_write_option(a, name, value);
    if (written < 0) {
        written = set_create_option(a, name, value);
    }
    if (written < 0) {
        written = set_directory_option(a, name, value);
    }
    if (written >= 0) {
        return written;
    }
    if (strcmp(name, "--json") == 0) {
        a->json = true;
    } else if (strcmp(name, "--explain") == 0) {
        a->explain = true;
    } else if (strcmp(name, "--quiet") == 0) {
        a->quiet = true;
    } else if (strcmp(name, "--deep") == 0) {
        a->deep = true;
    } else if (strcmp(name, "--strict-pit") == 0) {
        a->strict_pit = true;
    } else if (strcmp(name, "--binary") == 0) {
        a->binary = true;
    } else if (strcmp(name, "--fill") == 0) {
        a->fill = true;
    } else if (strcmp(name, "--unchecked") == 0) {
        a->unchecked = true;
    } else if (strcmp(name, "--pad") == 0) {
        a->pad = true;
    } else if (strcmp(name, "--to") == 0) {
        a->to = value;
    } else if (strcmp(name, "--year") == 0) {
        a->year = value;
    } else if (strcmp(name, "--chain") == 0) {
        a->chain = true;
    } else if (strcmp(name, "--chunks") == 0) {
        a->chunks = true;
    } else if (strcmp(name, "--any-tree") == 0) {
        a->create.any_tree = true;
    } else if (strcmp(name, "--part-size") == 0) {
        return byte_size(value, &a->split_size) ? DONE : wants(name, "a size, such as 4GB", value);
    } else if (strcmp(name, "-v") == 0 || strcmp(name, "-vv") == 0) {
        a->verbose = (int)strlen(name) - 1;
    } else if (strcmp(name, "--threads") == 0) {
        return number(value, &a->threads) ? DONE : wants(name, "a number", value);
    } else if (strcmp(name, "--exact-time") == 0) {
        a->exact = true;
    } else if (strcmp(name, "--show-padding") == 0) {
        a->query.padding = true;
    } else if (strcmp(name, "--where") == 0 || strcmp(name, "--bbox") == 0 ||
               strcmp(name, "--time") == 0) {
        return add_filter(a, name, value);
    } else if (strcmp(name, "--level") == 0) {
        return set_level(a, value);
    } else if (strcmp(name, "--table") == 0) {
        return set_table(a, value);
    } else if (strcmp(name, "--column-mode") == 0) {
        return set_mode(a, value);
    } else if (strcmp(name, "--geometry-col") == 0) {
        a->query.geometry_column = value;
    } else if (strcmp(name, "--time-col") == 0) {
        a->query.time_column = value;
    } else if (strcmp(name, "--select") == 0) {
        a->query.select = value;
    } else if (strcmp(name, "--columns") == 0) {
        a->columns = value;
    } else if (strcmp(name, "--sql") == 0) {
        a->sql = value;
    } else if (strcmp(name, "--order") == 0) {
        a->query.order = value;
    } else if (strcmp(name, "--format") == 0) {
        a->format = value;
    } else if (strcmp(name, "--base-path") == 0) {
        a->base = value;
    } else if (strcmp(name, "--column") == 0) {
        a->stats.column = value;
    } else if (strcmp(name, "--family") == 0) {
        return set_family(a, value);
    } else if (strcmp(name, "--weighted-percentiles") == 0) {
        a->stats.weighted_percentiles = true;
    } else if (strcmp(name, "-o") == 0) {
        a->output = value;
    } else {
        uint64_t *to = strcmp(name, "--limit") == 0 ? &a->query.limit : &a->query.offset;
        a->limit_given = a->limit_given || to == &a->query.limit;
        return number(value, to) ? DONE : wants(name, "a number", value);
    }
    return DONE;
}
/* A text of help names the option. */
static bool names_option(const char *text, size_t len, const char *name)
{
    size_t i, n = strlen(name);
    for (i = 1; i + n < len; i++) {
        char before = text[i - 1], after = text[i + n];
        if (memcmp(text + i, name, n) == 0 && before != '-' && after != '-' &&
            !(after >= 'a' && after <= 'z') && !(before >= 'a' && before <= 'z')) {
            return true;
        }
    }
    return false;
}
/* A command takes the options that its help names, so that none is ignored in silence and none is without help. Where
   the help says "of query", the filters of query are meant. */
static bool takes_option(const char *usage, const char *name)
{
    const char *output = strstr(usage_query, "\noutput\n");
    return names_option(usage, strlen(usage), name) ||
           names_option(usage_main, strlen(usage_main), name) ||
           (strstr(usage, "of query]") &&
            names_option(usage_query, (size_t)(output - usage_query), name));
}
/* Options that need another one. */
static int check_options(args *a, const char *command)
{
    size_t i;
    if (a->level_given && a->filter_count == 0 && a->level != a->query.table) {
        return complain("--level says which rows the filters test, and there is none; rows of a "
                        "level are for --table",
                        NULL);
    }
    if (strcmp(command, "query") == 0 && a->json && !a->explain) {
        return complain("--json goes with --explain; rows as JSON are --format ndjson", NULL);
    }
    for (i = 0; i < a->filter_count; i++) {
        const double *b = a->filters[i].bbox;
        if (b && (b[0] > b[2] || b[1] > b[3])) {
            taco_error swapped = {0};
            strcpy(swapped.text, b[0] > b[2] ? "--bbox is W,S,E,N: W is greater than E, which is "
                                               "taken the other way round; a box over 180 degrees "
                                               "is two queries"
                                             : "--bbox is W,S,E,N: S is greater than N, which is "
                                               "taken the other way round");
            swapped.code = TACO_ERR_ARGUMENT;
            warn(a, &swapped);
        }
    }
    return DONE;
}
/* Options may stand anywhere, as --name VALUE or --name=VALUE; -- ends them. */
static int parse(args *a, int argc, char **argv, const char *usage)
{
    bool ended = false;
    int  i;
    for (i = 2; i < argc; i++) {
        const char *word = argv[i], *equals = strchr(word, '='), *near = NULL;
        size_t      k, n = equals ? (size_t)(equals - word) : strlen(word);
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        if (!ended && strcmp(word, "-") == 0) {
            return complain("standard input has no random access: name a file (or put -- before -)",
                            NULL);
        }
        if (ended || word[0] != '-') {
            if (a->word_count == sizeof a->words / sizeof a->words[0]) {
                return complain("too many arguments", NULL);
            }
            a->words[a->word_count++] = word;
            continue;
        }
        if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            fputs(usage, stdout);
            exit(flush_stdout(DONE));
        }
        for (k = 0; k < sizeof options / sizeof options[0]; k++) {
            if (strlen(options[k].name) == n && memcmp(options[k].name, word, n) == 0) {
                break;
            }
            if (takes_option(usage, options[k].name)) {
                near = nearer(taco__bytes_of(word, n), near, options[k].name);
            }
        }
        if (k == sizeof options / sizeof options[0]) {
            return no_such("option", word, near, argv[1]);
        }
        if (!takes_option(usage, options[k].name)) {
            fprintf(stderr, "taco: %s takes no %s (see taco %s --help)\n", argv[1], options[k].name,
                    argv[1]);
            return USAGE;
        }
        if (!options[k].value && equals) {
            return complain(options[k].name, "takes no value");
        }
        if (options[k].value && !equals && i + 1 == argc) {
            return complain(word, "wants a value");
        }
        if (set_option(a, options[k].name,
                       equals             ? equals + 1
                       : options[k].value ? argv[++i]
                                          : NULL) != DONE) {
            return USAGE;
        }
    }
    return check_options(a, argv[1]);
}

static int pick_format(const args *a, const char *fallback, taco_format *out)
{
    const char *name = a->format ? a->format : fallback;
    if (strcmp(name, "ndjson") == 0) {
        *out = TACO_FORMAT_NDJSON;
    } else if (strcmp(name, "csv") == 0) {
        *out = TACO_FORMAT_CSV;
    } else if (strcmp(name, "table") == 0) {
        *out = TACO_FORMAT_TABLE;
    } else if (strcmp(name, "vsi") == 0) {
        *out = TACO_FORMAT_LINES;
    } else if (strcmp(name, "arrow") == 0) {
        *out = TACO_FORMAT_ARROW;
    } else {
        return wants("--format",
                     "table, ndjson, csv, vsi or arrow (query also geojson, gti, parquet, "
                     "geoparquet, stac-geoparquet)",
                     name);
    }
    return DONE;
}
/* A file is written under a temporary name and renamed at the end, so that nothing half-written is left. Nothing takes the
   place of a device or a pipe: what stands there is written to. NULL and "-" are standard output. */
typedef struct output {
    FILE *file;
    char  temporary[4096]; /* "": none */
} output;
static int output_open(output *o, const char *path)
{
    uint64_t        size;
    taco__path_kind kind;
    o->file = stdout;
    o->temporary[0] = 0;
    if (!path || strcmp(path, "-") == 0) {
        return DONE;
    }
    kind = taco__plat_stat(path, &size);
    if (!*path || kind == TACO__PATH_DIRECTORY || strlen(path) + 8 > sizeof o->temporary) {
        fprintf(stderr, "%s: cannot be written: %s\n", path,
                !*path                         ? "no name"
                : kind == TACO__PATH_DIRECTORY ? "a directory"
                                               : "the path is too long");
        return FAILED;
    }
    if (kind != TACO__PATH_SPECIAL) {
        sprintf(o->temporary, "%s.part", path);
        stop_cleanly(path);
    }
    o->file = fopen(o->temporary[0] ? o->temporary : path, "wb");
    if (!o->file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return FAILED;
    }
    return DONE;
}
static int output_close(output *o, const char *path, int status)
{
    bool own = o->file != stdout, good = fflush(o->file) == 0 && !ferror(o->file);
    int  why = errno;
    if (own) {
        if (fclose(o->file) != 0 && good) {
            good = false;
            why = errno;
        }
        if (status == DONE && good && o->temporary[0] && rename(o->temporary, path) != 0) {
            good = false;
            why = errno;
        }
        if ((status != DONE || !good) && o->temporary[0]) {
            remove(o->temporary);
        }
    }
    if (!good && status == DONE) {
        fprintf(stderr, "%s: writing failed: %s\n", own ? path : "standard output", strerror(why));
        return FAILED;
    }
    return status;
}
static bool put(FILE *f, taco_bytes text)
{
    return text.data && fwrite(text.data, 1, text.len, f) == text.len;
}

static taco_dataset *open_datasets(const args *a, size_t n, const taco_options *opt,
                                   taco_error *err)
{
    taco_dataset *ds =
        n == 1 ? taco_open(a->words[0], opt, err) : taco_open_many(a->words, n, a->mode, opt, err);
    if (ds && a->base && taco_set_base_path(ds, a->base, err) != TACO_OK) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}
static size_t find_column(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return i;
        }
    }
    return 0;
}
/* The header of no rows: made while the fields still live, written when the rows turn out to have no failure. */
static taco_bytes print_header(taco_printer *p, bool first, taco_error *err)
{
    taco_batch none;
    taco_bytes nothing = {NULL, 0};
    memset(&none, 0, sizeof none);
    return first && err->code == TACO_OK ? taco_printer_batch(p, &none, err) : nothing;
}
/* Prints every row of a cursor and closes it. about: the dataset, "" where there are several. */
static int print_rows(taco_cursor *rows, taco_format format, const char *path,
                      const taco_options *opt, const char *about, taco_error *err)
{
    output            out;
    taco_batch        batch;
    taco_bytes        header;
    size_t            n;
    const taco_field *fields = taco_cursor_fields(rows, &n);
    size_t            first_column =
        format == TACO_FORMAT_LINES ? find_column(fields, n, "internal:gdal_vsi") : 0;
    taco_printer *p =
        rows ? taco_printer_open(fields + first_column, n - first_column, format, opt, err) : NULL;
    int  status = p ? output_open(&out, path) : FAILED;
    bool first = true;
    if (status == DONE) {
        while (err->code == TACO_OK && taco_cursor_batch(rows, &batch)) {
            batch.columns += first_column;
            batch.column_count -= first_column;
            if (!put(out.file, taco_printer_batch(p, &batch, err))) {
                break;
            }
            first = false;
        }
        header = print_header(p, first, err);
        taco_cursor_close(rows, err);
        rows = NULL;
        if (err->code == TACO_OK && header.data) {
            put(out.file, header);
        }
        if (err->code == TACO_OK) {
            put(out.file, taco_printer_batch(p, NULL, err));
        }
        status = output_close(&out, path, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_cursor_close(rows, err);
    taco_printer_close(p);
    return err->code != TACO_OK ? report_of(about, err) : status;
}

static void print_list(const char *label, taco_bytes json)
{
    if (json.data && !(json.len == 4 && memcmp(json.data, "null", 4) == 0)) {
        printf("%-12s %.*s\n", label, (int)(json.len > 1000 ? 1000 : json.len),
               (const char *)json.data);
    }
}
static int info_text(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat", ""};
    uint32_t                 level;
    printf("%-12s %s\n%-12s %s\n", "id", taco_id(ds), "version", taco_dataset_version(ds));
    printf("%-12s %s\n%-12s %s\n", "kind",
           *taco_dataset_format(ds) ? taco_dataset_format(ds) : kinds[taco_dataset_kind(ds)],
           "description", taco_description(ds));
    print_list("tasks", taco_collection(ds, "tasks"));
    print_list("licenses", taco_collection(ds, "licenses"));
    for (level = 0; level < taco_levels(ds); level++) {
        size_t            i, n;
        int64_t           rows = taco_level_rows(ds, level, err);
        const taco_field *fields = taco_level_fields(ds, level, &n, err);
        if (!fields) {
            return report(err);
        }
        printf("level %-6u %" PRId64 " rows, %u columns:", (unsigned)level, rows, (unsigned)n);
        for (i = 0; i < n; i++) {
            printf("%s %s", i ? "," : "", fields[i].name);
        }
        printf("\n");
    }
    return DONE;
}
static int run_info(args *a, const taco_options *opt)
{
    taco_error    err = {0};
    taco_dataset *ds;
    int           status = DONE;
    if (a->word_count == 0) {
        return complain("info wants a DATASET", NULL);
    }
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds && a->json) {
        taco_bytes text = taco_info_json(ds, &err);
        if (put(stdout, text)) {
            putchar('\n');
        }
        status = flush_stdout(status);
    } else if (ds) {
        status = flush_stdout(info_text(ds, &err));
    }
    taco_close(ds);
    return err.code != TACO_OK && status == DONE ? report(&err) : status;
}

/* Gives the filters what holds for all of them, and hands them to the query. */
static void prepare_query(args *a)
{
    size_t i;
    for (i = 0; i < a->filter_count; i++) {
        a->filters[i].geometry_column = a->query.geometry_column;
        a->filters[i].time_column = a->query.time_column;
        a->filters[i].exact_time = a->exact;
    }
    a->query.filters = a->filters;
    a->query.filter_count = a->filter_count;
    if (a->limit_given && a->query.limit == 0) {
        a->query.offset = UINT64_MAX; /* LIMIT 0: the query is checked, no row comes */
        a->query.limit = 1;
    }
}
static int print_footprints(args *a, taco_dataset *ds, taco_footprint_format format,
                            taco_error *err)
{
    taco_footprints *f = taco_footprints_open(ds, &a->query, format, err);
    output           out;
    taco_bytes       text;
    int              status = f ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        while (taco_footprints_next(f, &text) && put(out.file, text)) {
        }
        taco_footprints_close(f, err);
        f = NULL;
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_footprints_close(f, err);
    return err->code != TACO_OK ? report(err) : status;
}
#include "tool_publish.h"

#include "tool_explain.h"
static int run_query(args *a, const taco_options *opt)
{
    taco_error            err = {0};
    taco_format           format = TACO_FORMAT_TABLE;
    taco_footprint_format footprints = (taco_footprint_format)0;
    taco_publish_kind     kind = TACO_PUBLISH_PARQUET;
    bool                  published = publish_kind(a->format, &kind);
    taco_dataset         *ds;
    taco_cursor          *rows = NULL;
    int                   status;
    if (a->word_count == 0) {
        return complain("query wants a DATASET", NULL);
    }
    if (a->sql &&
        (a->filter_count || a->query.table || a->query.flat || a->query.select || a->query.order ||
         a->limit_given || a->query.offset || a->query.padding ||
         (a->format && (strcmp(a->format, "geojson") == 0 || strcmp(a->format, "gti") == 0)))) {
        return complain("--sql stands alone: conditions, columns, order and limits go into the "
                        "SELECT, and footprints are not made of it",
                        NULL);
    }
    if (published) {
        if (!a->output || strcmp(a->output, "-") == 0) {
            return complain("Parquet goes into a file: name it with -o", NULL);
        }
    } else if (a->format && strcmp(a->format, "geojson") == 0) {
        footprints = TACO_FOOTPRINTS_GEOJSON;
    } else if (a->format && strcmp(a->format, "gti") == 0) {
        footprints = TACO_FOOTPRINTS_GTI;
    } else if (pick_format(a, "table", &format) != DONE) {
        return USAGE;
    }
    if (format == TACO_FORMAT_LINES && !a->query.select) {
        a->query.select = "\"internal:gdal_vsi\"";
    }
    prepare_query(a);
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds && a->explain) {
        status = explain_query(a, ds, &err);
        taco_close(ds);
        return status;
    }
    if (ds && footprints) {
        status = print_footprints(a, ds, footprints, &err);
        taco_close(ds);
        return status;
    }
    if (ds) {
        rows = a->sql ? taco_sql(ds, a->sql, &err) : taco_select(ds, &a->query, &err);
    }
    status = !rows       ? report(&err)
             : published ? publish_rows(a, ds, rows, kind, opt, &err)
                         : print_rows(rows, format, a->output, opt,
                                      a->word_count == 1 ? a->words[0] : "", &err);
    taco_close(ds);
    return status;
}

static void print_number(double x)
{
    if (x != x) {
        printf(" %12s", "NaN"); /* printf has two names for it */
    } else {
        printf(" %12.7g", x);
    }
}
static void print_stats(const taco_stats *s)
{
    size_t i, k;
    printf("column %s, %s: %" PRIu64 " of %" PRIu64 " rows, %.17g pixels\n", s->column,
           s->band ? "continuous" : "categorical", s->used, s->rows, s->pixels);
    printf("band");
    if (s->band) {
        printf(" %12s %12s %12s %12s %12s %12s %12s %12s", "min", "max", "mean", "std", "p25",
               "p50", "p75", "p95");
    }
    for (k = 0; k < s->classes; k++) {
        char name[32];
        sprintf(name, "class %u", (unsigned)k);
        printf(" %12s", name);
    }
    for (i = 0; i < s->bands; i++) {
        printf("\n%4u", (unsigned)i);
        if (s->band) {
            const taco_band_stats *b = &s->band[i];
            print_number(b->min);
            print_number(b->max);
            print_number(b->mean);
            print_number(b->std);
            print_number(b->p25);
            print_number(b->p50);
            print_number(b->p75);
            print_number(b->p95);
        }
        for (k = 0; k < s->classes; k++) {
            print_number(s->share[i * s->classes + k]);
        }
    }
    printf("\n");
}
static int run_stats(args *a, const taco_options *opt)
{
    taco_error    err = {0};
    taco_dataset *ds;
    taco_stats   *s = NULL;
    if (a->word_count == 0) {
        return complain("stats wants a DATASET", NULL);
    }
    prepare_query(a);
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds) {
        s = taco_aggregate(ds, &a->query, &a->stats, &err);
    }
    if (s && a->json) {
        taco_bytes text = taco_stats_json(s, &err);
        if (put(stdout, text)) {
            putchar('\n');
        }
    } else if (s) {
        print_stats(s);
    }
    taco_stats_free(s);
    taco_close(ds);
    return err.code != TACO_OK ? report(&err) : flush_stdout(DONE);
}

static int run_read(args *a, const taco_options *opt)
{
    taco_error    err = {0};
    taco_format   format;
    taco_sample   sample;
    taco_dataset *ds;
    output        out;
    int           status;
    if (a->word_count != 2) {
        return complain("read wants a DATASET and a KEY[/KEY...]", NULL);
    }
    if (pick_format(a, "table", &format) != DONE) {
        return USAGE;
    }
    ds = open_datasets(a, 1, opt, &err);
    if (!ds || taco_locate(ds, a->words[1], &sample, &err) != TACO_OK) {
        status = report(&err);
    } else if (!sample.folder && (!a->format || format == TACO_FORMAT_LINES)) {
        status = output_open(&out, a->output);
        if (status == DONE) {
            fprintf(out.file, "%s\n", sample.vsi);
            status = output_close(&out, a->output, DONE);
        }
    } else {
        taco_cursor *rows = taco_read(ds, a->words[1], a->query.padding, &err);
        status = rows ? print_rows(rows, format, a->output, opt, a->words[0], &err) : report(&err);
    }
    taco_close(ds);
    return status;
}

static int copy_payload(taco_source *src, FILE *to, const char *key)
{
    static char buffer[1 << 16];
    uint64_t    at = 0;
    while (at < src->size) {
        size_t n = src->size - at < sizeof buffer ? (size_t)(src->size - at) : sizeof buffer;
        if (!src->read(src->ctx, at, buffer, n)) {
            fprintf(stderr, "%s: reading the payload failed at byte %" PRIu64 "\n", key, at);
            return FAILED;
        }
        if (fwrite(buffer, 1, n, to) != n) {
            return DONE; /* output_close reports it */
        }
        at += n;
    }
    return DONE;
}
static int run_get(args *a, const taco_options *opt)
{
    taco_error    err = {0};
    taco_source   src;
    taco_dataset *ds;
    output        out;
    int           status;
    if (a->word_count != 2) {
        return complain("get wants a DATASET and a KEY[/KEY...]", NULL);
    }
    ds = open_datasets(a, 1, opt, &err);
    if (!ds || taco_payload(ds, a->words[1], &src, &err) != TACO_OK) {
        status = report(&err);
    } else {
        status = output_open(&out, a->output);
        if (status == DONE) {
            status = output_close(&out, a->output, copy_payload(&src, out.file, a->words[1]));
        }
        if (src.close) {
            src.close(src.ctx);
        }
    }
    taco_close(ds);
    return status;
}

/* Splits "a, b" at commas that are not inside double quotes, in place; returns the count. */
static size_t split_names(char *text, const char **names, size_t max)
{
    size_t n = 0;
    char  *to;
    while (*text && n < max) {
        bool quoted;
        while (*text == ' ' || *text == ',') {
            text++;
        }
        if (!*text) {
            break;
        }
        quoted = *text == '"';
        text += quoted;
        names[n++] = to = text;
        while (*text && (quoted || *text != ',')) {
            if (quoted && *text == '"' && text[1] != '"') {
                text++;
                break;
            }
            text += quoted && *text == '"';
            *to++ = *text++;
        }
        while (!quoted && to > names[n - 1] && to[-1] == ' ') {
            to--;
        }
        text += *text == ',';
        *to = 0;
    }
    return n;
}
static int parquet_cat(args *a, taco_pq_file *file, taco_pq_query *q, const taco_options *opt,
                       taco_error *err)
{
    bool            none = a->limit_given && q->limit == 0; /* the header alone */
    taco_format     format;
    taco_pq_reader *rows;
    taco_printer   *p = NULL;
    taco_batch      batch;
    taco_bytes      header;
    output          out;
    size_t          n;
    int             status;
    bool            first = true;
    if (pick_format(a, "ndjson", &format) != DONE) {
        return USAGE;
    }
    rows = taco_pq_read(file, q, err);
    if (rows) {
        const taco_field *fields = taco_pq_reader_fields(rows, &n);
        p = taco_printer_open(fields, n, format, opt, err);
    }
    status = p ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        while (!none && err->code == TACO_OK && taco_pq_reader_next(rows, &batch)) {
            if (!put(out.file, taco_printer_batch(p, &batch, err))) {
                break;
            }
            first = false;
        }
        header = print_header(p, first, err);
        taco_pq_reader_close(rows, err);
        rows = NULL;
        if (err->code == TACO_OK && header.data) {
            put(out.file, header);
        }
        if (err->code == TACO_OK) {
            put(out.file, taco_printer_batch(p, NULL, err));
        }
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_pq_reader_close(rows, err);
    taco_printer_close(p);
    return status;
}
/* A JSON string; what comes here is UTF-8, but for names of files. */
static void put_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}
typedef struct verify_state {
    args  *a;
    size_t found;
} verify_state;

static bool verify_found(void *ctx, bool fault, const taco_error *what)
{
    verify_state *v = (verify_state *)ctx;
    if (!v->a->json) {
        if (!fault) {
            warn(v->a, what);
        }
        return !fault;
    }
    printf("%s\n {\"kind\":\"%s\",\"code\":\"%s\"", v->found++ ? "," : "",
           fault ? "fault" : "warning", taco_status_name(what->code));
    if (what->offset != TACO_NO_OFFSET) {
        printf(",\"offset\":%" PRIu64, what->offset);
    }
    printf(",\"text\":");
    put_string(taco_error_text(what));
    printf("}");
    return true;
}
/* file NULL: it could not be opened, err says why. */
static int parquet_verify(args *a, taco_pq_file *file, taco_error *err)
{
    verify_state    v;
    taco_pq_checked sum;
    v.a = a;
    v.found = 0;
    memset(&sum, 0, sizeof sum);
    if (a->json) {
        printf("{\"file\":");
        put_string(a->words[1]);
        printf(",\"findings\":[");
    }
    if (file) {
        taco_pq_verify(file, verify_found, &v, &sum, err);
    } else if (a->json) {
        verify_found(&v, true, err);
    }
    if (a->json) {
        printf("],\n \"row_groups\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"chunks\":%" PRIu64
               ",\"pages\":%" PRIu64 ",\"crcs\":%" PRIu64 ","
               "\"values\":%" PRIu64 ",\"skipped\":%" PRIu64 ",\"good\":%s}\n",
               sum.row_groups, sum.rows, sum.chunks, sum.pages, sum.crcs, sum.values, sum.skipped,
               err->code == TACO_OK ? "true" : "false");
    } else if (err->code == TACO_OK) {
        printf("good: %" PRIu64 " rows in %" PRIu64 " row groups, %" PRIu64
               " column chunks, %" PRIu64 " pages, %" PRIu64 " with a CRC",
               sum.rows, sum.row_groups, sum.chunks, sum.pages, sum.crcs);
        if (sum.skipped) {
            printf("; %" PRIu64 " column chunks not checked", sum.skipped);
        }
        printf("\n");
    }
    return flush_stdout(DONE);
}
/* A NUL-terminated copy of what the file has under a key; NULL when it has nothing. */
static char *key_copy(const taco_pq_file *file, const char *key)
{
    taco_bytes value = taco_pq_key_value(file, key);
    char      *copy = value.data ? (char *)malloc(value.len + 1) : NULL;
    if (copy) {
        memcpy(copy, value.data, value.len);
        copy[value.len] = 0;
    }
    return copy;
}
static int parquet_copy(args *a, taco_pq_file *file, taco_pq_query *q, const char *path,
                        const taco_options *opt, taco_error *err)
{
    taco_pq_reader *rows = taco_pq_read(file, q, err);
    taco_pq_writer *w = NULL;
    taco_batch      batch;
    taco_sink       sink;
    taco_pq_key     geo = {"geo", NULL};
    char           *text = q->columns || a->write.geometry_count ? NULL : key_copy(file, "geo");
    bool            written = false; /* what fails is the output's */
    a->write.options = opt;
    if (text) { /* it speaks of the columns, which are all there */
        geo.value = text;
        a->write.keys = &geo;
        a->write.key_count = 1;
    }
    stop_cleanly(path);
    if (rows && taco_sink_file(&sink, path, opt, err) == TACO_OK) {
        size_t            n;
        const taco_field *fields = taco_pq_reader_fields(rows, &n);
        w = taco_pq_write(&sink, fields, n, &a->write, err);
        written = true;
    }
    while (w && (!a->limit_given || q->limit) && taco_pq_reader_next(rows, &batch)) {
        if (taco_pq_writer_batch(w, &batch) != TACO_OK) {
            break;
        }
    }
    free(text);
    if (taco_pq_reader_close(rows, err) != TACO_OK) {
        taco_pq_writer_abort(w);
        return report_of(written && !w ? path : a->words[1], err);
    }
    if (taco_pq_writer_close(w, err) != TACO_OK) {
        return report_of(path, err);
    }
    return err->code == TACO_OK ? DONE : report_of(written ? path : a->words[1], err);
}
static int run_parquet(args *a, const taco_options *opt)
{
    taco_error         err = {0};
    taco_pq_query      q;
    static const char *names[4096];
    const char        *what = a->word_count ? a->words[0] : "";
    bool               copy = strcmp(what, "copy") == 0;
    taco_pq_file      *file;
    char              *columns = NULL;
    int                status = DONE;
    if (!copy && strcmp(what, "schema") != 0 && strcmp(what, "meta") != 0 &&
        strcmp(what, "cat") != 0 && strcmp(what, "verify") != 0) {
        return wants("parquet", "schema, meta, cat, verify or copy", what);
    }
    if (a->word_count != (copy ? 3U : 2U)) {
        return complain(copy ? "parquet copy wants FILE and OUT" : "parquet wants one FILE", NULL);
    }
    if (a->filter_count > 1 || (a->filter_count && !a->filters[0].where)) {
        return complain("parquet cat and copy take one --where and no other filter", NULL);
    }
    memset(&q, 0, sizeof q);
    q.where = a->filter_count ? a->filters[0].where : NULL;
    q.limit = a->query.limit;
    if ((a->geometry.covering || a->geometry.crs) && !a->geometry.column) {
        return complain("--covering and --crs are about a --geometry", NULL);
    }
    if (a->columns || a->query.select) {
        const char *list = a->columns ? a->columns : a->query.select;
        columns = (char *)malloc(strlen(list) + 1);
        if (!columns) {
            return complain("out of memory", NULL);
        }
        strcpy(columns, list);
        q.column_count = split_names(columns, names, 4096);
        q.columns = names;
    }
    file = taco_pq_open(a->words[1], opt, &err);
    if (file && strcmp(what, "cat") == 0) {
        status = parquet_cat(a, file, &q, opt, &err);
    } else if (file && copy) {
        status = parquet_copy(a, file, &q, a->words[2], opt, &err);
    } else if (strcmp(what, "verify") == 0) {
        status = parquet_verify(a, file, &err);
    } else if (file) {
        taco_bytes text = strcmp(what, "schema") == 0 ? taco_pq_schema_text(file, &err)
                          : a->json                   ? taco_pq_meta_json(file, &err)
                                                      : taco_pq_meta_text(file, &err);
        put(stdout, text);
        status = flush_stdout(DONE);
    }
    taco_pq_close(file);
    free(columns);
    return err.code == TACO_OK || (file && copy) ? status : report_of(a->words[1], &err);
}

#include "tool_check.h"
#include "tool_rasteret.h"
#include "tool_legacy.h"
#include "tool_make.h"
#include "tool_create.h"

static int print_version(void)
{
#ifdef SYSTEM_BROTLI
    uint32_t v = BrotliDecoderVersion();
    printf("taco %s\nbrotli: libbrotlidec %u.%u.%u\n", taco_version(), (unsigned)(v >> 24),
           (unsigned)(v >> 12 & 0xFFF), (unsigned)(v & 0xFFF));
#else
    printf("taco %s\nbrotli: none, its pages are refused\n", taco_version());
#endif
    return flush_stdout(DONE);
}

typedef struct command {
    const char *name, *usage;
    int (*run)(args *a, const taco_options *opt);
} command;

/* Runs a command with the threads there are. */
static int run_threads(args *a, taco_options *opt, int (*run)(args *a, const taco_options *opt))
{
#ifdef WITH_THREADS
    pool threads;
    int  status;
    pool_open(&threads, (size_t)(a->threads < POOL_MOST ? a->threads : POOL_MOST));
    if (threads.threads > 1) {
        opt->parallel_for = pool_for;
        opt->parallel_ctx = &threads;
        opt->parallel_width = threads.threads;
    }
    status = run(a, opt);
    pool_close(&threads);
    return status;
#else
    return run(a, opt);
#endif
}
int main(int argc, char **argv)
{
    static const command commands[] = {
        {"info", usage_info, run_info},
        {"query", usage_query, run_query},
        {"read", usage_read, run_read},
        {"get", usage_get, run_get},
        {"stats", usage_stats, run_stats},
        {"parquet", usage_parquet, run_parquet},
        {"validate", usage_validate, run_validate},
        {"repair", usage_repair, run_repair},
        {"tacocat", usage_tacocat, run_tacocat},
        {"tacollection", usage_tacollection, run_tacollection},
        {"create", usage_create, run_create},
        {"add", usage_add, run_add},
        {"export", usage_export, run_export},
        {"zip2folder", usage_zip2folder, run_zip2folder},
        {"folder2zip", usage_folder2zip, run_folder2zip},
        {"convert", usage_convert, run_convert},
        {"tortilla", usage_tortilla, run_tortilla},
        {"collection", usage_collection, run_collection},
        {"rasteret", usage_rasteret, run_rasteret},
    };
    static args        a;
    const taco_opener *openers[3] = {NULL, NULL, NULL};
    taco_options       opt;
    const char        *near = NULL;
    size_t             i;
    int                status;
    memset(&opt, 0, sizeof opt);
    openers[0] = taco_legacy_opener();
    opt.openers = openers;
    opt.warn = warn;
    opt.warn_ctx = &a;
    openers[1] = taco_rasteret_opener();
    /* headers of many assets are opened side by side unless --threads says otherwise */
    a.threads = argc > 1 && strcmp(argv[1], "rasteret") == 0 ? 0 : 1;
    if (argc < 2) {
        fputs(usage_main, stderr);
        return USAGE;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "help") == 0) {
        for (i = 0; argc > 2 && i < sizeof commands / sizeof commands[0]; i++) {
            if (strcmp(argv[2], commands[i].name) == 0) {
                fputs(commands[i].usage, stdout);
                return flush_stdout(DONE);
            }
        }
        fputs(usage_main, stdout);
        return flush_stdout(DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        return print_version();
    }
    if (strcmp(argv[1], "rasteret") == 0 && rasteret_options(&argc, argv) != DONE) {
        return USAGE;
    }
    for (i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            if (parse(&a, argc, argv, commands[i].usage) != DONE) {
                return USAGE;
            }
            count_reads(&a, &opt);
            a.threads =
                a.verbose && commands[i].run == run_rasteret ? 1 : a.threads; /* one count */
            status = finish(&a, run_threads(&a, &opt, commands[i].run));
            if (stopped) { /* who started us sees the signal */
                raise(stopped);
                return FAILED;
            }
            return status;
        }
    }
    for (i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        near = nearer(taco__bytes_text(argv[1]), near, commands[i].name);
    }
    return no_such("command", argv[1], near, NULL);
}
