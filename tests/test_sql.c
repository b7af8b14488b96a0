/* SQL: parse errors with positions, semantics with nulls, functions, aggregates, joins, limits,
   allocation failures. */
#include "places.h"

#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/dataset/dataset.h"
#include "../src/sql/sql.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include "footer.h"
#include "make.h"

#include "sql_run.h"

static void syntax(void)
{
    CHECK_TEXT(run("SELEC 1"), "syntax: at column 1: expected select, found 'SELEC'");
    CHECK_TEXT(run("SELECT"), "syntax: at column 7: expected a value, found end of text");
    CHECK_TEXT(run("SELECT id FROM level0 WHERE"),
               "syntax: at column 28: expected a value, found end of text");
    CHECK_TEXT(run("SELECT id FROM level7"),
               "syntax: at column 16: no such table: 'level7'; there are data, level0 ... level5, "
               "l0 ... l5");
    CHECK_TEXT(run("SELECT id FROM level2"),
               "syntax: at column 16: there is no table 'level2': the deepest level is 1");
    CHECK_TEXT(run("SELECT sum(v) OVER () FROM data"),
               "syntax: at column 15: window functions (OVER) are not supported, use DuckDB with "
               "the taco extension");
    CHECK_TEXT(run("SELECT to_json(id) FROM data"),
               "syntax: at column 8: the function 'to_json' is not supported");
    CHECK_TEXT(
        run("SELECT lenght(id) FROM data"),
        "syntax: at column 8: the function 'lenght' is not supported, the nearest is length");
    CHECK_TEXT(run("SELECT id, count(*) FROM data"),
               "syntax: at column 8: column 'id' must be in GROUP BY or in an aggregate");
    CHECK_TEXT(run("SELECT id FROM data WHERE sum(v) > 1"),
               "syntax: at column 27: an aggregate is not allowed in WHERE, ON or GROUP BY");
    CHECK_TEXT(run("SELECT id + 1 FROM data"),
               "syntax: at column 11: no arithmetic with VARCHAR and INTEGER");
    CHECK_TEXT(run("SELECT id FROM data ORDER BY 2"),
               "syntax: at column 30: there are 1 select items, not 2");
    CHECK(strstr(run("SELECT nope FROM data"), "nope") != NULL);
}

/* Constants of DATE and TIMESTAMP are tested where rows are read, with the same answer as after it. */
static void times(void)
{
    static const char *const where[] = {"\"stac:time_start\" > TIMESTAMP '2021-07-01'",
                                        "\"stac:time_start\" > CAST('2021-07-01' AS TIMESTAMP)",
                                        "\"stac:time_start\" + INTERVAL 0 DAY > TIMESTAMP "
                                        "'2021-07-01'",
                                        "\"stac:time_start\" BETWEEN TIMESTAMP '2021-07-01 "
                                        "00:00:01' AND TIMESTAMP '2100-01-01'",
                                        "\"stac:time_start\" > DATE '2021-07-01'"};
    char sql[300];
    size_t i;
    taco_dataset *before = set;
    taco_error e = none();
    asking = false;
    set = taco_open("examples/data/geo_stac.tacozip", NULL, &e);
    for (i = 0; i < sizeof where / sizeof where[0]; i++) {
        snprintf(sql, sizeof sql, "SELECT id FROM data WHERE %s ORDER BY id", where[i]);
        CHECK_TEXT(run(sql), "p5|p6|p7|p8");
    }
    CHECK_TEXT(run("SELECT id FROM data WHERE \"stac:time_start\" > TIMESTAMP '2021-13-01'"),
               "syntax: at column 57: '2021-13-01' is not a TIMESTAMP");
    taco_close(set);
    set = before;
    asking = true;
}

