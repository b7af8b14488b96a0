/* row_reader.c - columns of a table read by row number, in batches of arrays

   In: a table, columns of it, and ascending row numbers; out: an array for each column, valid until
   the next read. Rows of a Parquet file come from column readers, which are opened for a row group
   and only move forward; a row before the last one read opens its row group again. Rows of arrays
   in memory are gathered.

       taco__row_reader_read_range   rows [first, first + n), as they are decoded
       taco__row_reader_read         rows by number: near ones are decoded together, then the
                                     requested ones are gathered

   When only a few of many rows are read, fixed-width columns are decoded and picked from in pieces
   that fit in the cache (taco__row_reader_append_pieces), and stay dictionary indices until then.
   The end of the file finds the buffer that an array is in, for consumers of Arrow arrays that take
   over buffers. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Rows decoded at a time when few of them are needed. */
#define TACO__ROW_READER_PIECE 8192

/* Gaps of up to this many rows are decoded, which costs less than skipping them. */
#define TACO__ROW_READER_GAP 64

#define TACO__NO_GROUP UINT32_MAX

static bool taco__row_reader_is_stored(const taco__row_reader *r, size_t i)
{
    return r->which[i] < r->table->stored;
}

/* Whether a column is decoded from the file, if there is one. */
static bool taco__row_reader_is_decoded(const taco__row_reader *r, size_t i)
{
    return taco__row_reader_is_stored(r, i) && !(r->replaced && r->replaced[i].mem);
}

/* Prefixes a message with the current row group; false. */
static bool taco__row_reader_fail(const taco__row_reader *r, taco_error *err)
{
    return taco__pq_file_fail_group(r->table->pq, r->group == TACO__NO_GROUP ? 0 : r->group, err);
}

/* ---- open and close ---- */

TACO__FN void taco__row_reader_close(taco__row_reader *r)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        bool stored = taco__row_reader_is_stored(r, i);
        if (r->made && r->made[i].field) {
            taco__array_builder_free(&r->made[i]);
            taco__array_buf_free(&r->selected[i]);
        }
        if (!stored && r->constants && r->constants[i].mem) {
            taco__buf_free(&r->constants[i]);
            taco__array_buf_free(&r->selected[i]);
        }
        if (r->columns && taco__row_reader_is_decoded(r, i)) {
            taco__column_reader_free(&r->columns[i]);
        }
        if (r->replaced) { taco__buf_free(&r->replaced[i]); }
        if (stored && r->selected) { taco__array_buf_free(&r->selected[i]); }
    }
    if (r->mem) {
        taco__buf_free(&r->index);
        taco__arena_free(&r->arena);
    }
    memset(r, 0, sizeof *r);
}

/* Prepares the i-th column, which is column c of the table. */
static bool taco__row_reader_init_column(taco__row_reader *r, size_t i, size_t c,
                                         taco__codecs *codecs, uint64_t *decoded, taco_error *err)
{
    const taco__table *t = r->table;
    size_t made;
    if (c < t->stored && taco__table_replaced(t, c)) {
        r->replaced[i].mem = r->mem;
        return taco__array_buf_init(&r->selected[i], &t->fields[c], r->mem, &r->arena, err);
    }
    if (c < t->stored) {
        return taco__array_buf_init(&r->selected[i], &t->fields[c], r->mem, &r->arena, err) &&
               (!t->pq || taco__column_reader_init(&r->columns[i], t->pq, c, codecs, decoded,
                                                   r->mem, &r->arena, err));
    }
    r->arrays[i].field = &t->fields[c];
    if (taco__table_is_made(t, c, &made)) {
        return t->made->prepare(t->made->ctx, made, err) &&
               taco__array_buf_init(&r->selected[i], &t->fields[c], r->mem, &r->arena, err) &&
               taco__array_builder_init(&r->made[i], &t->fields[c], r->mem, &r->arena, err);
    }
    if (!r->constants || c - t->stored >= t->constant_count) { return true; }
    r->constants[i].mem = r->mem;
    return taco__array_buf_init(&r->selected[i], &t->fields[c], r->mem, &r->arena, err);
}

