/* Many rows: optimizations do not change results. Compares tasks with the calling thread,
   conditions pushed down to scans with those that are not, the first rows of an order with the
   whole order, and groups by dictionary codes with counts. */
#include "../src/filter/scan_parallel.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/filter.h"
#include "../src/parquet_write/parquet_write.h"
#include "../src/dataset/dataset.h"
#include "../src/sql/sql.h"
#include "../src/sql/vector_hash.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include "footer.h"
#include "make.h"

#define ROWS  40000
#define GROUP 9000

static const char *const words[] = {"red", "green", "blue", "", "a longer word, for once"};
static char keys[ROWS][16];
static double cover[ROWS];
static uint8_t no_cover[ROWS], points[ROWS * 21];
static const char *word[ROWS];
static mk_buf made;

/* The same rows as a file with dictionaries and compressed pages. */
static mk_buf pack(mk_buf plain)
{
    taco_source src;
    taco_sink sink;
    taco_error err;
    taco_batch batch;
    taco_pq_write_options opt;
    taco_pq_file *f;
    taco_pq_reader *r;
    taco_pq_writer *w;
    mk_buf out = {NULL, 0, 0};
    taco_bytes b;
    const taco_field *fields;
    size_t n;
    memset(&err, 0, sizeof err);
    memset(&opt, 0, sizeof opt);
    opt.row_group_rows = GROUP;
    opt.page_rows = 1500;
    opt.codec = TACO_CODEC_ZSTD;
    taco_source_memory(&src, plain.data, plain.len);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    f = taco_pq_open_source(&src, "plain", NULL, &err);
    r = taco_pq_read(f, NULL, &err);
    fields = taco_pq_fields(f, &n);
    w = taco_pq_write(&sink, fields, n, &opt, &err);
    while (taco_pq_reader_next(r, &batch)) {
        CHECK(taco_pq_writer_batch(w, &batch) == TACO_OK);
    }
    taco_pq_reader_close(r, &err);
    CHECK(taco_pq_writer_flush(w) == TACO_OK);
    b = taco_sink_bytes(&sink);
    CHECK(taco_pq_writer_close(w, &err) == TACO_OK);
    b = taco_sink_bytes(&sink);
    mk_add(&out, b.data, b.len);
    taco_sink_free(&sink);
    taco_pq_close(f);
    free(plain.data);
    CHECK_TEXT(taco_error_text(&err), "");
    return out;
}

static mk_buf archive(void)
{
    static const char *id[ROWS], *type[ROWS];
    static int64_t at[ROWS], size[ROWS];
    mk_col c[7];
    mk_buf level;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        uint64_t x = taco__vec_hash_mix(i + 1);
        snprintf(keys[i], sizeof keys[i], "s%06u", (unsigned)i);
        id[i] = keys[i];
        type[i] = i % 11 == 3 ? "FOLDER" : "FILE";
        at[i] = (int64_t)(i * 17);
        size[i] = (int64_t)(x % 3000);
        cover[i] = (double)(x % 20000) / 200;
        no_cover[i] = i % 101 == 7;
        word[i] = i % 17 == 4 ? NULL : words[x % 5];
        points[i * 21] = 1;
        taco__put_le32(points + i * 21 + 1, 1);
        taco__put_le64(points + i * 21 + 5, taco__f64_to_bits((double)(x % 3600) / 10 - 180));
        taco__put_le64(points + i * 21 + 13, taco__f64_to_bits((double)(x % 1789) / 10 - 89));
    }
    c[0] = mk_text("id", id);
    c[1] = mk_text("type", type);
    c[2] = mk_f64("cover", cover);
    c[2].null = no_cover;
    c[3] = mk_text("word", word);
    c[4] = mk_bin("stac:centroid", points, 21);
    c[5] = mk_i64("internal:offset", at);
    c[6] = mk_i64("internal:size", size);
    level = pack(mk_parquet(c, 7, ROWS, GROUP));
    return mk_archive(&level, 1, MK_FLAT, "data", 4);
}

static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    *(size_t *)ctx += n;
    while (n) {
        task(arg, --n);
    }
}

