/* func_regex.c - functions of patterns: regexp_*, SIMILAR TO, ~ and GLOB

   Constant patterns are compiled once, when the call is bound; others for each row, unless the
   pattern is that of the row before. Options are constants: i and c (case), s and n, m, p (whether
   a point takes a line's end), l (the pattern is a plain text), g (regexp_replace: all matches).

   Examples: regexp_extract('2024-02', '(\\d+)-(\\d+)', 2) is 02; with ['y', 'm'] for the 2 it is
   the struct {'y': 2024, 'm': 02}; regexp_replace('hello', 'l+', '<\\0>') is he<ll>o;
   regexp_split_to_array('a1b22c', '[0-9]+') is [a, b, c]; 'tile_7' GLOB '*_[0-9]' is true. */
#include "sql.h"
#include "functions.h"
#include "regex.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* What is known about a call before it runs. */
typedef struct taco__func_regex_plan {
    taco__regex_options options;
    const taco__regex *re; /* NULL: the pattern depends on the row */
    bool negated;          /* !~ */
    int64_t group;         /* of regexp_extract */
    uint32_t fields;       /* regexp_extract into a struct: number of fields; else 0 */
} taco__func_regex_plan;

/* Reads options. */
static bool taco__func_regex_options(taco__bind *b, const taco__sql_expr *e, taco__regex_options *o)
{
    size_t i;
    if (e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_NULL) { return true; }
    if (e->kind != TACO__SQL_EXPR_CONST || e->value.type.id != TACO_TEXT) {
        return taco__bind_fail(b, e, "the options of a regular expression must be a text constant");
    }
    for (i = 0; i < e->value.b.len; i++) {
        switch (e->value.b.data[i]) {
        case 'c': o->ignore_case = false; break;
        case 'i': o->ignore_case = true; break;
        case 'l': o->literal = true; break;
        case 'm':
        case 'n':
        case 'p': o->dot_newline = false; break;
        case 's': o->dot_newline = true; break;
        case 'g': o->global = true; break;
        default: return taco__bind_fail(b, e, "an unknown option of a regular expression");
        }
    }
    return true;
}

/* regexp_extract(s, pattern, ['a', 'b']): a struct of the first groups. */
static bool taco__func_regex_fields(taco__bind *b, taco__sql_expr *e, taco__func_regex_plan *plan)
{
    const taco__sql_expr *list = e->kid[2];
    const char **names =
        (const char **)taco__arena_array(b->arena, (size_t)list->n + 1, sizeof *names, b->err);
    taco__sql_type *kids =
        (taco__sql_type *)taco__arena_array(b->arena, (size_t)list->n + 1, sizeof *kids, b->err);
    uint32_t k;
    for (k = 0; names && kids && k < list->n; k++) {
        const taco__sql_expr *name =
            list->kid[k]->kind == TACO__SQL_EXPR_CAST ? list->kid[k]->kid[0] : list->kid[k];
        if (name->kind != TACO__SQL_EXPR_CONST || name->value.type.id != TACO_TEXT) {
            return taco__bind_fail(b, name, "names of groups must be text constants");
        }
        names[k] = taco__arena_text(b->arena, name->value.b, b->err);
        kids[k] = taco__sql_type_simple(TACO_TEXT);
        if (!names[k]) { return false; }
    }
    if (!list->n) { return taco__bind_fail(b, e, "a struct needs at least one field"); }
    plan->fields = list->n;
    e->type = taco__sql_type_simple(TACO_STRUCT);
    e->type.count = list->n;
    e->type.kids = kids;
    e->type.names = names;
    return names && kids;
}

/* Binds a call of these functions: compiles its pattern and reads its constants, which are then no
   longer operands. */
