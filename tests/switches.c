/* switches.c - queries whose answers tests/switches.sh compares between builds with and without switches

   Prints a line for each: the query, and the number and a checksum of its rows as JSON, or the kind
   of failure. */
#define TACO_IMPLEMENTATION
#if defined(TACO_NO_FILTERS) || defined(TACO_NO_PREDICATES)
#include "../taco_parquet.h"
#else
#define DATASETS
#include "../taco.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static const taco_allocator allocator = {NULL, resize};

static void add(uint32_t *sum, const void *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    for (; len; len--) {
        *sum = (*sum ^ *p++) * 16777619U;
    }
}

static void told(const char *what, uint32_t rows, uint32_t sum, const taco_error *err)
{
    if (err->code != TACO_OK) {
        printf("%s: %s\n", what, taco_status_name(err->code));
    } else {
        printf("%s: %u rows, %08x\n", what, (unsigned)rows, (unsigned)sum);
    }
}

/* A file in memory, as there may be no stdio in the library. It is read as a device is: what can be
   looked at in its place needs no memory, and would hide who relies on reads. */
static bool load(const char *path, taco_source *out)
{
    static unsigned char bytes[1 << 20];
    FILE *in = fopen(path, "rb");
    size_t n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in) { fclose(in); }
    taco_source_memory(out, bytes, n);
    out->view = NULL;
    return n > 0;
}

#ifdef DATASETS
static void told_rows(const char *what, taco_dataset *ds, const taco_query *q, taco_error *err)
{
    taco_cursor *row = taco_select(ds, q, err);
    uint32_t rows = 0, sum = 0;
    while (taco_cursor_next(row)) {
        const char *json = taco_cursor_json(row);
        rows++;
        add(&sum, json, strlen(json));
    }
    taco_cursor_close(row, err);
    taco_close(ds);
    told(what, rows, sum, err);
}

static void query(const char *path, const char *where, const char *order, const double *bbox)
{
    char what[400];
    taco_options options = {0};
    taco_query q = {0};
    taco_error err = {0};
    taco_source source;
    taco_dataset *ds;
    options.allocator = &allocator;
    q.where = where;
    q.order = order;
    q.bbox = bbox;
    snprintf(what, sizeof what, "%s where %s order %s%s", path, where ? where : "-",
             order ? order : "-", bbox ? " in a box" : "");
    if (strstr(path, "folder")) {
#ifdef TACO_NO_STDIO
        printf("%s: unsupported\n", what);
        return;
#else
        ds = taco_open(path, &options, &err);
#endif
    } else if (!load(path, &source)) {
        printf("%s: not there\n", what);
        return;
    } else {
        /* a name that no system makes absolute */
        ds = taco_open_source(&source, "/vsimem/archive.tacozip", &options, &err);
    }
    told_rows(what, ds, &q, &err);
}

/* An archive twice, as one dataset. */
static void query_many(const char *path)
{
    static const char *const names[] = {"/vsimem/a.tacozip", "/vsimem/b.tacozip"};
    taco_options options = {0};
    taco_query q = {0};
    taco_error err = {0};
    taco_source source[2];
    taco_dataset *ds = NULL;
    options.allocator = &allocator;
    if (load(path, &source[0])) {
        source[1] = source[0];
        ds = taco_open_sources(source, names, 2, TACO_COLUMNS_FILL_MISSING, &options, &err);
    }
    told_rows("an archive twice", ds, &q, &err);
}
#endif

/* Every other row. */
static bool match(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits)
{
    size_t i;
    (void)ctx;
    (void)a;
    for (i = 0; i < rows; i += 2) {
        true_bits[i / 8] = (uint8_t)(true_bits[i / 8] | 1U << i % 8);
    }
    return true;
}

