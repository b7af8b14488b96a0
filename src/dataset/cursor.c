/* cursor.c - life of a cursor: batches, rows one at a time, export as an Arrow stream

   In: a cursor that select.c, children.c or SQL has filled. Out: the public functions
   taco_cursor_*, which get the next batch from one of three sources (taco_cursor_batch): the table
   readers in the order of storage (batch_compose.c), the sorted order (cursor_sorted.c), or the
   producer.

   Errors are sticky: the first one is kept in the cursor, nothing is returned after it, and
   taco_cursor_close reports it. The row cursor is a view of the batch; columns are found by name,
   which is remembered by the address of the name (taco__cursor_find_column). */
#include "cursor.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/scan.h"
#include "../parquet/parquet.h"

/* Prefixes the cursor's error with dataset, and level or folder; always false. */
TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level)
{
    if (c->children.active) {
        taco_bytes path = taco__bytes_text(c->children.folder);
        taco__error_prefix(&c->err, "%s: %q", c->children.parent->name, &path);
        return false;
    }
    return taco__container_fail(f->store, level ? f->store->levels[c->query.level].name : NULL,
                                &c->err);
}

/* ---- open and close ---- */

/* A cursor with that many readers and no rows yet. NULL on failure; afterwards errors go to the
   cursor itself. */
TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err)
{
    taco_cursor *c = (taco_cursor *)taco__mem_alloc(&ds->mem, sizeof *c, err);
    if (!c) { return NULL; }
    c->ds = ds;
    c->mem = c->arena.mem = c->row.json.mem = &ds->mem;
    c->query.left = UINT64_MAX;
    c->producer.row_id = TACO__NONE;
    taco__compose_init(&c->batch, c->mem);
    taco__range_cache_init(&c->sorted.cache, c->mem);
    c->readers =
        (taco__table_reader *)taco__arena_array(&c->arena, readers, sizeof *c->readers, err);
    if (!c->readers) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->reader_count = readers;
    return c;
}

static void taco__cursor_free_row(taco_cursor *c)
{
    size_t i;
    for (i = 0; c->row.texts && i < c->columns.count; i++) {
        taco__buf_free(&c->row.texts[i]);
    }
    taco__buf_free(&c->row.json);
    taco__lookup_free(c);
}

/* Closes files and readers before the arena that contains their tables. */
TACO_API taco_status taco_cursor_close(taco_cursor *c, taco_error *err)
{
    taco_status code;
    taco__mem *mem;
    size_t i;
    if (!c) { return err && err->code != TACO_OK ? err->code : TACO_ERR_ARGUMENT; }
    code = c->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = c->err; }
    if (c->producer.end) { c->producer.end(c); }
    for (i = 0; i < c->reader_count; i++) {
        taco__table_reader_close(&c->readers[i]);
    }
    taco__cursor_sorted_free(c);
    taco__compose_free(&c->batch);
    taco__cursor_free_row(c);
    taco__children_close(&c->children);
    mem = c->mem;
    taco__arena_free(&c->arena);
    taco__mem_free(mem, c, sizeof *c);
    return code;
}

/* Which rows are returned: `left` of them after skipping the first `skip`. Call before the first
   batch. */
TACO__FN void taco__cursor_set_window(taco_cursor *c, uint64_t skip, uint64_t left)
{
    c->query.skip = skip;
    c->query.left = left;
}

TACO_API const taco_field *taco_cursor_fields(const taco_cursor *c, size_t *n)
{
    *n = c ? c->columns.count : 0;
    return c ? c->columns.fields : NULL;
}

/* ---- batches ---- */

TACO_API bool taco_cursor_batch(taco_cursor *c, taco_batch *out)
{
    memset(out, 0, sizeof *out);
    if (!c || c->err.code != TACO_OK) { return false; }
    if (c->row.rowwise) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_batch");
        return false;
    }
    memset(&c->batch.rows, 0, sizeof c->batch.rows);
    return c->producer.next   ? c->producer.next(c, out)
           : c->sorted.active ? taco__cursor_sorted_next(c, out)
                              : taco__compose_next(c, out);
}

/* Positions count the rows of all containers, including padding and rows that are filtered out.
   Sorted rows, children, and SQL have none. */
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *c)
{
    const taco__batch_rows *rows = c ? &c->batch.rows : NULL;
    uint64_t *to, before = 0;
    size_t i, bytes;
    if (!c || !rows->numbers || c->children.active || c->row.rowwise) { return NULL; }
    for (i = 0; i < c->reader; i++) {
        before += c->readers[i].table->rows;
    }
    if (!taco__checked_mul_size(rows->count, sizeof *to, &bytes) ||
        !taco__buf_reset(&c->batch.positions, bytes, &c->err)) {
        return NULL;
    }
    to = (uint64_t *)(void *)c->batch.positions.data;
    for (i = 0; i < rows->count; i++) {
        to[i] = before + rows->base + rows->numbers[i];
    }
    return to;
}

/* ---- export as a stream: what taco__arrow_source asks of a cursor ---- */

static bool taco__cursor_stream_next(void *ctx, taco_batch *out)
{
    return taco_cursor_batch((taco_cursor *)ctx, out);
}

