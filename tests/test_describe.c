/* parquet_inspect/: the message type text, Arrow's type names, the footer as JSON, and names that
   could break them. */
#include "../src/base/base.h"
#include "../src/parquet_inspect/inspect.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"
#include "test.h"
#include "footer.h"
#include <stdlib.h>

#include "room.h"

static wr w;
static parsed p;
static taco__buf out;

static void begin(void)
{
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK_TEXT(p.err.text, "");
    memset(&out, 0, sizeof out);
    out.mem = &p.mem;
}

static void end(const char *want)
{
    CHECK(taco__buf_append_char(&out, 0, NULL));
    CHECK_TEXT((const char *)out.data, want);
    taco__buf_free(&out);
    parse_done(&p);
}

static void logical(int type, int repetition, const char *name, int member)
{
    w_element_open(&w, type, repetition, name, -1);
    w_open(&w, 10), w_open(&w, member);
}

static void logical_end(void)
{
    w_end(&w), w_end(&w), w_end(&w);
}

static void schema(void)
{
    w_schema(&w, 22);
    w_element(&w, -1, 2, "spark schema", 14, -1);
    w_element(&w, 0, 0, "b", -1, -1);
    w_element_open(&w, 1, 1, "i", -1);
    w_i32(&w, 6, 15), w_i32(&w, 9, -4), w_end(&w);
    logical(2, 0, "t", 8), w_bool(&w, 1, true), w_open(&w, 2), w_open(&w, 3), w_end(&w), w_end(&w),
        logical_end();
    logical(1, 0, "n", 10), w_i8(&w, 1, 16), w_bool(&w, 2, false), logical_end();
    logical(6, 0, "d", 5), w_i32(&w, 1, 2), w_i32(&w, 2, 9), logical_end();
    logical(6, 1, "g", 17), w_text(&w, 1, "OGC:CRS84"), logical_end();
    logical(6, 1, "future", 77), logical_end();
    w_begin(&w), w_i32(&w, 1, 7), w_i32(&w, 2, 12), w_i32(&w, 3, 1), w_text(&w, 4, "iv"),
        w_i32(&w, 6, 21), w_end(&w);
    w_element(&w, 3, 1, "old", -1, -1);
    w_element(&w, -1, 1, "l", 1, 3);
    w_element(&w, -1, 2, "list", 1, -1);
    w_element(&w, 6, 1, "element", -1, 0);
    w_element(&w, -1, 1, "m", 1, 1);
    w_element(&w, -1, 2, "map", 2, 2);
    w_element(&w, 6, 0, "key", -1, 0);
    w_element(&w, 5, 1, "value", -1, -1);
    w_element(&w, -1, 0, "empty", 0, -1);
    w_element(&w, -1, 0, "deep", 1, -1);
    w_element(&w, -1, 0, "er", 1, -1);
    w_element(&w, 4, 2, "f", -1, -1);
    w_element(&w, 4, 0, "a\n\"\\\xff\xc3\xa9", -1, -1);
    w_list(&w, 4, 12, 0);
    w_u8(&w, 0);
    begin();
    CHECK(taco__schema_text_append(&p.m, &out, NULL));
    end("message spark schema {\n"
        "  required boolean b;\n"
        "  optional int32 i (INTEGER(8,true)) = -4;\n"
        "  required int64 t (TIMESTAMP(NANOS,true));\n"
        "  required int32 n (INTEGER(16,false));\n"
        "  required binary d (DECIMAL(9,2));\n"
        "  optional binary g (GEOMETRY(OGC:CRS84));\n"
        "  optional binary future (OTHER);\n"
        "  optional fixed_len_byte_array(12) iv (INTERVAL);\n"
        "  optional int96 old;\n"
        "  optional group l (LIST) {\n"
        "    repeated group list {\n"
        "      optional binary element (STRING);\n"
        "    }\n"
        "  }\n"
        "  optional group m (MAP) {\n"
        "    repeated group map (MAP_KEY_VALUE) {\n"
        "      required binary key (STRING);\n"
        "      optional double value;\n"
        "    }\n"
        "  }\n"
        "  required group empty {\n"
        "  }\n"
        "  required group deep {\n"
        "    required group er {\n"
        "      repeated float f;\n"
        "    }\n"
        "  }\n"
        "  required float a\\x0a\"\\x5c\\xff\xc3\xa9;\n"
        "}\n");
}

