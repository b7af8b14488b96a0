/* taco_rasteret.h - Rasteret collections: read, validate, enrich, write.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_rasteret.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds
   here.

   A Rasteret collection is a table of records in Parquet: id, datetime, geometry, assets and a box,
   and a {band}_metadata column for each band, which holds where the tiles of the band's TIFF are.
   Both schema lines are read: scene_bbox with bbox_minx ... bbox_maxy (rasteret up to 0.3.4) and
   the struct bbox (from 0.3.5); what is written has both. To read one as a dataset:

       const taco_opener *openers[] = {taco_rasteret_opener(), NULL};
       taco_options       opt = {0};
       opt.openers = openers;
       ds = taco_open("s2_records", &opt, &err);

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco_rasteret.h:LINE
   prints where a line comes from. */
#ifndef TACO_RASTERET_H
#define TACO_RASTERET_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rasteret collections, for taco_options.openers: taco_open then takes a hive-partitioned directory
   of Parquet files, or one of them, that holds to the contract. Its rows are level 0, files in the
   order of their paths' bytes; the names and values of partitions are columns behind the stored
   ones, INT32 where all of them are numbers, else TEXT. A column that only some files have is null
   in the others. taco_query.bbox compares the records' boxes, edges included; taco_query.time "A/B"
   holds for A <= datetime <= B, where a bare date is its midnight ("A" alone is the whole day).
   Rows with null match neither. Directories are listed with the system's calls, whatever
   taco_options.open_file. */
TACO_API const taco_opener *taco_rasteret_opener(void);
/* Holds a collection against the contract: required columns, their types, one box form. The message
   names what is missing. */
TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err);

typedef struct taco_rasteret_pair {
    const char *from, *to;
} taco_rasteret_pair;

typedef struct taco_rasteret_band {
    const char *name;
    int64_t index; /* of the sample inside the file that href_column names */
} taco_rasteret_band;

/* {0}: year=Y/month=M/part-0.parquet below the target, without headers */
typedef struct taco_rasteret_options {
    const char *name, *description,
        *data_source; /* NULL: what the source says; its file name, "", "" */
    /* ISO 8601, both or neither; NULL: what the source says */
    const char *start_date, *end_date;
    const char *created; /* NULL: not told, so that the same input gives the same bytes */
    const taco_rasteret_pair *rename; /* columns that get a second name: the contract's */
    size_t rename_count;
    const char *href_column; /* where there are no assets: they are made of this and bands */
    const taco_rasteret_band *bands;
    size_t band_count;
    /* the first prefix of an href_column's value that fits is replaced */
    const taco_rasteret_pair *rewrite;
    size_t rewrite_count;
    const char *const *partition; /* columns; NULL: year, month */
    size_t partition_count;
    bool single; /* the target is one Parquet file */
    /* {band}_metadata columns from the headers of the assets; unreadable ones are null, and warned
       of */
    bool enrich;
    /* what stands in front of relative hrefs when they are opened; NULL: nothing */
    const char *base;
    /* allocator, limits, warn, open_file, parallel_for: tasks open assets and parse their
       headers */
    const taco_options *options;
} taco_rasteret_options;

/* Writes a collection, with both box forms, from a Parquet file of records or from another
   collection. Aliases; integer ids become text; integer years, dates and ISO text in datetime
   become timestamps; assets, proj:epsg, crs, the boxes (from the bounds of geometry; null, with a
   warning, where it is null or no WKB), year and month are made where they are missing; the
   key-value entries and GeoParquet's `geo` are written. CORRUPT when required columns are missing,
   when the assets of a record have different CRSs, or when no asset at all could be parsed. Opens
   at most 512 files to write; without `single` the target is a directory that is made. opt may be
   NULL. */
TACO_API taco_status taco_rasteret_build(const char *source, const char *target,
                                         const taco_rasteret_options *opt, taco_error *err);

/* Writes a collection of the TIFFs of a TACO dataset: a record for each FILE of the deepest level
   that is one, its id the ids from the top, joined by '/'; datetime is stac:time_start or
   istac:time_start of it or of what it is in, geometry its corners in longitude and latitude. hrefs
   name the archives, tile offsets count from their beginning, and taco:vsi keeps GDAL's path of
   each. The band is called "data". Of opt, the columns and hrefs are not looked at. FILEs that are
   no tiled TIFF in a CRS of taco_lonlat are left out, and warned of. */
TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err);
/* Writes the files of a collection's first band as a TACO dataset: a FILE for each record, with
   stac: columns where the header has a CRS and the record a datetime. taco:vsi is used where there
   is one, else the href, behind opt->base. collection is COLLECTION.json as taco_writer_collection
   takes it. create may be NULL. */
TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_RASTERET_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__RASTERET_IMPLEMENTED)
#define TACO__RASTERET_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   rasteret/rasteret.h                  what the folder offers to the others.
   rasteret/hive.c                      partitioned directories of Parquet files as one table.
   rasteret/contract.c                  what a collection must hold.. Spec: Rasteret's schema contract
   rasteret/collection.c                collections as datasets: filters, description, the calls of the public API.
   rasteret/collection_info.c           collections as datasets: filters, description, the calls of the public
   rasteret/collection_filter.c         collections as datasets: filters, description, the calls of the public
   rasteret/enrich.c                    headers of assets into columns.
   rasteret/build.c                     collections out, and to and from TACO.
   rasteret/build_columns.c             collections out, and to and from TACO.
   rasteret/build_values.c              collections out, and to and from TACO.
   rasteret/convert.c                   collections out, and to and from TACO.
*/

/* ==== src/rasteret/rasteret.h ==== */
/* rasteret.h - what the folder offers to the others. */
#ifndef TACO__RASTERET_H
#define TACO__RASTERET_H

/* #include "../api/taco_rasteret.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */
/* #include "../write/write.h" */

#ifndef TACO__HIVE_MAX_OPEN
#define TACO__HIVE_MAX_OPEN 64 /* files of a collection that are open at the same time */
#endif
#define TACO__HIVE_NULL_NAME "__HIVE_DEFAULT_PARTITION__"

/* one name=value of a path */
typedef struct taco__hive_key {
    const char *name;
    const char *value; /* NULL: the default partition */
} taco__hive_key;

typedef struct taco__hive_part {
    const char *path; /* as it is opened */
    const taco__hive_key *keys;
    size_t key_count;
} taco__hive_part;

typedef struct taco__hive {
    taco__arena *arena;
    taco__hive_part *parts;
    size_t count, cap;
    taco_error *err;
    bool any; /* ends at the first file */
} taco__hive;

/* ---- files that are closed while others are read
   ------------------------------------------------- */

typedef struct taco__hive_file {
    const taco_options *options;
    const char *path;
    taco_source src;
    bool open;
    uint64_t used; /* when */
    struct taco__hive_pool *pool;
} taco__hive_file;

typedef struct taco__hive_pool {
    taco__hive_file *open[TACO__HIVE_MAX_OPEN];
    uint64_t clock;
} taco__hive_pool;

/* of one file, store.own */
typedef struct taco__rasteret_file {
    const taco__hive_part *part;
    taco__hive_file file;
    const taco_array *given;
    taco_field *given_fields;
    size_t constant_count;
    size_t collection; /* which of those opened together */
    bool few;          /* files stay open, so few are they */
    const char *root;  /* its path */
} taco__rasteret_file;

#define TACO__ENRICH_FIELDS    17
#define TACO__ENRICH_MAX_BANDS 1024

/* ---- assets and their headers
   -------------------------------------------------------------------- */

/* one file of the batch, however many rows and bands name it */
typedef struct taco__enrich_asset {
    taco_bytes href;
    const char *path; /* to be opened */
    uint64_t offset;  /* /vsisubfile/: where it begins there, */
    uint64_t size;    /* and how long it is; 0 = to the end */
    taco_tiff *tiff;
    taco_error err;
} taco__enrich_asset;

/* what one row says of one band */
typedef struct taco__enrich_ref {
    size_t row, band;
    size_t asset;
    int64_t index;
} taco__enrich_ref;

typedef struct taco__enrich {
    const taco_options *options;
    taco__mem *mem;
    taco__arena arena; /* of the batch */
    const char *base;  /* in front of relative hrefs; "" */
    taco__enrich_asset *assets;
    size_t asset_count;
    taco__enrich_ref *refs;
    size_t ref_count;
    uint64_t tried, parsed; /* files over all batches */
} taco__enrich;

#define TACO__BUILD_MAX_PARTS 512

/* where a column comes from */
typedef enum taco__build_column_kind {
    TACO__BUILD_SOURCE = 0,
    TACO__BUILD_ID,
    TACO__BUILD_DATETIME,
    TACO__BUILD_ASSETS,
    TACO__BUILD_EPSG,
    TACO__BUILD_CRS,
    TACO__BUILD_BAND,
    TACO__BUILD_BBOX_LIST,
    /* bbox_minx to bbox_maxy, by band */
    TACO__BUILD_BBOX_EDGE,
    TACO__BUILD_BBOX,
    TACO__BUILD_YEAR,
    TACO__BUILD_MONTH
} taco__build_column_kind;

typedef struct taco__build_column {
    taco_field field;
    taco__build_column_kind what;
    size_t source; /* column of the source */
    size_t band;
    bool key; /* of the partitions, and not in the files */
    taco__array_builder made;
    taco__array_buf taken;
} taco__build_column;

typedef struct taco__build_part {
    const char *key; /* year=2020/month=1 */
    taco_pq_writer *writer;
} taco__build_part;

typedef struct taco__build {
    taco__mem mem;
    taco__arena arena;
    const taco_rasteret_options *opt;
    taco_options options;
    const char *target;
    taco_dataset *ds;
    taco_cursor *cursor;
    taco_pq_file *pq;
    taco_pq_reader *reader;
    const taco_field *in;
    size_t in_count;
    taco__build_column *columns;
    size_t count;
    size_t id, datetime, geometry, assets, href, code, epsg, crs; /* of the source; SIZE_MAX */
    const char **bands;                                           /* that are enriched */
    uint32_t *band_at;
    size_t band_count;
    taco__enrich enrich;
    taco_field f64[1], i64[1], i32[1], sides[4], meta[TACO__ENRICH_FIELDS], asset[2], *asset_bands;
    taco_field *out; /* of the files */
    size_t out_count;
    taco_pq_key keys[8];
    size_t key_count;
    taco__build_part parts[TACO__BUILD_MAX_PARTS];
    size_t part_count;
    taco__buf text, part_of, index, codes;
    taco__array_buf *cuts;
    bool warned;
    bool plain; /* hrefs are files in the end, not parts of them */
    uint64_t rows;
} taco__build;

/* ---- hive.c ---- */

TACO__FN bool taco__hive_reserve(taco__arena *arena, void **list, size_t count, size_t *cap,
                                 size_t size, taco_error *err);
TACO__FN bool taco__hive_add_part(taco__hive *h, const char *path, const taco__hive_key *keys,
                                  size_t count);
TACO__FN bool taco__hive_walk(taco__hive *h, const char *dir, const taco__hive_key *keys,
                              size_t count, unsigned depth);
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path);
TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err);
TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len);
TACO__FN void taco__hive_file_close(void *ctx);

/* ---- contract.c ---- */

TACO__FN bool taco__contract_find_bbox(const taco_field *f, size_t at[4]);
TACO__FN bool taco__contract_is_bbox_list(const taco_field *f);
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err);
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err);

/* ---- collection.c ---- */

/* taco_options.openers of this format alone, NULL at the end. */
TACO__FN const taco_opener *const *taco__rasteret_openers(void);

/* ---- collection_info.c ---- */

TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path);
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err);

/* ---- collection_filter.c ---- */

TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err);
TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err);

/* ---- enrich.c ---- */

TACO__FN void taco__enrich_init_fields(taco_field out[TACO__ENRICH_FIELDS], const taco_field *f64,
                                       const taco_field *i64, const taco_field *i32);
TACO__FN void taco__enrich_parse_asset(void *arg, size_t i);
TACO__FN bool taco__enrich_parse_subfile(taco_bytes href, taco_bytes *path, uint64_t *offset,
                                         uint64_t *size);
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err);
TACO__FN bool taco__enrich_read_asset(const taco_array *asset, size_t row, taco_bytes *href,
                                      int64_t *index);
TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err);
TACO__FN void taco__enrich_run(taco__enrich *e);
TACO__FN void taco__enrich_free(taco__enrich *e);
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err);

/* ---- build.c ---- */

TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err);

/* ---- build_columns.c ---- */

TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err);

/* ---- build_values.c ---- */

TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err);
TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err);

#endif /* TACO__RASTERET_H */
/* ==== src/rasteret/hive.c ==== */
/* hive.c - partitioned directories of Parquet files as one table. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

#define TACO__HIVE_MAX_DEPTH 32
#define TACO__HIVE_MAX_FILES 100000

/* a directory that is being listed */
typedef struct taco__hive_dir {
    taco__arena *arena;
    const char **names;
    size_t count, cap;
    taco_error *err;
} taco__hive_dir;

TACO__FN bool taco__hive_reserve(taco__arena *arena, void **list, size_t count, size_t *cap,
                                 size_t size, taco_error *err)
{
    void *more;
    if (count < *cap) { return true; }
    more = taco__arena_array(arena, *cap * 2 + 8, size, err);
    if (more && count) { memcpy(more, *list, count * size); }
    *list = more ? more : *list;
    *cap = more ? *cap * 2 + 8 : *cap;
    return more != NULL;
}

/* Names that begin with '.' or '_' are not data, as Arrow has it. */
static bool taco__hive_add_name(void *ctx, const char *name, taco__path_kind kind)
{
    taco__hive_dir *d = (taco__hive_dir *)ctx;
    void *list = (void *)d->names;
    (void)kind;
    if (name[0] == '.' || name[0] == '_') { return true; }
    if (d->count >= TACO__HIVE_MAX_FILES) {
        TACO__FAIL(d->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u names in a directory",
                   TACO__U(TACO__HIVE_MAX_FILES));
        return false;
    }
    if (!taco__hive_reserve(d->arena, &list, d->count, &d->cap, sizeof *d->names, d->err)) {
        return false;
    }
    d->names = (const char **)list;
    d->names[d->count] = taco__arena_text(d->arena, taco__bytes_text(name), d->err);
    return d->names[d->count++] != NULL;
}

static int taco__hive_hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* %41 becomes A; what is no escape stays. */
static void taco__hive_unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        int hi = *s == '%' ? taco__hive_hex_digit(s[1]) : -1,
            lo = hi < 0 ? -1 : taco__hive_hex_digit(s[2]);
        bool plain = lo < 0 || (hi | lo) == 0;
        *to = *s;
        if (!plain) { *to = (char)(unsigned char)(hi << 4 | lo); }
        to++;
        s += plain ? 0 : 2;
    }
    *to = 0;
}

