/* sql.h - SELECT over the tables of a dataset, views, and plans of what they read

   A SELECT runs in the steps of its files:

     text -> sql_parse.c, sql_parse_expr.c, sql_parse_type.c   a taco__sql_select; the parser of
                                                               expressions is filter/parser.c
     names -> bind.c, bind_call.c, bind_type.c                 types, columns, functions
              sql_expr_text.c, sql_keywords.c                  names of columns, equality of trees
     plan -> planner.c, planner_output.c, pushdown.c           a taco__executor over cursors
     rows -> operators.c, hash_join.c, group_table.c,          batches of vectors, pulled by the
             sort_operator.c                                   cursor of the result
     values -> evaluate.c, functions.c, func_*.c, cast*.c,     expressions over batches
               aggregates.c
               sql_type.c, vector.c, vector_arrow.c            types and vectors, from and to Arrow

   Views (view.c) collect steps; view_query.c turns them into one taco__query and, for steps that it
   cannot express, layers (view_layers.c), whose conditions are pushed down into the query
   (view_pushdown.c). explain.c shows what a view will read; view_parts.c makes one dataset from
   several views.

   Other folders use little of it; the public calls are taco_sql, taco_view_* and taco_plan_*.
   Ownership: trees, plans and results' fields live in the arena of the result's cursor; vectors of
   a batch in executor.batch, which is emptied before the next batch; what outlives a batch in
   executor.hold. Errors: functions return false or NULL with the first error in the cursor's err,
   which taco__operator_err gives; texts of errors name the column of the query. */
#ifndef TACO__SQL_H
#define TACO__SQL_H

#include "../api/taco_sql.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"
#include "statement.h"

/* ==== vectors: vector.c, vector_arrow.c ==== */

/* How values of a type are stored: few forms, so that each operation is written only a few
   times. */
typedef enum taco__physical_type {
    TACO__PHYS_NULL = 0,
    TACO__PHYS_INT, /* int64_t: BOOL, integers up to INT64, UINT32, DATE, TIME, TIMESTAMP */
    TACO__PHYS_BIG, /* taco__i256: UINT64, DECIMAL */
    TACO__PHYS_DBL, /* double: FLOAT (rounded to it) and DOUBLE */
    TACO__PHYS_STR, /* bytes: TEXT, BINARY, UUID, INTERVAL (taco__sql_interval) */
    TACO__PHYS_LIST,
    TACO__PHYS_STRUCT
} taco__physical_type;

/* Where a list's elements are in the child. [[1, 2], [], [3]] has the spans {0, 2}, {2, 0}, {2, 1}
   over a child of [1, 2, 3]; spans may overlap and leave gaps, because slices share the child of
   their list. */
typedef struct taco__sql_list_span {
    uint32_t at, len;
} taco__sql_list_span;

/* INTERVAL '1 month 2 days -3 hours' is {1, 2, -10800000000}. The parts are not converted into each
   other: a month has 28 to 31 days. */
typedef struct taco__sql_interval {
    int32_t months, days;
    int64_t micros;
} taco__sql_interval;

/* n values of one type. Value i is at i * step; step 0 is a constant, with one value. A row whose
   valid byte is 0 is null, and its value undefined; valid NULL: no nulls. Example: the column [7,
   NULL, 9] is {v.i = {7, ?, 9}, valid = {1, 0, 1}, n = 3, step = 1}. */
typedef struct taco__vec {
    const taco__sql_type *type;
    size_t n, step;
    uint8_t *valid;       /* by row, not by step: n bytes even for a constant, or NULL */
    const int32_t *codes; /* STR as loaded: indexes into a dictionary, or NULL */
    size_t code_n;        /* size of the dictionary; codes of nulls are undefined */
    /* instead of values: an array that is returned unchanged, or whose dictionary has the texts of
       the codes */
    const taco_array *source;

    /* the member for the type's taco__physical_type; LIST and STRUCT have their values in kids */
    union {
        void *any;
        int64_t *i;
        double *f;
        taco__i256 *d;
        taco_bytes *s;
        taco__sql_list_span *l;
    } v;
    struct taco__vec *kids; /* LIST and MAP: one, with all elements; STRUCT: one for each field */
} taco__vec;

/* Rows are chosen, sorted and joined by index (uint32_t); batches and stored rows have fewer than
   2^32 - 1 rows, which builders check. */
#define TACO__VEC_NONE UINT32_MAX /* in an index: no row, all values are null */

/* A growing column: rows are appended, bytes are copied into the arena. v may be used as a vector
   at any time; appending moves its memory, which invalidates copies of v. */
typedef struct taco__vec_builder {
    taco__vec v;
    size_t cap;                     /* allocated values */
    struct taco__vec_builder *kids; /* builders of v.kids */
} taco__vec_builder;

/* ==== functions: functions.c, func_*.c ==== */

/* What a call runs. Ids of one subject are contiguous, since taco__func_dispatch uses ranges; those
   of no range are of func_number.c. */
