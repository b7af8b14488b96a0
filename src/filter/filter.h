/* filter.h - conditions on rows: values, expressions, predicates, and scans that test them */
#ifndef TACO__FILTER_H
#define TACO__FILTER_H

/* Evaluates SQL conditions on single rows, and reads the rows of a table for which one is TRUE. The
   files, in reading order:

   value.h      int256.c              integers of 256 bits
                scalar.c              one typed value: comparing two, and their order as a key
                scalar_parse.c        a value from text, as CAST makes it
   filter.h     lexer.c               tokens of SQL text
                like.c                LIKE patterns
                sql_expr.c            nodes of expressions as written
                parser.c              expressions from text, for `where` and for SELECT
                expr.c                nodes of predicates
                predicate_parse.c     the text of a `where`
                predicate_from_sql.c  predicates made from expressions
                predicate_bind.c      resolves columns, gives literals their types
   predicate.h  predicate_test.c      comparisons with constants in the column's own storage
                predicate_eval.c      a predicate on the rows of a batch
                predicate_compare.c   comparisons of two columns
                predicate_kernels.c   the loops over values
                predicate_prune.c     a predicate on statistics
   scan.h       scan_matches.c        numbers of the matching rows
                scan_plan.c           which row groups and rows to look at
                scan_prune.c          which of them cannot match
                scan_fetch.c          which bytes to fetch for the rest
                scan_filter.c         evaluates the predicate
                scan_parallel.c       the same in tasks
                scan.c                a scan, batch by batch
                int96_units.c         units of INT96 in Arrow
                reader.c              taco_pq_read and taco_pq_column_open

   The way from a condition to rows, for other folders: taco__pred_parse, taco__pred_bind to the
   columns of a table, taco__scan_open with it, taco__scan_next (scan.h). taco__pred_eval and
   taco__pred_prune are for values and statistics from elsewhere.

   Ownership: trees, tests and lists live in the caller's arena and borrow its text and columns;
   none of their parts is freed separately. A tree is bound once, in place, and read-only from then
   on, so that tasks can share it. A scan owns its readers and buffers; what it returns is valid
   until the next call.

   Errors: false, NULL or 0, with err set; err may be NULL except where a reader keeps its own.
   Errors in a condition name the column of the text (SYNTAX) or the columns of the table
   (NOT_FOUND, TYPE). Impossible statistics and indexes are ignored, without an error. The semantics
   of comparisons and types are DuckDB's. */

#include "value.h"

typedef enum taco__token {
    TACO__TOK_END = 0,
    TACO__TOK_NAME,   /* unquoted: a keyword or a column */
    TACO__TOK_QUOTED, /* "name": raw characters between the quotes, "" not yet resolved */
    TACO__TOK_NUMBER,
    TACO__TOK_STRING, /* 'text': raw, '' not yet resolved */
    TACO__TOK_BLOB,   /* X'hex' */
    TACO__TOK_SIGN    /* punctuation, one to three characters */
} taco__token;

typedef struct taco__lexer {
    taco_bytes text;
    size_t pos;       /* after the current token */
    taco__token kind; /* the current token */
    size_t at, end;   /* offsets of the token, including quotes */
    taco_bytes raw;   /* its characters, without quotes */
    bool integral;    /* NUMBER: no point and no exponent */
    bool doubled;     /* STRING, QUOTED: contains a doubled quote */
    /* unquoted names may contain colons, as in stac:crs; conditions have no other use for them */
    bool colons;
    taco_error *err;
} taco__lexer;

typedef enum taco__like_mode {
    TACO__LIKE_EQUAL = 0,
    TACO__LIKE_PREFIX,
    TACO__LIKE_SUFFIX,
    TACO__LIKE_INFIX,
    TACO__LIKE_FULL
} taco__like_mode;

typedef struct taco__like_pattern {
    taco_bytes pattern; /* as written; lower case of ILIKE */
    /* the text next to the one or two %; for FULL, the text before the first wildcard; escapes are
       resolved */
    taco_bytes fixed;
    taco__like_mode mode;
    bool icase, has_escape;
    uint8_t escape;
} taco__like_pattern;

/* the lower case of characters first, first + step, ... last is at + delta */
typedef struct taco__like_case_range {
    uint32_t first, last;
    uint8_t step;
    int32_t delta;
} taco__like_case_range;

/* ---- expressions as they are written ---- */