/* The keys of a directory below one with `count` keys. */
static bool taco__hive_parse_key(taco__hive *h, const char *name, const taco__hive_key **keys,
                                 size_t *count)
{
    const char *eq = strchr(name, '=');
    taco__hive_key *more;
    char *text;
    if (!eq || eq == name) { return true; }
    more = (taco__hive_key *)taco__arena_array(h->arena, *count + 1, sizeof *more, h->err);
    text = taco__arena_text(h->arena, taco__bytes_text(name), h->err);
    if (!more || !text) { return false; }
    if (*count) { memcpy(more, *keys, *count * sizeof *more); }
    text[eq - name] = 0;
    more[*count].name = text;
    text += eq - name + 1;
    taco__hive_unescape(text);
    more[*count].value = strcmp(text, TACO__HIVE_NULL_NAME) == 0 ? NULL : text;
    text = (char *)taco__arena_text(h->arena, taco__bytes_text(more[*count].name), h->err);
    if (!text) { return false; }
    taco__hive_unescape(text);
    more[(*count)++].name = text;
    *keys = more;
    return true;
}

TACO__FN bool taco__hive_add_part(taco__hive *h, const char *path, const taco__hive_key *keys,
                                  size_t count)
{
    void *list = h->parts;
    if (h->count >= TACO__HIVE_MAX_FILES) {
        TACO__FAIL(h->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u files in a collection",
                   TACO__U(TACO__HIVE_MAX_FILES));
        return false;
    }
    if (!taco__hive_reserve(h->arena, &list, h->count, &h->cap, sizeof *h->parts, h->err)) {
        return false;
    }
    h->parts = (taco__hive_part *)list;
    h->parts[h->count].path = path;
    h->parts[h->count].keys = keys;
    h->parts[h->count++].key_count = count;
    return true;
}

static bool taco__hive_enter(taco__hive *h, const char *dir, const char *name,
                             const taco__hive_key *keys, size_t count, unsigned depth)
{
    size_t n = strlen(dir), m = strlen(name);
    char *path = (char *)taco__arena_alloc(h->arena, n + m + 2, h->err);
    uint64_t size;
    if (!path) { return false; }
    memcpy(path, dir, n);
    path[n] = '/';
    n += n && dir[n - 1] == '/' ? 0 : 1;
    memcpy(path + n, name, m);
    switch (taco__plat_stat(path, &size)) {
    case TACO__PATH_DIRECTORY:
        return depth < TACO__HIVE_MAX_DEPTH ? taco__hive_parse_key(h, name, &keys, &count) &&
                                                  taco__hive_walk(h, path, keys, count, depth + 1)
                                            : true;
    case TACO__PATH_FILE:
        return taco__container_ends_with(path, ".parquet") || taco__container_ends_with(path, ".pq")
                   ? taco__hive_add_part(h, path, keys, count)
                   : true;
    default: return true;
    }
}

/* Files below a directory, in the order of their names' bytes. */
TACO__FN bool taco__hive_walk(taco__hive *h, const char *dir, const taco__hive_key *keys,
                              size_t count, unsigned depth)
{
    taco__hive_dir d;
    taco_bytes name = taco__bytes_text(dir);
    size_t i;
    memset(&d, 0, sizeof d);
    d.arena = h->arena;
    d.err = h->err;
    if (!taco__plat_list_dir(dir, taco__hive_add_name, &d)) {
        TACO__FAIL(h->err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot list the directory %q", &name);
        return false;
    }
    if (d.count) {
        qsort((void *)d.names, d.count, sizeof *d.names, taco__container_compare_names);
    }
    for (i = 0; i < d.count && !(h->any && h->count); i++) {
        if (!taco__hive_enter(h, dir, d.names[i], keys, count, depth)) { return false; }
    }
    return true;
}

static int taco__hive_compare_parts(const void *a, const void *b)
{
    return strcmp(((const taco__hive_part *)a)->path, ((const taco__hive_part *)b)->path);
}

/* The files of what stands at path. */
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path)
{
    uint64_t size;
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        return taco__hive_add_part(h, path, NULL, 0);
    }
    if (!taco__hive_walk(h, path, NULL, 0, 0)) { return false; }
    if (h->count > 1) { qsort(h->parts, h->count, sizeof *h->parts, taco__hive_compare_parts); }
    return true;
}

TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err)
{
    taco__hive_file **slot = f->pool->open;
    size_t i;
    f->used = ++f->pool->clock;
    if (f->open) { return true; }
    for (i = 0; i < TACO__HIVE_MAX_OPEN && *slot; i++) {
        if (!f->pool->open[i] || f->pool->open[i]->used < (*slot)->used) {
            slot = &f->pool->open[i];
        }
    }
    if (*slot) {
        (*slot)->src.close((*slot)->src.ctx);
        (*slot)->open = false;
        *slot = NULL;
    }
    if (!taco__source_open_path(f->options, f->path, &f->src, err)) { return false; }
    f->open = true;
    *slot = f->src.close ? f : NULL;
    return true;
}

TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    return taco__hive_file_open(f, NULL) && taco__checked_range(offset, len, f->src.size) &&
           f->src.read(f->src.ctx, offset, dst, len);
}

TACO__FN void taco__hive_file_close(void *ctx)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    size_t i;
    for (i = 0; i < TACO__HIVE_MAX_OPEN; i++) {
        f->pool->open[i] = f->pool->open[i] == f ? NULL : f->pool->open[i];
    }
    if (f->open && f->src.close) { f->src.close(f->src.ctx); }
    f->open = false;
}
/* ==== src/rasteret/contract.c ==== */
/* contract.c - what a collection must hold.. Spec: Rasteret's schema contract */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* required columns that were seen, and the forms of the box */
typedef struct taco__contract {
    bool id, datetime, geometry, assets, box, list;
} taco__contract;

/* The bbox struct of xmin, ymin, xmax and ymax, by place in *at. */
TACO__FN bool taco__contract_find_bbox(const taco_field *f, size_t at[4])
{
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    size_t i;
    uint32_t k;
    for (i = 0; i < 4; i++) {
        at[i] = SIZE_MAX;
        for (k = 0; f->type == TACO_STRUCT && k < f->child_count; k++) {
            if (strcmp(f->children[k].name, names[i]) == 0 && f->children[k].type == TACO_DOUBLE) {
                at[i] = k;
            }
        }
        if (at[i] == SIZE_MAX) { return false; }
    }
    return true;
}

TACO__FN bool taco__contract_is_bbox_list(const taco_field *f)
{
    return f->type == TACO_LIST && f->child_count == 1 && f->children[0].type == TACO_DOUBLE;
}

static void taco__contract_add_field(taco__contract *c, const taco_field *f)
{
    size_t at[4];
    c->id = c->id || strcmp(f->name, "id") == 0;
    c->datetime = c->datetime || strcmp(f->name, "datetime") == 0;
    c->geometry = c->geometry || strcmp(f->name, "geometry") == 0;
    c->assets = c->assets || strcmp(f->name, "assets") == 0;
    c->box = c->box || (strcmp(f->name, "bbox") == 0 && taco__contract_find_bbox(f, at));
    c->list = c->list || (strcmp(f->name, "scene_bbox") == 0 && taco__contract_is_bbox_list(f));
}

static bool taco__contract_is_complete(const taco__contract *c)
{
    return c->id && c->datetime && c->geometry && c->assets && (c->box || c->list);
}

static bool taco__contract_check_complete(const taco__contract *c, taco_error *err)
{
    if (taco__contract_is_complete(c)) { return true; }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "no Rasteret collection, required columns are missing:%s%s%s%s%s",
               c->id ? "" : " id", c->datetime ? "" : " datetime", c->geometry ? "" : " geometry",
               c->assets ? "" : " assets", c->box || c->list ? "" : " bbox");
    return false;
}

/* Types that the contract fixes. */
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err)
{
    const char *want = NULL;
    taco_bytes name = taco__bytes_text(f->name);
    if (strcmp(f->name, "datetime") == 0 && f->type != TACO_TIMESTAMP) {
        want = "a timestamp";
    } else if (strcmp(f->name, "geometry") == 0 && f->type != TACO_BINARY) {
        want = "binary (WKB)";
    } else if (strcmp(f->name, "assets") == 0 && f->type != TACO_STRUCT) {
        want = "a struct of assets";
    } else if (strcmp(f->name, "id") == 0 && f->type != TACO_TEXT) {
        want = "text";
    }
    if (want) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not %s", &name, want);
    }
    return !want;
}

/* What all files have together, against the contract. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err)
{
    taco__contract seen;
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&seen, 0, sizeof seen);
    for (i = 0; f && i < n; i++) {
        taco__contract_add_field(&seen, &f[i]);
    }
    if (f && !taco__contract_check_complete(&seen, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    return f != NULL;
}

TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err)
{
    taco_options o;
    taco_error own;
    taco_dataset *ds;
    const taco_field *f;
    size_t n = 0, i;
    taco__contract seen;
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    memset(&seen, 0, sizeof seen);
    o = opt ? *opt : o;
    o.openers = taco__rasteret_openers();
    ds = taco_open(path, &o, &own);
    if (ds && !ds->stores[0].format) {
        taco__contract_check_complete(&seen, &own);
        taco__error_prefix(&own, "%s", path);
    }
    f = ds && own.code == TACO_OK ? taco_level_fields(ds, 0, &n, &own) : NULL;
    for (i = 0; f && i < n; i++) {
        if (!taco__contract_check_type(&f[i], &own)) {
            taco__error_prefix(&own, "%s", path);
            break;
        }
    }
    taco_close(ds);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
/* ==== src/rasteret/collection.c ==== */
/* collection.c - collections as datasets: filters, description, the calls of the public API. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- opening
   ------------------------------------------------------------------------------------- */

static bool taco__rasteret_detect(taco__container *s, const char *path, taco_bytes head)
{
    taco__hive h;
    taco_error none;
    uint64_t size;
    if (head.data) { return taco__bytes_starts_with(head, "PAR1"); }
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) { return false; }
    memset(&h, 0, sizeof h);
    memset(&none, 0, sizeof none);
    h.arena = s->arena;
    h.err = &none;
    h.any = true;
    return taco__hive_walk(&h, path, NULL, 0, 0) && h.count > 0;
}

static bool taco__rasteret_parse_int32(const char *s, int32_t *out)
{
    int64_t x;
    bool ok = taco__num_parse_i64(taco__bytes_text(s), &x) && x >= INT32_MIN && x <= INT32_MAX;
    *out = ok ? (int32_t)x : 0;
    return ok;
}

/* The partition columns of all parts of one collection: names in the order they are met. *n of
   them. */
static taco_field *taco__rasteret_partition_fields(taco__hive *h, size_t *n)
{
    size_t i, k, c, cap = 0;
    taco_field *f = NULL;
    int32_t x;
    void *list;
    *n = 0;
    for (i = 0; i < h->count; i++) {
        for (k = 0; k < h->parts[i].key_count; k++) {
            const taco__hive_key *key = &h->parts[i].keys[k];
            for (c = 0; c < *n && strcmp(f[c].name, key->name) != 0; c++) {}
            list = f;
            if (c == *n && !taco__hive_reserve(h->arena, &list, *n, &cap, sizeof *f, h->err)) {
                return NULL;
            }
            f = (taco_field *)list;
            if (c == *n) {
                f[c].name = key->name;
                f[c].type = TACO_INT32;
                f[c].width = 4;
                f[c].nullable = true;
                ++*n;
            }
            if (key->value && !taco__rasteret_parse_int32(key->value, &x)) {
                f[c].type = TACO_TEXT;
                f[c].width = 0;
            }
        }
    }
    return f ? f : (taco_field *)taco__arena_alloc(h->arena, sizeof *f, h->err);
}

