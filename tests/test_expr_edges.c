/* filter/: the edges of conditions: characters that no token begins with after every token, scratch
   that runs out at every piece, values at the ends of their types, arrays that do not fit, and what
   statistics of every kind prove. The ordinary conditions are in test_expr.c. */
#include "conditions.h"

#include "../src/filter/predicate.h"
#include "../extra/taco_parquet_write.h"

/* ---- conditions ---- */

static void constants(void)
{
    ROW("FALSE", "00000000");
    ROW("NOT TRUE", "00000000");
    ROW("NOT 1 = 2", "11111111");
    ROW("1 < 2", "11111111");
    ROW("2 <= 1", "00000000");
    ROW("1 <> 2", "11111111");
    ROW("2 > 1", "11111111");
    ROW("1 >= 2", "00000000");
    ROW("1 NOT IN (1)", "00000000");
    ROW("TRUE IS TRUE", "11111111");
    ROW("FALSE IS TRUE", "00000000");
    ROW("FALSE IS FALSE", "11111111");
    ROW("1 IS FALSE", "00000000");
    ROW("NULL IS TRUE", "00000000");
    ROW("NULL IS NOT FALSE", "11111111");
    ROW("FALSE AND FALSE AND p", "00000000");
    ROW("TRUE OR TRUE OR p", "11111111");
    ROW("5 AND p", "11000001");
    ROW("0.0 OR p", "11000001");
    ROW("0e0", "00000000");
    ROW("'yes' AND 'T' AND '1' AND 'y'", "11111111");
    ROW("'false' OR 'f' OR '0' OR 'no' OR 'n'", "00000000");
    ROW("none", "00000000");
    ROW("none IN (1, 2)", "00000000");
    ROW("none NOT IN (1)", "00000000");
    ROW("NULL LIKE 'a'", "00000000");
    ROW("s LIKE 'a' ESCAPE NULL", "00000000");
    ROW("'a' NOT LIKE 'b'", "11111111");
}

/* A constant on the left is the mirrored comparison. */
static void sides(void)
{
    ROW("1 = i8", "00010000");
    ROW("1 <> i8", "11101111");
    ROW("1 < i8", "00001111");
    ROW("1 <= i8", "00011111");
    ROW("1 > i8", "11100000");
    ROW("1 >= i8", "11110000");
    ROW("i8 = i16", "01111100");
    ROW("i8 <> i16", "10000011");
    ROW("i8 < i16", "00000011");
    ROW("i8 <= i16", "01111111");
    ROW("i8 > i16", "10000000");
    ROW("i8 >= i16", "11111100");
    ROW("i8 < dec", "10000000");
    ROW("i8 = b", "00100000");
    ROW("b = i8", "00100000");
    ROW("u8 >= u64", "11111000");
    ROW("i8 < u64", "11111111");
    ROW("date >= date", "11111111");
    ROW("tm <= tm", "11111111");
    ROW("ts = tz", "11111111");
    ROW("tm = time32", "10101100");
    ROW("f = half", "10000000");
    ROW("f < half", "00000001");
    ROW("(i8 > 1) = 1e0", "00001111");
    ROW("i32 IN (i8, 5)", "01111100");
    ROW("i32 NOT IN (i8, 5)", "10000001");
    ROW("p NOT IN (q, NULL)", "00000000");
    ROW("NOT (i8 < i16 AND i8 > 0)", "11111100");
    ROW("(i8 < i16) IS TRUE", "00000011");
    ROW("i8 < i16 OR i16 < i8", "10000011");
    ROW("(sd IN ('train', 'xyz')) = p", "10100001");
    ROW("i8 IN (NULL, 1, NULL)", "00010000");
    ROW("s = 'it''s'", "00000000");
}

/* Numbers with dictionaries: indices 0 1 2 0 1 2 NULL 3. */
static void codes(void)
{
    ROW("coded32 = 1", "01001000");
    ROW("coded32 IN (0, 2)", "10110100");
    ROW("coded32 IS NOT DISTINCT FROM i32", "00000010");
    ROW("coded32 < i32", "00011101");
    ROW("coded64 = 4", "10010000");
    ROW("coded64 > u64", "11111100");
    ROW("codedf = f", "00011100");
    ROW("codedf < d", "10000001");
    ROW("codedd >= 1", "01101101");
    ROW("codedd <= d", "10011101");
}

static void kinds(void)
{
    ROW("f IN (0.1, 1)", "00011000");
    ROW("half IN (1, 1.5)", "00000110");
    ROW("tm IN ('10:00', '12:00')", "00101000");
    ROW("time32 = '10:00'", "00100000");
    ROW("time32 IN ('10:00', '12:00')", "00101000");
    ROW("f > 'inf'", "10000000");
    ROW("d < -1e0", "01000000");
    ROW("d > '+1_0.5e-1'", "10000101");
    ROW("date < 'infinity'", "11111111");
    ROW("fixed = X''", "00000000");
    ROW("fixed = X'00'", "00000000");
    ROW("fixed = X'22222222222222222222222222222222'", "00100000");
    ROW("uuid = UUID '33333333-3333-3333-3333-333333333333'", "00010000");
    /* beyond 128 bits at the column's scale */
    ROW("dec > 340282366920938463463374607431768211455", "00000000");
    ROW("dec < -340282366920938463463374607431768211455", "00000000");
    ROW("dec < 340282366920938463463374607431768211455", "11111101");
    /* integers that are too large for 128 bits are DOUBLE, as those with an exponent */
    ROW("i8 < 340282366920938463463374607431768211456", "11111111");
    ROW("i8 < 99999999999999999999999999999999999999999999999999999999999", "11111111");
    ROW("i8 < 1000000000000000000000000000000000000000000000000000000000000000000000", "11111111");
    ROW("i8 < 1.0000000000000000000000000000000000001", "11110000");
    ROW("i8 < 1.00000000000000000000000000000000000001", "11100000");
    ROW("i8 < .5", "11100000");
    ROW("b < 99999999999999999999", "11111101");
    ROW("b = f", "00101000");
}

/* Characters of more than one byte, and bytes that are none. */
static void letters(void)
{
    static const char a300[] = "'%0*d' ILIKE '%%%s'";
    char text[400];
    ROW("s LIKE \"stac:crs\"", "11111101");
    ROW("s LIKE 'a' ESCAPE ''", "10000000");
    ROW("'a%' LIKE 'a%%' ESCAPE '%'", "11111111");
    ROW("'a' LIKE 'a%%' ESCAPE '%'", "00000000");
    ROW("'a' ILIKE 'a%%' ESCAPE '%'", "00000000");
    ROW("'abc' ILIKE '%aaaaaaaaaaaaaaaaaaaa%c'", "00000000");
    ROW("'ab' LIKE 'a_%' ESCAPE '$'", "11111111");
    ROW("'\xC3(' LIKE '_('", "11111111");
    ROW("'\xC3' LIKE '_'", "11111111");
    ROW("'\xC4\x81' ILIKE '\xC4\x80'", "11111111");
    ROW("'\xC4\x81' ILIKE '\xC4\x82'", "00000000");
    CHECK(strstr(where("gr\xC3\xB6\xC3\x9F = 1"), "no column 'gr\xC3\xB6\xC3\x9F'") != NULL);
    /* long parts and texts, which are searched as bytes where both are ASCII */
    snprintf(text, sizeof text, a300, 300, 1, "00000000000000000001");
    ROW(text, "11111111");
    snprintf(text, sizeof text, a300, 300, 1, "00000000000000000000");
    ROW(text, "00000000");
    snprintf(text, sizeof text, a300, 300, 1, "00000000000000000000%");
    ROW(text, "11111111");
    snprintf(text, sizeof text, a300, 300, 1, "0000000000000000000\xC3\xA9%");
    ROW(text, "00000000");
    snprintf(text, sizeof text, "'%0*d\xC3\xA9' ILIKE '%%%s%%'", 300, 1, "00000000000000000001");
    ROW(text, "11111111");
}

