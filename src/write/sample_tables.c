/* sample_tables.c - tables about samples from CSV, NDJSON or Parquet, in memory

   In: a file, with its format by the extension; out: a taco_table, one batch of typed columns. RFC
   4180 (CSV), RFC 8259 (JSON, one object per line).

   Text is read twice, record by record through a window: once for the names and types of the
   columns (taco__sample_table_join_types unites the types of cells), once for their values. Text
   columns whose names end in :time_start, :time_middle, :time_end are times, :centroid and
   :geometry WKB in hexadecimal; columns of extensions without any value have the type of their rule
   (validate/column_rules.c). Start reading at taco__sample_table_read_records.

   Types of cells so far (taco__sample_table_type) only ever widen: NONE to anything, INT to UINT
   to DOUBLE, lists likewise, lists of different depth to JSON, and whatever does not fit together
   to MIXED, in CSV to TEXT. Text, numbers and truth values of a MIXED column are plain text; that
   it is mixed is an error if the schema is strict, else a warning
   (taco__sample_table_report_mixed). */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../validate/validate.h"

/* Bytes read at a time; a record may be longer. */
#define TACO__SAMPLE_TABLE_WINDOW ((size_t)1 << 20)

/* True if text ends with `end`. */
TACO__FN bool taco__sample_table_has_suffix(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* True if a type is in a group that begins and ends with these. Within a group the later type
   includes the earlier ones. */
static bool taco__sample_table_is_among(taco__sample_table_type t, taco__sample_table_type first,
                                        taco__sample_table_type last)
{
    return t >= first && t <= last;
}

/* The common type of two types of values. Numbers widen; nested values become JSON. */
static taco__sample_table_type taco__sample_table_join_types(taco__sample_table_type a,
                                                             taco__sample_table_type b)
{
    static const taco__sample_table_type groups[2][2] = {
        {TACO__SAMPLE_TABLE_INT, TACO__SAMPLE_TABLE_DOUBLE},
        {TACO__SAMPLE_TABLE_INTS, TACO__SAMPLE_TABLE_JSON}};
    size_t i;
    if (a == TACO__SAMPLE_TABLE_NONE || b == TACO__SAMPLE_TABLE_NONE || a == b) {
        return a == TACO__SAMPLE_TABLE_NONE ? b : a;
    }
    for (i = 0; i < 2; i++) {
        if (taco__sample_table_is_among(a, groups[i][0], groups[i][1]) &&
            taco__sample_table_is_among(b, groups[i][0], groups[i][1])) {
            /* a list of lists is not the same as a list */
            return i == 1 && (a == TACO__SAMPLE_TABLE_LISTS || b == TACO__SAMPLE_TABLE_LISTS)
                       ? TACO__SAMPLE_TABLE_JSON
                       : TACO__MAX(a, b);
        }
    }
    return TACO__SAMPLE_TABLE_MIXED;
}

/* The type of digits; TEXT for what is no number of JSON. */
static taco__sample_table_type taco__sample_table_number_type(taco_bytes b)
{
    int64_t x;
    bool integral;
    if (taco__num_parse_i64(b, &x)) { return TACO__SAMPLE_TABLE_INT; }
    if (taco__num_scan_json(b, &integral) != b.len) { return TACO__SAMPLE_TABLE_TEXT; }
    return integral ? TACO__SAMPLE_TABLE_UINT : TACO__SAMPLE_TABLE_DOUBLE;
}

/* The type of a JSON value that is not an array. */
static taco__sample_table_type taco__sample_table_scalar_type(const taco__json *n)
{
    switch (n->type) {
    case TACO__JSON_NULL: return TACO__SAMPLE_TABLE_NONE;
    case TACO__JSON_FALSE:
    case TACO__JSON_TRUE: return TACO__SAMPLE_TABLE_BOOL;
    case TACO__JSON_STRING: return TACO__SAMPLE_TABLE_TEXT;
    case TACO__JSON_NUMBER:
        return taco__sample_table_number_type(taco__bytes_of(n->text, n->count));
    default: return TACO__SAMPLE_TABLE_JSON;
    }
}

/* The type of a list, from the common type of its items. An empty one may be of anything. */
static taco__sample_table_type taco__sample_table_list_type(taco__sample_table_type items)
{
    switch (items) {
    case TACO__SAMPLE_TABLE_NONE:
    case TACO__SAMPLE_TABLE_INT: return TACO__SAMPLE_TABLE_INTS;
    case TACO__SAMPLE_TABLE_UINT: return TACO__SAMPLE_TABLE_UINTS;
    case TACO__SAMPLE_TABLE_DOUBLE: return TACO__SAMPLE_TABLE_DOUBLES;
    case TACO__SAMPLE_TABLE_INTS:
    case TACO__SAMPLE_TABLE_UINTS:
    case TACO__SAMPLE_TABLE_DOUBLES: return TACO__SAMPLE_TABLE_LISTS;
    default: return TACO__SAMPLE_TABLE_JSON;
    }
}

/* The type of a JSON value: lists are of numbers, of such lists, or JSON. Nulls in them are of any
   type. */
static taco__sample_table_type taco__sample_table_json_type(const taco__json *n)
{
    taco__sample_table_type list = TACO__SAMPLE_TABLE_NONE, inner;
    const taco__json *item, *number;
    size_t i, k;
    if (n->type != TACO__JSON_ARRAY) { return taco__sample_table_scalar_type(n); }
    for (i = 0, item = n + 1; i < n->count; i++, item = taco__json_next(item)) {
        inner = taco__sample_table_scalar_type(item);
        if (item->type == TACO__JSON_ARRAY) {
            inner = TACO__SAMPLE_TABLE_NONE;
            for (k = 0, number = item + 1; k < item->count; k++, number = taco__json_next(number)) {
                inner =
                    taco__sample_table_join_types(inner, taco__sample_table_scalar_type(number));
            }
            inner = taco__sample_table_list_type(inner);
        }
        list = taco__sample_table_join_types(list, inner);
    }
    return taco__sample_table_list_type(list);
}

/* Integers of a CSV column that only some types hold. */
enum {
    TACO__SAMPLE_TABLE_NEGATIVE = 1, /* not uint64 */
    TACO__SAMPLE_TABLE_INEXACT = 2   /* not double */
};

/* The type of an integer in CSV that would be written again as it is, and what else holds it; TEXT
   for all others: 007, beyond uint64. -0 is a double. */
static taco__sample_table_type taco__sample_table_csv_integer(taco_bytes b, uint8_t *kinds)
{
    char digits[24];
    uint64_t u = 0, size;
    int64_t x = 0;
    bool is_signed = taco__num_parse_i64(b, &x);
    size_t n;
    if (!is_signed && !taco__num_parse_u64(b, &u)) { return TACO__SAMPLE_TABLE_TEXT; }
    n = is_signed ? taco__num_format_i64(digits, x) : taco__num_format_u64(digits, u);
    if (!taco__bytes_equal(b, taco__bytes_of(digits, n))) {
        return taco__bytes_equal(b, taco__bytes_text("-0")) ? TACO__SAMPLE_TABLE_DOUBLE
                                                            : TACO__SAMPLE_TABLE_TEXT;
    }
    size = !is_signed ? u : x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    /* without the zeros at its end, it must have at most 53 bits */
    while (size && size % 2 == 0) {
        size /= 2;
    }
    *kinds = (uint8_t)(*kinds | (is_signed && x < 0 ? TACO__SAMPLE_TABLE_NEGATIVE : 0) |
                       (size >> 53 ? TACO__SAMPLE_TABLE_INEXACT : 0));
    return is_signed ? TACO__SAMPLE_TABLE_INT : TACO__SAMPLE_TABLE_UINT;
}

/* The type of a number in CSV. TEXT for what a number would not keep: a '+', zeros before the
   digits, integers of other forms, and doubles that are infinite or 0 for lack of range. */
static taco__sample_table_type taco__sample_table_csv_number(taco_bytes b, uint8_t *kinds)
{
    bool integral, zero = true;
    double d = 0;
    size_t i;
    if (taco__num_scan_json(b, &integral) != b.len) { return TACO__SAMPLE_TABLE_TEXT; }
    if (integral) { return taco__sample_table_csv_integer(b, kinds); }
    for (i = 0; i < b.len && b.data[i] != 'e' && b.data[i] != 'E'; i++) {
        zero = zero && !(b.data[i] >= '1' && b.data[i] <= '9');
    }
    return taco__num_parse_f64(b, &d) && d - d == 0 && (d != 0 || zero) ? TACO__SAMPLE_TABLE_DOUBLE
                                                                        : TACO__SAMPLE_TABLE_TEXT;
}

/* The type of a CSV field: quoted ones are text, empty ones have none. */
static taco__sample_table_type taco__sample_table_csv_type(taco_bytes b, bool quoted,
                                                           uint8_t *kinds)
{
    if (quoted || b.len == 0) { return quoted ? TACO__SAMPLE_TABLE_TEXT : TACO__SAMPLE_TABLE_NONE; }
    return taco__bytes_equal(b, taco__bytes_text("true")) ||
                   taco__bytes_equal(b, taco__bytes_text("false"))
               ? TACO__SAMPLE_TABLE_BOOL
               : taco__sample_table_csv_number(b, kinds);
}

/* The type of a CSV column with one more cell: text if no type of numbers holds all of them. */
static taco__sample_table_type taco__sample_table_join_csv(taco__sample_table_type before,
                                                           taco__sample_table_type cell,
                                                           uint8_t kinds)
{
    taco__sample_table_type now = taco__sample_table_join_types(before, cell);
    bool lost = (now == TACO__SAMPLE_TABLE_UINT && (kinds & TACO__SAMPLE_TABLE_NEGATIVE)) ||
                (now == TACO__SAMPLE_TABLE_DOUBLE && (kinds & TACO__SAMPLE_TABLE_INEXACT));
    return lost || now == TACO__SAMPLE_TABLE_MIXED ? TACO__SAMPLE_TABLE_TEXT : now;
}

/* ---- records of a text ---- */

/* One pass over a text, through a window that holds at least the current record. */
typedef struct taco__sample_table_reader {
    taco_table *t;
    taco_source src;
    uint64_t read; /* bytes of src read so far */
    uint64_t base; /* offset of the window */
    taco__buf window;
    size_t begin, end, next; /* bounds of the record in the window, and the start of the next */
    size_t row;              /* number of records before it, without the header */
    bool header, fill;       /* the record is the header; this is the second pass */
    taco__buf field, scratch;
    taco__arena arena; /* JSON of the current record */
} taco__sample_table_reader;

/* Offset of the byte after the quotes that open at `at`: at the end of the window if they are not
   closed in it. */
static size_t taco__sample_table_skip_quotes(const taco__buf *window, size_t at)
{
    for (at++; at < window->len; at++) {
        if (window->data[at] != '"') { continue; }
        if (at + 1 == window->len || window->data[at + 1] != '"') { return at + 1; }
        at++;
    }
    return window->len;
}

/* Finds the end of the record that begins at r->begin; false if the window does not contain all of
   it. A line end inside quotes, which open at the start of a field, belongs to the record. CSV may
   end lines with CR alone. */
static bool taco__sample_table_record_end(taco__sample_table_reader *r)
{
    const uint8_t *text = r->window.data;
    const bool csv = r->t->csv;
    bool ended;
    size_t end = r->begin;
    while (end < r->window.len && text[end] != '\n' && !(csv && text[end] == '\r')) {
        end = csv && text[end] == '"' && (end == r->begin || text[end - 1] == ',')
                  ? taco__sample_table_skip_quotes(&r->window, end)
                  : end + 1;
    }
    ended = end < r->window.len;
    r->next = end + ended;
    r->end = end > r->begin && text[end - 1] == '\r' ? end - 1 : end;
    return ended || r->read == r->src.size;
}

/* Reads more into the window, keeping the current record. A byte order mark at the start is
   skipped. */
static bool taco__sample_table_read_more(taco__sample_table_reader *r, taco_error *err)
{
    size_t left = r->window.len - r->begin, n = TACO__SAMPLE_TABLE_WINDOW;
    n = (size_t)TACO__MIN(r->src.size - r->read, (uint64_t)n);
    if (left) { memmove(r->window.data, r->window.data + r->begin, left); }
    r->base += r->begin;
    r->window.len = left;
    r->next = r->begin = 0;
    if (!taco__buf_reserve(&r->window, n, err)) { return false; }
    if (!r->src.read(r->src.ctx, r->read, r->window.data + left, n)) {
        TACO__FAIL(err, TACO_ERR_IO, r->read, "reading failed");
        return false;
    }
    r->window.len += n;
    if (r->read == 0 && taco__bytes_is_utf16(taco__bytes_of(r->window.data, r->window.len))) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "the text is UTF-16; tables are UTF-8");
        return false;
    }
    if (r->read == 0 && n >= 3 && memcmp(r->window.data, "\xEF\xBB\xBF", 3) == 0) { r->next = 3; }
    r->read += n;
    return true;
}

