/* filter/: literals, parsing, binding, evaluation, pruning. */
#include "cpu.h"

#include "conditions.h"

#include "../src/filter/scalar.c"
#include "../src/filter/like.c"
#include "../src/filter/predicate_compare.c"
#include "../src/filter/predicate_eval.c"
#include "../src/filter/predicate_kernels.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

static void integers(void)
{
    ROW("i8 = -128", "10000000");
    ROW("i8 > 126.5", "00000001");
    ROW("i8 <= 300", "11111111");
    ROW("i16 BETWEEN -1 AND 2", "01111000");
    ROW("i32 > 1", "00001101"); /* row 6 is NULL */
    ROW("NOT i32 > 1", "11110000");
    ROW("i32 <> 1", "11101101");
    ROW("1 < i32", "00001101");
    ROW("i32 IN (1, 2, 2, 99)", "00011000");
    ROW("i32 NOT IN (1, 2)", "11100101");
    ROW("i32 IN (1, NULL)", "00010000");
    ROW("i32 NOT IN (1, NULL)", "00000000");
    ROW("i32 IN (1, 2.5, 3e0)", "00010100");
    ROW("i64 = 9007199254740993", "00000100");
    ROW("i64 = 9007199254740993.0", "00000100");
    ROW("i64 = 9007199254740992.5", "00000000");
    ROW("i64 = 9007199254740992e0", "00000100"); /* as DOUBLE both are the same */
    ROW("i64 >= 9223372036854775807e0", "00000011");
    ROW("i64 < 99999999999999999999", "11111111");
    ROW("i64 = -9223372036854775808", "10000000");
    ROW("u8 > 254", "00000001");
    ROW("u8 > -1", "11111111");
    ROW("u16 = 65535", "00000001");
    ROW("u32 >= 4294967294", "00000011");
    ROW("u64 = 18446744073709551615", "00000001");
    ROW("u64 > 9223372036854775807", "00000111");
    ROW("u64 IN (0, 9223372036854775808, 18446744073709551615)", "10000101");
    ROW("u64 < 1.5", "11000000");
    ROW("i32 = '3'", "00000100");
    ROW("i32 = '2.5'", "00000100"); /* rounded, as the cast does */
    ROW("i32 = true", "00010000");
    ROW("i8 BETWEEN 5 AND 1", "00000000");
    ROW("i8 NOT BETWEEN 0 AND 3", "11000011");
    ROW("i32 NOT BETWEEN NULL AND 0", "00011101");
}

static void floats(void)
{
    ROW("d > 1.5", "10000001"); /* NaN is greater than every number */
    ROW("d >= 1.5", "10000101");
    ROW("d < 1.5", "01111000");
    ROW("d <= 1e300", "01111101");
    ROW("d = 0", "00100000"); /* -0.0 */
    ROW("d = 'nan'", "10000000");
    ROW("d < 'nan'", "01111101");
    ROW("d <> 'nan'", "01111101");
    ROW("d > 'inf'", "10000000");
    ROW("NOT d > 1.5", "01111100");
    ROW("d = 0.1", "00010000");
    ROW("d BETWEEN 0.1 AND 1", "00011000");
    ROW("d IN (0.1, 'nan', 1)", "10011000");
    ROW("f = 0.1", "00010000");  /* the literal becomes a FLOAT */
    ROW("f = 1e-1", "00000000"); /* the column becomes a DOUBLE */
    ROW("f > 1e38", "10000001");
    ROW("f >= 1.5", "10000111");
    ROW("half > 1.25", "10000011");
    ROW("half = 0", "00011000");
    ROW("half < -1", "01000000");
    ROW("d IS NULL", "00000010");
    ROW("d = e", "00000000");
    ROW("e > d", "01111101");
    ROW("e >= 'nan'", "00000001");
    ROW("f < d", "00000001");
    ROW("i64 > d", "01011100");
}

static void decimals(void)
{
    ROW("dec = 1.5", "00001000");
    ROW("dec >= 1.501", "00000101");
    ROW("dec < -1.499", "11100000");
    ROW("dec IN (3, -3.00, 1.501)", "01000100");
    ROW("dec = '1.499'", "00001000"); /* rounded to the column's scale */
    ROW("dec > 1e0", "00001101");
    ROW("dec = 12345678901234567890", "00000000");
    ROW("wide < 0", "11100000");
    ROW("wide = 4.5", "00000010");
    ROW("var = 25.5", "00100000");
    ROW("var <= -0.1", "10010000");
    ROW("var IN (0.1, 0.5, 3276.7)", "01001100");
    ROW("wide > dec", "00000000");
    ROW("var < wide", "00010111");
    ROW("dec > i8", "10000000");
}

static void times(void)
{
    ROW("date = DATE '2020-01-01'", "00001000");
    ROW("date < '1970-01-01'", "10000000");
    ROW("date >= TIMESTAMP '2020-01-01 00:00:01'", "00000111");
    ROW("ts >= '2020-01-01'", "00001111");
    ROW("ts = TIMESTAMP '2020-01-01T10:00:00Z'", "00000010");
    ROW("ts < DATE '1970-01-01'", "10000000");
    ROW("ts = '2020-01-01 10:00'", "00000010");
    ROW("ts = TIMESTAMP '2020-01-01 10:00:00+02'",
        "00000010"); /* DuckDB drops the offset of plain timestamps */
    ROW("tz = TIMESTAMPTZ '2020-01-01 12:00:00+02'", "00000010");
    ROW("tz = '2020-01-01 12:00:00+02'", "00000010");
    ROW("tz = TIMESTAMP WITH TIME ZONE '2020-01-01 10:00:00'", "00000010");
    ROW("ts = TIMESTAMP '2020-01-01 00:00:00.000001'", "00000100");
    ROW("ns = TIMESTAMP_NS '1970-01-01 00:00:00.000000001'", "00100000");
    ROW("ns = '1970-01-19 06:17:16.8'", "00001000");
    ROW("ms = TIMESTAMP '1970-01-01 00:00:00.001'", "00010000");
    ROW("ms > TIMESTAMP '9999-12-31'", "00000111");
    ROW("i96 = '1970-01-01 00:00:02'", "00100000");
    ROW("i96 >= DATE '1970-01-02'", "00001111");
    ROW("tm = TIME '10:00'", "00100000");
    ROW("tm > '12:00:00'", "00000111");
    ROW("tm = '24:00:00'", "00000001");
    ROW("ts > ms", "11111000");
    ROW("date < ts", "10010001");
    ROW("date = ts", "01001000");
    CHECK_TEXT(where("ts = 'yesterday'"),
               "type: at column 1: column 'ts' is TIMESTAMP, was given 'yesterday'");
    CHECK_TEXT(where("date = 5"), "type: at column 1: column 'date' is DATE, was given a number");
    CHECK_TEXT(where("ts > tm"), "type: at column 1: column 'ts' is TIMESTAMP and column 'tm' is "
                                 "TIME, they cannot be compared");
    CHECK_TEXT(where("ts > DATE '2020-02-30'"), "syntax: at column 11: '2020-02-30' is not a DATE");
}

