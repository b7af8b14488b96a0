/* json_read.c - strict JSON (RFC 8259) into nodes in an arena, and looking at values

   Documents come from archives and are hostile: depth, size and memory are bounded, duplicate keys,
   lone surrogates and huge numbers have a defined meaning, and everything the grammar does not
   allow is an error with its byte and what was expected there. Two passes: taco__json_measure
   counts what may start a value, so that nodes and strings get one allocation each; then one loop,
   taco__json_read_document, parses without recursion. An open container's `span` holds the index of
   the container round it. Numbers stay text until their value is needed. Start with
   taco__json_parse_at. */
#include "json.h"
#include "base.h"

#define TACO__JSON_NO_CONTAINER UINT32_MAX /* no container is open */

/* A cursor, the nodes so far, and the innermost open container. Its functions fail by returning
   false, and err then says where. */
typedef struct taco__json_parser {
    const uint8_t *begin, *at, *end;
    uint64_t base; /* where `begin` is in the file */
    taco__json *nodes;
    uint32_t node_count, node_cap;
    char *pool, *pool_end; /* where unescaped strings go */
    uint32_t open;         /* index of the innermost open container, or TACO__JSON_NO_CONTAINER */
    uint32_t depth, max_depth;
    taco_error *err;
} taco__json_parser;

/* "expected WHAT, found ..." at the next byte. Always false. */
static TACO__COLD bool taco__json_fail(taco__json_parser *p, const char *what)
{
    uint64_t at = p->base + (uint64_t)(p->at - p->begin);
    taco_bytes found;
    if (p->at == p->end) {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found the end of the text", what);
        return false;
    }
    found = taco__bytes_of(p->at, taco__utf8_length(p->at, p->end));
    if (found.len) {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found %q", what, &found);
    } else {
        TACO__FAIL(p->err, TACO_ERR_CORRUPT, at, "expected %s, found byte 0x%x", what,
                   TACO__U(*p->at));
    }
    return false;
}

