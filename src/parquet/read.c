/* ==== ROOM read: a Parquet file: footer, columns, rows by number. Uses: column meta. Spec: parquet-format "File format" ==== */

#define TACO__PQ_FILE_TAIL                                                                         \
    65536 /* bytes at the end of a file that are read at first: most footers whole */
#define TACO__BATCH_ROWS       4096 /* rows of a batch where the caller does not say */
#define TACO__ROW_READER_PIECE 8192 /* rows that are decoded at a time where few of them go out */

typedef struct
    taco__pq_page_index { /* page index of a column chunk; what does not parse counts as not given */
    taco__pq_offset_index offsets;                  /* pages 0: none */
    taco__pq_column_index columns;                  /* pages 0: none, else as many as offsets has */
    bool                  has_offsets, has_columns; /* asked for */
} taco__pq_page_index;

struct taco_pq_file {
    taco__mem       own_mem; /* used when the file stands alone */
    taco__file      own_file;
    taco__mem      *mem;
    taco__arena     arena;
    taco__file_part part;
    const char     *name; /* of the file in messages: "level0.parquet"; "" = the caller names it */
    taco_options    options;
    taco__pq_metadata     meta;
    taco__buf             footer;
    taco__range           tail; /* of part.file, fetched with the footer: all of a small file */
    taco__codecs         *codecs;
    bool                  keeps;   /* pages of some chunks, perhaps */
    taco__pq_page_index **indexes; /* by row group, then by leaf; NULL where none was asked for */
    taco__buf             index_bytes;
    taco__buf             text; /* what taco_pq_schema_text and _meta_json return */
    taco__buf             text2;
};

