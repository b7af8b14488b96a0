/* SELECTs whose rows tasks group, sort, join and count, on tables and on views, and sorted queries have
   the answers of one thread: rows, their order, the bits of sums, messages; also where a task fails,
   and without memory. Parts of a few rows. */
#ifdef WITH_THREADS
#define _POSIX_C_SOURCE 200809L
#endif
#include "places.h"

#define TACO__SQL_TASK_ROWS   ((uint64_t)50)
#define TACO__ORDER_TASK_ROWS ((uint64_t)50)
#include "../src/sql/sql_tasks.c"
#include "../src/dataset/order_tasks.c"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_sql.h"

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

/* A SELECT, of the rows that pass `where` if that is given; without one, a sorted query. */
typedef struct query {
    const char *sql;
    bool by_tasks;
    const char *where, *order;
    uint64_t limit, offset;
} query;

static taco_cursor *open_rows(taco_dataset *ds, const query *q, taco_error *e)
{
    taco_query rows;
    taco_view *v, *selected;
    taco_cursor *c;
    memset(&rows, 0, sizeof rows);
    rows.where = q->where;
    rows.order = q->order;
    rows.limit = q->limit;
    rows.offset = q->offset;
    if (!q->sql) { return taco_select(ds, &rows, e); }
    if (!q->where && !q->limit) { return taco_sql(ds, q->sql, e); }
    v = taco_view_open(ds, &rows, e);
    selected = taco_view_sql(v, q->sql, e);
    taco_view_free(v);
    c = selected ? taco_view_rows(selected, e) : NULL;
    taco_view_free(selected);
    return c;
}

/* The rows as NDJSON, or the error. */
static const char *ask_query(taco_dataset *ds, const query *q)
{
    static char out[400000];
    taco_error e;
    taco_cursor *c;
    taco_printer *p;
    taco_batch b;
    const taco_field *fields;
    size_t n, len = 0;
    memset(&e, 0, sizeof e);
    c = open_rows(ds, q, &e);
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

static const char *ask(taco_dataset *ds, const char *sql)
{
    query q;
    memset(&q, 0, sizeof q);
    q.sql = sql;
    return ask_query(ds, &q);
}

static taco_dataset *open_made(const taco_options *opt)
{
    taco_source s;
    taco_source_memory(&s, made.data, made.len);
    return taco_open_source(&s, "made.tacozip", opt, NULL);
}

static size_t reads;

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    reads++;
    memcpy(dst, made.data + offset, len);
    return true;
}

/* The same from a source that only the calling thread may read, so that nothing is divided. */
static taco_dataset *open_whole(const taco_options *opt)
{
    taco_source s;
    memset(&s, 0, sizeof s);
    s.size = made.len;
    s.read = counted_read;
    return taco_open_source(&s, "made.tacozip", opt, NULL);
}

#define SQL(text, by_tasks)                                                                        \
    {                                                                                              \
        text, by_tasks, NULL, NULL, 0, 0                                                           \
    }
#define VIEW(where, text, by_tasks)                                                                \
    {                                                                                              \
        text, by_tasks, where, NULL, 0, 0                                                          \
    }
#define SORTED(where, order, limit, offset, by_tasks)                                              \
    {                                                                                              \
        NULL, by_tasks, where, order, limit, offset                                                \
    }

