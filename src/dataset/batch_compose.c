/* batch_compose.c - the next batch of a cursor, in storage order

   In: the cursor's table readers, one after the other. Out: taco_batch, whose arrays were read by a
   reader or are made here: paths, names of containers, row numbers, nulls for columns that a
   container lacks, casts if containers store a column under different types (TACO 2.0 §7.2.4). What
   is lent to the caller stays valid until the next batch.

   taco__compose_next finds the next rows, reads their ancestors in a flat view, and calls
   taco__compose_batch to lay out the columns, with one of the taco__compose_*_column functions
   each. For a sorted result cursor_sorted.c finds the rows and calls taco__compose_batch. */
#include "cursor.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

TACO__FN void taco__compose_init(taco__batch_maker *b, taco__mem *mem)
{
    b->current_ids.mem = b->row_ids.mem = b->positions.mem = b->casts.mem = mem;
    b->source_path.offsets.mem = b->source_path.bytes.mem = mem;
    b->source_file.offsets.mem = b->source_file.bytes.mem = mem;
}

static void taco__compose_free_text(taco__constant_text *t)
{
    taco__buf_free(&t->offsets);
    taco__buf_free(&t->bytes);
}

TACO__FN void taco__compose_free(taco__batch_maker *b)
{
    taco__compose_free_text(&b->source_path);
    taco__compose_free_text(&b->source_file);
    taco__buf_free(&b->current_ids);
    taco__buf_free(&b->row_ids);
    taco__arena_free(&b->casts);
    taco__buf_free(&b->positions);
}

/* ---- which rows ---- */

/* The number in its level of row i of the batch, and the reader that it belongs to. */
static uint64_t taco__compose_row_number(const taco_cursor *c, size_t i, size_t *reader)
{
    const taco__batch_rows *rows = &c->batch.rows;
    const taco__sorted_row *row;
    if (rows->numbers) {
        *reader = c->reader;
        return rows->base + rows->numbers[i];
    }
    row = &c->sorted.order[rows->order_at + i];
    *reader = row->reader;
    return c->readers[row->reader].row_numbers[row->at];
}

/* Which row of the dataset row i of the last batch is, also for SQL; false if it is not one. */
TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store, uint64_t *row)
{
    const taco__cursor_producer *p = &c->producer;
    if (c->children.active || (p->next && p->row_id == TACO__NONE)) { return false; }
    if (p->next) {
        uint64_t x = (uint64_t)taco_array_int(&c->batch.arrays[p->row_id], i);
        *store = (size_t)(x >> 32);
        *row = x & UINT32_MAX;
    } else {
        *row = taco__compose_row_number(c, i, store);
    }
    return true;
}

/* ---- columns that are made ---- */

/* Makes column i an array of n rows without nulls; the caller adds the values. */
static taco_array *taco__compose_begin_column(taco_cursor *c, size_t i, size_t n)
{
    taco_array *a = &c->batch.arrays[i];
    memset(a, 0, sizeof *a);
    a->field = &c->columns.fields[i];
    a->length = n;
    return a;
}

/* Nulls, as arrays that have offsets or values all the same. */
static bool taco__compose_null_column(taco_cursor *c, size_t i, size_t n)
{
    return taco__unify_null_array(&c->columns.fields[i], n, &c->batch.arrays[i], &c->batch.casts,
                                  &c->err);
}

