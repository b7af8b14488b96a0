/* regex_parse.c - the parser of regular expressions: pattern to tree, tree to program

   In: a pattern in RE2's syntax. Out: instructions, see regex.h. The tree is made first, because a
   repetition generates its operand several times: a{3} is aaa. Sets of characters are sorted
   ranges; with (?i) they contain both cases.

   Example: a(b|c)* is SET a, SPLIT, SAVE 2, SPLIT, SET b, JUMP, SET c, SAVE 3, SPLIT, MATCH.

   Numbers of groups count from the left: (a(b))(c) has a(b) as 1, b as 2, c as 3. x{2,4} becomes
   xx(x(x)?)?, with SPLITs that all lead past it; (?i)k contains K, k and the Kelvin sign. */
#include "sql.h"
#include "functions.h"
#include "regex.h"
#include "../base/base.h"
#include "../filter/filter.h"

#define TACO__REGEX_LAST_CHAR 0x10FFFFU

typedef enum taco__regex_kind {
    TACO__REGEX_EMPTY = 0,
    TACO__REGEX_CHARS,  /* ranges [x, x + y) */
    TACO__REGEX_PLACE,  /* an assertion, x */
    TACO__REGEX_GROUP,  /* a, as group x */
    TACO__REGEX_JOIN,   /* a, then b */
    TACO__REGEX_EITHER, /* a or b */
    TACO__REGEX_REPEAT  /* a, x to y times; y NONE: unlimited */
} taco__regex_kind;

typedef struct taco__regex_node {
    taco__regex_kind kind;
    bool lazy;
    uint32_t x, y;
    uint32_t times; /* the largest product of nested counts in it */
    struct taco__regex_node *a, *b;
} taco__regex_node;

/* The flags: (?i), (?s), (?m), (?U). */
typedef struct taco__regex_flags {
    bool ignore_case, dot_newline, lines, swap_lazy;
} taco__regex_flags;

typedef struct taco__regex_parser {
    taco__arena *arena;
    taco_error *err;
    taco_bytes s;
    size_t at;
    taco__regex_flags flags;
    taco__buf ranges; /* taco__regex_range */
    taco__regex_instruction *program;
    uint32_t length, groups, depth;
} taco__regex_parser;

static taco__regex_node *taco__regex_parse_either(taco__regex_parser *p);

/* A SYNTAX error that shows the rest of the pattern. */
static TACO__COLD taco__regex_node *taco__regex_fail(taco__regex_parser *p, const char *what)
{
    taco_bytes rest = taco__bytes_of(p->s.data + TACO__MIN(p->at, p->s.len),
                                     p->s.len - TACO__MIN(p->at, p->s.len));
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "a regular expression with %s at %q", what,
               &rest);
    return NULL;
}

/* A node in the arena; NULL without memory. */
static taco__regex_node *taco__regex_node_new(taco__regex_parser *p, taco__regex_kind kind,
                                              taco__regex_node *a, taco__regex_node *b)
{
    taco__regex_node *n = (taco__regex_node *)taco__arena_alloc(p->arena, sizeof *n, p->err);
    if (n) {
        n->kind = kind;
        n->a = a;
        n->b = b;
        n->times = TACO__MAX(a ? a->times : 1U, b ? b->times : 1U);
    }
    return n;
}

/* Whether the rest of the pattern begins with the text; if so, skips it. */
static bool taco__regex_accept(taco__regex_parser *p, const char *text)
{
    taco_bytes rest = taco__bytes_of(p->s.data + p->at, p->s.len - p->at);
    if (!taco__bytes_starts_with(rest, text)) { return false; }
    p->at += strlen(text);
    return true;
}

/* Whether the pattern has been read. */
static bool taco__regex_at_end(const taco__regex_parser *p)
{
    return p->at >= p->s.len;
}

/* The next character; invalid UTF-8 becomes a value beyond all characters. */
static uint32_t taco__regex_next_char(taco__regex_parser *p)
{
    size_t w = taco__like_char_width(p->s, p->at);
    uint32_t c = taco__like_char_at(p->s, p->at, w);
    p->at += w;
    return c;
}

/* ---- sets of characters ---- */