static const query queries[] = {
    SQL("SELECT few, count(*), count(f), min(f), max(f), sum(v), avg(v) FROM data GROUP BY few",
        true),
    SQL("SELECT few, sum(f), avg(f), stddev(f), var_pop(f) FROM data WHERE f < 1e100 GROUP BY few",
        true),
    SQL("SELECT word, few % 3, sum(f), first(f), last(f), any_value(id), min(id), max(id) FROM "
        "data "
        "GROUP BY word, few % 3",
        true),
    SQL("SELECT word, count(*), bool_and(v > 10), bool_or(v > 9990), count_if(v > 5000), "
        "first(word), "
        "last(word) FROM data GROUP BY word",
        true),
    SQL("SELECT sum(v), sum(f), count(*), min(word), max(word), first(f), last(f) FROM data", true),
    SQL("SELECT sum(9223372036854775807 - v), avg(9223372036854775807 - v), sum(CAST(v AS "
        "DECIMAL(10, "
        "2))) "
        "FROM data GROUP BY few",
        true),
    SQL("SELECT word, median(v), list(v ORDER BY f, id), count(DISTINCT few), string_agg(id, ',' "
        "ORDER BY "
        "v DESC) FROM data WHERE v % 4 = 1 GROUP BY word",
        true),
    SQL("SELECT sum(DISTINCT f), arg_max(id, f), mode(few), product(1 + v * 1e-9), fsum(f), "
        "histogram(few) "
        "FROM data WHERE f < 1e100",
        true),
    SQL("SELECT word, sum(f) FILTER (v > 5000), count(*) FILTER (v > 9000), list(id) FILTER (v > "
        "9990) "
        "FROM data GROUP BY word",
        true),
    SQL("SELECT f, count(*) FROM data GROUP BY f", true),
    SQL("SELECT id, v FROM data GROUP BY id, v", true),
    SQL("SELECT id, few, sum(f) AS s FROM data GROUP BY ALL HAVING s > 5 ORDER BY s DESC, id LIMIT "
        "30",
        true),
    SQL("SELECT upper(word) AS w, [few, v % 2] AS l, {'a': few} AS s, count(*) FROM data GROUP BY "
        "w, "
        "l, s",
        true),
    SQL("SELECT count(*) FROM data", false),
    SQL("SELECT count(*) FROM data WHERE v < 1000", true),
    SQL("SELECT count(*) FROM data WHERE v < 0", true),
    SQL("SELECT 7 AS k FROM data WHERE v < 40 AND f IS NOT NULL", true),
    SQL("SELECT sum(f), count(*) FROM data WHERE v < 0", true),
    SQL("SELECT word, sum(f) FROM data WHERE v < 0 GROUP BY word", true),
    SQL("SELECT id FROM data ORDER BY few, f DESC NULLS LAST", true),
    SQL("SELECT id, f FROM data ORDER BY f, few", true),
    SQL("SELECT id, f FROM data ORDER BY f DESC NULLS FIRST LIMIT 7", true),
    SQL("SELECT id, word FROM data ORDER BY word LIMIT 3 OFFSET 400", true),
    SQL("SELECT id, few FROM data WHERE v > 4000 ORDER BY few LIMIT 5", true),
    SQL("SELECT few FROM data ORDER BY few DESC LIMIT 1000000 OFFSET 1500", true),
    SQL("SELECT f FROM data ORDER BY f LIMIT 0", false),
    SQL("SELECT DISTINCT few, f + 0 AS g FROM data ORDER BY few", true),
    SQL("SELECT DISTINCT word FROM data ORDER BY word LIMIT 2 OFFSET 1", true),
    SQL("SELECT DISTINCT ON (few) few, id FROM data ORDER BY few, v DESC", true),
    SQL("SELECT DISTINCT few FROM data", true),
    SQL("SELECT DISTINCT word, few % 2 AS odd FROM data WHERE v > 100", true),
    SQL("SELECT DISTINCT f FROM data", true),
    SQL("SELECT DISTINCT id, v FROM data", true),
    SQL("SELECT DISTINCT few FROM data WHERE v < 0", true),
    SQL("SELECT DISTINCT few FROM data LIMIT 3", false),
    SQL("SELECT DISTINCT few FROM data OFFSET 20", true),
    SQL("SELECT DISTINCT ON (few) few, id FROM data", false),
    SQL("SELECT DISTINCT unnest([few, few % 3]) AS u FROM data", true),
    SQL("SELECT DISTINCT count(*) > 100 AS many FROM data GROUP BY word", true),
    SQL("SELECT DISTINCT a.word FROM data a JOIN data b ON a.v = b.v + 1", true),
    SQL("SELECT few, unnest([v, few]) AS u FROM data WHERE v < 500 ORDER BY u DESC", true),
    SQL("SELECT a.word, count(*), sum(b.f) FROM data a JOIN data b ON a.v = b.v + 1 GROUP BY "
        "a.word",
        true),
    SQL("SELECT a.id, b.id AS other, a.f * b.f AS p FROM data a LEFT JOIN data b ON a.v = b.v * 2 "
        "AND "
        "a.few > b.few WHERE a.v % 3 = 0 ORDER BY p, a.id LIMIT 50",
        true),
    /* rows without a match in their places */
    SQL("SELECT a.id, b.id AS other FROM data a LEFT JOIN data b ON a.v = b.v * 2 AND a.few > "
        "b.few ORDER BY a.few",
        true),
    SQL("SELECT a.few, sum(a.f) FROM data a SEMI JOIN data b ON a.v = b.v + 3 AND b.f > 1 GROUP BY "
        "a.few",
        true),
    SQL("SELECT DISTINCT a.word FROM data a ANTI JOIN data b ON a.v = b.few ORDER BY ALL", true),
    SQL("SELECT a.few, b.few AS g, count(*), list(b.id) FROM data a JOIN data b ON a.few = b.few + "
        "1 AND "
        "a.v < b.v WHERE b.v > 9000 AND a.v > 8000 GROUP BY ALL",
        true),
    SQL("SELECT count(*), sum(c.v) FROM data a, data b, data c WHERE a.v = b.v + 1 AND b.v = c.v + "
        "2",
        true),
    SQL("SELECT max(CAST(a.v * b.v AS SMALLINT)) FROM data a JOIN data b ON a.v = b.v + 1 AND "
        "a.few = "
        "b.few",
        true),
    SQL("SELECT b.word, count(*) FROM data a RIGHT JOIN data b ON a.v = b.v + 1 GROUP BY b.word",
        false),
    SQL("SELECT a.few, count(*) FROM data a JOIN (SELECT v FROM data WHERE v > 9000) b ON a.v = "
        "b.v "
        "GROUP BY a.few",
        false),
    SQL("SELECT count(*) FROM data WHERE v > (SELECT avg(v) FROM data)", false),
    SQL("SELECT few, count(*) FROM (SELECT few FROM data ORDER BY v LIMIT 100) GROUP BY few",
        false),
    /* errors are those of the first row, not of the first task */
    SQL("SELECT few, max(CAST(replace(id, 'sample_00', '') AS TINYINT)) FROM data GROUP BY few",
        true),
    SQL("SELECT DISTINCT CAST(replace(id, 'sample_00', '') AS TINYINT) AS n FROM data", true),
    SQL("SELECT CAST(v AS SMALLINT) AS s, id FROM data WHERE CAST(left(id, v) AS TINYINT) > 0 "
        "ORDER "
        "BY s",
        true),
    SQL("SELECT sum(9223372036854775807 * (v - 3)) FROM data", true),
    /* views */
    VIEW("v < 5000", "SELECT few, sum(f), count(*), max(id) FROM data GROUP BY few", true),
    VIEW("v < 5000", "SELECT count(*) AS n FROM data", true),
    VIEW("v < 5000 AND f > 1",
         "SELECT id, v * 2 AS w FROM data WHERE few > 3 ORDER BY w DESC LIMIT 5", true),
    VIEW("v < 5000", "SELECT id, v FROM data ORDER BY v DESC LIMIT 5", true),
    VIEW("v < 5000", "SELECT DISTINCT few FROM data WHERE word LIKE '%e%' ORDER BY few", true),
    VIEW("v < 5000", "SELECT DISTINCT few, word FROM data WHERE v > 10", true),
    VIEW("v < 0", "SELECT sum(v) FROM data", true),
    VIEW("v > 20",
         "SELECT few, max(CAST(replace(id, 'sample_00', '') AS TINYINT)) FROM data GROUP BY few",
         true),
    VIEW("v > 20", "SELECT d.few, count(*) FROM data d JOIN data e ON d.v = e.v + 1 GROUP BY d.few",
         true),
    {"SELECT few, count(*) FROM data GROUP BY few", false, NULL, NULL, 1500, 100},
    /* sorted rows */
    SORTED(NULL, "v", 5, 0, true),
    SORTED("v > 4000", "f desc, id", 3, 2, true),
    SORTED(NULL, "word, few desc", 6, 0, true),
    SORTED("few < 20", "few", 4, 0, true),
    SORTED(NULL, "f", 1, 5, true),
    SORTED("v < 0", "f", 5, 0, true),
    SORTED("v % 2 = 1", "id desc", 2, 0, false),
    SORTED(NULL, "v", 7, 0, false),
    SORTED(NULL, "v", 0, 0, false),
    SORTED(NULL, "nothing", 3, 0, false),
};

