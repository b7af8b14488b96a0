/* option_table.c - every option of the tool: the kind of its value, the member of `arguments` that
   it sets or a function that does more, and its help text. An option has the same meaning in every
   command that takes it.

   A new option is a row in this table, and a row in each command that takes it, where its value
   and help may differ. Parsing, help, `taco --dump-options`, completions and manual pages follow.
   A value that is a list "a|b" is checked before the function is called. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* ---- options that do more than set a member ---- */

/* -v and -vv */
static int set_verbose(arguments *a, const char *name, const char *value)
{
    (void)value;
    a->verbose = (int)strlen(name) - 1;
    return DONE;
}

/* Levels are small numbers; the library rejects those below the deepest level. */
static bool parse_level(const char *text, uint32_t *out)
{
    uint64_t n;
    if (!parse_number(text, &n) || n > 1000) { return false; }
    *out = (uint32_t)n;
    return true;
}

/* levelN: the rows of a level, unchanged. lN: its FILE rows, with the columns of their ancestors.
   data is level 0. */
static int set_table(arguments *a, const char *name, const char *value)
{
    /* what follows `level` or `l` */
    const char *digits = strncmp(value, "level", 5) == 0 ? value + 5
                         : value[0] == 'l'               ? value + 1
                                                         : NULL;
    a->query.flat = digits == value + 1;
    if (strcmp(value, "data") == 0) {
        a->query.table = 0;
        return DONE;
    }
    if (strcmp(value, "dataset") == 0 || strcmp(value, "sample") == 0 ||
        strcmp(value, "children") == 0 || strncmp(value, "children/", 9) == 0) {
        a->table_name = value;
        return DONE;
    }
    return digits && parse_level(digits, &a->query.table)
               ? DONE
               : value_error(name, "data, levelN or lN", value);
}

/* What to do with columns that some of several datasets lack. */
static int set_column_mode(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_column_mode */
    static const char *const names[] = {"intersection", "fill_missing", "strict"};
    (void)name;
    a->column_mode = (taco_column_mode)find_name(value, names, 3);
    return DONE;
}

/* stats: the kind of statistics that the column must have. */
static int set_family(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->stats.family =
        strcmp(value, "continuous") == 0 ? TACO_STATS_CONTINUOUS : TACO_STATS_CATEGORICAL;
    return DONE;
}

/* Each --where, --bbox and --time is a separate filter, on the level that was given last. */
static int add_filter(arguments *a, const char *name, const char *value)
{
    taco_filter *f;
    double *box;
    a->filters = (taco_filter *)grow_list(a->filters, a->filter_count, sizeof *f);
    f = &a->filters[a->filter_count];
    memset(f, 0, sizeof *f);
    f->level = a->level;
    if (strcmp(name, "--where") == 0) {
        f->where = value;
    } else if (strcmp(name, "--time") == 0) {
        f->time = value;
    } else {
        /* lives as long as the program */
        box = (double *)grow_list(NULL, 0, 4 * sizeof *box);
        if (!parse_box(value, box)) { return value_error(name, "W,S,E,N, four numbers", value); }
        f->bbox = box;
    }
    a->filter_count++;
    return DONE;
}

/* If only one level is given, it also applies to earlier filters. */
static int set_level(arguments *a, const char *name, const char *value)
{
    uint32_t level;
    size_t i;
    if (!parse_level(value, &level)) { return value_error(name, "a number", value); }
    for (i = 0; !a->level_given && i < a->filter_count; i++) {
        a->filters[i].level = level;
    }
    a->level = level;
    a->level_given = true;
    return DONE;
}

/* Remembers that a limit was given, as 0 is valid here but means no limit in a query. */
static int set_limit(arguments *a, const char *name, const char *value)
{
    a->limit_given = true;
    return parse_number(value, &a->query.limit) ? DONE : value_error(name, "a number", value);
}

