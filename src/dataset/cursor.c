/* cursor.c - rows of a query, batch by batch or one at a time. */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* Puts dataset, and level or folder, in front of a message of a cursor. */
TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level)
{
    if (c->children) {
        taco_bytes path = taco__bytes_text(c->folder);
        taco__error_prefix(&c->err, "%s: %q", c->parent->name, &path);
        return false;
    }
    return taco__container_fail(f->store, level ? f->store->levels[c->level].name : NULL, &c->err);
}

/* ---- cursors
   -------------------------------------------------------------------------------------- */

TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err)
{
    taco_cursor *c = (taco_cursor *)taco__mem_alloc(&ds->mem, sizeof *c, err);
    if (!c) { return NULL; }
    c->ds = ds;
    c->mem = &ds->mem;
    c->arena.mem = c->held.mem = c->text_bits.mem = c->null_bits.mem = c->source_offsets.mem =
        c->json.mem = c->positions.mem = c->mem;
    c->unified.mem = c->file_bits.mem = c->file_offsets.mem = c->current_bits.mem =
        c->row_bits.mem = c->mem;
    c->left = UINT64_MAX;
    c->row_id = TACO__NONE;
    c->readers =
        (taco__table_reader *)taco__arena_array(&c->arena, readers, sizeof *c->readers, err);
    if (!c->readers) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->reader_count = readers;
    return c;
}

TACO_API taco_status taco_cursor_close(taco_cursor *c, taco_error *err)
{
    taco_status code;
    taco__mem *mem;
    size_t i;
    uint32_t l;
    if (!c) { return TACO_OK; }
    code = c->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = c->err; }
    if (c->end) { c->end(c); }
    for (i = 0; i < c->reader_count; i++) {
        taco__table_reader_close(&c->readers[i]);
        for (l = 0; c->kept && c->kept[i] && l < TACO__MAX_LEVELS; l++) {
            taco__row_reader_close(&c->kept[i][l]);
        }
    }
    taco__cursor_sorted_release_cached(c);
    taco__buf_free(&c->held);
    taco__buf_free(&c->text_bits);
    taco__buf_free(&c->null_bits);
    taco__buf_free(&c->source_offsets);
    taco__buf_free(&c->file_offsets);
    taco__buf_free(&c->file_bits);
    taco__buf_free(&c->current_bits);
    taco__buf_free(&c->row_bits);
    taco__arena_free(&c->unified);
    for (i = 0; c->texts && i < c->count; i++) {
        taco__buf_free(&c->texts[i]);
    }
    taco__buf_free(&c->json);
    taco__buf_free(&c->positions);
    if (c->child_open) {
        taco__container_count_archive_user(c->parent, c->child_pq.part.file, false);
        taco__pq_file_close(&c->child_pq);
    }
    if (c->child_held) {
        taco__file_release(c->child_held, c->child_range.offset, c->child_range.len);
    }
    if (c->child_file_open) { taco__file_close(&c->child_file); }
    mem = c->mem;
    taco__arena_free(&c->arena);
    taco__mem_free(mem, c, sizeof *c);
    return code;
}

TACO_API const taco_field *taco_cursor_fields(const taco_cursor *c, size_t *n)
{
    *n = c ? c->count : 0;
    return c ? c->fields : NULL;
}

TACO_API bool taco_cursor_batch(taco_cursor *c, taco_batch *out)
{
    memset(out, 0, sizeof *out);
    if (!c || c->err.code != TACO_OK) { return false; }
    if (c->rowwise) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_batch");
        return false;
    }
    c->found = NULL;
    return c->next     ? c->next(c, out)
           : c->sorted ? taco__cursor_sorted_next(c, out)
                       : taco__compose_next(c, out);
}

TACO_API const uint64_t *taco_cursor_positions(taco_cursor *c)
{
    uint64_t *to, before = 0;
    size_t i, bytes;
    if (!c || !c->found || c->rowwise) { return NULL; }
    for (i = 0; i < c->feed; i++) {
        before += c->readers[i].table->rows;
    }
    if (!taco__checked_mul_size(c->found_count, sizeof *to, &bytes) ||
        !taco__buf_reset(&c->positions, bytes, &c->err)) {
        return NULL;
    }
    to = (uint64_t *)(void *)c->positions.data;
    for (i = 0; i < c->found_count; i++) {
        to[i] = before + c->found_base + c->found[i];
    }
    return to;
}

static bool taco__cursor_stream_next(void *ctx, taco_batch *out)
{
    return taco_cursor_batch((taco_cursor *)ctx, out);
}

/* What the batch that was made last is of. */
static taco__table_reader *taco__cursor_last_reader(taco_cursor *c)
{
    return &c->readers[c->sorted ? c->order[c->order_at - 1].feed : c->feed];
}

static void taco__cursor_stream_prefix_error(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    if (c->next) {
        taco__container_fail(&c->ds->stores[0], NULL, &c->err);
    } else {
        taco__cursor_fail(c, taco__cursor_last_reader(c), true);
    }
}

