/* func_strptime.c - strptime and try_strptime: instants from texts by a format

   The specifiers are those of func_strftime.c. A text may have leading and trailing spaces, and
   numbers with fewer digits than strftime would write; it may be infinity, -infinity or epoch.

   As in DuckDB, %d and %m take precedence in determining the day; otherwise the first usable one
   among the year (%Y, %y), the week (%U or %W with %w), the day of the year (%j) and ISO 8601 (%G,
   %V, %u); contradictory ones are an error.

   Examples: strptime('29/Feb/2024', '%d/%b/%Y') is midnight of that day, strptime('30/Feb/2024',
   '%d/%b/%Y') an error, and null for try_strptime. A format with %z or %Z makes it a TIMESTAMP WITH
   TIME ZONE, %n a TIMESTAMP_NS. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Which parts determine the day. */
typedef enum taco__strp_day {
    TACO__STRP_NONE = 0, /* 1900-01-01 */
    TACO__STRP_YEAR,
    TACO__STRP_DATE,
    TACO__STRP_SUNDAYS, /* week from the first Sunday */
    TACO__STRP_MONDAYS,
    TACO__STRP_DAY_OF_YEAR,
    TACO__STRP_ISO
} taco__strp_day;

/* What has been parsed so far; -1: missing. */
typedef struct taco__strp {
    taco_bytes s;
    size_t at;
    taco__strp_day by;
    int64_t year, month, day, hour, minute, second, nanos, offset; /* offset in seconds */
    int64_t day_of_year, week, weekday;
    int64_t iso_year, iso_week, iso_weekday;
    uint8_t half;    /* 'a', 'p' or 0 */
    taco_bytes zone; /* its name */
    bool has_offset;
} taco__strp;

/* The next byte; 0 at the end. */
static uint8_t taco__strp_peek(const taco__strp *p)
{
    return p->at < p->s.len ? p->s.data[p->at] : 0;
}

/* Steps over white space. */
static void taco__strp_spaces(taco__strp *p)
{
    while (p->at < p->s.len && taco__ascii_is_space(p->s.data[p->at])) {
        p->at++;
    }
}

/* A number from lo to hi with up to `most` digits. */
static bool taco__strp_number(taco__strp *p, size_t most, int64_t lo, int64_t hi, int64_t *out)
{
    size_t begin = p->at;
    *out = 0;
    while (p->at - begin < most && taco__lex_is_digit(taco__strp_peek(p))) {
        *out = *out * 10 + (p->s.data[p->at++] - '0');
    }
    return p->at > begin && *out >= lo && *out <= hi;
}

/* The name, or its first three letters, in any case. */
static bool taco__strp_word(taco__strp *p, const char *name, bool short_form)
{
    size_t len = short_form ? 3 : strlen(name), k;
    if (p->s.len - p->at < len) { return false; }
    for (k = 0; k < len; k++) {
        if (taco__ascii_lower(p->s.data[p->at + k]) != taco__ascii_lower((uint8_t)name[k])) {
            return false;
        }
    }
    p->at += len;
    return true;
}

/* The name of a day, which is ignored. */
static bool taco__strp_day_name(taco__strp *p, bool short_form)
{
    int64_t i;
    for (i = 0; i < 7; i++) {
        if (taco__strp_word(p, taco__func_day_name(i), short_form)) { return true; }
    }
    return false;
}

/* The name of a month. */
static bool taco__strp_month_name(taco__strp *p, bool short_form)
{
    int64_t i;
    for (i = 1; i <= 12; i++) {
        if (taco__strp_word(p, taco__func_month_name(i), short_form)) {
            p->month = i;
            return true;
        }
    }
    return false;
}

/* A fraction of `digits` digits; if there are fewer, they are the leading ones. */
static bool taco__strp_fraction(taco__strp *p, size_t digits)
{
    size_t begin = p->at, n;
    int64_t v;
    if (!taco__strp_number(p, digits, 0, INT64_MAX, &v)) { return false; }
    for (n = p->at - begin; n < 9; n++) {
        v *= 10;
    }
    p->nanos = v;
    return true;
}

/* Two digits, if they are next. */
static bool taco__strp_two(taco__strp *p, int64_t *out)
{
    if (p->s.len - p->at < 2 || !taco__lex_is_digit(p->s.data[p->at]) ||
        !taco__lex_is_digit(p->s.data[p->at + 1])) {
        return false;
    }
    return taco__strp_number(p, 2, 0, 99, out);
}