static void messages(void)
{
    CHECK_TEXT(where("(i8 = i16) < DATE '2020-01-01'"),
               "type: a condition and a date cannot be compared");
    CHECK_TEXT(where("1.5 < (i8 = i16)"), "type: a number and a condition cannot be compared");
    CHECK_TEXT(where("s = TRUE"), "type: at column 1: column 's' is TEXT, was given TRUE or FALSE");
    CHECK_TEXT(where("'a'::VARCHAR = 5"), "type: a text and a number cannot be compared");
    CHECK_TEXT(where("i8 = TIMESTAMP '2020-01-01'"),
               "type: at column 1: column 'i8' is INT8, was given a timestamp");
    CHECK_TEXT(where("i8 = X'aa'"), "type: at column 1: column 'i8' is INT8, was given bytes");
    CHECK_TEXT(where("i8 = UUID '33333333-3333-3333-3333-333333333333'"),
               "type: at column 1: column 'i8' is INT8, was given a UUID");
    CHECK_TEXT(
        where("i8 < list"),
        "type: at column 6: column 'list' is LIST, only IS NULL and IS NOT NULL can test it");
    CHECK_TEXT(where("i8 BETWEEN 1 AND X'aa'"),
               "type: at column 1: column 'i8' is INT8, was given bytes");
    CHECK_TEXT(where("b < f"),
               "type: at column 1: column 'b' is BOOL and column 'f' is FLOAT, they cannot be "
               "compared");
    CHECK_TEXT(where("b < dec"),
               "type: at column 1: column 'b' is BOOL and column 'dec' is DECIMAL, they cannot be "
               "compared");
    CHECK_TEXT(where("dec > b"),
               "type: at column 1: column 'dec' is DECIMAL and column 'b' is BOOL, they cannot be "
               "compared");
    CHECK_TEXT(where("5 LIKE 'a'"), "type: LIKE needs TEXT, was given a number");
    CHECK_TEXT(where("s LIKE 'a' ESCAPE 5"), "type: LIKE needs TEXT, was given a number");
    CHECK_TEXT(where("s LIKE 'a' ESCAPE i8"),
               "type: at column 19: column 'i8' is INT8, LIKE needs TEXT");
    CHECK_TEXT(where("s LIKE 'a' ESCAPE s"),
               "syntax: at column 19: ESCAPE takes a text of one character");
    CHECK_TEXT(where("list"),
               "type: at column 1: column 'list' is LIST, a condition needs BOOL or a number");
    CHECK_TEXT(where("list IS TRUE"),
               "type: at column 1: column 'list' is LIST, a condition needs BOOL or a number");
    CHECK_TEXT(where("i8 = '99999999999999999999'"),
               "type: at column 1: column 'i8' is INT8, was given '99999999999999999999'");
}

/* What SQL has and a `where` does not, and words that are not where they belong. */
static void refused(void)
{
    CHECK_TEXT(where("i8 ^ 2 = 1"),
               "syntax: at column 4: the operator ('^') is not supported in a condition");
    CHECK_TEXT(where("i8 $ 2"),
               "syntax: at column 4: the operator ('$') is not supported in a condition");
    CHECK_TEXT(where("i8 $1$"),
               "syntax: at column 4: the operator ('$') is not supported in a condition");
    CHECK_TEXT(where("i8 $tag"),
               "syntax: at column 4: the operator ('$') is not supported in a condition");
    CHECK_TEXT(where("s = $t1$a$t1"), "syntax: at column 5: the dollar-quoted text is not closed");
    ROW("s = $t1$a$t1$", "10000000");
    ROW("s = $$a$$", "10000000");
    CHECK_TEXT(where("s GLOB 'a'"),
               "syntax: at column 3: the operator ('GLOB') is not supported in a condition");
    CHECK_TEXT(where("s COLLATE x"),
               "syntax: at column 3: the operator ('COLLATE') is not supported in a condition");
    CHECK_TEXT(where("i8 NOT NOT IN (1)"),
               "syntax: at column 8: expected IN, BETWEEN, LIKE or ILIKE after NOT, found 'NOT'");
    CHECK_TEXT(where("i8 NOT = 1"),
               "syntax: at column 8: expected IN, BETWEEN, LIKE or ILIKE after NOT, found '='");
    CHECK_TEXT(where("i8 NOT + 1"),
               "syntax: at column 8: arithmetic ('+') is not supported in a condition");
    CHECK_TEXT(where("s = 'a'::5"), "syntax: at column 10: expected a type, found '5'");
    CHECK_TEXT(where("s = 'a'::nope"), "syntax: at column 10: expected a type, found 'nope'");
    CHECK_TEXT(where("ts > TIMESTAMP WITH ZONE 'a'"),
               "syntax: at column 21: expected TIME ZONE, found 'ZONE'");
    CHECK_TEXT(where("ts > TIMESTAMP WITH TIME 'a'"),
               "syntax: at column 26: expected TIME ZONE, found ''a''");
    CHECK_TEXT(where("ts > TIMESTAMP WITH TIME ZONE 5"),
               "syntax: at column 31: expected a text in quotes, found '5'");
    CHECK_TEXT(where("INTERVAL '1 day'"),
               "syntax: at column 1: INTERVAL ('INTERVAL') is not supported in a condition");
    CHECK_TEXT(where("EXISTS (SELECT 1)"),
               "syntax: at column 1: a subquery ('EXISTS') is not supported in a condition");
    CHECK_TEXT(where("TRY_CAST(i8 AS INT) = 1"),
               "syntax: at column 1: CAST ('TRY_CAST') is not supported in a condition");
    CHECK_TEXT(where("i8 = -"), "syntax: at column 7: expected a value, found end of text");
    CHECK_TEXT(where("i8 = ."), "syntax: at column 6: expected a value, found '.'");
    CHECK_TEXT(where("i8 = . 5"), "syntax: at column 6: expected a value, found '.'");
    CHECK_TEXT(where("i8 IS :x"), "syntax: at column 7: expected NULL, TRUE, FALSE, UNKNOWN or "
                                  "DISTINCT FROM after IS, found ':'");
}

/* The message at the first colon of a text that is not a condition. */
static const char *colon(const char *text)
{
    static taco_error err;
    taco__lexer l;
    memset(&err, 0, sizeof err);
    CHECK(taco__lex_init(&l, text, strlen(text), &err));
    while (l.kind != TACO__TOK_SIGN && l.kind != TACO__TOK_END) {
        CHECK(taco__lex_next(&l));
    }
    taco__lex_fail_expected(&l, "a word");
    return err.text;
}

/* A name with a colon that needs quotes is shown with them. */
static void colons(void)
{
    char text[80];
    CHECK_TEXT(colon("a1:b2:c_ x"), "at column 3: expected a word, found ':'; a name with a colon "
                                    "is in double quotes: \"a1:b2:c_\"");
    CHECK_TEXT(colon("a:1"), "at column 2: expected a word, found ':'; a name with a colon is in "
                             "double quotes: \"a:1\"");
    CHECK_TEXT(colon("a : b"), "at column 3: expected a word, found ':'");
    CHECK_TEXT(colon("a: b"), "at column 2: expected a word, found ':'");
    CHECK_TEXT(colon("a:"), "at column 2: expected a word, found ':'");
    CHECK_TEXT(colon(":b"), "at column 1: expected a word, found ':'");
    memset(text, 'a', sizeof text);
    text[1] = ':';
    text[63] = 0;
    CHECK(strstr(colon(text), "double quotes") != NULL);
    text[63] = 'a';
    text[64] = 0; /* too long to be shown */
    CHECK_TEXT(colon(text), "at column 2: expected a word, found ':'");
}

/* Conditions that end after any of their bytes, in a byte that no token begins with: always an
   error of syntax, and the same tree without that byte. */
static void cut(void)
{
    char text[320];
    size_t i, n, seen = 0;
    for (i = 0; i < asked_count; i++) {
        for (n = 0; n <= asked[i].len && test_bad < 20; n++) {
            taco__mem m;
            taco__arena arena;
            taco_error err;
            memset(&err, 0, sizeof err);
            taco__mem_init(&m, NULL);
            arena.mem = &m;
            arena.head = NULL;
            memcpy(text, asked[i].text, n);
            memcpy(text + n, "\x01", 2);
            CHECK(!taco__pred_parse(&arena, text, n + 1, NULL, &err));
            CHECK(err.code == TACO_ERR_SYNTAX && err.offset <= n);
            seen += err.offset == n;
            taco__arena_free(&arena);
            CHECK(m.used == 0);
        }
    }
    CHECK(seen > 1000);
}

/* ---- scratch ---- */

/* Every condition again, whose evaluation has room for no more than so many pieces: an error until
   they are enough, then the same rows. */