static void texts(void)
{
    ROW("s = 'a'", "10000000");
    ROW("s <> 'a'", "01111101");
    ROW("s < 'ab'", "10110000");
    ROW("s >= 'abc'", "01001101");
    ROW("s > ''", "11101101");
    ROW("s = ''", "00010000");
    ROW("s IN ('zz', 'a', 'q')", "10000001");
    ROW("s IS NULL", "00000010");
    ROW("s IS NOT NULL", "11111101");
    ROW("s IS NOT DISTINCT FROM NULL", "00000010");
    ROW("s IS DISTINCT FROM 'a'", "01111111");
    ROW("s IS NOT DISTINCT FROM 'a'", "10000000");
    ROW("NOT (s IS NOT DISTINCT FROM 'a')", "01111111");
    ROW("\"stac:crs\" = 'zz'", "00000001");
    ROW("s = \"stac:crs\"", "11111101");
    ROW("s IS NOT DISTINCT FROM \"stac:crs\"", "11111101");
    ROW("'b' BETWEEN s AND 'c'", "11111000");
    ROW("sd = 'train'", "10010000");
    ROW("sd <> 'train'", "01101101");
    ROW("sd IN ('train', 'xyz')", "10010001");
    ROW("sd LIKE 't%'", "11011000");
    ROW("sd NOT LIKE '%a%'", "01001001");
    ROW("sd = 'nope'", "00000000");
    ROW("sd > s", "11111000");
    ROW("blob = X'aabb'", "00000100");
    ROW("blob = '\\xAA\\xBB'::BLOB", "00000100");
    ROW("blob >= '\\xAA'", "00100100");
    ROW("blob = ''", "10000001");
    ROW("uuid = '33333333-3333-3333-3333-333333333333'", "00010000");
    ROW("uuid > '{44444444444444444444444444444444}'", "00000111");
    ROW("fixed < X'22'", "11000000");
    CHECK_TEXT(where("sd = 5"), "type: at column 1: column 'sd' is TEXT, was given a number");
    CHECK_TEXT(where("1.5 > sd"), "type: at column 7: column 'sd' is TEXT, was given a number");
    CHECK_TEXT(where("sd IN ('a', 1)"),
               "type: at column 1: column 'sd' is TEXT, was given a number");
    CHECK_TEXT(where("i32 = 'abc'"), "type: at column 1: column 'i32' is INT32, was given 'abc'");
    CHECK_TEXT(where("i32 IN (1, 'abc')"),
               "type: at column 1: column 'i32' is INT32, was given 'abc'");
    CHECK_TEXT(where("i8 = '200'"), "type: at column 1: column 'i8' is INT8, was given '200'");
    CHECK_TEXT(where("uuid = 'zz'"), "type: at column 1: column 'uuid' is UUID, was given 'zz'");
    CHECK_TEXT(where("blob = '\\x1'"),
               "type: at column 1: column 'blob' is BINARY, was given '\\x5cx1'");
    CHECK_TEXT(
        where("s = i32"),
        "type: at column 1: column 's' is TEXT and column 'i32' is INT32, they cannot be compared");
}

static void patterns(void)
{
    ROW("s LIKE 'a%'", "10001000");
    ROW("s LIKE '_'", "11000000"); /* row 6, one character of two bytes, is NULL */
    ROW("\"stac:crs\" LIKE '_'", "11000010");
    ROW("s LIKE ''", "00010000");
    ROW("s LIKE '%'", "11111101");
    ROW("s LIKE '%b%'", "01001000");
    ROW("s ILIKE '%b%'", "01101000");
    ROW("s ILIKE 'AB'", "00100000");
    ROW("s NOT ILIKE 'a%'", "01010101");
    ROW("\"stac:crs\" ILIKE '\xC3\x89'", "00000010");
    ROW("s LIKE 'x$%y' ESCAPE '$'", "00000100");
    ROW("s LIKE 'x%y'", "00000100");
    ROW("s LIKE '%$%%' ESCAPE '$'", "00000100");
    ROW("s LIKE '_b_'", "00001000");
    ROW("s LIKE '%c'", "00001000");
    ROW("s LIKE 'a_%'", "00001000");
    ROW("s LIKE NULL", "00000000");
    ROW("s LIKE \"stac:crs\"", "11111101");
    ROW("'abc' LIKE s", "00001000");
    ROW("'a' LIKE 'a' AND s LIKE 'a'", "10000000");
    CHECK_TEXT(where("i32 LIKE '1'"), "type: at column 1: column 'i32' is INT32, LIKE needs TEXT");
    CHECK_TEXT(where("s LIKE 5"), "type: LIKE needs TEXT, was given a number");
    CHECK_TEXT(where("s LIKE 'ab$' ESCAPE '$'"),
               "syntax: the LIKE pattern 'ab$' ends with its escape");
    CHECK_TEXT(where("s LIKE '%%%' ESCAPE '%'"),
               "syntax: the LIKE pattern '%%%' ends with its escape");
    CHECK_TEXT(where("s LIKE 'a' ESCAPE 'xx'"),
               "syntax: at column 19: ESCAPE takes a text of one character");
}

static bool like(const char *s, const char *pattern, bool icase, char escape)
{
    taco__mem m;
    taco__arena a;
    taco__like_pattern k;
    taco_bytes given;
    bool fast, full;
    taco__mem_init(&m, NULL);
    a.mem = &m;
    a.head = NULL;
    memset(&k, 0, sizeof k);
    k.icase = icase;
    given = taco__bytes_of(&escape, 1);
    taco__like_set_escape(&k, escape ? &given : NULL);
    CHECK(taco__like_compile(&k, &a, taco__bytes_text(pattern), NULL));
    fast = taco__like_match(&k, taco__bytes_text(s));
    full = taco__like_match_full(&k, taco__bytes_text(s));
    CHECK(fast == full);
    taco__arena_free(&a);
    return fast;
}

/* A zero byte of ILIKE is a byte as any other, and no escape. */
static void like_zero_bytes(void)
{
    static const struct {
        const char *text, *pattern;
        size_t n, m;
        bool want;
    } rows[] = {{"a\0b", "A%B", 3, 3, true},      {"a\0b", "A_B", 3, 3, true},
                {"a\0b", "a\0b", 3, 3, true},     {"ab", "a\0b", 2, 3, false},
                {"ab\0cd", "A%\0C%", 5, 5, true}, {"a%", "A\0%", 2, 3, false},
                {"ax", "A\0%", 2, 3, false}};

    size_t i;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        taco__mem m;
        taco__arena a;
        taco__like_pattern k;
        taco__mem_init(&m, NULL);
        a.mem = &m;
        a.head = NULL;
        memset(&k, 0, sizeof k);
        k.icase = true;
        taco__like_set_escape(&k, NULL);
        CHECK(taco__like_compile(&k, &a, taco__bytes_of(rows[i].pattern, rows[i].m), NULL));
        CHECK(taco__like_match(&k, taco__bytes_of(rows[i].text, rows[i].n)) == rows[i].want);
        taco__arena_free(&a);
    }
}

/* As LIKE is defined, one character after the other; for ASCII. */
static bool like_plainly(const char *s, const char *p, bool icase)
{
    int a = icase && *s >= 'A' && *s <= 'Z' ? *s + 32 : *s;
    if (!*p) { return !*s; }
    if (*p == '%') {
        return like_plainly(s, p + 1, icase) || (*s && like_plainly(s + 1, p, icase));
    }
    return *s && (*p == '_' || *p == a) && like_plainly(s + 1, p + 1, icase);
}

/* Few letters, so that most parts nearly match, and repeat. */
static void like_random(void)
{
    static const char letters[] = "aaab%_";
    uint32_t x = 7;
    char s[400], p[24];
    size_t i, n, m;
    unsigned round, hits = 0;
    for (round = 0; round < 4000; round++) {
        bool icase = round % 4 == 3;
        x = x * 1664525U + 1013904223U;
        n = round % 8 == 3 ? 300 + (x >> 9) % 90 : (x >> 9) % 14;
        m = (x >> 20) % (n > 100 ? 22 : 10);
        for (i = 0; i < n; i++) {
            x = x * 1664525U + 1013904223U;
            s[i] = letters[(x >> 20) % 4];
            if (icase && (x >> 10) % 2) { s[i] = (char)(s[i] - 32); }
        }
        for (i = 0; i < m; i++) {
            x = x * 1664525U + 1013904223U;
            p[i] = letters[(x >> 20) % (n > 100 ? 4 : 6)];
        }
        s[n] = p[m] = 0;
        if (n > 100) {
            memcpy(p, "%", 1);
            memcpy(p + (m ? m : 1), "%", 2);
        }
        CHECK(like(s, p, icase, 0) == like_plainly(s, p, icase));
        hits += like(s, p, icase, 0);
    }
    CHECK(hits > 400);
}

