/* ==== ROOM value: typed scalars: literals, statistics and the order of SQL. Uses: num time mem error base ==== */

/* One scalar is a type and a number or bytes. All exact kinds (BOOL, integers, DECIMAL, DATE, TIME, TIMESTAMP) keep their
   number in 256 bits, so that comparing an INT64 with a DECIMAL(76, 30) or a TIMESTAMP of one unit with another is one
   code path without overflow. The semantics, which type two sides are compared in, are DuckDB's. */

/* ---- 256-bit integers ---- */

typedef struct taco__i256 { /* two's complement, w[0] least significant */
    uint64_t w[4];
} taco__i256;

/* Sign-extends; every number of a file that has up to 64 bits enters through these two. */
TACO__FN taco__i256 taco__i256_from_i64(int64_t x)
{
    taco__i256 r;
    r.w[0] = (uint64_t)x;
    r.w[1] = r.w[2] = r.w[3] = x < 0 ? UINT64_MAX : 0;
    return r;
}
TACO__FN taco__i256 taco__i256_from_u64(uint64_t x)
{
    taco__i256 r;
    r.w[0] = x;
    r.w[1] = r.w[2] = r.w[3] = 0;
    return r;
}
TACO__INLINE bool taco__i256_is_negative(const taco__i256 *a)
{
    return (a->w[3] >> 63) != 0;
}
/* Signed order. Only the top word carries a sign: flipping its sign bit makes it an unsigned one. */
TACO__FN int taco__i256_compare(const taco__i256 *a, const taco__i256 *b)
{
    int i;
    if (a->w[3] != b->w[3]) {
        return (a->w[3] ^ (uint64_t)1 << 63) < (b->w[3] ^ (uint64_t)1 << 63) ? -1 : 1;
    }
    for (i = 2; i >= 0; i--) {
        if (a->w[i] != b->w[i]) {
            return a->w[i] < b->w[i] ? -1 : 1;
        }
    }
    return 0;
}
/* Sums wrap; callers keep operands below 255 bits, where they cannot. */
TACO__FN taco__i256 taco__i256_add(taco__i256 a, taco__i256 b) /* wraps */
{
    uint64_t carry = 0;
    int      i;
    for (i = 0; i < 4; i++) {
        uint64_t s = a.w[i] + b.w[i], t = s + carry;
        carry = (uint64_t)(s < a.w[i]) | (uint64_t)(t < s);
        a.w[i] = t;
    }
    return a;
}
TACO__FN taco__i256 taco__i256_negate(taco__i256 a) /* wraps */
{
    int i;
    for (i = 0; i < 4; i++) {
        a.w[i] = ~a.w[i];
    }
    return taco__i256_add(a, taco__i256_from_i64(1));
}
/* a * m + c of the magnitude a, by 32-bit limbs; false when the result needs more than 255 bits. */
TACO__FN bool taco__i256_multiply_add(taco__i256 *a, uint32_t m, uint32_t c)
{
    uint64_t carry = c;
    int      i;
    for (i = 0; i < 8; i++) {
        uint64_t limb = (a->w[i / 2] >> (i & 1) * 32) & UINT32_MAX;
        carry += limb * m;
        a->w[i / 2] = (a->w[i / 2] & ~((uint64_t)UINT32_MAX << (i & 1) * 32)) | (carry & UINT32_MAX)
                                                                                    << (i & 1) * 32;
        carry >>= 32;
    }
    return carry == 0 && !taco__i256_is_negative(a);
}
/* Divides the magnitude a in place and returns the remainder. */
TACO__FN uint32_t taco__i256_divide(taco__i256 *a, uint32_t m)
{
    uint64_t rem = 0;
    int      i;
    for (i = 7; i >= 0; i--) {
        uint64_t cur = rem << 32 | ((a->w[i / 2] >> (i & 1) * 32) & UINT32_MAX);
        a->w[i / 2] = (a->w[i / 2] & ~((uint64_t)UINT32_MAX << (i & 1) * 32)) | (cur / m)
                                                                                    << (i & 1) * 32;
        rem = cur % m;
    }
    return (uint32_t)rem;
}
TACO__FN uint32_t taco__i256_power_of_ten(int32_t k) /* 10^k, k in 0..9 */
{
    uint32_t p = 1;
    for (; k > 0; k--) {
        p *= 10;
    }
    return p;
}
/* a *= 10^k, signed; false on overflow, a is then unspecified. */
TACO__FN bool taco__i256_mul10(taco__i256 *a, int32_t k)
{
    bool neg = taco__i256_is_negative(a), ok = true;
    if (neg) {
        *a = taco__i256_negate(*a);
        ok = !taco__i256_is_negative(a);
    }
    for (; ok && k > 0; k -= 9) {
        ok = taco__i256_multiply_add(a, taco__i256_power_of_ten(TACO__MIN(k, 9)), 0);
    }
    if (neg) {
        *a = taco__i256_negate(*a);
    }
    return ok;
}
/* a / 10^k rounded half away from zero, or towards zero. */
TACO__FN taco__i256 taco__i256_div10(taco__i256 a, int32_t k, bool round)
{
    bool     neg = taco__i256_is_negative(&a);
    uint32_t last = 0;
    if (neg) {
        a = taco__i256_negate(a);
    }
    for (; k > 1;
         k -= TACO__MIN(
             k - 1,
             9)) { /* all but the last digit: what was cut before cannot change the rounding */
        taco__i256_divide(&a, taco__i256_power_of_ten(TACO__MIN(k - 1, 9)));
    }
    if (k == 1) {
        last = taco__i256_divide(&a, 10);
    }
    if (round && last >= 5) {
        a = taco__i256_add(a, taco__i256_from_i64(1));
    }
    return neg ? taco__i256_negate(a) : a;
}
/* True when the low word alone, sign-extended, is the number. */
TACO__FN bool taco__i256_is_i64(const taco__i256 *a)
{
    uint64_t sign = (a->w[0] >> 63) ? UINT64_MAX : 0;
    return a->w[1] == sign && a->w[2] == sign && a->w[3] == sign;
}
TACO__FN taco__i256 taco__i256_from_le(const uint8_t *p,
                                       size_t         width) /* 1 <= width <= 32, sign-extended */
{
    taco__i256 r = taco__i256_from_i64((p[width - 1] & 0x80) ? -1 : 0);
    size_t     i;
    if (width == 16) {
        r.w[0] = taco__load_le64(p);
        r.w[1] = taco__load_le64(p + 8);
        return r;
    }
    for (i = 0; i < width; i++) {
        r.w[i / 8] = (r.w[i / 8] & ~((uint64_t)0xFF << i % 8 * 8)) | (uint64_t)p[i] << i % 8 * 8;
    }
    return r;
}
/* Big-endian two's complement of any length; empty is 0. False when it needs more than 256 bits. */
TACO__FN bool taco__i256_from_be(taco_bytes b, taco__i256 *out)
{
    uint8_t le[32];
    size_t  i, n;
    uint8_t fill = (uint8_t)(b.len && (b.data[0] & 0x80) ? 0xFF : 0);
    while (b.len > 32 && b.data[0] == fill) {
        b.data++;
        b.len--;
    }
    if (b.len > 32 || (b.len == 32 && ((b.data[0] ^ fill) & 0x80))) {
        return false;
    }
    n = b.len;
    for (i = 0; i < 32; i++) {
        le[i] = i < n ? b.data[n - 1 - i] : fill;
    }
    *out = taco__i256_from_le(le, 32);
    return true;
}