/* The next non-empty record, from r->begin to r->end; false at the end and on failure. */
static bool taco__sample_table_next_record(taco__sample_table_reader *r, taco_error *err)
{
    for (;;) {
        r->begin = r->next;
        if (r->begin < r->window.len && taco__sample_table_record_end(r)) {
            if (r->end > r->begin) { return true; }
            continue;
        }
        if (r->read == r->src.size || !taco__sample_table_read_more(r, err)) { return false; }
    }
}

/* Fails with the row, and the place of the character at an offset in the window; returns false. */
static bool taco__sample_table_fail_at(const taco__sample_table_reader *r, size_t at,
                                       const char *what, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "%s at byte %u", what, TACO__U(r->base + at));
    if (r->header) {
        taco__error_prefix(err, "the header");
    } else {
        taco__error_prefix(err, "row %u", TACO__U(r->row + 1));
    }
    return false;
}

/* Appends the text between quotes that open at *at to r->field; *at moves after them. */
static bool taco__sample_table_csv_quoted(taco__sample_table_reader *r, size_t *at, taco_error *err)
{
    const uint8_t *text = r->window.data;
    bool closed = false;
    size_t i = *at + 1;
    for (; i < r->end; i++) {
        closed = text[i] == '"' && (++i == r->end || text[i] != '"');
        if (closed) { break; }
        if (!taco__buf_append_char(&r->field, (char)text[i], err)) { return false; }
    }
    if (!closed) {
        return taco__sample_table_fail_at(r, *at, "no end of the quotes that open", err);
    }
    if (i < r->end && text[i] != ',') {
        return taco__sample_table_fail_at(r, i, "text after a closing quote", err);
    }
    *at = i;
    return true;
}

