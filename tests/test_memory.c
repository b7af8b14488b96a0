/* Reading one column of a long file, batch by batch, takes the memory of its largest page and a few
   batches. */
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

#include "alloc.h"

enum { ROWS = 10000000, GROUP = 1000000, BATCH = 16384, PAGE = 131072 };

static int64_t numbers[GROUP];
static double reals[GROUP];
static taco_sink sink;

static taco_field field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.width = 8;
    return f;
}

/* A delta-encoded column, and a plain one whose pages are Snappy: 10 row groups, pages of a MiB. */
static void write_file(void)
{
    taco_field f[2];
    taco_array a[2];
    taco_batch b;
    taco_pq_column_options columns[2];
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_writer *w;
    size_t i, k;
    f[0] = field("delta", TACO_INT64);
    f[1] = field("plain", TACO_DOUBLE);
    memset(&o, 0, sizeof o);
    memset(columns, 0, sizeof columns);
    memset(a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    columns[0].name = "delta";
    columns[0].encoding = TACO_ENCODING_DELTA;
    columns[1].name = "plain";
    columns[1].encoding = TACO_ENCODING_PLAIN;
    columns[1].codec = TACO_CODEC_SNAPPY;
    o.columns = columns;
    o.column_count = 2;
    o.row_group_rows = GROUP;
    o.page_rows = PAGE;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(&sink, f, 2, &o, &err);
    for (k = 0; k < ROWS / GROUP; k++) {
        for (i = 0; i < GROUP; i++) {
            numbers[i] = (int64_t)((k * GROUP + i) * 3);
            reals[i] = (double)(i & 1023);
        }
        for (i = 0; i < 2; i++) {
            a[i].field = &f[i];
            a[i].length = GROUP;
        }
        a[0].v.any = numbers;
        a[1].v.any = reals;
        b.columns = a;
        b.column_count = 2;
        b.length = GROUP;
        CHECK(taco_pq_writer_batch(w, &b) == TACO_OK);
    }
    CHECK(taco_pq_writer_close(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
}

/* Reads a column with the given budget beyond what the open file holds; the most it took. */
static size_t read_column(const char *name, taco_type type, size_t budget, taco_error *err)
{
    taco_options opt;
    taco_allocator allocator;
    test_memory m;
    taco_source src;
    taco_pq_file *file;
    taco_pq_column *col;
    taco_array a;
    size_t open, rows = 0;
    double sum = 0;
    test_counted(&opt, &allocator, &m);
    taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    taco_pq_close(taco_pq_open_source(&src, "long.parquet", &opt, err));
    CHECK(m.live == 0);
    opt.limits.max_memory = budget ? m.peak + budget : 0;
    file = taco_pq_open_source(&src, "long.parquet", &opt, err);
    open = m.live;
    m.peak = open;
    col = taco_pq_column_open(file, name, type, err);
    while (taco_pq_column_next(col, BATCH, &a)) {
        size_t i;
        rows += a.length;
        for (i = 0; i < a.length; i += 97) {
            sum += type == TACO_INT64 ? (double)a.v.i64[i] : a.v.f64[i];
        }
    }
    taco_pq_column_close(col, err);
    if (err->code == TACO_OK) { CHECK(rows == ROWS && sum > 0); }
    taco_pq_close(file);
    CHECK(m.live == 0);
    return m.peak - open;
}

static void largest_page_and_batches(void)
{
    static const struct {
        const char *name;
        taco_type type;
    } columns[2] = {{"delta", TACO_INT64}, {"plain", TACO_DOUBLE}};

    const size_t bound =
        2 * PAGE * 8 + 4 * BATCH * 8; /* a page, packed and not, and four batches */
    size_t i;
    for (i = 0; i < 2; i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        size_t took = read_column(columns[i].name, columns[i].type, 0, &err);
        CHECK_TEXT(taco_error_text(&err), "");
        if (took > bound) {
            printf("%s: %u bytes, %u allowed\n", columns[i].name, (unsigned)took, (unsigned)bound);
        }
        CHECK(took <= bound);
        (void)read_column(columns[i].name, columns[i].type, bound,
                          &err); /* and a budget of it does */
        CHECK_TEXT(taco_error_text(&err), "");
        (void)read_column(columns[i].name, columns[i].type, BATCH,
                          &err); /* less than it takes does not */
        CHECK(err.code == TACO_ERR_LIMIT && strstr(err.text, "limits.max_memory") != NULL);
    }
}

int main(void)
{
    write_file();
    RUN(largest_page_and_batches);
    taco_sink_free(&sink);
    return test_end("test_memory");
}