/* RFC 8259 §2: these four and no other kind of white space. */
static void taco__json_skip_space(taco__json_parser *p)
{
    while (p->at < p->end &&
           (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')) {
        p->at++;
    }
}

/* Adds a node that begins at the current byte and counts it in the enclosing container, unless it
   is a key. */
static taco__json *taco__json_add_node(taco__json_parser *p, taco__json_type type, bool is_key)
{
    taco__json *n = &p->nodes[p->node_count];
    if (p->node_count ==
        /* cannot happen: taco__json_measure counted everything that may begin a value */
        p->node_cap) {
        taco__json_fail(p, "the end of the text");
        return NULL;
    }
    if (p->open != TACO__JSON_NO_CONTAINER && !is_key) { p->nodes[p->open].count++; }
    n->type = (uint8_t)type;
    n->text = (const char *)p->at;
    n->begin = (uint32_t)(p->at - p->begin);
    n->end = n->begin;
    n->count = 0;
    n->span = 1;
    p->node_count++;
    return n;
}

/* Four hex digits in either case; on failure the cursor is at the wrong one. */
static bool taco__json_read_hex4(taco__json_parser *p, uint32_t *out)
{
    uint32_t x = 0;
    int i, digit;
    for (i = 0; i < 4; i++, p->at++) {
        digit = p->at < p->end ? taco__ascii_hex_value(*p->at) : -1;
        if (digit < 0) { return taco__json_fail(p, "four hexadecimal digits after '\\u'"); }
        x = x << 4 | (uint32_t)digit;
    }
    *out = x;
    return true;
}

/* Writes a code point, at most U+10FFFF and no surrogate, and returns where the next one goes. */
static char *taco__json_encode_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* After "\u": one code point of one or two escapes. RFC 8259 §8.2 leaves lone surrogates to the
   reader: they become U+FFFD, so that every string that was parsed is UTF-8. */
static bool taco__json_read_unicode_escape(taco__json_parser *p, uint32_t *out)
{
    uint32_t hi, lo;
    if (!taco__json_read_hex4(p, &hi)) { return false; }
    *out = hi;
    if (hi < 0xD800 || hi > 0xDFFF) { return true; }
    *out = 0xFFFD;
    if (hi < 0xDC00 && p->end - p->at >= 2 && p->at[0] == '\\' && p->at[1] == 'u') {
        const uint8_t *back = p->at;
        p->at += 2;
        if (!taco__json_read_hex4(p, &lo)) { return false; }
        if (lo >= 0xDC00 && lo <= 0xDFFF) {
            *out = 0x10000 + ((hi - 0xD800) << 10) + (lo - 0xDC00);
        } else {
            p->at = back; /* the second escape is a character of its own */
        }
    }
    return true;
}

/* At a backslash. No escape is shorter than its decoded bytes, which keeps the pool within its
   size. */
static bool taco__json_read_escape(taco__json_parser *p, char **out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *found;
    uint32_t c;
    p->at++;
    if (p->at < p->end && *p->at == 'u') {
        p->at++;
        if (!taco__json_read_unicode_escape(p, &c)) { return false; }
        *out = taco__json_encode_utf8(*out, c);
        return true;
    }
    found = p->at < p->end && *p->at ? strchr(names, *p->at) : NULL;
    if (!found) { return taco__json_fail(p, "one of \"\\/bfnrtu after a backslash"); }
    *(*out)++ = values[found - names];
    p->at++;
    return true;
}

/* Skips ASCII characters that are not special, eight at a time while none of them is a quote, a
   backslash, a control character or above 0x7F: each of these sets its top bit in one of the four
   terms. */
static const uint8_t *taco__json_skip_plain(const uint8_t *s, const uint8_t *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    while (end - s >= 8) {
        uint64_t x, quote, slash;
        memcpy(&x, s, 8);
        quote = x ^ ones * '"';
        slash = x ^ ones * '\\';
        if ((x | (x - ones * 0x20) | (quote - ones) | (slash - ones)) & tops) { break; }
        s += 8;
    }
    while (s < end && *s >= 0x20 && *s < 0x80 && *s != '"' && *s != '\\') {
        s++;
    }
    return s;
}

/* Copies characters that need no decoding: ASCII, then what is not, which in most texts is a
   character or two. */
static bool taco__json_copy_run(taco__json_parser *p, char **out)
{
    const uint8_t *s = p->at;
    size_t len;
    p->at = taco__json_skip_plain(s, p->end);
    while (p->at < p->end && *p->at >= 0x80 && (len = taco__utf8_length(p->at, p->end)) != 0) {
        p->at += len;
    }
    len = (size_t)(p->at - s);
    if (len >= (size_t)(p->pool_end - *out)) { /* cannot be: taco__json_measure counted it */
        return taco__json_fail(p, "a shorter string");
    }
    memcpy(*out, s, len);
    *out += len;
    return true;
}

/* At a quote. The string is copied even if nothing in it is escaped, so that it can be returned as
   a C string. */
static bool taco__json_read_string(taco__json_parser *p, bool is_key)
{
    taco__json *n = taco__json_add_node(p, TACO__JSON_STRING, is_key);
    char *out = p->pool;
    if (!n) { return false; }
    for (p->at++;;) {
        if (!taco__json_copy_run(p, &out)) { return false; }
        if (p->at == p->end) { return taco__json_fail(p, "'\"' at the end of a string"); }
        if (*p->at == '"') { break; }
        /* what stopped the run: an escape, or one of the two things that may not be in a string */
        if (*p->at == '\\') {
            if (p->pool_end - out < 5) { return taco__json_fail(p, "'\"' at the end of a string"); }
            if (!taco__json_read_escape(p, &out)) { return false; }
        } else if (*p->at < 0x20) {
            return taco__json_fail(p, "control characters in a string to be escaped");
        } else if (*p->at >= 0x80) { /* a character would be part of the run */
            return taco__json_fail(p, "UTF-8 in a string");
        }
    }
    p->at++;
    *out++ = 0;
    n->text = p->pool;
    n->count = (uint32_t)(out - p->pool - 1);
    n->end = (uint32_t)(p->at - p->begin);
    p->pool = out;
    return true;
}

/* One digit or more. */
static bool taco__json_read_digits(taco__json_parser *p)
{
    const uint8_t *from = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
        p->at++;
    }
    if (p->at == from) { return taco__json_fail(p, "a digit"); }
    return true;
}

/* RFC 8259 §6. Only the syntax is checked, digit by digit, so that an error has a position. */
static bool taco__json_read_number(taco__json_parser *p)
{
    taco__json *n = taco__json_add_node(p, TACO__JSON_NUMBER, false);
    if (!n) { return false; }
    p->at += *p->at == '-';
    if (p->at < p->end && *p->at == '0') {
        p->at++; /* a digit after it is reported by whatever should follow */
    } else if (!taco__json_read_digits(p)) {
        return false;
    }
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!taco__json_read_digits(p)) { return false; }
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        p->at += p->at < p->end && (*p->at == '+' || *p->at == '-');
        if (!taco__json_read_digits(p)) { return false; }
    }
    n->end = (uint32_t)(p->at - p->begin);
    n->count = n->end - n->begin;
    return true;
}

