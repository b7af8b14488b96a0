/* base/datetime.c: civil dates, ISO 8601 both ways, day ranges, SQL casts. */
#include "test.h"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

static const char *time_date(int64_t days)
{
    static char text[TACO__TIME_CHARS];
    text[taco__time_format_date(text, days)] = 0;
    return text;
}

static const char *time_stamp(int64_t value, taco_unit unit, bool utc)
{
    static char text[TACO__TIME_CHARS];
    text[taco__time_format_timestamp(text, value, unit, utc)] = 0;
    return text;
}

static void civil(void)
{
    int64_t days = taco__time_days_from_date(-10000, 1, 1), k;
    taco__time_civil c;
    int64_t year = -10000;
    int32_t month = 1, day = 1;
    /* every day of 20,000 years, counted on by hand */
    for (; year < 10001; days++) {
        c = taco__time_date_from_days(days);
        if (c.year != year || c.month != month || c.day != day ||
            taco__time_days_from_date(year, month, day) != days) {
            CHECK(c.year == year && c.month == month && c.day == day);
            break;
        }
        if (++day > taco__time_days_in_month(year, month)) {
            day = 1;
            if (++month > 12) {
                month = 1;
                year++;
            }
        }
    }
    CHECK(taco__time_days_from_date(1970, 1, 1) == 0 &&
          taco__time_days_from_date(2000, 3, 1) == 11017 &&
          taco__time_days_from_date(1, 1, 1) == -719162);
    CHECK(taco__time_days_from_date(9999, 12, 31) == 2932896);
    for (k = 1; k < INT64_C(1) << 48; k = k * 3 + 1) { /* and far away */
        c = taco__time_date_from_days(k);
        CHECK(taco__time_days_from_date(c.year, c.month, c.day) == k && c.month >= 1 &&
              c.month <= 12 && c.day >= 1);
        c = taco__time_date_from_days(-k);
        CHECK(taco__time_days_from_date(c.year, c.month, c.day) == -k &&
              c.day <= taco__time_days_in_month(c.year, c.month));
    }
}

static void dates(void)
{
    CHECK_TEXT(time_date(0), "1970-01-01");
    CHECK_TEXT(time_date(-1), "1969-12-31");
    CHECK_TEXT(time_date(11016), "2000-02-29");
    CHECK_TEXT(time_date(-719162), "0001-01-01");
    CHECK_TEXT(time_date(-719163), "0000-12-31");
    CHECK_TEXT(time_date(-719529), "-0001-12-31");
    CHECK_TEXT(time_date(2932896), "9999-12-31");
    CHECK_TEXT(time_date(2932897), "+10000-01-01");
    CHECK_TEXT(time_date(INT32_MAX), "+5881580-07-11");
    CHECK_TEXT(time_date(INT32_MIN), "-5877641-06-23");
}

