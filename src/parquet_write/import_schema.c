/* import_schema.c - converts a producer's Arrow formats to fields, and decides how to convert
   arrays

   In: a struct ArrowSchema; out: a taco__import_node with its taco_field, and the nodes below it
   (Arrow C data interface, "Data type description - format strings"). A format is one letter, or a
   letter with parameters: "w:16" FIXED of 16 bytes, "d:10,2" a DECIMAL of 128 bits, "tsu:UTC" a
   TIMESTAMP of microseconds, "+l" a LIST. Unions, list views and run-end encoding are refused.

   Start reading at taco__import_schema_field; taco__import_schema_format has the letters. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Whether the schema's metadata has that value for that key. */
static bool taco__import_schema_has_metadata(const struct ArrowSchema *s, const char *key,
                                             const char *value)
{
    const char *p = s->metadata;
    int32_t n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes k, v;
    while (taco__arrow_next_pair(&p, &n, &k, &v)) {
        if (taco__bytes_equal(k, taco__bytes_text(key))) {
            return taco__bytes_equal(v, taco__bytes_text(value));
        }
    }
    return false;
}

TACO__FN bool taco__import_schema_fail(taco_import *in, const struct ArrowSchema *s,
                                       const char *what)
{
    taco_bytes name = taco__bytes_text(s->name ? s->name : "");
    taco_bytes format = taco__bytes_text(s->format ? s->format : "");
    TACO__FAIL(&in->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "unsupported: field %q of Arrow format %q%s", &name, &format, what);
    return false;
}

/* Digits at *p, less than 10^9, into *out. */
static bool taco__import_schema_parse_number(const char **p, int32_t *out)
{
    const char *start = *p;
    int32_t x = 0;
    for (; **p >= '0' && **p <= '9' && *p - start < 9; ++*p) {
        x = x * 10 + (**p - '0');
    }
    *out = x;
    return *p > start;
}

/* Sets the type, `own` bytes wide, and how it is converted from values of `width` bytes. */
static void taco__import_schema_set_type(taco__import_node *k, taco_type type,
                                         taco__import_kind kind, size_t width, int32_t own)
{
    k->field->type = type;
    k->field->width = own;
    k->kind = kind;
    k->width = width;
}

/* After "d:": precision, scale, and bits where they are not 128. */
static bool taco__import_schema_decimal(taco__import_node *k, const char *p)
{
    int32_t bits = 128;
    if (!taco__import_schema_parse_number(&p, &k->field->precision) || *p++ != ',' ||
        !taco__import_schema_parse_number(&p, &k->field->scale) ||
        (*p == ',' && (p++, !taco__import_schema_parse_number(&p, &bits))) || *p ||
        (bits != 32 && bits != 64 && bits != 128 && bits != 256)) {
        return false;
    }
    taco__import_schema_set_type(k, TACO_DECIMAL, TACO__IMPORT_DECIMAL, (size_t)bits / 8,
                                 bits == 256 ? 32 : 16);
    return true;
}

/* "tiM", "tiD" and "tin": months; days and milliseconds; months, days and nanoseconds. */
static bool taco__import_schema_interval(taco__import_node *k, const char *p)
{
    taco__import_kind kind = p[1] == 'M'   ? TACO__IMPORT_MONTHS
                             : p[1] == 'D' ? TACO__IMPORT_DAYS
                                           : TACO__IMPORT_MIXED;
    size_t width = p[1] == 'M' ? 4 : p[1] == 'D' ? 8 : 16;
    k->field->unit = TACO_SECOND;
    taco__import_schema_set_type(k, TACO_INTERVAL, kind, width, 12);
    return (p[1] == 'M' || p[1] == 'D' || p[1] == 'n') && !p[2];
}

/* "tdD" and "tdm": dates of days, or of milliseconds. */
static bool taco__import_schema_date(taco__import_node *k, const char *p)
{
    bool days = p[1] == 'D';
    k->field->unit = TACO_SECOND;
    taco__import_schema_set_type(k, TACO_DATE, days ? TACO__IMPORT_FIXED : TACO__IMPORT_DATE64,
                                 days ? 4 : 8, 4);
    return (days || p[1] == 'm') && !p[2];
}

/* Formats that begin with t, at the letter after it. The unit is s, m, u or n; a duration becomes
   an INT64, because Parquet has none. */
