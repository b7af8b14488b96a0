/* datetime.c - days and civil dates, ISO 8601 both ways, INT96, and SQL's casts from text

   Three parts. Calendar: days since 1970-01-01 to year, month and day and back, in the proleptic
   Gregorian calendar. To text: dates, times and timestamps of any unit, and INT96, always in ISO
   8601. From text, twice: taco__time_parse accepts only ISO 8601, with messages that say what was
   expected where; taco__time_cast_ functions accept what a cast in DuckDB accepts. All values that
   a file can hold have a text, with years far beyond four digits. There are no leap seconds. Start
   with taco__time_days_from_date. */
#include "base.h"

/* ---- calendar ---- */

#define TACO__TIME_DAY_SECONDS INT64_C(86400)
#define TACO__TIME_JULIAN_1970 INT64_C(2440588) /* the Julian day that begins at noon of that day */

/* Gregorian rules for all years, even before 1582, as in Parquet, Python and SQL. */
static bool taco__time_is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* 31 for the odd months up to July and the even ones after it; month is 1 to 12. */
TACO__FN int32_t taco__time_days_in_month(int64_t year, int32_t month)
{
    return month == 2 ? 28 + taco__time_is_leap(year) : 30 + ((month + (month >> 3)) & 1);
}

/* Days since 1970-01-01 of a date; |year| < 2^53. Years begin in March here, so that the leap day
   is their last day; the first m months then have (153 m + 2) / 5 days, as 31 30 31 30 31 repeats.
   400 years have 146097 days, and 719468 lie between 0000-03-01 and 1970-01-01. */
TACO__FN int64_t taco__time_days_from_date(int64_t year, int32_t month, int32_t day)
{
    int64_t y = year - (month <= 2), cycle = taco__time_floor_div(y, 400),
            of_cycle = y - cycle * 400;
    int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719468;
}

/* The date of a day, the same backwards; |days| < 2^62, which any DATE, TIMESTAMP and INT96 is. */
TACO__FN taco__time_civil taco__time_date_from_days(int64_t days)
{
    taco__time_civil c;
    int64_t shifted = days + 719468, cycle = taco__time_floor_div(shifted, 146097);
    uint32_t d = (uint32_t)(shifted - cycle * 146097); /* day of the 400 years, from 1 March on */
    uint32_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365,
             of_year = d - (365 * y + y / 4 - y / 100);
    uint32_t m = (5 * of_year + 2) / 153;
    c.day = (int32_t)(of_year - (153 * m + 2) / 5 + 1);
    c.month = (int32_t)(m < 10 ? m + 3 : m - 9);
    c.year = cycle * 400 + (int64_t)y + (c.month <= 2);
    return c;
}

/* ---- to text ---- */

/* `2020-01-31`; a year above 9999 has a `+`, one below 0 a `-`, and at least four digits. */
TACO__FN size_t taco__time_format_date(char *dst, int64_t days)
{
    taco__time_civil c = taco__time_date_from_days(days);
    char *p = dst;
    uint64_t year = c.year < 0 ? 0 - (uint64_t)c.year : (uint64_t)c.year;
    if (c.year < 0 || c.year > 9999) { *p++ = c.year < 0 ? '-' : '+'; }
    if (year <= 9999) {
        p = taco__num_put4(p, (uint32_t)year);
    } else {
        p += taco__num_format_u64(p, year);
    }
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.month);
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.day);
    return (size_t)(p - dst);
}

/* `10:59:58.123456`: as many digits after the point as the unit has; second < 100 hours, fraction <
   units of a second. */
