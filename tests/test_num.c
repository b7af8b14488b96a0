/* base/number_*.c, decimal.c, bytes.c: numbers to text and back, decimals, UTF-8. */
#include "test.h"
#include "../src/base/decimal.c"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

static uint64_t num_state = 88172645463325252U;

static uint64_t num_random(void)
{
    num_state ^= num_state << 13;
    num_state ^= num_state >> 7;
    num_state ^= num_state << 17;
    return num_state;
}

static const char *num_f64(double x)
{
    static char text[40];
    text[taco__num_format_f64(text, x)] = 0;
    return text;
}

static const char *num_f32(float x)
{
    static char text[40];
    text[taco__num_format_f32(text, x)] = 0;
    return text;
}

static const char *num_f16(unsigned bits)
{
    static char text[40];
    text[taco__num_format_f16(text, (uint16_t)bits)] = 0;
    return text;
}

static uint64_t
num_bits(const char *text) /* of the double a text parses to; all ones when it does not */
{
    double x = 0;
    return taco__num_parse_f64(taco__bytes_text(text), &x) ? taco__f64_to_bits(x) : UINT64_MAX;
}

static void integers(void)
{
    static const uint64_t edge[] = {0,
                                    9,
                                    10,
                                    99,
                                    100,
                                    999,
                                    1000,
                                    9999,
                                    10000,
                                    99999,
                                    100000,
                                    999999,
                                    9999999,
                                    99999999,
                                    100000000,
                                    999999999,
                                    123456789,
                                    9999999999999999U,
                                    UINT64_MAX,
                                    10000000000000000U,
                                    18446744073709551609U,
                                    1U << 31};
    char text[24], want[24];
    size_t i, n;
    uint64_t u = 0;
    int64_t d = 0;
    for (i = 0; i < 20000; i++) {
        uint64_t x = i < TACO__COUNT(edge) ? edge[i] : num_random() >> (num_random() % 64);
        n = taco__num_format_u64(text, x);
        text[n] = 0;
        snprintf(want, sizeof want, "%llu", (unsigned long long)x);
        CHECK_TEXT(text, want);
        CHECK(taco__num_parse_u64(taco__bytes_text(text), &u) && u == x);
        n = taco__num_format_i64(text, (int64_t)x);
        text[n] = 0;
        snprintf(want, sizeof want, "%lld", (long long)(int64_t)x);
        CHECK_TEXT(text, want);
        CHECK(taco__num_parse_i64(taco__bytes_text(text), &d) && d == (int64_t)x);
    }
    text[taco__num_format_i64(text, INT64_MIN)] = 0;
    CHECK_TEXT(text, "-9223372036854775808");
    d = 7;
    CHECK(taco__num_parse_i64(taco__bytes_text("-9223372036854775808"), &d) && d == INT64_MIN);
    CHECK(taco__num_parse_i64(taco__bytes_text("9223372036854775807"), &d) && d == INT64_MAX);
    d = 7;
    CHECK(!taco__num_parse_i64(taco__bytes_text("9223372036854775808"), &d));
    CHECK(!taco__num_parse_i64(taco__bytes_text("-9223372036854775809"), &d));
    CHECK(!taco__num_parse_i64(taco__bytes_text("-"), &d) &&
          !taco__num_parse_i64(taco__bytes_text(""), &d));
    CHECK(!taco__num_parse_i64(taco__bytes_text("1 "), &d) &&
          !taco__num_parse_i64(taco__bytes_text("+1"), &d));
    CHECK(!taco__num_parse_i64(taco__bytes_text(NULL), &d) && d == 7);
    CHECK(taco__num_parse_u64(taco__bytes_text("18446744073709551615"), &u) && u == UINT64_MAX);
    CHECK(!taco__num_parse_u64(taco__bytes_text("18446744073709551616"), &u));
    CHECK(!taco__num_parse_u64(taco__bytes_text("99999999999999999999"), &u) && u == UINT64_MAX);
    CHECK(taco__num_parse_u64(taco__bytes_text("000000000000000000000000012"), &u) && u == 12);
}

