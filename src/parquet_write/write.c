/* ==== ROOM write: batches to column chunks, pages, indexes and the footer. Uses: schema_w levels enc_w hash stats.
   Spec: parquet-format, parquet.thrift, PageIndex.md, BloomFilter.md ==== */

/* ---- values: from Arrow arrays to the form of PLAIN -------------------------------------------------- */

/* A decimal of `width` little-endian bytes as n of them, which have to hold it; big-endian where reverse is set. */
TACO__FN bool taco__array_values_copy_decimal(const uint8_t *src, size_t width, uint8_t *dst,
                                              size_t n, bool reverse)
{
    uint8_t fill = (uint8_t)(src[TACO__MIN(n, width) - 1] & 0x80 ? 0xFF : 0);
    size_t  i;
    for (i = n; i < width; i++) {
        if (src[i] != fill) {
            return false;
        }
    }
    for (i = 0; i < n; i++) {
        dst[reverse ? n - 1 - i : i] = i < width ? src[i] : fill;
    }
    return true;
}
TACO__FN bool taco__array_values_decimals(const taco__leaf_writer *l, const taco_array *a,
                                          const uint32_t *index, size_t n, uint8_t *dst,
                                          taco_error *err)
{
    size_t i, width = (size_t)a->field->width;
    for (i = 0; i < n; i++) {
        if (!taco__array_values_copy_decimal(a->v.u8 + index[i] * width, width, dst + i * l->width,
                                             l->width, l->type == TACO__PQ_FIXED)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "a decimal has more digits than its precision, %d",
                       TACO__D(l->field->precision));
            return false;
        }
    }
    return true;
}
/* Seconds become milliseconds, which Parquet has. */
TACO__FN bool taco__array_values_seconds(const taco__leaf_writer *l, const taco_array *a,
                                         const uint32_t *index, size_t n, uint8_t *dst,
                                         taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        int64_t x = l->width == 4 ? a->v.i32[index[i]] : a->v.i64[index[i]];
        int64_t most = (l->width == 4 ? (int64_t)INT32_MAX : INT64_MAX) / 1000;
        if (x > most || x < -most) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%d seconds do not fit as milliseconds", x);
            return false;
        }
        if (l->width == 4) {
            taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)(x * 1000));
        } else {
            taco__put_le64(dst + 8 * i, (uint64_t)(x * 1000));
        }
    }
    return true;
}
TACO__FN bool taco__array_values_fixed(const taco__leaf_writer *l, const taco_array *a,
                                       const uint32_t *index, size_t n, uint8_t *dst,
                                       taco_error *err)
{
    size_t i, width = l->width;
#define TACO__WRITE_EACH(expr)                                                                     \
    for (i = 0; i < n; i++) {                                                                      \
        expr;                                                                                      \
    }                                                                                              \
    return true
    switch (a->field->type) {
    case TACO_BOOL: TACO__WRITE_EACH(dst[i] = taco__bitmap_get(a->v.u8, index[i]));
    case TACO_INT8:
        TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i8[index[i]]));
    case TACO_UINT8: TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, a->v.u8[index[i]]));
    case TACO_INT16:
        TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i16[index[i]]));
    case TACO_UINT16: TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, a->v.u16[index[i]]));
    case TACO_HALF:
        TACO__WRITE_EACH(dst[2 * i] = (uint8_t)a->v.u16[index[i]];
                         dst[2 * i + 1] = (uint8_t)(a->v.u16[index[i]] >> 8));
    case TACO_DECIMAL: return taco__array_values_decimals(l, a, index, n, dst, err);
    case TACO_TIME:
    case TACO_TIMESTAMP:
        if (a->field->unit == TACO_SECOND) {
            return taco__array_values_seconds(l, a, index, n, dst, err);
        }
        break;
    default: break;
    }
    if (l->type == TACO__PQ_INT32 || l->type == TACO__PQ_FLOAT) {
        TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, a->v.u32[index[i]]));
    }
    if (l->type == TACO__PQ_INT64 || l->type == TACO__PQ_DOUBLE) {
        TACO__WRITE_EACH(taco__put_le64(dst + 8 * i, a->v.u64[index[i]]));
    }
    TACO__WRITE_EACH(memcpy(dst + i * width, a->v.u8 + index[i] * width, width));
#undef TACO__WRITE_EACH
}
TACO__FN bool taco__array_values_text(taco__leaf_writer *l, const taco_array *a,
                                      const uint32_t *index, size_t n, taco_error *err)
{
    uint32_t *offsets;
    size_t    i, bytes;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reserve(&l->offsets, bytes, err) || !taco__buf_reserve(&l->values, 0, err)) {
        return false;
    }
    offsets = (uint32_t *)(void *)l->offsets.data + l->count;
    offsets[0] = (uint32_t)l->values.len;
    for (i = 0; i < n; i++) {
        int32_t from = a->offsets[index[i]], to = a->offsets[index[i] + 1];
        size_t  len = (size_t)(to - from);
        if (from < 0 || to < from || len > INT32_MAX - l->values.len) {
            TACO__FAIL(err, to < from ? TACO_ERR_ARGUMENT : TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "text from byte %d to %d behind %u bytes of its page, which ends at 2^31",
                       TACO__D(from), TACO__D(to), TACO__U(l->values.len));
            return false;
        }
        if (len == 0 && l->rank == TACO__STATS_DECIMALS) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a decimal of no bytes");
            return false;
        }
        if (!taco__buf_append(&l->values, a->v.u8 + from, len, err)) {
            return false;
        }
        offsets[i + 1] = (uint32_t)l->values.len;
    }
    l->offsets.len = (l->count + n) * sizeof *offsets; /* the one behind is written again */
    return true;
}
/* Appends the values at n positions of the leaf array. */
TACO__FN bool taco__array_values_append(taco__leaf_writer *l, const taco_array *a, uint32_t *index,
                                        size_t n, taco_error *err)
{
    size_t i, bytes;
    if (a->dictionary) {
        for (i = 0; i < n; i++) {
            index[i] = (uint32_t)a->v.i32[index[i]];
            if (index[i] >= a->dictionary->length) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "dictionary index %u, the dictionary has %u entries", TACO__U(index[i]),
                           TACO__U(a->dictionary->length));
                return false;
            }
        }
        a = a->dictionary;
    }
    if (l->width == 0) {
        if (!taco__array_values_text(l, a, index, n, err)) {
            return false;
        }
    } else {
        if (!taco__checked_mul_size(n, l->width, &bytes) ||
            !taco__buf_reserve(&l->values, bytes, err) ||
            !taco__array_values_fixed(l, a, index, n, l->values.data + l->count * l->width, err)) {
            return false;
        }
        l->values.len = (l->count + n) * l->width;
    }
    l->count += n;
    return true;
}
/* Value i of the values at hand. */
TACO__INLINE taco_bytes taco__array_values_at(const taco__leaf_writer *l, size_t i)
{
    const uint32_t *offsets = (const uint32_t *)(const void *)l->offsets.data;
    return l->width ? taco__bytes_of(l->values.data + i * l->width, l->width)
                    : taco__bytes_of(l->values.data + offsets[i], offsets[i + 1] - offsets[i]);
}

/* ---- bounds ------------------------------------------------------------------------------------------ */

/* A number that orders as the values of the leaf do; false for NaN. */
TACO__INLINE bool taco__value_bounds_rank_of(const taco__leaf_writer *l, size_t i, int64_t *out)
{
    const uint8_t *p = l->values.data + i * l->width;
    if (l->rank == TACO__STATS_FLOATS) {
        return taco__stats_float_order(taco__bytes_of(p, l->width), out);
    }
    *out = l->width == 8   ? (int64_t)taco__load_le64(p)
           : l->width == 4 ? (int64_t)(int32_t)taco__load_le32(p)
                           : p[0];
    if (l->rank == TACO__STATS_UNSIGNED) {
        *out =
            l->width == 4 ? (int64_t)(uint32_t)*out : (int64_t)((uint64_t)*out ^ (uint64_t)1 << 63);
    }
    return true;
}
/* Positions of the least and the greatest of values [at, at + n), and how many are NaN; false when there is neither. */
TACO__FN bool taco__value_bounds_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                          size_t *min, size_t *max, int64_t *nans)
{
    size_t  i;
    bool    any = false;
    int64_t low = 0, high = 0, x;
    *nans = 0;
    if (l->rank == TACO__STATS_UNORDERED) {
        return false;
    }
    if (l->rank == TACO__STATS_BYTES || l->rank == TACO__STATS_DECIMALS) {
        *min = *max = at;
        for (i = at + 1; i < at + n; i++) {
            taco_bytes v = taco__array_values_at(l, i);
            if (taco__stats_compare(l->rank, v, taco__array_values_at(l, *max)) > 0) {
                *max = i; /* the first look, as ids often ascend */
            } else if (taco__stats_compare(l->rank, v, taco__array_values_at(l, *min)) < 0) {
                *min = i;
            }
        }
        return n > 0;
    }
    for (i = at; i < at + n; i++) {
        if (!taco__value_bounds_rank_of(l, i, &x)) {
            ++*nans;
        } else if (!any) {
            any = true;
            low = high = x;
            *min = *max = i;
        } else if (x < low) {
            low = x;
            *min = i;
        } else if (x > high) {
            high = x;
            *max = i;
        }
    }
    return any;
}
/* Cuts text in front of a character, so that what is left is text. */
TACO__FN size_t taco__value_bounds_cut_length(taco_bytes b, bool text)
{
    size_t n = TACO__PQ_WRITER_BOUND, k;
    for (k = n; text && k > n - 4; k--) {
        if ((b.data[k] & 0xC0) != 0x80) {
            return k;
        }
    }
    return n;
}
/* The least text above every one that begins with the n bytes at p: its last character that can be is raised by one.
   Returns the new length, 0 when there is none. Bytes that are no UTF-8 are raised as bytes. */