/* A type of SQL. LIST and MAP have one child, STRUCT has its fields. DECIMAL of precision 39 is
   HUGEINT, BINARY with `geo` set is GEOMETRY. */
typedef struct taco__sql_type {
    taco__scalar_type t;
    bool geo;
    uint32_t count;
    const struct taco__sql_type *kids;
    const char *const *names; /* STRUCT */
    bool null_keys;           /* MAP: keys may be null, which Arrow does not allow */
} taco__sql_type;

/* most items in any list of a query */
#define TACO__SQL_MAX_ITEMS 4096 /* in any list */

typedef enum taco__sql_expr_kind {
    TACO__SQL_EXPR_CONST = 0,
    TACO__SQL_EXPR_COLUMN, /* table (may be empty), name */
    TACO__SQL_EXPR_STAR,   /* table (may be empty); kids: the COLUMNs of EXCLUDE */
    TACO__SQL_EXPR_CALL,   /* name(kids...), also operators; filter if it is an aggregate */
    TACO__SQL_EXPR_CASE,   /* when, then, ..., else */
    TACO__SQL_EXPR_CAST,   /* one kid, to */
    TACO__SQL_EXPR_AND,
    TACO__SQL_EXPR_OR,
    TACO__SQL_EXPR_NOT,
    TACO__SQL_EXPR_CMP, /* op; nullsafe */
    TACO__SQL_EXPR_BETWEEN,
    TACO__SQL_EXPR_IN,
    TACO__SQL_EXPR_ISNULL,
    TACO__SQL_EXPR_ISBOOL, /* only in a `where`; op: taco__is_op */
    TACO__SQL_EXPR_INDEX,  /* value, index */
    TACO__SQL_EXPR_SLICE,  /* value, from, to (a NULL constant if left out) */
    TACO__SQL_EXPR_FIELD,  /* value, name */
    TACO__SQL_EXPR_REF,    /* bound: column `index` of the batch */
    TACO__SQL_EXPR_QUERY,  /* op: taco__sql_nested; plan: where its text is; IN has a value */
    TACO__SQL_EXPR_VALUE,  /* bound: plan is a vector of one value */
    TACO__SQL_EXPR_MEMBER  /* bound: value; plan is the set to search; neg */
} taco__sql_expr_kind;

typedef struct taco__sql_expr {
    taco__sql_expr_kind kind;
    uint8_t op;      /* CMP: taco__compare_op; ISBOOL: taco__is_op */
    uint8_t literal; /* 1 integer, 2 text: takes the type of the other operand */
    bool neg, nullsafe, tries, distinct, infix;
    bool chained; /* a CMP without parentheses: it must not be compared again */
    size_t at;    /* column in the text */
    uint32_t depth, n, cap;
    /* CALL of an aggregate: the last `sorts` kids are those of its ORDER BY; directions are flags:
       1 descending, 2 nulls first, 4 nulls last, 8 explicit ASC */
    uint32_t sorts;
    uint8_t *sort_flags;
    uint32_t func; /* bound CALL: what to run */
    size_t index;  /* QUERY and MEMBER: the taco__compare_op to compare values with */
    taco_bytes table, name, alias;
    struct taco__sql_expr **kid;
    struct taco__sql_expr *filter;
    taco__sql_type to;   /* CAST */
    taco__sql_type type; /* bound */
    taco__scalar value;
    const void *plan; /* bound: what the function prepared */
} taco__sql_expr;

struct taco__parser;

/* Precedence of operators, weakest first: the grammar of PostgreSQL, which DuckDB shares. From
   VALUE on they yield values: || and others, + -, * / // %. */
enum {
    TACO__BINDS_OR = 1,
    TACO__BINDS_AND,
    TACO__BINDS_NOT,
    TACO__BINDS_IS,
    TACO__BINDS_COMPARE,
    TACO__BINDS_IN, /* and BETWEEN, LIKE */
    TACO__BINDS_VALUE,
    TACO__BINDS_ADD,
    TACO__BINDS_MULTIPLY,
    TACO__BINDS_POWER
};

