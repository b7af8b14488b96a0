/* SQL with more than one SELECT: UNION and other set operations, VALUES, WITH, subqueries in FROM
   and in expressions; SELECT without FROM, joins without ON, and computed limits. */
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

#define DUCKDB "use DuckDB with the taco extension"

/* v is 1, 2.5, -3 for x, y, z; level1 has seven rows with w from 5 to 9. */
static void sets(void)
{
    CHECK_TEXT(run("SELECT id FROM data UNION ALL SELECT id FROM data ORDER BY 1 DESC LIMIT 3"),
               "z|z|y");
    CHECK_TEXT(run("SELECT 1, 1 UNION SELECT 1, 2 UNION SELECT 1, 1"), "1 1|1 2");
    CHECK_TEXT(run("SELECT w FROM level1 INTERSECT SELECT 5 UNION SELECT 11 ORDER BY 1"),
               "5.0|11.0");
    CHECK_TEXT(run("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3"), "1");
    CHECK_TEXT(run("(SELECT 1 UNION SELECT 3) INTERSECT SELECT 3"), "3");
    CHECK_TEXT(run("SELECT w FROM level1 EXCEPT SELECT 5 ORDER BY w"), "6.0|7.0|8.0|9.0");
    CHECK_TEXT(run("SELECT count(*) FROM (SELECT w FROM level1 EXCEPT ALL SELECT 5)"), "6");
    CHECK_TEXT(
        run("SELECT count(*) FROM (SELECT w FROM level1 INTERSECT ALL (VALUES (5), (5), (5)))"),
        "2");
    CHECK_TEXT(run("SELECT NULL UNION ALL SELECT 'a'"), "-|a");
    CHECK_TEXT(run("SELECT NULL AS a UNION SELECT NULL"), "-");
    CHECK_TEXT(run("SELECT typeof(a) FROM (SELECT 1 AS a UNION ALL SELECT 2.5)"),
               "DECIMAL(11,1)|DECIMAL(11,1)");
    CHECK_TEXT(run("SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 3 AS c, 4 AS a"), "1 2 -|4 - 3");
    CHECK_TEXT(run("(SELECT id FROM data ORDER BY v LIMIT 1) UNION ALL (SELECT id FROM data ORDER "
                   "BY v DESC LIMIT 1)"),
               "z|y");
    CHECK_TEXT(run("SELECT 1 UNION ALL SELECT 1, 2"),
               "syntax: at column 10: the SELECTs have 1 and 2 columns, must be the same number");
}

static void rows_of_values(void)
{
    CHECK_TEXT(run("VALUES (1, 'a'), (NULL, 'b') ORDER BY 2 DESC"), "- b|1 a");
    CHECK_TEXT(run("SELECT y, x + 1 FROM (VALUES (1, 'a'), (2.5, 'b')) t(x, y)"), "a 2.0|b 3.5");
    CHECK_TEXT(run("SELECT col0 FROM (VALUES (1), (2)) WHERE col0 > 1"), "2");
    CHECK_TEXT(run("VALUES (1, 2), (3)"),
               "syntax: at column 16: a row of 1 VALUES, the first has 2");
    CHECK_TEXT(run("SELECT 1 + 1 AS a, 'x'"), "2 x");
    CHECK_TEXT(run("SELECT count(*), sum(3) WHERE false"), "0 -");
    CHECK_TEXT(run("SELECT *"), "syntax: at column 8: * needs a FROM");
    CHECK_TEXT(run("FROM data SELECT id WHERE v > 2"), "y");
    CHECK_TEXT(run("SELECT id FROM (FROM data LIMIT 1)"), "x");
}