/* ---- types and values ---- */

typedef struct taco__scalar_type {
    taco_type id;
    taco_unit unit;             /* TIME, TIMESTAMP */
    bool      utc;              /* TIMESTAMP: an instant */
    int32_t   precision, scale; /* DECIMAL */
} taco__scalar_type;

typedef struct taco__scalar {
    taco__scalar_type type; /* TACO_NULL: the SQL NULL */
    taco__i256
        d; /* exact kinds; of DECIMAL the unscaled number, of DATE days, of TIME and TIMESTAMP units */
    double     f; /* HALF, FLOAT, DOUBLE */
    taco_bytes b; /* TEXT, BINARY, UUID; borrowed */
} taco__scalar;

/* A type without parameters. */
TACO__FN taco__scalar_type taco__scalar_simple_type(taco_type id)
{
    taco__scalar_type t;
    memset(&t, 0, sizeof t);
    t.id = id;
    return t;
}
/* The type a column has in expressions: FIXED is BINARY, INT96 is a TIMESTAMP of microseconds, as DuckDB reads them. */
TACO__FN taco__scalar_type taco__scalar_type_of_field(const taco_field *f)
{
    taco__scalar_type t = taco__scalar_simple_type(f->type);
    t.unit = f->unit;
    t.utc = f->type == TACO_TIMESTAMP && f->utc;
    t.precision = f->precision;
    t.scale = f->scale;
    if (f->type == TACO_FIXED) {
        t.id = TACO_BINARY;
    } else if (f->type == TACO_INT96) {
        t.id = TACO_TIMESTAMP;
        t.unit = TACO_MICRO;
    }
    return t;
}
/* The word that messages use for a column type; the order is that of enum taco_type. */
TACO__FN const char *taco__scalar_type_name(taco_type id)
{
    static const char *const names[] = {
        "NULL",     "BOOL", "INT8",   "INT16",  "INT32",   "INT64", "UINT8", "UINT16",    "UINT32",
        "UINT64",   "HALF", "FLOAT",  "DOUBLE", "DECIMAL", "DATE",  "TIME",  "TIMESTAMP", "INT96",
        "INTERVAL", "TEXT", "BINARY", "FIXED",  "UUID",    "LIST",  "MAP",   "STRUCT"};
    return (size_t)id < TACO__COUNT(names) ? names[id] : "?";
}
/* The classes below follow from the order of enum taco_type; BOOL is in none of them. */
TACO__FN bool taco__scalar_is_int(taco_type id)
{
    return id >= TACO_INT8 && id <= TACO_UINT64;
}
TACO__FN bool taco__scalar_is_float(taco_type id)
{
    return id == TACO_HALF || id == TACO_FLOAT || id == TACO_DOUBLE;
}
TACO__FN bool taco__scalar_is_number(taco_type id)
{
    return id >= TACO_INT8 && id <= TACO_DECIMAL;
}
TACO__FN bool taco__scalar_is_bytes(taco_type id)
{
    return id == TACO_TEXT || id == TACO_BINARY || id == TACO_UUID;
}
TACO__FN bool taco__scalar_is_nested(taco_type id)
{
    return id == TACO_LIST || id == TACO_MAP || id == TACO_STRUCT;
}

