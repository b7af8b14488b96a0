/* Tasks on real threads give what the calling thread gives alone, errors and memory accounts among
   it. Build it with -DWITH_THREADS -pthread; -fsanitize=thread is what it is for. */
#ifdef WITH_THREADS
#define _POSIX_C_SOURCE 200809L
#endif
#include "test.h"

#include "../src/arrow/printer.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/scan.h"
#include "../taco_parquet.h"
#include "../taco_parquet_write.h"

#include "footer.h"
#include "make.h"

#ifdef WITH_THREADS
#include "../tool/pool.h"

#define ROWS  60000
#define GROUP 3000

typedef struct columns {
    int64_t *number;
    double *value;
    const char **text;
    uint8_t *null;
} columns;

static mk_buf make(size_t group)
{
    static const char *const words[] = {"red", "green", "blue", "", "a longer word, for once"};
    columns v;
    mk_col cols[3];
    mk_buf b;
    size_t i;
    v.number = (int64_t *)calloc(ROWS, sizeof *v.number);
    v.value = (double *)calloc(ROWS, sizeof *v.value);
    v.text = (const char **)calloc(ROWS, sizeof *v.text);
    v.null = (uint8_t *)calloc(ROWS, 1);
    for (i = 0; i < ROWS; i++) {
        v.number[i] = (int64_t)(i * 7919 % 100003);
        v.value[i] = (double)(i % 1000) / 8;
        v.null[i] = i % 13 == 5;
        v.text[i] = i % 17 ? words[i % 5] : NULL;
    }
    cols[0] = mk_i64("number", v.number);
    cols[1] = mk_f64("value", v.value);
    cols[1].null = v.null;
    cols[2] = mk_text("text", v.text);
    b = mk_parquet(cols, 3, ROWS, group);
    free(v.number);
    free(v.value);
    free((void *)v.text);
    free(v.null);
    return b;
}

/* XXH64 of the rows as NDJSON, whatever the batches. */
static uint64_t answer(const mk_buf *b, const taco_pq_query *q, pool *threads, uint64_t max_memory,
                       taco_error *err, uint64_t *peak)
{
    taco_options opt;
    taco_source src;
    taco_pq_file *f;
    taco_pq_reader *r;
    taco_printer *p;
    const taco_field *fields;
    taco_batch batch;
    taco__xxh64 h;
    size_t n, before;
    memset(&opt, 0, sizeof opt);
    memset(err, 0, sizeof *err);
    opt.limits.max_memory = max_memory;
    if (threads) {
        opt.parallel_for = pool_for;
        opt.parallel_ctx = threads;
        opt.parallel_width = threads->threads;
    }
    taco__xxh64_init(&h, 0);
    taco_source_memory(&src, b->data, b->len);
    f = taco_pq_open_source(&src, "made", &opt, err);
    before = f ? (size_t)f->mem->used : 0;
    r = taco_pq_read(f, q, err);
    fields = taco_pq_reader_fields(r, &n);
    p = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, NULL);
    while (taco_pq_reader_next(r, &batch)) {
        taco_bytes t = taco_printer_batch(p, &batch, err);
        taco__xxh64_update(&h, t.data, t.len);
    }
    taco_printer_close(p);
    *peak = f ? f->mem->peak : 0;
    taco_pq_reader_close(r, err);
    CHECK(!f || f->mem->used <= before + (1 << 20)); /* codecs and indexes stay with the file */
    taco_pq_close(f);
    return taco__xxh64_digest(&h);
}

static void test_same(void)
{
    static const char *const where[] = {NULL,
                                        "value < 20",
                                        "number < 10",
                                        "text = 'red'",
                                        "text is null or value > 124",
                                        "number % 2 = 1"};
    mk_buf b = make(GROUP);
    taco_pq_query q;
    taco_error e, alone_error;
    uint64_t peak;
    size_t i, k, threads;
    for (threads = 2; threads <= 4; threads += 2) {
        pool p;
        pool_open(&p, threads);
        for (i = 0; i < TACO__COUNT(where); i++) {
            for (k = 0; k < 3; k++) {
                uint64_t alone;
                memset(&q, 0, sizeof q);
                q.where = where[i];
                /* 1001: slices inside a byte */
                q.batch_rows = k == 1 ? 1000 : k == 2 ? 1001 : 0;
                q.limit = k == 2 ? 20011 : 0;
                alone = answer(&b, &q, NULL, 0, &alone_error, &peak);
                CHECK(answer(&b, &q, &p, 0, &e, &peak) == alone);
                CHECK_TEXT(e.text, alone_error.text);
            }
        }
        pool_close(&p);
    }
    free(b.data);
}

