/* reader.c - the calls of the Parquet API. */
#include "filter.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

static bool taco__reader_set_columns(taco_pq_reader *r, const taco_pq_query *q, size_t *which)
{
    size_t i, n = q->columns ? q->column_count : r->table.field_count;
    for (i = 0; i < n; i++) {
        which[i] = q->columns ? taco__table_find_column(&r->table, q->columns[i]) : i;
        if (which[i] == SIZE_MAX) {
            taco__field_names_no_column(r->table.fields, r->table.field_count,
                                        taco__bytes_text(q->columns[i]), &r->err);
            return false;
        }
        r->fields[i] = r->table.fields[which[i]];
    }
    r->count = n;
    return true;
}

/* A caller's predicate as a node of the condition. */
typedef struct taco__reader_predicate {
    taco_pq_predicate of;
    const taco_field *field;
} taco__reader_predicate;

static bool taco__reader_run_predicate(void *ctx, const taco_array *a, size_t rows,
                                       uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__reader_predicate *p = (const taco__reader_predicate *)ctx;
    (void)valid_bits;
    (void)err;
    return p->of.match(p->of.ctx, a, rows, true_bits);
}

/* A bound as an array of one row in `a`; NULL where there is none. */
static const taco_array *taco__reader_bound_array(const taco_field *f, const taco__scalar *v,
                                                  bool has, taco_array *a, uint8_t scratch[32],
                                                  int32_t offsets[2])
{
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = 1;
    a->v.any = scratch;
    if (!has || (f->type == TACO_DECIMAL && f->width == 0)) { return NULL; }
    if (taco__scalar_is_bytes(f->type) || f->type == TACO_FIXED) {
        if (v->b.len > INT32_MAX || (f->width && v->b.len != (size_t)f->width)) { return NULL; }
        offsets[0] = 0;
        offsets[1] = (int32_t)v->b.len;
        a->offsets = f->type == TACO_TEXT || f->type == TACO_BINARY ? offsets : NULL;
        a->v.any = v->b.data;
        return a;
    }
    switch (f->type) {
    case TACO_HALF: return NULL;
    case TACO_FLOAT: {
        float x = (float)v->f;
        memcpy(scratch, &x, sizeof x);
        return a;
    }
    case TACO_DOUBLE: memcpy(scratch, &v->f, sizeof v->f); return a;
    case TACO_DECIMAL: {
        size_t i;
        for (i = 0; i < 4; i++) {
            taco__put_le64(scratch + i * 8, v->d.w[i]);
        }
        return a;
    }
    default: break;
    }
    if (f->width == 8) {
        memcpy(scratch, &v->d.w[0], 8);
    } else if (f->width == 4) {
        uint32_t x = (uint32_t)v->d.w[0];
        memcpy(scratch, &x, sizeof x);
    } else if (f->width == 2) {
        uint16_t x = (uint16_t)v->d.w[0];
        memcpy(scratch, &x, sizeof x);
    } else {
        scratch[0] = (uint8_t)v->d.w[0];
    }
    return a;
}

static unsigned taco__reader_prune_predicate(void *ctx, const taco__column_stats *r)
{
    const taco__reader_predicate *p = (const taco__reader_predicate *)ctx;
    taco_array a, b;
    uint8_t x[32], y[32];
    int32_t i[2], j[2];
    const taco_array *min, *max;
    if (!p->of.may_match || (!r->has_min && !r->has_max)) { return TACO__MAY_ANY; }
    min = taco__reader_bound_array(p->field, &r->min, r->has_min, &a, x, i);
    max = taco__reader_bound_array(p->field, &r->max, r->has_max, &b, y, j);
    return p->of.may_match(p->of.ctx, min, max) ? TACO__MAY_ANY : TACO__MAY_FALSE | TACO__MAY_NULL;
}

static bool taco__reader_set_predicates(taco_pq_reader *r, const taco_pq_query *q,
                                        taco__expr **where)
{
    size_t i, c;
    for (i = 0; i < q->predicate_count; i++) {
        taco__custom_predicate custom;
        taco__expr *e;
        taco__reader_predicate *own =
            (taco__reader_predicate *)taco__arena_alloc(&r->arena, sizeof *own, &r->err);
        const char *name = q->predicates[i].column;
        if (!own || !name || !q->predicates[i].match) {
            TACO__FAIL(&r->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "predicate %u has no %s",
                       TACO__U(i), name ? "function" : "column");
            return false;
        }
        c = taco__table_find_column(&r->table, name);
        if (c == SIZE_MAX) {
            taco__field_names_no_column(r->table.fields, r->table.field_count,
                                        taco__bytes_text(name), &r->err);
            return false;
        }
        own->of = q->predicates[i];
        own->field = &r->table.fields[c];
        memset(&custom, 0, sizeof custom);
        custom.ctx = own;
        custom.eval = taco__reader_run_predicate;
        custom.prune = taco__reader_prune_predicate;
        e = taco__expr_custom(&r->arena, c, &custom, &r->err);
        *where = e ? taco__expr_and(&r->arena, *where, e, &r->err) : NULL;
        if (!*where) { return false; }
    }
    return true;
}

