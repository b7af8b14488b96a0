/* record_assembly.c - arrays of nested columns, from levels and values of leaves

   In: a column whose leaves have read the same rows (column_reader.c); out: the arrays of all its
   nodes: validity, offsets of lists, values with gaps at nulls. Spec: parquet-format README "Nested
   Encoding" (the paper on Dremel describes it), Arrow "Columnar Format".

   An entry of a leaf begins a slot in some of the nodes above it. Repetition decides down to which
   list it goes on with one (rep), definition how far down its path is there (def); so the slots of
   a node, their validity and its lists' lengths are each found by comparing levels with constants,
   64 entries to a word. With lists [1,2] [] null [3] of an optional list, as in level_decode.c:

       entry          1  2  -  -  3
       repetition     0  1  0  0  0    a row where it is 0
       definition     3  3  1  0  3    the list is not null from 1 on, an element from 2 on
       rows           x     x  x  x    validity 1 1 0 1
       elements       x  x        x    offsets 0 2 2 2 3

   Any leaf below a node shows its slots; taco__assembly_build uses the first and compares the
   others with it, since a file's leaves may disagree. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Bit k is set if entry i + k (k < m <= 64) has a repetition level of at most `rep` and a
   definition level of at least `def`. */
TACO__INLINE uint64_t taco__assembly_slot_word(const taco__level_decoder *v, size_t i, size_t m,
                                               int16_t rep, int16_t def)
{
    uint64_t x = TACO__LOW_BITS(m);
    if (rep < v->max_rep) { x &= ~taco__level_decode_rep_mask(v, i, m, (int16_t)(rep + 1)); }
    return !v->all_defined && def > 0
               ? x & taco__spacing_level_word(taco__level_decode_defs(v) + i, m, def)
               : x;
}

/* Number of slots of a node; without nulls and with one level of lists, it is a count of bits in
   the repetition bitmap. */
static size_t taco__assembly_count_slots(const taco__assembly_slots *s)
{
    const taco__level_decoder *v = s->levels;
    size_t i, m, n = 0;
    if (v->all_defined && s->rep >= v->max_rep) { return v->entries; }
    if (v->all_defined && v->max_rep == 1) {
        return v->entries - taco__bitmap_count(v->rep_levels.data, 0, v->entries);
    }
    for (i = 0; i < v->entries; i += m) {
        m = TACO__MIN(v->entries - i, (size_t)64);
        n += taco__bitmap_popcount(taco__assembly_slot_word(v, i, m, s->rep, s->def));
    }
    return n;
}

/* Gathers the bits of `present` at the ones of `slots`: slots 1011, present 1001 -> 101. */
TACO__INLINE uint64_t taco__assembly_compact(uint64_t slots, uint64_t present)
{
    uint64_t x = 0;
    size_t i = 0;
    for (; slots; slots &= slots - 1, i++) {
        x |= (present >> taco__plat_ctz64(slots) & 1) << i;
    }
    return x;
}

/* Validity of a node with n slots: valid if the definition level is at least `def`, the node's
   own. */
static bool taco__assembly_validity(taco__array_buf *b, const taco__assembly_slots *s, int16_t def,
                                    size_t n, taco_error *err)
{
    const taco__level_decoder *v = s->levels;
    size_t i, m, at = 0, valid = 0;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (v->all_defined || def <= s->def) { return true; }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n), err)) { return false; }
    memset(b->validity.data, 0, TACO__BITMAP_BYTES(n));
    for (i = 0; i < v->entries; i += m) {
        uint64_t slots, present, x;
        size_t count;
        m = TACO__MIN(v->entries - i, (size_t)64);
        slots = taco__assembly_slot_word(v, i, m, s->rep, s->def);
        present = slots & taco__spacing_level_word(taco__level_decode_defs(v) + i, m, def);
        count = taco__bitmap_popcount(slots);
        valid += taco__bitmap_popcount(present);
        x = slots == TACO__LOW_BITS(m) ? present
            : present == slots         ? TACO__LOW_BITS(count)
                                       : taco__assembly_compact(slots, present);
        taco__bitmap_write(b->validity.data, at, x, count);
        at += count;
    }
    b->array.null_count = n - valid;
    b->array.validity = valid == n ? NULL : b->validity.data;
    return true;
}

/* Room for the n + 1 offsets of a list; NULL on failure. */
static int32_t *taco__assembly_reserve_offsets(taco__array_buf *b, size_t n, taco_error *err)
{
    size_t bytes;
    return taco__array_buf_size(n + 1, sizeof(int32_t), &bytes, err) &&
                   taco__buf_reset(&b->offsets, bytes, err)
               ? (int32_t *)(void *)b->offsets.data
               : NULL;
}

/* Offsets of n lists: an element begins at every entry whose repetition level is at most the list's
   own, and whose definition level reaches the element. */