/* A field of a CSV record, unquoted, in r->field; *at moves past its comma, *more is whether there
   was one. Quotes elsewhere than at the start of a field are text, as in DuckDB. */
static bool taco__sample_table_csv_field(taco__sample_table_reader *r, size_t *at, bool *quoted,
                                         bool *more, taco_error *err)
{
    const uint8_t *text = r->window.data;
    bool ok = true;
    r->field.len = 0;
    *quoted = *at < r->end && text[*at] == '"';
    if (*quoted && !taco__sample_table_csv_quoted(r, at, err)) { return false; }
    for (; ok && *at < r->end && text[*at] != ','; ++*at) {
        ok = taco__buf_append_char(&r->field, (char)text[*at], err);
    }
    *more = *at < r->end;
    *at += *more;
    return ok && taco__buf_reserve(&r->field, 1, err);
}

/* ---- values ---- */

/* Index of a column; t->count if there is none. */
static size_t taco__sample_table_find_column(const taco_table *t, taco_bytes name)
{
    const taco__hash_slot *s = taco__hash_map_find(&t->by_name, name);
    return s ? (size_t)s->value : t->count;
}

/* Index of the field with a name; n if there is none. */
TACO__FN size_t taco__sample_table_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n && strcmp(fields[i].name, name) != 0; i++) {}
    return i;
}