/* The same query over an open file: pages that tasks of one have kept are read by those of the
   next, blocks too. The most lanes there were. */
static size_t again(size_t group, const char *where)
{
    mk_buf b = make(group);
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_pq_file *f;
    taco_pq_query q;
    size_t k, lanes = 0, rows[2] = {0, 0};
    int64_t sums[2] = {0, 0};
    pool p;
    pool_open(&p, 3);
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    opt.parallel_for = pool_for;
    opt.parallel_ctx = &p;
    opt.parallel_width = 3;
    taco_source_memory(&src, b.data, b.len);
    src.view = NULL; /* pages that are not compressed are kept, too */
    f = taco_pq_open_source(&src, "made", &opt, &err);
    q.where = where;
    for (k = 0; k < 5; k++) {
        taco_pq_reader *r = taco_pq_read(f, &q, &err);
        taco_batch batch;
        size_t i, n = 0;
        int64_t sum = 0;
        while (taco_pq_reader_next(r, &batch)) {
            for (i = 0; i < batch.length; i++) {
                sum += taco_array_int(&batch.columns[0], i) * (int64_t)(n + i);
                sum += (int64_t)taco_array_bytes(&batch.columns[2], i).len;
            }
            n += batch.length;
            lanes = TACO__MAX(lanes, r->scan.tasks.reader_count);
        }
        taco_pq_reader_close(r, &err);
        CHECK_TEXT(err.text, "");
        rows[k > 0] = n;
        sums[k > 0] = sum;
        CHECK(k == 0 || (rows[1] == rows[0] && sums[1] == sums[0]));
    }
    CHECK(f->mem->cache.bytes > 0 && rows[0] > 1000);
    taco_pq_close(f);
    pool_close(&p);
    free(b.data);
    return lanes;
}

static void test_again(void)
{
    CHECK(again(GROUP, "value < 100") == 3);
    CHECK(again(40000, "value < 30") == 4);  /* kept pages: cut for three tasks, once more */
    CHECK(again(40000, "value < 900") == 3); /* lanes that the cache holds */
}

/* A broken page is the same error, at the same place, behind the same rows. */
static void test_errors(void)
{
    mk_buf b = make(GROUP);
    taco_pq_query q;
    taco_error e, alone_error;
    uint64_t alone, peak;
    size_t i;
    pool p;
    pool_open(&p, 3);
    memset(&q, 0, sizeof q);
    q.where = "value < 100";
    for (i = 5000; i < b.len; i += b.len / 7) {
        size_t k;
        for (k = 0; k < 64; k++) {
            b.data[i + k] ^= 0xFF;
        }
        alone = answer(&b, &q, NULL, 0, &alone_error, &peak);
        CHECK(answer(&b, &q, &p, 0, &e, &peak) == alone || alone_error.code != TACO_OK);
        CHECK_TEXT(e.text, alone_error.text);
        for (k = 0; k < 64; k++) {
            b.data[i + k] ^= 0xFF;
        }
    }
    pool_close(&p);
    free(b.data);
}

/* What tasks hold counts, and a limit that leaves no room for them leaves room for the rows. */
static void test_limits(void)
{
    mk_buf b = make(GROUP);
    taco_pq_query q;
    taco_error e;
    uint64_t alone, peak, most;
    pool p;
    pool_open(&p, 4);
    memset(&q, 0, sizeof q);
    alone = answer(&b, &q, NULL, 0, &e, &peak);
    for (most = peak + (1 << 19); most < peak * 16; most += most / 3) {
        uint64_t now;
        CHECK(answer(&b, &q, &p, most, &e, &now) == alone);
        CHECK_TEXT(e.text, "");
        CHECK(now <= most);
    }
    pool_close(&p);
    free(b.data);
}

int main(void)
{
    RUN(test_same);
    RUN(test_again);
    RUN(test_errors);
    RUN(test_limits);
    return test_end("test_threads");
}
#else
int main(void)
{
    puts("SKIPPED tests/test_threads.c: no POSIX threads");
    return test_end("test_threads");
}
#endif
