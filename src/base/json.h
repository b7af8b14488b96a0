/* json.h - parsed JSON values, and arithmetic without libm

   What taco.h needs beyond base.h. taco__json_parse turns a text into an array of nodes in an
   arena; the functions below it walk these. Values are accessed by type: a value of another type,
   or NULL for a missing one, yields NULL, 0 or false, so that a path of keys is looked up without a
   check at each step:
       taco__json_text(taco__json_get(taco__json_get(root, "extent"), "crs"))
   json_write.c, declared in base.h, writes new JSON; this header has the functions that print
   parsed values again. */
#ifndef TACO__BASE_JSON_H
#define TACO__BASE_JSON_H

#include "base.h"

/* ---- values ---- */

/* Defaults of limits. */
#define TACO__JSON_MAX_DEPTH TACO__DEFAULT_MAX_DEPTH
#define TACO__JSON_MAX_BYTES TACO__DEFAULT_MAX_BYTES

typedef enum taco__json_type {
    TACO__JSON_NULL = 0,
    TACO__JSON_FALSE,
    TACO__JSON_TRUE,
    TACO__JSON_NUMBER,
    TACO__JSON_STRING,
    TACO__JSON_ARRAY,
    TACO__JSON_OBJECT
} taco__json_type;

/* One value, or one key of an object. The nodes of a document lie in one array in the order of the
   text: the first child of a container is the node after it, the next sibling is span nodes on, and
   a member's value follows its key. {"a":[1,2],"b":3} is
       object, count 2, span 7 | "a" | array, count 2, span 3 | 1 | 2 | "b" | 3
   Neither walking nor printing needs pointers or a stack. */
typedef struct taco__json {
    /* STRING: unescaped, NUL-terminated, in the arena; else where the value starts in the text */
    const char *text;
    uint32_t count; /* elements, members; bytes of a STRING or NUMBER */
    /* nodes of this value and everything below it; while a container is open, the enclosing one */
    uint32_t span;
    uint32_t begin; /* [begin, end) of the text, quotes and brackets included */
    uint32_t end;
    uint8_t type; /* taco__json_type */
} taco__json;

/* A parsed text. There is nothing to free: nodes and strings are in the arena. */
typedef struct taco__json_doc {
    taco_bytes text;        /* borrowed; must live as long as the nodes */
    const taco__json *root; /* also the first of node_count nodes in a row */
    size_t node_count;
} taco__json_doc;

/* ---- json_read.c ---- */

TACO__FN taco_status taco__json_parse_at(taco__arena *arena, taco_bytes text, uint64_t base,
                                         const taco_limits *limits, taco__json_doc *out,
                                         taco_error *err);
TACO__FN taco_status taco__json_parse(taco__arena *arena, taco_bytes text,
                                      const taco_limits *limits, taco__json_doc *out,
                                      taco_error *err);
/* For any value, or NULL. */
TACO__FN bool taco__json_is(const taco__json *n, taco__json_type type);
TACO__FN const char *taco__json_type_name(const taco__json *n);
/* Walking an array, or an object key by key. */
TACO__FN const taco__json *taco__json_first(const taco__json *n);
TACO__FN const taco__json *taco__json_next(const taco__json *value);
TACO__FN size_t taco__json_length(const taco__json *n);
/* Strings. */
TACO__FN TACO__NOINLINE taco_bytes taco__json_bytes(const taco__json *n);
TACO__FN const char *taco__json_text(const taco__json *n);
TACO__FN bool taco__json_equals(const taco__json *n, const char *text);
/* The text of any value. */
TACO__FN taco_bytes taco__json_raw(const taco__json_doc *doc, const taco__json *n);
/* Members and elements. */
TACO__FN const taco__json *taco__json_get_bytes(const taco__json *object, taco_bytes name);
TACO__FN bool taco__json_index_members(const taco__json *object, taco__hash_map *m,
                                       taco_error *err);
TACO__FN bool taco__json_member_counts(const taco__hash_map *m, const taco__json *object,
                                       const taco__json *key);
TACO__FN const taco__json *taco__json_get(const taco__json *object, const char *name);
TACO__FN const taco__json *taco__json_at(const taco__json *array, size_t i);
/* Numbers; false, with *out unchanged, if the value is not one. */
TACO__FN bool taco__json_double(const taco__json *n, double *out);
TACO__FN bool taco__json_int(const taco__json *n, int64_t *out);

/* ---- json_print.c ---- */

TACO__FN bool taco__json_print(taco__buf *out, const taco__json *value, size_t indent,
                               taco_error *err);
/* A parsed value, where NULL is null, as a member or an element of a document being written. */
TACO__FN void taco__json_print_value(taco__json_writer *w, const char *key, const taco__json *n);

/* ---- math.c ---- */

TACO__FN double taco__math_round_even(double d);
TACO__FN double taco__math_round(double d);
TACO__FN double taco__math_fmod(double a, double b);
TACO__FN double taco__math_sqrt(double d);
TACO__FN double taco__math_floor(double d);

#endif /* TACO__BASE_JSON_H */