/* The values of partition columns in one part, as arrays of one row. */
static taco_array *taco__rasteret_partition_values(taco__arena *arena, const taco__hive_part *p,
                                                   const taco_field *f, size_t n, taco_error *err)
{
    taco_array *a = (taco_array *)taco__arena_array(arena, n + 1, sizeof *a, err);
    int32_t *v = (int32_t *)taco__arena_array(arena, n + 1, 2 * sizeof *v, err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(arena, 8, err);
    size_t i, k;
    for (i = 0; a && v && bits && i < n; i++) {
        const char *value = NULL;
        for (k = 0; k < p->key_count; k++) {
            value = strcmp(p->keys[k].name, f[i].name) == 0 ? p->keys[k].value : value;
        }
        a[i].field = &f[i];
        a[i].length = 1;
        a[i].null_count = value ? 0 : 1;
        a[i].validity = value ? NULL : bits;
        a[i].v.any = value ? (const void *)value : (const void *)bits;
        if (f[i].type == TACO_INT32) {
            (void)taco__rasteret_parse_int32(value ? value : "0", &v[2 * i]);
            a[i].v.i32 = &v[2 * i];
        } else {
            v[2 * i + 1] = (int32_t)(value ? strlen(value) : 0);
            a[i].offsets = &v[2 * i];
        }
    }
    return a && v && bits ? a : NULL;
}

static bool taco__rasteret_init_store(taco_dataset *ds, taco__container *s,
                                      const taco_opener *format, const taco__hive_part *part,
                                      taco__rasteret_file *r, taco_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = &ds->mem;
    s->arena = &ds->arena;
    s->options = &ds->options;
    s->format = format;
    s->format_state = r;
    s->name = part->path;
    s->kind = TACO_KIND_ZIP;
    s->level_count = 1;
    s->levels[0].name = "rows";
    s->levels[0].present = true;
    s->coll.dataset_version = "unknown";
    s->coll.description = s->coll.taco_version = "";
    s->coll.id = "";
    return taco__container_set_vsi_root(s, part->path, false, err);
}

/* Stores for the parts of all collections; stores[0] may hold the file of a caller's source. */
static bool taco__rasteret_open(taco_dataset *ds, const char *const *paths, size_t n,
                                  taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    taco__file file = ds->stores[0].file;
    bool given = ds->stores[0].file_open;
    taco__hive h;
    taco__hive_pool *pool = (taco__hive_pool *)taco__arena_alloc(&ds->arena, sizeof *pool, err);
    size_t i, k;
    ds->stores[0].file_open = false;
    ds->mode = TACO_COLUMNS_FILL_MISSING;
    ds->container_count = 0;
    if (given && (n > 1 || !pool)) {
        taco__file_close(&file);
        given = false;
    }
    for (i = 0; pool && i < n; i++) {
        taco_field *keys;
        taco__rasteret_file *r;
        size_t key_count;
        memset(&h, 0, sizeof h);
        h.arena = &ds->arena;
        h.err = err;
        keys = (given ? taco__hive_add_part(&h, paths[i], NULL, 0)
                      : taco__hive_find_parts(&h, paths[i]))
                   ? taco__rasteret_partition_fields(&h, &key_count)
                   : NULL;
        if (!keys || !taco__dataset_reserve(ds, ds->container_count + h.count, err)) {
            taco__error_prefix(err, "%s", paths[i]);
            break;
        }
        for (k = 0; k < h.count; k++) {
            taco__container *s = &ds->stores[ds->container_count];
            r = (taco__rasteret_file *)taco__arena_alloc(&ds->arena, sizeof *r, err);
            if (!r || !taco__rasteret_init_store(ds, s, format, &h.parts[k], r, err)) {
                if (given) { taco__file_close(&file); }
                return false;
            }
            if (given) {
                s->file = file;
                s->file_open = true;
            }
            ds->container_count++;
            r->part = &h.parts[k];
            r->root = paths[i];
            r->collection = i;
            r->file.path = r->part->path;
            r->file.options = &ds->options;
            r->file.pool = pool;
            r->given_fields = keys;
            r->constant_count = key_count;
            r->given = taco__rasteret_partition_values(&ds->arena, r->part, keys, key_count, err);
            if (!r->given) { return false; }
        }
    }
    for (i = 0; i < ds->container_count; i++) {
        ((taco__rasteret_file *)ds->stores[i].format_state)->few =
            ds->container_count <= TACO__HIVE_MAX_OPEN;
    }
    if (err->code == TACO_OK && ds->container_count == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no Parquet files below", paths[0]);
    }
    if (given && ds->container_count == 0) { taco__file_close(&file); }
    return err->code == TACO_OK && taco__contract_check_dataset(ds, paths[0], err) &&
           taco__rasteret_info_describe(ds, false, err);
}

/* The table of one file, with its partition columns. */
static bool taco__rasteret_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)s->format_state;
    taco__level *l = &s->levels[n];
    taco_field *fields;
    taco_array *given;
    taco_source src;
    size_t i, count;
    if (!s->file_open && !l->file_open) {
        if (r->few ? !taco__source_open_path(s->options, r->part->path, &src, err)
                   : !taco__hive_file_open(&r->file, err)) {
            return false;
        }
        if (!r->few) { /* closed and opened again: what a view returns would not live */
            src = r->file.src;
            src.ctx = &r->file;
            src.read = taco__hive_file_read;
            src.close = taco__hive_file_close;
            src.view = NULL;
            src.read_many = NULL;
        }
        taco__file_init(&l->file, &src, "", s->mem);
        l->file_open = true;
    }
    l->range.offset = 0;
    l->range.len = s->file_open ? s->file.src.size : l->file.src.size;
    if (!taco__container_open_table(s, s->file_open ? &s->file : &l->file, l->range, l->name, false,
                                    s->arena, &l->pq, &l->table, err)) {
        return false;
    }
    count = l->table.field_count;
    fields = (taco_field *)taco__arena_array(s->arena, count + r->constant_count + 1,
                                             sizeof *fields, err);
    given = (taco_array *)taco__arena_array(s->arena, r->constant_count + 1, sizeof *given, err);
    if (!fields || !given) { return false; }
    memcpy(fields, l->table.fields, count * sizeof *fields);
    for (i = 0; i < r->constant_count; i++) {
        if (taco__table_find_column(&l->table, r->given_fields[i].name) == SIZE_MAX) {
            given[l->table.constant_count++] = r->given[i];
            fields[count++] = r->given_fields[i];
        }
    }
    l->table.fields = fields;
    l->table.field_count = count;
    l->table.constants = given;
    return true;
}

/* Rasteret's columns are what makes its rows; nothing in them is a path of ours. */
static void taco__rasteret_roles(const taco__table *t, taco__column_roles *r)
{
    (void)t;
    r->type = r->parent = r->current = r->offset = r->size = r->relative = r->source = TACO__NONE;
}

static bool taco__rasteret_info(taco_dataset *ds, taco_error *err)
{
    return taco__rasteret_info_describe(ds, true, err);
}

static const taco_opener taco__rasteret_opener = {"rasteret",
                                                  taco__rasteret_detect,
                                                  taco__rasteret_open,
                                                  taco__rasteret_read_level,
                                                  NULL,
                                                  taco__rasteret_roles,
                                                  NULL,
                                                  taco__rasteret_filter_bbox,
                                                  taco__rasteret_filter_time,
                                                  NULL,
                                                  taco__rasteret_info};

TACO_API const taco_opener *taco_rasteret_opener(void)
{
    return &taco__rasteret_opener;
}

TACO__FN const taco_opener *const *taco__rasteret_openers(void)
{
    static const taco_opener *const openers[2] = {&taco__rasteret_opener, NULL};
    return openers;
}
/* ==== src/rasteret/collection_info.c ==== */
/* collection_info.c - collections as datasets: filters, description, the calls of the public
   API. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* ---- what a collection is
   ------------------------------------------------------------------------ */

typedef struct taco__rasteret_info_summary {
    double box[4];
    bool boxed;
    int64_t epsg[256]; /* ascending; more codes than these are not told apart */
    size_t epsg_count;
    char source[256]; /* first collection column that is not empty */
} taco__rasteret_info_summary;

static void taco__rasteret_info_add_code(taco__rasteret_info_summary *f, int64_t code)
{
    size_t i = 0;
    while (i < f->epsg_count && f->epsg[i] < code) {
        i++;
    }
    if (f->epsg_count < TACO__COUNT(f->epsg) && (i == f->epsg_count || f->epsg[i] != code)) {
        memmove(&f->epsg[i + 1], &f->epsg[i], (f->epsg_count - i) * sizeof *f->epsg);
        f->epsg[i] = code;
        f->epsg_count++;
    }
}

static void taco__rasteret_info_add_bbox(taco__rasteret_info_summary *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!f->boxed || (k < 2 ? box[k] < f->box[k] : box[k] > f->box[k])) { f->box[k] = box[k]; }
    }
    f->boxed = true;
}

/* The box of row i, from a struct or a list; false where it is null or not of numbers. */
static bool taco__rasteret_info_row_bbox(const taco_array *a, const size_t at[4], size_t i,
                                         double box[4])
{
    size_t k;
    if (!taco_array_valid(a, i) ||
        (a->field->type == TACO_LIST && a->offsets[i + 1] - a->offsets[i] != 4)) {
        return false;
    }
    for (k = 0; k < 4; k++) {
        const taco_array *c = &a->children[a->field->type == TACO_LIST ? 0 : at[k]];
        size_t j = a->field->type == TACO_LIST ? (size_t)a->offsets[i] + k : i;
        if (!taco_array_valid(c, j)) { return false; }
        box[k] = taco_array_double(c, j);
        if (box[k] != box[k]) { return false; }
    }
    return true;
}

static bool taco__rasteret_info_scan(taco_dataset *ds, taco__rasteret_info_summary *facts,
                                     taco_error *err)
{
    static const char *const wanted[4] = {"bbox", "scene_bbox", "proj:epsg", "collection"};
    taco_query q;
    taco_cursor *c;
    taco_batch b;
    char select[64];
    size_t n, i, k, len = 0, at[4];
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    bool have[4] = {false, false, false, false};
    for (i = 0; f && i < n; i++) {
        for (k = 0; k < 4; k++) {
            have[k] = have[k] || (strcmp(f[i].name, wanted[k]) == 0 &&
                                  (k == 0   ? taco__contract_find_bbox(&f[i], at)
                                   : k == 1 ? taco__contract_is_bbox_list(&f[i])
                                   : k == 2 ? f[i].type >= TACO_INT8 && f[i].type <= TACO_UINT64
                                            : f[i].type == TACO_TEXT));
        }
    }
    have[1] = have[1] && !have[0];
    for (k = 0; k < 4; k++) {
        if (have[k]) {
            const char *p = wanted[k];
            select[len] = ',';
            len += len ? 1 : 0;
            select[len++] = '"';
            while (*p) {
                select[len++] = *p++;
            }
            select[len++] = '"';
        }
    }
    select[len] = 0;
    if (!f || len == 0) { return f != NULL; }
    memset(&q, 0, sizeof q);
    q.select = select;
    c = taco_select(ds, &q, err);
    while (c && taco_cursor_batch(c, &b)) {
        for (k = 0; k < b.column_count; k++) {
            const taco_array *a = &b.columns[k];
            const char *name = a->field->name;
            for (i = 0; i < b.length; i++) {
                double box[4];
                if (strcmp(name, "proj:epsg") == 0) {
                    if (taco_array_valid(a, i)) {
                        taco__rasteret_info_add_code(facts, taco_array_int(a, i));
                    }
                } else if (strcmp(name, "collection") == 0) {
                    taco_bytes v = taco_array_bytes(a, i);
                    if (v.len && v.len < sizeof facts->source && !facts->source[0]) {
                        memcpy(facts->source, v.data, v.len);
                    }
                } else if ((a->field->type == TACO_LIST ||
                            taco__contract_find_bbox(a->field, at)) &&
                           taco__rasteret_info_row_bbox(a, at, i, box)) {
                    taco__rasteret_info_add_bbox(facts, box);
                }
            }
        }
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}

static bool taco__rasteret_info_append_text(taco__buf *b, const char *key, taco_bytes v,
                                            taco_error *err)
{
    return taco__buf_append_text(b, key, err) && taco__json_write_string(b, v, err);
}

/* Rasteret's name of a collection without one: the last part of its path, without suffixes. */
TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path)
{
    size_t n = strlen(path), from, i;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {}
    for (i = n; i > from + 1; i--) {
        if (path[i - 1] == '.') {
            n = i - 1;
            break;
        }
    }
    return taco__bytes_of(path + from, n - from);
}

static bool taco__rasteret_info_append_bands(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    const taco_field *f;
    size_t n, i, k = 0;
    bool ok = taco__buf_append_text(b, ",\"bands\":[", err);
    f = taco_level_fields(ds, 0, &n, err);
    for (i = 0; f && ok && i < n; i++) {
        size_t len = strlen(f[i].name);
        if (taco__container_ends_with(f[i].name, "_metadata")) {
            ok = (k++ == 0 || taco__buf_append_char(b, ',', err)) &&
                 taco__json_write_string(b, taco__bytes_of(f[i].name, len - 9), err);
        }
    }
    return f && ok && taco__buf_append_char(b, ']', err);
}

static bool taco__rasteret_info_append_summary(taco_dataset *ds,
                                               const taco__rasteret_info_summary *f, taco__buf *b,
                                               taco_error *err)
{
    char number[40];
    int64_t rows = taco_level_rows(ds, 0, err);
    size_t i;
    bool ok =
        rows >= 0 && taco__buf_append_text(b, f->boxed ? ",\"bounds\":[" : ",\"bounds\":null", err);
    for (i = 0; ok && f->boxed && i < 4; i++) {
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__buf_append(b, number, taco__num_format_f64(number, f->box[i]), err);
    }
    ok = ok && taco__buf_append_text(b, f->boxed ? "],\"epsg\":[" : ",\"epsg\":[", err);
    for (i = 0; ok && i < f->epsg_count; i++) {
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__buf_append(b, number, taco__num_format_i64(number, f->epsg[i]), err);
    }
    return ok && taco__buf_append_text(b, "],\"len\":", err) &&
           taco__buf_append(b, number, taco__num_format_i64(number, rows), err);
}

/* Fills the collection of the first store from the key-value metadata of its file; with `whole`
   also what only the rows say: bounds, codes and number. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    taco__level *l = taco__container_level(s, 0, err);
    taco__rasteret_info_summary facts;
    taco__buf b;
    taco_bytes name, source, dates, text;
    const void *comma;
    char *copy;
    bool ok;
    if (!l) { return false; }
    memset(&facts, 0, sizeof facts);
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    name = taco_pq_key_value(&l->pq, "name");
    name = name.len
               ? name
               : taco__rasteret_info_default_name(((taco__rasteret_file *)s->format_state)->root);
    source = taco_pq_key_value(&l->pq, "data_source");
    dates = taco_pq_key_value(&l->pq, "date_range");
    comma = dates.len ? memchr(dates.data, ',', dates.len) : NULL;
    ok = !whole || taco__rasteret_info_scan(ds, &facts, err);
    source = source.len ? source : taco__bytes_text(facts.source);
    text = taco_pq_key_value(&l->pq, "description");
    ok = ok && taco__rasteret_info_append_text(&b, "{\"name\":", name, err) &&
         taco__rasteret_info_append_text(&b, ",\"description\":", text, err) &&
         taco__rasteret_info_append_text(&b, ",\"data_source\":", source, err);
    if (comma) {
        size_t at = (size_t)((const uint8_t *)comma - dates.data);
        ok =
            ok &&
            taco__rasteret_info_append_text(&b, ",\"start_date\":", taco__bytes_of(dates.data, at),
                                            err) &&
            taco__rasteret_info_append_text(
                &b, ",\"end_date\":", taco__bytes_of(dates.data + at + 1, dates.len - at - 1), err);
    } else {
        ok = ok && taco__buf_append_text(&b, ",\"start_date\":null,\"end_date\":null", err);
    }
    ok = ok &&
         (!whole || (taco__rasteret_info_append_bands(ds, &b, err) &&
                     taco__rasteret_info_append_summary(ds, &facts, &b, err))) &&
         taco__buf_append_char(&b, '}', err);
    copy = ok ? taco__arena_text(s->arena, taco__bytes_of(b.data, b.len), err) : NULL;
    ok = copy && taco__json_parse(s->arena, taco__bytes_of(copy, b.len), &ds->options.limits,
                                  &s->coll.doc, err) == TACO_OK;
    s->coll.id = ok ? taco__arena_text(s->arena, name, err) : "";
    s->coll.description = ok ? taco__arena_text(s->arena, text, err) : "";
    taco__buf_free(&b);
    return ok && s->coll.id && s->coll.description;
}
/* ==== src/rasteret/collection_filter.c ==== */
/* collection_filter.c - collections as datasets: filters, description, the calls of the public
   API. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */
/* #include "../dataset/dataset.h" */

/* ---- filters
   ------------------------------------------------------------------------------------- */

typedef struct taco__rasteret_filter_box {
    double edge[4]; /* west, south, east, north */
    size_t at[4];   /* places of xmin, ymin, xmax, ymax */
} taco__rasteret_filter_box;