static void values(void)
{
    CHECK_TEXT(run("SELECT count(*), count(\"internal:parent_id\"), sum(w) FROM level1"),
               "7 6 49.0");
    CHECK_TEXT(run("SELECT sum(\"internal:size\"), avg(w), min(id), max(id), stddev_pop(w) FROM "
                   "level1 WHERE w < 7"),
               "9223372036854775810 5.333333333333333 B c%d 0.4714045207910316");
    CHECK_TEXT(run("SELECT count_if(w > 6), count_if(w > 100), count_if(w > 0) FILTER (w > 100), "
                   "count_if(NULL::BOOLEAN) FROM level1"),
               "4 0 - -");
    CHECK_TEXT(run("SELECT count_if(w > 6) FROM level1 WHERE false"), "-");
    CHECK_TEXT(run("SELECT \"internal:size\" + 1 FROM level1 LIMIT 1"), "2");
    CHECK_TEXT(
        run("SELECT CAST(5.5 AS DECIMAL(20,4)) % CAST(0 AS HUGEINT), CAST(5.5 AS DECIMAL(20,4)) % "
            "CAST(2 AS HUGEINT), epoch_ms(TIMESTAMP '1969-12-31 23:59:58.9985') FROM data LIMIT 1"),
        "- 1.5 -1002");
    CHECK_TEXT(run("SELECT quantile_cont(CAST(v AS DECIMAL(18,1)), 0.01), quantile_cont(CAST(v AS "
                   "DECIMAL(38,1)), 0.01) FROM data"),
               "-3.0 -2.9");
    CHECK(strstr(run("SELECT \"internal:size\" + 1 FROM level1"), "overflow of BIGINT in +") !=
          NULL);
    CHECK_TEXT(run("SELECT id, v / 0, v // 0, v % 2 FROM data ORDER BY 1"),
               "x inf - 1.0|y inf - 0.5|z -inf - -1.0");
    CHECK_TEXT(run("SELECT \"internal:parent_id\" + 1 FROM level1 ORDER BY 1 DESC NULLS FIRST "
                   "LIMIT 3"),
               "-|100|31");
    CHECK_TEXT(run("SELECT upper(id), length(id), id[1], id[-2:], id || '!' FROM level1 WHERE id > "
                   "'d' AND id <> 'lost' ORDER BY 1 DESC LIMIT 1"),
               "\xC3\x89T\xC3\x89 3 \xC3\xA9 t\xC3\xA9 \xC3\xA9t\xC3\xA9!");
    CHECK_TEXT(run("SELECT id FROM level1 WHERE id LIKE 'c!%%' ESCAPE '!'"), "c%d");
    CHECK_TEXT(run("SELECT id FROM level1 WHERE id ILIKE 'b' OR id IN ('nil', 'q') ORDER BY ALL"),
               "B|nil");
    CHECK_TEXT(run("SELECT CASE WHEN v > 2 THEN 'big' WHEN v < 0 THEN NULL ELSE 'small' END, "
                   "coalesce(nullif(v, 1), 7) FROM data"),
               "small 7.0|big 2.5|- -3.0");
    CHECK_TEXT(run("SELECT TRY_CAST(id AS INTEGER), CAST(v AS INTEGER), v::DECIMAL(4,1) FROM data"),
               "- 1 1.0|- 2 2.5|- -3 -3.0");
    CHECK(strstr(run("SELECT CAST(id AS INTEGER) FROM data"), "'x' is not a valid INTEGER") !=
          NULL);
    CHECK_TEXT(run("SELECT DATE '2020-01-31' + INTERVAL 1 MONTH, date_trunc('week', DATE "
                   "'2021-01-01'), year(DATE '2021-01-01'), date_diff('day', DATE '2020-02-28', "
                   "DATE '2020-03-01') FROM data LIMIT 1"),
               "2020-02-29 00:00:00 2020-12-28 00:00:00 2021 2");
    CHECK_TEXT(run("SELECT 0.1 + 0.2, 1.5 * 2, 7 // 2, -7 % 3, round(2.567, 1), sqrt(2) FROM data "
                   "LIMIT 1"),
               "0.3 3.0 3 -1 2.6 1.4142135623730951");
    CHECK_TEXT(
        run("SELECT epoch(TIMESTAMP '1969-12-31 23:59:59.999999'), CAST(7.5 AS DECIMAL(20,4)) % "
            "CAST(2 AS HUGEINT), typeof(5.0 % CAST(2 AS HUGEINT)) FROM data LIMIT 1"),
        "-1e-06 1.5 DOUBLE");
    CHECK(strstr(run("SELECT CAST(-128 AS TINYINT) % CAST(-1 AS TINYINT) FROM data"), "overflow"));
    CHECK_TEXT(run("SELECT typeof(CASE WHEN v > 0 THEN CAST(1 AS DECIMAL(38,4)) ELSE CAST(2 AS "
                   "DECIMAL(38,0)) END) FROM data LIMIT 1"),
               "DECIMAL(38,0)");
    CHECK_TEXT(run("SELECT NULL IS DISTINCT FROM 1, NULL = 1, 1 BETWEEN 0 AND NULL, 2 IN (1, NULL) "
                   "FROM data LIMIT 1"),
               "true - - -");
    CHECK_TEXT(run("SELECT ST_Intersects(ST_Point(1, 1), ST_MakeEnvelope(0, 0, 1, 1)), "
                   "ST_Within(ST_Point(1, 1), ST_MakeEnvelope(0, 0, 1, 1)), "
                   "ST_Within(ST_Point(0.5, 1e-3), ST_MakeEnvelope(0, 0, 1, 1)), ST_X(ST_Point(3, "
                   "4)) FROM data LIMIT 1"),
               "true false true 3.0");
}