static void ranges(void)
{
    CHECK_TEXT(run("SELECT * FROM range(3)"), "0|1|2");
    CHECK_TEXT(run("SELECT i FROM range(1, 2 + 3, 2) t(i)"), "1|3");
    CHECK_TEXT(run("SELECT generate_series FROM generate_series(5, 1, -2)"), "5|3|1");
    CHECK_TEXT(run("SELECT sum(range), count(*) FROM range(10000)"), "49995000 10000");
    CHECK_TEXT(run("SELECT * FROM range(9223372036854775806, 9223372036854775807) UNION ALL SELECT "
                   "* FROM generate_series(9223372036854775807, 9223372036854775807)"),
               "9223372036854775806|9223372036854775807");
    CHECK_TEXT(run("SELECT count(*) FROM range(NULL), range(2) b"), "0");
    CHECK_TEXT(run("SELECT * FROM range(1, 2, 0)"),
               "syntax: at column 15: the step of a range must not be 0");
    CHECK_TEXT(run("SELECT * FROM range(nothing(1))"),
               "syntax: at column 21: the function 'nothing' is not supported");
    CHECK_TEXT(run("SELECT * FROM range(1, 2, 3, 4)"),
               "syntax: at column 15: 'range' takes [first,] end [, step]");
    CHECK_TEXT(run("SELECT $$it's$$ || $a$ $$ $a$"), "it's $$ ");
    CHECK_TEXT(run("SELECT $a$ $$"), "syntax: at column 8: the dollar-quoted text is not closed");
}

#define LISTS "(VALUES (1, [10, NULL]), (2, []), (3, NULL), (4, [40])) t(n, l)"

/* Values are those that DuckDB 1.5.5 gives. */
static void unnest(void)
{
    CHECK_TEXT(run("SELECT n, unnest(l) AS u, u + 1 FROM " LISTS), "1 10 11|1 - -|4 40 41");
    CHECK_TEXT(run("SELECT n, unnest(l), unnest(['a', 'b']) || '!' FROM " LISTS " WHERE n > 1"),
               "2 - a!|2 - b!|3 - a!|3 - b!|4 40 a!|4 - b!");
    CHECK_TEXT(run("SELECT unnest(list(n ORDER BY n DESC)) FROM " LISTS " LIMIT 2 OFFSET 1"),
               "3|2");
    CHECK_TEXT(run("SELECT DISTINCT unnest([1, 2, 1]) ORDER BY 1 DESC"), "2|1");
    CHECK_TEXT(run("SELECT count(*) FROM (SELECT unnest(NULL))"), "0");
    CHECK_TEXT(run("SELECT typeof(unnest([NULL, 1.5]))"), "DECIMAL(2,1)|DECIMAL(2,1)");
    CHECK_TEXT(run("SELECT * FROM unnest(['a', 'b'])"), "a|b");
    CHECK_TEXT(run("SELECT n, u FROM " LISTS ", unnest(l) AS x(u)"), "1 10|1 -|4 40");
    CHECK_TEXT(run("SELECT n, x.unnest FROM " LISTS " CROSS JOIN LATERAL unnest(t.l) x"),
               "1 10|1 -|4 40");
    CHECK_TEXT(run("SELECT n, u FROM " LISTS " LEFT JOIN unnest(l) x(u) ON u = 10 * n"),
               "1 10|2 -|3 -|4 40");
    CHECK_TEXT(run("SELECT n, u, w FROM " LISTS ", unnest(l) x(u), unnest([n, 5]) y(w) "
                   "WHERE w > 1 AND u > 1"),
               "1 10 5|4 40 4|4 40 5");
    /* an equality with an element selects rows */
    CHECK_TEXT(run("SELECT n, u FROM " LISTS ", unnest(l) x(u) WHERE u = 10 * n"), "1 10|4 40");
    CHECK_TEXT(run("SELECT v, u FROM unnest([1, 2]) x(v) RIGHT JOIN unnest([2, 3]) y(u) ON u = v"),
               "2 2|- 3");
    /* in pieces: a batch of rows becomes many batches, here and in a join */
    CHECK_TEXT(run("SELECT count(*), sum(u), min(i) FROM (SELECT i, unnest(range(9)) AS u FROM "
                   "range(9000) r(i))"),
               "81000 324000 0");
    CHECK_TEXT(run("SELECT count(*), sum(u * i) FROM range(3000) r(i), unnest(range(i)) x(u) "
                   "WHERE i % 2 = 1"),
               "2250000 5060248875250");
    CHECK_TEXT(run("SELECT id FROM data WHERE unnest([true])"),
               "syntax: at column 27: UNNEST is only allowed in the list of SELECT and in FROM");
    CHECK_TEXT(run("SELECT unnest(unnest([[1]]))"),
               "syntax: at column 15: UNNEST is only allowed in the list of SELECT and in FROM");
    CHECK_TEXT(run("SELECT sum(unnest([1]))"),
               "syntax: at column 12: UNNEST is only allowed in the list of SELECT and in FROM");
    CHECK_TEXT(run("SELECT unnest([1], [2])"), "syntax: at column 8: UNNEST takes one list");
    CHECK_TEXT(run("SELECT unnest('a')"), "syntax: at column 15: UNNEST takes a list, not VARCHAR");
    CHECK_TEXT(run("SELECT 1 FROM data, LATERAL (SELECT 1)"),
               "syntax: at column 21: LATERAL is for unnest only, " DUCKDB);
}

