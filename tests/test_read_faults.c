/* Parquet files of every type, encoding and codec under faults: each place that allocates, or each
   n-th read, fails, or bytes of the file are changed. Everything that reads a file is called on
   each: the result is complete, or an error that says why, and no memory leaks. */
#include "places.h"

#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"

static uint64_t seed = 1;

static uint32_t any(uint32_t n) /* 0 .. n - 1 */
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

#include "batches.h"

/* ---- files ---- */

enum { ROWS = 30, MADE = 9, FILES = MADE + 7 };

static struct {
    uint8_t *data;
    size_t len;
    const char *where;
} files[FILES];

static const char where_made[] =
    "(c9 >= 0 or c24 < 3.5 or c27 > 1.5 or c52 like 'a%' or c3 or c23 >= 'nan' or c16 in (1, 2, "
    "7)) and "
    "c43 is not null or c37 between DATE '1990-01-01' and DATE '2030-01-01'";

/* INT96 within the years of nanoseconds, which Arrow has in their place. */
static void fill_days(taco_array *a)
{
    uint8_t *p = (uint8_t *)keep(ROWS * 12);
    size_t i;
    for (i = 0; i < ROWS; i++) {
        taco__put_le64(p + i * 12, i);
        taco__put_le32(p + i * 12 + 8, (uint32_t)(2440588 + i));
    }
    a->v.any = p;
}

static void make_file(size_t i)
{
    static const taco_encoding encodings[MADE] = {
        TACO_ENCODING_AUTO,         TACO_ENCODING_AUTO,        TACO_ENCODING_PLAIN,
        TACO_ENCODING_DELTA,        TACO_ENCODING_DELTA,       TACO_ENCODING_SPLIT,
        TACO_ENCODING_DELTA_LENGTH, TACO_ENCODING_DELTA_BYTES, TACO_ENCODING_DICTIONARY};
    static const taco_codec codecs[MADE] = {TACO_CODEC_NONE, TACO_CODEC_SNAPPY, TACO_CODEC_NONE,
                                            TACO_CODEC_ZSTD, TACO_CODEC_NONE,   TACO_CODEC_GZIP,
                                            TACO_CODEC_LZ4,  TACO_CODEC_NONE,   TACO_CODEC_NONE};
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_pq_write_options o;
    taco_field f[100];
    taco_array a[100];
    taco_batch b;
    taco_sink sink;
    taco_pq_writer *w;
    size_t k, n = all_fields(f);
    for (k = 0; k < n; k++) {
        a[k] = fill(&f[k], ROWS);
        if (f[k].type == TACO_INT96) { fill_days(&a[k]); }
    }
    memset(&b, 0, sizeof b);
    memset(&o, 0, sizeof o);
    b.columns = a;
    b.column_count = n;
    b.length = ROWS;
    o.encoding = encodings[i];
    o.codec = codecs[i];
    o.pages_v2 = i % 2 != 0;
    o.no_crc = true;
    o.bloom = i % 3 == 0;
    o.row_group_rows = 20;
    o.page_rows = 7;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, f, n, &o, &e);
    taco_pq_writer_batch(w, &b);
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    files[i].len = taco_sink_bytes(&sink).len;
    files[i].data = (uint8_t *)malloc(files[i].len);
    memcpy(files[i].data, taco_sink_bytes(&sink).data, files[i].len);
    files[i].where = where_made;
    taco_sink_free(&sink);
    forget();
}

static void load_file(size_t i, const char *path, const char *where)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    if (f) {
        fseek(f, 0, SEEK_END);
        files[i].len = (size_t)ftell(f);
        rewind(f);
        files[i].data = (uint8_t *)malloc(files[i].len);
        CHECK(fread(files[i].data, 1, files[i].len, f) == files[i].len);
        fclose(f);
    }
    files[i].where = where;
}

static void make_files(void)
{
    static const char pages[] = "noise = 550000000000 or sorted between 1000 and 1100 or "
                                "few in ('red', 'cyan') or text like '%a%'";
    size_t i;
    for (i = 0; i < MADE; i++) {
        make_file(i);
    }
    load_file(MADE, "tests/data/pages.parquet", pages);
    load_file(MADE + 1, "tests/data/pages2.parquet", pages);
    load_file(MADE + 2, "tests/data/bloom.parquet", "id = 4001");
    load_file(MADE + 3, "tests/data/crc.parquet", NULL);
    load_file(MADE + 4, "tests/data/pages_crc.parquet", NULL);
    load_file(MADE + 5, "tests/data/pages_v2.parquet", NULL);
    load_file(MADE + 6, "tests/data/brotli.parquet", NULL);
}