/* Where the two dialects with expressions, `where` and SELECT, differ. */
typedef struct taco__dialect {
    bool is_where;
    uint32_t levels;      /* calls of taco__parse_expr that count as one level of max_depth */
    const char *too_deep; /* message; its %u is limits.max_depth */
    /* expected tokens, for messages: FROM of IS DISTINCT, ( and ) of IN, AND of BETWEEN */
    const char *from, *in_open, *in_close, *between_and;
    /* A value with everything that binds more tightly than the operators. */
    taco__sql_expr *(*operand)(struct taco__parser *p);
    /* The precedence of the operator at the token, and its name; 0 if it is none, or with an error
       if the token is not allowed there. */
    int (*find_operator)(struct taco__parser *p, const char **name);
    /* IN with a query, after its parenthesis: NULL without an error if a list follows. The member
       is NULL if there are only lists. */
    taco__sql_expr *(*member)(struct taco__parser *p, taco__sql_expr *left, bool neg);
    /* Tests that a `where` does not have: called at the word after [NOT], or after IN if no
       parenthesis follows. */
    taco__sql_expr *(*test)(struct taco__parser *p, taco__sql_expr *left, bool neg, size_t at);
} taco__dialect;

typedef struct taco__parser {
    taco__lexer lex;
    const taco__dialect *dialect;
    taco__arena *arena;
    taco_error *err; /* keeps the first error */
    uint32_t depth, max_depth;
    const void *scope; /* SELECT: the visible tables of WITH, a taco__sql_with */
    uint32_t queries;  /* SELECTs so far */
} taco__parser;

/* ---- predicates ---- */

/* Text is parsed into a tree as written, from which the predicate is made (taco__pred_parse) that
   is evaluated and used for pruning (after taco__pred_bind). Binding turns every comparison of a
   column with constants into a TEST: a set of key ranges, byte ranges, texts or a pattern in the
   column's own storage, so that no value is converted row by row. Comparisons between columns
   remain a CMP over values. */

typedef enum taco__pred_kind {
    TACO__PRED_CONST = 0,
    TACO__PRED_COLUMN,
    TACO__PRED_AND, /* children: two or more */
    TACO__PRED_OR,
    TACO__PRED_NOT,
    TACO__PRED_CMP,     /* two children and op; nullsafe: IS [NOT] DISTINCT FROM */
    TACO__PRED_BETWEEN, /* value, low, high; neg. Gone after binding, as IN and RANGE are */
    TACO__PRED_IN,      /* value, items...; neg */
    TACO__PRED_LIKE,    /* value, pattern[, escape]; neg, icase */
    TACO__PRED_IS,      /* value; is, neg */
    TACO__PRED_RANGE,   /* column between bounds in its own unit */
    TACO__PRED_TEST,    /* column against constants; neg */
    TACO__PRED_CUSTOM   /* column against the caller's function */
} taco__pred_kind;

typedef enum taco__compare_op {
    TACO__OP_EQ = 0,
    TACO__OP_NE,
    TACO__OP_LT,
    TACO__OP_LE,
    TACO__OP_GT,
    TACO__OP_GE
} taco__compare_op;

typedef enum taco__is_op { TACO__IS_NULL = 0, TACO__IS_TRUE, TACO__IS_FALSE } taco__is_op;

/* Which results the rows of a row group or page may have: a set of flags. */
typedef enum taco__outcomes {
    TACO__MAY_TRUE = 1,
    TACO__MAY_FALSE = 2,
    TACO__MAY_NULL = 4,
    TACO__MAY_ANY = 7
} taco__outcomes;

/* What is known about one column in a row group or page. */
typedef struct taco__column_stats {
    /* Bounds of the values that are neither NULL nor NaN. They need not occur: a file may truncate
       texts, the lower bound down and the upper bound up. */
    bool has_min, has_max;
    taco__scalar min, max;
    int64_t null_count; /* -1: unknown */
    int64_t row_count;  /* -1: unknown */
    int32_t physical;   /* physical type of the column, for the PLAIN bytes passed to `holds` */
    const struct taco__pq_geo_bounds *geo; /* bounds of its geometries; NULL: unknown */
    /* A bloom filter: false if no row has the value with these PLAIN bytes. NULL: there is none. */
    bool (*holds)(void *ctx, taco_bytes plain);
    void *holds_ctx;
    const taco_array *entries; /* a dictionary that contains every value; NULL: unknown */
    taco__mem *mem;            /* charged for evaluating the dictionary */
} taco__column_stats;

/* A predicate of the caller's on one column. eval finds true_bits zeroed and valid_bits a copy of
   the array's validity; both have `rows` bits, least significant first, in a multiple of 8 bytes.
   It sets the bits of rows that match and may clear valid bits of rows whose result is NULL. prune
   may be NULL; it returns a set of taco__outcomes. Both may be called from any thread, with ctx
   unchanged. */
