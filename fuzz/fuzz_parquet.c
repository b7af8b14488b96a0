/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_parquet
   fuzz_parquet.c

   Whole files: any bytes as a Parquet file in memory; its schema and metadata as text, or every
   column of every row, or each column alone, or rows by conditions or by number, without kernels of
   vectors. A file read to the end must return as many rows as its footer says. */
#define TACO_NO_SIMD
#define TACO__PAGE_INDEX_MIN_CHUNK 0
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_inspect.h"

#include "holds.h"
#include "mutator.h"

#define MOST_ROWS 100000

static void parquet_read(taco_pq_file *file, const taco_pq_query *q, taco_format format)
{
    taco_error err;
    taco_batch batch;
    taco_pq_reader *rows;
    const taco_field *fields;
    taco_printer *p;
    size_t n, calls = 0;
    int64_t sum = 0;
    bool ended = false;
    memset(&err, 0, sizeof err);
    rows = taco_pq_read(file, q, &err);
    HOLDS((rows != NULL) == (err.code == TACO_OK) && (rows || err.text[0]));
    fields = taco_pq_reader_fields(rows, &n);
    p = rows ? taco_printer_open(fields, n, format, NULL, &err) : NULL;
    while (rows && sum < MOST_ROWS && calls++ < 200 &&
           !(ended = !taco_pq_reader_next(rows, &batch))) {
        HOLDS(batch.column_count == n && batch.length <= 4096);
        sum += (int64_t)batch.length;
        if (p && batch.length) { taco_printer_batch(p, &batch, &err); }
    }
    taco_printer_close(p);
    memset(&err, 0, sizeof err);
    if (taco_pq_reader_close(rows, &err) == TACO_OK && ended && n && !q->where) {
        HOLDS(q->first_row || q->row_count || q->limit || sum == taco_pq_rows(file));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each column alone, so that a bad one does not hide the others. */
static void parquet_columns(taco_pq_file *file)
{
    taco_pq_query q;
    size_t i, n;
    const taco_field *fields = taco_pq_fields(file, &n);
    memset(&q, 0, sizeof q);
    q.batch_rows = 4096;
    for (i = 0; i < n && i < 16; i++) {
        const char *name = fields[i].name;
        taco_error err;
        taco_pq_column *col;
        taco_array a;
        int calls = 0;
        q.columns = &name;
        q.column_count = 1;
        parquet_read(file, &q, TACO_FORMAT_CSV);
        memset(&err, 0, sizeof err);
        col = taco_pq_column_open(file, name, fields[i].type, &err);
        while (calls++ < 50 && taco_pq_column_next(col, 1000, &a)) {
            HOLDS(a.length <= 1000);
        }
        taco_pq_column_close(col, &err);
    }
}

/* A condition on each column, which leaves out row groups and pages, and a range of rows. */
static void parquet_where(taco_pq_file *file)
{
    static const char *const operands[] = {
        "> 'b'",       "BETWEEN 10 AND 60",        "IN (3, 70, 1e3)",
        "IS NOT NULL", "< TIMESTAMP '2021-05-01'", "= -1.25"};
    taco_pq_query q;
    size_t i, k, n;
    const taco_field *fields = taco_pq_fields(file, &n);
    memset(&q, 0, sizeof q);
    q.batch_rows = 4096;
    for (i = 0; i < n && i < 8; i++) {
        char where[200];
        if (strlen(fields[i].name) > 100 || strchr(fields[i].name, '"')) { continue; }
        for (k = 0; k < TACO__COUNT(operands); k++) {
            sprintf(where, "\"%s\" %s", fields[i].name, operands[k]);
            q.where = where;
            q.columns = &fields[(i + k) % n].name;
            q.column_count = k % 3 ? 1 : 0;
            q.first_row = k == 4 ? 5 : 0;
            q.row_count = k == 4 ? 40 : 0;
            parquet_read(file, &q, TACO_FORMAT_NDJSON);
        }
    }
    q.where = "id > 'b' AND NOT \"internal:size\" < 10 OR type IS NULL";
    q.column_count = 0;
    parquet_read(file, &q, TACO_FORMAT_TABLE);
}

/* Any rows in the middle. */
static void parquet_rows(taco_pq_file *file, const uint8_t *data, size_t size)
{
    taco_pq_query q;
    memset(&q, 0, sizeof q);
    q.batch_rows = 1 + data[size / 2] % 50;
    q.first_row = data[size / 3];
    q.row_count = 1 + data[size / 4];
    q.limit = 1 + data[size / 5];
    parquet_read(file, &q, TACO_FORMAT_ARROW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_pq_query q;
    taco_pq_file *file;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    opt.limits.max_memory = (uint64_t)64 << 20;
    opt.limits.max_page = (uint64_t)1 << 20;
    taco_source_memory(&src, data, size);
    file = taco_pq_open_source(&src, "fuzz.parquet", &opt, &err);
    HOLDS((file != NULL) == (err.code == TACO_OK) && (file || err.text[0]));
    if (!file) { return 0; }
    switch (mutator_choice(data, size, 5)) {
    case 0:
        taco_pq_schema_text(file, &err);
        taco_pq_meta_text(file, &err);
        taco_pq_verify(file, NULL, NULL, NULL, NULL);
        taco_pq_meta_json(file, &err);
        break;
    case 1:
        q.batch_rows = 4096;
        parquet_read(file, &q, TACO_FORMAT_NDJSON);
        break;
    case 2: parquet_columns(file); break;
    case 3: parquet_where(file); break;
    default: parquet_rows(file, data, size);
    }
    taco_pq_close(file);
    return 0;
}
