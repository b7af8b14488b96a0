/* cast.c - CAST and TRY_CAST of vectors, and values as text

   In: a vector of one type. Out: a vector of another; if a value cannot be converted, an error that
   shows it, or a null for TRY_CAST. Rounding, ranges and formats are DuckDB's. taco__cast_format
   writes a value as CAST AS VARCHAR does. Start at taco__cast_vector, at the end; conversions
   between numbers go through 256-bit integers, the frequent ones through taco__cast_fast.

   Example: '12.5' as DECIMAL(4, 1) is 12.5 and as INTEGER 13; 'x' as INTEGER is an error with CAST
   and NULL with TRY_CAST. */
#include "sql.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../filter/filter.h"

/* the state of converting a vector */
typedef struct taco__cast {
    taco__arena *arena;
    const taco__sql_type *to;
    taco_error *err;
    bool memory; /* the arena failed, which must not become a NULL of TRY_CAST */
} taco__cast;

/* The field of a struct that becomes field k of another: the one with its name, or at its position
   if one of them has no names. TACO__VEC_NONE if there is none. */
static uint32_t taco__cast_find_field(const taco__sql_type *from, const taco__sql_type *to,
                                      uint32_t k)
{
    uint32_t i;
    if (!from->names || !to->names || !from->names[0][0] || !to->names[k][0]) {
        return k < from->count ? k : TACO__VEC_NONE;
    }
    for (i = 0; i < from->count; i++) {
        if (taco__bind_names_equal(taco__bytes_text(from->names[i]),
                                   taco__bytes_text(to->names[k]))) {
            return i;
        }
    }
    return TACO__VEC_NONE;
}

/* Whether a struct can be cast to another: fields are matched by name, and at least one must
   match. */
static bool taco__cast_struct_is_possible(const taco__sql_type *a, const taco__sql_type *b)
{
    bool named = a->names && b->names && a->names[0][0] && b->names[0][0];
    uint32_t k, found = 0;
    for (k = 0; k < b->count; k++) {
        uint32_t i = taco__cast_find_field(a, b, k);
        if (i == TACO__VEC_NONE) { continue; }
        if (!taco__cast_is_possible(&a->kids[i], &b->kids[k])) { return false; }
        found++;
    }
    return named ? found > 0 : a->count == b->count;
}

/* Whether a text can be cast to the type: all parts of a list, map or struct must be castable from
   text. */
static bool taco__cast_is_possible_from_text(const taco__sql_type *text, const taco__sql_type *to)
{
    uint32_t k;
    for (k = 0; k < to->count; k++) {
        if (!taco__cast_is_possible(text, &to->kids[k])) { return false; }
    }
    return to->t.id != TACO_INTERVAL;
}

/* Whether there is a cast from a to b. */
TACO__FN bool taco__cast_is_possible(const taco__sql_type *a, const taco__sql_type *b)
{
    bool na = taco__sql_type_is_number(a) || a->t.id == TACO_BOOL,
         nb = taco__sql_type_is_number(b) || b->t.id == TACO_BOOL;
    if (a->t.id == TACO_NULL || taco__sql_type_equal(a, b) || (na && nb)) { return true; }
    if (a->t.id == TACO_STRUCT && b->t.id == TACO_STRUCT) {
        return taco__cast_struct_is_possible(a, b);
    }
    if (a->t.id == TACO_MAP && b->t.id == TACO_MAP && a->kids[0].count == 2 &&
        b->kids[0].count == 2) { /* whatever keys and values are called */
        return taco__cast_is_possible(&a->kids[0].kids[0], &b->kids[0].kids[0]) &&
               taco__cast_is_possible(&a->kids[0].kids[1], &b->kids[0].kids[1]);
    }
    if (a->count && a->t.id == b->t.id && a->count == b->count) {
        uint32_t i;
        for (i = 0; i < a->count; i++) {
            if (!taco__cast_is_possible(&a->kids[i], &b->kids[i])) { return false; }
        }
        return true;
    }
    if (b->t.id == TACO_TEXT) { return !taco__sql_type_has_interval(a) && !a->geo; }
    if (a->t.id == TACO_TEXT) { return taco__cast_is_possible_from_text(a, b); }
    return (taco__sql_type_is_datetime(a) && taco__sql_type_is_datetime(b)) ||
           (a->t.id == TACO_TIMESTAMP && b->t.id == TACO_TIME) ||
           (a->t.id == TACO_TIME && b->t.id == TACO_TIME);
}