static void groups(void)
{
    CHECK_TEXT(run("SELECT id, count(*) n, list(w) FROM level1 GROUP BY id HAVING n > 1"),
               "a 2 [5.0, 7.0]");
    /* ORDER BY takes an alias before a column, GROUP BY the column */
    CHECK_TEXT(run("SELECT -v AS v FROM data ORDER BY v"), "-2.5|-1.0|3.0");
    CHECK_TEXT(run("SELECT v > 0 AS v, count(*) FROM data GROUP BY v ORDER BY ALL"),
               "false 1|true 1|true 1");
    CHECK_TEXT(run("SELECT w, count(*) FROM level1 GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 2"),
               "5.0 2|9.0 2");
    CHECK_TEXT(run("SELECT DISTINCT w FROM level1 ORDER BY w DESC OFFSET 1"), "8.0|7.0|6.0|5.0");
    CHECK_TEXT(run("SELECT count(DISTINCT w), sum(DISTINCT w), median(w), quantile_disc(w, 0.9), "
                   "quantile_cont(w, 0.25) FROM level1"),
               "5 35.0 7.0 9.0 5.5");
    CHECK_TEXT(run("SELECT count(*), sum(v), min(id), median(v) FROM data WHERE v > 100"),
               "0 - - -");
    CHECK_TEXT(run("SELECT count(*) FILTER (WHERE v > 0), bool_and(v > 0), bool_or(v > 0), "
                   "first(id), any_value(id), last(id) FROM data"),
               "2 false true x x z");
    CHECK_TEXT(run("SELECT c.id, p.id FROM level1 c JOIN level0 p ON c.\"internal:parent_id\" = "
                   "p.\"internal:current_id\" ORDER BY ALL"),
               "B y|a x|a y|c%d z|\xC3\xA9t\xC3\xA9 x");
    CHECK_TEXT(run("SELECT c.id, p.v FROM level1 c LEFT JOIN level0 p ON c.\"internal:parent_id\" "
                   "= p.\"internal:current_id\" AND p.v > 1 WHERE c.w > 5 ORDER BY c.w, 1"),
               "B 2.5|a -|\xC3\xA9t\xC3\xA9 -|lost -|nil -");
    CHECK_TEXT(run("SELECT \"l0:id\", max(\"l1:w\") FROM l1 GROUP BY 1 ORDER BY 1"),
               "x 8.0|y 6.0|z 5.0");
    CHECK_TEXT(run("SELECT * EXCLUDE (\"internal:gdal_vsi\", \"internal:offset\", "
                   "\"internal:size\", type) FROM data LIMIT 1"),
               "x 1.0 20");
}

static void names(void)
{
    taco_error e = none();
    taco_cursor *c = taco_sql(
        set,
        "SELECT ID, v+1, count(*), Max(\"v\"), left(id, 1), v::INT, x.v b FROM data x GROUP BY ALL",
        &e);
    size_t n;
    const taco_field *f = taco_cursor_fields(c, &n);
    CHECK_TEXT(taco_error_text(&e), "");
    if (n == 7) {
        CHECK_TEXT(f[0].name, "id");
        CHECK_TEXT(f[1].name, "(v + 1)");
        CHECK_TEXT(f[2].name, "count_star()");
        CHECK_TEXT(f[3].name, "max(v)");
        CHECK_TEXT(f[4].name, "\"left\"(id, 1)");
        CHECK_TEXT(f[5].name, "CAST(v AS INTEGER)");
        CHECK_TEXT(f[6].name, "b");
    }
    CHECK(n == 7);
    taco_cursor_close(c, &e);
}

/* What repeats or nests, far beyond what anybody writes: a result or an error, and never the
   stack's end. */
