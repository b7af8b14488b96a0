/* arrow/cell_text.c: cells as JSON, CSV and plain text, from arrays made by hand. */
#include "test.h"
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

enum { JSON, CSV, PLAIN };

static taco_error text_error; /* of the last call */

static const char *text_of(int form, const taco_array *a, size_t i)
{
    static char text[4096];
    taco__mem mem;
    taco__buf out;
    bool ok;
    memset(&out, 0, sizeof out);
    memset(&text_error, 0, sizeof text_error);
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    CHECK(taco__buf_append_text(&out, "<", &text_error)); /* what stands before is left alone */
    ok = form == JSON  ? taco__cell_json(&out, a, i, &text_error)
         : form == CSV ? taco__cell_csv(&out, a, i, &text_error)
                       : taco__cell_plain(&out, a, i, &text_error);
    CHECK(ok == (text_error.code == TACO_OK) && out.data[0] == '<' && out.len < sizeof text);
    memcpy(text, out.data + 1, out.len - 1);
    text[ok ? out.len - 1 : 0] = 0;
    taco__buf_free(&out);
    CHECK(mem.used == 0);
    return text;
}

static taco_field text_field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    return f;
}

static taco_array text_array(const taco_field *f, const void *values, size_t length)
{
    taco_array a;
    memset(&a, 0, sizeof a);
    a.field = f;
    a.length = length;
    a.v.any = values;
    return a;
}

/* A TEXT or BINARY array of one value. */
static const char *text_bytes(int form, taco_type type, const char *s, size_t len)
{
    int32_t offsets[2];
    taco_field f = text_field("t", type);
    taco_array a = text_array(&f, s, 1);
    offsets[0] = 0;
    offsets[1] = (int32_t)len;
    a.offsets = offsets;
    return text_of(form, &a, 0);
}

#define STRING(form, s) text_bytes((form), TACO_TEXT, (s), sizeof(s) - 1)

static void numbers(void)
{
    static const int8_t i8[] = {-128};
    static const int16_t i16[] = {-32768};
    static const int32_t i32[] = {INT32_MIN};
    static const int64_t i64[] = {INT64_MIN};
    static const uint8_t u8[] = {255};
    static const uint16_t u16[] = {65535};
    static const uint32_t u32[] = {UINT32_MAX};
    static const uint64_t u64[] = {UINT64_MAX};
    static const uint16_t f16[] = {0x501C, 0x7E00, 0xFC00};
    static const uint8_t bits[] = {2};

    struct {
        taco_type type;
        const void *values;
        const char *want;
    } t[] = {{TACO_INT8, i8, "-128"},          {TACO_INT16, i16, "-32768"},
             {TACO_INT32, i32, "-2147483648"}, {TACO_INT64, i64, "-9223372036854775808"},
             {TACO_UINT8, u8, "255"},          {TACO_UINT16, u16, "65535"},
             {TACO_UINT32, u32, "4294967295"}, {TACO_UINT64, u64, "18446744073709551615"},
             {TACO_HALF, f16, "32.88"},        {TACO_BOOL, bits, "false"},
             {TACO_NULL, NULL, "null"}};

    size_t i;
    taco_field f;
    taco_array a;
    double f64[5];
    float f32[3];
    for (i = 0; i < TACO__COUNT(t); i++) {
        f = text_field("n", t[i].type);
        a = text_array(&f, t[i].values, 1);
        CHECK_TEXT(text_of(JSON, &a, 0), t[i].want);
        CHECK_TEXT(text_of(PLAIN, &a, 0), t[i].want);
        CHECK_TEXT(text_of(CSV, &a, 0), t[i].type == TACO_NULL ? "" : t[i].want);
    }
    f = text_field("b", TACO_BOOL);
    a = text_array(&f, bits, 2);
    CHECK_TEXT(text_of(JSON, &a, 1), "true");
    f = text_field("h", TACO_HALF);
    a = text_array(&f, f16, 3);
    CHECK_TEXT(text_of(JSON, &a, 1), "\"NaN\"");
    CHECK_TEXT(text_of(JSON, &a, 2), "\"-Infinity\"");
    f64[0] = -0.0;
    f64[1] = 1e300;
    f64[2] = taco__f64_from_bits(UINT64_C(0x7FF0000000000000));
    f64[3] = taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
    f64[4] = 0.1;
    f = text_field("d", TACO_DOUBLE);
    a = text_array(&f, f64, 5);
    CHECK_TEXT(text_of(JSON, &a, 0), "-0.0");
    CHECK_TEXT(text_of(JSON, &a, 1), "1e+300");
    CHECK_TEXT(text_of(JSON, &a, 2), "\"Infinity\"");
    CHECK_TEXT(text_of(CSV, &a, 2), "Infinity");
    CHECK_TEXT(text_of(PLAIN, &a, 3), "NaN");
    CHECK_TEXT(text_of(JSON, &a, 4), "0.1");
    f32[0] = 1.1F;
    f = text_field("f", TACO_FLOAT);
    a = text_array(&f, f32, 1);
    CHECK_TEXT(text_of(JSON, &a, 0), "1.1");
}