typedef struct taco__custom_predicate {
    void *ctx;
    bool (*eval)(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                 uint8_t *valid_bits, taco_error *err);
    unsigned (*prune)(void *ctx, const taco__column_stats *range);
    /* A predicate on two columns: where eval_with is set, it and prune_with, which may be NULL, are
       called in place of eval and prune, and get column `with` too. Either array may have a
       dictionary. mem is what it allocates from. */
    bool (*eval_with)(void *ctx, const taco_array *a, const taco_array *with, size_t rows,
                      taco__mem *mem, uint8_t *true_bits, uint8_t *valid_bits, taco_error *err);
    unsigned (*prune_with)(void *ctx, const taco__column_stats *range,
                           const taco__column_stats *with);
    size_t with;
} taco__custom_predicate;

typedef enum taco__test_mode {
    TACO__TEST_KEYS = 0, /* the key is in one of n ranges lo[i]..hi[i] */
    TACO__TEST_LIST,     /* the bytes are one of n */
    TACO__TEST_RANGE,    /* the bytes are between low and high */
    TACO__TEST_LIKE
} taco__test_mode;

/* A test of one column, in its own storage. */
typedef struct taco__test {
    taco__test_mode mode;
    bool null_rest;  /* the list contains NULL: rows outside it are NULL */
    bool null_false; /* IS NOT DISTINCT FROM: NULL rows are outside */
    size_t n;        /* ranges or items of the list */
    /* KEYS: closed ranges, ascending, not touching. i64 has the same for columns with 64-bit keys;
       those of UINT64 have the top bit flipped, so that they compare as signed integers */
    taco__i256 *lo, *hi;
    int64_t *lo64, *hi64;
    taco_bytes *list;     /* LIST: ascending, without repeats */
    taco_bytes low, high; /* RANGE */
    bool has_low, has_high, open_low, open_high;
    taco__like_pattern like;
} taco__test;

/* Casts an array to the field `to`, into the arena. */
typedef bool (*taco__pred_cast)(taco__arena *arena, const taco_field *to, const taco_array *in,
                                taco_array *out, taco_error *err);

typedef struct taco__expr {
    taco__pred_kind kind;
    taco__compare_op op;
    taco__is_op is;
    bool neg, nullsafe, icase;
    bool text; /* a literal in quotes, which takes the type of the other operand */
    bool bound;
    uint32_t depth;
    size_t at;                              /* offset in the text, for messages */
    taco__scalar_type type;                 /* known after binding; conditions are BOOL */
    taco__compare_domain domain;            /* CMP */
    struct taco__expr *first, *last, *next; /* children; sibling */
    taco_bytes name;                        /* COLUMN; NULL: `column` is already known */
    taco_bytes source;                      /* COLUMN: the beginning of the text, for messages */
    size_t column;                          /* COLUMN, RANGE, TEST, CUSTOM */
    /* what the column is tested as; with `cast`, which makes it that, not as it is stored */
    const taco_field *field;
    taco__pred_cast cast;
    taco__scalar value;  /* CONST */
    bool has_lo, has_hi; /* RANGE */
    int64_t lo, hi;      /* RANGE: lo <= x < hi */
    taco__test *test;
    taco__custom_predicate custom;
} taco__expr;

/* The context for making a predicate; see predicate_from_sql.c. */
typedef struct taco__pred_maker {
    taco__arena *arena;
    taco_error *err;
    /* The name of an expression's column in the table that will be read; NULL: unchanged. */
    const char *(*column)(void *ctx, const taco__sql_expr *e);
    void *ctx;
    taco_bytes source; /* of the expression, see taco__expr */
} taco__pred_maker;

/* ---- scalar_parse.c ---- */

TACO__FN bool taco__scalar_parse_exact(taco_bytes b, int32_t scale, taco__i256 *out);
TACO__FN bool taco__scalar_parse_blob(taco__arena *arena, taco_bytes b, bool hex, taco_bytes *out,
                                      taco_error *err);
TACO__FN bool taco__scalar_parse(taco__arena *arena, taco_bytes text, const taco__scalar_type *t,
                                 taco__scalar *out, taco_error *err);

/* ---- lexer.c ---- */