/* ---- a source whose n-th read fails ---- */

typedef struct reads {
    const uint8_t *data;
    size_t calls, fail_at, open;
} reads;

static bool read_piece(void *ctx, uint64_t offset, void *dst, size_t len)
{
    reads *r = (reads *)ctx;
    if (++r->calls == r->fail_at) { return false; }
    memcpy(dst, r->data + offset, len);
    return true;
}

static bool read_pieces(void *ctx, const taco_piece *pieces, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (!read_piece(ctx, pieces[i].offset, pieces[i].dst, pieces[i].len)) { return false; }
    }
    return true;
}

static void read_close(void *ctx)
{
    ((reads *)ctx)->open--;
}

/* ---- everything that reads a file ---- */

/* The rows of a query, printed; their bytes are added up. */
static bool print_rows(taco_pq_file *f, const taco_pq_query *q, taco_format format,
                       const taco_options *how, uint64_t *sum, taco_error *e)
{
    taco_pq_reader *r = taco_pq_read(f, q, e);
    taco_printer *p = NULL;
    taco_batch b;
    size_t n;
    const taco_field *fields = taco_pq_reader_fields(r, &n);
    if (r) { p = taco_printer_open(fields, n, format, how, e); }
    while (p && taco_pq_reader_next(r, &b)) {
        taco_bytes t = taco_printer_batch(p, &b, e);
        if (!t.data) { break; }
        *sum += taco__crc32(0, t.data, t.len);
    }
    taco_printer_close(p);
    return taco_pq_reader_close(r, e) == TACO_OK && e->code == TACO_OK;
}

static bool arrow_rows(taco_pq_file *f, uint64_t *sum, taco_error *e)
{
    taco_pq_reader *r = taco_pq_read(f, NULL, e);
    struct ArrowArrayStream s;
    struct ArrowSchema schema;
    struct ArrowArray a;
    bool ok;
    if (!r || taco_pq_reader_export(r, false, &s, e) != TACO_OK) { return false; }
    ok = s.get_schema(&s, &schema) == 0;
    if (ok) { schema.release(&schema); }
    while (ok && (ok = s.get_next(&s, &a) == 0) && a.release) {
        *sum += (uint64_t)a.length;
        a.release(&a);
    }
    if (!ok) { /* a stream has a number and a text */
        const char *text = s.get_last_error(&s);
        CHECK(text && *text);
        e->code = text && strstr(text, "memory") ? TACO_ERR_MEMORY : TACO_ERR_IO;
        snprintf(e->text, sizeof e->text, "%.80s", text ? text : "");
    }
    s.release(&s);
    return ok;
}

static bool described(taco_pq_file *f, uint64_t *sum, taco_error *e)
{
    taco_pq_checked checked;
    size_t i;
    for (i = 0; i < 3; i++) { /* each text lives until the next is asked for */
        taco_bytes t = i == 0   ? taco_pq_schema_text(f, e)
                       : i == 1 ? taco_pq_meta_json(f, e)
                                : taco_pq_meta_text(f, e);
        CHECK((t.data != NULL) == (e->code == TACO_OK));
        if (!t.data) { return false; }
        *sum += taco__crc32(0, t.data, t.len);
    }
    return taco_pq_verify(f, NULL, NULL, &checked, e) == TACO_OK;
}

/* The first failure ends it. */
static taco_status perform(size_t i, const uint8_t *data, reads *r, bool many,
                           const taco_options *how, uint64_t *sum, taco_error *e)
{
    static const char *const two[] = {"c9", "structs"};
    taco_source src;
    taco_pq_file *f;
    taco_pq_query q, part, all;
    bool ok;
    memset(&src, 0, sizeof src);
    memset(&q, 0, sizeof q);
    memset(&part, 0, sizeof part);
    memset(&all, 0, sizeof all);
    r->data = data;
    r->open = 1;
    src.ctx = r;
    src.size = files[i].len;
    src.read = read_piece;
    src.read_many = many ? read_pieces : NULL;
    src.close = read_close;
    *sum = 0;
    f = taco_pq_open_source(&src, "made", how, e);
    q.where = files[i].where;
    q.batch_rows = 7;
    part.first_row = 5;
    part.row_count = 17;
    part.columns = two;
    part.column_count = i < MADE ? 2 : 0;
    all.row_count = 400;
    ok = f && print_rows(f, &all, TACO_FORMAT_NDJSON, how, sum, e) &&
         print_rows(f, &q, TACO_FORMAT_CSV, how, sum, e) &&
         print_rows(f, &part, TACO_FORMAT_ARROW, how, sum, e) && arrow_rows(f, sum, e) &&
         described(f, sum, e);
    CHECK(ok == (e->code == TACO_OK));
    taco_pq_close(f);
    CHECK(r->open == 0);
    return e->code;
}

