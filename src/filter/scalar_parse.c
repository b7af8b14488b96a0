/* scalar_parse.c - typed scalars from text: CAST of a text to a type

   In: a text and a type, of a literal in quotes or of a CAST. Out: a taco__scalar, or false if the
   text is not a value of the type. What is accepted is what DuckDB accepts: underscores between
   digits, names of infinity and booleans, dates without a time, offsets. Start at
   taco__scalar_parse, at the end. */
#include "filter.h"
#include "../base/base.h"

/* Whether the bytes before and after b[i] are digits. */
static bool taco__scalar_parse_between_digits(taco_bytes b, size_t i)
{
    return i && i + 1 < b.len && taco__ascii_is_digit(b.data[i - 1]) &&
           taco__ascii_is_digit(b.data[i + 1]);
}

/* [+-]digits[.digits][e[+-]digits], with single underscores between digits, as an integer of scale
   `scale`, rounded half away from zero. Digits after the 75th only move the point. */
TACO__FN bool taco__scalar_parse_exact(taco_bytes b, int32_t scale, taco__i256 *out)
{
    taco__i256 m = taco__i256_from_i64(0);
    int32_t kept = 0, exponent = 0, e = 0;
    size_t i = 0;
    bool neg, point = false, any = false, eneg = false;
    b = taco__ascii_trim(b);
    neg = b.len && b.data[0] == '-';
    i += b.len && (b.data[0] == '-' || b.data[0] == '+');
    for (; i < b.len; i++) {
        uint8_t c = b.data[i];
        if (c >= '0' && c <= '9') {
            any = true;
            if (kept < 75) {
                taco__i256_multiply_add(&m, 10, (uint32_t)(c - '0'));
                kept += kept || c != '0';
                exponent -= point;
            } else if (!point && exponent < 100000) {
                exponent++;
            }
        } else if (c == '.' && !point) {
            point = true;
        } else if (!(c == '_' && taco__scalar_parse_between_digits(b, i))) {
            break;
        }
    }
    if (i < b.len && (b.data[i] | 0x20) == 'e' && any) {
        eneg = i + 1 < b.len && b.data[i + 1] == '-';
        i += 1U + (i + 1 < b.len && (b.data[i + 1] == '-' || b.data[i + 1] == '+'));
        any = i < b.len;
        for (; i < b.len && b.data[i] >= '0' && b.data[i] <= '9'; i++) {
            e = e < 100000 ? e * 10 + (b.data[i] - '0') : e;
        }
        exponent += eneg ? -e : e;
    }
    if (!any || i != b.len) { return false; }
    exponent += scale;
    if (exponent < 0) {
        m = taco__i256_div10(m, TACO__MIN(-exponent, 100), true);
    } else if (kept && (exponent > 76 || !taco__i256_mul10(&m, exponent))) {
        return false;
    }
    *out = neg ? taco__i256_negate(m) : m;
    return true;
}

/* 0x1F or 0b101 with single underscores between digits, at most 64 bits; blanks may come before it,
   but no sign. */
static bool taco__scalar_parse_bits(taco_bytes b, taco__i256 *out)
{
    size_t i = 0, first;
    uint32_t base;
    while (i < b.len && taco__ascii_is_space(b.data[i])) {
        i++;
    }
    if (b.len - i < 3 || b.data[i] != '0') { return false; }
    base = (b.data[i + 1] | 0x20) == 'x' ? 16 : (b.data[i + 1] | 0x20) == 'b' ? 2 : 0;
    *out = taco__i256_from_i64(0);
    for (first = i += 2; i < b.len; i++) {
        bool gap = b.data[i] == '_' && b.data[i - 1] != '_' && i > first && i + 1 < b.len;
        int x = gap ? 0 : taco__ascii_hex_value(b.data[i]);
        if (x < 0 || (uint32_t)x >= base || out->w[1]) { return false; }
        if (!gap) { taco__i256_multiply_add(out, base, (uint32_t)x); }
    }
    return true;
}

/* CAST AS FLOAT (single) or DOUBLE: a number, nan, inf or infinity in any case, with an optional
   sign. Numbers of more than 512 characters are refused. */
static bool taco__scalar_parse_float(taco_bytes b, bool single, double *out)
{
    char digits[512];
    size_t i, n = 0;
    bool neg;
    float f;
    b = taco__ascii_trim(b);
    neg = b.len && b.data[0] == '-';
    i = b.len && (b.data[0] == '-' || b.data[0] == '+');
    if (taco__ascii_is_word(taco__bytes_of(b.data + i, b.len - i), "nan")) {
        *out = taco__f64_from_bits((uint64_t)0x7FF8 << 48);
        return true;
    }
    if (taco__ascii_is_word(taco__bytes_of(b.data + i, b.len - i), "inf") ||
        taco__ascii_is_word(taco__bytes_of(b.data + i, b.len - i), "infinity")) {
        *out = taco__f64_from_bits((uint64_t)(neg ? 0xFFF0 : 0x7FF0) << 48);
        return true;
    }
    for (; i < b.len && n < sizeof digits; i++) { /* drops underscores between digits */
        if (b.data[i] != '_' || !taco__scalar_parse_between_digits(b, i)) {
            digits[n++] = (char)b.data[i];
        }
    }
    if (i < b.len || !n || digits[0] == '-' || digits[0] == '+') { return false; }
    if (single) {
        if (!taco__num_parse_f32(taco__bytes_of(digits, n), &f)) { return false; }
        *out = taco__f32_widen(f);
    } else if (!taco__num_parse_f64(taco__bytes_of(digits, n), out)) {
        return false;
    }
    *out = neg ? -*out : *out;
    return true;
}

