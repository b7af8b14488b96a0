/* dictionary_builder.c - batches to column chunks, pages, indexes and the footer.. Spec:
   parquet-format, parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"

/* ---- dictionaries
   ------------------------------------------------------------------------------------ */

TACO__INLINE taco_bytes taco__dict_builder_value_at(const taco__leaf_writer *l, size_t i)
{
    const uint32_t *offsets = (const uint32_t *)(const void *)l->dict_offsets.data;
    return l->width ? taco__bytes_of(l->dict.data + i * l->width, l->width)
                    : taco__bytes_of(l->dict.data + offsets[i], offsets[i + 1] - offsets[i]);
}

TACO__INLINE uint64_t taco__dict_builder_hash(taco_bytes v)
{
    uint64_t x;
    if (v.len == 8 || v.len == 4) {
        x = v.len == 8 ? taco__load_le64(v.data) : taco__load_le32(v.data);
        x = (x ^ (x >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
        return x ^ (x >> 29);
    }
    if (v.len > 8 && v.len <= 16) {
        x = taco__load_le64(v.data) ^
            taco__load_le64(v.data + v.len - 8) * UINT64_C(0xC2B2AE3D27D4EB4F);
        x = (x ^ (x >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
        return x ^ (x >> 29);
    }
    return taco__xxh64_hash(0, v.data, v.len);
}

static bool taco__dict_builder_grow(taco__leaf_writer *l, taco_error *err)
{
    size_t n = l->slot_count ? l->slot_count * 2 : 1024, i, bytes;
    uint32_t *slots;
    if (!taco__checked_mul_size(n, sizeof *slots, &bytes) ||
        !taco__buf_reset(&l->slots, bytes, err)) {
        return false;
    }
    slots = (uint32_t *)(void *)l->slots.data;
    memset(slots, 0, bytes);
    l->slot_count = n;
    for (i = 0; i < l->dict_count; i++) {
        uint64_t h = taco__dict_builder_hash(taco__dict_builder_value_at(l, i));
        size_t at = (size_t)h & (n - 1);
        while (slots[at]) {
            at = (at + 1) & (n - 1);
        }
        slots[at] = (uint32_t)(i + 1);
    }
    return true;
}

static bool taco__dict_builder_add(taco__leaf_writer *l, taco_bytes v, taco_error *err)
{
    uint32_t end;
    if (l->width == 0) {
        if (l->dict_count == 0) {
            end = 0;
            l->dict_offsets.len = 0;
            if (!taco__buf_append(&l->dict_offsets, &end, sizeof end, err)) { return false; }
        }
        end = (uint32_t)(l->dict.len + v.len);
        if (!taco__buf_append(&l->dict_offsets, &end, sizeof end, err)) { return false; }
    }
    if (!taco__buf_append(&l->dict, v.data, v.len, err)) { return false; }
    l->dict_count++;
    return true;
}

/* Indices of values [at, at + n) in the dictionary, which grows. *fits is false when it would
   outgrow the limit: then it is as it was before, but no more values can be added. */
TACO__FN bool taco__dict_builder_add_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, bool *fits)
{
    size_t before = l->dict_count, bytes = l->dict.len, i, size;
    uint32_t *out;
    *fits = true;
    if (!taco__checked_mul_size(n, sizeof *out, &size) ||
        !taco__buf_reset(&l->indices, size, &w->err)) {
        return false;
    }
    out = (uint32_t *)(void *)l->indices.data;
    for (i = 0; i < n; i++) {
        taco_bytes v = taco__array_values_at(l, at + i);
        uint64_t h;
        uint32_t *slots;
        size_t k;
        if (i && taco__bytes_equal(taco__array_values_at(l, at + i - 1), v)) {
            out[i] = out[i - 1];
            continue;
        }
        h = taco__dict_builder_hash(v);
        if ((l->dict_count + 1) * 2 > l->slot_count && !taco__dict_builder_grow(l, &w->err)) {
            return false;
        }
        slots = (uint32_t *)(void *)l->slots.data;
        for (k = (size_t)h & (l->slot_count - 1); slots[k]; k = (k + 1) & (l->slot_count - 1)) {
            if (taco__bytes_equal(taco__dict_builder_value_at(l, slots[k] - 1), v)) { break; }
        }
        if (!slots[k]) {
            if (l->dict.len + v.len + (l->width ? 0 : 4 * (l->dict_count + 1)) >
                w->opt.dictionary_bytes) {
                *fits = false;
                l->dict_count = before;
                l->dict.len = bytes;
                l->dict_offsets.len = l->width || !before ? 0 : (before + 1) * sizeof(uint32_t);
                return true;
            }
            if (!taco__dict_builder_add(l, v, &w->err)) { return false; }
            slots[k] = (uint32_t)l->dict_count;
        }
        out[i] = slots[k] - 1;
    }
    return true;
}

TACO__FN bool taco__dict_builder_append_plain(const taco__leaf_writer *l, taco__buf *out,
                                              taco_error *err)
{
    return l->width ? taco__buf_append(out, l->dict.data, l->dict.len, err)
                    : taco__encode_byte_arrays(out, l->dict.data,
                                               (const uint32_t *)(const void *)l->dict_offsets.data,
                                               l->dict_count, err);
}