TACO__FN bool taco__row_reader_open_with(taco__row_reader *r, const taco__table *t,
                                         const size_t *which, size_t count, taco__codecs *codecs,
                                         taco__mem *mem, taco_error *err)
{
    uint64_t *decoded = NULL;
    size_t *list;
    bool ok;
    memset(r, 0, sizeof *r);
    r->table = t;
    r->mem = r->index.mem = r->arena.mem = mem;
    r->group = TACO__NO_GROUP;
    list = (size_t *)taco__arena_array(&r->arena, count + 1, sizeof *list, err);
    r->which = list;
    r->arrays = (taco_array *)taco__arena_array(&r->arena, count + 1, sizeof *r->arrays, err);
    r->selected =
        (taco__array_buf *)taco__arena_array(&r->arena, count + 1, sizeof *r->selected, err);
    ok = list && r->arrays && r->selected;
    if (ok && t->pq) {
        r->columns =
            (taco__column_reader *)taco__arena_array(&r->arena, count + 1, sizeof *r->columns, err);
        decoded = (uint64_t *)taco__arena_alloc(&r->arena, sizeof *decoded, err);
        ok = r->columns && decoded && codecs;
    }
    if (ok && t->constant_count) {
        r->constants =
            (taco__buf *)taco__arena_array(&r->arena, count + 1, sizeof *r->constants, err);
        ok = r->constants != NULL;
    }
    if (ok && t->made) {
        r->made =
            (taco__array_builder *)taco__arena_array(&r->arena, count + 1, sizeof *r->made, err);
        ok = r->made != NULL;
    }
    if (ok && t->replaced) {
        r->replaced =
            (taco__buf *)taco__arena_array(&r->arena, count + 1, sizeof *r->replaced, err);
        ok = r->replaced != NULL;
    }
    while (ok && r->count < count) { /* only columns that were counted are freed */
        size_t i = r->count++;
        list[i] = which[i];
        ok = taco__row_reader_init_column(r, i, which[i], codecs, decoded, err);
    }
    if (!ok) { taco__row_reader_close(r); }
    return ok;
}

TACO__FN bool taco__row_reader_open(taco__row_reader *r, const taco__table *t, const size_t *which,
                                    size_t count, taco__mem *mem, taco_error *err)
{
    return taco__row_reader_open_with(r, t, which, count,
                                      t->pq ? taco__pq_file_codecs(t->pq, err) : NULL, mem, err);
}

/* ---- columns that are not stored ---- */

/* n rows of a column with one value, INT32 or TEXT, in r->constants[i]: values or offsets, then
   validity if it is null, then the texts. */
static bool taco__row_reader_fill_constant(taco__row_reader *r, size_t i, size_t n, taco_error *err)
{
    size_t c = r->which[i] - r->table->stored, bits, len, k, bytes;
    taco_array *a = &r->arrays[i];
    const taco_array *one = c < r->table->constant_count ? &r->table->constants[c] : NULL;
    bool number = a->field->type == TACO_INT32;
    int32_t *values;
    taco_bytes text;
    uint8_t *end;
    a->length = a->null_count = n;
    if (!one) { return true; } /* a column of type NULL */
    text = taco_array_bytes(one, 0);
    bits = (TACO__BITMAP_BYTES(n) + 7) & ~(size_t)7;
    if (n >= SIZE_MAX / 8 || !taco__checked_mul_size(n, text.len, &len) || len > INT32_MAX ||
        !taco__checked_add_size((n + 2) * sizeof *values + bits, len, &bytes) ||
        !taco__buf_reset(&r->constants[i], bytes, err)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows of a text of %u bytes", TACO__U(n),
                   TACO__U(text.len));
        return false;
    }
    values = (int32_t *)(void *)r->constants[i].data;
    end = r->constants[i].data + (n + 2) * sizeof *values;
    a->null_count = one->null_count ? n : 0;
    a->validity = one->null_count ? (const uint8_t *)memset(end, 0, bits) : NULL;
    end += bits;
    for (k = 0; k <= n; k++) {
        values[k] = number ? (int32_t)taco_array_int(one, 0) : (int32_t)(k * text.len);
    }
    a->offsets = number ? NULL : values;
    a->v.any = number ? (const void *)values : (const void *)end;
    for (k = 0; text.len && k < n; k++) {
        memcpy(end + k * text.len, text.data, text.len);
    }
    return true;
}

/* ---- row groups ---- */

