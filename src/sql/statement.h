/* statement.h - parsed queries, and their parsers

   The result of sql_parse.c and related files: selects with their clauses as trees of
   taco__sql_expr, whose names have not been looked up. sql.h, which includes this, processes
   them. */
#ifndef TACO__STATEMENT_H
#define TACO__STATEMENT_H

#include "../base/base.h"
#include "../filter/filter.h"

/* The end of messages about unsupported syntax. */
#define TACO__SQL_USE_DUCKDB "use DuckDB with the taco extension"
#define TACO__SQL_NO_LAMBDA  "lambdas are not supported, " TACO__SQL_USE_DUCKDB

/* ==== statements: sql_parse.c ==== */

/* A key of ORDER BY. e NULL: ALL, every item. */
typedef struct taco__sql_sort_key {
    taco__sql_expr *e;
    bool desc, nulls_first;
} taco__sql_sort_key;

/* A table of FROM. The planner changes level and flat if `data` is a view. */
typedef struct taco__sql_table_ref {
    taco_bytes name, alias; /* without an alias, the name */
    size_t at;              /* column in the text */
    bool left, right;       /* LEFT JOIN, RIGHT JOIN; both for FULL */
    bool lost;              /* a later RIGHT or FULL JOIN may replace its rows by nulls */
    bool flat;              /* l0 ... l5 */
    /* rows of the tables before it that match, or do not; left is set, too */
    bool semi, anti;
    bool cross, natural; /* a comma or CROSS JOIN; NATURAL */
    bool comma;          /* a comma */
    bool keeps_names;    /* query: keeps equal names */
    /* not a level: a table of a format (taco_opener.table), which the planner looks up */
    bool named;
    uint32_t level;
    taco_dataset *ds;               /* that has its rows; set when it is bound */
    taco__sql_expr *on;             /* NULL for the first table, CROSS, USING and NATURAL */
    taco__sql_expr *merged;         /* COLUMNs of USING, or NULL */
    struct taco__sql_select *query; /* a query instead of a level, or NULL */
    taco__sql_expr *list;           /* unnest(list), in addition to query; or NULL */
    /* names for columns: from the alias, from WITH; or NULL */
    taco__sql_expr *columns, *with_columns;
} taco__sql_table_ref;

/* The kind of a query other than a single SELECT: rows of VALUES, or a combination of two
   queries. */
typedef enum taco__sql_set {
    TACO__SQL_SET_NONE = 0,
    TACO__SQL_SET_VALUES,
    TACO__SQL_SET_RANGE, /* numbers: items are first, end and step; set_all: includes the end */
    TACO__SQL_SET_UNION,
    TACO__SQL_SET_INTERSECT,
    TACO__SQL_SET_EXCEPT
} taco__sql_set;

#define TACO__SQL_MAX_QUERIES 1000 /* most SELECTs in a text, counting those of WITH for each use */

/* A table of WITH, and those visible to it. */
typedef struct taco__sql_with {
    const struct taco__sql_with *outer;
    taco_bytes name;
    taco__sql_expr *columns; /* or NULL */
    taco__lexer lex;         /* at its query */
    bool open;               /* being parsed: it may not refer to itself */
} taco__sql_with;

/* Forms of a query in an expression: taco__sql_expr.op of a QUERY. */
typedef enum taco__sql_nested {
    TACO__SQL_NESTED_SCALAR = 0,
    TACO__SQL_NESTED_EXISTS,
    TACO__SQL_NESTED_IN
} taco__sql_nested;

/* The position of its text, and the tables of WITH visible to it: taco__sql_expr.plan of a
   QUERY. */
typedef struct taco__sql_nested_query {
    taco__lexer lex;
    const taco__sql_with *scope;
} taco__sql_nested_query;

/* most tables in FROM: tables are bits of a mask, plans have arrays of them */
#define TACO__SQL_MAX_TABLES 8
/* A longer text is a LIMIT error before any of it is parsed. */
#define TACO__SQL_MAX_TEXT ((size_t)1 << 20) /* bytes of a query */

