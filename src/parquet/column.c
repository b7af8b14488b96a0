/* ==== ROOM column: Arrow arrays from the levels and values of leaf columns. Uses: page. Spec: Dremel levels,
   parquet-format "Nested Encoding" ==== */

/* Buffers of one array, one per schema node, reused from batch to batch. */
typedef struct taco__array_buf {
    taco__buf               validity, offsets, values, bytes;
    taco_array              array;
    struct taco__array_buf *children;
} taco__array_buf;

/* A top-level field of one row group, read forward. */
typedef struct taco__column_reader {
    const taco__pq_schema_node *node;
    taco__mem                  *mem;
    taco__chunk_reader         *leaves;
    size_t                      leaf_count;
    taco__array_buf            *root;
    uint64_t                    row, rows; /* next row, rows of the row group */
    bool                        flat;
} taco__column_reader;

TACO__FN bool taco__array_buf_init(taco__array_buf *b, const taco_field *f, taco__mem *mem,
                                   taco__arena *arena, taco_error *err)
{
    uint32_t i;
    b->validity.mem = b->offsets.mem = b->values.mem = b->bytes.mem = mem;
    b->array.field = f;
    if (f->child_count == 0) {
        return true;
    }
    b->children =
        (taco__array_buf *)taco__arena_array(arena, f->child_count, sizeof *b->children, err);
    b->array.children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof(taco_array), err);
    for (i = 0; b->children && b->array.children && i < f->child_count; i++) {
        if (!taco__array_buf_init(&b->children[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return b->children && b->array.children;
}
TACO__FN void taco__array_buf_free(taco__array_buf *b)
{
    uint32_t i;
    taco__buf_free(&b->validity);
    taco__buf_free(&b->offsets);
    taco__buf_free(&b->values);
    taco__buf_free(&b->bytes);
    for (i = 0; b->children && i < b->array.field->child_count; i++) {
        taco__array_buf_free(&b->children[i]);
    }
}

/* Which level entries begin a slot of a node: those whose repetition level is at most that of the nearest repeated
   ancestor, and whose definition level says that the ancestor has an element there. */
typedef struct taco__assembly_slots {
    const taco__chunk_reader
           *src; /* any leaf below the node, or beside it for a group without leaves */
    int16_t def, rep;
} taco__assembly_slots;

/* Bit k is set where entry i + k, of m <= 64, repeats at most at `rep` and is defined at least to `def`. */
TACO__INLINE uint64_t taco__assembly_slot_word(const taco__chunk_reader *l, size_t i, size_t m,
                                               int16_t rep, int16_t def)
{
    uint64_t x = TACO__LOW_BITS(m);
    if (rep < l->schema->max_rep) {
        x &= ~taco__level_decode_rep_mask(l, i, m, (int16_t)(rep + 1));
    }
    return !l->full && def > 0
               ? x & taco__spacing_level_word(taco__level_decode_defs(l) + i, m, def)
               : x;
}
TACO__FN size_t taco__assembly_count_slots(const taco__assembly_slots *s)
{
    size_t i, m, n = 0;
    if (s->src->full && s->rep >= s->src->schema->max_rep) {
        return s->src->entries;
    }
    if (s->src->full && s->src->schema->max_rep == 1) {
        return s->src->entries - taco__bitmap_count(s->src->rep_buf.data, 0, s->src->entries);
    }
    for (i = 0; i < s->src->entries; i += m) {
        m = TACO__MIN(s->src->entries - i, (size_t)64);
        n += taco__bitmap_popcount(taco__assembly_slot_word(s->src, i, m, s->rep, s->def));
    }
    return n;
}
/* Validity of a node: present where the definition level reaches its own. */
TACO__FN bool taco__assembly_validity(taco__array_buf *b, const taco__assembly_slots *s,
                                      int16_t def, size_t n, taco_error *err)
{
    size_t i, m, k = 0, valid = 0;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (s->src->full || def <= s->def) {
        return true;
    }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n), err)) {
        return false;
    }
    memset(b->validity.data, 0, TACO__BITMAP_BYTES(n));
    for (i = 0; i < s->src->entries; i += m) {
        uint64_t slots, present, x;
        size_t   count, j = 0;
        m = TACO__MIN(s->src->entries - i, (size_t)64);
        slots = taco__assembly_slot_word(s->src, i, m, s->rep, s->def);
        present = slots & taco__spacing_level_word(taco__level_decode_defs(s->src) + i, m, def);
        count = taco__bitmap_popcount(slots);
        valid += taco__bitmap_popcount(present);
        x = TACO__LOW_BITS(count);
        if (slots == TACO__LOW_BITS(m)) {
            x = present;
        } else if (present != slots) { /* the bits of the slots move together */
            for (x = 0; slots; slots &= slots - 1, j++) {
                x |= (present >> taco__plat_ctz64(slots) & 1) << j;
            }
        }
        taco__bitmap_write(b->validity.data, k, x, count);
        k += count;
    }
    b->array.null_count = n - valid;
    b->array.validity = valid == n ? NULL : b->validity.data;
    return true;
}
/* Offsets of a list: an element begins at every entry that repeats at most at the list's own level and is defined at
   least to its element. */