static void double_forms(void)
{
    CHECK_TEXT(num_f64(0.0), "0.0");
    CHECK_TEXT(num_f64(-0.0), "-0.0");
    CHECK_TEXT(num_f64(1.0), "1.0");
    CHECK_TEXT(num_f64(-1.5), "-1.5");
    CHECK_TEXT(num_f64(0.1), "0.1");
    CHECK_TEXT(num_f64(1.0 / 3), "0.3333333333333333");
    CHECK_TEXT(num_f64(100), "100.0");
    CHECK_TEXT(num_f64(123456789.125), "123456789.125");
    CHECK_TEXT(num_f64(0.001), "0.001");
    CHECK_TEXT(num_f64(0.0001), "0.0001");
    CHECK_TEXT(num_f64(0.00001), "1e-05");
    CHECK_TEXT(num_f64(0.000123), "0.000123");
    CHECK_TEXT(num_f64(1.25e-7), "1.25e-07");
    CHECK_TEXT(num_f64(9007199254740991.0), "9007199254740991.0");
    CHECK_TEXT(num_f64(9007199254740992.0), "9007199254740992.0");
    CHECK_TEXT(num_f64(9007199254740994.0), "9007199254740994.0");
    CHECK_TEXT(num_f64(1e15), "1000000000000000.0");
    CHECK_TEXT(num_f64(1e16), "1e+16");
    CHECK_TEXT(num_f64(12345678901234567000.0), "1.2345678901234567e+19");
    CHECK_TEXT(num_f64(1e22), "1e+22");
    CHECK_TEXT(num_f64(1e23), "1e+23");
    CHECK_TEXT(num_f64(9.5e-3), "0.0095");
    CHECK_TEXT(num_f64(5e-324), "5e-324");
    CHECK_TEXT(num_f64(2.2250738585072014e-308), "2.2250738585072014e-308");
    CHECK_TEXT(num_f64(2.225073858507201e-308),
               "2.225073858507201e-308"); /* the largest denormal */
    CHECK_TEXT(num_f64(1.7976931348623157e308), "1.7976931348623157e+308");
    CHECK_TEXT(num_f64(taco__f64_from_bits(UINT64_C(0x7FF0000000000000))), "Infinity");
    CHECK_TEXT(num_f64(taco__f64_from_bits(UINT64_C(0xFFF0000000000000))), "-Infinity");
    CHECK_TEXT(num_f64(taco__f64_from_bits(UINT64_C(0x7FF8000000000000))), "NaN");
    CHECK_TEXT(num_f64(taco__f64_from_bits(UINT64_C(0xFFF8000000000001))), "NaN");
    CHECK_TEXT(num_f64(9.109383632e-31), "9.109383632e-31");
    CHECK_TEXT(num_f64(2.98023223876953125e-8),
               "2.9802322387695312e-08"); /* two as near: the even one */
}