static void shapes(void)
{
    static const char *const parts[][3] = {{"SELECT ", "(", "1 FROM data"},
                                           {"SELECT ", "- ", "1 FROM data"},
                                           {"SELECT ", "NOT ", "true FROM data"},
                                           {"SELECT id FROM data WHERE ", "NOT ", "true"},
                                           {"SELECT v", "+1", " FROM data"},
                                           {"SELECT id", "||id", " FROM data"},
                                           {"SELECT id FROM data WHERE v=1", " AND v=1", ""},
                                           {"SELECT id FROM data WHERE v=1", " OR (v=1", ""},
                                           {"SELECT v", "::DOUBLE", " FROM data"},
                                           {"SELECT ", "CAST(", "v AS DOUBLE) FROM data"},
                                           {"SELECT id", "[1]", " FROM data"},
                                           {"SELECT id", "[1:2]", " FROM data"},
                                           {"SELECT id", ".a", " FROM data"},
                                           {"SELECT ", "abs(", "v) FROM data"},
                                           {"SELECT ", "sum(", "v) FROM data"},
                                           {"SELECT ", "CASE WHEN ", "v FROM data"},
                                           {"SELECT CASE", " WHEN v=1 THEN 2", " END FROM data"},
                                           {"SELECT coalesce(v", ",1", ") FROM data"},
                                           {"SELECT id FROM data WHERE v IN (1", ",2", ")"},
                                           {"SELECT id FROM data WHERE v", " IS NULL", ""},
                                           {"SELECT id FROM data WHERE v", " BETWEEN 1 AND v", ""},
                                           {"SELECT id FROM data WHERE id", " LIKE 'x'", ""},
                                           {"SELECT id", ",id", " FROM data"},
                                           {"SELECT * EXCLUDE (id", ",v", ") FROM data"},
                                           {"SELECT id FROM data", " JOIN level1 ON true", ""},
                                           {"SELECT id FROM data", ",level1", ""},
                                           {"SELECT id FROM data GROUP BY id", ",id", ""},
                                           {"SELECT id FROM data ORDER BY id", ",id DESC", ""},
                                           {"SELECT id FROM data ", "/*", ""},
                                           {"SELECT '", "''", "' FROM data"},
                                           {"SELECT \"", "\"\"", "\" FROM data"},
                                           {"SELECT 1", "0", " FROM data"},
                                           {"SELECT X'", "00", "' FROM data"},
                                           {"SELECT CAST(v AS DOUBLE", "[]", ") FROM data"},
                                           {"SELECT CAST(v AS ", "STRUCT(a ", "INT) FROM data"},
                                           {"SELECT [", "[", "1] FROM data"},
                                           {"", "SELECT ", "1 FROM data"},
                                           {"SELECT 1 FROM ", "(SELECT 1 FROM ", "data"}};
    static const size_t counts[] = {70, 3000, 100000};
    static char text[1 << 21];
    size_t k, c, i, n;
    for (k = 0; k < sizeof parts / sizeof *parts; k++) {
        for (c = 0; c < 3; c++) {
            n = (size_t)sprintf(text, "%s", parts[k][0]);
            for (i = 0; i < counts[c] && n + 64 < sizeof text; i++) {
                n += (size_t)sprintf(text + n, "%s", parts[k][1]);
            }
            sprintf(text + n, "%s", parts[k][2]);
            {
                taco_error e = none();
                taco_cursor *rows = taco_sql(set, text, &e);
                while (taco_cursor_next(rows)) {}
                taco_cursor_close(rows, &e);
                CHECK(e.code == TACO_OK || e.code == TACO_ERR_LIMIT || e.code == TACO_ERR_SYNTAX ||
                      e.code == TACO_ERR_TYPE || e.code == TACO_ERR_NOT_FOUND);
            }
        }
    }
}

