/* SELECTs whose rows tasks group, sort and count have the answers of one thread: rows, their order, the
   bits of sums, messages; also where a task fails, and without memory. Parts of a few rows. */
#ifdef WITH_THREADS
#define _POSIX_C_SOURCE 200809L
#endif
#include "places.h"

#define TACO__SQL_TASK_ROWS ((uint64_t)50)
#include "../src/sql/sql_tasks.c"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../taco_sql.h"

#include "footer.h"
#include "make.h"

#ifdef WITH_THREADS
#include "../tool/pool.h"
#endif

#define ROWS  2000
#define GROUP 300

static mk_buf made;
static size_t rounds;

/* taco_options.parallel_for without threads, the last task first. */
static void backwards(void *ctx, size_t n, void (*task)(void *, size_t), void *arg)
{
    (void)ctx;
    rounds++;
    while (n-- > 0) {
        task(arg, n);
    }
}

static mk_buf make(void)
{
    static const char *const words[] = {"red", "green", "blue", "", "a longer word, for once"};
    static char names[ROWS][16];
    static const char *ids[ROWS], *type[ROWS], *word[ROWS];
    static int64_t at[ROWS], value[ROWS], few[ROWS];
    static double f[ROWS];
    static uint8_t null[ROWS];
    mk_col c[8];
    const double infinity = 1e300 * 1e300;
    mk_buf level;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        sprintf(names[i], "sample_%05u", (unsigned)i);
        ids[i] = names[i];
        type[i] = "FILE";
        at[i] = MK_PAYLOAD;
        value[i] = (int64_t)(i * 7919 % 10007);
        few[i] = (int64_t)(i / 700 * 10 + i * i % 7);
        /* sums depend on the order of additions; both zeros, NaN, an infinity */
        f[i] = i == 700     ? infinity - infinity
               : i == 50    ? infinity
               : i % 5 == 2 ? -0.0
               : i % 5 == 3 ? 0.0
                            : (double)(i * 7919 % 10007) / 3 * (i % 2 ? 1e10 : 1e-10);
        null[i] = i % 13 == 5 || (i > 900 && i < 1100);
        word[i] = i % 17 ? words[i / 3 % 5] : NULL;
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("v", value);
    c[3] = mk_f64("f", f);
    c[3].null = null;
    c[4] = mk_text("word", word);
    c[5] = mk_i64("few", few);
    c[6] = mk_i64("internal:offset", at);
    c[7] = mk_i64("internal:size", at);
    level = mk_parquet(c, 8, ROWS, GROUP);
    return mk_archive(&level, 1, MK_FLAT, "data", 4);
}

/* The rows as NDJSON, or the error. */
static const char *ask(taco_dataset *ds, const char *sql)
{
    static char out[400000];
    taco_error e;
    taco_cursor *c;
    taco_printer *p;
    taco_batch b;
    const taco_field *fields;
    size_t n, len = 0;
    memset(&e, 0, sizeof e);
    c = taco_sql(ds, sql, &e);
    fields = taco_cursor_fields(c, &n);
    p = c ? taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, &e) : NULL;
    while (p && taco_cursor_batch(c, &b)) {
        taco_bytes t = taco_printer_batch(p, &b, &e);
        if (len + t.len >= sizeof out) { break; }
        memcpy(out + len, t.data, t.len);
        len += t.len;
    }
    out[len] = 0;
    taco_printer_close(p);
    taco_cursor_close(c, &e);
    if (e.code != TACO_OK) { sprintf(out, "%s: %s", taco_status_name(e.code), e.text); }
    return out;
}

static taco_dataset *open_made(const taco_options *opt)
{
    taco_source s;
    taco_source_memory(&s, made.data, made.len);
    return taco_open_source(&s, "made.tacozip", opt, NULL);
}

typedef struct query {
    const char *sql;
    bool by_tasks;
} query;