typedef enum taco__func_id {
    /* operators */
    TACO__FUNC_ADD = 1,
    TACO__FUNC_SUB,
    TACO__FUNC_MUL,
    TACO__FUNC_DIV,
    TACO__FUNC_IDIV,
    TACO__FUNC_MOD,
    TACO__FUNC_MOD_NULL, /* for DECIMALs too wide for a common type: in DOUBLE, null for 0 */
    TACO__FUNC_NEG,
    TACO__FUNC_PLUS,
    TACO__FUNC_CONCAT_OP,
    TACO__FUNC_LIKE,
    /* of any type: which argument */
    TACO__FUNC_COALESCE,
    TACO__FUNC_NULLIF,
    TACO__FUNC_GREATEST,
    TACO__FUNC_LEAST,
    TACO__FUNC_TYPEOF,
    TACO__FUNC_HASH, /* of all arguments, same as DuckDB's */
    /* texts */
    TACO__FUNC_LOWER,
    TACO__FUNC_UPPER,
    TACO__FUNC_LENGTH,
    TACO__FUNC_STRLEN,
    TACO__FUNC_OCTETS,
    TACO__FUNC_SUBSTR,
    TACO__FUNC_LEFT,
    TACO__FUNC_RIGHT,
    TACO__FUNC_TRIM,
    TACO__FUNC_LTRIM,
    TACO__FUNC_RTRIM,
    TACO__FUNC_REPLACE,
    TACO__FUNC_CONTAINS,
    TACO__FUNC_STARTS,
    TACO__FUNC_ENDS,
    TACO__FUNC_CONCAT,
    TACO__FUNC_CONCAT_WS,
    TACO__FUNC_STRPOS,
    TACO__FUNC_REVERSE,
    TACO__FUNC_LPAD,
    TACO__FUNC_RPAD,
    TACO__FUNC_REPEAT,
    TACO__FUNC_SPLIT_PART,
    TACO__FUNC_ASCII,
    /* numbers */
    TACO__FUNC_ABS,
    TACO__FUNC_ROUND,
    TACO__FUNC_FLOOR,
    TACO__FUNC_CEIL,
    TACO__FUNC_TRUNC,
    TACO__FUNC_SQRT,
    TACO__FUNC_SIGN,
    TACO__FUNC_ISNAN,
    TACO__FUNC_ISINF,
    TACO__FUNC_ISFINITE,
    /* dates */
    TACO__FUNC_PART,
    TACO__FUNC_TRUNC_DATE,
    TACO__FUNC_DATE_DIFF,
    TACO__FUNC_DATE_SUB,
    TACO__FUNC_LAST_DAY,
    TACO__FUNC_DAYNAME,
    TACO__FUNC_MONTHNAME,
    TACO__FUNC_MAKE_DATE,
    TACO__FUNC_EPOCH,
    /* lists */
    TACO__FUNC_HAS,
    TACO__FUNC_ELEMENT,
    /* geometries */
    TACO__FUNC_GEOM,
    TACO__FUNC_ENVELOPE,
    TACO__FUNC_POINT,
    TACO__FUNC_INTERSECTS,
    TACO__FUNC_WITHIN,
    TACO__FUNC_X,
    TACO__FUNC_Y,
    TACO__FUNC_AS_TEXT,  /* ST_AsText: well-known text */
    TACO__FUNC_AREA,     /* ST_Area: planar, without holes */
    TACO__FUNC_CENTROID, /* ST_Centroid: of the parts of the highest dimension */
    /* lists, made and taken apart: bind_list.c has their types */
    TACO__FUNC_LIST_VALUE,       /* [a, b, ...] */
    TACO__FUNC_STRUCT_PACK,      /* {'a': 1}: the operands are the fields */
    TACO__FUNC_LIST_CONCAT,      /* null lists count as empty, except for || */
    TACO__FUNC_LIST_APPEND,      /* (list, value) */
    TACO__FUNC_LIST_PREPEND,     /* (value, list) */
    TACO__FUNC_LIST_SORT,        /* plan: sort_flags of taco__sql_expr */
    TACO__FUNC_LIST_GRADE,       /* indexes in sorted order */
    TACO__FUNC_LIST_DISTINCT,    /* without nulls */
    TACO__FUNC_LIST_UNIQUE,      /* how many distinct values */
    TACO__FUNC_LIST_REVERSE,     /* last element first */
    TACO__FUNC_LIST_POSITION,    /* from 1; null if absent */
    TACO__FUNC_LIST_HAS_ALL,     /* @>, and <@ with operands swapped */
    TACO__FUNC_LIST_HAS_ANY,     /* && of lists */
    TACO__FUNC_LIST_INTERSECT,   /* distinct, in the order of the first list */
    TACO__FUNC_LIST_RESIZE,      /* (list, length[, value]) */
    TACO__FUNC_LIST_WHERE,       /* (list, conditions) */
    TACO__FUNC_LIST_SELECT,      /* (list, numbers) */
    TACO__FUNC_LIST_POP,         /* plan: back or front */
    TACO__FUNC_FLATTEN,          /* a list of lists as one */
    TACO__FUNC_RANGE,            /* plan: range or generate_series */
    TACO__FUNC_LIST_SLICE,       /* with a step */
    TACO__FUNC_LIST_REPEAT,      /* (list, times) */
    TACO__FUNC_LIST_AGGREGATE,   /* plan: a taco__aggregate, copied for each batch */
    TACO__FUNC_LIST_MEASURE,     /* plan: which product or distance */
    TACO__FUNC_MAP,              /* (keys, values) */
    TACO__FUNC_MAP_KEYS,         /* a list */
    TACO__FUNC_MAP_VALUES,       /* a list */
    TACO__FUNC_MAP_ENTRIES,      /* a list of structs */
    TACO__FUNC_MAP_EXTRACT,      /* a list of one value, or of none */
    TACO__FUNC_MAP_VALUE,        /* map[key] */
    TACO__FUNC_MAP_CONTAINS,     /* whether a key exists */
    TACO__FUNC_MAP_FROM_ENTRIES, /* of a list of structs */
    TACO__FUNC_CARDINALITY,      /* entries of a map */
    TACO__FUNC_SPLIT,            /* string_split */
    TACO__FUNC_LIST_TO_TEXT,     /* array_to_string */
    /* elementary functions */
    TACO__FUNC_MATH,       /* of one number; plan: the letter of func_math.c */
    TACO__FUNC_LOG_BASE,   /* log(base, x) */
    TACO__FUNC_POW,        /* also ** */
    TACO__FUNC_ATAN2,      /* (y, x) */
    TACO__FUNC_PI,         /* without operands */
    TACO__FUNC_NEXT_AFTER, /* the next double or float */
    /* whole numbers and bits */
    TACO__FUNC_BIT_AND,     /* & */
    TACO__FUNC_BIT_OR,      /* | */
    TACO__FUNC_XOR,         /* xor(a, b) */
    TACO__FUNC_BIT_NOT,     /* ~, in the width of the type */
    TACO__FUNC_SHIFT_LEFT,  /* an error if a bit is lost */
    TACO__FUNC_SHIFT_RIGHT, /* with the sign */
    TACO__FUNC_BIT_COUNT,   /* ones in the width of the type */
    TACO__FUNC_GCD,         /* BIGINT at least */
    TACO__FUNC_LCM,         /* BIGINT at least */
    TACO__FUNC_FACTORIAL,   /* HUGEINT */
    TACO__FUNC_SIGNBIT,     /* also for -0.0 */
    /* texts to texts and numbers */
    TACO__FUNC_CHR,          /* the character of a code point */
    TACO__FUNC_UNICODE,      /* -1 of an empty text */
    TACO__FUNC_BIT_LENGTH,   /* of the bytes */
    TACO__FUNC_TRANSLATE,    /* (text, from, to), character by character */
    TACO__FUNC_HEX,          /* bytes or a number */
    TACO__FUNC_UNHEX,        /* bytes */
    TACO__FUNC_BIN,          /* as HEX */
    TACO__FUNC_UNBIN,        /* as UNHEX */
    TACO__FUNC_BASE64,       /* RFC 4648, padded */
    TACO__FUNC_FROM_BASE64,  /* bytes */
    TACO__FUNC_ENCODE,       /* a text as bytes */
    TACO__FUNC_DECODE,       /* bytes as a text */
    TACO__FUNC_LEVENSHTEIN,  /* on bytes */
    TACO__FUNC_DAMERAU,      /* with swaps of neighbours */
    TACO__FUNC_HAMMING,      /* of texts of one length */
    TACO__FUNC_JACCARD,      /* of sets of bytes */
    TACO__FUNC_JARO,         /* (a, b[, cutoff]) */
    TACO__FUNC_JARO_WINKLER, /* as JARO */
    TACO__FUNC_MD5,          /* 32 digits */
    TACO__FUNC_SHA1,         /* 40 digits */
    TACO__FUNC_SHA256,       /* 64 digits */
    TACO__FUNC_URL_ENCODE,   /* RFC 3986 */
    TACO__FUNC_URL_DECODE,   /* what is no %XX stays */
    TACO__FUNC_PATH_PART,    /* plan: file, directory or path */
    TACO__FUNC_FORMAT_BYTES, /* plan: binary or decimal */
    TACO__FUNC_BAR,          /* (x, least, greatest[, width]) */
    TACO__FUNC_TO_BASE,      /* (number, base[, width]) */
    /* formatted output, and its reading */
    TACO__FUNC_PRINTF,       /* C's conversions */
    TACO__FUNC_FORMAT,       /* Python's braces */
    TACO__FUNC_STRFTIME,     /* (time, format) in either order */
    TACO__FUNC_STRPTIME,     /* (text, format or list of them) */
    TACO__FUNC_TRY_STRPTIME, /* null if none fits */
    /* patterns */
    TACO__FUNC_GLOB,              /* of bytes */
    TACO__FUNC_REGEX_FULL,        /* ~ and SIMILAR TO */
    TACO__FUNC_REGEX_MATCHES,     /* anywhere in the text */
    TACO__FUNC_REGEX_EXTRACT,     /* a group, or a struct of groups */
    TACO__FUNC_REGEX_EXTRACT_ALL, /* a list of a group */
    TACO__FUNC_REGEX_REPLACE,     /* (text, pattern, with[, options]) */
    TACO__FUNC_REGEX_SPLIT,       /* what is between matches */
    TACO__FUNC_REGEX_ESCAPE,      /* a text as a pattern of itself */
    /* instants that are made */
    TACO__FUNC_MAKE_TIMESTAMP, /* (year, month, day, hour, minute, second) */
    TACO__FUNC_MAKE_TIME,      /* (hour, minute, second) */
    TACO__FUNC_FROM_EPOCH,     /* plan: unit of the number */
    TACO__FUNC_TO_INTERVAL,    /* to_days and its kin; plan: the taco__interval_unit */
    TACO__FUNC_JULIAN          /* days since 4713 BC */
} taco__func_id;