/* null, true or false, in lower case only. A word cut short is reported where it begins. */
static bool taco__json_read_literal(taco__json_parser *p, const char *word, taco__json_type type)
{
    size_t len = strlen(word);
    taco__json *n;
    if ((size_t)(p->end - p->at) < len || memcmp(p->at, word, len) != 0) {
        return taco__json_fail(p, "a value");
    }
    n = taco__json_add_node(p, type, false);
    if (n) {
        p->at += len;
        n->end = (uint32_t)(p->at - p->begin);
    }
    return n != NULL;
}

/* At an opening bracket. Nesting needs no stack here, but callers that walk the tree may recurse,
   hence the limit. */
static bool taco__json_open_container(taco__json_parser *p, taco__json_type type)
{
    taco__json *n;
    if (p->depth == p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, p->base + TACO__U(p->at - p->begin),
                   "nesting of more than %u, limits.max_depth is %u", TACO__U(p->depth),
                   TACO__U(p->max_depth));
        return false;
    }
    n = taco__json_add_node(p, type, false);
    if (!n) { return false; }
    n->span = p->open;
    p->open = p->node_count - 1;
    p->depth++;
    p->at++;
    return true;
}

/* At the bracket that closes the innermost container. Its span held the index of the enclosing one
   until now. */
static void taco__json_close_container(taco__json_parser *p)
{
    taco__json *n = &p->nodes[p->open];
    uint32_t around = n->span;
    n->span = p->node_count - p->open;
    p->at++;
    n->end = (uint32_t)(p->at - p->begin);
    p->open = around;
    p->depth--;
}

/* One scalar, or the opening bracket of a container. */
static bool taco__json_read_value(taco__json_parser *p)
{
    switch (p->at < p->end ? *p->at : 0) {
    case '{': return taco__json_open_container(p, TACO__JSON_OBJECT);
    case '[': return taco__json_open_container(p, TACO__JSON_ARRAY);
    case '"': return taco__json_read_string(p, false);
    case 't': return taco__json_read_literal(p, "true", TACO__JSON_TRUE);
    case 'f': return taco__json_read_literal(p, "false", TACO__JSON_FALSE);
    case 'n': return taco__json_read_literal(p, "null", TACO__JSON_NULL);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return taco__json_read_number(p);
    default: return taco__json_fail(p, "a value");
    }
}

/* A key and its colon: adds the node of the key, which that of its value must follow. */
static bool taco__json_read_key(taco__json_parser *p)
{
    taco__json_skip_space(p);
    if (p->at == p->end || *p->at != '"') { return taco__json_fail(p, "a key in quotes"); }
    if (!taco__json_read_string(p, true)) { return false; }
    taco__json_skip_space(p);
    if (p->at == p->end || *p->at != ':') { return taco__json_fail(p, "':' after a key"); }
    p->at++;
    return true;
}

/* After a value: closes the containers that end here. *more is set if another value follows, but
   not at the end of the text. */
static bool taco__json_read_separator(taco__json_parser *p, bool *more)
{
    *more = false;
    for (;;) {
        bool is_object;
        taco__json_skip_space(p);
        if (p->open == TACO__JSON_NO_CONTAINER) {
            if (p->at != p->end) { return taco__json_fail(p, "the end of the text"); }
            return true;
        }
        is_object = p->nodes[p->open].type == TACO__JSON_OBJECT;
        if (p->at < p->end && *p->at == (is_object ? '}' : ']')) {
            taco__json_close_container(p);
        } else if (p->at < p->end && *p->at == ',') {
            p->at++;
            *more = true;
            return !is_object || taco__json_read_key(p);
        } else {
            return taco__json_fail(p, is_object ? "',' or '}'" : "',' or ']'");
        }
    }
}

/* The whole grammar as one loop: a value or an opening bracket, then whatever may come after it. */
static bool taco__json_read_document(taco__json_parser *p)
{
    bool more = true;
    while (more) {
        uint32_t before = p->open;
        taco__json_skip_space(p);
        if (!taco__json_read_value(p)) { return false; }
        if (p->open != before) { /* a container has been opened */
            bool is_object = p->nodes[p->open].type == TACO__JSON_OBJECT;
            taco__json_skip_space(p);
            if (p->at == p->end || *p->at != (is_object ? '}' : ']')) {
                if (is_object && !taco__json_read_key(p)) { return false; }
                continue; /* its first value; an empty one is closed below */
            }
        }
        if (!taco__json_read_separator(p, &more)) { return false; }
    }
    return true;
}

