/* cast_text.c - texts such as [1, 2], {'a': 1} and {k=v} as lists, structs and maps

   Each text is split into the texts of its elements, fields, or keys and values, which become
   vectors of VARCHAR and are cast in turn: an element of a list of lists is split again. Splitting
   respects quotes, a backslash before a quote and brackets of all kinds; the contents of inner
   brackets are left for the next split. A malformed text becomes a null (TRY_CAST) or an error, an
   element that cannot be cast a null in the list or an error. The syntax is DuckDB's.

   Example: "[a, 'b, c', null]" as VARCHAR[] has three elements, the last of them null; "(1)" as
   STRUCT(a INTEGER, b INTEGER) is {'a': 1, 'b': NULL}. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"

/* A text while it is split. `open` holds the closing brackets that are still expected. */
typedef struct taco__cast_cut {
    taco_bytes s;
    size_t at;
    bool escaped; /* the previous byte was a backslash outside quotes */
    taco__buf open;
    taco__arena *arena;
    taco_error *err; /* set only if there is no memory */
} taco__cast_cut;

/* The texts of elements or of one field, for all rows in sequence. */
typedef struct taco__cast_parts {
    taco__buf texts; /* taco_bytes each; data is NULL for a null */
    size_t n;
} taco__cast_parts;

static void taco__cast_cut_space(taco__cast_cut *c)
{
    while (c->at < c->s.len && taco__ascii_is_space(c->s.data[c->at])) {
        c->at++;
        c->escaped = false;
    }
}

static bool taco__cast_cut_is_at(const taco__cast_cut *c, char byte)
{
    return c->at < c->s.len && c->s.data[c->at] == (uint8_t)byte;
}

static char taco__cast_cut_closing(uint8_t byte)
{
    return byte == '[' ? ']' : byte == '{' ? '}' : byte == '(' ? ')' : '\0';
}

/* Skips from a quote to the one that ends it. False if there is none. */
static bool taco__cast_cut_quoted(taco__cast_cut *c)
{
    uint8_t quote = c->s.data[c->at++];
    bool escaped = false;
    for (; c->at < c->s.len; c->at++) {
        uint8_t byte = c->s.data[c->at];
        if (byte == quote && !escaped) { return true; }
        escaped = byte == '\\' && !escaped;
    }
    return false;
}

/* Skips from an opening bracket to the one that closes it. False if there is none. */
static bool taco__cast_cut_bracket(taco__cast_cut *c)
{
    c->open.len = 0;
    for (; c->at < c->s.len; c->at++) {
        uint8_t byte = c->s.data[c->at];
        char closing = taco__cast_cut_closing(byte);
        bool escapes = byte == '\\';
        if (byte == '"' || byte == '\'') {
            if (!c->escaped && !taco__cast_cut_quoted(c)) { return false; }
        } else if (closing) {
            if (!taco__buf_append_char(&c->open, closing, c->err)) { return false; }
        } else if (byte == c->open.data[c->open.len - 1] && --c->open.len == 0) {
            return true;
        }
        c->escaped = escapes;
    }
    return false;
}

/* Reads up to one of the two bytes, which is not consumed: *part is the text before it, without
   surrounding blanks. False if neither occurs, or a quote or bracket is not closed. In the key of a
   struct (`plain`) only quotes matter. */
static bool taco__cast_cut_until(taco__cast_cut *c, char end, char other, bool plain,
                                 taco_bytes *part)
{
    size_t first = c->s.len, last = 0;
    for (; c->at < c->s.len; c->at++) {
        uint8_t byte = c->s.data[c->at];
        bool escapes = byte == '\\' && !(plain && c->escaped);
        if (byte == (uint8_t)end || byte == (uint8_t)other) { break; }
        if (!taco__ascii_is_space(byte) || (plain && c->escaped)) {
            first = TACO__MIN(first, c->at);
            if (byte == '"' || byte == '\'') {
                if (!c->escaped && !taco__cast_cut_quoted(c)) { return false; }
            } else if (!plain && taco__cast_cut_closing(byte) && !taco__cast_cut_bracket(c)) {
                return false;
            }
            last = c->at + 1;
        }
        c->escaped = escapes;
    }
    *part = first < last ? taco__bytes_of(c->s.data + first, last - first)
                         : taco__bytes_of(c->s.data, 0);
    return c->at < c->s.len;
}

