/* error.c - fill and prefix a taco_error. */
#include "base.h"

TACO__FN void taco__fmt_char(taco__fmt *f, char c)
{
    if (f->at + 1 < f->end) {
        *f->at++ = c;
        *f->at = 0;
    }
}

/* Whole characters only: a lead byte whose followers do not fit ends the text, which stays
   ended. */
TACO__FN void taco__fmt_text(taco__fmt *f, const char *s)
{
    while (s && *s) {
        unsigned char c = (unsigned char)*s;
        size_t n = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
        if ((size_t)(f->end - f->at) <= n) {
            f->end = f->at + 1;
            return;
        }
        taco__fmt_char(f, *s++);
    }
}

TACO__FN void taco__fmt_number(taco__fmt *f, uint64_t x, unsigned base)
{
    char digits[24];
    size_t n = 0;
    do {
        digits[n++] = "0123456789abcdef"[x % base];
        x /= base;
    } while (x);
    while (n) {
        taco__fmt_char(f, digits[--n]);
    }
}

/* Bytes of the well-formed UTF-8 character at b[i] (RFC 3629), 0 when there is none. */
TACO__FN unsigned taco__fmt_utf8_length(taco_bytes b, size_t i)
{
    uint8_t c = b.data[i], lo = 0x80, hi = 0xBF;
    unsigned k, n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (n > b.len - i) { return 0; }
    for (k = 1; k < n; k++) {
        if (k == 1) { /* no overlong form, surrogate or code point above 10FFFF */
            lo = (uint8_t)(c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80);
            hi = (uint8_t)(c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF);
        } else {
            lo = 0x80;
            hi = 0xBF;
        }
        if (b.data[i + k] < lo || b.data[i + k] > hi) { return 0; }
    }
    return n;
}

/* Names from files are hostile too: printable ASCII and well-formed bytes above it stay, the rest
   becomes \xNN. */
static void taco__fmt_quoted(taco__fmt *f, taco_bytes b)
{
    size_t i = 0, n = TACO__MIN(b.len, (size_t)64);
    taco__fmt_char(f, '\'');
    while (i < n) {
        uint8_t c = b.data[i];
        unsigned k = taco__fmt_utf8_length(b, i);
        if (k > 1) { /* a character is never cut: neither here nor by the end of the text */
            if (i + k > n || (size_t)(f->end - f->at) <= k) { break; }
            for (; k; k--) {
                taco__fmt_char(f, (char)b.data[i++]);
            }
            continue;
        }
        i++;
        if (k == 0 || c < 0x20 || c == 0x7F || c == '\\') {
            taco__fmt_char(f, '\\');
            taco__fmt_char(f, 'x');
            taco__fmt_char(f, "0123456789abcdef"[c >> 4]);
            taco__fmt_char(f, "0123456789abcdef"[c & 15]);
        } else {
            taco__fmt_char(f, (char)c);
        }
    }
    taco__fmt_text(f, b.len > i ? "...'" : "'");
}

TACO__FN void taco__fmt_args(taco__fmt *f, const char *s, va_list args)
{
    for (; *s; s++) {
        if (*s != '%' || !s[1]) {
            taco__fmt_char(f, *s);
            continue;
        }
        switch (*++s) {
        case 's': taco__fmt_text(f, va_arg(args, const char *)); break;
        case 'q': taco__fmt_quoted(f, *va_arg(args, const taco_bytes *)); break;
        case 'u': taco__fmt_number(f, va_arg(args, uint64_t), 10); break;
        case 'x': taco__fmt_number(f, va_arg(args, uint64_t), 16); break;
        case 'd': {
            int64_t d = va_arg(args, int64_t);
            if (d < 0) { taco__fmt_char(f, '-'); }
            taco__fmt_number(f, d < 0 ? 0 - (uint64_t)d : (uint64_t)d, 10);
            break;
        }
        default: taco__fmt_char(f, *s); break;
        }
    }
}

TACO__FN TACO__COLD taco_status taco__error_set(taco_error *err, taco_status code, uint64_t offset,
                                                int line, const char *what, ...)
{
    taco__fmt f;
    va_list args;
    if (!err || err->code != TACO_OK) { return code; }
    err->code = code;
    err->offset = offset;
    err->line = line;
    f.at = err->text;
    f.end = err->text + sizeof err->text;
    *f.at = 0;
    if (offset != TACO_NO_OFFSET) {
        taco__fmt_text(&f, code == TACO_ERR_SYNTAX ? "at column " : "at byte ");
        taco__fmt_number(&f, code == TACO_ERR_SYNTAX ? offset + 1 : offset, 10);
        taco__fmt_text(&f, ": ");
    }
#ifndef TACO_NO_ERROR_TEXT
    va_start(args, what);
    taco__fmt_args(&f, what, args);
    va_end(args);
#else
    (void)args;
    (void)what;
#endif
#ifdef TACO_TRAP
    TACO_TRAP;
#endif
    return code;
}

/* Puts "where: " in front of the message, for the rooms that know where the failing room was at
   work. */
TACO__FN TACO__COLD void taco__error_prefix(taco_error *err, const char *where, ...)
{
    char text[sizeof err->text];
    taco__fmt f;
    va_list args;
    if (!err || err->code == TACO_OK) { return; }
    f.at = text;
    f.end = text + sizeof text;
    *f.at = 0;
    va_start(args, where);
    taco__fmt_args(&f, where, args);
    va_end(args);
    taco__fmt_text(&f, ": ");
    taco__fmt_text(&f, err->text);
    memcpy(err->text, text, sizeof text);
}

/* A decoder failed inside something that stands at byte `at` of the file: "at byte 7: x" becomes
   "at byte AT: WHAT, byte 7: x". To be called before any prefix is put. */
TACO__FN TACO__COLD bool taco__error_inside(taco_error *err, uint64_t at, const char *what)
{
    char text[sizeof err->text];
    taco__fmt f;
    const char *rest;
    if (!err || err->code == TACO_OK) { return false; }
    rest = err->text;
    f.at = text;
    f.end = text + sizeof text;
    *f.at = 0;
    taco__fmt_text(&f, "at byte ");
    taco__fmt_number(&f, at, 10);
    taco__fmt_text(&f, ": ");
    taco__fmt_text(&f, what);
    taco__fmt_text(&f, err->offset != TACO_NO_OFFSET && strncmp(rest, "at byte ", 8) == 0 ? ", "
                                                                                          : ": ");
    taco__fmt_text(&f, err->offset != TACO_NO_OFFSET && strncmp(rest, "at byte ", 8) == 0 ? rest + 3
                                                                                          : rest);
    memcpy(err->text, text, sizeof text);
    err->offset = at;
    return false;
}

TACO_API const char *taco_error_text(const taco_error *err)
{
    return !err || err->code == TACO_OK ? ""
           : err->text[0]               ? err->text
                                        : taco_status_name(err->code);
}

TACO_API const char *taco_status_name(taco_status code)
{
    static const char *const names[] = {
        "ok",      "argument", "state",       "memory",    "limit", "io",    "truncated",
        "corrupt", "checksum", "unsupported", "not found", "type",  "syntax"};
    return (size_t)code < TACO__COUNT(names) ? names[code] : "unknown";
}

TACO_API const char *taco_version(void)
{
    return TACO_VERSION;
}