/* True if x is in the range of the type. HUGEINT has 128 bits, which is less than its 39 digits
   would allow. */
TACO__FN bool taco__cast_fits(const taco__scalar_type *t, const taco__i256 *x)
{
    if (t->id == TACO_DECIMAL && t->precision == 39) {
        uint64_t sign = x->w[1] >> 63 ? UINT64_MAX : 0;
        return x->w[2] == sign && x->w[3] == sign;
    }
    return taco__scalar_fits(t, x);
}

/* A whole double as an integer; false beyond 255 bits and for NaN. The mantissa is shifted by the
   exponent, without the rounding of a conversion via int64_t. */
TACO__FN bool taco__cast_double_to_int(double d, taco__i256 *out)
{
    uint64_t bits = taco__f64_to_bits(d),
             m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int e = (int)(bits >> 52 & 0x7FF) - 1075;
    size_t i;
    if (taco__f64_is_zero(d)) {
        *out = taco__i256_from_i64(0);
        return true;
    }
    if (taco__f64_is_nan(d) || e > 200) { return false; }
    if (e <= 0) {
        *out = taco__i256_from_i64(e <= -64 ? 0 : (int64_t)(m >> -e));
    } else {
        *out = taco__i256_from_i64((int64_t)m);
        for (i = 0; i < (size_t)e; i++) {
            taco__i256_multiply_add(out, 2, 0);
        }
    }
    if (bits >> 63) { *out = taco__i256_negate(*out); }
    return true;
}

/* Value i of a numeric vector as an exact number of scale to_scale. Excess digits are rounded half
   away from zero; DOUBLE to integers (even) rounds half to even, as in DuckDB: CAST(2.5e0 AS
   INTEGER) is 2, CAST(2.5 AS INTEGER) is 3, CAST(2.5e0 AS DECIMAL(1,0)) is 3. */
static bool taco__cast_to_exact(const taco__vec *v, size_t i, int32_t to_scale, bool even,
                                taco__i256 *out)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    int32_t have = v->type->t.id == TACO_DECIMAL ? v->type->t.scale : 0;
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_DBL: {
        double d = to_scale ? v->v.f[i] * ten[to_scale] : v->v.f[i];
        d = even ? taco__math_round_even(d) : taco__math_round(d);
        /* DuckDB narrows it again */
        d = v->type->t.id != TACO_DOUBLE ? (double)(float)d : d;
        return taco__cast_double_to_int(d, out);
    }
    case TACO__PHYS_INT: *out = taco__i256_from_i64(v->v.i[i]); break;
    default: *out = v->v.d[i]; break;
    }
    if (to_scale >= have) { return taco__i256_mul10(out, to_scale - have); }
    *out = taco__i256_div10(*out, have - to_scale, true);
    return true;
}

/* Value i of a numeric vector as DOUBLE, or rounded to FLOAT (single). */
TACO__FN double taco__cast_to_double(const taco__vec *v, size_t i, bool single)
{
    taco__scalar x;
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_DBL: return single ? (double)(float)v->v.f[i] : v->v.f[i];
    case TACO__PHYS_INT: return single ? (double)(float)v->v.i[i] : (double)v->v.i[i];
    default:
        x = taco__scalar_make_null();
        x.type = v->type->t;
        x.d = v->v.d[i];
        return taco__scalar_to_double(&x, single);
    }
}

/* YYYY-MM-DD with at least four digits for the year. Years before 1 count backwards: year 0 is
   0001-..-.. (BC). */
static bool taco__cast_format_date(taco__buf *b, int64_t day, taco_error *err)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t year = c.year > 0 ? c.year : 1 - c.year;
    char text[32], *p = text;
    for (; p < text + 4 && year < (p == text       ? 1000
                                   : p == text + 1 ? 100
                                   : p == text + 2 ? 10
                                                   : 0);) {
        *p++ = '0';
    }
    p += taco__num_format_i64(p, year);
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.month);
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.day);
    return taco__buf_append(b, text, (size_t)(p - text), err) &&
           (c.year > 0 || taco__buf_append_text(b, " (BC)", err));
}

