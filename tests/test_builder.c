/* builder.c and field.c: rows of every layout, early and late nulls, copies, failing allocations.
   */
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../src/arrow/builder.c"
#include "../src/arrow/field.c"
#include "test.h"
#include "alloc.h"

static taco__mem mem;
static taco__arena arena;
static taco__buf text;
static taco_error err;
static test_memory memory;

static void begin(void)
{
    static taco_allocator a;
    taco_options opt;
    test_counted(&opt, &a, &memory);
    taco__mem_init(&mem, &opt);
    memset(&arena, 0, sizeof arena);
    memset(&text, 0, sizeof text);
    memset(&err, 0, sizeof err);
    arena.mem = text.mem = &mem;
}

static void end(taco__array_builder *b)
{
    taco__array_builder_free(b);
    taco__arena_free(&arena);
    taco__buf_free(&text);
    CHECK(mem.used == 0 && memory.live == 0);
}

static taco_field field(taco_type type, int32_t width)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = "c";
    f.type = type;
    f.width = width;
    f.nullable = true;
    return f;
}

/* All rows as JSON, separated by blanks. */
static const char *rows(const taco_array *a)
{
    size_t i;
    text.len = 0;
    for (i = 0; i < a->length; i++) {
        if (i && !taco__buf_append_char(&text, ' ', &err)) { return ""; }
        if (!taco__cell_json(&text, a, i, &err)) { return ""; }
    }
    return taco__buf_append_char(&text, 0, &err) ? (const char *)text.data : "";
}

static void integers_and_floats(void)
{
    static const struct {
        taco_type type;
        int32_t width;
        int64_t least, most;
        const char *shown;
    } kinds[] = {
        {TACO_INT8, 1, INT8_MIN, INT8_MAX, "-128 127 null 0"},
        {TACO_UINT8, 1, 0, UINT8_MAX, "0 255 null 0"},
        {TACO_INT16, 2, INT16_MIN, INT16_MAX, "-32768 32767 null 0"},
        {TACO_UINT16, 2, 0, UINT16_MAX, "0 65535 null 0"},
        {TACO_INT32, 4, INT32_MIN, INT32_MAX, "-2147483648 2147483647 null 0"},
        {TACO_UINT32, 4, 0, UINT32_MAX, "0 4294967295 null 0"},
        {TACO_INT64, 8, INT64_MIN, INT64_MAX, "-9223372036854775808 9223372036854775807 null 0"},
        {TACO_UINT64, 8, 0, INT64_MAX, "0 9223372036854775807 null 0"},
    };

    size_t i;
    taco_array a;
    for (i = 0; i < TACO__COUNT(kinds); i++) {
        taco_field f = field(kinds[i].type, kinds[i].width);
        taco__array_builder b;
        begin();
        CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
        CHECK(taco__array_builder_append_int(&b, kinds[i].least, &err) &&
              taco__array_builder_append_int(&b, kinds[i].most, &err) &&
              taco__array_builder_append_null(&b, &err) &&
              taco__array_builder_append_int(&b, 0, &err));
        CHECK_TEXT(rows(taco__array_builder_view(&b, &a)), kinds[i].shown);
        CHECK(a.null_count == 1 && a.length == 4);
        CHECK(taco__array_builder_int_fits(&f, kinds[i].least));
        CHECK(taco__array_builder_int_fits(&f, kinds[i].most));
        CHECK(kinds[i].least == INT64_MIN || !taco__array_builder_int_fits(&f, kinds[i].least - 1));
        CHECK(kinds[i].most == INT64_MAX || !taco__array_builder_int_fits(&f, kinds[i].most + 1));
        end(&b);
    }
    for (i = 0; i < 2; i++) {
        taco_field f = field(i ? TACO_DOUBLE : TACO_FLOAT, i ? 8 : 4);
        taco__array_builder b;
        begin();
        CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
        CHECK(taco__array_builder_append_double(&b, 0.5, &err) &&
              taco__array_builder_append_double(&b, -2, &err));
        CHECK_TEXT(rows(taco__array_builder_view(&b, &a)), "0.5 -2.0");
        CHECK(!a.validity && a.null_count == 0);
        end(&b);
    }
}

