/* ==== ROOM func: scalar functions and operators of SQL over vectors. Uses: cast pq:like pq:time geom. Spec: DuckDB's
   semantics, OGC 06-103r4 for ST_* ==== */

typedef enum taco__func_id {
    TACO__FUNC_ADD = 1,
    TACO__FUNC_SUB,
    TACO__FUNC_MUL,
    TACO__FUNC_DIV,
    TACO__FUNC_IDIV,
    TACO__FUNC_MOD,
    TACO__FUNC_MOD_NULL, /* of DECIMALs that are too wide for one: in DOUBLE, null for 0 */
    TACO__FUNC_NEG,
    TACO__FUNC_PLUS,
    TACO__FUNC_CONCAT_OP,
    TACO__FUNC_LIKE,
    TACO__FUNC_COALESCE,
    TACO__FUNC_NULLIF,
    TACO__FUNC_GREATEST,
    TACO__FUNC_LEAST,
    TACO__FUNC_TYPEOF,
    TACO__FUNC_LOWER,
    TACO__FUNC_UPPER,
    TACO__FUNC_LENGTH,
    TACO__FUNC_STRLEN,
    TACO__FUNC_OCTETS,
    TACO__FUNC_SUBSTR,
    TACO__FUNC_LEFT,
    TACO__FUNC_RIGHT,
    TACO__FUNC_TRIM,
    TACO__FUNC_LTRIM,
    TACO__FUNC_RTRIM,
    TACO__FUNC_REPLACE,
    TACO__FUNC_CONTAINS,
    TACO__FUNC_STARTS,
    TACO__FUNC_ENDS,
    TACO__FUNC_CONCAT,
    TACO__FUNC_CONCAT_WS,
    TACO__FUNC_STRPOS,
    TACO__FUNC_REVERSE,
    TACO__FUNC_LPAD,
    TACO__FUNC_RPAD,
    TACO__FUNC_REPEAT,
    TACO__FUNC_SPLIT_PART,
    TACO__FUNC_ASCII,
    TACO__FUNC_ABS,
    TACO__FUNC_ROUND,
    TACO__FUNC_FLOOR,
    TACO__FUNC_CEIL,
    TACO__FUNC_TRUNC,
    TACO__FUNC_SQRT,
    TACO__FUNC_SIGN,
    TACO__FUNC_ISNAN,
    TACO__FUNC_ISINF,
    TACO__FUNC_ISFINITE,
    TACO__FUNC_PART,
    TACO__FUNC_TRUNC_DATE,
    TACO__FUNC_DATE_DIFF,
    TACO__FUNC_LAST_DAY,
    TACO__FUNC_DAYNAME,
    TACO__FUNC_MONTHNAME,
    TACO__FUNC_MAKE_DATE,
    TACO__FUNC_EPOCH,
    TACO__FUNC_LEN_LIST,
    TACO__FUNC_HAS,
    TACO__FUNC_ELEMENT,
    TACO__FUNC_GEOM,
    TACO__FUNC_ENVELOPE,
    TACO__FUNC_POINT,
    TACO__FUNC_INTERSECTS,
    TACO__FUNC_WITHIN,
    TACO__FUNC_X,
    TACO__FUNC_Y
} taco__func_id;

/* Arguments: t text, i BIGINT, d DOUBLE, b BOOL, w DATE or TIMESTAMP, n number, l list, B blob, g geometry, * any; the
   last holds for all that follow. Result: t text, i BIGINT, I INTEGER, d DOUBLE, b BOOL, D DATE, g geometry, = the first
   argument's, ? what room bind works out. `part` is what PART takes out. */
typedef struct taco__func {
    const char *name;
    uint8_t     id, least, most;
    const char *args;
    char        result;
    const char *part;
} taco__func;