/* DATE, TIME and TIMESTAMP: trailing zeros of the fraction are omitted, instants end with +00. */
static bool taco__cast_format_datetime(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    char text[TACO__TIME_CHARS];
    size_t n;
    int64_t x = v->v.i[i], day;
    if (taco__sql_type_is_infinite(v->type, x)) {
        return taco__buf_append_text(b, x < 0 ? "-infinity" : "infinity", err);
    }
    if (v->type->t.id == TACO_DATE) { return taco__cast_format_date(b, x, err); }
    if (v->type->t.id == TACO_TIMESTAMP) {
        day = (int64_t)taco__time_units_per_second(v->type->t.unit) * 86400;
        if (!taco__cast_format_date(b, taco__time_floor_div(x, day), err) ||
            !taco__buf_append_char(b, ' ', err)) {
            return false;
        }
        x = taco__time_floor_mod(x, day);
    }
    taco__time_format_time(text, x, v->type->t.unit, &n);
    if (v->type->t.unit != TACO_SECOND && memchr(text, '.', n)) {
        while (n && text[n - 1] == '0') {
            n--;
        }
        n -= n && text[n - 1] == '.';
    }
    return taco__buf_append(b, text, n, err) &&
           (!v->type->t.utc || taco__buf_append_text(b, "+00", err));
}

/* Bytes as text: printable ASCII as it is, everything else as \xHH. */
static bool taco__cast_format_blob(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        uint8_t c = s.data[i];
        char hex[4] = {'\\', 'x', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
        if (c >= 0x20 && c < 0x7F && c != '\\' && c != '\'' && c != '"') {
            hex[0] = (char)c;
            if (!taco__buf_append_char(b, hex[0], err)) { return false; }
        } else if (!taco__buf_append(b, hex, 4, err)) {
            return false;
        }
    }
    return true;
}

/* 16 bytes as 8-4-4-4-12 hexadecimal digits. */
static bool taco__cast_format_uuid(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        char hex[2] = {"0123456789abcdef"[s.data[i] >> 4], "0123456789abcdef"[s.data[i] & 15]};
        if (((i == 4 || i == 6 || i == 8 || i == 10) && !taco__buf_append_char(b, '-', err)) ||
            !taco__buf_append(b, hex, 2, err)) {
            return false;
        }
    }
    return true;
}

/* The shortest digits that read back as the same FLOAT or DOUBLE; nan, inf, -inf. */
static bool taco__cast_format_float(taco__buf *b, const taco__vec *v, double d, taco_error *err)
{
    char text[32];
    size_t n = v->type->t.id == TACO_DOUBLE ? taco__num_format_f64(text, d)
                                            : taco__num_format_f32(text, (float)d);
    if (taco__f64_is_nan(d)) { return taco__buf_append_text(b, "nan", err); }
    if (!taco__f64_is_finite(d)) { return taco__buf_append_text(b, d < 0 ? "-inf" : "inf", err); }
    return taco__buf_append(b, text, n, err);
}

/* A DECIMAL or UBIGINT. A DECIMAL without digits before the point has no zero there, as in DuckDB:
   .125 as DECIMAL(3,3). */
static bool taco__cast_format_big(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    const taco__scalar_type *t = &v->type->t;
    uint8_t le[32];
    size_t w, from = b->len;
    for (w = 0; w < 4; w++) {
        taco__put_le64(le + w * 8, v->v.d[i].w[w]);
    }
    if (!taco__decimal_append_le(b, le, 32, t->id == TACO_DECIMAL ? t->scale : 0, err)) {
        return false;
    }
    if (t->id == TACO_DECIMAL && t->scale && t->scale == t->precision) {
        from += b->data[from] == '-';
        memmove(b->data + from, b->data + from + 1, b->len - from - 1);
        b->len--;
    }
    return true;
}