/* A part as a separate text: without surrounding quotes, and without backslashes that escape
   something. Inside brackets (`nests`) everything is kept, because it is split later. */
static bool taco__cast_cut_unquote(taco__cast_cut *c, taco_bytes part, bool nests, taco_bytes *out)
{
    uint8_t quote = 0;
    size_t i, n = 0;
    char *text = taco__arena_text(c->arena, part, c->err);
    if (!text) { return false; }
    c->open.len = 0;
    for (i = 0; i < part.len; i++) {
        uint8_t byte = part.data[i];
        bool outside = c->open.len == 0;
        if (outside && byte == '\\' && i + 1 < part.len &&
            (quote || part.data[i + 1] == '\'' || part.data[i + 1] == '"')) {
            byte = part.data[++i];
        } else if (outside && quote && byte == quote) {
            quote = 0;
            continue;
        } else if (outside && !quote && (byte == '\'' || byte == '"')) {
            quote = byte;
            continue;
        } else if (!quote && nests) {
            char closing = taco__cast_cut_closing(byte);
            if (!outside && byte == c->open.data[c->open.len - 1]) { c->open.len--; }
            if (closing && !taco__buf_append_char(&c->open, closing, c->err)) { return false; }
        }
        text[n++] = (char)byte;
    }
    *out = taco__bytes_of(text, n);
    return true;
}

/* A part becomes the value at index `at` of the parts, which is not before their end; skipped
   values are null. The word null without quotes is null, too. */
static bool taco__cast_cut_put(taco__cast_cut *c, taco_bytes part, taco__cast_parts *p, size_t at)
{
    taco_bytes text = taco__bytes_of(NULL, 0);
    if (!taco__ascii_is_word(part, "null") && !taco__cast_cut_unquote(c, part, true, &text)) {
        return false;
    }
    if (at < p->n) { /* a duplicate field: the last one counts */
        memcpy(p->texts.data + at * sizeof text, &text, sizeof text);
        return true;
    }
    for (; p->n <= at; p->n++) {
        taco_bytes none = taco__bytes_of(NULL, 0);
        if (!taco__buf_append(&p->texts, p->n == at ? &text : &none, sizeof text, c->err)) {
            return false;
        }
    }
    return true;
}

/* Only blanks may follow the closing bracket. */
static bool taco__cast_cut_end(taco__cast_cut *c)
{
    c->at++;
    taco__cast_cut_space(c);
    return c->at == c->s.len;
}

/* Skips an opening bracket and surrounding blanks. */
static bool taco__cast_cut_begin(taco__cast_cut *c, char opening)
{
    taco__cast_cut_space(c);
    if (!taco__cast_cut_is_at(c, opening)) { return false; }
    c->at++;
    taco__cast_cut_space(c);
    return true;
}

/* [a, b]: an element between two commas may be missing, which is the empty text. */
static bool taco__cast_cut_list(taco__cast_cut *c, taco__cast_parts *p)
{
    taco_bytes part;
    if (!taco__cast_cut_begin(c, '[')) { return false; }
    if (taco__cast_cut_is_at(c, ']')) { return taco__cast_cut_end(c); }
    for (;;) {
        if (!taco__cast_cut_until(c, ',', ']', false, &part) ||
            !taco__cast_cut_put(c, part, p, p->n)) {
            return false;
        }
        if (taco__cast_cut_is_at(c, ']')) { return taco__cast_cut_end(c); }
        c->at++;
        taco__cast_cut_space(c);
    }
}

/* {k=v, ...}: a key cannot be null. */
static bool taco__cast_cut_map(taco__cast_cut *c, taco__cast_parts *p)
{
    taco_bytes part;
    if (!taco__cast_cut_begin(c, '{')) { return false; }
    if (taco__cast_cut_is_at(c, '}')) { return taco__cast_cut_end(c); }
    for (;;) {
        if (!taco__cast_cut_until(c, '=', '=', false, &part) || taco__ascii_is_word(part, "null") ||
            !taco__cast_cut_put(c, part, &p[0], p[0].n)) {
            return false;
        }
        c->at++;
        taco__cast_cut_space(c);
        if (!taco__cast_cut_until(c, ',', '}', false, &part) ||
            !taco__cast_cut_put(c, part, &p[1], p[1].n)) {
            return false;
        }
        if (taco__cast_cut_is_at(c, '}')) { return taco__cast_cut_end(c); }
        c->at++;
        taco__cast_cut_space(c);
    }
}