/* Appends a range without case folding. */
static bool taco__regex_add(taco__regex_parser *p, uint32_t first, uint32_t last)
{
    taco__regex_range r;
    r.first = first;
    r.last = last;
    return taco__buf_append(&p->ranges, &r, sizeof r, p->err);
}

/* Appends the characters that (?i) takes for c: the other case, or all of a set of three or four,
   as of k, K and the Kelvin sign. The dotless i and the I with a dot have no other case. */
static bool taco__regex_add_case(taco__regex_parser *p, uint32_t c)
{
    static const uint16_t sets[][4] = {
        {0x004B, 0x006B, 0x212A},         {0x0053, 0x0073, 0x017F},
        {0x00B5, 0x039C, 0x03BC},         {0x00C5, 0x00E5, 0x212B},
        {0x01C4, 0x01C5, 0x01C6},         {0x01C7, 0x01C8, 0x01C9},
        {0x01CA, 0x01CB, 0x01CC},         {0x01F1, 0x01F2, 0x01F3},
        {0x0345, 0x0399, 0x03B9, 0x1FBE}, {0x0392, 0x03B2, 0x03D0},
        {0x0395, 0x03B5, 0x03F5},         {0x0398, 0x03B8, 0x03D1, 0x03F4},
        {0x039A, 0x03BA, 0x03F0},         {0x03A0, 0x03C0, 0x03D6},
        {0x03A1, 0x03C1, 0x03F1},         {0x03A3, 0x03C2, 0x03C3},
        {0x03A6, 0x03C6, 0x03D5},         {0x03A9, 0x03C9, 0x2126},
        {0x0412, 0x0432, 0x1C80},         {0x0414, 0x0434, 0x1C81},
        {0x041E, 0x043E, 0x1C82},         {0x0421, 0x0441, 0x1C83},
        {0x0422, 0x0442, 0x1C84, 0x1C85}, {0x042A, 0x044A, 0x1C86},
        {0x0462, 0x0463, 0x1C87},         {0x1C88, 0xA64A, 0xA64B},
        {0x1E60, 0x1E61, 0x1E9B}};
    uint32_t low = taco__like_lower(c), up = taco__func_text_upper_char(c);
    size_t i, k;
    if (!c || c == 0x130 || c == 0x131) { return true; }
    for (i = 0; i < TACO__COUNT(sets); i++) {
        const uint16_t *s = sets[i];
        if (c != s[0] && c != s[1] && c != s[2] && c != s[3]) { continue; }
        for (k = 0; k < 4 && s[k]; k++) {
            if (!taco__regex_add(p, s[k], s[k])) { return false; }
        }
    }
    return (low == c || taco__regex_add(p, low, low)) && (up == c || taco__regex_add(p, up, up));
}

/* A range, with (?i) in both cases. Of long ranges only the ends are folded, one by one: of other
   characters they contain both cases. */
static bool taco__regex_add_folded(taco__regex_parser *p, uint32_t first, uint32_t last)
{
    const uint32_t most = 1000;
    uint32_t c;
    if (!taco__regex_add(p, first, last)) { return false; }
    if (!p->flags.ignore_case) { return true; }
    for (c = first; c <= last; c++) {
        if (last - first > 2 * most && c == first + most) { c = last - most; }
        if (!taco__regex_add_case(p, c)) { return false; }
    }
    return true;
}

