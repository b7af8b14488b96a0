/* column_reader.c - Arrow arrays from the levels and values of leaf columns.. Spec: Dremel levels,
   parquet-format "Nested Encoding" */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* ---- reading
   ------------------------------------------------------------------------------------ */

TACO__FN bool taco__column_reader_init(taco__column_reader *c, const taco__pq_schema_node *node,
                                       const taco__pq_metadata *meta, const taco__file_part *part,
                                       const taco_limits *limits, taco__codecs *codecs,
                                       bool always_compressed, taco__mem *mem, taco__arena *arena,
                                       taco_error *err)
{
    size_t i;
    memset(c, 0, sizeof *c);
    c->node = node;
    c->mem = mem;
    c->leaf_count = node->leaf_count;
    c->leaves = (taco__chunk_reader *)taco__arena_array(arena, TACO__MAX(c->leaf_count, (size_t)1),
                                                        sizeof *c->leaves, err);
    c->root = (taco__array_buf *)taco__arena_alloc(arena, sizeof *c->root, err);
    if (!c->leaves || !c->root) {
        c->leaf_count = 0;
        return false;
    }
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader *l = &c->leaves[i];
        taco__chunk_reader_init(l, mem);
        l->meta = meta;
        l->schema = &meta->leaves[node->leaf + i];
        l->field = l->schema->field;
        l->part = part;
        l->limits = limits;
        l->codecs = codecs;
        l->always_compressed = always_compressed;
    }
    c->flat = c->leaf_count == 1 && node->field->child_count == 0 &&
              node->field->type != TACO_STRUCT && c->leaves[0].schema->max_rep == 0 &&
              c->leaves[0].schema->max_def <= 1;
    return taco__array_buf_init(c->root, node->field, mem, arena, err);
}

TACO__FN void taco__column_reader_free(taco__column_reader *c)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader_free(&c->leaves[i]);
    }
    if (c->root) { taco__array_buf_free(c->root); }
    memset(c, 0, sizeof *c);
}

/* Puts what was read where in front of a message. */
static bool taco__column_reader_fail(const taco__chunk_reader *l, taco_error *err)
{
    char text[80];
    taco_bytes name = taco__schema_path(l->meta, l->schema->element, text, sizeof text);
    if (l->page_no) {
        taco__error_prefix(err, "column %q, page %u", &name, l->page_no);
    } else {
        taco__error_prefix(err, "column %q", &name);
    }
    return false;
}

/* Points the column at a row group of `rows` rows; chunks are those of the row group. */
TACO__FN bool taco__column_reader_open(taco__column_reader *c, const taco__pq_column_chunk *chunks,
                                       uint64_t rows, taco_error *err)
{
    size_t i;
    c->row = 0;
    c->rows = rows;
    for (i = 0; i < c->leaf_count; i++) {
        c->leaves[i].group_rows = rows;
        if (!taco__chunk_reader_open(&c->leaves[i], &chunks[c->node->leaf + i], err)) {
            return taco__column_reader_fail(&c->leaves[i], err);
        }
        if (c->leaves[i].schema->max_rep == 0 && c->leaves[i].expected != rows) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, c->leaves[i].at,
                       "%u values, its row group has %u rows", c->leaves[i].expected, rows);
            return taco__column_reader_fail(&c->leaves[i], err);
        }
    }
    return true;
}

/* The dictionary of a flat column that was just opened and has no page without one; of length 0
   where there is none. */
TACO__FN bool taco__column_reader_dictionary(taco__column_reader *c, taco_array *out,
                                             taco_error *err)
{
    taco__chunk_reader *l = c->leaves;
    uint64_t first;
    memset(out, 0, sizeof *out);
    if (!c->flat || c->row || !l->chunk->dict_only || l->chunk->data_offset < 0 ||
        l->field->type == TACO_BOOL || l->field->type == TACO_NULL) {
        return true;
    }
    first = l->index ? l->index->page[0].offset : (uint64_t)l->chunk->data_offset;
    if (first <= l->at || first > l->end || l->page_no) { return true; }
    if (!taco__dictionary_load_first(l, first, err)) { return taco__column_reader_fail(l, err); }
    taco__chunk_reader_limit_ahead(l, c->rows, false);
    out->field = l->field;
    if (l->has_dict && l->page_no == 0) { taco__dictionary_array(l, out); }
    return true;
}

/* Begins a batch. What the last one returned is gone. */
TACO__FN void taco__column_reader_begin_batch(taco__column_reader *c)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader_begin_batch(&c->leaves[i]);
    }
    c->root->array.length = 0;
}

/* Moves a leaf from the column's next row to `row`; rows up to `end` will be read. */
static bool taco__column_reader_skip(const taco__column_reader *c, taco__chunk_reader *l,
                                     uint64_t row, uint64_t end, taco_error *err)
{
    uint64_t at = c->row;
    if (at < row) {
        if (l->index && !taco__chunk_reader_seek(l, row, &at, err)) { return false; }
        taco__chunk_reader_limit_ahead(l, end, !l->index);
        if (!(c->flat ? taco__chunk_reader_skip_flat(l, row - at, err)
              : l->schema->max_rep == 0
                  ? taco__chunk_reader_read_optional(l, row - at, false, err)
                  : taco__chunk_reader_read_repeated(l, row - at, false, err))) {
            return false;
        }
    }
    if (end > row) { taco__chunk_reader_limit_ahead(l, end, false); }
    return true;
}

/* Skips to a row and appends n rows from there to the batch. */
TACO__FN bool taco__column_reader_append(taco__column_reader *c, uint64_t row, size_t n,
                                         taco_error *err)
{
    size_t i;
    for (i = 0; i < c->leaf_count; i++) {
        taco__chunk_reader *l = &c->leaves[i];
        if (!taco__column_reader_skip(c, l, row, row + n, err) ||
            !(c->flat                   ? taco__chunk_reader_read_flat(l, n, err)
              : l->schema->max_rep == 0 ? taco__chunk_reader_read_optional(l, n, true, err)
                                        : taco__chunk_reader_read_repeated(l, n, true, err))) {
            return taco__column_reader_fail(l, err);
        }
    }
    c->row = row + n;
    c->root->array.length += n;
    return true;
}

/* The batch as an array, valid until the next _begin. */
TACO__FN bool taco__column_reader_finish_batch(taco__column_reader *c, const taco_array **out,
                                               taco_error *err)
{
    taco_array *a = &c->root->array;
    size_t n = a->length;
    *out = a;
    if (c->flat) {
        taco__chunk_reader *l = &c->leaves[0];
        a->null_count = c->leaves[0].schema->max_def ? n - l->store.count : 0;
        a->validity = a->null_count ? l->validity.data : NULL;
        return taco__assembly_values(c->root, l, n, err) || taco__column_reader_fail(l, err);
    }
    if (c->leaf_count == 0) { /* a group without fields: every row has it */
        return taco__assembly_no_leaves(c->root, c->node->field, n, err);
    } else {
        taco__assembly_slots top;
        top.src = &c->leaves[0];
        top.def = top.rep = 0;
        if (!taco__assembly_build(c, c->root, c->node, top, err)) {
            return taco__column_reader_fail(&c->leaves[0], err);
        }
        if (a->length != n) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, c->leaves[0].at, "%u rows assembled, %u were read",
                       TACO__U(a->length), TACO__U(n));
            return taco__column_reader_fail(&c->leaves[0], err);
        }
    }
    return true;
}