TACO__FN size_t taco__value_bounds_raise_prefix(uint8_t *p, size_t n, bool text)
{
    for (; n; n--) {
        if (!text) {
            if (p[n - 1] != 0xFF) {
                p[n - 1]++;
                return n;
            }
        } else if (p[n - 1] < 0x7F) {
            p[n - 1]++;
            return n;
        } else if (p[n - 1] >= 0x80 && p[n - 1] < 0xBF) { /* the last byte of a character */
            p[n - 1]++;
            return n;
        } /* another, and 0x7F: the character goes, the one before is raised */
        for (; text && n > 1 && (p[n - 1] & 0xC0) == 0x80; n--) {
        }
    }
    return 0;
}
TACO__FN bool taco__value_bounds_is_text(taco_bytes b)
{
    size_t   i = 0;
    unsigned n;
    for (; i < b.len; i += n) {
        n = taco__fmt_utf8_length(b, i);
        if (n == 0) {
            return false;
        }
    }
    return true;
}
/* Appends a value as a bound: text and binary cut to 64 bytes, -0 below and +0 above. False on failure; *len is SIZE_MAX
   when there is no bound of a decent size. */
TACO__FN bool taco__value_bounds_append(const taco__leaf_writer *l, taco_bytes v, bool max,
                                        taco__buf *out, size_t *len, bool *exact, taco_error *err)
{
    size_t at = out->len, n = v.len;
    bool   text =
        l->field->type == TACO_TEXT && n > TACO__PQ_WRITER_BOUND && taco__value_bounds_is_text(v);
    uint8_t *p;
    *exact = true;
    *len = n;
    if (n > TACO__PQ_WRITER_BOUND && l->type == TACO__PQ_BYTE_ARRAY &&
        l->rank == TACO__STATS_BYTES) {
        n = taco__value_bounds_cut_length(v, text);
        *exact = false;
    }
    if (n > TACO__PQ_WRITER_LONGEST_BOUND) {
        *len = SIZE_MAX;
        return true;
    }
    if (!taco__buf_append(out, v.data, n, err)) {
        return false;
    }
    p = out->data + at;
    if (!*exact && max) {
        n = taco__value_bounds_raise_prefix(p, n, text);
        if (n == 0) { /* no text is above: the value itself, when it is short enough */
            out->len = at;
            *exact = true;
            n = v.len;
            if (n > TACO__PQ_WRITER_LONGEST_BOUND) {
                *len = SIZE_MAX;
                return true;
            }
            if (!taco__buf_append(out, v.data, n, err)) {
                return false;
            }
        }
    }
    if (l->rank ==
        TACO__STATS_FLOATS) { /* parquet.thrift, ColumnOrder: zeros of either sign are meant */
        int64_t x = 1;
        if (taco__stats_float_order(taco__bytes_of(p, n), &x) && x == 0) {
            p[n - 1] = (uint8_t)(max ? 0 : 0x80);
        }
    }
    out->len = at + n;
    *len = n;
    return true;
}
/* Bounds of a page's values, into its record and the chunk's. */
TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err)
{
    size_t min = 0, max = 0;
    bool   exact;
    p->bounded = false;
    if (!l->stats) {
        return true;
    }
    if (taco__value_bounds_extremes(l, at, n, &min, &max, &p->nans)) {
        taco_bytes low = taco__array_values_at(l, min), high = taco__array_values_at(l, max);
        p->min_at = l->bounds.len;
        if (!taco__value_bounds_append(l, low, false, &l->bounds, &p->min_len, &exact, err)) {
            return false;
        }
        p->max_at = l->bounds.len;
        if (!taco__value_bounds_append(l, high, true, &l->bounds, &p->max_len, &exact, err)) {
            return false;
        }
        p->bounded = p->min_len != SIZE_MAX && p->max_len != SIZE_MAX;
        if (!l->bounded ||
            taco__stats_compare(l->rank, low, taco__bytes_of(l->min.data, l->min.len)) < 0) {
            l->min.len = 0;
            if (!taco__buf_append(&l->min, low.data, low.len, err)) {
                return false;
            }
        }
        if (!l->bounded ||
            taco__stats_compare(l->rank, high, taco__bytes_of(l->max.data, l->max.len)) > 0) {
            l->max.len = 0;
            if (!taco__buf_append(&l->max, high.data, high.len, err)) {
                return false;
            }
        }
        l->bounded = true;
    }
    l->nans += p->nans;
    l->unbounded = l->unbounded || (n && !p->bounded);
    return true;
}
/* Statistics as field `id` of the structure at hand. */
TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id)
{
    size_t min_len = 0, max_len = 0, min_at;
    bool   min_exact = true, max_exact = true, exact_count;
    /* A dictionary of every value counts them; not where different bits are equal or differ in nothing. */
    exact_count = l->mode == TACO__DICTIONARY_USED && l->direct_pages == 0 &&
                  l->rank != TACO__STATS_FLOATS && l->rank != TACO__STATS_UNORDERED &&
                  !(l->rank == TACO__STATS_DECIMALS && l->width == 0);
    w->trial.len = 0;
    if (l->bounded) {
        if (!taco__value_bounds_append(l, taco__bytes_of(l->min.data, l->min.len), false, &w->trial,
                                       &min_len, &min_exact, &w->err)) {
            return false;
        }
        min_at = w->trial.len;
        if (!taco__value_bounds_append(l, taco__bytes_of(l->max.data, l->max.len), true, &w->trial,
                                       &max_len, &max_exact, &w->err)) {
            return false;
        }
    } else {
        min_len = max_len = SIZE_MAX;
        min_at = 0;
    }
    taco__thrift_write_begin(t, id);
    taco__thrift_write_i64(t, 3, l->nulls);
    if (exact_count) {
        taco__thrift_write_i64(t, 4, (int64_t)l->dict_count);
    }
    if (max_len != SIZE_MAX) {
        taco__thrift_write_binary(t, 5, taco__bytes_of(w->trial.data + min_at, max_len));
    }
    if (min_len != SIZE_MAX) {
        taco__thrift_write_binary(t, 6, taco__bytes_of(w->trial.data, min_len));
    }
    if (max_len != SIZE_MAX) {
        taco__thrift_write_bool(t, 7, max_exact);
    }
    if (min_len != SIZE_MAX) {
        taco__thrift_write_bool(t, 8, min_exact);
    }
    if (l->rank == TACO__STATS_FLOATS) {
        taco__thrift_write_i64(t, 9, l->nans);
    }
    return taco__thrift_write_end(t);
}

/* ---- dictionaries ------------------------------------------------------------------------------------ */

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
TACO__FN bool taco__dict_builder_grow(taco__leaf_writer *l, taco_error *err)
{
    size_t    n = l->slot_count ? l->slot_count * 2 : 1024, i, bytes;
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
        size_t   at = (size_t)h & (n - 1);
        while (slots[at]) {
            at = (at + 1) & (n - 1);
        }
        slots[at] = (uint32_t)(i + 1);
    }
    return true;
}
TACO__FN bool taco__dict_builder_add(taco__leaf_writer *l, taco_bytes v, taco_error *err)
{
    uint32_t end;
    if (l->width == 0) {
        if (l->dict_count == 0) {
            end = 0;
            l->dict_offsets.len = 0;
            if (!taco__buf_append(&l->dict_offsets, &end, sizeof end, err)) {
                return false;
            }
        }
        end = (uint32_t)(l->dict.len + v.len);
        if (!taco__buf_append(&l->dict_offsets, &end, sizeof end, err)) {
            return false;
        }
    }
    if (!taco__buf_append(&l->dict, v.data, v.len, err)) {
        return false;
    }
    l->dict_count++;
    return true;
}
/* Indices of values [at, at + n) in the dictionary, which grows. *fits is false when it would outgrow the limit: then it
   is as it was before, but no more values can be added. */