/* Adds a column whose type is not known yet. The arrays double at powers of two; the arena keeps
   the old ones. */
static bool taco__sample_table_add_column(taco_table *t, taco_bytes name, taco_error *err)
{
    size_t n = t->count;
    const char **names = t->names;
    taco__sample_table_type *types = t->types;
    uint8_t *kinds = t->kinds;
    const char *copy = taco__arena_text(&t->arena, name, err);
    bool added = true;
    taco__hash_slot *slot =
        copy && !t->csv
            ? taco__hash_map_add(&t->by_name, taco__bytes_of(copy, name.len), &added, err)
            : NULL;
    if (slot && added) { slot->value = n; }
    if (!slot && !t->csv) { return false; }
    if ((n & (n - 1)) == 0) { /* 0, 1, 2, 4, ...: double the room */
        names = (const char **)taco__arena_array(&t->arena, 2 * n + 1, sizeof *names, err);
        types =
            (taco__sample_table_type *)taco__arena_array(&t->arena, 2 * n + 1, sizeof *types, err);
        kinds = (uint8_t *)taco__arena_alloc(&t->arena, 2 * n + 1, err);
        if (names && types && kinds && n) {
            memcpy((void *)names, (const void *)t->names, n * sizeof *names);
            memcpy(types, t->types, n * sizeof *types);
            memcpy(kinds, t->kinds, n);
        }
    }
    if (!names || !types || !kinds || !copy) { return false; }
    names[n] = copy;
    types[n] = TACO__SAMPLE_TABLE_NONE;
    kinds[n] = 0;
    t->names = names;
    t->types = types;
    t->kinds = kinds;
    t->count++;
    return true;
}

/* Hexadecimal digits, of either case, as bytes; false for anything else. */
static bool taco__sample_table_parse_hex(taco_bytes text, taco__buf *out, taco_error *err)
{
    size_t i;
    out->len = 0;
    for (i = 0; i < text.len; i += 2) {
        int x = taco__ascii_hex_byte(text, i);
        if (x < 0 || !taco__buf_append_char(out, (char)x, err)) { return false; }
    }
    return true;
}

/* Appends a text to its column: a time, WKB or plain text. False if it cannot be converted. */
static bool taco__sample_table_append_text(taco__array_builder *col, taco_bytes b,
                                           taco__buf *scratch, taco_error *err)
{
    int64_t t;
    if (col->field->type == TACO_TIMESTAMP) {
        return taco__builder_parse_time(col->field, b, &t) && taco__builder_append_int(col, t, err);
    }
    if (col->field->type == TACO_BINARY) {
        return taco__sample_table_parse_hex(b, scratch, err) &&
               taco__array_builder_append_bytes(col, taco__bytes_of(scratch->data, scratch->len),
                                                err);
    }
    return taco__utf8_valid(b) && taco__array_builder_append_bytes(col, b, err);
}

/* Appends digits as the column's type of numbers. False if they do not fit, with an error that
   lacks the row. */
static bool taco__sample_table_append_number(taco__array_builder *col, taco_bytes b,
                                             taco_error *err)
{
    const double most =
        col->field->type == TACO_FLOAT ? 3.4028234663852886e38 : 1.7976931348623157e308;
    int64_t x = 0;
    uint64_t u = 0;
    double d = 0;
    if (col->field->type == TACO_INT64 || col->field->type == TACO_UINT64) {
        bool wide = col->field->type == TACO_UINT64;
        if (wide ? taco__num_parse_u64(b, &u) : taco__num_parse_i64(b, &x)) {
            return taco__array_builder_append_int(col, wide ? (int64_t)u : x, err);
        }
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                   "%q does not fit: integers are int64, or uint64 if all of a column fit that",
                   &b);
        return false;
    }
    if (!taco__num_parse_f64(b, &d)) { return false; }
    if (!(d >= -most && d <= most)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "%q is out of the range of a %s", &b,
                   col->field->type == TACO_FLOAT ? "float" : "double");
        return false;
    }
    return taco__array_builder_append_double(col, d, err);
}