static bool taco__reader_init(taco_pq_reader *r, const taco_pq_query *q)
{
    size_t n = q->columns ? q->column_count : r->file->meta.column_count, *which;
    taco__expr *where = NULL;
    taco_limits *limits = &r->file->options.limits;
    taco__table_from_file(&r->table, r->file);
    which = (size_t *)taco__arena_array(&r->arena, n + 1, sizeof *which, &r->err);
    r->fields = (taco_field *)taco__arena_array(&r->arena, n + 1, sizeof *r->fields, &r->err);
    if (!which || !r->fields || !taco__reader_set_columns(r, q, which)) { return false; }
    if (q->where) {
        size_t len = strlen(q->where);
        char *text = taco__arena_text(&r->arena, taco__bytes_text(q->where),
                                      &r->err); /* the tree borrows it */
        where = text ? taco__pred_parse(&r->arena, text, len, limits, &r->err) : NULL;
        if (!where) {
            taco__error_prefix(&r->err, "where");
            return false;
        }
    }
    if (!taco__reader_set_predicates(r, q, &where)) { return false; }
    if (where &&
        !taco__pred_bind(where, r->table.fields, r->table.field_count, &r->arena, &r->err)) {
        taco__error_prefix(&r->err, "where");
        return false;
    }
    if (!taco__scan_open(&r->scan, &r->table, where, NULL, which, r->count, q->batch_rows,
                         r->file->mem, &r->err)) {
        return false;
    }
    r->scan.from = q->first_row;
    if (q->row_count && q->row_count < r->scan.to - TACO__MIN(q->first_row, r->scan.to)) {
        r->scan.to = q->first_row + q->row_count;
    }
    return true;
}

TACO_API taco_pq_reader *taco_pq_read(taco_pq_file *file, const taco_pq_query *query,
                                      taco_error *err)
{
    taco_pq_query q;
    taco_pq_reader *r;
    if (!file) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
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
    memset(&src, 0, sizeof src);
    if (r) {
        r->owns_file = close_file;
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

struct taco_pq_column {
    taco_pq_reader *reader;
    taco__mem *mem;
};

TACO_API taco_pq_column *taco_pq_column_open(taco_pq_file *file, const char *name, taco_type type,
                                             taco_error *err)
{
    taco_pq_query q;
    taco_pq_column *c;
    memset(&q, 0, sizeof q);
    q.columns = &name;
    q.column_count = 1;
    if (!file || !name) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", file ? "name" : "file");
        return NULL;
    }
    c = (taco_pq_column *)taco__mem_alloc(file->mem, sizeof *c, err);
    if (!c) { return NULL; }
    c->mem = file->mem;
    c->reader = taco_pq_read(file, &q, err);
    if (c->reader && c->reader->fields[0].type != type) {
        taco_error e;
        const char *asked = taco__type_word(type);
        taco_bytes text = taco__bytes_text(name), has;
        taco__buf out;
        memset(&out, 0, sizeof out);
        out.mem = file->mem;
        memset(&e, 0, sizeof e);
        if (taco__type_name_append(&c->reader->fields[0], &out, &e)) {
            has = taco__bytes_of(out.data, out.len);
            TACO__FAIL(&e, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is of type %q, was asked for as %s", &text, &has,
                       asked ? asked : "no type there is");
            if (file->name[0]) { taco__error_prefix(&e, "%s", file->name); }
        }
        if (err && err->code == TACO_OK) { *err = e; }
        taco__buf_free(&out);
        taco_pq_column_close(c, err);
        return NULL;
    }
    if (!c->reader) {
        taco__mem_free(c->mem, c, sizeof *c);
        return NULL;
    }
    return c;
}

TACO_API bool taco_pq_column_next(taco_pq_column *c, size_t max_rows, taco_array *out)
{
    taco_batch b;
    memset(out, 0, sizeof *out);
    if (!c || !max_rows) { return false; }
    c->reader->scan.batch_rows = max_rows;
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