static bool taco__rasteret_filter_intersects(const taco__rasteret_filter_box *b,
                                             const double box[4])
{
    return box[2] >= b->edge[0] && box[0] <= b->edge[2] && box[3] >= b->edge[1] &&
           box[1] <= b->edge[3];
}

/* bbox, a struct: NULL and NaN meet nothing. */
static bool taco__rasteret_filter_bbox_struct(void *ctx, const taco_array *a, size_t rows,
                                              uint8_t *true_bits, uint8_t *valid_bits,
                                              taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    size_t i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double box[4] = {0, 0, 0, 0};
        bool valid = taco_array_valid(a, i);
        for (k = 0; valid && k < 4; k++) {
            valid = taco_array_valid(&a->children[b->at[k]], i);
            box[k] = valid ? taco_array_double(&a->children[b->at[k]], i) : 0;
        }
        if (valid && taco__rasteret_filter_intersects(b, box)) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* scene_bbox, a list of four. */
static bool taco__rasteret_filter_bbox_list(void *ctx, const taco_array *a, size_t rows,
                                            uint8_t *true_bits, uint8_t *valid_bits,
                                            taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    size_t i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double box[4] = {0, 0, 0, 0};
        bool valid = taco_array_valid(a, i) && a->offsets[i + 1] - a->offsets[i] == 4;
        for (k = 0; valid && k < 4; k++) {
            valid = taco_array_valid(&a->children[0], (size_t)a->offsets[i] + k);
            box[k] = valid ? taco_array_double(&a->children[0], (size_t)a->offsets[i] + k) : 0;
        }
        if (valid && taco__rasteret_filter_intersects(b, box)) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* Whether statistics leave a row group whose boxes may meet b: leaves of the struct are not the
   scan's to prune by. */
static bool taco__rasteret_filter_may_match(const taco__table *t, size_t column,
                                            const taco__rasteret_filter_box *b)
{
    const taco__pq_metadata *m = t->pq ? &t->pq->meta : NULL;
    uint32_t g;
    size_t k;
    for (g = 0; m && column < t->stored && g < m->group_count; g++) {
        bool may = true;
        for (k = 0; k < 4; k++) {
            uint32_t leaf = t->fields[column].leaf + (uint32_t)b->at[k];
            taco__pq_bounds s;
            taco__column_stats range;
            taco__stats_bounds(m, &m->leaves[leaf], &m->groups[g].chunks[leaf].stats, &s);
            taco__scan_prune_bounds_of(&m->leaves[leaf], &s, m->groups[g].rows, &range);
            if (k < 2 ? range.has_min && range.min.f > b->edge[k + 2]
                      : range.has_max && range.max.f < b->edge[k - 2]) {
                may = false;
            }
        }
        if (may) { return true; }
    }
    return !m || column >= t->stored;
}

static taco__expr *taco__rasteret_filter_compare_edge(taco__arena *arena, const taco__table *t,
                                                      const char *name, taco__compare_op op,
                                                      double edge, taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    return c == SIZE_MAX
               ? NULL
               : taco__expr_compare(
                     arena, op, taco__expr_column(arena, c, err),
                     taco__expr_const(arena, taco__scalar_make_double(TACO_DOUBLE, edge), err),
                     err);
}

/* rec.maxx >= west, rec.minx <= east, and so on. The scalar columns are preferred: their statistics
   prune row groups and pages. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    static const char *const names[4] = {"bbox_maxx", "bbox_maxy", "bbox_minx", "bbox_miny"};
    taco__rasteret_filter_box *b =
        (taco__rasteret_filter_box *)taco__arena_alloc(arena, sizeof *b, err);
    taco__custom_predicate custom;
    taco__expr *e = NULL, *x;
    size_t c, i;
    if (!b) { return NULL; }
    memcpy(b->edge, f->bbox, sizeof b->edge);
    if (!(b->edge[0] <= b->edge[2] && b->edge[1] <= b->edge[3])) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid box: west and south must not exceed east and north");
        return NULL;
    }
    for (i = 0; i < 4; i++) {
        c = taco__table_find_column(t, names[i]);
        if (c == SIZE_MAX || t->fields[c].type != TACO_DOUBLE) { break; }
        x = taco__rasteret_filter_compare_edge(arena, t, names[i],
                                               i < 2 ? TACO__OP_GE : TACO__OP_LE, b->edge[i], err);
        e = x ? taco__expr_and(arena, e, x, err) : NULL;
        if (!e) { return NULL; }
    }
    if (i == 4) { return e; }
    memset(&custom, 0, sizeof custom);
    custom.ctx = b;
    c = taco__table_find_column(t, "bbox");
    if (c != SIZE_MAX && taco__contract_find_bbox(&t->fields[c], b->at)) {
        custom.eval = taco__rasteret_filter_bbox_struct;
        return taco__rasteret_filter_may_match(t, c, b)
                   ? taco__expr_custom(arena, c, &custom, err)
                   : taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    c = taco__table_find_column(t, "scene_bbox");
    if (c != SIZE_MAX && taco__contract_is_bbox_list(&t->fields[c])) {
        custom.eval = taco__rasteret_filter_bbox_list;
        return taco__expr_custom(arena, c, &custom, err);
    }
    return taco__expr_const(arena, taco__expr_bool_value(0),
                            err); /* a file without boxes: all null */
}

TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    int64_t day = 0, last = 0, from = 0, to = 0, unit = 1;
    size_t c = taco__table_find_column(t, f->time_column ? f->time_column : "datetime");
    if (taco__time_parse_range(f->time, &day, &last, &from, &to, err) != TACO_OK) { return NULL; }
    if (c == SIZE_MAX) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the collection has no datetime column");
        return NULL;
    }
    if (t->fields[c].type == TACO_NULL) {
        return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    if (t->fields[c].type != TACO_TIMESTAMP) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the collection's datetime column is not a timestamp");
        return NULL;
    }
    if (from > to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid time range: its end is before its start");
        return NULL;
    }
    if (!strchr(f->time, '/') && from == day * 86400000000LL && to == from) {
        to += 86400000000LL - 1;
    }
    if (t->fields[c].unit == TACO_NANO) {
        to = to > INT64_MAX / 1000 - 1 ? INT64_MAX - 1
                                       : to * 1000 + 999 * (strchr(f->time, '/') == NULL);
    } else {
        unit = t->fields[c].unit == TACO_MILLI    ? 1000
               : t->fields[c].unit == TACO_SECOND ? 1000000
                                                  : 1;
        to = taco__time_floor_div(to, unit);
    }
    return taco__expr_range_i64(arena, c, taco__query_time_in_unit(from, t->fields[c].unit), true,
                                to + 1, true, err);
}
/* ==== src/rasteret/enrich.c ==== */
/* enrich.c - headers of assets into columns. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */
/* #include "../write/write.h" */

/* Fields of a {band}_metadata column, in the contract's order. */
TACO__FN void taco__enrich_init_fields(taco_field out[TACO__ENRICH_FIELDS], const taco_field *f64,
                                       const taco_field *i64, const taco_field *i32)
{
    static const char *const names[TACO__ENRICH_FIELDS] = {
        "image_width", "image_height", "tile_width",  "tile_height",       "dtype",
        "transform",   "predictor",    "compression", "tile_offsets",      "tile_byte_counts",
        "pixel_scale", "tiepoint",     "nodata",      "samples_per_pixel", "planar_configuration",
        "photometric", "extra_samples"};
    size_t i;
    for (i = 0; i < TACO__ENRICH_FIELDS; i++) {
        switch (i) {
        case 4: out[i] = taco__field_make(names[i], TACO_TEXT); break;
        case 12: out[i] = taco__field_make(names[i], TACO_DOUBLE); break;
        case 5:
        case 10:
        case 11: out[i] = taco__field_make_nested(names[i], TACO_LIST, f64, 1); break;
        case 8:
        case 9: out[i] = taco__field_make_nested(names[i], TACO_LIST, i64, 1); break;
        case 16: out[i] = taco__field_make_nested(names[i], TACO_LIST, i32, 1); break;
        default: out[i] = taco__field_make(names[i], TACO_INT32); break;
        }
    }
}

/* Tables of one band as a list; add is where the file begins in the one that the asset names. */
static bool taco__enrich_append_table(taco__array_builder *c, const uint64_t *v, size_t n,
                                      uint64_t add, taco_error *err)
{
    uint64_t *to = (uint64_t *)(void *)taco__array_builder_append_unset(&c->children[0], n, err);
    size_t i;
    for (i = 0; to && i < n; i++) {
        if (!taco__checked_add64(v[i], add, &to[i]) || to[i] > INT64_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "tile at byte %u", v[i]);
            return false;
        }
    }
    return to && taco__array_builder_end_row(c, true, err);
}

static bool taco__enrich_append_optional(taco__array_builder *c, bool there, uint32_t x,
                                         taco_error *err)
{
    return there && x <= INT32_MAX ? taco__array_builder_append_int(c, (int64_t)x, err)
                                   : taco__array_builder_append_null(c, err);
}

/* A row of a {band}_metadata column. */
static bool taco__enrich_append_row(taco__array_builder *c, const taco_tiff *t, size_t first,
                                    size_t n, uint64_t add, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    taco__array_builder *k = c->children;
    size_t i;
    bool ok =
        taco__array_builder_append_int(&k[0], h->image_width, err) &&
        taco__array_builder_append_int(&k[1], h->image_height, err) &&
        taco__array_builder_append_int(&k[2], h->tile_width, err) &&
        taco__array_builder_append_int(&k[3], h->tile_height, err) &&
        taco__array_builder_append_text(&k[4], h->dtype, err) &&
        taco__array_builder_append_doubles(&k[5], h->transform, 4, err) &&
        taco__enrich_append_optional(&k[6], true, h->predictor, err) &&
        taco__enrich_append_optional(&k[7], true, h->compression, err) &&
        taco__enrich_append_table(&k[8], h->tile_offsets + first, n, add, err) &&
        taco__enrich_append_table(&k[9], h->tile_byte_counts + first, n, 0, err) &&
        taco__array_builder_append_doubles(&k[10], h->has_scale ? h->pixel_scale : NULL, 3, err) &&
        taco__array_builder_append_doubles(&k[11], h->tiepoints, h->tiepoint_count, err) &&
        (h->has_nodata ? taco__array_builder_append_double(&k[12], h->nodata, err)
                       : taco__array_builder_append_null(&k[12], err)) &&
        taco__enrich_append_optional(&k[13], true, h->samples_per_pixel, err) &&
        taco__enrich_append_optional(&k[14], true, h->planar_configuration, err) &&
        taco__enrich_append_optional(&k[15], h->has_photometric, h->photometric, err);
    for (i = 0; ok && h->extra_samples && i < h->extra_sample_count; i++) {
        ok = taco__array_builder_append_int(&k[16].children[0], (int64_t)h->extra_samples[i], err);
    }
    return ok && taco__array_builder_end_row(&k[16], h->extra_sample_count != 0, err) &&
           taco__array_builder_end_row(c, true, err);
}

/* a range of a source */
typedef struct taco__enrich_window {
    taco_source src;
    uint64_t offset;
} taco__enrich_window;

static bool taco__enrich_window_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__enrich_window *w = (const taco__enrich_window *)ctx;
    return w->src.read(w->src.ctx, w->offset + offset, dst, len);
}

TACO__FN void taco__enrich_parse_asset(void *arg, size_t i)
{
    taco__enrich *e = (taco__enrich *)arg;
    taco__enrich_asset *a = &e->assets[i];
    taco__enrich_window w;
    taco_source src;
    taco_options o = *e->options;
    memset(&w, 0, sizeof w);
    if (!taco__source_open_path(&o, a->path, &w.src, &a->err)) { return; }
    src = w.src;
    src.close = NULL;
    if (a->offset || a->size) {
        w.offset = a->offset;
        src.ctx = &w;
        src.read = taco__enrich_window_read;
        src.view = NULL;
        src.read_many = NULL;
        src.size = a->size;
        if (!taco__checked_range(a->offset, a->size, w.src.size)) {
            TACO__FAIL(&a->err, TACO_ERR_TRUNCATED, a->offset,
                       "the sub-file of %u bytes reaches over the end at %u", a->size, w.src.size);
        }
    }
    if (a->err.code == TACO_OK) { a->tiff = taco_tiff_open(&src, a->path, &o, &a->err); }
    if (a->tiff && taco_tiff_tiles_ok(a->tiff, &a->err) != TACO_OK) {
        taco_tiff_close(a->tiff);
        a->tiff = NULL;
    }
    if (w.src.close) { w.src.close(w.src.ctx); }
}

/* The file, offset and size of /vsisubfile/{offset}_{size},{path}. False when href is none. */
TACO__FN bool taco__enrich_parse_subfile(taco_bytes href, taco_bytes *path, uint64_t *offset,
                                         uint64_t *size)
{
    static const char prefix[] = "/vsisubfile/";
    size_t from = sizeof prefix - 1, low, comma;
    if (!taco__bytes_starts_with(href, prefix)) { return false; }
    for (low = from; low < href.len && href.data[low] != '_'; low++) {}
    for (comma = low; comma < href.len && href.data[comma] != ','; comma++) {}
    if (comma == href.len ||
        !taco__num_parse_u64(taco__bytes_of(href.data + from, low - from), offset) ||
        !taco__num_parse_u64(taco__bytes_of(href.data + low + 1, comma - low - 1), size)) {
        return false;
    }
    *path = taco__bytes_of(href.data + comma + 1, href.len - comma - 1);
    return true;
}

/* What is opened for an href: relative ones stand behind the base. */
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err)
{
    taco_bytes path = a->href;
    size_t n = strlen(e->base);
    char *text;
    (void)taco__enrich_parse_subfile(a->href, &path, &a->offset, &a->size);
    if (path.len > 7 && taco__bytes_starts_with(path, "file://")) {
        path = taco__bytes_of(path.data + 7, path.len - 7);
    }
    if (n == 0 || path.len == 0 || path.data[0] == '/' || taco__vsi_is_remote(path)) { n = 0; }
    text = (char *)taco__arena_alloc(&e->arena, n + path.len + 1, err);
    if (text) {
        memcpy(text, e->base, n);
        if (path.len) { memcpy(text + n, path.data, path.len); }
    }
    a->path = text;
    return text != NULL;
}

static int taco__enrich_compare_assets(const void *a, const void *b)
{
    return taco__bytes_compare(((const taco__enrich_asset *)a)->href,
                               ((const taco__enrich_asset *)b)->href);
}