static void decimals_and_bytes(void)
{
    uint8_t le[32], fixed[6];
    taco_field f = text_field("x", TACO_DECIMAL);
    taco_array a = text_array(&f, le, 2);
    int32_t offsets[3];
    size_t i;
    memset(le, 0xFF, sizeof le);
    memset(le, 0, 16);
    le[0] = 123;
    le[16] = 0xFB;
    f.width = 16;
    f.precision = 10;
    f.scale = 2;
    CHECK_TEXT(text_of(JSON, &a, 0), "\"1.23\"");
    CHECK_TEXT(text_of(JSON, &a, 1), "\"-0.05\"");
    CHECK_TEXT(text_of(CSV, &a, 1), "-0.05");
    f.width = 0; /* big-endian, any length */
    offsets[0] = offsets[1] = 0;
    offsets[2] = 1;
    a.offsets = offsets;
    f.scale = 0;
    CHECK_TEXT(text_of(JSON, &a, 0), "\"0\"");
    CHECK_TEXT(text_of(JSON, &a, 1), "\"123\"");
    f.scale = 20000;
    CHECK_TEXT(text_of(JSON, &a, 1), "");
    CHECK(text_error.code == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(text_error.text, "decimal of scale 20000, at most 10000 is written as text");
    for (i = 0; i < 32; i++) {
        le[i] = (uint8_t)(i * 17);
    }
    f = text_field("u", TACO_UUID);
    f.width = 16;
    a = text_array(&f, le, 2);
    CHECK_TEXT(text_of(JSON, &a, 0), "\"00112233-4455-6677-8899-aabbccddeeff\"");
    CHECK_TEXT(text_of(PLAIN, &a, 0), "00112233-4455-6677-8899-aabbccddeeff");
    CHECK_TEXT(text_of(JSON, &a, 1), "\"10213243-5465-7687-98a9-bacbdcedfe0f\"");
    f = text_field("i", TACO_INTERVAL);
    a = text_array(&f, le, 2);
    CHECK_TEXT(text_of(JSON, &a, 0), "\"00112233445566778899aabb\"");
    CHECK_TEXT(text_of(JSON, &a, 1), "\"ccddeeff1021324354657687\"");
    memcpy(fixed,
           "\0\xFF"
           "abcd",
           6);
    f = text_field("w", TACO_FIXED);
    f.width = 3;
    a = text_array(&f, fixed, 2);
    CHECK_TEXT(text_of(JSON, &a, 0), "\"00ff61\"");
    CHECK_TEXT(text_of(CSV, &a, 1), "626364");
    CHECK_TEXT(text_bytes(JSON, TACO_BINARY, "\x01\xAB", 2), "\"01ab\"");
    CHECK_TEXT(text_bytes(JSON, TACO_BINARY, "", 0), "\"\"");
    CHECK_TEXT(text_bytes(JSON, TACO_BINARY, NULL, 0), "\"\"");
    CHECK_TEXT(text_bytes(CSV, TACO_BINARY, "", 0), "\"\"");
}

static void times(void)
{
    static const int32_t i32[] = {-719529, 2932897, 39598123, 86401000};
    static const int64_t i64[] = {1577836800000001, -1};
    uint8_t int96[24];
    taco_field f = text_field("d", TACO_DATE);
    taco_array a = text_array(&f, i32, 4);
    CHECK_TEXT(text_of(JSON, &a, 0), "\"-0001-12-31\"");
    CHECK_TEXT(text_of(CSV, &a, 1), "+10000-01-01");
    f = text_field("t", TACO_TIME);
    f.unit = TACO_MILLI;
    f.utc = true; /* changes nothing */
    CHECK_TEXT(text_of(JSON, &a, 2), "\"10:59:58.123\"");
    CHECK_TEXT(text_of(JSON, &a, 3), "86401000"); /* a plain number outside the day */
    a = text_array(&f, i64, 2);
    f.unit = TACO_MICRO;
    CHECK_TEXT(text_of(JSON, &a, 1), "-1");
    f = text_field("s", TACO_TIMESTAMP);
    f.unit = TACO_MICRO;
    CHECK_TEXT(text_of(JSON, &a, 0), "\"2020-01-01T00:00:00.000001\"");
    f.utc = true;
    CHECK_TEXT(text_of(JSON, &a, 0), "\"2020-01-01T00:00:00.000001Z\"");
    CHECK_TEXT(text_of(PLAIN, &a, 1), "1969-12-31T23:59:59.999999Z");
    f = text_field("n", TACO_INT96);
    f.width = 12;
    memset(int96, 0, sizeof int96);
    taco__put_le32(int96 + 20, 2440588);
    a = text_array(&f, int96, 2);
    CHECK_TEXT(text_of(JSON, &a, 1), "\"1970-01-01T00:00:00.000000000\"");
    CHECK_TEXT(text_of(JSON, &a, 0), "\"-4713-11-24T00:00:00.000000000\"");
}

static void strings(void)
{
    char all[0x60], want[0x60 * 6 + 3], *p = want;
    size_t i;
    CHECK_TEXT(STRING(JSON, ""), "\"\"");
    CHECK_TEXT(text_bytes(JSON, TACO_TEXT, NULL, 0), "\"\"");
    CHECK_TEXT(STRING(JSON, "plain"), "\"plain\"");
    CHECK_TEXT(STRING(JSON, "a \"b\" \\ c/d"), "\"a \\\"b\\\" \\\\ c/d\"");
    CHECK_TEXT(STRING(JSON, "12345678\n12345678\t\b\f\r\v"),
               "\"12345678\\n12345678\\t\\b\\f\\r\\u000b\"");
    CHECK_TEXT(STRING(JSON, "nul \0 esc \x1B del \x7F"), "\"nul \\u0000 esc \\u001b del \x7F\"");
    CHECK_TEXT(STRING(JSON, "caf\xC3\xA9 \xE2\x80\xA8 \xF0\x9F\x98\x80"),
               "\"caf\xC3\xA9 \xE2\x80\xA8 \xF0\x9F\x98\x80\"");
    CHECK_TEXT(STRING(JSON, "bad \xFF"), "{\"hex\":\"62616420ff\"}");
    CHECK_TEXT(STRING(JSON, "\xED\xA0\x80"), "{\"hex\":\"eda080\"}");
    /* each byte at each place of a word of eight */
    for (i = 0; i < 0x60; i++) {
        size_t at;
        for (at = 0; at < 9; at++) {
            char s[32];
            memset(s, 'x', 17);
            s[at] = (char)(i + 0x20 > 0x7F ? 0x7F : i + 0x20);
            s[17] = 0;
            if (s[at] != '"' && s[at] != '\\') {
                char quoted[40];
                snprintf(quoted, sizeof quoted, "\"%s\"", s);
                CHECK_TEXT(text_bytes(JSON, TACO_TEXT, s, 17), quoted);
            }
        }
    }
    *p++ = '"'; /* nothing but escapes: the buffer grows as it goes */
    for (i = 0; i < sizeof all; i++) {
        all[i] = '\x01';
        memcpy(p, "\\u0001", 6);
        p += 6;
    }
    memcpy(p, "\"", 2);
    CHECK_TEXT(text_bytes(JSON, TACO_TEXT, all, sizeof all), want);
}

static void csv(void)
{
    static const uint8_t none[] = {0};
    static const int32_t one[] = {7};
    taco_field f = text_field("i", TACO_INT32);
    taco_array a = text_array(&f, one, 1);
    CHECK_TEXT(text_of(CSV, &a, 0), "7");
    a.validity = none;
    CHECK_TEXT(text_of(CSV, &a, 0), ""); /* null, and empty text is not */
    CHECK_TEXT(text_of(JSON, &a, 0), "null");
    CHECK_TEXT(text_of(PLAIN, &a, 0), "null");
    CHECK_TEXT(STRING(CSV, ""), "\"\"");
    CHECK_TEXT(STRING(CSV, "plain; text"), "plain; text");
    CHECK_TEXT(STRING(CSV, "a,b"), "\"a,b\"");
    CHECK_TEXT(STRING(CSV, "say \"hi\""), "\"say \"\"hi\"\"\"");
    CHECK_TEXT(STRING(CSV, "\""), "\"\"\"\"");
    CHECK_TEXT(STRING(CSV, "two\r\nlines"), "\"two\r\nlines\"");
    CHECK_TEXT(STRING(CSV, "\xFF"), "\"{\"\"hex\"\":\"\"ff\"\"}\"");
}

static void plain(void)
{
    CHECK_TEXT(STRING(PLAIN, "caf\xC3\xA9, \"quoted\" \\"), "caf\xC3\xA9, \"quoted\" \\");
    CHECK_TEXT(STRING(PLAIN, "a\nb\tc\rd"), "a\\nb\\tc\\rd");
    CHECK_TEXT(STRING(PLAIN, "\x1B[31mred\x7F\0"), "\\x1b[31mred\\x7f\\x00");
    CHECK_TEXT(STRING(PLAIN, "\xC2\x85 \xC2\xA0"), "\\u0085 \xC2\xA0");
    CHECK_TEXT(STRING(PLAIN, "\xE2\x80\xAEtxt.exe"), "\\u202etxt.exe");
    CHECK_TEXT(STRING(PLAIN, "\xE2\x81\xA6x\xEF\xBB\xBF"), "\\u2066x\\ufeff");
    CHECK_TEXT(STRING(PLAIN, "\xE2\x80\x8D joiner"), "\xE2\x80\x8D joiner");
    CHECK_TEXT(STRING(PLAIN, "\n\n\n\n"), "\\n\\n\\n\\n");
    CHECK_TEXT(STRING(PLAIN, ""), "");
    CHECK_TEXT(STRING(PLAIN, "\xFF"), "{\"hex\":\"ff\"}");
}

static void dictionaries(void)
{
    static const int32_t index[] = {1, 0, 2, 3, -1}, offsets[] = {0, 1, 3, 3};
    static const uint8_t valid[] = {0x1F}, words_valid[] = {0x03};
    taco_field f = text_field("s", TACO_TEXT);
    taco_array words = text_array(&f, "abb", 3), a = text_array(&f, index, 5);
    words.offsets = offsets;
    a.dictionary = &words;
    CHECK_TEXT(text_of(JSON, &a, 0), "\"bb\"");
    CHECK_TEXT(text_of(JSON, &a, 1), "\"a\"");
    CHECK_TEXT(text_of(JSON, &a, 2), "\"\"");
    CHECK_TEXT(text_of(CSV, &a, 0), "bb");
    words.validity = words_valid;
    a.validity = valid;
    CHECK_TEXT(text_of(JSON, &a, 2), "null"); /* a null among the words */
    CHECK_TEXT(text_of(CSV, &a, 2), "");
    CHECK_TEXT(text_of(JSON, &a, 3), "");
    CHECK(text_error.code == TACO_ERR_CORRUPT && text_error.offset == TACO_NO_OFFSET);
    CHECK_TEXT(text_error.text, "dictionary index 3, dictionary has 3 entries");
    CHECK_TEXT(text_of(PLAIN, &a, 4), "");
    CHECK_TEXT(text_error.text, "dictionary index 4294967295, dictionary has 3 entries");
}

/* { "a\"b": [[1,null],[],null], "m": [["k",1.5],["k",null]], "\uFFFD": null } */
static void nested(void)
{
    static const int32_t ints[] = {1, 2, 3}, inner[] = {0, 2, 2, 3}, outer[] = {0, 2, 2, 3};
    static const int32_t keys[] = {0, 1, 2}, map_ends[] = {0, 2, 2, 2};
    static const uint8_t ints_valid[] = {5}, list_valid[] = {5}, value_valid[] = {1}, none[] = {0};
    static const double values[] = {1.5, 0};
    taco_field f_int = text_field("element", TACO_INT32), f_inner = text_field("list", TACO_LIST);
    taco_field f_kv[2], f_entries = text_field("entries", TACO_STRUCT), f_row[3],
                        f_struct = text_field("r", TACO_STRUCT);
    taco_array a_int = text_array(&f_int, ints, 3), a_inner = text_array(&f_inner, NULL, 3),
               a_kv[2], a_entries, a_row[3];
    taco_array a_struct;
    taco_batch batch;
    taco__cell_names names;
    taco__mem mem;
    taco__buf out;
    f_kv[0] = text_field("key", TACO_TEXT);
    f_kv[1] = text_field("value", TACO_DOUBLE);
    f_inner.children = &f_int;
    f_inner.child_count = 1;
    f_entries.children = f_kv;
    f_entries.child_count = 2;
    f_row[0] = text_field("a\"b", TACO_LIST);
    f_row[0].children = &f_inner;
    f_row[0].child_count = 1;
    f_row[1] = text_field("m", TACO_MAP);
    f_row[1].children = &f_entries;
    f_row[1].child_count = 1;
    f_row[2] = text_field("\xE2\x80?\xFF", TACO_INT64);
    f_struct.children = f_row;
    f_struct.child_count = 3;
    a_int.validity = ints_valid; /* 1 null 3 */
    a_inner.offsets = inner;     /* [1,null] [] [3] */
    a_inner.children = &a_int;
    a_kv[0] = text_array(&f_kv[0], "kk", 2);
    a_kv[0].offsets = keys;
    a_kv[1] = text_array(&f_kv[1], values, 2);
    a_kv[1].validity = value_valid;
    a_entries = text_array(&f_entries, NULL, 2);
    a_entries.children = a_kv;
    a_row[0] = text_array(&f_row[0], NULL, 3);
    a_row[0].offsets = outer;
    a_row[0].validity = list_valid;
    a_row[0].children = &a_inner;
    a_row[1] = text_array(&f_row[1], NULL, 3);
    a_row[1].offsets = map_ends;
    a_row[1].children = &a_entries;
    a_row[2] = text_array(&f_row[2], NULL, 3);
    a_row[2].validity = none;
    a_struct = text_array(&f_struct, NULL, 3);
    a_struct.children = a_row;
#define ROW0                                                                                       \
    "{\"a\\\"b\":[[1,null],[]],\"m\":[[\"k\",1.5],[\"k\",null]],\"\xEF\xBF\xBD?\xEF\xBF\xBD\":"    \
    "null}"
    CHECK_TEXT(text_of(JSON, &a_struct, 0), ROW0);
    CHECK_TEXT(text_of(JSON, &a_struct, 1),
               "{\"a\\\"b\":null,\"m\":[],\"\xEF\xBF\xBD?\xEF\xBF\xBD\":null}");
    CHECK_TEXT(text_of(JSON, &a_row[0], 2), "[[3]]");
    CHECK_TEXT(text_of(CSV, &a_row[1], 0), "\"[[\"\"k\"\",1.5],[\"\"k\"\",null]]\"");
    CHECK_TEXT(text_of(PLAIN, &a_row[1], 0), "[[\"k\",1.5],[\"k\",null]]");
    f_entries.child_count = 1; /* no value field: a set of keys */
    CHECK_TEXT(text_of(JSON, &a_row[1], 0), "[\"k\",\"k\"]");
    f_entries.child_count = 2;

    memset(&batch, 0, sizeof batch);
    memset(&out, 0, sizeof out);
    memset(&text_error, 0, sizeof text_error);
    batch.columns = a_row;
    batch.column_count = 3;
    batch.length = 3;
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    CHECK(taco__cell_names_init(&names, &mem, &batch, &text_error));
    CHECK(taco__cell_json_row(&out, &batch, 0, &names, &text_error));
    CHECK(out.len == strlen(ROW0) && memcmp(out.data, ROW0, out.len) == 0);
    CHECK(taco__cell_json_row(&out, &batch, 0, NULL, &text_error));
    CHECK(out.len == 2 * strlen(ROW0) && memcmp(out.data + strlen(ROW0), ROW0, strlen(ROW0)) == 0);
    taco__cell_names_free(&names);
    out.len = 0;
    batch.column_count = 0;
    CHECK(taco__cell_names_init(&names, &mem, &batch, &text_error));
    CHECK(taco__cell_json_row(&out, &batch, 0, &names, &text_error) && out.len == 2);
    taco__cell_names_free(&names);
    out.len = 0;
    CHECK(taco__cell_csv_name(&out, taco__bytes_text("a,\xFF"), &text_error) && out.len == 7);
    CHECK(taco__cell_plain_name(&out, taco__bytes_text("\xFF"), &text_error) && out.len == 11);
    CHECK(memcmp(out.data, "\"a,\xEF\xBF\xBD\"\\xff", 11) == 0);
    taco__buf_free(&out);
    CHECK(mem.used == 0);
}

static void too_deep(void)
{
    static const int32_t offsets[] = {0, 1};
    taco_field fields[300];
    taco_array arrays[300];
    size_t i;
    for (i = 0; i < 300; i++) {
        fields[i] = text_field("l", TACO_LIST);
        fields[i].children = fields + i + 1;
        fields[i].child_count = 1;
        arrays[i] = text_array(fields + i, NULL, 1);
        arrays[i].offsets = offsets;
        arrays[i].children = arrays + i + 1;
    }
    fields[299] = text_field("n", TACO_NULL);
    CHECK(strlen(text_of(JSON, arrays + 44, 0)) == 2 * 255 + 4); /* [[[...null...]]] */
    CHECK_TEXT(text_of(JSON, arrays + 43, 0), "");
    CHECK(text_error.code == TACO_ERR_LIMIT);
    CHECK_TEXT(text_error.text,
               "values are nested deeper than 256, more than any limits.max_depth allows");
}

/* Every call fails cleanly wherever memory ends. */
static void no_memory(void)
{
    taco__mem mem;
    taco__buf out;
    taco_field f = text_field("t", TACO_TEXT);
    int32_t offsets[2] = {0, 0};
    taco_array a = text_array(&f, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\"\",,,", 1);
    taco_batch batch;
    uint64_t limit;
    int form;
    offsets[1] = 21;
    a.offsets = offsets;
    memset(&batch, 0, sizeof batch);
    batch.columns = &a;
    batch.column_count = 1;
    for (form = 0; form < 4; form++) {
        bool ok = false;
        for (limit = 0; limit < 2000 && !ok; limit += 16) {
            memset(&out, 0, sizeof out);
            memset(&text_error, 0, sizeof text_error);
            taco__mem_init(&mem, NULL);
            mem.limit = limit;
            out.mem = &mem;
            ok = form == JSON    ? taco__cell_json(&out, &a, 0, &text_error)
                 : form == CSV   ? taco__cell_csv(&out, &a, 0, &text_error)
                 : form == PLAIN ? taco__cell_plain(&out, &a, 0, &text_error)
                                 : taco__cell_json_row(&out, &batch, 0, NULL, &text_error);
            CHECK(ok ? text_error.code == TACO_OK : text_error.code == TACO_ERR_LIMIT);
            CHECK(ok || form < 3 || out.len == 0); /* a row is written whole or not at all */
            taco__buf_free(&out);
            CHECK(mem.used == 0);
        }
        CHECK(ok && limit > 100);
    }
}

/* The one table of types: in the order of the enum, with the widths that fields have. */
static void types(void)
{
    CHECK_TEXT(taco__type_word(TACO_NULL), "null");
    CHECK_TEXT(taco__type_word(TACO_HALF), "half");
    CHECK_TEXT(taco__type_keyword(TACO_DECIMAL), "DECIMAL");
    CHECK_TEXT(taco__type_keyword(TACO_INT96), "INT96");
    CHECK_TEXT(taco__type_keyword(TACO_STRUCT), "STRUCT");
    CHECK_TEXT(taco__type_format(TACO_UINT64), "L");
    CHECK_TEXT(taco__type_format(TACO_LIST), "+l");
    CHECK(!taco__type_format(TACO_TIMESTAMP) && !taco__type_word((taco_type)(TACO_STRUCT + 1)));
    CHECK(taco__type_width(TACO_INT8, TACO_SECOND) == 1);
    CHECK(taco__type_width(TACO_DOUBLE, TACO_SECOND) == 8);
    CHECK(taco__type_width(TACO_TIME, TACO_MILLI) == 4);
    CHECK(taco__type_width(TACO_TIME, TACO_MICRO) == 8);
    CHECK(taco__type_width(TACO_UUID, TACO_SECOND) == 16);
    CHECK(taco__type_width(TACO_TEXT, TACO_SECOND) == 0);
    CHECK(taco__type_width((taco_type)(TACO_STRUCT + 1), TACO_SECOND) == 0);
    CHECK(taco__type_decimal_width(38) == 16 && taco__type_decimal_width(76) == 32 &&
          taco__type_decimal_width(77) == 0);
}

int main(void)
{
    RUN(types);
    RUN(numbers);
    RUN(decimals_and_bytes);
    RUN(times);
    RUN(strings);
    RUN(csv);
    RUN(plain);
    RUN(dictionaries);
    RUN(nested);
    RUN(too_deep);
    RUN(no_memory);
    return test_end("test_text");
}