TACO__FN bool taco__assembly_offsets(taco__array_buf *b, const taco__assembly_slots *s,
                                     const taco__pq_schema_node *node, size_t n, taco_error *err)
{
    int32_t *offsets;
    size_t   i, m, k = 0, count = 0, bytes;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&b->offsets, bytes, err)) {
        return false;
    }
    if (s->src->entries > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list elements in one batch, 32-bit offsets reach %u",
                   TACO__U(s->src->entries), TACO__U(INT32_MAX));
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    i = 0;
    if (s->src->full && s->src->schema->max_rep == 1) { /* every entry is an element */
        i = count = s->src->entries;
        k = taco__bitmap_select_zeros(s->src->rep_buf.data, 0, i, offsets);
    }
    for (; i < s->src->entries; i += m) {
        uint64_t slots, elements;
        m = TACO__MIN(s->src->entries - i, (size_t)64);
        slots = taco__assembly_slot_word(s->src, i, m, s->rep, s->def);
        elements = taco__assembly_slot_word(s->src, i, m, node->list_rep, node->list_def);
        if (elements == TACO__LOW_BITS(m)) { /* every entry is one: no need to count them */
            for (; slots; slots &= slots - 1) {
                offsets[k++] = (int32_t)(count + taco__plat_ctz64(slots));
            }
        } else {
            for (; slots; slots &= slots - 1) {
                uint64_t before = (slots & (0 - slots)) - 1;
                offsets[k++] = (int32_t)(count + taco__bitmap_popcount(elements & before));
            }
        }
        count += taco__bitmap_popcount(elements);
    }
    offsets[k] = (int32_t)count;
    b->array.offsets = offsets;
    return true;
}
/* The leaf's packed values go to their rows in place; the array borrows them until the next batch. */
TACO__FN bool taco__assembly_values(taco__array_buf *b, taco__chunk_reader *l, size_t n,
                                    taco_error *err)
{
    const taco_field *f = l->field;
    taco__values     *s = &l->store;
    taco_array       *a = &b->array;
    size_t valid = n - a->null_count, width = s->dict ? sizeof(int32_t) : (size_t)f->width;
    a->length = n;
    a->offsets = NULL;
    a->dictionary = NULL;
    a->v.any = NULL;
    if (f->type == TACO_NULL) {
        a->validity = NULL;
        a->null_count = n;
        return true;
    }
    if (s->count != valid) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "%u values for %u rows that have one",
                   TACO__U(s->count), TACO__U(valid));
        return false;
    }
    if (!s->dict && taco__array_is_var_length(f)) {
        int32_t *offsets;
        s->count = 0;
        offsets = taco__values_reserve_offsets(s, n, err);
        s->count = valid;
        if (!offsets || !taco__buf_reserve(&s->bytes, 0, err)) {
            return false;
        }
        if (valid == 0) {
            offsets[0] = 0;
        }
        if (a->validity) {
            taco__spacing_offsets(offsets, a->validity, 0, n, valid);
        }
        a->offsets = offsets;
        a->v.any = s->bytes.data;
        return true;
    }
    if (f->type == TACO_BOOL) {
        s->count = 0;
        if (!taco__values_reserve_bits(s, n, err)) {
            return false;
        }
        if (a->validity) {
            taco__spacing_bits(s->values.data, 0, a->validity, 0, n, valid);
        }
    } else {
        s->count = 0;
        if (!taco__values_reserve(s, width, n, err)) {
            return false;
        }
        if (a->validity) {
            taco__spacing_values(s->values.data, width, a->validity, 0, n, valid);
        }
    }
    s->count = valid;
    a->v.any = s->values.data;
    if (s->dict) {
        taco__dictionary_array(l, &l->dict_array);
        a->dictionary = &l->dict_array;
    }
    return true;
}
/* A field without leaves has no levels of its own, and a neighbour's say nothing about it: present everywhere, its lists
   empty. */