/* +HH, +HHMM, +HH:MM or +HH:MM:SS. */
static bool taco__strp_offset(taco__strp *p)
{
    int64_t hours, minutes = 0, seconds = 0;
    uint8_t sign = taco__strp_peek(p);
    bool colon;
    if (sign != '+' && sign != '-') { return false; }
    p->at++;
    if (!taco__strp_two(p, &hours)) { return false; }
    colon = taco__strp_peek(p) == ':';
    p->at += colon;
    if (taco__strp_two(p, &minutes) && colon && taco__strp_peek(p) == ':') {
        p->at++;
        if (!taco__strp_two(p, &seconds)) { seconds = 0; }
    }
    p->offset = ((hours * 60 + minutes) * 60 + seconds) * (sign == '-' ? -1 : 1);
    p->has_offset = true;
    return true;
}

/* A zone's name. */
static bool taco__strp_zone(taco__strp *p)
{
    size_t begin;
    uint8_t c;
    taco__strp_spaces(p);
    begin = p->at;
    for (c = taco__strp_peek(p); c; c = taco__strp_peek(p)) {
        if (!(taco__lex_is_letter(c) && c < 0x80) && !taco__lex_is_digit(c) && !strchr("/+-", c)) {
            break;
        }
        p->at++;
    }
    p->zone = taco__bytes_of(p->s.data + begin, p->at - begin);
    return p->at > begin;
}

/* AM or PM. */
static bool taco__strp_half(taco__strp *p)
{
    if (p->s.len - p->at < 2 || (p->s.data[p->at + 1] | 0x20) != 'm') { return false; }
    p->half = (uint8_t)(p->s.data[p->at] | 0x20);
    p->at += 2;
    return p->half == 'a' || p->half == 'p';
}

/* A week or the day of a year: only checked after a month or a day, and only one of them may
   determine the day. */
static bool taco__strp_claim(taco__strp *p, taco__strp_day by)
{
    if (p->by == TACO__STRP_DATE) { return true; }
    if (p->by != TACO__STRP_NONE && p->by != TACO__STRP_YEAR) { return false; }
    p->by = by;
    return true;
}

/* %G and %V: another year takes precedence over %G, and excludes %V. */
static bool taco__strp_claim_iso(taco__strp *p, bool week)
{
    if (p->by == TACO__STRP_DATE || (p->by == TACO__STRP_YEAR && !week)) { return true; }
    if (p->by == TACO__STRP_NONE) {
        p->by = TACO__STRP_ISO;
        return true;
    }
    return p->by == TACO__STRP_ISO && (week ? p->iso_week : p->iso_year) < 0;
}

/* A year: takes precedence over those of ISO 8601. */
static bool taco__strp_year(taco__strp *p, bool century)
{
    int64_t v;
    if (!taco__strp_number(p, century ? 4 : 2, 0, 9999, &v)) { return false; }
    p->year = century ? v : v < 69 ? 2000 + v : 1900 + v;
    if (p->by == TACO__STRP_NONE || p->by == TACO__STRP_ISO) { p->by = TACO__STRP_YEAR; }
    return true;
}

static bool taco__strp_text(taco__strp *p, taco_bytes format);

/* One specifier. */
static bool taco__strp_one(taco__strp *p, char c)
{
    switch (c) {
    case 'a':
    case 'A': return taco__strp_day_name(p, c == 'a');
    case 'b':
    case 'h':
    case 'B': return taco__strp_month_name(p, c != 'B');
    case 'd': p->by = TACO__STRP_DATE; return taco__strp_number(p, 2, 1, 31, &p->day);
    case 'm': p->by = TACO__STRP_DATE; return taco__strp_number(p, 2, 1, 12, &p->month);
    case 'y':
    case 'Y': return taco__strp_year(p, c == 'Y');
    case 'H': return taco__strp_number(p, 2, 0, 23, &p->hour);
    case 'I': return taco__strp_number(p, 2, 1, 12, &p->hour);
    case 'p': return taco__strp_half(p);
    case 'M': return taco__strp_number(p, 2, 0, 59, &p->minute);
    case 'S': return taco__strp_number(p, 2, 0, 59, &p->second);
    case 'f': return taco__strp_fraction(p, 6);
    case 'g': return taco__strp_fraction(p, 3);
    case 'n': return taco__strp_fraction(p, 9);
    case 'j':
        return taco__strp_claim(p, TACO__STRP_DAY_OF_YEAR) &&
               taco__strp_number(p, 3, 1, 366, &p->day_of_year);
    case 'U':
    case 'W':
        return taco__strp_claim(p, c == 'U' ? TACO__STRP_SUNDAYS : TACO__STRP_MONDAYS) &&
               taco__strp_number(p, 2, 0, 53, &p->week);
    case 'w': return taco__strp_number(p, 1, 0, 6, &p->weekday);
    case 'G':
        return taco__strp_claim_iso(p, false) && taco__strp_number(p, 4, 0, 9999, &p->iso_year);
    case 'V': return taco__strp_claim_iso(p, true) && taco__strp_number(p, 2, 1, 53, &p->iso_week);
    case 'u': return p->iso_weekday < 0 && taco__strp_number(p, 1, 1, 7, &p->iso_weekday);
    case 'z': return taco__strp_offset(p);
    case 'Z': return taco__strp_zone(p);
    case 'c': return taco__strp_text(p, taco__bytes_text("%Y-%m-%d %H:%M:%S"));
    case 'x': return taco__strp_text(p, taco__bytes_text("%Y-%m-%d"));
    case 'X':
    case 'T': return taco__strp_text(p, taco__bytes_text("%H:%M:%S"));
    default: return c && taco__strp_peek(p) == (uint8_t)c && ++p->at; /* %% */
    }
}

