/* parquet/footer.c, page_header.c, page_index.c: footers, page headers and page indexes made by
   hand: what is read, what is tolerated, what is refused, and the messages. */
#include "../src/parquet/schema.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "test.h"

#include "alloc.h"
#include "footer.h"

static wr w;
static parsed p;

/* Parses w and compares the failure; `at` is a length w had, the place of the fault. */
static void refuse(taco_status code, size_t at, const char *what)
{
    char text[600];
    CHECK(parse_footer(&p, &w, NULL) == code);
    sprintf(text, "at byte %u: %s", (unsigned)(FOOTER_AT + at), what);
    CHECK(p.err.offset == FOOTER_AT + at);
    CHECK_TEXT(p.err.text, text);
    parse_done(&p);
}

/* ---- a whole footer
   --------------------------------------------------------------------------- */

static void whole(void)
{
    chunk_spec c[2];
    int g;
    c[0] = chunk_of(2, "a");
    c[1] = chunk_of(6, "b");
    c[0].dict = 4;
    c[0].data = 20;
    c[0].codec = 6;
    c[0].nulls = 0;
    c[0].offset_index = 600;
    c[0].column_index = 700;
    c[0].bloom = 500;
    c[0].bloom_length = 32;
    c[1].data = 54;
    w_schema(&w, 3);
    w_root(&w, 2);
    w_element_open(&w, 2, 0, "a", -1);
    w_i32(&w, 9, 77); /* field_id */
    w_end(&w);
    w_element(&w, 6, 1, "b", -1, 0);
    w_i64(&w, 3, 6);
    w_list(&w, 4, 12, 2);
    for (g = 0; g < 2; g++) {
        w_group(&w, c, 2, 3);
    }
    w_list(&w, 5, 12, 2);
    w_begin(&w), w_text(&w, 1, "key"), w_text(&w, 2, "value"), w_end(&w);
    w_begin(&w), w_text(&w, 1, "bare"), w_end(&w);
    w_text(&w, 6, "someone version 1.2");
    w_list(&w, 7, 12, 2);
    w_begin(&w), w_open(&w, 1), w_end(&w), w_end(&w);
    w_begin(&w), w_open(&w, 9), w_end(&w), w_end(&w);
    w_open(&w, 8), w_open(&w, 1), w_end(&w), w_end(&w);
    w_text(&w, 9, "signed");
    w_text(&w, 100, "of the future");
    w_u8(&w, 0);
    w_u8(&w, 0x55); /* a signature follows the footer of encrypted files */
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK_TEXT(p.err.text, "");
    CHECK(p.m.version == 1 && p.m.num_rows == 6 && p.m.claimed_rows == 6);
    CHECK(p.m.file_size == FOOTER_AT + w.n + 8 && p.m.footer_offset == FOOTER_AT &&
          p.m.footer_size == w.n);
    CHECK(taco__bytes_equal(p.m.created_by, taco__bytes_text("someone version 1.2")));
    CHECK(p.m.element_count == 3 && p.m.leaf_count == 2 && p.m.column_count == 2 &&
          p.m.group_count == 2);
    CHECK(p.m.pair_count == 2 && taco__bytes_equal(p.m.pairs[0].value, taco__bytes_text("value")) &&
          !p.m.pairs[1].value.data);
    CHECK(p.m.encryption == 1 && taco__bytes_equal(p.m.signing_key, taco__bytes_text("signed")));
    CHECK(p.m.has_orders && p.m.leaves[0].order == TACO__PQ_ORDER_TYPE &&
          p.m.leaves[1].order == TACO__PQ_ORDER_OTHER);
    CHECK_TEXT(p.m.columns[1].name, "b");
    CHECK(p.m.columns[1].type == TACO_TEXT && p.m.columns[1].nullable && !p.m.columns[0].nullable);
    CHECK(p.m.elements[1].has_field_id && p.m.elements[1].field_id == 77 &&
          !p.m.elements[2].has_field_id);
    if (p.status == TACO_OK) {
        const taco__pq_column_chunk *k = &p.m.groups[1].chunks[0];
        CHECK(p.m.groups[1].first_row == 3 && p.m.groups[1].rows == 3 &&
              p.m.groups[1].total_byte_size == 60);
        CHECK(k->pages.offset == 4 && k->pages.len == 50 && k->data_offset == 20 &&
              k->dictionary_offset == 4);
        CHECK(k->codec == TACO__PQ_CODEC_ZSTD && k->num_values == 3 &&
              k->encodings == (1U | 1U << 3));
        CHECK(k->offset_index.offset == 600 && k->offset_index.len == 10 &&
              k->column_index.offset == 700);
        CHECK(k->bloom.offset == 500 && k->bloom.len == 32 && k->stats.present &&
              k->stats.null_count == 0);
        CHECK(k->stats.distinct_count == -1 && !k->stats.min.data && !k->encrypted && !k->external);
        CHECK(!p.m.groups[0].chunks[1].stats.present &&
              p.m.groups[0].chunks[1].stats.null_count == -1);
    }
    parse_done(&p);
}

/* Fields may come in any order: here the row groups stand before the schema they need. */
static void any_order(void)
{
    chunk_spec c = chunk_of(1, "a");
    w_init(&w);
    w_list(&w, 7, 12, 1);
    w_begin(&w), w_open(&w, 1), w_end(&w), w_end(&w);
    w_list(&w, 4, 12, 1);
    w_group(&w, &c, 1, 3);
    w_list(&w, 2, 12, 2);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_u8(&w, 0);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK(p.m.num_rows == 3 && p.m.group_count == 1 && p.m.leaves[0].order == TACO__PQ_ORDER_TYPE);
    parse_done(&p);
}

/* fastparquet's repetition is a boolean, whether there are nulls, with has_nulls='infer'. */
static void boolean_repetition(void)
{
    int k;
    w_schema(&w, 3);
    w_root(&w, 2);
    for (k = 0; k < 2; k++) {
        w_begin(&w);
        w_i32(&w, 1, 1);
        w_bool(&w, 3, k == 1);
        w_text(&w, 4, k ? "maybe" : "never");
        w_end(&w);
    }
    w_i64(&w, 3, 0);
    w_list(&w, 4, 12, 0);
    w_u8(&w, 0);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK_TEXT(p.err.text, "");
    CHECK(p.m.column_count == 2 && !p.m.columns[0].nullable && p.m.columns[1].nullable);
    parse_done(&p);
}

static void no_columns(void)
{
    w_schema(&w, 1);
    w_root(&w, 0);
    w_i64(&w, 3, 5);
    w_list(&w, 4, 12, 1);
    w_begin(&w), w_list(&w, 1, 12, 0), w_i64(&w, 3, 5), w_end(&w);
    w_u8(&w, 0);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK(p.m.num_rows == 5 && p.m.column_count == 0 && p.m.leaf_count == 0);
    parse_done(&p);
    w_schema(&w, 1);
    w_root(&w, -1);
    w_list(&w, 4, 12, 0);
    w_u8(&w, 0);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK && p.m.num_rows == 0 && p.m.group_count == 0);
    parse_done(&p);
}

/* ---- types
   ---------------------------------------------------------------------------------------- */

/* a column and what becomes of it */
typedef struct kind {
    int type, length, converted, precision, scale;
    int logical; /* member of the union; its parameters: */
    int x, y;    /* DECIMAL scale, precision; TIME utc, unit; INTEGER bits, signed */
    taco_type want;
    int width, unit, utc;
    const char *name; /* Arrow's */
} kind;