static const char *name_of(const query *q)
{
    return q->sql ? q->sql : q->order;
}

static taco_options none(void)
{
    taco_options o;
    memset(&o, 0, sizeof o);
    return o;
}

/* Sums of doubles in groups, whose tasks save no time. */
static bool adds_in_order(const query *q)
{
    return q->sql && strstr(q->sql, "GROUP BY") &&
           (strstr(q->sql, "sum(f)") || strstr(q->sql, "sum(a.f)") || strstr(q->sql, "sum(b.f)"));
}

/* The answers of one thread, with tasks wherever they are possible, and where they pay. */
static void test_same(void)
{
    static char want[400000];
    taco_options opt = none();
    size_t i, width, many = 0;
    taco_dataset *alone = open_whole(&opt);
    opt.parallel_for = backwards;
    for (width = 1; width <= 10; width++) {
        taco_dataset *ds;
        bool by_tasks;
        /* one task; two, with and without rounds of scans; and three */
        if (!test_all() && width != 1 && width != 3 && width != 4 && width != 5) { continue; }
        opt.parallel_width = (width + 1) / 2;
        opt.parallel_long = width % 2 != 0; /* without it, scans have rounds, too */
        ds = open_made(&opt);
        for (i = 0; i < TACO__COUNT(queries); i++) {
            snprintf(want, sizeof want, "%s", ask_query(alone, &queries[i]));
            rounds = 0;
            CHECK_TEXT(ask_query(ds, &queries[i]), want);
            by_tasks = queries[i].by_tasks && opt.parallel_width > 1 &&
                       !(opt.parallel_long && adds_in_order(&queries[i]));
            if (opt.parallel_long ? (rounds > 0) != by_tasks : by_tasks && !rounds) {
                printf("%s: %u rounds\n", name_of(&queries[i]), (unsigned)rounds);
                CHECK(false);
            }
            many += opt.parallel_long && rounds >= ROWS / 50 / opt.parallel_width;
        }
        taco_close(ds);
    }
    CHECK(many > (test_all() ? 60 : 24));
    taco_close(alone);
}