static void narrow_forms(void)
{
    CHECK_TEXT(num_f32(1.1F), "1.1");
    CHECK_TEXT(num_f32(0.1F), "0.1");
    CHECK_TEXT(num_f32(-0.0F), "-0.0");
    CHECK_TEXT(num_f32(16777216.0F), "16777216.0");
    CHECK_TEXT(num_f32(3.4028234663852886e38F), "3.4028235e+38");
    CHECK_TEXT(num_f32(1.401298464324817e-45F), "1e-45");
    CHECK_TEXT(num_f32(1.17549435e-38F), "1.1754944e-38");
    CHECK_TEXT(num_f32(taco__f32_from_bits(0x7F800000U)), "Infinity");
    CHECK_TEXT(num_f32(taco__f32_from_bits(0xFF800000U)), "-Infinity");
    CHECK_TEXT(num_f32(taco__f32_from_bits(0x7FC00000U)), "NaN");
    CHECK_TEXT(num_f16(0x501C), "32.88"); /* 32.875 */
    CHECK_TEXT(num_f16(0x3C00), "1.0");
    CHECK_TEXT(num_f16(0x8000), "-0.0");
    CHECK_TEXT(num_f16(0x0001), "6e-08");
    CHECK_TEXT(num_f16(0x7BFF), "65500.0");
    CHECK_TEXT(num_f16(0x2E66), "0.1");
    CHECK_TEXT(num_f16(0x7C00), "Infinity");
    CHECK_TEXT(num_f16(0xFC00), "-Infinity");
    CHECK_TEXT(num_f16(0x7E00), "NaN");
    CHECK(taco__num_f16_to_f32(0x3C00) == 1.0F && taco__num_f16_to_f32(0xC000) == -2.0F);
    CHECK(taco__num_f16_to_f32(0x0001) == 1.0F / 16777216.0F &&
          taco__num_f16_to_f32(0x7BFF) == 65504.0F);
    CHECK(taco__f32_to_bits(taco__num_f16_to_f32(0x8000)) == 0x80000000U);
    CHECK(taco__f32_to_bits(taco__num_f16_to_f32(0x7C00)) == 0x7F800000U);
    CHECK(taco__f32_to_bits(taco__num_f16_to_f32(0xFE01)) == 0xFFC02000U);
}

/* Each half is told from its neighbours by what is printed for it. */
static void halves(void)
{
    uint32_t bits;
    for (bits = 0; bits < 0x7C00; bits++) {
        double x = (double)taco__num_f16_to_f32((uint16_t)bits),
               up = (double)taco__num_f16_to_f32((uint16_t)(bits + 1)), got = 0;
        double down = bits ? (double)taco__num_f16_to_f32((uint16_t)(bits - 1)) : -x;
        if (bits == 0x7BFF) { up = 65536; }
        CHECK(taco__num_parse_f64(taco__bytes_text(num_f16(bits)), &got));
        CHECK(got - x <= (up - x) / 2 && x - got <= (x - down) / 2);
        CHECK(strlen(num_f16(bits)) <= 10);
    }
}

static void round_trips(void)
{
    size_t i;
    for (i = 0; i < 1000000; i++) {
        uint64_t bits = num_random();
        double x, y = 0;
        float f, g = 0;
        char text[64];
        if (i % 4 == 1) { /* short decimals, as data has them */
            bits = taco__f64_to_bits((double)(int64_t)(num_random() >> (num_random() % 64)) /
                                     (i % 8 == 1 ? 100.0 : 1e6));
        } else if (i % 4 == 2) { /* few bits */
            bits &= ~((UINT64_C(1) << (num_random() % 53)) - 1);
        }
        x = taco__f64_from_bits(bits);
        f = taco__f32_from_bits((uint32_t)num_random());
        if ((bits >> 52 & 0x7FF) == 0x7FF || (taco__f32_to_bits(f) >> 23 & 0xFF) == 0xFF) {
            continue;
        }
        text[taco__num_format_f64(text, x)] = 0;
        CHECK(taco__num_parse_f64(taco__bytes_text(text), &y) && taco__f64_to_bits(y) == bits);
        if (i % 32 == 0) { /* and the C library agrees */
            CHECK(strtod(text, NULL) == x);
            snprintf(text, sizeof text, "%.*g", (int)(1 + num_random() % 25), x);
            CHECK(taco__num_parse_f64(taco__bytes_text(text), &y) && y == strtod(text, NULL));
            CHECK(taco__num_parse_f32(taco__bytes_text(text), &g) && g == strtof(text, NULL));
        }
        text[taco__num_format_f32(text, f)] = 0;
        CHECK(taco__num_parse_f32(taco__bytes_text(text), &g) &&
              taco__f32_to_bits(g) == taco__f32_to_bits(f));
    }
}