static const kind kinds[] = {
    {0, 0, -1, -1, -1, 0, 0, 0, TACO_BOOL, 0, 0, 0, "bool"},
    {1, 0, -1, -1, -1, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {2, 0, -1, -1, -1, 0, 0, 0, TACO_INT64, 8, 0, 0, "int64"},
    {3, 0, -1, -1, -1, 0, 0, 0, TACO_INT96, 12, 0, 0, "timestamp[ns]"},
    {4, 0, -1, -1, -1, 0, 0, 0, TACO_FLOAT, 4, 0, 0, "float"},
    {5, 0, -1, -1, -1, 0, 0, 0, TACO_DOUBLE, 8, 0, 0, "double"},
    {6, 0, -1, -1, -1, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {7, 5, -1, -1, -1, 0, 0, 0, TACO_FIXED, 5, 0, 0, "fixed_size_binary[5]"},
    /* converted types */
    {6, 0, 0, -1, -1, 0, 0, 0, TACO_TEXT, 0, 0, 0, "string"},
    {6, 0, 4, -1, -1, 0, 0, 0, TACO_TEXT, 0, 0, 0, "string"},
    {6, 0, 19, -1, -1, 0, 0, 0, TACO_TEXT, 0, 0, 0, "string"},
    {6, 0, 20, -1, -1, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {1, 0, 6, -1, -1, 0, 0, 0, TACO_DATE, 4, 0, 0, "date32[day]"},
    {1, 0, 7, -1, -1, 0, 0, 0, TACO_TIME, 4, TACO_MILLI, 1, "time32[ms]"},
    {2, 0, 8, -1, -1, 0, 0, 0, TACO_TIME, 8, TACO_MICRO, 1, "time64[us]"},
    {2, 0, 9, -1, -1, 0, 0, 0, TACO_TIMESTAMP, 8, TACO_MILLI, 1, "timestamp[ms, tz=UTC]"},
    {2, 0, 10, -1, -1, 0, 0, 0, TACO_TIMESTAMP, 8, TACO_MICRO, 1, "timestamp[us, tz=UTC]"},
    {1, 0, 11, -1, -1, 0, 0, 0, TACO_UINT8, 1, 0, 0, "uint8"},
    {1, 0, 12, -1, -1, 0, 0, 0, TACO_UINT16, 2, 0, 0, "uint16"},
    {1, 0, 13, -1, -1, 0, 0, 0, TACO_UINT32, 4, 0, 0, "uint32"},
    {2, 0, 14, -1, -1, 0, 0, 0, TACO_UINT64, 8, 0, 0, "uint64"},
    {1, 0, 15, -1, -1, 0, 0, 0, TACO_INT8, 1, 0, 0, "int8"},
    {1, 0, 16, -1, -1, 0, 0, 0, TACO_INT16, 2, 0, 0, "int16"},
    {1, 0, 17, -1, -1, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {2, 0, 18, -1, -1, 0, 0, 0, TACO_INT64, 8, 0, 0, "int64"},
    {7, 12, 21, -1, -1, 0, 0, 0, TACO_INTERVAL, 12, 0, 0, "fixed_size_binary[12]"},
    {1, 0, 5, 9, 2, 0, 0, 0, TACO_DECIMAL, 16, 0, 0, "decimal128(9, 2)"},
    {2, 0, 5, 18, 0, 0, 0, 0, TACO_DECIMAL, 16, 0, 0, "decimal128(18, 0)"},
    {7, 16, 5, 38, 4, 0, 0, 0, TACO_DECIMAL, 16, 0, 0, "decimal128(38, 4)"},
    {7, 17, 5, 39, 4, 0, 0, 0, TACO_DECIMAL, 32, 0, 0, "decimal256(39, 4)"},
    {6, 0, 5, 76, 76, 0, 0, 0, TACO_DECIMAL, 32, 0, 0, "decimal256(76, 76)"},
    {6, 0, 5, 77, 3, 0, 0, 0, TACO_DECIMAL, 0, 0, 0, "decimal(77, 3)"},
    /* logical types */
    {6, 0, -1, -1, -1, 1, 0, 0, TACO_TEXT, 0, 0, 0, "string"},
    {6, 0, -1, -1, -1, 4, 0, 0, TACO_TEXT, 0, 0, 0, "string"},
    {6, 0, -1, -1, -1, 12, 0, 0, TACO_TEXT, 0, 0, 0, "string"},
    {6, 0, -1, -1, -1, 13, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, -1, -1, -1, 17, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, -1, -1, -1, 18, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, -1, -1, -1, 5, 3, 10, TACO_DECIMAL, 16, 0, 0, "decimal128(10, 3)"},
    {1, 0, -1, -1, -1, 6, 0, 0, TACO_DATE, 4, 0, 0, "date32[day]"},
    {1, 0, -1, -1, -1, 7, 0, 1, TACO_TIME, 4, TACO_MILLI, 0, "time32[ms]"},
    {2, 0, -1, -1, -1, 7, 1, 2, TACO_TIME, 8, TACO_MICRO, 1, "time64[us]"},
    {2, 0, -1, -1, -1, 7, 0, 3, TACO_TIME, 8, TACO_NANO, 0, "time64[ns]"},
    {2, 0, -1, -1, -1, 8, 0, 1, TACO_TIMESTAMP, 8, TACO_MILLI, 0, "timestamp[ms]"},
    {2, 0, -1, -1, -1, 8, 1, 2, TACO_TIMESTAMP, 8, TACO_MICRO, 1, "timestamp[us, tz=UTC]"},
    {2, 0, -1, -1, -1, 8, 0, 3, TACO_TIMESTAMP, 8, TACO_NANO, 0, "timestamp[ns]"},
    {1, 0, -1, -1, -1, 10, 8, 1, TACO_INT8, 1, 0, 0, "int8"},
    {1, 0, -1, -1, -1, 10, 16, 0, TACO_UINT16, 2, 0, 0, "uint16"},
    {1, 0, -1, -1, -1, 10, 32, 1, TACO_INT32, 4, 0, 0, "int32"},
    {1, 0, -1, -1, -1, 10, 32, 0, TACO_UINT32, 4, 0, 0, "uint32"},
    {2, 0, -1, -1, -1, 10, 64, 0, TACO_UINT64, 8, 0, 0, "uint64"},
    {6, 0, -1, -1, -1, 11, 0, 0, TACO_NULL, 0, 0, 0, "null"},
    {7, 16, -1, -1, -1, 14, 0, 0, TACO_UUID, 16, 0, 0, "fixed_size_binary[16]"},
    {7, 2, -1, -1, -1, 15, 0, 0, TACO_HALF, 2, 0, 0, "halffloat"},
    /* the logical type wins */
    {2, 0, 10, -1, -1, 8, 0, 3, TACO_TIMESTAMP, 8, TACO_NANO, 0, "timestamp[ns]"},
    {2, 0, 14, -1, -1, 10, 64, 1, TACO_INT64, 8, 0, 0, "int64"},
    {6, 0, 0, -1, -1, 13, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, 5, 5, 1, 5, 3, 10, TACO_DECIMAL, 16, 0, 0, "decimal128(10, 3)"},
    /* even one of the future, whose physical type stays */
    {6, 0, 0, -1, -1, 99, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {2, 0, -1, -1, -1, 99, 0, 0, TACO_INT64, 8, 0, 0, "int64"},
    /* what does not fit is ignored */
    {1, 0, 0, -1, -1, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {7, 4, 0, -1, -1, 0, 0, 0, TACO_FIXED, 4, 0, 0, "fixed_size_binary[4]"},
    {2, 0, 6, -1, -1, 0, 0, 0, TACO_INT64, 8, 0, 0, "int64"},
    {1, 0, 10, -1, -1, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {2, 0, 7, -1, -1, 0, 0, 0, TACO_INT64, 8, 0, 0, "int64"},
    {1, 0, 8, -1, -1, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {2, 0, 15, -1, -1, 0, 0, 0, TACO_INT64, 8, 0, 0, "int64"},
    {1, 0, 18, -1, -1, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {6, 0, 24, -1, -1, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, -5, -1, -1, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {7, 15, -1, -1, -1, 14, 0, 0, TACO_FIXED, 15, 0, 0, "fixed_size_binary[15]"},
    {7, 4, -1, -1, -1, 15, 0, 0, TACO_FIXED, 4, 0, 0, "fixed_size_binary[4]"},
    {7, 11, 21, -1, -1, 0, 0, 0, TACO_FIXED, 11, 0, 0, "fixed_size_binary[11]"},
    {6, 0, 5, 0, 0, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, 5, 3, 4, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {6, 0, 5, 3, -2, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"},
    {1, 0, 5, 39, 2, 0, 0, 0, TACO_INT32, 4, 0, 0, "int32"},
    {5, 0, 5, 9, 2, 0, 0, 0, TACO_DOUBLE, 8, 0, 0, "double"},
    {2, 0, -1, -1, -1, 8, 1, 7, TACO_INT64, 8, 0, 0, "int64"},      /* a unit of the future */
    {1, 0, -1, -1, -1, 6, 0, 1, TACO_DATE, 4, 0, 0, "date32[day]"}, /* a TIME that is a DATE, too */
    {1, 0, -1, -1, -1, 10, 24, 1, TACO_INT32, 4, 0, 0, "int32"},
    {6, 0, 3, -1, -1, 0, 0, 0, TACO_BINARY, 0, 0, 0, "binary"}, /* LIST of a column */
};

static void write_kind(const kind *k)
{
    w_begin(&w);
    w_i32(&w, 1, k->type);
    if (k->length) { w_i32(&w, 2, k->length); }
    w_i32(&w, 3, 1);
    w_text(&w, 4, "a");
    if (k->converted != -1) { w_i32(&w, 6, k->converted); }
    if (k->precision >= 0) {
        w_i32(&w, 7, k->scale);
        w_i32(&w, 8, k->precision);
    }
    if (k->logical) {
        w_open(&w, 10);
        if (k->logical == 6 && k->y) {
            w_open(&w, 7), w_open(&w, 2), w_open(&w, k->y), w_end(&w), w_end(&w), w_end(&w);
        }
        w_open(&w, k->logical);
        if (k->logical == 5) {
            w_i32(&w, 1, k->x), w_i32(&w, 2, k->y);
        } else if (k->logical == 7 || k->logical == 8) {
            w_bool(&w, 1, k->x != 0);
            w_open(&w, 2), w_open(&w, k->y), w_end(&w), w_end(&w);
        } else if (k->logical == 10) {
            w_i8(&w, 1, k->x), w_bool(&w, 2, k->y != 0);
        } else if (k->logical >= 17) {
            w_text(&w, 1, "EPSG:32633");
        }
        w_end(&w);
        w_end(&w);
    }
    w_end(&w);
}

static void types(void)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(kinds); i++) {
        const kind *k = &kinds[i];
        chunk_spec c = chunk_of(k->type, "a");
        taco__buf name;
        w_schema(&w, 2);
        w_root(&w, 1);
        write_kind(k);
        w_rest(&w, &c, 1);
        CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
        memset(&name, 0, sizeof name);
        name.mem = &p.mem;
        if (p.status == TACO_OK) {
            const taco_field *f = p.m.columns;
            CHECK(f->type == k->want && f->width == k->width && (int)f->unit == k->unit &&
                  (int)f->utc == k->utc && f->nullable);
            CHECK(p.m.leaves[0].field == f && p.m.leaves[0].type_length == k->length &&
                  p.m.leaves[0].max_def == 1);
            CHECK(taco__type_name_append(f, &name, NULL) && taco__buf_append_char(&name, 0, NULL));
            CHECK_TEXT((const char *)name.data, k->name);
        } else {
            printf("kind %u: %s\n", (unsigned)i, p.err.text);
        }
        taco__buf_free(&name);
        parse_done(&p);
    }
}

/* ---- shapes: a schema of groups, written as one line
   ------------------------------------------------- */

/* "o g:LIST{ r list{ o element i } }": repetition, name[:annotation], then {...} for a group, i/t
   for int64/text. */
static const char *spec;

static const char *word(char *out) /* next word, without blanks around it */
{
    size_t n = 0;
    while (*spec == ' ') {
        spec++;
    }
    while (*spec && *spec != ' ' && *spec != '{' && *spec != '}' && *spec != ':' && n < 30) {
        out[n++] = *spec++;
    }
    out[n] = 0;
    return out;
}

/* returns the number of elements, of the direct children in *spec's group */
static size_t write_shape(bool count_only)
{
    size_t elements = 0;
    char name[32], kind_word[32];
    for (;;) {
        int repetition, converted = -1, children = 0;
        const char *body;
        word(kind_word);
        if (*spec == '}' || !kind_word[0]) { return elements; }
        repetition = kind_word[0] == 'r' ? 2 : kind_word[0] == 'o' ? 1 : 0;
        word(name);
        if (*spec == ':') {
            spec++;
            word(kind_word);
            converted = !strcmp(kind_word, "LIST") ? 3 : !strcmp(kind_word, "MAP") ? 1 : 2;
        }
        elements++;
        if (*spec == '{') {
            int depth = 0;
            /* counts the children: names at depth 1, two words each or a group */
            bool in = true;
            const char *s;
            body = ++spec;
            for (s = body; *s && (*s != '}' || depth); s++) {
                depth += *s == '{' ? 1 : *s == '}' ? -1 : 0;
                if (*s == ' ' || *s == '}') {
                    in = true;
                } else if (depth == 0 && in && (s[0] == 'r' || s[0] == 'o' || s[0] == 'q') &&
                           s[1] == ' ') {
                    children++;
                    in = false;
                }
            }
            if (!count_only) { w_element(&w, -1, repetition, name, children, converted); }
            elements += write_shape(count_only);
            spec++; /* the closing brace */
        } else {
            word(kind_word);
            if (!count_only) {
                w_element(&w, kind_word[0] == 't' ? 6 : 2, repetition, name, -1,
                          kind_word[0] == 't' ? 0 : -1);
            }
        }
    }
}

static size_t top; /* number of top-level columns in the shape */

static void schema_of(const char *text)
{
    size_t n;
    int depth = 0;
    size_t i;
    spec = text;
    n = write_shape(true);
    top = 0;
    for (i = 0; text[i]; i++) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        top += depth == 0 && (i == 0 || text[i - 1] == ' ') && strchr("roq", text[i]) &&
               text[i + 1] == ' ';
    }
    w_schema(&w, n + 1);
    w_root(&w, (int)top);
    spec = text;
    write_shape(false);
    w_list(&w, 4, 12, 0);
    w_u8(&w, 0);
}

/* Levels of a node and those below it: "name def rep [list_def list_rep](children)". */
static void levels_of(const taco__pq_schema_node *n, char *out)
{
    uint32_t i;
    sprintf(out + strlen(out), "%s%s%d,%d", n->field->name, n->optional ? "?" : "", n->def, n->rep);
    if (n->field->type == TACO_LIST || n->field->type == TACO_MAP) {
        sprintf(out + strlen(out), "[%d,%d]", n->list_def, n->list_rep);
    }
    if (n->field->child_count || n->field->type == TACO_STRUCT) {
        strcat(out, "(");
        for (i = 0; i < n->field->child_count; i++) {
            strcat(out, i ? " " : "");
            levels_of(&n->children[i], out);
        }
        strcat(out, ")");
    }
}

static void shape(const char *text, const char *type, const char *levels)
{
    char got[800] = "";
    taco__buf name;
    schema_of(text);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    memset(&name, 0, sizeof name);
    name.mem = &p.mem;
    if (p.status == TACO_OK) {
        CHECK(taco__type_name_append(&p.m.columns[0], &name, NULL) &&
              taco__buf_append_char(&name, 0, NULL));
        CHECK_TEXT((const char *)name.data, type);
        levels_of(&p.m.nodes[0], got);
        CHECK_TEXT(got, levels);
    } else {
        printf("%s: %s\n", text, p.err.text);
    }
    taco__buf_free(&name);
    parse_done(&p);
}

static void shapes(void)
{
    shape("o a i", "int64", "a?1,0");
    shape("q s{ q x i o y t }", "struct<x: int64, y: string>", "s0,0(x0,0 y?1,0)");
    shape("o s{ q x i o y t }", "struct<x: int64, y: string>", "s?1,0(x1,0 y?2,0)");
    /* three levels */
    shape("o l:LIST{ r list{ o element i } }", "list<item: int64>", "l?1,0[2,1](element?3,1)");
    shape("q l:LIST{ r bag{ q x i } }", "list<item: int64>", "l0,0[1,1](x1,1)");
    shape("o l:LIST{ r list{ o element:LIST{ r list{ o element t } } } }",
          "list<item: list<item: string>>", "l?1,0[2,1](element?3,1[4,2](element?5,2))");
    shape("o l:LIST{ r list{ o element{ q x i o y t } } }",
          "list<item: struct<x: int64, y: string>>", "l?1,0[2,1](element?3,1(x3,1 y?4,1))");
    /* two levels: the repeated field is the item */
    shape("o l:LIST{ r element i }", "list<item: int64>", "l?1,0[2,1](element2,1)");
    shape("o l:LIST{ r element{ q x i q y t } }", "list<item: struct<x: int64, y: string>>",
          "l?1,0[2,1](element2,1(x2,1 y2,1))");
    shape("o l:LIST{ r array{ q x i } }", "list<item: struct<x: int64>>",
          "l?1,0[2,1](array2,1(x2,1))");
    shape("o l:LIST{ r l_tuple{ q x i } }", "list<item: struct<x: int64>>",
          "l?1,0[2,1](l_tuple2,1(x2,1))");
    shape("o l:LIST{ r m_tuple{ q x i } }", "list<item: int64>", "l?1,0[2,1](x2,1)");
    shape("o l:LIST{ r element{ r x i } }", "list<item: struct<x: list<item: int64>>>",
          "l?1,0[2,1](element2,1(x2,1[3,2](x3,2)))");
    shape("o l:LIST{ r element:LIST{ r x i } }", "list<item: list<item: int64>>",
          "l?1,0[2,1](element2,1[3,2](x3,2))");
    shape("o l:LIST{ r element:MAP{ r kv{ q k t o v i } } }", "list<item: map<string, int64>>",
          "l?1,0[2,1](element2,1[3,2](kv3,2(k3,2 v?4,2)))");
    shape("o l:LIST{ r nothing{ } }", "list<item: struct<>>", "l?1,0[2,1](nothing2,1())");
    /* repeated without annotation: never null */
    shape("r x i", "list<item: int64>", "x0,0[1,1](x1,1)");
    shape("o s{ r x i }", "struct<x: list<item: int64>>", "s?1,0(x1,0[2,1](x2,1))");
    shape("r x{ r y i o z t }", "list<item: struct<y: list<item: int64>, z: string>>",
          "x0,0[1,1](x1,1(y1,1[2,2](y2,2) z?2,1))");
    shape("r l:LIST{ r list{ o element i } }", "list<item: list<item: int64>>",
          "l0,0[1,1](l1,1[2,2](element?3,2))");
    /* maps */
    shape("o m:MAP{ r key_value{ q key t o value i } }", "map<string, int64>",
          "m?1,0[2,1](key_value2,1(key2,1 value?3,1))");
    shape("o m:MAP_KEY_VALUE{ r map{ q key t o value i } }", "map<string, int64>",
          "m?1,0[2,1](map2,1(key2,1 value?3,1))");
    shape("o m:MAP{ r map:MAP_KEY_VALUE{ q key t q value i } }", "map<string, int64>",
          "m?1,0[2,1](map2,1(key2,1 value2,1))");
    shape("o m:MAP{ r kv{ o key t o value:LIST{ r list{ o element i } } } }",
          "map<string, list<item: int64>>",
          "m?1,0[2,1](kv2,1(key?3,1 value?3,1[4,2](element?5,2)))");
    shape("o m:MAP{ r key_value{ q key t } }", "list<item: string>", "m?1,0[2,1](key2,1)");
    /* annotations that do not fit: plain groups */
    shape("o l:LIST{ o list{ o element i } }", "struct<list: struct<element: int64>>",
          "l?1,0(list?2,0(element?3,0))");
    shape("o l:LIST{ r a i r b i }", "struct<a: list<item: int64>, b: list<item: int64>>",
          "l?1,0(a1,0[2,1](a2,1) b1,0[2,1](b2,1))");
    shape("o l:LIST{ }", "struct<>", "l?1,0()");
    shape("o m:MAP{ r kv i }", "struct<kv: list<item: int64>>", "m?1,0(kv1,0[2,1](kv2,1))");
    shape("o m:MAP{ r kv{ q a i q b i q c i } }",
          "struct<kv: list<item: struct<a: int64, b: int64, c: int64>>>",
          "m?1,0(kv1,0[2,1](kv2,1(a2,1 b2,1 c2,1)))");
    shape("o m:MAP{ r kv{ } }", "struct<kv: list<item: struct<>>>", "m?1,0(kv1,0[2,1](kv2,1()))");
    /* groups without any column */
    shape("o e{ }", "struct<>", "e?1,0()");
    shape("o s{ o e{ } o x i r f{ } }", "struct<e: struct<>, x: int64, f: list<item: struct<>>>",
          "s?1,0(e?2,0() x?2,0 f1,0[2,1](f2,1()))");
}

/* Leaves are numbered across columns, and groups without leaves do not count. */
static void leaf_numbers(void)
{
    char text[64];
    taco_bytes path;
    schema_of("o e{ } q a i o s{ q b i o e{ } o l:LIST{ r list{ o element t } } } q z i");
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK(top == 4 && p.m.column_count == 4 && p.m.leaf_count == 4);
    CHECK(p.m.nodes[0].leaf == 0 && p.m.nodes[0].leaf_count == 0 && p.m.columns[0].leaf_count == 0);
    CHECK(p.m.nodes[1].leaf == 0 && p.m.nodes[1].leaf_count == 1);
    CHECK(p.m.nodes[2].leaf == 1 && p.m.nodes[2].leaf_count == 2 &&
          p.m.nodes[2].children[1].leaf_count == 0);
    CHECK(p.m.nodes[3].leaf == 3 && p.m.leaves[3].column == 3 && p.m.leaves[2].column == 2 &&
          p.m.leaves[0].column == 1);
    CHECK(p.m.leaves[2].max_def == 4 && p.m.leaves[2].max_rep == 1);
    path = taco__schema_path(&p.m, p.m.leaves[2].element, text, sizeof text);
    CHECK(taco__bytes_equal(path, taco__bytes_text("s.l.list.element")));
    path = taco__schema_path(&p.m, p.m.leaves[2].element, text, 5);
    CHECK(taco__bytes_equal(path, taco__bytes_text("s.l.l")));
    parse_done(&p);
    schema_of("q a i q a t"); /* equal names are legal */
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK && p.m.column_count == 2);
    parse_done(&p);
}

/* ---- damage to the schema
   ------------------------------------------------------------------------------- */

static void bad_schemas(void)
{
    size_t at;
    chunk_spec c = chunk_of(1, "a");
    w_init(&w);
    w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, 0, "footer has no schema");
    w_schema(&w, 1);
    w_root(&w, 0);
    w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, 0, "footer has no row groups");
    w_init(&w);
    w_i32(&w, 1, 1), w_field(&w, 2, 9), at = w.n, w_u8(&w, 0x0C), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "schema without elements");
    w_schema(&w, 2);
    w_root(&w, 1);
    at = w.n;
    w_element(&w, 8, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "column 'a' has the physical type 8, 7 is the last");
    w_schema(&w, 2);
    w_root(&w, 1);
    at = w.n;
    w_element(&w, 1, 4, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "column 'a' has the repetition 4, 2 is the last");
    w_schema(&w, 2);
    w_root(&w, 1);
    at = w.n;
    w_element(&w, 1, 3, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_UNSUPPORTED, at, "unsupported: VECTOR repetition, of column 'a'");
    w_schema(&w, 2);
    w_root(&w, 1);
    at = w.n;
    w_element(&w, 7, 0, "a\n", -1, -1); /* and no length */
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "column 'a\\x0a' has values of 0 bytes");
    w_schema(&w, 2);
    w_root(&w, 1);
    at = w.n;
    w_begin(&w), w_i32(&w, 1, 1), w_end(&w);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "schema element without a name");
    w_schema(&w, 2);
    w_begin(&w), w_text(&w, 4, "root"), w_field(&w, 5, 5);
    at = w.n;
    w_zz(&w, -1), w_end(&w);
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "num_children is -1");
    w_schema(&w, 1);
    at = w.n;
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "root of the schema is a column");
    w_schema(&w, 3);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    at = w.n;
    w_element(&w, 1, 0, "b", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "schema has 3 elements, its tree ends after 2");
    w_schema(&w, 2);
    at = w.n;
    w_root(&w, 1000000);
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "group 'root' has 1000000 children, 1 elements follow");
    w_schema(&w, 2);
    at = w.n;
    w_root(&w, 2); /* one too many */
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "group 'root' has 2 children, 1 elements follow");
    w_schema(&w, 2);
    at = w.n;
    w_begin(&w), w_text(&w, 4, "root"), w_field(&w, 5, 5); /* 1 in 32 bits */
    w_zz(&w, ((int64_t)1 << 32) + 1), w_end(&w);
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "group 'root' has 4294967295 children, 1 elements follow");
    w_schema(&w, 4);
    w_root(&w, 1);
    at = w.n;
    w_element(&w, -1, 0, "g", 2, -1);
    w_element(&w, -1, 0, "h", 1, -1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "group 'g' lacks 1 of its 2 children, the schema ends");
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_field(&w, 2, 9), at = w.n, w_u8(&w, 0x1C), w_root(&w, 0);
    w_rest(&w, &c, 1);
    refuse(TACO_ERR_CORRUPT, at, "footer has a second schema");
}

