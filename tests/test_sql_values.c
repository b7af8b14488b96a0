/* SQL: the same values as DuckDB, expression by expression. */
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

/* An expression and what DuckDB 1.5 makes of it, "-" for null; a text with a colon is the beginning
   of an error. */
typedef struct sql_case {
    const char *expr, *want;
} sql_case;

static void check_cases(const sql_case *cases, size_t n)
{
    static char text[1024];
    size_t i;
    for (i = 0; i < n; i++) {
        snprintf(text, sizeof text, "SELECT %s FROM data LIMIT 1", cases[i].expr);
        CHECK_TEXT(run(text), cases[i].want);
    }
}

#define CHECK_CASES(cases) check_cases(cases, sizeof cases / sizeof *cases)

/* Coarser times are floors, before 1970 too, and the parts of a time make it up. */
static void times_before_1970(void)
{
    static const sql_case cases[] = {
        {"TIMESTAMP_NS '1969-12-31 23:59:59.999999999'::DATE", "1969-12-31"},
        {"TIMESTAMP_NS '1969-12-31 23:59:59.999999999'::TIMESTAMP", "1969-12-31 23:59:59.999999"},
        {"TIMESTAMP_NS '1969-12-31 23:59:59.999999999'::TIME", "23:59:59.999999"},
        {"TIMESTAMP_MS '1969-12-31 23:59:59.999'::DATE", "1969-12-31"},
        {"TIMESTAMP_S '1969-12-23 20:44:40'::TIME", "20:44:40"},
        {"epoch_ms(TIMESTAMP '1969-12-31 23:59:59.9999')", "-1"},
        {"epoch_us(TIMESTAMP_NS '1969-12-31 23:59:59.999999999')", "-1"},
        {"extract(microsecond FROM TIMESTAMP_NS '1969-12-31 23:59:59.999999999')", "59999999"},
        {"date_trunc('hour', TIMESTAMP_NS '1969-12-31 23:59:59.999999999')",
         "1969-12-31 23:00:00"}};
    CHECK_CASES(cases);
    CHECK_TEXT(run("SELECT count(*), count_if(make_timestamp_ns(n)::TIMESTAMP <= "
                   "make_timestamp_ns(n)), count_if(make_timestamp_ns(n)::TIMESTAMP > "
                   "make_timestamp_ns(n - 1000)), count_if(epoch_ms(make_timestamp_ns(n)) * "
                   "1000000 BETWEEN n - 999999 "
                   "AND n), count_if(date_trunc('day', make_timestamp_ns(n)) = "
                   "make_timestamp_ns(n)::DATE), count_if(epoch(make_timestamp_ns(n)::DATE) * "
                   "1000000 + (hour(make_timestamp_ns(n)) * 60 + minute(make_timestamp_ns(n))) * "
                   "60000000 + microsecond(make_timestamp_ns(n)) = epoch_us(make_timestamp_ns(n))) "
                   "FROM range(-200000000000007, 200000000000007, 99999999991) t(n)"),
               "4001 4001 4001 4001 4001 4001");
}

/* A quantile is never outside of the values it lies between, however it is rounded. */
static void quantiles_within(void)
{
    CHECK_TEXT(run("SELECT count(*), count_if(lo <= q AND q <= hi) FROM (SELECT n, min(x) AS lo, "
                   "max(x) AS hi, quantile_cont(x, 0.3) AS q FROM (SELECT n, 1e0 / n AS x FROM "
                   "range(1, 400) t(n) UNION ALL SELECT n, 1e0 / n FROM range(1, 400) t(n)) GROUP "
                   "BY n)"),
               "399 399");
}

/* Weeks of date_diff begin on Monday, days of any count are days. */
static void date_differences(void)
{
    static const sql_case cases[] = {
        {"date_diff('week', DATE '2020-01-05', DATE '2020-01-06')", "1"},
        {"date_diff('week', DATE '2020-01-06', DATE '2020-01-13')", "1"},
        {"date_diff('week', DATE '2020-01-13', DATE '2020-01-01')", "-2"},
        {"date_diff('week', DATE '1969-12-28', DATE '1969-12-29')", "1"},
        {"date_diff('week', DATE '1969-12-01', DATE '1970-02-01')", "8"},
        {"date_diff('yearweek', '1970-07-01'::TIMESTAMPTZ, '1970-02-28'::TIMESTAMPTZ)", "-18"},
        {"date_diff('yearweek', DATE '1970-07-01', DATE '1970-02-28')", "-18"},
        {"date_diff('doy', DATE '2020-01-01', DATE '2020-03-01')", "60"},
        {"date_diff('dayofweek', DATE '2020-01-01', TIMESTAMP '2020-03-01 23:00:00')", "60"},
        {"date_diff('century', DATE '1999-01-01', DATE '2000-01-01')", "1"},
        {"date_diff('millennium', DATE '1999-01-01', DATE '2000-01-01')", "1"},
        {"date_diff('isoyear', DATE '2020-12-31', DATE '2021-01-03')", "0"},
        {"date_diff('epoch', TIMESTAMP '2020-01-01 00:00:00.9', TIMESTAMP '2020-01-01 00:00:01')",
         "1"},
        {"date_diff('month', '2020-01-31', DATE '2020-02-29')", "1"},
        {"date_sub('month', DATE '2020-01-31', DATE '2020-02-29')", "1"},
        {"date_sub('month', TIMESTAMP '2020-01-31 10:00:00', TIMESTAMP '2020-02-29 09:00:00')",
         "0"},
        {"date_sub('year', DATE '2020-12-31', DATE '2021-01-01')", "0"},
        {"date_sub('quarter', DATE '2021-05-01', DATE '2020-02-01')", "-5"},
        {"datesub('hour', TIMESTAMP '2020-01-01 10:59:00', TIMESTAMP '2020-01-01 12:00:00')", "1"},
        {"date_sub('week', DATE '2020-01-01', DATE '2020-01-14')", "1"},
        {"date_part('yearweek', DATE '2021-01-03')", "202053"},
        {"date_part('millennium', DATE '2000-12-31')", "2"},
        {"date_part('era', '0044-03-15 (BC)'::DATE)", "0"},
        {"date_part('julian', TIMESTAMP '2021-03-17 12:00:00')", "2459291.5"},
        {"date_trunc('isoyear', DATE '2021-03-17')", "2021-01-04 00:00:00"},
        {"date_trunc('doy', TIMESTAMP '2021-03-17 10:00:00')", "2021-03-17 00:00:00"},
        {"date_trunc('mil', DATE '1999-03-17')", "1000-01-01 00:00:00"}};
    CHECK_CASES(cases);
    CHECK_TEXT(run("SELECT date_part('epoch_ms', DATE '2020-01-01') FROM data"),
               "syntax: at column 8: unknown part of a date: 'epoch_ms'");
    CHECK_TEXT(run("SELECT date_trunc('era', DATE '2020-01-01') FROM data"),
               "syntax: at column 8: unknown part of a date: 'era'");
}