TACO__FN bool taco__assembly_no_leaves(taco__array_buf *b, const taco_field *f, size_t n,
                                       taco_error *err)
{
    size_t   bytes, below = n;
    uint32_t i;
    b->array.length = n;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        if (!taco__checked_mul_size(n + 1, sizeof(int32_t), &bytes) ||
            !taco__buf_reset(&b->offsets, bytes, err)) {
            return false;
        }
        memset(b->offsets.data, 0, bytes);
        b->array.offsets = (const int32_t *)(const void *)b->offsets.data;
        below = 0;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__assembly_no_leaves(&b->children[i], &f->children[i], below, err)) {
            return false;
        }
        ((taco_array *)b->array.children)[i] = b->children[i].array;
    }
    return true;
}
TACO__FN bool taco__assembly_build(taco__column_reader *c, taco__array_buf *b,
                                   const taco__pq_schema_node *node, taco__assembly_slots s,
                                   taco_error *err)
{
    taco_array          *children = (taco_array *)b->array.children;
    bool                 list = node->field->type == TACO_LIST || node->field->type == TACO_MAP;
    taco__assembly_slots below = s;
    uint32_t             i;
    size_t               n = taco__assembly_count_slots(&s);
    if (node->leaf_count == 0) {
        return taco__assembly_no_leaves(b, node->field, n, err);
    }
    b->array.length = n;
    if (!taco__assembly_validity(b, &s, node->def, n, err)) {
        return false;
    }
    if (node->field->child_count == 0 && node->field->type != TACO_STRUCT) {
        return taco__assembly_values(b, &c->leaves[node->leaf - c->node->leaf], n, err);
    }
    if (list) {
        if (!taco__assembly_offsets(b, &s, node, n, err)) {
            return false;
        }
        below.def = node->list_def;
        below.rep = node->list_rep;
    }
    for (i = 0; i < node->field->child_count; i++) {
        const taco__pq_schema_node *child = &node->children[i];
        below.src = child->leaf_count ? &c->leaves[child->leaf - c->node->leaf] : s.src;
        if (!taco__assembly_build(c, &b->children[i], child, below, err)) {
            return false;
        }
        children[i] = b->children[i].array;
        if (children[i].length !=
            (list ? (size_t)b->array.offsets[n] : n)) { /* its leaves disagree with ours */
            taco_bytes name = taco__bytes_text(child->field->name);
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u values in field %q, its parent has %u", TACO__U(children[i].length),
                       &name, list ? TACO__U(b->array.offsets[n]) : TACO__U(n));
            return false;
        }
    }
    return true;
}