static void limits(void)
{
    taco_limits l;
    int i;
    char text[1000] = "";
    memset(&l, 0, sizeof l);
    l.max_columns = 2;
    schema_of("q a i q b i q c i");
    CHECK(parse_footer(&p, &w, &l) == TACO_ERR_LIMIT);
    CHECK(strstr(p.err.text, ": schema has more columns, limits.max_columns is 2") != NULL);
    parse_done(&p);
    l.max_columns = 3;
    CHECK(parse_footer(&p, &w, &l) == TACO_OK);
    parse_done(&p);
    for (i = 0; i < 64; i++) { /* 64 levels: the default */
        strcat(text, i < 63 ? "o g{ " : "o x i ");
    }
    for (i = 0; i < 63; i++) {
        strcat(text, "} ");
    }
    schema_of(text);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK && p.m.leaves[0].max_def == 64);
    parse_done(&p);
    l.max_depth = 63;
    CHECK(parse_footer(&p, &w, &l) == TACO_ERR_LIMIT);
    CHECK(strstr(p.err.text, ": schema is nested deeper, limits.max_depth is 63") != NULL);
    parse_done(&p);
}

/* ---- column chunks
   ------------------------------------------------------------------------------------------ */

static void chunk_ok(const chunk_spec *c, uint64_t offset, uint64_t size)
{
    CHECK(parse_chunk(&p, c) == TACO_OK);
    CHECK_TEXT(p.err.text, "");
    if (p.status == TACO_OK) {
        CHECK(p.m.groups[0].chunks[0].pages.offset == offset &&
              p.m.groups[0].chunks[0].pages.len == size);
    }
}