/* A function. Arguments have one letter each, and the last letter also applies to all further ones:
   t text, i BIGINT, d DOUBLE, b BOOL, w DATE or TIMESTAMP, f DOUBLE, DATE or TIMESTAMP, n any
   number, DECIMAL and HUGEINT too, l list, B blob, g geometry, * any. Result: t
   text, i BIGINT, U UBIGINT, I INTEGER, 1 TINYINT, d DOUBLE, b BOOL, B blob, D DATE, T TIME, W
   TIMESTAMP, g geometry, = the first argument's, ? whatever taco__bind_call_special determines in
   the function's case. `part` is the part of a date that the function extracts, such as year for
   year(d). Example: {"lpad", TACO__FUNC_LPAD, 3, 3, "tit", 't', NULL} is lpad(VARCHAR, BIGINT,
   VARCHAR). */
typedef struct taco__func {
    const char *name;
    uint8_t id, least, most; /* numbers of arguments */
    const char *args;
    char result;
    const char *part;
} taco__func;

/* One call over a batch. `plan` is the part of a date, or a compiled LIKE, or NULL. Rows of *out
   are set to null if an argument is null, before the function runs. */
typedef struct taco__func_call {
    taco__arena *arena;
    taco_error *err;
    uint32_t id;
    const taco__vec *a;
    uint32_t n;
    const void *plan;
    const char *name;
    taco__vec *out;
} taco__func_call;

/* Argument k in row i of the call x. */
#define TACO__FUNC_ARG_INT(k)    (x->a[k].v.i[i * x->a[k].step])
#define TACO__FUNC_ARG_DOUBLE(k) (x->a[k].v.f[i * x->a[k].step])
#define TACO__FUNC_ARG_TEXT(k)   (x->a[k].v.s[i * x->a[k].step])
#define TACO__FUNC_ARG_BIG(k)    (x->a[k].v.d[i * x->a[k].step])

/* Parts of a date. EPOCH_MS and EPOCH_US exist only as functions of that name. */
typedef enum taco__date_part {
    TACO__DATE_PART_YEAR = 0,
    TACO__DATE_PART_MONTH,
    TACO__DATE_PART_DAY,
    TACO__DATE_PART_HOUR,
    TACO__DATE_PART_MINUTE,
    TACO__DATE_PART_SECOND,
    TACO__DATE_PART_MILLI,
    TACO__DATE_PART_MICRO,
    TACO__DATE_PART_DOW,
    TACO__DATE_PART_ISODOW,
    TACO__DATE_PART_DOY,
    TACO__DATE_PART_WEEK,
    TACO__DATE_PART_QUARTER,
    TACO__DATE_PART_DECADE,
    TACO__DATE_PART_CENTURY,
    TACO__DATE_PART_MILLENNIUM,
    TACO__DATE_PART_ISOYEAR,
    TACO__DATE_PART_YEARWEEK,
    TACO__DATE_PART_ERA,
    TACO__DATE_PART_ZONE,
    TACO__DATE_PART_JULIAN,
    TACO__DATE_PART_EPOCH,
    TACO__DATE_PART_EPOCH_MS,
    TACO__DATE_PART_EPOCH_US
} taco__date_part;

/* ==== aggregates: aggregates.c ==== */

/* MIN ... LAST store one value; from MEDIAN on all values are collected. */
typedef enum taco__aggregate_id {
    TACO__AGGREGATE_COUNT = 1,
    TACO__AGGREGATE_COUNT_STAR,
    TACO__AGGREGATE_SUM,
    TACO__AGGREGATE_AVG,
    TACO__AGGREGATE_MIN,
    TACO__AGGREGATE_MAX,
    TACO__AGGREGATE_FIRST,
    TACO__AGGREGATE_ANY,
    TACO__AGGREGATE_LAST,
    TACO__AGGREGATE_STDDEV,
    TACO__AGGREGATE_STDDEV_POP,
    TACO__AGGREGATE_VAR,
    TACO__AGGREGATE_VAR_POP,
    TACO__AGGREGATE_AND,
    TACO__AGGREGATE_OR,
    TACO__AGGREGATE_COUNT_IF,
    TACO__AGGREGATE_MEDIAN,
    TACO__AGGREGATE_CONT,
    TACO__AGGREGATE_DISC,
    TACO__AGGREGATE_LIST,
    /* computed from all values at the end: aggregate_set.c */
    TACO__AGGREGATE_STRING,         /* string_agg */
    TACO__AGGREGATE_ARG_MAX,        /* ignores rows with a null in either argument */
    TACO__AGGREGATE_ARG_MIN,        /* as ARG_MAX */
    TACO__AGGREGATE_ARG_MAX_NULL,   /* ignores only rows with a null in the second argument */
    TACO__AGGREGATE_ARG_MIN_NULL,   /* as ARG_MAX_NULL */
    TACO__AGGREGATE_MODE,           /* the first one if there are several */
    TACO__AGGREGATE_HISTOGRAM,      /* a map of values to counts */
    TACO__AGGREGATE_TOP,            /* max(x, n) */
    TACO__AGGREGATE_BOTTOM,         /* min(x, n) */
    TACO__AGGREGATE_COUNT_DISTINCT, /* approx_count_distinct, but exact */
    TACO__AGGREGATE_PRODUCT,        /* in DOUBLE */
    TACO__AGGREGATE_BIT_AND,        /* of integers */
    TACO__AGGREGATE_BIT_OR,         /* of integers */
    TACO__AGGREGATE_BIT_XOR,        /* of integers */
    TACO__AGGREGATE_KAHAN,          /* fsum: compensated */
    TACO__AGGREGATE_KAHAN_AVG,      /* favg */
    TACO__AGGREGATE_SKEWNESS,       /* of a sample */
    TACO__AGGREGATE_KURTOSIS,       /* of a sample */
    TACO__AGGREGATE_KURTOSIS_POP,   /* of a population */
    TACO__AGGREGATE_ENTROPY,        /* in bits */
    TACO__AGGREGATE_MAD,            /* median of distances from the median */
    TACO__AGGREGATE_SEM,            /* standard error of the mean */
    /* of pairs (y, x) */
    TACO__AGGREGATE_CORR,           /* NaN if one of them is constant */
    TACO__AGGREGATE_COVAR_POP,      /* by n */
    TACO__AGGREGATE_COVAR,          /* by n - 1 */
    TACO__AGGREGATE_REGR_AVGX,      /* of the second */
    TACO__AGGREGATE_REGR_AVGY,      /* of the first */
    TACO__AGGREGATE_REGR_COUNT,     /* pairs */
    TACO__AGGREGATE_REGR_SLOPE,     /* of the line through the pairs */
    TACO__AGGREGATE_REGR_INTERCEPT, /* of that line */
    TACO__AGGREGATE_REGR_R2,        /* squared correlation */
    TACO__AGGREGATE_REGR_SXX,       /* sum of squares around the mean */
    TACO__AGGREGATE_REGR_SXY,       /* sum of products */
    TACO__AGGREGATE_REGR_SYY        /* sum of squares */
} taco__aggregate_id;