/* C or C:LEVEL */
static int set_codec(arguments *a, const char *name, const char *value)
{
    const char *colon = strchr(value, ':');
    size_t n = colon ? (size_t)(colon - value) : strlen(value), i;
    uint64_t level = 0;
    if (colon && !parse_number(colon + 1, &level)) {
        return value_error(name, "NAME:LEVEL", value);
    }
    for (i = 0; codec_names[i].name; i++) {
        uint64_t top = codec_names[i].levels;
        if (strlen(codec_names[i].name) == n && memcmp(codec_names[i].name, value, n) == 0) {
            if (level > top) {
                return value_error(
                    name, top ? "a level up to gzip:9 or zstd:22" : "a codec with levels", value);
            }
            a->write.codec = (taco_codec)(TACO_CODEC_NONE + (int)i);
            a->write.level = (int)level;
            return DONE;
        }
    }
    return value_error(name, "none, snappy, gzip, zstd or lz4", value);
}

/* parquet copy: the encoding of columns with a suitable type. */
static int set_encoding(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_encoding */
    static const char *const names[] = {"auto",  "plain",        "dictionary",  "rle",
                                        "delta", "delta-length", "delta-bytes", "split"};
    (void)name;
    a->write.encoding = (taco_encoding)find_name(value, names, 8);
    return DONE;
}

/* A geometry, of which there is at most one, makes the file GeoParquet. */
static int set_geometry(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->geometry.column = value;
    a->write.geometries = &a->geometry;
    a->write.geometry_count = 1;
    return DONE;
}

/* PROJJSON: from a file, or the value itself. */
static int set_crs(arguments *a, const char *name, const char *value)
{
    size_t n;
    char *text; /* lives as long as the program */
    (void)name;
    a->geometry.crs = value;
    if (value[0] == '{') { return DONE; }
    text = read_bytes(value, 1, &n);
    if (text) { text[n] = 0; }
    a->geometry.crs = text;
    return text ? DONE : FAILED;
}

/* When to store the Arrow schema in a Parquet file, under ARROW:schema. */
static int set_arrow_schema(arguments *a, const char *name, const char *value)
{
    /* in the order of taco_pq_hint */
    static const char *const names[] = {"needed", "always", "never"};
    (void)name;
    a->write.arrow_schema = (taco_pq_hint)find_name(value, names, 3);
    return DONE;
}

/* Tables about samples: create and add take several, others the first. */
static int add_samples(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->samples = (const char **)grow_list(a->samples, a->samples_count, sizeof *a->samples);
    a->samples[a->samples_count++] = value;
    return DONE;
}

static int add_file(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->files = (const char **)grow_list((void *)a->files, a->file_count, sizeof *a->files);
    a->files[a->file_count++] = value;
    return DONE;
}

/* 0 is rejected, as it means the default. */
static int set_max_output(arguments *a, const char *name, const char *value)
{
    return parse_byte_size(value, &a->max_output) && a->max_output
               ? DONE
               : value_error(name, "a number of bytes, such as 1GB", value);
}

/* --split-size and --part-size */
static int set_split_size(arguments *a, const char *name, const char *value)
{
    return parse_byte_size(value, &a->split_size) ? DONE
                                                  : value_error(name, "a size, such as 4GB", value);
}

/* no: values missing from a table are null; yes: they are an error. */
static int set_strict_schema(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->create.fill = strcmp(value, "no") == 0;
    return DONE;
}

/* archive create: --list NAME */
static int add_listed_member(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->listed_members = (const char **)grow_list((void *)a->listed_members, a->listed_member_count,
                                                 sizeof *a->listed_members);
    a->listed_members[a->listed_member_count++] = value;
    return DONE;
}

/* 0 is rejected: it would mean no padding, which is the default. */
static int set_pad_to(arguments *a, const char *name, const char *value)
{
    uint64_t n;
    a->create.pad_to = parse_number(value, &n) && n < UINT32_MAX ? (uint32_t)n : 0;
    return a->create.pad_to ? DONE : value_error(name, "a number above 0", value);
}