static void stamps(void)
{
    uint8_t int96[12];
    char text[TACO__TIME_CHARS];
    int64_t ns = 0;
    CHECK_TEXT(time_stamp(0, TACO_MILLI, true), "1970-01-01T00:00:00.000Z");
    CHECK_TEXT(time_stamp(-1, TACO_MILLI, false), "1969-12-31T23:59:59.999");
    CHECK_TEXT(time_stamp(-1, TACO_SECOND, true), "1969-12-31T23:59:59Z");
    CHECK_TEXT(time_stamp(1577836800000001, TACO_MICRO, false), "2020-01-01T00:00:00.000001");
    CHECK_TEXT(time_stamp(1620284948123456789, TACO_NANO, true), "2021-05-06T07:09:08.123456789Z");
    CHECK_TEXT(time_stamp(INT64_MAX, TACO_NANO, false), "2262-04-11T23:47:16.854775807");
    CHECK_TEXT(time_stamp(INT64_MIN, TACO_NANO, false), "1677-09-21T00:12:43.145224192");
    CHECK_TEXT(time_stamp(INT64_MAX, TACO_MICRO, false), "+294247-01-10T04:00:54.775807");
    CHECK_TEXT(time_stamp(INT64_MIN, TACO_MICRO, false), "-290308-12-21T19:59:05.224192");
    CHECK_TEXT(time_stamp(INT64_MAX, TACO_MILLI, true), "+292278994-08-17T07:12:55.807Z");
    CHECK_TEXT(time_stamp(INT64_MIN, TACO_SECOND, true), "-292277022657-01-27T08:29:52Z");
    /* INT96: nanoseconds of the day, Julian day */
    taco__put_le64(int96, 0);
    taco__put_le32(int96 + 8, 2440588);
    text[taco__time_format_int96(text, int96)] = 0;
    CHECK_TEXT(text, "1970-01-01T00:00:00.000000000");
    CHECK(taco__time_int96_to(int96, TACO_NANO, &ns) && ns == 0);
    taco__put_le64(int96, UINT64_MAX); /* one nanosecond before */
    text[taco__time_format_int96(text, int96)] = 0;
    CHECK_TEXT(text, "1969-12-31T23:59:59.999999999");
    CHECK(taco__time_int96_to(int96, TACO_NANO, &ns) && ns == -1);
    taco__put_le64(int96, 1);
    taco__put_le32(int96 + 8, 0);
    text[taco__time_format_int96(text, int96)] = 0;
    CHECK_TEXT(text, "-4713-11-24T00:00:00.000000001");
    CHECK(!taco__time_int96_to(int96, TACO_NANO, &ns));
    taco__put_le32(int96 + 8, 0x7FFFFFFF);
    taco__put_le64(int96, (uint64_t)INT64_MAX);
    text[taco__time_format_int96(text, int96)] = 0;
    CHECK_TEXT(text, "+5875190-09-12T23:47:16.854775807");
    CHECK(!taco__time_int96_to(int96, TACO_NANO, &ns));
    /* the first nanosecond an int64_t holds, and one before */
    taco__put_le32(int96 + 8, 2440588 - 106752);
    taco__put_le64(int96, 763145224192U + 0U);
    CHECK(taco__time_int96_to(int96, TACO_NANO, &ns) && ns == INT64_MIN);
    taco__put_le64(int96, 763145224191U);
    CHECK(!taco__time_int96_to(int96, TACO_NANO, &ns));
    taco__put_le32(int96 + 8, 2440588 + 106751);
    taco__put_le64(int96, 85636854775807U);
    CHECK(taco__time_int96_to(int96, TACO_NANO, &ns) && ns == INT64_MAX);
    taco__put_le64(int96, 85636854775808U);
    CHECK(!taco__time_int96_to(int96, TACO_NANO, &ns));
}

static void times_of_day(void)
{
    static const struct {
        int64_t value;
        taco_unit unit;
        bool inside;
        const char *text;
    } t[] = {{0, TACO_MILLI, true, "00:00:00.000"},
             {86399999, TACO_MILLI, true, "23:59:59.999"},
             {86400000, TACO_MILLI, true, "24:00:00.000"},
             {86400999, TACO_MILLI, true, "24:00:00.999"},
             {86401000, TACO_MILLI, false, "86401000"},
             {-1, TACO_MICRO, false, "-1"},
             {39598123456, TACO_MICRO, true, "10:59:58.123456"},
             {39598000000001, TACO_NANO, true, "10:59:58.000000001"},
             {61, TACO_SECOND, true, "00:01:01"},
             {INT64_MAX, TACO_NANO, false, "9223372036854775807"},
             {INT64_MIN, TACO_NANO, false, "-9223372036854775808"}};

    size_t i, n;
    for (i = 0; i < TACO__COUNT(t); i++) {
        char text[TACO__TIME_CHARS];
        CHECK(taco__time_format_time(text, t[i].value, t[i].unit, &n) == t[i].inside);
        text[n] = 0;
        CHECK_TEXT(text, t[i].text);
    }
}