TACO__FN void taco__options_init(taco_options *out, const taco_options *in)
{
    memset(out, 0, sizeof *out);
    if (in) {
        *out = *in;
    }
    out->limits.max_metadata =
        out->limits.max_metadata ? out->limits.max_metadata : (uint64_t)256 << 20;
    out->limits.max_page = out->limits.max_page ? out->limits.max_page : (uint64_t)256 << 20;
    out->limits.max_memory = out->limits.max_memory ? out->limits.max_memory : (uint64_t)1 << 30;
    out->limits.max_columns =
        out->limits.max_columns ? out->limits.max_columns : TACO__DEFAULT_MAX_COLUMNS;
    out->limits.max_depth = out->limits.max_depth ? out->limits.max_depth : TACO__DEFAULT_MAX_DEPTH;
}
/* Where the footer is, from the last 8 bytes (parquet-format: 4-byte length, "PAR1"). */
TACO__FN bool taco__pq_file_find_footer(const taco__file_part *part, const taco_limits *limits,
                                        uint64_t *offset, size_t *len, taco_error *err)
{
    uint8_t tail[8];
    if (part->size < 12) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "not Parquet: %u bytes, the smallest file has 12",
                   part->size);
        return false;
    }
    if (!taco__file_part_read(part, part->size - 8, tail, 8, err)) {
        return false;
    }
    if (memcmp(tail + 4, "PARE", 4) == 0) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, part->size - 4,
                   "unsupported: encryption of the footer");
        return false;
    }
    if (memcmp(tail + 4, "PAR1", 4) != 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, part->size - 4,
                   "not Parquet: the file does not end with PAR1");
        return false;
    }
    *len = taco__load_le32(tail);
    if (*len == 0 || *len > part->size - 12) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, part->size - 8, "footer of %u bytes in a file of %u",
                   TACO__U(*len), part->size);
        return false;
    }
    if (*len > limits->max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, part->size - 8,
                   "footer of %u bytes, limits.max_metadata is %u", TACO__U(*len),
                   limits->max_metadata);
        return false;
    }
    *offset = part->size - 8 - *len;
    return true;
}
/* Reads and proves the footer of a file whose mem, part and options are set. */
TACO__FN bool taco__pq_file_open(taco_pq_file *f, taco_error *err)
{
    uint64_t    offset = 0;
    size_t      len = 0;
    taco__range guess;
    f->arena.mem = f->mem;
    f->footer.mem = f->text.mem = f->text2.mem = f->index_bytes.mem = f->mem;
    f->indexes = NULL;
    guess.len = TACO__MIN(f->part.size, (uint64_t)TACO__PQ_FILE_TAIL);
    guess.offset = f->part.base + f->part.size - guess.len;
    if (!taco__file_fetch(f->part.file, &guess, 1, err)) {
        return false;
    }
    f->tail = guess;
    if (!taco__pq_file_find_footer(&f->part, &f->options.limits, &offset, &len, err) ||
        !taco__buf_reset(&f->footer, len, err) ||
        !taco__file_part_read(&f->part, offset, f->footer.data, len, err)) {
        return false;
    }
    f->footer.len = len;
    return taco__footer_parse(&f->arena, taco__bytes_of(f->footer.data, len), f->part.size, offset,
                              &f->options.limits, &f->meta, err) == TACO_OK;
}
TACO__FN void taco__pq_file_close(taco_pq_file *f)
{
    uint32_t g, i;
    if (f->codecs) {
        taco__page_cache_commit(f->mem, &f->codecs->pending_pages);
        taco__codecs_close(f->codecs, f->mem);
        f->codecs = NULL;
    }
    for (g = 0; f->keeps && g < f->meta.group_count; g++) {
        for (i = 0; i < f->meta.leaf_count; i++) {
            taco__page_cache_free_chunk(f->mem, &f->meta.groups[g].chunks[i]);
        }
    }
    if (f->tail.len) {
        taco__file_release(f->part.file, f->tail.offset, f->tail.len);
        f->tail.len = 0;
    }
    taco__buf_free(&f->footer);
    taco__buf_free(&f->index_bytes);
    taco__buf_free(&f->text);
    taco__buf_free(&f->text2);
    taco__arena_free(&f->arena);
}
TACO__FN taco__codecs *taco__pq_file_codecs(taco_pq_file *f, taco_error *err)
{
    if (!f->codecs) {
        f->codecs = taco__codecs_open(f->mem, err);
    }
    return f->codecs;
}
/* The row group that holds a row. */
TACO__FN uint32_t taco__footer_find_row_group(const taco__pq_metadata *m, uint64_t row)
{
    uint32_t lo = 0, hi = m->group_count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if ((uint64_t)m->groups[mid].first_row + (uint64_t)m->groups[mid].rows <= row) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}
TACO__FN bool taco__pq_file_fail_group(const taco_pq_file *f, uint32_t group, taco_error *err)
{
    if (f->meta.group_count > 1) {
        taco__error_prefix(err, "row group %u", TACO__U(group));
    }
    if (f->name[0]) {
        taco__error_prefix(err, "%s", f->name);
    }
    return false;
}

/* ---- page indexes --------------------------------------------------------------------------------- */

#define TACO__PAGE_INDEX_MIN_CHUNK                                                                 \
    4096 /* bytes of a column chunk that are read whole, whatever its index says */