static void chunk_quirks(void)
{
    chunk_spec c = chunk_of(1, "a");
    const taco__pq_column_chunk *k;
    chunk_ok(&c, 4, 50), parse_done(&p);
    c.dict = 0; /* there is none */
    chunk_ok(&c, 4, 50);
    CHECK(p.m.groups[0].chunks[0].dictionary_offset == 0);
    parse_done(&p);
    c.dict = -7;
    chunk_ok(&c, 4, 50), parse_done(&p);
    c.dict = 40; /* behind the data: it is the data that begins the chunk */
    chunk_ok(&c, 4, 50), parse_done(&p);
    c.dict = 30;
    c.data = 40;
    chunk_ok(&c, 30, 50), parse_done(&p);
    c.data = 0; /* only a dictionary was written */
    chunk_ok(&c, 30, 50), parse_done(&p);
    c = chunk_of(1, "a"); /* up to the footer's first byte */
    c.data = 950;
    chunk_ok(&c, 950, 50), parse_done(&p);
    /* indexes and filters that can not be where they are said to be are dropped */
    c.offset_index = 991, c.column_index = 990, c.bloom = 999;
    chunk_ok(&c, 950, 50);
    k = &p.m.groups[0].chunks[0];
    CHECK(k->offset_index.len == 0 && k->column_index.offset == 990 && k->column_index.len == 10);
    CHECK(k->bloom.offset == 999 && k->bloom.len == UINT64_MAX);
    parse_done(&p);
    c.offset_index = -1, c.column_index = INT64_MAX, c.bloom = 1000;
    chunk_ok(&c, 950, 50);
    k = &p.m.groups[0].chunks[0];
    CHECK(k->offset_index.len == 0 && k->column_index.len == 0 && k->bloom.len == 0);
    parse_done(&p);
    c = chunk_of(1, "a"); /* counts that can not be are not known */
    c.nulls = 4;
    chunk_ok(&c, 4, 50);
    CHECK(p.m.groups[0].chunks[0].stats.present && p.m.groups[0].chunks[0].stats.null_count == -1);
    parse_done(&p);
    c.path[0] = NULL; /* no path at all */
    chunk_ok(&c, 4, 50), parse_done(&p);
    c = chunk_of(1, "a"); /* an unknown codec is for the reader of pages to refuse */
    c.codec = 77;
    chunk_ok(&c, 4, 50);
    CHECK(p.m.groups[0].chunks[0].codec == 77);
    parse_done(&p);
}

