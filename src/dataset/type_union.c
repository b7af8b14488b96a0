/* type_union.c - a common type for a column that datasets store with several types, and casts to it

   In: two fields, or an array and the field it is to become. Out: the type that can hold both
   (taco__unify_type), or the array cast to it (taco__unify_cast_array). The rules are those of
   DuckDB's UNION ALL, which the reference relies on in every column mode (TACO 2.0 §7.2.4); types
   that DuckDB unifies but cannot cast to are not unified here. Results live in the arena. */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/filter.h"

/* ---- types ---- */

/* Whether the types are the same, ignoring children, names and nullability. */
static bool taco__unify_same_kind(const taco_field *a, const taco_field *b)
{
    return a->type == b->type && a->child_count == b->child_count && a->width == b->width &&
           a->scale == b->scale && a->precision == b->precision &&
           (a->utc == b->utc || a->type != TACO_TIMESTAMP) &&
           (a->unit == b->unit || (a->type != TACO_TIME && a->type != TACO_TIMESTAMP));
}

/* Whether the types are the same, including the names of a STRUCT's fields. The names of a MAP's
   key and value do not matter. */
TACO__FN bool taco__unify_same_type(const taco_field *a, const taco_field *b)
{
    bool names = a->type == TACO_STRUCT;
    uint32_t i;
    if (!taco__unify_same_kind(a, b)) { return false; }
    if (a->type == TACO_MAP) {
        a = a->children;
        b = b->children;
        if (a->child_count != b->child_count) { return false; }
    }
    for (i = 0; i < a->child_count; i++) {
        if ((names && strcmp(a->children[i].name, b->children[i].name) != 0) ||
            !taco__unify_same_type(&a->children[i], &b->children[i])) {
            return false;
        }
    }
    return true;
}

/* BOOL, integers and floats, ordered so that a later one can hold an earlier one; 0 for others. */
static int taco__unify_numeric_rank(taco_type t)
{
    return t == TACO_BOOL                       ? 1
           : t >= TACO_INT8 && t <= TACO_UINT64 ? 2
           : t == TACO_HALF || t == TACO_FLOAT  ? 3
           : t == TACO_DOUBLE                   ? 4
                                                : 0;
}

/* Of an integer: the signed types come first. */
static bool taco__unify_is_signed(taco_type t)
{
    return t <= TACO_INT64;
}

/* The common type of two integers: the wider one if both have the same sign; otherwise signed, one
   size larger. TACO_DECIMAL for UINT64 with a signed one, which needs more than 64 bits: DuckDB's
   HUGEINT, in Arrow DECIMAL(38, 0). */
static taco_type taco__unify_integer_type(taco_type a, taco_type b)
{
    int x = taco__unify_is_signed(a) ? (int)a - TACO_INT8 : (int)a - TACO_UINT8,
        y = taco__unify_is_signed(b) ? (int)b - TACO_INT8 : (int)b - TACO_UINT8, wide;
    if (taco__unify_is_signed(a) == taco__unify_is_signed(b)) { return TACO__MAX(a, b); }
    wide = taco__unify_is_signed(a) ? TACO__MAX(x, y + 1) : TACO__MAX(y, x + 1);
    return wide > 3 ? TACO_DECIMAL : (taco_type)(TACO_INT8 + wide);
}

/* Width of a value, for the types made here. */
static int32_t taco__unify_type_width(taco_type t)
{
    switch (t) {
    case TACO_INT8:
    case TACO_UINT8: return 1;
    case TACO_INT16:
    case TACO_UINT16: return 2;
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_FLOAT:
    case TACO_DATE: return 4;
    default: return 8;
    }
}

/* Sets *out to a plain type t; its name is kept. */
static void taco__unify_set_type(taco_field *out, taco_type t)
{
    out->type = t;
    out->unit = TACO_SECOND;
    out->utc = false;
    out->width = taco__unify_type_width(t);
    out->precision = out->scale = 0;
}

/* Whether a number has no digits after the point. A DECIMAL(38, 0) is what integers of both signs
   have become, DuckDB's HUGEINT, and stays an integer to a third dataset. */
static bool taco__unify_is_whole(const taco_field *f)
{
    return f->type != TACO_DECIMAL || (f->precision == 38 && f->scale == 0);
}

