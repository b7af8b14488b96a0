/* Common types of the columns of several datasets, as in DuckDB's UNION ALL BY NAME, and values
   cast to them; each again with every allocation failing. */
#include "places.h"
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../src/dataset/container.h"
#include "../taco_parquet.h"

#include <math.h>

static taco__mem mem;
static taco__arena arena;

static taco_field of(taco_type type, int32_t width)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = "c";
    f.type = type;
    f.width = width;
    return f;
}

static taco_field decimal(int32_t precision, int32_t scale)
{
    taco_field f = of(TACO_DECIMAL, precision > 38 ? 32 : 16);
    f.precision = precision;
    f.scale = scale;
    return f;
}

static taco_field ticks(taco_type type, taco_unit unit, bool utc)
{
    taco_field f = of(type, 8);
    f.unit = unit;
    f.utc = utc;
    return f;
}

static taco_field with(taco_type type, const taco_field *children, uint32_t n)
{
    taco_field f = of(type, 0);
    f.children = children;
    f.child_count = n;
    return f;
}

static taco_array rows(const taco_field *f, const void *values, size_t n)
{
    taco_array a;
    memset(&a, 0, sizeof a);
    a.field = f;
    a.length = n;
    a.v.any = values;
    return a;
}

/* The same cast, in which the n-th allocation fails, for every n: an error says so, and no memory is
   lost. */
static void cast_without_memory(const taco_array *a, const taco_field *other)
{
    size_t n;
    for (n = 1;; n++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        test_memory m;
        taco_allocator allocator;
        taco_options options;
        taco__mem own;
        taco__arena some;
        taco_field both;
        taco_array to;
        bool ok;
        test_counted(&options, &allocator, &m);
        m.fail_at = n;
        taco__mem_init(&own, &options);
        memset(&some, 0, sizeof some);
        some.mem = &own;
        ok = taco__unify_type(&some, a->field, other, &both, &e) &&
             taco__unify_cast_array(&some, &both, a, &to, &e);
        taco__arena_free(&some);
        CHECK(m.live == 0 && own.used == 0);
        if (m.calls < n) { break; }
        CHECK(!ok && e.code == TACO_ERR_MEMORY);
    }
}

/* Values of `a`, whose column is `other` in another dataset, in the type that both have in common;
   or what is wrong. */
static const char *cast(const taco_array *a, const taco_field *other)
{
    static char out[600];
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_field *both = (taco_field *)taco__arena_alloc(&arena, sizeof *both, NULL);
    taco_array to;
    taco__buf b;
    size_t i;
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    cast_without_memory(a, other);
    if (!taco__unify_type(&arena, a->field, other, both, &e)) { return "no type"; }
    if (taco__unify_cast_array(&arena, both, a, &to, &e)) {
        for (i = 0; i < to.length; i++) {
            CHECK((!i || taco__buf_append_char(&b, ' ', &e)) && taco__cell_json(&b, &to, i, &e));
        }
    }
    snprintf(out, sizeof out, "%.*s", (int)b.len, b.data ? (const char *)b.data : "");
    if (e.code != TACO_OK) { snprintf(out, sizeof out, "%s", e.text); }
    taco__buf_free(&b);
    return out;
}

static void integers(void)
{
    static const int8_t small[] = {-128, 0, 127};
    static const uint8_t some = 5; /* the second is null */
    static const uint32_t wide[] = {0, 4294967295U};
    static const int64_t big[] = {INT64_MIN, INT64_MAX, 9007199254740993};
    static const uint64_t most[] = {UINT64_MAX};
    taco_field i8 = of(TACO_INT8, 1), u8 = of(TACO_UINT8, 1), i16 = of(TACO_INT16, 2),
               i32 = of(TACO_INT32, 4), i64 = of(TACO_INT64, 8), u32 = of(TACO_UINT32, 4),
               u64 = of(TACO_UINT64, 8), f32 = of(TACO_FLOAT, 4), f64 = of(TACO_DOUBLE, 8),
               text = of(TACO_TEXT, 0);
    taco_array a = rows(&i8, small, 3);
    CHECK_TEXT(cast(&a, &u8), "-128 0 127");
    CHECK_TEXT(cast(&a, &i32), "-128 0 127");
    CHECK_TEXT(cast(&a, &i64), "-128 0 127");
    CHECK_TEXT(cast(&a, &f32), "-128.0 0.0 127.0");
    CHECK_TEXT(cast(&a, &u64), "\"-128\" \"0\" \"127\"");
    CHECK_TEXT(cast(&a, &text), "\"-128\" \"0\" \"127\"");
    a.validity = &some;
    CHECK_TEXT(cast(&a, &i16), "-128 null 127");
    CHECK_TEXT(cast(&a, &f64), "-128.0 null 127.0");
    CHECK_TEXT(cast(&a, &text), "\"-128\" null \"127\"");
    a = rows(&u32, wide, 2);
    CHECK_TEXT(cast(&a, &i8), "0 4294967295");
    a = rows(&i64, big, 3);
    CHECK_TEXT(cast(&a, &f64), "-9.223372036854776e+18 9.223372036854776e+18 9007199254740992.0");
    a = rows(&u64, most, 1);
    CHECK_TEXT(cast(&a, &i8), "\"18446744073709551615\"");
    CHECK_TEXT(cast(&a, &f64), "1.8446744073709552e+19");
}