/* For taco__sort: ranges by their first characters. */
static int taco__regex_compare_ranges(const void *ctx, const void *a, const void *b)
{
    uint32_t x = ((const taco__regex_range *)a)->first, y = ((const taco__regex_range *)b)->first;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Sorts and merges the ranges from number `from` on, and complements them if negated. */
static bool taco__regex_finish_set(taco__regex_parser *p, size_t from, bool negate)
{
    taco__regex_range *all = (taco__regex_range *)(void *)p->ranges.data, *r;
    size_t n = p->ranges.len / sizeof *r - from, i, m = 0;
    uint32_t next = 0;
    if (n) {
        r = all + from;
        if (!taco__sort_in(p->arena->mem, r, n, sizeof *r, taco__regex_compare_ranges, NULL,
                           p->err)) {
            return false;
        }
        for (i = 0; i < n; i++) {
            if (m && r[i].first <= r[m - 1].last + 1) {
                r[m - 1].last = TACO__MAX(r[m - 1].last, r[i].last);
            } else {
                r[m++] = r[i];
            }
        }
        p->ranges.len = (from + m) * sizeof *r;
    }
    if (!negate) { return true; }
    /* the gaps, written after the ranges and then over them */
    for (i = 0; i <= m; i++) {
        taco__regex_range now;
        bool end = i == m;
        if (!end) {
            memcpy(&now, p->ranges.data + (from + i) * sizeof now, sizeof now);
        } else {
            now.first = TACO__REGEX_LAST_CHAR + 1;
            now.last = now.first;
        }
        if (next < now.first && !taco__regex_add(p, next, now.first - 1)) { return false; }
        next = now.last + 1;
    }
    n = p->ranges.len / sizeof *r - from - m;
    memmove(p->ranges.data + from * sizeof *r, p->ranges.data + (from + m) * sizeof *r,
            n * sizeof *r);
    p->ranges.len = (from + n) * sizeof *r;
    return true;
}

/* Appends a class such as \d, in lower case, or its complement. */
static bool taco__regex_add_perl(taco__regex_parser *p, uint8_t which)
{
    static const char digits[] = "09", words[] = "09AZ__az", spaces[] = "\t\n\f\r  ";
    const char *set = (which | 0x20) == 'd' ? digits : (which | 0x20) == 'w' ? words : spaces;
    uint32_t next = 0;
    bool ok = true;
    for (; ok && set[0]; set += 2) {
        if (which & 0x20) {
            ok = taco__regex_add(p, (uint8_t)set[0], (uint8_t)set[1]);
        } else {
            ok = next >= (uint8_t)set[0] || taco__regex_add(p, next, (uint8_t)set[0] - 1U);
            next = (uint8_t)set[1] + 1U;
        }
    }
    return ok && ((which & 0x20) || taco__regex_add(p, next, TACO__REGEX_LAST_CHAR));
}

/* [:name:] or [:^name:] in a set, after "[:"; POSIX classes are those of ASCII. */
static bool taco__regex_add_posix(taco__regex_parser *p)
{
    static const struct {
        const char *name, *set;
    } classes[] = {{"alnum:]", "09AZaz"},
                   {"alpha:]", "AZaz"},
                   {"ascii:]", "\1\x7F"},
                   {"blank:]", "\t\t  "},
                   {"cntrl:]", "\1\x1F\x7F\x7F"},
                   {"digit:]", "09"},
                   {"graph:]", "!~"},
                   {"lower:]", "az"},
                   {"print:]", " ~"},
                   {"punct:]", "!/:@[`{~"},
                   {"space:]", "\t\r  "},
                   {"upper:]", "AZ"},
                   {"word:]", "09AZ__az"},
                   {"xdigit:]", "09AFaf"}};

    bool negate = taco__regex_accept(p, "^"), ok = true;
    size_t i, from = p->ranges.len / sizeof(taco__regex_range);
    for (i = 0; i < TACO__COUNT(classes); i++) {
        const char *set = classes[i].set;
        if (!taco__regex_accept(p, classes[i].name)) { continue; }
        for (; ok && set[0]; set += 2) {
            uint32_t first = (uint8_t)set[0] == 1 ? 0 : (uint8_t)set[0];
            ok = taco__regex_add_folded(p, first, (uint8_t)set[1]);
        }
        return ok && (!negate || taco__regex_finish_set(p, from, true));
    }
    taco__regex_fail(p, "an unknown class");
    return false;
}

/* The character of an escape: \n, \x41, \x{41}, \., after the backslash. */
static bool taco__regex_escape(taco__regex_parser *p, uint32_t *out)
{
    static const char names[] = "afnrtv", codes[] = "\a\f\n\r\t\v";
    const char *at;
    uint8_t c = taco__regex_at_end(p) ? 0 : p->s.data[p->at];
    uint32_t v = 0, digits = 0;
    bool braces;
    at = c ? strchr(names, c) : NULL;
    if (at) {
        p->at++;
        *out = (uint8_t)codes[at - names];
        return true;
    }
    if (c == 'x') {
        p->at++;
        braces = taco__regex_accept(p, "{");
        while (!taco__regex_at_end(p) && taco__ascii_hex_value(p->s.data[p->at]) >= 0 &&
               digits < (braces ? 6U : 2U)) {
            v = v * 16 + (uint32_t)taco__ascii_hex_value(p->s.data[p->at++]);
            digits++;
        }
        if (!digits || (!braces && digits < 2) || v > TACO__REGEX_LAST_CHAR ||
            (braces && !taco__regex_accept(p, "}"))) {
            taco__regex_fail(p, "a broken \\x");
            return false;
        }
        *out = v;
        return true;
    }
    if (c == '0') { /* octal, up to three digits */
        while (!taco__regex_at_end(p) && p->s.data[p->at] >= '0' && p->s.data[p->at] <= '7' &&
               digits < 3) {
            v = v * 8 + (p->s.data[p->at++] - (uint32_t)'0');
            digits++;
        }
        *out = v;
        return true;
    }
    if (!c || c >= 0x80 || taco__lex_is_digit(c) || (taco__lex_is_letter(c) && c != '_')) {
        taco__regex_fail(p, (c | 0x20) == 'p' ? "a Unicode class, which is not supported,"
                                              : "an unknown escape");
        return false;
    }
    *out = c;
    p->at++;
    return true;
}

/* One end of a range in a set, or a class, for which *is_class is set. */
static bool taco__regex_set_item(taco__regex_parser *p, uint32_t *c, bool *is_class)
{
    *is_class = false;
    if (taco__regex_accept(p, "[:")) {
        *is_class = true;
        return taco__regex_add_posix(p);
    }
    if (!taco__regex_accept(p, "\\")) {
        *c = taco__regex_next_char(p);
        return true;
    }
    if (!taco__regex_at_end(p) && p->s.data[p->at] && strchr("dDsSwW", p->s.data[p->at])) {
        *is_class = true;
        return taco__regex_add_perl(p, p->s.data[p->at++]);
    }
    return taco__regex_escape(p, c);
}

/* A node of the ranges from `from` on. */
static taco__regex_node *taco__regex_set_node(taco__regex_parser *p, size_t from, bool negate)
{
    taco__regex_node *n = taco__regex_finish_set(p, from, negate)
                              ? taco__regex_node_new(p, TACO__REGEX_CHARS, NULL, NULL)
                              : NULL;
    if (n) {
        n->x = (uint32_t)from;
        n->y = (uint32_t)(p->ranges.len / sizeof(taco__regex_range) - from);
    }
    return n;
}

/* [...], after the bracket; a closing bracket is literal if it comes first. */
static taco__regex_node *taco__regex_parse_set(taco__regex_parser *p)
{
    bool negate = taco__regex_accept(p, "^"), first = true, is_class;
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    uint32_t a = 0, b = 0;
    for (; first || !taco__regex_accept(p, "]"); first = false) {
        if (taco__regex_at_end(p)) { return taco__regex_fail(p, "a set that does not end"); }
        if (!taco__regex_set_item(p, &a, &is_class)) { return NULL; }
        if (is_class) { continue; }
        b = a;
        if (p->at + 1 < p->s.len && p->s.data[p->at] == '-' && p->s.data[p->at + 1] != ']') {
            p->at++;
            if (!taco__regex_set_item(p, &b, &is_class)) { return NULL; }
            if (is_class || b < a) { return taco__regex_fail(p, "an empty range"); }
        }
        if (!taco__regex_add_folded(p, a, b)) { return NULL; }
    }
    return taco__regex_set_node(p, from, negate);
}

/* One character as a set. */
static taco__regex_node *taco__regex_char_node(taco__regex_parser *p, uint32_t c)
{
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    return taco__regex_add_folded(p, c, c) ? taco__regex_set_node(p, from, false) : NULL;
}

/* A node that consumes no character. */
static taco__regex_node *taco__regex_place_node(taco__regex_parser *p, taco__regex_assertion what)
{
    taco__regex_node *n = taco__regex_node_new(p, TACO__REGEX_PLACE, NULL, NULL);
    if (n) { n->x = what; }
    return n;
}

/* ---- the grammar ---- */

/* \Q...\E: literal characters. */
static taco__regex_node *taco__regex_parse_quote(taco__regex_parser *p)
{
    taco__regex_node *n = taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
    while (n && !taco__regex_at_end(p) && !taco__regex_accept(p, "\\E")) {
        taco__regex_node *c = taco__regex_char_node(p, taco__regex_next_char(p));
        n = c ? taco__regex_node_new(p, TACO__REGEX_JOIN, n, c) : NULL;
    }
    return n;
}

/* What a backslash begins. */
static taco__regex_node *taco__regex_parse_backslash(taco__regex_parser *p)
{
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    uint8_t c = taco__regex_at_end(p) ? 0 : p->s.data[p->at];
    uint32_t v;
    if (c && strchr("dDsSwW", c)) {
        p->at++;
        return taco__regex_add_perl(p, c) ? taco__regex_set_node(p, from, false) : NULL;
    }
    if (taco__regex_accept(p, "b")) { return taco__regex_place_node(p, TACO__REGEX_WORD); }
    if (taco__regex_accept(p, "B")) { return taco__regex_place_node(p, TACO__REGEX_NO_WORD); }
    if (taco__regex_accept(p, "A")) { return taco__regex_place_node(p, TACO__REGEX_TEXT_BEGIN); }
    if (taco__regex_accept(p, "z")) { return taco__regex_place_node(p, TACO__REGEX_TEXT_END); }
    if (taco__regex_accept(p, "Q")) { return taco__regex_parse_quote(p); }
    return taco__regex_escape(p, &v) ? taco__regex_char_node(p, v) : NULL;
}

/* The flags of (?ims-U), after the question mark, up to ) or :. */
static bool taco__regex_parse_flags(taco__regex_parser *p)
{
    bool on = true;
    size_t begin = p->at;
    while (!taco__regex_at_end(p)) {
        switch (p->s.data[p->at]) {
        case 'i': p->flags.ignore_case = on; break;
        case 's': p->flags.dot_newline = on; break;
        case 'm': p->flags.lines = on; break;
        case 'U': p->flags.swap_lazy = on; break;
        case '-':
            if (!on) { return false; }
            on = false;
            break;
        case ':':
        case ')': return on || p->at > begin + 1;
        default: return false;
        }
        p->at++;
    }
    return false;
}

/* (?P<name> or (?<name>, after the sign: the name is skipped. */
static bool taco__regex_skip_name(taco__regex_parser *p)
{
    size_t begin = p->at;
    while (!taco__regex_at_end(p) &&
           (taco__lex_is_letter(p->s.data[p->at]) || taco__lex_is_digit(p->s.data[p->at]))) {
        p->at++;
    }
    return p->at > begin && taco__regex_accept(p, ">");
}

/* A group, after its parenthesis. Flags apply until it ends. */
static taco__regex_node *taco__regex_parse_group(taco__regex_parser *p)
{
    taco__regex_flags before = p->flags;
    taco__regex_node *n, *inner;
    uint32_t number = 0;
    if (taco__regex_accept(p, "?P<") || taco__regex_accept(p, "?<")) {
        if (!taco__regex_skip_name(p)) { return taco__regex_fail(p, "a broken name"); }
        number = ++p->groups;
    } else if (taco__regex_accept(p, "?")) {
        if (!taco__regex_parse_flags(p)) { return taco__regex_fail(p, "an unknown group (?"); }
        if (taco__regex_accept(p, ")")) { /* applies to the rest of the enclosing group */
            return taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
        }
        p->at++;
    } else {
        number = ++p->groups;
    }
    if (++p->depth > TACO__REGEX_MAX_DEPTH) { return taco__regex_fail(p, "groups too deep"); }
    inner = taco__regex_parse_either(p);
    p->depth--;
    if (!inner) { return NULL; }
    if (!taco__regex_accept(p, ")")) { return taco__regex_fail(p, "a group that does not end"); }
    p->flags = before;
    /* (?:...) is just its content */
    if (!number) { return inner; }
    n = taco__regex_node_new(p, TACO__REGEX_GROUP, inner, NULL);
    if (n) { n->x = number; }
    return n;
}

/* What can be repeated: a character, a set, a group, an assertion. */
static taco__regex_node *taco__regex_parse_atom(taco__regex_parser *p)
{
    size_t from = p->ranges.len / sizeof(taco__regex_range);
    switch (p->s.data[p->at]) {
    case '(': p->at++; return taco__regex_parse_group(p);
    case '[': p->at++; return taco__regex_parse_set(p);
    case '\\': p->at++; return taco__regex_parse_backslash(p);
    case '^':
        p->at++;
        return taco__regex_place_node(p, p->flags.lines ? TACO__REGEX_LINE_BEGIN
                                                        : TACO__REGEX_TEXT_BEGIN);
    case '$':
        p->at++;
        return taco__regex_place_node(p,
                                      p->flags.lines ? TACO__REGEX_LINE_END : TACO__REGEX_TEXT_END);
    case '.':
        p->at++;
        if (!p->flags.dot_newline && !taco__regex_add(p, '\n', '\n')) { return NULL; }
        return taco__regex_set_node(p, from, true);
    case '*':
    case '+':
    case '?': return taco__regex_fail(p, "nothing to repeat");
    default: return taco__regex_char_node(p, taco__regex_next_char(p));
    }
}

/* A number up to the largest repetition; false if there are no digits. */
static bool taco__regex_parse_number(taco__regex_parser *p, uint32_t *out)
{
    size_t begin = p->at;
    *out = 0;
    while (!taco__regex_at_end(p) && taco__lex_is_digit(p->s.data[p->at])) {
        *out = *out * 10 + (p->s.data[p->at++] - (uint32_t)'0');
        *out = TACO__MIN(*out, 100000U);
    }
    return p->at > begin;
}

/* *, +, ?, {n}, {n,}, {n,m}; false if none of them follows. Other braces are literal. */
static bool taco__regex_parse_times(taco__regex_parser *p, uint32_t *least, uint32_t *most)
{
    size_t begin = p->at;
    *least = 0;
    *most = TACO__REGEX_NONE;
    if (taco__regex_accept(p, "*")) { return true; }
    if (taco__regex_accept(p, "+")) {
        *least = 1;
        return true;
    }
    if (taco__regex_accept(p, "?")) {
        *most = 1;
        return true;
    }
    if (taco__regex_accept(p, "{") && taco__regex_parse_number(p, least)) {
        *most = *least;
        if (taco__regex_accept(p, ",") && !taco__regex_parse_number(p, most)) {
            *most = TACO__REGEX_NONE;
        }
        if (taco__regex_accept(p, "}")) { return true; }
    }
    p->at = begin;
    return false;
}

/* An atom and its repetition. */
static taco__regex_node *taco__regex_parse_repeat(taco__regex_parser *p)
{
    taco__regex_node *n = taco__regex_parse_atom(p), *r;
    uint32_t least, most;
    if (!n || !taco__regex_parse_times(p, &least, &most)) { return n; }
    if (least > TACO__REGEX_MAX_REPEAT ||
        (most != TACO__REGEX_NONE && (most > TACO__REGEX_MAX_REPEAT || most < least))) {
        return taco__regex_fail(p, "a repetition beyond 1000 times or backwards");
    }
    r = taco__regex_node_new(p, TACO__REGEX_REPEAT, n, NULL);
    if (!r) { return NULL; }
    r->x = least;
    r->y = most;
    /* nested counts multiply the time, even where the operand makes no instruction */
    r->times *= TACO__MAX(most == TACO__REGEX_NONE ? least : most, 1U);
    if (r->times > TACO__REGEX_MAX_REPEAT) {
        return taco__regex_fail(p, "nested repetitions beyond 1000 times in all");
    }
    r->lazy = taco__regex_accept(p, "?") != p->flags.swap_lazy;
    if (taco__regex_parse_times(p, &least, &most)) {
        return taco__regex_fail(p, "a repetition of a repetition");
    }
    return r;
}

/* Alternatives, up to the end or the parenthesis that closes the group. */
static taco__regex_node *taco__regex_parse_either(taco__regex_parser *p)
{
    taco__regex_node *all = NULL, *one;
    do {
        one = taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
        while (one && !taco__regex_at_end(p) && p->s.data[p->at] != '|' &&
               p->s.data[p->at] != ')') {
            taco__regex_node *next = taco__regex_parse_repeat(p);
            one = next ? taco__regex_node_new(p, TACO__REGEX_JOIN, one, next) : NULL;
        }
        if (!one) { return NULL; }
        all = all ? taco__regex_node_new(p, TACO__REGEX_EITHER, all, one) : one;
    } while (all && taco__regex_accept(p, "|"));
    return all;
}

/* ---- programs ---- */

/* Appends an instruction; the size of the program is limited. */
static bool taco__regex_emit(taco__regex_parser *p, uint32_t op, uint32_t x, uint32_t y)
{
    if (p->length == TACO__REGEX_MAX_PROGRAM) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a regular expression of more than %u instructions",
                   TACO__U(TACO__REGEX_MAX_PROGRAM));
        return false;
    }
    p->program[p->length].op = op;
    p->program[p->length].x = x;
    p->program[p->length++].y = y;
    return true;
}

