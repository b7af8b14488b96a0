/* record_assembly.c - Arrow arrays from the levels and values of leaf columns.. Spec: Dremel
   levels, parquet-format "Nested Encoding" */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Bit k is set where entry i + k, of m <= 64, repeats at most at `rep` and is defined at least to
   `def`. */
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

static size_t taco__assembly_count_slots(const taco__assembly_slots *s)
{
    size_t i, m, n = 0;
    if (s->src->full && s->rep >= s->src->schema->max_rep) { return s->src->entries; }
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
static bool taco__assembly_validity(taco__array_buf *b, const taco__assembly_slots *s, int16_t def,
                                    size_t n, taco_error *err)
{
    size_t i, m, k = 0, valid = 0;
    b->array.validity = NULL;
    b->array.null_count = 0;
    if (s->src->full || def <= s->def) { return true; }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n), err)) { return false; }
    memset(b->validity.data, 0, TACO__BITMAP_BYTES(n));
    for (i = 0; i < s->src->entries; i += m) {
        uint64_t slots, present, x;
        size_t count, j = 0;
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

/* Offsets of a list: an element begins at every entry that repeats at most at the list's own level
   and is defined at least to its element. */
static bool taco__assembly_offsets(taco__array_buf *b, const taco__assembly_slots *s,
                                   const taco__pq_schema_node *node, size_t n, taco_error *err)
{
    int32_t *offsets;
    size_t i, m, k = 0, count = 0, bytes;
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

/* The leaf's packed values go to their rows in place; the array borrows them until the next
   batch. */
TACO__FN bool taco__assembly_values(taco__array_buf *b, taco__chunk_reader *l, size_t n,
                                    taco_error *err)
{
    const taco_field *f = l->field;
    taco__values *s = &l->store;
    taco_array *a = &b->array;
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
        if (!offsets || !taco__buf_reserve(&s->bytes, 0, err)) { return false; }
        if (valid == 0) { offsets[0] = 0; }
        if (a->validity) { taco__spacing_offsets(offsets, a->validity, 0, n, valid); }
        a->offsets = offsets;
        a->v.any = s->bytes.data;
        return true;
    }
    if (f->type == TACO_BOOL) {
        s->count = 0;
        if (!taco__values_reserve_bits(s, n, err)) { return false; }
        if (a->validity) { taco__spacing_bits(s->values.data, 0, a->validity, 0, n, valid); }
    } else {
        s->count = 0;
        if (!taco__values_reserve(s, width, n, err)) { return false; }
        if (a->validity) { taco__spacing_values(s->values.data, width, a->validity, 0, n, valid); }
    }
    s->count = valid;
    a->v.any = s->values.data;
    if (s->dict) {
        taco__dictionary_array(l, &l->dict_array);
        a->dictionary = &l->dict_array;
    }
    return true;
}

/* A field without leaves has no levels of its own, and a neighbour's say nothing about it: present
   everywhere, its lists empty. */
TACO__FN bool taco__assembly_no_leaves(taco__array_buf *b, const taco_field *f, size_t n,
                                       taco_error *err)
{
    size_t bytes, below = n;
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
    taco_array *children = (taco_array *)b->array.children;
    bool list = node->field->type == TACO_LIST || node->field->type == TACO_MAP;
    taco__assembly_slots below = s;
    uint32_t i;
    size_t n = taco__assembly_count_slots(&s);
    if (node->leaf_count == 0) { return taco__assembly_no_leaves(b, node->field, n, err); }
    b->array.length = n;
    if (!taco__assembly_validity(b, &s, node->def, n, err)) { return false; }
    if (node->field->child_count == 0 && node->field->type != TACO_STRUCT) {
        return taco__assembly_values(b, &c->leaves[node->leaf - c->node->leaf], n, err);
    }
    if (list) {
        if (!taco__assembly_offsets(b, &s, node, n, err)) { return false; }
        below.def = node->list_def;
        below.rep = node->list_rep;
    }
    for (i = 0; i < node->field->child_count; i++) {
        const taco__pq_schema_node *child = &node->children[i];
        below.src = child->leaf_count ? &c->leaves[child->leaf - c->node->leaf] : s.src;
        if (!taco__assembly_build(c, &b->children[i], child, below, err)) { return false; }
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
