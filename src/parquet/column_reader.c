/* column_reader.c - a top-level column read forward: its leaves become one array

   In: a node of the schema, the row group's chunks, and row numbers that ascend; out: an Arrow
   array of the rows appended since the batch was begun. A column has a chunk reader for each leaf
   below it; all of them are always at the same row.

       taco__column_reader_open            once for a row group
         _begin_batch                      drops the last batch
           _append(row, n), any times      skips to a row, reads n from there
         _finish_batch                     the array, valid until the next _begin_batch

   A flat column (one leaf, no repetition, at most nullable) is put together here, others by
   record_assembly.c. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Whether the rows of a column correspond to the entries of its only leaf. */
static bool taco__column_reader_is_flat(const taco__pq_schema_node *node, const taco__pq_leaf *leaf)
{
    return node->leaf_count == 1 && node->field->child_count == 0 &&
           node->field->type != TACO_STRUCT && leaf->max_rep == 0 && leaf->max_def <= 1;
}

TACO__FN bool taco__column_reader_init(taco__column_reader *c, const taco_pq_file *f, size_t column,
                                       taco__codecs *codecs, uint64_t *decoded, taco__mem *mem,
                                       taco__arena *arena, taco_error *err)
{
    const taco__pq_schema_node *node = &f->meta.nodes[column];
    uint32_t i;
    memset(c, 0, sizeof *c);
    c->node = node;
    c->mem = mem;
    c->leaf_count = node->leaf_count;
    c->leaf_readers = (taco__chunk_reader *)taco__arena_array(
        arena, TACO__MAX(c->leaf_count, (size_t)1), sizeof *c->leaf_readers, err);
    c->root = (taco__array_buf *)taco__arena_alloc(arena, sizeof *c->root, err);
    if (!c->leaf_readers || !c->root) {
        c->leaf_count = 0;
        return false;
    }
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader_init(&c->leaf_readers[i], mem);
        taco__chunk_reader_set_leaf(&c->leaf_readers[i], f, node->leaf + i, codecs);
        c->leaf_readers[i].decoded = decoded;
    }
    c->flat = taco__column_reader_is_flat(node, &f->meta.leaves[node->leaf]);
    if (!TACO__WITH_NESTED && !c->flat) {
        taco_bytes name = taco__bytes_text(node->field->name);
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "column %q is nested, which TACO_NO_NESTED leaves out", &name);
        return false;
    }
    return taco__array_buf_init(c->root, node->field, mem, arena, err);
}

TACO__FN void taco__column_reader_free(taco__column_reader *c)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader_free(&c->leaf_readers[i]);
    }
    if (c->root) { taco__array_buf_free(c->root); }
    memset(c, 0, sizeof *c);
}

/* Prefixes a message with column and page; false. */
static bool taco__column_reader_fail(const taco__chunk_reader *r, taco_error *err)
{
    char text[80];
    taco_bytes name = taco__schema_path(r->meta, r->leaf->element, text, sizeof text);
    if (r->position.page_number) {
        taco__error_prefix(err, "column %q, page %u", &name, r->position.page_number);
    } else {
        taco__error_prefix(err, "column %q", &name);
    }
    return false;
}

TACO__FN bool taco__column_reader_open(taco__column_reader *c, const taco__pq_column_chunk *chunks,
                                       uint64_t rows, taco_error *err)
{
    size_t i;
    c->row = 0;
    c->rows = rows;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader *r = &c->leaf_readers[i];
        r->position.group_rows = rows;
        if (!taco__chunk_reader_open(r, &chunks[c->node->leaf + i], err)) {
            return taco__column_reader_fail(r, err);
        }
        if (r->leaf->max_rep == 0 && r->position.entries_left != rows) { /* footer.c refuses it */
            TACO__FAIL(err, TACO_ERR_CORRUPT, r->position.next,
                       "%u values, its row group has %u rows", r->position.entries_left, rows);
            return taco__column_reader_fail(r, err);
        }
    }
    return true;
}

