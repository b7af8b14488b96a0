/* dataset/avro_*.c: object container files, written by hand byte by byte, read as Arrow columns. */
#include "places.h"
#include "../src/base/base.h"
#include "../src/dataset/dataset.h"
#include "../taco_parquet.h"
#include "../taco.h"

static taco__mem mem;
static taco__arena arena;
static taco__avro_table table;
static taco_error err;
static taco_limits limits;
static uint8_t file[70000];
static size_t len;
static test_memory heap;

static void begin(void)
{
    static taco_allocator a;
    taco_options opt;
    taco__arena_free(&arena);
    CHECK(mem.used == 0 && heap.live == 0);
    test_counted(&opt, &a, &heap);
    heap.all_after = true;
    taco__mem_init(&mem, &opt);
    arena.mem = &mem;
    memset(&err, 0, sizeof err);
    memset(&limits, 0, sizeof limits);
}

/* ---- writing by hand ---- */

static void put(const void *p, size_t n)
{
    CHECK(len + n <= sizeof file);
    if (len + n <= sizeof file) {
        memcpy(file + len, p, n);
        len += n;
    }
}

static void put_long(int64_t x)
{
    uint64_t z = (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0);
    do {
        uint8_t b = (uint8_t)((z & 0x7F) | (z > 0x7F ? 0x80 : 0));
        put(&b, 1);
        z >>= 7;
    } while (z);
}

static void put_text(const char *s)
{
    put_long((int64_t)strlen(s));
    put(s, strlen(s));
}

static void put_header(const char *schema, const char *codec)
{
    begin();
    len = 0;
    put("Obj\x01", 4);
    put_long(codec ? 2 : 1);
    put_text("avro.schema");
    put_text(schema);
    if (codec) {
        put_text("avro.codec");
        put_text(codec);
    }
    put_long(0);
    put("0123456789abcdef", 16);
}

static size_t put_block(int64_t rows, const char *data,
                        size_t n) /* returns where its data begins */
{
    size_t at;
    put_long(rows);
    put_long((int64_t)n);
    at = len;
    put(data, n);
    put("0123456789abcdef", 16);
    return at;
}

static taco_status read_bytes(size_t n)
{
    uint8_t *copy = (uint8_t *)malloc(n ? n : 1);
    taco_status s;
    memcpy(copy, file, n);
    s = taco__avro_read(&arena, taco__bytes_of(copy, n), &limits, &table, &err);
    free(copy); /* the table borrows nothing */
    CHECK(s == err.code && (s == TACO_OK || table.rows == 0));
    return s;
}

static taco_status read_file(void)
{
    return read_bytes(len);
}

#define RECORD(fields)    "{\"type\":\"record\",\"name\":\"T\",\"fields\":[" fields "]}"
#define FIELD(name, type) "{\"name\":\"" name "\",\"type\":" type "}"

/* A file of one column c and one block. */
static taco_status column(const char *type, int64_t rows, const char *data, size_t n)
{
    char schema[1024];
    snprintf(schema, sizeof schema, RECORD("{\"name\":\"c\",\"type\":%s}"), type);
    put_header(schema, "null");
    put_block(rows, data, n);
    return read_file();
}

static const char *text_at(const taco_array *a, size_t i)
{
    static char text[64];
    size_t n = (size_t)(a->offsets[i + 1] - a->offsets[i]);
    n = n < sizeof text ? n : sizeof text - 1;
    memcpy(text, a->v.u8 + a->offsets[i], n);
    text[n] = 0;
    return text;
}

static bool is_null(const taco_array *a, size_t i)
{
    return a->validity && !taco__bitmap_get(a->validity, i);
}

/* ---- tests ---- */