/* The child of a struct array by its name, and the field's place; NULL when there is none. */
static const taco_array *taco__enrich_find_child(const taco_array *a, const char *name)
{
    uint32_t i;
    for (i = 0; a->field->type == TACO_STRUCT && i < a->field->child_count; i++) {
        if (strcmp(a->field->children[i].name, name) == 0) { return &a->children[i]; }
    }
    return NULL;
}

/* href and band_index of one asset; an asset that is text is its href. False without one. */
TACO__FN bool taco__enrich_read_asset(const taco_array *asset, size_t row, taco_bytes *href,
                                      int64_t *index)
{
    const taco_array *h = asset, *b;
    *index = 0;
    if (!taco_array_valid(asset, row)) { return false; }
    if (asset->field->type == TACO_STRUCT) {
        h = taco__enrich_find_child(asset, "href");
        b = taco__enrich_find_child(asset, "band_index");
        if (b && taco_array_valid(b, row)) { *index = taco_array_int(b, row); }
    }
    if (!h || h->field->type != TACO_TEXT) { return false; }
    *href = taco_array_bytes(h, row);
    return href->len != 0;
}

/* Sorts the n files, drops those that occur again, and points the refs, the i-th at the i-th so
   far, to what is left. */
static bool taco__enrich_merge_assets(taco__enrich *e, size_t n, taco_error *err)
{
    taco__enrich_asset *list = e->assets, *hit, key;
    taco_bytes *names = (taco_bytes *)taco__arena_array(&e->arena, n + 1, sizeof *names, err);
    size_t i;
    for (i = 0; names && i < n; i++) {
        names[i] = list[i].href;
    }
    if (names && n > 1) { qsort(list, n, sizeof *list, taco__enrich_compare_assets); }
    for (i = 0; names && i < n; i++) {
        if (e->asset_count == 0 ||
            !taco__bytes_equal(list[e->asset_count - 1].href, list[i].href)) {
            list[e->asset_count++] = list[i];
        }
    }
    memset(&key, 0, sizeof key);
    for (i = 0; names && i < n; i++) {
        key.href = names[i];
        hit = (taco__enrich_asset *)bsearch(&key, list, e->asset_count, sizeof *list,
                                            taco__enrich_compare_assets);
        e->refs[i].asset = hit ? (size_t)(hit - list) : 0;
    }
    return names != NULL;
}

/* The assets of a batch, each file once, and what rows want of them. bands[i] is a child of the
   assets column. */
TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err)
{
    size_t most, row, b, i, n = 0;
    taco__enrich_asset *list;
    e->asset_count = e->ref_count = 0;
    if (!taco__checked_mul_size(rows, band_count, &most)) { most = SIZE_MAX / sizeof *list; }
    list = (taco__enrich_asset *)taco__arena_array(&e->arena, most + 1, sizeof *list, err);
    e->refs = (taco__enrich_ref *)taco__arena_array(&e->arena, most + 1, sizeof *e->refs, err);
    e->assets = list;
    if (!list || !e->refs) { return false; }
    for (row = 0; row < rows; row++) {
        for (b = 0; b < band_count && taco_array_valid(assets, row); b++) {
            taco__enrich_ref *r = &e->refs[e->ref_count];
            if (taco__enrich_read_asset(&assets->children[bands[b]], row, &list[n].href,
                                        &r->index)) {
                r->row = row;
                r->band = b;
                r->asset = n++;
                e->ref_count++;
            }
        }
    }
    if (!taco__enrich_merge_assets(e, n, err)) { return false; }
    for (i = 0; i < e->asset_count; i++) {
        if (!taco__enrich_resolve_href(e, &list[i], err)) { return false; }
    }
    return true;
}

TACO__FN void taco__enrich_run(taco__enrich *e)
{
    size_t i;
    if (e->options->parallel_for && e->asset_count > 1) {
        e->options->parallel_for(e->options->parallel_ctx, e->asset_count, taco__enrich_parse_asset,
                                 e);
    } else {
        for (i = 0; i < e->asset_count; i++) {
            taco__enrich_parse_asset(e, i);
        }
    }
    for (i = 0; i < e->asset_count; i++) {
        taco__enrich_asset *a = &e->assets[i];
        e->tried++;
        e->parsed += a->tiff != NULL;
        if (!a->tiff && e->options->warn) {
            taco__error_prefix(&a->err, "asset %q", &a->href);
            e->options->warn(e->options->warn_ctx, &a->err);
        }
    }
}

TACO__FN void taco__enrich_free(taco__enrich *e)
{
    size_t i;
    for (i = 0; i < e->asset_count; i++) {
        taco_tiff_close(e->assets[i].tiff);
    }
    e->asset_count = e->ref_count = 0;
    taco__arena_free(&e->arena);
}

/* Fills one column for each band, and codes[row] with the CRS of each record, 0 where no asset says
   one. */
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err)
{
    size_t b, i, row;
    memset(codes, 0, rows * sizeof *codes);
    for (b = 0; b < band_count; b++) {
        row = 0;
        for (i = 0; i < e->ref_count; i++) {
            const taco__enrich_ref *r = &e->refs[i];
            const taco_tiff *t = e->assets[r->asset].tiff;
            size_t first = 0, n = 0;
            taco_error bad;
            int32_t code;
            if (r->band != b || !t) { continue; }
            memset(&bad, 0, sizeof bad);
            if (taco_tiff_band(t, r->index, &first, &n, &bad) != TACO_OK ||
                taco_tiff_get(t)->tile_byte_count_count != taco_tiff_get(t)->tile_offset_count) {
                if (e->options->warn) {
                    TACO__FAIL(&bad, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                               "%u tile offsets, %u byte counts",
                               TACO__U(taco_tiff_get(t)->tile_offset_count),
                               TACO__U(taco_tiff_get(t)->tile_byte_count_count));
                    e->options->warn(e->options->warn_ctx, &bad);
                }
                continue;
            }
            for (; row < r->row; row++) {
                if (!taco__array_builder_append_null(&columns[b], err)) { return false; }
            }
            row++;
            code = taco_tiff_get(t)->epsg;
            if (code && codes[r->row] && codes[r->row] != code) {
                taco_bytes id = taco_array_bytes(ids, r->row);
                TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                           "the assets of record %q have different CRSs (EPSG %d and %d)", &id,
                           TACO__D(codes[r->row]), TACO__D(code));
                return false;
            }
            codes[r->row] = code ? code : codes[r->row];
            if (!taco__enrich_append_row(&columns[b], t, first, n, e->assets[r->asset].offset,
                                         err)) {
                return false;
            }
        }
        for (; row < rows; row++) {
            if (!taco__array_builder_append_null(&columns[b], err)) { return false; }
        }
    }
    return true;
}
/* ==== src/rasteret/build.c ==== */
/* build.c - collections out, and to and from TACO. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */
/* #include "../write/write.h" */

#define TACO__BUILD_BATCH_ROWS 128 /* of a batch with headers, which are held together */

/* ---- the source
   ---------------------------------------------------------------------------------- */

/* A Parquet file is read as it stands, whatever it holds; a directory must be a collection. */
static bool taco__build_open_source(taco__build *b, const char *source, const taco_source *src,
                                    taco_error *err)
{
    uint64_t size;
    taco_query q;
    taco_pq_query pq;
    if (!src && taco__plat_stat(source, &size) == TACO__PATH_DIRECTORY) {
        b->options.openers = taco__rasteret_openers();
        memset(&q, 0, sizeof q);
        b->ds = taco_open(source, &b->options, err);
        b->cursor = b->ds ? taco_select(b->ds, &q, err) : NULL;
        b->in = b->cursor ? taco_cursor_fields(b->cursor, &b->in_count) : NULL;
        return b->in != NULL;
    }
    memset(&pq, 0, sizeof pq);
    pq.batch_rows = b->opt->enrich ? TACO__BUILD_BATCH_ROWS : 0;
    b->pq = src ? taco_pq_open_source(src, source, &b->options, err)
                : taco_pq_open(source, &b->options, err);
    b->reader = b->pq ? taco_pq_read(b->pq, &pq, err) : NULL;
    b->in = b->reader ? taco_pq_reader_fields(b->reader, &b->in_count) : NULL;
    return b->in != NULL;
}

static bool taco__build_next_batch(taco__build *b, taco_batch *out)
{
    return b->cursor ? taco_cursor_batch(b->cursor, out) : taco_pq_reader_next(b->reader, out);
}

static taco_bytes taco__build_source_key_value(const taco__build *b, const char *key)
{
    return taco_pq_key_value(b->ds ? &b->ds->stores[0].levels[0].pq : b->pq, key);
}

/* ---- files
   --------------------------------------------------------------------------------------- */

static void taco__build_read_column(taco__build *b, size_t i, const taco_batch *in, taco_array *out)
{
    taco__build_column *c = &b->columns[i];
    if (c->what == TACO__BUILD_SOURCE) {
        *out = in->columns[c->source];
    } else {
        taco__array_builder_view(&c->made, out);
    }
    out->field = &c->field;
}

/* name=value of a partition, escaped as Arrow does it. */
static bool taco__build_append_key(taco__buf *t, const taco_array *a, size_t row, taco_error *err)
{
    taco_bytes v;
    char text[24];
    size_t i;
    if (t->len && !taco__buf_append_char(t, '/', err)) { return false; }
    if (!taco__buf_append_text(t, a->field->name, err) || !taco__buf_append_char(t, '=', err)) {
        return false;
    }
    if (!taco_array_valid(a, row)) { return taco__buf_append_text(t, TACO__HIVE_NULL_NAME, err); }
    v = a->field->type == TACO_TEXT
            ? taco_array_bytes(a, row)
            : taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(a, row)));
    for (i = 0; i < v.len; i++) {
        uint8_t c = v.data[i];
        bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        char escape[3];
        escape[0] = '%';
        escape[1] = "0123456789ABCDEF"[c >> 4];
        escape[2] = "0123456789ABCDEF"[c & 15];
        if (!taco__buf_append(t, plain ? (const void *)&c : escape, plain ? 1 : 3, err)) {
            return false;
        }
    }
    return true;
}

/* Key-value entries of every file; `geo` is the writer's. */
static bool taco__build_file_key_values(taco__build *b, const char *source, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    const char *asked[4];
    static const char *const names[4] = {"description", "name", "data_source", "created"};
    taco_bytes dates = taco__build_source_key_value(b, "date_range");
    size_t i;
    asked[0] = o->description;
    asked[1] = o->name;
    asked[2] = o->data_source;
    asked[3] = o->created;
    for (i = 0; i < 4; i++) {
        taco_bytes v =
            asked[i] ? taco__bytes_text(asked[i]) : taco__build_source_key_value(b, names[i]);
        if (i == 1 && !v.len) { v = taco__rasteret_info_default_name(source); }
        if (i == 3 && !v.len) { continue; }
        b->keys[b->key_count].key = names[i];
        b->keys[b->key_count++].value = taco__arena_text(&b->arena, v, err);
    }
    if (o->start_date && o->end_date) {
        b->text.len = 0;
        if (!taco__buf_append_text(&b->text, o->start_date, err) ||
            !taco__buf_append_char(&b->text, ',', err) ||
            !taco__buf_append_text(&b->text, o->end_date, err)) {
            return false;
        }
        dates = taco__bytes_of(b->text.data, b->text.len);
    }
    b->keys[b->key_count].key = "date_range";
    b->keys[b->key_count++].value = taco__arena_text(&b->arena, dates, err);
    b->keys[b->key_count].key = "rasteret_collection_version";
    b->keys[b->key_count++].value = "1";
    for (i = 0; i < b->key_count; i++) {
        if (!b->keys[i].value) { return false; }
    }
    return true;
}

#ifndef TACO_NO_STDIO
static bool taco__build_open_sink(taco__build *b, const char *path, taco_sink *out, taco_error *err)
{
    return taco_sink_file(out, path, &b->options, err) == TACO_OK;
}

static bool taco__build_make_dir(const char *path, taco_error *err)
{
    return taco__dir_make(path, err);
}
#else
static bool taco__build_open_sink(taco__build *b, const char *path, taco_sink *out, taco_error *err)
{
    (void)b;
    (void)out;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}

static bool taco__build_make_dir(const char *path, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}
#endif

static bool taco__build_open_writer(taco__build *b, taco__build_part *p, const char *path,
                                    taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_geometry g;
    taco_sink sink;
    memset(&w, 0, sizeof w);
    memset(&g, 0, sizeof g);
    g.column = "geometry";
    g.covering = "bbox";
    w.options = &b->options;
    w.codec = TACO_CODEC_ZSTD;
    w.level = 3;
    w.row_group_rows = 50000;
    w.keys = b->keys;
    w.key_count = b->key_count;
    w.geometries = &g;
    w.geometry_count = 1;
    if (!taco__build_open_sink(b, path, &sink, err)) { return false; }
    p->writer = taco_pq_write(&sink, b->out, b->out_count, &w, err);
    return p->writer != NULL;
}

/* Makes the directories of a partition, one below the other, and opens its file. */
static taco__build_part *taco__build_open_part(taco__build *b, const char *key, taco_error *err)
{
    taco__build_part *p = &b->parts[b->part_count];
    size_t i, n = strlen(b->target);
    if (b->part_count == TACO__BUILD_MAX_PARTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than %u partitions: partition by fewer columns, or none",
                   TACO__U(TACO__BUILD_MAX_PARTS));
        return NULL;
    }
    p->key = taco__arena_text(&b->arena, taco__bytes_text(key), err);
    b->text.len = 0;
    if (!p->key || !taco__buf_append(&b->text, b->target, n, err)) { return NULL; }
    if (!b->opt->single) {
        for (i = 0;; i++) {
            bool last = p->key[i] == 0;
            if (last || p->key[i] == '/' || i == 0) {
                size_t len = b->text.len;
                if (!taco__buf_append_char(&b->text, 0, err) ||
                    !taco__build_make_dir((const char *)b->text.data, err)) {
                    return NULL;
                }
                b->text.len = len;
            }
            if (last) { break; }
            if ((i == 0 && !taco__buf_append_char(&b->text, '/', err)) ||
                !taco__buf_append_char(&b->text, p->key[i], err)) {
                return NULL;
            }
        }
        if (!taco__buf_append_text(&b->text, "/part-0.parquet", err)) { return NULL; }
    }
    if (!taco__buf_append_char(&b->text, 0, err) ||
        !taco__build_open_writer(b, p, (const char *)b->text.data, err)) {
        return NULL;
    }
    b->part_count++;
    return p;
}

