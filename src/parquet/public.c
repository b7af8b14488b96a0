/* ==== ROOM public: the calls of the Parquet API. Uses: everything above ==== */

TACO_API const char *taco_error_text(const taco_error *err)
{
    return !err || err->code == TACO_OK ? ""
           : err->text[0]               ? err->text
                                        : taco_status_name(err->code);
}
TACO_API const char *taco_status_name(taco_status code)
{
    static const char *const names[] = {
        "ok",      "argument", "state",       "memory",    "limit", "io",    "truncated",
        "corrupt", "checksum", "unsupported", "not found", "type",  "syntax"};
    return (size_t)code < TACO__COUNT(names) ? names[code] : "unknown";
}
TACO_API const char *taco_version(void)
{
    return TACO_VERSION;
}

/* ---- arrays ------------------------------------------------------------------------------------- */

TACO_API bool taco_array_valid(const taco_array *a, size_t i)
{
    return a->field->type != TACO_NULL && (!a->validity || taco__bitmap_get(a->validity, i));
}
TACO_API taco_bytes taco_array_bytes(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) {
        return taco__bytes_of(NULL, 0);
    }
    if (a->dictionary) {
        i = (size_t)(uint32_t)a->v.i32[i];
        a = a->dictionary;
    }
    if (taco__array_is_var_length(a->field)) {
        return taco__bytes_of(a->v.u8 + a->offsets[i], (size_t)(a->offsets[i + 1] - a->offsets[i]));
    }
    if (a->field->type == TACO_FIXED || a->field->type == TACO_UUID ||
        a->field->type == TACO_INT96 || a->field->type == TACO_INTERVAL) {
        return taco__bytes_of(a->v.u8 + i * (size_t)a->field->width, (size_t)a->field->width);
    }
    return taco__bytes_of(NULL, 0);
}
TACO_API int64_t taco_array_int(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) {
        return 0;
    }
    switch (a->field->type) {
    case TACO_BOOL: return taco__bitmap_get(a->v.u8, i);
    case TACO_INT8: return a->v.i8[i];
    case TACO_INT16: return a->v.i16[i];
    case TACO_INT32:
    case TACO_DATE: return a->v.i32[i];
    case TACO_UINT8: return a->v.u8[i];
    case TACO_UINT16: return a->v.u16[i];
    case TACO_UINT32: return a->v.u32[i];
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_TIMESTAMP: return a->v.i64[i];
    case TACO_TIME: return a->field->width == 4 ? (int64_t)a->v.i32[i] : a->v.i64[i];
    default: return 0;
    }
}
TACO_API double taco_array_double(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) {
        return 0.0;
    }
    switch (a->field->type) {
    case TACO_HALF: return (double)taco__num_f16_to_f32(a->v.u16[i]);
    case TACO_FLOAT: return (double)a->v.f32[i];
    case TACO_DOUBLE: return a->v.f64[i];
    case TACO_UINT64: return (double)a->v.u64[i];
    case TACO_DECIMAL:
        return a->field->width ? taco__decimal_le_to_f64(a->v.u8 + i * (size_t)a->field->width,
                                                         a->field->width, a->field->scale)
                               : 0.0;
    default: return (double)taco_array_int(a, i);
    }
}

/* ---- files -------------------------------------------------------------------------------------- */

TACO__FN bool taco__source_open_path(const taco_options *o, const char *path, taco_source *out,
                                     taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (o->open_file) {
        memset(out, 0, sizeof *out);
        if (!o->open_file(o->open_ctx, path, out)) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no such file, or not readable: %q",
                       &name);
            return false;
        }
        return true;
    }
#ifndef TACO_NO_STDIO
    return taco_source_file(out, path, err) == TACO_OK;
#else
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no taco_options.open_file to open %q with",
               &name);
    return false;
