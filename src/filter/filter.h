/* filter.h - what the folder offers to the others. */
#ifndef TACO__FILTER_H
#define TACO__FILTER_H

#include "../base/base.h"
#include "../parquet/parquet.h"

/* One scalar is a type and a number or bytes. All exact kinds (BOOL, integers, DECIMAL, DATE, TIME,
   TIMESTAMP) keep their number in 256 bits, so that comparing an INT64 with a DECIMAL(76, 30) or a
   TIMESTAMP of one unit with another is one code path without overflow. The semantics, which type
   two sides are compared in, are DuckDB's. */

/* ---- 256-bit integers ---- */

/* two's complement, w[0] least significant */
typedef struct taco__i256 {
    uint64_t w[4];
} taco__i256;

/* ---- types and values ---- */

typedef struct taco__scalar_type {
    taco_type id;
    taco_unit unit;           /* TIME, TIMESTAMP */
    bool utc;                 /* TIMESTAMP: an instant */
    int32_t precision, scale; /* DECIMAL */
} taco__scalar_type;

typedef struct taco__scalar {
    taco__scalar_type type; /* TACO_NULL: the SQL NULL */
    /* exact kinds; of DECIMAL the unscaled number, of DATE days, of TIME and TIMESTAMP units */
    taco__i256 d;
    double f;     /* HALF, FLOAT, DOUBLE */
    taco_bytes b; /* TEXT, BINARY, UUID; borrowed */
} taco__scalar;

/* ---- the type two sides are compared in ---- */

typedef enum taco__compare_domain {
    TACO__DOMAIN_NONE = 0, /* the sides cannot be compared; or one is NULL */
    TACO__DOMAIN_EXACT,    /* integers, decimals, dates, instants: no rounding */
    TACO__DOMAIN_F32,
    TACO__DOMAIN_F64,
    TACO__DOMAIN_BYTES
} taco__compare_domain;

#define TACO__SCALAR_INF32_KEY ((int64_t)0x7F800000)
#define TACO__SCALAR_INF64_KEY ((int64_t)0x7FF << 52)

typedef enum taco__token {
    TACO__TOK_END = 0,
    TACO__TOK_NAME,   /* bare: a keyword or a column */
    TACO__TOK_QUOTED, /* "name": raw text between the quotes, "" not yet resolved */
    TACO__TOK_NUMBER,
    TACO__TOK_STRING, /* 'text': raw, '' not yet resolved */
    TACO__TOK_BLOB,   /* X'hex' */
    TACO__TOK_SIGN    /* punctuation, one to three characters */
} taco__token;

typedef struct taco__lexer {
    taco_bytes text;
    size_t pos;       /* behind the current token */
    taco__token kind; /* the current token */
    size_t at, end;   /* where it stands, quotes included */
    taco_bytes raw;   /* its characters, quotes not included */
    bool integral;    /* NUMBER: neither point nor exponent */
    bool doubled;     /* STRING, QUOTED: holds a doubled quote */
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
    /* what stands beside the one or two %; before the first wildcard of FULL; escapes resolved */
    taco_bytes fixed;
    taco__like_mode mode;
    bool icase, has_escape;
    uint8_t escape;
} taco__like_pattern;

/* characters first, first + step, ... last have their lower case at + delta */
typedef struct taco__like_case_range {
    uint32_t first, last;
    uint8_t step;
    int32_t delta;
} taco__like_case_range;

/* ---- expressions as they are written ---- */

/* A type of SQL. LIST and MAP have one child, STRUCT its fields. DECIMAL of precision 39 is
   HUGEINT, a BINARY with `geo` set is a GEOMETRY. */
typedef struct taco__sql_type {
    taco__scalar_type t;
    bool geo;
    uint32_t count;
    const struct taco__sql_type *kids;
    const char *const *names; /* STRUCT */
} taco__sql_type;

/* bytes of a query are in taco__sql_parse; this is the most of any list in it */
#define TACO__SQL_MAX_ITEMS 4096 /* of any list in it */

typedef enum taco__sql_expr_kind {
    TACO__SQL_EXPR_CONST = 0,
    TACO__SQL_EXPR_COLUMN, /* table (may be empty), name */
    TACO__SQL_EXPR_STAR,   /* table (may be empty); kids: COLUMNs left out */
    TACO__SQL_EXPR_CALL,   /* name(kids...), operators too; filter of an aggregate */
    TACO__SQL_EXPR_CASE,   /* when, then, ..., else */
    TACO__SQL_EXPR_CAST,   /* one kid, to */
    TACO__SQL_EXPR_AND,
    TACO__SQL_EXPR_OR,
    TACO__SQL_EXPR_NOT,
    TACO__SQL_EXPR_CMP, /* op; nullsafe */
    TACO__SQL_EXPR_BETWEEN,
    TACO__SQL_EXPR_IN,
    TACO__SQL_EXPR_ISNULL,
    TACO__SQL_EXPR_ISBOOL, /* of a `where`; op: taco__is_op */
    TACO__SQL_EXPR_INDEX,  /* value, index */
    TACO__SQL_EXPR_SLICE,  /* value, from, to (a NULL constant where open) */
    TACO__SQL_EXPR_FIELD,  /* value, name */
    TACO__SQL_EXPR_REF     /* bound: column `index` of the batch */
} taco__sql_expr_kind;