static void empty_schema(void)
{
    w_schema(&w, 1);
    w_root(&w, 0);
    w_list(&w, 4, 12, 0);
    w_u8(&w, 0);
    begin();
    CHECK(taco__schema_text_append(&p.m, &out, NULL));
    end("message root {\n}\n");
}

static void json(void)
{
    chunk_spec c[3];
    c[0] = chunk_of(2, "t");
    c[0].min = "\0\0\0\0\0\0\0\0", c[0].max = "\xff\xff\xff\xff\xff\xff\xff\xff",
    c[0].width = 8; /* the wrong way round */
    c[0].dict = 4, c[0].data = 20, c[0].codec = 6, c[0].offset_index = 600, c[0].bloom = 500;
    c[1] = chunk_of(6, "s");
    c[1].min = "a\"b", c[1].max = "\xff\xfe\xfd", c[1].width = 3, c[1].nulls = 2, c[1].codec = 40;
    c[2] = chunk_of(5, "x");
    c[2].encrypted = c[2].no_meta = true;
    w_schema(&w, 4);
    w_root(&w, 3);
    w_element(&w, 2, 0, "t", -1, 10);
    w_element(&w, 6, 0, "s", -1, 0);
    w_element(&w, 5, 0, "x", -1, -1);
    w_list(&w, 4, 12, 1);
    w_group(&w, c, 3, 3);
    w_list(&w, 5, 12, 2);
    w_begin(&w), w_text(&w, 1, "k\1"), w_text(&w, 2, "{\"v\":\xff}"), w_end(&w);
    w_begin(&w), w_text(&w, 1, "bare"), w_end(&w);
    w_list(&w, 7, 12, 3);
    w_begin(&w), w_open(&w, 1), w_end(&w), w_end(&w);
    w_begin(&w), w_open(&w, 1), w_end(&w), w_end(&w);
    w_begin(&w), w_open(&w, 2), w_end(&w), w_end(&w);
    w_u8(&w, 0);
    begin();
    CHECK(taco__footer_json_append(&p.m, &out, NULL));
    {
        char want[4000];
        sprintf(
            want,
            "{\"file_size\":%u,\"footer_offset\":1000,\"footer_size\":%u,\"version\":1,\"created_"
            "by\":null,\"num_rows\":3,"
            "\"key_value_metadata\":[\n"
            " {\"key\":\"k\\u0001\",\"value\":\"{\\\"v\\\":\xEF\xBF\xBD}\"},\n"
            " {\"key\":\"bare\"}],\"columns\":[\n"
            " {\"path\":\"t\",\"type\":\"INT64\",\"annotation\":\"TIMESTAMP(MICROS,true)\",\"max_"
            "definition_level\":0,"
            "\"max_repetition_level\":0,\"column_order\":\"TYPE_ORDER\"},\n"
            " {\"path\":\"s\",\"type\":\"BYTE_ARRAY\",\"annotation\":\"STRING\",\"max_definition_"
            "level\":0,"
            "\"max_repetition_level\":0,\"column_order\":\"TYPE_ORDER\"},\n"
            " {\"path\":\"x\",\"type\":\"DOUBLE\",\"max_definition_level\":0,\"max_repetition_"
            "level\":0,"
            "\"column_order\":\"IEEE_754_TOTAL_ORDER\"}],\"row_groups\":[\n"
            " {\"num_rows\":3,\"first_row\":0,\"total_byte_size\":60,\"columns\":[\n"
            "  "
            "{\"path\":\"t\",\"codec\":\"ZSTD\",\"encodings\":[\"PLAIN\",\"RLE\"],\"num_values\":3,"
            "\"uncompressed_size\":60,"
            "\"compressed_size\":50,\"data_page_offset\":20,\"dictionary_page_offset\":4,\"pages\":"
            "{\"offset\":4,\"size\":50},"
            "\"offset_index\":{\"offset\":600,\"size\":10},\"bloom_filter\":{\"offset\":500},"
            "\"statistics\":{\"min\":\"1970-01-01T00:00:00.000000Z\",\"max\":\"1969-12-31T23:59:59."
            "999999Z\","
            "\"min_exact\":false,\"max_exact\":false,\"deprecated\":false,\"usable\":false}},\n"
            "  "
            "{\"path\":\"s\",\"codec\":\"40\",\"encodings\":[\"PLAIN\",\"RLE\"],\"num_values\":3,"
            "\"uncompressed_size\":60,"
            "\"compressed_size\":50,\"data_page_offset\":4,\"pages\":{\"offset\":4,\"size\":50},"
            "\"statistics\":{\"min\":\"a\\\"b\",\"max\":\"fffefd\",\"min_exact\":false,\"max_"
            "exact\":false,\"deprecated\":false,\"usable\":"
            "false,\"null_count\":2}},\n"
            "  {\"path\":\"x\",\"encrypted\":true}]}]}\n",
            (unsigned)(FOOTER_AT + w.n + 8), (unsigned)w.n);
        end(want);
    }
}