static const taco__func taco__funcs[] = {
    {"+", TACO__FUNC_ADD, 2, 2, "*", '?', NULL},
    {"+", TACO__FUNC_PLUS, 1, 1, "n", '=', NULL},
    {"-", TACO__FUNC_SUB, 2, 2, "*", '?', NULL},
    {"-", TACO__FUNC_NEG, 1, 1, "n", '=', NULL},
    {"*", TACO__FUNC_MUL, 2, 2, "*", '?', NULL},
    {"/", TACO__FUNC_DIV, 2, 2, "*", '?', NULL},
    {"//", TACO__FUNC_IDIV, 2, 2, "*", '?', NULL},
    {"%", TACO__FUNC_MOD, 2, 2, "*", '?', NULL},
    {"mod", TACO__FUNC_MOD, 2, 2, "*", '?', NULL},
    {"||", TACO__FUNC_CONCAT_OP, 2, 2, "*", '?', NULL},
    {"~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~"},
    {"!~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~"},
    {"~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~*"},
    {"!~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~*"},
    {"coalesce", TACO__FUNC_COALESCE, 1, 255, "*", '?', NULL},
    {"ifnull", TACO__FUNC_COALESCE, 2, 2, "*", '?', NULL},
    {"nullif", TACO__FUNC_NULLIF, 2, 2, "*", '?', NULL},
    {"greatest", TACO__FUNC_GREATEST, 1, 255, "*", '?', NULL},
    {"least", TACO__FUNC_LEAST, 1, 255, "*", '?', NULL},
    {"typeof", TACO__FUNC_TYPEOF, 1, 1, "*", 't', NULL},
    {"lower", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"lcase", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"upper", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"ucase", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"len", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"char_length", TACO__FUNC_LENGTH, 1, 1, "t", 'i', NULL},
    {"character_length", TACO__FUNC_LENGTH, 1, 1, "t", 'i', NULL},
    {"array_length", TACO__FUNC_LENGTH, 1, 1, "l", 'i', NULL},
    {"strlen", TACO__FUNC_STRLEN, 1, 1, "t", 'i', NULL},
    {"octet_length", TACO__FUNC_OCTETS, 1, 1, "B", 'i', NULL},
    {"substr", TACO__FUNC_SUBSTR, 2, 3, "ti", 't', NULL},
    {"substring", TACO__FUNC_SUBSTR, 2, 3, "ti", 't', NULL},
    {"left", TACO__FUNC_LEFT, 2, 2, "ti", 't', NULL},
    {"right", TACO__FUNC_RIGHT, 2, 2, "ti", 't', NULL},
    {"trim", TACO__FUNC_TRIM, 1, 2, "t", 't', NULL},
    {"ltrim", TACO__FUNC_LTRIM, 1, 2, "t", 't', NULL},
    {"rtrim", TACO__FUNC_RTRIM, 1, 2, "t", 't', NULL},
    {"replace", TACO__FUNC_REPLACE, 3, 3, "t", 't', NULL},
    {"contains", TACO__FUNC_CONTAINS, 2, 2, "t", 'b', NULL},
    {"starts_with", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    {"prefix", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    {"ends_with", TACO__FUNC_ENDS, 2, 2, "t", 'b', NULL},
    {"suffix", TACO__FUNC_ENDS, 2, 2, "t", 'b', NULL},
    {"concat", TACO__FUNC_CONCAT, 1, 255, "*", 't', NULL},
    {"concat_ws", TACO__FUNC_CONCAT_WS, 2, 255, "*", 't', NULL},
    {"strpos", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"instr", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"position", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"reverse", TACO__FUNC_REVERSE, 1, 1, "t", 't', NULL},
    {"lpad", TACO__FUNC_LPAD, 3, 3, "tit", 't', NULL},
    {"rpad", TACO__FUNC_RPAD, 3, 3, "tit", 't', NULL},
    {"repeat", TACO__FUNC_REPEAT, 2, 2, "ti", 't', NULL},
    {"split_part", TACO__FUNC_SPLIT_PART, 3, 3, "tti", 't', NULL},
    {"ascii", TACO__FUNC_ASCII, 1, 1, "t", 'I', NULL},
    {"abs", TACO__FUNC_ABS, 1, 1, "n", '=', NULL},
    {"round", TACO__FUNC_ROUND, 1, 2, "ni", '?', NULL},
    {"floor", TACO__FUNC_FLOOR, 1, 1, "n", '?', NULL},
    {"ceil", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"ceiling", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"trunc", TACO__FUNC_TRUNC, 1, 1, "n", '?', NULL},
    {"sqrt", TACO__FUNC_SQRT, 1, 1, "d", 'd', NULL},
    {"sign", TACO__FUNC_SIGN, 1, 1, "n", '1', NULL},
    {"isnan", TACO__FUNC_ISNAN, 1, 1, "d", 'b', NULL},
    {"isinf", TACO__FUNC_ISINF, 1, 1, "d", 'b', NULL},
    {"isfinite", TACO__FUNC_ISFINITE, 1, 1, "d", 'b', NULL},
    {"date_part", TACO__FUNC_PART, 2, 2, "tw", '?', NULL},
    {"datepart", TACO__FUNC_PART, 2, 2, "tw", '?', NULL},
    {"year", TACO__FUNC_PART, 1, 1, "w", 'i', "year"},
    {"month", TACO__FUNC_PART, 1, 1, "w", 'i', "month"},
    {"day", TACO__FUNC_PART, 1, 1, "w", 'i', "day"},
    {"dayofmonth", TACO__FUNC_PART, 1, 1, "w", 'i', "day"},
    {"hour", TACO__FUNC_PART, 1, 1, "w", 'i', "hour"},
    {"minute", TACO__FUNC_PART, 1, 1, "w", 'i', "minute"},
    {"second", TACO__FUNC_PART, 1, 1, "w", 'i', "second"},
    {"millisecond", TACO__FUNC_PART, 1, 1, "w", 'i', "millisecond"},
    {"microsecond", TACO__FUNC_PART, 1, 1, "w", 'i', "microsecond"},
    {"dayofweek", TACO__FUNC_PART, 1, 1, "w", 'i', "dow"},
    {"weekday", TACO__FUNC_PART, 1, 1, "w", 'i', "dow"},
    {"isodow", TACO__FUNC_PART, 1, 1, "w", 'i', "isodow"},
    {"dayofyear", TACO__FUNC_PART, 1, 1, "w", 'i', "doy"},
    {"week", TACO__FUNC_PART, 1, 1, "w", 'i', "week"},
    {"weekofyear", TACO__FUNC_PART, 1, 1, "w", 'i', "week"},
    {"quarter", TACO__FUNC_PART, 1, 1, "w", 'i', "quarter"},
    {"isoyear", TACO__FUNC_PART, 1, 1, "w", 'i', "isoyear"},
    {"epoch", TACO__FUNC_EPOCH, 1, 1, "w", 'd', NULL},
    {"epoch_ms", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_ms"},
    {"epoch_us", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_us"},
    {"date_trunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"datetrunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"date_diff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"datediff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"last_day", TACO__FUNC_LAST_DAY, 1, 1, "w", 'D', NULL},
    {"dayname", TACO__FUNC_DAYNAME, 1, 1, "w", 't', NULL},
    {"monthname", TACO__FUNC_MONTHNAME, 1, 1, "w", 't', NULL},
    {"make_date", TACO__FUNC_MAKE_DATE, 3, 3, "i", 'D', NULL},
    {"list_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"array_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_has", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"list_element", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"array_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"st_geomfromwkb", TACO__FUNC_GEOM, 1, 1, "B", 'g', NULL},
    {"st_makeenvelope", TACO__FUNC_ENVELOPE, 4, 4, "d", 'g', NULL},
    {"st_point", TACO__FUNC_POINT, 2, 2, "d", 'g', NULL},
    {"st_intersects", TACO__FUNC_INTERSECTS, 2, 2, "g", 'b', NULL},
    {"st_within", TACO__FUNC_WITHIN, 2, 2, "g", 'b', NULL},
    {"st_x", TACO__FUNC_X, 1, 1, "g", 'd', NULL},
    {"st_y", TACO__FUNC_Y, 1, 1, "g", 'd', NULL}};

/* One call over a batch. `plan` is the part of a date, or a prepared LIKE. */
typedef struct taco__func_call {
    taco__arena     *arena;
    taco_error      *err;
    uint32_t         id;
    const taco__vec *a;
    uint32_t         n;
    const void      *plan;
    const char      *name;
    taco__vec       *out;
} taco__func_call;

#define TACO__FUNC_ARG_INT(k)    (x->a[k].v.i[i * x->a[k].step])
#define TACO__FUNC_ARG_DOUBLE(k) (x->a[k].v.f[i * x->a[k].step])
#define TACO__FUNC_ARG_TEXT(k)   (x->a[k].v.s[i * x->a[k].step])
#define TACO__FUNC_ARG_BIG(k)    (x->a[k].v.d[i * x->a[k].step])

TACO__FN const taco__func *taco__func_find(taco_bytes name, uint32_t args, bool *known)
{
    size_t i;
    *known = false;
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        if (taco__ascii_is_word(name, taco__funcs[i].name)) {
            *known = true;
            if (args >= taco__funcs[i].least && args <= taco__funcs[i].most) {
                return &taco__funcs[i];
            }
        }
    }
    return NULL;
}
/* A null in row i of the result. */
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i)
{
    if (!taco__vec_init_validity(x->arena, x->out, x->err)) {
        return false;
    }
    x->out->valid[i] = 0;
    return true;
}

/* ---- arithmetic ------------------------------------------------------------------------------------ */

TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x)
{
    char type[64];
    taco__sql_type_text(x->out->type, type, sizeof type);
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow of %s in %s", type, x->name);
    return false;
}
TACO__INLINE bool taco__func_number_add64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a + (uint64_t)b);
    return ((a ^ *out) & (b ^ *out)) >= 0;
}
TACO__INLINE bool taco__func_number_sub64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a - (uint64_t)b);
    return ((a ^ b) & (a ^ *out)) >= 0;
}
TACO__FN bool taco__func_number_mul64(int64_t a, int64_t b, int64_t *out)
{
    if (a >= INT32_MIN && a <= INT32_MAX && b >= INT32_MIN && b <= INT32_MAX) {
        *out = a * b;
        return true;
    }
    if (a == 0 || b == 0) {
        *out = 0;
        return true;
    }
    if (a == -1 || b == -1) {
        return taco__func_number_sub64(0, a == -1 ? b : a, out);
    }
    if (b > 0 ? (a > INT64_MAX / b || a < INT64_MIN / b)
              : (a < INT64_MAX / b || a > INT64_MIN / b)) {
        return false;
    }
    *out = a * b;
    return true;
}
TACO__FN void taco__func_number_limits(taco_type t, int64_t *lo, int64_t *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32};
    if (t >= TACO_UINT8 && t <= TACO_UINT32) {
        *lo = 0;
        *hi = (int64_t)(UINT32_MAX >> (32 - bits[t]));
    } else {
        unsigned n = t >= TACO_INT8 && t <= TACO_INT64 ? bits[t] : t == TACO_DATE ? 32 : 64;
        *lo = INT64_MIN >> (64 - n);
        *hi = INT64_MAX >> (64 - n);
    }
}
TACO__FN bool taco__func_number_int(taco__func_call *x)
{
    int64_t lo, hi, r = 0;
    size_t  i;
    bool    narrow = x->out->type->t.id != TACO_INT64;
    taco__func_number_limits(x->out->type->t.id, &lo, &hi);
    for (i = 0; i < x->out->n; i++) {
        int64_t a, b;
        bool    ok = true;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        a = TACO__FUNC_ARG_INT(0);
        b = x->n > 1 ? TACO__FUNC_ARG_INT(1) : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: ok = taco__func_number_add64(a, b, &r); break;
        case TACO__FUNC_SUB: ok = taco__func_number_sub64(a, b, &r); break;
        case TACO__FUNC_MUL: ok = taco__func_number_mul64(a, b, &r); break;
        case TACO__FUNC_ABS: ok = a >= 0 ? (r = a, true) : taco__func_number_sub64(0, a, &r); break;
        case TACO__FUNC_NEG:
            if (lo == 0) { /* unsigned numbers wrap */
                r = (int64_t)((0 - (uint64_t)a) & (uint64_t)hi);
            } else {
                ok = taco__func_number_sub64(0, a, &r);
            }
            break;
        default: /* // and %; their fractions are cut off */
            if (b == 0) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            }
            if (b == -1) { /* the quotient may not fit, which is an error of the remainder too */
                ok = taco__func_number_sub64(0, a, &r) && (!narrow || r <= hi);
                r = x->id == TACO__FUNC_MOD ? 0 : r;
            } else {
                r = x->id == TACO__FUNC_MOD ? a % b : a / b;
            }
            break;
        }
        if (!ok || (narrow && (r < lo || r > hi))) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = r;
    }
    return true;
}
/* a % b exactly, without the C library's: b is subtracted in powers of two. */
TACO__FN double taco__math_fmod(double a, double b)
{
    double x = a < 0 ? -a : a, y = b < 0 ? -b : b, z;
    if (!(x - x == 0) || !(y == y) || y == 0) {
        return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
    }
    if (!(y - y == 0) || x < y) {
        return a;
    }
    for (z = y; z <= x / 2; z *= 2) {
    }
    for (;; z /= 2) {
        if (x >= z) {
            x -= z;
        }
        if (z == y) {
            break;
        }
    }
    return a < 0 ? -x : x;
}
/* The nearest square root, digit by digit: one more bit than a double has decides the rounding. */
TACO__FN double taco__math_sqrt(double d)
{
    uint64_t bits = taco__f64_to_bits(d), m, root = 0, rem = 0;
    int      e, i;
    double   r;
    if (!(d > 0) || d - d != 0) {
        return d;
    }
    e = (int)(bits >> 52 & 0x7FF);
    m = bits & (((uint64_t)1 << 52) - 1);
    if (e == 0) {                                                      /* subnormal */
        return taco__math_sqrt(d * 18014398509481984.0) / 134217728.0; /* 2^54, 2^27 */
    }
    m |= (uint64_t)1 << 52;
    e -= 1075;
    if (e & 1) {
        m <<= 1;
        e--;
    }
    m <<= 10; /* 64 bits at most: pairs from the top */
    for (i = 0; i < 55; i++) {
        uint64_t pair = i < 32 ? m >> (62 - 2 * i) & 3 : 0, trial;
        rem = rem << 2 | pair;
        trial = root << 2 | 1;
        root <<= 1;
        if (rem >= trial) {
            rem -= trial;
            root |= 1;
        }
    }
    /* root = floor(sqrt(m * 2^46)), m of 64 bits: value = root * 2^((e - 10 - 46) / 2) */
    while (root >> 54) {
        rem |= root & 1;
        root >>= 1;
        e += 2;
    }
    if ((root & 1) && (rem || (root & 2))) {
        root++;
    }
    r = (double)(root >> 1) * 2;
    e = (e - 56) / 2;
    for (; e > 0; e--) {
        r *= 2;
    }
    for (; e < -60; e += 60) {
        r /= 1152921504606846976.0;
    }
    for (; e < 0; e++) {
        r /= 2;
    }
    return r;
}
TACO__FN double taco__math_floor(double d)
{
    double r;
    if (!(d > -4503599627370496.0 && d < 4503599627370496.0)) {
        return d;
    }
    r = (double)(int64_t)d;
    r -= r > d;
    return r == 0 && taco__f64_to_bits(d) >> 63 ? -0.0 : r;
}
TACO__FN double taco__func_number_round_double(double d, int64_t digits)
{
    double  m = 1, r;
    int64_t k;
    if (digits == 0) {
        return taco__math_round(d);
    }
    digits = TACO__MAX(-400, TACO__MIN(digits, 400));
    for (k = digits < 0 ? -digits : digits; k > 0; k--) {
        m *= 10;
    }
    if (digits < 0) {
        r = taco__math_round(d / m) * m;
        return r - r == 0 ? r : 0;
    }
    r = taco__math_round(d * m) / m;
    return r - r == 0 ? r : d;
}
TACO__FN bool taco__func_number_double(taco__func_call *x)
{
    bool   single = x->out->type->t.id == TACO_FLOAT;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double a, b, r;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        a = TACO__FUNC_ARG_DOUBLE(0);
        b = x->n > 1 && x->id != TACO__FUNC_ROUND ? TACO__FUNC_ARG_DOUBLE(1) : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: r = a + b; break;
        case TACO__FUNC_SUB: r = a - b; break;
        case TACO__FUNC_MUL: r = a * b; break;
        case TACO__FUNC_IDIV:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            } /* fall through */
        case TACO__FUNC_DIV:
            r = b == 0
                    ? (a == 0 || a != a
                           ? taco__f64_from_bits((uint64_t)0x7FF8 << 48)
                           : taco__f64_from_bits(
                                 (uint64_t)((a < 0) != (taco__f64_to_bits(b) >> 63 != 0) ? 0xFFF0
                                                                                         : 0x7FF0)
                                 << 48))
                    : a / b;
            break;
        case TACO__FUNC_MOD_NULL:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            } /* fall through */
        case TACO__FUNC_MOD: r = taco__math_fmod(a, b); break;
        case TACO__FUNC_ABS: r = taco__f64_from_bits(taco__f64_to_bits(a) & INT64_MAX); break;
        case TACO__FUNC_NEG:
            r = taco__f64_from_bits(taco__f64_to_bits(a) ^ (uint64_t)1 << 63);
            break;
        case TACO__FUNC_FLOOR: r = taco__math_floor(a); break;
        case TACO__FUNC_CEIL: r = -taco__math_floor(-a); break;
        case TACO__FUNC_TRUNC: r = a < 0 ? -taco__math_floor(-a) : taco__math_floor(a); break;
        case TACO__FUNC_SQRT:
            if (a < 0) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "square root of a negative number");
                return false;
            }
            r = taco__math_sqrt(a);
            break;
        default: r = taco__func_number_round_double(a, x->n > 1 ? TACO__FUNC_ARG_INT(1) : 0); break;
        }
        x->out->v.f[i] = single ? (double)(float)r : r;
    }
    return true;
}
/* Magnitudes of up to 128 bits each. */
TACO__FN taco__i256 taco__func_number_mul_big(taco__i256 a, taco__i256 b)
{
    bool       neg = taco__i256_is_negative(&a) != taco__i256_is_negative(&b);
    taco__i256 r = taco__i256_from_i64(0);
    size_t     i, j;
    a = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a;
    b = taco__i256_is_negative(&b) ? taco__i256_negate(b) : b;
    for (i = 0; i < 4; i++) {
        uint64_t carry = 0, m = b.w[i / 2] >> (i % 2 * 32) & UINT32_MAX;
        for (j = 0; i + j < 8; j++) {
            size_t   at = i + j;
            unsigned s = (unsigned)(at % 2 * 32);
            uint64_t d = j < 4 ? (a.w[j / 2] >> (j % 2 * 32) & UINT32_MAX) : 0,
                     t = d * m + (r.w[at / 2] >> s & UINT32_MAX) + carry;
            r.w[at / 2] = (r.w[at / 2] & ~((uint64_t)UINT32_MAX << s)) | (t & UINT32_MAX) << s;
            carry = t >> 32;
        }
    }
    return neg ? taco__i256_negate(r) : r;
}
/* Quotient towards zero and the rest, bit by bit; b is not 0. */
TACO__FN taco__i256 taco__func_number_div_big(taco__i256 a, taco__i256 b, taco__i256 *rest)
{
    bool       na = taco__i256_is_negative(&a), nb = taco__i256_is_negative(&b);
    taco__i256 q = taco__i256_from_i64(0), r = q;
    int        i;
    a = na ? taco__i256_negate(a) : a;
    b = nb ? taco__i256_negate(b) : b;
    for (i = 255; i >= 0; i--) {
        r = taco__i256_add(r, r);
        r.w[0] |= a.w[i / 64] >> (i % 64) & 1;
        if (taco__i256_compare(&r, &b) >= 0) {
            r = taco__i256_add(r, taco__i256_negate(b));
            q.w[i / 64] |= (uint64_t)1 << (i % 64);
        }
    }
    *rest = na ? taco__i256_negate(r) : r;
    return na != nb ? taco__i256_negate(q) : q;
}
/* Rounds a decimal to fewer digits behind the point: floor, ceil, trunc, round. */
TACO__FN taco__i256 taco__func_number_round_decimal(taco__i256 a, int32_t digits, uint32_t id)
{
    taco__i256 q = taco__i256_div10(a, digits, id == TACO__FUNC_ROUND), back = q;
    if (id == TACO__FUNC_FLOOR || id == TACO__FUNC_CEIL) {
        int c;
        taco__i256_mul10(&back, digits);
        c = taco__i256_compare(&back, &a);
        if (id == TACO__FUNC_FLOOR && c > 0) {
            q = taco__i256_add(q, taco__i256_from_i64(-1));
        } else if (id == TACO__FUNC_CEIL && c < 0) {
            q = taco__i256_add(q, taco__i256_from_i64(1));
        }
    }
    return q;
}
TACO__FN bool taco__func_number_decimal(taco__func_call *x)
{
    const taco__scalar_type *t = &x->out->type->t;
    taco__i256               zero = taco__i256_from_i64(0), rest;
    size_t                   i;
    for (i = 0; i < x->out->n; i++) {
        taco__i256 a, b = zero, r;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        a = TACO__FUNC_ARG_BIG(0);
        b = x->n > 1 && x->id != TACO__FUNC_ROUND ? TACO__FUNC_ARG_BIG(1) : zero;
        switch (x->id) {
        case TACO__FUNC_ADD: r = taco__i256_add(a, b); break;
        case TACO__FUNC_SUB: r = taco__i256_add(a, taco__i256_negate(b)); break;
        case TACO__FUNC_MUL: r = taco__func_number_mul_big(a, b); break;
        case TACO__FUNC_ABS: r = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a; break;
        case TACO__FUNC_NEG:
            r = taco__i256_negate(a);
            if (t->id == TACO_UINT64) { /* wraps */
                r = taco__i256_from_u64(r.w[0]);
            }
            break;
        case TACO__FUNC_IDIV:
        case TACO__FUNC_MOD:
            if (taco__i256_compare(&b, &zero) == 0) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            }
            r = taco__func_number_div_big(a, b, &rest);
            r = x->id == TACO__FUNC_MOD ? rest : r;
            break;
        default:
            r = taco__func_number_round_decimal(a, x->a[0].type->t.scale - t->scale, x->id);
            break;
        }
        if (!taco__cast_fits(t, &r)) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.d[i] = r;
    }
    return true;
}
/* round(BIGINT, -n) */
TACO__FN bool taco__func_number_round_int(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t    digits = x->n > 1 && taco__vec_is_valid(x->out, i) ? TACO__FUNC_ARG_INT(1) : 0;
        taco__i256 r;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        r = taco__i256_from_i64(TACO__FUNC_ARG_INT(0));
        if (digits < 0) {
            r = digits < -30 ? taco__i256_from_i64(0) : taco__i256_div10(r, (int32_t)-digits, true);
            if (digits >= -30) {
                taco__i256_mul10(&r, (int32_t)-digits);
            }
        }
        if (!taco__cast_fits(&x->out->type->t, &r)) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = (int64_t)r.w[0];
    }
    return true;
}
TACO__FN bool taco__func_number_sign(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double d = taco__vec_is_valid(x->out, i) ? taco__cast_to_double(&x->a[0], i, false) : 0;
        x->out->v.i[i] = (d > 0) - (d < 0);
    }
    return true;
}
TACO__FN bool taco__func_number_run(taco__func_call *x)
{
    size_t i;
    switch (x->id) {
    case TACO__FUNC_SIGN: return taco__func_number_sign(x);
    case TACO__FUNC_ISNAN:
    case TACO__FUNC_ISINF:
    case TACO__FUNC_ISFINITE:
        for (i = 0; i < x->out->n; i++) {
            double d = taco__vec_is_valid(x->out, i) ? TACO__FUNC_ARG_DOUBLE(0) : 0;
            bool   finite = d - d == 0;
            x->out->v.i[i] = x->id == TACO__FUNC_ISNAN   ? d != d
                             : x->id == TACO__FUNC_ISINF ? !finite && d == d
                                                         : finite;
        }
        return true;
    case TACO__FUNC_PLUS: *x->out = x->a[0]; return taco__vec_flatten(x->arena, x->out, x->err);
    default: break;
    }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_DBL) {
        return taco__func_number_double(x);
    }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_BIG) {
        return taco__func_number_decimal(x);
    }
    return x->id == TACO__FUNC_ROUND || x->id == TACO__FUNC_TRUNC ? taco__func_number_round_int(x)
                                                                  : taco__func_number_int(x);
}