TACO__FN taco__pq_page_index *taco__page_index_get(taco_pq_file *f, uint32_t group, uint32_t leaf,
                                                   taco_error *err)
{
    if (!f->indexes) {
        f->indexes = (taco__pq_page_index **)taco__arena_array(&f->arena, f->meta.group_count,
                                                               sizeof *f->indexes, err);
    }
    if (f->indexes && !f->indexes[group]) {
        f->indexes[group] = (taco__pq_page_index *)taco__arena_array(&f->arena, f->meta.leaf_count,
                                                                     sizeof **f->indexes, err);
    }
    return f->indexes && f->indexes[group] ? &f->indexes[group][leaf] : NULL;
}
/* Whether it pays to look at the page index of a chunk. */
TACO__FN bool taco__page_index_is_useful(const taco__pq_column_chunk *c)
{
    return c->offset_index.size && c->pages.size > TACO__PAGE_INDEX_MIN_CHUNK &&
           c->offset_index.size < c->pages.size && !c->encrypted && !c->external;
}
/* The pages follow each other without a gap up to the end of the chunk: only then may one jump over some. */
TACO__FN bool taco__page_index_is_contiguous(const taco__pq_column_chunk *c,
                                             const taco__pq_offset_index *x)
{
    size_t   i;
    uint64_t end = c->pages.offset + c->pages.size;
    for (i = 0; i < x->pages; i++) {
        uint64_t next = i + 1 < x->pages ? x->page[i + 1].offset : end;
        if (x->page[i].offset + x->page[i].size != next) {
            return false;
        }
    }
    return x->pages != 0;
}
/* Bytes of an index; NULL when it is unreadable. They live until the next call. */
TACO__FN const uint8_t *taco__page_index_read_bytes(taco_pq_file *f, taco__pq_range r,
                                                    taco_error *err)
{
    size_t len;
    return r.size <= f->options.limits.max_metadata && taco__checked_to_size(r.size, &len)
               ? taco__file_part_view(&f->part, r.offset, len, &f->index_bytes, err)
               : NULL;
}
/* True when the error is of the machine and not of the bytes, which only says that there is no index to use. */
TACO__FN bool taco__page_index_is_fatal(const taco_error *e, taco_error *err)
{
    bool machine =
        e->code == TACO_ERR_IO || e->code == TACO_ERR_MEMORY || e->code == TACO_ERR_LIMIT;
    if (machine && err && err->code == TACO_OK) {
        *err = *e;
    }
    return machine;
}
/* Whether the offset index of a chunk was read already. */
TACO__FN bool taco__page_index_has_offsets(const taco_pq_file *f, uint32_t group, uint32_t leaf)
{
    return f->indexes && f->indexes[group] && f->indexes[group][leaf].has_offsets;
}
/* The offset index of a chunk, NULL when there is none to rely on; *ok false when reading failed. */
TACO__FN const taco__pq_offset_index *
taco__page_index_offsets(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err)
{
    const taco__pq_row_group    *g = &f->meta.groups[group];
    const taco__pq_column_chunk *c = &g->chunks[leaf];
    taco__pq_page_index         *x;
    const uint8_t               *p;
    taco_error                   e;
    *ok = true;
    if (!taco__page_index_is_useful(c) ||
        (f->part.file->cached_only && !taco__page_index_has_offsets(f, group, leaf))) {
        return NULL;
    }
    x = taco__page_index_get(f, group, leaf, err);
    if (!x) {
        *ok = false;
        return NULL;
    }
    if (!x->has_offsets) {
        memset(&e, 0, sizeof e);
        p = taco__page_index_read_bytes(f, c->offset_index, &e);
        if (!p ||
            taco__page_index_parse_offsets(
                &f->arena, taco__bytes_of(p, (size_t)c->offset_index.size), c->offset_index.offset,
                c, g->rows, &x->offsets, &e) != TACO_OK ||
            !taco__page_index_is_contiguous(c, &x->offsets)) {
            x->offsets.pages = 0;
        }
        *ok = !taco__page_index_is_fatal(&e, err);
        x->has_offsets = *ok;
    }
    return x->offsets.pages ? &x->offsets : NULL;
}
/* The column index that goes with it. Slices of it live as long as the file. */
TACO__FN const taco__pq_column_index *
taco__page_index_columns(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err)
{
    const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[leaf];
    const taco__pq_offset_index *offsets = taco__page_index_offsets(f, group, leaf, ok, err);
    taco__pq_page_index         *x;
    const uint8_t               *p;
    taco_error                   e;
    if (!offsets || !c->column_index.size || c->column_index.size >= c->pages.size) {
        return NULL;
    }
    x = taco__page_index_get(f, group, leaf, err);
    if (!x->has_columns) {
        memset(&e, 0, sizeof e);
        p = taco__page_index_read_bytes(f, c->column_index, &e);
        if (p) {
            uint8_t *copy =
                (uint8_t *)taco__arena_alloc(&f->arena, (size_t)c->column_index.size, &e);
            if (copy) {
                memcpy(copy, p, (size_t)c->column_index.size);
            }
            p = copy;
        }
        if (!p || taco__page_index_parse_columns(
                      &f->arena, taco__bytes_of(p, (size_t)c->column_index.size),
                      c->column_index.offset, offsets->pages, &x->columns, &e) != TACO_OK) {
            x->columns.pages = 0;
        }
        *ok = !taco__page_index_is_fatal(&e, err);
        x->has_columns = *ok;
    }
    return x->columns.pages ? &x->columns : NULL;
}