static bool taco__import_schema_temporal(taco__import_node *k, const char *p)
{
    static const char units[] = "smun";
    const char *unit = p[0] && p[1] ? strchr(units, p[1]) : NULL;
    taco_field *f = k->field;
    int32_t width;
    f->unit = unit ? (taco_unit)(unit - units) : TACO_SECOND;
    width = f->unit <= TACO_MILLI ? 4 : 8;
    switch (p[0]) {
    case 'd': return taco__import_schema_date(k, p);
    case 't':
        taco__import_schema_set_type(k, TACO_TIME, TACO__IMPORT_FIXED, (size_t)width, width);
        return unit && !p[2];
    case 's':
        taco__import_schema_set_type(k, TACO_TIMESTAMP, TACO__IMPORT_FIXED, 8, 8);
        f->utc = unit && p[2] == ':' && p[3];
        return unit && p[2] == ':';
    case 'D':
        taco__import_schema_set_type(k, TACO_INT64, TACO__IMPORT_FIXED, 8, 8);
        f->unit = TACO_SECOND;
        return unit && !p[2];
    case 'i': return taco__import_schema_interval(k, p);
    default: return false;
    }
}

/* Formats that begin with +, at the letter after it. */
static bool taco__import_schema_nested(taco__import_node *k, const char *p)
{
    switch (*p++) {
    case 'l':
    case 'L':
        taco__import_schema_set_type(k, TACO_LIST, TACO__IMPORT_LIST, p[-1] == 'L' ? 8 : 4, 0);
        break;
    case 'm': taco__import_schema_set_type(k, TACO_MAP, TACO__IMPORT_LIST, 4, 0); break;
    case 's': taco__import_schema_set_type(k, TACO_STRUCT, TACO__IMPORT_STRUCT, 0, 0); break;
    case 'w':
        taco__import_schema_set_type(k, TACO_LIST, TACO__IMPORT_FIXED_LIST, 0, 0);
        if (*p++ != ':' || !taco__import_schema_parse_number(&p, &k->list_length)) { return false; }
        break;
    default: return false;
    }
    return !*p;
}

/* Formats of one letter whose values are unchanged. */
static bool taco__import_schema_number(taco__import_node *k, char letter)
{
    static const char letters[] = "cCsSiIlLefg";
    static const uint8_t types[] = {TACO_INT8,  TACO_UINT8,  TACO_INT16, TACO_UINT16,
                                    TACO_INT32, TACO_UINT32, TACO_INT64, TACO_UINT64,
                                    TACO_HALF,  TACO_FLOAT,  TACO_DOUBLE};
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    const char *at = strchr(letters, letter);
    size_t i = at ? (size_t)(at - letters) : 0;
    if (!at) { return false; }
    taco__import_schema_set_type(k, (taco_type)types[i], TACO__IMPORT_FIXED, widths[i], widths[i]);
    return true;
}

/* "w:16". */
static bool taco__import_schema_fixed(taco__import_node *k, const char *p)
{
    taco__import_schema_set_type(k, TACO_FIXED, TACO__IMPORT_FIXED, 0, 0);
    if (*p++ != ':' || !taco__import_schema_parse_number(&p, &k->field->width)) { return false; }
    k->width = (size_t)k->field->width;
    return !*p;
}

/* The type of a format without a dictionary; false if it is unknown. */
static bool taco__import_schema_format(taco__import_node *k, const char *p)
{
    char letter = *p;
    if (letter && !p[1] && taco__import_schema_number(k, letter)) { return true; }
    switch (*p++) {
    case 'n': taco__import_schema_set_type(k, TACO_NULL, TACO__IMPORT_NONE, 0, 0); break;
    case 'b': taco__import_schema_set_type(k, TACO_BOOL, TACO__IMPORT_BITS, 0, 0); break;
    case 'u':
    case 'U':
        taco__import_schema_set_type(k, TACO_TEXT, TACO__IMPORT_TEXT, letter == 'U' ? 8 : 4, 0);
        break;
    case 'z':
    case 'Z':
        taco__import_schema_set_type(k, TACO_BINARY, TACO__IMPORT_TEXT, letter == 'Z' ? 8 : 4, 0);
        break;
    case 'v': /* "vu" and "vz" */
        taco__import_schema_set_type(k, *p == 'u' ? TACO_TEXT : TACO_BINARY, TACO__IMPORT_VIEW, 16,
                                     0);
        return (*p == 'u' || *p == 'z') && !p[1];
    case 'w': return taco__import_schema_fixed(k, p);
    case 'd': return *p == ':' && taco__import_schema_decimal(k, p + 1);
    case 't': return taco__import_schema_temporal(k, p);
    case '+': return taco__import_schema_nested(k, p);
    default: return false;
    }
    return !*p;
}

/* The node of a dictionary's indices: an integer format, signed ones at even positions. */
static bool taco__import_schema_indices(taco__import_node *k, const char *p)
{
    static const char formats[] = "cCsSiIlL";
    const char *at = *p && !p[1] ? strchr(formats, *p) : NULL;
    if (at) {
        k->width = (size_t)1 << (at - formats) / 2;
        k->is_signed = (at - formats) % 2 == 0;
    }
    return at != NULL;
}

TACO__FN void taco__import_schema_init_node(taco_import *in, taco__import_node *k)
{
    memset(k, 0, sizeof *k);
    k->validity.mem = k->offsets.mem = k->values.mem = &in->mem;
}