/* An aggregate and its name. */
typedef struct taco__aggregate_name {
    const char *name;
    uint8_t id;
    uint8_t args;          /* values per row: 1 or 2 */
    uint8_t options, most; /* constants after them: fewest and most */
} taco__aggregate_name;

#define TACO__AGGREGATE_MAX_SORTS 16 /* most keys of ORDER BY among its arguments */

/* The state of one group. */
typedef struct taco__aggregate_state {
    int64_t n, i; /* values seen; a sum, a BOOLEAN, or a row of the pile */
    double f, g;  /* sum, or mean and sum of squared deviations from it */
    taco__i256 d; /* sum: the overflow of i */
} taco__aggregate_state;

/* One aggregate of a query, with the states of all groups. */
typedef struct taco__aggregate {
    uint8_t id;
    bool distinct;
    double q;         /* argument of quantiles: 0 to 1 */
    const double *qs; /* quantiles of a list: q_n of them, else NULL */
    size_t q_n;
    bool deferred;   /* of a task: values are kept, to be added by the calling thread */
    taco_bytes text; /* string_agg: the separator */
    size_t top;      /* max(x, n): n */
    taco__sql_type arg, result;
    /* With a second argument or ORDER BY, a row is a struct: args values, then sorts keys. */
    bool wide;
    uint8_t args, sorts;
    const uint8_t *sort_flags; /* as in taco__sql_expr */
    taco__sql_type row_type;
    taco__vec_builder rows;
    taco__aggregate_state *states;
    size_t cap;
    taco__vec_builder pile; /* MIN, MAX, ...: the stored values; collectors: all values */
    taco__buf groups;       /* collectors: the group of each row of the pile */
    bool piled;             /* pile has been initialised */
} taco__aggregate;

/* ==== binding: bind.c, bind_call.c, bind_type.c ==== */

/* A table of FROM as seen by names. */
typedef struct taco__bind_table {
    taco_bytes alias;
    const taco_field *fields;
    taco__sql_type *types;
    size_t count, visible; /* '*' means only the visible ones, the others must be named */
    /* columns sorted by name, equal ones in the order of fields; NULL until a column is looked
       up */
    uint32_t *by_name;
    size_t *place; /* index of each column in the batch; TACO__NONE until it is used */
    /* columns that USING merged with a column of an earlier table: only found and shown with the
       table's name */
    bool *merged;
    /* what the unqualified name means after a RIGHT or FULL JOIN merged the column; NULL: the
       column */
    taco__sql_expr **instead;
    bool hidden; /* table of SEMI or ANTI: only ON may name its columns */
} taco__bind_table;

/* A column of the batch, used by some tree. */
typedef struct taco__bind_column {
    uint32_t table;
    size_t column;
} taco__bind_column;

/* An aggregate of the query, and its operand; arg is NULL for COUNT(*). */
typedef struct taco__bind_aggregation {
    taco__aggregate a;
    taco__sql_expr *arg, *filter;
    taco_bytes text; /* identifies equal aggregates */
} taco__bind_aggregation;

/* Equal aggregates count only once. */
#define TACO__BIND_MAX_AGGREGATES 256

/* A call of UNNEST: its list, and the column that replaced the call. */
typedef struct taco__bind_unnest {
    taco__sql_expr *column, *list;
} taco__bind_unnest;

#define TACO__BIND_MAX_UNNESTS 64

/* The set that IN (query) searches. */
typedef struct taco__member_set {
    taco__sql_type type, common; /* type of the query; type of the comparison */
    taco__vec values;            /* of type `common` */
    uint32_t *rows;              /* the non-null ones, sorted */
    size_t count;
    bool has_null;
} taco__member_set;

/* The state of the binder. With groups, trees are bound to columns of groups: first the keys, then
   the aggregates; arguments of aggregates (inside) to columns of rows. */
typedef struct taco__bind {
    taco__arena *arena;
    taco_error *err;
    taco__sql_select *s;
    taco__bind_table tables[TACO__SQL_MAX_TABLES];
    size_t table_count;
    taco__bind_column *columns;
    size_t column_count, column_cap;
    taco__bind_aggregation *aggrs;
    size_t aggr_count;
    taco__sql_expr **groups; /* keys of GROUP BY, bound */
    taco_bytes *group_texts; /* as written, to find them in other trees */
    size_t group_count;
    bool grouped;              /* there are groups, possibly a single one of all rows */
    bool inside;               /* binding the argument of an aggregate */
    bool no_aggr, having;      /* in WHERE, ON, GROUP BY; in HAVING */
    bool unnests;              /* UNNEST is allowed */
    taco__bind_unnest *unnest; /* its calls */
    size_t unnest_count;
    bool as_written;            /* names in texts keep their spelling, since the text is a label */
    int64_t now;                /* seconds since 1970; 0 until a function uses it */
    size_t aliases;             /* number of select items whose aliases are visible */
    taco__sql_expr **sources;   /* the select items as written */
    size_t source_count, nodes; /* nodes: of copies made for aliases */
    uint32_t alias_depth;
    struct taco__executor *x; /* the executor that it belongs to */
    /* binder of the enclosing query, while this one is planned; or NULL */
    struct taco__bind *outer;
} taco__bind;

/* ==== running: evaluate.c, operators.c and the operators of their own ==== */

/* The columns that trees are computed from, by their index in taco__bind.columns (or by group key
   and aggregate), and n rows. Columns that were not loaded have no type. */
typedef struct taco__sql_batch {
    taco__arena *arena;
    taco_error *err;
    const taco__vec *cols;
    size_t count, n;
} taco__sql_batch;

#define TACO__SQL_BATCH_ROWS ((size_t)4096) /* rows of batches made here, not by scans */

/* How a query uses a column of the batch, which decides how it is loaded. */
typedef enum taco__column_use {
    TACO__COLUMN_USE_VALUES = 0,   /* in computations */
    TACO__COLUMN_USE_PASS_THROUGH, /* only returned */
    /* the only group key, and nothing else: codes of texts are enough */
    TACO__COLUMN_USE_CODES
} taco__column_use;

/* The join of one more table; see hash_join.c. */
typedef struct taco__hash_join {
    taco__sql_expr **left, **right; /* pairs of keys: of earlier tables, and of this one */
    bool *nullsafe;                 /* for each pair: IS NOT DISTINCT FROM, where nulls match */
    size_t keys;
    taco__sql_expr *rest; /* the other conditions of ON */
    /* the rows are the elements of this list, from earlier tables; or NULL */
    taco__sql_expr *list;
    /* unmatched rows of the left side, or of the table, are returned, too */
    bool outer, right_outer;
    bool semi, anti; /* rows of the left side once, if they have a match, or have none */
    /* the columns of the table with all rows; indexed as those of the batch */
    taco__vec_builder *cols;
    size_t rows;
    taco__vec *key_cols;    /* keys of its rows */
    uint64_t *hashes;       /* hash of the keys of each row */
    uint64_t seed;          /* of these hashes */
    uint32_t *heads, *next; /* chains of rows with equal keys, row + 1: by slot, by row */
    size_t slots;           /* a power of two */
    /* right_outer: which rows had a match; those without one are still to be returned, from
       left_over on */
    uint8_t *met;
    size_t left_over;
    /* the current batch of the left side; rows from input_at on are still to be joined */
    taco__vec *input, *input_keys;
    uint64_t *input_hashes;
    size_t input_n, input_at;
    taco__arena held; /* memory of that batch, if it is joined in pieces */
} taco__hash_join;