/* Makers of single values. Bytes are borrowed. */
TACO__FN taco__scalar taco__scalar_make_null(void)
{
    taco__scalar v;
    memset(&v, 0, sizeof v);
    return v;
}
TACO__FN taco__scalar taco__scalar_make_int(taco_type id, int64_t x)
{
    taco__scalar v = taco__scalar_make_null();
    v.type.id = id;
    v.d = taco__i256_from_i64(x);
    return v;
}
TACO__FN taco__scalar taco__scalar_make_double(taco_type id, double x)
{
    taco__scalar v = taco__scalar_make_null();
    v.type.id = id;
    v.f = x;
    return v;
}
TACO__FN taco__scalar taco__scalar_make_bytes(taco_type id, taco_bytes b)
{
    taco__scalar v = taco__scalar_make_null();
    v.type.id = id;
    v.b = b;
    return v;
}

/* ---- conversions as DuckDB makes them ---- */

/* An exact value as d * 10^-scale. Days count as seconds, so that dates and instants compare. */
TACO__FN void taco__scalar_to_exact(const taco__scalar *v, taco__i256 *d, int32_t *scale)
{
    *d = v->d;
    *scale = 0;
    if (v->type.id == TACO_DECIMAL) {
        *scale = v->type.scale;
    } else if (v->type.id == TACO_TIME || v->type.id == TACO_TIMESTAMP) {
        *scale = 3 * (int32_t)v->type.unit;
    } else if (v->type.id == TACO_DATE) {
        *d = taco__i256_from_i64((int64_t)v->d.w[0] * 86400); /* days are 32 bits */
    }
}
/* Order of a * 10^-sa and b * 10^-sb without rounding. */
TACO__FN int taco__scalar_compare_exact(taco__i256 a, int32_t sa, taco__i256 b, int32_t sb)
{
    /* a side that overflows when it is scaled up is larger in magnitude than anything the other can hold */
    bool below = taco__i256_is_negative(&a), above = taco__i256_is_negative(&b);
    if (sa < sb && !taco__i256_mul10(&a, sb - sa)) {
        return below ? -1 : 1;
    }
    if (sb < sa && !taco__i256_mul10(&b, sa - sb)) {
        return above ? 1 : -1;
    }
    return taco__i256_compare(&a, &b);
}

/* 128 bits to floating point as DuckDB's hugeint does it: both halves rounded on their own, in the target's width.
 * Each operation in single is cast: where FLT_EVAL_METHOD is not 0 (x87, s390), it runs wider than its operands. */
TACO__FN double taco__scalar_i256_to_double(const taco__i256 *a, bool single)
{
    uint64_t sign = (uint64_t)((int64_t)a->w[1] >> 63);
    if (taco__i256_is_i64(a)) {
        return single ? (double)(float)(int64_t)a->w[0] : (double)(int64_t)a->w[0];
    }
    if (a->w[2] != sign ||
        a->w[3] !=
            sign) { /* beyond 128 bits, by magnitude: the halves of negative ones would cancel */
        taco__i256 m = taco__i256_is_negative(a) ? taco__i256_negate(*a) : *a;
        double     d =
            (((double)m.w[3] * 18446744073709551616.0 + (double)m.w[2]) * 18446744073709551616.0 +
             (double)m.w[1]) *
                18446744073709551616.0 +
            (double)m.w[0];
        d = single ? (double)(float)d : d;
        return taco__i256_is_negative(a) ? -d : d;
    }
    if (a->w[1] == UINT64_MAX) {
        return single ? (double)(float)(-(float)(UINT64_MAX - a->w[0]) - 1.0f)
                      : -(double)(UINT64_MAX - a->w[0]) - 1.0;
    }
    return single
               ? (double)(float)((float)a->w[0] + (float)(int64_t)a->w[1] * 18446744073709551616.0f)
               : (double)a->w[0] + (double)(int64_t)a->w[1] * 18446744073709551616.0;
}
/* DECIMAL to FLOAT or DOUBLE: numbers the target holds exactly are divided once; of others, whole and fraction apart. */
TACO__FN double taco__scalar_decimal_to_double(const taco__i256 *d, int32_t scale, bool single)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    int64_t             limit = single ? (int64_t)1 << 24 : (int64_t)1 << 53;
    taco__i256          whole = *d, part;
    double              p = 1.0, r;
    int32_t             s;
    bool small = taco__i256_is_i64(d) && (int64_t)d->w[0] <= limit && (int64_t)d->w[0] >= -limit;
    for (s = scale; s > 38; s -= 38) {
        p *= 1e38;
    }
    p *= ten[TACO__MAX(s, 0)];
    if (small || scale <= 0) {
        r = taco__scalar_i256_to_double(d, single);
        return single ? (double)(float)((float)r / (float)p) : r / p;
    }
    whole = taco__i256_div10(*d, scale, false);
    part = whole;
    taco__i256_mul10(&part, scale); /* cannot overflow: not larger than d */
    part = taco__i256_add(*d, taco__i256_negate(part));
    if (single) {
        return (double)(float)((float)taco__scalar_i256_to_double(&whole, true) +
                               (float)((float)taco__scalar_i256_to_double(&part, true) / (float)p));
    }
    return taco__scalar_i256_to_double(&whole, false) +
           taco__scalar_i256_to_double(&part, false) / p;
}
/* Any number as FLOAT (single) or DOUBLE. */
TACO__FN double taco__scalar_to_double(const taco__scalar *v, bool single)
{
    if (taco__scalar_is_float(v->type.id)) {
        return single ? (double)(float)v->f : v->f;
    }
    if (v->type.id == TACO_DECIMAL) {
        return taco__scalar_decimal_to_double(&v->d, v->type.scale, single);
    }
    if (v->type.id == TACO_UINT64) {
        return single ? (double)(float)v->d.w[0] : (double)v->d.w[0];
    }
    return taco__scalar_i256_to_double(&v->d, single);
}