TACO__FN bool taco__lex_next(taco__lexer *l);
TACO__FN bool taco__lex_init(taco__lexer *l, const char *text, size_t len, taco_error *err);
TACO__FN bool taco__lex_init_condition(taco__lexer *l, const char *text, size_t len,
                                       taco_error *err);
TACO__FN bool taco__lex_is_word(const taco__lexer *l, const char *lower);
TACO__FN bool taco__lex_unquote(const taco__lexer *l, taco__arena *arena, taco_bytes *out);
TACO__FN bool taco__lex_append_quoted(taco__buf *out, taco_bytes text, char quote, taco_error *err);
TACO__FN TACO__COLD void taco__lex_fail_expected(taco__lexer *l, const char *what);

/* ---- like.c ---- */

TACO__FN uint32_t taco__like_lower(uint32_t c);
TACO__FN uint32_t taco__like_char_at(taco_bytes b, size_t i, size_t n);
TACO__FN bool taco__like_contains(taco_bytes s, taco_bytes what);
TACO__FN bool taco__like_match(const taco__like_pattern *k, taco_bytes s);
TACO__FN void taco__like_set_escape(taco__like_pattern *k, const taco_bytes *given);
TACO__FN bool taco__like_check(const taco__like_pattern *k, taco_error *err);
TACO__FN bool taco__like_compile(taco__like_pattern *k, taco__arena *arena, taco_bytes pattern,
                                 taco_error *err);

/* ---- sql_expr.c ---- */

TACO__FN taco__sql_expr *taco__sql_expr_new(taco__parser *p, taco__sql_expr_kind kind, size_t at);
TACO__FN taco__sql_expr *taco__sql_expr_add_child(taco__parser *p, taco__sql_expr *e,
                                                  taco__sql_expr *kid);
TACO__FN taco__sql_expr *taco__sql_expr_new_call(taco__parser *p, const char *name, size_t at,
                                                 taco__sql_expr *a, taco__sql_expr *b);
TACO__FN taco__sql_expr *taco__sql_expr_new_const(taco__parser *p, size_t at, taco__scalar v);
TACO__FN taco__sql_expr *taco__sql_expr_copy(taco__arena *arena, const taco__sql_expr *e,
                                             taco_error *err);

/* ---- parser.c ---- */

TACO__FN bool taco__parse_next(taco__parser *p);
TACO__FN bool taco__parse_accept(taco__parser *p, const char *sign);
TACO__FN TACO__NOINLINE bool taco__parse_accept_word(taco__parser *p, const char *word);
TACO__FN bool taco__parse_is_ok(const taco__parser *p);
TACO__FN bool taco__parse_expect(taco__parser *p, const char *sign);
TACO__FN TACO__COLD taco__sql_expr *taco__parse_fail(taco__parser *p, size_t at, const char *what);
TACO__FN TACO__COLD taco__sql_expr *taco__parse_fail_expected(taco__parser *p, const char *what);
TACO__FN TACO__COLD taco__sql_expr *taco__parse_fail_depth(taco__parser *p);
TACO__FN int taco__parse_find_operator(const taco__parser *p, const char **name);
TACO__FN taco__sql_expr *taco__parse_expr(taco__parser *p, int least);

/* ---- expr.c ---- */

TACO__FN taco__expr *taco__expr_make(taco__arena *arena, taco__pred_kind kind, size_t at,
                                     taco_error *err);
TACO__FN void taco__expr_append_child(taco__expr *e, taco__expr *child);
TACO__FN taco__expr *taco__expr_copy(taco__arena *arena, const taco__expr *e, taco_error *err);
TACO__FN void taco__expr_replace(taco__expr *e, const taco__expr *src);
TACO__FN void taco__expr_replace_const(taco__expr *e, taco__scalar v);
TACO__FN taco__scalar taco__expr_bool_value(int b);
TACO__FN taco__expr *taco__expr_column(taco__arena *arena, size_t column, taco_error *err);
TACO__FN taco__expr *taco__expr_named(taco__arena *arena, taco_bytes name, size_t at,
                                      taco_error *err);
TACO__FN taco__expr *taco__expr_const(taco__arena *arena, taco__scalar v, taco_error *err);
TACO__FN taco__expr *taco__expr_and(taco__arena *arena, taco__expr *a, taco__expr *b,
                                    taco_error *err);
TACO__FN taco__expr *taco__expr_compare(taco__arena *arena, taco__compare_op op, taco__expr *a,
                                        taco__expr *b, taco_error *err);
