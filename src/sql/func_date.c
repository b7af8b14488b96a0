/* func_date.c - functions of DATE and TIMESTAMP: parts, truncation, differences, sums

   Every value is split into days since 1970 and microseconds of the day, so that one code serves
   all units; the calendar is the proleptic Gregorian one (base/datetime.c). Instants are taken as
   UTC. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* The part of a date of that name (taco__date_part), or -1. */
TACO__FN int taco__func_date_find_part(taco_bytes b) /* -1: none */
{
    static const char *const names[] = {
        "year",        "month",   "day",    "hour",     "minute",  "second",  "millisecond",
        "microsecond", "dow",     "isodow", "doy",      "week",    "quarter", "decade",
        "century",     "isoyear", "epoch",  "epoch_ms", "epoch_us"};

    static const struct {
        const char *name;
        uint8_t part;
    } more[] = {{"years", 0},       {"y", 0},
                {"yr", 0},          {"months", 1},
                {"mon", 1},         {"days", 2},
                {"d", 2},           {"dayofmonth", 2},
                {"hours", 3},       {"h", 3},
                {"hr", 3},          {"minutes", 4},
                {"min", 4},         {"m", 4},
                {"seconds", 5},     {"sec", 5},
                {"s", 5},           {"milliseconds", 6},
                {"ms", 6},          {"microseconds", 7},
                {"us", 7},          {"dayofweek", 8},
                {"weekday", 8},     {"dayofyear", 10},
                {"weeks", 11},      {"w", 11},
                {"weekofyear", 11}, {"quarters", 12},
                {"decades", 13}};

    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (taco__ascii_is_word(b, names[i])) { return (int)i; }
    }
    for (i = 0; i < TACO__COUNT(more); i++) {
        if (taco__ascii_is_word(b, more[i].name)) { return more[i].part; }
    }
    return -1;
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
    if (v->type->t.unit == TACO_NANO) { /* DuckDB cuts nanoseconds off towards zero */
        x /= 1000;
        per = 1000000;
    }
    *day = taco__time_floor_div(x, per * 86400);
    *micros = taco__time_floor_mod(x, per * 86400) * (1000000 / per);
}

/* ISO 8601: weeks begin on Monday, and the week that holds the year's first Thursday is the first.
   So 2021-01-03 lies in week 53 of 2020, and *year is 2020. */
static int64_t taco__func_date_iso_week(int64_t day, int64_t *year)
{
    int64_t thursday = day - taco__time_floor_mod(day + 3, 7) + 3;
    taco__time_civil c = taco__time_date_from_days(thursday);
    *year = c.year;
    return (thursday - taco__time_days_from_date(c.year, 1, 1)) / 7 + 1;
}

/* A part of an instant, given as day since 1970 and microsecond of the day. */
static int64_t taco__func_date_extract(int part, int64_t day, int64_t us)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t year;
    switch (part) {
    case TACO__DATE_PART_YEAR: return c.year;
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
    case TACO__DATE_PART_DECADE: return c.year / 10;
    case TACO__DATE_PART_CENTURY: return c.year > 0 ? (c.year - 1) / 100 + 1 : c.year / 100 - 1;
    case TACO__DATE_PART_ISOYEAR: taco__func_date_iso_week(day, &year); return year;
    case TACO__DATE_PART_EPOCH_MS: return (day * 86400000000LL + us) / 1000; /* towards 1970 */
    default: return day * 86400000000LL + us;
    }
}

/* The microsecond since 1970 at which the part of the instant began: the first of the month,
   Monday, the first day of the quarter. False where that is before what 64 bits hold. */