/* ---- reading ------------------------------------------------------------------------------------ */

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
    if (c->root) {
        taco__array_buf_free(c->root);
    }
    memset(c, 0, sizeof *c);
}
/* Puts what was read where in front of a message. */
TACO__FN bool taco__column_reader_fail(const taco__chunk_reader *l, taco_error *err)
{
    char       text[80];
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
/* The dictionary of a flat column that was just opened and has no page without one; of length 0 where there is none. */
TACO__FN bool taco__column_reader_dictionary(taco__column_reader *c, taco_array *out,
                                             taco_error *err)
{
    taco__chunk_reader *l = c->leaves;
    uint64_t            first;
    memset(out, 0, sizeof *out);
    if (!c->flat || c->row || !l->chunk->dict_only || l->chunk->data_offset < 0 ||
        l->field->type == TACO_BOOL || l->field->type == TACO_NULL) {
        return true;
    }
    first = l->index ? l->index->page[0].offset : (uint64_t)l->chunk->data_offset;
    if (first <= l->at || first > l->end || l->page_no) {
        return true;
    }
    if (!taco__dictionary_load_first(l, first, err)) {
        return taco__column_reader_fail(l, err);
    }
    taco__chunk_reader_limit_ahead(l, c->rows, false);
    out->field = l->field;
    if (l->has_dict && l->page_no == 0) {
        taco__dictionary_array(l, out);
    }
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
TACO__FN bool taco__column_reader_skip(const taco__column_reader *c, taco__chunk_reader *l,
                                       uint64_t row, uint64_t end, taco_error *err)
{
    uint64_t at = c->row;
    if (at < row) {
        if (l->index && !taco__chunk_reader_seek(l, row, &at, err)) {
            return false;
        }
        taco__chunk_reader_limit_ahead(l, end, !l->index);
        if (!(c->flat ? taco__chunk_reader_skip_flat(l, row - at, err)
              : l->schema->max_rep == 0
                  ? taco__chunk_reader_read_optional(l, row - at, false, err)
                  : taco__chunk_reader_read_repeated(l, row - at, false, err))) {
            return false;
        }
    }
    if (end > row) {
        taco__chunk_reader_limit_ahead(l, end, false);
    }
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
    size_t      n = a->length;
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
/* Rows [at, at + n) of an array, at being a multiple of 8, without copying; b keeps the children of a STRUCT. */
TACO__FN taco_array taco__array_buf_slice(taco__array_buf *b, const taco_array *src, size_t at,
                                          size_t n)
{
    taco_array a = *src;
    uint32_t   i;
    a.length = n;
    a.null_count = src->field->type == TACO_NULL ? n : 0;
    if (src->validity) {
        a.validity = src->validity + at / 8;
        a.null_count = n - taco__bitmap_count(a.validity, 0, n);
        a.validity = a.null_count ? a.validity : NULL;
    }
    if (src->field->type == TACO_STRUCT) {
        taco_array *below = (taco_array *)b->array.children;
        for (i = 0; i < src->field->child_count; i++) {
            below[i] = taco__array_buf_slice(&b->children[i], &src->children[i], at, n);
        }
        a.children = below;
    } else if (src->offsets) {
        a.offsets = src->offsets + at;
    } else if (src->dictionary) {
        a.v.i32 = src->v.i32 + at;
    } else if (src->v.any) {
        a.v.u8 =
            src->v.u8 + (src->field->type == TACO_BOOL ? at / 8 : at * (size_t)src->field->width);
    }
    return a;
}
/* ---- selection ---------------------------------------------------------------------------------- */

TACO__FN bool taco__take_validity(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                                  size_t n, taco_error *err)
{
    size_t ones;
    b->array.validity = NULL;
    b->array.null_count = src->field->type == TACO_NULL ? n : 0;
    if (!src->validity) {
        return true;
    }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    ones = taco__take_bits(b->validity.data, 0, src->validity, 0, idx, n);
    b->array.null_count = n - ones;
    b->array.validity = ones == n ? NULL : b->validity.data;
    return true;
}
TACO__FN bool taco__take_text(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                              size_t n, taco_error *err)
{
    int32_t *offsets;
    size_t   bytes;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&b->offsets, bytes, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    offsets[0] = 0;
    b->bytes.len = 0;
    if (!taco__buf_reserve(&b->bytes, 0, err) ||
        (n && !taco__take_bytes(&b->bytes, offsets, src->v.u8,
                                src->length ? (size_t)src->offsets[src->length] : 0, src->offsets,
                                idx, n, err))) {
        return false;
    }
    b->array.offsets = offsets;
    b->array.v.any = b->bytes.data;
    return true;
}
TACO__FN bool taco__take_array(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                               size_t n, taco_error *err);

/* The elements of the chosen lists, one list after the other. */
TACO__FN bool taco__take_list(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                              size_t n, taco_error *err)
{
    int32_t *offsets, *elements;
    uint64_t total = 0;
    size_t   i, bytes;
    for (i = 0; i < n; i++) {
        total += (uint32_t)(src->offsets[idx[i] + 1] - src->offsets[idx[i]]);
    }
    if (total > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list elements in one batch, 32-bit offsets reach %u", total,
                   TACO__U(INT32_MAX));
        return false;
    }
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&b->offsets, bytes, err) ||
        !taco__buf_reset(&b->values, (size_t)total * sizeof *elements, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    elements = (int32_t *)(void *)b->values.data;
    total = 0;
    for (i = 0; i < n; i++) {
        int32_t k;
        offsets[i] = (int32_t)total;
        for (k = src->offsets[idx[i]]; k < src->offsets[idx[i] + 1]; k++) {
            elements[total++] = k;
        }
    }
    offsets[n] = (int32_t)total;
    b->array.offsets = offsets;
    if (!taco__take_array(&b->children[0], &src->children[0], elements, (size_t)total, err)) {
        return false;
    }
    ((taco_array *)b->array.children)[0] = b->children[0].array;
    return true;
}
/* dst[i] = what src's index idx[i] stands for; a row without a value has some index or 0, and the dictionary an entry. */
TACO__FN void taco__take_from_dictionary(uint8_t *dst, const taco_array *src, const int32_t *idx,
                                         size_t n)
{
    int32_t at[TACO__STACK_VALUES];
    size_t  i, m, width = (size_t)src->field->width;
    for (i = 0; i < n; i += m) {
        m = TACO__MIN(n - i, (size_t)TACO__STACK_VALUES);
        taco__take_fixed(at, src->v.any, sizeof *at, idx + i, m);
        taco__take_fixed(dst + i * width, src->dictionary->v.any, width, at, m);
    }
}
/* b->array = the rows idx[0..n) of src, in that order; idx is proven. Dictionaries of text are shared with src. */
TACO__FN bool taco__take_array(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                               size_t n, taco_error *err)
{
    const taco_field *f = src->field;
    bool              text = taco__array_is_var_length(f);
    size_t            width = src->dictionary && text ? sizeof(int32_t) : (size_t)f->width, bytes;
    uint32_t          i;
    b->array.field = f;
    b->array.length = n;
    b->array.offsets = NULL;
    b->array.v.any = NULL;
    b->array.dictionary = text ? src->dictionary : NULL;
    if (!taco__take_validity(b, src, idx, n, err)) {
        return false;
    }
    if (f->type == TACO_STRUCT) {
        for (i = 0; i < f->child_count; i++) {
            if (!taco__take_array(&b->children[i], &src->children[i], idx, n, err)) {
                return false;
            }
            ((taco_array *)b->array.children)[i] = b->children[i].array;
        }
        return true;
    }
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        return taco__take_list(b, src, idx, n, err);
    }
    if (f->type == TACO_NULL) {
        return true;
    }
    if (text && !src->dictionary) {
        return taco__take_text(b, src, idx, n, err);
    }
    if (f->type == TACO_BOOL) {
        if (!taco__buf_reset(&b->values, TACO__BITMAP_BYTES(n) + 8, err)) {
            return false;
        }
        taco__take_bits(b->values.data, 0, src->v.u8, 0, idx, n);
    } else {
        if (!taco__checked_mul_size(n, width, &bytes) || !taco__buf_reset(&b->values, bytes, err)) {
            return false;
        }
        if (src->dictionary && !text) {
            taco__take_from_dictionary(b->values.data, src, idx, n);
        } else {
            taco__take_fixed(b->values.data, src->v.any, width, idx, n);
        }
    }
    b->array.v.any = b->values.data;
    return true;
}