TACO__FN taco__expr *taco__expr_equals(taco__arena *arena, size_t column, taco_bytes text,
                                       taco_error *err);
TACO__FN taco__expr *taco__expr_range_i64(taco__arena *arena, size_t column, int64_t lo,
                                          bool has_lo, int64_t hi, bool has_hi, taco_error *err);
TACO__FN taco__expr *taco__expr_custom(taco__arena *arena, size_t column,
                                       const taco__custom_predicate *custom, taco_error *err);
TACO__FN void taco__expr_mark_columns(const taco__expr *e, uint8_t *bitmap);

/* ---- predicate_parse.c ---- */

TACO__FN taco__scalar taco__pred_parse_number(taco_bytes raw, bool integral, bool neg);
TACO__FN bool taco__pred_parse_type_name(taco_bytes name, taco__scalar_type *out);
TACO__FN taco__expr *taco__pred_parse(taco__arena *arena, const char *text, size_t len,
                                      const taco_limits *limits, taco_error *err);

/* ---- predicate_from_sql.c ---- */

TACO__FN taco__expr *taco__pred_from_sql(const taco__pred_maker *m, const taco__sql_expr *e);

/* ---- predicate_bind.c ---- */

/* Binds a predicate to the columns of a table; done once, before evaluation. */
TACO__FN bool taco__pred_bind(taco__expr *e, const taco_field *columns, size_t n,
                              taco__arena *arena, taco_error *err);
TACO__FN bool taco__pred_bind_cast(taco__expr *e, const taco_field *columns, size_t n,
                                   const taco_field *const *as, taco__pred_cast cast,
                                   taco__arena *arena, taco_error *err);

/* ---- predicate_eval.c ---- */

/* Evaluates a bound predicate on the rows of a batch: which are TRUE. */
TACO__FN bool taco__pred_eval(const taco__expr *e, const taco_array **columns, size_t rows,
                              uint8_t *true_bits, taco__mem *mem, taco_error *err);

/* ---- predicate_prune.c ---- */

/* Evaluates it on statistics: which results rows may have, a set of taco__outcomes. */
TACO__FN unsigned taco__pred_prune(const taco__expr *e, const taco__column_stats *ranges);
TACO__FN bool taco__pred_prune_needs_more(const taco__expr *e, size_t column, bool points);

/* Bytes above ASCII count as letters, as in DuckDB: a column may be called größe without quotes. */
TACO__INLINE bool taco__lex_is_letter(uint8_t c)
{
    return (uint8_t)((c | 0x20) - 'a') < 26 || c == '_' || c >= 0x80;
}

TACO__INLINE bool taco__lex_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* True if the current token is that punctuation. */
TACO__INLINE bool taco__lex_is_sign(const taco__lexer *l, const char *sign)
{
    size_t n = strlen(sign);
    return l->kind == TACO__TOK_SIGN && l->raw.len == n && memcmp(l->raw.data, sign, n) == 0;
}

