/* read_taco.c - a DuckDB extension: SELECT * FROM read_taco('x.tacozip', level := 0). `make
   duckdb-extension` builds it with the stable C extension API of DuckDB 1.2, so that one binary
   loads in that and all later versions:

     LOAD 'build/taco.duckdb_extension';      -- unsigned: first SET allow_unsigned_extensions, or `duckdb -unsigned`
     SELECT id, "internal:gdal_vsi" FROM 'x.tacozip';
     SELECT * FROM '.tacocat';                -- also paths that end in __TACOCAT__ or TACOLLECTION.json
     CREATE VIEW l1 AS FROM read_taco('x.tacozip', view := 'l1');
     SELECT * FROM read_taco(['a.tacozip', 'b.tacozip'], level := 1, filter := 'cloud_cover < 10', bbox := [-10, 35, 30, 60]);

   read_taco(path or list of paths,
     level := 0               the level whose rows to return
     flat := true             only its FILE rows, with the columns of their ancestors
     view := 'l1'             a table of taco.h's SQL, with the names of tacoreader: data, level0 ... level5; l0 ... l5:
                              all rows of a level, also FOLDERs, with the columns of their ancestors. Takes no filters
     filter := '...'          a predicate of taco.h on that level
     bbox := [W, S, E, N]     rows whose geometry (geometry_column := '...') intersects the box
     datetime := 'A/B'        rows of these UTC days (time_column := '...')
     column_mode := 'intersection' | 'fill_missing' | 'strict'      of several datasets
     padding := true          include the padding rows)

   Only the columns that a query names are read. The stable API does not pass WHERE to a table
   function, so DuckDB evaluates it: put conditions that should prune row groups and pages into
   filter, bbox and datetime. Types are DuckDB's own; WKB is a BLOB; HALF becomes FLOAT, decimals of
   more than 38 digits become DOUBLE, and times of day are in microseconds. */
#include "../../examples/system_codecs.h"

#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../extra/taco_sql.h"

#define DUCKDB_EXTENSION_NAME taco
#include <duckdb_extension.h>

#include "../names.h"

DUCKDB_EXTENSION_EXTERN

/* ---- https:// and s3://, if built with libcurl ---- */

#ifdef WITH_CURL
#include "../../tool/remote.c"
#else
typedef struct remote_client {
    char failure[1];
} remote_client;

static void remote_start(void) {}

static void remote_close(remote_client *client)
{
    (void)client;
}
#endif

/* Adds the server's message, which says more about why a dataset could not be opened. */
static void explain_failure(const remote_client *client, taco_error *err)
{
    size_t url = strcspn(client->failure, " "), len = strlen(err->text);
    if (!client->failure[0]) { return; }
    /* "URL: why" is enough if the message is about the same file */
    if (strncmp(err->text, client->failure, url) == 0) { len = 0; }
    snprintf(err->text + len, sizeof err->text - len, len ? " (%s)" : "%s", client->failure);
}

/* ---- the arguments of a call ---- */

typedef struct request {
    char **paths;
    size_t path_count;
    char *filter, *datetime, *geometry_column, *time_column, *view;
    double box[4];
    bool has_box, flat, padding;
    uint32_t level;
    taco_column_mode mode;
    char **columns; /* names in the dataset */
    size_t column_count;
    size_t smallest; /* column to read if rows are only counted */
} request;

static void request_free(void *data)
{
    request *r = (request *)data;
    size_t i;
    for (i = 0; r->paths && i < r->path_count; i++) {
        free(r->paths[i]);
    }
    for (i = 0; r->columns && i < r->column_count; i++) {
        free(r->columns[i]);
    }
    free(r->paths);
    free(r->columns);
    free(r->filter);
    free(r->datetime);
    free(r->geometry_column);
    free(r->time_column);
    free(r->view);
    free(r);
}

/* The rows of a table of the library's SQL; select NULL = all columns. */
static taco_cursor *request_view(const request *r, const char *select, taco_dataset *ds,
                                 taco_error *err)
{
    const char *columns = select ? select : "*";
    size_t n = strlen(columns) + strlen(r->view) + 16;
    char *sql = (char *)malloc(n);
    taco_cursor *rows = NULL;
    if (sql) {
        snprintf(sql, n, "SELECT %s FROM %s", columns, r->view);
        rows = taco_sql(ds, sql, err);
    }
    free(sql);
    return rows;
}

