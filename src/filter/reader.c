/* reader.c - taco_pq_read and taco_pq_column_open: rows and columns of a Parquet file

   In: a taco_pq_query, which is text and names. Out: batches of the rows that match, from a scan of
   the file's table (scan.c), as public arrays or as an Arrow stream.

   taco__reader_init makes a query a scan: columns are looked up by name, the text of `where` and
   the caller's own predicates become one condition, and that is bound to the columns. A failure
   stays in the reader: no call after it reads anything, and taco_pq_reader_close reports it. A
   taco_pq_column is a reader of one column whose type is known to be the caller's. Start reading at
   taco_pq_reader_next. */
#include "scan.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* ---- a query as a scan ---- */

/* The index of the column with that name, or SIZE_MAX with the nearest names in the message. */
static size_t taco__reader_find_column(taco_pq_reader *r, const char *name)
{
    size_t c = taco__table_find_column(&r->table, name);
    if (c == SIZE_MAX) {
        taco__field_names_no_column(r->table.fields, r->table.field_count, taco__bytes_text(name),
                                    &r->err);
    }
    return c;
}

/* Fills r->which and r->fields with the columns that a query names, or all. */
static bool taco__reader_set_columns(taco_pq_reader *r, const taco_pq_query *q)
{
    size_t i, n = q->columns ? q->column_count : r->table.field_count;
    for (i = 0; i < n; i++) {
        r->which[i] = q->columns ? taco__reader_find_column(r, q->columns[i]) : i;
        if (r->which[i] == SIZE_MAX) { return false; }
        r->fields[i] = r->table.fields[r->which[i]];
    }
    r->count = n;
    return true;
}

/* The context of a taco__custom_predicate that calls the caller's predicate. */
typedef struct taco__reader_predicate {
    taco_pq_predicate of;
    const taco_field *field;
} taco__reader_predicate;

/* The caller's function may set any bits for rows without a value: valid_bits, which it cannot
   change, says that they are NULL. */
static bool taco__reader_eval_predicate(void *ctx, const taco_array *a, size_t rows,
                                        uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__reader_predicate *p = (const taco__reader_predicate *)ctx;
    (void)valid_bits;
    (void)err;
    return p->of.match(p->of.ctx, a, rows, true_bits);
}

/* Writes a numeric bound in the column's storage; false for HALF, whose bounds are not passed
   on. */
static bool taco__reader_store_number(const taco_field *f, const taco__scalar *v,
                                      uint8_t scratch[32])
{
    float single = taco__num_f64_to_f32(v->f);
    uint64_t x = v->d.w[0];
    uint32_t word = (uint32_t)x;
    uint16_t half = (uint16_t)x;
    size_t i;
    switch (f->type) {
    case TACO_HALF: return false;
    case TACO_FLOAT: memcpy(scratch, &single, sizeof single); return true;
    case TACO_DOUBLE: memcpy(scratch, &v->f, sizeof v->f); return true;
    case TACO_DECIMAL:
        for (i = 0; i < 4; i++) {
            taco__put_le64(scratch + i * 8, v->d.w[i]);
        }
        return true;
    default: break;
    }
    switch (f->width) {
    case 8: memcpy(scratch, &x, sizeof x); break;
    case 4: memcpy(scratch, &word, sizeof word); break;
    case 2: memcpy(scratch, &half, sizeof half); break;
    default: scratch[0] = (uint8_t)x; break;
    }
    return true;
}

/* A bound as an array of one row, built in *a, scratch and offsets; NULL if there is none, or an
   array cannot hold it. */
static const taco_array *taco__reader_bound_array(const taco_field *f, const taco__scalar *v,
                                                  bool has, taco_array *a, uint8_t scratch[32],
                                                  int32_t offsets[2])
{
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = 1;
    a->v.any = scratch;
    if (!has || (f->type == TACO_DECIMAL && f->width == 0)) { return NULL; }
    if (!taco__scalar_is_bytes(f->type) && f->type != TACO_FIXED) {
        return taco__reader_store_number(f, v, scratch) ? a : NULL;
    }
    if (v->b.len > INT32_MAX || (f->width && v->b.len != (size_t)f->width)) { return NULL; }
    offsets[0] = 0;
    offsets[1] = (int32_t)v->b.len;
    a->offsets = f->type == TACO_TEXT || f->type == TACO_BINARY ? offsets : NULL;
    a->v.any = v->b.data;
    return a;
}