/* ---- the type two sides are compared in ---- */

typedef enum taco__compare_domain {
    TACO__DOMAIN_NONE = 0, /* the sides cannot be compared; or one is NULL */
    TACO__DOMAIN_EXACT,    /* integers, decimals, dates, instants: no rounding */
    TACO__DOMAIN_F32,
    TACO__DOMAIN_F64,
    TACO__DOMAIN_BYTES
} taco__compare_domain;

/* Where values of a type are compared once both sides have it. HALF is a FLOAT, as in DuckDB. */
TACO__FN taco__compare_domain taco__scalar_domain_of(taco_type id)
{
    switch (id) {
    case TACO_HALF:
    case TACO_FLOAT: return TACO__DOMAIN_F32;
    case TACO_DOUBLE: return TACO__DOMAIN_F64;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_UUID: return TACO__DOMAIN_BYTES;
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return TACO__DOMAIN_NONE;
    default: return TACO__DOMAIN_EXACT;
    }
}
/* Digits of an integer type when it meets a DECIMAL. */
TACO__FN int32_t taco__scalar_decimal_digits(const taco__scalar_type *t)
{
    switch (t->id) {
    case TACO_BOOL: return 1;
    case TACO_INT8:
    case TACO_UINT8: return 3;
    case TACO_INT16:
    case TACO_UINT16: return 5;
    case TACO_INT32:
    case TACO_UINT32: return 10;
    case TACO_INT64: return 19;
    case TACO_UINT64: return 20;
    default: return t->precision;
    }
}
/* DECIMAL, but not the integers beyond INT64, which are DECIMAL(39, 0) here and HUGEINT in DuckDB. */
TACO__FN bool taco__scalar_is_decimal(const taco__scalar_type *t)
{
    return t->id == TACO_DECIMAL && t->precision != 39;
}

/* The integer type that holds both: the wider of two of one sign; of a signed and an unsigned one, the signed type a size
   above the unsigned. */
TACO__FN taco_type taco__scalar_common_int(taco_type a, taco_type b)
{
    bool      ua = a >= TACO_UINT8, ub = b >= TACO_UINT8;
    taco_type u = ua ? a : b, s = ua ? b : a, need;
    if (a == TACO_BOOL || b == TACO_BOOL) {
        return a == TACO_BOOL ? b : a;
    }
    if (ua == ub) {
        return TACO__MAX(a, b);
    }
    if (u == TACO_UINT64) {
        return TACO_DECIMAL; /* DuckDB's HUGEINT */
    }
    need = (taco_type)(TACO_INT8 + (u - TACO_UINT8) + 1);
    return TACO__MAX(s, need);
}
/* Sets *out to the type in which values of a and b are compared, as DuckDB chooses it; false when they cannot be.
   Equality allows more than order: BOOL = 1.5 is allowed, BOOL < 1.5 is not. */