/* ---- text ------------------------------------------------------------------------------------------ */

TACO__FN size_t taco__func_text_length(taco_bytes s)
{
    size_t i, n = 0;
    for (i = 0; i < s.len; i++) {
        n += (s.data[i] & 0xC0) != 0x80;
    }
    return n;
}
/* Where character k begins; the end when there are fewer. */
TACO__FN size_t taco__func_text_skip(taco_bytes s, size_t at, size_t k)
{
    for (; k && at < s.len; k--) {
        at += taco__like_char_width(s, at);
    }
    return at;
}
TACO__FN taco_bytes taco__func_text_slice(taco_bytes s, size_t from, size_t to)
{
    return from < to ? taco__bytes_of(s.data + from, to - from) : taco__bytes_of(s.data, 0);
}
/* Characters [from, to) counted from 0. */
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to)
{
    size_t a, b;
    from = TACO__MAX(from, 0);
    if (to <= from) {
        return taco__bytes_of(s.data, 0);
    }
    a = taco__func_text_skip(s, 0, (size_t)TACO__MIN(from, (int64_t)s.len));
    b = taco__func_text_skip(s, a, (size_t)TACO__MIN(to - from, (int64_t)s.len));
    return taco__func_text_slice(s, a, b);
}
/* substr: 1 is the first, negative ones count from the end; a negative length goes left. */
TACO__FN taco_bytes taco__func_text_substr(taco_bytes s, int64_t at, int64_t len, bool has_len)
{
    int64_t n = (int64_t)taco__func_text_length(s), limit = INT64_C(1) << 40, from, to;
    at = TACO__MAX(-limit, TACO__MIN(at, limit));
    len = has_len ? TACO__MAX(-limit, TACO__MIN(len, limit)) : limit;
    from = at > 0 ? at - 1 : at < 0 ? n + at : 0;
    if (at == 0 && has_len) { /* position 0 takes one of the length */
        len -= len > 0;
    }
    if (from < 0) { /* what lies in front of the text is counted and not there */
        len = has_len && len > 0 ? TACO__MAX(len + from, 0) : len;
        from = 0;
    }
    to = from + len;
    return len < 0 ? taco__func_text_range(s, to, from) : taco__func_text_range(s, from, to);
}
TACO__FN size_t taco__func_text_write_char(uint8_t *p, uint32_t c)
{
    if (c < 0x80) {
        p[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        p[0] = (uint8_t)(0xC0 | c >> 6);
        p[1] = (uint8_t)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        p[0] = (uint8_t)(0xE0 | c >> 12);
        p[1] = (uint8_t)(0x80 | (c >> 6 & 63));
        p[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    p[0] = (uint8_t)(0xF0 | c >> 18);
    p[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    p[2] = (uint8_t)(0x80 | (c >> 6 & 63));
    p[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}
/* The upper case is the character whose lower case it is. */
TACO__FN uint32_t taco__func_text_upper_char(uint32_t c)
{
    size_t i;
    if (c < 0x80) {
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    }
    for (i = 0; i < TACO__COUNT(taco__like_case_ranges); i++) {
        uint32_t u = (uint32_t)((int32_t)c - taco__like_case_ranges[i].delta);
        if (u >= taco__like_case_ranges[i].first && u <= taco__like_case_ranges[i].last &&
            (u - taco__like_case_ranges[i].first) % taco__like_case_ranges[i].step == 0) {
            return u;
        }
    }
    return c;
}
TACO__FN bool taco__func_text_change_case(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    size_t   i, n = 0, room;
    uint8_t *p;
    if (!taco__checked_mul_size(s.len, 2, &room)) {
        return false;
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, room + 4, x->err);
    for (i = 0; p && i < s.len;) {
        size_t   w = taco__like_char_width(s, i);
        uint32_t c = taco__like_char_at(s, i, w);
        if (c > 0x10FFFF) { /* broken bytes stay */
            memcpy(p + n, s.data + i, w);
            n += w;
        } else {
            n += taco__func_text_write_char(p + n, x->id == TACO__FUNC_UPPER
                                                       ? taco__func_text_upper_char(c)
                                                       : taco__like_lower(c));
        }
        i += w;
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}
TACO__FN bool taco__func_text_is_in_set(taco_bytes set, taco_bytes s, size_t at, size_t w)
{
    size_t i;
    for (i = 0; i < set.len; i += taco__like_char_width(set, i)) {
        if (taco__like_char_width(set, i) == w && memcmp(set.data + i, s.data + at, w) == 0) {
            return true;
        }
    }
    return false;
}
TACO__FN taco_bytes taco__func_text_trim(taco_bytes s, taco_bytes set, bool left, bool right)
{
    size_t from = 0, to = s.len;
    while (left && from < to &&
           taco__func_text_is_in_set(set, s, from, taco__like_char_width(s, from))) {
        from += taco__like_char_width(s, from);
    }
    while (right && from < to) {
        size_t at = to - 1;
        while (at > from && (s.data[at] & 0xC0) == 0x80) {
            at--;
        }
        if (!taco__func_text_is_in_set(set, s, at, to - at)) {
            break;
        }
        to = at;
    }
    return taco__func_text_slice(s, from, to);
}
TACO__FN size_t taco__func_text_find(taco_bytes s, size_t from,
                                     taco_bytes what) /* SIZE_MAX: not there */
{
    size_t i;
    for (i = from; what.len <= s.len && i <= s.len - what.len; i++) {
        if (what.len == 0 || memcmp(s.data + i, what.data, what.len) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
#define TACO__FUNC_MAX_TEXT ((uint64_t)1 << 28) /* bytes of one text a function may make */

TACO__COLD bool taco__func_text_fail_too_long(taco__func_call *x)
{
    TACO__FAIL(x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%s would make a text of more than %u bytes",
               x->name, TACO__FUNC_MAX_TEXT);
    return false;
}
TACO__FN bool taco__func_text_replace(taco__func_call *x, taco_bytes s, taco_bytes what,
                                      taco_bytes with, taco_bytes *out)
{
    size_t   i, at, hits = 0, n = 0;
    uint8_t *p;
    for (i = 0; what.len && (at = taco__func_text_find(s, i, what)) != SIZE_MAX;
         i = at + what.len) {
        hits++;
    }
    if ((uint64_t)hits * with.len + s.len > TACO__FUNC_MAX_TEXT) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + hits * with.len, x->err);
    for (i = 0; p && i < s.len;) {
        at = hits ? taco__func_text_find(s, i, what) : SIZE_MAX;
        at = at == SIZE_MAX ? s.len : at;
        memcpy(p + n, s.data + i, at - i);
        n += at - i;
        i = at;
        if (at < s.len) {
            if (with.len) {
                memcpy(p + n, with.data, with.len);
            }
            n += with.len;
            i += what.len;
        }
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}
TACO__FN bool taco__func_text_pad(taco__func_call *x, taco_bytes s, int64_t want, taco_bytes pad,
                                  taco_bytes *out)
{
    int64_t  have = (int64_t)taco__func_text_length(s), more, k;
    size_t   at = 0, n = 0;
    uint8_t *p;
    bool     left = x->id == TACO__FUNC_LPAD;
    if (want <= have) {
        *out = taco__func_text_range(s, 0, want);
        return true;
    }
    if (!pad.len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "nothing to pad with");
        return false;
    }
    more = want - have;
    if ((uint64_t)more > TACO__FUNC_MAX_TEXT / 4) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + (size_t)more * 4, x->err);
    if (!p) {
        return false;
    }
    if (!left && s.len) {
        memcpy(p, s.data, s.len);
        n = s.len;
    }
    for (k = 0; k < more; k++) {
        size_t w = taco__like_char_width(pad, at);
        memcpy(p + n, pad.data + at, w);
        n += w;
        at = at + w >= pad.len ? 0 : at + w;
    }
    if (left && s.len) {
        memcpy(p + n, s.data, s.len);
        n += s.len;
    }
    *out = taco__bytes_of(p, n);
    return true;
}
TACO__FN bool taco__func_text_repeat(taco__func_call *x, taco_bytes s, int64_t times,
                                     taco_bytes *out)
{
    uint8_t *p;
    size_t   k;
    *out = taco__bytes_of(s.data, 0);
    if (times <= 0 || s.len == 0) {
        return true;
    }
    if ((uint64_t)times > TACO__FUNC_MAX_TEXT / s.len) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len * (size_t)times, x->err);
    for (k = 0; p && k < (size_t)times; k++) {
        memcpy(p + k * s.len, s.data, s.len);
    }
    *out = taco__bytes_of(p, s.len * (size_t)times);
    return p != NULL;
}
/* Characters that belong to the one before: combining marks, variation selectors, joiners. */
TACO__FN bool taco__func_text_is_combining(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0x200D ||
           (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0x20D0 && c <= 0x20FF);
}
TACO__FN bool taco__func_text_reverse(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, s.len, x->err);
    size_t   i, w;
    for (i = 0; p && i < s.len; i += w) {
        uint32_t c;
        w = taco__like_char_width(s, i);
        while (i + w < s.len) {
            size_t next = taco__like_char_width(s, i + w);
            c = taco__like_char_at(s, i + w, next);
            if (!taco__func_text_is_combining(c)) {
                break;
            }
            w += next;
            if (c == 0x200D && i + w < s.len) {
                w += taco__like_char_width(s, i + w);
            }
        }
        memcpy(p + s.len - i - w, s.data + i, w);
    }
    *out = taco__bytes_of(p, s.len);
    return p != NULL;
}
TACO__FN taco_bytes taco__func_text_split_part(taco_bytes s, taco_bytes by, int64_t k)
{
    size_t  i = 0, at;
    int64_t parts = 1;
    if (!by.len) {
        return k == 1 || k == -1 ? s : taco__bytes_of(s.data, 0);
    }
    for (; (at = taco__func_text_find(s, i, by)) != SIZE_MAX; i = at + by.len) {
        parts++;
    }
    k = k < 0 ? parts + k + 1 : k;
    for (i = 0; k > 0 && k <= parts; k--) {
        at = taco__func_text_find(s, i, by);
        at = at == SIZE_MAX ? s.len : at;
        if (k == 1) {
            return taco__func_text_slice(s, i, at);
        }
        i = at + by.len;
    }
    return taco__bytes_of(s.data, 0);
}
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i)
{
    static const uint8_t space[] = {' '};
    taco_bytes           s = TACO__FUNC_ARG_TEXT(0), *out = &x->out->v.s[i];
    int64_t              k;
    switch (x->id) {
    case TACO__FUNC_LOWER:
    case TACO__FUNC_UPPER: return taco__func_text_change_case(x, s, out);
    case TACO__FUNC_SUBSTR:
        *out = taco__func_text_substr(s, TACO__FUNC_ARG_INT(1),
                                      x->n > 2 ? TACO__FUNC_ARG_INT(2) : 0, x->n > 2);
        return true;
    case TACO__FUNC_LEFT:
        k = TACO__FUNC_ARG_INT(1);
        *out = taco__func_text_range(
            s, 0,
            k < 0 ? (int64_t)taco__func_text_length(s) + TACO__MAX(k, -(INT64_C(1) << 40)) : k);
        return true;
    case TACO__FUNC_RIGHT: {
        int64_t n = (int64_t)taco__func_text_length(s);
        k = TACO__FUNC_ARG_INT(1);
        *out = taco__func_text_range(
            s, k < 0 ? TACO__MIN(n, -TACO__MAX(k, -(INT64_C(1) << 40))) : n - TACO__MIN(n, k), n);
        return true;
    }
    case TACO__FUNC_TRIM:
    case TACO__FUNC_LTRIM:
    case TACO__FUNC_RTRIM:
        *out = taco__func_text_trim(s, x->n > 1 ? TACO__FUNC_ARG_TEXT(1) : taco__bytes_of(space, 1),
                                    x->id != TACO__FUNC_RTRIM, x->id != TACO__FUNC_LTRIM);
        return true;
    case TACO__FUNC_REPLACE:
        return taco__func_text_replace(x, s, TACO__FUNC_ARG_TEXT(1), TACO__FUNC_ARG_TEXT(2), out);
    case TACO__FUNC_LPAD:
    case TACO__FUNC_RPAD:
        return taco__func_text_pad(x, s, TACO__FUNC_ARG_INT(1), TACO__FUNC_ARG_TEXT(2), out);
    case TACO__FUNC_REPEAT: return taco__func_text_repeat(x, s, TACO__FUNC_ARG_INT(1), out);
    case TACO__FUNC_REVERSE: return taco__func_text_reverse(x, s, out);
    default:
        *out = taco__func_text_split_part(s, TACO__FUNC_ARG_TEXT(1), TACO__FUNC_ARG_INT(2));
        return true;
    }
}
TACO__FN bool taco__func_text_like(taco__func_call *x)
{
    const taco__like_pattern *ready = (const taco__like_pattern *)x->plan;
    bool                      neg = x->name[0] == '!', icase = x->name[strlen(x->name) - 1] == '*';
    taco__like_pattern        k;
    size_t                    i;
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        if (!ready) {
            memset(&k, 0, sizeof k);
            k.icase = icase;
            if (x->n > 2) {
                taco_bytes esc = TACO__FUNC_ARG_TEXT(2);
                if (esc.len > 1) {
                    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                               "ESCAPE takes one character, found %q", &esc);
                    return false;
                }
                k.has_escape = esc.len == 1;
                k.escape = esc.len ? esc.data[0] : 0;
            }
            if (!taco__like_compile(&k, x->arena, TACO__FUNC_ARG_TEXT(1), x->err)) {
                return false;
            }
        }
        x->out->v.i[i] = taco__like_match(ready ? ready : &k, TACO__FUNC_ARG_TEXT(0)) != neg;
    }
    return true;
}
/* Integers and booleans of texts. */
TACO__FN bool taco__func_text_to_number(taco__func_call *x)
{
    size_t i, at;
    for (i = 0; i < x->out->n; i++) {
        taco_bytes s, t = taco__bytes_of(NULL, 0);
        int64_t    r = 0;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        s = TACO__FUNC_ARG_TEXT(0);
        t = x->n > 1 ? TACO__FUNC_ARG_TEXT(1) : t;
        switch (x->id) {
        case TACO__FUNC_LENGTH: r = (int64_t)taco__func_text_length(s); break;
        case TACO__FUNC_STRLEN:
        case TACO__FUNC_OCTETS: r = (int64_t)s.len; break;
        case TACO__FUNC_ASCII:
            r = s.len ? (int64_t)taco__like_char_at(s, 0, taco__like_char_width(s, 0)) : 0;
            break;
        case TACO__FUNC_CONTAINS: r = taco__like_contains(s, t); break;
        case TACO__FUNC_STARTS:
            r = s.len >= t.len && (!t.len || memcmp(s.data, t.data, t.len) == 0);
            break;
        case TACO__FUNC_ENDS:
            r = s.len >= t.len && (!t.len || memcmp(s.data + (s.len - t.len), t.data, t.len) == 0);
            break;
        default:
            at = taco__func_text_find(s, 0, t);
            r = at == SIZE_MAX ? 0
                               : (int64_t)taco__func_text_length(taco__bytes_of(s.data, at)) + 1;
            break;
        }
        x->out->v.i[i] = r;
    }
    return true;
}
/* concat, concat_ws and ||: nulls are left out by the first two. All arguments are text by now. */
TACO__FN bool taco__func_text_concat(taco__func_call *x)
{
    bool   ws = x->id == TACO__FUNC_CONCAT_WS;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        uint64_t   total = 0;
        uint32_t   k, any = 0;
        taco_bytes sep = taco__bytes_of(NULL, 0);
        uint8_t   *p;
        size_t     n = 0;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        if (ws) {
            if (!taco__vec_is_valid(&x->a[0], i)) {
                if (!taco__func_set_null(x, i)) {
                    return false;
                }
                continue;
            }
            sep = TACO__FUNC_ARG_TEXT(0);
        }
        for (k = ws; k < x->n; k++) {
            total += taco__vec_is_valid(&x->a[k], i) ? TACO__FUNC_ARG_TEXT(k).len + sep.len : 0;
        }
        if (total > TACO__FUNC_MAX_TEXT) {
            return taco__func_text_fail_too_long(x);
        }
        p = (uint8_t *)taco__arena_alloc(x->arena, (size_t)total, x->err);
        for (k = ws; p && k < x->n; k++) {
            taco_bytes s;
            if (!taco__vec_is_valid(&x->a[k], i)) {
                continue;
            }
            s = TACO__FUNC_ARG_TEXT(k);
            if (any++ && sep.len) {
                memcpy(p + n, sep.data, sep.len);
                n += sep.len;
            }
            if (s.len) {
                memcpy(p + n, s.data, s.len);
                n += s.len;
            }
        }
        x->out->v.s[i] = taco__bytes_of(p, n);
        if (!p) {
            return false;
        }
    }
    return true;
}

/* ---- dates ----------------------------------------------------------------------------------------- */

typedef enum taco__date_part {
    TACO__DATE_PART_YEAR = 0,
    TACO__DATE_PART_MONTH,
    TACO__DATE_PART_DAY,
    TACO__DATE_PART_HOUR,
    TACO__DATE_PART_MINUTE,
    TACO__DATE_PART_SECOND,
    TACO__DATE_PART_MILLI,
    TACO__DATE_PART_MICRO,
    TACO__DATE_PART_DOW,
    TACO__DATE_PART_ISODOW,
    TACO__DATE_PART_DOY,
    TACO__DATE_PART_WEEK,
    TACO__DATE_PART_QUARTER,
    TACO__DATE_PART_DECADE,
    TACO__DATE_PART_CENTURY,
    TACO__DATE_PART_ISOYEAR,
    TACO__DATE_PART_EPOCH,
    TACO__DATE_PART_EPOCH_MS,
    TACO__DATE_PART_EPOCH_US
} taco__date_part;

TACO__FN int taco__func_date_find_part(taco_bytes b) /* -1: none */
{
    static const char *const names[] = {
        "year",        "month",   "day",    "hour",     "minute",  "second",  "millisecond",
        "microsecond", "dow",     "isodow", "doy",      "week",    "quarter", "decade",
        "century",     "isoyear", "epoch",  "epoch_ms", "epoch_us"};
    static const struct {
        const char *name;
        uint8_t     part;
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
        if (taco__ascii_is_word(b, names[i])) {
            return (int)i;
        }
    }
    for (i = 0; i < TACO__COUNT(more); i++) {
        if (taco__ascii_is_word(b, more[i].name)) {
            return more[i].part;
        }
    }
    return -1;
}
/* Day and microsecond of the day of a DATE or TIMESTAMP. */
TACO__FN void taco__func_date_split(const taco__vec *v, size_t i, int64_t *day, int64_t *micros)
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
/* ISO 8601: the week that holds the year's first Thursday is the first. */
TACO__FN int64_t taco__func_date_iso_week(int64_t day, int64_t *year)
{
    int64_t          thursday = day - taco__time_floor_mod(day + 3, 7) + 3;
    taco__time_civil c = taco__time_date_from_days(thursday);
    *year = c.year;
    return (thursday - taco__time_days_from_date(c.year, 1, 1)) / 7 + 1;
}
TACO__FN int64_t taco__func_date_extract(int part, int64_t day, int64_t us)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t          year;
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
/* The microsecond since 1970 at which the part of the instant began. */
TACO__FN bool taco__func_date_trunc(int part, int64_t day, int64_t us, int64_t *out)
{
    taco__time_civil c = taco__time_date_from_days(day);
    taco__i256       big;
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
TACO__FN int64_t taco__func_date_diff(int part, const int64_t a[2], const int64_t b[2])
{
    taco__time_civil x = taco__time_date_from_days(a[0]), y = taco__time_date_from_days(b[0]);
    int64_t          per;
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
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i)
{
    static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const int               *part = (const int *)x->plan;
    int64_t                  a[2] = {0, 0}, b[2];
    taco__time_civil         c;
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
/* DATE and TIMESTAMP plus and minus days and intervals; the result is TIMESTAMP of microseconds, or DATE for days. */
TACO__FN bool taco__func_date_add(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t            day, us, months;
        taco__sql_interval v;
        taco__time_civil   c;
        taco__i256         big;
        bool               minus = x->id == TACO__FUNC_SUB;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        memcpy(&v, TACO__FUNC_ARG_TEXT(1).data, sizeof v);
        taco__func_date_split(&x->a[0], i, &day, &us);
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
        if (!taco__i256_is_i64(&big)) {
            return taco__func_number_fail_overflow(x);
        }
        x->out->v.i[i] = (int64_t)big.w[0];
    }
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------------- */

/* Where an index of SQL points to in n elements: SIZE_MAX when outside. 1 is the first, -1 the last. */
TACO__FN size_t taco__func_list_position(int64_t k, size_t n)
{
    if (k > 0 && (uint64_t)k <= n) {
        return (size_t)k - 1;
    }
    if (k < 0 && k >= -(int64_t)n) {
        return (size_t)((int64_t)n + k);
    }
    return SIZE_MAX;
}
TACO__FN bool taco__func_list_element(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    uint32_t        *idx;
    size_t           i;
    if (v->type->t.id == TACO_TEXT) {
        for (i = 0; i < x->out->n; i++) {
            if (taco__vec_is_valid(x->out, i)) {
                taco_bytes s = TACO__FUNC_ARG_TEXT(0);
                size_t     at =
                    taco__func_list_position(TACO__FUNC_ARG_INT(1), taco__func_text_length(s));
                x->out->v.s[i] = at == SIZE_MAX
                                     ? taco__bytes_of(s.data, 0)
                                     : taco__func_text_range(s, (int64_t)at, (int64_t)at + 1);
            }
        }
        return true;
    }
    idx = (uint32_t *)taco__arena_array(x->arena, x->out->n, sizeof *idx, x->err);
    for (i = 0; idx && i < x->out->n; i++) {
        idx[i] = TACO__VEC_NONE;
        if (taco__vec_is_valid(x->out, i)) {
            taco__sql_list_span s = v->v.l[i * v->step];
            size_t              at = taco__func_list_position(TACO__FUNC_ARG_INT(1), s.len);
            idx[i] = at == SIZE_MAX ? TACO__VEC_NONE : s.at + (uint32_t)at;
        }
    }
    return idx && taco__vec_take(x->arena, &v->kids[0], idx, x->out->n, x->out, x->err);
}
/* value[from:to], both ends included, each may be NULL for open. */
TACO__FN bool taco__func_list_slice_bounds(taco__func_call *x, size_t i, int64_t n, int64_t *from,
                                           int64_t *to)
{
    bool    open_from = x->a[1].type->t.id == TACO_NULL, open_to = x->a[2].type->t.id == TACO_NULL;
    int64_t a = open_from ? 1 : TACO__FUNC_ARG_INT(1), b = open_to ? n : TACO__FUNC_ARG_INT(2);
    a = a < 0 ? TACO__MAX(n + a + 1, 1) : a == 0 ? 1 : a;
    b = b < 0 ? n + b + 1 : b;
    *from = a - 1;
    *to = TACO__MIN(b, n);
    return *from < *to;
}
TACO__FN bool taco__func_list_slice(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t           i;
    int64_t          from, to;
    if (v->type->t.id != TACO_TEXT) {
        x->out->kids = v->kids;
    }
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        if (v->type->t.id == TACO_TEXT) {
            taco_bytes s = TACO__FUNC_ARG_TEXT(0);
            x->out->v.s[i] =
                taco__func_list_slice_bounds(x, i, (int64_t)taco__func_text_length(s), &from, &to)
                    ? taco__func_text_range(s, from, to)
                    : taco__bytes_of(s.data, 0);
        } else {
            taco__sql_list_span s = v->v.l[i * v->step];
            bool                some = taco__func_list_slice_bounds(x, i, s.len, &from, &to);
            x->out->v.l[i].at = some ? s.at + (uint32_t)from : s.at;
            x->out->v.l[i].len = some ? (uint32_t)(to - from) : 0;
        }
    }
    return true;
}
TACO__FN bool taco__func_list_run(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t           i, k;
    for (i = 0; i < x->out->n; i++) {
        taco__sql_list_span s;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        s = v->v.l[i * v->step];
        if (x->id == TACO__FUNC_LENGTH) {
            x->out->v.i[i] = (int64_t)s.len;
            continue;
        }
        for (k = 0; k < s.len; k++) {
            if (taco__vec_is_valid(&v->kids[0], s.at + k) &&
                taco__vec_compare(&v->kids[0], s.at + k, &x->a[1], i) == 0) {
                x->out->v.i[i] = 1;
                break;
            }
        }
    }
    return true;
}

/* ---- geometry -------------------------------------------------------------------------------------- */

/* True when a WKB is a box: one ring of five corners along the axes, as ST_MakeEnvelope makes it. */
TACO__FN bool taco__func_geo_parse_box(taco_bytes s, double box[4])
{
    double xy[10];
    size_t i;
    if (s.len != 93 || s.data[0] != 1 || taco__load_le32(s.data + 1) != TACO__WKB_POLYGON ||
        taco__load_le32(s.data + 5) != 1 || taco__load_le32(s.data + 9) != 5) {
        return false;
    }
    for (i = 0; i < 10; i++) {
        xy[i] = taco__f64_from_bits(taco__load_le64(s.data + 13 + i * 8));
    }
    box[0] = xy[0];
    box[1] = xy[1];
    box[2] = xy[4];
    box[3] = xy[5];
    return xy[2] == xy[0] && xy[3] == xy[5] && xy[6] == xy[4] && xy[7] == xy[1] && xy[8] == xy[0] &&
           xy[9] == xy[1];
}
TACO__FN bool taco__func_geo_make_point(taco__func_call *x, double a, double b, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, 21, x->err);
    if (p) {
        p[0] = 1;
        taco__put_le32(p + 1, TACO__WKB_POINT);
        taco__put_le64(p + 5, taco__f64_to_bits(a));
        taco__put_le64(p + 13, taco__f64_to_bits(b));
    }
    *out = taco__bytes_of(p, 21);
    return p != NULL;
}
TACO__FN bool taco__func_geo_make_envelope(taco__func_call *x, const double b[4], taco_bytes *out)
{
    static const uint8_t corner[10] = {0, 1, 0, 3, 2, 3, 2, 1, 0, 1};
    uint8_t             *p = (uint8_t *)taco__arena_alloc(x->arena, 93, x->err);
    size_t               i;
    if (p) {
        p[0] = 1;
        taco__put_le32(p + 1, TACO__WKB_POLYGON);
        taco__put_le32(p + 5, 1);
        taco__put_le32(p + 9, 5);
        for (i = 0; i < 10; i++) {
            taco__put_le64(p + 13 + i * 8, taco__f64_to_bits(b[corner[i]]));
        }
    }
    *out = taco__bytes_of(p, 93);
    return p != NULL;
}
/* Within a box: no position outside, and some of the inside reached, not only the edge. */
TACO__FN bool taco__func_geo_within(taco_bytes wkb, const double b[4], bool *hit, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item   item;
    bool             all = true, inner = false, any = false;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        size_t i;
        double px = 0, py = 0;
        if (taco__wkb_next(&w, &item, err) != TACO_OK) {
            return false;
        }
        if (item.what == TACO__WKB_DONE) {
            *hit = all && any && inner;
            return true;
        }
        for (i = 0; item.what == TACO__WKB_RUN && i < item.n; i++) {
            double gx = taco__wkb_coordinate(item.xy + i * item.stride, item.big),
                   gy = taco__wkb_coordinate(item.xy + i * item.stride + 8, item.big);
            if (item.type == TACO__WKB_POINT && (gx != gx || gy != gy)) {
                continue; /* POINT EMPTY */
            }
            any = true;
            all = all && gx >= b[0] && gx <= b[2] && gy >= b[1] && gy <= b[3];
            inner = inner || item.type == TACO__WKB_POLYGON ||
                    (gx > b[0] && gx < b[2] && gy > b[1] && gy < b[3]);
            if (i &&
                item.type == TACO__WKB_LINESTRING) { /* between two edges it crosses the inside */
                inner = inner || !((px == gx && (gx == b[0] || gx == b[2])) ||
                                   (py == gy && (gy == b[1] || gy == b[3])));
            }
            px = gx;
            py = gy;
        }
    }
}
TACO__FN bool taco__func_geo_coordinate(taco__func_call *x, size_t i)
{
    taco__wkb_reader w;
    taco__wkb_item   item;
    bool             found = false;
    double           d = 0;
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    for (;;) {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) {
            return false;
        }
        if (item.what == TACO__WKB_DONE) {
            break;
        }
        if (item.what == TACO__WKB_BEGIN && item.type != TACO__WKB_POINT) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s takes points, found a %s",
                       x->name, taco__wkb_type_name(item.type));
            return false;
        }
        if (item.what == TACO__WKB_RUN && item.n) {
            d = taco__wkb_coordinate(item.xy + (x->id == TACO__FUNC_Y ? 8 : 0), item.big);
            found = d == d;
        }
    }
    x->out->v.f[i] = d;
    return found || taco__func_set_null(x, i);
}
TACO__FN bool taco__func_geo_run(taco__func_call *x)
{
    size_t i, k;
    for (i = 0; i < x->out->n; i++) {
        double b[4];
        bool   hit = false, ok, first;
        if (!taco__vec_is_valid(x->out, i)) {
            continue;
        }
        switch (x->id) {
        case TACO__FUNC_GEOM: x->out->v.s[i] = TACO__FUNC_ARG_TEXT(0); continue;
        case TACO__FUNC_X:
        case TACO__FUNC_Y:
            if (!taco__func_geo_coordinate(x, i)) {
                return false;
            }
            continue;
        case TACO__FUNC_POINT:
        case TACO__FUNC_ENVELOPE:
            for (k = 0; k < x->n; k++) {
                b[k] = TACO__FUNC_ARG_DOUBLE(k);
            }
            if (!(x->n == 2 ? taco__func_geo_make_point(x, b[0], b[1], &x->out->v.s[i])
                            : taco__func_geo_make_envelope(x, b, &x->out->v.s[i]))) {
                return false;
            }
            continue;
        default: break;
        }
        first = !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(1), b);
        if (first &&
            (x->id == TACO__FUNC_WITHIN || !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(0), b))) {
            TACO__FAIL(x->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "%s works with a box of ST_MakeEnvelope only", x->name);
            return false;
        }
        {
            double     box[4];
            taco_bytes g = first ? TACO__FUNC_ARG_TEXT(1) : TACO__FUNC_ARG_TEXT(0);
            ok = taco__intersect_normalize_box(b, box, x->err) == TACO_OK &&
                 (x->id == TACO__FUNC_WITHIN
                      ? taco__func_geo_within(g, box, &hit, x->err)
                      : taco__intersect_wkb_box(g, box, &hit, x->err) == TACO_OK);
        }
        if (!ok) {
            return false;
        }
        x->out->v.i[i] = hit;
    }
    return true;
}