/* The common type of a DECIMAL and a number that is not a float. All digits before the point are
   kept, and after it as many as fit into 38 (76 if one of them has more than 38; the reference
   cannot read those): DECIMAL(10, 2) and DECIMAL(38, 30), for example, give DECIMAL(38, 30). With
   an integer the scale is kept. A value that does not fit is an error, also where DuckDB rounds. */
static bool taco__unify_decimal_type(const taco_field *a, const taco_field *b, taco_field *out)
{
    taco__scalar_type x = taco__scalar_type_of_field(a), y = taco__scalar_type_of_field(b);
    int32_t most = TACO__MAX(a->precision, b->precision) > 38 ? 76 : 38, whole;
    if (TACO__MAX(a->precision, b->precision) > 76) { return false; }
    out->type = TACO_DECIMAL;
    out->unit = TACO_SECOND;
    out->utc = false;
    out->width = most == 38 ? 16 : 32;
    out->scale = TACO__MAX(x.scale, y.scale); /* 0 of an integer */
    if (x.id == TACO_DECIMAL && y.id == TACO_DECIMAL) {
        whole = TACO__MAX(x.precision - x.scale, y.precision - y.scale);
        if (!taco__unify_is_whole(a) && !taco__unify_is_whole(b)) {
            out->scale = TACO__MIN(out->scale, most - whole);
        }
    } else {
        const taco__scalar_type *d = x.id == TACO_DECIMAL ? &x : &y, *other = d == &x ? &y : &x;
        whole = TACO__MAX(d->precision - d->scale,
                          other->id == TACO_BOOL ? 0 : taco__scalar_decimal_digits(other));
    }
    out->precision = TACO__MIN(whole + out->scale, most);
    return true;
}

/* Whether a field has that name, ignoring ASCII case. */
static bool taco__unify_is_named(const taco_field *a, const char *name)
{
    size_t i, n = strlen(name);
    for (i = 0;
         i < n && taco__ascii_lower((uint8_t)a->name[i]) == taco__ascii_lower((uint8_t)name[i]);
         i++) {}
    return i == n && !a->name[n];
}

/* The index of the field of a STRUCT with that name; child_count if there is none. */
static uint32_t taco__unify_find_child(const taco_field *f, const char *name)
{
    uint32_t i;
    for (i = 0; i < f->child_count && !taco__unify_is_named(&f->children[i], name); i++) {}
    return i;
}

/* The fields of a STRUCT by name: those of a, then those that only b has. Fields that one of them
   lacks are nullable. */
static bool taco__unify_struct_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                    taco_field *out, taco_error *err)
{
    taco_field *f = (taco_field *)taco__arena_array(
        arena, (size_t)a->child_count + b->child_count + 1, sizeof *f, err);
    uint32_t i, k, n = a->child_count;
    out->children = f;
    if (!f) { return false; }
    for (i = 0; i < a->child_count; i++) {
        f[i] = a->children[i];
        f[i].nullable = true;
        k = taco__unify_find_child(b, a->children[i].name);
        if (k < b->child_count &&
            !taco__unify_type(arena, &a->children[i], &b->children[k], &f[i], err)) {
            return false;
        }
    }
    for (i = 0; i < b->child_count; i++) {
        if (taco__unify_find_child(a, b->children[i].name) == a->child_count) {
            f[n] = b->children[i];
            f[n++].nullable = true;
        }
    }
    out->child_count = n;
    return true;
}

/* The entries of a MAP, with key and value by position. */
static bool taco__unify_entries_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                     taco_field *out, taco_error *err)
{
    taco_field *f =
        (taco_field *)taco__arena_array(arena, (size_t)a->child_count + 1, sizeof *f, err);
    uint32_t i;
    out->children = f;
    if (!f || a->child_count != b->child_count) { return false; }
    for (i = 0; i < a->child_count; i++) {
        if (!taco__unify_type(arena, &a->children[i], &b->children[i], &f[i], err)) {
            return false;
        }
    }
    out->child_count = a->child_count;
    return true;
}