TACO__FN bool taco__dict_builder_add_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, bool *fits)
{
    size_t    before = l->dict_count, bytes = l->dict.len, i, size;
    uint32_t *out;
    *fits = true;
    if (!taco__checked_mul_size(n, sizeof *out, &size) ||
        !taco__buf_reset(&l->indices, size, &w->err)) {
        return false;
    }
    out = (uint32_t *)(void *)l->indices.data;
    for (i = 0; i < n; i++) {
        taco_bytes v = taco__array_values_at(l, at + i);
        uint64_t   h;
        uint32_t  *slots;
        size_t     k;
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
            if (taco__bytes_equal(taco__dict_builder_value_at(l, slots[k] - 1), v)) {
                break;
            }
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
            if (!taco__dict_builder_add(l, v, &w->err)) {
                return false;
            }
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

/* ---- pages ------------------------------------------------------------------------------------------- */

/* Appends values [at, at + n) in one of the encodings without dictionary. */
TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out)
{
    const uint8_t  *v = l->values.data + at * l->width;
    const uint32_t *offsets =
        l->width || !n ? NULL : (const uint32_t *)(const void *)l->offsets.data + at;
    size_t bytes;
    if (n == 0) {
        v = NULL;
    }
    if (!taco__checked_mul_size(n, 4, &bytes) || !taco__buf_reset(&w->lengths, bytes, &w->err)) {
        return false;
    }
    switch (encoding) {
    case TACO__PQ_ENC_RLE: return taco__encode_bools_rle(out, v, n, &w->err);
    case TACO__PQ_ENC_DELTA_BINARY_PACKED: return taco__encode_delta(out, v, l->width, n, &w->err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        return taco__encode_delta_length(out, l->values.data, offsets, n, w->lengths.data, &w->err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        return taco__encode_delta_strings(out, l->width ? v : l->values.data, offsets, l->width, n,
                                          w->lengths.data, &w->err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        return taco__encode_byte_stream_split(out, v, l->width, n, &w->err);
    default:
        return l->type == TACO__PQ_BOOLEAN ? taco__encode_bools(out, v, n, &w->err)
               : l->width                  ? taco__buf_append(out, v, n * l->width, &w->err)
                          : taco__encode_byte_arrays(out, l->values.data, offsets, n, &w->err);
    }
}
/* What bytes take in the file, into *size. */
TACO__FN bool taco__encoding_choice_measure(taco_pq_writer *w, const taco__leaf_writer *l,
                                            const taco__buf *b, size_t *size)
{
    *size = b->len;
    if (l->codec == TACO__PQ_CODEC_NONE) {
        return true;
    }
    w->packed.len = 0;
    if (!taco__compress_append(w, l, taco__bytes_of(b->data, b->len), &w->packed)) {
        return false;
    }
    *size = w->packed.len;
    return true;
}
/* The encodings that are tried for a leaf, -1 behind the last. */
TACO__FN const int8_t *taco__encoding_choice_candidates(const taco__leaf_writer *l)
{
    static const int8_t boolean[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_RLE, -1};
    static const int8_t whole[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_BINARY_PACKED, -1};
    static const int8_t real[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_BYTE_STREAM_SPLIT, -1};
    static const int8_t bytes[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY,
                                   TACO__PQ_ENC_DELTA_BYTE_ARRAY, -1};
    static const int8_t plain[] = {TACO__PQ_ENC_PLAIN, -1};
    if (l->coded) {
        return plain;
    }
    switch (l->type) {
    case TACO__PQ_BOOLEAN: return boolean;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: return whole;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: return real;
    case TACO__PQ_BYTE_ARRAY: return bytes;
    default: return plain;
    }
}
/* What values [at, at + n) take in an encoding, into *size. */
TACO__FN bool taco__encoding_choice_try_encoding(taco_pq_writer *w, taco__leaf_writer *l,
                                                 int32_t encoding, size_t at, size_t n,
                                                 size_t *size)
{
    w->trial.len = 0;
    return taco__encoding_choice_encode(w, l, encoding, at, n, &w->trial) &&
           taco__encoding_choice_measure(w, l, &w->trial, size);
}
/* Sets l->direct to the encoding that makes the values smallest, or the first thousands of them. */
TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n)
{
    const int8_t *c = taco__encoding_choice_candidates(l);
    size_t        size, best = SIZE_MAX;
    if (l->wish != TACO_ENCODING_AUTO && l->wish != TACO_ENCODING_DICTIONARY) {
        l->direct = taco__write_options_encoding(l, l->wish);
        return true;
    }
    for (; *c >= 0; c++) {
        if (!taco__encoding_choice_try_encoding(
                w, l, *c, at, TACO__MIN(n, (size_t)TACO__PQ_WRITER_TRIAL), &size)) {
            return false;
        }
        if (size < best) {
            best = size;
            l->direct = *c;
        }
    }
    return true;
}
/* How the chunk is encoded, by the values of its first page that has some. */
TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n)
{
    size_t best, size, more;
    bool   fits = false;
    l->mode = TACO__DICTIONARY_UNUSED;
    if (!taco__encoding_choice_choose_direct(w, l, at, n)) {
        return false;
    }
    if (l->type == TACO__PQ_BOOLEAN ||
        (l->wish != TACO_ENCODING_AUTO && l->wish != TACO_ENCODING_DICTIONARY)) {
        return true;
    }
    l->dict_count = l->slot_count = l->dict.len = 0;
    if (!taco__dict_builder_add_values(w, l, at, n, &fits)) {
        return false;
    }
    /* where no value comes twice the dictionary is what PLAIN is, and the indices come on top */
    if (l->wish == TACO_ENCODING_AUTO && l->dict_count == n) {
        fits = false;
    } else if (fits && l->wish == TACO_ENCODING_AUTO) {
        if (!taco__encoding_choice_try_encoding(w, l, l->direct, at, n, &best)) {
            return false;
        }
        w->trial.len = 0;
        if (!taco__dict_builder_append_plain(l, &w->trial, &w->err) ||
            !taco__encoding_choice_measure(w, l, &w->trial, &size)) {
            return false;
        }
        w->trial.len = 0;
        if (!taco__encode_indices(&w->trial, (const uint32_t *)(const void *)l->indices.data, n,
                                  l->dict_count, &w->err) ||
            !taco__encoding_choice_measure(w, l, &w->trial, &more)) {
            return false;
        }
        fits = size + more < best;
    }
    if (fits) {
        l->mode = TACO__DICTIONARY_USED;
    } else {
        l->dict_count = l->dict.len = 0;
    }
    return true;
}
/* Values of a page into out, and the encoding they have there. */
TACO__FN bool taco__page_writer_append_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                              size_t n, taco__buf *out, int32_t *encoding)
{
    bool fits = true;
    if (l->mode == TACO__DICTIONARY_UNDECIDED && n) {
        if (!taco__encoding_choice_choose(w, l, at, n)) {
            return false;
        }
    } else if (l->mode == TACO__DICTIONARY_USED) {
        if (!taco__dict_builder_add_values(w, l, at, n, &fits)) {
            return false;
        }
        if (!fits) {
            l->mode = TACO__DICTIONARY_UNUSED;
            if (!taco__encoding_choice_choose_direct(w, l, at, n)) {
                return false;
            }
        }
    }
    if (l->mode == TACO__DICTIONARY_USED) {
        *encoding = TACO__PQ_ENC_RLE_DICTIONARY;
        l->dict_pages++;
        return taco__encode_indices(out, (const uint32_t *)(const void *)l->indices.data, n,
                                    l->dict_count, &w->err);
    }
    *encoding = l->mode == TACO__DICTIONARY_UNUSED ? l->direct : TACO__PQ_ENC_PLAIN;
    l->direct_pages += n > 0;
    return taco__encoding_choice_encode(w, l, *encoding, at, n, out);
}
/* Levels of the page's entries: with their length in front on version 1 (Encodings.md, RLE). */
TACO__FN bool taco__page_writer_append_levels(taco_pq_writer *w, const int16_t *levels, size_t n,
                                              int16_t max, taco__buf *out)
{
    static const uint8_t none[4] = {0, 0, 0, 0};
    size_t               at = out->len;
    if (max == 0) {
        return true;
    }
    if ((!w->opt.pages_v2 && !taco__buf_append(out, none, 4, &w->err)) ||
        !taco__encode_levels(out, levels, n, max, &w->err)) {
        return false;
    }
    if (!w->opt.pages_v2) {
        taco__put_le32(out->data + at, (uint32_t)(out->len - at - 4));
    }
    return true;
}
typedef struct taco__page_body { /* a page before its header is made */
    int32_t type, encoding;
    size_t  entries, nulls, rows;
    size_t  rep_len, def_len, plain; /* plain: of the whole body, uncompressed */
    bool    compressed;
} taco__page_body;

/* Appends header and body (w->packed) to out. */
TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out)
{
    taco__thrift_writer t;
    if (b->plain > INT32_MAX || w->packed.len > INT32_MAX || b->entries > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a page of %u bytes, 2147483647 are the most", TACO__U(b->plain));
        return false;
    }
    taco__thrift_write_init(&t, out, &w->err);
    taco__thrift_write_i32(&t, 1, b->type);
    taco__thrift_write_i32(&t, 2, (int32_t)b->plain);
    taco__thrift_write_i32(&t, 3, (int32_t)w->packed.len);
    if (!w->opt.no_crc) {
        taco__thrift_write_i32(&t, 4, (int32_t)taco__crc32(0, w->packed.data, w->packed.len));
    }
    taco__thrift_write_begin(&t, b->type == TACO__PQ_PAGE_DICTIONARY ? 7
                                 : b->type == TACO__PQ_PAGE_DATA     ? 5
                                                                     : 8);
    taco__thrift_write_i32(&t, 1, (int32_t)b->entries);
    if (b->type == TACO__PQ_PAGE_DATA_V2) {
        taco__thrift_write_i32(&t, 2, (int32_t)b->nulls);
        taco__thrift_write_i32(&t, 3, (int32_t)b->rows);
        taco__thrift_write_i32(&t, 4, b->encoding);
        taco__thrift_write_i32(&t, 5, (int32_t)b->def_len);
        taco__thrift_write_i32(&t, 6, (int32_t)b->rep_len);
        taco__thrift_write_bool(&t, 7, b->compressed);
    } else {
        taco__thrift_write_i32(&t, 2, b->encoding);
        if (b->type == TACO__PQ_PAGE_DATA) {
            taco__thrift_write_i32(&t, 3, TACO__PQ_ENC_RLE);
            taco__thrift_write_i32(&t, 4, TACO__PQ_ENC_RLE);
        }
    }
    taco__thrift_write_end(&t);
    return taco__thrift_write_end(&t) &&
           taco__buf_append(out, w->packed.data, w->packed.len, &w->err);
}
/* Compresses w->body to w->packed: all of it, or on version 2 what stands behind the levels, if that helps. */
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b)
{
    size_t     levels = b->type == TACO__PQ_PAGE_DATA_V2 ? b->rep_len + b->def_len : 0;
    taco_bytes values = taco__bytes_of(w->body.data + levels, w->body.len - levels);
    b->plain = w->body.len;
    w->packed.len = 0;
    if (!taco__buf_append(&w->packed, w->body.data, levels, &w->err) ||
        !taco__compress_append(w, l, values, &w->packed)) {
        return false;
    }
    b->compressed = l->codec != TACO__PQ_CODEC_NONE;
    if (b->type == TACO__PQ_PAGE_DATA_V2 && b->compressed &&
        (w->packed.len >= w->body.len || values.len == 0)) {
        b->compressed = false;
        w->packed.len = levels;
        return taco__buf_append(&w->packed, values.data, values.len, &w->err);
    }
    return true;
}
TACO__FN bool taco__page_writer_add_hashes(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n)
{
    size_t i;
    for (i = at; l->bloom && i < at + n; i++) {
        taco_bytes v = taco__array_values_at(l, i);
        uint64_t   h = taco__xxh64_hash(0, v.data, v.len);
        if (!taco__buf_append(&l->hashes, &h, sizeof h, &w->err)) {
            return false;
        }
    }
    return true;
}
/* Histograms are written where they say more than the counts of entries and nulls do. */
TACO__INLINE bool taco__page_writer_has_histograms(const taco__leaf_writer *l)
{
    return l->stats && (l->max_rep > 0 || l->max_def > 1);
}
/* Counts the levels of a page, and bytes of its values. */
TACO__FN bool taco__page_writer_count_sizes(taco_pq_writer *w, taco__leaf_writer *l,
                                            taco__page_record *p, size_t first_entry,
                                            size_t first_value, const int16_t *rep,
                                            const int16_t *def)
{
    size_t   n = (size_t)(l->max_rep + l->max_def) + 2, entries = l->entry - first_entry, i;
    int64_t *counts;
    if (l->width == 0 && l->value > first_value) {
        const uint32_t *offsets = (const uint32_t *)(const void *)l->offsets.data;
        p->unencoded = (int64_t)(offsets[l->value] - offsets[first_value]);
        l->unencoded += p->unencoded;
    }
    if (!taco__page_writer_has_histograms(l)) {
        return true;
    }
    if (!taco__buf_reserve(&l->levels, n * sizeof *counts, &w->err)) {
        return false;
    }
    counts = (int64_t *)(void *)(l->levels.data + l->levels.len);
    l->levels.len += n * sizeof *counts;
    memset(counts, 0, n * sizeof *counts);
    for (i = 0; i < entries; i++) {
        counts[rep[i]]++;
        counts[l->max_rep + 1 + def[i]]++;
    }
    return true;
}
/* Makes a page of everything before l->entry and l->value. */
TACO__FN bool taco__page_writer_end_page(taco_pq_writer *w, taco__leaf_writer *l,
                                         size_t first_entry, size_t first_value)
{
    taco__page_body   b;
    taco__page_record p;
    size_t            before = l->pages.len, n = l->value - first_value;
    const int16_t    *rep = taco__levels_values(&l->rep) + first_entry;
    const int16_t    *def = taco__levels_values(&l->def) + first_entry;
    memset(&b, 0, sizeof b);
    memset(&p, 0, sizeof p);
    b.type = w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2 : TACO__PQ_PAGE_DATA;
    b.entries = l->entry - first_entry;
    b.nulls = b.entries - n;
    b.rows = l->page_rows;
    p.nulls = (int64_t)b.nulls;
    p.all_null = n == 0;
    p.first_row = l->rows;
    p.offset = before;
    w->body.len = 0;
    if (!taco__value_bounds_add_page(l, first_value, n, &p, &w->err) ||
        !taco__page_writer_add_hashes(w, l, first_value, n) ||
        !taco__page_writer_count_sizes(w, l, &p, first_entry, first_value, rep, def) ||
        !taco__page_writer_append_levels(w, rep, b.entries, l->max_rep, &w->body)) {
        return false;
    }
    b.rep_len = w->body.len;
    if (!taco__page_writer_append_levels(w, def, b.entries, l->max_def, &w->body)) {
        return false;
    }
    b.def_len = w->body.len - b.rep_len;
    if (!taco__page_writer_append_values(w, l, first_value, n, &w->body, &b.encoding) ||
        !taco__page_writer_compress(w, l, &b) || !taco__page_writer_append_page(w, &b, &l->pages)) {
        return false;
    }
    p.size = (uint32_t)(l->pages.len - before);
    l->plain_bytes += p.size - w->packed.len + b.plain;
    l->used[b.encoding]++;
    l->rows += l->page_rows;
    l->num_values += b.entries;
    l->nulls += p.nulls;
    l->page_rows = l->page_bytes = 0;
    l->page_count++;
    return taco__buf_append(&l->records, &p, sizeof p, &w->err);
}
/* Content-defined ends: a hash of the last 64 bytes asks for them where it likes (as gear hashing does). */
TACO__FN void taco__page_writer_roll_hash(const taco_pq_writer *w, taco__leaf_writer *l,
                                          taco_bytes v)
{
    size_t i;
    for (i = 0; i < v.len; i++) {
        l->hash = (l->hash << 1) + w->gear[v.data[i]];
        l->cut = l->cut || (l->hash & w->cut_mask) == 0;
    }
}
/* Takes the next row of what is at hand into the page in the making. True when the page ends behind it. */
TACO__FN bool taco__page_writer_take_row(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *rep = taco__levels_values(&l->rep), *def = taco__levels_values(&l->def);
    size_t         size;
    l->cut = false;
    do {
        uint8_t level = (uint8_t)(l->max_def ? def[l->entry] : 0);
        if (!l->max_def || def[l->entry] == l->max_def) {
            taco_bytes v = taco__array_values_at(l, l->value);
            size = v.len + (l->width ? 0 : 4);
            if (w->opt.content_defined) {
                taco__page_writer_roll_hash(w, l, v);
            }
            l->value++;
        } else {
            size = l->max_rep ? 1 : 0;
        }
        if (w->opt.content_defined && l->max_def) {
            taco__page_writer_roll_hash(w, l, taco__bytes_of(&level, 1));
        }
        l->page_bytes = size > SIZE_MAX / 2 - l->page_bytes ? SIZE_MAX / 2 : l->page_bytes + size;
        l->entry++;
    } while (l->max_rep && l->entry < l->entries && rep[l->entry] > 0);
    l->page_rows++;
    if (w->opt.content_defined) {
        return l->page_bytes >= w->opt.chunk_max || (l->cut && l->page_bytes >= w->opt.chunk_min) ||
               l->page_rows >= INT32_MAX / 2;
    }
    return l->page_rows >= w->opt.page_rows || l->page_bytes >= w->opt.page_bytes;
}
/* The same for all rows of a leaf without repetition, up to the end of a page. */
TACO__FN bool taco__page_writer_take_flat_rows(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t  *def = l->max_def ? taco__levels_values(&l->def) : NULL;
    const uint32_t *offsets = (const uint32_t *)(const void *)l->offsets.data;
    const size_t    most = TACO__MIN(w->opt.page_bytes, SIZE_MAX / 2), from = l->entry;
    size_t          entry = from, value = l->value, bytes = l->page_bytes;
    const size_t    last = entry + TACO__MIN(l->entries - entry, w->opt.page_rows - l->page_rows);
    while (entry < last && bytes < most) {
        if (!def || def[entry] == l->max_def) {
            bytes += l->width ? l->width : 4 + (size_t)(offsets[value + 1] - offsets[value]);
            value++;
        }
        entry++;
    }
    l->page_rows += entry - from;
    l->page_bytes = bytes;
    l->entry = entry;
    l->value = value;
    return l->page_rows >= w->opt.page_rows || bytes >= most;
}
/* Ends pages where they are full; what is left moves to the front. */
TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last)
{
    size_t    first_entry = 0, first_value = 0, i, left;
    bool      flat = !l->max_rep && !w->opt.content_defined;
    uint32_t *offsets;
    while (l->entry < l->entries || (last && l->entry > first_entry)) {
        bool full = l->entry >= l->entries ? last
                    : flat                 ? taco__page_writer_take_flat_rows(w, l)
                                           : taco__page_writer_take_row(w, l);
        if (full || (last && l->entry == l->entries)) {
            if (!taco__page_writer_end_page(w, l, first_entry, first_value)) {
                return false;
            }
            first_entry = l->entry;
            first_value = l->value;
        }
    }
    left = l->entries - first_entry;
    if (first_entry) {
        memmove(l->def.data, l->def.data + first_entry * 2, left * 2);
        memmove(l->rep.data, l->rep.data + first_entry * 2, left * 2);
    }
    l->def.len = l->rep.len = left * 2;
    l->entries = l->entry = left;
    if (first_value) {
        size_t from = first_value * l->width;
        left = l->count - first_value;
        if (l->width == 0) {
            offsets = (uint32_t *)(void *)l->offsets.data;
            from = offsets[first_value];
            for (i = 0; i <= left; i++) {
                offsets[i] = offsets[first_value + i] - (uint32_t)from;
            }
            l->offsets.len = left * sizeof *offsets;
        }
        memmove(l->values.data, l->values.data + from, l->values.len - from);
        l->values.len -= from;
        l->count = l->value = left;
    }
    return true;
}
/* Entries of what w->levels holds, from entry i on, that are taken in one go: whole rows, until their text is as much as
   a page. */