static void text_and_fixed(void)
{
    taco_field f = field(TACO_TEXT, 0);
    taco__array_builder b;
    taco_array a;
    begin();
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
    taco__array_builder_view(&b, &a); /* of no rows, and well formed */
    CHECK(a.length == 0 && a.offsets && a.offsets[0] == 0 && a.v.any);
    CHECK(taco__array_builder_append_text(&b, "one", &err) &&
          taco__array_builder_append_text(&b, "", &err) &&
          taco__array_builder_append_text(&b, NULL, &err));
    CHECK(taco__buf_append_text(&b.values, "in ", &err) &&
          taco__array_builder_append_bytes(&b, taco__bytes_text("pieces"), &err));
    CHECK_TEXT(rows(taco__array_builder_view(&b, &a)), "\"one\" \"\" null \"in pieces\"");
    taco__array_builder_reset(&b);
    CHECK(taco__array_builder_append_text(&b, "two", &err));
    CHECK_TEXT(rows(taco__array_builder_view(&b, &a)), "\"two\"");
    CHECK(!a.validity);
    end(&b);
    f = field(TACO_UUID, 16);
    begin();
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
    CHECK(taco__array_builder_append_null(&b, &err));
    CHECK(taco__array_builder_append_bytes(&b, taco__bytes_of("0123456789abcdef", 16), &err));
    CHECK_TEXT(rows(taco__array_builder_view(&b, &a)),
               "null \"30313233-3435-3637-3839-616263646566\"");
    end(&b);
    f = field(TACO_NULL, 0);
    begin();
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
    CHECK(taco__array_builder_append_null(&b, &err) && taco__array_builder_append_null(&b, &err));
    CHECK_TEXT(rows(taco__array_builder_view(&b, &a)), "null null");
    CHECK(a.null_count == 2 && !a.validity);
    end(&b);
}

/* The bitmap is right wherever the first null is, and for bits likewise. */
static void nulls_anywhere(void)
{
    static const size_t firsts[] = {0, 1, 7, 63, 64, 65, 127, 128, 199};
    size_t k, i, bad = 0;
    for (k = 0; k < TACO__COUNT(firsts); k++) {
        taco_field f = field(k % 2 ? TACO_BOOL : TACO_INT64, k % 2 ? 0 : 8);
        taco__array_builder b;
        taco_array a;
        unsigned round;
        begin();
        CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
        for (round = 0; round < 2; round++) { /* the second time over what the first left */
            for (i = 0; i < 200; i++) {
                bool null = i >= firsts[k] && (i - firsts[k]) % 3 == 0;
                bad += null ? !taco__array_builder_append_null(&b, &err)
                       : f.type == TACO_BOOL
                           ? !taco__array_builder_append_bool(&b, i % 5 == 0, &err)
                           : !taco__array_builder_append_int(&b, (int64_t)i, &err);
            }
            taco__array_builder_view(&b, &a);
            for (i = 0; i < 200; i++) {
                bool null = i >= firsts[k] && (i - firsts[k]) % 3 == 0;
                bad += taco_array_valid(&a, i) == null;
                bad += !null &&
                       taco_array_int(&a, i) != (f.type == TACO_BOOL ? i % 5 == 0 : (int64_t)i);
            }
            bad += a.length != 200 || a.null_count != (200 - firsts[k] + 2) / 3;
            taco__array_builder_reset(&b);
        }
        CHECK(bad == 0);
        end(&b);
    }
}