/* Infinite dates are values; what cannot be said of them is null. Limits are DuckDB's. */
/* INTERVAL (x) DAY and to_days(x): a unit so many times. */
static void intervals(void)
{
    static const sql_case cases[] = {
        {"TIMESTAMP '2000-01-01' + INTERVAL '5 months ago'", "1999-08-01 00:00:00"},
        {"TIMESTAMP '2000-01-01' + INTERVAL '1 day -2 hours ago '", "1999-12-31 02:00:00"},
        {"TIMESTAMP '2000-01-01' + INTERVAL 'ago'",
         "syntax: at column 33: INTERVAL takes '[-]N unit ...' with whole numbers"},
        {"TIMESTAMP '2000-01-01' + INTERVAL '1 day ago 1 day'",
         "syntax: at column 33: INTERVAL takes '[-]N unit ...' with whole numbers"},
        {"TIMESTAMP '2000-01-01' + INTERVAL '-2147483648 months ago'",
         "syntax: at column 33: INTERVAL takes '[-]N unit ...' with whole numbers"},
        {"TIME '23:00' + INTERVAL '2 hours'", "01:00:00"},
        {"TIME '00:30' - INTERVAL '1 hour'", "23:30:00"},
        {"TIME '12:00' + INTERVAL '1 month 1 day'", "12:00:00"},
        {"INTERVAL '-49 hours' + TIME '00:00:00.5'", "23:00:00.5"},
        {"typeof(TIME '12:00' + INTERVAL '1 day')", "TIME"},
        {"INTERVAL 1 HOUR - TIME '01:00'",
         "syntax: at column 24: no arithmetic with INTERVAL and TIME"},
        {"DATE '2020-01-31' + INTERVAL (1 + 1) DAY", "2020-02-02 00:00:00"},
        {"DATE '2020-01-31' + INTERVAL (1.7) MONTHS", "2020-02-29 00:00:00"},
        {"DATE '2020-01-31' - INTERVAL ('3') HOUR", "2020-01-30 21:00:00"},
        {"DATE '2020-01-31' + INTERVAL (0.5) SECOND", "2020-01-31 00:00:00.5"},
        {"DATE '2020-01-31' + INTERVAL (NULL) WEEK", "-"},
        {"DATE '2020-01-31' + to_quarters(1)", "2020-04-30 00:00:00"},
        {"DATE '2020-01-31' + to_weeks(-1)", "2020-01-24 00:00:00"},
        {"DATE '2020-01-31' + to_decades(1)", "2030-01-31 00:00:00"},
        {"DATE '2020-01-31' + to_milliseconds(2.7)", "2020-01-31 00:00:00.0027"},
        {"DATE '2020-01-31' + to_microseconds(2)", "2020-01-31 00:00:00.000002"},
        {"typeof(to_days(1))", "INTERVAL"},
        {"trunc(0.29e0, 2)", "0.28"},
        {"trunc(1e300, 400) = 1e300 AND trunc(1.5e0, -400) = 1.5", "true"},
        {"trunc(-1.2345, 2)", "-1.23"},
        {"trunc(1.259::FLOAT, 2)", "1.25"},
        {"7.5::FLOAT % 2::FLOAT", "1.5"},
        {"typeof(trunc(-1.2345, 2))", "DECIMAL(5,2)"},
        {"trunc(1234.5, -2)", "1200"},
        {"trunc(-12355, -1)", "-12350"},
        {"trunc(170141183460469231731687303715884105727, -3)",
         "170141183460469231731687303715884105000"},
        {"round(-12355::HUGEINT, -1)", "-12360"},
        {"hash(1)", "4717996019076358352"},
        {"hash(-1::BIGINT)", "4939931809569846361"},
        {"hash(-1::TINYINT) = hash(-1)", "true"},
        {"hash('a', 1, NULL)", "7970348749928122010"},
        {"hash('hello world this is long')", "995220332405298622"},
        {"hash('12345678')", "8023224029899138545"},
        {"hash(NULL)", "13787848793156543929"},
        {"hash(1.5e0)", "1706605666616485939"},
        {"hash(1.5::FLOAT)", "877323241837685928"},
        {"hash('nan'::DOUBLE)", "9170934016072976158"},
        {"hash(-0.0e0) = hash(0.0e0)", "true"},
        {"hash(DATE '1960-01-01')", "4131337331256851724"},
        {"hash(TIMESTAMP '2020-01-01 00:00:00')", "1294921958832329818"},
        {"hash(-1.5)", "39676640964099299"},
        {"hash((-1.5)::DECIMAL(18, 1))", "3339589515939396320"},
        {"hash(1.5::DECIMAL(38, 1))", "920453014978087379"},
        {"hash('4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'::UUID)", "12291818976800218114"},
        {"hash(1, 2)", "6530802887144669425"}};

    check_cases(cases, TACO__COUNT(cases));
    CHECK(strstr(run("SELECT DATE '2020-01-31' + to_days(9223372036854775807)"), "out of range"));
    CHECK(strstr(run("SELECT DATE '2020-01-31' + to_years(200000000)"), "out of range"));
    CHECK(strstr(run("SELECT DATE '2020-01-31' + to_hours(9223372036854775807)"), "out of range"));
    CHECK(strstr(run("SELECT DATE '2020-01-31' + to_seconds(1e30)"), "out of range"));
    CHECK_TEXT(run("SELECT DATE '2020-01-31' + INTERVAL (1)"),
               "syntax: at column 40: expected a unit after INTERVAL (...), found end of text");
    CHECK_TEXT(run("SELECT hash([1])"), "syntax: at column 13: 'hash' takes a value without parts "
                                        "as argument 1, got INTEGER[]");
}