/* [a, b] for a list, {key=value, ...} for a map. */
static bool taco__cast_format_list(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    taco__sql_list_span s = v->v.l[i];
    uint32_t k;
    bool map = v->type->t.id == TACO_MAP, ok = taco__buf_append_char(b, map ? '{' : '[', err);
    for (k = 0; ok && k < s.len; k++) {
        ok = !k || taco__buf_append_text(b, ", ", err);
        if (map) {
            ok = ok && taco__cast_format(b, &v->kids[0].kids[0], s.at + k, true, err) &&
                 taco__buf_append_char(b, '=', err) &&
                 taco__cast_format(b, &v->kids[0].kids[1], s.at + k, true, err);
        } else {
            ok = ok && taco__cast_format(b, &v->kids[0], s.at + k, true, err);
        }
    }
    return ok && taco__buf_append_char(b, map ? '}' : ']', err);
}

/* Bytes with ' and \ escaped. */
static bool taco__cast_format_escaped(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        if (((s.data[i] == '\'' || s.data[i] == '\\') && !taco__buf_append_char(b, '\\', err)) ||
            !taco__buf_append_char(b, (char)s.data[i], err)) {
            return false;
        }
    }
    return true;
}

/* A text inside a list or struct: in single quotes if it would be ambiguous, such as [a, 'b, c',
   'null'], with ' and \ escaped there: a \ alone needs no quotes. */
static bool taco__cast_format_nested_text(taco__buf *b, taco_bytes s, taco_error *err)
{
    bool quote = s.len == 0 || taco__ascii_is_space(s.data[0]) ||
                 taco__ascii_is_space(s.data[s.len - 1]) || taco__ascii_is_word(s, "null");
    size_t i;
    for (i = 0; !quote && i < s.len; i++) {
        quote = s.data[i] && strchr("'\"(),{}[]:=", s.data[i]) != NULL;
    }
    if (!quote) { return taco__buf_append(b, s.data, s.len, err); }
    return taco__buf_append_char(b, '\'', err) && taco__cast_format_escaped(b, s, err) &&
           taco__buf_append_char(b, '\'', err);
}

/* {'name': value, ...}, or (value, ...) if the fields have no names. */
static bool taco__cast_format_struct(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    bool named = !v->type->count || v->type->names[0][0];
    uint32_t k;
    bool ok = taco__buf_append_char(b, named ? '{' : '(', err);
    for (k = 0; ok && k < v->type->count; k++) {
        ok = !k || taco__buf_append_text(b, ", ", err);
        if (named) {
            ok = ok && taco__buf_append_char(b, '\'', err) &&
                 taco__cast_format_escaped(b, taco__bytes_text(v->type->names[k]), err) &&
                 taco__buf_append_text(b, "': ", err);
        }
        ok = ok && taco__cast_format(b, &v->kids[k], i, true, err);
    }
    return ok && taco__buf_append_char(b, named ? '}' : ')', err);
}

/* An instant, a time or a blob inside a list or struct; its text is quoted like any other. */
static bool taco__cast_format_nested_value(taco__buf *b, const taco__vec *v, size_t i,
                                           taco_error *err)
{
    taco__buf text;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = b->mem;
    ok = taco__cast_format(&text, v, i, false, err) &&
         taco__cast_format_nested_text(b, taco__bytes_of(text.data, text.len), err);
    taco__buf_free(&text);
    return ok;
}

/* One value, as CAST AS VARCHAR writes it. */
TACO__FN bool taco__cast_format(taco__buf *b, const taco__vec *v, size_t i, bool nested,
                                taco_error *err)
{
    char text[32];
    if (!taco__vec_is_valid(v, i)) { return taco__buf_append_text(b, "NULL", err); }
    if (nested && (v->type->t.id == TACO_DATE || v->type->t.id == TACO_TIME ||
                   v->type->t.id == TACO_TIMESTAMP || v->type->t.id == TACO_BINARY)) {
        return taco__cast_format_nested_value(b, v, i, err);
    }
    i *= v->step;
    switch (v->type->t.id) {
    case TACO_BOOL: return taco__buf_append_text(b, v->v.i[i] ? "true" : "false", err);
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__cast_format_float(b, v, v->v.f[i], err);
    case TACO_UINT64:
    case TACO_DECIMAL: return taco__cast_format_big(b, v, i, err);
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP: return taco__cast_format_datetime(b, v, i, err);
    case TACO_TEXT:
        return nested ? taco__cast_format_nested_text(b, v->v.s[i], err)
                      : taco__buf_append(b, v->v.s[i].data, v->v.s[i].len, err);
    case TACO_BINARY: return taco__cast_format_blob(b, v->v.s[i], err);
    case TACO_UUID: return taco__cast_format_uuid(b, v->v.s[i], err);
    case TACO_LIST:
    case TACO_MAP: return taco__cast_format_list(b, v, i, err);
    case TACO_STRUCT: return taco__cast_format_struct(b, v, i, err);
    default: return taco__buf_append(b, text, taco__num_format_i64(text, v->v.i[i]), err);
    }
}

