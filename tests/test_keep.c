/* Pages that a handle caches uncompressed: the same results with and without, no bytes read twice,
   a bounded size, and no error if there is no memory for them. */
#include "../src/arrow/printer.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/filter.h"
#include "../src/parquet_write/parquet_write.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

#include "alloc.h"

enum { ROWS = 1500, GROUP = 600, STEP = 250 };

static uint32_t seed;

static uint32_t any(uint32_t n)
{
    seed = seed * 1664525U + 1013904223U;
    return (seed >> 8) % n;
}

#include "batches.h"

static taco_sink sink;

/* Columns of all types, with and without dictionaries, in compressed pages of a few hundred
   rows. */
static void write_some(taco_codec codec, bool index, const size_t *which, size_t few_columns,
                       size_t rows)
{
    taco_field f[100];
    taco_array a[100];
    taco_batch b;
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_writer *w;
    size_t i, n = all_fields(f), at;
    seed = 1;
    for (i = 0; i < few_columns; i++) {
        f[i] = f[which[i]];
    }
    n = few_columns ? few_columns : n;
    memset(&o, 0, sizeof o);
    memset(&b, 0, sizeof b);
    o.row_group_rows = GROUP;
    o.page_rows = 150;
    o.codec = codec;
    o.no_page_index = !index;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(&sink, f, n, &o, &err);
    for (at = 0; at < rows; at += STEP) {
        for (i = 0; i < n; i++) {
            a[i] = fill(&f[i], STEP);
        }
        b.columns = a;
        b.column_count = n;
        b.length = STEP;
        CHECK(taco_pq_writer_batch(w, &b) == TACO_OK);
    }
    CHECK(taco_pq_writer_close(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    forget();
}

static void write_file(taco_codec codec, bool index)
{
    write_some(codec, index, NULL, 0, ROWS);
}

/* ---- sources and tasks ---- */

typedef enum how { LOCAL = 0, MANY, VIEW, TASKS, TASKS_MANY, HOWS } how;

static size_t bytes_read;

static bool count_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    bytes_read += len;
    memcpy(dst, taco_sink_bytes(&sink).data + offset, len);
    return true;
}

static bool count_many(void *ctx, const taco_piece *reads, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        count_read(ctx, reads[i].offset, reads[i].dst, reads[i].len);
    }
    return true;
}

static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    while (n) {
        task(arg, --n);
    }
}

static taco_pq_file *open_file(how h, taco_options *opt, taco_error *err)
{
    taco_source src;
    taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    if (h != VIEW) {
        src.read = count_read;
        src.view = NULL;
        src.read_many = h == MANY || h == TASKS_MANY ? count_many : NULL;
    }
    opt->parallel_for = h == TASKS || h == TASKS_MANY ? backwards : NULL;
    opt->parallel_width = 3;
    return taco_pq_open_source(&src, "made", opt, err);
}

/* ---- queries ---- */

static const char *const where[] = {NULL, "c9 > 0", "c53 is null", "c25 > 0 and c24 < 0",
                                    "c11 is not null"};
static const char *const few[] = {"c8", "c11", "c25", "c52", "c53", "list"};

typedef struct answer {
    uint64_t hash; /* FNV-1a of the rows as NDJSON */
    size_t rows, bytes;
} answer;

static answer ask(taco_pq_file *f, const taco_pq_query *q, taco_error *err)
{
    answer a = {UINT64_C(14695981039346656037), 0, 0};
    taco_pq_reader *r;
    taco_printer *p;
    const taco_field *fields;
    taco_batch b;
    size_t n, i;
    bytes_read = 0;
    r = taco_pq_read(f, q, err);
    fields = taco_pq_reader_fields(r, &n);
    p = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, NULL);
    while (r && taco_pq_reader_next(r, &b)) {
        taco_bytes t = taco_printer_batch(p, &b, NULL);
        for (i = 0; i < t.len; i++) {
            a.hash = (a.hash ^ t.data[i]) * UINT64_C(1099511628211);
        }
        a.rows += b.length;
    }
    taco_printer_close(p);
    taco_pq_reader_close(r, err);
    a.bytes = bytes_read;
    return a;
}

static taco_pq_query query(size_t i, bool all)
{
    taco_pq_query q;
    memset(&q, 0, sizeof q);
    q.where = where[i];
    q.columns = all ? NULL : few;
    q.column_count = all ? 0 : sizeof few / sizeof *few;
    return q;
}

/* The same rows each time, from any kind of source, with the cache and without; from the third time
   on nothing is read. */