/* Opens a dataset and a cursor over the requested rows; select NULL = all columns. */
static taco_cursor *request_open(const request *r, const char *select, remote_client *client,
                                 taco_dataset **ds, taco_error *err)
{
    taco_query q;
    taco_options opt;
    taco_cursor *rows = NULL;
    memset(&q, 0, sizeof q);
    memset(&opt, 0, sizeof opt);
#ifdef WITH_CURL
    {
        size_t i;
        for (i = 0; i < r->path_count; i++) {
            if (remote_is_url(r->paths[i])) {
                opt.open_file = remote_open;
                opt.open_ctx = client;
            }
        }
    }
#endif
    q.where = r->filter;
    q.bbox = r->has_box ? r->box : NULL;
    q.time = r->datetime;
    q.geometry_column = r->geometry_column;
    q.time_column = r->time_column;
    q.level = q.table = r->level;
    q.flat = r->flat;
    q.padding = r->padding;
    q.select = select;
    *ds = r->path_count == 1
              ? taco_open(r->paths[0], &opt, err)
              : taco_open_many((const char *const *)r->paths, r->path_count, r->mode, &opt, err);
    if (*ds) { rows = r->view ? request_view(r, select, *ds, err) : taco_select(*ds, &q, err); }
    if (!rows) {
        taco_close(*ds);
        *ds = NULL;
        explain_failure(client, err);
    }
    return rows;
}

/* ---- types ---- */

#define WIDEST_DECIMAL 38

static bool decimal_fits(const taco_field *f)
{
    return f->precision >= 1 && f->precision <= WIDEST_DECIMAL && f->scale >= 0 &&
           f->scale <= f->precision;
}

static duckdb_type plain_type(const taco_field *f)
{
    static const duckdb_type stamps[] = {DUCKDB_TYPE_TIMESTAMP_S, DUCKDB_TYPE_TIMESTAMP_MS,
                                         DUCKDB_TYPE_TIMESTAMP, DUCKDB_TYPE_TIMESTAMP_NS};
    switch (f->type) {
    case TACO_NULL: return DUCKDB_TYPE_SQLNULL;
    case TACO_BOOL: return DUCKDB_TYPE_BOOLEAN;
    case TACO_INT8: return DUCKDB_TYPE_TINYINT;
    case TACO_INT16: return DUCKDB_TYPE_SMALLINT;
    case TACO_INT32: return DUCKDB_TYPE_INTEGER;
    case TACO_INT64: return DUCKDB_TYPE_BIGINT;
    case TACO_UINT8: return DUCKDB_TYPE_UTINYINT;
    case TACO_UINT16: return DUCKDB_TYPE_USMALLINT;
    case TACO_UINT32: return DUCKDB_TYPE_UINTEGER;
    case TACO_UINT64: return DUCKDB_TYPE_UBIGINT;
    case TACO_HALF:
    case TACO_FLOAT: return DUCKDB_TYPE_FLOAT;
    case TACO_DOUBLE: return DUCKDB_TYPE_DOUBLE;
    case TACO_DECIMAL: return f->width ? DUCKDB_TYPE_DOUBLE : DUCKDB_TYPE_BLOB;
    case TACO_DATE: return DUCKDB_TYPE_DATE;
    case TACO_TIME: return DUCKDB_TYPE_TIME;
    case TACO_TIMESTAMP: return f->utc ? DUCKDB_TYPE_TIMESTAMP_TZ : stamps[f->unit];
    case TACO_INT96: return DUCKDB_TYPE_TIMESTAMP_NS;
    case TACO_INTERVAL: return DUCKDB_TYPE_INTERVAL;
    case TACO_TEXT: return DUCKDB_TYPE_VARCHAR;
    case TACO_UUID: return DUCKDB_TYPE_UUID;
    default: return DUCKDB_TYPE_BLOB;
    }
}

/* Whether it can be a MAP in DuckDB: a key and a value, the key never null. Other maps become lists
   of their entries. */
static bool is_map(const taco_field *f)
{
    return f->type == TACO_MAP && f->children[0].child_count == 2 &&
           !f->children[0].children[0].nullable;
}

/* NULL if out of memory. */
static duckdb_logical_type type_make(const taco_field *f)
{
    const taco_field *of = is_map(f) ? &f->children[0] : f;
    duckdb_logical_type *children, made = NULL;
    char **names;
    uint32_t i, n = of->child_count;
    bool ok;
    if (f->type == TACO_DECIMAL && f->width && decimal_fits(f)) {
        return duckdb_create_decimal_type((uint8_t)f->precision, (uint8_t)f->scale);
    }
    if (f->type != TACO_LIST && f->type != TACO_MAP && f->type != TACO_STRUCT) {
        return duckdb_create_logical_type(plain_type(f));
    }
    names = names_make(of->children, n);
    children = (duckdb_logical_type *)zeroed(n, sizeof *children);
    ok = names && children;
    for (i = 0; ok && i < n; i++) {
        children[i] = type_make(&of->children[i]);
        ok = children[i] != NULL;
    }
    if (ok) {
        made = is_map(f) ? duckdb_create_map_type(children[0], children[1])
               : f->type == TACO_STRUCT
                   ? duckdb_create_struct_type(children, (const char **)names, n)
                   : duckdb_create_list_type(children[0]);
    }
    for (i = 0; children && i < n; i++) {
        if (children[i]) { duckdb_destroy_logical_type(&children[i]); }
    }
    free(children);
    names_free(names, n);
    return made;
}