/* Casts a whole vector to VARCHAR. */
static bool taco__cast_to_text(taco__cast *c, const taco__vec *v, taco__vec *out)
{
    taco__buf b;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = c->arena->mem;
    for (i = 0; ok && i < v->n; i++) {
        char *copy;
        if (!taco__vec_is_valid(v, i)) { continue; }
        b.len = 0;
        ok = taco__cast_format(&b, v, i, false, c->err);
        copy = ok ? taco__arena_text(c->arena, taco__bytes_of(b.data, b.len), c->err) : NULL;
        out->v.s[i] = taco__bytes_of(copy, b.len);
        ok = copy != NULL;
    }
    taco__buf_free(&b);
    c->memory = !ok;
    return ok;
}

/* ---- one value ---- */

/* Microseconds in a unit of `per` of them, rounded half away from 1970. */
static int64_t taco__cast_round_time(int64_t x, int64_t per)
{
    x /= per / 2;
    return (x < 0 ? x - 1 : x + 1) / 2;
}

/* Whether a text has a sign that DuckDB does not accept for an unsigned type: it accepts that of
   -0, but not of -0.0, -0.4 or -0e1. */
static bool taco__cast_sign_counts(taco_bytes s)
{
    size_t i;
    s = taco__ascii_trim(s);
    if (!s.len || s.data[0] != '-') { return false; }
    for (i = 1; i < s.len && s.data[i] >= '0' && s.data[i] <= '9'; i++) {}
    return i < s.len;
}

/* Value i, a text, as a value of the type. False if it is not one, or there is no memory
   (c->memory). Times are parsed to the microsecond or nanosecond and then converted to the unit of
   the type. */
static bool taco__cast_from_text(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    taco__scalar x;
    taco__scalar_type t = c->to->t;
    bool huge = taco__sql_type_is_hugeint(c->to);
    taco_bytes s = v->v.s[i * v->step];
    int32_t up;
    if (t.id == TACO_BINARY && c->to->geo) { return false; }
    if (t.id >= TACO_UINT8 && t.id <= TACO_UINT64 && taco__cast_sign_counts(s)) { return false; }
    if (!taco__scalar_parse(c->arena, s, &t, &x, c->err)) {
        c->memory = c->err && c->err->code != TACO_OK;
        return false;
    }
    if (huge && !taco__cast_fits(&t, &x.d)) { return false; }
    switch (taco__sql_type_physical(c->to)) {
    case TACO__PHYS_DBL: out->v.f[i] = x.f; return true;
    case TACO__PHYS_BIG: out->v.d[i] = x.d; return true;
    case TACO__PHYS_STR: out->v.s[i] = x.b; return true;
    default:
        if (t.id == TACO_TIMESTAMP || t.id == TACO_TIME) {
            up = 3 * ((int32_t)t.unit - (int32_t)x.type.unit);
            if (up > 0 && !taco__i256_mul10(&x.d, up)) { return false; }
            if (!taco__i256_is_i64(&x.d)) { return false; }
            if (up < 0) {
                out->v.i[i] = taco__cast_round_time((int64_t)x.d.w[0], up == -3 ? 1000 : 1000000);
                return true;
            }
        }
        out->v.i[i] = (int64_t)x.d.w[0];
        return true;
    }
}

/* Converts between DATE, TIME and TIMESTAMP of any unit. A finer unit is exact or overflows
   (false). For a coarser one microseconds are rounded to the nearest, everything else is the floor,
   so that a time before 1970 keeps its day and second; DuckDB 1.5 truncates nanoseconds towards
   1970. Also false for casts that DuckDB does not have. */
