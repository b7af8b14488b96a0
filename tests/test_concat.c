/* Concatenating slices of arrays, with children whose columns differ in type (src/legacy). */
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../src/legacy/legacy.h"
#include "../taco_parquet.h"

#include "test.h"

static taco__mem mem;
static taco__arena arena;

static taco_field of(const char *name, taco_type type, int32_t width)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.width = width;
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

/* Rows [1, length) of a, two rows of nothing, and all of b, in the type of both. */
static const char *both(const taco_array *a, const taco_array *b)
{
    static char out[600];
    taco_error e = {0, TACO_OK, 0, {0}};
    taco__concat_slice p[3];
    taco_field f = *a->field;
    taco_array to;
    taco__buf text;
    size_t i;
    memset(&text, 0, sizeof text);
    text.mem = &mem;
    memset(p, 0, sizeof p);
    p[0].a = a;
    p[0].first = 1;
    p[0].n = a->length - 1;
    p[1].n = 2;
    p[2].a = b;
    p[2].n = b->length;
    if (taco__concat_unify_field(&arena, &f, b->field, 0, &e) &&
        taco__concat_arrays(&arena, &f, p, 3, &to, &e)) {
        CHECK(f.nullable && to.length == a->length + 1 + b->length);
        for (i = 0; i < to.length; i++) {
            CHECK((!i || taco__buf_append_char(&text, ' ', &e)) &&
                  taco__cell_json(&text, &to, i, &e));
        }
    }
    snprintf(out, sizeof out, "%.*s", (int)text.len, text.data ? (const char *)text.data : "");
    if (e.code != TACO_OK) { snprintf(out, sizeof out, "%s", e.text); }
    taco__buf_free(&text);
    return out;
}

static void numbers(void)
{
    static const int8_t small[] = {1, -2, 3};
    static const int64_t big[] = {INT64_MAX, -5};
    static const uint64_t most[] = {UINT64_MAX};
    static const float floats[] = {1.5F, -0.25F};
    static const uint8_t second = 2; /* alone has a value */
    taco_field i8 = of("n", TACO_INT8, 1), i64 = of("n", TACO_INT64, 8),
               u64 = of("n", TACO_UINT64, 8), f32 = of("n", TACO_FLOAT, 4),
               none = of("n", TACO_NULL, 0), text = of("n", TACO_TEXT, 0);
    taco_array a = rows(&i8, small, 3), b = rows(&i64, big, 2), u = rows(&u64, most, 1),
               c = rows(&f32, floats, 2), nothing = rows(&none, NULL, 2), t = rows(&text, "", 0);
    CHECK_TEXT(both(&a, &a), "-2 3 null null 1 -2 3");
    CHECK_TEXT(both(&a, &b), "-2 3 null null 9223372036854775807 -5");
    CHECK_TEXT(both(&a, &u), "-2.0 3.0 null null 1.8446744073709552e+19");
    CHECK_TEXT(both(&a, &c), "-2.0 3.0 null null 1.5 -0.25");
    CHECK_TEXT(both(&c, &b), "-0.25 null null 9.223372036854776e+18 -5.0");
    CHECK_TEXT(both(&nothing, &a), "null null null 1 -2 3");
    CHECK_TEXT(both(&a, &nothing), "-2 3 null null null null");
    CHECK_TEXT(both(&nothing, &nothing), "null null null null null");
    CHECK_TEXT(both(&a, &t), "column 'n' has two types");
    b.validity = &second;
    CHECK_TEXT(both(&a, &b), "-2 3 null null null -5");
}

static void times(void)
{
    static const int64_t ticks[] = {0, 1, INT64_MAX / 1000 + 1, INT64_MIN};
    taco_field s = of("t", TACO_TIMESTAMP, 8), ms = s, ns = s, utc = s;
    taco_array a = rows(&s, ticks, 4), b, c = rows(&utc, ticks, 1);
    ms.unit = TACO_MILLI;
    ns.unit = TACO_NANO;
    utc.utc = true;
    b = rows(&ms, ticks, 2);
    a.length = 2;
    CHECK_TEXT(both(&a, &b), "\"1970-01-01T00:00:01.000\" null null \"1970-01-01T00:00:00.000\" "
                             "\"1970-01-01T00:00:00.001\"");
    CHECK_TEXT(both(&b, &a), "\"1970-01-01T00:00:00.001\" null null \"1970-01-01T00:00:00.000\" "
                             "\"1970-01-01T00:00:01.000\"");
    CHECK_TEXT(both(&a, &c), "column 't' has two types");
    /* beyond the reach of nanoseconds times stay at its end */
    a.length = 4;
    b = rows(&ns, ticks, 1);
    CHECK_TEXT(both(&a, &b),
               "\"1970-01-01T00:00:01.000000000\" \"2262-04-11T23:47:16.854775807\" "
               "\"1677-09-21T00:12:43.145224192\" null null \"1970-01-01T00:00:00.000000000\"");
}

static void nested(void)
{
    static const int8_t small[] = {1, 2, 3};
    static const double wide[] = {0.5, 1.5};
    static const int32_t starts[] = {0, 1, 3}, words[] = {0, 1, 3, 3};
    taco_field left[2], right[2], a_struct = of("s", TACO_STRUCT, 0), b_struct = a_struct,
                                  a_list = of("l", TACO_LIST, 0), b_list = a_list,
                                  text = of("w", TACO_TEXT, 0);
    taco_array a_kids[2], b_kids[2], a, b, x, y, w = rows(&text, "abc", 3);
    w.offsets = words;
    CHECK_TEXT(both(&w, &w), "\"bc\" \"\" null null \"a\" \"bc\" \"\"");

    left[0] = of("n", TACO_INT8, 1);
    left[1] = of("only", TACO_INT8, 1);
    right[0] = of("more", TACO_DOUBLE, 8);
    right[1] = of("n", TACO_DOUBLE, 8);
    a_struct.children = left;
    b_struct.children = right;
    a_struct.child_count = b_struct.child_count = 2;
    a_kids[0] = rows(&left[0], small, 3);
    a_kids[1] = rows(&left[1], small, 3);
    b_kids[0] = rows(&right[0], wide, 2);
    b_kids[1] = rows(&right[1], wide, 2);
    a = rows(&a_struct, NULL, 3);
    a.children = a_kids;
    b = rows(&b_struct, NULL, 2);
    b.children = b_kids;
    CHECK_TEXT(both(&a, &b), "{\"n\":2.0,\"only\":2,\"more\":null} "
                             "{\"n\":3.0,\"only\":3,\"more\":null} null null "
                             "{\"n\":0.5,\"only\":null,\"more\":0.5} "
                             "{\"n\":1.5,\"only\":null,\"more\":1.5}");

    a_list.children = left;
    b_list.children = right;
    a_list.child_count = b_list.child_count = 1;
    x = rows(&a_list, NULL, 2);
    x.offsets = starts;
    x.children = a_kids;
    y = rows(&b_list, NULL, 1);
    y.offsets = starts;
    y.children = b_kids;
    CHECK_TEXT(both(&x, &y), "[2.0,3.0] null null [0.5]");
    CHECK_TEXT(both(&x, &b), "column 'l' has two types");
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    memset(&arena, 0, sizeof arena);
    arena.mem = &mem;
    RUN(numbers);
    RUN(times);
    RUN(nested);
    taco__arena_free(&arena);
    return test_end("concat");
}