static bool taco__func_date_trunc(int part, int64_t day, int64_t us, int64_t *out)
{
    taco__time_civil c = taco__time_date_from_days(day);
    taco__i256 big;
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
        day = taco__time_days_from_date(c.year / 10 * 10, 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_CENTURY:
        day = taco__time_days_from_date(c.year / 100 * 100, 1, 1);
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
    big = taco__i256_from_i64(day * 86400);
    taco__i256_mul10(&big, 6);
    big = taco__i256_add(big, taco__i256_from_i64(us));
    *out = (int64_t)big.w[0];
    return taco__i256_is_i64(&big);
}

/* How many boundaries of the part lie between two instants, day and microsecond each:
   date_diff('year', DATE '2020-12-31', DATE '2021-01-01') is 1. Negative where b is before a. */
static int64_t taco__func_date_diff(int part, const int64_t a[2], const int64_t b[2])
{
    taco__time_civil x = taco__time_date_from_days(a[0]), y = taco__time_date_from_days(b[0]);
    int64_t per;
    switch (part) {
    case TACO__DATE_PART_YEAR: return y.year - x.year;
    case TACO__DATE_PART_DECADE: return y.year / 10 - x.year / 10;
    case TACO__DATE_PART_MONTH: return (y.year - x.year) * 12 + y.month - x.month;
    case TACO__DATE_PART_QUARTER:
        return (y.year * 12 + y.month - 1) / 3 - (x.year * 12 + x.month - 1) / 3;
    case TACO__DATE_PART_DAY: return b[0] - a[0];
    case TACO__DATE_PART_WEEK:
        return taco__time_floor_div(b[0] + 3, 7) - taco__time_floor_div(a[0] + 3, 7);
    case TACO__DATE_PART_HOUR: per = 3600000000LL; break;
    case TACO__DATE_PART_MINUTE: per = 60000000; break;
    case TACO__DATE_PART_SECOND: per = 1000000; break;
    case TACO__DATE_PART_MILLI: per = 1000; break;
    default: per = 1; break;
    }
    return (b[0] - a[0]) * (86400000000LL / per) + b[1] / per - a[1] / per;
}

/* Row i of a call of a date function. The part that it takes was found when it was bound. */
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i)
{
    static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const int *part = (const int *)x->plan;
    int64_t a[2] = {0, 0}, b[2];
    taco__time_civil c;
    if (x->id != TACO__FUNC_MAKE_DATE) {
        taco__func_date_split(&x->a[x->id == TACO__FUNC_DATE_DIFF ? 1 : x->n - 1], i, &a[0], &a[1]);
    }
    switch (x->id) {
    case TACO__FUNC_PART:
        if (*part == TACO__DATE_PART_EPOCH) {
            x->out->v.f[i] = (double)a[0] * 86400 + (double)a[1] / 1e6;
        } else {
            x->out->v.i[i] = taco__func_date_extract(*part, a[0], a[1]);
        }
        return true;
    case TACO__FUNC_EPOCH: /* divided once; days that are no timestamp would overflow */
        x->out->v.f[i] = !x->a[0].type->t.utc && a[0] < 106751991 && a[0] > -106751991
                             ? (double)(a[0] * 86400000000LL + a[1]) / 1e6
                             : (double)(a[0] * 86400) + (double)a[1] / 1e6;
        return true;
    case TACO__FUNC_TRUNC_DATE:
        return taco__func_date_trunc(*part, a[0], a[1], &x->out->v.i[i]) ||
               taco__func_number_fail_overflow(x);
    case TACO__FUNC_DATE_DIFF:
        taco__func_date_split(&x->a[2], i, &b[0], &b[1]);
        x->out->v.i[i] = taco__func_date_diff(*part, a, b);
        return true;
    case TACO__FUNC_LAST_DAY:
        c = taco__time_date_from_days(a[0]);
        x->out->v.i[i] =
            taco__time_days_from_date(c.year, c.month, taco__time_days_in_month(c.year, c.month));
        return true;
    case TACO__FUNC_DAYNAME:
        x->out->v.s[i] = taco__bytes_text(days[taco__time_floor_mod(a[0] + 4, 7)]);
        return true;
    case TACO__FUNC_MONTHNAME:
        x->out->v.s[i] = taco__bytes_text(months[taco__time_date_from_days(a[0]).month - 1]);
        return true;
    default: { /* MAKE_DATE */
        int64_t y = TACO__FUNC_ARG_INT(0), m = TACO__FUNC_ARG_INT(1), d = TACO__FUNC_ARG_INT(2);
        if (y < -5000000 || y > 5000000 || m < 1 || m > 12 || d < 1 ||
            d > taco__time_days_in_month(y, (int32_t)m)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "no such date: %d-%d-%d", y, m, d);
            return false;
        }
        x->out->v.i[i] = taco__time_days_from_date(y, (int32_t)m, (int32_t)d);
        return true;
    }
    }
}

/* DATE and TIMESTAMP plus and minus intervals, as TIMESTAMP of microseconds. Months are added
   first, and the day is cut to the month's last: DATE '2024-01-31' + INTERVAL 1 MONTH is
   2024-02-29. Then days, then the rest. */
TACO__FN bool taco__func_date_add(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t day, us, months;
        taco__sql_interval v;
        taco__time_civil c;
        taco__i256 big;
        bool minus = x->id == TACO__FUNC_SUB;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        memcpy(&v, TACO__FUNC_ARG_TEXT(1).data, sizeof v);
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
        big = taco__i256_from_i64(day * 86400);
        taco__i256_mul10(&big, 6);
        big = taco__i256_add(big, taco__i256_from_i64(us));
        big = taco__i256_add(big, taco__i256_from_i64(minus ? -v.micros : v.micros));
        if (!taco__i256_is_i64(&big)) { return taco__func_number_fail_overflow(x); }
        x->out->v.i[i] = (int64_t)big.w[0];
    }
    return true;
}