/* Distinct rows, numbered in order of first occurrence; see group_table.c. */
typedef struct taco__group_table {
    taco__vec_builder *cols;
    taco__vec *vecs; /* the same, for comparing */
    size_t width, count, cap, slots;
    uint64_t *hashes, seed;
    uint32_t *table; /* group + 1 */
} taco__group_table;

/* What FROM data means if it is not level 0: the rows of a view. */
typedef struct taco__sql_source {
    void *ctx;
    const taco_field *fields; /* the first `visible` of them are those of '*' */
    size_t count, visible;
    const taco_cursor *query; /* if the rows are those of a SELECT: its cursor */
    /* conditions may become filters of rows of `level`, or of its ancestors if flat */
    bool pushes;
    bool flat;
    uint32_t level;
    /* Opens a cursor over these columns of the rows, with further filters; NULL on failure. Called
       only once. */
    taco_cursor *(*open)(void *ctx, const taco__query_columns *select,
                         const taco__query_filter *filters, size_t n, taco_error *err);
} taco__sql_source;

/* The parts of a set operation: taco__executor.set. */
typedef struct taco__set_operation {
    /* for each column, its index in the operand; TACO__NONE: it is null */
    size_t *from[2];
    taco__sql_type *types[2]; /* types of the operands' columns */
    size_t side;              /* current operand */
    size_t right_groups;      /* distinct rows of the right side */
    /* for each of them: how many rows INTERSECT and EXCEPT may still match */
    uint32_t *left_over;
} taco__set_operation;

/* A batch whose rows from `at` on still have to be expanded by UNNEST. */
typedef struct taco__unnest {
    taco__sql_batch rows;
    taco__vec *lists; /* the list of each call */
    size_t at;
    taco__arena held; /* memory of the batch, if it is expanded in pieces */
} taco__unnest;

/* The plan of a SELECT, and its state. */
typedef struct taco__executor {
    const taco__sql_source *base; /* what `data` means, or NULL; only while planning */
    const char *const *extras;    /* hidden columns that are returned with the rows */
    size_t extra_count;
    bool plan_only; /* cursors are opened only for taco_view_plan, without rows */
    /* for tasks to plan again: the text of taco_sql, or a copy of the view whose only layer this
       is; neither: the SELECT is not run by tasks */
    const char *text;
    taco_view *view;
    bool is_part;                 /* a task's plan: rows [from, to) of the first table */
    uint64_t from, to;            /* to 0: all */
    uint64_t by_tasks;            /* rows of the first table that tasks have read */
    bool alone;                   /* tasks needed too much memory: not again */
    bool has_subquery;            /* an expression has a subquery, which was run */
    struct taco__pushdown *tests; /* what the scans test */
    taco_cursor *c;               /* cursor of the result; its arena holds the plan */
    taco__sql_select s;
    taco__bind b;
    taco__arena batch;   /* memory of the current batch: emptied before the next one */
    taco__arena hold[2]; /* stored rows; the second is used while they are moved */
    taco_cursor *scans[TACO__SQL_MAX_TABLES];
    size_t *scan_cols[TACO__SQL_MAX_TABLES]; /* indexes in the batch of a scan's columns */
    size_t scan_count[TACO__SQL_MAX_TABLES];
    size_t *scan_from[TACO__SQL_MAX_TABLES]; /* for each, its index in the scan's batches */
    uint8_t *use;                            /* for each column of the batch: taco__column_use */
    uint64_t bare;                           /* rows of a first table without any used column */
    bool is_bare, limits;                    /* limits: the scan applies OFFSET and LIMIT */
    taco__hash_join joins[TACO__SQL_MAX_TABLES];
    taco__sql_expr **where; /* conjuncts that no scan tests */
    size_t where_count;
    /* for each: the last table it needs, after whose join it is tested; and whether it needs no
       other table, so that it can be tested before the join */
    uint8_t *where_at;
    bool *where_alone;
    taco__sql_expr **items;   /* results, followed by sort keys that are not results */
    size_t item_count, width; /* results; all of items */
    taco__sql_sort_key order[64];
    size_t order_at[64], order_count;
    taco__sql_expr **distinct;           /* the items that DISTINCT compares, all or those of ON */
    size_t *distinct_at, distinct_count; /* their indexes */
    taco__unnest unnest;
    taco__group_table groups, seen;
    bool grouped, begun, scanned, sorted; /* scanned: table 0 is at its end */
    /* computed columns of groups, or distinct rows that tasks have found; those from input_at on
       are still to come */
    taco__vec *input;
    size_t input_n, input_at;
    taco__vec_builder *kept; /* rows of sorted results */
    taco__vec *kept_vecs;
    uint32_t *sequence; /* sorted indexes of those rows */
    size_t sequence_n, sequence_at;
    size_t worst;        /* LIMIT: the last of the rows that are needed */
    bool has_worst;      /* later rows are compared with it */
    size_t seeds;        /* task: how many of the first rows are stored only for comparison */
    uint64_t skip, left; /* OFFSET and LIMIT; UINT64_MAX: none */
    /* types of the results, with NULL where the type is INTEGER for lack of another: an enclosing
       query may choose it */
    taco__sql_type *open_types;
    taco__set_operation *set; /* for UNION, INTERSECT, EXCEPT */
    int64_t *range;           /* for range: next number, end, step; sorted: done */
} taco__executor;

/* ==== conditions for the scans: pushdown.c ==== */

/* Conditions of a scan: one for each level of each table, since rows of a flat view are paths. */
/* A slot is the result of taco__pushdown_find_slot; slots of levels that a table does not have stay
   empty. */
#define TACO__PUSHDOWN_SLOTS ((size_t)TACO__SQL_MAX_TABLES * TACO__MAX_LEVELS)

/* The conditions that scans test, by slot: table * TACO__MAX_LEVELS + level. */
typedef struct taco__pushdown {
    taco__expr *where[TACO__PUSHDOWN_SLOTS]; /* NULL: every row */
    double box[TACO__PUSHDOWN_SLOTS][4];
    /* the column that must intersect the box; NULL: none */
    const char *geometry[TACO__PUSHDOWN_SLOTS];
} taco__pushdown;

/* ==== views: view*.c ==== */

/* FILTER is 0, so that a zeroed step is a filter that passes all rows. */
typedef enum taco__view_step_kind {
    TACO__VIEW_STEP_FILTER = 0,
    TACO__VIEW_STEP_TABLE,
    TACO__VIEW_STEP_SELECT,
    TACO__VIEW_STEP_ORDER,
    TACO__VIEW_STEP_LIMIT,
    TACO__VIEW_STEP_SQL
} taco__view_step_kind;

/* One call on a view, with everything copied into the view's arena. */
typedef struct taco__view_step {
    taco__view_step_kind kind;
    taco_filter f; /* FILTER; f.bbox is box */
    double box[4];
    const char *text;       /* SELECT, ORDER, SQL */
    uint64_t limit, offset; /* LIMIT; limit 0: none */
    uint32_t level;         /* TABLE */
    bool flat, padding;
} taco__view_step;