static void chunk_elsewhere(void)
{
    chunk_spec c = chunk_of(1, "a");
    const taco__pq_column_chunk *k;
    c.file_path = "part-0.parquet"; /* _metadata files: the numbers are about that file */
    c.data = 123456789;
    chunk_ok(&c, 0, 0);
    k = &p.m.groups[0].chunks[0];
    CHECK(k->external && taco__bytes_equal(k->file_path, taco__bytes_text("part-0.parquet")));
    parse_done(&p);
    c.data = 4; /* some writers name the file itself */
    chunk_ok(&c, 4, 50);
    CHECK(!p.m.groups[0].chunks[0].external);
    parse_done(&p);
    c = chunk_of(1, "a");
    c.encrypted = true;
    chunk_ok(&c, 0, 0);
    CHECK(p.m.groups[0].chunks[0].encrypted && p.m.groups[0].chunks[0].has_meta);
    parse_done(&p);
    c.no_meta = true;
    chunk_ok(&c, 0, 0);
    CHECK(p.m.groups[0].chunks[0].encrypted && !p.m.groups[0].chunks[0].has_meta);
    parse_done(&p);
}

/* A chunk that is refused: the message begins with the place in the structure. */
static void chunk_bad(const chunk_spec *c, taco_status code, const char *what)
{
    static const char prefix[] = "row group 0, column 'a': at byte ";
    const char *s;
    CHECK(parse_chunk(&p, c) == code);
    CHECK(taco__bytes_starts_with(taco__bytes_text(p.err.text), prefix));
    s = strchr(p.err.text + sizeof prefix - 1, ':');
    CHECK_TEXT(s ? s + 2 : "", what);
    parse_done(&p);
}