/* Literal text of a format: a run of spaces matches one of any length. */
static bool taco__strp_text(taco__strp *p, taco_bytes format)
{
    size_t k;
    for (k = 0; k < format.len; k++) {
        uint8_t c = format.data[k];
        if (c == '%') {
            k += k + 1 < format.len && format.data[k + 1] == '-' ? 2U : 1U;
            if (!taco__strp_one(p, k < format.len ? (char)format.data[k] : 0)) { return false; }
        } else if (taco__ascii_is_space(c)) {
            if (k && taco__ascii_is_space(format.data[k - 1])) { continue; }
            if (!taco__ascii_is_space(taco__strp_peek(p))) { return false; }
            taco__strp_spaces(p);
        } else if (p->at >= p->s.len || p->s.data[p->at++] != c) {
            return false;
        }
    }
    return true;
}

/* Days since 1970 of what was parsed; false if there is no such day. */
static bool taco__strp_date(const taco__strp *p, int64_t *day)
{
    int64_t first;
    switch (p->by) {
    case TACO__STRP_ISO: /* Monday of the week with January 4th begins week 1 */
        first = taco__time_days_from_date(p->iso_year < 0 ? 1900 : p->iso_year, 1, 4);
        first -= taco__time_floor_mod(first + 3, 7);
        *day = first + (TACO__MAX(p->iso_week, (int64_t)1) - 1) * 7 +
               TACO__MAX(p->iso_weekday, (int64_t)1) - 1;
        return true;
    case TACO__STRP_SUNDAYS:
    case TACO__STRP_MONDAYS: /* week 1 begins with the first Sunday or Monday */
        first = taco__time_days_from_date(p->year, 1, 1);
        first += taco__time_floor_mod((p->by == TACO__STRP_SUNDAYS ? 3 : 4) - first, 7);
        *day = first + (p->week - 1) * 7;
        if (p->weekday >= 0) {
            *day += p->by == TACO__STRP_SUNDAYS ? p->weekday : (p->weekday + 6) % 7;
        }
        return true;
    case TACO__STRP_DAY_OF_YEAR:
        *day = taco__time_days_from_date(p->year, 1, 1) + p->day_of_year - 1;
        return true;
    default:
        if (p->day > taco__time_days_in_month(p->year, (int32_t)p->month)) { return false; }
        *day = taco__time_days_from_date(p->year, (int32_t)p->month, (int32_t)p->day);
        return true;
    }
}

/* infinity, -infinity and epoch, in any case, instead of a formatted time; *bad if more than spaces
   follows. */
static bool taco__strp_special(taco__strp *p, int64_t *out, bool *bad)
{
    if (taco__strp_word(p, "infinity", false)) {
        *out = INT64_MAX;
    } else if (taco__strp_word(p, "-infinity", false)) {
        *out = -INT64_MAX;
    } else if (taco__strp_word(p, "epoch", false)) {
        *out = 0;
    } else {
        return false;
    }
    taco__strp_spaces(p);
    *bad = p->at < p->s.len;
    return true;
}

/* What was parsed, as microseconds or nanoseconds since 1970; false if there is no such time. */
static bool taco__strp_instant(taco__strp *p, bool nanos, int64_t *out)
{
    int64_t day, seconds;
    if (p->half) { /* 12 AM is midnight, 12 PM noon */
        if (p->hour > 12) { return false; }
        p->hour = p->hour % 12 + (p->half == 'p' ? 12 : 0);
    }
    if (!taco__strp_date(p, &day)) { return false; }
    seconds = ((day * 24 + p->hour) * 60 + p->minute) * 60 + p->second - p->offset;
    if (!nanos) {
        *out = seconds * 1000000 + (p->nanos + 500) / 1000;
        return true;
    }
    if (seconds <= -INT64_C(9223372036) || seconds >= INT64_C(9223372036)) { return false; }
    *out = seconds * 1000000000 + p->nanos;
    return true;
}