static void date_ends(void)
{
    static const sql_case cases[] = {
        {"'infinity'::DATE", "infinity"},
        {"' -INF '::TIMESTAMP", "-infinity"},
        {"'epoch'::TIMESTAMP_S", "1970-01-01 00:00:00"},
        {"'infinity'::DATE + 1", "infinity"},
        {"'-infinity'::TIMESTAMP - INTERVAL 3 MONTH", "-infinity"},
        {"'infinity'::DATE::TIMESTAMP_MS", "infinity"},
        {"'-infinity'::TIMESTAMP_NS::DATE", "-infinity"},
        {"date_trunc('year', 'infinity'::DATE)", "infinity"},
        {"date_diff('day', 'infinity'::DATE, DATE '2020-01-01')", "-"},
        {"year('infinity'::DATE)", "-"},
        {"epoch('-infinity'::TIMESTAMP)", "-"},
        {"last_day('infinity'::DATE)", "-"},
        {"isinf('-infinity'::DATE)", "true"},
        {"isfinite('infinity'::TIMESTAMP)", "false"},
        {"isfinite(DATE '2020-01-01')", "true"},
        {"'infinity'::DATE > TIMESTAMP '2020-01-01 00:00:00'", "true"},
        {"TRY_CAST('5881580-07-11' AS DATE)", "-"},
        {"TRY_CAST('5877642-06-25 (BC)' AS DATE)", "5877642-06-25 (BC)"},
        {"TRY_CAST('5877642-06-24 (BC)' AS DATE)", "-"},
        {"TRY_CAST('294247-01-10 04:00:54.775806' AS TIMESTAMP)", "294247-01-10 04:00:54.775806"},
        {"TRY_CAST('294247-01-10 04:00:54.775807' AS TIMESTAMP)", "-"},
        {"TRY_CAST('290309-12-22 (BC) 00:00:00' AS TIMESTAMP)", "290309-12-22 (BC) 00:00:00"},
        {"TRY_CAST('290309-12-21 (BC) 23:59:59' AS TIMESTAMP)", "-"},
        {"TRY_CAST('294248-01-10'::DATE AS TIMESTAMP_S)", "-"},
        {"epoch_ms('5881580-07-10'::DATE)", "185542587014400000"},
        {"make_date(-5877641, 6, 25)", "5877642-06-25 (BC)"}};
    CHECK_CASES(cases);
    CHECK(strstr(run("SELECT make_date(-5877641, 6, 24) FROM data"), "no such date") != NULL);
    CHECK(strstr(run("SELECT '290309-12-22 (BC)'::TIMESTAMP - INTERVAL 1 HOUR FROM data"),
                 "overflow") != NULL);
    CHECK(strstr(run("SELECT last_day('5881580-07-10'::DATE) FROM data"), "overflow") != NULL);
    CHECK(strstr(run("SELECT epoch_us('5881580-07-10'::DATE) FROM data"), "overflow") != NULL);
}

/* Texts become coarser timestamps by rounding; a DECIMAL without digits before the point has no
   zero there. */
static void casts(void)
{
    static const sql_case cases[] = {
        {"'2020-01-01 00:00:00.5'::TIMESTAMP_S", "2020-01-01 00:00:01"},
        {"'2020-01-01 00:00:00.499999'::TIMESTAMP_S", "2020-01-01 00:00:00"},
        {"'1960-01-01 00:00:00.6'::TIMESTAMP_S", "1960-01-01 00:00:01"},
        {"'2020-01-01 00:00:00.9996'::TIMESTAMP_MS", "2020-01-01 00:00:01"},
        {"0.125::DECIMAL(3,3)::VARCHAR", ".125"},
        {"(-0.125)::DECIMAL(3,3)", "-.125"},
        {"0::DECIMAL(38,38) || 'x'", ".00000000000000000000000000000000000000x"},
        {"0.125::DECIMAL(4,3)::VARCHAR", "0.125"},
        {"least(5, '-0.0'::FLOAT)", "0.0"},
        {"greatest('-0.0'::DOUBLE, -5)", "-0.0"}};
    CHECK_CASES(cases);
}

/* Times of day: what stands behind a time is not looked at, and hours and minutes may come without
   what follows them; a timestamp has a second in front of an offset. */