/* Appends a list of numbers, or of such lists; false for other values. */
static bool taco__sample_table_append_list(taco__array_builder *col, const taco__json *n,
                                           taco_error *err)
{
    const taco__json *item;
    size_t i;
    if (n->type == TACO__JSON_NULL) { return taco__array_builder_append_null(col, err); }
    if (col->field->type != TACO_LIST) {
        return taco__sample_table_append_number(col, taco__bytes_of(n->text, n->count), err);
    }
    for (i = 0, item = n + 1; i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__sample_table_append_list(&col->children[0], item, err)) { return false; }
    }
    return taco__array_builder_end_row(col, true, err);
}

/* Appends a JSON value to a column of the type found for it; missing ones are null. */
static bool taco__sample_table_append_json(taco__array_builder *col, taco__sample_table_type type,
                                           const taco__json *n, taco__buf *scratch, taco_error *err)
{
    if (!n || n->type == TACO__JSON_NULL) { return taco__array_builder_append_null(col, err); }
    if (col->field->type == TACO_LIST) { return taco__sample_table_append_list(col, n, err); }
    switch (type) {
    case TACO__SAMPLE_TABLE_BOOL:
        return taco__array_builder_append_bool(col, n->type == TACO__JSON_TRUE, err);
    case TACO__SAMPLE_TABLE_INT:
    case TACO__SAMPLE_TABLE_UINT:
    case TACO__SAMPLE_TABLE_DOUBLE:
        return taco__sample_table_append_number(col, taco__bytes_of(n->text, n->count), err);
    case TACO__SAMPLE_TABLE_TEXT:
        return taco__sample_table_append_text(col, taco__json_bytes(n), scratch, err);
    default:
        if (type == TACO__SAMPLE_TABLE_MIXED && n->type == TACO__JSON_STRING) {
            return taco__array_builder_append_bytes(col, taco__json_bytes(n), err);
        }
        scratch->len = 0;
        return taco__json_print(scratch, n, 0, err) &&
               taco__array_builder_append_bytes(col, taco__bytes_of(scratch->data, scratch->len),
                                                err);
    }
}

/* Appends a CSV field to a column of the type found for it; empty ones are null unless quoted. */
static bool taco__sample_table_append_csv(taco__array_builder *col, taco__sample_table_type type,
                                          taco_bytes b, bool quoted, taco__buf *scratch,
                                          taco_error *err)
{
    if (b.len == 0 && !quoted) { return taco__array_builder_append_null(col, err); }
    switch (type) {
    case TACO__SAMPLE_TABLE_BOOL:
        return taco__array_builder_append_bool(col, b.data[0] == 't', err);
    case TACO__SAMPLE_TABLE_INT:
    case TACO__SAMPLE_TABLE_UINT:
    case TACO__SAMPLE_TABLE_DOUBLE: return taco__sample_table_append_number(col, b, err);
    default: return taco__sample_table_append_text(col, b, scratch, err);
    }
}

/* Fails with row and column, and SYNTAX unless the failure is known; returns false. */
static bool taco__sample_table_fail_value(const taco__sample_table_reader *r, size_t column,
                                          taco_error *err)
{
    taco_bytes name = taco__bytes_text(column < r->t->count ? r->t->names[column] : "");
    TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "not a value of the column's type");
    taco__error_prefix(err, "row %u, column %q", TACO__U(r->row + 1), &name);
    return false;
}

/* Reads one record: names from the header, types in the first pass, values in the second. */
static bool taco__sample_table_read_csv(taco__sample_table_reader *r, taco_error *err)
{
    taco_table *t = r->t;
    size_t at = r->begin, k;
    bool more = true, quoted = false;
    for (k = 0; more; k++) {
        taco_bytes b;
        if (!taco__sample_table_csv_field(r, &at, &quoted, &more, err)) { return false; }
        b = taco__bytes_of(r->field.data, r->field.len);
        if (r->header) {
            if (!r->fill && !taco__sample_table_add_column(t, b, err)) { return false; }
        } else if (k < t->count && r->fill) {
            if (!taco__sample_table_append_csv(&t->columns[k].rows, t->types[k], b, quoted,
                                               &r->scratch, err)) {
                return taco__sample_table_fail_value(r, k, err);
            }
        } else if (k < t->count) {
            taco__sample_table_type cell = taco__sample_table_csv_type(b, quoted, &t->kinds[k]);
            t->types[k] = taco__sample_table_join_csv(t->types[k], cell, t->kinds[k]);
        }
    }
    if (!r->header && k != t->count) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u has %u fields, the header %u",
                   TACO__U(r->row + 1), TACO__U(k), TACO__U(t->count));
        return false;
    }
    return true;
}

/* Reports a column of NDJSON whose types do not fit together: it had values of one type, and has
   another in this row. Ids are text, whatever they look like. An error if the schema is strict. */