#endif
}
TACO_API taco_pq_file *taco_pq_open_source(const taco_source *src, const char *name,
                                           const taco_options *opt, taco_error *err)
{
    taco_error    own = {0, TACO_OK, 0, {0}};
    taco__mem     mem;
    taco_pq_file *f;
    taco_bytes    where = taco__bytes_text(name ? name : "");
    err = err ? err : &own;
    if (!taco__source_check(src, err)) {
        return NULL;
    }
    taco__mem_init(&mem, opt);
    f = (taco_pq_file *)taco__mem_alloc(&mem, sizeof *f, err);
    if (!f) {
        if (src->close) {
            src->close(src->ctx);
        }
        return NULL;
    }
    f->own_mem = mem;
    f->mem = &f->own_mem;
    f->name = "";
    taco__options_init(&f->options, opt);
    taco__file_init(&f->own_file, src, "", f->mem);
    f->part.file = &f->own_file;
    f->part.size = src->size;
    if (!taco__pq_file_open(f, err)) {
        if (where.len) {
            taco__error_prefix(err, "%s", name);
        }
        taco_pq_close(f);
        return NULL;
    }
    if (where.len) {
        char *copy = taco__arena_text(&f->arena, where, err);
        if (!copy) {
            taco_pq_close(f);
            return NULL;
        }
        f->name = copy;
    }
    return f;
}
TACO_API taco_pq_file *taco_pq_open(const char *path, const taco_options *opt, taco_error *err)
{
    taco_source  src;
    taco_options o;
    taco__options_init(&o, opt);
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__source_open_path(&o, path, &src, err) ? taco_pq_open_source(&src, path, opt, err)
                                                       : NULL;
}
TACO_API void taco_pq_close(taco_pq_file *f)
{
    if (f) {
        taco__mem mem;
        taco__pq_file_close(f);
        taco__file_close(&f->own_file);
        taco__mem_free_spares(f->mem);
        mem = f->own_mem;
        taco__mem_free(&mem, f, sizeof *f);
    }
}
TACO_API int64_t taco_pq_rows(const taco_pq_file *f)
{
    return f ? f->meta.num_rows : 0;
}
TACO_API size_t taco_pq_row_groups(const taco_pq_file *f)
{
    return f ? f->meta.group_count : 0;
}
TACO_API const taco_field *taco_pq_fields(const taco_pq_file *f, size_t *n)
{
    *n = f ? f->meta.column_count : 0;
    return f ? f->meta.columns : NULL;
}
TACO_API taco_bytes taco_pq_key_value(const taco_pq_file *f, const char *key)
{
    uint32_t i;
    for (i = 0; f && i < f->meta.pair_count; i++) {
        if (taco__bytes_equal(f->meta.pairs[i].key, taco__bytes_text(key))) {
            return f->meta.pairs[i].value;
        }
    }
    return taco__bytes_of(NULL, 0);
}
TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *f, taco_error *err)
{
    if (!f) {
        return taco__bytes_of(NULL, 0);
    }
    f->text.len = 0;
    return taco__schema_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *f, taco_error *err)
{
    if (!f) {
        return taco__bytes_of(NULL, 0);
    }
    f->text2.len = 0;
    return taco__footer_json_append(&f->meta, &f->text2, err)
               ? taco__bytes_of(f->text2.data, f->text2.len)
               : taco__bytes_of(NULL, 0);
}

TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *f, taco_error *err)
{
    if (!f) {
        return taco__bytes_of(NULL, 0);
    }
    f->text.len = 0;
    return taco__footer_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err)
{
    taco_pq_checked sum;
    taco_error      own = {0, TACO_OK, 0, {0}};
    taco_status     status;
    memset(&sum, 0, sizeof sum);
    status = file ? taco__verify_file(file, found, ctx, &sum, &own)
                  : TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
    if (out) {
        *out = sum;
    }
    if (err && err->code == TACO_OK) {
        *err = own;
    }
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------ */

struct taco_pq_reader {
    taco_pq_file *file;
    taco__table   table;
    taco__arena   arena;
    taco__scan    scan;
    taco_field   *fields;
    size_t        count;
    uint64_t      left;
    bool          owns_file; /* exported with it */
    taco_error    err;
};

TACO__FN bool taco__reader_set_columns(taco_pq_reader *r, const taco_pq_query *q, size_t *which)
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

TACO__FN bool taco__reader_run_predicate(void *ctx, const taco_array *a, size_t rows,
                                         uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__reader_predicate *p = (const taco__reader_predicate *)ctx;
    (void)valid_bits;
    (void)err;
    return p->of.match(p->of.ctx, a, rows, true_bits);
}
/* A bound as an array of one row in `a`; NULL where there is none. */
TACO__FN const taco_array *taco__reader_bound_array(const taco_field *f, const taco__scalar *v,
                                                    bool has, taco_array *a, uint8_t scratch[32],
                                                    int32_t offsets[2])
{
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = 1;
    a->v.any = scratch;
    if (!has || (f->type == TACO_DECIMAL && f->width == 0)) {
        return NULL;
    }
    if (taco__scalar_is_bytes(f->type) || f->type == TACO_FIXED) {
        if (v->b.len > INT32_MAX || (f->width && v->b.len != (size_t)f->width)) {
            return NULL;
        }
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
TACO__FN unsigned taco__reader_prune_predicate(void *ctx, const taco__column_stats *r)
{
    const taco__reader_predicate *p = (const taco__reader_predicate *)ctx;
    taco_array                    a, b;
    uint8_t                       x[32], y[32];
    int32_t                       i[2], j[2];
    const taco_array             *min, *max;
    if (!p->of.may_match || (!r->has_min && !r->has_max)) {
        return TACO__MAY_ANY;
    }
    min = taco__reader_bound_array(p->field, &r->min, r->has_min, &a, x, i);
    max = taco__reader_bound_array(p->field, &r->max, r->has_max, &b, y, j);
    return p->of.may_match(p->of.ctx, min, max) ? TACO__MAY_ANY : TACO__MAY_FALSE | TACO__MAY_NULL;
}
TACO__FN bool taco__reader_set_predicates(taco_pq_reader *r, const taco_pq_query *q,
                                          taco__expr **where)
{
    size_t i, c;
    for (i = 0; i < q->predicate_count; i++) {
        taco__custom_predicate  custom;
        taco__expr             *e;
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
        if (!*where) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__reader_init(taco_pq_reader *r, const taco_pq_query *q)
{
    size_t       n = q->columns ? q->column_count : r->file->meta.column_count, *which;
    taco__expr  *where = NULL;
    taco_limits *limits = &r->file->options.limits;
    taco__table_from_file(&r->table, r->file);
    which = (size_t *)taco__arena_array(&r->arena, n + 1, sizeof *which, &r->err);
    r->fields = (taco_field *)taco__arena_array(&r->arena, n + 1, sizeof *r->fields, &r->err);
    if (!which || !r->fields || !taco__reader_set_columns(r, q, which)) {
        return false;
    }
    if (q->where) {
        size_t len = strlen(q->where);
        char  *text = taco__arena_text(&r->arena, taco__bytes_text(q->where),
                                       &r->err); /* the tree borrows it */
        where = text ? taco__pred_parse(&r->arena, text, len, limits, &r->err) : NULL;
        if (!where) {
            taco__error_prefix(&r->err, "where");
            return false;
        }
    }
    if (!taco__reader_set_predicates(r, q, &where)) {
        return false;
    }
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
    taco_pq_query   q;
    taco_pq_reader *r;
    if (!file) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
        return NULL;
    }
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    r = (taco_pq_reader *)taco__mem_alloc(file->mem, sizeof *r, err);
    if (!r) {
        return NULL;
    }
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
    uint64_t        base;
    size_t          n;
    memset(out, 0, sizeof *out);
    if (!r || r->err.code != TACO_OK || r->left == 0) {
        return false;
    }
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
        if (err && err->code == TACO_OK && code != TACO_OK) {
            *err = r->err;
        }
        taco__scan_close(&r->scan);
        taco__arena_free(&r->arena);
        taco__mem_free(mem, r, sizeof *r);
    }
    return code;
}

TACO__FN bool taco__reader_stream_next(void *ctx, taco_batch *out)
{
    return taco_pq_reader_next((taco_pq_reader *)ctx, out);
}
TACO__FN bool taco__reader_stream_owner(void *ctx, size_t column, taco__buffer_owner *out)
{
    return taco__row_reader_buffer_owner(&((taco_pq_reader *)ctx)->scan.out, column, out);
}
TACO__FN void taco__reader_stream_name(void *ctx)
{
    taco_pq_reader *r = (taco_pq_reader *)ctx;
    if (r->file->name[0]) {
        taco__error_prefix(&r->err, "%s", r->file->name);
    }
}
TACO__FN void taco__reader_stream_close(void *ctx)
{
    taco_pq_reader *r = (taco_pq_reader *)ctx;
    taco_pq_file   *file = r->owns_file ? r->file : NULL;
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
        src.holder = taco__reader_stream_owner;
        src.name = taco__reader_stream_name;
        src.close = taco__reader_stream_close;
    }
    return taco__arrow_stream_open(&src, out, err);
}

struct taco_pq_column {
    taco_pq_reader *reader;
    taco__mem      *mem;
};
TACO_API taco_pq_column *taco_pq_column_open(taco_pq_file *file, const char *name, taco_type type,
                                             taco_error *err)
{
    taco_pq_query   q;
    taco_pq_column *c;
    memset(&q, 0, sizeof q);
    q.columns = &name;
    q.column_count = 1;
    if (!file || !name) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", file ? "name" : "file");
        return NULL;
    }
    c = (taco_pq_column *)taco__mem_alloc(file->mem, sizeof *c, err);
    if (!c) {
        return NULL;
    }
    c->mem = file->mem;
    c->reader = taco_pq_read(file, &q, err);
    if (c->reader && c->reader->fields[0].type != type) {
        taco_error               e;
        static const char *const names[] = {
            "null",   "bool",   "int8",      "int16", "int32",    "int64",  "uint8",
            "uint16", "uint32", "uint64",    "half",  "float",    "double", "decimal",
            "date",   "time",   "timestamp", "int96", "interval", "text",   "binary",
            "fixed",  "uuid",   "list",      "map",   "struct"};
        taco_bytes text = taco__bytes_text(name), has;
        taco__buf  out;
        memset(&out, 0, sizeof out);
        out.mem = file->mem;
        memset(&e, 0, sizeof e);
        if (taco__type_name_append(&c->reader->fields[0], &out, &e)) {
            has = taco__bytes_of(out.data, out.len);
            TACO__FAIL(&e, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is of type %q, was asked for as %s", &text, &has,
                       (size_t)type < TACO__COUNT(names) ? names[type] : "no type there is");
            if (file->name[0]) {
                taco__error_prefix(&e, "%s", file->name);
            }
        }
        if (err && err->code == TACO_OK) {
            *err = e;
        }
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
    if (!c || !max_rows) {
        return false;
    }
    c->reader->scan.batch_rows = max_rows;
    if (!taco_pq_reader_next(c->reader, &b)) {
        return false;
    }
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

/* ---- Arrow streams in ----------------------------------------------------------------------------- */

TACO_API taco_import *taco_import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                       taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__import_open(stream, opt, err ? err : &own);
}
TACO_API const taco_field *taco_import_fields(const taco_import *in, size_t *n)
{
    if (n) {
        *n = in ? in->root.field->child_count : 0;
    }
    return in ? in->root.field->children : NULL;
}
TACO_API bool taco_import_next(taco_import *in, taco_batch *out)
{
    return in && taco__import_next(in, out);
}
TACO_API taco_status taco_import_close(taco_import *in, taco_error *err)
{
    return taco__import_close(in, err);
}

/* ---- writing ------------------------------------------------------------------------------------ */

TACO_API taco_pq_writer *taco_pq_write(const taco_sink *sink, const taco_field *fields, size_t n,
                                       const taco_pq_write_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__pq_writer_open(sink, fields, n, NULL, opt, err ? err : &own);
}
TACO_API taco_status taco_pq_writer_batch(taco_pq_writer *w, const taco_batch *batch)
{
    if (!w || !batch) {
        return TACO_ERR_ARGUMENT;
    }
    if (w->err.code == TACO_OK && taco__pq_writer_check_batch(w, batch)) {
        taco__pq_writer_add_batch(w, batch);
    }
    return w->err.code;
}
TACO_API taco_status taco_pq_writer_flush(taco_pq_writer *w)
{
    if (!w) {
        return TACO_ERR_ARGUMENT;
    }
    if (w->err.code == TACO_OK) {
        taco__pq_writer_end_group(w);
    }
    return w->err.code;
}
TACO_API taco_status taco_pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    return taco__pq_writer_close(w, err);
}
TACO_API void taco_pq_writer_abort(taco_pq_writer *w)
{
    if (w) {
        w->sink.close(w->sink.ctx, false);
        taco__pq_writer_free(w);
    }
}
TACO_API taco_status taco_pq_writer_stream(taco_pq_writer *w, struct ArrowArrayStream *stream)
{
    taco_options options;
    taco_import *in;
    if (!w) {
        if (stream && stream->release) {
            stream->release(stream);
        }
        return TACO_ERR_ARGUMENT;
    }
    memset(&options, 0, sizeof options);
    options.allocator = &w->mem.a;
    options.limits.max_memory = w->mem.limit;
    in = taco__import_open(stream, &options, &w->err);
    if (in) {
        taco__pq_writer_add_import(w, in);
    }
    return w->err.code;
}
TACO_API taco_status taco_pq_write_stream(const taco_sink *sink, struct ArrowArrayStream *stream,
                                          const taco_pq_write_options *opt, taco_error *err)
{
    taco_error      own = {0, TACO_OK, 0, {0}};
    taco_pq_writer *w;
    taco_import    *in;
    err = err ? err : &own;
    in = taco__import_open(stream, opt ? opt->options : NULL, err);
    if (!in) {
        taco__sink_abort(sink);
        return err->code;
    }
    w = taco__pq_writer_open(sink, in->root.field->children, in->root.field->child_count,
                             &in->schema, opt, err);
    if (!w) {
        taco__import_close(in, NULL);
        return err->code;
    }
    taco__pq_writer_add_import(w, in);
    return taco__pq_writer_close(w, err);
}

/* ---- printing ----------------------------------------------------------------------------------- */

#define TACO__PRINTER_WIDEST 60 /* characters of a table's column */

struct taco_printer {
    taco__mem         mem;
    taco__buf         out, cell;
    taco__cell_names  names;
    const taco_field *fields;
    size_t            count;
    size_t           *widths;
    taco_format       format;
    bool              begun;
};

TACO_API taco_printer *taco_printer_open(const taco_field *fields, size_t n, taco_format format,
                                         const taco_options *opt, taco_error *err)
{
    taco__mem     mem;
    taco_printer *p;
    size_t        bytes;
    taco__mem_init(&mem, opt);
    if (format < TACO_FORMAT_NDJSON || format > TACO_FORMAT_ARROW ||
        (format == TACO_FORMAT_LINES && n == 0) ||
        !taco__checked_mul_size(n, sizeof(size_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no such format for %u columns",
                   TACO__U(n));
        return NULL;
    }
    p = (taco_printer *)taco__mem_alloc(&mem, sizeof *p, err);
    if (!p) {
        return NULL;
    }
    p->mem = mem;
    p->out.mem = p->cell.mem = &p->mem;
    p->fields = fields;
    p->count = n;
    p->format = format;
    p->widths = (size_t *)taco__mem_alloc(&p->mem, bytes, err);
    if (!p->widths) {
        taco_printer_close(p);
        return NULL;
    }
    return p;
}
TACO_API void taco_printer_close(taco_printer *p)
{
    if (p) {
        taco__mem mem;
        taco__cell_names_free(&p->names);
        taco__mem_free(&p->mem, p->widths, p->count * sizeof *p->widths);
        taco__buf_free(&p->out);
        taco__buf_free(&p->cell);
        mem = p->mem;
        taco__mem_free(&mem, p, sizeof *p);
    }
}
TACO__FN bool taco__printer_csv(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t i, c;
    if (!p->begun) {
        for (c = 0; c < p->count; c++) {
            if ((c && !taco__buf_append_char(&p->out, ',', err)) ||
                !taco__cell_csv_name(&p->out, taco__bytes_text(p->fields[c].name), err)) {
                return false;
            }
        }
        if (!taco__buf_append_text(&p->out, "\r\n", err)) {
            return false;
        }
    }
    for (i = 0; i < b->length; i++) {
        for (c = 0; c < b->column_count; c++) {
            if ((c && !taco__buf_append_char(&p->out, ',', err)) ||
                !taco__cell_csv(&p->out, &b->columns[c], i, err)) {
                return false;
            }
        }
        if (!taco__buf_append_text(&p->out, "\r\n", err)) {
            return false;
        }
    }
    return true;
}
TACO__FN size_t taco__printer_count_chars(taco_bytes b) /* code points */
{
    size_t i, n = 0;
    for (i = 0; i < b.len; i++) {
        n += (b.data[i] & 0xC0) != 0x80;
    }
    return n;
}
/* Appends a cell, cut to the column's width and filled up with blanks. */
TACO__FN bool taco__printer_append_cell(taco_printer *p, size_t c, taco_error *err)
{
    taco_bytes b = taco__bytes_of(p->cell.data, p->cell.len);
    size_t     n = taco__printer_count_chars(b), width = p->widths[c];
    if (n > width) {
        for (n = 0, b.len = 0;
             b.len < p->cell.len && (n < width - 1 || (b.data[b.len] & 0xC0) == 0x80); b.len++) {
            n += (b.data[b.len] & 0xC0) != 0x80;
        }
        if (!taco__buf_append(&p->out, b.data, b.len, err) ||
            !taco__buf_append_text(&p->out, "\xE2\x80\xA6", err)) {
            return false;
        }
        n = width;
    } else if (!taco__buf_append(&p->out, b.data, b.len, err)) {
        return false;
    }
    for (; c + 1 < p->count && n < width + 2; n++) {
        if (!taco__buf_append_char(&p->out, ' ', err)) {
            return false;
        }
    }
    return c + 1 < p->count || taco__buf_append_char(&p->out, '\n', err);
}
TACO__FN bool taco__printer_format_cell(taco_printer *p, const taco_batch *b, size_t row, size_t c,
                                        taco_error *err)
{
    p->cell.len = 0;
    if (row == SIZE_MAX) {
        return taco__cell_plain_name(&p->cell, taco__bytes_text(p->fields[c].name), err);
    }
    return taco__cell_plain(&p->cell, &b->columns[c], row, err);
}
TACO__FN bool taco__printer_table(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t i, c;
    for (c = 0; !p->begun && c < p->count; c++) {
        for (i = 0; i <= b->length; i++) {
            size_t n;
            if (!taco__printer_format_cell(p, b, i ? i - 1 : SIZE_MAX, c, err)) {
                return false;
            }
            n = taco__printer_count_chars(taco__bytes_of(p->cell.data, p->cell.len));
            p->widths[c] = TACO__MAX(p->widths[c], TACO__MIN(n, (size_t)TACO__PRINTER_WIDEST));
        }
    }
    for (i = p->begun ? 1 : 0; i <= b->length; i++) {
        for (c = 0; c < p->count; c++) {
            if (!taco__printer_format_cell(p, b, i ? i - 1 : SIZE_MAX, c, err) ||
                !taco__printer_append_cell(p, c, err)) {
                return false;
            }
        }
    }
    return true;
}
/* Text of the first column, a line each: the way paths leave in bulk. */
TACO__FN bool taco__printer_lines(taco_printer *p, const taco_batch *b, taco_error *err)
{
    const taco_array *a = b->columns;
    uint8_t          *to;
    size_t            i;
    if (!b->length) {
        return true;
    }
    if (a->field->type != TACO_TEXT || a->dictionary) {
        for (i = 0; i < b->length; i++) {
            if (!taco__cell_plain(&p->out, a, i, err) ||
                !taco__buf_append_char(&p->out, '\n', err)) {
                return false;
            }
        }
        return true;
    }
    if (!taco__buf_reserve(&p->out, (size_t)(a->offsets[b->length] - a->offsets[0]) + b->length,
                           err)) {
        return false;
    }
    to = p->out.data + p->out.len;
    for (i = 0; i < b->length; i++) {
        const uint8_t *from = a->v.u8 + a->offsets[i];
        size_t         k, n = (size_t)(a->offsets[i + 1] - a->offsets[i]);
        if ((size_t)(a->offsets[b->length] - a->offsets[i]) >=
            n + 32) { /* in steps, where the text goes on behind it */
            for (k = 0; k < n; k += 32) {
                memcpy(to + k, from + k, 32);
            }
        } else {
            memcpy(to, from, n);
        }
        to += n;
        *to++ = '\n';
    }
    p->out.len = (size_t)(to - p->out.data);
    return true;
}
TACO_API taco_bytes taco_printer_batch(taco_printer *p, const taco_batch *b, taco_error *err)
{
    static const uint8_t nothing = 0;
    bool                 ok = true;
    size_t               i;
    if (!p) {
        return taco__bytes_of(NULL, 0);
    }
    p->out.len = 0;
    if (!b && p->format != TACO_FORMAT_ARROW) {
        return taco__bytes_of(&nothing, 0);
    }
    switch (p->format) {
    case TACO_FORMAT_NDJSON:
        ok = p->names.count || !b->length || taco__cell_names_init(&p->names, &p->mem, b, err);
        for (i = 0; ok && i < b->length; i++) {
            ok = taco__cell_json_row(&p->out, b, i, &p->names, err) &&
                 taco__buf_append_char(&p->out, '\n', err);
        }
        break;
    case TACO_FORMAT_CSV: ok = taco__printer_csv(p, b, err); break;
    case TACO_FORMAT_TABLE: ok = taco__printer_table(p, b, err); break;
    case TACO_FORMAT_ARROW:
        ok = (p->begun ||
              taco__ipc_schema(&p->out, p->fields, p->count, true, TACO__BIG_ENDIAN, err)) &&
             (b ? !b->length || taco__ipc_batch(&p->out, p->fields, b, err)
                : taco__ipc_end_stream(&p->out, err));
        break;
    default: ok = taco__printer_lines(p, b, err); break;
    }
    p->begun = true;
    return !ok           ? taco__bytes_of(NULL, 0)
           : p->out.data ? taco__bytes_of(p->out.data, p->out.len)
                         : taco__bytes_of(&nothing, 0);
}
