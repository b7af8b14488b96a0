/* base/json_*.c: what is JSON and what is not, positions of errors, and conversion back to text. */
#include "../src/base/json_read.c"
#include "../taco_parquet.h"
#include "../taco.h"
#include "test.h"

#include "alloc.h"

static taco__mem mem;
static taco__arena arena;
static taco__json_doc doc;
static taco_error err;
static taco_limits limits;
static test_memory memory;

static void begin(void)
{
    static taco_allocator a;
    taco_options opt;
    taco__arena_free(&arena);
    CHECK(mem.used == 0 && memory.live == 0);
    test_counted(&opt, &a, &memory);
    memory.all_after = true;
    taco__mem_init(&mem, &opt);
    arena.mem = &mem;
    memset(&err, 0, sizeof err);
    memset(&limits, 0, sizeof limits);
}

/* The bytes are copied to the heap, so that a sanitizer sees a read behind them. */
static char *heap;

static taco_status parse_bytes(const void *text, size_t len)
{
    free(heap);
    heap = (char *)malloc(len ? len : 1);
    memcpy(heap, text, len);
    return taco__json_parse(&arena, taco__bytes_of(heap, len), &limits, &doc, &err);
}

static const taco__json *parse(const char *text)
{
    begin();
    return parse_bytes(text, strlen(text)) == TACO_OK ? doc.root : NULL;
}

static const char *emitted(const taco__json *n, size_t indent)
{
    static char text[4096];
    taco__buf out;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    text[0] = 0;
    if (taco__json_print(&out, n, indent, &err) && taco__buf_append_char(&out, 0, &err) &&
        out.len <= sizeof text) {
        memcpy(text, out.data, out.len);
    }
    taco__buf_free(&out);
    return text;
}

static const char *again(const char *text)
{
    const taco__json *n = parse(text);
    return n ? emitted(n, 0) : err.text;
}

static void scalars(void)
{
    CHECK(taco__json_is(parse("null"), TACO__JSON_NULL));
    CHECK(taco__json_is(parse(" true\n"), TACO__JSON_TRUE));
    CHECK(taco__json_is(parse("\t\r\nfalse"), TACO__JSON_FALSE));
    CHECK(taco__json_is(parse("0"), TACO__JSON_NUMBER));
    CHECK(taco__json_is(parse("\"\""), TACO__JSON_STRING));
    CHECK(taco__json_is(parse("[]"), TACO__JSON_ARRAY));
    CHECK(taco__json_is(parse("{}"), TACO__JSON_OBJECT));
    CHECK(taco__json_is(parse("\xEF\xBB\xBF{}"), TACO__JSON_OBJECT)); /* a byte order mark */
    CHECK(doc.root->begin == 3 && doc.root->end == 5);
    CHECK(doc.node_count == 1);
    CHECK(!taco__json_is(NULL, TACO__JSON_NULL));
    CHECK_TEXT(taco__json_type_name(parse("[]")), "an array");
    CHECK_TEXT(taco__json_type_name(NULL), "nothing");
}