/* Counts the bytes that a value or key may follow, and the bytes of the strings. Until the first
   error the parser sees the same quotes, so both are upper bounds, and exact but for empty
   containers and escapes. */
static void taco__json_measure(taco_bytes text, size_t *nodes, size_t *chars)
{
    const uint8_t *s = text.data, *end = text.data + text.len;
    size_t n = 1, strings = 0;
    while (s < end) {
        uint8_t c = *s++;
        n += c == ',' || c == ':' || c == '[' || c == '{';
        if (c == '"') {
            const uint8_t *from = s;
            while (s < end && *s != '"') {
                s += *s == '\\' && end - s > 1 ? 2 : 1;
            }
            strings += (size_t)(s - from) + 1;
            s += s < end;
        }
    }
    *nodes = n;
    *chars = strings + 8; /* an escape is written in one step of up to four bytes */
}

/* Allocates the nodes and the strings, and sets the cursor to the first value. */
static bool taco__json_parser_init(taco__json_parser *p, taco__arena *arena, taco_bytes text,
                                   const taco_limits *limits)
{
    size_t nodes, chars;
    taco__json_measure(text, &nodes, &chars);
    p->begin = p->at = text.data;
    p->end = text.data + text.len;
    p->open = TACO__JSON_NO_CONTAINER;
    p->max_depth = limits && limits->max_depth ? limits->max_depth : TACO__JSON_MAX_DEPTH;
    p->node_cap = (uint32_t)nodes; /* at most one more than the text has bytes */
    p->nodes = (taco__json *)taco__arena_array(arena, nodes, sizeof(taco__json), p->err);
    p->pool = p->nodes ? (char *)taco__arena_alloc(arena, chars, p->err) : NULL;
    if (!p->pool) { return false; }
    p->pool_end = p->pool + chars;
    if (text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) {
        p->at += 3; /* RFC 8259 §8.1: a reader may ignore a byte order mark */
    }
    return true;
}

/* Parses all of text, which the caller keeps and which begins at byte `base` of some file. limits
   may be NULL; their max_metadata bounds the text, which is at most 2 GiB in any case. */
TACO__FN taco_status taco__json_parse_at(taco__arena *arena, taco_bytes text, uint64_t base,
                                         const taco_limits *limits, taco__json_doc *out,
                                         taco_error *err)
{
    uint64_t max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco__json_parser p;
    memset(out, 0, sizeof *out);
    memset(&p, 0, sizeof p);
    memset(&local, 0, sizeof local);
    max = TACO__MIN(max, (uint64_t)INT32_MAX); /* nodes hold 32-bit offsets */
    p.err = taco__error_fresh(err, &local);
    if (text.len > max) {
        return TACO__FAIL(p.err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "%u bytes of JSON, limits.max_metadata is %u", TACO__U(text.len), max);
    }
    text.data = text.data ? text.data : (const uint8_t *)"";
    p.base = base;
    if (!taco__json_parser_init(&p, arena, text, limits) || !taco__json_read_document(&p)) {
        return p.err->code;
    }
    out->text = text;
    out->root = p.nodes;
    out->node_count = p.node_count;
    return TACO_OK;
}

/* The same for a text that is a file of its own. */
TACO__FN taco_status taco__json_parse(taco__arena *arena, taco_bytes text,
                                      const taco_limits *limits, taco__json_doc *out,
                                      taco_error *err)
{
    return taco__json_parse_at(arena, text, 0, limits, out, err);
}

/* ---- looking at values ---- */

TACO__FN bool taco__json_is(const taco__json *n, taco__json_type type)
{
    return n && n->type == (uint8_t)type;
}

/* What a value is, for messages. */
TACO__FN const char *taco__json_type_name(const taco__json *n)
{
    static const char *const names[] = {"null",     "false",    "true",     "a number",
                                        "a string", "an array", "an object"};
    return n ? names[n->type] : "nothing";
}

/* The first element of an array, or the first key of an object, if n->count > 0. The next one of an
   array is taco__json_next(value), of an object taco__json_next(key + 1). */
TACO__FN const taco__json *taco__json_first(const taco__json *n)
{
    return n ? n + 1 : NULL;
}

/* The value after `value` and all below it. */
TACO__FN const taco__json *taco__json_next(const taco__json *value)
{
    return value + value->span;
}

