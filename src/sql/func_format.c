/* func_format.c - printf and format: values formatted by a format string

   printf has C's conversions, format those of Python ({:>8.2f}); both are parsed into a
   taco__format_spec, with one writer per kind of value. Whole numbers may be HUGEINT; DECIMALs are
   DOUBLE here, as in DuckDB, and every other type is its text. Doubles are expanded exactly and
   then rounded half to even, so that the digits are the same as in every C library.

   Examples: printf('%05.1f|%-4s|', 2.25, 'ab') is 002.2|ab  |, as 2.25 lies half way and 2 is even;
   printf('%,d', 1234567) is 1,234,567; format('{:>6}|{0:x}') is an error, as arguments are either
   counted or numbered; format('{1} {0:+d}', 5, 'x') is x +5. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

#define TACO__FORMAT_MAX_WIDTH  100000 /* most characters of one value */
#define TACO__FORMAT_MAX_DIGITS 1100   /* most digits after the point */

/* The format of one value. */
typedef struct taco__format_spec {
    uint32_t arg;
    taco_bytes fill;          /* a character */
    char align;               /* < > ^ = (filled after the sign), or 0 */
    char sign;                /* + blank or 0 */
    bool alternate, zero;     /* zero: of numbers, zeros after the sign, whatever the alignment */
    char group;               /* between thousands, or 0 */
    int64_t width, precision; /* -1: none */
    char type;                /* 0: default of the value's type */
} taco__format_spec;

/* The state of formatting a row. */
typedef struct taco__format {
    taco__func_call *x;
    size_t row;
    taco__buf out, number;
    taco_bytes s; /* the format */
    size_t at;
    uint32_t next; /* next argument for {} and % */
    bool numbered; /* arguments are numbered */
} taco__format;

/* An error that shows the format. */
static TACO__COLD bool taco__format_fail(taco__format *f, const char *what)
{
    TACO__FAIL(f->x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: %s in %q", f->x->name, what, &f->s);
    return false;
}

/* ---- digits ---- */

/* The digits of a double that is finite and not negative, all of them: those before the point,
   *whole of them, then those after it. Fixed point in words of 32 bits: 1024 bits before and 1088
   after the point hold every double. Returns how many digits. */
static size_t taco__format_expand(double v, char *digits, size_t *whole)
{
    uint32_t w[66], high = 32, low = 34; /* w[0 .. 33] after the point, w[34 ..] before it */
    uint64_t bits = taco__f64_to_bits(v), m = bits & (((uint64_t)1 << 52) - 1);
    int e = (int)(bits >> 52);
    uint32_t at, k;
    size_t n = 0, i;
    memset(w, 0, sizeof w);
    if (e) {
        m |= (uint64_t)1 << 52;
    } else {
        e = 1;
    }
    at = (uint32_t)((int)low * 32 + e - 1075); /* bit of the lowest digit of m */
    w[at / 32] |= (uint32_t)(m << at % 32);
    w[at / 32 + 1] |= (uint32_t)(m << at % 32 >> 32);
    if (at % 32) { w[at / 32 + 2 < 66 ? at / 32 + 2 : 65] |= (uint32_t)(m >> (64 - at % 32)); }
    /* before the point: divided by 10^9 again and again, from the last digits on */
    while (high) {
        uint64_t rest = 0;
        if (!w[low + high - 1]) {
            high--;
            continue;
        }
        for (k = high; k-- > 0;) {
            rest = rest << 32 | w[low + k];
            w[low + k] = (uint32_t)(rest / 1000000000U);
            rest %= 1000000000U;
        }
        for (k = 0; k < 9; k++) {
            digits[n++] = (char)('0' + rest % 10);
            rest /= 10;
        }
    }
    while (n && digits[n - 1] == '0') {
        n--;
    }
    for (i = 0; i < n / 2; i++) {
        char c = digits[i];
        digits[i] = digits[n - 1 - i];
        digits[n - 1 - i] = c;
    }
    *whole = n;
    for (k = 0; k < low && !w[k]; k++) {}
    while (k < low) { /* after it: times 10^9 */
        uint64_t carry = 0;
        for (i = k; i < low; i++) {
            carry += (uint64_t)w[i] * 1000000000U;
            w[i] = (uint32_t)carry;
            carry >>= 32;
        }
        for (i = 9; i-- > 0;) {
            digits[n + i] = (char)('0' + carry % 10);
            carry /= 10;
        }
        n += 9;
        while (k < low && !w[k]) {
            k++;
        }
    }
    return n;
}

/* Rounds to `keep` digits, half to even; missing digits are zeros. True if rounding carries into a
   further digit, which is put before the others. */
static bool taco__format_round(char *digits, size_t n, size_t keep)
{
    size_t i;
    bool up;
    if (keep >= n) {
        memset(digits + n, '0', keep - n);
        return false;
    }
    up = digits[keep] > '5';
    if (digits[keep] == '5') {
        for (i = keep + 1; i < n && digits[i] == '0'; i++) {}
        up = i < n || (keep && (digits[keep - 1] - '0') % 2);
    }
    for (i = keep; up && i-- > 0;) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) {
        memmove(digits + 1, digits, keep);
        digits[0] = '1';
    }
    return up;
}