static void scratch(void)
{
    static uint64_t room[(64 + 64 * 400) / 8];
    taco__pred_eval_block *block = (taco__pred_eval_block *)(void *)room;
    size_t i, pieces, failed = 0;
    for (i = 0; i < asked_count; i++) {
        taco__mem m, none;
        taco__arena arena;
        taco_error err;
        taco_options options;
        taco_allocator allocator;
        test_memory memory;
        taco__expr *e;
        uint8_t want[1] = {0};
        bool ok = false;
        memset(&err, 0, sizeof err);
        taco__mem_init(&m, NULL);
        test_counted(&options, &allocator, &memory);
        memory.fail_at = 1;
        memory.all_after = true;
        taco__mem_init(&none, &options);
        arena.mem = &m;
        arena.head = NULL;
        make_table();
        e = taco__pred_parse(&arena, asked[i].text, asked[i].len, NULL, &err);
        if (e && taco__pred_bind(e, fields, column_count, &arena, &err) &&
            taco__pred_eval(e, read_columns(e), ROWS, want, &m, &err)) {
            for (pieces = 0; !ok; pieces++) {
                taco__pred_eval_state v;
                uint64_t yes = 0, valid = 0;
                memset(&v, 0, sizeof v);
                memset(&err, 0, sizeof err);
                block->next = NULL;
                block->size = pieces * 64;
                block->used = 0;
                v.blocks = block;
                v.columns = read_columns(e);
                v.rows = ROWS;
                v.words = 1;
                v.mem = &none;
                v.err = &err;
                ok = taco__pred_eval_node(&v, e, true, &yes, &valid);
                CHECK(ok ? (uint8_t)yes == want[0] : err.code == TACO_ERR_MEMORY);
                failed += !ok;
                if (pieces == 400) { break; }
            }
            CHECK(ok && memory.live == 0);
        }
        taco__arena_free(&arena);
        CHECK(m.used == 0);
    }
    CHECK(failed > 40);
}

/* ---- columns of their own ---- */

/* A table of one column, or of two of the same length. */
typedef struct own {
    taco__mem m;
    taco__arena arena;
    taco_error err;
    taco_field fields[2];
    taco_array arrays[2];
    const taco_array *columns[2];
    uint8_t bits[200];
} own;

static void own_begin(own *o, taco_type type, int32_t width, const void *values, size_t rows)
{
    size_t i;
    memset(o, 0, sizeof *o);
    taco__mem_init(&o->m, NULL);
    o->arena.mem = &o->m;
    for (i = 0; i < 2; i++) {
        o->fields[i].name = i ? "y" : "x";
        o->fields[i].type = type;
        o->fields[i].width = width;
        o->fields[i].unit = TACO_MICRO;
        o->fields[i].precision = 9;
        o->arrays[i].field = &o->fields[i];
        o->arrays[i].length = rows;
        o->arrays[i].v.any = values;
        o->columns[i] = &o->arrays[i];
    }
}

static void own_end(own *o)
{
    taco__arena_free(&o->arena);
    CHECK(o->m.used == 0);
}

/* The condition bound to the table; NULL if it fails. */
static taco__expr *own_bind(own *o, const char *text)
{
    taco__expr *e;
    memset(&o->err, 0, sizeof o->err);
    e = taco__pred_parse(&o->arena, text, strlen(text), NULL, &o->err);
    return e && taco__pred_bind(e, o->fields, 2, &o->arena, &o->err) ? e : NULL;
}

/* The first eight of `rows` rows as a byte, the first row in the lowest bit; -1 on failure. */
static int own_rows(own *o, const char *text, size_t rows)
{
    taco__expr *e = own_bind(o, text);
    memset(o->bits, 0, sizeof o->bits);
    return e && taco__pred_eval(e, o->columns, rows, o->bits, &o->m, &o->err) ? o->bits[0] : -1;
}

/* Rows by the hundreds have loops over whole words and a remainder: the same as one row at a
   time. */
static void many_rows(void)
{
    enum { MANY = 650 };

    static const struct {
        taco_type type;
        int32_t width;
    } types[] = {{TACO_INT8, 1},   {TACO_INT16, 2}, {TACO_INT32, 4},
                 {TACO_INT64, 8},  {TACO_UINT8, 1}, {TACO_FLOAT, 4},
                 {TACO_DOUBLE, 8}, {TACO_HALF, 2},  {TACO_DECIMAL, 16}};

    static const char *const texts[] = {"x BETWEEN 3 AND 40", "x > 7",    "x <> 5",
                                        "x IN (1, 5, 9)",     "x > y",    "x = y",
                                        "x >= 'nan'",         "x < 'nan'"};
    static const size_t sizes[] = {1, 63, 64, 65, 128, 130, MANY};
    static uint8_t values[MANY * 16];
    size_t t, k, n, i;
    for (t = 0; t < TACO__COUNT(types); t++) {
        size_t width = (size_t)types[t].width;
        own o;
        memset(values, 0, sizeof values);
        for (i = 0; i < MANY; i++) {
            float f = i % 9 ? (float)(i % 50) : taco__f32_from_bits(0x7FC00000U);
            double d = f;
            uint16_t half = (uint16_t)(i % 9 ? 0x3C00 + i % 50 * 64 : 0x7E00);
            values[i * width] = (uint8_t)(i % 50);
            if (types[t].type == TACO_FLOAT) { memcpy(values + i * 4, &f, 4); }
            if (types[t].type == TACO_DOUBLE) { memcpy(values + i * 8, &d, 8); }
            if (types[t].type == TACO_HALF) { memcpy(values + i * 2, &half, 2); }
        }
        own_begin(&o, types[t].type, types[t].width, values, MANY);
        o.arrays[1].v.any = values + 3 * width;
        o.arrays[1].length = MANY - 3;
        for (k = 0; k < TACO__COUNT(texts); k++) {
            uint8_t want[MANY] = {0};
            taco__expr *e = own_bind(&o, texts[k]);
            if (!e) { /* only FLOAT and DOUBLE have NaN */
                CHECK(k >= 6 && o.err.code == TACO_ERR_TYPE);
                continue;
            }
            for (i = 0; i < MANY - 3; i++) {
                o.arrays[0].v.any = values + i * width;
                o.arrays[1].v.any = values + (i + 3) * width;
                CHECK(taco__pred_eval(e, o.columns, 1, &want[i], &o.m, &o.err));
            }
            o.arrays[0].v.any = values;
            o.arrays[1].v.any = values + 3 * width;
            for (n = 0; n < TACO__COUNT(sizes); n++) {
                size_t rows = TACO__MIN(sizes[n], (size_t)MANY - 3);
                CHECK(taco__pred_eval(e, o.columns, rows, o.bits, &o.m, &o.err));
                for (i = 0; i < rows && taco__bitmap_get(o.bits, i) == want[i]; i++) {}
                CHECK(i == rows);
            }
        }
        own_end(&o);
    }
}

/* INT96 beyond what microseconds hold is at their ends. */
static void int96_ends(void)
{
    static const struct {
        uint64_t nanos;
        int32_t day;
    } ends[] = {{0, INT32_MAX},
                {0, INT32_MIN},
                {(uint64_t)INT64_MAX, 2440588 + 106751990},
                {1000, 2440588 + 106751990},
                {(uint64_t)INT64_MIN, 2440588 - 106751990},
                {(uint64_t)-1000, 2440588 - 106751990},
                {0, 2440588 + 106751991},
                {0, 2440588 - 106751991}};

    uint8_t values[96];
    own o;
    size_t i;
    for (i = 0; i < 8; i++) {
        taco__put_le64(values + i * 12, ends[i].nanos);
        taco__put_le32(values + i * 12 + 8, (uint32_t)ends[i].day);
    }
    own_begin(&o, TACO_INT96, 12, values, 8);
    CHECK(own_rows(&o, "x > TIMESTAMP '2020-01-01'", 8) == 0x4D);
    CHECK(own_rows(&o, "x < TIMESTAMP '2020-01-01'", 8) == 0xB2);
    CHECK(own_rows(&o, "x > TIMESTAMP '294247-01-10 04:00:54.775806'", 8) == 0x45);
    own_end(&o);
}

/* DECIMALs wider than the keys are at their ends; literals between hold. */
static void decimal_ends(void)
{
    static uint8_t values[8 * 32];
    static const uint8_t text[34] = {1};
    static const int32_t offsets[] = {0, 33, 33, 34};
    static uint8_t long_negative[34];
    own o;
    memset(values + 31, 0x7F, 1);  /* above the keys */
    memset(values + 63, 0x80, 1);  /* below them */
    memset(values + 64, 0x05, 1);  /* 5 */
    memset(values + 127, 0x3F, 1); /* the greatest that fits, but for its low bits */
    own_begin(&o, TACO_DECIMAL, 32, values, 4);
    CHECK(own_rows(&o, "x > 5", 4) == 0x09);
    CHECK(own_rows(&o, "x < 5", 4) == 0x02);
    CHECK(own_rows(&o, "x = 5", 4) == 0x04);
    CHECK(own_rows(&o, "x IN (5, 6)", 4) == 0x04);
    own_end(&o);
    own_begin(&o, TACO_DECIMAL, 0, text, 3); /* 33 bytes, none, one */
    o.arrays[0].offsets = offsets;
    CHECK(own_rows(&o, "x > 5", 3) == 0x01);
    CHECK(own_rows(&o, "x = 0", 3) == 0x06);
    memset(long_negative, 0x80, 1);
    o.arrays[0].v.any = long_negative;
    CHECK(own_rows(&o, "x < -5", 3) == 0x01);
    own_end(&o);
}

