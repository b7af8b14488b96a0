/* taco_sqlite.c - TACO datasets as virtual tables in SQLite. `make sqlite-module` builds it. In the
   sqlite3 shell:

     .load build/taco_sqlite
     CREATE VIRTUAL TABLE t USING taco('x.tacozip', level=0);
     SELECT id, "internal:gdal_vsi" FROM t WHERE "stac:time_start" >= '2020-01-01' AND split = 'train';
     SELECT id, vsi, "row" ->> '$.split' FROM taco_read('x.tacozip', 0);

   taco(path, ... [, option=value]...): the rows of one level of a dataset, or of several as one.
   Options: level, flat, filter, bbox='W,S,E,N', datetime, geometry_column, time_column,
   column_mode, padding; as in taco_query, `filter` is its where and `datetime` its time.
   taco_read(path [, level [, filter]]): id, type, path for GDAL, and the row as JSON.

   Values: text, integers, REAL (NaN is NULL, as everywhere in SQLite), BLOB for binary data,
   including WKB; dates and times as ISO 8601 text, which SQLite's functions accept; lists, structs
   and maps as JSON. DECIMAL is REAL up to 15 digits, text if longer. A UINT64 too large for INTEGER
   is REAL, as are numbers of that size in SQL.

   Conditions that SQLite passes to the table (=, <, <=, >, >=, IN, IS NULL, from SQLite 3.51 on IS
   NOT NULL, on scalar columns) become a predicate, which prunes row groups and pages; LIMIT and
   OFFSET are used if SQLite has no condition left to test. Only columns in use are read. */
#include "../../examples/system_codecs.h"

#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../taco.h"

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "../names.h"

#include <math.h>

/* ---- the declaration of a table ---- */

typedef struct request {
    char **paths;
    size_t path_count;
    char *filter, *datetime, *geometry_column, *time_column;
    double box[4];
    bool has_box, flat, padding;
    uint32_t level;
    taco_column_mode mode;
} request;

static void request_free(request *r)
{
    names_free(r->paths, r->path_count);
    free(r->filter);
    free(r->datetime);
    free(r->geometry_column);
    free(r->time_column);
    memset(r, 0, sizeof *r);
}

static taco_dataset *request_open(const request *r, taco_error *err)
{
    return r->path_count == 1
               ? taco_open(r->paths[0], NULL, err)
               : taco_open_many((const char *const *)r->paths, r->path_count, r->mode, NULL, err);
}

static taco_query request_query(const request *r)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.where = r->filter;
    q.bbox = r->has_box ? r->box : NULL;
    q.time = r->datetime;
    q.geometry_column = r->geometry_column;
    q.time_column = r->time_column;
    q.level = q.table = r->level;
    q.flat = r->flat;
    q.padding = r->padding;
    return q;
}

/* Strips the quotes of 'text' or "text", or else surrounding white space. NULL if out of memory. */
static char *unquoted(const char *text, size_t n)
{
    char *out, *to, quote;
    while (n && (*text == ' ' || (*text >= '\t' && *text <= '\r'))) {
        text++;
        n--;
    }
    while (n && (text[n - 1] == ' ' || (text[n - 1] >= '\t' && text[n - 1] <= '\r'))) {
        n--;
    }
    out = to = (char *)malloc(n + 1);
    if (!out) { return NULL; }
    quote = n >= 2 && (*text == '\'' || *text == '"') && text[n - 1] == *text ? *text : 0;
    if (quote) {
        text++;
        n -= 2;
    }
    for (; n; n--, text++) {
        *to++ = *text;
        if (quote && *text == quote && n > 1) {
            n--;
            text++;
        }
    }
    *to = 0;
    return out;
}

static bool parse_level(const char *text, uint32_t *level)
{
    *level = (uint32_t)(*text - '0');
    return *text >= '0' && *text <= '9' && !text[1];
}

static bool parse_flag(const char *text, bool *flag)
{
    *flag = strcmp(text, "1") == 0 || sqlite3_stricmp(text, "true") == 0;
    return *flag || strcmp(text, "0") == 0 || sqlite3_stricmp(text, "false") == 0;
}

/* Parses "W,S,E,N". SQLite converts the numbers, since it ignores the locale. */
static bool parse_box(sqlite3 *db, const char *text, double box[4])
{
    sqlite3_stmt *get = NULL;
    bool ok;
    int i;
    ok = sqlite3_prepare_v2(
             db,
             "SELECT json_array_length(?1), json_extract(?1, '$[0]'), json_extract(?1, '$[1]'), "
             "json_extract(?1, '$[2]'), json_extract(?1, '$[3]')",
             -1, &get, NULL) == SQLITE_OK;
    if (ok) {
        char *array = sqlite3_mprintf("[%s]", text);
        sqlite3_bind_text(get, 1, array, -1, sqlite3_free);
        ok = sqlite3_step(get) == SQLITE_ROW && sqlite3_column_int(get, 0) == 4;
        for (i = 0; ok && i < 4; i++) {
            ok = sqlite3_column_type(get, i + 1) == SQLITE_INTEGER ||
                 sqlite3_column_type(get, i + 1) == SQLITE_FLOAT;
            box[i] = sqlite3_column_double(get, i + 1);
        }
    }
    sqlite3_finalize(get);
    return ok;
}

static bool parse_mode(const char *text, taco_column_mode *mode)
{
    static const char *const names[] = {"intersection", "fill_missing", "strict"};
    size_t i;
    for (i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *mode = (taco_column_mode)i;
            return true;
        }
    }
    return false;
}