static void strings(void)
{
    static const char zero[] = "\"a\\u0000b\"";
    char text[64];
    size_t i;
    taco_bytes b;
    CHECK_TEXT(taco__json_text(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")), "\"\\/\b\f\n\r\t");
    CHECK_TEXT(taco__json_text(parse("\"\\u00e9\\u0416\\uD83C\\udf2e\"")),
               "\xC3\xA9\xD0\x96\xF0\x9F\x8C\xAE");
    CHECK_TEXT(taco__json_text(parse("\"\xC3\xA9\xF0\x9F\x8C\xAE\x7F\"")),
               "\xC3\xA9\xF0\x9F\x8C\xAE\x7F");
    /* surrogates that are no pair become U+FFFD, each of them */
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\"")), "\xEF\xBF\xBD");
    /* the ends of both ranges */
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\\uDC00\"")), "\xF0\x90\x80\x80");
    CHECK_TEXT(taco__json_text(parse("\"\\uDBFF\\uDFFF\"")), "\xF4\x8F\xBF\xBF");
    CHECK_TEXT(taco__json_text(parse("\"\\uD7FF\\uE000\"")), "\xED\x9F\xBF\xEE\x80\x80");
    CHECK_TEXT(taco__json_text(parse("\"\\uDFFF\"")), "\xEF\xBF\xBD");
    CHECK_TEXT(taco__json_text(parse("\"\\uDC00\\uDC00\"")), "\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\\uDBFF\"")), "\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\\uE000\"")), "\xEF\xBF\xBD\xEE\x80\x80");
    CHECK_TEXT(taco__json_text(parse("\"\\uDC00x\"")), "\xEF\xBF\xBDx");
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\\uD83C\\uDF2E\"")), "\xEF\xBF\xBD\xF0\x9F\x8C\xAE");
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\\u0041\"")), "\xEF\xBF\xBD"
                                                             "A");
    CHECK_TEXT(taco__json_text(parse("\"\\uD800\\n\"")), "\xEF\xBF\xBD\n");
    b = taco__json_bytes(parse(zero));
    CHECK(b.len == 3 && memcmp(b.data, "a\0b", 4) == 0);
    CHECK(!taco__json_equals(doc.root, "a"));
    CHECK(taco__json_equals(parse("\"abc\""), "abc") && !taco__json_equals(doc.root, "ab"));
    CHECK(taco__json_text(parse("1")) == NULL && taco__json_bytes(doc.root).data == NULL);
    for (i = 0; i < 40; i++) { /* a special byte at every place of a word of eight */
        memset(text, 'x', sizeof text);
        text[0] = '"';
        text[1 + i] = '\\';
        text[2 + i] = 'n';
        text[43] = '"';
        begin();
        CHECK(parse_bytes(text, 44) == TACO_OK);
        CHECK(doc.root->count == 41 && doc.root->text[i] == '\n' && doc.root->text[i + 1] == 'x');
        text[1 + i] = '\x1F';
        begin();
        CHECK(parse_bytes(text, 44) == TACO_ERR_CORRUPT && err.offset == 1 + i);
        text[1 + i] = '\xFF';
        begin();
        CHECK(parse_bytes(text, 44) == TACO_ERR_CORRUPT && err.offset == 1 + i);
        text[1 + i] = '"';
        begin();
        CHECK(parse_bytes(text, 2 + i) == TACO_OK && doc.root->count == i);
    }
}