/* ---- values: Arrow arrays into vectors ---- */

/* Copies rows [from, from + n) of an array to rows [to, to + n) of a vector. */
typedef struct span {
    const taco_field *f;
    const struct ArrowArray *a;
    duckdb_vector v;
    size_t from, n;
    idx_t to;
} span;

static bool span_valid(const span *s, size_t i)
{
    const uint8_t *bits = (const uint8_t *)s->a->buffers[0];
    size_t k = s->from + i;
    return !bits || (bits[k / 8] >> k % 8 & 1);
}

static void span_nulls(const span *s, const uint8_t *bits)
{
    uint64_t *validity;
    size_t i;
    if (s->f->type != TACO_NULL && (!bits || !s->a->null_count)) { return; }
    duckdb_vector_ensure_validity_writable(s->v);
    validity = duckdb_vector_get_validity(s->v);
    for (i = 0; i < s->n; i++) {
        size_t k = s->from + i;
        if (!bits || !(bits[k / 8] >> k % 8 & 1)) {
            duckdb_validity_set_row_invalid(validity, s->to + i);
        }
    }
}

/* If a struct is null, so are its fields. */
static void null_below(const taco_field *f, duckdb_vector v, idx_t row)
{
    uint32_t i;
    for (i = 0; f->type == TACO_STRUCT && i < f->child_count; i++) {
        duckdb_vector child = duckdb_struct_vector_get_child(v, i);
        duckdb_vector_ensure_validity_writable(child);
        duckdb_validity_set_row_invalid(duckdb_vector_get_validity(child), row);
        null_below(&f->children[i], child, row);
    }
}

static const char *fill_decimal(const span *s)
{
    const uint64_t *in = (const uint64_t *)s->a->buffers[1] + 2 * s->from;
    char *out = (char *)duckdb_vector_get_data(s->v);
    uint64_t low = 1, high = 0; /* 10 to the power of precision */
    int32_t p = s->f->precision, k;
    size_t i, size = p <= 4 ? 2 : p <= 9 ? 4 : p <= 18 ? 8 : 16;
    for (k = 0; k < p; k++) {
        uint64_t mid = (low >> 32) * 10 + ((low & 0xFFFFFFFFU) * 10 >> 32);
        high = high * 10 + (mid >> 32);
        low *= 10;
    }
    for (i = 0; i < s->n; i++) {
        uint64_t l = in[2 * i], h = in[2 * i + 1], negative = h >> 63;
        int64_t whole = (int64_t)l;
        int32_t half = (int32_t)whole;
        int16_t quarter = (int16_t)whole;
        void *to = out + (s->to + i) * size;
        if (!span_valid(s, i)) { continue; }
        if (negative) {
            l = ~l + 1;
            h = ~h + (l == 0);
        }
        if (h > high || (h == high && l >= low)) {
            return "a decimal of more digits than its type";
        }
        if (size == 16) {
            duckdb_hugeint big;
            big.lower = in[2 * i];
            big.upper = (int64_t)in[2 * i + 1];
            memcpy(to, &big, sizeof big);
        } else {
            memcpy(to,
                   size == 8   ? (void *)&whole
                   : size == 4 ? (void *)&half
                               : (void *)&quarter,
                   size);
        }
    }
    return NULL;
}

/* Halves and wide decimals, through taco_array_double. */
static void fill_double(const span *s)
{
    float *f32 = (float *)duckdb_vector_get_data(s->v) + s->to;
    double *f64 = (double *)duckdb_vector_get_data(s->v) + s->to;
    taco_array a;
    size_t i;
    memset(&a, 0, sizeof a);
    a.field = s->f;
    a.length = s->from + s->n;
    a.v.any = s->a->buffers[1];
    for (i = 0; i < s->n; i++) {
        double x = taco_array_double(&a, s->from + i);
        if (s->f->type == TACO_HALF) {
            f32[i] = (float)x;
        } else {
            f64[i] = x;
        }
    }
}