/* The C library needs as many digits. */
static void shortest(void)
{
    size_t i;
    for (i = 0; i < 20000; i++) {
        double x = taco__f64_from_bits(num_random() & (UINT64_MAX >> 1));
        char text[40], less[40];
        size_t digits = 0, zeros, k;
        if (!(x - x == 0)) { continue; }
        text[taco__num_format_f64(text, x)] = 0;
        for (k = 0, zeros = 0; text[k] && text[k] != 'e'; k++) {
            if (text[k] == '0') {
                zeros += digits > 0;
            } else if (text[k] != '.') {
                digits += zeros + 1;
                zeros = 0;
            }
        }
        if (digits > 1) {
            snprintf(less, sizeof less, "%.*e", (int)digits - 2, x);
            CHECK(strtod(less, NULL) != x);
        }
    }
}

static void parsing(void)
{
    float f = 0;
    CHECK(num_bits("0") == 0 && num_bits("-0") == UINT64_C(1) << 63 &&
          num_bits("0e999999999999999999999") == 0);
    CHECK(num_bits("1") == UINT64_C(0x3FF0000000000000) && num_bits("+1.0e0") == num_bits("1"));
    CHECK(num_bits(".5") == num_bits("0.5") && num_bits("5.") == num_bits("5") &&
          num_bits("5.e1") == num_bits("50"));
    CHECK(num_bits("9007199254740993") ==
          num_bits("9007199254740992")); /* 2^53 + 1: a tie, to even */
    CHECK(num_bits("9007199254740995") == num_bits("9007199254740996")); /* and the other way */
    CHECK(num_bits("9007199254740993.0000000000000000000000000000001") ==
          num_bits("9007199254740994"));
    CHECK(num_bits("9007199254740992.9999999999999999999999999999999") ==
          num_bits("9007199254740992"));
    CHECK(num_bits("5e-324") == 1 && num_bits("4.9406564584124654e-324") == 1);
    CHECK(num_bits("2.4703282292062327e-324") == 0); /* just below half the least */
    CHECK(num_bits("2.4703282292062328e-324") == 1);
    CHECK(num_bits("2.2250738585072011e-308") == UINT64_C(0x000FFFFFFFFFFFFF));
    CHECK(num_bits("2.2250738585072012e-308") == UINT64_C(0x0010000000000000));
    CHECK(num_bits("1.7976931348623157e308") == UINT64_C(0x7FEFFFFFFFFFFFFF));
    CHECK(num_bits("1.7976931348623158e308") == UINT64_C(0x7FEFFFFFFFFFFFFF));
    CHECK(num_bits("1.7976931348623159e308") == UINT64_C(0x7FF0000000000000));
    CHECK(num_bits("1e309") == UINT64_C(0x7FF0000000000000) &&
          num_bits("-1e309") == UINT64_C(0xFFF0000000000000));
    CHECK(num_bits("1e99999999999999999999999999") == UINT64_C(0x7FF0000000000000));
    CHECK(num_bits("1e-99999999999999999999999999") == 0);
    CHECK(num_bits("1e23") == UINT64_C(0x44B52D02C7E14AF6));
    CHECK(num_bits("8.988465674311581e307") == num_bits("89884656743115810000000000e282"));
    CHECK(num_bits("1.00000000000000011102230246251565404") ==
          num_bits("1")); /* 1 + 2^-53, below */
    CHECK(num_bits("1.00000000000000011102230246251565405") == num_bits("1.0000000000000002"));
    CHECK(num_bits("0.000000000000000000000000000000000000000000000000001") == num_bits("1e-51"));
    CHECK(num_bits("000000000000000000000000000000012.5") == num_bits("12.5"));
    CHECK(num_bits("") == UINT64_MAX && num_bits("-") == UINT64_MAX && num_bits(".") == UINT64_MAX);
    CHECK(num_bits("1e") == UINT64_MAX && num_bits("1e+") == UINT64_MAX &&
          num_bits("1 ") == UINT64_MAX);
    CHECK(num_bits("0x10") == UINT64_MAX && num_bits("1,5") == UINT64_MAX &&
          num_bits("--1") == UINT64_MAX);
    CHECK(num_bits("nan") == UINT64_MAX && num_bits("inf") == UINT64_MAX &&
          num_bits("1.2.3") == UINT64_MAX);
    /* rounded once: through a double it would be the tie 1 + 2^-24 and go to 1 */
    CHECK(taco__num_parse_f32(taco__bytes_text("1.00000005960464477539062500000001"), &f));
    CHECK(taco__f32_to_bits(f) == 0x3F800001U);
    CHECK(taco__num_parse_f32(taco__bytes_text("1.000000059604644775390625"), &f) && f == 1.0F);
    CHECK(taco__num_parse_f32(taco__bytes_text("1e-46"), &f) && f == 0.0F);
    CHECK(taco__num_parse_f32(taco__bytes_text("3.4028236e38"), &f) &&
          taco__f32_to_bits(f) == 0x7F800000U);
    CHECK(!taco__num_parse_f32(taco__bytes_text("1f"), &f));
}