static void iso(void)
{
    static const struct {
        const char *text, *want; /* NULL: refused */
    } t[] = {{"2020-01-01", "2020-01-01T00:00:00.000000"},
             {"20200229", "2020-02-29T00:00:00.000000"},
             {"2020-W01-1", "2019-12-30T00:00:00.000000"},
             {"2020W011", "2019-12-30T00:00:00.000000"},
             {"2020-W01", "2019-12-30T00:00:00.000000"},
             {"2020W53", "2020-12-28T00:00:00.000000"},
             {"2020-W53-7", "2021-01-03T00:00:00.000000"},
             {"2021-W53-1", NULL},
             {"2009-W01-1", "2008-12-29T00:00:00.000000"},
             {"9999-W52-7", NULL}, /* in the year 10000 */
             {"9999-W52-5", "9999-12-31T00:00:00.000000"},
             {"0001-01-01", "0001-01-01T00:00:00.000000"},
             {"0000-01-01", NULL},
             {"2020-01-01T10", "2020-01-01T10:00:00.000000"},
             {"2020-01-01 10:30", "2020-01-01T10:30:00.000000"},
             {"20200101T103059", "2020-01-01T10:30:59.000000"},
             {"2020-01-01T10:30:59.5", "2020-01-01T10:30:59.500000"},
             {"2020-01-01T10:30:59,123456789", "2020-01-01T10:30:59.123456"},
             {"2020-01-01T10:30:59.000001Z", "2020-01-01T10:30:59.000001"},
             {"2020-01-01T00:30Z", "2020-01-01T00:30:00.000000"},
             {"2020-01-01T00:30+01", "2019-12-31T23:30:00.000000"},
             {"2020-01-01T00:30+0145", "2019-12-31T22:45:00.000000"},
             {"2020-01-01T00:30-05:00", "2020-01-01T05:30:00.000000"},
             {"2020-01-01T00:30-00:00:01", "2020-01-01T00:30:01.000000"},
             {"2020-01-01T00:30+23:59:59.5", "2019-12-31T00:30:00.500000"},
             {"0001-01-01T00:00+14:00", "0000-12-31T10:00:00.000000"},
             {"", NULL},
             {"2020", NULL},
             {"2020-06", NULL},
             {"202006", NULL},
             {"2020-6-1", NULL},
             {"2020-0101", NULL},
             {"202001-01", NULL},
             {"2020-02-30", NULL},
             {"1900-02-29", NULL},
             {"2000-02-29", "2000-02-29T00:00:00.000000"},
             {"2020-04-31", NULL},
             {"2020-00-01", NULL},
             {"2020-01-00", NULL},
             {"2020-W00-1", NULL},
             {"2020-W01-8", NULL},
             {"2020-W011", NULL},
             {"2020W01-1", NULL},
             {" 2020-01-01", NULL},
             {"2020-01-01 ", NULL},
             {"2020-01-01T", NULL},
             {"2020-01-01Z", "2020-01-01T00:00:00.000000"},
             {"2020-01-01T24:00", NULL},
             {"2020-01-01T10:60", NULL},
             {"2020-01-01T10:30:60", NULL},
             {"2020-01-01T10:3", NULL},
             {"2020-01-01T10:3000", NULL},
             {"2020-01-01T1030:00", NULL},
             {"2020-01-01T10:30:00.", NULL},
             {"2020-01-01T10:30z", NULL},
             {"2020-01-01T10:30+1", NULL},
             {"2020-01-01T10:30+24:00", NULL},
             {"2020-01-01T10:30+", NULL},
             {"2020-01-01T10:30Z+01", NULL},
             {"-2020-01-01", NULL},
             {"2020W00", NULL},
             {"2020W5x", NULL},
             {"2020-01-01+01", "2020-01-01T00:00:00.000000"}, /* the zone of a date is ignored */
             {"2020-01-01-0130", "2020-01-01T00:00:00.000000"},
             {"2020-01-01+25", NULL},
             {"2020-01-01+01x", NULL},
             {"2020-01-01Zx", NULL},
             {"2020-01-01t10:30", "2020-01-01T10:30:00.000000"},
             {"20200101T1060", NULL},
             {"20200101T103060", NULL},
             {"20200101T103059x", NULL},
             {"yesterday", NULL}};

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        int64_t us = 0;
        bool date_only = false, ok = taco__time_parse(taco__bytes_text(t[i].text), &us, &date_only);
        CHECK_TEXT(ok ? time_stamp(us, TACO_MICRO, false) : t[i].text,
                   t[i].want ? t[i].want : t[i].text);
        CHECK(ok == (t[i].want != NULL));
        CHECK(!ok || date_only == (strpbrk(t[i].text, "T :") == NULL));
    }
    {
        int64_t us;
        bool date_only;
        CHECK(!taco__time_parse(taco__bytes_text(NULL), &us, &date_only));
        CHECK(!taco__time_parse(taco__bytes_of("2020-01-01\0", 11), &us, &date_only));
        CHECK(taco__time_parse(taco__bytes_of("2020-01-01x", 10), &us, &date_only) && date_only);
    }
}

