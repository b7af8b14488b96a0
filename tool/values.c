/* values.c - values of options: numbers, sizes, boxes, lists of names, and words that are nearly a
   name. It only handles text, and knows no options. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Ends the process if out of memory. */
static void *resize(void *block, size_t size)
{
    void *grown = realloc(block, size);
    if (!grown) {
        fputs("taco: out of memory\n", stderr);
        exit(FAILED);
    }
    return grown;
}

void *grow_list(void *list, size_t count, size_t size)
{
    /* pointers to all lists, so that leak checkers do not report them */
    static void **kept;
    static size_t kept_count;
    size_t i;
    /* there is room unless the count is a power of two */
    if (list && (count & (count - 1)) != 0) { return list; }
    for (i = list ? 0 : kept_count; i < kept_count && kept[i] != list; i++) {}
    if (i == kept_count && (i & (i - 1)) == 0) {
        kept = (void **)resize((void *)kept, (i ? 2 * i : 1) * sizeof *kept);
    }
    kept[i] = resize(list, (count ? 2 * count : 1) * size);
    kept_count += i == kept_count;
    return kept[i];
}

char *copy_text(const char *text)
{
    char *copy = (char *)grow_list(NULL, 0, strlen(text) + 1);
    strcpy(copy, text);
    return copy;
}

/* Two digits, from `least` to `most`. */
static bool is_pair(const char *at, int least, int most)
{
    int n = at[0] >= '0' && at[0] <= '9' && at[1] >= '0' && at[1] <= '9'
                ? (at[0] - '0') * 10 + (at[1] - '0')
                : -1;
    return n >= least && n <= most;
}

/* The length of a date, YYYY, YYYY-MM or YYYY-MM-DD, at the beginning of a text; 0 if there is
   none. */
static size_t date_length(const char *text)
{
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month;
    if (!is_pair(text, 0, 99) || !is_pair(text + 2, 0, 99)) { return 0; }
    if (text[4] != '-' || !is_pair(text + 5, 1, 12)) { return 4; }
    if (text[7] != '-') { return 7; }
    year = atoi(text);
    month = (text[5] - '0') * 10 + (text[6] - '0');
    if (month == 2 && text[8] == '2' && text[9] == '9' &&
        (year % 4 != 0 || (year % 100 == 0 && year % 400 != 0))) {
        return 0;
    }
    return is_pair(text + 8, 1, days[month - 1]) ? 10 : 0;
}

bool is_iso_time(const char *text)
{
    size_t n = date_length(text);
    if (n == 10 && (text[n] == 'T' || text[n] == ' ')) {
        if (!is_pair(text + 11, 0, 23) || text[13] != ':' || !is_pair(text + 14, 0, 59)) {
            return false;
        }
        n = 16;
        if (text[n] == ':') {
            if (!is_pair(text + 17, 0, 60)) { return false; }
            n = 19;
            if (text[n] == '.') { n += 1 + strspn(text + n + 1, "0123456789"); }
        }
        if (text[n] == 'Z') { return text[n + 1] == 0; }
        if (text[n] == '+' || text[n] == '-') {
            return is_pair(text + n + 1, 0, 23) && text[n + 3] == ':' &&
                   is_pair(text + n + 4, 0, 59) && text[n + 6] == 0;
        }
    }
    return n && text[n] == 0;
}

/* No sign, no space, no exponent. */
bool parse_number(const char *text, uint64_t *out)
{
    static const char units[] = "kMG";
    uint64_t x = 0;
    const char *unit;
    if (*text < '0' || *text > '9') { return false; }
    for (; *text >= '0' && *text <= '9'; text++) {
        if (x > (UINT64_MAX - 9) / 10) { return false; }
        x = x * 10 + (uint64_t)(*text - '0');
    }
    unit = *text ? strchr(units, *text) : NULL;
    if (*text && (!unit || text[1])) { return false; }
    for (; unit && unit >= units; unit--) {
        if (x > UINT64_MAX / 1000) { return false; }
        x *= 1000;
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
    /* & ~32: upper case. K, M, G and T may be followed by a B. */
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
        /* the tool never sets a locale, so the decimal point is a point */
        out[i] = strtod(text, &end);
        /* x != x: not a number */
        if (end == text || *end != (i < 3 ? ',' : 0) || out[i] != out[i]) { return false; }
        text = end + 1;
    }
    return true;
}

/* Takes the name at *text: removes its quotes in place, where two stand for one, and ends it with a
   NUL. *text moves to after its comma. */
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
    /* spaces before the comma are not part of the name, unless quoted */
    while (!quoted && to > name && to[-1] == ' ') {
        to--;
    }
    from += *from == ',';
    *to = 0;
    *text = from;
    return name;
}

size_t split_names(const char *text, const char ***names)
{
    char *copy = copy_text(text);
    size_t n = 0;
    *names = NULL;
    while (*copy) {
        while (*copy == ' ' || *copy == ',') {
            copy++;
        }
        if (*copy) {
            *names = (const char **)grow_list((void *)*names, n, sizeof **names);
            (*names)[n++] = take_name(&copy);
        }
    }
    return n;
}

bool is_choice(const char *list, const char *value)
{
    size_t n = strlen(value);
    while (n) {
        size_t len = strcspn(list, "|");
        if (len == n && memcmp(list, value, n) == 0) { return true; }
        if (!list[len]) { return false; }
        list += len + 1;
    }
    return false;
}

size_t find_name(const char *word, const char *const *names, size_t n)
{
    size_t i;
    for (i = 0; i < n && strcmp(word, names[i]) != 0; i++) {}
    return i;
}

/* Only for ASCII. */
static char lower_case(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Insertions, deletions, replacements and swaps of neighbours (Damerau) between n bytes of a word
   and a name, ignoring the case of ASCII; only the first 48 bytes of each count. */
static size_t edit_distance(const char *word, size_t n, const char *name)
{
    size_t rows[3][49], i, j, m = strlen(name);
    m = m < 48 ? m : 48;
    n = n < 48 ? n : 48;
    /* rows[i % 3][j] is the distance of the first i bytes of the word to the first j of the name */
    for (i = 0; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (j = 1; j <= m; j++) {
            char a = i ? lower_case(word[i - 1]) : 0, b = lower_case(name[j - 1]);
            size_t edit = row[j - 1] + 1;
            if (i && above[j] + 1 < edit) { edit = above[j] + 1; }
            if (i && above[j - 1] + (a != b) < edit) { edit = above[j - 1] + (a != b); }
            if (i > 1 && j > 1 && a == lower_case(name[j - 2]) && lower_case(word[i - 2]) == b &&
                second[j - 2] + 1 < edit) {
                edit = second[j - 2] + 1;
            }
            row[j] = edit;
        }
    }
    return rows[n % 3][m];
}

const char *nearer_name(const char *word, size_t n, const char *best, const char *name)
{
    size_t distance = edit_distance(word, n, name);
    /* at most a third of the letters may differ */
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