/* LIST with LIST, MAP with MAP, STRUCT with STRUCT. */
static bool taco__unify_nested_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                                    taco_field *out, taco_error *err)
{
    taco_field *child;
    if (a->type == TACO_STRUCT) { return taco__unify_struct_type(arena, a, b, out, err); }
    if (a->child_count != 1 || b->child_count != 1) { return false; }
    child = (taco_field *)taco__arena_alloc(arena, sizeof *child, err);
    out->children = child;
    if (child && a->type == TACO_MAP) {
        *child = *a->children;
        return taco__unify_entries_type(arena, a->children, b->children, child, err);
    }
    return child && taco__unify_type(arena, a->children, b->children, child, err);
}

/* Types that DuckDB converts to text when combined with text; BINARY absorbs text, nested types
   cannot be combined with it. */
static bool taco__unify_becomes_text(taco_type t)
{
    return taco__unify_numeric_rank(t) || t == TACO_DECIMAL || t == TACO_DATE || t == TACO_TIME ||
           t == TACO_TIMESTAMP;
}

/* *out becomes b, with the name and nullability that it has. */
static bool taco__unify_take_other(const taco_field *b, taco_field *out)
{
    const char *name = out->name;
    bool nullable = out->nullable;
    *out = *b;
    out->name = name;
    out->nullable = nullable;
    return true;
}

/* Numbers of any kind; x and y are their ranks, 0 for a DECIMAL. FLOAT absorbs every number but
   DOUBLE, as in DuckDB, at the cost of digits. */
static bool taco__unify_number_type(const taco_field *a, const taco_field *b, int x, int y,
                                    taco_field *out)
{
    taco_type t;
    if (x == 4 || y == 4) {
        taco__unify_set_type(out, TACO_DOUBLE);
        return true;
    }
    if (x == 3 || y == 3) {
        taco__unify_set_type(out, TACO_FLOAT);
        return true;
    }
    if (!x || !y) { return taco__unify_decimal_type(a, b, out); }
    t = x == 2 && y == 2 ? taco__unify_integer_type(a->type, b->type) : x >= y ? a->type : b->type;
    taco__unify_set_type(out, t);
    if (t == TACO_DECIMAL) {
        out->width = 16;
        out->precision = 38;
    }
    return true;
}

/* Two TIMESTAMPs or two TIMEs with different units: the finer one. TIME in nanoseconds fails in
   DuckDB, which has no TIMESTAMP in nanoseconds with a time zone either. */
static bool taco__unify_time_type(const taco_field *a, const taco_field *b, taco_field *out)
{
    out->unit = TACO__MAX(a->unit, b->unit);
    out->utc = (a->type == TACO_TIME || out->unit != TACO_NANO) && (a->utc || b->utc);
    out->width = TACO__MAX(a->width, b->width);
    return true;
}

/* *out: the type that can hold both a and b, named as a. False if there is none, or no memory: also
   if DuckDB names a type that it then cannot cast to (DATE with a number, LIST or STRUCT with
   something else). */
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err)
{
    int x = taco__unify_numeric_rank(a->type), y = taco__unify_numeric_rank(b->type);
    taco_type s = a->type, t = b->type;
    *out = *a;
    out->nullable = a->nullable || b->nullable || s == TACO_NULL || t == TACO_NULL;
    if (taco__unify_same_type(a, b) || t == TACO_NULL) { return true; }
    if (s == TACO_NULL || (s == TACO_TEXT && t == TACO_BINARY)) {
        return taco__unify_take_other(b, out);
    }
    if ((x || s == TACO_DECIMAL) && (y || t == TACO_DECIMAL)) {
        return taco__unify_number_type(a, b, x, y, out);
    }
    if ((s == TACO_TEXT && taco__unify_becomes_text(t)) ||
        (t == TACO_TEXT && taco__unify_becomes_text(s))) {
        taco__unify_set_type(out, TACO_TEXT);
        out->width = 0;
        return true;
    }
    if (s == TACO_BINARY && t == TACO_TEXT) { return true; }
    if (s == TACO_DATE && t == TACO_TIMESTAMP) { return taco__unify_take_other(b, out); }
    if (s == TACO_TIMESTAMP && t == TACO_DATE) { return true; }
    if (s != t) { return false; }
    if (s == TACO_TIMESTAMP || s == TACO_TIME) { return taco__unify_time_type(a, b, out); }
    return (s == TACO_LIST || s == TACO_STRUCT || s == TACO_MAP) &&
           taco__unify_nested_type(arena, a, b, out, err);
}