static bool taco__cast_datetime(const taco__vec *v, size_t i, const taco__scalar_type *to,
                                int64_t *out)
{
    const taco__scalar_type *from = &v->type->t;
    taco_unit unit = from->unit;
    int64_t x = v->v.i[i * v->step], day, per;
    taco__i256 big;
    int32_t up;
    if (taco__sql_type_is_infinite(v->type, x)) {
        *out = to->id == TACO_DATE ? INT32_MAX : INT64_MAX;
        *out = x < 0 ? -*out : *out;
        return to->id != TACO_TIME;
    }
    if (from->id == TACO_DATE && to->id == TACO_TIMESTAMP) {
        /* a TIMESTAMP of any unit is limited to the days of one in microseconds */
        if (x > INT64_MAX / TACO__TIME_DAY_MICROS ||
            x < TACO__TIME_FIRST_MICROS / TACO__TIME_DAY_MICROS) {
            return false;
        }
        big = taco__i256_from_i64(x * 86400);
        if (!taco__i256_mul10(&big, 3 * (int32_t)to->unit) || !taco__i256_is_i64(&big)) {
            return false;
        }
        *out = (int64_t)big.w[0];
        return true;
    }
    if (from->id == TACO_TIMESTAMP && to->id != TACO_TIMESTAMP) {
        if (from->utc && to->id == TACO_TIME) {
            return false; /* DuckDB has no such cast, and TRY_CAST makes it NULL */
        }
        if (unit == TACO_NANO && (to->id == TACO_DATE || to->unit != TACO_NANO)) {
            x = taco__time_floor_div(x, 1000);
            unit = TACO_MICRO;
        }
        per = (int64_t)taco__time_units_per_second(unit);
        day = per * 86400;
        if (to->id == TACO_DATE) {
            *out = taco__time_floor_div(x, day);
            return true;
        }
        x = taco__time_floor_mod(x, day);
    }
    up = 3 * ((int32_t)to->unit - (int32_t)unit);
    big = taco__i256_from_i64(x);
    if (up >= 0) {
        if (!taco__i256_mul10(&big, up) || !taco__i256_is_i64(&big)) { return false; }
        *out = (int64_t)big.w[0];
        return true;
    }
    per = up == -3 ? 1000 : up == -6 ? 1000000 : 1000000000;
    if (unit == TACO_MICRO && to->id == TACO_TIMESTAMP) {
        *out = taco__cast_round_time(x, per);
        return true;
    }
    if (to->id == TACO_TIMESTAMP && to->unit != TACO_MICRO) {
        return false; /* DuckDB has no such cast, and TRY_CAST makes it NULL */
    }
    *out = taco__time_floor_div(x, per);
    return true;
}

/* Whether a float is not below the least value of an integer type: DuckDB checks that before
   rounding. */
static bool taco__cast_is_above_min(const taco__vec *v, size_t i, taco_type to)
{
    double least = to == TACO_INT8    ? INT8_MIN
                   : to == TACO_INT16 ? INT16_MIN
                   : to == TACO_INT32 ? INT32_MIN
                                      : 0;
    bool asks = taco__scalar_is_int(to) && to != TACO_INT64;
    return !asks || taco__sql_type_physical(v->type) != TACO__PHYS_DBL ||
           v->v.f[i * v->step] >= least;
}

/* Value i, a number or BOOLEAN, as another numeric type. False if it does not fit. */
static bool taco__cast_number(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    const taco__scalar_type *t = &c->to->t;
    taco__i256 x;
    double d;
    switch (taco__sql_type_physical(c->to)) {
    case TACO__PHYS_DBL:
        out->v.f[i] = taco__cast_to_double(v, i, t->id != TACO_DOUBLE);
        d = taco__sql_type_physical(v->type) == TACO__PHYS_DBL ? v->v.f[i * v->step] : 0;
        /* finite to infinite */
        return !(!taco__f64_is_finite(out->v.f[i]) && !taco__f64_is_nan(d) &&
                 taco__f64_is_finite(d));
    case TACO__PHYS_BIG:
        if (!taco__cast_to_exact(v, i, t->id == TACO_DECIMAL ? t->scale : 0,
                                 t->id != TACO_DECIMAL || t->precision == 39, &out->v.d[i])) {
            return false;
        }
        return taco__cast_is_above_min(v, i, t->id) && taco__cast_fits(t, &out->v.d[i]);
    default:
        if (t->id == TACO_BOOL) {
            switch (taco__sql_type_physical(v->type)) {
            case TACO__PHYS_DBL: out->v.i[i] = v->v.f[i * v->step] != 0; return true;
            case TACO__PHYS_INT: out->v.i[i] = v->v.i[i * v->step] != 0; return true;
            default:
                x = taco__i256_from_i64(0);
                out->v.i[i] = taco__i256_compare(&v->v.d[i * v->step], &x) != 0;
                return true;
            }
        }
        if (!taco__cast_to_exact(v, i, 0, true, &x) || !taco__scalar_fits(t, &x) ||
            !taco__cast_is_above_min(v, i, t->id)) {
            return false;
        }
        out->v.i[i] = (int64_t)x.w[0];
        return true;
    }
}