/* Appends to the value that is being written, before it is padded. */
static bool taco__format_put(taco__format *f, const char *s, size_t n)
{
    return taco__buf_append(&f->number, s, n, f->x->err);
}

/* Appends n zeros to it. */
static bool taco__format_put_zeros(taco__format *f, int64_t n)
{
    bool ok = true;
    for (; ok && n > 0; n--) {
        ok = taco__format_put(f, "0", 1);
    }
    return ok;
}

/* %f: digits after the point. */
static bool taco__format_fixed(taco__format *f, double v, size_t precision, bool point)
{
    char digits[1500 + TACO__FORMAT_MAX_DIGITS];
    size_t whole, n = taco__format_expand(v, digits + 1, &whole);
    digits[0] = '0';
    /* a leading zero receives the carry */
    if (taco__format_round(digits, n + 1, whole + 1 + precision)) { return false; }
    if (digits[0] == '0' && whole) {
        memmove(digits, digits + 1, whole + precision);
    } else {
        whole++;
    }
    return taco__format_put(f, digits, whole) &&
           ((!precision && !point) || taco__format_put(f, ".", 1)) &&
           taco__format_put(f, digits + whole, precision);
}

/* The decimal exponent of v once it is rounded to `significant` digits, which are left in
   digits. */
static int taco__format_significant(double v, size_t significant, char *digits)
{
    size_t whole, n = taco__format_expand(v, digits, &whole), zeros = 0;
    while (zeros < n && digits[zeros] == '0') {
        zeros++;
    }
    if (zeros == n) { /* 0 */
        memset(digits, '0', significant);
        return 0;
    }
    memmove(digits, digits + zeros, n - zeros);
    return (int)whole - (int)zeros - 1 + taco__format_round(digits, n - zeros, significant);
}

/* The first of n digits, a point and the rest, zeros, and the exponent. */
static bool taco__format_power(taco__format *f, const char *digits, size_t n, int64_t zeros, int e,
                               bool upper)
{
    char text[8];
    size_t size = (size_t)(e < 0 ? -e : e), k = 0;
    text[k++] = upper ? 'E' : 'e';
    text[k++] = e < 0 ? '-' : '+';
    if (size < 10) { text[k++] = '0'; }
    k += taco__num_format_u64(text + k, size);
    return taco__format_put(f, digits, 1) &&
           ((n < 2 && zeros <= 0) || taco__format_put(f, ".", 1)) &&
           taco__format_put(f, digits + 1, n - 1) && taco__format_put_zeros(f, zeros) &&
           taco__format_put(f, text, k);
}

/* n digits of which `whole` are before the point: 12300, 12.3 or 0.00123. keep: a fraction in any
   case, with zeros up to `precision` digits in all. */