/* ---- values ---- */

/* n rows without a value. One run of zeros serves as validity, offsets and values. Children of
   lists and maps are empty, those of a STRUCT have its length. */
TACO__FN bool taco__unify_null_array(const taco_field *f, size_t n, taco_array *a,
                                     taco__arena *arena, taco_error *err)
{
    size_t width = f->width > 8 ? (size_t)f->width : 8, bytes;
    uint32_t i;
    void *zeros;
    taco_array *children;
    memset(a, 0, sizeof *a);
    if (!taco__checked_mul_size(n + 1, width, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    zeros = taco__arena_alloc(arena, bytes + 8, err);
    children = (taco_array *)taco__arena_array(arena, f->child_count + 1, sizeof *children, err);
    if (!zeros || !children) { return false; }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__unify_null_array(&f->children[i], f->type == TACO_STRUCT ? n : 0, &children[i],
                                    arena, err)) {
            return false;
        }
    }
    a->field = f;
    a->length = a->null_count = n;
    a->validity = (const uint8_t *)zeros;
    a->offsets = (const int32_t *)zeros;
    a->v.any = zeros;
    a->children = children;
    return true;
}

/* Ticks of a unit in a second. */
static int64_t taco__unify_per_second(taco_unit u)
{
    return u == TACO_SECOND ? 1 : u == TACO_MILLI ? 1000 : u == TACO_MICRO ? 1000000 : 1000000000;
}

/* An integer, BOOL or DECIMAL as stored. */
static taco__i256 taco__unify_exact_value(const taco_array *in, size_t i)
{
    if (in->field->type == TACO_DECIMAL) {
        size_t width = (size_t)in->field->width;
        return taco__i256_from_le(in->v.u8 + i * width, width);
    }
    return in->field->type == TACO_UINT64 ? taco__i256_from_u64(in->v.u64[i])
                                          : taco__i256_from_i64(taco_array_int(in, i));
}

/* Drops `less` digits after the point; false if they are not 0. */
static bool taco__unify_drop_digits(taco__i256 *d, int32_t less)
{
    taco__i256 was = *d, again;
    *d = again = taco__i256_div10(was, less, false);
    return taco__i256_mul10(&again, less) && taco__i256_compare(&again, &was) == 0;
}

/* Value i as a number with the scale of `to`; 0 for null. False if it does not fit. */
static bool taco__unify_rescale(const taco_field *to, const taco__scalar_type *t,
                                const taco_array *in, size_t i, taco__i256 *d)
{
    int32_t less = (in->field->type == TACO_DECIMAL ? in->field->scale : 0) - to->scale;
    *d = taco__i256_from_i64(0);
    if (!taco_array_valid(in, i)) { return true; }
    *d = taco__unify_exact_value(in, i);
    return (less > 0 ? taco__unify_drop_digits(d, less) : taco__i256_mul10(d, -less)) &&
           taco__scalar_fits(t, d);
}

/* Casts to DECIMAL, little-endian words of 64 bits. */
static bool taco__unify_cast_decimals(const taco_field *to, const taco_array *in, uint8_t *out,
                                      taco_error *err)
{
    taco__scalar_type t = taco__scalar_type_of_field(to);
    size_t i, k, width = (size_t)to->width;
    for (i = 0; i < in->length; i++) {
        taco__i256 d;
        if (!taco__unify_rescale(to, &t, in, i, &d)) {
            taco_bytes name = taco__bytes_text(to->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q: value %u of a batch does not fit the DECIMAL(%d, %d) of all "
                       "datasets",
                       &name, TACO__U(i), TACO__D(to->precision), TACO__D(to->scale));
            return false;
        }
        for (k = 0; k < width / 8; k++) {
            taco__put_le64(out + i * width + k * 8, d.w[k]);
        }
    }
    return true;
}

/* Value i as FLOAT or DOUBLE. Every number is rounded only once: 64-bit integers are not converted
   via double. */
static void taco__unify_cast_float(const taco_field *to, const taco_array *in, size_t i,
                                   uint8_t *at)
{
    bool single = to->type == TACO_FLOAT;
    double d = taco_array_double(in, i);
    float f;
    if (in->field->type == TACO_DECIMAL) {
        taco__i256 x = taco__unify_exact_value(in, i);
        d = taco__scalar_decimal_to_double(&x, in->field->scale, single);
    }
    f = in->field->type == TACO_INT64    ? (float)in->v.i64[i]
        : in->field->type == TACO_UINT64 ? (float)in->v.u64[i]
                                         : (float)d;
    memcpy(at, single ? (const void *)&f : (const void *)&d, single ? sizeof f : sizeof d);
}