static void ranges(void)
{
    static const struct {
        const char *text;
        int64_t first, last;
    } good[] = {{"2020-01-01", 18262, 18262},
                {"2020-01-01/2020-01-31", 18262, 18292},
                {"20200101/2020-W05-5", 18262, 18292},
                {"2020-01-01T23:30:00-02:00", 18263, 18263},
                {"2020-01-01T00:30:00+02:00/2020-01-01", 18261, 18262},
                /* the same second */
                {"2020-01-01T10:00:00.9/2020-01-01T10:00:00.1", 18262, 18262},
                {"1969-12-31T23:59:59.999999", -1, -1},
                {"2020", 18262, 18627},
                {"2019-02", 17928, 17955},
                {"2020-02", 18293, 18321},
                {"2019/2020", 17897, 18627},
                {"2020-02-10/2020-02", 18302, 18321},
                {"2020-02/2020-03-01T10:00", 18293, 18322},
                {"0001-01-01/9999-12-31T23:59:59-12:00", -719162, 2932897}};

    static const struct {
        const char *text;
        uint64_t column; /* from 0 */
        const char *what;
    } bad[] = {
        {"", 0, "time range '': at column 1: expected a date, YYYY-MM-DD, found end of text"},
        {"2020-13", 5,
         "time range '2020-13': at column 6: expected a month from 01 to 12: a date is YYYY-MM-DD, "
         "found '13'"},
        {"2020-06/2020-05", 8,
         "time range '2020-06/2020-05': at column 9: expected an end that is not before the start, "
         "found '2020-05'"},
        {"2020-01-01/", 11,
         "time range '2020-01-01/': at column 12: expected a date, YYYY-MM-DD, found end of text"},
        {"20x0-05", 2,
         "time range '20x0-05': at column 3: expected a date, YYYY-MM-DD, found 'x0-05'"},
        {"2020-01-01Zz", 11,
         "time range '2020-01-01Zz': at column 12: expected the end, found 'z'"},
        {"/2020-01-01", 0,
         "time range '/2020-01-01': at column 1: expected a date, YYYY-MM-DD, found '/'"},
        {"2021-02-29", 8,
         "time range '2021-02-29': at column 9: expected a day from 01 to 28, this month's last, "
         "found '29'"},
        {"2020-02-30/2020-03-01", 8,
         "time range '2020-02-30/2020-03-01': at column 9: expected a day from 01 to 29, this "
         "month's last, found '30'"},
        {"2020-04-31", 8,
         "time range '2020-04-31': at column 9: expected a day from 01 to 30, this month's last, "
         "found '31'"},
        {"2020-01-01/2020-13-01", 16,
         "time range '2020-01-01/2020-13-01': at column 17: expected a month from 01 to 12: a date "
         "is YYYY-MM-DD, found "
         "'13-01'"},
        {"2020-01-02/2020-01-01", 11,
         "time range '2020-01-02/2020-01-01': at column 12: expected an end that is not before the "
         "start, found "
         "'2020-01-01'"},
        {"2020-01-01T12/2020-01-01", 14,
         "time range '2020-01-01T12/2020-01-01': at column 15: expected an end that is not before "
         "the start, found "
         "'2020-01-01'"},
        {"2020-01-01/2020-01-02/2020-01-03", 21,
         "time range '2020-01-01/2020-01-02/2020-01-03': at column 22: expected the end, or 'T' "
         "and a time, found "
         "'/2020-01-03'"},
        {"2020-01-01T25:00", 11,
         "time range '2020-01-01T25:00': at column 12: expected hours from 00 to 23, found "
         "'25:00'"},
        {"2020-01-01T10:00 Z", 16,
         "time range '2020-01-01T10:00 Z': at column 17: expected the end, 'Z' or an offset as "
         "+01:00, found ' Z'"},
        {"9999-W52-7", 0,
         "time range '9999-W52-7': at column 1: expected a date before the year 10000, found "
         "'9999-W52-7'"}};

    size_t i;
    int64_t first, last, start, end;
    taco_error err;
    for (i = 0; i < TACO__COUNT(good); i++) {
        memset(&err, 0, sizeof err);
        CHECK(taco__time_parse_range(good[i].text, &first, &last, &start, &end, &err) == TACO_OK &&
              err.code == TACO_OK);
        CHECK(first == good[i].first && last == good[i].last);
        CHECK(taco__time_floor_div(start, TACO__TIME_DAY_MICROS) == first &&
              taco__time_floor_div(end, TACO__TIME_DAY_MICROS) <= last);
    }
    for (i = 0; i < TACO__COUNT(bad); i++) {
        memset(&err, 0, sizeof err);
        CHECK(taco__time_parse_range(bad[i].text, &first, &last, &start, &end, &err) ==
              TACO_ERR_SYNTAX);
        CHECK(err.code == TACO_ERR_SYNTAX && err.offset == bad[i].column);
        CHECK_TEXT(err.text, bad[i].what);
    }
    CHECK(taco__time_parse_range(NULL, &first, &last, &start, &end, NULL) == TACO_ERR_SYNTAX);
    CHECK(taco__time_parse_range("x", &first, &last, &start, &end, &err) ==
          TACO_ERR_SYNTAX); /* the first failure stays */
    CHECK_TEXT(err.text, bad[TACO__COUNT(bad) - 1].what);
}

