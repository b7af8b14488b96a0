/* sql_type.c - types of SQL: from and to Arrow fields, names, physical forms

   A taco__sql_type is a taco__scalar_type with children. Several types share one physical form
   (taco__sql_type_physical), so that each operation is written for five forms and not for
   twenty-five types. HUGEINT is a DECIMAL of precision 39, and a GEOMETRY a BINARY with `geo` set:
   Arrow has neither. Names are those of DuckDB's typeof. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Bytes of a value; 0 for forms without values (nulls, structs). */
TACO__FN size_t taco__sql_type_physical_size(taco__physical_type p)
{
    static const size_t sizes[] = {0,
                                   sizeof(int64_t),
                                   sizeof(taco__i256),
                                   sizeof(double),
                                   sizeof(taco_bytes),
                                   sizeof(taco__sql_list_span),
                                   0};
    return sizes[p];
}

/* Whether two types are the same, including children and names of fields; what a file calls the
   elements of a list means nothing. Units matter only for types that have them: a DATE in a `where`
   equals one from a file. */
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b)
{
    uint32_t i;
    if (a->t.id != b->t.id || a->geo != b->geo || a->count != b->count) { return false; }
    if ((a->t.id == TACO_DECIMAL &&
         (a->t.precision != b->t.precision || a->t.scale != b->t.scale)) ||
        ((a->t.id == TACO_TIME || a->t.id == TACO_TIMESTAMP) && a->t.unit != b->t.unit) ||
        (a->t.id == TACO_TIMESTAMP && a->t.utc != b->t.utc)) {
        return false;
    }
    for (i = 0; i < a->count; i++) {
        if (!taco__sql_type_equal(&a->kids[i], &b->kids[i]) ||
            (a->t.id == TACO_STRUCT && strcmp(a->names[i], b->names[i]) != 0)) {
            return false;
        }
    }
    return true;
}

/* *out = a copy of t in the arena, with its children and their names, for another query, to which a
   GEOMETRY is the BLOB of a column in a file: functions of WKB take it, and it can be compared. */
TACO__FN bool taco__sql_type_hand_on(taco__arena *arena, const taco__sql_type *t,
                                     taco__sql_type *out, taco_error *err)
{
    taco__sql_type *kids;
    const char **names;
    uint32_t i;
    *out = *t;
    out->geo = false;
    if (!t->count) { return true; }
    kids = (taco__sql_type *)taco__arena_array(arena, t->count, sizeof *kids, err);
    names = (const char **)taco__arena_array(arena, t->count, sizeof *names, err);
    for (i = 0; kids && names && i < t->count; i++) {
        if (!taco__sql_type_hand_on(arena, &t->kids[i], &kids[i], err)) { return false; }
        if (!t->names) { continue; }
        names[i] = taco__arena_text(arena, taco__bytes_text(t->names[i]), err);
        if (!names[i]) { return false; }
    }
    out->kids = kids;
    out->names = t->names ? names : NULL;
    return kids && names;
}

/* ---- types from fields, fields from types ---- */

/* The type of a column. HALF becomes FLOAT, a column of nulls INTEGER, a TIME in milliseconds one
   in microseconds, because DuckDB has no others. Children are in the arena, names are borrowed from
   f. */
TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err)
{
    uint32_t i;
    taco__sql_type *kids;
    const char **names;
    memset(out, 0, sizeof *out);
    out->t = taco__scalar_type_of_field(f);
    out->t.id = f->type == TACO_HALF ? TACO_FLOAT : f->type == TACO_NULL ? TACO_INT32 : out->t.id;
    if (out->t.id == TACO_TIME && out->t.unit == TACO_MILLI) {
        out->t.unit = TACO_MICRO; /* DuckDB's only TIME */
    }
    if (f->type != TACO_DECIMAL) { out->t.precision = out->t.scale = 0; }
    /* a map whose keys may be null is a list of pairs to Arrow */
    out->null_keys = f->type == TACO_MAP && f->child_count && f->children[0].child_count &&
                     f->children[0].children[0].nullable;
    /* children of lists, maps (a struct of key and value) and structs */
    if (!f->child_count) { return true; }
    out->count = f->child_count;
    out->kids = kids =
        (taco__sql_type *)taco__arena_array(arena, f->child_count, sizeof *kids, err);
    names = (const char **)taco__arena_array(arena, f->child_count, sizeof *names, err);
    out->names = names;
    for (i = 0; kids && names && i < f->child_count; i++) {
        names[i] = f->children[i].name;
        if (!taco__sql_type_from_field(arena, &f->children[i], &kids[i], err)) { return false; }
    }
    return kids && names;
}