/* The words that CAST AS BOOLEAN accepts; blanks around them are not allowed. */
static bool taco__scalar_parse_bool(taco_bytes b, bool *out)
{
    *out = taco__ascii_is_word(b, "true") || taco__ascii_is_word(b, "t") ||
           taco__ascii_is_word(b, "1") || taco__ascii_is_word(b, "yes") ||
           taco__ascii_is_word(b, "y");
    return *out || taco__ascii_is_word(b, "false") || taco__ascii_is_word(b, "f") ||
           taco__ascii_is_word(b, "0") || taco__ascii_is_word(b, "no") ||
           taco__ascii_is_word(b, "n");
}

/* ASCII with \xHH for other bytes, or only pairs of digits (hex). The bytes go to the arena; false
   if b does not have that form or there is no memory, which sets err. */
TACO__FN bool taco__scalar_parse_blob(taco__arena *arena, taco_bytes b, bool hex, taco_bytes *out,
                                      taco_error *err)
{
    size_t i = 0, n = 0;
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, b.len, err);
    while (p && i < b.len) {
        bool escape = !hex && b.data[i] == '\\';
        int x = escape && (i + 1 >= b.len || b.data[i + 1] != 'x')
                    ? -1
                    : taco__ascii_hex_byte(b, i + (escape ? 2U : 0U));
        if (!hex && !escape && b.data[i] < 0x80) {
            p[n++] = b.data[i++];
        } else if (x < 0) { /* also for a byte that is not ASCII */
            return false;
        } else {
            p[n++] = (uint8_t)x;
            i += escape ? 4U : 2U;
        }
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}

/* 32 hex digits, optionally with dashes between them and braces around them. */
static bool taco__scalar_parse_uuid(taco_bytes b, uint8_t out[16])
{
    size_t i = 0, n = 0;
    if (b.len >= 2 && b.data[0] == '{' && b.data[b.len - 1] == '}') {
        b = taco__bytes_of(b.data + 1, b.len - 2);
    }
    for (; i < b.len; i++) {
        int x = taco__ascii_hex_value(b.data[i]);
        if (x >= 0 && n < 32) {
            out[n / 2] = (uint8_t)(n % 2 ? out[n / 2] | x : x << 4);
            n++;
        } else if (b.data[i] != '-' || !n) {
            return false;
        }
    }
    return n == 32;
}

/* A date, a time of day or both, parsed as in base/datetime.c, but to the nanosecond and with the
   offset separate. */
typedef struct taco__parsed_time {
    int64_t days, micros; /* time of day, up to 24:00 */
    int64_t nanos, shift; /* digits below a microsecond; microseconds from the offset to UTC */
} taco__parsed_time;

/* Digits seven to nine after the point of the time that begins at `at`. */
static int64_t taco__scalar_parse_nanos(const taco__time_parser *in, size_t at)
{
    int64_t nanos = 0;
    size_t i;
    for (; at < in->at && in->s[at] != '.'; at++) {}
    for (i = 7; i < 10 && in->at - at > 7; i++) {
        nanos = nanos * 10 + (at + i < in->at ? in->s[at + i] - '0' : 0);
    }
    return nanos;
}

/* A clock time, with its digits below a microsecond. */
static bool taco__scalar_parse_clock(taco__time_parser *in, taco__parsed_time *t, bool *form)
{
    size_t from = in->at;
    bool ok = taco__time_cast_clock(in, &t->micros, form);
    t->nanos = taco__scalar_parse_nanos(in, from);
    return ok;
}

/* All of b as a date with or without a time and an offset. */
static bool taco__scalar_parse_datetime(taco_bytes b, taco__parsed_time *t)
{
    taco__time_parser in = taco__time_parser_init(b);
    bool form, zone;
    memset(t, 0, sizeof *t);
    if (!taco__time_cast_date_part(&in, &t->days)) { return false; }
    if (in.at == in.end) { return true; }
    (void)taco__time_accept(&in, 'T');
    taco__time_skip_spaces(&in);
    return taco__scalar_parse_clock(&in, t, &form) && taco__time_cast_zone(&in, &t->shift, &zone);
}

