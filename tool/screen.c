/* screen.c - text on a terminal: lines are wrapped between words to fit, and contain nothing that
   the terminal would interpret as a command. Files and pipes get the same text unchanged, line by
   line. */
#include "tool.h"

#include <string.h>

/* Ranges of code points that take no column, or two: combining marks; East Asian Wide and Fullwidth
   (Unicode 15, UAX #11), in whole blocks, as in terminals. */
static const struct {
    uint32_t first, last;
    size_t columns;
} odd_widths[] = {
    {0x0300, 0x036F, 0},   {0x1100, 0x115F, 2},   {0x200B, 0x200F, 0},   {0x20D0, 0x20FF, 0},
    {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},
    {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},
    {0xFFE0, 0xFFE6, 2},   {0x1F300, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2}, {0x1F900, 0x1F9FF, 2},
    {0x1FA70, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2},
};

size_t next_char(const char *text, size_t n, size_t *columns)
{
    unsigned char c = (unsigned char)text[0];
    size_t len = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4, i;
    uint32_t code = c & (len == 1 ? 0x7FU : 0x7FU >> len);
    for (i = 1; i < len && i < n && ((unsigned char)text[i] & 0xC0) == 0x80; i++) {
        code = code << 6 | ((unsigned char)text[i] & 0x3FU);
    }
    len = i;
    *columns = 1;
    for (i = 0; code >= 0x300 && i < sizeof odd_widths / sizeof odd_widths[0]; i++) {
        if (code >= odd_widths[i].first && code <= odd_widths[i].last) {
            *columns = odd_widths[i].columns;
        }
    }
    return len;
}

size_t count_columns(const char *text, size_t n)
{
    size_t at = 0, sum = 0, one;
    while (at < n) {
        at += next_char(text + at, n - at, &one);
        sum += one;
    }
    return sum;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static taco_bytes bytes_of(const char *text, size_t n)
{
    taco_bytes b;
    b.data = (const uint8_t *)text;
    b.len = n;
    return b;
}

void print_words(const char *text, size_t n, size_t at, size_t indent)
{
    size_t width = stdout_is_terminal() ? terminal_width() : 0, i = 0;
    if (!width) {
        fwrite(text, 1, n, stdout);
        return;
    }
    while (i < n) {
        size_t blanks = i, word, columns;
        while (i < n && is_blank(text[i])) {
            i++;
        }
        blanks = i - blanks;
        for (word = i; i < n && !is_blank(text[i]); i++) {}
        columns = count_columns(text + word, i - word);
        if (at > indent && at + blanks + columns > width) {
            printf("\n%*s", (int)indent, "");
            at = indent;
            blanks = 0;
        }
        printf("%*s", (int)blanks, "");
        write_terminal(stdout, bytes_of(text + word, i - word));
        at += blanks + columns;
    }
}

void print_lines(taco_bytes text)
{
    const char *at = (const char *)text.data, *end = at + text.len;
    while (at && at < end) {
        const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((newline ? newline : end) - at), indent = 0;
        while (indent < n && at[indent] == ' ') {
            indent++;
        }
        print_words(at, n, 0, indent + 2);
        if (newline) { putchar('\n'); }
        at += n + (newline != NULL);
    }
}