TACO__FN bool taco__func_regex_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__func_regex_plan *plan =
        (taco__func_regex_plan *)taco__arena_alloc(b->arena, sizeof *plan, b->err);
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    bool replaces = e->func == TACO__FUNC_REGEX_REPLACE;
    bool extracts = e->func == TACO__FUNC_REGEX_EXTRACT || e->func == TACO__FUNC_REGEX_EXTRACT_ALL;
    uint32_t options = replaces || extracts ? 3 : 2, operands = replaces ? 3 : 2;
    taco__regex *re;
    e->plan = plan;
    if (!plan) { return false; }
    plan->negated = taco__bytes_equal(e->name, taco__bytes_text("!~"));
    if (e->func == TACO__FUNC_REGEX_ESCAPE || e->func == TACO__FUNC_GLOB) { return true; }
    if (e->func == TACO__FUNC_REGEX_EXTRACT_ALL || e->func == TACO__FUNC_REGEX_SPLIT) {
        if (!taco__bind_list_of(b, &text, &e->type)) { return false; }
    }
    if (e->n > options && !taco__func_regex_options(b, e->kid[options], &plan->options)) {
        return false;
    }
    if (plan->options.global && !replaces) {
        return taco__bind_fail(b, e, "the option g is only for regexp_replace");
    }
    if (extracts && e->n > 2) {
        const taco__sql_expr *g = e->kid[2];
        if (g->type.t.id == TACO_LIST && g->kind == TACO__SQL_EXPR_CALL &&
            e->func == TACO__FUNC_REGEX_EXTRACT) {
            if (!taco__func_regex_fields(b, e, plan)) { return false; }
        } else if (g->kind == TACO__SQL_EXPR_CONST && g->literal == 1) {
            plan->group = (int64_t)g->value.d.w[0];
            if (plan->group < 0 || plan->group > 9) {
                return taco__bind_fail(b, g, "the number of a group must be 0 to 9");
            }
        } else {
            return taco__bind_fail(b, g, "the number of a group must be a constant");
        }
    }
    e->n = TACO__MIN(e->n, operands);
    if (e->kid[1]->kind != TACO__SQL_EXPR_CONST || e->kid[1]->value.type.id != TACO_TEXT) {
        return true;
    }
    re = (taco__regex *)taco__arena_alloc(b->arena, sizeof *re, b->err);
    plan->re = re;
    if (!re || !taco__regex_compile(b->arena, e->kid[1]->value.b, &plan->options, re, b->err)) {
        return false;
    }
    return plan->fields < re->groups || plan->fields == 0 ||
           taco__bind_fail(b, e, "there are more names than groups");
}

/* ---- runs ---- */

/* The compiled pattern and state for a batch of rows. */
typedef struct taco__func_regex {
    taco__func_call *x;
    const taco__func_regex_plan *plan;
    taco__regex own;   /* pattern of the row, if it is not constant */
    taco_bytes source; /* the pattern that `own` was compiled from */
    taco__regex_run run;
    bool ready;
    taco__buf text;
} taco__func_regex;

/* Prepares to run the pattern of row i. */
static bool taco__func_regex_prepare(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    const taco__regex *re = m->plan->re;
    taco_bytes pattern = TACO__FUNC_ARG_TEXT(1);
    uint32_t groups;
    if (m->ready && (re || taco__bytes_equal(pattern, m->source))) { return true; }
    if (!re) {
        if (!taco__regex_compile(x->arena, pattern, &m->plan->options, &m->own, x->err)) {
            return false;
        }
        m->source = pattern;
        re = &m->own;
    }
    groups = x->id == TACO__FUNC_REGEX_MATCHES || x->id == TACO__FUNC_REGEX_FULL ? 0 : re->groups;
    m->ready = true;
    return taco__regex_init_run(x->arena, re, groups, &m->run, x->err);
}

/* Whether a group took no part in the last match. */
static bool taco__func_regex_missed(const taco__func_regex *m, int64_t group)
{
    return group * 2 < (int64_t)m->run.slots &&
           (m->run.match[group * 2] == SIZE_MAX || m->run.match[group * 2 + 1] == SIZE_MAX);
}

/* What a group of the last match captured; empty if it did not match or does not exist. */
static taco_bytes taco__func_regex_group(const taco__func_regex *m, taco_bytes s, int64_t group)
{
    size_t from;
    if (group * 2 >= (int64_t)m->run.slots || taco__func_regex_missed(m, group)) {
        return taco__bytes_of(s.data, 0);
    }
    from = m->run.match[group * 2];
    return taco__bytes_of(s.data + from, m->run.match[group * 2 + 1] - from);
}

/* Appends the replacement of a match: \1 is what group 1 captured, \\ a backslash. False with
   *broken if it names a group that does not exist. */
static bool taco__func_regex_rewrite(taco__func_regex *m, taco_bytes s, taco_bytes with,
                                     bool *broken)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < with.len; i++) {
        uint8_t c = with.data[i], d;
        if (c != '\\') {
            ok = taco__buf_append_char(&m->text, (char)c, m->x->err);
            continue;
        }
        d = ++i < with.len ? with.data[i] : 0;
        if (d == '\\') {
            ok = taco__buf_append_char(&m->text, '\\', m->x->err);
        } else if (taco__lex_is_digit(d) && d - '0' < (int)m->run.re->groups) {
            taco_bytes part = taco__func_regex_group(m, s, d - '0');
            ok = taco__buf_append(&m->text, part.data, part.len, m->x->err);
        } else {
            *broken = true;
            return false;
        }
    }
    return ok;
}

/* regexp_replace: the first match, or all of them. An empty match right after another match is
   ignored. */