/* A part that cannot be searched for has a limit. */
static void like_limit(void)
{
    static const char sql[] = "s LIKE '%%_%.*s%%'";
    char text[1200], letters[1100];
    memset(letters, 'a', sizeof letters);
    snprintf(text, sizeof text, sql, 1023, letters);
    CHECK_TEXT(where(text), "00000000");
    snprintf(text, sizeof text, sql, 1024, letters);
    CHECK_TEXT(where(text), "limit: a part of a LIKE pattern after a wildcard has 1025 bytes; with "
                            "_, an escape or ILIKE it may have 1024");
}

static void like_edges(void)
{
    CHECK(like("", "", false, 0));
    CHECK(like("", "%", false, 0));
    CHECK(like("", "%%", false, 0));
    CHECK(!like("", "_", false, 0));
    CHECK(like("abc", "%%abc%%", false, 0));
    CHECK(like("abcabd", "%ab_", false, 0));
    CHECK(like("aaaaaaaaab", "%a%a%b", false, 0));
    CHECK(!like("aaaaaaaaaa", "%a%a%b", false, 0));
    CHECK(like("\xE6\x97\xA5\xE6\x9C\xAC", "__", false, 0));
    CHECK(like("\xE6\x97\xA5\xE6\x9C\xAC", "%\xE6\x9C\xAC", false, 0));
    CHECK(!like("\xE6\x97\xA5\xE6\x9C\xAC", "_", false, 0));
    CHECK(like("a\\b", "a\\b", false, 0)); /* no escape unless asked for */
    CHECK(like("a%", "a\\%", false, '\\'));
    CHECK(!like("ab", "a\\%", false, '\\'));
    CHECK(like("a$b", "a$$b", false, '$'));
    CHECK(like("%", "%%", false, '%'));
    CHECK(like("x%", "x%%", false, '%'));
    CHECK(like("\xCE\xA9", "\xCF\x89", true, 0));     /* Greek omega */
    CHECK(like("\xD0\x96", "\xD0\xB6", true, 0));     /* Cyrillic zhe */
    CHECK(like("\xC5\xB8", "\xC3\xBF", true, 0));     /* Y with diaeresis */
    CHECK(like("\xE1\xBA\x9E", "\xC3\x9F", true, 0)); /* sharp s, three bytes and two */
    CHECK(like("\xE2\x84\xAA", "k", true, 0));        /* Kelvin */
    CHECK(!like("\xCF\x83", "\xCF\x82", true, 0));    /* sigma and final sigma stay apart */
    CHECK(like("AbC", "a%c", true, 0));
    CHECK(like("A%C", "a$%c", true, '$'));
    CHECK(!like("\xFF", "\xC3\xBF", true, 0));
    CHECK(like("\xFF", "\xFF", true, 0));
}

static void logic(void)
{
    /* p: T T F N N N F T, q: T N N T N N T F */
    ROW("p", "11000001");
    ROW("NOT p", "00100010");
    ROW("p AND q", "10000000");
    ROW("NOT (p AND q)", "00100011");
    ROW("p OR q", "11010011");
    ROW("NOT (p OR q)", "00000000");
    ROW("(p AND q) IS NULL", "01011100");
    ROW("(p OR q) IS NULL", "00101100");
    ROW("p IS TRUE", "11000001");
    ROW("p IS NOT TRUE", "00111110");
    ROW("p IS FALSE", "00100010");
    ROW("p IS NOT FALSE", "11011101");
    ROW("p IS UNKNOWN", "00011100");
    ROW("p = q", "10000000");
    ROW("p <> q", "00000011");
    ROW("p IS DISTINCT FROM q", "01110011");
    ROW("p IS NOT DISTINCT FROM q", "10001100");
    ROW("(p AND q) = (p OR q)", "10000000");
    ROW("(i8 > 1) < (i16 > 2)", "00000000");
    ROW("(i8 > 1) > (i16 > 2)", "00001000");
    ROW("p IN (q, NULL)", "10000000");
    ROW("p = 1", "11000001");
    ROW("p = 'f'", "00100010");
    ROW("b", "10001101");
    ROW("TRUE", "11111111");
    ROW("NULL", "00000000");
    ROW("NULL IS NULL", "11111111");
    ROW("NOT NULL", "00000000");
    ROW("p AND NULL", "00000000");
    ROW("(p AND NULL) IS NULL", "11011101");
    ROW("p OR NULL", "11000001");
    ROW("p OR TRUE", "11111111");
    ROW("p AND FALSE IS NOT NULL", "11000001");
    ROW("NULL OR p IS NULL", "00011100");
    ROW("1 = 1 AND 'a' < 'b'", "11111111");
    ROW("1 IN (1, NULL)", "11111111");
    ROW("2 NOT IN (1, NULL)", "00000000");
    ROW("1.5 = '1.5'", "11111111");
    ROW("NULL = NULL", "00000000");
    ROW("NULL IS NOT DISTINCT FROM NULL", "11111111");
    ROW("none IS NULL", "11111111");
    ROW("none = 5", "00000000");
    ROW("none IS DISTINCT FROM 5", "11111111");
    ROW("list IS NULL", "00000010");
    ROW("list IS NOT NULL", "11111101");
    ROW("iv IS NULL", "00000000");
    ROW("i32", "11011101");
    ROW("e IS TRUE", "01111111");
    ROW("b AND i32", "10001101");
    CHECK_TEXT(where("s"),
               "type: at column 1: column 's' is TEXT, a condition needs BOOL or a number");
    CHECK_TEXT(where("s AND p"),
               "type: at column 1: column 's' is TEXT, a condition needs BOOL or a number");
    CHECK_TEXT(where("DATE '2020-01-01'"), "type: a date is not a condition");
    CHECK_TEXT(where("'maybe'"), "type: 'maybe' is not a BOOL");
    CHECK_TEXT(
        where("list = 5"),
        "type: at column 1: column 'list' is LIST, only IS NULL and IS NOT NULL can test it");
    CHECK_TEXT(
        where("5 < iv"),
        "type: at column 5: column 'iv' is INTERVAL, only IS NULL and IS NOT NULL can test it");
    CHECK_TEXT(
        where("list IN (1)"),
        "type: at column 1: column 'list' is LIST, only IS NULL and IS NOT NULL can test it");
    CHECK_TEXT(where("b < 1.5"), "type: at column 1: column 'b' is BOOL, was given a number");
    CHECK_TEXT(where("'a' < DATE '2020-01-01'"), "type: 'a' is not a DATE");
    CHECK_TEXT(where("TIME '10:00' < DATE '2020-01-01'"),
               "type: a time of day and a date cannot be compared");
}