/* Sets one option, and takes ownership of value. Returns NULL, or what is allowed instead. */
static const char *parse_option(sqlite3 *db, request *r, const char *name, char *value)
{
    const char *wrong = NULL;
    char **text = strcmp(name, "filter") == 0            ? &r->filter
                  : strcmp(name, "datetime") == 0        ? &r->datetime
                  : strcmp(name, "geometry_column") == 0 ? &r->geometry_column
                  : strcmp(name, "time_column") == 0     ? &r->time_column
                                                         : NULL;
    if (text) {
        free(*text);
        *text = value;
        return NULL;
    }
    if (strcmp(name, "level") == 0) {
        wrong = parse_level(value, &r->level) ? NULL : "a number from 0 to 9";
    } else if (strcmp(name, "flat") == 0) {
        wrong = parse_flag(value, &r->flat) ? NULL : "true or false";
    } else if (strcmp(name, "padding") == 0) {
        wrong = parse_flag(value, &r->padding) ? NULL : "true or false";
    } else if (strcmp(name, "bbox") == 0) {
        r->has_box = parse_box(db, value, r->box);
        wrong = r->has_box ? NULL : "four numbers, 'west,south,east,north'";
    } else if (strcmp(name, "column_mode") == 0) {
        wrong = parse_mode(value, &r->mode) ? NULL : "one of intersection, fill_missing, strict";
    } else {
        wrong = "";
    }
    free(value);
    return wrong;
}

/* Parses the arguments of CREATE VIRTUAL TABLE, which are passed as written. */
static int request_parse(sqlite3 *db, request *r, int argc, const char *const *argv, char **error)
{
    int i;
    r->paths = (char **)zeroed((size_t)argc, sizeof *r->paths);
    for (i = 0; r->paths && i < argc; i++) {
        const char *a = argv[i], *equal;
        char *name, *value;
        const char *wrong;
        while (*a == ' ' || (*a >= '\t' && *a <= '\r')) {
            a++;
        }
        equal = *a == '\'' || *a == '"' ? NULL : strchr(a, '=');
        if (!equal) {
            r->paths[r->path_count] = unquoted(a, strlen(a));
            if (!r->paths[r->path_count]) { return SQLITE_NOMEM; }
            r->path_count++;
            continue;
        }
        name = unquoted(a, (size_t)(equal - a));
        value = unquoted(equal + 1, strlen(equal + 1));
        if (!name || !value) {
            free(name);
            free(value);
            return SQLITE_NOMEM;
        }
        wrong = parse_option(db, r, name, value);
        if (wrong) {
            *error =
                *wrong ? sqlite3_mprintf("taco: %s must be %s", name, wrong)
                       : sqlite3_mprintf(
                             "taco: no option '%s'; there are level, flat, filter, bbox, datetime, "
                             "geometry_column, time_column, column_mode, padding",
                             name);
        }
        free(name);
        if (wrong) { return SQLITE_ERROR; }
    }
    if (r->paths && !r->path_count) {
        *error = sqlite3_mprintf("taco: the first argument is the path of a dataset");
        return SQLITE_ERROR;
    }
    return r->paths ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- columns ---- */

/* how a value is converted to SQLite's, and which conditions can be pushed down */
typedef enum kind {
    KIND_JSON = 0, /* nested */
    /* a JSON string without its quotes: times, long decimals, UUID */
    KIND_WORD,
    KIND_STAMP,  /* the same, a DATE or TIMESTAMP */
    KIND_NUMBER, /* taco_array_double */
    KIND_INTEGER,
    KIND_UINT64,
    KIND_BOOL,
    KIND_TEXT,
    KIND_BLOB,
    KIND_NULL
} kind;

typedef struct column {
    char *name;      /* name in the dataset */
    const char *ask; /* name in predicates, a part of name; NULL if it cannot be used in them */
    kind kind;
    bool date;  /* KIND_STAMP */
    bool small; /* has a fixed size */
} column;

static kind column_kind(const taco_field *f)
{
    switch (f->type) {
    case TACO_NULL: return KIND_NULL;
    case TACO_BOOL: return KIND_BOOL;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: return KIND_INTEGER;
    case TACO_UINT64: return KIND_UINT64;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return KIND_NUMBER;
    case TACO_DECIMAL: return f->width && f->precision <= 15 ? KIND_NUMBER : KIND_WORD;
    case TACO_DATE:
    case TACO_TIMESTAMP: return KIND_STAMP;
    case TACO_TEXT: return KIND_TEXT;
    case TACO_BINARY:
    case TACO_FIXED: return KIND_BLOB;
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return KIND_JSON;
    default: return KIND_WORD;
    }
}

static bool column_make(column *c, const taco_field *f, const request *r)
{
    c->name = copied(f->name);
    c->kind = column_kind(f);
    c->date = f->type == TACO_DATE;
    c->small = f->width > 0;
    c->ask = c->name;
    /* filters use the level's own column names, without the prefix in flat views */
    if (c->name && r->flat) {
        bool own =
            c->name[0] == 'l' && c->name[1] == (char)('0' + (int)r->level) && c->name[2] == ':';
        c->ask = own ? c->name + 3 : NULL;
    }
    /* types without pushdown, and columns that are computed */
    if (c->kind == KIND_JSON || c->kind == KIND_WORD || c->kind == KIND_NULL ||
        f->type == TACO_HALF || strcmp(f->name, "internal:gdal_vsi") == 0 ||
        strcmp(f->name, "internal:source_path") == 0 ||
        strcmp(f->name, "internal:source_file") == 0) {
        c->ask = NULL;
    }
    return c->name != NULL;
}

/* The type in the table's declaration, which determines the affinity in comparisons. */
static const char *column_type(kind k)
{
    return k == KIND_NUMBER                        ? "REAL"
           : k == KIND_INTEGER || k == KIND_UINT64 ? "INTEGER"
           : k == KIND_BOOL                        ? "BOOLEAN"
           : k == KIND_BLOB || k == KIND_NULL      ? "BLOB"
                                                   : "TEXT";
}

/* ---- the table ---- */

typedef struct table {
    sqlite3_vtab base;
    request r;
    taco_dataset *ds;
    column *columns;
    int count, smallest;
    bool utf8;    /* the encoding of the database */
    int64_t rows; /* number of stored rows; at least as many as a scan returns */
} table;

static int table_fail(sqlite3_vtab *base, const taco_error *err)
{
    sqlite3_free(base->zErrMsg);
    base->zErrMsg = sqlite3_mprintf("%s", taco_error_text(err));
    return err->code == TACO_ERR_MEMORY ? SQLITE_NOMEM : SQLITE_ERROR;
}

static int table_close(sqlite3_vtab *base)
{
    table *t = (table *)base;
    int i;
    for (i = 0; t->columns && i < t->count; i++) {
        free(t->columns[i].name);
    }
    free(t->columns);
    taco_close(t->ds);
    request_free(&t->r);
    free(t);
    return SQLITE_OK;
}

static int table_declare(sqlite3 *db, table *t, const taco_field *fields, size_t n)
{
    char **names = names_make(fields, n);
    sqlite3_str *sql = sqlite3_str_new(db);
    char *text;
    size_t i;
    int code = SQLITE_NOMEM;
    t->columns = (column *)zeroed(n, sizeof *t->columns);
    t->smallest = -1;
    sqlite3_str_appendall(sql, "CREATE TABLE x(");
    for (i = 0; names && t->columns && i < n; i++) {
        t->count = (int)i + 1;
        if (!column_make(&t->columns[i], &fields[i], &t->r)) { break; }
        sqlite3_str_appendf(sql, "%s\"%w\" %s", i ? "," : "", names[i],
                            column_type(t->columns[i].kind));
        if (t->smallest < 0 && t->columns[i].small) { t->smallest = (int)i; }
    }
    t->smallest = t->smallest < 0 ? 0 : t->smallest;
    sqlite3_str_appendall(sql, ")");
    text = sqlite3_str_finish(sql);
    if (names && text && t->columns && i == n) { code = sqlite3_declare_vtab(db, text); }
    sqlite3_free(text);
    names_free(names, n);
    return code;
}

/* Without memory it is taken for UTF-16, of which less is expected. */
static bool database_is_utf8(sqlite3 *db)
{
    sqlite3_stmt *get = NULL;
    const char *name = NULL;
    bool utf8;
    if (sqlite3_prepare_v2(db, "PRAGMA encoding", -1, &get, NULL) == SQLITE_OK &&
        sqlite3_step(get) == SQLITE_ROW) {
        name = (const char *)sqlite3_column_text(get, 0);
    }
    utf8 = name && strcmp(name, "UTF-8") == 0;
    sqlite3_finalize(get);
    return utf8;
}

static int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error)
{
    table *t = (table *)zeroed(1, sizeof *t);
    taco_error err;
    taco_query q;
    taco_cursor *rows = NULL;
    int code;
    (void)aux;
    memset(&err, 0, sizeof err);
    if (!t) { return SQLITE_NOMEM; }
    code = request_parse(db, &t->r, argc - 3, argv + 3,
                         error); /* module, database and table come first */
    if (code == SQLITE_OK) {
        t->utf8 = database_is_utf8(db);
        t->ds = request_open(&t->r, &err);
        q = request_query(&t->r);
        rows = t->ds ? taco_select(t->ds, &q, &err) : NULL;
        if (rows) {
            size_t n;
            const taco_field *fields = taco_cursor_fields(rows, &n);
            code = table_declare(db, t, fields, n);
            if (code != SQLITE_OK && code != SQLITE_NOMEM) {
                *error = sqlite3_mprintf("taco: %s", sqlite3_errmsg(db));
            }
            t->rows = taco_level_rows(t->ds, t->r.level, &err);
            taco_cursor_close(rows, NULL);
        }
    }
    if (err.code != TACO_OK) {
        *error = sqlite3_mprintf("%s", taco_error_text(&err));
        code = err.code == TACO_ERR_MEMORY ? SQLITE_NOMEM : SQLITE_ERROR;
    }
    if (code != SQLITE_OK) {
        table_close(&t->base);
        return code;
    }
    *out = &t->base;
    return SQLITE_OK;
}

