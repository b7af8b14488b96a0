/* func_strftime.c - strftime: instants to text by a format; the clock, and instants from numbers

   The specifiers are DuckDB's: %Y %m %d %H %M %S and others, with %-d for numbers without leading
   zeros, %f microseconds, %g milliseconds, %n nanoseconds. func_strptime.c reads such texts.

   Example: strftime(DATE '2024-02-29', '%a %-d.%-m.%y') is Thu 29.2.24. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* An instant in its parts. */
typedef struct taco__strf_time {
    taco__time_civil date;
    int64_t day, nanos; /* since 1970; of that day */
    bool utc;
} taco__strf_time;

/* ---- to text ---- */

/* A number with at least `width` digits. */
static bool taco__strf_number(taco__buf *b, int64_t v, size_t width, taco_error *err)
{
    char text[32];
    size_t n = taco__num_format_i64(text, v), zeros = v >= 0 && width > n ? width - n : 0;
    for (; zeros; zeros--) {
        if (!taco__buf_append_char(b, '0', err)) { return false; }
    }
    return taco__buf_append(b, text, n, err);
}

/* Weeks of the year whose first day is `first` (0 Sunday, 1 Monday); days before it are week 0. */
static int64_t taco__strf_week(const taco__strf_time *t, int64_t first)
{
    int64_t yday = t->day - taco__time_days_from_date(t->date.year, 1, 1),
            wday = taco__time_floor_mod(t->day + 4 - first, 7);
    return (yday + 7 - wday) / 7;
}

static bool taco__strf_text(taco__buf *b, const taco__strf_time *t, const char *format,
                            taco_error *err);

/* One specifier; *known is set to false for an unknown one:
     a A w u   name of the day, short and long; its number from Sunday 0, from Monday 1
     d j       day of the month, of the year
     b h B m   name of the month, short (both) and long; its number
     y Y G     year of the century, year, year of the ISO week
     U W V     week from the first Sunday, from the first Monday, of ISO 8601
     H I p     hour of the day, of the half day, AM or PM
     M S       minute, second
     g f n     milli-, micro- and nanoseconds
     z Z       offset and name of the zone: instants are shown in UTC
     c x X T %  date and time, date, time (twice), a percent sign
   plain: without zeros in front. */
static bool taco__strf_one(taco__buf *b, const taco__strf_time *t, char c, bool plain, bool *known,
                           taco_error *err)
{
    int64_t seconds = t->nanos / 1000000000, hour = seconds / 3600, h12 = (hour + 11) % 12 + 1,
            wday = taco__time_floor_mod(t->day + 4, 7), iso;
    size_t two = plain ? 0 : 2;
    if (plain && (!c || !strchr("dmyHIMSj", c))) {
        *known = false;
        return false;
    }
    switch (c) {
    case 'a': return taco__buf_append(b, taco__func_day_name(wday), 3, err);
    case 'A': return taco__buf_append_text(b, taco__func_day_name(wday), err);
    case 'w': return taco__strf_number(b, wday, 0, err);
    case 'u': return taco__strf_number(b, (wday + 6) % 7 + 1, 0, err);
    case 'd': return taco__strf_number(b, t->date.day, two, err);
    case 'b':
    case 'h': return taco__buf_append(b, taco__func_month_name(t->date.month), 3, err);
    case 'B': return taco__buf_append_text(b, taco__func_month_name(t->date.month), err);
    case 'm': return taco__strf_number(b, t->date.month, two, err);
    case 'y': /* of 44 BC, which is the year -43, 43 */
        return taco__strf_number(b, (t->date.year < 0 ? -t->date.year : t->date.year) % 100, two,
                                 err);
    case 'Y': return taco__strf_number(b, t->date.year, 4, err);
    case 'H': return taco__strf_number(b, hour, two, err);
    case 'I': return taco__strf_number(b, h12, two, err);
    case 'p': return taco__buf_append_text(b, hour < 12 ? "AM" : "PM", err);
    case 'M': return taco__strf_number(b, seconds / 60 % 60, two, err);
    case 'S': return taco__strf_number(b, seconds % 60, two, err);
    case 'f': return taco__strf_number(b, t->nanos % 1000000000 / 1000, 6, err);
    case 'g': return taco__strf_number(b, t->nanos % 1000000000 / 1000000, 3, err);
    case 'n': return taco__strf_number(b, t->nanos % 1000000000, 9, err);
    case 'z': return taco__buf_append_text(b, "+00", err);
    case 'Z': return taco__buf_append_text(b, t->utc ? "UTC" : "", err);
    case 'j':
        iso = t->day - taco__time_days_from_date(t->date.year, 1, 1) + 1;
        return taco__strf_number(b, iso, plain ? 0 : 3, err);
    case 'U': return taco__strf_number(b, taco__strf_week(t, 0), 2, err);
    case 'W': return taco__strf_number(b, taco__strf_week(t, 1), 2, err);
    case 'V': return taco__strf_number(b, taco__func_date_iso_week(t->day, &iso), 2, err);
    case 'G': taco__func_date_iso_week(t->day, &iso); return taco__strf_number(b, iso, 4, err);
    case 'c': return taco__strf_text(b, t, "%Y-%m-%d %H:%M:%S", err);
    case 'x': return taco__strf_text(b, t, "%Y-%m-%d", err);
    case 'T':
    case 'X': return taco__strf_text(b, t, "%H:%M:%S", err);
    case '%': return taco__buf_append_char(b, '%', err);
    default: *known = false; return false;
    }
}