#define PAIRS "(VALUES ('a', 3), ('b', 1), ('a', 2), (NULL, 4), ('b', 5), (NULL, 0)) t(k, n)"

/* The first row of each key, in the order of ORDER BY. */
static void distinct_on(void)
{
    CHECK_TEXT(run("SELECT DISTINCT ON (k) k, n FROM " PAIRS " ORDER BY k, n"), "a 2|b 1|- 0");
    CHECK_TEXT(run("SELECT DISTINCT ON (k) n FROM " PAIRS " ORDER BY n DESC LIMIT 2"), "5|4");
    CHECK_TEXT(run("SELECT DISTINCT ON (k) n FROM " PAIRS " ORDER BY n LIMIT 2 OFFSET 1"), "1|2");
    CHECK_TEXT(run("SELECT DISTINCT ON (1) n > 2 AS big, n FROM " PAIRS " ORDER BY n"),
               "false 0|true 3");
    CHECK_TEXT(run("SELECT DISTINCT ON (upper(k), n % 2) n FROM " PAIRS " ORDER BY n"), "0|1|2|3");
    CHECK_TEXT(run("SELECT DISTINCT ON (k) k, n FROM " PAIRS), "a 3|b 1|- 4");
    CHECK_TEXT(run("SELECT DISTINCT ON (count(*)) count(*) FROM " PAIRS " GROUP BY k"), "2");
    CHECK_TEXT(run("SELECT count(*) FROM (SELECT DISTINCT ON (g) i FROM (SELECT i, i % 7 AS g FROM "
                   "range(9000) r(i)) ORDER BY i DESC)"),
               "7");
    CHECK_TEXT(run("SELECT DISTINCT ON (3) k FROM " PAIRS),
               "syntax: at column 21: there are 1 select items, not 3");
}

static void with(void)
{
    CHECK_TEXT(
        run("WITH a AS (SELECT id, v FROM data), b(n, m) AS (SELECT id, v + 1 FROM a) SELECT "
            "a.id, b.m FROM a JOIN b ON a.id = b.n WHERE m > 0"),
        "x 2.0|y 3.5");
    CHECK_TEXT(run("WITH data AS (SELECT 1 AS one) SELECT * FROM data"), "1");
    CHECK_TEXT(
        run("WITH a AS (SELECT 1), b AS (WITH a AS (SELECT 2) SELECT * FROM a) SELECT * FROM "
            "b, a"),
        "2 1");
    CHECK_TEXT(run("WITH RECURSIVE a AS (SELECT 1 AS x) SELECT x FROM a"), "1");
    CHECK_TEXT(run("WITH a AS (SELECT 1), A AS (SELECT 2) SELECT * FROM a"),
               "syntax: at column 25: WITH has two tables 'A'");
    CHECK_TEXT(
        run("WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT * FROM a) SELECT 1"),
        "syntax: at column 55: 'a' names itself: recursive queries are not supported, " DUCKDB);
    CHECK(strstr(
        run("WITH a AS (SELECT 1), b AS (SELECT * FROM a, a x), c AS (SELECT * FROM b, b x), "
            "d AS (SELECT * FROM c, c x), e AS (SELECT * FROM d, d x), f AS (SELECT * FROM "
            "e, e x), g AS (SELECT * FROM f, f x), h AS (SELECT * FROM g, g x), i AS (SELECT "
            "* FROM h, h x), j AS (SELECT * FROM i, i x) SELECT count(*) FROM j, j x"),
        "more than 1000 SELECTs in a query"));
    CHECK_TEXT(run("SELECT a, a_1 FROM (SELECT 1 AS a, 2 AS a)"), "1 2");
    CHECK_TEXT(run("SELECT * FROM (SELECT 1 AS a) t(x, y)"),
               "syntax: at column 15: table 't' has 1 columns, 2 names are given");
}

