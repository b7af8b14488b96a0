/* Values chosen so that all of them have the same place in a hash table, or the same hash, by the
   inverse of the hash functions with the first seed: GROUP BY, DISTINCT, joins and the dictionary of
   a column chunk take at most three times as long as with other values, and give the same answers. */
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_write.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include <time.h>

#define ROWS 32768
#define PATH "build/tmp_flood.tacozip"

/* x ^ x >> bits, inverted */
static uint64_t unshift(uint64_t x, unsigned bits)
{
    uint64_t y = x;
    unsigned i;
    for (i = 0; i < 64; i += bits) {
        y = x ^ (y >> bits);
    }
    return y;
}

/* The inverse of an odd number modulo 2^64: each step doubles the bits that are right. */
static uint64_t inverse(uint64_t a)
{
    uint64_t x = a;
    int i;
    for (i = 0; i < 6; i++) {
        x *= 2 - a * x;
    }
    return x;
}

/* taco__vec_hash_mix and its inverse */
#define MIX UINT64_C(0xD6E8FEB86659FD93)

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * MIX;
    x = (x ^ x >> 32) * MIX;
    return x ^ x >> 32;
}

static uint64_t unmix(uint64_t x)
{
    x = unshift(x, 32) * inverse(MIX);
    x = unshift(x, 32) * inverse(MIX);
    return unshift(x, 32);
}

/* the inverse of taco__dict_builder_hash for 8 bytes */
static uint64_t undict(uint64_t x)
{
    return unshift(unshift(x, 29) * inverse(UINT64_C(0x9E3779B97F4A7C15)), 32);
}

/* Whether hostile work took more than three times as long, with a floor for the clock. */
static bool flooded(clock_t harmless, clock_t hostile)
{
    return (double)hostile > 3 * (double)harmless + 0.15 * CLOCKS_PER_SEC;
}

static taco_dataset *dataset(void)
{
    static const char collection[] =
        "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"CC0-1.0\"],"
        "\"providers\":[{\"name\":\"p\",\"roles\":[\"host\"]}],\"tasks\":[\"other\"]}";
    static const char *const names[] = {"x", "a", "y", "hx", "ha", "hy"};
    taco_create_options create;
    taco_error e;
    taco_writer *w;
    uint64_t i;
    size_t k;
    memset(&create, 0, sizeof create);
    memset(&e, 0, sizeof e);
    create.overwrite = true;
    w = taco_create(PATH, &create, &e);
    taco_writer_collection(w, collection, strlen(collection));
    for (k = 0; k < 6; k++) {
        taco_writer_column(w, 0, names[k], TACO_INT64);
    }
    for (i = 0; i < ROWS; i++) {
        const uint64_t v[6] = {
            unmix(unmix(i << 24)), i, unmix(77 - mix(mix(i)) * 31), /* equal hashes */
            mix(i + 12345),        i, mix(i + 54321)};
        char id[16];
        snprintf(id, sizeof id, "%u", (unsigned)i);
        taco_writer_bytes(w, id, "x", 1);
        for (k = 0; k < 6; k++) {
            taco_writer_set_int(w, names[k], (int64_t)v[k]);
        }
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    return taco_open(PATH, NULL, &e);
}

/* The time of a query, which counts ROWS. */
static clock_t count(taco_dataset *ds, const char *sql)
{
    taco_error e;
    taco_cursor *c;
    clock_t t = clock();
    int64_t n = 0;
    memset(&e, 0, sizeof e);
    c = taco_sql(ds, sql, &e);
    CHECK(c && taco_cursor_next(c) && taco_cursor_int(c, "n", &n) && n == ROWS);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    return clock() - t;
}

static void test_sql(void)
{
    static const char *const all[][2] = {
        {"SELECT count(*) AS n FROM (SELECT DISTINCT hx FROM data)",
         "SELECT count(*) AS n FROM (SELECT DISTINCT x FROM data)"},
        {"SELECT count(*) AS n FROM (SELECT ha, hy FROM data GROUP BY ha, hy)",
         "SELECT count(*) AS n FROM (SELECT a, y FROM data GROUP BY a, y)"},
        {"SELECT count(DISTINCT hx) AS n FROM data", "SELECT count(DISTINCT x) AS n FROM data"},
        {"SELECT count(*) AS n FROM data b JOIN data c ON b.hx = c.hx",
         "SELECT count(*) AS n FROM data b JOIN data c ON b.x = c.x"},
        {"SELECT count(*) AS n FROM data b JOIN data c ON b.ha = c.ha AND b.hy = c.hy",
         "SELECT count(*) AS n FROM data b JOIN data c ON b.a = c.a AND b.y = c.y"}};
    taco_dataset *ds = dataset();
    size_t i;
    CHECK(ds != NULL);
    for (i = 0; ds && i < sizeof all / sizeof *all; i++) {
        clock_t harmless = count(ds, all[i][0]), hostile = count(ds, all[i][1]);
        if (flooded(harmless, hostile)) {
            printf("%s: %.2f s, was %.2f\n", all[i][1], (double)hostile / CLOCKS_PER_SEC,
                   (double)harmless / CLOCKS_PER_SEC);
        }
        CHECK(!flooded(harmless, hostile));
    }
    taco_close(ds);
}

/* The time to write each value four times. */
static clock_t write_values(const int64_t *v, size_t n)
{
    taco_field field;
    taco_array a;
    taco_batch b;
    taco_sink sink;
    taco_error e;
    taco_pq_writer *w;
    clock_t t = clock();
    memset(&field, 0, sizeof field);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&e, 0, sizeof e);
    field.name = "x";
    field.type = TACO_INT64;
    a.field = &field;
    a.length = b.length = n;
    a.v.any = v;
    b.columns = &a;
    b.column_count = 1;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, &field, 1, NULL, &e);
    CHECK(taco_pq_writer_batch(w, &b) == TACO_OK);
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    taco_sink_free(&sink);
    return clock() - t;
}

static void test_dictionary(void)
{
    static int64_t hostile[4 * ROWS], harmless[4 * ROWS];
    clock_t before;
    uint64_t i;
    for (i = 0; i < 4 * ROWS; i++) {
        uint64_t k = i * 5 % ROWS; /* each in turn, four times */
        hostile[i] = (int64_t)undict(k << 24);
        harmless[i] = (int64_t)mix(k + 99);
    }
    before = write_values(harmless, 4 * ROWS);
    CHECK(!flooded(before, write_values(hostile, 4 * ROWS)));
}

int main(void)
{
    RUN(test_sql);
    RUN(test_dictionary);
    return test_end("test_flood");
}