/* ---- plans ---- */

/* A plan is a string: the columns in use as a hex mask, then for each argument a letter and a
   column: = < l(<=) > g(>=), I(S), n(ull), v(alue: not null), i(n), L(imit), O(ffset). */
static char plan_letter(unsigned char op)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return '=';
    case SQLITE_INDEX_CONSTRAINT_LT: return '<';
    case SQLITE_INDEX_CONSTRAINT_LE: return 'l';
    case SQLITE_INDEX_CONSTRAINT_GT: return '>';
    case SQLITE_INDEX_CONSTRAINT_GE: return 'g';
    case SQLITE_INDEX_CONSTRAINT_IS: return 'I';
    case SQLITE_INDEX_CONSTRAINT_ISNULL: return 'n';
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: return 'v';
    default: return 0;
    }
}

/* Whether it can be a literal: complete, well-formed UTF-8 without zero bytes. */
static bool is_text(const uint8_t *s, size_t n)
{
    size_t i, k, more;
    for (i = 0; i < n; i += 1 + more) {
        uint32_t c = s[i];
        more = c < 0x80                ? 0
               : c >= 0xC2 && c < 0xE0 ? 1
               : c >= 0xE0 && c < 0xF0 ? 2
               : c >= 0xF0 && c < 0xF5 ? 3
                                       : 9;
        if (c == 0 || more == 9 || i + more >= n) { return false; }
        c &= more ? 0x3FU >> more : 0x7FU;
        for (k = 1; k <= more; k++) {
            if ((s[i + k] & 0xC0) != 0x80) { return false; }
            c = c << 6 | (s[i + k] & 0x3FU);
        }
        if ((more == 2 && (c < 0x800 || (c >= 0xD800 && c < 0xE000))) ||
            (more == 3 && (c < 0x10000 || c > 0x10FFFF))) {
            return false;
        }
    }
    return true;
}