/* --mtime and --date. 0 is rejected, as it means the default. */
static int set_seconds(arguments *a, const char *name, const char *value)
{
    int64_t *to = strcmp(name, "--mtime") == 0 ? &a->create.mtime : &a->create.date;
    uint64_t n;
    *to = parse_number(value, &n) && n < (uint64_t)1 << 40 ? (int64_t)n : 0;
    return *to ? DONE : value_error(name, "seconds since 1970, at least 1", value);
}

/* --group-by: names of columns. */
static int set_group_by(arguments *a, const char *name, const char *value)
{
    size_t n = split_names(value, &a->group_by);
    a->directory.group_by = a->group_by;
    a->directory.group_by_count = n;
    return n ? DONE : usage_error(name, "needs names of columns");
}

/* no: several archives get no catalogue. */
static int set_consolidate(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->directory.no_catalogue = strcmp(value, "no") == 0;
    return DONE;
}

/* --include and --exclude */
static int add_pattern(arguments *a, const char *name, const char *value)
{
    bool include = strcmp(name, "--include") == 0;
    const char ***list = include ? &a->include : &a->exclude;
    size_t *n = include ? &a->directory.include_count : &a->directory.exclude_count;
    *list = (const char **)grow_list((void *)*list, *n, sizeof **list);
    (*list)[(*n)++] = value;
    a->directory.include = a->include;
    a->directory.exclude = a->exclude;
    return DONE;
}

/* --majortom: the distance between points of the grid. */
static int set_grid(arguments *a, const char *name, const char *value)
{
    char *end;
    a->directory.grid_km = strtod(value, &end);
    return a->directory.grid_km > 0 && !*end ? DONE : value_error(name, "kilometres", value);
}

/* --classes: integers. */
static int set_classes(arguments *a, const char *name, const char *value)
{
    size_t n = strlen(value) / 2 + 1;
    int64_t *list = (int64_t *)grow_list(NULL, 0, n * sizeof *list);
    const char *at = value;
    for (n = 0;; at++) {
        char *end;
        list[n++] = (int64_t)strtol(at, &end, 10);
        if (end == at) { return value_error(name, "integers separated by commas", value); }
        at = end;
        if (*at != ',') { break; }
    }
    a->directory.classes = list;
    a->directory.class_count = n;
    return *at ? value_error(name, "integers separated by commas", value) : DONE;
}

/* S,N or S,N,W,E: rows and columns of the grid. */
static int set_grid_range(arguments *a, const char *name, const char *value)
{
    taco_majortom_grid *g = &a->directory.grid;
    double *out[4];
    const char *at = value;
    size_t i, n = 0;
    out[0] = &g->south;
    out[1] = &g->north;
    out[2] = &g->west;
    out[3] = &g->east;
    for (i = 0; i < 4 && (i == 0 || *at == ','); i++, n++) {
        char *end;
        at += i > 0;
        *out[i] = strtod(at, &end);
        if (end == at) { break; }
        at = end;
    }
    return *at == 0 && (n == 2 || n == 4) && g->south <= g->north && g->west <= g->east
               ? DONE
               : value_error(name, "S,N or S,N,W,E, in degrees", value);
}

/* --near-count and --near-size: when a group of neighbours is full. */
static int set_near_count(arguments *a, const char *name, const char *value)
{
    uint64_t *n = &a->directory.near_count;
    return parse_number(value, n) && *n ? DONE : value_error(name, "a number from 1 on", value);
}

static int set_near_size(arguments *a, const char *name, const char *value)
{
    uint64_t *n = &a->directory.near_size;
    return parse_byte_size(value, n) && *n ? DONE : value_error(name, "a size, such as 1GB", value);
}

/* The value has been checked to be one of the choices. */
static int set_color(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->color = value;
    return DONE;
}

/* collection: the kind of document. */
static int set_to(arguments *a, const char *name, const char *value)
{
    (void)name;
    a->to = value;
    return DONE;
}