static const query queries[] = {
    {"SELECT few, count(*), count(f), min(f), max(f), sum(v), avg(v) FROM data GROUP BY few", true},
    {"SELECT few, sum(f), avg(f), stddev(f), var_pop(f) FROM data WHERE f < 1e100 GROUP BY few",
     true},
    {"SELECT word, few % 3, sum(f), first(f), last(f), any_value(id), min(id), max(id) FROM data "
     "GROUP BY word, few % 3",
     true},
    {"SELECT word, count(*), bool_and(v > 10), bool_or(v > 9990), count_if(v > 5000), first(word), "
     "last(word) FROM data GROUP BY word",
     true},
    {"SELECT sum(v), sum(f), count(*), min(word), max(word), first(f), last(f) FROM data", true},
    {"SELECT sum(9223372036854775807 - v), avg(9223372036854775807 - v), sum(CAST(v AS DECIMAL(10, "
     "2))) "
     "FROM data GROUP BY few",
     true},
    {"SELECT word, median(v), list(v ORDER BY f, id), count(DISTINCT few), string_agg(id, ',' "
     "ORDER BY "
     "v DESC) FROM data WHERE v % 4 = 1 GROUP BY word",
     true},
    {"SELECT sum(DISTINCT f), arg_max(id, f), mode(few), product(1 + v * 1e-9), fsum(f), "
     "histogram(few) "
     "FROM data WHERE f < 1e100",
     true},
    {"SELECT word, sum(f) FILTER (v > 5000), count(*) FILTER (v > 9000), list(id) FILTER (v > "
     "9990) "
     "FROM data GROUP BY word",
     true},
    {"SELECT f, count(*) FROM data GROUP BY f", true},
    {"SELECT id, v FROM data GROUP BY id, v", true},
    {"SELECT id, few, sum(f) AS s FROM data GROUP BY ALL HAVING s > 5 ORDER BY s DESC, id LIMIT 30",
     true},
    {"SELECT upper(word) AS w, [few, v % 2] AS l, {'a': few} AS s, count(*) FROM data GROUP BY w, "
     "l, s",
     true},
    {"SELECT count(*) FROM data", false},
    {"SELECT count(*) FROM data WHERE v < 1000", true},
    {"SELECT count(*) FROM data WHERE v < 0", true},
    {"SELECT 7 AS k FROM data WHERE v < 40 AND f IS NOT NULL", true},
    {"SELECT sum(f), count(*) FROM data WHERE v < 0", true},
    {"SELECT word, sum(f) FROM data WHERE v < 0 GROUP BY word", true},
    {"SELECT id FROM data ORDER BY few, f DESC NULLS LAST", true},
    {"SELECT id, f FROM data ORDER BY f, few", true},
    {"SELECT id, f FROM data ORDER BY f DESC NULLS FIRST LIMIT 7", true},
    {"SELECT id, word FROM data ORDER BY word LIMIT 3 OFFSET 400", true},
    {"SELECT id, few FROM data WHERE v > 4000 ORDER BY few LIMIT 5", true},
    {"SELECT few FROM data ORDER BY few DESC LIMIT 1000000 OFFSET 1500", true},
    {"SELECT f FROM data ORDER BY f LIMIT 0", false},
    {"SELECT DISTINCT few, f + 0 AS g FROM data ORDER BY few", true},
    {"SELECT DISTINCT word FROM data ORDER BY word LIMIT 2 OFFSET 1", true},
    {"SELECT DISTINCT ON (few) few, id FROM data ORDER BY few, v DESC", true},
    {"SELECT few, unnest([v, few]) AS u FROM data WHERE v < 500 ORDER BY u DESC", true},
    {"SELECT a.word, count(*), sum(b.f) FROM data a JOIN data b ON a.v = b.v + 1 GROUP BY a.word",
     false},
    {"SELECT count(*) FROM data WHERE v > (SELECT avg(v) FROM data)", false},
    {"SELECT few, count(*) FROM (SELECT few FROM data ORDER BY v LIMIT 100) GROUP BY few", false},
    /* errors are those of the first row, not of the first task */
    {"SELECT few, max(CAST(replace(id, 'sample_00', '') AS TINYINT)) FROM data GROUP BY few", true},
    {"SELECT CAST(v AS SMALLINT) AS s, id FROM data WHERE CAST(left(id, v) AS TINYINT) > 0 ORDER "
     "BY s",
     true},
    {"SELECT sum(9223372036854775807 * (v - 3)) FROM data", true},
};