TACO__FN bool taco__scalar_common_type(const taco__scalar_type *a, const taco__scalar_type *b,
                                       bool equality, taco__scalar_type *out)
{
    taco__scalar_type t = *a;
    bool              na, nb;
    if (a->id == TACO_NULL || b->id == TACO_NULL) {
        *out = a->id == TACO_NULL ? *b : *a;
        return !taco__scalar_is_nested(out->id) && out->id != TACO_INTERVAL;
    }
    na = taco__scalar_is_number(a->id) || a->id == TACO_BOOL;
    nb = taco__scalar_is_number(b->id) || b->id == TACO_BOOL;
    if (na && nb) {
        bool one_bool = (a->id == TACO_BOOL) != (b->id == TACO_BOOL);
        bool floats = taco__scalar_is_float(a->id) || taco__scalar_is_float(b->id);
        if (one_bool && !equality &&
            (floats || taco__scalar_is_decimal(a) || taco__scalar_is_decimal(b))) {
            return false;
        }
        if (floats) {
            t = taco__scalar_simple_type(a->id == TACO_DOUBLE || b->id == TACO_DOUBLE ? TACO_DOUBLE
                                                                                      : TACO_FLOAT);
        } else if (a->id == TACO_DECIMAL || b->id == TACO_DECIMAL) {
            int32_t whole = TACO__MAX(taco__scalar_decimal_digits(a) - a->scale,
                                      taco__scalar_decimal_digits(b) - b->scale);
            t = taco__scalar_simple_type(TACO_DECIMAL);
            t.scale = TACO__MAX(a->scale, b->scale);
            t.precision = whole + t.scale;
        } else {
            t.id = taco__scalar_common_int(a->id, b->id);
            t.precision = t.id == TACO_DECIMAL ? 39 : 0;
        }
    } else if ((a->id == TACO_DATE || a->id == TACO_TIMESTAMP) &&
               (b->id == TACO_DATE || b->id == TACO_TIMESTAMP)) {
        t.id = TACO__MAX(a->id, b->id); /* TIMESTAMP comes after DATE */
        t.unit = a->id == TACO_DATE   ? b->unit
                 : b->id == TACO_DATE ? a->unit
                                      : TACO__MAX(a->unit, b->unit);
        t.utc = a->utc || b->utc;
    } else if (a->id == TACO_TIME && b->id == TACO_TIME) {
        t.unit = TACO__MAX(a->unit, b->unit);
    } else if (a->id != b->id || taco__scalar_is_nested(a->id) || a->id == TACO_INTERVAL) {
        return false;
    }
    *out = t;
    return true;
}
/* NaN equals NaN and is greater than every number; -0.0 equals 0.0. */
TACO__INLINE int taco__scalar_compare_double(double a, double b)
{
    if (a != a || b != b) {
        return (a != a) - (b != b);
    }
    return (a > b) - (a < b);
}
/* Three-way order of two values that are not NULL, in a domain taco__scalar_common_type allowed. */
TACO__FN int taco__scalar_compare(taco__compare_domain dom, const taco__scalar *a,
                                  const taco__scalar *b)
{
    taco__i256 x, y;
    int32_t    sx, sy;
    switch (dom) {
    case TACO__DOMAIN_F32:
        return taco__scalar_compare_double(taco__scalar_to_double(a, true),
                                           taco__scalar_to_double(b, true));
    case TACO__DOMAIN_F64:
        return taco__scalar_compare_double(taco__scalar_to_double(a, false),
                                           taco__scalar_to_double(b, false));
    case TACO__DOMAIN_BYTES: return taco__bytes_compare(a->b, b->b);
    case TACO__DOMAIN_EXACT:
        taco__scalar_to_exact(a, &x, &sx);
        taco__scalar_to_exact(b, &y, &sy);
        return taco__scalar_compare_exact(x, sx, y, sy);
    default: return 0;
    }
}

/* ---- keys: every fixed-width column as integers in the order of SQL ---- */

/* A key is an integer that sorts as the value does, so that any comparison with a constant becomes a closed range of
   keys. FLOAT and DOUBLE turn their sign and magnitude into two's complement: -0.0 is 0 and NaN is the greatest. */
TACO__INLINE int32_t taco__scalar_key_f32(float x)
{
    uint32_t b = taco__f32_to_bits(x), m = b & 0x7FFFFFFFU;
    return m > 0x7F800000U ? INT32_MAX : b >> 31 ? -(int32_t)m : (int32_t)m;
}
TACO__INLINE int64_t taco__scalar_key_f64(double x)
{
    uint64_t b = taco__f64_to_bits(x), m = b & INT64_MAX;
    return m > (uint64_t)0x7FF << 52 ? INT64_MAX : b >> 63 ? -(int64_t)m : (int64_t)m;
}
TACO__INLINE float taco__scalar_f32_from_key(int64_t k)
{
    return k < 0 ? taco__f32_from_bits((uint32_t)1 << 31 | (uint32_t)-k)
                 : taco__f32_from_bits((uint32_t)k);
}
TACO__INLINE double taco__scalar_f64_from_key(int64_t k)
{
    return k < 0 ? taco__f64_from_bits((uint64_t)1 << 63 | (uint64_t)-k)
                 : taco__f64_from_bits((uint64_t)k);
}
#define TACO__SCALAR_INF32_KEY ((int64_t)0x7F800000)
#define TACO__SCALAR_INF64_KEY ((int64_t)0x7FF << 52)

/* Columns that TEST by key: all that compare, except bytes. */
TACO__FN bool taco__scalar_has_key(taco_type id)
{
    return taco__scalar_domain_of(id) != TACO__DOMAIN_NONE && !taco__scalar_is_bytes(id);
}
/* Between values and keys, in both directions. Keys behind infinity are NaN, whatever their bits. */
TACO__FN taco__i256 taco__scalar_to_key(const taco__scalar *v)
{
    if (v->type.id == TACO_DOUBLE) {
        return taco__i256_from_i64(taco__scalar_key_f64(v->f));
    }
    return taco__scalar_is_float(v->type.id)
               ? taco__i256_from_i64(taco__scalar_key_f32((float)v->f))
               : v->d;
}
TACO__FN taco__scalar taco__scalar_from_key(const taco__scalar_type *t, taco__i256 key)
{
    taco__scalar v = taco__scalar_make_null();
    v.type = *t;
    if (t->id == TACO_DOUBLE) {
        v.f = taco__scalar_f64_from_key((int64_t)key.w[0]);
    } else if (taco__scalar_is_float(t->id)) {
        v.f = (double)taco__scalar_f32_from_key((int64_t)key.w[0]);
    } else {
        v.d = key;
    }
    return v;
}
/* The least and greatest key a column of the type can hold. */
TACO__FN void taco__scalar_key_bounds(const taco__scalar_type *t, taco__i256 *lo, taco__i256 *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64};
    if (t->id == TACO_BOOL || (t->id >= TACO_UINT8 && t->id <= TACO_UINT64)) {
        *lo = taco__i256_from_i64(0);
        *hi = taco__i256_from_u64(UINT64_MAX >> (64 - bits[t->id]));
    } else if (
        t->id ==
        TACO_DECIMAL) { /* 254 bits: more than 76 digits, and one step beyond does not wrap */
        memset(hi, 0xFF, sizeof *hi);
        hi->w[3] >>= 2;
        *lo = taco__i256_negate(*hi);
    } else if (t->id == TACO_DOUBLE) {
        *lo = taco__i256_from_i64(-TACO__SCALAR_INF64_KEY);
        *hi = taco__i256_from_i64(INT64_MAX);
    } else if (taco__scalar_is_float(t->id)) {
        *lo = taco__i256_from_i64(-TACO__SCALAR_INF32_KEY);
        *hi = taco__i256_from_i64(INT32_MAX);
    } else {
        unsigned n = t->id >= TACO_INT8 && t->id <= TACO_INT64 ? bits[t->id]
                     : t->id == TACO_DATE                      ? 32
                                                               : 64;
        *lo = taco__i256_from_i64(INT64_MIN >> (64 - n));
        *hi = taco__i256_from_i64(INT64_MAX >> (64 - n));
    }
}