/* Doubles in all their digits, and a halfway point with its neighbours. */
static void long_digits(void)
{
    static char text[1400], more[1500];
    size_t i;
    for (i = 0; i < 300; i++) {
        uint64_t bits = num_random() >> 2;
        if (i % 2) {
            /* the longest of them */
            bits = (bits & 0xFFFFFFFFFFFFF) | (num_random() % 60) << 52;
        }
        snprintf(text, sizeof text, "%.1100f", taco__f64_from_bits(bits));
        CHECK(num_bits(text) == bits);
        snprintf(more, sizeof more, "%s0000001", text);
        CHECK(num_bits(more) == bits);
    }
    /* 2^-1075, half the least double, has 752 digits behind its zeros */
    memset(text, '0', sizeof text);
    {
        static char digits[900];
        size_t n = 1, k, carry;
        memset(digits, 0, sizeof digits);
        digits[0] = 1; /* 5^1075, least significant first: 2^-1075 = 5^1075 * 10^-1075 */
        for (i = 0; i < 1075; i++) {
            for (k = carry = 0; k < n; k++) {
                carry += (size_t)digits[k] * 5;
                digits[k] = (char)(carry % 10);
                carry /= 10;
            }
            if (carry) { digits[n++] = (char)carry; }
        }
        CHECK(n == 752);
        text[1] = '.';
        for (k = 0; k < n; k++) {
            text[1077 - 1 - k] = (char)('0' + digits[k]);
        }
        text[1077] = 0;
        CHECK(num_bits(text) == 0); /* the tie, to even */
        text[1077] = '0';
        text[1377] = '1'; /* beyond the digits that are multiplied out */
        text[1378] = 0;
        CHECK(num_bits(text) == 1);
        text[1077] = 0;
        text[1076]--;
        CHECK(num_bits(text) == 0);
        text[1076]++;
        text[1076]++;
        CHECK(num_bits(text) == 1);
    }
}

static void grammars(void)
{
    static const struct {
        const char *text;
        size_t json, sql;
        bool integral;
    } t[] = {
        {"0", 1, 1, true},       {"-12", 3, 0, true}, {"12,", 2, 2, true}, {"1.5]", 3, 3, false},
        {"1.", 0, 2, false},     {".5", 0, 2, false}, {"01", 0, 2, true},  {"1e5", 3, 3, false},
        {"1E+05 ", 5, 5, false}, {"1e", 0, 1, true},  {"1e+", 0, 1, true}, {"-", 0, 0, true},
        {"", 0, 0, true},        {".", 0, 0, true},   {"+1", 0, 0, true},  {"-0.0e-0", 7, 0, false},
        {"1..2", 0, 2, false},   {"x", 0, 0, true},   {"-01", 0, 0, true}, {"5.e3", 0, 4, false}};

    size_t i;
    bool a, b;
    for (i = 0; i < TACO__COUNT(t); i++) {
        size_t json = taco__num_scan_json(taco__bytes_text(t[i].text), &a),
               sql = taco__num_scan_sql(taco__bytes_text(t[i].text), &b);
        bool right = json == t[i].json && sql == t[i].sql && (!json || a == t[i].integral) &&
                     (!sql || b == t[i].integral);
        CHECK(right);
        if (!right) { printf("'%s': %u %u\n", t[i].text, (unsigned)json, (unsigned)sql); }
    }
}

