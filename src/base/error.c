/* error.c - filling and prefixing a taco_error, and the formatter of its text

   An error's text has one form: "where: at byte N: what". The deepest function that knows what is
   wrong calls TACO__FAIL, and its message begins "at byte N: " (SYNTAX: "at column N: ", counted
   from 1); functions further out put where they are before it. The first failure stays until the
   caller zeroes the struct, so that cleaning up after a failure cannot hide it. Nothing here
   allocates: the text is cut to what fits, between two characters. With TACO_NO_ERROR_TEXT only the
   offset is told. Start with taco__error_set; taco__fmt_args is the formatter, which takes 64-bit
   numbers alone. */
#include "base.h"

/* A formatter that writes into `size` bytes at text. */
static taco__fmt taco__fmt_init(char *text, size_t size)
{
    taco__fmt f;
    f.at = text;
    f.end = text + size;
    *f.at = 0;
    return f;
}

TACO__FN void taco__fmt_char(taco__fmt *f, char c)
{
    if (f->at + 1 < f->end) {
        *f->at++ = c;
        *f->at = 0;
    }
}

/* Whole characters only: a lead byte whose followers do not fit ends the text for good. NULL is as
   empty. */
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

/* In base 10 or 16. */
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

/* Names from files are hostile too: printable ASCII and well-formed characters above it stay, the
   rest becomes \xNN. At most 64 bytes of the name; "..." says that there are more. */
static void taco__fmt_quoted(taco__fmt *f, taco_bytes b)
{
    size_t i = 0, n = TACO__MIN(b.len, (size_t)64);
    taco__fmt_char(f, '\'');
    while (i < n) {
        uint8_t c = b.data[i];
        size_t k = taco__utf8_length(b.data + i, b.data + b.len);
        if (k > 1) { /* a character is never cut: neither here nor by the end of the text */
            if (i + k > n || (size_t)(f->end - f->at) <= k) { break; }
            for (; k; k--) {
                taco__fmt_char(f, (char)b.data[i++]);
            }
            continue;
        }
        i++;
        if (k == 0 || c < 0x20 || c == 0x7F || c == '\\') {
            char hex[3] = {0, 0, 0};
            taco__ascii_put_hex(hex, &c, 1);
            taco__fmt_text(f, "\\x");
            taco__fmt_text(f, hex);
        } else {
            taco__fmt_char(f, (char)c);
        }
    }
    taco__fmt_text(f, b.len > i ? "...'" : "'");
}

/* Formats as TACO__FAIL says. */
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

/* What TACO__FAIL calls. */
TACO__FN TACO__COLD taco_status taco__error_set(taco_error *err, taco_status code, uint64_t offset,
                                                int line, const char *what, ...)
{
    taco__fmt f;
    va_list args;
    if (!err || err->code != TACO_OK) { return code; }
    err->code = code;
    err->offset = offset;
    err->line = line;
    f = taco__fmt_init(err->text, sizeof err->text);
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

/* Puts "where: " before the message, for callers that know where the failing function was at
   work. */
TACO__FN TACO__COLD void taco__error_prefix(taco_error *err, const char *where, ...)
{
    char text[sizeof err->text];
    taco__fmt f;
    va_list args;
    if (!err || err->code == TACO_OK) { return; }
    f = taco__fmt_init(text, sizeof text);
    va_start(args, where);
    taco__fmt_args(&f, where, args);
    va_end(args);
    taco__fmt_text(&f, ": ");
    taco__fmt_text(&f, err->text);
    memcpy(err->text, text, sizeof text);
}

/* A decoder failed inside something that begins at byte `at` of the file: "at byte 7: x" becomes
   "at byte AT: WHAT, byte 7: x", and the offset becomes `at`. To be called before any prefix. */
TACO__FN TACO__COLD bool taco__error_inside(taco_error *err, uint64_t at, const char *what)
{
    char text[sizeof err->text];
    taco__fmt f;
    bool offset;
    if (!err || err->code == TACO_OK) { return false; }
    offset = err->offset != TACO_NO_OFFSET && strncmp(err->text, "at byte ", 8) == 0;
    f = taco__fmt_init(text, sizeof text);
    taco__fmt_text(&f, "at byte ");
    taco__fmt_number(&f, at, 10);
    taco__fmt_text(&f, ": ");
    taco__fmt_text(&f, what);
    taco__fmt_text(&f, offset ? ", " : ": ");
    taco__fmt_text(&f, offset ? err->text + strlen("at ") : err->text);
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