/* The value as a text that can be a literal; NULL if it is none. */
static const char *text_of(sqlite3_value *v)
{
    const char *text =
        sqlite3_value_type(v) == SQLITE_TEXT ? (const char *)sqlite3_value_text(v) : NULL;
    int n = text ? sqlite3_value_bytes(v) : 0;
    return text && is_text((const uint8_t *)text, (size_t)n) ? text : NULL;
}

/* Whether the predicate for a constraint is exactly equivalent to SQLite's comparison. That is only
   known if the value is known at this point, and ask() takes it. */
static bool plan_exact(sqlite3_index_info *info, int i, const column *c, char letter)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    sqlite3_value *v = NULL;
    if (sqlite3_libversion_number() < 3038000 || letter == 'I') { return false; }
    if (letter == 'n' || letter == 'v') { /* NaN is a value here, but NULL in SQLite */
        return c->kind != KIND_NUMBER;
    }
    if (sqlite3_vtab_rhs_value(info, i, &v) != SQLITE_OK || !v) { return false; }
    return (c->kind == KIND_INTEGER && sqlite3_value_type(v) == SQLITE_INTEGER) ||
           (c->kind == KIND_TEXT && text_of(v));
#else
    (void)info, (void)i, (void)c, (void)letter;
    return false;
#endif
}

/* Whether SQLite compares as predicates do: texts by their bytes, of which UTF-16 has others.
   Before 3.51 SQLite also offers IS NOT NULL of the ON clause of a LEFT JOIN as a constraint on the
   left table, all of whose rows are wanted. Nothing tells it from one of WHERE, so it is left to
   SQLite there. */
static bool plan_compares(const table *t, sqlite3_index_info *info, int i, const column *c,
                          char letter)
{
    if (letter == 'v' && sqlite3_libversion_number() < 3051000) { return false; }
    if (c->kind != KIND_TEXT || letter == 'n' || letter == 'v') { return true; }
    return (t->utf8 || letter == '=' || letter == 'I') &&
           sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
}

static bool plan_is_in(sqlite3_index_info *info, int i)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    return sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(info, i, -1) &&
           sqlite3_vtab_in(info, i, 1);
#else
    (void)info, (void)i;
    return false;
#endif
}

/* LIMIT and OFFSET: only if SQLite has no condition left to test, and no order is required. */
static void plan_limit(sqlite3_index_info *info, sqlite3_str *plan, int *args)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    int i;
    for (i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        bool limit = c->op == SQLITE_INDEX_CONSTRAINT_LIMIT;
        if (c->usable && (limit || c->op == SQLITE_INDEX_CONSTRAINT_OFFSET)) {
            info->aConstraintUsage[i].argvIndex = ++*args;
            info->aConstraintUsage[i].omit = 1;
            sqlite3_str_appendf(plan, "%c0,", limit ? 'L' : 'O');
        }
    }
#else
    (void)info, (void)plan, (void)args;
#endif
}