static const char *num_decimal(const uint8_t *le, int32_t width, int32_t scale, taco_error *err)
{
    static char text[16000];
    taco__mem mem;
    taco__buf out;
    memset(&out, 0, sizeof out);
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    text[0] = 0;
    if (width >= 0
            ? taco__decimal_append_le(&out, le, width, scale, err)
            : taco__decimal_append_be(&out, taco__bytes_of(le, (size_t)-width - 1), scale, err)) {
        memcpy(text, out.data, out.len);
        text[out.len] = 0;
    }
    taco__buf_free(&out);
    CHECK(mem.used == 0);
    return text;
}

static void decimals(void)
{
    static uint8_t long_one[5000];
    uint8_t le[32], be[33];
    taco_error err;
    size_t i;
    memset(&err, 0, sizeof err);
    memset(le, 0, sizeof le);
    le[0] = 5;
    CHECK_TEXT(num_decimal(le, 16, 2, &err), "0.05");
    CHECK_TEXT(num_decimal(le, 16, 1, &err), "0.5");
    CHECK_TEXT(num_decimal(le, 16, 0, &err), "5");
    CHECK_TEXT(num_decimal(le, 16, -3, &err), "5");
    CHECK_TEXT(num_decimal(le, 32, 5, &err), "0.00005");
    memset(le, 0xFF, sizeof le);
    le[0] = 0xFB;
    CHECK_TEXT(num_decimal(le, 16, 2, &err), "-0.05");
    CHECK_TEXT(num_decimal(le, 32, 0, &err), "-5");
    memset(le, 0xFF, sizeof le);
    le[15] = 0x7F;
    CHECK_TEXT(num_decimal(le, 16, 0, &err), "170141183460469231731687303715884105727");
    CHECK_TEXT(num_decimal(le, 16, 38, &err), "1.70141183460469231731687303715884105727");
    CHECK(taco__decimal_le_to_f64(le, 16, 38) == (double)1.70141183460469231731687303715884105727);
    memset(le, 0, sizeof le);
    le[15] = 0x80;
    CHECK_TEXT(num_decimal(le, 16, 0, &err), "-170141183460469231731687303715884105728");
    memset(le, 0, sizeof le);
    le[31] = 0x80;
    CHECK_TEXT(num_decimal(le, 32, 76, &err),
               "-5.7896044618658097711785492504343953926634992332820282019728792003956564819968");
    memset(le, 0, sizeof le);
    le[8] = 1; /* 2^64: one more than the quick way takes */
    CHECK_TEXT(num_decimal(le, 16, 0, &err), "18446744073709551616");
    le[8] = 0;
    le[7] = 0x80; /* 2^63 */
    CHECK_TEXT(num_decimal(le, 16, 0, &err), "9223372036854775808");
    memset(le + 8, 0xFF, 24); /* -2^63 */
    CHECK_TEXT(num_decimal(le, 32, 3, &err), "-9223372036854775.808");
    /* big-endian, any length: -N - 1 stands for N bytes */
    memset(be, 0, sizeof be);
    CHECK_TEXT(num_decimal(be, -1, 2, &err), "0.00");
    CHECK_TEXT(num_decimal(be, -6, 0, &err), "0");
    memset(be, 0xFF, sizeof be);
    CHECK_TEXT(num_decimal(be, -2, 0, &err), "-1");
    CHECK_TEXT(num_decimal(be, -34, 1, &err), "-0.1");
    be[0] = 0x80;
    be[1] = 0;
    CHECK_TEXT(num_decimal(be, -3, 0, &err), "-32768");
    be[0] = 0xFF;
    CHECK_TEXT(num_decimal(be, -3, 0, &err), "-256");
    be[0] = 0x04;
    be[1] = 0xD2;
    CHECK_TEXT(num_decimal(be, -3, 3, &err), "1.234");
    CHECK(taco__decimal_be_to_f64(taco__bytes_of(be, 2), 3) == (double)1.234);
    for (i = 1; i < 16; i++) { /* 10^18 and its like come out with all their zeros */
        uint64_t x = UINT64_C(1000000000000000000);
        taco__put_le64(le, x);
        memset(le + 8, 0, 24);
        le[8] = (uint8_t)i;
    }
    CHECK_TEXT(num_decimal(le, 32, 0, &err), "277701161105643274240"); /* 15 * 2^64 + 10^18 */
    CHECK(err.code == TACO_OK);
    long_one[0] = 1; /* 256^1023 has 2,464 digits */
    CHECK(strlen(num_decimal(long_one, -1025, 0, &err)) == 2464 && err.code == TACO_OK);
    long_one[0] = 0x80;
    CHECK(strlen(num_decimal(long_one, -1025, 0, &err)) == 1 + 2466 && err.code == TACO_OK);
    long_one[0] = 0;
    long_one[4000] = 7; /* sign bytes do not count */
    CHECK(strlen(num_decimal(long_one, -4002, 0, &err)) == 1 && err.code == TACO_OK);
    long_one[0] = 1;
    CHECK_TEXT(num_decimal(long_one, -1026, 0, &err), "");
    CHECK(err.code == TACO_ERR_UNSUPPORTED && err.offset == TACO_NO_OFFSET);
    CHECK_TEXT(err.text, "decimal of 1025 bytes, at most 1024 are converted");
    CHECK(taco__decimal_be_to_f64(taco__bytes_of(long_one, 1025), 0) == 0);
    memset(&err, 0, sizeof err);
    CHECK(strlen(num_decimal(be, -3, 10000, &err)) == 10002 && err.code == TACO_OK);
    CHECK_TEXT(num_decimal(be, -3, 10001, &err), "");
    CHECK(err.code == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "decimal of scale 10001, at most 10000 is written as text");
}