/* Most children: well below overflow of 32-bit sizes, since a node takes less than 512 bytes. */
#define TACO__IMPORT_MAX_CHILDREN 4194304

/* Makes the nodes of all children, then fills each, so that the tree can be freed after any
   failure. */
static bool taco__import_schema_children(taco_import *in, taco__import_node *k,
                                         const struct ArrowSchema *s, uint32_t depth)
{
    size_t n = (size_t)s->n_children, i;
    taco_field *fields;
    if (s->n_children < 0 || s->n_children > TACO__IMPORT_MAX_CHILDREN) {
        return taco__import_schema_fail(in, s, ", which has more children than are allowed");
    }
    fields = (taco_field *)taco__arena_array(&in->arena, n + 1, sizeof *fields, &in->err);
    k->children =
        (taco__import_node *)taco__arena_array(&in->arena, n + 1, sizeof *k->children, &in->err);
    k->arrays = (taco_array *)taco__arena_array(&in->arena, n + 1, sizeof *k->arrays, &in->err);
    if (!fields || !k->children || !k->arrays) { return false; }
    for (i = 0; i < n; i++) {
        taco__import_schema_init_node(in, &k->children[i]);
        k->children[i].field = &fields[i];
    }
    k->field->children = fields; /* from here on their buffers are freed with the tree */
    k->field->child_count = (uint32_t)n;
    for (i = 0; i < n; i++) {
        if (!s->children || !s->children[i]) {
            return taco__import_schema_fail(in, s, ", which has no schema for a child");
        }
        if (!taco__import_schema_field(in, &k->children[i], s->children[i], depth + 1)) {
            return false;
        }
    }
    return true;
}

/* True if a list, map or struct has the required children. */
static bool taco__import_schema_check_children(const taco__import_node *k,
                                               const struct ArrowSchema *s)
{
    const struct ArrowSchema *c = s->n_children > 0 && s->children ? s->children[0] : NULL;
    if (k->field->type == TACO_STRUCT) { return s->n_children >= 0; }
    if (k->field->type == TACO_MAP) {
        return s->n_children == 1 && c && c->format && strcmp(c->format, "+s") == 0 &&
               c->n_children == 2;
    }
    return s->n_children == (k->field->type == TACO_LIST);
}

/* The values of a dictionary have the field; the node itself describes the indices. */
static bool taco__import_schema_dictionary(taco_import *in, taco__import_node *k,
                                           const struct ArrowSchema *s)
{
    const struct ArrowSchema *values = s->dictionary;
    k->dictionary = (taco__import_node *)taco__arena_alloc(&in->arena, sizeof *k, &in->err);
    if (!k->dictionary) { return false; }
    taco__import_schema_init_node(in, k->dictionary);
    k->dictionary->field = k->field;
    if (values->dictionary || !taco__import_schema_format(k->dictionary, values->format) ||
        k->dictionary->kind >= TACO__IMPORT_LIST) {
        return taco__import_schema_fail(in, s, ", a dictionary of nested values");
    }
    return true;
}

/* Reads the format, or that of the dictionary's values if there is one. */
static bool taco__import_schema_type(taco_import *in, taco__import_node *k,
                                     const struct ArrowSchema *s)
{
    bool known = s->format &&
                 (s->dictionary ? taco__import_schema_indices(k, s->format) && s->dictionary->format
                                : taco__import_schema_format(k, s->format));
    if (!known) { return taco__import_schema_fail(in, s, ""); }
    if (s->dictionary && !taco__import_schema_dictionary(in, k, s)) { return false; }
    k->field->nullable = k->field->type == TACO_NULL || (s->flags & ARROW_FLAG_NULLABLE) != 0;
    if (k->field->type == TACO_FIXED && k->field->width == 16 &&
        taco__import_schema_has_metadata(s, "ARROW:extension:name", "arrow.uuid")) {
        k->field->type = TACO_UUID;
    }
    return true;
}

TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s, uint32_t depth)
{
    taco_field *f = k->field;
    if (depth > in->limits.max_depth || ++in->field_count > in->limits.max_columns) {
        TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an Arrow schema deeper than limits.max_depth, %u, or of more fields than "
                   "limits.max_columns, %u",
                   TACO__U(in->limits.max_depth), TACO__U(in->limits.max_columns));
        return false;
    }
    k->nested = depth > 1;
    f->name = taco__arena_text(&in->arena, taco__bytes_text(s->name ? s->name : ""), &in->err);
    if (!f->name || !taco__import_schema_type(in, k, s)) { return false; }
    if (!taco__import_schema_check_children(k, s)) {
        return taco__import_schema_fail(in, s, ", which has other children than it must");
    }
    if (!taco__import_schema_children(in, k, s, depth)) { return false; }
    if (f->type == TACO_MAP) { /* neither pairs nor keys are ever null */
        k->children[0].field->nullable = k->children[0].children[0].field->nullable = false;
    }
    return true;
}