static char *taco__time_format_clock(char *p, uint32_t second, uint32_t fraction, taco_unit unit)
{
    p = taco__num_put2(p, second / 3600);
    *p++ = ':';
    p = taco__num_put2(p, second / 60 % 60);
    *p++ = ':';
    p = taco__num_put2(p, second % 60);
    if (unit == TACO_SECOND) { return p; }
    *p++ = '.';
    if (unit == TACO_NANO) {
        *p++ = (char)('0' + fraction / 100000000);
        return taco__num_put8(p, fraction % 100000000);
    }
    if (unit == TACO_MICRO) {
        p = taco__num_put2(p, fraction / 10000);
        return taco__num_put4(p, fraction % 10000);
    }
    *p++ = (char)('0' + fraction / 100);
    return taco__num_put2(p, fraction % 100);
}

/* A time of day. Outside of 0 to 24 h, of which 24:00:00 itself is still a time, false and the
   plain number. */
TACO__FN bool taco__time_format_time(char *dst, int64_t value, taco_unit unit, size_t *len)
{
    int64_t per = taco__time_units_per_second(unit);
    if (value < 0 || value / per > TACO__TIME_DAY_SECONDS) {
        *len = taco__num_format_i64(dst, value);
        return false;
    }
    *len = (size_t)(taco__time_format_clock(dst, (uint32_t)(value / per), (uint32_t)(value % per),
                                            unit) -
                    dst);
    return true;
}

/* Day and second are separate, so that an INT96 beyond an int64_t of nanoseconds needs no wider
   integer. The Z is always written, but counts only for utc. */
static size_t taco__time_format_instant(char *dst, int64_t days, uint32_t second, uint32_t fraction,
                                        taco_unit unit, bool utc)
{
    char *p = dst + taco__time_format_date(dst, days);
    *p++ = 'T';
    p = taco__time_format_clock(p, second, fraction, unit);
    *p = 'Z';
    return (size_t)(p - dst) + utc;
}

/* `2020-01-31T10:59:58.123`, with `Z` for utc; any value. */
TACO__FN size_t taco__time_format_timestamp(char *dst, int64_t value, taco_unit unit, bool utc)
{
    int64_t per = taco__time_units_per_second(unit), seconds = taco__time_floor_div(value, per);
    return taco__time_format_instant(
        dst, taco__time_floor_div(seconds, TACO__TIME_DAY_SECONDS),
        (uint32_t)taco__time_floor_mod(seconds, TACO__TIME_DAY_SECONDS),
        (uint32_t)taco__time_floor_mod(value, per), unit, utc);
}

/* An INT96 of Parquet, 12 bytes: nanoseconds of the day, which may be negative or more than a day,
   then the Julian day, from which *day counts days since 1970. */
static int64_t taco__time_split_int96(const uint8_t *p, int64_t *day)
{
    *day = (int64_t)(int32_t)taco__load_le32(p + 8) - TACO__TIME_JULIAN_1970;
    return (int64_t)taco__load_le64(p);
}

/* An INT96 as a timestamp of nanoseconds without a zone. Any value. */
TACO__FN size_t taco__time_format_int96(char *dst, const uint8_t *p)
{
    int64_t day, nanos = taco__time_split_int96(p, &day);
    int64_t seconds = taco__time_floor_div(nanos, 1000000000);
    return taco__time_format_instant(
        dst, day + taco__time_floor_div(seconds, TACO__TIME_DAY_SECONDS),
        (uint32_t)taco__time_floor_mod(seconds, TACO__TIME_DAY_SECONDS),
        (uint32_t)taco__time_floor_mod(nanos, 1000000000), TACO_NANO, false);
}

/* An INT96 as nanoseconds, microseconds or milliseconds since 1970, cut downwards; false when that
   is beyond an int64_t (nanoseconds: outside of 1677 to 2262), which no milliseconds are. */