static const char *fill_time(const span *s) /* of a day, in microseconds */
{
    const int32_t *i32 = (const int32_t *)s->a->buffers[1] + s->from;
    const int64_t *i64 = (const int64_t *)s->a->buffers[1] + s->from;
    int64_t *out = (int64_t *)duckdb_vector_get_data(s->v) + s->to;
    const int64_t day = INT64_C(86400000000);
    size_t i;
    for (i = 0; i < s->n; i++) {
        int64_t x = s->f->unit == TACO_MILLI || s->f->unit == TACO_SECOND ? i32[i] : i64[i];
        if (!span_valid(s, i)) { continue; }
        x = s->f->unit == TACO_SECOND  ? x * 1000000
            : s->f->unit == TACO_MILLI ? x * 1000
            : s->f->unit == TACO_NANO  ? (x < 0 ? x : x / 1000)
                                       : x;
        if (x < 0 || x > day) { return "a time outside of the day"; }
        out[i] = x;
    }
    return NULL;
}

/* TIMESTAMP WITH TIME ZONE: microseconds of UTC */
static const char *fill_instant(const span *s)
{
    const int64_t *in = (const int64_t *)s->a->buffers[1] + s->from;
    int64_t *out = (int64_t *)duckdb_vector_get_data(s->v) + s->to;
    int64_t times = s->f->unit == TACO_SECOND ? 1000000 : s->f->unit == TACO_MILLI ? 1000 : 1;
    size_t i;
    for (i = 0; i < s->n; i++) {
        if (!span_valid(s, i)) { continue; }
        if (s->f->unit == TACO_NANO) {
            out[i] = in[i] / 1000 - (in[i] % 1000 < 0);
            continue;
        }
        if (in[i] > INT64_MAX / times || in[i] < INT64_MIN / times) {
            return "an instant beyond microseconds in 64 bits";
        }
        out[i] = in[i] * times;
    }
    return NULL;
}

static void fill_interval(const span *s) /* months, days, milliseconds: uint32 little-endian */
{
    const uint8_t *in = (const uint8_t *)s->a->buffers[1] + 12 * s->from;
    duckdb_interval *out = (duckdb_interval *)duckdb_vector_get_data(s->v) + s->to;
    size_t i, k;
    for (i = 0; i < s->n; i++, in += 12) {
        uint32_t x[3] = {0, 0, 0};
        for (k = 0; k < 12; k++) {
            x[k / 4] |= (uint32_t)in[k] << 8 * (k % 4);
        }
        out[i].months = (int32_t)x[0];
        out[i].days = (int32_t)x[1];
        out[i].micros = (int64_t)x[2] * 1000;
    }
}

/* DuckDB stores a UUID as a 128-bit integer with its sign bit flipped, so that it sorts. */
static void fill_uuid(const span *s)
{
    const uint8_t *in = (const uint8_t *)s->a->buffers[1] + 16 * s->from;
    duckdb_hugeint *out = (duckdb_hugeint *)duckdb_vector_get_data(s->v) + s->to;
    size_t i, k;
    for (i = 0; i < s->n; i++, in += 16) {
        uint64_t high = 0, low = 0;
        for (k = 0; k < 8; k++) {
            high = high << 8 | in[k];
            low = low << 8 | in[k + 8];
        }
        out[i].lower = low;
        out[i].upper = (int64_t)(high ^ (uint64_t)1 << 63);
    }
}

static void fill_text(const span *s)
{
    const int32_t *offsets = (const int32_t *)s->a->buffers[1] + s->from;
    const char *bytes = (const char *)s->a->buffers[2];
    size_t i;
    for (i = 0; i < s->n; i++) {
        if (span_valid(s, i)) {
            duckdb_vector_assign_string_element_len(s->v, s->to + i, bytes + offsets[i],
                                                    (idx_t)(offsets[i + 1] - offsets[i]));
        }
    }
}

static void fill_fixed(const span *s)
{
    const char *bytes = (const char *)s->a->buffers[1];
    size_t i, width = (size_t)s->f->width;
    for (i = 0; i < s->n; i++) {
        if (span_valid(s, i)) {
            duckdb_vector_assign_string_element_len(s->v, s->to + i, bytes + (s->from + i) * width,
                                                    width);
        }
    }
}

static const char *fill(const span *s);

static const char *fill_list(const span *s)
{
    const int32_t *offsets = (const int32_t *)s->a->buffers[1] + s->from;
    duckdb_list_entry *out;
    idx_t begin = duckdb_list_vector_get_size(s->v);
    span child;
    size_t i;
    child.f = s->f->children;
    child.a = s->a->children[0];
    child.from = (size_t)offsets[0];
    child.n = (size_t)(offsets[s->n] - offsets[0]);
    child.to = begin;
    if (duckdb_list_vector_reserve(s->v, begin + child.n) != DuckDBSuccess ||
        duckdb_list_vector_set_size(s->v, begin + child.n) != DuckDBSuccess) {
        return "no memory for the elements of a list";
    }
    child.v = duckdb_list_vector_get_child(s->v);
    out = (duckdb_list_entry *)duckdb_vector_get_data(s->v) + s->to;
    for (i = 0; i < s->n; i++) {
        out[i].offset = begin + (idx_t)(offsets[i] - offsets[0]);
        out[i].length = span_valid(s, i) ? (idx_t)(offsets[i + 1] - offsets[i]) : 0;
    }
    return fill(&child);
}