/* Simple lower case of Unicode 14 (UnicodeData.txt, field 13) above ASCII; ascending. */
static const taco__like_case_range taco__like_case_ranges[] = {
    {0xC0, 0xD6, 1, 32},         {0xD8, 0xDE, 1, 32},         {0x100, 0x12E, 2, 1},
    {0x130, 0x130, 1, -199},     {0x132, 0x136, 2, 1},        {0x139, 0x147, 2, 1},
    {0x14A, 0x176, 2, 1},        {0x178, 0x178, 1, -121},     {0x179, 0x17D, 2, 1},
    {0x181, 0x181, 1, 210},      {0x182, 0x184, 2, 1},        {0x186, 0x186, 1, 206},
    {0x187, 0x187, 1, 1},        {0x189, 0x18A, 1, 205},      {0x18B, 0x18B, 1, 1},
    {0x18E, 0x18E, 1, 79},       {0x18F, 0x18F, 1, 202},      {0x190, 0x190, 1, 203},
    {0x191, 0x191, 1, 1},        {0x193, 0x193, 1, 205},      {0x194, 0x194, 1, 207},
    {0x196, 0x196, 1, 211},      {0x197, 0x197, 1, 209},      {0x198, 0x198, 1, 1},
    {0x19C, 0x19C, 1, 211},      {0x19D, 0x19D, 1, 213},      {0x19F, 0x19F, 1, 214},
    {0x1A0, 0x1A4, 2, 1},        {0x1A6, 0x1A6, 1, 218},      {0x1A7, 0x1A7, 1, 1},
    {0x1A9, 0x1A9, 1, 218},      {0x1AC, 0x1AC, 1, 1},        {0x1AE, 0x1AE, 1, 218},
    {0x1AF, 0x1AF, 1, 1},        {0x1B1, 0x1B2, 1, 217},      {0x1B3, 0x1B5, 2, 1},
    {0x1B7, 0x1B7, 1, 219},      {0x1B8, 0x1B8, 1, 1},        {0x1BC, 0x1BC, 1, 1},
    {0x1C4, 0x1C4, 1, 2},        {0x1C5, 0x1C5, 1, 1},        {0x1C7, 0x1C7, 1, 2},
    {0x1C8, 0x1C8, 1, 1},        {0x1CA, 0x1CA, 1, 2},        {0x1CB, 0x1DB, 2, 1},
    {0x1DE, 0x1EE, 2, 1},        {0x1F1, 0x1F1, 1, 2},        {0x1F2, 0x1F4, 2, 1},
    {0x1F6, 0x1F6, 1, -97},      {0x1F7, 0x1F7, 1, -56},      {0x1F8, 0x21E, 2, 1},
    {0x220, 0x220, 1, -130},     {0x222, 0x232, 2, 1},        {0x23A, 0x23A, 1, 10795},
    {0x23B, 0x23B, 1, 1},        {0x23D, 0x23D, 1, -163},     {0x23E, 0x23E, 1, 10792},
    {0x241, 0x241, 1, 1},        {0x243, 0x243, 1, -195},     {0x244, 0x244, 1, 69},
    {0x245, 0x245, 1, 71},       {0x246, 0x24E, 2, 1},        {0x370, 0x372, 2, 1},
    {0x376, 0x376, 1, 1},        {0x37F, 0x37F, 1, 116},      {0x386, 0x386, 1, 38},
    {0x388, 0x38A, 1, 37},       {0x38C, 0x38C, 1, 64},       {0x38E, 0x38F, 1, 63},
    {0x391, 0x3A1, 1, 32},       {0x3A3, 0x3AB, 1, 32},       {0x3CF, 0x3CF, 1, 8},
    {0x3D8, 0x3EE, 2, 1},        {0x3F4, 0x3F4, 1, -60},      {0x3F7, 0x3F7, 1, 1},
    {0x3F9, 0x3F9, 1, -7},       {0x3FA, 0x3FA, 1, 1},        {0x3FD, 0x3FF, 1, -130},
    {0x400, 0x40F, 1, 80},       {0x410, 0x42F, 1, 32},       {0x460, 0x480, 2, 1},
    {0x48A, 0x4BE, 2, 1},        {0x4C0, 0x4C0, 1, 15},       {0x4C1, 0x4CD, 2, 1},
    {0x4D0, 0x52E, 2, 1},        {0x531, 0x556, 1, 48},       {0x10A0, 0x10C5, 1, 7264},
    {0x10C7, 0x10C7, 1, 7264},   {0x10CD, 0x10CD, 1, 7264},   {0x13A0, 0x13EF, 1, 38864},
    {0x13F0, 0x13F5, 1, 8},      {0x1C90, 0x1CBA, 1, -3008},  {0x1CBD, 0x1CBF, 1, -3008},
    {0x1E00, 0x1E94, 2, 1},      {0x1E9E, 0x1E9E, 1, -7615},  {0x1EA0, 0x1EFE, 2, 1},
    {0x1F08, 0x1F0F, 1, -8},     {0x1F18, 0x1F1D, 1, -8},     {0x1F28, 0x1F2F, 1, -8},
    {0x1F38, 0x1F3F, 1, -8},     {0x1F48, 0x1F4D, 1, -8},     {0x1F59, 0x1F5F, 2, -8},
    {0x1F68, 0x1F6F, 1, -8},     {0x1F88, 0x1F8F, 1, -8},     {0x1F98, 0x1F9F, 1, -8},
    {0x1FA8, 0x1FAF, 1, -8},     {0x1FB8, 0x1FB9, 1, -8},     {0x1FBA, 0x1FBB, 1, -74},
    {0x1FBC, 0x1FBC, 1, -9},     {0x1FC8, 0x1FCB, 1, -86},    {0x1FCC, 0x1FCC, 1, -9},
    {0x1FD8, 0x1FD9, 1, -8},     {0x1FDA, 0x1FDB, 1, -100},   {0x1FE8, 0x1FE9, 1, -8},
    {0x1FEA, 0x1FEB, 1, -112},   {0x1FEC, 0x1FEC, 1, -7},     {0x1FF8, 0x1FF9, 1, -128},
    {0x1FFA, 0x1FFB, 1, -126},   {0x1FFC, 0x1FFC, 1, -9},     {0x2126, 0x2126, 1, -7517},
    {0x212A, 0x212A, 1, -8383},  {0x212B, 0x212B, 1, -8262},  {0x2132, 0x2132, 1, 28},
    {0x2160, 0x216F, 1, 16},     {0x2183, 0x2183, 1, 1},      {0x24B6, 0x24CF, 1, 26},
    {0x2C00, 0x2C2F, 1, 48},     {0x2C60, 0x2C60, 1, 1},      {0x2C62, 0x2C62, 1, -10743},
    {0x2C63, 0x2C63, 1, -3814},  {0x2C64, 0x2C64, 1, -10727}, {0x2C67, 0x2C6B, 2, 1},
    {0x2C6D, 0x2C6D, 1, -10780}, {0x2C6E, 0x2C6E, 1, -10749}, {0x2C6F, 0x2C6F, 1, -10783},
    {0x2C70, 0x2C70, 1, -10782}, {0x2C72, 0x2C72, 1, 1},      {0x2C75, 0x2C75, 1, 1},
    {0x2C7E, 0x2C7F, 1, -10815}, {0x2C80, 0x2CE2, 2, 1},      {0x2CEB, 0x2CED, 2, 1},
    {0x2CF2, 0x2CF2, 1, 1},      {0xA640, 0xA66C, 2, 1},      {0xA680, 0xA69A, 2, 1},
    {0xA722, 0xA72E, 2, 1},      {0xA732, 0xA76E, 2, 1},      {0xA779, 0xA77B, 2, 1},
    {0xA77D, 0xA77D, 1, -35332}, {0xA77E, 0xA786, 2, 1},      {0xA78B, 0xA78B, 1, 1},
    {0xA78D, 0xA78D, 1, -42280}, {0xA790, 0xA792, 2, 1},      {0xA796, 0xA7A8, 2, 1},
    {0xA7AA, 0xA7AA, 1, -42308}, {0xA7AB, 0xA7AB, 1, -42319}, {0xA7AC, 0xA7AC, 1, -42315},
    {0xA7AD, 0xA7AD, 1, -42305}, {0xA7AE, 0xA7AE, 1, -42308}, {0xA7B0, 0xA7B0, 1, -42258},
    {0xA7B1, 0xA7B1, 1, -42282}, {0xA7B2, 0xA7B2, 1, -42261}, {0xA7B3, 0xA7B3, 1, 928},
    {0xA7B4, 0xA7C2, 2, 1},      {0xA7C4, 0xA7C4, 1, -48},    {0xA7C5, 0xA7C5, 1, -42307},
    {0xA7C6, 0xA7C6, 1, -35384}, {0xA7C7, 0xA7C9, 2, 1},      {0xA7D0, 0xA7D0, 1, 1},
    {0xA7D6, 0xA7D8, 2, 1},      {0xA7F5, 0xA7F5, 1, 1},      {0xFF21, 0xFF3A, 1, 32},
    {0x10400, 0x10427, 1, 40},   {0x104B0, 0x104D3, 1, 40},   {0x10570, 0x1057A, 1, 39},
    {0x1057C, 0x1058A, 1, 39},   {0x1058C, 0x10592, 1, 39},   {0x10594, 0x10595, 1, 39},
    {0x10C80, 0x10CB2, 1, 64},   {0x118A0, 0x118BF, 1, 32},   {0x16E40, 0x16E5F, 1, 32},
    {0x1E900, 0x1E921, 1, 34}};

/* Bytes of the character at b[i], at least 1; missing continuation bytes are not counted. */
TACO__INLINE size_t taco__like_char_width(taco_bytes b, size_t i)
{
    size_t n = 1, want = b.data[i] < 0xC0 ? 1U : b.data[i] < 0xE0 ? 2U : b.data[i] < 0xF0 ? 3U : 4U;
    while (n < want && i + n < b.len && (b.data[i + n] & 0xC0) == 0x80) {
        n++;
    }
    return n;
}

#endif /* TACO__FILTER_H */