/* ---- options of taco rasteret ---- */

/* Appends FROM=TO to a list of *n pairs. */
static int add_pair(taco_rasteret_pair **list, size_t *n, const char *name, const char *value)
{
    char *copy = copy_text(value);
    /* the first one, as TO may be a URL with another */
    char *equals = strchr(copy, '=');
    if (!equals) { return value_error(name, "FROM=TO", value); }
    *equals = 0;
    *list = (taco_rasteret_pair *)grow_list(*list, *n, sizeof **list);
    (*list)[*n].from = copy;
    (*list)[(*n)++].to = equals + 1;
    return DONE;
}

/* --rename COLUMN=NAME: the column is also found under that name. */
static int add_rename(arguments *a, const char *name, const char *value)
{
    rasteret_arguments *r = &a->rasteret;
    int status = add_pair(&r->rename, &r->options.rename_count, name, value);
    r->options.rename = r->rename;
    return status;
}

/* --rewrite FROM=TO: hrefs that begin with FROM. */
static int add_rewrite(arguments *a, const char *name, const char *value)
{
    rasteret_arguments *r = &a->rasteret;
    int status = add_pair(&r->rewrite, &r->options.rewrite_count, name, value);
    r->options.rewrite = r->rewrite;
    return status;
}

/* NAME or NAME=INDEX */
static int add_band(arguments *a, const char *name, const char *value)
{
    rasteret_arguments *r = &a->rasteret;
    size_t *n = &r->options.band_count;
    char *copy = copy_text(value), *equals = strrchr(copy, '=');
    uint64_t index = 0;
    if (equals && (!parse_number(equals + 1, &index) || index > 65535)) {
        return value_error(name, "NAME or NAME=INDEX", value);
    }
    if (equals) { *equals = 0; }
    r->bands = (taco_rasteret_band *)grow_list(r->bands, *n, sizeof *r->bands);
    r->options.bands = r->bands;
    r->bands[*n].name = copy;
    r->bands[(*n)++].index = (int64_t)index;
    return DONE;
}

/* START,END */
static int set_dates(arguments *a, const char *name, const char *value)
{
    char *copy = copy_text(value), *comma = strchr(copy, ',');
    size_t n;
    if (!comma) { return value_error(name, "START,END", value); }
    *comma++ = 0;
    if (!is_iso_time(copy) || !is_iso_time(comma)) {
        return value_error(name, "two dates of ISO 8601, such as 2020-01-01,2020-12-31", value);
    }
    /* days, as times of a day may be of different zones */
    n = strlen(copy) < strlen(comma) ? strlen(copy) : strlen(comma);
    if (strncmp(copy, comma, n < 10 ? n : 10) > 0) {
        return value_error(name, "a START that is not after END", value);
    }
    a->rasteret.options.start_date = copy;
    a->rasteret.options.end_date = comma;
    return DONE;
}

/* A directory, to which a final '/' is added. */
static int set_base(arguments *a, const char *name, const char *value)
{
    size_t n = strlen(value);
    char *copy = (char *)grow_list(NULL, 0, n + 2);
    (void)name;
    memcpy(copy, value, n + 1);
    if (n && value[n - 1] != '/') { memcpy(copy + n, "/", 2); }
    a->rasteret.options.base = copy;
    return DONE;
}

/* COL,COL, or none for an empty list. */
static int set_partition(arguments *a, const char *name, const char *value)
{
    taco_rasteret_options *o = &a->rasteret.options;
    (void)name;
    o->partition_count = split_names(value, &a->rasteret.partition);
    if (o->partition_count == 1 && strcmp(a->rasteret.partition[0], "none") == 0) {
        o->partition_count = 0;
    }
    /* NULL would be the default */
    if (!a->rasteret.partition) {
        a->rasteret.partition = (const char **)grow_list(NULL, 0, sizeof *a->rasteret.partition);
    }
    o->partition = a->rasteret.partition;
    return DONE;
}

