/* The host's floating point: where, boxes, order, statistics and SQL answer alike in each rounding
   mode, and where denormals are taken for zero, as in a program that has loaded a library linked
   with -ffast-math. */
#include "../taco.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

static const char *const queries[] = {
    "SELECT count_if(x > 0), count_if(x >= 0), count_if(x = 0), count_if(x < 0), count_if(x > y), "
    "count_if(x = y), count_if(isnan(x)), count_if(isinf(x)), count_if(NOT (x > 3)) FROM v",
    "SELECT count(*) FROM v WHERE x > 0",
    "SELECT count(*) FROM v WHERE x >= 0 AND x <= 4.9e-324",
    "SELECT count(*) FROM v WHERE x = 'NaN'",
    "SELECT count(*) FROM v WHERE NOT (x > 3)",
    "SELECT x FROM v ORDER BY x",
    "SELECT x FROM v ORDER BY x DESC LIMIT 3",
    "SELECT x, count(*) FROM v GROUP BY x ORDER BY x",
    "SELECT min(x), max(x), count(DISTINCT x) FROM v",
    "SELECT 0.1e0, '1.7976931348623157e308'::DOUBLE, 0.1::FLOAT, '1e-45'::FLOAT, 1.1::DECIMAL(3,1)",
    "SELECT 1.1::DECIMAL(3,1)::DOUBLE, 0.7::DECIMAL(3,1)::FLOAT, -2.3::DOUBLE, 12345678.9::DOUBLE",
    "SELECT count(*) FROM (VALUES ('0.1'), ('0.3'), ('-0.7')) t(a) WHERE CAST(a AS DOUBLE) IN "
    "(0.1, "
    "0.3, -0.7) OR CAST(a AS FLOAT) > 0.3",
    "SELECT avg(d), favg(d) FROM (VALUES (0.1), (0.2), (0.7)) t(d)"};

/* Counts of rows of examples/data/types.tacozip. */
static const struct {
    const char *where;
    int rows;
} wheres[] = {
    {"t_float64 > 0", 4},          {"t_float64 <= 0", -1},     {"t_float64 = 0", -1},
    {"t_float32 > 0", -1},         {"t_float32 >= 0", -1},     {"t_float64 = 'NaN'", -1},
    {"NOT (t_float64 > 3)", -1},   {"t_float32 = 0.1", -1},    {"t_float64 < 'Infinity'", -1},
    {"t_float64 < t_float32", -1}, {"t_float64 IN (0, 1)", -1}};

enum { ROWS = sizeof wheres / sizeof *wheres, TEXTS = sizeof queries / sizeof *queries };

static taco_dataset *types;
static int rows[ROWS];
static char texts[TEXTS][4096];

static int count(const char *where)
{
    taco_query q;
    taco_error e;
    taco_batch b;
    taco_cursor *c;
    int n = 0;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    q.where = where;
    c = taco_select(types, &q, &e);
    while (taco_cursor_batch(c, &b)) {
        n += (int)b.length;
    }
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    return n;
}

/* The rows of a query as CSV without quotes, or its error. */
static const char *csv(const char *sql)
{
    static char out[8192];
    taco_error e;
    taco_batch b;
    taco_bytes part;
    taco_cursor *c;
    taco_printer *p;
    const taco_field *f;
    size_t n = 0, fields;
    memset(&e, 0, sizeof e);
    c = taco_sql(types, sql, &e);
    f = taco_cursor_fields(c, &fields);
    p = c ? taco_printer_open(f, fields, TACO_FORMAT_CSV, NULL, &e) : NULL;
    while (p && taco_cursor_batch(c, &b)) {
        part = taco_printer_batch(p, &b, &e);
        if (!part.data || part.len > sizeof out - 1 - n) { break; }
        memcpy(out + n, part.data, part.len);
        n += part.len;
    }
    out[n] = 0;
    taco_printer_close(p);
    taco_cursor_close(c, &e);
    return e.code ? taco_error_text(&e) : out;
}

static const char *answer(const char *query)
{
    static char text[8192];
    snprintf(text, sizeof text,
             "WITH v AS (SELECT CAST(a AS DOUBLE) AS x, CAST(b AS DOUBLE) AS y FROM (VALUES ('0', "
             "'-0'), ('4.9e-324', '0'), ('-4.9e-324', '0'), ('1e-310', '2e-310'), ('NaN', 'NaN'), "
             "('-Infinity', '1'), ('Infinity', 'Infinity'), ('4', '3')) t(a, b)) %s",
             query);
    return csv(text);
}

/* The answers now are those before. */
static void same(void)
{
    size_t i;
    for (i = 0; i < ROWS; i++) {
        CHECK(count(wheres[i].where) == rows[i]);
    }
    for (i = 0; i < TEXTS; i++) {
        CHECK_TEXT(answer(queries[i]), texts[i]);
    }
}

static void as_usual(void)
{
    static const uint64_t nan = (uint64_t)0x7FF8 << 48;
    double box[4] = {0, 0, 1, 1};
    taco_dataset *places;
    taco_query q;
    taco_error e;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        rows[i] = count(wheres[i].where);
        CHECK(wheres[i].rows < 0 || rows[i] == wheres[i].rows);
    }
    for (i = 0; i < TEXTS; i++) {
        snprintf(texts[i], sizeof texts[i], "%s", answer(queries[i]));
    }
    CHECK_TEXT(strchr(texts[0], '\n') + 1, "5,6,1,2,2,3,1,2,5\n");
    CHECK_TEXT(strchr(texts[1], '\n') + 1, "5\n");
    memcpy(&box[2], &nan, sizeof nan);
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    q.bbox = box;
    places = taco_open("examples/data/geo_stac.tacozip", NULL, &e);
    CHECK(!taco_select(places, &q, &e));
    CHECK_TEXT(taco_error_text(&e),
               "examples/data/geo_stac.tacozip: bbox: bounding box: east is not a number");
    taco_close(places);
}

/* The rounding mode (0 to 3) and whether denormals are zero; false if this machine has no switch
   that is known here. */
static bool set_float(unsigned mode, bool zero)
{
#if defined(__SSE2__)
    _mm_setcsr((_mm_getcsr() & ~0xE040U) | mode << 13 | (zero ? 0x8040U : 0));
    return true;
#elif defined(__aarch64__)
    uint64_t x;
    __asm__ volatile("mrs %0, fpcr" : "=r"(x));
    x = (x & ~((uint64_t)7 << 22)) | (uint64_t)mode << 22 | (uint64_t)zero << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(x));
    return true;
#else
    return mode == 0 && !zero;
#endif
}

static void rounding_modes(void)
{
    unsigned mode;
    for (mode = 1; mode < 4; mode++) {
        if (set_float(mode, false)) {
            same();
        } else {
            SKIP("not set on this processor");
        }
    }
    set_float(0, false);
}

static void denormals_are_zero(void)
{
    if (set_float(0, true)) {
        same();
    } else {
        SKIP("not set on this processor");
    }
    set_float(0, false);
}

int main(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    types = taco_open("examples/data/types.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    RUN(as_usual);
    RUN(rounding_modes);
    RUN(denormals_are_zero);
    taco_close(types);
    return test_end("host_float");
}