static bool taco__format_point(taco__format *f, const char *digits, int64_t n, int64_t whole,
                               int64_t precision, bool keep)
{
    if (whole <= 0) {
        return taco__format_put(f, "0.", 2) && taco__format_put_zeros(f, -whole) &&
               taco__format_put(f, digits, (size_t)n);
    }
    if (n <= whole) {
        return taco__format_put(f, digits, (size_t)n) && taco__format_put_zeros(f, whole - n) &&
               (!keep || (taco__format_put(f, ".", 1) &&
                          taco__format_put_zeros(f, TACO__MAX(precision - whole, 1))));
    }
    return taco__format_put(f, digits, (size_t)whole) && taco__format_put(f, ".", 1) &&
           taco__format_put(f, digits + whole, (size_t)(n - whole)) &&
           taco__format_put_zeros(f, keep ? precision - n : 0);
}

/* %g, and a precision without a type: the shorter of both forms, with one digit for precision 0.
   Without a type, zeros are kept unless the precision is 0. */
static bool taco__format_general(taco__format *f, const taco__format_spec *p, double v, bool upper)
{
    char digits[1500 + TACO__FORMAT_MAX_DIGITS];
    int64_t precision = p->precision < 0 ? 6 : p->precision, n = precision ? precision : 1;
    int e = taco__format_significant(v, (size_t)n, digits);
    bool keep = p->alternate || (!p->type && precision);
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    if (e < -4 || e >= (precision ? precision : 16)) {
        return taco__format_power(f, digits, (size_t)n, keep ? precision - n : 0, e, upper);
    }
    return taco__format_point(f, digits, n, (int64_t)e + 1, precision, keep);
}

/* A finite double without its sign, by the type of the conversion. */
static bool taco__format_double(taco__format *f, const taco__format_spec *p, double v)
{
    bool upper = p->type == 'F' || p->type == 'E' || p->type == 'G';
    char low = upper ? (char)(p->type | 0x20) : p->type, text[32];
    char digits[1500 + TACO__FORMAT_MAX_DIGITS];
    size_t precision = p->precision < 0 ? 6 : (size_t)p->precision;
    int e;
    if (low == 'f') { return taco__format_fixed(f, v, precision, p->alternate); }
    if (low == 'e') {
        e = taco__format_significant(v, precision + 1, digits);
        return taco__format_power(f, digits, precision + 1, 0, e, upper);
    }
    if (!low && p->precision < 0) {
        return taco__format_put(f, text, taco__num_format_f64(text, v));
    }
    return taco__format_general(f, p, v, upper);
}

/* A whole number without its sign, to a base. */
static bool taco__format_integer(taco__format *f, taco__i256 v, uint32_t base, bool upper)
{
    char text[130];
    size_t n = sizeof text;
    uint32_t w[8];
    int k, top = 7;
    for (k = 0; k < 8; k++) {
        w[k] = (uint32_t)(v.w[k / 2] >> (k % 2 ? 32 : 0));
    }
    do {
        uint64_t rest = 0;
        while (top > 0 && !w[top]) {
            top--;
        }
        for (k = top; k >= 0; k--) {
            rest = rest << 32 | w[k];
            w[k] = (uint32_t)(rest / base);
            rest %= base;
        }
        text[--n] = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[rest];
    } while (n && (top || w[0]));
    return taco__format_put(f, text + n, sizeof text - n);
}

/* ---- layout ---- */

/* Puts a separator between thousands of the whole part in f->number; if that is a point, a comma
   is before the fraction. */
static bool taco__format_group(taco__format *f, char sign)
{
    taco__buf b = f->number;
    size_t whole = 0, i;
    bool ok = true;
    while (whole < b.len && taco__lex_is_digit((uint8_t)b.data[whole])) {
        whole++;
    }
    memset(&f->number, 0, sizeof f->number);
    f->number.mem = b.mem;
    for (i = 0; ok && i < b.len; i++) {
        ok = (!(i && i < whole && (whole - i) % 3 == 0) || taco__format_put(f, &sign, 1)) &&
             taco__format_put(f, sign == '.' && b.data[i] == '.' ? "," : (const char *)b.data + i,
                              1);
    }
    taco__buf_free(&b);
    return ok;
}

