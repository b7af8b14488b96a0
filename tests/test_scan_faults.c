/* Scans of Parquet files, from one source or many ranges at a time, alone and with tasks: each place
   that allocates fails once, and so does each read. The rows are the same, or an error says why;
   nothing leaks. The files are described in tests/data/README.md. */
#include "places.h"

#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "footer.h"
#include "make.h"

/* ---- a source whose reads fail ---- */

typedef struct disk {
    uint8_t *data;
    size_t len, reads, fail_at; /* this read fails, counted from 1; 0 = none */
} disk;

static bool disk_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    disk *d = (disk *)ctx;
    if (++d->reads == d->fail_at) { return false; }
    memcpy(dst, d->data + offset, len);
    return true;
}

static bool disk_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    disk *d = (disk *)ctx;
    size_t i;
    if (++d->reads == d->fail_at) { return false; }
    for (i = 0; i < n; i++) {
        memcpy(reads[i].dst, d->data + reads[i].offset, reads[i].len);
    }
    return true;
}

static bool disk_load(disk *d, const char *path)
{
    FILE *f = fopen(path, "rb");
    memset(d, 0, sizeof *d);
    if (f) {
        fseek(f, 0, SEEK_END);
        d->len = (size_t)ftell(f);
        rewind(f);
        d->data = (uint8_t *)malloc(d->len);
        d->len = fread(d->data, 1, d->len, f);
        fclose(f);
    }
    return d->len > 0;
}

/* A file that is worth tasks: row groups of 3000 rows, a number that grows and one that does not. */
static bool disk_make(disk *d)
{
    enum { ROWS = 40000, GROUP = 3000 };

    static int64_t sorted[ROWS], noise[ROWS];
    mk_col columns[2];
    mk_buf file;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        sorted[i] = (int64_t)i;
        noise[i] = (int64_t)((uint64_t)i * 2654435761U % 1000003);
    }
    columns[0] = mk_i64("sorted", sorted);
    columns[1] = mk_i64("noise", noise);
    file = mk_parquet(columns, 2, ROWS, GROUP);
    memset(d, 0, sizeof *d);
    d->data = file.data;
    d->len = file.len;
    return d->len > 0;
}

/* ---- queries ---- */

static bool is_even(void *ctx, const taco_array *a, size_t rows, uint8_t *bits)
{
    size_t i;
    (void)ctx;
    for (i = 0; i < rows; i++) {
        if (taco_array_int(a, i) % 2 == 0) { bits[i / 8] |= (uint8_t)(1U << i % 8); }
    }
    return true;
}

static bool may_be_even(void *ctx, const taco_array *min, const taco_array *max)
{
    (void)ctx;
    return !min || !max || taco_array_int(max, 0) > 100;
}

static void in_order(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    size_t i;
    (void)ctx;
    for (i = 0; i < n; i++) {
        task(arg, i);
    }
}

static const taco_pq_predicate even[] = {{"sorted", NULL, is_even, may_be_even}};

static const char *const some[] = {"noise", "sorted"}, *const few[] = {"few"};

/* Each over a file with these columns: sorted part text few noise, or id name v few; without a path
   over the one of disk_make. */
static const struct {
    const char *path, *where;
    uint64_t first_row, row_count;
    size_t columns, predicates, batch_rows;
} queries[] = {
    {"tests/data/pages.parquet", "sorted = 1203 or sorted > 7100", 0, 0, 0, 0, 0},
    {"tests/data/pages.parquet", "noise = 550000000000", 0, 0, 0, 0, 0},
    {"tests/data/pages.parquet", "few = 'cyan' or sorted < 40", 0, 0, 2, 0, 0},
    {"tests/data/pages2.parquet", "few not in ('red', 'green')", 0, 0, 0, 0, 100},
    {"tests/data/pages2.parquet", "part = sorted and text like 'key-01%'", 0, 0, 0, 0, 0},
    {"tests/data/pages.parquet", "noise > 5", 777, 700, 2, 0, 0},
    {"tests/data/pages.parquet", NULL, 0, 0, 2, 0, 1001},
    {"tests/data/pages2.parquet", NULL, 1100, 300, 0, 0, 0},
    {"tests/data/pages.parquet", NULL, 0, 0, 0, 1, 0},
    {"tests/data/bloom.parquet", "id in (1, 3, 5) or name = 'm'", 0, 0, 0, 0, 0},
    {"tests/data/bloom.parquet", "v = 17.5", 0, 0, 0, 0, 0},
    {"tests/data/pages.parquet", "sorted in (6, 1002, 2001, 3000, 3501)", 0, 0, 1, 0, 0},
    {"tests/data/pages2.parquet", NULL, 300, 500, 1, 0, 0},
    {"tests/data/pages2.parquet", "few = 'red' and sorted > 3", 0, 0, 1, 0, 0},
    {NULL, "noise > 5", 0, 0, 0, 0, 1001},
    {NULL, "sorted < 4500", 0, 0, 0, 0, 0},
    {NULL, "sorted < 3000 or sorted >= 36000", 0, 0, 2, 0, 0},
    {NULL, "sorted < 20000 or noise = 7", 1500, 30000, 2, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 1001},
    {NULL, NULL, 0, 0, 0, 1, 0}};