static bool taco__regex_generate(taco__regex_parser *p, const taco__regex_node *n);

/* Sets the targets of the SPLIT at `at`: the beginning of its operand, and its end; the operand
   first unless it is lazy. */
static void taco__regex_aim(taco__regex_parser *p, uint32_t at, bool lazy, uint32_t in,
                            uint32_t out)
{
    p->program[at].x = lazy ? out : in;
    p->program[at].y = lazy ? in : out;
}

/* The operand once or more: a SPLIT after it leads back. As in RE2 there is no other form of a
   loop, because an empty first alternative in (|a)* must end it: x* is (x+)?. */
static bool taco__regex_generate_loop(taco__regex_parser *p, const taco__regex_node *n)
{
    uint32_t from = p->length, at;
    if (!taco__regex_generate(p, n->a)) { return false; }
    at = p->length;
    if (!taco__regex_emit(p, TACO__REGEX_SPLIT, 0, 0)) { return false; }
    taco__regex_aim(p, at, n->lazy, from, p->length);
    return true;
}

/* A repetition: the operand x times, then up to y - x times more, or the last of them in a loop. */
static bool taco__regex_generate_repeat(taco__regex_parser *p, const taco__regex_node *n)
{
    uint32_t k, at, first;
    bool loop = n->y == TACO__REGEX_NONE;
    for (k = 0; k + loop < n->x; k++) {
        if (!taco__regex_generate(p, n->a)) { return false; }
    }
    if (loop) {
        at = p->length;
        if (n->x) { return taco__regex_generate_loop(p, n); }
        if (!taco__regex_emit(p, TACO__REGEX_SPLIT, 0, 0) || !taco__regex_generate_loop(p, n)) {
            return false;
        }
        taco__regex_aim(p, at, n->lazy, at + 1, p->length);
        return true;
    }
    first = p->length;
    for (k = n->x; k < n->y; k++) { /* each of them may be the last */
        if (!taco__regex_emit(p, TACO__REGEX_SPLIT, TACO__REGEX_NONE, 0) ||
            !taco__regex_generate(p, n->a)) {
            return false;
        }
    }
    for (at = first; at < p->length; at++) {
        if (p->program[at].op == TACO__REGEX_SPLIT && p->program[at].x == TACO__REGEX_NONE) {
            taco__regex_aim(p, at, n->lazy, at + 1, p->length);
        }
    }
    return true;
}