/* ---- text to values: what a quoted literal means where another type is asked for ---- */

/* Without the blanks around, which casts from text allow. */
TACO__FN taco_bytes taco__ascii_trim(taco_bytes b)
{
    while (b.len && (b.data[0] == ' ' || (b.data[0] >= '\t' && b.data[0] <= '\r'))) {
        b.data++;
        b.len--;
    }
    while (b.len &&
           (b.data[b.len - 1] == ' ' || (b.data[b.len - 1] >= '\t' && b.data[b.len - 1] <= '\r'))) {
        b.len--;
    }
    return b;
}
/* True when b is word, ASCII case ignored. word is lower case. */
TACO__FN bool taco__ascii_is_word(taco_bytes b, const char *word)
{
    size_t i, n = strlen(word);
    if (b.len != n) {
        return false;
    }
    for (i = 0; i < n; i++) {
        uint8_t c = b.data[i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != (uint8_t)word[i]) {
            return false;
        }
    }
    return true;
}
/* [+-]digits[.digits][e[+-]digits], single underscores between digits, as an integer of scale `scale`, half away from
   zero. Digits behind the 75th only move the point. */
TACO__FN bool taco__scalar_parse_exact(taco_bytes b, int32_t scale, taco__i256 *out)
{
    taco__i256 m = taco__i256_from_i64(0);
    int32_t    kept = 0, exponent = 0, e = 0;
    size_t     i = 0;
    bool       neg, point = false, any = false, eneg = false;
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
        } else if (!(c == '_' && i && i + 1 < b.len && b.data[i - 1] >= '0' &&
                     b.data[i - 1] <= '9' && b.data[i + 1] >= '0' && b.data[i + 1] <= '9')) {
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
    if (!any || i != b.len) {
        return false;
    }
    exponent += scale;
    if (exponent < 0) {
        m = taco__i256_div10(m, TACO__MIN(-exponent, 100), true);
    } else if (kept && (exponent > 76 || !taco__i256_mul10(&m, exponent))) {
        return false;
    }
    *out = neg ? taco__i256_negate(m) : m;
    return true;
}
/* What CAST AS FLOAT (single) or DOUBLE reads: a number, nan, inf or infinity in any case, with a sign. Numbers of more
   than 512 characters are refused. */
TACO__FN bool taco__scalar_parse_float(taco_bytes b, bool single, double *out)
{
    char   digits[512];
    size_t i, n = 0;
    bool   neg;
    float  f;
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
    for (; i < b.len && n < sizeof digits; i++) { /* without the underscores between digits */
        if (b.data[i] != '_' || !n || i + 1 >= b.len || digits[n - 1] < '0' ||
            digits[n - 1] > '9' || b.data[i + 1] < '0' || b.data[i + 1] > '9') {
            digits[n++] = (char)b.data[i];
        }
    }
    if (i < b.len || !n || digits[0] == '-' || digits[0] == '+') {
        return false;
    }
    if (single) {
        if (!taco__num_parse_f32(taco__bytes_of(digits, n), &f)) {
            return false;
        }
        *out = (double)f;
    } else if (!taco__num_parse_f64(taco__bytes_of(digits, n), out)) {
        return false;
    }
    *out = neg ? -*out : *out;
    return true;
}
/* The words CAST AS BOOLEAN knows; blanks around are not allowed there. */
TACO__FN bool taco__scalar_parse_bool(taco_bytes b, bool *out)
{
    *out = taco__ascii_is_word(b, "true") || taco__ascii_is_word(b, "t") ||
           taco__ascii_is_word(b, "1") || taco__ascii_is_word(b, "yes") ||
           taco__ascii_is_word(b, "y");
    return *out || taco__ascii_is_word(b, "false") || taco__ascii_is_word(b, "f") ||
           taco__ascii_is_word(b, "0") || taco__ascii_is_word(b, "no") ||
           taco__ascii_is_word(b, "n");
}
/* The value of a hexadecimal digit, or -1. */
TACO__FN int taco__ascii_hex_value(uint8_t c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}
/* Two hex digits at b[i] as a byte, or -1. */
TACO__FN int taco__ascii_hex_byte(taco_bytes b, size_t i)
{
    int high = i + 1 < b.len ? taco__ascii_hex_value(b.data[i]) : -1,
        low = high >= 0 ? taco__ascii_hex_value(b.data[i + 1]) : -1;
    return low < 0 ? -1 : high * 16 + low;
}
/* ASCII with \xHH for the rest, or (hex) digit pairs only. The bytes go to the arena; false when b is not of the form
   or there is no memory, which err then says. */