/* Dictionaries that are longer than the batch: a range of them is tested, or each row's entry. */
static void long_dictionaries(void)
{
    enum { ENTRIES = 1000 };

    static int32_t offsets[ENTRIES + 1], index[8], numbers[ENTRIES];
    static char text[ENTRIES * 4 + 1];
    static const uint8_t valid[1] = {0xBF}; /* row 6 is NULL */
    taco_array coded;
    own o;
    size_t i, way;
    for (i = 0; i < ENTRIES; i++) {
        snprintf(text + i * 4, 5, "%04u", (unsigned)i);
        offsets[i + 1] = (int32_t)(i + 1) * 4;
        numbers[i] = (int32_t)i;
    }
    for (way = 0; way < 2; way++) {
        const char *one = way ? "x = 502" : "x = '0502'",
                   *some = way ? "x IN (500, 503, 7)" : "x IN ('0500', '0503', '0007')";
        own_begin(&o, way ? TACO_INT32 : TACO_TEXT, way ? 4 : 0, index, 8);
        o.arrays[0].dictionary = &coded;
        o.arrays[0].validity = valid;
        memset(&coded, 0, sizeof coded);
        coded.field = &o.fields[0];
        coded.length = ENTRIES;
        coded.offsets = way ? NULL : offsets;
        coded.v.any = way ? (const void *)numbers : (const void *)text;
        for (i = 0; i < 8; i++) { /* near each other: 500 to 507 */
            index[i] = (int32_t)(500 + i);
        }
        CHECK(own_rows(&o, one, 8) == 0x04 && own_rows(&o, some, 8) == 0x09);
        CHECK(own_rows(&o, way ? "x = 7" : "x = '7'", 8) == 0);
        index[6] = -7; /* of the row that is NULL: no range contains it */
        CHECK(own_rows(&o, one, 8) == 0x04 && own_rows(&o, some, 8) == 0x09);
        index[0] = 7; /* far apart */
        index[6] = 999;
        CHECK(own_rows(&o, one, 8) == 0x04 && own_rows(&o, some, 8) == 0x09);
        index[7] = 1000; /* outside, and its row is not NULL: nothing matches there */
        CHECK(own_rows(&o, one, 8) == 0x04 && own_rows(&o, some, 8) == 0x09);
        own_end(&o);
    }
}

/* Arrays that are not what the condition was bound to are refused. */
static void wrong_arrays(void)
{
    static const int32_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t wide[32] = {3};
    taco_field other;
    own o;
    own_begin(&o, TACO_INT32, 4, values, 8);
    CHECK(own_rows(&o, "x > 3", 8) == 0xF8);
    CHECK(own_rows(&o, "x > 3", 9) == -1);
    CHECK_TEXT(o.err.text, "the condition needs column 'x' as INT32 with 9 rows");
    CHECK(own_rows(&o, "x IS NULL", 9) == -1);
    CHECK_TEXT(o.err.text, "the condition needs column 'x' as INT32 with 9 rows");
    CHECK(own_rows(&o, "x < y", 9) == -1 && o.err.code == TACO_ERR_ARGUMENT);
    o.arrays[1].length = 3;
    CHECK(own_rows(&o, "x < y", 8) == -1);
    CHECK_TEXT(o.err.text, "the condition needs column 'y' as INT32 with 8 rows");
    o.columns[0] = NULL;
    CHECK(own_rows(&o, "x IS NULL", 8) == -1 && o.err.code == TACO_ERR_ARGUMENT);
    CHECK(own_rows(&o, "x > 3", 0) == 0); /* no rows need no array */
    o.columns[0] = &o.arrays[0];
    other = o.fields[0];
    o.arrays[0].field = &other;
    other.type = TACO_DATE;
    CHECK(own_rows(&o, "x > 3", 8) == -1 && o.err.code == TACO_ERR_ARGUMENT);
    other.type = TACO_INT32;
    other.width = 8;
    CHECK(own_rows(&o, "x > 3", 8) == -1 && o.err.code == TACO_ERR_ARGUMENT);
    own_end(&o);
    own_begin(&o, TACO_DECIMAL, 16, wide, 1); /* decimals may be stored in any width */
    other = o.fields[0];
    other.width = 32;
    o.arrays[0].field = &other;
    CHECK(own_rows(&o, "x IN (3, 7)", 1) == 1);
    own_end(&o);
}

/* A text longer than offsets can say is no row's. */
static void longest_text(void)
{
    static const int32_t offsets[] = {0, 1, 2};
    taco__test t;
    taco_bytes text = taco__bytes_of(NULL, (size_t)INT32_MAX + 1);
    uint64_t out = 1;
    own o;
    own_begin(&o, TACO_TEXT, 0, "ab", 2);
    o.arrays[0].offsets = offsets;
    memset(&t, 0, sizeof t);
    t.mode = TACO__TEST_LIST;
    t.n = 1;
    t.list = &text;
    taco__pred_kernel_test(&o.arrays[0], 2, &t, &out);
    CHECK(out == 0);
    own_end(&o);
}

/* A pattern from a column has the limit of any pattern, which depends on the row. */
static void patterns_of_rows(void)
{
    static char text[1200];
    static const int32_t offsets[] = {0, 2, 1100};
    own o;
    memset(text, 'a', sizeof text);
    memcpy(text, "a%%_", 4);
    own_begin(&o, TACO_TEXT, 0, text, 2);
    o.arrays[0].offsets = o.arrays[1].offsets = offsets;
    CHECK(own_rows(&o, "x LIKE y", 1) == 1);
    CHECK(own_rows(&o, "x LIKE y", 2) == -1);
    CHECK_TEXT(o.err.text, "a part of a LIKE pattern after a wildcard has 1097 bytes; with _, an "
                           "escape or ILIKE it may have 1024");
    own_end(&o);
}

/* ---- conditions that programs make ---- */

/* Whether a range of integers of x, made by a constructor, binds; sets o->bits. */
static bool range_rows(own *o, size_t column, int64_t lo, bool has_lo, int64_t hi, bool has_hi)
{
    taco__expr *e = taco__expr_range_i64(&o->arena, column, lo, has_lo, hi, has_hi, &o->err);
    memset(&o->err, 0, sizeof o->err);
    return taco__pred_bind(e, o->fields, 2, &o->arena, &o->err) &&
           taco__pred_eval(e, o->columns, 8, o->bits, &o->m, &o->err);
}

static void ranges(void)
{
    static const taco_type without[] = {TACO_FLOAT, TACO_DECIMAL, TACO_LIST, TACO_UUID};
    own o;
    size_t i;
    own_begin(&o, TACO_INT8, 1, v_i8, 8); /* -128 -1 0 1 2 3 100 127 */
    CHECK(range_rows(&o, 0, 0, true, 3, true) && o.bits[0] == 0x1C);
    CHECK(range_rows(&o, 0, -1000, true, 1000, true) && o.bits[0] == 0xFF);
    CHECK(range_rows(&o, 0, 0, false, 3, true) && o.bits[0] == 0x1F);
    CHECK(range_rows(&o, 0, 3, true, 0, false) && o.bits[0] == 0xE0);
    CHECK(!range_rows(&o, 2, 3, true, 0, false) && o.err.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(o.err.text, "the condition names column 2, there are 2");
    for (i = 0; i < TACO__COUNT(without); i++) {
        o.fields[0].type = without[i];
        CHECK(!range_rows(&o, 0, 0, true, 3, true) && o.err.code == TACO_ERR_TYPE);
        CHECK(strstr(o.err.text, ", was given a range of integers") != NULL);
    }
    own_end(&o);
}

/* A column that was not written in a text has no place in messages. */
static void no_text(void)
{
    own o;
    taco__expr *e;
    own_begin(&o, TACO_INT8, 1, v_i8, 8);
    e = taco__expr_compare(
        &o.arena, TACO__OP_EQ, taco__expr_column(&o.arena, 0, &o.err),
        taco__expr_const(&o.arena, taco__scalar_make_bytes(TACO_UUID, taco__bytes_text("")),
                         &o.err),
        &o.err);
    CHECK(!taco__pred_bind(e, o.fields, 2, &o.arena, &o.err));
    CHECK(o.err.code == TACO_ERR_TYPE && o.err.offset == TACO_NO_OFFSET);
    CHECK_TEXT(o.err.text, "column 'x' is INT8, was given a UUID");
    memset(&o.err, 0, sizeof o.err);
    e = taco__expr_column(&o.arena, 0, &o.err); /* not a condition before it is bound */
    e->bound = true;
    CHECK(!taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err));
    CHECK_TEXT(o.err.text, "the condition is not bound");
    CHECK(taco__expr_and(&o.arena, e, NULL, &o.err) == e);
    own_end(&o);
}