static void in_expressions(void)
{
    CHECK_TEXT(run("SELECT id FROM data WHERE v = (SELECT max(v) FROM data)"), "y");
    CHECK_TEXT(run("SELECT (SELECT id FROM data WHERE v > 100), (SELECT list(w) FROM level1 WHERE "
                   "w < 7)[1] "),
               "- 5.0");
    CHECK_TEXT(run("SELECT (SELECT id FROM data)"),
               "syntax: at column 8: a query as a value has more than one row");
    CHECK_TEXT(run("SELECT (SELECT id, v FROM data)"),
               "syntax: at column 8: a query as a value has one column, not 2");
    CHECK_TEXT(run("SELECT EXISTS (SELECT 1 FROM data WHERE v > 2), NOT EXISTS (SELECT 1 FROM data "
                   "WHERE v > 3)"),
               "true true");
    CHECK_TEXT(run("SELECT id FROM data WHERE v IN (SELECT w / 2 FROM level1)"), "y");
    CHECK_TEXT(run("SELECT id, v NOT IN (SELECT w / 2 FROM level1) FROM data ORDER BY 1"),
               "x true|y false|z true");
    CHECK_TEXT(
        run("SELECT 1 IN (SELECT NULL), NULL IN (SELECT 1 WHERE false), NULL IN (SELECT 1), 2 "
            "IN (VALUES (1), (NULL), (2)), 3 NOT IN (VALUES (1), (NULL))"),
        "- false - true -");
    CHECK_TEXT(run("SELECT id FROM data WHERE id = ANY (SELECT 'x' UNION ALL SELECT 'z')"), "x|z");
    CHECK_TEXT(run("SELECT 2 > ANY (VALUES (1), (3)), 2 > ALL (VALUES (1), (3)), 2 >= ALL (VALUES "
                   "(1), (2)), 2 < ANY (VALUES (1), (NULL)), 2 <> ANY (VALUES (2), (2)), 2 <> ANY "
                   "(VALUES (2), (1)), 2 = ALL (SELECT 2), 1 < ALL (SELECT 1 WHERE false)"),
               "true false true - false true true true");
    CHECK_TEXT(run("SELECT id FROM data WHERE id <> ALL (SELECT 'x' UNION ALL SELECT 'z')"), "y");
    CHECK_TEXT(run("SELECT 1 = ANY 5"),
               "syntax: at column 12: ANY and ALL are for queries: = ANY (SELECT ...)");
    CHECK_TEXT(run("SELECT 1 = ALL \x01"), "syntax: at column 16: unexpected character '\\x01'");
    CHECK_TEXT(run("SELECT 1 = ANY (\x01"), "syntax: at column 17: unexpected character '\\x01'");
    CHECK_TEXT(run("SELECT 1 IS TRUE \x01"), "syntax: at column 18: unexpected character '\\x01'");
    CHECK_TEXT(run("SELECT 1 LIKE \x01"), "syntax: at column 15: unexpected character '\\x01'");
    CHECK_TEXT(run("SELECT 1 BETWEEN \x01"), "syntax: at column 18: unexpected character '\\x01'");
    CHECK_TEXT(run("SELECT id FROM data d WHERE EXISTS (SELECT 1 FROM level1 WHERE w > d.v)"),
               "syntax: at column 68: 'd' is of the outer query: correlated queries are not "
               "supported, " DUCKDB);
    CHECK_TEXT(run("SELECT id FROM data WHERE EXISTS (SELECT 1 FROM level1 WHERE w > v)"),
               "syntax: at column 66: 'v' is of the outer query: correlated queries are not "
               "supported, " DUCKDB);
    CHECK_TEXT(run("SELECT (SELECT max(w) FROM level1) AS m, sum(v) / m FROM data"),
               "9.0 0.05555555555555555");
}

