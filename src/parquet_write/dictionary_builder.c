/* dictionary_builder.c - the dictionary of a column chunk: distinct values, and indices to them

   In: the values of a page; out: their positions in the dictionary, to which new ones are added, as
   long as it stays below opt.dictionary_bytes. At the end of the chunk the values are the body of
   the dictionary page, which is PLAIN (Encodings.md, PLAIN_DICTIONARY and RLE_DICTIONARY).

   The hash table is not base/hash_map.c: its keys are the values themselves, mostly of 4 or 8
   bytes, and a slot takes 4 bytes. Values may be chosen to have the same place: a dictionary in
   which one would be further from it than TACO__DICT_BUILDER_PROBES slots is given up, as one that
   is too large. With half of the slots empty, the longest run of used ones is about 5.2 ln n. Every
   value of a chunk passes through taco__dict_builder_add_values: start there. */
#include "parquet_write.h"
#include "../base/base.h"

#define TACO__DICT_BUILDER_SLOTS  2048 /* of the first table */
#define TACO__DICT_BUILDER_PROBES ((size_t)256)
/* Up to that many slots, which fit in a core's own cache, three quarters are empty, so that most
   values are found in the first slot and branches are predicted. Larger tables are half empty. */
#define TACO__DICT_BUILDER_SPARSE 32768

/* Numbers are mixed by a multiplication with 2^64 / golden ratio; only long text justifies a real
   hash. */
