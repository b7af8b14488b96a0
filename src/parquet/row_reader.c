/* row_reader.c - a Parquet file: footer, columns, rows by number.. Spec: parquet-format "File
   format" */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

#define TACO__ROW_READER_PIECE 8192 /* rows that are decoded at a time where few of them go out */

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
        if (strcmp(t->fields[i].name, name) == 0) { return i; }
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

/* ---- rows by number
   ------------------------------------------------------------------------------- */

#define TACO__NO_GROUP       UINT32_MAX
#define TACO__ROW_READER_GAP 64 /* rows decoded in vain to save a step */

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
        if (r->columns) { taco__column_reader_free(&r->columns[i]); }
        if (r->taken) { taco__array_buf_free(&r->taken[i]); }
    }
    if (r->mem) {
        taco__buf_free(&r->index);
        taco__arena_free(&r->arena);
    }
    memset(r, 0, sizeof *r);
}

/* which[0..count) are columns of the table; the list is copied. codecs serve one reader at a
   time. */
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
static bool taco__row_reader_fill_constant(taco__row_reader *r, size_t i, size_t n, taco_error *err)
{
    size_t c = r->which[i] - r->table->stored, bits, len, k, bytes;
    taco_array *a = &r->arrays[i];
    const taco_array *one = c < r->table->constant_count ? &r->table->given[c] : NULL;
    int32_t *values;
    taco_bytes text;
    uint8_t *end;
    a->length = a->null_count = n;
    if (!one) { return true; }
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
    size_t i;
    if (r->group == group) { return true; }
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

/* Gives the leaves of a column that has rows to skip the offset index of their chunks, once those
   reach far. */
static bool taco__row_reader_use_page_index(taco__row_reader *r, taco__column_reader *c,
                                            uint64_t gap, taco_error *err)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && gap && i < c->leaf_count; i++) {
        taco__chunk_reader *l = &c->leaves[i];
        uint32_t leaf = c->node->leaf + (uint32_t)i;
        if (!l->index && (l->schema->max_rep || gap > l->left) &&
            (gap > TACO__ROW_READER_GAP ||
             taco__page_index_has_offsets(r->table->pq, r->group, leaf))) {
            l->index = taco__page_index_offsets(r->table->pq, r->group, leaf, &ok, err);
        }
    }
    return ok;
}