/* Where a column of that batch was read or gathered. */
static bool taco__cursor_stream_owner(void *ctx, size_t i, taco__buffer_owner *out)
{
    taco_cursor *c = (taco_cursor *)ctx;
    taco__table_reader *f = taco__cursor_last_reader(c);
    const taco__cursor_column *o = &c->outs[i];
    const taco__row_reader *r = o->level == c->level ? &f->scan.out : &f->rows[o->level];
    return taco__cursor_column_is_stored(o) && f->place[i] != TACO__NONE &&
           !taco__compose_is_mixed(c, i) && taco__row_reader_buffer_owner(r, f->place[i], out);
}

static void taco__cursor_stream_close(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    taco_dataset *ds = c->owns_dataset ? c->ds : NULL;
    taco_cursor_close(c, NULL);
    taco_close(ds);
}

TACO_API taco_status taco_cursor_export(taco_cursor *c, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err)
{
    taco__arrow_source src;
    memset(&src, 0, sizeof src);
    if (c) {
        c->owns_dataset = close_dataset;
        src.ctx = c;
        src.fields = c->fields;
        src.count = c->count;
        src.all_nullable = c->ds->container_count > 1;
        src.mem = c->mem;
        src.err = &c->err;
        src.next = taco__cursor_stream_next;
        /* SQL makes what it hands out */
        src.owner = c->next ? NULL : taco__cursor_stream_owner;
        src.prefix_error = taco__cursor_stream_prefix_error;
        src.close = taco__cursor_stream_close;
    }
    if (c && c->rowwise) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_export");
        taco__cursor_stream_close(c);
        if (out) { memset(out, 0, sizeof *out); }
        return TACO_ERR_STATE;
    }
    return taco__arrow_stream_open(&src, out, err);
}

TACO_API bool taco_cursor_next(taco_cursor *c)
{
    if (!c || c->err.code != TACO_OK) { return false; }
    if (c->begun && c->row + 1 < c->batch.length) {
        c->row++;
        return true;
    }
    c->rowwise = false;
    c->begun = taco_cursor_batch(c, &c->batch);
    c->rowwise = true;
    c->row = 0;
    return c->begun;
}

static const taco_array *taco__cursor_cell(taco_cursor *c, const char *column)
{
    size_t i = c && c->begun && column ? taco__cursor_column_find(c, column) : TACO__NONE;
    return i == TACO__NONE || !taco_array_valid(&c->batch.columns[i], c->row)
               ? NULL
               : &c->batch.columns[i];
}

TACO_API bool taco_cursor_bytes(taco_cursor *c, const char *column, taco_bytes *out)
{
    static const uint8_t nothing = 0;
    const taco_array *a = taco__cursor_cell(c, column);
    *out = a ? taco_array_bytes(a, c->row) : taco__bytes_of(NULL, 0);
    if (a && !out->data && taco__array_is_var_length(a->field)) { /* "" is a value */
        *out = taco__bytes_of(&nothing, 0);
    }
    return out->data != NULL;
}

TACO_API const char *taco_cursor_text(taco_cursor *c, const char *column)
{
    const taco_array *a = taco__cursor_cell(c, column);
    taco__buf *b;
    if (!a) { return NULL; }
    if (!c->texts) {
        c->texts = (taco__buf *)taco__arena_array(&c->arena, c->count, sizeof *c->texts, &c->err);
        if (!c->texts) { return NULL; }
    }
    b = &c->texts[a - c->batch.columns];
    b->mem = c->mem;
    b->len = 0;
    if (!taco__cell_plain(b, a, c->row, &c->err) || !taco__buf_append_char(b, 0, &c->err)) {
        return NULL;
    }
    return (const char *)b->data;
}

/* What taco_array_int has a value for; taco_array_double also for floats and decimals of known
   width. */
static bool taco__cursor_is_integer_like(const taco_array *a)
{
    return a->field->type == TACO_BOOL ||
           (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64) ||
           a->field->type == TACO_DATE || a->field->type == TACO_TIME ||
           a->field->type == TACO_TIMESTAMP;
}

TACO_API bool taco_cursor_double(taco_cursor *c, const char *column, double *out)
{
    const taco_array *a = taco__cursor_cell(c, column);
    bool ok = a && (taco__cursor_is_integer_like(a) || a->field->type == TACO_HALF ||
                    a->field->type == TACO_FLOAT || a->field->type == TACO_DOUBLE ||
                    (a->field->type == TACO_DECIMAL && a->field->width > 0));
    if (ok) { *out = taco_array_double(a, c->row); }
    return ok;
}

TACO_API bool taco_cursor_int(taco_cursor *c, const char *column, int64_t *out)
{
    const taco_array *a = taco__cursor_cell(c, column);
    bool ok = a && taco__cursor_is_integer_like(a);
    if (ok) { *out = taco_array_int(a, c->row); }
    return ok;
}

TACO_API const char *taco_cursor_vsi(taco_cursor *c)
{
    const char *text = taco_cursor_text(c, TACO__GDAL_VSI);
    return text ? text : "";
}

TACO_API const char *taco_cursor_json(taco_cursor *c)
{
    if (!c || !c->begun) { return ""; }
    c->json.len = 0;
    if (!taco__cell_json_row(&c->json, &c->batch, c->row, NULL, &c->err) ||
        !taco__buf_append_char(&c->json, 0, &c->err)) {
        return "";
    }
    return (const char *)c->json.data;
}