static void times_of_day(void)
{
    static const sql_case cases[] = {
        {"'11:'::TIME", "11:00:00"},
        {"'11:11:'::TIME", "11:11:00"},
        {"'11:11:11.5x'::TIME", "11:11:11.5"},
        {"'11:11:11:11'::TIME", "11:11:11"},
        {"'11/11/11'::TIME", "00:00:00"},
        {"'epoch'::TIME", "00:00:00"},
        {"'0000011:1'::TIME", "11:01:00"},
        {"'2020-01-01 11:11:00+02'::TIME", "11:11:00"},
        {"'24:00'::TIME", "24:00:00"},
        {"TRY_CAST('24:00:01' AS TIME)", "-"},
        {"TRY_CAST('0000000000:1' AS TIME)", "-"},
        {"TRY_CAST('11:60' AS TIME)", "-"},
        {"TRY_CAST('11:11 ' AS TIME)", "-"},
        {"TRY_CAST('11:11+02' AS TIME)", "-"},
        {"TRY_CAST('11' AS TIME)", "-"},
        {"TRY_CAST('infinity' AS TIME)", "-"},
        {"'2020-01-01 11:'::TIMESTAMP", "2020-01-01 11:00:00"},
        {"'2020-01-01 011:11:00+02'::TIMESTAMPTZ", "2020-01-01 09:11:00+00"},
        {"TRY_CAST('2020-01-01 11:11+02' AS TIMESTAMP)", "-"},
        {"TRY_CAST('2020-01-01 11:11 UTC' AS TIMESTAMPTZ)", "-"},
        {"TRY_CAST('2020-01-01 11:11:11.5x' AS TIMESTAMP)", "-"},
        {"TRY_CAST('2020-01-01 ' AS TIMESTAMP)", "-"}};
    CHECK_CASES(cases);
}

/* Texts as lists, structs and maps, and what they hold as the types of those. */
static void nested_texts(void)
{
    static const sql_case cases[] = {
        {"'[1, 2]'::INTEGER[]", "[1, 2]"},
        {"' [ ] '::INTEGER[]", "[]"},
        {"'[[1, null], NULL, []]'::INTEGER[][]", "[[1, NULL], NULL, []]"},
        {"len('[a, \"b, c\", , [x, ''y'']]'::VARCHAR[])", "4"},
        {"'[a, \"b, c\", , [x, ''y'']]'::VARCHAR[]", "[a, 'b, c', '', '[x, \\'y\\']']"},
        {"('[a\\,b, \\\"c, d\\\\e, \"f\\\"g\"]'::VARCHAR[])[3]", "\"c"},
        {"('[a\\,b, \\\"c, d\\\\e, \"f\\\"g\"]'::VARCHAR[])[5]", "f\"g"},
        {"('[''null'', null]'::VARCHAR[])[1]", "null"},
        {"TRY_CAST('[1, x]' AS INTEGER[])", "[1, NULL]"},
        {"TRY_CAST('[1' AS INTEGER[])", "-"},
        {"TRY_CAST('[1] 2' AS INTEGER[])", "-"},
        {"TRY_CAST('[(1]' AS VARCHAR[])", "-"},
        {"TRY_CAST('[\"1]' AS VARCHAR[])", "-"},
        {"TRY_CAST('' AS INTEGER[])", "-"},
        {"'{a: [1,2], \"b\": {c: x}}'::STRUCT(a INTEGER[], b STRUCT(c VARCHAR))",
         "{'a': [1, 2], 'b': {'c': x}}"},
        {"'(1, x)'::STRUCT(a INTEGER, b VARCHAR)", "{'a': 1, 'b': x}"},
        {"'(1)'::STRUCT(a INTEGER, b VARCHAR)", "{'a': 1, 'b': NULL}"},
        {"'{a: 1, a: 2}'::STRUCT(a INTEGER, b VARCHAR)", "{'a': 2, 'b': NULL}"},
        {"TRY_CAST('(1, 2)' AS STRUCT(a INTEGER))", "-"},
        {"TRY_CAST('{A: 1}' AS STRUCT(a INTEGER))", "-"},
        {"TRY_CAST('{a: 1, null: 2}' AS STRUCT(a INTEGER))", "-"},
        {"TRY_CAST('{a: x}' AS STRUCT(a INTEGER))", "{'a': NULL}"},
        {"'{}'::STRUCT(a INTEGER)", "{'a': NULL}"},
        {"'{\"a b\"=1, c = null }'::MAP(VARCHAR, INTEGER)", "{a b=1, c=NULL}"},
        {"TRY_CAST('{x=1}' AS MAP(INTEGER, INTEGER))", "-"},
        {"TRY_CAST('{1=1,}' AS MAP(INTEGER, INTEGER))", "-"},
        /* after its second quote, a part is as before its first */
        {"('[\"a\"\\x]'::VARCHAR[])[1]", "a\\x"},
        {"('[\"a''b\"''c'']'::VARCHAR[])[1]", "a'bc"},
        {"('[''a''\"b''c\"]'::VARCHAR[])[1]", "ab'c"},
        {"[1] = '[1]'", "true"}};
    CHECK_CASES(cases);
    CHECK_TEXT(run("SELECT TRY_CAST('[' || id || ']' AS VARCHAR[]), TRY_CAST('{a: ' || v || '}' AS "
                   "STRUCT(a DOUBLE)), TRY_CAST(nullif('{k=' || id || '}', '{k=y}') AS "
                   "MAP(VARCHAR, VARCHAR)) FROM data"),
               "[x] {'a': 1.0} {k=x}|[y] {'a': 2.5} -|[z] {'a': -3.0} {k=z}");
    CHECK(strstr(run("SELECT ('[' || id)::VARCHAR[] FROM data"), "'[x' is not a valid VARCHAR[]"));
    CHECK(strstr(run("SELECT ('[' || id || ']')::INTEGER[] FROM data"),
                 "'x' is not a valid INTEGER"));
    CHECK(strstr(run("SELECT TRY_CAST('{1=1,01=2}' AS MAP(INTEGER, INTEGER))"), "a key twice"));
    CHECK(strstr(run("SELECT '[1 day]'::INTERVAL[]"), "unknown type: 'INTERVAL'"));
}