static const char *fill_struct(const span *s)
{
    const char *error = NULL;
    uint32_t c;
    size_t i;
    for (c = 0; !error && c < s->f->child_count; c++) {
        span child = *s;
        child.f = &s->f->children[c];
        child.a = s->a->children[c];
        child.v = duckdb_struct_vector_get_child(s->v, c);
        error = fill(&child);
    }
    for (i = 0; !error && s->a->null_count && i < s->n; i++) {
        if (!span_valid(s, i)) { null_below(s->f, s->v, s->to + i); }
    }
    return error;
}

static void fill_copy(const span *s, size_t size)
{
    memcpy((char *)duckdb_vector_get_data(s->v) + s->to * size,
           (const char *)s->a->buffers[1] + s->from * size, s->n * size);
}

/* Recursion is as deep as the type, which limits.max_depth bounds. Returns an error message, or
   NULL. */
static const char *fill(const span *s)
{
    const uint8_t *bits;
    bool *flags;
    size_t i;
    if (!s->n) { return NULL; }
    span_nulls(s, s->f->type == TACO_NULL ? NULL : (const uint8_t *)s->a->buffers[0]);
    switch (s->f->type) {
    case TACO_NULL: return NULL;
    case TACO_BOOL:
        bits = (const uint8_t *)s->a->buffers[1];
        flags = (bool *)duckdb_vector_get_data(s->v) + s->to;
        for (i = 0; i < s->n; i++) {
            flags[i] = bits[(s->from + i) / 8] >> (s->from + i) % 8 & 1;
        }
        return NULL;
    case TACO_INT8:
    case TACO_UINT8: fill_copy(s, 1); return NULL;
    case TACO_INT16:
    case TACO_UINT16: fill_copy(s, 2); return NULL;
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_FLOAT:
    case TACO_DATE: fill_copy(s, 4); return NULL;
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_DOUBLE:
    case TACO_INT96: fill_copy(s, 8); return NULL;
    case TACO_TIMESTAMP:
        if (s->f->utc) { return fill_instant(s); }
        fill_copy(s, 8);
        return NULL;
    case TACO_HALF: fill_double(s); return NULL;
    case TACO_DECIMAL:
        if (s->f->width && decimal_fits(s->f)) { return fill_decimal(s); }
        if (s->f->width) {
            fill_double(s);
        } else {
            fill_text(s);
        }
        return NULL;
    case TACO_TIME: return fill_time(s);
    case TACO_INTERVAL: fill_interval(s); return NULL;
    case TACO_UUID: fill_uuid(s); return NULL;
    case TACO_TEXT:
    case TACO_BINARY: fill_text(s); return NULL;
    case TACO_FIXED: fill_fixed(s); return NULL;
    case TACO_LIST:
    case TACO_MAP: return fill_list(s);
    case TACO_STRUCT: return fill_struct(s);
    default: return "a type that this extension does not know";
    }
}

/* ---- bind: arguments and columns ---- */

/* The text of a value, which the caller frees; NULL for NULL. */
static char *value_text(duckdb_value v)
{
    char *text = v && !duckdb_is_null_value(v) ? duckdb_get_varchar(v) : NULL;
    char *mine = text ? copied(text) : NULL;
    duckdb_free(text);
    return mine;
}

/* Sets *text as value_text does. Returns false if out of memory: without a filter there are more
   rows. */
static bool named_text(duckdb_bind_info info, const char *name, char **text)
{
    duckdb_value v = duckdb_bind_get_named_parameter(info, name);
    bool given = v && !duckdb_is_null_value(v);
    *text = value_text(v);
    if (v) { duckdb_destroy_value(&v); }
    if (given && !*text) { duckdb_bind_set_error(info, "read_taco: out of memory"); }
    return !given || *text;
}

static bool named_flag(duckdb_bind_info info, const char *name)
{
    duckdb_value v = duckdb_bind_get_named_parameter(info, name);
    bool flag = v && !duckdb_is_null_value(v) && duckdb_get_bool(v);
    if (v) { duckdb_destroy_value(&v); }
    return flag;
}

