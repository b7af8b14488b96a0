/* func_date.c - functions of DATE and TIMESTAMP: parts, truncation, differences, sums

   Every value is split into days since 1970 and microseconds of the day, so that one code serves
   all units; the calendar is the proleptic Gregorian one (base/datetime.c). Instants are taken as
   UTC. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* The part of a date with that name (taco__date_part), or -1: DuckDB's names and abbreviations. */
TACO__FN int taco__func_date_find_part(taco_bytes b)
{
    static const struct {
        const char *names; /* with a blank after each */
        uint8_t part;
    } parts[] = {
        {"year y yr years yrs ", TACO__DATE_PART_YEAR},
        {"month mon months mons ", TACO__DATE_PART_MONTH},
        {"day d days dayofmonth ", TACO__DATE_PART_DAY},
        {"hour h hr hours hrs ", TACO__DATE_PART_HOUR},
        {"minute m min minutes mins ", TACO__DATE_PART_MINUTE},
        {"second s sec seconds secs ", TACO__DATE_PART_SECOND},
        {"millisecond ms msec milliseconds msecs ", TACO__DATE_PART_MILLI},
        {"microsecond us usec usecs usecond useconds microseconds ", TACO__DATE_PART_MICRO},
        {"dow dayofweek weekday ", TACO__DATE_PART_DOW},
        {"isodow ", TACO__DATE_PART_ISODOW},
        {"doy dayofyear ", TACO__DATE_PART_DOY},
        {"week w weeks weekofyear ", TACO__DATE_PART_WEEK},
        {"quarter quarters ", TACO__DATE_PART_QUARTER},
        {"decade dec decades decs ", TACO__DATE_PART_DECADE},
        {"century c cent centuries ", TACO__DATE_PART_CENTURY},
        {"millennium mil mils millennia millenniums millenium ", TACO__DATE_PART_MILLENNIUM},
        {"isoyear ", TACO__DATE_PART_ISOYEAR},
        {"yearweek ", TACO__DATE_PART_YEARWEEK},
        {"era ", TACO__DATE_PART_ERA},
        {"timezone timezone_hour timezone_minute ", TACO__DATE_PART_ZONE},
        {"julian jd ", TACO__DATE_PART_JULIAN},
        {"epoch ", TACO__DATE_PART_EPOCH},
        {"epoch_ms ", TACO__DATE_PART_EPOCH_MS},
        {"epoch_us ", TACO__DATE_PART_EPOCH_US}};

    size_t i, n;
    const char *at;
    for (i = 0; i < TACO__COUNT(parts); i++) {
        for (at = parts[i].names; *at; at += n + 1) {
            n = (size_t)(strchr(at, ' ') - at);
            if (b.len == n && taco__bind_names_equal(b, taco__bytes_of(at, n))) {
                return parts[i].part;
            }
        }
    }
    return -1;
}

/* The part that date_trunc, date_diff and date_sub use: days of any count are days, the epoch
   counts seconds; -1 for parts without boundaries, such as the era. */
TACO__FN int taco__func_date_boundary(int part)
{
    switch (part) {
    case TACO__DATE_PART_DOW:
    case TACO__DATE_PART_ISODOW:
    case TACO__DATE_PART_DOY:
    case TACO__DATE_PART_JULIAN: return TACO__DATE_PART_DAY;
    case TACO__DATE_PART_YEARWEEK: return TACO__DATE_PART_WEEK;
    case TACO__DATE_PART_EPOCH: return TACO__DATE_PART_SECOND;
    case TACO__DATE_PART_ERA:
    case TACO__DATE_PART_ZONE:
    case TACO__DATE_PART_EPOCH_MS:
    case TACO__DATE_PART_EPOCH_US: return -1;
    default: return part;
    }
}

