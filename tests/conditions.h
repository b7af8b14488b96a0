/* Conditions of `where` over a table of eight rows that has a column of every type. Include it
   after places.h. */
#ifndef TACO_TEST_CONDITIONS_H
#define TACO_TEST_CONDITIONS_H

#include "places.h"
#include "../src/filter/filter.h"
#include "../taco_parquet.h"

/* ---- a table of eight rows with a column of every type ---- */

#define ROWS 8
static taco_field fields[40];
static taco_array arrays[40], dictionaries[40];
static size_t column_count;

static size_t add_column(const char *name, taco_type type, int32_t width, const void *values,
                         const uint8_t *validity)
{
    taco_field *f = &fields[column_count];
    taco_array *a = &arrays[column_count];
    memset(f, 0, sizeof *f);
    memset(a, 0, sizeof *a);
    f->name = name;
    f->type = type;
    f->width = width;
    f->unit = TACO_MICRO;
    f->nullable = true;
    a->field = f;
    a->length = ROWS;
    a->validity = validity;
    a->v.any = values;
    return column_count++;
}

static const int8_t v_i8[ROWS] = {-128, -1, 0, 1, 2, 3, 100, 127};
static const int16_t v_i16[ROWS] = {-32768, -1, 0, 1, 2, 3, 300, 32767};
static const int32_t v_i32[ROWS] = {INT32_MIN, -1, 0, 1, 2, 3, 100000, INT32_MAX};
static const int64_t v_i64[ROWS] = {INT64_MIN,     -1,       0, 1, 2, 9007199254740993,
                                    INT64_MAX - 1, INT64_MAX};
static const uint8_t v_u8[ROWS] = {0, 1, 2, 3, 4, 128, 254, 255};
static const uint16_t v_u16[ROWS] = {0, 1, 2, 3, 4, 128, 65534, 65535};
static const uint32_t v_u32[ROWS] = {0, 1, 2, 3, 4, 128, UINT32_MAX - 1, UINT32_MAX};
static const uint64_t v_u64[ROWS] = {0, 1, 2, 3, 4, (uint64_t)1 << 63, UINT64_MAX - 1, UINT64_MAX};
static float v_f[ROWS];
static double v_d[ROWS], v_e[ROWS];
static const uint16_t v_half[ROWS] = {0x7E00, 0xFC00, 0xBC00, 0x8000,
                                      0x0000, 0x3C00, 0x3E00, 0x7C00};
static const int32_t v_date[ROWS] = {-1, 0, 1, 18261, 18262, 18263, 20000, 20001};
static const int64_t v_time[ROWS] = {0,           1,           36000000000, 36000000001,
                                     43200000000, 86399000000, 86399999999, 86400000000};
static const int64_t v_ts[ROWS] = {
    -1, 0, 1, 1577836799999999, 1577836800000000, 1577836800000001, 1577872800000000, INT64_MAX};
static const uint8_t v_bool[1] = {0xB1}; /* rows 0 4 5 7 */
static const char v_text[] = "abABabcx%y\xC3\xA9zz";
/* a b AB '' abc x%y é zz */
static const int32_t o_text[ROWS + 1] = {0, 1, 2, 4, 4, 7, 10, 12, 14};
static const uint8_t v_bin[] = {0, 0xFF, 'a', 'b', 0xAA, 0xBB, 1};
static const int32_t o_bin[ROWS + 1] = {0, 0, 1, 2, 3, 4, 6, 7, 7};
static uint8_t v_uuid[ROWS * 16], v_dec[ROWS * 16], v_wide[ROWS * 32], v_int96[ROWS * 12];
static const uint8_t v_var[] = {0xFF, 0x01, 0x00, 0xFF, 0x80,
                                0x00, 0x7F, 0xFF, 0x05}; /* -1 1 255 -32768 32767 5 0 0 */
static const int32_t o_var[ROWS + 1] = {0, 1, 2, 4, 6, 8, 9, 9, 9};
static const int32_t v_index[ROWS] = {0, 1, 2, 0, 1, 2, -7, 3};
static const int32_t o_entries[5] = {0, 5, 9, 12, 15};
static const uint8_t valid_some[1] = {0xBF}; /* row 6 is NULL */
static const uint8_t valid_none[1] = {0};
static const uint8_t valid_p[1] = {0xC7}, valid_q[1] = {0xC9};
static const uint8_t v_p[1] = {0x83}, v_q[1] = {0x49};

static const int32_t v_time32[ROWS] = {0, 1, 36000000, 36000001, 43200000, 86399000, 86399999, 5};

/* A column with four entries, which has the NULL of valid_some at an index outside. */
static void add_indices(const char *name, taco_type type, int32_t width, const void *four)
{
    size_t c = add_column(name, type, width, v_index, valid_some);
    dictionaries[c] = arrays[c];
    dictionaries[c].length = 4;
    dictionaries[c].validity = NULL;
    dictionaries[c].v.any = four;
    arrays[c].dictionary = &dictionaries[c];
}