typedef struct taco__sql_expr {
    taco__sql_expr_kind kind;
    uint8_t op;      /* CMP: taco__compare_op; ISBOOL: taco__is_op */
    uint8_t literal; /* 1 integer, 2 text: takes the type of what it meets */
    bool neg, nullsafe, tries, distinct, infix;
    bool chained; /* CMP without parentheses: a `where` does not compare it again */
    size_t at;    /* column in the text */
    uint32_t depth, n, cap;
    uint32_t func; /* bound CALL: what to run */
    size_t index;
    taco_bytes table, name, alias;
    struct taco__sql_expr **kid;
    struct taco__sql_expr *filter;
    taco__sql_type to;   /* CAST */
    taco__sql_type type; /* bound */
    taco__scalar value;
    const void *plan; /* bound: what the function prepared */
} taco__sql_expr;

struct taco__parser;

/* How strongly operators bind, weakest first: the grammar of PostgreSQL, which is DuckDB's. From
   VALUE on they make values: || and others, + -, * / // %. */
enum {
    TACO__BINDS_OR = 1,
    TACO__BINDS_AND,
    TACO__BINDS_NOT,
    TACO__BINDS_IS,
    TACO__BINDS_COMPARE,
    TACO__BINDS_IN, /* and BETWEEN, LIKE */
    TACO__BINDS_VALUE,
    TACO__BINDS_ADD,
    TACO__BINDS_MULTIPLY
};

/* What the two texts that hold expressions, a `where` and a SELECT, differ in. */
typedef struct taco__dialect {
    bool is_where;
    uint32_t levels;      /* calls of taco__parse_expr that count as one of max_depth */
    const char *too_deep; /* message; its %u is limits.max_depth */
    /* what is expected, in messages: FROM of IS DISTINCT, ( and ) of IN, AND of BETWEEN */
    const char *from, *in_open, *in_close, *between_and;
    /* A value with everything that binds to it more strongly than operators. */
    taco__sql_expr *(*operand)(struct taco__parser *p);
    /* The strength of the operator at the token, and its name; 0 where there is none, or with an
       error where something stands there that must not. */
    int (*find_operator)(struct taco__parser *p, const char **name);
} taco__dialect;

typedef struct taco__parser {
    taco__lexer lex;
    const taco__dialect *dialect;
    taco__arena *arena;
    taco_error *err; /* the first error stays in it */
    uint32_t depth, max_depth;
} taco__parser;

/* text -> taco__pred_parse -> tree of what was written -> taco__pred_bind -> tree that rooms eval
   and prune run. Binding turns every comparison of a column with constants into a TEST: a set of
   key ranges, byte ranges, texts or a pattern in the column's own storage, so that no value is
   converted row by row. What is left (column with column) stays a CMP over values. A tree is bound
   once, in place, and is read-only from then on: many threads may evaluate it. */

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

/* which results rows of a range of a file may have; a set */
typedef enum taco__outcomes {
    TACO__MAY_TRUE = 1,
    TACO__MAY_FALSE = 2,
    TACO__MAY_NULL = 4,
    TACO__MAY_ANY = 7
} taco__outcomes;

/* what statistics tell of one column in a row group or page */
typedef struct taco__column_stats {
    bool has_min,
        /* bounds of the values that are neither NULL nor NaN; may be cut, as texts are */
        has_max;
    taco__scalar min, max;
    int64_t null_count; /* -1: unknown */
    int64_t row_count;  /* -1: unknown */
    int32_t physical;   /* Parquet type, for holds */
    bool (*holds)(
        void *ctx,
        taco_bytes plain); /* false: no row has the value of these PLAIN bytes. May be NULL */
    void *holds_ctx;
    const taco_array *entries; /* every value is one of these; NULL: unknown */
    taco__mem *mem;            /* pays for looking at them */
} taco__column_stats;

/* A predicate of the caller on one column. eval finds true_bits zeroed and valid_bits a copy of the
   array's validity; both hold `rows` bits, least significant first, in a multiple of 8 bytes. It
   sets the bits of rows that match and may clear valid bits of rows whose result is NULL. prune may
   be NULL; it returns a set of taco__outcomes. Both are called from any thread, with ctx as it
   is. */
typedef struct taco__custom_predicate {
    void *ctx;
    bool (*eval)(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                 uint8_t *valid_bits, taco_error *err);
    unsigned (*prune)(void *ctx, const taco__column_stats *range);
} taco__custom_predicate;

typedef enum taco__test_mode {
    TACO__TEST_KEYS = 0, /* key in one of n ranges lo[i]..hi[i], ascending, apart */
    TACO__TEST_LIST,     /* bytes equal to one of n, ascending */
    TACO__TEST_RANGE,    /* bytes between low and high */
    TACO__TEST_LIKE
} taco__test_mode;

typedef struct taco__test {
    taco__test_mode mode;
    bool null_rest;  /* the list held a NULL: rows outside it are NULL */
    bool null_false; /* IS NOT DISTINCT FROM: NULL rows are outside */
    size_t n;
    taco__i256 *lo, *hi;
    int64_t *lo64,
        /* the same where the column's keys have 64 bits; UINT64 with the top bit flipped */
        *hi64;
    taco_bytes *list;
    taco_bytes low, high;
    bool has_low, has_high, open_low, open_high;
    taco__like_pattern like;
} taco__test;