/* Other names of UTC. */
static bool taco__strp_is_utc(taco_bytes zone)
{
    static const char *const names[] = {"utc", "gmt", "etc/utc", "etc/gmt", "uct", "zulu", "z"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names) && !taco__ascii_is_word(zone, names[i]); i++) {}
    return i < TACO__COUNT(names);
}

/* Parses a text by a format. False if it does not match, with the error set only for an unknown
   time zone. */
static bool taco__strp_parse(taco_bytes s, taco_bytes format, bool nanos, int64_t *out,
                             taco_error *err)
{
    taco__strp p;
    bool bad;
    memset(&p, 0, sizeof p);
    p.s = s;
    p.year = 1900;
    p.month = p.day = 1;
    p.weekday = p.iso_year = p.iso_week = p.iso_weekday = -1;
    taco__strp_spaces(&p);
    if (taco__strp_special(&p, out, &bad)) { return !bad; }
    if (!taco__strp_text(&p, format)) { return false; }
    taco__strp_spaces(&p);
    if (p.at < s.len || !taco__strp_instant(&p, nanos, out)) { return false; }
    if (!p.zone.len || p.has_offset || taco__strp_is_utc(p.zone)) { return true; }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "strptime: unknown time zone %q, only UTC is supported; " TACO__SQL_USE_DUCKDB,
               &p.zone);
    return false;
}

/* Whether all specifiers are known; else a SYNTAX error. */
static bool taco__strp_check(taco_bytes format, taco_error *err)
{
    size_t k;
    for (k = 0; k < format.len; k++) {
        bool plain;
        if (format.data[k] != '%') { continue; }
        plain = k + 1 < format.len && format.data[k + 1] == '-';
        k += plain ? 2U : 1U;
        if (k >= format.len || !format.data[k] ||
            !strchr(plain ? "dmyHIMSj" : "aAbhBdmyYHIpMSfgnjUWwGVuzZcxXT%", format.data[k])) {
            return taco__func_strftime_fail(format, err);
        }
    }
    return true;
}

/* Row i of strptime and try_strptime: the first of the formats that fits. */
TACO__FN bool taco__func_strptime_row(taco__func_call *x, size_t i)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    const taco__vec *v = &x->a[1];
    bool list = v->type->t.id == TACO_LIST, nanos = x->out->type->t.unit == TACO_NANO;
    taco__sql_list_span span;
    size_t k;
    span.at = 0;
    span.len = 1;
    if (list) { span = v->v.l[i * v->step]; }
    for (k = 0; k < span.len; k++) {
        taco_bytes format = list ? v->kids[0].v.s[span.at + k] : TACO__FUNC_ARG_TEXT(1);
        if (list && !taco__vec_is_valid(&v->kids[0], span.at + k)) { continue; }
        if (!taco__strp_check(format, x->err)) { return false; }
        if (taco__strp_parse(s, format, nanos, &x->out->v.i[i], x->err)) { return true; }
        if (x->err && x->err->code != TACO_OK) { return false; }
    }
    if (x->id == TACO__FUNC_TRY_STRPTIME) { return taco__func_set_null(x, i); }
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "strptime: %q does not match the format", &s);
    return false;
}

/* Whether the format, or one of a list of constants, has one of the specifiers. */
static bool taco__strp_has(const taco__sql_expr *e, const char *specifiers)
{
    size_t k;
    if (e->kind == TACO__SQL_EXPR_CALL || e->kind == TACO__SQL_EXPR_CAST) {
        for (k = 0; k < e->n; k++) {
            if (taco__strp_has(e->kid[k], specifiers)) { return true; }
        }
        return false;
    }
    if (e->kind != TACO__SQL_EXPR_CONST || e->value.type.id != TACO_TEXT) { return false; }
    for (k = 0; k + 1 < e->value.b.len; k++) {
        if (e->value.b.data[k] != '%') { continue; }
        if (e->value.b.data[++k] && strchr(specifiers, e->value.b.data[k])) { return true; }
    }
    return false;
}

/* Binds a text, and a format or a list of them, which determine the type of the result. */
TACO__FN bool taco__func_strptime_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT), texts;
    e->type = taco__sql_type_simple(TACO_TIMESTAMP);
    e->type.t.utc = taco__strp_has(e->kid[1], "zZ");
    if (!e->type.t.utc && taco__strp_has(e->kid[1], "n")) { e->type.t.unit = TACO_NANO; }
    if (!taco__bind_type_add_cast(b, &e->kid[0], &text)) { return false; }
    if (e->kid[1]->type.t.id != TACO_LIST) {
        return taco__bind_type_add_cast(b, &e->kid[1], &text);
    }
    return taco__bind_list_of(b, &text, &texts) && taco__bind_type_add_cast(b, &e->kid[1], &texts);
}