/* The first argument: a path, or a list of them. */
static bool bind_paths(duckdb_bind_info info, request *r)
{
    duckdb_value v = duckdb_bind_get_parameter(info, 0);
    duckdb_logical_type type = duckdb_get_value_type(v); /* owned by the value */
    duckdb_type id = duckdb_get_type_id(type);
    idx_t i, n = 1;
    bool ok = !duckdb_is_null_value(v), list = id == DUCKDB_TYPE_LIST;
    n = ok && list ? duckdb_get_list_size(v) : 1;
    ok = ok && (list || id == DUCKDB_TYPE_VARCHAR) && n > 0;
    r->paths = ok ? (char **)zeroed((size_t)n, sizeof *r->paths) : NULL;
    r->path_count = r->paths ? (size_t)n : 0;
    for (i = 0; i < r->path_count && ok; i++) {
        duckdb_value one = list ? duckdb_get_list_child(v, i) : NULL;
        r->paths[i] = value_text(list ? one : v);
        ok = r->paths[i] != NULL;
        if (one) { duckdb_destroy_value(&one); }
    }
    duckdb_destroy_value(&v);
    if (!ok) {
        duckdb_bind_set_error(info, "read_taco: the first argument is a path, or a list of paths");
    }
    return ok;
}

static bool bind_box(duckdb_bind_info info, request *r)
{
    duckdb_value v = duckdb_bind_get_named_parameter(info, "bbox");
    idx_t i, n = v && !duckdb_is_null_value(v) ? duckdb_get_list_size(v) : 0;
    r->has_box = v && !duckdb_is_null_value(v);
    for (i = 0; i < n && i < 4; i++) {
        duckdb_value one = duckdb_get_list_child(v, i);
        if (duckdb_is_null_value(one)) { n = 0; }
        r->box[i] = duckdb_get_double(one);
        duckdb_destroy_value(&one);
    }
    if (v) { duckdb_destroy_value(&v); }
    if (r->has_box && n != 4) {
        duckdb_bind_set_error(
            info, "read_taco: bbox is a list of four numbers: west, south, east, north");
        return false;
    }
    return true;
}

static bool bind_mode(duckdb_bind_info info, request *r)
{
    static const char *const names[] = {"intersection", "fill_missing", "strict"};
    char *text;
    size_t i;
    bool ok;
    if (!named_text(info, "column_mode", &text)) { return false; }
    ok = !text;
    for (i = 0; text && i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            r->mode = (taco_column_mode)i;
            ok = true;
        }
    }
    free(text);
    if (!ok) {
        duckdb_bind_set_error(
            info, "read_taco: column_mode is one of intersection, fill_missing, strict");
    }
    return ok;
}

/* Reads view: data, levelN or lN, without filters. Sets the level of its rows. */
static bool bind_view(duckdb_bind_info info, request *r)
{
    const char *digit;
    if (!named_text(info, "view", &r->view)) { return false; }
    if (!r->view) { return true; }
    digit = strncmp(r->view, "level", 5) == 0 ? r->view + 5 : r->view + (r->view[0] == 'l');
    if (strcmp(r->view, "data") != 0 &&
        (digit == r->view || *digit < '0' || *digit > '5' || digit[1])) {
        duckdb_bind_set_error(info, "read_taco: view is one of data, level0 to level5, l0 to l5");
        return false;
    }
    if (r->filter || r->datetime || r->has_box || r->flat || r->padding || r->level) {
        duckdb_bind_set_error(info, "read_taco: view takes no filters: put conditions into WHERE");
        return false;
    }
    r->level = digit != r->view && *digit != 'd' ? (uint32_t)(*digit - '0') : 0;
    return true;
}

static bool bind_arguments(duckdb_bind_info info, request *r)
{
    duckdb_value level = duckdb_bind_get_named_parameter(info, "level");
    if (level) {
        r->level = duckdb_is_null_value(level) ? 0 : duckdb_get_uint32(level);
        duckdb_destroy_value(&level);
    }
    r->flat = named_flag(info, "flat");
    r->padding = named_flag(info, "padding");
    return named_text(info, "filter", &r->filter) && named_text(info, "datetime", &r->datetime) &&
           named_text(info, "geometry_column", &r->geometry_column) &&
           named_text(info, "time_column", &r->time_column) && bind_paths(info, r) &&
           bind_box(info, r) && bind_mode(info, r) && bind_view(info, r);
}

static bool bind_columns(duckdb_bind_info info, request *r, const taco_field *fields, size_t n)
{
    char **names = names_make(fields, n);
    size_t i;
    bool ok;
    r->columns = (char **)zeroed(n, sizeof *r->columns);
    r->column_count = n;
    r->smallest = n;
    ok = names && r->columns;
    for (i = 0; ok && i < n; i++) {
        duckdb_logical_type type = type_make(&fields[i]);
        r->columns[i] = copied(fields[i].name);
        ok = type && r->columns[i];
        if (ok) { duckdb_bind_add_result_column(info, names[i], type); }
        if (type) { duckdb_destroy_logical_type(&type); }
        if (r->smallest == n && fields[i].width > 0) { r->smallest = i; }
    }
    names_free(names, n);
    r->smallest = r->smallest == n ? 0 : r->smallest;
    return ok;
}