/* Lets the columns use the page cache if their scan has marked the chunks. */
static void taco__row_reader_use_cache(taco__row_reader *r)
{
    size_t i, k;
    for (i = 0; r->scan && i < r->count; i++) {
        for (k = 0; taco__row_reader_is_decoded(r, i) && k < r->columns[i].leaf_count; k++) {
            taco__chunk_reader *l = &r->columns[i].leaf_readers[k];
            taco__cached_chunk *cached = l->chunk->cached;
            l->cache.chunk = cached && cached->scan >= r->scan ? cached : NULL;
        }
    }
}

TACO__FN bool taco__row_reader_open_group(taco__row_reader *r, uint32_t group, taco_error *err)
{
    const taco__pq_row_group *g = &r->table->pq->meta.groups[group];
    size_t i;
    if (r->group == group) { return true; }
    r->group = TACO__NO_GROUP; /* until every column has been opened */
    for (i = 0; i < r->count; i++) {
        if (taco__row_reader_is_decoded(r, i) &&
            !taco__column_reader_open(&r->columns[i], g->chunks, (uint64_t)g->rows, err)) {
            return false;
        }
    }
    taco__row_reader_use_cache(r);
    r->group = group;
    return true;
}

/* Gives the leaves of a column that must skip `gap` rows the offset index of their chunks, if those
   rows extend past the open page. */
static bool taco__row_reader_use_page_index(taco__row_reader *r, taco__column_reader *c,
                                            uint64_t gap, taco_error *err)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && gap && i < c->leaf_count; i++) {
        taco__chunk_reader *l = &c->leaf_readers[i];
        uint32_t leaf = c->node->leaf + (uint32_t)i;
        if (!l->position.index && (l->leaf->max_rep || gap > l->page.entries_left) &&
            (gap > TACO__ROW_READER_GAP ||
             taco__page_index_has_offsets(r->table->pq, r->group, leaf))) {
            l->position.index = taco__page_index_offsets(r->table->pq, r->group, leaf, &ok, err);
        }
    }
    return ok;
}

/* Appends rows [at, at + n) of the open row group to the batch of every column. */
static bool taco__row_reader_append_columns(taco__row_reader *r, uint64_t at, size_t n,
                                            taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        taco__column_reader *c = &r->columns[i];
        if (taco__row_reader_is_decoded(r, i) &&
            (!taco__row_reader_use_page_index(r, c, at - c->row, err) ||
             !taco__column_reader_append(c, at, n, err))) {
            return false;
        }
    }
    return true;
}

/* Appends rows [first, first + n) of the table to the batch of every replaced column. */
static bool taco__row_reader_append_replaced(taco__row_reader *r, uint64_t first, uint64_t n,
                                             taco_error *err)
{
    size_t i;
    for (i = 0; r->replaced && i < r->count; i++) {
        const int64_t *values = taco__table_replaced(r->table, r->which[i]);
        if (values && !taco__buf_append(&r->replaced[i], values + (size_t)first,
                                        (size_t)n * sizeof *values, err)) {
            return false;
        }
    }
    return true;
}

/* Appends the rows [first, first + n) to the batch; they may span row groups. */
static bool taco__row_reader_append(taco__row_reader *r, uint64_t first, uint64_t n,
                                    taco_error *err)
{
    const taco__pq_metadata *m = &r->table->pq->meta;
    if (first < r->next) { r->group = TACO__NO_GROUP; }
    while (n) {
        uint32_t group = taco__footer_find_row_group(m, first);
        const taco__pq_row_group *g = &m->groups[group];
        uint64_t at = first - (uint64_t)g->first_row, k = TACO__MIN(n, (uint64_t)g->rows - at);
        if (!taco__row_reader_open_group(r, group, err) ||
            !taco__row_reader_append_columns(r, at, (size_t)k, err) ||
            !taco__row_reader_append_replaced(r, first, k, err)) {
            r->group = TACO__NO_GROUP; /* the columns are now at different rows */
            return taco__pq_file_fail_group(r->table->pq, group, err);
        }
        r->length += (size_t)k;
        first += k;
        n -= k;
        r->next = first;
    }
    return true;
}

/* ---- batches ---- */

static void taco__row_reader_begin_batch(taco__row_reader *r)
{
    size_t i;
    r->length = 0;
    for (i = 0; i < r->count && r->columns; i++) {
        if (taco__row_reader_is_decoded(r, i)) {
            taco__column_reader_begin_batch(&r->columns[i]);
        } else if (r->replaced) {
            r->replaced[i].len = 0;
        }
    }
}