static void precedence(void)
{
    ROW("i8 = 1 OR i8 = 2 AND i8 = 3", "00010000");
    ROW("(i8 = 1 OR i8 = 2) AND i8 = 2", "00001000");
    ROW("NOT i8 = 1 AND i8 < 3", "11101000");
    ROW("NOT NOT i8 = 1", "00010000");
    ROW("i8 = 1 IS TRUE", "00010000");
    ROW("i8 BETWEEN 0 AND 2 AND i8 <> 1", "00101000");
    ROW("i8 IN (1, 2) = TRUE", "00011000");
    ROW("TRUE = NOT i8 = 1", "11101111");
    ROW("i8 IS NULL IS NULL", "00000000");
    ROW("i8 = - 1", "01000000");
    ROW("i8 = - -1 OR i8 = +2", "00011000");
    ROW("i8=-1", "01000000");
    ROW("i8 == 1 or I8 != 1 and false",
        "not found: at column 12: no column 'I8', the nearest are 'i8', 'u8', 'iv'");
    ROW("i8 /* a /* nested */ comment */ = -- to the end\n 1", "00010000");
    ROW("i8 NOTNULL AND i8 ISNULL IS FALSE", "11111111");
    ROW("i8 IN (1,)", "00010000");
    ROW("i8 in(1)And Not\"i16\"in(5)", "00010000");
    ROW("date = date '1970-01-01'", "01000000"); /* a word may be a type and a column */
    ROW("i8 = 1e0 AND i8 < .15e1 AND i8 > 0.", "00010000");
}

static void syntax(void)
{
    CHECK_TEXT(where("sd = 'train' AND cloud <"),
               "syntax: at column 25: expected a value, found end of text");
    CHECK_TEXT(where(""), "syntax: at column 1: expected a value, found end of text");
    CHECK_TEXT(where("id = = 1"), "syntax: at column 6: expected a value, found '='");
    CHECK_TEXT(where("i8 = 1 i8"), "syntax: at column 8: expected AND, OR or the end, found 'i8'");
    CHECK_TEXT(where("i8 = 1 = 2"),
               "syntax: at column 8: expected AND or OR: comparisons do not chain, found '='");
    CHECK_TEXT(where("(i8 = 1"), "syntax: at column 8: expected ')', found end of text");
    CHECK_TEXT(where("i8 = 1)"), "syntax: at column 7: expected AND, OR or the end, found ')'");
    CHECK_TEXT(where("i8 IN 1"), "syntax: at column 7: expected '(' after IN, found '1'");
    CHECK_TEXT(where("i8 IN (1 2)"), "syntax: at column 10: expected ',' or ')', found '2'");
    CHECK_TEXT(where("i8 IN ()"), "syntax: at column 8: expected a value, found ')'");
    CHECK_TEXT(where("i8 BETWEEN 1 OR 2"),
               "syntax: at column 14: expected AND of BETWEEN, found 'OR'");
    CHECK_TEXT(where("i8 IS 5"), "syntax: at column 7: expected NULL, TRUE, FALSE, UNKNOWN or "
                                 "DISTINCT FROM after IS, found '5'");
    CHECK_TEXT(where("i8 IS DISTINCT 5"), "syntax: at column 16: expected FROM, found '5'");
    CHECK_TEXT(where("i8 NOT 5"),
               "syntax: at column 8: expected IN, BETWEEN, LIKE or ILIKE after NOT, found '5'");
    CHECK_TEXT(where("AND i8"), "syntax: at column 1: expected a value, found 'AND'");
    CHECK_TEXT(where("i8 + 1 > 2"),
               "syntax: at column 4: arithmetic ('+') is not supported in a condition");
    CHECK_TEXT(where("i8 > 2 * 3"),
               "syntax: at column 8: arithmetic ('*') is not supported in a condition");
    CHECK_TEXT(where("-i8 > 2"),
               "syntax: at column 1: arithmetic ('-') is not supported in a condition");
    CHECK_TEXT(where("abs(i8) > 2"),
               "syntax: at column 1: the function ('abs') is not supported in a condition");
    CHECK_TEXT(where("CASE WHEN 1 THEN 2 END"),
               "syntax: at column 1: CASE ('CASE') is not supported in a condition");
    CHECK_TEXT(where("CAST(i8 AS INT) = 1"),
               "syntax: at column 1: CAST ('CAST') is not supported in a condition");
    CHECK_TEXT(where("i8::INT = 1"),
               "syntax: at column 3: a cast ('::') is not supported in a condition");
    CHECK_TEXT(where("(SELECT 1) = 1"),
               "syntax: at column 2: a subquery ('SELECT') is not supported in a condition");
    CHECK_TEXT(
        where("a.b = 1"),
        "syntax: at column 2: a qualified name or a field ('.') is not supported in a condition");
    CHECK_TEXT(where("stac :crs = 'x'"), "syntax: at column 6: a colon outside \"quotes\" (':') "
                                         "is not supported in a condition");
    CHECK_TEXT(where("stac:crs = 'x'"), "00000000");
    CHECK_TEXT(where("list[1] = 1"),
               "syntax: at column 5: a subscript ('[') is not supported in a condition");
    CHECK_TEXT(where("s || 'a' = 'b'"),
               "syntax: at column 3: the operator ('||') is not supported in a condition");
    CHECK_TEXT(where("s SIMILAR TO 'a'"),
               "syntax: at column 3: the operator ('SIMILAR') is not supported in a condition");
    CHECK_TEXT(where("s = 'abc"), "syntax: at column 5: the text in quotes is not closed");
    CHECK_TEXT(where("\"s = 1"), "syntax: at column 1: the name in double quotes is not closed");
    CHECK_TEXT(where("i8 = 1 /* x"), "syntax: at column 8: the comment is not closed");
    CHECK_TEXT(where("i8 = 1abc"), "syntax: at column 7: unexpected character after a number");
    CHECK_TEXT(where("i8 = 1.2.3"), "syntax: at column 9: unexpected character after a number");
    CHECK_TEXT(where("i8 = \x01"), "syntax: at column 6: unexpected character '\\x01'");
    CHECK_TEXT(where_len("i8 = 1\0", 7), "syntax: at column 7: unexpected character '\\x00'");
    CHECK_TEXT(where("blob = X'1'"),
               "syntax: at column 8: X'...' needs pairs of hexadecimal digits");
    CHECK_TEXT(where("i8 = 1;"), "syntax: at column 7: expected AND, OR or the end, found ';'");
    CHECK_TEXT(where("ts > TIMESTAMP 'x'"), "syntax: at column 16: 'x' is not a TIMESTAMP");
}