TACO__INLINE uint64_t taco__dict_builder_hash(taco_bytes v)
{
    uint64_t x;
    if (v.len == 8 || v.len == 4) {
        x = v.len == 8 ? taco__load_le64(v.data) : taco__load_le32(v.data);
    } else if (v.len > 8 && v.len <= 16) {
        x = taco__load_le64(v.data) ^
            taco__load_le64(v.data + v.len - 8) * UINT64_C(0xC2B2AE3D27D4EB4F);
    } else {
        return taco__xxh64_hash(0, v.data, v.len);
    }
    x = (x ^ (x >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    return x ^ (x >> 29);
}

/* Makes the first table, or one twice as large, and enters all values again; *fits false if one
   would be too far from its place. */
static bool taco__dict_builder_grow(taco__dict_builder *d, bool *fits, taco_error *err)
{
    size_t n = d->slot_count ? d->slot_count * 2 : TACO__DICT_BUILDER_SLOTS, i, bytes;
    uint32_t *slots;
    if (!taco__checked_mul_size(n, sizeof *slots, &bytes) ||
        !taco__buf_reset(&d->slots, bytes, err)) {
        return false;
    }
    slots = (uint32_t *)(void *)d->slots.data;
    memset(slots, 0, bytes);
    d->slot_count = n;
    for (i = 0; i < d->values.count; i++) {
        uint64_t h = taco__dict_builder_hash(taco__plain_values_at(&d->values, i));
        size_t at = (size_t)h & (n - 1), left = TACO__DICT_BUILDER_PROBES;
        while (slots[at] && --left) {
            at = (at + 1) & (n - 1);
        }
        *fits = left > 0;
        if (!*fits) { return true; }
        slots[at] = (uint32_t)(i + 1);
    }
    return true;
}

/* Value i; `width` is that of the values where the caller knows it, or 0. */
TACO__INLINE taco_bytes taco__dict_builder_value(const taco__plain_values *v, size_t width,
                                                 size_t i)
{
    return width ? taco__bytes_of(v->bytes.data + i * width, width) : taco__plain_values_at(v, i);
}

/* Names and codes have some ten bytes, for which a call of memcmp would take longer than everything
   else. */
TACO__INLINE bool taco__dict_builder_equal(taco_bytes a, taco_bytes b, size_t width)
{
    if (width == 8) { return taco__load_le64(a.data) == taco__load_le64(b.data); }
    if (width == 4) { return taco__load_le32(a.data) == taco__load_le32(b.data); }
    if (a.len == b.len && a.len >= 8 && a.len <= 16) {
        return taco__load_le64(a.data) == taco__load_le64(b.data) &&
               taco__load_le64(a.data + a.len - 8) == taco__load_le64(b.data + b.len - 8);
    }
    return taco__bytes_equal(a, b);
}

/* Whether the table has no slot for one more value. */
TACO__INLINE bool taco__dict_builder_is_full(const taco__dict_builder *d)
{
    return (d->values.count + 1) * (d->slot_count <= TACO__DICT_BUILDER_SPARSE ? 4 : 2) >
           d->slot_count;
}

/* The slot of a value: it refers to the value, or is empty. At least half of the table is empty. */
TACO__INLINE uint32_t *taco__dict_builder_find(const taco__dict_builder *d, taco_bytes v,
                                               size_t width)
{
    uint32_t *slots = (uint32_t *)(void *)d->slots.data;
    size_t mask = d->slot_count - 1, k = (size_t)taco__dict_builder_hash(v) & mask;
    while (slots[k] && !taco__dict_builder_equal(
                           taco__dict_builder_value(&d->values, width, slots[k] - 1), v, width)) {
        k = (k + 1) & mask;
    }
    return &slots[k];
}

/* Whether the dictionary page, uncompressed, takes at most that many bytes with one more value. */
static bool taco__dict_builder_has_room(const taco__dict_builder *d, taco_bytes v,
                                        size_t most_bytes)
{
    size_t lengths = d->values.width ? 0 : 4 * (d->values.count + 1);
    return d->values.bytes.len + v.len + lengths <= most_bytes;
}

/* Whether an empty slot is close enough to the first one of the search for a value. */
static bool taco__dict_builder_is_near(const taco__dict_builder *d, taco_bytes v,
                                       const uint32_t *slot)
{
    size_t at = (size_t)(slot - (const uint32_t *)(const void *)d->slots.data);
    return ((at - (size_t)taco__dict_builder_hash(v)) & (d->slot_count - 1)) <
           TACO__DICT_BUILDER_PROBES;
}

/* Adds a value that the dictionary does not have, whose slot is given, to a table that may have to
   grow for it. False if there is no memory; *fits false, with no value added, if the page would be
   too large or the slot is too far away. */
static bool taco__dict_builder_enter(taco__dict_builder *d, taco_bytes value, uint32_t *slot,
                                     size_t most_bytes, bool *fits, taco_error *err)
{
    *fits = taco__dict_builder_has_room(d, value, most_bytes);
    if (!*fits) { return true; }
    if (taco__dict_builder_is_full(d)) {
        if (!taco__dict_builder_grow(d, fits, err)) { return false; }
        if (!*fits) { return true; }
        slot = taco__dict_builder_find(d, value, 0);
    }
    *fits = taco__dict_builder_is_near(d, value, slot);
    if (!*fits) { return true; }
    if (!taco__plain_values_append(&d->values, value, err)) { return false; }
    *slot = (uint32_t)d->values.count;
    return true;
}

/* Writes the positions of values [at, at + n) to out; compiled for each common width. */
TACO__INLINE bool taco__dict_builder_add(taco__dict_builder *d, const taco__plain_values *v,
                                         size_t width, size_t at, size_t n, size_t most_bytes,
                                         bool *fits, taco_error *err)
{
    uint32_t *out = (uint32_t *)(void *)d->indices.data;
    size_t i;
    if (d->slot_count == 0 && !taco__dict_builder_grow(d, fits, err)) { return false; }
    for (i = 0; i < n; i++) {
        taco_bytes value = taco__dict_builder_value(v, width, at + i);
        uint32_t *slot;
        if (i && taco__dict_builder_equal(taco__dict_builder_value(v, width, at + i - 1), value,
                                          width)) {
            out[i] = out[i - 1]; /* in a run nothing is looked up */
            continue;
        }
        slot = taco__dict_builder_find(d, value, width);
        if (TACO__UNLIKELY(!*slot)) {
            if (!taco__dict_builder_enter(d, value, slot, most_bytes, fits, err)) { return false; }
            if (!*fits) { return true; }
            out[i] = (uint32_t)(d->values.count - 1);
            continue;
        }
        out[i] = *slot - 1;
    }
    return true;
}

TACO__FN bool taco__dict_builder_add_values(taco__dict_builder *d, const taco__plain_values *v,
                                            size_t at, size_t n, size_t most_bytes, bool *fits,
                                            taco_error *err)
{
    size_t before = d->values.count, size;
    bool ok;
    *fits = true;
    if (!taco__checked_mul_size(n, sizeof(uint32_t), &size) ||
        !taco__buf_reset(&d->indices, size, err)) {
        return false;
    }
    ok = v->width == 8   ? taco__dict_builder_add(d, v, 8, at, n, most_bytes, fits, err)
         : v->width == 4 ? taco__dict_builder_add(d, v, 4, at, n, most_bytes, fits, err)
                         : taco__dict_builder_add(d, v, 0, at, n, most_bytes, fits, err);
    if (ok && !*fits) { taco__plain_values_truncate(&d->values, before); }
    return ok;
}

TACO__FN void taco__dict_builder_clear(taco__dict_builder *d)
{
    taco__plain_values_truncate(&d->values, 0);
    d->slot_count = 0;
}

TACO__FN bool taco__dict_builder_append_plain(const taco__dict_builder *d, taco__buf *out,
                                              taco_error *err)
{
    const taco__plain_values *v = &d->values;
    return v->width ? taco__buf_append(out, v->bytes.data, v->bytes.len, err)
                    : taco__encode_byte_arrays(out, v->bytes.data, taco__plain_values_offsets(v),
                                               v->count, err);
}