/* Hash of the rows of a query, in order, and their number. width 0: without tasks. */
static uint64_t answer(const char *text, size_t width, uint64_t *rows, size_t *tasks)
{
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_dataset *ds;
    taco_cursor *c;
    uint64_t h = 0;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    opt.parallel_for = width ? backwards : NULL;
    opt.parallel_ctx = tasks;
    opt.parallel_width = width;
    *tasks = 0;
    taco_source_memory(&src, made.data, made.len);
    ds = taco_open_source(&src, "made.tacozip", &opt, &err);
    c = taco_sql(ds, text, &err);
    for (*rows = 0; taco_cursor_next(c); ++*rows) {
        const char *json = taco_cursor_json(c);
        h = taco__xxh64_hash(h, json, strlen(json));
    }
    taco_cursor_close(c, &err);
    taco_close(ds);
    CHECK_TEXT(taco_error_text(&err), "");
    return h;
}

/* Both give the same rows in the same order; there are `want` of them, unless that is negative. */
static void same(const char *a, const char *b, int64_t want)
{
    uint64_t n, m;
    size_t tasks;
    uint64_t h = answer(a, 0, &n, &tasks), k = answer(b, 0, &m, &tasks);
    if (h != k || n != m || (want >= 0 && n != (uint64_t)want)) {
        printf("  %s\n  %s: %u and %u rows\n", a, b, (unsigned)n, (unsigned)m);
    }
    CHECK(h == k && n == m && (want < 0 || n == (uint64_t)want));
}

static void with_tasks(void)
{
    static const char *const texts[] = {
        "SELECT \"internal:gdal_vsi\" FROM data",
        "SELECT id, \"internal:gdal_vsi\", word FROM data WHERE cover > 99",
        "SELECT \"internal:gdal_vsi\", cover FROM data WHERE word = 'green'",
        "SELECT \"internal:gdal_vsi\" FROM data LIMIT 12345 OFFSET 10007",
        "SELECT \"internal:gdal_vsi\" FROM l0 WHERE \"l0:cover\" < 50 OR \"l0:word\" IS NULL",
        "SELECT word, count(*), sum(\"internal:size\") FROM data GROUP BY word",
        ("SELECT * FROM data WHERE ST_Intersects(ST_GeomFromWKB(\"stac:centroid\"), "
         "ST_MakeEnvelope(-10, -20, 30, 40))"),
        "SELECT \"internal:gdal_vsi\" FROM data ORDER BY cover LIMIT 20"};
    size_t i, width, tasks;
    for (i = 0; i < TACO__COUNT(texts); i++) {
        uint64_t rows, got, want = answer(texts[i], 0, &rows, &tasks);
        for (width = 2; width <= 4; width += 2) {
            CHECK(answer(texts[i], width, &got, &tasks) == want && got == rows && rows > 0);
            CHECK(tasks > 0 || i == 3 || i == 5 || i == 7);
        }
    }
}

static void pushed(void)
{
    same("SELECT id FROM data WHERE ST_Intersects(ST_GeomFromWKB(\"stac:centroid\"), "
         "ST_MakeEnvelope(-10, -20, 30.5, 40)) AND cover < 60",
         "SELECT id FROM data WHERE ST_X(ST_GeomFromWKB(\"stac:centroid\")) BETWEEN -10 AND 30.5 "
         "AND ST_Y(ST_GeomFromWKB(\"stac:centroid\")) BETWEEN -20 AND 40 AND cover + 0 < 60",
         -1);
    same(
        "SELECT id, \"stac:centroid\" FROM data WHERE ST_Intersects(ST_MakeEnvelope(0, 0, 50, 50), "
        "ST_GeomFromWKB(\"stac:centroid\")) AND ST_Intersects(ST_GeomFromWKB(\"stac:centroid\"), "
        "ST_MakeEnvelope(40, 40, 90, 90))",
        "SELECT id, \"stac:centroid\" FROM data WHERE ST_Within(ST_GeomFromWKB(\"stac:centroid\"), "
        "ST_MakeEnvelope(39.99, 39.99, 50.01, 50.01))",
        -1);
    same("SELECT \"l0:id\" AS id FROM l0 WHERE \"l0:type\" = 'FILE' AND \"l0:cover\" > 98 AND "
         "\"l0:word\" LIKE '%e%'",
         "SELECT id FROM data WHERE type = 'FILE' AND cover > 98 AND contains(word, 'e')", -1);
    same("SELECT id FROM data LIMIT 4097 OFFSET 17999",
         "SELECT id FROM data WHERE \"internal:offset\" >= 17999 * 17 AND \"internal:offset\" < "
         "(17999 + 4097) * 17",
         4097);
    same("SELECT id FROM data WHERE id = 's012345'",
         "SELECT id FROM data WHERE id || '' = 's012345'", 1);
    same("SELECT id FROM data LIMIT 0", "SELECT id FROM data LIMIT 5 OFFSET 40000", 0);
}