static void bad_chunks(void)
{
    chunk_spec c = chunk_of(1, "a");
    c.values = -1;
    chunk_bad(&c, TACO_ERR_CORRUPT, "num_values is -1");
    c = chunk_of(1, "a"), c.compressed = -5;
    chunk_bad(&c, TACO_ERR_CORRUPT, "total_compressed_size is -5");
    c = chunk_of(1, "a"), c.uncompressed = INT64_MIN;
    chunk_bad(&c, TACO_ERR_CORRUPT, "total_uncompressed_size is -9223372036854775808");
    c = chunk_of(1, "a"), c.data = -256;
    chunk_bad(&c, TACO_ERR_CORRUPT, "data_page_offset is -256");
    c = chunk_of(1, "a"), c.data = 3;
    chunk_bad(&c, TACO_ERR_CORRUPT, "pages begin at byte 3, the first 4 bytes are the magic");
    c = chunk_of(1, "a"), c.compressed = 0;
    chunk_bad(&c, TACO_ERR_CORRUPT, "3 values in 0 bytes of pages");
    c = chunk_of(1, "a"), c.data = 951;
    chunk_bad(&c, TACO_ERR_CORRUPT, "pages end at byte 1001, the footer begins at 1000");
    c = chunk_of(1, "a"), c.values = 4;
    chunk_bad(&c, TACO_ERR_CORRUPT, "column chunk has 4 values, its row group has 3 rows");
    c = chunk_of(1, "a"), c.values = 2;
    chunk_bad(&c, TACO_ERR_CORRUPT, "column chunk has 2 values, its row group has 3 rows");
    c = chunk_of(1, "a"), c.path[0] = "b";
    chunk_bad(&c, TACO_ERR_CORRUPT, "path of the column chunk has 'b' where the schema has 'a'");
    c = chunk_of(1, "a"), c.path[1] = "b";
    chunk_bad(&c, TACO_ERR_CORRUPT, "path of the column chunk has 2 names, the schema's has 1");
    c = chunk_of(1, "a"), c.no_meta = true;
    chunk_bad(&c, TACO_ERR_CORRUPT, "column chunk without metadata");
    c = chunk_of(1, "a"), c.data = INT64_MAX, c.compressed = INT64_MAX;
    CHECK(parse_chunk(&p, &c) == TACO_ERR_TRUNCATED);
    CHECK(strstr(p.err.text, ": pages end at byte 18446744073709551614, the file has ") != NULL);
    parse_done(&p);
    {
        chunk_spec d = chunk_of(2, "a"); /* INT64 in the chunk, INT32 in the schema */
        w_schema(&w, 2);
        w_root(&w, 1);
        w_element(&w, 1, 0, "a", -1, -1);
        w_rest(&w, &d, 1);
        CHECK(parse_footer(&p, &w, NULL) == TACO_ERR_CORRUPT);
        CHECK(strstr(p.err.text, ": column chunk has the physical type 2, the schema says 1") !=
              NULL);
        parse_done(&p);
    }
    /* a repeated column has one value for each row at least */
    for (c = chunk_of(1, "a"), c.values = 2; c.values <= 4; c.values++) {
        w_schema(&w, 2);
        w_root(&w, 1);
        w_element(&w, 1, 2, "a", -1, -1);
        w_rest(&w, &c, 1);
        CHECK(parse_footer(&p, &w, NULL) == (c.values < 3 ? TACO_ERR_CORRUPT : TACO_OK));
        parse_done(&p);
    }
}

static void bad_groups(void)
{
    chunk_spec c[2];
    size_t at;
    c[0] = c[1] = chunk_of(1, "a");
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_list(&w, 4, 12, 1);
    at = w.n + 1;
    w_group(&w, c, 2, 3);
    w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "row group 0 has 2 column chunks, the schema has 1 columns");
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_list(&w, 4, 12, 1);
    at = w.n;
    w_begin(&w), w_i64(&w, 3, 3), w_end(&w), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "row group 0 has no columns");
    w_schema(&w, 1);
    w_root(&w, 0);
    w_list(&w, 4, 12, 1);
    at = w.n;
    w_begin(&w), w_list(&w, 1, 12, 0), w_end(&w), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "row group 0 has no num_rows");
    w_schema(&w, 1);
    w_root(&w, 0);
    w_list(&w, 4, 12, 1);
    at = w.n + 1;
    w_begin(&w), w_i64(&w, 3, -3), w_end(&w), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "num_rows of a row group is -3");
    w_schema(&w, 1);
    w_root(&w, 0);
    w_list(&w, 4, 12, 2);
    w_begin(&w), w_i64(&w, 3, INT64_MAX), w_end(&w);
    at = w.n;
    w_begin(&w), w_i64(&w, 3, 1), w_end(&w), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "row groups have more than 2^63 rows");
    w_schema(&w, 1);
    w_root(&w, 0);
    w_list(&w, 4, 12, 0);
    w_field(&w, 4, 9), at = w.n, w_u8(&w, 0x0C), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "footer has a second list of row groups");
    /* a list longer than the bytes that are left may hold */
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_field(&w, 4, 9);
    at = w.n;
    w_u8(&w, 0xFC), w_varint(&w, 1000000), w_u8(&w, 0);
    refuse(TACO_ERR_CORRUPT, at, "list of 1000000 items, footer has 1 bytes left");
}

/* Every cut of a good footer is refused, without a byte read behind it. */
static void cut_footers(void)
{
    static wr all;
    chunk_spec c = chunk_of(1, "a");
    size_t n;
    c.nulls = 1, c.min = "\1\0\0\0", c.max = "\2\0\0\0", c.width = 4, c.offset_index = 100;
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 1, 0, "a", -1, -1);
    w_rest(&w, &c, 1);
    all = w;
    for (n = 0; n < all.n; n++) {
        w.n = n;
        CHECK(parse_footer(&p, &w, NULL) == TACO_ERR_CORRUPT && p.err.text[0]);
        parse_done(&p);
    }
    w = all;
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    parse_done(&p);
}

/* Memory that runs out at any allocation is reported as such and leaks nothing. */
static void out_of_memory(void)
{
    taco_allocator a;
    test_memory memory;
    taco_options o;
    chunk_spec c = chunk_of(2, "a");
    int n, i;
    taco_status s = TACO_ERR_MEMORY;
    test_counted(&o, &a, &memory);
    memory.all_after = true;
    w_schema(&w, 42);
    w_root(&w, 41);
    for (i = 0; i < 41; i++) {
        w_element(&w, 2, 0, "a", -1, -1);
    }
    w_list(&w, 4, 12, 1);
    w_begin(&w), w_list(&w, 1, 12, 41);
    for (i = 0; i < 41; i++) {
        w_chunk(&w, &c);
    }
    w_i64(&w, 3, 3), w_end(&w), w_u8(&w, 0);
    for (n = 0; s != TACO_OK && n < 100; n++) {
        memset(&p, 0, sizeof p);
        taco__mem_init(&p.mem, &o);
        p.arena.mem = &p.mem;
        memory.fail_at = memory.calls + (size_t)n + 1;
        s = taco__footer_parse(&p.arena, taco__bytes_of(w.b, w.n), FOOTER_AT + w.n + 8, FOOTER_AT,
                               NULL, &p.m, n % 2 ? &p.err : NULL);
        CHECK(s == TACO_OK || s == TACO_ERR_MEMORY);
        taco__arena_free(&p.arena);
        CHECK(p.mem.used == 0);
    }
    CHECK(s == TACO_OK && n > 3);
    o.limits.max_memory = 4000; /* the budget is a limit, not a lack */
    memset(&p, 0, sizeof p);
    taco__mem_init(&p.mem, &o);
    p.arena.mem = &p.mem;
    memory.fail_at = 0;
    CHECK(taco__footer_parse(&p.arena, taco__bytes_of(w.b, w.n), FOOTER_AT + w.n + 8, FOOTER_AT,
                             NULL, &p.m, &p.err) == TACO_ERR_LIMIT);
    CHECK(strstr(p.err.text, "limits.max_memory is 4000") != NULL);
    taco__arena_free(&p.arena);
}

static void writers(void)
{
    static const struct {
        const char *created_by;
        bool binary, decimal, compressed;
    } cases[] = {{"parquet-mr version 1.7.9 (build abc)", true, false, false},
                 {"parquet-mr version 1.8.0", false, false, false},
                 {"parquet-mr version 1.10.0-SNAPSHOT", false, false, false},
                 {"parquet-mr version 1.7", true, false, false},
                 {"parquet-mr version 1.", true, false, false},
                 {"parquet-mr", true, false, false},
                 {"parquet-mrs version 1.0.0", false, false, false},
                 {"parquet-cpp version 1.5.1-SNAPSHOT", false, true, true},
                 {"parquet-cpp version 95000.0", false, true, false},
                 {"parquet-cpp-arrow version 1.0.0", false, false, false},
                 {"parquet-cpp version 2.0.0", false, true, false},
                 {"", true, false, false},
                 {"impala version 1.0", false, false, false}};

    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        w_schema(&w, 1);
        w_root(&w, 0);
        w_list(&w, 4, 12, 0);
        w_text(&w, 6, cases[i].created_by);
        w_text(&w, 9, "key"); /* begins with a byte '8', which belongs to no version */
        w_u8(&w, 0);
        CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
        CHECK(p.m.distrust_binary == cases[i].binary && p.m.distrust_decimal == cases[i].decimal);
        CHECK(p.m.always_compressed == cases[i].compressed);
        parse_done(&p);
    }
}

