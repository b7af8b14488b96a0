/* Tasks on real threads give the same as the calling thread alone: results, errors, memory
   accounting, the bytes of a Parquet file, problems found by validation. Build with -DWITH_THREADS
   -pthread; it is intended for -fsanitize=thread. */
#ifdef WITH_THREADS
#define _POSIX_C_SOURCE 200809L
#endif
#include "test.h"

#include "../src/arrow/printer.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/scan.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"
#include "../extra/taco_write.h"

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

/* ---- files written ---- */

static void use(taco_options *opt, pool *threads)
{
    memset(opt, 0, sizeof *opt);
    if (threads) {
        opt->parallel_for = pool_for;
        opt->parallel_ctx = threads;
        opt->parallel_width = threads->threads;
    }
}

/* The rows of a file `times` times, written with or without tasks. */
static mk_buf copy(const mk_buf *b, taco_pq_write_options o, int times, pool *threads)
{
    taco_options opt;
    taco_source src;
    taco_sink sink;
    taco_error err;
    taco_pq_file *f;
    taco_pq_writer *w = NULL;
    mk_buf out = {NULL, 0, 0};
    taco_bytes made;
    use(&opt, threads);
    memset(&err, 0, sizeof err);
    o.options = &opt;
    taco_source_memory(&src, b->data, b->len);
    f = taco_pq_open_source(&src, "made", NULL, &err);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    for (; times; times--) {
        taco_pq_reader *r = taco_pq_read(f, NULL, &err);
        taco_batch batch;
        size_t n;
        const taco_field *fields = taco_pq_reader_fields(r, &n);
        if (!w) { w = taco_pq_write(&sink, fields, n, &o, &err); }
        while (taco_pq_reader_next(r, &batch)) {
            CHECK(taco_pq_writer_batch(w, &batch) == TACO_OK);
        }
        taco_pq_reader_close(r, &err);
    }
    CHECK(taco_pq_writer_close(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    made = taco_sink_bytes(&sink);
    mk_add(&out, made.data, made.len);
    taco_sink_free(&sink);
    taco_pq_close(f);
    return out;
}

static void check_copy(const mk_buf *b, const taco_pq_write_options *o, int times, pool *threads)
{
    mk_buf alone = copy(b, *o, times, NULL), with = copy(b, *o, times, threads);
    CHECK(alone.len == with.len && memcmp(alone.data, with.data, with.len) == 0);
    free(alone.data);
    free(with.data);
}

/* The bytes of a file are those of one thread, whatever its options. */
static void test_written(void)
{
    static const taco_codec codecs[] = {TACO_CODEC_NONE, TACO_CODEC_SNAPPY, TACO_CODEC_GZIP,
                                        TACO_CODEC_ZSTD, TACO_CODEC_LZ4};
    mk_buf b = make(GROUP);
    taco_pq_write_options o;
    size_t i;
    pool p;
    pool_open(&p, 3);
    for (i = 0; i < TACO__COUNT(codecs); i++) {
        memset(&o, 0, sizeof o);
        o.codec = codecs[i];
        o.page_rows = 1500;
        check_copy(&b, &o, 1, &p);
        o.bloom = o.pages_v2 = true;
        o.page_bytes = 5000;
        o.dictionary_bytes = 20000;
        o.row_group_rows = 25000;
        check_copy(&b, &o, 1, &p);
    }
    memset(&o, 0, sizeof o);
    o.content_defined = true;
    check_copy(&b, &o, 1, &p);
    /* row groups of several rounds */
    memset(&o, 0, sizeof o);
    o.row_group_rows = 10 * ROWS;
    check_copy(&b, &o, 12, &p);
    pool_close(&p);
    free(b.data);
}

typedef struct narrow {
    uint64_t left; /* bytes that go in */
    bool kept;
} narrow;

static bool narrow_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    narrow *n = (narrow *)ctx;
    (void)offset;
    (void)src;
    if (len > n->left) { return false; }
    n->left -= len;
    return true;
}

static bool narrow_close(void *ctx, bool keep)
{
    ((narrow *)ctx)->kept = keep;
    return true;
}

/* The failure of a file that is written into `room` bytes. */
static taco_error fail_to_write(const mk_buf *b, uint64_t room, pool *threads)
{
    taco_options opt;
    taco_pq_write_options o;
    taco_source src;
    taco_sink sink;
    taco_error err, failed;
    taco_pq_file *f;
    taco_pq_reader *r;
    taco_pq_writer *w;
    taco_batch batch;
    narrow n;
    size_t count;
    use(&opt, threads);
    memset(&err, 0, sizeof err);
    memset(&failed, 0, sizeof failed);
    memset(&o, 0, sizeof o);
    memset(&sink, 0, sizeof sink);
    n.left = room;
    n.kept = true;
    sink.ctx = &n;
    sink.write = narrow_write;
    sink.close = narrow_close;
    o.options = &opt;
    taco_source_memory(&src, b->data, b->len);
    f = taco_pq_open_source(&src, "made", NULL, &err);
    r = taco_pq_read(f, NULL, &err);
    w = taco_pq_write(&sink, taco_pq_reader_fields(r, &count), 3, &o, &failed);
    while (w && taco_pq_reader_next(r, &batch) && taco_pq_writer_batch(w, &batch) == TACO_OK) {}
    taco_pq_reader_close(r, &err);
    taco_pq_writer_close(w, &failed);
    CHECK(failed.code == TACO_ERR_IO && !n.kept);
    taco_pq_close(f);
    return failed;
}

/* ---- batches that several threads add ---- */

#define WIDE      5
#define WIDE_TEXT 150

/* A batch of ROWS rows: a text of more bytes than a task gives a leaf, and numbers. */
typedef struct wide {
    taco_field fields[WIDE];
    taco_array columns[WIDE];
    taco_batch batch;
    char *text;
    int32_t *offsets;
    int64_t *numbers;
    uint8_t *valid[WIDE];
} wide;

static void wide_make(wide *v)
{
    static const char *const names[WIDE] = {"text", "a", "b", "c", "d"};
    size_t i;
    memset(v, 0, sizeof *v);
    v->text = (char *)calloc(ROWS, WIDE_TEXT);
    v->offsets = (int32_t *)calloc(ROWS + 1, sizeof *v->offsets);
    v->numbers = (int64_t *)calloc(ROWS, sizeof *v->numbers);
    for (i = 0; i < ROWS; i++) {
        sprintf(v->text + i * WIDE_TEXT + i % 100, "%u", (unsigned)(i * 7919 % 100003));
        v->numbers[i] = (int64_t)(i * 7919 % 100003);
        v->offsets[i + 1] = (int32_t)((i + 1) * WIDE_TEXT);
    }
    for (i = 0; i < WIDE; i++) {
        v->valid[i] = (uint8_t *)malloc(ROWS / 8 + 1);
        memset(v->valid[i], 0xFF, ROWS / 8 + 1);
        v->fields[i].name = names[i];
        v->fields[i].type = i ? TACO_INT64 : TACO_TEXT;
        v->fields[i].width = i ? 8 : 0;
        v->columns[i].field = &v->fields[i];
        v->columns[i].length = ROWS;
        v->columns[i].validity = v->valid[i];
        v->columns[i].offsets = i ? NULL : v->offsets;
        v->columns[i].v.any = i ? (const void *)v->numbers : (const void *)v->text;
    }
    v->batch.length = ROWS;
    v->batch.columns = v->columns;
    v->batch.column_count = WIDE;
}

static void wide_free(wide *v)
{
    size_t i;
    for (i = 0; i < WIDE; i++) {
        free(v->valid[i]);
    }
    free(v->text);
    free(v->offsets);
    free(v->numbers);
}

/* The file of a batch, three times; *err tells why there is none. */
static mk_buf wide_write(const wide *v, uint64_t memory, pool *threads, taco_error *err)
{
    taco_options opt;
    taco_pq_write_options o;
    taco_sink sink;
    taco_pq_writer *w;
    mk_buf out = {NULL, 0, 0};
    taco_bytes made;
    int i;
    use(&opt, threads);
    opt.limits.max_memory = memory;
    memset(&o, 0, sizeof o);
    memset(err, 0, sizeof *err);
    o.options = &opt;
    o.row_group_rows = 100000;
    CHECK(taco_sink_memory(&sink, NULL, err) == TACO_OK);
    w = taco_pq_write(&sink, v->fields, WIDE, &o, err);
    for (i = 0; i < 3 && taco_pq_writer_batch(w, &v->batch) == TACO_OK; i++) {}
    taco_pq_writer_close(w, err);
    made = taco_sink_bytes(&sink);
    if (err->code == TACO_OK) { mk_add(&out, made.data, made.len); }
    taco_sink_free(&sink);
    return out;
}

static void check_wide(const wide *v, uint64_t memory, pool *threads)
{
    taco_error alone, with;
    mk_buf a = wide_write(v, memory, NULL, &alone), b = wide_write(v, memory, threads, &with);
    CHECK(a.len == b.len && (!a.len || memcmp(a.data, b.data, a.len) == 0));
    CHECK(alone.code == with.code);
    CHECK_TEXT(with.text, alone.text);
    free(a.data);
    free(b.data);
}

/* Leaves that tasks fill are those of one thread, and so is the first failure: of the row that comes
   first, whichever column it is in. */
static void test_added(void)
{
    wide v;
    taco_error err;
    mk_buf none;
    pool p;
    pool_open(&p, 3);
    wide_make(&v);
    check_wide(&v, 0, &p);
    /* too little for tasks, and too little */
    check_wide(&v, (uint64_t)24 << 20, &p);
    check_wide(&v, (uint64_t)1 << 20, &p);
    v.valid[1][20000 / 8] = 0;
    check_wide(&v, 0, &p);
    v.valid[3][9000 / 8] = 0;
    check_wide(&v, 0, &p);
    none = wide_write(&v, 0, &p, &err);
    CHECK(!none.data && strncmp(err.text, "column 'c': null in field 'c'", 29) == 0);
    wide_free(&v);
    pool_close(&p);
}

static void test_write_errors(void)
{
    mk_buf b = make(GROUP);
    uint64_t room;
    pool p;
    pool_open(&p, 3);
    for (room = 0; room < 120000; room += 30000) {
        taco_error alone = fail_to_write(&b, room, NULL), with = fail_to_write(&b, room, &p);
        CHECK_TEXT(with.text, alone.text);
    }
    pool_close(&p);
    free(b.data);
}

/* ---- checkers ---- */

#define PLACE "build/test_threads.tmp"

/* What a checker says: every finding, and how far it is. */
typedef struct told {
    taco__xxh64 hash;
    size_t count, most; /* ends the work at the most-th; 0: never */
} told;

static bool tell(told *t, bool grave, const char *where, const char *what)
{
    char kind = grave ? 'e' : 'w';
    taco__xxh64_update(&t->hash, &kind, 1);
    taco__xxh64_update(&t->hash, where, strlen(where));
    taco__xxh64_update(&t->hash, what, strlen(what));
    return ++t->count != t->most;
}

static bool tell_finding(void *ctx, bool fault, const taco_error *what)
{
    return tell((told *)ctx, fault, "", what->text);
}

static bool tell_problem(void *ctx, const taco_problem *p)
{
    return tell((told *)ctx, p->error, p->where, p->message);
}

static bool tell_progress(void *ctx, uint64_t done, uint64_t total)
{
    told *t = (told *)ctx;
    taco__xxh64_update(&t->hash, &done, sizeof done);
    taco__xxh64_update(&t->hash, &total, sizeof total);
    return !t->most || done < t->most << 20;
}

static void save(const mk_buf *b)
{
    FILE *f = fopen(PLACE, "wb");
    CHECK(f && fwrite(b->data, 1, b->len, f) == b->len);
    if (f) { fclose(f); }
}

/* 0: the bytes are shown; 1: read; 2: a file of the system's */
static void source_of(const mk_buf *b, int way, taco_source *src)
{
    taco_source_memory(src, b->data, b->len);
    if (way == 1) { src->view = NULL; }
    if (way == 2) { CHECK(taco_source_file(src, PLACE, NULL) == TACO_OK); }
}

/* What taco_pq_verify finds and counts. quiet: without `found`. */
static uint64_t verify(const mk_buf *b, int way, size_t most, bool quiet, pool *threads,
                       taco_pq_checked *sum, taco_error *err)
{
    taco_options opt;
    taco_source src;
    taco_pq_file *f;
    told t;
    uint64_t before;
    use(&opt, threads);
    memset(&t, 0, sizeof t);
    memset(err, 0, sizeof *err);
    memset(sum, 0, sizeof *sum);
    t.most = most;
    taco__xxh64_init(&t.hash, 0);
    source_of(b, way, &src);
    f = taco_pq_open_source(&src, "made", &opt, err);
    before = f ? f->mem->used : 0;
    taco_pq_verify(f, quiet ? NULL : tell_finding, &t, sum, err);
    CHECK(!f || f->mem->used <= before + (1 << 20)); /* codecs stay with the file */
    taco_pq_close(f);
    return taco__xxh64_digest(&t.hash);
}

static void check_verify(const mk_buf *b, int way, pool *threads)
{
    size_t most;
    for (most = 0; most < 6; most += 2) {
        bool quiet = most == 4;
        taco_pq_checked alone_sum, sum;
        taco_error alone_error, e;
        uint64_t alone = verify(b, way, most, quiet, NULL, &alone_sum, &alone_error);
        CHECK(verify(b, way, most, quiet, threads, &sum, &e) == alone);
        CHECK(memcmp(&sum, &alone_sum, sizeof sum) == 0);
        CHECK_TEXT(e.text, alone_error.text);
    }
}

/* Findings of taco_pq_verify come in the order of the file, with the counts of one thread. */
static void test_verified(void)
{
    mk_buf plain = make(GROUP), b;
    taco_pq_write_options o;
    size_t i, k;
    int way;
    pool p;
    pool_open(&p, 3);
    memset(&o, 0, sizeof o);
    o.row_group_rows = 5000;
    o.page_rows = 400;
    o.bloom = true;
    b = copy(&plain, o, 1, NULL);
    for (way = 0; way < 3; way++) {
        save(&b);
        check_verify(&b, way, &p);
        for (k = 1; k < 3; k++) { /* few faults, and then many */
            for (i = 3000; i < b.len - 100000; i += b.len / (k * k * 7)) {
                b.data[i] ^= 0xFF;
            }
            save(&b);
            check_verify(&b, way, &p);
        }
        free(b.data);
        b = copy(&plain, o, 1, NULL);
    }
    remove(PLACE);
    pool_close(&p);
    free(b.data);
    free(plain.data);
}

/* An archive of small payloads and one of several pieces. */
static mk_buf make_archive(void)
{
    static const char text[] = "{\"id\":\"made\",\"dataset_version\":\"1.0.0\",\"description\":"
                               "\"d\",\"licenses\":[\"CC0-1.0\"],\"providers\":[{\"name\":\"x\"}],"
                               "\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\"}";
    const size_t large = ((size_t)9 << 20) + 12345;
    uint8_t *payload = (uint8_t *)malloc(large);
    mk_buf out = {NULL, 0, 0};
    taco_error err;
    taco_sink sink;
    taco_writer *w;
    taco_bytes made;
    size_t i;
    memset(&err, 0, sizeof err);
    for (i = 0; i < large; i++) {
        payload[i] = (uint8_t)(i * 7919 >> 5);
    }
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, text, sizeof text - 1);
    for (i = 0; i < 200; i++) {
        char id[16];
        sprintf(id, "s%03d", (int)i);
        taco_writer_bytes(w, id, payload + i, i == 100 ? large - 200 : i % 7 * 3001);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    made = taco_sink_bytes(&sink);
    mk_add(&out, made.data, made.len);
    taco_sink_free(&sink);
    free(payload);
    return out;
}

static uint64_t validate(const mk_buf *b, int way, size_t most, pool *threads, taco_validated *sum,
                         taco_error *err)
{
    taco_options opt;
    taco_validate_options how;
    taco_source src;
    told t;
    use(&opt, threads);
    memset(&t, 0, sizeof t);
    memset(&how, 0, sizeof how);
    memset(err, 0, sizeof *err);
    memset(sum, 0, sizeof *sum);
    t.most = most;
    taco__xxh64_init(&t.hash, 0);
    how.deep = true;
    how.found = tell_problem;
    how.progress = tell_progress;
    how.ctx = &t;
    source_of(b, way, &src);
    taco_validate_source(&src, "made", &opt, &how, sum, err);
    return taco__xxh64_digest(&t.hash);
}

static void check_validate(const mk_buf *b, pool *threads)
{
    int way;
    size_t most;
    save(b);
    for (way = 0; way < 3; way++) {
        for (most = 0; most < 4; most++) {
            taco_validated alone_sum, sum;
            taco_error alone_error, e;
            uint64_t alone = validate(b, way, most, NULL, &alone_sum, &alone_error);
            CHECK(validate(b, way, most, threads, &sum, &e) == alone);
            CHECK(memcmp(&sum, &alone_sum, sizeof sum) == 0);
            CHECK_TEXT(e.text, alone_error.text);
        }
    }
    remove(PLACE);
}

/* Payloads of an archive, read side by side: problems in the order of the file, progress too. */
static void test_validated(void)
{
    mk_buf b = make_archive();
    taco_validated sum;
    taco_error e;
    size_t i;
    pool p;
    pool_open(&p, 3);
    validate(&b, 0, 0, &p, &sum, &e);
    CHECK_TEXT(e.text, "");
    CHECK(sum.bytes > (uint64_t)9 << 20 && sum.errors == 0);
    check_validate(&b, &p);
    for (i = 300; i < b.len - 50000; i += b.len / 9) {
        b.data[i] ^= 0xFF;
    }
    check_validate(&b, &p);
    validate(&b, 0, 0, &p, &sum, &e);
    CHECK(sum.errors > 0 && e.code != TACO_OK);
    pool_close(&p);
    free(b.data);
}

int main(void)
{
    RUN(test_same);
    RUN(test_again);
    RUN(test_errors);
    RUN(test_limits);
    RUN(test_written);
    RUN(test_added);
    RUN(test_write_errors);
    RUN(test_verified);
    RUN(test_validated);
    return test_end("test_threads");
}
#else
int main(void)
{
    puts("SKIPPED tests/test_threads.c: no POSIX threads");
    return test_end("test_threads");
}
#endif