TACO__FN bool taco__time_int96_to(const uint8_t *p, taco_unit unit, int64_t *out)
{
    int64_t day, ticks = taco__time_split_int96(p, &day);
    int64_t per_day = TACO__TIME_DAY_SECONDS * 1000000000;
    day += taco__time_floor_div(ticks, per_day);
    ticks = taco__time_floor_mod(ticks, per_day);
    if (unit != TACO_NANO) {
        int64_t less = unit == TACO_MICRO ? 1000 : 1000000;
        ticks /= less;
        per_day /= less;
    }
    if (day < 0) { /* one day nearer to 0, so that the product overflows only where the sum does */
        day++;
        ticks -= per_day;
    }
    if (day > INT64_MAX / per_day || day < INT64_MIN / per_day) { return false; }
    day *= per_day;
    if (ticks > 0 ? day > INT64_MAX - ticks : day < INT64_MIN - ticks) { return false; }
    *out = day + ticks;
    return true;
}

/* ---- from text, ISO 8601 ---- */

TACO__FN taco__time_parser taco__time_parser_init(taco_bytes text)
{
    taco__time_parser in;
    memset(&in, 0, sizeof in);
    in.s = text.data;
    in.end = text.len;
    return in;
}

/* Every step below does nothing once one has failed, so that a date is parsed without a check after
   each number. Always false. */
static bool taco__time_fail(taco__time_parser *in, size_t at, const char *expected)
{
    if (!in->expected) {
        in->expected = expected;
        in->expected_at = at;
    }
    return false;
}

/* Skips c if it comes next. */
TACO__FN bool taco__time_accept(taco__time_parser *in, char c)
{
    if (!in->expected && in->at < in->end && in->s[in->at] == (uint8_t)c) {
        in->at++;
        return true;
    }
    return false;
}

TACO__INLINE bool taco__time_at_digit(const taco__time_parser *in)
{
    return in->at < in->end && taco__ascii_is_digit(in->s[in->at]);
}

/* Exactly n digits with a value in [least, greatest]; `least` on failure, so that later steps have
   a number to work with. */
static TACO__NOINLINE int32_t taco__time_parse_number(taco__time_parser *in, int n, int32_t least,
                                                      int32_t greatest, const char *expected)
{
    size_t from = in->at;
    int32_t x = 0;
    int i;
    if (in->expected) { return least; }
    for (i = 0; i < n; i++) {
        if (!taco__time_at_digit(in)) {
            taco__time_fail(in, in->at, expected);
            return least;
        }
        x = x * 10 + (in->s[in->at++] - '0');
    }
    if (x < least || x > greatest) {
        taco__time_fail(in, from, expected);
        return least;
    }
    return x;
}

/* The first day of an ISO year: the Monday of the week that has 4 January in it, ISO 8601
   2.2.10. */
static int64_t taco__time_week_year_start(int64_t year)
{
    int64_t fourth = taco__time_days_from_date(year, 1, 4),
            weekday = fourth + 3; /* 1970-01-01 was a Thursday */
    return fourth - taco__time_floor_mod(weekday, 7);
}

/* The part after the W of `2020-W01-1` or `2020W011`; without the weekday, the Monday. */
static int64_t taco__time_parse_week(taco__time_parser *in, int32_t year, bool dashes)
{
    int64_t start = taco__time_week_year_start(year);
    int32_t weeks = (int32_t)((taco__time_week_year_start(year + 1) - start) / 7), week, day = 1;
    week = taco__time_parse_number(in, 2, 1, weeks,
                                   weeks == 53 ? "a week from 01 to 53" : "a week from 01 to 52");
    if (dashes ? taco__time_accept(in, '-') : !in->expected && taco__time_at_digit(in)) {
        day = taco__time_parse_number(in, 1, 1, 7, "a weekday from 1 to 7");
    }
    return start + 7 * (week - 1) + day - 1;
}

