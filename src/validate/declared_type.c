/* declared_type.c - whether a column has the type that a contract declares as text

   In: Arrow's name of a type, as pyarrow prints it ("list<int64>", "struct<a: double?, b: string>",
   "timestamp[us, UTC]"), and the field of a Parquet column; out: whether a writer that declares
   this stores that. Types that Parquet lacks are stored as others: large_string as string, date64
   as date32, durations as int64. Units and other parameters are not compared: Parquet has fewer of
   them. TACO 3 "Metadata contract". Start reading at taco__declared_type_matches. */
#include "validate.h"
#include "../arrow/arrow.h"

/* Most nested types. */
#define TACO__DECLARED_TYPE_DEPTH 30

static bool taco__declared_type_accept(const char **at, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0) { return false; }
    *at += n;
    return true;
}

/* Types without children: names that begin alike are in the order of their lengths. */
static bool taco__declared_type_plain(const char **at, const taco_field *f)
{
    static const char *const names[] = {"null",       "bool",
                                        "int8",       "int16",
                                        "int32",      "int64",
                                        "uint8",      "uint16",
                                        "uint32",     "uint64",
                                        "float16",    "halffloat",
                                        "float32",    "float64",
                                        "float",      "double",
                                        "string",     "string_view",
                                        "utf8",       "large_string",
                                        "binary",     "binary_view",
                                        "date32",     "large_binary",
                                        "date64",     "time32",
                                        "time64",     "timestamp",
                                        "duration",   "decimal32",
                                        "decimal64",  "decimal128",
                                        "decimal256", "fixed_size_binary"};
    static const uint8_t types[] = {
        TACO_NULL,    TACO_BOOL,    TACO_INT8,    TACO_INT16,     TACO_INT32, TACO_INT64,
        TACO_UINT8,   TACO_UINT16,  TACO_UINT32,  TACO_UINT64,    TACO_HALF,  TACO_HALF,
        TACO_FLOAT,   TACO_DOUBLE,  TACO_FLOAT,   TACO_DOUBLE,    TACO_TEXT,  TACO_TEXT,
        TACO_TEXT,    TACO_TEXT,    TACO_BINARY,  TACO_BINARY,    TACO_DATE,  TACO_BINARY,
        TACO_DATE,    TACO_TIME,    TACO_TIME,    TACO_TIMESTAMP, TACO_INT64, TACO_DECIMAL,
        TACO_DECIMAL, TACO_DECIMAL, TACO_DECIMAL, TACO_FIXED};
    size_t n = 0, i;
    while ((*at)[n] && !strchr("[(<>,:? ", (*at)[n])) {
        n++;
    }
    for (i = 0; i < TACO__COUNT(names) && (strlen(names[i]) != n || strncmp(*at, names[i], n) != 0);
         i++) {}
    *at += n;
    if (**at == '[' || **at == '(') { /* parameters: up to the bracket that closes them */
        const char *end = strchr(*at, **at == '[' ? ']' : ')');
        *at = end ? end + 1 : *at;
    }
    return i < TACO__COUNT(names) &&
           (f->type == types[i] || (types[i] == TACO_FIXED && f->type == TACO_UUID));
}

static bool taco__declared_type_is(const char **at, const taco_field *f, unsigned depth);

/* The children of a type, up to its '>'; those of a struct have names. '?' marks nullable ones. */
static bool taco__declared_type_children(const char **at, const taco_field *f, uint32_t count,
                                         bool named, unsigned depth)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        size_t n = named ? strlen(f->children[i].name) : 0;
        if (i && !taco__declared_type_accept(at, ", ")) { return false; }
        if (named && (strncmp(*at, f->children[i].name, n) != 0 || (*at)[n] != ':')) {
            return false;
        }
        *at += named ? n + 1 : 0;
        taco__declared_type_accept(at, " ");
        if (!taco__declared_type_is(at, &f->children[i], depth + 1)) { return false; }
        taco__declared_type_accept(at, "?");
    }
    return true;
}

/* Whether a field has the type at *at, which moves past it. */
static bool taco__declared_type_is(const char **at, const taco_field *f, unsigned depth)
{
    bool list = taco__declared_type_accept(at, "list<") ||
                taco__declared_type_accept(at, "large_list<") ||
                taco__declared_type_accept(at, "fixed_size_list<");
    bool map = !list && taco__declared_type_accept(at, "map<");
    bool group = !list && !map && taco__declared_type_accept(at, "struct<");
    if (!list && !map && !group) { return taco__declared_type_plain(at, f); }
    if (depth > TACO__DECLARED_TYPE_DEPTH || f->type != (list  ? TACO_LIST
                                                         : map ? TACO_MAP
                                                               : TACO_STRUCT)) {
        return false;
    }
    if (map && f->child_count == 1) { f = &f->children[0]; } /* its entries */
    if (!taco__declared_type_children(at, f, list ? 1 : f->child_count, group, depth)) {
        return false;
    }
    if (list && taco__declared_type_accept(at, ",")) { /* the length of fixed_size_list */
        while (**at == ' ' || taco__ascii_is_digit((uint8_t) * *at)) {
            ++*at;
        }
    }
    return taco__declared_type_accept(at, ">");
}

TACO__FN bool taco__declared_type_matches(const char *declared, const taco_field *f)
{
    return taco__declared_type_is(&declared, f, 0) && !*declared;
}