static void utf8(void)
{
    static const char *good[] = {"",
                                 "a",
                                 "plain ASCII that is longer than eight",
                                 "\xC2\x80",
                                 "\xDF\xBF",
                                 "\xE0\xA0\x80",
                                 "\xED\x9F\xBF",
                                 "\xEE\x80\x80",
                                 "\xEF\xBF\xBF",
                                 "\xF0\x90\x80\x80",
                                 "\xF4\x8F\xBF\xBF",
                                 "1234567\xC3\xA9",
                                 "12345678\xC3\xA9 12345678",
                                 "\xE2\x80\xA8"};
    static const char *bad[] = {"\x80",
                                "\xBF",
                                "\xC0\x80",
                                "\xC1\xBF",
                                "\xC2",
                                "\xC2z",
                                "\xE0\x9F\xBF",
                                "\xE0\xA0",
                                "\xED\xA0\x80",
                                "\xED\xBF\xBF",
                                "\xF0\x8F\xBF\xBF",
                                "\xF4\x90\x80\x80",
                                "\xF5\x80\x80\x80",
                                "\xFF",
                                "\xFE",
                                "12345678\xFF",
                                "1234567\xC3",
                                "12345678\xE2\x80",
                                "\xF0\x90\x80",
                                "12345678123456781234567\x80"};
    size_t i, n;
    uint32_t c;
    for (i = 0; i < TACO__COUNT(good); i++) {
        CHECK(taco__utf8_valid(taco__bytes_text(good[i])));
    }
    for (i = 0; i < TACO__COUNT(bad); i++) {
        CHECK(!taco__utf8_valid(taco__bytes_text(bad[i])));
    }
    CHECK(taco__utf8_valid(taco__bytes_of("a\0b", 3)) && taco__utf8_valid(taco__bytes_text(NULL)));
    for (c = 0; c < 0x10000; c++) { /* every pair of bytes before two good ones */
        uint8_t p[4];
        size_t broken;
        p[0] = (uint8_t)(c >> 8);
        p[1] = (uint8_t)c;
        p[2] = p[3] = 0x80;
        n = taco__utf8_char(p, 4, &broken);
        if (n > 2) {
            uint32_t code = n == 3 ? (p[0] & 15U) << 12 | (p[1] & 63U) << 6
                                   : (p[0] & 7U) << 18 | (p[1] & 63U) << 12;
            CHECK(code >= (n == 3 ? 0x800U : 0x10000U) && code <= 0x10FFFF &&
                  !(code >= 0xD800 && code < 0xE000));
        }
        CHECK(n == 0 || taco__utf8_valid(taco__bytes_of(p, n)));
        CHECK(n != 0 || (broken >= 1 && broken <= 3));
    }
}