static places tried;
static taco_options opt;
static taco_allocator allocator;

static void one(size_t i, const uint8_t *data, size_t read, bool many, taco_error *e, uint64_t *sum,
                size_t *calls)
{
    reads r;
    memset(e, 0, sizeof *e);
    memset(&r, 0, sizeof r);
    r.fail_at = read;
    perform(i, data, &r, many, &opt, sum, e);
    CHECK(tried.memory.live == 0);
    *calls = r.calls;
}

/* What a fault must lead to: the same rows, or an error that tells it. */
static void judge(size_t i, const taco_error *e, bool read, size_t n, bool same)
{
    if (e->code == TACO_OK) {
        CHECK(same);
    } else if (e->code != (read ? TACO_ERR_IO : TACO_ERR_MEMORY)) {
        printf("file %u: %s %u: %s\n", (unsigned)i, read ? "read" : "allocation", (unsigned)n,
               e->text);
        CHECK(!"the error is another one");
    }
}

/* Every place or n-th read of every file. brotli.parquet has a codec that is not here. */
static void every(bool read)
{
    size_t i, n, calls, all, points = 0;
    for (i = 0; i < FILES - 1; i++) {
        taco_error e;
        uint64_t want, sum;
        places_next(&tried, 0);
        one(i, files[i].data, 0, i % 2 != 0, &e, &want, &all);
        CHECK_TEXT(e.text, "");
        for (n = 1; test_bad <= 20; n += read ? 1 + n / 3 : 1) {
            if (read ? all < n : !places_next(&tried, n)) { break; }
            tried.note = false;
            one(i, files[i].data, read ? n : 0, i % 2 != 0, &e, &sum, &calls);
            judge(i, &e, read, n, sum == want);
            points++;
        }
        tried.memory.fail_at = 0;
        one(i, files[i].data, 0, i % 2 != 0, &e, &sum, &calls);
        CHECK(e.code == TACO_OK && sum == want);
    }
    printf("%u %s failed\n", (unsigned)points, read ? "reads" : "allocations");
}

static void every_allocation(void)
{
    every(false);
}

static void every_read(void)
{
    every(true);
}

/* Some bytes are others: those of pages and those of the footer, in turn. */
static void damaged(void)
{
    size_t i, n, k, calls, errors = 0, points = 0;
    for (i = 0; i < FILES; i++) {
        uint8_t *copy = (uint8_t *)malloc(files[i].len);
        for (n = 0; n < 20; n++) {
            taco_error e;
            uint64_t sum;
            const uint8_t *end = files[i].data + files[i].len;
            uint32_t footer = taco__load_le32(end - 8) + 8, len = (uint32_t)files[i].len;
            memcpy(copy, files[i].data, files[i].len);
            for (k = 0; k < 1 + n % 3; k++) {
                uint32_t at = n % 2 ? len - footer + any(footer) : any(len - footer);
                copy[at] = (uint8_t)(n % 5 ? copy[at] ^ 1U << any(8) : any(256));
            }
            one(i, copy, 0, n % 4 == 0, &e, &sum, &calls);
            points++;
            errors += e.code != TACO_OK;
            CHECK(e.code == TACO_OK || e.text[0]);
            CHECK(e.code != TACO_ERR_MEMORY && e.code != TACO_ERR_STATE);
        }
        free(copy);
    }
    CHECK(errors > points / 10);
    printf("%u of %u damaged files refused\n", (unsigned)errors, (unsigned)points);
}

int main(void)
{
    size_t i = 0;
    places_begin(&tried, &i, &opt, &allocator);
    opt.limits.max_memory = 32 << 20;
    make_files();
    RUN(every_allocation);
    RUN(every_read);
    RUN(damaged);
    for (i = 0; i < FILES; i++) {
        free(files[i].data);
    }
    return test_end("test_read_faults");
}