/* b as TIME, or the time of day of a timestamp: whatever follows a time is ignored. */
static bool taco__scalar_parse_time(taco_bytes b, taco__parsed_time *t)
{
    taco__time_parser in = taco__time_parser_init(b);
    bool form, ok;
    memset(t, 0, sizeof *t);
    taco__time_skip_spaces(&in);
    ok = taco__scalar_parse_clock(&in, t, &form);
    return form ? ok : taco__scalar_parse_datetime(b, t);
}

/* Words for days: epoch, and infinity or inf, which are later than all dates and are stored as the
   extremes of the type, as in DuckDB. The sign of epoch is ignored. */
static bool taco__scalar_parse_named_day(taco_bytes b, taco_type id, int64_t *out)
{
    bool neg;
    b = taco__ascii_trim(b);
    neg = b.len && b.data[0] == '-';
    b = taco__bytes_of(b.data + neg, b.len - neg);
    *out = 0;
    if (taco__ascii_is_word(b, "epoch")) { return true; }
    if (id == TACO_TIME) { return false; }
    *out = id == TACO_DATE ? INT32_MAX : INT64_MAX;
    *out = neg ? -*out : *out;
    return taco__ascii_is_word(b, "infinity") || taco__ascii_is_word(b, "inf");
}

/* Text as DATE, TIME or TIMESTAMP. An offset is applied if the type is an instant (or has
   nanoseconds: DuckDB's rule), and ignored for plain timestamps. */
static bool taco__scalar_parse_temporal(taco_bytes b, const taco__scalar_type *t, taco__scalar *out)
{
    taco__parsed_time c;
    bool nano = t->unit == TACO_NANO;
    int32_t days;
    int64_t named;
    *out = taco__scalar_make_null();
    out->type = *t;
    if (taco__scalar_parse_named_day(b, t->id, &named)) {
        out->d = taco__i256_from_i64(named);
        return true;
    }
    if (t->id == TACO_DATE) {
        if (!taco__time_cast_date(b, &days)) { return false; }
        out->d = taco__i256_from_i64(days);
        return true;
    }
    if (!(t->id == TACO_TIME ? taco__scalar_parse_time(b, &c)
                             : taco__scalar_parse_datetime(b, &c))) {
        return false;
    }
    /* DuckDB's timestamps have microseconds: finer digits are dropped, coarser columns are compared
       exactly */
    if (!nano) {
        out->type.unit = TACO_MICRO;
        c.nanos = 0;
    }
    if (t->id == TACO_TIME) {
        c.days = 0;
    } else if (t->utc || nano) {
        c.micros += c.shift;
    }
    out->d = taco__i256_from_i64(c.days * 86400);
    taco__i256_mul10(&out->d, 6); /* cannot overflow: days have 32 bits */
    out->d = taco__i256_add(out->d, taco__i256_from_i64(c.micros));
    if (nano) {
        taco__i256_mul10(&out->d, 3);
        out->d = taco__i256_add(out->d, taco__i256_from_i64(c.nanos));
    }
    /* the extremes mean infinity, and DuckDB's microseconds begin with a whole day */
    return taco__i256_is_i64(&out->d) && (int64_t)out->d.w[0] < INT64_MAX &&
           (int64_t)out->d.w[0] > -INT64_MAX &&
           (nano || (int64_t)out->d.w[0] >= TACO__TIME_FIRST_MICROS);
}

/* A text literal as a value of type t. False if it is not one (err is not set) or there is no
   memory. */
TACO__FN bool taco__scalar_parse(taco__arena *arena, taco_bytes text, const taco__scalar_type *t,
                                 taco__scalar *out, taco_error *err)
{
    bool b;
    uint8_t *p;
    *out = taco__scalar_make_null();
    out->type = *t;
    if (taco__scalar_is_int(t->id) && taco__scalar_parse_bits(text, &out->d)) {
        return taco__scalar_fits(t, &out->d);
    }
    if (taco__scalar_is_int(t->id) || t->id == TACO_DECIMAL) {
        return taco__scalar_parse_exact(text, t->id == TACO_DECIMAL ? t->scale : 0, &out->d) &&
               taco__scalar_fits(t, &out->d);
    }
    switch (t->id) {
    case TACO_TEXT: out->b = text; return true;
    case TACO_BOOL:
        if (!taco__scalar_parse_bool(text, &b)) { return false; }
        out->d = taco__i256_from_i64(b);
        return true;
    case TACO_HALF:
    case TACO_FLOAT: return taco__scalar_parse_float(text, true, &out->f);
    case TACO_DOUBLE: return taco__scalar_parse_float(text, false, &out->f);
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP:
        if (!TACO__WITH_DATES) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "dates in a condition, left out by TACO_NO_DATES");
            return false;
        }
        return taco__scalar_parse_temporal(text, t, out);
    case TACO_BINARY: return taco__scalar_parse_blob(arena, text, false, &out->b, err);
    case TACO_UUID:
        p = (uint8_t *)taco__arena_alloc(arena, 16, err);
        out->b = taco__bytes_of(p, 16);
        return p && taco__scalar_parse_uuid(text, p);
    default: return false;
    }
}