typedef struct taco__expr {
    taco__pred_kind kind;
    taco__compare_op op;
    taco__is_op is;
    bool neg, nullsafe, icase;
    bool text; /* a literal in quotes, which takes the type of what it meets */
    bool bound;
    uint32_t depth;
    size_t at;                              /* in the text, for messages */
    taco__scalar_type type;                 /* known after binding; conditions are BOOL */
    taco__compare_domain domain;            /* CMP */
    struct taco__expr *first, *last, *next; /* children; sibling */
    taco_bytes name;                        /* COLUMN; NULL: `column` is known already */
    size_t column;                          /* COLUMN, RANGE, TEST, CUSTOM */
    const taco_field *field;
    taco__scalar value;  /* CONST */
    bool has_lo, has_hi; /* RANGE */
    int64_t lo, hi;      /* RANGE: lo <= x < hi */
    taco__test *test;
    taco__custom_predicate custom;
} taco__expr;

/* What a predicate is made with; see predicate_from_sql.c. */
typedef struct taco__pred_maker {
    taco__arena *arena;
    taco_error *err;
    /* What a column of the expression is called in the table that will be read; NULL: as it is
       written. */
    const char *(*column)(void *ctx, const taco__sql_expr *e);
    void *ctx;
} taco__pred_maker;

/* ---- binding: names ---- */

typedef struct taco__pred_binder {
    taco__arena *arena;
    const taco_field *columns;
    size_t n;
    taco_error *err;
} taco__pred_binder;

/* Sorts and joins the ranges and fills in their 64-bit forms. */
typedef struct taco__key_range {
    taco__i256 lo, hi;
} taco__key_range;

/* A condition is evaluated node by node over whole batches into two bitmaps: true_bits and
   valid_bits, true being a subset of valid. FALSE is valid and not true. Bitmaps are arrays of
   64-bit words whose bits behind the last row are 0. */

typedef struct taco__pred_eval_block {
    struct taco__pred_eval_block *next;
    size_t size, used;
} taco__pred_eval_block;

typedef struct taco__pred_eval_state {
    const taco_array **columns;
    size_t rows, words;
    taco__mem *mem;
    taco__pred_eval_block *blocks; /* scratch, newest first */
    taco_error *err;
} taco__pred_eval_state;

/* The same for conditions that need the row's number, `row`, and do not vectorise: a loop inside a
   function that has n and out. No word is written twice, so no row waits for the one before it. */
#define TACO__PRED_KERNEL_EACH(condition)                                                          \
    {                                                                                              \
        uint8_t flags[64] = {0};                                                                   \
        size_t row = 0, bit;                                                                       \
        while (row < n) {                                                                          \
            size_t more = TACO__MIN(n - row, (size_t)64);                                          \
            for (bit = 0; bit < more; bit++, row++) {                                              \
                flags[bit] = (uint8_t)(condition);                                                 \
            }                                                                                      \
            memset(flags + more, 0, 64 - more);                                                    \
            out[(row - 1) / 64] = taco__pred_kernel_pack_flags(flags);                             \
        }                                                                                          \
    }

/* ---- keys of columns ---- */

#define TACO__PRED_KERNEL_STEP 512 /* rows converted at a time, a multiple of 64 */

/* ---- a scan: rows of a table that match ---- */

/* The parts of a taco__scan, in the order in which a row passes through them. Each is written by
   the functions of one file alone, the caller's settings (taco__scan_query) by nobody once the
   first rows have been asked for. Tasks that run side by side read all of it and write only to
   their own taco__scan_filter or taco__scan_reader. */

/* Rows a predicate is evaluated on at a time: their values stay in the cache. */
#define TACO__SCAN_SLICE 8192
/* Bytes of column chunks held at a time, for a vectored source or for tasks. */
#define TACO__SCAN_AHEAD ((uint64_t)64 << 20)
/* Row groups that are looked at together, at most. */
#define TACO__SCAN_WINDOW_GROUPS 256
/* Tasks at the same time, at most. */
#define TACO__SCAN_MAX_TASKS 16
/* The first place for spare blocks (taco__mem_task_take_spares) that a scan leaves to others: its
   filters have 1 to TACO__SCAN_MAX_TASKS, its readers, one more than those, the places after. */
#define TACO__SCAN_SPARES (2 * TACO__SCAN_MAX_TASKS + 2)

/* What to read. tested is the scan's own list, the rest is borrowed. */
typedef struct taco__scan_query {
    const taco__table *table;
    const taco__expr *where; /* bound to the table's columns; NULL: every row matches */
    const uint8_t *select;   /* bitmap over the table's rows; NULL: all of them */
    uint64_t from, to;       /* rows outside [from, to) are not looked at */
    size_t batch_rows;       /* of a batch, at most; TACO__BATCH_ROWS unless the caller says */
    const size_t *tested;    /* table columns that `where` reads, ascending */
    size_t tested_count;
    /* the scan's number in the cache of pages (taco__page_cache_begin_scan): pages of chunks that
       it has marked stay there; 0: nothing is cached */
    uint64_t cache_scan;
} taco__scan_query;

/* Rows of a table that may match, one after the other. Those of a scan ascend; one span may reach
   over several row groups. */
typedef struct taco__scan_span {
    uint64_t first, n;
    bool all_match; /* by statistics: nothing has to be evaluated */
} taco__scan_span;

/* What pruning saved, for those who ask. */
typedef struct taco__scan_counts {
    uint64_t groups, groups_pruned;           /* by statistics */
    uint64_t bloom_pruned, dictionary_pruned; /* row groups beyond those */
    /* stretches of rows between page boundaries, by the column index */
    uint64_t pages, pages_pruned;
} taco__scan_counts;