/* Makes r->arrays from what was appended; constant columns get the same number of rows. */
static bool taco__row_reader_finish_batch(taco__row_reader *r, taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *a;
        if (!taco__row_reader_is_stored(r, i)) {
            if (!taco__row_reader_fill_constant(r, i, r->length, err)) { return false; }
            continue;
        }
        if (!taco__row_reader_is_decoded(r, i)) {
            taco_array replaced;
            memset(&replaced, 0, sizeof replaced);
            replaced.field = &r->table->fields[r->which[i]];
            replaced.length = r->length;
            replaced.v.any = r->replaced[i].data;
            r->arrays[i] = replaced;
            continue;
        }
        if (!taco__column_reader_finish_batch(&r->columns[i], &a, err)) {
            return taco__row_reader_fail(r, err);
        }
        r->arrays[i] = *a;
    }
    return true;
}

/* Whether the column's rows of this batch were picked while decoding. */
static bool taco__row_reader_is_selected(const taco__row_reader *r, size_t i)
{
    return r->columns[i].leaf_count && r->columns[i].leaf_readers[0].batch.keep_indices;
}

TACO__FN bool taco__row_reader_take(taco__row_reader *r, const int32_t *idx, size_t n, bool memory,
                                    taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *src;
        if (!taco__row_reader_is_stored(r, i)) {
            if (!taco__row_reader_fill_constant(r, i, n, err)) { return false; }
            continue;
        }
        src = memory ? &r->table->arrays[r->which[i]] : &r->arrays[i];
        if ((memory || !taco__row_reader_is_selected(r, i)) &&
            !taco__take_array(&r->selected[i], src, idx, n, err)) {
            return false;
        }
        r->arrays[i] = r->selected[i].array;
    }
    return true;
}

TACO__FN int32_t *taco__row_reader_reserve_index(taco__row_reader *r, size_t n, taco_error *err)
{
    size_t bytes;
    return taco__array_buf_size(n, sizeof(int32_t), &bytes, err) &&
                   taco__buf_reset(&r->index, bytes, err)
               ? (int32_t *)(void *)r->index.data
               : NULL;
}

/* ---- columns that are made ---- */

TACO__FN bool taco__row_reader_load(const taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err)
{
    const taco__made_columns *m = r->table->made;
    size_t i, column;
    for (i = 0; m && m->load && i < r->count; i++) {
        if (taco__table_is_made(r->table, r->which[i], &column) &&
            !m->load(m->ctx, column, base, rows, n, err)) {
            return false;
        }
    }
    return true;
}

/* Sets the arrays of made columns to rows [first, first + n), or if rows is not NULL to those n
   rows, counted from first. */
static bool taco__row_reader_make(taco__row_reader *r, uint64_t first, const uint32_t *rows,
                                  size_t n, taco_error *err)
{
    const taco__made_columns *m = r->table->made;
    size_t i, k, end, column;
    /* what tasks read has been loaded before they began */
    if (m && !r->table->pq->part.file->cached_only &&
        !taco__row_reader_load(r, first, rows, n, err)) {
        return false;
    }
    for (i = 0; m && i < r->count; i++) {
        if (!taco__table_is_made(r->table, r->which[i], &column)) { continue; }
        taco__array_builder_reset(&r->made[i]);
        for (k = 0; k < n; k = end) {
            uint64_t at = first + (rows ? rows[k] : 0);
            for (end = rows ? k + 1 : n; end < n && rows[end] == rows[end - 1] + 1; end++) {}
            if (!m->append(m->ctx, column, at, end - k, &r->made[i], err)) { return false; }
        }
        taco__array_builder_view(&r->made[i], &r->arrays[i]);
    }
    return true;
}

/* ---- reading ---- */