static void rows(void)
{
    CHECK_TEXT(
        run("SELECT (1, 2) = (1, 2), (1, 2) < (1, 3), (1, NULL) = (1, NULL), (1, 2) IN ((2, 1), "
            "(1, 2))"),
        "true true true true");
    CHECK_TEXT(run("SELECT id FROM data WHERE (id, v) = ('y', 2.5)"), "y");
    CHECK_TEXT(run("SELECT typeof((1, 'a'))"), "STRUCT(INTEGER, VARCHAR)");
    CHECK_TEXT(run("SELECT a, b, count(*) FROM (VALUES (1, 2), (1, 2)) t(a, b) GROUP BY (a, b)"),
               "1 2 2");
}

static void joins(void)
{
    /* an equality of WHERE is a key: not all pairs are looked at, which would take an hour */
    asking = false;
    CHECK_TEXT(run("SELECT count(*), sum(i) FROM range(100000) a(i), range(50000, 150000) b(k) "
                   "WHERE i = k"),
               "50000 3749975000");
    CHECK_TEXT(run("SELECT count(*) FROM range(100000) a(i) CROSS JOIN range(100000) b(k) "
                   "WHERE i = k + 99999"),
               "1");
    asking = true;
    CHECK_TEXT(run("SELECT count(*) FROM data, level1"), "21");
    CHECK_TEXT(run("SELECT count(*) FROM data CROSS JOIN level1 WHERE v > 2"), "7");
    CHECK_TEXT(run("SELECT a.id, b.id FROM data a, data b WHERE a.v < b.v ORDER BY ALL"),
               "x y|z x|z y");
    CHECK_TEXT(run("SELECT a.id, b.id FROM data a LEFT JOIN data b ON a.v < b.v ORDER BY ALL"),
               "x y|y -|z x|z y");
    CHECK_TEXT(
        run("SELECT a.n, b.n, c.n FROM (VALUES (1), (2)) a(n), (VALUES (2), (3)) b(n), (VALUES "
            "(1), (2)) c(n) WHERE c.n = a.n AND b.n = c.n"),
        "2 2 2");
    CHECK_TEXT(
        run("SELECT * FROM (VALUES (1, 'a')) a(n, x) JOIN (VALUES (1, 'b')) b(n, y) USING (n)"),
        "1 a b");
    CHECK_TEXT(
        run("SELECT n, a.n, b.n, b.* FROM (VALUES (1, 'a')) a(n, x) NATURAL JOIN (VALUES (1, "
            "'b')) b(n, y)"),
        "1 1 1 1 b");
    CHECK_TEXT(
        run("SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (NULL, 'c')) a(n, x) SEMI JOIN (VALUES (1), "
            "(1), (3)) b(n) USING (n)"),
        "1 a");
    CHECK_TEXT(
        run("SELECT n, x FROM (VALUES (1, 'a'), (2, 'b'), (NULL, 'c')) a(n, x) ANTI JOIN (VALUES "
            "(1), (1), (3)) b(n) ON a.n = b.n"),
        "2 b|- c");
    CHECK_TEXT(
        run("SELECT n FROM (VALUES (1), (2)) a(n) ANTI JOIN (VALUES (1), (0)) b(m) ON n <= m"),
        "2");
    CHECK(strstr(run("SELECT b.n FROM (SELECT 1 AS n) a SEMI JOIN (SELECT 1 AS n) b USING (n)"),
                 "there is no column 'n'"));
    /* a path is another one in each row: NATURAL does not compare it */
    CHECK_TEXT(run("SELECT n, x FROM (SELECT 1 AS n, '/a' AS \"internal:gdal_vsi\") NATURAL JOIN "
                   "(SELECT 1 AS n, '/b' AS \"internal:gdal_vsi\", 'y' AS x)"),
               "1 y");
    /* ORDER BY: a name that two tables have is that of the select list, if it has one of them */
    CHECK_TEXT(run("SELECT a.n FROM (VALUES (1), (2)) a(n) JOIN (VALUES (2), (1)) b(n) ON a.n = "
                   "b.n ORDER BY n DESC"),
               "2|1");
    CHECK(strstr(run("SELECT a.n, b.n FROM (VALUES (1)) a(n) JOIN (VALUES (1)) b(n) ON a.n = b.n "
                     "ORDER BY n"),
                 "column 'n' is in several tables"));
    CHECK(strstr(run("SELECT a.n FROM (VALUES (1)) a(n) JOIN (VALUES (1)) b(n) ON a.n = b.n ORDER "
                     "BY n + 1"),
                 "column 'n' is in several tables"));
    CHECK_TEXT(run("SELECT 1 FROM (SELECT 1 AS a) NATURAL JOIN (SELECT 2 AS b)"),
               "syntax: at column 44: NATURAL JOIN: no column has the name of a column before it");
    CHECK_TEXT(run("SELECT 1 FROM (SELECT 1 AS a) JOIN (SELECT 2 AS b) USING (a)"),
               "syntax: at column 59: USING: column 'a' is not on both sides");
}