/* Calls the caller's may_match, which sees only the bounds: rows may still be NULL. */
static unsigned taco__reader_prune_predicate(void *ctx, const taco__column_stats *r)
{
    const taco__reader_predicate *p = (const taco__reader_predicate *)ctx;
    taco_array a, b;
    uint64_t x[4], y[4]; /* aligned for every number that an array holds */
    int32_t i[2], j[2];
    const taco_array *min, *max;
    if (!p->of.may_match || (!r->has_min && !r->has_max)) { return TACO__MAY_ANY; }
    min = taco__reader_bound_array(p->field, &r->min, r->has_min, &a, (uint8_t *)x, i);
    max = taco__reader_bound_array(p->field, &r->max, r->has_max, &b, (uint8_t *)y, j);
    return p->of.may_match(p->of.ctx, min, max) ? TACO__MAY_ANY : TACO__MAY_FALSE | TACO__MAY_NULL;
}

/* The i-th predicate of a query as a condition; NULL on failure. */
static taco__expr *taco__reader_make_predicate(taco_pq_reader *r, const taco_pq_query *q, size_t i)
{
    taco__custom_predicate custom;
    taco__reader_predicate *own =
        (taco__reader_predicate *)taco__arena_alloc(&r->arena, sizeof *own, &r->err);
    const char *name = q->predicates[i].column;
    size_t c;
    if (!own || !name || !q->predicates[i].match) {
        TACO__FAIL(&r->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "predicate %u has no %s", TACO__U(i),
                   name ? "function" : "column");
        return NULL;
    }
    c = taco__reader_find_column(r, name);
    if (c == SIZE_MAX) { return NULL; }
    own->of = q->predicates[i];
    own->field = &r->table.fields[c];
    memset(&custom, 0, sizeof custom);
    custom.ctx = own;
    custom.eval = taco__reader_eval_predicate;
    custom.prune = TACO__WITH_PRUNING ? taco__reader_prune_predicate : NULL;
    return taco__expr_custom(&r->arena, c, &custom, &r->err);
}

/* Parses `where` in the reader's arena, including the text, which the tree borrows; NULL on
   failure. */
static taco__expr *taco__reader_parse_where(taco_pq_reader *r, const char *where)
{
    char *text = taco__arena_text(&r->arena, taco__bytes_text(where), &r->err);
    taco__expr *e =
        text ? taco__pred_parse(&r->arena, text, strlen(where), &r->file->options.limits, &r->err)
             : NULL;
    if (!e) {
        taco_bytes w = taco__bytes_text(where);
        taco__error_prefix(&r->err, "where: %q", &w);
    }
    return e;
}

/* Combines all conditions of a query and binds them; *where is NULL if there are none. */
static bool taco__reader_make_condition(taco_pq_reader *r, const taco_pq_query *q,
                                        taco__expr **where)
{
    size_t i;
    *where = NULL;
    if (!TACO__WITH_FILTERS) {
        if (q->where || q->predicate_count) {
            TACO__FAIL(&r->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "where, left out by TACO_NO_FILTERS");
        }
        return r->err.code == TACO_OK;
    }
    if (q->where) {
        *where = taco__reader_parse_where(r, q->where);
        if (!*where) { return false; }
    }
    if (!TACO__WITH_PREDICATES && q->predicate_count) {
        TACO__FAIL(&r->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "predicates, left out by TACO_NO_PREDICATES");
        return false;
    }
    for (i = 0; TACO__WITH_PREDICATES && i < q->predicate_count; i++) {
        taco__expr *e = taco__reader_make_predicate(r, q, i);
        *where = e ? taco__expr_and(&r->arena, *where, e, &r->err) : NULL;
        if (!*where) { return false; }
    }
    if (*where &&
        !taco__pred_bind(*where, r->table.fields, r->table.field_count, &r->arena, &r->err)) {
        taco__error_prefix(&r->err, "where");
        return false;
    }
    return true;
}