/* The field that the current key names; case matters. */
static bool taco__cast_cut_field(taco__cast_cut *c, const taco__sql_type *to, uint32_t *k)
{
    taco_bytes part, name;
    if (!taco__cast_cut_until(c, ':', ':', true, &part) || !part.len ||
        taco__ascii_is_word(part, "null") || !taco__cast_cut_unquote(c, part, false, &name)) {
        return false;
    }
    c->at++;
    taco__cast_cut_space(c);
    for (*k = 0; *k < to->count; (*k)++) {
        if (to->names && to->names[*k][0] &&
            taco__bytes_equal(taco__bytes_text(to->names[*k]), name)) {
            return true;
        }
    }
    return false;
}

/* {name: value, ...} or (value, ...): fields without a value are null. */
static bool taco__cast_cut_struct(taco__cast_cut *c, const taco__sql_type *to, size_t row,
                                  taco__cast_parts *p)
{
    uint32_t k = 0;
    char closing = ')';
    taco_bytes part;
    if (!taco__cast_cut_begin(c, '(')) {
        closing = '}';
        if (!taco__cast_cut_begin(c, '{')) { return false; }
    }
    if (taco__cast_cut_is_at(c, closing)) { return taco__cast_cut_end(c); }
    for (;; k++) {
        if (closing == '}' && !taco__cast_cut_field(c, to, &k)) { return false; }
        if (k == to->count || !taco__cast_cut_until(c, ',', closing, false, &part) ||
            !taco__cast_cut_put(c, part, &p[k], row)) {
            return false;
        }
        if (taco__cast_cut_is_at(c, closing)) { return taco__cast_cut_end(c); }
        c->at++;
        taco__cast_cut_space(c);
    }
}

/* Drops the parts from `keep` on, because their text turned out malformed. */
static void taco__cast_parts_cut(taco__cast_parts *p, size_t keep)
{
    if (p->n > keep) {
        p->n = keep;
        p->texts.len = keep * sizeof(taco_bytes);
    }
}

/* Splits one text; row is its number. False if it is malformed, or there is no memory. */
static bool taco__cast_cut_text(taco__cast_cut *c, taco_bytes s, const taco__sql_type *to,
                                size_t row, taco__cast_parts *p, uint32_t n)
{
    size_t from = p[0].n;
    uint32_t k;
    bool ok;
    c->s = s;
    c->at = 0;
    c->escaped = false;
    if (to->t.id == TACO_STRUCT) {
        ok = taco__cast_cut_struct(c, to, row, p);
        from = row;
    } else {
        ok = to->t.id == TACO_MAP ? taco__cast_cut_map(c, p) : taco__cast_cut_list(c, p);
    }
    for (k = 0; !ok && k < n; k++) {
        taco__cast_parts_cut(&p[k], from);
    }
    return ok;
}

/* The parts as a vector of the type, extended with nulls to n. */
static bool taco__cast_parts_vector(taco__arena *arena, const taco__cast_parts *p, size_t n,
                                    const taco__sql_type *to, bool tries, taco__vec *out,
                                    taco_error *err)
{
    taco__vec v;
    size_t i;
    taco__sql_type *text = (taco__sql_type *)taco__arena_alloc(arena, sizeof *text, err);
    if (!text) { return false; }
    *text = taco__sql_type_simple(TACO_TEXT);
    if (!taco__vec_init_null(arena, text, n, &v, err)) { return false; }
    for (i = 0; i < p->n; i++) {
        memcpy(&v.v.s[i], p->texts.data + i * sizeof v.v.s[i], sizeof v.v.s[i]);
        v.valid[i] = v.v.s[i].data != NULL;
    }
    return taco__cast_vector(arena, &v, to, tries, out, err);
}