static int table_best(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const table *t = (const table *)base;
    sqlite3_str *plan = sqlite3_str_new(NULL);
    bool all = true; /* SQLite has no condition left to test */
    double part = 1;
    int i, args = 0;
    sqlite3_str_appendf(plan, "%llx,", info->colUsed);
    for (i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        char letter = plan_letter(c->op);
        const column *col =
            c->iColumn >= 0 && c->iColumn < t->count ? &t->columns[c->iColumn] : NULL;
        bool exact;
#if SQLITE_VERSION_NUMBER >= 3038000
        if (c->op == SQLITE_INDEX_CONSTRAINT_LIMIT || c->op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
            continue;
        }
#endif
        if (!c->usable || !letter || !col || !col->ask || !plan_compares(t, info, i, col, letter)) {
            all = false;
            continue;
        }
        exact = plan_exact(info, i, col, letter);
        if (letter == '=' && plan_is_in(info, i)) {
            letter = 'i';
            exact = false;
        }
        info->aConstraintUsage[i].argvIndex = ++args;
        info->aConstraintUsage[i].omit = exact;
        all = all && exact;
        part *= letter == '=' || letter == 'I' ? 0.01 : letter == 'i' ? 0.1 : 0.4;
        sqlite3_str_appendf(plan, "%c%d,", letter, c->iColumn);
    }
    if (all && info->nOrderBy == 0) { plan_limit(info, plan, &args); }
    info->idxStr = sqlite3_str_finish(plan);
    info->needToFreeIdxStr = 1;
    info->estimatedRows = 1 + (sqlite3_int64)((double)t->rows * part);
    info->estimatedCost = 100 + (double)t->rows * (0.2 + 0.8 * part);
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- predicates ---- */

#define EXACT_DOUBLE INT64_C(9007199254740992) /* integers up to 2^53 are exact as doubles */

static const char *operator_text(char letter)
{
    return letter == '<'   ? "<"
           : letter == 'l' ? "<="
           : letter == '>' ? ">"
           : letter == 'g' ? ">="
                           : "=";
}

/* A DOUBLE literal: always with an exponent, and with a decimal point in any locale. */
static void put_double(sqlite3_str *out, double x)
{
    char text[40], *p;
    snprintf(text, sizeof text, "%.17e", x);
    for (p = text; *p; p++) {
        *p = strchr("0123456789eE+-", *p) ? *p : '.';
    }
    sqlite3_str_appendf(out, "(%s)", text);
}

/* Each of these appends a condition that is true whenever SQLite's comparison is. Returns false if
   there is none. */
static bool ask_integer(sqlite3_str *out, const column *c, char op, sqlite3_value *v)
{
    double x;
    if (sqlite3_value_type(v) == SQLITE_INTEGER) {
        sqlite3_str_appendf(out, "\"%w\" %s (%lld)", c->ask, operator_text(op),
                            sqlite3_value_int64(v));
        return true;
    }
    x = sqlite3_value_double(v);
    if (sqlite3_value_type(v) != SQLITE_FLOAT || !(fabs(x) < (double)EXACT_DOUBLE)) {
        return false;
    }
    if (op == '=' && floor(x) != x) {
        sqlite3_str_appendall(out, "false");
        return true;
    }
    x = op == '<' || op == 'g' ? ceil(x) : floor(x);
    sqlite3_str_appendf(out, "\"%w\" %s (%lld)", c->ask, operator_text(op), (sqlite3_int64)x);
    return true;
}

static bool ask_number(sqlite3_str *out, const column *c, char op, sqlite3_value *v)
{
    int type = sqlite3_value_type(v);
    int64_t whole = sqlite3_value_int64(v);
    double x = sqlite3_value_double(v);
    if ((type != SQLITE_FLOAT &&
         (type != SQLITE_INTEGER || whole > EXACT_DOUBLE || whole < -EXACT_DOUBLE)) ||
        !(fabs(x) <= 1.7976931348623157e308)) {
        return false;
    }
    sqlite3_str_appendf(out, "\"%w\" %s ", c->ask, operator_text(op));
    put_double(out, x);
    return true;
}

static bool ask_bool(sqlite3_str *out, const column *c, char op, sqlite3_value *v)
{
    if (op != '=' || sqlite3_value_type(v) != SQLITE_INTEGER ||
        (sqlite3_value_int64(v) & ~(sqlite3_int64)1)) {
        return false;
    }
    sqlite3_str_appendf(out, "\"%w\" = %s", c->ask, sqlite3_value_int64(v) ? "true" : "false");
    return true;
}

static bool ask_text(sqlite3_str *out, const column *c, char op, sqlite3_value *v)
{
    const char *text = text_of(v);
    if (!text) { return false; }
    sqlite3_str_appendf(out, "\"%w\" %s %Q", c->ask, operator_text(op), text);
    return true;
}

/* Times are returned as text starting with YYYY-MM-DD. A text that also starts with a date is
   compared by whole days: from that day to before the next one. Years that do not have four digits
   order differently as text, so their rows are kept. */
static bool ask_stamp(sqlite3_str *out, const column *c, char op, sqlite3_value *v)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const char *type = c->date ? "DATE" : "TIMESTAMP", *time = c->date ? "" : " 00:00:00", *s;
    int i, y, m, d, last;
    if (sqlite3_value_type(v) != SQLITE_TEXT || sqlite3_value_bytes(v) < 10) { return false; }
    s = (const char *)sqlite3_value_text(v);
    for (i = 0; s && i < 10; i++) {
        if (i == 4 || i == 7 ? s[i] != '-' : s[i] < '0' || s[i] > '9') { return false; }
    }
    y = s ? (s[0] - '0') * 1000 + (s[1] - '0') * 100 + (s[2] - '0') * 10 + s[3] - '0' : 0;
    m = s ? (s[5] - '0') * 10 + s[6] - '0' : 0;
    d = s ? (s[8] - '0') * 10 + s[9] - '0' : 0;
    if (y < 1 || m < 1 || m > 12 || d < 1) { return false; }
    last = days[m - 1] + (m == 2 && y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));
    if (d > last) { return false; }
    if (op == '>' || op == 'g' || op == '=') {
        sqlite3_str_appendf(out, "\"%w\" >= %s '%04d-%02d-%02d%s'", c->ask, type, y, m, d, time);
    }
    if (op == '=') { sqlite3_str_appendall(out, " AND "); }
    if (op == '<' || op == 'l' || op == '=') {
        bool month = d == last, year = month && m == 12;
        sqlite3_str_appendf(out, "(\"%w\" < %s '%04d-%02d-%02d%s' OR \"%w\" >= %s '10000-01-01%s')",
                            c->ask, type, y + year, year ? 1 : m + month, month ? 1 : d + 1, time,
                            c->ask, type, time);
    }
    return true;
}

static bool ask(sqlite3_str *out, const column *c, char op, sqlite3_value *v)
{
    switch (c->kind) {
    case KIND_INTEGER: return ask_integer(out, c, op, v);
    case KIND_UINT64: return sqlite3_value_type(v) == SQLITE_INTEGER && ask_integer(out, c, op, v);
    case KIND_NUMBER: return ask_number(out, c, op, v);
    case KIND_BOOL: return ask_bool(out, c, op, v);
    case KIND_TEXT: return ask_text(out, c, op, v);
    case KIND_STAMP: return ask_stamp(out, c, op, v);
    default: return false;
    }
}

#define MOST_IN 1000 /* SQLite tests longer lists */

/* x IN (...), in a single scan. Returns false if there is no condition for it. */
static bool ask_in(sqlite3_str *out, const column *c, sqlite3_value *list)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    sqlite3_value *v = NULL;
    int code, n = 0;
    sqlite3_str_appendall(out, "(false");
    for (code = sqlite3_vtab_in_first(list, &v); code == SQLITE_OK && v;
         code = sqlite3_vtab_in_next(list, &v)) {
        if (sqlite3_value_type(v) == SQLITE_NULL) { continue; }
        sqlite3_str_appendall(out, " OR ");
        if (++n > MOST_IN || !ask(out, c, '=', v)) { return false; }
    }
    sqlite3_str_appendall(out, ")");
    return code == SQLITE_OK || code == SQLITE_DONE;
#else
    (void)out, (void)c, (void)list;
    return false;
#endif
}

/* ---- a scan ---- */

/* A column of a batch, printed as lines {"v":...}. */
typedef struct printed {
    taco_printer *printer;
    taco_field field;
    const char *at, *end; /* line of the current row; end of the text */
    size_t row;
    bool made;
} printed;