/* The partition of every row of a batch, as uint32 in part_of. */
static bool taco__build_assign_parts(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *keys =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count, sizeof *keys, err);
    taco__buf key;
    size_t n = 0, i, k, row, last = SIZE_MAX;
    bool ok = keys != NULL;
    memset(&key, 0, sizeof key);
    key.mem = &b->mem;
    for (i = 0; ok && i < b->count; i++) {
        if (b->columns[i].key) { taco__build_read_column(b, i, in, &keys[n++]); }
    }
    ok = ok && taco__buf_reset(&b->index, (in->length + 1) * sizeof(int32_t), err) &&
         taco__buf_reset(&b->part_of, (in->length + 1) * sizeof(uint32_t), err);
    for (row = 0; ok && row < in->length; row++) {
        uint32_t part;
        key.len = 0;
        for (k = 0; ok && k < n; k++) {
            ok = taco__build_append_key(&key, &keys[k], row, err);
        }
        ok = ok && taco__buf_append_char(&key, 0, err);
        if (ok && (last == SIZE_MAX || strcmp(b->parts[last].key, (const char *)key.data) != 0)) {
            for (last = 0;
                 last < b->part_count && strcmp(b->parts[last].key, (const char *)key.data) != 0;
                 last++) {}
            ok = last < b->part_count || taco__build_open_part(b, (const char *)key.data, err);
        }
        part = (uint32_t)last;
        ok = ok && taco__buf_append(&b->part_of, &part, sizeof part, err);
    }
    taco__buf_free(&key);
    return ok;
}

static bool taco__build_write_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *all =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count + 1, sizeof *all, err);
    const uint32_t *part_of;
    int32_t *index;
    size_t p, i, k, n, row;
    taco_batch out;
    if (!all || !taco__build_assign_parts(b, in, err)) { return false; }
    part_of = (const uint32_t *)(const void *)b->part_of.data;
    index = (int32_t *)(void *)b->index.data;
    for (p = 0; p < b->part_count; p++) {
        for (row = n = 0; row < in->length; row++) {
            if (part_of[row] == p) { index[n++] = (int32_t)row; }
        }
        for (i = k = 0; n && i < b->count; i++) {
            taco_array whole;
            if (b->columns[i].key) { continue; }
            taco__build_read_column(b, i, in, &whole);
            if (n < in->length) {
                if (!taco__take_array(&b->columns[i].taken, &whole, index, n, err)) {
                    return false;
                }
                whole = b->columns[i].taken.array;
            }
            all[k++] = whole;
        }
        memset(&out, 0, sizeof out);
        out.first_row = -1;
        out.length = n;
        out.columns = all;
        out.column_count = k;
        if (n && taco_pq_writer_batch(b->parts[p].writer, &out) != TACO_OK) {
            taco_pq_writer_close(b->parts[p].writer, err);
            b->parts[p].writer = NULL;
            return false;
        }
    }
    return true;
}

/* Rows [at, at + n) of the columns of the source, through buffers of their own. */
static bool taco__build_slice_columns(taco__build *b, taco_array *columns, size_t at, size_t n,
                                      taco_error *err)
{
    size_t i;
    int32_t *index;
    if (!b->cuts) {
        b->cuts =
            (taco__array_buf *)taco__arena_array(&b->arena, b->in_count, sizeof *b->cuts, err);
        for (i = 0; b->cuts && i < b->in_count; i++) {
            if (!taco__array_buf_init(&b->cuts[i], &b->in[i], &b->mem, &b->arena, err)) {
                return false;
            }
        }
    }
    if (!b->cuts || !taco__buf_reset(&b->index, (n + 1) * sizeof *index, err)) { return false; }
    index = (int32_t *)(void *)b->index.data;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(at + i);
    }
    for (i = 0; i < b->in_count; i++) {
        if (!taco__take_array(&b->cuts[i], &columns[i], index, n, err)) { return false; }
        columns[i] = b->cuts[i].array;
    }
    return true;
}

static bool taco__build_run(taco__build *b, taco_error *err)
{
    taco_batch in;
    size_t at, i;
    while (taco__build_next_batch(
        b, &in)) { /* a cursor's batches are larger than what is parsed together */
        size_t step = b->band_count ? TACO__BUILD_BATCH_ROWS : in.length;
        for (at = 0; at < in.length; at += step) {
            taco_batch part = in;
            if (in.length > step) {
                taco_array *cut = (taco_array *)taco__arena_array(&b->enrich.arena, b->in_count,
                                                                  sizeof *cut, err);
                part.length = TACO__MIN(step, in.length - at);
                for (i = 0; cut && i < b->in_count; i++) {
                    cut[i] = in.columns[i];
                }
                if (!cut || !taco__build_slice_columns(b, cut, at, part.length, err)) {
                    return false;
                }
                part.columns = cut;
            }
            if (!taco__build_values_make_batch(b, &part, err) ||
                !taco__build_write_batch(b, &part, err)) {
                return false;
            }
            b->rows += part.length;
            taco__arena_free(&b->enrich.arena);
        }
    }
    if ((b->cursor ? taco_cursor_close(b->cursor, err) : taco_pq_reader_close(b->reader, err)) !=
        TACO_OK) {
        b->cursor = NULL;
        b->reader = NULL;
        return false;
    }
    b->cursor = NULL;
    b->reader = NULL;
    if (b->enrich.tried && !b->enrich.parsed) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "none of the headers of %u assets could be read", b->enrich.tried);
        return false;
    }
    if (b->part_count == 0 && b->opt->single && !taco__build_open_part(b, "", err)) {
        return false; /* a collection of no records is a file of none */
    }
    for (i = 0; i < b->part_count; i++) {
        taco_pq_writer *w = b->parts[i].writer;
        b->parts[i].writer = NULL;
        if (taco_pq_writer_close(w, err) != TACO_OK) { return false; }
    }
    return true;
}

static void taco__build_free(taco__build *b)
{
    size_t i;
    for (i = 0; i < b->part_count; i++) {
        if (b->parts[i].writer) { taco_pq_writer_abort(b->parts[i].writer); }
    }
    if (b->part_count < TACO__BUILD_MAX_PARTS && b->parts[b->part_count].writer) {
        taco_pq_writer_abort(b->parts[b->part_count].writer);
    }
    for (i = 0; i < b->count; i++) {
        taco__array_builder_free(&b->columns[i].made);
        taco__array_buf_free(&b->columns[i].taken);
    }
    for (i = 0; b->cuts && i < b->in_count; i++) {
        taco__array_buf_free(&b->cuts[i]);
    }
    taco_cursor_close(b->cursor, NULL);
    taco_close(b->ds);
    taco_pq_reader_close(b->reader, NULL);
    taco_pq_close(b->pq);
    taco__buf_free(&b->text);
    taco__buf_free(&b->part_of);
    taco__buf_free(&b->index);
    taco__buf_free(&b->codes);
    taco__arena_free(&b->enrich.arena);
    taco__arena_free(&b->arena);
}

/* Builds from what stands at source, or from the Parquet file src, which stays the caller's. */
TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err)
{
    taco__mem mem;
    taco__build *b;
    taco_error own;
    memset(&own, 0, sizeof own);
    taco__mem_init(&mem, opt->options);
    b = (taco__build *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return TACO_ERR_MEMORY; }
    b->mem = mem;
    b->opt = opt;
    b->plain = src != NULL;
    b->target = target;
    taco__options_init(&b->options, opt->options);
    b->arena.mem = b->text.mem = b->part_of.mem = b->index.mem = b->codes.mem = &b->mem;
    b->enrich.mem = b->enrich.arena.mem = &b->mem;
    b->enrich.options = &b->options;
    b->enrich.base = opt->base ? opt->base : "";
    if (taco__build_open_source(b, source, src, &own) && taco__build_columns_plan(b, &own) &&
        taco__build_file_key_values(b, source, &own)) {
        (void)taco__build_run(b, &own);
    }
    if (own.code != TACO_OK && !strstr(own.text, source)) {
        taco__error_prefix(&own, "%s", source);
    }
    taco__build_free(b);
    mem = b->mem;
    taco__mem_free(&mem, b, sizeof *b);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

TACO_API taco_status taco_rasteret_build(const char *source, const char *target,
                                         const taco_rasteret_options *opt, taco_error *err)
{
    taco_rasteret_options usual;
    memset(&usual, 0, sizeof usual);
    if (!source || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          source ? "target" : "source");
    }
    return taco__build_collection(source, NULL, target, opt ? opt : &usual, err);
}
/* ==== src/rasteret/build_columns.c ==== */
/* build_columns.c - collections out, and to and from TACO. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../write/write.h" */

/* Column of the source that is, or is renamed to, name. */
static size_t taco__build_columns_find_source(const taco__build *b, const char *name)
{
    size_t i, k;
    for (i = 0; i < b->in_count; i++) {
        if (strcmp(b->in[i].name, name) == 0) { return i; }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        for (i = 0; strcmp(b->opt->rename[k].to, name) == 0 && i < b->in_count; i++) {
            if (strcmp(b->in[i].name, b->opt->rename[k].from) == 0) { return i; }
        }
    }
    return SIZE_MAX;
}

/* ---- the columns
   --------------------------------------------------------------------------------- */

static bool taco__build_columns_is_integer(const taco__build *b, size_t c)
{
    return c != SIZE_MAX && b->in[c].type >= TACO_INT8 && b->in[c].type <= TACO_UINT64;
}

/* Adds a column, or takes the place of the one with that name. */
static taco__build_column *taco__build_columns_add(taco__build *b, const taco_field *f,
                                                   taco__build_column_kind what, size_t source)
{
    taco__build_column *c;
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, f->name) != 0; i++) {}
    c = &b->columns[i];
    b->count += i == b->count;
    memset(c, 0, sizeof *c);
    c->field = *f;
    c->field.nullable = true;
    c->what = what;
    c->source = source;
    return c;
}

static bool taco__build_columns_has(const taco__build *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, name) != 0; i++) {}
    return i < b->count;
}

static void taco__build_columns_add_plain(taco__build *b, const char *name, taco_type type,
                                          taco__build_column_kind what, size_t band)
{
    taco_field f = taco__field_make(name, type);
    taco__build_columns_add(b, &f, what, SIZE_MAX)->band = band;
}

/* Columns of the source, under their own names and those they are renamed to. */
static bool taco__build_columns_add_sources(taco__build *b, taco_error *err)
{
    size_t i, k;
    for (i = 0; i < b->in_count; i++) {
        if (!taco__bytes_starts_with(taco__bytes_text(b->in[i].name), "internal:")) {
            taco__build_columns_add(b, &b->in[i], TACO__BUILD_SOURCE, i);
        }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        taco_bytes name = taco__bytes_text(b->opt->rename[k].from);
        taco_field f;
        i = taco__build_columns_find_source(b, b->opt->rename[k].from);
        if (i == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q to rename", &name);
            return false;
        }
        f = b->in[i];
        f.name = b->opt->rename[k].to;
        taco__build_columns_add(b, &f, TACO__BUILD_SOURCE, i);
    }
    b->id = taco__build_columns_find_source(b, "id");
    b->datetime = taco__build_columns_find_source(b, "datetime");
    b->geometry = taco__build_columns_find_source(b, "geometry");
    b->assets = taco__build_columns_find_source(b, "assets");
    b->code = taco__build_columns_find_source(b, "proj:code");
    b->epsg = taco__build_columns_find_source(b, "proj:epsg");
    b->crs = taco__build_columns_find_source(b, "crs");
    return true;
}

/* assets of href_column and bands, where there are none. */
static bool taco__build_columns_add_assets(taco__build *b, taco_error *err)
{
    taco_field f;
    size_t i;
    if (b->assets != SIZE_MAX || !b->opt->href_column) { return true; }
    b->href = taco__build_columns_find_source(b, b->opt->href_column);
    if (b->href == SIZE_MAX || b->in[b->href].type != TACO_TEXT || b->opt->band_count == 0) {
        taco_bytes name = taco__bytes_text(b->opt->href_column);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   b->href == SIZE_MAX ? "no column %q for the hrefs of assets"
                                       : "column %q is not text, or no band is named for it",
                   &name);
        return false;
    }
    b->asset[0] = taco__field_make("href", TACO_TEXT);
    b->asset[1] = taco__field_make("band_index", TACO_INT64);
    b->asset_bands =
        (taco_field *)taco__arena_array(&b->arena, b->opt->band_count, sizeof *b->asset_bands, err);
    for (i = 0; b->asset_bands && i < b->opt->band_count; i++) {
        b->asset_bands[i] =
            taco__field_make_nested(b->opt->bands[i].name, TACO_STRUCT, b->asset, 2);
    }
    f = taco__field_make_nested("assets", TACO_STRUCT, b->asset_bands,
                                (uint32_t)b->opt->band_count);
    taco__build_columns_add(b, &f, TACO__BUILD_ASSETS, SIZE_MAX);
    return b->asset_bands != NULL;
}

/* A metadata column for each band of the assets, or of those that opt names. */
static bool taco__build_columns_add_bands(taco__build *b, taco_error *err)
{
    const taco_field *assets = NULL;
    uint32_t i;
    size_t k;
    for (k = 0; k < b->count; k++) {
        assets = strcmp(b->columns[k].field.name, "assets") == 0 ? &b->columns[k].field : assets;
    }
    if (!b->opt->enrich || !assets || assets->type != TACO_STRUCT) { return true; }
    b->bands =
        (const char **)taco__arena_array(&b->arena, assets->child_count + 1, sizeof *b->bands, err);
    b->band_at =
        (uint32_t *)taco__arena_array(&b->arena, assets->child_count + 1, sizeof *b->band_at, err);
    for (i = 0; b->bands && b->band_at && i < assets->child_count; i++) {
        bool wanted = b->opt->band_count == 0;
        for (k = 0; k < b->opt->band_count; k++) {
            wanted = wanted || strcmp(b->opt->bands[k].name, assets->children[i].name) == 0;
        }
        if (wanted && b->band_count < TACO__ENRICH_MAX_BANDS) {
            b->bands[b->band_count] = assets->children[i].name;
            b->band_at[b->band_count++] = i;
        }
    }
    for (k = 0; b->bands && b->band_at && k < b->band_count; k++) {
        size_t n = strlen(b->bands[k]);
        char *name = (char *)taco__arena_alloc(&b->arena, n + 10, err);
        taco_field f;
        if (!name) { return false; }
        memcpy(name, b->bands[k], n);
        memcpy(name + n, "_metadata", 9);
        f = taco__field_make_nested(name, TACO_STRUCT, b->meta, TACO__ENRICH_FIELDS);
        taco__build_columns_add(b, &f, TACO__BUILD_BAND, SIZE_MAX)->band = k;
    }
    return b->bands && b->band_at;
}