/* Gives columns of INT96 the unit that holds all their values. */
static bool taco__reader_set_int96_units(taco_pq_reader *r)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        taco__int96_seen seen = {false, false, false, false};
        if (!taco__int96_units_has(&r->fields[i])) { continue; }
        if (!taco__int96_units_read(&r->table, r->which[i], r->file->mem, &seen, &r->err) ||
            !taco__int96_units_choose(&r->arena, &seen, &r->file->options, &r->fields[i],
                                      &r->err)) {
            return false;
        }
    }
    return true;
}

/* Opens the scan of a query; a failure is in r->err. */
static bool taco__reader_init(taco_pq_reader *r, const taco_pq_query *q)
{
    size_t n = q->columns ? q->column_count : r->file->meta.column_count;
    taco__expr *where;
    taco__table_from_file(&r->table, r->file);
    r->which = (size_t *)taco__arena_array(&r->arena, n + 1, sizeof *r->which, &r->err);
    r->fields = (taco_field *)taco__arena_array(&r->arena, n + 1, sizeof *r->fields, &r->err);
    if (!r->which || !r->fields || !taco__reader_set_columns(r, q) ||
        !taco__reader_make_condition(r, q, &where) ||
        !taco__scan_open(&r->scan, &r->table, where, NULL, r->which, r->count, q->batch_rows,
                         r->file->mem, &r->err)) {
        return false;
    }
    taco__scan_set_rows(&r->scan, q->first_row, q->row_count ? q->row_count : UINT64_MAX);
    return !q->arrow || taco__reader_set_int96_units(r);
}

/* ---- the calls of a reader ---- */

TACO_API taco_pq_reader *taco_pq_read(taco_pq_file *file, const taco_pq_query *query,
                                      taco_error *err)
{
    taco_pq_query q;
    taco_pq_reader *r;
    err = taco__error_fresh(err, NULL);
    if (!file) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
        return NULL;
    }
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    r = (taco_pq_reader *)taco__mem_alloc(file->mem, sizeof *r, err);
    if (!r) { return NULL; }
    r->file = file;
    r->arena.mem = file->mem;
    r->left = q.limit ? q.limit : UINT64_MAX;
    if (!taco__reader_init(r, &q)) {
        taco_pq_reader_close(r, err);
        return NULL;
    }
    return r;
}

TACO_API const taco_field *taco_pq_reader_fields(const taco_pq_reader *r, size_t *n)
{
    *n = r ? r->count : 0;
    return r ? r->fields : NULL;
}

TACO_API bool taco_pq_reader_next(taco_pq_reader *r, taco_batch *out)
{
    const uint32_t *rows;
    uint64_t base;
    size_t n;
    memset(out, 0, sizeof *out);
    if (!r || r->err.code != TACO_OK || r->left == 0) { return false; }
    n = taco__scan_next(&r->scan, (size_t)TACO__MIN(r->left, (uint64_t)SIZE_MAX), true, &rows,
                        &base, &r->err);
    if (n == 0) {
        r->left = 0;
        return false;
    }
    r->left -= n;
    out->length = n;
    out->columns = r->scan.out.arrays;
    out->column_count = r->count;
    out->first_row = rows[n - 1] - rows[0] == n - 1 ? (int64_t)(base + rows[0]) : -1;
    return true;
}

TACO_API taco_status taco_pq_reader_close(taco_pq_reader *r, taco_error *err)
{
    taco_status code = TACO_OK;
    if (r) {
        taco__mem *mem = r->file->mem;
        code = r->err.code;
        if (err && err->code == TACO_OK && code != TACO_OK) { *err = r->err; }
        taco__scan_close(&r->scan);
        taco__arena_free(&r->arena);
        taco__mem_free(mem, r, sizeof *r);
    }
    return code;
}

/* ---- as an Arrow stream: what a taco__arrow_source asks of a reader ---- */

static bool taco__reader_stream_next(void *ctx, taco_batch *out)
{
    return taco_pq_reader_next((taco_pq_reader *)ctx, out);
}

static bool taco__reader_stream_owner(void *ctx, size_t column, taco__buffer_owner *out)
{
    return taco__row_reader_buffer_owner(&((taco_pq_reader *)ctx)->scan.out, column, out);
}