#ifdef WITH_THREADS
static void test_threads(void)
{
    static char want[400000];
    taco_options opt = none();
    size_t i, width;
    taco_dataset *alone = open_whole(&opt);
    for (width = 2; width <= 4; width += 2) {
        taco_dataset *ds;
        pool p;
        pool_open(&p, width);
        opt.parallel_for = pool_for;
        opt.parallel_ctx = &p;
        opt.parallel_width = width;
        ds = open_made(&opt);
        for (i = 0; i < TACO__COUNT(queries); i++) {
            snprintf(want, sizeof want, "%s", ask_query(alone, &queries[i]));
            CHECK_TEXT(ask_query(ds, &queries[i]), want);
        }
        taco_close(ds);
        pool_close(&p);
    }
    taco_close(alone);
}
#endif

/* Files are read by tasks themselves; a source of the caller's is not theirs. */
static void test_sources(void)
{
    static const char path[] = "build/tests/sql_tasks.tacozip";
    const char *sql = "SELECT few, sum(f) FROM data GROUP BY few";
    static char want[400000];
    taco_options opt = none();
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
    ds = open_whole(&opt);
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
    for (i = 0; i < 7; i++) {
        static const query all[] = {
            SQL("SELECT few, sum(v) FROM data GROUP BY few", true),
            SQL("SELECT id FROM data ORDER BY v LIMIT 10", true),
            SQL("SELECT count(*) FROM data WHERE v % 2 = 1", true),
            SQL("SELECT DISTINCT few, v % 2 AS odd FROM data", true),
            SQL("SELECT a.few, sum(a.v) FROM data a JOIN data b ON a.few = b.few AND b.id < "
                "'sample_00003' GROUP BY a.few",
                true),
            VIEW("few > 2", "SELECT few, sum(v) FROM data GROUP BY few", true),
            SORTED("few > 2", "v", 5, 0, true),
        };
        opt.parallel_for = NULL;
        ds = open_whole(&opt);
        snprintf(want, sizeof want, "%s", ask_query(ds, &all[i]));
        CHECK(strstr(want, "made.tacozip") != NULL);
        taco_close(ds);
        opt.parallel_for = backwards;
        for (width = 2; width < 5; width++) {
            opt.parallel_width = width;
            ds = open_made(&opt);
            CHECK_TEXT(ask_query(ds, &all[i]), want);
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
        const query *q = &queries[i];
        if (!q->by_tasks) { continue; }
        snprintf(want, sizeof want, "%s", ask_query(ds, q));
        before = p.memory.live;
        for (n = 0; n < 400 && places_next(&p, n); n++) {
            const char *got = ask_query(ds, q);
            bool same = strcmp(got, want) == 0 || strncmp(got, "memory: ", 8) == 0;
            if (!same || p.memory.live > before) {
                printf("%s:\n  allocation %u: %.200s, %d bytes lost\n", name_of(q),
                       (unsigned)p.memory.fail_at, got, (int)(p.memory.live - before));
            }
            CHECK(same && p.memory.live <= before);
        }
        p.memory.fail_at = 0;
        CHECK_TEXT(ask_query(ds, q), want);
    }
    taco_close(ds);
    CHECK(p.memory.live == 0);
    places_exact = false;
    printf("%u places that ask for memory\n", (unsigned)p.tried);
}

/* Tasks have shares of the limit: where these are too little, the calling thread does the work, with
   no more than it needs alone. */
static void test_limit(void)
{
    static const query all[] = {
        SQL("SELECT id, sum(f), list(v) FROM data GROUP BY id", true),
        SQL("SELECT * FROM data ORDER BY word, v", true),
        SQL("SELECT a.word, list(b.id) FROM data a JOIN data b ON a.v = b.v GROUP BY a.word", true),
        SQL("SELECT DISTINCT word, few FROM data", true),
        SQL("SELECT DISTINCT id, word FROM data", true),
        SORTED("v > 3", "word", 6, 0, true),
    };
    static char want[400000];
    taco_options opt = none();
    size_t i, answers, width;
    for (i = 0; i < TACO__COUNT(all); i++) {
        taco_dataset *ds = open_made(&opt);
        uint64_t limit, least = 0;
        snprintf(want, sizeof want, "%s", ask_query(ds, &all[i]));
        taco_close(ds);
        answers = 0;
        for (limit = 50000; limit < 3000000; limit += test_all() ? 25000 : 125000) {
            opt.limits.max_memory = limit;
            opt.parallel_for = NULL;
            ds = open_made(&opt);
            least = !least && ds && strcmp(ask_query(ds, &all[i]), want) == 0 ? limit : least;
            taco_close(ds);
            opt.parallel_for = backwards;
            opt.parallel_long = true;
            for (width = 2; width <= 4; width++) {
                bool same;
                opt.parallel_width = width;
                ds = open_made(&opt);
                same = ds && strcmp(ask_query(ds, &all[i]), want) == 0;
                if (!same && least) {
                    printf("%s: %u tasks fail with %u bytes, one thread needs %u\n",
                           name_of(&all[i]), (unsigned)width, (unsigned)limit, (unsigned)least);
                }
                CHECK(same || !least);
                answers += same;
                taco_close(ds);
            }
        }
        CHECK(least && answers > (test_all() ? 30 : 6));
        opt = none();
    }
}

/* A host may keep its threads for long tasks: scans have none then. */
static void test_long(void)
{
    taco_options opt = none();
    taco_dataset *ds;
    opt.parallel_for = backwards;
    opt.parallel_width = 2;
    opt.parallel_long = true;
    ds = open_made(&opt);
    rounds = 0;
    ask(ds, "SELECT few, count(*) FROM data GROUP BY few");
    CHECK(rounds > 0);
    rounds = 0;
    ask(ds, "SELECT id, f FROM data WHERE word = 'red'");
    CHECK(rounds == 0);
    taco_close(ds);
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
    RUN(test_long);
    RUN(test_places);
    free(made.data);
    return test_end("test_sql_tasks");
}