static bool taco__sample_table_report_mixed(const taco__sample_table_reader *r, size_t column,
                                            taco__sample_table_type before,
                                            taco__sample_table_type here, taco_error *err)
{
    static const char *const names[] = {
        "nothing",          "truth values",   "integers",          "integers",
        "numbers",          "text",           "lists of integers", "lists of integers",
        "lists of numbers", "lists of lists", "nested values",     "values of several types"};
    taco_table *t = r->t;
    taco_bytes name = taco__bytes_text(t->names[column]);
    taco_error what;
    memset(&what, 0, sizeof what);
    if (strcmp(t->names[column], "id") == 0) { return true; }
    TACO__FAIL(&what, TACO_ERR_TYPE, TACO_NO_OFFSET,
               "row %u, column %q: %s, the rows before have %s%s", TACO__U(r->row + 1), &name,
               names[here], names[before], t->strict ? "" : "; all become text");
    if (t->strict) {
        *err = what;
    } else if (t->options.warn) {
        taco__error_prefix(&what, "%s", t->path);
        t->options.warn(t->options.warn_ctx, &what);
    }
    return !t->strict;
}

/* Appends the values of an object to all columns. SYNTAX for equal names, of which any one value
   would be a guess. */
static bool taco__sample_table_append_object(taco__sample_table_reader *r, const taco__json *object,
                                             taco_error *err)
{
    taco_table *t = r->t;
    const taco__json *key,
        **values = (const taco__json **)taco__arena_array(&r->arena, t->count, sizeof *values, err);
    size_t k, i;
    if (!values) { return false; }
    for (k = 0, key = object + 1; k < object->count; k++, key = taco__json_next(key + 1)) {
        i = taco__sample_table_find_column(t, taco__json_bytes(key));
        if (i < t->count && values[i]) {
            taco_bytes name = taco__json_bytes(key);
            TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u has the key %q twice",
                       TACO__U(r->row + 1), &name);
            return false;
        }
        if (i < t->count) { values[i] = key + 1; }
    }
    for (k = 0; k < t->count; k++) {
        if (!taco__sample_table_append_json(&t->columns[k].rows, t->types[k], values[k],
                                            &r->scratch, err)) {
            return taco__sample_table_fail_value(r, k, err);
        }
    }
    return true;
}

/* Reads one JSON object: names and types in the first pass, values in the second. */
static bool taco__sample_table_read_object(taco__sample_table_reader *r, taco_error *err)
{
    taco_table *t = r->t;
    taco__sample_table_type before, here;
    taco__json_doc doc;
    const taco__json *key;
    size_t k, i;
    if (taco__json_parse_at(&r->arena, taco__bytes_of(r->window.data + r->begin, r->end - r->begin),
                            r->base + r->begin, NULL, &doc, err) != TACO_OK) {
        return false;
    }
    if (!taco__json_is(doc.root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u is not a JSON object",
                   TACO__U(r->row + 1));
        return false;
    }
    for (k = 0, key = doc.root + 1; !r->fill && k < doc.root->count;
         k++, key = taco__json_next(key + 1)) {
        i = taco__sample_table_find_column(t, taco__json_bytes(key));
        if (i == t->count && !taco__sample_table_add_column(t, taco__json_bytes(key), err)) {
            return false;
        }
        here = taco__sample_table_json_type(key + 1);
        before = t->types[i];
        t->types[i] = taco__sample_table_join_types(before, here);
        if (t->types[i] == TACO__SAMPLE_TABLE_MIXED && before != TACO__SAMPLE_TABLE_MIXED &&
            !taco__sample_table_report_mixed(r, i, before, here, err)) {
            return false;
        }
    }
    return !r->fill || taco__sample_table_append_object(r, doc.root, err);
}

/* One pass over a text: names and types of its columns, or (fill) their values. */
static bool taco__sample_table_read_records(taco_table *t, bool fill, taco_error *err)
{
    taco__sample_table_reader r;
    bool ok = true;
    memset(&r, 0, sizeof r);
    if (!taco__source_open_path(&t->options, t->path, &r.src, err)) { return false; }
    r.t = t;
    r.fill = fill;
    r.header = t->csv;
    r.window.mem = r.field.mem = r.scratch.mem = r.arena.mem = &t->mem;
    while (ok && taco__sample_table_next_record(&r, err)) {
        ok =
            t->csv ? taco__sample_table_read_csv(&r, err) : taco__sample_table_read_object(&r, err);
        taco__arena_free(&r.arena);
        r.row += !r.header;
        r.header = false;
    }
    t->rows.length = r.row;
    if (r.src.close) { r.src.close(r.src.ctx); }
    taco__buf_free(&r.window);
    taco__buf_free(&r.field);
    taco__buf_free(&r.scratch);
    return ok && err->code == TACO_OK;
}

/* ---- columns ---- */

/* The types of the fields of a column, from the outside in, and their number: those of its cells,
   or those that its name asks for. */