/* Appends n fill characters. */
static bool taco__format_fill(taco__format *f, taco_bytes fill, size_t n)
{
    bool ok = true;
    for (; ok && n; n--) {
        ok = taco__buf_append(&f->out, fill.data, fill.len, f->x->err);
    }
    return ok;
}

/* Appends f->number, preceded by `sign`, in the width of the spec. */
static bool taco__format_pad(taco__format *f, const taco__format_spec *p, const char *sign,
                             bool number)
{
    taco_bytes body = taco__bytes_of(f->number.data, f->number.len);
    size_t n = taco__func_text_length(body) + strlen(sign),
           width = p->width < 0 ? 0 : (size_t)p->width, pad = width > n ? width - n : 0, left;
    char align = p->align ? p->align : number ? '>' : '<';
    if (number && align == '=') {
        return taco__buf_append_text(&f->out, sign, f->x->err) &&
               taco__format_fill(f, p->fill, pad) &&
               taco__buf_append(&f->out, body.data, body.len, f->x->err);
    }
    left = align == '>' ? pad : align == '^' ? pad / 2 : 0;
    return taco__format_fill(f, p->fill, left) && taco__buf_append_text(&f->out, sign, f->x->err) &&
           taco__buf_append(&f->out, body.data, body.len, f->x->err) &&
           taco__format_fill(f, p->fill, pad - left);
}

/* Puts zeros before the digits in f->number, so that there are n of them. */
static bool taco__format_lengthen(taco__format *f, int64_t n)
{
    size_t have = f->number.len;
    if (n <= (int64_t)have) { return true; }
    if (!taco__format_put_zeros(f, n - (int64_t)have)) { return false; }
    memmove(f->number.data + (size_t)n - have, f->number.data, have);
    memset(f->number.data, '0', (size_t)n - have);
    return true;
}

/* The sign of a whole number and the prefix of its base, into 4 bytes. Zero has a prefix only in
   format, and none in octal; digits that a precision adds are one already. */
static void taco__format_prefix(const taco__format *f, const taco__format_spec *p, bool negative,
                                bool zero, char *out)
{
    bool octal = p->type == 'o', based = p->type && !p->group && strchr("xXobB", p->type);
    if (negative) {
        *out++ = '-';
    } else if (p->sign) {
        *out++ = p->sign;
    }
    if (p->alternate && based && (!zero || (!octal && f->x->id == TACO__FUNC_FORMAT)) &&
        (!octal || p->precision <= (int64_t)f->number.len)) {
        *out++ = '0';
        if (!octal) { *out++ = p->type; }
    }
    *out = 0;
}

/* A whole number or BOOLEAN. */
static bool taco__format_whole(taco__format *f, const taco__format_spec *p, const taco__vec *v)
{
    size_t i = f->row * v->step;
    bool big = taco__sql_type_physical(v->type) == TACO__PHYS_BIG, negative;
    taco__i256 x = big ? v->v.d[i] : taco__i256_from_i64(v->v.i[i]);
    char type = p->type == 'i' || !p->type ? 'd' : p->type, sign[4];
    uint32_t base = p->group                     ? 10 /* of thousands */
                    : type == 'x' || type == 'X' ? 16
                    : type == 'b' || type == 'B' ? 2
                    : type == 'o'                ? 8
                                                 : 10;
    uint8_t utf8[4];
    f->number.len = 0;
    if (type == 'c' && f->x->id == TACO__FUNC_PRINTF) {
        size_t w = x.w[0] <= 0x10FFFF ? taco__func_text_write_char(utf8, (uint32_t)x.w[0]) : 0;
        return taco__format_put(f, (const char *)utf8, w) && taco__format_pad(f, p, "", false);
    }
    if (!strchr("dxXobBun", type)) {
        return taco__format_fail(f, "a conversion that is not for whole numbers");
    }
    if (p->precision >= 0 && f->x->id == TACO__FUNC_FORMAT) {
        return taco__format_fail(f, "a precision that is not for whole numbers");
    }
    negative = taco__i256_is_negative(&x);
    if (negative && base != 10 && f->x->id == TACO__FUNC_PRINTF && !big) {
        /* as C shows negative numbers: their 64 bits */
        x = taco__i256_from_u64(x.w[0]);
        negative = false;
    }
    if (negative) { x = taco__i256_negate(x); }
    if (!taco__format_integer(f, x, base, type == 'X') ||
        (p->group && !taco__format_group(f, p->group))) {
        return false;
    }
    taco__format_prefix(f, p, negative, !(x.w[0] | x.w[1] | x.w[2] | x.w[3]), sign);
    return (p->align == '=' || taco__format_lengthen(f, p->precision)) &&
           taco__format_pad(f, p, sign, true);
}