typedef struct scan {
    sqlite3_vtab_cursor base;
    taco_cursor *rows;
    taco_batch batch;
    const uint64_t *positions;
    size_t row;
    bool more;
    int *place;     /* index in the batch of each column of the table; -1: not read */
    printed *texts; /* for each column of the batch */
    size_t text_count;
} scan;

static void scan_reset(scan *s)
{
    size_t i;
    for (i = 0; s->texts && i < s->text_count; i++) {
        taco_printer_close(s->texts[i].printer);
    }
    free(s->texts);
    free(s->place);
    taco_cursor_close(s->rows, NULL);
    s->texts = NULL;
    s->place = NULL;
    s->rows = NULL;
    s->more = false;
}

static int scan_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    scan *s = (scan *)zeroed(1, sizeof *s);
    (void)base;
    *out = s ? &s->base : NULL;
    return s ? SQLITE_OK : SQLITE_NOMEM;
}

static int scan_close(sqlite3_vtab_cursor *base)
{
    scan_reset((scan *)base);
    free(base);
    return SQLITE_OK;
}

static int scan_batch(scan *s)
{
    taco_error err;
    size_t i;
    memset(&err, 0, sizeof err);
    s->row = 0;
    s->more = taco_cursor_batch(s->rows, &s->batch);
    s->positions = s->more ? taco_cursor_positions(s->rows) : NULL;
    for (i = 0; i < s->text_count; i++) {
        s->texts[i].made = false;
    }
    if (!s->more && taco_cursor_close(s->rows, &err) != TACO_OK) {
        s->rows = NULL;
        return table_fail(s->base.pVtab, &err);
    }
    s->rows = s->more ? s->rows : NULL;
    return SQLITE_OK;
}

/* The columns in use, and their places. The last bit stands for all columns from the 64th on. */
static bool scan_select(scan *s, const table *t, sqlite3_uint64 used, sqlite3_str *select)
{
    int i, n = 0;
    s->place = (int *)zeroed((size_t)t->count, sizeof *s->place);
    for (i = 0; s->place && i < t->count; i++) {
        bool wanted = (used >> (i < 63 ? i : 63) & 1) || (used == 0 && i == t->smallest);
        s->place[i] = wanted ? n : -1;
        if (wanted) {
            sqlite3_str_appendf(select, "%s\"%w\"", n ? "," : "", t->columns[i].name);
            n++;
        }
    }
    s->text_count = (size_t)n;
    s->texts = (printed *)zeroed((size_t)n, sizeof *s->texts);
    return s->place && s->texts;
}

/* Appends the condition of one argument to a predicate, or leaves it to SQLite. Returns false if out
   of memory. */
static bool scan_condition(sqlite3_str *where, const column *c, char letter, sqlite3_value *v)
{
    sqlite3_str *one = sqlite3_str_new(NULL);
    bool known, ok = sqlite3_value_type(v) != SQLITE_TEXT || sqlite3_value_text(v);
    char *text;
    if (letter == 'n' || letter == 'v') {
        sqlite3_str_appendf(one, "\"%w\" IS %sNULL", c->ask, letter == 'n' ? "" : "NOT ");
        known = letter == 'v' || c->kind != KIND_NUMBER; /* for SQLite NaN is NULL, too */
    } else {
        known = letter == 'i' ? ask_in(one, c, v) : ask(one, c, letter, v);
    }
    ok = ok && sqlite3_str_errcode(one) == SQLITE_OK;
    text = sqlite3_str_finish(one);
    if (ok && known) {
        sqlite3_str_appendf(where, "%s(%s)", sqlite3_str_length(where) ? " AND " : "", text);
    }
    sqlite3_free(text);
    return ok;
}

/* Turns a plan and its arguments into q and a predicate. Returns false if no row can match. *code:
   SQLITE_NOMEM if out of memory. */
static bool scan_plan(const table *t, const char *plan, int argc, sqlite3_value **argv,
                      sqlite3_str *where, taco_query *q, int *code)
{
    int i;
    for (i = 0; i < argc; i++) {
        char letter = *plan++;
        int c = 0;
        sqlite3_int64 number = sqlite3_value_int64(argv[i]);
        bool null = sqlite3_value_type(argv[i]) == SQLITE_NULL;
        for (; *plan >= '0' && *plan <= '9'; plan++) {
            c = c * 10 + (*plan - '0');
        }
        plan++;
        if (letter == 'L' || letter == 'O') {
            if (letter == 'L' && number == 0) { return false; }
            *(letter == 'L' ? &q->limit : &q->offset) = number > 0 ? (uint64_t)number : 0;
            continue;
        }
        letter = letter == 'I' ? (null ? 'n' : '=') : letter;
        if (null && strchr("=<l>g", letter)) {
            return false; /* a comparison with NULL is never true */
        }
        if (!scan_condition(where, &t->columns[c], letter, argv[i])) { *code = SQLITE_NOMEM; }
    }
    return true;
}

static int scan_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc,
                       sqlite3_value **argv)
{
    scan *s = (scan *)base;
    table *t = (table *)base->pVtab;
    taco_query q = request_query(&t->r);
    sqlite3_str *select = sqlite3_str_new(NULL), *where = sqlite3_str_new(NULL);
    sqlite3_uint64 used = 0;
    taco_error err;
    char *columns, *predicate;
    bool any, ok;
    int code = SQLITE_OK;
    (void)number;
    memset(&err, 0, sizeof err);
    scan_reset(s);
    for (; *plan != ','; plan++) {
        used = used << 4 | (sqlite3_uint64)(*plan <= '9' ? *plan - '0' : *plan - 'a' + 10);
    }
    ok = scan_select(s, t, used, select);
    if (t->r.filter) {
        sqlite3_str_appendf(where, "(%s\n)",
                            t->r.filter); /* newline: the filter may end in a comment */
    }
    any = scan_plan(t, plan + 1, argc, argv, where, &q, &code);
    ok = ok && code == SQLITE_OK && sqlite3_str_errcode(where) == SQLITE_OK &&
         sqlite3_str_errcode(select) == SQLITE_OK;
    columns = sqlite3_str_finish(select);
    predicate = sqlite3_str_finish(where);
    q.select = columns;
    q.where = predicate && *predicate ? predicate : NULL;
    if (!ok) {
        code = SQLITE_NOMEM;
    } else if (any) {
        s->rows = taco_select(t->ds, &q, &err);
        code = s->rows ? scan_batch(s) : table_fail(&t->base, &err);
    }
    sqlite3_free(columns);
    sqlite3_free(predicate);
    return code;
}