/* Appends the instructions of a tree. Chains of JOIN and EITHER are left-leaning and walked by a
   loop, so recursion is only as deep as groups are. */
static bool taco__regex_generate(taco__regex_parser *p, const taco__regex_node *n)
{
    uint32_t at, jump;
    switch (n->kind) {
    case TACO__REGEX_CHARS: return taco__regex_emit(p, TACO__REGEX_SET, n->x, n->y);
    case TACO__REGEX_PLACE: return taco__regex_emit(p, TACO__REGEX_ASSERT, n->x, 0);
    case TACO__REGEX_GROUP:
        return taco__regex_emit(p, TACO__REGEX_SAVE, n->x * 2, 0) &&
               taco__regex_generate(p, n->a) &&
               taco__regex_emit(p, TACO__REGEX_SAVE, n->x * 2 + 1, 0);
    case TACO__REGEX_JOIN: {
        const taco__regex_node *chain = n;
        uint32_t length = 0, k;
        const taco__regex_node **parts;
        for (; chain->kind == TACO__REGEX_JOIN; chain = chain->a) {
            length++;
        }
        parts = (const taco__regex_node **)taco__arena_array(p->arena, (size_t)length + 1,
                                                             sizeof *parts, p->err);
        if (!parts) { return false; }
        for (chain = n, k = length; chain->kind == TACO__REGEX_JOIN; chain = chain->a) {
            parts[k--] = chain->b;
        }
        parts[0] = chain;
        for (k = 0; k <= length; k++) {
            if (!taco__regex_generate(p, parts[k])) { return false; }
        }
        return true;
    }
    case TACO__REGEX_EITHER:
        at = p->length;
        if (!taco__regex_emit(p, TACO__REGEX_SPLIT, at + 1, 0) || !taco__regex_generate(p, n->a)) {
            return false;
        }
        jump = p->length;
        if (!taco__regex_emit(p, TACO__REGEX_JUMP, 0, 0)) { return false; }
        p->program[at].y = p->length;
        if (!taco__regex_generate(p, n->b)) { return false; }
        p->program[jump].x = p->length;
        return true;
    case TACO__REGEX_REPEAT: return taco__regex_generate_repeat(p, n);
    default: return true;
    }
}