static void depths(void)
{
    static const char text[] = "NOT NOT NOT x = 1";
    taco_limits limits;
    own o;
    memset(&limits, 0, sizeof limits);
    own_begin(&o, TACO_INT8, 1, v_i8, 8);
    CHECK(taco__pred_parse(&o.arena, text, strlen(text), &limits, &o.err) != NULL);
    limits.max_depth = 2;
    CHECK(!taco__pred_parse(&o.arena, text, strlen(text), &limits, &o.err));
    CHECK_TEXT(o.err.text, "the condition nests deeper than limits.max_depth, which is 2");
    own_end(&o);
}

/* ---- a program's function ---- */

typedef struct judge {
    size_t calls, rows;
    bool fails;
} judge;

/* TRUE for odd integers, NULL for 3. */
static bool judge_odd(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                      uint8_t *valid_bits, taco_error *err)
{
    judge *j = (judge *)ctx;
    size_t i;
    (void)err;
    CHECK(a->dictionary == NULL && a->length >= rows);
    j->calls++;
    j->rows += rows;
    for (i = 0; i < rows && !j->fails; i++) {
        int64_t x = a->offsets ? a->offsets[i + 1] - a->offsets[i] : a->v.i32[i];
        if (x % 2) { taco__bitmap_set(true_bits, i); }
        if (x == 3) { taco__bitmap_clear(valid_bits, i); }
    }
    return !j->fails;
}

/* The same of two columns: TRUE if both are odd. */
static bool judge_both(void *ctx, const taco_array *a, const taco_array *b, size_t rows,
                       taco__mem *mem, uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    judge *j = (judge *)ctx;
    size_t i;
    (void)mem, (void)valid_bits, (void)err;
    j->calls++;
    for (i = 0; i < rows; i++) {
        int64_t x = taco_array_int(a, i) * taco_array_int(b, i);
        if (x % 2) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

static unsigned judge_prune(void *ctx, const taco__column_stats *r)
{
    (void)ctx;
    return r->has_min ? TACO__MAY_FALSE : TACO__MAY_ANY;
}

static taco__expr *judged(own *o, judge *j, bool both)
{
    taco__custom_predicate custom;
    taco__expr *e;
    memset(&custom, 0, sizeof custom);
    memset(j, 0, sizeof *j);
    custom.ctx = j;
    custom.eval = judge_odd;
    custom.eval_with = both ? judge_both : NULL;
    custom.with = 1;
    custom.prune = judge_prune;
    memset(&o->err, 0, sizeof o->err);
    e = taco__expr_custom(&o->arena, 0, &custom, &o->err);
    CHECK(taco__pred_bind(e, o->fields, 2, &o->arena, &o->err));
    return e;
}

/* Evaluates e on eight rows with so little scratch, and less, until it fails no more. */
static void judged_scratch(own *o, const taco__expr *e, unsigned want)
{
    static uint64_t room[(64 + 64 * 200) / 8];
    taco__pred_eval_block *block = (taco__pred_eval_block *)(void *)room;
    taco_options options;
    taco_allocator allocator;
    test_memory memory;
    taco__mem none;
    size_t pieces;
    bool ok = false;
    test_counted(&options, &allocator, &memory);
    memory.fail_at = 1;
    memory.all_after = true;
    taco__mem_init(&none, &options);
    for (pieces = 0; !ok && pieces < 200; pieces++) {
        taco__pred_eval_state v;
        uint64_t yes = 0, valid = 0;
        memset(&v, 0, sizeof v);
        memset(&o->err, 0, sizeof o->err);
        block->next = NULL;
        block->size = pieces * 64;
        block->used = 0;
        v.blocks = block;
        v.columns = o->columns;
        v.rows = 8;
        v.words = 1;
        v.mem = &none;
        v.err = &o->err;
        ok = taco__pred_eval_node(&v, e, true, &yes, &valid);
        CHECK(ok ? (yes & 0xFF) == want : o->err.code == TACO_ERR_MEMORY);
    }
    CHECK(ok && pieces > 1);
}

static void functions(void)
{
    static int32_t numbers[1000], index[8] = {500, 501, 502, 503, 504, 505, 506, 507};
    static int32_t offsets[1001];
    static const char text[1] = {0};
    static uint8_t valid_entries[125];
    taco_array coded;
    judge j;
    own o;
    taco__expr *e;
    size_t i;
    for (i = 0; i < 1000; i++) {
        numbers[i] = (int32_t)i;
        offsets[i + 1] = offsets[i];
    }
    memset(valid_entries, 0xFF, sizeof valid_entries);
    taco__bitmap_clear(valid_entries, 503);
    own_begin(&o, TACO_INT32, 4, numbers, 1000);
    e = judged(&o, &j, false);
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0xA2);
    judged_scratch(&o, e, 0xA2);
    j.fails = true;
    CHECK(!taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err));
    CHECK_TEXT(o.err.text, "the condition on column 'x' failed");
    e = judged(&o, &j, true); /* of two columns: on rows, whatever they are stored as */
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0xAA);
    memset(&coded, 0, sizeof coded);
    coded.field = &o.fields[0];
    coded.length = 1000;
    coded.v.any = numbers;
    coded.validity = valid_entries;
    o.arrays[0].dictionary = &coded;
    o.arrays[0].v.any = index;
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0xAA);
    e = judged(&o, &j, false); /* numbers: all entries, since none of their bitmaps can be cut */
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0xA2);
    CHECK(j.calls == 1 && j.rows == 1000);
    index[0] = 7; /* also where rows use few of them that are far apart */
    index[7] = 999;
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0xA3);
    CHECK(j.calls == 2 && j.rows == 2000);
    index[0] = 500;
    index[7] = 507;
    j.fails = true;
    CHECK(!taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err));
    j.fails = false;
    judged_scratch(&o, e, 0xA2);
    o.columns[0] = NULL;
    memset(&o.err, 0, sizeof o.err);
    CHECK(!taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err));
    CHECK(o.err.code == TACO_ERR_ARGUMENT);
    own_end(&o);
    own_begin(&o, TACO_TEXT, 0, index, 8);
    o.arrays[0].dictionary = &coded;
    coded.field = &o.fields[0];
    coded.offsets = offsets;
    coded.v.any = text;
    for (i = 502; i <= 1000; i++) { /* entry 501 has one byte, which is odd */
        offsets[i] = 1;
    }
    e = judged(&o, &j, false); /* texts: only those between that rows use */
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0x02);
    CHECK(j.calls == 1 && j.rows < 20);
    coded.validity = NULL;
    CHECK(taco__pred_eval(e, o.columns, 8, o.bits, &o.m, &o.err) && o.bits[0] == 0x02);
    own_end(&o);
}

/* ---- what statistics prove ---- */

enum { ANY = TACO__MAY_ANY, YES = TACO__MAY_TRUE, NO = TACO__MAY_FALSE, UNKNOWN = TACO__MAY_NULL };

/* A bloom filter that has none of the values, or the first that is asked for. */
typedef struct filter {
    size_t calls, len;
    bool first;
} filter;

static bool filter_holds(void *ctx, taco_bytes value)
{
    filter *f = (filter *)ctx;
    f->len = value.len;
    return f->calls++ == 0 && f->first;
}

/* The results that the condition may have where x and y have these statistics. */
static unsigned outcome(own *o, const char *text, const taco__column_stats *stats)
{
    taco__expr *e = own_bind(o, text);
    CHECK_TEXT(o->err.text, "");
    return e ? taco__pred_prune(e, stats) : 0;
}

/* Two columns of ten rows without NULLs between two numbers. */
static void stats_between(taco__column_stats *stats, taco_type type, int32_t physical, double min,
                          double max)
{
    size_t i;
    memset(stats, 0, 2 * sizeof *stats);
    for (i = 0; i < 2; i++) {
        stats[i].row_count = 10;
        stats[i].physical = physical;
        stats[i].has_min = stats[i].has_max = true;
        stats[i].min = taco__scalar_is_float(type) ? taco__scalar_make_double(type, min)
                                                   : taco__scalar_make_int(type, (int64_t)min);
        stats[i].max = taco__scalar_is_float(type) ? taco__scalar_make_double(type, max)
                                                   : taco__scalar_make_int(type, (int64_t)max);
    }
}