/* All rows of arrays in memory, without copying. */
static bool taco__row_reader_read_all(taco__row_reader *r, taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        if (taco__row_reader_is_stored(r, i)) {
            r->arrays[i] = r->table->arrays[r->which[i]];
        } else if (!taco__row_reader_fill_constant(r, i, (size_t)r->table->rows, err)) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__row_reader_read_range(taco__row_reader *r, uint64_t first, size_t n,
                                          taco_error *err)
{
    int32_t *idx;
    size_t i;
    if (r->table->pq) {
        taco__row_reader_begin_batch(r);
        return taco__row_reader_append(r, first, n, err) && taco__row_reader_finish_batch(r, err) &&
               taco__row_reader_make(r, first, NULL, n, err);
    }
    if (first == 0 && n == r->table->rows) { return taco__row_reader_read_all(r, err); }
    idx = taco__row_reader_reserve_index(r, n, err);
    for (i = 0; idx && i < n; i++) {
        idx[i] = (int32_t)(first + i);
    }
    return idx && taco__row_reader_take(r, idx, n, true, err);
}

/* ---- few rows of many: picked as they are decoded ---- */

/* Whether rows of a column can be picked piece by piece: only flat columns of fixed width. */
static bool taco__row_reader_can_select(const taco__row_reader *r, size_t i)
{
    const taco__column_reader *c = &r->columns[i];
    return taco__row_reader_is_decoded(r, i) && c->flat && c->node->field->type != TACO_NULL &&
           c->node->field->type != TACO_BOOL && !taco__array_is_var_length(c->node->field);
}

/* Makes room for n picked rows in every such column. */
static bool taco__row_reader_begin_select(taco__row_reader *r, size_t n, taco_error *err)
{
    size_t i, bytes;
    for (i = 0; i < r->count; i++) {
        taco__array_buf *b = &r->selected[i];
        if (!taco__row_reader_can_select(r, i)) { continue; }
        r->columns[i].leaf_readers[0].batch.keep_indices = true;
        memset(&b->array, 0, sizeof b->array);
        b->array.field = r->columns[i].node->field;
        b->array.length = n;
        if (!taco__array_buf_size(n, (size_t)b->array.field->width, &bytes, err) ||
            !taco__buf_reset(&b->values, bytes, err) ||
            !taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
            return false;
        }
        b->array.v.any = b->values.data;
    }
    return true;
}

/* Writes rows idx[0..n) of an array to the picked rows, beginning at `at`. */
static void taco__row_reader_pick(taco__array_buf *b, const taco_array *a, const int32_t *idx,
                                  size_t at, size_t n)
{
    size_t width = (size_t)a->field->width;
    uint8_t *dst = b->values.data + at * width;
    if (a->dictionary) {
        taco__take_from_dictionary(dst, a, idx, n);
    } else {
        taco__take_fixed(dst, a->v.any, width, idx, n);
    }
    if (a->validity) {
        b->array.null_count += n - taco__take_bits(b->validity.data, at, a->validity, 0, idx, n);
    } else {
        taco__bitmap_fill(b->validity.data, at, n, true);
    }
    b->array.validity = b->array.null_count ? b->validity.data : NULL;
}

/* Copies rows idx[0..n) of what was appended to the picked rows, beginning at `at`, and begins new
   batches. */
static bool taco__row_reader_select(taco__row_reader *r, const int32_t *idx, size_t at, size_t n,
                                    taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *a;
        if (!taco__row_reader_can_select(r, i)) { continue; }
        if (!taco__column_reader_finish_batch(&r->columns[i], &a, err)) {
            return taco__row_reader_fail(r, err);
        }
        taco__row_reader_pick(&r->selected[i], a, idx, at, n);
        taco__column_reader_begin_batch(&r->columns[i]);
        r->columns[i].leaf_readers[0].batch.keep_indices = true;
    }
    return true;
}

/* Appends the rows from rows[at] to rows[at + n - 1], picking those n while they are in the
   cache. */