/* Days since 1970 of a calendar or week date, years 0001 to 9999. */
static int64_t taco__time_parse_date(taco__time_parser *in)
{
    int32_t year = taco__time_parse_number(in, 4, 1, 9999, "a date, YYYY-MM-DD"), month, day, last;
    bool dashes = taco__time_accept(in, '-');
    size_t from;
    if (taco__time_accept(in, 'W')) {
        int64_t days = taco__time_parse_week(in, year, dashes);
        return year == 9999 && days >= taco__time_days_from_date(10000, 1, 1)
                   ? (taco__time_fail(in, 0, "a date before the year 10000"), 0)
                   : days;
    }
    month = taco__time_parse_number(in, 2, 1, 12, "a month from 01 to 12: a date is YYYY-MM-DD");
    if (dashes && !taco__time_accept(in, '-')) {
        taco__time_fail(in, in->at, "'-' and a day: a date is YYYY-MM-DD");
    }
    from = in->at;
    day = taco__time_parse_number(in, 2, 1, 31, "a day from 01 to 31: a date is YYYY-MM-DD");
    last = taco__time_days_in_month(year, month);
    if (day > last) {
        taco__time_fail(in, from,
                        last == 28   ? "a day from 01 to 28, this month's last"
                        : last == 29 ? "a day from 01 to 29, this month's last"
                                     : "a day from 01 to 30, this month's last");
    }
    return taco__time_days_from_date(year, month, day);
}

/* Microseconds after a point or comma, at least one digit; those beyond the sixth are dropped. 0 if
   neither comes next. */
static int64_t taco__time_parse_fraction(taco__time_parser *in)
{
    int64_t micros = 0, unit = 100000;
    if (!taco__time_accept(in, '.') && !taco__time_accept(in, ',')) { return 0; }
    if (!taco__time_at_digit(in)) { taco__time_fail(in, in->at, "a digit of the fraction"); }
    for (; !in->expected && taco__time_at_digit(in); in->at++, unit /= 10) {
        micros += (in->s[in->at] - '0') * unit;
    }
    return micros;
}

/* `hh`, `hh:mm`, `hhmm`, `hh:mm:ss.f`, `hhmmss,f`: microseconds. An offset from UTC has the same
   form. */
static int64_t taco__time_parse_clock(taco__time_parser *in, const char *expected)
{
    int64_t seconds = 3600 * (int64_t)taco__time_parse_number(in, 2, 0, 23, expected), micros = 0;
    bool colons = taco__time_accept(in, ':');
    if (colons || (!in->expected && taco__time_at_digit(in))) {
        seconds += 60 * taco__time_parse_number(in, 2, 0, 59, "minutes from 00 to 59");
        if (colons ? taco__time_accept(in, ':') : !in->expected && taco__time_at_digit(in)) {
            seconds += taco__time_parse_number(in, 2, 0, 59, "seconds from 00 to 59");
            micros = taco__time_parse_fraction(in);
        }
    }
    return seconds * 1000000 + micros;
}

/* Whether all of the text has been read, and nothing failed. */
static bool taco__time_expect_end(taco__time_parser *in, const char *expected)
{
    if (in->at < in->end) { taco__time_fail(in, in->at, expected); }
    return !in->expected;
}

/* One date or date-time that takes all of the text, as microseconds since 1970 in UTC; without an
   offset it is UTC. */
static bool taco__time_parse_instant(taco__time_parser *in, int64_t *us, bool *date_only)
{
    *us = taco__time_parse_date(in) * TACO__TIME_DAY_MICROS;
    *date_only =
        in->at == in->end || in->s[in->at] == 'Z' || in->s[in->at] == '+' || in->s[in->at] == '-';
    if (in->expected) { return false; }
    /* a zone after a date is checked but ignored: the day means what it says */
    if (*date_only) {
        if (in->at < in->end && !taco__time_accept(in, 'Z')) {
            in->at++;
            taco__time_parse_clock(in, "hours of the offset from 00 to 23");
        }
        return taco__time_expect_end(in, "the end");
    }
    if (!taco__time_accept(in, 'T') && !taco__time_accept(in, ' ') && !taco__time_accept(in, 't')) {
        return taco__time_fail(in, in->at, "the end, or 'T' and a time");
    }
    *us += taco__time_parse_clock(in, "hours from 00 to 23");
    if (!taco__time_accept(in, 'Z')) {
        bool east = taco__time_accept(in, '+');
        if (east || taco__time_accept(in, '-')) {
            int64_t offset = taco__time_parse_clock(in, "hours of the offset from 00 to 23");
            *us -= east ? offset : -offset;
        }
    }
    return taco__time_expect_end(in, "the end, 'Z' or an offset as +01:00");
}