/* Texts: FOR without FROM, an empty separator, characters that share an upper case. */
static void texts(void)
{
    static const sql_case cases[] = {{"substring('hello' FOR 2)", "he"},
                                     {"substring('hello' FOR 3 FROM 2)", "ell"},
                                     {"substring('hello' FROM 2 FOR 3)", "ell"},
                                     {"substring('hello' FOR 0) || '.'", "."},
                                     {"split_part('a\xC3\xA9z', '', 2)", "\xC3\xA9"},
                                     {"split_part('abc', '', -1)", "c"},
                                     {"split_part('abc', '', 4) || '.'", "."},
                                     {"upper('\xCF\x83\xCF\x82')", "\xCE\xA3\xCE\xA3"},
                                     {"upper('\xC5\xBF\xC4\xB1')", "SI"},
                                     {"'a%' LIKE 'a!%' ESCAPE '!'", "true"},
                                     {"'ab' LIKE 'a!%' ESCAPE '!'", "false"}};
    CHECK_CASES(cases);
    CHECK(strstr(run("SELECT id FROM data WHERE id LIKE 'x!' ESCAPE '!'"), "ends with its escape"));
    CHECK(strstr(run("SELECT id LIKE id || '!' ESCAPE '!' FROM data"), "ends with its escape"));
    CHECK(strstr(run("SELECT substr(id, 4294967296) FROM data"), "out of range"));
}

/* IS NOT DISTINCT FROM in ON: null meets null, in keys and beside them. */
static void joins(void)
{
    /* names for the columns of a level; those that are not renamed keep theirs */
    CHECK_TEXT(run("SELECT x.b, x.v FROM data AS x(b) WHERE b = 'x'"), "x 1.0");
    CHECK_TEXT(run("SELECT count(*) FROM data x(b, c) JOIN level0 y(d) ON x.b = y.d"), "3");
    /* a text that is no literal beside a number: compared as the number, put together as text */
    CHECK_TEXT(run("SELECT count(*) FROM data WHERE CAST(v AS VARCHAR) = v"), "3");
    CHECK_TEXT(run("SELECT coalesce(nullif(id, 'x'), v) FROM data"), "1.0|y|z");
    CHECK_TEXT(run("SELECT count(*) FROM level1 a JOIN level1 b ON a.\"internal:parent_id\" = "
                   "b.\"internal:parent_id\""),
               "10");
    CHECK_TEXT(
        run("SELECT count(*), count(a.\"internal:parent_id\") FROM level1 a JOIN level1 b ON "
            "a.\"internal:parent_id\" IS NOT DISTINCT FROM b.\"internal:parent_id\""),
        "11 10");
    CHECK_TEXT(
        run("SELECT a.id, b.id FROM level1 a LEFT JOIN data b ON a.\"internal:parent_id\" IS "
            "NOT DISTINCT FROM nullif(b.\"internal:current_id\", 20) WHERE "
            "a.\"internal:parent_id\" IS NULL"),
        "nil x");
}

/* RIGHT and FULL JOIN: rows that meet none come out last, conditions of WHERE see their nulls, and
   joins behind them, too. */
static void outer_joins(void)
{
    static const char a[] = "(VALUES (1, 'a'), (2, 'b'), (2, 'bb'), (NULL, 'n')) a(x, s)",
                      b[] = "(VALUES (2, 20), (3, 30), (NULL, 99)) b(x, v)",
                      c[] = "(VALUES (30, 'c'), (7, 'd')) c(v, w)";

    static const struct {
        const char *join, *rest, *want;
    } cases[] = {
        {"RIGHT JOIN", "ON a.x = b.x", "2 b 2 20|2 bb 2 20|- - 3 30|- - - 99"},
        {"RIGHT OUTER JOIN", "ON a.x = b.x AND a.s = 'b'", "2 b 2 20|- - 3 30|- - - 99"},
        {"FULL JOIN", "ON a.x = b.x", "1 a - -|2 b 2 20|2 bb 2 20|- n - -|- - 3 30|- - - 99"},
        {"FULL OUTER JOIN", "ON a.x IS NOT DISTINCT FROM b.x",
         "1 a - -|2 b 2 20|2 bb 2 20|- n - 99|- - 3 30"},
        {"FULL JOIN", "ON a.x = b.x WHERE s IS NULL", "- - 3 30|- - - 99"},
        {"FULL JOIN", "ON a.x = b.x WHERE v IS NULL", "1 a - -|- n - -"},
        {"RIGHT JOIN", "ON a.x = b.x WHERE s = 'b'", "2 b 2 20"},
        {"RIGHT JOIN", "ON a.x = b.x WHERE v > 20", "- - 3 30|- - - 99"},
        {"RIGHT JOIN", "ON 1 = 1 WHERE 1 = 0", ""},
        {"FULL JOIN", "ON a.x = b.x AND b.v > 99 WHERE v > 20", "- - 3 30|- - - 99"}};

    char sql[600];
    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        snprintf(sql, sizeof sql, "SELECT a.x, s, b.x, v FROM %s %s %s %s", a, cases[i].join, b,
                 cases[i].rest);
        CHECK_TEXT(run(sql), cases[i].want);
    }
    snprintf(sql, sizeof sql,
             "SELECT s, b.v, w FROM %s FULL JOIN %s ON a.x = b.x FULL JOIN %s ON b.v = c.v", a, b,
             c);
    CHECK_TEXT(run(sql), "a - -|b 20 -|bb 20 -|n - -|- 30 c|- 99 -|- - d");
    snprintf(sql, sizeof sql,
             "SELECT s, b.v, w FROM %s LEFT JOIN %s ON a.x = b.x RIGHT JOIN %s ON b.v = c.v "
             "WHERE a.x IS NULL",
             a, b, c);
    CHECK_TEXT(run(sql), "- - c|- - d");
    /* more than a batch of them, and batches that go through in pieces */
    CHECK_TEXT(run("SELECT count(*), count(i), count(j), max(j - i) FROM range(10000) a(i) FULL "
                   "JOIN range(5000, 15000) b(j) ON i = j"),
               "15000 10000 10000 0");
    CHECK_TEXT(run("SELECT count(*), count(i), count(j), count(k) FROM range(300) a(i) FULL JOIN "
                   "range(250, 2000) b(j) ON i < j FULL JOIN range(5) c(k) ON k = i"),
               "523725 523725 523725 8750");
    /* a condition that a scan could test stays behind the join */
    CHECK_TEXT(
        run("SELECT a.id, b.id FROM data a RIGHT JOIN data b ON a.v < b.v WHERE a.id IS NULL "
            "OR a.id = 'z'"),
        "z x|z y|- z");
    CHECK(strstr(run("SELECT 1 FROM data c, data a FULL JOIN data b ON a.id = b.id"),
                 "write CROSS JOIN"));
    CHECK(
        strstr(run("SELECT 1 FROM data a RIGHT SEMI JOIN data b ON a.id = b.id"), "expected join"));
}