/* Row groups that are looked at together, before any of their pages is read. The arrays are the
   caller's, of room for as many row groups as it asks for. */
typedef struct taco__scan_window {
    uint32_t *groups;  /* ascending */
    uint8_t *outcomes; /* of each what statistics say, a set of taco__outcomes */
    size_t count;
} taco__scan_window;

/* Which rows are still to be looked at: scan_plan.c takes row groups one after the other or a
   window of them at a time, scan_prune.c drops what cannot match. */
typedef struct taco__scan_plan {
    uint32_t next_group;        /* row groups before this one are done, or at hand */
    taco__buf spans;            /* taco__scan_span, of the row groups at hand */
    size_t span_at;             /* one row group at a time: spans before this one are evaluated */
    uint64_t next_row, end_row; /* a window: the rows that are still to be evaluated */
    taco__column_stats *stats;  /* of the row group or page at hand, by table column */
    taco__bloom bloom;          /* the filter that was read last */
    taco__scan_counts counts;
    bool unpruned; /* for tests: everything is read and evaluated */
} taco__scan_plan;

/* Rows of one row group whose pages are needed: those of spans, as far as `select` has them, or,
   where `rows` is not NULL, those numbers. */
typedef struct taco__row_selection {
    uint64_t cache_scan; /* pages that are cached for this scan are not needed; 0: all are */
    const taco__scan_span *spans;
    size_t span_count;
    const uint8_t *select;
    const uint32_t *rows; /* ascending, counted from base */
    size_t row_count;
    uint64_t base;
} taco__row_selection;

/* The bytes a scan has asked its file to hold (scan_fetch.c). */
typedef struct taco__scan_fetch {
    bool windowed;            /* of several row groups at a time: a vectored source, or tasks */
    bool keep_tested;         /* chunks of tested columns stay held: they will be read again */
    taco__buf ranges;         /* taco__range: gathered for the next round */
    taco__buf tested, output; /* taco__range: held, for the predicate and for what goes out */
    size_t ready;             /* matches before this one have the columns that go out held */
} taco__scan_fetch;

/* Rows that were found, ascending. Those of a run, which is what a scan without a predicate finds,
   are not written out. */
typedef struct taco__scan_matches {
    taco__buf numbers; /* uint32_t each, counted from the scan's base; not of a run */
    size_t count;
    uint32_t first; /* of a run */
    bool is_run;    /* the matches are first, first + 1, ... */
} taco__scan_matches;

/* What it takes to evaluate the predicate: one for the calling thread, and one per task. */
typedef struct taco__scan_filter {
    taco__mem own; /* the account of a task */
    taco__mem *mem;
    taco__codecs *codecs;       /* of a task; NULL: those of the file */
    taco__row_reader reader;    /* of the tested columns */
    const taco_array **columns; /* what it reads, by table column */
    taco__column_stats *stats;  /* of the row group at hand, by table column */
    taco__buf bitmap;           /* of a slice: which rows match */
    uint64_t first, end;        /* rows to be evaluated */
    taco__scan_matches found;   /* the calling thread's: what all have found */
    uint64_t dictionary_pruned; /* row groups */
    taco_error err;             /* of a task */
    bool open, ok;
} taco__scan_filter;

/* Columns that go out of some of the matches, read by a task. */
typedef struct taco__scan_reader {
    taco__mem own; /* the account of the task */
    taco__codecs *codecs;
    taco__row_reader rows;
    size_t first, n; /* matches [first, first + n) */
    taco_error err;
    bool ok;
} taco__scan_reader;

/* What a task does with rows that it has just read, as long as the cache holds them: `reader` is
   the number of its taco__scan_reader. Tasks call it at the same time: it may write only to what
   belongs to that reader, and use only the reader's account of memory. What it makes of n rows is
   found again by taco__scan_task_last_reader once they are delivered. */
typedef void (*taco__scan_rows_read)(void *ctx, size_t reader);

/* The tasks of a scan (scan_parallel.c), run by the host's parallel_for. */
typedef struct taco__scan_tasks {
    const taco_options *host;   /* NULL: no tasks, from the start or since they failed */
    size_t width;               /* tasks at the same time */
    taco__scan_filter *filters; /* `width` of them, once they are needed */
    /* taco__scan_task_max_readers of them, once they are needed */
    taco__scan_reader *readers;
    size_t reader_count; /* of the last batch */
    uint64_t batch;      /* how many batches tasks have read: the number of the last one */
    size_t batch_end;    /* matches before this one were read... */
    bool batch_by_tasks; /* ... by tasks */
    taco__scan_rows_read rows_read; /* or NULL */
    void *rows_read_ctx;
} taco__scan_tasks;

typedef struct taco__scan {
    taco__scan_query query;
    taco__mem *mem;
    taco__arena arena;
    taco__scan_plan plan;
    taco__scan_fetch fetch;
    taco__scan_filter filter; /* of the calling thread; filter.found is what was found */
    taco__scan_tasks tasks;
    taco__row_reader out; /* the columns that go out */
    uint64_t base;        /* the row that numbers of matches count from */
    size_t delivered;     /* matches that taco__scan_next has returned */
    taco__buf ordinals;   /* uint32_t 0, 1, 2, ...: numbers of the rows of a run */
} taco__scan;