/* The same text in every row; t contains it n times. */
static bool taco__compose_constant_column(taco_cursor *c, size_t i, taco_bytes text, size_t n,
                                          taco__constant_text *t)
{
    int32_t *offsets;
    taco_array *a;
    size_t k, bytes;
    if (!taco__checked_mul_size(n, text.len, &bytes) || bytes > INT32_MAX) {
        TACO__FAIL(&c->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than 2 GiB of text in a batch");
        return false;
    }
    if (!taco__buf_reset(&t->offsets, (n + 1) * sizeof(int32_t), &c->err) ||
        !taco__buf_reset(&t->bytes, bytes, &c->err)) {
        return false;
    }
    offsets = (int32_t *)(void *)t->offsets.data;
    for (k = 0; k < n; k++) {
        offsets[k] = (int32_t)(k * text.len);
        memcpy(t->bytes.data + k * text.len, text.data, text.len);
    }
    offsets[n] = (int32_t)bytes;
    a = taco__compose_begin_column(c, i, n);
    a->offsets = offsets;
    a->v.any = t->bytes.data;
    return true;
}

/* A column of int64 in a buffer of the batch; NULL when memory ends. The caller fills it. */
static int64_t *taco__compose_int64_column(taco_cursor *c, size_t i, size_t n, taco__buf *b)
{
    if (!taco__buf_reset(b, (n + 1) * sizeof(int64_t), &c->err)) { return NULL; }
    taco__compose_begin_column(c, i, n)->v.any = b->data;
    return (int64_t *)(void *)b->data;
}

/* TACO__ROW_ID, which queries of levels alone have. */
static bool taco__compose_row_id_column(taco_cursor *c, size_t i, size_t n)
{
    int64_t *out;
    size_t k, reader;
    out = taco__compose_int64_column(c, i, n, &c->batch.row_ids);
    for (k = 0; out && k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &reader);
        out[k] = (int64_t)((uint64_t)reader << 32 | row);
    }
    return out != NULL;
}

/* Replaces internal:current_id in a table without it. If another container stores it under another
   type, it is null. */
static bool taco__compose_current_id_column(taco_cursor *c, const taco__table_reader *f, size_t i,
                                            size_t n)
{
    int64_t *out;
    size_t k, reader;
    if (!f->store || c->columns.fields[i].type != TACO_INT64) {
        return taco__compose_null_column(c, i, n);
    }
    out = taco__compose_int64_column(c, i, n, &c->batch.current_ids);
    for (k = 0; out && k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &reader);
        out[k] = f->current_ids ? f->current_ids[row] : (int64_t)row;
    }
    return out != NULL;
}

/* GDAL paths of the rows, which tasks may already have made, or of their ancestors. */
static bool taco__compose_vsi_column(taco_cursor *c, taco__table_reader *f,
                                     const taco_array *const *by_level, size_t i, size_t n)
{
    taco_array *a = &c->batch.arrays[i];
    uint32_t level = c->columns.origins[i].level;
    bool own = c->children.active || level == c->query.level;
    if (own && taco__sample_path_take_from_tasks(c, f, n, a)) {
        a->field = &c->columns.fields[i];
        return true;
    }
    return taco__sample_path_make_column(own ? &f->paths : &f->ancestor_paths[level], c->mem,
                                         by_level[own ? c->query.level : level], n,
                                         &c->columns.fields[i], a, &c->err) ||
           taco__cursor_fail(c, f, true);
}

/* ---- columns that are read ---- */

/* Whether a column may be returned under another type than it is stored under. */
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i)
{
    const taco__cursor_column *o = &c->columns.origins[i];
    return TACO__WITH_MANY && c->ds->container_count > 1 && !c->children.active &&
           taco__cursor_column_is_stored(o) &&
           taco__schema_union_is_mixed(c->ds, o->level, o->name);
}

/* An array as read, or cast to the common type of all containers. */
static bool taco__compose_stored_column(taco_cursor *c, const taco__table_reader *f,
                                        const taco_array *const *by_level, size_t i)
{
    const taco_array *in = &by_level[c->columns.origins[i].level][f->place[i]];
    taco_array *a = &c->batch.arrays[i];
    *a = *in;
    if (TACO__WITH_MANY && taco__compose_is_mixed(c, i) &&
        !taco__unify_cast_array(&c->batch.casts, &c->columns.fields[i], in, a, &c->err)) {
        return taco__cursor_fail(c, f, true);
    }
    a->field = &c->columns.fields[i];
    return true;
}