/* A built-in format, without unknown specifiers. */
static bool taco__strf_text(taco__buf *b, const taco__strf_time *t, const char *format,
                            taco_error *err)
{
    bool known = true, ok = true;
    for (; ok && *format; format++) {
        ok = *format == '%' ? taco__strf_one(b, t, *++format, false, &known, err)
                            : taco__buf_append_char(b, *format, err);
    }
    return ok;
}

/* A SYNTAX error, because the format is part of the query. */
TACO__FN TACO__COLD bool taco__func_strftime_fail(taco_bytes format, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "an unknown specifier in the format %q",
               &format);
    return false;
}

/* Row i of strftime, whose arguments DuckDB takes in either order. */
static bool taco__strf_row(taco__func_call *x, size_t i, taco__buf *b)
{
    bool swapped = x->a[0].type->t.id == TACO_TEXT;
    const taco__vec *v = &x->a[swapped ? 1 : 0];
    taco_bytes format = swapped ? TACO__FUNC_ARG_TEXT(0) : TACO__FUNC_ARG_TEXT(1);
    taco__strf_time t;
    int64_t value = v->v.i[i * v->step], per;
    size_t k;
    b->len = 0;
    if (taco__sql_type_is_infinite(v->type, value)) {
        return taco__buf_append_text(b, value < 0 ? "-infinity" : "infinity", x->err);
    }
    memset(&t, 0, sizeof t);
    t.utc = v->type->t.utc;
    if (v->type->t.id == TACO_DATE) {
        t.day = value;
    } else {
        per = (int64_t)taco__time_units_per_second(v->type->t.unit);
        t.day = taco__time_floor_div(value, per * 86400);
        t.nanos = taco__time_floor_mod(value, per * 86400) * (1000000000 / per);
    }
    t.date = taco__time_date_from_days(t.day);
    for (k = 0; k < format.len; k++) {
        bool known = true, plain;
        if (format.data[k] != '%') {
            if (!taco__buf_append_char(b, (char)format.data[k], x->err)) { return false; }
            continue;
        }
        plain = k + 1 < format.len && format.data[k + 1] == '-';
        k += plain ? 2U : 1U;
        if (!taco__strf_one(b, &t, k < format.len ? (char)format.data[k] : 0, plain, &known,
                            x->err)) {
            return known ? false : taco__func_strftime_fail(format, x->err);
        }
    }
    return true;
}

/* Runs strftime, strptime or try_strptime. */
TACO__FN bool taco__func_strftime_run(taco__func_call *x)
{
    taco__buf b;
    size_t i;
    bool ok = true, out = x->id == TACO__FUNC_STRFTIME;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        ok = out ? taco__strf_row(x, i, &b) &&
                       taco__func_set_text(x, i, taco__bytes_of(b.data, b.len))
                 : taco__func_strptime_row(x, i);
    }
    taco__buf_free(&b);
    return ok;
}