/* Number of elements of an array, 0 for anything else. */
TACO__FN size_t taco__json_length(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_ARRAY) ? n->count : 0;
}

/* The bytes of a string, {NULL, 0} for anything else. A string may contain zero bytes. */
TACO__FN TACO__NOINLINE taco_bytes taco__json_bytes(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_STRING) ? taco__bytes_of(n->text, n->count)
                                               : taco__bytes_of(NULL, 0);
}

/* The NUL-terminated string, NULL for anything else. */
TACO__FN const char *taco__json_text(const taco__json *n)
{
    return taco__json_is(n, TACO__JSON_STRING) ? n->text : NULL;
}

/* True for a string of exactly these characters. */
TACO__FN bool taco__json_equals(const taco__json *n, const char *text)
{
    return taco__json_is(n, TACO__JSON_STRING) &&
           taco__bytes_equal(taco__json_bytes(n), taco__bytes_text(text));
}

/* The bytes of a value as they are in the text, quotes and brackets included. */
TACO__FN taco_bytes taco__json_raw(const taco__json_doc *doc, const taco__json *n)
{
    return taco__bytes_of(doc->text.data + n->begin, n->end - n->begin);
}

/* The value of a key of an object, NULL if there is none. The last of equal keys counts: RFC 8259
   §4 leaves that open, and most readers, including the reference, do it. */
TACO__FN const taco__json *taco__json_get_bytes(const taco__json *object, taco_bytes name)
{
    const taco__json *found = NULL, *key;
    uint32_t i;
    if (!taco__json_is(object, TACO__JSON_OBJECT)) { return NULL; }
    for (i = 0, key = taco__json_first(object); i < object->count;
         i++, key = taco__json_next(key + 1)) {
        if (taco__bytes_equal(taco__json_bytes(key), name)) { found = key + 1; }
    }
    return found;
}

/* Makes a map, zeroed but for mem, from the keys of an object to their values: those that count
   among equal keys. To be freed also after a failure. */
TACO__FN bool taco__json_index_members(const taco__json *object, taco__hash_map *m, taco_error *err)
{
    const taco__json *key;
    uint32_t i;
    if (!taco__json_is(object, TACO__JSON_OBJECT)) { return true; }
    for (i = 0, key = taco__json_first(object); i < object->count;
         i++, key = taco__json_next(key + 1)) {
        bool added;
        taco__hash_slot *s = taco__hash_map_add(m, taco__json_bytes(key), &added, err);
        if (!s) { return false; }
        s->value = (uint64_t)(key + 1 - object);
    }
    return true;
}

/* Whether the value of a key is the one that counts, by the map of the object's members. */
TACO__FN bool taco__json_member_counts(const taco__hash_map *m, const taco__json *object,
                                       const taco__json *key)
{
    const taco__hash_slot *s = taco__hash_map_find(m, taco__json_bytes(key));
    return s && s->value == (uint64_t)(key + 1 - object);
}

TACO__FN const taco__json *taco__json_get(const taco__json *object, const char *name)
{
    return taco__json_get_bytes(object, taco__bytes_text(name));
}

/* Element i of an array, NULL when there is none. Takes time in proportion to i. */
TACO__FN const taco__json *taco__json_at(const taco__json *array, size_t i)
{
    const taco__json *n;
    if (i >= taco__json_length(array)) { return NULL; }
    for (n = taco__json_first(array); i; i--) {
        n = taco__json_next(n);
    }
    return n;
}

/* ---- numbers ---- */

/* The number, correctly rounded; infinite if it is larger than any double. False if it is not a
   number. */
TACO__FN bool taco__json_double(const taco__json *n, double *out)
{
    return taco__json_is(n, TACO__JSON_NUMBER) &&
           taco__num_parse_f64(taco__bytes_of(n->text, n->count), out);
}

/* The number as an exact integer, also from 1.0 and 1e3. False if it is not a number, has a
   fraction or does not fit. */
TACO__FN bool taco__json_int(const taco__json *n, int64_t *out)
{
    double d;
    if (taco__json_is(n, TACO__JSON_NUMBER) &&
        taco__num_parse_i64(taco__bytes_of(n->text, n->count), out)) {
        return true;
    }
    /* With a fraction or an exponent: whole numbers up to 2^53 are exact as doubles. Larger ones do
       not pass, as they may not be. */
    if (!taco__json_double(n, &d) || !(d >= -9007199254740992.0 && d <= 9007199254740992.0) ||
        (double)(int64_t)d < d || (double)(int64_t)d > d) {
        return false;
    }
    *out = (int64_t)d;
    return true;
}