/* The i-th match, counted from the scan's base. */
TACO__INLINE uint32_t taco__scan_match(const taco__scan_matches *m, size_t i)
{
    return m->is_run ? m->first + (uint32_t)i
                     : ((const uint32_t *)(const void *)m->numbers.data)[i];
}

/* ---- reader.c ---- */

/* A query of a Parquet file. */
struct taco_pq_reader {
    taco_pq_file *file;
    taco__table table;
    taco__arena arena; /* the predicate, and the lists of columns */
    taco__scan scan;
    taco_field *fields; /* of the columns that go out */
    size_t count;
    uint64_t left;  /* rows up to the limit */
    bool owns_file; /* the file is closed with it: an export was asked to */
    taco_error err; /* the first failure: nothing is read after it */
};

/* ---- int256.c ---- */

TACO__FN taco__i256 taco__i256_from_i64(int64_t x);
TACO__FN taco__i256 taco__i256_from_u64(uint64_t x);
TACO__FN int taco__i256_compare(const taco__i256 *a, const taco__i256 *b);
TACO__FN taco__i256 taco__i256_add(taco__i256 a, taco__i256 b);
TACO__FN taco__i256 taco__i256_negate(taco__i256 a);
TACO__FN bool taco__i256_multiply_add(taco__i256 *a, uint32_t m, uint32_t c);
TACO__FN bool taco__i256_mul10(taco__i256 *a, int32_t k);
TACO__FN taco__i256 taco__i256_div10(taco__i256 a, int32_t k, bool round);
TACO__FN bool taco__i256_is_i64(const taco__i256 *a);
TACO__FN taco__i256 taco__i256_from_le(const uint8_t *p, size_t width);
TACO__FN bool taco__i256_from_be(taco_bytes b, taco__i256 *out);

/* ---- scalar.c ---- */

TACO__FN taco__scalar_type taco__scalar_simple_type(taco_type id);
TACO__FN taco__scalar_type taco__scalar_type_of_field(const taco_field *f);
TACO__FN const char *taco__scalar_type_name(taco_type id);
TACO__FN bool taco__scalar_is_int(taco_type id);
TACO__FN bool taco__scalar_is_float(taco_type id);
TACO__FN bool taco__scalar_is_number(taco_type id);
TACO__FN bool taco__scalar_is_bytes(taco_type id);
TACO__FN bool taco__scalar_is_nested(taco_type id);
TACO__FN taco__scalar taco__scalar_make_null(void);
TACO__FN taco__scalar taco__scalar_make_int(taco_type id, int64_t x);
TACO__FN taco__scalar taco__scalar_make_double(taco_type id, double x);
TACO__FN taco__scalar taco__scalar_make_bytes(taco_type id, taco_bytes b);
TACO__FN double taco__scalar_i256_to_double(const taco__i256 *a, bool single);
TACO__FN double taco__scalar_decimal_to_double(const taco__i256 *d, int32_t scale, bool single);
TACO__FN double taco__scalar_to_double(const taco__scalar *v, bool single);
TACO__FN taco__compare_domain taco__scalar_domain_of(taco_type id);
TACO__FN int32_t taco__scalar_decimal_digits(const taco__scalar_type *t);
TACO__FN bool taco__scalar_common_type(const taco__scalar_type *a, const taco__scalar_type *b,
                                       bool equality, taco__scalar_type *out);
TACO__FN int taco__scalar_compare(taco__compare_domain dom, const taco__scalar *a,
                                  const taco__scalar *b);
TACO__FN bool taco__scalar_has_key(taco_type id);
TACO__FN taco__i256 taco__scalar_to_key(const taco__scalar *v);
TACO__FN taco__scalar taco__scalar_from_key(const taco__scalar_type *t, taco__i256 key);
TACO__FN void taco__scalar_key_bounds(const taco__scalar_type *t, taco__i256 *lo, taco__i256 *hi);
TACO__FN bool taco__scalar_fits(const taco__scalar_type *t, const taco__i256 *d);
TACO__FN bool taco__scalar_from_statistics(const taco_field *f, int32_t physical, taco_bytes b,
                                           taco__scalar *out);

/* ---- scalar_parse.c ---- */

TACO__FN bool taco__scalar_parse_exact(taco_bytes b, int32_t scale, taco__i256 *out);
TACO__FN bool taco__scalar_parse_blob(taco__arena *arena, taco_bytes b, bool hex, taco_bytes *out,
                                      taco_error *err);
TACO__FN bool taco__scalar_parse(taco__arena *arena, taco_bytes text, const taco__scalar_type *t,
                                 taco__scalar *out, taco_error *err);

/* ---- lexer.c ---- */

TACO__FN bool taco__lex_next(taco__lexer *l);
TACO__FN bool taco__lex_init(taco__lexer *l, const char *text, size_t len, taco_error *err);
TACO__FN bool taco__lex_is_word(const taco__lexer *l, const char *lower);
TACO__FN bool taco__lex_unquote(const taco__lexer *l, taco__arena *arena, taco_bytes *out);
TACO__FN bool taco__lex_append_quoted(taco__buf *out, taco_bytes text, char quote, taco_error *err);
TACO__FN TACO__COLD void taco__lex_fail_expected(taco__lexer *l, const char *what);

/* ---- like.c ---- */