static void read_taco_bind(duckdb_bind_info info)
{
    request *r = (request *)zeroed(1, sizeof *r);
    taco_error err;
    taco_dataset *ds = NULL;
    taco_cursor *rows;
    remote_client client;
    const taco_field *fields;
    size_t n;
    memset(&err, 0, sizeof err);
    memset(&client, 0, sizeof client);
    if (!r || !bind_arguments(info, r)) {
        if (r) {
            request_free(r);
        } else {
            duckdb_bind_set_error(info, "read_taco: out of memory");
        }
        return;
    }
    rows = request_open(r, NULL, &client, &ds, &err);
    if (!rows) {
        duckdb_bind_set_error(info, taco_error_text(&err));
        request_free(r);
        remote_close(&client);
        return;
    }
    fields = taco_cursor_fields(rows, &n);
    if (bind_columns(info, r, fields, n)) {
        int64_t most = taco_level_rows(ds, r->level, NULL);
        duckdb_bind_set_cardinality(info, most < 0 ? 0 : (idx_t)most, false);
        duckdb_bind_set_bind_data(info, r, request_free);
    } else {
        duckdb_bind_set_error(info, "read_taco: out of memory");
        request_free(r);
    }
    taco_cursor_close(rows, NULL);
    taco_close(ds);
    remote_close(&client);
}

/* ---- the scan ---- */

/* One execution, with its own dataset, so that executions share nothing. One thread reads it. */
typedef struct scan {
    remote_client client;           /* of the dataset */
    struct ArrowArrayStream stream; /* owns cursor and dataset */
    const taco_field *fields;       /* of the columns read; owned by the cursor */
    struct ArrowArray batch;
    size_t at; /* rows of the batch already returned */
    idx_t *to; /* for each column of the batch, its column in the chunk */
    size_t count;
} scan;

static void scan_free(void *data)
{
    scan *s = (scan *)data;
    if (s->batch.release) { s->batch.release(&s->batch); }
    if (s->stream.release) { s->stream.release(&s->stream); }
    remote_close(&s->client);
    free(s->to);
    free(s);
}

/* The list of columns used by the query, "a", "b""c"; fills s->to. NULL if out of memory. */
static char *scan_select(duckdb_init_info info, const request *r, scan *s)
{
    idx_t i, n = duckdb_init_get_column_count(info);
    size_t room = 8 + 2 * strlen(r->columns[r->smallest]);
    char *text, *p;
    for (i = 0; i < n; i++) {
        idx_t c = duckdb_init_get_column_index(info, i);
        room += c < r->column_count ? 2 * strlen(r->columns[c]) + 4 : 0;
    }
    s->to = (idx_t *)zeroed((size_t)n + 1, sizeof *s->to);
    p = text = (char *)malloc(room);
    if (!s->to || !text) {
        free(text);
        return NULL;
    }
    for (i = 0; i <= n; i++) {
        idx_t c = i < n ? duckdb_init_get_column_index(info, i) : r->smallest;
        const char *name;
        if (i < n ? c >= r->column_count : s->count > 0) {
            continue; /* a row id: only the number of rows matters, and any column gives that */
        }
        if (p != text) { *p++ = ','; }
        *p++ = '"';
        for (name = r->columns[c]; *name; name++) {
            if (*name == '"') { *p++ = '"'; }
            *p++ = *name;
        }
        *p++ = '"';
        s->to[s->count++] = i < n ? i : (idx_t)-1;
    }
    *p = 0;
    return text;
}

static void read_taco_init(duckdb_init_info info)
{
    const request *r = (const request *)duckdb_init_get_bind_data(info);
    scan *s = (scan *)zeroed(1, sizeof *s);
    char *select = s && r->column_count ? scan_select(info, r, s) : NULL;
    taco_error err;
    taco_dataset *ds = NULL;
    taco_cursor *rows;
    size_t n;
    memset(&err, 0, sizeof err);
    if (!select) {
        duckdb_init_set_error(info, "read_taco: out of memory");
        if (s) { scan_free(s); }
        return;
    }
    duckdb_init_set_init_data(info, s, scan_free);
    duckdb_init_set_max_threads(info, 1);
    rows = request_open(r, select, &s->client, &ds, &err);
    free(select);
    s->fields = taco_cursor_fields(rows, &n);
    if (!rows || taco_cursor_export(rows, true, &s->stream, &err) != TACO_OK || n != s->count) {
        duckdb_init_set_error(info, err.code ? taco_error_text(&err)
                                             : "read_taco: the dataset has changed");
    }
}