/* The order of the rows, and the box around the geometries of a column. */
static void order_and_box(void)
{
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 6, 0, "a", -1, -1);
    w_i64(&w, 3, 3);
    w_list(&w, 4, 12, 1);
    w_begin(&w), w_list(&w, 1, 12, 1), w_begin(&w), w_i64(&w, 2, 4), w_open(&w, 3);
    w_i32(&w, 1, 6), w_list(&w, 2, 5, 1), w_zz(&w, 0), w_list(&w, 3, 8, 1), w_bytes(&w, "a", 1);
    w_i32(&w, 4, 0), w_i64(&w, 5, 3), w_i64(&w, 6, 9), w_i64(&w, 7, 9), w_i64(&w, 9, 4);
    w_open(&w, 17), w_open(&w, 1);
    w_f64(&w, 1, -1), w_f64(&w, 2, 1), w_f64(&w, 3, -2.5), w_f64(&w, 4, 2);
    w_end(&w), w_end(&w), w_end(&w), w_end(&w);
    w_i64(&w, 2, 60), w_i64(&w, 3, 3);
    w_list(&w, 4, 12, 1);
    w_begin(&w), w_i32(&w, 1, 0), w_bool(&w, 2, true), w_bool(&w, 3, false), w_end(&w);
    w_end(&w), w_u8(&w, 0);
    begin();
    CHECK(taco__footer_json_append(&p.m, &out, NULL) && taco__buf_append_char(&out, 0, NULL));
    CHECK(strstr((const char *)out.data, "\"bbox\":[-1.0,-2.5,1.0,2.0]") != NULL);
    CHECK(strstr((const char *)out.data, "\"sorting_columns\":[{\"column\":0,\"descending\":true,"
                                         "\"nulls_first\":false}]") != NULL);
    taco__buf_free(&out);
    parse_done(&p);
}

/* One bound of every type, as it stands in the JSON. */
static void value(int type, int length, int converted, int member, const char *bytes, size_t n,
                  const char *want)
{
    taco__describe_out o;
    taco__pq_leaf *leaf;
    chunk_spec c = chunk_of(type, "a");
    w_schema(&w, 2);
    w_root(&w, 1);
    w_begin(&w);
    w_i32(&w, 1, type);
    if (length) { w_i32(&w, 2, length); }
    w_i32(&w, 3, 0);
    w_text(&w, 4, "a");
    if (converted >= 0) { w_i32(&w, 6, converted), w_i32(&w, 7, 2), w_i32(&w, 8, 9); }
    if (member) { w_open(&w, 10), w_open(&w, member), w_end(&w), w_end(&w); }
    w_end(&w);
    w_rest(&w, &c, 1);
    begin();
    leaf = p.m.leaves;
    o.buf = &out;
    o.err = NULL;
    o.ok = true;
    taco__describe_value(&o, leaf, taco__bytes_of(bytes, n));
    CHECK(o.ok);
    end(want);
}