/* Value i as an integer that can hold it, in native byte order. */
static void taco__unify_cast_integer(const taco_field *to, const taco_array *in, size_t i,
                                     uint8_t *at)
{
    int64_t x = taco_array_int(in, i);
    int8_t a = (int8_t)x;
    int16_t b = (int16_t)x;
    int32_t c = (int32_t)x;
    const void *from = to->width == 1   ? (const void *)&a
                       : to->width == 2 ? (const void *)&b
                       : to->width == 4 ? (const void *)&c
                                        : (const void *)&x;
    memcpy(at, from, (size_t)to->width);
}

/* Nulls become zero. */
static void taco__unify_cast_numbers(const taco_field *to, const taco_array *in, uint8_t *out,
                                     size_t width)
{
    bool floats = to->type == TACO_FLOAT || to->type == TACO_DOUBLE;
    size_t i;
    for (i = 0; i < in->length; i++) {
        if (!taco_array_valid(in, i)) { continue; }
        if (floats) {
            taco__unify_cast_float(to, in, i, out + i * width);
        } else {
            taco__unify_cast_integer(to, in, i, out + i * width);
        }
    }
}

/* Times in the unit of `to`, the finest of all datasets; a DATE is its midnight. */
static bool taco__unify_cast_times(const taco_field *to, const taco_array *in, int64_t *out,
                                   taco_error *err)
{
    int64_t by = in->field->type == TACO_DATE
                     ? taco__unify_per_second(to->unit) * 86400
                     : taco__unify_per_second(to->unit) / taco__unify_per_second(in->field->unit);
    size_t i;
    for (i = 0; i < in->length; i++) {
        int64_t x = taco_array_valid(in, i) ? taco_array_int(in, i) : 0;
        if (by > 1 && (x > INT64_MAX / by || x < INT64_MIN / by)) {
            taco_bytes name = taco__bytes_text(to->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q: the time %d does not fit the unit of the other datasets", &name,
                       TACO__D(x));
            return false;
        }
        out[i] = x * by;
    }
    return true;
}

/* Turns a time, written from `begin` on as 2020-01-31T10:59:58.500Z, into DuckDB's form: 2020-01-31
   10:59:58.5+00. */
static bool taco__unify_fix_time(taco__buf *b, size_t begin, taco_error *err)
{
    char *p = (char *)b->data + begin, *end = (char *)b->data + b->len, *dot, *letter;
    size_t n = b->len - begin; /* a time has digits */
    bool zone = end[-1] == 'Z';
    dot = (char *)memchr(p, '.', n);
    letter = (char *)memchr(p, 'T', n);
    if (letter) { *letter = ' '; }
    end -= zone;
    while (dot && (end[-1] == '0' || end[-1] == '.') && end > dot) {
        end--;
    }
    b->len = (size_t)(end - (char *)b->data);
    return !zone || taco__buf_append_text(b, "+00", err);
}

/* Turns a value other than text, written from `begin` on and not empty, into DuckDB's form: nan and
   -inf for NaN and -Infinity. */
static bool taco__unify_fix_text(taco__buf *b, size_t begin, taco_type type, taco_error *err)
{
    const char *p = (const char *)b->data + begin;
    size_t n = b->len - begin;
    if (type == TACO_TIMESTAMP || type == TACO_TIME) { return taco__unify_fix_time(b, begin, err); }
    if (taco__unify_numeric_rank(type) > 2 && p[n - 1] > '9') {
        const char *word = *p == 'N' ? "nan" : *p == '-' ? "-inf" : "inf";
        b->len = begin;
        return taco__buf_append_text(b, word, err);
    }
    return true;
}

/* Appends value i, which is not null. */
static bool taco__unify_append_text(taco__buf *b, const taco_array *in, size_t i, taco_error *err)
{
    size_t begin = b->len;
    bool null;
    if (in->field->type == TACO_TEXT) { /* to BINARY, which absorbs text */
        taco_bytes x = taco_array_bytes(in, i);
        return taco__buf_append(b, x.data, x.len, err);
    }
    return taco__cell_bare(b, in, i, &null, err) &&
           taco__unify_fix_text(b, begin, in->field->type, err);
}

