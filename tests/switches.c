/* switches.c - queries whose answers tests/switches.sh compares between builds with and without switches

   Prints a line for each: the query, and the number and a checksum of its rows as JSON, or the kind
   of failure, even where TACO_GIVE_UP (a name of a function that is made here) ends the call. */
#define TACO_IMPLEMENTATION
#ifdef TACO_GIVE_UP
__attribute__((noreturn)) static void TACO_GIVE_UP(int code);
#endif
#if defined(TACO_NO_FILTERS) || defined(TACO_NO_PREDICATES)
#include "../taco_parquet.h"
#else
#define DATASETS
#include "../taco.h"
#endif
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the last query gave. */
static struct {
    taco_error err;
    uint32_t rows, sum;
} answer;

#ifdef TACO_GIVE_UP
/* A host that throws away all memory when a call is given up. */
static union {
    unsigned char bytes[64u << 20];
    long double aligned;
} memory;

static size_t memory_used;
static jmp_buf host;

static void TACO_GIVE_UP(int code)
{
    answer.err.code = (taco_status)code;
    longjmp(host, 1);
}

/* A call, from where no memory is used to its end, or to where it is given up. */
#define IN_HOST(call)                                                                              \
    do {                                                                                           \
        memory_used = 0;                                                                           \
        if (setjmp(host) == 0) { call; }                                                           \
    } while (0)

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    unsigned char *to = memory.bytes + memory_used;
    (void)ctx;
    if (new_size == 0 || new_size > sizeof memory.bytes - memory_used - 16) { return NULL; }
    memory_used += (new_size + 15) / 16 * 16;
    if (ptr) { memcpy(to, ptr, old_size < new_size ? old_size : new_size); }
    return to;
}
#else
#define IN_HOST(call) call

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
#endif

static const taco_allocator allocator = {NULL, resize};

static void add(const void *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    for (; len; len--) {
        answer.sum = (answer.sum ^ *p++) * 16777619U;
    }
}

static void begin(void)
{
    memset(&answer, 0, sizeof answer);
}

static void told(const char *what)
{
    if (answer.err.code != TACO_OK) {
        printf("%s: %s\n", what, taco_status_name(answer.err.code));
    } else {
        printf("%s: %u rows, %08x\n", what, (unsigned)answer.rows, (unsigned)answer.sum);
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
static void read_rows(taco_dataset *ds, const taco_query *q)
{
    taco_cursor *row = ds ? taco_select(ds, q, &answer.err) : NULL;
    while (taco_cursor_next(row)) {
        const char *json = taco_cursor_json(row);
        answer.rows++;
        add(json, strlen(json));
    }
    if (row) { taco_cursor_close(row, &answer.err); }
    taco_close(ds);
}

#ifndef TACO_NO_STDIO
static void query_path(const char *path, const taco_query *q)
{
    taco_options options = {0};
    options.allocator = &allocator;
    read_rows(taco_open(path, &options, &answer.err), q);
}
#endif

/* By a name that no system makes absolute. */
static void query_source(const taco_source *source, const taco_query *q)
{
    taco_options options = {0};
    options.allocator = &allocator;
    read_rows(taco_open_source(source, "/vsimem/archive.tacozip", &options, &answer.err), q);
}

static void query_sources(const taco_source *sources, const taco_query *q)
{
    static const char *const names[] = {"/vsimem/a.tacozip", "/vsimem/b.tacozip"};
    taco_options options = {0};
    options.allocator = &allocator;
    read_rows(
        taco_open_sources(sources, names, 2, TACO_COLUMNS_FILL_MISSING, &options, &answer.err), q);
}

static void query(const char *path, const char *where, const char *order, const double *bbox)
{
    char what[400];
    taco_query q = {0};
    taco_source source;
    q.where = where;
    q.order = order;
    q.bbox = bbox;
    snprintf(what, sizeof what, "%s where %s order %s%s", path, where ? where : "-",
             order ? order : "-", bbox ? " in a box" : "");
    begin();
    if (strstr(path, "folder")) {
#ifdef TACO_NO_STDIO
        answer.err.code = TACO_ERR_UNSUPPORTED;
#else
        IN_HOST(query_path(path, &q));
#endif
    } else if (!load(path, &source)) {
        printf("%s: not there\n", what);
        return;
    } else {
        IN_HOST(query_source(&source, &q));
    }
    told(what);
}

/* An archive twice, as one dataset. */
static void query_many(const char *path)
{
    taco_query q = {0};
    taco_source source[2];
    begin();
    if (load(path, &source[0])) {
        source[1] = source[0];
        IN_HOST(query_sources(source, &q));
    }
    told("an archive twice");
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

static void parquet_source(const taco_source *source, const taco_pq_query *q)
{
    taco_options options = {0};
    taco_pq_file *file;
    taco_pq_reader *reader;
    taco_batch batch;
    size_t n;
    options.allocator = &allocator;
    file = taco_pq_open_source(source, NULL, &options, &answer.err);
    reader = file ? taco_pq_read(file, q, &answer.err) : NULL;
    if (reader) {
        const taco_field *fields = taco_pq_reader_fields(reader, &n);
        taco_printer *printer =
            taco_printer_open(fields, n, TACO_FORMAT_NDJSON, &options, &answer.err);
        while (taco_pq_reader_next(reader, &batch)) {
            taco_bytes text = taco_printer_batch(printer, &batch, &answer.err);
            answer.rows += (uint32_t)batch.length;
            add(text.data, text.len);
        }
        taco_printer_close(printer);
    }
    if (reader) { taco_pq_reader_close(reader, &answer.err); }
    taco_pq_close(file);
}

/* Where `predicate` is set, the function above judges that column. Of all columns, or of one. */
static void parquet(const char *path, const char *where, const char *predicate, const char *column)
{
    char what[400];
    taco_pq_query q = {0};
    taco_pq_predicate p = {0};
    taco_source source;
    q.where = where;
    p.column = predicate;
    p.match = match;
    q.predicates = &p;
    q.predicate_count = predicate != NULL;
    q.columns = column ? &column : NULL;
    q.column_count = column != NULL;
    snprintf(what, sizeof what, "%s where %s%s", path, where ? where : "-",
             predicate ? " and a predicate" : "");
    begin();
    if (!load(path, &source)) {
        printf("%s: not there\n", what);
        return;
    }
    IN_HOST(parquet_source(&source, &q));
    told(what);
}

#if defined(TACO_GIVE_UP) && defined(DATASETS) && !defined(TACO_NO_STDIO)
/* What may be missing is reported as ever; any other failure ends in the host. */
static bool gives_up(void)
{
    static bool returned;
    taco_query q = {0};
    begin();
    returned = false;
    IN_HOST((query_path("examples/data/none.tacozip", &q), returned = true));
    if (!returned || answer.err.code != TACO_ERR_NOT_FOUND) {
        fprintf(stderr, "a missing file: %s\n", taco_status_name(answer.err.code));
        return false;
    }
    begin();
    returned = false;
    q.where = "id = AND";
    IN_HOST((query_path("examples/data/geo_stac.tacozip", &q), returned = true));
    if (returned || answer.err.code != TACO_ERR_SYNTAX) {
        fprintf(stderr, "a mistake: %s\n", taco_status_name(answer.err.code));
        return false;
    }
    return true;
}
#endif

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
#if defined(TACO_GIVE_UP) && defined(DATASETS) && !defined(TACO_NO_STDIO)
    if (!gives_up()) { return 1; }
#endif
    return 0;
}