/* The role of a field in a map, as in Arrow: its pairs and their keys are never null. */
typedef enum taco__sql_type_role {
    TACO__SQL_TYPE_ANY = 0,
    TACO__SQL_TYPE_PAIRS,
    TACO__SQL_TYPE_KEY
} taco__sql_type_role;

/* taco__sql_type_to_field, also for what is within a map. */
static bool taco__sql_type_fill_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco__sql_type_role role, taco_field *out, taco_error *err)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 16, 4, 8, 8};
    taco_field *kids;
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->name = name;
    out->type = t->t.id;
    out->unit = t->t.unit;
    out->utc = t->t.utc;
    out->nullable = role == TACO__SQL_TYPE_ANY;
    out->width = (size_t)t->t.id < sizeof widths ? widths[t->t.id] : t->t.id == TACO_UUID ? 16 : 0;
    out->precision = TACO__MIN(t->t.precision, t->t.precision == 39 ? 38 : t->t.precision);
    out->scale = t->t.scale;
    if (taco__sql_type_is_hugeint(t)) { out->leaf = TACO__FIELD_INTEGER; }
    if (t->t.id == TACO_DECIMAL && t->t.precision > 39) { out->width = 32; }
    if (t->t.id == TACO_TIME && t->t.unit == TACO_MILLI) { out->width = 4; }
    /* children; the element of a list is called item, as Arrow has it */
    if (!t->count) { return true; }
    kids = (taco_field *)taco__arena_array(arena, t->count, sizeof *kids, err);
    out->children = kids;
    out->child_count = t->count;
    for (i = 0; kids && i < t->count; i++) {
        taco__sql_type_role kid = t->t.id == TACO_MAP && !t->null_keys     ? TACO__SQL_TYPE_PAIRS
                                  : role == TACO__SQL_TYPE_PAIRS && i == 0 ? TACO__SQL_TYPE_KEY
                                                                           : TACO__SQL_TYPE_ANY;
        if (!taco__sql_type_fill_field(arena, &t->kids[i], t->names ? t->names[i] : "item", kid,
                                       &kids[i], err)) {
            return false;
        }
    }
    return kids != NULL;
}

/* The Arrow field of a result with the type; HUGEINT becomes DECIMAL(38, 0). Children are in the
   arena, names are borrowed. */
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err)
{
    return taco__sql_type_fill_field(arena, t, name, TACO__SQL_TYPE_ANY, out, err);
}

/* The name of a field, in quotes where it needs them. */
static void taco__sql_type_format_name(taco__fmt *f, const char *name)
{
    const uint8_t *c = (const uint8_t *)name;
    bool plain = !taco__lex_is_digit(*c) && !taco__sql_keywords_has(taco__bytes_text(name));
    for (; plain && *c; c++) {
        plain = (taco__lex_is_letter(*c) && *c < 0x80) || taco__lex_is_digit(*c);
    }
    if (plain) {
        taco__fmt_text(f, name);
        return;
    }
    taco__fmt_char(f, '"');
    for (c = (const uint8_t *)name; *c; c++) {
        if (*c == '"') { taco__fmt_char(f, '"'); }
        taco__fmt_char(f, (char)*c);
    }
    taco__fmt_char(f, '"');
}

/* Names as in DuckDB's typeof. */
static void taco__sql_type_format(const taco__sql_type *t, taco__fmt *f)
{
    static const char *const names[] = {
        "\"NULL\"",  "BOOLEAN",  "TINYINT",   "SMALLINT",  "INTEGER",  "BIGINT",  "UTINYINT",
        "USMALLINT", "UINTEGER", "UBIGINT",   "FLOAT",     "FLOAT",    "DOUBLE",  "DECIMAL",
        "DATE",      "TIME",     "TIMESTAMP", "TIMESTAMP", "INTERVAL", "VARCHAR", "BLOB",
        "BLOB",      "UUID",     "LIST",      "MAP",       "STRUCT"};
    static const char *const stamps[] = {"TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP",
                                         "TIMESTAMP_NS"};
    uint32_t i;
    if (t->t.id == TACO_DECIMAL && t->t.precision == 39) {
        taco__fmt_text(f, "HUGEINT");
    } else if (t->t.id == TACO_DECIMAL) {
        taco__fmt_text(f, "DECIMAL(");
        taco__fmt_number(f, (uint64_t)t->t.precision, 10);
        taco__fmt_char(f, ',');
        taco__fmt_number(f, (uint64_t)t->t.scale, 10);
        taco__fmt_char(f, ')');
    } else if (t->t.id == TACO_TIMESTAMP) {
        taco__fmt_text(f, t->t.utc ? "TIMESTAMP WITH TIME ZONE" : stamps[t->t.unit]);
    } else if (t->t.id == TACO_LIST) {
        taco__sql_type_format(&t->kids[0], f);
        taco__fmt_text(f, "[]");
    } else if (t->t.id == TACO_MAP && t->kids[0].count == 2) {
        taco__fmt_text(f, "MAP(");
        taco__sql_type_format(&t->kids[0].kids[0], f);
        taco__fmt_text(f, ", ");
        taco__sql_type_format(&t->kids[0].kids[1], f);
        taco__fmt_char(f, ')');
    } else if (t->t.id == TACO_STRUCT) {
        taco__fmt_text(f, "STRUCT(");
        for (i = 0; i < t->count; i++) {
            taco__fmt_text(f, i ? ", " : "");
            if (t->names[i][0]) {
                taco__sql_type_format_name(f, t->names[i]);
                taco__fmt_char(f, ' ');
            }
            taco__sql_type_format(&t->kids[i], f);
        }
        taco__fmt_char(f, ')');
    } else {
        taco__fmt_text(f, t->geo ? "GEOMETRY" : names[t->t.id]);
    }
}

