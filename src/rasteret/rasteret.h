/* rasteret.h - what the folder offers to the others. */
#ifndef TACO__RASTERET_H
#define TACO__RASTERET_H

#include "../api/taco_rasteret.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"
#include "../write/write.h"

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