/* The shape of the first FOLDER datasets: every field a union of null and one type. */
static void table_of_the_reference(void)
{
    const taco_array *c;
    put_header(
        RECORD(FIELD("id", "[\"null\",\"string\"]") "," FIELD(
            "type",
            "[\"null\",\"string\"]") "," FIELD("cloud",
                                               "[\"null\",\"double\"]") "," FIELD("internal_COLON_"
                                                                                  "parent_id",
                                                                                  "[\"null\","
                                                                                  "\"long\"]")),
        NULL);
    put_block(2, "\2\4t0\2\14FOLDER\2\0\0\0\0\0\0\xF8\x3F\2\0\2\4t1\0\0\2\1", 31);
    put_block(0, "", 0);
    put_block(1, "\0\2\10FILE\2\0\0\0\0\0\0\x08\xC0\0", 17);
    CHECK(read_file() == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(table.field_count == 4 && table.rows == 3);
    c = table.columns;
    CHECK_TEXT(table.fields[0].name, "id");
    CHECK_TEXT(table.fields[3].name, "internal:parent_id");
    CHECK(table.fields[0].type == TACO_TEXT && table.fields[2].type == TACO_DOUBLE &&
          table.fields[3].type == TACO_INT64);
    CHECK(table.fields[0].nullable && table.fields[3].width == 8 && table.fields[3].leaf == 3 &&
          table.fields[3].leaf_count == 1);
    CHECK(c[0].length == 3 && c[0].null_count == 1 && is_null(&c[0], 2) &&
          c[0].field == &table.fields[0]);
    CHECK_TEXT(text_at(&c[0], 0), "t0");
    CHECK_TEXT(text_at(&c[0], 1), "t1");
    CHECK_TEXT(text_at(&c[0], 2), "");
    CHECK_TEXT(text_at(&c[1], 0), "FOLDER");
    CHECK(is_null(&c[1], 1));
    CHECK_TEXT(text_at(&c[1], 2), "FILE");
    CHECK(c[2].null_count == 1 && is_null(&c[2], 1));
    CHECK(c[2].v.f64[0] > 1.49 && c[2].v.f64[0] < 1.51 && c[2].v.f64[2] < -2.99 &&
          c[2].v.f64[2] > -3.01);
    CHECK(c[3].v.i64[0] == 0 && c[3].v.i64[1] == -1 && is_null(&c[3], 2));
    /* no rows, with a block and without */
    put_header(RECORD(FIELD("id", "[\"null\",\"string\"]")), "null");
    CHECK(read_file() == TACO_OK && table.rows == 0 && table.columns[0].offsets[0] == 0);
    put_header(RECORD(""), "");
    CHECK(read_file() == TACO_OK && table.field_count == 0);
}

static void types(void)
{
    const taco_array *c = NULL;
#define COLUMN(type, rows, data)                                                                   \
    (column(type, rows, data, sizeof(data) - 1) == TACO_OK ? (c = table.columns, true)             \
                                                           : (puts(err.text), false))
    CHECK(COLUMN("\"boolean\"", 3, "\1\0\1"));
    CHECK(c->field->type == TACO_BOOL && c->field->width == 0 && !c->field->nullable &&
          c->validity == NULL && c->v.u8[0] == 5);
    CHECK(COLUMN("\"int\"", 2, "\xFF\xFF\xFF\xFF\x0F\xFE\xFF\xFF\xFF\x0F"));
    CHECK(c->field->type == TACO_INT32 && c->v.i32[0] == INT32_MIN && c->v.i32[1] == INT32_MAX);
    CHECK(COLUMN("\"long\"", 2,
                 "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1"));
    CHECK(c->field->type == TACO_INT64 && c->v.i64[0] == INT64_MIN && c->v.i64[1] == INT64_MAX);
    CHECK(COLUMN("\"float\"", 1, "\0\0\xC0\x3F"));
    CHECK(c->field->type == TACO_FLOAT && c->v.f32[0] > 1.49F && c->v.f32[0] < 1.51F);
    CHECK(COLUMN("\"bytes\"", 1, "\6\0\xFFz"));
    CHECK(c->field->type == TACO_BINARY && c->offsets[1] == 3 &&
          memcmp(c->v.u8, "\0\xFFz", 3) == 0);
    CHECK(COLUMN("[\"string\",\"null\"]", 2, "\2\0\2x"));
    CHECK(is_null(c, 0) && c->null_count == 1);
    CHECK_TEXT(text_at(c, 1), "x");
    CHECK(COLUMN("[\"int\"]", 1, "\0\2"));
    CHECK(!c->field->nullable && c->v.i32[0] == 1);
    CHECK(COLUMN("[\"null\"]", 1, "\0"));
    CHECK(c->field->type == TACO_NULL && c->length == 1 && c->null_count == 1);
    CHECK(COLUMN("{\"type\":\"fixed\",\"name\":\"F\",\"size\":3}", 2, "abcdef"));
    CHECK(c->field->type == TACO_FIXED && c->field->width == 3 &&
          memcmp(c->v.u8, "abcdef", 6) == 0);
    CHECK(COLUMN("[\"null\",{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"RED\",\"\",\"B\"]}]",
                 3, "\2\0\0\2\4"));
    CHECK(c->field->type == TACO_TEXT && is_null(c, 1));
    CHECK_TEXT(text_at(c, 0), "RED");
    CHECK_TEXT(text_at(c, 2), "B");
    CHECK(COLUMN("{\"type\":{\"type\":\"int\"}}", 1, "\2"));
    CHECK(c->v.i32[0] == 1);
    /* logical types */
    CHECK(COLUMN("{\"type\":\"int\",\"logicalType\":\"date\"}", 1, "\2") &&
          c->field->type == TACO_DATE && c->field->width == 4);
    CHECK(COLUMN("{\"type\":\"int\",\"logicalType\":\"time-millis\"}", 1, "\2") &&
          c->field->type == TACO_TIME && c->field->unit == TACO_MILLI);
    CHECK(COLUMN("{\"type\":\"long\",\"logicalType\":\"time-micros\"}", 1, "\2") &&
          c->field->type == TACO_TIME && c->field->unit == TACO_MICRO);
    CHECK(COLUMN("{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}", 1, "\2") &&
          c->field->type == TACO_TIMESTAMP && c->field->unit == TACO_MICRO && c->field->utc);
    CHECK(COLUMN("{\"type\":\"long\",\"logicalType\":\"local-timestamp-nanos\"}", 1, "\2") &&
          c->field->type == TACO_TIMESTAMP && c->field->unit == TACO_NANO && !c->field->utc);
    CHECK(COLUMN("{\"type\":\"int\",\"logicalType\":\"timestamp-micros\"}", 1, "\2") &&
          c->field->type == TACO_INT32); /* not on int */
    CHECK(COLUMN("{\"type\":\"string\",\"logicalType\":\"uuid\"}", 1, "\2a") &&
          c->field->type == TACO_TEXT);
    CHECK(COLUMN("{\"type\":\"fixed\",\"name\":\"U\",\"size\":16,\"logicalType\":\"uuid\"}", 1,
                 "0123456789abcdef") &&
          c->field->type == TACO_UUID && c->field->width == 16);
    CHECK(COLUMN("{\"type\":\"fixed\",\"name\":\"D\",\"size\":12,\"logicalType\":\"duration\"}", 1,
                 "0123456789ab") &&
          c->field->type == TACO_INTERVAL);
    CHECK(COLUMN("{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}", 1,
                 "\4\xFF\x85"));
    CHECK(c->field->type == TACO_DECIMAL && c->field->width == 0 && c->field->precision == 9 &&
          c->field->scale == 2 && c->offsets[1] == 2);
    CHECK(COLUMN("[\"null\",{\"type\":\"fixed\",\"name\":\"X\",\"size\":2,\"logicalType\":"
                 "\"decimal\",\"precision\":4}]",
                 2, "\0\2\1\2"));
    CHECK(c->field->type == TACO_DECIMAL && c->offsets[1] == 0 && c->offsets[2] == 2 &&
          c->v.u8[1] == 2);
    CHECK(COLUMN("{\"type\":[\"null\",\"int\"]}", 1, "\2\2") && c->v.i32[0] == 1);
    /* the second branch is a null, too, which takes no more bytes */
    CHECK(COLUMN("[\"null\",{\"type\":\"null\"}]", 2, "\0\2") && c->field->type == TACO_NULL &&
          c->length == 2);
}

/* Logical types that are not valid are ignored. */
static void invalid_logical_types(void)
{
    static const char *const decimals[] = {"\"precision\":2,\"scale\":3",
                                           "\"precision\":2,\"scale\":-1",
                                           "\"precision\":2,\"scale\":\"1\"",
                                           "\"precision\":\"2\"",
                                           "\"precision\":0",
                                           "\"precision\":77",
                                           "\"scale\":0"};
    char type[200];
    size_t i;
    for (i = 0; i < TACO__COUNT(decimals); i++) {
        snprintf(type, sizeof type, "{\"type\":\"bytes\",\"logicalType\":\"decimal\",%s}",
                 decimals[i]);
        CHECK(column(type, 1, "\0", 1) == TACO_OK && table.fields[0].type == TACO_BINARY);
        snprintf(type, sizeof type,
                 "{\"type\":\"fixed\",\"name\":\"F\",\"size\":2,\"logicalType\":\"decimal\",%s}",
                 decimals[i]);
        CHECK(column(type, 1, "ab", 2) == TACO_OK && table.fields[0].type == TACO_FIXED &&
              table.fields[0].width == 2);
    }
    CHECK(column("{\"type\":\"fixed\",\"name\":\"F\",\"size\":2,\"logicalType\":\"uuid\"}", 1, "ab",
                 2) == TACO_OK &&
          table.fields[0].type == TACO_FIXED);
    CHECK(column("{\"type\":\"fixed\",\"name\":\"F\",\"size\":16}", 1, "0123456789abcdef", 16) ==
              TACO_OK &&
          table.fields[0].type == TACO_FIXED);
    CHECK(column("{\"type\":\"fixed\",\"name\":\"F\",\"size\":12}", 1, "0123456789ab", 12) ==
              TACO_OK &&
          table.fields[0].type == TACO_FIXED);
}

static void nested(void)
{
    const taco_array *c = NULL, *x;
    CHECK(COLUMN("[\"null\",{\"type\":\"array\",\"items\":[\"null\",\"int\"]}]", 4,
                 "\2\4\2\2\0\0\0\2\0\2\1\4\2\10\0"));
    CHECK(c->field->type == TACO_LIST && c->field->child_count == 1 && c->offsets[1] == 2 &&
          c->offsets[2] == 2 && c->offsets[4] == 3);
    CHECK(is_null(c, 1) && !is_null(c, 2) && c->null_count == 1);
    x = c->children;
    CHECK(x->length == 3 && x->v.i32[0] == 1 && is_null(x, 1) && x->v.i32[2] == 4 &&
          x->field->leaf_count == 1);
    CHECK(COLUMN("{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":\"float\"}}", 1,
                 "\2\2\0\0\x80\x3F\0\2\0\0"));
    CHECK(c->children->length == 2 && c->children->children->length == 1 &&
          c->children->offsets[2] == 1);
    CHECK(COLUMN("{\"type\":\"map\",\"values\":\"int\"}", 2, "\4\2a\2\2b\4\0\0"));
    CHECK(c->field->type == TACO_MAP && c->offsets[1] == 2 && c->offsets[2] == 2);
    x = c->children;
    CHECK(x->field->type == TACO_STRUCT && x->length == 2 && x->field->child_count == 2 &&
          x->field->leaf_count == 2);
    CHECK_TEXT(text_at(&x->children[0], 1), "b");
    CHECK(x->children[1].v.i32[1] == 2);
    CHECK_TEXT(x->field->children[1].name, "value");
    CHECK(COLUMN("{\"type\":\"map\",\"values\":\"null\"}", 2, "\4\2a\2b\0\0"));
    x = c->children;
    CHECK(c->offsets[1] == 2 && c->offsets[2] == 2 && x->children[1].length == 2 &&
          x->children[1].null_count == 2);
    CHECK_TEXT(text_at(&x->children[0], 1), "b");
    /* children of a null record are as long as it is */
    /* clang-format off */
    CHECK(COLUMN("[\"null\",{\"type\":\"record\",\"name\":\"R\",\"fields\":["
                 FIELD("i", "\"int\"") ","
                 FIELD("s", "[\"null\",\"string\"]") ","
                 FIELD("n", "\"null\"") ","
                 FIELD("b", "\"boolean\"") "]}]",
                 12, "\0\0\0\0\0\0\0\0\0\2\6\2\2z\1\0\0"));
    /* clang-format on */
    CHECK(c->length == 12 && c->null_count == 11 && !is_null(c, 9));
    x = c->children;
    CHECK(x[0].length == 12 && x[0].v.i32[9] == 3 && x[0].v.i32[0] == 0 && x[0].validity == NULL);
    CHECK(x[1].length == 12 && x[1].null_count == 11);
    CHECK_TEXT(text_at(&x[1], 9), "z");
    CHECK(x[2].length == 12 && x[2].null_count == 12 && x[2].field->type == TACO_NULL);
    CHECK(x[3].length == 12 && taco__bitmap_get(x[3].v.u8, 9) && !taco__bitmap_get(x[3].v.u8, 8));
    /* blocks of items, counted twice: by items and, negative, with their bytes */
    CHECK(COLUMN("{\"type\":\"array\",\"items\":\"int\"}", 1, "\1\2\2\3\4\4\6\0"));
    CHECK(c->offsets[1] == 3 && c->children->v.i32[2] == 3);
    CHECK(COLUMN("{\"type\":\"array\",\"items\":\"null\"}", 1, "\10\0") && c->offsets[1] == 4 &&
          c->children->length == 4);
    /* a record without fields takes no bytes, and is not null */
    CHECK(COLUMN("{\"type\":\"record\",\"name\":\"R\",\"fields\":[]}", 5, "") &&
          c->field->type == TACO_STRUCT && c->length == 5 && c->null_count == 0);
    CHECK(COLUMN("{\"type\":\"error\",\"name\":\"R\",\"fields\":[" FIELD("i", "\"int\"") "]}", 1,
                 "\4") &&
          c->field->type == TACO_STRUCT && c->children->v.i32[0] == 2);
    /* only nulls: the rows take no bytes */
    CHECK(COLUMN("\"null\"", 5, "") && table.rows == 5 && c->length == 5 && c->null_count == 5);
}

static void names(void)
{
    /* clang-format off */
    put_header("{\"type\":\"record\",\"name\":\"T\",\"namespace\":\"a.b\",\"fields\":["
               FIELD("x", "{\"type\":\"fixed\",\"name\":\"F\",\"size\":1}") ","
               FIELD("y", "\"F\"") ","
               FIELD("z", "\"a.b.F\"") ","
               FIELD("r", "{\"type\":\"record\",\"name\":\"c.R\",\"fields\":["
                          FIELD("e", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"s\"]}") ","
                          FIELD("f", "\"E\"") "]}") ","
               FIELD("q", "\"c.R\"") ","
               FIELD("e", "\"c.E\"") "]}",
               NULL);
    /* clang-format on */
    put_block(1, "123\0\0\0\0\0", 8);
    CHECK(read_file() == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(table.field_count == 6 && table.fields[2].type == TACO_FIXED &&
          table.columns[2].v.u8[0] == '3');
    CHECK(table.fields[4].child_count == 2 && table.fields[4].leaf == 5 &&
          table.fields[4].leaf_count == 2);
    CHECK_TEXT(text_at(&table.columns[5], 0), "s");
    /* one name in two namespaces, two names with one hash, and a name that is defined again */
    /* clang-format off */
    put_header(RECORD(
               FIELD("x", "{\"type\":\"fixed\",\"name\":\"a.F\",\"size\":1}") ","
               FIELD("y", "{\"type\":\"fixed\",\"name\":\"b.F\",\"size\":2}") ","
               FIELD("z", "\"a.F\"") ","
               FIELD("l", "{\"type\":\"fixed\",\"name\":\"liquid\",\"size\":1}") ","
               FIELD("c", "{\"type\":\"fixed\",\"name\":\"costarring\",\"size\":2}") ","
               FIELD("m", "{\"type\":\"liquid\"}") ","
               FIELD("n", "{\"type\":\"fixed\",\"name\":\"liquid\",\"size\":3}") ","
               FIELD("o", "\"liquid\"")), NULL);
    /* clang-format on */
    put_block(1, "12211221333333", 14);
    CHECK(read_file() == TACO_OK && table.rows == 1);
    CHECK_TEXT(err.text, "");
    CHECK(table.fields[1].width == 2 && table.fields[2].width == 1 && table.fields[5].width == 1 &&
          table.fields[6].width == 3 && table.fields[7].width == 3);
    CHECK(column("\"F\"", 0, "", 0) == TACO_ERR_CORRUPT);
    CHECK_TEXT(
        err.text,
        "avro.schema: field 'c': at byte 75: type 'F' is neither primitive nor defined before");
    CHECK(file[75] == '"' && file[76] == 'F');
    CHECK(column("{\"type\":\"array\",\"items\":\"T\"}", 0, "", 0) == TACO_ERR_UNSUPPORTED);
    CHECK(strstr(err.text, "type 'T' contains itself") != NULL);
}

static const char *schema_error(const char *type, taco_status want)
{
    CHECK(column(type, 0, "", 0) == want);
    return err.text;
}

static void schemas(void)
{
    char text[8000];
    size_t i, n;
    CHECK_TEXT(schema_error("[\"int\",\"string\"]", TACO_ERR_UNSUPPORTED),
               "avro.schema: field 'c': at byte 76: a union of 2 types, only one type with or "
               "without null is supported");
    CHECK_TEXT(schema_error("[\"null\",\"int\",\"string\"]", TACO_ERR_UNSUPPORTED),
               "avro.schema: field 'c': at byte 76: a union of 3 types, only one type with or "
               "without null is supported");
    CHECK_TEXT(schema_error("[]", TACO_ERR_UNSUPPORTED),
               "avro.schema: field 'c': at byte 75: a union of 0 types, only one type with or "
               "without null is supported");
    CHECK_TEXT(schema_error("[\"null\",[\"int\"]]", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 84: a union directly in a union");
    CHECK_TEXT(schema_error("7", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 75: a schema must be a name, an object or a union, "
               "found a number");
    CHECK_TEXT(schema_error("{}", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 75: a schema must have a type, found nothing");
    CHECK_TEXT(schema_error("{\"type\":\"array\"}", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 76: an array must have items");
    CHECK_TEXT(schema_error("{\"type\":\"map\"}", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 76: a map must have values");
    CHECK_TEXT(schema_error("{\"type\":\"fixed\"}", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 76: a named type must have a name, found nothing");
    CHECK_TEXT(schema_error("{\"type\":\"fixed\",\"name\":\"F\"}", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 76: a fixed type must have a size, found nothing");
    CHECK_TEXT(
        schema_error("{\"type\":\"fixed\",\"name\":\"F\",\"size\":-1}", TACO_ERR_CORRUPT),
        "avro.schema: field 'c': at byte 110: a fixed type must have a size, found a number");
    CHECK_TEXT(schema_error("{\"type\":\"fixed\",\"name\":\"F\",\"size\":2147483648}",
                            TACO_ERR_UNSUPPORTED),
               "avro.schema: field 'c': at byte 110: a fixed type of 2147483648 bytes, 1 to "
               "2147483647 are supported");
    CHECK(strstr(schema_error("[\"null\",7]", TACO_ERR_CORRUPT), "found a number") != NULL);
    CHECK(strstr(schema_error("{\"type\":\"F\"}", TACO_ERR_CORRUPT), "type 'F' is neither") !=
          NULL);
    CHECK(
        strstr(schema_error("{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"type\":\"int\"}]}",
                            TACO_ERR_CORRUPT),
               "a field must have a name and a type, found nothing and a string") != NULL);
    CHECK_TEXT(schema_error("{\"type\":\"fixed\",\"name\":\"F\",\"size\":0}", TACO_ERR_UNSUPPORTED),
               "avro.schema: field 'c': at byte 110: a fixed type of 0 bytes, 1 to 2147483647 are "
               "supported");
    CHECK_TEXT(
        schema_error("{\"type\":\"enum\",\"name\":\"E\"}", TACO_ERR_CORRUPT),
        "avro.schema: field 'c': at byte 76: an enum must have an array of symbols, found nothing");
    CHECK_TEXT(schema_error("{\"type\":\"record\",\"name\":\"R\",\"fields\":{}}", TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 76: a record must have an array of fields, found "
               "an object");
    CHECK_TEXT(schema_error("{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"d\"}]}",
                            TACO_ERR_CORRUPT),
               "avro.schema: field 'c': at byte 114: a field must have a name and a type, found a "
               "string and nothing");
    CHECK_TEXT(schema_error("tru", TACO_ERR_CORRUPT),
               "avro.schema: at byte 75: expected a value, found 't'");
    put_header("\"int\"", NULL);
    CHECK(read_file() == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "avro.schema: at byte 18: rows must be records");
    /* fields that double at every step: named types are expanded, and counted */
    strcpy(text, "{\"type\":\"record\",\"name\":\"T\",\"fields\":[");
    for (i = 0; i < 30; i++) {
        n = strlen(text);
        snprintf(
            text + n, sizeof text - n,
            i ? "%s{\"name\":\"x\",\"type\":{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[{"
                "\"name\":\"a\",\"type\":\"R%d\"},{\"name\":\"b\",\"type\":\"R%d\"}]}}"
              : "%s{\"name\":\"x\",\"type\":{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[]}}",
            i ? "," : "", (int)i, (int)i - 1, (int)i - 1);
    }
    strcat(text, "]}");
    put_header(text, NULL);
    CHECK(read_file() == TACO_ERR_LIMIT &&
          strstr(err.text, "a schema of more than 65536 fields, limits.max_columns is 65536") !=
              NULL);
    /* names are looked up in a list, so there is an end to them */
    {
        static char many[65000];
        strcpy(many, "{\"type\":\"record\",\"name\":\"T\",\"fields\":[");
        for (i = 0, n = strlen(many); i < 1024; i++) {
            n += (size_t)snprintf(
                many + n, sizeof many - n,
                "%s{\"name\":\"x\",\"type\":{\"type\":\"fixed\",\"name\":\"N%d\",\"size\":1}}",
                i ? "," : "", (int)i);
        }
        strcpy(many + n, "]}");
        put_header(many, NULL);
        CHECK(read_file() == TACO_ERR_UNSUPPORTED &&
              strstr(err.text, "more than 1024 named types") != NULL); /* T is one, too */
    }
    /* and so there is to reading a long definition for each of its uses */
    {
        static char many[65000];
        strcpy(many, "{\"type\":\"record\",\"name\":\"T\",\"fields\":[{\"name\":\"x\",\"type\":{"
                     "\"type\":\"fixed\",\"name\":\"N\",\"size\":1,\"junk\":[0");
        for (i = 0, n = strlen(many); i < 20000; i++) {
            many[n++] = ',';
            many[n++] = '0';
        }
        strcpy(many + n, "]}}");
        for (i = 0, n = strlen(many); i < 840; i++) {
            n += (size_t)snprintf(many + n, sizeof many - n, ",{\"name\":\"y\",\"type\":\"N\"}");
        }
        strcpy(many + n, "]}");
        put_header(many, NULL);
        CHECK(read_file() == TACO_ERR_UNSUPPORTED &&
              strstr(err.text, "named types that expand to more than 16777216 values of JSON") !=
                  NULL);
    }
    put_header(RECORD(FIELD("a", "\"int\"") "," FIELD("b", "\"int\"")), NULL);
    limits.max_columns = 1;
    CHECK(read_file() == TACO_ERR_LIMIT);
    CHECK_TEXT(err.text, "avro.schema: a schema of more than 1 fields, limits.max_columns is 1");
    put_header(
        RECORD(FIELD("a", "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":\"int\"}}")),
        NULL);
    limits.max_depth = 2;
    CHECK(read_file() == TACO_ERR_LIMIT);
    /* lists and maps make columns, too */
    for (i = 1; i < 5; i++) {
        put_header(RECORD(FIELD("a", "{\"type\":\"map\",\"values\":\"int\"}")), NULL);
        limits.max_columns = (uint32_t)i;
        CHECK(read_file() == (i < 4 ? TACO_ERR_LIMIT : TACO_OK));
    }
    /* each type has a field of the one before it */
    strcpy(text, "{\"type\":\"record\",\"name\":\"T\",\"fields\":["
                 "{\"name\":\"x\",\"type\":{\"type\":\"fixed\",\"name\":\"R0\",\"size\":1}}");
    for (i = 1; i < 30; i++) {
        n = strlen(text);
        snprintf(text + n, sizeof text - n,
                 ",{\"name\":\"x\",\"type\":{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[{"
                 "\"name\":\"a\",\"type\":\"R%d\"}]}}",
                 (int)i, (int)i - 1);
    }
    strcat(text, "]}");
    put_header(text, NULL);
    limits.max_depth = 20;
    CHECK(read_file() == TACO_ERR_LIMIT &&
          strstr(err.text, "types nested deeper than 20, limits.max_depth is 20") != NULL);
    limits.max_depth = 64;
    put_header(RECORD(""), "snappy");
    CHECK(read_file() == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "avro.codec 'snappy', only null and deflate are supported");
}

static void containers(void)
{
    size_t at, n;
    begin();
    memcpy(file, "PAR1", 4);
    CHECK(read_bytes(4) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: an Avro file must begin with 'Obj\\x01', found 'PAR1'");
    begin();
    CHECK(read_bytes(0) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "at byte 0: an Avro file must begin with 'Obj\\x01', found ''");
    begin();
    len = 0;
    put("Obj\x01\0"
        "0123456789abcdef",
        21);
    CHECK(read_file() == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "at byte 0: the header has no avro.schema");
    begin(); /* 2^62 entries of metadata */
    len = 4;
    put_long(INT64_MAX);
    put("\0\0\0\0", 4);
    CHECK(read_file() == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 18: the header does not end in the 18 bytes of the file");

    put_header(RECORD(FIELD("c", "\"string\"")), NULL);
    at = len;
    put_block(2, "\2a\2b", 4);
    /* cut anywhere, it is said to be short; but for the place where a block could begin */
    for (n = 0; n < len; n++) {
        taco_status s;
        begin();
        s = read_bytes(n);
        CHECK(s == (n < 4 ? TACO_ERR_CORRUPT : n == at ? TACO_OK : TACO_ERR_TRUNCATED));
    }
    begin();
    CHECK(read_bytes(at + 1) == TACO_ERR_TRUNCATED && err.offset == at);
    CHECK(strstr(err.text, ": a block begins in the last 1 bytes of the file") != NULL);
    begin();
    CHECK(read_bytes(len - 1) == TACO_ERR_TRUNCATED && err.offset == at);
    CHECK(strstr(err.text, ": a block of 4 bytes and 16 of its sync marker, 19 are left") != NULL);
    file[len - 3] ^= 1;
    begin();
    CHECK(read_file() == TACO_ERR_CORRUPT && err.offset == len - 16);
    CHECK(strstr(err.text, ": the sync marker after the block at byte ") &&
          strstr(err.text, " is not that of the header"));
    file[len - 3] ^= 1;
    begin();
    limits.max_metadata = len - 1;
    CHECK(read_file() == TACO_ERR_LIMIT &&
          strstr(err.text, "bytes of Avro, limits.max_metadata is") != NULL);

    put_header(RECORD(FIELD("c", "\"string\"")), NULL);
    at = len;
    put_block(-1, "", 0);
    CHECK(read_file() == TACO_ERR_CORRUPT && err.offset == at &&
          strstr(err.text, ": a block of -1 rows and 0 bytes") != NULL);
    put_header(RECORD(FIELD("c", "\"string\"")), NULL);
    at = put_block(INT64_C(1) << 60, "\2a", 2);
    CHECK(read_file() == TACO_ERR_CORRUPT && err.offset == at &&
          strstr(err.text, ": a block claims 1152921504606846976 rows in 2 bytes") != NULL);
    put_header(RECORD(FIELD("c", "\"null\"")), NULL);
    put_block(INT64_C(1) << 60, "", 0);
    CHECK(read_file() == TACO_ERR_UNSUPPORTED &&
          strstr(err.text,
                 ": 1152921504606846976 values of 0 bytes, more than the file has bytes") != NULL);
    put_header(RECORD(FIELD("c", "\"string\"")), NULL);
    at = put_block(1, "\2a!", 3);
    CHECK(read_file() == TACO_ERR_CORRUPT && err.offset == at + 2 &&
          strstr(err.text, ": 1 bytes are left in a block after its last row") != NULL);
}

/* Metadata in several blocks, whose counts may be negative and followed by a size. */
static void metadata_in_blocks(void)
{
    static const char schema[] = RECORD(FIELD("c", "\"string\""));
    size_t at;
    begin();
    len = 0;
    put("Obj\x01", 4);
    put_long(-2);
    put_long(17);
    put_text("avro.codec");
    put_text("null");
    put_text("");
    put_text("");
    put_long(1);
    put_text("avro.schema");
    put_text(schema);
    put_long(0);
    put("0123456789abcdef", 16);
    at = len;
    put_block(1, "\2a", 2);
    CHECK(read_file() == TACO_OK && table.rows == 1);
    CHECK_TEXT(err.text, "");
    begin();
    len = 4;
    put_long(-1); /* a value of a length below 0 */
    put_long(3);
    put_text("k");
    put_long(-1);
    put_long(0);
    put("0123456789abcdef", 16);
    CHECK(read_file() == TACO_ERR_TRUNCATED && at > len);
}

static void rows(void)
{
    static const struct {
        const char *type, *data;
        size_t len;
        taco_status code;
        uint32_t at; /* in the block */
        const char *message;
    } cases[] = {
        {"\"string\"", "\4a", 2, TACO_ERR_CORRUPT, 0,
         "a string of 2 bytes, 1 are left in its block"},
        {"\"string\"", "\1", 1, TACO_ERR_CORRUPT, 0,
         "a string of -1 bytes, 0 are left in its block"},
        {"\"bytes\"", "\4a", 2, TACO_ERR_CORRUPT, 0, "a value of 2 bytes, 1 are left in its block"},
        {"{\"type\":\"record\",\"name\":\"R\",\"fields\":[" FIELD("i", "\"int\"") "]}", "\x80", 1,
         TACO_ERR_CORRUPT, 1, "a value runs past the end of its block, 0 bytes are left"},
        {"\"bytes\"", "\x80", 1, TACO_ERR_CORRUPT, 1,
         "a value runs past the end of its block, 0 bytes are left"},
        {"\"int\"", "\x80\x80\x80\x80\x10", 5, TACO_ERR_CORRUPT, 0,
         "an int of 2147483648, it has 32 bits"},
        {"\"long\"", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\2", 10, TACO_ERR_CORRUPT, 10,
         "a value runs past the end of its block, 0 bytes are left"},
        {"\"double\"", "1234567", 7, TACO_ERR_CORRUPT, 0,
         "a value runs past the end of its block, 7 bytes are left"},
        {"\"boolean\"", "\2", 1, TACO_ERR_CORRUPT, 0, "a boolean of 0x2, it is 0 or 1"},
        {"[\"null\",\"int\"]", "\4\0", 2, TACO_ERR_CORRUPT, 0, "branch 2 of a union of 2"},
        {"[\"int\"]", "\1", 1, TACO_ERR_CORRUPT, 0, "branch -1 of a union of 1"},
        {"{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"a\"]}", "\2", 1, TACO_ERR_CORRUPT, 0,
         "symbol 1, the enum has 1"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\x80\x80\x80\x80\x80\x80\x80\x80\x40\0\0", 11,
         TACO_ERR_CORRUPT, 0, "2305843009213693952 items in 2 bytes"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\2\2", 2, TACO_ERR_CORRUPT, 2,
         "a value runs past the end of its block, 0 bytes are left"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\1\4\2\0", 4, TACO_ERR_CORRUPT, 0,
         "items that end before the bytes they claim"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\3\2\2\2\0", 5, TACO_ERR_CORRUPT, 0,
         "items that end after the bytes they claim"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\1\100\2\0", 4, TACO_ERR_CORRUPT, 0,
         "items of 32 bytes, 2 are left"},
        {"{\"type\":\"array\",\"items\":\"null\"}", "\x80\x80\x80\x80\x80\x80\x80\x80\x40\0", 10,
         TACO_ERR_UNSUPPORTED, 9,
         "2305843009213693952 values of 0 bytes, more than the file has bytes"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1\0\0", 12,
         TACO_ERR_CORRUPT, 0, "9223372036854775808 items in 1 bytes"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\x80", 1, TACO_ERR_CORRUPT, 1,
         "a value runs past the end of its block, 0 bytes are left"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\1\x80", 2, TACO_ERR_CORRUPT, 2,
         "a value runs past the end of its block, 0 bytes are left"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "\1\1\2", 3, TACO_ERR_CORRUPT, 0,
         "items of -1 bytes, 1 are left"},
        {"{\"type\":\"map\",\"values\":\"int\"}", "\2\2a", 3, TACO_ERR_CORRUPT, 3,
         "a value runs past the end of its block, 0 bytes are left"},
        {"{\"type\":\"map\",\"values\":\"int\"}", "\2\4a", 3, TACO_ERR_CORRUPT, 1,
         "a string of 2 bytes, 1 are left in its block"},
        {"{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"a\"]}", "\1", 1, TACO_ERR_CORRUPT, 0,
         "symbol -1, the enum has 1"},
        {"{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"a\"]}", "\x80", 1, TACO_ERR_CORRUPT, 1,
         "a value runs past the end of its block, 0 bytes are left"},
        {"[\"null\",\"int\"]", "\x80", 1, TACO_ERR_CORRUPT, 1,
         "a value runs past the end of its block, 0 bytes are left"},
    };

    char text[256];
    size_t i, at;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        CHECK(column(cases[i].type, 1, cases[i].data, cases[i].len) == cases[i].code);
        at = len - 16 - cases[i].len + cases[i].at;
        snprintf(text, sizeof text, "row 0, column 'c': at byte %u: %s", (unsigned)at,
                 cases[i].message);
        CHECK_TEXT(err.text, text);
        CHECK(err.offset == at);
    }
    CHECK(column("\"int\"", 3, "\2\2\x80", 3) == TACO_ERR_CORRUPT &&
          strstr(err.text, "row 2, column 'c'") == err.text);
    /* a null of a large type is as large as a value, and memory has a limit */
    put_header(
        RECORD(FIELD("c", "[\"null\",{\"type\":\"fixed\",\"name\":\"F\",\"size\":1000000}]")),
        NULL);
    put_block(2, "\0\0", 2);
    mem.limit = 1 << 20;
    CHECK(read_file() == TACO_ERR_LIMIT &&
          strstr(err.text, "limits.max_memory is 1048576") != NULL);
}

/* Blocks of rows without bytes, of fewer than no bytes; no limits, and nobody who asks why. */
static void odd_blocks(void)
{
    put_header(RECORD(""), NULL);
    put_block(INT64_MAX, "", 0);
    CHECK(read_file() == TACO_ERR_UNSUPPORTED &&
          strstr(err.text, "9223372036854775807 values of 0 bytes, more than the file has bytes") !=
              NULL);
    put_header(RECORD(""), NULL);
    put_block(1, "x", 1);
    CHECK(read_file() == TACO_ERR_CORRUPT &&
          strstr(err.text, "1 bytes are left in a block after its last row") != NULL);
    put_header(RECORD(FIELD("c", "\"int\"")), NULL);
    put_long(1);
    put_long(-1);
    CHECK(read_file() == TACO_ERR_CORRUPT &&
          strstr(err.text, "a block of 1 rows and -1 bytes") != NULL);
    put_header(RECORD(FIELD("c", "\"int\"")), NULL);
    put_long(-1);
    put_long(1);
    CHECK(read_file() == TACO_ERR_CORRUPT &&
          strstr(err.text, "a block of -1 rows and 1 bytes") != NULL);
    put_header(RECORD(FIELD("c", "\"int\"")), NULL);
    put_block(1, "\2", 1);
    CHECK(taco__avro_read(&arena, taco__bytes_of(file, len), NULL, &table, NULL) == TACO_OK &&
          table.rows == 1 && table.columns->v.i32[0] == 1);
    CHECK(taco__avro_read(&arena, taco__bytes_of(NULL, 0), NULL, &table, NULL) == TACO_ERR_CORRUPT);
}

static void inflated(void)
{
    /* a stored block and a final one with fixed codes, both of RFC 1951, around "\2a\2b" and
       "\2c" */
    size_t at;
    put_header(RECORD(FIELD("c", "\"string\"")), "deflate");
    put_block(2, "\1\4\0\xFB\xFF\2a\2b", 9);
    put_block(1, "\1\2\0\xFD\xFF\2c", 7);
    CHECK(read_file() == TACO_OK && table.rows == 3);
    CHECK_TEXT(err.text, "");
    CHECK_TEXT(text_at(table.columns, 1), "b");
    CHECK_TEXT(text_at(table.columns, 2), "c");
    put_header(RECORD(FIELD("c", "\"string\"")), "deflate");
    at = put_block(1, "\1\2\0\xFD\xFF\4c", 7);
    CHECK(read_file() == TACO_ERR_CORRUPT && err.offset == at);
    CHECK(strstr(err.text, ": a string of 2 bytes, 1 are left in its block") != NULL);
    put_header(RECORD(FIELD("c", "\"string\"")), "deflate");
    put_block(1, "\7\0", 2);
    CHECK(read_file() == TACO_ERR_CORRUPT && strncmp(err.text, "deflate block at byte ", 22) == 0);
    put_header(RECORD(FIELD("c", "\"string\"")), "deflate");
    put_block(2, "\1\4\0\xFB\xFF\2a\2b", 9);
    put_block(0, "\1\2\0\xFD\xFF\2c", 7);
    CHECK(read_file() == TACO_ERR_CORRUPT);
    put_header(RECORD(FIELD("c", "\"string\"")), "deflate");
    {
        static char block[305];
        memset(block, 'x', sizeof block);
        memcpy(block, "\1\54\1\xD3\xFE\xD4\4", 7);
        put_block(1, block, sizeof block);
        put_block(1, block, sizeof block);
        limits.max_metadata = len; /* 600 bytes unpacked are less */
        CHECK(read_file() == TACO_OK && table.rows == 2 && table.columns->offsets[2] == 596);
    }
    /* 5002 bytes in 25 */
    put_header(RECORD(FIELD("c", "\"string\"")), "deflate");
    put_block(1,
              "\355\301\061\001\000\000\014\002\240\206\313\143\214\105\066\205\037\360\027\000\000"
              "\000\000\140\256",
              25);
    put_block(1,
              "\355\301\061\001\000\000\014\002\240\206\313\143\214\105\066\205\037\360\027\000\000"
              "\000\000\140\256",
              25);
    limits.max_metadata = 10004;
    CHECK(read_file() == TACO_OK && table.rows == 2 && table.columns->offsets[2] == 10000);
    begin();
    limits.max_metadata = 10003;
#ifdef TACO_PARQUET_INFLATE /* a host's decoder does not say why it refuses */
    CHECK(read_file() == TACO_ERR_CORRUPT);
#else
    CHECK(read_file() == TACO_ERR_LIMIT &&
          strstr(err.text,
                 ": blocks of more than 10003 bytes unpacked, limits.max_metadata is 10003") !=
              NULL);
#endif
}

/* Values of every layout, some behind records that are null: each piece of memory is missing once. */
static void each_piece(void)
{
    static const char bytes[] = "\0\0\4\0\2\1\0\0"
                                "\2\1\4\4ab\2\2x\0\2\2k\2\0\2\6\0\0"
                                "\0\0\0\0";
    taco_status s = TACO_ERR_MEMORY;
    size_t i;
    places_exact = true;
    for (i = 1; s == TACO_ERR_MEMORY && i < 1000; i++) {
        /* clang-format off */
        put_header(RECORD(
            FIELD("r", "[\"null\",{\"type\":\"record\",\"name\":\"R\",\"fields\":["
                       FIELD("b", "\"boolean\"") ","
                       FIELD("i", "\"int\"") ","
                       FIELD("d", "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9}") ","
                       FIELD("a", "{\"type\":\"array\",\"items\":\"string\"}") ","
                       FIELD("m", "{\"type\":\"map\",\"values\":\"int\"}") "]}]") ","
            FIELD("n", "[\"null\",\"int\"]") ","
            FIELD("l", "{\"type\":\"array\",\"items\":[\"null\",\"boolean\"]}") ","
            FIELD("e", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"s\"]}")), "null");
        /* clang-format on */
        put_block(3, bytes, sizeof bytes - 1);
        heap.all_after = false;
        heap.fail_at = heap.calls + i;
        s = read_file();
        CHECK(s == TACO_ERR_MEMORY || s == TACO_OK);
    }
    CHECK(s == TACO_OK && i > 60);
    places_exact = false;
}

/* Fails at every allocation in turn, and leaks nothing. */
static void memory(void)
{
    int i;
    taco_status s = TACO_ERR_MEMORY;
    for (i = 0; s == TACO_ERR_MEMORY && i < 1000; i++) {
        put_header(
            RECORD(FIELD("a", "[\"null\",{\"type\":\"array\",\"items\":\"string\"}]") "," FIELD(
                "m",
                "{\"type\":\"map\",\"values\":\"int\"}") "," FIELD("e",
                                                                   "{\"type\":\"enum\","
                                                                   "\"name\":\"E\",\"symbols\":"
                                                                   "[\"s\"]}") "," FIELD("f",
                                                                                         "\"E"
                                                                                         "\"")),
            "null");
        put_block(1, "\2\2\2x\0\2\2k\2\0\0\0", 12);
        heap.fail_at = heap.calls + (size_t)i + 1;
        s = read_file();
    }
    CHECK(s == TACO_OK && i > 10);
}

int main(void)
{
    RUN(table_of_the_reference);
    RUN(types);
    RUN(invalid_logical_types);
    RUN(nested);
    RUN(names);
    RUN(schemas);
    RUN(containers);
    RUN(metadata_in_blocks);
    RUN(rows);
    RUN(odd_blocks);
    RUN(inflated);
    RUN(each_piece);
    RUN(memory);
    begin();
    return test_end("test_avro");
}