/* FLOAT or DOUBLE. What is not finite takes no zeros: a width is filled up behind it. */
static bool taco__format_real(taco__format *f, const taco__format_spec *p, double d)
{
    taco__format_spec left = *p;
    char sign[2] = {0, 0};
    bool upper = p->type == 'F' || p->type == 'E' || p->type == 'G';
    if (p->type && !strchr("fFeEgG", p->type)) {
        return taco__format_fail(f, "a conversion that is not for floating point");
    }
    sign[0] = taco__f64_to_bits(d) >> 63 ? '-' : p->sign;
    d = d < 0 || (d == 0 && sign[0] == '-') ? -d : d;
    if (!taco__f64_is_finite(d)) {
        left.align = !p->align || p->align == '=' ? '<' : p->align;
        return taco__format_put(f,
                                taco__f64_is_nan(d) ? (upper ? "NAN" : "nan")
                                : upper             ? "INF"
                                                    : "inf",
                                3) &&
               taco__format_pad(f, &left, sign, false);
    }
    return taco__format_double(f, p, d) && (!p->group || taco__format_group(f, p->group)) &&
           taco__format_pad(f, p, sign, true);
}

/* One value by its spec. */
static bool taco__format_value(taco__format *f, taco__format_spec *p)
{
    const taco__vec *v;
    taco_bytes s;
    if (p->arg + 1 >= f->x->n) { return taco__format_fail(f, "a missing argument"); }
    v = &f->x->a[p->arg + 1];
    f->number.len = 0;
    if (p->zero && taco__sql_type_physical(v->type) != TACO__PHYS_STR) {
        p->align = '=';
        p->fill = taco__bytes_text("0");
    }
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_INT:
        if (v->type->t.id == TACO_BOOL && !p->type) {
            return taco__buf_append_text(&f->number, v->v.i[f->row * v->step] ? "true" : "false",
                                         f->x->err) &&
                   taco__format_pad(f, p, "", false);
        } /* fall through */
    case TACO__PHYS_BIG: return taco__format_whole(f, p, v);
    case TACO__PHYS_DBL: return taco__format_real(f, p, v->v.f[f->row * v->step]);
    default:
        if (p->type && p->type != 's') {
            return taco__format_fail(f, "a conversion that is not for texts");
        }
        s = v->v.s[f->row * v->step];
        if (p->precision >= 0) { s = taco__func_text_range(s, 0, p->precision); }
        return taco__buf_append(&f->number, s.data, s.len, f->x->err) &&
               taco__format_pad(f, p, "", false);
    }
}

/* ---- parsing the formats ---- */

/* The current byte of the format; 0 at its end. */
static char taco__format_peek(const taco__format *f)
{
    return f->at < f->s.len ? (char)f->s.data[f->at] : 0;
}

/* A number at the current position; false if there is none, or with an error if it is too large. */
static bool taco__format_number(taco__format *f, int64_t *out)
{
    size_t begin = f->at;
    int64_t v = 0;
    while (taco__lex_is_digit((uint8_t)taco__format_peek(f)) && v <= TACO__FORMAT_MAX_WIDTH) {
        v = v * 10 + (f->s.data[f->at++] - '0');
    }
    if (f->at > begin) { *out = v; }
    return f->at > begin;
}