static bool taco__assembly_offsets(taco__array_buf *b, const taco__assembly_slots *s,
                                   const taco__pq_schema_node *node, size_t n, taco_error *err)
{
    const taco__level_decoder *v = s->levels;
    int32_t *offsets = taco__assembly_reserve_offsets(b, n, err);
    size_t i = 0, m, k = 0, count = 0;
    if (!offsets) { return false; }
    if (v->entries > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list elements in one batch, 32-bit offsets reach %u", TACO__U(v->entries),
                   TACO__U(INT32_MAX));
        return false;
    }
    if (v->all_defined && v->max_rep == 1) { /* every entry is an element */
        i = count = v->entries;
        k = taco__bitmap_select_zeros(v->rep_levels.data, 0, i, offsets);
    }
    for (; i < v->entries; i += m) {
        uint64_t slots, elements;
        m = TACO__MIN(v->entries - i, (size_t)64);
        slots = taco__assembly_slot_word(v, i, m, s->rep, s->def);
        elements = taco__assembly_slot_word(v, i, m, node->list_rep, node->list_def);
        if (elements == TACO__LOW_BITS(m)) { /* every entry is an element: no need to count */
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

/* Text: adds offsets for the nulls; the bytes stay as read. */
static bool taco__assembly_text(taco_array *a, taco__values *s, size_t n, size_t valid,
                                taco_error *err)
{
    int32_t *offsets;
    s->count = 0;
    offsets = taco__values_reserve_offsets(s, n, err);
    s->count = valid;
    if (!offsets || !taco__buf_reserve(&s->bytes, 0, err)) { return false; }
    if (valid == 0) { offsets[0] = 0; }
    if (a->validity) { taco__spacing_offsets(offsets, a->validity, 0, n, valid); }
    a->offsets = offsets;
    a->v.any = s->bytes.data;
    return true;
}

/* Booleans, values of width bytes, and indices: makes room for the nulls and spaces the values
   out. */
static bool taco__assembly_fixed(taco_array *a, taco__values *s, size_t width, size_t n,
                                 size_t valid, taco_error *err)
{
    bool bits = a->field->type == TACO_BOOL;
    s->count = 0;
    if (!(bits ? taco__values_reserve_bits(s, n, err) : taco__values_reserve(s, width, n, err))) {
        return false;
    }
    s->count = valid;
    if (a->validity && bits) {
        taco__spacing_bits(s->fixed.data, 0, a->validity, 0, n, valid);
    } else if (a->validity) {
        taco__spacing_values(s->fixed.data, width, a->validity, 0, n, valid);
    }
    a->v.any = s->fixed.data;
    return true;
}

TACO__FN bool taco__assembly_values(taco__array_buf *b, taco__chunk_reader *r, size_t n,
                                    taco_error *err)
{
    const taco_field *f = r->field;
    taco__values *s = &r->batch.values;
    taco_array *a = &b->array;
    size_t valid = n - a->null_count;
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
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at, "%u values for %u rows that have one",
                   TACO__U(s->count), TACO__U(valid));
        return false;
    }
    if (!s->is_indices && taco__array_is_var_length(f)) {
        return taco__assembly_text(a, s, n, valid, err);
    }
    if (s->is_indices) {
        taco__dictionary_array(r, &r->dict.array);
        a->dictionary = &r->dict.array;
    }
    return taco__assembly_fixed(a, s, s->is_indices ? sizeof(int32_t) : (size_t)f->width, n, valid,
                                err);
}

TACO__FN bool taco__assembly_no_leaves(taco__array_buf *b, const taco_field *f, size_t n,
                                       taco_error *err)
{
    size_t below = n;
    uint32_t i;
    b->array.length = n;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        int32_t *offsets = taco__assembly_reserve_offsets(b, n, err);
        if (!offsets) { return false; }
        memset(offsets, 0, (n + 1) * sizeof *offsets);
        b->array.offsets = offsets;
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

/* The children of a node with n slots; `below` says which entries begin a slot of a child. */
static bool taco__assembly_children(taco__column_reader *c, taco__array_buf *b,
                                    const taco__pq_schema_node *node, taco__assembly_slots below,
                                    size_t n, taco_error *err)
{
    const taco__level_decoder *own = below.levels;
    taco_array *children = (taco_array *)b->array.children;
    uint32_t i;
    for (i = 0; i < node->field->child_count; i++) {
        const taco__pq_schema_node *child = &node->children[i];
        below.levels =
            child->leaf_count ? &c->leaf_readers[child->leaf - c->node->leaf].levels : own;
        if (!taco__assembly_build(c, &b->children[i], child, below, err)) { return false; }
        children[i] = b->children[i].array;
        /* leaves of the child disagree with the one that was counted */
        if (children[i].length != n) {
            taco_bytes name = taco__bytes_text(child->field->name);
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%u values in field %q, its parent has %u", TACO__U(children[i].length),
                       &name, TACO__U(n));
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__assembly_build(taco__column_reader *c, taco__array_buf *b,
                                   const taco__pq_schema_node *node, taco__assembly_slots s,
                                   taco_error *err)
{
    taco_type type = node->field->type;
    size_t n = taco__assembly_count_slots(&s);
    if (node->leaf_count == 0) { return taco__assembly_no_leaves(b, node->field, n, err); }
    b->array.length = n;
    if (!taco__assembly_validity(b, &s, node->def, n, err)) { return false; }
    if (node->field->child_count == 0 && type != TACO_STRUCT) {
        return taco__assembly_values(b, &c->leaf_readers[node->leaf - c->node->leaf], n, err);
    }
    if (type == TACO_LIST || type == TACO_MAP) {
        if (!taco__assembly_offsets(b, &s, node, n, err)) { return false; }
        s.def = node->list_def;
        s.rep = node->list_rep;
        n = (size_t)b->array.offsets[n];
    }
    return taco__assembly_children(c, b, node, s, n, err);
}
