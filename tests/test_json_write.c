/* json_write.c: strings and their escapes, the writer's commas, numbers, words, and failures. */
#include "../src/base/base.h"
#include "../src/base/json.h"
#include "../src/base/json_write.c"
#include "test.h"
#include "alloc.h"

static taco__mem mem;
static taco__buf out;
static taco_error err;
static test_memory memory;

static void begin(void)
{
    static taco_allocator a;
    taco_options opt;
    test_counted(&opt, &a, &memory);
    taco__mem_init(&mem, &opt);
    memset(&out, 0, sizeof out);
    memset(&err, 0, sizeof err);
    out.mem = &mem;
}

static const char *text(void)
{
    return taco__buf_append_char(&out, 0, &err) ? (const char *)out.data : "";
}

static void end(void)
{
    taco__buf_free(&out);
    CHECK(mem.used == 0 && memory.live == 0);
}

/* Whether the text is JSON, as our parser sees it. */
static bool parses(void)
{
    taco__arena arena;
    taco__json_doc doc;
    taco_limits limits;
    bool ok;
    memset(&limits, 0, sizeof limits);
    arena.mem = &mem;
    arena.head = NULL;
    ok =
        taco__json_parse(&arena, taco__bytes_of(out.data, out.len), &limits, &doc, &err) == TACO_OK;
    taco__arena_free(&arena);
    return ok;
}

static void an_object_of_everything(void)
{
    taco__json_writer w;
    begin();
    w = taco__json_writer_init(&out, &err);
    taco__json_write_begin(&w, NULL, '{');
    taco__json_write_text(&w, "name", "a \"b\",\n");
    taco__json_write_text(&w, "none", NULL);
    taco__json_write_begin(&w, "empty", '[');
    taco__json_write_end(&w, ']');
    taco__json_write_begin(&w, "list", '[');
    taco__json_write_u64(&w, NULL, UINT64_MAX);
    taco__json_write_raw(&w, NULL, taco__bytes_text("-9223372036854775808"));
    taco__json_write_begin(&w, NULL, '{');
    taco__json_write_end(&w, '}');
    taco__json_write_begin(&w, NULL, '{');
    taco__json_write_bool(&w, "yes", true);
    taco__json_write_bool(&w, "no", false);
    taco__json_write_end(&w, '}');
    taco__json_write_bytes_value(&w, NULL, taco__bytes_text("x,"));
    taco__json_write_bytes_value(&w, NULL, taco__bytes_text("y{"));
    taco__json_write_bytes_value(&w, NULL, taco__bytes_of("\xFF", 1));
    taco__json_write_end(&w, ']');
    taco__json_write_raw(&w, "raw", taco__bytes_text("[1,2]"));
    taco__json_write_key(&w, "own");
    w.ok = w.ok && taco__buf_append_text(&out, "0.50", &err);
    taco__json_write_key_bytes(&w, taco__bytes_text("a\"key"));
    taco__json_write_begin(&w, NULL, '[');
    taco__json_write_double(&w, NULL, 1);
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    CHECK(w.ok && parses());
    CHECK_TEXT(text(),
               "{\"name\":\"a \\\"b\\\",\\n\",\"none\":null,\"empty\":[],\"list\":["
               "18446744073709551615,-9223372036854775808,{},{\"yes\":true,\"no\":false},"
               "\"x,\",\"y{\",{\"hex\":\"ff\"}],\"raw\":[1,2],\"own\":0.50,\"a\\\"key\":[1.0]}");
    end();
}

static void behind_other_text(void)
{
    taco__json_writer w;
    begin();
    CHECK(taco__buf_append_text(&out, "{\"more\":1", &err));
    w = taco__json_writer_init(&out, &err); /* a document of its own: no comma before it */
    taco__json_write_u64(&w, NULL, 2);
    CHECK_TEXT(text(), "{\"more\":12");
    end();
}

static void keys_of_bytes(void)
{
    taco__json_writer w;
    begin();
    w = taco__json_writer_init(&out, &err);
    taco__json_write_begin(&w, NULL, '{');
    taco__json_write_key_bytes(&w, taco__bytes_of("a\0b", 3));
    taco__json_write_u64(&w, NULL, 1);
    taco__json_write_key_bytes(&w, taco__bytes_of("\xFF", 1));
    taco__json_write_u64(&w, NULL, 2);
    taco__json_write_end(&w, '}');
    CHECK(w.ok && parses());
    CHECK_TEXT(text(), "{\"a\\u0000b\":1,\"\xEF\xBF\xBD\":2}");
    end();
}

static void numbers(void)
{
    static const double doubles[] = {0.1, -1e300, 180, 5e-324};
    double zero = 0;
    taco__json_writer w;
    size_t i;
    begin();
    w = taco__json_writer_init(&out, &err);
    taco__json_write_begin(&w, NULL, '[');
    for (i = 0; i < TACO__COUNT(doubles); i++) {
        taco__json_write_double(&w, NULL, doubles[i]);
    }
    taco__json_write_double(&w, NULL, 1 / zero);
    taco__json_write_double(&w, NULL, -1 / zero);
    taco__json_write_double(&w, NULL, zero / zero);
    taco__json_write_end(&w, ']');
    CHECK(w.ok && parses());
    CHECK_TEXT(text(), "[0.1,-1e+300,180.0,5e-324,\"Infinity\",\"-Infinity\",\"NaN\"]");
    end();
}

/* However the memory ends, the writer says so, and appends nothing afterwards. */
static void failures_stick(void)
{
    size_t fail;
    for (fail = 1; fail < 6; fail++) {
        taco__json_writer w;
        size_t i, len = 0;
        begin();
        memory.fail_at = fail;
        w = taco__json_writer_init(&out, &err);
        taco__json_write_begin(&w, NULL, '[');
        for (i = 0; i < 200; i++) {
            taco__json_write_text(&w, NULL, "some text");
            CHECK(w.ok || len == 0 || out.len == len);
            len = w.ok ? 0 : out.len;
        }
        taco__json_write_end(&w, ']');
        CHECK(!w.ok && err.code == TACO_ERR_MEMORY);
        end();
    }
}

static void strings(void)
{
    char all[0x21];
    size_t i;
    begin();
    for (i = 0; i < sizeof all; i++) {
        all[i] = (char)i;
    }
    CHECK(taco__json_write_string(&out, taco__bytes_of(all, sizeof all), &err) && parses());
    CHECK(taco__json_write_string(&out, taco__bytes_of(NULL, 0), &err));
    CHECK_TEXT(text(), "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b"
                       "\\f\\r\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016"
                       "\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f \"\"\"");
    end();
}

int main(void)
{
    RUN(an_object_of_everything);
    RUN(behind_other_text);
    RUN(keys_of_bytes);
    RUN(numbers);
    RUN(failures_stick);
    RUN(strings);
    return test_end("test_json_write");
}