/* The argument that is a width or precision: the * of printf. */
static bool taco__format_star(taco__format *f, int64_t *out)
{
    const taco__vec *v = f->next + 1 < f->x->n ? &f->x->a[f->next + 1] : NULL;
    f->at++;
    f->next++;
    if (!v || taco__sql_type_physical(v->type) != TACO__PHYS_INT) {
        return taco__format_fail(f, "a width that is not a number");
    }
    *out = v->v.i[f->row * v->step];
    return true;
}

/* Widths and precisions are limited, because a format may come from a column. */
static bool taco__format_check(taco__format *f, const taco__format_spec *p)
{
    if (p->width > TACO__FORMAT_MAX_WIDTH || p->precision > TACO__FORMAT_MAX_DIGITS - 100) {
        return taco__format_fail(f, "a width above 100000 or a precision above 1000");
    }
    return true;
}

/* %[n$][flags][width][.precision]type, after the sign. */
static bool taco__format_percent(taco__format *f)
{
    taco__format_spec p;
    int64_t number;
    size_t before = f->at;
    bool named = false;
    memset(&p, 0, sizeof p);
    p.width = p.precision = -1;
    p.fill = taco__bytes_text(" ");
    p.align = '>';
    if (taco__format_number(f, &number) && taco__format_peek(f) == '$' && number) {
        f->at++;
        p.arg = (uint32_t)number - 1;
        named = true;
    } else {
        f->at = before;
    }
    for (;; f->at++) {
        char c = taco__format_peek(f);
        if (c == '-') {
            p.align = '<';
        } else if (c == '+' || c == ' ') {
            p.sign = p.sign == '+' ? '+' : c;
        } else if (c == '#') {
            p.alternate = true;
        } else if (c == '0') {
            p.zero = true;
        } else if (c == ',' || c == '\'' || c == '_') {
            p.group = c;
        } else {
            break;
        }
    }
    if (taco__format_peek(f) == '*') {
        if (!taco__format_star(f, &p.width)) { return false; }
    } else {
        taco__format_number(f, &p.width);
    }
    if (taco__format_peek(f) == '.') {
        f->at++;
        p.precision = 0;
        if (taco__format_peek(f) == '*') {
            if (!taco__format_star(f, &p.precision)) { return false; }
        } else if (!taco__format_number(f, &p.precision) && taco__format_peek(f) == 'd') {
            p.group = '.'; /* %.d: DuckDB's point between thousands */
        }
    }
    /* sizes of C's integers mean nothing here */
    while (taco__format_peek(f) && strchr("hlLqjzt", taco__format_peek(f))) {
        f->at++;
    }
    p.type = taco__format_peek(f);
    if (!p.type) { return taco__format_fail(f, "a conversion that does not end"); }
    f->at++;
    if (!named) { p.arg = f->next++; }
    return taco__format_check(f, &p) && taco__format_value(f, &p);
}

/* A separator of thousands, if there is one: , _ ' or t and any other. DuckDB has it in place of
   the sign, Python after the width. */
static bool taco__format_separator(taco__format *f, taco__format_spec *p)
{
    char c = taco__format_peek(f);
    if (c == ',' || c == '_' || c == '\'') {
        p->group = c;
        f->at++;
    } else if (c == 't' && f->at + 1 < f->s.len) {
        p->group = (char)f->s.data[f->at + 1];
        f->at += 2;
    }
    return p->group != 0;
}