TACO__FN bool taco__scalar_parse_blob(taco__arena *arena, taco_bytes b, bool hex, taco_bytes *out,
                                      taco_error *err)
{
    size_t   i = 0, n = 0;
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, b.len, err);
    while (p && i < b.len) {
        bool escape = !hex && b.data[i] == '\\';
        int  x = escape && (i + 1 >= b.len || b.data[i + 1] != 'x')
                     ? -1
                     : taco__ascii_hex_byte(b, i + (escape ? 2U : 0U));
        if (!hex && !escape && b.data[i] < 0x80) {
            p[n++] = b.data[i++];
        } else if (x < 0 || (!hex && !escape)) {
            return false;
        } else {
            p[n++] = (uint8_t)x;
            i += escape ? 4U : 2U;
        }
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}
/* 32 hex digits with dashes anywhere between and braces around. */
TACO__FN bool taco__scalar_parse_uuid(taco_bytes b, uint8_t out[16])
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

/* A date, a time of day or both, as CAST reads them in room time, but to the nanosecond and with the offset apart. */
typedef struct taco__parsed_time {
    int64_t days, micros; /* of the day, up to 24:00 */
    int64_t nanos, shift; /* below the microsecond; microseconds the offset takes to UTC */
    bool    has_time;
} taco__parsed_time;

/* h:mm[:ss[.digits]] and an offset at in, which must end behind them. */
TACO__FN bool taco__scalar_parse_time_of_day(taco__time_parser *in, taco__parsed_time *t)
{
    size_t at = in->at;
    bool   zone;
    if (!taco__time_cast_clock(in, &t->micros)) {
        return false;
    }
    t->has_time = true;
    for (; at < in->at && in->s[at] != '.'; at++) {
    }
    if (in->at - at > 7) { /* digits seven to nine behind the point */
        size_t i;
        for (i = 7; i < 10; i++) {
            t->nanos = t->nanos * 10 + (at + i < in->at ? in->s[at + i] - '0' : 0);
        }
    }
    return taco__time_cast_zone(in, &t->shift, &zone);
}
/* All of b as a date with or without a time, or, unless it must begin with a date, a time alone. */
TACO__FN bool taco__scalar_parse_datetime(taco_bytes b, bool date, taco__parsed_time *t)
{
    taco__time_parser in;
    memset(&in, 0, sizeof in);
    memset(t, 0, sizeof *t);
    b = taco__ascii_trim(b);
    in.s = b.data;
    in.end = b.len;
    if (!date && taco__scalar_parse_time_of_day(&in, t)) {
        return true;
    }
    memset(t, 0, sizeof *t);
    in.at = in.want_at = 0;
    in.want = NULL;
    if (!taco__time_cast_date_part(&in, &t->days)) {
        return false;
    }
    if (in.at == in.end) {
        return true;
    }
    if (!taco__time_accept(&in, 'T') && !taco__time_accept(&in, 't')) {
        taco__time_skip_spaces(&in);
    }
    return taco__scalar_parse_time_of_day(&in, t);
}
/* Text as DATE, TIME or TIMESTAMP. An offset counts where the type is an instant (or of nanoseconds: DuckDB's rule) and
   is ignored in plain timestamps. */
