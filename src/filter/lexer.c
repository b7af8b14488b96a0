/* lexer.c - tokens of SQL text

   In: text. Out: one token at a time, in taco__lexer: its kind, where it begins and ends, its raw
   characters. White space and comments are skipped; quotes are not resolved (taco__lex_unquote does
   that), and keywords are not distinguished from names. Errors name the column of the text. */
#include "filter.h"
#include "../base/base.h"

/* SYNTAX errors carry the position in the text, which base/error.c prints as "at column". */
static TACO__COLD bool taco__lex_fail(taco__lexer *l, size_t at, const char *what)
{
    TACO__FAIL(l->err, TACO_ERR_SYNTAX, at, "%s", what);
    return false;
}

/* Skips white space and comments; a block comment may contain others, as in DuckDB. */
static bool taco__lex_skip_space(taco__lexer *l)
{
    const uint8_t *p = l->text.data;
    size_t n = l->text.len, i = l->pos;
    for (;;) {
        while (i < n && (p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r'))) {
            i++;
        }
        if (i + 1 < n && p[i] == '-' && p[i + 1] == '-') {
            while (i < n && p[i] != '\n') {
                i++;
            }
        } else if (i + 1 < n && p[i] == '/' && p[i + 1] == '*') {
            size_t depth = 1, start = i;
            for (i += 2; depth && i < n; i++) {
                if (i + 1 < n && p[i] == '/' && p[i + 1] == '*') {
                    depth++;
                    i++;
                } else if (i + 1 < n && p[i] == '*' && p[i + 1] == '/') {
                    depth--;
                    i++;
                }
            }
            if (depth) { return taco__lex_fail(l, start, "the comment is not closed"); }
        } else {
            l->pos = i;
            return true;
        }
    }
}

/* A quoted token whose opening quote is at `open`. */
static bool taco__lex_read_quoted(taco__lexer *l, size_t open, char quote)
{
    const uint8_t *p = l->text.data;
    size_t n = l->text.len, i;
    l->doubled = false;
    for (i = open + 1; i < n; i++) {
        if (p[i] == (uint8_t)quote) {
            if (i + 1 >= n || p[i + 1] != (uint8_t)quote) { break; }
            l->doubled = true;
            i++;
        }
    }
    if (i >= n) {
        return taco__lex_fail(l, open,
                              quote == '"' ? "the name in double quotes is not closed"
                                           : "the text in quotes is not closed");
    }
    l->raw = taco__bytes_of(p + open + 1, i - open - 1);
    l->end = i + 1;
    return true;
}

/* Numbers follow the grammar in base/number_parse.c. A letter right after one is refused: 1abc is
   neither a number nor a number with an alias. */
static bool taco__lex_read_number(taco__lexer *l)
{
    taco_bytes rest = taco__bytes_of(l->text.data + l->at, l->text.len - l->at);
    size_t n = taco__num_scan_sql(rest, &l->integral);
    l->raw = taco__bytes_of(rest.data, n);
    l->end = l->at + n;
    l->kind = TACO__TOK_NUMBER;
    if (n < rest.len && (taco__lex_is_letter(rest.data[n]) || rest.data[n] == '.')) {
        return taco__lex_fail(l, l->end, "unexpected character after a number");
    }
    return true;
}

/* Operators that no parser accepts are tokens too, so that messages can name them whole. */
static bool taco__lex_read_sign(taco__lexer *l)
{
    static const char *const signs[] = {
        "!~~*", "~~*", "~~~", "!~~", "->>", "<=>", "<->", "**", "<=", ">=", "<>", "!=", "==", "||",
        "::",   "->",  "=>",  "<<",  ">>",  "~~",  "!~",  "//", ":=", "^@", "@>", "<@", "&&"};
    taco_bytes rest = taco__bytes_of(l->text.data + l->at, l->text.len - l->at);
    size_t i, n = 1;
    for (i = 0; i < TACO__COUNT(signs); i++) {
        if (taco__bytes_starts_with(rest, signs[i])) {
            n = strlen(signs[i]);
            break;
        }
    }
    if (n == 1 && (rest.data[0] < 0x21 ||
                   !taco__ascii_is_among(rest.data[0], "=<>+-*/%(),.;:[]{}~&|^@?!#$"))) {
        taco_bytes one = taco__bytes_of(rest.data, 1);
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at, "unexpected character %q", &one);
        return false;
    }
    l->kind = TACO__TOK_SIGN;
    l->raw = taco__bytes_of(rest.data, n);
    l->end = l->at + n;
    return true;
}

/* $tag$text$tag$, where the text is taken literally, at the first $; *is is false if this does not
   begin a tag. */
static bool taco__lex_read_dollars(taco__lexer *l, bool *is)
{
    const uint8_t *p = l->text.data;
    size_t i = l->at + 1, n = l->text.len, tag;
    while (i < n && (taco__lex_is_letter(p[i]) || (taco__lex_is_digit(p[i]) && i > l->at + 1))) {
        i++;
    }
    *is = i < n && p[i] == '$';
    if (!*is) { return true; }
    tag = ++i - l->at;
    for (; i + tag <= n && memcmp(p + i, p + l->at, tag) != 0; i++) {}
    if (i + tag > n) { return taco__lex_fail(l, l->at, "the dollar-quoted text is not closed"); }
    l->kind = TACO__TOK_STRING;
    l->raw = taco__bytes_of(p + l->at + tag, i - l->at - tag);
    l->end = i + tag;
    l->doubled = false;
    return true;
}

