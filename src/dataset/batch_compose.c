/* batch_compose.c - rows of a query, batch by batch or one at a time. */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* ---- batches
   -------------------------------------------------------------------------------------- */

static bool taco__compose_null_column(taco_cursor *c, size_t i, size_t n)
{
    taco_array *a = &c->arrays[i];
    if (c->fields[i].child_count) { /* whoever descends finds the children */
        return taco__unify_null_array(&c->fields[i], n, a, &c->unified, &c->err);
    }
    memset(a, 0, sizeof *a);
    a->field = &c->fields[i];
    a->length = a->null_count = n;
    a->validity = c->null_bits.data; /* zeroed */
    return true;
}

/* The same text in every row; places and bytes hold it. */
static bool taco__compose_constant_column(taco_cursor *c, size_t i, taco_bytes text, size_t n,
                                          taco__buf *places, taco__buf *held)
{
    int32_t *offsets;
    size_t k, bytes;
    if (!taco__checked_mul_size(n, text.len, &bytes) || bytes > INT32_MAX ||
        !taco__buf_reset(places, (n + 1) * sizeof(int32_t), &c->err) ||
        !taco__buf_reset(held, bytes, &c->err)) {
        return false;
    }
    offsets = (int32_t *)(void *)places->data;
    for (k = 0; k < n; k++) {
        offsets[k] = (int32_t)(k * text.len);
        memcpy(held->data + k * text.len, text.data, text.len);
    }
    offsets[n] = (int32_t)bytes;
    memset(&c->arrays[i], 0, sizeof c->arrays[i]);
    c->arrays[i].field = &c->fields[i];
    c->arrays[i].length = n;
    c->arrays[i].offsets = offsets;
    c->arrays[i].v.any = held->data;
    return true;
}

/* Row i of the batch in its level, and the store it is of. */
static uint64_t taco__compose_row_number(const taco_cursor *c, size_t i, size_t *feed)
{
    if (c->now) {
        *feed = c->feed;
        return c->now_base + c->now[i];
    }
    *feed = c->order[c->now_order + i].feed;
    return c->readers[*feed].numbers[c->order[c->now_order + i].at];
}

/* The same behind the batch, for SQL too, as long as its rows are rows of the dataset. */
TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store, uint64_t *row)
{
    if (c->children || (c->next && c->row_id == TACO__NONE)) { return false; }
    if (c->next) {
        uint64_t x = (uint64_t)taco_array_int(&c->arrays[c->row_id], i);
        *store = (size_t)(x >> 32);
        *row = x & UINT32_MAX;
    } else {
        *row = taco__compose_row_number(c, i, store);
    }
    return true;
}

/* Numbers made of the rows: where they are, or what stands for internal:current_id. */
static bool taco__compose_number_column(taco_cursor *c, taco__table_reader *f, size_t i, size_t n)
{
    bool id = c->outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID;
    taco__buf *held = id ? &c->current_bits : &c->row_bits;
    int64_t *out;
    size_t k, feed;
    if (!f->store || (id && c->fields[i].type != TACO_INT64)) {
        return taco__compose_null_column(c, i, n);
    }
    if (!taco__buf_reset(held, (n + 1) * sizeof *out, &c->err)) { return false; }
    out = (int64_t *)(void *)held->data;
    for (k = 0; k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &feed);
        out[k] = !id          ? (int64_t)((uint64_t)feed << 32 | row)
                 : f->current ? f->current[row]
                              : (int64_t)row;
    }
    memset(&c->arrays[i], 0, sizeof c->arrays[i]);
    c->arrays[i].field = &c->fields[i];
    c->arrays[i].length = n;
    c->arrays[i].v.any = out;
    return true;
}

/* Whether an output column may come under another type than it is stored. */
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i)
{
    return c->ds->container_count > 1 && !c->children &&
           taco__cursor_column_is_stored(&c->outs[i]) &&
           taco__schema_union_is_mixed(c->ds, c->outs[i].level, c->outs[i].name);
}