static size_t taco__sample_table_field_types(const char *name, taco__sample_table_type type,
                                             taco_type out[3])
{
    static const taco_type types[] = {TACO_TEXT,   TACO_BOOL, TACO_INT64, TACO_UINT64,
                                      TACO_DOUBLE, TACO_TEXT, TACO_LIST,  TACO_LIST,
                                      TACO_LIST,   TACO_TEXT, TACO_TEXT,  TACO_TEXT},
                           items[] = {TACO_INT64, TACO_UINT64, TACO_DOUBLE};
    taco_type asked[3];
    size_t n = taco__column_rule_types(name, asked);
    if (n && (type == TACO__SAMPLE_TABLE_NONE || (n == 3 && type == TACO__SAMPLE_TABLE_LISTS))) {
        memcpy(out, asked, sizeof asked);
        return n;
    }
    out[0] = types[type];
    if (out[0] == TACO_LIST) {
        out[1] = items[type - TACO__SAMPLE_TABLE_INTS];
        /* 10 or 10.0: a geotransform is doubles */
        if (taco__sample_table_has_suffix(name, ":geotransform")) { out[1] = TACO_DOUBLE; }
    } else if (strncmp(name, "geoenrich:", 10) == 0 &&
               taco__sample_table_is_among(type, TACO__SAMPLE_TABLE_INT,
                                           TACO__SAMPLE_TABLE_DOUBLE)) {
        out[0] = TACO_FLOAT;
    }
    return out[0] == TACO_LIST ? 2 : 1;
}

/* The field of a column of text, by the type of its cells and its name. items are for the fields of
   lists in it. */
static taco_field taco__sample_table_field(const char *name, taco__sample_table_type type,
                                           taco_field items[2])
{
    taco_type types[3];
    size_t i = taco__sample_table_field_types(name, type, types);
    bool text = type == TACO__SAMPLE_TABLE_TEXT || type == TACO__SAMPLE_TABLE_NONE;
    if (text && (taco__sample_table_has_suffix(name, ":time_start") ||
                 taco__sample_table_has_suffix(name, ":time_middle") ||
                 taco__sample_table_has_suffix(name, ":time_end"))) {
        types[0] = TACO_TIMESTAMP; /* in microseconds */
    } else if (text && (taco__sample_table_has_suffix(name, ":centroid") ||
                        taco__sample_table_has_suffix(name, ":geometry"))) {
        types[0] = TACO_BINARY;
    }
    for (; i > 1; i--) {
        bool list = types[i - 1] == TACO_LIST;
        items[i - 2] =
            taco__field_make_nested("element", types[i - 1], list ? &items[i - 1] : NULL, list);
    }
    return types[0] == TACO_LIST ? taco__field_make_nested(name, TACO_LIST, items, 1)
                                 : taco__field_make(name, types[0]);
}

/* ARGUMENT for a table without rows. */
static bool taco__sample_table_check_rows(uint64_t rows, taco_error *err)
{
    if (!rows) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "the table has no rows"); }
    return rows != 0;
}

/* Both passes, then arrays of the columns. `id` is always text. */
static bool taco__sample_table_load_text(taco_table *t, taco_error *err)
{
    taco_array *arrays;
    taco_field *fields;
    size_t i, n;
    bool ok;
    if (!taco__sample_table_read_records(t, false, err) ||
        !taco__sample_table_check_rows(t->rows.length, err)) {
        return false;
    }
    n = t->count;
    t->columns = (taco__builder *)taco__arena_array(&t->arena, n, sizeof *t->columns, err);
    arrays = (taco_array *)taco__arena_array(&t->arena, n, sizeof *arrays, err);
    fields = (taco_field *)taco__arena_array(&t->arena, n, sizeof *fields, err);
    ok = t->columns && arrays && fields;
    for (i = 0; ok && i < n; i++) {
        taco_field items[2], f = taco__sample_table_field(t->names[i], t->types[i], items);
        if (strcmp(t->names[i], "id") == 0) { /* whatever its values look like */
            f = taco__field_make("id", TACO_TEXT);
            t->types[i] = t->csv ? TACO__SAMPLE_TABLE_TEXT : TACO__SAMPLE_TABLE_MIXED;
        }
        ok = taco__builder_init(&t->columns[i], &f, &t->mem, &t->arena, err);
    }
    ok = ok && taco__sample_table_read_records(t, true, err);
    for (i = 0; ok && i < n; i++) {
        taco__builder_finish(&t->columns[i]);
        arrays[i] = t->columns[i].array;
        fields[i] = *t->columns[i].rows.field;
    }
    t->rows.columns = arrays;
    t->fields = fields;
    return ok && err->code == TACO_OK;
}