TACO__FN size_t taco__page_writer_portion(const taco_pq_writer *w, const taco__leaf_writer *l,
                                          size_t i, size_t value, size_t *values)
{
    const taco__levels *v = &w->levels;
    const int16_t      *rep = taco__levels_values(&v->rep), *def = taco__levels_values(&v->def);
    const uint32_t     *index = taco__levels_indices(&v->index);
    const taco_array   *a = v->leaf;
    size_t              first = i, k = value, bytes = 0;
    if (l->width && first == 0) {
        *values = v->values;
        return v->entries;
    }
    while (i < v->entries && (bytes < w->opt.page_bytes || rep[i] > 0)) {
        if (def[i] == l->max_def) {
            if (!a->dictionary && l->width == 0) {
                int32_t len = a->offsets[index[k] + 1] - a->offsets[index[k]];
                bytes += len > 0 ? (size_t)len : 0;
            } else if (l->width == 0) { /* the index is checked when the value is taken */
                uint32_t at = (uint32_t)a->v.i32[index[k]];
                if (at < a->dictionary->length) {
                    int32_t len = a->dictionary->offsets[at + 1] - a->dictionary->offsets[at];
                    bytes += len > 0 ? (size_t)len : 0;
                }
            }
            k++;
        }
        i++;
    }
    *values = k - value;
    return i - first;
}
/* Rows [first, first + n) of the batch's column go to the leaf. */
TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n)
{
    taco__levels *v = &w->levels;
    size_t        i = 0, k = 0, m, values = 0;
    if (!taco__levels_make(v, a, l->path, first, n, &w->err)) {
        return false;
    }
    for (; i < v->entries; i += m, k += values) {
        m = taco__page_writer_portion(w, l, i, k, &values);
        if (!taco__buf_append(&l->def, v->def.data + i * 2, m * 2, &w->err) ||
            !taco__buf_append(&l->rep, v->rep.data + i * 2, m * 2, &w->err) ||
            !taco__array_values_append(l, v->leaf, taco__levels_indices(&v->index) + k, values,
                                       &w->err)) {
            return false;
        }
        l->entries += m;
        if (!taco__page_writer_end_full_pages(w, l, false)) {
            return false;
        }
    }
    return true;
}