static bool taco__func_regex_replace(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), with = TACO__FUNC_ARG_TEXT(2);
    size_t at = 0, done = 0, last = SIZE_MAX;
    bool broken = false;
    m->text.len = 0;
    while (at <= s.len && taco__regex_find(&m->run, s, at, false)) {
        size_t from = m->run.match[0], to = m->run.match[1];
        if (from == to && to == last) { /* advance by a character */
            at = to < s.len ? to + taco__like_char_width(s, to) : s.len + 1;
            last = SIZE_MAX;
            continue;
        }
        if (!taco__buf_append(&m->text, s.data + done, from - done, x->err) ||
            !taco__func_regex_rewrite(m, s, with, &broken)) {
            if (!broken) { return false; }
            x->out->v.s[i] = s; /* a malformed replacement replaces nothing */
            return true;
        }
        done = to;
        last = to;
        at = to;
        if (!m->plan->options.global) { break; }
    }
    return taco__buf_append(&m->text, s.data + done, s.len - done, x->err) &&
           taco__func_set_text(x, i, taco__bytes_of(m->text.data, m->text.len));
}

/* regexp_extract_all: the matches as a list, NULL where the group did not match. After an empty
   match the search continues one character after its beginning, as in DuckDB, so that one at the
   end may occur twice. */
static bool taco__func_regex_all(taco__func_regex *m, taco_bytes s, taco__vec_builder *pile)
{
    size_t at = 0;
    while (at <= s.len && taco__regex_find(&m->run, s, at, false)) {
        size_t from = m->run.match[0], to = m->run.match[1];
        if (!taco__func_list_push_text(m->x->arena, pile,
                                       taco__func_regex_group(m, s, m->plan->group), m->x->err)) {
            return false;
        }
        pile->v.valid[pile->v.n - 1] = !taco__func_regex_missed(m, m->plan->group);
        at += at < s.len ? taco__like_char_width(s, at) : 1;
        at = from != to ? to : TACO__MAX(at, to);
    }
    return true;
}

/* regexp_split_to_array: the parts between matches. The rest is treated as a new text, in which ^
   matches again; an empty match separates two characters. */
static bool taco__func_regex_split(taco__func_regex *m, taco_bytes s, taco__vec_builder *pile)
{
    while (taco__regex_find(&m->run, s, 0, false)) {
        size_t from = m->run.match[0], to = m->run.match[1];
        if (from == to && from == 0) {
            from = to = s.len ? taco__like_char_width(s, 0) : 0;
            if (from >= s.len) { break; }
        }
        if (!taco__func_list_push_text(m->x->arena, pile, taco__bytes_of(s.data, from),
                                       m->x->err)) {
            return false;
        }
        s = taco__bytes_of(s.data + to, s.len - to);
    }
    return taco__func_list_push_text(m->x->arena, pile, s, m->x->err);
}

/* Row i of a function that makes a list. */
static bool taco__func_regex_list(taco__func_regex *m, size_t i, taco__vec_builder *pile)
{
    taco__func_call *x = m->x;
    bool split = x->id == TACO__FUNC_REGEX_SPLIT;
    x->out->v.l[i].at = (uint32_t)pile->v.n;
    if (!(split ? taco__func_regex_split(m, TACO__FUNC_ARG_TEXT(0), pile)
                : taco__func_regex_all(m, TACO__FUNC_ARG_TEXT(0), pile))) {
        return false;
    }
    x->out->v.l[i].len = (uint32_t)pile->v.n - x->out->v.l[i].at;
    return true;
}

/* regexp_escape: a backslash before every ASCII character that is not a letter, digit or _. */
static bool taco__func_regex_escape_row(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k;
    m->text.len = 0;
    for (k = 0; k < s.len; k++) {
        uint8_t c = s.data[k];
        bool plain = taco__lex_is_letter(c) || taco__lex_is_digit(c);
        if ((!plain && !taco__buf_append_char(&m->text, '\\', x->err)) ||
            !taco__buf_append_char(&m->text, (char)c, x->err)) {
            return false;
        }
    }
    return taco__func_set_text(x, i, taco__bytes_of(m->text.data, m->text.len));
}

/* A set of GLOB at p[*at], after the bracket: whether c is in it; *at moves past it, or past the
   end if it is not closed. */
static bool taco__func_regex_glob_set(taco_bytes p, size_t *at, uint8_t c)
{
    bool negate = *at < p.len && p.data[*at] == '!', hit = false, first = true;
    size_t i = *at + negate;
    for (; i < p.len && (first || p.data[i] != ']'); first = false) {
        uint8_t lo = p.data[i++], hi = lo;
        if (i < p.len && p.data[i] == '-') {
            if (i + 1 >= p.len || p.data[i + 1] == ']') { /* not a range: nothing matches */
                *at = p.len + 1;
                return false;
            }
            hi = p.data[i + 1];
            i += 2;
        }
        hit = hit || (c >= lo && c <= hi);
    }
    *at = i < p.len ? i + 1 : p.len + 1;
    return hit != negate;
}