/* Appends the rows [first, first + n) to the batch; they may reach over row groups. */
static bool taco__row_reader_append(taco__row_reader *r, uint64_t first, uint64_t n,
                                    taco_error *err)
{
    const taco__pq_metadata *m = &r->table->pq->meta;
    if (first < r->next) { r->group = TACO__NO_GROUP; }
    while (n) {
        uint32_t group = taco__footer_find_row_group(m, first);
        const taco__pq_row_group *g = &m->groups[group];
        uint64_t at = first - (uint64_t)g->first_row, k = TACO__MIN(n, (uint64_t)g->rows - at);
        size_t i;
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

static void taco__row_reader_begin_batch(taco__row_reader *r)
{
    size_t i;
    r->length = 0;
    for (i = 0; i < r->count && r->columns; i++) {
        if (r->which[i] < r->table->stored) { taco__column_reader_begin_batch(&r->columns[i]); }
    }
}

static bool taco__row_reader_finish_batch(taco__row_reader *r, taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        const taco_array *a;
        if (r->which[i] >= r->table->stored) {
            if (!taco__row_reader_fill_constant(r, i, r->length, err)) { return false; }
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
            if (!taco__row_reader_fill_constant(r, i, n, err)) { return false; }
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
    size_t i;
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
static bool taco__row_reader_can_select(const taco__row_reader *r, size_t i)
{
    const taco__column_reader *c = &r->columns[i];
    return r->which[i] < r->table->stored && c->flat && c->node->field->type != TACO_NULL &&
           c->node->field->type != TACO_BOOL && !taco__array_is_var_length(c->node->field);
}

/* Room for n picked rows. */
static bool taco__row_reader_begin_select(taco__row_reader *r, size_t n, taco_error *err)
{
    size_t i, bytes;
    for (i = 0; i < r->count; i++) {
        taco__array_buf *b = &r->taken[i];
        if (!taco__row_reader_can_select(r, i)) { continue; }
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

/* The rows idx[0..n) of what was appended become the picked rows from `at` on, and the columns
   begin anew. */
static bool taco__row_reader_select(taco__row_reader *r, const int32_t *idx, size_t at, size_t n,
                                    taco_error *err)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        taco__array_buf *b = &r->taken[i];
        const taco_array *a;
        uint8_t *dst;
        if (!taco__row_reader_can_select(r, i)) { continue; }
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

/* Appends rows [first, stop), of which the n at rows go out, picking them while the cache has
   them. */
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

/* Reads the rows with the n ascending numbers base + rows[i] (repeated ones allowed) into
   r->arrays. Rows that stand close together are decoded in one go and the ones between dropped. */
TACO__FN bool taco__row_reader_read(taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err)
{
    bool exact = true, late = n && rows[n - 1] - rows[0] >= 2 * n;
    int32_t *idx = taco__row_reader_reserve_index(r, late && n < SIZE_MAX / 2 ? 2 * n : n, err);
    size_t i, total = 0;
    if (!idx) { return false; }
    if (!r->table->pq) {
        for (i = 0; i < n; i++) {
            idx[i] = (int32_t)(base + rows[i]);
        }
        return taco__row_reader_take(r, idx, n, true, err);
    }
    taco__row_reader_begin_batch(r);
    if (late && !taco__row_reader_begin_select(r, n, err)) { return false; }
    for (i = 0; i < n;) {
        uint64_t first = rows[i], last = first;
        size_t k;
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
    if (!taco__row_reader_finish_batch(r, err)) { return false; }
    return (exact && !late) || taco__row_reader_take(r, idx, n, false, err);
}

static void taco__row_reader_child_owner(const taco__buffer_owner *h, uint32_t i,
                                         taco__buffer_owner *out)
{
    const taco__pq_schema_node *node = (const taco__pq_schema_node *)h->node;
    *out = *h;
    out->taken = h->taken && h->taken->children ? &h->taken->children[i] : NULL;
    out->made = h->made && h->made->children ? &h->made->children[i] : NULL;
    out->node = node ? &node->children[i] : NULL;
}

static taco__buf *taco__row_reader_match_buffer(taco__array_buf *b, const void *p)
{
    return !b                      ? NULL
           : b->validity.data == p ? &b->validity
           : b->offsets.data == p  ? &b->offsets
           : b->values.data == p   ? &b->values
           : b->bytes.data == p    ? &b->bytes
                                   : NULL;
}

static taco__buf *taco__row_reader_find_buffer(const taco__buffer_owner *h, const void *p)
{
    taco__column_reader *column = (taco__column_reader *)h->column;
    const taco__pq_schema_node *node = (const taco__pq_schema_node *)h->node;
    taco__buf *b = taco__row_reader_match_buffer(h->taken, p);
    b = b ? b : taco__row_reader_match_buffer(h->made, p);
    if (!b && node && node->leaf_count == 1 && node->field->child_count == 0) {
        taco__chunk_reader *l = &column->leaves[node->leaf - column->node->leaf];
        b = l->validity.data == p        ? &l->validity
            : l->store.values.data == p  ? &l->store.values
            : l->store.offsets.data == p ? &l->store.offsets
            : l->store.bytes.data == p   ? &l->store.bytes
                                         : NULL;
    }
    return b;
}

TACO__FN bool taco__row_reader_buffer_owner(const taco__row_reader *r, size_t i,
                                            taco__buffer_owner *out)
{
    memset(out, 0, sizeof *out);
    if (r->which[i] >= r->table->stored) { return false; }
    out->find = taco__row_reader_find_buffer;
    out->child = taco__row_reader_child_owner;
    out->taken = &r->taken[i];
    if (r->columns) {
        out->column = &r->columns[i];
        out->made = r->columns[i].root;
        out->node = r->columns[i].node;
    }
    return true;
}