/* The byte that every match begins with, or -1; the search skips to it. */
static int taco__regex_first_byte(const taco__regex *re)
{
    uint32_t at = 0;
    while (re->program[at].op == TACO__REGEX_SAVE) {
        at++;
    }
    if (re->program[at].op == TACO__REGEX_SET && re->program[at].y == 1 &&
        re->ranges[re->program[at].x].first == re->ranges[re->program[at].x].last &&
        re->ranges[re->program[at].x].first < 0x80) {
        return (int)re->ranges[re->program[at].x].first;
    }
    return -1;
}

/* Parses into a tree; a literal pattern is a chain of its characters. */
static taco__regex_node *taco__regex_parse(taco__regex_parser *p, bool literal)
{
    taco__regex_node *n;
    if (!taco__utf8_valid(p->s)) { return taco__regex_fail(p, "bytes that are not UTF-8"); }
    if (!literal) {
        n = taco__regex_parse_either(p);
        return n && !taco__regex_at_end(p) ? taco__regex_fail(p, "a ) without (") : n;
    }
    n = taco__regex_node_new(p, TACO__REGEX_EMPTY, NULL, NULL);
    while (n && !taco__regex_at_end(p)) {
        taco__regex_node *c = taco__regex_char_node(p, taco__regex_next_char(p));
        n = c ? taco__regex_node_new(p, TACO__REGEX_JOIN, n, c) : NULL;
    }
    return n;
}