static void rows_unset(void)
{
    taco_field f = field(TACO_DOUBLE, 8);
    taco__array_builder b;
    taco_array a;
    double x[100];
    uint8_t *p;
    size_t i;
    for (i = 0; i < 100; i++) {
        x[i] = (double)i;
    }
    begin();
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
    p = taco__array_builder_append_unset(&b, 100, &err);
    CHECK(p != NULL);
    if (p) { memcpy(p, x, sizeof x); }
    CHECK(!taco__array_builder_view(&b, &a)->validity);
    CHECK(taco__array_builder_append_null(&b, &err));
    p = taco__array_builder_append_unset(&b, 100, &err);
    CHECK(p != NULL);
    if (p) { memcpy(p, x, sizeof x); }
    taco__array_builder_view(&b, &a);
    CHECK(a.length == 201 && a.null_count == 1);
    CHECK(taco__bitmap_count(a.validity, 0, 201) == 200 && !taco_array_valid(&a, 100));
    CHECK(a.v.f64[99] == 99 && a.v.f64[101] == 0 && a.v.f64[200] == 99);
    end(&b);
}

static void nested(void)
{
    taco_field f[5], copy;
    taco__array_builder b, c;
    taco_array a, d;
    const double pair[2] = {1, 2.5};
    size_t i;
    bool ok = true;
    f[0] = field(TACO_STRUCT, 0);
    f[1] = field(TACO_TEXT, 0);
    f[2] = field(TACO_LIST, 0);
    f[3] = field(TACO_BOOL, 0);
    f[4] = field(TACO_DOUBLE, 8);
    f[1].name = "name";
    f[2].name = "list";
    f[3].name = "flag";
    f[0].children = &f[1];
    f[0].child_count = 3;
    f[2].children = &f[4];
    f[2].child_count = 1;
    begin();
    CHECK(taco__array_builder_init(&b, &f[0], &mem, &arena, &err));
    CHECK(taco__array_builder_append_text(&b.children[0], "x", &err) &&
          taco__array_builder_append_doubles(&b.children[1], pair, 2, &err) &&
          taco__array_builder_append_bool(&b.children[2], true, &err) &&
          taco__array_builder_end_row(&b, true, &err));
    CHECK(taco__array_builder_append_null(&b, &err));
    CHECK(taco__array_builder_append_null(&b.children[0], &err) &&
          taco__array_builder_append_doubles(&b.children[1], NULL, 0, &err) &&
          taco__array_builder_append_null(&b.children[2], &err) &&
          taco__array_builder_end_row(&b, true, &err));
    CHECK(taco__array_builder_append_text(&b.children[0], "y", &err) &&
          taco__array_builder_append_doubles(&b.children[1], pair, 0, &err) &&
          taco__array_builder_append_bool(&b.children[2], false, &err) &&
          taco__array_builder_end_row(&b, true, &err));
    CHECK_TEXT(rows(taco__array_builder_view(&b, &a)),
               "{\"name\":\"x\",\"list\":[1.0,2.5],\"flag\":true} null "
               "{\"name\":null,\"list\":null,\"flag\":null} "
               "{\"name\":\"y\",\"list\":[],\"flag\":false}");
    /* copied backwards and from the start again, it reads the same */
    copy = f[0];
    CHECK(taco__array_builder_init(&c, &copy, &mem, &arena, &err));
    for (i = 4; i-- > 0;) {
        ok = ok && taco__array_builder_append_copy(&c, &a, i, &err);
    }
    CHECK(ok);
    CHECK_TEXT(rows(taco__array_builder_view(&c, &d)),
               "{\"name\":\"y\",\"list\":[],\"flag\":false} "
               "{\"name\":null,\"list\":null,\"flag\":null} null "
               "{\"name\":\"x\",\"list\":[1.0,2.5],\"flag\":true}");
    taco__array_builder_free(&c);
    end(&b);
}

static void copies_of_a_dictionary(void)
{
    static const int32_t offsets[] = {0, 1, 3}, codes[] = {1, 0, 1};
    taco_field f = field(TACO_TEXT, 0);
    taco_array words, a, out;
    taco__array_builder b;
    size_t i;
    memset(&words, 0, sizeof words);
    memset(&a, 0, sizeof a);
    words.field = a.field = &f;
    words.length = 2;
    words.offsets = offsets;
    words.v.any = "abb";
    a.length = 3;
    a.dictionary = &words;
    a.v.i32 = codes;
    begin();
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
    for (i = 0; i < 3; i++) {
        CHECK(taco__array_builder_append_copy(&b, &a, i, &err));
    }
    CHECK_TEXT(rows(taco__array_builder_view(&b, &out)), "\"bb\" \"a\" \"bb\"");
    end(&b);
}