static void sql(void)
{
    static const struct {
        const char *text;
        const char *date;  /* of CAST AS DATE, NULL: refused */
        const char *stamp; /* of CAST AS TIMESTAMP */
        bool zone;
    } t[] = {{"2020-01-01", "2020-01-01", "2020-01-01T00:00:00.000000", false},
             {" 2020-1-1 ", "2020-01-01", "2020-01-01T00:00:00.000000", false},
             {"2020/02/29", "2020-02-29", "2020-02-29T00:00:00.000000", false},
             {"2020/02-29", NULL, NULL, false},
             {"2019-02-29", NULL, NULL, false},
             {"2020-06-01T10:00:00", "2020-06-01", "2020-06-01T10:00:00.000000", false},
             {"2020-06-01 10:00", "2020-06-01", "2020-06-01T10:00:00.000000", false},
             {"2020-06-01 7:05:09.1234567", "2020-06-01", "2020-06-01T07:05:09.123456", false},
             {"2020-06-01T10:00:00Z", "2020-06-01", "2020-06-01T10:00:00.000000", true},
             {"2020-06-01 10:00:00 UTC", "2020-06-01", "2020-06-01T10:00:00.000000", true},
             {"2020-06-01 10:00:00+02", "2020-06-01", "2020-06-01T08:00:00.000000", true},
             {"2020-06-01 10:00:00-0530", "2020-06-01", "2020-06-01T15:30:00.000000", true},
             {"2020-06-01 10:00:00+02:00 ", "2020-06-01", "2020-06-01T08:00:00.000000", true},
             {"2020-06-01 24:00:00", "2020-06-01", "2020-06-02T00:00:00.000000", false},
             {"2020-06-01 24:00:01", "2020-06-01", NULL, false},
             {"2020-06-01 10:61", "2020-06-01", NULL, false},
             {"2020-06-01 soon", "2020-06-01", NULL, false},
             {"2020-06-01T", "2020-06-01", NULL, false},
             {"2020-06-011", NULL, NULL, false},
             {"44-03-15 (BC)", "-0043-03-15", "-0043-03-15T00:00:00.000000", false},
             {"0-01-01 (BC)", NULL, NULL, false},
             {"-0001-01-01", "-0001-01-01", "-0001-01-01T00:00:00.000000", false},
             {"12345-01-01", "+12345-01-01", "+12345-01-01T00:00:00.000000", false},
             /* a date, but beyond microseconds */
             {"5881580-07-10", "+5881580-07-10", NULL, false},
             {"5881580-07-11", NULL, NULL, false},
             {"9999999999-01-01", NULL, NULL, false},
             {"290000-01-01 10:00", "+290000-01-01", "+290000-01-01T10:00:00.000000", false},
             {"20200101", NULL, NULL, false},
             {"1577836800", NULL, NULL, false},
             {"2020-13-01", NULL, NULL, false},
             {"2020-00-01", NULL, NULL, false},
             {"2020-01-00", NULL, NULL, false},
             {"2020-01", NULL, NULL, false},
             {"2020-01-", NULL, NULL, false},
             /* year, month and day have the same mark between */
             {"2020\\01\\02", "2020-01-02", "2020-01-02T00:00:00.000000", false},
             {"2020 1 2", "2020-01-02", "2020-01-02T00:00:00.000000", false},
             {"2020x01x02", NULL, NULL, false},
             /* not (BC), and so what follows a date */
             {"44-03-15 [BC)", "0044-03-15", NULL, false},
             {"44-03-15 (XC)", "0044-03-15", NULL, false},
             {"44-03-15 (BX)", "0044-03-15", NULL, false},
             {"44-03-15 (BCE", "0044-03-15", NULL, false},
             {"2020-06-01t10:00", "2020-06-01", "2020-06-01T10:00:00.000000", false},
             {"2020-06-01 10:00:00.", "2020-06-01", "2020-06-01T10:00:00.000000", false},
             {"2020-06-01 10:00:00.Z", "2020-06-01", "2020-06-01T10:00:00.000000", true},
             {"2020-06-01 00000000010:00", "2020-06-01", NULL, false},
             {"2020-06-01 10:00:00UTC", "2020-06-01", NULL, false},
             {"2020-06-01 10:00:00 UTD", "2020-06-01", NULL, false},
             {"2020-06-01 10:00:00+2x", "2020-06-01", NULL, false},
             {"-300000-01-01", "-300000-01-01", NULL, false},
             {"-", NULL, NULL, false},
             {"", NULL, NULL, false},
             {"x", NULL, NULL, false}};

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        int32_t days = 0;
        int64_t us = 0;
        bool date_only, zone = false;
        taco_bytes text = taco__bytes_text(t[i].text);
        bool date = taco__time_cast_date(text, &days),
             stamp = taco__time_cast_timestamp(text, &us, &date_only, &zone);
        CHECK_TEXT(date ? time_date(days) : "none", t[i].date ? t[i].date : "none");
        CHECK_TEXT(stamp ? time_stamp(us, TACO_MICRO, false) : "none",
                   t[i].stamp ? t[i].stamp : "none");
        CHECK(!stamp || (zone == t[i].zone && date_only == (strchr(t[i].text, ':') == NULL)));
    }
}

int main(void)
{
    RUN(civil);
    RUN(dates);
    RUN(stamps);
    RUN(times_of_day);
    RUN(iso);
    RUN(ranges);
    RUN(sql);
    return test_end("test_time");
}