/* ---- tables: what scans and joins work on --------------------------------------------------------- */

/* Rows of top-level columns: a Parquet file, or arrays in memory (Avro). Borrows both. Columns from `stored` on are not
   there: the first constant_count of them have one value in all rows, INT32 or TEXT, which the name of the file says; the
   others are of type NULL, so that a predicate may name what only other tables have. */
typedef struct taco__table {
    taco_pq_file     *pq; /* NULL: arrays */
    const taco_field *fields;
    size_t            field_count, stored;
    const taco_array *arrays;
    uint64_t          rows;
    const taco_array *given; /* of one row each */
    size_t            constant_count;
} taco__table;

TACO__FN void taco__table_from_file(taco__table *t, taco_pq_file *f)
{
    memset(t, 0, sizeof *t);
    t->pq = f;
    t->fields = f->meta.columns;
    t->field_count = t->stored = f->meta.column_count;
    t->rows = (uint64_t)f->meta.num_rows;
}
/* Index of the column of that name, SIZE_MAX when there is none. */
TACO__FN size_t taco__table_find_column(const taco__table *t, const char *name)
{
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        if (strcmp(t->fields[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}
TACO__FN uint32_t taco__table_group_count(const taco__table *t)
{
    return t->pq ? t->pq->meta.group_count : t->rows ? 1U : 0U;
}
TACO__FN uint64_t taco__table_group_first_row(const taco__table *t, uint32_t g)
{
    return t->pq ? (uint64_t)t->pq->meta.groups[g].first_row : 0;
}
TACO__FN uint64_t taco__table_group_rows(const taco__table *t, uint32_t g)
{
    return t->pq ? (uint64_t)t->pq->meta.groups[g].rows : t->rows;
}

/* ---- rows by number ------------------------------------------------------------------------------- */

#define TACO__NO_GROUP       UINT32_MAX
#define TACO__ROW_READER_GAP 64 /* rows decoded in vain to save a step */

/* Some columns of a table, read at ascending row numbers. What was read lives until the next read. */
typedef struct taco__row_reader {
    const taco__table   *table;
    taco__mem           *mem;
    taco__arena          arena;
    size_t               count;
    const size_t        *which;   /* table columns */
    taco__column_reader *columns; /* Parquet */
    taco__array_buf     *taken;   /* selections */
    taco_array          *arrays;  /* what _read made, one per column */
    uint32_t             group;
    uint64_t             scan; /* it reads for: pages of chunks that this one has marked are kept */
    size_t               length; /* rows of the batch */
    uint64_t             next;   /* no row below can be read without opening the row group again */
    taco__buf            index;
    taco__buf           *given; /* rows of columns of one value */
} taco__row_reader;

TACO__FN void taco__row_reader_close(taco__row_reader *r)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        if (r->which[i] >= r->table->stored) {
            if (r->given && r->given[i].mem) {
                taco__buf_free(&r->given[i]);
                taco__array_buf_free(&r->taken[i]);
            }
            continue;
        }
        if (r->columns) {
            taco__column_reader_free(&r->columns[i]);
        }
        if (r->taken) {
            taco__array_buf_free(&r->taken[i]);
        }
    }
    if (r->mem) {
        taco__buf_free(&r->index);
        taco__arena_free(&r->arena);
    }
    memset(r, 0, sizeof *r);
}
/* which[0..count) are columns of the table; the list is copied. codecs serve one reader at a time. */
TACO__FN bool taco__row_reader_open_with(taco__row_reader *r, const taco__table *t,
                                         const size_t *which, size_t count, taco__codecs *codecs,
                                         taco__mem *mem, taco_error *err)
{
    size_t *list;
    memset(r, 0, sizeof *r);
    r->table = t;
    r->mem = r->index.mem = r->arena.mem = mem;
    r->group = TACO__NO_GROUP;
    list = (size_t *)taco__arena_array(&r->arena, count + 1, sizeof *list, err);
    r->arrays = (taco_array *)taco__arena_array(&r->arena, count + 1, sizeof *r->arrays, err);
    r->taken = (taco__array_buf *)taco__arena_array(&r->arena, count + 1, sizeof *r->taken, err);
    r->columns = t->pq ? (taco__column_reader *)taco__arena_array(&r->arena, count + 1,
                                                                  sizeof *r->columns, err)
                       : NULL;
    r->given = t->constant_count
                   ? (taco__buf *)taco__arena_array(&r->arena, count + 1, sizeof *r->given, err)
                   : NULL;
    if (!list || !r->arrays || !r->taken || (t->pq && (!r->columns || !codecs)) ||
        (t->constant_count && !r->given)) {
        taco__row_reader_close(r);
        return false;
    }
    r->which = list;
    for (; r->count < count; r->count++) {
        size_t c = which[r->count];
        list[r->count] = c;
        if (c >= t->stored) {
            r->arrays[r->count].field = &t->fields[c];
            if (r->given && c - t->stored < t->constant_count) {
                r->given[r->count].mem = mem;
                if (!taco__array_buf_init(&r->taken[r->count], &t->fields[c], mem, &r->arena,
                                          err)) {
                    r->count++;
                    taco__row_reader_close(r);
                    return false;
                }
            }
            continue;
        }
        if (!taco__array_buf_init(&r->taken[r->count], &t->fields[c], mem, &r->arena, err) ||
            (t->pq &&
             !taco__column_reader_init(&r->columns[r->count], &t->pq->meta.nodes[c], &t->pq->meta,
                                       &t->pq->part, &t->pq->options.limits, codecs,
                                       t->pq->meta.always_compressed, mem, &r->arena, err))) {
            r->count++;
            taco__row_reader_close(r);
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__row_reader_open(taco__row_reader *r, const taco__table *t, const size_t *which,
                                    size_t count, taco__mem *mem, taco_error *err)
{
    return taco__row_reader_open_with(r, t, which, count,
                                      t->pq ? taco__pq_file_codecs(t->pq, err) : NULL, mem, err);
}
/* n rows of a column that is not stored: its one value, or nulls. */
TACO__FN bool taco__row_reader_fill_constant(taco__row_reader *r, size_t i, size_t n,
                                             taco_error *err)
{
    size_t            c = r->which[i] - r->table->stored, bits, len, k, bytes;
    taco_array       *a = &r->arrays[i];
    const taco_array *one = c < r->table->constant_count ? &r->table->given[c] : NULL;
    int32_t          *values;
    taco_bytes        text;
    uint8_t          *end;
    a->length = a->null_count = n;
    if (!one) {
        return true;
    }
    text = taco_array_bytes(one, 0);
    bits = (TACO__BITMAP_BYTES(n) + 7) & ~(size_t)7;
    if (n >= SIZE_MAX / 8 || !taco__checked_mul_size(n, text.len, &len) || len > INT32_MAX ||
        !taco__checked_add_size((n + 2) * sizeof *values + bits, len, &bytes) ||
        !taco__buf_reset(&r->given[i], bytes, err)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows of a text of %u bytes", TACO__U(n),
                   TACO__U(text.len));
        return false;
    }
    values = (int32_t *)(void *)r->given[i].data;
    end = r->given[i].data + (n + 2) * sizeof *values;
    a->null_count = one->null_count ? n : 0;
    a->validity = one->null_count ? (const uint8_t *)memset(end, 0, bits) : NULL;
    end += bits;
    for (k = 0; k <= n; k++) {
        values[k] = a->field->type == TACO_INT32 ? (int32_t)taco_array_int(one, 0)
                                                 : (int32_t)(k * text.len);
    }
    a->offsets = a->field->type == TACO_INT32 ? NULL : values;
    a->v.any = a->field->type == TACO_INT32 ? (const void *)values : (const void *)end;
    for (k = 0; text.len && k < n; k++) {
        memcpy(end + k * text.len, text.data, text.len);
    }
    return true;
}
TACO__FN bool taco__row_reader_open_group(taco__row_reader *r, uint32_t group, taco_error *err)
{
    const taco__pq_row_group *g = &r->table->pq->meta.groups[group];
    size_t                    i;
    if (r->group == group) {
        return true;
    }
    r->group = TACO__NO_GROUP; /* until every column has been opened */
    for (i = 0; i < r->count; i++) {
        if (r->which[i] < r->table->stored &&
            !taco__column_reader_open(&r->columns[i], g->chunks, (uint64_t)g->rows, err)) {
            return false;
        }
    }
    for (i = 0; r->scan && i < r->count; i++) {
        size_t k;
        for (k = 0; r->which[i] < r->table->stored && k < r->columns[i].leaf_count; k++) {
            taco__chunk_reader *l = &r->columns[i].leaves[k];
            l->kept = l->chunk->kept && l->chunk->kept->scan >= r->scan ? l->chunk->kept : NULL;
        }
    }
    r->group = group;
    return true;
}
/* Gives the leaves of a column that has rows to skip the offset index of their chunks, once those reach far. */
TACO__FN bool taco__row_reader_use_page_index(taco__row_reader *r, taco__column_reader *c,
                                              uint64_t gap, taco_error *err)
{
    size_t i;
    bool   ok = true;
    for (i = 0; ok && gap && i < c->leaf_count; i++) {
        taco__chunk_reader *l = &c->leaves[i];
        uint32_t            leaf = c->node->leaf + (uint32_t)i;
        if (!l->index && (l->schema->max_rep || gap > l->left) &&
            (gap > TACO__ROW_READER_GAP ||
             taco__page_index_has_offsets(r->table->pq, r->group, leaf))) {
            l->index = taco__page_index_offsets(r->table->pq, r->group, leaf, &ok, err);
        }
    }
    return ok;
}
/* Appends the rows [first, first + n) to the batch; they may reach over row groups. */
TACO__FN bool taco__row_reader_append(taco__row_reader *r, uint64_t first, uint64_t n,
                                      taco_error *err)
{
    const taco__pq_metadata *m = &r->table->pq->meta;
    if (first < r->next) {
        r->group = TACO__NO_GROUP;
    }
    while (n) {
        uint32_t                  group = taco__footer_find_row_group(m, first);
        const taco__pq_row_group *g = &m->groups[group];
        uint64_t at = first - (uint64_t)g->first_row, k = TACO__MIN(n, (uint64_t)g->rows - at);
        size_t   i;
        if (!taco__row_reader_open_group(r, group, err)) {
            return taco__pq_file_fail_group(r->table->pq, group, err);
        }
        for (i = 0; i < r->count; i++) {
            if (r->which[i] < r->table->stored &&
                (!taco__row_reader_use_page_index(r, &r->columns[i], at - r->columns[i].row, err) ||
                 !taco__column_reader_append(&r->columns[i], at, (size_t)k, err))) {
                r->group = TACO__NO_GROUP; /* the columns stand at different rows now */
                return taco__pq_file_fail_group(r->table->pq, group, err);
            }
        }
        r->length += (size_t)k;
        first += k;
        n -= k;
        r->next = first;
    }
    return true;
}
TACO__FN void taco__row_reader_begin_batch(taco__row_reader *r)
{
    size_t i;
    r->length = 0;
    for (i = 0; i < r->count && r->columns; i++) {
        if (r->which[i] < r->table->stored) {
            taco__column_reader_begin_batch(&r->columns[i]);
        }
    }
}
TACO__FN bool taco__row_reader_finish_batch(taco__row_reader *r, taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *a;
        if (r->which[i] >= r->table->stored) {
            if (!taco__row_reader_fill_constant(r, i, r->length, err)) {
                return false;
            }
            continue;
        }
        if (!taco__column_reader_finish_batch(&r->columns[i], &a, err)) {
            return taco__pq_file_fail_group(r->table->pq, r->group == TACO__NO_GROUP ? 0 : r->group,
                                            err);
        }
        r->arrays[i] = *a;
    }
    return true;
}
TACO__FN bool taco__row_reader_take(taco__row_reader *r, const int32_t *idx, size_t n, bool memory,
                                    taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *src;
        if (r->which[i] >= r->table->stored) {
            if (!taco__row_reader_fill_constant(r, i, n, err)) {
                return false;
            }
            continue;
        }
        src = memory ? &r->table->arrays[r->which[i]] : &r->arrays[i];
        if ((memory || !r->columns[i].leaf_count || !r->columns[i].leaves[0].late) &&
            !taco__take_array(&r->taken[i], src, idx, n, err)) {
            return false;
        }
        r->arrays[i] = r->taken[i].array;
    }
    return true;
}
TACO__FN int32_t *taco__row_reader_reserve_index(taco__row_reader *r, size_t n, taco_error *err)
{
    size_t bytes;
    if (!taco__checked_mul_size(n, sizeof(int32_t), &bytes) ||
        !taco__buf_reset(&r->index, bytes, err)) {
        return NULL;
    }
    return (int32_t *)(void *)r->index.data;
}
/* Reads rows [first, first + n) into r->arrays. */
TACO__FN bool taco__row_reader_read_range(taco__row_reader *r, uint64_t first, size_t n,
                                          taco_error *err)
{
    int32_t *idx;
    size_t   i;
    if (r->table->pq) {
        taco__row_reader_begin_batch(r);
        return taco__row_reader_append(r, first, n, err) && taco__row_reader_finish_batch(r, err);
    }
    if (first == 0 && n == r->table->rows) {
        for (i = 0; i < r->count; i++) {
            if (r->which[i] < r->table->stored) {
                r->arrays[i] = r->table->arrays[r->which[i]];
            } else if (!taco__row_reader_fill_constant(r, i, n, err)) {
                return false;
            }
        }
        return true;
    }
    idx = taco__row_reader_reserve_index(r, n, err);
    for (i = 0; idx && i < n; i++) {
        idx[i] = (int32_t)(first + i);
    }
    return idx && taco__row_reader_take(r, idx, n, true, err);
}
/* Whether rows of a column are picked piece by piece: flat ones of fixed width. */
TACO__FN bool taco__row_reader_can_select(const taco__row_reader *r, size_t i)
{
    const taco__column_reader *c = &r->columns[i];
    return r->which[i] < r->table->stored && c->flat && c->node->field->type != TACO_NULL &&
           c->node->field->type != TACO_BOOL && !taco__array_is_var_length(c->node->field);
}
/* Room for n picked rows. */
TACO__FN bool taco__row_reader_begin_select(taco__row_reader *r, size_t n, taco_error *err)
{
    size_t i, bytes;
    for (i = 0; i < r->count; i++) {
        taco__array_buf *b = &r->taken[i];
        if (!taco__row_reader_can_select(r, i)) {
            continue;
        }
        r->columns[i].leaves[0].late = true;
        memset(&b->array, 0, sizeof b->array);
        b->array.field = r->columns[i].node->field;
        b->array.length = n;
        if (!taco__checked_mul_size(n, (size_t)b->array.field->width, &bytes) ||
            !taco__buf_reset(&b->values, bytes, err) ||
            !taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
            return false;
        }
        b->array.v.any = b->values.data;
    }
    return true;
}
/* The rows idx[0..n) of what was appended become the picked rows from `at` on, and the columns begin anew. */
TACO__FN bool taco__row_reader_select(taco__row_reader *r, const int32_t *idx, size_t at, size_t n,
                                      taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        taco__array_buf  *b = &r->taken[i];
        const taco_array *a;
        uint8_t          *dst;
        if (!taco__row_reader_can_select(r, i)) {
            continue;
        }
        if (!taco__column_reader_finish_batch(&r->columns[i], &a, err)) {
            return taco__pq_file_fail_group(r->table->pq, r->group == TACO__NO_GROUP ? 0 : r->group,
                                            err);
        }
        dst = b->values.data + at * (size_t)a->field->width;
        if (a->dictionary) {
            taco__take_from_dictionary(dst, a, idx, n);
        } else {
            taco__take_fixed(dst, a->v.any, (size_t)a->field->width, idx, n);
        }
        if (a->validity) {
            b->array.null_count +=
                n - taco__take_bits(b->validity.data, at, a->validity, 0, idx, n);
        } else {
            taco__bitmap_fill(b->validity.data, at, n, true);
        }
        b->array.validity = b->array.null_count ? b->validity.data : NULL;
        taco__column_reader_begin_batch(&r->columns[i]);
        r->columns[i].leaves[0].late = true;
    }
    return true;
}
/* Appends rows [first, stop), of which the n at rows go out, picking them while the cache has them. */
TACO__FN bool taco__row_reader_append_pieces(taco__row_reader *r, uint64_t base,
                                             const uint32_t *rows, int32_t *idx, size_t at,
                                             size_t n, taco_error *err)
{
    uint64_t first = rows[at], stop = (uint64_t)rows[at + n - 1] + 1, m;
    size_t   end = at + n, k;
    for (; first < stop; first += m, at = k) {
        m = TACO__MIN(stop - first, (uint64_t)TACO__ROW_READER_PIECE);
        for (k = at; k < end && rows[k] < first + m; k++) {
            idx[k] = (int32_t)(rows[k] - first);
        }
        if (!taco__row_reader_append(r, base + first, m, err) ||
            !taco__row_reader_select(r, idx + at, at, k - at, err)) {
            return false;
        }
    }
    return true;
}
/* Reads the rows with the n ascending numbers base + rows[i] (repeated ones allowed) into r->arrays. Rows that stand
   close together are decoded in one go and the ones between dropped. */