static void limits(void)
{
    CHECK_TEXT(run("SELECT id FROM data LIMIT 1 + 1"), "x|y");
    CHECK_TEXT(run("SELECT id FROM data LIMIT (SELECT 1) OFFSET 2 - 1"), "y");
    CHECK_TEXT(run("SELECT id FROM data LIMIT NULL"), "x|y|z");
    CHECK_TEXT(run("SELECT id FROM data LIMIT 1 - 2"),
               "syntax: at column 29: a number of rows must not be negative: -1");
    CHECK_TEXT(run("SELECT id FROM data LIMIT sum(2)"),
               "syntax: at column 27: an aggregate is not allowed in WHERE, ON or GROUP BY");
    CHECK_TEXT(run("SELECT w, count(*) FROM level1 GROUP BY w ORDER BY w LIMIT 0 + 1"), "5.0 2");
    CHECK(strstr(run("SELECT id FROM data LIMIT v"), "there is no column 'v'"));
    CHECK_TEXT(run("SELECT id FROM data LIMIT 10%"),
               "syntax: at column 27: a percentage of the rows is not supported");
    CHECK_TEXT(run("SELECT id FROM data QUALIFY 1"),
               "syntax: at column 21: 'QUALIFY' is not supported, " DUCKDB);
}

/* Counts of few and of many groups, of few and of many rows, of all rows and of some. */
static void counts_of_rows(void)
{
    static const size_t groups[] = {1, 3, 15, 16, 17, 200}, rows[] = {0, 1, 1023, 1024, 3001};
    static uint32_t group[3001];
    static uint8_t keep[3001];
    static taco__aggregate_state states[200];
    taco__aggregate a;
    size_t g, n, i, some;
    memset(&a, 0, sizeof a);
    a.id = TACO__AGGREGATE_COUNT_STAR;
    a.states = states;
    for (g = 0; g < sizeof groups / sizeof *groups; g++) {
        a.cap = groups[g];
        for (n = 0; n < sizeof rows / sizeof *rows; n++) {
            for (some = 0; some < 2; some++) {
                int64_t want[200] = {0};
                bool same = true;
                memset(states, 0, sizeof states);
                for (i = 0; i < rows[n]; i++) {
                    group[i] = (uint32_t)(i * 7 % groups[g]);
                    keep[i] = (uint8_t)(i % 3 == 0 ? 0 : i % 5 + 1);
                    want[group[i]] += 2 * (!some || keep[i]);
                }
                CHECK(
                    taco__aggregate_add(&a, NULL, NULL, group, some ? keep : NULL, rows[n], NULL));
                CHECK(
                    taco__aggregate_add(&a, NULL, NULL, group, some ? keep : NULL, rows[n], NULL));
                for (i = 0; i < 200; i++) {
                    same = same && states[i].n == want[i];
                }
                CHECK(same);
            }
        }
    }
}

/* Arrow has no HUGEINT: inner queries hand their types on, and not their fields. */
static void hugeints_of_inner_queries(void)
{
    CHECK_TEXT(run("SELECT x // 2, typeof(x), bit_or(x), x & 1 FROM (SELECT sum(range) x FROM "
                   "range(10)) GROUP BY x"),
               "22 HUGEINT 45 1");
    CHECK_TEXT(run("SELECT coalesce(x, 0.5) FROM (SELECT sum(range) x FROM range(0))"), "0.5");
    CHECK_TEXT(run("WITH a AS (SELECT sum(range) x FROM range(10)), b AS (SELECT x FROM a) "
                   "SELECT x // 2 FROM b"),
               "22");
    CHECK_TEXT(run("SELECT sum(1) UNION ALL SELECT 0.25"), "1.00|0.25");
    CHECK_TEXT(run("SELECT median(x) FROM (VALUES (1::HUGEINT), (2)) t(x)"), "1.5");
    CHECK_TEXT(run("SELECT (SELECT sum(range) FROM range(10)) // 2"), "22");
    CHECK_TEXT(
        run("SELECT typeof(y), typeof(z), typeof(m) FROM (SELECT [sum(1)] y, {'a': sum(1)} z, "
            "MAP {'k': sum(1)} m)"),
        "HUGEINT[] STRUCT(a HUGEINT) MAP(VARCHAR, HUGEINT)");
}