struct taco_view {
    taco_dataset *ds;
    taco__arena arena;
    taco__view_step *steps;
    size_t count;
};

/* A SELECT over the rows of the query or of the layer below it. */
typedef struct taco__view_layer {
    const char *sql;
    taco__sql_select *s; /* for inspection; a fresh parse is executed */
    bool keeps;          /* its rows correspond one to one to rows below */
    bool limits;         /* it has LIMIT or OFFSET... */
    bool unlimited;      /* ...which the query below or a mask has taken over */
    bool unordered;      /* the query below has taken over its order */
    bool *pushed_down;   /* conjuncts of WHERE that the query below has taken over */
    taco_bytes *names;   /* protected columns named in it */
    size_t name_count;
} taco__view_layer;

/* The plan of a view: one query, and layers over it. It exists while cursors are opened. */
typedef struct taco__view_query {
    taco_dataset *ds;
    taco__arena arena;
    taco_error *err;
    taco__query q; /* its filters are these: */
    taco__query_filter *filters;
    size_t filter_count, filter_cap;
    const taco_view *view;           /* its steps, unless it is only planned */
    const struct taco__executor *of; /* of a task: the plan of the calling thread */
    /* nothing is run: limits that would need it pass every row */
    bool plan_only;
    taco__query_columns plan_order; /* in that case: the columns to sort by */
    bool limited;
    uint64_t limit, offset; /* UINT64_MAX: no limit */
    uint8_t **masks;        /* by store and level */
    taco__view_layer *layers;
    size_t layer_count;
    const char **pushed_down; /* conditions pushed down below layers */
    size_t pushed_down_count, pushed_down_cap;
} taco__view_query;

/* What `data` means in a layer: the rows of the layers below it. */
typedef struct taco__view_source {
    taco__sql_source base;
    taco__view_query *z;
    size_t layers; /* below */
    bool ids;
    taco_cursor *ready; /* opened to find its columns; returned by the first open */
    taco_cursor *probe; /* holds the columns */
} taco__view_source;

/* ---- sql_type.c ----
   Types by value: small structs that borrow their children and names from an arena or a field.
   Widths and forms are in bytes. */

/* The form in which values of the type are stored. Inline, because every comparison in a sort uses
   it. */
TACO__INLINE taco__physical_type taco__sql_type_physical(const taco__sql_type *t)
{
    switch (t->t.id) {
    case TACO_NULL: return TACO__PHYS_NULL;
    case TACO_UINT64:
    case TACO_DECIMAL: return TACO__PHYS_BIG;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return TACO__PHYS_DBL;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID:
    case TACO_INT96:
    case TACO_INTERVAL: return TACO__PHYS_STR;
    case TACO_LIST:
    case TACO_MAP: return TACO__PHYS_LIST;
    case TACO_STRUCT: return TACO__PHYS_STRUCT;
    default: return TACO__PHYS_INT;
    }
}

TACO__FN size_t taco__sql_type_physical_size(taco__physical_type p);
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b);
TACO__FN bool taco__sql_type_hand_on(taco__arena *arena, const taco__sql_type *t,
                                     taco__sql_type *out, taco_error *err);
TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err);
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err);
TACO__FN void taco__sql_type_text(const taco__sql_type *t, char *text, size_t n);
TACO__FN bool taco__sql_type_has_interval(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_number(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_hugeint(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_datetime(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_infinite(const taco__sql_type *t, int64_t x);
TACO__FN taco__sql_type taco__sql_type_simple(taco_type id);
TACO__FN taco__sql_type taco__sql_type_hugeint(void);
TACO__FN taco__sql_type taco__sql_type_common_int(const taco__sql_type *a, const taco__sql_type *c);

/* ---- vector.c ---- All of them return false with the error set if there is no memory; vectors
   live as long as the arena. taco__vec_take and taco__vec_flatten share bytes with their source,
   builders copy. Compare and hash take row numbers, also for constants. */

TACO__FN bool taco__vec_init(taco__arena *arena, const taco__sql_type *type, size_t n,
                             taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_init_validity(taco__arena *arena, taco__vec *v, taco_error *err);
TACO__FN bool taco__vec_init_null(taco__arena *arena, const taco__sql_type *type, size_t n,
                                  taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_fail_too_long(taco_error *err);
TACO__FN bool taco__vec_take(taco__arena *arena, const taco__vec *v, const uint32_t *idx, size_t n,
                             taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_flatten(taco__arena *arena, taco__vec *v, taco_error *err);
TACO__FN bool taco__vec_builder_init(taco__arena *arena, const taco__sql_type *type,
                                     taco__vec_builder *p, taco_error *err);
TACO__FN bool taco__vec_builder_reserve(taco__arena *arena, taco__vec_builder *p, size_t extra,
                                        taco_error *err);
TACO__FN bool taco__vec_builder_append(taco__arena *arena, taco__vec_builder *p, const taco__vec *v,
                                       const uint32_t *idx, size_t n, taco_error *err);
TACO__FN int taco__vec_compare_nulls(const taco__vec *a, size_t i, const taco__vec *b, size_t j);
TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j);
TACO__FN bool taco__vec_equal(const taco__vec *a, size_t i, const taco__vec *b, size_t j,
                              size_t columns);

/* ---- vector_arrow.c ---- The array must outlive a vector loaded from it.
   taco__vec_arrow_load_codes is for texts of which only the codes are used: call
   taco__vec_arrow_load_code_text before using a value. */

TACO__FN bool taco__vec_arrow_load_codes(taco__arena *arena, const taco_array *a,
                                         const taco__sql_type *type, taco__vec *out,
                                         taco_error *err);
TACO__FN void taco__vec_arrow_load_code_text(const taco__vec *v, size_t i);
TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err);

/* ---- cast.c ---- taco__cast_is_possible says in advance whether a cast exists; taco__cast_vector
   then fails, or makes nulls for TRY_CAST, only because of single values. taco__cast_format appends
   to b. */

TACO__FN bool taco__cast_is_possible(const taco__sql_type *a, const taco__sql_type *b);
TACO__FN bool taco__cast_fits(const taco__scalar_type *t, const taco__i256 *x);
TACO__FN bool taco__cast_double_to_int(double d, taco__i256 *out);
TACO__FN double taco__cast_to_double(const taco__vec *v, size_t i, bool single);
TACO__FN bool taco__cast_format(taco__buf *b, const taco__vec *v, size_t i, bool nested,
                                taco_error *err);
TACO__FN bool taco__cast_vector(taco__arena *arena, const taco__vec *src, const taco__sql_type *to,
                                bool tries, taco__vec *out, taco_error *err);

/* ---- cast_text.c ---- */

TACO__FN bool taco__cast_text_nested(taco__arena *arena, const taco__vec *v, bool tries,
                                     taco__vec *out, size_t *bad, taco_error *err);

/* ---- functions.c ---- taco__func_find is for the binder, taco__func_run for the evaluator. */

TACO__FN const taco__func *taco__func_find(taco_bytes name, uint32_t args, bool *known);
TACO__FN void taco__func_arity(taco_bytes name, uint32_t *least, uint32_t *most);
TACO__FN const char *taco__func_nearest(taco_bytes name);
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i);
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n);

/* ---- func_number.c ---- Called by functions.c, and by aggregates.c for sums. Null rows are
   skipped. */

TACO__FN TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x);
TACO__FN bool taco__func_number_mul64(int64_t a, int64_t b, int64_t *out);
TACO__FN bool taco__func_number_run(taco__func_call *x);

/* ---- func_math.c ---- */

TACO__FN double taco__math_pow(double x, double y);

/* ---- aggregates.c ----
   An aggregate is used in this order: set_result_type when it is bound; then for every batch
   reserve (for all groups so far) and add; finish once. The arena holds states and values until
   then; the caller frees a->groups. */

TACO__FN const taco__aggregate_name *taco__aggregate_lookup(taco_bytes name);
TACO__FN uint8_t taco__aggregate_find(taco_bytes name);
TACO__FN const char *taco__aggregate_nearest(taco_bytes name, size_t *least);
TACO__FN TACO__COLD const char *taco__aggregate_wanted(uint8_t id);
TACO__FN int taco__aggregate_compare_keys(const void *ctx, const void *x, const void *y);
TACO__FN const taco__vec *taco__aggregate_values(const taco__aggregate *a);
TACO__FN void taco__aggregate_sort_rows(const taco__vec *v, uint32_t *idx, uint32_t *tmp, size_t n);
TACO__FN bool taco__aggregate_discrete(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err);
TACO__FN bool taco__aggregate_quantile(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err);
TACO__FN bool taco__aggregate_reserve(taco__aggregate *a, taco__arena *arena, size_t n,
                                      taco_error *err);
TACO__FN bool taco__aggregate_add(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                  const uint32_t *group, const uint8_t *keep, size_t n,
                                  taco_error *err);
TACO__FN bool taco__aggregate_is_ordered(const taco__aggregate *a);
TACO__FN bool taco__aggregate_defer(taco__aggregate *a, taco__arena *arena, size_t rows,
                                    taco_error *err);
TACO__FN void taco__aggregate_reset(taco__aggregate *a);
TACO__FN bool taco__aggregate_merge(taco__aggregate *a, taco__arena *arena, taco__aggregate *part,
                                    const uint32_t *group, size_t groups, taco_error *err);
TACO__FN bool taco__aggregate_finish(taco__aggregate *a, taco__arena *arena, size_t groups,
                                     taco__vec *out, taco_error *err);
TACO__FN bool taco__aggregate_set_result_type(taco__aggregate *a);

/* ---- bind.c ---- All functions change the tree in place, and set b->err on failure.
   taco__bind_find_column looks a name up without binding it. */

TACO__FN TACO__COLD bool taco__bind_fail(taco__bind *b, const taco__sql_expr *e, const char *what);
TACO__FN bool taco__bind_name_is(taco_bytes a, const char *name);
TACO__FN bool taco__bind_names_equal(taco_bytes a, taco_bytes b);
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column);
TACO__FN void taco__bind_qualify(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_count_nodes(taco__bind *b, const taco__sql_expr *e);
TACO__FN bool taco__bind_require_bool(taco__bind *b, taco__sql_expr **at);
TACO__FN bool taco__bind_children(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_struct_field(taco__bind *b, taco__sql_expr *e, taco_bytes name);
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at);

/* ---- sql_keywords.c ---- */

TACO__FN bool taco__sql_keywords_has(taco_bytes name);

/* ---- sql_expr_text.c ----
   Texts are in the binder's arena. A tree must not be bound yet: binding loses names. */

TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e);
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out);
TACO__FN const char *taco__sql_expr_text_label(taco__bind *b, const taco__sql_expr *e);

