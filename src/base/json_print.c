/* json_print.c - parsed JSON values back to text, on one line or indented

   For collection documents that are read, partly changed and written again: unchanged values must
   stay as they were. So numbers and literals are copied from their text, and strings are escaped
   again, with only the escapes that JSON requires. taco__json_print walks over the text and the
   nodes together: the text gives the brackets, the nodes the scalars, and no stack is needed. */
#include "json.h"
#include "base.h"

/* A new line and depth times `indent` blanks; nothing for an indent of 0. */
static bool taco__json_print_newline(taco__buf *out, size_t indent, size_t depth, taco_error *err)
{
    bool ok = indent == 0 || taco__buf_append_char(out, '\n', err);
    for (depth *= indent; ok && depth; depth--) {
        ok = taco__buf_append_char(out, ' ', err);
    }
    return ok;
}

/* A value that is not a container. */
static bool taco__json_print_scalar(taco__buf *out, const taco__json *n, taco_error *err)
{
    return n->type == TACO__JSON_STRING ? taco__json_write_quoted(out, taco__json_bytes(n), err)
                                        : taco__buf_append(out, n->text, n->end - n->begin, err);
}

/* An opening bracket at *at, the text of container n, and, if it is empty, the closing one. *at
   moves to what comes next; `value` is the whole that is printed. */
static bool taco__json_print_open(taco__buf *out, const taco__json *value, const taco__json *n,
                                  const char **at, size_t indent, size_t *depth, taco_error *err)
{
    if (n->count) {
        return taco__buf_append_char(out, *(*at)++, err) &&
               taco__json_print_newline(out, indent, ++*depth, err);
    }
    *at = value->text + (n->end - value->begin);
    return taco__buf_append_text(out, n->type == TACO__JSON_ARRAY ? "[]" : "{}", err);
}

/* Prints a value, on one line without blanks if indent is 0, else with a line for each element.
   NULL is null. */
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
        case '{': ok = taco__json_print_open(out, value, n++, &at, indent, &depth, err); break;
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

TACO__FN void taco__json_print_value(taco__json_writer *w, const char *key, const taco__json *n)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}
