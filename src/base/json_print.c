/* json_print.c - strict JSON into an arena, and back to text.. Spec: RFC 8259 */
#include "json.h"
#include "base.h"

/* ---- writing ---- */

/* A JSON string of bytes that are UTF-8. What must be escaped is; everything else stays, non-ASCII
   included. */
TACO__FN bool taco__json_print_text(taco__buf *out, taco_bytes s, taco_error *err)
{
    static const char hex[] = "0123456789abcdef", names[] = "btn?fr"; /* 8, 9, 10, 12, 13 */
    const uint8_t *at = s.data, *end = s.data ? s.data + s.len : s.data;
    bool ok = taco__buf_append_char(out, '"', err);
    while (ok && at < end) {
        const uint8_t *from = at;
        char esc[6] = {'\\', 'u', '0', '0', 0, 0};
        size_t len = 2;
        while (at < end && *at >= 0x20 && *at != '"' && *at != '\\') {
            at++;
        }
        ok = taco__buf_append(out, from, (size_t)(at - from), err);
        if (!ok || at == end) { break; }
        if (*at == '"' || *at == '\\') {
            esc[1] = (char)*at;
        } else if (*at >= 8 && *at <= 13 && *at != 11) {
            esc[1] = names[*at - 8];
        } else {
            esc[4] = hex[*at >> 4];
            esc[5] = hex[*at & 15];
            len = 6;
        }
        ok = taco__buf_append(out, esc, len, err);
        at++;
    }
    return ok && taco__buf_append_char(out, '"', err);
}

/* A new line with depth steps of indent blanks; nothing at all for indent 0. */
static bool taco__json_print_newline(taco__buf *out, size_t indent, size_t depth, taco_error *err)
{
    bool ok = indent == 0 || taco__buf_append_char(out, '\n', err);
    for (depth *= indent; ok && depth; depth--) {
        ok = taco__buf_append_char(out, ' ', err);
    }
    return ok;
}

/* Numbers and literals are copied: no digit that was written is lost. */
static bool taco__json_print_scalar(taco__buf *out, const taco__json *n, taco_error *err)
{
    return n->type == TACO__JSON_STRING ? taco__json_print_text(out, taco__json_bytes(n), err)
                                        : taco__buf_append(out, n->text, n->end - n->begin, err);
}

/* Prints a value, on one line without blanks for indent 0, else a line per element. Numbers stay as
   they were written, strings are escaped anew. The brackets are found in the text between the
   nodes, so depth costs nothing. */
TACO__FN bool taco__json_print(taco__buf *out, const taco__json *value, size_t indent,
                               taco_error *err)
{
    const char *at, *end;
    const taco__json *n = value;
    size_t depth = 0;
    bool ok = true;
    if (!n) { return taco__buf_append_text(out, "null", err); }
    if (n->type < TACO__JSON_ARRAY) { return taco__json_print_scalar(out, n, err); }
    for (at = n->text, end = at + (n->end - n->begin); ok && at < end;) {
        switch (*at) {
        case ' ':
        case '\n':
        case '\r':
        case '\t': at++; break;
        case '[':
        case '{':
            ok = taco__buf_append_char(out, *at, err);
            if (n->count == 0) { /* the closing bracket is skipped with the blanks before it */
                ok = ok && taco__buf_append_char(out, *at == '[' ? ']' : '}', err);
                at = value->text + (n->end - value->begin);
            } else {
                ok = ok && taco__json_print_newline(out, indent, ++depth, err);
                at++;
            }
            n++;
            break;
        case ']':
        case '}':
            ok = taco__json_print_newline(out, indent, --depth, err) &&
                 taco__buf_append_char(out, *at++, err);
            break;
        case ',':
            ok = taco__buf_append_char(out, *at++, err) &&
                 taco__json_print_newline(out, indent, depth, err);
            break;
        case ':':
            ok = taco__buf_append_text(out, indent ? ": " : ":", err);
            at++;
            break;
        default:
            ok = taco__json_print_scalar(out, n, err);
            at = value->text + (n->end - value->begin);
            n++;
            break;
        }
    }
    return ok;
}