/* A date or date-time in ISO 8601: `2020-01-01`, `20200101`, `2020-W01-1`, `2020W011`, then `T` or
   a space and hh[:mm[:ss[.f]]] or hhmmss, then Z, +hh, +hhmm, +hh:mm, +hh:mm:ss. Without an offset
   it is UTC. */
TACO__FN bool taco__time_parse(taco_bytes text, int64_t *us, bool *date_only)
{
    taco__time_parser in = taco__time_parser_init(text);
    return taco__time_parse_instant(&in, us, date_only);
}

/* `time range '2020': at column 5: expected a month ..., found end of text`. Reports what `in`
   expected; adds the range unless err holds another failure. */
static TACO__COLD taco_status taco__time_range_error(const taco__time_parser *in, taco_bytes all,
                                                     taco_error *err)
{
    taco_bytes found =
        taco__bytes_of(all.data + in->expected_at, TACO__MAX(in->end - in->expected_at, 1));
    bool first = err && err->code == TACO_OK;
    if (in->expected_at >= all.len) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, in->expected_at, "expected %s, found end of text",
                   in->expected);
    } else {
        TACO__FAIL(err, TACO_ERR_SYNTAX, in->expected_at, "expected %s, found %q", in->expected,
                   &found);
    }
    if (first) { taco__error_prefix(err, "time range %q", &all); }
    return TACO_ERR_SYNTAX;
}

/* A year, `2024`, or a month, `2024-03`, alone: its first day, and the number of its days; 0 where
   the text is neither. */
static int64_t taco__time_parse_period(taco__time_parser *in, int64_t *first)
{
    taco__time_parser p = *in;
    size_t n = in->end - in->at;
    int32_t year, month;
    if (n != 4 && (n != 7 || in->s[in->at + 4] != '-')) { return 0; }
    year = taco__time_parse_number(&p, 4, 1, 9999, "a year");
    month =
        n == 7 && taco__time_accept(&p, '-') ? taco__time_parse_number(&p, 2, 1, 12, "a month") : 1;
    if (p.expected) { return 0; }
    *first = taco__time_days_from_date(year, month, 1);
    in->at = in->end;
    return n == 7 ? taco__time_days_in_month(year, month)
                  : taco__time_days_from_date(year + 1, 1, 1) - *first;
}

/* One end of a range: an instant, and the last day that its text names, which is later for a month
   or a year. */
static bool taco__time_parse_end(taco__time_parser *in, int64_t *us, int64_t *last_day)
{
    bool date_only;
    int64_t days = taco__time_parse_period(in, last_day);
    if (days) {
        *us = *last_day * TACO__TIME_DAY_MICROS;
        *last_day += days - 1;
        return true;
    }
    if (!taco__time_parse_instant(in, us, &date_only)) { return false; }
    *last_day = taco__time_floor_div(*us, TACO__TIME_DAY_MICROS);
    return true;
}

/* A day range, `A` or `A/B` in ISO 8601, months and years among them: the days since 1970 in UTC
   from that of A to that of B, both included, and the instants themselves in microseconds (of a
   date its midnight, of a month or a year that of its first day). B may be in the same second as A
   but not before it. The text ends in NUL; NULL is as empty. */