/* {[n][:spec]}, after the brace. */
static bool taco__format_brace(taco__format *f)
{
    taco__format_spec p;
    int64_t number;
    memset(&p, 0, sizeof p);
    p.width = p.precision = -1;
    p.fill = taco__bytes_text(" ");
    if (taco__format_number(f, &number)) {
        p.arg = (uint32_t)number;
        f->numbered = true;
    } else {
        p.arg = f->next++;
    }
    if (f->numbered && f->next) {
        return taco__format_fail(f, "arguments with and without numbers");
    }
    if (taco__format_peek(f) == ':') {
        size_t w;
        char c;
        f->at++;
        /* a character is a fill character only before an alignment */
        w = f->at < f->s.len ? taco__like_char_width(f->s, f->at) : 0;
        if (w && f->at + w < f->s.len && strchr("<>^=", f->s.data[f->at + w]) &&
            f->s.data[f->at + w] && f->s.data[f->at] != '}') {
            p.fill = taco__bytes_of(f->s.data + f->at, w);
            f->at += w;
        }
        c = taco__format_peek(f);
        if (c && strchr("<>^=", c)) {
            p.align = c;
            f->at++;
        }
        c = taco__format_peek(f);
        if (!taco__format_separator(f, &p) && (c == '+' || c == ' ' || c == '-')) {
            p.sign = c == '-' ? 0 : c;
            f->at++;
        }
        if (taco__format_peek(f) == '#') {
            p.alternate = true;
            f->at++;
        }
        if (taco__format_peek(f) == '0') {
            p.zero = true;
            f->at++;
        }
        taco__format_number(f, &p.width);
        (void)taco__format_separator(f, &p);
        if (taco__format_peek(f) == '.') {
            f->at++;
            if (!taco__format_number(f, &p.precision)) {
                return taco__format_fail(f, "a precision without digits");
            }
        }
        if (taco__format_peek(f) != '}') {
            p.type = taco__format_peek(f);
            f->at++;
        }
    }
    if (taco__format_peek(f) != '}') { return taco__format_fail(f, "a brace that does not close"); }
    f->at++;
    return taco__format_check(f, &p) && taco__format_value(f, &p);
}

/* Lays one row out. */
static bool taco__format_row(taco__format *f, taco_bytes s)
{
    bool percent = f->x->id == TACO__FUNC_PRINTF;
    f->s = s;
    f->at = 0;
    f->next = 0;
    f->numbered = false;
    f->out.len = 0;
    while (f->at < s.len) {
        uint8_t c = s.data[f->at++];
        bool twice = f->at < s.len && s.data[f->at] == c;
        if (percent ? c == '%' : c == '{' || c == '}') {
            if (!twice) {
                if (c == '}') { return taco__format_fail(f, "a brace that closes nothing"); }
                if (!(percent ? taco__format_percent(f) : taco__format_brace(f))) { return false; }
                continue;
            }
            f->at++;
        }
        if (!taco__buf_append_char(&f->out, (char)c, f->x->err)) { return false; }
    }
    return true;
}

/* Runs printf or format. */
TACO__FN bool taco__func_format_run(taco__func_call *x)
{
    taco__format f;
    size_t i;
    bool ok = true;
    memset(&f, 0, sizeof f);
    f.x = x;
    f.out.mem = f.number.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        f.row = i;
        ok = !taco__vec_is_valid(x->out, i) ||
             (taco__format_row(&f, TACO__FUNC_ARG_TEXT(0)) &&
              taco__func_set_text(x, i, taco__bytes_of(f.out.data, f.out.len)));
    }
    taco__buf_free(&f.out);
    taco__buf_free(&f.number);
    return ok;
}

/* Binds the arguments of printf and format: DECIMALs and FLOATs become DOUBLE, other types that are
   not numbers become text. */
TACO__FN bool taco__func_format_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT),
                   real = taco__sql_type_simple(TACO_DOUBLE);
    uint32_t k;
    for (k = 0; k < e->n; k++) {
        const taco__sql_type *t = &e->kid[k]->type;
        bool is_real =
            t->t.id == TACO_FLOAT || (t->t.id == TACO_DECIMAL && !taco__sql_type_is_hugeint(t));
        bool keep = k && (taco__sql_type_is_number(t) || t->t.id == TACO_BOOL);
        if (is_real && k ? !taco__bind_type_add_cast(b, &e->kid[k], &real)
                         : !keep && !taco__bind_type_add_cast(b, &e->kid[k], &text)) {
            return false;
        }
    }
    return true;
}
