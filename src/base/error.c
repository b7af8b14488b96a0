/* error.c - filling and prefixing a taco_error, and the formatter of its text

   An error's text has one form: "where: at byte N: what". The deepest function that knows what is
   wrong calls TACO__FAIL, and its message begins "at byte N: " (SYNTAX, NOT_FOUND, TYPE: "at column
   N: ", counted from 1); callers prefix where it happened. The first failure stays until the caller
   zeroes the struct, so that cleaning up after a failure cannot hide it. Nothing here allocates:
   the text is truncated between two characters if necessary. With TACO_NO_ERROR_TEXT there is only
   code and offset. Start with taco__error_set; taco__fmt_args is the formatter, which only takes
   64-bit numbers. */
#include "base.h"

#ifndef TACO_NO_ERROR_TEXT
/* A formatter that writes into `size` bytes at text. */
static taco__fmt taco__fmt_init(char *text, size_t size)
{
    taco__fmt f;
    f.at = text;
    f.end = text + size;
    *f.at = 0;
    return f;
}
#endif

TACO__FN void taco__fmt_char(taco__fmt *f, char c)
{
    if (f->at + 1 < f->end) {
        *f->at++ = c;
        *f->at = 0;
    }
}

/* Whole characters only: a lead byte whose continuation does not fit ends the text for good. NULL
   counts as empty. */
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

/* Names from files are hostile, too: printable ASCII and valid characters above it are kept, the
   rest becomes \xNN. At most 64 bytes of the name; "..." marks a truncated one. */
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

/* Formats as described at TACO__FAIL. */
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

TACO__FN taco_error *taco__error_fresh(taco_error *err, taco_error *own)
{
    return err && err->code == TACO_OK ? err : own;
}

TACO__FN TACO__COLD void taco__error_copy(taco_error *err, const taco_error *from)
{
    if (err && err->code == TACO_OK) { *err = *from; }
}

#ifdef TACO_NO_ERROR_TEXT
/* Never called. */
TACO__FN void taco__error_ignore(const char *what, ...)
{
    (void)what;
}

/* Lines of a log are texts, too, so there are none. */
TACO__FN TACO__COLD void taco__log(const taco_options *o, taco_log_level level, const char *what,
                                   ...)
{
    (void)o;
    (void)level;
    (void)what;
}

TACO__FN TACO__COLD taco_status taco__error_set(taco_error *err, taco_status code, uint64_t offset,
                                                int line, const char *what, ...)
{
    (void)what;
    if (!err || err->code != TACO_OK) { return code; }
    err->code = code;
    err->offset = offset;
    err->line = line;
    err->text[0] = 0;
#ifdef TACO_TRAP
    TACO_TRAP;
#endif
    return code;
}

TACO__FN TACO__COLD bool taco__error_inside(taco_error *err, uint64_t at, const char *what)
{
    (void)what;
    if (err && err->code != TACO_OK) { err->offset = at; }
    return false;
}
#else
/* Messages go to terminals and logs: control characters, which a path or a name from a file may
   have, become '?'. Those from U+0080 to U+009F are C2 and another byte in UTF-8. */
static void taco__error_clean(taco_error *err)
{
    char *p;
    for (p = err->text; *p; p++) {
        const unsigned char c = (unsigned char)*p, next = (unsigned char)p[1];
        const bool c1 = c == 0xC2 && next >= 0x80 && next < 0xA0;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || c1) { *p = '?'; }
        if (c1) { p[1] = '?'; }
    }
}

/* Called by TACO__FAIL. */
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
        /* a name that is not found, and what is of another type, are in a text */
        bool column =
            code == TACO_ERR_SYNTAX || code == TACO_ERR_NOT_FOUND || code == TACO_ERR_TYPE;
        taco__fmt_text(&f, column ? "at column " : "at byte ");
        taco__fmt_number(&f, column ? offset + 1 : offset, 10);
        taco__fmt_text(&f, ": ");
    }
    va_start(args, what);
    taco__fmt_args(&f, what, args);
    va_end(args);
    taco__error_clean(err);
#ifdef TACO_TRAP
    TACO_TRAP;
#endif
    return code;
}

TACO__FN TACO__COLD void taco__log(const taco_options *o, taco_log_level level, const char *what,
                                   ...)
{
    taco_error line = {0, TACO_OK, 0, {0}};
    taco__fmt f;
    va_list args;
    if (!o || !o->log) { return; }
    f = taco__fmt_init(line.text, sizeof line.text);
    va_start(args, what);
    taco__fmt_args(&f, what, args);
    va_end(args);
    taco__error_clean(&line);
    o->log(o->log_ctx, level, line.text);
}

/* Prefixes the message with "where: ", for callers that know the context of the failing
   function. */
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
    taco__error_clean(err);
}

/* Appends to the message of a failure, for callers that know what would work instead. */
TACO__FN TACO__COLD void taco__error_suffix(taco_error *err, const char *what, ...)
{
    char text[sizeof err->text];
    taco__fmt f;
    va_list args;
    if (!err || err->code == TACO_OK) { return; }
    f = taco__fmt_init(text, sizeof text);
    taco__fmt_text(&f, err->text);
    va_start(args, what);
    taco__fmt_args(&f, what, args);
    va_end(args);
    memcpy(err->text, text, sizeof text);
    taco__error_clean(err);
}

/* A decoder failed inside something that begins at byte `at` of the file: "at byte 7: x" becomes
   "at byte AT: WHAT, byte 7: x", and the offset becomes `at`. Must be called before any prefix. */
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
#endif

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

TACO__FN bool taco__error_is_of_machine(const taco_error *err)
{
    return err->code == TACO_ERR_MEMORY || err->code == TACO_ERR_IO;
}