static void make_table(void)
{
    size_t c, i;
    column_count = 0;
    for (i = 0; i < ROWS; i++) {
        static const double d[ROWS] = {0, -1.5, 0, 0.1, 1, 1.5, 9007199254740992.0, 1e300};
        v_d[i] = d[i];
        v_f[i] = i == 7 ? 3e38f : (float)d[i];
        v_e[i] = (double)i;
        memset(v_uuid + i * 16, (int)(i * 0x11), 16);
        taco__put_le64(
            v_dec + i * 16,
            (uint64_t)(((int64_t)i - 3) * 150)); /* -4.50 -3.00 -1.50 0 1.50 3.00 4.50 6.00 */
        taco__put_le64(v_dec + i * 16 + 8, i < 3 ? UINT64_MAX : 0);
        memset(v_wide + i * 32, i < 3 ? 0xFF : 0, 32);
        memcpy(v_wide + i * 32, v_dec + i * 16, 8);
        taco__put_le64(v_int96 + i * 12, (uint64_t)i * 1000000000);
        taco__put_le32(v_int96 + i * 12 + 8, 2440588 + (uint32_t)(i / 4));
    }
    v_d[0] = taco__f64_from_bits((uint64_t)0x7FF8 << 48);
    v_d[2] = -0.0;
    v_f[0] = taco__f32_from_bits(0xFFC00001U);
    v_e[7] = v_d[0];
    add_column("i8", TACO_INT8, 1, v_i8, NULL);
    add_column("i16", TACO_INT16, 2, v_i16, NULL);
    add_column("i32", TACO_INT32, 4, v_i32, valid_some);
    add_column("i64", TACO_INT64, 8, v_i64, NULL);
    add_column("u8", TACO_UINT8, 1, v_u8, NULL);
    add_column("u16", TACO_UINT16, 2, v_u16, NULL);
    add_column("u32", TACO_UINT32, 4, v_u32, NULL);
    add_column("u64", TACO_UINT64, 8, v_u64, NULL);
    add_column("f", TACO_FLOAT, 4, v_f, NULL);
    add_column("d", TACO_DOUBLE, 8, v_d, valid_some);
    add_column("e", TACO_DOUBLE, 8, v_e, NULL);
    add_column("half", TACO_HALF, 2, v_half, NULL);
    add_column("date", TACO_DATE, 4, v_date, NULL);
    add_column("tm", TACO_TIME, 8, v_time, NULL);
    add_column("ts", TACO_TIMESTAMP, 8, v_ts, NULL);
    c = add_column("tz", TACO_TIMESTAMP, 8, v_ts, NULL);
    fields[c].utc = true;
    c = add_column("ms", TACO_TIMESTAMP, 8, v_i64, NULL);
    fields[c].unit = TACO_MILLI;
    c = add_column("ns", TACO_TIMESTAMP, 8, v_ts, NULL);
    fields[c].unit = TACO_NANO;
    add_column("i96", TACO_INT96, 12, v_int96, NULL);
    add_column("b", TACO_BOOL, 0, v_bool, valid_some);
    c = add_column("s", TACO_TEXT, 0, v_text, valid_some);
    arrays[c].offsets = o_text;
    c = add_column("stac:crs", TACO_TEXT, 0, v_text, NULL);
    arrays[c].offsets = o_text;
    c = add_column("sd", TACO_TEXT, 0, v_index,
                   valid_some); /* train test val train test val NULL xyz */
    dictionaries[c] = arrays[c];
    dictionaries[c].length = 4;
    dictionaries[c].validity = NULL;
    dictionaries[c].offsets = o_entries;
    dictionaries[c].v.any = "traintestvalxyz";
    arrays[c].dictionary = &dictionaries[c];
    c = add_column("blob", TACO_BINARY, 0, v_bin, NULL);
    arrays[c].offsets = o_bin;
    add_column("uuid", TACO_UUID, 16, v_uuid, NULL);
    add_column("fixed", TACO_FIXED, 16, v_uuid, NULL);
    c = add_column("dec", TACO_DECIMAL, 16, v_dec, valid_some);
    fields[c].precision = 9;
    fields[c].scale = 2;
    c = add_column("wide", TACO_DECIMAL, 32, v_wide, NULL);
    fields[c].precision = 50;
    fields[c].scale = 2;
    c = add_column("var", TACO_DECIMAL, 0, v_var, NULL);
    arrays[c].offsets = o_var;
    fields[c].precision = 9;
    fields[c].scale = 1;
    c = add_column("list", TACO_LIST, 0, NULL, valid_some);
    arrays[c].offsets = o_text;
    add_column("none", TACO_NULL, 0, NULL, NULL);
    arrays[column_count - 1].validity = valid_none;
    add_column("iv", TACO_INTERVAL, 12, v_int96, NULL);
    add_column("p", TACO_BOOL, 0, v_p, valid_p); /* T T F N N N F T */
    add_column("q", TACO_BOOL, 0, v_q, valid_q); /* T N N T N N T F */
    c = add_column("time32", TACO_TIME, 4, v_time32, NULL);
    fields[c].unit = TACO_MILLI;
    /* with dictionaries of four entries: 0 1 2 0 1 2 NULL 3 */
    add_indices("coded32", TACO_INT32, 4, v_i32 + 2);
    add_indices("coded64", TACO_UINT64, 8, v_u64 + 4); /* 4 2^63 2^64-2 4 ... */
    add_indices("codedf", TACO_FLOAT, 4, v_f + 3);     /* 0.1 1 1.5 0.1 ... */
    add_indices("codedd", TACO_DOUBLE, 8, v_d + 3);
}