/* ---- sql_query_text.c ---- */

TACO__FN bool taco__sql_query_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

/* ---- bind_type.c ----
   Operands must be bound. taco__bind_type_add_cast replaces *at by a CAST around it; the others
   call it. */

TACO__FN bool taco__bind_type_add_cast(taco__bind *b, taco__sql_expr **at, const taco__sql_type *t);
TACO__FN TACO__COLD bool taco__bind_type_fail_mismatch(taco__bind *b, const taco__sql_expr *e,
                                                       const taco__sql_type *x,
                                                       const taco__sql_type *y, const char *what);
TACO__FN bool taco__bind_type_unify(taco__bind *b, taco__sql_expr *e, uint32_t first, uint32_t step,
                                    bool odd_last, bool compare, taco__sql_type *out);
TACO__FN bool taco__bind_type_arithmetic(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_type_round(taco__bind *b, taco__sql_expr *e);

/* ---- bind_call.c ---- Binds the arguments, too, because those of aggregates are bound
   differently. */

TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e);

/* ---- evaluate.c ----
   The tree must be bound to the columns of the batch. Results may share memory with these. */

TACO__FN bool taco__evaluate_subset(const taco__sql_batch *c, const uint32_t *idx, size_t n,
                                    taco__sql_batch *out);
TACO__FN bool taco__evaluate_expr(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);
TACO__FN uint32_t *taco__evaluate_filter(taco__sql_batch *c, const taco__sql_expr *e, size_t *n);

/* ---- operators.c ----
   taco__operator_next is what the cursor of a SELECT calls; hash_join.c and group_table.c use the
   scan and batches of expressions. */

TACO__FN taco_error *taco__operator_err(taco__executor *x);
TACO__FN bool taco__operator_distinct_rows(taco__executor *x);
TACO__FN bool taco__operator_scan(taco__executor *x, size_t t, taco__vec *cols, size_t *n);
TACO__FN bool taco__operator_test(taco__executor *x, size_t t, bool alone, taco__vec *cols,
                                  size_t *n);
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n);
TACO__FN bool taco__operator_group_rows(taco__executor *x);
TACO__FN bool taco__operator_sort_rows(taco__executor *x);
TACO__FN bool taco__operator_distinct(taco__executor *x, taco__vec *v, size_t *n);
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out);
TACO__FN void taco__operator_close(taco__executor *x);

/* ---- hash_join.c ----
   Build once for each table after the first, before any batch is run through it. */

TACO__FN void taco__hash_join_share(taco__hash_join *j, const taco__hash_join *from);
TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t);
TACO__FN bool taco__hash_join_left_over(taco__executor *x, size_t *t, taco__vec *cols, size_t *n);
TACO__FN size_t taco__hash_join_waiting(const taco__executor *x);
TACO__FN bool taco__hash_join_run(taco__executor *x, size_t t, taco__vec **cols, size_t *n);

/* ---- group_table.c ----
   Numbers of groups are dense, from 0, and never change. */

TACO__FN bool taco__group_table_init(taco__executor *x, taco__group_table *g,
                                     taco__sql_expr *const *types, size_t width);
TACO__FN bool taco__group_table_number_rows(taco__executor *x, taco__group_table *g,
                                            const taco__vec *v, size_t n, uint32_t *out);
TACO__FN bool taco__group_table_merge(taco__executor *x, taco__group_table *g,
                                      const taco__group_table *part, uint32_t *out);

/* ---- sort_operator.c ----
   Init, add every batch, sort, then next until *end. Rows that were added are copies. */

TACO__FN bool taco__sort_operator_sort(taco__executor *x, size_t n);
TACO__FN uint64_t taco__sort_operator_most_rows(const taco__executor *x);
TACO__FN bool taco__sort_operator_trim(taco__executor *x);
TACO__FN bool taco__sort_operator_init_rows(taco__executor *x, taco__arena *hold,
                                            taco__vec_builder **out);