/* Day and microsecond of the day of a DATE or TIMESTAMP. */
static void taco__func_date_split(const taco__vec *v, size_t i, int64_t *day, int64_t *micros)
{
    int64_t x = v->v.i[i * v->step], per;
    if (v->type->t.id == TACO_DATE) {
        *day = x;
        *micros = 0;
        return;
    }
    per = (int64_t)taco__time_units_per_second(v->type->t.unit);
    if (v->type->t.unit == TACO_NANO) {
        x = taco__time_floor_div(x, 1000);
        per = 1000000;
    }
    *day = taco__time_floor_div(x, per * 86400);
    *micros = taco__time_floor_mod(x, per * 86400) * (1000000 / per);
}

/* day * per_day + more, |more| <= per_day; false if the sum does not fit in 64 bits. */
static bool taco__func_date_join(int64_t day, int64_t per_day, int64_t more, int64_t *out)
{
    /* of the same sign, so that the product overflows only where the sum does */
    if (day < 0 && more > 0) {
        day++;
        more -= per_day;
    } else if (day > 0 && more < 0) {
        day--;
        more += per_day;
    }
    return taco__func_number_mul64(day, per_day, out) && taco__func_number_add64(*out, more, out);
}

/* ISO 8601: weeks begin on Monday, and the week that holds the year's first Thursday is the first.
   So 2021-01-03 is in week 53 of 2020, and *year is 2020. */
TACO__FN int64_t taco__func_date_iso_week(int64_t day, int64_t *year)
{
    int64_t thursday = day - taco__time_floor_mod(day + 3, 7) + 3;
    taco__time_civil c = taco__time_date_from_days(thursday);
    *year = c.year;
    return (thursday - taco__time_days_from_date(c.year, 1, 1)) / 7 + 1;
}

/* The year in which the n years of `year` begin, towards 0; with eras those before year 1 count as
   years BC, as DuckDB's calendar of instants has them: 44 BC is of the decade that ends 40 BC. */
static int64_t taco__func_date_round_year(int64_t year, int64_t n, bool era)
{
    return era && year <= 0 ? 1 - (1 - year) / n * n : year / n * n;
}

/* A part of an instant, given as day since 1970 and microsecond of the day. */
static int64_t taco__func_date_extract(int part, int64_t day, int64_t us, bool era)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t year;
    switch (part) {
    case TACO__DATE_PART_YEAR: return era && c.year <= 0 ? 1 - c.year : c.year;
    case TACO__DATE_PART_MONTH: return c.month;
    case TACO__DATE_PART_DAY: return c.day;
    case TACO__DATE_PART_HOUR: return us / 3600000000LL;
    case TACO__DATE_PART_MINUTE: return us / 60000000 % 60;
    case TACO__DATE_PART_SECOND: return us / 1000000 % 60;
    case TACO__DATE_PART_MILLI: return us / 1000 % 60000;
    case TACO__DATE_PART_MICRO: return us % 60000000;
    case TACO__DATE_PART_DOW: return taco__time_floor_mod(day + 4, 7);
    case TACO__DATE_PART_ISODOW: return taco__time_floor_mod(day + 3, 7) + 1;
    case TACO__DATE_PART_DOY: return day - taco__time_days_from_date(c.year, 1, 1) + 1;
    case TACO__DATE_PART_WEEK: return taco__func_date_iso_week(day, &year);
    case TACO__DATE_PART_QUARTER: return (c.month - 1) / 3 + 1;
    case TACO__DATE_PART_DECADE: return (era && c.year <= 0 ? 1 - c.year : c.year) / 10;
    case TACO__DATE_PART_CENTURY: return c.year > 0 ? (c.year - 1) / 100 + 1 : c.year / 100 - 1;
    case TACO__DATE_PART_MILLENNIUM:
        return c.year > 0 ? (c.year - 1) / 1000 + 1 : c.year / 1000 - 1;
    case TACO__DATE_PART_ISOYEAR: taco__func_date_iso_week(day, &year); return year;
    case TACO__DATE_PART_YEARWEEK: {
        int64_t week = taco__func_date_iso_week(day, &year);
        return year * 100 + (year > 0 ? week : -week);
    }
    case TACO__DATE_PART_ERA: return c.year > 0;
    default: return 0; /* ZONE: instants are in UTC */
    }
}