static taco_options none(void)
{
    taco_options o;
    memset(&o, 0, sizeof o);
    return o;
}

static void test_same(void)
{
    static char want[400000];
    taco_options opt = none();
    size_t i, width, many = 0;
    taco_dataset *alone = open_made(&opt);
    opt.parallel_for = backwards;
    for (width = 1; width <= 5; width++) {
        taco_dataset *ds;
        opt.parallel_width = width;
        ds = open_made(&opt);
        for (i = 0; i < TACO__COUNT(queries); i++) {
            snprintf(want, sizeof want, "%s", ask(alone, queries[i].sql));
            rounds = 0;
            CHECK_TEXT(ask(ds, queries[i].sql), want);
            if ((rounds > 0) != (queries[i].by_tasks && width > 1)) {
                printf("%s: %u rounds\n", queries[i].sql, (unsigned)rounds);
            }
            CHECK((rounds > 0) == (queries[i].by_tasks && width > 1));
            many += rounds >= ROWS / 50 / width;
        }
        taco_close(ds);
    }
    CHECK(many > 60);
    taco_close(alone);
}

#ifdef WITH_THREADS
static void test_threads(void)
{
    static char want[400000];
    taco_options opt = none();
    size_t i, width;
    taco_dataset *alone = open_made(&opt);
    for (width = 2; width <= 4; width += 2) {
        taco_dataset *ds;
        pool p;
        pool_open(&p, width);
        opt.parallel_for = pool_for;
        opt.parallel_ctx = &p;
        opt.parallel_width = width;
        ds = open_made(&opt);
        for (i = 0; i < TACO__COUNT(queries); i++) {
            snprintf(want, sizeof want, "%s", ask(alone, queries[i].sql));
            CHECK_TEXT(ask(ds, queries[i].sql), want);
        }
        taco_close(ds);
        pool_close(&p);
    }
    taco_close(alone);
}
#endif

/* Files are read by tasks themselves; a source of the caller's is not theirs. */
static size_t reads;

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    reads++;
    memcpy(dst, made.data + offset, len);
    return true;
}

static void test_sources(void)
{
    static const char path[] = "build/tests/sql_tasks.tacozip";
    const char *sql = "SELECT few, sum(f) FROM data GROUP BY few";
    static char want[400000];
    taco_options opt = none();
    taco_source s;
    taco_dataset *ds = open_made(&opt);
    FILE *f = fopen(path, "wb");
    snprintf(want, sizeof want, "%s", ask(ds, sql));
    taco_close(ds);
    opt.parallel_for = backwards;
    opt.parallel_width = 3;
    CHECK(f && fwrite(made.data, 1, made.len, f) == made.len && fclose(f) == 0);
    ds = taco_open(path, &opt, NULL);
    rounds = 0;
    CHECK_TEXT(ask(ds, sql), want);
    CHECK(rounds > 1 || !TACO__PREAD);
    taco_close(ds);
    remove(path);
    memset(&s, 0, sizeof s);
    s.size = made.len;
    s.read = counted_read;
    ds = taco_open_source(&s, "made.tacozip", &opt, NULL);
    rounds = 0;
    CHECK_TEXT(ask(ds, sql), want);
    CHECK(reads > 0);
    taco_close(ds);
}