/* NULL, and NULL within a list, has no type until an outer query gives it one. */
static void nulls_of_inner_queries(void)
{
#define TAGS "WITH a AS (SELECT id, NULL AS tag FROM data) "
    CHECK_TEXT(run("SELECT coalesce((SELECT NULL), 'q'), (SELECT NULL) || 'a', (SELECT NULL) + 1"),
               "q - -");
    CHECK_TEXT(run(TAGS "SELECT coalesce(tag, 'none'), upper(tag), [tag, 'x'], tag[1] FROM a "
                        "LIMIT 1"),
               "none - [NULL, x] -");
    CHECK_TEXT(run(TAGS "SELECT id FROM a WHERE tag = 'x' OR tag"), "");
    CHECK_TEXT(run(TAGS "SELECT a.id FROM a JOIN data d ON a.tag = d.id"), "");
    CHECK_TEXT(run(TAGS "SELECT a.id FROM a JOIN (SELECT 'x' AS tag) d USING (tag)"), "");
    CHECK_TEXT(run(TAGS "SELECT typeof(tag), count(*), count(tag) FROM a GROUP BY tag"),
               "INTEGER 3 0");
    CHECK_TEXT(run(TAGS "SELECT id, tag FROM a ORDER BY tag, id DESC LIMIT 2"), "z -|y -");
    CHECK_TEXT(run(TAGS "SELECT first(tag), max(tag), list(tag), arg_max(id, tag) FROM a"),
               "- - [NULL, NULL, NULL] -");
    CHECK_TEXT(run("SELECT id, t FROM data LEFT JOIN (SELECT 'x' AS k, NULL AS t) ON id = k "
                   "ORDER BY t, id"),
               "x -|y -|z -");
    CHECK_TEXT(run("SELECT 'x' IN ('a', y), 'x' IN (SELECT NULL) FROM (VALUES (NULL)) t(y)"),
               "- -");
    CHECK_TEXT(run("SELECT coalesce(x[1], 'a'), y || ['b'] FROM (SELECT [NULL] x, [] y)"), "a [b]");
    CHECK_TEXT(run("SELECT [] UNION ALL SELECT ['a']"), "[]|[a]");
    CHECK_TEXT(run("SELECT * FROM (VALUES ([NULL]), ([]))"), "[NULL]|[]");
    CHECK_TEXT(run("SELECT 'a' || (x).a FROM (SELECT {'a': NULL} x UNION ALL SELECT {'a': NULL})"),
               "-|-");
}

/* Aliases in HAVING, aliases given twice, and texts that tell expressions apart. */
static void names(void)
{
    CHECK_TEXT(run("SELECT v > 0 AS v, count(*) FROM data GROUP BY v > 0 HAVING v"), "true 2");
    CHECK_TEXT(run("SELECT v > 0 AS v, count(*) FROM data GROUP BY v > 0 HAVING max(v) > 2"),
               "true 2");
    CHECK_TEXT(run("SELECT v > 0 AS v, count(*) FROM data GROUP BY v > 0 HAVING data.v"),
               "syntax: at column 61: column 'v' must be in GROUP BY or in an aggregate");
    CHECK_TEXT(run("SELECT v > 0 AS v, NOT v FROM data GROUP BY v > 0"),
               "syntax: at column 24: column 'v' must be in GROUP BY or in an aggregate");
    CHECK_TEXT(run("SELECT 1 AS x, 2 AS x, x + 1"), "1 2 3");
    CHECK_TEXT(run("SELECT v AS x, -v AS x FROM data WHERE x < 0 ORDER BY x"), "2.5 -2.5|1.0 -1.0");
    CHECK_TEXT(run("SELECT v AS x, v > 0 AS x, count(*) FROM data GROUP BY v, v > 0 HAVING NOT x"),
               "-3.0 false 1");
    CHECK_TEXT(run("SELECT bool_or(range * 0.1 = 0.3), bool_or(range * 1e-1 = 0.3) FROM range(9)"),
               "true false");
    CHECK_TEXT(run("SELECT typeof(max(1e0)), typeof(max(1.0)), (SELECT max(1e0)) + min(1e0)"),
               "DOUBLE DECIMAL(2,1) 2.0");
    CHECK_TEXT(run("SELECT max((SELECT max(typeof(1e-1)))), max((SELECT max(typeof(0.1)))) FROM "
                   "data"),
               "DOUBLE DECIMAL(2,1)");
    /* the names of an inner query are not looked up in the tables around it */
    CHECK_TEXT(run("SELECT max(a.v + (SELECT max(v) FROM data)) FROM data a JOIN data b ON a.id = "
                   "b.id"),
               "5.0");
}