TACO__FN taco_status taco__time_parse_range(const char *text, int64_t *first_day, int64_t *last_day,
                                            int64_t *start_us, int64_t *end_us, taco_error *err)
{
    taco_bytes all = taco__bytes_text(text ? text : "");
    taco__time_parser in = taco__time_parser_init(all);
    in.end = 0;
    while (in.end < all.len && in.s[in.end] != '/') {
        in.end++;
    }
    if (!taco__time_parse_end(&in, start_us, last_day)) {
        return taco__time_range_error(&in, all, err);
    }
    *end_us = *start_us;
    if (in.end < all.len) {
        size_t second = in.at = in.end + 1;
        in.end = all.len;
        if (!taco__time_parse_end(&in, end_us, last_day)) {
            return taco__time_range_error(&in, all, err);
        }
        /* a period ends with its last day, anything else with its second */
        if (taco__time_floor_div(*start_us, 1000000) > taco__time_floor_div(*end_us, 1000000) &&
            (*last_day == taco__time_floor_div(*end_us, TACO__TIME_DAY_MICROS) ||
             *start_us >= (*last_day + 1) * TACO__TIME_DAY_MICROS)) {
            taco__time_fail(&in, second, "an end that is not before the start");
            return taco__time_range_error(&in, all, err);
        }
    }
    *first_day = taco__time_floor_div(*start_us, TACO__TIME_DAY_MICROS);
    return TACO_OK;
}

/* ---- from text, as SQL casts it ---- */

TACO__FN void taco__time_skip_spaces(taco__time_parser *in)
{
    while (in->at < in->end && taco__ascii_is_space(in->s[in->at])) {
        in->at++;
    }
}

/* One digit or two; -1 when there is none. */
static int32_t taco__time_cast_number(taco__time_parser *in)
{
    int32_t x;
    if (!taco__time_at_digit(in)) { return -1; }
    x = in->s[in->at++] - '0';
    if (taco__time_at_digit(in)) { x = x * 10 + (in->s[in->at++] - '0'); }
    return x;
}

/* ` (BC)` after a date: year 1 BC is year 0. False for a year that cannot be BC. */
static bool taco__time_cast_bc(taco__time_parser *in, int64_t *year)
{
    const uint8_t *p = in->s + in->at;
    if (in->end - in->at < 5 || !taco__ascii_is_space(p[0]) || p[1] != '(' ||
        (p[2] | 0x20) != 'b' || (p[3] | 0x20) != 'c' || p[4] != ')') {
        return true;
    }
    in->at += 5;
    *year = 1 - *year;
    return *year <= 0;
}

/* [-]Y-M-D with '-', '/', '\' or a space between, both the same; what follows may be anything but a
   digit. */
TACO__FN bool taco__time_cast_date_part(taco__time_parser *in, int64_t *days)
{
    bool negative;
    int64_t year = 0;
    int32_t month, day;
    char mark;
    taco__time_skip_spaces(in);
    negative = taco__time_accept(in, '-');
    if (!taco__time_at_digit(in)) { return false; }
    for (; taco__time_at_digit(in); in->at++) {
        if (year >= 100000000) { return false; }
        year = year * 10 + (in->s[in->at] - '0');
    }
    year = negative ? -year : year;
    mark = in->at < in->end ? (char)in->s[in->at] : 0;
    if (mark != '-' && mark != '/' && mark != '\\' && mark != ' ') { return false; }
    in->at++;
    month = taco__time_cast_number(in);
    if (month < 1 || month > 12 || !taco__time_accept(in, mark)) { return false; }
    day = taco__time_cast_number(in);
    if (day < 1 || !taco__time_cast_bc(in, &year) || taco__time_at_digit(in) ||
        day > taco__time_days_in_month(year, month)) {
        return false;
    }
    *days = taco__time_days_from_date(year, month, day);
    return *days > -INT32_MAX && *days < INT32_MAX; /* DuckDB's infinities are at the ends */
}

/* CAST(text AS DATE): days since 1970. Ignores what follows the date. False if the cast fails. */
TACO__FN bool taco__time_cast_date(taco_bytes text, int32_t *days)
{
    taco__time_parser in = taco__time_parser_init(text);
    int64_t d;
    if (!taco__time_cast_date_part(&in, &d)) { return false; }
    *days = (int32_t)d;
    return true;
}