/* A page that is damaged: what was grouped before it stays, and the message is that of one thread. */
static void test_damaged(void)
{
    static char want[2000];
    taco_options opt = none();
    size_t i, width, hits = 0;
    uint8_t values[16]; /* two that follow each other in that page, as they are in the file */
    mk_buf whole = made;
    taco_dataset *ds;
    made = make();
    w_le64(values, 1200 * 7919 % 10007);
    w_le64(values + 8, 1201 * 7919 % 10007);
    for (i = 12; i + 16 <= made.len; i++) {
        if (memcmp(made.data + i, values, sizeof values) == 0 && ++hits == 1) {
            memset(made.data + i - 12, 0xFF, 8);
        }
    }
    CHECK(hits == 1);
    for (i = 0; i < 3; i++) {
        static const char *const sql[] = {"SELECT few, sum(v) FROM data GROUP BY few",
                                          "SELECT id FROM data ORDER BY v LIMIT 10",
                                          "SELECT count(*) FROM data WHERE v % 2 = 1"};
        opt.parallel_for = NULL;
        ds = open_made(&opt);
        snprintf(want, sizeof want, "%s", ask(ds, sql[i]));
        CHECK(strstr(want, "made.tacozip") != NULL);
        taco_close(ds);
        opt.parallel_for = backwards;
        for (width = 2; width < 5; width++) {
            opt.parallel_width = width;
            ds = open_made(&opt);
            CHECK_TEXT(ask(ds, sql[i]), want);
            taco_close(ds);
        }
    }
    free(made.data);
    made = whole;
}

/* Each place that asks for memory fails once: a task's leaves the work to the calling thread. */
static void test_places(void)
{
    static places p;
    static char want[400000];
    taco_options opt = none();
    taco_allocator a;
    taco_dataset *ds;
    size_t i, n, before;
    places_begin(&p, &opt, &opt, &a);
    opt.parallel_for = backwards;
    opt.parallel_width = 2;
    ds = open_made(&opt);
    for (i = 0; i < TACO__COUNT(queries); i++) {
        const char *sql = queries[i].sql;
        if (!queries[i].by_tasks) { continue; }
        snprintf(want, sizeof want, "%s", ask(ds, sql));
        before = p.memory.live;
        for (n = 0; n < 400 && places_next(&p, n); n++) {
            const char *got = ask(ds, sql);
            bool same = strcmp(got, want) == 0 || strncmp(got, "memory: ", 8) == 0;
            if (!same || p.memory.live > before) {
                printf("%s:\n  allocation %u: %.200s, %d bytes lost\n", sql,
                       (unsigned)p.memory.fail_at, got, (int)(p.memory.live - before));
            }
            CHECK(same && p.memory.live <= before);
        }
        p.memory.fail_at = 0;
        CHECK_TEXT(ask(ds, sql), want);
    }
    taco_close(ds);
    CHECK(p.memory.live == 0);
    places_exact = false;
    printf("%u places that ask for memory\n", (unsigned)p.tried);
}

/* Tasks have shares of the limit: where these are too little, the calling thread does the work, with
   little more than it needs alone. */
static void test_limit(void)
{
    static char want[400000];
    taco_options opt = none();
    const char *sql = "SELECT id, sum(f), list(v) FROM data GROUP BY id";
    taco_dataset *ds = open_made(&opt);
    uint64_t limit, least = 0;
    size_t answers = 0, width;
    snprintf(want, sizeof want, "%s", ask(ds, sql));
    taco_close(ds);
    for (limit = 100000; limit < 3000000; limit += 50000) {
        opt.limits.max_memory = limit;
        opt.parallel_for = NULL;
        ds = open_made(&opt);
        least = !least && ds && strcmp(ask(ds, sql), want) == 0 ? limit : least;
        taco_close(ds);
        opt.parallel_for = backwards;
        for (width = 2; width <= 4; width++) {
            bool same;
            opt.parallel_width = width;
            ds = open_made(&opt);
            same = ds && strcmp(ask(ds, sql), want) == 0;
            CHECK(same || !least || limit < least + least / 4);
            answers += same;
            taco_close(ds);
        }
    }
    CHECK(least && answers > 30);
}

int main(void)
{
    made = make();
    RUN(test_same);
#ifdef WITH_THREADS
    RUN(test_threads);
#endif
    RUN(test_sources);
    RUN(test_damaged);
    RUN(test_limit);
    RUN(test_places);
    free(made.data);
    return test_end("test_sql_tasks");
}
