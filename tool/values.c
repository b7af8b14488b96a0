/* values.c - values of options: numbers, sizes, boxes, lists of names, and words that are nearly
   a name. All of it is about text and knows no option. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Nothing but digits: no sign, no space, no exponent. */
bool parse_number(const char *text, uint64_t *out)
{
    uint64_t x = 0;
    if (!*text) { return false; }
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || x > (UINT64_MAX - 9) / 10) { return false; }
        x = x * 10 + (uint64_t)(*text - '0');
    }
    *out = x;
    return true;
}

bool parse_byte_size(const char *text, uint64_t *out)
{
    static const char units[] = "BKMGT";
    char *end;
    double x = strtod(text, &end);
    const char *unit;
    int k;
    while (*end == ' ') {
        end++;
    }
    /* & ~32: upper case. After K, M, G and T there may be a B. */
    unit = *end ? strchr(units, *end & ~32) : units;
    if (end == text || !unit ||
        (*end && end[1] && ((end[1] & ~32) != 'B' || end[2] || unit == units))) {
        return false;
    }
    for (k = 0; k < (int)(unit - units); k++) {
        x *= 1024;
    }
    *out = x >= 0 && x < 9e18 ? (uint64_t)x : 0;
    return x >= 0 && x < 9e18;
}

bool parse_box(const char *text, double out[4])
{
    int i;
    for (i = 0; i < 4; i++) {
        char *end;
        /* the tool never sets a locale: the decimal point is a point */
        out[i] = strtod(text, &end);
        /* x != x: not a number */
        if (end == text || *end != (i < 3 ? ',' : 0) || out[i] != out[i]) { return false; }
        text = end + 1;
    }
    return true;
}

/* Moves the name at *text to its front without the quotes, where two of them are one, and ends
   it with a NUL. *text goes to what follows its comma. */
static const char *take_name(char **text)
{
    char *from = *text, *name, *to;
    bool quoted = *from == '"';
    from += quoted;
    name = to = from;
    while (*from && (quoted || *from != ',')) {
        if (quoted && *from == '"' && from[1] != '"') {
            from++;
            break;
        }
        from += quoted && *from == '"';
        *to++ = *from++;
    }
    /* spaces before the comma, which outside quotes are not of the name */
    while (!quoted && to > name && to[-1] == ' ') {
        to--;
    }
    from += *from == ',';
    *to = 0;
    *text = from;
    return name;
}

size_t split_names(char *text, const char **names, size_t max)
{
    size_t n = 0;
    while (*text && n < max) {
        while (*text == ' ' || *text == ',') {
            text++;
        }
        if (*text) { names[n++] = take_name(&text); }
    }
    return n;
}

size_t find_name(const char *word, const char *const *names, size_t n)
{
    size_t i;
    for (i = 0; i < n && strcmp(word, names[i]) != 0; i++) {}
    return i;
}

/* Of ASCII alone. */
static char lower_case(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Insertions, deletions and replacements (Levenshtein) between n bytes of a word and a name,
   without regard to the case of ASCII; of either, only the first 48 bytes count. */
static size_t edit_distance(const char *word, size_t n, const char *name)
{
    size_t row[49], i, j, m = strlen(name);
    m = m < 48 ? m : 48;
    n = n < 48 ? n : 48;
    for (j = 0; j <= m; j++) {
        row[j] = j;
    }
    /* row[j] is the distance of the first i bytes of the word to the first j of the name */
    for (i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (j = 1; j <= m; j++) {
            size_t above = row[j], edit = (above < row[j - 1] ? above : row[j - 1]) + 1;
            size_t match = diagonal + (lower_case(word[i - 1]) != lower_case(name[j - 1]));
            row[j] = edit < match ? edit : match;
            diagonal = above;
        }
    }
    return row[m];
}

const char *nearer_name(const char *word, size_t n, const char *best, const char *name)
{
    size_t distance = edit_distance(word, n, name);
    /* a third of the letters at most may differ */
    if (distance > strlen(name) / 3 || (best && distance >= edit_distance(word, n, best))) {
        return best;
    }
    return name;
}

bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}