static void errors(void)
{
    /* the caret of every message stands under the byte at fault */
    static const struct {
        const char *text;
        uint32_t at;
        const char *message;
    } cases[] = {
        {"", 0, "at byte 0: expected a value, found the end of the text"},
        {"  ", 2, "at byte 2: expected a value, found the end of the text"},
        {"nul", 0, "at byte 0: expected a value, found 'n'"},
        {"[1,]", 3, "at byte 3: expected a value, found ']'"},
        {"[,1]", 1, "at byte 1: expected a value, found ','"},
        {"[1 2]", 3, "at byte 3: expected ',' or ']', found '2'"},
        {"[1}", 2, "at byte 2: expected ',' or ']', found '}'"},
        {"[[1]", 4, "at byte 4: expected ',' or ']', found the end of the text"},
        {"{\"a\" 1}", 5, "at byte 5: expected ':' after a key, found '1'"},
        {"{\"a\":1,}", 7, "at byte 7: expected a key in quotes, found '}'"},
        {"{a:1}", 1, "at byte 1: expected a key in quotes, found 'a'"},
        {"{\"a\":}", 5, "at byte 5: expected a value, found '}'"},
        {"{\"a\":1]", 6, "at byte 6: expected ',' or '}', found ']'"},
        {"{\"a\":1", 6, "at byte 6: expected ',' or '}', found the end of the text"},
        {"{", 1, "at byte 1: expected a key in quotes, found the end of the text"},
        {"{}x", 2, "at byte 2: expected the end of the text, found 'x'"},
        {"[] []", 3, "at byte 3: expected the end of the text, found '['"},
        {"]", 0, "at byte 0: expected a value, found ']'"},
        {"\"ab", 3, "at byte 3: expected '\"' at the end of a string, found the end of the text"},
        {"\"ab\\", 4,
         "at byte 4: expected one of \"\\/bfnrtu after a backslash, found the end of the text"},
        {"\"\\x\"", 2, "at byte 2: expected one of \"\\/bfnrtu after a backslash, found 'x'"},
        {"\"\\u12G4\"", 5, "at byte 5: expected four hexadecimal digits after '\\u', found 'G'"},
        {"\"\\u12", 5,
         "at byte 5: expected four hexadecimal digits after '\\u', found the end of the text"},
        {"\"\\ud800\\u12\"", 11,
         "at byte 11: expected four hexadecimal digits after '\\u', found '\"'"},
        {"\"a\nb\"", 2,
         "at byte 2: expected control characters in a string to be escaped, found '\\x0a'"},
        {"\"\xC0\x80\"", 1,
         "at byte 1: expected UTF-8 in a string, found byte 0xc0"}, /* overlong */
        {"\"a\xED\xA0\x80\"", 2,
         "at byte 2: expected UTF-8 in a string, found byte 0xed"}, /* a surrogate */
        {"\"\xF4\x90\x80\x80\"", 1,
         "at byte 1: expected UTF-8 in a string, found byte 0xf4"}, /* above U+10FFFF */
        {"\"\xE2\x82\"", 1, "at byte 1: expected UTF-8 in a string, found byte 0xe2"},
        {"[\xC3\xA9]", 1, "at byte 1: expected a value, found '\xC3\xA9'"},
        {"-", 1, "at byte 1: expected a digit, found the end of the text"},
        {"+1", 0, "at byte 0: expected a value, found '+'"},
        {"01", 1, "at byte 1: expected the end of the text, found '1'"},
        {".5", 0, "at byte 0: expected a value, found '.'"},
        {"1.", 2, "at byte 2: expected a digit, found the end of the text"},
        {"1.e5", 2, "at byte 2: expected a digit, found 'e'"},
        {"1e", 2, "at byte 2: expected a digit, found the end of the text"},
        {"1e+x", 3, "at byte 3: expected a digit, found 'x'"},
        {"NaN", 0, "at byte 0: expected a value, found 'N'"},
        {"-Infinity", 1, "at byte 1: expected a digit, found 'I'"},
        {"'a'", 0, "at byte 0: expected a value, found '''"},
        {"\xFE\xFF", 0, "at byte 0: expected a value, found byte 0xfe"},
    };

    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        CHECK(parse(cases[i].text) == NULL);
        CHECK(err.code == TACO_ERR_CORRUPT && err.offset == cases[i].at);
        CHECK_TEXT(err.text, cases[i].message);
        CHECK(doc.root == NULL);
    }
    begin();
    CHECK(parse_bytes("[\0]", 3) == TACO_ERR_CORRUPT && err.offset == 1);
    CHECK_TEXT(err.text, "at byte 1: expected a value, found '\\x00'");
    begin(); /* part of a larger file */
    CHECK(taco__json_parse_at(&arena, taco__bytes_text("[1,]"), 1000, NULL, &doc, &err) ==
          TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "at byte 1003: expected a value, found ']'");
    begin(); /* nobody wants the message */
    CHECK(taco__json_parse(&arena, taco__bytes_text("[1,]"), NULL, &doc, NULL) == TACO_ERR_CORRUPT);
    CHECK(taco__json_parse(&arena, taco__bytes_of(NULL, 0), NULL, &doc, NULL) == TACO_ERR_CORRUPT);
}

static void bounds(void)
{
    static char deep[200001];
    begin();
    memset(deep, '[', 100000);
    memset(deep + 100000, ']', 100000);
    CHECK(parse_bytes(deep, 200000) == TACO_ERR_LIMIT && err.offset == 64);
    CHECK_TEXT(err.text, "at byte 64: nesting of more than 64, limits.max_depth is 64");
    begin();
    CHECK(parse_bytes(deep + 100000 - 64, 128) == TACO_OK);
    CHECK(emitted(doc.root, 0)[127] == ']' && doc.node_count == 64);
    begin();
    limits.max_depth = 100000;
    CHECK(parse_bytes(deep, 200000) == TACO_OK && doc.node_count == 100000);
    begin();
    limits.max_depth = 1;
    CHECK(parse_bytes("{\"a\":{}}", 8) == TACO_ERR_LIMIT && err.offset == 5);
    begin();
    limits.max_metadata = 3;
    CHECK(parse_bytes("[1]", 3) == TACO_OK);
    CHECK(parse_bytes("[12]", 4) == TACO_ERR_LIMIT && err.offset == TACO_NO_OFFSET);
    CHECK_TEXT(err.text, "4 bytes of JSON, limits.max_metadata is 3");
    begin();
    mem.limit = 1000;
    CHECK(parse_bytes(deep, 200000) == TACO_ERR_LIMIT &&
          strstr(err.text, "limits.max_memory is 1000"));
    begin();
    memory.fail_at = memory.calls + 1;
    CHECK(parse_bytes("[1]", 3) == TACO_ERR_MEMORY);
    begin();
    memory.fail_at = memory.calls + 2;
    memset(deep, ',', 3000);
    CHECK(parse_bytes(deep, 3000) != TACO_OK);
}