/* Keys that TRY_CAST turned into null make the map null; the remaining keys must be distinct. */
static bool taco__cast_check_keys(taco__arena *arena, taco__vec *out, taco_error *err)
{
    taco__func_call call;
    const taco__vec *keys = &out->kids[0].kids[0];
    size_t i;
    uint32_t k;
    memset(&call, 0, sizeof call);
    call.arena = arena;
    call.err = err;
    for (i = 0; i < out->n; i++) {
        taco__sql_list_span s = out->v.l[i];
        for (k = 0; k < s.len && taco__vec_is_valid(keys, s.at + k); k++) {}
        if (k < s.len) {
            if (!taco__vec_init_validity(arena, out, err)) { return false; }
            out->valid[i] = 0;
        } else if (taco__vec_is_valid(out, i) &&
                   !taco__func_list_check_keys(&call, keys, s.at, s.len)) {
            return false;
        }
    }
    return true;
}

/* Fills in the values of `out`, once the parts of its lists or rows are known. */
static bool taco__cast_text_fill(taco__arena *arena, const taco__cast_parts *p, bool tries,
                                 taco__vec *out, taco_error *err)
{
    const taco__sql_type *to = out->type;
    uint32_t k;
    if (to->t.id == TACO_LIST) {
        return taco__cast_parts_vector(arena, &p[0], p[0].n, &to->kids[0], tries, &out->kids[0],
                                       err);
    }
    if (to->t.id == TACO_STRUCT) {
        for (k = 0; k < to->count; k++) {
            if (!taco__cast_parts_vector(arena, &p[k], out->n, &to->kids[k], tries, &out->kids[k],
                                         err)) {
                return false;
            }
        }
        return true;
    }
    if (!taco__vec_init(arena, &to->kids[0], p[0].n, &out->kids[0], err)) { return false; }
    for (k = 0; k < 2; k++) {
        if (!taco__cast_parts_vector(arena, &p[k], p[0].n, &to->kids[0].kids[k], tries,
                                     &out->kids[0].kids[k], err)) {
            return false;
        }
    }
    return taco__cast_check_keys(arena, out, err);
}

/* out, with the type and n values, receives the texts of v split and cast; it is null where v is.
   *bad is the first malformed one, unless TRY_CAST makes it null; v->n if there is none. */
TACO__FN bool taco__cast_text_nested(taco__arena *arena, const taco__vec *v, bool tries,
                                     taco__vec *out, size_t *bad, taco_error *err)
{
    taco__cast_cut c;
    taco__cast_parts *p;
    const taco__sql_type *to = out->type;
    uint32_t k, n = to->t.id == TACO_STRUCT ? to->count : to->t.id == TACO_MAP ? 2 : 1;
    size_t i;
    bool ok = true;
    memset(&c, 0, sizeof c);
    c.arena = arena;
    c.err = err;
    c.open.mem = arena->mem;
    *bad = v->n;
    p = (taco__cast_parts *)taco__arena_array(arena, n, sizeof *p, err);
    for (k = 0; p && k < n; k++) {
        p[k].texts.mem = arena->mem;
    }
    for (i = 0; p && ok && i < v->n; i++) {
        size_t from = p[0].n;
        bool cut =
            taco__vec_is_valid(v, i) && taco__cast_cut_text(&c, v->v.s[i * v->step], to, i, p, n);
        ok = err->code == TACO_OK;
        if (ok && !cut && taco__vec_is_valid(v, i)) {
            ok = tries && taco__vec_init_validity(arena, out, err);
            if (ok) { out->valid[i] = 0; }
            *bad = tries ? *bad : i;
        }
        if (to->t.id == TACO_STRUCT) { continue; }
        if (p[0].n >= TACO__VEC_NONE) { ok = taco__vec_fail_too_long(err); }
        out->v.l[i].at = (uint32_t)from;
        out->v.l[i].len = (uint32_t)(p[0].n - from);
    }
    ok = ok && p && taco__cast_text_fill(arena, p, tries, out, err);
    for (k = 0; p && k < n; k++) {
        taco__buf_free(&p[k].texts);
    }
    taco__buf_free(&c.open);
    return ok;
}