/* Binds strftime (an instant and a format, in either order), strptime and try_strptime. */
TACO__FN bool taco__func_strftime_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT),
                   when = taco__sql_type_simple(TACO_TIMESTAMP);
    uint32_t k, time = 0;
    if (e->func != TACO__FUNC_STRFTIME) { return taco__func_strptime_bind(b, e); }
    e->type = text;
    if (taco__sql_type_is_datetime(&e->kid[1]->type)) { time = 1; }
    for (k = 0; k < 2; k++) {
        taco__sql_type *t = &e->kid[k]->type;
        if (k == time ? !taco__sql_type_is_datetime(t) && t->t.id != TACO_NULL
                      : t->t.id != TACO_TEXT && t->t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, t, &when,
                                                 "strftime takes a time and a format, not");
        }
        if (t->t.id == TACO_NULL &&
            !taco__bind_type_add_cast(b, &e->kid[k], k == time ? &when : &text)) {
            return false;
        }
    }
    return true;
}

/* ---- the clock, and instants of numbers ---- */

/* now(), current_date and the like become constants when a query is bound, so that all of them, in
   all rows, have the same time: that of the system, in UTC, to the second. Sets *done if e is
   one. */
TACO__FN bool taco__func_clock_bind(taco__bind *b, taco__sql_expr *e, bool *done)
{
    static const struct {
        const char *name;
        uint8_t type; /* 0 an instant, 1 a TIMESTAMP, 2 a DATE */
    } clocks[] = {{"now", 0},
                  {"current_timestamp", 0},
                  {"get_current_timestamp", 0},
                  {"transaction_timestamp", 0},
                  {"localtimestamp", 1},
                  {"current_localtimestamp", 1},
                  {"current_date", 2},
                  {"today", 2}};

    size_t i;
    *done = false;
    if (e->n || e->infix) { return true; }
    for (i = 0; i < TACO__COUNT(clocks) && !taco__ascii_is_word(e->name, clocks[i].name); i++) {}
    if (i == TACO__COUNT(clocks)) { return true; }
    if (!b->now) { b->now = taco__plat_now(); }
    *done = true;
    e->kind = TACO__SQL_EXPR_CONST;
    e->type = taco__sql_type_simple(clocks[i].type == 2 ? TACO_DATE : TACO_TIMESTAMP);
    e->type.t.utc = clocks[i].type == 0;
    e->value = taco__scalar_make_int(
        e->type.t.id, clocks[i].type == 2 ? taco__time_floor_div(b->now, 86400) : b->now * 1000000);
    e->value.type = e->type.t;
    return true;
}

/* The microsecond of a day for a time of day; false if it is invalid. 24:00:00 is the end of a
   day. */
static bool taco__strf_clock(int64_t hour, int64_t minute, double second, int64_t *out)
{
    int64_t us = second >= 0 && second < 61 ? (int64_t)(second * 1e6 + 0.5) : -1;
    bool ok = hour >= 0 && hour <= 24 && minute >= 0 && minute < 60 && us >= 0 && us < 60000000;
    *out = ok ? (hour * 60 + minute) * 60000000 + us : 0;
    return ok && *out <= TACO__TIME_DAY_MICROS;
}

/* The instant of a day and a time of day; false if it is before the first TIMESTAMP or after the
   last, beyond which is only infinity. */
static bool taco__strf_instant(int64_t day, int64_t clock, int64_t *out)
{
    const int64_t first = TACO__TIME_FIRST_MICROS / TACO__TIME_DAY_MICROS; /* -first is the last */
    bool ok = day >= first && day <= -first &&
              (day < -first || clock < INT64_MAX + TACO__TIME_FIRST_MICROS);
    *out = ok ? day * TACO__TIME_DAY_MICROS + clock : 0;
    return ok;
}

/* Row i of to_days and the like: a number of units, with a fraction for seconds and
   milliseconds. */