TACO__FN uint32_t taco__like_lower(uint32_t c);
TACO__FN uint32_t taco__like_char_at(taco_bytes b, size_t i, size_t n);
TACO__FN bool taco__like_contains(taco_bytes s, taco_bytes what);
TACO__FN bool taco__like_match(const taco__like_pattern *k, taco_bytes s);
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
TACO__FN bool taco__parse_accept_word(taco__parser *p, const char *word);
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
TACO__FN taco__expr *taco__expr_not(taco__arena *arena, taco__expr *child, taco_error *err);
TACO__FN void taco__expr_mark_columns(const taco__expr *e, uint8_t *bitmap);

/* ---- predicate_parse.c ---- */

TACO__FN taco__scalar taco__pred_parse_number(taco_bytes raw, bool integral, bool neg);
TACO__FN bool taco__pred_parse_type_name(taco_bytes name, taco__scalar_type *out);
TACO__FN taco__expr *taco__pred_parse(taco__arena *arena, const char *text, size_t len,
                                      const taco_limits *limits, taco_error *err);

/* ---- predicate_from_sql.c ---- */

TACO__FN taco__expr *taco__pred_from_sql(const taco__pred_maker *m, const taco__sql_expr *e);

/* ---- predicate_bind.c ---- */

TACO__FN bool taco__pred_bind(taco__expr *e, const taco_field *columns, size_t n,
                              taco__arena *arena, taco_error *err);

/* ---- predicate_test.c ---- */

TACO__FN taco__i256 taco__pred_test_key_step(taco__i256 a, int64_t by);
TACO__FN taco__test *taco__pred_test_init(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                          taco__test_mode mode, size_t n);
TACO__FN void taco__pred_test_set_ranges(taco__test *t, taco__key_range *p, size_t n,
                                         const taco__scalar_type *type);
TACO__FN bool taco__pred_test_from_compare(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                           taco__compare_op op, const taco__expr *k,
                                           taco__compare_domain dom);
TACO__FN bool taco__pred_test_from_list(taco__pred_binder *b, taco__expr *e,
                                        const taco__scalar_type *type);
TACO__FN bool taco__pred_test_merge(taco__expr *a, const taco__expr *b);

/* ---- predicate_eval.c ---- */

TACO__FN bool taco__pred_eval(const taco__expr *e, const taco_array **columns, size_t rows,
                              uint8_t *true_bits, taco__mem *mem, taco_error *err);
/* Steps of it, for predicate_compare.c and predicate_prune.c. */
TACO__FN void taco__pred_eval_release(taco__pred_eval_state *v, taco__pred_eval_block *block,
                                      size_t used);
TACO__FN uint64_t *taco__pred_eval_alloc_bitmap(taco__pred_eval_state *v);
TACO__FN void taco__pred_eval_load_bitmap(const uint8_t *bitmap, size_t rows, uint64_t *out);
TACO__FN void taco__pred_eval_fill_bitmap(const taco__pred_eval_state *v, uint64_t *bits, bool set);
TACO__FN const taco_array *taco__pred_eval_column(taco__pred_eval_state *v, const taco__expr *e);
TACO__FN bool taco__pred_eval_call_custom(taco__pred_eval_state *v, const taco__expr *e,
                                          const taco_array *a, size_t rows, uint64_t *yes,
                                          uint64_t *valid);
TACO__FN bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                   uint64_t *yes, uint64_t *valid);

/* ---- predicate_compare.c ---- */

TACO__FN bool taco__pred_compare(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid);
TACO__FN bool taco__pred_compare_like(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                      uint64_t *valid);

/* ---- predicate_kernels.c ---- */

TACO__FN void taco__pred_kernel_range_i32(const int32_t *x, size_t n, uint64_t *out, int32_t lo,
                                          int32_t hi);
TACO__FN void taco__pred_kernel_keys(const taco_array *a, size_t from, size_t n, int64_t *out);
TACO__FN taco__i256 taco__pred_kernel_decimal_key(const taco_array *a, size_t i);
TACO__FN bool taco__pred_kernel_in_byte_range(const taco__test *t, taco_bytes b);
TACO__FN void taco__pred_kernel_test(const taco_array *a, size_t n, const taco__test *t,
                                     uint64_t *out);
TACO__FN void taco__pred_kernel_look_up(const int32_t *index, size_t n, const uint8_t *pass,
                                        uint32_t from, uint32_t entries, uint64_t *out);

/* ---- predicate_prune.c ---- */

TACO__FN bool taco__pred_prune_needs_more(const taco__expr *e, size_t column, bool points);
TACO__FN unsigned taco__pred_prune(const taco__expr *e, const taco__column_stats *ranges);

/* ---- scan.c ---- */

/* Opens a scan of the rows of a table that match. where and select may be NULL and are borrowed,
   the list of columns that go out is copied. batch_rows 0: as many as suit. False leaves the scan
   closed. */
TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err);
/* Only rows [first, first + n) of the table are looked at; before the first call of
   taco__scan_next. Numbers beyond the table's are cut to them. */
TACO__FN void taco__scan_set_rows(taco__scan *s, uint64_t first, uint64_t n);
/* How many rows taco__scan_next returns at most, > 0; at any time. */
TACO__FN void taco__scan_set_batch_rows(taco__scan *s, size_t n);
/* Releases what the scan holds, also its ranges of the file. A zeroed or closed scan is
   accepted. */
TACO__FN void taco__scan_close(taco__scan *s);
/* Numbers of the next rows that match, ascending, counted from *base: at most max of them, 0 at the
   end and on failure, which err tells apart. With `read` their columns are in s->out.arrays. All of
   it lives until the next call. */
TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err);

/* ---- scan_matches.c ---- */