/* A minute or second after a colon; 0 if the text ends with the colon, -1 if there is none. */
static int32_t taco__time_cast_sixtieth(taco__time_parser *in)
{
    int32_t x = in->at < in->end ? taco__time_cast_number(in) : 0;
    return x < 60 ? x : -1;
}

/* h:mm:ss[.f], up to 24:00, which is the next midnight; a point without digits is allowed, and the
   text may end before the second or after either colon. *form is whether it has the form of a time,
   whatever the hour. */
TACO__FN bool taco__time_cast_clock(taco__time_parser *in, int64_t *us, bool *form)
{
    int64_t hour = 0;
    int32_t minute, second = 0, digits = 0;
    *us = 0;
    *form = false;
    for (; taco__time_at_digit(in) && digits < 10; digits++) {
        hour = hour * 10 + (in->s[in->at++] - '0');
    }
    if (digits < 1 || digits > 9 || !taco__time_accept(in, ':')) { return false; }
    minute = taco__time_cast_sixtieth(in);
    if (minute < 0) { return false; }
    if (in->at < in->end) {
        second = taco__time_accept(in, ':') ? taco__time_cast_sixtieth(in) : -1;
        if (second < 0) { return false; }
    }
    *form = true;
    if (in->at < in->end && in->s[in->at] == '.') {
        *us = in->at + 1 < in->end && taco__ascii_is_digit(in->s[in->at + 1])
                  ? taco__time_parse_fraction(in)
                  : (in->at++, 0);
    }
    *us += (3600 * hour + 60 * minute + second) * 1000000;
    return *us <= TACO__TIME_DAY_MICROS;
}

/* `Z`, ` UTC` in any case, +hh, +hhmm, +hh:mm, +hh:mm:ss, or nothing, up to the end of the text. As
   in DuckDB, there is a blank only before UTC. *us becomes UTC, *zone is whether there was one. */
TACO__FN bool taco__time_cast_zone(taco__time_parser *in, int64_t *us, bool *zone)
{
    *zone = true;
    if (in->end - in->at >= 4 && in->s[in->at] == ' ' &&
        taco__ascii_is_word(taco__bytes_of(in->s + in->at + 1, 3), "utc")) {
        in->at += 4;
    } else if (!taco__time_accept(in, 'Z')) {
        bool east = taco__time_accept(in, '+');
        if (east || taco__time_accept(in, '-')) {
            int64_t offset = taco__time_parse_clock(in, "");
            *us -= east ? offset : -offset;
        } else {
            *zone = false;
        }
    }
    taco__time_skip_spaces(in);
    return !in->expected && in->at == in->end;
}

/* CAST(text AS TIMESTAMP): microseconds since 1970, with the offset applied. *date_only: there was
   no time of day, *zone: there was an offset. Digits beyond microseconds are dropped. False if the
   cast fails or the result does not fit in an int64_t. */
TACO__FN bool taco__time_cast_timestamp(taco_bytes text, int64_t *us, bool *date_only, bool *zone)
{
    taco__time_parser in = taco__time_parser_init(text);
    int64_t days, clock = 0;
    bool form;
    *zone = false;
    if (!taco__time_cast_date_part(&in, &days)) { return false; }
    *date_only = true;
    if (in.at < in.end) {
        bool blank = taco__ascii_is_space(in.s[in.at]);
        if (!taco__time_accept(&in, 'T') && !taco__time_accept(&in, 't')) {
            taco__time_skip_spaces(&in);
        }
        *date_only = blank && in.at == in.end;
        if (!*date_only && (!taco__time_cast_clock(&in, &clock, &form) ||
                            !taco__time_cast_zone(&in, &clock, zone))) {
            return false;
        }
    }
    /* clock is within two days of 0, so two days less than an int64_t holds are enough */
    if (days > INT64_MAX / TACO__TIME_DAY_MICROS - 2 ||
        days < INT64_MIN / TACO__TIME_DAY_MICROS + 2) {
        return false;
    }
    *us = days * TACO__TIME_DAY_MICROS + clock;
    return true;
}