/* ---- chunks ------------------------------------------------------------------------------------------ */

/* Split-block bloom filter of the chunk's hashes (BloomFilter.md): blocks of eight words, a bit in each per value; about
   10.5 bits a distinct value give 1 % of false positives. */
TACO__FN int taco__chunk_writer_compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
TACO__FN void taco__chunk_writer_bloom_set(uint8_t *filter, size_t blocks, uint64_t hash)
{
    static const uint32_t salt[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                     0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    uint8_t              *block = filter + 32 * (size_t)(((hash >> 32) * blocks) >> 32);
    unsigned              i;
    for (i = 0; i < 8; i++) {
        uint32_t bit = (uint32_t)((uint32_t)hash * salt[i]) >> 27;
        taco__put_le32(block + 4 * i, taco__load_le32(block + 4 * i) | (uint32_t)1 << bit);
    }
}
/* Writes the filter to the sink; *len is what it takes there. */
TACO__FN bool taco__chunk_writer_write_bloom(taco_pq_writer *w, taco__leaf_writer *l, size_t *len)
{
    size_t              n = l->hashes.len / sizeof(uint64_t), i, distinct = 0, bytes = 32;
    uint64_t           *h = (uint64_t *)(void *)l->hashes.data;
    taco__thrift_writer t;
    if (n) {
        qsort(h, n, sizeof *h, taco__chunk_writer_compare_hashes);
    }
    for (i = 0; i < n; i++) {
        distinct += i == 0 || h[i] != h[i - 1];
    }
    while (bytes < TACO__PQ_WRITER_BLOOM && (uint64_t)bytes * 16 < (uint64_t)distinct * 21) {
        bytes *= 2;
    }
    w->body.len = 0;
    taco__thrift_write_init(&t, &w->body, &w->err);
    taco__thrift_write_i32(&t, 1, (int32_t)bytes);
    for (i = 2; i <= 4; i++) { /* BLOCK, XXHASH, UNCOMPRESSED: unions of one member */
        taco__thrift_write_begin(&t, (int16_t)i);
        taco__thrift_write_empty(&t, 1);
        taco__thrift_write_end(&t);
    }
    if (!taco__thrift_write_end(&t) || !taco__buf_reserve(&w->body, bytes, &w->err)) {
        return false;
    }
    memset(w->body.data + w->body.len, 0, bytes);
    for (i = 0; i < n; i++) {
        taco__chunk_writer_bloom_set(w->body.data + w->body.len, bytes / 32, h[i]);
    }
    *len = w->body.len + bytes;
    return taco__pq_writer_write(w, w->body.data, *len);
}
TACO__INLINE const taco__page_record *taco__page_index_write_page_at(const taco__leaf_writer *l,
                                                                     size_t                   i)
{
    return (const taco__page_record *)(const void *)l->records.data + i;
}
TACO__INLINE taco_bytes taco__page_index_write_bound_at(const taco__leaf_writer *l, size_t i,
                                                        bool max)
{
    const taco__page_record *p = taco__page_index_write_page_at(l, i);
    return p->all_null ? taco__bytes_of(l->bounds.data, 0)
           : max       ? taco__bytes_of(l->bounds.data + p->max_at, p->max_len)
                       : taco__bytes_of(l->bounds.data + p->min_at, p->min_len);
}
/* BoundaryOrder of the pages' bounds: 1 ascending, 2 descending, 0 neither. */
TACO__FN int32_t taco__page_index_write_order(const taco__leaf_writer *l)
{
    bool   up = true, down = true;
    size_t i, last = SIZE_MAX;
    for (i = 0; i < l->page_count; i++) {
        if (taco__page_index_write_page_at(l, i)->all_null) {
            continue;
        }
        if (last != SIZE_MAX) {
            int low = taco__stats_compare(l->rank, taco__page_index_write_bound_at(l, last, false),
                                          taco__page_index_write_bound_at(l, i, false));
            int high = taco__stats_compare(l->rank, taco__page_index_write_bound_at(l, last, true),
                                           taco__page_index_write_bound_at(l, i, true));
            up = up && low <= 0 && high <= 0;
            down = down && low >= 0 && high >= 0;
        }
        last = i;
    }
    return up ? 1 : down ? 2 : 0;
}
/* Lists of level counts as fields `id` and `id` + 1: of every page one behind the other, or with `sum` of all together. */
TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum)
{
    size_t         part[2], n, i, k, from = 0, page;
    const int64_t *counts = (const int64_t *)(const void *)l->levels.data;
    part[0] = (size_t)l->max_rep + 1;
    part[1] = (size_t)l->max_def + 1;
    n = part[0] + part[1];
    for (i = 0; i < 2 && taco__page_writer_has_histograms(l); i++) {
        if (part[i] > 2 || (i == 0 && part[i] > 1)) {
            taco__thrift_write_list(t, (int16_t)(id + (int16_t)i), TACO__THRIFT_I64,
                                    sum ? part[i] : part[i] * l->page_count);
            for (page = 0; !sum && page < l->page_count; page++) {
                for (k = 0; k < part[i]; k++) {
                    taco__thrift_write_number(t, counts[page * n + from + k]);
                }
            }
            for (k = 0; sum && k < part[i]; k++) {
                int64_t all = 0;
                for (page = 0; page < l->page_count; page++) {
                    all += counts[page * n + from + k];
                }
                taco__thrift_write_number(t, all);
            }
        }
        from += part[i];
    }
}
/* ColumnIndex, appended to w->indexes; nothing when some page has values without bounds, for which it has no place. */
TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, taco__leaf_writer *l)
{
    taco__thrift_writer t;
    size_t              i, max;
    if (l->unbounded || !l->index) {
        return true;
    }
    taco__thrift_write_init(&t, &w->indexes, &w->err);
    taco__thrift_write_list(&t, 1, TACO__THRIFT_TRUE, l->page_count);
    for (i = 0; i < l->page_count; i++) {
        taco__thrift_write_u8(&t, taco__page_index_write_page_at(l, i)->all_null
                                      ? TACO__THRIFT_TRUE
                                      : TACO__THRIFT_FALSE);
    }
    for (max = 0; max < 2; max++) {
        taco__thrift_write_list(&t, (int16_t)(2 + max), TACO__THRIFT_BINARY, l->page_count);
        for (i = 0; i < l->page_count; i++) {
            taco__thrift_write_bytes(&t, taco__page_index_write_bound_at(l, i, max != 0));
        }
    }
    taco__thrift_write_i32(&t, 4, taco__page_index_write_order(l));
    taco__thrift_write_list(&t, 5, TACO__THRIFT_I64, l->page_count);
    for (i = 0; i < l->page_count; i++) {
        taco__thrift_write_number(&t, taco__page_index_write_page_at(l, i)->nulls);
    }
    taco__page_index_write_histograms(l, &t, 6, false);
    if (l->rank == TACO__STATS_FLOATS) {
        taco__thrift_write_list(&t, 8, TACO__THRIFT_I64, l->page_count);
        for (i = 0; i < l->page_count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page_at(l, i)->nans);
        }
    }
    return taco__thrift_write_end(&t);
}
/* OffsetIndex, appended to w->indexes. data is where the chunk's first data page stands. */
TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, taco__leaf_writer *l,
                                                  uint64_t data)
{
    taco__thrift_writer t;
    size_t              i;
    taco__thrift_write_init(&t, &w->indexes, &w->err);
    taco__thrift_write_list(&t, 1, TACO__THRIFT_STRUCT, l->page_count);
    for (i = 0; i < l->page_count; i++) {
        const taco__page_record *p = taco__page_index_write_page_at(l, i);
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_i64(&t, 1, (int64_t)(data + p->offset));
        taco__thrift_write_i32(&t, 2, (int32_t)p->size);
        taco__thrift_write_i64(&t, 3, (int64_t)p->first_row);
        taco__thrift_write_end(&t);
    }
    if (l->type == TACO__PQ_BYTE_ARRAY && l->stats) {
        taco__thrift_write_list(&t, 2, TACO__THRIFT_I64, l->page_count);
        for (i = 0; i < l->page_count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page_at(l, i)->unencoded);
        }
    }
    return taco__thrift_write_end(&t);
}
/* Encodings of the chunk: levels, dictionary, data pages. */
TACO__FN void taco__chunk_writer_encodings(taco__leaf_writer *l, taco__thrift_writer *t,
                                           bool has_dict)
{
    uint32_t set = 0, n;
    int32_t  i;
    for (i = 0; i < 10; i++) {
        set |= l->used[i] ? (uint32_t)1 << i : 0;
    }
    set |= has_dict ? (uint32_t)1 << TACO__PQ_ENC_PLAIN : 0;
    set |= l->max_def || l->max_rep ? (uint32_t)1 << TACO__PQ_ENC_RLE : 0;
    n = (uint32_t)taco__bitmap_popcount(set);
    taco__thrift_write_list(t, 2, TACO__THRIFT_I32, n);
    for (i = 0; i < 10; i++) {
        if (set >> i & 1) {
            taco__thrift_write_number(t, i);
        }
    }
}
TACO__FN void taco__chunk_writer_encoding_stats(const taco_pq_writer *w, taco__leaf_writer *l,
                                                taco__thrift_writer *t, bool has_dict)
{
    int32_t i, n = has_dict;
    for (i = 0; i < 10; i++) {
        n += l->used[i] != 0;
    }
    taco__thrift_write_list(t, 13, TACO__THRIFT_STRUCT, (size_t)n);
    for (i = -1; i < 10; i++) {
        if (i < 0 ? has_dict : l->used[i] != 0) {
            taco__thrift_write_begin_item(t);
            taco__thrift_write_i32(t, 1,
                                   i < 0             ? TACO__PQ_PAGE_DICTIONARY
                                   : w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2
                                                     : TACO__PQ_PAGE_DATA);
            taco__thrift_write_i32(t, 2, i < 0 ? TACO__PQ_ENC_PLAIN : i);
            taco__thrift_write_i32(t, 3, i < 0 ? 1 : (int32_t)l->used[i]);
            taco__thrift_write_end(t);
        }
    }
}
typedef struct taco__chunk_place { /* where the parts of a chunk stand */
    uint64_t start, data, end, bloom;
    size_t   bloom_len;
    bool     has_dict;
} taco__chunk_place;