/* Every prefix of a document is an error at its end, or where its last token began, and never a
   read behind it. */
static void prefixes(void)
{
    static const char text[] =
        "{\"a\\u00e9\\ud83c\\udf2e\":[1,-2.5e+10,true,false,null,\"\xC3\xA9\"],\"b\":{\"c\":{}}}";
    size_t i;
    for (i = 0; i < sizeof text - 1; i++) {
        begin();
        CHECK(parse_bytes(text, i) == TACO_ERR_CORRUPT);
        CHECK(err.offset <= i && err.offset + 8 > i);
    }
    begin();
    CHECK(parse_bytes(text, sizeof text - 1) == TACO_OK);
}

static void numbers(void)
{
    static const struct {
        const char *text;
        bool whole;
        int64_t i;
        double d;
    } cases[] = {
        {"0", true, 0, 0.0},
        {"-0", true, 0, -0.0},
        {"12", true, 12, 12.0},
        {"9223372036854775807", true, INT64_MAX, 9223372036854775807.0},
        {"-9223372036854775808", true, INT64_MIN, -9223372036854775808.0},
        {"9223372036854775808", false, 0, 9223372036854775808.0},
        {"-9223372036854775809", false, 0, -9223372036854775808.0},
        {"9007199254740993", true, 9007199254740993, 9007199254740992.0},
        {"1.0", true, 1, 1.0},
        {"-2e3", true, -2000, -2000.0},
        {"1e15", true, 1000000000000000, 1e15},
        {"1e300", false, 0, 1e300},
        {"1.5", false, 0, 1.5},
        {"-2.9990661946557964", false, 0, -2.9990661946557964},
        {"2.2250738585072011e-308", false, 0, 2.2250738585072011e-308},
        {"1e-400", true, 0, 0.0},
    };

    int64_t i;
    double d;
    size_t k;
    for (k = 0; k < TACO__COUNT(cases); k++) {
        const taco__json *n = parse(cases[k].text);
        i = 0;
        CHECK(taco__json_int(n, &i) == cases[k].whole && i == cases[k].i);
        CHECK(taco__json_double(n, &d) && memcmp(&d, &cases[k].d, 8) == 0);
        CHECK_TEXT(emitted(n, 0), cases[k].text);
    }
    CHECK(taco__json_double(parse("1e999"), &d) && d > 1e308 && !taco__json_int(doc.root, &i));
    CHECK(!taco__json_double(parse("\"1\""), &d) && !taco__json_int(doc.root, &i) &&
          !taco__json_int(NULL, &i));
}

static void walking(void)
{
    const taco__json *n =
        parse("{\"a\":1,\"b\":[10,[20,21],{\"x\":null},30],\"a\":{\"b\":2},\"\\u0062\":\"last\"}");
    const taco__json *list = taco__json_next(taco__json_first(n) + 1) + 1;
    taco_bytes raw;
    CHECK(n->count == 4 && n->span == doc.node_count);
    CHECK(taco__json_is(taco__json_get(n, "a"), TACO__JSON_OBJECT)); /* of two the last */
    CHECK_TEXT(taco__json_text(taco__json_get(n, "b")), "last");
    CHECK(taco__json_get(n, "c") == NULL && taco__json_get(NULL, "a") == NULL &&
          taco__json_get(list, "a") == NULL);
    CHECK(taco__json_length(list) == 4 && taco__json_length(n) == 0 &&
          taco__json_length(NULL) == 0);
    CHECK_TEXT(emitted(taco__json_at(list, 0), 0), "10");
    CHECK_TEXT(emitted(taco__json_at(list, 1), 0), "[20,21]");
    CHECK_TEXT(emitted(taco__json_at(list, 2), 0), "{\"x\":null}");
    CHECK_TEXT(emitted(taco__json_at(list, 3), 0), "30");
    CHECK(taco__json_at(list, 4) == NULL && taco__json_at(n, 0) == NULL &&
          taco__json_at(NULL, 0) == NULL);
    raw = taco__json_raw(&doc, list);
    CHECK(raw.len == 26 && memcmp(raw.data, "[10,[20,21],{\"x\":null},30]", 26) == 0);
    raw = taco__json_raw(&doc, taco__json_get(n, "b"));
    CHECK(raw.len == 6 && memcmp(raw.data, "\"last\"", 6) == 0);
}

