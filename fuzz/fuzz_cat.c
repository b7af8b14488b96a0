/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_cat
   fuzz_cat.c

   What `taco parquet cat`, `meta` and `verify` do with a file, with their limits except for 512 MB
   of memory. A file in which verify finds no fault must be readable. */
#include "../examples/system_codecs.h"
#define TACO__PAGE_INDEX_MIN_CHUNK 0
#define TACO__VERIFY_TASK_LEAST    ((uint64_t)1)
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_inspect.h"

#include "holds.h"
#include "mutator.h"
#include "tasks.h"

static bool cat_found(void *ctx, bool fault, const taco_error *what)
{
    (void)ctx;
    (void)fault;
    HOLDS(what->code != TACO_OK && what->text[0]);
    return true;
}

static taco_status cat_rows(taco_pq_file *file, const taco_options *opt, taco_error *err)
{
    size_t n;
    taco_batch batch;
    taco_pq_reader *rows = taco_pq_read(file, NULL, err);
    const taco_field *fields = taco_pq_reader_fields(rows, &n);
    taco_printer *p = rows ? taco_printer_open(fields, n, TACO_FORMAT_NDJSON, opt, err) : NULL;
    while (p && taco_pq_reader_next(rows, &batch) && taco_printer_batch(p, &batch, err).data) {}
    taco_printer_close(p);
    taco_pq_reader_close(rows, err);
    return err->code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_pq_file *file;
    taco_pq_checked sum;
    taco_status read, good;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    opt.limits.max_memory = (uint64_t)512 << 20;
    opt.parallel_for = size % 2 ? last_first : NULL;
    opt.parallel_width = 3;
    taco_source_memory(&src, data, size);
    file = taco_pq_open_source(&src, "cat.parquet", &opt, &err);
    HOLDS((file != NULL) == (err.code == TACO_OK) && (file || err.text[0]));
    if (!file) { return 0; }
    taco_pq_schema_text(file, &err);
    taco_pq_meta_text(file, &err);
    taco_pq_meta_json(file, &err);
    memset(&err, 0, sizeof err);
    read = cat_rows(file, &opt, &err);
    HOLDS((read == TACO_OK) == (err.text[0] == 0));
    memset(&err, 0, sizeof err);
    good = taco_pq_verify(file, cat_found, NULL, &sum, &err);
    HOLDS(good == err.code && (good == TACO_OK) == (sum.faults == 0));
    HOLDS(good != TACO_OK || sum.skipped || read == TACO_OK || read == TACO_ERR_LIMIT ||
          read == TACO_ERR_UNSUPPORTED);
    taco_pq_close(file);
    return 0;
}