TACO__FN bool taco__column_reader_dictionary(taco__column_reader *c, taco_array *out,
                                             taco_error *err)
{
    taco__chunk_reader *r = c->leaf_readers;
    uint64_t first;
    memset(out, 0, sizeof *out);
    if (!c->flat || c->row || !r->chunk->dict_only || r->chunk->data_offset < 0 ||
        r->field->type == TACO_BOOL || r->field->type == TACO_NULL) {
        return true;
    }
    first = r->position.index ? r->position.index->page[0].offset : (uint64_t)r->chunk->data_offset;
    if (first <= r->position.next || first > r->window.end || r->position.page_number) {
        return true;
    }
    if (!taco__dictionary_load_first(r, first, err)) { return taco__column_reader_fail(r, err); }
    taco__chunk_reader_limit_ahead(r, c->rows, false);
    out->field = r->field;
    if (r->dict.loaded && r->position.page_number == 0) { taco__dictionary_array(r, out); }
    return true;
}

TACO__FN void taco__column_reader_begin_batch(taco__column_reader *c)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader_begin_batch(&c->leaf_readers[i]);
    }
    c->root->array.length = 0;
}

/* Moves a leaf from the column's next row to `row`; rows up to `end` will be read. */
static bool taco__column_reader_skip(const taco__column_reader *c, taco__chunk_reader *r,
                                     uint64_t row, uint64_t end, taco_error *err)
{
    const taco__pq_offset_index *index = r->position.index;
    uint64_t at = c->row;
    if (at < row) {
        if (index && !taco__chunk_reader_seek(r, row, &at, err)) { return false; }
        taco__chunk_reader_limit_ahead(r, end, !index);
        if (!(c->flat || !TACO__WITH_NESTED ? taco__chunk_reader_skip_flat(r, row - at, err)
              : r->leaf->max_rep == 0
                  ? taco__chunk_reader_read_optional(r, row - at, false, err)
                  : taco__chunk_reader_read_repeated(r, row - at, false, err))) {
            return false;
        }
    }
    if (end > row) { taco__chunk_reader_limit_ahead(r, end, false); }
    return true;
}

TACO__FN bool taco__column_reader_append(taco__column_reader *c, uint64_t row, size_t n,
                                         taco_error *err)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader *r = &c->leaf_readers[i];
        if (!taco__column_reader_skip(c, r, row, row + n, err) ||
            !(c->flat || !TACO__WITH_NESTED ? taco__chunk_reader_read_flat(r, n, err)
              : r->leaf->max_rep == 0       ? taco__chunk_reader_read_optional(r, n, true, err)
                                            : taco__chunk_reader_read_repeated(r, n, true, err))) {
            return taco__column_reader_fail(r, err);
        }
    }
    c->row = row + n;
    c->root->array.length += n;
    return true;
}

/* Builds the array of a column with levels, with as many rows as were read. */
static bool taco__column_reader_assemble(taco__column_reader *c, taco_error *err)
{
    const taco__chunk_reader *first = &c->leaf_readers[0];
    taco_array *a = &c->root->array;
    size_t n = a->length;
    taco__assembly_slots top;
    top.levels = &first->levels;
    top.def = top.rep = 0;
    if (!taco__assembly_build(c, c->root, c->node, top, err)) {
        return taco__column_reader_fail(first, err);
    }
    if (a->length != n) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, first->position.next, "%u rows assembled, %u were read",
                   TACO__U(a->length), TACO__U(n));
        return taco__column_reader_fail(first, err);
    }
    return true;
}

TACO__FN bool taco__column_reader_finish_batch(taco__column_reader *c, const taco_array **out,
                                               taco_error *err)
{
    taco__chunk_reader *r = c->leaf_readers;
    taco_array *a = &c->root->array;
    *out = a;
    if (c->leaf_count == 0) { /* a group without fields: present in every row */
        return taco__assembly_no_leaves(c->root, c->node->field, a->length, err);
    }
    if (TACO__WITH_NESTED && !c->flat) { return taco__column_reader_assemble(c, err); }
    a->null_count = r->leaf->max_def ? a->length - r->batch.values.count : 0;
    a->validity = a->null_count ? r->levels.validity.data : NULL;
    return taco__assembly_values(c->root, r, a->length, err) || taco__column_reader_fail(r, err);
}