static int scan_next(sqlite3_vtab_cursor *base)
{
    scan *s = (scan *)base;
    return ++s->row < s->batch.length ? SQLITE_OK : scan_batch(s);
}

static int scan_eof(sqlite3_vtab_cursor *base)
{
    return !((scan *)base)->more;
}

/* The position of the row in its level, which is the same in every scan. */
static int scan_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    const scan *s = (const scan *)base;
    *out = s->positions ? (sqlite3_int64)s->positions[s->row] + 1 : (sqlite3_int64)s->row;
    return s->positions ? SQLITE_OK : SQLITE_NOMEM;
}

/* The value of a column in the current row as JSON. */
static bool scan_json(scan *s, size_t c, const char **text, size_t *len)
{
    printed *p = &s->texts[c];
    taco_array a = s->batch.columns[c];
    taco_batch one = s->batch;
    taco_error err;
    const char *line;
    memset(&err, 0, sizeof err);
    if (!p->printer) {
        p->field = *a.field;
        p->field.name = "v";
        p->printer = taco_printer_open(&p->field, 1, TACO_FORMAT_NDJSON, NULL, &err);
    }
    if (!p->made) {
        taco_bytes all;
        a.field = &p->field;
        one.columns = &a;
        one.column_count = 1;
        all = taco_printer_batch(p->printer, &one, &err);
        if (!all.data) { return false; }
        p->at = (const char *)all.data;
        p->end = p->at + all.len;
        p->row = 0;
        p->made = true;
    }
    for (; p->row < s->row && p->at; p->row++) {
        p->at = (const char *)memchr(p->at, '\n', (size_t)(p->end - p->at));
        p->at = p->at ? p->at + 1 : NULL;
    }
    line = p->at ? (const char *)memchr(p->at, '\n', (size_t)(p->end - p->at)) : NULL;
    if (!line || line - p->at < 6) { return false; }
    *text = p->at + 5; /* {"v": */
    *len = (size_t)(line - p->at) - 6;
    return true;
}

static int scan_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int i)
{
    static const char empty[1] = "";
    scan *s = (scan *)base;
    const table *t = (const table *)base->pVtab;
    int at = s->place[i];
    const taco_array *a = at < 0 ? NULL : &s->batch.columns[at];
    taco_bytes b;
    const char *text;
    size_t n;
    if (!a || t->columns[i].kind == KIND_NULL || a->field->type == TACO_NULL ||
        !taco_array_valid(a, s->row)) {
        return SQLITE_OK; /* NULL */
    }
    switch (t->columns[i].kind) {
    case KIND_BOOL:
    case KIND_INTEGER: sqlite3_result_int64(out, taco_array_int(a, s->row)); return SQLITE_OK;
    case KIND_UINT64:
        if (taco_array_int(a, s->row) >= 0) {
            sqlite3_result_int64(out, taco_array_int(a, s->row));
        } else {
            sqlite3_result_double(out, taco_array_double(a, s->row));
        }
        return SQLITE_OK;
    case KIND_NUMBER: sqlite3_result_double(out, taco_array_double(a, s->row)); return SQLITE_OK;
    case KIND_TEXT:
    case KIND_BLOB:
        b = taco_array_bytes(a, s->row);
        text = b.len ? (const char *)b.data : empty;
        if (t->columns[i].kind == KIND_TEXT) {
            sqlite3_result_text64(out, text, b.len, SQLITE_TRANSIENT, SQLITE_UTF8);
        } else {
            sqlite3_result_blob64(out, text, b.len, SQLITE_TRANSIENT);
        }
        return SQLITE_OK;
    default: break;
    }
    if (!scan_json(s, (size_t)at, &text, &n)) { return SQLITE_NOMEM; }
    if (t->columns[i].kind != KIND_JSON && n >= 2 && *text == '"') {
        text++;
        n -= 2;
    }
    sqlite3_result_text64(out, text, n, SQLITE_TRANSIENT, SQLITE_UTF8);
    return SQLITE_OK;
}

/* ---- taco_read(path, level, filter) ---- */

enum { READ_ID = 0, READ_TYPE, READ_VSI, READ_ROW, READ_PATH, READ_LEVEL, READ_FILTER };

typedef struct reader {
    sqlite3_vtab_cursor base;
    taco_dataset *ds;
    taco_cursor *rows;
    sqlite3_int64 number;
    bool more;
} reader;

static int read_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **error)
{
    int code = sqlite3_declare_vtab(
        db, "CREATE TABLE x(id TEXT, type TEXT, vsi TEXT, \"row\" TEXT, path TEXT HIDDEN, "
            "level INTEGER HIDDEN, \"filter\" TEXT HIDDEN)");
    (void)aux, (void)argc, (void)argv, (void)error;
    *out = code == SQLITE_OK ? (sqlite3_vtab *)zeroed(1, sizeof **out) : NULL;
    return code == SQLITE_OK && !*out ? SQLITE_NOMEM : code;
}

static int read_disconnect(sqlite3_vtab *base)
{
    free(base);
    return SQLITE_OK;
}

/* The arguments are constraints on the hidden columns; idxNum has a bit for each that is present,
   and one for whether the row column is used. */