static void read_taco_rows(duckdb_function_info info, duckdb_data_chunk out)
{
    scan *s = (scan *)duckdb_function_get_init_data(info);
    size_t c, n, most = (size_t)duckdb_vector_size();
    while (!s->batch.release || s->at == (size_t)s->batch.length) {
        if (s->batch.release) { s->batch.release(&s->batch); }
        s->at = 0;
        if (s->stream.get_next(&s->stream, &s->batch) != 0) {
            duckdb_function_set_error(info, s->stream.get_last_error(&s->stream));
            return;
        }
        if (!s->batch.release) { /* no more batches */
            duckdb_data_chunk_set_size(out, 0);
            return;
        }
    }
    n = (size_t)s->batch.length - s->at < most ? (size_t)s->batch.length - s->at : most;
    for (c = 0; c < s->count; c++) {
        const char *error = NULL;
        if (s->to[c] != (idx_t)-1) {
            span x;
            x.f = &s->fields[c];
            x.a = s->batch.children[c];
            x.v = duckdb_data_chunk_get_vector(out, s->to[c]);
            x.from = s->at;
            x.n = n;
            x.to = 0;
            error = fill(&x);
        }
        if (error) {
            char text[256];
            snprintf(text, sizeof text, "read_taco: column \"%.100s\": %s", s->fields[c].name,
                     error);
            duckdb_function_set_error(info, text);
            return;
        }
    }
    s->at += n;
    duckdb_data_chunk_set_size(out, n);
}

/* ---- registration ---- */

/* Whether FROM 'name' is a dataset: x.tacozip, .tacocat, __TACOCAT__, TACOLLECTION.json. */
static bool is_dataset_name(const char *name)
{
    static const char *const endings[] = {".tacozip", ".tacocat", ".tacocat/", "__TACOCAT__",
                                          "TACOLLECTION.json"};
    size_t n = strlen(name), i, k;
    for (i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        k = strlen(endings[i]);
        if (n >= k && strcmp(name + n - k, endings[i]) == 0) { return true; }
    }
    return false;
}

static void replace_name(duckdb_replacement_scan_info info, const char *name, void *data)
{
    (void)data;
    if (is_dataset_name(name)) {
        duckdb_value path = duckdb_create_varchar(name);
        duckdb_replacement_scan_set_function_name(info, "read_taco");
        duckdb_replacement_scan_add_parameter(info, path);
        duckdb_destroy_value(&path);
    }
}

static void add_named(duckdb_table_function f, const char *name, duckdb_type id)
{
    duckdb_logical_type type = duckdb_create_logical_type(id);
    duckdb_table_function_add_named_parameter(f, name, type);
    duckdb_destroy_logical_type(&type);
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    duckdb_table_function f = duckdb_create_table_function();
    duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
    duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    duckdb_logical_type box = duckdb_create_list_type(number);
    duckdb_state state;
    remote_start();
    duckdb_table_function_set_name(f, "read_taco");
    duckdb_table_function_add_parameter(f, any);
    add_named(f, "level", DUCKDB_TYPE_UINTEGER);
    add_named(f, "flat", DUCKDB_TYPE_BOOLEAN);
    add_named(f, "padding", DUCKDB_TYPE_BOOLEAN);
    add_named(f, "filter", DUCKDB_TYPE_VARCHAR);
    add_named(f, "datetime", DUCKDB_TYPE_VARCHAR);
    add_named(f, "geometry_column", DUCKDB_TYPE_VARCHAR);
    add_named(f, "time_column", DUCKDB_TYPE_VARCHAR);
    add_named(f, "column_mode", DUCKDB_TYPE_VARCHAR);
    add_named(f, "view", DUCKDB_TYPE_VARCHAR);
    duckdb_table_function_add_named_parameter(f, "bbox", box);
    duckdb_table_function_set_bind(f, read_taco_bind);
    duckdb_table_function_set_init(f, read_taco_init);
    duckdb_table_function_set_function(f, read_taco_rows);
    duckdb_table_function_supports_projection_pushdown(f, true);
    state = duckdb_register_table_function(connection, f);
    duckdb_destroy_table_function(&f);
    duckdb_destroy_logical_type(&any);
    duckdb_destroy_logical_type(&number);
    duckdb_destroy_logical_type(&box);
    if (state != DuckDBSuccess) {
        access->set_error(info, "taco: read_taco could not be registered");
        return false;
    }
    duckdb_add_replacement_scan(*access->get_database(info), replace_name, NULL, NULL);
    return true;
}
