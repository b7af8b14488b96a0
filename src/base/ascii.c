/* ascii.c - hexadecimal digits, blanks and words, whatever the locale

   <ctype.h> depends on the locale and takes an int; these take bytes from files and queries, where
   those above 0x7F are neither letters nor blanks. For printing columns (hexadecimal), casts from
   text (trimming, words like "true") and names compared without case. */
#include "base.h"

/* Lower-case hex of n bytes, 2 n characters and no NUL; returns the end. */
TACO__FN TACO__NOINLINE char *taco__ascii_put_hex(char *p, const uint8_t *s, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t i;
    for (i = 0; i < n; i++) {
        *p++ = digits[s[i] >> 4];
        *p++ = digits[s[i] & 15];
    }
    return p;
}

/* Appends bytes in lower-case hex, between `before` and `after`. */
TACO__FN bool taco__ascii_append_hex(taco__buf *out, const char *before, taco_bytes b,
                                     const char *after, taco_error *err)
{
    size_t head = strlen(before), tail = strlen(after), room;
    char *p;
    if (!taco__checked_mul_size(b.len, 2, &room) ||
        !taco__checked_add_size(room, head + tail, &room)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes in hex",
                   TACO__U(b.len));
        return false;
    }
    if (!taco__buf_reserve(out, room, err)) { return false; }
    p = (char *)out->data + out->len;
    memcpy(p, before, head);
    p = taco__ascii_put_hex(p + head, b.data, b.len);
    memcpy(p, after, tail);
    out->len += room;
    return true;
}

/* The lower case of a letter; other bytes are unchanged. */
TACO__FN uint8_t taco__ascii_lower(uint8_t c)
{
    return (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Whether a byte is one of the characters in a text. Not strchr, which is large in small C
   libraries, and also finds the terminating NUL. */
TACO__FN bool taco__ascii_is_among(uint8_t c, const char *set)
{
    while (*set && (uint8_t)*set != c) {
        set++;
    }
    return *set != 0;
}

/* b without surrounding blanks, which casts from text allow. */
TACO__FN taco_bytes taco__ascii_trim(taco_bytes b)
{
    while (b.len && taco__ascii_is_space(b.data[0])) {
        b.data++;
        b.len--;
    }
    while (b.len && taco__ascii_is_space(b.data[b.len - 1])) {
        b.len--;
    }
    return b;
}

/* True if b is `word`, in any case; `word` itself is in lower case. */
TACO__FN TACO__NOINLINE bool taco__ascii_is_word(taco_bytes b, const char *word)
{
    size_t i, n = strlen(word);
    if (b.len != n) { return false; }
    for (i = 0; i < n; i++) {
        if (taco__ascii_lower(b.data[i]) != (uint8_t)word[i]) { return false; }
    }
    return true;
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