static void same_answers(void)
{
    size_t h, i, k, file;
    for (file = 0; file < 3; file++) {
        write_file(file == 0   ? TACO_CODEC_ZSTD
                   : file == 1 ? TACO_CODEC_SNAPPY
                               : TACO_CODEC_NONE,
                   file != 0);
        for (h = 0; h < HOWS; h++) {
            taco_options opt, none;
            taco_error err = {0, TACO_OK, 0, {0}};
            taco_pq_file *with, *without;
            memset(&opt, 0, sizeof opt);
            memset(&none, 0, sizeof none);
            none.limits.max_cache = 1;
            with = open_file((how)h, &opt, &err);
            without = open_file((how)h, &none, &err);
            for (i = 0; i < sizeof where / sizeof *where; i++) {
                taco_pq_query q = query(i, i == 0 && h % 2);
                answer want = ask(without, &q, &err), again = ask(without, &q, &err), got;
                CHECK(again.hash == want.hash && (h == VIEW || again.bytes > 0));
                for (k = 0; k < 4; k++) {
                    got = ask(with, &q, &err);
                    CHECK(got.hash == want.hash && got.rows == want.rows);
                    if (k >= 2 && got.bytes) {
                        printf("file %u, source %u, query %u, time %u: %u bytes\n", (unsigned)file,
                               (unsigned)h, (unsigned)i, (unsigned)k, (unsigned)got.bytes);
                    }
                    CHECK(k < 2 || got.bytes == 0);
                }
            }
            taco_pq_close(with);
            taco_pq_close(without);
            CHECK_TEXT(taco_error_text(&err), "");
        }
        taco_sink_free(&sink);
    }
}

/* ---- memory ---- */

/* Queries of different columns, again and again. What the file holds afterwards, and the most it
   held. */
static size_t work(how h, uint64_t cache, size_t times, size_t *peak)
{
    taco_options opt;
    taco_allocator a;
    test_memory m;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_file *f;
    size_t i, live;
    test_counted(&opt, &a, &m);
    opt.limits.max_cache = cache;
    f = open_file(h, &opt, &err);
    for (i = 0; i < times; i++) {
        taco_pq_query q = query(i % 5, i == 7 || i == 8);
        ask(f, &q, &err);
    }
    live = m.live;
    *peak = m.peak;
    taco_pq_close(f);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(m.live == 0);
    return live;
}

static void bounded(void)
{
    size_t h;
    write_file(TACO_CODEC_ZSTD, true);
    for (h = 0; h < HOWS; h++) {
        const size_t most = 300000, little = 64 * 1024; /* what is known of chunks */
        size_t peak, peak_none, none = work((how)h, 1, 20, &peak_none),
                                live = work((how)h, most, 20, &peak);
        CHECK(live <= none + most + little && live > none + most / 2);
        CHECK(peak <= peak_none + most + little);
        live = work((how)h, most, 1, &peak); /* read once: nothing is kept */
        none = work((how)h, 1, 1, &peak_none);
        CHECK(live <= none + little && peak <= peak_none + little);
    }
    taco_sink_free(&sink);
}

/* A query that needs more than there is room for finds a part of it each time; others take its
   place in the end. */
static void change_of_mind(void)
{
    size_t h;
    write_file(TACO_CODEC_ZSTD, true);
    for (h = 0; h < HOWS; h++) {
        static const char *const one[] = {"c8"}, *const other[] = {"c52"};
        taco_options opt;
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_pq_file *f;
        taco_pq_query q;
        answer a[12];
        size_t i;
        if (h == VIEW) { continue; }
        memset(&opt, 0, sizeof opt);
        opt.limits.max_cache = 150000;
        f = open_file((how)h, &opt, &err);
        q = query(0, true);
        for (i = 0; i < 8; i++) {
            a[i] = ask(f, &q, &err);
            CHECK(a[i].hash == a[0].hash);
        }
        CHECK(a[7].bytes < a[0].bytes && a[7].bytes > 0 && a[7].bytes == a[6].bytes);
        memset(&q, 0, sizeof q);
        q.columns = one;
        q.column_count = 1;
        for (i = 0; i < 12; i++) {
            a[i] = ask(f, &q, &err);
            CHECK(a[i].hash == a[0].hash);
        }
        CHECK(a[11].bytes == 0);
        q.columns = other;
        for (i = 0; i < 12; i++) {
            a[i] = ask(f, &q, &err);
        }
        CHECK(a[11].bytes == 0);
        taco_pq_close(f);
        CHECK_TEXT(taco_error_text(&err), "");
    }
    taco_sink_free(&sink);
}