/* Sizes, sorting, geometry boxes, encodings of pages: read where they are, left alone where they
   are something else. */
static void extras(void)
{
    const taco__pq_column_chunk *k;
    int odd;
    for (odd = 0; odd < 2; odd++) {
        w_schema(&w, 2);
        w_root(&w, 1);
        w_element(&w, 6, 0, "a", -1, -1);
        w_list(&w, 4, 12, 1);
        w_begin(&w), w_list(&w, 1, 12, 1);
        w_begin(&w), w_open(&w, 3);
        w_i32(&w, 1, 6), w_list(&w, 2, 5, 2), w_zz(&w, 8), w_zz(&w, 99), w_i32(&w, 4, 0);
        w_i64(&w, 5, 3), w_i64(&w, 6, 9), w_i64(&w, 7, 9), w_i64(&w, 9, 4);
        w_list(&w, 13, 12, 2);
        w_begin(&w), w_i32(&w, 1, 2), w_i32(&w, 2, 0), w_i32(&w, 3, 1), w_end(&w);
        w_begin(&w), w_i32(&w, 1, 0), w_i32(&w, 2, odd ? 0 : 8), w_i32(&w, 3, 1), w_end(&w);
        if (odd) { /* Dremio's field 15 is a list */
            w_list(&w, 15, 12, 1);
            w_begin(&w), w_i32(&w, 1, 2), w_end(&w);
            w_i32(&w, 16, 4);
            w_text(&w, 17, "x");
        } else {
            w_open(&w, 16), w_i64(&w, 1, 777), w_end(&w);
            w_open(&w, 17), w_open(&w, 1);
            w_f64(&w, 1, -1), w_f64(&w, 2, 1), w_f64(&w, 3, -2), w_f64(&w, 4, 2), w_f64(&w, 5, 0),
                w_f64(&w, 6, 9);
            w_end(&w), w_list(&w, 2, 5, 1), w_zz(&w, 1), w_end(&w);
        }
        w_end(&w), w_end(&w);
        w_i64(&w, 3, 3);
        w_list(&w, 4, 12, 2);
        w_begin(&w), w_i32(&w, 1, 0), w_bool(&w, 2, true), w_bool(&w, 3, false), w_end(&w);
        w_begin(&w), w_i32(&w, 1, 5), w_end(&w); /* no such column */
        w_i64(&w, 5, 4), w_i64(&w, 6, 9);
        w_field(&w, 7, 4), w_zz(&w, 0), w_end(&w);
        w_u8(&w, 0);
        CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
        if (p.status == TACO_OK) {
            const taco__pq_row_group *g = p.m.groups;
            k = g->chunks;
            CHECK(k->encodings == (1U << 8 | 1U << 31) && k->dict_only == !odd &&
                  k->unencoded == (odd ? -1 : 777));
            CHECK(odd ? !k->geo
                      : k->geo && k->geo->xmin == -1 && k->geo->ymax == 2 && k->geo->has_z &&
                            k->geo->zmax == 9 && !k->geo->has_m);
            CHECK(g->sort_count == 1 && g->sort[0].leaf == 0 && g->sort[0].descending &&
                  !g->sort[0].nulls_first);
            CHECK(g->file_offset == 4 && g->total_compressed_size == 9 && g->ordinal == 0);
        }
        parse_done(&p);
    }
}

/* ---- page headers
   ------------------------------------------------------------------------------------------- */

static taco__pq_page_header page;
static size_t len;
static taco_error err;

static taco_status read_page(size_t n)
{
    uint8_t *copy = (uint8_t *)malloc(n ? n : 1);
    taco_status s;
    memcpy(copy, w.b, n);
    memset(&err, 0, sizeof err);
    s = taco__page_header_parse(taco__bytes_of(copy, n), 500, &page, &len, &err);
    CHECK(s == err.code && (s == TACO_OK || len == 0));
    free(copy);
    return s;
}

static void head(int type, int64_t uncompressed, int64_t compressed)
{
    w_init(&w);
    w_i32(&w, 1, type);
    w_i32(&w, 2, uncompressed);
    w_i32(&w, 3, compressed);
}

static void v2(int64_t values, int64_t nulls, int64_t rows, int64_t def, int64_t rep)
{
    w_open(&w, 8);
    w_i32(&w, 1, values), w_i32(&w, 2, nulls), w_i32(&w, 3, rows), w_i32(&w, 4, 8),
        w_i32(&w, 5, def), w_i32(&w, 6, rep);
    w_end(&w);
    w_u8(&w, 0);
}

static void page_headers(void)
{
    size_t n;
    head(0, 100, 60);
    w_i32(&w, 4, -2); /* a checksum above 2^31 is negative in Thrift */
    w_open(&w, 5);
    w_i32(&w, 1, 10), w_i32(&w, 2, 8), w_i32(&w, 3, 3), w_i32(&w, 4, 4);
    w_open(&w, 5), w_i64(&w, 3, 2), w_bin(&w, 5, "\1", 1), w_bin(&w, 6, "", 0), w_end(&w);
    w_end(&w);
    w_u8(&w, 0);
    n = w.n;
    w_u8(&w, 0x77); /* the body */
    CHECK(read_page(w.n) == TACO_OK && len == n);
    CHECK(page.type == TACO__PQ_PAGE_DATA && page.uncompressed_size == 100 &&
          page.compressed_size == 60);
    CHECK(page.has_crc && page.crc == 0xFFFFFFFEU && page.num_values == 10 && page.encoding == 8);
    CHECK(page.def_encoding == 3 && page.rep_encoding == 4 && page.is_compressed);
    CHECK(page.stats.present && page.stats.null_count == 2 && page.stats.max.len == 1 &&
          page.stats.min.data && page.stats.min.len == 0);
    while (n-- > 0) {
        CHECK(read_page(n) == TACO_ERR_TRUNCATED);
    }
    CHECK_TEXT(err.text, "at byte 500: page header ends inside a field, at byte 500");
    head(2, 8, 8);
    w_open(&w, 7), w_i32(&w, 1, 2), w_i32(&w, 2, 2), w_bool(&w, 3, true), w_end(&w), w_u8(&w, 0);
    CHECK(read_page(w.n) == TACO_OK && page.type == TACO__PQ_PAGE_DICTIONARY &&
          page.num_values == 2 && page.is_sorted && !page.has_crc);
    head(3, 100, 60);
    v2(10, 4, 6, 20, 40);
    CHECK(read_page(w.n) == TACO_OK && page.num_nulls == 4 && page.num_rows == 6 &&
          page.def_len == 20 && page.rep_len == 40);
    CHECK(page.is_compressed && page.stats.null_count == -1);
    head(1, 0, 0);
    w_open(&w, 6), w_end(&w), w_u8(&w, 0);
    CHECK(read_page(w.n) == TACO_OK && page.type == TACO__PQ_PAGE_INDEX);
    head(9, 5, 6); /* a page of the future has a size to step over */
    w_open(&w, 20), w_end(&w), w_u8(&w, 0);
    CHECK(read_page(w.n) == TACO_OK && page.type == 9 && page.compressed_size == 6 &&
          page.num_values == 0);
}

static void page_bad(const char *text)
{
    CHECK(read_page(w.n) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, text);
}