/* USING and NATURAL merge columns: of a RIGHT JOIN the table's own is shown, of a FULL JOIN the one
   that is there. */
static void merged_columns(void)
{
    static const char a[] = "(VALUES (1, 'a'), (2, 'b'), (NULL, 'n')) a(k, p)",
                      b[] = "(VALUES (2, 'u'), (3, 'v'), (NULL, 'w')) b(k, q)",
                      c[] = "(VALUES (1, 7), (3, 9), (5, 11)) c(k, r)";

    static const struct {
        const char *items, *join, *rest, *want;
    } cases[] = {{"*", "FULL JOIN", "USING (k)", "1 a -|2 b u|- n -|3 - v|- - w"},
                 {"*", "RIGHT JOIN", "USING (k)", "2 b u|3 - v|- - w"},
                 {"*", "NATURAL FULL JOIN", "", "1 a -|2 b u|- n -|3 - v|- - w"},
                 {"k, a.k, b.k", "FULL JOIN", "USING (k) WHERE k > 1 ORDER BY k", "2 2 2|3 - 3"},
                 {"a.*, b.*", "RIGHT JOIN", "USING (k)", "2 b 2 u|- - 3 v|- - - w"},
                 {"k, count(*), sum(k + 1)", "FULL JOIN", "USING (k) GROUP BY k ORDER BY k",
                  "1 1 2|2 1 3|3 1 4|- 2 -"}};

    char sql[600];
    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        snprintf(sql, sizeof sql, "SELECT %s FROM %s %s %s %s", cases[i].items, a, cases[i].join, b,
                 cases[i].rest);
        CHECK_TEXT(run(sql), cases[i].want);
    }
    snprintf(sql, sizeof sql,
             "SELECT * FROM %s FULL JOIN %s USING (k) FULL JOIN %s USING (k) ORDER BY k, p", a, b,
             c);
    CHECK_TEXT(run(sql), "1 a - 7|2 b u -|3 - v 9|5 - - 11|- n - -|- - w -");
    snprintf(sql, sizeof sql, "SELECT * FROM %s FULL JOIN %s USING (k) JOIN %s USING (k)", a, b, c);
    CHECK_TEXT(run(sql), "1 a - 7|3 - v 9");
}

/* lN is the reference's view: all rows, FOLDERs too, and internal columns of each level. */
static void level_views(void)
{
    CHECK_TEXT(run("SELECT count(*), min(\"l0:type\") FROM l0"), "3 FOLDER");
    CHECK_TEXT(run("SELECT * FROM l0 LIMIT 1"),
               "x FOLDER 1.0 193 193 /vsisubfile/193_193,made.tacozip");
    CHECK_TEXT(run("SELECT \"l1:id\", \"l1:internal:gdal_vsi\", \"l0:internal:gdal_vsi\", "
                   "\"l1:internal:size\" FROM l1 WHERE \"l0:id\" = 'x' ORDER BY ALL LIMIT 1"),
               "a /vsisubfile/20_3,made.tacozip /vsisubfile/193_193,made.tacozip 3");
    CHECK_TEXT(run("SELECT count(*) FROM l1 WHERE \"internal:gdal_vsi\" = "
                   "\"l1:internal:gdal_vsi\""),
               "5");
    CHECK(strstr(run("SELECT \"l1:internal:parent_id\" FROM l1"), "no column") != NULL);
    CHECK_TEXT(
        run("SELECT count(*) FROM l1 WHERE \"l0:internal:gdal_vsi\" LIKE '%made.tacozip' AND "
            "\"l0:internal:offset\" = 193"),
        "5");
}