/* Writes the name of the type into text, of n bytes; truncated if necessary. */
TACO__FN void taco__sql_type_text(const taco__sql_type *t, char *text, size_t n)
{
    taco__fmt f;
    f.at = text;
    f.end = text + n;
    *text = 0;
    taco__sql_type_format(t, &f);
}

/* Whether values of the type are or contain intervals, which columns may store but which cannot be
   compared or returned. */
TACO__FN bool taco__sql_type_has_interval(const taco__sql_type *t)
{
    uint32_t i;
    for (i = 0; i < t->count; i++) {
        if (taco__sql_type_has_interval(&t->kids[i])) { return true; }
    }
    return t->t.id == TACO_INTERVAL;
}

/* Integers, DECIMAL, floating point. */
TACO__FN bool taco__sql_type_is_number(const taco__sql_type *t)
{
    return taco__scalar_is_number(t->t.id);
}

/* Whether it is the 128-bit integer, represented as a DECIMAL of precision 39. */
TACO__FN bool taco__sql_type_is_hugeint(const taco__sql_type *t)
{
    return t->t.id == TACO_DECIMAL && t->t.precision == 39;
}

/* DATE or TIMESTAMP, of any unit. */
TACO__FN bool taco__sql_type_is_datetime(const taco__sql_type *t)
{
    return t->t.id == TACO_DATE || t->t.id == TACO_TIMESTAMP;
}

/* Whether x is one of the two infinities of DuckDB's DATE and TIMESTAMP, one later than every date
   and one earlier. They are the extremes of the range, so that comparisons work unchanged;
   calendars and units must check. */
TACO__FN bool taco__sql_type_is_infinite(const taco__sql_type *t, int64_t x)
{
    int64_t end = t->t.id == TACO_DATE ? INT32_MAX : INT64_MAX;
    return taco__sql_type_is_datetime(t) && (x >= end || x <= -end);
}

/* ---- types ---- */

/* A type without children; TIMESTAMP is in microseconds. */
TACO__FN taco__sql_type taco__sql_type_simple(taco_type id)
{
    taco__sql_type t;
    memset(&t, 0, sizeof t);
    t.t = taco__scalar_simple_type(id);
    if (id == TACO_TIMESTAMP) { t.t.unit = TACO_MICRO; }
    return t;
}

/* HUGEINT. */
TACO__FN taco__sql_type taco__sql_type_hugeint(void)
{
    taco__sql_type t = taco__sql_type_simple(TACO_DECIMAL);
    t.t.precision = 39;
    return t;
}

/* ---- operators ---- */

/* The integer type of an operation, by DuckDB's costs: the wider of two with the same sign; the
   signed one if it is wider than the unsigned; else BIGINT, or HUGEINT with a UBIGINT. */
TACO__FN taco__sql_type taco__sql_type_common_int(const taco__sql_type *a, const taco__sql_type *c)
{
    bool ua = a->t.id >= TACO_UINT8, uc = c->t.id >= TACO_UINT8;
    taco_type u = ua ? a->t.id : c->t.id, s = ua ? c->t.id : a->t.id;
    if (ua == uc) { return a->t.id > c->t.id ? *a : *c; }
    if (u == TACO_UINT64) { return taco__sql_type_hugeint(); }
    return taco__sql_type_simple(s - TACO_INT8 > u - TACO_UINT8 ? s : TACO_INT64);
}