TACO__FN void taco__scan_matches_clear(taco__scan_matches *m);
TACO__FN void taco__scan_matches_truncate(taco__scan_matches *m, size_t n);
TACO__FN uint32_t *taco__scan_matches_reserve(taco__scan_matches *m, size_t n, taco_error *err);
TACO__FN void taco__scan_matches_commit(taco__scan_matches *m, size_t n);
TACO__FN bool taco__scan_matches_add_run(taco__scan_matches *m, uint32_t first, size_t n,
                                         taco_error *err);
TACO__FN bool taco__scan_matches_append(taco__scan_matches *m, const taco__scan_matches *other,
                                        taco_error *err);
TACO__FN size_t taco__scan_matches_lower_bound(const taco__scan_matches *m, size_t from, size_t to,
                                               uint64_t number);
TACO__FN bool taco__scan_matches_read(const taco__scan_matches *m, size_t at, size_t n,
                                      taco__row_reader *r, uint64_t base, taco_error *err);

/* ---- scan_plan.c ---- */

/* A query as a plan of what to read, without reading a page: taco__scan_next takes it step by step,
   EXPLAIN prints it. First row groups by the statistics of the footer; then, once the indexes that
   taco__scan_fetch_add_indexes names are held, the rows of those that may match, in plan.spans. */
TACO__FN bool taco__scan_plan_next_group(taco__scan *s, uint32_t *group, unsigned *may);
TACO__FN void taco__scan_plan_window(taco__scan *s, taco__scan_window *w);
TACO__FN void taco__scan_plan_all_groups(taco__scan *s, taco__scan_window *w);
TACO__FN bool taco__scan_plan_rows(taco__scan *s, taco__scan_window *w, taco_error *err);
TACO__FN bool taco__scan_plan_group_rows(const taco__scan *s, uint32_t group, size_t *at,
                                         taco__row_selection *rows);
TACO__FN bool taco__scan_plan_add_span(taco__scan *s, uint64_t first, uint64_t end, bool all_match,
                                       taco_error *err);

/* ---- scan_prune.c ---- */

TACO__FN uint32_t taco__scan_prune_flat_leaf(const taco__table *t, size_t column);
TACO__FN void taco__scan_prune_bounds_of(const taco__pq_leaf *leaf, const taco__pq_bounds *b,
                                         int64_t rows, taco__column_stats *out);
TACO__FN void taco__scan_prune_group_bounds(const taco__table *t, uint32_t group, size_t column,
                                            taco__column_stats *out);
TACO__FN bool taco__scan_prune_group_selected(const taco__scan *s, uint32_t g);
TACO__FN unsigned taco__scan_prune_group(taco__scan *s, uint32_t group);
TACO__FN bool taco__scan_prune_has_bloom(const taco__scan *s, uint32_t group, size_t column);
TACO__FN bool taco__scan_prune_by_bloom(taco__scan *s, uint32_t group, unsigned *may,
                                        taco_error *err);
TACO__FN bool taco__scan_prune_by_page_index(taco__scan *s, uint32_t group, unsigned may,
                                             taco_error *err);
TACO__FN bool taco__scan_prune_by_dictionary(taco__scan *s, uint32_t group, taco_error *err);

/* ---- scan_fetch.c ---- */

/* What has to be read of a file is gathered as ranges of it first, then read in one round, and held
   until it is released. The functions without a scan serve other readers of rows, too. */
TACO__FN bool taco__scan_fetch_add_range(taco__buf *ranges, const taco_pq_file *f, uint64_t offset,
                                         uint64_t len, taco_error *err);
TACO__FN bool taco__scan_fetch_add_chunks(taco_pq_file *f, const size_t *which, size_t count,
                                          size_t stored, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err);
TACO__FN bool taco__scan_fetch_add_tested(const taco__scan *s, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err);
TACO__FN bool taco__scan_fetch_add_output(const taco__scan *s, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err);
TACO__FN bool taco__scan_fetch_add_indexes(taco__scan *s, const taco__scan_window *w, bool output,
                                           taco_error *err);
TACO__FN uint64_t taco__scan_fetch_range_bytes(const taco__buf *ranges);
TACO__FN uint64_t taco__scan_fetch_chunk_bytes(const taco__table *t, const size_t *which,
                                               size_t count, uint32_t group, bool plain);
TACO__FN bool taco__scan_fetch_ranges(taco__scan *s, taco__buf *held, taco_error *err);
TACO__FN void taco__scan_fetch_release(taco__scan *s, taco__buf *held);
TACO__FN void taco__scan_fetch_mark_output(taco__scan *s, uint64_t first, uint64_t last);
TACO__FN bool taco__scan_fetch_group(taco__scan *s, uint32_t group, taco_error *err);
TACO__FN bool taco__scan_fetch_window(taco__scan *s, taco_error *err);
TACO__FN bool taco__scan_fetch_matches(taco__scan *s, size_t n, taco_error *err);

/* ---- scan_filter.c ---- */

TACO__FN bool taco__scan_filter_open(taco__scan *s, taco__scan_filter *f, taco__mem *mem, bool task,
                                     taco_error *err);
TACO__FN void taco__scan_filter_close(taco__scan *s, taco__scan_filter *f);
TACO__FN bool taco__scan_filter_slice(const taco__scan *s, taco__scan_filter *f, uint64_t first,
                                      size_t n, bool all_match, taco_error *err);