static bool taco__strf_interval_row(taco__func_call *x, size_t i)
{
    const taco__interval_unit *u = (const taco__interval_unit *)x->plan;
    taco__sql_interval *v = (taco__sql_interval *)taco__arena_alloc(x->arena, sizeof *v, x->err);
    taco__i256 n;
    bool ok;
    if (!v) { return false; }
    if (x->a[0].type->t.id == TACO_DOUBLE) {
        double d = TACO__FUNC_ARG_DOUBLE(0) * (double)u->micros;
        ok = taco__f64_is_finite(d) && taco__cast_double_to_int(taco__math_round_even(d), &n);
    } else {
        int64_t count = TACO__FUNC_ARG_INT(0), per = u->months ? u->months : u->days;
        bool small = count >= INT32_MIN && count <= INT32_MAX;
        n = taco__i256_from_i64(count);
        ok = u->micros ? taco__func_number_mul64(count, u->micros, &v->micros)
                       : small && count * per >= INT32_MIN && count * per <= INT32_MAX;
        n = taco__i256_from_i64(u->micros ? v->micros : ok ? count * per : 0);
    }
    ok = ok && taco__i256_is_i64(&n);
    if (!ok) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: the interval is out of range",
                   x->name);
        return false;
    }
    v->months = u->months ? (int32_t)n.w[0] : 0;
    v->days = u->days ? (int32_t)n.w[0] : 0;
    v->micros = u->micros ? (int64_t)n.w[0] : 0;
    x->out->v.s[i] = taco__bytes_of(v, sizeof *v);
    return true;
}

/* Row i of make_timestamp, make_time, the functions of an epoch, and julian. */
TACO__FN bool taco__func_instant_row(taco__func_call *x, size_t i)
{
    int64_t clock = 0, year, month, day, *out = &x->out->v.i[i], per;
    double seconds;
    char unit = x->plan ? *(const char *)x->plan : 0;
    bool ok;
    if (x->id == TACO__FUNC_TO_INTERVAL) { return taco__strf_interval_row(x, i); }
    switch (x->id) {
    case TACO__FUNC_FROM_EPOCH:
        if (unit == 's') {
            seconds = TACO__FUNC_ARG_DOUBLE(0) * 1e6;
            ok = seconds > -9e18 && seconds < 9e18;
            *out = ok ? (int64_t)(seconds < 0 ? seconds - 0.5 : seconds + 0.5) : 0;
            return ok || taco__func_number_fail_overflow(x);
        }
        *out = TACO__FUNC_ARG_INT(0);
        if (unit != 'm') { return true; }
        ok = *out < INT64_MAX / 1000 && *out > INT64_MIN / 1000;
        *out = ok ? *out * 1000 : 0;
        return ok || taco__func_number_fail_overflow(x);
    case TACO__FUNC_JULIAN:
        day = TACO__FUNC_ARG_INT(0);
        if (x->a[0].type->t.id == TACO_DATE) {
            x->out->v.f[i] = (double)(day + 2440588);
            return true;
        }
        per = (int64_t)taco__time_units_per_second(x->a[0].type->t.unit) * 86400;
        x->out->v.f[i] = (double)(taco__time_floor_div(day, per) + 2440588) +
                         (double)taco__time_floor_mod(day, per) / (double)per;
        return true;
    case TACO__FUNC_MAKE_TIME:
        ok = taco__strf_clock(TACO__FUNC_ARG_INT(0), TACO__FUNC_ARG_INT(1),
                              TACO__FUNC_ARG_DOUBLE(2), out);
        break;
    default:
        year = TACO__FUNC_ARG_INT(0);
        month = TACO__FUNC_ARG_INT(1);
        day = TACO__FUNC_ARG_INT(2);
        /* the days of farther years may not fit */
        ok = year > -300000 && year < 300000 && month >= 1 && month <= 12 && day >= 1 &&
             day <= taco__time_days_in_month(year, (int32_t)month) &&
             taco__strf_clock(TACO__FUNC_ARG_INT(3), TACO__FUNC_ARG_INT(4),
                              TACO__FUNC_ARG_DOUBLE(5), &clock) &&
             taco__strf_instant(taco__time_days_from_date(year, (int32_t)month, (int32_t)day),
                                clock, out);
        break;
    }
    if (!ok) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: there is no such time", x->name);
    }
    return ok;
}