/* ---- the table ---- */

/* clang-format off: one or two lines per row */
/* The offset of a member, which must have the type that its kind sets: compilers refuse or warn
   about two types of pointers in one conditional, and only the type decides, not the size. */
#define OFFSET(type, member)                                                                       \
    (offsetof(arguments, member) + 0 * sizeof(1 ? (type *)NULL : &((arguments *)NULL)->member))
#define MEMBER(kind, type, name, member, value, help)                                              \
    {                                                                                              \
        name, kind, OFFSET(type, member), NULL, false, value, help                                 \
    }
#define FLAG(name, member, help)        MEMBER(OPTION_FLAG, bool, name, member, NULL, help)
#define TEXT(name, member, value, help) MEMBER(OPTION_TEXT, const char *, name, member, value, help)
#define PATH(name, member, value, help) MEMBER(OPTION_FILE, const char *, name, member, value, help)
#define NUMBER(name, member, help)      MEMBER(OPTION_NUMBER, uint64_t, name, member, "N", help)
#define COUNT(name, member, help)       MEMBER(OPTION_COUNT, size_t, name, member, "N", help)
#define SIZE(name, member, help)        MEMBER(OPTION_SIZE, size_t, name, member, "SIZE", help)
#define SWITCH(name, set, help)                                                                    \
    {                                                                                              \
        name, OPTION_SWITCH, 0, set, false, NULL, help                                             \
    }
#define FUNCTION(name, set, value, help)                                                           \
    {                                                                                              \
        name, OPTION_FUNCTION, 0, set, false, value, help                                          \
    }
#define REPEATED(name, set, value, help)                                                           \
    {                                                                                              \
        name, OPTION_FUNCTION, 0, set, true, value, help                                           \
    }