TACO__FN bool taco__scalar_parse_temporal(taco_bytes b, const taco__scalar_type *t,
                                          taco__scalar *out)
{
    taco__parsed_time c;
    bool              nano = t->unit == TACO_NANO;
    int32_t           days;
    *out = taco__scalar_make_null();
    out->type = *t;
    if (t->id == TACO_DATE) {
        if (!taco__time_cast_date(b, &days)) {
            return false;
        }
        out->d = taco__i256_from_i64(days);
        return true;
    }
    if (!taco__scalar_parse_datetime(b, t->id != TACO_TIME, &c) ||
        (t->id == TACO_TIME && !c.has_time)) {
        return false;
    }
    if (!nano) { /* microseconds are DuckDB's timestamps: finer digits are cut, coarser columns are compared exactly */
        out->type.unit = TACO_MICRO;
        c.nanos = 0;
    }
    if (t->id == TACO_TIME) {
        c.days = 0;
    } else if (t->utc || nano) {
        c.micros += c.shift;
    }
    out->d = taco__i256_from_i64(c.days * 86400);
    if (!taco__i256_mul10(&out->d, 6)) {
        return false;
    }
    out->d = taco__i256_add(out->d, taco__i256_from_i64(c.micros));
    if (nano) {
        taco__i256_mul10(&out->d, 3);
        out->d = taco__i256_add(out->d, taco__i256_from_i64(c.nanos));
    }
    return taco__i256_is_i64(&out->d);
}
/* True when a column of that type can hold the number: a cast from text refuses the others. */
TACO__FN bool taco__scalar_fits(const taco__scalar_type *t, const taco__i256 *d)
{
    taco__i256 lo, hi;
    if (t->id == TACO_DECIMAL) { /* |d| < 10^precision */
        hi = taco__i256_from_i64(1);
        lo = taco__i256_is_negative(d) ? taco__i256_negate(*d) : *d;
        return !taco__i256_mul10(&hi, t->precision) || taco__i256_compare(&lo, &hi) < 0;
    }
    taco__scalar_key_bounds(t, &lo, &hi);
    return taco__i256_compare(&lo, d) <= 0 && taco__i256_compare(d, &hi) <= 0;
}
/* A text literal as a value of type t. False when it does not spell one (err stays clean) or when memory ends. */
TACO__FN bool taco__scalar_parse(taco__arena *arena, taco_bytes text, const taco__scalar_type *t,
                                 taco__scalar *out, taco_error *err)
{
    bool     b;
    uint8_t *p;
    *out = taco__scalar_make_null();
    out->type = *t;
    if (taco__scalar_is_int(t->id) || t->id == TACO_DECIMAL) {
        return taco__scalar_parse_exact(text, t->id == TACO_DECIMAL ? t->scale : 0, &out->d) &&
               taco__scalar_fits(t, &out->d);
    }
    switch (t->id) {
    case TACO_TEXT: out->b = text; return true;
    case TACO_BOOL:
        if (!taco__scalar_parse_bool(text, &b)) {
            return false;
        }
        out->d = taco__i256_from_i64(b);
        return true;
    case TACO_HALF:
    case TACO_FLOAT: return taco__scalar_parse_float(text, true, &out->f);
    case TACO_DOUBLE: return taco__scalar_parse_float(text, false, &out->f);
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP: return taco__scalar_parse_temporal(text, t, out);
    case TACO_BINARY: return taco__scalar_parse_blob(arena, text, false, &out->b, err);
    case TACO_UUID:
        p = (uint8_t *)taco__arena_alloc(arena, 16, err);
        out->b = taco__bytes_of(p, 16);
        return p && taco__scalar_parse_uuid(text, p);
    default: return false;
    }
}

/* ---- values from the PLAIN bytes of statistics ---- */

/* Reads a minimum or maximum of column f stored as physical type `physical` (the numbers of parquet.thrift's Type).
   False when it says nothing that can be relied on: wrong length, NaN, an order the format leaves undefined. The bytes
   of TEXT, BINARY and UUID values are borrowed. */
TACO__FN bool taco__scalar_from_statistics(const taco_field *f, int32_t physical, taco_bytes b,
                                           taco__scalar *out)
{
    static const uint8_t sizes[] = {1, 4, 8, 12, 4, 8};
    int64_t              x = 0;
    *out = taco__scalar_make_null();
    out->type = taco__scalar_type_of_field(f);
    if (physical < 0 || physical > 7 || (physical < 6 && b.len != sizes[physical])) {
        return false;
    }
    if (physical == 1) {
        x = (int32_t)taco__load_le32(b.data);
    } else if (physical == 2) {
        x = (int64_t)taco__load_le64(b.data);
    } else if (physical == 0) {
        x = b.data[0] != 0;
    }
    switch (f->type) {
    case TACO_BOOL: out->d = taco__i256_from_i64(x); return physical == 0;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_UINT8:
    case TACO_UINT16: /* values keep their low bits only: bounds that do not fit order nothing */
        out->d = taco__i256_from_i64(x);
        return physical == 1 && taco__scalar_fits(&out->type, &out->d);
    case TACO_INT32:
    case TACO_DATE: out->d = taco__i256_from_i64(x); return physical == 1;
    case TACO_INT64:
    case TACO_TIMESTAMP: out->d = taco__i256_from_i64(x); return physical == 2;
    case TACO_TIME: out->d = taco__i256_from_i64(x); return physical == 1 || physical == 2;
    case TACO_UINT32: out->d = taco__i256_from_i64(x & UINT32_MAX); return physical == 1;
    case TACO_UINT64: out->d = taco__i256_from_u64((uint64_t)x); return physical == 2;
    case TACO_HALF:
        out->f = b.len == 2 ? (double)taco__num_f16_to_f32(taco__load_le16(b.data)) : 0;
        return b.len == 2 && out->f == out->f;
    case TACO_FLOAT:
        out->f = physical == 4 ? (double)taco__f32_from_bits(taco__load_le32(b.data)) : 0;
        return physical == 4 && out->f == out->f;
    case TACO_DOUBLE:
        out->f = physical == 5 ? taco__f64_from_bits(taco__load_le64(b.data)) : 0;
        return physical == 5 && out->f == out->f;
    case TACO_DECIMAL:
        out->d = taco__i256_from_i64(x);
        return physical == 1 || physical == 2 ||
               (physical >= 6 && b.len && taco__i256_from_be(b, &out->d));
    case TACO_TEXT:
    case TACO_BINARY: out->b = b; return physical == 6;
    case TACO_FIXED:
    case TACO_UUID: out->b = b; return physical == 7 && b.len == (size_t)f->width;
    default: return false; /* INT96, INTERVAL and nested columns have no order */
    }
}