static bool taco__row_reader_append_pieces(taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                           int32_t *idx, size_t at, size_t n, taco_error *err)
{
    uint64_t first = rows[at], stop = (uint64_t)rows[at + n - 1] + 1, m;
    size_t end = at + n, k;
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

/* Appends the n rows base + rows[i] of a file, and the rows between those close together; idx[i]
   becomes the position of row i in the batch. *exact: the batch has exactly those rows. */
static bool taco__row_reader_append_numbers(taco__row_reader *r, uint64_t base,
                                            const uint32_t *rows, int32_t *idx, size_t n,
                                            bool sparse, bool *exact, taco_error *err)
{
    size_t i, k, total = 0;
    for (i = 0; i < n; i = k) {
        uint64_t first = rows[i], last = first;
        for (k = i; k < n && rows[k] - last <= TACO__ROW_READER_GAP; k++) {
            *exact = *exact && (k == i || rows[k] == last + 1);
            last = rows[k];
            idx[k] = (int32_t)(total + (size_t)(last - first));
        }
        if (!(sparse ? taco__row_reader_append_pieces(r, base, rows, idx + n, i, k - i, err)
                     : taco__row_reader_append(r, base + first, last - first + 1, err))) {
            return false;
        }
        total += (size_t)(last - first + 1);
    }
    return true;
}

TACO__FN bool taco__row_reader_read(taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err)
{
    bool exact = true, sparse = n && rows[n - 1] - rows[0] >= 2 * n;
    /* sparse rows need a second list: their positions in the current piece */
    int32_t *idx = taco__row_reader_reserve_index(r, sparse && n < SIZE_MAX / 2 ? 2 * n : n, err);
    size_t i;
    if (!idx) { return false; }
    if (!r->table->pq) {
        for (i = 0; i < n; i++) {
            idx[i] = (int32_t)(base + rows[i]);
        }
        return taco__row_reader_take(r, idx, n, true, err);
    }
    taco__row_reader_begin_batch(r);
    if ((sparse && !taco__row_reader_begin_select(r, n, err)) ||
        !taco__row_reader_append_numbers(r, base, rows, idx, n, sparse, &exact, err) ||
        !taco__row_reader_finish_batch(r, err)) {
        return false;
    }
    return ((exact && !sparse) || taco__row_reader_take(r, idx, n, false, err)) &&
           taco__row_reader_make(r, base, rows, n, err);
}

/* ---- the buffers of arrays, for consumers that take them over ---- */

static void taco__row_reader_child_owner(const taco__buffer_owner *h, uint32_t i,
                                         taco__buffer_owner *out)
{
    const taco__pq_schema_node *node = (const taco__pq_schema_node *)h->node;
    *out = *h;
    out->selected = h->selected && h->selected->children ? &h->selected->children[i] : NULL;
    out->decoded = h->decoded && h->decoded->children ? &h->decoded->children[i] : NULL;
    out->node = node ? &node->children[i] : NULL;
}

/* The buffer of an array that begins at p; NULL if none does. */
static taco__buf *taco__row_reader_match_array(taco__array_buf *b, const void *p)
{
    return !b                      ? NULL
           : b->validity.data == p ? &b->validity
           : b->offsets.data == p  ? &b->offsets
           : b->values.data == p   ? &b->values
           : b->bytes.data == p    ? &b->bytes
                                   : NULL;
}

/* The same for the batch of a leaf. */
static taco__buf *taco__row_reader_match_leaf(taco__chunk_reader *l, const void *p)
{
    taco__values *s = &l->batch.values;
    return l->levels.validity.data == p ? &l->levels.validity
           : s->fixed.data == p         ? &s->fixed
           : s->offsets.data == p       ? &s->offsets
           : s->bytes.data == p         ? &s->bytes
                                        : NULL;
}

/* Searches gathered arrays first, then decoded ones, then the buffers of a leaf. */
static taco__buf *taco__row_reader_find_buffer(const taco__buffer_owner *h, const void *p)
{
    taco__column_reader *c = (taco__column_reader *)h->column;
    const taco__pq_schema_node *node = (const taco__pq_schema_node *)h->node;
    taco__buf *b = taco__row_reader_match_array(h->selected, p);
    b = b ? b : taco__row_reader_match_array(h->decoded, p);
    if (!b && node && node->leaf_count == 1 && node->field->child_count == 0) {
        b = taco__row_reader_match_leaf(&c->leaf_readers[node->leaf - c->node->leaf], p);
    }
    return b;
}

TACO__FN bool taco__row_reader_buffer_owner(const taco__row_reader *r, size_t i,
                                            taco__buffer_owner *out)
{
    memset(out, 0, sizeof *out);
    if (!taco__row_reader_is_decoded(r, i)) { return false; }
    out->find = taco__row_reader_find_buffer;
    out->child = taco__row_reader_child_owner;
    out->selected = &r->selected[i];
    if (r->columns) {
        out->column = &r->columns[i];
        out->decoded = r->columns[i].root;
        out->node = r->columns[i].node;
    }
    return true;
}