static bool taco__compose_column(taco_cursor *c, taco__table_reader *f,
                                 const taco_array *const *by_level, size_t i, size_t n)
{
    switch (c->columns.origins[i].kind) {
    case TACO__CURSOR_COLUMN_VSI: return taco__compose_vsi_column(c, f, by_level, i, n);
    case TACO__CURSOR_COLUMN_ROW_ID: return taco__compose_row_id_column(c, i, n);
    case TACO__CURSOR_COLUMN_SOURCE_PATH:
        return taco__compose_constant_column(c, i, f->source_path, n, &c->batch.source_path);
    default: break;
    }
    if (f->place[i] != TACO__NONE) { return taco__compose_stored_column(c, f, by_level, i); }
    switch (c->columns.origins[i].kind) {
    case TACO__CURSOR_COLUMN_SOURCE_FILE:
        return taco__compose_constant_column(c, i, f->source_file, n, &c->batch.source_file);
    case TACO__CURSOR_COLUMN_CURRENT_ID: return taco__compose_current_id_column(c, f, i, n);
    default: return taco__compose_null_column(c, i, n);
    }
}

/* Lays out a batch of n rows of reader f from the arrays of each level. c->batch.rows says which
   rows they are. */
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n)
{
    size_t i;
    /* casts and nulls of the batch before */
    taco__arena_free(&c->batch.casts);
    for (i = 0; i < c->columns.count; i++) {
        if (!taco__compose_column(c, f, by_level, i, n)) { return false; }
    }
    return true;
}

/* The batch as its caller sees it. first_row is -1 if the rows are not consecutive. */
TACO__FN void taco__compose_hand_out(taco_cursor *c, size_t n, int64_t first_row, taco_batch *out)
{
    out->length = n;
    out->columns = c->batch.arrays;
    out->column_count = c->columns.count;
    out->first_row = first_row;
}

/* ---- ancestors ---- */

/* Rows that do not ascend: reads the whole span from the lowest to the highest, then selects. */
static bool taco__compose_read_span(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                    size_t n)
{
    uint32_t low = rows[0], high = rows[0];
    int32_t *index;
    size_t i;
    bool ok;
    for (i = 1; i < n; i++) {
        low = TACO__MIN(low, rows[i]);
        high = TACO__MAX(high, rows[i]);
    }
    if (!taco__row_reader_read_range(r, low, (size_t)(high - low) + 1, &c->err)) { return false; }
    index = (int32_t *)taco__mem_alloc(c->mem, n * sizeof *index, &c->err);
    for (i = 0; index && i < n; i++) {
        index[i] = (int32_t)(rows[i] - low);
    }
    ok = index && taco__row_reader_take(r, index, n, false, &c->err);
    taco__mem_free(c->mem, index, n * sizeof *index);
    return ok;
}

/* Reads n rows of a level, in any order, with repetitions. */
TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n)
{
    size_t i;
    uint32_t ascending = 1;
    for (i = 1; i < n; i++) {
        ascending &= rows[i - 1] <= rows[i];
    }
    return ascending ? taco__row_reader_read(r, 0, rows, n, &c->err)
                     : taco__compose_read_span(c, r, rows, n);
}

/* Reads the ancestors of the rows of the batch, level by level upwards. Every row has them, since
   rows without a parent did not pass the cascade. */
static bool taco__compose_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                         const taco_array **by_level)
{
    const taco__batch_rows *rows = &c->batch.rows;
    size_t i, n = rows->count, bytes = n * sizeof(uint32_t);
    uint32_t *up = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    uint32_t l;
    bool ok = up != NULL;
    for (i = 0; ok && i < n; i++) {
        up[i] = (uint32_t)(rows->base + rows->numbers[i]);
    }
    for (l = c->query.level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        ok = taco__compose_read_level(c, &f->ancestors[l], up, n);
        by_level[l] = f->ancestors[l].arrays;
    }
    taco__mem_free(c->mem, up, bytes);
    if (!ok) { taco__cursor_fail(c, f, false); }
    return ok;
}