/* The reader that made the last batch. */
static taco__table_reader *taco__cursor_last_reader(taco_cursor *c)
{
    const taco__sorted_rows *s = &c->sorted;
    return &c->readers[s->active ? s->order[s->at - 1].reader : c->reader];
}

/* The container with the rows of the last batch. */
TACO__FN const taco__container *taco__cursor_container(taco_cursor *c)
{
    return taco__cursor_last_reader(c)->store;
}

static void taco__cursor_stream_prefix_error(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    if (c->producer.next) {
        taco__container_fail(&c->ds->stores[0], NULL, &c->err);
    } else {
        taco__cursor_fail(c, taco__cursor_last_reader(c), true);
    }
}

/* Where the buffers of column i of that batch were read or gathered, so that the stream can take
   them over instead of copying. False: the cursor made them, so they are copied. */
static bool taco__cursor_stream_owner(void *ctx, size_t i, taco__buffer_owner *out)
{
    taco_cursor *c = (taco_cursor *)ctx;
    taco__table_reader *f = taco__cursor_last_reader(c);
    const taco__cursor_column *o = &c->columns.origins[i];
    return taco__cursor_column_is_stored(o) && f->place[i] != TACO__NONE &&
           !taco__compose_is_mixed(c, i) &&
           taco__row_reader_buffer_owner(taco__table_reader_level(c, f, o->level), f->place[i],
                                         out);
}

static void taco__cursor_stream_close(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    taco_dataset *ds = c->owns_dataset ? c->ds : NULL;
    taco_cursor_close(c, NULL);
    taco_close(ds);
}

static void taco__cursor_stream_init(taco_cursor *c, taco__arrow_source *src)
{
    src->ctx = c;
    src->fields = c->columns.fields;
    src->count = c->columns.count;
    src->all_nullable = c->ds->container_count > 1;
    src->mem = c->mem;
    src->err = &c->err;
    src->next = taco__cursor_stream_next;
    /* SQL allocates its own batches */
    src->owner = c->producer.next ? NULL : taco__cursor_stream_owner;
    src->prefix_error = taco__cursor_stream_prefix_error;
    src->close = taco__cursor_stream_close;
}

/* Gives columns of INT96 the unit that holds the values of all containers. */
static bool taco__cursor_set_int96_units(taco_cursor *c)
{
    taco_dataset *ds = c->ds;
    size_t i, s, at;
    for (i = 0; !c->producer.next && i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        taco__int96_seen seen = {false, false, false, false};
        if (!taco__int96_units_has(&c->columns.fields[i])) { continue; }
        for (s = 0; s < ds->container_count; s++) {
            const taco__level *l = taco__container_level(&ds->stores[s], o->level, &c->err);
            if (!l) { return false; }
            at = taco__table_find_column(&l->table, o->name);
            if (at != TACO__NONE &&
                !taco__int96_units_read(&l->table, at, c->mem, &seen, &c->err)) {
                return taco__container_fail(&ds->stores[s], NULL, &c->err);
            }
        }
        if (!taco__int96_units_choose(&c->arena, &seen, &ds->options, &c->columns.fields[i],
                                      &c->err)) {
            return false;
        }
    }
    return true;
}

TACO_API taco_status taco_cursor_export(taco_cursor *c, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err)
{
    taco__arrow_source src;
    err = taco__error_fresh(err, NULL);
    memset(&src, 0, sizeof src);
    if (c) {
        c->owns_dataset = close_dataset;
        if (!c->row.rowwise) { taco__cursor_set_int96_units(c); } /* a failure is get_next's */
        taco__cursor_stream_init(c, &src);
    }
    if (c && c->row.rowwise) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_export");
        taco__cursor_stream_close(c);
        if (out) { memset(out, 0, sizeof *out); }
        return TACO_ERR_STATE;
    }
    return taco__arrow_stream_open(&src, out, err);
}

/* ---- rows one at a time ---- */

TACO_API bool taco_cursor_next(taco_cursor *c)
{
    taco__row_cursor *r;
    if (!c || c->err.code != TACO_OK) { return false; }
    r = &c->row;
    if (r->begun && r->row + 1 < r->batch.length) {
        r->row++;
        return true;
    }
    r->rowwise = false;
    r->begun = taco_cursor_batch(c, &r->batch);
    r->rowwise = true;
    r->serial++;
    r->row = 0;
    return r->begun;
}

/* The first column with a name, or TACO__NONE. Callers use the same names in every row, so the
   column that the address led to last is tried first; its name is compared, since the caller may
   have written something else to that address. */
static size_t taco__cursor_find_column(taco_cursor *c, const char *name)
{
    taco__row_cursor *r = &c->row;
    uintptr_t address = (uintptr_t)(const void *)name;
    size_t slot = (address ^ address >> 4) % TACO__ROW_CURSOR_NAMES, i = r->columns[slot];
    if (r->names[slot] == address && strcmp(c->columns.fields[i].name, name) == 0) { return i; }
    i = taco__cursor_column_find(c, name);
    if (i != TACO__NONE) {
        r->names[slot] = address;
        r->columns[slot] = i;
    }
    return i;
}