static void memory_may_fail(void)
{
    size_t fail, reached = 0;
    for (fail = 1; fail < 12; fail++) {
        taco_field f[2];
        taco__array_builder b;
        const double x = 1;
        bool ok;
        size_t i;
        f[0] = field(TACO_LIST, 0);
        f[1] = field(TACO_DOUBLE, 8);
        f[0].children = &f[1];
        f[0].child_count = 1;
        begin();
        memory.fail_at = fail;
        ok = taco__array_builder_init(&b, &f[0], &mem, &arena, &err);
        for (i = 0; ok && i < 300; i++) {
            ok = i % 2 ? taco__array_builder_append_doubles(&b, &x, 1, &err)
                       : taco__array_builder_append_null(&b, &err);
        }
        CHECK(!ok && err.code == TACO_ERR_MEMORY);
        reached += i > 0;
        end(&b);
    }
    CHECK(reached > 5);
}

static void too_much_text(void)
{
    taco_field f = field(TACO_BINARY, 0);
    taco__array_builder b;
    begin();
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &err));
    CHECK(taco__array_builder_append_text(&b, "a", &err));
    b.values.len = (size_t)INT32_MAX + 1; /* as if so much had been appended */
    CHECK(!taco__array_builder_end_row(&b, true, &err));
    CHECK(err.code == TACO_ERR_LIMIT && b.length == 1);
    CHECK_TEXT(err.text, "column 'c' has more than 2^31 bytes or items");
    end(&b);
}

static void fields(void)
{
    static const int32_t widths[] = {0, 0, 1, 2, 4,  8,  1, 2, 4, 8,  2, 4, 8,
                                     7, 4, 8, 8, 12, 12, 0, 0, 7, 16, 0, 0, 0};
    taco_field f, inner[2], copy;
    char name[] = "time", own[] = "x";
    uint32_t type;
    for (type = 0; type <= (uint32_t)TACO_STRUCT; type++) {
        f = taco__field_make("c", (taco_type)type);
        f.width = 7; /* what FIXED and DECIMAL keep */
        CHECK(type < TACO__COUNT(widths) && taco__field_width(&f) == widths[type]);
    }
    f = taco__field_make("t", TACO_TIME);
    CHECK(f.unit == TACO_MICRO && f.width == 8 && f.nullable && !f.utc);
    f.unit = TACO_MILLI;
    CHECK(taco__field_width(&f) == 4);
    inner[0] = taco__field_make(own, TACO_INT64);
    inner[1] = taco__field_make(name, TACO_TIMESTAMP);
    f = taco__field_make_nested("s", TACO_STRUCT, inner, 2);
    CHECK(f.child_count == 2 && f.width == 0);
    begin();
    CHECK(taco__field_copy(&arena, &f, &copy, &err));
    name[0] = own[0] = '?';
    inner[0].type = TACO_BOOL;
    CHECK_TEXT(copy.children[1].name, "time");
    CHECK(copy.children[0].type == TACO_INT64 && copy.children[1].width == 8);
    taco__arena_free(&arena);
    memory.fail_at = memory.calls + 1;
    CHECK(!taco__field_copy(&arena, &f, &copy, &err) && err.code == TACO_ERR_MEMORY);
    taco__arena_free(&arena);
    CHECK(mem.used == 0);
}

int main(void)
{
    RUN(integers_and_floats);
    RUN(text_and_fixed);
    RUN(nulls_anywhere);
    RUN(rows_unset);
    RUN(nested);
    RUN(copies_of_a_dictionary);
    RUN(memory_may_fail);
    RUN(too_much_text);
    RUN(fields);
    return test_end("test_builder");
}