/* ---- the rest -------------------------------------------------------------------------------------- */

/* coalesce, greatest, least, nullif over arguments of one type: which argument each row takes. */
TACO__FN bool taco__func_choose(taco__func_call *x)
{
    taco__vec_builder p;
    size_t            i, n = x->out->n;
    uint32_t          k;
    if (!taco__vec_builder_init(x->arena, x->out->type, &p, x->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        uint32_t pick = UINT32_MAX, row = (uint32_t)i;
        for (k = 0; k < (x->id == TACO__FUNC_NULLIF ? 1 : x->n); k++) {
            int c;
            if (!taco__vec_is_valid(&x->a[k], i)) {
                continue;
            }
            if (pick == UINT32_MAX) {
                pick = k;
                if (x->id == TACO__FUNC_COALESCE) {
                    break;
                }
                continue;
            }
            c = taco__vec_compare(&x->a[k], i, &x->a[pick], i);
            pick = (x->id == TACO__FUNC_GREATEST ? c > 0 : c < 0) ? k : pick;
        }
        k = pick == UINT32_MAX ? 0 : pick;
        if (!taco__vec_builder_append(x->arena, &p, &x->a[k], &row, 1, x->err)) {
            return false;
        }
    }
    *x->out = p.v;
    return true;
}
TACO__FN bool taco__func_each_row(taco__func_call *x, bool (*row)(taco__func_call *x, size_t i))
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !row(x, i)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__func_dispatch(taco__func_call *x)
{
    char   name[128];
    char  *copy;
    size_t i;
    switch (x->id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__func_choose(x);
    case TACO__FUNC_TYPEOF:
        taco__sql_type_text(x->a[0].type, name, sizeof name);
        copy = taco__arena_text(x->arena, taco__bytes_text(name), x->err);
        for (i = 0; copy && i < x->out->n; i++) {
            x->out->v.s[i] = taco__bytes_text(copy);
        }
        return copy != NULL;
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS: return taco__func_text_concat(x);
    case TACO__FUNC_LIKE: return taco__func_text_like(x);
    case TACO__FUNC_HAS: return taco__func_list_run(x);
    case TACO__FUNC_ELEMENT: return taco__func_list_element(x);
    case TACO__FUNC_LENGTH:
        if (taco__sql_type_physical(x->a[0].type) == TACO__PHYS_LIST) {
            return taco__func_list_run(x);
        } /* fall through */
    case TACO__FUNC_STRLEN:
    case TACO__FUNC_OCTETS:
    case TACO__FUNC_ASCII:
    case TACO__FUNC_CONTAINS:
    case TACO__FUNC_STARTS:
    case TACO__FUNC_ENDS:
    case TACO__FUNC_STRPOS: return taco__func_text_to_number(x);
    default: break;
    }
    if (x->id >= TACO__FUNC_LOWER && x->id <= TACO__FUNC_SPLIT_PART) {
        return taco__func_each_row(x, taco__func_text_row);
    }
    if (x->id >= TACO__FUNC_PART && x->id <= TACO__FUNC_EPOCH) {
        return taco__func_each_row(x, taco__func_date_row);
    }
    if (x->id >= TACO__FUNC_GEOM) {
        return taco__func_geo_run(x);
    }
    if ((x->id == TACO__FUNC_ADD || x->id == TACO__FUNC_SUB) &&
        x->a[1].type->t.id == TACO_INTERVAL) {
        return taco__func_date_add(x);
    }
    return taco__func_number_run(x);
}
/* Runs a call: where an argument is null the result is, but for those that say otherwise. */
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n)
{
    bool keep = x->id == TACO__FUNC_COALESCE || x->id == TACO__FUNC_GREATEST ||
                x->id == TACO__FUNC_LEAST || x->id == TACO__FUNC_CONCAT ||
                x->id == TACO__FUNC_CONCAT_WS || x->id == TACO__FUNC_TYPEOF;
    bool     constant = x->n > 0;
    uint32_t k;
    size_t   i;
    for (k = 0; k < x->n; k++) {
        constant = constant && !x->a[k].step;
    }
    if (!taco__vec_init(x->arena, type, constant ? TACO__MIN(n, (size_t)1) : n, x->out, x->err)) {
        return false;
    }
    for (k = 0; !keep && k < x->n; k++) {
        const taco__vec *a = &x->a[k];
        if (!a->valid) {
            continue;
        }
        if (!taco__vec_init_validity(x->arena, x->out, x->err)) {
            return false;
        }
        for (i = 0; i < x->out->n; i++) {
            x->out->valid[i] = x->out->valid[i] && taco__vec_is_valid(a, i);
        }
    }
    if (!taco__func_dispatch(x)) {
        return false;
    }
    if (constant) {
        x->out->step = 0;
        x->out->n = n;
    }
    return true;
}