/* ---- the next rows ---- */

/* Lets tasks make the paths of a reader from its first rows on, if the host runs tasks. */
static void taco__compose_init_tasks(taco_cursor *c, taco__table_reader *f)
{
    if (f->scan.tasks.host && !f->scan.tasks.batch && !f->path_tasks.count) {
        taco__sample_path_tasks_init(c, f);
    }
}

/* The next rows that the filters of the current reader leave, at most `most`, or those of the
   readers after it; 0 at the end and on failure, which c->reader is then at. read: with their
   columns. They are noted in c->batch.rows. */
static size_t taco__compose_scan(taco_cursor *c, uint64_t most, bool read)
{
    taco__batch_rows *rows = &c->batch.rows;
    for (; c->reader < c->reader_count; c->reader++) {
        taco__table_reader *f = &c->readers[c->reader];
        taco__compose_init_tasks(c, f);
        rows->count = taco__scan_next(&f->scan, (size_t)TACO__MIN(most, (uint64_t)SIZE_MAX), read,
                                      &rows->numbers, &rows->base, &c->err);
        if (c->err.code != TACO_OK) { return 0; }
        if (rows->count) { return rows->count; }
    }
    return 0;
}

/* Numbers of the next rows of a query without an order, whatever its limit is: *first + (*rows)[i]
   counts the rows of all containers. 0 at the end and on failure. Only tested columns are read; the
   caller must not request batches of the same cursor. */
TACO__FN size_t taco__compose_next_rows(taco_cursor *c, uint64_t *first, const uint32_t **rows)
{
    size_t i, n = taco__compose_scan(c, TACO__SCAN_SLICE, false);
    *rows = c->batch.rows.numbers;
    *first = c->batch.rows.base;
    for (i = 0; n && i < c->reader; i++) {
        *first += c->readers[i].table->rows;
    }
    return n;
}

/* False at the end, and on failure with the dataset prefixed to the message. */
static bool taco__compose_end(taco_cursor *c)
{
    if (c->err.code != TACO_OK) { taco__cursor_fail(c, &c->readers[c->reader], false); }
    return false;
}

/* How many rows there are; skips all of them. */
TACO__FN bool taco__compose_count_rows(taco_cursor *c, uint64_t *count)
{
    size_t n;
    *count = 0;
    while ((n = taco__compose_scan(c, UINT64_MAX, false)) != 0) {
        *count += n;
    }
    (void)taco__compose_end(c);
    return c->err.code == TACO_OK;
}

/* Skips the rows before the first one to be returned, making only their numbers. False at the end
   and on failure. */
static bool taco__compose_skip(taco_cursor *c)
{
    while (c->query.skip) {
        size_t n = taco__compose_scan(c, c->query.skip, false);
        if (n == 0) { return false; }
        c->query.skip -= n;
    }
    return true;
}

/* The number of the first row if the rows of the batch are consecutive in their level, else -1. */
static int64_t taco__compose_first_row(const taco__batch_rows *rows)
{
    bool range = rows->numbers[rows->count - 1] - rows->numbers[0] == rows->count - 1;
    return range ? (int64_t)(rows->base + rows->numbers[0]) : -1;
}

TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out)
{
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__table_reader *f;
    size_t n;
    if (!c->query.left) { return false; }
    n = taco__compose_skip(c) ? taco__compose_scan(c, c->query.left, true) : 0;
    if (n == 0) { return taco__compose_end(c); }
    f = &c->readers[c->reader];
    by_level[c->query.level] = f->scan.out.arrays;
    if ((c->query.flat && !taco__compose_read_ancestors(c, f, by_level)) ||
        !taco__compose_batch(c, f, by_level, n)) {
        return false;
    }
    c->query.left -= n;
    taco__compose_hand_out(c, n, taco__compose_first_row(&c->batch.rows), out);
    return true;
}