/* Converts value i into out; false, without an error, if the type cannot hold it. */
static bool taco__cast_value(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    if (v->type->t.id == TACO_TEXT) { return taco__cast_from_text(c, v, i, out); }
    if (taco__sql_type_is_datetime(v->type) || v->type->t.id == TACO_TIME) {
        return taco__cast_datetime(v, i, &c->to->t, &out->v.i[i]);
    }
    return taco__cast_number(c, v, i, out);
}

/* The error of a CAST: the value as text, and the type it cannot be converted to. */
static TACO__COLD bool taco__cast_fail(taco__cast *c, const taco__vec *v, size_t i)
{
    char name[96];
    taco__buf b;
    taco_bytes text;
    memset(&b, 0, sizeof b);
    b.mem = c->arena->mem;
    taco__sql_type_text(c->to, name, sizeof name);
    if (taco__cast_format(&b, v, i, false, c->err)) {
        text = taco__bytes_of(b.data, b.len);
        TACO__FAIL(c->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%q is not a valid %s", &text, name);
    }
    taco__buf_free(&b);
    return false;
}

/* Integers if all values fit, and integers to DOUBLE, without a call for each value: the casts that
   the binder adds most often. False: not one of them, and nothing was done. */
static bool taco__cast_fast(const taco__vec *v, const taco__sql_type *to, taco__vec *out)
{
    size_t i;
    taco__physical_type from = taco__sql_type_physical(v->type);
    taco_type a = v->type->t.id, b = to->t.id;
    if (from != TACO__PHYS_INT || !(taco__scalar_is_int(a) || a == TACO_BOOL)) { return false; }
    if (b == TACO_DOUBLE) {
        for (i = 0; i < v->n; i++) {
            out->v.f[i] = (double)v->v.i[i * v->step];
        }
        return true;
    }
    if (b == TACO_INT64 || (b > a && b <= TACO_INT64 && a <= TACO_INT64 && a != TACO_BOOL)) {
        for (i = 0; i < v->n; i++) {
            out->v.i[i] = v->v.i[i * v->step];
        }
        return true;
    }
    return false;
}

/* A struct field by field; missing fields are null. Entries of a map are matched by position. */
static bool taco__cast_struct(taco__cast *c, const taco__vec *v, const taco__sql_type *to,
                              bool entries, bool tries, taco__vec *out)
{
    uint32_t k;
    taco__vec *kids = (taco__vec *)taco__arena_array(c->arena, to->count, sizeof *kids, c->err);
    const taco__sql_type *from = v->type;
    size_t n = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    if (!kids) { return false; }
    *out = *v;
    out->type = to;
    out->kids = kids;
    for (k = 0; k < to->count; k++) {
        uint32_t i = entries ? k : taco__cast_find_field(from, to, k);
        if (i == TACO__VEC_NONE ? !taco__vec_init_null(c->arena, &to->kids[k], n, &kids[k], c->err)
                                : !taco__cast_vector(c->arena, &v->kids[i], &to->kids[k], tries,
                                                     &kids[k], c->err)) {
            return false;
        }
        if (!taco__vec_flatten(c->arena, &kids[k], c->err)) { return false; }
    }
    return true;
}

/* Lists, structs and maps child by child. Elements outside all lists, which slices leave, are not
   converted, because they could fail. */
static bool taco__cast_nested(taco__cast *c, const taco__vec *v, bool tries, taco__vec *out)
{
    size_t i, k, n = 0, rows = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    taco__vec chosen;
    uint32_t *idx;
    bool map = c->to->t.id == TACO_MAP && v->type->t.id == TACO_MAP;
    taco__vec *kids = (taco__vec *)taco__arena_array(c->arena, 1, sizeof *kids, c->err);
    if (taco__sql_type_physical(c->to) == TACO__PHYS_STRUCT) {
        return taco__cast_struct(c, v, c->to, false, tries, out);
    }
    if (!kids) { return false; }
    *out = *v;
    out->type = c->to;
    out->kids = kids;
    out->v.l = (taco__sql_list_span *)taco__arena_array(c->arena, rows, sizeof *out->v.l, c->err);
    for (i = 0; out->v.l && i < rows; i++) {
        out->v.l[i].at = (uint32_t)n;
        out->v.l[i].len = taco__vec_is_valid(v, i) ? v->v.l[i].len : 0;
        n += out->v.l[i].len;
        if (n >= TACO__VEC_NONE) { return taco__vec_fail_too_long(c->err); }
    }
    idx = (uint32_t *)taco__arena_array(c->arena, n + 1, sizeof *idx, c->err);
    for (i = 0, n = 0; out->v.l && idx && i < rows; i++) {
        for (k = 0; k < out->v.l[i].len; k++) {
            idx[n++] = v->v.l[i].at + (uint32_t)k;
        }
    }
    if (!out->v.l || !idx || !taco__vec_take(c->arena, &v->kids[0], idx, n, &chosen, c->err)) {
        return false;
    }
    if (map && chosen.kids) { /* a key cannot be null: no TRY_CAST for it */
        taco__vec keys;
        return taco__cast_vector(c->arena, &chosen.kids[0], &c->to->kids[0].kids[0], false, &keys,
                                 c->err) &&
               taco__cast_struct(c, &chosen, &c->to->kids[0], true, tries, &kids[0]);
    }
    return taco__cast_vector(c->arena, &chosen, &c->to->kids[0], tries, &kids[0], c->err);
}

/* out = v as type `to`. If a value cannot be converted: null (tries), or a failure. A constant is
   converted once and stays one; out may be src. The cast must exist (taco__cast_is_possible). */
TACO__FN bool taco__cast_vector(taco__arena *arena, const taco__vec *src, const taco__sql_type *to,
                                bool tries, taco__vec *out, taco_error *err)
{
    taco__cast c;
    const taco__vec whole = *src, *v = &whole; /* out may be src */
    taco__vec one = whole;
    size_t i, n = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    if (taco__sql_type_equal(v->type, to)) {
        *out = *v;
        out->type = to;
        return true;
    }
    c.arena = arena;
    c.to = to;
    c.err = err;
    c.memory = false;
    /* NULL has every type */
    if (v->type->t.id == TACO_NULL) { return taco__vec_init_null(arena, to, v->n, out, err); }
    if (to->count && v->type->count) { return taco__cast_nested(&c, &whole, tries, out); }
    /* of a constant only one value is converted */
    one.n = n;
    if (!taco__vec_init(arena, to, n, out, err) ||
        (v->valid && !taco__vec_init_validity(arena, out, err))) {
        return false;
    }
    for (i = 0; v->valid && i < n; i++) {
        out->valid[i] = taco__vec_is_valid(v, i);
    }
    if (to->t.id == TACO_TEXT) {
        if (!taco__cast_to_text(&c, &one, out)) { return false; }
    } else if (to->count) {
        size_t bad = 0;
        if (!taco__cast_text_nested(arena, &one, tries, out, &bad, err)) {
            return bad < n ? taco__cast_fail(&c, &one, bad) : false;
        }
    } else if (!taco__cast_fast(&one, to, out)) {
        for (i = 0; i < n; i++) {
            if (!taco__vec_is_valid(v, i) || taco__cast_value(&c, v, i, out)) { continue; }
            if (c.memory || !tries) { return c.memory ? false : taco__cast_fail(&c, v, i); }
            if (!taco__vec_init_validity(arena, out, err)) { return false; }
            out->valid[i] = 0;
        }
    }
    if (!v->step) {
        out->n = v->n;
        out->step = 0;
    }
    return true;
}