/* Long and deep texts end at limits. */
static void limits(void)
{
    static char text[1 << 21];
    size_t i, k, n = (size_t)sprintf(text, "SELECT ");
    for (i = 0; i < 5000; i++) {
        text[n++] = '(';
    }
    text[n] = 0;
    CHECK(strstr(run(text), "limit: ") == run(text));
    n = (size_t)sprintf(text, "SELECT 1");
    for (i = 0; i < 5000; i++) {
        n += (size_t)sprintf(text + n, "+1");
    }
    sprintf(text + n, " FROM data");
    CHECK(strstr(run(text), "limit: ") == run(text));
    for (k = 0; k < 2; k++) { /* an argument with a name is one deeper than its value, too */
        n = (size_t)sprintf(text, k ? "SELECT struct_pack(a := 1" : "SELECT (1");
        for (i = 2; i < TACO__DEFAULT_MAX_DEPTH; i++) { /* the SELECT list is one more */
            n += (size_t)sprintf(text + n, "+1");
        }
        sprintf(text + n, ") FROM data");
        CHECK((strstr(run(text), "limit: ") == run(text)) == (k == 1));
    }
    n = (size_t)sprintf(text, "SELECT ");
    for (i = 0; i < 5000; i++) {
        text[n++] = '-';
        text[n++] = ' ';
    }
    text[n] = 0;
    CHECK(strstr(run(text), "limit: ") == run(text));
    n = (size_t)sprintf(text, "SELECT v a0");
    for (i = 1; i < 30; i++) {
        n += (size_t)sprintf(text + n, ", a%u + a%u a%u", (unsigned)i - 1, (unsigned)i - 1,
                             (unsigned)i);
    }
    sprintf(text + n, " FROM data");
    CHECK(strstr(run(text), "limit: ") == run(text));
    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = 0;
    CHECK(strstr(run(text), "limit: ") == run(text));
    CHECK(strstr(run("SELECT repeat(id, 1000000000) FROM data"), "repeat would make a text") !=
          NULL);
}

/* Times of columns that no literal reaches: INT96 beyond nanoseconds, milliseconds beyond
   microseconds. */
static void far_times(void)
{
    static const char *const ids[] = {"a", "b", "c", "d"}, *const type[] = {"FILE", "FILE", "FILE",
                                                                            "FILE"};
    static const int64_t at[] = {163, 163, 163, 163}, size[] = {1, 1, 1, 1},
                         ms[] = {INT64_C(1) << 62, -(INT64_C(1) << 62), 0, 86400001};
    /* 9999-12-31, 0001-01-01, 2020-01-01, 2300-05-05 */
    static const uint32_t days[] = {5373484, 1721426, 2458850, 2561242};
    uint8_t int96[48] = {0};
    mk_col c[6];
    mk_buf level, z;
    taco_dataset *before = set;
    taco_error e = none();
    size_t i;
    for (i = 0; i < 4; i++) {
        taco__put_le32(int96 + i * 12 + 8, days[i]);
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_bin("i96", int96, 12);
    c[2].type = MK_INT96;
    c[3] = mk_i64("ms", ms);
    c[3].type = MK_STAMP_MILLI;
    c[4] = mk_i64("internal:offset", at);
    c[5] = mk_i64("internal:size", size);
    level = mk_parquet(c, 6, 4, 4);
    z = mk_archive(&level, 1, MK_FLAT, "data", 4);
    asking = false; /* every_place has another dataset */
    set = open_made(&z, NULL, &e);
    CHECK_TEXT(run("SELECT id, i96 FROM data"),
               "a 9999-12-31 00:00:00|b 0001-01-01 00:00:00|c 2020-01-01 00:00:00|"
               "d 2300-05-05 00:00:00");
    CHECK_TEXT(run("SELECT id, year(i96) FROM data WHERE i96 > DATE '2250-01-01' ORDER BY i96"),
               "d 2300|a 9999");
    CHECK(strstr(run("SELECT date_diff('ms', b.ms, a.ms) FROM data a, data b "
                     "WHERE a.id = 'a' AND b.id = 'b'"),
                 "overflow"));
    CHECK_TEXT(
        run("SELECT id, date_diff('ms', ms, '1970-01-02'::TIMESTAMP_MS), epoch_ms(ms) "
            "FROM data"),
        "a -4611686018340987904 4611686018427387904|b 4611686018513787904 -4611686018427387904|"
        "c 86400000 0|d -1 86400001");
    taco_close(set);
    free(z.data);
    set = before;
    asking = true;
}

int main(void)
{
    taco_error e = none();
    made = archive();
    set = open_made(&made, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    RUN(syntax);
    RUN(times);
    RUN(values);
    RUN(groups);
    RUN(names);
    RUN(shapes);
    RUN(limits);
    RUN(far_times);
    RUN(every_place);
    taco_close(set);
    free(made.data);
    return test_end("sql");
}