/* A parsed SELECT. Trees are later bound in place, so a SELECT is planned only once; a view parses
   its text again. */
typedef struct taco__sql_select {
    bool distinct, group_all, order_all, has_limit;
    /* lists: the operands of these nodes; groups NULL without GROUP BY */
    taco__sql_expr *items, *groups;
    taco__sql_expr *on; /* DISTINCT ON, also a list; distinct is set, too. Or NULL */
    taco__sql_table_ref from[TACO__SQL_MAX_TABLES];
    size_t from_count;
    taco__sql_expr *where, *having; /* or NULL */
    taco__sql_sort_key order[64];
    size_t order_count;
    uint64_t limit, offset;
    taco__sql_expr *limit_expr, *offset_expr; /* expressions instead of numbers, or NULL */
    bool nested;                              /* the text contains further SELECTs */
    /* set: the operands, and none of the above; for VALUES, items has the rows */
    taco__sql_set set;
    bool set_all, by_name;
    size_t set_at; /* column in the text */
    struct taco__sql_select *left, *right;
} taco__sql_select;

/* ---- sql_parse.c ----
   Text to tree; filter/parser.c has the parser itself. p->err must be clean at the beginning. */

TACO__FN bool taco__sql_parse_is_reserved(taco_bytes b);
TACO__FN bool taco__sql_parse_name(taco__parser *p, bool reserved, taco_bytes *out);
TACO__FN bool taco__sql_parse_end(taco__parser *p, taco__sql_select *s);
TACO__FN bool taco__sql_parse_clauses(taco__parser *p, taco__sql_select *s);
TACO__FN void taco__sql_parse_init(taco__parser *p, taco__arena *arena, uint32_t max_depth,
                                   taco_error *err);
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *out, taco_error *err);

/* ---- sql_parse_query.c ---- Queries with several SELECTs. */

TACO__FN taco__sql_select *taco__sql_parse_new_select(taco__parser *p);
TACO__FN taco__sql_expr *taco__sql_parse_names(taco__parser *p);
TACO__FN bool taco__sql_parse_find_with(taco__parser *p, taco__sql_table_ref *f);
TACO__FN bool taco__sql_parse_begins_query(const taco__parser *p);
TACO__FN taco__sql_select *taco__sql_parse_query(taco__parser *p);
TACO__FN taco__sql_select *taco__sql_parse_plain(taco__parser *p);
TACO__FN taco__sql_expr *taco__sql_parse_nested(taco__parser *p, taco__sql_nested kind, size_t at,
                                                taco__sql_expr *value);
TACO__FN taco__sql_expr *taco__sql_parse_member(taco__parser *p, taco__sql_expr *left, bool neg);
TACO__FN taco__sql_select *taco__sql_parse_again(taco__arena *arena,
                                                 const taco__sql_nested_query *q,
                                                 uint32_t max_depth, taco_error *err);

/* ---- sql_parse_expr.c ----
   What SELECT adds to the expressions of filter/parser.c. */

TACO__FN const taco__dialect *taco__sql_parse_expr_dialect(void);

/* ---- sql_parse_type.c ---- Types after CAST and ::, and INTERVAL in expressions. */

/* A unit of intervals. `call` is the function that DuckDB turns INTERVAL 3 UNIT into, which takes a
   DOUBLE, truncated to `whole` first if that is a type. */
typedef struct taco__interval_unit {
    const char *name;
    int32_t months, days;
    int64_t micros;
    const char *call, *whole;
} taco__interval_unit;

TACO__FN bool taco__sql_parse_type(taco__parser *p, taco__sql_type *t);
TACO__FN bool taco__sql_parse_type_find(taco_bytes name, taco__scalar_type *out);
TACO__FN const taco__interval_unit *taco__sql_parse_type_find_unit(taco_bytes w);
TACO__FN taco__sql_expr *taco__sql_parse_type_interval_of(taco__parser *p, size_t at);
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__parser *p, size_t at);

#endif /* TACO__STATEMENT_H */