typedef struct outcome {
    uint64_t hash;
    size_t rows;
    taco_error err;
} outcome;

/* One query, with a source of many ranges if way is odd, with tasks if it is 2 or 3. */
static outcome ask(disk *d, size_t k, size_t way, const taco_options *options)
{
    outcome o;
    taco_options opt = *options;
    taco_source src;
    taco_pq_file *f;
    taco_pq_reader *r;
    taco_pq_query q;
    taco_batch b;
    size_t i, n;
    memset(&o, 0, sizeof o);
    memset(&src, 0, sizeof src);
    memset(&q, 0, sizeof q);
    src.ctx = d;
    src.size = d->len;
    src.read = disk_read;
    src.read_many = way % 2 ? disk_read_many : NULL;
    opt.parallel_for = way >= 2 ? in_order : NULL;
    opt.parallel_width = 3;
    q.where = queries[k].where;
    q.first_row = queries[k].first_row;
    q.row_count = queries[k].row_count;
    q.columns = queries[k].columns == 2 ? some : queries[k].columns ? few : NULL;
    q.column_count = queries[k].columns;
    q.predicates = queries[k].predicates ? even : NULL;
    q.predicate_count = queries[k].predicates;
    q.batch_rows = queries[k].batch_rows;
    d->reads = 0;
    f = taco_pq_open_source(&src, "made", &opt, &o.err);
    if (f) { /* the end of the file, which was read with the footer, would hide all reads */
        taco__file_release(f->part.file, f->tail.offset, f->tail.len);
        f->tail.len = 0;
    }
    r = taco_pq_read(f, &q, &o.err);
    while (taco_pq_reader_next(r, &b)) {
        const taco_array *a = &b.columns[0];
        o.rows += b.length;
        for (i = 0; i < a->length; i++) {
            o.hash = (o.hash ^ (uint64_t)taco_array_int(a, i)) * UINT64_C(0x9E3779B97F4A7C15);
            for (n = 1; n < b.column_count; n++) {
                o.hash += (uint64_t)taco_array_valid(&b.columns[n], i) << n;
            }
        }
    }
    taco_pq_reader_close(r, &o.err);
    taco_pq_close(f);
    return o;
}

/* Whether it is the same, or an error of that kind. */
static bool is_fault(const outcome *got, const outcome *want, taco_status code)
{
    return got->err.code == TACO_OK ? got->hash == want->hash && got->rows == want->rows
                                    : got->err.code == code;
}

static void every_fault(void)
{
    static places p;
    taco_options options;
    taco_allocator allocator;
    size_t k, way, n = 0, reads = 0, errors = 0;
    places_begin(&p, &n, &options, &allocator);
    for (k = 0; k < TACO__COUNT(queries) && test_bad < 20; k++) {
        disk d;
        CHECK(queries[k].path ? disk_load(&d, queries[k].path) : disk_make(&d));
        for (way = 0; way < 4; way++) {
            outcome want, got;
            size_t all;
            p.note = false;
            p.memory.fail_at = 0;
            options.limits.max_cache = way % 2 ? 0 : 1;
            want = ask(&d, k, way, &options);
            all = d.reads;
            CHECK_TEXT(want.err.text, "");
            for (n = 0; places_next(&p, n) && test_bad < 20; n++) {
                got = ask(&d, k, way, &options);
                CHECK(is_fault(&got, &want, TACO_ERR_MEMORY) && p.memory.live == 0);
                errors += got.err.code != TACO_OK;
            }
            p.note = false;
            p.memory.fail_at = 0;
            for (n = 1; n <= all && test_bad < 20; n++) {
                d.fail_at = n;
                got = ask(&d, k, way, &options);
                CHECK(is_fault(&got, &want, TACO_ERR_IO) && p.memory.live == 0);
                /* which file it is, also where many ranges were read for several row groups */
                CHECK(!got.err.code || strncmp(got.err.text, "made: ", 6) == 0);
                errors += got.err.code != TACO_OK;
                reads++;
            }
            d.fail_at = 0;
        }
        free(d.data);
    }
    places_exact = false;
    CHECK(errors > 300);
    printf("%u places that ask for memory, %u reads\n", (unsigned)p.tried, (unsigned)reads);
}

int main(void)
{
    RUN(every_fault);
    return test_end("test_scan_faults");
}