static void values(void)
{
    value(0, 0, -1, 0, "\1", 1, "true");
    value(1, 0, -1, 0, "\xfe\xff\xff\xff", 4, "-2");
    value(1, 0, 13, 0, "\xfe\xff\xff\xff", 4, "4294967294");
    value(2, 0, 14, 0, "\xfe\xff\xff\xff\xff\xff\xff\xff", 8, "18446744073709551614");
    value(1, 0, 6, 0, "\xff\xff\xff\xff", 4, "\"1969-12-31\"");
    value(1, 0, 7, 0, "\1\0\0\0", 4, "\"00:00:00.001\"");
    value(1, 0, 7, 0, "\xff\xff\xff\xff", 4, "-1");
    value(2, 0, 9, 0, "\1\0\0\0\0\0\0\0", 8, "\"1970-01-01T00:00:00.001Z\"");
    value(1, 0, 5, 0, "\xfb\xff\xff\xff", 4, "\"-0.05\"");
    value(6, 0, 5, 0, "\xfb", 1, "\"-0.05\"");
    value(5, 0, -1, 0, "\0\0\0\0\0\0\xf8\x3f", 8, "1.5");
    value(5, 0, -1, 0, "\0\0\0\0\0\0\xf8\x7f", 8, "\"NaN\"");
    value(5, 0, -1, 0, "\0\0\0\0\0\0\xf0\xff", 8, "\"-Infinity\"");
    value(4, 0, -1, 0, "\xcd\xcc\x8c\x3f", 4, "1.1");
    value(7, 2, -1, 15, "\0\x3c", 2, "1.0");
    value(6, 0, 0, 0, "h\xc3\xa9\n", 4, "\"h\xc3\xa9\\u000a\"");
    value(6, 0, -1, 0, "hi", 2, "\"6869\"");
    value(3, 0, -1, 0, "abcdefghijkl", 12, "\"+4975721-06-05T20:24:48.207667809\"");
    value(1, 0, -1, 0, "abc", 3, "\"616263\""); /* no INT32 */
    value(7, 2, -1, 15, "abc", 3, "\"616263\"");
    value(5, 0, -1, 0, "", 0, "\"\"");
}

static bool append_json(taco__buf *to, const void *what, taco_error *e)
{
    return taco__footer_json_append((const taco__pq_metadata *)what, to, e);
}

static bool append_schema(taco__buf *to, const void *what, taco_error *e)
{
    return taco__schema_text_append((const taco__pq_metadata *)what, to, e);
}

/* A footer with all that is told, with too little room at each byte. */
static void too_little_room(void)
{
    chunk_spec c[2];
    c[0] = chunk_of(6, "a");
    c[0].min = "a\"b", c[0].max = "b", c[0].width = 1, c[0].nulls = 2;
    c[1] = chunk_of(1, "deep");
    c[1].path[1] = "x";
    w_schema(&w, 4);
    w_root(&w, 2);
    w_element(&w, 6, 0, "a", -1, 0);
    w_element(&w, -1, 0, "deep", 1, -1);
    w_element(&w, 1, 0, "x", -1, -1);
    w_list(&w, 4, 12, 1);
    w_begin(&w);
    w_list(&w, 1, 12, 2);
    w_chunk(&w, &c[0]);
    w_chunk(&w, &c[1]);
    w_i64(&w, 2, 60), w_i64(&w, 3, 3);
    w_list(&w, 4, 12, 2);
    w_begin(&w), w_i32(&w, 1, 0), w_bool(&w, 2, true), w_bool(&w, 3, false), w_end(&w);
    w_begin(&w), w_i32(&w, 1, 1), w_bool(&w, 2, false), w_bool(&w, 3, false), w_end(&w);
    w_end(&w);
    w_list(&w, 5, 12, 2);
    w_begin(&w), w_text(&w, 1, "k"), w_text(&w, 2, "v"), w_end(&w);
    w_begin(&w), w_text(&w, 1, "l"), w_text(&w, 2, "w"), w_end(&w);
    w_u8(&w, 0);
    begin();
    room_begin();
    every_room(append_json, &p.m);
    every_room(append_schema, &p.m);
    parse_done(&p);
}

int main(void)
{
    RUN(too_little_room);
    RUN(schema);
    RUN(empty_schema);
    RUN(json);
    RUN(order_and_box);
    RUN(values);
    return test_end("test_describe");
}