/* Reads the next token; false on an error. At the end of the text it stays at TACO__TOK_END. */
TACO__FN bool taco__lex_next(taco__lexer *l)
{
    const uint8_t *p = l->text.data;
    size_t n = l->text.len, i;
    uint8_t c;
    bool ok, dollars = false;
    if (!taco__lex_skip_space(l)) { return false; }
    i = l->at = l->end = l->pos;
    l->kind = TACO__TOK_END;
    l->raw = taco__bytes_of(NULL, 0);
    if (i >= n) { return true; }
    c = p[i];
    if ((c == 'x' || c == 'X') && i + 1 < n && p[i + 1] == '\'') {
        l->kind = TACO__TOK_BLOB;
        ok = taco__lex_read_quoted(l, i + 1, '\'');
    } else if (taco__lex_is_letter(c)) {
        while (i < n &&
               (taco__lex_is_letter(p[i]) || taco__lex_is_digit(p[i]) ||
                (l->colons && p[i] == ':' && i + 1 < n && taco__lex_is_letter(p[i + 1])))) {
            i++;
        }
        l->kind = TACO__TOK_NAME;
        l->raw = taco__bytes_of(p + l->at, i - l->at);
        l->end = i;
        ok = true;
    } else if (taco__lex_is_digit(c) || (c == '.' && i + 1 < n && taco__lex_is_digit(p[i + 1]))) {
        ok = taco__lex_read_number(l);
    } else if (c == '\'' || c == '"') {
        l->kind = c == '"' ? TACO__TOK_QUOTED : TACO__TOK_STRING;
        ok = taco__lex_read_quoted(l, i, (char)c);
    } else {
        ok = c != '$' || taco__lex_read_dollars(l, &dollars);
        ok = ok && (dollars || taco__lex_read_sign(l));
    }
    l->pos = l->end;
    return ok;
}

/* Begins at the first token. The text is borrowed for as long as tokens are used. */
TACO__FN bool taco__lex_init(taco__lexer *l, const char *text, size_t len, taco_error *err)
{
    memset(l, 0, sizeof *l);
    l->text = taco__bytes_of(text, len);
    l->err = err;
    return taco__lex_next(l);
}

/* The same for a condition, in which unquoted names may contain colons: "stac:crs" needs no quotes,
   while a cast, a::int, is still refused. */
TACO__FN bool taco__lex_init_condition(taco__lexer *l, const char *text, size_t len,
                                       taco_error *err)
{
    memset(l, 0, sizeof *l);
    l->text = taco__bytes_of(text, len);
    l->err = err;
    l->colons = true;
    return taco__lex_next(l);
}

/* Whether the current token is that unquoted word, given in lower case; case is ignored. */
TACO__FN bool taco__lex_is_word(const taco__lexer *l,
                                const char *lower) /* a bare word, case ignored */
{
    return l->kind == TACO__TOK_NAME && taco__ascii_is_word(l->raw, lower);
}

/* The text of a STRING or QUOTED token with doubled quotes resolved: in the arena, or the raw text
   if there are none. */
TACO__FN bool taco__lex_unquote(const taco__lexer *l, taco__arena *arena, taco_bytes *out)
{
    uint8_t *p;
    size_t i, n = 0;
    *out = l->raw;
    if (!l->doubled) { return true; }
    p = (uint8_t *)taco__arena_alloc(arena, l->raw.len, l->err);
    for (i = 0; p && i < l->raw.len; i++) {
        p[n++] = l->raw.data[i];
        i += l->raw.data[i] == (l->kind == TACO__TOK_QUOTED ? '"' : '\'');
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}

/* Appends the text in quotes, doubling those inside: the reverse of taco__lex_unquote. */
TACO__FN bool taco__lex_append_quoted(taco__buf *out, taco_bytes text, char quote, taco_error *err)
{
    size_t i;
    bool ok = taco__buf_append_char(out, quote, err);
    for (i = 0; ok && i < text.len; i++) {
        ok = (text.data[i] != (uint8_t)quote || taco__buf_append_char(out, quote, err)) &&
             taco__buf_append_char(out, (char)text.data[i], err);
    }
    return ok && taco__buf_append_char(out, quote, err);
}

/* The unquoted name with a colon at the current token, such as stac:crs; false if there is none, or
   it is too long. */
static bool taco__lex_name_around_colon(const taco__lexer *l, char out[64])
{
    const uint8_t *p = l->text.data;
    size_t from = l->at, to = l->at + 1;
    if (l->kind != TACO__TOK_SIGN || !taco__lex_is_sign(l, ":")) { return false; }
    while (from && (taco__lex_is_letter(p[from - 1]) || taco__lex_is_digit(p[from - 1]))) {
        from--;
    }
    while (to < l->text.len &&
           (taco__lex_is_letter(p[to]) || taco__lex_is_digit(p[to]) || p[to] == ':')) {
        to++;
    }
    if (from == l->at || to == l->at + 1 || to - from > 63) { return false; }
    memcpy(out, p + from, to - from);
    out[to - from] = 0;
    return true;
}

/* A message with what was expected, and "end of text" or the quoted token as what was found. */
TACO__FN TACO__COLD void taco__lex_fail_expected(taco__lexer *l, const char *what)
{
    taco_bytes found = taco__bytes_of(l->text.data + l->at, l->end - l->at);
    char name[64];
    TACO__GIVE_UP(TACO_ERR_SYNTAX); /* leaves out the search for words of the message */
    if (l->kind == TACO__TOK_END) {
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at, "expected %s, found end of text", what);
    } else if (taco__lex_name_around_colon(l, name)) {
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at,
                   "expected %s, found %q; a name with a colon is in double quotes: \"%s\"", what,
                   &found, name);
    } else {
        TACO__FAIL(l->err, TACO_ERR_SYNTAX, l->at, "expected %s, found %q", what, &found);
    }
}