/* The shown column with that name; *hidden: there is none, but there may be one that is not
   shown. */
static size_t taco__cursor_find_shown(taco_cursor *c, const char *column, bool *hidden)
{
    bool row = c && c->row.begun && column;
    size_t i = row ? taco__cursor_find_column(c, column) : (size_t)TACO__NONE;
    *hidden = row && i == TACO__NONE;
    return i;
}

/* The column of the current row; NULL if there is no such column, value, or row. */
static const taco_array *taco__cursor_cell(taco_cursor *c, const char *column, bool *hidden)
{
    size_t i = taco__cursor_find_shown(c, column, hidden);
    return i == TACO__NONE || !taco_array_valid(&c->row.batch.columns[i], c->row.row)
               ? NULL
               : &c->row.batch.columns[i];
}

TACO_API bool taco_cursor_bytes(taco_cursor *c, const char *column, taco_bytes *out)
{
    static const uint8_t nothing = 0;
    bool hidden, is_number;
    int64_t number;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    if (hidden) {
        bool found = taco__lookup_cell(c, column, out, &number, &is_number) && !is_number;
        if (!found) { *out = taco__bytes_of(NULL, 0); }
        return found;
    }
    *out = a ? taco_array_bytes(a, c->row.row) : taco__bytes_of(NULL, 0);
    if (a && !out->data && taco__array_is_var_length(a->field)) { /* "" is a value */
        *out = taco__bytes_of(&nothing, 0);
    }
    return out->data != NULL;
}

/* Every column has its own text buffer, because several texts of a row may be in use at the same
   time. */
TACO_API const char *taco_cursor_text(taco_cursor *c, const char *column)
{
    bool hidden, is_number;
    int64_t number;
    taco_bytes text;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    taco__row_cursor *r = a ? &c->row : NULL;
    taco__buf *b;
    if (!a) {
        bool found = hidden && taco__lookup_cell(c, column, &text, &number, &is_number);
        return found ? (const char *)text.data : NULL;
    }
    if (!r->texts) {
        r->texts =
            (taco__buf *)taco__arena_array(&c->arena, c->columns.count, sizeof *r->texts, &c->err);
        if (!r->texts) { return NULL; }
    }
    b = &r->texts[a - r->batch.columns];
    b->mem = c->mem;
    b->len = 0;
    if (!taco__cell_plain(b, a, r->row, &c->err) || !taco__buf_append_char(b, 0, &c->err)) {
        return NULL;
    }
    return (const char *)b->data;
}

/* Types of values that taco_array_int has a number for: BOOL and integers come first. */
static bool taco__cursor_is_integer_like(const taco_array *a)
{
    return a->field->type <= TACO_UINT64 || a->field->type == TACO_DATE ||
           a->field->type == TACO_TIME || a->field->type == TACO_TIMESTAMP;
}

/* Types that taco_array_double has a value for: also floats, and decimals of known width. */
static bool taco__cursor_is_number_like(const taco_array *a)
{
    return taco__cursor_is_integer_like(a) || a->field->type == TACO_HALF ||
           a->field->type == TACO_FLOAT || a->field->type == TACO_DOUBLE ||
           (a->field->type == TACO_DECIMAL && a->field->width > 0);
}

TACO_API bool taco_cursor_double(taco_cursor *c, const char *column, double *out)
{
    bool hidden;
    int64_t number;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    bool ok = a && taco__cursor_is_number_like(a);
    if (ok) { *out = taco_array_double(a, c->row.row); }
    if (hidden && taco_cursor_int(c, column, &number)) {
        *out = (double)number;
        return true;
    }
    return ok;
}

TACO_API bool taco_cursor_int(taco_cursor *c, const char *column, int64_t *out)
{
    bool hidden, is_number;
    int64_t number;
    taco_bytes text;
    const taco_array *a = taco__cursor_cell(c, column, &hidden);
    bool ok = a && taco__cursor_is_integer_like(a);
    if (ok) { *out = taco_array_int(a, c->row.row); }
    if (hidden && taco__lookup_cell(c, column, &text, &number, &is_number) && is_number) {
        *out = number;
        return true;
    }
    return ok;
}

TACO_API const char *taco_cursor_vsi(taco_cursor *c)
{
    const char *text = taco_cursor_text(c, TACO__GDAL_VSI);
    bool hidden;
    taco__cursor_find_shown(c, TACO__GDAL_VSI, &hidden);
    if (!text && hidden && c->err.code == TACO_OK && !taco__lookup_has_samples(c)) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "the rows are not known to be samples, which have paths: select "
                   "internal:gdal_vsi, or use a view (taco_view_sql) of ungrouped rows");
    }
    return text ? text : "";
}

TACO_API const char *taco_cursor_json(taco_cursor *c)
{
    taco__buf *b = c ? &c->row.json : NULL;
    if (!c || !c->row.begun) { return ""; }
    b->len = 0;
    return taco__cell_json_row(b, &c->row.batch, c->row.row, NULL, &c->err) &&
                   taco__buf_append_char(b, 0, &c->err)
               ? (const char *)b->data
               : "";
}