/* The literal bytes from k on, if a * or the end follows them. */
static taco_bytes taco__func_regex_glob_part(taco_bytes p, size_t k)
{
    size_t end = k;
    while (end < p.len && !memchr("*?[\\", p.data[end], 4)) {
        end++;
    }
    return taco__bytes_of(p.data + k, end == p.len || p.data[end] == '*' ? end - k : 0);
}

/* GLOB of bytes: * any, ? one, [a-z] one of a set, [!a] one not in a set, \ escapes. Text between
   two stars is searched for; other parts are tried again one byte further when they fail, but only
   the last star needs backtracking. */
static bool taco__func_regex_glob(taco_bytes s, taco_bytes p)
{
    size_t i = 0, k = 0, star = SIZE_MAX, mark = 0;
    while (i < s.len) {
        size_t next = k + 1;
        bool ok = false;
        if (k < p.len && p.data[k] == '*') {
            taco_bytes part = taco__func_regex_glob_part(p, ++k);
            if (k + part.len == p.len) { /* the end of the pattern is that of the text */
                return part.len <= s.len - i &&
                       (part.len == 0 ||
                        memcmp(s.data + (s.len - part.len), part.data, part.len) == 0);
            }
            mark = taco__bytes_find(s, i, part, false);
            if (mark == SIZE_MAX) { return false; }
            i = part.len ? mark + part.len : i;
            star = k += part.len;
            mark = i;
            continue;
        }
        if (k < p.len) {
            if (p.data[k] == '[') {
                ok = taco__func_regex_glob_set(p, &next, s.data[i]) && next <= p.len;
            } else if (p.data[k] == '\\' && k + 1 < p.len) {
                ok = p.data[k + 1] == s.data[i];
                next = k + 2;
            } else {
                ok = p.data[k] == '?' || p.data[k] == s.data[i];
            }
        }
        if (ok) {
            i++;
            k = next;
        } else if (star != SIZE_MAX) {
            k = star;
            i = ++mark;
        } else {
            return false;
        }
    }
    while (k < p.len && p.data[k] == '*') {
        k++;
    }
    return k == p.len;
}

/* regexp_extract of row i: a group of the first match, or the struct of all. */
static bool taco__func_regex_extract(taco__func_regex *m, size_t i)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    bool hit = taco__regex_find(&m->run, s, 0, false);
    uint32_t k;
    for (k = 0; k < m->plan->fields; k++) {
        x->out->kids[k].v.s[i] =
            hit ? taco__func_regex_group(m, s, (int64_t)k + 1) : taco__bytes_of(s.data, 0);
    }
    if (!m->plan->fields) {
        x->out->v.s[i] =
            hit ? taco__func_regex_group(m, s, m->plan->group) : taco__bytes_of(s.data, 0);
    }
    return true;
}

/* One row. */
static bool taco__func_regex_row(taco__func_regex *m, size_t i, taco__vec_builder *pile)
{
    taco__func_call *x = m->x;
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    if (x->id == TACO__FUNC_GLOB) {
        x->out->v.i[i] = taco__func_regex_glob(s, TACO__FUNC_ARG_TEXT(1));
        return true;
    }
    if (x->id == TACO__FUNC_REGEX_ESCAPE) { return taco__func_regex_escape_row(m, i); }
    if (!taco__func_regex_prepare(m, i)) { return false; }
    switch (x->id) {
    case TACO__FUNC_REGEX_FULL:
    case TACO__FUNC_REGEX_MATCHES:
        x->out->v.i[i] =
            taco__regex_find(&m->run, s, 0, x->id == TACO__FUNC_REGEX_FULL) != m->plan->negated;
        return true;
    case TACO__FUNC_REGEX_EXTRACT: return taco__func_regex_extract(m, i);
    case TACO__FUNC_REGEX_REPLACE: return taco__func_regex_replace(m, i);
    default: return taco__func_regex_list(m, i, pile);
    }
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_regex_run(taco__func_call *x)
{
    taco__func_regex m;
    taco__vec_builder pile;
    bool lists = x->out->type->t.id == TACO_LIST, ok = true;
    size_t i;
    memset(&m, 0, sizeof m);
    m.x = x;
    m.plan = (const taco__func_regex_plan *)x->plan;
    m.text.mem = x->arena->mem;
    if (lists && !taco__vec_builder_init(x->arena, &x->out->type->kids[0], &pile, x->err)) {
        return false;
    }
    for (i = 0; ok && i < x->out->n; i++) {
        ok = !taco__vec_is_valid(x->out, i) || taco__func_regex_row(&m, i, &pile);
    }
    if (lists) { x->out->kids[0] = pile.v; }
    taco__buf_free(&m.text);
    return ok;
}
