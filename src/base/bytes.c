/* bytes.c - slices of bytes, a reader with a sticky flag, and UTF-8 (RFC 3629)

   taco_bytes is a pointer and a length; nothing here owns or copies bytes. taco__byte_reader walks
   over a slice that came from a file: its inline functions in base.h never read past the end, but
   set a flag that the caller checks once per header. Checked sums and little-endian loads are in
   base.h alone. taco__utf8_char is the only function in the library that validates UTF-8. */
#include "base.h"

TACO__FN taco_bytes taco__bytes_text(const char *s)
{
    return taco__bytes_of(s, s ? strlen(s) : 0);
}

/* How many bytes both begin with. */
TACO__FN size_t taco__bytes_common_prefix(taco_bytes a, taco_bytes b)
{
    size_t same = 0, most = TACO__MIN(a.len, b.len);
    while (most - same >= 8 && memcmp(a.data + same, b.data + same, 8) == 0) {
        same += 8;
    }
    while (same < most && a.data[same] == b.data[same]) {
        same++;
    }
    return same;
}

TACO__FN TACO__NOINLINE bool taco__bytes_starts_with(taco_bytes a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.len >= n && (n == 0 || memcmp(a.data, prefix, n) == 0);
}

TACO__FN taco__byte_reader taco__byte_reader_init(taco_bytes b)
{
    taco__byte_reader c;
    c.begin = c.at = b.data;
    c.end = b.data ? b.data + b.len : b.data;
    c.bad = false;
    return c;
}

/* Unsigned LEB128 of at most 64 bits; `bad` when longer. */
TACO__FN uint64_t taco__byte_reader_varint(taco__byte_reader *c)
{
    uint64_t x = 0;
    unsigned shift;
    for (shift = 0; shift < 64; shift += 7) {
        uint8_t b = taco__byte_reader_u8(c);
        if (c->bad || (shift == 63 && (b & 0xFE))) { break; }
        x |= (uint64_t)(b & 0x7F) << shift;
        if (!(b & 0x80)) { return x; }
    }
    c->bad = true;
    return 0;
}

/* Length of the well-formed character at p, RFC 3629 §4: no overlong forms, no surrogates, nothing
   above U+10FFFF. Otherwise 0, and *bad is the number of invalid bytes: the longest sequence that
   could have begun a character. */
TACO__FN size_t taco__utf8_char(const uint8_t *p, size_t left, size_t *bad)
{
    uint8_t c = p[0], low = 0x80, high = 0xBF;
    size_t need, i;
    *bad = 1;
    if (c < 0x80) { return 1; }
    if (c < 0xC2 || c > 0xF4) { return 0; }
    need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : low;
    high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : high;
    for (i = 1; i < need; i++) {
        if (i >= left || p[i] < low || p[i] > high) {
            *bad = i;
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return need;
}

/* True if b is well-formed UTF-8. ASCII is checked eight bytes at a time. */
TACO__FN bool taco__utf8_valid(taco_bytes b)
{
    size_t i = 0, bad, n;
    while (i < b.len) {
        uint64_t x;
        if (b.len - i >= 8) {
            memcpy(&x, b.data + i, 8);
            if (!(x & UINT64_C(0x8080808080808080))) {
                i += 8;
                continue;
            }
        }
        do {
            /* up to the next ASCII character, so that other scripts do not try eight bytes at each
               letter */
            n = b.data[i] < 0x80 ? 1 : taco__utf8_char(b.data + i, b.len - i, &bad);
            if (!n) { return false; }
            i += n;
        } while (i < b.len && (n > 1 || b.len - i < 8));
    }
    return true;
}

TACO__FN bool taco__bytes_is_utf16(taco_bytes b)
{
    return b.len >= 2 &&
           ((b.data[0] == 0) != (b.data[1] == 0) || (b.data[0] == 0xFF && b.data[1] == 0xFE) ||
            (b.data[0] == 0xFE && b.data[1] == 0xFF));
}