static void emitting(void)
{
    CHECK_TEXT(
        again(" [ 1 , 2.50 , [ ] , { } , [ [ ] ] , { \"a\" : [ ] , \"b\" : { \"c\" : -0 } } ] "),
        "[1,2.50,[],{},[[]],{\"a\":[],\"b\":{\"c\":-0}}]");
    CHECK_TEXT(again("\"\\u00fc\\/\\\"\\\\\\u0007\\b\\t\\n\\f\\r\\u000b\\u001f\""),
               "\"\xC3\xBC/\\\"\\\\\\u0007\\b\\t\\n\\f\\r\\u000b\\u001f\"");
    CHECK_TEXT(again("{\"[,]\":\"{:}\",\"\\\"\":\"]\"}"),
               "{\"[,]\":\"{:}\",\"\\\"\":\"]\"}"); /* brackets in strings */
    CHECK_TEXT(again("1E+5"), "1E+5");
    CHECK_TEXT(emitted(parse("{\"a\":[1,{\"b\":[]},{}],\"c\":null}"), 4),
               "{\n    \"a\": [\n        1,\n        {\n            \"b\": []\n        },\n        "
               "{}\n    ],\n    \"c\": null\n}");
    CHECK_TEXT(emitted(NULL, 0), "null");
    CHECK_TEXT(emitted(parse("[]"), 4), "[]");
    parse("[[1,2,3]]");
    memory.fail_at = memory.calls + 1;
    CHECK_TEXT(emitted(doc.root, 4), "");
    CHECK(err.code == TACO_ERR_MEMORY);
    begin();
}

/* What the parser relies on: it never writes more nodes or bytes than it was given, even if there
   were fewer than taco__json_measure counts. */
static void too_little_room(void)
{
    static const char *const texts[] = {"{}", "[]", "\"a\"", "1", "true"};
    taco__json_parser p;
    taco__json none[1];
    char pool[8];
    size_t i, room;
    begin();
    for (i = 0; i < TACO__COUNT(texts); i++) {
        memset(&p, 0, sizeof p);
        memset(&err, 0, sizeof err);
        p.err = &err;
        p.begin = p.at = (const uint8_t *)texts[i];
        p.end = p.at + strlen(texts[i]);
        p.open = TACO__JSON_NO_CONTAINER;
        p.max_depth = 5;
        p.nodes = none;
        CHECK(!taco__json_read_value(&p) && err.code == TACO_ERR_CORRUPT && p.node_count == 0);
        CHECK(strstr(err.text, "expected the end of the text") != NULL);
    }
    for (room = 0; room < sizeof pool; room++) {
        static const char text[] = "\"ab\\n\"";
        memset(&p, 0, sizeof p);
        memset(&err, 0, sizeof err);
        memset(pool, '#', sizeof pool);
        p.err = &err;
        p.begin = p.at = (const uint8_t *)text;
        p.end = p.at + sizeof text - 1;
        p.open = TACO__JSON_NO_CONTAINER;
        p.nodes = none;
        p.node_cap = 1;
        p.pool = pool;
        p.pool_end = pool + room;
        CHECK(taco__json_read_value(&p) == (room >= 7));
        CHECK(pool[room] == '#');
    }
    CHECK_TEXT(pool, "ab\n");
}

/* Members by name: the last of equal ones counts, and what is no object has none. */
static void members(void)
{
    const taco__json *n = parse("{\"a\":1,\"b\":2,\"a\":3}"), *key, *other;
    taco__hash_map m;
    memset(&m, 0, sizeof m);
    m.mem = &mem;
    CHECK(taco__json_index_members(n, &m, &err));
    key = taco__json_first(n);
    CHECK(!taco__json_member_counts(&m, n, key));
    key = taco__json_next(key + 1);
    CHECK(taco__json_member_counts(&m, n, key));
    key = taco__json_next(key + 1);
    CHECK(taco__json_member_counts(&m, n, key));
    taco__hash_map_free(&m);
    CHECK(taco__json_index_members(n + 2, &m, &err) && taco__json_index_members(NULL, &m, &err));
    other = taco__json_first(n);
    CHECK(!taco__json_member_counts(&m, n, other));
    taco__hash_map_free(&m);
}

int main(void)
{
    RUN(scalars);
    RUN(strings);
    RUN(errors);
    RUN(bounds);
    RUN(prefixes);
    RUN(numbers);
    RUN(walking);
    RUN(too_little_room);
    RUN(members);
    RUN(emitting);
    begin();
    free(heap);
    return test_end("test_json");
}