TACO__FN bool taco__chunk_writer_metadata(taco_pq_writer *w, taco__leaf_writer *l,
                                          const taco__chunk_place *at)
{
    taco__thrift_writer t;
    size_t              i;
    taco__thrift_write_init(&t, &w->metas, &w->err);
    taco__thrift_write_i32(&t, 1, l->type);
    taco__chunk_writer_encodings(l, &t, at->has_dict);
    taco__thrift_write_list(&t, 3, TACO__THRIFT_BINARY, l->name_count);
    for (i = 0; i < l->name_count; i++) {
        taco__thrift_write_bytes(&t, l->names[i]);
    }
    taco__thrift_write_i32(&t, 4, l->codec);
    taco__thrift_write_i64(&t, 5, (int64_t)l->num_values);
    taco__thrift_write_i64(&t, 6, (int64_t)l->plain_bytes);
    taco__thrift_write_i64(&t, 7, (int64_t)(at->end - at->start));
    taco__thrift_write_i64(&t, 9, (int64_t)at->data);
    if (at->has_dict) {
        taco__thrift_write_i64(&t, 11, (int64_t)at->start);
    }
    if (l->stats && !taco__value_bounds_write(w, l, &t, 12)) {
        return false;
    }
    taco__chunk_writer_encoding_stats(w, l, &t, at->has_dict);
    if (at->bloom_len) {
        taco__thrift_write_i64(&t, 14, (int64_t)at->bloom);
        taco__thrift_write_i32(&t, 15, (int32_t)at->bloom_len);
    }
    if (l->stats && (l->type == TACO__PQ_BYTE_ARRAY ||
                     taco__page_writer_has_histograms(l))) { /* SizeStatistics */
        taco__thrift_write_begin(&t, 16);
        if (l->type == TACO__PQ_BYTE_ARRAY) {
            taco__thrift_write_i64(&t, 1, l->unencoded);
        }
        taco__page_index_write_histograms(l, &t, 2, true);
        taco__thrift_write_end(&t);
    }
    return taco__thrift_write_end(&t);
}
TACO__FN bool taco__chunk_writer_dict_page(taco_pq_writer *w, taco__leaf_writer *l)
{
    taco__page_body b;
    size_t          before;
    memset(&b, 0, sizeof b);
    b.type = TACO__PQ_PAGE_DICTIONARY;
    b.encoding = TACO__PQ_ENC_PLAIN;
    b.entries = l->dict_count;
    w->body.len = 0;
    if (!taco__dict_builder_append_plain(l, &w->body, &w->err) ||
        !taco__page_writer_compress(w, l, &b)) {
        return false;
    }
    before = w->body.len;
    w->trial.len = 0;
    if (!taco__page_writer_append_page(w, &b, &w->trial)) {
        return false;
    }
    l->plain_bytes += w->trial.len - w->packed.len + before;
    return taco__pq_writer_write(w, w->trial.data, w->trial.len);
}
/* Ready for the next row group. The content hash goes on. */
TACO__FN void taco__chunk_writer_clear(taco__leaf_writer *l)
{
    l->pages.len = l->records.len = l->bounds.len = l->hashes.len = l->dict.len = 0;
    l->levels.len = 0;
    l->unencoded = 0;
    l->page_count = l->dict_count = l->slot_count = 0;
    l->mode = TACO__DICTIONARY_UNDECIDED;
    l->bounded = l->unbounded = false;
    l->rows = l->num_values = l->plain_bytes = 0;
    l->nulls = l->nans = 0;
    memset(l->used, 0, sizeof l->used);
    l->dict_pages = l->direct_pages = 0;
}
TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g)
{
    taco__chunk_record c;
    taco__chunk_place  at;
    memset(&c, 0, sizeof c);
    memset(&at, 0, sizeof at);
    at.start = w->offset;
    at.has_dict = l->dict_pages > 0;
    if (at.has_dict && !taco__chunk_writer_dict_page(w, l)) {
        return false;
    }
    at.data = w->offset;
    if (!taco__pq_writer_write(w, l->pages.data, l->pages.len)) {
        return false;
    }
    at.end = at.bloom = w->offset;
    if (l->bloom && !taco__chunk_writer_write_bloom(w, l, &at.bloom_len)) {
        return false;
    }
    c.meta_at = w->metas.len;
    if (!taco__chunk_writer_metadata(w, l, &at)) {
        return false;
    }
    c.meta_len = w->metas.len - c.meta_at;
    c.column_at = w->indexes.len;
    if (!taco__page_index_write_column_index(w, l)) {
        return false;
    }
    c.column_len = w->indexes.len - c.column_at;
    c.offset_at = w->indexes.len;
    if (!w->opt.no_page_index && !taco__page_index_write_offset_index(w, l, at.data)) {
        return false;
    }
    c.offset_len = w->indexes.len - c.offset_at;
    g->uncompressed += l->plain_bytes;
    g->compressed += at.end - at.start;
    taco__chunk_writer_clear(l);
    return taco__buf_append(&w->chunks, &c, sizeof c, &w->err);
}
TACO__FN bool taco__chunk_writer_metadata_position(taco_pq_writer *w, const taco__leaf_writer *l)
{
    taco_bytes name = taco__bytes_text(w->fields[l->column].name);
    taco__error_prefix(&w->err, "column %q", &name);
    return false;
}
/* Ends the row group that is in the making, if there is one. */
TACO__FN bool taco__pq_writer_end_group(taco_pq_writer *w)
{
    taco__group_record g;
    size_t             i;
    memset(&g, 0, sizeof g);
    if (w->group_rows == 0) {
        return true;
    }
    g.rows = w->group_rows;
    g.offset = w->offset;
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        if (!taco__page_writer_end_full_pages(w, l, true) ||
            !taco__chunk_writer_end_chunk(w, l, &g)) {
            return taco__chunk_writer_metadata_position(w, l);
        }
    }
    w->rows += w->group_rows;
    w->group_rows = 0;
    return taco__buf_append(&w->groups, &g, sizeof g, &w->err);
}