static void decimals(void)
{
    /* 12.34 and -0.05, in 16 bytes */
    static const uint8_t bytes[32] = {0xD2, 0x04, 0,    0,    0,    0,    0,    0,
                                      0,    0,    0,    0,    0,    0,    0,    0,
                                      0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    /* 10^21, and 2^120 */
    static const uint8_t hundred[16] = {0, 0, 0xA0, 0xDE, 0xC5, 0xAD, 0xC9, 0x35, 0x36};
    static const uint8_t most[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    static const int32_t numbers[] = {7, -8};
    static const int64_t big[] = {INT64_MAX};
    static const uint8_t second = 2; /* of two has a value */
    taco_field two = decimal(10, 2), one = decimal(5, 1), deep = decimal(38, 30),
               wide = decimal(40, 0), widest = decimal(76, 76), beyond = decimal(77, 0),
               full = decimal(38, 37), i32 = of(TACO_INT32, 4), i64 = of(TACO_INT64, 8),
               f64 = of(TACO_DOUBLE, 8), f32 = of(TACO_FLOAT, 4), boolean = of(TACO_BOOL, 1);
    taco_array a = rows(&two, bytes, 2);
    CHECK_TEXT(cast(&a, &one), "\"12.34\" \"-0.05\"");
    CHECK_TEXT(cast(&a, &deep),
               "\"12.340000000000000000000000000000\" \"-0.050000000000000000000000000000\"");
    CHECK_TEXT(cast(&a, &wide), "\"12.34\" \"-0.05\"");
    CHECK_TEXT(cast(&a, &f64), "12.34 -0.05");
    CHECK_TEXT(cast(&a, &f32), "12.34 -0.05");
    CHECK_TEXT(cast(&a, &i32), "\"12.34\" \"-0.05\"");
    CHECK_TEXT(cast(&a, &boolean), "\"12.34\" \"-0.05\"");
    CHECK_TEXT(cast(&a, &beyond), "no type");
    a = rows(&i32, numbers, 2);
    CHECK_TEXT(cast(&a, &two), "\"7.00\" \"-8.00\"");
    CHECK_TEXT(cast(&a, &widest), "column 'c': value 0 of a batch does not fit the DECIMAL(76, 76) "
                                  "of all datasets");
    a = rows(&i64, big, 1);
    CHECK_TEXT(cast(&a, &full),
               "column 'c': value 0 of a batch does not fit the DECIMAL(38, 37) of "
               "all datasets");
    /* of the digits behind the point those are kept for which the others leave room */
    a = rows(&one, bytes, 1);
    CHECK_TEXT(cast(&a, &full), "\"123.4000000000000000000000000000000000\"");
    /* but none of a value's are lost; a null is not looked at */
    full = decimal(38, 37);
    one = decimal(20, 1);
    a = rows(&full, bytes, 2);
    CHECK_TEXT(cast(&a, &one), "column 'c': value 0 of a batch does not fit the DECIMAL(38, 19) of "
                               "all datasets");
    a = rows(&full, hundred, 1);
    CHECK_TEXT(cast(&a, &one), "\"0.0000000000000001000\"");
    /* DECIMAL(38, 0) is an integer, which leaves the scale to the other */
    one = decimal(38, 0);
    a = rows(&two, bytes, 2);
    a.validity = &second;
    CHECK_TEXT(cast(&a, &one), "null \"-0.05\"");
    a = rows(&one, bytes, 1);
    CHECK_TEXT(cast(&a, &two), "\"1234.00\"");
    a = rows(&one, most, 1);
    CHECK_TEXT(cast(&a, &two), "column 'c': value 0 of a batch does not fit the DECIMAL(38, 2) of "
                               "all datasets");
    /* only digits after the point, and BOOL, which needs none before it */
    full = decimal(5, 5);
    a = rows(&full, bytes, 1);
    CHECK_TEXT(cast(&a, &boolean), "\"0.01234\"");
}

/* The type of three datasets is found two at a time, in any order. */
static void three(void)
{
    taco_field f[3];
    size_t i;
    f[0] = of(TACO_INT64, 8);
    f[1] = of(TACO_UINT64, 8);
    f[2] = decimal(10, 2);
    for (i = 0; i < 6; i++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        size_t a = i / 2, b = (a + 1 + i % 2) % 3;
        taco_field both, all;
        CHECK(taco__unify_type(&arena, &f[a], &f[b], &both, &e) &&
              taco__unify_type(&arena, &both, &f[3 - a - b], &all, &e));
        CHECK(all.type == TACO_DECIMAL && all.scale == 2 && all.precision >= 22);
    }
}

static void times(void)
{
    static const int64_t seconds[] = {0, -1, 1600000000}, far[] = {INT64_MAX / 1000},
                         long_ago[] = {INT64_MIN / 1000};
    static const uint8_t last = 4;
    static const int64_t edges[] = {INT64_MAX / 1000000, INT64_MAX / 1000000 + 1,
                                    INT64_MIN / 1000000, INT64_MIN / 1000000 - 1};
    static const int32_t days[] = {0, 18262};
    size_t i;
    taco_field s = ticks(TACO_TIMESTAMP, TACO_SECOND, false),
               ms = ticks(TACO_TIMESTAMP, TACO_MILLI, true),
               us = ticks(TACO_TIMESTAMP, TACO_MICRO, true),
               ns = ticks(TACO_TIMESTAMP, TACO_NANO, false), date = of(TACO_DATE, 4),
               text = of(TACO_TEXT, 0), tod = ticks(TACO_TIME, TACO_MILLI, false),
               todus = ticks(TACO_TIME, TACO_MICRO, false);
    taco_array a = rows(&s, seconds, 3);
    CHECK_TEXT(cast(&a, &us), "\"1970-01-01T00:00:00.000000Z\" \"1969-12-31T23:59:59.000000Z\" "
                              "\"2020-09-13T12:26:40.000000Z\"");
    CHECK_TEXT(cast(&a, &ns), "\"1970-01-01T00:00:00.000000000\" \"1969-12-31T23:59:59.000000000\" "
                              "\"2020-09-13T12:26:40.000000000\"");
    CHECK_TEXT(cast(&a, &text), "\"1970-01-01 00:00:00\" \"1969-12-31 23:59:59\" "
                                "\"2020-09-13 12:26:40\"");
    a = rows(&ms, seconds, 3);
    CHECK_TEXT(cast(&a, &text), "\"1970-01-01 00:00:00+00\" \"1969-12-31 23:59:59.999+00\" "
                                "\"1970-01-19 12:26:40+00\"");
    CHECK_TEXT(cast(&a, &s), "\"1970-01-01T00:00:00.000Z\" \"1969-12-31T23:59:59.999Z\" "
                             "\"1970-01-19T12:26:40.000Z\"");
    a = rows(&s, far, 1);
    CHECK_TEXT(cast(&a, &us), "column 'c': the time 9223372036854775 does not fit the unit of the "
                              "other datasets");
    a = rows(&date, days, 2);
    CHECK_TEXT(cast(&a, &ms), "\"1970-01-01T00:00:00.000Z\" \"2020-01-01T00:00:00.000Z\"");
    CHECK_TEXT(cast(&a, &text), "\"1970-01-01\" \"2020-01-01\"");
    CHECK_TEXT(cast(&a, &tod), "no type");
    a = rows(&todus, seconds, 1);
    CHECK_TEXT(cast(&a, &tod), "\"00:00:00.000000\"");
    a = rows(&tod, seconds, 1);
    CHECK_TEXT(cast(&a, &todus), "\"00:00:00.000000\"");
    a = rows(&s, long_ago, 1);
    CHECK_TEXT(cast(&a, &us), "column 'c': the time -9223372036854775 does not fit the unit of the "
                              "other datasets");
    for (i = 0; i < 4; i++) { /* the last that fit, and the first that do not */
        a = rows(&s, edges + i, 1);
        CHECK((strncmp(cast(&a, &us), "column 'c': ", 12) == 0) == (i % 2 == 1));
    }
    a = rows(&s, seconds, 3);
    a.validity = &last;
    CHECK_TEXT(cast(&a, &ms), "null null \"2020-09-13T12:26:40.000Z\"");
    CHECK_TEXT(cast(&a, &text), "null null \"2020-09-13 12:26:40\"");
}

/* Which differences make another type, and which columns may be null. */
static void alike(void)
{
    taco_field a = ticks(TACO_TIME, TACO_MICRO, false), b = ticks(TACO_TIME, TACO_MICRO, true), out;
    CHECK(taco__unify_same_type(&a, &b)); /* a time of day has no zone */
    a.type = b.type = TACO_TIMESTAMP;
    CHECK(!taco__unify_same_type(&a, &b));
    a = ticks(TACO_INT64, TACO_MICRO, false);
    b = ticks(TACO_INT64, TACO_SECOND, false); /* which means nothing */
    CHECK(taco__unify_same_type(&a, &b));
    a = of(TACO_FIXED, 3);
    b = of(TACO_FIXED, 4);
    CHECK(!taco__unify_type(&arena, &a, &b, &out, NULL));
    a = of(TACO_INT8, 1);
    b = of(TACO_INT8, 1);
    CHECK(taco__unify_type(&arena, &a, &b, &out, NULL) && !out.nullable);
    b.nullable = true;
    CHECK(taco__unify_type(&arena, &a, &b, &out, NULL) && out.nullable);
    CHECK(taco__unify_type(&arena, &b, &a, &out, NULL) && out.nullable);
    b = of(TACO_NULL, 0);
    CHECK(taco__unify_type(&arena, &a, &b, &out, NULL) && out.nullable && out.type == TACO_INT8);
    CHECK(taco__unify_type(&arena, &b, &a, &out, NULL) && out.nullable && out.type == TACO_INT8);
    a = of(TACO_DATE, 4);
    b = ticks(TACO_TIMESTAMP, TACO_MICRO, true);
    b.name = "d";
    CHECK(taco__unify_type(&arena, &a, &b, &out, NULL) && !out.nullable && out.utc);
    CHECK_TEXT(out.name, "c");
    /* neither has items of a type */
    a = with(TACO_LIST, NULL, 0);
    b = of(TACO_INT8, 1);
    b = with(TACO_LIST, &b, 1);
    CHECK(!taco__unify_type(&arena, &a, &b, &out, NULL) &&
          !taco__unify_type(&arena, &b, &a, &out, NULL));
}

/* More rows than there can be bytes of. */
static void too_many(void)
{
    taco_field f = of(TACO_INT64, 8);
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_array a;
    CHECK(!taco__unify_null_array(&f, SIZE_MAX / 4, &a, &arena, &e));
    CHECK_TEXT(e.text, "out of memory");
}

/* Text as DuckDB writes it, of every kind of value; BINARY holds text, in either order. */
static void texts(void)
{
    static const float singles[] = {1.5F, -HUGE_VALF, HUGE_VALF, NAN};
    static const double doubles[] = {-0.25, NAN, -HUGE_VAL, HUGE_VAL};
    static const uint8_t bits = 5;
    static const int64_t micros[] = {0, 3723004000, 86399999999};
    static const int32_t offsets[] = {0, 1, 1, 3};
    static const uint8_t decimals_of[16] = {0x38, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                            0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    taco_field text = of(TACO_TEXT, 0), binary = of(TACO_BINARY, 0), f32 = of(TACO_FLOAT, 4),
               f64 = of(TACO_DOUBLE, 8), yes = of(TACO_BOOL, 1), none = of(TACO_NULL, 0),
               tod = ticks(TACO_TIME, TACO_MICRO, false), two = decimal(5, 2),
               i8 = of(TACO_INT8, 1), list = with(TACO_LIST, &i8, 1);
    taco_array a = rows(&f32, singles, 4);
    CHECK_TEXT(cast(&a, &text), "\"1.5\" \"-inf\" \"inf\" \"nan\"");
    a = rows(&f64, doubles, 4);
    CHECK_TEXT(cast(&a, &text), "\"-0.25\" \"nan\" \"-inf\" \"inf\"");
    a.field = &f64;
    CHECK_TEXT(cast(&a, &binary), "no type");
    a = rows(&yes, &bits, 3);
    CHECK_TEXT(cast(&a, &text), "\"true\" \"false\" \"true\"");
    CHECK_TEXT(cast(&a, &i8), "1 0 1");
    CHECK_TEXT(cast(&a, &f64), "1.0 0.0 1.0");
    a = rows(&tod, micros, 3);
    CHECK_TEXT(cast(&a, &text), "\"00:00:00\" \"01:02:03.004\" \"23:59:59.999999\"");
    a = rows(&two, decimals_of, 1);
    CHECK_TEXT(cast(&a, &text), "\"-2.00\"");
    a = rows(&text, "abc", 3);
    a.offsets = offsets;
    CHECK_TEXT(cast(&a, &i8), "\"a\" \"\" \"bc\"");
    CHECK_TEXT(cast(&a, &binary), "\"61\" \"\" \"6263\"");
    CHECK_TEXT(cast(&a, &none), "\"a\" \"\" \"bc\"");
    CHECK_TEXT(cast(&a, &list), "no type");
    a.field = &binary;
    CHECK_TEXT(cast(&a, &text), "\"61\" \"\" \"6263\"");
    CHECK_TEXT(cast(&a, &i8), "no type");
    a = rows(&none, NULL, 2); /* a column without values takes any type */
    CHECK_TEXT(cast(&a, &text), "null null");
    CHECK_TEXT(cast(&a, &list), "null null");
    CHECK_TEXT(cast(&a, &two), "null null");
}

static void nested(void)
{
    static const int8_t values[] = {1, 2, 3};
    static const int32_t offsets[] = {0, 2, 3};
    taco_field i8 = of(TACO_INT8, 1), f64 = of(TACO_DOUBLE, 8), text = of(TACO_TEXT, 0);
    taco_field date = of(TACO_DATE, 4), dates = with(TACO_LIST, &date, 1);
    taco_field bytes = with(TACO_LIST, &i8, 1), doubles = with(TACO_LIST, &f64, 1), left[2],
               right[2], entry, other, map, maps, a_struct, b_struct, three[3];
    taco_array item = rows(&i8, values, 3), list = rows(&bytes, NULL, 2), kids[2], pair, all;
    list.offsets = offsets;
    list.children = &item;
    CHECK_TEXT(cast(&list, &doubles), "[1.0,2.0] [3.0]");
    CHECK_TEXT(cast(&list, &text), "no type");
    CHECK_TEXT(cast(&list, &dates), "no type");

    /* keys and values go by place, whatever they are called */
    left[0] = left[1] = i8;
    right[0] = f64;
    right[1] = text;
    left[0].name = right[0].name = "key";
    left[1].name = "value";
    right[1].name = "Other";
    entry = with(TACO_STRUCT, left, 2);
    other = with(TACO_STRUCT, right, 2);
    map = with(TACO_MAP, &entry, 1);
    maps = with(TACO_MAP, &other, 1);
    kids[0] = rows(&left[0], values, 3);
    kids[1] = rows(&left[1], values, 3);
    pair = rows(&entry, NULL, 3);
    pair.children = kids;
    all = rows(&map, NULL, 2);
    all.offsets = offsets;
    all.children = &pair;
    CHECK_TEXT(cast(&all, &maps), "[[1.0,\"1\"],[2.0,\"2\"]] [[3.0,\"3\"]]");
    memcpy(three, right, sizeof right);
    three[2] = i8;
    other = with(TACO_STRUCT, three, 3);
    CHECK_TEXT(cast(&all, &maps), "no type");
    right[1] = date; /* with INT8 */
    other = with(TACO_STRUCT, right, 2);
    CHECK_TEXT(cast(&all, &maps), "no type");
    right[1] = text;

    /* fields of a STRUCT go by name, in any case; what one has not is null */
    left[0].name = "a";
    left[1].name = "b";
    right[0].name = "B";
    right[1].name = "c";
    a_struct = with(TACO_STRUCT, left, 2);
    b_struct = with(TACO_STRUCT, right, 2);
    pair.field = &a_struct;
    CHECK_TEXT(cast(&pair, &b_struct),
               "{\"a\":1,\"b\":1.0,\"c\":null} {\"a\":2,\"b\":2.0,\"c\":null} "
               "{\"a\":3,\"b\":3.0,\"c\":null}");
    right[0].name = "bb"; /* begins with a name that the other has */
    right[1].name = "a";
    CHECK_TEXT(cast(&pair, &b_struct), "{\"a\":\"1\",\"b\":1,\"bb\":null} "
                                       "{\"a\":\"2\",\"b\":2,\"bb\":null} "
                                       "{\"a\":\"3\",\"b\":3,\"bb\":null}");
    right[1] = date;
    right[1].name = "a";
    CHECK_TEXT(cast(&pair, &b_struct), "no type");
}

int main(void)
{
    places_exact = true;
    taco__mem_init(&mem, NULL);
    memset(&arena, 0, sizeof arena);
    arena.mem = &mem;
    RUN(integers);
    RUN(decimals);
    RUN(three);
    RUN(times);
    RUN(alike);
    RUN(too_many);
    RUN(texts);
    RUN(nested);
    taco__arena_free(&arena);
    return test_end("union");
}