static void taco__reader_stream_name(void *ctx)
{
    taco_pq_reader *r = (taco_pq_reader *)ctx;
    if (r->file->name[0]) { taco__error_prefix(&r->err, "%s", r->file->name); }
}

static void taco__reader_stream_close(void *ctx)
{
    taco_pq_reader *r = (taco_pq_reader *)ctx;
    taco_pq_file *file = r->owns_file ? r->file : NULL;
    taco_pq_reader_close(r, NULL);
    taco_pq_close(file);
}

TACO_API taco_status taco_pq_reader_export(taco_pq_reader *r, bool close_file,
                                           struct ArrowArrayStream *out, taco_error *err)
{
    taco__arrow_source src;
    err = taco__error_fresh(err, NULL);
    memset(&src, 0, sizeof src);
    if (r) {
        r->owns_file = close_file;
        taco__reader_set_int96_units(r); /* where that fails, get_next does */
        src.ctx = r;
        src.fields = r->fields;
        src.count = r->count;
        src.pairs = r->file->meta.pairs;
        src.pair_count = r->file->meta.pair_count;
        src.mem = r->file->mem;
        src.err = &r->err;
        src.next = taco__reader_stream_next;
        src.owner = taco__reader_stream_owner;
        src.prefix_error = taco__reader_stream_name;
        src.close = taco__reader_stream_close;
    }
    return taco__arrow_stream_open(&src, out, err);
}

/* ---- one column ---- */

struct taco_pq_column {
    taco_pq_reader *reader;
    /* memory of the file, kept because the reader no longer refers to it once closed */
    taco__mem *mem;
};

/* "column 'i' is of type 'int64', was requested as text". */
static TACO__COLD void taco__reader_fail_column_type(const taco_pq_reader *r, const char *name,
                                                     taco_type type, taco_error *err)
{
    const char *asked = taco__type_word(type);
    taco_bytes text = taco__bytes_text(name), has;
    taco_error e;
    taco__buf out;
    TACO__GIVE_UP(TACO_ERR_TYPE); /* leaves out the names of types */
    memset(&out, 0, sizeof out);
    out.mem = r->file->mem;
    memset(&e, 0, sizeof e);
    if (taco__type_name_append(&r->fields[0], &out, &e)) {
        has = taco__bytes_of(out.data, out.len);
        TACO__FAIL(&e, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is of type %q, was requested as %s", &text, &has,
                   asked ? asked : "an unknown type");
        if (r->file->name[0]) { taco__error_prefix(&e, "%s", r->file->name); }
    }
    taco__error_copy(err, &e);
    taco__buf_free(&out);
}

TACO_API taco_pq_column *taco_pq_column_open(taco_pq_file *file, const char *name, taco_type type,
                                             taco_error *err)
{
    taco_pq_query q;
    taco_pq_column *c;
    err = taco__error_fresh(err, NULL);
    memset(&q, 0, sizeof q);
    q.columns = &name;
    q.column_count = 1;
    if (!file || !name) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        file ? "name" : "file");
        return NULL;
    }
    c = (taco_pq_column *)taco__mem_alloc(file->mem, sizeof *c, err);
    if (!c) { return NULL; }
    c->mem = file->mem;
    c->reader = taco_pq_read(file, &q, err);
    if (c->reader && c->reader->fields[0].type == type) { return c; }
    if (c->reader) { taco__reader_fail_column_type(c->reader, name, type, err); }
    taco_pq_column_close(c, err);
    return NULL;
}

TACO_API bool taco_pq_column_next(taco_pq_column *c, size_t max_rows, taco_array *out)
{
    taco_batch b;
    memset(out, 0, sizeof *out);
    if (!c || !max_rows) { return false; }
    taco__scan_set_batch_rows(&c->reader->scan, max_rows);
    if (!taco_pq_reader_next(c->reader, &b)) { return false; }
    *out = b.columns[0];
    return true;
}

TACO_API taco_status taco_pq_column_close(taco_pq_column *c, taco_error *err)
{
    taco_status code = TACO_OK;
    if (c) {
        code = taco_pq_reader_close(c->reader, err);
        taco__mem_free(c->mem, c, sizeof *c);
    }
    return code;
}