/* Bloom filters are asked for the bytes as stored, if these are known; for zero with both signs. */
static void blooms(void)
{
    static const struct {
        taco_type type;
        int32_t width, physical;
        const char *text;
        size_t calls, len;
        unsigned may;
    } rows[] = {{TACO_FLOAT, 4, TACO__PQ_FLOAT, "x = 0", 2, 4, NO},
                {TACO_FLOAT, 4, TACO__PQ_FLOAT, "x = 0.5", 1, 4, NO},
                {TACO_DOUBLE, 8, TACO__PQ_DOUBLE, "x = 0", 2, 8, NO},
                {TACO_DOUBLE, 8, TACO__PQ_DOUBLE, "x = 0.5", 1, 8, NO},
                {TACO_DOUBLE, 8, TACO__PQ_DOUBLE, "x = 'nan'", 0, 0, YES | NO},
                {TACO_FLOAT, 4, TACO__PQ_INT32, "x = 0.5", 0, 0, YES | NO},
                {TACO_INT8, 1, TACO__PQ_INT32, "x = 0", 0, 0, YES | NO},
                {TACO_INT32, 4, TACO__PQ_INT32, "x = 0", 1, 4, NO},
                {TACO_INT32, 4, TACO__PQ_INT32, "x IN (0, 1)", 0, 0, YES | NO}, /* one range */
                {TACO_INT32, 4, TACO__PQ_INT32, "x IN (-1, 1)", 2, 4, NO},
                {TACO_INT64, 8, TACO__PQ_INT64, "x = 0", 1, 8, NO},
                {TACO_DECIMAL, 16, TACO__PQ_INT64, "x = 0", 1, 8, NO},
                {TACO_DECIMAL, 16, TACO__PQ_FIXED, "x = 0", 0, 0, YES | NO}};

    size_t i;
    for (i = 0; i < TACO__COUNT(rows); i++) {
        taco__column_stats stats[2];
        filter f;
        own o;
        memset(&f, 0, sizeof f);
        own_begin(&o, rows[i].type, rows[i].width, NULL, 8);
        stats_between(stats, rows[i].type, rows[i].physical, -1, 1);
        stats[0].holds = filter_holds;
        stats[0].holds_ctx = &f;
        CHECK(outcome(&o, rows[i].text, stats) == rows[i].may);
        CHECK(f.calls == rows[i].calls && f.len == rows[i].len);
        f.first = true;
        f.calls = 0;
        CHECK(outcome(&o, rows[i].text, stats) == (YES | NO));
        stats[0].holds = NULL;
        CHECK(outcome(&o, rows[i].text, stats) == (YES | NO));
        own_end(&o);
    }
}

static void bounds(void)
{
    taco__column_stats stats[2];
    own o;
    own_begin(&o, TACO_FLOAT, 4, NULL, 8);
    stats_between(stats, TACO_FLOAT, TACO__PQ_FLOAT, -1, 1);
    CHECK(outcome(&o, "x < 2", stats) == (YES | NO)); /* any column may hold NaN */
    CHECK(outcome(&o, "x > -2", stats) == YES);
    CHECK(outcome(&o, "x > 2", stats) == (YES | NO));
    stats[0].has_max = false; /* infinity at most */
    CHECK(outcome(&o, "x > 'inf'", stats) == (YES | NO));
    CHECK(outcome(&o, "x < -2", stats) == NO);
    CHECK(outcome(&o, "x > -2", stats) == YES);
    own_end(&o);
    own_begin(&o, TACO_DOUBLE, 8, NULL, 8);
    stats_between(stats, TACO_DOUBLE, TACO__PQ_DOUBLE, -1, 1);
    stats[0].has_max = false;
    CHECK(outcome(&o, "x > -2", stats) == YES);
    own_end(&o);
    own_begin(&o, TACO_TEXT, 0, NULL, 8);
    memset(stats, 0, sizeof stats);
    stats[0].row_count = 10;
    stats[0].has_min = stats[0].has_max = true;
    stats[0].min.b = taco__bytes_text("aba");
    stats[0].max.b = taco__bytes_text("abz");
    CHECK(outcome(&o, "x LIKE 'ab%'", stats) == YES);
    CHECK(outcome(&o, "x LIKE 'ac%'", stats) == NO);
    stats[0].max.b = taco__bytes_text("b");
    CHECK(outcome(&o, "x LIKE 'ab%'", stats) == (YES | NO));
    CHECK(outcome(&o, "x LIKE 'abab%'", stats) == (YES | NO));
    CHECK(outcome(&o, "FALSE", stats) == NO);
    CHECK(outcome(&o, "TRUE", stats) == YES);
    CHECK(outcome(&o, "NULL", stats) == UNKNOWN);
    stats[0].row_count = 0; /* no rows have no results; an AND with them is no more than the rest */
    CHECK(outcome(&o, "x = 'aba'", stats) == 0);
    stats[1].row_count = 10;
    stats[1].null_count = -1;
    CHECK((outcome(&o, "x = 'aba' AND y = 'b'", stats) & YES) == 0);
    CHECK((outcome(&o, "y = 'b' OR x = 'aba'", stats) & UNKNOWN) == 0);
    own_end(&o);
}

/* Dictionaries: the test of each entry, or any result where there is no memory for that. */
static void entries_prove(void)
{
    taco__column_stats stats[2];
    taco_options options;
    taco_allocator allocator;
    test_memory memory;
    taco__mem none;
    int32_t numbers[100];
    taco_array coded;
    taco_field other;
    own o;
    size_t i;
    for (i = 0; i < 100; i++) {
        numbers[i] = (int32_t)i * 2;
    }
    test_counted(&options, &allocator, &memory);
    memory.fail_at = 1;
    memory.all_after = true;
    taco__mem_init(&none, &options);
    own_begin(&o, TACO_INT32, 4, NULL, 8);
    stats_between(stats, TACO_INT32, TACO__PQ_INT32, 0, 198);
    memset(&coded, 0, sizeof coded);
    coded.field = &o.fields[0];
    coded.length = 100;
    coded.v.any = numbers;
    stats[0].entries = &coded;
    stats[0].mem = &o.m;
    CHECK(outcome(&o, "x = 3", stats) == NO && outcome(&o, "x = 4", stats) == (YES | NO));
    CHECK(outcome(&o, "x = 198", stats) == (YES | NO));
    stats[0].mem = &none;
    CHECK(outcome(&o, "x = 3", stats) == (YES | NO));
    stats[0].mem = &o.m;
    other = o.fields[0];
    other.type = TACO_DATE;
    coded.field = &other;
    CHECK(outcome(&o, "x = 3", stats) == (YES | NO));
    coded.length = 0;
    CHECK(outcome(&o, "x = 4", stats) == 0);
    coded.field = &o.fields[0];
    CHECK(outcome(&o, "x = 4", stats) == 0);
    own_end(&o);
}

/* A program's function on the entries of dictionaries, and on NULL. */
static void functions_prove(void)
{
    static const int32_t offsets[101] = {0};
    taco__column_stats stats[2];
    taco_options options;
    taco_allocator allocator;
    test_memory memory;
    taco__mem none;
    int32_t numbers[100];
    taco_array coded;
    judge j;
    own o;
    taco__expr *e;
    size_t i;
    for (i = 0; i < 100; i++) {
        numbers[i] = (int32_t)i * 2;
    }
    test_counted(&options, &allocator, &memory);
    memory.fail_at = 1;
    memory.all_after = true;
    taco__mem_init(&none, &options);
    own_begin(&o, TACO_INT32, 4, NULL, 8);
    e = judged(&o, &j, false);
    memset(stats, 0, sizeof stats);
    stats[0].row_count = 1000;
    CHECK(taco__pred_prune(e, stats) == ANY);
    stats[0].has_min = true;
    CHECK(taco__pred_prune(e, stats) == NO); /* as the program says */
    stats[0].has_min = false;
    memset(&coded, 0, sizeof coded);
    coded.field = &o.fields[0];
    coded.length = 100;
    coded.v.any = numbers;
    stats[0].entries = &coded;
    stats[0].mem = &o.m;
    CHECK(taco__pred_prune(e, stats) == NO && j.rows == 100);
    numbers[70] = 71;
    CHECK(taco__pred_prune(e, stats) == (YES | NO));
    numbers[70] = 3;
    CHECK(taco__pred_prune(e, stats) == (NO | UNKNOWN));
    for (i = 0; i < 100; i++) {
        numbers[i] = 5;
    }
    CHECK(taco__pred_prune(e, stats) == YES);
    coded.length = 64; /* a whole word */
    CHECK(taco__pred_prune(e, stats) == YES);
    stats[0].null_count = 7; /* a NULL remains one unless the function judges it */
    CHECK(taco__pred_prune(e, stats) == (YES | UNKNOWN));
    stats[0].null_count = 1000;
    j.rows = 0;
    CHECK(taco__pred_prune(e, stats) == UNKNOWN && j.rows == 1);
    stats[0].null_count = 0;
    coded.length = 0;
    CHECK(taco__pred_prune(e, stats) == 0);
    coded.length = 100;
    stats[0].mem = &none;
    CHECK(taco__pred_prune(e, stats) == ANY);
    stats[0].mem = &o.m;
    j.fails = true;
    CHECK(taco__pred_prune(e, stats) == ANY);
    e = judged(&o, &j, true); /* of two columns: nothing is known */
    CHECK(taco__pred_prune(e, stats) == ANY);
    stats[0].entries = NULL;
    stats[0].has_min = true;
    CHECK(taco__pred_prune(e, stats) == ANY && j.calls == 0);
    own_end(&o);
    own_begin(&o, TACO_TEXT, 0, NULL, 8);
    e = judged(&o, &j, false);
    memset(stats, 0, sizeof stats);
    stats[0].row_count = 1000;
    stats[0].null_count = -1;
    stats[0].entries = &coded;
    stats[0].mem = &o.m;
    coded.field = &o.fields[0];
    coded.offsets = offsets;
    coded.v.any = "";
    CHECK(taco__pred_prune(e, stats) == (NO | UNKNOWN) && j.rows == 101);
    own_end(&o);
    own_begin(&o, TACO_FIXED, 100, NULL, 8); /* too wide for a NULL to be shown */
    e = judged(&o, &j, false);
    coded.length = 0;
    coded.field = &o.fields[0];
    CHECK(taco__pred_prune(e, stats) == ANY && j.calls == 0);
    own_end(&o);
}