/* What may fail is computed for the rows that need it. */
static void guards(void)
{
    CHECK_TEXT(run("SELECT CASE WHEN id LIKE '1%' AND CAST(id AS INTEGER) > 0 THEN 1 ELSE 2 END "
                   "FROM data"),
               "2|2|2");
    CHECK_TEXT(run("SELECT if(id >= 'x' OR CAST(id AS INTEGER) > 0, 1, 2) FROM data"), "1|1|1");
    CHECK_TEXT(run("SELECT CASE WHEN nullif(id, id) = 'x' AND CAST(id AS INTEGER) > 0 THEN 1 END "
                   "FROM data"),
               "-|-|-");
    CHECK_TEXT(run("SELECT v FROM data WHERE v > 2 AND (v > 5 OR v // CAST(v - 1 AS INTEGER) > 0)"),
               "2.5");
    CHECK_TEXT(run("SELECT coalesce(id, CAST(CAST(id AS INTEGER) AS VARCHAR)) FROM data"), "x|y|z");
    CHECK(strstr(run("SELECT CASE WHEN CAST(id AS INTEGER) > 0 AND v > 2 THEN 1 END FROM data"),
                 "'x' is not a valid INTEGER") != NULL);
}

/* The names of the columns of a result, joined by |. */
static const char *names_of(const char *sql)
{
    static char out[2048];
    taco_error e = none();
    taco_cursor *c = taco_sql(set, sql, &e);
    size_t i, n, len = 0;
    const taco_field *f = taco_cursor_fields(c, &n);
    out[0] = 0;
    for (i = 0; i < n; i++) {
        len += (size_t)snprintf(out + len, sizeof out - len, "%s%s", i ? "|" : "", f[i].name);
    }
    taco_cursor_close(c, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return out;
}

/* Names are DuckDB's: spelled as in the query, keywords and types in quotes. */
static void labels(void)
{
    static const char *const cases[][2] = {
        {"max(V), V, X.ID || 'a'", "max(V)|v|(X.ID || 'a')"},
        {"lower(Type), \"left\"(ID, 1)", "lower(\"Type\")|\"left\"(ID, 1)"},
        {"1::TINYINT, 1::HUGEINT, 1::INT, 1::DOUBLE",
         "CAST(1 AS \"TINYINT\")|CAST(1 AS \"HUGEINT\")|CAST(1 AS INTEGER)|CAST(1 AS \"DOUBLE\")"},
        {"NULL::TIME, NULL::TIMESTAMPTZ, NULL::TIMESTAMP, NULL::TIMESTAMP_S",
         "CAST(NULL AS TIME)|CAST(NULL AS \"TIMESTAMP WITH TIME ZONE\")|CAST(NULL AS TIMESTAMP)|"
         "CAST(NULL AS \"TIMESTAMP_S\")"},
        {"1::DECIMAL, 1::DECIMAL(5), 1::NUMERIC(5, 2), id::VARCHAR(3), id::CHAR",
         "CAST(1 AS DECIMAL)|CAST(1 AS DECIMAL(5))|CAST(1 AS DECIMAL(5, 2))|CAST(id AS VARCHAR(3))|"
         "CAST(id AS VARCHAR(1))"},
        {"id[0:length(id)], id[:2], id[NULL:2]", "id[0:length(id)]|id[:2]|id[NULL:2]"},
        {"if(v > 1, 1, 2)", "CASE  WHEN ((v > 1)) THEN (1) ELSE 2 END"},
        {"list(v ORDER BY V DESC), list(v ORDER BY id ASC), [row(1, 2)]",
         "list_sort(list(v), 'DESCENDING', 'ORDER_DEFAULT')|list(v ORDER BY id ASC)|"
         "main.list_value(main.\"row\"(1, 2))"},
        {"extract(Seconds FROM TIMESTAMP '2020-01-01'), extract(DOY FROM DATE '2020-01-01')",
         "main.date_part('second', CAST('2020-01-01' AS TIMESTAMP))|"
         "main.date_part('DOY', CAST('2020-01-01' AS \"DATE\"))"},
        {"NULL::INT[][], NULL::STRUCT(a DECIMAL(5, 1), \"select\" TINYINT), NULL::MAP(INT, DOUBLE)",
         "CAST(NULL AS INTEGER[][])|CAST(NULL AS STRUCT(a DECIMAL(5, 1), \"select\" "
         "\"TINYINT\"))|CAST(NULL AS MAP(INTEGER, \"DOUBLE\"))"},
        {"extract(YEAR FROM DATE '2020-01-01')",
         "main.date_part('year', CAST('2020-01-01' AS \"DATE\"))"},
        {"DATE '2020-01-01' + INTERVAL 1 DAY",
         "(CAST('2020-01-01' AS \"DATE\") + to_days(CAST(trunc(CAST(1 AS DOUBLE)) AS INTEGER)))"},
        {"DATE '2020-01-01' + INTERVAL '1 day'",
         "(CAST('2020-01-01' AS \"DATE\") + CAST('1 day' AS INTERVAL))"},
        {"NOT v = 1, NOT v IN (1), NOT (v < 2), - - 5", "(v != 1)|(v NOT IN (1))|(v >= 2)|5"},
        {"(v = 1 AND v = 2) AND v = 3", "((v = 1) AND (v = 2) AND (v = 3))"},
        {"position('a' IN id), substring(id, 1)",
         "main.\"position\"(id, 'a')|main.\"substring\"(id, 1)"}};
    static char text[512];
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "SELECT %s FROM data X%s", cases[i][0],
                 i ? "" : " GROUP BY ALL");
        CHECK_TEXT(names_of(text), cases[i][1]);
    }
    /* spelling does not tell groups apart, and open ends of slices are not those that were written */
    CHECK_TEXT(run("SELECT count(x.ID), X.Id FROM data x GROUP BY id ORDER BY iD LIMIT 1"), "1 x");
    CHECK_TEXT(run("SELECT id[1:length(id)], id[1:length('')] FROM level1 WHERE id > 'd' GROUP BY "
                   "id[1:length(id)], id[1:length('')] ORDER BY 1 LIMIT 1"),
               "lost ");
    CHECK_TEXT(run("SELECT 'abc'[NULL:2], 'abc'[:2], -(-2147483648) FROM data LIMIT 1"),
               "- ab 2147483648");
}