static void names(void)
{
    static const char text[] =
        "i8 IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19) AND nope = 1";
    taco__mem m;
    taco__arena arena;
    taco_error err;
    taco__expr *e, *copy;
    memset(&err, 0, sizeof err);
    taco__mem_init(&m, NULL);
    arena.mem = &m;
    arena.head = NULL;
    make_table();
    e = taco__pred_parse(&arena, text, strlen(text), NULL, &err);
    copy = taco__expr_copy(&arena, e, &err);
    CHECK(!taco__pred_bind(copy, fields, column_count, &arena, &err));
    CHECK(err.offset == 78 && err.code == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(err.text, "'i8 IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17...': "
                         "at column 79: no column 'nope', the nearest is 'none'");
    taco__arena_free(&arena);
    CHECK_TEXT(where("st = 1"),
               "not found: at column 1: no column 'st', the nearest are 'ts', 's', 'sd'");
    CHECK_TEXT(where("I8 = 1"),
               "not found: at column 1: no column 'I8', the nearest are 'i8', 'u8', 'iv'");
    CHECK_TEXT(where("stac = 1"),
               "not found: at column 1: no column 'stac', the nearest is 'stac:crs'");
    CHECK_TEXT(where("\"qqqqqqqqqq\" = 1"), "not found: at column 1: no column 'qqqqqqqqqq', none "
                                            "of the 39 columns is near (the first is "
                                            "'i8'); text is written in 'single quotes'");
    CHECK_TEXT(where("\"a\"\"b\\\x02\" = 1"),
               "not found: at column 1: no column 'a\"b\\x5c\\x02', none of the "
               "39 columns is near (the first is 'i8'); text is written in 'single quotes'");
}

static void limits(void)
{
    static char text[700000];
    size_t i, n = 0;
    for (i = 0; i < 60; i++) {
        text[n++] = '(';
    }
    n += (size_t)sprintf(text + n, "i8 = 1");
    for (i = 0; i < 60; i++) {
        text[n++] = ')';
    }
    CHECK_TEXT(where_len(text, n), "00010000");
    memset(text, '(', 200000);
    CHECK_TEXT(where_len(text, 200000),
               "limit: the condition nests deeper than limits.max_depth, which is 64");
    for (n = i = 0; i < 50000; i++) {
        n += (size_t)sprintf(text + n, "NOT ");
    }
    CHECK_TEXT(where_len(text, n),
               "limit: the condition nests deeper than limits.max_depth, which is 64");
    n = (size_t)sprintf(text, "i8");
    for (i = 0; i < 50000; i++) {
        n += (size_t)sprintf(text + n, " IS NULL");
    }
    CHECK_TEXT(where_len(text, n),
               "limit: the condition nests deeper than limits.max_depth, which is 64");
    for (n = i = 0; i < 40000; i++) { /* a chain is not deep */
        n += (size_t)sprintf(text + n, "%si8 <> 1", i ? " AND " : "");
    }
    CHECK_TEXT(where_len(text, n), "11101111");
    for (n = i = 0; i < 40000; i++) { /* nor does it keep what its parts needed */
        n += (size_t)sprintf(text + n, "%si8 < e", i ? " OR " : "");
    }
    CHECK_TEXT(where_len(text, n), "11111101");
    n = (size_t)sprintf(text, "i64 IN (");
    for (i = 0; i < 40000; i++) {
        n += (size_t)sprintf(text + n, "%u,", (unsigned)(i * 7));
    }
    n += (size_t)sprintf(text + n, "1)");
    CHECK_TEXT(where_len(text, n), "00110000");
}

/* ---- values ---- */

static void wide_integers(void)
{
    taco__i256 a = taco__i256_from_i64(-7), b;
    CHECK(taco__i256_mul10(&a, 60) && taco__i256_is_negative(&a));
    b = taco__i256_div10(a, 60, true);
    CHECK(taco__i256_is_i64(&b) && (int64_t)b.w[0] == -7);
    b = taco__i256_div10(taco__i256_from_i64(-15), 1, true);
    CHECK((int64_t)b.w[0] == -2);
    b = taco__i256_div10(taco__i256_from_i64(149), 2, true);
    CHECK((int64_t)b.w[0] == 1);
    b = taco__i256_div10(taco__i256_from_i64(150), 2, true);
    CHECK((int64_t)b.w[0] == 2);
    CHECK(!taco__i256_mul10(&a, 30));
    CHECK(taco__scalar_compare_exact(taco__i256_from_i64(-1), 0, taco__i256_from_i64(-1), 90) < 0);
    CHECK(taco__scalar_compare_exact(taco__i256_from_i64(1), 90, taco__i256_from_i64(-1), 0) > 0);
    CHECK(taco__scalar_compare_exact(taco__i256_from_i64(-1), 90, taco__i256_from_i64(1), 0) < 0);
    CHECK(taco__scalar_compare_exact(taco__i256_from_i64(150), 2, taco__i256_from_i64(15), 1) == 0);
    CHECK(taco__i256_from_be(taco__bytes_of("\xFF\xFE", 2), &b) && (int64_t)b.w[0] == -2);
    CHECK(taco__i256_from_be(taco__bytes_of("", 0), &b) && b.w[0] == 0);
    CHECK(!taco__i256_from_be(
        taco__bytes_of("\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                       34),
        &b));
    CHECK(taco__i256_from_be(
              taco__bytes_of("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5",
                             34),
              &b) &&
          b.w[0] == 5);
}

static bool cast(const char *text, taco_type id, taco__scalar *v)
{
    static uint8_t room[4096];
    taco__mem m;
    taco__arena a;
    taco__scalar_type t = taco__scalar_simple_type(id);
    bool ok;
    taco__mem_init(&m, NULL);
    a.mem = &m;
    a.head = NULL;
    t.unit = TACO_MICRO;
    t.precision = 9;
    t.scale = 2;
    ok = taco__scalar_parse(&a, taco__bytes_text(text), &t, v, NULL);
    if (ok && v->b.data && v->b.len < sizeof room) {
        memcpy(room, v->b.data, v->b.len);
        v->b.data = room;
    }
    taco__arena_free(&a);
    return ok;
}

/* The integer type that holds the values of two. */
static void common_integers(void)
{
    static const taco_type all[][3] = {
        {TACO_INT8, TACO_INT16, TACO_INT16},     {TACO_UINT8, TACO_UINT8, TACO_UINT8},
        {TACO_UINT8, TACO_UINT16, TACO_UINT16},  {TACO_INT8, TACO_UINT8, TACO_INT16},
        {TACO_INT16, TACO_UINT8, TACO_INT16},    {TACO_INT64, TACO_UINT8, TACO_INT64},
        {TACO_INT8, TACO_UINT32, TACO_INT64},    {TACO_INT32, TACO_UINT32, TACO_INT64},
        {TACO_INT64, TACO_UINT64, TACO_DECIMAL}, {TACO_UINT32, TACO_UINT64, TACO_UINT64},
        {TACO_BOOL, TACO_INT8, TACO_INT8},       {TACO_BOOL, TACO_UINT8, TACO_UINT8},
        {TACO_BOOL, TACO_UINT64, TACO_UINT64},   {TACO_BOOL, TACO_BOOL, TACO_BOOL}};

    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        CHECK(taco__scalar_common_int(all[i][0], all[i][1]) == all[i][2]);
        CHECK(taco__scalar_common_int(all[i][1], all[i][0]) == all[i][2]);
    }
    for (i = 0; i < 4; i++) { /* an instant, where one of two is */
        taco__scalar_type a = taco__scalar_simple_type(TACO_TIMESTAMP), b = a, c;
        a.utc = i % 2 != 0;
        b.utc = i > 1;
        a.unit = TACO_MILLI;
        b.unit = TACO_MICRO;
        CHECK(taco__scalar_common_type(&a, &b, true, &c) && c.utc == (i > 0));
        CHECK(c.unit == TACO_MICRO && c.id == TACO_TIMESTAMP);
    }
}

static void casts(void)
{
    static const struct {
        const char *text;
        taco_type type;
        int64_t want; /* INT64_MIN: refused */
    } exact[] = {{"1.5", TACO_INT32, 2},
                 {"-2.5", TACO_INT32, -3},
                 {" 12 ", TACO_INT32, 12},
                 {"1e3", TACO_INT32, 1000},
                 {"1_000", TACO_INT32, 1000},
                 {"+5", TACO_INT32, 5},
                 {"", TACO_INT32, INT64_MIN},
                 {".", TACO_INT32, INT64_MIN},
                 {".5", TACO_INT32, 1},
                 {"5.", TACO_INT32, 5},
                 {"1__0", TACO_INT32, INT64_MIN},
                 {"1e", TACO_INT32, INT64_MIN},
                 {"1e1000", TACO_INT32, INT64_MIN},
                 {"1e-1000", TACO_INT32, 0},
                 {"0e99999", TACO_INT32, 0},
                 {"127.4", TACO_INT8, 127},
                 {"127.5", TACO_INT8, INT64_MIN},
                 {"-1", TACO_UINT8, INT64_MIN},
                 {"1.255", TACO_DECIMAL, 126},
                 {"-1.255", TACO_DECIMAL, -126},
                 {"1e2", TACO_DECIMAL, 10000},
                 {"9999999.994", TACO_DECIMAL, 999999999},
                 {"9999999.995", TACO_DECIMAL, INT64_MIN},
                 {"t", TACO_BOOL, 1},
                 {"No", TACO_BOOL, 0},
                 {"on", TACO_BOOL, INT64_MIN},
                 {"2020-1-1", TACO_DATE, 18262},
                 {"2020/01/01", TACO_DATE, 18262},
                 {"1970-01-01 10:00", TACO_DATE, 0},
                 {"2019-02-29", TACO_DATE, INT64_MIN},
                 {"20200101", TACO_DATE, INT64_MIN},
                 {"10:00:01.5", TACO_TIME, 36001500000},
                 {"24:00:00", TACO_TIME, 86400000000},
                 {"25:00", TACO_TIME, INT64_MIN},
                 {"1970-01-01 00:00:00.1234567", TACO_TIMESTAMP, 123456},
                 {"1970-01-02", TACO_TIMESTAMP, 86400000000},
                 {"1970-01-01T24:00:00", TACO_TIMESTAMP, 86400000000},
                 {"1970-01-01 10", TACO_TIMESTAMP, INT64_MIN},
                 {"1970-01-01 00:00:00 UTC", TACO_TIMESTAMP, 0},
                 {"1970-01-01 00:00:60", TACO_TIMESTAMP, INT64_MIN},
                 {"1970-01-01 00:00 x", TACO_TIMESTAMP, INT64_MIN}};

    taco__scalar v;
    size_t i;
    for (i = 0; i < TACO__COUNT(exact); i++) {
        bool ok = cast(exact[i].text, exact[i].type, &v);
        if (ok != (exact[i].want != INT64_MIN) || (ok && (int64_t)v.d.w[0] != exact[i].want)) {
            printf("cast '%s' to %s: %d\n", exact[i].text, taco__scalar_type_name(exact[i].type),
                   ok);
            CHECK(false);
        }
    }
    CHECK(cast(" -1.5 ", TACO_DOUBLE, &v) && v.f == -1.5);
    CHECK(cast("1_0.5", TACO_DOUBLE, &v) && v.f == 10.5);
    CHECK(cast("NaN", TACO_DOUBLE, &v) && v.f != v.f);
    CHECK(cast("-inf", TACO_FLOAT, &v) && v.f < -1e308);
    CHECK(!cast("1.5f", TACO_DOUBLE, &v) && !cast("", TACO_DOUBLE, &v) &&
          !cast("--1", TACO_DOUBLE, &v));
    CHECK(cast("0.1", TACO_FLOAT, &v) && v.f == (double)(float)0.1f);
    CHECK(cast("a\\xFF", TACO_BINARY, &v) && v.b.len == 2 && v.b.data[1] == 0xFF);
    CHECK(!cast("\xC3\xA9", TACO_BINARY, &v) && !cast("\\n", TACO_BINARY, &v));
    CHECK(cast("0011-22334455-66778899AABBCCDDEEFF", TACO_UUID, &v) && v.b.len == 16 &&
          v.b.data[15] == 0xFF);
}

static void decimal_to_double(void)
{
    static const struct {
        const char *digits;
        int32_t scale;
        double want;
    } cases[] = {{"1", 1, 0.1},
                 {"4336456836623859", 16, 0.4336456836623859},
                 {"12345678901234567890", 2, 123456789012345678.90},
                 {"9007199254740993", 0, 9007199254740992.0},
                 {"-150", 2, -1.5},
                 {"0", 38, 0}};

    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        taco__i256 d;
        CHECK(taco__scalar_parse_exact(taco__bytes_text(cases[i].digits), 0, &d));
        CHECK(taco__scalar_decimal_to_double(&d, cases[i].scale, false) == cases[i].want);
    }
}