/* Cursors that are open at the same time, over what is kept and over what gives way. */
static void interleaved(void)
{
    size_t h;
    write_file(TACO_CODEC_ZSTD, true);
    for (h = 0; h < HOWS; h++) {
        taco_options opt;
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_pq_file *f;
        taco_pq_query q = query(0, false), other;
        taco_pq_reader *slow;
        taco_batch b;
        answer want;
        size_t i = 0, rows = 0;
        memset(&opt, 0, sizeof opt);
        opt.limits.max_cache = 200000;
        f = open_file((how)h, &opt, &err);
        want = ask(f, &q, &err);
        ask(f, &q, &err);
        q.batch_rows = 250;
        slow = taco_pq_read(f, &q, &err);
        while (taco_pq_reader_next(slow, &b)) {
            if (rows % 500 == 0) { /* others come and go meanwhile */
                other = query(i % 5, i % 2 == 0);
                ask(f, &other, &err);
                ask(f, &other, &err);
                i++;
            }
            rows += b.length;
        }
        CHECK(rows == want.rows);
        taco_pq_reader_close(slow, &err);
        q.batch_rows = 0;
        CHECK(ask(f, &q, &err).hash == want.hash);
        taco_pq_close(f);
        CHECK_TEXT(taco_error_text(&err), "");
    }
    taco_sink_free(&sink);
}

/* Each allocation fails once, and all from each on: an error or the answer, and nothing is lost. Of
   those that are for the cache none is an error. */
static void every_allocation(void)
{
    static const char *const names[] = {"c11", "c52"};
    size_t h, all, k, i, spared = 0;
    static const size_t which[] = {8, 9, 11, 52};
    write_some(TACO_CODEC_SNAPPY, true, which, 4, 1000);
    for (h = LOCAL; h <= TASKS; h += TASKS - LOCAL) {
        for (all = 0; all < 2; all++) {
            uint64_t want = 0;
            bool done = false;
            for (k = 0; !done; k++) {
                taco_options opt;
                taco_allocator a;
                test_memory m;
                taco_error err = {0, TACO_OK, 0, {0}};
                taco_pq_file *f;
                taco_pq_query q;
                test_counted(&opt, &a, &m);
                memset(&q, 0, sizeof q);
                q.where = "c9 > 0";
                q.columns = names;
                q.column_count = 2;
                m.fail_at = k;
                m.all_after = all;
                f = open_file((how)h, &opt, &err);
                for (i = 0; i < 3 && !err.code; i++) {
                    answer got = ask(f, &q, &err);
                    want = k ? want : got.hash;
                    CHECK(err.code || got.hash == want);
                }
                CHECK(!err.code || err.code == TACO_ERR_MEMORY);
                done = k && m.calls < k;
                spared += !done && k && !err.code;
                taco_pq_close(f);
                CHECK(m.live == 0);
                if (test_bad > 20) { return; }
            }
        }
    }
    CHECK(spared > 20);
    taco_sink_free(&sink);
}

/* A page that does not fit its CRC is the same error each time, and what was read before it is
   still right. */
static void damaged(void)
{
    size_t h;
    write_file(TACO_CODEC_ZSTD, true);
    for (h = 0; h < HOWS; h++) {
        taco_options opt;
        taco_error first, err = {0, TACO_OK, 0, {0}};
        taco_pq_file *f;
        taco_pq_query q = query(0, false);
        uint8_t *at =
            (uint8_t *)(uintptr_t)taco_sink_bytes(&sink).data + taco_sink_bytes(&sink).len * 2 / 5;
        size_t i, rows = 0;
        memset(&opt, 0, sizeof opt);
        memset(&first, 0, sizeof first);
        q.columns = NULL;
        f = open_file((how)h, &opt, &err);
        *at ^= 0x55;
        for (i = 0; i < 4; i++) {
            answer a;
            memset(&err, 0, sizeof err);
            a = ask(f, &q, &err);
            CHECK(err.code != TACO_OK && a.rows < ROWS);
            first = i ? first : err;
            rows = i ? rows : a.rows;
            CHECK_TEXT(taco_error_text(&err), taco_error_text(&first));
            CHECK(a.rows == rows);
        }
        *at ^= 0x55;
        memset(&err, 0, sizeof err);
        CHECK(ask(f, &q, &err).rows == ROWS && !err.code);
        taco_pq_close(f);
    }
    taco_sink_free(&sink);
}

int main(void)
{
    RUN(same_answers);
    RUN(bounded);
    RUN(change_of_mind);
    RUN(interleaved);
    RUN(every_allocation);
    RUN(damaged);
    return test_end("test_keep");
}