/* ---- batches ------------------------------------------------------------------------------------------ */

/* True when arrays of the one field can be written as the other. */
TACO__FN bool taco__pq_writer_same_type(const taco_field *f, const taco_array *a)
{
    uint32_t i;
    if (!a->field || a->field->type != f->type || a->field->unit != f->unit ||
        a->field->width != f->width || a->field->precision != f->precision ||
        a->field->scale != f->scale || a->field->child_count != f->child_count ||
        a->field->nullable != f->nullable ||
        (a->dictionary && (a->dictionary->field->type != f->type || f->child_count))) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__pq_writer_same_type(&f->children[i], &a->children[i]) ||
            (f->type == TACO_STRUCT && a->children[i].length < a->length)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__pq_writer_check_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t i;
    if (b->column_count != w->given || b->length > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a batch of %u columns and %u rows; %u columns and at most 2147483647 rows are "
                   "expected",
                   TACO__U(b->column_count), TACO__U(b->length), TACO__U(w->given));
        return false;
    }
    for (i = 0; i < b->column_count; i++) {
        if (!taco__pq_writer_same_type(&w->fields[i], &b->columns[i]) ||
            b->columns[i].length < b->length) {
            taco_bytes name = taco__bytes_text(w->fields[i].name);
            TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q of the batch has another type or length than was declared",
                       &name);
            return false;
        }
    }
    return true;
}
/* Looks at the geometries of rows [first, first + n), and makes their covering where it is ours to make. */
TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n)
{
    const taco_array *d = a->dictionary ? a->dictionary : a;
    size_t            i, k;
    for (k = 0; g->made && k < 4; k++) {
        if (!taco__buf_reset(&g->box[k], n * sizeof(double), &w->err)) {
            return false;
        }
        g->side[k].v.any = g->box[k].data;
        g->side[k].length = n;
    }
    if (g->made) {
        if (!taco__buf_reset(&g->validity, TACO__BITMAP_BYTES(n), &w->err)) {
            return false;
        }
        memset(g->validity.data, 0, TACO__BITMAP_BYTES(n));
        g->array.validity = g->validity.data;
        g->array.length = n;
    }
    for (i = 0; i < n; i++) {
        double         box[4] = {0, 0, 0, 0};
        size_t         at = first + i;
        bool           valid = !a->validity || taco__bitmap_get(a->validity, at);
        const int32_t *o;
        at = valid && a->dictionary ? (uint32_t)a->v.i32[at] : at;
        valid = valid && at < d->length;
        o = d->offsets + (valid ? at : 0);
        valid = valid && o[0] >= 0 &&
                o[1] >= o[0] && /* what is not is refused when the value is taken */
                taco__wkb_summary_add(&g->sum,
                                      taco__bytes_of(d->v.u8 + o[0], (size_t)(o[1] - o[0])), box);
        if (g->made && valid) {
            taco__bitmap_set(g->validity.data, i);
        }
        for (k = 0; g->made && k < 4; k++) {
            memcpy(g->box[k].data + i * sizeof(double), &box[k], sizeof(double));
        }
    }
    return true;
}
/* The array that a column beyond the caller's is made of. */
TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column)
{
    size_t i;
    for (i = 0; w->geo[i].made != column; i++) {
    }
    return &w->geo[i].array;
}
TACO__FN bool taco__pq_writer_add_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t at = 0, i;
    while (at < b->length) {
        uint64_t room = w->opt.row_group_rows - w->group_rows;
        size_t   n = TACO__MIN(b->length - at, (size_t)TACO__PQ_WRITER_ROWS);
        n = n > room ? (size_t)room : n;
        for (i = 0; i < w->geo_count; i++) {
            if (!taco__geo_column_add_rows(w, &w->geo[i], &b->columns[w->geo[i].column], at, n)) {
                return false;
            }
        }
        for (i = 0; i < w->leaf_count; i++) {
            taco__leaf_writer *l = &w->leaves[i];
            if (l->column < w->given
                    ? !taco__page_writer_add_rows(w, l, &b->columns[l->column], at, n)
                    : !taco__page_writer_add_rows(w, l, taco__geo_column_made_array(w, l->column),
                                                  0, n)) {
                return taco__chunk_writer_metadata_position(w, l);
            }
        }
        at += n;
        w->group_rows += n;
        if (w->group_rows == w->opt.row_group_rows && !taco__pq_writer_end_group(w)) {
            return false;
        }
    }
    return true;
}

/* ---- footer ------------------------------------------------------------------------------------------ */