/* Joins the batches of a reader, of which t->rows is the first, to one batch of own columns. */
static bool taco__sample_table_join_batches(taco_table *t, taco_error *err)
{
    taco_array *arrays = (taco_array *)taco__arena_array(&t->arena, t->count, sizeof *arrays, err);
    size_t rows = 0, i, row;
    bool ok;
    t->columns = (taco__builder *)taco__arena_array(&t->arena, t->count, sizeof *t->columns, err);
    ok = arrays && t->columns;
    for (i = 0; ok && i < t->count; i++) {
        ok = taco__builder_init(&t->columns[i], &t->fields[i], &t->mem, &t->arena, err);
    }
    do {
        for (i = 0; ok && i < t->count; i++) {
            for (row = 0; ok && row < t->rows.length; row++) {
                ok = taco__array_builder_append_copy(&t->columns[i].rows, &t->rows.columns[i], row,
                                                     err);
            }
        }
        rows += t->rows.length;
    } while (ok && taco_pq_reader_next(t->reader, &t->rows));
    for (i = 0; ok && i < t->count; i++) {
        taco__builder_finish(&t->columns[i]);
        arrays[i] = t->columns[i].array;
    }
    memset(&t->rows, 0, sizeof t->rows);
    t->rows.columns = arrays;
    t->rows.length = rows;
    return ok;
}

/* A Parquet file as one batch: that of its reader, if it has one row group. */
static bool taco__sample_table_load_parquet(taco_table *t, taco_error *err)
{
    taco_pq_query q;
    int64_t rows;
    memset(&q, 0, sizeof q);
    t->file = taco_pq_open(t->path, &t->options, err);
    rows = t->file ? taco_pq_rows(t->file) : 0;
    if (!t->file || !taco__sample_table_check_rows((uint64_t)rows, err)) { return false; }
    q.batch_rows = (size_t)rows + 1;
    t->reader = taco_pq_read(t->file, &q, err);
    t->fields = t->reader ? taco_pq_reader_fields(t->reader, &t->count) : NULL;
    if (!t->fields) { return false; }
    if (taco_pq_reader_next(t->reader, &t->rows) &&
        ((int64_t)t->rows.length == rows || taco__sample_table_join_batches(t, err)) &&
        (int64_t)t->rows.length == rows) {
        return err->code == TACO_OK;
    }
    t->rows.length = 0;
    taco_pq_reader_close(t->reader, err);
    t->reader = NULL;
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "fewer rows than the footer says");
    return false;
}

/* ---- public ---- */

/* Text columns are owned by the table; those of Parquet belong to the reader. */
TACO_API void taco_table_close(taco_table *t)
{
    taco__mem mem;
    size_t i;
    if (!t) { return; }
    for (i = 0; t->columns && i < t->count; i++) {
        taco__builder_free(&t->columns[i]);
    }
    taco_pq_reader_close(t->reader, NULL);
    taco_pq_close(t->file);
    taco__hash_map_free(&t->by_name);
    taco__arena_free(&t->arena);
    mem = t->mem;
    taco__mem_free(&mem, t, sizeof *t);
}

/* True for Parquet: by the extension of the name, or by the first bytes if it has none of a
   table. */
static bool taco__sample_table_is_parquet(const taco_table *t)
{
    taco_source src;
    char head[4] = {0};
    if (taco__sample_table_has_suffix(t->path, ".parquet")) { return true; }
    if (t->csv || t->lines || !taco__source_open_path(&t->options, t->path, &src, NULL)) {
        return false;
    }
    if (src.size < sizeof head || !src.read(src.ctx, 0, head, sizeof head)) { head[0] = 0; }
    if (src.close) { src.close(src.ctx); }
    return memcmp(head, "PAR1", sizeof head) == 0;
}

/* The extension decides the format. Errors get the path before their text. strict: columns of mixed
   types are an error. */
TACO__FN taco_table *taco__sample_table_open(const char *path, const taco_options *opt, bool strict,
                                             taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    taco_table *t;
    bool ok;
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    t = (taco_table *)taco__mem_alloc(&mem, sizeof *t, err);
    if (!t) { return NULL; }
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->arena.mem = t->by_name.mem = &t->mem;
    t->strict = strict;
    if (opt) { t->options = *opt; }
    t->path = path; /* needed only while opening */
    t->csv = taco__sample_table_has_suffix(path, ".csv");
    t->lines = taco__sample_table_has_suffix(path, ".ndjson") ||
               taco__sample_table_has_suffix(path, ".jsonl");
    if (taco__sample_table_is_parquet(t)) {
        ok = taco__sample_table_load_parquet(t, &own);
    } else if (t->csv || t->lines) {
        ok = taco__sample_table_load_text(t, &own);
    } else {
        ok = TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                        "a table needs a name that ends in .ndjson, .csv or .parquet") == TACO_OK;
    }
    t->rows.column_count = t->count;
    if (!ok) {
        /* errors of opening the file name it already */
        if (own.code != TACO_ERR_NOT_FOUND && strncmp(own.text, path, strlen(path)) != 0) {
            taco__error_prefix(&own, "%s", path);
        }
        taco__error_copy(err, &own);
        taco_table_close(t);
        return NULL;
    }
    return t;
}

TACO_API taco_table *taco_table_open(const char *path, const taco_options *opt, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__sample_table_open(path, opt, false, err);
}

TACO_API const taco_batch *taco_table_rows(const taco_table *t)
{
    return t ? &t->rows : NULL;
}

TACO_API const taco_field *taco_table_fields(const taco_table *t, size_t *n)
{
    *n = t ? t->count : 0;
    return t ? t->fields : NULL;
}