/* Where `predicate` is set, the function above judges that column. Of all columns, or of one. */
static void parquet(const char *path, const char *where, const char *predicate, const char *column)
{
    char what[400];
    taco_options options = {0};
    taco_pq_query q = {0};
    taco_pq_predicate p = {0};
    taco_error err = {0};
    taco_source source;
    taco_pq_file *file;
    taco_pq_reader *reader;
    taco_printer *printer;
    taco_batch batch;
    uint32_t rows = 0, sum = 0;
    size_t n;
    options.allocator = &allocator;
    q.where = where;
    p.column = predicate;
    p.match = match;
    q.predicates = &p;
    q.predicate_count = predicate != NULL;
    q.columns = column ? &column : NULL;
    q.column_count = column != NULL;
    snprintf(what, sizeof what, "%s where %s%s", path, where ? where : "-",
             predicate ? " and a predicate" : "");
    if (!load(path, &source)) {
        printf("%s: not there\n", what);
        return;
    }
    file = taco_pq_open_source(&source, NULL, &options, &err);
    reader = taco_pq_read(file, &q, &err);
    if (reader) {
        const taco_field *fields = taco_pq_reader_fields(reader, &n);
        printer = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, &options, &err);
        while (taco_pq_reader_next(reader, &batch)) {
            taco_bytes text = taco_printer_batch(printer, &batch, &err);
            rows += (uint32_t)batch.length;
            add(&sum, text.data, text.len);
        }
        taco_printer_close(printer);
    }
    taco_pq_reader_close(reader, &err);
    taco_pq_close(file);
    told(what, rows, sum, &err);
}

/* Pairs of types, and literals of each, over the columns of examples/data/types.tacozip. */
static const char *const conditions[] = {
    "t_int32 > 2.5", "t_int8 > -0.5 AND t_int8 <= 127.0", "t_int16 IN (0.0, 1, 32767, 5e-1)",
    "t_int64 >= 9007199254740993", "t_uint64 = 18446744073709551615",
    "t_uint64 < 18446744073709551615 OR t_uint32 > -1", "t_float32 = 1.5", "t_float32 < 0.1",
    "t_float32 >= 1677721.5 OR t_float32 <= -0.1234567", "t_float32 >= '1.5'",
    "t_float32 = 16777217", "t_float32 = 'nan'", "t_float64 BETWEEN -1.5 AND 1e308",
    "t_float64 = 12345678.9012345 OR t_float64 < 0.00000000000001",
    "t_float64 < 18446744073709551615", "t_int8 = t_float32", "t_float64 > t_int64",
    "t_float64 <= t_uint64 OR t_float32 < t_uint64", "t_float64 IS DISTINCT FROM t_float32",
    "t_ts_ms < t_ts_ns", "t_date = t_ts_us OR t_date >= t_ts_us_utc", "2.5 AND t_bool = 1",
    /* with TACO_NO_DECIMALS none of them */
    "t_dec9 > 1", "t_dec38 IS NULL", "t_float64 = 0.12345678901234567",
    "t_float64 > 170141183460469231731687303715884105727", "t_float32 < 16777217.5",
    "t_int64 < 9007199254740993.5",
    /* with TACO_NO_DATES none of them */
    "t_date > DATE '2000-01-01'", "t_ts_us_utc < '2020-01-01'", "t_time IN ('01:02:03')"};

int main(int argc, char **argv)
{
    int i;
    size_t k;
#ifdef DATASETS
    static const double box[4] = {-30, -30, 60, 60};
    query("examples/data/geo_stac.tacozip", NULL, NULL, NULL);
    query("examples/data/geo_stac.tacozip", NULL, NULL, box);
    query("examples/data/geo_stac.tacozip", NULL, "id DESC", NULL);
    query("examples/data/geo_stac.tacozip", "id LIKE '%1%'", NULL, NULL);
    query("examples/data/types.tacozip", NULL, NULL, NULL);
    query("examples/data/types_exotic.tacozip", NULL, NULL, NULL);
    query("examples/data/nested.tacozip", "type = 'FOLDER'", NULL, NULL);
    query("examples/data/names.tacozip", "id <> ''", NULL, NULL);
    query_many("examples/data/geo_stac.tacozip");
    query("examples/data/era_0130_folder", NULL, NULL, NULL); /* has Avro */
#endif
    if (argc > 1) {
        parquet(argv[1], "id IS NOT NULL", NULL, NULL);
        parquet(argv[1], NULL, "id", NULL);
    }
    for (i = 1; i < argc; i++) {
        parquet(argv[i], NULL, NULL, NULL);
    }
    for (k = 0; argc > 1 && k < sizeof conditions / sizeof *conditions; k++) {
        parquet(argv[argc - 1], conditions[k], NULL, "id");
    }
    return 0;
}