TACO__FN bool taco__scan_filter_test_dictionary(const taco__scan *s, taco__scan_filter *f,
                                                uint32_t group, unsigned *may, taco_error *err);
TACO__FN bool taco__scan_filter_rows(const taco__scan *s, taco__scan_filter *f, taco_error *err);

/* ---- scan_parallel.c ---- */

TACO__FN void taco__scan_task_init(taco__scan *s, const taco_options *host);
TACO__FN void taco__scan_task_close(taco__scan *s);
TACO__FN bool taco__scan_task_filter_window(taco__scan *s);
TACO__FN bool taco__scan_task_read_batch(taco__scan *s, size_t end);
TACO__FN size_t taco__scan_task_deliver(taco__scan *s, size_t n, taco_error *err);
/* For owners of a scan that have work for its tasks: how many readers there may be; what each does
   with its rows, set before the first rows are asked for; the reader that read the n rows delivered
   last, *at being the first of them among its rows, or NULL where no task has read them. */
TACO__FN size_t taco__scan_task_max_readers(const taco__scan *s);
TACO__FN void taco__scan_task_on_rows_read(taco__scan *s, taco__scan_rows_read rows_read,
                                           void *ctx);
TACO__FN const taco__scan_reader *taco__scan_task_last_reader(const taco__scan *s, size_t n,
                                                              size_t *at);

TACO__INLINE bool taco__i256_is_negative(const taco__i256 *a)
{
    return (a->w[3] >> 63) != 0;
}

/* NaN equals NaN and is greater than every number; -0.0 equals 0.0. */
TACO__INLINE int taco__scalar_compare_double(double a, double b)
{
    if (a != a || b != b) { return (a != a) - (b != b); }
    return (a > b) - (a < b);
}

/* ---- keys: every fixed-width column as integers in the order of SQL ---- */

/* A key is an integer that sorts as the value does, so that any comparison with a constant becomes
   a closed range of keys. FLOAT and DOUBLE turn their sign and magnitude into two's complement:
   -0.0 is 0 and NaN is the greatest. */
TACO__INLINE int32_t taco__scalar_key_f32(float x)
{
    uint32_t b = taco__f32_to_bits(x), m = b & 0x7FFFFFFFU;
    return m > 0x7F800000U ? INT32_MAX : b >> 31 ? -(int32_t)m : (int32_t)m;
}

TACO__INLINE int64_t taco__scalar_key_f64(double x)
{
    uint64_t b = taco__f64_to_bits(x), m = b & INT64_MAX;
    return m > (uint64_t)0x7FF << 52 ? INT64_MAX : b >> 63 ? -(int64_t)m : (int64_t)m;
}

TACO__INLINE float taco__scalar_f32_from_key(int64_t k)
{
    return k < 0 ? taco__f32_from_bits((uint32_t)1 << 31 | (uint32_t)-k)
                 : taco__f32_from_bits((uint32_t)k);
}

TACO__INLINE double taco__scalar_f64_from_key(int64_t k)
{
    return k < 0 ? taco__f64_from_bits((uint64_t)1 << 63 | (uint64_t)-k)
                 : taco__f64_from_bits((uint64_t)k);
}

/* Bytes above ASCII count as letters, as in DuckDB: a column may be called größe without quotes. */
TACO__INLINE bool taco__lex_is_letter(uint8_t c)
{
    return (uint8_t)((c | 0x20) - 'a') < 26 || c == '_' || c >= 0x80;
}

TACO__INLINE bool taco__lex_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* True when the current token is that punctuation. */
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

/* Bytes of the character at b[i], at least 1; continuation bytes that are missing are not
   counted. */
TACO__INLINE size_t taco__like_char_width(taco_bytes b, size_t i)
{
    size_t n = 1, want = b.data[i] < 0xC0 ? 1U : b.data[i] < 0xE0 ? 2U : b.data[i] < 0xF0 ? 3U : 4U;
    while (n < want && i + n < b.len && (b.data[i + n] & 0xC0) == 0x80) {
        n++;
    }
    return n;
}

/* ---- bitmaps ---- */

TACO__INLINE uint64_t
taco__pred_eval_last_word(size_t rows) /* the bits of the last word that are rows */
{
    return rows % 64 ? UINT64_MAX >> (64 - rows % 64) : UINT64_MAX;
}

/* ---- kernels: 64 values to a word ---- */

/* Each packs the outcomes of 64 rows into bytes first, which compilers vectorise, and then eight
   bytes into eight bits with a multiplication that moves bit 0 of byte i to bit 56 + i. */
TACO__INLINE uint64_t taco__pred_kernel_pack_flags(const uint8_t *flags)
{
    uint64_t w = 0;
    int i;
    for (i = 0; i < 8; i++) {
        w |= ((taco__load_le64(flags + i * 8) * UINT64_C(0x0102040810204080)) >> 56) << i * 8;
    }
    return w;
}

/* Bytes of row i of a plain TEXT, BINARY, FIXED, UUID or wide DECIMAL array. */
TACO__INLINE taco_bytes taco__pred_kernel_bytes(const taco_array *a, size_t i)
{
    taco_bytes b;
    if (a->offsets) {
        b.data = a->v.u8 + a->offsets[i];
        b.len = (size_t)(a->offsets[i + 1] - a->offsets[i]);
    } else {
        b.len = (size_t)a->field->width;
        b.data = a->v.u8 + i * b.len;
    }
    return b;
}

#endif /* TACO__FILTER_H */