static int read_best(sqlite3_vtab *base, sqlite3_index_info *info)
{
    int at[3] = {-1, -1, -1}, i, args = 0, known = 0;
    (void)base;
    for (i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (c->iColumn >= READ_PATH && c->op == SQLITE_INDEX_CONSTRAINT_EQ) {
            if (!c->usable) { return SQLITE_CONSTRAINT; }
            at[c->iColumn - READ_PATH] = i;
        }
    }
    for (i = 0; i < 3; i++) {
        if (at[i] >= 0) {
            info->aConstraintUsage[at[i]].argvIndex = ++args;
            info->aConstraintUsage[at[i]].omit = 1;
            known |= 1 << i;
        }
    }
    info->idxNum = known | (info->colUsed >> READ_ROW & 1 ? 8 : 0);
    info->estimatedCost = known & 1 ? 1000 : 1e12;
    info->estimatedRows = 1000;
    return SQLITE_OK;
}

static int read_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    reader *r = (reader *)zeroed(1, sizeof *r);
    (void)base;
    *out = r ? &r->base : NULL;
    return r ? SQLITE_OK : SQLITE_NOMEM;
}

static void read_reset(reader *r)
{
    taco_cursor_close(r->rows, NULL);
    taco_close(r->ds);
    r->rows = NULL;
    r->ds = NULL;
    r->more = false;
}

static int read_close(sqlite3_vtab_cursor *base)
{
    read_reset((reader *)base);
    free(base);
    return SQLITE_OK;
}

static int read_next(sqlite3_vtab_cursor *base)
{
    reader *r = (reader *)base;
    taco_error err;
    memset(&err, 0, sizeof err);
    r->more = taco_cursor_next(r->rows);
    r->number++;
    if (!r->more) {
        taco_status code = taco_cursor_close(r->rows, &err);
        r->rows = NULL;
        return code == TACO_OK ? SQLITE_OK : table_fail(base->pVtab, &err);
    }
    return SQLITE_OK;
}

static int read_filter(sqlite3_vtab_cursor *base, int known, const char *plan, int argc,
                       sqlite3_value **argv)
{
    reader *r = (reader *)base;
    taco_query q;
    taco_error err;
    const char *path = known & 1 ? (const char *)sqlite3_value_text(argv[0]) : NULL;
    const char *p;
    uint32_t hash = 2166136261U;
    int at = known & 1;
    (void)plan, (void)argc;
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    read_reset(r);
    if (!path) {
        base->pVtab->zErrMsg =
            sqlite3_mprintf("taco_read: the first argument is the path of a dataset");
        return SQLITE_ERROR;
    }
    if (known & 2) {
        sqlite3_int64 level = sqlite3_value_int64(argv[at++]);
        q.level = q.table = level < 0 || level > 99 ? 99 : (uint32_t)level;
    }
    q.where = known & 4 ? (const char *)sqlite3_value_text(argv[at]) : NULL;
    if (strlen(path) < (size_t)sqlite3_value_bytes(argv[0]) ||
        (q.where && strlen(q.where) < (size_t)sqlite3_value_bytes(argv[at]))) {
        base->pVtab->zErrMsg = sqlite3_mprintf("taco_read: a zero character in an argument");
        return SQLITE_ERROR;
    }
    q.select = known & 8 ? NULL : "id, type, \"internal:gdal_vsi\"";
    for (p = path; *p; p++) {
        hash = (hash ^ (uint8_t)*p) * 16777619U;
    }
    for (p = q.where ? q.where : ""; *p; p++) {
        hash = (hash ^ (uint8_t)*p) * 16777619U;
    }
    /* row ids depend on the arguments, because SQLite may use them to merge scans */
    r->number = (sqlite3_int64)(((hash ^ q.level * 40503U) & 0x7FFFFFFFU)) << 32;
    r->ds = taco_open(path, NULL, &err);
    r->rows = r->ds ? taco_select(r->ds, &q, &err) : NULL;
    return r->rows ? read_next(base) : table_fail(base->pVtab, &err);
}

static int read_eof(sqlite3_vtab_cursor *base)
{
    return !((reader *)base)->more;
}

static int read_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int i)
{
    reader *r = (reader *)base;
    const char *text = i == READ_ROW    ? taco_cursor_json(r->rows)
                       : i == READ_ID   ? taco_cursor_text(r->rows, "id")
                       : i == READ_TYPE ? taco_cursor_text(r->rows, "type")
                       : i == READ_VSI  ? taco_cursor_text(r->rows, "internal:gdal_vsi")
                                        : NULL;
    if (text) { sqlite3_result_text(out, text, -1, SQLITE_TRANSIENT); }
    return SQLITE_OK;
}

static int read_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = ((reader *)base)->number;
    return SQLITE_OK;
}

/* ---- registration ---- */

static const sqlite3_module table_module = {
    0,          table_connect, table_connect, table_best, table_close, table_close,
    scan_open,  scan_close,    scan_filter,   scan_next,  scan_eof,    scan_column,
    scan_rowid, NULL,          NULL,          NULL,       NULL,        NULL,
    NULL,       NULL,          NULL,          NULL,       NULL,        NULL};
static const sqlite3_module read_module = {
    0,        NULL,        read_connect, read_best,   read_disconnect,
    NULL,     read_open,   read_close,   read_filter, read_next,
    read_eof, read_column, read_rowid,   NULL,        NULL,
    NULL,     NULL,        NULL,         NULL,        NULL,
    NULL,     NULL,        NULL,         NULL};

#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int sqlite3_tacosqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

int sqlite3_tacosqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *api)
{
    int code;
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3024000) {
        *error = sqlite3_mprintf("taco: SQLite 3.24 or later is wanted, this is %s",
                                 sqlite3_libversion());
        return SQLITE_ERROR;
    }
    code = sqlite3_create_module(db, "taco", &table_module, NULL);
    return code == SQLITE_OK ? sqlite3_create_module(db, "taco_read", &read_module, NULL) : code;
}