static void statistics(void)
{
    taco_field f;
    taco__scalar v;
    memset(&f, 0, sizeof f);
    f.type = TACO_INT32;
    CHECK(taco__scalar_from_statistics(&f, 1, taco__bytes_of("\xFE\xFF\xFF\xFF", 4), &v) &&
          (int64_t)v.d.w[0] == -2);
    CHECK(!taco__scalar_from_statistics(&f, 1, taco__bytes_of("\xFE\xFF\xFF", 3), &v));
    CHECK(!taco__scalar_from_statistics(&f, 2, taco__bytes_of("\0\0\0\0\0\0\0\0", 8), &v));
    CHECK(!taco__scalar_from_statistics(&f, 77, taco__bytes_of("\0\0\0\0", 4), &v));
    f.type = TACO_UINT32;
    CHECK(taco__scalar_from_statistics(&f, 1, taco__bytes_of("\xFE\xFF\xFF\xFF", 4), &v) &&
          v.d.w[0] == 4294967294U);
    f.type = TACO_INT8; /* a bound the narrow type cannot hold orders nothing */
    CHECK(taco__scalar_from_statistics(&f, 1, taco__bytes_of("\x7F\0\0\0", 4), &v));
    CHECK(!taco__scalar_from_statistics(&f, 1, taco__bytes_of("\x80\0\0\0", 4), &v));
    f.type = TACO_DOUBLE;
    CHECK(taco__scalar_from_statistics(&f, 5, taco__bytes_of("\0\0\0\0\0\0\xF0\x3F", 8), &v) &&
          v.f == 1.0);
    CHECK(!taco__scalar_from_statistics(&f, 5, taco__bytes_of("\0\0\0\0\0\0\xF8\x7F", 8),
                                        &v)); /* NaN */
    f.type = TACO_HALF;
    CHECK(taco__scalar_from_statistics(&f, 7, taco__bytes_of("\0\x3C", 2), &v) && v.f == 1.0);
    f.type = TACO_DECIMAL;
    f.scale = 2;
    CHECK(taco__scalar_from_statistics(&f, 7, taco__bytes_of("\xFF\x6A", 2), &v) &&
          (int64_t)v.d.w[0] == -150 && v.type.scale == 2);
    CHECK(taco__scalar_from_statistics(&f, 2, taco__bytes_of("\x05\0\0\0\0\0\0\0", 8), &v) &&
          v.d.w[0] == 5);
    f.type = TACO_TEXT;
    CHECK(taco__scalar_from_statistics(&f, 6, taco__bytes_of("ab", 2), &v) && v.b.len == 2);
    f.type = TACO_UUID;
    f.width = 16;
    CHECK(!taco__scalar_from_statistics(&f, 7, taco__bytes_of("ab", 2), &v));
    f.type = TACO_INT96;
    CHECK(!taco__scalar_from_statistics(&f, 3, taco__bytes_of("abcdefghijkl", 12), &v));
}

/* ---- constructors, custom conditions, sharing ---- */

static bool odd_first(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                      uint8_t *valid_bits, taco_error *err)
{
    size_t i;
    (void)err;
    (*(int *)ctx)++;
    CHECK(a->dictionary == NULL);
    for (i = 0; i < rows; i++) {
        size_t len = (size_t)(a->offsets[i + 1] - a->offsets[i]);
        if (len & 1) { taco__bitmap_set(true_bits, i); }
        if (len == 0) { taco__bitmap_clear(valid_bits, i); }
    }
    return true;
}

static unsigned never(void *ctx, const taco__column_stats *range)
{
    (void)ctx;
    (void)range;
    return TACO__MAY_FALSE;
}

static taco__expr *expr_not(taco__arena *arena, taco__expr *child, taco_error *err)
{
    taco__expr *e = child ? taco__expr_make(arena, TACO__PRED_NOT, child->at, err) : NULL;
    if (e) { taco__expr_append_child(e, child); }
    return e;
}