/* Points between timestamps are rounded to the microsecond. */
static void quantiles(void)
{
    CHECK_TEXT(run("SELECT quantile_cont(make_date(1970, 1, 1) + INTERVAL 1 DAY + INTERVAL 1 "
                   "MICROSECOND, 0.5), quantile_cont(CASE WHEN id = 'x' THEN TIMESTAMP '2015-05-27 "
                   "03:41:00' ELSE TIMESTAMP '2015-05-27 03:51:00' END, 0.05) FROM data"),
               "1970-01-02 00:00:00.000001 2015-05-27 03:42:00");
}

/* What DuckDB refuses. */
static void refusals(void)
{
    CHECK_TEXT(run("SELECT 1 = 1 = 1 FROM data"),
               "syntax: at column 14: expected AND or OR: comparisons do not chain, found '='");
    CHECK_TEXT(run("SELECT (1 = 1) = true, 2 = (1 + 1) IS TRUE FROM data LIMIT 1"), "true true");
    CHECK_TEXT(run("SELECT id FROM data ORDER BY 'text'"),
               "syntax: at column 30: ORDER BY a literal orders nothing: write a column or its "
               "number");
    CHECK(strstr(run("SELECT id FROM data ORDER BY id, 1.5"), "orders nothing") != NULL);
    CHECK(strstr(run("SELECT id FROM data ORDER BY NULL"), "orders nothing") != NULL);
    CHECK_TEXT(run("SELECT v AS a, max(a) FROM data GROUP BY 1"),
               "syntax: at column 20: an aggregate takes columns, not the alias of a select item");
    CHECK(strstr(run("SELECT v AS a, count(*) FILTER (WHERE a > 1) FROM data GROUP BY 1"),
                 "not the alias of a select item") != NULL);
    CHECK_TEXT(run("SELECT max(v) AS a, a + 1 FROM data"), "2.5 3.5");
    CHECK_TEXT(run("SELECT x.* EXCLUDE (y.v) FROM data x"),
               "syntax: at column 21: EXCLUDE names 'v', which is not among the columns");
    CHECK(strstr(run("SELECT * EXCLUDE (wrong.v) FROM data"), "not among the columns") != NULL);
    CHECK(strncmp(run("SELECT * EXCLUDE (data.v) FROM data"), "x ", 2) == 0);
}

/* Operations of NULL alone, and the type of its text. */
static void nulls(void)
{
    static const sql_case cases[] = {{"typeof(NULL + NULL)", "BIGINT"},
                                     {"typeof(NULL / NULL)", "DOUBLE"},
                                     {"typeof('a' || NULL)", "\"NULL\""},
                                     {"coalesce('a' || NULL, 'b')", "b"},
                                     {"bool_and(NULL)", "-"}};
    CHECK_CASES(cases);
}

static taco_field field_of(const char *name, taco_type type, const taco_field *kids, uint32_t n)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.children = kids;
    f.child_count = n;
    return f;
}

/* A map goes out as one, where its keys cannot be null; lists and structs of intervals have no text
   and no order. */
static void nested_types(void)
{
    taco_error e = none();
    taco__arena arena;
    taco__sql_type t, text = taco__sql_type_simple(TACO_TEXT);
    taco_field pair[2], entries, map, list, span, back;
    char name[64];
    memset(&arena, 0, sizeof arena);
    arena.mem = &set->mem;
    pair[0] = field_of("key", TACO_TEXT, NULL, 0);
    pair[1] = field_of("value", TACO_INT64, NULL, 0);
    pair[1].nullable = true;
    entries = field_of("key_value", TACO_STRUCT, pair, 2);
    map = field_of("m", TACO_MAP, &entries, 1);
    list = field_of("l", TACO_LIST, &map, 1);
    CHECK(taco__sql_type_from_field(&arena, &list, &t, &e));
    taco__sql_type_text(&t, name, sizeof name);
    CHECK_TEXT(name, "MAP(VARCHAR, BIGINT)[]");
    CHECK(!taco__sql_type_has_interval(&t) && taco__cast_is_possible(&t, &text));
    CHECK(taco__sql_type_to_field(&arena, &t, "x", &back, &e) && back.nullable);
    CHECK(back.children[0].nullable && !back.children[0].children[0].nullable);
    CHECK(!back.children[0].children[0].children[0].nullable);
    CHECK(back.children[0].children[0].children[1].nullable);
    pair[0].nullable = true;
    CHECK(taco__sql_type_from_field(&arena, &map, &t, &e) &&
          taco__sql_type_to_field(&arena, &t, "x", &back, &e));
    CHECK(back.children[0].children[0].nullable);
    span = field_of("i", TACO_INTERVAL, NULL, 0);
    list = field_of("l", TACO_LIST, &span, 1);
    CHECK(taco__sql_type_from_field(&arena, &list, &t, &e));
    CHECK(taco__sql_type_has_interval(&t) && !taco__cast_is_possible(&t, &text));
    taco__arena_free(&arena);
}

int main(void)
{
    taco_error e = none();
    made = archive();
    set = open_made(&made, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    RUN(times_before_1970);
    RUN(quantiles_within);
    RUN(date_differences);
    RUN(intervals);
    RUN(date_ends);
    RUN(casts);
    RUN(times_of_day);
    RUN(nested_texts);
    RUN(texts);
    RUN(joins);
    RUN(outer_joins);
    RUN(merged_columns);
    RUN(level_views);
    RUN(guards);
    RUN(nulls);
    RUN(labels);
    RUN(refusals);
    RUN(quantiles);
    RUN(nested_types);
    RUN(every_place);
    taco_close(set);
    free(made.data);
    return test_end("sql_values");
}