/* Whole milliseconds, or microseconds, since 1970; false if they do not fit in 64 bits. */
static bool taco__func_date_count(int part, int64_t day, int64_t us, int64_t *out)
{
    return part == TACO__DATE_PART_EPOCH_MS
               ? taco__func_date_join(day, 86400000, us / 1000, out)
               : taco__func_date_join(day, TACO__TIME_DAY_MICROS, us, out);
}

/* The microsecond since 1970 at which the part of the instant began: the first of the month,
   Monday, the first day of the quarter. False if that does not fit in 64 bits. */
static bool taco__func_date_trunc(int part, int64_t day, int64_t us, bool era, int64_t *out)
{
    taco__time_civil c = taco__time_date_from_days(day);
    switch (part) {
    case TACO__DATE_PART_YEAR:
        day = taco__time_days_from_date(c.year, 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_MONTH:
        day = taco__time_days_from_date(c.year, c.month, 1);
        us = 0;
        break;
    case TACO__DATE_PART_QUARTER:
        day = taco__time_days_from_date(c.year, (c.month - 1) / 3 * 3 + 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_DECADE:
        day = taco__time_days_from_date(taco__func_date_round_year(c.year, 10, era), 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_CENTURY:
        day = taco__time_days_from_date(taco__func_date_round_year(c.year, 100, era), 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_MILLENNIUM:
        day = taco__time_days_from_date(taco__func_date_round_year(c.year, 1000, era), 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_ISOYEAR:
        day -= taco__time_floor_mod(day + 3, 7) + 7 * (taco__func_date_iso_week(day, &c.year) - 1);
        us = 0;
        break;
    case TACO__DATE_PART_WEEK:
        day -= taco__time_floor_mod(day + 3, 7);
        us = 0;
        break;
    case TACO__DATE_PART_HOUR: us -= us % 3600000000LL; break;
    case TACO__DATE_PART_MINUTE: us -= us % 60000000; break;
    case TACO__DATE_PART_SECOND: us -= us % 1000000; break;
    case TACO__DATE_PART_MILLI: us -= us % 1000; break;
    case TACO__DATE_PART_MICRO: break;
    default: us = 0; break;
    }
    return taco__func_date_join(day, TACO__TIME_DAY_MICROS, us, out);
}

/* Seconds since 1970. Of instants milliseconds and the rest are added, which is ICU's way and
   differs from DuckDB's own in the last digit: 2018-10-01 16:50:59.508203 is 1538412659.508203 as a
   TIMESTAMP, and ends with .5082028 as an instant. */
static double taco__func_date_epoch(bool utc, int64_t day, int64_t us)
{
    int64_t ms;
    if (utc && taco__func_date_join(day, 86400000, us / 1000, &ms)) {
        return (double)ms / 1000 + (double)(us % 1000) / 1e6;
    }
    return (double)day * 86400 + (double)us / 1e6;
}

/* Microseconds in an hour or a shorter part; 0 for longer ones: days and weeks are added to the
   day, months have no fixed length. */
static int64_t taco__func_date_micros(int part)
{
    switch (part) {
    case TACO__DATE_PART_HOUR: return 3600000000LL;
    case TACO__DATE_PART_MINUTE: return 60000000;
    case TACO__DATE_PART_SECOND: return 1000000;
    case TACO__DATE_PART_MILLI: return 1000;
    case TACO__DATE_PART_MICRO: return 1;
    default: return 0;
    }
}

/* Months in a month or a longer part; 0 for shorter ones. A year of ISO 8601 counts as twelve
   months in date_sub, whatever its number of weeks. */
static int64_t taco__func_date_months(int part)
{
    switch (part) {
    case TACO__DATE_PART_MONTH: return 1;
    case TACO__DATE_PART_QUARTER: return 3;
    case TACO__DATE_PART_YEAR:
    case TACO__DATE_PART_ISOYEAR: return 12;
    case TACO__DATE_PART_DECADE: return 120;
    case TACO__DATE_PART_CENTURY: return 1200;
    case TACO__DATE_PART_MILLENNIUM: return 12000;
    default: return 0;
    }
}

/* How many boundaries of the part lie between two instants, day and microsecond each:
   date_diff('year', DATE '2020-12-31', DATE '2021-01-01') is 1. Negative where b is before a. Weeks
   begin on Monday; DuckDB 1.5 counts full weeks instead, except for 'yearweek' of instants. False
   if the number does not fit in 64 bits. */
static bool taco__func_date_diff(int part, const int64_t a[2], const int64_t b[2], int64_t *out)
{
    taco__time_civil x = taco__time_date_from_days(a[0]), y = taco__time_date_from_days(b[0]);
    int64_t per = taco__func_date_micros(part);
    switch (part) {
    case TACO__DATE_PART_MONTH: *out = (y.year - x.year) * 12 + y.month - x.month; return true;
    case TACO__DATE_PART_QUARTER:
        *out = (y.year * 12 + y.month - 1) / 3 - (x.year * 12 + x.month - 1) / 3;
        return true;
    case TACO__DATE_PART_ISOYEAR:
        (void)taco__func_date_iso_week(a[0], &x.year);
        (void)taco__func_date_iso_week(b[0], &y.year);
        *out = y.year - x.year;
        return true;
    case TACO__DATE_PART_YEAR:
    case TACO__DATE_PART_DECADE:
    case TACO__DATE_PART_CENTURY:
    case TACO__DATE_PART_MILLENNIUM:
        per = taco__func_date_months(part) / 12;
        *out = y.year / per - x.year / per;
        return true;
    case TACO__DATE_PART_WEEK:
        *out = taco__time_floor_div(b[0] + 3, 7) - taco__time_floor_div(a[0] + 3, 7);
        return true;
    case TACO__DATE_PART_DAY: *out = b[0] - a[0]; return true;
    default: break;
    }
    return taco__func_date_join(b[0] - a[0], TACO__TIME_DAY_MICROS / per, b[1] / per - a[1] / per,
                                out);
}

/* How many whole parts lie between two instants: date_sub('year', DATE '2020-12-31', DATE
   '2021-01-01') is 0, where date_diff counts the new year. A month is complete at the time of day
   it began at, on the last day if the month lacks that day: from 31 January to 28 February is a
   month, and so is 30 January to 28 February. */
static bool taco__func_date_sub(int part, const int64_t a[2], const int64_t b[2], int64_t *out)
{
    int64_t per = taco__func_date_months(part), first, last;
    taco__time_civil x, y;
    bool back = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    if (!per) {
        /* days and weeks are multiples of 24 hours; the difference of two timestamps is checked */
        per = taco__func_date_micros(part);
        per = per ? per : part == TACO__DATE_PART_WEEK ? 7 * 86400000000LL : 86400000000LL;
        if (!taco__func_date_diff(TACO__DATE_PART_MICRO, a, b, out)) { return false; }
        *out /= per;
        return true;
    }
    if (back) {
        const int64_t *swap = a;
        a = b;
        b = swap;
    }
    x = taco__time_date_from_days(a[0]);
    y = taco__time_date_from_days(b[0]);
    last = taco__time_days_in_month(y.year, y.month);
    first = y.day == last && x.day > last ? last : x.day;
    *out = (y.year - x.year) * 12 + y.month - x.month;
    *out -= y.day < first || (y.day == first && b[1] < a[1]);
    *out = (back ? -*out : *out) / per;
    return true;
}

/* Whether argument k in row i is infinite: most functions of such dates are null, as in DuckDB. */
static bool taco__func_date_is_infinite(const taco__func_call *x, size_t k, size_t i)
{
    return taco__sql_type_is_infinite(x->a[k].type, TACO__FUNC_ARG_INT(k));
}

/* date_diff and date_sub of row i. */
static bool taco__func_date_between(taco__func_call *x, size_t i)
{
    int part = *(const int *)x->plan;
    int64_t a[2], b[2], *out = &x->out->v.i[i];
    if (taco__func_date_is_infinite(x, 1, i) || taco__func_date_is_infinite(x, 2, i)) {
        return taco__func_set_null(x, i);
    }
    taco__func_date_split(&x->a[1], i, &a[0], &a[1]);
    taco__func_date_split(&x->a[2], i, &b[0], &b[1]);
    return (x->id == TACO__FUNC_DATE_DIFF ? taco__func_date_diff(part, a, b, out)
                                          : taco__func_date_sub(part, a, b, out)) ||
           taco__func_number_fail_overflow(x);
}

/* make_date of row i: an existing year, month and day within the range of DATE. Years are
   astronomical: 0 is 1 BC. */
static bool taco__func_date_make(taco__func_call *x, size_t i)
{
    int64_t y = TACO__FUNC_ARG_INT(0), m = TACO__FUNC_ARG_INT(1), d = TACO__FUNC_ARG_INT(2),
            *out = &x->out->v.i[i];
    bool ok = y > -6000000 && y < 6000000 && m >= 1 && m <= 12 && d >= 1 &&
              d <= taco__time_days_in_month(y, (int32_t)m);
    *out = ok ? taco__time_days_from_date(y, (int32_t)m, (int32_t)d) : 0;
    if (ok && *out > -INT32_MAX && *out < INT32_MAX) { return true; }
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "no such date: %d-%d-%d", y, m, d);
    return false;
}

/* Names of days, from Sunday, and of months, from 1. */
TACO__FN const char *taco__func_day_name(int64_t day)
{
    static const char *const names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
    return names[day];
}

TACO__FN const char *taco__func_month_name(int64_t month)
{
    static const char *const names[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
    return names[month - 1];
}

/* Row i of a call of a date function. The part that it takes was found when it was bound. */
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i)
{
    const int *part = (const int *)x->plan;
    int64_t day, us;
    taco__time_civil c;
    if (x->id == TACO__FUNC_MAKE_DATE) { return taco__func_date_make(x, i); }
    if (x->id == TACO__FUNC_DATE_DIFF || x->id == TACO__FUNC_DATE_SUB) {
        return taco__func_date_between(x, i);
    }
    if (taco__func_date_is_infinite(x, x->n - 1, i)) {
        if (x->id != TACO__FUNC_TRUNC_DATE) { return taco__func_set_null(x, i); }
        x->out->v.i[i] = TACO__FUNC_ARG_INT(1) < 0 ? -INT64_MAX : INT64_MAX;
        return true;
    }
    taco__func_date_split(&x->a[x->n - 1], i, &day, &us);
    switch (x->id) {
    case TACO__FUNC_PART:
        if (*part == TACO__DATE_PART_EPOCH) {
            x->out->v.f[i] = taco__func_date_epoch(x->a[1].type->t.utc, day, us);
        } else if (*part == TACO__DATE_PART_JULIAN) {
            x->out->v.f[i] = (double)us / 86400e6 + (double)(day + 2440588);
        } else if (*part == TACO__DATE_PART_EPOCH_MS || *part == TACO__DATE_PART_EPOCH_US) {
            return taco__func_date_count(*part, day, us, &x->out->v.i[i]) ||
                   taco__func_number_fail_overflow(x);
        } else {
            x->out->v.i[i] = taco__func_date_extract(*part, day, us, x->a[x->n - 1].type->t.utc);
        }
        return true;
    case TACO__FUNC_EPOCH: /* divided once; days outside the range of timestamps would overflow */
        x->out->v.f[i] = !x->a[0].type->t.utc && day < 106751991 && day > -106751991
                             ? (double)(day * 86400000000LL + us) / 1e6
                             : taco__func_date_epoch(x->a[0].type->t.utc, day, us);
        return true;
    case TACO__FUNC_TRUNC_DATE:
        return taco__func_date_trunc(*part, day, us, x->a[x->n - 1].type->t.utc, &x->out->v.i[i]) ||
               taco__func_number_fail_overflow(x);
    case TACO__FUNC_LAST_DAY:
        c = taco__time_date_from_days(day);
        x->out->v.i[i] =
            taco__time_days_from_date(c.year, c.month, taco__time_days_in_month(c.year, c.month));
        return x->out->v.i[i] < INT32_MAX || taco__func_number_fail_overflow(x);
    case TACO__FUNC_DAYNAME:
        x->out->v.s[i] = taco__bytes_text(taco__func_day_name(taco__time_floor_mod(day + 4, 7)));
        return true;
    default: /* MONTHNAME */
        x->out->v.s[i] =
            taco__bytes_text(taco__func_month_name(taco__time_date_from_days(day).month));
        return true;
    }
}

/* DATE plus and minus days: an error if the sum is not a DATE, or is a value that stands for
   infinity. An infinite date stays infinite. */
TACO__FN bool taco__func_date_add_days(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t day, more;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        day = TACO__FUNC_ARG_INT(0);
        more = TACO__FUNC_ARG_INT(1); /* an INTEGER: the sum cannot overflow */
        if (!taco__func_date_is_infinite(x, 0, i)) {
            day += x->id == TACO__FUNC_SUB ? -more : more;
            if (day <= -INT32_MAX || day >= INT32_MAX) {
                return taco__func_number_fail_overflow(x);
            }
        }
        x->out->v.i[i] = day;
    }
    return true;
}

/* TIME in microseconds plus and minus the hours and less of an interval, around midnight. */
static void taco__func_date_add_to_time(taco__func_call *x, size_t i, const taco__sql_interval *v)
{
    int64_t more = taco__time_floor_mod(v->micros, TACO__TIME_DAY_MICROS),
            us = TACO__FUNC_ARG_INT(0) + (x->id == TACO__FUNC_SUB ? -more : more);
    x->out->v.i[i] = taco__time_floor_mod(us, TACO__TIME_DAY_MICROS);
}

/* DATE and TIMESTAMP plus and minus intervals, as TIMESTAMP of microseconds. Months are added
   first, and the day is limited to the month's last: DATE '2024-01-31' + INTERVAL 1 MONTH is
   2024-02-29. Then days, then the rest. */
TACO__FN bool taco__func_date_add(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t day, us, months;
        taco__sql_interval v;
        taco__time_civil c;
        taco__i256 big, more;
        bool far, minus = x->id == TACO__FUNC_SUB;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (taco__func_date_is_infinite(x, 0, i)) {
            x->out->v.i[i] = TACO__FUNC_ARG_INT(0) < 0 ? -INT64_MAX : INT64_MAX;
            continue;
        }
        memcpy(&v, TACO__FUNC_ARG_TEXT(1).data, sizeof v);
        if (x->out->type->t.id == TACO_TIME) {
            taco__func_date_add_to_time(x, i, &v);
            continue;
        }
        taco__func_date_split(&x->a[0], i, &day, &us);
        /* months first, and the day is cut to the last of the month */
        if (v.months) {
            c = taco__time_date_from_days(day);
            months = c.year * 12 + c.month - 1 + (minus ? -(int64_t)v.months : v.months);
            c.year = taco__time_floor_div(months, 12);
            c.month = (int32_t)taco__time_floor_mod(months, 12) + 1;
            c.day = TACO__MIN(c.day, taco__time_days_in_month(c.year, c.month));
            day = taco__time_days_from_date(c.year, c.month, c.day);
        }
        day += minus ? -(int64_t)v.days : v.days;
        /* farther days are beyond what the microseconds of an interval bring back */
        far = day > 400000000 || day < -400000000;
        big = taco__i256_from_i64(far ? 0 : day * 86400);
        taco__i256_mul10(&big, 6);
        big = taco__i256_add(big, taco__i256_from_i64(us));
        more = taco__i256_from_i64(v.micros);
        big = taco__i256_add(big, minus ? taco__i256_negate(more) : more);
        if (far || !taco__i256_is_i64(&big) || (int64_t)big.w[0] < TACO__TIME_FIRST_MICROS ||
            (int64_t)big.w[0] == INT64_MAX) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = (int64_t)big.w[0];
    }
    return true;
}