static bool taco__build_columns_add_bboxes(taco__build *b)
{
    static const char *const scalars[4] = {"bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy"};
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    taco_field f = taco__field_make_nested("scene_bbox", TACO_LIST, b->f64, 1);
    size_t i;
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX_LIST, SIZE_MAX);
    for (i = 0; i < 4; i++) {
        taco__build_columns_add_plain(b, scalars[i], TACO_DOUBLE, TACO__BUILD_BBOX_EDGE, i);
        b->sides[i] = taco__field_make(names[i], TACO_DOUBLE);
    }
    f = taco__field_make_nested("bbox", TACO_STRUCT, b->sides, 4);
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX, SIZE_MAX);
    return true;
}

static bool taco__build_columns_check_required(const taco__build *b, taco_error *err)
{
    bool id = taco__build_columns_has(b, "id"), datetime = taco__build_columns_has(b, "datetime");
    bool geometry = taco__build_columns_has(b, "geometry"),
         assets = taco__build_columns_has(b, "assets");
    if (!id || !datetime || !geometry || !assets) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the table is missing required columns:%s%s%s%s", id ? "" : " id",
                   datetime ? "" : " datetime", geometry ? "" : " geometry",
                   assets ? "" : " assets");
        return false;
    }
    return true;
}

/* Which columns name the partitions, and which are in the files. */
static bool taco__build_columns_mark_keys(taco__build *b, taco_error *err)
{
    static const char *const usual[2] = {"year", "month"};
    const char *const *names = b->opt->partition ? b->opt->partition : usual;
    size_t n = b->opt->single ? 0 : b->opt->partition ? b->opt->partition_count : 2, i, k;
    for (k = 0; k < n; k++) {
        for (i = 0; i < b->count && strcmp(b->columns[i].field.name, names[k]) != 0; i++) {}
        if (i == b->count ||
            (b->columns[i].field.type != TACO_TEXT &&
             !(b->columns[i].field.type >= TACO_INT8 && b->columns[i].field.type <= TACO_UINT64))) {
            taco_bytes name = taco__bytes_text(names[k]);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "no column %q of text or integers to partition by", &name);
            return false;
        }
        b->columns[i].key = true;
    }
    b->out = (taco_field *)taco__arena_array(&b->arena, b->count + 1, sizeof *b->out, err);
    for (i = 0; b->out && i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        if (c->what != TACO__BUILD_SOURCE &&
            !taco__array_builder_init(&c->made, &c->field, &b->mem, &b->arena, err)) {
            return false;
        }
        if (!c->key) { b->out[b->out_count++] = c->field; }
        if (!taco__array_buf_init(&c->taken, &c->field, &b->mem, &b->arena, err)) { return false; }
    }
    return b->out != NULL;
}

TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err)
{
    size_t most = b->in_count + b->opt->rename_count + TACO__ENRICH_MAX_BANDS + 32;
    b->href = SIZE_MAX;
    b->columns = (taco__build_column *)taco__arena_array(&b->arena, most, sizeof *b->columns, err);
    b->f64[0] = taco__field_make("element", TACO_DOUBLE);
    b->i64[0] = taco__field_make("element", TACO_INT64);
    b->i32[0] = taco__field_make("element", TACO_INT32);
    taco__enrich_init_fields(b->meta, b->f64, b->i64, b->i32);
    if (!b->columns || !taco__build_columns_add_sources(b, err) ||
        !taco__build_columns_add_assets(b, err)) {
        return false;
    }
    if (taco__build_columns_is_integer(b, b->id)) {
        taco__build_columns_add_plain(b, "id", TACO_TEXT, TACO__BUILD_ID, 0);
    }
    if (b->datetime != SIZE_MAX && b->in[b->datetime].type != TACO_TIMESTAMP) {
        taco__build_columns_add_plain(b, "datetime", TACO_TIMESTAMP, TACO__BUILD_DATETIME, 0);
    }
    if (!taco__build_columns_check_required(b, err)) { return false; }
    if (b->code != SIZE_MAX || b->epsg != SIZE_MAX || b->crs != SIZE_MAX || b->opt->enrich) {
        taco__build_columns_add_plain(b, "proj:epsg", TACO_INT32, TACO__BUILD_EPSG, 0);
        taco__build_columns_add_plain(b, "crs", TACO_TEXT, TACO__BUILD_CRS, 0);
    }
    if (!taco__build_columns_add_bands(b, err) || !taco__build_columns_add_bboxes(b)) {
        return false;
    }
    if (!taco__build_columns_has(b, "year")) {
        taco__build_columns_add_plain(b, "year", TACO_INT32, TACO__BUILD_YEAR, 0);
    }
    if (!taco__build_columns_has(b, "month")) {
        taco__build_columns_add_plain(b, "month", TACO_INT32, TACO__BUILD_MONTH, 0);
    }
    for (most = 0; most < b->count; most++) {
        if (!taco__contract_check_type(&b->columns[most].field, err)) { return false; }
    }
    return taco__build_columns_mark_keys(b, err);
}
/* ==== src/rasteret/build_values.c ==== */
/* build_values.c - collections out, and to and from TACO. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../write/write.h" */

/* ---- values
   -------------------------------------------------------------------------------------- */

/* A time in microseconds, from a timestamp, a date, a year or text. False: null, or err is set. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err)
{
    int64_t v;
    bool date;
    taco_bytes text;
    if (!taco_array_valid(a, i)) { return false; }
    v = taco_array_int(a, i);
    switch (a->field->type) {
    case TACO_TIMESTAMP:
        *us = a->field->unit == TACO_NANO                          ? taco__time_floor_div(v, 1000)
              : a->field->unit == TACO_MICRO                       ? v
              : v > INT64_MAX / 1000000 || v < INT64_MIN / 1000000 ? 0
              : a->field->unit == TACO_MILLI                       ? v * 1000
                                                                   : v * 1000000;
        return true;
    case TACO_DATE: *us = v * 86400000000LL; return true;
    case TACO_TEXT:
        text = taco_array_bytes(a, i);
        if (taco__time_parse(text, us, &date)) { return true; }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "datetime %q is not ISO 8601", &text);
        return false;
    default:
        if (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64 && v >= -9999 &&
            v <= 9999) {
            *us = taco__time_days_from_date(v, 1, 1) * 86400000000LL;
            return true;
        }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "datetime is neither a time, nor text, nor a year");
        return false;
    }
}

/* The number of EPSG:n or of digits; 0 when it is neither. */
static int32_t taco__build_values_read_epsg(const taco_array *a, size_t i)
{
    taco_bytes t;
    uint64_t x = 0;
    if (!taco_array_valid(a, i)) { return 0; }
    if (a->field->type != TACO_TEXT) {
        int64_t v = taco_array_int(a, i);
        return v > 0 && v <= INT32_MAX ? (int32_t)v : 0;
    }
    t = taco_array_bytes(a, i);
    while (t.len && t.data[0] == ' ') {
        t = taco__bytes_of(t.data + 1, t.len - 1);
    }
    while (t.len && t.data[t.len - 1] == ' ') {
        t.len--;
    }
    if (t.len > 5 && (t.data[0] | 0x20) == 'e' && (t.data[1] | 0x20) == 'p' &&
        (t.data[2] | 0x20) == 's' && (t.data[3] | 0x20) == 'g' && t.data[4] == ':') {
        t = taco__bytes_of(t.data + 5, t.len - 5);
    }
    return taco__num_parse_u64(t, &x) && x <= INT32_MAX ? (int32_t)x : 0;
}

static bool taco__build_values_make_crs(taco__build *b, const taco_batch *in,
                                        taco__array_builder *epsg, taco__array_builder *crs,
                                        const int32_t *codes, taco_error *err)
{
    const size_t order[3] = {b->code, b->epsg, b->crs};
    size_t i, k;
    for (i = 0; i < in->length; i++) {
        int32_t code = 0;
        char text[24] = "EPSG:";
        bool ok;
        for (k = 0; k < 3 && !code; k++) {
            code =
                order[k] == SIZE_MAX ? 0 : taco__build_values_read_epsg(&in->columns[order[k]], i);
        }
        code = code ? code : codes ? codes[i] : 0;
        text[5 + taco__num_format_u64(text + 5, (uint64_t)code)] = 0;
        if (code) {
            ok = taco__array_builder_append_int(epsg, code, err) &&
                 taco__array_builder_append_text(crs, text, err);
        } else {
            const taco_array *other =
                b->crs != SIZE_MAX && b->in[b->crs].type == TACO_TEXT ? &in->columns[b->crs] : NULL;
            ok = taco__array_builder_append_null(epsg, err) &&
                 (other && taco_array_valid(other, i)
                      ? taco__array_builder_append_bytes(crs, taco_array_bytes(other, i), err)
                      : taco__array_builder_append_null(crs, err));
        }
        if (!ok) { return false; }
    }
    return true;
}

/* The asset of every band, its href rewritten. */
static bool taco__build_values_make_assets(taco__build *b, const taco_array *urls,
                                           taco__array_builder *c, size_t rows, bool plain,
                                           taco_error *err)
{
    size_t i, k;
    for (i = 0; i < rows; i++) {
        taco_bytes url = taco_array_bytes(urls, i);
        const char *to = "";
        if (!taco_array_valid(urls, i)) {
            if (!taco__array_builder_append_null(c, err)) { return false; }
            continue;
        }
        if (plain) {
            uint64_t offset, length;
            (void)taco__enrich_parse_subfile(url, &url, &offset, &length);
        }
        for (k = 0; k < b->opt->rewrite_count; k++) {
            if (taco__bytes_starts_with(url, b->opt->rewrite[k].from)) {
                size_t n = strlen(b->opt->rewrite[k].from);
                to = b->opt->rewrite[k].to;
                url = taco__bytes_of(url.data + n, url.len - n);
                break;
            }
        }
        for (k = 0; k < b->opt->band_count; k++) {
            taco__array_builder *asset = &c->children[k];
            if (!taco__buf_append_text(&asset->children[0].values, to, err) ||
                !taco__array_builder_append_bytes(&asset->children[0], url, err) ||
                !taco__array_builder_append_int(&asset->children[1], b->opt->bands[k].index, err) ||
                !taco__array_builder_end_row(asset, true, err)) {
                return false;
            }
        }
        if (!taco__array_builder_end_row(c, true, err)) { return false; }
    }
    return true;
}

/* Bounds of a geometry; false where there are none. */
static bool taco__build_values_read_bounds(taco__build *b, const taco_array *a, size_t i,
                                           double box[4])
{
    taco_error why;
    bool empty = true;
    memset(&why, 0, sizeof why);
    if (taco_array_valid(a, i) &&
        taco__wkb_bounds(taco_array_bytes(a, i), box, &empty, &why) == TACO_OK) {
        return !empty;
    }
    if (b->options.warn && !b->warned) {
        b->warned = true;
        TACO__FAIL(&why, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "it is null");
        taco__error_prefix(&why, "row %u: no box can be made of the geometry, and perhaps of more",
                           b->rows + i);
        b->options.warn(b->options.warn_ctx, &why);
    }
    return false;
}

static bool taco__build_values_append_bbox(taco__build_column *c, bool there, const double box[4],
                                           taco_error *err)
{
    size_t k;
    bool ok = true;
    if (!there) { return taco__array_builder_append_null(&c->made, err); }
    if (c->what == TACO__BUILD_BBOX_LIST) {
        return taco__array_builder_append_doubles(&c->made, box, 4, err);
    }
    if (c->what == TACO__BUILD_BBOX_EDGE) {
        return taco__array_builder_append_double(&c->made, box[c->band], err);
    }
    for (k = 0; ok && k < 4; k++) {
        ok = taco__array_builder_append_double(&c->made.children[k], box[k], err);
    }
    return ok && taco__array_builder_end_row(&c->made, true, err);
}

/* The rows of one column that is made of others by itself. */
static bool taco__build_values_make_column(taco__build *b, taco__build_column *c,
                                           const taco_batch *in, taco_error *err)
{
    const taco_array *times = &in->columns[b->datetime], *geometry = &in->columns[b->geometry];
    size_t i;
    for (i = 0; i < in->length; i++) {
        double box[4];
        char text[24];
        int64_t us = 0;
        taco__time_civil day;
        bool ok;
        const taco_array *id = &in->columns[b->id];
        switch (c->what) {
        case TACO__BUILD_ID:
            text[taco__num_format_i64(text, taco_array_int(id, i))] = 0;
            ok = taco__array_builder_append_text(&c->made, taco_array_valid(id, i) ? text : NULL,
                                                 err);
            break;
        case TACO__BUILD_DATETIME:
            ok = taco__build_values_read_time(times, i, &us, err)
                     ? taco__array_builder_append_int(&c->made, us, err)
                     : taco__array_builder_append_null(&c->made, err);
            break;
        case TACO__BUILD_YEAR:
        case TACO__BUILD_MONTH:
            ok = taco__build_values_read_time(times, i, &us, err);
            day = taco__time_date_from_days(taco__time_floor_div(us, 86400000000LL));
            ok = ok ? taco__array_builder_append_int(
                          &c->made, c->what == TACO__BUILD_YEAR ? day.year : day.month, err)
                    : taco__array_builder_append_null(&c->made, err);
            break;
        default:
            ok = taco__build_values_append_bbox(
                c, taco__build_values_read_bounds(b, geometry, i, box), box, err);
            break;
        }
        if (!ok || (err && err->code != TACO_OK)) { return false; }
    }
    return true;
}

static taco__build_column *taco__build_values_find_column(taco__build *b,
                                                          taco__build_column_kind what, size_t band)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].what == what && b->columns[i].band == band) { return &b->columns[i]; }
    }
    return NULL;
}

/* Headers of the assets of a batch into the columns of the bands. */
static bool taco__build_values_enrich(taco__build *b, const taco_batch *in, int32_t *codes,
                                      taco_error *err)
{
    taco__build_column *c = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    taco__array_builder *made = (taco__array_builder *)taco__arena_array(
        &b->enrich.arena, b->band_count, sizeof *made, err);
    taco_array assets;
    size_t k;
    bool ok;
    if (!made) { return false; }
    if (c) {
        taco__array_builder_view(&c->made, &assets);
    } else {
        assets = in->columns[b->assets];
    }
    for (k = 0; k < b->band_count; k++) {
        made[k] = taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made;
    }
    ok = taco__enrich_collect_assets(&b->enrich, &assets, b->band_at, b->band_count, in->length,
                                     err);
    if (ok) {
        taco__enrich_run(&b->enrich);
        ok = taco__enrich_fill_columns(&b->enrich, made, b->band_count, in->length,
                                       &in->columns[b->id], codes, err);
    }
    for (k = 0; k < b->band_count; k++) { /* the buffers may have moved */
        taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made = made[k];
    }
    taco__enrich_free(&b->enrich);
    return ok;
}

TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__build_column *epsg = taco__build_values_find_column(b, TACO__BUILD_EPSG, 0);
    taco__build_column *assets = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    int32_t *codes = NULL;
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].what != TACO__BUILD_SOURCE) {
            taco__array_builder_reset(&b->columns[i].made);
        }
    }
    if (assets && !taco__build_values_make_assets(b, &in->columns[b->href], &assets->made,
                                                  in->length, false, err)) {
        return false;
    }
    if (b->band_count) {
        if (!taco__buf_reset(&b->codes, (in->length + 1) * sizeof *codes, err)) { return false; }
        codes = (int32_t *)(void *)b->codes.data;
        if (!taco__build_values_enrich(b, in, codes, err)) { return false; }
    }
    if (assets && b->plain) { /* tile offsets count from the beginning of the archive by now */
        taco__array_builder_reset(&assets->made);
        if (!taco__build_values_make_assets(b, &in->columns[b->href], &assets->made, in->length,
                                            true, err)) {
            return false;
        }
    }
    if (epsg && !taco__build_values_make_crs(
                    b, in, &epsg->made,
                    &taco__build_values_find_column(b, TACO__BUILD_CRS, 0)->made, codes, err)) {
        return false;
    }
    for (i = 0; i < b->count; i++) {
        taco__build_column_kind w = b->columns[i].what;
        if ((w == TACO__BUILD_ID || w == TACO__BUILD_DATETIME || w >= TACO__BUILD_BBOX_LIST) &&
            !taco__build_values_make_column(b, &b->columns[i], in, err)) {
            return false;
        }
    }
    return true;
}
/* ==== src/rasteret/convert.c ==== */
/* convert.c - collections out, and to and from TACO. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */
/* #include "../write/write.h" */

/* ---- to and from TACO
   ----------------------------------------------------------------------------- */

/* records of the files of a dataset, before they are a collection */
typedef struct taco__rasteret_convert {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__enrich enrich;
    taco_field fields[4];
    taco__array_builder columns[4]; /* id, datetime, geometry, taco:vsi */
} taco__rasteret_convert;

/* The header of one file; NULL, and a warning, when it is no TIFF that can be used. */
static taco_tiff *taco__rasteret_convert_open_tiff(taco__rasteret_convert *x, const char *vsi,
                                                   taco_error *err)
{
    taco__enrich_asset a;
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__bytes_text(vsi);
    x->enrich.assets = &a;
    if (!taco__enrich_resolve_href(&x->enrich, &a, err)) { return NULL; }
    taco__enrich_parse_asset(&x->enrich, 0);
    if (!a.tiff && x->options.warn) {
        taco__error_prefix(&a.err, "%q is left out", &a.href);
        x->options.warn(x->options.warn_ctx, &a.err);
    }
    return a.tiff;
}

/* The corners of an image as a WKB polygon in longitude and latitude. */
static bool taco__rasteret_convert_corners_wkb(const taco_tiff_header *h, uint8_t wkb[93])
{
    static const uint8_t at[5][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}, {0, 1}};
    const double *g = h->geotransform;
    size_t i;
    memset(wkb, 0, 93);
    wkb[0] = wkb[5] = 1;
    wkb[1] = 3;
    wkb[9] = 5;
    for (i = 0; i < 5; i++) {
        double x = at[i][0] ? h->image_width : 0, y = at[i][1] ? h->image_height : 0, out[2];
        if (taco_lonlat(h->crs, g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5], out,
                        NULL) != TACO_OK) {
            return false;
        }
        taco__put_le64(wkb + 13 + 16 * i, taco__f64_to_bits(out[0]));
        taco__put_le64(wkb + 21 + 16 * i, taco__f64_to_bits(out[1]));
    }
    return true;
}

/* The first of the time columns that has a value, from the deepest level up. */
static bool taco__rasteret_convert_read_time(taco_cursor *c, uint32_t depth, int64_t *us)
{
    static const char *const names[4] = {"stac:time_start", "istac:time_start", "datetime", NULL};
    uint32_t l;
    size_t k;
    char name[40];
    for (k = 0; names[k]; k++) {
        if (taco_cursor_int(c, names[k], us)) { return true; }
        for (l = depth + 1; l-- > 0;) {
            name[0] = 'l';
            name[1] = (char)('0' + l);
            name[2] = ':';
            memcpy(name + 3, names[k], strlen(names[k]) + 1);
            if (taco_cursor_int(c, name, us)) { return true; }
        }
    }
    return false;
}

/* The ids from the top down to the row. */
static bool taco__rasteret_convert_append_path(taco_cursor *c, uint32_t depth, taco__buf *out,
                                               taco_error *err)
{
    uint32_t l;
    out->len = 0;
    for (l = 0; l <= depth; l++) {
        char name[6] = "l0:id";
        const char *id;
        name[1] = (char)('0' + l);
        id = taco_cursor_text(c, depth ? name : "id");
        if (id && ((out->len && !taco__buf_append_char(out, '/', err)) ||
                   !taco__buf_append_text(out, id, err))) {
            return false;
        }
    }
    return true;
}

static bool taco__rasteret_convert_add_record(taco__rasteret_convert *x, taco_cursor *c,
                                              uint32_t depth, taco__buf *text, taco_error *err)
{
    uint8_t wkb[93];
    int64_t us;
    taco_tiff *t = taco__rasteret_convert_open_tiff(x, taco_cursor_vsi(c), err);
    bool ok = t && taco__rasteret_convert_corners_wkb(taco_tiff_get(t), wkb);
    taco_tiff_close(t);
    if (!ok) { return !err || err->code == TACO_OK; }
    return taco__rasteret_convert_append_path(c, depth, text, err) &&
           taco__array_builder_append_bytes(&x->columns[0], taco__bytes_of(text->data, text->len),
                                            err) &&
           (taco__rasteret_convert_read_time(c, depth, &us)
                ? taco__array_builder_append_int(&x->columns[1], us, err)
                : taco__array_builder_append_null(&x->columns[1], err)) &&
           taco__array_builder_append_bytes(&x->columns[2], taco__bytes_of(wkb, sizeof wkb), err) &&
           taco__array_builder_append_text(&x->columns[3], taco_cursor_vsi(c), err);
}

/* The records of a dataset as a Parquet file in memory. */
static bool taco__rasteret_convert_write_records(taco__rasteret_convert *x, const char *dataset,
                                                 taco_sink *sink, taco_error *err)
{
    taco_query q;
    taco_dataset *ds = taco_open(dataset, &x->options, err);
    taco_cursor *c;
    taco_array arrays[4];
    taco_batch batch;
    taco_pq_writer *w;
    taco__buf text;
    uint32_t depth = ds ? taco_levels(ds) - 1 : 0;
    size_t i;
    bool ok = true;
    memset(&q, 0, sizeof q);
    memset(&text, 0, sizeof text);
    text.mem = &x->mem;
    q.table = depth;
    q.flat = depth > 0;
    c = ds ? taco_select(ds, &q, err) : NULL;
    while (ok && c && taco_cursor_next(c)) {
        ok = taco__rasteret_convert_add_record(x, c, depth, &text, err);
    }
    ok = taco_cursor_close(c, err) == TACO_OK && c && ok;
    taco_close(ds);
    taco__buf_free(&text);
    for (i = 0; i < 4; i++) {
        taco__array_builder_view(&x->columns[i], &arrays[i]);
    }
    memset(&batch, 0, sizeof batch);
    batch.length = x->columns[0].length;
    batch.columns = arrays;
    batch.column_count = 4;
    if (!ok || taco_sink_memory(sink, &x->options, err) != TACO_OK) { return false; }
    w = taco_pq_write(sink, x->fields, 4, NULL, err);
    if (w && batch.length) { taco_pq_writer_batch(w, &batch); }
    return w && taco_pq_writer_close(w, err) == TACO_OK;
}

static bool taco__rasteret_convert_init(taco__rasteret_convert *x, const taco_rasteret_options *opt,
                                        taco_error *err)
{
    size_t i;
    memset(x, 0, sizeof *x);
    taco__mem_init(&x->mem, opt->options);
    taco__options_init(&x->options, opt->options);
    x->arena.mem = x->enrich.mem = x->enrich.arena.mem = &x->mem;
    x->enrich.options = &x->options;
    x->enrich.base = opt->base ? opt->base : "";
    x->fields[0] = taco__field_make("id", TACO_TEXT);
    x->fields[1] = taco__field_make("datetime", TACO_TIMESTAMP);
    x->fields[2] = taco__field_make("geometry", TACO_BINARY);
    x->fields[3] = taco__field_make("taco:vsi", TACO_TEXT);
    for (i = 0; i < 4; i++) {
        if (!taco__array_builder_init(&x->columns[i], &x->fields[i], &x->mem, &x->arena, err)) {
            return false;
        }
    }
    return true;
}

static void taco__rasteret_convert_free(taco__rasteret_convert *x)
{
    size_t i;
    for (i = 0; i < 4; i++) {
        taco__array_builder_free(&x->columns[i]);
    }
    taco__arena_free(&x->enrich.arena);
    taco__arena_free(&x->arena);
}

TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err)
{
    static const taco_rasteret_band band = {"data", 0};
    taco__rasteret_convert x;
    taco_rasteret_options o;
    taco_sink sink;
    taco_error own;
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    memset(&sink, 0, sizeof sink);
    o = opt ? *opt : o;
    o.rename_count = o.rewrite_count = 0;
    o.href_column = "taco:vsi";
    o.bands = &band;
    o.band_count = 1;
    o.enrich = true;
    if (!dataset || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          dataset ? "target" : "dataset");
    }
    if (taco__rasteret_convert_init(&x, &o, &own) &&
        taco__rasteret_convert_write_records(&x, dataset, &sink, &own)) {
        taco_source src;
        taco_bytes bytes = taco_sink_bytes(&sink);
        taco_source_memory(&src, bytes.data, bytes.len);
        (void)taco__build_collection(dataset, &src, target, &o, &own);
    }
    if (sink.ctx) { taco_sink_free(&sink); }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

/* The path that the first band of a record names: taco:vsi, else its href. */
static taco_bytes taco__rasteret_convert_asset_path(const taco_batch *b, size_t row)
{
    taco_bytes href = taco__bytes_of(NULL, 0);
    int64_t index;
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (strcmp(a->field->name, "taco:vsi") == 0 && a->field->type == TACO_TEXT &&
            taco_array_valid(a, row)) {
            return taco_array_bytes(a, row);
        }
        if (strcmp(a->field->name, "assets") == 0 && a->field->child_count &&
            taco_array_valid(a, row)) {
            (void)taco__enrich_read_asset(&a->children[0], row, &href, &index);
        }
    }
    return href;
}

/* Adds the file of a record, and its columns. */
static bool taco__rasteret_convert_add_sample(taco__rasteret_convert *x, taco_writer *w,
                                              const taco_batch *b, size_t row, taco_error *err)
{
    const taco_array *id = NULL, *when = NULL;
    taco__enrich_asset a;
    taco_stac s;
    taco_source src;
    char *name;
    size_t i;
    int64_t us;
    bool ok;
    for (i = 0; i < b->column_count; i++) {
        id = strcmp(b->columns[i].field->name, "id") == 0 ? &b->columns[i] : id;
        when = strcmp(b->columns[i].field->name, "datetime") == 0 ? &b->columns[i] : when;
    }
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__rasteret_convert_asset_path(b, row);
    name = id ? taco__arena_text(&x->enrich.arena, taco_array_bytes(id, row), err) : NULL;
    if (!name || !taco__enrich_resolve_href(&x->enrich, &a, err) ||
        !taco__source_open_path(&x->options, a.path, &src, err)) {
        taco__error_prefix(err, "record %s", name ? name : "without an id");
        return false;
    }
    for (i = 0; name[i]; i++) { /* ids of samples are names */
        name[i] = name[i] == '/' ? '.' : name[i];
    }
    ok = taco_writer_range(w, name, &src, a.offset, a.size || a.offset ? a.size : src.size) ==
         TACO_OK;
    if (src.close) { src.close(src.ctx); }
    x->enrich.assets = &a;
    taco__enrich_parse_asset(&x->enrich, 0);
    if (ok && a.tiff && when && taco__build_values_read_time(when, row, &us, err) &&
        taco_stac_tiff(a.tiff, &s, NULL) == TACO_OK) {
        s.time_start = us;
        /* a CRS that is not computed here: null columns */
        (void)taco_writer_set_stac(w, &s, NULL);
    }
    taco_tiff_close(a.tiff);
    return ok && (!err || err->code == TACO_OK);
}

TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err)
{
    taco_rasteret_options usual;
    taco_create_options c;
    taco__rasteret_convert x;
    taco_dataset *ds = NULL;
    taco_cursor *rows = NULL;
    taco_writer *w = NULL;
    taco_batch b;
    taco_error own;
    size_t i;
    bool ok;
    memset(&usual, 0, sizeof usual);
    memset(&own, 0, sizeof own);
    memset(&c, 0, sizeof c);
    opt = opt ? opt : &usual;
    c = create ? *create : c;
    c.options = c.options ? c.options : opt->options;
    c.fill = true;
    ok = source && target && collection && taco__rasteret_convert_init(&x, opt, &own);
    if (!source || !target || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a source, a target and a collection are wanted");
    }
    x.options.openers = taco__rasteret_openers();
    ds = ok ? taco_open(source, &x.options, &own) : NULL;
    rows = ds ? taco_select(ds, NULL, &own) : NULL;
    w = rows ? taco_create(target, &c, &own) : NULL;
    ok = w && taco_writer_collection(w, collection, strlen(collection)) == TACO_OK &&
         taco_writer_stac_columns(w, 0) == TACO_OK;
    while (ok && taco_cursor_batch(rows, &b)) {
        for (i = 0; ok && i < b.length; i++) {
            ok = taco__rasteret_convert_add_sample(&x, w, &b, i, &own);
        }
    }
    if (rows && taco_cursor_close(rows, &own) != TACO_OK) { ok = false; }
    if (own.code != TACO_OK) {
        taco_writer_abort(w);
    } else if (w) {
        taco_writer_finish(w, &own);
    }
    taco_close(ds);
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
#endif /* TACO_IMPLEMENTATION */