const option all_options[] = {
    /* every command */
    FLAG("--quiet", quiet, "no warnings, no progress"),
    SWITCH("-v", set_verbose, "print what was read and how long it took, on standard error"),
    SWITCH("-vv", set_verbose, "also print every read"),
    NUMBER(
        "--threads", threads,
        "use N threads, which takes more memory; 0: one per processor. By default, query, "
        "validate, rasteret, create, export, zip2folder, folder2zip, convert, repair, and parquet "
        "cat, copy and verify use one per processor if that pays, others one"),
    FLAG("--strict-limits", strict_limits,
         "limits for untrusted files: 128 MiB of memory, 16 MiB of metadata"),
    FUNCTION("--color", set_color, "auto|always|never",
             "auto: on a terminal, unless NO_COLOR is set"),
    /* which rows, and how they are printed */
    FLAG("--json", json, "print one JSON object"),
    REPEATED("--where", add_filter, "EXPR",
             "rows that meet a condition: \"cloud < 10 AND split = 'train'\"; l1:id is a column of "
             "level "
             "1"),
    REPEATED("--bbox", add_filter, "W,S,E,N",
             "rows whose exact geometry intersects the box; if W is negative: --bbox=-10,..."),
    REPEATED("--time", add_filter, "A[/B]", "rows in the whole UTC days from A to B"),
    FLAG("--exact-time", exact_time, "--time means instants, A <= t < B"),
    REPEATED(
        "--level", set_level, "N",
        "level whose rows the filters after it test; if given once, all filters; default: that of "
        "--table, else 0"),
    FUNCTION(
        "--table", set_table, "T",
        "data, levelN: the rows of level N; lN: its FILE rows with the columns of their ancestors; "
        "TACO 3: dataset, sample, children, children/FOLDER"),
    REPEATED("--file", add_file, "PATH",
             "TACO 3: of the columns made for declared files only those of this one"),
    TEXT("--geometry-col", query.geometry_column, "NAME",
         "instead of istac:geometry, stac:centroid, istac:centroid"),
    TEXT("--time-col", query.time_column, "NAME", "instead of istac:time_start, stac:time_start"),
    FLAG("--show-padding", query.padding, "include the __TACOPAD__N rows"),
    TEXT("--select", query.select, "COLS", "only these columns: id, \"stac:crs\""),
    TEXT("--order", query.order, "COLS", "sort by columns: \"cloud desc, id\"; nulls last"),
    FUNCTION("--limit", set_limit, "N", "at most N rows"),
    NUMBER("--offset", query.offset, "skip the first N rows"),
    MEMBER(OPTION_DIRECTORY, const char *, "--base-path", base_path, "DIR",
           "TACOCAT: where the archives are, if not next to the catalogue"),
    FUNCTION(
        "--column-mode", set_column_mode, "intersection|fill_missing|strict",
        "columns that some of several datasets lack are dropped (the default), null, or an error"),
    TEXT("--format", format, "FORMAT", "output format"),
    PATH("-o", output, "FILE", "output file; - is standard output, the default"),
    FLAG("--all", all, "all rows; by default a terminal gets the first 40"),
    FLAG("--crlf", crlf, "lines of CSV end in CR LF"),
    FLAG("-0", zero, "paths of --format vsi end in zero bytes, as xargs -0 reads them"),
    TEXT("--sql", sql, "SELECT", "the rows of one SELECT over data, level0 ... level5, l0 ... l5"),
    FLAG("--explain", explain,
         "instead of rows, print what would be read: row groups and pages pruned, columns, bytes, "
         "requests"),
    PATH("--files-from", files_from, "FILE",
         "more datasets, one per line (or NUL-terminated); - is standard input"),
    /* writing Parquet */
    TEXT("--columns", columns, "COLS", "only these columns"),
    FUNCTION("--codec", set_codec, "C[:LEVEL]", "none, snappy, gzip, zstd, lz4"),
    FUNCTION("--encoding", set_encoding,
             "auto|plain|dictionary|rle|delta|delta-length|delta-bytes|split",
             "encoding of the columns that support it"),
    NUMBER("--row-group", write.row_group_rows, "rows per row group"),
    COUNT("--page-rows", write.page_rows, "rows per page"),
    SIZE("--page-bytes", write.page_bytes, "bytes per page"),
    SIZE("--dictionary-bytes", write.dictionary_bytes, "largest dictionary of a column"),
    FLAG("--pages-v2", write.pages_v2, "data pages of version 2"),
    FLAG("--bloom", write.bloom, "write bloom filters"),
    FLAG("--no-statistics", write.no_statistics, "no bounds and counts"),
    FLAG("--no-page-index", write.no_page_index, "no column and offset indexes"),
    FLAG("--no-crc", write.no_crc, "pages without a CRC"),
    FLAG("--content-defined", write.content_defined,
         "content-defined pages, so that small edits change few of them"),
    SIZE("--chunk-min", write.chunk_min, "with --content-defined: the smallest page"),
    SIZE("--chunk-max", write.chunk_max, "with --content-defined: the largest page"),
    FUNCTION("--geometry", set_geometry, "COLUMN", "a column of WKB, for GeoParquet metadata"),
    TEXT("--covering", geometry.covering, "COLUMN",
         "column with bounding boxes of the geometry (GeoParquet 1.1), by which readers prune; "
         "created if it does not exist"),
    FUNCTION(
        "--crs", set_crs, "FILE",
        "CRS of the coordinates: a file with PROJJSON, or PROJJSON itself (default: longitude, "
        "latitude)"),
    FUNCTION("--arrow-schema", set_arrow_schema, "needed|always|never",
             "store the Arrow schema under ARROW:schema (needed: if types would be lost without)"),
    NUMBER("--thumbnails", thumbnails, "number of pictures of samples (6), 0 for none"),
    /* stats; validate; tacocat */
    TEXT("--column", stats.column, "NAME",
         "the column (default internal:stats, else geotiff:stats)"),
    FUNCTION("--family", set_family, "continuous|categorical",
             "refuse a column that is not continuous, or not categorical"),
    FLAG("--weighted-percentiles", stats.weighted_percentiles,
         "weight percentiles by pixels; the default is the plain average over rows"),
    FLAG("--deep", deep,
         "also check every payload against its CRC, every page of every table, every cell of the "
         "local tables (__meta__), and every archive of a catalogue"),
    FLAG("--strict-pit", create.strict_pit,
         "the rule of June 2025: all FOLDERs of a level have the same children"),
    FLAG("--binary", binary, "also write the __TACOCAT__ file into the directory"),
    FLAG("--fill", fill,
         "columns that some archives lack are null there; the default is an error that lists all "
         "differences"),
    FLAG("--unchecked", unchecked, "do not check the archives first"),
    /* writing datasets */
    PATH("--collection", collection, "FILE", "COLLECTION.json"),
    REPEATED("--samples", add_samples, "FILE", "a table about samples: .ndjson, .csv or .parquet"),
    FUNCTION("--split-size", set_split_size, "SIZE",
             "write parts OUTPUT_part0001... with at most SIZE bytes of payload, such as 4GB"),
    FUNCTION("--group-by", set_group_by, "COLS",
             "write OUTPUT_VALUE... for each value of columns of level 0 (in parts, with "
             "--split-size)"),
    FUNCTION("--consolidate", set_consolidate, "yes|no",
             "no: several archives get no .tacocat catalogue"),
    FLAG("--tiff", directory.tiff,
         "stac:crs, tensor_shape, geotransform, centroid of *.tif, *.tiff, and of FOLDERs whose "
         "TIFFs agree"),
    FLAG("--tacotiff", directory.tacotiff,
         "taco:header of TIFFs, which must be TACOTIFFs (ZSTD, interleaved by tile, no overviews)"),
    FLAG("--stats", stats_wanted,
         "geotiff:stats of *.tif and *.tiff, over all pixels of each band, through GDAL "
         "(taco-gdal)"),
    FUNCTION("--classes", set_classes, "N,N...",
             "with --stats: the share of pixels with each of these values instead"),
    FLAG("--gdal", gdal_wanted, "centroids in every CRS that GDAL knows (taco-gdal)"),
    REPEATED("--exclude", add_pattern, "GLOB",
             "leave out files and directories with such names, as '*.aux.xml'"),
    REPEATED("--include", add_pattern, "GLOB", "only files with such names, as '*.tif'"),
    FLAG("--hidden", directory.hidden, "include names that begin with '.'"),
    FUNCTION("--majortom", set_grid, "KM",
             "majortom:code of level 0, from stac:centroid or istac:centroid"),
    FUNCTION("--majortom-range", set_grid_range, "S,N[,W,E]",
             "latitudes of its rows, longitudes of its columns (-85,85,-180,180)"),
    TEXT("--majortom-separator", directory.grid.separator, "TEXT",
         "between the parts of a code (_)"),
    FLAG("--no-derived", directory.no_derived,
         "do not compute centroid and time_middle from other columns of a table"),
    FLAG("--antimeridian", directory.antimeridian,
         "istac:centroid of geometries in degrees that cross the antimeridian"),
    FUNCTION("--near-count", set_near_count, "N",
             "spatialgroup:code of level 0, for --group-by: neighbours, at most N samples each"),
    FUNCTION("--near-size", set_near_size, "SIZE",
             "the same with at most SIZE bytes each, such as 1GB"),
    TEXT("--optical", optical, "SENSOR", "bands of sentinel2msi, landsat8oli[B04,B05], modis, ..."),
    FUNCTION("--strict-schema", set_strict_schema, "yes|no",
             "no: values of samples without a row are null, columns of several types text (yes: "
             "errors); empty cells and missing keys are always null"),
    FUNCTION("--pad-to", set_pad_to, "N",
             "add __TACOPAD__ samples up to a multiple of N in every folder"),
    FUNCTION("--mtime", set_seconds, "SECONDS",
             "time of an archive's entries, since 1970 (1980-01-01)"),
    FUNCTION("--date", set_seconds, "SECONDS", "taco:subset_date, since 1970, instead of now"),
    FLAG("--overwrite", create.overwrite, "replace an existing output"),
    FLAG("--keep-damaged", keep_damaged,
         "a payload whose CRC-32 is not that of the archive is written as it is, with a warning "
         "that names it (it is an error, and nothing is written)"),
    FUNCTION("--max-output", set_max_output, "SIZE",
             "samples may share bytes, up to SIZE of payload in the output, such as 1GB"),
    FLAG("--replace", replace, "replace existing columns with the same names (else an error)"),
    REPEATED("--list", add_listed_member, "NAME",
             "list this member in TACO_HEADER; ranges are in the order of the members"),
    /* convert, tortilla and collection */
    FLAG("--pad", pad,
         "add __TACOPAD__N rows to FOLDERs, up to the size of the largest of a level"),
    FUNCTION("--to", set_to, "stac|datacite|datacard|croissant", "the kind of document"),
    TEXT("--year", year, "YYYY", "year of publication, which DataCite requires"),
    FLAG("--chain", chain, "with the chain of footers of TACO 0.2.0"),
    FLAG("--chunks", chunks, "also with its table of the tiles of the TIFFs, which must be TOGs"),
    FLAG("--any-format", any_format,
         "allow formats that are not GDAL drivers, and tiles of TIFFs that are not TOGs"),
    FLAG("--any-values", create.any_values,
         "do not check values in columns of the extensions (stac:*, split, ...)"),
    FLAG("--any-tree", create.any_tree,
         "samples need not have the same tree: tortillas in which they differ stay files"),
    FUNCTION("--part-size", set_split_size, "SIZE",
             "payload bytes of a part, such as 4GB (20000000000)"),
    /* rasteret */
    TEXT("--name", rasteret.options.name, "TEXT", "name of the collection"),
    TEXT("--description", rasteret.options.description, "TEXT", "description of the collection"),
    TEXT("--data-source", rasteret.options.data_source, "TEXT", "where the data comes from"),
    FUNCTION("--dates", set_dates, "START,END", "dates of the collection, ISO 8601"),
    REPEATED("--rename", add_rename, "COLUMN=NAME",
             "also store a column under this name of the contract"),
    TEXT("--href-column", rasteret.options.href_column, "COLUMN",
         "if there are no assets: make them from this column and the bands"),
    REPEATED("--band", add_band, "NAME[=INDEX]", "a band, and its sample in the file"),
    REPEATED("--rewrite", add_rewrite, "FROM=TO",
             "replace the prefix FROM in values of the href column"),
    FUNCTION("--partition-by", set_partition, "COLS",
             "instead of year,month; none: one file in the directory"),
    TEXT("--bands", rasteret.bands_wanted, "NAMES", "these bands"),
    PATH("--descriptor", rasteret.descriptor, "FILE",
         "JSON from Rasteret's registry: columns, bands and hrefs of a dataset; options take "
         "precedence"),
    TEXT("--id", rasteret.id, "ID", "selects one of several descriptors"),
    FLAG("--single", rasteret.options.single, "TARGET is one Parquet file"),
    FUNCTION("--base", set_base, "DIR",
             "directory of relative hrefs, instead of the working directory"),
};
/* clang-format on */

const size_t option_count = sizeof all_options / sizeof all_options[0];

const command_option global_options[] = {
    OPTION("--quiet"),         OPTION("-v"),      OPTION("-vv"), OPTION("--threads"),
    OPTION("--strict-limits"), OPTION("--color"), OPTION_END};

const option *find_option(const char *word, size_t n)
{
    size_t i;
    for (i = 0; i < option_count; i++) {
        const char *name = all_options[i].name;
        if (strlen(name) == n && memcmp(name, word, n) == 0) { return &all_options[i]; }
    }
    return NULL;
}