/* Lays out a batch of n rows from the arrays of each level. */
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n)
{
    size_t i, bits = TACO__BITMAP_BYTES(n) + 8;
    if (!taco__buf_reset(&c->null_bits, bits, &c->err)) { return false; }
    memset(c->null_bits.data, 0, bits);
    taco__arena_free(&c->unified); /* of the batch before */
    for (i = 0; i < c->count; i++) {
        if (c->outs[i].kind == TACO__CURSOR_COLUMN_VSI) {
            if (taco__sample_path_take_from_tasks(c, f, n, &c->arrays[i])) {
                c->arrays[i].field = &c->fields[i];
            } else if (!taco__sample_path_make_column(&f->vsi, c->mem, by_level[c->level], n,
                                                      &c->fields[i], &c->arrays[i], &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_SOURCE_PATH) {
            if (!taco__compose_constant_column(c, i, f->source_path, n, &c->source_offsets,
                                               &c->text_bits)) {
                return false;
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_SOURCE_FILE &&
                   f->place[i] == TACO__NONE) {
            if (!taco__compose_constant_column(c, i, f->source_file, n, &c->file_offsets,
                                               &c->file_bits)) {
                return false;
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_ROW_ID ||
                   (c->outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID &&
                    f->place[i] == TACO__NONE)) {
            if (!taco__compose_number_column(c, f, i, n)) { return false; }
        } else if (f->place[i] == TACO__NONE) {
            if (!taco__compose_null_column(c, i, n)) { return false; }
        } else {
            c->arrays[i] = by_level[c->outs[i].level][f->place[i]];
            if (taco__compose_is_mixed(c, i) &&
                !taco__unify_cast_array(&c->unified, &c->fields[i],
                                        &by_level[c->outs[i].level][f->place[i]], &c->arrays[i],
                                        &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
            c->arrays[i].field = &c->fields[i];
        }
    }
    return true;
}

/* Reads rows of an ancestor level, in any order, repeated ones too. */
TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n)
{
    size_t i;
    uint32_t sorted = 1;
    for (i = 1; i < n; i++) {
        sorted &= rows[i - 1] <= rows[i];
    }
    if (sorted) {
        return taco__row_reader_read(r, 0, rows, n, &c->err);
    } else { /* parents that do not ascend: the whole span, then a selection */
        uint32_t low = rows[0], high = rows[0];
        int32_t *idx;
        bool ok;
        for (i = 1; i < n; i++) {
            low = TACO__MIN(low, rows[i]);
            high = TACO__MAX(high, rows[i]);
        }
        if (!taco__row_reader_read_range(r, low, (size_t)(high - low) + 1, &c->err)) {
            return false;
        }
        idx = (int32_t *)taco__mem_alloc(c->mem, n * sizeof *idx, &c->err);
        for (i = 0; idx && i < n; i++) {
            idx[i] = (int32_t)(rows[i] - low);
        }
        ok = idx && taco__row_reader_take(r, idx, n, false, &c->err);
        taco__mem_free(c->mem, idx, n * sizeof *idx);
        return ok;
    }
}

/* Ancestors of the rows base + found[0..n) of the feed's level. */
static bool taco__compose_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                         const uint32_t *found, uint64_t base, size_t n,
                                         const taco_array **by_level)
{
    size_t i, bytes = n * sizeof(uint32_t);
    uint32_t *up = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    uint32_t l;
    bool ok = up != NULL;
    for (i = 0; ok && i < n; i++) {
        up[i] = (uint32_t)(base + found[i]);
    }
    for (l = c->level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n;
             i++) { /* picked rows have parents: taco__cascade_to_children saw to it */
            up[i] = (uint32_t)parents[up[i]];
        }
        ok = taco__compose_read_level(c, &f->rows[l], up, n);
        by_level[l] = f->rows[l].arrays;
    }
    taco__mem_free(c->mem, up, bytes);
    return ok || taco__cursor_fail(c, f, false);
}

TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out)
{
    while (c->feed < c->reader_count && c->left) {
        taco__table_reader *f = &c->readers[c->feed];
        const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
        const uint32_t *found;
        uint64_t base;
        size_t n;
        /* of rows in front of the first one only the numbers are made */
        bool read = c->skip == 0;
        uint64_t want = read ? c->left : c->skip;
        if (f->scan.tasks.host && !f->scan.tasks.batch && !f->piece_count) {
            taco__sample_path_tasks_init(c, f);
        }
        n = taco__scan_next(&f->scan, (size_t)TACO__MIN(want, (uint64_t)SIZE_MAX), read, &found,
                            &base, &c->err);
        if (c->err.code != TACO_OK) { return taco__cursor_fail(c, f, false); }
        if (n == 0) {
            c->feed++;
            continue;
        }
        if (!read) {
            c->skip -= n;
            continue;
        }
        by_level[c->level] = f->scan.out.arrays;
        c->now = found;
        c->now_base = base;
        if ((c->flat && !taco__compose_read_ancestors(c, f, found, base, n, by_level)) ||
            !taco__compose_batch(c, f, by_level, n)) {
            return false;
        }
        c->left -= n;
        out->length = n;
        out->columns = c->arrays;
        out->column_count = c->count;
        out->first_row = found[n - 1] - found[0] == n - 1 ? (int64_t)(base + found[0]) : -1;
        c->found = c->children ? NULL : found;
        c->found_base = base;
        c->found_count = n;
        return true;
    }
    return false;
}
