/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_write
   fuzz_write.c

   The input chooses columns, values and options. The file written has no faults or warnings, and is
   read back unchanged; exported as an Arrow stream and written again, it has no faults either. */
#define TACO__WRITE_TASK_LEAST ((uint64_t)1)
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"

#include "blocks.h"
#include "holds.h"
#include "tasks.h"

#include <stdio.h>

static const uint8_t *input;
static size_t input_left;
static uint64_t input_state;

/* From the bytes as long as there are any, then from a generator that they have seeded. */
static uint32_t any(uint32_t n)
{
    if (input_left) {
        input_left--;
        input_state = input_state * 257 + *input++;
        if (n <= 256) { return (uint32_t)(input[-1] % n); }
    }
    input_state = input_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(input_state >> 33) % n;
}

#include "../tests/batches.h"

static void options(taco_pq_write_options *o)
{
    static taco_options by_tasks, alone;
    static const size_t sizes[] = {0, 1, 7, 100, 3000};
    memset(o, 0, sizeof *o);
    o->row_group_rows = sizes[any(5)];
    o->page_rows = sizes[any(5)];
    o->page_bytes = sizes[any(5)];
    o->dictionary_bytes = sizes[any(5)];
    o->codec = (taco_codec)any(6);
    o->level = (int)any(8);
    o->encoding = any(2) ? (taco_encoding)any(8) : TACO_ENCODING_AUTO;
    o->pages_v2 = any(2) == 0;
    o->no_statistics = any(8) == 0;
    o->no_page_index = any(8) == 0;
    o->no_crc = any(8) == 0;
    o->bloom = any(3) == 0;
    o->content_defined = any(3) == 0;
    o->chunk_min = 1 + any(200);
    o->chunk_max = o->chunk_min + any(2000);
    o->arrow_schema = (taco_pq_hint)any(3);
    by_tasks.allocator = alone.allocator = &blocks;
    by_tasks.parallel_for = last_first;
    by_tasks.parallel_width = 3;
    o->options = any(4) ? &alone : &by_tasks;
}

static bool found(void *ctx, bool fault, const taco_error *what)
{
    (void)ctx;
    fprintf(stderr, "%s: %s\n", fault ? "fault" : "warning", taco_error_text(what));
    abort();
}

static taco_pq_file *reopen(const taco_sink *sink)
{
    taco_source src;
    taco_pq_file *file;
    taco_pq_checked sum;
    taco_source_memory(&src, taco_sink_bytes(sink).data, taco_sink_bytes(sink).len);
    file = taco_pq_open_source(&src, "written", NULL, NULL);
    HOLDS(file && taco_pq_verify(file, found, NULL, &sum, NULL) == TACO_OK);
    return file;
}

static void print(taco_printer *p, const taco_batch *b, char **text, size_t *len)
{
    taco_bytes t = taco_printer_batch(p, b, NULL);
    HOLDS(t.data);
    *text = (char *)realloc(*text, *len + t.len + 1);
    memcpy(*text + *len, t.data, t.len);
    *len += t.len;
}

static void compare(taco_pq_file *file, const taco_field *f, const taco_batch *b)
{
    taco_pq_reader *r = taco_pq_read(file, NULL, NULL);
    size_t n, want_len = 0, got_len = 0;
    const taco_field *fields = taco_pq_reader_fields(r, &n);
    taco_printer *p = taco_printer_open(f, b->column_count, TACO_FORMAT_NDJSON, NULL, NULL);
    taco_printer *q = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, NULL);
    char *want = NULL, *got = NULL;
    taco_batch part;
    if (b->length) { print(p, b, &want, &want_len); }
    while (taco_pq_reader_next(r, &part)) {
        print(q, &part, &got, &got_len);
    }
    HOLDS(taco_pq_reader_close(r, NULL) == TACO_OK);
    HOLDS(want_len == got_len && (want_len == 0 || memcmp(want, got, want_len) == 0));
    free(want);
    free(got);
    taco_printer_close(p);
    taco_printer_close(q);
}

static void again(taco_pq_file *file, const taco_pq_write_options *o)
{
    struct ArrowArrayStream s;
    taco_sink sink;
    HOLDS(taco_sink_memory(&sink, NULL, NULL) == TACO_OK);
    /* an INT96 may be beyond what Arrow's nanoseconds say */
    if (taco_pq_reader_export(taco_pq_read(file, NULL, NULL), true, &s, NULL) == TACO_OK &&
        taco_pq_write_stream(&sink, &s, o, NULL) == TACO_OK) {
        taco_pq_close(reopen(&sink));
    }
    taco_sink_free(&sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_field all[100], f[6];
    taco_array columns[6];
    taco_batch b;
    taco_pq_write_options o;
    taco_sink sink;
    taco_pq_writer *w;
    size_t n, i;
    taco_error err = {0};
    input = data;
    input_left = size;
    input_state = size;
    memset(&b, 0, sizeof b);
    n = all_fields(all);
    options(&o);
    b.column_count = 1 + any(6);
    /* few rows in most: a page or a row group of each row costs more than what is in it */
    b.length = any(8) ? any(20) : any(o.row_group_rows == 1 || o.page_rows == 1 ? 60 : 600);
    for (i = 0; i < b.column_count; i++) {
        f[i] = all[any((uint32_t)n)];
        columns[i] = fill(&f[i], b.length);
    }
    b.columns = columns;
    HOLDS(taco_sink_memory(&sink, NULL, NULL) == TACO_OK);
    w = taco_pq_write(&sink, f, b.column_count, &o, &err);
    taco_pq_writer_batch(w, &b);
    if (taco_pq_writer_close(w, &err) == TACO_OK && err.code == TACO_OK) {
        taco_pq_file *file = reopen(&sink);
        compare(file, f, &b);
        if (any(4) == 0) {
            again(file, &o); /* closes the file */
        } else {
            taco_pq_close(file);
        }
    } else {
        fprintf(stderr, "%s\n", taco_error_text(&err));
        abort();
    }
    taco_sink_free(&sink);
    forget();
    return 0;
}