/* Writes all column indexes, then all offset indexes, and notes where they are. */
TACO__FN bool taco__page_index_write_all(taco_pq_writer *w)
{
    taco__chunk_record *c = (taco__chunk_record *)(void *)w->chunks.data;
    size_t              n = w->chunks.len / sizeof *c, i;
    for (i = 0; i < n; i++) {
        c[i].column_offset = w->offset;
        if (c[i].column_len &&
            !taco__pq_writer_write(w, w->indexes.data + c[i].column_at, c[i].column_len)) {
            return false;
        }
    }
    for (i = 0; i < n; i++) {
        c[i].offset_offset = w->offset;
        if (c[i].offset_len &&
            !taco__pq_writer_write(w, w->indexes.data + c[i].offset_at, c[i].offset_len)) {
            return false;
        }
    }
    return true;
}
TACO__FN void taco__pq_writer_column_chunk(taco_pq_writer *w, taco__thrift_writer *t,
                                           const taco__chunk_record *c)
{
    taco__thrift_write_begin_item(t);
    taco__thrift_write_i64(t, 2, 0); /* file_offset: of a copy of the metadata, which is not made */
    taco__thrift_write_field(t, 3, TACO__THRIFT_STRUCT);
    taco__thrift_write_raw(t, w->metas.data + c->meta_at, c->meta_len);
    if (c->offset_len) {
        taco__thrift_write_i64(t, 4, (int64_t)c->offset_offset);
        taco__thrift_write_i32(t, 5, (int32_t)c->offset_len);
    }
    if (c->column_len) {
        taco__thrift_write_i64(t, 6, (int64_t)c->column_offset);
        taco__thrift_write_i32(t, 7, (int32_t)c->column_len);
    }
    taco__thrift_write_end(t);
}
TACO__FN void taco__pq_writer_row_groups(taco_pq_writer *w, taco__thrift_writer *t)
{
    const taco__group_record *g = (const taco__group_record *)(const void *)w->groups.data;
    const taco__chunk_record *c = (const taco__chunk_record *)(const void *)w->chunks.data;
    size_t                    n = w->groups.len / sizeof *g, i, k;
    taco__thrift_write_list(t, 4, TACO__THRIFT_STRUCT, n);
    for (i = 0; i < n; i++) {
        taco__thrift_write_begin_item(t);
        taco__thrift_write_list(t, 1, TACO__THRIFT_STRUCT, w->leaf_count);
        for (k = 0; k < w->leaf_count; k++) {
            taco__pq_writer_column_chunk(w, t, c++);
        }
        taco__thrift_write_i64(t, 2, (int64_t)g[i].uncompressed);
        taco__thrift_write_i64(t, 3, (int64_t)g[i].rows);
        taco__thrift_write_i64(t, 5, (int64_t)g[i].offset);
        taco__thrift_write_i64(t, 6, (int64_t)g[i].compressed);
        if (i <= INT16_MAX) {
            taco__thrift_write_field(t, 7, TACO__THRIFT_I16);
            taco__thrift_write_number(t, (int64_t)i);
        }
        taco__thrift_write_end(t);
    }
}
TACO__FN bool taco__pq_writer_footer(taco_pq_writer *w)
{
    taco__thrift_writer t;
    uint8_t             tail[8];
    size_t              i;
    w->body.len = 0;
    taco__thrift_write_init(&t, &w->body, &w->err);
    taco__thrift_write_i32(&t, 1, 2); /* version 2: logical types and page indexes */
    taco__thrift_write_list(&t, 2, TACO__THRIFT_STRUCT, w->schema_count);
    taco__thrift_write_raw(&t, w->schema.data, w->schema.len);
    taco__thrift_write_i64(&t, 3, (int64_t)w->rows);
    taco__pq_writer_row_groups(w, &t);
    if (w->key_count) {
        taco__thrift_write_list(&t, 5, TACO__THRIFT_STRUCT, w->key_count);
        taco__thrift_write_raw(&t, w->keys.data, w->keys.len);
    }
    taco__thrift_write_binary(&t, 6, taco__bytes_text(TACO__PQ_WRITER_NAME));
    taco__thrift_write_list(&t, 7, TACO__THRIFT_STRUCT, w->leaf_count);
    for (i = 0; i < w->leaf_count; i++) {
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_empty(&t, TACO__PQ_ORDER_TYPE);
        taco__thrift_write_end(&t);
    }
    if (!taco__thrift_write_end(&t)) {
        return false;
    }
    if (w->body.len > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, w->offset,
                   "a footer of %u bytes, 2147483647 are the most", TACO__U(w->body.len));
        return false;
    }
    taco__put_le32(tail, (uint32_t)w->body.len);
    memcpy(tail + 4, "PAR1", 4);
    return taco__pq_writer_write(w, w->body.data, w->body.len) && taco__pq_writer_write(w, tail, 8);
}

/* ---- life ---------------------------------------------------------------------------------------------- */

TACO__FN void taco__pq_writer_free(taco_pq_writer *w)
{
    taco__mem mem;
    size_t    i;
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        taco__buf         *all[] = {&l->values,  &l->offsets, &l->def,  &l->rep,          &l->pages,
                                    &l->records, &l->bounds,  &l->dict, &l->dict_offsets, &l->slots,
                                    &l->indices, &l->hashes,  &l->min,  &l->max,          &l->levels};
        size_t             k;
        for (k = 0; k < TACO__COUNT(all); k++) {
            taco__buf_free(all[k]);
        }
    }
    if (w->zstd) {
        taco__zstd_encode_close(w->zstd);
    }
    taco__mem_free(&w->mem, w->snappy, sizeof *w->snappy);
    taco__mem_free(&w->mem, w->lz4, sizeof *w->lz4);
    taco__deflate_close(w->gzip);
    for (i = 0; i < w->geo_count; i++) {
        size_t k;
        for (k = 0; w->geo[i].made && k < 4; k++) {
            taco__buf_free(&w->geo[i].box[k]);
        }
        if (w->geo[i].made) {
            taco__buf_free(&w->geo[i].validity);
        }
    }
    taco__levels_free(&w->levels);
    taco__buf_free(&w->body);
    taco__buf_free(&w->packed);
    taco__buf_free(&w->best);
    taco__buf_free(&w->trial);
    taco__buf_free(&w->lengths);
    taco__buf_free(&w->schema);
    taco__buf_free(&w->keys);
    taco__buf_free(&w->metas);
    taco__buf_free(&w->indexes);
    taco__buf_free(&w->chunks);
    taco__buf_free(&w->groups);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}
TACO__FN void taco__pq_writer_init(taco_pq_writer *w)
{
    w->arena.mem = &w->mem;
    taco__levels_init(&w->levels, &w->mem);
    w->body.mem = w->packed.mem = w->best.mem = w->trial.mem = w->lengths.mem = &w->mem;
    w->schema.mem = w->keys.mem = w->metas.mem = w->indexes.mem = &w->mem;
    w->chunks.mem = w->groups.mem = &w->mem;
}

/* NULL is accepted. */
TACO__FN taco_status taco__pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    taco_status code;
    char        path[65]; /* as much as a message shows; the sink's own copy goes with its close */
    taco_bytes  name;
    bool        good;
    if (!w) {
        return TACO_OK;
    }
    good = w->err.code == TACO_OK && taco__pq_writer_end_group(w) &&
           taco__page_index_write_all(w) && taco__geo_column_write_key(w) &&
           taco__pq_writer_footer(w);
    name = taco__sink_name(&w->sink);
    name.len = TACO__MIN(name.len, sizeof path);
    if (name.len) {
        memcpy(path, name.data, name.len);
    }
    name.data = (const uint8_t *)path;
    if (!w->sink.close(w->sink.ctx, good) && good) {
        if (name.len) {
            TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET, "finishing %q, %u bytes, failed",
                       &name, w->offset);
        } else {
            TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                       "finishing the file of %u bytes failed", w->offset);
        }
    }
    code = w->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) {
        *err = w->err;
    }
    taco__pq_writer_free(w);
    return code;
}
/* arrow, which may be NULL, is the schema of the stream that the rows come from. */
TACO__FN taco_pq_writer *taco__pq_writer_open(const taco_sink *sink, const taco_field *fields,
                                              size_t n, const struct ArrowSchema *arrow,
                                              const taco_pq_write_options *opt, taco_error *err)
{
    taco_options          options;
    taco_pq_write_options o;
    taco__mem             mem;
    taco_pq_writer       *w;
    bool                  good;
    if (!taco__sink_check(sink, err)) {
        return NULL;
    }
    memset(&o, 0, sizeof o);
    o = opt ? *opt : o;
    taco__options_init(&options, o.options);
    taco__mem_init(&mem, o.options);
    w = (taco_pq_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) {
        taco__sink_abort(sink);
        return NULL;
    }
    w->mem = mem;
    taco__pq_writer_init(w);
    w->sink = *sink;
    w->opt = o;
    w->opt.options = &options;
    w->arrow = arrow;
    w->fields = taco__schema_write_copy_fields(w, fields, n, 0);
    w->given = w->field_count = n;
    good = w->fields && taco__geo_column_init_all(w) && taco__schema_write(w) &&
           taco__write_options_apply(w) && taco__key_values_write(w) &&
           taco__pq_writer_write(w, "PAR1", 4);
    w->arrow = NULL; /* what these pointed to goes now */
    w->opt.options = NULL;
    w->opt.columns = NULL;
    w->opt.keys = NULL;
    w->opt.geometries = NULL;
    if (!good) {
        taco__pq_writer_close(w, err);
        return NULL;
    }
    return w;
}
/* Appends what an import still has, and closes it. */
TACO__FN void taco__pq_writer_add_import(taco_pq_writer *w, taco_import *in)
{
    taco_batch b;
    memset(&b, 0, sizeof b);
    while (w->err.code == TACO_OK && taco__import_next(in, &b)) {
        if (taco__pq_writer_check_batch(w, &b)) {
            taco__pq_writer_add_batch(w, &b);
        }
    }
    taco__import_close(in, &w->err);
}