/* Compiles a pattern; see regex.h. */
TACO__FN bool taco__regex_compile(taco__arena *arena, taco_bytes pattern,
                                  const taco__regex_options *o, taco__regex *out, taco_error *err)
{
    taco__regex_parser p;
    taco__regex_node *n;
    void *kept;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.s = pattern;
    p.flags.ignore_case = o->ignore_case;
    p.flags.dot_newline = o->dot_newline;
    p.ranges.mem = arena->mem;
    n = taco__regex_parse(&p, o->literal);
    /* allocates the longest program at once, since its size is not known in advance */
    p.program = n ? (taco__regex_instruction *)taco__arena_array(arena, TACO__REGEX_MAX_PROGRAM,
                                                                 sizeof *p.program, err)
                  : NULL;
    kept = p.program ? taco__arena_alloc(arena, p.ranges.len + 1, err) : NULL;
    if (!kept || !taco__regex_emit(&p, TACO__REGEX_SAVE, 0, 0) || !taco__regex_generate(&p, n) ||
        !taco__regex_emit(&p, TACO__REGEX_SAVE, 1, 0) ||
        !taco__regex_emit(&p, TACO__REGEX_MATCH, 0, 0)) {
        taco__buf_free(&p.ranges);
        return false;
    }
    if (p.ranges.len) { memcpy(kept, p.ranges.data, p.ranges.len); }
    taco__buf_free(&p.ranges);
    out->program = p.program;
    out->length = p.length;
    out->ranges = (const taco__regex_range *)kept;
    out->groups = p.groups + 1;
    out->first_byte = taco__regex_first_byte(out);
    return true;
}