/* ---- scalars ---- */

/* Texts as values of a type: the number as text, or "refused". */
static const char *cast_text(const char *text, taco_type type, taco_unit unit, int32_t scale)
{
    static char result[64];
    taco__mem m;
    taco__arena arena;
    taco__scalar_type t = taco__scalar_simple_type(type);
    taco__scalar v;
    size_t i, n = 0;
    taco__mem_init(&m, NULL);
    arena.mem = &m;
    arena.head = NULL;
    t.unit = unit;
    t.precision = 76;
    t.scale = scale;
    if (!taco__scalar_parse(&arena, taco__bytes_text(text), &t, &v, NULL)) {
        snprintf(result, sizeof result, "refused");
    } else if (taco__scalar_is_bytes(type)) {
        for (i = 0; i < v.b.len && i < 20; i++) {
            n += (size_t)snprintf(result + n, sizeof result - n, "%02x", v.b.data[i]);
        }
        result[n] = 0;
    } else if (taco__scalar_is_float(type)) {
        snprintf(result, sizeof result, "%g", v.f);
    } else {
        snprintf(result, sizeof result, "%.0f", taco__scalar_i256_to_double(&v.d, false));
    }
    taco__arena_free(&arena);
    CHECK(m.used == 0);
    return result;
}

static void words(void)
{
    static const struct {
        const char *text;
        taco_type type;
        const char *want;
    } rows[] = {
        {"1.2.3", TACO_INT32, "refused"},
        {"_1", TACO_INT32, "refused"},
        {"1_", TACO_INT32, "refused"},
        {"1_x", TACO_INT32, "refused"},
        {"-_1", TACO_INT32, "refused"},
        {"1_._5", TACO_INT32, "refused"},
        {"1._5", TACO_INT32, "refused"},
        {"1_0.2_5", TACO_INT32, "10"},
        {"1e+2", TACO_INT32, "100"},
        {"1e-", TACO_INT32, "refused"},
        {"1ex", TACO_INT32, "refused"},
        {"1e/", TACO_INT32, "refused"},
        {"1e2x", TACO_INT32, "refused"},
        {"1e2/", TACO_INT32, "refused"},
        {"e5", TACO_INT32, "refused"},
        {"1e10000000", TACO_INT32, "refused"},
        {"1e-10000000", TACO_INT32, "0"},
        {"9e76", TACO_INT32, "refused"},
        {"9e77", TACO_INT32, "refused"},
        {"+1.5", TACO_DOUBLE, "1.5"},
        {"+inf", TACO_DOUBLE, "inf"},
        {"-Infinity", TACO_FLOAT, "-inf"},
        {"-NaN", TACO_FLOAT, "nan"},
        {"_1", TACO_DOUBLE, "refused"},
        {"1_", TACO_DOUBLE, "refused"},
        {"1_x", TACO_DOUBLE, "refused"},
        {"1e_1", TACO_DOUBLE, "refused"},
        {"1_.5", TACO_DOUBLE, "refused"},
        {"-+1", TACO_DOUBLE, "refused"},
        {"+-1", TACO_DOUBLE, "refused"},
        {"1x", TACO_FLOAT, "refused"},
        {"1.5", TACO_HALF, "1.5"},
        {"yes", TACO_BOOL, "1"},
        {"Y", TACO_BOOL, "1"},
        {"n", TACO_BOOL, "0"},
        {"1", TACO_BOOL, "1"},
        {"0", TACO_BOOL, "0"},
        {"", TACO_BOOL, "refused"},
        {"a\\", TACO_BINARY, "refused"},
        {"a\\x0", TACO_BINARY, "refused"},
        {"\\x0g", TACO_BINARY, "refused"},
        {"\\x0fz", TACO_BINARY, "0f7a"},
        {"{00112233445566778899AABBCCDDEEFF}", TACO_UUID, "00112233445566778899aabbccddeeff"},
        {"{00112233445566778899AABBCCDDEEFF", TACO_UUID, "refused"},
        {"00112233445566778899AABBCCDDEEFF}", TACO_UUID, "refused"},
        {"-0112233445566778899AABBCCDDEEFF0", TACO_UUID, "refused"},
        {"00112233445566778899AABBCCDDEEFF0", TACO_UUID, "refused"},
        {"00112233445566778899AABBCCDDEEF", TACO_UUID, "refused"},
        {"", TACO_UUID, "refused"},
        {"{", TACO_UUID, "refused"},
        {"epoch", TACO_DATE, "0"},
        {"-epoch", TACO_TIMESTAMP, "0"},
        {"epoch", TACO_TIME, "0"},
        {"infinity", TACO_TIME, "refused"},
        {"-inf", TACO_DATE, "-2147483647"},
        {"1970-01-01t00:00:01", TACO_TIMESTAMP, "refused"},
        {"1970-01-01 00:00:01 Z", TACO_TIMESTAMP, "refused"},
        {"0x1F", TACO_INT8, "31"},
        {"0xFF", TACO_INT8, "refused"},
        {"1970-01-01T00:00:02", TACO_TIMESTAMP, "2000000"},
        {"1970-01-01 00:00:02+x", TACO_TIMESTAMP, "refused"},
        {"294247-01-10 04:00:54.775806", TACO_TIMESTAMP, "9223372036854775808"},
        {"294247-01-10 04:00:54.775807", TACO_TIMESTAMP, "refused"},
        {"294247-01-10 04:00:54.775808", TACO_TIMESTAMP, "refused"},
        {"-290308-12-22 00:00:00", TACO_TIMESTAMP, "-9223372022400000000"},
        {"-290308-12-21 23:59:59", TACO_TIMESTAMP, "refused"},
        {"-290308-12-21 19:59:05.224193", TACO_TIMESTAMP, "refused"},
        {"1", TACO_LIST, "refused"},
        {"1", TACO_INTERVAL, "refused"}};

    static char digits[101001];
    taco__i256 d;
    size_t i;
    for (i = 0; i < TACO__COUNT(rows); i++) {
        const char *got = cast_text(rows[i].text, rows[i].type, TACO_MICRO, 0);
        if (strcmp(got, rows[i].want) != 0) { printf("'%s': ", rows[i].text); }
        CHECK_TEXT(got, rows[i].want);
    }
    CHECK_TEXT(cast_text("2262-04-11 23:47:16.854775806", TACO_TIMESTAMP, TACO_NANO, 0),
               "9223372036854775808");
    CHECK_TEXT(cast_text("2262-04-11 23:47:16.854775807", TACO_TIMESTAMP, TACO_NANO, 0), "refused");
    CHECK_TEXT(cast_text("1677-09-21 00:12:43.145224193", TACO_TIMESTAMP, TACO_NANO, 0), "refused");
    CHECK_TEXT(cast_text("1677-09-21 00:12:43.145224194", TACO_TIMESTAMP, TACO_NANO, 0),
               "-9223372036854775808");
    CHECK_TEXT(cast_text("9e76", TACO_DECIMAL, TACO_MICRO, 3), "refused");
    memset(digits, '1', sizeof digits - 1);
    CHECK_TEXT(cast_text(digits, TACO_DOUBLE, TACO_MICRO, 0), "refused");
    CHECK(!taco__scalar_parse_exact(taco__bytes_of(digits, sizeof digits - 1), 0, &d));
    CHECK(!taco__scalar_parse_exact(taco__bytes_of(digits, 80), 0, &d));
    memcpy(digits, "1.", 2); /* digits after the 75th of a fraction change nothing */
    CHECK(taco__scalar_parse_exact(taco__bytes_of(digits, 90), 2, &d) && d.w[0] == 111);
}