static void bad_pages(void)
{
    head(0, -1, 60);
    page_bad("at byte 503: uncompressed_page_size is -1");
    head(0, 1, -60);
    page_bad("at byte 505: compressed_page_size is -60");
    head(0, (int64_t)INT32_MAX + 1, 1);
    page_bad("at byte 503: uncompressed_page_size is 2147483648, at most 32 bits are allowed");
    head(0, 1, 1);
    w_u8(&w, 0);
    page_bad("at byte 500: page header of type 0 lacks its part");
    head(3, 100, 60);
    w_open(&w, 5), w_i32(&w, 1, 1), w_end(&w), w_u8(&w, 0);
    page_bad("at byte 500: page header of type 3 has another type's part");
    head(0, 100, 60);
    w_open(&w, 5), w_i32(&w, 1, -22), w_end(&w), w_u8(&w, 0);
    page_bad("at byte 509: num_values of a page is -22");
    head(2, 100, 60);
    w_open(&w, 7), w_i32(&w, 1, -1), w_end(&w), w_u8(&w, 0);
    page_bad("at byte 509: num_values of a dictionary is -1");
    head(3, 100, 60), v2(10, 0, 10, 30, 31);
    page_bad("at byte 500: page has 61 bytes of levels, its body has 60");
    head(3, 59, 60), v2(10, 0, 10, 30, 30);
    page_bad("at byte 500: page has 60 bytes of levels, its body has 59");
    head(3, 100, 60), v2(10, 0, 10, INT32_MAX, INT32_MAX);
    page_bad("at byte 500: page has 4294967294 bytes of levels, its body has 60");
    head(3, 100, 60), v2(10, 11, 10, 0, 0);
    page_bad("at byte 500: page has 11 nulls and 10 rows, but 10 values");
    head(3, 100, 60), v2(10, 0, 11, 0, 0);
    page_bad("at byte 500: page has 0 nulls and 11 rows, but 10 values");
    head(3, 100, 60), v2(10, 0, 10, -1, 0);
    CHECK(read_page(w.n) == TACO_ERR_CORRUPT &&
          strstr(err.text, ": definition_levels_byte_length is -1") != NULL);
    w_init(&w), w_i32(&w, 2, 5), w_i32(&w, 3, 5), w_u8(&w, 0);
    page_bad("at byte 500: page header without type");
    w_init(&w), w_i32(&w, 1, 1), w_i32(&w, 3, 5), w_u8(&w, 0);
    page_bad("at byte 500: page header without uncompressed_page_size");
    w_init(&w), w_i32(&w, 1, 1), w_i32(&w, 2, 5), w_u8(&w, 0);
    page_bad("at byte 500: page header without compressed_page_size");
}

/* ---- page indexes
   ----------------------------------------------------------------------------------------------- */

static taco_status read_index(bool offsets, size_t pages, taco__pq_column_index *c,
                              taco__pq_offset_index *o)
{
    taco_status s;
    taco__pq_column_chunk chunk;
    memset(&p, 0, sizeof p);
    taco__mem_init(&p.mem, NULL);
    p.arena.mem = &p.mem;
    p.bytes = (uint8_t *)malloc(w.n);
    memcpy(p.bytes, w.b, w.n);
    memset(&chunk, 0, sizeof chunk);
    chunk.pages.offset = 100;
    chunk.pages.len = 200;
    s = offsets ? taco__page_index_parse_offsets(&p.arena, taco__bytes_of(p.bytes, w.n), 500,
                                                 &chunk, 10, o, &p.err)
                : taco__page_index_parse_columns(&p.arena, taco__bytes_of(p.bytes, w.n), 500, pages,
                                                 c, &p.err);
    CHECK(s == p.err.code);
    return s;
}

static void location(int64_t offset, int64_t size, int64_t row)
{
    w_begin(&w), w_i64(&w, 1, offset), w_i32(&w, 2, size), w_i64(&w, 3, row), w_end(&w);
}

static void offset_index(int64_t o1, int64_t s1, int64_t r1, int64_t o2, int64_t s2, int64_t r2,
                         const char *text)
{
    taco__pq_offset_index o;
    w_init(&w);
    w_list(&w, 1, 12, 2);
    location(o1, s1, r1);
    location(o2, s2, r2);
    w_list(&w, 2, 6, 2), w_zz(&w, 5), w_zz(&w, 6);
    w_u8(&w, 0);
    CHECK(read_index(true, 0, NULL, &o) == (text[0] ? TACO_ERR_CORRUPT : TACO_OK));
    CHECK_TEXT(p.err.text, text);
    if (!text[0]) {
        CHECK(o.pages == 2 && o.page[1].offset == (uint64_t)o2 && o.page[1].size == (uint32_t)s2 &&
              o.page[1].first_row == r2);
    }
    parse_done(&p);
}

static void offset_indexes(void)
{
    taco__pq_offset_index o;
    offset_index(100, 50, 0, 150, 150, 5, "");
    offset_index(120, 10, 0, 140, 10, 0, ""); /* a gap between them; a page of no rows */
    offset_index(
        99, 50, 0, 150, 50, 5,
        "at byte 502: page of 50 bytes at byte 99, its column chunk has 200 from byte 100");
    offset_index(
        100, 201, 0, 150, 50, 5,
        "at byte 502: page of 201 bytes at byte 100, its column chunk has 200 from byte 100");
    offset_index(
        100, 0, 0, 150, 50, 5,
        "at byte 502: page of 0 bytes at byte 100, its column chunk has 200 from byte 100");
    offset_index(100, 50, 0, 149, 50, 5,
                 "at byte 510: page 1 at byte 149, row 5, does not follow the one before it");
    offset_index(100, 50, 1, 150, 50, 5,
                 "at byte 502: page 0 at byte 100, row 1, does not follow the one before it");
    offset_index(100, 50, 0, 150, 50, 11,
                 "at byte 510: page 1 begins at row 11, its row group has 10");
    offset_index(100, 50, -1, 150, 50, 11, "at byte 508: first_row_index is -1");
    w_init(&w), w_u8(&w, 0);
    CHECK(read_index(true, 0, NULL, &o) == TACO_ERR_CORRUPT);
    CHECK_TEXT(p.err.text, "at byte 500: offset index without page_locations");
    parse_done(&p);
}

static void column_index(size_t nulls, size_t mins, size_t maxs, size_t counts, size_t pages,
                         const char *text)
{
    taco__pq_column_index c;
    size_t i;
    w_init(&w);
    w_list(&w, 1, 2, nulls);
    for (i = 0; i < nulls; i++) {
        w_u8(&w, i == 1 ? 1 : 2);
    }
    w_list(&w, 2, 8, mins);
    for (i = 0; i < mins; i++) {
        w_bytes(&w, "min", i);
    }
    if (maxs) { w_list(&w, 3, 8, maxs); }
    for (i = 0; i < maxs; i++) {
        w_bytes(&w, "max", i);
    }
    w_i32(&w, 4, 1);
    if (counts) { w_list(&w, 5, 6, counts); }
    for (i = 0; i < counts; i++) {
        w_zz(&w, (int64_t)i - 5);
    }
    w_u8(&w, 0);
    CHECK(read_index(false, pages, &c, NULL) == (text[0] ? TACO_ERR_CORRUPT : TACO_OK));
    CHECK_TEXT(p.err.text, text);
    if (!text[0]) {
        CHECK(c.pages == nulls && c.boundary_order == 1 && !c.null_pages[0] && c.null_pages[1] &&
              c.min[2].len == 2);
        CHECK(c.min[0].data && c.min[0].len == 0 && !c.nan_counts &&
              (!counts || c.null_counts[0] == -1));
    }
    parse_done(&p);
}

static void column_indexes(void)
{
    column_index(3, 3, 3, 3, SIZE_MAX, "");
    column_index(3, 3, 3, 0, 3, "");
    column_index(3, 3, 3, 0, 4, "at byte 502: null_pages has 3 entries, there are 4 pages");
    column_index(3, 2, 3, 3, SIZE_MAX, "at byte 507: min_values has 2 entries, there are 3 pages");
    column_index(3, 3, 2, 3, SIZE_MAX, "at byte 515: max_values has 2 entries, there are 3 pages");
    column_index(3, 3, 3, 4, SIZE_MAX, "at byte 525: null_counts has 4 entries, there are 3 pages");
    column_index(3, 3, 0, 0, SIZE_MAX, "at byte 500: column index without max_values");
}

int main(void)
{
    RUN(whole);
    RUN(any_order);
    RUN(boolean_repetition);
    RUN(no_columns);
    RUN(types);
    RUN(shapes);
    RUN(leaf_numbers);
    RUN(bad_schemas);
    RUN(limits);
    RUN(chunk_quirks);
    RUN(chunk_elsewhere);
    RUN(bad_chunks);
    RUN(bad_groups);
    RUN(cut_footers);
    RUN(out_of_memory);
    RUN(writers);
    RUN(extras);
    RUN(page_headers);
    RUN(bad_pages);
    RUN(offset_indexes);
    RUN(column_indexes);
    return test_end("test_meta");
}