TACO__FN void taco__sort_operator_set_vectors(taco__executor *x);
TACO__FN bool taco__sort_operator_add(taco__executor *x, const taco__vec *v, size_t n);
TACO__FN bool taco__sort_operator_next(taco__executor *x, taco__vec **v, size_t *n, bool *end);

/* ---- sql_tasks.c ----
   Each reads as many rows of the first table as tasks can, and leaves the scan at the rest. */

TACO__FN bool taco__sql_tasks_group(taco__executor *x);
TACO__FN bool taco__sql_tasks_sort(taco__executor *x);
TACO__FN bool taco__sql_tasks_drop_duplicates(taco__executor *x);
TACO__FN bool taco__sql_tasks_count(taco__executor *x);
TACO__FN bool taco__sql_tasks_restart(taco__executor *x);

/* ---- planner.c ---- Views plan in parts: they bind the table and inspect it before they decide
   whether a layer is needed. */

TACO__FN taco__executor *taco__planner_new(taco_cursor *c);
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t);
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t);
TACO__FN void taco__planner_qualify(taco__executor *x);
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql);
TACO__FN bool taco__planner_run(taco__executor *x);
TACO__FN taco_cursor *taco__planner_open_part(taco_dataset *ds, const taco__executor *of,
                                              uint64_t from, uint64_t to, taco_error *err);
TACO__FN bool taco__planner_set_rows(taco__executor *x, uint64_t from, uint64_t to);
TACO__FN bool taco__planner_reopen(taco__executor *x);

/* ---- planner_join.c ---- Join conditions that are not in ON; names must be qualified. */

TACO__FN bool taco__planner_join_merge(taco__executor *x, size_t t);
TACO__FN bool taco__planner_join_reorder(taco__executor *x);
TACO__FN bool taco__planner_join_take_where(taco__executor *x);

/* ---- subquery.c ---- A cursor opened here lives until its plan is closed. */

TACO__FN taco_cursor *taco__subquery_open(taco__executor *outer, const taco__sql_select *s);
TACO__FN bool taco__subquery_column_type(taco__executor *x, const taco_cursor *c, size_t i,
                                         taco__sql_type *out);
TACO__FN taco_field *taco__subquery_fields(taco__executor *x, size_t t, const taco_field *from,
                                           size_t n);
TACO__FN bool taco__subquery_is_outer(taco__bind *b, const taco__sql_expr *e);
TACO__FN bool taco__subquery_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__subquery_value(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);
TACO__FN bool taco__subquery_contains(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);

/* ---- range_table.c ---- */

TACO__FN bool taco__range_table_parse(taco__parser *p, taco__sql_table_ref *f);
TACO__FN bool taco__range_table_plan(taco__executor *x);

/* ---- unnest.c ---- */

TACO__FN bool taco__unnest_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__unnest_is_called(const taco__sql_expr *e);
TACO__FN void taco__unnest_place(taco__executor *x);
TACO__FN bool taco__unnest_bind_table(taco__executor *x, size_t t, taco_field *field,
                                      taco__sql_type *type);
TACO__FN bool taco__unnest_parse(taco__parser *p, taco__sql_table_ref *f);
TACO__FN bool taco__unnest_waits(const taco__executor *x);
TACO__FN bool taco__unnest_next(taco__executor *x, taco__sql_batch *rows);

/* ---- set_operation.c ---- */

TACO__FN bool taco__set_operation_put(taco__executor *x, const taco__vec *v, size_t n,
                                      taco_batch *out);
TACO__FN bool taco__set_operation_set_fields(taco__executor *x, const taco__set_operation *o,
                                             size_t n);

TACO__FN bool taco__set_operation_plan(taco__executor *x);

/* ---- pushdown.c ----
   Slots: table * TACO__MAX_LEVELS + level. taco__pushdown_find_slot looks at trees that are
   qualified but not bound. */

TACO__FN taco__pushdown *taco__pushdown_new(taco__executor *x);
TACO__FN size_t taco__pushdown_find_slot(taco__executor *x, const taco__sql_expr *e);
TACO__FN const char *taco__pushdown_column_name(void *executor, const taco__sql_expr *e);
TACO__FN taco__expr *taco__pushdown_predicate(taco__executor *x, taco__arena *arena,
                                              const taco__sql_expr *e);
TACO__FN bool taco__pushdown_split_where(taco__executor *x, taco__pushdown *pushed);

/* ---- planner_output.c ---- In the order in which taco__planner_plan calls them; each needs the
   results of the previous one. */

TACO__FN bool taco__planner_output_expand_stars(taco__executor *x);
TACO__FN bool taco__planner_output_has_aggregate(const taco__sql_expr *e);
TACO__FN bool taco__planner_output_bind_groups(taco__executor *x);
TACO__FN bool taco__planner_output_bind_order(taco__executor *x);
TACO__FN bool taco__planner_output_bind_distinct(taco__executor *x);
TACO__FN bool taco__planner_output_bind_items(taco__executor *x);
TACO__FN bool taco__planner_output_bind_having(taco__executor *x);
TACO__FN bool taco__planner_output_set_fields(taco__executor *x);

/* ---- view.c ---- Shared by the files of views. */

TACO__FN taco_view *taco__view_make(taco_dataset *ds, const taco_view *from,
                                    const taco__view_step *more, size_t n, taco_error *err);
TACO__FN bool taco__view_is_protected(taco_bytes name);
TACO__FN bool taco__view_keeps_rows(const taco__sql_select *s);

/* ---- view_layers.c ----
   A layer is numbered from 1 for the lowest; "the first n layers" are those below number n + 1. */

TACO__FN bool taco__view_layer_init(taco__view_query *z, const char *sql);
TACO__FN bool taco__view_layer_append_list(taco__view_query *z, const taco__query_columns *list,
                                           taco__buf *out);
TACO__FN bool taco__view_layer_source_init(taco__view_query *z, taco__view_source *b, size_t layers,
                                           bool ids, taco_error *err);
TACO__FN void taco__view_layer_source_free(taco__view_source *b);
TACO__FN size_t taco__view_layer_conjuncts(taco__sql_select *s, taco__sql_expr ***list);
TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t n, bool ids,
                                            taco_error *err);

/* ---- view_query.c ---- A plan is on the stack: init, open one or more cursors, free. Cursors
   outlive it. */

TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z,
                                                 const taco__query_columns *select,
                                                 const taco__query_filter *more, size_t n,
                                                 taco_error *err);
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids);
TACO__FN taco_cursor *taco__view_query_open_part(taco_dataset *ds, const taco__executor *of,
                                                 uint64_t from, uint64_t to, taco_error *err);
TACO__FN void taco__view_query_free(taco__view_query *z);
TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco__query_filter *f);
TACO__FN bool taco__view_query_add_limit(taco__view_query *z, uint64_t limit, uint64_t offset);
TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f);
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool plan_only,
                                    taco_error *err);
TACO__FN bool taco__view_query_open_plan(taco__view_query *z, const taco_view *v, taco_error *err,
                                         taco_cursor **c);

/* ---- view_pushdown.c ---- Called once for each added layer, after its names have been
   resolved. */

TACO__FN bool taco__view_pushdown_run(taco__view_query *z, taco__executor *x);

TACO__INLINE bool taco__vec_is_valid(const taco__vec *v, size_t i)
{
    return !v->valid || v->valid[i * v->step];
}

TACO__INLINE bool taco__func_number_add64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a + (uint64_t)b);
    return ((a ^ *out) & (b ^ *out)) >= 0;
}

#endif /* TACO__SQL_H */