/* All conditions that were asked for, for out_of_memory. */
static struct {
    char *text;
    size_t len;
} asked[1024];

static size_t asked_count;
static taco_options *where_with; /* NULL: they are still collected */

static void ask(const char *text, size_t len)
{
    if (!where_with && len < 300 && asked_count < sizeof asked / sizeof asked[0] &&
        (asked[asked_count].text = (char *)malloc(len + 1)) != NULL) {
        memcpy(asked[asked_count].text, text, len);
        asked[asked_count++].len = len;
    }
}

/* The arrays of the columns that a condition reads; NULL for the others. */
static const taco_array **read_columns(const taco__expr *e)
{
    static const taco_array *columns[40];
    uint8_t used[5] = {0};
    size_t i;
    taco__expr_mark_columns(e, used);
    for (i = 0; i < column_count; i++) {
        columns[i] = taco__bitmap_get(used, i) ? &arrays[i] : NULL;
    }
    return columns;
}

/* The rows where the condition is TRUE as "01010011", or the error's text. */
static const char *where_len(const char *text, size_t len)
{
    static char result[400];
    taco__mem m;
    taco__arena arena;
    taco_error err;
    uint8_t bits[8] = {0};
    taco__expr *e;
    size_t i;
    ask(text, len);
    memset(&err, 0, sizeof err);
    taco__mem_init(&m, where_with);
    arena.mem = &m;
    arena.head = NULL;
    make_table();
    e = taco__pred_parse(&arena, text, len, NULL, &err);
    if (e && taco__pred_bind(e, fields, column_count, &arena, &err)) {
        const taco_array **columns = read_columns(e);
        if (taco__pred_eval(e, columns, ROWS, bits, &m, &err)) {
            for (i = 0; i < ROWS; i++) {
                result[i] = taco__bitmap_get(bits, i) ? '1' : '0';
            }
            result[ROWS] = 0;
        }
    }
    if (err.code) {
        /* the text comes before the place of a column that does not fit; see names() */
        const char *place =
            e && err.offset != TACO_NO_OFFSET ? strstr(err.text, "at column ") : NULL;
        snprintf(result, sizeof result, "%s: %s",
                 err.code == TACO_ERR_SYNTAX      ? "syntax"
                 : err.code == TACO_ERR_TYPE      ? "type"
                 : err.code == TACO_ERR_NOT_FOUND ? "not found"
                 : err.code == TACO_ERR_LIMIT     ? "limit"
                 : err.code == TACO_ERR_MEMORY    ? "memory"
                                                  : "other",
                 place ? place : err.text);
    }
    taco__arena_free(&arena);
    CHECK(m.used == 0);
    return result;
}

static const char *where(const char *text)
{
    return where_len(text, strlen(text));
}

#define ROW(text, want) CHECK_TEXT(where(text), want)

TEST_FN size_t column_named(const char *name)
{
    size_t i;
    for (i = 0; i < column_count && strcmp(fields[i].name, name) != 0; i++) {}
    return i;
}

/* ---- every allocation may fail ---- */

/* Each condition of this test again, in which each place that asks for memory fails once. */
static void out_of_memory(void)
{
    static places p;
    char want[400];
    taco_allocator allocator;
    taco_options options;
    size_t i, n = 0;
    places_begin(&p, &n, &options, &allocator);
    where_with = &options;
    for (i = 0; i < asked_count && test_bad <= 20; i++) {
        p.note = false;
        p.memory.fail_at = 0;
        snprintf(want, sizeof want, "%s", where_len(asked[i].text, asked[i].len));
        for (n = 0; places_next(&p, n); n++) {
            const char *got = where_len(asked[i].text, asked[i].len);
            bool same = strcmp(got, want) == 0 || (n && strncmp(got, "memory: ", 8) == 0);
            if (!same) { printf("%s: allocation %u: %s\n", want, (unsigned)n, got); }
            CHECK(same && p.memory.live == 0);
        }
        free(asked[i].text);
    }
    places_exact = false;
    CHECK(p.tried > 60);
    printf("%u places that ask for memory in %u conditions\n", (unsigned)p.tried,
           (unsigned)asked_count);
}

#endif