/* Casts to TEXT or BINARY. */
static bool taco__unify_cast_to_text(taco__arena *arena, const taco_array *in, taco_array *out,
                                     taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, in->length + 1, sizeof *offsets, err);
    taco__buf b;
    size_t i;
    bool ok = offsets != NULL;
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < in->length; i++) {
        offsets[i] = (int32_t)b.len;
        ok = !taco_array_valid(in, i) || taco__unify_append_text(&b, in, i, err);
        if (ok && b.len > INT32_MAX) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than 2 GiB of text in a batch");
            ok = false;
        }
    }
    if (ok) {
        offsets[in->length] = (int32_t)b.len;
        out->offsets = offsets;
        out->v.any = taco__arena_text(arena, taco__bytes_of(b.data, b.len), err);
        ok = out->v.any != NULL;
    }
    taco__buf_free(&b);
    return ok;
}

/* The fields of a STRUCT by name, or of the entries of a MAP by position. A field that `in` lacks
   becomes null. */
static bool taco__unify_cast_children(taco__arena *arena, const taco_field *to,
                                      const taco_array *in, bool places, taco_array *out,
                                      taco_error *err)
{
    taco_array *c =
        (taco_array *)taco__arena_array(arena, (size_t)to->child_count + 1, sizeof *c, err);
    uint32_t i, k;
    bool ok = c != NULL;
    out->children = c;
    for (i = 0; ok && i < to->child_count; i++) {
        k = places ? i : taco__unify_find_child(in->field, to->children[i].name);
        ok = k < in->field->child_count
                 ? taco__unify_cast_array(arena, &to->children[i], &in->children[k], &c[i], err)
                 : taco__unify_null_array(&to->children[i], in->length, &c[i], arena, err);
    }
    return ok;
}

/* The items of a LIST, or the entries of a MAP. */
static bool taco__unify_cast_items(taco__arena *arena, const taco_field *to, const taco_array *in,
                                   taco_array *out, taco_error *err)
{
    taco_array *child = (taco_array *)taco__arena_alloc(arena, sizeof *child, err);
    out->children = child;
    if (child && to->type == TACO_MAP) {
        *child = *in->children;
        child->field = to->children;
        return taco__unify_cast_children(arena, to->children, in->children, true, child, err);
    }
    return child && taco__unify_cast_array(arena, to->children, in->children, child, err);
}

/* Values of a fixed width. */
static bool taco__unify_cast_values(taco__arena *arena, const taco_field *to, const taco_array *in,
                                    taco_array *out, taco_error *err)
{
    size_t width =
        (size_t)(to->type == TACO_DECIMAL ? to->width : taco__unify_type_width(to->type));
    uint8_t *values = (uint8_t *)taco__arena_array(arena, in->length + 1, width, err);
    if (!values) { return false; }
    out->v.any = values;
    if (to->type == TACO_DECIMAL) { return taco__unify_cast_decimals(to, in, values, err); }
    if (to->type == TACO_TIMESTAMP || to->type == TACO_TIME) {
        return taco__unify_cast_times(to, in, (int64_t *)(void *)values, err);
    }
    taco__unify_cast_numbers(to, in, values, width);
    return true;
}

/* Casts an array to the field `to`, which taco__unify_type has made from its own field and others.
   Parts that need no cast are borrowed from `in`, the others are in the arena. */
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err)
{
    *out = *in;
    out->field = to;
    if (taco__unify_same_type(to, in->field)) { return true; }
    if (in->field->type == TACO_NULL) {
        return taco__unify_null_array(to, in->length, out, arena, err);
    }
    out->dictionary = NULL;
    switch (to->type) {
    case TACO_TEXT:
    case TACO_BINARY: return taco__unify_cast_to_text(arena, in, out, err);
    case TACO_STRUCT: return taco__unify_cast_children(arena, to, in, false, out, err);
    case TACO_LIST:
    case TACO_MAP: return taco__unify_cast_items(arena, to, in, out, err);
    default: return taco__unify_cast_values(arena, to, in, out, err);
    }
}