TACO__FN bool taco__row_reader_read(taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err)
{
    bool     exact = true, late = n && rows[n - 1] - rows[0] >= 2 * n;
    int32_t *idx = taco__row_reader_reserve_index(r, late && n < SIZE_MAX / 2 ? 2 * n : n, err);
    size_t   i, total = 0;
    if (!idx) {
        return false;
    }
    if (!r->table->pq) {
        for (i = 0; i < n; i++) {
            idx[i] = (int32_t)(base + rows[i]);
        }
        return taco__row_reader_take(r, idx, n, true, err);
    }
    taco__row_reader_begin_batch(r);
    if (late && !taco__row_reader_begin_select(r, n, err)) {
        return false;
    }
    for (i = 0; i < n;) {
        uint64_t first = rows[i], last = first;
        size_t   k;
        for (k = i; k < n && rows[k] - last <= TACO__ROW_READER_GAP; k++) {
            exact = exact && (k == i || rows[k] == last + 1);
            last = rows[k];
            idx[k] = (int32_t)(total + (size_t)(last - first));
        }
        if (!(late ? taco__row_reader_append_pieces(r, base, rows, idx + n, i, k - i, err)
                   : taco__row_reader_append(r, base + first, last - first + 1, err))) {
            return false;
        }
        total += (size_t)(last - first + 1);
        i = k;
    }
    if (!taco__row_reader_finish_batch(r, err)) {
        return false;
    }
    return (exact && !late) || taco__row_reader_take(r, idx, n, false, err);
}