static void constructors(void)
{
    taco__mem m;
    taco__arena a;
    taco_error err;
    const taco_array *columns[40];
    uint8_t used[5] = {0}, bits[1];
    taco__expr *e;
    taco__custom_predicate custom;
    taco__column_stats ranges[40];
    int calls = 0;
    size_t i;
    make_table();
    memset(&err, 0, sizeof err);
    taco__mem_init(&m, NULL);
    a.mem = &m;
    a.head = NULL;
    for (i = 0; i < column_count; i++) {
        columns[i] = &arrays[i];
    }
    e = taco__expr_and(
        &a, NULL,
        taco__expr_range_i64(&a, column_named("ts"), 0, true, 1577836800000000, true, &err), &err);
    e = taco__expr_and(
        &a, e, taco__expr_equals(&a, column_named("sd"), taco__bytes_text("test"), &err), &err);
    CHECK(taco__pred_bind(e, fields, column_count, &a, &err));
    CHECK(taco__pred_eval(e, columns, ROWS, bits, &m, &err) && bits[0] == 0x02);
    taco__expr_mark_columns(e, used);
    CHECK(taco__bitmap_get(used, column_named("ts")) &&
          taco__bitmap_get(used, column_named("sd")) && !taco__bitmap_get(used, 0));
    CHECK(!taco__pred_bind(e, fields, column_count, &a, &err) && err.code == TACO_ERR_STATE);
    memset(&err, 0, sizeof err);

    memset(&custom, 0, sizeof custom);
    custom.ctx = &calls;
    custom.eval = odd_first;
    custom.prune = never;
    e = taco__expr_custom(&a, column_named("s"), &custom, &err); /* a b AB '' abc x%y NULL zz */
    CHECK(taco__pred_bind(e, fields, column_count, &a, &err));
    CHECK(taco__pred_eval(e, columns, ROWS, bits, &m, &err) && bits[0] == 0x33);
    e = expr_not(&a, e, &err);
    e->bound = true;
    CHECK(taco__pred_eval(e, columns, ROWS, bits, &m, &err) &&
          bits[0] == 0x84); /* '' and NULL are neither */
    e = taco__expr_custom(&a, column_named("sd"), &custom,
                          &err); /* train test val train test val NULL xyz */
    CHECK(taco__pred_bind(e, fields, column_count, &a, &err));
    CHECK(taco__pred_eval(e, columns, ROWS, bits, &m, &err) && bits[0] == 0xAD);
    CHECK(calls == 3);
    memset(ranges, 0, sizeof ranges);
    CHECK(taco__pred_prune(e, ranges) == TACO__MAY_FALSE);

    e = taco__expr_range_i64(&a, column_named("s"), 0, true, 1, true, &err);
    CHECK(!taco__pred_bind(e, fields, column_count, &a, &err));
    CHECK_TEXT(err.text, "column 's' is TEXT, was given a range of integers");
    memset(&err, 0, sizeof err);
    e = taco__expr_equals(&a, 99, taco__bytes_text("x"), &err);
    CHECK(!taco__pred_bind(e, fields, column_count, &a, &err) && err.code == TACO_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    e = taco__expr_equals(&a, column_named("s"), taco__bytes_text("x"), &err);
    CHECK(!taco__pred_eval(e, columns, ROWS, bits, &m, &err) && err.code == TACO_ERR_STATE);
    memset(&err, 0, sizeof err);
    CHECK(taco__pred_bind(e, fields, column_count, &a, &err));
    columns[column_named("s")] = NULL;
    CHECK(!taco__pred_eval(e, columns, ROWS, bits, &m, &err) && err.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "the condition needs column 's' as TEXT with 8 rows");
    taco__arena_free(&a);
    CHECK(m.used == 0);
}

/* ---- kernels ---- */

static uint64_t seed = 88172645463325252u;

static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

#ifndef TACO_SMALL
static void kernels(void)
{
    static int64_t x[1000];
    static double d[1000];
    uint64_t got[16], want[16];
    int round;
    for (round = 0; round < 300; round++) {
        size_t n = (size_t)(rnd() % 1000), i;
        int64_t lo = (int64_t)rnd() >> rnd() % 64, hi = (int64_t)rnd() >> rnd() % 64, t;
        volatile double least = (double)(int64_t)(rnd() % 100) / 10, most = least + 2;
        double f = least, g = most; /* as stored: the x87 computes wider */
        cpu_lacks = round % 2 ? "avx2" : "";
        if (lo > hi) {
            t = lo;
            lo = hi;
            hi = t;
        }
        for (i = 0; i < n; i++) {
            x[i] = rnd() % 8 ? (int64_t)rnd() >> rnd() % 64 : rnd() % 2 ? lo : hi;
            d[i] = rnd() % 8 ? (double)(int64_t)(rnd() % 200) / 10 - 5
                             : taco__f64_from_bits((uint64_t)0x7FF8 << 48);
        }
        memset(want, 0, sizeof want);
        for (i = 0; i < n; i++) {
            want[i / 64] |= (uint64_t)(x[i] >= lo && x[i] <= hi) << i % 64;
        }
        taco__pred_kernel_range_i64(x, n, got, lo, hi);
        CHECK(memcmp(got, want, (n + 63) / 64 * 8) == 0);
        taco__pred_kernel_in_i64(x, n, got, lo, hi);
        CHECK(memcmp(got, want, (n + 63) / 64 * 8) == 0);
        memset(want, 0, sizeof want);
        for (i = 0; i < n; i++) {
            want[i / 64] |= (uint64_t)(d[i] >= f && d[i] <= g) << i % 64;
        }
        taco__pred_kernel_range_f64(d, n, got, f, g);
        CHECK(memcmp(got, want, (n + 63) / 64 * 8) == 0);
        taco__pred_kernel_in_f64(d, n, got, f, g);
        CHECK(memcmp(got, want, (n + 63) / 64 * 8) == 0);
        memset(want, 0, sizeof want);
        for (i = 0; i < n; i++) {
            want[i / 64] |= (uint64_t)(d[i] >= f || d[i] != d[i]) << i % 64;
        }
        taco__pred_kernel_at_least_f64(d, n, got, f);
        CHECK(memcmp(got, want, (n + 63) / 64 * 8) == 0);
        taco__pred_kernel_from_f64(d, n, got, f);
        CHECK(memcmp(got, want, (n + 63) / 64 * 8) == 0);
    }
}
#endif

/* ---- pruning is sound: no row's result is outside the verdict ---- */

#define GROUP 6
static char *prune_text(char *p, int depth);
static const char *const prune_columns[] = {"i", "u", "d", "t", "c"};

static char *prune_literal(char *p, int column)
{
    static const char *const texts[] = {"''", "'a'", "'ab'", "'abc'", "'b'", "'zz'"};
    switch (column) {
    case 0: return p + sprintf(p, "%d", (int)(rnd() % 9) - 4);
    case 1: return p + sprintf(p, "%u", (unsigned)(rnd() % 6));
    case 2: return p + sprintf(p, rnd() % 8 ? "%d.5" : "'nan'", (int)(rnd() % 5) - 2);
    case 3: return p + sprintf(p, "%s", texts[rnd() % 6]);
    default: return p + sprintf(p, "%d.%d", (int)(rnd() % 5) - 2, (int)(rnd() % 10));
    }
}

static char *prune_atom(char *p)
{
    static const char *const ops[] = {
        "=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"};
    static const char *const pats[] = {"a%", "%b", "%", "ab", "_b%", "b_", "a%c", ""};
    int c = (int)(rnd() % 5);
    const char *not_ = rnd() % 2 ? "NOT " : "";
    switch (rnd() % 6) {
    case 0: return p + sprintf(p, "%s IS %sNULL", prune_columns[c], not_);
    case 1:
        p += sprintf(p, "%s %sBETWEEN ", prune_columns[c], not_);
        p = prune_literal(p, c);
        p += sprintf(p, " AND ");
        return prune_literal(p, c);
    case 2:
        p += sprintf(p, "%s %sIN (", prune_columns[c], not_);
        p = prune_literal(p, c);
        p += sprintf(p, ", ");
        p = rnd() % 4 ? prune_literal(p, c) : p + sprintf(p, "NULL");
        return p + sprintf(p, ")");
    case 3: return p + sprintf(p, "t %sLIKE '%s'", not_, pats[rnd() % 8]);
    default:
        p += sprintf(p, "%s %s ", prune_columns[c], ops[rnd() % 8]);
        return prune_literal(p, c);
    }
}

static char *prune_text(char *p, int depth)
{
    uint64_t r = rnd() % 8;
    if (depth > 2 || r < 3) { return prune_atom(p); }
    if (r == 3) {
        p += sprintf(p, "NOT (");
        p = prune_text(p, depth + 1);
        return p + sprintf(p, ")");
    }
    if (r == 4) {
        p += sprintf(p, "(");
        p = prune_text(p, depth + 1);
        return p + sprintf(p, ") IS %s", rnd() % 2 ? "TRUE" : "NOT FALSE");
    }
    p += sprintf(p, "(");
    p = prune_text(p, depth + 1);
    p += sprintf(p, r & 1 ? ") AND (" : ") OR (");
    p = prune_text(p, depth + 1);
    return p + sprintf(p, ")");
}

static void pruning(void)
{
    static const char *const words[] = {"", "a", "ab", "abc", "abd", "b", "ba", "zz"};
    int round, decided = 0, all = 0;
    for (round = 0; round < 6000; round++) {
        int64_t vi[GROUP];
        uint64_t vu[GROUP];
        double vd[GROUP];
        uint8_t vc[GROUP * 16], valid[5][1], yes[1] = {0}, no[1] = {0};
        int32_t vo[GROUP + 1];
        char vt[64], text[4096], inverse[4200];
        taco_field f[5];
        taco_array a[5];
        const taco_array *columns[5];
        taco__column_stats r[5];
        taco__mem m;
        taco__arena arena;
        taco_error err;
        taco__expr *e, *n;
        size_t i, c;
        unsigned may, seen = 0;
        int64_t base = (int64_t)(rnd() % 5) - 2, span = (int64_t)(rnd() % 3) + 1;
        memset(f, 0, sizeof f);
        memset(a, 0, sizeof a);
        memset(r, 0, sizeof r);
        memset(&err, 0, sizeof err);
        vo[0] = 0;
        for (c = 0; c < 5; c++) {
            static const taco_type types[] = {TACO_INT64, TACO_UINT64, TACO_DOUBLE, TACO_TEXT,
                                              TACO_DECIMAL};
            uint64_t how = rnd() % 4;
            f[c].name = prune_columns[c];
            f[c].type = types[c];
            f[c].width = c == 3 ? 0 : c == 4 ? 16 : 8;
            f[c].precision = 18;
            f[c].scale = 1;
            valid[c][0] = (uint8_t)(how == 0 ? rnd() : how == 1 ? 0 : 0xFF);
            a[c].field = &f[c];
            a[c].length = GROUP;
            a[c].validity = valid[c];
            columns[c] = &a[c];
        }
        memset(vc, 0, sizeof vc);
        for (i = 0; i < GROUP; i++) {
            const char *w = words[rnd() % 8];
            int64_t x = (int64_t)(rnd() % 60) - 30;
            vi[i] = base + (int64_t)(rnd() % (uint64_t)span);
            vu[i] = rnd() % 4;
            vd[i] = rnd() % 6 ? (double)(base + (int64_t)(rnd() % (uint64_t)span)) + 0.5
                              : taco__f64_from_bits((uint64_t)0x7FF8 << 48);
            memcpy(vt + vo[i], w, strlen(w));
            vo[i + 1] = vo[i] + (int32_t)strlen(w);
            taco__put_le64(vc + i * 16, (uint64_t)x);
            taco__put_le64(vc + i * 16 + 8, x < 0 ? UINT64_MAX : 0);
        }
        a[0].v.i64 = vi;
        a[1].v.u64 = vu;
        a[2].v.f64 = vd;
        a[3].v.any = vt;
        a[3].offsets = vo;
        a[4].v.u8 = vc;
        for (c = 0; c < 5; c++) { /* the statistics of those rows */
            taco__compare_domain dom = taco__scalar_domain_of(f[c].type);
            r[c].row_count = rnd() % 8 ? GROUP : -1;
            for (i = 0; i < GROUP; i++) {
                taco__pred_operand s;
                taco__expr col;
                taco__scalar v;
                memset(&s, 0, sizeof s);
                memset(&col, 0, sizeof col);
                col.kind = TACO__PRED_COLUMN;
                col.type = taco__scalar_type_of_field(&f[c]);
                s.e = &col;
                s.a = s.plain = &a[c];
                if (!taco__bitmap_get(valid[c], i)) {
                    r[c].null_count++;
                    continue;
                }
                v = taco__pred_compare_operand_scalar(&s, i);
                if (c == 2 && v.f != v.f) { continue; }
                if (!r[c].has_min || taco__scalar_compare(dom, &v, &r[c].min) < 0) { r[c].min = v; }
                if (!r[c].has_min || taco__scalar_compare(dom, &v, &r[c].max) > 0) { r[c].max = v; }
                r[c].has_min = r[c].has_max = true;
            }
            if (c == 3 && r[c].has_max &&
                rnd() % 3 == 0) { /* cut bounds: shorter below, longer above */
                r[c].min.b.len = r[c].min.b.len ? 1 : 0;
                r[c].max.b = taco__bytes_text("zzz");
            }
            if (rnd() % 8 == 0) { r[c].has_max = false; }
            if (rnd() % 8 == 0) { r[c].has_min = false; }
            if (rnd() % 8 == 0) { r[c].null_count = -1; }
        }
        prune_text(text, 0);
        snprintf(inverse, sizeof inverse, "NOT (%s)", text);
        taco__mem_init(&m, NULL);
        arena.mem = &m;
        arena.head = NULL;
        e = taco__pred_parse(&arena, text, strlen(text), NULL, &err);
        n = taco__pred_parse(&arena, inverse, strlen(inverse), NULL, &err);
        if (!e || !n || !taco__pred_bind(e, f, 5, &arena, &err) ||
            !taco__pred_bind(n, f, 5, &arena, &err) ||
            !taco__pred_eval(e, columns, GROUP, yes, &m, &err) ||
            !taco__pred_eval(n, columns, GROUP, no, &m, &err)) {
            printf("%s: %s\n", text, err.text);
            CHECK(false);
        } else {
            may = taco__pred_prune(e, r);
            for (i = 0; i < GROUP; i++) {
                seen |= taco__bitmap_get(yes, i)  ? TACO__MAY_TRUE
                        : taco__bitmap_get(no, i) ? TACO__MAY_FALSE
                                                  : TACO__MAY_NULL;
            }
            if ((seen & ~may) || (yes[0] & no[0])) {
                printf("%s: verdict %u, rows %u\n", text, may, seen);
                CHECK(false);
            }
            decided += !(may & TACO__MAY_TRUE);
            all += may == TACO__MAY_TRUE;
        }
        taco__arena_free(&arena);
        CHECK(m.used == 0);
    }
    CHECK(decided > 600 && all > 200); /* and not by answering "maybe" */
}

int main(void)
{
    RUN(integers);
    RUN(floats);
    RUN(decimals);
    RUN(times);
    RUN(texts);
    RUN(patterns);
    RUN(like_edges);
    RUN(like_random);
    RUN(like_limit);
    RUN(like_zero_bytes);
    RUN(logic);
    RUN(precedence);
    RUN(syntax);
    RUN(names);
    RUN(limits);
    RUN(wide_integers);
    RUN(common_integers);
    RUN(casts);
    RUN(decimal_to_double);
    RUN(statistics);
    RUN(constructors);
#ifndef TACO_SMALL
    RUN(kernels);
#endif
    RUN(pruning);
    RUN(out_of_memory);
    return test_end("test_expr");
}