static void common_types(void)
{
    static const struct {
        taco_type a, b;
        bool allowed;
        taco_type want;
    } rows[] = {{TACO_NULL, TACO_INT8, true, TACO_INT8},
                {TACO_TEXT, TACO_NULL, true, TACO_TEXT},
                {TACO_NULL, TACO_LIST, false, TACO_NULL},
                {TACO_INTERVAL, TACO_NULL, false, TACO_NULL},
                {TACO_TEXT, TACO_TEXT, true, TACO_TEXT},
                {TACO_TEXT, TACO_UUID, false, TACO_NULL},
                {TACO_LIST, TACO_LIST, false, TACO_NULL},
                {TACO_INTERVAL, TACO_INTERVAL, false, TACO_NULL},
                {TACO_DATE, TACO_TIME, false, TACO_NULL},
                {TACO_TIME, TACO_TIMESTAMP, false, TACO_NULL},
                {TACO_INT8, TACO_TEXT, false, TACO_NULL},
                {TACO_BOOL, TACO_FLOAT, false, TACO_NULL},
                {TACO_DECIMAL, TACO_BOOL, false, TACO_NULL},
                {TACO_UINT64, TACO_DECIMAL, true, TACO_DECIMAL}};

    static const struct {
        uint64_t w[4];
        double want;
    } wide[] = {
        {{0x7FFFFFFFFFFFFFFFU, UINT64_MAX, UINT64_MAX, UINT64_MAX}, -9223372036854775808.0},
        {{0, 1, 0, 0}, 18446744073709551616.0},
        {{0, 0, 0, 1}, 6277101735386680763835789423207666416102355444464034512896.0},
        {{0, 0, 1, 0}, 340282366920938463463374607431768211456.0},
        {{0, 0, 0, UINT64_MAX}, -6277101735386680763835789423207666416102355444464034512896.0}};

    uint8_t wide_be[33] = {0, 0x80};
    taco__scalar_type huge, t;
    taco__i256 d, all = taco__i256_from_i64(INT32_MIN), more = taco__i256_from_i64(INT32_MAX + 1LL);
    size_t i;
    for (i = 0; i < TACO__COUNT(rows); i++) {
        taco__scalar_type a = taco__scalar_simple_type(rows[i].a),
                          b = taco__scalar_simple_type(rows[i].b), c;
        CHECK(taco__scalar_common_type(&a, &b, false, &c) == rows[i].allowed);
        CHECK(!rows[i].allowed || c.id == rows[i].want);
    }
    for (i = 0; i < TACO__COUNT(wide); i++) {
        memcpy(d.w, wide[i].w, sizeof d.w);
        CHECK(taco__scalar_i256_to_double(&d, false) == wide[i].want);
    }
    d = taco__i256_from_i64(1);
    CHECK(taco__i256_mul10(&d, 60));
    CHECK(taco__scalar_decimal_to_double(&d, 45, false) == 1e15); /* 10^45 has no table */
    CHECK_TEXT(taco__scalar_type_name((taco_type)99), "?");
    huge = taco__scalar_simple_type(TACO_DECIMAL);
    huge.precision = 90; /* more digits than any number has */
    CHECK(taco__scalar_fits(&huge, &d));
    t = taco__scalar_simple_type(TACO_BOOL);
    CHECK(taco__scalar_decimal_digits(&t) == 1);
    t.id = TACO_UINT64;
    CHECK(taco__scalar_decimal_digits(&t) == 20);
    t.id = TACO_INT64;
    CHECK(taco__scalar_decimal_digits(&t) == 19);
    t.id = TACO_INT8;
    CHECK(taco__scalar_decimal_digits(&t) == 3);
    t.id = TACO_INT16;
    CHECK(taco__scalar_decimal_digits(&t) == 5);
    t.id = TACO_DATE; /* of 32 bits */
    CHECK(taco__scalar_fits(&t, &all) && !taco__scalar_fits(&t, &more));
    CHECK(!taco__i256_from_be(taco__bytes_of(wide_be, 33), &d));
    wide_be[1] = 0x7F;
    CHECK(taco__i256_from_be(taco__bytes_of(wide_be, 33), &d) && d.w[3] == 0x7Full << 56);
    CHECK(!taco__scalar_has_key(TACO_LIST) && !taco__scalar_has_key(TACO_TEXT) &&
          taco__scalar_has_key(TACO_DATE));
}

/* Bounds that are stored as another physical type than their column's prove nothing. */
static void statistics(void)
{
    static const struct {
        taco_type type;
        int32_t width, physical;
        size_t len;
        bool usable;
    } rows[] = {{TACO_BOOL, 0, TACO__PQ_BOOLEAN, 1, true},
                {TACO_BOOL, 0, TACO__PQ_INT32, 4, false},
                {TACO_INT8, 1, TACO__PQ_INT64, 8, false},
                {TACO_INT32, 4, -1, 4, false},
                {TACO_INT64, 8, TACO__PQ_INT32, 4, false},
                {TACO_TIME, 4, TACO__PQ_INT32, 4, true},
                {TACO_TIME, 8, TACO__PQ_INT64, 8, true},
                {TACO_TIME, 8, TACO__PQ_FLOAT, 4, false},
                {TACO_HALF, 2, TACO__PQ_FIXED, 2, true},
                {TACO_HALF, 2, TACO__PQ_FIXED, 4, false},
                {TACO_FLOAT, 4, TACO__PQ_FLOAT, 4, true},
                {TACO_FLOAT, 4, TACO__PQ_DOUBLE, 8, false},
                {TACO_DOUBLE, 8, TACO__PQ_DOUBLE, 8, true},
                {TACO_DOUBLE, 8, TACO__PQ_FLOAT, 4, false},
                {TACO_DECIMAL, 16, TACO__PQ_INT32, 4, true},
                {TACO_DECIMAL, 16, TACO__PQ_FLOAT, 4, false},
                {TACO_DECIMAL, 16, TACO__PQ_BYTE_ARRAY, 0, false},
                {TACO_DECIMAL, 16, TACO__PQ_BYTE_ARRAY, 3, true},
                {TACO_DECIMAL, 16, TACO__PQ_FIXED, 16, true},
                {TACO_DECIMAL, 16, TACO__PQ_FIXED, 40, false},
                {TACO_TEXT, 0, TACO__PQ_FIXED, 3, false},
                {TACO_UUID, 16, TACO__PQ_FIXED, 16, true},
                {TACO_UUID, 16, TACO__PQ_BYTE_ARRAY, 16, false},
                {TACO_FIXED, 16, TACO__PQ_FIXED, 15, false},
                {TACO_LIST, 0, TACO__PQ_INT32, 4, false}};

    uint8_t bytes[40];
    size_t i;
    memset(bytes, 1, sizeof bytes);
    for (i = 0; i < TACO__COUNT(rows); i++) {
        taco_field f;
        taco__scalar v;
        memset(&f, 0, sizeof f);
        f.type = rows[i].type;
        f.width = rows[i].width;
        CHECK(taco__scalar_from_statistics(&f, rows[i].physical, taco__bytes_of(bytes, rows[i].len),
                                           &v) == rows[i].usable);
    }
}

int main(void)
{
    RUN(constants);
    RUN(sides);
    RUN(codes);
    RUN(kinds);
    RUN(letters);
    RUN(messages);
    RUN(refused);
    RUN(colons);
    RUN(cut);
    RUN(scratch);
    RUN(many_rows);
    RUN(int96_ends);
    RUN(decimal_ends);
    RUN(long_dictionaries);
    RUN(wrong_arrays);
    RUN(longest_text);
    RUN(patterns_of_rows);
    RUN(ranges);
    RUN(no_text);
    RUN(depths);
    RUN(functions);
    RUN(blooms);
    RUN(bounds);
    RUN(entries_prove);
    RUN(functions_prove);
    RUN(words);
    RUN(common_types);
    RUN(statistics);
    RUN(out_of_memory);
    return test_end("test_expr_edges");
}
