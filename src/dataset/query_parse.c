/* query_parse.c - parses a taco_query: lists of columns into arrays, conditions into trees

   taco__query_parse makes a taco__query, which the rest of the library works with, from the public
   taco_query. Callers inside the library fill a taco__query themselves: no name is quoted and no
   condition printed only to be parsed again. Mistakes in a list are kept in it (`err`), because a
   cursor reports them when it gets there: names before the mistake are looked up first. */
#include "cursor.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* The name at p, after its quote if it is quoted: copied to `to` if that is not NULL, with doubled
   quotes resolved. Returns its length; *end is where it ends, *closed whether a quote or separator
   was found there. */
static size_t taco__query_parse_name(const char *p, bool quoted, char *to, const char **end,
                                     bool *closed)
{
    size_t n = 0;
    *closed = false;
    while (*p && !(*closed = quoted ? *p == '"' && p[1] != '"' : *p == ',' || *p == ' ')) {
        p += quoted && *p == '"';
        if (to) { to[n] = *p; }
        n++;
        p++;
    }
    *end = p;
    return n;
}

/* Parses the next entry of a list "a, \"b c\" desc" at *p. False at the end, and with err if a name
   is missing. */
static TACO__ONCE bool taco__query_parse_entry(taco__arena *arena, const char *text,
                                               const char **at, taco__query_column *out,
                                               taco_error *err)
{
    const char *p = *at + strspn(*at, " "), *begin;
    bool quoted = *p == '"', closed = false;
    size_t n;
    char *to;
    if (!*p) { return false; }
    p += quoted;
    n = taco__query_parse_name(p, quoted, NULL, &begin, &closed);
    to = (char *)taco__arena_alloc(arena, n + 1, err);
    if (!to) { return false; }
    out->name = to;
    taco__query_parse_name(p, quoted, to, &p, &closed);
    p += quoted && closed;
    p += strspn(p, " ");
    begin = p;
    p += strcspn(p, ",");
    *at = *p ? p + 1 + strspn(p + 1, " ") : p;
    if (quoted ? !closed : !*out->name) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                   quoted ? "a quote is not closed" : "expected a column, found a comma");
        return false;
    }
    if (*p && !**at) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "expected a column after the last comma");
        return false;
    }
    while (p > begin && p[-1] == ' ') {
        p--;
    }
    out->rest = taco__bytes_of(begin, (size_t)(p - begin));
    out->rest_at = (size_t)(begin - text);
    return true;
}

/* Parses a text such as taco_query.select into *out; NULL is no list. False only if there is no
   memory: mistakes in the text are in out->err. */
TACO__FN TACO__ONCE bool taco__query_parse_columns(taco__arena *arena, const char *text,
                                                   taco__query_columns *out, taco_error *err)
{
    taco_error *mistake;
    taco__query_column *items;
    const char *p, *at;
    size_t n = 1;
    memset(out, 0, sizeof *out);
    if (!text) { return true; }
    text = taco__arena_text(arena, taco__bytes_text(text), err);
    for (p = text; p && *p; p++) {
        n += *p == ',';
    }
    items = (taco__query_column *)taco__arena_array(arena, n, sizeof *items, err);
    mistake = (taco_error *)taco__arena_alloc(arena, sizeof *mistake, err);
    if (!text || !items || !mistake) { return false; }
    out->items = items;
    out->given = true;
    for (at = text; taco__query_parse_entry(arena, text, &at, &items[out->count], mistake);) {
        out->count++;
    }
    out->err = mistake->code == TACO_OK ? NULL : mistake;
    return true;
}

/* Moves the mistake that a list ends with into err. False if there is one. */
TACO__FN TACO__ONCE bool taco__query_parse_ends(const taco__query_columns *list, taco_error *err)
{
    if (list->err && err->code == TACO_OK) { *err = *list->err; }
    return !list->err;
}

/* Parses the query *q into *out. Its conditions are parsed when the first container needs them, so
   that columns and levels that do not exist are reported first. */
TACO__FN TACO__ONCE bool taco__query_parse(taco__arena *arena, const taco_query *q,
                                           taco__query *out, taco_error *err)
{
    size_t i;
    taco_filter *own;
    memset(out, 0, sizeof *out);
    out->filters = (taco__query_filter *)taco__arena_array(arena, q->filter_count + 1,
                                                           sizeof *out->filters, err);
    if (!out->filters) { return false; }
    for (i = 0; i < q->filter_count; i++) {
        out->filters[i].f = q->filters[i];
    }
    own = &out->filters[i].f;
    own->where = q->where;
    own->bbox = q->bbox;
    own->time = q->time;
    own->geometry_column = q->geometry_column;
    own->time_column = q->time_column;
    own->level = q->level;
    own->exact_time = q->exact_time;
    out->filter_count = i + 1;
    out->table = q->table;
    out->flat = q->flat;
    out->padding = q->padding;
    out->limit = q->limit;
    out->offset = q->offset;
    out->row_from = q->row_from;
    out->row_to = q->row_to;
    return taco__query_parse_columns(arena, q->select, &out->select, err) &&
           taco__query_parse_columns(arena, q->order, &out->order, err);
}

/* Adds the condition of a filter, if it has one, to *e. It is parsed on first use; each container
   binds a copy, the last one of a cursor (`last`) the tree itself if it was parsed from text. */
TACO__FN TACO__ONCE bool taco__query_parse_condition(taco__query_filter *f, taco__arena *arena,
                                                     const taco_limits *limits, bool last,
                                                     taco__expr **e, taco_error *err)
{
    taco__expr *x;
    if (!f->where && f->f.where) {
        char *text = taco__arena_text(arena, taco__bytes_text(f->f.where), err);
        f->parsed = text ? taco__pred_parse(arena, text, strlen(text), limits, err) : NULL;
        if (!f->parsed) {
            taco_bytes w = taco__bytes_text(f->f.where);
            taco__error_prefix(err, "where: %q", &w);
            return false;
        }
        f->where = f->parsed;
    }
    if (!f->where) { return true; }
    x = last && f->parsed ? f->parsed : taco__expr_copy(arena, f->where, err);
    *e = x ? taco__expr_and(arena, *e, x, err) : NULL;
    return *e != NULL;
}
