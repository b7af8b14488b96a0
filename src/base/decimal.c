/* decimal.c - decimals of any width to text and to double

   A DECIMAL of Parquet or Arrow is an integer in two's complement, big-endian of any length in
   files, little-endian of 4 to 32 bytes in columns, whose last `scale` digits are after the point:
   0xFF38 of scale 2 is -2.00. Most have 16 bytes, nearly always with a value that fits in 8, for
   which there is a fast path. Longer ones are repeatedly divided by 10^9, which takes quadratic
   time and is therefore limited. Start with taco__decimal_append_le. */
#include "base.h"

/* most bytes of a value, not counting sign bytes: 2,466 digits */
#define TACO__DECIMAL_MAX_BYTES 1024
#define TACO__DECIMAL_MAX_SCALE 10000
#define TACO__DECIMAL_CHARS     2488 /* 9 * ceil(1024 * 8 * log10(2) / 9), and a margin */

/* Writes the digits of the magnitude in limb[0..n), least significant first, so that they end at
   `end`; returns where they begin. The limbs are destroyed. */
static char *taco__decimal_format_limbs(char *end, uint32_t *limb, size_t n)
{
    char *p = end;
    while (n && limb[n - 1] == 0) {
        n--;
    }
    while (n > 2) {
        uint64_t rest = 0;
        size_t i;
        for (i = n; i-- > 0;) {
            rest = rest << 32 | limb[i];
            limb[i] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        while (n && limb[n - 1] == 0) {
            n--;
        }
        p -= 9;
        p[0] = (char)('0' + rest / 100000000);
        taco__num_put8(p + 1, (uint32_t)(rest % 100000000));
    }
    if (n || p == end) {
        char head[20];
        uint64_t x = (n > 0 ? limb[0] : 0) | (uint64_t)(n > 1 ? limb[1] : 0) << 32;
        size_t len = taco__num_format_u64(head, x);
        p -= len;
        memcpy(p, head, len);
    }
    return p;
}

/* Appends sign, digits and the point: exactly `scale` digits after it, at least one before. A scale
   below 1 has no point. */
static bool taco__decimal_append_digits(taco__buf *out, bool negative, const char *digits, size_t n,
                                        int32_t scale, taco_error *err)
{
    size_t s = scale > 0 ? (size_t)scale : 0, whole = n > s ? n - s : 0;
    char *p;
    if (s > TACO__DECIMAL_MAX_SCALE) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "decimal of scale %u, at most %u is written as text", TACO__U(s),
                   TACO__U(TACO__DECIMAL_MAX_SCALE));
        return false;
    }
    if (!taco__buf_reserve(out, 3 + n + s, err)) { return false; }
    p = (char *)out->data + out->len;
    if (negative) { *p++ = '-'; }
    if (whole) {
        memcpy(p, digits, whole);
        p += whole;
    } else {
        *p++ = '0';
    }
    if (s) {
        *p++ = '.';
        if (n < s) {
            memset(p, '0', s - n);
            p += s - n;
        }
        memcpy(p, digits + whole, n - whole);
        p += n - whole;
    }
    out->len = (size_t)((uint8_t *)p - out->data);
    return true;
}

/* The digits of a big-endian two's complement integer, without its sign: they end at `end`, before
   which TACO__DECIMAL_CHARS bytes are free, and begin where the result points. NULL when it is too
   long. */
static char *taco__decimal_format_magnitude(char *end, taco_bytes b, bool *negative,
                                            taco_error *err)
{
    uint32_t limb[TACO__DECIMAL_MAX_BYTES / 4 + 1];
    uint8_t fill = b.len && b.data[0] >> 7 ? 0xFF : 0;
    bool carry = fill != 0;
    size_t i, n;
    *negative = carry;
    while (b.len && b.data[0] == fill) { /* sign bytes are redundant */
        b.data++;
        b.len--;
    }
    if (b.len > TACO__DECIMAL_MAX_BYTES) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "decimal of %u bytes, at most %u are converted", TACO__U(b.len),
                   TACO__U(TACO__DECIMAL_MAX_BYTES));
        return NULL;
    }
    n = b.len / 4 + 1;
    memset(limb, 0, n * sizeof limb[0]);
    for (i = 0; i < b.len; i++) {
        limb[i / 4] |= (uint32_t)(uint8_t)(b.data[b.len - 1 - i] ^ fill) << (8 * (i % 4));
    }
    for (i = 0; i < n && carry; i++) { /* -x = ~x + 1 */
        carry = ++limb[i] == 0;
    }
    return taco__decimal_format_limbs(end, limb, n);
}

/* Appends a big-endian decimal as text; one of no bytes is 0. */
TACO__FN bool taco__decimal_append_be(taco__buf *out, taco_bytes b, int32_t scale, taco_error *err)
{
    char text[TACO__DECIMAL_CHARS], *end = text + sizeof text, *p;
    bool negative;
    p = taco__decimal_format_magnitude(end, b, &negative, err);
    return p && taco__decimal_append_digits(out, negative, p, (size_t)(end - p), scale, err);
}

/* Reverses a little-endian integer of at most 32 bytes. */
static taco_bytes taco__decimal_to_be(uint8_t be[32], const uint8_t *le, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        be[i] = le[n - 1 - i];
    }
    return taco__bytes_of(be, n);
}

/* Appends a little-endian decimal of `width` bytes, at most 32, as text. */
TACO__FN bool taco__decimal_append_le(taco__buf *out, const uint8_t *le, int32_t width,
                                      int32_t scale, taco_error *err)
{
    uint8_t be[32];
    size_t n = width > 0 ? TACO__MIN((size_t)width, sizeof be) : 0, i;
    uint8_t sign = n && le[n - 1] >> 7 ? 0xFF : 0;
    for (i = 8; i < n && le[i] == sign; i++) {}
    if (i == n && (le[7] ^ sign) < 0x80) { /* fits an int64_t, as nearly all do */
        uint64_t x = taco__load_le64(le);
        char text[20];
        size_t len = taco__num_format_u64(text, sign ? 0 - x : x);
        return taco__decimal_append_digits(out, sign != 0, text, len, scale, err);
    }
    return taco__decimal_append_be(out, taco__decimal_to_be(be, le, n), scale, err);
}

/* The double nearest to a big-endian decimal; 0 when it is too long to convert. */
static double taco__decimal_be_to_f64(taco_bytes b, int32_t scale)
{
    char text[TACO__DECIMAL_CHARS], *end = text + sizeof text, *p;
    taco__num_parse_digits d;
    bool negative;
    p = taco__decimal_format_magnitude(end, b, &negative, NULL);
    if (!p) { return 0; }
    taco__num_parse_text(taco__bytes_of(p, (size_t)(end - p)), &d);
    d.exponent = -(int64_t)scale;
    return taco__num_parse_to_f64(&d, negative);
}

/* The double nearest to a little-endian decimal of `width` bytes, at most 32. */
TACO__FN double taco__decimal_le_to_f64(const uint8_t *le, int32_t width, int32_t scale)
{
    uint8_t be[32];
    size_t n = width > 0 ? TACO__MIN((size_t)width, sizeof be) : 0;
    return taco__decimal_be_to_f64(taco__decimal_to_be(be, le, n), scale);
}