/* The conversions that have no arithmetic of doubles, beside those of the compiler. */
static void check_casts(uint64_t x)
{
    volatile double d = (double)x, wide, of_u64;
    volatile float f = (float)x, narrow;
    of_u64 = taco__num_u64_to_f64(x, false);
    CHECK(taco__f64_to_bits(of_u64) == taco__f64_to_bits(d));
    of_u64 = taco__num_u64_to_f64(x, true);
    wide = (double)f;
    CHECK(taco__f64_to_bits(of_u64) == taco__f64_to_bits(wide));
    f = taco__f32_from_bits((uint32_t)x);
    wide = (double)f;
    CHECK(f != f ? taco__num_f32_to_f64(f) != taco__num_f32_to_f64(f)
                 : taco__f64_to_bits(taco__num_f32_to_f64(f)) == taco__f64_to_bits(wide));
    d = taco__f64_from_bits(x);
    narrow = (float)d;
    CHECK(d != d ? taco__num_f64_to_f32(d) != taco__num_f64_to_f32(d)
                 : taco__f32_to_bits(taco__num_f64_to_f32(d)) == taco__f32_to_bits(narrow));
}

static void casts(void)
{
    uint64_t exponent, x;
    int i, k;
    for (i = 0; i < 64; i++) {
        for (k = -2; k <= 2; k++) {
            x = (uint64_t)1 << i;
            check_casts(x + (uint64_t)k);
            check_casts(x + (x >> 53) + (uint64_t)k); /* halfway between two doubles */
            check_casts(x + (x >> 24) + (uint64_t)k); /* and floats */
        }
    }
    for (exponent = 0; exponent < 2048; exponent++) {
        for (k = -1; k <= 1; k++) {
            x = exponent << 52;
            check_casts(x + ((uint64_t)1 << 28) + (uint64_t)k);
            check_casts(x + ((uint64_t)3 << 28) + (uint64_t)k);
            check_casts((x | (uint64_t)1 << 63 | num_random() >> 12) + (uint64_t)k);
        }
    }
    for (i = 0; i < 20000; i++) {
        check_casts(num_random());
        check_casts(num_random() >> num_random() % 64);
    }
}

int main(void)
{
    RUN(casts);
    RUN(integers);
    RUN(double_forms);
    RUN(narrow_forms);
    RUN(halves);
    RUN(round_trips);
    RUN(shortest);
    RUN(parsing);
    RUN(long_digits);
    RUN(grammars);
    RUN(decimals);
    RUN(utf8);
    return test_end("test_num");
}