/* What a list's elements are called in a file means nothing. */
static void lists_of_files(void)
{
    taco_dataset *before = set;
    taco_error e = none();
    asking = false;
    set = taco_open("examples/data/types.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK_TEXT(run("SELECT [7] UNION ALL (SELECT t_list_i64 FROM data ORDER BY id LIMIT 1)"),
               "[7]|[1, 2, 3]");
    CHECK_TEXT(run("SELECT id FROM data WHERE t_list_i64 = [1, 2, 3]"), "t0");
    CHECK_TEXT(run("SELECT id FROM data WHERE t_list_i64 IN ([1, 2, 3], [5])"), "t0");
    CHECK_TEXT(run("SELECT id FROM data WHERE t_list_i64 IN (SELECT [1, 2, 3])"), "t0");
    CHECK_TEXT(run("SELECT [1, 2, 3] IN (SELECT t_list_i64 FROM data)"), "true");
    CHECK_TEXT(run("SELECT id FROM data JOIN (SELECT [1, 2, 3] AS t_list_i64) USING (t_list_i64)"),
               "t0");
    CHECK_TEXT(run("SELECT CASE WHEN id = 't0' THEN t_list_i64 ELSE [0] END, coalesce(t_list_i64, "
                   "[0.5]) FROM data ORDER BY id LIMIT 1"),
               "[1, 2, 3] [1.0, 2.0, 3.0]");
    taco_close(set);
    set = before;
    asking = true;
    /* a geometry of an inner query is the BLOB that a file has */
    CHECK_TEXT(run("SELECT ST_AsText(ST_GeomFromWKB(g)) FROM (SELECT ST_Point(1, 2) AS g)"),
               "POINT (1 2)");
    CHECK_TEXT(run("SELECT count(*) FROM (SELECT ST_Point(1, 2) AS g) WHERE g IN (SELECT g FROM "
                   "(SELECT ST_Point(1, 2) AS g))"),
               "1");
    CHECK_TEXT(run("SELECT [1] UNION ALL SELECT [2.5]"), "[1.0]|[2.5]");
    CHECK_TEXT(run("SELECT {'a': 1} UNION ALL SELECT {'a': 2.5}"), "{'a': 1.0}|{'a': 2.5}");
    CHECK_TEXT(run("SELECT MAP {'a': 1} UNION ALL SELECT MAP {'a': 2.5}"), "{a=1.0}|{a=2.5}");
    CHECK_TEXT(run("SELECT [1.5] IN (SELECT [1]), [1] IN (SELECT [1.0])"), "false true");
}

int main(void)
{
    taco_error e = none();
    made = archive();
    set = open_made(&made, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    RUN(sets);
    RUN(rows_of_values);
    RUN(ranges);
    RUN(unnest);
    RUN(distinct_on);
    RUN(with);
    RUN(in_expressions);
    RUN(rows);
    RUN(joins);
    RUN(limits);
    RUN(counts_of_rows);
    RUN(hugeints_of_inner_queries);
    RUN(nulls_of_inner_queries);
    RUN(names);
    RUN(lists_of_files);
    RUN(every_place);
    taco_close(set);
    free(made.data);
    return test_end("sql_set");
}