static void firsts(void)
{
    static const char *const orders[] = {
        "cover DESC NULLS LAST, id",
        "cover NULLS FIRST, id DESC",
        "cover DESC NULLS FIRST",
        "cover, word",
        "\"internal:size\" DESC",
        "\"internal:size\", cover",
        "CASE WHEN cover > 99 THEN cover / 0 * 0 ELSE cover END DESC",
        "word DESC, cover"};
    size_t i;
    for (i = 0; i < TACO__COUNT(orders); i++) { /* a limit beyond 100000 sorts all rows */
        char a[256], b[256];
        uint64_t n, m, h;
        size_t tasks;
        snprintf(a, sizeof a, "SELECT id, cover FROM data ORDER BY %s LIMIT 25", orders[i]);
        snprintf(b, sizeof b, "SELECT id, cover FROM data ORDER BY %s LIMIT 100025 OFFSET 0",
                 orders[i]);
        h = answer(a, 0, &n, &tasks);
        CHECK(n == 25 && h != 0);
        {
            taco_source src;
            taco_error err;
            taco_dataset *ds;
            taco_cursor *c;
            uint64_t k = 0;
            memset(&err, 0, sizeof err);
            taco_source_memory(&src, made.data, made.len);
            ds = taco_open_source(&src, "made.tacozip", NULL, &err);
            c = taco_sql(ds, b, &err);
            for (m = 0; m < 25 && taco_cursor_next(c); m++) {
                const char *json = taco_cursor_json(c);
                k = taco__xxh64_hash(k, json, strlen(json));
            }
            taco_cursor_close(c, &err);
            taco_close(ds);
            CHECK(k == h);
        }
    }
}

static void grouped(void)
{
    size_t i, k, count[6] = {0};
    char text[256];
    uint64_t n;
    size_t tasks;
    for (i = 0; i < ROWS; i++) {
        for (k = 0; k < 5 && (!word[i] || strcmp(word[i], words[k]) != 0); k++) {}
        count[k]++;
    }
    for (k = 0; k < 6; k++) {
        snprintf(text, sizeof text,
                 "SELECT word FROM data GROUP BY word HAVING count(*) = %u AND word %s%s%s",
                 (unsigned)count[k], k < 5 ? "= '" : "IS NULL", k < 5 ? words[k] : "",
                 k < 5 ? "'" : "");
        answer(text, 0, &n, &tasks);
        CHECK(n == 1);
    }
    same("SELECT word, count(*) FROM data GROUP BY word ORDER BY 1",
         "SELECT word || '' AS word, count(*) FROM data GROUP BY 1 ORDER BY 1", 6);
    same("SELECT word, max(word), count(*) FROM data WHERE cover + 0 > 50 GROUP BY word ORDER BY 1",
         "SELECT word, max(word), count(*) FROM data WHERE cover > 50 GROUP BY word ORDER BY 1", 6);
}

/* What is left for a reader is half of its rows while tasks are idle, then as much as one has on
   average, but no less than the second largest. */
static void halves(void)
{
    static const struct {
        size_t width, n, rows[4], large, least;
    } cases[] = {{4, 1, {31, 0, 0, 0}, 0, 15},   {4, 3, {10, 40, 20, 0}, 1, 20},
                 {3, 3, {10, 40, 22, 0}, 1, 24}, {3, 3, {10, 40, 30, 0}, 1, 30},
                 {2, 3, {7, 7, 7, 0}, 0, 10},    {4, 4, {9, 30, 12, 41}, 3, 30}};

    taco__scan_reader readers[4];
    taco__scan_tasks t;
    size_t i, k, least;
    memset(readers, 0, sizeof readers);
    memset(&t, 0, sizeof t);
    t.readers = readers;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        t.width = cases[i].width;
        for (k = 0; k < 4; k++) {
            readers[k].n = cases[i].rows[k];
        }
        CHECK(taco__scan_task_largest_reader(&t, cases[i].n, &least) == cases[i].large);
        CHECK(least == cases[i].least);
    }
}

int main(void)
{
    made = archive();
    RUN(halves);
    RUN(with_tasks);
    RUN(pushed);
    RUN(firsts);
    RUN(grouped);
    free(made.data);
    return test_end("scale");
}
